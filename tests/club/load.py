"""Load test of a club: many boards on one broker, from each board to every listener.

By hand: `PYTHONPATH=.:tests:tests/club python tests/club/load.py [--nats N] [BOARDS …]` prints a
line for each number of boards and draws `.readme/club-load.svg`. The boards are sockets of one
process, each with TLS and its own account, together `RATE` records a second; broker and collector
are real. A record's line begins with its send time.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import resource
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hall import Hall, access_in, until
from samples import DECISIONS

from pi_app.base.identifiers import board_name, match_key
from pi_app.club.line import Access
from pi_app.club.records import (
    Presence,
    Record,
    RecordId,
    Topic,
    write_message,
)
from pi_app.referee.lines import write_decision

RATE = 100
"""Records a second, of all boards together."""
WARM_S, MEASURED_S = 3, 20
AT_ONCE = 20
"""Boards that connect at a time."""
PICTURE = Path(__file__).parents[2] / ".readme" / "club-load.svg"
_CONNECT, _CONNACK, _PUBLISH, _SUBSCRIBE, _SUBACK = 0x10, 0x20, 0x30, 0x82, 0x90
_QOS_1 = 0x02


@dataclass(frozen=True, slots=True)
class Load:
    """Results for a number of boards; times in ms, memory in MB, shares of one processor."""

    boards: int
    told: int
    median_ms: float
    p99_ms: float
    worst_ms: float
    broker_mb: float
    broker_cpu: float
    collector_mb: float
    collector_cpu: float

    def __str__(self) -> str:
        return (
            f"{self.boards:5} boards: {self.told} records, median {self.median_ms:.1f} ms, "
            f"99 % {self.p99_ms:.1f} ms, worst {self.worst_ms:.0f} ms; "
            f"broker {self.broker_mb:.0f} MB {self.broker_cpu:.0%}, "
            f"collector {self.collector_mb:.0f} MB {self.collector_cpu:.0%}"
        )


class BareBoard:
    """The least of MQTT 3.1.1 that a board needs."""

    def __init__(self, access: Access) -> None:
        self.access, self.name = access, board_name(access.account)
        self.match = match_key(1, "2026-11-23T20:00:00+01:00")
        self.sent = 0

    async def connect(self, tls: ssl.SSLContext) -> None:
        broker = self.access.brokers[0]
        self._reader, self._writer = await asyncio.open_connection(
            broker.host, broker.port, ssl=tls
        )
        texts = (self.name, self.access.account, self.access.password)
        self._write(_CONNECT, b"\0\4MQTT\4\xc2\0\0" + b"".join(map(_text, texts)))
        assert await self._reader.readexactly(4) == bytes([_CONNACK, 2, 0, 0])
        self._write(_SUBSCRIBE, b"\0\1" + _text(Topic.HAVE.of(self.name)) + b"\1")
        self._write(_PUBLISH | _QOS_1 | 1, _text(Topic.PRESENCE.of(self.name)) + b"\0\2here")
        self._heard = asyncio.create_task(self._hear())

    async def tell(self, line: str) -> None:
        line = f"{time.monotonic_ns()} {line}"
        message = write_message(Record(RecordId(self.name, self.match, self.sent), line))
        number = (self.sent % 60_000 + 10).to_bytes(2, "big")
        self._write(_PUBLISH | _QOS_1, _text(Topic.RECORD.of(self.name)) + number + message)
        self.sent += 1
        await self._writer.drain()

    def _write(self, kind: int, body: bytes) -> None:
        size, length = len(body), b""
        while not length or size:
            size, part = size >> 7, size & 0x7F
            length += bytes([part | (0x80 if size else 0)])
        self._writer.write(bytes([kind]) + length + body)

    async def _hear(self) -> None:
        while await self._reader.read(4096):
            pass


def _text(text: str) -> bytes:
    return len(text).to_bytes(2, "big") + text.encode()


async def play(accesses: Sequence[Access]) -> None:
    """Every board connects. On command they play in turn, together `RATE` records a second."""
    tls = ssl.create_default_context(cafile=str(accesses[0].ca))
    boards = [BareBoard(access) for access in accesses]
    for begin in range(0, len(boards), AT_ONCE):
        await asyncio.gather(*(board.connect(tls) for board in boards[begin : begin + AT_ONCE]))
    print("connected", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    lines = [write_decision(decision) for decision in DECISIONS]
    begun = time.monotonic()
    for number in range((WARM_S + MEASURED_S) * RATE):
        await asyncio.sleep(max(0.0, begun + number / RATE - time.monotonic()))
        await boards[number % len(boards)].tell(lines[number % len(lines)])
    await asyncio.sleep(1)


def measure(folder: Path, boards: int, nodes: int) -> Load:
    """A hall with `count` boards for some seconds."""
    names = [f"table-{number}" for number in range(1, boards + 1)]
    hall = Hall(folder, names, nodes)
    try:
        command = [sys.executable, __file__, "--play", str(folder), *map(str, [boards])]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as player:
            assert player.stdin
            assert player.stdout
            assert player.stdout.readline() == "connected\n"
            until(lambda: sum(isinstance(told, Presence) for told in hall.told) >= boards, 120)
            taken: list[float] = []
            listen(hall, taken)
            player.stdin.write("\n")
            player.stdin.flush()
            time.sleep(WARM_S)
            pids = [broker.process.pid for broker in hall.brokers if broker.process]
            warm, before = len(taken), (_busy_s(pids), time.process_time(), time.monotonic())
            time.sleep(MEASURED_S)
            passed = time.monotonic() - before[2]
            broker_cpu = (_busy_s(pids) - before[0]) / passed
            collector_cpu = (time.process_time() - before[1]) / passed
            player.wait()
        measured = sorted(taken[warm : warm + MEASURED_S * RATE])
        return Load(
            boards,
            len(measured),
            statistics.median(measured),
            measured[int(len(measured) * 0.99)],
            measured[-1],
            sum(map(_memory_mb, pids)),
            broker_cpu,
            _memory_mb(os.getpid()),
            collector_cpu,
        )
    finally:
        hall.at_the_end.close()


def listen(hall: Hall, taken: list[float]) -> None:
    """From now on the time that each record took is added, in ms."""

    def told(tidings: object) -> None:
        if isinstance(tidings, Record):
            sent = int(tidings.line.partition(" ")[0])
            taken.append((time.monotonic_ns() - sent) / 1e6)

    hall.hear = told


def _busy_s(pids: Sequence[int]) -> float:
    ticks = 0.0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def draw(loads: Sequence[Load]) -> str:
    """Median and 99 % in ms over the number of boards, both logarithmic."""
    width, height, left, base = 640, 300, 60, 250

    def x(boards: float) -> float:
        return left + (len(str(int(boards))) - 2) * 220

    def y(ms: float) -> float:
        # From 1 ms at the base to 1 000 ms.
        return base - 70 * math.log10(max(ms, 1.0))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for rung in (1, 10, 100, 1000):
        parts.append(f'<path d="M{left} {y(rung):.0f}H{width - 20}" stroke="#ccc"/>')
        at = f'x="{left - 8}" y="{y(rung) + 4:.0f}"'
        parts.append(f'<text {at} text-anchor="end">{rung} ms</text>')
    parts.append(
        f'<path d="M{left} {y(250):.0f}H{width - 20}" stroke="#c33" stroke-dasharray="6 4"/>'
        f'<text x="{width - 20}" y="{y(250) - 5:.0f}" text-anchor="end" fill="#c33">250 ms</text>'
    )
    for name, colour, values in (
        ("median", "#27c", [load.median_ms for load in loads]),
        ("99 %", "#e80", [load.p99_ms for load in loads]),
    ):
        points = [(x(load.boards), y(ms)) for load, ms in zip(loads, values, strict=True)]
        line = " ".join(f"{at:.0f},{up:.0f}" for at, up in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for (over, up), ms in zip(points, values, strict=True):
            parts.append(f'<circle cx="{over:.0f}" cy="{up:.0f}" r="4" fill="{colour}"/>')
            parts.append(
                f'<text x="{over + 8:.0f}" y="{up - 8:.0f}" fill="{colour}">{name} {ms:.0f}</text>'
            )
    for load in loads:
        label = f"{load.boards} boards"
        parts.append(f'<text x="{x(load.boards):.0f}" y="{base + 24}">{label}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Measure, print and draw; or be the boards of a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="*", type=int, default=[10, 100, 1000])
    parser.add_argument("--nats", type=int, default=0, help="so many nodes, not mosquitto")
    parser.add_argument("--play", type=Path, help="for itself: be the boards of this hall")
    args = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if args.play:
        names = [f"table-{number}" for number in range(1, args.boards[0] + 1)]
        asyncio.run(play([access_in(args.play, name) for name in names]))
        return
    loads = []
    for boards in args.boards:
        with tempfile.TemporaryDirectory() as folder:
            loads.append(measure(Path(folder), boards, args.nats))
            print(loads[-1], f"load {os.getloadavg()[0]:.1f}", flush=True)
    if not args.nats and len(loads) > 1:
        PICTURE.write_text(draw(loads), encoding="utf-8")


if __name__ == "__main__":
    main()
