"""How likely a sensor is faulty, turn by turn: what was expected, what was shown, what follows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import PUBLISHED
from pi_app.sensing.trust import Belief, Health, HealthModel, Trust

ONE = (Sensor("1"),)
THREE = (Sensor("1.1"), Sensor("1.2"), Sensor("1.3"))
CHATTERS = "~"
"""Among turns: it chatters for a while."""
WEAK = "co oo cc oo cc oo "
"""A weak reed misses every third checker."""


class FaultyTable:
    """A spot's sensors, the turns that they go through, and what is thought of them."""

    def __init__(self, reeds: tuple[Sensor, ...], *turns: str) -> None:
        self.trust, self._reeds = Trust(reeds), reeds
        self._shut: frozenset[Sensor] = frozenset()
        for turn in turns:
            self.turn(turn)

    def turn(self, turn: str) -> None:
        """ "2 cco": two of three are expected to be closed, the last shows itself open.

        Of a single sensor "co": closed is expected, open is shown.
        """
        if turn == CHATTERS:
            self.trust.chatter(frozenset(self._reeds))
            self.trust.chatter(frozenset())
            return
        count, shown = turn.split() if " " in turn else (str(int(turn[0] == "c")), turn[1])
        shut = frozenset(reed for reed, show in zip(self._reeds, shown, strict=True) if show == "c")
        for reed in shut ^ self._shut:
            self.trust.changed(reed, reed in shut)
        self._shut = shut
        self.trust.compare([(self._reeds, int(count))], shut)

    @property
    def belief(self) -> Belief:
        return self.trust.beliefs[self._reeds[0]]

    def told(self) -> str:
        """The likeliest fault of each sensor in whole per cent, and whether it is believed."""
        faults = {fault.sensor: fault for fault in self.trust.faults}
        return ", ".join(
            (f"{faults[reed].percent} % {faults[reed].health.value}" if reed in faults else "fine")
            + ("!" if reed in self.trust.suspects else "")
            + (" ?" if reed in self.trust.unbelieved else "")
            for reed in self._reeds
        )


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # A missed closing: wrong now, hardly faulty; the same contradiction again is nothing new.
        ("co", "1 % dead ?"),
        ("co co co co co co", "1 % dead ?"),
        ("co oo", "1 % dead"),
        ("co cc", "fine"),
        # Dead: open where nothing lies is no excuse.
        ("co oo co", "85 % dead! ?"),
        ("co oo co oo", "87 % dead! ?"),
        ("co oo co oo co", "98 % dead! ?"),
        # It was right about a checker before: it must have broken since.
        ("cc oo co oo co", "57 % dead! ?"),
        ("cc oo co oo co oo co", "94 % dead! ?"),
        # Stuck.
        ("oc", "9 % stuck ?"),
        ("oc cc", "9 % stuck"),
        ("oc oo", "2 % unsteady"),
        ("oc cc oc", "93 % stuck! ?"),
        ("oc cc oc cc", "95 % stuck! ?"),
        # What closes is not dead, what opens is not stuck; too often wrong it is unsteady.
        ("co oo co oo cc", "26 % unsteady"),
        ("co oo co oo co oo cc", "86 % unsteady! ?"),
        ("oc cc oc cc oo", "94 % unsteady! ?"),
        # Repaired: long dead, it needs to be right once; after three misses, some more times.
        (20 * "co oo " + "cc", "fine"),
        ("co oo co oo co " + 4 * "oo cc ", "35 % unsteady"),
        # Chatter once may be anybody's hand, twice it may not; in the end it is right again.
        ("~", "3 % unsteady"),
        ("~ ~", "99 % unsteady! ?"),
        ("cc ~ oo cc ~", "97 % unsteady! ?"),
        ("~ ~" + 5 * " cc oo", "59 % unsteady! ?"),
        ("~ ~" + 7 * " cc oo", "22 % unsteady"),
        # A weak reed is unsteady with its third miss, and believed again while it is right.
        (WEAK + "co", "13 % unsteady ?"),
        (2 * WEAK + "co", "87 % unsteady! ?"),
        (3 * WEAK, "47 % unsteady"),
        (5 * WEAK, "97 % unsteady! ?"),
    ],
)
def test_what_a_single_sensor_shows_and_what_is_thought_of_it(turns: str, told: str) -> None:
    assert FaultyTable(ONE, *turns.split()).told() == told


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # All three lie under checkers: the open one is to blame.
        (("3 coc",), "fine, 1 % dead ?, fine"),
        (("3 coc", "0 ooo", "3 coc"), "fine, 85 % dead! ?, fine"),
        # Two of three do, one is closed: one of the open ones is to blame, nobody knows which.
        (("2 coo",), "fine, fine ?, fine ?"),
        (("2 coo", "0 ooo", "2 coo"), "fine, 40 % dead ?, 40 % dead ?"),
        # What closes is cleared; of the other nothing new is known.
        (("2 coo", "0 ooo", "2 coo", "0 ooo", "2 coc"), "fine, 40 % dead, 2 % unsteady"),
        ((*2 * ("2 coo", "0 ooo"), "2 coo"), "fine, 69 % dead! ?, 69 % dead! ?"),
        # Two dead at once, and a stuck one between two that are right.
        (("3 coo", "0 ooo", "3 coo"), "fine, 85 % dead! ?, 85 % dead! ?"),
        (("1 cco", "2 cco", "0 oco"), "fine, 92 % stuck! ?, fine"),
        # One that is wrong still is no worse for what moves beside it.
        (("3 coc", "2 coo", "3 coc", "1 ooo", "3 coc"), "fine, 1 % dead ?, fine"),
    ],
)
def test_what_three_of_one_spot_show_and_what_is_thought_of_them(
    turns: tuple[str, ...], told: str
) -> None:
    assert FaultyTable(THREE, *turns).told() == told


