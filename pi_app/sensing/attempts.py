"""The likeliest attempt behind a wrong picture, and the rule it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Generic, TypeVar

from pi_app.rules.contract import Game
from pi_app.rules.terms import Broken, IllegalPlayError, Move, Roll, Side, Spot
from pi_app.sensing.legal import LegalStage

P = TypeVar("P")
M = TypeVar("M")

TRIED = 40
"""Attempts held against the picture at most: an answer is due at once."""


@dataclass(frozen=True, slots=True)
class Part(Generic[P]):
    """What is to be explained beyond a stage of a legal turn.

    `opened` and `filled` show fewer and more checkers than the stage, a spot once for each.
    """

    stage: LegalStage[P]
    opened: tuple[Spot, ...]
    filled: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the hands have tried, the first `fine` moves legally, and what it breaks."""

    moves: tuple[Move, ...]
    fine: int
    broken: Broken | None


@dataclass(frozen=True, slots=True)
class Scene(Generic[P, M]):
    """What is to be explained.

    `parts` are the stages that come near the picture, the accepted position first.  `struck` are
    spots whose single checker seems to have been replaced; `misfit` tells which spots contradict a
    position; `is_hidden` whether a checker goes or
    comes there unseen.
    """

    game: Game[P, M]
    position: P
    roll: Roll | None
    parts: tuple[Part[P], ...]
    struck: tuple[Spot, ...]
    misfit: Callable[[P], tuple[Spot, ...]]
    is_hidden: Callable[[Spot], bool]


def likeliest(scene: Scene[P, M]) -> Attempt | None:
    """The attempt that explains the picture best and what it breaks, or None if none explains it.

    One checker moved beyond a legal part is likelier than two; the mover's likelier than the
    opponent's.  Without a roll nothing is broken: the caller knows that nothing may move.
    """
    for fine, rest in islice(_attempts(scene), TRIED):
        moves = (*fine, *rest)
        broken = scene.game.explain(scene.position, scene.roll, moves) if scene.roll else None
        if broken or not scene.roll:
            return Attempt(moves, len(fine) if rest else 0, broken)
    return None


def _attempts(scene: Scene[P, M]) -> Iterator[tuple[tuple[Move, ...], tuple[Move, ...]]]:
    """What the hands may have done, as a legal part and what came after it."""
    for part in scene.parts:
        yield from ((part.stage.moves, rest) for rest in _singles(scene, part))
    for part in scene.parts:
        if part.stage.moves and not (part.opened or part.filled):
            yield part.stage.moves, ()
    for part in scene.parts:
        yield from ((part.stage.moves, rest) for rest in _pairs(scene, part))
    yield from (((), rest) for rest in _to_a_tray(scene, scene.parts[0]))


def _singles(scene: Scene[P, M], part: Part[P]) -> Iterator[tuple[Move, ...]]:
    """One move more whose outcome is what the sensors show, the likeliest first."""
    game, checkers = scene.game, scene.game.checkers_at(scene.position)
    mover = game.mover(scene.position)
    # What came to where hit checkers go is a victim: the hand's own move ends elsewhere.
    homes = {game.hit_to(side) for side in Side} if scene.struck else set[Spot]()
    filled = tuple(spot for spot in part.filled if spot not in homes)
    victims = {spot for spot in part.opened if part.filled and mover not in checkers[spot]}
    if len(filled) > 1 or len(set(part.opened) - victims) > 1:
        return
    origins = part.opened or _unseen(scene)
    targets = filled or scene.struck or _unseen(scene)[::-1]
    for origin in sorted(origins, key=lambda spot: mover not in checkers[spot]):
        for target in targets:
            last = Move(origin, target, hit=target in scene.struck)
            if origin != target and _explains(scene, (*part.stage.moves, last), victims - {origin}):
                yield (last,)


def _to_a_tray(scene: Scene[P, M], part: Part[P]) -> Iterator[tuple[Move, ...]]:
    """One checker to a tray or bar where none of its side can be, so that no position shows it."""
    if len(part.filled) == 1 and len(part.opened) < 2 and part.filled[0].side:
        checkers = scene.game.checkers_at(scene.position)
        for origin in part.opened or (spot for spot in _unseen(scene) if checkers[spot]):
            yield (Move(origin, part.filled[0]),)


def _unseen(scene: Scene[P, M]) -> tuple[Spot, ...]:
    """Where a checker can go or come and no sensor tells: trays, and stacks higher than sensors."""
    return tuple(spot for spot in scene.game.spots if scene.is_hidden(spot))


def _pairs(scene: Scene[P, M], part: Part[P]) -> Iterator[tuple[Move, ...]]:
    """The part and two checkers moved, one of them perhaps where no sensor tells."""
    opened, filled = part.opened, part.filled
    if not (len(opened) + len(filled) > 0 and len(opened) <= 2 and len(filled) <= 2):
        return
    mover = scene.game.mover(scene.position)
    own = [spot for spot in _unseen(scene) if spot.side in (None, mover)]
    if len(opened) < 2 or len(filled) < 2:
        if not own:
            return
        opened = (*opened, own[0], own[0])[:2]
        filled = (*filled, own[-1], own[-1])[:2]
    for first, second in permutations(filled):
        moves = (Move(opened[0], first), Move(opened[1], second))
        attempt = (*part.stage.moves, *moves)
        if all(m.origin != m.target for m in moves) and _explains(scene, attempt, set()):
            yield moves


def _explains(scene: Scene[P, M], attempt: tuple[Move, ...], gone: set[Spot]) -> bool:
    """Whether the attempt leaves the picture that is seen, but for victims lifted and `gone`."""
    try:
        position = scene.game.attempted(scene.position, attempt)
    except IllegalPlayError:
        return False
    return set(scene.misfit(position)) <= gone
