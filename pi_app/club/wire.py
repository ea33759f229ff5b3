"""A board's end of the wire: it sends the journal to the club and never delays play.

Its own threads read the journal and hold the connection; the loop only passes the views.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from pi_app.club.guard import guarded
from pi_app.club.line import (
    Access,
    Acknowledged,
    BrokerLine,
    ClubMessage,
    Connected,
    Disconnected,
    Happening,
    LinesKept,
    LineWish,
)
from pi_app.club.outbox import Content, Outbox
from pi_app.club.records import (
    AWAY,
    EVERY_BOARD,
    HERE,
    LARGEST,
    Have,
    Record,
    RecordId,
    Summary,
    Topic,
    letter_topic,
    read_have,
    topic_of,
    write_message,
)
from pi_app.errors import GivenError
from pi_app.files import read_text, replace_text
from pi_app.identifiers import BoardName, MatchKey, shortened
from pi_app.journal.disk import JournalError
from pi_app.referee.view import View
from pi_app.sensing.reading import ALARMS
from pi_app.words.sentences import Sentence

CUT = Sentence("No connection to the club: {why}. Play on; everything is sent later")
NOT_READ = Sentence("Nothing goes to the club: {why}")
NOT_LET = Sentence(
    "The club's broker rejects account {account} for board {board}; use the board's own account"
)
ODD = Sentence("Ignored a message from the club: {why}")
UNCONFIRMED = Sentence(
    "The club's archive lacks 1 record of this board; sending it again",
    "The club's archive lacks {n} records of this board; sending them again",
)

MEMORY_FILE = "club.json"
"""The note of the archive's records, beside the journal; it may be deleted."""
LOOK_S = 1.0
"""The period of looking at the journal without a signal of change."""
GRACE_S = 5.0
"""A connection that returns within this time is not reported."""
HAVE_S = 3.0
"""The wait for the archive's status before anything is sent again."""
ECHO_S = 15.0
"""A board that does not hear itself by then is not let speak."""
SILENCE_S = 30.0
"""Time without an acknowledgement before reconnecting."""
DOUBT_S = 60.0
"""Time without a record in the archive before it is reported."""
SUMMARY_S = 0.25
MOST_AT_ONCE = 500
"""Messages read before the next look at the journal."""
SAVE_S = 30.0

MonotonicClock: TypeAlias = Callable[[], float]
LetterListener: TypeAlias = Callable[[BoardName, bytes], None]


