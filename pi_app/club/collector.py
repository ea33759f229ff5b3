"""The archive's end of the wire: it stores what the boards send and acknowledges it.

A message is acknowledged once it is on disk. A retained message tells each board what the archive
has; the board sends the rest again.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue

from pi_app.base.errors import GivenError
from pi_app.base.identifiers import BoardName, IdentifierError
from pi_app.club.archive import Added, ClubArchive, ClubArchiveError
from pi_app.club.guard import Rationed, guarded
from pi_app.club.line import (
    Access,
    BrokerLine,
    ClubMessage,
    Connected,
    Disconnected,
    Happening,
    LineWish,
)
from pi_app.club.records import (
    EVERY_BOARD,
    HERE,
    NEWS_TOPICS,
    News,
    Presence,
    Record,
    Summary,
    Topic,
    board_of,
    read_message,
    topic_of,
    write_message,
)
from pi_app.words.texts import one_line, quoted

NAME = "spotter-archive"
"""The archive's account and client name at the broker, which queues messages while it is away."""
HAVE_S = 1.0
"""The least number of seconds between two messages about what the archive has."""
MOST_AT_ONCE = 500
"""The most messages that are processed, and records that are written, together."""
AGAIN_S = 1.0
"""Seconds until a failed write is tried again."""


class Collector:
    """Stores what every board sends in `archive`, from `start` until `close`.

    On the collector's thread, `on_news` gets each new record once it is on disk, and every summary
    and presence. `warn` gets a limited number of lines a minute for a person to read.
    """

    def __init__(
        self,
        access: Access,
        archive: ClubArchive,
        on_news: Callable[[News], None],
        warn: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._archive, self._on_news, self._clock = archive, on_news, clock
        self._warn = Rationed(warn, clock)
        self._happenings: SimpleQueue[Happening | None] = SimpleQueue()
        topics = tuple(topic.of(EVERY_BOARD) for topic in NEWS_TOPICS)
        wanted = LineWish(NAME, topics, lasting=True)
        self._line = BrokerLine(access, wanted, self._happenings.put)
        self._thread = threading.Thread(target=self._run, name="the club's archive", daemon=True)
        self._closing = threading.Event()
        self.is_up = self._greets = False
        """Whether it is connected to the broker."""
        self._session = ""
        self._said: str | None = None
        self._records: list[tuple[Record, ClubMessage]] = []
        self._status_due: dict[BoardName, float] = {}
        self._last_sent: dict[BoardName, float] = {}

    def start(self) -> None:
        self._thread.start()
        self._line.start()

    def close(self) -> None:
        """Store what has arrived and stop. May be called twice."""
        self._closing.set()
        self._happenings.put(None)
        if self._thread.is_alive():
            self._thread.join()
        self._line.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._await()
            self._write()
            if self.is_up:
                try:
                    self._tell_boards()
                except ClubArchiveError as error:
                    self._say(str(error))
        self._write()

    def _await(self) -> None:
        with suppress(Empty):
            self._take(self._happenings.get(timeout=HAVE_S / 4))
            for _ in range(MOST_AT_ONCE):
                self._take(self._happenings.get_nowait())

    def _take(self, happening: Happening | None) -> None:
        match happening:
            case Connected():
                self.is_up, self._said = True, None
                self._session = secrets.token_hex(8)
                self._last_sent.clear()
                self._greets = True
            case Disconnected(why):
                self.is_up = False
                self._say(why)
            case ClubMessage(topic):
                with guarded(partial(self._complain, topic)):
                    self._hear(happening)

    def _hear(self, heard: ClubMessage) -> None:
        try:
            news = _read(heard)
        except GivenError as error:
            # It will never be anything else: let the broker forget it.
            heard.taken()
            self._complain(heard.topic, str(error))
            return
        if isinstance(news, Record):
            self._records.append((news, heard))
            return
        heard.taken()
        if heard.again:
            # Late: the broker retains the newest, and tells it at every connection.
            return
        board = board_of(news)
        if board not in self._last_sent:
            self._status_due.setdefault(board, self._clock())
        self._on_news(news)

    def _write(self) -> None:
        """Write received messages, or keep them if the disk fails. Acknowledge only
        written ones."""
        if not self._records:
            return
        try:
            added = self._archive.add(record for record, _ in self._records)
        except ClubArchiveError as error:
            self._say(str(error))
            self._closing.wait(AGAIN_S)
            return
        written, self._records = self._records, []
        for record, heard in written:
            heard.taken()
            self._status_due.setdefault(record.id.board, self._clock())
        self._pass_on(added)

    def _pass_on(self, added: Added) -> None:
        for record in added.new:
            with guarded(partial(self._complain, Topic.RECORD.of(record.id.board))):
                self._on_news(record)
        for record in added.contradicting:
            id_ = record.id
            self._complain(
                Topic.RECORD.of(id_.board),
                f"record {id_.sequence} of match {id_.match} has come in two ways; the first "
                "counts, the other is kept aside",
            )

    def _tell_boards(self) -> None:
        now = self._clock()
        if self._greets:
            self._status_due.update(dict.fromkeys(self._archive.boards(), now))
            self._greets = False
        for board in tuple(self._status_due):
            if now - self._last_sent.get(board, -HAVE_S) < HAVE_S:
                continue
            message = write_message(replace(self._archive.have(board), session=self._session))
            if self._line.send(Topic.HAVE.of(board), message, retain=True) is None:
                return
            self._last_sent[board] = now
            del self._status_due[board]

    def _complain(self, topic: str, what: str) -> None:
        """Report a bad message, at most one line a minute of each board."""
        board = topic.split("/")[2:3]
        self._warn(one_line(f"{quoted(topic)}: {what}"), "".join(board))

    def _say(self, line: str) -> None:
        """Print a line, unless it repeats the last one."""
        if line != self._said:
            self._said = line
            self._warn(line)


def _read(heard: ClubMessage) -> News:
    board, kind = topic_of(heard.topic)
    if kind == Topic.PRESENCE.value:
        return Presence(board, heard.message == HERE)
    if kind not in (Topic.RECORD.value, Topic.SUMMARY.value):
        raise IdentifierError(f"there is no topic {quoted(kind)}")
    news: News = (
        read_message(heard.message, Record)
        if kind == Topic.RECORD.value
        else read_message(heard.message, Summary)
    )
    if board_of(news) != board:
        raise IdentifierError(f"it speaks for the board {board_of(news)}")
    return news
