"""Stored matches that are still to be analysed, those whose analysis is the weakest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from pi_app.base.errors import GivenError
from pi_app.base.values import dataclass
from pi_app.coach.study import Rating
from pi_app.export.retold import Kept
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.referee.events import MatchId
from pi_app.words.wall_time import local_time


@dataclass(frozen=True, slots=True)
class AnalysisWish:
    number: MatchId
    began: str
    kept: Kept


class Backlog:
    """The finished matches of the journal at `path` that today's engines have not analysed.

    What was analysed stands in the ratings, so work that was interrupted goes on where it was.
    """

    def __init__(self, path: Path, games: Compendium) -> None:
        self._path, self._games = path, games
        self._failed: set[MatchId] = set()

    def give_up(self, number: MatchId) -> None:
        """Leave a match out until the next start, because it cannot be analysed."""
        self._failed.add(number)

    def left(self, ratings: Iterable[Rating]) -> tuple[MatchId, ...]:
        """The matches to analyse: first those without an analysis, then those of the weakest
        engine; of equals the newest first. Raises JournalError."""
        # A deleted match's number is given again: the date tells both apart.
        judges = {(one.match, one.began): one.judge for one in ratings}
        with closing(Archive(self._path)) as archive:
            ranked = [
                (rank, -match.number)
                for match in archive.matches()
                if match.is_over and match.number not in self._failed
                for rank in self._rank(match, judges.get((match.number, local_time(match.date))))
            ]
        return tuple(MatchId(-number) for _, number in sorted(ranked))

    def wish(self, number: MatchId) -> AnalysisWish:
        """Raises JournalError."""
        with closing(Archive(self._path)) as archive:
            match = archive.match(number)
            decisions = tuple(archive.decisions(match.number))
        return AnalysisWish(
            match.number, local_time(match.date), Kept(match.start, decisions, self._games.rules)
        )

    def _rank(self, match: MatchSummary, judge: str | None) -> Iterator[int]:
        """How good its analysis is; nothing for one that cannot become better, or an unknown
        game."""
        with suppress(GivenError):
            game = self._games.rules.match(match.start.game).first
            players = tuple(self._games.find(game.name).contenders)
            if judge is None:
                yield -1 - len(players)
            elif judge != self._games.judge(game.name).name:
                # The strongest stands first.
                yield -players.index(judge) if judge in players else -len(players)
