"""How two boards meet by a code: the code, the exchange that proves it, and the pact of a friend.

One board shows a code, the other reads it. The words of the code are never sent. Both are the
password of a PAKE (password-authenticated key exchange), from which both boards get one key; a
wrong guess gives another key and nothing to calculate with. From the key both derive the pact: a
room at the broker, and a key for each direction.

Nothing here sends, waits or draws: the key exchange, times and random numbers are arguments.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from enum import Enum
from hashlib import sha256
from itertools import islice
from typing import Protocol

from pi_app.base.errors import GivenError
from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.words.sentences import Sentence
from pi_app.words.texts import quoted

# The code: a number, which says where to meet and is public, and words, which are secret.

HIGHEST = 9999
"""The highest number of a code."""
WORDS = 3
"""The words of a code. With a list of 2 048 they have 33 bits."""
BEGINNING = 4
"""No two words of the list have the same first letters, up to this many."""

NO_CODE = Sentence("{text} is no code; it is a number and three words")
NO_NUMBER = Sentence("{text} is no number from 0 to 9999")
NO_WORD = Sentence("{text} is no word of a code")


class CodeError(GivenError, ValueError):
    """A text that is no code; says which part is wrong."""


@dataclass(frozen=True, slots=True)
class FriendCode:
    number: int
    words: tuple[str, ...] = field(repr=False)

    def __str__(self) -> str:
        return " ".join((str(self.number), *self.words))

    @property
    def password(self) -> bytes:
        return str(self).encode()


def new_code(words: Sequence[str], draw: Callable[[int], int]) -> FriendCode:
    """Return a code of these words; `draw` returns a random number from 0 to below its argument."""
    number = draw(HIGHEST + 1)
    return FriendCode(number, tuple(words[draw(len(words))] for _ in range(WORDS)))


def read_code(text: str, words: Sequence[str]) -> FriendCode:
    """Read a code as people type it, with any signs between its parts. Raises CodeError.

    The beginning of a word is enough if no other word has it.
    """
    parts = "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
    if len(parts) != WORDS + 1:
        raise CodeError(NO_CODE(text=quoted(text)))
    first, *others = parts
    if not (first.isascii() and first.isdecimal()) or int(first[:5]) > HIGHEST or len(first) > 5:
        raise CodeError(NO_NUMBER(text=quoted(first)))
    return FriendCode(int(first), tuple(_word(part, words) for part in others))


def completions(beginning: str, words: Sequence[str], most: int) -> tuple[str, ...]:
    """The words that begin so, in the order of the list."""
    return tuple(islice((word for word in words if word.startswith(beginning)), most))


def _word(part: str, words: Sequence[str]) -> str:
    found = completions(part, words, 2)
    if part in found:
        return part
    if len(found) != 1:
        raise CodeError(NO_WORD(text=quoted(part)))
    return found[0]


# The meeting, by three messages: the reader's element; the shower's element and proof; the
# reader's proof. Elements are SPAKE2's. The roles differ in all of them, so that nothing a board
# has sent is of use when it is sent back to it.
#
# The shower answers one element and then the code is used up, whatever follows: each meeting
# tests one guess of the words. The reader may hear no answer because nobody shows the code, or
# because the answer is lost, so both repeat their last message.

LASTS = ms(600_000)
"""How long a code can be used."""
ANSWER = ms(30_000)
"""The reader proves within this time that its words are right."""
AGAIN = ms(2000)
"""The last message is repeated at this interval."""
ELEMENT_BYTES, PROOF_BYTES = 33, 32
MOST_WAITING = 4
"""The most messages read at one step; others are dropped. Each costs up to a tenth of a second."""
_REFUSAL = bytes(PROOF_BYTES)
"""The reader's proof if the shower's is wrong. It says nothing about the reader's words."""


class MeetingRole(Enum):
    """Who a board is at a meeting and in the room; the value is the topic that it writes to."""

    SHOWS = "a"
    READS = "b"

    @property
    def other(self) -> MeetingRole:
        return MeetingRole.READS if self is MeetingRole.SHOWS else MeetingRole.SHOWS


