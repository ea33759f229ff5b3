"""The table of phases: whole, closed, and without a dead end."""

import pytest

from pi_app.match.phases import TABLE, Act, Phase, describe, knows

KNOWN = {
    Phase.SET_UP: "board set, correct",
    Phase.OPENING_THROW: "throw, correct",
    Phase.TO_ROLL: "roll, double, resign, take back, correct",
    Phase.DOUBLE_OFFERED: "take, pass, take back",
    Phase.MOVING: "play, resign, take back, correct",
    Phase.GAME_OVER: "next game, take back",
    Phase.MATCH_OVER: "take back",
}


def reached_from(first: Phase) -> set[Phase]:
    seen: set[Phase] = set()
    ahead = [first]
    while ahead:
        phase = ahead.pop()
        if phase not in seen:
            seen.add(phase)
            ahead += [target for targets in TABLE[phase].values() for target in targets]
    return seen


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_each_phase_knows_its_acts_and_no_other(phase: Phase) -> None:
    known = {act for act in Act if knows(phase, act)}
    assert {act.value for act in known} == set(KNOWN[phase].split(", "))


def test_every_phase_can_be_reached_from_the_set_up() -> None:
    assert reached_from(Phase.SET_UP) == set(Phase)


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_every_phase_leads_to_the_end_of_the_match(phase: Phase) -> None:
    assert Phase.MATCH_OVER in reached_from(phase)


def test_every_act_leads_somewhere() -> None:
    rows = [targets for acts in TABLE.values() for targets in acts.values()]
    assert all(rows)
    assert all(len(set(targets)) == len(targets) for targets in rows)
    assert {act for acts in TABLE.values() for act in acts} == set(Act)


def test_only_a_take_leads_from_an_offered_double_back_to_the_roll() -> None:
    targets = {act: TABLE[Phase.DOUBLE_OFFERED][act] for act in (Act.TAKE, Act.PASS)}
    assert targets[Act.TAKE] == (Phase.TO_ROLL,)
    assert targets[Act.PASS] == (Phase.GAME_OVER, Phase.MATCH_OVER)


def test_the_description_has_one_line_a_phase_and_act() -> None:
    lines = describe().splitlines()
    assert len(lines) == sum(len(acts) for acts in TABLE.values())
    assert "to roll         double     → double offered" in lines
    assert "double offered  pass       → game over | match over" in lines
