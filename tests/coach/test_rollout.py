"""Rollouts: what the core plays on equals the same games in Python; means, intervals, stopping."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import fsum

import pytest
from shares import some

from pi_app.coach.rollout import BATCH, RolloutOfPlays
from pi_app.games.all import ALL
from pi_app.match.score import Agreement, Score, first_game
from pi_app.players.contract import (
    Chances,
    Opinion,
    Player,
    Question,
    RolloutGames,
    RollsOpinion,
    Situation,
    TrialsOpinion,
    Unit,
)
from pi_app.players.tables.player import ROLLS
from pi_app.rules.terms import Roll, Side
from pi_app.screen.pages.coach import rolled_out

GAMES = ("backgammon", "nackgammon", "portes", "hypergammon", "pin", "plakoto", "fevga")
FACES = 6
TO_FIVE = Agreement(match_to=5, cube=False, crawford=True, tie_turns_cube=False)
ROLLS_OF_TWO = tuple(roll for roll, _ in ROLLS)


@cache
def roller(game: str) -> Player:
    contender = ALL.roller(game)
    assert contender
    return contender.make(ALL.find(game).rules)


def position_of(game: str, number: int) -> Situation:
    """A position some random turns after the start; every third one at a score."""
    rules, lots = ALL.find(game).rules, random.Random(f"{game} {number}")
    while True:
        position = rules.start(lots.choice(list(Side)))
        for _ in range(lots.randint(0, 40)):
            results = rules.results(position, rolled(lots))
            position = lots.choice(results)
            if rules.outcome(position):
                break
        else:
            if number % 3:
                return Situation(position)
            standing = replace(first_game(TO_FIVE), score=Score(3, 1))
            return Situation(position, TO_FIVE, standing)


def rolled(lots: random.Random) -> Roll:
    return Roll.of(lots.randint(1, FACES), lots.randint(1, FACES))


def played_slowly(game: str, start: Situation, seed: str, number: int, turns: int) -> float:
    """The same game in Python: what it is worth to the side on roll, without luck."""
    rules, player, lots = ALL.find(game).rules, roller(game), random.Random(f"{seed} {number}")
    mover, position = rules.mover(start.position), start.position
    rolls = [rolled(lots) for _ in range(turns)]
    whole = 1.0 if start.agreement.match_to else 0.0
    luck = 0.0
    for roll in rolls:
        now, own = replace(start, position=position), rules.mover(position) is mover
        seen = player.foresee(now, ROLLS_OF_TWO)
        assert isinstance(seen, RollsOpinion)
        mean = fsum(seen.worths[each] * times / FACES**2 for each, times in ROLLS)
        came = player.rate(now, roll).plays[0]
        luck += (came.worth - mean) * (1 if own else -1)
        worth = came.worth if own else whole - came.worth
        position = rules.after(position, came.play)
        if rules.outcome(position):
            break
    return worth - luck


@pytest.mark.parametrize("game", GAMES)
def test_the_core_plays_the_very_games_of_rules_and_one_ply(game: str) -> None:
    for number in some(range(12), 2):
        start = position_of(game, number)
        turns = 1 + number % 5 if number != 11 else 300
        told = roller(game).play_on(start, None, RolloutGames(None, "a seed", number, 2, turns))
        assert isinstance(told, TrialsOpinion)
        slowly = [played_slowly(game, start, "a seed", number + n, turns) for n in range(2)]
        assert told.worths == pytest.approx(slowly, abs=1e-6)
        assert told.unit is (Unit.MATCH if start.agreement.match_to else Unit.POINTS)


@pytest.mark.parametrize("game", GAMES)
def test_a_play_s_games_are_those_of_the_position_after_it_seen_from_its_mover(game: str) -> None:
    rules, start = ALL.find(game).rules, position_of(game, 4)
    lots = random.Random(game)
    roll = rolled(lots)
    play = lots.choice(rules.plays(start.position, roll))
    after = rules.after(start.position, play)
    if rules.outcome(after):
        pytest.skip("the game is over")
    trials = RolloutGames(None, "s", 5, 3, 4)
    told = roller(game).play_on(start, roll, replace(trials, play=play))
    other = roller(game).play_on(replace(start, position=after), None, trials)
    assert isinstance(told, TrialsOpinion)
    assert isinstance(other, TrialsOpinion)
    assert told.worths == tuple(-worth for worth in other.worths)
    assert told.chances.won == pytest.approx(other.chances.lost)


def test_a_play_that_ends_the_game_is_worth_just_that() -> None:
    rules = ALL.find("backgammon").rules
    position = rules.read_position("-A----------------------a- w")
    roll = Roll.of(6, 5)
    (play, *_) = rules.plays(position, roll)
    told = roller("backgammon").play_on(Situation(position), roll, RolloutGames(play, "s", 0, 4, 5))
    assert isinstance(told, TrialsOpinion)
    assert told.worths == (1.0,) * 4


def test_luck_taken_off_the_mean_stays_and_the_spread_shrinks() -> None:
    """Against games without that: their means agree, and theirs vary many times as much."""
    start, turns, games = position_of("hypergammon", 1), 6, 400
    told = roller("hypergammon").play_on(start, None, RolloutGames(None, "x", 0, games, turns))
    assert isinstance(told, TrialsOpinion)
    raw = [_with_luck(start, number, turns) for number in range(games)]
    (mean, spread), (raw_mean, raw_spread) = (_figures(each) for each in (told.worths, raw))
    assert raw_spread > 4 * spread
    assert abs(mean - raw_mean) < 4 * raw_spread / games**0.5


def _with_luck(start: Situation, number: int, turns: int) -> float:
    game, player = ALL.find("hypergammon").rules, roller("hypergammon")
    lots, position, mover = random.Random(f"x {number}"), start.position, start.position.mover
    for _ in range(turns):
        own = position.mover is mover
        best = player.rate(Situation(position), rolled(lots)).plays[0]
        position = game.after(position, best.play)
        if game.outcome(position):
            break
    return best.worth if own else -best.worth


def _figures(worths: Sequence[float]) -> tuple[float, float]:
    mean = fsum(worths) / len(worths)
    return mean, (fsum((worth - mean) ** 2 for worth in worths) / (len(worths) - 1)) ** 0.5


def under_way(games: int = 60, seed: str = "1") -> RolloutOfPlays:
    rules = ALL.find("hypergammon").rules
    situation, roll = Situation(rules.start(Side.WHITE)), Roll.of(6, 5)
    opinion = roller("hypergammon").rate(situation, roll)
    assert isinstance(opinion, Opinion)
    plays = [one.play for one in opinion.plays[:3]]
    return RolloutOfPlays("network", Question(situation, roll), plays, games=games, seed=seed)


def go_on(one: RolloutOfPlays, most: int = 1000) -> None:
    for _ in range(most):
        if (question := one.question) is None:
            return
        one.answer(question, question.put(roller("hypergammon")))


def test_each_play_gets_as_many_games_by_the_same_rolls_and_an_interval_once_they_tell() -> None:
    one = under_way()
    go_on(one, 3)
    assert [line.games for line in one.state.lines] == [BATCH] * 3
    assert [line.half for line in one.state.lines] == [None] * 3
    assert one.state.runs
    go_on(one)
    assert [line.games for line in one.state.lines] == [60] * 3
    assert not one.state.runs
    worths = [line.worth for line in one.state.lines]
    assert worths == sorted(worths, reverse=True)
    for line in one.state.lines:
        question = replace(one.state.question, trials=RolloutGames(line.play, "1", 0, 60, 10))
        whole = question.put(roller("hypergammon"))
        assert isinstance(whole, TrialsOpinion)
        mean, spread = _figures(whole.worths)
        assert line.worth == pytest.approx(mean, abs=1e-12)
        assert line.half == pytest.approx(1.96 * spread / 60**0.5, rel=1e-4)


def test_an_answer_costs_no_more_after_many_games_than_after_few() -> None:
    """The sums of a rollout are kept, not made again from all games."""
    question = Question(Situation(ALL.find("backgammon").rules.start(Side.WHITE)), None)
    one = RolloutOfPlays("network", question, [None], games=2 * 40_000)
    few, many = _steps(one, 3), _steps(one, 40_000 // BATCH)
    assert many <= 1.2 * few / 3 * (40_000 // BATCH)
    (line,) = one.state.lines
    assert line.half is not None
    # Made worths of 1000 ± 1 at turns: the spread is 1, though the squares are a million each.
    assert line.worth == pytest.approx(1000)
    assert line.half == pytest.approx(1.96 / line.games**0.5, rel=1e-4)


def _steps(one: RolloutOfPlays, answers: int) -> int:
    """How many worths are looked at while so many answers are taken."""
    looked = 0

    class CountedWorth(float):
        def __sub__(self, other: float) -> float:
            nonlocal looked
            looked += 1
            return float(self) - other

    for _ in range(answers):
        asked = one.question
        assert asked
        assert asked.trials
        worths = tuple(CountedWorth(1000 + (-1) ** number) for number in range(asked.trials.games))
        one.answer(asked, TrialsOpinion(Unit.POINTS, worths, Chances((0.5,), (0.5,))))
    return looked


def test_the_same_seed_has_the_same_games_and_another_one_others() -> None:
    first, again, other = under_way(), under_way(), under_way(seed="2")
    for one in (first, again, other):
        go_on(one, 6)
    assert first.state == again.state
    assert first.state.lines != other.state.lines


def test_it_stops_at_will_and_where_the_player_plays_nothing_on() -> None:
    one = under_way()
    go_on(one, 4)
    one.stop()
    assert one.question is None
    assert not one.state.runs
    assert one.state.lines
    refused = under_way()
    asked = refused.question
    assert asked
    nannon = ALL.find("nannon")
    plays_none_on = nannon.contender("random").make(nannon.rules)
    refused.answer(asked, asked.put(plays_none_on))
    assert refused.state.stopped
    assert refused.state.refused
    assert refused.state.lines == ()


def test_a_few_games_are_played_of_every_play() -> None:
    one = under_way(games=5)
    go_on(one)
    assert [line.games for line in one.state.lines] == [5, 5, 5]


def test_what_was_stopped_before_its_first_game_may_still_be_played() -> None:
    one = under_way()
    one.stop()
    assert not one.state.refused
    assert rolled_out(one.state) == "No games played yet"
    go_on(one.going_on(), 1)
    assert rolled_out(one.state) == "Rollout: 0 games"
    go_on(one, 2)
    assert rolled_out(one.state) == "Rollout: 12 games"


def test_ninety_five_in_a_hundred_intervals_hold_the_mean_of_many_more_games() -> None:
    start = position_of("hypergammon", 2)
    asked = replace(Question(start, None), trials=RolloutGames(None, "many", 0, 4000, 3))
    many = asked.put(roller("hypergammon"))
    assert isinstance(many, TrialsOpinion)
    mean, _ = _figures(many.worths)
    held = 0
    for number in range(40):
        question, seed = Question(start, None), f"{number}"
        one = RolloutOfPlays("network", question, [None], games=60, turns=3, seed=seed)
        go_on(one)
        (line,) = one.state.lines
        assert line.half
        held += abs(line.worth - mean) <= line.half
    assert held >= 33
