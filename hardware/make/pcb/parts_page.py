"""A page for the bench: a strip's parts by kind, shown on its picture and ticked off when soldered.
It needs a browser and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template

from hardware.make.pcb.artwork import Artwork, Body, Land, Surface
from hardware.make.shapes import PointMm
from hardware.make.svg import number

WORDS = Path(__file__).parent.with_name("words") / "parts.html"


def parts_page(title: str, strips: Sequence[Artwork]) -> str:
    """The text of the HTML file."""
    boards = "\n".join(line for strip in strips for line in _board(strip))
    text = WORDS.read_text(encoding="utf-8")
    return Template(text).substitute(title=escape(title), boards=boards)


def _board(artwork: Artwork) -> Iterator[str]:
    yield f"<h2>{escape(artwork.name)}</h2>"
    wide, high = number(artwork.size[0]), number(artwork.size[1] + 2)
    used = {body.surface for body in artwork.bodies}
    for surface in (surface for surface in Surface if surface in used):
        yield f'<p>{surface.name.lower()}</p><svg viewBox="0 -2 {wide} {high}">'
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
    dots = "".join(_copper(land, seen(land.at)) for land in lands)
    return (
        f'<g id="{_id(artwork, body.part)}"><rect x="{number(x - wide / 2)}" '
        f'y="{number(y - high / 2)}" width="{number(wide)}" height="{number(high)}"/>{dots}'
        f'<text x="{number(x)}" y="{number(y - high / 2 - 0.4)}">{body.part}</text></g>'
    )


def _copper(land: Land, at: PointMm) -> str:
    (x, y), (wide, high) = at, land.size
    if not land.square:
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(wide / 2)}"/>'
    corner = f'x="{number(x - wide / 2)}" y="{number(y - high / 2)}"'
    return f'<rect class="land" {corner} width="{number(wide)}" height="{number(high)}"/>'


def _id(artwork: Artwork, part: str) -> str:
    return f"{artwork.name.replace(' ', '-')}-{part}"
