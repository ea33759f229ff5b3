"""Every command line of every page works: it is run, or read by the parser that would read it.

Commands are found in blocks and in quoted code.  Words in capitals get real files and names, large
numbers small ones.  A block is one scenario: its lines run one after the other in one folder.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, redirect_stderr
from dataclasses import replace
from functools import cached_property
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from known import find_game
from lab.__main__ import COMMANDS as TOOLS
from lab.__main__ import main as lab
from pages import BLOCK, PROJECT, TEXTS
from table_talk import NannonTable
from test_setup import Checkout

from hardware.make.__main__ import _parser as hardware_parser
from pi_app.__main__ import main
from pi_app.cli.arguments import Parser
from pi_app.cli.main import COMMANDS
from pi_app.club.tournament.model import System, Tournament
from pi_app.club.tournament.pairing import paired
from pi_app.journal.store import Journal
from pi_app.match.turns import Phase
from pi_app.rules.terms import Side
from pi_app.seal.keys import SealingKey
from pi_app.seal.record import write_record
from pi_app.simulator.emulator import missing_tools

SCRIPTS = (
    r"\./pi_app/\w+|hardware/package/build|build/[\w/]+"
    r"|(?:\./)?tests/(?:run|lab/run|lock|attack|languages|kernel/build)"
)
OTHERS = r"git|cd|\.venv/bin/\w+|python3? -m|make|mosquitto|sudo apt|journalctl|touch"
PROGRAM = re.compile(rf"(?:THOROUGH=1 )?(?:spotter|{SCRIPTS}|{OTHERS})(?= |$)")


def blocks(text: str) -> Iterator[tuple[str, ...]]:
    """The commands of each block of code, without their explanations."""
    for block in BLOCK.findall(text):
        lines = [re.split(r" {2,}", line)[0].strip() for line in block.splitlines()]
        commands = tuple(line for line in lines if PROGRAM.match(line))
        if commands:
            yield commands


def quoted(text: str) -> Iterator[str]:
    """The commands in quoted code; a bare program name counts only if it is a script's path."""
    for code in re.findall(r"`([^`]+)`", BLOCK.sub("", text)):
        command = " ".join(code.split())
        if PROGRAM.match(command) and (" " in command or "/" in command):
            yield command


BLOCKS = sorted({block for text in TEXTS.values() for block in blocks(text)})
QUOTED = sorted(
    {command for text in TEXTS.values() for command in quoted(text)}
    - {command for block in BLOCKS for command in block}
)
"""Those of no block."""

CANNON = find_game("cannon")
SMALL: tuple[tuple[str, str], ...] = (
    (r"tournament ACTION FILE", "tournament show kept.tournament"),
    (r"verify FILE", "verify match-1.sealed"),
    (r"(replay|screenshot) FILE", r"\1 tests/scenarios/nannon-moving.jsonl"),
    (r"FILE …", "b.json"),
    (r"puzzles FILE", "puzzles made.jsonl"),
    (r"-o HTML", "-o made.html"),
    (r"-o PNG", "-o made.png"),
    (r"-o FILE", "-o made.sealed"),
    (r"export N", "export 3"),
    (r"POSITION", CANNON.write_position(CANNON.start(Side.WHITE))),
    (r"--game (portes|fevga) --board tables-24", "--game nannon --board nannon-6"),
    (r"--game (GAME|NAME)", "--game nannon"),
    (r"--board BOARD", "--board nannon-6"),
    (r"arena GAME --players NEW OLD", "arena nannon --players exact random --games 2"),
    (r"rules NAME", "rules nannon"),
    (r"--page NAME", "--page menu"),
    (r"help COMMAND", "help plays"),
    (r"COMMAND …", "settings"),
    (r"FOLDER", "club"),
    (r"--matches \d+", "--matches 1"),
    (r"--games \d+", "--games 2"),
)
"""Values for placeholders, and short forms of long runs."""

LABORATORY = "tests/lab/run "

