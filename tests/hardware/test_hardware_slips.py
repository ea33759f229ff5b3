"""Every wire one hole beside its own: the worst current, from the netlist and the real holes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest
from known import load_board
from workshop import BOARDS, MATRIX_BOARDS, committed, mega, parts

from hardware.make.__main__ import FIRMWARE
from hardware.make.circuit import Circuit, Kind, Net, Node
from hardware.make.currents import Branch, solve
from hardware.make.header import COVERED, GPIO_OF, GROUND_PIN, SUPPLY_PIN, role
from hardware.make.levels import levels
from hardware.make.slips import Slip, bare, forced, slips, touched, worst
from hardware.make.sockets import DOUBLE, LOWER, MEGA_BLOCKS, PI_BLOCKS, UPPER, beside
from hardware.make.stress import MEGA_CHIP, PI_CHIP, Chip, Stress, wires
from hardware.make.wiring import wire

PINS_C = (FIRMWARE.parent / "avr" / "pins.c").read_text(encoding="utf-8")
MAKEFILE = (FIRMWARE.parent / "Makefile").read_text(encoding="utf-8")


@cache
def circuit(name: str) -> Circuit:
    return wire(load_board(name), mega(), oled=True)


def harmful(whole: Circuit, chip: Chip, covered: bool = True) -> dict[str, Stress]:
    found = {slip.words: worst(whole, slip) for slip in slips(whole, chip, covered)}
    assert len(found) > 10
    return {words: stress for words, stress in found.items() if stress.harms(chip)}


# The solver, against circuits that one reckons in one's head.


def test_a_divider_divides() -> None:
    branches = [Branch("5", "m", 1000), Branch("m", "0", 4000)]
    solved = solve(branches, {"5": 5.0, "0": 0.0})
    assert solved.volts["m"] == pytest.approx(4.0)
    assert solved.through(branches[0]) == pytest.approx(0.001, rel=1e-4)


def test_a_diode_conducts_one_way_from_its_drop_on() -> None:
    forward = [Branch("5", "m", 999), Branch("m", "0", 0.001, 0.6)]
    assert solve(forward, {"5": 5.0, "0": 0.0}).through(forward[1]) == pytest.approx(
        4.4 / 1000, rel=1e-3
    )
    backward = [Branch("5", "m", 1000), Branch("0", "m", 0.001, 0.6)]
    assert solve(backward, {"5": 5.0, "0": 0.0}).volts["m"] == pytest.approx(5.0, abs=0.001)


def test_of_two_diodes_the_one_with_the_smaller_drop_carries_the_current() -> None:
    one, other = Branch("m", "0", 0.001, 0.3), Branch("m", "0", 0.001, 1.7)
    solved = solve([Branch("5", "m", 1000), one, other], {"5": 5.0, "0": 0.0})
    assert solved.through(one) == pytest.approx(0.0047, rel=0.01)
    assert solved.through(other) == 0


# The holes as they lie.


def test_the_megas_5_v_lie_above_d22_and_d23_and_its_ground_below_d52_and_d53() -> None:
    assert DOUBLE[:2] == (("5V", "5V"), ("D22", "D23"))
    assert DOUBLE[-2:] == (("D52", "D53"), ("GND", "GND"))
    assert beside(MEGA_BLOCKS, "D22") == ("5V", "5V", "D23", "D24", "D25")
    assert beside(MEGA_BLOCKS, "A0") == ("VIN", "A1")
    assert beside(MEGA_BLOCKS, "D10") == ("D11", "D9")
    printed = {name for line in DOUBLE for name in line} | {*UPPER, *LOWER}
    assert {f"D{n}" for n in range(54)} | {f"A{n}" for n in range(16)} <= printed
    lines = {line.printed for line in (*mega().rows, *mega().columns)}
    assert lines <= printed


def test_the_pis_holes_are_its_header() -> None:
    assert beside(PI_BLOCKS, "3") == ("1", "2", "4", "5", "6")
    assert beside(PI_BLOCKS, "40") == ("37", "38", "39")


def test_the_ground_and_the_3_v_in_use_have_no_other_supply_beside_them() -> None:
    around = {
        pin: {role(int(p)) for p in beside(PI_BLOCKS, str(pin))} for pin in (GROUND_PIN, SUPPLY_PIN)
    }
    assert not around[GROUND_PIN] & {"5 V", "3.3 V"}
    assert "5 V" not in around[SUPPLY_PIN]
    assert {2, 4} < set(COVERED)


def test_the_firmware_drives_rows_low_one_at_a_time_and_never_high() -> None:
    """The assumptions of the slips."""
    written = [line.strip() for line in PINS_C.splitlines() if re.search(r"PORT[LKFB]\b", line)]
    assert written == ["PORTL = PORTK = PORTF = PORTB = 0;"]
    assert PINS_C.count("pins_release_rows();") == 2  # at the start, and before each row
    assert "PORTA = PORTC = 0xFF;" in PINS_C


# Every slip of every board.


@pytest.mark.parametrize("name", BOARDS)
def test_no_slip_on_the_pi_harms_it_be_its_5_v_covered_or_not(name: str) -> None:
    assert harmful(circuit(name), PI_CHIP) == {}
    assert harmful(circuit(name), PI_CHIP, covered=False) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_no_slip_on_the_mega_harms_it(name: str) -> None:
    assert harmful(circuit(name), MEGA_CHIP) == {}


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_without_the_resistors_a_column_one_hole_too_high_carries_170_ma(name: str) -> None:
    loose = bare(circuit(name))
    for column in ("D22", "D23"):
        stress = worst(loose, Slip(MEGA_CHIP, "", {column: "5V"}))
        assert stress.supply == pytest.approx(170, abs=1)
        assert stress.harms(MEGA_CHIP)
    kept = worst(circuit(name), Slip(MEGA_CHIP, "", {"D22": "5V"}))
    assert kept.supply == pytest.approx(4.5, abs=0.1)
    for figure in ("5 mA", "170 mA", "40 mA"):
        assert figure in committed(f"{name}/mega.svg")


def test_without_the_resistors_the_pi_dies_of_many_slips() -> None:
    """A reed's wire on the buzzer's pin, on 3.3 V; the OLED's on 5 V; the ground one hole on."""
    found = harmful(bare(circuit("nannon-6")), PI_CHIP, covered=False)
    assert {"11 in 12", "15 in 17", "37 in 35", "3 in 4", "25 in 23"} <= found.keys()
    assert found["11 in 12"].pin > 100
    assert found["15 in 17"].supply > 10_000


