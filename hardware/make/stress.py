"""The circuit at a controller's pins, and the worst current at any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from hardware.make.assembly import GROUND, LOGIC, MEGA, PI, SUPPLY
from hardware.make.circuit import Circuit, Component, Kind, Node
from hardware.make.currents import Branch, Solved, solve
from hardware.make.hall.wiring import DRIVEN, MEGA_GROUND, MEGA_SUPPLY
from hardware.make.header import COVERED, GROUNDS, SUPPLY_3V3, SUPPLY_5V
from hardware.make.sockets import MEGA_BLOCKS, PI_BLOCKS, Block

FIRM_OHMS = 0.02
"""A wire, a supply, a closed contact."""
OHMS: Mapping[Kind, float] = {
    **{Kind.SERIES: 950.0, Kind.BASE: 950.0, Kind.RESISTOR: 313.0, Kind.BUS: 95.0},
    **{Kind.LINE: 209.0, Kind.PULL: 44650.0, Kind.HOLD: 4465.0},
}
"""1 kΩ, 330 Ω, 100 Ω, 220 Ω, 47 kΩ and 4.7 kΩ, five per cent less."""
STRIP_OHMS = 130.0
"""All strips between their supply and ground: five sensors on, at 5 mA each, the most there are."""
REGULATOR_OHMS = 1.0
PULL_OHMS, MODULE_OHMS = 1800.0, 4700.0
"""The pull-ups of the I2C lines, on the Pi and on an OLED module."""
GROUND_NODE = "0 V"


class PinDrive(Enum):
    """What a controller does at a pin."""

    FLOATING = auto()
    PULLED_UP = auto()
    BUS = auto()
    LOW = auto()
    HIGH = auto()


@dataclass(frozen=True, slots=True)
class Chip:
    """A controller's pins: volts, ohms of pull-up and output at their least, and what a pin bears.

    `most_ma` is what an output may carry, `clamp_ma` what its protecting diodes may.
    """

    ref: str
    blocks: tuple[Block, ...]
    volts: float
    pull_up: float
    output: float
    most_ma: float
    clamp_ma: float


MEGA_CHIP = Chip(MEGA, MEGA_BLOCKS, 5.0, 20e3, 25.0, 20.0, 1.0)
"""ATmega2560: 40 mA are its absolute maximum, 20 mA what its data sheet tests; its pull-ups have
20 to 50 kΩ. 25 Ω: half a volt at 20 mA, typical. 1 mA through the diodes: Atmel's note AVR182,
from memory, unchecked."""
PI_CHIP = Chip(PI, PI_BLOCKS, 3.3, 33e3, 22.0, 16.0, 1.5)
"""Raspberry Pi 3 to 5: 16 mA a pin, its strongest setting; pull-ups from 33 kΩ (BCM2711); 22 Ω:
18 mA at 0.4 V (BCM2835). What the diodes bear is in no public data sheet: 1.5 mA is unchecked."""
SHORT_MA = 200.0
"""More than this out of a supply is a short circuit."""


@dataclass(frozen=True, slots=True)
class Stress:
    """The worst that a slip does, in mA: to a pin, to a pin's diodes, and to a supply."""

    pin: float
    clamp: float
    supply: float

    def harms(self, chip: Chip) -> bool:
        """Whether any current exceeds the part's limit."""
        return self.pin > chip.most_ma or self.clamp > chip.clamp_ma or self.supply > SHORT_MA


def wires(circuit: Circuit, chip: Chip) -> tuple[str, ...]:
    """The holes of a controller that have a wire; the touchscreen's own plug is none."""
    return tuple(
        node.lead
        for net in circuit.nets
        for node in net.nodes
        if node.ref == chip.ref and not (chip is PI_CHIP and int(node.lead) in COVERED)
    )


@dataclass(frozen=True, slots=True)
class Loom:
    """What hangs on one controller: branches between nets, the net and the task of each hole."""

    chip: Chip
    branches: tuple[Branch, ...]
    net_at: Mapping[str, str]
    task: Mapping[str, PinDrive]

    @classmethod
    def around(cls, circuit: Circuit, chip: Chip) -> Loom:
        """Return everything in a circuit that is joined with one of its controllers."""
        net_of = {node: net.name for net in circuit.nets for node in net.nodes}
        net_at = {hole: net_of[Node(chip.ref, hole)] for hole in wires(circuit, chip)}
        reached = _reached(circuit, set(net_at.values()))
        branches = [
            branch
            for part in circuit.components
            if any(net_of.get(Node(part.ref, lead.name)) in reached for lead in part.leads)
            for branch in _branches(part, net_of)
        ]
        task = {hole: _task(circuit, net) for hole, net in net_at.items()}
        return cls(chip, tuple(_merged(branches, set(net_at.values()))), net_at, task)


