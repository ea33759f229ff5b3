"""`spotter walk`: a hand that follows instructions, on every board, wired well and badly."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest
from known import load_board
from pty_scanner import PtyScanner

from pi_app.__main__ import main
from pi_app.base.microseconds import ms
from pi_app.boards import board_names
from pi_app.cli.arguments import open_source
from pi_app.cli.walk import AWAY, WalkingHand, WalkWord, Word, lead, listen, taking
from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import open_factory
from pi_app.devices.source import SENSORS, DeviceError
from pi_app.referee.events import Found
from pi_app.sensing.description import Board, ReedInput, Sensor
from pi_app.sensing.walk import Flaw, Walk, report
from pi_app.simulator.reeds import DEFAULT, NONE, Faults, read_faults
from pi_app.user.settings import ScannerSettings, Settings

SCANNER = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def walk_by_hand(board: Board, faults: Faults = DEFAULT, wired: Board | None = None) -> Walk:
    hand = WalkingHand(board, faults, random.Random(1), wired)
    walk = lead(board, hand.source, hand.clock, hand.take, lambda text: None)
    hand.source.close()
    return walk


def rewired(board: Board, swaps: dict[str, str]) -> Board:
    """The board with the wires of some sensors on other sensors' pins or cells."""
    lines: dict[Sensor, ReedInput] = {r.name: r.line for p in board.places for r in p.reeds}
    both = swaps | {other: one for one, other in swaps.items()}

    def line(name: Sensor) -> ReedInput:
        return lines[Sensor(both.get(name, name))]

    places = tuple(
        replace(place, reeds=tuple(replace(reed, line=line(reed.name)) for reed in place.reeds))
        for place in board.places
    )
    return replace(board, places=places)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*board_names(), SCANNER])
def test_a_board_that_is_well(name: str) -> None:
    board = load_board(name)
    walk = walk_by_hand(board, replace(DEFAULT, miss=0.0))
    assert walk.findings == ()
    assert walk.tried == board.sensors


@pytest.mark.parametrize("name", ["nannon-6", SCANNER])
def test_dead_and_stuck_reeds(name: str) -> None:
    board = load_board(name)
    walk = walk_by_hand(board, read_faults("default,dead=4,stuck=2", board))
    found = [(finding.flaw, finding.sensor) for finding in walk.findings]
    assert found == [(Flaw.STUCK, "2"), (Flaw.NEVER, "4")]
    assert set(walk.tried) == set(board.sensors)


def test_crossed_pins() -> None:
    board = load_board("nannon-6")
    lines = report(walk_by_hand(board, NONE, rewired(board, {"2": "5"})))
    assert lines == (
        "Walk test of nannon-6: 4 of 6 sensors work",
        "  2 (gpio 27): 5 closed instead: check the wiring",
        "  5 (gpio 24): 2 closed instead: check the wiring",
        "  2 and 5 are crossed: swap their wires (gpio 27 and gpio 24)",
    )


def test_crossed_rows_of_the_large_board() -> None:
    board = load_board("tables-24")
    lines = report(
        walk_by_hand(board, NONE, rewired(board, {f"7.{n}": f"8.{n}" for n in range(1, 6)}))
    )
    assert lines[0] == "Walk test of tables-24: 114 of 124 sensors work"
    assert lines[-2:] == (
        "  rows 6 and 7 are crossed: swap their wires",
        "The scanner debounces: shorter bounces are not seen here.",
    )


def test_chatter_of_pins_is_seen_and_that_of_the_scanner_less() -> None:
    rough = replace(NONE, bounce_ms=49.0)
    on_pins = walk_by_hand(load_board("nannon-6"), rough)
    assert {finding.flaw for finding in on_pins.findings} == {Flaw.CHATTER}
    on_scanner = walk_by_hand(load_board(SCANNER), rough)
    assert on_scanner.findings == ()


# A real port, in real time


def closing(scanner: PtyScanner, board: Board, heard: list[str]) -> Callable[[str], None]:
    """A listener that does what is said, at once."""

    def say(text: str) -> None:
        heard.append(text)
        if text.startswith("Put one checker on spot "):
            scanner.reed(board.cells[Sensor(text[-1])], True)
        elif "lift the checker off spot" in text:
            scanner.reed(board.cells[Sensor(text[-1])], False)

    return say


