"""The scanner's real firmware on an emulated board, in a child process that is built when needed.

`Emulator` runs at the pace of the clock and offers a serial port that opens like a real one. The
child ends when its standard input ends.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Self

from filelock import FileLock, Timeout

import pi_app
from pi_app.base.values import dataclass
from pi_app.devices.scanner import Listener, ScannerBoard, wired_cells
from pi_app.devices.scanner_port import PortCarrier, SerialPort
from pi_app.devices.source import USUAL, Clock, DeviceError, Put, Timing
from pi_app.rules.terms import Side
from pi_app.sensing.description import Board, Cell
from pi_app.simulator.source import SimulatedSource

BOOT = ("--boot", "1000")
"""Opening the port resets the board into its bootloader, which waits about this many ms."""
PACKAGES = "make gcc libc6-dev gcc-avr avr-libc libsimavr-dev"
"""Debian's packages that are needed to build the emulator."""

CHECKER_UT = 39_000
"""The field of a checker at the sensor below its centre, in microtesla; the other side's has the
opposite sign."""

NOISE_MV = 4
"""The largest noise of sensors and converter; a step of the converter is 3.2 mV."""

_BUILD_S, ANSWER_S, _END_S = 180.0, 20.0, 2.0
_TOOLS = ("make", "cc", "avr-gcc")
_HEADERS = (
    "/usr/include/stdlib.h",
    "/usr/include/simavr/sim_avr.h",
    "/usr/lib/avr/include/avr/io.h",
)
_EMULATOR_FAULT = "this is a fault of the emulator in firmware/sim"


@dataclass(frozen=True, slots=True)
class Programs:
    board: Path
    firmware: Path


def missing_tools() -> tuple[str, ...]:
    tools = [tool for tool in _TOOLS if shutil.which(tool) is None]
    return (*tools, *(header for header in _HEADERS if not Path(header).exists()))


def build_programs(build: Path | None = None, *variables: str) -> Programs:
    """Build board and firmware if they are not up to date.

    `build` is the target folder, by default firmware/build. `variables` are passed to make, for
    tests, such as SETTLE_US=3. Raises DeviceError if sources or tools are missing, or make fails.
    """
    sources = Path(pi_app.__file__).resolve().parent.parent / "firmware"
    if not (sources / "Makefile").exists():
        raise DeviceError(
            f"the emulator's sources are not at {sources}",
            "they are in Spotter's source folder alone: run ./pi_app/run there",
        )
    missing = missing_tools()
    if missing:
        raise DeviceError(
            f"the emulator cannot be built without {', '.join(missing)}",
            f"sudo apt install {PACKAGES}",
        )
    folder = sources / "build" if build is None else build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    # Seen from the sources: make takes a path with a space for two.
    into = os.path.relpath(folder, sources)
    words = ["make", "-s", "-C", str(sources), f"BUILD={into}", "avr", "sim", *variables]
    try:  # two makes at once would trip over each other
        alone = FileLock(folder / ".lock").acquire(timeout=_BUILD_S)
    except Timeout:
        reason = f"another build has held {folder} for {_BUILD_S:.0f} s"
        raise DeviceError(reason, "end it") from None
    with alone:
        _make(words)
    return Programs(folder / "sim" / "scanner-sim", folder / "avr" / "scanner.elf")