def _reached(circuit: Circuit, start: set[str]) -> set[str]:
    """Return the nets that can be reached from the start nets through parts. Grounds and supplies
    are included, but end the way."""
    net_of = {node: net.name for net in circuit.nets for node in net.nodes}
    reached, before = set(start), set[str]()
    parts = [part for part in circuit.components if part.kind not in (Kind.PI, Kind.MEGA)]
    while reached != before:
        before = set(reached)
        for part in parts:
            nets = {
                net_of[Node(part.ref, lead.name)]
                for lead in part.leads
                if lead.name not in part.free
            }
            if part.kind is not Kind.PLUG and nets & (
                reached - {GROUND, LOGIC, SUPPLY, MEGA_GROUND, MEGA_SUPPLY}
            ):
                reached |= nets
    return reached


def _branches(part: Component, net_of: Mapping[Node, str]) -> Iterator[Branch]:
    """Return a part as branches, with the least resistance that it may have."""

    def at(lead: str) -> str:
        return net_of[Node(part.ref, lead)]

    match part.kind:
        case Kind.REED | Kind.BUTTON:
            yield Branch(at("1"), at("2"), FIRM_OHMS)
        case Kind.SERIES | Kind.BASE | Kind.BUS | Kind.RESISTOR | Kind.LINE | Kind.PULL | Kind.HOLD:
            yield Branch(at("1"), at("2"), OHMS[part.kind])
        case Kind.DIODE | Kind.FLYBACK:
            yield Branch(at("A"), at("K"), FIRM_OHMS, 0.55)
        case Kind.LED:
            yield Branch(at("A"), at("K"), FIRM_OHMS, 1.7)
        case Kind.BUZZER:
            yield Branch(at("+"), at("-"), 100.0)
        case Kind.TRANSISTOR:
            yield Branch(at("B"), at("E"), FIRM_OHMS, 0.6)
            yield Branch(at("C"), at("E"), 5.0, 0.05)
        case Kind.OLED:
            yield Branch(at("VCC"), at("GND"), 150.0)
            for line in ("SCL", "SDA"):
                yield Branch(at("VCC"), at(line), MODULE_OHMS)
                yield from _diodes(at(line), at("VCC"), at("GND"))
        case _:
            yield from _hall(part, at)


def _hall(part: Component, at: Callable[[str], str]) -> Iterator[Branch]:
    """A switch that is closed, the regulator, or a strip."""
    match part.kind:
        case Kind.SWITCH:
            yield Branch(at("OUT"), at("GND"), FIRM_OHMS)
            yield Branch(at("GND"), at("VCC"), 5.0, 0.6)
        case Kind.REGULATOR:
            yield Branch(at("VIN"), at("VOUT"), REGULATOR_OHMS, 1.7)
            yield Branch(at("GND"), at("VOUT"), FIRM_OHMS, 0.6)
        case Kind.STRIP:
            yield from _strip(part, at)


def _strip(part: Component, at: Callable[[str], str]) -> Iterator[Branch]:
    """The first strip stands for the load of the one that is on; inputs have a diode to ground and
    none to the supply, outputs have both."""
    supply, ground = at("3V3"), at("GND")
    if part.ref == "K0":
        yield Branch(supply, ground, STRIP_OHMS)
        for line in ("A0", "A1", "A2", "A3", "A4"):
            yield Branch(at(line), ground, FIRM_OHMS + 100.0)
            yield from _diodes(at(line), supply, ground)
        for line in ("CLK", "CLR", "IN"):
            yield Branch(ground, at(line), FIRM_OHMS, 0.5)
    yield from _diodes(at("OUT"), supply, ground)


def _diodes(pin: str, supply: str, ground: str) -> Iterator[Branch]:
    yield Branch(pin, supply, FIRM_OHMS, 0.5)
    yield Branch(ground, pin, FIRM_OHMS, 0.5)


