"""The other side of the guest's pins and of its OLED: what a soldered board would do there."""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import struct
from pathlib import Path
from typing import IO

from PIL import Image

CHIP = Path("/dev/gpiochip0")
LINES = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
OLED = Path("/sys/kernel/debug/oled")
SIZE = (128, 64)
PAGE = 8

FINIT_MODULE = {"x86_64": 313, "aarch64": 273}
"""The number of this system call: a bare Debian has no insmod."""
LINE_INFO, LINE_INFO_SIZE, IS_HELD = 0xC100B405, 256, 1
"""GPIO_V2_GET_LINEINFO_IOCTL; the number of the line is at byte 64, its flags are at byte 72."""


def switch(pin: int, closed: bool) -> None:
    """Close the switch between a pin and ground, or open it."""
    (LINES / f"sim_gpio{pin}" / "pull").write_text("pull-down" if closed else "pull-up")


def is_lit(pin: int) -> bool:
    """An output's present level."""
    return (LINES / f"sim_gpio{pin}" / "value").read_text().strip() == "1"


def held() -> set[int]:
    """The lines that some program holds."""
    with CHIP.open("rb") as chip:
        return {line for line in range(len(list(LINES.glob("sim_gpio*")))) if _is_held(chip, line)}


def _is_held(chip: IO[bytes], line: int) -> bool:
    info = bytearray(LINE_INFO_SIZE)
    struct.pack_into("I", info, 64, line)
    fcntl.ioctl(chip, LINE_INFO, info)
    (flags,) = struct.unpack_from("Q", info, 72)
    return bool(flags & IS_HELD)


def plug_oled_in() -> None:
    """Bring the I2C bus up, with the OLED on it, if it is not yet."""
    if OLED.exists():
        return
    libc = ctypes.CDLL(None, use_errno=True)
    with Path(os.environ["LAB"], "oled.ko").open("rb") as module:
        if libc.syscall(FINIT_MODULE[platform.machine()], module.fileno(), b"", 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def oled(name: str) -> int:
    """A number of the OLED, such as `on` or `bytes`."""
    return int((OLED / name).read_text(), 0)


def oled_answers(does: bool) -> None:
    """Let every transfer fail from now on, or none."""
    (OLED / "nack").write_text("0" if does else "1000000000")


def glass() -> Image.Image:
    """The picture on the OLED: pages of eight rows, the lowest bit on top."""
    ram = (OLED / "ram").read_bytes()
    picture = Image.new("1", SIZE)
    for page in range(SIZE[1] // PAGE):
        columns = ram[page * SIZE[0] : (page + 1) * SIZE[0]]
        turned = Image.frombytes("1", (PAGE, SIZE[0]), columns, "raw", "1;R")
        picture.paste(turned.transpose(Image.Transpose.TRANSPOSE), (0, page * PAGE))
    return picture
