"""Invariants of every play of every game on every board, whatever else happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from human import Human, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from shares import one_in
from test_tracker_turns import ON_BOARDS, verdict

from pi_app.rules.terms import Move, Roll, Side, Spot
from pi_app.sensing.reading import BoardState

EVERYWHERE = pytest.mark.parametrize(("board", "game"), [("nannon-6", "nannon"), *ON_BOARDS])
BUT_HIDDEN_HITS = pytest.mark.parametrize(
    ("board", "game"), [each for each in ON_BOARDS if each[0] != "tables-24-thrifty"]
)
SEEDS = st.integers(0, 2**32)
STRUCK_MS, TOUCH_MS = 60, 400
ANSWERS = ("found", "asked")
MOST_INTERRUPTED = 2
"""Hands that touch other checkers six times in one turn are no hands."""


@dataclass
class InterruptedHuman(Human):
    """Hands that may strike blots off, or put them on a tray; and are interrupted now and then."""

    strikes: bool = False
    astray: bool = False
    interrupt: Callable[[], None] | None = None
    """May happen after every lift and drop, and does so every other time, but twice at most."""
    interrupted: int = 0
    plain: bool = False

    def fidget(self) -> None:
        if not self.plain:
            super().fidget()

    def lift(self, spot: Spot, side: Side | None = None) -> Side:
        taken = super().lift(spot, side)
        self.pause()
        return taken

    def drop(self, spot: Spot, side: Side) -> None:
        super().drop(spot, side)
        self.pause()

    def pause(self) -> None:
        if self.interrupt and self.interrupted < MOST_INTERRUPTED and self.rng.random() < 0.5:
            self.interrupted += 1
            self.interrupt()

    def take_victim(self, move: Move) -> None:
        if self.astray:
            self.lift(move.target, self._side(move).other)
        elif not self.strikes:
            super().take_victim(move)

    def set_down(self, move: Move, side: Side) -> None:
        if not (self.strikes and move.hit):
            super().set_down(move, side)
            return
        row = self.places[move.target]
        index = row.index(side.other)
        row[index] = side
        reed = self.reeds[move.target][index]
        self._see(reed, False)
        self._see(reed, True, STRUCK_MS)
        self.drop(self.game.hit_to(side.other), side.other)

    def touch(self, spot: Spot) -> None:
        """Somebody sets a checker straight."""
        self.said.append(f"touch {spot}")
        reed = self.reeds[spot][next(i for i, side in enumerate(self.places[spot]) if side)]
        self._see(reed, False)
        self._see(reed, True, TOUCH_MS)

    def shift(self, spot: Spot) -> None:
        """A checker goes to another place of its point."""
        self.said.append(f"shift {spot}")
        row, reeds = self.places[spot], self.reeds[spot]
        old, new = next(index for index, side in enumerate(row) if side), row.index(None)
        row[new], row[old] = row[old], None
        self._see(reeds[old], False)
        self._see(reeds[new], True)

    def undo(self, moves: tuple[Move, ...]) -> None:
        """Put everything back, the last first."""
        for move in reversed(moves):
            side = self._side(move)
            self.drop(move.origin, self.lift(move.target, side))
            if move.hit:
                self.drop(move.target, self.lift(self.game.hit_to(side.other), side.other))


class RandomTurn:
    """A position and a roll on a board with hands over it, and some of the plays that move."""

    def __init__(
        self, board: str, game: str, seed: int, strikes: bool = False, astray: bool = False
    ) -> None:
        rng = random.Random(seed)
        self.human = InterruptedHuman(board, game, rng, strikes=strikes, astray=astray)
        rules = self.human.game
        self.position: Any
        self.roll: Roll
        self.position, self.roll = rng.choice(cases(game))
        plays = [p for p in rules.plays(self.position, self.roll) if rules.moves(self.position, p)]
        self.plays: list[Any] = [rng.choice(plays) for _ in "ab"] if plays else []
        self.foe = rules.mover(self.position).other
        self.human.stand(self.position, self.roll)

    def moves(self, number: int = 0) -> tuple[Move, ...]:
        return self.human.game.moves(self.position, self.plays[number])

    def make(self, number: int = 0) -> str:
        self.human.make(self.moves(number))
        return self.answer(number)

    def answer(self, number: int = 0) -> str:
        """The message about the finished turn: after 0.3 s, or else at a press."""
        self.human.wait(300)
        said = verdict(self.human, self.plays[number])
        if said in ANSWERS:
            return said
        self.human.tracker.insist()
        self.human.wait(0)
        return verdict(self.human, self.plays[number])

    def touch(self) -> None:
        """The opponent sets one of his checkers straight."""
        human = self.human
        theirs = [spot for spot, row in human.places.items() if self.foe in row]
        if theirs:
            human.touch(human.rng.choice(theirs))

    def shift(self) -> None:
        """A checker goes to another place; no enemy blot, for that may be one hit on entering."""
        human = self.human
        able = [
            spot
            for spot, row in human.places.items()
            if any(row) and None in row and row.count(self.foe) != 1
        ]
        if able:
            human.shift(human.rng.choice(able))

    def __repr__(self) -> str:
        game = self.human.game
        plays = ", ".join(game.write_play(self.position, play) for play in self.plays)
        return f"{game.write_position(self.position)} {self.roll} {plays} {self.human.said}"


@EVERYWHERE
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_shifted_checkers_change_nothing(board: str, game: str, seed: int) -> None:
    turn = RandomTurn(board, game, seed)
    turn.shift()
    turn.human.wait(3000)
    assert turn.human.reading.state is BoardState.RESTING, turn
    assert not turn.plays or turn.make() in ANSWERS, turn


@EVERYWHERE
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_what_others_touch_and_shift_in_a_turn_makes_no_other_play_of_it(
    board: str, game: str, seed: int
) -> None:
    turn = RandomTurn(board, game, seed)
    turn.human.interrupt = turn.human.rng.choice((turn.shift, turn.touch))
    assert not turn.plays or turn.make() != "MISTAKEN", turn


@BUT_HIDDEN_HITS
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_the_opponents_touches_change_nothing(board: str, game: str, seed: int) -> None:
    turn = RandomTurn(board, game, seed)
    turn.human.interrupt = turn.touch
    assert not turn.plays or turn.make() in ANSWERS, turn


@EVERYWHERE
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_made_before_the_roll_the_play_is_found_when_the_roll_comes(
    board: str, game: str, seed: int
) -> None:
    turn = RandomTurn(board, game, seed)
    human = turn.human
    human.tracker.expect(turn.position, None)
    if turn.plays:
        human.make(turn.moves())
        human.wait(human.rng.choice((300, 3000)))
        assert human.reading.state not in (BoardState.PLAYED, BoardState.CHOOSE), turn
        human.tracker.offer_roll(turn.roll)
        assert turn.answer() in ANSWERS, turn


@BUT_HIDDEN_HITS
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_a_play_undone_by_hand_is_undone_and_another_one_is_found(
    board: str, game: str, seed: int
) -> None:
    turn = RandomTurn(board, game, seed)
    if turn.plays:
        turn.human.make(turn.moves())
        turn.human.wait(2000)
        turn.human.undo(turn.moves())
        turn.human.wait(2000)
        assert (turn.human.reading.opened, turn.human.reading.filled) == ((), ()), turn
        assert turn.make(1) in ANSWERS, turn


@BUT_HIDDEN_HITS
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_with_two_sensors_set_aside_no_other_play_is_taken(
    board: str, game: str, seed: int
) -> None:
    turn = RandomTurn(board, game, seed)
    human = turn.human
    human.tracker.set_aside(frozenset(human.rng.sample(human.board.sensors, 2)))
    human.wait(0)
    assert not turn.plays or turn.make() != "MISTAKEN", turn


@BUT_HIDDEN_HITS
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_hits_faster_than_a_sleeve_are_never_mistaken(board: str, game: str, seed: int) -> None:
    turn = RandomTurn(board, game, seed, strikes=True)
    assert not turn.plays or turn.make() != "MISTAKEN", turn


@pytest.mark.parametrize("game", ["backgammon", "portes"])
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_with_a_hit_checker_on_a_tray_no_play_is_taken(game: str, seed: int) -> None:
    turn = RandomTurn("tables-24", game, seed, astray=True)
    human = turn.human
    victims = sum(move.hit for move in turn.moves()) if turn.plays else 0
    bar = human.game.hit_to(turn.foe)
    if 0 < victims <= human.places[bar].count(None):
        assert turn.make() not in ("found", "MISTAKEN"), turn
        for _ in range(victims):
            human.drop(bar, turn.foe)
        assert turn.answer() in ANSWERS, turn
