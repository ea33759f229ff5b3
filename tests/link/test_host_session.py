"""The host's session: every state with every input, its events and its messages."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanner_wire import FromHost, pack, unpack_from_host

from pi_app.base.microseconds import Us, ms
from pi_app.link.messages import (
    Acknowledge,
    Cause,
    Configure,
    Decoder,
    Fault,
    FromScanner,
    Geometry,
    Hello,
    Report,
    Stranger,
    StripState,
    Who,
    encode,
)
from pi_app.link.session import (
    TABLE,
    Changed,
    Counters,
    Heard,
    HostSession,
    LinkEvent,
    LinkLost,
    LinkState,
    MatrixPicture,
    Up,
    step,
)

MATRIX = Geometry(2, 3, 5)


class SessionWire:
    """A session and what is put on its wire; a message comes every ten milliseconds."""

    def __init__(self) -> None:
        numbers = count(1)
        self.session = HostSession(MATRIX, lambda: next(numbers))
        self.now = ms(1000)
        self.said: list[FromHost] = []
        self._decoder = Decoder()
        self.session.plugged(self.now)

    @property
    def token(self) -> int:
        """The last CONFIGURE's token."""
        return [word.token for word in self.said if isinstance(word, Configure)][-1]

    def hello(self, token: int | None = None, geometry: Geometry = MATRIX) -> Hello:
        token = self.token if token is None else token
        return Hello(token, geometry, Cause.POWER, Fault.NONE, 0, 0)

    def hear(self, *messages: FromScanner, wait: float = 10) -> tuple[LinkEvent, ...]:
        self.now = Us(self.now + ms(wait))
        return self.bring(b"".join(encode(pack(message)) for message in messages))

    def bring(self, data: bytes) -> tuple[LinkEvent, ...]:
        events = self.session.receive(self.now, data)
        return (*events, *self.listen())

    def listen(self) -> tuple[LinkEvent, ...]:
        events = self.session.advance(self.now)
        outgoing = self._decoder.feed(self.session.take_outgoing())
        self.said += [unpack_from_host(payload) for payload in outgoing]
        return events

    def babble(self, data: bytes = b"$GPGGA,120000,5230\r\n") -> tuple[LinkEvent, ...]:
        """Six times in a second something says what is no message."""
        told: tuple[LinkEvent, ...] = ()
        for _ in range(6):
            told += self.bring(data)
            self.now = Us(self.now + ms(200))
        return told

    def wait(self, time_ms: float) -> tuple[LinkEvent, ...]:
        self.now = Us(self.now + ms(time_ms))
        return self.listen()

    def come_up(self, bits: int = 0) -> tuple[LinkEvent, ...]:
        self.hear(self.hello(0))
        return self.hear(self.hello(), report(0, bits))


def report(sequence: int, bits: int, time_ms: int = 0, lost: int = 0) -> Report:
    return Report(sequence, time_ms, lost, bytes([bits]))


def in_state(state: LinkState) -> SessionWire:
    """A session that has come to this state."""
    wire = SessionWire()
    if state is LinkState.SILENT:
        return wire
    if state is LinkState.FOREIGN:
        wire.babble()
        wire.bring(b"\0")
        return wire
    wire.hear(wire.hello(0))
    if state is LinkState.ACCEPTED:
        wire.hear(wire.hello())
    elif state is LinkState.UP:
        wire.hear(wire.hello(), report(0, 0))
    elif state is LinkState.REFUSED:
        wire.hear(replace(wire.hello(geometry=Geometry(0, 0, 0)), fault=Fault.ROWS))
    elif state is LinkState.STRANGE:
        wire.hear(Stranger(9))
    elif state is LinkState.BROKEN:
        wire.hear(wire.hello(), StripState(0, b"\0"))
    elif state is LinkState.UNFIT:
        wire.hear(wire.hello(), Report(0, 0, 0, b"\0\0"))
    wire.said = [word for word in wire.said if isinstance(word, Configure)]
    assert wire.session.state is state
    return wire


