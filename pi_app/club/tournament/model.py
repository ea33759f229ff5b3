"""A tournament: players, rounds, tables and results as values, and the file that keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta

from pi_app.base.errors import GivenError
from pi_app.base.files import read_text, replace_text, why
from pi_app.base.identifiers import player_name
from pi_app.base.typed_json import plain, read_object, there, typed, write
from pi_app.base.values import dataclass
from pi_app.club.records import RemarkText, Token
from pi_app.words.texts import clean_name, quoted

# A tournament as it stands: players, rounds, tables and their results. Immutable and pure.
#
# What a director does gives another tournament; what cannot be done is an error that says what to
# do.

MOST_PLAYERS = 2000
MOST_ROUNDS = 2000
MOST_POINTS = 9999


class System(Enum):
    SWISS = "swiss"
    ELIMINATION = "elimination"
    ROUND_ROBIN = "round robin"


class TournamentError(GivenError, ValueError):
    """An impossible action. The message says what, why, and the remedy."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player. Players are entered in the order of their seeding, the strongest first."""

    name: str
    plays: bool = True


@dataclass(frozen=True, slots=True)
class Reported:
    """The result of a table: the points of its first and second player, and the winner.

    `source` names the record it came from; it is empty if the director entered it. A result counts
    once it is `confirmed`. `note` is the director's remark.
    """

    points: tuple[int, int]
    winner: str
    source: str = ""
    confirmed: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet in a round, or one who has a bye.

    `since` is when the round was paired; None in a file of an earlier Spotter.
    """

    first: str
    second: str | None
    result: Reported | None = None
    since: datetime | None = None

    @property
    def is_bye(self) -> bool:
        return self.second is None

    @property
    def players(self) -> tuple[str, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def is_done(self) -> bool:
        """Whether the result is confirmed; always for a bye."""
        return self.is_bye or (self.result is not None and self.result.confirmed)

    @property
    def winner(self) -> str | None:
        """The player who advances: the winner or the bye; None until confirmed."""
        if self.is_bye:
            return self.first
        return self.result.winner if self.result and self.result.confirmed else None

    def opponent(self, name: str) -> str | None:
        return self.second if name == self.first else self.first


@dataclass(frozen=True, slots=True)
class Tournament:
    """A whole tournament. Tables are numbered from 1 in each round. `match_to` is None if matches
    may have any length."""

    name: str
    system: System
    planned: int
    match_to: int | None
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[Pairing, ...], ...] = ()

    @property
    def playing(self) -> tuple[str, ...]:
        """The players of the next round, by seeding."""
        return tuple(entrant.name for entrant in self.entrants if entrant.plays)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def current(self) -> tuple[Pairing, ...]:
        """The latest round; raises TournamentError before the first."""
        if not self.rounds:
            raise TournamentError("no round is paired yet; pair one: spotter tournament pair FILE")
        return self.rounds[-1]

    @property
    def is_complete(self) -> bool:
        return not self.rounds or all(pairing.is_done for pairing in self.rounds[-1])

    def find(self, name: str) -> str | None:
        """The player of this name, ignoring case; None if there is none."""
        wanted = clean_name(name).casefold()
        return next((one for one in self.names if one.casefold() == wanted), None)

    def named(self, name: str) -> str:
        found = self.find(name)
        if found is None:
            raise TournamentError(f"player {quoted(name)} is not in this tournament; join adds one")
        return found

    def met(self) -> Iterator[tuple[str, str]]:
        for pairings in self.rounds:
            for pairing in pairings:
                if pairing.second is not None:
                    yield pairing.first, pairing.second

    # What a director does

    def joined(self, names: Iterable[str]) -> Tournament:
        """Return it with more players, seeded after the others."""
        if self.rounds and self.system is not System.SWISS:
            what = f"nobody can join a {self.system.value} once it has begun"
            raise TournamentError(f"{what}; begin another tournament: spotter tournament new")
        grown = self
        for name in names:
            clean = clean_name(name)
            if not clean:
                raise TournamentError(f"{quoted(name)} is no name; give it at least a letter")
            if grown.find(clean) is not None:
                raise TournamentError(f"player {quoted(clean)} is there already; names are unique")
            grown = replace(grown, entrants=(*grown.entrants, Entrant(clean)))
        if len(grown.entrants) > MOST_PLAYERS:
            raise TournamentError(f"there can be {MOST_PLAYERS} players at most")
        return grown

    def left(self, name: str) -> Tournament:
        """Return it without this player from the next round on."""
        found = self.named(name)
        entrants = (replace(one, plays=one.plays and one.name != found) for one in self.entrants)
        return replace(self, entrants=tuple(entrants))

    def with_round(self, pairings: tuple[Pairing, ...]) -> Tournament:
        return replace(self, rounds=(*self.rounds, pairings))

    def dated(self, now: datetime) -> Tournament:
        """Return it with the latest round paired now."""
        return self._with_current(replace(pairing, since=now) for pairing in self.current)

    def swapped(self, one: str, other: str) -> Tournament:
        """Return it with two players of the latest round in each other's places."""
        first, second = self.named(one), self.named(other)
        exchanged = {first: second, second: first}
        current = self.current
        for name in exchanged:
            pairing = next((each for each in current if name in each.players), None)
            if pairing is None:
                raise TournamentError(f"{name} does not play in this round")
            if pairing.result is not None:
                raise TournamentError(
                    f"{name} has a result in this round; it cannot be paired anew"
                )
        return self._with_current(
            replace(
                pairing,
                first=exchanged.get(pairing.first, pairing.first),
                second=pairing.second and exchanged.get(pairing.second, pairing.second),
            )
            for pairing in current
        )

    def with_result(self, number: int, result: Reported) -> Tournament:
        pairing = self.table(number)
        if pairing.is_bye:
            raise TournamentError(f"table {number} is {pairing.first}'s bye; it has no result")
        if result.winner not in pairing.players:
            raise TournamentError(f"{quoted(result.winner)} does not sit at table {number}")
        if not all(0 <= points <= MOST_POINTS for points in result.points):
            raise TournamentError(f"points are from 0 to {MOST_POINTS}")
        return self._with_table(number, replace(pairing, result=result))

    def confirmed(self, number: int) -> Tournament:
        pairing = self.table(number)
        if pairing.is_bye:
            return self
        if pairing.result is None:
            what = f"table {number} ({' – '.join(pairing.players)}) has no result yet"
            raise TournamentError(f"{what}; give it: spotter tournament result FILE {number} 7-3")
        result = replace(pairing.result, confirmed=True)
        return self._with_table(number, replace(pairing, result=result))

    def table(self, number: int) -> Pairing:
        """A table of the latest round. Raises TournamentError, which says how many there are."""
        if not 1 <= number <= len(self.current):
            raise TournamentError(f"table {number} is not in this round of {len(self.current)}")
        return self.current[number - 1]

    def _with_table(self, number: int, pairing: Pairing) -> Tournament:
        return self._with_current(
            pairing if place == number else each for place, each in enumerate(self.current, start=1)
        )

    def _with_current(self, pairings: Iterable[Pairing]) -> Tournament:
        return replace(self, rounds=(*self.rounds[:-1], tuple(pairings)))


