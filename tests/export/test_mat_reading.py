"""`.mat` files read: Spotter's own come back as they were decided, others as they are written."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from any_table import AnyTable
from gammon_table import BEGAN, GammonMatch
from gnubg import ask_gnubg, needs_gnubg
from known import GAMES
from shares import some

from pi_app.coach.study import counted, moments
from pi_app.export.mat import mat_lines
from pi_app.export.mat_reading import read_mat
from pi_app.export.retold import Kept
from pi_app.export.transcript import EntryError
from pi_app.match.acts import Act
from pi_app.match.score import Score
from pi_app.match.turns import OVER, Phase

TOLD = {Act.PLAY, Act.DOUBLE, Act.TAKE, Act.PASS}


def by_chance(seed: int) -> GammonMatch:
    """A match with everything that a file can tell."""
    chance = random.Random(seed)
    match = GammonMatch(chance.choice((None, 1, 3)), seed)
    for _ in range(chance.randint(1, 3)):
        while match.view.phase not in OVER:
            match.goes_on()
            if match.may_take_back and chance.random() < 0.02:
                match.takes_back()
            if Act.DOUBLE in match.view.offers and chance.random() < 0.1:
                match.doubles(taken=chance.random() < 0.7)
            if Act.RESIGN in match.view.offers and chance.random() < 0.01:
                match.resigns(1)
        if match.view.phase is Phase.MATCH_OVER:
            break
        match.presses()
    return match


def told(kept: Kept) -> list[object]:
    """The part of a match that a file can express, and its state afterwards."""
    return [
        (step.before.to_act, step.before.roll, step.before.standing.cube, step.after.position)
        for _, _, step in counted(kept)
        if step.decision.what in TOLD
        or (step.decision.what is Act.CORRECT and step.after.to_act is not step.before.to_act)
    ]


@pytest.mark.parametrize("seed", some(range(5), 2))
def test_what_spotter_writes_is_read_as_it_was_decided(seed: int) -> None:
    match = by_chance(seed)
    lines = match.lines()
    read = read_mat("\n".join(lines), GAMES).kept
    assert list(mat_lines(read, BEGAN)) == lines
    assert told(read) == told(match.kept)
    asked, again = asks(match.kept), asks(read)
    assert [one for one in asked if one[1] is not Act.ROLL] == [
        one for one in again if one[1] is not Act.ROLL
    ]
    # Of a game given up after a roll that leaves no choice, that roll is not written.
    missing = [one for one in asked if one not in again]
    assert len(missing) <= sum(line.startswith(" Game") for line in lines)


def asks(kept: Kept) -> list[tuple[object, ...]]:
    """A question to an engine about a match."""
    return [(one.side, one.what, one.question, one.result) for one in moments(kept)]


XG = """\
; [Site "XG Mobile"]
; [Match ID "12345"]
; [Player 1 "Ada"]
; [Player 2 "Ben"]
; [Variation "Backgammon"]
; [Crawford "On"]
; [CubeLimit "1024"]

3 point match

 Game 1
 Ada : 0                             Ben : 0
  1)                                 52: 24/22 13/8
  2) 64: 24/18 13/9                  55: 8/3(2)* 6/1(2)
  3) 43: Bar/21 13/10                Doubles => 2
  4) Drops
                                     Wins 1 point

 Game 2
 Ada : 0                             Ben : 1
  1) 31: 8/5 6/5                     Doubles => 2
  2) Takes                           66: 24/18(2) 13/7(2)
  3)
  Wins 4 points and the match
