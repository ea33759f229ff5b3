"""`spotter club`: set up, joined, used by the running program, and left."""

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hall import HAS_MOSQUITTO, Hall, until

from pi_app.__main__ import main
from pi_app.base.identifiers import board_name
from pi_app.club.line import Broker
from pi_app.club.records import Presence
from pi_app.club.setting_up import (
    ClubError,
    load_card,
    open_wire,
    read_brokers,
    write_brokers,
)
from pi_app.club.tournament.results import read_roster
from pi_app.referee.events import Start
from pi_app.referee.lines import read_event
from pi_app.user.settings import ClubSettings, load_settings


@pytest.fixture(autouse=True)
def _nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path, ["table-1"])
    yield hall
    hall.at_the_end.close()


def test_a_club_is_set_up_once_and_nothing_of_it_is_for_everybody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club = tmp_path / "club"
    words = ["club", "setup", str(club), "--names", "bar", "window-2", "--host", "club.local"]
    assert main(words) == 0
    assert f"mosquitto -c {club}/mosquitto.conf" in capsys.readouterr().out
    files = {path: path.read_bytes() for path in club.rglob("*") if path.is_file()}
    assert len(files) == 8 + 3
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)
    card = load_card(club / "boards" / "window-2.toml")
    assert (card.brokers, card.board) == ((Broker("club.local", 8883),), "window-2")
    assert card.password not in (club / "passwords").read_text()
    assert main(words) == 2
    assert "is there already; to overwrite it" in capsys.readouterr().err
    assert files == {path: path.read_bytes() for path in files}
    assert main([*words, "--replace"]) == 0
    assert load_card(club / "boards" / "window-2.toml").password != card.password


def test_the_archive_runs_until_it_is_told_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends: list[bool] = []

    class Ended(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            ends.append(self.is_set())
            os.kill(os.getpid(), signal.SIGTERM)
            ends.append(super().wait(60))
            return True

    club = str(tmp_path / "club")
    assert main(["club", "setup", club, "--names", "bar", "--host", "127.0.0.1"]) == 0
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("pi_app.cli.club.threading", SimpleNamespace(Event=Ended))
    try:
        assert main(["club", "archive", club]) == 0
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ends == [False, True]
    assert "Ctrl-C ends it" in capsys.readouterr().out


def test_three_nodes_of_nats_each_with_every_account(tmp_path: Path) -> None:
    words = ["club", "setup", str(tmp_path / "club"), "--boards", "30", "--nats", "--host"]
    assert main([*words, "one", "two", "three"]) == 0
    for number in (1, 2, 3):
        text = (tmp_path / "club" / f"nats-spotter-{number}.conf").read_text()
        assert text.count('"user": ') == 30 + 1 + 1
        assert text.count("nats-route://") == 2
        assert '"stream_replicas": 3' in text
    card = load_card(tmp_path / "club" / "boards" / "table-30.toml")
    assert write_brokers(card.brokers) == "one:8883, two:8883, three:8883"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "arguments are required: ACTION; see: spotter club --help"),
        (["party"], "invalid choice: 'party' (choose from"),
        (["setup", "club", "--host", "a", "b"], "mosquitto runs on one host"),
        (["setup", "club", "--host", "a", "--names", "Bar"], "board 'Bar'"),
        (["setup", "club", "--host", "a", "--names", "bar", "bar"], "a name of its own"),
        (["setup", "club", "--host", "a", "--names", "spotter-archive"], "none is called"),
        (["setup", "club", "--host", "a", "--port", "0"], "no whole number from 1"),
        (["join", "nothing.toml"], "nothing.toml: cannot be read: No such file"),
    ],
)
def test_what_cannot_be_given_is_said_and_makes_nothing(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["club", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "brokers is missing"),
        ('brokers = "a:1"\nboard = "Ä"\npassword = ""\nca = []', "board 'Ä'"),
        ('brokers = "a"\nboard = "a"\npassword = ""\nca = []', "'a' is no broker"),
        ('brokers = "a:99999"\nboard = "a"\npassword = ""\nca = []', "'a:99999' is no broker"),
    ],
)
def test_a_card_that_is_none(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = tmp_path / "card.toml"
    card.write_text(text)
    assert main(["club", "join", str(card)]) == 2
    assert said in capsys.readouterr().err
    assert load_settings().club == ClubSettings()


def test_a_board_that_joins_gives_its_key_to_the_organiser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club = tmp_path / "club"
    assert main(["club", "setup", str(club), "--names", "bar", "--host", "club.local"]) == 0
    assert main(["club", "join", str(club / "boards" / "bar.toml")]) == 0
    said = capsys.readouterr().out
    assert main(["export", "--key"]) == 0
    key = capsys.readouterr().out.strip()
    assert key in said
    assert str(club / "boards" / "bar.key") in said
    assert read_roster(club / "boards") == {key: "bar"}


def test_brokers_are_read_as_they_are_written() -> None:
    brokers = (Broker("club.local", 8883), Broker("::1", 1), Broker("10.0.0.7", 65535))
    assert read_brokers(write_brokers(brokers)) == brokers
    with pytest.raises(ClubError, match="write host:port"):
        read_brokers("club.local")


def test_a_board_whose_club_cannot_be_found_again_says_so_and_plays(tmp_path: Path) -> None:
    file = tmp_path / "password"
    settings = ClubSettings(True, "a:1", "table-1", str(file), "")
    wire = open_wire(settings, tmp_path / "matches.db")
    wire.start()
    wire.close()
    assert wire.trouble
    assert "password cannot be read: No such file" in wire.trouble
    assert "run: spotter club join" in wire.trouble
    file.write_text("secret")
    for wrong in (
        ClubSettings(True, "a", "b", str(file)),
        ClubSettings(True, "a:1", "", str(file)),
    ):
        assert "No matches go to the club" in (
            open_wire(wrong, tmp_path / "matches.db").trouble or ""
        )


@pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
def test_the_running_program_tells_its_match_and_says_good_bye(hall: Hall) -> None:
    board = board_name("table-1")
    assert main(["club", "join", str(hall.club / "boards" / "table-1.toml")]) == 0
    command = [sys.executable, "-m", "pi_app", "--sim", "--match", "nannon", "--to", "1"]
    headless = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    players = ["--players", "Ann", "Bea"]
    program = subprocess.Popen([*command, *players], env={**os.environ, **headless})
    try:
        until(lambda: hall.lines(board))
        start = read_event(hall.lines(board)[0].line)
        assert isinstance(start, Start)
        assert start.players == ("Ann", "Bea")
        assert Presence(board, True) in hall.told
        assert Presence(board, False) not in hall.told
    finally:
        program.send_signal(signal.SIGTERM)
        assert program.wait(30) == 0
    until(lambda: Presence(board, False) in hall.told)
    assert main(["club", "leave"]) == 0
    assert not load_settings().club.on
