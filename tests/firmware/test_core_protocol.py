"""PROTOCOL.md and README.md say what the code does: the dump, the sizes and the pins."""

import re
from collections.abc import Callable, Iterator

import pytest
from core_desk import FIRMWARE, TOKEN, CoreDesk, make, need
from scanner_wire import FromHost, pack

from pi_app.link.messages import (
    BUILD,
    Acknowledge,
    AskLevels,
    CellKind,
    Configure,
    FromScanner,
    Geometry,
    encode,
)

PROTOCOL = (FIRMWARE / "PROTOCOL.md").read_text(encoding="utf-8")
README = (FIRMWARE / "README.md").read_text(encoding="utf-8")

BOARD_PINS = {
    **{f"PA{bit}": f"D{22 + bit}" for bit in range(8)},
    **{f"PC{bit}": f"D{37 - bit}" for bit in range(8)},
    **{f"PL{bit}": f"D{49 - bit}" for bit in range(8)},
    **{f"PK{bit}": f"A{8 + bit}" for bit in range(8)},
    **{f"PF{bit}": f"A{bit}" for bit in range(8)},
    **{f"PB{bit}": f"D{53 - bit}" for bit in range(4)},
    **{f"PB{bit}": f"D{6 + bit}" for bit in range(4, 7)},
}
"""The names printed on an Arduino Mega 2560 beside each pin that a matrix may use."""


def spoken(ms: int, who: str, message: FromHost | FromScanner) -> str:
    payload = pack(message)
    name = type(message).__name__
    return (
        f"{ms:4} ms  {who:7}  {name:11}  {payload.hex(' ')}\n{'':29}  {encode(payload).hex(' ')}\n"
    )


def short_session() -> Iterator[str]:
    """From the reset on: configured, one reed closes, one heartbeat."""
    desk = CoreDesk()
    for message in desk.heard():
        yield spoken(0, "scanner", message)
    desk.run(2)
    yield from exchange(desk, Configure(TOKEN, Geometry(3, 4, 5)))
    for ms, message in desk.run_timed(1):
        yield spoken(ms, "scanner", message)
    yield from exchange(desk, Acknowledge(TOKEN, 0))
    desk.set(1, 2, True)
    for ms, message in desk.run_timed(7):
        yield spoken(ms, "scanner", message)
    yield from exchange(desk, Acknowledge(TOKEN, 1))
    for ms, message in desk.run_timed(200):
        yield spoken(ms, "scanner", message)
    desk.finish()


def hall_session() -> Iterator[str]:
    """From the CONFIGURE on: a checker is set down, and its strip's levels are asked for."""
    desk = CoreDesk()
    desk.heard()
    desk.core.desk_strips(2, 255, False)
    desk.run(2)
    yield from exchange(desk, Configure(TOKEN, Geometry(2, 2, 5, CellKind.HALL, 22, 16)))
    for ms, message in desk.run_timed(1):
        yield spoken(ms, "scanner", message)
    yield from exchange(desk, Acknowledge(TOKEN, 0))
    desk.core.desk_level(0, 1, 512 + 180)
    for ms, message in desk.run_timed(7):
        yield spoken(ms, "scanner", message)
    yield from exchange(desk, Acknowledge(TOKEN, 1))
    yield from exchange(desk, AskLevels(0))
    desk.finish()


def exchange(desk: CoreDesk, message: FromHost) -> Iterator[str]:
    yield spoken(desk.ms, "host", message)
    for answer in desk.say(message):
        yield spoken(desk.ms, "scanner", answer)


@pytest.mark.parametrize(
    ("name", "session"), [("dump", short_session), ("hall-dump", hall_session)]
)
def test_the_dump_is_what_the_code_says(name: str, session: Callable[[], Iterator[str]]) -> None:
    (written,) = re.findall(rf"```{name}\n(.*?)```", PROTOCOL, re.DOTALL)
    assert written == "".join(session())


def pins(kind: str) -> dict[int, tuple[str, str]]:
    """A pin table of the README: line -> pin of the chip, pin of the board."""
    rows = re.findall(rf"^\| {kind} (\d+) \| (P[A-L]\d) \| ([AD]\d+) \|$", README, re.MULTILINE)
    return {int(line): (chip, board) for line, chip, board in rows}


def test_the_pin_tables_are_the_boards() -> None:
    rows, columns = pins("row"), pins("column")
    assert [rows[line][0] for line in range(31)] == [
        f"P{port}{bit}" for port in "LKFB" for bit in range(8) if (port, bit) != ("B", 7)
    ]
    assert [columns[line][0] for line in range(16)] == [
        f"P{port}{bit}" for port in "AC" for bit in range(8)
    ]
    strips = {
        name: (chip, board)
        for name, chip, board in re.findall(
            r"^\| (token|clock|clear|returned|analogue \d) \| (P[A-L]\d) \| ([AD]\d+) \|$",
            README,
            re.MULTILINE,
        )
    }
    assert strips == {
        "token": ("PH3", "D6"),
        "clock": ("PH4", "D7"),
        "clear": ("PH5", "D8"),
        "returned": ("PF5", "A5"),
        **{f"analogue {bit}": (f"PF{bit}", f"A{bit}") for bit in range(5)},
    }
    for chip, board in (*rows.values(), *columns.values()):
        assert BOARD_PINS[chip] == board
    assert len(set(BOARD_PINS.values())) == 31 + 16


def test_the_build_that_the_doctor_expects_is_made_of_these_sources() -> None:
    need("make")
    assert make("build-number").stdout.strip() == f"{BUILD:08x}"


def test_the_sizes_in_the_readme_are_near_the_truth() -> None:
    """To a quarter, for a third compiler makes other code; the bounds are another test's."""
    need("make", "avr-gcc")
    done = make("size")
    for word in ("flash", "ram", "stack"):
        (truth,) = re.findall(rf"^{word}\s+(\d+)", done.stdout, re.MULTILINE)
        row = rf"^\| {word}\b.* \| (\d+) \| \d+ \|$"
        (written,) = re.findall(row, README, re.MULTILINE)
        assert 0.75 * int(truth) <= int(written) <= 1.25 * int(truth)
