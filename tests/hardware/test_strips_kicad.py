"""KiCad's own check of the rules finds nothing on any strip or panel, and what is planted it finds.

Where KiCad is not installed (`apt-get install --no-install-recommends kicad`) this is skipped;
the build server has it.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from copper import Metal, read_board
from test_strips_copper import strips_of
from workshop import MATRIX_BOARDS, parts

from hardware.make.__main__ import HERE
from hardware.make.everything import read_source
from hardware.make.pcb.artwork import Artwork, Surface, Track, Via
from hardware.make.pcb.design import designs
from hardware.make.pcb.gerber import gerbers
from hardware.make.pcb.kicad import SHEET_MM, board_file, footprints, project_file
from hardware.make.pcb.panels import panel_of

PYTHON = Path("/usr/bin/python3")
CHECK = Path(__file__).with_name("kicad_check.py")
COMMITTED = sorted(
    path
    for name in MATRIX_BOARDS
    for path in (HERE / name / "strips" / "kicad").glob("*.kicad_pcb")
)


@cache
def has_kicad() -> bool:
    tried = [str(PYTHON), "-c", "import pcbnew"]
    return (
        PYTHON.exists() and not subprocess.run(tried, capture_output=True, check=False).returncode
    )


@pytest.fixture(autouse=True)
def _kicad() -> None:
    if not has_kicad():
        pytest.skip("KiCad is not installed: apt-get install --no-install-recommends kicad")


def reports(boards: Mapping[str, Artwork], folder: Path) -> dict[str, str]:
    """KiCad's findings on each board."""
    for name, artwork in boards.items():
        (folder / f"{name}.kicad_pcb").write_text(
            board_file(artwork, parts().strip, footprints([artwork]))
        )
        (folder / f"{name}.kicad_pro").write_text(project_file(parts().strip))
    return checked(folder)


def checked(folder: Path) -> dict[str, str]:
    names = [str(path) for path in sorted(folder.glob("*.kicad_pcb"))]
    subprocess.run([PYTHON, CHECK, "check", *names], check=True, capture_output=True, timeout=120)
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.rpt"))}


def found(report: str) -> tuple[int, int, int]:
    """Violations of the rules, pads that are not connected, faults of footprints."""
    counts = re.findall(r"\*\* Found (\d+) (?:DRC violations|unconnected pads|Footprint)", report)
    violations, unconnected, footprints = map(int, counts)
    return violations, unconnected, footprints


def kinds(report: str) -> set[str]:
    return set(re.findall(r"^\[(\w+)\]", report, re.MULTILINE))


def test_kicad_finds_nothing_on_the_committed_strips(tmp_path: Path) -> None:
    for path in COMMITTED:
        copy = tmp_path / f"{path.parts[-4]}-{path.name}"
        copy.write_bytes(path.read_bytes())
        copy.with_suffix(".kicad_pro").write_bytes(path.with_suffix(".kicad_pro").read_bytes())
    told = checked(tmp_path)
    assert len(told) == len(COMMITTED) >= 4
    assert {name: report for name, report in told.items() if found(report) != (0, 0, 0)} == {}


def test_kicad_finds_nothing_on_the_panels(tmp_path: Path) -> None:
    strip = parts().strip
    panels = {name: panel_of(name, strips_of(name), strip).artwork for name in MATRIX_BOARDS}
    told = reports(panels, tmp_path)
    assert {name: report for name, report in told.items() if found(report) != (0, 0, 0)} == {}


