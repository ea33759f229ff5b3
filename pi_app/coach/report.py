"""All of a player's analysed matches together: by month, by kind of decision, by opponent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pi_app.base.adding import added
from pi_app.base.values import dataclass
from pi_app.coach.study import RATING, ErrorKind, OfKind, Rating
from pi_app.coach.training import Exercise, Training

UNDATED = "undated"
_MONTH = re.compile(r"\d{4}-\d\d")


@dataclass(frozen=True, slots=True)
class ReportRow:
    """Figures of several matches; `equity` is the sum of normalised losses, None if unknown."""

    name: str
    matches: int
    decisions: int
    errors: int
    blunders: int
    equity: float | None

    @property
    def rating(self) -> float | None:
        """The performance rating of all their decisions; 0 is best, None if unknown."""
        if self.equity is None or not self.decisions:
            return None
        return RATING * self.equity / self.decisions


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """A player's figures in one game: in total, by month, by kind of decision, and by opponent.

    Months come in their order, opponents the most frequent first.
    """

    player: str
    game: str
    total: ReportRow
    months: tuple[ReportRow, ...]
    kinds: tuple[ReportRow, ...]
    opponents: tuple[ReportRow, ...]


def reports(ratings: Iterable[Rating], player: str) -> Iterator[PlayerReport]:
    """A report for each game that this player's analysed matches were played in."""
    own = [one for one in ratings if one.name == player]
    for game in dict.fromkeys(one.game for one in own):
        some = [one for one in own if one.game == game]
        opponents = _grouped((one.against, one) for one in some)
        yield PlayerReport(
            player,
            game,
            _row("all", some),
            tuple(sorted(_grouped((month_of(one), one) for one in some), key=lambda row: row.name)),
            tuple(_kinds(some)),
            tuple(sorted(opponents, key=lambda row: (-row.matches, row.name))),
        )


def costliest(training: Training, player: str, game: str, most: int) -> tuple[Exercise, ...]:
    """The player's exercises that matches of a game gave, the costliest first."""
    every = (one for one in training.players.get(player, ()) if one.cost and one.game == game)
    return tuple(sorted(every, key=lambda one: -(one.cost or 0)))[:most]


def month_of(rating: Rating) -> str:
    """The month in which a match began, as 2026-03."""
    found = _MONTH.match(rating.began)
    return found[0] if found else UNDATED


def _grouped(named: Iterable[tuple[str, Rating]]) -> list[ReportRow]:
    groups: dict[str, list[Rating]] = {}
    for name, rating in named:
        groups.setdefault(name, []).append(rating)
    return [_row(name, some) for name, some in groups.items()]


def _kinds(ratings: list[Rating]) -> Iterator[ReportRow]:
    for kind in ErrorKind:
        some = [one for rating in ratings for one in rating.kinds if one.kind is kind]
        if some:
            yield _row(kind.value, some)


def _row(name: str, some: list[Rating] | list[OfKind]) -> ReportRow:
    known = [one.equity for one in some if one.equity is not None]
    return ReportRow(
        name,
        len(some),
        sum(one.decisions for one in some),
        sum(one.errors for one in some),
        sum(one.blunders for one in some),
        added(known) if len(known) == len(some) else None,
    )
