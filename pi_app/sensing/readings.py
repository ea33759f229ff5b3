"""The readings of a turn: everything that the hands may have done, each with its cost.

A reading is one of these: all checkers are back; a legal play; part of one, with checkers in the
hand; part of one followed by something illegal. All readings fit the sensors. They differ in the
hits that the ledgers must explain, unless the sensors tell whose checker is where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import inf
from typing import Any, NamedTuple

from pi_app.base.adding import added
from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Broken, Checkers, IllegalPlayError, Move, Roll, Side, Spot, Stack
from pi_app.sensing.ledgers import Evidence, Prices, UnseenHit
from pi_app.sensing.legal import Legal, LegalResult, LegalStage
from pi_app.sensing.noise import Noise
from pi_app.sensing.occupancy import SeenCounts, SensedSpots, SpotSide, spots_of
from pi_app.sensing.reading import HeldChecker, Thresholds


class PricedPlay(NamedTuple):
    """A legal play that fits the sensors, with its cost."""

    cost: float
    result: LegalResult


class Hand(NamedTuple):
    """Part of a turn is done, possibly nothing, and these checkers are in the air.

    `unseen_hits` are the hits of that part after which their spots show the same as before.
    """

    cost: float
    stage: LegalStage
    held: tuple[HeldChecker, ...]
    unseen_hits: tuple[UnseenHit, ...]

    @property
    def is_legal(self) -> bool:
        """Whether every checker in the hand has a legal target."""
        return all(held.targets for held in self.held)


class ShownRange(NamedTuple):
    """The fewest and the most checkers that the sensors allow, perhaps with a hit checker moved.

    `beside`: the victim is still on this spot with the hitter; it is counted as if it had gone
    home. `gone`: it was removed from this spot before the hitter came; it is counted as if it were
    there.
    """

    low: int
    high: int
    beside: Spot | None = None
    gone: Spot | None = None


class Wrong(NamedTuple):
    """Moves that are no legal play; the first `fine` of them are legal.

    `seen`: the sensors show every wrongly moved checker where it went, or have just felt it hit
    there. `whole`: no other checker is in the air. `landed`: the origins of all checkers that were
    felt where they went, after they had left.
    """

    cost: float
    moves: tuple[Move, ...]
    fine: int
    seen: bool = True
    whole: bool = True
    landed: tuple[Spot, ...] = ()

    def denies(self, hand: Hand) -> bool:
        """Whether the sensors have felt a checker land that this hand holds, wherever it was lifted
        first or last; or any, if it holds none."""
        held = {one.spot for one in hand.held}
        held |= {origin for origin, target in _ways(hand.stage.moves) if target in held}
        return self.seen and (not held or not held.isdisjoint(self.landed))


class WrongStep(NamedTuple):
    """A wrong move or a `held` checker, and the differences still to be explained."""

    move: Move | None
    fewer: tuple[SpotSide, ...] = ()
    more: tuple[SpotSide, ...] = ()
    held: tuple[Spot, ...] = ()


class Attempt(NamedTuple):
    """The likeliest illegal moves, of which the first `fine` are legal, and the rule they break."""

    moves: tuple[Move, ...]
    fine: int
    broken: Broken | None


@dataclass(frozen=True)
class Readings:
    game: AnyGame
    sensed: SensedSpots
    position: Any
    roll: Roll | None
    legal: Legal
    evidence: Evidence
    seen: SeenCounts
    left_at: Mapping[Spot, Us]
    lifted_at: Mapping[Spot, Us]
    closed_at: Mapping[Spot, Us]
    thresholds: Thresholds

    # Nothing, or a legal play

    @property
    def prices(self) -> Prices:
        return self.evidence.prices

    @cached_property
    def rest(self) -> float:
        """The cost if every checker is back in its place."""
        return self.evidence.nothing

    @cached_property
    def played(self) -> tuple[PricedPlay, ...]:
        """The plays that no trusted sensor contradicts, likeliest first."""
        return self._priced(self.legal.fitting(self.seen))

    @cached_property
    def nearly(self) -> tuple[PricedPlay, ...]:
        """The plays that one spot contradicts, because a sensor missed a checker."""
        return self._priced(self.legal.nearly_fitting(self.seen))

    def _priced(self, results: Sequence[LegalResult]) -> tuple[PricedPlay, ...]:
        moved = (result for result in results if result.moves)
        found = (
            PricedPlay(self.evidence.cost(self.unseen_hits(r.moves)) + self._missed(r), r)
            for r in moved
        )
        return tuple(sorted(found, key=lambda played: played.cost))

    def _missed(self, result: LegalResult) -> float:
        """The cost of sensors that differ from this play. If none of its checkers came or went
        there, someone must also have touched the spot."""
        low, high = self.seen.bounds
        missing = self.legal.packing.missing
        came, gone = {m.target for m in result.moves}, {m.origin for m in result.moves}
        home = {self.game.hit_to(self.game.mover(self.position).other)}
        prices, touched = self.prices, self.prices.of(Noise.ADJUST_BETWEEN) + self.prices.which
        return added(
            prices.of(Noise.MISSED_CLOSING) + touched * (spot not in came | home)
            for spot, _ in missing(result.shown, high)
        ) + added(
            prices.of(Noise.MISSED_OPENING) + touched * (spot not in gone)
            for spot, _ in missing(low, result.shown)
        )

    def unseen_hits(self, moves: Sequence[Move]) -> tuple[UnseenHit, ...]:
        """Return the hits of these moves after which the victim's spot shows the same as before.

        If several checkers come to a spot, any of them may have come first and made the hit.
        """
        if self.sensed.tells_sides:
            return ()
        came, gone = Counter(m.target for m in moves), Counter(m.origin for m in moves)
        return tuple(
            UnseenHit(
                move.target,
                any(self._is_unseen(m.origin, moves) for m in moves if m.target == move.target),
            )
            for move in moves
            if move.hit and came[move.target] > gone[move.target]
            if move.target not in self.evidence.untrusted
        )

    def _is_unseen(self, origin: Spot, moves: Sequence[Move]) -> bool:
        """Whether the checker that moves on from `origin` first left a place without a sensor."""
        before = {move.target: move.origin for move in moves}
        while origin in before:
            origin = before.pop(origin)
        return self._hides(origin, len(self._accepted[origin]))

    # Checkers in the air

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The unfinished turns that fit the sensors, likeliest first."""
        packing, stages = self.legal.packing, self.legal.stages
        ranges = tuple(self._ranges())
        lacking = sorted(
            (packing.less(shown.high, stage.shown), number, index)
            for index, shown in enumerate(ranges)
            for number, stage in enumerate(stages)
            if packing.is_at_most(shown.low, stage.shown) and self._waits(stage, shown)
        )
        most = 2 * self.legal.most_moves + self.thresholds.held
        found = list[Hand]()
        for fewest, number, index in lacking[: self.thresholds.candidates]:
            fewer = packing.missing(stages[number].shown, ranges[index].high)
            if len(fewer) <= most and fewest <= lacking[0][0] + 1:
                found.append(self._hand(stages[number], fewer, ranges[index].beside))
        return tuple(sorted(found, key=self._order))

    def last_lift(self, origin: Spot) -> Us | None:
        """Return when the checker from this spot was last lifted: from here, or from a free spot on
        which it was put down meanwhile. None if it was not."""
        free = (spot for spot in self.lifted_at if not self._accepted.get(spot))
        times = (self.lifted_at[spot] for spot in (origin, *free) if spot in self.lifted_at)
        return max(times, default=None)

    def _waits(self, stage: LegalStage, shown: ShownRange) -> bool:
        """Whether the checker that this range moves was hit there, or is about to be."""
        if shown.beside:
            return any(move.hit and move.target == shown.beside for move in stage.moves)
        onward = self.legal.onward(stage) if shown.gone else ()
        return not shown.gone or any(m.hit and m.target == shown.gone for m in onward)

    @property
    def lifted(self) -> Hand:
        """The checkers missing from the accepted position, ignoring additional ones."""
        base = self.legal.base
        return self._hand(base, self.legal.packing.missing(base.shown, self.seen.bounds[1]), None)

    def _order(self, hand: Hand) -> tuple[float, int, Us]:
        """The sort key: likeliest first; at equal cost the shortest, then the one lifted last."""
        lifted = (self.lifted_at.get(held.spot, Us(0)) for held in hand.held)
        return round(hand.cost, 6), len(hand.stage.moves), Us(-min(lifted, default=Us(0)))

    def _ranges(self) -> Iterator[ShownRange]:
        """Yield what the sensors show, and the same with a hit checker moved to its
        home or back."""
        low, high = self.seen.bounds
        yield ShownRange(low, high)
        packing, base = self.legal.packing, self.legal.base.shown
        for spot in self._hit_spots:
            victim = self._accepted[spot][-1]
            home = self.game.hit_to(victim)
            here, there = packing.one(spot, victim), packing.one(home, victim)
            if packing.at(low, spot, victim) and packing.total(low, spot) > 1:
                yield ShownRange(low - here + there, high - here + there, beside=spot)
            if there and packing.at(low, home, victim) > packing.at(base, home, victim):
                yield ShownRange(low + here - there, high + here - there, gone=spot)

    @cached_property
    def _hit_spots(self) -> tuple[Spot, ...]:
        """The spots where a legal play hits."""
        moves = (move for result in self.legal.results for move in result.moves)
        return tuple(dict.fromkeys(m.target for m in moves if m.hit and self._accepted[m.target]))

    def _hand(self, stage: LegalStage, fewer: tuple[SpotSide, ...], waits: Spot | None) -> Hand:
        unseen_hits = tuple(s for s in self.unseen_hits(stage.moves) if s.spot != waits)
        cost = self.evidence.cost(unseen_hits)
        if not fewer:
            return Hand(cost, stage, (), unseen_hits)
        stacks, mover = self._standing(stage), self.game.mover(self.position)
        onward = self.legal.onward(stage)
        homes = Counter(self.game.hit_to(mover.other) for move in stage.moves if move.hit)
        held, own, strays = list[HeldChecker](), 0, 0
        for spot, seen in fewer:
            side = seen or (stacks[spot][-1] if stacks.get(spot) else mover)
            if side is mover:
                targets = tuple(dict.fromkeys(m.target for m in onward if m.origin == spot))
                own += bool(targets)
            elif homes[spot] > 0:
                homes[spot] -= 1
                targets = (spot,)
            elif any(m.hit and m.target == spot for m in onward):
                targets = (self.game.hit_to(side),)
            else:
                targets = ()
            if not targets:
                cost += self._straying(side, strays, alone=not stage.moves and len(fewer) == 1)
                strays += 1
            held.append(HeldChecker(spot, side, targets))
        cost += max(own - 1, 0) * self.prices.of(Noise.TWO_HANDS)
        return Hand(cost, stage, tuple(held), unseen_hits)

    def _straying(self, side: Side, before: int, *, alone: bool) -> float:
        """The cost of holding a checker that may not move."""
        if side is not self.game.mover(self.position):
            return self.prices.of(Noise.OTHER_HAND) + self.prices.enemy
        adjusted = Noise.ADJUST if alone and not before else Noise.ADJUST_BETWEEN
        return self.prices.of(adjusted) + self.prices.which

    # Something wrong

    @cached_property
    def wrong(self) -> tuple[Wrong, ...]:
        """The illegal readings that fit the sensors, likeliest first."""
        differing = self.legal.differing(self.seen, most=self.thresholds.held)
        near = sorted(differing, key=lambda found: (max(found[1:]), len(found[0].moves)))
        found = list[Wrong]()
        for stage, *_ in near[: self.thresholds.candidates]:
            found += self._wrongs(stage)
        return tuple(sorted([*found, *self._others()], key=lambda w: (w.cost, len(w.moves))))

    @cached_property
    def unfinished(self) -> tuple[Wrong, ...]:
        """The parts of a turn that a player may have declared complete."""
        low, high = self.seen.bounds
        packing, done = self.legal.packing, {r.moves for r in self.legal.results}
        parts = (
            stage
            for stage in self.legal.stages
            if stage.moves
            and stage.moves not in done
            and packing.is_at_most(low, stage.shown)
            and packing.is_at_most(stage.shown, high)
        )
        of = self.prices.of(Noise.TOO_LITTLE)
        found = (
            Wrong(of + self.evidence.cost(self.unseen_hits(s.moves)), s.moves, len(s.moves))
            for s in islice(parts, self.thresholds.candidates)
        )
        return tuple(sorted(found, key=lambda wrong: wrong.cost))

    def _others(self) -> Iterator[Wrong]:
        """Yield legal plays other than the machine's choice."""
        low, high = self.seen.bounds
        packing = self.legal.packing
        for other in self.legal.others:
            if packing.is_at_most(low, other.shown) and packing.is_at_most(other.shown, high):
                unseen_hits = self.unseen_hits(other.moves)
                cost = self.prices.of(Noise.SINGLE) + self.evidence.cost(unseen_hits)
                yield Wrong(cost, other.moves, 0)

    def _wrongs(self, stage: LegalStage) -> Iterator[Wrong]:
        """The illegal readings that begin with this part of a turn."""
        low, high = self.seen.bounds
        packing = self.legal.packing
        fewer, more = packing.missing(stage.shown, high), packing.missing(low, stage.shown)
        begun = self.prices.of(Noise.HALF_RIGHT if stage.moves else Noise.SINGLE)
        stacks = self._standing(stage)
        replaced = len({own.spot for own in fewer} & {own.spot for own in more})
        if max(len(fewer), len(more)) - replaced > self.thresholds.held:
            return
        for moves, held in islice(self._ways(stacks, fewer, more), self.thresholds.candidates):
            done = (*stage.moves, *moves)
            if not moves or _net(done) in self._legal_ends or not self._fits(stacks, moves, held):
                continue
            cost = begun + len(moves) * self.prices.astray
            cost += self.prices.of(Noise.ASTRAY) * sum(
                m.target.side not in (None, stacks[m.origin][-1]) for m in moves
            )
            cost += added(self._straying(stacks[spot][-1], 1, alone=False) for spot in held)
            landed, late = self._landed(done)
            seen = not held and all(move.target in self._felt for move in moves)
            cost += self.prices.of(Noise.MISSED_OPENING) * late
            cost += self.evidence.cost(self.unseen_hits(done))
            yield Wrong(cost, done, len(stage.moves), seen, not held, tuple(landed))

    def _landed(self, moves: Sequence[Move]) -> tuple[list[Spot], int]:
        """The origins of the checkers that were felt where they went, and how many others cannot
        be what was felt there."""
        landed, late = list[Spot](), 0
        for origin, target in _ways(moves):
            if target not in self._felt:
                continue
            if self._is_late(origin, target):
                late += 1
            else:
                landed.append(origin)
        return landed, late

    def _is_late(self, origin: Spot, target: Spot) -> bool:
        """Whether the target closed before the origin opened, so that another checker closed it. A
        checker that is pushed to the next spot may be felt there first."""
        left, closed = self.left_at.get(origin), self.closed_at.get(target)
        if left is None or closed is None:
            return False
        near = (origin, target) in self.sensed.near
        return left > closed + (self.prices.noise.longest(Noise.PUSH) if near else 0)

    def _fits(self, stacks: Checkers, moves: Sequence[Move], held: Sequence[Spot]) -> bool:
        """Whether the sensors fit these moves, also on spots with more checkers than sensors."""
        low, high = self.seen.bounds
        now, mover = dict(stacks), self.game.mover(self.position)
        for spot in held:
            now[spot], _ = self._parted(now[spot])
        for move in moves:
            now[move.origin], piece = self._parted(now.get(move.origin, ()))
            below = now.get(move.target, ())
            left = self._parted(below)[0] if move.hit else below
            now[move.target] = (*left, *(piece or (mover,)))
        touched = {*held, *(spot for move in moves for spot in (move.origin, move.target))}
        fits = self.legal.packing.fits
        return all(fits(low, spot, now[spot], high) for spot in touched)

    def _parted(self, stack: Stack) -> tuple[Stack, Stack]:
        """Return a stack without its top piece, and that piece."""
        return ((), stack) if self.game.tallest > 1 else (stack[:-1], stack[-1:])

    @cached_property
    def _legal_ends(self) -> frozenset[frozenset[tuple[Spot, int]]]:
        """The net changes of all plays that fit, by any route, and of playing nothing."""
        return frozenset((_net(()), *(_net(found.result.moves) for found in self.played)))

    def _ways(
        self, stacks: Checkers, fewer: tuple[SpotSide, ...], more: tuple[SpotSide, ...]
    ) -> Iterator[tuple[tuple[Move, ...], tuple[Spot, ...]]]:
        """All combinations of wrong moves and held checkers that explain the differences."""
        for step in self._steps(stacks, fewer, more):
            moves = (step.move,) if step.move else ()
            if not (step.fewer or step.more):
                yield moves, step.held
                continue
            for further, held in self._ways(stacks, step.fewer, step.more):
                yield (*moves, *further), (*step.held, *held)

    def _steps(
        self, stacks: Checkers, fewer: tuple[SpotSide, ...], more: tuple[SpotSide, ...]
    ) -> Iterator[WrongStep]:
        """The first wrong move or held checker, and what remains to be explained."""
        if more:
            return self._arriving(stacks, fewer, more)
        return self._leaving(stacks, fewer) if fewer else self._unseen(stacks)

    def _arriving(
        self, stacks: Checkers, fewer: tuple[SpotSide, ...], more: tuple[SpotSide, ...]
    ) -> Iterator[WrongStep]:
        """Yield checkers that came from where one is missing, or from where no sensor sees one
        leave.

        Or the checker made a hit and what arrived is its victim; or it is seen where its victim
        was.
        """
        replaced = [own for own in more if own.side and _other(own) in fewer]
        came = next(iter(replaced), more[0])
        left, at = _without(more, came), came.spot
        seen = [
            (own.spot, side, _without(fewer, own))
            for own in dict.fromkeys(fewer)
            for side in (own.side or stacks[own.spot][-1],)
            if came.side in (None, side)
        ]
        unseen = (
            (spot, side, fewer)
            for spot, side in self._hidden_out(stacks)
            if not seen and came.side in (None, side)
        )
        for origin, side, gone in (*seen, *unseen):
            if replaced:
                victim = _other(came)
                home = SpotSide(self.game.hit_to(side.other), side.other)
                yield WrongStep(
                    Move(origin, at, hit=True), _without(gone, victim), _without(left, home)
                )
            yield WrongStep(Move(origin, at), gone, left)
            for spot in self._victims(stacks, side, at):
                yield WrongStep(Move(origin, spot, hit=True), gone, left)

    def _leaving(self, stacks: Checkers, fewer: tuple[SpotSide, ...]) -> Iterator[WrongStep]:
        """Yield checkers that went to a place without a sensor, hit another, or are in the hand."""
        origin, gone = fewer[0].spot, fewer[1:]
        side = fewer[0].side or stacks[origin][-1]
        for spot in self._victims(stacks, side, None):
            if spot != origin:
                yield WrongStep(Move(origin, spot, hit=True), gone)
        for target in self._hidden_in(stacks, side):
            if target != origin:
                yield WrongStep(Move(origin, target), gone)
        yield WrongStep(None, gone, held=(origin,))

    def _unseen(self, stacks: Checkers) -> Iterator[WrongStep]:
        """Yield checkers that left a place without a sensor and hit: only the exchange was felt."""
        for origin, side in self._hidden_out(stacks):
            for spot in self._victims(stacks, side, None):
                yield WrongStep(Move(origin, spot, hit=True))

    def _victims(self, stacks: Checkers, side: Side, home: Spot | None) -> Iterator[Spot]:
        """Yield the spots where this side may have hit, because an exchange was felt there. The
        victim went to this home, or is not seen there."""
        for spot in self._exchanged:
            victim = stacks.get(spot, ())
            enemy = len(set(victim)) == 1 and victim[0] is not side
            if enemy and home in (None, self.game.hit_to(victim[0])):
                yield spot

    @cached_property
    def _felt(self) -> frozenset[Spot]:
        """The spots that show more than accepted, or where a checker may have been exchanged."""
        more = self.legal.packing.missing(self.seen.bounds[0], self.legal.base.shown)
        return frozenset((*spots_of(more), *self.evidence.running))

    @cached_property
    def _exchanged(self) -> tuple[Spot, ...]:
        """The spots where the ledgers allow an exchange."""
        epochs = (self.evidence.running, *self.evidence.past)
        return tuple(dict.fromkeys(spot for epoch in epochs for spot in epoch))

    def _hidden_out(self, stacks: Checkers) -> Iterator[tuple[Spot, Side]]:
        """Yield the spots that a checker can leave without a sensor noticing, the mover's first."""
        mover = self.game.mover(self.position)
        for side in (mover, mover.other):
            for spot, stack in stacks.items():
                if stack and stack[-1] is side and self._hides(spot, len(stack)):
                    yield spot, side

    def _hidden_in(self, stacks: Checkers, side: Side) -> Iterator[Spot]:
        """Yield the spots that a checker can enter without a sensor noticing."""
        for spot, stack in stacks.items():
            if spot.side in (None, side) and self._hides(spot, len(stack) + 1):
                yield spot

    # What lies where

    @cached_property
    def _accepted(self) -> Checkers:
        return self.game.checkers_at(self.position)

    def _standing(self, stage: LegalStage) -> Checkers:
        return self.game.checkers_at(stage.position) if stage.moves else self._accepted

    def _hides(self, spot: Spot, height: int) -> bool:
        """Whether no sensor feels the topmost of `height` checkers on a spot."""
        places = self.sensed.places.get(spot, 0)
        return not places or spot in self.evidence.untrusted or 1 < places < height

    # What was tried

    def explain(self, wrongs: Sequence[Wrong]) -> Attempt | None:
        """Return the likeliest of these that can be made and breaks a rule; None if there is none.

        Without a roll it is None, because then nothing may move. It is also None for a legal play
        that differs from the one already decided.
        """
        for wrong in sorted(
            wrongs[: self.thresholds.candidates], key=lambda wrong: not wrong.whole
        ):
            try:
                self.game.attempted(self.position, wrong.moves)
                broken = (
                    self.game.explain(self.position, self.roll, wrong.moves) if self.roll else None
                )
            except IllegalPlayError:
                continue
            if broken or not self.roll or self.legal.only is not None:
                fine = wrong.fine if wrong.fine < len(wrong.moves) else 0
                return Attempt(wrong.moves, fine, broken)
        return None

    def likeliest(self) -> tuple[Wrong, ...]:
        """All illegal readings, unfinished turns included, likeliest first."""
        return tuple(sorted([*self.wrong, *self.unfinished], key=lambda w: w.cost))


