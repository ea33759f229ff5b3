"""A board on the Raspberry Pi's own pins: reeds, die buttons, lights and a buzzer.

A callback only puts an event on the queue, and never raises: gpiozero runs all callbacks on one
thread, and an exception there would silence every input. `bounce_time` is not used, because it
means something else on every pin factory; debouncing is done later, from the times.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, TypeAlias

from pi_app.base.extras import to_install
from pi_app.base.microseconds import Us, ms
from pi_app.base.threads import drained
from pi_app.base.values import dataclass
from pi_app.devices.source import USUAL, Clock, DeviceError, Presses, Put, Stamp, Timing
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, Picture, Press, SensorEdge, Tick
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import Board, Pin, Sensor
from pi_app.words.sentences import Sentence

FAULTS = Sentence("1 pin fault: {last}", "{n} pin faults, last {last}")

DEVICES = Path("/dev")
FactoryKind: TypeAlias = Literal["lgpio", "mock"]


def open_factory(kind: FactoryKind, workdir: Path | None = None) -> Any:
    """Return the pin factory of this name: "lgpio" on a Pi, "mock" on any computer.

    `workdir` is the folder for lgpio's pipe, by default the user's runtime folder. Raises
    DeviceError, which names the package to install or the setting to change.
    """
    if kind == "mock":
        from gpiozero.pins.mock import MockFactory  # noqa: PLC0415, hardware is opened here

        return MockFactory()
    with _kept_cwd(workdir or _runtime_folder()):
        try:
            from pi_app.devices.edges import QueuedFactory  # noqa: PLC0415, imports lgpio
        except ImportError as error:
            raise DeviceError(
                f"the pins cannot be used: {error}",
                f"on a Raspberry Pi run: {to_install('pi')}; elsewhere start: spotter --sim",
            ) from None
        try:
            return QueuedFactory()
        except Exception as error:
            raise DeviceError(f"the pins cannot be used: {error}", _remedy(DEVICES)) from error


def _remedy(devices: Path) -> str:
    """What to do if no GPIO chip can be opened: it is missing, or belongs to another user."""
    if not any(devices.glob("gpiochip*")):
        return (
            "this computer has no gpiochip in /dev; on a Raspberry Pi update its system and "
            "restart it, elsewhere start: spotter --sim"
        )
    return (
        "on a Raspberry Pi run: sudo usermod -aG gpio $USER, then log in again; "
        "elsewhere start: spotter --sim"
    )


def _runtime_folder() -> Path:
    """Return a private folder. Another user may have made one of that name before."""
    folder = Path(os.environ.get("XDG_RUNTIME_DIR", tempfile.gettempdir()))
    own = folder / f"spotter-{os.getuid()}"
    with suppress(FileExistsError):
        own.mkdir(mode=0o700, parents=True)
    found = own.lstat()
    is_private = stat.S_ISDIR(found.st_mode) and not stat.S_IMODE(found.st_mode) & 0o077
    if is_private and found.st_uid == os.getuid():
        return own
    return Path(tempfile.mkdtemp(prefix="spotter-", dir=folder))


@contextmanager
def _kept_cwd(workdir: Path) -> Iterator[None]:
    """Importing lgpio creates a pipe in the working directory and may change it; this
    undoes both."""
    workdir.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = Path.cwd()
    os.environ.setdefault("LG_WD", str(workdir))
    try:
        yield
    finally:
        os.chdir(before)


@dataclass(frozen=True, slots=True)
class _Pressed:
    """A die button: its input, its side, and the presses made from its edges."""

    device: Any
    side: Side | None
    presses: Presses


class GpioBoard:
    """The board's inputs and outputs; a SensorSource.

    The caller closes `factory`. `faults` counts the exceptions in callbacks and outputs;
    `last_fault` is the text of the last. Raises DeviceError for a pin that cannot be claimed.
    """

    def __init__(
        self, board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
    ) -> None:
        self.faults = 0
        self.last_fault: str | None = None
        self._factory = factory
        self._clock = clock
        self._stamp: Stamp = timing.stamp or (lambda _: clock())
        self._heeded: list[Callable[[float, int], None]] = []
        self._put = put
        self._inbox: SimpleQueue[tuple[Us, int, bool]] = SimpleQueue()
        self._opened: list[Any] = []
        self._lit: frozenset[Spot] = frozenset()
        self._blinking: frozenset[Spot] = frozenset()
        self._blink: Blink | None = None
        self._beep: Beep | None = None
        try:
            self._reeds = self._open_reeds(board)
            self._buttons = self._open_buttons(board, timing)
            self._lights = {
                place.spot: self._output(place.light, f"the light of spot '{place.spot}'")
                for place in board.places
                if place.light is not None
            }
            buzzer = board.buzzer
            self._buzzer = None if buzzer is None else self._output(buzzer, "the buzzer")
        except DeviceError:
            self.close()
            raise

    def picture(self) -> Picture:
        """Read the state of all reeds from the pins now.

        Its time is that before the reading, so that an edge during the reading is later and
        decides.
        """
        now = self._clock()
        try:
            closed = [name for name, device in self._reeds.items() if device.is_active]
        except Exception as error:
            self._note(error)
            raise DeviceError(
                f"the board's sensors cannot be read: {error}", "run: spotter doctor"
            ) from error
        return Picture(now, frozenset(closed))

    def read_levels(self, spots: frozenset[Spot]) -> None:
        """Do nothing: a contact has no level."""

    def lights(self, lit: frozenset[Spot], blinking: frozenset[Spot]) -> None:
        """Light these spots. A spot in both sets blinks; a spot without a light is ignored."""
        blinking &= self._lights.keys()
        if blinking and not self._blinking:
            self._blink = Blink(self._clock())
        self._lit, self._blinking = lit - blinking, blinking
        self._switch(self._clock())

    def beep(self, cue: Cue) -> None:
        if self._buzzer is not None:
            self._beep = Beep(self._clock(), BEEPS[cue])
            self._switch(self._beep.start)

    @property
    def due(self) -> Us | None:
        """When a press, a light or the buzzer needs `advance`; None while all are at rest."""
        now = self._clock()
        times = [button.presses.due for button in self._buttons]
        times.append(self._blink.next_change(now) if self._blink and self._blinking else None)
        times.append(self._beep.next_change(now) if self._beep else None)
        return min((time for time in times if time is not None), default=None)

    def advance(self, us: Us) -> None:
        """Put the presses that are complete by now on the queue; switch lights and buzzer."""
        for when, number, down in drained(self._inbox):
            button = self._buttons[number]
            self._tell(button, button.presses.edge(when, down))
        for button in self._buttons:
            with self._guard():
                # The level is read too: a lost edge must not hold the button down for ever.
                self._tell(button, button.presses.edge(us, button.device.is_active))
            self._tell(button, button.presses.advance(us))
        self._switch(us)

    def status(self) -> tuple[str, ...]:
        """How often a pin failed, and the last failure."""
        return (FAULTS(n=self.faults, last=self.last_fault or ""),) if self.faults else ()

    def close(self) -> None:
        for device in self._opened:
            with self._guard():
                device.close()
        self._opened.clear()

    def _open_reeds(self, board: Board) -> dict[Sensor, Any]:
        return {
            name: self._input(pin, f"sensor {name!r}", self._on_reed(name))
            for name, pin in board.pins.items()
        }

    def _open_buttons(self, board: Board, timing: Timing) -> tuple[_Pressed, ...]:
        buttons = []
        for number, button in enumerate(board.buttons):
            device = self._input(button.pin, "the die button", self._on_button(number))
            presses = Presses(timing.long_press, timing.debounce, down=device.is_active)
            buttons.append(_Pressed(device, button.side, presses))
        return tuple(buttons)

    def _input(self, pin: Pin, user: str, on_edge: Callable[[Us, bool], None]) -> Any:
        from gpiozero import DigitalInputDevice  # noqa: PLC0415, hardware is opened here

        with self._claiming(pin, user):
            device = DigitalInputDevice(pin, pull_up=True, pin_factory=self._factory)
            self._opened.append(device)
            device.pin.when_changed = self._heeding(on_edge)
        return device

    def _heeding(self, on_edge: Callable[[Us, bool], None]) -> Callable[[float, int], None]:
        """Return a callback for a pin's edges, with the kernel's time in seconds and the level.
        gpiozero's `when_activated` has no time."""

        def changed(ticks: float, level: int) -> None:
            with self._guard():
                on_edge(self._stamp(ticks), not level)  # closed to ground

        self._heeded.append(changed)  # the pin holds it weakly
        return changed

    def _output(self, pin: Pin, user: str) -> Any:
        from gpiozero import DigitalOutputDevice  # noqa: PLC0415, hardware is opened here

        with self._claiming(pin, user):
            device = DigitalOutputDevice(pin, pin_factory=self._factory)
            self._opened.append(device)
        return device

    def _on_reed(self, sensor: Sensor) -> Callable[[Us, bool], None]:
        def on_edge(us: Us, closed: bool) -> None:
            self._put(SensorEdge(us, sensor, closed))

        return on_edge

    def _on_button(self, number: int) -> Callable[[Us, bool], None]:
        def on_edge(us: Us, down: bool) -> None:
            self._inbox.put((us, number, down))
            self._put(Tick(us))  # wakes the loop, which then calls `advance`

        return on_edge

    def _tell(self, button: _Pressed, press: Press | None) -> None:
        if press is not None:
            self._put(Button(button.presses.completed, press, button.side))

    def _switch(self, us: Us) -> None:
        blinking = self._blinking if self._blink and self._blink.is_on(us) else frozenset()
        for spot, light in self._lights.items():
            self._set(light, spot in self._lit or spot in blinking)
        if self._buzzer is not None:
            self._set(self._buzzer, self._beep is not None and self._beep.is_on(us))

    def _set(self, output: Any, on: bool) -> None:
        with self._guard():
            if bool(output.value) != on:
                output.value = on

    @contextmanager
    def _claiming(self, pin: Pin, user: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            raise DeviceError(
                f"gpio {pin} of {user} cannot be used: {error}",
                "end the program that uses it, or give the board description another pin",
            ) from error

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Catch any exception of one line, so that it does not silence the others."""
        try:
            yield
        except Exception as error:
            self._note(error)

    def _note(self, error: Exception) -> None:
        self.faults += 1
        self.last_fault = f"{type(error).__name__}: {error}"


BLINK = ms(250)
"""How long a blinking light is on, and how long off."""

BEEPS: Mapping[Cue, tuple[int, ...]] = {
    Cue.ROLL: (30,),
    Cue.LEGAL: (60,),
    Cue.WRONG: (250, 100, 250),
    Cue.DOUBLE: (80, 80, 80),
    Cue.FANFARE: (80, 60, 80, 60, 300),
    Cue.WON: (400,),
}
"""How each cue sounds on a buzzer with one tone: milliseconds on, off, on …"""


@dataclass(frozen=True, slots=True)
class Blink:
    """A light that blinks from `start` on; it begins lit."""

    start: Us

    def is_on(self, us: Us) -> bool:
        return self._half(us) % 2 == 0

    def next_change(self, us: Us) -> Us:
        return Us(self.start + (self._half(us) + 1) * BLINK)

    def _half(self, us: Us) -> int:
        return (us - self.start) // BLINK


@dataclass(frozen=True, slots=True)
class Beep:
    """A beep from `start` on, of lengths in milliseconds: on, off, on …"""

    start: Us
    lengths: tuple[int, ...]

    def is_on(self, us: Us) -> bool:
        ended = sum(end <= us for end in self._ends())
        return ended < len(self.lengths) and ended % 2 == 0

    def next_change(self, us: Us) -> Us | None:
        """When it next changes; None once it is over."""
        return next((end for end in self._ends() if end > us), None)

    def _ends(self) -> tuple[Us, ...]:
        return tuple(Us(self.start + ms(end)) for end in accumulate(self.lengths))
