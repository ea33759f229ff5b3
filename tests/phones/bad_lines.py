"""Phones on bad lines, while people play: what each is sent, and what it costs the board's loop.

Run it to print the figures of the phones' page: python tests/phones/bad_lines.py
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1] / room) for room in ("", "app", "games")]

from phone_bench import PATIENCE_S, PhoneTable, WatchedFront, phone_table
from phone_lines import PageLine, opened, token

from pi_app.base.microseconds import Us
from pi_app.match.turns import Phase
from pi_app.phones.phones import Phones
from pi_app.referee.events import Button, Press
from pi_app.screen.ui import Shown
from pi_app.sensing.reading import BoardState
from pi_app.user.agreement import Form, new_match

MODEM = 33_600 // 8
"""Bytes a second of a modem of 1996 (ITU-T V.34)."""
PIECE = 512
HOUR_S, STEP_S = 3600, 5
HASTE = """for (const name of ["setTimeout", "setInterval"]) {
    const usual = window[name];
    window[name] = (call, ms) => usual(call, ms / 20);
}"""
"""From now on the time of a page passes twenty times as fast."""


class PhoneWire:
    """A line between phones and the board that counts, slows down or swallows what they send."""

    def __init__(self, host: str, port: int, rate: float | None = None) -> None:
        self._host, self._port, self._rate = host, port, rate
        self.is_cut = False
        """Whether it swallows everything, as a pulled cable does: neither side is told."""
        self.sent = 0
        """Bytes that the board sent to phones."""
        self.unheard: list[asyncio.StreamWriter] = []
        """Phones that called while it was cut: nobody answers them, then or later."""

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[str]:
        """The address of its end while the context lasts."""
        pumps: set[asyncio.Task[None]] = set()

        async def joined(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if self.is_cut:
                self.unheard.append(writer)
                return
            far, board = await asyncio.open_connection(self._host, self._port)
            pumps.add(asyncio.create_task(self._pump(reader, board, down=False)))
            pumps.add(asyncio.create_task(self._pump(far, writer, down=True)))

        server = await asyncio.start_server(joined, "127.0.0.1", 0)
        try:
            host, port = server.sockets[0].getsockname()[:2]
            yield f"{host}:{port}"
        finally:
            server.close()
            for pump in pumps:
                pump.cancel()
            for writer in self.unheard:
                writer.close()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, down: bool
    ) -> None:
        with suppress(ConnectionError), closing(writer):
            while data := await reader.read(PIECE):
                if self.is_cut:
                    continue
                self.sent += len(data) * down
                writer.write(data)
                await writer.drain()
                if self._rate:
                    await asyncio.sleep(len(data) / self._rate)


class TimedFront(WatchedFront):
    """Counts what the phones cost the loop: processor time, and how often something was new."""

    def __init__(self, phones: Phones) -> None:
        super().__init__(phones)
        self.cost_s, self.changes = 0.0, 0

    def draw(self, shown: Shown, now: Us) -> None:
        before, began = self._phones._exchange.shown, time.thread_time()
        super().draw(shown, now)
        self.cost_s += time.thread_time() - began
        after = self._phones._exchange.shown
        self.changes += (before and before[0]) != (after and after[0])


class TimedTable(PhoneTable):
    Front = TimedFront
    front: TimedFront


def begin(table: PhoneTable) -> None:
    game = table.board.games.matches["nannon"]
    table.phones._exchange.give((new_match(Form(match_to=None), game),))
    table.until(lambda: table.view)


def play_turns(table: PhoneTable, wanted: int) -> None:
    """Hands and the die button play so many turns. Raises AssertionError if the board stalls."""
    made, moved = 0, None
    for _ in range(60 * wanted):
        if made == wanted:
            return
        view = table.view
        press = Press.LONG if view.board is BoardState.CHOOSE else Press.SHORT
        if view.fill or view.clear:
            table.set_up()
            table.until(lambda: not table.view.fill and not table.view.clear)
        elif (
            view.phase is Phase.MOVING and view.moves_exist and moved != (view.position, view.roll)
        ):
            moved = view.position, view.roll
            table.make_a_play()
            made += 1
            continue
        table.queue.put(Button(table.clock(), press))
        time.sleep(0.5)
    raise AssertionError(f"the board stalled: {table.view}")


@dataclass(frozen=True, slots=True)
class LineCost:
    """`lines` are bytes a second to each line; `loop_ms` is the loop's processor time a change."""

    lines: tuple[float, ...]
    loop_ms: float
    changes: int


