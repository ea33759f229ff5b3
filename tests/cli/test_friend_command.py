"""`spotter friend`: the broker of friends is set, and friends are listed and forgotten."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from friends_broker import FriendsBroker, NatsForFriends
from hall import HAS_MOSQUITTO, HAS_NATS, until

from pi_app.__main__ import main
from pi_app.app.linking import LINKS
from pi_app.base.microseconds import ms
from pi_app.cli import friend as friend_command
from pi_app.club.far_player import Correspondence
from pi_app.club.friends import FRIENDS, Friend, FriendBook, Friends
from pi_app.club.line import Access, Scheme
from pi_app.club.linked.meeting import MeetingRole, pact_of
from pi_app.games.all import ALL
from pi_app.journal.opening import data_folder, open_journal
from pi_app.referee.events import FarSeat, Start
from pi_app.rules.terms import Side
from pi_app.user.commands import Phrase
from pi_app.user.settings import FriendsSettings, load_settings


@pytest.fixture(autouse=True)
def _nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder))


def met(*names: str) -> list[Friend]:
    book = FriendBook(data_folder() / FRIENDS)
    friends = [
        Friend(pact_of(bytes([number]) * 32, MeetingRole.READS), name, known=True)
        for number, name in enumerate(names)
    ]
    for friend in friends:
        book.keep(friend)
    return friends


def test_the_broker_is_set_with_its_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert load_settings().friends == FriendsSettings(), "none until somebody sets one"
    assert main(["friend", "broker", "wss://play.example"]) == 0
    assert "from the next start on" in capsys.readouterr().out
    assert load_settings().friends == FriendsSettings("wss://play.example")
    assert main(["friend", "broker", "a.example:8883", "--ca", str(tmp_path / "ca.pem")]) == 0
    assert load_settings().friends == FriendsSettings("a.example:8883", str(tmp_path / "ca.pem"))
    capsys.readouterr()
    assert main(["friend", "broker", "http://a.example"]) == 2
    assert "'http://a.example' is no broker" in capsys.readouterr().err
    assert main(["friend", "broker", "a.example:8883,b.example:8883"]) == 2
    assert "friends meet at one broker" in capsys.readouterr().err
    assert load_settings().friends.broker == "a.example:8883"


def test_friends_are_listed_the_newest_first_and_forgotten(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["friend", "list"]) == 0
    assert "No friend was met yet" in capsys.readouterr().out
    ben, other, eve = met("Ben", "Ben", "Ελένη")
    assert main(["friend", "list"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"Ελένη {eve.board}",
        f"Ben {other.board}",
        f"Ben {ben.board}",
    ]
    assert main(["friend", "forget", "Ben"]) == 2
    assert "several friends have this name" in capsys.readouterr().err
    assert main(["friend", "forget", ben.board]) == 0
    assert main(["friend", "forget", "Ελένη"]) == 0
    assert [friend.board for friend in FriendBook(data_folder() / FRIENDS).known] == [other.board]
    assert main(["friend", "forget", "Zoe"]) == 2
    assert "'Zoe': no friend has this name; see spotter friend list" in capsys.readouterr().err


@pytest.mark.skipif(not HAS_MOSQUITTO, reason="no mosquitto here")
def test_a_broker_is_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["friend", "check"]) == 2
    assert "No broker is set" in capsys.readouterr().err
    with FriendsBroker(tmp_path) as broker:
        address = str(broker.at(Scheme.WSS))
        assert main(["friend", "broker", address, "--ca", str(broker.ca)]) == 0
        capsys.readouterr()
        assert main(["friend", "check"]) == 0
        said = capsys.readouterr().out
        assert f"{address} lets this board in and answers in " in said
        assert "It keeps no message." in said
    assert main(["friend", "check"]) == 2
    assert "cannot be reached" in capsys.readouterr().err


@pytest.mark.skipif(not HAS_NATS, reason="no nats-server here")
def test_a_broker_that_keeps_messages_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with NatsForFriends(tmp_path) as broker:
        assert main(["friend", "broker", str(broker.at(Scheme.MQTT))]) == 0
        assert main(["friend", "check"]) == 2
    assert "keeps messages" in capsys.readouterr().err


@pytest.mark.skipif(not HAS_MOSQUITTO, reason="no mosquitto here")
def test_a_phrase_is_said_beside_the_board_that_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Afterwards the friend's phrases still reach the board that plays."""
    ben = met("Ben")[0]
    ann = FriendBook(tmp_path / "ben.json")
    ann.keep(Friend(pact_of(bytes(32), MeetingRole.SHOWS), "Ann", known=True))
    with FriendsBroker(tmp_path) as broker, ExitStack() as at_the_end:
        place = broker.at(Scheme.MQTTS)
        assert main(["friend", "broker", str(place), "--ca", str(broker.ca)]) == 0
        home, far = (
            Friends(Access((place,), ca=broker.ca), book)
            for book in (FriendBook(data_folder() / FRIENDS), ann)
        )
        for friends in (home, far):
            friends.start()
            at_the_end.callback(friends.close)
        until(lambda: all(one.far_run for both in (home, far) for one in both._open.values()))
        assert main(["friend", "say", "Ben", "well played"]) == 0
        assert "Ben reads: Well played" in capsys.readouterr().out
        until(lambda: far.heard_phrase == (far.book.known[0].board, Phrase.WELL_PLAYED))
        far.say(far.book.known[0].board, Phrase.THANKS)
        until(lambda: home.heard_phrase == (ben.board, Phrase.THANKS))
        far.close()
        monkeypatch.setattr(friend_command, "TRIAL_S", 2.0)
        assert main(["friend", "say", "Ben", "hello"]) == 2
        assert "The board of Ben is off" in capsys.readouterr().err
    FriendBook(data_folder() / FRIENDS).keep(replace(ben, page=True))
    assert main(["friend", "say", "Ben", "hello"]) == 2
    assert "plays in a browser" in capsys.readouterr().err
    assert main(["friend", "say", "Ben", "rubbish"]) == 2
    assert "'well played'" in capsys.readouterr().err


