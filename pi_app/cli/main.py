"""The command line: `spotter COMMAND …`; each command lives in its own module of `cli`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from pi_app import __version__
from pi_app.cli.arguments import nearest
from pi_app.cli.ending import Status, ended, say
from pi_app.words.texts import quoted

if TYPE_CHECKING:
    from pi_app.games.equipment import Compendium

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "play": "play on the real board, or with --sim on a simulated one",
        "matches": "list the matches that were kept",
        "export": "write a match as a score sheet, as events or as decisions, or sealed",
        "verify": "check a sealed record: by its signature, and by the rules",
        "tournament": "pair rounds, take results, show standings",
        "replay": "print the view after each event of a file",
        "plays": "answer positions and rolls with every legal play",
        "position": "draw a position",
        "rules": "print the rules of a game, each with the warnings that cite it",
        "hint": "say what the plays of a roll, or a double, are worth",
        "analyse": "say what each decision of a match cost, blunders first",
        "arena": "let two of the machine's players meet",
        "perft": "count the distinct results of a position",
        "screenshot": "draw what a screen shows after events as a PNG file",
        "club": "tell a club of every match: its broker, this board, the archive of all",
        "settings": "show the settings and what they can be",
        "scanner": "print what the reed scanner says, or how to flash it",
        "doctor": "check pins, displays, sound, storage and groups",
        "walk": "test every sensor: one checker on every spot in turn",
        "wall": "show every board of a club to browsers, and keep what they play",
    }
)
"""Each command, which is a module of `cli` with a `run`, and what it does in a few words."""

HELP = ("-h", "--help", "help")


def main(argv: list[str] | None = None, games: Compendium | None = None) -> int:
    """Run one command and return its exit status; without one, play on the real board.

    `games` are those there are; by default Spotter's own.
    """
    words = sys.argv[1:] if argv is None else argv
    match words:
        case [word] if word in HELP:
            print(usage())
            return Status.DONE
        case ["--version"]:
            print(f"spotter {__version__}")
            return Status.DONE
        case ["help", command, *_]:
            words = [command, "--help"]
    if not words or words[0].startswith("-"):
        words = ["play", *words]
    if words[0] not in COMMANDS:
        meant = nearest(words[0], [*COMMANDS, "help"])
        say([f"command {quoted(words[0])} is not known{meant}; see: spotter help"])
        return Status.GIVEN
    return _run(games, *words)


def usage() -> str:
    lines = [f"  {name:<11} {says}" for name, says in COMMANDS.items()]
    head = "spotter [COMMAND] [OPTIONS]; spotter help COMMAND tells more; --version, which it is."
    return "\n".join([head, *lines])


def _run(games: Compendium | None, command: str, *argv: str) -> int:
    def run() -> int:
        from pi_app.games.all import ALL  # noqa: PLC0415, help and the version wait for no game

        # Each command imports only what it needs: `spotter plays` must not wait for pygame.
        module = import_module(f"pi_app.cli.{command}")
        begin: Callable[[list[str], Compendium], int] = module.run
        return begin(list(argv), games or ALL)

    return ended(run)
