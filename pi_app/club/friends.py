"""Friends far away: who they are, how one meets them, and what goes to them and comes from them.

All of it goes over a broker that nobody has to trust: it needs no account, and can read nothing.
"""

from __future__ import annotations

import secrets
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import field, replace
from enum import Enum
from functools import cache, partial
from http.client import HTTPException
from pathlib import Path
from typing import Annotated, Protocol
from urllib.request import urlopen

from msgspec import Meta

from pi_app.base.errors import GivenError
from pi_app.base.files import read_text, replace_text, why
from pi_app.base.identifiers import BoardName
from pi_app.base.microseconds import Us
from pi_app.base.typed_json import read as read_json
from pi_app.base.typed_json import write
from pi_app.base.values import dataclass
from pi_app.club.guard import guarded
from pi_app.club.line import (
    Access,
    BrokerLine,
    ClubMessage,
    Connected,
    Disconnected,
    Happening,
    LineWish,
)
from pi_app.club.linked.meeting import (
    AGAIN,
    LASTS,
    MOST_OF_LETTER,
    NONCE_BYTES,
    Envelopes,
    FriendCode,
    Meeting,
    MeetingRole,
    MeetingStage,
    Pact,
    new_code,
    read_code,
    room_number,
    topic_of_meeting,
    topic_of_room,
)
from pi_app.club.records import HashText
from pi_app.user.commands import Phrase
from pi_app.words.sentences import Sentence
from pi_app.words.texts import clean_name

CUT = Sentence("No connection to your friends: {why}")
NOBODY = Sentence("Nobody answered at {broker}. Does your friend use the same broker?")
WRONG = Sentence("Wrong code, or somebody disturbed; it is used up. Ask for a new one")
OVER = Sentence("The code is used up. Ask for a new one")
SILENT = Sentence("The code was right, but your friend's board is silent. Ask for a new code")
NOT_KEPT = Sentence("Your friend cannot be saved: {why}")
FULL = Sentence("You have {most} friends, and no more can be kept; forget one first")

DAMAGED = Sentence("{path} cannot be read: {why}")

FRIENDS = "friends.json"
"""The private file beside the journal with the keys of all friends."""
MOST_FRIENDS = 64
"""Who knows so many meets no other."""
MOST_PENDING = 4
"""Pacts whose other side has not been heard; the oldest ones are dropped."""
GRACE_S = 5.0
"""A connection that returns within this many seconds is not reported."""
NOBODY_S = 20.0
"""Seconds without an answer until the reader of a code is told that nobody answers."""
SILENT_S = 60.0
"""Seconds after the proof until a player is told that the friend's board does not greet."""
PAGE_S = 10.0
PAGE_MARK = b"<title>Spotter</title>"
RUN_BYTES = 8
"""The length of a random number that stands for one run of the program. A phrase carries that of
its reader's, so that a recording of it is of no use after a restart."""
NO_RUN = bytes(RUN_BYTES)
"""For a greeting that only asks for the other's, because its writer shows no phrases."""
TICK_S = 1.0
"""A meeting reads and answers once a second, whatever its calculations take."""


# The primitives ------------------------------------------------------------------------------
#
# SPAKE2 and the cipher are libraries'. spake2 is pure Python, has done one thing since 2010, and
# needs only `cryptography`; it says of itself that its time depends on secrets, hence TICK_S.


class Spake2:
    """SPAKE2 with the group Ed25519, for one role and a code."""

    def __init__(self, role: MeetingRole, code: FriendCode) -> None:
        # Whoever plays at one board needs no such package.
        import spake2  # noqa: PLC0415

        run = spake2.SPAKE2_A if role is MeetingRole.SHOWS else spake2.SPAKE2_B
        self._run = run(code.password, idA=b"spotter shows", idB=b"spotter reads")
        self.element: bytes = self._run.start()

    def key(self, other: bytes) -> bytes | None:
        try:
            # A run ends with the first element that it is given, though it is no point; a copy
            # leaves it for the friend's. A meeting uses no key after the first.
            key: bytes = copy(self._run).finish(other)
        except Exception:  # it raises undocumented ones, for points off the curve among others
            return None
        return key


