"""From a situation to a reading: which legal result the hands have made, or what went wrong.

The picture of all sensors is matched against every legal result.  Steps seen since the accepted
position only decide what the picture leaves open, above all a hit: its target must have been seen
to open and to close.  A picture that some part of a legal play explains, but for checkers that
are missing, is in somebody's hand and never wrong.
"""

from __future__ import annotations

from typing import TypeVar

from pi_app.microseconds import Us
from pi_app.rules.terms import Spot
from pi_app.sensing.attempts import Attempt, Part, Scene, likeliest
from pi_app.sensing.legal import LegalResult, LegalStage, onward, rest_of
from pi_app.sensing.reading import BoardState, Reading
from pi_app.sensing.situation import Situation

P = TypeVar("P")
M = TypeVar("M")

MOST_PARTS = 12
"""Stages that an attempt may have begun with, the nearest to the picture."""


def judge(now: Situation[P, M], quiet: Us) -> Reading[M]:
    """What the board shows after so long a quiet."""
    # What a takeback found on the board is not made anew: first a hand must move.
    untouched = now.guided and not now.evidence.steps
    fits = now.legal.fitting(now.seen)
    proved = [] if untouched else [result for result in fits if _is_proved(now, result)]
    if proved:
        # A checker that went where no sensor is and one that hit may look the same.
        others = [r for r in fits if _has_vanished(now, r) and _are_hits_seen(now, r)]
        doubtful = [r for r in fits if r not in (*proved, *others) and _may_have_hit(now, r)]
        return _complete(now, (*proved, *others, *doubtful, *_unseen(now, fits)), quiet)
    if choices := _to_ask(now, fits):
        return Reading(BoardState.CHOOSE, now.opened, now.filled, choices)
    if not (now.opened or now.filled):
        return _at_rest(now)
    return _unproved(now, quiet)


def _unproved(now: Situation[P, M], quiet: Us) -> Reading[M]:
    """Another picture than the accepted one, and no play that it proves."""
    if now.guided:
        return Reading(BoardState.DISTURBED, now.opened, now.filled)
    if quiet < now.times.grace or (not now.insisted and _in_the_air(now)):
        return _in_hand(now)
    return _wrong(now)


def _complete(
    now: Situation[P, M], results: tuple[LegalResult[P, M], ...], quiet: Us
) -> Reading[M]:
    if quiet < now.times.placed:
        return _in_hand(now) if now.opened or now.filled else Reading(BoardState.RESTING)
    plays = tuple(result.play for result in results)
    if len(plays) > 1:
        return Reading(BoardState.CHOOSE, now.opened, now.filled, plays)
    hits = any(move.hit for move in results[0].moves)
    certain = bool(now.extra) and len(now.missing) == len(now.extra) and not hits
    return Reading(BoardState.PLAYED, now.opened, now.filled, plays, certain=certain)


def _in_hand(now: Situation[P, M]) -> Reading[M]:
    """How far the turn has come, what is in the air, and where that may go."""
    covering = now.legal.covering(now.seen, _waiting_victims(now))
    stage = min(covering, key=lambda stage: _distance(now, stage), default=now.legal.base)
    lifted = tuple(dict.fromkeys(now.lacking(stage)[0]))
    return Reading(
        BoardState.IN_HAND,
        now.opened,
        now.filled,
        plays=rest_of(now.legal, stage) if stage.moves else (),
        done=stage.moves,
        lifted=lifted,
        targets=onward(now.legal, stage, lifted),
    )


def _distance(now: Situation[P, M], stage: LegalStage[P]) -> tuple[int, int]:
    """How far the turn has come in a stage, and how many of its moves no hand can have made."""
    unmade = (
        move.origin in now.opened
        and move.target in now.filled
        and not now.arrived(move.target, move.origin)
        for move in stage.moves
    )
    return len(stage.moves), sum(unmade)


def _at_rest(now: Situation[P, M]) -> Reading[M]:
    """The accepted picture; a player who insists has entered illegally, or has not moved.

    With nothing touched, a first press may only have been the second half of a double one.
    In a forfeited turn an entry cannot be told from an opponent's checker set straight.
    """
    if now.insisted and now.struck(()):
        forfeit = tuple(result.play for result in now.legal.results if not result.moves)
        if forfeit:
            return Reading(BoardState.CHOOSE, plays=forfeit)
        attempt = likeliest(_scene(now, ()))
        return _told(now, attempt) if attempt and attempt.broken else Reading(BoardState.RESTING)
    if now.roll and (now.insisted > 1 or (now.insisted and now.evidence.steps)):
        broken = now.game.explain(now.position, now.roll, ())
        return _told(now, Attempt((), 0, broken)) if broken else Reading(BoardState.RESTING)
    return Reading(BoardState.RESTING)


def _wrong(now: Situation[P, M]) -> Reading[M]:
    attempt = None if now.knocked else likeliest(_scene(now, now.opened))
    return _told(now, attempt) if attempt else Reading(BoardState.DISTURBED, now.opened, now.filled)


def _told(now: Situation[P, M], attempt: Attempt) -> Reading[M]:
    return Reading(
        BoardState.WRONG,
        now.opened,
        now.filled,
        attempt=attempt.moves,
        fine=attempt.fine,
        broken=attempt.broken,
    )


