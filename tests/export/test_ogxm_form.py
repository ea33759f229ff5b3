"""A match as OGXM, read back by the format's own codec: every position of it is ours."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from any_table import AnyTable
from gammon_table import BEGAN, GammonMatch
from known import judge_again
from shares import one_in

from pi_app.__main__ import main
from pi_app.export.ogxm_form import DICE, NoCodecError, ogxm_document, ogxm_file
from pi_app.journal.opening import FILE
from pi_app.journal.store import Journal
from pi_app.match.turns import Phase
from pi_app.referee.decision import What
from pi_app.referee.events import Intent, Tap
from pi_app.rules.tables.position import TablesPosition, count
from pi_app.rules.terms import Side

ogxm = pytest.importorskip("ogxm")

SEEDS = range(1, 10, one_in(8))


def read_back(table: AnyTable) -> dict[str, Any]:
    document: dict[str, Any] = ogxm.binary_to_json(ogxm_file(table.kept, BEGAN))
    return document


def played(seed: int) -> AnyTable:
    """A match to 5 with takebacks and resignations."""
    table = AnyTable("backgammon", 5, seed)
    for turn in range(4000):
        if table.view.phase is Phase.MATCH_OVER:
            return table
        table.goes_on()
        offers = table.view.offers
        if turn % 41 == 40 and Intent.TAKE_BACK in offers:
            table.does(Tap(table.later(1000), Intent.TAKE_BACK))
        elif turn % 130 == 129 and Intent.RESIGN in offers:
            points = next(iter(table.view.resignations))
            table.does(Tap(table.later(1000), Intent.RESIGN, points=points))
    raise AssertionError("the match never ended")


def men_of(position: TablesPosition) -> tuple[str, str]:
    """Both sides' men as an OGID has them: a letter a man, by White's numbers, and none off."""
    letters = "0123456789abcdefghijklmnop"
    own = {
        side: "".join(
            letters[point if side is Side.WHITE else 25 - point] * count(position.men(side), point)
            for point in range(1, 26)
        )
        for side in Side
    }
    return "".join(sorted(own[Side.BLACK])), "".join(sorted(own[Side.WHITE]))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_codec_plays_the_same_match(seed: int) -> None:
    table = played(seed)
    document = read_back(table)
    assert document["replay_complete"]
    score = table.view.score
    told = (document.get("white_score", 0), document.get("black_score", 0))
    assert told == (min(score.white, 5), min(score.black, 5))
    assert document["result"] == (1 if score.white > score.black else 2)
    assert (document["player_white"], document["player_black"]) == ("Ann", "Bea")
    # After a takeback what lies there is said to be right: a correction that is a legal play.
    made = (What.PLAY, What.CORRECTION)
    kept = [step for step in table.kept.steps() if step.decision.what in made]
    ours = {men_of(table.game.read_position(step.after.position)) for step in kept}
    for game in document["games"]:
        assert "winner" in game
        for ply in game["plies"]:
            if ply["action_id"] < len(DICE):
                black, white = ply["ogid_after"].split(":")[:2]
                assert ("".join(sorted(black)), "".join(sorted(white))) in ours, ply


def test_the_cube_and_a_drop_are_told() -> None:
    match = GammonMatch(5, seed=1)
    for _ in range(400):
        if match.view.phase is Phase.GAME_OVER:
            break
        if match.view.phase is Phase.DOUBLE_OFFERED:
            taken = match.view.cube.value == 1
            match.does(Tap(match.later(1000), Intent.TAKE if taken else Intent.PASS))
        elif Intent.DOUBLE in match.view.offers and len(match.decided) > 8:
            match.does(Tap(match.later(1000), Intent.DOUBLE))
        else:
            match.goes_on()
    assert match.view.phase is Phase.GAME_OVER
    document = read_back(match)
    assert document["replay_complete"]
    actions = [ply["action_id"] for ply in document["games"][0]["plies"]]
    assert [action for action in actions if action > 20] == [21, 22, 21, 23]
    assert document["games"][0]["points_won"] == 2


def test_a_match_that_is_not_over_is_told_as_far_as_it_is() -> None:
    table = AnyTable("backgammon", None, 4)
    while len(table.decided) < 20:
        table.goes_on()
    document = read_back(table)
    assert document["replay_complete"]
    assert document["match_length"] == 0
    assert document["result"] == 0


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = builtins.__import__

    def gone(name: str, *rest: Any, **more: Any) -> Any:
        if name == "ogxm":
            raise ImportError(name)
        return real(name, *rest, **more)

    table = AnyTable("backgammon", 1, 1)
    monkeypatch.setattr(builtins, "__import__", gone)
    with pytest.raises(NoCodecError, match=r"pip install --editable '\.\[ogxm\]'"):
        ogxm_file(table.kept, BEGAN)
    assert ogxm_document(table.kept, "some day").keys() >= {"games", "match_length"}


def test_the_command_writes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    table = AnyTable("backgammon", 1, 1)
    while len(table.decided) < 12:
        table.goes_on()
    journal = Journal(tmp_path / "spotter" / FILE, judge_again)
    journal.begin(table.start, BEGAN)
    for decision in table.decided:
        journal.decide(decision)
    journal.commit()
    journal.close()
    file = tmp_path / "match.ogxm"
    assert main(["export", "1", "--ogxm", "-o", str(file)]) == 0
    assert ogxm.binary_to_json(file.read_bytes()) == read_back(table)
    assert main(["export", "1", "--ogxm"]) == 2
    assert "ogxm is no text; give a file: -o match.ogxm" in capsys.readouterr().err