"""


def test_a_file_of_another_program_is_read() -> None:
    read = read_mat(XG.replace("8/3(2)* 6/1(2)", "8/3(2) 6/1*(2)"), GAMES).kept
    assert read.start.players == ("Ada", "Ben")
    last = tuple(read.decisions)[-1].state
    assert (last.phase, last.standing.score.white) == (Phase.MATCH_OVER, 4)
    assert [d.play for d in read.decisions if d.play][2:4] == ["17/22(2) 19/24*(2)", "bar/21 13/10"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("24/22 13/8", "24/22 13/9", "13: '52: 24/22 13/9' is no legal play of the second player"),
        ("24/22 13/8", "13/24", "13: 13/24: checkers go from higher"),
        ("24/22 13/8", "23/16", "13: '52: 23/16': no checker is on 23"),
        ("24/22 13/8", "24/22 1§/8", "13: '24/22 1§/8' is no play"),
        ("24/22 13/8", "????", "14: the roll before has no play"),
        ("24/22 13/8", "", "14: the roll before has no play"),
        ("52:", "55:", "13: 55: a game begins with two different dice"),
        ("52:", "57:", "13: '1)                                 57:"),
        ("52:", "50:", "13: '50: 24/22 13/8': a die shows 1 to 6"),
        (
            "Doubles => 2",
            "Doubles => 8",
            "15: 'Doubles => 8': the cube goes",
        ),
        ("Doubles => 2", "Beavers => 2", "15: the phase 'to roll' does"),
        ("Doubles => 2", "Raccoons => 2", "15: 'Raccoons => 2': a beaver cannot"),
        ("  4) Drops", "  4) Sulks", "16: '4) Sulks' cannot be read"),
    ],
)
def test_what_cannot_be_costs_its_game_and_names_its_line(old: str, new: str, fault: str) -> None:
    right = XG.replace("8/3(2)* 6/1(2)", "8/3(2) 6/1*(2)")
    assert old in right
    read = read_mat(right.replace(old, new, 1), GAMES)
    (told,) = read.faults
    assert told.startswith(f"line {fault}")
    assert told.endswith("; game 1 is left out")
    opening = read.kept.opening().standing
    assert (opening.score, opening.game_number) == (Score(0, 1), 2)
    assert tuple(read.kept.decisions)[-1].state.standing.score == Score(4, 1)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("3 point match", "3000 point match", "line 9: 3000 points are more than 999"),
        ('"Backgammon"', '"Hypergammon (1)"', "variation 'Hypergammon .1.' cannot be read; these"),
        (
            " Game 1\n Ada : 0                             Ben : 0",
            "",
            "line 12: a turn stands before",
        ),
    ],
)
def test_what_cannot_be_of_the_whole_match_is_an_error(old: str, new: str, error: str) -> None:
    assert old in XG
    with pytest.raises(EntryError, match=error):
        read_mat(XG.replace(old, new, 1), GAMES)


def test_a_text_without_a_game_is_none() -> None:
    with pytest.raises(EntryError, match="no game of Backgammon"):
        read_mat('; [Site "x"]\n\n', GAMES)


GNUBG_PLAYS = """
import gnubg, json
for line in (
    "set automatic game on", "set automatic roll on", "set automatic move on",
    "set confirm new off", "set confirm save off", "set rng mersenne",
    "set player 0 gnubg", "set player 1 gnubg",
    "set player 0 chequerplay evaluation plies 0", "set player 1 chequerplay evaluation plies 0",
    "set player 0 cubedecision evaluation plies 0", "set player 1 cubedecision evaluation plies 0",
):
    gnubg.command(line)
scores = []
for points, path in json.loads(ASKED):
    gnubg.command("set seed %d" % points)
    gnubg.command("new match %d" % points)
    gnubg.command('export match mat "%s"' % path)
    games = gnubg.match(analysis=0, boards=0)["games"]
    actions = [a["action"] for game in games for a in game["game"]]
    scores.append([actions.count(name) for name in ("move", "double", "take", "drop")])
with open(ANSWER, "w") as answer:
    json.dump(scores, answer)
"""


@needs_gnubg
def test_what_gnu_backgammon_writes_is_read(tmp_path: Path) -> None:
    """Matches that it plays against itself: as many plays and doubles, to the last point."""
    files = [(points, str(tmp_path / f"{points}.mat")) for points in (1, 3)]
    counts = json.loads(ask_gnubg(GNUBG_PLAYS, files, tmp_path))
    for (points, file), found in zip(files, counts, strict=True):
        read = read_mat(Path(file).read_text(encoding="utf-8"), GAMES).kept
        whats = [decision.what for decision in read.decisions]
        kinds = (Act.PLAY, Act.DOUBLE, Act.TAKE, Act.PASS)
        assert [whats.count(kind) for kind in kinds] == found
        last = tuple(read.decisions)[-1].state
        assert last.phase is Phase.MATCH_OVER
        assert last.standing.score.best >= points


@pytest.mark.parametrize(
    ("game", "tag"), [("nackgammon", "NackGammon"), ("hypergammon", "HyperGammon (3)")]
)
def test_a_file_of_a_variation_is_of_that_game(game: str, tag: str) -> None:
    table = AnyTable(game, 3)
    table.opens("3", "1")
    table.goes_on()
    lines = list(mat_lines(table.kept, "2026-03-01T20:15"))
    assert f'; [Variation "{tag}"]' in lines
    again = read_mat("\n".join(lines), GAMES).kept
    assert again.start.game == game
    assert again.steps()