EXPECTED = """
          silent    asked     accepted  up        refused   strange   unfit     foreign   broken
free      asked     asked     asked     asked     refused   asked     asked     asked     asked
ours      asked     accepted  accepted  up        asked     asked     unfit     asked     broken
refusal   asked     refused   refused   asked     refused   asked     unfit     asked     broken
others    asked     asked     asked     asked     refused   asked     asked     asked     asked
strange   strange   strange   strange   strange   strange   strange   strange   strange   strange
next      silent    asked     up        up        refused   strange   asked     silent    broken
same      silent    asked     accepted  up        refused   strange   asked     silent    broken
older     silent    asked     accepted  up        refused   strange   asked     silent    broken
later     silent    asked     accepted  up        refused   strange   asked     silent    broken
strips    silent    asked     accepted  up        refused   strange   unfit     silent    asked
chopped   silent    asked     broken    broken    refused   strange   unfit     silent    broken
misfit    silent    asked     unfit     asked     refused   strange   unfit     silent    broken
babble    foreign   asked     accepted  up        refused   strange   unfit     foreign   broken
silence   silent    silent    silent    silent    silent    silent    silent    foreign   silent
unplugged silent    silent    silent    silent    silent    silent    silent    silent    silent
"""


def rows() -> list[tuple[LinkState, str, LinkState]]:
    heads, *lines = [line.split() for line in EXPECTED.strip().splitlines()]
    return [
        (LinkState(head), what, LinkState(after))
        for what, *afters in lines
        for head, after in zip(heads, afters, strict=True)
    ]


@pytest.mark.parametrize(("state", "what", "after"), rows())
def test_every_state_with_everything_heard(state: LinkState, what: str, after: LinkState) -> None:
    wire = in_state(state)
    configured = len(wire.said)
    unasked = state in (LinkState.SILENT, LinkState.FOREIGN)
    token = 1 if unasked else wire.token
    known = 0 if state is LinkState.UP else 0xFFFF
    refusal = Hello(token, Geometry(0, 0, 0), Cause.POWER, Fault.COLUMNS, 0, 0)
    messages: dict[str, FromScanner] = {
        "free": wire.hello(0),
        "ours": wire.hello(token),
        "refusal": refusal,
        "others": wire.hello(token + 7),
        "strange": Stranger(3),
        "next": report((known + 1) % 65536, 1),
        "same": report(known, 1),
        "older": report((known - 3) % 65536, 1),
        "later": report((known + 3) % 65536, 1),
        "strips": StripState(2, b"\0"),
        "chopped": StripState(1, b"\0"),
        "misfit": Report((known + 1) % 65536, 0, 0, b"\1\0"),
    }
    if what == "silence":
        events = wire.wait(1000)
    elif what == "unplugged":
        events = wire.session.unplugged(wire.now)
    elif what == "babble":
        events = wire.babble() if unasked else wire.bring(b"$GPGGA")
    else:
        events = wire.hear(messages[what])
    assert wire.session.state is after
    lost = state is LinkState.UP and after is not LinkState.UP
    assert any(isinstance(event, LinkLost) for event in events) is lost
    asks = after is LinkState.ASKED and (state is not LinkState.ASKED)
    assert sum(isinstance(word, Configure) for word in wire.said) - configured == asks


def test_what_stands_in_no_row_changes_nothing() -> None:
    for state in LinkState:
        for heard in Heard:
            if heard not in TABLE[state]:
                assert step(state, heard)[0] is state
    assert set(TABLE) == set(LinkState)


# Coming up


def test_into_silence_nothing_is_said() -> None:
    wire = SessionWire()
    assert wire.wait(60_000) == ()
    assert wire.said == []
    assert wire.session.due is None
    assert wire.session.trouble == "the scanner does not answer"


