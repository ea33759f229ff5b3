"""The command line: `spotter COMMAND …`; each command lives in its own module of `cli`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType

BAD_INPUT = 2
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command lives, and what it does in a few words."""

    module: str
    function: str
    says: str


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "play": Command("play", "run", "play on the real board, or with --sim on a simulated one"),
        "selfplay": Command("selfplay", "run", "let simulated hands play whole matches"),
        "matches": Command("matches", "run_matches", "list the matches that were kept"),
        "export": Command("matches", "run_export", "write a match as a score sheet or as events"),
        "replay": Command("replay", "run", "print the view after each event of a file"),
        "plays": Command("plays", "run", "answer positions and rolls with every legal play"),
        "position": Command("position", "run", "draw a position"),
        "rules": Command("rules", "run", "list the rules that a warning can name"),
        "screenshot": Command("screenshot", "run", "draw any screen into a PNG file"),
        "settings": Command("settings", "run", "show the settings and what they can be"),
        "doctor": Command("doctor", "run", "check pins, displays, sound, storage and groups"),
        "bench": Command("bench", "run", "measure latency, drawing, idling and starting"),
    }
)


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit status; without one, play on the real board."""
    words = sys.argv[1:] if argv is None else argv
    if words[:1] in (["-h"], ["--help"], ["help"]):
        print(usage())
        return 0
    if not words or words[0].startswith("-"):
        words = ["play", *words]
    if words[0] not in COMMANDS:
        print(f"spotter: command {words[0]!r} is not known\n\n{usage()}", file=sys.stderr)
        return BAD_INPUT
    return _run(COMMANDS[words[0]], words[1:])


def usage() -> str:
    """What there is, a line a command."""
    lines = [f"  {name:<11} {command.says}" for name, command in COMMANDS.items()]
    return "\n".join(["spotter [COMMAND] [OPTIONS]; COMMAND --help tells more.", *lines])


def _run(command: Command, argv: list[str]) -> int:
    # Each command imports only what it needs: `spotter plays` must not wait for a display library.
    module = import_module(f"pi_app.cli.{command.module}")
    run: Callable[[list[str]], int] = getattr(module, command.function)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        status = run(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; nothing more can be written, at exit neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main())
