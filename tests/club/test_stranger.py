"""A stolen board account on a real broker: refused and reported, and play continues."""

from __future__ import annotations

import os
import random
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from hall import HAS_MOSQUITTO, HAS_NATS, Hall, until
from hostile_letters import letters
from known import GAMES
from paho.mqtt.enums import CallbackAPIVersion

from pi_app.__main__ import main
from pi_app.app.linking import Linking
from pi_app.base.identifiers import BoardName, MatchKey, board_name, match_key
from pi_app.base.microseconds import ms
from pi_app.club.collector import NAME
from pi_app.club.line import Access, client_id
from pi_app.club.linked.letters import Invitation, LinkLetter, Response, write_letter
from pi_app.club.records import (
    Presence,
    Record,
    RecordId,
    Topic,
    letter_topic,
    write_message,
)
from pi_app.referee.events import Start
from pi_app.referee.lines import write_event
from pi_app.rules.terms import Side

needs_mosquitto = pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
needs_nats = pytest.mark.skipif(not HAS_NATS, reason="nats-server is not installed")
ANN, BEA, EVE = map(board_name, ("ann", "bea", "eve"))
START = write_event(Start(ms(0), "nannon", "", 5, ("Eve", "Eve")))


class Intruder:
    """Whoever has the card of one board, and a program of his own."""

    def __init__(self, access: Access, name: str) -> None:
        self.refusals: list[str] = []
        self._client = paho.Client(CallbackAPIVersion.VERSION2, name, clean_session=True)
        self._client.username_pw_set(access.account, access.password)
        self._client.tls_set_context(ssl.create_default_context(cafile=str(access.ca)))
        self._client.reconnect_delay_set(1, 1)
        self._client.connect(access.brokers[0].host, access.brokers[0].port)
        self._client.loop_start()
        until(self._client.is_connected)

    def says(self, topic: str, message: bytes, *, waits: bool = True) -> None:
        sent = self._client.publish(topic, message, 1)
        if waits:
            sent.wait_for_publish(20)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def hall(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Hall]:
    hall = Hall(tmp_path, (ANN, BEA, EVE), getattr(request, "param", 0))
    yield hall
    hall.at_the_end.close()


@pytest.fixture
def stranger(hall: Hall) -> Callable[..., Intruder]:
    def come(name: str = "eve") -> Intruder:
        eve = Intruder(hall.access(EVE), name)
        hall.at_the_end.callback(eve.close)
        return eve

    return come


@pytest.mark.parametrize(
    "hall",
    [pytest.param(0, marks=needs_mosquitto), pytest.param(1, marks=needs_nats)],
    indirect=True,
    ids=["mosquitto", "nats"],
)
def test_a_stolen_client_id_takes_nobodys_connection(
    hall: Hall, stranger: Callable[..., Intruder]
) -> None:
    ann = hall.board(ANN)
    ann.begin()
    until(lambda: hall.has_all_of(ann))
    for _ in range(5):
        for name in (NAME, ANN):
            stranger(name).close()
            ann.play(1)
    until(lambda: hall.has_all_of(ann))
    assert ann.wire.trouble is None
    assert hall.collector.is_up
    assert not hall.warned
    assert Presence(ANN, False) not in hall.told


@needs_mosquitto
def test_who_knows_a_client_id_has_only_his_own_connection(
    hall: Hall, stranger: Callable[..., Intruder]
) -> None:
    ann = hall.board(ANN)
    ann.begin()
    until(lambda: hall.has_all_of(ann))
    for victim in (NAME, ANN):
        stranger(client_id(victim, hall.access(victim).password))
        ann.play(5)
    until(lambda: hall.has_all_of(ann))
    assert ann.wire.trouble is None
    assert not hall.warned
    assert Presence(ANN, False) not in hall.told


@needs_mosquitto
def test_a_forged_record_is_refused_and_said_once(
    hall: Hall, stranger: Callable[..., Intruder]
) -> None:
    ann, eve = hall.board(ANN), stranger()
    ann.begin()
    forged = Record(RecordId(ANN, match_key(1, "now"), 0), START)
    for _ in range(50):
        eve.says(Topic.RECORD.of(EVE), write_message(forged))
        eve.says(Topic.RECORD.of(ANN), write_message(forged))
    ann.play(9)
    until(lambda: hall.has_all_of(ann))
    assert hall.archive.boards() == (ANN,)
    until(lambda: hall.warned)
    assert hall.warned == ["'spotter/1/eve/record': it speaks for the board ann"]


