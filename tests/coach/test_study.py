"""A kept match judged: what every decision cost, and the dice's luck, reckoned another way too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from any_table import AnyTable
from known import GAMES
from nannon_slowly import GAME, OPENINGS, by_value_iteration, exact, points, positions
from small_matches import double_passed, taken_back_and_given_up

from pi_app.coach.study import (
    KIND_OF,
    Analysis,
    ErrorKind,
    Grade,
    Mark,
    NoLossError,
    Study,
    blunders_first,
    casts,
    errors_of,
    grade_of,
    mark_of,
    moments,
    question_of,
)
from pi_app.export.retold import Kept
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.match.score import Agreement, Standing, next_game
from pi_app.match.turns import Phase
from pi_app.players.contract import CubeOpinion, Opinion, Player, Rated, Situation, Unit
from pi_app.referee.events import Rolled, RollSource
from pi_app.referee.options import agree
from pi_app.rules.nannon import NannonPosition
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.terms import Roll, Side, read_roll
from pi_app.screen.pages.coach import DID

OF_MATCH = Agreement(3, cube=True, crawford=False, tie_turns_cube=False)


def judged_by(player: Player, study: Study) -> Analysis:
    while question := study.question:
        study.answer(question.put(player))
    assert study.left == 0
    return study.analysis()


def analysis_of(table: AnyTable) -> Analysis:
    return judged_by(exact(), Study("exact", table.kept, luck_by="exact"))


def to_its_end(table: AnyTable, most: int = 400) -> AnyTable:
    """Random, with an occasional double."""
    for turn in range(most):
        if table.view.phase is Phase.MATCH_OVER:
            return table
        if Act.DOUBLE in table.view.offers and turn % 3 == 0:
            table.doubles(taken=turn % 2 == 0)
        else:
            table.goes_on()
    raise AssertionError("the match does not end")


def without_error(table: AnyTable) -> AnyTable:
    """Played by the exact player."""
    while table.view.phase is not Phase.MATCH_OVER:
        if table.view.phase is Phase.MOVING and table.view.moves_exist:
            state, position = table.decided[-1].state, table.position
            assert state.roll
            opinion = exact().rate(situation_of(table, position, state.standing), state.roll)
            table.plays_to(GAME.after(position, opinion.best[0]))
        else:
            table.goes_on()
    return table


def situation_of(table: AnyTable, position: NannonPosition, standing: Standing) -> Situation:
    return Situation(position, agree(table.start, GAMES)[1].agreement, standing)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_lost_and_what_the_dice_gave_make_up_the_match(seed: int) -> None:
    """A player's chance grows by luck and shrinks by errors alone: from even to the result."""
    table = to_its_end(AnyTable("nannon", 3, seed))
    analysis = analysis_of(table)
    assert analysis.exact
    assert analysis.luck is not None
    assert {judged.unit for judged in analysis.judged} == {Unit.MATCH}
    found = 0.0
    for side, sign in ((Side.WHITE, 1), (Side.BLACK, -1)):
        (errors,) = errors_of(analysis)[side]
        assert errors.luck is not None
        every = sum(one.loss for one in analysis.judged if one.moment.side is side)
        found += sign * (errors.luck - every)
    assert found == pytest.approx(_final(table) - 0.5, abs=1e-9)


def _final(table: AnyTable) -> float:
    score = table.decided[-1].state.standing.score
    return float(score.white > score.black)


def _chance(table: AnyTable, position: NannonPosition, standing: Standing, roll: Roll) -> float:
    """White's, of the match, with this roll on the table."""
    best = exact().rate(situation_of(table, position, standing), roll).plays[0].worth
    return best if position.mover is Side.WHITE else 1 - best


def _before_a_game(table: AnyTable, standing: Standing) -> float:
    """White's chance before the opening roll: the mean over all deciding rolls."""
    return sum(
        share / 2 * _chance(table, GAME.start(side), standing, Roll.of(difference))
        for difference, share in OPENINGS.items()
        for side in Side
    )


def test_a_match_without_an_error_has_lost_nothing() -> None:
    analysis = analysis_of(without_error(AnyTable("nannon", 2, cube=False)))
    assert len(analysis.judged) > 5
    assert blunders_first(analysis) == ()
    for (errors,) in errors_of(analysis).values():
        assert (errors.loss, errors.errors, errors.blunders) == (0, 0, 0)


