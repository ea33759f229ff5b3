"""`spotter import`: matches of other programs stored beside those that were played here."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from pi_app.app.importing import FileRead, MatchImport
from pi_app.cli.arguments import Parser, UsageError
from pi_app.cli.ending import Progress, Status, say
from pi_app.export.match_files import is_offered
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import data_folder, open_to_store
from pi_app.user.settings import load_settings, save_settings
from pi_app.words.texts import quoted

MOST_ASKED = 5
"""How many of the most frequent names are offered as the owner's."""


class ImportCount:
    """What an import brought so far. `wrong` has a line for each file that was not read whole."""

    def __init__(self) -> None:
        self.stored = self.again = 0
        self.names: Counter[str] = Counter()
        self.wrong: list[str] = []

    def add(self, read: FileRead, file: Path) -> None:
        if read.faults:
            first, *more = read.faults
            where = "" if first.startswith(str(file)) else f"{file}: "
            self.wrong.append(f"{where}{first}" + (f"; and {len(more)} more" if more else ""))
        if read.number is not None:
            self.stored += not read.known
            self.again += read.known
            self.names.update(read.players)

    @property
    def summary(self) -> str:
        again = f", {self.again} known already" if self.again else ""
        matches = "1 match" if self.stored == 1 else f"{self.stored} matches"
        return f"{matches} stored{again}; `spotter matches` lists them."


def bring(argv: list[str], games: Compendium) -> int:
    """Store each match before the next is read: Ctrl-C loses nothing."""
    parser = Parser("import", "Store matches of other programs.")
    says = "a match as text (.mat, .txt) or .sgf, or a folder with such files"
    parser.takes("files", "FILE", says, Path, nargs="+")
    parser.takes("--me", "NAME", "your name in them; asked for once if it is left out")
    args = parser.parse_args(argv)
    files = tuple(dict.fromkeys(_files(args.files)))
    if not files:
        raise UsageError("no match files there; a match is a .mat, .txt or .sgf file")
    count = ImportCount()
    with closing(open_to_store(data_folder())) as opened:
        work = MatchImport.into(opened.journal, opened.journal.add, games.rules)
        try:
            with Progress(len(files), "files read") as progress:
                for number, file in enumerate(files, start=1):
                    count.add(work.take(file), file)
                    progress.tell(number)
        finally:
            print(count.summary, flush=True)
            _say_all(count.wrong)
    _remember(args.me, count.names)
    return Status.DONE if count.stored or count.again else Status.GIVEN


def _remember(me: str | None, names: Counter[str]) -> None:
    """Keep the owner's name in the settings; ask for it once, if somebody can answer."""
    settings = load_settings()
    if me is None and not settings.coach.me and names and sys.stdin.isatty():
        me = _asked(tuple(name for name, _ in names.most_common(MOST_ASKED)))
    if me is not None and me != settings.coach.me:
        save_settings(settings.changed("coach.me", me))


def _asked(names: tuple[str, ...]) -> str | None:
    """The chosen name; None if the question is left unanswered."""
    for number, name in enumerate(names, start=1):
        print(f"{number}. {name}")
    print("Which of them are you? Write a number, another name, or nothing: ", end="", flush=True)
    answer = sys.stdin.readline().strip()
    if answer.isdecimal() and answer.isascii():
        if 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        raise UsageError(f"{quoted(answer)} is none of them; say with --me NAME who you are")
    return answer or None


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
