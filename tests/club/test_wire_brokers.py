"""Boards, real brokers and the archive: killed, cut, refused; nothing missing, nothing double."""

import datetime
import os
import signal
import socket
import sqlite3
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

import pytest
from hall import HAS_MOSQUITTO, HAS_NATS, ClubBoard, Hall, until
from lying_broker import LyingBroker
from shares import one_in

from pi_app.base.identifiers import board_name, match_key
from pi_app.base.threads import drained
from pi_app.club.archive import ClubArchive
from pi_app.club.line import (
    CONNECT_S,
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
from pi_app.club.records import (
    EVERY_BOARD,
    Have,
    Presence,
    Record,
    RecordId,
    Summary,
    Topic,
    letter_topic,
    read_message,
    write_message,
)
from pi_app.club.setting_up import CA, make_certificates

OpenHall: TypeAlias = Callable[..., Hall]

needs_mosquitto = pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
needs_nats = pytest.mark.skipif(not HAS_NATS, reason="nats-server is not installed")


@pytest.fixture
def open_hall(tmp_path: Path) -> Iterator[OpenHall]:
    halls: list[Hall] = []

    def opened(*boards: str, nodes: int = 0, store: Path | None = None) -> Hall:
        halls.append(Hall(tmp_path, boards, nodes, store))
        return halls[-1]

    yield opened
    for hall in halls:
        hall.at_the_end.close()


def records_told(hall: Hall) -> list[Record]:
    return [told for told in hall.told if isinstance(told, Record)]


def nothing_is_double(hall: Hall, *boards: ClubBoard) -> bool:
    """Each record arrived once and in order; nothing contradicts."""
    # What is on disk is told a moment later.
    until(lambda: len(records_told(hall)) >= sum(len(board.lines()) for board in boards))
    told = records_told(hall)
    assert len(told) == len(set(told))
    assert sorted(told, key=str) == sorted((r for b in boards for r in b.lines()), key=str)
    return not hall.archive._rows("SELECT * FROM others")


@needs_mosquitto
def test_what_a_board_plays_is_told(open_hall: OpenHall) -> None:
    hall = open_hall("table-1", "table-2")
    one, two = hall.board("table-1"), hall.board("table-2")
    one.begin()
    one.play(9)
    two.begin("Cid")
    until(lambda: hall.has_all_of(one, two))
    one.play(2, warning="A checker is missing")
    until(lambda: hall.has_all_of(one, two) and one.wire.trouble is None)
    until(lambda: any(isinstance(told, Summary) and told.warning for told in hall.told))
    assert Presence(one.name, True) in hall.told
    one.close()
    until(lambda: Presence(one.name, False) in hall.told)
    assert not hall.warned
    assert nothing_is_double(hall, one, two)


@needs_mosquitto
def test_boards_write_to_each_other_and_nobody_else_reads_it(open_hall: OpenHall) -> None:
    hall = open_hall("table-1", "table-2", "table-3")
    one, two, three = (hall.board(name) for name in hall.names)
    until(lambda: {Presence(name, True) for name in hall.names} <= set(hall.told))
    for number in range(20):
        one.wire.post(two.name, b"to two %d" % number)
    two.wire.post(one.name, b"to one")
    until(lambda: len(two.letters) == 20 and one.letters)
    assert two.letters == [(one.name, b"to two %d" % number) for number in range(20)]
    assert one.letters == [(two.name, b"to one")]
    assert three.letters == []


@needs_mosquitto
def test_the_broker_is_killed_twice_in_a_round_and_a_board_starts_anew(open_hall: OpenHall) -> None:
    hall = open_hall("table-1", "table-2")
    boards = [hall.board("table-1"), hall.board("table-2")]
    for board in boards:
        board.begin()
    for _ in range(2):
        for board in boards:
            board.play(15)
        hall.broker.kill()
        for board in boards:
            board.play(10)
        until(lambda: all("cannot be reached" in str(board.wire.trouble) for board in boards))
        hall.broker.start()
    boards[0].restart()
    until(lambda: hall.has_all_of(*boards))
    assert nothing_is_double(hall, *boards)
    until(lambda: not any(board.wire.trouble for board in boards))


@needs_mosquitto
def test_a_board_that_was_cut_for_long_and_an_archive_that_was_lost(open_hall: OpenHall) -> None:
    hall = open_hall("table-1")
    board = hall.board("table-1")
    board.begin()
    until(lambda: hall.has_all_of(board))
    hall.broker.kill()
    for name in ("Ann", "Cid", "Dan"):
        board.begin(name)
        board.play(120)
    hall.broker.start()
    until(lambda: hall.has_all_of(board))
    assert nothing_is_double(hall, board)
    hall.collector.close()
    hall.archive.close()
    (hall.folder / "archive.db").unlink()
    hall.archive = ClubArchive(hall.folder / "archive.db")
    hall.collect()
    until(lambda: hall.has_all_of(board))
    hall.archive.close()


@needs_mosquitto
def test_a_broker_that_does_not_answer_holds_nobody_up(open_hall: OpenHall) -> None:
    hall = open_hall("table-1")
    board = hall.board("table-1")
    board.begin()
    until(lambda: hall.has_all_of(board))
    process = hall.broker.process
    assert process
    os.kill(process.pid, signal.SIGSTOP)
    try:
        before = time.monotonic()
        board.play(1)
        until(lambda: hall.collector.is_up)
        for _ in range(1000):
            board.wire.tell("still here")
        assert time.monotonic() - before < CONNECT_S
    finally:
        os.kill(process.pid, signal.SIGCONT)
    until(lambda: hall.has_all_of(board))
    assert nothing_is_double(hall, board)


@needs_mosquitto
def test_only_its_own_thread_uses_a_lines_socket(
    open_hall: OpenHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenSSL breaks a connection that two threads use at once."""
    used_by: set[tuple[str, str]] = set()

    def watched(name: str) -> None:
        usual = getattr(ssl.SSLSocket, name)

        def watch(self: ssl.SSLSocket, *args: object) -> object:
            used_by.add((name, threading.current_thread().name))
            return usual(self, *args)

        monkeypatch.setattr(ssl.SSLSocket, name, watch)

    for name in ("send", "recv", "shutdown", "close"):
        watched(name)
    hall = open_hall("table-1", "table-2")
    happened: list[Happening] = []
    own, letters = board_name("table-1"), letter_topic(EVERY_BOARD, board_name("table-1"))
    line = BrokerLine(hall.access(own), LineWish(own, (letters,)), happened.append)
    line.start()
    hall.at_the_end.callback(line.close)
    until(lambda: Connected() in happened)
    other = hall.board("table-2")
    until(lambda: Presence(other.name, True) in hall.told)
    for number in range(50):
        other.wire.post(own, b"%d" % number)
        line.listen(Topic.PRESENCE.of(board_name(f"table-{number}")))
        line.send(Topic.RECORD.of(own), b"not one")
    until(lambda: sum(isinstance(one, ClubMessage) for one in happened) >= 50)
    for one in happened:
        if isinstance(one, ClubMessage):
            one.taken()
    line.drop()
    until(lambda: happened.count(Connected()) > 1)
    line.close()
    assert {thread for _, thread in used_by} == {"the club's broker"}


@pytest.mark.slow
@needs_mosquitto
def test_a_busy_line_holds(open_hall: OpenHall) -> None:
    """3000 records a second over TLS, which the archive acknowledges on a thread of its own."""
    seconds, a_second = (3, 3000) if one_in(2) > 1 else (120, 3000)
    hall = open_hall("table-1", "table-2")
    sent = SimpleQueue[Happening]()
    own = board_name("table-1")
    wanted = LineWish(own, (Topic.HAVE.of(own),))
    line = BrokerLine(hall.access(own), wanted, sent.put)
    line.start()
    hall.at_the_end.callback(line.close)
    until(lambda: any(one == Connected() for one in drained(sent)))
    begun, number, lost = time.monotonic(), 0, list[Happening]()
    while (passed := time.monotonic() - begun) < seconds:
        while number < passed * a_second:
            record = Record(RecordId(own, match_key(1, "now"), number), "x" * 250)
            line.send(Topic.RECORD.of(own), write_message(record))
            number += 1
        lost += [one for one in drained(sent) if isinstance(one, Disconnected)]
        time.sleep(0.001)
    until(lambda: hall.archive.boards() == (own,))
    assert not lost
    assert not hall.warned, "the archive's line held too"


@needs_mosquitto
def test_a_record_does_not_wait_until_the_one_before_is_acknowledged(open_hall: OpenHall) -> None:
    hall = open_hall("table-1")
    silent = LyingBroker(hall.plain_port, acknowledges=False)
    access = replace(
        hall.access("table-1"), brokers=(Broker("127.0.0.1", silent.port, Scheme.MQTT),)
    )
    board = hall.board("table-1", access)
    board.begin()
    board.play(7)
    until(lambda: len(silent.heard) >= 8)
    silent.close()


@needs_mosquitto
def test_a_broker_that_lies_about_acknowledging(open_hall: OpenHall) -> None:
    hall = open_hall("table-1")
    liar = LyingBroker(hall.plain_port)
    access = replace(hall.access("table-1"), brokers=(Broker("127.0.0.1", liar.port, Scheme.MQTT),))
    board = hall.board("table-1", access)
    board.begin()
    board.play(7)
    until(lambda: liar.dropped >= 16)
    assert hall.archive.boards() in ((), (board.name,))
    assert records_told(hall) == []
    until(lambda: "lacks 8 records" in str(board.wire.trouble))
    liar.lies = False
    until(lambda: hall.has_all_of(board))
    until(lambda: board.wire.trouble is None)
    assert nothing_is_double(hall, board)
    liar.close()


def test_a_broker_that_talks_nonsense_is_told_and_tried_again(tmp_path: Path) -> None:
    answers = [
        b"\x20\x02\x00\x00\x90\x01",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        bytes(range(256)),
        b"",
    ]
    met: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                with client:
                    client.recv(4096)
                    met.append(answers[len(met) % len(answers)])
                    client.sendall(met[-1])

    threading.Thread(target=serve, daemon=True).start()
    access = Access(
        (Broker("127.0.0.1", listening.getsockname()[1], Scheme.MQTT),), "table-1", "secret"
    )
    board = ClubBoard(tmp_path / "board", board_name("table-1"), access)
    board.begin()
    until(lambda: len(met) > len(answers) and board.wire.trouble)
    assert "No connection to the club" in str(board.wire.trouble)
    board.close()
    listening.close()


@needs_mosquitto
def test_a_wrong_certificate_a_wrong_account_and_a_wrong_name_are_refused_and_said(
    open_hall: OpenHall, tmp_path: Path
) -> None:
    hall = open_hall("table-1", "table-2")
    access = hall.access("table-1")
    other_ca = tmp_path / "other.pem"
    other_ca.write_text(make_certificates(["localhost"], datetime.datetime.now(datetime.UTC))[CA])
    wrong = {
        "certificate": replace(access, ca=other_ca),
        "none": replace(access, ca=tmp_path / "missing.pem"),
        "password": replace(access, password="guessed"),
        "name": replace(access, brokers=(Broker("127.0.0.2", hall.port),)),
    }
    boards = {why: hall.board_in(tmp_path / why, "table-1", this) for why, this in wrong.items()}
    thief = hall.board("table-2", access)
    for board in (*boards.values(), thief):
        board.begin()
        board.play(5)
    said = {
        "certificate": "has an invalid certificate: ",
        "none": "missing.pem cannot be read: No such file",
        "password": "rejects account table-1",
        "name": "IP address mismatch",
    }
    for why, part in said.items():
        until(lambda board=boards[why], part=part: part in str(board.wire.trouble))  # type: ignore[misc]
    until(lambda: "for board table-2" in str(thief.wire.trouble))
    assert records_told(hall) == []
    right = hall.board("table-1")
    right.begin()
    until(lambda: hall.has_all_of(right))
    assert nothing_is_double(hall, right)


@needs_mosquitto
def test_an_archive_that_cannot_be_written_loses_nothing(open_hall: OpenHall) -> None:
    hall = open_hall("table-1")
    other = sqlite3.connect(hall.folder / "archive.db", isolation_level=None)
    full = "CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT raise(ABORT, 'full'); END"
    other.execute(full)
    board = hall.board("table-1")
    board.begin()
    board.play(30)
    until(lambda: any("cannot be written: full" in line for line in hall.warned))
    assert records_told(hall) == []
    other.execute("DROP TRIGGER full")
    other.close()
    until(lambda: hall.has_all_of(board))
    assert nothing_is_double(hall, board)


@needs_mosquitto
def test_the_brokers_disk_is_full(open_hall: OpenHall, small_disk: Path) -> None:
    hall = open_hall("table-1", store=small_disk)
    filler = small_disk / "filler"
    board = hall.board("table-1")
    board.begin()
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    board.play(40)
    until(lambda: hall.has_all_of(board))
    hall.broker.kill()
    board.play(40)
    hall.broker.start()
    until(lambda: hall.has_all_of(board))
    until(lambda: "No space" in hall.broker.log.read_text())
    filler.unlink()
    board.play(3)
    until(lambda: hall.has_all_of(board))
    assert nothing_is_double(hall, board)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of 64 KB."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@needs_nats
def test_one_nats_node_refuses_is_killed_and_comes_back(
    open_hall: OpenHall, tmp_path: Path
) -> None:
    hall = open_hall("table-1", "table-2", nodes=1)
    board = hall.board("table-1")
    board.begin()
    guessed = replace(hall.access("table-2"), password="guessed")
    wrong = hall.board_in(tmp_path / "wrong", "table-2", guessed)
    thief = hall.board("table-2", hall.access("table-1"))
    thief.begin()
    until(lambda: "rejects account table-2" in str(wrong.wire.trouble))
    until(lambda: "does not let account table-1 read" in str(thief.wire.trouble))
    until(lambda: hall.has_all_of(board))
    hall.broker.kill()
    board.play(60)
    hall.broker.start()
    until(lambda: hall.has_all_of(board))
    assert nothing_is_double(hall, board)


@pytest.mark.parametrize(
    "nodes", [pytest.param(0, marks=needs_mosquitto), pytest.param(1, marks=needs_nats)]
)
def test_a_record_in_another_boards_name_is_dropped_by_the_broker(
    open_hall: OpenHall, nodes: int
) -> None:
    hall = open_hall("table-1", "table-2", nodes=nodes)
    happened: list[Happening] = []
    own = board_name("table-1")
    line = BrokerLine(hall.access(own), LineWish("thief", (Topic.HAVE.of(own),)), happened.append)
    line.start()
    hall.at_the_end.callback(line.close)
    until(lambda: Connected() in happened)
    for board in (board_name("table-2"), own):
        forged = Record(RecordId(board, match_key(1, "now"), 0), "forged")
        line.send(Topic.RECORD.of(board), write_message(forged))
        line.send(Topic.HAVE.of(board), write_message(Have("forged", {})), retain=True)
    until(lambda: hall.archive.boards() == (own,))
    until(lambda: any(isinstance(one, ClubMessage) for one in happened))
    told = [one for one in happened if isinstance(one, ClubMessage)]
    assert read_message(told[0].message, Have).archive != "forged"


@needs_nats
@pytest.mark.skipif(one_in(2) > 1, reason="three nodes beside other tests starve: THOROUGH=1")
def test_three_nats_nodes_of_which_one_is_killed(open_hall: OpenHall) -> None:
    hall = open_hall("table-1", "table-2", nodes=3)
    boards = [hall.board("table-1"), hall.board("table-2")]
    for board in boards:
        board.begin()
        board.play(20)
    until(lambda: hall.has_all_of(*boards), 120)
    hall.broker.kill()
    for board in boards:
        board.play(30)
    until(lambda: hall.has_all_of(*boards), 120)
    assert nothing_is_double(hall, *boards)


@needs_mosquitto
@pytest.mark.parametrize("nodes", [0, pytest.param(1, marks=needs_nats)])
def test_who_looks_round_sees_who_is_there_comes_and_goes(open_hall: OpenHall, nodes: int) -> None:
    hall = open_hall("table-1", "table-2", "table-3", nodes=nodes)
    one, two = hall.board("table-1"), hall.board("table-2")
    until(lambda: Presence(two.name, True) in hall.told)
    assert one.wire.boards == (), "nobody is told of all others who does not ask"
    one.wire.look_round()
    until(lambda: one.wire.boards == ("table-2",))
    three = hall.board("table-3")
    until(lambda: one.wire.boards == ("table-2", "table-3"))
    hall.broker.kill()
    until(lambda: one.wire.boards == ())
    hall.broker.start()
    three.wire.look_round()
    until(lambda: three.wire.boards == ("table-1", "table-2"))
    until(lambda: one.wire.boards == ("table-2", "table-3"))
    # Last: a broker that is killed may not have kept a good-bye yet.
    three.wire.close()
    until(lambda: one.wire.boards == ("table-2",))