def _scene(now: Situation[P, M], opened: tuple[Spot, ...]) -> Scene[P, M]:
    return Scene(
        now.game,
        now.position,
        now.roll,
        _parts(now),
        now.struck(opened) or now.replaced,
        now.misfits_of,
        now.is_hidden,
    )


def _parts(now: Situation[P, M]) -> tuple[Part[P], ...]:
    """The accepted position and the stages near the picture, those first that leave least."""
    near = [
        (len(stage.moves) + max(fewer, more), -len(stage.moves), number, stage)
        for number, (stage, fewer, more) in enumerate(now.legal.differing(now.seen, most=2))
        if stage.moves
    ]
    nearest = (stage for *_, stage in sorted(near)[:MOST_PARTS])
    return (
        Part(now.legal.base, now.missing, now.extra),
        *(Part(stage, *now.lacking(stage)) for stage in nearest),
    )


def _is_proved(now: Situation[P, M], result: LegalResult[P, M]) -> bool:
    """Every hit was seen and no other one, and something was seen at all; the picture fits."""
    changed = bool(now.opened or now.filled or now.brings_back(result))
    return changed and _are_hits_seen(now, result) and not _has_vanished(now, result)


def _are_hits_seen(now: Situation[P, M], result: LegalResult[P, M]) -> bool:
    return all(now.saw_hit(move, result.moves) for move in now.brings_back(result))


def _may_have_hit(now: Situation[P, M], result: LegalResult[P, M]) -> bool:
    """Whether its hits were seen unless a checker that was missing from the first came and went."""
    hits = now.brings_back(result)
    dips = (now.evidence.longest_dip(move.target) >= now.times.brush for move in hits)
    return bool(now.evidence.lacking and hits) and all(dips)


def _has_vanished(now: Situation[P, M], result: LegalResult[P, M]) -> bool:
    """Whether a checker seems to have replaced another one instead of going where none is seen."""
    hits = {move.target for move in result.moves if move.hit}
    gone = len(now.missing) > len(now.extra)
    return gone and bool(set(now.struck(now.opened)) - hits)


def _unseen(
    now: Situation[P, M], fits: tuple[LegalResult[P, M], ...]
) -> tuple[LegalResult[P, M], ...]:
    """Plays between spots without a sensor in use: any may lie there, whatever was seen."""
    return tuple(
        result
        for result in fits
        if result.moves
        and all(now.is_blind(m.origin) and now.is_blind(m.target) for m in result.moves)
        and not _is_proved(now, result)
    )


def _to_ask(now: Situation[P, M], fits: tuple[LegalResult[P, M], ...]) -> tuple[M, ...]:
    """The plays to ask for when a player insists on a board that proves none.

    First those whose picture fits though a hit was not seen; when he insists again, those
    that a single spot contradicts: its sensor may be the one that is wrong.
    """
    if not now.insisted:
        return ()
    ask = [result for result in fits if result.moves]
    if now.insisted == 1 and not (now.opened or now.filled):
        ask = [result for result in ask if _may_have_entered(now, result)]
    if not ask and now.insisted > 1:
        near = now.legal.nearly_fitting(now.seen)
        ask = [result for result in near if result.moves and _speaks_for(now, result)]
    return tuple(result.play for result in ask)


def _may_have_entered(now: Situation[P, M], result: LegalResult[P, M]) -> bool:
    """A play that changes no sensor may have been made where one cannot be seen.

    So may one on a spot where an exchange was put down to a takeback.
    """
    return any(
        now.is_blind(move.target)
        or now.is_hidden(move.target)
        or now.evidence.touched(move.target)
        or move.target in now.exchanged
        for move in result.moves
    )


def _speaks_for(now: Situation[P, M], result: LegalResult[P, M]) -> bool:
    """Whether another spot than the one that contradicts the play has changed."""
    misfits = now.misfits(now.legal.packing.spread(result.shown))
    return bool(set(now.misfits(now.accepted)) - set(misfits))


def _in_the_air(now: Situation[P, M]) -> bool:
    """Whether a hand seems to hold a checker still, or the turn to be under way."""
    # Where nothing is missing, nobody's checker can have replaced another.
    struck = set(now.struck(now.opened)) if now.opened else set[Spot]()
    covering = now.legal.covering(now.seen, _waiting_victims(now))
    underway = any(
        struck <= {m.target for m in stage.moves if m.hit} and _is_underway(now, stage, struck)
        for stage in covering
    )
    if not now.filled:
        return not now.knocked and (not struck or underway)
    return underway or sum(now.is_own(spot) for spot in now.missing) > len(now.extra)


def _is_underway(now: Situation[P, M], stage: LegalStage[P], struck: set[Spot]) -> bool:
    """Whether the stage stands there but for checkers lifted besides.

    A checker that comes from where none is seen can be the one that was lifted before: then it
    is not.
    """
    lifted = now.lacking(stage)[0]
    return not any(
        now.evidence.carried(move.target, spot, Us(0))
        for move in stage.moves
        if (move.target in now.filled or move.target in struck) and move.origin not in now.opened
        for spot in lifted
    )


def _waiting_victims(now: Situation[P, M]) -> int:
    """What an opponent's checker adds that was lifted and waits where hit ones go."""
    mover = now.game.mover(now.position)
    home = now.game.hit_to(mover.other)
    targets = {m.target for result in now.legal.results for m in result.moves if m.hit}
    lifted = [s for s in now.opened if s in targets and now.owners.get(s) is mover.other]
    return len(lifted) * now.legal.packing.one_on(home)
