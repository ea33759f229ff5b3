"""The command line: `spotter COMMAND …`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from pi_app import __version__
from pi_app.cli.arguments import nearest
from pi_app.cli.ending import Status, ended, say, starting
from pi_app.words.texts import quoted

if TYPE_CHECKING:
    from pi_app.games.equipment import Compendium

COMMANDS: Mapping[str, tuple[str, str]] = {
    "play": ("play:run", "play on the real board, or with --sim on a simulated one"),
    "matches": ("matches:list_matches", "list the stored matches"),
    "import": ("importing:bring", "store matches of other programs: files, folders"),
    "export": ("matches:export", "write a match as a score sheet, events, decisions or sealed"),
    "verify": ("matches:verify", "check the signature and the rules of a sealed record"),
    "tournament": ("tournament:run", "pair rounds, take results, show standings"),
    "replay": ("replay:replay", "print the view after each event of a file"),
    "plays": ("rules:answer_lines", "list every legal play of positions and rolls"),
    "position": ("rules:draw_position", "draw a position, and print its text"),
    "rules": ("rules:print_rules", "print a game's rules and the warnings that cite them"),
    "hint": ("coach:hint", "rate the plays of a roll, or a double"),
    "rollout": ("rollout:rollout", "play a position on many times, and compare the plays"),
    "analyse": ("coach:analyse", "rate each decision of a match, blunders first"),
    "report": ("reporting:report", "show a player's analysed matches together"),
    "train": ("train:train", "train costly decisions and positions on the board"),
    "retell": ("train:retell", "play a stored match through on the board"),
    "arena": ("coach:arena", "let two engines play each other"),
    "solve": ("solving:solve", "work out every position of a game, for its exact player"),
    "perft": ("rules:count_results", "count the distinct results of a position"),
    "screenshot": ("replay:screenshot", "draw the screen after events as a PNG file"),
    "club": ("club:run", "send every match to a club: its broker, this board, its archive"),
    "friend": ("friend:run", "set where friends far away meet, list or forget them"),
    "setup": ("setup:run", "set up I2C, groups, board and autostart, or undo that"),
    "rollback": ("rollback:run", "use the version before the last update again"),
    "settings": ("doctor:print_settings", "show the settings and their values"),
    "scanner": ("doctor:print_scanner", "print the reed scanner's messages, or flash it"),
    "doctor": ("doctor:examine", "check pins, displays, sound, storage and groups"),
    "walk": ("walk:run", "test every sensor: one checker on every spot in turn"),
    "wall": ("wall:run", "show every board of a club in browsers, and store the matches"),
}
"""The module and function of each command, and its purpose in a few words."""

HELP = ("-h", "--help", "help")


def main(argv: list[str] | None = None, games: Compendium | None = None) -> int:
    """Run one command and return its exit status; without a command, play on the real board.

    `games` are those that exist; by default Spotter's own.
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
    lines = [f"  {name:<11} {says}" for name, (_, says) in COMMANDS.items()]
    head = "spotter [COMMAND] [OPTIONS]; spotter help COMMAND tells more; --version, which it is."
    return "\n".join([head, *lines])


def _run(games: Compendium | None, command: str, *argv: str) -> int:
    def run() -> int:
        with starting():
            from pi_app.games.all import ALL  # noqa: PLC0415, help and the version wait for none

            # Each command imports only what it needs: `spotter plays` must not wait for pygame.
            where, _ = COMMANDS[command]
            begin: Callable[[list[str], Compendium], int] = resolve_name(f"pi_app.cli.{where}")
        return begin(list(argv), games or ALL)

    return ended(run)
