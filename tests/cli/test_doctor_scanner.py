"""The doctor's check of the scanner."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from emulated import built
from known import load_board
from pty_scanner import PtyScanner

from pi_app.cli import doctor
from pi_app.cli.arguments import open_scanner
from pi_app.cli.doctor import CheckState, Machine, check_scanner
from pi_app.devices.scanner import matrix_of, wired_cells
from pi_app.devices.scanner_port import SerialPort
from pi_app.devices.source import DeviceError
from pi_app.games.all import ALL
from pi_app.link.messages import BUILD, Geometry
from pi_app.link.session import HostSession
from pi_app.sensing.description import Cell
from pi_app.simulator.emulator import Emulator, leave_out, strips_of
from pi_app.user.settings import Settings

MATRIX = Geometry(2, 3, 5)
HALL = load_board("tables-24-hall")
BOARD = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")


class Mute:
    """A silent port, or one with something that is no scanner."""

    def __init__(self, dies: bool = False, says: bytes = b"") -> None:
        self.closed = False
        self._dies, self._says = dies, says

    def read(self) -> bytes:
        if self._dies:
            raise OSError("Input/output error")
        return self._says

    def write(self, data: bytes) -> None:
        raise AssertionError("nobody has spoken")

    def close(self) -> None:
        self.closed = True


def seconds() -> Callable[[], float]:
    """A clock that goes a second further each time it is looked at."""
    numbers = count()
    return lambda: float(next(numbers))


def test_a_scanner_that_answers_is_well(tmp_path: Path) -> None:
    with PtyScanner(tmp_path) as scanner:
        scanner.reed(Cell(0, 0), True)
        result = check_scanner(MATRIX, lambda: SerialPort(str(scanner.port)))
    assert result.state is CheckState.OK
    assert result.text == f"2 × 3 cells, 1 closed now; firmware {BUILD:08x}"


@pytest.mark.parametrize(("version", "build"), [(1, "of protocol 1"), (2, "0badc0de")])
def test_other_firmware_is_told_with_how_to_flash_this_spotters(
    tmp_path: Path, version: int, build: str
) -> None:
    with PtyScanner(tmp_path, version, 0x0BADC0DE) as scanner:
        result = check_scanner(MATRIX, lambda: SerialPort(str(scanner.port)))
    assert result.state is CheckState.OK
    assert result.text.endswith(f"firmware {build}, this Spotter's is {BUILD:08x}")
    assert "spotter scanner --flash" in (result.remedy or "")


@pytest.fixture
def hall() -> Iterator[Emulator]:
    """The real firmware with the strips of a board that tells sides."""
    with Emulator(built(), *strips_of(HALL)) as emulator:
        leave_out(emulator, HALL)
        yield emulator


def examined(emulator: Emulator) -> doctor.Checked:
    connect = partial(SerialPort, str(emulator.port))
    return check_scanner(matrix_of(HALL, 5), connect, wired=wired_cells(HALL))


def test_strips_of_hall_sensors_are_well_or_their_fault_is_named(hall: Emulator) -> None:
    hall.ask("field 3 2 -39000")
    assert examined(hall).text == f"25 × 5 cells, 1 closed now; firmware {BUILD:08x}"
    hall.ask("rest 6 1 0")
    dead = examined(hall)
    assert (dead.state, dead.text) == (CheckState.FAIL, "strip 7: sensor 2 does not answer")
    hall.ask("cut 9")
    cut = examined(hall)
    assert cut.state is CheckState.FAIL
    assert "strip 10 and those behind it do not answer" in cut.text


def test_the_levels_of_all_strips_are_listed(hall: Emulator) -> None:
    hall.ask("field 3 2 -39000")
    hall.ask("field 4 0 39000")
    session = HostSession(matrix_of(HALL, 5), lambda: 7, wired_cells(HALL))
    with closing(SerialPort(str(hall.port))) as port:
        head, *strips = next(doctor.level_lines(session, port, time.monotonic)).splitlines()
    assert head.split() == ["strip", "A0", "A1", "A2", "A3", "A4"]
    assert len(strips) == 25
    assert -190 < int(strips[3].split()[3].rstrip("?")) < -170
    assert 170 < int(strips[4].split()[1].rstrip("?")) < 190


def test_a_scanner_that_refuses_is_ill(tmp_path: Path) -> None:
    with PtyScanner(tmp_path) as scanner:
        result = check_scanner(Geometry(16, 16, 5), lambda: SerialPort(str(scanner.port)))
    assert result.state is CheckState.FAIL
    assert result.text == ("the scanner rejects 16 × 16 cells, 5 ms: it has fewer cells")


def test_a_port_on_which_nobody_speaks() -> None:
    port = Mute()
    result = check_scanner(MATRIX, lambda: port, seconds())
    assert (result.state, result.text) == (CheckState.FAIL, "the scanner does not answer")
    assert "spotter scanner --flash" in (result.remedy or "")
    assert port.closed


def test_something_else_on_the_port_is_named_by_what_it_says() -> None:
    port = Mute(says=b"$GPGGA,120000,5230.1\r\n")
    result = check_scanner(MATRIX, lambda: port, seconds())
    assert result.state is CheckState.FAIL
    assert (
        'no scanner on this port, it sends "$GPGGA,120000,5230.1"; set another port' in result.text
    )
    assert port.closed


def test_a_port_that_dies() -> None:
    port = Mute(dies=True)
    result = check_scanner(MATRIX, lambda: port)
    assert (result.state, result.text) == (CheckState.FAIL, "the port died: Input/output error")
    assert port.closed


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    away = Settings().changed("scanner.port", str(tmp_path / "none"))
    result = doctor.tried(lambda: check_scanner(MATRIX, lambda: open_scanner(away)))
    assert result.state is CheckState.FAIL
    assert "is not there" in result.text
    assert "plug the scanner in" in (result.remedy or "")


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def configure(text: str) -> None:
        (tmp_path / "spotter").mkdir()
        (tmp_path / "spotter" / "settings.toml").write_text(text, encoding="utf-8")

    return configure


def names() -> list[str]:
    return [name for name, _ in doctor.all_checks(Machine(), ALL)]


def test_a_board_that_needs_none_has_no_scanner_looked_at(
    configured: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(wanted: str) -> str:
        raise DeviceError("no scanner is plugged in", "plug it in")

    monkeypatch.setattr(doctor, "find_port", none)
    configured("")
    assert "scanner" not in names()


def test_one_that_is_plugged_in_for_nothing_is_mentioned(
    configured: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "find_port", lambda wanted: "/dev/ttyACM0")
    configured("")
    ((_, check),) = [pair for pair in doctor.all_checks(Machine(), ALL) if pair[0] == "scanner"]
    result = check()
    assert (result.state, result.text) == (
        CheckState.OK,
        "/dev/ttyACM0 may be one; board 'nannon-6' needs none",
    )


def test_a_board_that_needs_one_has_it_looked_at(
    configured: Callable[[str], None], tmp_path: Path
) -> None:
    configured(f'[board]\nname = "{BOARD}"\n[scanner]\nport = "{tmp_path / "none"}"\n')
    ((_, check),) = [pair for pair in doctor.all_checks(Machine(), ALL) if pair[0] == "scanner"]
    assert doctor.tried(check).state is CheckState.FAIL
