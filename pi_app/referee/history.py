"""The game so far: what can be undone, which rolls come again, and what follows from that.

A roll that was shown belongs to its turn. An undo returns to a turn with its roll on the table. The
rolls of later turns wait in order and come again at the next turns of the same side, so an undo
never gives anybody other dice. A double that was taken before such a roll is repeated with it,
because nobody who knows the dice may decide about the cube. A new game discards the waiting rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any, TypeAlias

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.match.clock import Clocks
from pi_app.match.turns import Phase, State, Turns
from pi_app.referee.decision import Decision, DecisionError
from pi_app.referee.speech import EARLIER, tell_result
from pi_app.referee.view import BackTo, LastPlay
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Die, Move, Outcome, Roll, RulesError, Side
from pi_app.sensing.description import Sensor
from pi_app.sensing.occupancy import SeenCounts
from pi_app.words.sentences import Said

Throw: TypeAlias = tuple[tuple[Side, Die], ...]
"""The opening roll: whose die showed what."""


@dataclass(frozen=True, slots=True)
class PlayMade:
    """A state of this game and the play that was accepted from it; `untyped` as in History."""

    state: State
    play: Any
    untyped: State | None = None


@dataclass(frozen=True, slots=True)
class ShownRoll:
    """A roll that was shown: its side, after how many plays and doubles, and whether it
    was typed."""

    by: Side
    roll: Roll
    plays: int
    typed: bool
    doubled: int


@dataclass(frozen=True, slots=True)
class History:
    """How the running game came to its state, as its decisions give it.

    `plays` are those that can be undone. `thrown` is the opening roll while it is shown. `off` are
    the sensors that are turned off. `us` is the latest decision's time. `untyped` is the state
    before the current dice if players typed them all; `changing`: they are typed again. `doubled`
    counts the turns of the cube in this turn, two by a beaver. `shown` are the game's rolls,
    `waiting` those of undone turns, next one first. `before_undo` is the history before the last
    undo, until the next play. `chosen` is the machine's play in this turn. `clocks` are both sides'
    times after the latest decision.
    """

    state: State
    plays: tuple[PlayMade, ...] = ()
    thrown: Throw = ()
    off: tuple[Sensor, ...] = ()
    us: Us = Us(0)
    untyped: State | None = None
    changing: bool = False
    doubled: int = 0
    shown: tuple[ShownRoll, ...] = ()
    waiting: tuple[ShownRoll, ...] = ()
    before_undo: History | None = None
    chosen: Any = None
    clocks: Clocks | None = None

    @property
    def rolled(self) -> ShownRoll | None:
        """The roll that the side to roll was shown before an undo; None if there is none."""
        if self.state.phase is not Phase.TO_ROLL or self.changing or not self.waiting:
            return None
        first = self.waiting[0]
        return first if first.by is self.state.to_act else None

    @property
    def too_late(self) -> bool:
        """Whether the side to roll knows its dice already, and so may no longer double."""
        return self.changing or self.rolled is not None

    @property
    def doubles_again(self) -> int:
        """How many doubles are to be repeated with the roll that comes again."""
        return self.rolled.doubled if self.rolled and not self.doubled else 0

    def after(self, decision: Decision, state: State, play: Any = None) -> History:
        """Return the history after a decision that led to `state`; `play` is the play it names."""
        if decision.what is Act.RESTORE and self.before_undo:
            return replace(
                self.before_undo, off=decision.off, us=decision.us, clocks=decision.clocks
            )
        if decision.what is Act.NEXT_GAME:
            return History(state, off=decision.off, us=decision.us, clocks=decision.clocks)
        thrown = throw_after(self.thrown, decision)
        chosen = play if decision.what is Act.CHOSEN else None
        new = replace(
            self,
            state=state,
            thrown=thrown,
            off=decision.off,
            us=decision.us,
            chosen=self.chosen if decision.what in _BESIDE else chosen,
            clocks=decision.clocks,
        )
        match decision.what:
            case Act.THROW:
                first = self.untyped if self.state.thrown else self.state
                new = replace(new, untyped=first if decision.typed else None, changing=False)
            case Act.ROLL if decision.dice:
                new = new._with_roll(self, decision.dice, typed=decision.typed)
            case Act.PLAY:
                made = () if play is None else (PlayMade(self.state, play, self.untyped),)
                new = replace(new, plays=(*self.plays, *made), untyped=None, before_undo=None)
            case Act.BEAVER | Act.TAKE:
                new = replace(new, doubled=self.doubled + 1)
            case Act.CHANGE_DICE:
                # What was typed wrongly was never rolled; an opening throw is no turn's roll.
                shown = self.shown if state.phase is Phase.OPENING_THROW else self.shown[:-1]
                new = replace(new, untyped=None, changing=True, shown=shown)
            case Act.TAKE_BACK:
                new = replace(new._without(decision.undone), before_undo=self)
            case Act.CORRECT:
                new = replace(new, untyped=None, changing=False, doubled=0, before_undo=None)
        return new

    def _with_roll(self, before: History, roll: Roll, *, typed: bool) -> History:
        plays, by = len(self.plays), before.state.to_act
        return replace(
            self,
            untyped=before.state if typed else None,
            changing=False,
            doubled=0,
            shown=(*self.shown, ShownRoll(by, roll, plays, typed, before.doubled)),
            waiting=self.waiting[1:] if before.rolled else self.waiting,
        )

    def _without(self, undone: int) -> History:
        """Undo this many plays; the rolls of the turns after that wait."""
        kept = max(len(self.plays) - undone, 0)
        later = tuple(shown for shown in self.shown if shown.plays > kept)
        return replace(
            self,
            plays=self.plays[:kept],
            untyped=next((made.untyped for made in self.plays[kept:]), None),
            changing=False,
            doubled=0,
            shown=self.shown[: len(self.shown) - len(later)],
            waiting=(*later, *self.waiting),
        )


_BESIDE = frozenset({Act.SENSOR_OFF, Act.SENSOR_ON, Act.OVERTIME, Act.RESUMED})
"""Decisions that leave the turn as it is."""


def history_of(turns: Turns, decisions: Iterable[Decision]) -> History:
    """Return the history after all decisions of a match's latest game. The first decision needs no
    play, because no game begins with one. Raises DecisionError if this game cannot have made them.
    """
    history = None
    for decision in decisions:
        try:
            history = _after(turns.game, history, decision)
        except RulesError as error:
            raise DecisionError(f"{decision.what.value} at {decision.us} µs: {error}") from None
    return history or History(turns.begin())


def _after(game: AnyGame, history: History | None, decision: Decision) -> History:
    state = replace(decision.state, position=game.read_position(decision.state.position))
    if history is None:
        opening = decision.what is Act.THROW
        thrown = throw_after((), decision) if opening else ()
        clocks = decision.clocks
        return History(state, thrown=thrown, off=decision.off, us=decision.us, clocks=clocks)
    play = None
    if decision.what in (Act.PLAY, Act.CHOSEN) and decision.play is not None:
        play = game.read_play(history.state.position, decision.play)
    return history.after(decision, state, play)


def throw_after(thrown: Throw, decision: Decision) -> Throw:
    """Return the opening roll to be shown after a decision; the first play removes it."""
    match decision.what:
        case Act.THROW if decision.by and decision.dice:
            first = () if len(thrown) == 2 else thrown
            return (*first, (decision.by, decision.dice.dice[0]))
        case Act.PLAY | Act.TAKE_BACK | Act.CHANGE_DICE | Act.NEXT_GAME:
            return ()
        case _:
            return thrown


ReedCounts: TypeAlias = tuple[int, ...]
"""How many sensors a position closes on each watched spot."""


class EarlierPositions:
    """All earlier positions in order; `latest` finds the last one that the sensors show."""

    def __init__(self) -> None:
        self._all: list[tuple[PlayMade, ReedCounts]] = []

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, number: int) -> PlayMade:
        return self._all[number][0]

    def add(self, made: PlayMade, shown: ReedCounts) -> None:
        self._all.append((made, shown))

    def cut(self, number: int) -> None:
        """Forget the play of this number and all later ones."""
        del self._all[number:]

    def latest(self, seen: SeenCounts) -> int | None:
        """Return the number of the last play whose starting position no trusted sensor
        contradicts."""
        fitting = (n for n in reversed(range(len(self))) if _fits(self._all[n][1], seen))
        return next(fitting, None)


def _fits(shown: ReedCounts, seen: SeenCounts) -> bool:
    for count, closed, unseen in zip(shown, seen.closed, seen.unseen, strict=True):
        if not closed <= count <= closed + unseen:
            return False
    return True


@dataclass(frozen=True, eq=False)
class PositionFacts:
    """A position, with values computed from it."""

    game: AnyGame
    position: Any

    @cached_property
    def text(self) -> str:
        return self.game.write_position(self.position)

    @cached_property
    def checkers(self) -> Checkers:
        """The checkers on each spot; every spot is a key."""
        return self.game.checkers_at(self.position)

    @cached_property
    def pips(self) -> tuple[int, int] | None:
        """White's and Black's pips; None in games without pip counts."""
        white, black = (self.game.pips(self.position, side) for side in Side)
        return None if white is None or black is None else (white, black)

    @cached_property
    def first_lacks(self) -> tuple[int, int]:
        """What White's and Black's first checker must still go before others may move."""
        white, black = (self.game.first_lacks(self.position, side) for side in Side)
        return white, black

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.position)


@dataclass(frozen=True, eq=False)
class Accepted:
    """The state of a match between these players, as its decisions give it."""

    turns: Turns
    history: History
    players: tuple[str, str]
    _facts: dict[tuple[Callable[..., Any], Any], PositionFacts] = field(
        default_factory=dict, init=False
    )

    @cached_property
    def here(self) -> PositionFacts:
        return PositionFacts(self.turns.game, self.history.state.position)

    def after(self, play: Any) -> PositionFacts:
        """The position after a legal play."""
        return self._led(self.turns.game.after, play)

    def midway(self, moves: tuple[Move, ...]) -> PositionFacts:
        """Return the position after these moves. Raises IllegalPlayError if no checker can make
        them."""
        return self._led(self.turns.game.attempted, moves)

    def _led(self, leads: Callable[[Any, Any], Any], made: Any) -> PositionFacts:
        facts = self._facts.get((leads, made))
        if facts is None:
            facts = PositionFacts(self.turns.game, leads(self.history.state.position, made))
            self._facts[leads, made] = facts
        return facts

    @cached_property
    def resignations(self) -> Mapping[int, Said]:
        """The losses that the side to act may offer, by their points."""
        return self.turns.resignations(self.history.state)

    @cached_property
    def last_moved(self) -> int | None:
        """The number of the game's last play that was no forfeit; None if there is none."""
        game, plays = self.turns.game, enumerate(self.history.plays)
        moved = [number for number, made in plays if game.moves(made.state.position, made.play)]
        return moved[-1] if moved else None

    @cached_property
    def last_turn(self) -> BackTo | None:
        return None if self.last_moved is None else self.turn(self.last_moved)

    def turn(self, number: int) -> BackTo:
        """Return the turn before this play, named by its roll, or by its play in a game without
        dice."""
        made, game = self.history.plays[number], self.turns.game
        state = made.state
        name = "-".join(str(state.roll or "")) or game.write_play(state.position, made.play)
        side = self.players[state.to_act is Side.BLACK]
        return BackTo(EARLIER(side=side, play=name), len(self.history.plays) - number)

    @cached_property
    def last_plays(self) -> tuple[LastPlay, ...]:
        """The last three plays of this game, the latest first; empty after a correction."""
        plays: list[LastPlay] = []
        after, game = self.here.position, self.turns.game
        for made in self.history.plays[:-4:-1]:
            before, play, side = made.state.position, made.play, made.state.to_act
            if game.after(before, play) != game.with_mover(after, side.other):
                break
            moves, roll = game.moves(before, play), "-".join(str(made.state.roll or ""))
            text = game.write_play(before, play) if moves else ""
            plays.append(LastPlay(side, text, moves, game.checkers_at(before), roll))
            after = before
        return tuple(plays)

    @cached_property
    def last_result(self) -> str | None:
        return tell_result(self.history.state.result, self.players, self.turns.game.outcome_names)
