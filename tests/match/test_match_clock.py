"""The clock against an independent computation of each turn's cost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from pi_app.base.microseconds import Us, ms
from pi_app.match.clock import ClockKind, Clocks, TimeControl, expire, full, hand_over, lasts, run
from pi_app.rules.terms import Side

WHITE, BLACK = Side.WHITE, Side.BLACK
KINDS = [kind for kind in ClockKind if kind is not ClockKind.NONE]
SECOND = ms(1000)


def of(kind: ClockKind, reserve: int = 60, a_turn: int = 5, overtime: int = 0) -> TimeControl:
    return TimeControl(kind, ms(reserve * 1000), ms(a_turn * 1000), ms(overtime * 1000))


def turn(control: TimeControl, clocks: Clocks, side: Side, seconds: float) -> Clocks:
    """The side gets the clock and thinks for a time."""
    return run(control, hand_over(control, clocks, side, afresh=True), ms(seconds * 1000))


def left(clocks: Clocks) -> tuple[float, float]:
    return clocks.white.left / SECOND, clocks.black.left / SECOND


@pytest.mark.parametrize(
    ("kind", "thinking", "handed"),
    [
        (ClockKind.PLAIN, 52, 52),
        (ClockKind.DELAY, 57, 57),
        (ClockKind.BRONSTEIN, 52, 57),
        (ClockKind.FISCHER, 57, 57),
    ],
)
def test_eight_seconds_of_a_turn_with_five(kind: ClockKind, thinking: int, handed: int) -> None:
    control = of(kind)
    clocks = turn(control, full(control), WHITE, 8)
    assert left(clocks)[0] == thinking
    assert left(hand_over(control, clocks, BLACK, afresh=True))[0] == handed


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        (ClockKind.PLAIN, 58),
        (ClockKind.DELAY, 60),
        (ClockKind.BRONSTEIN, 60),
        (ClockKind.FISCHER, 63),
    ],
)
def test_a_turn_within_its_delay_costs_nothing(kind: ClockKind, after: int) -> None:
    control = of(kind)
    clocks = turn(control, full(control), WHITE, 2)
    assert left(hand_over(control, clocks, None, afresh=True))[0] == after


def test_the_delay_comes_before_the_last_second_and_bronstein_s_after_it() -> None:
    for kind, seconds in ((ClockKind.DELAY, 8), (ClockKind.BRONSTEIN, 3), (ClockKind.FISCHER, 8)):
        control = of(kind, reserve=3)
        assert lasts(control, turn(control, full(control), WHITE, 0)) == ms(seconds * 1000), kind


def test_the_first_expiry_gives_overtime_and_the_second_loses() -> None:
    control = of(ClockKind.DELAY, reserve=3, overtime=60)
    fallen = turn(control, full(control), WHITE, 8)
    assert lasts(control, fallen) == 0
    over = expire(control, fallen)
    assert over is not None
    assert (left(over), over.white.overtime, over.black.overtime) == ((60, 3), True, False)
    assert expire(control, run(control, over, ms(60_000))) is None
    assert expire(of(ClockKind.DELAY, reserve=3), fallen) is None


@pytest.mark.parametrize("kind", KINDS)
def test_offering_and_going_back_gains_no_time(kind: ClockKind) -> None:
    """A resignation refused a hundred times leaves the offerer as one long turn does."""
    control, length = of(kind), 20
    clocks = turn(control, full(control), WHITE, 0)
    for _ in range(100):
        clocks = run(control, clocks, ms(length * 10))
        clocks = hand_over(control, clocks, BLACK, afresh=True)
        clocks = hand_over(control, clocks, WHITE, afresh=False)
    at_once = turn(control, full(control), WHITE, length)
    assert clocks.white == at_once.white


def test_nobody_s_time_runs_while_nobody_holds_the_clock() -> None:
    control = of(ClockKind.PLAIN)
    assert lasts(control, full(control)) is None
    assert run(control, full(control), ms(9000)) == full(control)
    assert expire(control, full(control)) is None


# The truth, kept as a diary of stretches and reckoned anew from all of them each time.


@dataclass
class Diary:
    """Each turn's milliseconds on the clock; time lost by a power cut does not count."""

    control: TimeControl
    turns: list[tuple[Side, list[int]]] = field(default_factory=list)
    fell: dict[Side, int] = field(default_factory=dict)
    """In milliseconds what a side had had in all when its overtime began."""

    def has_left(self, side: Side) -> int:
        """In milliseconds, of everything that is written down."""
        reserve, a_turn, gains, costs = self._terms(), self.control.a_turn // 1000, 0, 0
        for number, (whose, stretches) in enumerate(self.turns):
            if whose is not side:
                continue
            spent, last = sum(stretches), number == len(self.turns) - 1
            match self.control.kind:
                case ClockKind.DELAY:
                    costs += max(spent - a_turn, 0)
                case ClockKind.BRONSTEIN:
                    costs += spent if last else max(spent - a_turn, 0)
                case ClockKind.FISCHER:
                    gains, costs = gains + a_turn, costs + spent
                case _:
                    costs += spent
        return reserve + self.fell.get(side, 0) + gains - costs

    def _terms(self) -> int:
        return self.control.reserve // 1000

    def begins_overtime(self, side: Side) -> None:
        """What is left is now the overtime, whatever it was."""
        self.fell[side] = self.control.overtime // 1000 - self.has_left(side)


