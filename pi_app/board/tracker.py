"""From lifts and drops to plays: which legal result the hands have made, or what went wrong.

The picture of all sensors is matched against every legal result.  Steps seen since the accepted
position only decide what the picture leaves open, above all a hit: its target must have been seen
to open and to close.  The hands may lift and drop in any order; nothing here ever locks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from pi_app.board.attempts import Scene, likeliest
from pi_app.board.debounce import Change
from pi_app.board.description import Sensor
from pi_app.board.evidence import Evidence, Step
from pi_app.board.reading import ALARMS, BoardState, Reading
from pi_app.board.watch import Watch
from pi_app.rules.contract import Game
from pi_app.rules.terms import Broken, Move, Roll, Side, Spot

P = TypeVar("P")
M = TypeVar("M")

KNOCKED = 3
"""So many checkers gone at once were not lifted by a player's hands."""


@dataclass(frozen=True, slots=True)
class Times:
    """The tracker's patience, in ms.

    `debounce`: a reed has been steady.  `placed`: the hand has let go of a complete play.
    `grace`: a checker set down wrongly stays there.  `overlap`: a slid checker closes the next
    reed before it opens its own.  `brush`: a dip shorter than this was a sleeve, not a checker.
    """

    debounce: float = 5
    placed: float = 150
    grace: float = 1500
    overlap: float = 300
    brush: float = 80


@dataclass(frozen=True, slots=True)
class Result(Generic[M]):
    """A legal play, its moves, and how many sensors of each spot it leaves closed."""

    play: M
    moves: tuple[Move, ...]
    expected: tuple[int, ...]


