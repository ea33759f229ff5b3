"""The turns of a match: its phases, the acts that lead from one to another, and who plays when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pi_app.base.values import dataclass
from pi_app.match import score as scoring
from pi_app.match.acts import Act
from pi_app.match.score import Agreement, Score, Standing
from pi_app.rules.contract import AnyGame, Opening, Series
from pi_app.rules.terms import Die, Outcome, Roll, Side
from pi_app.words.sentences import Said

# The phases of a match, and the acts that lead from one to another.


class Phase(Enum):
    """Where a match stands."""

    __hash__ = object.__hash__
    """By identity, which C computes: a view looks the table up dozens of times."""

    SET_UP = "set up"
    OPENING_THROW = "opening throw"
    TO_ROLL = "to roll"
    DOUBLE_OFFERED = "double offered"
    RESIGNATION_OFFERED = "resignation offered"
    MOVING = "moving"
    GAME_OVER = "game over"
    MATCH_OVER = "match over"


SHOWN = {phase: phase.value for phase in Phase} | {Phase.OPENING_THROW: "opening roll"}
"""Each phase as people read it; the values of the enum are those in files."""

IN_PLAY = (
    Phase.OPENING_THROW,
    Phase.TO_ROLL,
    Phase.DOUBLE_OFFERED,
    Phase.RESIGNATION_OFFERED,
    Phase.MOVING,
)
"""A game is under way, so the board must match the position."""

ANSWERS = (Phase.DOUBLE_OFFERED, Phase.RESIGNATION_OFFERED)
"""The side to act must answer an offer."""

OVER = (Phase.GAME_OVER, Phase.MATCH_OVER)
"""A game has ended."""

TIMED = (Phase.TO_ROLL, *ANSWERS, Phase.MOVING)
"""The side to act has the clock; in the other phases nobody has."""


# The turns of a match: immutable states, and TABLE, by which one follows another.
#
# TABLE is what runs: `Turns.act` is the only way from one state to the next.  A state machine in
# `if`s was not chosen, because nobody could list what it allows.  The page of this room prints the
# table, and tests try every act in every phase.
#
# Each act names the phases that it may lead to, and `act` checks this, so that a fault in a
# function raises instead of leaving a match in a phase in which the players cannot go on.
#
# An undo, a redo and a correction of typed dice lead to a state that was kept, so one function does
# all three.  Overtime changes no state, but it is an act, because a change of the clock that may
# decide a match is stored as a decision.  MATCH_OVER allows TAKE_BACK, because the last play may
# have been a mistake; after a loss on time the referee does not offer it.

P = TypeVar("P")


ON_TIME = "on time"
"""The name of the result of a match lost on time."""


class UnknownActError(ValueError):
    """An act that this phase does not allow. The state is unchanged."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game's winner (None: a tie), its points with the stake, and the result's name in files."""

    winner: Side | None
    points: int
    name: str


@dataclass(frozen=True, slots=True)
class MatchState(Generic[P]):
    """Where a match stands; `to_act` is the side that rolls, moves or answers.

    `starter` begins the game without an opening roll; None if there is one. `thrown` are the
    opening dice so far. `resignation` is what the opponent of `to_act` offers to lose, in points
    before the stake. In SET_UP only a match that begins at a position has a roll or a double on
    offer.
    """

    standing: Standing
    phase: Phase
    to_act: Side
    position: P
    roll: Roll | None = None
    thrown: tuple[tuple[Side, Die], ...] = ()
    result: GameResult | None = None
    starter: Side | None = None
    resignation: int | None = None


