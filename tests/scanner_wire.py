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
    HELLO,
    HELLO_BODY,
    REPORT,
    REPORT_HEAD,
    VERSION,
    Acknowledge,
    Configure,
    FromScanner,
    Geometry,
    Hello,
    MessageError,
    Report,
    Stranger,
)

_WHO, _ASK_PICTURE = 1, 4


@dataclass(frozen=True, slots=True)
class Who:
    """From the host: say hello now."""


@dataclass(frozen=True, slots=True)
class AskPicture:
    """From the host: send the current picture now."""


FromHost: TypeAlias = Who | Configure | Acknowledge | AskPicture


def pack(message: FromHost | FromScanner) -> bytes:
    match message:
        case Who():
            kind, body = _WHO, b""
        case Configure() | Acknowledge():
            return host.pack(message)
        case AskPicture():
            kind, body = _ASK_PICTURE, b""
        case Hello():
            kind, body = HELLO, _pack_hello(message)
        case Stranger(version):
            kind, body = HELLO, bytes([version])
        case Report(sequence, ms, lost, bitmap):
            kind, body = REPORT, REPORT_HEAD.pack(sequence, ms, lost) + bitmap
    return bytes([kind]) + body


def unpack_from_host(payload: bytes) -> FromHost:
    """Raises MessageError for an invalid payload."""
    kind, body = payload[:1], payload[1:]
    if payload == bytes([_WHO]):
        return Who()
    if payload == bytes([_ASK_PICTURE]):
        return AskPicture()
    if kind == bytes([CONFIGURE]) and len(body) == CONFIGURE_BODY.size:
        version, token, *geometry = CONFIGURE_BODY.unpack(body)
        if token:
            return Configure(token, Geometry(*geometry), version)
    if kind == bytes([ACKNOWLEDGE]) and len(body) == ACKNOWLEDGE_BODY.size:
        return Acknowledge(*ACKNOWLEDGE_BODY.unpack(body))
    raise MessageError(f"the host sends no such message: {payload.hex(' ')}")


def _pack_hello(hello: Hello) -> bytes:
    at = hello.geometry
    return HELLO_BODY.pack(
        VERSION,
        hello.token,
        at.rows,
        at.columns,
        at.debounce_ms,
        hello.cause,
        hello.fault,
        hello.bad_frames,
        hello.overruns,
    )
