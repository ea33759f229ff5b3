"""The errors that a user can fix, in two kinds; every error shown to users is one of them.

An error says what is wrong, the value, where, and what to do.
"""

from __future__ import annotations

from pi_app.words.sentences import Said
from pi_app.words.texts import both_ends


class SpotterError(Exception):
    """An error that a user can fix. Its text has short lines, whatever is quoted in it."""

    def __str__(self) -> str:
        return "\n".join(map(both_ends, super().__str__().split("\n")))

    @property
    def said(self) -> str:
        """The text as the sentence that it was made from, if it was, so that it can be
        translated."""
        text = self.args[0] if self.args else ""
        return text if isinstance(text, Said) else str(self)

    @property
    def lines(self) -> tuple[str, ...]:
        return (str(self),)


class GivenError(SpotterError):
    """The input cannot be used: arguments, settings, a board, events."""


class FailedError(SpotterError):
    """The task cannot be done, because of a device, the disk or the journal."""
