"""Levels of Hall sensors choose with which play a question begins, and decide nothing."""

from __future__ import annotations

import pytest

from pi_app.rules.terms import Checkers, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.levels import CAME, CLEAR, changes, suggested

TWELVE, EIGHT, SIX = map(Spot.read, ("12", "8", "6"))
PLACES = {
    spot: tuple(Sensor(f"{spot}.{place}") for place in range(5)) for spot in (TWELVE, EIGHT, SIX)
}
WHITE, BLACK = (Side.WHITE,), (Side.BLACK,)
ACCEPTED: Checkers = {TWELVE: 5 * WHITE, EIGHT: 5 * WHITE, SIX: 6 * BLACK}


def after(**heights: int) -> Checkers:
    """The checkers after a play that changes these stacks: t(welve), e(ight), s(ix)."""
    spots = {"t": TWELVE, "e": EIGHT, "s": SIX}
    raised = {spots[name]: ACCEPTED[spots[name]][:1] * high for name, high in heights.items()}
    return {**ACCEPTED, **raised}


def told(plays: dict[str, Checkers], **changed: int) -> object:
    spots = {"t": TWELVE, "e": EIGHT, "s": SIX}
    seen = {spots[name]: change for name, change in changed.items()}
    return suggested(list(plays.items()), ACCEPTED, PLACES, seen)


EITHER = {"to 12": after(t=6), "to 8": after(e=6)}


@pytest.mark.parametrize(
    ("changed", "play"),
    [
        ((6, 0), "to 12"),
        ((0, 6), "to 8"),
        ((CAME, 0), "to 12"),
        ((CAME - 1, 0), None),
        ((6, 6 - CLEAR), "to 12"),
        ((6, 6 - CLEAR + 1), None),
        ((6, -6), None),
        ((0, 0), None),
        ((1, 1), None),
        ((6, 6), None),
        ((-6, 0), None),
    ],
)
def test_one_of_two_points_took_a_sixth_checker(changed: tuple[int, int], play: str | None) -> None:
    assert told(EITHER, t=changed[0], e=changed[1]) == play


def test_a_level_that_stayed_speaks_for_nothing() -> None:
    """The checker may lie astride two others, which adds one step to each."""
    plays = {"to 12": after(t=6), "nothing unseen": ACCEPTED}
    assert told(plays, t=6) == "to 12"
    assert told(plays, t=0) is None


def test_a_checker_of_black_comes_and_goes_the_other_way_round() -> None:
    plays = {"from 6": after(s=5), "from elsewhere": ACCEPTED, "to 6": after(s=7)}
    assert told(plays, s=5) == "from 6"
    assert told(plays, s=-5) == "to 6"


def test_a_point_whose_levels_are_missing_leaves_the_order() -> None:
    assert told(EITHER, t=6) is None


def test_plays_that_differ_where_sensors_count_are_told_by_them_alone() -> None:
    plays = {"one": after(t=4), "another": after(e=4)}
    assert told(plays, t=-9, e=0) is None


def test_a_spot_changes_as_the_place_that_changed_most() -> None:
    before = dict.fromkeys(PLACES[TWELVE], 100)
    now = before | {PLACES[TWELVE][1]: 103, PLACES[TWELVE][4]: 94}
    assert changes(before, now, PLACES) == {TWELVE: -6}
    del now[PLACES[TWELVE][0]]
    assert changes(before, now, PLACES) == {}
