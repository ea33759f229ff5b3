"""The next round of a tournament, by its system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pi_app.club.tournament.model import Pairing, System, Tournament, TournamentError
from pi_app.club.tournament.swiss import pair_swiss

FEWEST = 2


def rounds_of(system: System, players: int, wanted: int | None) -> int:
    """How many rounds there are; a Swiss has as many as are wanted, or as find one winner."""
    if system is System.ROUND_ROBIN:
        return max(1, players - 1 + players % 2)
    knock_out = max(1, (players - 1).bit_length())
    return (wanted or knock_out) if system is System.SWISS else knock_out


def paired(tournament: Tournament) -> Tournament:
    """With its next round; raises TournamentError while one is open, or after the last."""
    if not tournament.is_complete:
        tables = enumerate(tournament.current, start=1)
        still = [str(number) for number, table in tables if not table.is_done]
        what = f"round {len(tournament.rounds)} is not complete: table {', '.join(still)}"
        raise TournamentError(f"{what}; give the results and confirm them")
    if not tournament.rounds and len(tournament.playing) < FEWEST:
        raise TournamentError("a tournament has two players at least; join adds them")
    total = rounds_of(tournament.system, len(_field(tournament)), tournament.planned or None)
    if len(tournament.rounds) >= total:
        raise TournamentError(f"all {total} rounds are paired; see: spotter tournament show FILE")
    match tournament.system:
        case System.SWISS:
            pairings = _swiss(tournament)
        case System.ELIMINATION:
            pairings = _elimination(tournament)
        case System.ROUND_ROBIN:
            pairings = circle(_field(tournament), len(tournament.rounds), set(tournament.playing))
    return tournament.with_round(pairings)


def _field(tournament: Tournament) -> tuple[str, ...]:
    """Who was there when the first round was paired; who left keeps his place in the table."""
    if tournament.system is System.SWISS:
        return tournament.names
    if not tournament.rounds:
        return tournament.playing
    first = {name for pairing in tournament.rounds[0] for name in pairing.players}
    return tuple(name for name in tournament.names if name in first)


def points_of(tournament: Tournament) -> Counter[str]:
    """A point a match won; a bye is one too, but in a round robin, where everybody has one."""
    won = Counter(dict.fromkeys(tournament.names, 0))
    for pairings in tournament.rounds:
        for pairing in pairings:
            winner = pairing.winner
            if winner and not (pairing.is_bye and tournament.system is System.ROUND_ROBIN):
                won[winner] += 1
    return won


def _swiss(tournament: Tournament) -> tuple[Pairing, ...]:
    byes = Counter(
        pairing.first for pairings in tournament.rounds for pairing in pairings if pairing.is_bye
    )
    if not tournament.playing:
        raise TournamentError("nobody is left to play")
    pairs, bye = pair_swiss(tournament.playing, points_of(tournament), tournament.met(), byes)
    tables = tuple(Pairing(first, second) for first, second in pairs)
    return tables if bye is None else (*tables, Pairing(bye, None))


def _elimination(tournament: Tournament) -> tuple[Pairing, ...]:
    """The bracket: who won at two tables beside each other meets; at first by seeding."""
    if tournament.rounds:
        through = [pairing.winner or "" for pairing in tournament.current]
        pairs = zip(through[::2], through[1::2], strict=True)
        return tuple(Pairing(first, second) for first, second in pairs)
    players = tournament.playing
    places = seeded(1 << (len(players) - 1).bit_length())
    seats = [players[place] if place < len(players) else None for place in places]
    tables = []
    for one, other in zip(seats[::2], seats[1::2], strict=True):
        # Of two seats beside each other one has a player always: the upper half has no bye to give.
        first, second = (one, other) if one is not None else (other, one)
        tables.append(Pairing(first or "", second))
    return tuple(tables)


def seeded(size: int) -> list[int]:
    """The seats of a bracket by seeds from 0: the first two can only meet in the final."""
    seats = [0]
    while len(seats) < size:
        count = 2 * len(seats)
        seats = [seed for one in seats for seed in (one, count - 1 - one)]
    return seats


def circle(field: Sequence[str], number: int, playing: set[str]) -> tuple[Pairing, ...]:
    """Round `number`, from 0, in which all meet all: one stays, the others go round.

    Who sits opposite an empty chair, or one whose player has left, has a bye; two who have left
    have no table.
    """
    chairs: list[str | None] = [*field, *([None] if len(field) % 2 else [])]
    first, *others = chairs
    turn = number % len(others) if others else 0
    seats = [first, *others[len(others) - turn :], *others[: len(others) - turn]]
    half = len(seats) // 2
    tables = []
    for one, other in zip(seats[:half], reversed(seats[half:]), strict=True):
        there = [name for name in (one, other) if name is not None and name in playing]
        if there:
            # Whoever stays on his chair has the first move in turn.
            ordered = there[::-1] if number % 2 and len(there) == 2 else there
            tables.append(Pairing(ordered[0], ordered[1] if len(ordered) == 2 else None))
    return tuple(sorted(tables, key=lambda table: table.is_bye))
