"""Every phase against every event: what it does not know changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as st
from known import find_game, load_board

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.controls import PRESSES, TAPS
from pi_app.referee.events import EventError, Press, Start
from pi_app.referee.lines import read_event, write_event, write_view
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Side


def set_up() -> Desk:
    return Desk()


def opening_throw() -> Desk:
    desk = Desk()
    desk.set_up()
    return desk


def to_roll() -> Desk:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    return desk


def double_offered() -> Desk:
    desk = to_roll()
    desk.hold()
    return desk


def resignation_offered() -> Desk:
    desk = to_roll()
    desk.tap(Act.RESIGN, points=1)
    return desk


def moving(match_to: int = 11) -> Desk:
    desk = Desk(match_to)
    desk.open("5", "3")
    return desk


def game_over() -> Desk:
    desk = double_offered()
    desk.hold()
    return desk


def match_over() -> Desk:
    desk = Desk(match_to=1)
    desk.stand("1ww..bb1 w")
    desk.tap(Act.RESIGN, points=1)
    desk.tap(Act.ACCEPT)
    return desk


PHASES: dict[Phase, Callable[[], Desk]] = {
    Phase.SET_UP: set_up,
    Phase.OPENING_THROW: opening_throw,
    Phase.TO_ROLL: to_roll,
    Phase.DOUBLE_OFFERED: double_offered,
    Phase.RESIGNATION_OFFERED: resignation_offered,
    Phase.MOVING: moving,
    Phase.GAME_OVER: game_over,
    Phase.MATCH_OVER: match_over,
}

LEADS_TO: dict[tuple[Phase, str], Phase] = {
    (Phase.TO_ROLL, "hold"): Phase.DOUBLE_OFFERED,
    (Phase.TO_ROLL, "double"): Phase.DOUBLE_OFFERED,
    (Phase.TO_ROLL, "resign"): Phase.RESIGNATION_OFFERED,
    (Phase.TO_ROLL, "roll"): Phase.MOVING,
    (Phase.DOUBLE_OFFERED, "press"): Phase.TO_ROLL,
    (Phase.DOUBLE_OFFERED, "hold"): Phase.GAME_OVER,
    (Phase.DOUBLE_OFFERED, "take"): Phase.TO_ROLL,
    (Phase.DOUBLE_OFFERED, "pass"): Phase.GAME_OVER,
    (Phase.RESIGNATION_OFFERED, "press"): Phase.TO_ROLL,
    (Phase.RESIGNATION_OFFERED, "hold"): Phase.GAME_OVER,
    (Phase.RESIGNATION_OFFERED, "accept"): Phase.GAME_OVER,
    (Phase.RESIGNATION_OFFERED, "refuse"): Phase.TO_ROLL,
    (Phase.MOVING, "resign"): Phase.RESIGNATION_OFFERED,
    (Phase.GAME_OVER, "press"): Phase.OPENING_THROW,  # the checkers stand there already
    (Phase.GAME_OVER, "next game"): Phase.OPENING_THROW,
}

ACTS: dict[str, Callable[[Desk], View]] = {
    "press": Desk.press,
    "hold": Desk.hold,
    "roll": lambda desk: desk.roll("4"),
    "tick": lambda desk: desk.wait(10),
    "double": lambda desk: desk.tap(Act.DOUBLE),
    "take": lambda desk: desk.tap(Act.TAKE),
    "pass": lambda desk: desk.tap(Act.PASS),
    "resign": lambda desk: desk.tap(Act.RESIGN, points=1),
    "accept": lambda desk: desk.tap(Act.ACCEPT),
    "refuse": lambda desk: desk.tap(Act.REFUSE),
    "take back": lambda desk: desk.tap(Act.TAKE_BACK),
    "restore": lambda desk: desk.tap(Act.RESTORE),
    "change dice": lambda desk: desk.tap(Act.CHANGE_DICE),
    "next game": lambda desk: desk.tap(Act.NEXT_GAME),
    "choose": lambda desk: desk.tap(Act.CHOOSE, play="2/4"),
    "screen is right": lambda desk: desk.tap(Act.SCREEN_IS_RIGHT),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("phase", PHASES)
def test_an_act_leads_where_the_table_says_or_nowhere(phase: Phase, act: str) -> None:
    desk = PHASES[phase]()
    before = desk.view
    assert before.phase is phase
    after = ACTS[act](desk)
    assert after.phase is LEADS_TO.get((phase, act), phase)
    if (phase, act) not in LEADS_TO:
        assert (after.position, after.score, after.cube) == (
            before.position,
            before.score,
            before.cube,
        )


@pytest.mark.parametrize("phase", PHASES)
def test_a_tap_that_is_not_offered_changes_nothing_at_all(phase: Phase) -> None:
    for intent in set(Act) - PHASES[phase]().view.offers:
        desk = PHASES[phase]()
        before = desk.view
        after = desk.tap(intent, play="2/4", position="1ww..bb1 b", points=1)
        assert replace(after, us=before.us) == before, intent


def test_every_phase_is_covered() -> None:
    assert set(PHASES) == set(Phase)


def played(match_to: int = 11) -> Desk:
    desk = moving(match_to)
    desk.lift("2")
    desk.drop("4")
    desk.wait(300)
    return desk


PRESSED: dict[tuple[Phase, Press], str] = {
    (Phase.OPENING_THROW, Press.SHORT): "asks",
    (Phase.TO_ROLL, Press.SHORT): "asks",
    (Phase.TO_ROLL, Press.LONG): "double",
    (Phase.DOUBLE_OFFERED, Press.SHORT): "take",
    (Phase.DOUBLE_OFFERED, Press.LONG): "pass",
    (Phase.RESIGNATION_OFFERED, Press.SHORT): "refused",
    (Phase.RESIGNATION_OFFERED, Press.LONG): "accepted",
    (Phase.MOVING, Press.SHORT): "play",
    (Phase.MOVING, Press.LONG): "play, double",
    (Phase.GAME_OVER, Press.SHORT): "next game, board set",
}
"""The result of a press on a correct board; other presses do nothing."""


@pytest.mark.parametrize("press", Press, ids=lambda press: press.value)
@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_a_press_does_what_its_phase_says(phase: Phase, press: Press) -> None:
    desk = played() if phase is Phase.MOVING else PHASES[phase]()
    desk.hold() if press is Press.LONG else desk.press()
    done = desk.kept + ["asks" for _ in desk.asked]
    assert ", ".join(done) == PRESSED.get((phase, press), "")
    assert ((phase, press) in PRESSES) is ((phase, press) in PRESSED)
    assert bool(desk.effects) is ((phase, press) in PRESSED)


TAPPED: dict[tuple[Phase, Act], str] = {
    (Phase.SET_UP, Act.CORRECT): "correction",
    (Phase.OPENING_THROW, Act.CORRECT): "correction",
    (Phase.TO_ROLL, Act.CORRECT): "correction",
    (Phase.TO_ROLL, Act.DOUBLE): "double",
    (Phase.TO_ROLL, Act.RESIGN): "resignation",
    (Phase.DOUBLE_OFFERED, Act.TAKE): "take",
    (Phase.DOUBLE_OFFERED, Act.PASS): "pass",
    (Phase.MOVING, Act.CORRECT): "correction",
    (Phase.RESIGNATION_OFFERED, Act.ACCEPT): "accepted",
    (Phase.RESIGNATION_OFFERED, Act.REFUSE): "refused",
    (Phase.MOVING, Act.RESIGN): "resignation",
    (Phase.GAME_OVER, Act.NEXT_GAME): "next game, board set",
}
"""The decisions of a tap on a resting board without a play, apart from sensors."""

TAKES_BACK = [phase for phase in Phase if phase not in (Phase.SET_UP, Phase.OPENING_THROW)]


@pytest.mark.parametrize("intent", Act, ids=lambda intent: intent.value)
@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_a_tap_is_offered_where_it_decides_something(phase: Phase, intent: Act) -> None:
    desk = PHASES[phase]()
    offered = intent in desk.view.offers
    desk.tap(intent, position="1ww..bb1 b", points=1, sensor="3")
    sensors = {Act.SENSOR_OFF: "sensor off", Act.SENSOR_ON: "sensor on"}
    decided = sensors.get(intent, TAPPED.get((phase, intent), ""))
    assert ", ".join(desk.kept) == decided
    assert offered is bool(decided)


@pytest.mark.parametrize("phase", TAKES_BACK, ids=lambda phase: phase.value)
def test_a_play_is_taken_back_from_every_phase_that_comes_after_it(phase: Phase) -> None:
    desk = played(match_to=1 if phase is Phase.MATCH_OVER else 11)
    desk.press()
    match phase:
        case Phase.MOVING:
            desk.roll("2")
        case Phase.DOUBLE_OFFERED:
            desk.hold()
        case Phase.RESIGNATION_OFFERED:
            desk.tap(Act.RESIGN, points=1)
        case Phase.GAME_OVER | Phase.MATCH_OVER:
            desk.tap(Act.RESIGN, points=1)
            desk.tap(Act.ACCEPT)
    assert (desk.view.phase, Act.TAKE_BACK in desk.view.offers) == (phase, True)
    view = desk.tap(Act.TAKE_BACK)
    assert (view.phase, view.position, view.roll) == (Phase.MOVING, "1ww..bb1 w", "2")
    assert desk.kept == ["take back"]


def test_a_roll_asked_for_is_forgotten_by_who_resigns_instead() -> None:
    desk = to_roll()
    assert desk.press().awaiting_roll
    assert not desk.tap(Act.RESIGN, points=1).awaiting_roll
    assert desk.roll("3").phase is Phase.RESIGNATION_OFFERED


SPOTS = st.sampled_from("123456")
ACTIONS = st.one_of(
    st.tuples(st.just("edge"), SPOTS, st.booleans(), st.sampled_from([1, 3, 20, 200, 2000])),
    st.tuples(st.just("press"), st.sampled_from([1, 50, 400])),
    st.tuples(st.just("hold"), st.sampled_from([1, 400])),
    st.tuples(st.just("roll"), SPOTS),
    st.tuples(st.just("picture"), st.frozensets(SPOTS)),
    st.tuples(st.just("tap"), st.sampled_from(list(TAPS)), SPOTS, st.integers(1, 2)),
)


def lines_of(actions: list[tuple[object, ...]]) -> list[str]:
    """Whatever was drawn as lines of events, White's and Black's rolls in turn."""
    now, lines = 0, []
    for number, (kind, *rest) in enumerate(actions):
        now += int(rest[-1]) if kind in ("edge", "press", "hold") else 30  # type: ignore[call-overload]
        head = f'{{"ms": {now}, "event": '
        match kind:
            case "edge":
                closed = "true" if rest[1] else "false"
                lines.append(f'{head}"sensor", "sensor": "{rest[0]}", "closed": {closed}}}')
            case "press":
                lines.append(f'{head}"button", "press": "short"}}')
            case "hold":
                lines.append(f'{head}"button", "press": "long"}}')
            case "roll":
                by = ("white", "black")[number % 2]
                tail = f'"dice": "{rest[0]}", "by": "{by}", "source": "device"}}'
                lines.append(f'{head}"roll", {tail}')
            case "picture":
                closed = ", ".join(f'"{spot}"' for spot in sorted(rest[0]))  # type: ignore[call-overload]
                lines.append(f'{head}"picture", "closed": [{closed}]}}')
            case _:
                intent = rest[0].value  # type: ignore[attr-defined]
                tail = f'"intent": "{intent}", "sensor": "{rest[1]}", "points": {rest[2]}'
                lines.append(f'{head}"tap", {tail}, "play": "2/4"}}')
    return lines


def play(lines: list[str]) -> tuple[list[str], list[str]]:
    """The views after each line that is taken, and those lines."""
    start = Start(ms(0), "nannon", "nannon-6", 3, ("A", "B"), {})
    referee = Referee(load_board("nannon-6"), start)
    views, taken = [], []
    for line in lines:
        try:
            referee.handle(read_event(line))
        except EventError:
            continue
        views.append(write_view(referee.view))
        taken.append(line)
    return views, taken


@settings(max_examples=150)
@given(st.lists(ACTIONS, max_size=60))
def test_whatever_happens_it_never_fails_and_replays_to_the_same_views(
    actions: list[tuple[object, ...]],
) -> None:
    views, taken = play(lines_of(actions))
    # What raised is not in a journal; without it everything is the same again.
    assert play(taken)[0][-1:] == views[-1:]
    game = find_game("nannon")
    for line in taken:
        assert write_event(read_event(line))
    for view in views:
        position = game.read_position(view.split('"position": "')[1].split('"')[0])
        assert sum(len(stack) for stack in game.checkers_at(position).values()) == 6
        assert position.mover in Side
