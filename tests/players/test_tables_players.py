"""The networks' players: every legal play, the same each time, scored as their game scores."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache

import pytest
from known import case_file, find_game

from pi_app.games.all import ALL
from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.match.turns import Turns
from pi_app.players.contract import CubeOpinion, Opinion, Player, Situation, Unit
from pi_app.players.meeting import meet
from pi_app.players.tables.player import WEAKER
from pi_app.rules.terms import Roll, Side, read_roll

TABLES_GAMES = ("backgammon", "fevga", "hypergammon", "portes", "pin")
STRENGTHS = ("network-2", "network", *WEAKER)
MATCH = Agreement(match_to=7, cube=True, crawford=True, tie_turns_cube=False)
MONEY = Agreement(match_to=None, cube=True, crawford=False, tie_turns_cube=False)


@cache
def player(game: str, name: str) -> Player:
    return ALL.find(game).contender(name).make(find_game(game))


def cases(name: str, every: int) -> list[tuple[Situation, Roll]]:
    lines = case_file(name).read_text(encoding="utf-8").splitlines()[::every]
    game, told = find_game(name), [json.loads(line) for line in lines]
    return [
        (Situation(game.read_position(each["position"])), read_roll(each["roll"], 2))
        for each in told
    ]


def at(white: int, black: int, cube: Cube = Cube(), crawford: bool = False) -> Standing:  # noqa: B008
    return Standing(Score(white, black), cube, 3, crawford, crawford_played=False)


@pytest.mark.parametrize("name", TABLES_GAMES)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_every_legal_play_is_rated_once_the_best_first(name: str, strength: str) -> None:
    game = find_game(name)
    asked = cases(name, every=150 if strength == "network-2" else 20)
    for situation, roll in asked:
        opinion = player(name, strength).rate(situation, roll)
        plays = [rated.play for rated in opinion.plays]
        assert sorted(map(str, plays)) == sorted(map(str, game.plays(situation.position, roll)))
        worths = [rated.worth for rated in opinion.plays]
        assert worths == sorted(worths, reverse=True)
        assert all(map(math.isfinite, worths))
        assert not opinion.exact
        assert opinion.unit is Unit.POINTS


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_same_question_has_the_same_answer_from_anybody(strength: str) -> None:
    situation, roll = cases("pin", every=400)[1]
    again = ALL.find("pin").contender(strength).make(find_game("pin"))
    assert again.rate(situation, roll) == player("pin", strength).rate(situation, roll)


def test_weaker_ones_choose_other_plays_now_and_then() -> None:
    asked = cases("portes", every=10)
    chosen = {
        strength: [player("portes", strength).rate(*each).plays[0].play for each in asked]
        for strength in STRENGTHS[1:]
    }
    others = [
        sum(a != b for a, b in zip(chosen["network"], chosen[weak], strict=True)) for weak in WEAKER
    ]
    assert others[0] > 0
    assert others == sorted(others)
    assert others[-1] < len(asked)


@pytest.mark.parametrize("name", TABLES_GAMES)
def test_a_point_is_half_of_what_a_plain_game_changes(name: str) -> None:
    """For points it is what a game counts; where a game decides the match, half of the chance."""
    game, to_one = find_game(name), replace(MATCH, match_to=1, cube=False, crawford=False)
    start, roll = game.start(Side.WHITE), Roll.of(6, 4)
    assert player(name, "network").rate(Situation(start, to_one), roll).point == 0.5
    point = player(name, "network").rate(Situation(start), roll).point
    assert point
    assert point > 10 if name == "pin" else point == 1


def test_the_play_that_was_made_is_looked_at_as_closely_as_the_best() -> None:
    """`network-2` looks at plays that seem bad only once, unless one of them was made."""
    closer = 0
    for situation, roll in cases("backgammon", every=300):
        told = player("backgammon", "network-2").rate(situation, roll)
        bad = told.plays[-1]
        again = player("backgammon", "network-2").rate(situation, roll, bad.play)
        (made,) = (one for one in again.plays if one.play == bad.play)
        assert again.plays[0] == told.plays[0]
        closer += made.worth != bad.worth
    assert closer


@pytest.mark.parametrize("name", TABLES_GAMES)
@pytest.mark.parametrize("strength", WEAKER)
def test_a_weak_player_sees_a_game_that_is_won_and_knows_a_match_from_points(
    name: str, strength: str
) -> None:
    position = find_game(name).read_position(ONE_LEFT.get(name, ALL_HOME))
    opinion = player(name, strength).rate(Situation(position), Roll.of(2, 1))
    assert find_game(name).outcome(find_game(name).after(position, opinion.plays[0].play))
    match = Agreement(match_to=3, cube=False, crawford=False, tie_turns_cube=False)
    start = Situation(find_game(name).start(Side.WHITE), match, at(0, 1))
    told = player(name, strength).rate(start, Roll.of(6, 4))
    assert told.unit is Unit.MATCH
    assert 0 < told.plays[0].worth < 1
    assert told.point == pytest.approx(0.3, abs=0.2)
    # A rule of thumb is worth as much of a game in a match as for points.
    plain = player(name, strength).rate(Situation(start.position), Roll.of(6, 4))
    assert plain.point
    assert told.point
    assert _behind(told) / told.point == pytest.approx(_behind(plain) / plain.point, rel=0.5)


def _behind(opinion: Opinion) -> float:
    """How far the worst play seems behind the best."""
    return opinion.plays[0].worth - opinion.plays[-1].worth


# White's last checker goes off; Black has none off, all at home or one still in White's.
ALL_HOME = "-A-----------------o------ w"
ONE_BEHIND = "-A-a---------------n------ w"
# White's last is off with Black's on his 4-point and 6-point.
TEN_LEFT = "-A-----------------a-a---- w -"
ONE_LEFT = {"pin": TEN_LEFT, "hypergammon": "-A-----------------c------ w"}


@pytest.mark.parametrize(
    ("name", "position", "points"),
    [
        ("backgammon", ALL_HOME, 2),
        ("backgammon", ONE_BEHIND, 3),
        ("portes", ALL_HOME, 2),
        ("portes", ONE_BEHIND, 2),
        ("pin", TEN_LEFT, 10),
    ],
)
@pytest.mark.parametrize("strength", STRENGTHS[:2])
def test_what_ends_the_game_is_worth_what_it_scores(
    name: str, position: str, points: int, strength: str
) -> None:
    asked = Situation(find_game(name).read_position(position))
    assert player(name, strength).rate(asked, Roll.of(2, 1)).plays[0].worth == points


def test_a_match_is_told_in_chances_of_winning_it() -> None:
    game = find_game("backgammon")
    position = game.read_position(ALL_HOME)
    for standing, worth in ((at(6, 0), 1.0), (at(5, 0), 1.0), (at(4, 6), 0.5)):
        opinion = player("backgammon", "network").rate(
            Situation(position, MATCH, standing), Roll.of(2, 1)
        )
        assert opinion.unit is Unit.MATCH
        assert opinion.plays[0].worth == pytest.approx(worth)


def weigh(position: str, agreement: Agreement, standing: Standing) -> CubeOpinion | None:
    game = find_game("backgammon")
    asked = Situation(game.read_position(position), agreement, standing)
    return player("backgammon", "network").weigh(asked)


START = "-b----E-C---eE---c-e----B- w"


def test_nobody_doubles_at_the_start_and_every_double_there_is_taken() -> None:
    opinion = weigh(START, MONEY, at(0, 0))
    assert opinion is not None
    assert opinion.unit is Unit.POINTS
    assert opinion.passed == 1
    assert opinion.take
    assert not opinion.double


NEARLY_WON = "-A--A-------------------b- w"
"""29 rolls of 36 win at once; if not, all is lost."""


def test_who_has_all_but_won_doubles_and_the_other_passes() -> None:
    opinion = weigh(NEARLY_WON, MONEY, at(0, 0))
    assert opinion is not None
    assert opinion.double
    assert not opinion.take


def test_nobody_wins_a_gammon_of_who_has_borne_off_a_checker() -> None:
    """A won game is worth exactly its one point, so whoever needs it doubles."""
    opinion = weigh(NEARLY_WON, MONEY, at(0, 0))
    assert opinion is not None
    assert opinion.held < 1 < opinion.taken < 2


def test_who_may_not_double_is_not_asked() -> None:
    theirs = Cube(2, owner=Side.BLACK)
    for agreement, standing in (
        (MONEY, at(0, 0, theirs)),
        (MATCH, at(6, 2, crawford=True)),
        (Agreement(None, False, False, False), at(0, 0)),
    ):
        assert weigh(START, agreement, standing) is None
    for name in ("pin", "portes"):
        asked = Situation(find_game(name).start(Side.WHITE), MONEY, at(0, 0))
        assert player(name, "network").weigh(asked) is None


def test_a_double_on_offer_is_weighed_as_before_it_was_made() -> None:
    before = weigh(START, MONEY, at(0, 0))
    offered = weigh(START, MONEY, at(0, 0, Cube(1, offered=Side.WHITE)))
    assert before == offered


def test_in_a_match_the_trailer_doubles_at_once_after_the_crawford_game() -> None:
    standing = Standing(Score(2, 6), Cube(), 5, crawford=False, crawford_played=True)
    opinion = weigh(START, MATCH, standing)
    assert opinion is not None
    assert opinion.unit is Unit.MATCH
    assert opinion.double


@pytest.mark.slow
def test_a_child_of_fevga_hardly_beats_chance_and_a_beginner_by_far() -> None:
    """On the mean 63 % and 90 %; so many of 20 are no chance."""
    game = find_game("fevga")
    turns = Turns(game, Agreement(None, cube=False, crawford=False, tie_turns_cube=False))
    won = {
        name: sum(
            meet(turns, player("fevga", name), player("fevga", "random"), number, "weak") > 0
            for number in range(1, 21)
        )
        for name in ("child", "beginner")
    }
    assert 7 <= won["child"] <= 17
    assert won["beginner"] > won["child"]