class Tracker(Generic[P, M]):
    """Follows the hands from one accepted position to the next.

    `off` are the sensors that are not believed.  `update` must be called after every change and
    at `due`; the answer is `reading`.
    """

    def __init__(self, watch: Watch, game: Game[P, M], times: Times, position: P) -> None:
        self._watch, self._game, self._times = watch, game, times
        self._closed: frozenset[Sensor] = frozenset()
        self._off: frozenset[Sensor] = frozenset()
        self._quiet_since = 0.0
        self._look()
        self._owners: dict[Spot, Side] = {}
        self._accepted = (0,) * len(watch.spots)
        self._insisted = 0
        self._chosen: M | None = None
        self.reading: Reading[M] = Reading(BoardState.RESTING)
        self.expect(position, None)

    def expect(self, position: P, roll: Roll | None, guide: bool = False) -> None:
        """A new accepted position, and the roll if one is on the table.

        With `guide` play has gone back and the board is known to show something else: until it
        fits it is disturbed, and not in somebody's hand.  Where it looks right and shows a checker
        of the other side, the first exchange is the putting back and proves nothing.
        """
        checkers = self._game.checkers_at(position)
        expected = self._watch.expected(checkers)
        owners = {spot: stack[-1] for spot, stack in checkers.items() if stack}
        looks_alike = guide and not self._misfit(self._accepted) and not self._misfit(expected)
        exchanged = {spot for spot, side in owners.items() if self._owners.get(spot, side) != side}
        self._owed = frozenset(exchanged) if looks_alike else frozenset()
        self._guide = guide
        self._position, self._owners, self._accepted = position, owners, expected
        self._exchanged: frozenset[Spot] = frozenset()
        self._evidence = Evidence()
        self.offer_roll(roll)

    def offer_roll(self, roll: Roll | None) -> None:
        """The roll has come, or gone; what the hands have done so far is kept."""
        game, position = self._game, self._position
        self._roll = roll
        self._insisted, self._chosen = 0, None
        self._results = tuple(
            Result(play, game.moves(position, play), self._expected_after(play))
            for play in (game.plays(position, roll) if roll else ())
        )

    def set_aside(self, off: frozenset[Sensor]) -> None:
        """These sensors are not believed from now on."""
        self._off = off
        self._insisted, self._chosen = 0, None
        self._look()

    def see(self, change: Change) -> None:
        """One cooked change of one sensor."""
        sensor = frozenset({change.sensor})
        self._closed = self._closed | sensor if change.closed else self._closed - sensor
        self._look()
        self._insisted, self._chosen = 0, None
        if change.sensor not in self._off:
            self._quiet_since = change.ms
            spot = self._watch.spot_of[change.sensor]
            step = Step(change.ms, spot, change.closed)
            self._evidence = self._evidence.add(step, self._times.brush)
            if spot in self._owed and self._evidence.dip_ms(spot) >= self._times.brush:
                self._owed -= {spot}
                self._exchanged |= {spot}
                self._evidence = self._evidence.forget(spot)

    def guide(self) -> None:
        """The players are being led back: until the board fits it is disturbed."""
        self._guide = True

    def insist(self) -> None:
        """The player says that the turn is done: nothing is in the air, and no waiting."""
        self._insisted += 1

    def choose(self, play: M) -> None:
        """The player has named his play."""
        self._chosen = play

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that are closed now."""
        return self._closed

    @property
    def quiet_since(self) -> float:
        """When the last believed change was, in ms."""
        return self._quiet_since

    def due(self, ms: float) -> float | None:
        """The next time after `ms` when quiet alone may change the reading."""
        waits = (self._times.placed, self._times.grace)
        return min((t for t in (self._quiet_since + w for w in waits) if t > ms), default=None)

    def misfits(self, position: P) -> tuple[Spot, ...]:
        """The spots whose believed sensors contradict a position."""
        expected = self._watch.expected(self._game.checkers_at(position))
        return self._misfit(expected)

    def put_right(self) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """The sensors that should close, and those that should open, to be back where we were."""
        return self._watch.put_right(self._accepted, self._closed, self._off)

    def update(self, ms: float, hurry: bool = False) -> None:
        """Judge the board anew; `hurry` waits for no quiet (a press was made)."""
        quiet = float("inf") if hurry or self._insisted else ms - self._quiet_since
        was_wrong = self.reading.state in ALARMS
        if not self._insisted and not self._misfit(self._accepted):
            self._guide = False
            if was_wrong:
                # What has been put right proves nothing any more.
                self._evidence = Evidence()
        self.reading = self._judge(quiet)

    def _judge(self, quiet: float) -> Reading[M]:
        opened, filled = self._differences()
        if self._chosen is not None:
            return Reading(BoardState.PLAYED, opened, filled, (self._chosen,), certain=True)
        # What a takeback found on the board is not made anew: first a hand must move.
        untouched = self._guide and not self._evidence.steps
        plays = tuple(r for r in self._results if not untouched and self._is_proved(r))
        if plays:
            return self._complete((*plays, *self._unseen()), opened, filled, quiet)
        if choices := self._to_ask(opened, filled):
            return Reading(BoardState.CHOOSE, opened, filled, choices)
        if not (opened or filled):
            return self._at_rest()
        return self._unproved(opened, filled, quiet)

    def _unproved(
        self, opened: tuple[Spot, ...], filled: tuple[Spot, ...], quiet: float
    ) -> Reading[M]:
        """Another picture than the accepted one, and no play that it proves."""
        if self._guide:
            return Reading(BoardState.DISTURBED, opened, filled)
        if quiet < self._times.grace or (not self._insisted and self._in_the_air(opened, filled)):
            return Reading(BoardState.IN_HAND, opened, filled)
        return self._wrong(opened, filled)

    def _complete(
        self,
        results: tuple[Result[M], ...],
        opened: tuple[Spot, ...],
        filled: tuple[Spot, ...],
        quiet: float,
    ) -> Reading[M]:
        plays = tuple(result.play for result in results)
        if quiet < self._times.placed:
            state = BoardState.IN_HAND if opened or filled else BoardState.RESTING
            return Reading(state, opened, filled)
        if len(plays) > 1:
            return Reading(BoardState.CHOOSE, opened, filled, plays)
        certain = len(opened) == len(filled) and not any(m.hit for m in results[0].moves)
        return Reading(BoardState.PLAYED, opened, filled, plays, certain=certain and bool(filled))

    def _at_rest(self) -> Reading[M]:
        """The accepted picture; a player who insists has entered illegally, or has not moved.

        With nothing touched, a first press may only have been the second half of a double one.
        In a forfeited turn an entry cannot be told from an opponent's checker set straight.
        """
        broken: Broken | None = None
        attempt: tuple[Move, ...] = ()
        if self._insisted and self._struck(()):
            forfeit = tuple(result.play for result in self._results if not result.moves)
            if forfeit:
                return Reading(BoardState.CHOOSE, plays=forfeit)
            attempt, broken = likeliest(self._scene((), ()))
        elif self._roll and (self._insisted > 1 or (self._insisted and self._evidence.steps)):
            broken = self._game.explain(self._position, self._roll, ())
        if broken:
            return Reading(BoardState.WRONG, attempt=attempt, broken=broken)
        return Reading(BoardState.RESTING)

    def _wrong(self, opened: tuple[Spot, ...], filled: tuple[Spot, ...]) -> Reading[M]:
        if len(opened) < KNOCKED and len(filled) < KNOCKED:
            attempt, broken = likeliest(self._scene(opened, filled))
            if attempt:
                return Reading(BoardState.WRONG, opened, filled, attempt=attempt, broken=broken)
        return Reading(BoardState.DISTURBED, opened, filled)

    def _scene(self, opened: tuple[Spot, ...], filled: tuple[Spot, ...]) -> Scene[P, M]:
        return Scene(
            self._game,
            self._position,
            self._roll,
            opened,
            filled,
            self._struck(opened),
            self.misfits,
        )

    def _is_proved(self, result: Result[M]) -> bool:
        """The picture fits, every hit was seen, and something was seen at all."""
        if self._misfit(result.expected):
            return False
        seen_hits = [move for move in result.moves if move.hit and not self._blind(move.target)]
        if seen_hits:
            return all(self._saw_hit(move) for move in seen_hits)
        opened, filled = self._differences()
        # A checker that seems to have replaced another one has not left the board.
        vanished = not filled and bool(self._struck(opened))
        return bool(opened or filled) and not vanished

    def _unseen(self) -> tuple[Result[M], ...]:
        """Plays between spots without a sensor in use: any may lie there, whatever was seen."""
        return tuple(
            result
            for result in self._results
            if result.moves
            and not self._misfit(result.expected)
            and all(self._blind(m.origin) and self._blind(m.target) for m in result.moves)
        )

    def _saw_hit(self, move: Move) -> bool:
        if self._evidence.dip_ms(move.target) < self._times.brush:
            return False
        if self._blind(move.origin):
            # While another checker is in the air, it may be that one that came and went.
            return not self._evidence.lifted_during_last_drop(move.target)
        return self._arrived(move.target, move.origin)

    def _to_ask(self, opened: tuple[Spot, ...], filled: tuple[Spot, ...]) -> tuple[M, ...]:
        """The plays to ask for when a player insists on a board that proves none.

        First those whose picture fits though a hit was not seen; when he insists again, those
        that a single spot contradicts: its sensor may be the one that is wrong.
        """
        if not self._insisted:
            return ()
        fits = [r for r in self._results if r.moves and not self._misfit(r.expected)]
        if self._insisted == 1 and not (opened or filled):
            fits = [r for r in fits if self._may_have_entered(r)]
        if not fits and self._insisted > 1:
            fits = [r for r in self._results if r.moves and self._nearly(r)]
        return tuple(result.play for result in fits)

    def _may_have_entered(self, result: Result[M]) -> bool:
        """A play that changes no sensor may have been made where one cannot be seen.

        So may one on a spot where an exchange was put down to a takeback.
        """
        return any(
            self._blind(move.target)
            or self._evidence.touched(move.target)
            or move.target in self._exchanged
            for move in result.moves
        )

    def _nearly(self, result: Result[M]) -> bool:
        """One spot contradicts the play and another one speaks for it."""
        misfits = self._misfit(result.expected)
        changed = set(self._misfit(self._accepted))
        return len(misfits) == 1 and bool(changed - set(misfits))

    def _in_the_air(self, opened: tuple[Spot, ...], filled: tuple[Spot, ...]) -> bool:
        """Whether a hand seems to hold a checker still."""
        if not filled:
            return len(opened) < KNOCKED and not self._struck(opened)
        if any(self._is_underway(result, opened, filled) for result in self._results):
            return True
        own = [spot for spot in opened if self._owner(spot) is self._game.mover(self._position)]
        return len(own) > len(filled)

    def _is_underway(
        self, result: Result[M], opened: tuple[Spot, ...], filled: tuple[Spot, ...]
    ) -> bool:
        """Whether the result stands there but for checkers lifted besides.

        A checker entered from a tray can be the one that was lifted before: then it is not.
        """
        origins = {m.origin for m in result.moves if not self._blind(m.origin)}
        if not (set(filled) <= {m.target for m in result.moves} and origins < set(opened)):
            return False
        return not any(
            self._evidence.dropped_after_lift(target, origin, 0)
            for target in filled
            for origin in opened
            if not origins
        )

    def _struck(self, opened: tuple[Spot, ...]) -> tuple[Spot, ...]:
        """Spots whose checker seems to have been replaced by one of the other side."""
        lifted = [spot for spot in opened if self._owner(spot)]
        return tuple(
            spot
            for spot in self._watch.spots
            if spot not in opened
            and self._owner(spot) is self._game.mover(self._position).other
            and self._evidence.dip_ms(spot) >= self._times.brush
            and (not lifted or any(self._dropped_from(origin, spot) for origin in lifted))
        )

    def _dropped_from(self, origin: Spot, target: Spot) -> bool:
        return self._owner(origin) is not self._owner(target) and self._arrived(target, origin)

    def _arrived(self, target: Spot, origin: Spot) -> bool:
        """Whether the last drop on the target can be the checker lifted from the origin."""
        near = self._watch.are_near(target, origin)
        overlap = self._times.overlap if near else 0.0
        return self._evidence.dropped_after_lift(target, origin, overlap)

    def _owner(self, spot: Spot) -> Side | None:
        return self._owners.get(spot)

    def _blind(self, spot: Spot) -> bool:
        return self._watch.is_blind(spot, self._off)

    def _misfit(self, expected: tuple[int, ...]) -> tuple[Spot, ...]:
        return self._watch.misfits(expected, self._glimpse)

    def _differences(self) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
        filled = self._watch.fuller(self._accepted, self._glimpse)
        misfits = self._misfit(self._accepted)
        return tuple(spot for spot in misfits if spot not in filled), filled

    def _look(self) -> None:
        self._glimpse = self._watch.glimpse(self._closed, self._off)

    def _expected_after(self, play: M) -> tuple[int, ...]:
        after = self._game.after(self._position, play)
        return self._watch.expected(self._game.checkers_at(after))
