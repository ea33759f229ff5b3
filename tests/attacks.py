"""Attacks, each some thousand times: on files, events, journals and the screen.

Everything may be refused; what ends in a traceback, or takes as long as one, is a finding.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources
from io import StringIO
from multiprocessing import active_children
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType, SimpleNamespace

from far_attacks import FAR_ATTACKS
from findings import Findings
from journal_damage import damage_in
from known import BOARDS, FACES, GAMES, judge_again, load_board
from nasty import mutated

from pi_app.__main__ import main
from pi_app.app import App
from pi_app.boards import board_names
from pi_app.cli.plays import answer
from pi_app.cli.progress import Progress
from pi_app.cli.replay import step
from pi_app.devices.dice import Dice
from pi_app.journal.opening import FILE, Opened, open_journal
from pi_app.journal.store import MEMORY, Journal
from pi_app.microseconds import Us, ms
from pi_app.outfit import Devices
from pi_app.referee.events import Event, Picture, SensorEdge, Start
from pi_app.referee.lines import read_event
from pi_app.referee.referee import Referee
from pi_app.rules.terms import Side
from pi_app.screen.compose import FingerDown, KeyPress
from pi_app.screen.paint import Input
from pi_app.screen.shapes import Shape
from pi_app.screen.theme import Theme
from pi_app.sensing.description import Board, read_board
from pi_app.session import Session
from pi_app.settings import Settings, read_settings, write_settings
from pi_app.simulator.faults import DEFAULT, NONE
from pi_app.simulator.figures import Figures
from pi_app.simulator.table import Plan, Table
from pi_app.touchscreen import ScreenFront

SIZE = (800, 480)
QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where settings are saved a thousand times without a disk that waits for each."""
KEYS = ("space", "return", "escape", "backspace", "f11", "hold d")


@dataclass(frozen=True)
class Attack:
    """So many attempts in all, of which a process makes `share` at a time."""

    total: int
    share: int
    run: Callable[[str, int], Findings]


# Files


@cache
def files() -> tuple[str, ...]:
    """The settings, and every board that travels with Spotter."""
    folder = resources.files("pi_app.boards")
    boards = ((folder / f"{name}.toml").read_text(encoding="utf-8") for name in board_names())
    return (write_settings(Settings()), *boards)


def toml(seed: str, number: int) -> Findings:
    """Settings and boards, damaged."""
    chance, findings = random.Random(f"toml {seed}"), Findings()
    for _ in range(number):
        place = chance.randrange(len(files()))
        text = mutated(files()[place], chance)
        read = partial(read_board, games=GAMES) if place else read_settings
        findings.attempt(partial(read, "x.toml", text), text)
    return findings


# Events


@cache
def played(game: str) -> tuple[str, ...]:
    """The events of a real match, as lines."""
    board = load_board(BOARDS[game])
    table = Table(Plan(board, BOARDS[game], game, 1, NONE), "played", Figures())
    table.play()
    return table.events


