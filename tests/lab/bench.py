"""`tests/lab/run bench`: how fast this machine shows what the hands do.  A report, not a test."""

from __future__ import annotations

import gc
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from pygame.surface import Surface

from lab import PROGRAM
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from pi_app.app.session import Session
from pi_app.base.errors import GivenError
from pi_app.base.files import read_text, why
from pi_app.base.microseconds import Us, ms
from pi_app.boards import board_names, load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Progress, Status
from pi_app.devices.dice import Dice
from pi_app.games.equipment import Compendium, Equipment
from pi_app.match.acts import Act
from pi_app.players.contract import Question, Situation
from pi_app.players.process import Reply, call_process
from pi_app.referee.events import (
    Button,
    Event,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.lines import read_event
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame, Games
from pi_app.rules.terms import Move, Roll, Side, Spot, read_roll
from pi_app.screen.compose import compose
from pi_app.screen.pages.play import GLIDE
from pi_app.screen.paint import Fonts, Painter, Window
from pi_app.screen.ui import TUMBLE, Page, Shown, Ui, see
from pi_app.sensing.description import Board, Sensor
from pi_app.simulator.reeds import NONE

SIZE = (800, 480)
DISPLAYS = (SIZE, (1280, 720), (1920, 1080), (2560, 1440))
EDGES = 4000
MATCH_TO = 3
WRONG_AFTER = (5, 200)
WRONG_TRIES = 20
DRAWINGS = 200
SMALL, LARGE = "nannon-6", "cannon-10"
"""The boards with the fewest and the most spots."""
MOVING = "tables-24"
"""The board whose dice roll and whose checkers glide."""
THROWS = 5
IDLE_S = 4.0
STARTS = 5
CASES = Path("tests/cases")


def run(argv: list[str], games: Compendium) -> int:
    parser = Parser(
        "bench", "Measure how fast this machine shows what the hands do.", program=PROGRAM
    )
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
        for told in rules_report(games.rules.values(), folder):
            print(told, flush=True)
        return Status.DONE
    # A display and a sound card are not needed, and nobody's matches are touched.
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    gc.freeze()  # as the program does
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = folder
        reports = tuple(_reports(games))
        with Progress(len(reports), "figures") as progress:
            for number, report in enumerate(reports):
                progress.tell(number)
                text = report()
                progress.clear()
                print(text, flush=True)
    return Status.DONE


def games_on_boards(games: Games) -> Iterator[tuple[str, Board]]:
    for name in board_names():
        board = load_board(name, games)
        yield from ((game, board) for game in board.games)


def _reports(games: Compendium) -> Iterator[Callable[[], str]]:
    small = load_board(SMALL, games.rules)
    yield partial(_latency, small)
    yield partial(_latency_while_thinking, small, games)
    for game, board in games_on_boards(games.rules):
        yield partial(_whole_games, game, board)
    yield partial(_wrong_board, load_board(LARGE, games.rules))
    for equipment in games.games:
        yield partial(_redraw, equipment, games)
    yield partial(_moving_pictures, load_board(MOVING, games.rules), games)
    yield from (_start_and_memory, _idle)


def _latency(board: Board) -> str:
    """From an edge that is debounced to a view that can be drawn, in one process."""
    times = edge_times(board, EDGES)
    return line("debounced edge to view", times, "99 % under 1 ms")


def _latency_while_thinking(board: Board, games: Compendium) -> str:
    """The same while a player thinks without a pause, in its process, and each answer is read."""
    game = max(games.rules.values(), key=lambda game: game.dice * game.checkers_a_side)
    start = Situation(game.start(Side.WHITE))
    numbers = count(2)

    def again(_: Reply) -> None:
        player.ask(next(numbers), Question(start, Roll.of(1, 1)))

    name = games.players[game.name][0]
    player = call_process(game, name, again)
    try:
        player.ask(1, Question(start, Roll.of(1, 1)))
        times = edge_times(board, EDGES)
    finally:
        player.close()
    what = f"debounced edge to view while {name} thinks about {game.title}"
    return line(f"{what}, {next(numbers) - 2} answers", times, "99 % under 1 ms")


def edge_times(board: Board, edges: int) -> list[float]:
    """In ms, for hands that lift, slide, wait, drop wrongly and put back."""
    session, now, times = _moving(board, board.games.first), ms(1000), []
    for number in range(edges):
        sensor = ("2", "4", "4", "3", "3", "2")[number % 6]
        session.handle(SensorEdge(now, Sensor(sensor), number % 2 == 1))
        times.append(spent(partial(_show, session, ms(now / 1000 + 5))))
        now = Us(now + ms((20, 200, 2000)[number % 3]))
    return times


def _show(session: Session, us: Us) -> View:
    session.handle(Tick(us))
    if session.view.us != us:
        raise RuntimeError(f"the view is of {session.view.us} µs, not of {us} µs")
    return session.view


def _whole_games(game: str, board: Board) -> str:
    """Every event of a match of simulated hands, presses and rolls included."""
    what = f"event to view, {game} on {board.name}"
    table = MatchByHands(Plan(board, board.name, game, MATCH_TO, NONE), "bench", Figures())
    table.play()
    amiss = [one.text for one in table.incidents if one.what is not Count.NEEDLESS]
    if amiss:
        return f"{what}: not measured, {amiss[0]}"
    return line(what, event_times(board, table.events), "under 5 ms")


def event_times(board: Board, lines: Iterable[str]) -> list[float]:
    """For each event of a replayed match, the slowest view until then, in ms. Changes by time alone
    count as views of their own, as in the program."""
    start, *events = map(read_event, lines)
    assert isinstance(start, Start)
    start = replace(start, options={**start.options, "debounce_ms": 0})
    session = Session(board, start, None, Dice(), frozenset(Side))
    return [max(map(spent, _views(session, event))) for event in events]


def _views(session: Session, event: Event) -> Iterator[Callable[[], View]]:
    """Computes each view up to that of an event; call it before asking for the next."""
    while (due := session.due) is not None and due < event.us:
        yield partial(_show, session, due)

    def told() -> View:
        session.handle(event)
        return _show(session, event.us)

    yield told


def _wrong_board(board: Board) -> str:
    """A view while the board is wrong, early and late in its game."""
    early, late = (least(show, WRONG_TRIES) for show in wrong_boards(board, WRONG_AFTER))
    turns = " and ".join(map(str, WRONG_AFTER))
    what = f"view of a wrong board, {board.games.first.name} after {turns} turns"
    return f"{what}: {early:.3f} and {late:.3f} ms (aim: the same)"


def wrong_boards(board: Board, turns: Collection[int]) -> Iterator[Callable[[], View]]:
    """Random seeds whose game shows a wrong board after this many turns, ascending. The players
    never take while another play exists, so that the game lasts."""
    game = board.games.first
    start = Start(Us(0), game.name, board.name, None, ("Ada", "Ben"))
    session = Session(board, start, None, Dice())
    chance, times = random.Random(1), count(1)

    def later() -> Us:
        return ms(next(times) * 2000)

    def shows(closed: frozenset[Sensor]) -> View:
        session.handle(Picture(later(), closed))
        return _show(session, later())

    right = board.closed_by(session.view.accepted)
    shows(right)
    for turn in range(1, max(turns) + 1):
        view = session.view
        position = game.read_position(view.position)
        quiet = [play for play in view.legal if "x" not in play]
        play = game.read_play(position, chance.choice(quiet or view.legal))
        right = board.closed_by(game.checkers_at(game.after(position, play)))
        shows(right)
        session.handle(Button(later(), Press.SHORT))
        if turn in turns:
            shows(right | {*[sensor for sensor in board.sensors if sensor not in right][:2]})
            yield partial(_show, session, later())
            shows(right)


def _moving(board: Board, game: AnyGame) -> Session:
    """A match in which White is to move."""
    start = Start(Us(0), game.name, board.name, None, ("Ada", "Ben"), {})
    session = Session(board, start, None, Dice())
    position = game.start(Side.WHITE)
    session.handle(Tap(Us(1), Act.CORRECT, position=game.write_position(position)))
    session.handle(Picture(Us(2), board.closed_by(game.checkers_at(position))))
    if game.dice:
        roll = Roll.of(*(6, 4)[: game.dice])
        session.handle(Rolled(Us(3), roll, Side.WHITE, RollSource.TYPED))
    return session


def _redraw(equipment: Equipment, games: Compendium) -> str:
    """Composing and painting a whole picture that differs from the one before."""
    name = equipment.rules.name
    board = load_board(equipment.board, games.rules)
    view = _moving(board, equipment.rules).view
    window = Window(SIZE)

    def draw(number: int) -> None:
        changed = replace(view, message=f"White plays for the {number}th time")
        shown = Shown(board, games.faces, changed)
        picture = compose(shown, Ui(Page.PLAY), SIZE, window.fonts.measure, ms(number * 1000))
        window.draw(picture.shapes)

    times = [spent(partial(draw, number)) for number in range(DRAWINGS)]
    window.close()
    return line(f"redraw of {name} at {SIZE[0]} × {SIZE[1]}", times, "under 8 ms")


def _moving_pictures(board: Board, games: Compendium) -> str:
    """Composing and painting while dice roll and then checkers glide, on displays of many sizes."""
    moving = Moving(replace(_moving(board, board.games.first).view, to_make=GLIDES), board, games)
    usual, *others = (statistics.median(times) for times in moving.times(DISPLAYS, THROWS))
    told = [f"a moving picture at {SIZE[0]} × {SIZE[1]}: median {usual:.3f} ms"]
    told += [
        f"{width} × {height}: {took:.3f} ms, {took / usual:.2f} times"
        for (width, height), took in zip(DISPLAYS[1:], others, strict=True)
    ]
    return "; ".join(told) + " (aim: under 1.5 times)"


GLIDES = (Move(Spot.read("24"), Spot.read("18")), Move(Spot.read("13"), Spot.read("9")))


class Moving:
    """The pictures of a roll and of the machine's play after it."""

    def __init__(self, view: View, board: Board, games: Compendium) -> None:
        self._fonts = Fonts()
        self._shown = Shown(board, games.faces, view)
        self._ui = see(Ui(Page.PLAY), view, ms(1000))

    def times(self, sizes: Collection[tuple[int, int]], throws: int) -> list[list[float]]:
        """For each size, in ms, what each picture took; the sizes take turns, throw by throw.

        The first throw is not counted: it paints the whole board. No two throws have the same
        moments, so that no picture of one is found again in another.
        """
        painters = [(Painter(self._fonts), Surface(size)) for size in sizes]
        taken = [list[float]() for _ in sizes]
        for throw in range(throws + 1):
            for times, painter in zip(taken, painters, strict=True):
                moments = range(3 * throw, LASTS_MS, 16)
                spent_on = [spent(partial(self._paint, *painter, at)) for at in moments]
                times.extend(spent_on if throw else ())
        return taken

    def _paint(self, painter: Painter, surface: Surface, at: int) -> None:
        size, now = surface.get_size(), ms(1000 + at)
        picture = compose(self._shown, self._ui, size, self._fonts.measure, now)
        if not picture.moving:
            raise RuntimeError(f"nothing moves {at} ms after the roll")
        painter.paint(surface, picture.shapes)


LASTS_MS = (TUMBLE + GLIDE * len(GLIDES)) // 1000


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
            return f"start to first picture: it exited with status {status}"
    return (
        f"{line('start to first picture, and out', times, 'under 1500 ms')}\n"
        f"memory at the first picture: {statistics.median(sizes):.0f} MB (aim: under 120 MB)"
    )


def _idle() -> str:
    """The processor time of an idle program."""
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


ROUNDS = 3
MOST_BYTES = 16 * 1024 * 1024


class CasesError(GivenError):
    """An invalid case file; the message names the line and the reason."""


Case: TypeAlias = tuple[Any, Roll]
"""A position and the roll of its mover."""


def rules_report(games: Iterable[AnyGame], folder: Path) -> Iterator[str]:
    """A line a game: positions a second, and the slowest position; `folder` holds GAME.jsonl."""
    for game in games:
        path = folder / f"{game.name}.jsonl"
        try:
            cases = read_cases(game, path)
        except OSError as error:
            yield f"rules of {game.name}: {path} cannot be read ({why(error)}); name its folder"
            continue
        yield _line(game, cases)


def read_cases(game: AnyGame, path: Path) -> list[Case]:
    """The positions and rolls of a case file; raises OSError, and CasesError for a bad line."""
    cases = []
    try:
        lines = read_text(path, MOST_BYTES).splitlines()
        for line in lines:
            text = json.loads(line)
            position = game.read_position(str(text["position"]))
            cases.append((position, read_roll(str(text["roll"]), game.dice)))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CasesError(f"{path}, line {len(cases) + 1}: {error}") from error
    return cases


def positions_a_second(game: AnyGame, cases: list[Case]) -> float:
    """The best of some rounds over all cases."""
    best = least(lambda: [game.results(*case) for case in cases], ROUNDS)
    return 1000 * len(cases) / best


def slowest(game: AnyGame, cases: list[Case]) -> tuple[float, Case]:
    """The case that takes longest, in ms, each at its best of some rounds."""
    times = [least(partial(game.results, *case), ROUNDS) for case in cases]
    longest = max(times)
    return longest, cases[times.index(longest)]


def _line(game: AnyGame, cases: list[Case]) -> str:
    longest, (position, roll) = slowest(game, cases)
    where = f"{game.write_position(position)} {roll}".strip()
    return (
        f"rules of {game.name}: {positions_a_second(game, cases):.0f} positions a second with all "
        f"results, the slowest {longest:.2f} ms ({where})"
    )


# How the bench takes times: of this process alone, whatever else the machine does.


def spent(act: Callable[[], object]) -> float:
    """In ms, how long this keeps the processor."""
    began = time.process_time()
    act()
    return (time.process_time() - began) * 1000


def least(act: Callable[[], object], tries: int) -> float:
    """In ms, the shortest of some tries."""
    return min(spent(act) for _ in range(tries))


def line(what: str, times: Iterable[float], aim: str) -> str:
    """A summary of times in ms, with their target."""
    ordered = sorted(times)
    most = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"{what}: median {statistics.median(ordered):.3f} ms, 99 % {most:.3f} ms, "
        f"worst {ordered[-1]:.3f} ms (aim: {aim})"
    )