def test_a_loss_is_what_the_rules_alone_make_it() -> None:
    """By `nannon_slowly`: unlimited play without a cube."""
    table = AnyTable("nannon", None, 5, cube=False)
    for _ in range(40):
        table.goes_on()
    equity = dict(zip(positions(), by_value_iteration(points), strict=True))
    judged = [one for one in analysis_of(table).judged if one.moment.what is Act.PLAY]
    assert len(judged) > 5
    for one in judged:
        question = one.moment.question
        assert question.roll
        sign = 1 if one.moment.side is Side.WHITE else -1
        results = GAME.results(question.situation.position, question.roll)
        most = max(sign * equity[result] for result in results)
        assert one.loss == pytest.approx(most - sign * equity[one.moment.result], abs=1e-8)


class Wiseacre(Player):
    """A player with a given cube opinion, for whom no play loses anything."""

    def __init__(self, cube: CubeOpinion | None, unit: Unit = Unit.POINTS) -> None:
        self.cube, self.unit = cube, unit

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        plays = BACKGAMMON.plays(situation.position, roll)
        return Opinion(self.unit, False, tuple(Rated(play, 0.0) for play in plays))

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        assert situation.standing.cube.offered is None
        return self.cube


def weighed(held: float, taken: float, passed: float = 1.0) -> CubeOpinion:
    return CubeOpinion(Unit.POINTS, False, held, taken, passed)


def of_the_cube(table: AnyTable, opinion: CubeOpinion | None) -> dict[tuple[Act, Side], float]:
    analysis = judged_by(Wiseacre(opinion), Study("sage", table.kept))
    cubes = [one for one in analysis.judged if one.cube]
    assert analysis.luck is None
    return {(one.moment.what, one.moment.side): round(one.loss, 6) for one in cubes}


def test_a_double_and_its_pass_are_judged() -> None:
    """Ann rolls nothing before her double: she doubles, Bea passes."""
    table = double_passed()
    passed = (Act.PASS, Side.BLACK)
    doubled = (Act.DOUBLE, Side.WHITE)
    rolled = (Act.ROLL, Side.BLACK)
    assert of_the_cube(table, weighed(0.2, 0.7)) == {doubled: 0, passed: 0.3, rolled: 0.5}
    assert of_the_cube(table, weighed(0.9, 0.7)) == {doubled: 0.2, passed: 0.3, rolled: 0}
    assert of_the_cube(table, weighed(0.9, 1.2)) == {doubled: 0, passed: 0, rolled: 0.1}
    assert of_the_cube(table, weighed(1.5, 1.2)) == {doubled: 0.5, passed: 0, rolled: 0}
    assert of_the_cube(table, None) == {}


def test_a_take_is_judged() -> None:
    table = taken_back_and_given_up(5)
    take, doubled = (Act.TAKE, Side.WHITE), (Act.DOUBLE, Side.BLACK)
    assert of_the_cube(table, weighed(0.6, 1.25)) == {doubled: 0, take: 0.25}
    assert of_the_cube(table, weighed(0.6, 0.5)) == {doubled: 0.1, take: 0}


def test_who_rolls_far_from_a_double_has_decided_nothing() -> None:
    for held, decided in ((0.9, False), (0.75, True), (0.2, True), (0.85, True)):
        analysis = judged_by(Wiseacre(weighed(held, 0.7)), Study("sage", double_passed().kept))
        (rolled,) = (one for one in analysis.judged if one.moment.what is Act.ROLL)
        assert rolled.decided is decided


def test_what_the_player_does_not_know_is_counted() -> None:
    analysis = judged_by(Wiseacre(None), Study("sage", double_passed().kept))
    assert analysis.unjudged == 3
    assert not analysis.exact


def test_what_was_taken_back_is_not_judged() -> None:
    plays = [one for one in moments(taken_back_and_given_up(5).kept) if one.what is Act.PLAY]
    assert [BACKGAMMON.write_position(one.result) for one in plays] == [
        "-b---BD-B---eE---c-e----B- b"
    ]


def test_of_mistyped_dice_only_the_roll_is_not_judged() -> None:
    table = AnyTable("backgammon", 5)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    for roll in ("21", "64"):
        table.does(Rolled(table.later(), read_roll(roll, 2), Side.BLACK, RollSource.TYPED))
        if roll == "21":
            table.taps(Act.CHANGE_DICE)
    judged = [one for one in moments(table.kept) if one.what is not Act.CHANGE_DICE]
    assert [(one.what, one.side) for one in judged] == [
        (Act.PLAY, Side.WHITE),
        (Act.ROLL, Side.BLACK),
    ]


