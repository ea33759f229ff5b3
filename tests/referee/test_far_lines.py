"""Another board's decisions as lines: every act comes back as it was written."""

from __future__ import annotations

import pytest

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.referee.events import EventError, MachineActs
from pi_app.referee.lines import read_event, write_event
from pi_app.rules.terms import Side

DEEDS = (
    MachineActs(ms(1), Side.WHITE, Act.RESIGN, points=2),
    MachineActs(ms(2), Side.WHITE, Act.TAKE_BACK, undone=3),
    MachineActs(ms(3), Side.BLACK, Act.CORRECT, position="1ww..bb1 w"),
    MachineActs(ms(4), Side.BLACK, Act.RESTORE),
    MachineActs(ms(5), Side.BLACK, Act.NEXT_GAME),
)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.does.value)
def test_a_deed_is_read_as_it_was_written(deed: MachineActs) -> None:
    assert read_event(write_event(deed)) == deed


def test_a_deed_without_what_it_needs_is_refused() -> None:
    with pytest.raises(EventError, match="'take back' needs the key 'undone'"):
        read_event('{"ms": 1, "event": "machine", "by": "white", "does": "take back"}')
