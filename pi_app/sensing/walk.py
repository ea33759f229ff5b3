"""The walk test: a person puts one checker on every spot in turn, and each sensor is checked.

If places tell the sides apart, first one of White's checkers is used, then one of Black's. Edges
with their times come in; the next instruction and the findings go out. There is no clock. A contact
counts once it has been steady for STEADY; all its edges until then are one burst. The texts are at
the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from itertools import groupby

from pi_app.base.microseconds import Us, ms, write_ms
from pi_app.base.values import dataclass
from pi_app.rules.terms import Side
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.words.numbers import figure
from pi_app.words.sentences import COMMAS, Listing, Sentence

STEADY = ms(200)
"""Longer than any bounce, and short enough for a person to wait."""
BURST = ms(50)
"""Edges are counted for this long from the first on. A contact may take this long to rest."""
MOST_EDGES = 10
"""More edges than this in a burst are chatter: reeds bounce a few times, more under a sliding
magnet."""
WRONG_FOR = ms(500)
"""A wrong sensor is named once it has been closed this long while the right one is open."""
MOST_LOOSE = 1
"""This many bursts that end as they began are ignored: it may have been a sleeve."""


class WalkStage(Enum):
    """What the walk waits for."""

    CLEAR = auto()
    PUT = auto()
    TAKE = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Ask:
    """The next instruction: clear `others`, put a checker over `sensor`, remove it, or none. With
    PUT, `others` are closed instead of `sensor`."""

    stage: WalkStage
    sensor: Sensor | None = None
    others: tuple[Sensor, ...] = ()


class Flaw(Enum):
    NEVER = auto()
    WRONG = auto()
    STUCK = auto()
    HELD = auto()
    NEIGHBOUR = auto()
    CHATTER = auto()
    LOOSE = auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a sensor.

    `others` closed instead of it (WRONG) or together with it (NEIGHBOUR). It made `edges` within
    BURST and rested after `settled` (CHATTER), or never rested (NEVER). It changed and changed back
    `times` times by itself (LOOSE).
    """

    flaw: Flaw
    sensor: Sensor
    others: tuple[Sensor, ...] = ()
    edges: int = 0
    settled: Us = Us(0)
    times: int = 0


@dataclass(frozen=True, slots=True)
class _WalkedContact:
    """A contact. It is steady unless its latest burst ended, at `last`, less than STEADY ago."""

    steady: bool
    raw: bool
    first: Us
    last: Us
    edges: int = 0
    moving: bool = False

    def edge(self, us: Us, closed: bool) -> _WalkedContact:
        first = self.first if self.moving else us
        edges = (self.edges if self.moving else 0) + (us - first <= BURST)
        return _WalkedContact(self.steady, closed, first, us, edges, moving=True)

    @property
    def is_at_it(self) -> bool:
        return self.raw or self.moving

    @property
    def settled(self) -> Us:
        return Us(self.last - self.first)

    @property
    def due(self) -> Us | None:
        return Us(self.last + STEADY) if self.moving else None

    def rest(self) -> _WalkedContact:
        return _WalkedContact(self.raw, self.raw, self.first, self.last, self.edges)