def test_a_double_that_is_offered_is_the_question_and_one_that_was_taken_is_none() -> None:
    table = AnyTable("backgammon", 5)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    table.taps(Act.DOUBLE)
    assert table.view.phase is Phase.DOUBLE_OFFERED
    asked = question_of(table.start, GAMES, table.view)
    assert asked
    assert (asked.roll, asked.situation.position) == (None, table.position)
    table.taps(Act.TAKE)
    assert table.decided[-1].what is Act.TAKE
    assert question_of(table.start, GAMES, table.view) is None


def test_marks_of_a_players_own_are_no_losses() -> None:
    greedy = ALL.find("backgammon").contender("greedy").make(BACKGAMMON)
    with pytest.raises(NoLossError, match="greedy counts neither points nor chances"):
        judged_by(greedy, Study("greedy", double_passed().kept))


def test_marks_and_blunders_first() -> None:
    analysis = judged_by(Wiseacre(weighed(0.2, 0.7)), Study("sage", double_passed().kept))
    marks = [(one.moment.what, mark_of(one)) for one in blunders_first(analysis)]
    assert marks == [(Act.ROLL, Mark.BLUNDER), (Act.PASS, Mark.BLUNDER)]
    (white,), (black,) = errors_of(analysis)[Side.WHITE], errors_of(analysis)[Side.BLACK]
    assert (white.decisions, white.blunders, white.rating) == (2, 0, 0)
    assert (black.decisions, black.blunders) == (3, 2)
    assert black.rating == pytest.approx(500 * 0.8 / 3)


def test_luck_of_each_roll_is_its_gain_over_the_mean_of_all() -> None:
    """Ann opens with 3-1, Bea rolls 6-3 to a player who counts pips."""
    kept = double_passed().kept
    study = Study("sage", kept, luck_by="pips")
    while question := study.question:
        study.answer(question.put(PipCounter() if question.rolls else Wiseacre(None)))
    analysis = study.analysis()
    assert (analysis.player, analysis.luck_by) == ("sage", "pips")
    assert analysis.luck is not None
    opening, rolled = analysis.luck
    # Both sides stand alike, so being on roll is what the winner of the opening roll has gained.
    assert (opening.cast.side, opening.cast.roll) == (Side.WHITE, Roll.of(3, 1))
    assert opening.luck == pytest.approx(0.04)
    assert (rolled.cast.side, rolled.cast.roll) == (Side.BLACK, rolled_by_bea(kept))
    assert rolled.luck == pytest.approx((sum(rolled_by_bea(kept).dice) - 49 / 6) / 100)


class PipCounter(Player):
    """For whom a roll is worth its pips in hundredths."""

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        pips = sum(roll.dice) * (2 if len(set(roll.dice)) == 1 else 1)
        (play, *_) = BACKGAMMON.plays(situation.position, roll)
        return Opinion(Unit.POINTS, False, (Rated(play, pips / 100),))

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        return None


def rolled_by_bea(kept: Kept) -> Roll:
    (roll,) = (step.decision.dice for step in kept.steps() if step.decision.what is Act.ROLL)
    assert roll
    return roll


@pytest.mark.parametrize("game", ["portes", "pin", "nannon"])
def test_an_opening_die_gains_what_being_on_roll_is_worth(game: str) -> None:
    """Where the winner rolls afresh his luck is half of the difference between the two sides."""
    table = AnyTable(game, 3)
    table.goes_on()
    while table.view.phase is Phase.OPENING_THROW:
        table.goes_on()
    (cast,) = casts(table.kept)
    assert set(cast.others) == set(Side)
    assert (cast.roll is None) == (game != "nannon")
    for question, likely in cast.others.values():
        assert sum(likely.values()) == pytest.approx(1)
        assert question.rolls == tuple(likely)
        assert len(likely) == (5 if game == "nannon" else 21)


@pytest.mark.parametrize("cube", [True, False])
def test_in_a_match_a_point_is_half_of_what_the_stake_changes(cube: bool) -> None:
    """The chance after each end of a game is looked up where the next one begins."""
    table = to_its_end(AnyTable("nannon", 3, 1, cube=cube))
    found = 0
    for judged in analysis_of(table).judged:
        situation = judged.moment.question.situation
        stake = situation.standing.cube.value
        won = _after_a_game(table, situation.standing, Side.WHITE, stake)
        lost = _after_a_game(table, situation.standing, Side.BLACK, stake)
        assert judged.equity == pytest.approx(2 * judged.loss / (won - lost), abs=1e-7)
        found += judged.loss > 0
    assert found
    for errors in errors_of(analysis_of(table))[Side.WHITE]:
        assert errors.equity is not None
        assert errors.rating == pytest.approx(500 * errors.equity / errors.decisions)


