"""The clock of a match: when it runs, when it stands, and what a fallen flag does."""

from __future__ import annotations

import pytest
from desk import Desk

from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.match.clock import Clocks
from pi_app.match.score import Score
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll, Keep
from pi_app.referee.events import (
    Button,
    DeviceLost,
    EventError,
    Found,
    MachineActs,
    Picture,
    Press,
    SensorEdge,
    Start,
    Tick,
)
from pi_app.referee.lines import read_decision, write_decision, write_view
from pi_app.referee.referee import Referee
from pi_app.rules.terms import Side
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState

WHITE, BLACK = Side.WHITE, Side.BLACK


def timed(**options: bool | int | str) -> Desk:
    """A match with 60 s a side."""
    usual: dict[str, bool | int | str]
    usual = {"clock": "plain", "reserve_s": 60, "reserve_a_point": False}
    return Desk(5, "nannon", "nannon-6", **(usual | options))


def moving(**options: bool | int | str) -> Desk:
    """White won the opening roll and is to play a 2."""
    at = timed(**options)
    at.open("5", "3")
    return at


def left(at: Desk, side: Side) -> int:
    """In milliseconds, now."""
    face = at.view.clock
    assert face
    return face[side].left_at(ms(at.now)) // 1000


def spent(at: Desk, side: Side = WHITE, reserve: int = 60_000) -> int:
    return reserve - left(at, side)


def decided(at: Desk) -> Decision:
    keep = [effect for effect in at.effects if isinstance(effect, Keep)]
    return keep[-1].decision


def test_without_the_option_there_is_no_clock() -> None:
    at = Desk()
    at.open("5", "3")
    assert at.view.clock is None
    assert decided(at).clocks is None


def test_nobody_s_time_runs_before_the_first_turn() -> None:
    at = timed()
    at.wait(90_000)
    at.set_up()
    at.press()
    at.wait(90_000)
    at.roll("5")
    at.press()
    assert at.view.phase is Phase.OPENING_THROW
    at.roll("3")
    assert (left(at, WHITE), left(at, BLACK)) == (60_000, 60_000)
    at.wait(1_234)
    assert (left(at, WHITE), left(at, BLACK)) == (58_766, 60_000)


def test_the_button_accepts_the_play_and_starts_the_other_s_clock() -> None:
    at = moving()
    at.lift("2")
    at.drop("4")
    at.wait(5_000)
    before = at.now
    at.press()
    ran = at.now - before + 250 + 10 + 250 + 10 + 5_000
    assert spent(at) == ran
    at.wait(700)
    assert (spent(at), spent(at, BLACK)) == (ran, 700)
    assert at.view.to_act is BLACK


def test_a_press_that_waits_for_a_bouncing_reed_has_handed_over_when_it_was_made() -> None:
    at = moving()
    begun = at.now
    at.lift("2")
    at.drop("4")
    at.wait(1_000)
    at.send(SensorEdge(at.at(), Sensor("4"), False))
    at.send(SensorEdge(at.at(1), Sensor("4"), True))
    at.send(Button(at.at(1), Press.SHORT))
    pressed = at.now
    assert at.view.to_act is WHITE
    at.wait(40)
    assert at.view.to_act is BLACK
    assert (spent(at), spent(at, BLACK)) == (pressed - begun, 40)


def test_each_side_s_button_starts_the_other_s_clock_and_only_then() -> None:
    at = moving()
    at.lift("2")
    at.drop("4")
    at.wait(1_000)
    at.press(BLACK)
    assert at.view.to_act is WHITE
    at.press(WHITE)
    used = spent(at)
    at.wait(900)
    assert (spent(at), spent(at, BLACK)) == (used, 900)


def test_who_answers_a_double_answers_on_his_own_time() -> None:
    at = timed()
    at.stand("1ww..bb1 w")
    at.hold()
    assert at.view.phase is Phase.DOUBLE_OFFERED
    used = spent(at)
    at.wait(4_000)
    assert (spent(at), spent(at, BLACK)) == (used, 4_000)
    at.press()
    at.wait(1_000)
    assert (spent(at), spent(at, BLACK)) == (used + 1_000, 4_500)