class KeyExchange(Protocol):
    """One run of the PAKE, for one role and password."""

    @property
    def element(self) -> bytes:
        """What is sent: ELEMENT_BYTES bytes."""

    def key(self, other: bytes) -> bytes | None:
        """The key after the other side's element.

        None if no honest board sends such a one; then nothing was tested, and another element may
        be tried.
        """


class MeetingStage(Enum):
    WAITS = "waits"
    """Nobody has answered yet."""
    ASKED = "asked"
    """The shower has answered an element, and waits for the proof."""
    MET = "met"
    """The other board has proved that it knows the words."""
    WRONG = "wrong"
    """A proof was wrong: the words differ, or a stranger wrote it. The code is used up."""
    OVER = "over"
    """The time is over, or nobody proved anything."""


@dataclass(frozen=True, slots=True)
class Pact:
    """What two friends' boards share: a room at the broker, and a key for each direction."""

    role: MeetingRole
    room: str
    own_key: bytes = field(repr=False)
    far_key: bytes = field(repr=False)


class Meeting:
    """One board's side of a meeting that begins now, at `us`."""

    def __init__(self, role: MeetingRole, exchange: KeyExchange, us: Us) -> None:
        self.role, self._exchange = role, exchange
        self.stage = MeetingStage.WAITS
        self.pact: Pact | None = None
        self._until, self._again = Us(us + LASTS), us
        self._waiting: list[bytes] = []
        self._says = exchange.element if role is MeetingRole.READS else b""
        self._answered = b""
        self._key = b""

    def hear(self, message: bytes) -> None:
        """Take a message; `step` reads it. Messages of no known form are dropped."""
        known = (ELEMENT_BYTES, PROOF_BYTES) if self.role is MeetingRole.SHOWS else (_ANSWER_BYTES,)
        if len(message) in known and len(self._waiting) < MOST_WAITING:
            self._waiting.append(message)

    def step(self, us: Us) -> bytes | None:
        """Return what is to be sent now; if there is nothing, read what has come.

        The key exchange takes a time that depends on secrets, so a step that reads sends nothing.
        Called once a second, a meeting answers on a full second that is the same for all secrets.
        """
        if us >= self._until and self.stage in (MeetingStage.WAITS, MeetingStage.ASKED):
            self.stage, self._says = MeetingStage.OVER, b""
        if not self._says or us < self._again:
            self._read(us)
            return None
        self._again = Us(us + AGAIN)
        says = self._says
        if self.stage is MeetingStage.WRONG:
            self._says = b""
        return says

    @property
    def has_ended(self) -> bool:
        """Whether no pact can come of it any more, and nothing is to be sent."""
        return self.stage in (MeetingStage.WRONG, MeetingStage.OVER) and not self._says

    def _read(self, us: Us) -> None:
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            if self.role is MeetingRole.READS:
                self._read_answer(message)
            elif len(message) == ELEMENT_BYTES:
                self._read_element(message, us)
            else:
                self._read_proof(message)

    def _read_element(self, element: bytes, us: Us) -> None:
        if self.stage is not MeetingStage.WAITS:
            return  # one guess was tested already
        key = self._exchange.key(element)
        if key is None:
            return  # nothing of the words was tested
        self.stage, self._answered, self._key = MeetingStage.ASKED, element, key
        self._says = self._exchange.element + self._proof(MeetingRole.SHOWS)
        self._until, self._again = min(self._until, Us(us + ANSWER)), us

    def _read_proof(self, proof: bytes) -> None:
        if self.stage is not MeetingStage.ASKED:
            return
        self._says = b""
        if hmac.compare_digest(proof, self._proof(MeetingRole.READS)):
            self._meet()
        else:
            self.stage = MeetingStage.WRONG

    def _read_answer(self, answer: bytes) -> None:
        if self.stage is not MeetingStage.WAITS:
            return
        element, proof = answer[:ELEMENT_BYTES], answer[ELEMENT_BYTES:]
        key = self._exchange.key(element)
        if key is None:
            return  # nothing of the words was tested
        self._answered, self._key, self._again = element, key, Us(0)
        if hmac.compare_digest(proof, self._proof(MeetingRole.SHOWS)):
            self._says = self._proof(MeetingRole.READS)
            self._meet()
        else:
            self._says, self.stage = _REFUSAL, MeetingStage.WRONG

    def _meet(self) -> None:
        self.stage = MeetingStage.MET
        self.pact = pact_of(self._key, self.role)

    def _proof(self, role: MeetingRole) -> bytes:
        elements = {self.role: self._exchange.element, self.role.other: self._answered}
        said = (b"spotter meeting 2", role.value.encode(), elements[MeetingRole.SHOWS])
        return hmac.digest(self._key, b"\n".join((*said, elements[MeetingRole.READS])), "sha256")


