"""The messages of the link to the scanner, and the frames that carry them (PROTOCOL.md)."""

from __future__ import annotations

import binascii
import struct
from enum import IntEnum
from typing import ClassVar, TypeAlias

from pi_app.base.values import dataclass

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
    """Return the frame that carries this payload, with its closing 0x00.

    Raises ValueError for a payload that is empty or longer than 62 bytes.
    """
    if not 1 <= len(payload) <= LONGEST - CRC_BYTES:
        raise ValueError(
            f"payload of {len(payload)} bytes; a frame carries 1 to {LONGEST - CRC_BYTES}"
        )
    return _stuffed(payload + _crc(payload)) + bytes([END])


class Decoder:
    """Finds payloads in a stream of bytes that arrives in pieces of any size.

    `bad` counts rejected frames: too long, too short, badly stuffed, or with a wrong CRC. An empty
    frame, 0x00 after 0x00, is ignored and not counted.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._frame = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the payloads completed by these bytes, in order."""
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
    """Check and unwrap a frame; None for a bad one."""
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
    """Encode with COBS. Payloads are so short that no run needs to be split."""
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
"""The newest and the oldest version of the protocol that is spoken. In every version a HELLO's
second byte is its version."""
BUILD = 0xC7D6B45F
"""The build number of the firmware that belongs to this Spotter: `make -C firmware
build-number`."""

MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 31, 16, 128
MOST_ON_STRIP = 5
"""The most Hall sensors of one strip, which is one row of the matrix."""
HALL_OPERATE, HALL_RELEASE = 22, 16
"""Steps of the converter, 4.65 a millitesla, from which a pole is seen, and below which
it is gone."""
MOST_DEBOUNCE_MS = 50
SEQUENCES = 1 << 16
"""Sequence numbers are modulo this."""

WHO, CONFIGURE, ACKNOWLEDGE, ASK_LEVELS = 1, 2, 3, 5
HELLO, REPORT, STRIPS, LEVELS = 0x81, 0x82, 0x83, 0x84
CONFIGURE_BODY = struct.Struct("<BH6B")
CONFIGURE_BODY_1 = struct.Struct("<BH3B")
ACKNOWLEDGE_BODY = struct.Struct("<HH")
HELLO_BODY = struct.Struct("<BH8BHHI")
HELLO_BODY_1 = struct.Struct("<BH5BHH")
"""The fields of protocol 1, whose scanners only have reeds."""
REPORT_HEAD = struct.Struct("<HIH")
LEVEL = struct.Struct("<HH")


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
    """What sensors the crossings of the matrix have."""

    NONE = 0
    REEDS = 1
    HALL = 2


@dataclass(frozen=True, slots=True)
class Geometry:
    """The configured matrix. A contact counts after being steady for `debounce_ms`.

    A reed is one contact. A Hall sensor is two, one for each pole; its thresholds are in steps of
    the converter.
    """

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
    def poles(self) -> int:
        """Contacts of one cell."""
        return 2 if self.kind == CellKind.HALL else 1

    @property
    def contacts(self) -> int:
        return self.cells * self.poles

    @property
    def bitmap_bytes(self) -> int:
        """Bytes of a bitmap with one bit per contact."""
        return (self.contacts + 7) // 8

    def fault(self) -> Fault:
        is_hall = self.kind == CellKind.HALL
        widest = MOST_ON_STRIP if is_hall else MOST_COLUMNS
        possible = {
            Fault.ROWS: 1 <= self.rows <= MOST_ROWS,
            Fault.COLUMNS: 1 <= self.columns <= widest,
            Fault.CELLS: self.cells <= MOST_CELLS,
            Fault.DEBOUNCE: 1 <= self.debounce_ms <= MOST_DEBOUNCE_MS,
            Fault.KIND: is_hall or self.kind == CellKind.REEDS,
            Fault.THRESHOLDS: not is_hall or 1 <= self.release <= self.operate,
        }
        return next((fault for fault, fits in possible.items() if not fits), Fault.NONE)


@dataclass(frozen=True, slots=True)
class Who:
    """From the host: send a HELLO now."""


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
class AskLevels:
    """From the host: send the levels of this strip's sensors."""

    row: int


@dataclass(frozen=True, slots=True)
class Hello:
    """From the scanner: its version and state. `token` is 0 and the geometry 0 × 0 until it is
    configured.

    `bad_frames` and `overruns` (bytes lost on arrival) count since its reset. `build` identifies
    its program; it is 0 in protocol 1.
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
    """From the scanner: the state of all contacts, after a change or as a heartbeat.

    `ms` is the scanner's clock. `lost` counts the changes that a full queue has merged. The cell
    (row, column) is bit row * columns + column of `bitmap`, from the lowest bit of its first byte.
    A Hall sensor has two bits, first the pole that raises its level.
    """

    sequence: int
    ms: int
    lost: int
    bitmap: bytes


@dataclass(frozen=True, slots=True)
class StripState:
    """From the scanner: the chain of Hall strips: how many strips the token has passed, and which
    cells are silent.

    `silent` has one bit for each cell. `chain` may also be one of these two:
    """

    chain: int
    silent: bytes

    BROKEN: ClassVar = 0
    """The token does not come back."""
    SHORTED: ClassVar = 255
    """The token seems to be back although no strip had it."""


@dataclass(frozen=True, slots=True)
class StripLevels:
    """From the scanner: for each sensor of a strip the level, and its zero, which is 0 until it is
    known."""

    row: int
    levels: tuple[tuple[int, int], ...]


FromScanner: TypeAlias = Hello | Stranger | Report | StripState | StripLevels


def pack(message: Who | Configure | Acknowledge | AskLevels) -> bytes:
    match message:
        case Who():
            return bytes([WHO])
        case AskLevels(row):
            return bytes([ASK_LEVELS, row])
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
    longest = 2 * MOST_CELLS // 8
    if kind == bytes([REPORT]) and 1 <= len(body) - REPORT_HEAD.size <= longest:
        head, bitmap = body[: REPORT_HEAD.size], body[REPORT_HEAD.size :]
        sequence, ms, lost = REPORT_HEAD.unpack(head)
        return Report(sequence, ms, lost, bitmap)
    if kind == bytes([STRIPS]) and 1 <= len(body) - 1 <= MOST_CELLS // 8:
        return StripState(body[0], body[1:])
    if kind == bytes([LEVELS]) and body and len(body) % LEVEL.size == 1:
        return StripLevels(body[0], tuple(LEVEL.iter_unpack(body[1:])))
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
