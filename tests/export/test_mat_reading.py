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
from pi_app.export.mat import MatError, mat_lines, read_mat
from pi_app.export.retold import Kept
from pi_app.match.acts import Act
from pi_app.match.turns import OVER, Phase
from pi_app.rules.tables.backgammon import BACKGAMMON

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
    read = read_mat(BACKGAMMON, "\n".join(lines), GAMES)
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
    read = read_mat(BACKGAMMON, XG.replace("8/3(2)* 6/1(2)", "8/3(2) 6/1*(2)"), GAMES)
    assert read.start.players == ("Ada", "Ben")
    last = tuple(read.decisions)[-1].state
    assert (last.phase, last.standing.score.white) == (Phase.MATCH_OVER, 4)
    assert [d.play for d in read.decisions if d.play][2:4] == ["17/22(2) 19/24*(2)", "bar/21 13/10"]


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("3 point match", "3000 point match", "line 9: 3000 points are more than 999"),
        ("24/22 13/8", "24/22 13/9", "line 13: '52: 24/22 13/9' is no legal play of the second"),
        ("24/22 13/8", "13/24", "line 13: 13/24: checkers go from higher"),
        ("24/22 13/8", "23/16", "line 13: '23/16': no checker is on 23"),
        ("24/22 13/8", "????", "line 13: .[?]{4}. is no play"),
        ("24/22 13/8", "", "line 14: the roll before has no play"),
        ("52:", "55:", "line 13: 55: a game begins with two different dice"),
        ("Doubles => 2\n  4) Drops", "Doubles => 8\n  4) Drops", "line 15: .* goes to 2"),
        ("Ben : 1", "Ben : 2", "line 20: the score is 0–2; by the games before it is 0–1"),
        ("Wins 1 point", "Wins 2 points", "line 17: 2 points are won; by the game .* is 1"),
        ("Wins 4 points and", "Wins 3 points and", "line 24: nobody can win 3 points here"),
        ("  4) Drops", "  4) Dances", "line 16: '4. Dances' is nothing of a match"),
        ('"Backgammon"', '"Hypergammon"', "line 12: variation 'Hypergammon'"),
        (
            " Game 1\n Ada : 0                             Ben : 0",
            "",
            "line 12: a turn stands before",
        ),
    ],
)
def test_what_cannot_be_names_its_line(old: str, new: str, error: str) -> None:
    right = XG.replace("8/3(2)* 6/1(2)", "8/3(2) 6/1*(2)")
    assert old in right
    with pytest.raises(MatError, match=error):
        read_mat(BACKGAMMON, right.replace(old, new, 1), GAMES)


def test_a_text_without_a_game_is_none() -> None:
    with pytest.raises(MatError, match="no game of Backgammon"):
        read_mat(BACKGAMMON, '; [Site "x"]\n\n', GAMES)


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
        read = read_mat(BACKGAMMON, Path(file).read_text(encoding="utf-8"), GAMES)
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
    again = read_mat(BACKGAMMON, "\n".join(lines), GAMES)
    assert again.start.game == game
    assert again.steps()
