"""Frames on the wire: payload and CRC-16, COBS-encoded so that 0x00 only ever ends a frame.

Whatever was lost or flipped on the way, the next 0x00 begins afresh: a damaged frame costs itself
and no other.  The layout never changes between versions of the protocol.
"""

from __future__ import annotations

import binascii

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
        """The payloads that these bytes complete, in order."""
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
        """Forget a frame that was begun, as when another port is opened."""
        self._frame.clear()

    def _keep(self, byte: int) -> None:
        # One byte too many is kept, so that the frame is known to be too long when it ends.
        if len(self._frame) <= _LONGEST_ENCODED:
            self._frame.append(byte)


def _opened(frame: bytes) -> bytes | None:
    """The payload of a frame without its end; None for a bad one."""
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
    """COBS; so short that no run needs to be broken."""
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
