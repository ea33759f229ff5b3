"""Parts and wires of a circuit being put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hardware.make.circuit import Component, Kind, Lead, Node, Role, two_leads

PI, MEGA = "J1", "U1"
GROUND, LOGIC, SUPPLY = "GND", "3V3", "5V"
FIRST_NUMBERS: Mapping[Kind, int] = {
    **{Kind.RESISTOR: 1, Kind.SERIES: 101, Kind.BUS: 201, Kind.BASE: 301},
    **{Kind.LINE: 401, Kind.PULL: 501, Kind.HOLD: 601},
}
"""The first number of each kind of resistor."""


@dataclass(slots=True)
class Assembly:
    """A circuit while it grows."""

    parts: list[Component] = field(default_factory=list)
    wires: dict[str, list[Node]] = field(default_factory=dict)

    def put(self, part: Component) -> Component:
        self.parts.append(part)
        return part

    def join(self, net: str, *nodes: Node) -> None:
        self.wires.setdefault(net, []).extend(nodes)

    def series(self, net: str, purpose: str, beyond: str, kind: Kind = Kind.SERIES) -> None:
        """Add a resistor between a net at the controller and the net behind it."""
        number = FIRST_NUMBERS[kind] + sum(part.kind is kind for part in self.parts)
        part = self.put(two_leads(f"R{number}", kind, purpose))
        self.join(net, Node(part.ref, "1"))
        self.join(beyond, Node(part.ref, "2"))

    def plug(self, nets: Sequence[str], ways: int, purpose: str) -> None:
        """Add a plug whose first ways carry these nets."""
        number = 1 + sum(part.kind is Kind.PLUG for part in self.parts)
        leads = tuple(Lead(str(way), Role.PASSIVE) for way in range(1, ways + 1))
        free = frozenset(lead.name for lead in leads[len(nets) :])
        part = self.put(Component(f"P{number}", Kind.PLUG, purpose, leads, free))
        for lead, net in zip(leads, nets, strict=False):
            self.join(net, Node(part.ref, lead.name))