def test_a_scanner_that_was_there_from_the_start_is_not_announced() -> None:
    """Its word of being found comes late, once the walk has begun."""
    words: list[Word | None] = [Found(ms(0), SENSORS), None, WalkWord.END, None]
    said: list[str] = []
    board = load_board("nannon-6")
    hand = WalkingHand(board, NONE, random.Random(1))
    lead(board, hand.source, hand.clock, lambda ask, us: words.pop(0), said.append)
    hand.source.close()
    assert said == ["Put one checker on spot 1"]


def test_a_scanner_on_its_port_is_awaited_walked_and_awaited_again(tmp_path: Path) -> None:
    board = load_board(SCANNER)
    queue: SimpleQueue[Word] = SimpleQueue()
    clock, factory = MatchClock(), open_factory("mock")
    heard: list[str] = []
    with PtyScanner(tmp_path) as scanner:
        settings = replace(Settings(), scanner=ScannerSettings(str(scanner.port)))
        source = open_source(board, factory, settings, clock, queue.put)
        follow = closing(scanner, board, heard)

        def say(text: str) -> None:
            if AWAY in heard:
                heard.append(text)
                queue.put(WalkWord.END)
            elif text == AWAY:
                heard.append(text)
                scanner.plug_in()
            elif text == "Put one checker on spot 2":
                heard.append(text)
                scanner.unplug()
            else:
                follow(text)

        too_long = threading.Timer(20, queue.put, (WalkWord.END,))
        too_long.start()
        walk = lead(board, source, clock, taking(queue), say)
        too_long.cancel()
        source.close()
    assert heard == [
        "Put one checker on spot 1",
        "1 closed: lift the checker off spot 1",
        "Put one checker on spot 2",
        AWAY,
        "Put one checker on spot 2",
    ]
    assert walk.tried == ("1",)
    assert walk.findings == ()


def test_a_scanner_that_never_comes_is_an_error(tmp_path: Path) -> None:
    board = load_board(SCANNER)
    queue: SimpleQueue[Word] = SimpleQueue()
    settings = replace(Settings(), scanner=ScannerSettings(str(tmp_path / "none")))
    source = open_source(board, open_factory("mock"), settings, MatchClock(), queue.put)
    queue.put(WalkWord.END)  # the person does not wait
    with pytest.raises(DeviceError, match="see that the scanner is plugged in"):
        lead(board, source, MatchClock(), taking(queue), lambda text: None)
    source.close()


def test_what_is_typed_is_understood() -> None:
    read, write = os.pipe()
    queue: SimpleQueue[WalkWord] = SimpleQueue()
    listen(queue.put, read)
    os.write(write, b"\nwhat\n  Q ")
    os.write(write, b"\n\n")
    os.close(write)
    assert [queue.get(timeout=10) for _ in range(3)] == [WalkWord.SKIP, WalkWord.END, WalkWord.SKIP]


# The command


def test_a_simulated_walk_ends_with_its_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "walk.txt"
    assert main(["walk", "--sim", "--faults", "dead=3", "--report", str(file)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("Put one checker on spot 1\n1 closed: lift the checker off spot 1\n")
    text = file.read_text(encoding="utf-8")
    assert out.endswith(f"\n\n{text}")
    assert text.startswith("Walk test of nannon-6: 5 of 6 sensors work\n  3 (gpio 22): never")
    assert main(["walk", "--sim", "--faults", "none"]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sim", "--board", "oak"], "no such board"),
        (["--sim", "--faults", "dead=9"], "the board has the sensors 1, 2"),
        (["--faults", "dead=3"], "--faults goes with --sim"),
        (["--sim", "--report", "/nowhere/at/all"], "cannot be written there"),
        (["--sim", "--report", "/"], "cannot be written there"),
    ],
)
def test_arguments_without_sense_are_one_clear_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["walk", *words]) == (1 if "--report" in words else 2)
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_without_pins_it_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(kind: str) -> None:
        raise DeviceError("the pins cannot be used", "run: spotter doctor")

    monkeypatch.setattr("pi_app.cli.walk.open_factory", none)
    assert main(["walk"]) == 1
    assert capsys.readouterr().err == "spotter: the pins cannot be used; run: spotter doctor\n"
