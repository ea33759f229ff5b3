"""A broker that lies: it stands before a real one, acknowledges records, and drops them."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from hall import free_port

PUBLISH, PUBACK = 3, 4


class LyingBroker:
    """Passes packets of MQTT 3.1.1 on, without TLS, but for records while `lies` is true.

    It acknowledges them nevertheless, while `acknowledges` is true.  `heard` has each of them once.
    """

    def __init__(self, port: int, *, acknowledges: bool = True) -> None:
        self.lies = True
        self.dropped = 0
        self.heard = set[bytes]()
        self._acknowledges = acknowledges
        self.port = free_port()
        self._behind = port
        self._socket = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                broker = socket.create_connection(("127.0.0.1", self._behind))
                for way in ((client, broker, True), (broker, client, False)):
                    threading.Thread(target=self._pass_on, args=way, daemon=True).start()

    def _pass_on(self, origin: socket.socket, target: socket.socket, checked: bool) -> None:
        with suppress(OSError), origin, target, origin.makefile("rb") as stream:
            while head := stream.read(1):
                size, shift, length = 0, 0, b""
                while not length or length[-1] & 0x80:
                    length += stream.read(1)
                    size |= (length[-1] & 0x7F) << shift
                    shift += 7
                body = stream.read(size)
                topic_ends = 2 + int.from_bytes(body[:2], "big")
                is_record = head[0] >> 4 == PUBLISH and body[2:topic_ends].endswith(b"/record")
                if checked and self.lies and is_record:
                    self.dropped += 1
                    number, record = body[topic_ends : topic_ends + 2], body[topic_ends + 2 :]
                    self.heard.add(record)
                    if self._acknowledges:
                        origin.sendall(bytes([PUBACK << 4, 2]) + number)
                else:
                    target.sendall(head + length + body)
