"""A panel for its maker, who also places some of its parts, and its strips one by one for the bench
and for KiCad."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hardware.make import tables
from hardware.make.files import MadeFile, packed
from hardware.make.parts import Article, Parts
from hardware.make.pcb.artwork import Body
from hardware.make.pcb.gerber import gerbers
from hardware.make.pcb.panels import StripPanel
from hardware.make.pcb.parts_page import parts_page
from hardware.make.pcb.picture import picture
from hardware.make.pcb.project import strip_project
from hardware.make.pcb.schematic import PinUse
from hardware.make.svg import to_svg

PLACED_HEAD = ("Comment", "Designator", "Footprint")


def order_files(
    board: str,
    panel: StripPanel,
    parts: Parts,
    ordered: Mapping[str, str],
    uses: Mapping[str, Sequence[PinUse]],
) -> Iterator[tuple[str, MadeFile]]:
    """Each file by its name; `ordered` has the article of each part that the maker may place, by
    how its value begins, and `uses` the pins of a part of some value."""
    strips = {design.name: design.artwork for design, _ in panel.counts}
    for name, artwork in strips.items():
        yield f"{name}.svg", to_svg(picture(artwork, parts.strip))
    for name, text in strip_project(strips, parts.strip, uses):
        yield f"kicad/{name}", text
    yield "parts.html", parts_page(f"{board}: parts of the strips", list(strips.values()))
    plots = gerbers(panel.artwork, parts.strip)
    zipped = packed({f"{board}-{ending}": text for ending, text in plots.items()})
    yield f"order/{board}-gerbers.zip", zipped
    placed = {
        body: parts.articles[article]
        for body in panel.artwork.bodies
        for start, article in ordered.items()
        if body.value.startswith(start)
    }
    yield f"order/{board}-bom.csv", _parts_list(placed)
    yield f"order/{board}-cpl.csv", _places(placed)


def _parts_list(placed: Mapping[Body, Article]) -> str:
    """Return the list of parts (CSV) with the columns that JLCPCB's help names.

    The makers' numbers have a column of their own, because JLCPCB searches by LCSC's numbers alone.
    """
    rows = []
    for value in dict.fromkeys(body.value for body in placed):
        alike = [body for body in placed if body.value == value]
        names = ",".join(body.part for body in alike)
        article = placed[alike[0]]
        rows.append((value, names, alike[0].footprint, article.lcsc, article.order))
    return tables.to_csv((*PLACED_HEAD, "LCSC Part #", "Manufacturer Part Number"), rows)


def _places(placed: Iterable[Body]) -> str:
    """Return the list of places (CSV), in mm from the panel's lower left corner."""
    rows = [
        (body.part, f"{body.at[0]:.3f}", f"{body.at[1]:.3f}", "Top", f"{body.turn:.0f}")
        for body in placed
    ]
    return tables.to_csv(("Designator", "Mid X", "Mid Y", "Layer", "Rotation"), rows)
