"""A touchscreen of the kernel's uinput, which SDL reads as it reads a Raspberry Pi's own."""

from __future__ import annotations

import os
import struct
import time
from fcntl import ioctl

SIZE = (800, 480)
FINGERS = 10
TOUCHED_S = 0.2
SYN, KEY, ABS = 0, 1, 3
BTN_TOUCH = 0x14A
ABS_X, ABS_Y, SLOT, MT_X, MT_Y, TRACKING = 0, 1, 0x2F, 0x35, 0x36, 0x39
DIRECT = 1
"""The property of a device that is touched where its picture is."""
SET_EVENT, SET_KEY, SET_AXIS, SET_PROPERTY, CREATE = (
    *(0x40045500 + number for number in (100, 101, 103, 110)),
    0x5501,
)
USB = 3
AXES = 64


class Touchscreen:
    """It is there until the process ends."""

    def __init__(self) -> None:
        self._device = os.open("/dev/uinput", os.O_WRONLY)
        self._touches = 0
        most = dict(zip((ABS_X, ABS_Y, MT_X, MT_Y), (size - 1 for size in SIZE * 2), strict=True))
        most |= {SLOT: FINGERS - 1, TRACKING: 0xFFFF}
        for kind in (KEY, ABS):
            ioctl(self._device, SET_EVENT, kind)
        ioctl(self._device, SET_KEY, BTN_TOUCH)
        ioctl(self._device, SET_PROPERTY, DIRECT)
        for axis in most:
            ioctl(self._device, SET_AXIS, axis)
        largest = [most.get(axis, 0) for axis in range(AXES)]
        named = struct.pack("80s4HI", b"Lab's touchscreen", USB, 1, 1, 1, 0)
        os.write(self._device, named + struct.pack(f"{4 * AXES}i", *largest, *[0] * 3 * AXES))
        ioctl(self._device, CREATE)

    def touch(self, x: int, y: int) -> None:
        """A finger comes down at this point of the display, and goes."""
        self._touches += 1
        place = ((MT_X, x), (MT_Y, y), (ABS_X, x), (ABS_Y, y))
        self._tell(
            (ABS, TRACKING, self._touches), *((ABS, *axis) for axis in place), (KEY, BTN_TOUCH, 1)
        )
        time.sleep(TOUCHED_S)
        self._tell((ABS, TRACKING, -1), (KEY, BTN_TOUCH, 0))

    def _tell(self, *events: tuple[int, int, int]) -> None:
        for event in (*events, (SYN, 0, 0)):
            os.write(self._device, struct.pack("qqHHi", 0, 0, *event))
