"""The far player of a linked match: it takes a seat as the machine does, and exchanges letters.

It never blocks. Letters are queued until the session asks for them; `wake` makes it ask soon. An
invalid letter ends the link, never the session.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from enum import Enum
from pathlib import Path

from pi_app.base.files import PRIVATE
from pi_app.base.identifiers import HIGHEST_NUMBER, BoardName
from pi_app.base.microseconds import Us
from pi_app.base.typed_json import JsonError, read, read_object, write
from pi_app.base.values import dataclass
from pi_app.club.guard import guarded
from pi_app.club.linked import wording as say
from pi_app.club.linked.letters import (
    LetterBody,
    LinkLetter,
    Post,
    Request,
    body_fields,
    read_body,
    write_letter,
)
from pi_app.club.linked.meeting import MOST_OF_LETTER
from pi_app.club.linked.talk import LinkTalk, OwnNumbers, SecretNumbers
from pi_app.club.records import FarBoardText, HashText
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll, Effect, Keep, Propose
from pi_app.referee.events import EventError, FarSeat, MachineActs, Rolled
from pi_app.referee.referee import OtherSide, Referee
from pi_app.words.sentences import Said

# All letters of one link on this board's disk, and how they are sent.
#
# The file has a JSON line per letter. A line is written and synced before its letter is sent or
# acknowledged, so that no promise and no revealed number is lost by a kill or a power cut. The
# first line names the other board and holds the key for this board's numbers. An incomplete last
# line was never sent or acknowledged and is removed.


class LetterWay(Enum):
    WROTE = "wrote"
    GOT = "got"


class CorrespondenceError(ValueError):
    """A damaged file of letters. The message says where."""


@dataclass(frozen=True, slots=True)
class KeptLetters:
    """A file of letters; `size` is that of its intact part."""

    board: BoardName
    key: bytes
    letters: tuple[tuple[LetterWay, LetterBody], ...]
    size: int


class Correspondence:
    """The letters of one link; `send` takes a message and never blocks. Raises OSError and
    CorrespondenceError if its file cannot be used."""

    def __init__(self, path: Path, link: str, send: Callable[[bytes], None]) -> None:
        self.post = Post(link)
        self.path, self._send = path, send
        self._since, self._is_of_this_run = time.monotonic(), False
        self._offset = time.time() - self._since
        self.unkept: str | None = None
        kept = read_correspondence(path)
        self.board, self.key = kept.board, kept.key
        self.letters = list(kept.letters)
        if path.stat().st_size > kept.size:  # else its time would change
            os.truncate(path, kept.size)
        for way, body in self.letters:
            if way is LetterWay.WROTE:
                self.post.write(body)
        self.post.got = sum(way is LetterWay.GOT for way, _ in self.letters)

    @classmethod
    def begin(
        cls, path: Path, link: str, board: BoardName, send: Callable[[bytes], None], key: bytes
    ) -> Correspondence:
        """Create a link. Raises OSError, also if it exists already.

        The `key` of 32 random bytes must stay secret.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        _append(path, {"board": board, "key": key.hex()}, os.O_CREAT | os.O_EXCL)
        return cls(path, link, send)

    def write(self, body: LetterBody) -> bool:
        """Store and queue a letter. False if it cannot be stored, or is too long for any line."""
        longest = LinkLetter(self.post.link, HIGHEST_NUMBER, HIGHEST_NUMBER, body)
        if len(write_letter(longest)) > MOST_OF_LETTER:
            self.unkept = say.TOO_LONG()
            return False
        kept = self._keep(LetterWay.WROTE, body)
        if kept:
            self.post.write(body)
        return kept

    def next(self) -> LetterBody | None:
        body = self.post.next
        if body is None or not self._keep(LetterWay.GOT, body):
            return None
        self.post.accept()
        return body

    @property
    def silence_s(self) -> float:
        """Seconds since the last letter of either board.

        Wall time tells how long this board was off. If the clock was put right in this run, or is
        behind the last letter, only the time of this run counts. So it does for LISTENS_S: until
        then a friend's board that is on may not have been heard.
        """
        run = time.monotonic() - self._since
        was_put_right = abs(time.time() - time.monotonic() - self._offset) > LISTENS_S
        if self._is_of_this_run or was_put_right or run < LISTENS_S:
            return run
        try:
            return max(run, time.time() - self.path.stat().st_mtime)
        except OSError:
            return run

    def remove(self) -> None:
        with suppress(OSError):
            self.path.unlink()

    def carry(self, us: Us) -> None:
        for letter in self.post.outgoing(us):
            self._send(write_letter(letter))

    def _keep(self, way: LetterWay, body: LetterBody) -> bool:
        """Write a letter to the file, which is open only meanwhile, because there may be many
        links."""
        try:
            _append(self.path, {way.value: body_fields(body)}, os.O_APPEND)
        except OSError as error:
            self.unkept = error.strerror or str(error)
            return False
        self.letters.append((way, body))
        self.unkept = None
        self._since, self._is_of_this_run = time.monotonic(), True
        return True


def _append(path: Path, fields: Mapping[str, object], flags: int) -> None:
    """Write a line completely or not at all. Raises OSError."""
    line = write(fields).encode() + b"\n"
    file = os.open(path, flags | os.O_WRONLY | os.O_CLOEXEC, PRIVATE)
    size = os.fstat(file).st_size
    try:
        while line:
            line = line[os.write(file, line) :]
        os.fsync(file)
    except OSError:
        os.ftruncate(file, size)
        raise
    finally:
        os.close(file)


