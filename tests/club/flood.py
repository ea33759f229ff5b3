"""A stranger's program that floods a room: `flood.py PORT ROOM LETTERS_A_SECOND`.

It writes as many letters to both topics, connected by MQTT without TLS, and prints once a second
how many it has written, and in how many seconds. It runs until it is killed.
"""

from __future__ import annotations

import os
import socket
import sys
import time

BURST_S = 0.005
MOST_BEHIND_S = 1.0
"""What a busy machine could not write in this time is left out."""
LETTER_BYTES = 284
"""A sealed letter of the shortest size, which only the key can tell from a friend's."""


def packet(kind: int, body: bytes) -> bytes:
    """An MQTT packet of at most 16 383 bytes."""
    size = len(body)
    length = bytes([size]) if size < 128 else bytes([size % 128 | 128, size // 128])
    return bytes([kind]) + length + body


def pour(port: int, room: str, rate: int) -> None:
    topics = [f"spotter/2/room/{room}/{role}".encode() for role in "ab"]
    pair = b"".join(
        packet(0x30, len(topic).to_bytes(2, "big") + topic + os.urandom(LETTER_BYTES))
        for topic in topics
    )
    hello = b"\x00\x04MQTT\x04\x02\x00\x00" + b"\x00\x08stranger"
    with socket.create_connection(("localhost", port)) as connection:
        connection.sendall(packet(0x10, hello))
        connected = began = told = time.monotonic()
        sent = 0
        while True:
            now = time.monotonic()
            pairs = (int((now - began) * rate) - sent) // 2
            connection.sendall(pair * pairs)
            sent += 2 * pairs
            if now - began - sent / rate > MOST_BEHIND_S:
                began = now - sent / rate
            if now >= told + 1:
                print(sent, now - connected, flush=True)
                told = now
            time.sleep(BURST_S)


if __name__ == "__main__":
    pour(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
