"""The transitions of a hypothesis at a touch: what may have been lifted, set down, slid or brushed.

Each costs what would have to have happened, in nats by the noise model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log
from typing import TypeVar

from pi_app.microseconds import Us, ms
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.ageing import lasting
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import Noise
from pi_app.sensing.states import Aloft, FalseContact, Hypothesis, Owed, Turn

ROCKS = ms(100)
"""A checker rocks, if it does, so soon after it was put down or lifted."""
ANOTHERS = log(4)
"""So much rarer than one of the mover's is one of the opponent's put wrongly, in nats."""

T = TypeVar("T")


class Transitions:
    """What a touch makes of the hypotheses about one turn; `changed` is when a sensor last did."""

    def __init__(self, turn: Turn, changed: Mapping[Sensor, Us]) -> None:
        self._turn, self._field, self._changed = turn, turn.board, changed

    def follow(self, story: Hypothesis, touch: Touch) -> Iterator[Hypothesis]:
        """What the story may be after a touch."""
        spot = self._field.watch.spot_of[touch.sensor]
        lie = _lie_of(story, touch, spot)
        if lie is not None:
            cost = story.cost + lasting(self._field.noise, lie, touch.us)
            yield story._replace(cost=cost, lies=_without(story.lies, lie))
        if lie is None or not lie.sensor:
            yield from (self._closed if touch.closed else self._opened)(story, touch, spot)

    def _opened(self, story: Hypothesis, touch: Touch, spot: Spot) -> Iterator[Hypothesis]:
        for side in Side:
            if self._field.placing.count(story.placement, spot, side):
                yield from self._lifted(story, touch, spot, side)
        yield self._lying(story, touch, spot, Noise.BRUSH, self._field.which)

    def _lifted(
        self, story: Hypothesis, touch: Touch, spot: Spot, side: Side
    ) -> Iterator[Hypothesis]:
        """A piece of the side was lifted, and before it what lay above the reeds."""
        field, noise = self._field, self._field.noise
        there = field.placing.count(story.placement, spot, side)
        height = there if field.tallest > 1 and field.reeds(spot) == 1 else 1
        above = (
            max(field.height(story.placement, spot) - field.reeds(spot), 0) if height == 1 else 0
        )
        cost, known, fresh = self._known(story, touch, spot, side)
        if any(lie.closed and lie.sensor for lie in story.lies):
            cost += noise.cost(Noise.TWO_HANDS)  # the other one still holds what is slid
        if known is not None and known is not side:
            cost += noise.cost(Noise.SHIFT) + field.which
        if self._is_strange(story, spot, side):
            cost += self._strangeness
        if known is None and self._turn.beneath.get(spot) is side:
            cost += noise.cost(Noise.ADJUST) + field.which
        cost += story.cost
        laid = tuple(one for one in story.laid if one[0] != touch.sensor)
        if above + height > there:
            return
        placement = field.placing.add(story.placement, spot, side, -height - above)
        story = story._replace(cost=cost, placement=placement, laid=laid)
        for owed in story.owed:
            if owed.side is side and (owed.late or self._was_there(owed, spot)):
                yield story._replace(owed=_without(story.owed, owed))
        unseen = Owed(side, height=height)
        if fresh and unseen in story.owed:
            # It goes back to where it came from unseen.
            mind = noise.cost(Noise.CHANGE_OF_MIND)
            yield story._replace(cost=cost + mind, owed=_without(story.owed, unseen))
        piece = Aloft(side, spot, touch.us, height, touch.sensor, fresh)
        for owed in [o for o in story.owed if o.side is side and not (o.pushed or o.late)][:above]:
            # It had come from the top of this stack.
            above -= 1
            story = story._replace(owed=_without(story.owed, owed))
        pieces = (piece,) * (1 + above)
        yield story._replace(aloft=(*story.aloft, *pieces))

    def _was_there(self, owed: Owed, spot: Spot) -> bool:
        """Whether it may be this spot that something is being pushed away from."""
        if owed.target is None:
            return False
        return spot == owed.target if owed.shifted else spot in self._field.watch.near(owed.target)

    def _is_strange(self, story: Hypothesis, spot: Spot, side: Side) -> bool:
        """Whether the mover has no business with a piece: the other side's, in place, no victim."""
        count = self._field.placing.count
        return (
            side is not self._turn.mover
            and spot not in self._turn.hits
            and count(story.placement, spot, side) <= count(self._turn.accepted, spot, side)
        )

    def _known(
        self, story: Hypothesis, touch: Touch, spot: Spot, side: Side
    ) -> tuple[float, Side | None, bool]:
        """What it costs to lift so soon; whose piece lies there, and whether it has just moved."""
        count, accepted = self._field.placing.count, self._turn.accepted
        elsewhere = False
        for sensor, whose, us in story.laid:
            if sensor == touch.sensor:
                fresh = count(story.placement, spot, side) > count(accepted, spot, side)
                return self._hasty(us, touch), whose, fresh
            elsewhere |= whose is side and self._field.watch.spot_of[sensor] == spot
        all_came = elsewhere and not count(accepted, spot, side)
        return 0.0, side.other if all_came else None, False

    def _closed(self, story: Hypothesis, touch: Touch, spot: Spot) -> Iterator[Hypothesis]:
        for piece in _which(story.aloft, spot, self._turn.mover):
            back = piece.origin == spot
            cost = story.cost + self._landing(story, piece, spot, touch)
            dropped = self._dropped(story, touch, spot, piece.side, piece.height)
            aloft = _without(story.aloft, piece)
            theirs = piece.side is not self._turn.mover
            returns = back or self._lacks(story, piece.side, spot)
            wrong = self._turn.rolled and not (returns or self._leads(story, piece, spot))
            if wrong:
                paid = theirs and piece.origin not in self._turn.hits
                cost += self._wronged(story, piece.side, spot) - paid * self._strangeness
            elif theirs and not back and spot != self._turn.victims_home:
                cost += self._field.noise.cost(Noise.ASTRAY)
            if back and piece in aloft:
                yield self._stacked(dropped._replace(cost=cost), piece, spot)
            yield dropped._replace(
                cost=cost,
                wrong=spot if wrong else None if piece.origin == story.wrong else story.wrong,
                aloft=aloft if back else _waiting(aloft),
                back=back and bool(aloft) and not theirs,
            )
        yield from self._appeared(story, touch, spot)
        if story.aloft and all(piece.sensor != touch.sensor for piece in story.aloft):
            haste = self._haste(story, spot, self._turn.mover.other, touch)
            yield self._lying(story, touch, spot, Noise.SLIDE, haste)
        elif not story.aloft and self._turn.arrivals:
            # One that was taken where nobody sees it may be slid too.
            yield self._lying(story, touch, spot, Noise.SLIDE, 0.0)
        elif not story.aloft:
            yield self._lying(story, touch, spot, Noise.BRUSH, self._field.which)

    def _stacked(self, story: Hypothesis, piece: Aloft, spot: Spot) -> Hypothesis:
        """What was lifted with a piece that is back lies on top of it again."""
        more = (story.aloft.count(piece) - 1) * piece.height
        return story._replace(
            placement=self._field.placing.add(story.placement, spot, piece.side, more),
            aloft=tuple(other for other in story.aloft if other != piece),
        )

    def _appeared(self, story: Hypothesis, touch: Touch, spot: Spot) -> Iterator[Hypothesis]:
        """A piece lies there that nobody saw being lifted."""
        noise, turn = self._field.noise, self._turn
        for side in Side:
            haste = self._haste(story, spot, side, touch)
            held = [piece for piece in story.aloft if piece.side is side]
            if any(piece.origin == spot for piece in held):
                continue
            others = [piece for piece in story.aloft if piece.origin != spot]
            two_hands = noise.cost(Noise.TWO_HANDS) if others else 0.0
            if any(piece.fresh for piece in others):
                two_hands += noise.cost(Noise.CHANGE_OF_MIND)  # it was on its way
            cost = haste + self.holding_on(story) + two_hands
            owing = sum(owed.side is side for owed in story.owed)
            hit = side is not turn.mover and spot == turn.victims_home and bool(turn.hits)
            if hit or turn.hiding(story.placement, side) > owing:
                # A victim's hitter came as it went, and no reed opened.
                hidden = noise.cost(Noise.FAST) if hit else self._from_anywhere(spot, side)
                leads = hit or (spot, side) in turn.arrivals
                yield from self._owing(story, touch, spot, Owed(side), cost + hidden, leads)
            leads = self._lacks(story, side, spot)
            leads = leads or (side is turn.mover and turn.leads(None, spot))
            if self._is_beside(story, spot, side):
                pushed = cost + noise.cost(Noise.PUSH) + self._touched(side)
                owed = Owed(side, spot, touch.us, pushed=True)
                yield from self._owing(story, touch, spot, owed, pushed, leads)
            if self._field.placing.count(story.placement, spot, side):
                shift = cost + noise.cost(Noise.SHIFT) + self._field.which
                owed = Owed(side, spot, touch.us, pushed=True, shifted=True)
                yield from self._owing(story, touch, spot, owed, shift, leads=True)
            if side is turn.mover and not (story.aloft or story.owed):
                late = noise.cost(Noise.MISSED_OPENING)
                yield from self._owing(story, touch, spot, Owed(side, late=True), late, leads)

    def _from_anywhere(self, spot: Spot, side: Side) -> float:
        """What it costs that one comes there from a hidden place, but for breaking a rule."""
        if (spot, side) in self._turn.arrivals:
            return 0.0
        return self._touched(side) + (0.0 if self._turn.rolled else self._field.which)

    def _touched(self, side: Side) -> float:
        """What it costs that a hand is at a piece of this side."""
        return 0.0 if side is self._turn.mover else self._field.noise.cost(Noise.OTHER_HAND)

    def _owing(
        self,
        story: Hypothesis,
        touch: Touch,
        spot: Spot,
        owed: Owed,
        cost: float,
        leads: bool,
    ) -> Iterator[Hypothesis]:
        wrong = self._turn.rolled and not leads
        cost += story.cost + wrong * self._wronged(story, owed.side, spot)
        for height in {1, self._field.tallest} if self._turn.arrivals else {1}:
            yield self._dropped(story, touch, spot, owed.side, height)._replace(
                cost=cost,
                wrong=spot if wrong else story.wrong,
                owed=(*story.owed, owed._replace(height=height)),
                aloft=_waiting(story.aloft),
                back=False,
            )

    def _is_beside(self, story: Hypothesis, spot: Spot, side: Side) -> bool:
        """Whether a piece of the side lies where it can be pushed from."""
        count = self._field.placing.count
        return any(count(story.placement, near, side) for near in self._field.watch.near(spot))

    def _dropped(
        self, story: Hypothesis, touch: Touch, spot: Spot, side: Side, height: int
    ) -> Hypothesis:
        placement = self._field.placing.add(story.placement, spot, side, height)
        return story._replace(
            placement=placement, laid=(*story.laid, (touch.sensor, side, touch.us))
        )

    def _haste(self, story: Hypothesis, spot: Spot, side: Side, touch: Touch) -> float:
        """What it costs that a piece comes down where one was just taken; a hit is soonest done."""
        taken = [piece.us for piece in story.aloft if piece.origin == spot]
        haste = max((self._hasty(us, touch) for us in taken), default=0.0)
        hits = side is self._turn.mover and spot in self._turn.hits
        return haste + self._field.which if haste and not hits else haste

    def _hasty(self, before: Us, touch: Touch) -> float:
        """What it costs that a hand does two things so fast; a sleeve is faster than hands."""
        brush = self._field.noise.longest(Noise.BRUSH)
        return self._field.noise.cost(Noise.FAST) if touch.us - before < brush else 0.0

    def _landing(self, story: Hypothesis, piece: Aloft, spot: Spot, touch: Touch) -> float:
        """What it costs that this piece comes down there now."""
        noise, cost = self._field.noise, self._haste(story, spot, piece.side, touch)
        if piece.origin != spot:
            if any(p.origin == spot and p.side is piece.side for p in story.aloft):
                cost += noise.cost(Noise.TWO_HANDS)  # it takes the place of one that is lifted too
            return cost + self.holding_on(story)
        if piece.side is not self._turn.mover and spot not in self._turn.hits:
            return cost  # that it was lifted has been paid
        if story.back and not piece.waits:
            return cost  # of several that were taken and are put back, the first has paid
        if piece.waits:
            between = noise.cost(Noise.ADJUST_BETWEEN) + self._field.which
            held = noise.cost(Noise.CHANGE_OF_MIND) + noise.cost(Noise.TWO_HANDS)
            return cost + min(between, held)
        if len(story.aloft) > 1:
            hitters = (p for p in story.aloft if p.side is self._turn.mover)
            natural = piece.side is self._turn.mover or any(
                self._leads(story, hitter, spot) for hitter in hitters
            )
            return cost + (noise.cost(Noise.CHANGE_OF_MIND) if natural else self._strangeness)
        return cost + noise.cost(Noise.ADJUST) + (0.0 if piece.fresh else self._field.which)

    def _lacks(self, story: Hypothesis, side: Side, spot: Spot) -> bool:
        """Whether fewer of a side lie there than at first: what comes goes back."""
        count = self._field.placing.count
        return count(story.placement, spot, side) < count(self._turn.accepted, spot, side)

    def _leads(self, story: Hypothesis, piece: Aloft, spot: Spot) -> bool:
        """Whether a legal play takes the piece there; a hit one may be put astray."""
        turn = self._turn
        if piece.side is turn.mover:
            moved = piece.fresh or piece.origin == story.wrong
            return turn.leads(None if moved else piece.origin, spot)
        struck = self._field.placing.count(story.placement, piece.origin, turn.mover)
        return spot == turn.victims_home or (struck > 0 and spot.side is not None)

    def _wronged(self, story: Hypothesis, side: Side, spot: Spot) -> float:
        """What it costs to put a piece wrongly there; a strange one lifted for it is part of it."""
        foe, cost = self._turn.mover.other, self._field.broken
        if spot.side not in (None, side):
            cost += self._field.broken
        if side is foe:
            return cost + ANOTHERS
        count = self._field.placing.count
        struck = count(story.placement, spot, foe) < count(self._turn.accepted, spot, foe)
        return cost - self._strangeness * (struck and spot not in self._turn.hits)

    @property
    def _strangeness(self) -> float:
        """What it costs that the opponent's piece is lifted though nothing hits it."""
        return self._field.noise.cost(Noise.OTHER_HAND) + self._field.which

    def holding_on(self, story: Hypothesis) -> float:
        """What it costs that one piece was put back and another is moved all the same."""
        if not (story.back and story.aloft):
            return 0.0
        noise = self._field.noise
        return (
            noise.cost(Noise.ADJUST_BETWEEN) + self._field.which - noise.cost(Noise.CHANGE_OF_MIND)
        )

    def _lying(
        self, story: Hypothesis, touch: Touch, spot: Spot, what: Noise, which: float
    ) -> Hypothesis:
        lie = FalseContact(spot, touch.sensor, touch.us, touch.closed)
        noise = self._field.noise
        cost = noise.cost(what) + which
        before = self._changed.get(touch.sensor)
        if before is not None and touch.us - before < ROCKS:
            cost = min(cost, noise.cost(Noise.ROCK))
        cost += story.cost
        return story._replace(cost=cost, lies=(*story.lies, lie))


def _lie_of(story: Hypothesis, touch: Touch, spot: Spot) -> FalseContact | None:
    """The lie that a touch of its sensor ends, if there is one."""
    lies = [lie for lie in story.lies if lie.spot == spot and lie.closed is not touch.closed]
    own = (lie for lie in lies if lie.sensor == touch.sensor)
    return next(own, next((lie for lie in lies if lie.sensor is None), None))


def _which(aloft: tuple[Aloft, ...], spot: Spot, mover: Side) -> Iterator[Aloft]:
    """The pieces that may come down on a spot: of the opponent's first the one that lay there."""
    back = {piece.side: piece for piece in reversed(aloft) if piece.origin == spot}
    for piece in dict.fromkeys(aloft):
        if piece.side is mover or back.get(piece.side, piece) == piece:
            yield piece


def _waiting(aloft: tuple[Aloft, ...]) -> tuple[Aloft, ...]:
    """Another piece has been moved."""
    return tuple(piece._replace(waits=True) for piece in aloft)


def _without(things: tuple[T, ...], thing: T) -> tuple[T, ...]:
    index = things.index(thing)
    return (*things[:index], *things[index + 1 :])