# A tournament's file: JSON lines, the tournament first, then its players, then its tables.
#
# It is written whole, and takes the place of the old one at once: whenever a program is killed, or
# the power fails, it is there as it was before or as it is after.

FORM = 1
MOST_BYTES = 16 * 1024 * 1024
WAIT_S = 10.0
_ScoredPoints: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_POINTS)]


@dataclass(frozen=True, slots=True)
class _HeadKeys:
    tournament: Annotated[int, Meta(ge=FORM, le=FORM)]
    name: RemarkText
    system: System
    rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)]
    match_to: Annotated[int, Meta(ge=1, le=999)] | None = None


@dataclass(frozen=True, slots=True)
class _EntrantKeys:
    player: str
    plays: bool = True


@dataclass(frozen=True, slots=True)
class _TableKeys:
    """The keys of a table's line; those after `since` are present once it has a result."""

    round: int
    first: str
    second: str | None = None
    since: Annotated[datetime, Meta(tz=True)] | None = None
    points: tuple[_ScoredPoints, _ScoredPoints] | None = None
    winner: str | None = None
    source: Token = ""
    confirmed: bool = False
    note: RemarkText = ""


def write_lines(tournament: Tournament) -> Iterator[str]:
    head = (FORM, tournament.name, tournament.system, tournament.planned, tournament.match_to)
    yield write(there(plain(_HeadKeys(*head))))
    for entrant in tournament.entrants:
        yield write(_EntrantKeys(entrant.name, entrant.plays))
    for number, pairings in enumerate(tournament.rounds, start=1):
        for pairing in pairings:
            keys: dict[str, object] = {"first": pairing.first, "second": pairing.second}
            if pairing.since:
                keys["since"] = pairing.since.isoformat()
            if result := pairing.result:
                keys |= {key: value or None for key, value in plain(result).items()}
            yield write(there({"round": number, **keys}))


