"""A broker that lets everybody in, and then sends what is to fill the memory of a board."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha1
from itertools import count

from hall import free_port

CONNACK = b"\x20\x02\x00\x00"
CHUNK = b"x" * 65_000
MOST = 200 << 20
"""What it sends at most: a board that reads all of this has no bound."""


def packet(kind: int, body: bytes) -> bytes:
    """A packet of MQTT whose body may be longer than what is given."""
    return bytes([kind]) + length_of(len(body)) + body


def length_of(size: int) -> bytes:
    said = b""
    while True:
        size, low = divmod(size, 128)
        said += bytes([low | 0x80 * (size > 0)])
        if not size:
            return said


def endless_packet() -> Iterator[bytes]:
    """A message of 256 MB."""
    yield b"\x30" + length_of(268_435_455)
    while True:
        yield CHUNK


def messages_of_qos_2() -> Iterator[bytes]:
    """Messages that nobody asked for, and of which the second part never comes."""
    for number in count(1):
        body = b"\x00\x01a" + (number % 65_535 + 1).to_bytes(2, "big") + CHUNK
        yield packet(0x34, body)


def messages_to_acknowledge() -> Iterator[bytes]:
    """Small ones; the broker reads no acknowledgement."""
    for number in count(1):
        yield packet(0x32, b"\x00\x01a" + (number % 65_535 + 1).to_bytes(2, "big"))


def endless_frame() -> Iterator[bytes]:
    """A frame of WebSocket of 2^62 bytes, in which are good messages."""
    yield b"\x82\x7f" + (1 << 62).to_bytes(8, "big")
    while True:
        yield packet(0x30, b"\x00\x01a" + b"x" * 1000) * 60


def endless_packet_in_a_frame() -> Iterator[bytes]:
    yield b"\x82\x7f" + (1 << 62).to_bytes(8, "big")
    yield from endless_packet()


def endless_header() -> Iterator[bytes]:
    """An answer of HTTP without a line break."""
    while True:
        yield CHUNK


class HostileBroker:
    """Serves one kind of attack. `sent` are the bytes of the attack that a board's system took."""

    def __init__(self, attack: Callable[[], Iterator[bytes]], *, websocket: bool = False) -> None:
        self.sent = self.visits = 0
        self._attack, self._websocket = attack, websocket
        self.port = free_port()
        self._socket = socket.create_server(("127.0.0.1", self.port))
        for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            self._socket.setsockopt(socket.SOL_SOCKET, buffer, 1 << 16)
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                self.visits += 1
                with suppress(OSError), client:
                    self._attacks(client)

    def _attacks(self, client: socket.socket) -> None:
        asked = client.recv(4000)
        if self._websocket and self._attack is not endless_header:
            key = asked.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
            proof = base64.b64encode(sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            client.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Protocol: mqtt\r\n"
                b"Sec-WebSocket-Accept: " + proof + b"\r\n\r\n\x82\x04" + CONNACK
            )
            client.recv(4000)
        elif not self._websocket:
            client.sendall(CONNACK)
        for part in self._attack():
            if self.sent > MOST:
                return
            client.sendall(part)
            self.sent += len(part)
