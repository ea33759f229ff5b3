"""KiCad 9's own checks of all sheets and boards say nothing, and find what is planted.

They need KiCad 9 or later: `kicad-cli`, or the program that KICAD_CLI names. A thorough run uses
the one that `tests/hardware/kicad9` builds. Without, this is skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from hardware.make.__main__ import HERE

SHEETS = sorted(HERE.rglob("*.kicad_sch"))
BOARD_FILES = sorted(HERE.rglob("*.kicad_pcb"))
POINT = "tables-24-hall/strips/kicad/point"
LONGEST_S = 120


@cache
def program() -> str | None:
    """KiCad's command, if it is recent enough."""
    named = os.environ.get("KICAD_CLI") or shutil.which("kicad-cli")
    if named is None:
        return None
    said = subprocess.run([named, "version"], capture_output=True, text=True, check=True).stdout
    return named if int(said.split(".")[0]) >= 9 else None


@pytest.fixture(autouse=True)
def _kicad() -> None:
    if program() is None:
        pytest.skip("there is no KiCad 9; tests/hardware/kicad9 builds one")


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Path], Path]:
    """A file's copy beside copies of all that belongs to its project."""

    def copy(file: Path) -> Path:
        folder = tmp_path / "project"
        shutil.copytree(file.parent, folder, dirs_exist_ok=True)
        return folder / file.name

    return copy


def findings(file: Path, *check: str) -> list[str]:
    """The kinds of all that a check finds, warnings too."""
    report = file.with_suffix(".json")
    words = [*check, "--severity-all", "--format", "json", "-o", str(report), str(file)]
    subprocess.run(
        [str(program()), *words], capture_output=True, text=True, check=True, timeout=LONGEST_S
    )
    found = json.loads(report.read_text(encoding="utf-8"))
    lists = [found.get(name, []) for name in ("violations", "unconnected_items")]
    lists += [found.get("schematic_parity", [])]
    lists += [sheet["violations"] for sheet in found.get("sheets", [])]
    return [one["type"] for each in lists for one in each]


def on_sheet(file: Path) -> list[str]:
    return findings(file, "sch", "erc")


def on_board(file: Path) -> list[str]:
    return findings(file, "pcb", "drc", "--schematic-parity")


def name_of(file: Path) -> str:
    return str(file.relative_to(HERE))


@pytest.mark.parametrize("file", SHEETS, ids=name_of)
def test_nothing_is_found_on_a_sheet(file: Path, copied: Callable[[Path], Path]) -> None:
    assert on_sheet(copied(file)) == []


@pytest.mark.parametrize("file", BOARD_FILES, ids=name_of)
def test_nothing_is_found_on_a_board_and_it_is_its_sheet(
    file: Path, copied: Callable[[Path], Path]
) -> None:
    assert on_board(copied(file)) == []


# What is replaced in the strip's sheet, how often, and what is then found.
PLANTED_ON_SHEET = {
    "two outputs on a net": ('(global_label "EN"', '(global_label "CLR"', -1, "pin_to_pin"),
    "another symbol than the library's": (
        "(pin output line",
        "(pin input line",
        1,
        "lib_symbol_mismatch",
    ),
    "a supply without a source": ('"3V3" (shape', '"3V" (shape', 1, "power_pin_not_driven"),
    "a pin that is joined with nothing": ('"A2" (shape', '"A6" (shape', 1, "pin_not_driven"),
}


@pytest.mark.parametrize(
    ("old", "new", "times", "kind"), PLANTED_ON_SHEET.values(), ids=PLANTED_ON_SHEET
)
def test_what_is_planted_on_a_sheet_is_found(
    old: str, new: str, times: int, kind: str, copied: Callable[[Path], Path]
) -> None:
    file = copied(HERE / f"{POINT}.kicad_sch")
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, times), encoding="utf-8")
    assert kind in on_sheet(file)


def test_a_sheet_without_its_library_is_told(copied: Callable[[Path], Path]) -> None:
    file = copied(HERE / f"{POINT}.kicad_sch")
    (file.parent / "sym-lib-table").unlink()
    assert {"lib_symbol_issues"} == set(on_sheet(file))


# What is replaced in the strip's board, and what is then found.
PLANTED_ON_BOARD = {
    "another net": (r'\(net 3 "EN"\)', '(net 3 "EM")', "net_conflict"),
    "a part of another name": (r'reference "U3"', 'reference "U9"', "missing_footprint"),
    "another part": (r'value "TMAG5253BA3"', 'value "TMAG5253BA2"', "footprint_symbol_mismatch"),
    "another land": (r"\(size 0\.8 0\.6\)", "(size 0.8 0.5)", "lib_footprint_mismatch"),
    "a footprint that is in no library": ("spotter:pin", "spotter:nail", "lib_footprint_issues"),
}


@pytest.mark.parametrize(("old", "new", "kind"), PLANTED_ON_BOARD.values(), ids=PLANTED_ON_BOARD)
def test_what_is_planted_on_a_board_is_found(
    old: str, new: str, kind: str, copied: Callable[[Path], Path]
) -> None:
    file = copied(HERE / f"{POINT}.kicad_pcb")
    text = file.read_text(encoding="utf-8")
    planted = re.sub(old, new, text)
    assert planted != text
    file.write_text(planted, encoding="utf-8")
    assert kind in on_board(file)
