"""Follows the hands through one turn: weighed hypotheses of what they have done since its start.

As in a hidden Markov model, where the checkers lie is hidden and what the reeds show is observed.
The hypotheses are weighed when somebody asks, and begin anew with every accepted position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache, partial
from math import inf
from typing import Generic, TypeVar

from pi_app.microseconds import Us
from pi_app.rules.contract import Game
from pi_app.rules.terms import Move, Roll, Side, Spot
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.endings import Endings
from pi_app.sensing.hypotheses import Beam
from pi_app.sensing.legal import Legal
from pi_app.sensing.noise import PUBLISHED, Noise
from pi_app.sensing.occupancy import Glimpse, Watch
from pi_app.sensing.patience import Patience
from pi_app.sensing.placing import Placement, Placing
from pi_app.sensing.states import LONG_AGO, Aloft, FalseContact, Hypothesis, Terrain, Turn
from pi_app.sensing.verdict import BoardMoment, Verdict

P = TypeVar("P")
M = TypeVar("M")

REMEMBERED = 100
"""Touches kept: more than any turn takes, and a reed that chatters all night fills no memory."""
LATELY = 40
"""Of those that proved nothing so many are kept: they may have put the last play back by hand."""
SETTLED = 5.0
"""A board that looks as accepted is at rest if all else is less likely by so many nats,"""
PUT_RIGHT = 10.0
"""but may be so much less likely after something was amiss: players have just put it right.

