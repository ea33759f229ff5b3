"""A circuit with a pin left open or joined twice is refused; SKiDL finds the boards' sound."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from known import load_board
from workshop import BOARDS, mega

from hardware.make import erc
from hardware.make.circuit import Circuit, Component, Kind, Lead, Net, Node, Role, faults
from hardware.make.wiring import wire


def circuit(name: str) -> Circuit:
    return wire(load_board(name), mega(), oled=True)


def without(whole: Circuit, node: Node) -> Circuit:
    nets = (replace(net, nodes=tuple(n for n in net.nodes if n != node)) for net in whole.nets)
    return replace(whole, nets=tuple(nets))


def joined(whole: Circuit, name: str, *nodes: Node) -> Circuit:
    nets = (
        replace(net, nodes=(*net.nodes, *nodes)) if net.name == name else net for net in whole.nets
    )
    return replace(whole, nets=tuple(nets))


@pytest.mark.parametrize("name", BOARDS)
def test_our_boards_have_no_fault_and_skidl_agrees(name: str) -> None:
    before = sorted(Path.cwd().iterdir())
    assert faults(circuit(name)) == ()
    assert erc.check(circuit(name)) == ()
    assert sorted(Path.cwd().iterdir()) == before  # SKiDL's files are gone


def test_a_pin_left_open_is_a_fault_for_both() -> None:
    cut = without(circuit("nannon-6"), Node("S3", "2"))
    assert faults(cut) == ("pin 2 of S3 is not connected; join it or declare it free",)
    (told,) = erc.check(cut)
    assert told.startswith("Unconnected pin")
    assert "S3" in told


def test_a_pin_on_two_nets_is_a_fault() -> None:
    twice = joined(circuit("cannon-10"), "ROW3", Node("D7", "K"))
    assert faults(twice) == ("pin K of D7 is joined 2 times; a pin is on one net",)


def test_two_reeds_on_one_pin_are_a_fault() -> None:
    """The Pi's pin of reed 1 given to reed 2's net too."""
    twice = joined(circuit("nannon-6"), "GPIO27", Node("J1", "11"))
    assert faults(twice) == ("pin 11 of J1 is joined 2 times; a pin is on one net",)


def test_a_pin_that_is_not_there_or_said_to_be_free_is_a_fault() -> None:
    whole = circuit("nannon-6")
    assert "pin 41 of J1 is joined and there is no such pin" in faults(
        joined(whole, "GPIO27", Node("J1", "41"))
    )
    assert "pin 40 of J1 is joined and declared free" in faults(
        joined(whole, "GPIO27", Node("J1", "40"))
    )


def test_a_net_of_one_pin_and_a_doubled_name_are_faults() -> None:
    part = Component("X1", Kind.REED, "lonely", (Lead("1", Role.PASSIVE), Lead("2", Role.PASSIVE)))
    lonely = Circuit("t", (part, part), (Net("N", (Node("X1", "1"),)), Net("N", ())))
    found = faults(lonely)
    assert "part 'X1' is there 2 times" in found
    assert "net 'N' is there 2 times" in found
    assert "net 'N' has 1 pin; a net joins two at least" in found
    assert "pin 2 of X1 is not connected; join it or declare it free" in found


def test_skidl_sees_two_supplies_joined() -> None:
    """5 V put on the OLED's 3.3 V: no list is wrong, the electricity is."""
    whole = circuit("nannon-6")
    pi = whole.of(Kind.PI)[0]
    fed = pi.leads[1]
    assert (fed.name, fed.role) == ("2", Role.SOURCE)
    short = joined(without(whole, Node("J1", "2")), "3V3", Node("J1", "2"))
    short = joined(short, "5V", Node("J1", "4"))
    parts = tuple(
        replace(part, free=part.free - {"4"}) if part.ref == pi.ref else part
        for part in short.components
    )
    short = replace(short, components=parts)
    assert faults(short) == ()
    assert any("conflict" in line for line in erc.check(short))


def test_a_circuit_amiss_is_not_drawn() -> None:
    board = load_board("nannon-6")
    doubled = replace(board, buttons=(board.buttons[0], board.buttons[0]))
    with pytest.raises(ValueError, match="pin 37 of J1 is joined 2 times"):
        wire(doubled, mega(), oled=True)
