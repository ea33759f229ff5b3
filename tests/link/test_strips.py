"""A chain of Hall strips: whole, or what is wrong with it in words."""

from __future__ import annotations

from itertools import count

import pytest
from scanner_wire import pack

from pi_app.base.microseconds import ms
from pi_app.link.messages import (
    Cause,
    CellKind,
    Fault,
    Geometry,
    Hello,
    Report,
    StripState,
    encode,
)
from pi_app.link.session import HostSession, LinkLost, LinkState
from pi_app.link.strips import cells_of, chain_fault

STRIPS = Geometry(3, 4, 5, CellKind.HALL, 22, 16)
WIRED = cells_of(STRIPS) - {(2, 3)}


def state(chain: int, *strips: str) -> StripState:
    """Of each strip a dot for every cell that is silent, and an x for one that speaks."""
    bits = sum(1 << number for number, cell in enumerate("".join(strips)) if cell == ".")
    return StripState(chain, bits.to_bytes(2, "little"))


@pytest.mark.parametrize(
    ("strips", "says"),
    [
        (state(3, "xxxx", "xxxx", "xxx."), None),
        (state(3, "xxxx", "x.xx", "xxx."), None),  # one sensor alone stops nothing
        (state(255, "xxxx", "xxxx", "xxx."), "always has a voltage; check A5"),
        (state(0, "....", "....", "...."), "no strip of Hall sensors answers"),
        (state(0, "xxxx", "....", "...."), "strip 2 and those behind it do not answer"),
        (state(0, "xxxx", "xxxx", "xxx."), "does not come back from the last strip"),
        (state(2, "xxxx", "xxxx", "...."), "the chain has 2 strips, this board has 3"),
        (state(4, "xxxx", "xxxx", "xxxx"), "the chain has 4 strips, this board has 3"),
        (state(3, "xxxx", "....", "xxx."), "strip 2 does not answer"),
        (state(3, ".xxx", ".xxx", ".xx."), "column A0 is silent on every strip"),
        (state(3, "xxxx", "xxx.", "xxxx"), "strip 3 has a sensor where this board has none"),
    ],
)
def test_what_is_wrong_with_a_chain(strips: StripState, says: str | None) -> None:
    fault = chain_fault(strips, STRIPS, WIRED)
    assert fault is None if says is None else says in (fault or "")


class ChainWire:
    """A session with strips and what is put on its wire."""

    def __init__(self) -> None:
        numbers = count(1)
        self.session = HostSession(STRIPS, lambda: next(numbers), WIRED)
        self.now = ms(1000)
        self.session.plugged(self.now)

    def hear(self, *messages: Hello | Report | StripState) -> list[object]:
        data = b"".join(encode(pack(message)) for message in messages)
        return list(self.session.receive(self.now, data))


def hello(token: int, version: int = 2) -> Hello:
    return Hello(token, STRIPS, Cause.POWER, Fault.NONE, 0, 0, version=version)


def test_a_chain_that_breaks_loses_the_board_and_one_that_heals_is_configured_anew() -> None:
    wire = ChainWire()
    whole, broken = state(3, "xxxx", "xxxx", "xxx."), state(0, "xxxx", "....", "....")
    wire.hear(hello(0))
    wire.hear(hello(1), whole, Report(0, 0, 0, b"\x40\0\0"))
    assert wire.session.closed == frozenset({(0, 3, 0)})
    (lost,) = wire.hear(broken)
    assert isinstance(lost, LinkLost)
    assert "strip 2" in lost.why
    wire.hear(Report(1, 9, 0, b"\0\0\0"))
    assert wire.session.closed is None
    wire.hear(whole)
    assert wire.session.state is LinkState.ASKED
    wire.hear(hello(2), whole, Report(0, 0, 0, b"\0\0\x20"))
    assert wire.session.closed == frozenset({(2, 2, 1)})


def test_firmware_of_protocol_1_cannot_read_strips_and_is_to_be_flashed() -> None:
    wire = ChainWire()
    wire.hear(hello(0, version=1))
    assert wire.session.take_outgoing() == b""
    assert wire.session.trouble == (
        "the scanner uses protocol 1, Spotter 2; end Spotter and run: spotter scanner --flash"
    )