class Walk:
    """One walk over all sensors of a board, in the order of its description.

    `closed` are the sensors closed at the start, at time `us`.
    """

    def __init__(self, board: Board, us: Us, closed: frozenset[Sensor]) -> None:
        self.board = board
        self._now = us
        self._contacts = {
            sensor: _WalkedContact(sensor in closed, sensor in closed, us, us)
            for sensor in board.sensors
        }
        self._left = list(board.sensors)
        self._target: Sensor | None = None
        self._stage = WalkStage.CLEAR
        self._stuck: set[Sensor] = set()
        self._tried: list[Sensor] = []
        self._findings: dict[tuple[Flaw, Sensor], Finding] = {}
        self._loose = 0
        self._go_on()

    # What there is to tell

    @property
    def ask(self) -> Ask:
        """The instruction now."""
        if self._stage is WalkStage.CLEAR:
            return Ask(WalkStage.CLEAR, None, tuple(self._lying()))
        if self._stage is WalkStage.PUT:
            return Ask(WalkStage.PUT, self._target, self._instead(WRONG_FOR))
        return Ask(self._stage, self._target)

    @property
    def tried(self) -> tuple[Sensor, ...]:
        """The sensors tested so far, in order."""
        return tuple(self._tried)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings so far, in the board's order."""
        order: Mapping[Sensor, int] = {
            sensor: number for number, sensor in enumerate(self.board.sensors)
        }
        return tuple(sorted(self._findings.values(), key=lambda f: (order[f.sensor], f.flaw.value)))

    @property
    def due(self) -> Us | None:
        """When something becomes certain if no edge comes first."""
        times = [contact.due for contact in self._contacts.values() if contact.due is not None]
        if self._stage is WalkStage.PUT:
            reported = (Us(self._contacts[s].last + WRONG_FOR) for s in self._instead(Us(0)))
            times.extend(time for time in reported if time > self._now)
        return min(times, default=None)

    # What happens

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> None:
        """Take a raw edge. One that repeats the state does not count."""
        self.advance(us)
        self._see(sensor, closed)

    def picture(self, us: Us, closed: frozenset[Sensor]) -> None:
        """Take the state of all contacts: an edge may have been lost."""
        self.advance(us)
        for sensor in self.board.sensors:
            self._see(sensor, sensor in closed)

    def _see(self, sensor: Sensor, closed: bool) -> None:
        contact = self._contacts[sensor]
        if contact.raw is not closed:
            self._contacts[sensor] = contact.edge(self._now, closed)

    def advance(self, us: Us) -> None:
        while (rested := self._next_rested(us)) is not None:
            self._now = max(self._now, Us(self._contacts[rested].last + STEADY))
            before = self._contacts[rested]
            self._contacts[rested] = before.rest()
            self._rested(rested, before)
        self._now = max(self._now, us)

    def skip(self, us: Us) -> None:
        """Stop waiting for the current step; that is a finding."""
        self.advance(us)
        if self._stage is WalkStage.CLEAR:
            for sensor in self._lying():
                self._stuck.add(sensor)
                self._find(Finding(Flaw.STUCK, sensor))
            self._go_on()
        elif self._target is not None:
            self._give_up(self._target)

    def end(self) -> None:
        """Stop early. Sensors not tested get no verdict."""
        self._stage, self._target = WalkStage.OVER, None
        self._left.clear()

    # How it goes on

    def _next_rested(self, us: Us) -> Sensor | None:
        """The sensor whose burst ended first by now."""
        ripe = [
            (contact.due, number, sensor)
            for number, (sensor, contact) in enumerate(self._contacts.items())
            if contact.due is not None and contact.due <= us
        ]
        return min(ripe)[2] if ripe else None

    def _rested(self, sensor: Sensor, burst: _WalkedContact) -> None:
        """A burst has ended: the contact is unchanged, or it has switched."""
        if self._stage is WalkStage.CLEAR:
            self._go_on()
        elif sensor == self._target:
            awaited = self._stage is WalkStage.PUT
            if burst.raw is awaited and burst.steady is not awaited:
                self._judge(sensor, burst)
            elif burst.raw is burst.steady is not awaited:
                self._loose += 1
        elif self._stage is WalkStage.TAKE and self._target is not None:
            closed = burst.raw and not burst.steady
            if closed and self._contacts[self._target].raw:
                self._neighbours(self._target, (sensor,))

    def _judge(self, target: Sensor, burst: _WalkedContact) -> None:
        """The requested sensor has closed, or opened again."""
        if burst.edges > MOST_EDGES or burst.settled > BURST:
            worst = self._findings.get((Flaw.CHATTER, target))
            if worst is None or worst.edges < burst.edges:
                self._find(Finding(Flaw.CHATTER, target, (), burst.edges, burst.settled))
        if self._stage is WalkStage.PUT:
            self._stage = WalkStage.TAKE
            self._neighbours(target, self._instead(Us(0)))
        elif self._stage is WalkStage.TAKE:
            self._done(target)

    def _neighbours(self, target: Sensor, others: tuple[Sensor, ...]) -> None:
        if others:
            known = self._findings.get((Flaw.NEIGHBOUR, target))
            self._find(Finding(Flaw.NEIGHBOUR, target, (*(known.others if known else ()), *others)))

    def _give_up(self, target: Sensor) -> None:
        contact, instead = self._contacts[target], self._instead(Us(0))
        if self._stage is WalkStage.TAKE:
            self._stuck.add(target)
            self._find(Finding(Flaw.HELD, target))
        elif instead and not contact.is_at_it:
            self._find(Finding(Flaw.WRONG, target, instead))
        else:
            edges = contact.edges if contact.moving else 0
            self._find(Finding(Flaw.NEVER, target, (), edges))
        self._done(target)

    def _done(self, target: Sensor) -> None:
        if self._loose > MOST_LOOSE:
            self._find(Finding(Flaw.LOOSE, target, times=self._loose))
        self._tried.append(target)
        self._target = None
        self._go_on()

    def _go_on(self) -> None:
        """Go to the next sensor once the board is empty."""
        self._loose = 0
        while self._left and self._left[0] in self._stuck:
            self._tried.append(self._left.pop(0))
        if not self._left:
            self._stage = WalkStage.OVER
        elif any(self._lying()):
            self._stage = WalkStage.CLEAR
        else:
            self._stage, self._target = WalkStage.PUT, self._left.pop(0)

    def _find(self, finding: Finding) -> None:
        self._findings[finding.flaw, finding.sensor] = finding

    def _lying(self) -> Iterator[Sensor]:
        """Yield the closed sensors that the walk has not given up."""
        for sensor, contact in self._contacts.items():
            if contact.raw and contact.steady and sensor not in self._stuck:
                yield sensor

    def _instead(self, long: Us) -> tuple[Sensor, ...]:
        """Other sensors closed for this long; none while the requested one is changing."""
        if long and self._target is not None and self._contacts[self._target].is_at_it:
            return ()
        return tuple(
            sensor
            for sensor in self._lying()
            if sensor != self._target and self._now - self._contacts[sensor].last >= long
        )


