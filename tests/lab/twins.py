"""`tests/lab/run twins`: how often no sensor can tell two legal plays of a turn apart.

It compares the final pictures of all plays of each turn. A hit also counts as seen, because the
sensors of its spot feel it, unless no sensor is there.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from lab import PROGRAM
from lab.observability import struck
from pi_app.boards import load_board
from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium
from pi_app.players.contract import Situation
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, Spot, rolls_of
from pi_app.sensing.description import Board
from pi_app.words.texts import columns

MOST_GAMES = 100_000


class SensedResult(NamedTuple):
    """How many checkers the sensors of each spot show, and the hits that they have felt."""

    shown: tuple[int, ...]
    hits: frozenset[Spot] = frozenset()


def run(argv: list[str], games: Compendium) -> int:
    parser = Parser(
        "twins", "Count plays that no sensor can tell from another one.", program=PROGRAM
    )
    parser.add_argument("--game", required=True, choices=games.rules)
    parser.add_argument("--board", metavar="NAME", help="else the usual one of the game")
    parser.add_argument("--player", default="random", metavar="NAME", help="plays both sides")
    parser.add_argument("--games", type=whole(1, MOST_GAMES), default=100, metavar="N")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args(argv)
    equipment = games.find(args.game)
    board = load_board(args.board or equipment.board, games.rules)
    game, lots = equipment.rules, random.Random(args.seed)
    player = equipment.contender(args.player).make(game)
    counts, chances = Counter[str](), rolls_of(game.dice)
    for _ in range(args.games):
        position = game.start(lots.choice(list(Side)))
        while game.outcome(position) is None:
            (roll,) = lots.choices([*chances], [*chances.values()])
            count(game, board, position, roll, counts)
            best = player.rate(Situation(position), roll).best
            position = game.after(position, lots.choice(best))
    print(columns(list(told(counts))))
    return Status.DONE


def count(game: AnyGame, board: Board, position: Any, roll: Roll, counts: Counter[str]) -> None:
    """Add the plays of one turn."""
    plays = game.plays(position, roll)
    seen = [seen_of(game, board, position, play) for play in plays]
    times, before = Counter(seen), SensedResult(shown(game, board, position))
    alike = sum(number for number in times.values() if number > 1)
    unseen = sum(
        picture == before
        for picture, play in zip(seen, plays, strict=True)
        if game.moves(position, play)
    )
    counts["turns"] += 1
    counts["plays"] += len(plays)
    counts["alike"] += alike
    counts["turns with some"] += alike > 0
    counts["turns with an unseen play"] += unseen > 0


def told(counts: Counter[str]) -> Iterator[tuple[str, str]]:
    turns, plays = counts["turns"], counts["plays"]
    yield "turns", str(turns)
    yield "plays that look like another", f"{100 * counts['alike'] / plays:.2f} % of {plays}"
    for what in ("turns with some", "turns with an unseen play"):
        yield what, f"{100 * counts[what] / turns:.2f} %"


def seen_of(game: AnyGame, board: Board, position: Any, play: Any) -> SensedResult:
    """What the sensors know after a play."""
    hits = frozenset(struck(game, position, play)) & {place.spot for place in board.places}
    after = shown(game, board, game.after(position, play))
    return SensedResult(after, frozenset() if board.tells_sides else hits)


def shown(game: AnyGame, board: Board, position: Any) -> tuple[int, ...]:
    """How many checkers the sensors of each spot show."""
    stacks = game.checkers_at(position)
    felt = [stacks.get(place.spot, ())[: len(place.reeds)] for place in board.places]
    if board.tells_sides:
        return tuple(sides.count(side) for sides in felt for side in Side)
    return tuple(map(len, felt))
