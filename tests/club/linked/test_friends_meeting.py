"""Two boards meet by a code: what a guesser, an eavesdropper and a noisy broker can do."""

from __future__ import annotations

import hmac
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

import pytest
from shares import one_in

from pi_app.base.microseconds import Us, ms
from pi_app.club.friends import Spake2, code_words, envelopes_of
from pi_app.club.linked.meeting import (
    BLOCK,
    MOST_SEALED,
    NONCE_BYTES,
    NONCES,
    WORDS,
    CodeError,
    FriendCode,
    KeyExchange,
    Meeting,
    MeetingRole,
    MeetingStage,
    completions,
    new_code,
    pact_of,
    read_code,
)

LIST = ("scene", "consider", "smile", "smart", "ability", "able")
CODE = FriendCode(561, ("scene", "consider", "smile"))
SECOND = ms(1000)


class IdealPake:
    """What a PAKE promises, for many tries: the key is of both elements and one password, and an
    element says nothing about the password."""

    def __init__(self, role: MeetingRole, code: FriendCode, chance: random.Random) -> None:
        self._role, self._password = role, code.password
        self.element = role.value.encode() + chance.randbytes(32)

    def key(self, other: bytes) -> bytes | None:
        if other[:1] != self._role.other.value.encode():
            return None
        pair = sorted((self.element, other))
        return hmac.digest(self._password, b"".join(pair), "sha256")


class MeetingTable:
    """Two meetings with a wire between them, and the time."""

    def __init__(
        self,
        shown: FriendCode,
        read: FriendCode,
        exchange: Callable[[MeetingRole, FriendCode], KeyExchange],
    ):
        self.now = Us(0)
        self.shower = Meeting(MeetingRole.SHOWS, exchange(MeetingRole.SHOWS, shown), self.now)
        self.reader = Meeting(MeetingRole.READS, exchange(MeetingRole.READS, read), self.now)
        self.said: list[bytes] = []

    def step(self, lost: Callable[[], bool] = lambda: False) -> None:
        self.now = Us(self.now + SECOND)
        for one, other in ((self.reader, self.shower), (self.shower, self.reader)):
            message = one.step(self.now)
            if message is not None:
                self.said.append(message)
                if not lost():
                    other.hear(message)

    def run(self, steps: int = 8) -> tuple[MeetingStage, MeetingStage]:
        for _ in range(steps):
            self.step()
        return self.shower.stage, self.reader.stage


# The code


def test_a_code_is_a_number_and_three_words_of_33_bits() -> None:
    words = code_words()
    assert len(words) == len({word[:4] for word in words}) == 2048
    assert len(words) ** WORDS == 2**33
    code = new_code(words, random.Random(1).randrange)
    assert str(code) == f"{code.number} {' '.join(code.words)}"
    assert read_code(str(code), words) == code
    drawn = {new_code(words, random.Random(seed).randrange).number for seed in range(300)}
    assert min(drawn) < 500
    assert 9500 < max(drawn) <= 9999


@pytest.mark.parametrize(
    "text",
    [
        "561 scene consider smile",
        " 561-Scene-CONSIDER, smile. ",
        "561 scen cons smil",
        "561 scene c smi",
    ],
)
def test_a_code_is_read_as_people_type_it(text: str) -> None:
    assert read_code(text, LIST) == CODE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is a number and three words"),
        ("561 scene consider", "a number and three words"),
        ("561 scene consider smile smile", "a number and three words"),
        ("10000 scene consider smile", "'10000' is no number"),
        ("5x1 scene consider smile", "'5x1' is no number"),
        ("٥٦١ scene consider smile", "is no number"),
        ("9" * 5000 + " scene consider smile", "is no number"),
        ("561 scene consider sm", "'sm' is no word"),
        ("561 scene consider other", "'other' is no word"),
    ],
)
def test_what_is_no_code_is_told(text: str, said: str) -> None:
    with pytest.raises(CodeError, match=said):
        read_code(text, LIST)


def test_a_whole_word_counts_though_longer_ones_begin_so() -> None:
    assert read_code("1 able able abil", LIST).words == ("able", "able", "ability")
    assert completions("sm", LIST, 4) == ("smile", "smart")


# The meeting