def test_from_the_first_hello_to_the_picture() -> None:
    wire = SessionWire()
    assert wire.hear(wire.hello(0)) == ()
    assert wire.said == [Configure(1, MATRIX)]
    assert wire.session.closed is None
    up, picture = wire.hear(wire.hello(), report(0, 0b100001))
    assert up == Up(ms(1020))
    assert picture == MatrixPicture(ms(1020), frozenset({(0, 0), (1, 2)}))
    assert wire.said[1:] == [Acknowledge(1, 0)]
    assert wire.session.closed == frozenset({(0, 0), (1, 2)})
    assert wire.session.trouble is None


def test_a_scanner_of_a_session_before_is_asked_who_it_is_and_configured_anew() -> None:
    wire = SessionWire()
    assert wire.hear(report(77, 5)) == ()
    assert wire.said == [Who()]
    assert wire.hear(wire.hello(5)) == ()
    assert wire.said == [Who(), Configure(1, MATRIX)]
    assert wire.hear(report(78, 5)) == ()
    assert wire.hear(wire.hello(), report(0, 5))[1] == MatrixPicture(
        ms(1040), frozenset({(0, 0), (0, 2)})
    )


def test_an_answer_that_was_lost_is_asked_for_again_under_another_name() -> None:
    wire = SessionWire()
    wire.hear(wire.hello(0))
    wire.hear(wire.hello(0), wait=249)
    assert len(wire.said) == 1
    wire.hear(wire.hello(0), wait=1)
    assert wire.said == [Configure(1, MATRIX), Configure(2, MATRIX)]
    wire.hear(wire.hello(1), report(0, 9))
    assert wire.session.closed is None  # the answer to the first
    wire.hear(wire.hello(2), report(0, 3))
    assert wire.session.closed == frozenset({(0, 0), (0, 1)})


def test_an_answer_that_waited_in_the_port_is_an_answer() -> None:
    wire = SessionWire()
    wire.hear(wire.hello(0))
    wire.hear(wire.hello(0), wire.hello(), report(0, 0), wait=900)
    assert wire.session.state is LinkState.UP
    assert len([word for word in wire.said if isinstance(word, Configure)]) == 1


def test_a_token_that_comes_twice_is_changed() -> None:
    session = HostSession(MATRIX, lambda: 0xFFFF)
    said = []
    for time_ms in (0, 300):
        session.receive(ms(time_ms), encode(pack(Hello(0, MATRIX, Cause.POWER, Fault.NONE, 0, 0))))
        (payload,) = Decoder().feed(session.take_outgoing())
        said.append(unpack_from_host(payload))
    assert said == [Configure(0xFFFF, MATRIX), Configure(1, MATRIX)]


@pytest.mark.parametrize(
    ("fault", "geometry", "says"),
    [
        (Fault.ROWS, Geometry(0, 0, 0), "rejects 2 × 3 cells, 5 ms: it has fewer rows"),
        (Fault.DEBOUNCE, Geometry(0, 0, 0), "its debounce time is too short"),
        (Fault.VERSION, Geometry(0, 0, 0), "end Spotter and run: spotter scanner --flash"),
        (Fault.NONE, Geometry(3, 2, 5), "it confirms another matrix"),
    ],
)
def test_a_refusal_is_told_in_words(fault: Fault, geometry: Geometry, says: str) -> None:
    wire = in_state(LinkState.ASKED)
    refusal = replace(wire.hello(geometry=geometry), fault=fault)
    wire.hear(refusal)
    assert says in (wire.session.trouble or "")
    wire.hear(refusal, wait=900)
    assert len(wire.said) == 1  # it is not asked again and again


def test_a_scanner_of_protocol_1_is_configured_in_its_own_words() -> None:
    wire = SessionWire()
    wire.hear(replace(wire.hello(0), version=1))
    assert wire.said == [Configure(1, MATRIX, version=1)]
    wire.hear(replace(wire.hello(), version=1), report(0, 5))
    assert wire.session.closed == frozenset({(0, 0), (0, 2)})


def test_another_version_is_never_configured() -> None:
    wire = SessionWire()
    for _ in range(20):
        wire.hear(Stranger(9), wait=200)
    assert wire.said == []
    assert wire.session.trouble == (
        "the scanner uses protocol 9, Spotter 2; end Spotter and run: spotter scanner --flash"
    )


