"""A board's end of the wire: it sends the journal to the club and never delays play.

Its own threads read the journal and hold the connection; the loop only passes the views.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeAlias

from pi_app.base.errors import GivenError
from pi_app.base.files import read_text, replace_text
from pi_app.base.identifiers import BoardName, MatchKey, shortened
from pi_app.base.values import dataclass
from pi_app.club.guard import guarded
from pi_app.club.line import (
    Access,
    Acknowledged,
    BrokerLine,
    ClubMessage,
    Connected,
    Content,
    Disconnected,
    Happening,
    LinesKept,
    LineWish,
)
from pi_app.club.records import (
    AWAY,
    EVERY_BOARD,
    HERE,
    LARGEST,
    SEALED,
    Have,
    Record,
    RecordId,
    Summary,
    Topic,
    letter_topic,
    read_message,
    topic_of,
    write_message,
)
from pi_app.journal.disk import JournalError
from pi_app.referee.view import View
from pi_app.sensing.reading import ALARMS
from pi_app.words.sentences import Sentence

# What to send next; pure, without I/O or a clock.
#
# A record is sent once the journal has it, a few at a time until the broker acknowledges. It is
# done only when the archive confirms it. What was acknowledged and is still missing there is sent
# again, at growing intervals.

WINDOW = 20
"""The most records that the broker has not acknowledged."""
AHEAD = 250
"""The most records sent that the archive has not confirmed, while more wait."""
PATIENCE_S, LONGEST_PATIENCE_S = 10.0, 900.0
"""Seconds until missing records are sent again; doubled each time, up to the second figure."""


class _Strand(NamedTuple):
    """A match's start and decisions, or its seals, which are counted separately."""

    match: MatchKey
    is_seals: bool


@dataclass(slots=True)
class _StrandProgress:
    """How many records of a strand the journal has, the archive has, and were sent."""

    sequences: range | tuple[int, ...]
    had: int = 0
    sent: int = 0
    patience_s: float = PATIENCE_S
    since_s: float = 0.0

    @property
    def under_way(self) -> int:
        return max(0, self.sent - self.had)


class Outbox:
    """The records of a board that the archive may lack.

    `memory` is what an earlier outbox left; without it everything is sent again, which does no
    harm. Times are seconds of any clock that never goes back.
    """

    def __init__(self, board: BoardName, memory: Have | None = None) -> None:
        self._board = board
        self._strands: dict[_Strand, _StrandProgress] = {}
        self._unacknowledged: dict[RecordId, tuple[_Strand, int]] = {}
        self._session = ""
        self._archive = memory.archive if memory else ""
        self._had = dict(_had(memory)) if memory else {}

    def keep(self, contents: Iterable[Content]) -> None:
        for content in contents:
            self._keep(_Strand(content.match, False), range(content.decisions + 1))
            if content.seals:
                seals = tuple(SEALED + place for place in content.seals)
                self._keep(_Strand(content.match, True), seals)

    def next(self, now: float) -> tuple[RecordId, ...]:
        """The records to send now, in order; they then count as sent."""
        self._lose_patience(now)
        room = WINDOW - len(self._unacknowledged)
        ahead = AHEAD - sum(strand.under_way for strand in self._strands.values())
        chosen: list[RecordId] = []
        for strand, progress in self._strands.items():
            while progress.sent < len(progress.sequences) and len(chosen) < min(room, ahead):
                if not progress.under_way:
                    progress.since_s = now
                id_ = RecordId(self._board, strand.match, progress.sequences[progress.sent])
                self._unacknowledged[id_] = (strand, progress.sent)
                progress.sent += 1
                chosen.append(id_)
        return tuple(chosen)

    def acknowledged(self, id_: RecordId) -> None:
        self._unacknowledged.pop(id_, None)

    def cut(self) -> None:
        """The connection is lost: send again what was not acknowledged."""
        for strand, place in self._unacknowledged.values():
            progress = self._strands[strand]
            progress.sent = max(progress.had, min(progress.sent, place))
        self._unacknowledged.clear()

    def has(self, have: Have, now: float) -> None:
        if have.archive != self._archive:
            # Another archive, or the first: it may lack all that the one before had.
            self._archive, self._had = have.archive, {}
            for progress in self._strands.values():
                progress.had = progress.sent = 0
        for strand, had in _had(have):
            self._had[strand] = had
            if strand in self._strands:
                _advance(self._strands[strand], had, now)
        if have.session != self._session:
            self._session = have.session
            for progress in self._strands.values():
                progress.sent, progress.patience_s = progress.had, PATIENCE_S

    @property
    def lacking(self) -> int:
        return sum(len(one.sequences) - one.had for one in self._strands.values())

    @property
    def is_waiting(self) -> bool:
        return bool(self._unacknowledged)

    @property
    def memory(self) -> Have:
        counts = self._had.items()
        upto = {strand.match: had - 1 for strand, had in counts if not strand.is_seals}
        seals = {strand.match: had for strand, had in counts if strand.is_seals and had}
        return Have(self._archive, upto, seals)

    def _keep(self, strand: _Strand, sequences: range | tuple[int, ...]) -> None:
        progress = self._strands.get(strand)
        if progress is None:
            had = min(self._had.get(strand, 0), len(sequences))
            self._strands[strand] = _StrandProgress(sequences, had, had)
        else:
            progress.sequences = sequences

    def _lose_patience(self, now: float) -> None:
        for progress in self._strands.values():
            if progress.under_way and now - progress.since_s >= progress.patience_s:
                progress.sent, progress.since_s = progress.had, now
                progress.patience_s = min(2 * progress.patience_s, LONGEST_PATIENCE_S)


