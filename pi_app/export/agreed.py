"""What a tournament laid down for a match, and its clocks, in words for a score sheet."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.match.clock import ClockKind, Clocks
from pi_app.match.terms import FRIENDLY, AgreedDice, ClockTerms, Terms
from pi_app.referee.clock_face import told
from pi_app.rules.terms import Side

_KINDS = {
    ClockKind.PLAIN: "plain",
    ClockKind.DELAY: "simple delay",
    ClockKind.BRONSTEIN: "Bronstein's delay",
    ClockKind.FISCHER: "Fischer's increment",
}
_DICE = {AgreedDice.DEVICE: "Spotter rolls", AgreedDice.TYPED: "real dice, typed"}


def agreed_lines(terms: Terms) -> Iterator[str]:
    """Nothing for friendly play."""
    if terms == FRIENDLY:
        return
    parts = [terms.policy.value]
    if terms.dice in _DICE:
        parts.append(_DICE[terms.dice])
    if terms.locked:
        parts.append("hints and coach locked")
    yield f"Agreed: {', '.join(parts)}"
    if terms.clock.kind is not ClockKind.NONE:
        yield f"Clock: {_clock(terms.clock)}"


def clocks_told(clocks: Clocks | None, players: tuple[str, str]) -> str:
    """What both have left; empty without a clock."""
    if clocks is None:
        return ""
    return ", ".join(
        f"{player} {told(clocks.of(side).left)}{' in overtime' * clocks.of(side).overtime}"
        for player, side in zip(players, Side, strict=True)
    )


def left_told(clocks: Clocks | None, side: Side) -> str:
    """What a side has left, for the end of a line."""
    return f"  [{told(clocks.of(side).left)}]" if clocks else ""


def _clock(clock: ClockTerms) -> str:
    per = " a point" if clock.a_point else " a side"
    parts = [_KINDS[clock.kind], f"{clock.reserve} s{per}"]
    if clock.kind is not ClockKind.PLAIN:
        parts.append(f"{clock.a_turn} s a turn")
    parts.append(f"overtime {clock.overtime} s" if clock.overtime else "no overtime")
    if not clock.runs_amiss:
        parts.append("stands while the board is put right")
    return ", ".join(parts)