def test_two_who_know_the_code_get_one_pact() -> None:
    table = MeetingTable(CODE, CODE, Spake2)
    assert table.run() == (MeetingStage.MET, MeetingStage.MET)
    here, there = table.shower.pact, table.reader.pact
    assert here
    assert there
    assert here.room == there.room
    assert (here.own_key, here.far_key) == (there.far_key, there.own_key)
    assert here.own_key != here.far_key
    said = b"".join(table.said)
    assert not any(word.encode() in said for word in CODE.words), "the words are never sent"
    assert here.own_key not in said
    assert here.room.encode() not in said


@pytest.mark.parametrize("place", range(WORDS))
def test_one_wrong_word_uses_the_code_up(place: int) -> None:
    words = list(CODE.words)
    words[place] = "able"
    table = MeetingTable(CODE, FriendCode(561, tuple(words)), Spake2)
    assert table.run() == (MeetingStage.WRONG, MeetingStage.WRONG)
    assert table.shower.pact is table.reader.pact is None
    friend = Meeting(MeetingRole.READS, Spake2(MeetingRole.READS, CODE), table.now)
    table.reader = friend
    table.run()
    assert friend.stage is MeetingStage.WAITS, "the right words are too late"
    assert table.shower.pact is None


def test_a_guesser_who_takes_the_answer_and_goes_silent_has_used_the_code_up() -> None:
    table = MeetingTable(CODE, FriendCode(561, ("able", "able", "able")), Spake2)
    table.step()
    assert table.shower.stage is MeetingStage.ASKED
    table.reader = Meeting(MeetingRole.READS, Spake2(MeetingRole.READS, CODE), table.now)
    table.run(40)
    assert table.shower.stage in (MeetingStage.WRONG, MeetingStage.OVER)
    assert table.shower.pact is table.reader.pact is None


def test_what_a_board_has_sent_is_of_no_use_to_who_sends_it_back() -> None:
    shower = Meeting(MeetingRole.SHOWS, Spake2(MeetingRole.SHOWS, CODE), Us(0))
    reader = Meeting(MeetingRole.READS, Spake2(MeetingRole.READS, CODE), Us(0))
    element = reader.step(Us(SECOND))
    assert element
    shower.hear(element)
    shower.step(Us(2 * SECOND))
    answer = shower.step(Us(3 * SECOND))
    assert answer
    for own in (answer[:33], answer[33:]):
        shower.hear(own)
    shower.step(Us(4 * SECOND))
    assert shower.stage is MeetingStage.WRONG, "its own proof is the wrong one"
    mirror = Meeting(MeetingRole.READS, Spake2(MeetingRole.READS, CODE), Us(0))
    mine = mirror.step(Us(SECOND))
    assert mine
    mirror.hear(mine + answer[33:])
    mirror.step(Us(2 * SECOND))
    assert mirror.stage is MeetingStage.WAITS, "its own element is no answer"


@pytest.mark.parametrize("seed", range(20))
def test_lost_messages_are_repeated(seed: int) -> None:
    chance = random.Random(seed)
    table = MeetingTable(CODE, CODE, lambda role, code: IdealPake(role, code, chance))
    for _ in range(60):
        table.step(lambda: chance.random() < 0.3)
    assert (table.shower.stage, table.reader.stage) == (MeetingStage.MET, MeetingStage.MET)
    assert table.shower.pact
    assert table.reader.pact
    assert table.shower.pact.room == table.reader.pact.room