# Following


@pytest.mark.parametrize("state", [LinkState.STRANGE, LinkState.REFUSED])
def test_a_scanner_that_goes_on_reporting_after_a_damaged_hello_is_followed_again(
    state: LinkState,
) -> None:
    wire = in_state(state)
    assert wire.session.trouble
    wire.hear(report(5, 1))
    assert wire.said[-1] == Who()
    assert wire.session.state is state, "until it answers"
    wire.hear(wire.hello(wire.token))
    assert isinstance(wire.said[-1], Configure)
    wire.hear(wire.hello())
    wire.hear(report(0, 1))
    assert wire.session.closed == frozenset({(0, 0)})


def test_every_change_is_told_once_in_its_place() -> None:
    wire = SessionWire()
    wire.come_up(0b000010)
    events = wire.hear(report(1, 0b001010, time_ms=7), report(2, 0b001000, time_ms=8))
    assert events == (Changed(ms(1027), (1, 0), True), Changed(ms(1028), (0, 1), False))
    assert wire.said[-1] == Acknowledge(wire.token, 2)
    assert wire.session.closed == frozenset({(1, 0)})


def test_a_heartbeat_tells_nothing_and_is_acknowledged() -> None:
    wire = SessionWire()
    wire.come_up(5)
    said = len(wire.said)
    assert wire.hear(report(0, 5, time_ms=200), wait=200) == ()
    assert wire.said[said:] == [Acknowledge(wire.token, 0)]
    assert wire.session.counters == Counters(frames=4)


def test_a_heartbeat_that_shows_another_picture_is_believed() -> None:
    wire = SessionWire()
    wire.come_up(5)
    assert wire.hear(report(0, 4, time_ms=10)) == (MatrixPicture(ms(1030), frozenset({(0, 2)})),)


def test_after_a_gap_the_repeats_are_awaited() -> None:
    wire = SessionWire()
    wire.come_up()
    assert wire.hear(report(2, 3)) == ()
    assert wire.session.counters.gaps == 1
    events = wire.hear(report(1, 1), report(2, 3), wait=50)
    assert [type(event) for event in events] == [Changed, Changed]


def test_an_older_report_is_counted_and_acknowledged_again() -> None:
    wire = SessionWire()
    wire.come_up()
    wire.hear(report(1, 1), report(2, 3))
    said = len(wire.said)
    assert wire.hear(report(1, 1)) == ()
    assert wire.said[said:] == [Acknowledge(wire.token, 2)]
    assert wire.session.counters.duplicates == 1
    assert wire.session.closed == frozenset({(0, 0), (0, 1)})


def test_merged_changes_are_taken_as_a_picture_and_counted() -> None:
    wire = SessionWire()
    wire.come_up()
    assert wire.hear(report(1, 1, 10, lost=2)) == (MatrixPicture(ms(1030), frozenset({(0, 0)})),)
    assert wire.hear(report(1, 3, 20, lost=3)) == (
        MatrixPicture(ms(1040), frozenset({(0, 0), (0, 1)})),
    )
    assert wire.session.counters.overflows == 3
    # What the picture shows already is told as a picture too: something came and went.
    assert wire.hear(report(1, 3, 30, lost=4)) == (
        MatrixPicture(ms(1050), frozenset({(0, 0), (0, 1)})),
    )


@pytest.mark.slow
def test_the_sequence_wraps() -> None:
    wire = SessionWire()
    wire.come_up()
    bits = 0
    for number in range(1, 65_540):
        bits ^= 1
        (event,) = wire.session.receive(wire.now, encode(pack(report(number % 65536, bits))))
        assert event == Changed(wire.now, (0, 0), bool(bits))
    wire.session.take_outgoing()
    assert wire.session.counters.gaps == wire.session.counters.duplicates == 0