def test_the_likeliest_come_first() -> None:
    watched = FaultyTable(THREE, "3 coc", "0 ooo", "3 coo", "0 ooo", "3 coo", "0 ooo")
    assert watched.trust.suspects == ("1.2", "1.3")
    assert [fault.sensor for fault in watched.trust.faults] == ["1.2", "1.3"]


def test_what_players_set_aside_is_no_longer_guessed_about() -> None:
    watched = FaultyTable(ONE, "co", "oo", "co")
    watched.trust.set_aside(ONE[0])
    assert (watched.trust.suspects, watched.trust.faults) == ((), ())
    assert (watched.trust.off, watched.trust.healed) == (ONE, ())


@pytest.mark.parametrize(
    ("before", "after", "healed"),
    [
        ("cc oo", "cc", False),
        ("cc oo", "cc oo", False),
        ("cc oo", "cc oo cc oo", True),
        ("co oo co oo co", "oo", False),
        ("co oo co oo co", "cc", True),
        ("co oo co oo co", "oo co oo", False),
        ("oc cc oc cc oc", "cc", False),
        ("oc cc oc cc oc", "oo", True),
        ("~ ~", "cc oo", False),
        ("~ ~", "cc oo cc oo", True),
    ],
)
def test_it_is_healed_once_what_it_was_set_aside_for_is_unlikely(
    before: str, after: str, healed: bool
) -> None:
    watched = FaultyTable(ONE, *before.split())
    watched.trust.set_aside(ONE[0])
    for turn in after.split():
        watched.turn(turn)
    assert (watched.trust.healed == ONE) is healed
    assert watched.trust.unbelieved == {*ONE}


def test_brought_back_nothing_is_held_against_it() -> None:
    watched = FaultyTable(ONE, *["co", "oo", "co", "oo", "co"])
    watched.trust.set_aside(ONE[0])
    watched.trust.bring_back(ONE[0])
    assert watched.belief == HealthModel().prior
    assert not watched.trust.unbelieved
    watched.turn("co")
    assert watched.told() == "1 % dead ?"


