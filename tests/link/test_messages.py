"""Messages: byte by byte as the protocol says, there and back, and nothing half believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanner_wire import AskPicture, FromHost, pack, unpack_from_host

from pi_app.link.messages import (
    Acknowledge,
    AskLevels,
    Cause,
    CellKind,
    Configure,
    Fault,
    FromScanner,
    Geometry,
    Hello,
    MessageError,
    Report,
    Stranger,
    StripLevels,
    StripState,
    Who,
    unpack_from_scanner,
)

BYTES, WORDS = st.integers(0, 0xFF), st.integers(0, 0xFFFF)
GEOMETRIES = st.builds(Geometry, BYTES, BYTES, BYTES, BYTES, BYTES, BYTES)
REEDS = st.builds(Geometry, BYTES, BYTES, BYTES)
"""All that protocol 1 can say of a matrix."""
CAUSES, FAULTS = st.sampled_from(Cause), st.sampled_from(Fault)
FROM_HOST = st.one_of(
    st.just(Who()),
    st.just(AskPicture()),
    st.builds(Configure, st.integers(1, 0xFFFF), GEOMETRIES, BYTES.filter(lambda one: one != 1)),
    st.builds(Configure, st.integers(1, 0xFFFF), REEDS, st.just(1)),
    st.builds(Acknowledge, WORDS, WORDS),
    st.builds(AskLevels, BYTES),
)
FROM_SCANNER = st.one_of(
    st.builds(Hello, WORDS, GEOMETRIES, CAUSES, FAULTS, WORDS, WORDS, st.integers(0, 2**32 - 1)),
    st.builds(
        Hello, WORDS, REEDS, CAUSES, FAULTS, WORDS, WORDS, build=st.just(0), version=st.just(1)
    ),
    st.builds(Stranger, BYTES.filter(lambda version: version not in (1, 2))),
    st.builds(Report, WORDS, st.integers(0, 2**32 - 1), WORDS, st.binary(min_size=1, max_size=32)),
    st.builds(StripState, BYTES, st.binary(min_size=1, max_size=16)),
    st.builds(StripLevels, BYTES, st.lists(st.tuples(WORDS, WORDS), max_size=14).map(tuple)),
)


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (Who(), "01"),
        (Configure(0x1234, Geometry(24, 5, 7)), "02 02 34 12 18 05 07 01 00 00"),
        (Configure(0x1234, Geometry(24, 5, 7), 1), "02 01 34 12 18 05 07"),
        (Acknowledge(0x1234, 0xABCD), "03 34 12 cd ab"),
        (AskPicture(), "04"),
        (AskLevels(7), "05 07"),
        (
            Configure(0x1234, Geometry(25, 5, 7, CellKind.HALL, 22, 16)),
            "02 02 34 12 19 05 07 02 16 10",
        ),
        (StripState(25, b"\x80\x01"), "83 19 80 01"),
        (StripLevels(3, ((512, 0), (693, 510))), "84 03 00 02 00 00 b5 02 fe 01"),
        (
            Hello(
                0x1234, Geometry(10, 10, 5), Cause.WATCHDOG, Fault.CELLS, 0x0102, 0x0304, 0xA1B2C3D4
            ),
            "81 02 34 12 0a 0a 05 01 00 00 04 04 02 01 04 03 d4 c3 b2 a1",
        ),
        (
            Hello(0x1234, Geometry(9, 8, 5), Cause.POWER, Fault.NONE, 0x0102, 0x0304, version=1),
            "81 01 34 12 09 08 05 01 00 02 01 04 03",
        ),
        (
            Report(0xABCD, 0x01020304, 7, b"\x80\x01"),
            "82 cd ab 04 03 02 01 07 00 80 01",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_bytes_are_those_of_the_protocol(message: FromHost | FromScanner, payload: str) -> None:
    assert pack(message).hex(" ") == payload


@given(FROM_HOST)
def test_what_the_host_says_comes_back(message: FromHost) -> None:
    assert unpack_from_host(pack(message)) == message


@given(FROM_SCANNER)
def test_what_the_scanner_says_comes_back(message: FromScanner) -> None:
    assert unpack_from_scanner(pack(message)) == message


@given(FROM_HOST, st.binary(min_size=1, max_size=3))
def test_a_word_too_long_is_none(message: FromHost, more: bytes) -> None:
    with pytest.raises(MessageError):
        unpack_from_host(pack(message) + more)


@given(FROM_HOST)
def test_a_word_too_short_is_none(message: FromHost) -> None:
    with pytest.raises(MessageError):
        unpack_from_host(pack(message)[:-1])


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "81",
        "81 01 34 12 0a 0a 05 04 04 02 01 04",  # short
        "81 01 34 12 0a 0a 05 04 04 02 01 04 03 00",  # long
        "81 01 34 12 0a 0a 05 05 00 02 01 04 03",  # cause 5
        "81 01 34 12 0a 0a 05 04 08 02 01 04 03",  # fault 8
        "81 02 34 12 0a 0a 05 04 00 02 01 04 03",  # the layout of protocol 1
        "82 cd ab 04 03 02 01 07 00",  # no bitmap
        "82 cd ab 04 03 02 01 07 00" + " 00" * 33,  # more than 256 contacts
        "83 00",
        "84 03 00 02 00",
        "01",  # the host's
    ],
)
def test_nothing_else_is_the_scanners(payload: str) -> None:
    with pytest.raises(MessageError):
        unpack_from_scanner(bytes.fromhex(payload))


@pytest.mark.parametrize("payload", ["", "05", "02 01 00 00 18 05 07", "81 01"])
def test_nothing_else_is_the_hosts(payload: str) -> None:
    with pytest.raises(MessageError):
        unpack_from_host(bytes.fromhex(payload))


@pytest.mark.parametrize("payload", ["81 03", "81 00 01 02 03", "81 03" + " 00" * 40])
def test_a_hello_of_another_version_tells_its_version_alone(payload: str) -> None:
    assert unpack_from_scanner(bytes.fromhex(payload)) == Stranger(bytes.fromhex(payload)[1])


@pytest.mark.parametrize(
    ("geometry", "fault"),
    [
        (Geometry(1, 1, 1), Fault.NONE),
        (Geometry(31, 4, 50), Fault.NONE),
        (Geometry(8, 16, 5), Fault.NONE),
        (Geometry(0, 5, 5), Fault.ROWS),
        (Geometry(32, 1, 5), Fault.ROWS),
        (Geometry(5, 0, 5), Fault.COLUMNS),
        (Geometry(5, 17, 5), Fault.COLUMNS),
        (Geometry(26, 5, 5), Fault.CELLS),
        (Geometry(5, 5, 0), Fault.DEBOUNCE),
        (Geometry(5, 5, 51), Fault.DEBOUNCE),
        (Geometry(5, 5, 5, CellKind.NONE), Fault.KIND),
        (Geometry(25, 5, 5, CellKind.HALL, 22, 16), Fault.NONE),
        (Geometry(25, 6, 5, CellKind.HALL, 22, 16), Fault.COLUMNS),
        (Geometry(25, 5, 5, CellKind.HALL, 16, 22), Fault.THRESHOLDS),
        (Geometry(25, 5, 5, CellKind.HALL, 22, 0), Fault.THRESHOLDS),
    ],
)
def test_what_a_scanner_refuses(geometry: Geometry, fault: Fault) -> None:
    assert geometry.fault() is fault
