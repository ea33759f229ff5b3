"""Results from records: whose match it was, how it ended, and whose key sealed it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Protocol

from pi_app.club.guard import guarded
from pi_app.club.records import Record
from pi_app.club.tournament.model import Pairing, Reported, Tournament
from pi_app.club.tournament.roster import HINT, Roster
from pi_app.identifiers import BoardName, IdentifierError, MatchKey, parts_of, read_match_key
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision, DecisionError, read_decision
from pi_app.referee.events import Start
from pi_app.referee.lines import EventError, read_event, write_event
from pi_app.rules.contract import Games
from pi_app.rules.terms import Side
from pi_app.seal.record import Seal, header, read_seal, write_record
from pi_app.seal.verifying import impossible, read_record
from pi_app.words.texts import clean_name, quoted

# Results that come from records by themselves: whose match it was, and how it ended.
#
# A record is a match that was begun, with its decisions, from wherever it is: a sealed file, or an
# archive of what boards have sent. Nothing is guessed: a record that does not belong to a table of
# the latest round is told, with the reason, and changes nothing.


@dataclass(frozen=True, slots=True)
class Played:
    """A match as it was recorded; `source` is the same for the same match, however often it comes.

    `where` is how people find it: a file, or a board and the number of its match.  `fault` is why
    it cannot be believed, empty where nothing speaks against it.
    """

    source: str
    where: str
    start: Start
    decisions: Sequence[Decision]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A match that cannot be read; `where` as of a played one."""

    where: str
    why: str


def source_of(number: int, began: str, start: Start) -> str:
    """A match's identity, independent of its source and of how it continues."""
    return sha256(f"{number}@{began} {write_event(start)}".encode()).hexdigest()[:16]


class PlayedMatches(Protocol):
    """A source of records: files or an archive."""

    def played(self) -> Iterable[Played | Skipped]:
        """Every match of the source, of any tournament."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match: the players, their points, and the winner."""

    players: tuple[str, str]
    points: tuple[int, int]
    winner: Side

    @property
    def won_by(self) -> str:
        """The winner's name, as the board had it."""
        return self.players[self.winner is Side.BLACK]


def result_of(start: Start, decisions: Sequence[Decision]) -> Ending | None:
    """The result of a match; None while it is not over."""
    if not decisions or decisions[-1].state.phase is not Phase.MATCH_OVER:
        return None
    state = decisions[-1].state
    score = state.standing.score
    winner = state.result.winner if state.result else None
    if winner is None:
        winner = Side.WHITE if score.white > score.black else Side.BLACK
    return Ending(start.players, (score.white, score.black), winner)


def reported(tournament: Tournament, played: Played) -> tuple[Tournament, str]:
    """Enter a record's result. Returns the tournament and a line about it."""
    start = played.start
    told = f"{played.where} ({' – '.join(start.players)})"
    if played.fault:
        return tournament, f"{told}: {played.fault}"
    ending = result_of(start, played.decisions)
    taken = _taken(tournament, played.source)
    if taken is not None:
        return tournament, f"{told}: {_again(taken, ending)}"
    names = [tournament.find(name) if name else None for name in start.players]
    strangers = [
        name or "nobody" for name, known in zip(start.players, names, strict=True) if not known
    ]
    if strangers:
        return (
            tournament,
            f"{told}: {', '.join(strangers)} is not in this tournament; join adds one",
        )
    if ending is None:
        return tournament, f"{told}: is not over yet"
    return _placed(tournament, played, ending, [name or "" for name in names], told)


def _placed(
    tournament: Tournament, played: Played, ending: Ending, names: list[str], told: str
) -> tuple[Tournament, str]:
    """The table of these two in the latest round, if it has no result yet."""
    start = played.start
    if tournament.match_to is not None and start.match_to != tournament.match_to:
        to = start.match_to or "no end"
        what = f"{told}: was played to {to}, and here it is to {tournament.match_to}"
        return tournament, f"{what}; result FILE TABLE takes it all the same"
    number = next(
        (
            number
            for number, pairing in enumerate(tournament.current, start=1)
            if set(pairing.players) == set(names)
        ),
        None,
    )
    if number is None:
        return tournament, f"{told}: they do not meet in round {len(tournament.rounds)}"
    pairing = tournament.table(number)
    if pairing.result is not None:
        already = f"table {number} has a result already, {_said(pairing.result)}"
        return tournament, f"{told}: {already}; result FILE {number} corrects it"
    points = ending.points if pairing.first == names[0] else ending.points[::-1]
    winner = names[ending.winner is Side.BLACK]
    result = Reported(points, winner, played.source)
    return tournament.with_result(number, result), f"table {number}: {told} {_said(result)}"


def _taken(tournament: Tournament, source: str) -> Pairing | None:
    """The table that already has this record's result, in any round."""
    return next(
        (
            pairing
            for pairings in tournament.rounds
            for pairing in pairings
            if pairing.result is not None and pairing.result.source == source
        ),
        None,
    )


def _again(pairing: Pairing, ending: Ending | None) -> str:
    """Whether a repeated record is identical."""
    result = pairing.result
    same = (
        result is not None
        and ending is not None
        and sorted(result.points) == sorted(ending.points)
        and result.winner.casefold() == clean_name(ending.won_by).casefold()
    )
    if same:
        return "was taken before; nothing is changed"
    return "was taken before, and differs now; result FILE TABLE corrects it"


def _said(result: Reported) -> str:
    return f"{result.points[0]}–{result.points[1]}, won by {result.winner}"


def corrected(
    tournament: Tournament, number: int, points: tuple[int, int], winner: str | None, note: str
) -> Tournament:
    """The director's result for a table: it is confirmed, and its note keeps the previous one.

    The winner is `winner`, or the player with more points.
    """
    pairing = tournament.table(number)
    first, second = pairing.first, pairing.second or ""
    won = winner or (first if points[0] > points[1] else second)
    before = pairing.result
    was = f"was {_said(before)}" if before is not None else ""
    source = before.source if before is not None else ""
    notes = "; ".join(part for part in (note, was) if part)
    result = Reported(points, won, source, confirmed=True, note=notes)
    return tournament.with_result(number, result)


def all_confirmed(tournament: Tournament) -> Tournament:
    for number, pairing in enumerate(tournament.current, start=1):
        if pairing.result is not None:
            done = replace(pairing.result, confirmed=True)
            tournament = tournament.with_result(number, done)
    return tournament


# Results out of an archive of what boards have sent: each match put together again and checked.
#
# Whatever holds the records by board and match will do; nothing here knows how they came there.

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
        """All matches with complete records; the others may still arrive.

        An unreadable one is skipped.
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
        # Decisions after the last seal are not sealed yet.
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
    """The first seal's key of each unknown board."""
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
    """The start, the decisions up to the first gap, the seals, and whether there is no gap."""
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
    """Parse the lines. Raises EventError or DecisionError if they are no match."""
    start = read_event(lines[0])
    if not isinstance(start, Start):
        raise EventError("its first record is no start of a match")
    return start, tuple(map(read_decision, lines[1:]))