def _merged(branches: Sequence[Branch], kept: Collection[str]) -> Iterator[Branch]:
    """A reed and its diode as one branch: fewer nodes, the same currents."""
    ends = Counter(node for branch in branches for node in (branch.start, branch.end))
    joints = {node for node, times in ends.items() if times == 2 and node not in kept}
    beyond = {b.start: b for b in branches if b.drop is not None and b.start in joints}
    pairs = {b: beyond[b.end] for b in branches if b.drop is None and b.end in beyond}
    for branch in branches:
        if branch in pairs:
            end = pairs[branch]
            yield Branch(branch.start, end.end, branch.ohms + end.ohms, end.drop)
        elif branch not in pairs.values():
            yield branch


def _task(circuit: Circuit, name: str) -> PinDrive:
    """Return what a controller does at the pin of this net."""
    if name in (GROUND, LOGIC, SUPPLY):
        return PinDrive.FLOATING
    if circuit.of(Kind.STRIP) and any(node.ref == MEGA for node in circuit.net(name).nodes):
        return PinDrive.HIGH if name in DRIVEN.values() else PinDrive.FLOATING
    kinds = {circuit.component(node.ref).kind for node in circuit.net(name).nodes}
    for part in (circuit.component(node.ref) for node in circuit.net(name).nodes):
        if part.kind in (Kind.SERIES, Kind.BASE, Kind.BUS):
            beyond = circuit.net_of(Node(part.ref, "2"))
            kinds |= {circuit.component(node.ref).kind for node in beyond.nodes}
    if Kind.OLED in kinds:
        return PinDrive.BUS
    if kinds & {Kind.RESISTOR, Kind.TRANSISTOR}:
        return PinDrive.HIGH
    return PinDrive.FLOATING if name.startswith("ROW") else PinDrive.PULLED_UP


def stress(net: Loom, holes: Mapping[str, str | None], drives: Mapping[str, PinDrive]) -> Stress:
    """The currents with these wires in other holes, and the chip driving so."""
    chip = net.chip
    branches = list(net.branches)
    inside: list[Sequence[_Inner]] = []
    for own, name in net.net_at.items():
        hole = holes.get(own, own)
        if hole is not None:
            inside.append(tuple(_inside(chip, hole, drives.get(hole, PinDrive.FLOATING))))
            branches.append(Branch(name, f"pin {hole}", FIRM_OHMS))
    branches += [inner.branch for some in inside for inner in some]
    solved = solve(branches, {GROUND_NODE: 0.0, "VCC": chip.volts, "5 V": 5.0})
    return Stress(*(_most(solved, inside, what) for what in ("pin", "clamp", "supply")))


def _most(solved: Solved, pins: Iterable[Sequence[_Inner]], what: str) -> float:
    """Return the largest current of a kind at any of these pins, in mA."""
    return max(
        1000 * sum(abs(solved.through(inner.branch)) for inner in pin if inner.what == what)
        for pin in pins
    )


class _Inner(NamedTuple):
    """A branch behind a hole, and what of the chip it is."""

    branch: Branch
    what: str


def _inside(chip: Chip, hole: str, drive: PinDrive) -> Iterator[_Inner]:
    """Return the branches behind a hole: a supply, or a pin with its diodes and its driver."""
    pin = f"pin {hole}"
    if (supply := supply_at(chip, hole)) is not None:
        if supply:
            what = "ground" if supply == GROUND_NODE else "supply"
            yield _Inner(Branch(pin, supply, FIRM_OHMS), what)
        return
    for branch in _diodes(pin, "VCC", GROUND_NODE):
        yield _Inner(branch, "clamp")
    match drive:
        case PinDrive.PULLED_UP:
            yield _Inner(Branch("VCC", pin, chip.pull_up), "pin")
        case PinDrive.BUS:
            yield _Inner(Branch("VCC", pin, PULL_OHMS), "pin")
        case PinDrive.LOW:
            yield _Inner(Branch(pin, GROUND_NODE, chip.output), "pin")
        case PinDrive.HIGH:
            yield _Inner(Branch("VCC", pin, chip.output), "pin")


def supply_at(chip: Chip, hole: str) -> str | None:
    """Return the net of the supply or ground at a hole of the controller; "" for a hole without a
    voltage, None for a signal pin."""
    if chip is PI_CHIP:
        pin = int(hole)
        if pin in SUPPLY_5V:
            return "5 V"
        if pin in SUPPLY_3V3:
            return "VCC"
        return GROUND_NODE if pin in GROUNDS else None
    if hole in ("5V", "VIN", "IOREF"):
        return "5 V"
    if hole == "GND":
        return GROUND_NODE
    return "" if hole in ("NC", "AREF", "RESET", "3V3") else None