def evening(control: TimeControl, seed: int, turns: int) -> Iterator[tuple[Clocks, Diary]]:
    """Random turns of a match, cut at random moments: after a cut the last hand-over stands."""
    chance = random.Random(seed)
    clocks, diary, side = full(control), Diary(control), WHITE
    for _ in range(turns):
        clocks = hand_over(control, clocks, side, afresh=True)
        diary.turns.append((side, []))
        kept, noted = clocks, []
        for _ in range(chance.randint(1, 4)):
            span = min(
                chance.choice((1, 137, 4_999, 5_000, 5_001, 23_456)), millis(control, clocks)
            )
            clocks = run(control, clocks, ms(span))
            diary.turns[-1][1].append(span)
            yield clocks, diary
            if lasts(control, clocks) == 0:
                following = expire(control, clocks)
                if following is None:
                    return
                diary.begins_overtime(side)
                kept, noted, clocks = following, list(diary.turns[-1][1]), following
                yield clocks, diary
            if chance.random() < 0.1:
                # The power is cut: what was on the disk counts.
                clocks, diary.turns[-1] = kept, (side, list(noted))
                yield clocks, diary
        side = side.other


def millis(control: TimeControl, clocks: Clocks) -> int:
    return (lasts(control, clocks) or 0) // 1000


@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_turns_are_true_to_the_millisecond(kind: ClockKind) -> None:
    """2 500 turns a kind, in matches of any length; each is reckoned from the whole diary."""
    turns = moments = expiries = seed = 0
    while turns < 2_500:
        overtime = (0, 60)[seed % 2]
        control = of(kind, reserve=(30, 300, 3_000)[seed % 3], overtime=overtime)
        diary = None
        for clocks, diary in evening(control, seed, 120):
            for side in Side:
                assert clocks[side].left == ms(diary.has_left(side)), (seed, moments)
            moments += 1
        assert diary
        turns, expiries, seed = turns + len(diary.turns), expiries + len(diary.fell), seed + 1
    assert expiries > 0
    assert moments > turns


def test_every_millisecond_of_a_short_match_costs_what_it_should() -> None:
    """The same counted down tick by tick, as a wheel with a pallet does."""
    for kind in KINDS:
        control = replace(of(kind), reserve=ms(300), a_turn=ms(20))
        clocks, wheel, side = full(control), {WHITE: 300, BLACK: 300}, WHITE
        for length in (7, 20, 21, 40, 19, 60, 1, 33):
            clocks = hand_over(control, clocks, side, afresh=True)
            wheel[side] += 20 * (kind is ClockKind.FISCHER)
            for tick in range(length):
                clocks = run(control, clocks, Us(1000))
                wheel[side] -= kind is not ClockKind.DELAY or tick >= 20
                assert clocks[side].left == ms(wheel[side]), (kind, length, tick)
            wheel[side] += min(length, 20) * (kind is ClockKind.BRONSTEIN)
            side = side.other