def events(game: str, seed: str, number: int) -> Findings:
    """A match whose lines are damaged, or come in another order."""
    chance, findings = random.Random(f"{game} {seed}"), Findings()
    start, *lines = played(game)
    place = len(lines)
    referee = None
    for _ in range(number):
        if referee is None or place >= len(lines) - 1 or chance.random() < 0.001:
            referee, place = (
                step(GAMES, None, read_event(start)),
                chance.randrange(max(1, len(lines) // 2)),
            )
        place += 1
        line = lines[place]
        if chance.random() < 0.3:
            line = mutated(chance.choice(lines), chance)
        findings.attempt(replayed(referee, line), line)
    return findings


def questions(game: str, seed: str, number: int) -> Findings:
    """Beginnings of matches, and positions with rolls, damaged."""
    chance, findings = random.Random(f"{game} {seed}"), Findings()
    start, *_ = played(game)
    position = GAMES[game].write_position(GAMES[game].start(Side.WHITE))
    question = json.dumps({"game": game, "position": position, "roll": "31"[: GAMES[game].dice]})
    for _ in range(number // 2):
        begun, asked = mutated(start, chance), mutated(question, chance)
        raw = asked.encode("utf-8", "surrogatepass")
        findings.attempt(partial(referee_from, begun), begun)
        findings.attempt(partial(answer, GAMES[game], raw), asked)
    return findings


def referee_from(line: str) -> Referee:
    return step(GAMES, None, read_event(line))


def replayed(referee: Referee, line: str) -> Callable[[], object]:
    """Hands the line to the referee, now: what is long ago would only be refused."""

    def hear() -> None:
        event = read_event(line)
        referee.handle(replace(event, us=max(event.us, referee.view.us)) if near(event) else event)

    def near(event: Event) -> bool:
        return event.us < referee.view.us + ms(10_000)

    return hear


# Journals


@cache
def kept() -> tuple[tuple[str, bytes], ...]:
    """The files of a journal with a match that is over and one that was left, still open."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        opened = open_journal(folder, judge_again)
        board = load_board("nannon-6")
        Table(Plan(board, board.name, "nannon", 1, DEFAULT), "1", Figures(), opened.journal).play()
        start, *lines = map(read_event, played("nannon"))
        assert isinstance(start, Start)
        opened.journal.begin(start, "2026-03-01T20:15:00+01:00")
        left = Session(board, start, opened.journal, Dice(), frozenset(Side))
        for event in lines[: len(lines) // 2]:
            left.handle(event)
        files = tuple((file.name, file.read_bytes()) for file in folder.iterdir())
        opened.close()
    return files


def journals(seed: str, number: int) -> Findings:
    """A journal damaged in one way or another; Spotter starts, lists and exports."""
    chance, findings = random.Random(f"journals {seed}"), Findings()
    for _ in range(number):
        with tempfile.TemporaryDirectory(prefix="spotter-attack-") as name:
            folder = Path(name) / "spotter"
            folder.mkdir()
            for file, data in kept():
                if file != "spotter.lock":
                    (folder / file).write_bytes(data)
            damage = chance.choices((damage_in, gone, odd), (9, 1, 1))[0]
            damage(folder, chance)
            os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = name
            os.environ["XDG_STATE_HOME"] = name
            findings.attempt(partial_run(folder, chance), damage.__name__)
    return findings


def partial_run(folder: Path, chance: random.Random) -> Callable[[], None]:
    """The commands that read a journal, and the program that resumes from it."""

    def run() -> None:
        for words in (["matches"], ["export", "1"], ["export", "2"], ["export", "2", "--events"]):
            said = StringIO()
            with redirect_stdout(StringIO()), redirect_stderr(said):
                status = main(words)
            if status not in (0, 1, 2) or "should not happen" in said.getvalue():
                raise RuntimeError(f"{words} ended with {status}: {said.getvalue()}")
        opened = open_journal(folder, judge_again)
        Monkey(load_board("nannon-6"), opened, chance).goes_on(5)
        opened.close()
        open_journal(folder, judge_again).close()

    return run


def gone(folder: Path, chance: random.Random) -> None:
    """Rows, a table, or a file are not there."""
    if chance.random() < 0.3:
        chance.choice(list(folder.iterdir())).unlink()
        return
    db = sqlite3.connect(folder / FILE, isolation_level=None)
    with suppress(sqlite3.Error):
        tables = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        table = chance.choice(tables)
        db.execute(chance.choice((f"DROP TABLE {table}", f"DELETE FROM {table}")))
    db.close()


def odd(folder: Path, chance: random.Random) -> None:
    """Something else has the journal's name."""
    for file in folder.iterdir():
        file.unlink()
    file = folder / FILE
    chance.choice(
        (
            file.mkdir,
            lambda: os.mkfifo(file),
            lambda: file.symlink_to("/dev/zero"),
            lambda: file.symlink_to(folder / "nowhere"),
            lambda: file.write_bytes(chance.randbytes(8192)),
            lambda: file.write_text("journal\n" * 999, encoding="utf-8"),
            file.touch,
        )
    )()


# The screen


class Fingers:
    """A window that is touched everywhere."""

    def __init__(self, chance: random.Random) -> None:
        self.size = SIZE
        self.fonts = SimpleNamespace(measure=lambda text, size, bold: (len(text) * size // 2, size))
        self.typing = False
        self.touches = 0
        self._chance = chance

    def draw(self, shapes: Iterable[Shape], theme: Theme = Theme.DARK) -> None:
        """Nothing is painted; the shapes are made all the same."""
        for _ in shapes:
            pass

    def poll(self, now: float) -> tuple[Input, ...]:
        """Some touches before the next picture, now and then a key."""
        return tuple(self._inputs())

    def _inputs(self) -> Iterator[Input]:
        for _ in range(self._chance.choice((1, 2, 3, 20))):
            self.touches += 1
            if self._chance.random() < 0.03:
                yield KeyPress(
                    self._chance.choice(KEYS), self._chance.choice(("", "x", "\x00", "ß"))
                )
            else:
                yield FingerDown(self._chance.randrange(SIZE[0]), self._chance.randrange(SIZE[1]))

    def set_fullscreen(self, fullscreen: bool) -> None:
        """It has one size."""

    def close(self) -> None:
        """Nothing was opened."""


class Crowd:
    """A board on which the checkers stand as the screen says, now and then one elsewhere."""

    due = None

    def __init__(self) -> None:
        self.closed: frozenset[str] = frozenset()
        self.now = Us(0)

    def picture(self) -> Picture:
        """All sensors."""
        return Picture(self.now, self.closed)  # type: ignore[arg-type]

    def status(self) -> tuple[str, ...]:
        """All is well."""
        return ()

    def lights(self, lit: object, blinking: object) -> None:
        """There are none."""

    def beep(self, cue: object) -> None:
        """It is silent."""

    def advance(self, us: Us) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing was opened."""


class Monkey:
    """The program, touched by chance."""

    def __init__(
        self,
        board: Board,
        opened: Opened,
        chance: random.Random,
        fingers: Fingers | None = None,
    ) -> None:
        self.fingers, self.checkers = fingers or Fingers(chance), Crowd()
        self.front = ScreenFront(self.fingers)  # type: ignore[arg-type]
        self._board, self._chance = board, chance
        self._queue = SimpleQueue[Event]()
        self._views: list = []  # type: ignore[type-arg]
        speaker = SimpleNamespace(
            on=True,
            play=lambda cue: None,
            set_volume=lambda share: None,
            close=lambda: None,
        )
        devices = Devices(
            self.checkers,
            self.front,
            speaker,  # type: ignore[arg-type]
            None,
            Dice(random.Random(chance.random())),
            self._views.append,
        )
        self._app = App(
            board,
            board.name,
            FACES,
            Settings(),
            opened,
            lambda: self.checkers.now,
            self._queue,
            devices,
        )

    def goes_on(self, touches: int) -> None:
        """So many touches."""
        end = self.fingers.touches + touches
        while self.fingers.touches < end:
            passed = ms(self._chance.choice((20, 200, 2500)))
            self.checkers.now = Us(self.checkers.now + passed)
            if self._chance.random() < 0.1:
                self._hands()
            self._app.step()
            del self._views[:-1]

    def _hands(self) -> None:
        sensors = self._board.sensors
        if self._views and self._chance.random() < 0.8:
            self.checkers.closed = self._board.closed_by(self._views[-1].accepted)
        sensor = self._chance.choice(sensors)
        self.checkers.closed ^= {sensor}
        self._queue.put(SensorEdge(self.checkers.now, sensor, sensor in self.checkers.closed))


def touches(seed: str, number: int) -> Findings:
    """Touches and keys, blindly."""
    chance, findings = random.Random(f"touches {seed}"), Findings()
    with tempfile.TemporaryDirectory(prefix="spotter-attack-", dir=QUICK) as name:
        os.environ["XDG_CONFIG_HOME"] = name
        board = load_board(chance.choice(board_names()))
        monkey = Monkey(board, Opened(Journal(MEMORY, judge_again), (), None), chance)
        findings.attempt(lambda: monkey.goes_on(number), f"touches {seed} on {board.name}")
    findings.done = monkey.fingers.touches
    return findings


ATTACKS: Mapping[str, Attack] = MappingProxyType(
    {
        "files": Attack(10_000, 250, toml),
        **{f"lines of {game}": Attack(20_000, 1000, partial(events, game)) for game in GAMES},
        **{f"questions on {game}": Attack(2_000, 500, partial(questions, game)) for game in GAMES},
        "journals": Attack(800, 20, journals),
        "touches": Attack(1_000_000, 5000, touches),
        **{name: Attack(*attack) for name, attack in FAR_ATTACKS.items()},
    }
)


def attack(seed: str, seconds: float) -> Mapping[str, Findings]:
    """Every attack in full, in all processors, until it is done or the time is over."""
    shares = [
        (name, one.run, f"{seed} {place}", min(one.share, one.total - place))
        for name, one in ATTACKS.items()
        for place in range(0, one.total, one.share)
    ]
    # The kinds are mixed, so that what time forbids is a part of each.
    random.Random(seed).shuffle(shares)
    found = {name: Findings() for name in ATTACKS}
    with ProcessPoolExecutor() as pool, Progress(len(shares), "shares") as progress:
        running = {pool.submit(run, begin, number): name for name, run, begin, number in shares}
        try:
            for count, done in enumerate(as_completed(running, timeout=seconds), start=1):
                findings = done.result()
                found[running[done]].done += findings.done
                found[running[done]].tracebacks += findings.tracebacks
                found[running[done]].growths += findings.growths
                progress.tell(count)
        except TimeoutError:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():  # one that hangs would not end by itself
                child.kill()
    return found


def report(found: Mapping[str, Findings]) -> int:
    """Print what was found; 0 if everything was done and nothing was."""
    for name, findings in found.items():
        told = f"{len(findings.tracebacks)} tracebacks, {len(findings.growths)} growths"
        print(f"{name:<24} {findings.done:>9} of {ATTACKS[name].total:>9}, {told}")
        for found_ in (*findings.tracebacks[:3], *findings.growths[:3]):
            print(f"\n{found_}")
    whole = all(findings.done >= ATTACKS[name].total for name, findings in found.items())
    wrong = any(findings.tracebacks or findings.growths for findings in found.values())
    return 0 if whole and not wrong else 1


if __name__ == "__main__":
    sys.exit(report(attack(sys.argv[1] if len(sys.argv) > 1 else "1", seconds=570)))
