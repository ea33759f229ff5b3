"""The scanner's end of the wire: what only it packs and unpacks, as PROTOCOL.md lays it down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pi_app.link import messages as host
from pi_app.link.messages import (
    ACKNOWLEDGE,
    ACKNOWLEDGE_BODY,
    CONFIGURE,
    CONFIGURE_BODY,
    CONFIGURE_BODY_1,
    HELLO,
    HELLO_BODY,
    HELLO_BODY_1,
    LEVEL,
    LEVELS,
    OLDEST,
    REPORT,
    REPORT_HEAD,
    STRIPS,
    WHO,
    Acknowledge,
    AskLevels,
    CellKind,
    Configure,
    FromScanner,
    Geometry,
    Hello,
    MessageError,
    Report,
    Stranger,
    StripLevels,
    StripState,
    Who,
)

UNCONFIGURED = Geometry(0, 0, 0, CellKind.NONE)
_ASK_PICTURE = 4


@dataclass(frozen=True, slots=True)
class AskPicture:
    """From the host: send the current picture now."""


FromHost: TypeAlias = Who | Configure | Acknowledge | AskPicture | AskLevels


def pack(message: FromHost | FromScanner) -> bytes:
    match message:
        case Who() | Configure() | Acknowledge() | AskLevels():
            return host.pack(message)
        case AskPicture():
            kind, body = _ASK_PICTURE, b""
        case Hello():
            kind, body = HELLO, _pack_hello(message)
        case Stranger(version):
            kind, body = HELLO, bytes([version])
        case Report(sequence, ms, lost, bitmap):
            kind, body = REPORT, REPORT_HEAD.pack(sequence, ms, lost) + bitmap
        case StripState(chain, silent):
            kind, body = STRIPS, bytes([chain]) + silent
        case StripLevels(row, levels):
            kind, body = LEVELS, bytes([row]) + b"".join(LEVEL.pack(*pair) for pair in levels)
    return bytes([kind]) + body


def unpack_from_host(payload: bytes) -> FromHost:
    """Raises MessageError for an invalid payload."""
    kind, body = payload[:1], payload[1:]
    if payload == bytes([WHO]):
        return Who()
    if payload == bytes([_ASK_PICTURE]):
        return AskPicture()
    if kind == bytes([host.ASK_LEVELS]) and len(body) == 1:
        return AskLevels(body[0])
    layout = CONFIGURE_BODY_1 if body[:1] == bytes([OLDEST]) else CONFIGURE_BODY
    if kind == bytes([CONFIGURE]) and len(body) == layout.size:
        version, token, *geometry = layout.unpack(body)
        if token:
            return Configure(token, Geometry(*geometry), version)
    if kind == bytes([ACKNOWLEDGE]) and len(body) == ACKNOWLEDGE_BODY.size:
        return Acknowledge(*ACKNOWLEDGE_BODY.unpack(body))
    raise MessageError(f"the host sends no such message: {payload.hex(' ')}")


def _pack_hello(hello: Hello) -> bytes:
    at = hello.geometry
    matrix = (at.rows, at.columns, at.debounce_ms)
    told = (hello.cause, hello.fault, hello.bad_frames, hello.overruns)
    if hello.version == OLDEST:
        return HELLO_BODY_1.pack(OLDEST, hello.token, *matrix, *told)
    more = (at.kind, at.operate, at.release)
    return HELLO_BODY.pack(hello.version, hello.token, *matrix, *more, *told, hello.build)
