"""`spotter scanner`: what a connected reed scanner says, live, or the command that flashes it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing

from pi_app.boards import load_board
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.devices.scanner import fresh_token, hitches, matrix_of
from pi_app.devices.scanner_port import Port, SerialPort, converse, find_port
from pi_app.devices.source import DeviceError
from pi_app.games.equipment import Compendium
from pi_app.link.messages import MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Fault, Geometry, Hello
from pi_app.link.session import (
    Changed,
    HostSession,
    LinkEvent,
    LinkLost,
    MatrixPicture,
    RowColumn,
    Up,
)
from pi_app.microseconds import Us
from pi_app.rules.contract import Games
from pi_app.sensing.description import Sensor
from pi_app.settings import Settings, load_settings
from pi_app.strict import ConfigError

PROGRAM = "firmware/build/avr/scanner.hex"


def run(argv: list[str], games: Compendium) -> int:
    """Print until the time is over or Ctrl-C. Fails if the port cannot be used."""
    args = _parser().parse_args(argv)
    settings = load_settings()
    wanted = args.port or settings.scanner.port
    if args.flash:
        print("\n".join(_flashing(find_port(wanted))))
        return Status.DONE
    geometry, names = _matrix(args, settings, games.rules)
    return _listen(geometry, names, lambda: SerialPort(find_port(wanted)), args.seconds)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scanner", "Print what a connected reed scanner says: one line a change.")
    parser.add_argument("--port", metavar="P", help="its serial port; by default as in settings")
    parser.add_argument("--board", metavar="NAME", help="the board whose sensors are named")
    parser.add_argument("--rows", type=int, metavar="R", help="of a matrix without a board")
    parser.add_argument("--columns", type=int, metavar="C", help="of a matrix without a board")
    parser.add_argument("--seconds", type=float, metavar="S", help="so long; by default until ^C")
    parser.add_argument("--flash", action="store_true", help="print how to flash it, and end")
    return parser


def _matrix(
    args: argparse.Namespace, settings: Settings, games: Games
) -> tuple[Geometry, Mapping[RowColumn, Sensor]]:
    """The matrix to configure and its sensors' names. Raises ConfigError."""
    debounce_ms = settings.times.debounce_ms
    if args.rows is not None or args.columns is not None:
        geometry = Geometry(args.rows or 0, args.columns or 0, debounce_ms)
        if args.board or geometry.fault() is not Fault.NONE:
            most = f"1 to {MOST_ROWS} rows and 1 to {MOST_COLUMNS} columns, {MOST_CELLS} cells"
            raise ConfigError("scanner", [f"give {most} at most, or a board"])
        return geometry, {}
    board = load_board(args.board or settings.board.name, games)
    if board.scanner is None:
        reason = "it has no scanner; give --rows and --columns, or another --board"
        raise ConfigError(board.name, [reason])
    names = {(cell.row, cell.column): sensor for sensor, cell in board.cells.items()}
    return matrix_of(board, debounce_ms), names


def _flashing(port: str) -> Iterator[str]:
    yield f"make -C firmware avr      # builds {PROGRAM}"
    yield (
        f"avrdude -p atmega2560 -c wiring -P {port} -b 115200 -D -U flash:w:{PROGRAM}:i"
        "      # end spotter first"
    )


def _listen(
    geometry: Geometry,
    names: Mapping[RowColumn, Sensor],
    connect: Callable[[], Port],
    seconds: float | None,
) -> int:
    """Print what the scanner reports. Fails if no picture ever arrives."""
    session, began = HostSession(geometry, fresh_token), time.monotonic()
    shown = False
    with closing(connect()) as port:
        try:
            for line in _lines(session, names, port):
                shown = shown or session.closed is not None
                if line:
                    print(line, flush=True)
                if seconds is not None and time.monotonic() - began >= seconds:
                    break
        except KeyboardInterrupt:
            print()
        except Exception as error:  # a port can die in any way
            raise DeviceError(f"the port died: {error}", "plug it in again") from error
    print(f"{session.counters.frames} frames, {hitches(session.counters)}")
    if session.trouble:
        print(session.trouble)
    return Status.DONE if shown else Status.FAILED


def _lines(
    session: HostSession, names: Mapping[RowColumn, Sensor], port: Port
) -> Iterator[str | None]:
    """Yield a line per event, or None while nothing happens."""
    began = time.monotonic_ns()
    hello: Hello | None = None
    trouble: str | None = None
    for events in converse(session, port, lambda: Us((time.monotonic_ns() - began) // 1000)):
        yield None
        if session.hello is not None and session.hello != hello:
            hello = session.hello
            yield f"{'':>9}  {_hello_line(hello)}"
        if session.trouble and session.trouble != trouble:
            yield f"{'':>9}  {session.trouble}"
        trouble = session.trouble
        yield from (f"{event.us / 1e6:9.4f}  {_event_line(event, names)}" for event in events)


def _hello_line(hello: Hello) -> str:
    at = hello.geometry
    matrix = f"{at.rows} × {at.columns}, {at.debounce_ms} ms" if hello.token else "not configured"
    cause = hello.cause.name.lower().replace("_", "-")
    faults = f"{hello.bad_frames} bad frames, {hello.overruns} overruns"
    return f"hello: {matrix}; began by {cause}; {faults}"


def _event_line(event: LinkEvent, names: Mapping[RowColumn, Sensor]) -> str:
    match event:
        case Up():
            return "up"
        case LinkLost(why=why):
            return f"lost: {why}"
        case MatrixPicture(closed=closed):
            return f"picture: {', '.join(_named(sorted(closed), names)) or 'all open'}"
        case Changed(place=place, closed=closed):
            (name,) = _named([place], names)
            return f"{name} {'closed' if closed else 'opened'}"


def _named(places: Iterable[RowColumn], names: Mapping[RowColumn, Sensor]) -> Iterator[str]:
    for row, column in places:
        name = names.get((row, column))
        yield f"row {row} column {column}" if name is None else str(name)