State: TypeAlias = MatchState[Any]


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns of one game under one agreement; `origin` is set if the match begins at
    a position.

    `series` is what the match is played in; None if this game alone.
    """

    game: AnyGame
    agreement: Agreement
    origin: State | None = None
    series: Series | None = None

    def during(self, standing: Standing) -> Turns:
        """Return the turns of the game that is played at this standing."""
        game = self.series.at(standing.decided) if self.series else self.game
        return self if game is self.game else replace(self, game=game)

    def begin(self, standing: Standing | None = None) -> State:
        """Return a game whose checkers are still to be set up: the first, or the one at this
        standing."""
        if self.origin and standing is None:
            return self.origin
        return self._set_up(standing or scoring.first_game(self.agreement), None)

    def act(self, state: State, act: Act, argument: Any = None) -> State:
        """Return the state after an act; `argument` is what the act's function below takes.

        Raises UnknownActError if the table does not have the act or the phase that it leads to.
        """
        row = TABLE[state.phase].get(act)
        if row is None:
            raise UnknownActError(f"the phase {SHOWN[state.phase]!r} does not know {act.value!r}")
        after = row.does(self, state, argument)
        if after.phase not in row.to:
            raise UnknownActError(
                f"{act.value!r} leads from {state.phase.value!r} to"
                f" {' or '.join(phase.value for phase in row.to)}, never to {after.phase.value!r}"
            )
        return after

    def dice(self, state: State) -> int:
        """Return how many dice the side to act rolls now; 0 if it rolls none."""
        if knows(state.phase, Act.THROW):
            return 1
        return self.game.dice if knows(state.phase, Act.ROLL) else 0

    def may_double(self, state: State, side: Side) -> bool:
        """Whether this side could double before a roll now."""
        return scoring.may_double(self.agreement, state.standing, side)

    def is_beavered(self, state: State) -> bool:
        """Whether the double on offer is a beaver."""
        offered = state.standing.cube.offered
        return offered is not None and offered is not self.game.mover(state.position)

    def may_beaver(self, state: State) -> bool:
        """Whether the side that was doubled may beaver."""
        offered = state.standing.cube.offered is not None
        return self.agreement.beavers and offered and not self.is_beavered(state)

    def resignations(self, state: State) -> Mapping[int, Said]:
        """Return what the side to act may offer to lose: the name of each loss, by its points
        before the stake.

        A loss that counts no more than a smaller one is left out (a gammon under Jacoby).
        """
        worth: dict[int, int] = {}
        named = self.game.resignations(state.position, state.to_act)
        for points in named:
            worth.setdefault(scoring.worth(self.agreement, state.standing, points), points)
        return {points: named[points] for points in worth.values()}

    # Matches of other programs: what their files say of an end.

    def before_resigning(self, state: State, side: Side) -> State:
        """Return the state in which this side resigns, whatever was to be done; no double is left
        on offer."""
        phase = Phase.MOVING if state.phase is Phase.MOVING else Phase.TO_ROLL
        cube = replace(state.standing.cube, offered=None)
        standing = replace(state.standing, cube=cube)
        return replace(state, phase=phase, to_act=side, standing=standing)

    def counted(self, state: State, result: GameResult, score: Score) -> State:
        """Return the end of a game that counts otherwise than by the agreement."""
        standing = replace(state.standing, score=score)
        over = scoring.match_won(self.agreement, standing)
        phase = Phase.MATCH_OVER if over else Phase.GAME_OVER
        return replace(state, phase=phase, standing=standing, result=result)

    # The acts: each takes the state and its argument, and gives the next state.

    def _board_set(self, state: State, _: None) -> State:
        """The checkers stand: go to the opening roll, or to the turn that the origin or the last
        winner begins. At a position the roll or the double may be made already."""
        if offered := state.standing.cube.offered:
            return replace(state, phase=Phase.DOUBLE_OFFERED, to_act=offered.other)
        if state.roll:
            return replace(state, phase=Phase.MOVING)
        if state.starter is None and self.game.opening is not Opening.NO_THROW:
            return replace(state, phase=Phase.OPENING_THROW)
        return self._stand(state)

    def _throw(self, state: State, die: Die) -> State:
        """Take one player's opening die, White's first; a tie is rolled again."""
        thrown = (*state.thrown, (state.to_act, die))
        if len(thrown) == 1:
            return replace(state, thrown=thrown, to_act=Side.BLACK)
        (_, white), (_, black) = thrown
        if white == black:
            standing = scoring.turn_for_tie(self.agreement, state.standing)
            return replace(state, standing=standing, thrown=(), to_act=Side.WHITE)
        first = Side.WHITE if white > black else Side.BLACK
        roll = first_roll(self.game.opening, white, black)
        return replace(
            state,
            phase=Phase.MOVING if roll else Phase.TO_ROLL,
            to_act=first,
            position=self.game.with_mover(state.position, first),
            roll=roll,
            thrown=(),
        )

    def _roll(self, state: State, roll: Roll) -> State:
        return replace(state, phase=Phase.MOVING, roll=roll)

    def _double(self, state: State, _: None) -> State:
        side = state.to_act
        if not self.may_double(state, side):
            raise UnknownActError(f"{side.value} may not double")
        standing = scoring.offer(state.standing, side)
        return replace(state, phase=Phase.DOUBLE_OFFERED, standing=standing, to_act=side.other)

    def _take(self, state: State, _: None) -> State:
        """The side that doubled first rolls, also after a beaver."""
        standing = scoring.take(state.standing, beavered=self.is_beavered(state))
        mover = self.game.mover(state.position)
        return replace(state, phase=Phase.TO_ROLL, standing=standing, to_act=mover)

    def _beaver(self, state: State, _: None) -> State:
        if not self.may_beaver(state):
            raise UnknownActError(f"{state.to_act.value} may not beaver")
        standing = scoring.beaver(state.standing)
        return replace(state, standing=standing, to_act=state.to_act.other)

    def _pass(self, state: State, _: None) -> State:
        """The doubler wins the stake before the double."""
        return self._ended(state, Outcome(state.to_act.other, 1, "double passed"))

    def _play(self, state: State, play: Any) -> State:
        return self._stand(replace(state, position=self.game.after(state.position, play)))

    def _resign(self, state: State, points: int) -> State:
        """The side to act offers to lose this many points; the opponent answers."""
        return replace(
            state, phase=Phase.RESIGNATION_OFFERED, to_act=state.to_act.other, resignation=points
        )

    def _accept(self, state: State, _: None) -> State:
        """The opponent wins the offered points times the stake."""
        if state.resignation is None:
            raise UnknownActError("nothing is offered")
        return self._ended(state, Outcome(state.to_act, state.resignation, "resigned"))

    def _refuse(self, state: State, _: None) -> State:
        phase = Phase.TO_ROLL if state.roll is None else Phase.MOVING
        return replace(state, phase=phase, to_act=state.to_act.other, resignation=None)

    def _return(self, _: State, to: State) -> State:
        """Go to a stored state: after an undo, a redo, or a correction of typed dice."""
        return to

    def _correct(self, state: State, position: Any) -> State:
        """Take what stands on the board as the position. A player who has rolled keeps the roll."""
        corrected = replace(state, position=position, thrown=())
        same_turn = state.phase is Phase.MOVING and self.game.mover(position) is state.to_act
        if same_turn and not self.game.outcome(position):
            return corrected
        return self._stand(corrected)

    def _next_game(self, state: State, _: None) -> State:
        """Begin the next game; its checkers are still to be set up."""
        following = self.following(state)
        last_winner = state.result.winner if state.result else None
        turns = self.during(following)
        starter = last_winner if turns.game.previous_winner_starts else None
        return turns._set_up(following, starter)

    def following(self, state: State) -> Standing:
        """Return the standing of the game after the one that has ended."""
        mixed = self.series is not None and self.series.is_mixed
        tied = state.result is not None and state.result.winner is None
        return scoring.next_game(self.agreement, state.standing, again=mixed and tied)

    def _overtime(self, state: State, _: None) -> State:
        """The flag of the side to act has fallen for the first time; its overtime begins."""
        return state

    def _flag(self, state: State, _: None) -> State:
        """The flag of the side to act has fallen: the opponent wins every point he lacks."""
        standing, winner, target = state.standing, state.to_act.other, self.agreement.match_to
        if target is None:
            raise UnknownActError("an unlimited match is not lost on time")
        lacking = target - standing.score[winner]
        score, cube = standing.score.add(winner, lacking), replace(standing.cube, offered=None)
        return replace(
            state,
            phase=Phase.MATCH_OVER,
            standing=replace(standing, score=score, cube=cube),
            to_act=winner,
            roll=None,
            resignation=None,
            result=GameResult(winner, lacking, ON_TIME),
        )

    def _set_up(self, standing: Standing, starter: Side | None) -> State:
        first = starter or Side.WHITE
        return MatchState(standing, Phase.SET_UP, first, self.game.start(first), starter=starter)

    def _stand(self, state: State) -> State:
        """Go on from a new position: the game is over, or the mover rolls (moves, in a game without
        dice)."""
        outcome = self.game.outcome(state.position)
        if outcome:
            return self._ended(state, outcome)
        mover = self.game.mover(state.position)
        if self.game.dice:
            return replace(state, phase=Phase.TO_ROLL, to_act=mover, roll=None)
        return replace(state, phase=Phase.MOVING, to_act=mover, roll=Roll(()))

    def _ended(self, state: State, outcome: Outcome) -> State:
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
            resignation=None,
            result=GameResult(outcome.winner, points * stake, outcome.name),
        )


_FIRST_ROLL: Mapping[Opening, Callable[[Die, Die], Roll | None]] = {
    Opening.DIFFERENCE: lambda white, black: Roll.of(abs(white - black)),
    Opening.HIGHER_PLAYS_BOTH: Roll.of,
    Opening.HIGHER_ROLLS_AFRESH: lambda *_: None,
}


def first_roll(opening: Opening, white: Die, black: Die) -> Roll | None:
    """Return the roll that the opening dice give the first player; None if he rolls anew. `opening`
    must be one with an opening roll."""
    return _FIRST_ROLL[opening](white, black)


class Transition(NamedTuple):
    """What an act does in one phase, and the phases that it may lead to."""

    does: Callable[[Turns, State, Any], State]
    to: tuple[Phase, ...]


_LOST = Transition(Turns._flag, (Phase.MATCH_OVER,))


TABLE: Mapping[Phase, Mapping[Act, Transition]] = {
    Phase.SET_UP: {
        Act.BOARD_SET: Transition(
            Turns._board_set,
            (Phase.OPENING_THROW, Phase.TO_ROLL, Phase.DOUBLE_OFFERED, Phase.MOVING),
        ),
        Act.CORRECT: Transition(Turns._correct, (Phase.TO_ROLL, Phase.MOVING, *OVER)),
    },
    Phase.OPENING_THROW: {
        Act.THROW: Transition(Turns._throw, (Phase.OPENING_THROW, Phase.TO_ROLL, Phase.MOVING)),
        Act.CHANGE_DICE: Transition(Turns._return, (Phase.OPENING_THROW,)),
        Act.CORRECT: Transition(Turns._correct, (Phase.TO_ROLL, *OVER)),
    },
    Phase.TO_ROLL: {
        Act.ROLL: Transition(Turns._roll, (Phase.MOVING,)),
        Act.CHANGE_DICE: Transition(Turns._return, (Phase.OPENING_THROW,)),
        Act.DOUBLE: Transition(Turns._double, (Phase.DOUBLE_OFFERED,)),
        Act.RESIGN: Transition(Turns._resign, (Phase.RESIGNATION_OFFERED,)),
        Act.TAKE_BACK: Transition(Turns._return, (Phase.MOVING,)),
        Act.CORRECT: Transition(Turns._correct, (Phase.TO_ROLL, *OVER)),
        Act.OVERTIME: Transition(Turns._overtime, (Phase.TO_ROLL,)),
        Act.FLAG: _LOST,
    },
    Phase.DOUBLE_OFFERED: {
        Act.TAKE: Transition(Turns._take, (Phase.TO_ROLL,)),
        Act.PASS: Transition(Turns._pass, OVER),
        Act.BEAVER: Transition(Turns._beaver, (Phase.DOUBLE_OFFERED,)),
        Act.TAKE_BACK: Transition(Turns._return, (Phase.MOVING,)),
        Act.OVERTIME: Transition(Turns._overtime, (Phase.DOUBLE_OFFERED,)),
        Act.FLAG: _LOST,
    },
    Phase.RESIGNATION_OFFERED: {
        Act.ACCEPT: Transition(Turns._accept, OVER),
        Act.REFUSE: Transition(Turns._refuse, (Phase.TO_ROLL, Phase.MOVING)),
        Act.TAKE_BACK: Transition(Turns._return, (Phase.MOVING,)),
        Act.OVERTIME: Transition(Turns._overtime, (Phase.RESIGNATION_OFFERED,)),
        Act.FLAG: _LOST,
    },
    Phase.MOVING: {
        Act.PLAY: Transition(Turns._play, (Phase.TO_ROLL, Phase.MOVING, *OVER)),
        Act.CHANGE_DICE: Transition(Turns._return, (Phase.OPENING_THROW, Phase.TO_ROLL)),
        Act.RESIGN: Transition(Turns._resign, (Phase.RESIGNATION_OFFERED,)),
        Act.TAKE_BACK: Transition(Turns._return, (Phase.MOVING,)),
        Act.RESTORE: Transition(Turns._return, (Phase.TO_ROLL, *ANSWERS, Phase.MOVING, *OVER)),
        Act.CORRECT: Transition(Turns._correct, (Phase.TO_ROLL, Phase.MOVING, *OVER)),
        Act.OVERTIME: Transition(Turns._overtime, (Phase.MOVING,)),
        Act.FLAG: _LOST,
    },
    Phase.GAME_OVER: {
        Act.NEXT_GAME: Transition(Turns._next_game, (Phase.SET_UP,)),
        Act.TAKE_BACK: Transition(Turns._return, (Phase.MOVING,)),
    },
    Phase.MATCH_OVER: {Act.TAKE_BACK: Transition(Turns._return, (Phase.MOVING,))},
}
"""The acts that each phase allows; every other act is an error."""

OF_TURNS = frozenset(act for row in TABLE.values() for act in row)
"""Acts that some phase knows; others are done beside the turns, as of a sensor."""


def knows(phase: Phase, act: Act) -> bool:
    return act in TABLE[phase]
