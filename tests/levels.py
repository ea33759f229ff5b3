"""How well the machine's players of Backgammon play, as performance ratings by GNU Backgammon.

    .venv/bin/python tests/levels.py --seeds 1000 1080

Every seed is a game, without a cube and for points, between two of the players drawn by lot.  Five
of its positions with a choice are drawn; every player is asked for its play, and GNU Backgammon,
looking two plies ahead, says what that loses.  Seeds below 1000 are for setting the levels, the
others for telling how strong they are.  It takes some three seconds of a core a game.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from pi_app.coach.study import MARKED_FROM, NOTHING, RATING, Mark
from pi_app.games.all import ALL
from pi_app.players.contract import Player, Situation
from pi_app.players.tables.player import NetworkPlayer, Strength, load, network_path
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.tables.position import TablesPosition
from pi_app.rules.terms import Roll, Side
from pi_app.words.texts import columns

JUDGE = "gnubg-2"
FACES = 6
A_GAME = 5
"""Positions asked about per game."""
MOST_PLAYS = 500


class Asked(NamedTuple):
    """A position with a roll that can be played in several ways."""

    position: TablesPosition
    roll: Roll


class Measured(NamedTuple):
    """A player's rating, its standard error, and shares of the plays."""

    rating: float
    error: float
    best: float
    blunders: float


def main() -> None:
    """Print a table of the players."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, default=(1000, 1080), metavar="N")
    parser.add_argument("--players", nargs="*", default=own_players(), metavar="NAME|SHARE")
    args = parser.parse_args()
    players = {name: player_of(name) for name in args.players}
    asked = tuple(asked_in(range(*args.seeds)))
    rows = [("player", "rating", "se", "best play", "blunders")]
    for name, told in measured(players, asked).items():
        figures = (f"{told.rating:.1f}", f"{told.error:.1f}")
        rows.append((name, *figures, f"{told.best:.0%}", f"{told.blunders:.1%}"))
    print(f"{len(asked)} positions, seeds {args.seeds[0]} to {args.seeds[1] - 1}, by {JUDGE}")
    print(columns(rows))


def own_players() -> tuple[str, ...]:
    """Those that come with Spotter and look at the board."""
    equipment = ALL.find(BACKGAMMON.name)
    engines = ("gnubg", "random")
    return tuple(name for name in equipment.contenders if not name.startswith(engines))


def player_of(name: str) -> Player:
    """The player of Backgammon of this name; a number is how much rules of thumb count with it."""
    with suppress(ValueError):
        network = load(network_path(BACKGAMMON.name))
        return NetworkPlayer(BACKGAMMON, network, Strength(thumb=float(name)))
    return ALL.find(BACKGAMMON.name).contender(name).make(BACKGAMMON)


def asked_in(seeds: Sequence[int]) -> Iterator[Asked]:
    """Positions of games between the players that look one turn ahead."""
    players = [player_of(name) for name in own_players() if name != "network-2"]
    for seed in seeds:
        lots = random.Random(seed)
        sides = {side: lots.choice(players) for side in Side}
        choices = list(_choices(sides, lots))
        yield from lots.sample(choices, min(A_GAME, len(choices)))


def _choices(sides: Mapping[Side, Player], lots: random.Random) -> Iterator[Asked]:
    """The turns of a game that can be played in several ways."""
    position = BACKGAMMON.start(lots.choice(list(Side)))
    for _ in range(MOST_PLAYS):
        roll = Roll.of(*(lots.randint(1, FACES) for _ in range(BACKGAMMON.dice)))
        if len(BACKGAMMON.plays(position, roll)) > 1:
            yield Asked(position, roll)
        opinion = sides[position.mover].rate(Situation(position), roll)
        position = BACKGAMMON.after(position, lots.choice(opinion.best))
        if BACKGAMMON.outcome(position):
            return


def measured(players: Mapping[str, Player], asked: Sequence[Asked]) -> Mapping[str, Measured]:
    """The judge's opinion on each player's plays."""
    judge = player_of(JUDGE)
    lost: dict[str, list[float]] = {name: [] for name in players}
    for position, roll in asked:
        situation, losses = Situation(position), dict[TablesPosition, float]()
        for name, player in players.items():
            play = player.rate(situation, roll).plays[0].play
            result = BACKGAMMON.after(position, play)
            if result not in losses:
                rated = judge.rate(situation, roll, play).plays
                worths = {BACKGAMMON.after(position, one.play): one.worth for one in rated}
                losses[result] = rated[0].worth - worths[result]
            lost[name].append(losses[result])
    return {name: _measured(each) for name, each in lost.items()}


def _measured(lost: Sequence[float]) -> Measured:
    number = len(lost)
    mean = sum(lost) / number
    variance = sum((each - mean) ** 2 for each in lost) / (number - 1)
    blunders = sum(each > MARKED_FROM[Mark.BLUNDER] for each in lost)
    best = sum(each < NOTHING for each in lost)
    error = RATING * math.sqrt(variance / number)
    return Measured(RATING * mean, error, best / number, blunders / number)


if __name__ == "__main__":
    main()
