"""Two players meet: whole games and matches by the product's rules, and what they come to."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from known import GAMES, find_game
from nannon_slowly import exact

from pi_app.games.all import ALL
from pi_app.match.score import Agreement
from pi_app.match.turns import Turns
from pi_app.players.contract import UNLIMITED, CubeOpinion, Opinion, Player, Situation, Unit
from pi_app.players.meeting import Sample, meet, play_out
from pi_app.rules.terms import Roll, Side

NANNON = find_game("nannon")
SHORT = Agreement(2, cube=True, crawford=True, tie_turns_cube=False)
TO_ONE = Agreement(1, cube=False, crawford=False, tie_turns_cube=False)


def chance(name: str) -> Player:
    return ALL.find(name).contender("random").make(find_game(name))


class Gambler(Player):
    """Plays by chance, doubles whenever it may and passes every double, or takes it."""

    def __init__(self, *, takes: bool) -> None:
        self._takes = takes

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        return chance("nannon").rate(situation, roll)

    def weigh(self, situation: Situation) -> CubeOpinion:
        return CubeOpinion(Unit.POINTS, False, -2, 0.5 if self._takes else 2, 1)


def sample_of(turns: Turns, first: Player, second: Player, games: int, seed: str = "1") -> Sample:
    sample = Sample()
    for number in range(1, games + 1):
        sample.add(meet(turns, first, second, number, seed))
    return sample


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_every_kind_comes_to_its_end(name: str) -> None:
    game, player = find_game(name), chance(name)
    sides = {Side.WHITE: player, Side.BLACK: player}
    result = play_out(Turns(game, UNLIMITED), sides, random.Random(4))
    assert result.points > 0
    assert result == play_out(Turns(game, UNLIMITED), sides, random.Random(4))


def test_a_match_is_played_to_its_target_and_counts_once() -> None:
    turns = Turns(NANNON, SHORT)
    sample = sample_of(turns, exact(), exact(), 8)
    assert sample.games == 8
    assert sample.squares == 8
    assert sample.won > 0
    assert sample.lost > 0


def test_a_passed_double_ends_the_game_and_a_taken_one_doubles_it() -> None:
    cube = Agreement(None, cube=True, crawford=False, tie_turns_cube=False)
    turns = Turns(NANNON, cube)
    passed = sample_of(turns, Gambler(takes=False), Gambler(takes=False), 30)
    assert passed.squares == 30  # one point each
    taken = sample_of(turns, Gambler(takes=True), chance("nannon"), 30)
    assert taken.squares >= 30 * 4


def test_the_players_take_turns_with_the_sides() -> None:
    turns = Turns(NANNON, UNLIMITED)
    forth = [meet(turns, exact(), chance("nannon"), number, "s") for number in range(1, 9)]
    back = [meet(turns, chance("nannon"), exact(), number, "s") for number in range(1, 9)]
    # Game by game the sides are the other way round, so the same dice do not serve the same player.
    assert forth != [-points for points in back]


def test_the_exact_player_wins_against_chance_as_often_as_it_must() -> None:
    """69.4359 % where only winning counts, within three standard errors; the long run is the
    command's: `spotter arena nannon --players exact random --match-to 1 --games 200000`."""
    games, must = 1000, 0.694359
    sample = sample_of(Turns(NANNON, TO_ONE), exact(), chance("nannon"), games)
    error = math.sqrt(must * (1 - must) / games)
    assert abs(sample.share.mean - must) < 3 * error


def test_figures_of_a_sample() -> None:
    sample = Sample()
    for points in 10 * (1, 2, -1, 0):
        sample.add(points)
    assert (sample.won, sample.tied, sample.lost, sample.games) == (20, 10, 10, 40)
    assert sample.share.mean == 0.625
    assert sample.mean_points.mean == 0.5
    half = 1.959964 * math.sqrt(50 / 39 / 40)
    assert sample.mean_points.high == pytest.approx(0.5 + half, abs=1e-6)
    assert sample.mean_points.low == pytest.approx(0.5 - half, abs=1e-6)


@pytest.mark.parametrize("points", [(1, 1), (3,) * 40, (1, 2, -1) * 9, (0,) * 50])
def test_few_games_or_all_alike_do_not_tell_how_sure_their_mean_is(points: tuple[int, ...]) -> None:
    sample = Sample()
    for each in points:
        sample.add(each)
    assert sample.mean_points == (sum(points) / len(points), None, None)


def test_the_share_has_the_interval_of_wilson() -> None:
    """Figures of a textbook: 81 of 263 are 30.8 %, with 95 % between 25.5 and 36.6 %."""
    sample = Sample(won=81, lost=182)
    assert sample.share.low == pytest.approx(0.2553, abs=5e-5)
    assert sample.share.high == pytest.approx(0.3662, abs=5e-5)


def test_all_won_is_not_certain() -> None:
    share = Sample(won=10).share
    assert share.mean == 1
    assert share.high == pytest.approx(1)
    assert share.low == pytest.approx(0.7225, abs=1e-4)