def read_lines(text: str) -> Tournament:
    """Parse a tournament. Raises TournamentError, which names the line."""
    first, *rest = text.splitlines() or [""]
    number, entrants, rounds = 1, list[Entrant](), list[list[Pairing]]()
    try:
        if "tournament" not in (fields := read_object(first)):
            raise TournamentError("it is no beginning of a tournament; new makes a file")
        head = typed(fields, _HeadKeys)
        for number, line in enumerate(rest, start=2):  # noqa: B007, for the error
            fields = read_object(line)
            if "player" in fields:
                one = typed(fields, _EntrantKeys)
                entrants.append(Entrant(player_name(one.player), one.plays))
                continue
            table = typed(fields, _TableKeys)
            if table.round == len(rounds) + 1:
                rounds.append([])
            if not rounds or table.round != len(rounds):
                raise TournamentError(f"$.round is {table.round}, after {len(rounds)}")
            rounds[-1].append(_pairing(table))
    except ValueError as error:
        raise TournamentError(f"line {number}: {error}") from None
    tables = tuple(map(tuple, rounds))
    return Tournament(head.name, head.system, head.rounds, head.match_to, tuple(entrants), tables)


def _pairing(table: _TableKeys) -> Pairing:
    second = table.second and player_name(table.second)
    pairing = Pairing(player_name(table.first), second, since=table.since)
    if table.winner is None:
        return pairing
    if table.points is None or table.winner not in pairing.players:
        raise TournamentError("a result has points, and its winner must be one of the two")
    result = Reported(table.points, table.winner, table.source, table.confirmed, table.note)
    return replace(pairing, result=result)


def load(file: Path) -> Tournament:
    """Read a tournament's file. Raises TournamentError, which names the file."""
    try:
        return read_lines(read_text(file, MOST_BYTES))
    except TournamentError as error:
        raise TournamentError(f"{file}: {error}") from None
    except (OSError, ValueError) as error:
        what = f"{file}: {why(error)}; spotter tournament new FILE begins a tournament"
        raise TournamentError(what) from None


def save(file: Path, tournament: Tournament) -> None:
    replace_text(file, "".join(f"{line}\n" for line in write_lines(tournament)))


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Lock the file. Raises TournamentError if another process keeps it locked."""
    from filelock import FileLock, Timeout  # noqa: PLC0415, only where a file is changed

    try:
        with FileLock(file.with_name(f".{file.name}.lock"), timeout=WAIT_S):
            yield
    except Timeout:
        raise TournamentError(f"{file} is being changed by another program; try again") from None
