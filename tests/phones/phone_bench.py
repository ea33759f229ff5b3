"""The running program with phones, on mock pins, in real time, and without any display."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

from gpiozero.pins.mock import MockFactory
from known import FACES, load_board
from test_app import PIN, Loud, OledGlass

from pi_app.app.computer import OwnComputer
from pi_app.app.loop import App
from pi_app.app.services import Devices, Services
from pi_app.base.microseconds import Us
from pi_app.base.threads import drained
from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.source import SensorSource
from pi_app.games.all import ALL
from pi_app.journal.opening import open_journal
from pi_app.phones.phones import PhoneFront, Phones
from pi_app.referee.effects import Cue
from pi_app.referee.events import Event, Picture, SensorEdge, Tick
from pi_app.referee.view import View
from pi_app.rules.terms import Spot
from pi_app.screen.ui import Shown
from pi_app.sensing.description import Sensor
from pi_app.user.commands import Output
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
PATIENCE_S = 60.0
"""Only what never comes takes so long, however busy the machine is."""


class QuietSpeaker(Loud):
    """Remembers what was played; there is no sound card to release."""

    def close(self) -> None:
        pass


class WatchedFront(PhoneFront):
    """The product's own, which remembers what it shows and what was touched."""

    shown: Shown | None = None

    def __init__(self, phones: Phones) -> None:
        super().__init__(None, phones)
        self.touched: list[Output] = []
        self.wishes = SimpleQueue[Output]()
        """What a test wishes as if it had been touched."""

    def poll(self, shown: Shown, now: Us) -> tuple[Output, ...]:
        outputs = (*super().poll(shown, now), *drained(self.wishes))
        self.touched.extend(outputs)
        return outputs

    def draw(self, shown: Shown, now: Us) -> None:
        super().draw(shown, now)
        self.shown = shown


class PhoneTable:
    """A Nannon board with its program on a thread, as it runs without a display."""

    board = BOARD
    Front = WatchedFront

    def __init__(self, folder: Path) -> None:
        self.ran: list[tuple[str, ...]] = []
        self.queue = SimpleQueue[Event]()
        self.clock = MatchClock()
        self.factory = MockFactory()
        self.oled = OledGlass()
        self.phones = Phones(folder, self.clock, self.wake)
        self.woken = 0
        self.front = self.Front(self.phones)
        devices = Devices(
            *(self.open_source(), self.front, QuietSpeaker(), self.oled),
            phones=self.phones,
            computer=OwnComputer(self.wake, self._run),
        )
        settings = Settings().changed("phones.on", True)
        services = self.services(folder)
        self.app = App(
            *(self.board, self.board.name, FACES, settings, self.clock, self.queue),
            *(devices, services),
        )

    def wake(self) -> None:
        self.woken += 1
        self.queue.put(Tick(self.clock()))

    def _run(self, command: tuple[str, ...]) -> tuple[int, str]:
        """What the program would have the computer do."""
        self.ran.append(command)
        return 0, ""

    def services(self, folder: Path) -> Services:
        return Services(open_journal(folder))

    def open_source(self) -> SensorSource:
        return GpioBoard(self.board, self.factory, self.clock, self.queue.put)

    @property
    def view(self) -> View:
        assert self.front.shown is not None
        assert self.front.shown.view is not None
        return self.front.shown.view

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until this holds; what is not there yet may fail."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                if holds():
                    return
            except (AssertionError, AttributeError):
                pass
            time.sleep(0.01)
        raise AssertionError("waited in vain")

    def drive(self, sensor: str, *, closed: bool) -> None:
        pin = self.factory.pin(PIN[sensor])  # type: ignore[index]
        (pin.drive_low if closed else pin.drive_high)()

    def set_up(self) -> None:
        """Put every checker where the game wants it."""
        for place in BOARD.places:
            for reed in place.reeds:
                self.drive(reed.name, closed=bool(self.view.accepted[place.spot]))

    def make_a_play(self) -> None:
        """Make the first legal play with the hand: a hit checker goes first."""
        game = BOARD.games[self.view.game]
        position = game.read_position(self.view.position)
        play = game.moves(position, game.read_play(position, self.view.legal[0]))
        reeds = {place.spot: [reed.name for reed in place.reeds] for place in BOARD.places}
        for move in play:
            if move.hit:
                self.feel(reeds.get(move.target, []), closed=False)
            self.feel(reeds.get(move.origin, []), closed=False)
            self.feel(reeds.get(move.target, []), closed=True)

    def feel(self, sensors: Sequence[str], *, closed: bool) -> None:
        for sensor in sensors:
            self.drive(sensor, closed=closed)
            time.sleep(0.12)


class ReedState:
    """A board whose sensors are what a test says: a scanner of any size, without its wire."""

    due: Us | None = None

    def __init__(self, clock: Callable[[], Us], put: Callable[[Event], None]) -> None:
        self._clock, self._put = clock, put
        self._closed = frozenset[Sensor]()

    def picture(self) -> Picture:
        return Picture(self._clock(), self._closed)

    def become(self, closed: frozenset[Sensor]) -> None:
        changed, self._closed = sorted(self._closed ^ closed), closed
        for sensor in changed:
            self._put(SensorEdge(self._clock(), sensor, sensor in closed))

    def read_levels(self, spots: frozenset[Spot]) -> None:
        pass

    def lights(self, lit: frozenset[Spot], blinking: frozenset[Spot]) -> None:
        pass

    def beep(self, cue: Cue) -> None:
        pass

    def advance(self, us: Us) -> None:
        pass

    def status(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        pass


class GameTable(PhoneTable):
    """The same with any game on its own board, the only one that it offers."""

    def __init__(self, folder: Path, game: str, seed: str) -> None:
        whole = load_board(ALL.boards[game])
        self.board = replace(whole, games=ALL.rules.only((game,)))
        self._chance = random.Random(seed)
        super().__init__(folder)

    def open_source(self) -> SensorSource:
        self.reeds = ReedState(self.clock, self.queue.put)
        return self.reeds

    def set_up(self) -> None:
        self.reeds.become(self.board.closed_by(self.view.accepted))

    def make_a_play(self) -> None:
        """Make a legal play by chance: what moves or is hit is lifted first."""
        game = self.board.games[self.view.game]
        position = game.read_position(self.view.position)
        play = game.read_play(position, self._chance.choice(self.view.legal))
        old, new = (game.checkers_at(one) for one in (position, game.after(position, play)))
        staying = {
            spot: tuple((Counter(old[spot]) & Counter(new[spot])).elements()) for spot in old
        }
        for checkers in (staying, new):
            self.reeds.become(self.board.closed_by(checkers))
            time.sleep(0.1)


@contextmanager
def phone_table(
    folder: Path, game: str | None = None, seed: str = "", kind: type[PhoneTable] = PhoneTable
) -> Iterator[PhoneTable]:
    """A table of Nannon on mock pins, or of this game, whose plays are drawn by the seed."""
    made = SimpleQueue[PhoneTable]()

    def live() -> None:
        # SQLite serves the thread that opened the journal, and no other.
        table = GameTable(folder, game, seed) if game else kind(folder)
        table.phones.let_in(0)
        made.put(table)
        table.app.run()
        table.app.close()

    thread = threading.Thread(target=live, daemon=True)
    thread.start()
    table = made.get(timeout=PATIENCE_S)
    try:
        table.until(lambda: table.phones.links.play)
        yield table
        notices = table.front.shown.notices if table.front.shown else ()
        assert not [one for one in notices if "not being saved" in one]
    finally:
        table.app.stop()
        thread.join(PATIENCE_S)
