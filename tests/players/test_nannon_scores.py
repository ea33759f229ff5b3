"""Nannon in a match: the worth of scores and of positions at a score, with cube and Crawford."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from nannon_scores import solve_scores, worth_of, write_scores
from nannon_slowly import (
    GAME,
    ROLLS,
    by_value_iteration,
    exact,
    graph,
    opened,
    positions,
    unlimited,
)

from pi_app.match.score import Agreement, Cube, Score, Standing, first_game
from pi_app.players.contract import Situation, Unit
from pi_app.players.nannon.exact import (
    FOLDER,
    MOST_AWAY,
    Away,
    ScoredGame,
    Terms,
    read_scores,
)
from pi_app.rules.nannon import NannonPosition
from pi_app.rules.terms import Outcome, Side

TO_THREE = Agreement(3, cube=True, crawford=False, tie_turns_cube=False)


def test_every_score_up_to_21_is_there_and_fair() -> None:
    worths = read_scores()
    assert set(worths) == set(Terms)
    numbers = range(1, MOST_AWAY + 1)
    for worth in worths.values():
        assert len(worth) == MOST_AWAY**2
        for mine in numbers:
            assert worth[mine, mine] == 0
            assert all(worth[mine, other] == -worth[other, mine] for other in numbers)
            assert all(worth[mine, other] >= 0 for other in numbers if other > mine)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("terms", "away"),
    [
        (Terms.PLAIN, (2, 4)),
        (Terms.CUBE, (2, 3)),
        (Terms.CRAWFORD, (1, 3)),
        (Terms.CRAWFORD, (2, 2)),
        (Terms.CUBE_TIES, (2, 2)),
        (Terms.CRAWFORD_TIES, (2, 3)),
    ],
)
def test_a_score_is_worth_what_its_game_leads_to(terms: Terms, away: Away) -> None:
    """Backward from the end each score follows from those with fewer points to go."""
    worths = read_scores()
    game = ScoredGame(graph(), unlimited().wins, terms, away, worths)
    assert worth_of(graph(), game, terms) == pytest.approx(worths[terms][away], abs=1e-9)


def slow_worth(white: int, black: int, worth: Mapping[Away, float], *, cube: bool) -> float:
    """A score without the solver: value iteration with both sides; a cube may be turned once."""

    def paid(points: int, side: Side) -> float:
        mine, other = (white, black) if side is Side.WHITE else (black, white)
        won = 1.0 if points >= mine else worth[mine - points, other]
        return won if side is Side.WHITE else -won

    def payoff(outcome: Outcome) -> float:
        assert outcome.winner
        return paid(outcome.points, outcome.winner)

    def decisive(outcome: Outcome) -> float:
        return 1.0 if outcome.winner is Side.WHITE else -1.0

    taken = by_value_iteration(decisive)

    def settled(value: float, number: int) -> float:
        side = positions()[number].mover
        least, most = (min, max) if side is Side.WHITE else (max, min)
        return most(value, least(taken[number], paid(1, side)))

    values = by_value_iteration(payoff, settled) if cube else by_value_iteration(payoff)
    begins = opened(values, Side.WHITE, lambda worths, _: max(worths))
    follows = opened(values, Side.BLACK, lambda worths, _: min(worths))
    return (begins + follows) / 2


@pytest.mark.slow
def test_scores_are_those_of_an_independent_slow_reckoning() -> None:
    worths = read_scores()
    plain, cube = worths[Terms.PLAIN], worths[Terms.CUBE]
    assert slow_worth(1, 3, plain, cube=False) == pytest.approx(plain[1, 3], abs=1e-9)
    assert slow_worth(1, 2, cube, cube=True) == pytest.approx(cube[1, 2], abs=1e-9)


@pytest.mark.parametrize("owner", [None, Side.WHITE, Side.BLACK])
def test_at_a_score_every_decision_follows_from_the_next(owner: Side | None) -> None:
    """Plays from the cube after them, the cube from the rolls after it, ends from the score."""
    standing = Standing(Score(0, 1), Cube(1 if owner is None else 2, owner), 2, False, False)

    def chance(position: NannonPosition) -> float:
        """The mover's chance of the match."""
        if outcome := GAME.outcome(position):
            assert outcome.winner
            score = standing.score.add(outcome.winner, outcome.points * standing.cube.value)
            if score.best >= 3:
                return 0.0
            winner, loser = 3 - score[outcome.winner], 3 - score[outcome.winner.other]
            return (1 - read_scores()[Terms.CUBE][winner, loser]) / 2
        cube = exact().weigh(Situation(position, TO_THREE, standing))
        if cube is None:
            return rolled(position)
        assert cube.held == pytest.approx(rolled(position), abs=1e-9)
        return min(cube.taken, cube.passed) if cube.double else cube.held

    def rolled(position: NannonPosition) -> float:
        situation = Situation(position, TO_THREE, standing)
        return sum(exact().rate(situation, roll).plays[0].worth for roll in ROLLS) / 6

    going_on = [position for position in positions() if not GAME.outcome(position)]
    for number, position in enumerate(going_on[::23]):
        opinion = exact().rate(Situation(position, TO_THREE, standing), ROLLS[number % 6])
        assert (opinion.unit, opinion.exact) == (Unit.MATCH, True)
        for rated in opinion.plays:
            after = GAME.after(position, rated.play)
            assert rated.worth == pytest.approx(1 - chance(after), abs=1e-9)


