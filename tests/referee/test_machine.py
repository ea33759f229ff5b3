"""The machine at the board: nothing moves before it has chosen, and then nothing else is legal."""

from __future__ import annotations

import json

import pytest
from desk import Desk
from spots import spots

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.effects import Keep
from pi_app.referee.events import EventError, MachineActs, MachineSeat, Start
from pi_app.referee.lines import read_event, write_event
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.sensing.reading import BoardState

BLACK = MachineSeat(Side.BLACK, "exact")


def desk() -> Desk:
    """Ada is White, Black is the machine's."""
    return Desk(machine="black", machine_player="exact")


def tell(at: Desk, act: Act, play: str | None = None, by: Side = Side.BLACK) -> View:
    return at.send(MachineActs(at.at(), by, act, play))


def thinking() -> Desk:
    """Black won the opening roll and is to play 2: 5/3 or 6/4."""
    at = desk()
    at.set_up()
    at.press()
    at.roll("3")
    tell(at, Act.ROLL)
    assert at.asked == [Side.BLACK]
    at.roll("5")
    return at


def chosen() -> Desk:
    at = thinking()
    tell(at, Act.PLAY, "5/3")
    return at


def to_roll() -> Desk:
    """Black, the machine, is to roll and may double."""
    at = desk()
    at.set_up()
    at.stand("1ww.b.b1 b")
    assert at.view.phase is Phase.TO_ROLL
    assert at.view.to_act is Side.BLACK
    return at


def test_nothing_moves_before_the_machine_has_chosen() -> None:
    at = thinking()
    assert at.view.thinking
    assert at.view.hint == "Ben is thinking."
    at.lift("6")
    at.drop("4")
    view = at.wait(2000)
    assert view.board is BoardState.WRONG
    assert view.reason == "Wait for the play of Ben"
    at.press()
    assert at.view.phase is Phase.MOVING
    at.lift("4")
    at.drop("6")
    assert at.wait(500).board is BoardState.RESTING


def test_its_play_is_shown_until_the_board_shows_it() -> None:
    at = chosen()
    view = at.view
    assert (view.message, view.chosen) == ("Ben plays 5/3", "5/3")
    assert [(move.origin, move.target) for move in view.to_make] == [spots("5 3")]
    at.lift("5")
    assert at.view.to_make == view.to_make
    at.wait(300)
    assert at.view.targets == spots("3")
    at.drop("3")
    at.wait(300)
    assert at.view.board is BoardState.PLAYED
    assert (at.view.to_make, at.view.moves) == ((), view.to_make)
    at.press()
    assert (at.view.phase, at.view.to_act) == (Phase.TO_ROLL, Side.WHITE)
    assert at.view.chosen is None


def test_another_legal_play_is_told_like_an_illegal_one_with_the_way_back() -> None:
    at = chosen()
    at.lift("6")
    at.drop("4")
    view = at.wait(2000)
    assert (view.board, view.rule) == (BoardState.WRONG, "machine-plays")
    assert view.message == "Ben plays 5/3; you moved 6/4"
    assert view.hint == "Put it back on 6."
    before = view.position
    at.press()
    at.press()
    assert at.view.position == before, "however often it is pressed, it does not count"
    at.lift("4")
    at.drop("6")
    assert at.wait(400).message == "Ben plays 5/3"
    at.lift("5")
    at.drop("3")
    at.wait(400)
    assert at.press().to_act is Side.WHITE


def test_a_rule_that_is_broken_in_its_turn_is_no_fault_of_its() -> None:
    at = chosen()
    at.lift("6")
    at.drop("3")
    assert at.wait(2000).rule == "wrong-distance"
    at.lift("3")
    at.drop("6")
    at.wait(400)
    at.lift("5")
    at.drop("3")
    at.wait(400)
    at.press()
    (kept,) = (effect.decision for effect in at.effects if isinstance(effect, Keep))
    assert (kept.what, kept.warned) == (Act.PLAY, 0)


def test_nobody_else_rolls_doubles_answers_or_resigns_for_it() -> None:
    at = to_roll()
    never = {Act.DOUBLE, Act.RESIGN, Act.TAKE, Act.PASS}
    assert at.view.thinking
    assert not never & at.view.offers
    at.hold()
    at.press()
    assert (at.view.phase, at.asked) == (Phase.TO_ROLL, [])
    tell(at, Act.HOLD)
    at.hold()
    assert at.view.phase is Phase.TO_ROLL
    assert not at.view.thinking
    at.press()
    assert at.asked == [Side.BLACK], "the button rolls for it"


def test_it_doubles_and_the_person_answers() -> None:
    at = to_roll()
    view = tell(at, Act.DOUBLE)
    assert (view.phase, view.to_act) == (Phase.DOUBLE_OFFERED, Side.WHITE)
    assert at.press().cube.value == 2


