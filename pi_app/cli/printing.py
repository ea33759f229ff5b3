"""Printing lines that may break off, for the commands that read the journal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from pi_app.board.strict import ConfigError
from pi_app.journal.trouble import JournalError
from pi_app.referee.lines import EventError


def print_lines(lines: Callable[[], Iterable[str]]) -> int:
    """Print them as they come; 2, and one line on stderr, when the rest cannot be had."""
    try:
        for line in lines():
            print(line)
    except (JournalError, EventError, ConfigError) as error:
        sys.stdout.flush()
        print(f"spotter: {error}", file=sys.stderr)
        return 2
    return 0
