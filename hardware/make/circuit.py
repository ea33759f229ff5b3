"""A circuit as parts, pins and nets, and the faults of such a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """The kinds of parts; each is an article of `parts.toml`."""

    PI = "pi"
    MEGA = "mega"
    REED = "reed"
    DIODE = "diode"
    BUTTON = "button"
    LED = "led"
    RESISTOR = "resistor"
    SERIES = "series resistor"
    BUS = "bus resistor"
    BASE = "base resistor"
    BUZZER = "buzzer"
    TRANSISTOR = "transistor"
    FLYBACK = "flyback diode"
    OLED = "oled"
    TOUCHSCREEN = "touchscreen"
    PLUG = "plug"
    SWITCH = "hall switch"
    CAPACITOR = "capacitor"
    STRIP = "hall strip"
    REGULATOR = "regulator"
    RESERVOIR = "reservoir"
    LINE = "line resistor"
    PULL = "pull-down resistor"
    HOLD = "hold resistor"


class Role(Enum):
    """What a pin does, electrically."""

    PASSIVE = "passive"
    INOUT = "inout"
    SOURCE = "source"
    SUPPLIED = "supplied"


@dataclass(frozen=True, slots=True)
class Lead:
    """One pin of a part, under the name that is printed on it or usual for it."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Component:
    """A part: its reference, its purpose, its pins and the free ones among them."""

    ref: str
    kind: Kind
    purpose: str
    leads: tuple[Lead, ...]
    free: frozenset[str] = frozenset()


class Node(NamedTuple):
    """A pin of a part."""

    ref: str
    lead: str


@dataclass(frozen=True, slots=True)
class Net:
    """Pins that one wire joins."""

    name: str
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Circuit:
    """All parts and nets of a board."""

    title: str
    components: tuple[Component, ...]
    nets: tuple[Net, ...]

    def of(self, kind: Kind) -> tuple[Component, ...]:
        """The parts of a kind, in order."""
        return tuple(part for part in self.components if part.kind is kind)

    def component(self, ref: str) -> Component:
        """Raises KeyError for an unknown reference."""
        for part in self.components:
            if part.ref == ref:
                return part
        raise KeyError(ref)

    def net_of(self, node: Node) -> Net:
        """The net that a pin is on; raises KeyError for a free one."""
        for net in self.nets:
            if node in net.nodes:
                return net
        raise KeyError(node)

    def net(self, name: str) -> Net:
        """Raises KeyError for an unknown name."""
        for net in self.nets:
            if net.name == name:
                return net
        raise KeyError(name)


def two_leads(ref: str, kind: Kind, purpose: str, names: tuple[str, str] = ("1", "2")) -> Component:
    """A part with two passive pins."""
    return Component(ref, kind, purpose, tuple(Lead(name, Role.PASSIVE) for name in names))


def faults(circuit: Circuit) -> tuple[str, ...]:
    """Everything wrong with the list itself: pins left open, joined twice, or not there."""
    return tuple(_faults(circuit))


def _faults(circuit: Circuit) -> Iterator[str]:
    yield from _doubled("part", [part.ref for part in circuit.components])
    yield from _doubled("net", [net.name for net in circuit.nets])
    pins = {Node(part.ref, lead.name) for part in circuit.components for lead in part.leads}
    free = {Node(part.ref, name) for part in circuit.components for name in part.free}
    joined = Counter(node for net in circuit.nets for node in net.nodes)
    for node, times in joined.items():
        if node not in pins:
            yield f"pin {_said(node)} is joined and there is no such pin"
        if node in free:
            yield f"pin {_said(node)} is joined and declared free"
        if times > 1:
            yield f"pin {_said(node)} is joined {times} times; a pin is on one net"
    for node in sorted(pins - free - set(joined)):
        yield f"pin {_said(node)} is not connected; join it or declare it free"
    for net in circuit.nets:
        if len(net.nodes) < 2:
            yield f"net {net.name!r} has {len(net.nodes)} pin; a net joins two at least"


def _doubled(what: str, names: list[str]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{what} {name!r} is there {times} times"


def _said(node: Node) -> str:
    return f"{node.lead} of {node.ref}"
