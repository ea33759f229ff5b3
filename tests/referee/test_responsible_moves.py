"""Responsible moves: the view hides what is legal, and an illegal play may be accepted."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import get_args, get_origin, get_type_hints

import pytest
from desk import Desk
from known import GAMES

from pi_app.export.leaves import leaves
from pi_app.export.mat import mat_lines
from pi_app.export.retold import Kept
from pi_app.export.sheet import score_sheet
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.effects import Cue, Keep
from pi_app.referee.events import EventError, Start
from pi_app.referee.lines import read_decision, write_decision
from pi_app.referee.referee import Referee
from pi_app.referee.view import NOTHING, PutRight, View, Visibility, fields_marked
from pi_app.rules.terms import Side
from pi_app.sensing.reading import BoardState


def test_every_field_of_the_view_is_marked_once() -> None:
    """Somebody decided of each whether it may be seen under responsible moves."""
    names = [name for mark in Visibility for name in fields_marked(mark)]
    assert sorted(names) == sorted(field.name for field in fields(View))


def test_every_discreet_field_can_say_nothing() -> None:
    hints = get_type_hints(View)
    for name in fields_marked(Visibility.DISCREET):
        kind = get_origin(hints[name]) or hints[name]
        nothing = NOTHING.get(kind)
        assert type(nothing) in {kind, *get_args(hints[name])}, name


def moving(policy: str = "responsible moves") -> Desk:
    """White is to play a 2: 1/3 or 2/4."""
    at = Desk(5, "nannon", "nannon-6", policy=policy)
    at.open("5", "3")
    return at


def moved(spot: str, to: str, policy: str = "responsible moves") -> Desk:
    at = moving(policy)
    at.lift(spot)
    at.drop(to)
    at.wait(9_000)
    return at


def decided(at: Desk) -> Decision:
    return [effect.decision for effect in at.effects if isinstance(effect, Keep)][-1]


def told(view: View) -> View:
    """The view without where the checkers lie."""
    return replace(
        view, standing={}, closed=frozenset(), lifted=(), clock=None, last_plays=(), position=""
    ).timeless()


def test_nothing_tells_a_legal_play_from_an_illegal_one() -> None:
    legal, illegal = moved("2", "4"), moved("2", "3")
    assert told(legal.view) == told(illegal.view)
    view = illegal.view
    assert (view.message, view.hint) == ("Ada to play 2", "Press the die button to confirm.")
    assert (view.rule, view.legal, view.targets, view.moves) == (None, (), (), ())
    assert Act.SCREEN_IS_RIGHT not in view.offers


def public(view: View) -> dict[str, object]:
    """What may be seen, without the agreement itself."""
    return {name: getattr(view, name) for name in fields_marked(Visibility.PUBLIC) - {"terms"}}


@pytest.mark.parametrize("to", ["3", "4"])
def test_each_field_shows_what_its_mark_says(to: str) -> None:
    view, usual = moved("2", to).view, moved("2", to, policy="legal moves").view
    assert public(view) == public(usual)
    discreet = {name: getattr(view, name) for name in fields_marked(Visibility.DISCREET)}
    assert not any(discreet.values()), discreet
    own = {name: getattr(view, name) for name in fields_marked(Visibility.OWN)}
    assert own == {
        "board": BoardState.IN_HAND,
        "message": "Ada to play 2",
        "hint": "Press the die button to confirm.",
        "moves_exist": True,
        "pips": None,
        "first_lacks": (0, 0),
        "dice_left": (2,),
        "put_right": PutRight(),
        "fill": (),
        "clear": (),
        "offers": usual.offers - {Act.SCREEN_IS_RIGHT},
    }


def test_no_sound_tells_either() -> None:
    for to in ("3", "4"):
        at, cues = moving(), list[Cue]()
        at.lift("2")
        at.drop(to)
        cues += at.cues
        at.wait(9_000)
        assert [*cues, *at.cues] == []


def test_a_hand_that_is_under_way_is_not_shown_where_it_may_go() -> None:
    at = moving()
    view = at.lift("2")
    view = at.wait(3_000)
    assert (view.board, view.targets, view.onward) == (BoardState.IN_HAND, (), ())


def test_no_dice_fall_by_themselves_whatever_was_played() -> None:
    for to in ("3", "4"):
        at = moved("2", to)
        at.press()
        assert (at.view.phase, at.view.to_act, at.asked) == (Phase.TO_ROLL, Side.BLACK, [])


def test_an_illegal_play_counts_as_it_lies_and_the_record_says_so() -> None:
    at = moved("2", "3")
    at.press()
    play = decided(at)
    assert (play.play, play.condoned, play.asked, play.confidence) == ("2/3", True, False, None)
    assert play.warned is None
    assert at.view.position == "1w.w.bb1 b"
    assert at.view.last_play
    assert at.view.last_play.play == "2/3"
    line = write_decision(play)
    assert '"condoned": true' in line
    assert read_decision(line) == play


def test_a_legal_play_is_not_condoned() -> None:
    at = moved("2", "4")
    at.press()
    assert not decided(at).condoned


def test_the_opponent_has_it_corrected_before_he_goes_on() -> None:
    at = moved("2", "3")
    at.press()
    assert Act.TAKE_BACK in at.view.offers
    view = at.tap(Act.TAKE_BACK)
    assert (view.phase, view.to_act, view.roll) == (Phase.MOVING, Side.WHITE, "2")
    at.lift("3")
    at.drop("4")
    at.wait(1_000)
    at.press()
    assert (decided(at).play, decided(at).condoned) == ("2/4", False)


def test_a_resumed_match_can_still_have_it_corrected() -> None:
    at, kept = moving(), list[Decision]()
    for event in moved("2", "3").events[len(at.events) :]:
        at.now = event.us // 1000
        at.send(event)
        kept += [effect.decision for effect in at.effects if isinstance(effect, Keep)]
    at.press()
    start = at.events[0]
    assert isinstance(start, Start)
    before = decided(moving())
    again = Referee(at.board, start, (before, *kept, decided(at)))
    assert Act.TAKE_BACK in again.view.offers
    assert again.view.back_to


def test_what_the_sensors_cannot_tell_is_asked() -> None:
    """A hit by no legal move: whose checker lies there no reed says."""
    at = Desk(5, "nannon", "nannon-6", policy="responsible moves")
    at.set_up()
    at.stand("1ww..bb1 w", "2")
    at.lift("2")
    at.lift("5")
    at.drop("5")
    at.wait(9_000)
    view = at.press()
    assert (view.phase, view.to_act) == (Phase.MOVING, Side.WHITE)
    assert view.message == "Play not recognised"
    assert view.hint.startswith("Tap Accept the board and enter it")
    assert view.rule is None
    at.tap(Act.CORRECT, position="1w..wb.2 b")
    assert (at.view.to_act, at.view.message) == (Side.BLACK, "Ben to roll")


def test_what_counts_is_what_was_done_whatever_hands_do() -> None:
    """Checkers of either side anywhere, hits and swaps: it counts as it lies, or it is asked."""
    counted = asked = 0
    for seed in range(120):
        chance = random.Random(seed)
        at = moving()
        before, there = at.view.position, dict(enumerate("ww..bb", start=1))
        for _ in range(chance.choice((1, 1, 1, 2))):
            origin = chance.choice([spot for spot, who in there.items() if who != "."])
            target = chance.choice([spot for spot in there if spot != origin])
            at.lift(str(origin))
            if there[target] != ".":
                at.lift(str(target))  # it goes off the board
            at.drop(str(target))
            there[target], there[origin] = there[origin], "."
        at.wait(6_000)
        view = at.press()
        if view.to_act is Side.BLACK:
            counted += 1
            assert view.position[1:7] == "".join(there.values()), (seed, before)
        else:
            asked += 1
            assert view.position == before, seed
    assert min(counted, asked) > 5


def test_the_sheet_has_the_agreement_and_the_condoned_play() -> None:
    at = moved("2", "3")
    at.press()
    start = at.events[0]
    assert isinstance(start, Start)
    first = decided(moving())
    kept = Kept(start, (first, decided(at)), GAMES)
    lines = list(score_sheet(kept))
    assert "Agreed: responsible moves" in lines
    assert any(line.endswith(": 2/3  (illegal, accepted)") for line in lines)
    assert not any("condoned" in str(leaf.said) for leaf in leaves(kept)), "the game goes on"


def test_a_match_file_has_no_words_for_it() -> None:
    at = Desk(5, "backgammon", "tables-24", policy="responsible moves")
    at.show_accepted()
    for die in ("3", "1"):
        at.press()
        at.roll(die)
    first = decided(at)
    at.move("-8.3", "+7.1")
    at.press()
    play = decided(at)
    assert (play.play, play.condoned) == ("8/7", True)
    start = at.events[0]
    assert isinstance(start, Start)
    kept = Kept(start, (first, play), GAMES)
    with pytest.raises(EventError, match="entry 1 is no legal play; it was condoned"):
        list(mat_lines(kept, "2026-01-01T20:00"))
