"""From an earlier version of the journal to today's.

Version 7 has a table of dates, of matches begun since.  Version 6 has a table of seals; what was
kept before stays unsealed, for nobody signed it when it ended.  Versions 2, 3, 4 and 5 differ in
their number alone: plays have been kept with their confidence since, answers to resignations,
takebacks undone and dice changed, and how often players were warned, which a Spotter of then would
take for damage.  Version 1 kept touches and a summary instead of decisions.  Each kept match is
judged once more, for the last time.  Where that ends as the match was shown to stand, its decisions
are kept.  Where it does not, what was shown stands: one decision says so, and the touches stay as
evidence.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from pi_app.journal.rows import (
    DATES,
    DECISIONS,
    MATCHES,
    NEW_DECISION,
    NEW_MATCH,
    SEALS,
    VERSION,
    Begun,
    Row,
    RowError,
    read_touch,
    transaction,
    version_of,
    write_match,
    write_row,
)
from pi_app.match.score import Cube, Score, Standing
from pi_app.match.turns import MatchState, Phase
from pi_app.microseconds import Us
from pi_app.referee.decision import Decision, What
from pi_app.referee.events import Event, MatchId, Start
from pi_app.referee.speech import tell_result
from pi_app.rules.terms import Side
from pi_app.sentences import COMMAS, SEMICOLONS, Listing, Sentence, joined

Judge: TypeAlias = Callable[[Start, Iterable[Event]], Iterator[Decision]]
"""What a match's touches mean to the Spotter of today; ends early where it knows no further."""
SEALED = 6
"""Versions since this have the table of seals."""
_MOST_TOLD = 5

AS_SHOWN = Sentence("judged otherwise today and left as shown: {matches}")
UNREADABLE = Sentence("not readable: {matches}")
MATCH = Sentence("match {number}")


@dataclass(slots=True)
class Migrated:
    """The matches of which there is something to say, by their numbers."""

    as_shown: list[object] = field(default_factory=list)
    unreadable: list[object] = field(default_factory=list)

    def tell(self) -> str:
        """It in one line; empty when every match came over as it was."""
        as_shown = AS_SHOWN(matches=_matches(self.as_shown)) if self.as_shown else ""
        unreadable = UNREADABLE(matches=_matches(self.unreadable)) if self.unreadable else ""
        return joined((as_shown, unreadable), SEMICOLONS)


def migrate(db: sqlite3.Connection, judge: Judge) -> Migrated:
    """Bring a journal of an earlier version up to date, all or nothing."""
    migrated = Migrated()
    with transaction(db):
        version = version_of(db)
        if version == 1:
            _decide(db, judge, migrated)
        if version < SEALED:
            db.execute(SEALS)
        db.execute(DATES)
        db.execute(f"PRAGMA user_version = {VERSION}")
    return migrated


def _decide(db: sqlite3.Connection, judge: Judge, migrated: Migrated) -> None:
    db.execute("ALTER TABLE events RENAME TO touches")
    db.execute("ALTER TABLE matches RENAME TO matches_1")
    db.execute(MATCHES)
    db.execute(DECISIONS)
    for row in db.execute("SELECT * FROM matches_1 ORDER BY number").fetchall():
        try:
            if not _bring_over(db, row, judge):
                migrated.as_shown.append(row[0])
        except ValueError:
            migrated.unreadable.append(row[0])


def _bring_over(db: sqlite3.Connection, row: Row, judge: Judge) -> bool:
    """One match; whether it is judged today as it was shown.  Raises ValueError for a bad row."""
    number, began, *_, white, black, word, result = row
    events, whole = _events(db, number)
    start = events[0] if events else None
    if not isinstance(start, Start):
        raise RowError("its start is missing")
    begun = Begun(MatchId(int(str(number))), str(began), start)
    score, phase = Score(int(str(white)), int(str(black))), Phase(word)
    decisions = list(judge(start, events[1:]))
    agrees = whole and _standing(decisions, start) == (score, phase, result)
    if not agrees:
        decisions = [_shown(decisions, score, phase)]
    db.execute(NEW_MATCH, write_match(begun))
    rows = (write_row(begun.number, place, each) for place, each in enumerate(decisions, start=1))
    db.executemany(NEW_DECISION, rows)
    return agrees


def _events(db: sqlite3.Connection, number: object) -> tuple[list[Event], bool]:
    """The events of a match up to one that is damaged, and whether there is none."""
    events: list[Event] = []
    query = "SELECT line FROM touches WHERE match = ? ORDER BY place"
    for (line,) in db.execute(query, (number,)):
        try:
            events.append(read_touch(line))
        except RowError:
            return events, False
    return events, True


def _standing(decisions: list[Decision], start: Start) -> tuple[Score, Phase, str | None]:
    """What version 1 would have kept as the summary."""
    if not decisions:
        return Score(), Phase.SET_UP, None
    state = decisions[-1].state
    return state.standing.score, state.phase, tell_result(state.result, start.players, {})


def _shown(decisions: list[Decision], score: Score, phase: Phase) -> Decision:
    """Where the match was shown to stand; nobody kept its cube and position."""
    game = decisions[-1].state.standing.game_number if decisions else 1
    standing = Standing(score, Cube(), game, crawford=False, crawford_played=False)
    us = decisions[-1].us if decisions else Us(0)
    return Decision(us, What.SHOWN, MatchState(standing, phase, Side.WHITE, ""))


def _matches(numbers: list[object]) -> Listing:
    return Listing(tuple(MATCH(number=str(number)) for number in numbers), COMMAS, _MOST_TOLD)
