"""Every reachable Nannon position, every roll, every play and every single-checker attempt.

They take turns: with THOROUGH=1 in the environment all are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import cycle, groupby

import pytest
from known import load_board
from shares import one_in

from pi_app.base.microseconds import Us, ms
from pi_app.rules.nannon import BOARD, HOME, SAFETY, Nannon, NannonPosition
from pi_app.rules.terms import Move, Roll, Side, Spot
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.occupancy import SensedSpots
from pi_app.sensing.reading import BoardState, Patience
from pi_app.sensing.tracker import Tracker

GAME = Nannon()
TIMES = Patience()
BRUSH_MS, STEP_MS = 40, 250
SHARE = one_in(32)


@cache
def reachable() -> list[NannonPosition]:
    """Every position that is not over, White to move or Black to move, from any opening."""
    found: dict[NannonPosition, None] = {}
    frontier = [GAME.start(side) for side in Side]
    while frontier:
        position = frontier.pop()
        if position in found or GAME.outcome(position):
            continue
        found[position] = None
        for die in range(1, 7):
            plays = GAME.plays(position, Roll.of(die))
            frontier += [GAME.after(position, play) for play in plays]
    return list(found)


def as_white() -> list[NannonPosition]:
    """The positions with White to move; those of Black are their mirrors."""
    return [position for position in reachable() if position.mover is Side.WHITE]


checkers_at = cache(GAME.checkers_at)
plays_of = cache(GAME.plays)


@dataclass
class TrackedHand:
    """A hand over a tracker's sensors: true checkers in, cooked changes out."""

    tracker: Tracker
    us: Us = Us(0)

    def stand(self, position: NannonPosition, roll: Roll) -> None:
        """The board shows the position, all is forgotten, the roll is on the table."""
        for spot, owner in zip(BOARD, position.spots, strict=True):
            if (Sensor(str(spot)) in self.tracker.closed) != (owner is not None):
                self.step(spot, owner is not None)
        self.tracker.expect(position, roll)
        self.wait(5000)
        assert self.tracker.reading.state is BoardState.RESTING

    def again(self) -> TrackedHand:
        """Another hand over the same board, from here on: what a tracker holds never changes."""
        return TrackedHand(copy(self.tracker), self.us)

    def step(self, spot: Spot, closed: bool, after_ms: float = STEP_MS) -> None:
        self.us = Us(self.us + ms(after_ms))
        if spot in BOARD:
            self.tracker.see(Touch(self.us, Sensor(str(spot)), closed))
            self.tracker.update(self.us)

    def lift(self, spot: Spot) -> None:
        self.step(spot, False)

    def drop(self, spot: Spot) -> None:
        self.step(spot, True)

    def brush(self, spot: Spot, rests_closed: bool) -> None:
        self.step(spot, not rests_closed)
        self.step(spot, rests_closed, BRUSH_MS)

    def wait(self, time_ms: float) -> None:
        self.us = Us(self.us + ms(time_ms))
        self.tracker.update(self.us)

    def settle(self, move: Move) -> None:
        """As long as it takes until the move is shown: off the board no sensor feels it land."""
        self.wait(300 if move.target in BOARD else 1600)


def make_hand() -> TrackedHand:
    return TrackedHand(
        Tracker(SensedSpots(load_board("nannon-6")), GAME, TIMES, GAME.start(Side.WHITE))
    )


def mover_first(hand: TrackedHand, move: Move) -> None:
    hand.lift(move.origin)
    if move.hit:
        hand.lift(move.target)
    hand.drop(move.target)


def victim_first(hand: TrackedHand, move: Move) -> None:
    if move.hit:
        hand.lift(move.target)
    hand.lift(move.origin)
    hand.drop(move.target)


def put_back_first(hand: TrackedHand, move: Move) -> None:
    hand.lift(move.origin)
    hand.drop(move.origin)
    if move.hit:
        hand.lift(move.target)
        hand.drop(move.target)
    mover_first(hand, move)


def path(move: Move) -> tuple[Spot, ...]:
    """The spots between origin and target."""
    start = BOARD.index(move.origin) if move.origin in BOARD else -1
    end = BOARD.index(move.target) if move.target in BOARD else len(BOARD)
    return BOARD[start + 1 : end]