DEBOUNCED = Sentence("The scanner debounces: shorter bounces are not seen here.")
SPOT = Sentence("spot {spot}")
PLACE = Sentence("spot {spot}, place {place} of {places}")
GPIO, CELL = Sentence("gpio {pin}"), Sentence("row {row}, column {column}")
TAKE_ALL_OFF = Sentence("Clear the board; closed: {sensors}")
OVER = Sentence("Walk test finished")
TAKE_OFF = Sentence("{sensor} closed: lift the checker off {place}")
INSTEAD = Sentence(
    "{others} closed instead of {sensor}: move the checker to {place}, or skip this sensor"
)
PUT_ON = Sentence("Put one checker on {place}")
PUT_OF: Mapping[Side, Sentence] = {
    Side.WHITE: Sentence("Put one white checker on {place}"),
    Side.BLACK: Sentence("Put one black checker on {place}"),
}
TURNED = Sentence(
    "{other} closed instead of {sensor}: wrong colour, magnet turned over, or wires swapped"
)
FOUND = Sentence("{sensor} ({wire}): {flaw}")
INDENTED = Sentence("  {line}")
WELL = Sentence("Walk test of {board}: {well} of {all} sensors work")
NOT_TRIED = Sentence("not tested: {sensors}")
NO_REST = Sentence(
    "never at rest, 1 edge: check its solder joints",
    "never at rest, {n} edges: check its solder joints",
)
CHATTERS = Sentence(
    "chatters: {edges} edges in the first 50 ms, at rest after {ms} ms: check "
    "its solder joints and the magnet"
)
CAME_AND_WENT = Sentence(
    "dropped out once: the magnet is weak or too far from the reed",
    "dropped out {n} times: the magnet is weak or too far from the reed",
)
NEVER_CLOSED = Sentence(
    "never closed: check its wires, the diode's direction, and that the reed "
    "lies beside the spot's centre"
)
CLOSED_INSTEAD = Sentence("{others} closed instead: check the wiring")
STUCK = Sentence("closed without a checker: look for a short circuit, or replace the reed")
HELD = Sentence("does not open: look for a short circuit, or replace the reed")
ALONG = Sentence(
    "{others} closed too: the magnet is too strong, the reeds too close, or their wires touch"
)
ROWS, COLUMNS = Sentence("rows {here} and {there}"), Sentence("columns {here} and {there}")
LINES_CROSSED = Sentence("{lines} are crossed: swap their wires")
CROSSED = Sentence("{one} and {other} are crossed: swap their wires ({first} and {second})")


