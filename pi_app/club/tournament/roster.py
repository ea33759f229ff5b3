"""The boards' public keys, which decide whose seals count.

A line of a key file has a board's name and its key. `spotter club join` writes such a file beside
the board's card; an organiser keeps them in one folder or in one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from pi_app.club.tournament.model import TournamentError
from pi_app.files import read_text, why
from pi_app.identifiers import BoardName, board_name
from pi_app.seal.keys import read_public

ENDING = ".key"
UNKNOWN = "it is sealed by the key {key}, which is no known board's"
HINT = "give the boards' keys by --keys, or take it all the same by --unproven"


@dataclass(frozen=True, slots=True)
class Roster:
    """The boards by their keys; a board may have had several.

    With `takes_unproven` records sealed by unknown boards are accepted too.
    """

    boards: Mapping[str, BoardName] = field(default_factory=lambda: MappingProxyType({}))
    takes_unproven: bool = False

    def doubt(self, keys: Iterable[str], board: BoardName | None = None) -> str:
        """Why seals by these keys do not count, of this board or of any; empty if they do."""
        if self.takes_unproven:
            return ""
        for key in keys:
            found = self.boards.get(key)
            if found is None:
                return f"{UNKNOWN.format(key=key)}; {HINT}"
            if board is not None and found != board:
                return f"it is sealed by the key {key}, which is the board {found}'s"
        return ""

    def names(self, keys: Iterable[str]) -> str:
        return ", ".join(dict.fromkeys(self.boards.get(key, "an unknown key") for key in keys))

    def with_keys(self, more: Mapping[str, BoardName]) -> Roster:
        """Add keys from elsewhere; given keys take precedence."""
        return Roster({**more, **self.boards}, self.takes_unproven)


def write_key(board: BoardName, key: str) -> str:
    return f"{board} {key}\n"


def read_roster(path: Path) -> Mapping[str, BoardName]:
    """The keys of a file, or of a folder's files of keys; raises TournamentError."""
    files = sorted(path.glob(f"*{ENDING}")) if path.is_dir() else [path]
    boards = {key: board for file in files for key, board in _keys(file)}
    if not boards:
        raise TournamentError(f"{path} has no keys; a line is a board's name and its key")
    return boards


def _keys(file: Path) -> Iterable[tuple[str, BoardName]]:
    try:
        for line in read_text(file).splitlines():
            if line.strip():
                board, _, key = line.strip().partition(" ")
                yield read_public(key), board_name(board)
    except (OSError, ValueError) as error:
        what = f"{file}: {why(error)}; a line is a board's name and its key"
        raise TournamentError(what) from None
