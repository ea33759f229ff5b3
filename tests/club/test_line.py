"""The connection to a broker that asks for no account, by every scheme, and with a wrong clock."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from friends_broker import FriendsBroker
from hall import HAS_MOSQUITTO, until

from pi_app.club.line import (
    Access,
    Broker,
    BrokerLine,
    ClubMessage,
    Connected,
    Disconnected,
    Happening,
    LineWish,
    Scheme,
)
from pi_app.club.setting_up import ClubError, read_brokers, write_brokers

pytestmark = pytest.mark.skipif(not HAS_MOSQUITTO, reason="no mosquitto here")
TOPIC = "spotter/2/meet/561/a"
NOW = datetime.datetime.now(datetime.UTC)
YEAR = datetime.timedelta(days=366)


@pytest.fixture
def at_the_end() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class WatchedLine:
    """A line, and what happened on it."""

    def __init__(self, access: Access, at_the_end: ExitStack, *topics: str) -> None:
        self.happened: list[Happening] = []
        self.line = BrokerLine(access, LineWish("spotter", topics), self.happened.append)
        at_the_end.callback(self.line.close)
        self.line.start()

    def has(self, kind: type[Happening]) -> bool:
        return any(isinstance(one, kind) for one in self.happened)

    @property
    def heard(self) -> list[bytes]:
        return [one.message for one in self.happened if isinstance(one, ClubMessage)]

    @property
    def why(self) -> str:
        return next(one.why for one in self.happened if isinstance(one, Disconnected))


@pytest.mark.parametrize("one", Scheme)
@pytest.mark.parametrize("own_ca", [True, False])
def test_without_an_account_a_board_speaks_by_every_scheme(
    one: Scheme,
    own_ca: bool,
    tmp_path: Path,
    at_the_end: ExitStack,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the certificate in a file, and with one that the system trusts."""
    broker = at_the_end.enter_context(FriendsBroker(tmp_path))
    monkeypatch.setenv("SSL_CERT_FILE", str(broker.ca))
    ca = broker.ca if own_ca else None
    hears = WatchedLine(Access((broker.at(one),), ca=ca), at_the_end, TOPIC)
    speaks = WatchedLine(Access((broker.at(Scheme.MQTTS),), ca=broker.ca), at_the_end)
    until(lambda: hears.has(Connected) and speaks.has(Connected))
    speaks.line.send(TOPIC, b"hello")
    until(lambda: hears.heard)
    assert hears.heard == [b"hello"]


def test_a_line_that_is_dropped_comes_back_by_websocket_too(
    tmp_path: Path, at_the_end: ExitStack
) -> None:
    broker = at_the_end.enter_context(FriendsBroker(tmp_path))
    opened = WatchedLine(Access((broker.at(Scheme.WSS),), ca=broker.ca), at_the_end, TOPIC)
    until(lambda: opened.has(Connected))
    opened.happened.clear()
    opened.line.drop()
    until(lambda: opened.has(Connected))
    assert isinstance(opened.happened[0], Disconnected)


def test_nobody_can_know_the_name_of_a_client_without_an_account(
    tmp_path: Path, at_the_end: ExitStack
) -> None:
    """Two boards of one name do not throw each other out."""
    broker = at_the_end.enter_context(FriendsBroker(tmp_path))
    access = Access((broker.at(Scheme.MQTT),))
    first, second = (WatchedLine(access, at_the_end, TOPIC) for _ in range(2))
    until(lambda: first.has(Connected) and second.has(Connected))
    first.line.send(TOPIC, b"hello")
    until(lambda: second.heard)
    assert not first.has(Disconnected)
    assert not second.has(Disconnected)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (NOW + 3 * YEAR, "the clock of this board is wrong: it says {}, and the certificate of"),
        (NOW - 30 * YEAR, "has expired, or the clock of this board is wrong: it says {}"),
    ],
)
def test_a_wrong_clock_is_said_with_its_date(
    made: datetime.datetime, said: str, tmp_path: Path, at_the_end: ExitStack
) -> None:
    broker = at_the_end.enter_context(FriendsBroker(tmp_path, made))
    opened = WatchedLine(Access((broker.at(Scheme.MQTTS),), ca=broker.ca), at_the_end, TOPIC)
    until(lambda: opened.has(Disconnected))
    assert re.search(said.format(r"20\d\d-\d\d-\d\d"), opened.why)


@pytest.mark.parametrize(
    ("text", "brokers"),
    [
        ("club.local:8883", [Broker("club.local", 8883)]),
        ("mqtts://a.example", [Broker("a.example", 8883)]),
        ("wss://a.example/", [Broker("a.example", 443, Scheme.WSS)]),
        (
            "ws://[::1]:9001, mqtt://b",
            [Broker("::1", 9001, Scheme.WS), Broker("b", 1883, Scheme.MQTT)],
        ),
    ],
)
def test_an_address_is_a_host_and_port_or_a_url(text: str, brokers: list[Broker]) -> None:
    assert list(read_brokers(text)) == brokers
    assert list(read_brokers(write_brokers(brokers))) == brokers


@pytest.mark.parametrize(
    "text", ["club.local", "http://a:1", "mqtt://", "a:0", "a:70000", "wss://a/b"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ClubError, match="no broker"):
        read_brokers(text)


@pytest.mark.parametrize(
    ("account", "said"),
    [
        ("", "lets nobody in without an account"),
        ("table-1", "rejects account table-1"),
    ],
)
def test_a_broker_that_wants_another_account_is_told(
    account: str, said: str, tmp_path: Path, at_the_end: ExitStack
) -> None:
    broker = at_the_end.enter_context(FriendsBroker(tmp_path, anonymous=False))
    happened: list[Happening] = []
    access = Access((broker.at(Scheme.MQTT),), account, "no password")
    line = BrokerLine(access, LineWish("spotter", ()), happened.append)
    at_the_end.callback(line.close)
    line.start()
    until(lambda: happened)
    first = happened[0]
    assert isinstance(first, Disconnected)
    assert said in first.why


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("play.example:8883", "https://play.example/"),
        ("wss://play.example", "https://play.example/"),
        ("wss://play.example:9001", "https://play.example:9001/"),
        ("ws://localhost:9001", "http://localhost:9001/"),
        ("ws://localhost", "http://localhost/"),
        ("wss://[fd00::1]:9001", "https://[fd00::1]:9001/"),
        ("mqtt://localhost", ""),
    ],
)
def test_the_page_of_friends_without_a_board_is_where_the_websocket_is(
    written: str, page: str
) -> None:
    (broker,) = read_brokers(written)
    assert broker.page == page
