"""What a beam of hypotheses says: resting, in hand, played, to be asked, wrong or disturbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Generic, TypeVar

from pi_app.microseconds import ENDLESS, Us
from pi_app.rules.terms import Roll, Spot
from pi_app.sensing.endings import ALIKE, Endings, Priced
from pi_app.sensing.explaining import Attempt, Explainer
from pi_app.sensing.legal import onward, rest_of
from pi_app.sensing.noise import Noise
from pi_app.sensing.patience import Patience
from pi_app.sensing.reading import BoardState, Reading

P = TypeVar("P")
M = TypeVar("M")

ASKED = log(1000)
"""Plays less likely than the best by more than this are not asked about."""
INSISTS = log(2000)
"""So much likelier it is that a player is right who presses again."""
CLEARLY = 1.0
"""So much likelier than a turn under way is a play that is shown, in nats."""
LINGERS = 2.0
"""So much rarer is a checker that is held in the air for so long, in nats."""
MUDDLE = 0.04
"""A play is shown while the odds are less that something illegal was done instead; a player who
sees it shown and presses has agreed to it."""
HASTE = 0.001
"""It is taken at a press while the odds are less that a checker is still in the air."""
UNAGREED = 0.01
"""It is taken, if it was not shown, while the odds are less that something illegal is under way."""
HELD = 2
"""So many checkers a hand may hold besides those that the turn has moved; more were knocked off."""
MOST_EXPLAINED = 6
"""Illegal endings that are explained at most, the likeliest first."""


@dataclass(frozen=True, slots=True)
class BoardMoment:
    """What the sensors show next to the accepted position, and for how long.

    `opened` and `filled` are the spots that show fewer and more checkers than accepted, `missing`
    and `extra` by how many.  `quiet` is how long nothing has changed; `insisted` counts the presses
    since; `guided` tells that the players are being led back.
    """

    opened: tuple[Spot, ...]
    filled: tuple[Spot, ...]
    missing: int
    extra: int
    quiet: Us
    insisted: int
    guided: bool


@dataclass(frozen=True, slots=True)
class Verdict(Generic[P, M]):
    """A moment on the board and what it means.

    `untouched`: play has gone back and no hand has moved yet; `touched` that something was seen.
    """

    endings: Endings[P, M]
    roll: Roll | None
    moment: BoardMoment
    patience: Patience
    untouched: bool
    touched: bool

    def read(self) -> Reading[M]:
        """What the board shows."""
        if self.untouched:
            # What a takeback found on the board is not made anew: first a hand must move.
            return self._plain(BoardState.DISTURBED if self._changed else BoardState.RESTING)
        if self.moment.quiet < self.patience.placed:
            return self._moved() if self._changed else Reading(BoardState.RESTING)
        return self._complete() or (self._pressed() if self.moment.insisted else self._quiet())

    def _complete(self) -> Reading[M] | None:
        """The play that lies there, or the question which of several it is; None if none does."""
        fitting = self.endings.fitting
        if not self._is_complete():
            return None
        if self._is_sure():
            return self._played(fitting[0])
        asks = self.moment.insisted or len(_askable(fitting)) > 1
        return self._ask(fitting) if asks else None

    def _quiet(self) -> Reading[M]:
        """No play lies there, and nobody has pressed."""
        if not self._changed:
            return Reading(BoardState.RESTING)
        if self.moment.guided or self.moment.quiet < self.patience.grace:
            return self._moved()
        if self._is_knocked:
            return self._plain(BoardState.DISTURBED)
        return self._wrong() if self._is_told() else self._in_hand()

    def _is_told(self) -> bool:
        """Whether what lies there is likelier wrong than a turn under way.

        What may as well be legal is asked about at a press, but where one wrong move and nothing
        else explains what was seen.
        """
        endings = self.endings
        costs = (ending.cost for ending in endings.illegal)
        illegal = next((cost for cost in costs if abs(cost - endings.best) >= ALIKE), inf)
        if endings.best < illegal + endings.strain and illegal >= endings.field.broken + ALIKE:
            return False
        return endings.hand == inf or endings.hand + LINGERS > illegal

    @property
    def _is_knocked(self) -> bool:
        """Whether so many checkers are gone, or have come, that no hand did it in its turn."""
        most = self.endings.legal.most_moves or 1
        return max(self.moment.missing, self.moment.extra) >= most + HELD

    def _moved(self) -> Reading[M]:
        """Something else lies there than accepted, for the moment."""
        return self._plain(BoardState.DISTURBED) if self.moment.guided else self._in_hand()

    def _is_complete(self) -> bool:
        """Whether a play lies there that is likelier than going back, and than one under way."""
        best = self.endings.best
        if best == inf or not (self._changed or best < self.endings.rest):
            return False
        early = self.endings.field.noise.cost(Noise.EARLY_PRESS)
        return self._is_clear(self.endings.in_the_air() + early * self._is_pressed)

    def _is_clear(self, held: float) -> bool:
        """Whether the best play is clearly likelier than going back, and than a turn under way."""
        return self.endings.best + CLEARLY < min(held, self.endings.rest)

    def _is_sure(self) -> bool:
        endings = self.endings
        sure = endings.doubt(self._idle) * self.patience.one_wrong_in <= 1
        if not (sure and endings.muddle() < MUDDLE):
            return False
        if not self._is_pressed:
            return True
        shown = self._is_clear(endings.in_the_air())
        return endings.haste() < HASTE and (shown or endings.hasty_muddle() < UNAGREED)

    @property
    def _is_pressed(self) -> bool:
        return self.moment.quiet >= ENDLESS

    @property
    def _idle(self) -> float:
        """What it costs that the board was handed over as it was, though something can move."""
        if self._changed:
            return inf
        return self.endings.field.noise.cost(Noise.IDLE_PRESS) if self.endings.moves_exist else 0.0

    @property
    def _changed(self) -> bool:
        return bool(self.moment.opened or self.moment.filled)

    def _pressed(self) -> Reading[M]:
        """The player says that the turn is done, and no play is sure."""
        endings = self.endings
        rest = endings.rest + self._idle
        illegal = endings.illegal[0].cost if endings.illegal else inf
        if not self._changed and not self.touched and self.moment.insisted == 1:
            # This may have been the second half of a double press.
            illegal = inf
        if endings.best < min(rest, illegal + ASKED + endings.strain):
            return self._ask(endings.fitting)
        if self.moment.insisted > 1 and endings.nearly:
            insists = INSISTS * (self.moment.insisted - 1)
            if endings.nearly[0].cost - insists < min(rest, illegal):
                return self._ask(endings.nearly)
        forfeit = tuple(r.play for r in endings.legal.results if not r.moves)
        if forfeit and not self._changed and illegal < rest + ASKED:
            return Reading(BoardState.CHOOSE, plays=forfeit)
        if rest <= illegal and not self._changed:
            return self._not_played()
        return self._wrong()

    def _not_played(self) -> Reading[M]:
        """Nothing was moved; with nothing touched a first press may be half of a double one."""
        game, position = self.endings.game, self.endings.position
        if self.roll and (self.moment.insisted > 1 or self.touched):
            broken = game.explain(position, self.roll, ())
            if broken:
                return self._told(Attempt((), 0, broken))
        return Reading(BoardState.RESTING)

    def _played(self, found: Priced[P, M]) -> Reading[M]:
        endings, result = self.endings, found.result
        story = endings.stories[0]
        hits = any(move.hit for move in result.moves)
        wrongly = endings.muddle() + endings.hasty_muddle()
        doubt = endings.doubt(self._idle) + wrongly + endings.haste() + endings.missed()
        return Reading(
            BoardState.PLAYED,
            self.moment.opened,
            self.moment.filled,
            (result.play,),
            certain=self._changed and not (story.aloft or story.owed or hits),
            confidence=1 / (1 + doubt),
        )

    def _ask(self, found: Sequence[Priced[P, M]]) -> Reading[M]:
        """Which of these plays it was, the likeliest first."""
        plays = tuple(priced.result.play for priced in _askable(found))
        return Reading(BoardState.CHOOSE, self.moment.opened, self.moment.filled, plays)

    def _in_hand(self) -> Reading[M]:
        """How far the turn has come, what is in the air, and where that may go."""
        story, stage = self.endings.on_the_way
        legal = self.endings.legal
        origins = dict.fromkeys(piece.origin for piece in story.aloft)
        lifted = tuple(spot for spot in origins if spot in self.endings.game.spots)
        return Reading(
            BoardState.IN_HAND,
            self.moment.opened,
            self.moment.filled,
            plays=rest_of(legal, stage) if stage.moves else (),
            done=stage.moves,
            lifted=lifted,
            targets=onward(legal, stage, lifted),
        )

    def _wrong(self) -> Reading[M]:
        endings = self.endings
        explainer = Explainer(
            endings.game,
            endings.position,
            self.roll,
            endings.legal,
            endings.field.placing,
            endings.place,
            endings.seen,
        )
        attempts = (
            explainer.explain(ending.placement, strictly)
            for strictly in (True, False)
            for ending in endings.simplest[:MOST_EXPLAINED]
        )
        attempt = None if self._is_knocked else next((found for found in attempts if found), None)
        if attempt is None or self.moment.guided:
            return self._plain(BoardState.DISTURBED)
        return self._told(attempt)

    def _told(self, attempt: Attempt) -> Reading[M]:
        return Reading(
            BoardState.WRONG,
            self.moment.opened,
            self.moment.filled,
            attempt=attempt.moves,
            fine=attempt.fine,
            broken=attempt.broken,
        )

    def _plain(self, state: BoardState) -> Reading[M]:
        return Reading(state, self.moment.opened, self.moment.filled)


def _askable(found: Sequence[Priced[P, M]]) -> Sequence[Priced[P, M]]:
    return [priced for priced in found if priced.cost <= found[0].cost + ASKED]
