"""The small OLED: it has its own thread, shows only the latest picture, and may be missing.

A whole frame takes 25 to 99 ms over I2C, so it is never drawn where events are handled, and only
when the picture has changed. If the panel is missing or fails, that is reported once (`Lost`). It
is tried again at growing intervals, and its return is reported (`Found`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from pi_app.devices.source import Clock, Put
from pi_app.referee.events import DeviceLost, Found

if TYPE_CHECKING:
    from PIL.Image import Image

NAME = "OLED"
SIZE = (128, 64)
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds between attempts; the last value repeats."""

_CLOSE_S = 2.0
_NO_OPERATION = 0xE3


class SmallDisplay(Protocol):
    """The OLED, or its stand-in."""

    def show(self, picture: Image) -> None:
        """Show a picture of 128 × 64 soon. Never blocks."""

    def close(self) -> None:
        """Release it; may be called twice."""


class OledDevice(Protocol):
    """The display; its methods may raise anything while the panel is away."""

    def display(self, image: Image) -> None:
        """Draw a picture of mode "1", 128 x 64."""

    def cleanup(self) -> None:
        """Switch off and release the panel."""


class LumaOled:
    """A panel on I2C through luma.oled.

    Raises luma.core.error.DeviceNotFoundError or OSError if it does not answer.
    """

    def __init__(self, chip: str, port: int, address: int) -> None:
        from luma.core.interface.serial import i2c  # noqa: PLC0415, hardware is opened here
        from luma.oled import device as chips  # noqa: PLC0415, hardware is opened here

        makers = {"ssd1306": chips.ssd1306, "sh1106": chips.sh1106, "ssd1309": chips.ssd1309}
        self._bus = i2c(port=port, address=address)
        try:
            # Asked before luma builds its device: that one stays in memory even when it fails.
            self._bus.command(_NO_OPERATION)
            self._device: Any = makers[chip](self._bus)
        except Exception:
            self._bus.cleanup()
            raise

    def display(self, image: Image) -> None:
        self._device.display(image)

    def cleanup(self) -> None:
        """Switch the panel off and close the bus, even when the panel no longer answers."""
        try:
            self._device.cleanup()
        finally:
            self._bus.cleanup()


class Oled:
    """Shows the latest picture; `connect` opens the panel and may raise.

    `last_fault` is the text of the last failure.
    """

    def __init__(
        self,
        connect: Callable[[], OledDevice],
        clock: Clock,
        put: Put,
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self.last_fault: str | None = None
        self._connect = connect
        self._clock = clock
        self._put = put
        self._pauses = pauses
        self._wake = threading.Condition()
        self._picture: Image | None = None
        self._closing = False
        self._tries = 0
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    def show(self, picture: Image) -> None:
        """Show a picture soon. Never blocks; a picture like the last changes nothing.

        Raises ValueError for a picture that is not 128 x 64.
        """
        if picture.size != SIZE:
            raise ValueError(f"OLED picture is {picture.size}; it must be {SIZE}")
        picture = picture.convert("1")
        with self._wake:
            if self._picture is None or self._picture.tobytes() != picture.tobytes():
                self._picture = picture
                self._wake.notify()

    def close(self) -> None:
        """Switch the panel off. A panel that hangs is given up after two seconds."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        while not self._closing:
            panel: OledDevice | None = None
            # Anything may come out of a dying bus; this thread must outlive it.
            try:
                panel = self._connect()
                self._draw_on(panel)
            except Exception as error:
                self._failed(error)
            finally:
                if panel is not None:
                    with suppress(Exception):
                        panel.cleanup()

    def _draw_on(self, panel: OledDevice) -> None:
        shown: Image | None = None
        while (picture := self._next_after(shown)) is not None:
            panel.display(picture)
            shown = picture
            self._answered()

    def _next_after(self, shown: Image | None) -> Image | None:
        """Wait for the next picture that differs; None when closing."""
        with self._wake:
            self._wake.wait_for(lambda: self._closing or self._picture is not shown)
            return None if self._closing else self._picture

    def _answered(self) -> None:
        if self._tries:
            self._put(Found(self._clock(), NAME))
        self._tries = 0

    def _failed(self, error: Exception) -> None:
        self.last_fault = f"{type(error).__name__}: {error}"
        if not self._tries:
            self._put(DeviceLost(self._clock(), NAME))
        pause = self._pauses[min(self._tries, len(self._pauses) - 1)]
        self._tries += 1
        with self._wake:
            self._wake.wait_for(lambda: self._closing, timeout=pause)
