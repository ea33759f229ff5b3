"""The laboratory that rates the players of Backgammon, on a few positions: `tests/levels.py`."""

from __future__ import annotations

import pytest
from gnubg import needs_gnubg
from levels import asked_in, measured, own_players, player_of
from shares import one_in

from pi_app.games.all import ALL
from pi_app.match.score import Agreement
from pi_app.match.turns import Turns
from pi_app.players.meeting import Sample, meet
from pi_app.players.tables.player import HITTING, LEVELS, PINNING, WEAKER
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.tables.pin import PLAKOTO


def test_the_same_seeds_have_the_same_positions_all_with_a_choice() -> None:
    asked = tuple(asked_in(range(3, 5)))
    assert asked == tuple(asked_in(range(3, 5)))
    assert len(asked) == 10
    assert all(len(BACKGAMMON.plays(one.position, one.roll)) > 1 for one in asked)


@pytest.mark.slow
@needs_gnubg
def test_a_strong_player_has_a_lower_rating_than_a_weak_one() -> None:
    # Matches and settings that are kept name the last two.
    assert {"network", "greedy", *WEAKER, "club", "beginner"} <= set(own_players())
    players = {name: player_of(name) for name in ("network", "club", "30")}
    told = measured(players, tuple(asked_in(range(4))))
    ratings = [told[name].rating for name in players]
    assert 0 <= ratings[0] < ratings[1] < ratings[2]
    assert told["network"].best > told["30"].best


@needs_gnubg
@pytest.mark.skipif(one_in(2) > 1, reason="takes minutes: only with THOROUGH=1")
def test_the_weaker_ones_are_as_strong_as_is_said() -> None:
    """By seeds that no level was set with."""
    levels = {level.name: level for level in LEVELS[HITTING]}
    asked = tuple(asked_in(range(1000, 1080)))
    for name, told in measured({name: player_of(name) for name in levels}, asked).items():
        level = levels[name]
        assert level.least - 2 * told.error < told.rating < level.most + 2 * told.error, name


def test_plakoto_s_levels_are_told_by_its_own_measurements() -> None:
    for level in LEVELS[PLAKOTO.name]:
        told = ALL.find(PLAKOTO.name).contender(level.name).says
        assert f"{level.least} to {level.most}" in told
        assert told != ALL.find(PINNING).contender(level.name).says


@pytest.mark.parametrize("name", WEAKER)
@pytest.mark.skipif(one_in(2) > 1, reason="takes minutes: only with THOROUGH=1")
def test_plakoto_s_levels_are_as_strong_against_the_greedy_player_as_is_said(name: str) -> None:
    equipment = ALL.find(PLAKOTO.name)
    weaker, greedy = (equipment.contender(one).make(PLAKOTO) for one in (name, "greedy"))
    turns = Turns(PLAKOTO, Agreement(None, cube=False, crawford=False, tie_turns_cube=False))
    sample = Sample()
    for number in range(100):
        sample.add(meet(turns, weaker, greedy, number, "levels of plakoto"))
    level = next(one for one in LEVELS[PLAKOTO.name] if one.name == name)
    share = sample.share
    assert share.low is not None
    assert share.high is not None
    assert 100 * share.high > level.least
    assert 100 * share.low < level.most
