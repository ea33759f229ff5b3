"""How sure a play is: what the view says of it, and what is kept with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from desk import Desk
from hypothesis import given
from hypothesis import strategies as some

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision, stated
from pi_app.referee.effects import Keep
from pi_app.sensing.reading import BoardState
from pi_app.sensing.senses import Senses


@pytest.fixture
def _unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Senses that say of every reading how sure they are."""
    plain = Senses.reading.fget  # type: ignore[attr-defined]
    unsure = property(lambda senses: replace(plain(senses), confidence=0.99999873149))
    monkeypatch.setattr(Senses, "reading", unsure)


def the_play(desk: Desk) -> Decision:
    """The play stored by the last event."""
    kept = [effect.decision for effect in desk.effects if isinstance(effect, Keep)]
    (play,) = [decision for decision in kept if decision.what is Act.PLAY]
    return play


def moving() -> Desk:
    desk = Desk()
    desk.open("5", "3")
    return desk


def hit_unseen() -> Desk:
    """An attacker was lifted and the button pressed: whether it has hit is asked."""
    desk = Desk()
    desk.stand("0.w.b..1 w", "2")
    desk.lift("2")
    assert desk.press().board is BoardState.CHOOSE
    return desk


@pytest.mark.usefixtures("_unsure")
def test_a_play_is_shown_and_kept_with_its_confidence() -> None:
    desk = moving()
    assert desk.view.confidence is None
    assert desk.lift("2").confidence is None
    desk.drop("4")
    view = desk.wait(300)
    assert (view.play, view.confidence) == ("2/4", 0.999998731)
    assert desk.press().confidence is None
    play = the_play(desk)
    assert (play.play, play.confidence, play.asked) == ("2/4", 0.999998731, False)


@pytest.mark.usefixtures("_unsure")
def test_so_is_one_that_counts_by_itself() -> None:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    assert desk.wait(2100).phase is Phase.GAME_OVER
    play = the_play(desk)
    assert (play.confidence, play.asked) == (0.999998731, False)


def named(desk: Desk) -> None:
    assert desk.tap(Act.CHOOSE, play="2/4*").confidence is None
    desk.press()


def pressed_again(desk: Desk) -> None:
    desk.wait(600)
    desk.press()


@pytest.mark.usefixtures("_unsure")
@pytest.mark.parametrize("answer", [named, pressed_again])
def test_a_play_that_was_asked_about_is_kept_as_asked(answer: Callable[[Desk], None]) -> None:
    desk = hit_unseen()
    answer(desk)
    play = the_play(desk)
    assert (play.play, play.confidence, play.asked) == ("2/4*", None, True)


@pytest.mark.usefixtures("_unsure")
def test_an_answer_holds_for_the_play_that_was_named_alone() -> None:
    desk = hit_unseen()
    desk.tap(Act.CHOOSE, play="2/4*")
    desk.drop("2")
    desk.lift("2")
    desk.lift("4")
    desk.drop("4")
    assert (desk.wait(300).play, desk.view.confidence) == ("2/4*", 0.999998731)
    desk.press()
    assert not the_play(desk).asked


def test_a_turn_in_which_nothing_can_move_makes_no_claim() -> None:
    desk = Desk()
    desk.stand("1wwbbb.0 w", "3")
    desk.press()
    play = the_play(desk)
    assert (play.play, play.confidence, play.asked) == ("forfeit", None, False)


def test_one_that_was_passed_against_the_question_is_kept_as_asked() -> None:
    desk = Desk()
    desk.stand("1wwbbb.0 w", "3")
    desk.lift("3")
    desk.drop("3")
    desk.press()
    desk.press()
    play = the_play(desk)
    assert (play.play, play.confidence, play.asked) == ("forfeit", None, True)


def test_a_board_that_was_declared_right_makes_no_claim() -> None:
    desk = moving()
    desk.lift("2")
    desk.tap(Act.CORRECT, position="1w..wbb1 b")
    (correction,) = [effect.decision for effect in desk.effects if isinstance(effect, Keep)]
    assert (correction.confidence, correction.asked) == (None, False)


@pytest.mark.parametrize(
    ("confidence", "said"),
    [
        (1.0, 0.999999999),
        (1 - 1e-12, 0.999999999),
        (0.9999999996, 0.999999999),
        (0.9999989999, 0.999998999),
        (0.9995, 0.9995),
        (0.1 + 0.2, 0.3),
        (1e-12, 0.0),
        (0.0, 0.0),
    ],
)
def test_a_confidence_is_rounded_down_to_nine_decimals(confidence: float, said: float) -> None:
    assert stated(confidence) == said


@given(some.floats(0, 1))
def test_no_confidence_is_said_to_be_more_than_it_is(confidence: float) -> None:
    said = stated(confidence)
    assert max(0.0, confidence - 1.1e-9) <= said <= confidence
    assert stated(said) == said
    assert len(f"{said:.9f}") == len("0.999999999")
    assert float(f"{said:.9f}") == said
