"""The command line: `spotter COMMAND …`; each command lives in its own module of `cli`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType

BAD_INPUT = 2
INTERRUPTED = 130


COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "play": "play on the real board, or with --sim on a simulated one",
        "selfplay": "let simulated hands play whole matches",
        "matches": "list the matches that were kept",
        "export": "write a match as a score sheet or as events",
        "replay": "print the view after each event of a file",
        "plays": "answer positions and rolls with every legal play",
        "position": "draw a position",
        "rules": "list the rules that a warning can name",
        "perft": "count the distinct results of a position",
        "screenshot": "draw any screen into a PNG file",
        "settings": "show the settings and what they can be",
        "scanner": "print what the reed scanner says, or how to flash it",
        "doctor": "check pins, displays, sound, storage and groups",
        "walk": "test every sensor: one checker on every spot in turn",
        "bench": "measure latency, drawing, idling and starting",
    }
)
"""Each command, which is a module of `cli` with a `run`, and what it does in a few words."""


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
    return _run(*words)


def usage() -> str:
    """What there is, a line a command."""
    lines = [f"  {name:<11} {says}" for name, says in COMMANDS.items()]
    return "\n".join(["spotter [COMMAND] [OPTIONS]; COMMAND --help tells more.", *lines])


def _run(command: str, *argv: str) -> int:
    # Each command imports only what it needs: `spotter plays` must not wait for a display library.
    run: Callable[[list[str]], int] = import_module(f"pi_app.cli.{command}").run
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        status = run(list(argv))
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