def _after_a_game(table: AnyTable, standing: Standing, winner: Side, points: int) -> float:
    score = standing.score.add(winner, points)
    if score.best >= 3:
        return float(score.white > score.black)
    return _before_a_game(table, next_game(OF_MATCH, replace(standing, score=score)))


def test_where_a_point_is_unknown_the_chance_alone_is_marked() -> None:
    """Marks as in the last game of a match, where half a chance is a point."""
    for lost, mark in ((0.014, Mark.GOOD), (0.016, Mark.DOUBTFUL), (0.061, Mark.BLUNDER)):
        cube = CubeOpinion(Unit.MATCH, False, 0.5, 0.5 + lost, 0.9)
        analysis = judged_by(Wiseacre(cube, Unit.MATCH), Study("sage", double_passed().kept))
        (rolled,) = (one for one in analysis.judged if one.moment.what is Act.ROLL)
        assert (rolled.equity, mark_of(rolled)) == (None, mark)
    assert {one.rating for one in errors_of(analysis)[Side.BLACK]} == {None}


def test_who_wins_the_match_by_the_stake_decides_nothing_by_rolling() -> None:
    """The cube is of no use to him: GNU Backgammon counts no decision either."""
    table = to_its_end(AnyTable("nannon", 3, 2))
    rolls = [one for one in moments(table.kept) if one.what is Act.ROLL]
    assert rolls
    for one in rolls:
        standing = one.question.situation.standing
        assert standing.score[one.side] + standing.cube.value < 3


def test_errors_are_told_by_their_kind() -> None:
    analysis = judged_by(Wiseacre(weighed(0.2, 0.7)), Study("sage", double_passed().kept))
    (black,) = errors_of(analysis)[Side.BLACK]
    assert [(one.kind, one.decisions, one.blunders) for one in black.kinds] == [
        (ErrorKind.PLAY, 1, 0),
        (ErrorKind.DOUBLE, 1, 1),
        (ErrorKind.TAKE, 1, 1),
    ]
    assert [one.equity for one in black.kinds] == pytest.approx([0, 0.5, 0.3])
    assert sum(one.loss for one in black.kinds) == pytest.approx(black.loss)


@pytest.mark.parametrize(
    ("rating", "grade"),
    [
        (0.0, Grade.SUPERNATURAL),
        (0.999, Grade.SUPERNATURAL),
        (1.0, Grade.WORLD_CLASS),
        (3.99, Grade.EXPERT),
        (5.99, Grade.ADVANCED),
        (8.99, Grade.INTERMEDIATE),
        (12.99, Grade.CASUAL),
        (17.49, Grade.BEGINNER),
        (99.0, Grade.BEGINNER),
    ],
)
def test_a_rating_has_a_name_as_gnu_backgammon_gives_it(rating: float, grade: Grade) -> None:
    assert grade_of(rating) is grade


@pytest.mark.parametrize(
    ("taken", "passes", "lost"),
    [
        # Bea's beaver of a double that she had better pass costs her twice what it gives away.
        (1.2, False, {Act.DOUBLE: 0, Act.BEAVER: 1.4, Act.TAKE: 0}),
        (0.3, False, {Act.DOUBLE: 0, Act.BEAVER: 0.3, Act.TAKE: 0}),
        (-0.4, False, {Act.DOUBLE: 0.6, Act.BEAVER: 0, Act.TAKE: 0}),
        (-0.4, True, {Act.DOUBLE: 0.6, Act.BEAVER: 0, Act.PASS: 1.2}),
        (-1.1, False, {Act.DOUBLE: 1.3, Act.BEAVER: 0, Act.TAKE: 0.2}),
    ],
)
def test_a_beaver_is_a_take_at_twice_the_stake(
    taken: float, passes: bool, lost: dict[Act, float]
) -> None:
    table = AnyTable("backgammon", None, beavers=True)
    table.opens("3", "1", "63")
    table.plays("13/10 6/5")
    table.plays("1/10")
    for act in (Act.DOUBLE, Act.BEAVER, Act.PASS if passes else Act.TAKE):
        table.taps(act)
    found = of_the_cube(table, weighed(0.2, taken))
    sides = {Act.DOUBLE: Side.WHITE, Act.BEAVER: Side.BLACK}
    cube = {(act, sides.get(act, Side.WHITE)): loss for act, loss in lost.items()}
    assert {which: loss for which, loss in found.items() if which[0] in lost} == cube


def test_the_screen_has_a_word_for_every_decision() -> None:
    assert {*DID, Act.PLAY} == {*KIND_OF}
