"""The words of the walk test: what to do next, and the report at the end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pi_app.microseconds import write_ms
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.sensing.walk import Ask, Finding, Flaw, Walk, WalkStage
from pi_app.words.sentences import COMMAS, Listing, Sentence

DEBOUNCED = Sentence("Debounced by the scanner: bounce shorter than its setting is not seen here.")
SPOT = Sentence("spot {spot}")
PLACE = Sentence("spot {spot}, place {place} of {places}")
GPIO, CELL = Sentence("gpio {pin}"), Sentence("row {row}, column {column}")
TAKECOMMAS = Sentence("Take everything off the board; closed: {sensors}")
OVER = Sentence("The walk is over")
TAKE_OFF = Sentence("{sensor} closed: take the checker off {place}")
INSTEAD = Sentence(
    "{others} closed instead of {sensor}: if the checker does lie on {place}, go on without it"
)
PUT_ON = Sentence("Put one checker on {place}")
FOUND = Sentence("{sensor} ({wire}): {flaw}")
INDENTED = Sentence("  {line}")
WELL = Sentence("Walk test of {board}: {well} of {all} sensors are well")
NOT_TRIED = Sentence("not tried: {sensors}")
NO_REST = Sentence(
    "never came to rest; 1 edge: see its solder joints",
    "never came to rest; {n} edges: see its solder joints",
)
CHATTERS = Sentence(
    "chatters: {edges} edges in the first 50 ms, at rest after {ms} ms: see its solder joints, or "
    "the magnet is too weak"
)
CAME_AND_WENT = Sentence(
    "came and went once: the magnet is weak or too far from the reed",
    "came and went {n} times: the magnet is weak or too far from the reed",
)
NEVER_CLOSED = Sentence(
    "never closed: see its wires, a diode the wrong way round, and that the reed lies beside the "
    "spot's centre"
)
CLOSED_INSTEAD = Sentence("{others} closed in its place: see which wire goes where")
STUCK = Sentence("closed with nothing on it: see for a short circuit, or change the reed")
HELD = Sentence("does not open: see for a short circuit, or change the reed")
ALONG = Sentence(
    "{others} closed along with it: the magnet is too strong or the reeds too near, or their wires "
    "touch"
)
ROWS, COLUMNS = Sentence("rows {here} and {there}"), Sentence("columns {here} and {there}")
LINES_CROSSED = Sentence("{lines} are wired crosswise: swap their wires")
CROSSED = Sentence("{one} and {other} are wired crosswise: swap their wires ({first} and {second})")


def place_words(board: Board, sensor: Sensor) -> str:
    """Where a sensor is: "spot 4", or "spot 13, place 2 of 5"."""
    place = board.place(board.spot_of[sensor])
    names = [reed.name for reed in place.reeds]
    if len(names) == 1:
        return SPOT(spot=str(place.spot))
    return PLACE(spot=str(place.spot), place=names.index(sensor) + 1, places=len(names))


def wire_words(board: Board, sensor: Sensor) -> str:
    """What a sensor is wired to: "gpio 23", or "row 12, column 1"."""
    cell = board.cells.get(sensor)
    if cell is None:
        return GPIO(pin=board.pins[sensor])
    return CELL(row=cell.row, column=cell.column)


def ask_words(board: Board, ask: Ask) -> str:
    """One sentence for the hands."""
    others = Listing(ask.others, COMMAS)
    if ask.stage is WalkStage.CLEAR:
        return TAKECOMMAS(sensors=others)
    if ask.sensor is None:
        return OVER()
    where = place_words(board, ask.sensor)
    if ask.stage is WalkStage.TAKE:
        return TAKE_OFF(sensor=ask.sensor, place=where)
    if ask.others:
        return INSTEAD(others=others, sensor=ask.sensor, place=where)
    return PUT_ON(place=where)


def finding_words(board: Board, finding: Finding) -> str:
    """What is wrong with a sensor, and what to look at."""
    wire = wire_words(board, finding.sensor)
    return FOUND(sensor=finding.sensor, wire=wire, flaw=_flaw_words(finding))


def report(walk: Walk) -> tuple[str, ...]:
    """The lines of the report: the count, every finding, what to swap, what was not tried."""
    board, findings = walk.board, walk.findings
    bad = {finding.sensor for finding in findings}
    well = sum(sensor not in bad for sensor in walk.tried)
    lines = [finding_words(board, finding) for finding in findings]
    lines.extend(_swaps(board, findings))
    left = tuple(sensor for sensor in board.sensors if sensor not in {*walk.tried, *bad})
    if left:
        lines.append(NOT_TRIED(sensors=Listing(left, COMMAS)))
    return (
        WELL(board=board.name, well=well, all=len(board.sensors)),
        *(INDENTED(line=line) for line in lines),
        *((DEBOUNCED(),) if board.scanner is not None else ()),
    )


def _flaw_words(finding: Finding) -> str:
    others = Listing(finding.others, COMMAS)
    match finding.flaw:
        case Flaw.NEVER:
            return NO_REST(n=finding.edges) if finding.edges else NEVER_CLOSED()
        case Flaw.CHATTER:
            return CHATTERS(edges=finding.edges, ms=f"{write_ms(finding.settled):g}")
        case Flaw.LOOSE:
            return CAME_AND_WENT(n=finding.times)
        case Flaw.WRONG:
            return CLOSED_INSTEAD(others=others)
        case Flaw.NEIGHBOUR:
            return ALONG(others=others)
        case Flaw.STUCK | Flaw.HELD:
            return (STUCK if finding.flaw is Flaw.STUCK else HELD)()


# What is wired crosswise


def _swaps(board: Board, findings: tuple[Finding, ...]) -> Iterator[str]:
    """Which wires to swap; two pairs or more on the same two lines are the lines' fault."""
    pairs = sorted(_crosswise(board, findings), key=lambda pair: _lines(board, *pair))
    for lines, group in groupby(pairs, key=lambda pair: _lines(board, *pair)):
        those = list(group)
        if lines and len(those) > 1:
            yield LINES_CROSSED(lines=lines)
            continue
        for one, other in those:
            first, second = wire_words(board, one), wire_words(board, other)
            yield CROSSED(one=one, other=other, first=first, second=second)


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
        return ROWS(here=here.row, there=there.row)
    if here.row == there.row:
        return COLUMNS(here=here.column, there=there.column)
    return ""
