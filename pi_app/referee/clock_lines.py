"""Both clocks as a decision's line has them: milliseconds with up to three decimals.

`{"white": {"left": 230000, "spent": 1200.5, "overtime": true}, "black": {…}, "holder": "white"}`;
what is nothing is left out.
"""

from __future__ import annotations

from pi_app.match.clock import Clocks, SideTime
from pi_app.microseconds import LONGEST_MS, Us, ms, write_ms
from pi_app.rules.terms import Side
from pi_app.strict import Reader


def write_clocks(clocks: Clocks) -> dict[str, object]:
    """The value that read_clocks takes."""
    holder = {"holder": clocks.holder.value} if clocks.holder else {}
    return {"white": _write(clocks.white), "black": _write(clocks.black), **holder}


def read_clocks(reader: Reader) -> Clocks:
    """The clocks of a table; what is wrong with it is noted as the reader's faults."""
    white, black = _read(reader.table("white")), _read(reader.table("black"))
    sides = [side.value for side in Side]
    holder = Side(reader.choice("holder", sides)) if reader.has("holder") else None
    reader.done()
    return Clocks(white, black, holder)


def _write(time: SideTime) -> dict[str, object]:
    spent = {"spent": write_ms(time.spent)} if time.spent else {}
    overtime = {"overtime": True} if time.overtime else {}
    return {"left": write_ms(time.left), **spent, **overtime}


def _read(reader: Reader) -> SideTime:
    time = SideTime(
        _span(reader, "left"),
        _span(reader, "spent") if reader.has("spent") else Us(0),
        reader.take("overtime", bool, False),
    )
    reader.done()
    return time


def _span(reader: Reader, key: str) -> Us:
    return ms(reader.number(key, 0, LONGEST_MS))
