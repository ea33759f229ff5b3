"""Chatter is recognised from edges and their times; the sieve that filters it."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.base.microseconds import Us, ms
from pi_app.sensing.debounce import CALM, RAW_CALM, REPORTED_EVERY, Chatter, Sieve
from pi_app.sensing.description import Sensor

A, B = Sensor("4"), Sensor("5")


def edges(every: float, seconds: float, first: float = 0.0) -> list[tuple[Us, bool]]:
    """A contact that changes at a fixed period, closing first."""
    count = int(seconds * 1000 / every)
    return [(ms(first + number * every), number % 2 == 0) for number in range(count)]


def chatters(told: Iterable[tuple[Us, bool]]) -> bool:
    chatter = Chatter()
    for us, closed in told:
        chatter.edge(us, A, closed)
    return A in chatter.sensors


@pytest.mark.parametrize("every", [0.2, 1, 4.9, 5.1, 20, 80, 140])
def test_a_contact_that_does_not_come_to_rest_chatters_within_three_seconds(every: float) -> None:
    assert chatters(edges(every, 3))


def test_a_flood_is_chatter_within_a_tenth_of_a_second() -> None:
    assert chatters(edges(0.2, 0.1))


def bounce(at: float, longest: float) -> Iterator[tuple[Us, bool]]:
    hand = random.Random(at)
    while True:
        yield ms(at), bool(hand.getrandbits(1))
        at += hand.uniform(0.3, 1.5)
        longest -= 1.0
        if longest < 0:
            return


def test_hands_that_move_as_fast_as_they_can_do_not_chatter() -> None:
    """A lift or a drop every quarter of a second, each with 25 ms of bounce, for a minute."""
    told = [edge for touch in range(240) for edge in bounce(touch * 250.0, 25)]
    assert len(told) > 5000
    assert not chatters(told)


def test_it_is_calm_once_it_has_been_still_and_in_the_state_it_was_left_in() -> None:
    chatter = Chatter()
    for us, closed in edges(10, 3.01):
        chatter.edge(us, A, closed)
    last = ms(3000)
    assert (chatter.sensors, chatter.due) == (frozenset({A}), last + CALM)
    assert chatter.calmed(Us(last + CALM - 1)) == {}
    assert chatter.calmed(Us(last + CALM)) == {A: True}
    assert (chatter.sensors, chatter.due) == (frozenset(), None)


def test_a_fresh_picture_tells_what_it_was_left_in() -> None:
    chatter = Chatter()
    for us, closed in edges(10, 3.01):
        chatter.edge(us, A, closed)
    chatter.correct(frozenset())
    assert chatter.calmed(ms(9000)) == {A: False}


# The sieve ----------------------------------------------------------------------------------------


def sieved(told: Iterable[tuple[Us, bool]]) -> list[tuple[Us, bool]]:
    """A sieve's output for one contact, the silence afterwards included."""
    sieve, out = Sieve(), []
    for us, closed in told:
        out += [(us, state) for state in sieve.rested(us).values()]
        if sieve.lets(us, A, closed):
            out.append((us, closed))
    end = ms(10**8)
    return out + [(end, state) for state in sieve.rested(end).values()]


def test_an_hour_of_chatter_is_told_once_a_second() -> None:
    raw = edges(7, 3600)
    told = sieved(raw)
    assert len(raw) > 500_000
    assert len(told) < 3600 + 300


def test_it_keeps_nothing_that_grows() -> None:
    sieve = Sieve()
    for us, closed in edges(7, 60):
        sieve.lets(us, A, closed)
    raw = edges(7, 600, first=60_000)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for us, closed in raw:
        sieve.lets(us, A, closed)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 4000  # of 600 edges; Python 3.14 keeps some free lists


def test_of_a_quiet_contact_everything_is_told() -> None:
    raw = edges(400, 60)
    assert sieved(raw) == raw


def test_one_contact_takes_no_word_from_another() -> None:
    sieve = Sieve()
    for us, closed in edges(5, 10):
        sieve.lets(us, A, closed)
    assert sieve.lets(ms(10_000), B, True)


GAPS = st.lists(
    st.one_of(st.floats(0.1, 30), st.floats(30, 900), st.floats(900, 5000)), min_size=1, max_size=40
)


@settings(max_examples=200)
@given(GAPS, st.lists(st.floats(0.5, 130), min_size=0, max_size=6))
def test_who_listens_never_believes_a_contact_that_chatters(
    gaps: list[float], bursts: list[float]
) -> None:
    at, raw = 0.0, []
    for burst in bursts or [50.0]:
        count = int(2500 / burst)
        gaps = [*gaps, *[burst] * count, random.Random(burst).choice([500.0, 950.0, 2000.0])]
    for number, gap in enumerate(gaps):
        at += gap
        raw.append((ms(at), number % 2 == 0))
    behind, sieve, true = Chatter(), Sieve(), Chatter(RAW_CALM)
    for us, closed in raw:
        true.calmed(us)
        for state in sieve.rested(us).values():
            behind.edge(us, A, state)
        behind.calmed(us)
        true.edge(us, A, closed)
        if sieve.lets(us, A, closed):
            behind.edge(us, A, closed)
        else:
            assert behind.sensors == true.sensors == {A}
    assert REPORTED_EVERY + RAW_CALM < CALM


@settings(max_examples=200)
@given(GAPS, st.floats(0.5, 100))
def test_the_last_word_is_the_state_it_was_left_in(gaps: list[float], burst: float) -> None:
    at, raw = 0.0, []
    for number, gap in enumerate([*gaps, *[burst] * int(4000 / burst), *gaps]):
        at += gap
        raw.append((ms(at), number % 2 == 0))
    assert sieved(raw)[-1][1] is raw[-1][1]