def test_nobody_doubles_in_the_crawford_game_nor_where_the_stake_decides() -> None:
    start = GAME.start(Side.WHITE)
    crawford = Agreement(3, cube=True, crawford=True, tie_turns_cube=False)
    now = Standing(Score(2, 1), Cube(), 3, crawford=True, crawford_played=False)
    afterwards = Standing(Score(2, 1), Cube(), 4, crawford=False, crawford_played=True)
    assert exact().weigh(Situation(start, crawford, now)) is None
    cube = exact().weigh(Situation(start, crawford, afterwards))
    assert cube is not None
    assert not cube.double
    behind = exact().weigh(Situation(GAME.start(Side.BLACK), crawford, afterwards))
    assert behind is not None
    assert behind.double  # nothing is lost by it
    assert not behind.take  # 50 % are left to who passes, the start on roll is better
    decided = Standing(Score(2, 2), Cube(), 5, crawford=False, crawford_played=True)
    assert exact().weigh(Situation(start, crawford, decided)) is None


def test_far_from_the_end_it_plays_as_in_unlimited_play_and_says_so() -> None:
    start = GAME.start(Side.WHITE)
    far = Agreement(MOST_AWAY + 1, cube=True, crawford=False, tie_turns_cube=False)
    without = Agreement(None, cube=True, crawford=False, tie_turns_cube=False)
    opinion = exact().rate(Situation(start, far, first_game(far)), ROLLS[2])
    same = exact().rate(Situation(start, without, first_game(without)), ROLLS[2])
    assert (opinion.exact, same.exact) == (False, True)
    assert opinion.plays == same.plays


def test_the_farthest_score_that_is_known_is_played_exactly() -> None:
    start = GAME.start(Side.WHITE)
    far = Agreement(MOST_AWAY, cube=False, crawford=False, tie_turns_cube=False)
    opinion = exact().rate(Situation(start, far, first_game(far)), ROLLS[2])
    assert (opinion.unit, opinion.exact) == (Unit.MATCH, True)


def test_the_file_of_scores_is_written_as_it_is_read() -> None:
    assert (FOLDER / "scores.json").read_text("utf-8") == write_scores(read_scores())


def test_all_scores_are_solved_backward_from_the_end() -> None:
    """The beginning of the output of `tests/nannon_scores.py`."""
    worths, most = read_scores(), 2
    for terms, worth in solve_scores(graph(), tuple(Terms), most).items():
        assert len(worth) == most**2
        assert worth == pytest.approx({away: worths[terms][away] for away in worth}, abs=1e-9)
