"""A club night for the wall: matches of every game, as boards send them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle, islice

from any_table import AnyTable
from known import GAMES

from pi_app.base.identifiers import BoardName, MatchKey, board_name
from pi_app.club.records import Record, RecordId, Summary
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import Start
from pi_app.referee.lines import write_decision, write_event

NAMES = ("Ada Lovelace", "Ben", "Chloé Dupont-Martin", "Dmitri", "Eva", "Friedrich der Große")
BEGAN = "2026-11-23T19:30:00+00:00"


@dataclass(frozen=True, slots=True)
class ToldMatch:
    """A match at a board, as its records say it."""

    board: BoardName
    match: MatchKey
    start: str
    lines: tuple[str, ...]

    def record(self, sequence: int) -> Record:
        line = self.lines[sequence - 1] if sequence else self.start
        return Record(RecordId(self.board, self.match, sequence), line)

    def records(self) -> Iterator[Record]:
        return map(self.record, range(len(self.lines) + 1))

    def summary(self, sequence: int, warning: str | None = None) -> Summary:
        line = self.lines[sequence - 1] if sequence else None
        return Summary(RecordId(self.board, self.match, sequence), self.start, line, warning)


@cache
def decided(game: str, most: int = 60, seed: int = 4) -> tuple[Start, tuple[Decision, ...]]:
    """The beginning of a random match of a game."""
    table = AnyTable(game, 3, seed=seed)
    while table.view.phase is not Phase.MATCH_OVER and len(table.decided) < most:
        table.goes_on()
    return table.start, tuple(table.decided)


def told_match(
    board: str, game: str, players: tuple[str, str] = ("Ada", "Ben"), seed: int = 4, most: int = 60
) -> ToldMatch:
    start, decisions = decided(game, most, seed)
    line = write_event(replace(start, players=players))
    key = MatchKey(f"1@{BEGAN}")
    return ToldMatch(board_name(board), key, line, tuple(map(write_decision, decisions)))


def tables(count: int, most: int = 60) -> tuple[ToldMatch, ...]:
    """A number of boards, the games in turn, each at a different stage of its match."""
    games, names = cycle(GAMES), cycle(NAMES)
    return tuple(
        told_match(f"table-{number}", next(games), (next(names), next(names)), number % 7, most)
        for number in range(1, count + 1)
    )


def some(count: int, of: Iterator[Record]) -> tuple[Record, ...]:
    return tuple(islice(of, count))
