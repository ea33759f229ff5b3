"""The verdict on the board: the likeliest reading of its ledgers, and whether it is
likely enough."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp, inf, log
from typing import Any

from pi_app.base.adding import added
from pi_app.base.microseconds import ENDLESS, Us
from pi_app.base.values import dataclass
from pi_app.rules.terms import Spot
from pi_app.sensing.legal import rest_of
from pi_app.sensing.noise import Noise
from pi_app.sensing.occupancy import spots_of
from pi_app.sensing.reading import BoardState, HeldChecker, Patience, Reading, Thresholds
from pi_app.sensing.readings import Attempt, Hand, PricedPlay, Readings, Wrong, cheapest


@dataclass(frozen=True, slots=True)
class BoardMoment:
    """What the sensors show now, compared with the accepted position.

    `opened` and `filled` are the spots that show fewer and more checkers than accepted, or another
    side's. `missing` and `extra` say how many, without those that were replaced. `quiet` is the
    time since the last change, infinite after a press. `insisted` counts the presses since the last
    change. `early`: a press has waited for the hand in vain. `guided`: players are being led back
    to the accepted position. `touched`: a sensor has changed since the position was accepted.
    `waiting`: after an undo no hand has moved or pressed yet.
    """

    opened: tuple[Spot, ...]
    filled: tuple[Spot, ...]
    missing: int
    extra: int
    us: Us
    quiet: Us
    insisted: int
    early: bool
    guided: bool
    touched: bool
    waiting: bool

    @property
    def changed(self) -> bool:
        """Whether the board differs from the accepted position."""
        return bool(self.opened or self.filled)

    @property
    def pressed(self) -> bool:
        """Whether a player has said that the turn is finished."""
        return self.quiet >= ENDLESS


@dataclass(frozen=True)
class Verdict:
    """The reading of one moment.

    `steady` are the readings of what the sensors have shown for a while. Only these say what is in
    the hand.
    """

    readings: Readings
    steady: Readings
    moment: BoardMoment
    patience: Patience

    @property
    def _limits(self) -> Thresholds:
        return self.patience.thresholds

    def read(self) -> Reading:
        moment = self.moment
        if moment.waiting:
            # What a takeback found on the board is not made anew: first a hand must move.
            return self._plain(BoardState.DISTURBED if moment.changed else BoardState.RESTING)
        if moment.quiet < self.patience.placed:
            return self._moved() if moment.changed else Reading(BoardState.RESTING)
        return self._complete() or (self._pressed() if moment.insisted else self._quiet())

    # A play lies there

    def _complete(self) -> Reading | None:
        """The completed play, or a question about several; None if no play fits."""
        played = self.readings.played
        if not played or played[0].cost >= self._under_way:
            return None
        best = played[0]
        if not self.moment.pressed and self._in_air(best):
            return self._in_hand()
        if self._is_sure(best) and not self.moment.early:
            return self._shown(best)
        asks = self.moment.insisted or (
            len(played) > 1 and played[1].cost == best.cost and self._is_legal(best)
        )
        if not asks or not self._is_credible(best):
            return None
        return self._ask(sorted((*played, *self._under_a_hand), key=lambda play: play.cost))

    @property
    def may_go_on(self) -> bool:
        """Whether the hand may not be done although a complete play is on the board: a move that no
        sensor has felt may still change, or is still to be made."""
        played = self.readings.played
        if not played or self.moment.insisted or len(self.readings.legal.results) == 1:
            return False
        best = played[0]
        if not self._is_sure(best):
            return False
        if self._is_hasty and self.readings.unfinished:
            return True
        return any(self._goes_elsewhere(hand, best) for hand in self._in_air(best))

    def _in_air(self, best: PricedPlay) -> tuple[Hand, ...]:
        """The hands that may still hold a checker which this play has put where no
        sensor feels it."""
        unseen_hits = self.readings.unseen_hits(best.result.moves)
        return tuple(
            hand
            for hand in self.readings.hands
            if hand.held and hand.is_legal and hand.unseen_hits == unseen_hits
            if all(map(self._may_be_up, hand.held))
        )

    def _may_be_up(self, held: HeldChecker) -> bool:
        """Whether the checker was lifted a moment ago and no sensor of its target has changed
        since."""
        limits, lifted = self._limits, self.readings.last_lift(held.spot)
        longest = limits.hasty if self.moment.pressed else limits.lands
        if lifted is None or self.moment.us - lifted >= longest:
            return False
        closed = self.readings.closed_at
        return all(closed.get(target, lifted) <= lifted for target in held.targets)

    @property
    def _is_hasty(self) -> bool:
        """Whether the last felt move is so recent that the hand had no time for another."""
        times = (self.readings.lifted_at, self.readings.closed_at)
        changed = (*self.moment.opened, *self.moment.filled)
        last = max((at[spot] for at in times for spot in changed if spot in at), default=Us(0))
        return self.moment.us - last < self._limits.hasty

    def _goes_elsewhere(self, hand: Hand, best: PricedPlay) -> bool:
        """Whether this hand's checkers may also end as in another play."""
        legal = self.readings.legal
        return any(
            {held.spot for held in hand.held} <= {move.origin for move in left}
            for result in legal.results
            if result.position != best.result.position
            if (left := legal.beyond(result.moves, hand.stage.moves)) is not None
        )

    @property
    def _under_way(self) -> float:
        """The cost of the likeliest reading in which the turn is not complete."""
        resting = inf if self.moment.changed else self.readings.rest
        if self.moment.pressed:
            return resting + self._idle
        parts = (cost.cost for cost in self.readings.unfinished)
        cut = self.readings.prices.of(Noise.TOO_LITTLE)
        return min((resting, *(cost - cut for cost in parts)))

    def _is_sure(self, best: PricedPlay) -> bool:
        doubt = self._doubt(best) * self.patience.one_wrong_in
        return doubt <= 1 and self._is_legal(best)

    def _is_legal(self, best: PricedPlay) -> bool:
        """Whether it is unlikely enough that something illegal was done instead.

        Illegal readings are searched only if they could be likely enough.
        """
        unfinished = self.readings.unfinished if self.moment.pressed else ()
        if self._odds(best, unfinished) >= self._limits.illegal:
            return False
        prices = self.readings.prices
        least = prices.of(Noise.SINGLE) + prices.astray
        if exp(best.cost - least) < self._limits.illegal:
            return True
        return self._odds(best, self.readings.wrong) < self._limits.illegal

    def _odds(self, best: PricedPlay, wrongs: Sequence[Wrong]) -> float:
        return added(exp(best.cost - wrong.cost) for wrong in wrongs)

    def _doubt(self, best: PricedPlay) -> float:
        """The odds that another play was made, or none, or that this one is not complete.

        If only one play is legal and no sensor can see it, a press accepts it even before it is
        made, because the turn cannot end otherwise.
        """
        rivals = [other.cost for other in (*self.readings.played[1:], *self._under_a_hand)]
        only = len(self.readings.legal.results) == 1
        forced_unseen = only and not self.readings.unseen_hits(best.result.moves)
        if not (self.moment.changed or forced_unseen):
            rivals.append(self.readings.rest + self._idle)
        rivals.append(self._held(best))
        return added(exp(best.cost - cost) for cost in rivals)

    @cached_property
    def _under_a_hand(self) -> tuple[PricedPlay, ...]:
        """The plays that lie there if the opponent, his turn near, has lifted a checker of his
        since the last move was felt. It would look as if that checker had been hit in passing."""
        if not self.moment.pressed:
            return ()
        return tuple(
            PricedPlay(hand.cost, result)
            for hand in self.readings.hands
            if self._is_opponents(hand)
            for result in self.readings.legal.results
            if result.moves == hand.stage.moves
        )

    def _is_opponents(self, hand: Hand) -> bool:
        """Whether the opponent has lifted what is in the air after the last move was felt."""
        readings = self.readings
        opponent = readings.game.mover(readings.position).other
        landed = [readings.closed_at.get(move.target, Us(0)) for move in hand.stage.moves]
        return bool(hand.held and landed) and all(
            held.side is opponent
            and not held.targets
            and readings.lifted_at.get(held.spot, Us(0)) > max(landed)
            for held in hand.held
        )

    def _held(self, best: PricedPlay) -> float:
        """The cost of a checker that is still in the air and will show when it lands. If a play
        ends unseen, the hand with that checker does not count against it."""
        unseen_hits = self.readings.unseen_hits(best.result.moves)
        hands = (hand for hand in self.readings.hands if hand.held and hand.is_legal)
        others = (hand.cost for hand in hands if hand.unseen_hits != unseen_hits)
        return min(others, default=inf) + self.readings.prices.of(Noise.EARLY_PRESS)

    @property
    def _idle(self) -> float:
        """The cost of a press by a player who has moved nothing although he could."""
        moves = any(result.moves for result in self.readings.legal.results)
        return self.readings.prices.of(Noise.IDLE_PRESS) if moves else 0.0

    def _is_credible(self, best: PricedPlay) -> bool:
        """Whether this play may be offered in a question, compared with the illegal readings."""
        return best.cost < cheapest(self.readings.likeliest()) + self._limits.asked

    def _shown(self, best: PricedPlay) -> Reading:
        hits = any(move.hit for move in best.result.moves)
        doubt = self._doubt(best) + self._odds(best, self.readings.likeliest())
        return Reading(
            BoardState.PLAYED,
            self.moment.opened,
            self.moment.filled,
            (best.result.play,),
            certain=self.moment.changed and not (hits or any(h.held for h in self.readings.hands)),
            confidence=1 / (1 + doubt),
        )

    def _ask(self, played: Sequence[PricedPlay]) -> Reading:
        """Return a question about these plays, likeliest first.

        If only one would be offered, others follow that alone make it twice as doubtful as allowed.
        A play that a sensor contradicts is only offered together with one that fits all sensors.
        """
        narrow = self._limits.asked
        wide = max(narrow, log(self.patience.one_wrong_in / 2))
        offered = self._within(narrow, played)
        plays = offered if len(offered) > 1 else self._within(wide, played)
        fitting = tuple(play.result.play for play in self.readings.played)
        if not set(plays) & set(fitting):
            plays += fitting[:1]
        return Reading(BoardState.CHOOSE, self.moment.opened, self.moment.filled, plays)

    def _within(self, limit: float, played: Sequence[PricedPlay]) -> tuple[Any, ...]:
        return tuple(p.result.play for p in played if p.cost <= played[0].cost + limit)

    # No play lies there

    def _quiet(self) -> Reading:
        """The reading without a press."""
        if not self.moment.changed:
            return Reading(BoardState.RESTING)
        if self.moment.guided or self.moment.quiet < self.patience.grace:
            return self._moved()
        if self._is_knocked:
            return self._plain(BoardState.DISTURBED)
        if self._may_become_legal():
            return self._in_hand()
        return self._wrong(self.readings.wrong)

    def _may_become_legal(self) -> bool:
        """Whether the board and the checkers in the air may be a legal turn or become one.

        A legal reading without evidence does not silence the warning of a checker seen where it may
        not be.
        """
        return any(
            self._against(hand) > hand.cost + self._allowance(hand) for hand in self.readings.hands
        )

    def _against(self, hand: Hand) -> float:
        """The cost of the likeliest illegal reading in which the sensors have felt a checker land
        that is in this hand."""
        wrongs = self.readings.wrong
        return min((wrong.cost for wrong in wrongs if wrong.denies(hand)), default=inf)

    def _allowance(self, hand: Hand) -> float:
        """How many nats likelier than an illegal reading this hand must be to keep
        Spotter quiet."""
        if not hand.is_legal:
            return self._limits.asked
        return self._limits.lingers if hand.held else 0.0

    def _pressed(self) -> Reading:
        """The reading after a press if no play is certain."""
        readings, moment, wrongs = self.readings, self.moment, self._accusations
        if not moment.changed and not moment.touched and moment.insisted == 1:
            # This may have been the second half of a double press.
            return Reading(BoardState.RESTING)
        rest = inf if moment.changed else readings.rest + self._idle
        insists = self._limits.insists * (moment.insisted - 1)
        nearly, early = cheapest(readings.nearly) - insists, self._early
        if nearly < min(rest, cheapest(wrongs), early):
            return self._ask(
                sorted((*readings.nearly, *readings.played), key=lambda play: play.cost)
            )
        if early < min(rest, cheapest(wrongs)):
            return self._in_hand()
        forfeit = tuple(r.play for r in readings.legal.results if not r.moves)
        if forfeit and not moment.changed and cheapest(wrongs) < rest + self._limits.asked:
            return Reading(BoardState.CHOOSE, plays=forfeit)
        if not moment.changed and rest <= cheapest(wrongs):
            return self._not_played()
        return self._wrong(wrongs)

    @property
    def _accusations(self) -> tuple[Wrong, ...]:
        """The illegal readings, likeliest first. On an unmoved board only one with a hit counts."""
        wrongs = self.readings.likeliest()
        if self.moment.changed:
            return wrongs
        return tuple(wrong for wrong in wrongs if any(move.hit for move in wrong.moves))

    @property
    def _early(self) -> float:
        """The cost of a press while a checker is in the air."""
        if not self.readings.roll or self._is_knocked:
            return inf
        return min(map(self._pressed_early, self.readings.hands), default=inf)

    def _pressed_early(self, hand: Hand) -> float:
        """The cost of a press while this hand holds something. It is paid once; not at all if a
        complete turn is on the board and the checker in the air is the opponent's."""
        mover = self.readings.game.mover(self.readings.position)
        own = any(held.side is mover or held.targets for held in hand.held)
        stray = any(held.side is mover and not held.targets for held in hand.held)
        legal, done = self.readings.legal, hand.stage
        complete = any(result.moves == done.moves for result in legal.results)
        again = own or not complete or done.shown == legal.base.shown
        if not hand.held or stray or (self.moment.insisted > 1 and again):
            return inf
        return hand.cost + own * self.readings.prices.of(Noise.EARLY_PRESS)

    def _not_played(self) -> Reading:
        """The reading if nothing was moved.

        If no sensor has changed, a first press may be half of a double press.
        """
        readings = self.readings
        if readings.roll:
            broken = readings.game.explain(readings.position, readings.roll, ())
            if broken:
                return self._illegal(Attempt((), 0, broken))
        return Reading(BoardState.RESTING)

    @property
    def _is_knocked(self) -> bool:
        """Whether more checkers are missing or added than hands move in a turn."""
        most = (self.readings.legal.most_moves or 1) + self._limits.held
        if self.moment.extra >= most:
            return True
        hands = self.readings.hands
        return self.moment.missing >= most and not (hands and hands[0].is_legal)

    def _moved(self) -> Reading:
        """The reading while the board differs from the accepted position."""
        return self._plain(BoardState.DISTURBED) if self.moment.guided else self._in_hand()

    def _in_hand(self) -> Reading:
        """The finished part of the turn, the lifted checkers and their targets. A checker that was
        set down a moment ago no longer counts as lifted."""
        hand = next(iter(self.steady.hands), None) or self.steady.lifted
        legal, high = self.readings.legal, self.readings.seen.bounds[1]
        lacking = spots_of(legal.packing.missing(hand.stage.shown, high))
        return Reading(
            BoardState.IN_HAND,
            self.moment.opened,
            self.moment.filled,
            plays=rest_of(legal, hand.stage) if hand.stage.moves else (),
            done=hand.stage.moves,
            held=tuple(held for held in hand.held if held.spot in lacking),
        )

    def _wrong(self, wrongs: Sequence[Wrong]) -> Reading:
        attempt = None
        if not (self._is_knocked or self.moment.guided):
            attempt = self.readings.explain(wrongs)
        return self._illegal(attempt) if attempt else self._plain(BoardState.DISTURBED)

    def _illegal(self, attempt: Attempt) -> Reading:
        return Reading(
            BoardState.WRONG,
            self.moment.opened,
            self.moment.filled,
            attempt=attempt.moves,
            fine=attempt.fine,
            broken=attempt.broken,
        )

    def _plain(self, state: BoardState) -> Reading:
        return Reading(state, self.moment.opened, self.moment.filled)
