"""A row of the journal and what it stands for; one that is not as it was written is an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias
from zlib import crc32

from pi_app.referee.decision import Decision, DecisionError, read_decision, write_decision
from pi_app.referee.events import Event, MatchId, Start
from pi_app.referee.lines import EventError, read_event, write_event

Row: TypeAlias = tuple[object, ...]


class RowError(ValueError):
    """A row that is not as it was written; says why."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A match as it was begun; `began` is the wall time, as text."""

    number: MatchId
    began: str
    start: Start


class SinceBoot(NamedTuple):
    """A moment by a clock that nobody sets: so long after the computer's start named `boot`."""

    boot: str
    after_ms: int


@dataclass(frozen=True, slots=True)
class Dated:
    """When a match was begun; `began` is the wall time once the clock was set, None before."""

    number: MatchId
    start: SinceBoot
    began: str | None = None


def write_match(begun: Begun) -> Row:
    """The row of `matches`: number, began, start and checksum."""
    line = write_event(begun.start)
    return (begun.number, begun.began, line, _sum(begun.number, begun.began, line))


def read_match(row: Row) -> Begun:
    """The match of a row; raises RowError."""
    check_match(row)
    number, began, line, _ = row
    start = read_touch(line)
    if not isinstance(start, Start):
        raise RowError("it does not begin with its start")
    return Begun(MatchId(int(str(number))), str(began), start)


def check_match(row: Row) -> None:
    """Raise RowError unless a row of `matches` has the checksum that it was written with."""
    number, began, line, kept = row
    if not isinstance(began, str) or not isinstance(line, str) or _sum(number, began, line) != kept:
        raise RowError("its checksum is another")


def write_row(number: MatchId, place: int, decision: Decision) -> Row:
    """The row of `decisions`: match, place, line and checksum."""
    line = write_decision(decision)
    return (number, place, line, _sum(number, place, line))


def read_row(row: Row) -> Decision:
    """The decision of a row; raises RowError."""
    check_row(row)
    try:
        return read_decision(str(row[2]))
    except DecisionError as error:
        raise RowError(str(error)) from None


def write_seal_row(number: MatchId, place: int, line: str) -> Row:
    """The row of `seals`: match, place of the last decision before it, line and checksum."""
    return (number, place, line, _sum(number, place, line))


def check_row(row: Row) -> None:
    """Raise RowError unless a row of `decisions` or `seals` has its checksum."""
    number, place, line, kept = row
    if not isinstance(line, str) or _sum(number, place, line) != kept:
        raise RowError("its checksum is another")


def write_date(dated: Dated) -> Row:
    """The row of `dates`: match, boot, milliseconds, the corrected wall time and checksum."""
    row = (dated.number, dated.start.boot, dated.start.after_ms, dated.began)
    return (*row, _sum(*row))


def check_date(row: Row) -> None:
    """Raise RowError unless a row of `dates` has the checksum that it was written with."""
    *fields, kept = row
    if _sum(*fields) != kept:
        raise RowError("its checksum is another")


def read_date(row: Row) -> Dated:
    """When the match of a row was begun; raises RowError."""
    check_date(row)
    number, boot, after_ms, began, _ = row
    start = SinceBoot(str(boot), int(str(after_ms)))
    return Dated(MatchId(int(str(number))), start, None if began is None else str(began))


def write_touch(number: MatchId, place: int, event: Event) -> Row:
    """The row of `touches`: match, place and line; evidence has no checksum."""
    return (number, place, write_event(event))


def read_touch(line: object) -> Event:
    """The event of a line; raises RowError."""
    if not isinstance(line, str):
        raise RowError("it is no text")
    try:
        return read_event(line)
    except (EventError, RecursionError) as error:
        raise RowError(str(error)) from None


def _sum(*values: object) -> int:
    return crc32("\n".join(map(str, values)).encode("utf-8", "surrogatepass"))