A reed is believed to have missed one opening, but no exchange.
"""
SURELY = 10.0
"""Hands have gone back before play did if all else is less likely by so many nats."""
NEVER = Us(-1)
GROWTH = 3
"""So many checkers a stack may grow by in one turn."""


class Following(Generic[P, M]):
    """The beam of hypotheses of one turn, from accepted position to accepted position.

    Touches are kept as they come, so that what proves untrue of a sensor or a roll that comes late
    can be weighed anew from the first.
    """

    def __init__(self, watch: Watch, game: Game[P, M]) -> None:
        self._watch, self._game = watch, game
        self._placing = Placing((*game.spots, *watch.spots))
        checkers = 2 * game.checkers_a_side
        self._field = Terrain(watch, self._placing, PUBLISHED, game.tallest, checkers)
        self._off: frozenset[Sensor] = frozenset()
        self._mute: frozenset[Sensor] = frozenset()
        self._touches: tuple[Touch, ...] = ()
        self._settled: tuple[Touch, ...] = ()
        self._placements: dict[P, Placement] = {}
        self._went_back = self._to_go_back = False
        self._first: tuple[Hypothesis, ...] = ()
        self._weighed: Beam | None = None
        self._last: Endings[P, M] | None = None
        self._waiting: tuple[Touch, ...] = ()

    def expect(
        self, position: P, legal: Legal[P, M], closed: frozenset[Sensor], went_back: bool
    ) -> None:
        """A new accepted position, and the sensors that are closed.

        Where play `went_back`, and the hands have not, what lies there is what the hypotheses say.
        """
        stories = self._gone_back(position) if went_back and self._first else ()
        self._position, self._legal, self._closed_at_first = position, legal, closed
        self._accepted = self._watch.expected(self._game.checkers_at(position))
        self._went_back = bool(stories)
        goal = self._place(position)
        self._to_go_back = bool(stories) and all(h.placement != goal for h in stories)
        self._touches, self._settled, self._placements, self._rolled_after = (), (), {}, NEVER
        self._touched = False
        self._first = stories or tuple(self._beginnings())
        self._look_back()

    def _gone_back(self, position: P) -> tuple[Hypothesis, ...]:
        """The hypotheses as play goes back to a position; none where hands have gone back before.

        Who takes a play back puts it back by hand as often before he says so as after it: what was
        felt is weighed anew, and nothing that leads back was put wrongly.
        """
        goal, turn = self._place(position), self._turn()
        restored = tuple(self._placing.differences(turn.accepted, goal))
        way_back = replace(
            turn,
            hits=frozenset(spot for spot, _, more in restored if more < 0),
            arrivals=frozenset((spot, side) for spot, side, more in restored if more > 0),
            rolled=False,
        )
        beam = Beam(way_back, self._first)
        for touch in (*self._settled, *self._touches):
            beam = beam if touch.sensor in self._off else beam.see(touch)
        least = beam.hypotheses[0].cost
        stories = [h._replace(cost=h.cost - least) for h in beam.hypotheses]
        back = [h for h in stories if not self._field.distance(h, goal)]
        ahead = [h for h in stories if self._field.distance(h, goal)]
        by_hand = min((h.cost for h in back), default=inf)
        if by_hand + SURELY < min((h.cost for h in ahead), default=inf):
            return ()
        return (*ahead, Hypothesis(by_hand, goal)) if back else tuple(ahead)

    def offer_roll(self, legal: Legal[P, M]) -> None:
        """The roll has come, or gone; what the hands have done so far is kept."""
        self._legal = legal
        self._rolled_after = self._touches[-1].us if legal.results and self._touches else NEVER
        self._look_back()

    def set_aside(
        self, off: frozenset[Sensor], mute: frozenset[Sensor], closed: frozenset[Sensor], us: Us
    ) -> None:
        """These sensors are not believed from now on; one that is again shows what it shows."""
        if (off, mute) == (self._off, self._mute):
            return
        for sensor in self._off - off:
            self._touches = tuple(touch for touch in self._touches if touch.sensor != sensor)
            if (sensor in closed) != (sensor in self._closed_at_first):
                self._touches = (*self._touches, Touch(us, sensor, sensor in closed))
        self._off, self._mute = off, mute
        self._field.doubt(off)
        if not self._went_back:
            self._first = tuple(self._beginnings())
        self._look_back()

    def forget(self, sensor: Sensor) -> None:
        """A sensor has proved unsteady: what it has shown proves nothing."""
        self._touches = tuple(touch for touch in self._touches if touch.sensor != sensor)
        self._look_back()

    def see(self, touch: Touch) -> None:
        """One cooked change of a sensor that is believed."""
        self._touched = True
        self._touches = (*self._touches[1 - REMEMBERED :], touch)
        self._waiting = (*self._waiting[1 - REMEMBERED :], touch)

    def settle(self, seen: Glimpse, us: Us, closed: frozenset[Sensor], put_right: bool) -> None:
        """The board looks as accepted: if it most likely is, what was done before proves nothing.

        Players who were told that something is amiss have most likely `put_right` what was.  A hit
        that was taken back or told wrong looks so too, until the checkers are exchanged.
        """
        if not self._touches:
            return
        endings = self._endings(seen, us, done=False)
        accepted = self._place(self._position)
        others = (s.cost for s in endings.stories if self._field.distance(s, accepted))
        margin = -PUT_RIGHT if put_right or self._to_go_back else SETTLED
        if endings.rest + margin < min(others, default=inf):
            # What has put back the play before was that, and nothing more.
            settled = () if self._went_back else self._touches
            stretches = ((*self._settled, *settled), settled, ())
            self._settled = next(lately for lately in stretches if len(lately) <= LATELY)
            self._closed_at_first, self._went_back, self._to_go_back = closed, False, False
            self._touches = ()
            self._first = tuple(self._beginnings())
            self._look_back()

    def _endings(self, seen: Glimpse, us: Us, done: bool) -> Endings[P, M]:
        """What each ending costs now; `done`: nothing is in the air.

        Asked twice of the same moment, as at a press, it is the same value with what it has found.
        """
        beam, last = self._beam, self._last
        if last is None or (last.beam, last.seen, last.now, last.done) != (beam, seen, us, done):
            self._last = last = Endings(
                self._game,
                self._position,
                self._legal,
                self._field,
                beam,
                self._place,
                seen,
                us,
                done,
            )
        return last

    def verdict(
        self, moment: BoardMoment, roll: Roll | None, patience: Patience, seen: Glimpse, us: Us
    ) -> Verdict[P, M]:
        """What the hypotheses say of the board."""
        endings = self._endings(seen, us, done=moment.insisted > 0)
        untouched = self._went_back and not self._touched
        return Verdict(endings, roll, moment, patience, untouched, self._touched)

    def _place(self, position: P) -> Placement:
        known = self._placements.get(position)
        if known is None:
            known = self._placing.place(self._game.checkers_at(position))
            self._placements[position] = known
        return known

    def _look_back(self) -> None:
        """What was seen since the position was accepted is to be weighed anew."""
        self._weighed = None
        self._waiting = tuple(t for t in self._touches if t.sensor not in self._off)

    @property
    def _beam(self) -> Beam:
        """The hypotheses after every touch."""
        beam = self._weighed
        if beam is None:
            early = [touch for touch in self._waiting if touch.us <= self._rolled_after]
            self._waiting = self._waiting[len(early) :]
            beam = Beam(self._turn(), self._first)
            for touch in early:
                beam = beam.see(touch)
            beam = beam.rolled() if early else beam
        for touch in self._waiting:
            beam = beam.see(touch)
        self._weighed, self._waiting = beam, ()
        return beam

    def _turn(self) -> Turn:
        mover = self._game.mover(self._position)
        accepted = self._place(self._position)
        hidden = tuple(self._hidden())
        sources = {spot for spot in hidden if self._field.hides(accepted, spot, mover)}
        moves = tuple(
            dict.fromkeys(move for result in self._legal.results for move in result.moves)
        )
        checkers = self._game.checkers_at(self._position)
        return Turn(
            self._field,
            mover,
            accepted,
            hidden,
            self._game.hit_to(mover.other),
            beneath={spot: stack[0] for spot, stack in checkers.items() if len(set(stack)) > 1},
            hits=frozenset(move.target for move in moves if move.hit),
            arrivals=frozenset(
                (
                    *((spot, mover) for spot in _reached(sources, moves)),
                    *self._to_be_restored(accepted),
                )
            ),
            rolled=bool(self._legal.results),
            leads=cache(partial(self._leads, moves)),
        )

    def _leads(self, moves: tuple[Move, ...], origin: Spot | None, spot: Spot) -> bool:
        """Whether a legal move leads from there to the spot, or several that hit on the way."""
        reached, ways = {origin}, list(moves)
        while more := [move for move in ways if self._starts(move, reached)]:
            if any(m.target == spot or self._passes(m, spot) for m in more):
                return True
            ways = [move for move in ways if move not in more]
            reached = {move.target for move in more if move.hit}
        return False

    def _starts(self, move: Move, reached: Collection[Spot | None]) -> bool:
        return any(
            spot is None or spot == move.origin or self._passes(move, spot) for spot in reached
        )

    def _passes(self, move: Move, spot: Spot) -> bool:
        return self._game.passes(self._position, move, spot)

    def _to_be_restored(self, accepted: Placement) -> Iterator[tuple[Spot, Side]]:
        """What the players who have gone back are about to put there again."""
        if self._went_back:
            lying = self._first[0].placement
            for spot, side, more in self._placing.differences(lying, accepted):
                if more > 0:
                    yield spot, side

    def _hidden(self) -> Iterator[Spot]:
        """Where checkers may go or come unseen in this turn."""
        off = {self._watch.spot_of[sensor] for sensor in self._off}
        for spot, height in zip(self._game.spots, self._game.counts(self._position), strict=True):
            reeds = self._field.reeds(spot)
            if not reeds or spot in off or 1 < reeds <= height + GROWTH:
                yield spot

    def _beginnings(self) -> Iterator[Hypothesis]:
        """The hands are empty; or hold the checker that a sensor has missed from the first."""
        checkers = self._game.checkers_at(self._position)
        placement = self._placing.place(checkers)
        shown = self._watch.glimpse(self._closed_at_first, self._mute)
        fewer, more = self._watch.lacking(self._accepted, shown)
        lies = (
            *(FalseContact(spot, None, LONG_AGO, closed=False) for spot in fewer),
            *(FalseContact(spot, None, LONG_AGO, closed=True) for spot in more),
        )
        yield Hypothesis(0.0, placement, lies=lies)
        for spot in Counter(fewer):
            side = checkers[spot][-1]
            left = list(lies)
            left.remove(FalseContact(spot, None, LONG_AGO, closed=False))
            yield Hypothesis(
                PUBLISHED.cost(Noise.EARLY_PRESS),
                self._placing.add(placement, spot, side, -1),
                (Aloft(side, spot),),
                lies=tuple(left),
            )


def _reached(sources: Collection[Spot], moves: Collection[Move]) -> Iterator[Spot]:
    """Where moves from these spots lead, and those that go on after a hit."""
    while sources:
        first = [move for move in moves if move.origin in sources]
        yield from (move.target for move in first)
        sources = {move.target for move in first if move.hit}