class ChaCha:
    """ChaCha20-Poly1305 with one key."""

    def __init__(self, key: bytes) -> None:
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415
            ChaCha20Poly1305,
        )

        self._cipher, self._invalid = ChaCha20Poly1305(key), InvalidTag

    def seal(self, nonce: bytes, content: bytes, associated: bytes) -> bytes:
        return self._cipher.encrypt(nonce, content, associated)

    def open(self, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
        try:
            return self._cipher.decrypt(nonce, sealed, associated)
        except self._invalid:
            return None


def envelopes_of(pact: Pact) -> Envelopes:
    return Envelopes(pact.room, ChaCha(pact.own_key), ChaCha(pact.far_key))


@cache
def code_words() -> tuple[str, ...]:
    """The 2 048 English words of BIP-39, whose first four letters differ."""
    from mnemonic import Mnemonic  # noqa: PLC0415

    return tuple(Mnemonic("english").wordlist)


# Who they are --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend's board. One that is not `known` has proved to know the code and was not heard
    since; it may never have had this board's proof. `as_whom` is what the player here was called
    when they met. A friend with a `page` plays in a browser and has no board."""

    pact: Pact
    name: str = ""
    known: bool = False
    as_whom: str = ""
    page: bool = False

    @property
    def board(self) -> BoardName:
        """The name that this board alone has for the friend's."""
        return BoardName(f"~{room_number(self.pact.room)}")


@dataclass(frozen=True, slots=True)
class _KeptFriend:
    role: MeetingRole
    room: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    own_key: HashText
    far_key: HashText
    name: Annotated[str, Meta(max_length=80)]
    known: bool
    as_whom: Annotated[str, Meta(max_length=80)]
    page: bool = False


class FriendsError(GivenError, ValueError):
    """The file of friends cannot be read, or has no place for another; says why."""


class FriendBook:
    """All friends, in their file. Raises FriendsError if that cannot be read."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._friends: dict[BoardName, Friend] = {}
        try:
            read = read_json(read_text(path), tuple[_KeptFriend, ...])
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise FriendsError(DAMAGED(path=str(path), why=why(error))) from None
        for kept in read:
            keys = bytes.fromhex(kept.own_key), bytes.fromhex(kept.far_key)
            pact = Pact(kept.role, kept.room, *keys)
            names = clean_name(kept.name), clean_name(kept.as_whom)
            friend = Friend(pact, names[0], kept.known, names[1], kept.page)
            self._friends[friend.board] = friend

    @property
    def all(self) -> tuple[Friend, ...]:
        return tuple(self._friends.values())

    @property
    def known(self) -> tuple[Friend, ...]:
        """Friends that were heard, the last met first."""
        return tuple(friend for friend in reversed(self.all) if friend.known)

    def find(self, board: str) -> Friend | None:
        return self._friends.get(BoardName(board))

    def keep(self, friend: Friend) -> None:
        """Write a friend to the disk, new or changed. Raises OSError; then nothing changes."""
        with self._lock:
            friends = {**self._friends, friend.board: friend}
            pending = [board for board, one in friends.items() if not one.known]
            for board in pending[:-MOST_PENDING]:
                del friends[board]
            self._write(friends)

    def change(self, board: BoardName, change: Callable[[Friend], Friend]) -> bool:
        """Change a friend, unless another thread has forgotten him. Return whether that changed
        anything. Raises OSError; then nothing changes."""
        with self._lock:
            before = self._friends.get(board)
            after = change(before) if before else None
            if after is None or after == before:
                return False
            self._write({**self._friends, board: after})
            return True

    def forget(self, board: BoardName) -> None:
        """Raises OSError; then nothing changes."""
        with self._lock:
            self._write({b: friend for b, friend in self._friends.items() if b != board})

    def _write(self, friends: Mapping[BoardName, Friend]) -> None:
        kept = [
            _KeptFriend(
                one.pact.role,
                one.pact.room,
                one.pact.own_key.hex(),
                one.pact.far_key.hex(),
                one.name,
                one.known,
                one.as_whom,
                one.page,
            )
            for one in friends.values()
        ]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(self._path, write(kept))
        self._friends = dict(friends)


def serves_page(address: str, ca: Path | None) -> bool:
    """Whether a broker serves the page of friends without a board. Takes up to PAGE_S."""
    try:
        trusts = ssl.create_default_context(cafile=ca) if address.startswith("https:") else None
        with urlopen(address, timeout=PAGE_S, context=trusts) as answer:
            return PAGE_MARK in answer.read(2000)
    except (OSError, ValueError, HTTPException):
        return False


# What is said to them ------------------------------------------------------------------------


class EnvelopeKind(Enum):
    """What is in an envelope; its first byte."""

    GREETING = b"g"
    """`1` if the friend's greeting was opened, else `0`; the number of the writer's run, or NO_RUN,
    and the player's name."""
    LETTER = b"l"
    PHRASE = b"p"
    """The number of the reader's run, and the value of a Phrase."""
    PAGE = b"w"
    """From or for a browser in the place of a board: see app/guest.py."""


@dataclass(frozen=True, slots=True)
class MeetingShown:
    """A meeting as its player sees it: the code, how far it is, and the friend that was met.

    `said` is for the players; empty if nothing is to be told. `page` is the address at which a
    friend without a board plays, with the code in it.
    """

    code: FriendCode
    role: MeetingRole
    stage: MeetingStage
    friend: Friend | None = None
    said: str = ""
    has_ended: bool = False
    page: str = ""


LetterHearer = Callable[[BoardName, bytes], None]


class GuestRooms(Protocol):
    """The boards that this one simulates for friends who play in a browser. None of them blocks."""

    def letter(self, friend: Friend, letter: bytes) -> None:
        """Take a letter for such a friend."""

    def page(self, friend: Friend, message: bytes) -> None:
        """Take what such a friend's browser sends."""

    def say(self, friend: Friend, phrase: Phrase) -> None:
        """Show such a friend a phrase."""


@dataclass(slots=True)
class _Open:
    """What this run of the program knows of a friend."""

    envelopes: Envelopes
    had_theirs: bool = False
    """Whether the friend's greeting was opened."""
    had_ours: bool = False
    far_run: bytes = b""
    """The number of the run of the friend's program, once it has greeted."""


@dataclass(slots=True)
class _Appointment:
    """A meeting under way, and what its thread does."""

    code: FriendCode
    role: MeetingRole
    as_whom: str
    began: Us
    began_s: float
    meeting: Meeting | None = None
    """None until its thread has imported what it calculates with."""
    met_s: float | None = None
    page: str = ""
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def hears(self) -> str:
        return topic_of_meeting(self.code.number, self.role.other)


def _monotonic() -> Us:
    return Us(time.monotonic_ns() // 1000)


class Friends:
    """This board's friends, at a broker. Nothing blocks but `close`.

    Without friends and without a meeting there is no connection. `wake` is called when something
    has changed for the players.
    """

    def __init__(
        self,
        access: Access,
        book: FriendBook,
        wake: Callable[[], None] = lambda: None,
        clock: Callable[[], Us] = _monotonic,
    ) -> None:
        self.book, self._access, self._wake, self._clock = book, access, wake, clock
        self._line: BrokerLine | None = None
        self._is_up, self._down, self._since = False, "", time.monotonic()
        self._hear: LetterHearer = lambda _board, _letter: None
        self._reconnected: Callable[[], None] = lambda: None
        self._open: dict[BoardName, _Open] = {}
        self._rooms: dict[str, BoardName] = {}
        self._run = secrets.token_bytes(RUN_BYTES)
        self._appointment: _Appointment | None = None
        self.met: MeetingShown | None = None
        self.words: tuple[str, ...] = ()
        """The words of codes, once they are loaded."""
        self.guests: GuestRooms | None = None
        self.heard_phrase: tuple[BoardName, Phrase] | None = None
        """The newest phrase of a friend; whoever shows it removes it."""

    def load_words(self) -> None:
        """Make the words of codes ready to be offered; that takes a moment."""
        self.words = code_words()

    def listen(self, hear: LetterHearer, reconnected: Callable[[], None]) -> None:
        """Set the receiver of letters, and what to call when friends can be reached again. Both
        are called on a thread of the line. Call before `start`."""
        self._hear, self._reconnected = hear, reconnected

    def start(self) -> None:
        for friend in self.book.all:
            self._enter(friend)
        if self.book.all:
            self._connect()

    def close(self) -> None:
        self._end_meeting()
        if self._line:
            self._line.close()

    def _leave(self) -> None:
        """End the connection without friends and meeting. Another thread waits for its end."""
        if self._line and not self.book.all and not self._appointment:
            line, self._line = self._line, None
            self._is_up, self._down = False, ""
            threading.Thread(target=line.close, name="leaving a broker", daemon=True).start()

    @property
    def trouble(self) -> str | None:
        """Why friends cannot be reached, or None."""
        long_ago = time.monotonic() - self._since > GRACE_S
        is_down = self._line is not None and not self._is_up and self._down
        return CUT(why=self._down) if is_down and long_ago else None

    # Meeting

    def show_code(self, name: str) -> None:
        """Make a code and wait for a friend who has it; `name` is the player's here. Raises
        FriendsError if there are too many friends."""
        self._meet(new_code(code_words(), secrets.randbelow), MeetingRole.SHOWS, name)

    def take_code(self, text: str, name: str) -> None:
        """Meet the friend who shows this code. Raises CodeError if it is none, and FriendsError
        if there are too many friends."""
        self._meet(read_code(text, code_words()), MeetingRole.READS, name)

    def stop_meeting(self) -> None:
        """End a meeting; its code is used up."""
        self._end_meeting()
        self._leave()

    def _end_meeting(self) -> None:
        appointment, self._appointment, self.met = self._appointment, None, None
        if appointment:
            appointment.ended.set()
            if self._line:
                self._line.forget(appointment.hears)

    def _meet(self, code: FriendCode, role: MeetingRole, name: str) -> None:
        self._end_meeting()
        if len(self.book.known) >= MOST_FRIENDS:
            raise FriendsError(FULL(most=str(MOST_FRIENDS)))
        now_s = time.monotonic()
        appointment = _Appointment(code, role, clean_name(name), self._clock(), now_s)
        self._appointment, self.met = appointment, MeetingShown(code, role, MeetingStage.WAITS)
        if self._line:
            self._line.listen(appointment.hears)
        self._connect()
        run = threading.Thread(
            target=self._attend, args=(appointment,), name="meeting a friend", daemon=True
        )
        run.start()
        if role is MeetingRole.SHOWS:
            looks = partial(self._look_for_page, appointment)
            threading.Thread(target=looks, name="looking for a page", daemon=True).start()

    def _attend(self, appointment: _Appointment) -> None:
        """Let a meeting go on until both boards know that they have met, on its own thread."""
        code, role = appointment.code, appointment.role
        meeting = appointment.meeting = Meeting(role, Spake2(role, code), appointment.began)
        topic = topic_of_meeting(code.number, role)
        friend: Friend | None = None
        greeted = Us(0)
        while not appointment.ended.wait(TICK_S - time.monotonic() % TICK_S):
            said = meeting.step(self._clock())
            if meeting.pact and friend is None:
                friend = Friend(meeting.pact, as_whom=appointment.as_whom)
                try:
                    # On the disk before its proof, or anything sealed with it, is sent.
                    self.book.keep(friend)
                except OSError as error:
                    self._show(appointment, None, NOT_KEPT(why=why(error)), meeting.stage)
                    break
                self._enter(friend)
                appointment.met_s = time.monotonic()
                continue  # the greeting leaves on the next full second too
            if said and self._line:
                self._line.send(topic, said, qos=0)
            friend = (friend and self.book.find(friend.board)) or friend
            if friend and self._clock() >= greeted + AGAIN:
                greeted = self._clock()
                self._greet(friend)
            self._show(appointment, friend, self._said(appointment, meeting.stage), meeting.stage)
            if friend and friend.known and self._has_ours(friend):
                self._greet(friend)  # now it says that the friend's was opened
                break
            if meeting.has_ended:
                break
            if time.monotonic() > appointment.began_s + LASTS / 1e6 + GRACE_S:
                # The friend's board is off; if it has the pact, it greets when it is on.
                self._show(appointment, friend, OVER(), meeting.stage)
                break
        self._has_ended(appointment)

    def _look_for_page(self, appointment: _Appointment) -> None:
        """Show where a friend without a board plays, if the broker serves the page.

        The code stands behind the #, which no server is ever sent.
        """
        page = self._access.brokers[0].page
        if page and serves_page(page, self._access.ca):
            code = "-".join((str(appointment.code.number), *appointment.code.words))
            appointment.page = f"{page}#{code}"

    def _has_ended(self, appointment: _Appointment) -> None:
        if self._line and not appointment.ended.is_set():
            self._line.forget(appointment.hears)
        if appointment is self._appointment and self.met:
            self.met = replace(self.met, has_ended=True)
            self._wake()

    def _has_ours(self, friend: Friend) -> bool:
        """Whether the friend is known to have opened this board's greeting."""
        known = self._open.get(friend.board)
        return known is not None and known.had_ours

    def _said(self, appointment: _Appointment, stage: MeetingStage) -> str:
        if stage is MeetingStage.WRONG:
            return WRONG()
        if stage is MeetingStage.OVER:
            return OVER()
        if appointment.met_s and time.monotonic() - appointment.met_s > SILENT_S:
            return SILENT()
        waited = time.monotonic() - appointment.began_s > NOBODY_S
        reads = appointment.role is MeetingRole.READS
        if stage is MeetingStage.WAITS and self._is_up and reads and waited:
            return NOBODY(broker=str(self._access.brokers[0]))
        return "" if self._is_up else self._down

    def _show(
        self, appointment: _Appointment, friend: Friend | None, said: str, stage: MeetingStage
    ) -> None:
        if appointment is not self._appointment:
            return
        known = friend if friend and friend.known else None
        shown = MeetingShown(appointment.code, appointment.role, stage, known, said)
        shown = replace(shown, page=appointment.page)
        if shown != self.met:
            self.met = shown
            self._wake()

    # Friends

    def post(self, to: BoardName, letter: bytes) -> None:
        """Send a letter; without a connection, or with more than MOST_OF_LETTER bytes, it is
        lost."""
        friend = self.book.find(to)
        if friend and friend.page:
            if self.guests:
                self.guests.letter(friend, letter)
        elif len(letter) <= MOST_OF_LETTER:
            self._seal(to, EnvelopeKind.LETTER, letter)

    def show(self, to: BoardName, message: bytes) -> bool:
        """Send a message to a friend's browser; without a connection it is lost. Return whether it
        is short enough to be sent."""
        if len(message) > MOST_OF_LETTER:
            return False
        self._seal(to, EnvelopeKind.PAGE, message)
        return True

    def say(self, to: BoardName, phrase: Phrase) -> None:
        """Send a phrase; it is lost if the friend's board has not greeted in its present run."""
        friend, known = self.book.find(to), self._open.get(to)
        if friend and friend.page:
            if self.guests:
                self.guests.say(friend, phrase)
        elif known and known.far_run:
            self._seal(to, EnvelopeKind.PHRASE, known.far_run + phrase.value.encode())

    def forget(self, board: BoardName) -> None:
        """Forget a friend, who cannot write to this board any more. Raises OSError."""
        friend = self.book.find(board)
        if friend:
            self.book.forget(board)
            topic = _hears(friend.pact)
            self._rooms.pop(topic, None)
            self._open.pop(board, None)
            if self._line:
                self._line.forget(topic)
            self._leave()

    def _seal(self, to: BoardName, kind: EnvelopeKind, content: bytes) -> None:
        friend, known = self.book.find(to), self._open.get(to)
        if friend and known and self._line:
            envelope = known.envelopes.seal(kind.value + content, secrets.token_bytes(NONCE_BYTES))
            topic = topic_of_room(friend.pact.room, friend.pact.role)
            self._line.send(topic, envelope, qos=0)

    def _greet(self, friend: Friend, *, asks: bool = False) -> None:
        """Greet a friend, who answers until this board has opened a greeting, or if it `asks`."""
        known = self._open.get(friend.board)
        had = b"1" if known and known.had_theirs and not asks else b"0"
        said = had + self._run + friend.as_whom.encode()
        self._seal(friend.board, EnvelopeKind.GREETING, said)

    # On the line's thread, or before it has one

    def _connect(self) -> None:
        if self._line is None:
            self._line = BrokerLine(self._access, LineWish("spotter", ()), self._take)
            self._line.start()

    def _enter(self, friend: Friend) -> None:
        topic = _hears(friend.pact)
        self._open[friend.board] = _Open(envelopes_of(friend.pact))
        self._rooms[topic] = friend.board
        if self._line:
            self._line.listen(topic)

    def _take(self, happening: Happening) -> None:
        match happening:
            case Connected():
                line, appointment = self._line, self._appointment
                if line is None:
                    return  # it is being closed
                self._is_up = True
                line.listen(*self._rooms, *((appointment.hears,) if appointment else ()))
                for friend in self.book.all:
                    # Either board may have been started again, so each needs the other's run.
                    self._greet(friend, asks=True)
                self._reconnected()
                self._wake()
            case Disconnected(cause):
                if self._is_up or not self._down:
                    self._since = time.monotonic()
                self._is_up, self._down = False, cause
                self._wake()
            case ClubMessage(topic, message):
                happening.taken()
                with guarded(lambda _: None):
                    self._hear_at(topic, message)

    def _hear_at(self, topic: str, message: bytes) -> None:
        board, appointment = self._rooms.get(topic), self._appointment
        if board is not None:
            self._read(board, message)
        elif appointment and topic == appointment.hears and appointment.meeting:
            appointment.meeting.hear(message)

    def _read(self, board: BoardName, envelope: bytes) -> None:
        """Read an envelope; one that cannot be opened is dropped, however many there are."""
        friend, known = self.book.find(board), self._open.get(board)
        content = known.envelopes.open(envelope) if known else None
        if not content or friend is None or known is None:
            return
        kind, said = EnvelopeKind(content[:1]), content[1:]
        if kind is EnvelopeKind.GREETING:
            self._read_greeting(friend, known, said)
            return
        if not friend.known:
            self._greet(friend)  # its own one was lost, or comes later; this one asks for it
            self._change(board, lambda one: replace(one, known=True))
        if kind is EnvelopeKind.LETTER:
            self._hear(board, said)
        elif kind is EnvelopeKind.PAGE:
            self._read_page(board, said)
        elif said[:RUN_BYTES] == self._run:
            self.hear_phrase(board, Phrase(said[RUN_BYTES:].decode()))

    def hear_phrase(self, board: BoardName, phrase: Phrase) -> None:
        """Take a phrase of a friend; more of them wake nobody until the first was shown."""
        is_first = self.heard_phrase is None
        self.heard_phrase = (board, phrase)
        if is_first:
            self._wake()

    def _read_page(self, board: BoardName, said: bytes) -> None:
        """Raises OSError."""
        self._change(board, lambda one: replace(one, page=True))
        friend = self.book.find(board)
        if friend and self.guests:
            self.guests.page(friend, said)

    def _read_greeting(self, friend: Friend, known: _Open, said: bytes) -> None:
        had_ours, run, name = said[:1] == b"1", said[1 : 1 + RUN_BYTES], said[1 + RUN_BYTES :]
        known.had_theirs = True
        if run != NO_RUN:
            known.far_run = run
        known.had_ours = known.had_ours or had_ours
        # The first name stays, so that nobody takes another's by a later greeting.
        called = clean_name(name.decode("utf-8", "replace"))
        self._change(friend.board, lambda one: replace(one, name=one.name or called, known=True))
        if not had_ours:
            self._greet(friend)

    def _change(self, board: BoardName, change: Callable[[Friend], Friend]) -> None:
        """Keep what was heard of a friend. Raises OSError."""
        if self.book.change(board, change):
            self._wake()


def _hears(pact: Pact) -> str:
    return topic_of_room(pact.room, pact.role.other)


class PhraseEnvelopes:
    """A phrase for a friend, from a program of its own beside the one that plays."""

    def __init__(self, friend: Friend, phrase: Phrase) -> None:
        self._envelopes, self._said = envelopes_of(friend.pact), phrase.value.encode()
        self.writes_to = topic_of_room(friend.pact.room, friend.pact.role)
        self.hears = _hears(friend.pact)

    def asks(self) -> bytes:
        """A greeting, which the friend's board answers with its own."""
        return self._sealed(EnvelopeKind.GREETING, b"0" + NO_RUN)

    def answer(self, envelope: bytes) -> bytes | None:
        """The phrase, if this is the greeting of the friend's board."""
        content = self._envelopes.open(envelope)
        if not content or content[:1] != EnvelopeKind.GREETING.value:
            return None
        run = content[2 : 2 + RUN_BYTES]
        return self._sealed(EnvelopeKind.PHRASE, run + self._said) if run != NO_RUN else None

    def _sealed(self, kind: EnvelopeKind, said: bytes) -> bytes:
        return self._envelopes.seal(kind.value + said, secrets.token_bytes(NONCE_BYTES))
