"""nats-server sends again what was not acknowledged, after everything newer: all stays right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from hall import HAS_NATS, Hall, until
from known import load_board
from linked_boards import NAMES, LinkedMatch
from paho.mqtt.enums import MQTTErrorCode
from test_linked_wire import BrokerWire

from pi_app.base.microseconds import Us
from pi_app.club.records import News, Presence
from pi_app.games.all import ALL
from pi_app.rules.terms import Side
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import Teller
from pi_app.wall.wall import Wall

pytestmark = pytest.mark.skipif(not HAS_NATS, reason="nats-server is not installed")


class LostAcknowledgements:
    """The first acknowledgement of each message is lost, so each comes twice."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.late = 0
        usual, met = paho.Client.ack, set[tuple[int, int]]()

        def ack(client: paho.Client, number: int, qos: int) -> MQTTErrorCode:
            if (id(client), number) not in met:
                met.add((id(client), number))
                return MQTTErrorCode.MQTT_ERR_SUCCESS
            self.late += 1
            return usual(client, number, qos)

        monkeypatch.setattr(paho.Client, "ack", ack)


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> LostAcknowledgements:
    return LostAcknowledgements(monkeypatch)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path, NAMES.values(), nodes=1, ack_wait_s=1)
    yield hall
    hall.at_the_end.close()


def test_late_messages_change_neither_archive_nor_wall(
    hall: Hall, lost: LostAcknowledgements
) -> None:
    one, other = (hall.board(name) for name in hall.names)
    wall, shown = Wall(Teller(ALL, Gallery(ALL, load_board))), list[bool]()

    def hear(news: News) -> None:
        hall.told.append(news)
        wall.hear(news, Us(0))
        wall.show(Us(0))
        place = wall.place(one.name)
        shown.append(place is not None and place.match == second)

    second = None
    hall.hear = hear
    one.begin("Ann")
    one.play(9)
    until(lambda: hall.has_all_of(one))
    until(lambda: (place := wall.place(one.name)) and place.stand and place.stand.sequence == 9)
    one.begin("Cid")
    one.play(4, warning="A checker is missing")
    until(lambda: hall.has_all_of(one))
    second = hall.archive.matches(one.name)[-1]
    until(lambda: wall.place(one.name).match == second)  # type: ignore[union-attr]
    other.wire.close()
    until(lambda: Presence(other.name, False) in hall.told)
    shown.clear()
    until(lambda: lost.late >= 18)
    one.play(1)
    until(lambda: hall.has_all_of(one))
    until(lambda: wall.place(one.name).stand.sequence == 5)  # type: ignore[union-attr]
    assert all(shown), "the wall never goes back to the first match"
    place = wall.place(other.name)
    assert place is not None
    assert not place.here
    told = [news for news in hall.told if isinstance(news, Presence) and news.board == other.name]
    assert [news.is_here for news in told] == [True, False]


def test_a_linked_match_with_late_letters(
    hall: Hall, lost: LostAcknowledgements, tmp_path: Path
) -> None:
    wire = BrokerWire({side: hall.board(name).wire for side, name in NAMES.items()})
    match = LinkedMatch(tmp_path / "linked", "nannon", 3, wire=wire)
    for side in Side:
        wire.hears(side, match)
    match.play()
    match.until(lambda: lost.late > 20)
    match.until(lambda: match.white.record == match.black.record)
    assert wire.carried > 20
