"""The turns of a match: immutable states, and one function for each act of the phase table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pi_app.match import score as scoring
from pi_app.match.phases import Act, Phase, knows
from pi_app.match.score import Agreement, Standing
from pi_app.rules.contract import Game, Opening
from pi_app.rules.terms import Die, Outcome, Roll, Side

P = TypeVar("P")
M = TypeVar("M")


class UnknownActError(ValueError):
    """An act that the phase does not know; nothing has changed."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended: the winner (None: a tie), points with the stake, and by what."""

    winner: Side | None
    points: int
    name: str


@dataclass(frozen=True, slots=True)
class MatchState(Generic[P]):
    """Where a match stands; `to_act` rolls, moves or answers a double.

    `starter` begins the game without an opening throw; None where one is thrown.
    """

    standing: Standing
    phase: Phase
    to_act: Side
    position: P
    roll: Roll | None = None
    thrown: tuple[tuple[Side, Die], ...] = ()
    result: GameResult | None = None
    starter: Side | None = None


class Turns(Generic[P, M]):
    """One game's turns under one agreement; every act gives a new state or UnknownActError."""

    def __init__(self, game: Game[P, M], agreement: Agreement) -> None:
        self._game = game
        self.agreement = agreement

    def begin(self) -> MatchState[P]:
        """The first game, its checkers to be set up."""
        return self._set_up(scoring.first_game(self.agreement), None)

    def board_set(self, state: MatchState[P]) -> MatchState[P]:
        """The checkers stand as the game begins: a throw, or the one who starts is to act."""
        _check(state, Act.BOARD_SET)
        if state.starter is None and self._game.opening is not Opening.NO_THROW:
            return replace(state, phase=Phase.OPENING_THROW)
        return self._stand(state)

    def throw(self, state: MatchState[P], die: Die) -> MatchState[P]:
        """One player's opening throw, White's first; a tie is thrown again."""
        _check(state, Act.THROW)
        thrown = (*state.thrown, (state.to_act, die))
        if len(thrown) == 1:
            return replace(state, thrown=thrown, to_act=Side.BLACK)
        (_, white), (_, black) = thrown
        if white == black:
            standing = scoring.turn_for_tie(self.agreement, state.standing)
            return replace(state, standing=standing, thrown=(), to_act=Side.WHITE)
        first = Side.WHITE if white > black else Side.BLACK
        position = self._game.with_mover(state.position, first)
        begun = replace(state, to_act=first, position=position, thrown=())
        match self._game.opening:
            case Opening.DIFFERENCE:
                return replace(begun, phase=Phase.MOVING, roll=Roll.of(abs(white - black)))
            case Opening.HIGHER_PLAYS_BOTH:
                return replace(begun, phase=Phase.MOVING, roll=Roll.of(white, black))
            case _:
                return replace(begun, phase=Phase.TO_ROLL)

    def dice(self, state: MatchState[P]) -> int:
        """How many dice the side to act throws now; 0 when it throws none."""
        if knows(state.phase, Act.THROW):
            return 1
        return self._game.dice if knows(state.phase, Act.ROLL) else 0

    def roll(self, state: MatchState[P], roll: Roll) -> MatchState[P]:
        """The player to act has rolled."""
        _check(state, Act.ROLL)
        return replace(state, phase=Phase.MOVING, roll=roll)

    def may_double(self, state: MatchState[P], side: Side) -> bool:
        """Whether the side could double if it were to roll now."""
        return scoring.may_double(self.agreement, state.standing, side)

    def double(self, state: MatchState[P]) -> MatchState[P]:
        """The player to act offers a double; the opponent is to answer."""
        _check(state, Act.DOUBLE)
        if not self.may_double(state, state.to_act):
            raise UnknownActError(f"{state.to_act.value} may not double")
        standing = scoring.offer(state.standing, state.to_act)
        return replace(
            state, phase=Phase.DOUBLE_OFFERED, standing=standing, to_act=state.to_act.other
        )

    def take(self, state: MatchState[P]) -> MatchState[P]:
        """The double is taken; the doubler rolls."""
        _check(state, Act.TAKE)
        standing = scoring.take(state.standing)
        return replace(state, phase=Phase.TO_ROLL, standing=standing, to_act=state.to_act.other)

    def refuse(self, state: MatchState[P]) -> MatchState[P]:
        """The double is passed: the offerer wins the stake before it."""
        _check(state, Act.PASS)
        return self._ended(state, Outcome(state.to_act.other, 1, "double passed"))

    def play(self, state: MatchState[P], play: M) -> MatchState[P]:
        """The play counts; the game may be over."""
        _check(state, Act.PLAY)
        return self._stand(replace(state, position=self._game.after(state.position, play)))

    def resign(self, state: MatchState[P], points: int) -> MatchState[P]:
        """The player to act gives the game up for so many points times the stake."""
        _check(state, Act.RESIGN)
        return self._ended(state, Outcome(state.to_act.other, points, "resigned"))

    def correct(self, state: MatchState[P], position: P) -> MatchState[P]:
        """The position is what stands on the board; a roll stays with the player who has it."""
        _check(state, Act.CORRECT)
        corrected = replace(state, position=position, thrown=())
        same_turn = state.phase is Phase.MOVING and self._game.mover(position) is state.to_act
        if same_turn and not self._game.outcome(position):
            return corrected
        return self._stand(corrected)

    def next_game(self, state: MatchState[P]) -> MatchState[P]:
        """The next game of the match, its checkers to be set up."""
        _check(state, Act.NEXT_GAME)
        last_winner = state.result.winner if state.result else None
        starter = last_winner if self._game.previous_winner_starts else None
        return self._set_up(scoring.next_game(self.agreement, state.standing), starter)

    def _set_up(self, standing: Standing, starter: Side | None) -> MatchState[P]:
        first = starter or Side.WHITE
        return MatchState(standing, Phase.SET_UP, first, self._game.start(first), starter=starter)

    def _stand(self, state: MatchState[P]) -> MatchState[P]:
        """After a change of position: over, or the mover is to roll, or without dice to move."""
        outcome = self._game.outcome(state.position)
        if outcome:
            return self._ended(state, outcome)
        mover = self._game.mover(state.position)
        if self._game.dice:
            return replace(state, phase=Phase.TO_ROLL, to_act=mover, roll=None)
        return replace(state, phase=Phase.MOVING, to_act=mover, roll=Roll(()))

    def _ended(self, state: MatchState[P], outcome: Outcome) -> MatchState[P]:
        standing = state.standing
        stake, points = standing.cube.value, scoring.worth(self.agreement, standing, outcome.points)
        if outcome.winner:
            standing = scoring.win(standing, outcome.winner, points)
        over = scoring.match_won(self.agreement, standing)
        return replace(
            state,
            phase=Phase.MATCH_OVER if over else Phase.GAME_OVER,
            standing=standing,
            to_act=outcome.winner or state.to_act,
            roll=None,
            result=GameResult(outcome.winner, points * stake, outcome.name),
        )


def _check(state: MatchState[P], act: Act) -> None:
    if not knows(state.phase, act):
        raise UnknownActError(f"the phase {state.phase.value!r} does not know {act.value!r}")