@pytest.mark.parametrize("name", BOARDS)
def test_5_v_put_on_any_sensed_line_or_light_harms_nothing(name: str) -> None:
    whole = circuit(name)
    chips = [PI_CHIP, *([MEGA_CHIP] if whole.of(Kind.MEGA) else [])]
    for chip in chips:
        for slip in forced(whole, chip):
            own = next(iter(slip.holes))
            if chip is MEGA_CHIP or int(own) in GPIO_OF:
                assert not worst(whole, slip).harms(chip), slip.words


def test_5_v_that_touch_a_line_of_the_pi_are_held_back_by_its_resistor() -> None:
    held, loose = touched(circuit("nannon-6"), PI_CHIP), touched(bare(circuit("nannon-6")), PI_CHIP)
    assert held.clamp == pytest.approx((5 - 3.3 - 0.5) / 950 * 1000, rel=0.02)
    assert not held.harms(PI_CHIP)
    assert loose.clamp > 1000
    assert f"{held.clamp:.1f} mA flow through them" in committed("decisions/slips.md")


@pytest.mark.parametrize("name", BOARDS)
def test_plugs_of_one_size_may_be_exchanged(name: str) -> None:
    """Nothing works then, or under other names; but nothing dies."""
    whole = circuit(name)
    plugs = whole.of(Kind.PLUG)
    pairs = [
        (one, other)
        for number, one in enumerate(plugs)
        for other in plugs[number + 1 :]
        if len(one.leads) == len(other.leads)
    ]
    for one, other in pairs:
        swapped = exchanged(whole, one.ref, other.ref)
        for chip in (PI_CHIP, MEGA_CHIP):
            if wires(swapped, chip):
                assert not worst(swapped, Slip(chip, "none", {})).harms(chip), (one.ref, other.ref)


def exchanged(whole: Circuit, one: str, other: str) -> Circuit:
    """The board's parts on one plug's lines, connected to another's."""
    swap: dict[str, str] = {}
    for way in whole.component(one).leads:
        ends = [
            net.name
            for ref in (one, other)
            for net in whole.nets
            if Node(ref, way.name) in net.nodes and net.name != "GND"
        ]
        if len(ends) == 2:
            swap |= {ends[0]: ends[1], ends[1]: ends[0]}
    below = {
        net.name: [n for n in net.nodes if n.ref[0] in "SDL" and n.ref[1:].isdigit()]
        for net in whole.nets
    }
    nets = [
        Net(
            net.name,
            (
                *(n for n in net.nodes if n not in below[net.name]),
                *below[swap.get(net.name, net.name)],
            ),
        )
        for net in whole.nets
    ]
    return replace(whole, nets=tuple(nets))


def test_a_ground_wire_beside_a_pin_that_is_driven_is_found() -> None:
    """The check can fail: two ground wires, one on pin 14, where the buzzer's pin lies above it."""
    whole = circuit("nannon-6")
    nets = tuple(
        replace(net, nodes=(*net.nodes, Node("J1", "14"))) if net.name == "GND" else net
        for net in whole.nets
    )
    pi = whole.of(Kind.PI)[0]
    parts_ = tuple(
        replace(part, free=part.free - {"14"}) if part is pi else part for part in whole.components
    )
    two = replace(whole, nets=nets, components=parts_)
    found = harmful(two, PI_CHIP)
    assert {"14 in 12"} <= found.keys()


# What the resistors cost.


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_a_closed_reed_still_reads_low_and_a_column_is_high_again_in_time(name: str) -> None:
    found = levels(load_board(name), parts().measures)
    settle = int(re.search(r"SETTLE_US[ :?]*=\s*(\d+)", MAKEFILE)[1])  # type: ignore[index]
    assert settle == 20
    assert 0.8 < found.low < found.threshold - 0.3
    assert found.threshold == pytest.approx(1.4, abs=0.01)
    assert found.settle_us < 0.8 * settle
    row = f"| `{name}` | {found.low:.2f} V | {found.threshold:.1f} V | {found.settle_us:.1f} µs |"
    assert row in committed("decisions/slips.md")


def test_the_page_of_slips_has_the_figures_of_the_model() -> None:
    page = committed("decisions/slips.md")
    loose = worst(bare(circuit("tables-24")), Slip(MEGA_CHIP, "", {"D22": "5V"}))
    held = worst(circuit("tables-24"), Slip(MEGA_CHIP, "", {"D22": "5V"}))
    row = f"| `tables-24` | column at D22 | 5V | {held.pin:.1f} mA | **{loose.pin:.1f} mA** |"
    assert row in page


@pytest.mark.parametrize("name", BOARDS)
def test_every_sensed_line_has_its_resistor(name: str) -> None:
    board, whole = load_board(name), circuit(name)
    columns = board.scanner.columns if board.scanner else 0
    assert len(whole.of(Kind.SERIES)) == columns + len(board.pins) + len(board.buttons)
    assert len(whole.of(Kind.BUS)) == 2