READ_ONLY: Mapping[str, str] = {
    r"tests/lab/run bench": "measures for a minute; tests/cli/test_bench.py runs it in parts",
    r"tests/lab/run handovers": "takes minutes; tests/cli/test_handovers.py runs it in parts",
    r"tests/lab/run puzzles": "takes minutes; tests/coach/test_puzzles.py makes some again",
    r"spotter --no-display": "plays until it is stopped; see tests/phones/test_no_display.py",
    r"spotter wall|spotter club archive": "serve until they are stopped, and need a broker",
    r"spotter club join table-3": "tells the running program's settings, see tests/club",
    r"tests/lab/run selfplay .*--emulator": "takes minutes; see tests/test_scanner_chain.py",
    r"spotter train book.txt": "needs a file: tests/cli/test_train.py",
    r"spotter retell 3": "needs a stored match: tests/cli/test_train.py",
    r"spotter solve": "takes many minutes; see tests/players/test_hypergammon_solution.py",
    r"spotter import my-matches": "needs files: tests/cli/test_import.py",
    r"spotter report": "needs analysed matches: tests/cli/test_analyse.py",
    r"spotter analyse --jacoby": "needs a session for money: tests/cli/test_analyse.py",
    r"spotter matches --delete": "needs an imported match: tests/cli/test_import.py",
    r"spotter position --at 12 3": "needs a stored match: tests/cli/test_position.py",
    r"spotter .*--(linked|friend|join)": "needs a broker and another board: tests/club/linked",
    r"spotter friend (forget|check|close|say Ben)": "need more: tests/cli/test_friend_command.py",
}
"""Commands that are only read, by their own parser, and why."""

NAMES = re.compile(
    r"spotter (hint|arena|analyse|club setup|club archive|club join|import|retell|solve)$"
)
"""In prose the name of a command that needs more words: its help is asked for."""

NEEDS_HARDWARE = re.compile(r"spotter (walk|doctor|scanner|rollback)")
"""Without hardware, or a package, they end with status 1, and say in a line what is missing."""

FOR_A_SHELL = re.compile(r"[~<>|&;*$]")


def small(command: str) -> str:
    for what, instead in SMALL:
        command = re.sub(what, instead, command)
    assert not re.search(r" (?!SPOTTER)[A-Z]{4,}\b(?!=)", command), f"{command}: what is that?"
    return command


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> ReadersHome:
    return ReadersHome(tmp_path_factory.mktemp("desk"))


