"""`spotter rollout`: what comes of the best plays, with intervals; stopped by Ctrl-C or SIGTERM."""

from __future__ import annotations

import json
import os
import signal

import pytest

from pi_app.__main__ import main
from pi_app.players.contract import Answer, RolloutGames, Situation
from pi_app.players.tables.player import NetworkPlayer
from pi_app.rules.terms import Roll

OPENING = "-b----E-C---eE---c-e----B- w"
SHUT_OUT = "a-BabAEbB--Aa--A-a-daAaBa- b"
pytestmark = pytest.mark.usefixtures("own_folder")
FEW = ("--games", "36", "--turns", "3", "--player", "network")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["rollout", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_best_plays_are_told_with_their_intervals_games_and_costs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, heads, *rows, _, _ = said(capsys, "backgammon", OPENING, "31", *FEW)
    assert first == "network plays on, 3 turns a game, seed 1, in points a game:"
    assert heads.split()[:4] == ["worth", "±", "cost", "games"]
    assert len(rows) == 3
    assert rows[0].startswith("1.  8/5 6/5 ")
    assert all(" 36 " in row for row in rows)


def test_a_forfeit_is_named_as_in_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = said(capsys, "backgammon", SHUT_OUT, "66", "--games", "12", "--turns", "2", "--json")
    assert [one["play"] for one in json.loads(line)["plays"]] == ["forfeit"]


def test_as_json_without_a_roll_and_at_a_score(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = said(capsys, "backgammon", OPENING, *FEW, "--match-to", "3", "--json")
    told = json.loads(line)
    assert (told["unit"], told["turns"], told["seed"]) == ("match", 3, "1")
    (only,) = told["plays"]
    assert only["play"] is None
    assert only["games"] == 36
    assert 0.5 < only["worth"] < 0.6
    assert 0 < only["half"] < 0.05
    assert len(only["won"]) == 3


def test_an_xgid_brings_its_roll_and_the_seed_draws_the_rolls(
    capsys: pytest.CaptureFixture[str],
) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:0:0:10"
    asked = ("backgammon", xgid, *FEW, "--plays", "2", "--json")
    first, again = said(capsys, *asked), said(capsys, *asked)
    other = said(capsys, *asked, "--seed", "2")
    assert first == again != other
    assert len(json.loads(first[0])["plays"]) == 2


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_by_a_signal_it_prints_what_it_has(
    how: signal.Signals, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[RolloutGames]()

    class StoppedPlayer(NetworkPlayer):
        def play_on(self, situation: Situation, roll: Roll | None, trials: RolloutGames) -> Answer:
            asked.append(trials)
            if len(asked) > 4:
                os.kill(os.getpid(), how)
            return super().play_on(situation, roll, trials)

    monkeypatch.setattr("pi_app.players.tables.player.NetworkPlayer", StoppedPlayer)
    assert main(["rollout", "backgammon", OPENING, "31", *FEW]) == 130
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 3 + 3
    assert all("  –  " in line for line in lines[2:5])
    assert lines[6] == "It is known from 30 games of a play on."
    assert sum(" 12 " in line for line in lines) == 2
    assert sum(" 24 " in line for line in lines) == 1


@pytest.mark.parametrize(
    ("words", "status", "what"),
    [
        (("nannon", "1ww..bb1 w", "3"), 1, "no player of it plays positions on"),
        (("backgammon", OPENING, "31", "--games", "0"), 2, "--games"),
        (("backgammon", "-A------------------------ w"), 2, "the game is over"),
    ],
)
def test_what_cannot_be_rolled_out_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, what: str
) -> None:
    assert main(["rollout", *words]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert what in printed.err


def test_without_the_core_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_app.players.tables.player._core_of", lambda _: None)
    assert main(["rollout", "backgammon", OPENING, "31", *FEW]) == 1
    assert "positions cannot be played on here" in capsys.readouterr().err
