"""The scanner's core with Hall strips at a desk: poles, thresholds, zeros, chains."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from core_desk import TOKEN, CoreDesk

from pi_app.link.messages import (
    AskLevels,
    CellKind,
    Configure,
    Fault,
    FromScanner,
    Geometry,
    Hello,
    Report,
    StripLevels,
    StripState,
)

OPERATE, RELEASE = 22, 16
STRIPS = Geometry(3, 4, 5, CellKind.HALL, OPERATE, RELEASE)
MIDDLE = 512
SETTLED_MS = 8
"""Debounced and reported."""
DRIFT_MS = 2000
"""A zero moves one step in this time."""


@pytest.fixture
def desk() -> Iterator[CoreDesk]:
    desk = CoreDesk()
    desk.core.desk_strips(STRIPS.rows, 255, False)
    yield desk
    desk.finish()


def level(desk: CoreDesk, row: int, column: int, steps: int) -> None:
    """The sensor says so many steps from the middle."""
    desk.core.desk_level(row, column, MIDDLE + steps)


def begin(desk: CoreDesk, geometry: Geometry = STRIPS) -> list[FromScanner]:
    return [*desk.say(Configure(TOKEN, geometry)), *desk.run(1)]


def poles(heard: list[FromScanner]) -> list[str]:
    """The pictures of the reports: of each cell a dot, N or S."""
    return [picture(one) for one in heard if isinstance(one, Report)]


def picture(report: Report) -> str:
    bits = int.from_bytes(report.bitmap, "little")
    cells = ["·NS!"[bits >> 2 * cell & 3] for cell in range(STRIPS.cells)]
    return " ".join("".join(cells[at : at + 4]) for at in range(0, STRIPS.cells, 4))


def states(heard: list[FromScanner]) -> list[StripState]:
    return [one for one in heard if isinstance(one, StripState)]


def zero(desk: CoreDesk, row: int, column: int) -> int:
    """What the scanner takes for the zero of a cell, in steps from the middle."""
    (answer,) = [one for one in desk.say(AskLevels(row)) if isinstance(one, StripLevels)]
    return answer.levels[column][1] - MIDDLE


def test_a_session_begins_with_whole_strips_and_the_picture(desk: CoreDesk) -> None:
    level(desk, 0, 1, 180)
    level(desk, 2, 3, -180)
    hello, strips, report = begin(desk)
    assert isinstance(hello, Hello)
    assert (hello.geometry, hello.fault) == (STRIPS, Fault.NONE)
    assert strips == StripState(3, b"\0\0")
    assert poles([report]) == ["·N·· ···· ···S"]


def test_both_poles_come_and_go_and_one_takes_the_others_place(desk: CoreDesk) -> None:
    begin(desk)
    for steps, expected in (
        (180, ["···· ·N·· ····"]),
        (0, ["···· ···· ····"]),
        (-180, ["···· ·S·· ····"]),
        (180, ["···· ···· ····", "···· ·N·· ····"]),  # what lay there goes first
    ):
        level(desk, 1, 1, steps)
        assert poles(desk.run(SETTLED_MS + 1))[-len(expected) :] == expected


def test_a_pole_is_seen_at_operate_and_gone_below_release(desk: CoreDesk) -> None:
    begin(desk)
    for steps, expected in (
        (OPERATE - 1, "···· ···· ····"),
        (OPERATE, "N··· ···· ····"),
        (RELEASE, "N··· ···· ····"),
        (RELEASE - 1, "···· ···· ····"),
        (1 - OPERATE, "···· ···· ····"),
        (-OPERATE, "S··· ···· ····"),
        (-RELEASE, "S··· ···· ····"),
        (1 - RELEASE, "···· ···· ····"),
    ):
        level(desk, 0, 0, steps)
        desk.run(SETTLED_MS)
        assert poles(desk.run(400))[-1] == expected


def test_a_level_that_rocks_between_the_thresholds_makes_no_report(desk: CoreDesk) -> None:
    begin(desk)
    level(desk, 0, 0, OPERATE)
    desk.run(SETTLED_MS)
    reports = []
    for steps in (RELEASE, OPERATE + 3, RELEASE + 1) * 20:
        level(desk, 0, 0, steps)
        reports += [one for one in desk.run(6) if isinstance(one, Report)]
    assert {one.sequence for one in reports} <= {0, 1}


# Zeros


@pytest.mark.parametrize("rest", [0, 15, -15])
def test_at_the_start_an_empty_cell_gives_its_own_zero(desk: CoreDesk, rest: int) -> None:
    level(desk, 0, 0, rest)
    begin(desk)
    assert zero(desk, 0, 0) == rest
    level(desk, 0, 0, rest + OPERATE)
    assert poles(desk.run(SETTLED_MS))[-1] == "N··· ···· ····"


def test_a_checker_that_lies_there_at_power_on_does_not_become_the_zero(desk: CoreDesk) -> None:
    level(desk, 0, 0, 56)
    assert poles(begin(desk)) == ["N··· ···· ····"]
    desk.run(10 * DRIFT_MS)
    assert zero(desk, 0, 0) == -MIDDLE, "none is learnt"
    level(desk, 0, 0, 12)  # lifted: this is where the sensor rests
    assert poles(desk.run(SETTLED_MS))[-1] == "···· ···· ····"
    desk.run(DRIFT_MS)
    assert zero(desk, 0, 0) == 12
    level(desk, 0, 0, 12 - OPERATE)
    assert poles(desk.run(SETTLED_MS))[-1] == "S··· ···· ····"


@pytest.mark.parametrize("rest", [RELEASE, OPERATE - 1, 1 - OPERATE])
def test_a_rest_beyond_the_bound_is_no_checker_and_no_zero(desk: CoreDesk, rest: int) -> None:
    level(desk, 0, 0, rest)
    assert poles(begin(desk)) == ["···· ···· ····"]
    assert zero(desk, 0, 0) == -MIDDLE
    level(desk, 0, 0, 180)
    desk.run(SETTLED_MS)
    level(desk, 0, 0, rest)
    assert poles(desk.run(SETTLED_MS))[-1] == "···· ···· ····", "it is not stuck"


def test_a_zero_follows_slow_drift_and_no_more_than_a_step_in_two_seconds(desk: CoreDesk) -> None:
    begin(desk)
    level(desk, 0, 0, 10)
    desk.run(DRIFT_MS * 3)
    assert zero(desk, 0, 0) == 3
    desk.run(DRIFT_MS * 20)
    assert zero(desk, 0, 0) == 10
    level(desk, 0, 0, 100)  # of a checker it does not follow
    desk.run(DRIFT_MS * 20)
    assert zero(desk, 0, 0) == 10


def test_zeros_outlive_a_new_session(desk: CoreDesk) -> None:
    level(desk, 0, 0, -12)
    begin(desk)
    level(desk, 0, 0, 12)
    desk.run(SETTLED_MS)
    assert poles(begin(desk)) == ["N··· ···· ····"]
    assert zero(desk, 0, 0) == -12


# The chain


@pytest.mark.parametrize(
    ("strips", "cut", "shorted", "chain"),
    [(3, 2, False, 0), (2, 255, False, 2), (4, 255, False, 4), (3, 255, True, 255)],
)
def test_a_chain_that_is_not_whole_is_told_and_its_picture_kept(
    desk: CoreDesk, strips: int, cut: int, shorted: bool, chain: int
) -> None:
    level(desk, 0, 0, 180)
    begin(desk)
    desk.core.desk_strips(strips, cut, shorted)
    level(desk, 0, 0, 0)
    told = desk.run(450)
    assert states(told)[0].chain == chain
    assert set(poles(told)) == {"N··· ···· ····"}
    desk.core.desk_strips(3, 255, False)
    told = desk.run(SETTLED_MS)
    assert states(told)[0].chain == 3
    assert poles(told)[-1] == "···· ···· ····"


def test_until_the_chain_is_whole_there_is_no_picture(desk: CoreDesk) -> None:
    desk.core.desk_strips(3, 1, False)
    heard = [*begin(desk), *desk.run(1000)]
    assert poles(heard) == []
    told = states(heard)
    assert len(told) >= 5, "it is heard all the same"
    assert told[-1] == StripState(0, b"\xf0\x0f")
    desk.core.desk_strips(3, 255, False)
    assert poles(desk.run(1)) == ["···· ···· ····"]


def test_a_silent_sensor_is_told_and_keeps_what_it_last_said(desk: CoreDesk) -> None:
    begin(desk)
    level(desk, 1, 2, 180)
    desk.run(SETTLED_MS)
    level(desk, 1, 2, -MIDDLE)
    told = desk.run(30)
    assert states(told) == [StripState(3, b"\x40\0")]
    assert poles(desk.run(400))[-1] == "···· ··N· ····"


def test_the_state_of_the_strips_is_told_five_times_a_second(desk: CoreDesk) -> None:
    begin(desk)
    assert len(states(desk.run(1000))) == 5


# Messages


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (replace(STRIPS, operate=15, release=16), Fault.THRESHOLDS),
        (replace(STRIPS, release=0), Fault.THRESHOLDS),
        (replace(STRIPS, columns=9), Fault.COLUMNS),
        (replace(STRIPS, rows=32), Fault.ROWS),
        (replace(STRIPS, kind=3), Fault.KIND),
    ],
)
def test_strips_that_it_cannot_read_are_refused(
    desk: CoreDesk, wrong: Geometry, fault: Fault
) -> None:
    hello = begin(desk, wrong)[-1]
    assert isinstance(hello, Hello)
    assert hello.fault is fault


def test_levels_are_told_on_request_alone(desk: CoreDesk) -> None:
    level(desk, 1, 0, -7)
    level(desk, 1, 3, 181)
    assert not any(isinstance(one, StripLevels) for one in [*begin(desk), *desk.run(500)])
    told = desk.say(AskLevels(1))
    assert told == [StripLevels(1, ((505, 505), (512, 512), (512, 512), (693, 0)))]


def test_levels_of_reeds_or_of_a_strip_that_is_not_there_are_ignored(desk: CoreDesk) -> None:
    begin(desk)
    assert desk.say(AskLevels(3)) == []
    desk.configure()
    assert desk.say(AskLevels(0)) == []