def test_thousands_of_odd_messages_end_nothing_and_the_friend_is_still_met() -> None:
    """The shower hears them before the friend comes: what no board sends tests no words."""
    chance = random.Random(5)
    shower = Meeting(MeetingRole.SHOWS, Spake2(MeetingRole.SHOWS, CODE), Us(0))
    for number in range(3000 // one_in(4)):
        odd = bytearray(chance.randbytes(chance.choice((0, 1, 32, 33, 33, 33, 64, 65, 300))))
        if odd and chance.random() < 0.7:
            odd[0] = chance.choice(b"ABSab")
        if len(odd) == 33 and chance.random() < 0.2:
            odd[1:] = chance.choice((bytes(32), b"\xff" * 32, b"\x01" + bytes(31)))
        if len(odd) == 33 and odd[0] == ord("B"):
            continue  # half of these are points of the curve, thus a guess
        shower.hear(bytes(odd))
        shower.step(Us(number))
    assert shower.stage is MeetingStage.WAITS
    table = MeetingTable(CODE, CODE, Spake2)
    table.shower = shower
    assert table.run() == (MeetingStage.MET, MeetingStage.MET)


@pytest.mark.parametrize("length", [32, 33, 65])
@pytest.mark.parametrize("first", [b"", b"A", b"B", b"S"])
def test_junk_of_a_known_length_ends_no_meeting(length: int, first: bytes) -> None:
    """A point that is none, a wrong side, a proof before there is a key: none tests any words."""
    table = MeetingTable(CODE, CODE, Spake2)
    table.reader.step(table.now)
    for filling in (b"\xff", b"\x00"):
        junk = first + filling * (length - len(first))
        table.reader.hear(junk)
        table.reader.step(Us(table.now + 1))
        assert table.reader.stage is MeetingStage.WAITS
        fresh = Meeting(MeetingRole.SHOWS, Spake2(MeetingRole.SHOWS, CODE), Us(0))
        fresh.hear(junk)
        fresh.step(Us(1))
        assert fresh.stage is MeetingStage.WAITS
    assert table.run(12) == (MeetingStage.MET, MeetingStage.MET)


def test_a_true_point_with_a_false_proof_is_a_guess() -> None:
    table = MeetingTable(CODE, CODE, Spake2)
    point = Spake2(MeetingRole.SHOWS, CODE).element
    table.reader.hear(point + bytes(32))
    table.reader.step(Us(1))
    table.reader.step(Us(2))
    assert table.reader.stage is MeetingStage.WRONG


@pytest.mark.parametrize("role", list(MeetingRole))
def test_a_step_that_reads_says_nothing(role: MeetingRole) -> None:
    """Its calculation takes a time that depends on secrets; the answer leaves with the next."""
    table = MeetingTable(CODE, CODE, Spake2)
    element = table.reader.step(ms(1000))
    assert element
    table.shower.hear(element)
    assert table.shower.step(ms(2000)) is None
    answer = table.shower.step(ms(3000))
    assert answer
    if role is MeetingRole.READS:
        table.reader.hear(answer)
        table.reader.step(ms(4000))  # its element is due again, which goes first
        assert table.reader.pact is None
        assert table.reader.step(ms(5000)) is None
        assert table.reader.stage is MeetingStage.MET
        assert len(table.reader.step(ms(6000)) or b"") == 32


def test_no_key_and_no_word_is_shown_by_repr() -> None:
    pact = pact_of(bytes(range(32)), MeetingRole.SHOWS)
    assert not [key for key in (pact.own_key, pact.far_key) if repr(key) in repr(pact)]
    assert not [word for word in CODE.words if word in repr(CODE)]


def test_points_that_are_none_raise_nothing() -> None:
    chance = random.Random(6)
    refused = 0
    for _ in range(400 // one_in(4)):
        shower = Spake2(MeetingRole.SHOWS, CODE)
        refused += shower.key(b"B" + chance.randbytes(32)) is None
    assert refused > 20


def test_who_is_answered_and_proves_nothing_is_waited_for_half_a_minute() -> None:
    table = MeetingTable(CODE, CODE, Spake2)
    table.step()
    table.reader = Meeting(MeetingRole.READS, Spake2(MeetingRole.READS, CODE), ms(10**9))
    for _ in range(30):
        table.now = Us(table.now + SECOND)
        table.shower.step(table.now)
    assert table.shower.stage is MeetingStage.OVER


def test_a_code_lasts_ten_minutes() -> None:
    table = MeetingTable(CODE, CODE, Spake2)
    table.shower.step(ms(600_000))
    assert table.shower.stage is MeetingStage.OVER
    table.now = ms(600_000)
    table.run()
    assert table.shower.pact is None


# A guesser


def chance_of_a_guess(words: int) -> float:
    """One try for each code: one of words³."""
    return float(1 / words**WORDS)


def test_the_chance_of_a_guesser_is_one_in_eight_thousand_million() -> None:
    assert chance_of_a_guess(len(code_words())) == 2**-33
    # A stranger who uses up a code a minute, all day and all year, gets in once in 16 000 years.
    assert 1 / (chance_of_a_guess(2048) * 60 * 24 * 365) > 16_000


def guessed(tries: int, words: Sequence[str], seed: int) -> int:
    """How many of `tries` codes a guesser gets into, who does all that he may: any number of
    messages, guesses and proofs for each."""
    chance = random.Random(seed)
    every = [FriendCode(1, several) for several in product(words, repeat=WORDS)]
    got = 0
    for _ in range(tries):
        shower = Meeting(
            MeetingRole.SHOWS, IdealPake(MeetingRole.SHOWS, chance.choice(every), chance), Us(0)
        )
        guesses = chance.sample(every, 3)
        runs = [
            Meeting(MeetingRole.READS, IdealPake(MeetingRole.READS, one, chance), Us(0))
            for one in guesses
        ]
        now = Us(0)
        for _ in range(8):
            now = Us(now + SECOND)
            for run in runs:
                if message := run.step(now):
                    shower.hear(message)
            if answer := shower.step(now):
                for run in runs:
                    run.hear(answer)
        got += shower.pact is not None
    return got


def test_so_many_tries_against_a_short_code_get_in_as_often_as_one_guess_would() -> None:
    """Four words for 64 codes: three guesses a code get in no more often than one."""
    tries = 100_000 // one_in(10)
    got = guessed(tries, ("able", "scene", "smile", "consider"), seed=11)
    expected = tries / 64
    assert abs(got - expected) < 5 * expected**0.5, (got, expected)


# Envelopes


ROOM_KEY = bytes(range(32))


def nonces(seed: int = 1) -> Callable[[], bytes]:
    chance = random.Random(seed)
    return lambda: chance.randbytes(NONCE_BYTES)


def test_an_envelope_has_few_sizes_and_shows_no_word() -> None:
    ann, ben = (envelopes_of(pact_of(ROOM_KEY, role)) for role in MeetingRole)
    draw = nonces()
    sizes = Counter[int]()
    for length in range(0, 1000, 7):
        envelope = ann.seal(b"w" * length, draw())
        sizes[len(envelope)] += 1
        assert b"wwww" not in envelope
        assert ben.open(envelope) == b"w" * length
    assert set(sizes) == {284, 540, 796, 1052}
    with pytest.raises(ValueError, match="too long"):
        ann.seal(bytes(MOST_SEALED), draw())


def test_no_bit_of_an_envelope_can_be_changed() -> None:
    ann, ben = (envelopes_of(pact_of(ROOM_KEY, role)) for role in MeetingRole)
    envelope = ann.seal(b"a letter", nonces()())
    for bit in range(8 * len(envelope)):
        changed = bytearray(envelope)
        changed[bit // 8] ^= 1 << bit % 8
        assert ben.open(bytes(changed)) is None
    for end in range(len(envelope)):
        assert ben.open(envelope[:end]) is None
    assert ben.open(envelope + bytes(BLOCK)) is None
    assert ann.open(envelope) is None, "it is no use to who wrote it"
    stranger = envelopes_of(pact_of(bytes(32), MeetingRole.READS))
    assert stranger.open(envelope) is None
    assert ben.open(envelope) == b"a letter"


def test_a_repeated_envelope_is_dropped_and_order_does_not_matter() -> None:
    ann, ben = (envelopes_of(pact_of(ROOM_KEY, role)) for role in MeetingRole)
    draw, chance = nonces(), random.Random(3)
    written = [(b"%d" % number, ann.seal(b"%d" % number, draw())) for number in range(300)]
    chance.shuffle(written)
    assert all(ben.open(envelope) == content for content, envelope in written)
    assert not any(ben.open(envelope) for _, envelope in written)
    for _ in range(NONCES):
        ben.open(ann.seal(b"", draw()))
    assert ben.open(written[0][1]) == written[0][0], "the memory of nonces has an end"


def test_the_room_is_part_of_what_is_sealed() -> None:
    pact = pact_of(ROOM_KEY, MeetingRole.SHOWS)
    other = type(pact)(MeetingRole.READS, "00" * 16, pact.far_key, pact.own_key)
    assert envelopes_of(other).open(envelopes_of(pact).seal(b"x", nonces()())) is None
