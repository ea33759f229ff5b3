"""Results from records: whose match it was, how it ended, and whose key sealed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC
from hashlib import sha256
from pathlib import Path

from pi_app.base.errors import SpotterError
from pi_app.base.files import read_text, why
from pi_app.base.identifiers import BoardName, MatchKey, board_name, parts_of, read_match_key
from pi_app.base.values import dataclass
from pi_app.club.archive import ClubArchive
from pi_app.club.guard import guarded
from pi_app.club.records import Record
from pi_app.club.tournament.model import Pairing, Reported, Tournament, TournamentError
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import EventError, Start, far_seat_of
from pi_app.referee.lines import read_decision, read_event, write_event
from pi_app.rules.contract import Games
from pi_app.rules.terms import Side
from pi_app.seal.keys import read_public
from pi_app.seal.record import Seal, header, read_seal, write_record
from pi_app.seal.verifying import impossible, read_record
from pi_app.words.texts import clean_name, one_line, quoted
from pi_app.words.wall_time import date_of, local_time

# The boards' public keys, which decide whose seals count.
#
# A line of a key file has a board's name and its key. `spotter club join` writes such a file beside
# the board's card; an organiser keeps them in one folder or in one file.

ENDING = ".key"
UNKNOWN = "it is sealed by the key {key}, which is no known board's"
HINT = "give the boards' keys by --keys, or take it all the same by --unproven"


@dataclass(frozen=True, slots=True)
class Roster:
    """The boards' public keys; a board may have had several.

    With `takes_unproven`, records sealed by unknown keys are accepted too.
    """

    boards: Mapping[str, BoardName] = field(default_factory=dict)
    takes_unproven: bool = False

    def doubt(self, keys: Iterable[str], board: BoardName | None = None) -> str:
        """Why seals by these keys do not count, for this board or for any; empty if they do."""
        if self.takes_unproven:
            return ""
        for key in keys:
            found = self.boards.get(key)
            if found is None:
                return f"{UNKNOWN.format(key=key)}; {HINT}"
            if board is not None and found != board:
                return f"it is sealed by the key {key}, which is the board {found}'s"
        return ""

    def names(self, keys: Iterable[str]) -> str:
        return ", ".join(dict.fromkeys(self.boards.get(key, "an unknown key") for key in keys))

    def with_archive(self, archive: ClubArchive) -> Roster:
        """Return it with the key of the first seal of each board in the archive that has no key
        here.

        The broker lets no board write as another, so that key must be the board's own.
        """
        keys: dict[str, BoardName] = {}
        for board in set(archive.boards()).difference(self.boards.values()):
            records = (r for match in archive.matches(board) for r in archive.records(board, match))
            seals = (read_seal(record.line) for record in records if record.id.is_seal)
            if first := next(filter(None, seals), None):
                keys[first.key] = board
        return Roster({**keys, **self.boards}, self.takes_unproven)


def write_key(board: BoardName, key: str) -> str:
    return f"{board} {key}\n"


def read_roster(path: Path) -> Mapping[str, BoardName]:
    files = sorted(path.glob(f"*{ENDING}")) if path.is_dir() else [path]
    boards = {key: board for file in files for key, board in _keys(file)}
    if not boards:
        raise TournamentError(f"{path} has no keys; a line is a board's name and its key")
    return boards


def _keys(file: Path) -> Iterable[tuple[str, BoardName]]:
    try:
        for line in read_text(file).splitlines():
            if line.strip():
                board, _, key = line.strip().partition(" ")
                yield read_public(key), board_name(board)
    except (OSError, ValueError) as error:
        what = f"{file}: {why(error)}; a line is a board's name and its key"
        raise TournamentError(what) from None


# Results that come from records by themselves: whose match it was, and how it ended.
#
# A record is a match that was begun, with its decisions, from wherever it is: a sealed file, or an
# archive of what boards have sent. Nothing is guessed: a record that does not belong to a table of
# the latest round is told, with the reason, and changes nothing.


@dataclass(frozen=True, slots=True)
class Played:
    """A recorded match. `source` identifies the match, from wherever its record comes.

    `where` tells people how to find it: a file, or a board and the match's number. `began` is the
    time by the board's clock. `fault` is why it is not accepted; empty if it is.
    """

    source: str
    where: str
    began: str
    start: Start
    decisions: Sequence[Decision]
    fault: str = ""

    def __str__(self) -> str:
        return f"{self.where} ({' – '.join(self.start.players)})"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A match that cannot be read; `where` as in Played."""

    where: str
    why: str


