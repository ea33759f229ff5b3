"""The words of the walk test: what to do next, and the report at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from types import MappingProxyType

from pi_app.microseconds import write_ms
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.sensing.walk import Ask, Finding, Flaw, Walk, WalkStage

_DEBOUNCED = "Debounced by the scanner: bounce shorter than its setting is not seen here."


def place_words(board: Board, sensor: Sensor) -> str:
    """Where a sensor is: "spot 4", or "spot 13, place 2 of 5"."""
    place = board.place(board.spot_of[sensor])
    names = [reed.name for reed in place.reeds]
    if len(names) == 1:
        return f"spot {place.spot}"
    return f"spot {place.spot}, place {names.index(sensor) + 1} of {len(names)}"


def wire_words(board: Board, sensor: Sensor) -> str:
    """What a sensor is wired to: "gpio 23", or "row 12, column 1"."""
    cell = board.cells.get(sensor)
    if cell is None:
        return f"gpio {board.pins[sensor]}"
    return f"row {cell.row}, column {cell.column}"


def ask_words(board: Board, ask: Ask) -> str:
    """One sentence for the hands."""
    others = ", ".join(ask.others)
    if ask.stage is WalkStage.CLEAR:
        return f"Take everything off the board; closed: {others}"
    if ask.sensor is None:
        return "The walk is over"
    where = place_words(board, ask.sensor)
    if ask.stage is WalkStage.TAKE:
        return f"{ask.sensor} closed: take the checker off {where}"
    if others:
        return (
            f"{others} closed instead of {ask.sensor}: if the checker does lie on {where}, "
            "press Enter"
        )
    return f"Put one checker on {where}"


def finding_words(board: Board, finding: Finding) -> str:
    """What is wrong with a sensor, and what to look at."""
    return f"{finding.sensor} ({wire_words(board, finding.sensor)}): {_flaw_words(finding)}"


def report(walk: Walk) -> tuple[str, ...]:
    """The lines of the report: the count, every finding, what to swap, what was not tried."""
    board, findings = walk.board, walk.findings
    bad = {finding.sensor for finding in findings}
    well = sum(sensor not in bad for sensor in walk.tried)
    lines = [f"Walk test of {board.name}: {well} of {len(board.sensors)} sensors are well"]
    lines.extend(f"  {finding_words(board, finding)}" for finding in findings)
    lines.extend(f"  {line}" for line in _swaps(board, findings))
    if left := [sensor for sensor in board.sensors if sensor not in {*walk.tried, *bad}]:
        lines.append(f"  not tried: {', '.join(left)}")
    if board.scanner is not None:
        lines.append(_DEBOUNCED)
    return tuple(lines)


def _flaw_words(finding: Finding) -> str:
    if finding.flaw is Flaw.NEVER and finding.edges:
        return f"never came to rest; {finding.edges} edges: see its solder joints"
    if finding.flaw is Flaw.CHATTER:
        return (
            f"chatters: {finding.edges} edges in the first 50 ms, at rest after "
            f"{write_ms(finding.settled):g} ms: see its solder joints, or the magnet is too weak"
        )
    if finding.flaw is Flaw.LOOSE:
        return f"came and went {finding.times} times: the magnet is weak or too far from the reed"
    others = ", ".join(finding.others)
    return _FLAWS[finding.flaw].format(others=others)


_FLAWS: Mapping[Flaw, str] = MappingProxyType(
    {
        Flaw.NEVER: (
            "never closed: see its wires, a diode the wrong way round, and that the reed lies "
            "beside the spot's centre"
        ),
        Flaw.WRONG: "{others} closed in its place: see which wire goes where",
        Flaw.STUCK: "closed with nothing on it: see for a short circuit, or change the reed",
        Flaw.HELD: "does not open: see for a short circuit, or change the reed",
        Flaw.NEIGHBOUR: (
            "{others} closed along with it: the magnet is too strong or the reeds too near, or "
            "their wires touch"
        ),
    }
)


# What is wired crosswise


def _swaps(board: Board, findings: tuple[Finding, ...]) -> Iterator[str]:
    """Which wires to swap; two pairs or more on the same two lines are the lines' fault."""
    pairs = sorted(_crosswise(board, findings), key=lambda pair: _lines(board, *pair))
    for lines, group in groupby(pairs, key=lambda pair: _lines(board, *pair)):
        those = list(group)
        if lines and len(those) > 1:
            yield f"{lines} are wired crosswise: swap their wires"
            continue
        for one, other in those:
            wires = f"{wire_words(board, one)} and {wire_words(board, other)}"
            yield f"{one} and {other} are wired crosswise: swap their wires ({wires})"


def _crosswise(board: Board, findings: tuple[Finding, ...]) -> Iterator[tuple[Sensor, Sensor]]:
    """The pairs of sensors of which each closes in place of the other."""
    instead = {f.sensor: f.others for f in findings if f.flaw is Flaw.WRONG}
    order = board.sensors.index
    for sensor, others in instead.items():
        for other in others:
            if order(sensor) < order(other) and instead.get(other) == (sensor,):
                yield sensor, other


def _lines(board: Board, one: Sensor, other: Sensor) -> str:
    """The two rows, or the two columns, that two sensors are on; empty if it is neither."""
    here, there = board.cells.get(one), board.cells.get(other)
    if not isinstance(here, Cell) or not isinstance(there, Cell):
        return ""
    if here.column == there.column:
        return f"rows {here.row} and {there.row}"
    if here.row == there.row:
        return f"columns {here.column} and {there.column}"
    return ""
