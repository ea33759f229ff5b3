"""What the README says of pins, settings, phases and commands is what the program has."""

from __future__ import annotations

import re
from pathlib import Path

from known import load_board
from lab.noise import HEAD, rows

from pi_app.cli.main import COMMANDS
from pi_app.match.turns import describe
from pi_app.sensing.noise import PUBLISHED
from pi_app.settings import SETTINGS

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")

# The Raspberry Pi's header, from its pinout: BCM number to header pin.
HEADER = {
    **{2: 3, 3: 5, 4: 7, 17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22, 5: 29, 6: 31},
    **{12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40, 18: 12},
}


def wiring() -> dict[str, tuple[int, int]]:
    """Each part of the table with its GPIO and its header pin."""
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \|$", README, re.MULTILINE)
    return {part: (int(gpio), int(pin)) for part, gpio, pin in rows}


def test_the_wiring_table_is_that_of_the_board() -> None:
    board = load_board("nannon-6")
    pins = {
        f"reed of spot {place.spot}": reed.line for place in board.places for reed in place.reeds
    }
    pins |= {f"light of spot {p.spot}": p.light for p in board.places if p.light is not None}
    pins |= {"die button": board.buttons[0].pin}
    assert board.buzzer is not None
    pins |= {"buzzer": board.buzzer}
    table = wiring()
    for part, pin in pins.items():
        (row,) = [places for name, places in table.items() if re.match(rf"{part}\b", name)]
        assert row[0] == pin, part
    assert len(table) == len(pins) + 2  # and the OLED's two


def test_header_pins_are_those_of_the_gpios() -> None:
    for part, (gpio, pin) in wiring().items():
        assert HEADER[gpio] == pin, part


def test_the_table_of_settings_is_made_of_them() -> None:
    """Where this fails, what it shows belongs into the README."""
    rows = [
        f"| `{name}` | {one.show(one.default)} | {one.values} | {one.says} |"
        for name, one in SETTINGS.items()
    ]
    table = "\n".join(["| setting | default | can be | what it does |", "|---|---|---|---|", *rows])
    assert f"\n{table}\n\n" in README, table


def test_the_noise_model_is_the_one_in_use() -> None:
    """Where this fails, what it shows belongs into the README."""
    head, *rest = (f"| {' | '.join(row)} |" for row in (HEAD, *rows(PUBLISHED)))
    table = "\n".join([head, "|" + "---|" * len(HEAD), *rest])
    assert f"\n{table}\n\n" in README, table


def test_the_phases_are_those_of_the_table() -> None:
    assert describe() in README


def test_every_command_is_named() -> None:
    for command in COMMANDS:
        name = "spotter" if command == "play" else f"spotter {command}"
        assert f"`{name}" in README, command
