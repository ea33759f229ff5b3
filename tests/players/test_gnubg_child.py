"""GNU Backgammon's process: missing, dead, stopped, babbling, and gone with who started it."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from pathlib import Path
from queue import SimpleQueue

import pytest
from gnubg import needs_gnubg
from known import find_game
from offspring import alive, children

from pi_app.__main__ import main
from pi_app.base.microseconds import ms
from pi_app.games.all import ALL
from pi_app.players.contract import Opinion, PlayerError, Question, Situation
from pi_app.players.gnubg import player as gnubg_player
from pi_app.players.gnubg.player import EngineLevel, EnginePlayer, Gnubg, command
from pi_app.players.process import (
    Advice,
    Conversation,
    Deadlines,
    PlayerProcess,
    Reply,
    Trouble,
    command_of,
)
from pi_app.rules.tables.ids import write_position_id
from pi_app.rules.terms import Roll, Side

GAME = find_game("backgammon")
START = GAME.start(Side.WHITE)
OPENING = "-b----E-C---eE---c-e----B- w"
READY = "echo '{\"ready\": true}' >&$SPOTTER_CHANNEL; read -u $SPOTTER_CHANNEL asked"
PATIENCE_S = 30


def gone(pid: int) -> bool:
    for _ in range(500):
        if not alive(pid):
            return True
        time.sleep(0.01)
    return False


def stand_in(script: str, patience_s: float = 20) -> Gnubg:
    return Gnubg(("/bin/bash", "-c", script), patience_s, patience_s)


def saying(answer: object) -> Gnubg:
    """One that is there and answers everything so."""
    return stand_in(f"{READY}; cat <<'END' >&$SPOTTER_CHANNEL\n{json.dumps(answer)}\nEND\nsleep 9")


@pytest.mark.parametrize(
    ("script", "patience_s", "why"),
    [
        ("exit 0", 20, "has ended; is it built with Python"),
        ("echo hello >&$SPOTTER_CHANNEL; sleep 9", 20, "answers nonsense: 'hello"),
        ("echo 3 >&$SPOTTER_CHANNEL; sleep 9", 20, "answers nonsense: '3"),
        ("sleep 9", 0.05, "did not answer within 0.05 s"),
    ],
)
def test_what_does_not_begin_as_it_should_is_said_and_ended(
    script: str, patience_s: float, why: str
) -> None:
    with pytest.raises(PlayerError, match=why):
        stand_in(script, patience_s)


def test_a_program_that_cannot_be_started_is_said() -> None:
    with pytest.raises(PlayerError, match="/no/such/gnubg: No such file"):
        Gnubg(("/no/such/gnubg",))


PLAY = ["8/5 6/5", 0, 0.2, [0.5, 0.1, 0.0, 0.1, 0.0]]
HERE = {"position": write_position_id(START), "ends": None}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ([], "nonsense"),
        ({"error": "Traceback"}, "says: Traceback"),
        ({**HERE, "position": "nonsense"}, "answers what was not asked"),
        (HERE, "not the legal ones"),
        ({"position": HERE["position"], "ends": [1.0]}, "nonsense"),
        ({**HERE, "plays": [PLAY]}, "not the legal ones: -b----E-C---eE---c-e----B- w with 31"),
        ({**HERE, "plays": [["24/1", *PLAY[1:]]]}, "not the legal ones"),
        ({**HERE, "plays": [["24/99", *PLAY[1:]]]}, "nonsense: '24/99'"),
        ({**HERE, "plays": [PLAY[:3]]}, "nonsense"),
        ({**HERE, "plays": [[*PLAY[:2], float("nan"), PLAY[3]]]}, "nonsense"),
        ({**HERE, "plays": [[*PLAY[:3], ["a"] * 5]]}, "nonsense"),
        ({**HERE, "plays": [[*PLAY[:3], [0.5]]]}, "nonsense"),
    ],
)
def test_an_answer_that_nobody_can_use_is_said(answer: object, why: str) -> None:
    engine = saying(answer)
    try:
        with pytest.raises(PlayerError, match=why):
            EnginePlayer(GAME, EngineLevel(0), engine).rate(Situation(START), Roll.of(3, 1))
    finally:
        engine.end()


@needs_gnubg
def test_killed_or_stopped_it_is_said_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is written, neither into the user's home nor where its own was."""
    home, own = tmp_path / "home", tmp_path / "own"
    home.mkdir()
    own.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    situation, roll = Situation(START), Roll.of(3, 1)
    for number, why in ((signal.SIGKILL, "has ended"), (signal.SIGSTOP, "did not answer within")):
        engine = Gnubg(command(), answer_s=0.4)
        player = EnginePlayer(GAME, EngineLevel(0), engine)
        assert player.rate(situation, roll).plays
        os.kill(engine.pid, number)
        with pytest.raises(PlayerError, match=why):
            player.rate(situation, roll)
        assert gone(engine.pid)
        with pytest.raises(PlayerError, match="has ended"):
            player.rate(situation, roll)
    engine = Gnubg(command())
    engine.end()
    assert gone(engine.pid)
    assert list(home.iterdir()) == list(own.iterdir()) == []


@needs_gnubg
def test_the_players_process_says_what_went_wrong_and_is_started_again() -> None:
    """One life: the engine killed between two questions, then the player: nothing stays."""
    told: SimpleQueue[Reply] = SimpleQueue()
    talk = Conversation(GAME, "gnubg-0", Deadlines(ms(30_000), ms(20_000)))
    process = PlayerProcess(command_of(GAME, "gnubg-0"), talk, told.put)
    question = Question(Situation(START), Roll.of(3, 1))
    try:
        process.ask(1, question)
        first = told.get(timeout=PATIENCE_S)
        assert isinstance(first, Advice), first
        assert isinstance(first.opinion, Opinion)
        assert process.pid
        (engine,) = children(process.pid)
        os.kill(engine, signal.SIGKILL)
        process.ask(2, question)
        trouble = told.get(timeout=PATIENCE_S)
        assert isinstance(trouble, Trouble)
        assert trouble.said.startswith("Restarting gnubg-0: it reports: GNU Backgammon has ended")
        second = told.get(timeout=PATIENCE_S)
        assert isinstance(second, Advice)
        assert second.opinion == first.opinion
        (engine,) = children(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        assert gone(engine), "it hears that nobody asks any more"
    finally:
        process.close()


@pytest.fixture
def _without_gnubg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg_player, "program", lambda: None)


@pytest.mark.usefixtures("_without_gnubg")
def test_where_it_is_missing_that_is_said_and_others_play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    why = gnubg_player.MISSING()
    equipment = ALL.find("backgammon")
    assert not [name for name in equipment.present if name.startswith("gnubg")]
    assert {"greedy", "random"} <= equipment.present.keys()
    assert equipment.contenders["gnubg-2"].missing() == why
    with pytest.raises(PlayerError, match="is not installed"):
        equipment.contender("gnubg-2").make(GAME)
    assert main(["hint", "backgammon", OPENING, "31"]) == 0
    adviser, *_ = capsys.readouterr().out.split()
    assert adviser in equipment.present
    monkeypatch.setattr("os.nice", lambda by: by)
    for words in (
        ["hint", "backgammon", OPENING, "31", "--player", "gnubg-2"],
        ["arena", "backgammon", "--players", "gnubg-2", "random", "--games", "1"],
    ):
        assert main(words) == 1
        assert capsys.readouterr().err == f"spotter: {why}\n"