def _changes(moves: Iterable[Move], held: Iterable[Spot] = ()) -> dict[Spot, int]:
    """The change in the number of checkers per spot after these moves."""
    more: dict[Spot, int] = {}
    for spot in (*held, *(move.origin for move in moves)):
        more[spot] = more.get(spot, 0) - 1
    for move in moves:
        more[move.target] = more.get(move.target, 0) + (not move.hit)
    return more


def _ways(moves: Sequence[Move]) -> list[tuple[Spot, Spot]]:
    """Where each of the moved checkers came from, and where it is now."""
    ways: list[tuple[Spot, Spot]] = []
    for move in moves:
        origin = move.origin
        for way in ways:
            if way[1] == move.origin:
                ways.remove(way)
                origin = way[0]
                break
        ways.append((origin, move.target))
    return ways


def _net(moves: Sequence[Move]) -> frozenset[tuple[Spot, int]]:
    """The net changes of these moves, and their hits."""
    changes = ((spot, count) for spot, count in _changes(moves).items() if count)
    return frozenset((*changes, *((move.target, 0) for move in moves if move.hit)))


def _other(own: SpotSide) -> SpotSide:
    """Return the other side's checkers on the same spot."""
    return SpotSide(own.spot, own.side and own.side.other)


def _without(found: tuple[SpotSide, ...], one: SpotSide) -> tuple[SpotSide, ...]:
    """Return these without one of that kind, if there is one."""
    index = found.index(one) if one in found else len(found)
    return (*found[:index], *found[index + 1 :])


def cheapest(found: Sequence[PricedPlay | Hand | Wrong]) -> float:
    """Return the lowest cost; `found` is sorted."""
    return found[0].cost if found else inf
