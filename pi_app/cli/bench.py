"""`spotter bench`: how fast this machine shows what the hands do.  A report, not a test."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from pi_app.boards import load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.cli.progress import Progress
from pi_app.cli.rules_bench import report as rules_report
from pi_app.cli.turns_bench import StuckError, event_times, games_on_boards, wrong_view_costs
from pi_app.devices.dice import Dice
from pi_app.microseconds import Us, ms
from pi_app.referee.events import (
    Event,
    Intent,
    Picture,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
)
from pi_app.referee.view import View
from pi_app.rules.registry import GAMES
from pi_app.rules.terms import Roll, Side
from pi_app.screen.compose import compose
from pi_app.screen.paint import Window
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.description import Board, Sensor
from pi_app.session import Session

SIZE = (800, 480)
EDGES = 4000
TURNS = 150
WRONG_AFTER = (5, 200)
WRONG_TRIES = 20
DRAWINGS = 200
IDLE_S = 4.0
STARTS = 5
CASES = Path("tests/cases")


def run(argv: list[str]) -> int:
    """Print every figure, a line each, with what was aimed at."""
    parser = Parser("bench", "Measure how fast this machine shows what the hands do.")
    parser.add_argument(
        "--rules",
        metavar="FOLDER",
        nargs="?",
        const=CASES,
        type=Path,
        help="measure instead how fast each game finds every legal result, over the positions of "
        f"FOLDER/GAME.jsonl, by default {CASES}",
    )
    folder = parser.parse_args(argv).rules
    if folder:
        for line in rules_report(GAMES.values(), folder):
            print(line, flush=True)
        return Status.DONE
    # A display and a sound card are not needed, and nobody's matches are touched.
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = folder
        reports = tuple(_reports())
        with Progress(len(reports), "figures") as progress:
            for number, report in enumerate(reports):
                progress.tell(number)
                text = report()
                progress.clear()
                print(text, flush=True)
    return Status.DONE


def _reports() -> Iterator[Callable[[], str]]:
    yield _latency
    for game, board in games_on_boards():
        yield partial(_whole_games, game, board)
    yield from (_wrong_board, _redraw, _start_and_memory, _idle)


def _latency() -> str:
    """From an edge that is debounced to a view that can be drawn, in one process."""
    times = _edge_times(load_board("nannon-6"), EDGES)
    return _line("debounced edge to view", times, "99 % under 1 ms")


def _whole_games(game: str, board: str) -> str:
    """Every event of random games, presses and rolls included."""
    what = f"event to view, {game} on {board}"
    try:
        return _line(what, event_times(game, board, TURNS), "under 5 ms")
    except StuckError as error:
        return f"{what}: not measured, {error}"


def _wrong_board() -> str:
    """A view while the board is wrong, early and late in a game of Cannon."""
    early, late = wrong_view_costs(WRONG_AFTER, _shortest)
    turns = " and ".join(map(str, WRONG_AFTER))
    return (
        f"view of a wrong board, cannon after {turns} turns: {early:.3f} and {late:.3f} ms"
        " (aim: the same)"
    )


def _shortest(show: Callable[[], View]) -> float:
    """In ms, the least of some tries: what others do on this machine does not count."""
    times = []
    for _ in range(WRONG_TRIES):
        began = time.perf_counter()
        show()
        times.append((time.perf_counter() - began) * 1000)
    return min(times)


def _edge_times(board: Board, edges: int) -> list[float]:
    """In ms, for hands that lift, slide, wait, drop wrongly and put back."""
    session, now, times = _moving(board), ms(1000), []
    for number in range(edges):
        sensor = ("2", "4", "4", "3", "3", "2")[number % 6]
        session.handle(SensorEdge(now, Sensor(sensor), number % 2 == 1))
        began = time.perf_counter()
        steady = Us(now + ms(5))
        session.advance(steady)
        if session.view.us != steady:
            raise RuntimeError(f"the view is of {session.view.us} µs, not of {steady} µs")
        times.append((time.perf_counter() - began) * 1000)
        now = Us(now + ms((20, 200, 2000)[number % 3]))
    return times


def _moving(board: Board) -> Session:
    """A match in which White is to move."""
    start = Start(Us(0), "nannon", board.name, None, ("Ada", "Ben"), {})
    session = Session(board, start, None, Dice())
    for event in _until_moving():
        session.handle(event)
    return session


def _until_moving() -> Iterator[Event]:
    yield Tap(Us(1), Intent.BOARD_IS_RIGHT, position="1ww..bb1 w")
    yield Picture(Us(2), frozenset(map(Sensor, "1256")))
    yield Rolled(Us(3), Roll.of(2), Side.WHITE, RollSource.TYPED)


def _redraw() -> str:
    """Composing and painting a whole picture that differs from the one before."""
    board = load_board("nannon-6")
    view = _moving(board).view
    window = Window(SIZE)
    times = []
    for number in range(DRAWINGS):
        shown = Shown(board, _another(view, number))
        began = time.perf_counter()
        picture = compose(shown, Ui(page=Page.PLAY), SIZE, window.fonts.measure, ms(number * 1000))
        window.draw(picture.shapes)
        times.append((time.perf_counter() - began) * 1000)
    window.close()
    return _line(f"redraw at {SIZE[0]} × {SIZE[1]}", times, "under 8 ms")


def _another(view: View, number: int) -> View:
    return replace(view, message=f"White plays for the {number}th time")


def _start_and_memory() -> str:
    """The whole program on the simulated board, up to its first picture."""
    times, sizes = [], []
    for _ in range(STARTS):
        began = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-m", "pi_app", "--sim", "--once"])
        _, status, usage = os.wait4(process.pid, 0)
        times.append((time.perf_counter() - began) * 1000)
        sizes.append(usage.ru_maxrss / 1024)
        if status:
            return f"start to first picture: it ended with status {status}"
    return (
        f"{_line('start to first picture, and out', times, 'under 1500 ms')}\n"
        f"memory at the first picture: {statistics.median(sizes):.0f} MB (aim: under 120 MB)"
    )


def _idle() -> str:
    """The processor time of a program that nobody touches."""
    process = subprocess.Popen([sys.executable, "-m", "pi_app", "--sim"])
    try:
        time.sleep(2.0)
        before = _cpu_s(process.pid)
        time.sleep(IDLE_S)
        share = (_cpu_s(process.pid) - before) / IDLE_S
    finally:
        process.terminate()
        process.wait()
    return f"idle: {share:.1%} of a core (aim: below 2 %)"


def _cpu_s(pid: int) -> float:
    """User and system time of a process so far, from the kernel's own count."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    fields = stat.rsplit(")", maxsplit=1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _line(what: str, times: list[float], aim: str) -> str:
    ordered = sorted(times)
    most = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"{what}: median {statistics.median(ordered):.3f} ms, 99 % {most:.3f} ms, "
        f"worst {ordered[-1]:.3f} ms (aim: {aim})"
    )