def test_a_resignation_is_answered_on_the_answerer_s_time_and_gains_none() -> None:
    at = timed(clock="fischer", turn_s=5)
    at.stand("1ww..bb1 w")
    for _ in range(3):
        at.tap(Act.RESIGN, points=1)
        at.wait(2_000)
        at.tap(Act.REFUSE)
    assert spent(at, WHITE, 65_000) == at.now - 3 * 2_250 - 250
    assert left(at, BLACK) == 60_000 + 3 * 5_000 - 3 * 2_250


def test_the_clock_stands_while_spotter_asks() -> None:
    at = moving()
    at.lift("2")
    at.press()
    at.press()
    assert at.view.board is BoardState.CHOOSE
    used = spent(at)
    at.wait(20_000)
    assert spent(at) == used
    at.tap(Act.CHOOSE, play="2/4")
    at.wait(3_000)
    assert spent(at) == used + 3_000


@pytest.mark.parametrize(("runs", "costs"), [(True, 20_000), (False, 0)])
def test_putting_the_board_right_costs_time_unless_it_was_agreed_otherwise(
    runs: bool, costs: int
) -> None:
    at = moving(clock_runs_amiss=runs)
    at.lift("2")
    at.drop("3")
    at.wait(1_600)
    assert at.view.board is BoardState.WRONG
    used = spent(at)
    at.wait(20_000)
    assert spent(at) == used + costs


def test_the_clock_stands_while_the_sensors_are_away() -> None:
    at = moving()
    at.send(DeviceLost(at.at(), "sensors"))
    used = spent(at)
    at.wait(30_000)
    assert spent(at) == used
    at.send(Found(at.at(), "sensors"))
    at.wait(1_000)
    assert spent(at) == used + 1_000


def test_a_play_that_ends_the_game_is_not_timed_while_it_counts_by_itself() -> None:
    at = timed()
    at.stand("0....w.2 w", "2")
    used = spent(at)
    at.lift("5")
    at.wait(1_600)
    assert at.view.ending
    assert left(at, WHITE) >= 60_000 - used - 2_000
    held = left(at, WHITE)
    at.wait(2_500)
    assert at.view.phase is Phase.GAME_OVER
    assert left(at, WHITE) == held


def test_the_clock_goes_on_in_the_next_game() -> None:
    at = timed()
    at.stand("1ww..bb1 w")
    at.wait(10_000)
    at.resign()
    used = spent(at), spent(at, BLACK)
    at.wait(50_000)
    at.press()
    at.open("5", "3")
    assert (spent(at), spent(at, BLACK)) == used


def test_a_flag_falls_at_its_microsecond_and_loses_the_match() -> None:
    at = moving()
    due = at.referee.due
    begun = ms(at.now)
    assert due is not None
    at.referee.handle(Tick(Us(begun + ms(60_000) - 1)))
    assert at.referee.view.phase is Phase.MOVING
    assert at.referee.due == begun + ms(60_000)
    at.effects = list(at.referee.handle(Tick(Us(begun + ms(60_000)))))
    view, flag = at.view, decided(at)
    assert (view.phase, view.score) == (Phase.MATCH_OVER, Score(0, 5))
    assert (flag.what, flag.by, flag.us) == (Act.FLAG, WHITE, begun + ms(60_000))
    assert flag.clocks
    assert (flag.clocks.white.left, flag.clocks.black.left) == (0, ms(60_000))
    assert view.message == "Ben wins the match 5–0"
    assert view.hint == "Ben wins 5 points on time."
    assert Act.TAKE_BACK not in view.offers


def test_a_press_at_the_very_moment_comes_too_late_and_one_before_it_does_not() -> None:
    for early, phase in ((0, Phase.MATCH_OVER), (1, Phase.TO_ROLL)):
        at = moving()
        begun = at.now
        at.lift("2")
        at.drop("4")
        at.send(Button(Us(ms(begun + 60_000) - early), Press.SHORT))
        assert at.view.phase is phase


def test_overtime_is_told_and_the_second_expiry_loses() -> None:
    at = moving(overtime_s=60)
    at.wait(60_000)
    assert at.kept == ["overtime"]
    assert at.view.phase is Phase.MOVING
    assert at.view.clock
    assert at.view.clock.white.overtime
    assert left(at, WHITE) == 60_000
    assert at.view.hint.startswith("Ada is in overtime.")
    at.wait(59_999)
    assert at.view.phase is Phase.MOVING
    at.wait(1)
    assert (at.view.phase, at.kept) == (Phase.MATCH_OVER, ["flag"])


