"""The scanner's C core at a desk, by way of ctypes: contacts, clock and wire are variables."""

import ctypes
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock
from scanner_wire import FromHost, pack

from pi_app.link.messages import (
    Configure,
    Decoder,
    FromScanner,
    Geometry,
    Hello,
    Report,
    encode,
    unpack_from_scanner,
)

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
BUILD = FIRMWARE / "build"
TOKEN = 0x1234
BUILD_NUMBER = 0x89ABCDEF
"""What the scanner at the desk says it is."""
LONGEST_BUILD_S = 180.0

PACKAGES = {"make": "make", "cc": "gcc", "avr-gcc": "gcc-avr avr-libc"}
"""Which Debian packages bring a tool."""


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """Run make in firmware/, one at a time over all test processes."""
    BUILD.mkdir(exist_ok=True)
    with FileLock(BUILD / ".lock").acquire(timeout=LONGEST_BUILD_S):
        return subprocess.run(
            ["make", "-s", "-C", str(FIRMWARE), *words],
            capture_output=True,
            text=True,
            timeout=LONGEST_BUILD_S,
            check=False,
        )


def need(*tools: str) -> None:
    """Skip the test, and say what to install, when one of these tools is missing."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"install {' '.join(PACKAGES[tool] for tool in missing)}")


@cache
def built(target: str, path: str) -> Path:
    """A file of firmware/build that is up to date."""
    done = make(target)
    assert done.returncode == 0, done.stderr
    return BUILD / path


@cache
def library() -> ctypes.CDLL:
    """The core and its desk."""
    need("make", "cc")
    core = ctypes.CDLL(str(built("host", "host/libscanner.so")))
    u8, u16, u32, text = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_char_p
    for name, result, arguments in (
        ("frame_encode", u8, [text, u8, text]),
        ("frame_crc", u16, [text, u8]),
        ("desk_start", None, [u8, u8, u8]),
        ("desk_contact", None, [u8, u8, ctypes.c_bool]),
        ("desk_clock", None, [u32]),
        ("desk_level", None, [u8, u8, u16]),
        ("desk_strips", None, [u8, u8, ctypes.c_bool]),
        ("desk_room", None, [u16]),
        ("desk_overruns", None, [u16]),
        ("desk_put", u16, [text, u16]),
        ("desk_take", u16, [text, u16]),
        ("desk_scan", None, []),
        ("desk_serve", None, []),
        ("desk_misuses", u16, []),
        ("desk_row_start", None, [u8, u16, u16]),
        ("desk_row_scan", u16, [u16, u16]),
        ("desk_row_rest", u16, [u16, u16, u16, u32]),
        ("desk_decoder_start", None, []),
        ("desk_decode", ctypes.c_int16, [u8, text]),
    ):
        function = getattr(core, name)
        function.restype = result
        function.argtypes = arguments
    return core


@dataclass
class CoreDesk:
    """A scanner that has just been reset, on a board with 31 rows and 16 columns."""

    ms: int = 0
    cause: int = 1
    frames: Decoder = field(default_factory=Decoder)
    core: ctypes.CDLL = field(default_factory=library)

    def __post_init__(self) -> None:
        self.core.desk_start(self.cause, 31, 16)
        self.core.desk_clock(self.ms)

    def say(self, *messages: FromHost) -> list[FromScanner]:
        """The scanner's immediate answer to these messages."""
        return self.say_bytes(b"".join(encode(pack(message)) for message in messages))

    def say_bytes(self, data: bytes) -> list[FromScanner]:
        """The scanner's immediate answer to these bytes, at most 4096."""
        assert self.core.desk_put(data, len(data)) == len(data)
        return self.heard()

    def heard(self) -> list[FromScanner]:
        """The scanner's output when served now."""
        self.core.desk_serve()
        return [unpack_from_scanner(payload) for payload in self.frames.feed(self.sent())]

    def sent(self) -> bytes:
        """The bytes that have been sent since they were last asked for."""
        buffer = ctypes.create_string_buffer(8192)
        count = self.core.desk_take(buffer, 8192)
        return buffer.raw[:count]

    def run(self, ms: int) -> list[FromScanner]:
        """The scanner's output during this time, scanned every millisecond."""
        return [message for _, message in self.run_timed(ms)]

    def run_timed(self, ms: int) -> list[tuple[int, FromScanner]]:
        """The same, each with the millisecond at which it was sent."""
        heard = []
        for _ in range(ms):
            self.ms = (self.ms + 1) % (1 << 32)
            self.core.desk_clock(self.ms)
            self.core.desk_scan()
            heard += [(self.ms, message) for message in self.heard()]
        assert self.frames.bad == 0
        return heard

    def set(self, row: int, column: int, closed: bool) -> None:
        """Close or open a reed."""
        self.core.desk_contact(row, column, closed)

    def configure(self, rows: int = 3, columns: int = 4, debounce_ms: int = 5) -> Report:
        """Begin a session; the picture it begins with."""
        hello = self.say(Configure(TOKEN, Geometry(rows, columns, debounce_ms)))[-1]
        assert isinstance(hello, Hello)
        assert (hello.token, hello.fault) == (TOKEN, 0)
        (picture,) = self.run(1)
        assert isinstance(picture, Report)
        assert picture.sequence == 0
        return picture

    def finish(self) -> None:
        """Invariants after every test."""
        assert self.core.desk_misuses() == 0, "the hardware is used as it says"