MISFITS = [
    (b"\1\0", "the scanner's pictures of 2 × 3 cells have 2 bytes, not 1"),
    (b"\x40", "the scanner reports reeds beyond its 2 × 3 cells"),
    (b"\x80", "the scanner reports reeds beyond its 2 × 3 cells"),
]


@pytest.mark.parametrize(("bitmap", "misfit"), MISFITS)
def test_pictures_of_another_matrix_are_told_and_not_awaited_for_ever(
    bitmap: bytes, misfit: str
) -> None:
    wire = in_state(LinkState.ACCEPTED)
    for _ in range(100):
        wire.hear(Report(0, 0, 0, bitmap), wait=200)
    assert wire.session.trouble == (f"{misfit}; end Spotter and run: spotter scanner --flash")
    assert len(wire.said) == 1  # it is not asked again and again
    assert wire.session.counters.bad_frames == 100
    assert wire.session.closed is None
    # Flashed anew, it begins anew.
    wire.hear(wire.hello(0))
    assert [type(event) for event in wire.hear(wire.hello(), report(0, 5))] == [Up, MatrixPicture]


@pytest.mark.parametrize(("bitmap", "misfit"), MISFITS)
def test_a_followed_scanner_that_shows_another_matrix_is_configured_anew(
    bitmap: bytes, misfit: str
) -> None:
    wire = SessionWire()
    wire.come_up()
    (lost,) = wire.hear(Report(1, 0, 0, bitmap))
    assert isinstance(lost, LinkLost)
    wire.hear(wire.hello(), Report(0, 0, 0, bitmap))
    assert misfit in (wire.session.trouble or "")


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (b"$GPGGA,120000,5230.1\r\n", '"$GPGGA,120000,5230.1"'),
        (b"ok T:21.3 /0.0\n", '"ok T:21.3 /0.0"'),
        (b"\x1b[2J\x1b[H", "the bytes 1b 5b 48 1b 5b 32 4a 1b 5b 48"),
        (b"\xb5\x62\x01\x07", "the bytes 01 07 b5 62 01 07 b5 62 01 07"),
        (b"\0", "the bytes 00 00 00"),
        (b"x" * 5000, f'"{"x" * 40}"'),
    ],
)
def test_something_else_on_the_port_is_named_by_what_it_says(said: bytes, named: str) -> None:
    wire = SessionWire()
    wire.bring(said)
    wire.now = Us(wire.now + ms(1000) - 1)
    wire.bring(said)
    assert wire.session.trouble == "the scanner does not answer"
    wire.now = Us(wire.now + 1)
    assert wire.bring(said) == ()
    trouble = wire.session.trouble or ""
    assert trouble.startswith("no scanner on this port, it sends ")
    assert named in trouble
    assert trouble.isprintable()
    assert len(trouble) < 250
    wire.bring(b"something else\n")
    assert wire.session.trouble == trouble  # a line that changes would be drawn each time
    assert wire.said == []  # no word goes to a stranger
    assert wire.session.due is None


@given(st.lists(st.binary(min_size=1, max_size=200), min_size=2, max_size=8))
def test_whatever_a_stranger_says_is_told_in_one_line(said: list[bytes]) -> None:
    wire = SessionWire()
    for data in said:
        wire.bring(data)
        wire.now = Us(wire.now + ms(1000))
    trouble = wire.session.trouble or ""
    assert trouble.startswith("no scanner on this port, it sends ")
    assert trouble.isprintable()
    assert len(trouble) < 250
    assert wire.said == []


def test_a_scanner_in_place_of_something_else_is_followed() -> None:
    wire = in_state(LinkState.FOREIGN)
    assert [type(event) for event in wire.come_up()] == [Up, MatrixPicture]
    assert wire.session.trouble is None


def test_a_half_frame_before_the_first_hello_is_no_stranger() -> None:
    wire = SessionWire()
    wire.bring(encode(pack(wire.hello(0)))[5:])
    wire.hear(wire.hello(0), wait=2000)
    assert wire.session.state is LinkState.ASKED


# Losing