def hit_taken_back() -> Desk:
    """White's HOME/4* was accepted and undone."""
    at = timed(overtime_s=60)
    at.set_up()
    at.stand("1w..b..1 w", "4")
    at.move("-4", "+4")
    at.press()
    at.tap(Act.TAKE_BACK)
    return at


def test_overtime_after_a_takeback_still_asks_for_the_hit_checker() -> None:
    at = hit_taken_back()
    at.move("-4", "+4")
    assert "Put a hit checker back too" in at.view.hint
    at.wait(60_000)
    assert at.kept == ["overtime"]
    assert at.view.hint.startswith("Ada is in overtime. Put a hit checker back too.")


def test_overtime_in_a_later_turn_says_nothing_of_a_hit_taken_back_long_ago() -> None:
    at = hit_taken_back()
    at.move("-4", "+4", "-4", "+4")
    at.press()
    at.roll("1")
    at.wait(70_000)
    assert at.view.hint.startswith("Ben is in overtime. Legal")


def test_a_late_tick_tells_both_expiries() -> None:
    at = moving(overtime_s=60)
    at.wait(500_000)
    assert at.kept == ["overtime", "flag"]


def test_what_is_taken_back_has_cost_its_time() -> None:
    at = moving()
    at.lift("2")
    at.drop("4")
    at.wait(5_000)
    at.press()
    used = spent(at)
    at.wait(3_000)
    at.tap(Act.TAKE_BACK)
    black = spent(at, BLACK)
    assert at.view.to_act is WHITE
    assert (spent(at), black) == (used, 3_250)
    at.wait(1_000)
    assert (spent(at), spent(at, BLACK)) == (used + 1_000, black)
    at.tap(Act.RESTORE)
    at.wait(1_000)
    assert (at.view.to_act, spent(at)) == (BLACK, used + 1_250)
    assert spent(at, BLACK) == black + 1_000


def test_a_correction_that_passes_the_turn_hands_the_clock_over() -> None:
    at = moving()
    used = spent(at)
    at.tap(Act.CORRECT, position="1.w.wbb1 b")
    at.wait(2_000)
    assert (spent(at), spent(at, BLACK)) == (used + 250, 2_000)


def test_the_view_stays_the_same_while_the_clock_runs() -> None:
    at = moving(clock="delay", turn_s=12)
    first = at.view.timeless()
    for _ in range(5):
        assert at.wait(1_700).timeless() == first
    at.wait(1_500)
    seen = [at.view.at(ms(at.now + tenth * 100)) for tenth in range(21)]
    assert len(set(map(repr, seen))) == 3


def test_a_resumed_match_has_what_its_last_decision_says() -> None:
    at = moving()
    at.lift("2")
    at.drop("4")
    at.wait(5_000)
    at.press()
    kept = decided(at)
    at.wait(25_000)
    start = at.events[0]
    assert isinstance(start, Start)
    again = Referee(at.board, start, (read_decision(write_decision(kept)),))
    assert again.view.clock
    assert kept.clocks
    later = ms(at.now + 3_600_000)
    closed = frozenset(map(Sensor, ("1", "4", "5", "6")))
    effects = again.handle(Picture(later, closed))
    (resumed,) = [e.decision for e in effects if isinstance(e, Keep)]
    assert (resumed.what, resumed.clocks) == (Act.RESUMED, kept.clocks)
    assert again.view.message == "Ben to roll"
    assert again.view.hint.startswith("Match resumed; the clocks continue")
    again.handle(Tick(Us(later + ms(1_500))))
    face = again.view.clock
    assert face
    assert face.black.left_at(Us(later + ms(1_500))) == kept.clocks.black.left - ms(1_500)


def test_after_an_outage_the_clock_stands_until_the_board_does() -> None:
    at = moving()
    at.lift("2")
    at.drop("4")
    at.press()
    start, kept = at.events[0], decided(at)
    assert isinstance(start, Start)
    again = Referee(at.board, start, (kept,))
    later = ms(at.now + 60_000)
    again.handle(Picture(later, frozenset()))
    again.handle(Tick(Us(later + ms(40_000))))
    assert again.view.board is BoardState.DISTURBED
    assert again.view.clock
    assert kept.clocks
    assert again.view.clock.black.left == kept.clocks.black.left
    assert not again.view.clock.runs
    there = Us(later + ms(50_000))
    again.handle(Picture(there, frozenset(map(Sensor, ("1", "4", "5", "6")))))
    again.handle(Tick(Us(there + ms(1_000))))
    assert again.view.clock.runs


