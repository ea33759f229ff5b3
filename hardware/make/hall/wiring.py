"""The circuit of boards with Hall sensors: two switches a spot on the Pi, or strips on a Mega.

On the Mega's side of the ribbon stand a regulator, so that no wrong hole puts 5 V on the sensors,
and a resistor in every line.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardware.make.assembly import GROUND, LOGIC, MEGA, PI, Assembly
from hardware.make.circuit import Component, Kind, Lead, Node, Role, two_leads
from hardware.make.hall.strip import CLEAR, CLOCK, COLUMNS, NEXT, RIBBON, TOKEN
from hardware.make.hall.strip import GROUND as STRIP_GROUND
from hardware.make.hall.strip import SUPPLY as STRIP_SUPPLY
from hardware.make.header import PIN_OF
from hardware.make.pcb.lines import rows_of
from pi_app.rules.terms import Both, Side
from pi_app.sensing.description import Board, Reed

DRIVEN: Mapping[str, str] = {TOKEN: "D6", CLOCK: "D7", CLEAR: "D8"}
"""What the Mega drives: the first strip's token, the clock, the clear."""
SENSED: Mapping[str, str] = {**{name: name for name in COLUMNS}, "BACK": "A5"}
"""What it converts: the columns, and the token that comes back from the last strip."""
MEGA_GROUND, MEGA_SUPPLY, REFERENCE = "M-GND", "M-5V", "AREF"
RAIL = "S-3V3"
SWITCH_LEADS = ("VCC", "GND", "OUT")
REGULATOR_LEADS = ("GND", "VIN", "VOUT")


def wire_hall(bench: Assembly, board: Board) -> None:
    """Add what a board with Hall sensors has instead of reeds."""
    if board.scanner is None:
        for number, reed in enumerate(board.reeds, start=1):
            _wire_spot(bench, number, reed)
    else:
        _wire_strips(bench, board)


def mega_leads() -> tuple[Lead, ...]:
    """The Mega's pins that strips use."""
    lines = (*DRIVEN.values(), *SENSED.values(), REFERENCE)
    return (
        Lead("5V", Role.SOURCE),
        Lead("GND", Role.SOURCE),
        *(Lead(name, Role.INOUT) for name in lines),
    )


def _wire_spot(bench: Assembly, number: int, reed: Reed) -> None:
    """Two switches back to back, one a side, and a capacitor for both."""
    assert isinstance(reed.line, Both)
    for side in Side:
        ref = f"U{side.value[0].upper()}{number}"
        purpose = f"switch of {reed.closed_by(side)}"
        roles = (Role.SUPPLIED, Role.SUPPLIED, Role.INOUT)
        leads = tuple(Lead(name, role) for name, role in zip(SWITCH_LEADS, roles, strict=True))
        bench.put(Component(ref, Kind.SWITCH, purpose, leads))
        gpio = f"GPIO{reed.line[side]}"
        bench.join(gpio, Node(PI, str(PIN_OF[reed.line[side]])))
        bench.series(gpio, f"of the {purpose}", f"{ref}-P")
        bench.join(f"{ref}-P", Node(ref, "OUT"))
        bench.join(LOGIC, Node(ref, "VCC"))
        bench.join(GROUND, Node(ref, "GND"))
    capacitor = bench.put(
        two_leads(f"C{number}", Kind.CAPACITOR, f"at the switches of {reed.name}")
    )
    bench.join(LOGIC, Node(capacitor.ref, "1"))
    bench.join(GROUND, Node(capacitor.ref, "2"))


def _wire_strips(bench: Assembly, board: Board) -> None:
    strips = rows_of(board)
    bench.join(MEGA_GROUND, Node(MEGA, "GND"))
    bench.join(MEGA_SUPPLY, Node(MEGA, "5V"))
    _wire_regulator(bench)
    for name, printed in DRIVEN.items():
        bench.join(printed, Node(MEGA, printed))
        bench.series(printed, f"of the line {name}", _net(name), Kind.LINE)
    hold = bench.put(two_leads("R601", Kind.HOLD, "that keeps the token cleared"))
    bench.join(_net(CLEAR), Node(hold.ref, "1"))
    bench.join(MEGA_GROUND, Node(hold.ref, "2"))
    for number, (name, printed) in enumerate(SENSED.items(), start=501):
        bench.join(printed, Node(MEGA, printed))
        bench.series(printed, f"of the line {name}", _net(name))
        pull = bench.put(two_leads(f"R{number}", Kind.PULL, f"of the line {name}"))
        bench.join(_net(name), Node(pull.ref, "1"))
        bench.join(MEGA_GROUND, Node(pull.ref, "2"))
    before = _net(TOKEN)
    shared = {STRIP_SUPPLY: RAIL, STRIP_GROUND: MEGA_GROUND}
    shared |= {name: _net(name) for name in (CLOCK, CLEAR, *COLUMNS)}
    for place, strip in enumerate(strips):
        ref = f"K{strip.own}"
        leads = [
            *(Lead(name, Role.SUPPLIED) for name in (STRIP_SUPPLY, STRIP_GROUND)),
            *(Lead(name, Role.INOUT) for name in (CLOCK, CLEAR, *COLUMNS, TOKEN, NEXT)),
        ]
        bench.put(Component(ref, Kind.STRIP, f"strip of row {strip.own}", tuple(leads)))
        for name, net in shared.items():
            bench.join(net, Node(ref, name))
        bench.join(before, Node(ref, TOKEN))
        before = _net("BACK") if place == len(strips) - 1 else f"T{strip.own + 1}"
        bench.join(before, Node(ref, NEXT))
    bench.plug([shared[name] for name in RIBBON], len(RIBBON), "ribbon")
    bench.plug([_net(TOKEN), _net("BACK")], 2, "token, out and back")


def _wire_regulator(bench: Assembly) -> None:
    """3.3 V for strips and converter from the Mega's 5 V, with a capacitor on each side."""
    roles = (Role.SUPPLIED, Role.SUPPLIED, Role.SOURCE)
    leads = tuple(Lead(name, role) for name, role in zip(REGULATOR_LEADS, roles, strict=True))
    bench.put(Component("VR1", Kind.REGULATOR, "regulator of 3.3 V", leads))
    bench.join(MEGA_GROUND, Node("VR1", "GND"))
    bench.join(MEGA_SUPPLY, Node("VR1", "VIN"))
    bench.join(RAIL, Node("VR1", "VOUT"))
    for ref, net in (("C1", MEGA_SUPPLY), ("C2", RAIL)):
        bench.put(two_leads(ref, Kind.RESERVOIR, f"at the regulator's {net}"))
        bench.join(net, Node(ref, "1"))
        bench.join(MEGA_GROUND, Node(ref, "2"))
    bench.join(REFERENCE, Node(MEGA, REFERENCE))
    bench.series(REFERENCE, "of the converter's reference", RAIL, Kind.LINE)


def _net(name: str) -> str:
    return f"S-{name}"
