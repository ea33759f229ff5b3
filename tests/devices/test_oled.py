"""The OLED's thread with a stand-in panel, luma's own dummy device, and a bus without a panel."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, TypeVar

import pytest
import smbus2
from luma.core.device import dummy
from luma.core.error import DeviceNotFoundError
from PIL import Image

from pi_app.base.microseconds import ms
from pi_app.devices.oled import LumaOled, Oled
from pi_app.referee.events import DeviceLost, Event, Found
from pi_app.user.settings import SETTINGS

SOON = 5.0
T = TypeVar("T")
BLACK, WHITE = 0, 255
LUMA_STILL_CALLS_GETDATA = pytest.mark.filterwarnings("ignore:Image.Image.getdata")


def picture(shade: int, corner: int = BLACK) -> Image.Image:
    image = Image.new("1", (128, 64), shade)
    image.putpixel((0, 0), corner)
    return image


class StandIn:
    """A panel that records what it shows, and can be slow, dead or stuck."""

    def __init__(self) -> None:
        self.drawn: SimpleQueue[bytes] = SimpleQueue()
        self.open = threading.Event()
        self.open.set()
        self.entered = threading.Event()
        self.trouble: Exception | None = None
        self.cleaned = 0
        self.tries: SimpleQueue[None] = SimpleQueue()

    def connect(self) -> StandIn:
        self.tries.put(None)
        if self.trouble is not None:
            raise self.trouble
        return self

    def display(self, image: Image.Image) -> None:
        self.entered.set()
        assert self.open.wait(SOON)
        if self.trouble is not None:
            raise self.trouble
        self.drawn.put(image.tobytes())

    def cleanup(self) -> None:
        self.cleaned += 1
        if self.trouble is not None:
            raise self.trouble


class Rig:
    def __init__(self) -> None:
        self.panel = StandIn()
        self.events: SimpleQueue[Event] = SimpleQueue()

    def start(self) -> Oled:
        return Oled(self.panel.connect, lambda: ms(42), self.events.put, pauses=(0.001,))


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.panel.open.set()


def test_a_picture_reaches_the_panel(rig: Rig) -> None:
    oled = rig.start()
    oled.show(picture(WHITE))
    assert rig.panel.drawn.get(timeout=SOON) == picture(WHITE).tobytes()
    oled.close()
    assert rig.panel.cleaned == 1
    assert rig.events.empty()


def test_the_same_picture_again_is_not_drawn(rig: Rig) -> None:
    oled = rig.start()
    shades = (WHITE, BLACK) * 20
    oled.show(picture(WHITE))
    for shade, following in pairwise(shades):
        assert rig.panel.drawn.get(timeout=SOON) == picture(shade).tobytes()
        oled.show(picture(shade))
        oled.show(picture(following))
    oled.close()


def test_a_slow_panel_gets_the_latest_picture_only(rig: Rig) -> None:
    rig.panel.open.clear()
    oled = rig.start()
    oled.show(picture(BLACK))
    assert rig.panel.entered.wait(SOON)
    for _ in range(50):
        oled.show(picture(WHITE))
        oled.show(picture(BLACK, corner=WHITE))
    rig.panel.open.set()
    assert rig.panel.drawn.get(timeout=SOON) == picture(BLACK).tobytes()
    assert rig.panel.drawn.get(timeout=SOON) == picture(BLACK, corner=WHITE).tobytes()
    oled.close()
    assert rig.panel.drawn.empty()


@pytest.mark.parametrize(
    "trouble", [DeviceNotFoundError("no answer"), OSError(errno.EREMOTEIO, "bus"), ValueError("?")]
)
def test_a_panel_missing_at_start_is_told_once_and_found_later(
    rig: Rig, trouble: Exception
) -> None:
    rig.panel.trouble = trouble
    oled = rig.start()
    oled.show(picture(WHITE))
    for _ in range(4):
        rig.panel.tries.get(timeout=SOON)
    rig.panel.trouble = None
    assert rig.events.get(timeout=SOON) == DeviceLost(ms(42), "OLED")
    assert rig.events.get(timeout=SOON) == Found(ms(42), "OLED")
    assert rig.panel.drawn.get(timeout=SOON) == picture(WHITE).tobytes()
    oled.close()
    assert rig.events.empty()
    assert type(trouble).__name__ in (oled.last_fault or "")


def test_a_panel_that_dies_comes_back_with_the_latest_picture(rig: Rig) -> None:
    oled = rig.start()
    oled.show(picture(WHITE))
    rig.panel.drawn.get(timeout=SOON)
    rig.panel.trouble = OSError(errno.EIO, "gone")
    oled.show(picture(BLACK))
    assert rig.events.get(timeout=SOON) == DeviceLost(ms(42), "OLED")
    oled.show(picture(WHITE, corner=WHITE))
    rig.panel.trouble = None
    assert rig.panel.drawn.get(timeout=SOON) == picture(WHITE, corner=WHITE).tobytes()
    assert rig.events.get(timeout=SOON) == Found(ms(42), "OLED")
    oled.close()


def test_closing_while_the_panel_is_away_does_not_wait_for_it(rig: Rig) -> None:
    rig.panel.trouble = OSError("away")
    oled = Oled(rig.panel.connect, lambda: ms(0), rig.events.put, pauses=(3600.0,))
    assert rig.events.get(timeout=SOON) == DeviceLost(ms(0), "OLED")
    oled.close()
    assert not any(thread.name == "OLED" for thread in threading.enumerate())


def test_closing_gives_up_on_a_stuck_panel(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.devices.oled._CLOSE_S", 0.05)
    rig.panel.open.clear()
    oled = rig.start()
    oled.show(picture(WHITE))
    assert rig.panel.entered.wait(SOON)
    oled.close()
    assert any(thread.name == "OLED" and thread.daemon for thread in threading.enumerate())


def test_a_picture_of_another_size_is_refused_at_once(rig: Rig) -> None:
    oled = rig.start()
    with pytest.raises(ValueError, match=r"OLED picture is \(64, 128\); it must be \(128, 64\)"):
        oled.show(Image.new("1", (64, 128)))
    oled.close()
    assert rig.events.empty()


def test_the_pauses_grow_and_the_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    enough = threading.Event()

    class Condition(threading.Condition):
        def wait_for(self, predicate: Callable[[], T], timeout: float | None = None) -> T:
            if timeout is None or enough.is_set():
                return super().wait_for(predicate, timeout)
            waited.append(timeout)
            if len(waited) == 5:
                enough.set()
            return predicate()

    monkeypatch.setattr("pi_app.devices.oled.threading.Condition", Condition)
    panel = StandIn()
    panel.trouble = OSError("away")
    oled = Oled(panel.connect, lambda: ms(0), lambda event: None, pauses=(1.0, 2.0, 30.0))
    assert enough.wait(SOON)
    oled.close()
    assert waited == [1.0, 2.0, 30.0, 30.0, 30.0]


def test_lumas_dummy_device_takes_the_pictures() -> None:
    class Dummy(dummy):  # type: ignore[misc]
        def display(self, image: Image.Image) -> None:
            super().display(image)
            drawn.set()

    drawn = threading.Event()
    device = Dummy(mode="1")
    oled = Oled(lambda: device, lambda: ms(0), lambda event: None)
    oled.show(picture(WHITE))
    assert drawn.wait(SOON)
    assert device.image.tobytes() == picture(WHITE).tobytes()
    device.persist = True
    oled.close()


class Bus:
    """An I2C bus with or without a panel; keeps the data bytes it carried."""

    def __init__(self) -> None:
        self.there = True
        self.closed = 0
        self.data: list[int] = []

    def write_i2c_block_data(self, address: int, mode: int, values: list[int]) -> None:
        if not self.there:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")

    def i2c_rdwr(self, message: Any) -> None:
        if not self.there:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.data = list(message)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Bus:
    bus = Bus()
    monkeypatch.setattr(smbus2, "SMBus", lambda port: bus)
    return bus


@LUMA_STILL_CALLS_GETDATA
@pytest.mark.parametrize("chip", sorted({*SETTINGS["oled.chip"].choices} - {"none"}))
def test_a_picture_goes_over_the_bus_to_every_chip_of_the_settings(bus: Bus, chip: str) -> None:
    """Whole, or page by page: then the last page is seen here."""
    panel = LumaOled(chip, 1, 0x3C)
    panel.display(picture(WHITE, corner=WHITE))
    assert bus.data[1:] == [0xFF] * (128 if chip == "sh1106" else 128 * 64 // 8)
    panel.cleanup()
    assert bus.closed >= 1


def test_a_missing_panel_lets_go_of_the_bus(bus: Bus) -> None:
    bus.there = False
    with pytest.raises(DeviceNotFoundError, match="0x3C"):
        LumaOled("ssd1306", 1, 0x3C)
    assert bus.closed == 1


@LUMA_STILL_CALLS_GETDATA
def test_a_panel_unplugged_before_the_end_lets_go_of_the_bus(bus: Bus) -> None:
    panel = LumaOled("ssd1306", 1, 0x3C)
    bus.there = False
    with pytest.raises(DeviceNotFoundError):
        panel.cleanup()
    assert bus.closed == 1