def test_kicad_finds_nothing_where_reeds_lie_another_way(tmp_path: Path) -> None:
    """Across the strip, and aslant: the same code lays out and routes them."""
    ways = {"across": "6.0, 0.0", "aslant": "4.2, 4.2"}
    boards = {}
    for way, offset in ways.items():
        text = _text("tables-24-thrifty")
        x, y = offset.split(", ")
        turned = re.sub(r"offset = \[-?[\d.]+, -[\d.]+\]", f"offset = [-{x}, -{y}]", text)
        turned = re.sub(r"offset = \[-?[\d.]+, [\d.]+\]", f"offset = [{offset}]", turned)
        assert turned != text
        source = read_source("b.toml", turned.replace("-0.0", "0.0"))
        for design in designs(source.board, parts().measures, parts().strip):
            boards[f"{way}-{design.name}"] = design.artwork
    told = reports(boards, tmp_path)
    assert len(told) >= 2
    assert {name: report for name, report in told.items() if found(report) != (0, 0, 0)} == {}


def _text(name: str) -> str:
    return (HERE.parent / "pi_app" / "boards" / f"{name}.toml").read_text(encoding="utf-8")


def test_what_is_planted_is_found(tmp_path: Path) -> None:
    sound = strips_of("tables-24")[0].artwork
    lands = {(land.part, land.pin): land for land in sound.lands}
    near, far, pin = lands["S1", "1"], lands["S1", "2"], lands["X1", "1"]
    short = Track(near.net, Surface.BACK, near.at, far.at)
    close = Via(pin.net, (pin.at[0] + 1.3, pin.at[1]))
    thin = replace(sound.bores[0], at=(1.3, sound.bores[0].at[1] + 4))
    told = reports(
        {
            "short": replace(sound, tracks=(*sound.tracks, short)),
            "missing": replace(sound, tracks=sound.tracks[1:]),
            "close": replace(sound, vias=(*sound.vias, close)),
            "edge": replace(sound, bores=(*sound.bores, thin)),
        },
        tmp_path,
    )
    assert found(told["short"])[0] > 0
    assert kinds(told["short"]) & {"clearance", "shorting_items"}
    assert found(told["missing"])[1] > 0
    assert "unconnected_items" in kinds(told["missing"])
    assert "clearance" in kinds(told["close"])
    assert "copper_edge_clearance" in kinds(told["edge"])


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_what_kicad_plots_is_what_the_maker_gets(name: str, tmp_path: Path) -> None:
    """The KiCad file and the Gerber files have the same copper and legend."""
    panel = panel_of(name, strips_of(name), parts().strip).artwork
    board = tmp_path / "panel.kicad_pcb"
    board.write_text(board_file(panel, parts().strip, footprints([panel])), encoding="utf-8")
    subprocess.run([PYTHON, CHECK, "plot", board, tmp_path], check=True, capture_output=True)
    ours = gerbers(panel, parts().strip)
    plotted = dict(ours)
    layers = [(f"F_{layer}", f"B_{layer}") for layer in ("Cu", "Silkscreen")]
    for layer in chain.from_iterable(layers):
        plotted[f"{layer}.gbr"] = (tmp_path / f"panel-{layer}.gbr").read_text(encoding="utf-8")
    lower = -SHEET_MM, SHEET_MM + panel.size[1]
    for pair in layers:
        one, two = (_pieces(files, pair) for files in (ours, plotted))
        assert len(one) > 100
        assert Counter(one) == Counter(_moved(piece, lower) for piece in two)


def _pieces(files: Mapping[str, str], layers: tuple[str, ...]) -> list[Metal]:
    """Read as if it were copper, without holes, so that both sides stay apart."""
    sides = {
        f"{side}_Cu.gbr": files[f"{layer}.gbr"] for side, layer in zip("FB", layers, strict=True)
    }
    empty = {"PTH.drl": EMPTY, "NPTH.drl": EMPTY, "Edge_Cuts.gbr": files["Edge_Cuts.gbr"]}
    return list(read_board({**sides, **empty}).metal)


EMPTY = "M48\nMETRIC,TZ\n%\nM30\n"


def _moved(piece: Metal, by: tuple[float, float]) -> Metal:
    start, end = (
        (round(at[0] + by[0], 3), round(at[1] + by[1], 3)) for at in (piece.start, piece.end)
    )
    return replace(piece, start=start, end=end)
