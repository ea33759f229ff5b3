"""Frames: whatever goes in comes out, and what is damaged does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.link.messages import CRC_BYTES, LONGEST, Decoder, encode

PAYLOADS = st.binary(min_size=1, max_size=LONGEST - CRC_BYTES)
JUNK = st.binary(max_size=100).map(lambda junk: junk.replace(b"\0", b"\1"))


def test_a_frame_byte_by_byte() -> None:
    # 0xD64E is the check value of CRC-16/GENIBUS over "123456789".
    assert encode(b"123456789") == b"\x0c123456789\xd6\x4e\x00"


def test_zeros_are_stuffed() -> None:
    frame = encode(b"\x04\x00\x00\x05")
    assert frame[:5] == bytes([2, 4, 1, 4, 5])
    assert frame.count(0) == 1


@given(PAYLOADS)
def test_a_frame_has_one_zero_and_four_bytes_more_than_its_payload(payload: bytes) -> None:
    frame = encode(payload)
    assert len(frame) == len(payload) + 4
    assert frame.index(0) == len(frame) - 1


@given(st.lists(PAYLOADS, max_size=8), st.lists(st.integers(1, 40), min_size=1))
def test_payloads_come_out_however_the_stream_is_cut(
    payloads: list[bytes], cuts: list[int]
) -> None:
    stream, decoder, found = b"".join(map(encode, payloads)), Decoder(), []
    place = turn = 0
    while place < len(stream):
        length = cuts[turn % len(cuts)]
        found += decoder.feed(stream[place : place + length])
        place, turn = place + length, turn + 1
    assert (found, decoder.bad) == (payloads, 0)


@given(st.lists(st.tuples(JUNK, PAYLOADS), max_size=6))
def test_junk_between_frames_costs_no_frame(parts: list[tuple[bytes, bytes]]) -> None:
    stream = b"".join(junk + b"\0" + encode(payload) for junk, payload in parts)
    decoder = Decoder()
    assert decoder.feed(stream) == [payload for _, payload in parts]
    assert decoder.bad == sum(bool(junk) for junk, _ in parts)


@given(PAYLOADS, st.data())
def test_every_flipped_bit_is_noticed(payload: bytes, data: st.DataObject) -> None:
    frame = bytearray(encode(payload))
    bit = data.draw(st.integers(0, (len(frame) - 1) * 8 - 1))
    frame[bit // 8] ^= 1 << bit % 8
    decoder = Decoder()
    assert decoder.feed(bytes(frame)) == []
    assert decoder.bad >= 1


@given(PAYLOADS, PAYLOADS, st.data())
def test_a_frame_cut_short_takes_only_the_next_with_it(
    payload: bytes, other: bytes, data: st.DataObject
) -> None:
    frame = encode(payload)
    cut = data.draw(st.integers(1, len(frame) - 2))
    decoder = Decoder()
    assert decoder.feed(frame[:cut] + encode(other) + encode(b"last")) == [b"last"]
    assert decoder.bad == 1


def test_a_frame_too_long_is_dropped_and_counted_once() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\xff" * 10_000) == []
    assert decoder.bad == 0
    assert decoder.feed(b"\0" + encode(b"well")) == [b"well"]
    assert decoder.bad == 1


def test_zero_after_zero_is_no_frame() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\0\0\0" + encode(b"a") + b"\0") == [b"a"]
    assert decoder.bad == 0


def test_what_was_begun_can_be_forgotten() -> None:
    decoder = Decoder()
    decoder.feed(encode(b"half")[:3])
    decoder.reset()
    assert decoder.feed(encode(b"whole")) == [b"whole"]
    assert decoder.bad == 0


@pytest.mark.parametrize("length", [0, LONGEST - CRC_BYTES + 1])
def test_a_payload_that_fits_no_frame_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"payload of {length} bytes"):
        encode(bytes(length))


def test_the_longest_frame_is_heard_and_none_that_is_longer() -> None:
    longest = bytes(range(1, LONGEST - CRC_BYTES + 1))
    assert Decoder().feed(encode(longest)) == [longest]
    decoder = Decoder()
    assert decoder.feed(b"\x01" * (LONGEST + 2) + b"\0" + encode(b"next")) == [b"next"]
    assert decoder.bad == 1
    with pytest.raises(ValueError, match=r"payload of 63 bytes; a frame carries 1 to 62"):
        encode(longest + b"\x01")
