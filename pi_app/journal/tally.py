"""What was written last, noted beside the journal: a file that holds less has lost something.

The note is made after each commit and never forced to the disk by itself.  A power cut may leave
it behind the journal, which is no loss, but never before it.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pi_app.referee.events import MatchId

SUFFIX = ".last"
_PRIVATE = 0o600
_WIDTH = 20


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest decision of a journal, by its match and its place there; 0 before the first."""

    match: MatchId
    place: int


class Tally:
    """The note beside the journal at `path`; where it cannot be written there is none."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + SUFFIX)

    def read(self) -> Newest | None:
        """What was noted last; None for no note, or one that cannot be read."""
        try:
            text = self._path.read_bytes()[: 3 * _WIDTH].decode("ascii")
        except (OSError, UnicodeDecodeError):
            return None
        found = re.fullmatch(rf" *([0-9]{{1,{_WIDTH}}}) +([0-9]{{1,{_WIDTH}}})\n", text)
        return Newest(MatchId(int(found[1])), int(found[2])) if found else None

    def write(self, newest: Newest) -> None:
        """Note it, in one short write that is there whole or not at all."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        with suppress(OSError):
            file = os.open(self._path, flags, _PRIVATE)
            try:
                note = f"{newest.match:>{_WIDTH}} {newest.place:>{_WIDTH}}\n"
                os.pwrite(file, note.encode("ascii"), 0)
            finally:
                os.close(file)