class EmulatedBoard:
    """A board's process, which answers lines with lines; every wait has a limit.

    `options` are those of the board's program. For one thread at a time.
    """

    def __init__(self, programs: Programs, *options: str) -> None:
        self._rest = b""
        self._closed: set[Cell] = set()
        self.north = Side.WHITE
        """Whose checkers raise a Hall sensor's level."""
        self._process = subprocess.Popen(
            [programs.board, programs.firmware, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            process_group=0,  # ^C is for the program, which then ends its child in good order
        )
        self._read_answer("start", ANSWER_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def set_reed(self, cell: Cell, closed: bool) -> None:
        """Close or open a reed; or put a side's checker on a Hall sensor, or remove it."""
        self.ask(self.order(cell, closed))

    def order(self, cell: Cell, closed: bool) -> str:
        """The command for it. On a Hall sensor the fields of all checkers add up."""
        if cell.side is None:
            return f"{verb(closed)} {cell.row} {cell.column}"
        self._closed = self._closed | {cell} if closed else self._closed - {cell}
        lying = [one.side for one in self._closed if replace(one, side=cell.side) == cell]
        field = CHECKER_UT * (2 * lying.count(self.north) - len(lying))
        return f"field {cell.row} {cell.column} {field}"

    def ask(self, command: str, seconds: float = ANSWER_S) -> list[str]:
        """Send a command and return the answer's lines.

        Raises DeviceError unless the last begins with ok.
        """
        stdin = self._process.stdin
        assert stdin is not None
        if stdin.closed:
            raise DeviceError(f"the emulator was closed, asked to {command!r}", "start another one")
        try:
            stdin.write(command.encode() + b"\n")
        except OSError:
            self._give_up(f"the emulator is gone, asked to {command!r}")
        lines = self._read_answer(command, seconds)
        if lines[-1].startswith("error"):
            raise DeviceError(f"the emulator refuses {command!r}: {lines[-1][6:]}", _EMULATOR_FAULT)
        return lines

    def close(self) -> None:
        """End the process, by force if needed. May be called twice."""
        process = self._process
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def _read_answer(self, command: str, seconds: float) -> list[str]:
        deadline = time.monotonic() + seconds
        lines: list[str] = []
        while not lines or not lines[-1].startswith(("ok", "error")):
            lines.append(self._read_line(command, deadline))
        return lines

    def _read_line(self, command: str, deadline: float) -> str:
        assert self._process.stdout is not None
        while b"\n" not in self._rest:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self._process.stdout], [], [], left)[0]:
                self._give_up(f"the emulator does not answer {command!r}")
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            if not more:
                self._give_up(f"the emulator has ended at {command!r}")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode()

    def _give_up(self, what: str) -> NoReturn:
        process = self._process
        process.kill()
        process.wait()
        said = process.stderr.read().decode().strip() if process.stderr else ""
        EmulatedBoard.close(self)
        raise DeviceError(f"{what}: {said}" if said else what, _EMULATOR_FAULT)


class Emulator(EmulatedBoard):
    """A board at the pace of the clock, behind a serial port."""

    def __init__(self, programs: Programs, *options: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="spotter-")
        self.port = Path(self._folder.name) / "scanner"
        try:
            super().__init__(programs, *options, "--port", str(self.port))
        except BaseException:
            self._folder.cleanup()
            raise

    def close(self) -> None:
        """End the process and remove the port. May be called twice."""
        super().close()
        self._folder.cleanup()


def verb(closed: bool) -> str:
    return "close" if closed else "open"


def _make(words: Sequence[str]) -> None:
    command = " ".join(words)
    with subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            _, said = process.communicate(timeout=_BUILD_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the compilers too
            raise DeviceError(f"{command} took over {_BUILD_S:.0f} s", _EMULATOR_FAULT) from None
    if process.returncode:
        raise DeviceError(f"{command} failed: {said.strip()}", "fix what it names")


class EmulatedPort(PortCarrier):
    """The emulated board's serial port. Closing it ends the emulator."""

    def __init__(self, emulator: Emulator, listener: Listener, clock: Clock) -> None:
        super().__init__(listener, lambda: SerialPort(str(emulator.port)), clock)
        self._emulator = emulator

    def close(self) -> None:
        super().close()
        self._emulator.close()


def open_emulated(
    board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
) -> SimulatedSource:
    """Open a board on the emulator at the pace of the clock, behind a real serial port.

    Raises DeviceError for a board without a scanner, and if the emulator cannot be built.
    """
    programs = programs_for(board)
    with ExitStack() as until_open:
        emulator = until_open.enter_context(Emulator(programs, *BOOT, *strips_of(board)))
        leave_out(emulator, board)
        source = ScannerBoard(
            board, factory, clock, put, partial(EmulatedPort, emulator, clock=clock), timing
        )
        until_open.pop_all()
    return SimulatedSource(source, emulator.set_reed)


def strips_of(board: Board) -> tuple[str, ...]:
    """The options that describe a board's Hall strips; empty for reeds."""
    if board.scanner is None or not board.tells_sides:
        return ()
    return ("--strips", str(board.scanner.rows), "--noise", str(NOISE_MV))


def leave_out(emulator: EmulatedBoard, board: Board) -> None:
    """Remove the sensors that the strips could have and this board does not, and set its poles."""
    if board.scanner is None or not board.tells_sides:
        return
    emulator.north = board.scanner.north
    for row in range(board.scanner.rows):
        for column in range(board.scanner.columns):
            if (row, column) not in wired_cells(board):
                emulator.ask(f"rest {row} {column} 0")


def programs_for(board: Board) -> Programs:
    """The binaries for a board with a scanner. Raises DeviceError for any other board."""
    if board.scanner is None:
        raise DeviceError(
            f"board {board.name!r} has no scanner to emulate",
            "leave --emulator out, or choose another --board",
        )
    return build_programs()
