"""What the hands may have done: a beam of weighed hypotheses, as of a hidden Markov model.

The hidden *state* is whose checkers lie where, what is in somebody's hand, and which contacts do
not show what lies over them.  The *emissions* are the touches: debounced openings and closings of
single sensors.  A touch turns each hypothesis into a few by the *transitions*, each at the *cost*
of what would have to have happened, in nats by the noise model.  Hypotheses that end in the same
state are one, the dearest are dropped; what is left is the *beam*.

What no sensor feels happens between the touches and is not guessed: a checker lifted stays in the
hand until it is seen or a position is held against the hypothesis (`distance`), and one that
appears without having been lifted is owed until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from pi_app.microseconds import Us
from pi_app.sensing.ageing import aged, lasting
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import Noise
from pi_app.sensing.states import Hypothesis, Turn
from pi_app.sensing.transitions import Transitions

WIDTH = 32
"""So many hypotheses are kept,"""
DEAREST = 26.0
"""none that is dearer than the cheapest by so many nats."""

T = TypeVar("T")


class Beam:
    """The hypotheses about one turn, the cheapest first."""

    def __init__(
        self,
        turn: Turn,
        hypotheses: Iterable[Hypothesis],
        changed: Mapping[Sensor, Us] = MappingProxyType({}),
    ) -> None:
        self.turn, self._field, self._changed = turn, turn.board, changed
        self.hypotheses = _narrowed(hypotheses)

    def see(self, touch: Touch) -> Beam:
        """The hypotheses after one touch."""
        follow = Transitions(self.turn, self._changed).follow
        old = (aged(self._field.noise, story, touch.us) for story in self.hypotheses)
        stories = (after for story in old for after in follow(story, touch))
        return Beam(self.turn, stories, {**self._changed, touch.sensor: touch.us})

    def rolled(self) -> Beam:
        """The hypotheses when the roll comes: what has been moved by now was moved before it."""
        early = self._field.noise.cost(Noise.BEFORE_ROLL)
        accepted = self.turn.accepted
        stories = (
            story._replace(cost=story.cost + early) if story.placement != accepted else story
            for story in self.hypotheses
        )
        return Beam(self.turn, stories, self._changed)

    def by(self, now: Us) -> Iterator[Hypothesis]:
        """The hypotheses by then, dearer by contacts that still mislead and a hand that holds on.

        What is asked about lies still: nothing is being slid.
        """
        noise, transitions = self._field.noise, Transitions(self.turn, self._changed)
        rest = noise.cost(Noise.REST)
        for story in self.hypotheses:
            old = aged(noise, story, now)
            fresh = [lie for lie in old.lies if lie.sensor and not lie.paid]
            lying = sum(max(lasting(noise, lie, now), rest * lie.closed) for lie in fresh)
            yield old._replace(cost=old.cost + lying + transitions.holding_on(old))


def _narrowed(stories: Iterable[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Of those that end in the same state the cheapest, and of these the cheapest WIDTH."""
    best: dict[tuple[object, ...], Hypothesis] = {}
    for story in stories:
        state = (
            story.placement,
            _unordered(story.aloft),
            _unordered(story.owed),
            story[4:],
        )
        known = best.get(state)
        if known is None or story.cost < known.cost:
            best[state] = story
    ranked = sorted(best.values(), key=_cost)[:WIDTH]
    worst = ranked[0].cost + DEAREST
    return tuple(story for story in ranked if story.cost <= worst)


def _unordered(things: tuple[T, ...]) -> tuple[T, ...]:
    """The same in an order that does not tell which came first."""
    return tuple(sorted(things, key=hash)) if len(things) > 1 else things


def _cost(story: Hypothesis) -> float:
    return story.cost
