"""Results out of an archive of what boards have sent: each match put together again and checked.

Whatever holds the records by board and match will do; nothing here knows how they came there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Protocol

from pi_app.club.guard import guarded
from pi_app.club.records import Record
from pi_app.club.tournament.results import Played, Skipped, result_of, source_of
from pi_app.club.tournament.roster import HINT, Roster
from pi_app.identifiers import BoardName, IdentifierError, MatchKey, parts_of, read_match_key
from pi_app.referee.decision import Decision, DecisionError, read_decision
from pi_app.referee.events import Start
from pi_app.referee.lines import EventError, read_event
from pi_app.rules.contract import Games
from pi_app.seal.record import Seal, header, read_seal, write_record
from pi_app.seal.replaying import impossible
from pi_app.seal.verifying import read_record
from pi_app.texts import quoted

NOT_SEALED, NOT_WHOLE = "not sealed", "not all of it has come"


class KeepsRecords(Protocol):
    """The records of boards, by their matches."""

    def boards(self) -> Sequence[BoardName]:
        """Every board that was heard of."""

    def matches(self, board: BoardName) -> Sequence[MatchKey]:
        """A board's matches."""

    def records(self, board: BoardName, match: MatchKey) -> Sequence[Record]:
        """A match's records in their order: its start, its decisions, its seals."""


class ArchivedMatches:
    """The matches of an archive as a source of results.

    The broker lets no board speak for another; so of a board that the `roster` does not have the
    key of its first seal that came is taken to be its own.
    """

    def __init__(self, archive: KeepsRecords, games: Games, roster: Roster) -> None:
        self._archive, self._games = archive, games
        self.roster = roster.with_keys(_first_keys(archive, set(roster.boards.values())))

    def played(self) -> Iterable[Played | Skipped]:
        """Every match of which all records up to the newest are there; the others may come yet.

        One that cannot be read stands in the way of no other.
        """
        for board in self._archive.boards():
            for match in self._archive.matches(board):
                faults: list[str] = []
                with guarded(faults.append):
                    played = self._match(board, match)
                    if played:
                        yield played
                yield from (Skipped(f"board {board}, match {quoted(match)}", f) for f in faults)

    def _match(self, board: BoardName, match: MatchKey) -> Played | Skipped | None:
        where = f"board {board}, match {quoted(match)}"
        try:
            number, began = parts_of(read_match_key(match))
        except IdentifierError as error:
            return Skipped(where, str(error))
        where = f"board {board}, match {number}"
        lines, seals, whole = _lines(self._archive.records(board, match))
        if not lines:
            return None
        try:
            start, decisions = _told(lines)
        except (EventError, DecisionError) as error:
            return Skipped(where, str(error))
        source = source_of(number, began, start)
        told_by_rules = impossible(start, enumerate(decisions, start=1), self._games)
        fault = next(told_by_rules, "")
        if not whole:
            return Played(source, f"{where}, {NOT_WHOLE}", start, decisions, fault)
        # What was decided after the last seal is to be sealed yet.
        last = max((seal.lines for seal, _ in seals), default=0)
        record = [header(number, began), *lines]
        for seal, line in seals:
            record.insert(seal.lines, line)
        if seals:
            sealed = write_record(record[: last + 1]).encode("utf-8")
            fault = next(iter(read_record(sealed).faults), fault)
            fault = fault or self.roster.doubt([seal.key for seal, _ in seals], board)
        if not seals or len(record) > last + 1:
            where = f"{where}, {NOT_SEALED}{' to its end' if seals else ''}"
            if result_of(start, decisions) and not self.roster.takes_unproven:
                fault = fault or f"nobody has sealed how it ended; {HINT}"
        return Played(source, where, start, decisions, fault)


def _first_keys(archive: KeepsRecords, known: Container[BoardName]) -> Mapping[str, BoardName]:
    """The key of the first seal of each board that is not known."""
    keys: dict[str, BoardName] = {}
    for board in archive.boards():
        if board not in known:
            records = (r for match in archive.matches(board) for r in archive.records(board, match))
            seals = (read_seal(record.line) for record in records if record.id.is_seal)
            first = next((seal for seal in seals if seal), None)
            if first:
                keys.setdefault(first.key, board)
    return keys


def _lines(records: Iterable[Record]) -> tuple[list[str], list[tuple[Seal, str]], bool]:
    """The start and the decisions up to where one is missing, the seals, and whether none is."""
    lines: list[str] = []
    whole = True
    seals: list[tuple[Seal, str]] = []
    for record in records:
        seal = read_seal(record.line)
        if seal is not None:
            seals.append((seal, record.line))
        elif record.id.sequence == len(lines):
            lines.append(record.line)
        else:
            whole = False
    seals.sort(key=lambda each: each[0].lines)
    # Each seal is a line itself, and the header is the first.
    reach = max((seal.lines - place for place, (seal, _) in enumerate(seals)), default=0)
    return lines, seals, whole and reach <= len(lines) + 1


def _told(lines: Sequence[str]) -> tuple[Start, tuple[Decision, ...]]:
    """What the lines say; raises EventError or DecisionError where that is no match."""
    start = read_event(lines[0])
    if not isinstance(start, Start):
        raise EventError("its first record is no start of a match")
    return start, tuple(map(read_decision, lines[1:]))
