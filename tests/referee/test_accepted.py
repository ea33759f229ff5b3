"""The facts of an accepted position: equal to the game's, and computed once."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from desk import Desk
from known import GAMES

from pi_app.match.acts import Act
from pi_app.match.score import Agreement
from pi_app.match.turns import Turns
from pi_app.referee.history import Accepted, History, PlayMade
from pi_app.referee.view import View
from pi_app.rules.terms import Roll, Side

NAMES = ("Ada", "Ben")
TURNS = 30


def lasting(view: View) -> tuple[object, ...]:
    told = (view.accepted, view.last_play, view.resignations, view.back_to, view.legal)
    return (view.position, *map(id, told))


def test_through_a_turn_nothing_accepted_is_told_anew() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    first = desk.roll("2")
    for view in (desk.lift("5"), desk.drop("5"), desk.wait(2000), desk.move("-5", "+3")):
        assert lasting(view) == lasting(first)
    assert view.standing != first.standing
    accepted = desk.press()
    assert (accepted.position, accepted.accepted) == (view.after, view.standing)
    assert accepted.last_play != first.last_play
    taken_back = desk.tap(Act.TAKE_BACK)
    assert (taken_back.position, taken_back.accepted) == (first.position, first.accepted)
    assert (taken_back.last_play, taken_back.back_to) == (first.last_play, first.back_to)


@pytest.mark.parametrize("name", list(GAMES))
def test_through_a_game_it_tells_what_the_rules_say(name: str) -> None:
    game, chance = GAMES[name], random.Random(name)
    turns = Turns(game, Agreement(None, cube=False, crawford=False, tie_turns_cube=False))
    state = replace(turns.begin(), position=game.start(Side.WHITE))
    accepted = Accepted(turns, History(state), NAMES)
    assert (accepted.last_plays, accepted.last_turn, accepted.last_moved) == ((), None, None)
    for number in range(TURNS):
        before = accepted.history.state
        roll = Roll.of(*(chance.randint(1, 6) for _ in range(game.dice)))
        play = chance.choice(game.plays(before.position, roll))
        after = accepted.after(play)
        assert after is accepted.after(play)
        assert after.position == game.after(before.position, play)
        assert after.checkers == game.checkers_at(after.position)
        assert after.text == game.write_position(after.position)
        assert (after.pips or (None, None))[0] == game.pips(after.position, Side.WHITE)
        assert after.outcome == game.outcome(after.position)
        moves = game.moves(before.position, play)
        assert accepted.midway(moves).checkers == after.checkers
        if after.outcome:
            break
        state = replace(before, position=after.position, to_act=before.to_act.other, roll=roll)
        plays = (*accepted.history.plays, PlayMade(replace(before, roll=roll), play))
        accepted = replace(accepted, history=History(state, plays))
        assert accepted.here.text == after.text
        last = accepted.last_plays[0]
        assert last.moves == moves
        assert last.before == game.checkers_at(before.position)
        assert last.roll == "-".join(str(roll))
        assert len(accepted.last_plays) == min(3, number + 1)
        if moves:
            assert accepted.last_moved == number
            assert accepted.last_turn
            assert accepted.last_turn.plays == 1
    assert number > 2
