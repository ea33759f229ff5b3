"""The wire's messages and the frames that carry them, as PROTOCOL.md lays them down."""

from __future__ import annotations

import binascii
import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

# Frames on the wire: payload and CRC-16, COBS-encoded so that 0x00 only ever ends a frame.
#
# Whatever was lost or flipped on the way, the next 0x00 begins afresh: a damaged frame costs
# itself and no other. The layout never changes between versions of the protocol.

END = 0
"""The byte that ends a frame and occurs nowhere inside one."""

CRC_BYTES = 2
LONGEST = 64
"""The longest payload with its CRC, in bytes."""

_CRC_INIT = _CRC_FINAL = 0xFFFF
_LONGEST_ENCODED = LONGEST + 1


def encode(payload: bytes) -> bytes:
    """The frame that carries this payload, its closing 0x00 included.

    Raises ValueError for a payload that is empty or longer than 62 bytes.
    """
    if not 1 <= len(payload) <= LONGEST - CRC_BYTES:
        raise ValueError(
            f"payload of {len(payload)} bytes; a frame carries 1 to {LONGEST - CRC_BYTES}"
        )
    return _stuffed(payload + _crc(payload)) + bytes([END])


class Decoder:
    """Finds the payloads in a stream of bytes that comes in pieces of any size.

    `bad` counts what was dropped: frames too long, too short, badly stuffed or with another CRC.
    An empty frame, 0x00 after 0x00, is no frame and is not counted.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._frame = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads completed by these bytes, in order."""
        payloads = []
        for byte in data:
            if byte != END:
                self._keep(byte)
            elif self._frame:
                payload = _opened(bytes(self._frame))
                self._frame.clear()
                if payload is None:
                    self.bad += 1
                else:
                    payloads.append(payload)
        return payloads

    def reset(self) -> None:
        """Discard a partial frame, for example when another port is opened."""
        self._frame.clear()

    def _keep(self, byte: int) -> None:
        # One extra byte is stored to recognise a frame that is too long.
        if len(self._frame) <= _LONGEST_ENCODED:
            self._frame.append(byte)


def _opened(frame: bytes) -> bytes | None:
    """Check and unwrap a frame. None for a bad one."""
    if len(frame) > _LONGEST_ENCODED:
        return None
    checked = _unstuffed(frame)
    if checked is None or len(checked) <= CRC_BYTES:
        return None
    payload, crc = checked[:-CRC_BYTES], checked[-CRC_BYTES:]
    return payload if _crc(payload) == crc else None


def _crc(payload: bytes) -> bytes:
    return (binascii.crc_hqx(payload, _CRC_INIT) ^ _CRC_FINAL).to_bytes(CRC_BYTES, "big")


def _stuffed(data: bytes) -> bytes:
    """COBS. Payloads are so short that no run needs splitting."""
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(bytes([END])))


def _unstuffed(frame: bytes) -> bytes | None:
    runs = []
    place = 0
    while place < len(frame):
        after = place + frame[place]
        if after > len(frame):
            return None
        runs.append(frame[place + 1 : after])
        place = after
    return bytes([END]).join(runs)


# What the Pi and the reed scanner say to each other, as values and as payloads of frames.
#
# Whole numbers are little-endian. A payload of the wrong length, or with a value that cannot be,
# is bad as a whole: nothing of it is believed.

VERSION, OLDEST = 2, 1
"""The protocol's versions that are spoken; a HELLO's first two bytes have its own in every one."""
BUILD = 0x147D3303
"""The firmware that goes with this Spotter: `make -C firmware build-number`."""

MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 31, 16, 128
MOST_DEBOUNCE_MS = 50
SEQUENCES = 1 << 16
"""Sequence numbers wrap there."""

WHO, CONFIGURE, ACKNOWLEDGE = 1, 2, 3
HELLO, REPORT = 0x81, 0x82
CONFIGURE_BODY = struct.Struct("<BH6B")
CONFIGURE_BODY_1 = struct.Struct("<BH3B")
ACKNOWLEDGE_BODY = struct.Struct("<HH")
HELLO_BODY = struct.Struct("<BH8BHHI")
HELLO_BODY_1 = struct.Struct("<BH5BHH")
"""Those of protocol 1, whose scanners know nothing but reeds."""
REPORT_HEAD = struct.Struct("<HIH")


class MessageError(ValueError):
    """The payload is not a valid message."""


class Cause(IntEnum):
    """Why the scanner last restarted."""

    UNKNOWN = 0
    POWER = 1
    EXTERNAL = 2
    BROWN_OUT = 3
    WATCHDOG = 4


