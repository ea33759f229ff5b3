"""A KiCad project: its boards and sheets, and the library that they share, with their symbols and
footprints. KiCad finds the library by the tables beside the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hardware.make.circuit import Circuit
from hardware.make.pcb.artwork import Artwork
from hardware.make.pcb.kicad import (
    LIBRARY,
    SCREW,
    board_file,
    footprint_file,
    footprints,
    project_file,
    screw_file,
)
from hardware.make.pcb.measures import StripMeasures
from hardware.make.pcb.schematic import (
    PinUse,
    Schematic,
    board_schematic,
    sheet_file,
    strip_schematic,
    symbols,
)


def strip_project(
    strips: Mapping[str, Artwork], measures: StripMeasures, uses: Mapping[str, Sequence[PinUse]]
) -> Iterator[tuple[str, str]]:
    """Yield KiCad's files by name: each strip's board, schematic and project, and the libraries
    that they use.

    `uses` lists the pins of a kind of part, by its value, if they are more than plain contacts.
    """
    names = footprints(strips.values())
    sheets = {name: strip_schematic(one, uses, names) for name, one in strips.items()}
    for name, artwork in strips.items():
        yield f"{name}.kicad_pcb", board_file(artwork, measures, names)
        yield f"{name}.kicad_sch", sheet_file(sheets[name])
        yield f"{name}.kicad_pro", project_file(measures)
    yield from _symbol_library(sheets.values())
    for shape, called in names.items():
        yield f"{LIBRARY}.pretty/{called}.kicad_mod", footprint_file(shape, called)
    bore = next(bore for artwork in strips.values() for bore in artwork.bores)
    yield f"{LIBRARY}.pretty/{SCREW}.kicad_mod", screw_file(bore)
    yield "fp-lib-table", _table("fp", f"{LIBRARY}.pretty")


def board_project(
    name: str, circuit: Circuit, measures: StripMeasures
) -> Iterator[tuple[str, str]]:
    """Each file by its name: the sheet of a whole board, which is wired and has no printed one."""
    sheet = board_schematic(circuit)
    yield f"{name}.kicad_sch", sheet_file(sheet)
    yield f"{name}.kicad_pro", project_file(measures)
    yield from _symbol_library([sheet])


def _symbol_library(sheets: Iterable[Schematic]) -> Iterator[tuple[str, str]]:
    head = "(kicad_symbol_lib (version 20211014) (generator spotter)"
    yield f"{LIBRARY}.kicad_sym", "\n".join([head, *symbols(sheets), ")", ""])
    yield "sym-lib-table", _table("sym", f"{LIBRARY}.kicad_sym")


def _table(kind: str, file: str) -> str:
    """Which file a library's name stands for."""
    return (
        f"({kind}_lib_table\n"
        f'  (lib (name "{LIBRARY}")(type "KiCad")(uri "${{KIPRJMOD}}/{file}")(options "")'
        '(descr "Made by hardware.make"))\n)\n'
    )
