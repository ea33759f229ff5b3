"""Friends at a real broker: they meet by a code, know each other later, and nobody else gets in."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from friends_broker import FriendsBroker, NatsForFriends
from hall import HAS_MOSQUITTO, HAS_NATS, until
from shares import one_in

from pi_app.base.identifiers import BoardName, IdentifierError, board_name, far_board
from pi_app.club import friends as friends_module
from pi_app.club.friends import (
    FRIENDS,
    MOST_FRIENDS,
    MOST_PENDING,
    RUN_BYTES,
    ChaCha,
    EnvelopeKind,
    Friend,
    FriendBook,
    Friends,
    FriendsError,
    code_words,
    envelopes_of,
)
from pi_app.club.line import Access, Broker, BrokerLine, ClubMessage, Connected, LineWish, Scheme
from pi_app.club.linked.meeting import (
    MOST_OF_LETTER,
    CodeError,
    MeetingRole,
    MeetingStage,
    pact_of,
    topic_of_room,
)
from pi_app.user.commands import Phrase

pytestmark = pytest.mark.skipif(not HAS_MOSQUITTO, reason="no mosquitto here")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends_module, "TICK_S", 0.05)


@pytest.fixture
def at_the_end() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def broker(tmp_path: Path, at_the_end: ExitStack) -> FriendsBroker:
    return at_the_end.enter_context(FriendsBroker(tmp_path))


AnyBroker = FriendsBroker | NatsForFriends


class FriendHome:
    """A board at somebody's home, which can be killed and started again."""

    def __init__(
        self, folder: Path, at_the_end: ExitStack, broker: AnyBroker, scheme: Scheme
    ) -> None:
        self.file = folder / FRIENDS
        self._access = Access((broker.at(scheme),), ca=broker.ca)
        self.letters: list[tuple[BoardName, bytes]] = []
        self.returned = 0
        self.friends = self._started()
        at_the_end.callback(self.close)

    def close(self) -> None:
        self.friends.close()

    def _started(self) -> Friends:
        friends = Friends(self._access, FriendBook(self.file))
        friends.listen(lambda board, letter: self.letters.append((board, letter)), self._back)
        friends.start()
        return friends

    def _back(self) -> None:
        self.returned += 1

    def killed(self) -> None:
        """Nothing of it goes on, and nothing is written any more."""
        self.friends.close()
        self.friends = self._started()

    @property
    def friend(self) -> Friend:
        (known,) = self.friends.book.known
        return known

    @property
    def knows(self) -> bool:
        return bool(self.friends.book.known)

    def code(self) -> str:
        assert self.friends.met
        return str(self.friends.met.code)


class FriendPair:
    def __init__(
        self,
        folder: Path,
        at_the_end: ExitStack,
        broker: AnyBroker,
        schemes: tuple[Scheme, Scheme] = (Scheme.MQTTS, Scheme.WSS),
    ) -> None:
        self.ann = FriendHome(folder / "ann", at_the_end, broker, schemes[0])
        self.ben = FriendHome(folder / "ben", at_the_end, broker, schemes[1])
        self._numbers = itertools.count()

    def meet(self, ann: str = "Ann", ben: str = "Ben") -> None:
        self.ann.friends.show_code(ann)
        self.ben.friends.take_code(self.ann.code(), ben)
        until(lambda: self.ann.knows and self.ben.knows)

    def write(self) -> None:
        """A letter each way; a board writes until it is heard."""
        for one, other in ((self.ann, self.ben), (self.ben, self.ann)):
            written = set[tuple[BoardName, bytes]]()

            def heard(
                one: FriendHome = one,
                other: FriendHome = other,
                written: set[tuple[BoardName, bytes]] = written,
            ) -> bool:
                letter = b"a letter, %d" % next(self._numbers)
                written.add((other.friend.board, letter))
                one.friends.post(one.friend.board, letter)
                return bool(written.intersection(other.letters))

            until(heard)