def _advance(progress: _StrandProgress, had: int, now: float) -> None:
    """The archive has this many records; fewer than before if it lost some."""
    had = min(had, len(progress.sequences))
    if had < progress.had:
        progress.sent = had
    if had != progress.had:
        progress.patience_s, progress.since_s = PATIENCE_S, now
    progress.had = had
    progress.sent = max(progress.sent, had)


def _had(have: Have) -> Iterator[tuple[_Strand, int]]:
    """Yield the number of records of each strand in an archive; 0 seals if it mentions none."""
    for match, upto in have.upto.items():
        yield _Strand(match, False), upto + 1
        yield _Strand(match, True), have.seals.get(match, 0)


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
"""The file beside the journal that notes what the archive has. It may be deleted."""
LOOK_S = 1.0
"""Seconds between two looks at the journal if nothing signals a change."""
GRACE_S = 5.0
"""A connection that returns within this many seconds is not reported."""
HAVE_S = 3.0
"""Seconds to wait for the archive's status before anything is sent again."""
ECHO_S = 15.0
"""A board that has not received its own message after this many seconds is not allowed to write."""
SILENCE_S = 30.0
"""Seconds without an acknowledgement before the wire reconnects."""
DOUBT_S = 60.0
"""Seconds without a new record in the archive before that is reported."""
SUMMARY_S = 0.25
MOST_AT_ONCE = 500
"""The most messages read before the journal is looked at again."""
SAVE_S = 30.0

MonotonicClock: TypeAlias = Callable[[], float]
LetterListener: TypeAlias = Callable[[BoardName, bytes], None]


class Wire:
    """Sends the journal at `journal` to the club, from `start` until `close`."""

    def __init__(
        self,
        access: Access,
        board: BoardName,
        journal: Path,
        clock: MonotonicClock = time.monotonic,
        fault: str | None = None,
    ) -> None:
        """With a `fault` it does nothing but show that to the players."""
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
        self._reconnected: Callable[[], None] = lambda: None
        self._looks = False
        self._others = frozenset[BoardName]()
        self._warning: str | None = None
        self._fault = fault
        self._down: str | None = None
        self._odd: str | None = None
        self._is_up = self._echoed = self._knows_archive = False
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
        """Take the view that the screen shows now; its decisions are stored."""
        self.tell(str(view.message) if view.board in ALARMS else None)

    def tell(self, warning: str | None) -> None:
        """The journal or the screen's warning may have changed. Never blocks."""
        self._warning = None if warning is None else shortened(warning)
        if self._thread.is_alive():
            self._happenings.put(None)

    def listen(self, hear: LetterListener, reconnected: Callable[[], None] = lambda: None) -> None:
        """Set the receiver of other boards' letters, and what to call whenever the connection
        stands; both are called on a thread of the wire. Call before `start`."""
        self._hear_letter, self._reconnected = hear, reconnected

    def post(self, to: BoardName, letter: bytes) -> None:
        """Send a letter to another board. Never blocks; without a connection the letter is lost."""
        self._line.send(letter_topic(self._board, to), letter)

    def look_round(self) -> None:
        """Start to follow which other boards are present. Never blocks."""
        self._looks = True
        self._line.listen(Topic.PRESENCE.of(EVERY_BOARD))

    @property
    def boards(self) -> tuple[BoardName, ...]:
        return tuple(sorted(self._others)) if self._is_up else ()

    @property
    def trouble(self) -> str | None:
        """The club's present problem for the players, or None."""
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
        pending = self._is_up and (self._summary_due or not self._knows_archive)
        with suppress(Empty):
            self._take(self._happenings.get(timeout=SUMMARY_S if pending else LOOK_S))
            for _ in range(MOST_AT_ONCE):
                self._take(self._happenings.get_nowait())

    def _take(self, happening: Happening | None) -> None:
        match happening:
            case Connected():
                self._is_up, self._down, self._since = True, None, self._clock()
                self._progressed = self._acknowledged = self._since
                self._echoed = self._knows_archive = False
                self._summary = self._odd = None
                self._line.send(Topic.PRESENCE.of(self._board), HERE, retain=True)
                self._others = frozenset()
                if self._looks:
                    self.look_round()
                self._reconnected()
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
                # One that comes again was heard already, on this very connection.
                if not happening.again:
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
                    self._outbox.has(read_message(message, Have), self._clock())
                    self._knows_archive, self._progressed = True, self._clock()
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
        if self._knows_archive or now - self._since > HAVE_S:
            self._knows_archive = True
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
        latest, content = self._summary, self._contents[self._current]
        id_ = RecordId(self._board, content.match, content.decisions)
        return latest is None or (latest.id, latest.warning) != (id_, self._warning)

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
        return read_message(read_text(file).encode(), Have)
    except (OSError, ValueError):
        return None
