"""The worst current of every slip, computed from the circuit.

A slip is one wire in a neighbouring hole, diagonal ones too, or all wires of a socket shifted by
one hole or turned round. Every reed is closed and every button pressed; driven pins are tried both
ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hardware.make.assembly import GROUND
from hardware.make.circuit import Circuit, Kind, Net, Node
from hardware.make.currents import Branch
from hardware.make.header import COVERED, SUPPLY_5V
from hardware.make.sockets import Block, beside
from hardware.make.stress import (
    FIRM_OHMS,
    MEGA_CHIP,
    OHMS,
    PI_CHIP,
    Chip,
    Loom,
    PinDrive,
    Stress,
    stress,
    supply_at,
    wires,
)

SERIAL_OUT = frozenset({"8"})
"""GPIO 14, which may be a serial console's output; other pins not in use are inputs from the start
(Raspberry Pi's documentation)."""


@dataclass(frozen=True, slots=True)
class Slip:
    """Wires in wrong holes: from their own hole to the actual one, None for nowhere. `single` is
    the pair of a single wire."""

    chip: Chip
    words: str
    holes: Mapping[str, str | None]
    single: tuple[str, str] | None = None


def slips(circuit: Circuit, chip: Chip, covered: bool = True) -> Iterator[Slip]:
    """Every slip of one wire, and of all wires of a socket together.

    `covered`: the touchscreen's plug, or an empty one, sits on the Pi's 5 V.
    """
    shut = {str(pin) for pin in COVERED} if covered and chip is PI_CHIP else set()
    used = wires(circuit, chip)
    for own in used:
        for there in beside(chip.blocks, own):
            if there not in shut and there != own:
                # The wire that belongs there is not connected yet.
                out = {there: None} if there in used else {}
                yield Slip(chip, f"{own} in {there}", {own: there, **out}, (own, there))
    for block in chip.blocks:
        here = [own for own in used if any(own in line for line in block.lines)]
        for words, moved in _together(block, here):
            if not shut & set(moved.values()):
                yield Slip(chip, words, moved)


def _together(block: Block, here: Sequence[str]) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """Yield the slips of a whole socket that is plugged in one hole off, in each direction, or
    turned round."""
    if here:
        for lines, places in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            moved = {own: block.shifted(own, lines, places) for own in here}
            yield f"all one hole on, {here[0]} in {moved[here[0]]}", moved
        yield "all turned round", {own: block.turned(own) for own in here}


def examples(circuit: Circuit, chip: Chip) -> Iterator[Slip]:
    """One slip of each kind of wire into each kind of hole: a supply, ground, or a driven pin."""
    net, seen = Loom.around(circuit, chip), set[tuple[PinDrive, str]]()
    for slip in slips(circuit, chip, covered=False):
        if slip.single is None:
            continue
        own, hole = slip.single
        into = supply_at(chip, hole)
        if into is None and net.task.get(hole) is PinDrive.HIGH:
            into = "output"
        elif into is None and net.net_at[own] == GROUND:
            into = "elsewhere"
        if into and (net.task[own], into) not in seen:
            seen.add((net.task[own], into))
            yield slip


def worst(circuit: Circuit, slip: Slip) -> Stress:
    """Return the worst currents of a slip over everything that the controller may be driving."""
    net = Loom.around(circuit, slip.chip)
    found = [stress(net, slip.holes, drives) for drives in _states(net, slip)]
    return Stress(
        *(max(getattr(one, what) for one in found) for what in ("pin", "clamp", "supply"))
    )


def touched(circuit: Circuit, chip: Chip) -> Stress:
    """The worst of 5 V touching a sensed line beyond its resistor, reed or button open."""
    net = Loom.around(circuit, chip)
    opened = [b for b in net.branches if b.drop is not None or b.ohms != FIRM_OHMS]
    found = [Stress(0.0, 0.0, 0.0)]
    for hole, name in net.net_at.items():
        if net.task[hole] is PinDrive.PULLED_UP:
            # Beyond the resistor, or on the pin itself where there is none.
            beyond = (b.end for b in opened if b.start == name and b.ohms == OHMS[Kind.SERIES])
            probe = Branch("5 V", next(beyond, name), FIRM_OHMS)
            loose = replace(net, branches=(*opened, probe))
            found.append(stress(loose, {}, net.task))
    return max(found, key=lambda one: one.clamp)


def forced(circuit: Circuit, chip: Chip) -> Iterator[Slip]:
    """Yield 5 V on each wire of a controller, as from a hole that is not a neighbour."""
    hole = "5V" if chip is MEGA_CHIP else str(SUPPLY_5V[1])
    for own in wires(circuit, chip):
        yield Slip(chip, f"{own} on 5 V", {own: hole})


def bare(circuit: Circuit) -> Circuit:
    """The same circuit with a wire in place of every resistor that is there for slips."""
    resistors = [part for kind in (Kind.SERIES, Kind.BUS, Kind.LINE) for part in circuit.of(kind)]
    gone = {part.ref for part in resistors}
    merged = {
        circuit.net_of(Node(ref, "2")).name: circuit.net_of(Node(ref, "1")).name for ref in gone
    }
    nodes: dict[str, list[Node]] = {}
    for net in circuit.nets:
        kept = [node for node in net.nodes if node.ref not in gone]
        nodes.setdefault(merged.get(net.name, net.name), []).extend(kept)
    parts = tuple(part for part in circuit.components if part.ref not in gone)
    return Circuit(circuit.title, parts, tuple(Net(n, tuple(some)) for n, some in nodes.items()))


def _states(net: Loom, slip: Slip) -> Iterator[Mapping[str, PinDrive]]:
    """Yield everything that the controller may be driving, by hole."""
    if net.chip is MEGA_CHIP:
        rows = [hole for hole, name in net.net_at.items() if name.startswith("ROW")]
        for row in {*(row for row in rows if row in slip.holes), *rows[:1], *rows[-1:]}:
            yield {**net.task, row: PinDrive.LOW}
        outputs = [hole for hole, task in net.task.items() if task is PinDrive.HIGH]
        for drive in (PinDrive.HIGH, PinDrive.LOW) if outputs else ():
            for alone in (None, *outputs):  # one of them the other way round
                other = PinDrive.LOW if drive is PinDrive.HIGH else PinDrive.HIGH
                turned = {alone: other} if alone else {}
                yield {**net.task, **dict.fromkeys(outputs, drive), **turned}
        return
    touched = {hole for hole in slip.holes.values() if hole}
    driven = {hole for hole, task in net.task.items() if task is PinDrive.HIGH}
    serial = (touched & SERIAL_OUT) - net.task.keys()
    bus = {hole for hole, task in net.task.items() if task is PinDrive.BUS}
    for there, others in (
        *((PinDrive.HIGH, PinDrive.LOW), (PinDrive.LOW, PinDrive.HIGH)),
        *((PinDrive.HIGH, PinDrive.HIGH), (PinDrive.LOW, PinDrive.LOW)),
    ):
        yield {
            **net.task,
            **dict.fromkeys(bus, PinDrive.LOW if others is PinDrive.LOW else PinDrive.BUS),
            **dict.fromkeys(driven, others),
            **dict.fromkeys((driven & touched) | serial, there),
        }