class ReadersHome:
    """A home with three kept matches, a tournament, and the project's tests at hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {
            **os.environ,
            **dict.fromkeys((key for key in os.environ if key.startswith("XDG_")), ""),
            "HOME": str(folder),
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(PROJECT),
        }
        (folder / "bin").mkdir()
        script = folder / "bin" / "spotter"
        script.write_text(
            f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pi_app "$@"\n', encoding="utf-8"
        )
        script.chmod(0o755)
        (folder / "tests").symlink_to(PROJECT / "tests")
        shutil.copy(PROJECT / "pi_app/boards/nannon-6.toml", folder / "my-board.toml")
        self._keep_matches()
        with pytest.MonkeyPatch.context() as monkeypatch:
            self.run_here(
                ["tournament", "new", "kept.tournament", "Kept", "Ada", "Ben"], monkeypatch
            )
        self.run("tests/lab/run selfplay --matches 1 --seed b --json > b.json")
        self.run("spotter --sim --once")  # the first start makes the sealing key

    @cached_property
    def checkout(self) -> Checkout:
        """A checkout that its first start has set up."""
        checkout = Checkout(self.folder / "checkout")
        checkout.run()
        return checkout

    def _keep_matches(self) -> None:
        """Keys of the players of the first round on the club's page, and a third one."""
        names = ("Ada", "Ben", "Cid", "Dot", "Eve")
        drawn = paired(Tournament("Autumn open", System.SWISS, 5, 7).joined(names)).current
        pairs = [(each.players[0], each.players[1]) for each in drawn if not each.is_bye]
        key = SealingKey(bytes(range(1, 33)))
        (self.folder / "keys").mkdir()
        (self.folder / "keys" / "table-1.key").write_text(
            f"table-1 {key.public}\n", encoding="utf-8"
        )
        file = self.folder / ".local/share/spotter/matches.db"
        file.parent.mkdir(parents=True)
        with closing(Journal(file, key.seal)) as journal:
            for seed, pair in enumerate([*pairs, ("Ada", "Ben")], 1):
                table = NannonTable(7 if pair in pairs else 1, seed)
                table.plays_until(Phase.MATCH_OVER)
                start = replace(table.start, players=pair)
                number = journal.begin(start, f"2026-11-20 20:{seed}5")
                for decision in table.decided:
                    journal.decide(decision)
                journal.commit()
                record = write_record(journal.record(number))
                (self.folder / f"match-{seed}.sealed").write_text(record, encoding="utf-8")

    def run_here(
        self,
        words: list[str],
        monkeypatch: pytest.MonkeyPatch,
        program: Callable[[list[str]], int] = main,
    ) -> None:
        """A command without a process of its own, of which most is importing."""
        for name, value in self.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(self.folder)
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO()))
        status: object
        stops = signal.getsignal(signal.SIGTERM)
        with redirect_stderr(StringIO()) as errors:
            try:
                status = program(words)
            except SystemExit as ended:  # as help does
                status = ended.code
            finally:
                signal.signal(signal.SIGTERM, stops)
        assert status == 0, (words, errors.getvalue())
        assert_no_traceback(errors.getvalue())

    def run(self, command: str, statuses: tuple[int, ...] = (0,)) -> None:
        done = subprocess.run(
            ["/bin/bash", "-c", command],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode in statuses, f"{command}\n{done.stdout[-1000:]}{done.stderr}"
        assert_no_traceback(done.stderr)


def assert_no_traceback(errors: str) -> None:
    assert "should not happen" not in errors
    assert "Traceback" not in errors


class ReadError(BaseException):
    """Raised once the words have been read: nothing is done by them."""


def read(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a command's own parser read its words, and no more."""
    parse = Parser.parse_args

    def parse_alone(self: Parser, *words: Any) -> None:
        parse(self, *words)
        raise ReadError

    monkeypatch.setattr(Parser, "parse_args", parse_alone)
    with pytest.raises(ReadError):
        (lab if command.startswith(LABORATORY) else main)(shlex.split(command)[1:])


# What each kind of command is


def spotter(command: str, desk: ReadersHome, monkeypatch: pytest.MonkeyPatch) -> None:
    if not NAMES.match(command) and any(re.match(pattern, command) for pattern in READ_ONLY):
        read(command, monkeypatch)
        return
    if NAMES.match(command):
        command += " --help"
    first = [*shlex.split(command)[1:], "play"][0]
    plays = first == "play" or (first.startswith("-") and first != "--version")
    if "--emulator" in command and missing_tools():
        read(command, monkeypatch)
        return
    if plays:
        # One picture of it, on a simulated board.
        command += "".join(f" {word}" for word in ("--sim", "--once") if word not in command)
    if command == "spotter scanner":
        command += " --board tables-24"
    if NEEDS_HARDWARE.match(command) or FOR_A_SHELL.search(command):
        desk.run(command, (0, 1) if NEEDS_HARDWARE.match(command) else (0,))
    else:
        desk.run_here(shlex.split(command)[1:], monkeypatch)


def set_up(command: str, desk: ReadersHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """spotter setup, which would change this computer, only says how."""
    monkeypatch.setattr("getpass.getuser", lambda: "pi")
    desk.run_here([*shlex.split(command)[1:], "--dry-run"], monkeypatch)


def laboratory(command: str, desk: ReadersHome, monkeypatch: pytest.MonkeyPatch) -> None:
    if any(re.match(pattern, command) for pattern in READ_ONLY):
        read(command, monkeypatch)
        return
    if "selfplay" in command and "--matches" not in command:
        command += " --matches 1"
    if FOR_A_SHELL.search(command):
        desk.run(command)
    else:
        desk.run_here(shlex.split(command)[1:], monkeypatch, lab)


def started(command: str, desk: ReadersHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """./pi_app/run, where all is set up already, starts a command, which is then run."""
    words = shlex.split(command)[1:]
    if "--with-gnubg" in words and not shutil.which("gnubg", path="/usr/games:/usr/bin"):
        return
    said = desk.checkout.run(*words).splitlines()[-1]
    if said != "spotter play":
        spotter(said, desk, monkeypatch)


def script(command: str, *_: object) -> None:
    """Runs the whole of something for long: it is there, and the tests that are named are."""
    program, *words = shlex.split(command.removeprefix("THOROUGH=1 "))
    assert os.access(PROJECT / program, os.X_OK)
    check_paths(words, PROJECT, PROJECT / "tests")  # where tests/run looks for a room


def check_paths(words: list[str], *folders: Path) -> None:
    paths = [word for word in words if "/" in word]
    assert [p for p in paths if not any(list(one.glob(p)) for one in folders or [PROJECT])] == []


def of_the_environment(command: str, *_: object) -> None:
    """Programs of .venv, or of any Python."""
    words = shlex.split(command)
    match words:
        case [_, "-m", "hardware.make", *options]:
            hardware_parser().parse_args(options)
        case [_, "-m", "pytest", *paths] | [".venv/bin/python", *paths]:
            check_paths(paths)
        case [_, "-m", "mypy"] | [".venv/bin/ruff", "format"]:
            pass  # tests/run does so before any test
        case [".venv/bin/pip", "install", *rest]:
            check_pip(rest)
        case [_, "-m", "zipfile", "-c", *_] | [".venv/bin/spotter"]:
            pass  # Python's own; the same as `spotter`
        case _:
            raise AssertionError(f"{command}: a command that no test knows")


def check_pip(words: list[str]) -> None:
    """It would install what is pinned of an extra."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    *options, lock = words
    assert options == ["--require-hashes", "-r"]
    assert (PROJECT / lock).exists()
    assert Path(lock).stem in project["optional-dependencies"]


def made(command: str, desk: ReadersHome, _: pytest.MonkeyPatch) -> None:
    """make, which says what it would do; the boards and trainers are made by tests of their own."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    command = command.split(" && ", maxsplit=1)[0]
    words = [word for word in shlex.split(command)[1:] if word not in ("-C", "firmware")]
    folders = [PROJECT / "firmware", PROJECT / "tests/lab/trainer"]
    done = [
        subprocess.run(["make", "-n", *words], cwd=folder, capture_output=True, check=False)
        for folder in folders
    ]
    assert 0 in [one.returncode for one in done], done


def elsewhere(*_: object) -> None:
    """Changes this computer, or is a program that its own tests build: see ELSEWHERE."""


ELSEWHERE: Mapping[str, str] = {
    r"sudo apt (update|install [a-z0-9 .-]+|purge spotter)$": "changes packages as root",
    r"sudo apt install \./spotter_\d+\.\d+\.\d+_arm64\.deb$": "tests/test_package.py installs one",
    r"hardware/package/build( arm64)?$": "tests/test_package.py makes both",
    r"git (clone https://github.com/OWNER/spotter.git|pull)$|cd spotter$": "gets Spotter",
    r"git (commit --amend|tag v1\.0\.0)$": "changes the history of this checkout",
    r"journalctl --user -u spotter$": "needs a user's session with systemd",
    r"mosquitto -c ~/club/mosquitto.conf$": "tests/club starts one by such a file",
    r"touch pi_app/languages/fr.po$": "would make a language of this checkout",
    r"build/(trainer|host/check)": "tests/players and tests/firmware build and run them",
}
"""Tests that are skipped, and why."""

KINDS: Mapping[str, Callable[[str, ReadersHome, pytest.MonkeyPatch], None]] = {
    r"spotter (?!setup\b)": spotter,
    r"./pi_app/run\b": started,
    r"spotter setup\b": set_up,
    LABORATORY: laboratory,
    rf"(THOROUGH=1 )?(\./)?(?!{LABORATORY})tests/": script,
    r"\.venv/bin/|python3? -m ": of_the_environment,
    r"make\b": made,
    **dict.fromkeys(ELSEWHERE, elsewhere),
}


SMALLER = (spotter, laboratory, started)
"""Kinds whose placeholders and long runs are replaced."""


def kind_of(command: str) -> Callable[[str, ReadersHome, pytest.MonkeyPatch], None]:
    kinds = [kind for pattern, kind in KINDS.items() if re.match(pattern, command)]
    assert len(kinds) == 1, f"{command}: a command that no test knows"
    return kinds[0]


@pytest.mark.parametrize("command", QUOTED)
def test_a_quoted_command_works(
    command: str, desk: ReadersHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = kind_of(command)
    kind(small(command) if kind in SMALLER else command, desk, monkeypatch)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block[0])
def test_a_block_of_commands_works(
    block: tuple[str, ...], desk: ReadersHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in block:
        kind = kind_of(command)
        kind(small(command) if kind in SMALLER else command, desk, monkeypatch)


def test_the_options_of_the_table_are_those_of_the_commands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every option in the row of a command is one of that command."""
    told = []
    for row in re.findall(
        r"^\| `(?:spotter|tests/lab/run).*\|$", "\n".join(TEXTS.values()), re.MULTILINE
    ):
        named = re.findall(r"`(?:spotter|tests/lab/run) ?([a-z]*)", row)
        if any(name in ("club", "tournament", "friend") for name in named):
            continue  # their actions have parsers of their own
        has = ""
        for name in {*named}:
            program = lab if name in TOOLS else main
            known = name in TOOLS or name in COMMANDS
            with pytest.raises(SystemExit):
                program([name if known else "play", "--help"])
            has += capsys.readouterr().out
        told += [
            (named[0], option) for option in re.findall(r"`(--[a-z-]+)", row) if option not in has
        ]
    assert told == []


def test_commands_are_found() -> None:
    assert {"spotter rollback", "spotter scanner --flash", "./pi_app/run --with-gnubg"} <= {*QUOTED}
    assert len(QUOTED) > 50
    assert len(BLOCKS) > 8


def test_every_exception_is_needed() -> None:
    commands = [*QUOTED, *(command for block in BLOCKS for command in block)]
    for pattern in (*READ_ONLY, *ELSEWHERE):
        assert any(re.match(pattern, command) for command in commands), pattern