def slid(hand: TrackedHand, move: Move, position: NannonPosition) -> None:
    if move.hit:
        hand.lift(move.target)
    hand.lift(move.origin)
    for spot in path(move):
        if position.spots[BOARD.index(spot)] is None:
            hand.brush(spot, rests_closed=False)
    hand.drop(move.target)


def brushed(hand: TrackedHand, move: Move, position: NannonPosition) -> None:
    hand.lift(move.origin)
    if move.hit:
        hand.lift(move.target)
    for spot in BOARD:
        if spot not in (move.origin, move.target):
            hand.brush(spot, rests_closed=position.spots[BOARD.index(spot)] is not None)
    hand.drop(move.target)


def handle(hand: TrackedHand, order: str, move: Move, position: NannonPosition) -> None:
    match order:
        case "mover first":
            mover_first(hand, move)
        case "victim first":
            victim_first(hand, move)
        case "put back first":
            put_back_first(hand, move)
        case "slid":
            slid(hand, move, position)
        case _:
            brushed(hand, move, position)


ORDERS = ("mover first", "victim first", "put back first", "slid", "brushed neighbours")


@pytest.mark.parametrize("die", range(1, 7))
def test_every_legal_play_ends_in_that_play_whatever_the_order(die: int) -> None:
    """The orders take turns: all five for every play would take five minutes."""
    hand, roll, orders = make_hand(), Roll.of(die), cycle(ORDERS)
    for position in as_white()[die % SHARE :: SHARE]:
        hand.stand(position, roll)
        before = hand
        for play in filter(None, GAME.plays(position, roll)):
            hand, order = before.again(), next(orders)
            handle(hand, order, play[0], position)
            hand.settle(play[0])
            reading = hand.tracker.reading
            where = (
                f"{GAME.write_position(position)} {die} {GAME.write_play(position, play)} {order}"
            )
            assert (reading.state, reading.plays) == (BoardState.PLAYED, (play,)), where


def test_black_plays_are_tracked_too() -> None:
    hand = make_hand()
    for position in [p for p in reachable() if p.mover is Side.BLACK][::SHARE]:
        roll = Roll.of(1 + position.home[0] % 6)
        hand.stand(position, roll)
        before = hand
        for play in GAME.plays(position, roll):
            if play:
                hand = before.again()
                victim_first(hand, play[0])
                hand.settle(play[0])
                assert hand.tracker.reading.plays == (play,), GAME.write_position(position)


def attempts(position: NannonPosition, roll: Roll) -> Iterator[Move]:
    """Every illegal way to move one checker from where one stands, own or not."""
    legal = {(m.origin, m.target) for play in plays_of(position, roll) for m in play}
    checkers = checkers_at(position)
    for origin in (*BOARD, HOME[Side.WHITE]):
        for target in (*BOARD, SAFETY[Side.WHITE]):
            if checkers[origin] and origin != target and (origin, target) not in legal:
                yield Move(origin, target)


def set_down(hand: TrackedHand, move: Move, position: NannonPosition) -> None:
    """The lifted checker goes there: a checker of the other side on the target makes way."""
    owner = checkers_at(position)
    if owner[move.target] and owner[move.target] != owner[move.origin]:
        hand.lift(move.target)
    if move.target in BOARD and owner[move.target] != owner[move.origin]:
        hand.drop(move.target)


def is_visible(move: Move, position: NannonPosition, roll: Roll) -> bool:
    """Whether the reeds show that a checker was set down: not in the air, not where one stood."""
    checkers = checkers_at(position)
    if move.target not in BOARD or checkers[move.target] == checkers[move.origin]:
        return False
    if not checkers[move.target]:
        return True
    # A replaced checker shows by its dip, but only a lifted one tells it from a touch; and not if
    # that one may have left the board while the other was straightened.
    leaves = any(
        leave.origin == move.origin and leave.target not in BOARD
        for play in plays_of(position, roll)
        for leave in play
    )
    return move.origin in BOARD and checkers[move.target] == (Side.BLACK,) and not leaves