@needs_mosquitto
def test_a_poisoned_record_is_refused_and_results_are_taken(
    hall: Hall, stranger: Callable[..., Intruder], capsys: pytest.CaptureFixture[str]
) -> None:
    ann, eve = hall.board(ANN), stranger()
    ann.begin()
    for key in (f"{'9' * 5000}@x", "0@x", "x", f"1@{'x' * 5000}", "\u0661@x"):
        record = Record(RecordId(EVE, MatchKey(key), 0), START)
        eve.says(Topic.RECORD.of(EVE), write_message(record))
    for junk in (b"", b"\xff", b"[" * 60_000, b'{"sequence":' + b"9" * 20_000 + b"}", b"null"):
        eve.says(Topic.RECORD.of(EVE), junk)
    ann.play(4)
    until(lambda: hall.has_all_of(ann))
    assert hall.archive.boards() == (ANN,)
    assert len(hall.warned) == 1, "a line a minute of each board"
    file = hall.folder / "open.tournament"
    assert main(["tournament", "new", str(file), "Open", "Ann", "Bea"]) == 0
    assert main(["tournament", "pair", str(file)]) == 0
    capsys.readouterr()
    words = ["tournament", "take", str(file), "--archive", str(hall.folder / "archive.db")]
    assert main(words) == 0
    assert "is not over yet" in capsys.readouterr().out


@needs_mosquitto
def test_a_match_is_forced_on_nobody(
    hall: Hall, stranger: Callable[..., Intruder], tmp_path: Path
) -> None:
    ann, eve = hall.board(ANN), stranger()
    ann.begin()
    linking = Linking(tmp_path / "links", BEA, lambda to, letter: None, GAMES)
    bea = hall.board(BEA)
    bea.wire.listen(linking.hear)
    until(lambda: Presence(BEA, True) in hall.told)
    invitation = Invitation(START, Side.WHITE, EVE)
    eve.says(letter_topic(EVE, BEA), write_letter(LinkLetter("f00d", 1, 0, invitation)))
    eve.says(letter_topic(EVE, BEA), write_letter(LinkLetter("f00d", 2, 0, Response(yes=True))))
    eve.says(letter_topic(ANN, BEA), write_letter(LinkLetter("f00d", 2, 0, Response(yes=True))))
    now, begun = 0, list[object]()

    def looks() -> bool:
        nonlocal now
        now += 100
        begun.extend(linking.wishes(ms(now)))
        return "eve invites you" in (linking.question or "")

    until(looks)
    end = time.monotonic() + 1
    while time.monotonic() < end:
        looks()
        time.sleep(0.05)
    assert begun == []
    assert not (tmp_path / "links").exists()
    ann.play(9)
    until(lambda: hall.has_all_of(ann))


@needs_mosquitto
def test_the_running_program_outlives_whatever_letters_come(
    hall: Hall, stranger: Callable[..., Intruder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder))
    assert main(["club", "join", str(hall.club / "boards" / "ann.toml")]) == 0
    headless = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    program = subprocess.Popen(
        [sys.executable, "-m", "pi_app", "--sim", "--views"],
        env={**os.environ, **headless},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        until(lambda: Presence(ANN, True) in hall.told)
        eve, topic = stranger(), letter_topic(EVE, ANN)
        for message in letters(random.Random("1"), 1500):
            eve.says(topic, message, waits=False)
        eve.says(topic, write_letter(LinkLetter("f00d", 2, 0, Response(yes=True))))
        time.sleep(1)
        assert program.poll() is None, program.stderr and program.stderr.read()
        bea = hall.board(BEA)
        bea.begin()
        bea.play(5)
        until(lambda: hall.has_all_of(bea))
        assert not hall.lines(BoardName("ann")), "no match has begun there"
        links = tmp_path / "XDG_DATA_HOME" / "spotter" / "links"
        assert not links.exists() or not list(links.iterdir())
    finally:
        program.send_signal(signal.SIGTERM)
        told, said = program.communicate(timeout=30)
    assert (program.returncode, told) == (0, b"")
    assert b"Traceback" not in said
