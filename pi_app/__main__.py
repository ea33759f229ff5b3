"""`spotter` and `python -m pi_app` from start to end.

Ctrl-C always ends them with status 130 and no traceback, also while Python still imports, so this
module imports nothing of Spotter at its top. Before it runs Python would print a traceback, so the
commands of the package and of a checkout block the signal until then.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
"""Defined here to avoid importing `typing`, which takes long."""
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from pi_app.games.equipment import Compendium

INTERRUPTED = 130
"""As in pi_app.cli.ending, which is not imported yet."""


def start() -> int:
    python = signal.default_int_handler
    if signal.getsignal(signal.SIGINT) is not python:
        return main()  # whoever started it wants Ctrl-C ignored
    signal.signal(signal.SIGINT, _leave)
    # Whatever started this Python may have held Ctrl-C back until now.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        return _run(python)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, _leave)
        return INTERRUPTED


def _run(python: Callable[[int, FrameType | None], object]) -> int:
    import pi_app.cli.main  # noqa: F401, PLC0415, this takes a while

    try:
        signal.signal(signal.SIGINT, python)
        return main()
    finally:
        signal.signal(signal.SIGINT, _leave)


def main(argv: list[str] | None = None, games: Compendium | None = None) -> int:
    from pi_app.cli import main as commands  # noqa: PLC0415, see above

    return commands.main(argv, games)


def _leave(*_: object) -> None:
    """End at once: before a command begins and after it has ended nothing needs to be stored."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(start())