def read_correspondence(path: Path) -> KeptLetters:
    """Raises OSError and CorrespondenceError, which names the line at fault."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        raise CorrespondenceError(f"{path}: there is nothing in it")
    letters = []
    number = 1
    try:
        head = read(lines[0], _Head)
        for number, line in enumerate(lines[1:], start=2):  # noqa: B007, for the error
            letters.append(_read_line(line))
    except ValueError as error:
        raise CorrespondenceError(f"{path}, line {number}: {error}") from None
    return KeptLetters(head.board, bytes.fromhex(head.key), tuple(letters), whole)


@dataclass(frozen=True, slots=True)
class _Head:
    board: FarBoardText
    key: HashText


def _read_line(line: bytes) -> tuple[LetterWay, LetterBody]:
    fields = read_object(line)
    if len(fields) != 1:
        raise JsonError("it is no letter that was written or came")
    ((way, body),) = fields.items()
    return LetterWay(way), read_body(body)


MOST_AT_ONCE = 8
"""Letters read per round of the loop."""
DAY_S = 86_400
LISTENS_S = 120.0
"""Seconds in which a board that is on was heard: letters are repeated every 30 s. A clock that runs
differs by less."""
SPARE_LETTERS, MOST_A_DECISION = 1000, 16
"""The most decisions of a match; a decision needs three or four letters."""


class FarPlayer(OtherSide):
    """The side of a match that another board plays; `dice` is how many a turn of its game rolls.

    `decisions` are all that the match's journal has. Players read `shown`, or else the board's
    name. The letters stay when the match is left, and
    may still be sent. Without `numbers` this board's own come from the key of the letters.
    """

    writes = True

    def __init__(
        self,
        letters: Correspondence,
        seat: FarSeat,
        dice: int,
        decisions: Iterable[Decision],
        wake: Callable[[], None] = lambda: None,
        shown: str = "",
        numbers: SecretNumbers | None = None,
    ) -> None:
        self._shown = shown or seat.board
        own = numbers or OwnNumbers(letters.key, seat.link, seat.side.other)
        self.talk = LinkTalk(seat, own, dice, self._shown)
        self.seat, self._letters, self._wake = seat, letters, wake
        self._now = Us(0)
        for decision in decisions:
            self.talk.decided(decision)
        for way, body in letters.letters:
            if way is LetterWay.WROTE:
                self.talk.wrote(body)
            else:
                self._read(body)

    def hear(self, letter: LinkLetter) -> None:
        self._letters.post.take(letter)
        self._wake()

    @property
    def can_close(self) -> bool:
        """Whether no letter came or went for a day."""
        return not self.talk.objection and self._letters.silence_s >= DAY_S

    def close(self) -> None:
        """Close the match as it stands; the other board is told."""
        self.talk.object(say.CLOSED(side=self.talk.awaited.value))
        self._wake()

    def reconnected(self) -> None:
        self._letters.post.reconnected()

    @property
    def due(self) -> Us | None:
        """When letters are sent again, or the next ones received are read."""
        waits = self._letters.post.next is not None and not self._letters.unkept
        return self._now if waits else self._letters.post.due

    @property
    def question(self) -> Request | None:
        return self.talk.question

    @property
    def trouble(self) -> str | None:
        talk, board = self.talk, self._shown
        if talk.objection:
            return talk.objection
        if self._letters.unkept:
            return say.NOT_KEPT(board=board, why=self._letters.unkept)
        if self._letters.post.is_silent(self._now):
            return say.WAITS_FOR(board=board)
        if talk.asking:
            return say.WAITS_FOR_ANSWER(board=board, what=worded_request(talk.asking))
        if talk.is_rolling:
            return say.WAITS_FOR_HANDS(board=board)
        return say.DECLINES(board=board) if talk.declined else None

    def learn(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Keep():
                    self.talk.decided(effect.decision)
                case AskRoll(rolled=None):
                    self.talk.want_roll()
                case Propose():
                    self.talk.ask(effect)

    def answer(self, *, yes: bool) -> None:
        self.talk.answer(yes=yes)

    def decide(self, referee: Referee, us: Us) -> MachineActs | Rolled | None:
        self._listen()
        with self._guarded():
            return self.talk.to_tell(referee.view, us) if self.talk.has_news else None
        return None

    def refuse(self, error: Exception) -> None:
        known = isinstance(error, EventError)
        self._object(str(error) if known else f"{type(error).__name__}: {error}")

    def _object(self, why: str) -> None:
        self.talk.object(say.IMPOSSIBLE(board=self._shown, why=why))

    def carry(self, us: Us, unkept: str | None) -> None:
        """Write and send letters, except those that the journal could not store."""
        self._now = us
        self._listen()
        while not unkept and (body := self.talk.to_write()):
            if not self._letters.write(body):
                break
            self.talk.wrote(body)
        self._letters.carry(us)

    def _listen(self) -> None:
        """Read some letters; each is written to disk while the loop waits."""
        for _ in range(MOST_AT_ONCE):
            if self.talk.objection:
                # The link is closed, so nothing of it is stored.
                self._letters.post.skip()
            elif body := self._letters.next():
                self._read(body)
                if self._letters.post.got > SPARE_LETTERS + MOST_A_DECISION * self.talk.place:
                    self.talk.object(say.TOO_MANY(board=self._shown))
            else:
                break

    def _read(self, body: LetterBody) -> None:
        with self._guarded():
            self.talk.read(body)

    def _guarded(self) -> AbstractContextManager[None]:
        return guarded(self._object)


def worded_request(asked: Request) -> Said:
    sentence = say.ASKED[asked.what]
    return sentence(n=asked.undone) if sentence.plural else sentence()
