"""A page for the bench: a strip's parts by kind, shown on its picture and ticked off when soldered.
It needs a browser and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template

from hardware.make.pcb.artwork import Artwork, Body, Land, Surface
from hardware.make.pcb.design import StripDesign
from hardware.make.shapes import PointMm
from hardware.make.svg import number

WORDS = Path(__file__).parent.with_name("words") / "parts.html"


def parts_page(title: str, designs: Sequence[StripDesign]) -> str:
    """The text of the HTML file."""
    boards = "\n".join(line for design in designs for line in _board(design.artwork))
    text = WORDS.read_text(encoding="utf-8")
    return Template(text).substitute(title=escape(title), boards=boards)


def _board(artwork: Artwork) -> Iterator[str]:
    yield f"<h2>{escape(artwork.name)}</h2>"
    for surface in Surface:
        wide, high = (number(length) for length in artwork.size)
        yield f'<p>{surface.name.lower()}</p><svg viewBox="0 0 {wide} {high}">'
        for body in artwork.bodies:
            if body.surface is surface:
                lands = [land for land in artwork.lands if land.part == body.part]
                yield _part(artwork, body, lands)
        yield "</svg>"
    yield "<table><tr><th>soldered<th>number<th>part<th>names"
    for value in dict.fromkeys(body.value for body in artwork.bodies):
        refs = [body.part for body in artwork.bodies if body.value == value]
        known = " ".join(_id(artwork, ref) for ref in refs)
        yield (
            f'<tr data-parts="{known}"><td><input type="checkbox"><td>{len(refs)}'
            f"<td>{escape(value)}<td>{' '.join(refs)}"
        )
    yield "</table>"


def _part(artwork: Artwork, body: Body, lands: Sequence[Land]) -> str:
    """A part's room, its lands and its name, from the side that it is on."""

    def seen(at: PointMm) -> PointMm:
        x = at[0] if body.surface is Surface.FRONT else artwork.size[0] - at[0]
        return x, artwork.size[1] - at[1]

    (x, y), (wide, high) = seen(body.at), body.size
    dots = "".join(
        f'<circle cx="{number(seen(land.at)[0])}" cy="{number(seen(land.at)[1])}" '
        f'r="{number(land.size[0] / 2)}"/>'
        for land in lands
    )
    return (
        f'<g id="{_id(artwork, body.part)}"><rect x="{number(x - wide / 2)}" '
        f'y="{number(y - high / 2)}" width="{number(wide)}" height="{number(high)}"/>{dots}'
        f'<text x="{number(x)}" y="{number(y + 0.5)}">{body.part}</text></g>'
    )


def _id(artwork: Artwork, part: str) -> str:
    return f"{artwork.name.replace(' ', '-')}-{part}"
