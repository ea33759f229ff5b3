"""The noise model: shares, costs, worse tables."""

from __future__ import annotations

from math import exp, inf

import pytest

from pi_app.sensing.noise import MOST, PUBLISHED, Noise


def test_every_kind_of_noise_has_a_rate_that_may_happen() -> None:
    assert set(PUBLISHED.rates) == set(Noise)
    assert all(0 < PUBLISHED.share(what) <= 1 for what in Noise)


def test_a_cost_is_that_of_its_share() -> None:
    for what in Noise:
        assert exp(-PUBLISHED.cost(what)) == pytest.approx(PUBLISHED.share(what))


def test_what_never_happens_cannot_be_paid_for() -> None:
    assert PUBLISHED.but({Noise.FAST: 0.0}).cost(Noise.FAST) == inf


def test_worse_is_so_many_times_as_often_and_at_most_every_other_time() -> None:
    worse = PUBLISHED.worse(10)
    assert worse.share(Noise.MISSED_CLOSING) == pytest.approx(0.01)
    assert (worse.share(Noise.BRUSH), worse.share(Noise.BOUNCE)) == (MOST, 1.0)
    assert worse.longest(Noise.BRUSH) == PUBLISHED.longest(Noise.BRUSH)


def test_no_noise_at_all_is_a_table_too() -> None:
    quiet = PUBLISHED.worse(0)
    assert {quiet.share(what) for what in Noise} == {0.0}


def test_a_share_is_changed_and_the_others_are_as_before() -> None:
    changed = PUBLISHED.but({Noise.SHIFT: 0.3})
    assert [what for what in Noise if changed.rates[what] != PUBLISHED.rates[what]] == [Noise.SHIFT]
