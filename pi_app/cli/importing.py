"""`spotter import`: matches of other programs stored beside those that were played here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from pi_app.base.errors import GivenError
from pi_app.cli.arguments import Parser, UsageError
from pi_app.cli.ending import Progress, Status, say
from pi_app.export.match_files import is_offered, read_match_file
from pi_app.export.retold import Kept
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import data_folder, open_to_store
from pi_app.journal.store import Journal
from pi_app.referee.events import IMPORTED
from pi_app.rules.contract import Games
from pi_app.words.wall_time import written

NOON = "T12:00"
"""The time of a match of which only the day is known."""
_KEY_DIGITS = 32


class MatchImport:
    """Stores matches of other programs in a journal.

    `stored` and `again` count files; `wrong` says of each what could not be read.
    """

    def __init__(self, journal: Journal, games: Games) -> None:
        self.stored = self.again = 0
        self.wrong: list[str] = []
        self._journal, self._games = journal, games
        self._known = dict(journal.imported())

    def take(self, file: Path) -> None:
        """Store the match of a file, on disk at once. Raises JournalError."""
        try:
            kept, faults, day = read_match_file(file, self._games)
        except GivenError as error:
            self.wrong.append(str(error))
            return
        self.wrong += [f"{file}: {fault}" for fault in faults]
        key = key_of(kept)
        if key in self._known:
            self.again += 1
            return
        start = replace(kept.start, options={**kept.start.options, IMPORTED: key})
        began = f"{day}{NOON}" if day else written(datetime.now().astimezone())
        self._known[key] = self._journal.add(start, began, kept.decisions)
        self.stored += 1

    @property
    def summary(self) -> str:
        """What came of it, in one line."""
        again = f", {self.again} known already" if self.again else ""
        return f"{self.stored} matches stored{again}; `spotter matches` lists them."


def bring(argv: list[str], games: Compendium) -> int:
    """Store each match before the next is read: Ctrl-C loses nothing."""
    parser = Parser("import", "Store matches of other programs.")
    says = "a match as text (.mat, .txt) or .sgf, or a folder with such files"
    parser.takes("files", "FILE", says, Path, nargs="+")
    files = tuple(dict.fromkeys(_files(parser.parse_args(argv).files)))
    if not files:
        raise UsageError("no match files there; a match is a .mat, .txt or .sgf file")
    with closing(open_to_store(data_folder())) as opened:
        work = MatchImport(opened.journal, games.rules)
        try:
            with Progress(len(files), "files read") as progress:
                for number, file in enumerate(files, start=1):
                    work.take(file)
                    progress.tell(number)
        finally:
            print(work.summary, flush=True)
            _say_all(work.wrong)
    return Status.DONE if work.stored or work.again else Status.GIVEN


def key_of(kept: Kept) -> str:
    """What identifies a match: who played what for how much, whatever form told it."""
    start, lines = kept.start, sha256()
    lines.update(repr((start.game, start.match_to, start.players)).encode())
    for one in kept.decisions:
        lines.update(repr((one.what.value, str(one.dice), one.play)).encode())
    return lines.hexdigest()[:_KEY_DIGITS]


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(
                file for file in path.rglob("*") if file.is_file() and is_offered(file)
            )
        else:
            yield path


def _say_all(lines: list[str]) -> None:
    """Print every line: of 500 files each that was not read is named."""
    for line in lines:
        say([line])