def source_of(number: int, began: str, start: Start) -> str:
    """A match's identity, whatever its source and however it continues.

    Both records of a linked match have the same.
    """
    seat = far_seat_of(start)
    named = f"link {seat.link}" if seat else f"{number}@{began} {write_event(start)}"
    return sha256(named.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match: White's and Black's points, and the winner."""

    points: tuple[int, int]
    winner: Side


def result_of(decisions: Sequence[Decision]) -> Ending | None:
    if not decisions or decisions[-1].state.phase is not Phase.MATCH_OVER:
        return None
    state = decisions[-1].state
    score = state.standing.score
    winner = state.result.winner if state.result else None
    if winner is None:
        winner = Side.WHITE if score.white > score.black else Side.BLACK
    return Ending((score.white, score.black), winner)


def taken(
    tournament: Tournament, matches: Iterable[Played | Skipped]
) -> tuple[Tournament, list[str]]:
    """Enter the results of these matches. Return the tournament and one line about each match.

    If several matches fit one table it gets no result, because nobody can tell which one counts.
    """
    found: dict[int, dict[Reported, list[Played]]] = {}
    lines = []
    for played in matches:
        if isinstance(played, Skipped):
            lines.append(one_line(f"{played.where}: cannot be read, {played.why}"))
            continue
        try:
            number, result = _placed(tournament, played)
        except TournamentError as error:
            lines.append(f"{played}: {error}")
        else:
            found.setdefault(number, {}).setdefault(result, []).append(played)
    for number, results in sorted(found.items()):
        if len(results) == 1:
            (result,) = results
            tournament = tournament.with_result(number, result)
        else:
            lines.append(f"table {number}: {len(results)} matches fit, and none is taken; {_ENTER}")
        lines += (
            f"table {number}: {played} {_said(result)}"
            for result, records in results.items()
            for played in records
        )
    return tournament, lines


_ENTER = "spotter tournament result FILE TABLE 7-3 enters the one that counts"


def _placed(tournament: Tournament, played: Played) -> tuple[int, Reported]:
    """Return the table of these two players in the latest round, and its result. Raises
    TournamentError."""
    if played.fault:
        raise TournamentError(played.fault)
    start, ending = played.start, result_of(played.decisions)
    results = (pairing.result for pairings in tournament.rounds for pairing in pairings)
    taken = next((one for one in results if one and one.source == played.source), None)
    if taken and not (ending and _is_same(taken, start, ending)):
        raise TournamentError("was taken before, and differs now; result FILE TABLE corrects it")
    if taken:
        raise TournamentError("was taken before; nothing is changed")
    names = [tournament.named(name) for name in start.players]
    if ending is None:
        raise TournamentError("is not over yet")
    if tournament.match_to is not None and start.match_to != tournament.match_to:
        what = f"was played to {start.match_to or 'no end'}, and here it is to"
        raise TournamentError(
            f"{what} {tournament.match_to}; result FILE TABLE takes it all the same"
        )
    for number, pairing in enumerate(tournament.current, start=1):
        if set(pairing.players) == set(names):
            if pairing.result is not None:
                already = f"table {number} has a result already, {_said(pairing.result)}"
                raise TournamentError(f"{already}; result FILE {number} corrects it")
            _check_time(played, pairing, len(tournament.rounds))
            points = ending.points if pairing.first == names[0] else ending.points[::-1]
            return number, Reported(points, names[ending.winner is Side.BLACK], played.source)
    raise TournamentError(f"they do not meet in round {len(tournament.rounds)}")


def _check_time(played: Played, pairing: Pairing, number: int) -> None:
    """Reject a match that began before the round was paired. Raises TournamentError."""
    began = date_of(played.began)
    if pairing.since is None:
        what = f"it is not stored when round {number} was paired"
    elif began is None:
        what = "it is not known when it began: its board's clock was not set"
    elif began.astimezone(UTC) < pairing.since:
        paired = local_time(pairing.since.isoformat())
        what = f"began {local_time(played.began)}, before round {number} was paired, {paired}"
    else:
        return
    raise TournamentError(f"{what}; result FILE TABLE takes it all the same")


def _is_same(taken: Reported, start: Start, ending: Ending) -> bool:
    won_by = start.players[ending.winner is Side.BLACK]
    is_winner = taken.winner.casefold() == clean_name(won_by).casefold()
    return is_winner and sorted(taken.points) == sorted(ending.points)


def _said(result: Reported) -> str:
    return f"{result.points[0]}–{result.points[1]}, won by {result.winner}"


def corrected(
    tournament: Tournament, number: int, points: tuple[int, int], winner: str | None, note: str
) -> Tournament:
    """Enter the director's result for a table. It is confirmed; its note keeps the previous result.

    The winner is `winner`, or else the player with more points.
    """
    pairing = tournament.table(number)
    won = winner or (pairing.first if points[0] > points[1] else pairing.second or "")
    before = pairing.result
    was = f"was {_said(before)}" if before else ""
    notes = "; ".join(part for part in (note, was) if part)
    result = Reported(points, won, before.source if before else "", confirmed=True, note=notes)
    return tournament.with_result(number, result)


def all_confirmed(tournament: Tournament) -> Tournament:
    for number, pairing in enumerate(tournament.current, start=1):
        if pairing.result is not None:
            tournament = tournament.confirmed(number)
    return tournament


# Results out of an archive of what boards have sent: each match put together again and checked.

NOT_SEALED, NOT_WHOLE = "not sealed", "not all of it has come"


def archived(archive: ClubArchive, games: Games, roster: Roster) -> Iterator[Played | Skipped]:
    """Yield all matches whose records are complete, because the others may still arrive.

    Unreadable ones are skipped.
    """
    for board in archive.boards():
        for match in archive.matches(board):
            faults: list[str] = []
            with guarded(faults.append):
                try:
                    yield from _match(archive.records(board, match), board, match, games, roster)
                except SpotterError as error:
                    faults.append(str(error))
            yield from (Skipped(f"board {board}, match {quoted(match)}", why) for why in faults)


def _match(
    records: Sequence[Record], board: BoardName, match: MatchKey, games: Games, roster: Roster
) -> Iterator[Played]:
    """Yield the match; nothing while its start is missing. Raises IdentifierError, EventError and
    DecisionError."""
    number, began = parts_of(read_match_key(match))
    where = f"board {board}, match {number}"
    lines, seals, whole = _lines(records)
    if not lines:
        return
    start, decisions = _start_and_decisions(lines)
    source = source_of(number, began, start)
    fault = next(impossible(start, enumerate(decisions, start=1), games), "")
    if not whole:
        yield Played(source, f"{where}, {NOT_WHOLE}", began, start, decisions, fault)
        return
    # Decisions after the last seal are not sealed yet.
    last = max((seal.lines for seal, _ in seals), default=0)
    record = [header(number, began), *lines]
    for seal, line in seals:
        record.insert(seal.lines, line)
    if seals:
        sealed = write_record(record[: last + 1]).encode("utf-8")
        fault = next(iter(read_record(sealed).faults), fault)
        fault = fault or roster.doubt([seal.key for seal, _ in seals], board)
    if not seals or len(record) > last + 1:
        where = f"{where}, {NOT_SEALED}{' to its end' if seals else ''}"
        if result_of(decisions) and not roster.takes_unproven:
            fault = fault or f"nobody has sealed how it ended; {HINT}"
    yield Played(source, where, began, start, decisions, fault)


def _lines(records: Iterable[Record]) -> tuple[list[str], list[tuple[Seal, str]], bool]:
    """Return the start, the decisions up to the first gap, the seals, and whether there
    is no gap."""
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


def _start_and_decisions(lines: Sequence[str]) -> tuple[Start, tuple[Decision, ...]]:
    start = read_event(lines[0])
    if not isinstance(start, Start):
        raise EventError("its first record is no start of a match")
    return start, tuple(map(read_decision, lines[1:]))
