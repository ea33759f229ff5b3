"""Matches that GNU Backgammon played and analysed itself: its marks, counts and rating are ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gnubg import ask_gnubg, needs_gnubg
from known import GAMES
from shares import one_in, some

from pi_app.coach.study import (
    Analysis,
    ErrorKind,
    Errors,
    Grade,
    Judged,
    Mark,
    Study,
    errors_of,
    grade_of,
    mark_of,
)
from pi_app.export.mat_reading import read_mat
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.rules.contract import JACOBY
from pi_app.rules.terms import Side

SCRIPT = """
import gnubg, json, os
asked = json.loads(ASKED)
lines = ["set confirm new off", "set automatic roll on", "set automatic game on",
    "set automatic move on", "set automatic bearoff off", "set beavers %d" % asked["beavers"],
    "set jacoby %s" % asked["jacoby"],
    "set rng mersenne", "set seed %d" % asked["seed"], "set analysis luck on",
    "set analysis luckanalysis plies 0"]
for player, noise in enumerate(asked["noise"]):
    lines.append("set player %d gnubg" % player)
    for kind in ("chequer", "cubedecision"):
        lines.append("set player %d %s evaluation plies 0" % (player, kind))
        lines.append("set player %d %s evaluation noise %.3f" % (player, kind, noise))
        lines.append("set player %d %s evaluation deterministic on" % (player, kind))
for kind in ("chequer", "cubedecision"):
    lines.append("set analysis %s evaluation plies %d" % (kind, asked["plies"]))
for line in lines:
    gnubg.command(line)
if asked["target"]:
    gnubg.command("new match %d" % asked["target"])
    gnubg.command("play")
else:
    gnubg.command("set automatic game off")
    gnubg.command("new session")
    gnubg.command("play")
    for game in range(asked["games"] - 1):
        gnubg.command("new game")
        gnubg.command("play")
gnubg.command("export match mat %s" % asked["mat"])
gnubg.command("analyse match")
match = gnubg.match(analysis=1, boards=0, statistics=1)
for game in match["games"]:
    info = game["info"]
    cube = [1, -1]
    scores = [info["score-%s" % side] for side in "OX"]
    for action in game["game"]:
        found = action.get("analysis", {})
        side = "OX".index(action["player"])
        if "nd-cubeful-eq" in found:
            cubes = gnubg.cubeinfo(cube[0], cube[1], side, asked["target"], scores,
                int(info.get("crawford", 0)))
            ways = [found["nd-cubeful-eq"], found["dt-cubeful-eq"]]
            if asked["target"]:
                ways = [gnubg.mwc2eq(way, cubes) for way in ways]
            found["normalised"] = ways
        if action["action"] == "take":
            cube = [2 * cube[0], side]
with open(ANSWER, "w") as answer:
    json.dump(match, answer, default=str)