def test_a_silent_scanner_is_lost_after_a_second() -> None:
    wire = SessionWire()
    wire.come_up(1)
    assert wire.session.due == wire.now + ms(1000)
    assert wire.wait(999) == ()
    assert wire.wait(1) == (LinkLost(wire.now, "the scanner does not answer"),)
    assert wire.session.closed is None
    assert wire.session.counters.silent_spells == 1
    assert wire.wait(60_000) == ()
    assert [type(event) for event in wire.hear(report(0, 1), wire.hello())] == []
    assert [type(event) for event in wire.hear(wire.hello(), report(0, 2))] == [Up, MatrixPicture]


def test_noise_is_no_sign_of_life() -> None:
    wire = SessionWire()
    wire.come_up()
    wire.wait(990)
    wire.bring(b"\x55\xaa\x00" * 20)
    assert wire.session.counters.bad_frames == 20
    assert [type(event) for event in wire.wait(10)] == [LinkLost]


def test_a_reset_is_counted_with_its_cause_and_configured_anew() -> None:
    wire = SessionWire()
    wire.come_up(1)
    old = wire.token
    (lost,) = wire.hear(replace(wire.hello(0), cause=Cause.WATCHDOG))
    assert lost == LinkLost(wire.now, "the scanner is being configured")
    assert wire.session.counters.resets == 1
    assert wire.session.counters.last_cause is Cause.WATCHDOG
    assert wire.token != old
    wire.hear(wire.hello(), report(0, 6))
    assert wire.session.closed == frozenset({(0, 1), (0, 2)})


def test_after_a_reset_the_scanners_clock_is_read_anew() -> None:
    wire = SessionWire()
    wire.come_up()
    wire.hear(report(1, 1, time_ms=900_000))
    wire.hear(wire.hello(0))
    wire.hear(wire.hello(), report(0, 1, time_ms=4))
    (changed,) = wire.hear(report(1, 0, time_ms=104), wait=100)
    assert changed == Changed(wire.now, (0, 0), False)


def test_a_port_that_comes_back_is_a_reconnect_and_no_reset() -> None:
    wire = SessionWire()
    wire.come_up(1)
    wire.bring(encode(pack(report(1, 3)))[:4])
    assert [type(event) for event in wire.session.unplugged(wire.now)] == [LinkLost]
    assert wire.session.unplugged(wire.now) == ()
    wire.session.plugged(wire.now)
    assert [type(event) for event in wire.come_up(7)] == [Up, MatrixPicture]
    assert wire.session.counters == Counters(frames=6, reconnects=1)


# Streams


def a_long_story(wire: SessionWire) -> bytes:
    """Coming up, changes, a gap and its repeats, a heartbeat."""
    reports = [report(number, number & 0x3F, time_ms=number * 20) for number in range(1, 40)]
    words: list[FromScanner] = [Hello(1, MATRIX, Cause.POWER, Fault.NONE, 0, 0), report(0, 0)]
    story = [*words, *reports[:10], *reports[12:15], *reports[10:], reports[-1]]
    return b"".join(encode(pack(word)) for word in story)


@pytest.mark.parametrize("length", [1, 2, 3, 7, 16, 1000])
def test_a_stream_tells_the_same_in_whatever_pieces_it_comes(length: int) -> None:
    told = []
    for size in (100_000, length):
        wire = in_state(LinkState.ASKED)
        data = a_long_story(wire)
        events: list[LinkEvent] = []
        for start in range(0, len(data), size):
            events += wire.bring(data[start : start + size])
        told.append(events)
        assert wire.session.counters.gaps == 3
    assert told[0] == told[1]
    assert len(told[0]) > 30


def test_junk_between_frames_changes_nothing() -> None:
    wire, other = in_state(LinkState.ASKED), in_state(LinkState.ASKED)
    data = a_long_story(wire)
    frames = [frame + b"\0" for frame in data.split(b"\0")[:-1]]
    noisy = b"".join(b"\x07junk\xff\0" + frame for frame in frames)
    assert other.bring(noisy) == wire.bring(data)
    assert other.session.counters.bad_frames == len(frames)