@pytest.mark.parametrize("die", range(1, 7))
def test_every_illegal_attempt_is_explained_and_mended(die: int) -> None:
    """For every position with one roll; the rolls alternate."""
    hand, roll, told, asked = make_hand(), Roll.of(die), 0, 0
    for position in as_white()[die - 1 :: 6 * SHARE]:
        hand.stand(position, roll)
        before, text = hand, GAME.write_position(position)
        for origin, moves in groupby(attempts(position, roll), lambda move: move.origin):
            lifted = before.again()
            lifted.lift(origin)
            for move in moves:
                where = f"{text} {die} {origin}→{move.target}"
                hand = lifted.again()
                set_down(hand, move, position)
                if is_visible(move, position, roll):
                    check_told(hand, move, position, roll, where)
                    told += 1
                else:
                    check_press(hand, position, roll, where)
                    asked += 1
                check_mended(hand, move, position, roll, where)
    assert told > 800 // SHARE
    assert asked > 800 // SHARE


def check_told(
    hand: TrackedHand, move: Move, position: NannonPosition, roll: Roll, where: str
) -> None:
    hand.wait(1000)
    assert hand.tracker.reading.state is not BoardState.WRONG, where
    hand.wait(600)
    reading = hand.tracker.reading
    assert reading.state is BoardState.WRONG, (where, reading)
    broken = GAME.explain(position, roll, (move,))
    assert reading.broken == broken, (where, reading)
    fill, clear = hand.tracker.put_right()
    replaced = checkers_at(position)[move.target] != ()
    assert fill == ((str(move.origin),) if move.origin in BOARD else ()), where
    assert clear == (() if replaced else (str(move.target),)), where


def check_press(hand: TrackedHand, position: NannonPosition, roll: Roll, where: str) -> None:
    """A move that the reeds miss is never accepted as another play: Spotter reports or asks."""
    hand.wait(5000)
    quiet = hand.tracker.reading
    assert quiet.state is not BoardState.WRONG, where
    if quiet.state is BoardState.PLAYED:
        # A checker lifted from the board, or touched, looks like this legal leave or entry.
        assert GAME.explain(position, roll, quiet.plays[0]) is None, where
        return
    for _ in range(2):
        # Who presses may have the checker in the air still; who presses again has not.
        if hand.tracker.reading.state is BoardState.IN_HAND or not hand.tracker.reading.opened:
            hand.tracker.insist()
            hand.tracker.update(hand.us)
    reading = hand.tracker.reading
    states = (BoardState.WRONG, BoardState.CHOOSE)
    assert reading.state in ((*states, BoardState.RESTING) if not reading.opened else states), where
    if reading.state is BoardState.WRONG:
        assert reading.broken == GAME.explain(position, roll, reading.attempt), where
        assert reading.broken, where


def check_mended(
    hand: TrackedHand, move: Move, position: NannonPosition, roll: Roll, where: str
) -> None:
    """A legal play is accepted from here, straight away and after going back."""
    checkers = checkers_at(position)
    for play in plays_of(position, roll):
        if play and play[0].origin == move.origin in BOARD and not play[0].hit:
            straight_on(hand, move, play[0], checkers[move.target] != ())
            if hand.tracker.reading.state is not BoardState.PLAYED:
                # It left the board, but what it had replaced was touched again: that is asked.
                assert play[0].target not in BOARD, where
                hand.tracker.insist()
                hand.tracker.update(hand.us)
            assert hand.tracker.reading.plays == (play,), (where, play)
            hand.lift(play[0].target)
            hand.drop(move.origin)
            hand.wait(300)
            assert hand.tracker.reading.state is BoardState.RESTING, (where, play)
            mover_first(hand, play[0])
            hand.settle(play[0])
            assert hand.tracker.reading.plays == (play,), (where, play)
            return


def straight_on(hand: TrackedHand, move: Move, legal: Move, replaced: bool) -> None:
    """The checker continues from the wrong spot; the replaced one comes back."""
    if Sensor(str(move.target)) in hand.tracker.closed and move.target in BOARD:
        hand.lift(move.target)
        if replaced:
            hand.drop(move.target)
    hand.drop(legal.target)
    hand.settle(legal)
