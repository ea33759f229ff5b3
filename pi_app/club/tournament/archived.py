"""Results out of an archive of what boards have sent: each match put together again and checked.

Whatever holds the records by board and match will do; nothing here knows how they came there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from pi_app.club.records import Record
from pi_app.club.tournament.results import Played, source_of
from pi_app.identifiers import BoardName, MatchKey
from pi_app.referee.decision import Decision, DecisionError, read_decision
from pi_app.referee.events import Start
from pi_app.referee.lines import EventError, read_event
from pi_app.rules.contract import Games
from pi_app.seal.record import Seal, header, read_seal, write_record
from pi_app.seal.replaying import impossible
from pi_app.seal.verifying import read_record

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
    """The matches of an archive as a source of results."""

    def __init__(self, archive: KeepsRecords, games: Games) -> None:
        self._archive, self._games = archive, games

    def played(self) -> Iterable[Played]:
        """Every match of which all records up to the newest are there; the others may come yet."""
        for board in self._archive.boards():
            for match in self._archive.matches(board):
                yield from self._match(board, match)

    def _match(self, board: BoardName, match: MatchKey) -> Iterator[Played]:
        number, _, began = match.partition("@")
        lines, seals, whole = _lines(self._archive.records(board, match))
        told = _told(lines)
        if told is None or not number.isdecimal():
            return
        start, decisions = told
        source, where = source_of(int(number), began, start), f"board {board}, match {number}"
        told_by_rules = impossible(start, enumerate(decisions, start=1), self._games)
        fault = next(told_by_rules, "")
        if not whole:
            yield Played(source, f"{where}, {NOT_WHOLE}", start, decisions, fault)
            return
        if not seals:
            yield Played(source, f"{where}, {NOT_SEALED}", start, decisions, fault)
            return
        record = [header(int(number), began), *lines]
        for seal, line in seals:
            record.insert(seal.lines, line)
        # What was decided after the last seal is to be sealed yet.
        last = max(seal.lines for seal, _ in seals)
        faults = read_record(write_record(record[: last + 1]).encode("utf-8")).faults
        open_still = "" if len(record) == last + 1 else f", {NOT_SEALED} to its end"
        yield Played(source, where + open_still, start, decisions, next(iter(faults), fault))


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


def _told(lines: Sequence[str]) -> tuple[Start, tuple[Decision, ...]] | None:
    """What the lines say; None where that is no match."""
    try:
        start = read_event(lines[0]) if lines else None
        decisions = tuple(map(read_decision, lines[1:]))
    except (EventError, DecisionError):
        return None
    return (start, decisions) if isinstance(start, Start) else None