def test_a_change_alone_proves_nothing_of_what_is_set_aside() -> None:
    watched = FaultyTable(ONE, *["co", "oo", "co"])
    watched.trust.set_aside(ONE[0])
    belief = watched.belief
    watched.trust.changed(ONE[0], True)
    assert watched.belief == belief


# Whatever happens -----------------------------------------------------------------------------

SINGLE = st.sampled_from(["cc", "co", "oo", "oc", CHATTERS])
OF_THREE = st.builds(
    lambda count, shown: f"{count} {''.join(shown)}",
    st.integers(0, 3),
    st.lists(st.sampled_from("co"), min_size=3, max_size=3),
)


@settings(max_examples=200)
@given(st.lists(SINGLE, max_size=30), st.lists(OF_THREE, max_size=30))
def test_a_belief_is_always_a_distribution(single: list[str], of_three: list[str]) -> None:
    for watched in (FaultyTable(ONE, *single), FaultyTable(THREE, *of_three)):
        for belief in watched.trust.beliefs.values():
            assert math.isclose(sum(belief), 1)
            assert all(0 <= likely <= 1 for likely in belief)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["cc", "co", "oo"]), max_size=30))
def test_a_further_missed_closing_never_makes_it_likelier_healthy(turns: list[str]) -> None:
    before = FaultyTable(ONE, *turns, "oo")
    after = FaultyTable(ONE, *turns, "oo", "co")
    assert after.belief.healthy < before.belief.healthy


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["cc", "oc", "oo"]), max_size=30))
def test_a_further_missed_opening_never_makes_it_likelier_healthy(turns: list[str]) -> None:
    before = FaultyTable(ONE, *turns, "cc")
    after = FaultyTable(ONE, *turns, "cc", "oc")
    assert after.belief.healthy < before.belief.healthy


@settings(max_examples=100)
@given(st.lists(SINGLE, max_size=20), st.sampled_from(["cc", "oo"]))
def test_right_both_ways_for_long_anything_is_believed_again(turns: list[str], last: str) -> None:
    watched = FaultyTable(ONE, *turns, *["cc", "oo"] * 40, last)
    assert not watched.trust.unbelieved
    assert watched.belief.healthy > 0.999


def test_healths_and_beliefs_are_in_one_order() -> None:
    assert tuple(health.value for health in Health) == Belief._fields


def test_at_worse_noise_a_miss_says_less() -> None:
    usual, worse = HealthModel(), HealthModel(PUBLISHED.worse(10))
    (found,) = usual.compared((usual.prior,), (False,), 1)
    (blurred,) = worse.compared((usual.prior,), (False,), 1)
    assert usual.prior.faulty < blurred.faulty < found.faulty


def test_what_it_was_set_aside_for_is_not_held_against_it_twice() -> None:
    """Still wrong about the same checker, it need not be right any longer to be healed."""
    watched = FaultyTable(ONE, "cc", "oo", "co")
    watched.trust.set_aside(ONE[0])
    belief = watched.belief
    for _ in range(3):
        watched.turn("co")
    assert watched.belief.healthy >= belief.healthy
    for turn in ("oo", "cc", "oo"):
        watched.turn(turn)
    assert watched.trust.healed == ONE


def test_one_set_aside_does_not_bring_its_neighbours_into_doubt() -> None:
    watched = FaultyTable(THREE, "3 coc", "0 ooo")
    watched.trust.set_aside(THREE[1])
    for turn in ("3 coc", "0 ooo", "3 coc", "1 ooc", "0 ooo"):
        watched.turn(turn)
    assert watched.trust.unbelieved == {THREE[1]}
    assert (watched.trust.suspects, watched.trust.healed) == ((), ())


def test_what_never_closed_is_not_healed_by_being_open_where_nothing_lies() -> None:
    watched = FaultyTable(THREE, "0 ooo")
    watched.trust.set_aside(THREE[1])
    for turn in 5 * ("1 coo", "0 ooo", "1 ooc", "2 coc"):
        watched.turn(turn)
        assert watched.trust.healed == ()
    watched.turn("3 ccc")
    assert watched.trust.healed == (THREE[1],)
