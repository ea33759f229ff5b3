"""The other side of the guest's pins and of its OLED: what a soldered board would do there."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from PIL import Image

LINES = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
CLAIMED = Path("/sys/kernel/debug/gpio")
OLED = Path("/sys/kernel/debug/oled")
SIZE = (128, 64)

FINIT_MODULE = 313
"""A system call of x86_64: a bare Debian has no insmod."""


def switch(pin: int, closed: bool) -> None:
    """Close the switch between a pin and ground, or open it."""
    (LINES / f"sim_gpio{pin}" / "pull").write_text("pull-down" if closed else "pull-up")


def is_lit(pin: int) -> bool:
    """What an output drives just now."""
    return (LINES / f"sim_gpio{pin}" / "value").read_text().strip() == "1"


def claimed() -> list[str]:
    """The lines that some program holds."""
    return [line for line in CLAIMED.read_text().splitlines() if "|" in line]


def plug_oled_in() -> None:
    """Bring the I2C bus up, with the OLED on it."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path(os.environ["LAB"], "oled.ko").open("rb") as module:
        if libc.syscall(FINIT_MODULE, module.fileno(), b"", 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def oled(name: str) -> int:
    """A number that the OLED tells, such as `on` or `bytes`."""
    return int((OLED / name).read_text(), 0)


def oled_answers(does: bool) -> None:
    """Let every transfer fail from now on, or none."""
    (OLED / "nack").write_text("0" if does else "1000000000")


def glass() -> Image.Image:
    """The picture on the OLED: pages of eight rows, the lowest bit on top."""
    ram = (OLED / "ram").read_bytes()
    picture = Image.new("1", SIZE)
    for place, byte in enumerate(ram):
        page, column = divmod(place, SIZE[0])
        for bit in range(8):
            picture.putpixel((column, 8 * page + bit), byte >> bit & 1)
    return picture
