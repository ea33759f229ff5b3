"""Results that come from records by themselves: whose match it was, and how it ended.

A record is a match that was begun, with its decisions, from wherever it is: a sealed file, or an
archive of what boards have sent.  Nothing is guessed: a record that does not belong to a table of
the latest round is told, with the reason, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Protocol

from pi_app.club.tournament.model import Pairing, Reported, Tournament
from pi_app.match.phases import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import Start
from pi_app.referee.lines import write_event
from pi_app.rules.terms import Side
from pi_app.texts import clean_name


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
    """What a match is known by, from wherever its record comes and however it goes on."""
    return sha256(f"{number}@{began} {write_event(start)}".encode()).hexdigest()[:16]


class PlayedMatches(Protocol):
    """Wherever records are: files, or an archive of them."""

    def played(self) -> Iterable[Played | Skipped]:
        """Every match that is there, whatever tournament it belongs to."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended: who played White and Black, their points, and who of them has won."""

    players: tuple[str, str]
    points: tuple[int, int]
    winner: Side

    @property
    def won_by(self) -> str:
        """The winner's name, as the board had it."""
        return self.players[self.winner is Side.BLACK]


def result_of(start: Start, decisions: Sequence[Decision]) -> Ending | None:
    """How a match ended; None while it is not over."""
    if not decisions or decisions[-1].state.phase is not Phase.MATCH_OVER:
        return None
    state = decisions[-1].state
    score = state.standing.score
    winner = state.result.winner if state.result else None
    if winner is None:
        winner = Side.WHITE if score.white > score.black else Side.BLACK
    return Ending(start.players, (score.white, score.black), winner)


def reported(tournament: Tournament, played: Played) -> tuple[Tournament, str]:
    """With what a record says, and a line that tells what came of it."""
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
    """At the table of these two, if they meet in the latest round and have no result yet."""
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
    """The table whose result a record has given already, in whatever round."""
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
    """Whether a record that comes again says what it said before."""
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
    """The director's own word for a table; it is confirmed, and what stood there is in its note.

    Without a `winner` it is whoever has more points.
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
    """Every result of the latest round counts from now on."""
    for number, pairing in enumerate(tournament.current, start=1):
        if pairing.result is not None:
            done = replace(pairing.result, confirmed=True)
            tournament = tournament.with_result(number, done)
    return tournament
