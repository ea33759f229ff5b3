"""A game's appearance: what the screen must know of it besides its view."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pi_app.base.values import dataclass
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side, Spot, SpotKind, Stack
from pi_app.screen.boards.marks import DrawBoard
from pi_app.words.sentences import Sentence

MOST = 15
"""The most checkers that a spot shows, all of one side's."""

PILE = Sentence(
    "Pick a checker to add one, or the cross to remove one, then tap a point. "
    "The other side's checkers change colour."
)


@dataclass(frozen=True, slots=True)
class Editing:
    """How a game's position is edited.

    `tapped` returns what stands on a spot after a tap, given what stood there and the brush. `rest`
    are the trays for missing checkers, `counted` the trays with a number.
    """

    tapped: Callable[[Stack, Spot, Side | None], Stack]
    rest: SpotKind
    how: Sentence
    counted: SpotKind | None = None
    brushes: bool = False

    def spots(self, game: AnyGame) -> Iterator[Spot]:
        trays = (self.rest, self.counted)
        return (spot for spot in game.spots if spot.kind not in trays)


def following(order: tuple[Stack, ...], stack: Stack) -> Stack:
    return order[(order.index(stack) + 1) % len(order)] if stack in order else ()


def single(stack: Stack, _spot: Spot, _brush: Side | None) -> Stack:
    """For spots with one checker: a tap goes from empty to White, Black and back."""
    return following(((), (Side.WHITE,), (Side.BLACK,)), stack)


def pile(stack: Stack, spot: Spot, brush: Side | None) -> Stack:
    """Add or remove a checker of the brush's side. Checkers of the other side change sides first,
    because sensors count checkers but seldom see whose they are."""
    if brush is None:
        return stack[:-1]
    side = spot.side or brush
    if set(stack) - {side}:
        return (side,) * len(stack)
    return (*stack, side)[:MOST]


@dataclass(frozen=True, slots=True)
class Face:
    draw: DrawBoard
    editing: Editing
