"""Standings, and tables for export: pairings, results and standings as CSV.

A won match scores one point, and so does a bye, except in a round robin. Ties are broken by:
Buchholz without the best and the worst opponent (median), Buchholz (the points of all opponents),
Sonneborn-Berger (those of the beaten ones), the difference of points played, and the seeding. In an
elimination the player who got further is first. Only confirmed results count.

In a Swiss, an unplayed round counts as a match against a dummy with the player's own points, and a
bye as a win against it: FIDE Handbook, C.07 Tie-Break Regulations, management of unplayed rounds
(the dummy opponent, since 2023).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pi_app.base.values import dataclass
from pi_app.club.tournament.model import Pairing, System, Tournament
from pi_app.club.tournament.pairing import points_of

PAIRING_HEADS = ("round", "table", "first", "second")
RESULT_HEADS = (*PAIRING_HEADS, "points", "winner", "state", "source", "note")
STANDING_HEADS = (
    *("place", "player", "points", "won", "lost", "byes", "median", "buchholz", "sonneborn"),
    *("for", "against", "plays"),
)
_FEWEST_FOR_MEDIAN = 3


@dataclass(frozen=True, slots=True)
class PlaceTaken:
    """One line of the standings; `scored` are the points that the player won and lost."""

    place: int
    name: str
    points: int
    won: int
    lost: int
    byes: int
    median: int
    buchholz: int
    sonneborn: int
    scored: tuple[int, int]
    plays: bool

    @property
    def order(self) -> tuple[int, ...]:
        scored, against = self.scored
        return (self.points, self.median, self.buchholz, self.sonneborn, scored - against)


def standings(tournament: Tournament) -> tuple[PlaceTaken, ...]:
    """All players, the best first; equal players share a place."""
    points = points_of(tournament)
    lines = [_line(tournament, name, points) for name in tournament.names]
    lines.sort(key=lambda line: line.order, reverse=True)
    placed: list[PlaceTaken] = []
    for number, line in enumerate(lines, start=1):
        same = placed and placed[-1].order == line.order
        placed.append(replace(line, place=placed[-1].place if same else number))
    return tuple(placed)


def _line(tournament: Tournament, name: str, points: dict[str, int]) -> PlaceTaken:
    mine = [one for pairings in tournament.rounds for one in pairings if name in one.players]
    met = [one for one in mine if not one.is_bye and one.winner]
    won = [one for one in met if one.winner == name]
    seated = sum(not one.is_bye for one in mine)
    unplayed = len(tournament.rounds) - seated if tournament.system is System.SWISS else 0
    byes = sum(one.is_bye for one in mine)
    met_points = [points[one.opponent(name) or name] for one in met]
    opponents = sorted(met_points + [points[name]] * unplayed)
    middle = opponents[1:-1] if len(opponents) >= _FEWEST_FOR_MEDIAN else opponents
    beaten = [points[one.opponent(name) or name] for one in won]
    beaten += [points[name]] * min(byes, unplayed)
    swiss = tournament.system is not System.ELIMINATION
    scored, against = (sum(_scored(one, name, side) for one in met) for side in (0, 1))
    return PlaceTaken(
        0,
        name,
        points[name],
        len(won),
        len(met) - len(won),
        byes,
        sum(middle) if swiss else 0,
        sum(opponents) if swiss else 0,
        sum(beaten) if swiss else 0,
        (scored, against),
        next(one.plays for one in tournament.entrants if one.name == name),
    )


def _scored(pairing: Pairing, name: str, side: int) -> int:
    """A player's points at a table; with `side` 1 the opponent's."""
    points = pairing.result.points if pairing.result else (0, 0)
    return points[(pairing.first != name) ^ side]


def winner_of(tournament: Tournament) -> str | None:
    last = tournament.rounds[-1] if tournament.rounds else ()
    final = tournament.system is System.ELIMINATION and len(last) == 1
    return last[0].winner if final else None


# As tables


def result_rows(tournament: Tournament) -> Iterator[Sequence[object]]:
    tables = (
        (number, table, pairing)
        for number, pairings in enumerate(tournament.rounds, start=1)
        for table, pairing in enumerate(pairings, start=1)
    )
    for number, table, pairing in tables:
        row = (number, table, pairing.first, pairing.second or "bye")
        if result := pairing.result:
            points = f"{result.points[0]}-{result.points[1]}"
            state = "confirmed" if result.confirmed else "reported"
            yield (*row, points, result.winner, state, result.source, result.note)
        else:
            yield (*row, "", "", "bye" if pairing.is_bye else "open", "", "")


def standing_rows(tournament: Tournament) -> Iterator[Sequence[object]]:
    for one in standings(tournament):
        counted = (one.points, one.won, one.lost, one.byes, one.median, one.buchholz)
        plays = "yes" if one.plays else "no"
        yield (one.place, one.name, *counted, one.sonneborn, *one.scored, plays)


def as_csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write columns with these heads in CSV (RFC 4180)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_harmless(cell) for cell in row[: len(heads)]] for row in rows)
    return text.getvalue()


def _harmless(cell: object) -> object:
    """Change a text that a spreadsheet would read as a formula."""
    formula = isinstance(cell, str) and cell[:1] in tuple("=+-@\t")
    return f"'{cell}" if formula else cell
