"""Attacks, each some thousand times: on files, events, journals and the screen.

Everything may be refused; what ends in a traceback, or takes as long as one, is a finding.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AsyncExitStack, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources
from io import StringIO
from multiprocessing import active_children
from pathlib import Path
from urllib.parse import quote

from attack_findings import Findings, TooLongError
from club_night import told_match
from far_attacks import FAR_ATTACKS
from journal_damage import damage_in
from known import BOARDS, GAMES, load_board
from lab.figures import Figures
from lab.match_by_hands import MatchByHands, Plan
from monkeys import Monkey
from nasty import mutated
from open_wall import KEY, OpenWall, open_wall

from pi_app.__main__ import main
from pi_app.app.session import Session
from pi_app.base.microseconds import ms
from pi_app.boards import board_names
from pi_app.cli.ending import Progress
from pi_app.cli.replay import step
from pi_app.cli.rules import answer
from pi_app.devices.dice import Dice
from pi_app.journal.opening import FILE, open_journal
from pi_app.referee.events import Event, Start
from pi_app.referee.lines import read_event
from pi_app.referee.referee import Referee
from pi_app.rules.terms import Side
from pi_app.sensing.description import read_board
from pi_app.simulator.reeds import DEFAULT, NONE
from pi_app.user.settings import Settings, read_settings, write_settings

QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A folder in memory, for a thousand saves without waiting for a disk."""
LINES_EACH = 8
"""A match is as long as so many of its lines for each attempt: a few attempts need no whole one."""
MOST_TOUCHES = 2500
"""On one journal: the longer it is the longer some of what is touched takes."""


@dataclass(frozen=True)
class Attack:
    """The number of attempts; each process makes `share` at a time."""

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
def played(game: str, most: int | None = None) -> tuple[str, ...]:
    """The events of a real match, all or the first, as lines."""
    board = load_board(BOARDS[game])
    table = MatchByHands(Plan(board, BOARDS[game], game, 1, NONE), "played", Figures())
    table.play(most)
    return table.events


def events(game: str, seed: str, number: int) -> Findings:
    """A match whose lines are damaged, or come in another order."""
    chance, findings = random.Random(f"{game} {seed}"), Findings()
    start, *lines = played(game, LINES_EACH * number)
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
    start, *_ = played(game, 1)
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
        opened = open_journal(folder)
        board = load_board("nannon-6")
        MatchByHands(
            Plan(board, board.name, "nannon", 1, DEFAULT), "1", Figures(), opened.journal
        ).play()
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
        opened = open_journal(folder)
        Monkey(load_board("nannon-6"), opened, chance).goes_on(5)
        opened.close()
        open_journal(folder).close()

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


def touches(seed: str, number: int) -> Findings:
    """Touches and keys on every page of every game, with machine opponents and another board."""
    chance, findings = random.Random(f"touches {seed}"), Findings()
    while findings.done < number:
        at = findings.done
        with tempfile.TemporaryDirectory(prefix="spotter-attack-", dir=QUICK) as name:
            os.environ["XDG_CONFIG_HOME"] = name
            opened = open_journal(Path(name) / "spotter")
            monkey = Monkey(load_board(chance.choice(board_names())), opened, chance)
            try:
                monkey.goes_on(min(number - at, MOST_TOUCHES))
            except (Exception, TooLongError):
                told = f"touches {seed}, {monkey.fingers.touches} after {at}, in {monkey.place}"
                findings.tracebacks.append(f"{told}\n{traceback.format_exc()}")
            findings.done += max(1, monkey.fingers.touches)
            monkey.close()
            opened.close()
    return findings


# Requests at the wall

WALL_PATHS = (
    "/",
    "/standings",
    "/board/table-1",
    "/board/table-1/replay/1@2026-11-23T19:30:00+00:00",
    "/page/wall.css",
    "/colours.css",
    "/picture/0123456789abcdef01234567/dark/en",
    "/matches/table-1",
    "/steps/table-1/1@2026-11-23T19:30:00+00:00?lang=de",
    "/standings.json",
    f"/operator/{KEY}",
    "/events?board=table-1&first=1&count=2&lang=de",
)
WALL_REQUEST = (
    "{method} {path} HTTP/1.1\r\nHost: wall\r\nConnection: close\r\n"
    "Accept-Language: de, en;q=0.5\r\nAccept-Encoding: gzip\r\nCookie: a=b\r\n"
    "Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
)
WALL_BODIES = (
    ("application/x-www-form-urlencoded", "delay=30&warnings=on"),
    (
        "multipart/form-data; boundary=x",
        '--x\r\nContent-Disposition: form-data; name="delay"\r\n\r\n30\r\n--x--\r\n',
    ),
)


def wall_requests(seed: str, number: int) -> Findings:
    """Requests, damaged: none is an error of the server's, and none leaves anything behind."""
    chance, findings = random.Random(f"wall {seed}"), Findings()
    match = told_match("table-1", "nannon")

    async def ask(wall: OpenWall, request: str) -> None:
        port = int(wall.url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request.encode("utf-8", "surrogatepass"))
        told = b""
        with suppress(ConnectionError):
            while (more := await reader.read(1 << 16)) and b"event-stream" not in told:
                told += more
        writer.close()
        assert told[9:12] != b"500", told[:500]

    async def all_have_gone(wall: OpenWall) -> None:
        while wall.door.connections or len(wall.lookout):
            wall.lookout.tell_all()
            await asyncio.sleep(0.01)

    with asyncio.Runner() as runner:
        serving = AsyncExitStack()
        quick = open_wall(idle_s=0.05, asking_s=0.05)
        wall = runner.run(serving.enter_async_context(quick))
        wall.kept(match)
        wall.hear(match.summary(20))
        for _ in range(number):
            request = _wall_request(chance)
            findings.attempt(partial(runner.run, ask(wall, request)), repr(request))
        findings.attempt(partial(runner.run, all_have_gone(wall)), "all have gone")
        runner.run(serving.aclose())
    return findings


def _wall_request(chance: random.Random) -> str:
    method = chance.choice(("GET", "GET", "GET", "POST", "HEAD", "PUT", "OPTIONS"))
    kind, body = chance.choice(WALL_BODIES)
    path = chance.choice(WALL_PATHS)
    if chance.random() < 0.5:
        path = quote(mutated(path, chance).encode("utf-8", "replace"), safe="/?=&%:@+")
    body = mutated(body, chance) if chance.random() < 0.5 else body
    body = body if method == "POST" else ""
    length = max(0, len(body.encode("utf-8", "surrogatepass")) - chance.choice((0, 0, 0, 1)))
    values = {"method": method, "path": path, "kind": kind, "length": length, "body": body}
    request = WALL_REQUEST.format(**values)
    return mutated(request, chance) if chance.random() < 0.3 else request


ATTACKS: Mapping[str, Attack] = {
    "files": Attack(10_000, 250, toml),
    **{f"lines of {game}": Attack(20_000, 1000, partial(events, game)) for game in GAMES},
    **{f"questions on {game}": Attack(2_000, 500, partial(questions, game)) for game in GAMES},
    "journals": Attack(800, 20, journals),
    "requests at the wall": Attack(10_000, 500, wall_requests),
    "touches": Attack(1_000_000, 5000, touches),
    **{name: Attack(*attack) for name, attack in FAR_ATTACKS.items()},
}


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
