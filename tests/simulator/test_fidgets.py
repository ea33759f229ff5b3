"""Checkers that are set straight besides the play."""

from __future__ import annotations

from handwork import Handwork
from lab.manners import Fidgets, Occasion
from spots import spots

from pi_app.rules.terms import Side
from pi_app.sensing.noise import PUBLISHED, Noise

TEXT = "-b----E-C---eE---c-e----B- w"


def fidgets_of(what: Noise, seed: int) -> tuple[Handwork, set[Occasion]]:
    """A desk where this has happened in a turn of White's, and when."""
    noise = PUBLISHED.worse(0).but({what: 1.0})
    desk = Handwork("backgammon", "tables-24", seed, noise=noise)
    desk.set_to(TEXT)
    found = Fidgets(desk.game, desk.hands, desk.rng).of_turn(Side.WHITE)
    for script in found.values():
        desk.do(script)
    assert desk.shows(TEXT)
    assert len(desk.hands.trace.dipped) == 1
    return desk, set(found)


def test_each_kind_has_its_moments() -> None:
    occasions = {
        what: set[Occasion]().union(*(fidgets_of(what, seed)[1] for seed in range(12)))
        for what in (Noise.ADJUST, Noise.ADJUST_BETWEEN, Noise.SHIFT, Noise.OTHER_HAND)
    }
    assert occasions == {
        Noise.ADJUST: {Occasion.BEFORE},
        Noise.ADJUST_BETWEEN: {Occasion.BETWEEN},
        Noise.SHIFT: {Occasion.BEFORE, Occasion.BETWEEN},
        Noise.OTHER_HAND: {Occasion.BEFORE, Occasion.IN_THE_AIR, Occasion.BETWEEN},
    }


def test_the_opponent_touches_his_own() -> None:
    for seed in range(12):
        desk, _ = fidgets_of(Noise.OTHER_HAND, seed)
        assert desk.hands.trace.dipped < set(spots("1 12 17 19"))


def test_only_what_has_room_is_shifted() -> None:
    for seed in range(12):
        desk, _ = fidgets_of(Noise.SHIFT, seed)
        assert desk.hands.trace.dipped < set(spots("1 8 17 24"))


def test_in_a_quiet_turn_nothing_is_done() -> None:
    desk = Handwork("nannon", "nannon-6", 1, noise=PUBLISHED.worse(0))
    assert Fidgets(desk.game, desk.hands, desk.rng).of_turn(Side.WHITE) == {}