@pytest.fixture
def pair(tmp_path: Path, at_the_end: ExitStack, broker: FriendsBroker) -> FriendPair:
    return FriendPair(tmp_path, at_the_end, broker)


@pytest.mark.parametrize(
    "names", [("Ann", "Ben"), ("Ελένη", "Ümit 🎲"), ("李雷", "علی"), ("", "x" * 90)]
)
def test_two_meet_by_a_code_and_have_each_others_names(
    names: tuple[str, str], pair: FriendPair
) -> None:
    pair.meet(*names)
    assert pair.ann.friend.name == names[1][:40]
    assert pair.ben.friend.name == names[0][:40]
    assert pair.ann.friend.board == pair.ben.friend.board
    assert oct(pair.ann.file.stat().st_mode)[-3:] == "600"
    pair.write()
    pair.ann.friends.say(pair.ann.friend.board, Phrase.WELL_PLAYED)
    until(lambda: pair.ben.friends.heard_phrase)
    assert pair.ben.friends.heard_phrase == (pair.ben.friend.board, Phrase.WELL_PLAYED)


@pytest.mark.skipif(not HAS_NATS, reason="no nats-server here")
def test_friends_meet_and_write_at_a_nats_server_which_keeps_what_a_stranger_retains(
    tmp_path: Path, at_the_end: ExitStack
) -> None:
    """That is why mosquitto is named: it can be told to keep nothing."""
    nats = at_the_end.enter_context(NatsForFriends(tmp_path))
    pair = FriendPair(tmp_path, at_the_end, nats, (Scheme.MQTT, Scheme.WS))
    pair.meet()
    pair.write()
    line = BrokerLine(Access((nats.at(Scheme.MQTT),)), LineWish("spotter", ()), lambda _: None)
    at_the_end.callback(line.close)
    line.start()
    until(lambda: line.send("spotter/2/meet/1/a", b"kept", qos=0, retain=True))
    heard: list[ClubMessage] = []

    def hear(happening: object) -> None:
        if isinstance(happening, ClubMessage):
            heard.append(happening)

    topics = ("spotter/2/meet/1/a",)
    later = BrokerLine(Access((nats.at(Scheme.MQTT),)), LineWish("spotter", topics), hear)
    at_the_end.callback(later.close)
    later.start()
    until(lambda: heard)
    assert heard[0].message == b"kept"


def test_friends_need_no_code_after_a_restart(pair: FriendPair) -> None:
    pair.meet()
    pair.ann.killed()
    pair.ben.killed()
    pair.write()


def test_a_meeting_falls_silent_once_both_are_friends(pair: FriendPair) -> None:
    pair.meet()
    until(lambda: "meeting a friend" not in {one.name for one in threading.enumerate()})


def test_a_wrong_word_is_told_to_both_and_uses_the_code_up(pair: FriendPair) -> None:
    pair.ann.friends.show_code("Ann")
    right = pair.ann.code().split()
    other = next(word for word in code_words() if word not in right)
    pair.ben.friends.take_code(" ".join((*right[:3], other)), "Ben")
    both = (pair.ann.friends, pair.ben.friends)
    until(lambda: all(one.met and one.met.stage is MeetingStage.WRONG for one in both))
    assert [one.met and str(one.met.said) for one in both] == [
        "Wrong code, or somebody disturbed; it is used up. Ask for a new one"
    ] * 2
    pair.ben.friends.take_code(" ".join(right), "Ben")
    time.sleep(1)
    assert not pair.ann.knows
    assert not pair.ben.knows


def test_who_waits_for_nobody_is_told(pair: FriendPair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends_module, "NOBODY_S", 0.2)
    ben = pair.ben.friends
    ben.take_code("561 scene consider smile", "Ben")
    until(lambda: ben.met and ben.met.said.startswith("Nobody answered at wss://localhost:"))
    with pytest.raises(CodeError):
        ben.take_code("561 scene consider smlie", "Ben")