@dataclass
class PhoneScene:
    """The phones of a scene, each with its wire."""

    table: TimedTable
    wires: list[PhoneWire]
    phones: list[PageLine]

    async def played(self, turns: int) -> LineCost:
        """Play so many turns with these phones, which follow."""
        front = self.table.front
        before = [wire.sent for wire in self.wires]
        cost, changes, began = front.cost_s, front.changes, time.monotonic()
        await asyncio.to_thread(play_turns, self.table, turns)
        seconds = time.monotonic() - began
        sent = tuple((wire.sent - s) / seconds for wire, s in zip(self.wires, before, strict=True))
        changed = front.changes - changes
        return LineCost(sent, (front.cost_s - cost) * 1000 / max(1, changed), changed)


async def follow(phone: PageLine) -> None:
    while await phone.hear() is not None:
        pass


@contextmanager
def timed_table(folder: Path) -> Iterator[TimedTable]:
    with phone_table(folder, kind=TimedTable) as table:
        begin(table)
        yield table  # type: ignore[misc]


PlayedOn = Callable[[PhoneScene], Awaitable[LineCost]]


async def connected(
    table: TimedTable, scene: PlayedOn, rates: tuple[float | None, ...]
) -> LineCost:
    """Connect a phone for each rate, None for a fast one; the first one plays, the others watch."""
    links = table.phones.links
    address = urlsplit(links.play)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE_S)) as session:
        wires = [PhoneWire(str(address.hostname), address.port or 0, rate) for rate in rates]
        laid = [wire.laid() for wire in wires]
        ends = [await one.__aenter__() for one in laid]
        following: list[asyncio.Task[None]] = []
        try:
            keys = [token(links.play), *(token(links.watch) for _ in rates[1:])]
            phones = [await opened(session, end, key) for end, key in zip(ends, keys, strict=True)]
            for phone in phones:
                await phone.until(partial(getattr, phone, "number"))
            following = [asyncio.create_task(follow(phone)) for phone in phones]
            return await scene(PhoneScene(table, wires, phones))
        finally:
            for task in following:
                task.cancel()
            for one in laid:
                await one.__aexit__(None, None, None)


def run_scene(
    table: TimedTable, scene: PlayedOn, rates: tuple[float | None, ...] = (None,)
) -> LineCost:
    return asyncio.run(asyncio.wait_for(connected(table, scene, rates), 20 * PATIENCE_S))


async def cable_pulled(lines: PhoneScene, turns: int) -> LineCost:
    """The first phone's cable is pulled; the others stay."""
    lines.wires[0].is_cut = True
    return await lines.played(turns)


def pass_an_hour(table: PhoneTable) -> None:
    """Let an hour pass for the phones' server, by its clock alone."""
    loop = table.phones._loop
    assert loop is not None
    usual, ahead = loop.time, 0.0
    loop.time = lambda: usual() + ahead  # type: ignore[method-assign]
    for _ in range(HOUR_S // STEP_S):
        ahead += STEP_S
        loop.call_soon_threadsafe(lambda: None)
        time.sleep(0.005)


def main(turns: int = 4) -> None:
    with tempfile.TemporaryDirectory() as folder, timed_table(Path(folder)) as table:
        scenes: dict[str, tuple[PlayedOn, tuple[float | None, ...]]] = {
            "one phone": (lambda lines: lines.played(turns), (None,)),
            "twenty phones": (lambda lines: lines.played(turns), (None,) * 20),
            "one at a modem's speed": (lambda lines: lines.played(turns), (MODEM, None)),
            "one cable pulled": (lambda lines: cable_pulled(lines, turns), (None, None)),
        }
        for name, (scene, rates) in scenes.items():
            cost = run_scene(table, scene, rates)
            each = " ".join(f"{line:.0f}" for line in cost.lines)
            print(f"{name}: {cost.loop_ms:.3f} ms of the loop a change ({cost.changes} changes)")
            print(f"    bytes a second to each: {each}", flush=True)


if __name__ == "__main__":
    main()
