"""Whether a resignation is worth what its loser could still expect to lose."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import find_game
from thinkers import known_player

from pi_app.match.score import Agreement, Cube, Score, first_game
from pi_app.players.contract import UNLIMITED, Opinion, Rated, Situation, Unit
from pi_app.players.resigning import accepts, questions_of
from pi_app.rules.terms import Roll, Side, rolls_of

GAME = find_game("nannon")
TO_FIVE = Agreement(match_to=5, cube=False, crawford=False, tie_turns_cube=False)
LOST = "3b.....0 w"
"""White, who has not come in yet and is all but lost, may still lose a NANNON."""


def takes(situation: Situation, roll: Roll | None, points: int) -> bool:
    """Whether Black, by the exact player, accepts White's offer."""
    player, asked = (
        known_player("nannon", "exact"),
        questions_of(GAME, situation, roll, points, Side.BLACK),
    )
    opinions = [
        player.rate(each.question.situation, each.question.roll or Roll(())) for each in asked
    ]
    return accepts(asked, opinions, situation, points, Side.BLACK)


@pytest.mark.parametrize(("game", "count"), [("nannon", 6), ("backgammon", 21), ("cannon", 1)])
def test_every_roll_counts_as_often_as_it_falls(game: str, count: int) -> None:
    rolls = rolls_of(find_game(game).dice)
    assert len(rolls) == count
    assert sum(rolls.values()) == pytest.approx(1)
    if game == "backgammon":
        assert rolls[Roll.of(6, 1)] == 2 * rolls[Roll.of(6, 6)]


@pytest.mark.parametrize("roll", [None, Roll.of(1)])
@pytest.mark.parametrize("agreement", [UNLIMITED, TO_FIVE])
def test_a_point_is_enough_at_the_start_and_not_for_a_likely_nannon(
    agreement: Agreement, roll: Roll | None
) -> None:
    at = first_game(agreement)
    start = Situation(GAME.start(Side.WHITE), agreement, at)
    lost = Situation(GAME.read_position(LOST), agreement, at)
    assert takes(start, roll, 1)
    assert not takes(lost, roll, 1)


def test_what_wins_the_match_asks_nothing() -> None:
    at = replace(first_game(TO_FIVE), score=Score(0, 3), cube=Cube(2, Side.WHITE))
    lost = Situation(GAME.read_position(LOST), TO_FIVE, at)
    assert questions_of(GAME, lost, None, 1, Side.BLACK) == ()
    assert questions_of(GAME, lost, None, 1, Side.WHITE) != ()


def test_who_adds_up_marks_takes_what_is_offered() -> None:
    start = Situation(GAME.start(Side.WHITE))
    asked = questions_of(GAME, start, Roll.of(1), 1, Side.BLACK)
    marks = Opinion(Unit.SCORE, False, (Rated("any", -99.0),))
    assert accepts(asked, [marks], start, 1, Side.BLACK)