def test_a_broker_that_is_away_is_told_and_waited_for(
    pair: FriendPair, broker: FriendsBroker
) -> None:
    broker.process.kill()
    pair.ann.friends.show_code("Ann")
    until(lambda: pair.ann.friends.met and "cannot be reached" in pair.ann.friends.met.said)
    pair.ben.friends.take_code(pair.ann.code(), "Ben")
    broker.process.start()
    until(lambda: pair.ann.knows and pair.ben.knows)


def test_the_broker_is_killed_and_both_go_on(pair: FriendPair, broker: FriendsBroker) -> None:
    pair.meet()
    for _ in range(3):
        pair.ann.returned = pair.ben.returned = 0
        broker.process.kill()
        broker.process.start()
        until(lambda: pair.ann.returned and pair.ben.returned)
        pair.write()


@pytest.mark.slow
@pytest.mark.parametrize("who", ["ann", "ben"])
@pytest.mark.parametrize("place", range(8))
def test_a_board_is_killed_at_any_step_of_the_meeting(
    who: str, place: int, pair: FriendPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before its next message or its next word on the disk. Then both are friends, or they
    can meet by another code."""
    victim = pair.ann if who == "ann" else pair.ben
    left = [place]

    def lives() -> bool:
        left[0] -= 1
        return left[0] >= 0

    line_send, keep = BrokerLine.send, FriendBook.keep

    def send(line: BrokerLine, topic: str, *rest: object, **more: object) -> int | None:
        if victim.friends._line is line and not lives():
            return None
        return line_send(line, topic, *rest, **more)  # type: ignore[arg-type]

    def kept(book: FriendBook, friend: Friend) -> None:
        if victim.friends.book is not book or lives():
            keep(book, friend)

    monkeypatch.setattr(BrokerLine, "send", send)
    monkeypatch.setattr(FriendBook, "keep", kept)
    pair.ann.friends.show_code("Ann")
    pair.ben.friends.take_code(pair.ann.code(), "Ben")
    until(lambda: left[0] < 0 or (pair.ann.knows and pair.ben.knows))
    monkeypatch.setattr(BrokerLine, "send", line_send)
    monkeypatch.setattr(FriendBook, "keep", keep)
    victim.killed()
    end = time.monotonic() + 4
    while time.monotonic() < end and not (pair.ann.knows and pair.ben.knows):
        time.sleep(0.05)
    if not (pair.ann.knows and pair.ben.knows):
        assert not pair.ann.knows or not pair.ben.knows
        pair.meet()
    for home in (pair.ann, pair.ben):
        assert home.friends.book.known[0].name in ("Ann", "Ben")
    newest = pair.ann.friends.book.known[0].board
    assert pair.ben.friends.book.find(newest), "each has the other's newest pact"


def test_a_proof_without_a_greeting_is_told_and_at_last_the_code_is_over(
    pair: FriendPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(friends_module, "SILENT_S", 0.2)
    monkeypatch.setattr(Friends, "_greet", lambda *_, **__: None)
    pair.ann.friends.show_code("Ann")
    pair.ben.friends.take_code(pair.ann.code(), "Ben")
    ben = pair.ben.friends
    until(lambda: ben.met and ben.met.said.startswith("The code was right, but"))
    monkeypatch.setattr(friends_module, "LASTS", 0)
    monkeypatch.setattr(friends_module, "GRACE_S", 0.0)
    until(lambda: ben.met and ben.met.said.startswith("The code is used up"))
    assert not pair.ben.knows


def test_pacts_that_nobody_confirms_do_not_pile_up(tmp_path: Path) -> None:
    book = FriendBook(tmp_path / "a" / FRIENDS)
    chance = random.Random(1)
    friends = [Friend(pact_of(chance.randbytes(32), MeetingRole.READS)) for _ in range(20)]
    for friend in friends:
        book.keep(friend)
    assert book.all == tuple(friends[-MOST_PENDING:])
    assert FriendBook(tmp_path / "a" / FRIENDS).all == book.all


def test_a_friend_has_a_name_that_no_board_of_a_club_can_have() -> None:
    friend = Friend(pact_of(bytes(32), MeetingRole.READS))
    assert far_board(friend.board) == friend.board
    with pytest.raises(IdentifierError):
        board_name(friend.board)


def test_a_disk_that_takes_nothing_is_told_and_nothing_is_promised(
    pair: FriendPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(book: FriendBook, friend: Friend) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FriendBook, "keep", full)
    pair.ann.friends.show_code("Ann")
    pair.ben.friends.take_code(pair.ann.code(), "Ben")
    until(lambda: pair.ben.friends.met and "cannot be saved: No space" in pair.ben.friends.met.said)
    assert not pair.ann.knows


# Who listens, repeats and floods


class GuessingStranger:
    """Anybody at the broker: hears every topic, and may write at each."""

    def __init__(self, broker: FriendsBroker, at_the_end: ExitStack) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._is_up = threading.Event()
        access = Access((broker.at(Scheme.MQTT),))
        self.line = BrokerLine(access, LineWish("spotter", ("#",)), self._take)
        at_the_end.callback(self.line.close)
        self.line.start()
        assert self._is_up.wait(60)

    def _take(self, happening: object) -> None:
        if isinstance(happening, Connected):
            self._is_up.set()
        if isinstance(happening, ClubMessage):
            happening.taken()
            self.heard.append((happening.topic, happening.message))


def test_what_an_eavesdropper_learns_is_a_list(
    pair: FriendPair, broker: FriendsBroker, at_the_end: ExitStack
) -> None:
    """The number of the code, elements and proofs; and rooms, sizes and times. Nothing else."""
    stranger = GuessingStranger(broker, at_the_end)
    pair.meet("Ann Applebee", "Ben")
    words = pair.ann.code().split()[1:]
    pair.write()
    met = [(topic, message) for topic, message in stranger.heard if "/meet/" in topic]
    rest = [(topic, message) for topic, message in stranger.heard if "/meet/" not in topic]
    assert {len(message) for _, message in met} <= {32, 33, 65}
    room = pair.ann.friend.pact.room
    assert {topic for topic, _ in rest} == {
        f"spotter/2/room/{room}/{role.value}" for role in MeetingRole
    }
    assert {len(message) for _, message in rest} == {284}
    every = b"".join(message for _, message in stranger.heard)
    clear = ["Applebee", "Ben", "letter", *words]
    assert not [word for word in clear if len(word) > 3 and word.encode() in every]


def test_what_was_recorded_is_of_no_use(
    pair: FriendPair, broker: FriendsBroker, at_the_end: ExitStack
) -> None:
    """Repeated at once it is dropped; after a restart letters are opened again, and the numbers
    within them are for the link to check. Greetings change nothing."""
    stranger = GuessingStranger(broker, at_the_end)
    pair.meet()
    pair.write()
    pair.ann.friends.say(pair.ann.friend.board, Phrase.WELL_PLAYED)
    until(lambda: pair.ben.friends.heard_phrase)
    pair.ben.friends.heard_phrase = None
    recorded = [(t, m) for t, m in stranger.heard if "/room/" in t]
    for topic, message in recorded:
        stranger.line.send(topic, message)
    pair.write()
    assert len(set(pair.ben.letters)) == len(pair.ben.letters)
    before = json.loads(pair.ben.file.read_text())
    pair.ben.killed()
    until(lambda: pair.ben.friends._is_up)
    for topic, message in recorded:
        stranger.line.send(topic, message)
        stranger.line.send(topic, bytes([message[0] ^ 1]) + message[1:])
    pair.write()
    assert pair.ben.friends.heard_phrase is None
    pair.ann.friends.say(pair.ann.friend.board, Phrase.HELLO)
    until(lambda: pair.ben.friends.heard_phrase)
    assert json.loads(pair.ben.file.read_text()) == before


@pytest.mark.slow
def test_a_flood_of_both_rooms_stops_nobody(
    pair: FriendPair, broker: FriendsBroker, at_the_end: ExitStack
) -> None:
    """A stranger writes to both rooms as fast as he can; the friends hear each other meanwhile."""
    pair.meet()
    strangers = [GuessingStranger(broker, at_the_end) for _ in range(2)]
    room, ends = pair.ann.friend.pact.room, threading.Event()
    sent = [0]

    def floods(stranger: GuessingStranger) -> None:
        while not ends.is_set():
            for role in MeetingRole:
                stranger.line.send(f"spotter/2/room/{room}/{role.value}", os.urandom(284), qos=0)
                sent[0] += 1
            if not sent[0] % 2000:
                time.sleep(0.05)

    threads = [threading.Thread(target=floods, args=(one,), daemon=True) for one in strangers]
    for thread in threads:
        thread.start()
    try:
        for _ in range(2):
            pair.write()
    finally:
        ends.set()
    assert sent[0] > 20_000 // one_in(10)
    assert not pair.ann.friends.trouble


def test_strangers_who_shout_at_a_meeting_keep_nobody_out(
    pair: FriendPair, broker: FriendsBroker, at_the_end: ExitStack
) -> None:
    """What has not the form of an element tests no words. (One that has uses the code up.)"""
    stranger, chance = GuessingStranger(broker, at_the_end), random.Random(2)
    pair.ann.friends.show_code("Ann")
    number = pair.ann.code().split()[0]
    for _ in range(300):
        odd = chance.randbytes(chance.choice((0, 1, 31, 34, 66, 300)))
        for role in MeetingRole:
            stranger.line.send(f"spotter/2/meet/{number}/{role.value}", odd)
    pair.ben.friends.take_code(pair.ann.code(), "Ben")
    until(lambda: pair.ann.knows and pair.ben.knows)


def test_the_broker_takes_no_other_topic_and_keeps_nothing(
    broker: FriendsBroker, at_the_end: ExitStack
) -> None:
    stranger = GuessingStranger(broker, at_the_end)
    for topic in ("other", "spotter/1/town-1/record", "spotter/2/room/ab/c", "spotter/2/meet/1/a"):
        stranger.line.send(topic, b"x")
    until(lambda: stranger.heard)
    assert [topic for topic, _ in stranger.heard] == ["spotter/2/meet/1/a"]
    stranger.line.send("spotter/2/meet/1/b", b"retained", retain=True)
    time.sleep(0.5)
    assert not [t for t, m in GuessingStranger(broker, at_the_end).heard if m == b"retained"]
    assert not list(broker.folder.glob("*.db"))


class FarEnvelopes:
    """A board without a connection, and envelopes of its friend's, which it opens at once."""

    def __init__(self, folder: Path, *, known: bool = False) -> None:
        here, there = (pact_of(bytes(32), role) for role in MeetingRole)
        self.woken = 0
        self.book = FriendBook(folder / FRIENDS)
        self.friend = Friend(here, known=known)
        self.book.keep(self.friend)
        nowhere = Access((Broker("localhost", 1),))
        self.friends = Friends(nowhere, self.book, self._wake)
        self.friends._enter(self.friend)
        self._envelopes = envelopes_of(there)

    def _wake(self) -> None:
        self.woken += 1

    def come(self, kind: EnvelopeKind, said: bytes) -> None:
        envelope = self._envelopes.seal(kind.value + said, os.urandom(12))
        self.friends._read(self.friend.board, envelope)

    def greet(self, name: str) -> None:
        self.come(EnvelopeKind.GREETING, b"1" + bytes(RUN_BYTES) + name.encode())

    def say(self, phrase: Phrase) -> None:
        self.come(EnvelopeKind.PHRASE, self.friends._run + phrase.value.encode())

    @property
    def name(self) -> str:
        return self.book.known[0].name


def test_a_friend_keeps_the_first_name_and_other_ones_cost_no_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = FarEnvelopes(tmp_path)
    far.greet("Ben")
    assert far.name == "Ben"
    written = far.woken

    def refuses(book: FriendBook, friends: Mapping[BoardName, Friend]) -> None:
        raise AssertionError(friends)

    monkeypatch.setattr(FriendBook, "_write", refuses)
    for name in ("table-4", "Ben", "", "Zoe"):
        far.greet(name)
    assert (far.name, far.woken) == ("Ben", written)


def test_a_friend_whose_letters_come_first_gets_a_name_by_its_greeting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = FarEnvelopes(tmp_path)
    greeted: list[Friend] = []
    monkeypatch.setattr(far.friends, "_greet", greeted.append)
    for _ in range(3):
        far.come(EnvelopeKind.LETTER, b"a letter")
    assert len(greeted) == 1, "it asks for the name, once"
    assert far.name == ""
    far.greet("Ben")
    assert far.name == "Ben"


def test_phrases_wake_the_loop_once_until_one_is_shown(tmp_path: Path) -> None:
    far = FarEnvelopes(tmp_path, known=True)
    for phrase in Phrase:
        far.say(phrase)
    assert far.woken == 1
    assert far.friends.heard_phrase == (far.friend.board, tuple(Phrase)[-1]), "the newest is shown"
    far.friends.heard_phrase = None
    far.say(Phrase.WELL_PLAYED)
    assert far.woken == 2


def test_a_phrase_for_a_friend_without_a_board_goes_to_his_page(tmp_path: Path) -> None:
    far, said = FarEnvelopes(tmp_path, known=True), list[tuple[Friend, Phrase]]()
    rooms = SimpleNamespace(page=lambda *_: None, say=lambda *one: said.append(one))
    far.friends.guests = rooms
    far.come(EnvelopeKind.PAGE, b"")
    far.friends.say(far.friend.board, Phrase.THANKS)
    assert [(friend.board, phrase) for friend, phrase in said] == [
        (far.friend.board, Phrase.THANKS)
    ]


def test_a_phrase_to_an_earlier_run_is_not_shown(tmp_path: Path) -> None:
    far = FarEnvelopes(tmp_path, known=True)
    far.come(EnvelopeKind.PHRASE, bytes(RUN_BYTES) + Phrase.WELL_PLAYED.value.encode())
    assert far.friends.heard_phrase is None


def test_letters_of_a_stranger_cost_no_more_than_a_friends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of no possible length are not even decrypted, and none reaches the loop."""
    far, heard, opened = FarEnvelopes(tmp_path, known=True), [0], [0]
    opens = ChaCha.open

    def count(_board: BoardName, _letter: bytes) -> None:
        heard[0] += 1

    def counted(cipher: ChaCha, *sealed: bytes) -> bytes | None:
        opened[0] += 1
        return opens(cipher, *sealed)

    far.friends.listen(count, lambda: None)
    monkeypatch.setattr(ChaCha, "open", counted)
    topic = topic_of_room(far.friend.pact.room, far.friend.pact.role.other)
    real = [far._envelopes.seal(b"l" + bytes(200), os.urandom(12)) for _ in range(3000)]

    def cost(letters: list[bytes]) -> float:
        """Seconds of the processor, the least of three thirds."""
        spent = []
        for third in range(3):
            before = time.thread_time()
            for letter in letters[third::3]:
                far.friends._hear_at(topic, letter)
            spent.append(time.thread_time() - before)
        return min(spent)

    friendly = cost(real)
    assert heard == opened == [len(real)]
    strange = cost([os.urandom(len(real[0])) for _ in real])
    assert opened == [2 * len(real)]
    odd = cost([os.urandom(length) for length in (1, 283, 285, 999, 20_000) * 600])
    assert opened == [2 * len(real)]
    assert heard == [len(real)]
    assert strange < 2 * friendly
    assert odd < friendly


@pytest.mark.parametrize("kind", [EnvelopeKind.PAGE, EnvelopeKind.GREETING, EnvelopeKind.LETTER])
def test_a_friend_who_is_forgotten_while_he_writes_stays_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: EnvelopeKind
) -> None:
    """The line's thread has found the friend when the player forgets him."""
    far = FarEnvelopes(tmp_path)
    find = FriendBook.find

    def found(book: FriendBook, board: str) -> Friend | None:
        friend = find(book, board)
        if friend:
            book.forget(friend.board)
        return friend

    monkeypatch.setattr(FriendBook, "find", found)
    far.come(kind, b"1" + bytes(RUN_BYTES) + b"Ben")
    assert far.book.all == ()
    assert FriendBook(tmp_path / FRIENDS).all == ()


def test_what_changes_of_a_friend_at_once_is_all_kept(tmp_path: Path) -> None:
    far = FarEnvelopes(tmp_path)
    far.come(EnvelopeKind.PAGE, b"")
    assert far.book.known[0].page
    far.greet("Ben")
    assert far.book.known[0].page
    assert far.name == "Ben"


def test_a_letter_that_fits_in_no_envelope_is_lost_and_raises_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = FarEnvelopes(tmp_path, known=True)
    sent: list[int] = []
    line = BrokerLine(Access(()), LineWish("spotter", ()), lambda _: None)
    monkeypatch.setattr(line, "send", lambda _, message, **__: sent.append(len(message)))
    far.friends._line = line
    for length in (MOST_OF_LETTER, MOST_OF_LETTER + 1, 100_000):
        far.friends.post(far.friend.board, bytes(length))
    assert sent == [64 * 256 + 28]


def test_a_friend_more_than_can_be_kept_is_refused_and_none_is_dropped(tmp_path: Path) -> None:
    book = FriendBook(tmp_path / FRIENDS)
    for number in range(MOST_FRIENDS):
        pact = pact_of(bytes([number]) * 32, MeetingRole.READS)
        book.keep(Friend(pact, f"friend {number}", known=True))
    friends = Friends(Access((Broker("localhost", 1),)), book)
    with pytest.raises(FriendsError, match="You have 64 friends"):
        friends.show_code("Ann")
    with pytest.raises(FriendsError, match="You have 64 friends"):
        friends.take_code("561 scene consider smile", "Ann")
    assert friends.met is None
    assert len(book.known) == MOST_FRIENDS


def test_the_connection_ends_with_the_meeting_and_with_the_last_friend(pair: FriendPair) -> None:
    ann, ben = pair.ann.friends, pair.ben.friends
    ann.show_code("Ann")
    assert ann._line is not None
    ann.stop_meeting()
    assert ann._line is None
    pair.meet()
    ann.stop_meeting()
    assert ann._line is not None, "there is a friend"
    ann.forget(pair.ann.friend.board)
    assert ann._line is None
    assert ann.trouble is None
    ben.stop_meeting()
    ben.forget(pair.ben.friend.board)
    pair.meet()
    pair.write()


def test_a_board_without_friends_makes_no_connection(tmp_path: Path) -> None:
    nowhere = Access((Broker("localhost", 1),))
    friends = Friends(nowhere, FriendBook(tmp_path / FRIENDS))
    friends.start()
    assert friends._line is None
    assert friends.trouble is None
    friends.close()


IMPORTS = """
import sys
from pathlib import Path
from pi_app.club.friends import Friend, FriendBook, FRIENDS
from pi_app.club.linked.meeting import MeetingRole, pact_of
from pi_app.club.setting_up import open_friends
from pi_app.user.settings import FriendsSettings

journal = Path(sys.argv[1]) / "matches.db"
friend = Friend(pact_of(bytes(32), MeetingRole.READS), "Ben", known=True)
FriendBook(journal.with_name(FRIENDS)).keep(friend)
friends = open_friends(FriendsSettings("mqtt://127.0.0.1:9"), journal, lambda: None)
friends.start()
friends.post(friend.board, b"a letter")
late = ("spake2", "mnemonic")
print(*(name for name in late if name in sys.modules))
friends.load_words()
friends.show_code("Ann")
friends._appointment.ended.wait(0.1)
while not friends._appointment.meeting:
    pass
friends.close()
print(*(name for name in late if name in sys.modules))
"""


def test_what_only_a_meeting_needs_is_imported_when_one_begins(tmp_path: Path) -> None:
    """spake2 takes most of a second on a PC: it calculates as it is imported."""
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTS, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines() == ["", "spake2 mnemonic"]