def place_words(board: Board, sensor: Sensor) -> str:
    """Where a sensor is: "spot 4", or "spot 13, place 2 of 5"."""
    place, reed = board.place(board.spot_of[sensor]), board.reed_of(sensor)
    if len(place.reeds) == 1:
        return SPOT(spot=str(place.spot))
    number = place.reeds.index(reed) + 1
    return PLACE(spot=str(place.spot), place=number, places=len(place.reeds))


def wire_words(board: Board, sensor: Sensor) -> str:
    """A sensor's connection: "gpio 23", or "row 12, column 1"."""
    cell = board.cells.get(sensor)
    if cell is None:
        return GPIO(pin=board.pins[sensor])
    return CELL(row=cell.row, column=cell.column)


def ask_words(board: Board, ask: Ask) -> str:
    """The instruction, in one sentence."""
    others = Listing(ask.others, COMMAS)
    if ask.stage is WalkStage.CLEAR:
        return TAKE_ALL_OFF(sensors=others)
    if ask.sensor is None:
        return OVER()
    where = place_words(board, ask.sensor)
    if ask.stage is WalkStage.TAKE:
        return TAKE_OFF(sensor=ask.sensor, place=where)
    reed = board.reed_of(ask.sensor)
    side = reed.side_of(ask.sensor)
    if side and ask.others == (reed.closed_by(side.other),):
        return TURNED(other=ask.others[0], sensor=ask.sensor)
    if ask.others:
        return INSTEAD(others=others, sensor=ask.sensor, place=where)
    return PUT_OF[side](place=where) if side else PUT_ON(place=where)


def finding_words(board: Board, finding: Finding) -> str:
    """The finding, and where to look."""
    wire = wire_words(board, finding.sensor)
    return FOUND(sensor=finding.sensor, wire=wire, flaw=_flaw_words(finding))


def report(walk: Walk) -> tuple[str, ...]:
    """The report: the count, all findings, wires to swap, and sensors not tested."""
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
            return CHATTERS(edges=finding.edges, ms=figure(write_ms(finding.settled)))
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
    """Which wires to swap. Several pairs on the same two lines mean that the lines are swapped."""
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
    """Yield the pairs of sensors that close in each other's place."""
    instead = {f.sensor: f.others for f in findings if f.flaw is Flaw.WRONG}
    order = board.sensors.index
    for sensor, others in instead.items():
        for other in others:
            if order(sensor) < order(other) and instead.get(other) == (sensor,):
                yield sensor, other


def _lines(board: Board, one: Sensor, other: Sensor) -> str:
    """The two rows or columns that two sensors are on; empty if they share neither."""
    here, there = board.cells.get(one), board.cells.get(other)
    if not isinstance(here, Cell) or not isinstance(there, Cell):
        return ""
    if here.column == there.column:
        return ROWS(here=here.row, there=there.row)
    if here.row == there.row:
        return COLUMNS(here=here.column, there=there.column)
    return ""
