"""The committed files of `hardware/` match the descriptions byte for byte."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from known import load_board
from workshop import BOARDS, CARD_BOARDS, HALL_BOARDS

from hardware.make.__main__ import HERE, main
from pi_app.base.strict import ConfigError

LARGEST_BYTES = 600_000
MADE = [HERE / name for name in (*BOARDS, *HALL_BOARDS, *CARD_BOARDS, "common")]
MOST_LINES = 400


@pytest.mark.slow
def test_what_is_committed_is_what_another_process_makes_and_no_more(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hardware.make", "--into", str(tmp_path)],
        cwd=HERE.parent,
        env={**os.environ, "PYTHONHASHSEED": "7", "LC_ALL": "C"},
        check=True,
        timeout=400,
    )
    made = {path.relative_to(tmp_path): path.read_bytes() for path in _files(tmp_path)}
    kept = {path: (HERE / path).read_bytes() for path in _committed()}
    assert made.keys() == kept.keys()
    assert [str(path) for path, data in made.items() if kept[path] != data] == []


def _committed() -> list[Path]:
    """All that is made, below the folder of the hardware."""
    decisions = (f"decisions/{name}.md" for name in ("cost", "hall", "hands", "slips", "strips"))
    below = (path.relative_to(HERE) for folder in MADE for path in _files(folder))
    return [*below, *map(Path, ("README.md", *decisions))]


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_file_that_was_changed_by_hand_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = HERE.parent / "pi_app" / "boards" / "nannon-6.toml"
    check = ["--board", str(own), "--into", str(tmp_path), "--check"]
    shutil.copytree(HERE / "nannon-6", tmp_path, dirs_exist_ok=True)
    assert main(check) == 0
    bill = tmp_path / "bom.csv"
    bill.write_text(bill.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    (tmp_path / "top.dxf").unlink()
    capsys.readouterr()
    assert main(check) == 1
    named = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert named == ["bom.csv", "top.dxf"]


TEXTS = sorted(p for end in ("md", "csv", "html", "svg") for p in HERE.rglob(f"*.{end}"))


def test_no_blank_of_a_text_is_left_unfilled() -> None:
    """A blank is `$name`, `{name}` or `{name:format}`; styles of drawings have other braces."""
    blank = re.compile(r"\$[a-z_]+|\{[a-z_]*(?::[^{}\s;]*)?\}")
    texts = ((path, re.sub(r"(?s)<style.*?</style>", "", path.read_text())) for path in TEXTS)
    left = {
        str(path.relative_to(HERE)): blank.findall(text)
        for path, text in texts
        if path.parent.name != "words" and blank.search(text)
    }
    assert left == {}


@pytest.mark.parametrize("name", HALL_BOARDS)
def test_a_list_of_a_hall_board_says_nothing_of_reeds(name: str) -> None:
    rows = csv.DictReader(io.StringIO((HERE / name / "bom.csv").read_text()))
    assert [row for row in rows if "reed" in " ".join(row.values()).lower()] == []


def test_every_file_is_small() -> None:
    sizes = {path.name: path.stat().st_size for folder in MADE for path in _files(folder)}
    assert {name: size for name, size in sizes.items() if size > LARGEST_BYTES} == {}


@pytest.mark.parametrize("page", sorted(HERE.rglob("*.md")), ids=lambda p: str(p.relative_to(HERE)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    if page.parent.name == "words":
        return  # templates; their links are those of the pages made from them
    text = page.read_text(encoding="utf-8")
    assert "$" not in text
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", [*BOARDS, *HALL_BOARDS])
def test_every_step_of_a_board_has_a_check_and_the_pictures_are_all_shown(name: str) -> None:
    text = (HERE / name / "README.md").read_text(encoding="utf-8")
    steps = re.split(r"^## \d+\. ", text, flags=re.MULTILINE)[1:]
    assert len(steps) >= 10
    assert [step.splitlines()[0] for step in steps if "**Check" not in step] == []
    shown = set(re.findall(r"!\[[^]]*\]\(([^)]+)\)", text))
    drawings = {path.name for path in (HERE / name).glob("*.svg")}
    lights = any(place.light is not None for place in load_board(name).places)
    common = {path.name for path in (HERE / "common").glob("*.svg")} - drawings
    shared = {f"../common/{picture}" for picture in common}
    assert shown == drawings | (shared if lights else shared - {"../common/light.svg"})


def test_a_board_of_ones_own_is_made_alone(tmp_path: Path) -> None:
    own = HERE.parent / "tests" / "boards" / "nannon-scanner.toml"
    assert main(["--board", str(own), "--into", str(tmp_path)]) == 0
    assert "row 1 = D48" in (tmp_path / "wiring-matrix.svg").read_text(encoding="utf-8")
    assert (tmp_path / "top.dxf").exists()


def test_a_description_that_is_wrong_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "b.toml"
    board.write_text("name = 3\n", encoding="utf-8")
    assert main(["--board", str(board), "--into", str(tmp_path / "out")]) == 2
    assert "b.toml" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_reed_without_an_offset_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (HERE.parent / "pi_app/boards/nannon-6.toml").read_text(encoding="utf-8")
    board = tmp_path / "b.toml"
    board.write_text(text.replace(", offset = [0.0, 5.5] }]", " }]", 1), encoding="utf-8")
    assert main(["--board", str(board), "--into", str(tmp_path / "out")]) == 2
    assert "sensor '1' has no offset" in capsys.readouterr().err


def test_a_pin_a_side_is_refused_on_a_board_that_does_not_tell_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (HERE.parent / "pi_app/boards/nannon-6.toml").read_text(encoding="utf-8")
    board = tmp_path / "b.toml"
    told = 'sensors = [{ name = "1", white = 17, black = 4 }]'
    board.write_text(re.sub(r"^sensors = .*$", told, text, count=1, flags=re.M), encoding="utf-8")
    assert main(["--board", str(board), "--into", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "white" in said
    assert "black" in said


def test_parts_are_read_strictly() -> None:
    from hardware.make.parts import read_parts  # noqa: PLC0415

    text = (HERE / "parts.toml").read_text(encoding="utf-8")
    wrong = text.replace("magnet_play", "magnet_pla", 1).replace(
        "price = 65.0", 'price = "dear"', 1
    )
    with pytest.raises(ConfigError) as told:
        read_parts("parts.toml", wrong)
    reasons = " ".join(told.value.reasons)
    for word in ("magnet_play is missing", "magnet_pla =", "price is 'dear'"):
        assert word in reasons


def test_modules_are_small() -> None:
    lengths = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in (HERE / "make").rglob("*.py")
    }
    assert len(lengths) > 10
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