@pytest.mark.parametrize(("act", "phase"), [(Act.TAKE, Phase.TO_ROLL), (Act.PASS, Phase.GAME_OVER)])
def test_a_double_offered_to_it_waits_for_its_answer(act: Act, phase: Phase) -> None:
    at = desk()
    at.set_up()
    at.stand("1ww.b.b1 w")
    at.hold()
    assert at.view.hint == "Ben is thinking."
    at.press()
    at.hold()
    at.tap(Act.TAKE)
    assert at.view.phase is Phase.DOUBLE_OFFERED
    assert tell(at, act).phase is phase


@pytest.mark.parametrize(
    ("act", "phase"), [(Act.ACCEPT, Phase.GAME_OVER), (Act.REFUSE, Phase.TO_ROLL)]
)
def test_a_resignation_waits_for_its_answer(act: Act, phase: Phase) -> None:
    at = desk()
    at.set_up()
    at.stand("1ww.b.b1 w")
    at.tap(Act.RESIGN, points=1)
    at.tap(Act.ACCEPT)
    at.press()
    assert at.view.phase is Phase.RESIGNATION_OFFERED
    assert tell(at, act).phase is phase


def test_without_an_answer_the_hand_plays_for_it() -> None:
    at = thinking()
    view = tell(at, Act.NOTHING)
    assert view.hint == "Ben does not answer. Play for Ben yourself."
    at.lift("6")
    at.drop("4")
    assert at.wait(400).board is BoardState.PLAYED
    assert at.press().to_act is Side.WHITE
    assert not at.view.silent


def test_a_silent_machine_stays_silent_when_a_sensor_is_set_aside() -> None:
    at = thinking()
    tell(at, Act.NOTHING)
    view = at.tap(Act.SENSOR_OFF, sensor="3")
    assert view.silent
    assert not view.thinking
    at.lift("6")
    at.drop("4")
    at.press()
    assert at.view.to_act is Side.WHITE


def test_without_an_answer_the_person_answers_for_it() -> None:
    at = desk()
    at.set_up()
    at.stand("1ww.b.b1 w")
    at.hold()
    tell(at, Act.NOTHING)
    assert at.press().cube.value == 2


def test_a_turn_without_a_move_is_passed_by_a_press() -> None:
    at = desk()
    at.set_up()
    at.stand("0wwwbbb0 b", "1")
    assert not at.view.thinking
    at.press()
    assert at.view.to_act is Side.WHITE


def test_its_play_is_taken_back_like_any_other_and_chosen_anew() -> None:
    at = chosen()
    at.lift("5")
    at.drop("3")
    at.wait(400)
    at.press()
    at.tap(Act.TAKE_BACK)
    at.lift("3")
    at.drop("5")
    at.wait(500)
    assert at.view.thinking
    assert at.view.roll == "2"
    assert tell(at, Act.PLAY, "6/4").chosen == "6/4"


def test_a_sensor_set_aside_leaves_its_choice() -> None:
    at = chosen()
    at.tap(Act.SENSOR_OFF, sensor="1")
    assert at.view.chosen == "5/3"


def test_a_corrected_board_is_thought_about_anew() -> None:
    at = chosen()
    at.tap(Act.CORRECT, position="1ww.b.b1 b")
    assert at.view.chosen is None
    assert at.view.thinking


def test_what_is_not_its_to_decide_changes_nothing() -> None:
    at = thinking()
    for act in Act:
        if act not in (Act.PLAY, Act.NOTHING):
            assert tell(at, act).thinking
    assert tell(at, Act.PLAY, "5/3", by=Side.WHITE).thinking
    with pytest.raises(EventError, match=r"play '5/1' is not legal; legal are: 6/4, 5/3"):
        tell(at, Act.PLAY, "5/1")
    people = Desk()
    people.open("3", "5")
    assert people.send(MachineActs(people.at(), Side.BLACK, Act.PLAY, "5/3")).chosen is None


def test_the_same_events_make_the_same_match_from_their_lines() -> None:
    at = chosen()
    lines = [write_event(event) for event in at.events]
    start, *events = map(read_event, lines)
    assert isinstance(start, Start)
    referee = Referee(at.board, start)
    for event in events:
        referee.handle(event)
    assert referee.view == at.view
    assert json.loads(lines[-1]) == {
        "ms": at.now,
        "event": "machine",
        "by": "black",
        "does": "play",
        "play": "5/3",
    }


def test_it_has_a_side_and_a_player_or_neither() -> None:
    with pytest.raises(EventError, match="machine player is ''; it goes with the side"):
        Desk(machine="white")
    with pytest.raises(EventError, match="machine player is 'exact'; it goes with the side"):
        Desk(machine_player="exact")
    with pytest.raises(EventError, match="machine"):
        Desk(machine="green", machine_player="exact")
    assert desk().view.machine == BLACK
    assert Desk().view.machine is None
