"""What people do besides the noise model: its acts end where they began, and its rates are kept."""

from __future__ import annotations

import random
from dataclasses import astuple

import pytest
from handwork import Handwork
from known import GAMES, load_board
from lab.figures import Count, Figures
from lab.manners import NO_MANNERS, Fidgets, Occasion, TableManners, draw_manners, draw_strange
from lab.match_by_hands import MatchByHands, Plan

from pi_app.rules.terms import Side
from pi_app.sensing.noise import PUBLISHED, Noise
from pi_app.simulator.reeds import NONE

TEXT = "-b----E-C---eE---c-e----B- w"
STILL = PUBLISHED.worse(0)


def fidgets_of(manners: TableManners, seed: int) -> tuple[Handwork, Fidgets, set[Occasion]]:
    """A desk where this was done in a turn of White's, and when."""
    desk = Handwork("backgammon", "tables-24", seed, noise=STILL)
    desk.set_to(TEXT)
    fidgets = Fidgets(desk.game, desk.hands, desk.rng, manners)
    fidgets.spared = [spot for spot in desk.game.spots if str(spot) in ("13", "24")]
    found = fidgets.of_turn(Side.WHITE)
    for script in found.values():
        desk.do(script)
    return desk, fidgets, set(found)


def test_what_is_straightened_within_a_play_lies_as_before() -> None:
    for seed in range(8):
        desk, fidgets, when = fidgets_of(TableManners(straightens=1.0), seed)
        assert desk.shows(TEXT)
        assert fidgets.odd
        assert when == {Occasion.IN_THE_AIR, Occasion.BETWEEN, Occasion.AFTER}
        assert not desk.hands.trace.dipped & {*fidgets.spared}


def test_fingers_hover_at_any_moment_and_move_nothing() -> None:
    moments = set[Occasion]()
    for seed in range(24):
        desk, _, when = fidgets_of(TableManners(hovers=1.0), seed)
        assert desk.shows(TEXT)
        assert len(when) == 1
        moments |= when
    assert moments == {*Occasion}


def test_without_manners_nothing_is_drawn() -> None:
    desk, fidgets, when = fidgets_of(NO_MANNERS, 1)
    assert (when, fidgets.odd) == (set(), False)
    state = desk.rng.getstate()
    fidgets.of_turn(Side.BLACK)
    again = random.Random()
    again.setstate(state)
    for what in (Noise.ADJUST, Noise.ADJUST_BETWEEN, Noise.SHIFT, Noise.OTHER_HAND):
        assert again.random() >= STILL.share(what)
    assert desk.rng.getstate() == again.getstate()


def test_strangers_and_strange_people_are_drawn_from_rates_of_their_own() -> None:
    several = [draw_manners(random.Random(seed)) for seed in range(50)]
    strange = [draw_strange(PUBLISHED, random.Random(seed)) for seed in range(50)]
    assert len({*several}) == len({manners for *_, manners in strange}) == 50
    for manners in (*several, *(manners for *_, manners in strange)):
        assert all(0 <= share <= 0.5 for share in astuple(manners))
    assert {habits.skew > 1 for habits, *_ in strange} == {True, False}
    bounce = PUBLISHED.share(Noise.BOUNCE)
    assert {noise.share(Noise.BOUNCE) for _, noise, _ in strange} == {bounce}


@pytest.mark.parametrize("what", ["half_presses", "corrects", "begins_early"])
def test_on_a_board_that_sees_sides_no_play_is_lost_by_it(what: str) -> None:
    name, game = "tables-24-hall", "hypergammon"
    plan = Plan(
        load_board(name),
        name,
        GAMES.find(game).name,
        1,
        NONE,
        manners=TableManners(**{what: 0.5}),
        noise=STILL,
    )
    figures = Figures()
    table = MatchByHands(plan, f"manners {what}", figures)
    table.play()
    assert (
        figures.counts[Count.ODD] + (figures.counts[Count.PLAYS] - figures.counts[Count.MEANT]) > 3
    )
    assert not figures.failed
    assert figures.counts[Count.FALSE_WARNINGS] == 0
