"""Reads `.mat` files: matches as text in two columns, as most programs write them.

The format is Jellyfish's and nowhere written down: what stands in a row is found by what it looks
like and whose turn it is, not by columns alone, which long plays overflow.  The first player is
White.  DIALECT has the words that programs use; the room's page says which program uses which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace
from itertools import pairwise
from typing import NamedTuple

from pi_app.base.values import dataclass
from pi_app.export.transcript import (
    MOST_POINTS,
    EntryError,
    FileEntry,
    FileGame,
    FileWord,
    MatchFile,
    MatchReading,
    Steps,
    replayed,
)
from pi_app.match.score import Score
from pi_app.rules.contract import Games
from pi_app.rules.tables.position import BAR, CHECKERS, HOME, OFF
from pi_app.rules.terms import Side
from pi_app.words.texts import quoted

RIGHT = 20
"""From this column on an entry is the second player's: the first one's column is wider."""

DIALECT: tuple[tuple[FileWord, str], ...] = (
    (FileWord.ROLL, r"(?P<dice>[0-6][-,]?[0-6])\s?:"),
    (FileWord.DOUBLE, r"(?:re)?doubles?\b\s*(?:=>|to)?\s*(?P<stake>\d{1,5})?"),
    (FileWord.BEAVER, r"beavers?\b\s*(?:=>|to)?\s*\d{0,5}"),
    (FileWord.RACCOON, r"raccoons?\b\s*(?:=>|to)?\s*\d{0,5}"),
    (FileWord.TAKE, r"(?:takes?|accepts?)\b"),
    (FileWord.DROP, r"(?:drops?|pass(?:es)?|rejects?|declines?)\b"),
    (
        FileWord.WINS,
        r"wins?\b(?:\s+(?:an?\s+)?(?P<won>single|gammon|backgammon))?"
        r"(?:\s+(?P<points>\d{1,5})\s*(?:points?|pts?\.?))?(?:\s+and the match)?",
    ),
    (
        FileWord.GIVES_UP,
        r"(?:concedes?|resign(?:s|ed)?|forfeit(?:s|ed)?|los(?:ses|es|t)|gives?\s+up|abandon(?:s|ed)?"
        r"|time\s*out|timed\s+out)\b(?:\s+(?:an?\s+)?(?P<level>single|normal|gammon|backgammon))?"
        r"(?:\s+(?P<lost>\d{1,5})\s*(?:points?|pts?\.?))?(?:\s+(?:on|by)\s+time)?",
    ),
)
"""What each entry looks like, letters of any size."""
_ENTRY = re.compile("|".join(f"(?P<{word.name}>{look})" for word, look in DIALECT), re.IGNORECASE)
_LEVELS = {"single": 1, "normal": 1, "gammon": 2, "backgammon": 3}
_NO_ROLL = "00"
"""The dice of a player who resigned before his roll."""
_HIDDEN = re.compile(r"(?<![\w*)?])\?{2,4}")
"""A play that is not given, of whoever resigned after the roll or of the winner's last one."""

_TAG = re.compile(r';\s*\[([^"]*)"(.*)"\]')
_SET_POSITION = re.compile(
    r";\s*set\s*pos(?:ition)?\s*[=:]\s*(?:xgid=)?([-a-z]{26})", re.IGNORECASE
)
_SETS_POSITION = re.compile(r";\s*set\s*pos", re.IGNORECASE)
_TARGET = re.compile(
    r"(\d{1,4})[-\s]+points?\s+match\b|(unlimited|money)\s+(?:game|session|match)", re.I
)
_GAME = re.compile(r"\s*Game\s+(\d{1,4})(?:\W.*)?", re.IGNORECASE)
_POINTS = (re.compile(r":\s*(\d{1,4})\s{2,}"), re.compile(r":\s*(\d{1,4})(?=\D)"))
"""The first player's, between both names; the second where a long name left no room there."""
_LAST_POINTS = re.compile(r"\s*\d{1,4}\s*")
_ROW = re.compile(r"\s*\d+[.)]")
_FRAME = re.compile(r"^(?:\s*>)+|[|│║]")
"""What mail and boxes draw around lines."""
_NOTE = re.compile(r"#.*|\{[^}]*\}|\((?!\d\))[^)]*\)")
"""What people write beside a play."""
_NO_MOVE = re.compile(r"(?:cannot|can't|no)\s+(?:legal\s+)?(?:moves?|plays?)|dances?|fans?", re.I)
_STEP = re.compile(
    r"((?:bar|b|\d{1,2})(?:\*?[/-](?:off|bar|\d{1,2}))+)\*?(?:\(([1-4])\))?", re.IGNORECASE
)
_PLACES = {"bar": BAR, "b": BAR, "off": OFF}
_HARD_SPACE = "\u00a0"
"""What word processors and web pages put between columns."""


