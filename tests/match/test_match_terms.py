"""Tournament terms, written in a start and read back."""

from __future__ import annotations

from itertools import product

import pytest
from known import GAMES

from pi_app.base.microseconds import ms
from pi_app.match.clock import ClockKind
from pi_app.match.terms import (
    FRIENDLY,
    PRESETS,
    AgreedDice,
    ClockTerms,
    MatchTerms,
    PlayPolicy,
)
from pi_app.referee.events import Start
from pi_app.referee.options import agree
from pi_app.rules.terms import Side

CLOCKS = [
    ClockTerms(),
    *(
        ClockTerms(
            kind, 90, False, 0 if kind is ClockKind.PLAIN else 7, 60, runs_while_correcting=False
        )
        for kind in ClockKind
        if kind is not ClockKind.NONE
    ),
]
TERMS = [
    *PRESETS.values(),
    *(MatchTerms(*terms) for terms in product(PlayPolicy, (False, True), AgreedDice, CLOCKS)),
]


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_a_start_tells_them_as_they_are_read(terms: MatchTerms) -> None:
    start = Start(ms(0), "cannon", "cannon-10", 3, ("Ada", "Ben"), terms.options)
    assert agree(start, GAMES)[1].terms == terms


def test_friendly_play_adds_nothing_to_a_start() -> None:
    assert FRIENDLY.options == {}
    assert FRIENDLY.clock.control(5) is None


def test_a_reserve_a_point_grows_with_the_match_and_a_fixed_one_does_not() -> None:
    club, fischer = PRESETS["club"].clock, PRESETS["fischer"].clock
    assert [control.reserve for n in (1, 7) if (control := club.control(n))] == [
        ms(120_000),
        ms(840_000),
    ]
    assert [control.reserve for n in (1, 7) if (control := fischer.control(n))] == [
        ms(600_000),
        ms(600_000),
    ]
    assert club.control(None) is None


def test_who_types_is_what_was_agreed_and_else_what_is_set() -> None:
    white = frozenset({Side.WHITE})
    for dice, expected in (
        (AgreedDice.AS_SET, (True, False)),
        (AgreedDice.DEVICE, (False, False)),
        (AgreedDice.TYPED, (True, True)),
    ):
        terms = MatchTerms(dice=dice)
        assert tuple(terms.types(side, white) for side in Side) == expected
