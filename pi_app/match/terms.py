"""The terms of a match besides its game: clock, illegal plays, dice, coach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.match.clock import ClockKind, TimeControl
from pi_app.rules.terms import Side

SECOND = 1000
MOST_SECONDS = 24 * 3600


class PlayPolicy(Enum):
    """Who notices an illegal play."""

    LEGAL = "legal moves"
    """Spotter warns, and the play must be corrected."""
    RESPONSIBLE = "responsible moves"
    """Spotter does not warn; the opponent rejects the play before he rolls, or it counts."""


class AgreedDice(Enum):
    """Who rolls."""

    AS_SET = "as set"
    DEVICE = "device"
    TYPED = "typed"


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """A clock in whole seconds, as players agree on it; `a_point`: the reserve is per point of the
    match."""

    kind: ClockKind = ClockKind.NONE
    reserve: int = 120
    a_point: bool = True
    a_turn: int = 12
    overtime: int = 0
    runs_while_correcting: bool = True

    def control(self, match_to: int | None) -> TimeControl | None:
        """Return the clock of a match of this length; None without a clock, or in
        unlimited play."""
        if self.kind is ClockKind.NONE or match_to is None:
            return None
        points = match_to if self.a_point else 1
        a_turn = 0 if self.kind is ClockKind.PLAIN else self.a_turn
        return TimeControl(
            self.kind,
            _seconds(self.reserve * points),
            _seconds(a_turn),
            _seconds(self.overtime),
            self.runs_while_correcting,
        )


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """The agreed terms; `locked`: no hints, and no analysis before the match is over."""

    policy: PlayPolicy = PlayPolicy.LEGAL
    locked: bool = False
    dice: AgreedDice = AgreedDice.AS_SET
    clock: ClockTerms = field(default_factory=ClockTerms)

    def types(self, side: Side, typed: frozenset[Side]) -> bool:
        """Whether this side enters its rolls; `typed` are the sides that do unless agreed
        otherwise."""
        if self.dice is AgreedDice.AS_SET:
            return side in typed
        return self.dice is AgreedDice.TYPED

    @property
    def options(self) -> Mapping[str, bool | int | str]:
        """The options stored with the match, without defaults."""
        found: dict[str, bool | int | str] = {}
        if self.policy is not PlayPolicy.LEGAL:
            found["policy"] = self.policy.value
        if self.locked:
            found["locked"] = True
        if self.dice is not AgreedDice.AS_SET:
            found["dice"] = self.dice.value
        return found | _clock_options(self.clock)


def _clock_options(clock: ClockTerms) -> dict[str, bool | int | str]:
    if clock.kind is ClockKind.NONE:
        return {}
    turns = clock.kind is not ClockKind.PLAIN
    a_turn: dict[str, bool | int | str] = {"turn_s": clock.a_turn} if turns else {}
    return {
        "clock": clock.kind.value,
        "reserve_s": clock.reserve,
        "reserve a point": clock.a_point,
        **a_turn,
        "overtime_s": clock.overtime,
        "clock runs amiss": clock.runs_while_correcting,
    }


def _seconds(seconds: int) -> Us:
    return ms(seconds * SECOND)


FRIENDLY = MatchTerms()
PRESETS: Mapping[str, MatchTerms] = {
    "club": MatchTerms(locked=True, clock=ClockTerms(ClockKind.DELAY, 120, True, 12)),
    "fast": MatchTerms(locked=True, clock=ClockTerms(ClockKind.DELAY, 20, True, 8)),
    "fischer": MatchTerms(locked=True, clock=ClockTerms(ClockKind.FISCHER, 600, False, 5)),
    "plain": MatchTerms(locked=True, clock=ClockTerms(ClockKind.PLAIN, 1800, False, 0)),
}
"""`club`: 12 s a move and 2 minutes a point (UK Open, West Yorkshire); `fast`: 8 s and 20 s.
`fischer` and `plain` are our own figures, for games without a cube."""