def read_mat(text: str, games: Games) -> MatchReading:
    """Raises EntryError."""
    file = _MatText()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        file.take(number, line.replace(_HARD_SPACE, " ").expandtabs())
    return replayed(file.match, games)


class _RowCell(NamedTuple):
    """An entry of a row, where it stands, and the words after it."""

    column: int
    word: FileWord
    what: re.Match[str]
    rest: str


@dataclass(slots=True)
class _MatText:
    """The file read so far; `awaited` is the number of a game whose players come next, and
    `set_position` the line about its board."""

    match: MatchFile = field(default_factory=MatchFile)
    awaited: int | None = None
    set_position: str = ""
    number: int = 0

    def take(self, number: int, line: str) -> None:
        self.number = number
        plain = line.strip()
        if plain.startswith(";"):
            self._comment(plain)
            return
        line = _FRAME.sub(lambda found: " " * len(found[0]), line)
        if not line.strip():
            return
        if found := _GAME.fullmatch(line):
            self.awaited = int(found[1])
        elif self.awaited is not None and (players := _players(line)):
            names, score = players
            if not self.match.games:
                self.match.players = names
            self.match.games.append(FileGame(number, self.awaited, score))
            self.awaited = None
            if self.set_position:
                self._set_position(self.set_position)
                self.set_position = ""
        elif not self.match.games and (target := _TARGET.search(line)):
            self._target(int(target[1] or 0))
        else:
            self._row(line)

    def _target(self, points: int) -> None:
        if points > MOST_POINTS:
            raise self._error(f"{points} points are more than {MOST_POINTS}")
        self.match.match_to = points or None

    def _comment(self, line: str) -> None:
        match = self.match
        if found := _TAG.match(line):
            name, value = found[1].strip().lower(), found[2].strip()
            if name == "variation":
                match.variation = value
            elif name == "crawford":
                match.crawford = _is_on(value)
            elif name == "jacoby":
                match.jacoby = _is_on(value)
            elif name == "cubelimit":
                match.cube = value != "1"
            elif name == "eventdate" and re.fullmatch(r"\d{4}[.-]\d\d[.-]\d\d", value):
                match.date = value.replace(".", "-")
        elif _SETS_POSITION.match(line):
            if self.awaited is None and match.games:
                self._set_position(line)
            else:
                self.set_position = line

    def _set_position(self, line: str) -> None:
        """The game begins elsewhere; a board that cannot be read costs it."""
        found = _SET_POSITION.match(line)
        if found is None:
            self._fail(f"{quoted(line)} cannot be read")
        elif not _may_be_set(found[1]):
            self._fail(f"{quoted(line)}: checkers are missing")
        else:
            self.match.games[-1].position = found[1]

    def _row(self, line: str) -> None:
        """A numbered row with one or two entries, or a line that tells the winner."""
        numbered = _ROW.match(line)
        begin = numbered.end() if numbered else 0
        cells = tuple(_cells(line, begin))
        is_told = any(cell.word is FileWord.ROLL and _STEP.search(cell.rest) for cell in cells)
        if not self.match.games:
            if is_told:
                raise self._error(
                    "a turn stands before its game: first come “Game 1” and the players"
                )
            return
        before = line[begin : cells[0].column if cells else None].strip()
        if before and (numbered or is_told):
            self._fail(f"{quoted(line.strip())} cannot be read")
        elif before and cells:
            self._words(before, cells)
        else:
            for cell in cells:
                self._add(cell)

    def _words(self, before: str, cells: tuple[_RowCell, ...]) -> None:
        """`Ada wins 2 points`, as people write it."""
        names = [name.lower() for name in self.match.players]
        if before.lower() in names and cells[0].word in (FileWord.WINS, FileWord.GIVES_UP):
            side = (Side.WHITE, Side.BLACK)[names.index(before.lower())]
            self._add(cells[0], side)

    def _add(self, cell: _RowCell, side: Side | None = None) -> None:
        """Add what an entry says; `Loses 2 points` says who wins too, and `Wins gammon` who loses
        how many times the stake."""
        entry, entries = self._entry(cell, side), self.match.games[-1].entries
        if level := (cell.what["won"] or "").lower():
            lost = replace(entry, side=entry.side.other, word=FileWord.GIVES_UP)
            entries.append(replace(lost, points=_LEVELS[level]))
        entries.append(entry)
        if cell.what["lost"]:
            won = replace(entry, side=entry.side.other, word=FileWord.WINS)
            entries.append(replace(won, points=int(cell.what["lost"])))

    def _entry(self, cell: _RowCell, side: Side | None = None) -> FileEntry:
        what, word = cell.what, cell.word
        side = side or (Side.BLACK if cell.column >= RIGHT else Side.WHITE)
        text = f"{what[0]} {cell.rest.strip()}".strip()
        if word is FileWord.ROLL:
            faces = re.sub("[-,]", "", what["dice"])
            if faces == _NO_ROLL:
                return FileEntry(self.number, FileWord.GIVES_UP, side, text)
            if "0" in faces:
                self._fail(f"{quoted(text)}: a die shows 1 to 6")
            dice = (int(faces[0]), int(faces[1]))
            hidden = bool(_HIDDEN.search(cell.rest))
            return FileEntry(self.number, word, side, text, dice, self._steps(cell.rest), hidden)
        points = _LEVELS.get((what["level"] or "").lower()) or what["points"]
        return FileEntry(
            self.number,
            word,
            side,
            text,
            points=int(points) if points else None,
            stake=int(what["stake"]) if what["stake"] else None,
        )

    def _steps(self, rest: str) -> Steps:
        """A play that cannot be read costs its game."""
        text = _HIDDEN.sub("", _NO_MOVE.sub("", _NOTE.sub("", rest)))
        if _STEP.sub("", text).strip(" .,;!?"):
            self._fail(f"{quoted(rest.strip())} is no play")
        return steps_of(text)

    def _fail(self, why: str) -> None:
        game = self.match.games[-1]
        game.fault = game.fault or self._error(why)

    def _error(self, why: str) -> EntryError:
        return EntryError(f"line {self.number}: {why}")


