"""One word changed in a description changes drawing, table, template and list together."""

from __future__ import annotations

import csv
from pathlib import Path

import ezdxf
import pytest
from workshop import PaperRead, near

from hardware.make.__main__ import BOARDS, HERE, main


def made_with(tmp_path: Path, name: str, *changes: tuple[str, str]) -> tuple[Path, Path]:
    """The changed description's folder, and the folder of what was made of this board alone."""
    boards, made = tmp_path / "boards", tmp_path / "made"
    boards.mkdir()
    text = (BOARDS / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) >= 1
        text = text.replace(old, new)
    (boards / f"{name}.toml").write_text(text, encoding="utf-8")
    assert main(["--boards", str(boards), "--into", str(made)]) == 0
    return boards, made


def changed(made: Path, name: str) -> set[str]:
    """The board's own files that are no longer those in `hardware/`."""
    names = [path.relative_to(made) for path in (made / name).rglob("*") if path.is_file()]
    return {str(name) for name in names if (made / name).read_bytes() != (HERE / name).read_bytes()}


def test_another_pin_and_another_place_show_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spot 4 from GPIO 23 (pin 16) to GPIO 16 (pin 36), and 5 mm up."""
    boards, made = made_with(
        tmp_path, "nannon-6", ("gpio = 23", "gpio = 16"), ("[155.0, 55.0]", "[155.0, 60.0]")
    )
    folder = made / "nannon-6"
    rows = list(csv.reader((folder / "pins.csv").read_text(encoding="utf-8").splitlines()))
    assert ["reed of 4", "S4", "16", "36", "1 kΩ (R104)", "P2.2"] in rows
    diagram = PaperRead((folder / "wiring-pi.svg").read_text(encoding="utf-8"))
    line = diagram.word("reed of 4 (S4)")
    assert line.at[1] - diagram.word("36").at[1] == pytest.approx(2.3)
    nets = (folder / "netlist.csv").read_text(encoding="utf-8")
    assert "GPIO16,J1,36\nGPIO16,R104,1\n" in nets
    carrier = PaperRead((folder / "carrier.svg").read_text(encoding="utf-8"))
    x, y = carrier.board_corner
    assert any(near(o.middle, (x + 277 - 155.0, y + 65.5)) for o in carrier.on("hole"))
    space = ezdxf.readfile(folder / "top.dxf").modelspace()
    centres = [(round(c.dxf.center.x, 2), round(c.dxf.center.y, 2)) for c in space.query("CIRCLE")]
    assert (155.0, 60.0) in centres
    assert (155.0, 55.0) not in centres
    assert changed(made, "nannon-6") == {
        f"nannon-6/{name}"
        for name in (
            *("README.md", "bom.csv", "carrier.dxf", "carrier.svg", "netlist.csv", "pins.csv"),
            *("pins.md", "top.dxf", "top.svg", "underside.svg", "wiring-pi.svg"),
            "kicad/nannon-6.kicad_sch",
        )
    }
    capsys.readouterr()
    board = str(boards / "nannon-6.toml")
    assert main(["--board", board, "--into", str(HERE / "nannon-6"), "--check"]) == 1
    stale = {line.split()[0] for line in capsys.readouterr().out.splitlines()}
    assert {f"nannon-6/{name}" for name in stale} == changed(made, "nannon-6")


@pytest.mark.slow
def test_another_cell_shows_in_the_matrix_and_its_tables(tmp_path: Path) -> None:
    _, made = made_with(tmp_path, "tables-24", ("row = 24, column = 3", "row = 24, column = 4"))
    diagram = PaperRead((made / "tables-24/wiring-matrix.svg").read_text(encoding="utf-8"))
    assert diagram.word("bar.black.2").at[0] > diagram.word("= D26").at[0]
    rows = (made / "tables-24/matrix.csv").read_text(encoding="utf-8")
    assert 'bar.black.2,"S124, D124",24,D53,4,D26\n' in rows
    assert {"tables-24/netlist.csv", "tables-24/pins.md", "tables-24/underside.svg"} <= changed(
        made, "tables-24"
    )


@pytest.mark.slow
def test_one_more_light_is_one_more_led_resistor_hole_and_wire(tmp_path: Path) -> None:
    _, made = made_with(
        tmp_path,
        "cannon-10",
        ('name = "a1"\nat = [26.0, 26.0]\n', 'name = "a1"\nat = [26.0, 26.0]\nlight = 5\n'),
    )
    bill = (made / "cannon-10/bom.csv").read_text(encoding="utf-8")
    assert '\nL1,1,1,2,piece,"LED 3 mm' in bill
    assert '\nR1,1,1,2,piece,"330 Ω' in bill
    top = PaperRead((made / "cannon-10/top.svg").read_text(encoding="utf-8"))
    x, y = top.board_corner
    assert any(near(r.middle, (x + 26, y + 6)) for r in top.rings if r.layer == "hole")