class Fault(IntEnum):
    """Why the scanner rejected its configuration."""

    NONE = 0
    VERSION = 1
    ROWS = 2
    COLUMNS = 3
    CELLS = 4
    DEBOUNCE = 5
    KIND = 6
    THRESHOLDS = 7


class CellKind(IntEnum):
    """What stands at the crossings of the matrix."""

    NONE = 0
    REEDS = 1


@dataclass(frozen=True, slots=True)
class Geometry:
    """The configured matrix. A reed counts after being steady for `debounce_ms`."""

    rows: int
    columns: int
    debounce_ms: int
    kind: int = CellKind.REEDS
    operate: int = 0
    release: int = 0

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def bitmap_bytes(self) -> int:
        """Bytes of a bitmap with one bit per cell."""
        return (self.cells + 7) // 8

    def fault(self) -> Fault:
        if not 1 <= self.rows <= MOST_ROWS:
            return Fault.ROWS
        if not 1 <= self.columns <= MOST_COLUMNS:
            return Fault.COLUMNS
        if self.cells > MOST_CELLS:
            return Fault.CELLS
        if not 1 <= self.debounce_ms <= MOST_DEBOUNCE_MS:
            return Fault.DEBOUNCE
        return Fault.NONE if self.kind == CellKind.REEDS else Fault.KIND


UNCONFIGURED = Geometry(0, 0, 0, CellKind.NONE)


@dataclass(frozen=True, slots=True)
class Who:
    """From the host: say hello now."""


@dataclass(frozen=True, slots=True)
class Configure:
    """From the host: restart with this matrix. `token`, never 0, identifies the session."""

    token: int
    geometry: Geometry
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """From the host: this report and all earlier ones have arrived."""

    token: int
    sequence: int


@dataclass(frozen=True, slots=True)
class Hello:
    """Scanner: who it is; `token` is 0 and the geometry 0 × 0 while it is not configured.

    `bad_frames` and `overruns` (bytes lost on arrival) count since its reset; `build` tells which
    program it is, 0 in protocol 1.
    """

    token: int
    geometry: Geometry
    cause: Cause
    fault: Fault
    bad_frames: int
    overruns: int
    build: int = 0
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Stranger:
    """From the scanner: a HELLO of an unknown protocol version."""

    version: int


@dataclass(frozen=True, slots=True)
class Report:
    """Scanner: the whole picture after a change, or again as a heartbeat.

    `ms` is the scanner's clock, `lost` counts the changes that a full queue has merged.  The cell
    (row, column) is bit row * columns + column of `bitmap`, from the lowest bit of its first byte.
    """

    sequence: int
    ms: int
    lost: int
    bitmap: bytes


FromScanner: TypeAlias = Hello | Stranger | Report


def pack(message: Who | Configure | Acknowledge) -> bytes:
    match message:
        case Who():
            return bytes([WHO])
        case Configure(token, at, version):
            matrix = (at.rows, at.columns, at.debounce_ms)
            if version == OLDEST:
                body = CONFIGURE_BODY_1.pack(version, token, *matrix)
            else:
                more = (at.kind, at.operate, at.release)
                body = CONFIGURE_BODY.pack(version, token, *matrix, *more)
            return bytes([CONFIGURE]) + body
        case Acknowledge(token, sequence):
            return bytes([ACKNOWLEDGE]) + ACKNOWLEDGE_BODY.pack(token, sequence)


def unpack_from_scanner(payload: bytes) -> FromScanner:
    """Raises MessageError for an invalid payload."""
    kind, body = payload[:1], payload[1:]
    if kind == bytes([HELLO]) and body and body[0] not in (OLDEST, VERSION):
        return Stranger(body[0])
    if kind == bytes([HELLO]) and body:
        return _unpack_hello(body)
    longest = (MOST_CELLS + 7) // 8
    if kind == bytes([REPORT]) and 1 <= len(body) - REPORT_HEAD.size <= longest:
        head, bitmap = body[: REPORT_HEAD.size], body[REPORT_HEAD.size :]
        sequence, ms, lost = REPORT_HEAD.unpack(head)
        return Report(sequence, ms, lost, bitmap)
    raise MessageError(f"{payload.hex(' ')} is nothing that the scanner says")


def _unpack_hello(body: bytes) -> Hello:
    version = body[0]
    try:
        if version == OLDEST:
            _, token, *matrix, cause, fault, bad, overruns = HELLO_BODY_1.unpack(body)
            build = 0
        else:
            _, token, *matrix, cause, fault, bad, overruns, build = HELLO_BODY.unpack(body)
        reasons = Cause(cause), Fault(fault)
    except (struct.error, ValueError) as error:
        raise MessageError(f"{body.hex(' ')} is no hello: {error}") from None
    return Hello(token, Geometry(*matrix), *reasons, bad, overruns, build, version)