class Wire:
    """Tells the club of the journal at `journal`, from `start` until `close`."""

    def __init__(
        self,
        access: Access,
        board: BoardName,
        journal: Path,
        clock: MonotonicClock = time.monotonic,
        fault: str | None = None,
    ) -> None:
        """With a `fault`, which it tells the players, it does nothing."""
        self._access, self._board, self._journal, self._clock = access, board, journal, clock
        self._memory = journal.with_name(MEMORY_FILE)
        self._outbox = Outbox(board, _remembered(self._memory))
        self._happenings: SimpleQueue[Happening | None] = SimpleQueue()
        wanted = LineWish(
            board,
            (Topic.HAVE.of(board), Topic.PRESENCE.of(board), letter_topic(EVERY_BOARD, board)),
            will=(Topic.PRESENCE.of(board), AWAY),
        )
        self._line = BrokerLine(access, wanted, self._happenings.put)
        self._thread = threading.Thread(target=self._run, name="the club's wire", daemon=True)
        self._closing = threading.Event()
        self._hear_letter: LetterListener = lambda _sender, _letter: None
        self._looks = False
        self._others = frozenset[BoardName]()
        self._warning: str | None = None
        self._fault = fault
        self._down: str | None = None
        self._odd: str | None = None
        self._is_up = self._echoed = self._told_have = False
        self._since = self._progressed = self._acknowledged = clock()
        self._saved, self._summed = clock(), 0.0
        self._saved_as = self._outbox.memory
        self._numbers: dict[int, RecordId] = {}
        self._contents: dict[MatchKey, Content] = {}
        self._current: MatchKey | None = None
        self._summary: Summary | None = None

    def start(self) -> None:
        if not self._fault:
            self._thread.start()

    def watch(self, view: View) -> None:
        """The screen shows this now; the decisions behind it are stored."""
        self.tell(str(view.message) if view.board in ALARMS else None)

    def tell(self, warning: str | None) -> None:
        """Something may be new in the journal, or in what the screen warns of; never waits."""
        self._warning = None if warning is None else shortened(warning)
        if self._thread.is_alive():
            self._happenings.put(None)

    def listen(self, hear: LetterListener) -> None:
        """Have another board's letters heard, on a thread of the wire's; before `start`."""
        self._hear_letter = hear

    def post(self, to: BoardName, letter: bytes) -> None:
        """Send another board a letter. Never waits; without a connection the letter is lost."""
        self._line.send(letter_topic(self._board, to), letter)

    def look_round(self) -> None:
        """Learn from now on which other boards are there; never waits."""
        self._looks = True
        self._line.listen(Topic.PRESENCE.of(EVERY_BOARD))

    @property
    def boards(self) -> tuple[BoardName, ...]:
        return tuple(sorted(self._others)) if self._is_up else ()

    @property
    def trouble(self) -> str | None:
        """The club's message for the players, or None."""
        now = self._clock()
        if self._fault:
            return self._fault
        if not self._is_up:
            waited = now - self._since
            return CUT(why=self._down) if self._down and waited > GRACE_S else None
        if not self._echoed and now - self._since > ECHO_S:
            return NOT_LET(account=self._access.account, board=self._board)
        if self._odd:
            return self._odd
        lacking = self._outbox.lacking
        return UNCONFIRMED(n=lacking) if lacking and now - self._progressed > DOUBT_S else None

    def close(self) -> None:
        self._closing.set()
        self._happenings.put(None)
        if self._thread.is_alive():
            self._thread.join(GRACE_S)

    def _run(self) -> None:
        try:
            with closing(LinesKept(self._journal)) as lines:
                self._line.start()
                while not self._closing.is_set():
                    self._step(lines)
        except JournalError as error:
            self._fault = NOT_READ(why=error.said)
        self._line.send(Topic.PRESENCE.of(self._board), AWAY, retain=True)
        self._line.close()
        self._save()

    def _step(self, lines: LinesKept) -> None:
        self._await()
        with suppress(JournalError):
            # One that cannot be read for now is looked at again; the players hear of it elsewhere.
            self._look(lines)
            if self._is_up:
                self._send(lines)
        now = self._clock()
        if self._outbox.is_waiting and now - self._acknowledged > SILENCE_S:
            self._acknowledged = now
            self._line.drop()
        if now - self._saved > SAVE_S:
            self._save()

    def _await(self) -> None:
        pending = self._is_up and (self._summary_due or not self._told_have)
        with suppress(Empty):
            self._take(self._happenings.get(timeout=SUMMARY_S if pending else LOOK_S))
            for _ in range(MOST_AT_ONCE):
                self._take(self._happenings.get_nowait())

    def _take(self, happening: Happening | None) -> None:
        match happening:
            case Connected():
                self._is_up, self._down, self._since = True, None, self._clock()
                self._progressed = self._acknowledged = self._since
                self._echoed = self._told_have = False
                self._summary = self._odd = None
                self._line.send(Topic.PRESENCE.of(self._board), HERE, retain=True)
                self._others = frozenset()
                if self._looks:
                    self.look_round()
            case Disconnected(why):
                if self._is_up or self._down is None:
                    self._since = self._clock()
                self._is_up, self._down = False, why
                self._numbers.clear()
                self._outbox.cut()
            case Acknowledged(number) if number in self._numbers:
                self._acknowledged = self._clock()
                self._outbox.acknowledged(self._numbers.pop(number))
            case ClubMessage(topic, message, retained):
                happening.taken()
                with guarded(self._is_odd):
                    self._hear(topic, message, retained=retained)

    def _hear(self, topic: str, message: bytes, *, retained: bool) -> None:
        with suppress(GivenError):
            match topic_of(topic):
                case self._board, Topic.PRESENCE.value:
                    self._echoed = self._echoed or (message == HERE and not retained)
                    if message == AWAY and not retained and self._is_up:
                        # An earlier connection of ours was given up only now.
                        self._line.send(topic, HERE, retain=True)
                case self._board, Topic.HAVE.value:
                    self._outbox.has(read_have(message), self._clock())
                    self._told_have, self._progressed = True, self._clock()
                case board, Topic.PRESENCE.value:
                    here = {board} if message == HERE else set()
                    self._others = self._others - {board} | here
                case board, _:
                    self._hear_letter(board, message)

    def _is_odd(self, said: str) -> None:
        self._odd = ODD(why=said)

    def _look(self, lines: LinesKept) -> None:
        if not lines.changed():
            return
        contents = {content.match: content for content in lines.contents()}
        changed = [match for match, one in contents.items() if self._contents.get(match) != one]
        if not self._outbox.lacking:
            self._progressed = self._clock()
        self._outbox.keep(contents.values())
        self._contents = contents
        if changed:
            self._current = changed[-1]

    def _send(self, lines: LinesKept) -> None:
        now = self._clock()
        if self._told_have or now - self._since > HAVE_S:
            self._told_have = True
            self._acknowledged = self._acknowledged if self._outbox.is_waiting else now
            for id_ in self._outbox.next(now):
                self._send_record(id_, lines)
        if self._summary_due and now - self._summed > SUMMARY_S:
            self._summed = now
            self._sum_up(lines)

    def _send_record(self, id_: RecordId, lines: LinesKept) -> None:
        line = lines.line(id_)
        message = b"" if line is None else write_message(Record(id_, line))
        if not message or len(message) > LARGEST:
            # A damaged one stays here; that is told where the journal is looked over.
            self._outbox.acknowledged(id_)
            return
        number = self._line.send(Topic.RECORD.of(self._board), message)
        if number is not None:
            self._numbers[number] = id_

    @property
    def _summary_due(self) -> bool:
        """Whether the screen has changed since the last summary."""
        if self._current is None:
            return False
        told, content = self._summary, self._contents[self._current]
        id_ = RecordId(self._board, content.match, content.decisions)
        return told is None or (told.id, told.warning) != (id_, self._warning)

    def _sum_up(self, lines: LinesKept) -> None:
        assert self._current is not None
        content, standing = self._contents[self._current], lines.standing(self._current)
        if standing is None:
            return
        id_ = RecordId(self._board, content.match, content.decisions)
        self._summary = Summary(id_, *standing, self._warning)
        self._line.send(Topic.SUMMARY.of(self._board), write_message(self._summary), retain=True)

    def _save(self) -> None:
        self._saved = self._clock()
        memory = self._outbox.memory
        if memory == self._saved_as:
            return
        # Without it everything is sent once more, and no harm done.
        with suppress(OSError):
            replace_text(self._memory, write_message(memory).decode())
            self._saved_as = memory


def _remembered(file: Path) -> Have | None:
    try:
        return read_have(read_text(file).encode())
    except (OSError, ValueError):
        return None
