"""What a broker sends grows the memory of a board's connection up to a bound, and no further."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from hall import until
from hostile_broker import (
    MOST,
    HostileBroker,
    endless_frame,
    endless_header,
    endless_packet,
    endless_packet_in_a_frame,
    messages_of_qos_2,
    messages_to_acknowledge,
)

from pi_app.club import line as line_module
from pi_app.club.line import (
    Access,
    Broker,
    BrokerLine,
    ClubMessage,
    Disconnected,
    Happening,
    LineWish,
    Scheme,
)

ATTACKS: list[tuple[Callable[[], Iterator[bytes]], Scheme, str]] = [
    (endless_packet, Scheme.MQTT, "sends more than any board asked for"),
    (messages_of_qos_2, Scheme.MQTT, "sends more than any board asked for"),
    (messages_to_acknowledge, Scheme.MQTT, "sends more than any board asked for"),
    (endless_packet_in_a_frame, Scheme.WS, "sends more than any board asked for"),
    (endless_frame, Scheme.WS, "sends more than any board asked for"),
    (endless_header, Scheme.WS, "cannot be reached: Connection timed out"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("attack", "scheme", "said"), ATTACKS)
def test_a_hostile_broker_cannot_fill_the_memory(
    attack: Callable[[], Iterator[bytes]],
    scheme: Scheme,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The board ends the connection, says why, and tries again later."""
    monkeypatch.setattr(line_module, "HANDSHAKE_S", 1.0)
    happened: list[Happening] = []

    def take(happening: Happening) -> None:
        if isinstance(happening, Disconnected):
            happened.append(happening)
        if isinstance(happening, ClubMessage):
            happening.taken()

    with closing(HostileBroker(attack, websocket=scheme is Scheme.WS)) as broker:
        access = Access((Broker("127.0.0.1", broker.port, scheme),))
        line = BrokerLine(access, LineWish("spotter", ()), take)
        line.start()
        try:
            until(lambda: happened)
            sent = broker.sent
            until(lambda: broker.visits > 1)
        finally:
            line.close()
    assert sent < MOST / 4
    first = happened[0]
    assert isinstance(first, Disconnected)
    assert said in first.why
