"""A tournament's file: JSON lines, the tournament first, then its players, then its tables.

It is written whole, and takes the place of the old one at once: whenever a program is killed, or
the power fails, it is there as it was before or as it is after.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_app.club.tournament.model import (
    MOST_POINTS,
    MOST_ROUNDS,
    Entrant,
    Pairing,
    Reported,
    System,
    Tournament,
    TournamentError,
)
from pi_app.files import read_text, replace_text, why
from pi_app.identifiers import player_name, remark, token
from pi_app.strict import Reader

FORM = 1
MOST_BYTES = 16 * 1024 * 1024
WAIT_S = 10.0
_MOST_TO = 999


def write_lines(tournament: Tournament) -> Iterator[str]:
    """The lines of the file."""
    yield _line(
        tournament=FORM,
        name=tournament.name,
        system=tournament.system.value,
        rounds=tournament.planned,
        match_to=tournament.match_to,
    )
    for entrant in tournament.entrants:
        yield _line(player=entrant.name, plays=entrant.plays)
    for number, pairings in enumerate(tournament.rounds, start=1):
        for pairing in pairings:
            yield _line(round=number, **_pairing(pairing))


def read_lines(text: str) -> Tournament:
    """The tournament of such a text; raises TournamentError that names the line at fault."""
    head, *rest = text.splitlines() or [""]
    reader = _reader(head, 1)
    if not reader.has("tournament"):
        raise TournamentError("line 1 is no beginning of a tournament; new makes a file")
    reader.whole("tournament", FORM, FORM)
    tournament = Tournament(
        reader.named("name", remark),
        System(reader.choice("system", [system.value for system in System])),
        reader.whole("rounds", 0, MOST_ROUNDS),
        reader.whole("match_to", 1, _MOST_TO) if reader.has("match_to") else None,
    )
    _done(reader, 1)
    entrants: list[Entrant] = []
    rounds: list[list[Pairing]] = []
    for number, line in enumerate(rest, start=2):
        reader = _reader(line, number)
        if reader.has("player"):
            entrants.append(
                Entrant(reader.named("player", player_name), reader.take("plays", bool, True))
            )
        else:
            place = reader.whole("round", max(1, len(rounds)), len(rounds) + 1)
            if place > len(rounds):
                rounds.append([])
            if rounds:
                rounds[-1].append(_read_pairing(reader))
        _done(reader, number)
    return Tournament(
        tournament.name,
        tournament.system,
        tournament.planned,
        tournament.match_to,
        tuple(entrants),
        tuple(map(tuple, rounds)),
    )


def load(file: Path) -> Tournament:
    """The tournament of a file; raises TournamentError that names it."""
    try:
        return read_lines(read_text(file, MOST_BYTES))
    except TournamentError as error:
        raise TournamentError(f"{file}: {error}") from None
    except (OSError, ValueError) as error:
        what = f"{file}: {why(error)}; spotter tournament new FILE begins a tournament"
        raise TournamentError(what) from None


def save(file: Path, tournament: Tournament) -> None:
    """Write it, whole or not at all; raises OSError."""
    replace_text(file, "".join(f"{line}\n" for line in write_lines(tournament)))


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile; raises TournamentError where somebody goes on to."""
    from filelock import FileLock, Timeout  # noqa: PLC0415, only where a file is changed

    lock = FileLock(file.with_name(f".{file.name}.lock"), timeout=WAIT_S)
    try:
        lock.acquire()
    except Timeout:
        raise TournamentError(f"{file} is being changed by another program; try again") from None
    try:
        yield
    finally:
        lock.release()


def _pairing(pairing: Pairing) -> dict[str, object]:
    result = pairing.result
    if result is None:
        return {"first": pairing.first, "second": pairing.second}
    return {
        "first": pairing.first,
        "second": pairing.second,
        "points": list(result.points),
        "winner": result.winner,
        "source": result.source or None,
        "confirmed": result.confirmed or None,
        "note": result.note or None,
    }


def _read_pairing(reader: Reader) -> Pairing:
    second = reader.named("second", player_name) if reader.has("second") else None
    pairing = Pairing(reader.named("first", player_name), second)
    if not reader.has("winner"):
        return pairing
    first, other = reader.pair("points")
    points = (int(first), int(other))
    if not all(0 <= each <= MOST_POINTS for each in points) or points != (first, other):
        reader.fault("points", f"must be two whole numbers from 0 to {MOST_POINTS}")
    result = Reported(
        points,
        reader.named("winner", player_name),
        reader.named("source", token, ""),
        reader.take("confirmed", bool, False),
        reader.named("note", remark, ""),
    )
    if result.winner not in pairing.players:
        reader.fault("winner", "must be one of the two")
    return Pairing(pairing.first, second, result)


def _line(**fields: object) -> str:
    there = {key: value for key, value in fields.items() if value is not None}
    return json.dumps(there, ensure_ascii=False)


def _reader(line: str, number: int) -> Reader:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TournamentError(f"line {number} is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise TournamentError(f"line {number} is no JSON object")
    return Reader(fields)


def _done(reader: Reader, number: int) -> None:
    reader.done()
    if reader.faults:
        raise TournamentError(f"line {number}: {'; '.join(reader.faults)}")