def steps_of(text: str) -> Steps:
    """The steps of `8/5(2) bar/20*/16`, one for each stop."""
    steps: list[tuple[int, int]] = []
    for found in _STEP.finditer(text):
        way = [_place(name) for name in found[1].replace("*", "").replace("-", "/").split("/")]
        steps += list(pairwise(way)) * int(found[2] or 1)
    return tuple(steps)


def _players(line: str) -> tuple[tuple[str, str], Score] | None:
    """Both names and points: `Ada : 3    Ben : 0`."""
    head, _, last = line.rpartition(":")
    found = next(filter(None, (look.search(head) for look in _POINTS)), None)
    if not found or not _LAST_POINTS.fullmatch(last):
        return None
    names = (head[: found.start()].strip(), head[found.end() :].strip())
    return names, Score(int(found[1]), int(last))


def _cells(line: str, begin: int) -> Iterator[_RowCell]:
    found = list(_ENTRY.finditer(line, begin))
    ends = [*(entry.start() for entry in found), len(line)][1:]
    for entry, end in zip(found, ends, strict=True):
        word = next(word for word, _ in DIALECT if entry[word.name] is not None)
        yield _RowCell(entry.start(), word, entry, line[entry.end() : end])


def _may_be_set(board: str) -> bool:
    """A side that has checkers outside its home has borne off none."""
    white = {place: ord(c) - 64 for place, c in enumerate(board) if c.isupper()}
    black = {BAR - place: ord(c) - 96 for place, c in enumerate(board) if c.islower()}
    return all(
        sum(men.values()) == CHECKERS or max(men, default=0) <= HOME for men in (white, black)
    )


def _is_on(value: str) -> bool:
    return value.lower() in ("on", "true", "yes", "1")


def _place(name: str) -> int:
    word = name.lower()
    return _PLACES[word] if word in _PLACES else int(word)
