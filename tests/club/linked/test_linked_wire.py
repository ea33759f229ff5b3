"""A linked match over a real broker, which is killed in the middle."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hall import HAS_MOSQUITTO, Hall
from linked_boards import NAMES, LinkedMatch, LossyWire

from pi_app.base.identifiers import BoardName
from pi_app.club.linked.letters import read_letter
from pi_app.club.wire import Wire
from pi_app.rules.terms import Side


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path, NAMES.values())
    yield hall
    hall.at_the_end.close()


class BrokerWire(LossyWire):
    """In the place of the lossy one: both boards' own wires to the broker."""

    def __init__(self, wires: dict[Side, Wire]) -> None:
        self.wires, self.match = wires, None
        self.carried = 0

    def sender(self, to: Side):  # type: ignore[no-untyped-def]
        wire = self.wires[to.other]
        return lambda message: wire.post(NAMES[to], message)

    def hears(self, near: Side, match: LinkedMatch) -> None:
        def hear(sender: BoardName, message: bytes) -> None:
            self.carried += sender == NAMES[near.other]
            match.boards[near].far.hear(read_letter(message))

        self.wires[near].listen(hear)

    def deliver(self, boards: object) -> None:
        """The broker does; a moment for it."""
        time.sleep(0.002)


def troubles(match: LinkedMatch) -> list[str]:
    return [board.session.trouble or "" for board in match.boards.values()]


@pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
def test_a_linked_match_over_a_broker_that_is_killed(hall: Hall, tmp_path: Path) -> None:
    wires = {side: hall.board(name).wire for side, name in NAMES.items()}
    wire = BrokerWire(wires)
    match = LinkedMatch(tmp_path / "linked", "nannon", 1, wire=wire)
    for side in Side:
        wire.hears(side, match)
    match.until(lambda: len(match.white.record) > 5)
    hall.broker.kill()
    # Whoever's turn it is not waits for the other's board.
    match.until(lambda: any("Waiting for town-" in trouble for trouble in troubles(match)))
    hall.broker.start()
    match.play()
    # A request may still be on its way: people ask for an undo after the end, too.
    match.until(lambda: match.white.record == match.black.record)
    assert wire.carried > 20
