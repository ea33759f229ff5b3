"""What the weighed hypotheses alone would say, on some of the positions of the exhaustive tests."""

from __future__ import annotations

from test_tracker_exhaustive import (
    GAME,
    ORDERS,
    as_white,
    attempts,
    handle,
    is_visible,
    make_hand,
    set_down,
)

from pi_app.rules.terms import Roll
from pi_app.sensing.reading import BoardState

SOME = slice(None, None, 60)


def test_legal_plays_in_every_order_are_those_plays() -> None:
    hand, found = make_hand(), 0
    for number, position in enumerate(as_white()[SOME]):
        roll = Roll.of(1 + number % 6)
        hand.stand(position, roll)
        before = hand
        for play in GAME.plays(position, roll):
            for order in ORDERS if play else ():
                hand = before.again()
                handle(hand, order, play[0], position)
                hand.wait(300)
                said = hand.tracker.opinion(hand.us)
                where = f"{GAME.write_position(position)} {roll} {GAME.write_play(play)} {order}"
                assert (said.state, said.plays) == (BoardState.PLAYED, (play,)), where
                assert said.confidence is not None
                assert said.confidence > 0.9
                found += 1
    assert found > 100


def test_illegal_attempts_that_reeds_see_are_told_with_their_rule() -> None:
    hand, told = make_hand(), 0
    for number, position in enumerate(as_white()[SOME]):
        roll = Roll.of(1 + number % 6)
        hand.stand(position, roll)
        before = hand
        for move in attempts(position, roll):
            if is_visible(move, position):
                hand = before.again()
                hand.lift(move.origin)
                set_down(hand, move, position)
                hand.wait(1600)
                said = hand.tracker.opinion(hand.us)
                where = f"{GAME.write_position(position)} {roll} {move}"
                assert said.state is BoardState.WRONG, where
                assert said.broken == GAME.explain(position, roll, (move,)), where
                told += 1
    assert told > 100
