"""The likeliest attempt behind a wrong picture, and the rule it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from pi_app.rules.contract import Game
from pi_app.rules.terms import Broken, IllegalPlayError, Move, Roll, Spot

P = TypeVar("P")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Scene(Generic[P, M]):
    """What is to be explained.

    `opened` and `filled` show fewer and more checkers than `position`; `struck` are spots whose
    checker seems to have been replaced; `misfit` tells which spots contradict expected counts.
    """

    game: Game[P, M]
    position: P
    roll: Roll | None
    opened: tuple[Spot, ...]
    filled: tuple[Spot, ...]
    struck: tuple[Spot, ...]
    misfit: Callable[[P], tuple[Spot, ...]]


def likeliest(scene: Scene[P, M]) -> tuple[tuple[Move, ...], Broken | None]:
    """The attempt that explains the picture best and what it breaks; no moves if none explains it.

    One checker moved is likelier than two; the mover's likelier than the opponent's.  Without a
    roll nothing is broken: the caller knows that nothing may move.
    """
    for attempt in (*_singles(scene), *_pairs(scene)):
        if scene.roll is None:
            return attempt, None
        broken = scene.game.explain(scene.position, scene.roll, attempt)
        if broken:
            return attempt, broken
    return (), None


def _singles(scene: Scene[P, M]) -> list[tuple[Move, ...]]:
    """Single moves whose outcome is what the sensors show, the likeliest first."""
    game, checkers = scene.game, scene.game.checkers_at(scene.position)
    mover = game.mover(scene.position)
    origins = sorted(_origins(scene), key=lambda spot: mover not in checkers[spot])
    victims = {spot for spot in scene.opened if scene.filled and mover not in checkers[spot]}
    attempts: list[tuple[Move, ...]] = []
    for origin in origins:
        for target in _targets(scene):
            attempt = (Move(origin, target, hit=target in scene.struck),)
            if origin != target and _explains(scene, attempt, victims - {origin}):
                attempts.append(attempt)
    return attempts


def _origins(scene: Scene[P, M]) -> Iterator[Spot]:
    """Spots that lost a checker first; if none did, the trays no sensor watches."""
    if scene.opened:
        yield from scene.opened
    else:
        yield from _trays(scene)


def _targets(scene: Scene[P, M]) -> Iterator[Spot]:
    """Spots that gained a checker, else that changed theirs, else the trays, SAFETY before HOME."""
    found = scene.filled or scene.struck
    yield from found or reversed(list(_trays(scene)))


def _trays(scene: Scene[P, M]) -> Iterator[Spot]:
    return (spot for spot in scene.game.spots if "." in spot)


def _pairs(scene: Scene[P, M]) -> Iterator[tuple[Move, ...]]:
    """Two checkers moved, one of them perhaps out of HOME or off the board."""
    mover = scene.game.mover(scene.position)
    trays = [spot for spot in _trays(scene) if spot.endswith(mover.value)]
    if not trays or len(scene.opened) > 2 or len(scene.filled) > 2:
        return
    origins = [*scene.opened, trays[0], trays[0]][:2]
    targets = [*scene.filled, trays[-1], trays[-1]][:2]
    for first, second in (targets, targets[::-1]):
        attempt = (Move(origins[0], first), Move(origins[1], second))
        if _explains(scene, attempt, set()):
            yield attempt


def _explains(scene: Scene[P, M], attempt: tuple[Move, ...], gone: set[Spot]) -> bool:
    """Whether the attempt leaves the picture that is seen, but for victims lifted and `gone`."""
    try:
        position = scene.game.attempted(scene.position, attempt)
    except IllegalPlayError:
        return False
    return set(scene.misfit(position)) <= gone