def test_a_line_of_a_decision_has_both_clocks_and_older_ones_none() -> None:
    at = moving(overtime_s=60)
    at.wait(61_000)
    decision = decided(at)
    line = write_decision(decision)
    assert read_decision(line) == decision
    assert '"clock": {"white": {"left": 60000, "spent": 60000, "overtime": true}' in line
    assert isinstance(decision.clocks, Clocks)
    with pytest.raises(EventError, match=r"clock\.white\.left"):
        read_decision(line.replace('"left": 60000, "spent"', '"left": -1, "spent"'))
    with pytest.raises(EventError, match=r"clock\.holder is 'nobody'"):
        read_decision(line.replace('"holder": "white"', '"holder": "nobody"'))


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"clock": "sand"}, "clock is 'sand'; choose one of: none, plain, delay"),
        (
            {"clock": "plain", "turn_s": 0},
            "turn_s goes with a clock that is one of: delay, bronstein, fischer",
        ),
        (
            {"reserve_s": 5},
            "reserve_s goes with a clock that is one of: plain, delay, bronstein, fischer",
        ),
        ({"clock": "delay", "reserve_s": 0}, "reserve_s is 0"),
        ({"clock": "delay", "overtime_s": -1}, "overtime_s is -1"),
        ({"policy": "none"}, "policy is 'none'; choose one of: legal moves, responsible moves"),
        ({"locked": 1}, "locked is 1; it must be true or false"),
        ({"dice": "mine"}, "dice is 'mine'; choose one of: as set, device, typed"),
        (
            {"policy": "responsible moves", "machine": "black", "machine_player": "exact"},
            "against the machine nobody can condone",
        ),
    ],
)
def test_options_that_cannot_be_are_named(options: dict[str, bool | int | str], fault: str) -> None:
    with pytest.raises(EventError) as told:
        Desk(5, "nannon", "nannon-6", **options)
    assert fault in str(told.value)


def test_a_clock_is_for_a_match_that_ends() -> None:
    with pytest.raises(EventError, match="a clock is for a match to so many points"):
        Desk(None, clock="plain")


def test_the_machine_s_clock_runs_while_it_thinks_and_not_while_hands_move_for_it() -> None:
    at = timed(machine="black", machine_player="exact")
    at.set_up()
    at.press()
    at.roll("3")
    at.send(MachineActs(at.at(), BLACK, Act.ROLL))
    assert any(isinstance(effect, AskRoll) for effect in at.effects)
    at.roll("5")
    at.wait(2_000)
    assert spent(at, BLACK) == 2_000
    at.send(MachineActs(at.at(), BLACK, Act.PLAY, "5/3"))
    at.wait(30_000)
    assert spent(at, BLACK) == 2_250


def test_a_line_of_a_view_has_the_clock_where_there_is_one() -> None:
    at = moving()
    at.wait(1_500)
    assert '"clock": {"white": 58500, "black": 60000, "runs": "white"}' in write_view(at.view)
    assert '"clock"' not in write_view(Desk().view)


@pytest.mark.parametrize("suspected", [True, False])
def test_the_clock_stands_while_the_board_is_amiss_if_a_sensor_is_suspected(
    suspected: bool,
) -> None:
    """Spotter itself may be wrong: 4 contradicted the accepted position twice or never."""
    at = timed()
    at.set_up()
    for position in ("1w..wbb1 b", "1w...bb1 b") * 2 * suspected:
        at.show("1", "5", "6")
        at.tap(Act.CORRECT, position=position)
    if not suspected:
        at.stand("1w...bb1 b")
    assert at.view.suspects == (("4",) if suspected else ())
    at.lift("6")
    at.drop("3")
    at.wait(1_600)
    assert at.view.board is BoardState.WRONG
    used = spent(at, BLACK)
    at.wait(20_000)
    assert spent(at, BLACK) == used + (0 if suspected else 20_000)
