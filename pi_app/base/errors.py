"""The errors that a human can fix, in two kinds; all that is said to people descends from them.

An error says what is wrong, the value, where, and what to do.
"""

from __future__ import annotations

from pi_app.words.sentences import Said
from pi_app.words.texts import both_ends


class SpotterError(Exception):
    """What a human can fix. Its text has short lines, whatever was quoted in it."""

    def __str__(self) -> str:
        return "\n".join(map(both_ends, super().__str__().split("\n")))

    @property
    def said(self) -> str:
        """What is said, as the sentence that it was made as, if it was."""
        told = self.args[0] if self.args else ""
        return told if isinstance(told, Said) else str(self)

    @property
    def lines(self) -> tuple[str, ...]:
        return (str(self),)


class GivenError(SpotterError):
    """What was given cannot be used: words on the command line, settings, a board, events."""


class FailedError(SpotterError):
    """What was asked for cannot be done: a device, the disk or the journal stands in the way."""