os.dup2(os.open(ANSWER + ".words", os.O_CREAT | os.O_WRONLY), 1)
gnubg.command("show statistics %s" % ("match" if asked["target"] else "session"))
"""
NAMES = {"X": Side.WHITE, "O": Side.BLACK}
MARKS = {
    None: Mark.GOOD,
    "doubtful": Mark.DOUBTFUL,
    "bad": Mark.ERROR,
    "very bad": Mark.BLUNDER,
}
CUBE_ERRORS = {
    ErrorKind.DOUBLE: (
        *("missed-double-below-cp", "missed-double-above-cp"),
        *("wrong-double-below-dp", "wrong-double-above-tg"),
    ),
    ErrorKind.TAKE: ("wrong-take", "wrong-drop"),
}
GRADES = {grade: grade.value.capitalize() for grade in Grade}
DID = {"double": Act.DOUBLE, "take": Act.TAKE, "drop": Act.PASS}


class EngineMatch(NamedTuple):
    """Two of the players of the engine, one of them weak: a match, or without a target games."""

    target: int
    plies: int
    seed: int
    games: int = 1
    jacoby: str = "off"
    beavers: int = 0


CASES = [
    EngineMatch(7, 0, 3),
    EngineMatch(5, 1, 8),
    EngineMatch(1, 1, 5),
    EngineMatch(0, 0, 6, games=4),
    EngineMatch(0, 0, 61, games=6, jacoby="on"),
]
THOROUGH = [
    EngineMatch(7, 2, 4711),
    EngineMatch(7, 1, 3),
    EngineMatch(15, 0, 12),
    EngineMatch(0, 1, 9, games=5),
]


SESSIONS = [
    EngineMatch(0, 0, 101, games=8, jacoby="on", beavers=1),
    EngineMatch(0, 0, 102, games=8, jacoby="on", beavers=1),
]
"""Money sessions by the Jacoby rule, with beavers."""
FEWEST = 200
"""Decisions of a session that are compared, at least."""


class Marked(NamedTuple):
    """A decision as both mark it."""

    game: int
    side: Side
    what: Act
    mark: Mark
    loss: float


@pytest.mark.slow
@needs_gnubg
@pytest.mark.parametrize("case", [*some(CASES, 2), *(THOROUGH if one_in(2) == 1 else [])], ids=str)
def test_marks_counts_and_rating_are_those_of_the_engines_own_analysis(
    case: EngineMatch, tmp_path: Path
) -> None:
    mat = tmp_path / "match.mat"
    asked = {**case._asdict(), "noise": [0.06, 0.01], "mat": str(mat)}
    told = json.loads(ask_gnubg(SCRIPT, asked, tmp_path))
    words = (tmp_path / "answer.words").read_text(encoding="utf-8")
    judged = _judged(mat.read_text(encoding="utf-8"), case)
    assert len(told["games"]) >= (1 if case.target == 1 else 2)
    _compare_marks([*_marked_by_it(told)], [*map(_ours, judged.judged)])
    assert judged.unjudged == 0
    for name, side in NAMES.items():
        (ours,) = errors_of(judged)[side]
        decisions, lost = _totals(told, name)
        assert ours.decisions == sum(decisions)
        rating = 500 * sum(lost.values()) / sum(decisions)
        assert ours.rating == pytest.approx(rating, abs=0.01)
        assert _by_kind(ours) == pytest.approx(lost, abs=2e-4)
        plays, cubes = (of_kind(ours, ErrorKind.PLAY), ours.decisions - decisions[0])
        assert (plays, cubes) == decisions
        # In a match the chance of it, else points at the stake; it counts opening rolls too.
        luck = sum(
            game["stats"][name]["dice"]["luck-cost" if case.target else "luck"]
            for game in told["games"]
        )
        assert ours.luck == pytest.approx(luck, abs=2e-4)
        assert ours.rating is not None
        assert GRADES[grade_of(ours.rating)] == _graded(words, name).replace("Awful!", "Beginner")


@pytest.mark.slow
@needs_gnubg
@pytest.mark.parametrize("case", some(SESSIONS, 2), ids=str)
def test_money_decisions_with_jacoby_and_beavers_are_judged_as_the_engine_judges_them(
    case: EngineMatch, tmp_path: Path
) -> None:
    """Each decision by the engine's own worths. Its sums of the cube cannot be compared: they leave
    out beavers, and the doubles missed by a side that beavered."""
    mat = tmp_path / "match.mat"
    asked = {**case._asdict(), "noise": [0.10, 0.02], "mat": str(mat)}
    told = json.loads(ask_gnubg(SCRIPT, asked, tmp_path))
    judged = _judged(mat.read_text(encoding="utf-8"), case)
    theirs = [*_marked_by_it(told)]
    assert {one.what for one in theirs} >= {Act.PLAY, Act.ROLL, Act.DOUBLE, Act.TAKE, Act.BEAVER}
    _compare_marks(theirs, [*map(_ours, judged.judged)])
    assert len(theirs) >= FEWEST
    assert judged.unjudged == 0
    for name, side in NAMES.items():
        (ours,) = errors_of(judged)[side]
        _, lost = _totals(told, name)
        assert _by_kind(ours)[ErrorKind.PLAY] == pytest.approx(lost[ErrorKind.PLAY], abs=2e-4)


def _judged(mat: str, case: EngineMatch) -> Analysis:
    kept, name = read_mat(mat, GAMES).kept, f"gnubg-{case.plies}"
    if not case.target:
        options = {**kept.start.options, JACOBY.name: case.jacoby == "on"}
        kept = replace(kept, start=replace(kept.start, options=options))
    player, lots = (ALL.judge("backgammon", each).make(kept.game) for each in (name, "gnubg-0"))
    study = Study(name, kept, luck_by="gnubg-0")
    while question := study.question:
        study.answer(question.put(lots if question.rolls else player))
    return study.analysis()


def _compare_marks(theirs: list[Marked], ours: list[Marked]) -> None:
    marks = {mark for _, _, _, mark, _ in theirs}
    assert marks >= {Mark.GOOD, Mark.ERROR, Mark.BLUNDER}, "the match shows too little"
    assert [one[:4] for one in ours] == [one[:4] for one in theirs]
    assert [one.loss for one in ours] == pytest.approx([one.loss for one in theirs], abs=1e-4)


def _ours(judged: Judged) -> Marked:
    moment = judged.moment
    assert judged.equity is not None
    return Marked(moment.game, moment.side, moment.what, mark_of(judged), judged.equity)


def _marked_by_it(told: dict[str, Any]) -> Iterator[Marked]:
    """What it marked, in the order of the match: a roll without a double, then its play."""
    for number, game in enumerate(told["games"], start=1):
        held, taken, before = 0.0, 0.0, ""
        for action in game["game"]:
            did, side = action["action"], NAMES[action["player"]]
            if (before, did) == ("double", "double"):
                did = "beaver"
            analysis = action.get("analysis", {})
            mark = MARKS[analysis.get("skill")]
            held, taken = analysis.get("normalised", (held, taken))
            doubled = min(taken, 1.0)
            if did == "move" and "normalised" in analysis:
                lost = max(held, doubled) - held
                yield Marked(number, side, Act.ROLL, _mark(lost), lost)
            plays = analysis.get("moves", ())
            if len(plays) > 1:
                lost = plays[0]["score"] - plays[analysis["imove"]]["score"]
                yield Marked(number, side, Act.PLAY, mark, lost)
            if did == "beaver":
                lost = 2 * taken - min(doubled, 2 * taken)
                yield Marked(number, side, Act.BEAVER, _mark(lost), lost)
            elif before == "beaver":
                worths = {"take": 2 * taken, "drop": -2.0}
                lost = max(worths.values()) - worths[did]
                yield Marked(number, side, DID[did], _mark(lost), lost)
            elif did in DID:
                worth = {"double": max(held, doubled), "take": taken, "drop": 1.0}[did]
                yield Marked(number, side, DID[did], mark, worth - doubled)
            before = did


def _graded(words: str, name: str) -> str:
    """What it calls a player; a column each."""
    (line,) = (line for line in words.splitlines() if line.startswith("Overall rating"))
    columns = re.split(r" {2,}", line.strip())
    return columns[1 + [*NAMES].index(name)]


def _mark(lost: float) -> Mark:
    """The mark of a missed double, by its thresholds: its Python does not give it."""
    return [Mark.GOOD, Mark.DOUBTFUL, Mark.ERROR, Mark.BLUNDER][
        sum(lost > least for least in (0.03, 0.06, 0.12))
    ]


def of_kind(errors: Errors, kind: ErrorKind) -> int:
    return next((one.decisions for one in errors.kinds if one.kind is kind), 0)


def _by_kind(errors: Errors) -> dict[ErrorKind, float]:
    lost = dict.fromkeys(ErrorKind, 0.0)
    return lost | {one.kind: one.equity or 0.0 for one in errors.kinds}


def _totals(told: dict[str, Any], name: str) -> tuple[tuple[int, int], dict[ErrorKind, float]]:
    """How many plays and uses of the cube it counts of a player, and what each kind costs."""
    plays = cubes = 0
    lost = dict.fromkeys(ErrorKind, 0.0)
    for game in told["games"]:
        moves, cube = game["stats"][name]["moves"], game["stats"][name]["cube"]
        plays, cubes = plays + moves["unforced-moves"], cubes + cube["close-cube"]
        lost[ErrorKind.PLAY] += moves["error-skill"]
        for kind, names in CUBE_ERRORS.items():
            lost[kind] += sum(cube[f"err-{each}-skill"] for each in names)
    return (plays, cubes), lost
