"""The C frames against the Python ones, and a decoder that nothing on the wire can confuse."""

import ctypes
import random
import subprocess
from collections.abc import Iterator

import pytest
from core_desk import built, library, need
from hypothesis import given
from hypothesis import strategies as st

from pi_app.link.messages import Decoder, encode

PAYLOADS = st.binary(min_size=1, max_size=62)
FEW_KINDS = st.lists(st.sampled_from([0, 1, 2, 3, 255]), max_size=200).map(bytes)


def c_encode(payload: bytes) -> bytes:
    wire = ctypes.create_string_buffer(66)
    length = library().frame_encode(payload, len(payload), wire)
    return wire.raw[:length]


class CDecoder:
    """The C decoder with the manners of the Python one."""

    def __init__(self) -> None:
        self.bad = 0
        self._core = library()
        self._core.desk_decoder_start()

    def feed(self, data: bytes) -> list[bytes]:
        payload = ctypes.create_string_buffer(62)
        payloads = []
        for byte in data:
            length = self._core.desk_decode(byte, payload)
            if length > 0:
                payloads.append(payload.raw[:length])
            self.bad += length < 0
        return payloads


@given(PAYLOADS)
def test_both_write_the_same_frame(payload: bytes) -> None:
    assert c_encode(payload) == encode(payload)


@given(st.lists(PAYLOADS, max_size=4))
def test_what_python_says_c_understands(payloads: list[bytes]) -> None:
    decoder = CDecoder()
    assert decoder.feed(b"".join(encode(payload) for payload in payloads)) == payloads
    assert decoder.bad == 0


@given(st.lists(st.one_of(st.binary(max_size=80), FEW_KINDS, PAYLOADS.map(encode)), max_size=6))
def test_of_any_bytes_both_make_the_same(pieces: list[bytes]) -> None:
    ours, theirs = CDecoder(), Decoder()
    for piece in pieces:
        assert ours.feed(piece) == theirs.feed(piece)
    assert ours.bad == theirs.bad


def test_the_crc_is_that_of_genibus() -> None:
    assert library().frame_crc(b"123456789", 9) == 0xD64E


@pytest.mark.parametrize("length", [0, 63, 64, 255])
def test_a_payload_of_this_length_is_refused(length: int) -> None:
    assert c_encode(bytes(length)) == b""


def test_the_longest_payload_goes_through_and_one_byte_more_is_dropped_and_counted() -> None:
    longest = bytes(range(1, 63))
    decoder = CDecoder()
    assert decoder.feed(encode(longest)) == [longest]
    assert decoder.feed(b"\x42" + bytes(range(1, 66)) + b"\0") == []
    assert decoder.bad == 1
    assert decoder.feed(encode(longest)) == [longest]


def test_empty_frames_are_nothing() -> None:
    decoder = CDecoder()
    assert decoder.feed(bytes(5)) == []
    assert decoder.bad == 0


@pytest.mark.parametrize("frame", [b"\x01\0", b"\x03\xff\xff\0", b"\xff\0", b"\x05\x01\0"])
def test_too_little_for_a_frame_is_counted(frame: bytes) -> None:
    decoder = CDecoder()
    assert decoder.feed(frame) == []
    assert decoder.bad == 1


def some_payloads() -> Iterator[bytes]:
    """Ninety of all lengths, with many zeros and with few; always the same ones."""
    chance = random.Random(20)
    for number in range(90):
        zeros = number % 4
        yield bytes(
            0 if chance.randrange(4) < zeros else chance.randrange(256)
            for _ in range(1 + number % 62)
        )


def test_every_single_bit_error_is_detected() -> None:
    """Another frame follows, as on a real wire, and arrives whole."""
    following = bytes([1, 0, 2])
    flips = 0
    for payload in some_payloads():
        frame = encode(payload)
        for bit in range(8 * (len(frame) - 1)):
            damaged = bytearray(frame)
            damaged[bit // 8] ^= 1 << bit % 8
            decoder = CDecoder()
            assert decoder.feed(bytes(damaged) + encode(following)) == [following]
            assert decoder.bad
            flips += 1
    assert flips > 20_000


def test_an_end_that_is_missed_costs_the_frame_and_the_next() -> None:
    following = bytes([1, 0, 2])
    for payload in some_payloads():
        for bit in range(8):
            decoder = CDecoder()
            missed = encode(payload)[:-1] + bytes([1 << bit])
            assert decoder.feed(missed + encode(following) * 2) == [following]
            assert decoder.bad == 1


def test_a_frame_cut_short_costs_only_itself() -> None:
    following = bytes([1, 0, 2])
    for payload in some_payloads():
        frame = encode(payload)
        for cut in range(1, len(frame) - 1):
            decoder = CDecoder()
            assert decoder.feed(frame[:cut] + b"\0" + encode(following)) == [following]
            assert decoder.bad == 1


def test_a_zero_more_at_the_end_is_detected() -> None:
    decoder = CDecoder()
    assert decoder.feed(encode(bytes([9, 8, 7]))[:-1] + b"\x01\0") == []
    assert decoder.bad == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_chance_breaks_nothing_under_the_sanitizers(seed: int) -> None:
    need("make", "cc")
    done = subprocess.run(
        [built("host", "host/check"), "500000", str(seed)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    tally = {name: int(count) for name, count in zip(words[::2], words[1::2], strict=True)}
    assert tally["inputs"] == 500_000
    assert min(tally["whole"], tally["bad"], tally["reports"], tally["hellos"]) > 1000
