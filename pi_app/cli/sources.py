"""What an argument of `analyse` and `train` names: a match by its number or file, or positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pi_app.base.errors import GivenError
from pi_app.base.files import read_bytes, why
from pi_app.cli.ending import say
from pi_app.cli.matches import number_of
from pi_app.export.match_files import decoded, is_offered, read_match_file
from pi_app.export.retold import Kept
from pi_app.export.sgf import SGF
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, data_folder
from pi_app.match.origin import Problem
from pi_app.words.texts import quoted

MOST_BYTES = 4 * 1024 * 1024
_POSITION = re.compile(r"[-A-Oa-o]{26}|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{14}\b|^[a-z]+ |[WBN]\d[NO]:")
_GAME_OF_A_MATCH = re.compile(r"^[ \t>|]*Game\s+\d+\b", re.IGNORECASE | re.MULTILINE)


class CollectionError(GivenError):
    """A line that is no position."""


def is_match(source: str) -> bool:
    """Whether a source names a match; most programs call their files .txt, as people call those of
    positions."""
    file = Path(source)
    if source.isascii() and source.isdecimal():
        return True
    if not _is_file(file):
        return not _is_text(source) and file.suffix.lower() != ".txt" and is_offered(file)
    if file.suffix.lower() != ".txt":
        return is_offered(file)
    text = _text_of(file)
    return SGF.match(text) is not None or _GAME_OF_A_MATCH.search(text) is not None


def kept_of(match: str, games: Compendium) -> Kept:
    """The match of this number or file; what of it cannot be read is said."""
    if not (match.isascii() and match.isdecimal()):
        reading = read_match_file(Path(match), games.rules)
        say(reading.faults)
        return reading.kept
    number = number_of(match)
    with closing(Archive(data_folder() / FILE)) as archive:
        begun = archive.match(number)
        return Kept(begun.start, tuple(archive.decisions(begun.number)), games.rules)


def positions_of(source: str, games: Compendium) -> Iterator[tuple[str, Problem, str]]:
    """Yield the positions of a text, or of a file, each with where it stands and its note.

    Words around them are ignored, but not a text without any. Raises GivenError.
    """
    file = Path(source)
    if _is_text(source):
        for _, problem in _problems("position", source, games):
            yield "", problem, ""
        return
    text = _text_of(file)
    for place, problem in _problems(source, text, games):
        note = text[place:].partition("\n")[0].partition("#")[2].strip()
        yield f"{source}, line {text.count(chr(10), 0, place) + 1}", problem, note


def _is_text(source: str) -> bool:
    """Whether a source is a text with positions, and not the name of a file: the folders of a file
    that is missing may look like a position."""
    file = Path(source)
    is_named = _is_file(file) or file.suffix.lower() == ".txt" or is_offered(file)
    return not is_named and _POSITION.search(source) is not None


def _is_file(file: Path) -> bool:
    """Whether a file of this name is there; a pasted text is no name."""
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def _problems(source: str, text: str, games: Compendium) -> list[tuple[int, Problem]]:
    """Raises CollectionError, which names the line."""
    found: list[tuple[int, Problem]] = []
    try:
        found = games.problems(text)
    except GivenError:
        # One of them is wrong: the first line that cannot be read alone is named.
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                games.problems(line)
            except GivenError as error:
                raise CollectionError(f"{source}, line {number}: {error}") from None
        raise
    if not found:
        words = (line.partition("#")[0].strip() for line in text.splitlines())
        first = next(((n, one) for n, one in enumerate(words, start=1) if one), None)
        if first:
            try:
                games.problem(first[1])
            except GivenError as error:
                raise CollectionError(f"{source}, line {first[0]}: {error}") from None
    return found


def _text_of(file: Path) -> str:
    try:
        return decoded(read_bytes(file, MOST_BYTES))
    except (OSError, ValueError) as error:
        wanted = "give a match's number or file, a position, or a file of positions"
        raise CollectionError(f"{quoted(str(file))}: {why(error)}; {wanted}") from None
