"""How hands bring a board to what is wanted: one checker at a time, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lab.hands import REACH_MS, SWAP_MS, Hands, Script
from pi_app.rules.terms import Spot
from pi_app.simulator.checkers import LyingCheckers, Piece, Piled, box


def arrange(hands: Hands, wanted: Piled) -> Script:
    """Bring the board to what is wanted."""
    while step := _next_step(hands, wanted):
        origin, piece, target = step
        held = hands.take(origin, piece)
        yield hands.between(SWAP_MS, 800)
        there = hands.checkers.pieces(target)
        under = not _is_part((*there, piece), wanted.get(target, ())) and target in wanted
        hands.place_in(target, held, under)
        yield hands.between(REACH_MS, 500)


def stands(checkers: LyingCheckers, wanted: Piled) -> bool:
    """Whether the checkers lie exactly so; in trays they lie in any order."""
    return not any(_differs(checkers, spot, wanted) for spot in checkers.spots)


def _next_step(hands: Hands, wanted: Piled) -> tuple[Spot, Piece, Spot] | None:
    """A piece that lies wrongly and a free place for it; or its box, to make room."""
    checkers = hands.checkers
    spots = [spot for spot in checkers.spots if _differs(checkers, spot, wanted)]
    wrong = [
        (spot, piece)
        for spot in hands.shuffled(spots)
        for piece in _wrong_on(checkers, spot, wanted.get(spot, ()))
    ]
    targets = hands.shuffled(spots)
    for origin, piece in wrong:
        for target in targets:
            if target != origin and _fits(checkers, target, piece, wanted):
                return origin, piece, target
    return (*wrong[0], box(wrong[0][1].side)) if wrong else None


def _differs(checkers: LyingCheckers, spot: Spot, wanted: Piled) -> bool:
    there, want = checkers.pieces(spot), wanted.get(spot, ())
    if checkers.sensors_of(spot):
        return there != want
    return Counter(there) != Counter(want)


def _wrong_on(checkers: LyingCheckers, spot: Spot, want: tuple[Piece, ...]) -> Iterator[Piece]:
    """What is to be taken away, the last first; what lies on top hinders the others."""
    there = checkers.pieces(spot)
    too_many = Counter(there) - Counter(want)
    if not too_many and checkers.sensors_of(spot) and not _is_part(there, want):
        too_many = Counter(there[-1:])
    if len(there) > len(checkers.sensors_of(spot)) > 0 and too_many:
        yield there[-1]
    else:
        yield from too_many


def _fits(checkers: LyingCheckers, spot: Spot, piece: Piece, wanted: Piled) -> bool:
    """Whether one more such piece belongs there, and nothing that does not."""
    there, want = checkers.pieces(spot), wanted.get(spot, ())
    if not checkers.sensors_of(spot):
        return bool((Counter(want) - Counter(there))[piece])
    return _is_part((*there, piece), want) or _is_part((piece, *there), want)


def _is_part(pieces: tuple[Piece, ...], want: tuple[Piece, ...]) -> bool:
    """Whether the pieces are some of those wanted, in the same order."""
    rest = iter(want)
    return all(piece in rest for piece in pieces)