_ANSWER_BYTES = ELEMENT_BYTES + PROOF_BYTES


def pact_of(key: bytes, role: MeetingRole) -> Pact:
    """Derive the pact by HKDF (RFC 5869) with SHA-256."""
    extracted = hmac.digest(b"spotter pact 2", key, "sha256")

    def derived(what: str) -> bytes:
        return hmac.digest(extracted, what.encode() + b"\x01", "sha256")

    keys = {one: derived(f"key {one.value}") for one in MeetingRole}
    return Pact(role, derived("room")[:16].hex(), keys[role], keys[role.other])


# What friends write each other: sealed envelopes of few sizes, so that a size says little.

NONCE_BYTES, TAG_BYTES = 12, 16
BLOCK = 256
MOST_SEALED = 64 * BLOCK
"""The most bytes of content, with its length, in an envelope."""
_LENGTH_BYTES = 4
MOST_OF_LETTER = MOST_SEALED - _LENGTH_BYTES - 1
"""The most bytes of a letter; one more says what the content is."""
NONCES = 4096
"""How many nonces are remembered. A repeated envelope is dropped; an older one may be opened again,
and what is in it is ignored where letters are counted."""


class Cipher(Protocol):
    """Authenticated encryption with one key; `associated` is checked and not encrypted."""

    def seal(self, nonce: bytes, content: bytes, associated: bytes) -> bytes: ...

    def open(self, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
        """None if any of the three is not what was sealed."""


class Envelopes:
    """Seals and opens the messages of one room. `open` is for one thread."""

    def __init__(self, room: str, own: Cipher, far: Cipher) -> None:
        self._room, self._own, self._far = room.encode("ascii"), own, far
        self._seen: dict[bytes, None] = {}

    def seal(self, content: bytes, nonce: bytes) -> bytes:
        """Return an envelope; the nonce of NONCE_BYTES is random. Raises ValueError if the content
        is too long."""
        framed = len(content).to_bytes(_LENGTH_BYTES, "big") + content
        if len(framed) > MOST_SEALED:
            raise ValueError(f"a message of {len(content)} bytes is too long to be sealed")
        padded = framed + bytes(-len(framed) % BLOCK)
        return nonce + self._own.seal(nonce, padded, self._room)

    def open(self, envelope: bytes) -> bytes | None:
        """Return the content; None if the envelope is not the other board's, or came before."""
        size = len(envelope) - NONCE_BYTES - TAG_BYTES
        nonce = envelope[:NONCE_BYTES]
        if size <= 0 or size > MOST_SEALED or size % BLOCK or nonce in self._seen:
            return None
        padded = self._far.open(nonce, envelope[NONCE_BYTES:], self._room)
        if padded is None:
            return None
        self._seen[nonce] = None
        for oldest in self._outdated():
            del self._seen[oldest]
        length = int.from_bytes(padded[:_LENGTH_BYTES], "big")
        return padded[_LENGTH_BYTES : _LENGTH_BYTES + length]

    def _outdated(self) -> Iterator[bytes]:
        yield from tuple(islice(self._seen, max(0, len(self._seen) - NONCES)))


def topic_of_meeting(number: int, role: MeetingRole) -> str:
    return f"spotter/2/meet/{number}/{role.value}"


def topic_of_room(room: str, role: MeetingRole) -> str:
    return f"spotter/2/room/{room}/{role.value}"


def room_number(room: str) -> str:
    """A short name of a room, by which a board tells its friends apart."""
    return sha256(room.encode("ascii")).hexdigest()[:16]