def begun_with(friend: Friend) -> Path:
    """A match with a friend has begun. Return the file of its letters."""
    seat = FarSeat(Side.BLACK, friend.board, "0123456789abcdef")
    board = ALL.boards["nannon"]
    start = Start(ms(0), "nannon", board, 5, ("Ann", "Ben"), dict(seat.seat.options))
    with closing(open_journal(data_folder())) as opened:
        opened.journal.begin(start, "2026-11-23T01:00:00+00:00")
    path = data_folder() / LINKS / f"{seat.link}.jsonl"
    Correspondence.begin(path, seat.link, friend.board, lambda _: None, bytes(32))
    return path


def test_a_match_is_closed_after_a_day_of_silence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["friend", "close"]) == 2
    assert "No match with another board is unfinished" in capsys.readouterr().err
    path = begun_with(met("Ben")[0])
    assert main(["friend", "close"]) == 2
    assert "wait until that is a day ago" in capsys.readouterr().err
    two_days_ago = path.stat().st_mtime - 2 * 86_400
    os.utime(path, (two_days_ago, two_days_ago))
    before = path.read_text()
    assert main(["friend", "close"]) == 0
    said = "Match closed after a day of silence, with "
    assert said in capsys.readouterr().out
    assert path.read_text().startswith(before)
    assert said in path.read_text().removeprefix(before), "the friend is told at the next start"
    os.utime(path, (two_days_ago, two_days_ago))
    assert main(["friend", "close"]) == 2
    assert "The match is closed: Match closed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--friend"], "and --friend go with --match"),
        (["--match", "nannon", "--friend", "--linked", "Ben"], "one player for the other side"),
        (["--match", "nannon", "--join", "1 a b c"], "your friend chooses the match"),
    ],
)
def test_what_does_not_go_together_is_told(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--sim", "--once", *words]) == 2
    assert said in capsys.readouterr().err


def started(*words: str) -> str:
    """What a simulated board says that is started so."""
    silent = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    ended = subprocess.run(
        [sys.executable, "-m", "pi_app", "--sim", "--once", *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **silent},
    )
    return ended.stdout + ended.stderr


BY_CODE = ("--match", "nannon", "--friend"), ("--join", "561 scene consider smile")


@pytest.mark.parametrize("words", BY_CODE)
def test_without_a_broker_it_says_how_to_set_one(words: tuple[str, ...]) -> None:
    assert "Set the broker for friends first" in started(*words)


LINKED = ("--match", "nannon", "--linked", "Ben")


@pytest.mark.parametrize("words", [(), LINKED, *BY_CODE])
def test_who_asks_for_another_match_is_not_led_back_to_the_unfinished_one(
    words: tuple[str, ...],
) -> None:
    """The unfinished match would withdraw the invitation, and use the code up."""
    begun_with(met("Ben")[0])
    assert main(["friend", "broker", "mqtt://127.0.0.1:9"]) == 0
    resumes = '"phase"' in started("--views", *words)
    assert resumes is (not words)


def test_what_is_no_code_is_told() -> None:
    assert main(["friend", "broker", "mqtt://127.0.0.1:9"]) == 0
    said = started("--join", "561 scene consider")
    assert "is no code; it is a number and three words" in said


def test_a_damaged_file_of_friends_is_told_and_nothing_else_stops(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["friend", "broker", "mqtt://127.0.0.1:9"]) == 0
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FRIENDS).write_text('[{"role": "a"}]')
    assert main(["friend", "list"]) == 2
    assert FRIENDS in capsys.readouterr().err
    assert "Friends cannot be reached" in started(*BY_CODE[0])


def test_the_page_of_friends_without_a_board_is_one_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "index.html"
    assert main(["friend", "page", str(file)]) == 0
    text = file.read_text("utf-8")
    assert "spotter/2/meet/" in text
    assert "Dein Name" in text
    assert not re.findall(r'(?:src|href)="(?!data:)', text), "it needs no other file"
    assert "{{" not in text
    capsys.readouterr()
    assert main(["friend", "page", str(tmp_path / "none" / "index.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
