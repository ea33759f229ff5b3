"""`spotter arena GAME --players A B`: two of the machine's players meet, many times."""

from __future__ import annotations

import argparse
import json

from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Progress, Status
from pi_app.games.equipment import Compendium, Equipment
from pi_app.match.score import Agreement
from pi_app.match.turns import Turns
from pi_app.players.meeting import Interval, Sample, meet

MOST_GAMES = 10_000_000
MOST_POINTS = 999


def run(argv: list[str], games: Compendium) -> int:
    """Print the first player's share with intervals; after Ctrl-C, for the games played so far."""
    parser = Parser("arena", "Let two players meet, who take turns with the sides.")
    parser.add_game(games.rules)
    parser.add_argument(
        "--players", nargs=2, required=True, metavar=("A", "B"), help=players_of(games)
    )
    most = whole(1, MOST_GAMES)
    parser.add_argument("--games", type=most, default=1000, metavar="N", help="default 1000")
    parser.add_argument("--seed", default="1", metavar="S", help="same seed, same games; default 1")
    parser.add_argument(
        "--match-to", type=whole(1, MOST_POINTS), metavar="N", help="matches to N points, not games"
    )
    parser.add_argument("--cube", action="store_true", help="with the doubling cube")
    parser.add_argument("--json", action="store_true", help="print one object of JSON")
    args = parser.parse_args(argv)
    sample = Sample()
    try:
        _play(args, games.find(args.game), sample)
    finally:
        if sample.games:
            print(_as_json(args, sample) if args.json else _as_text(args, sample), flush=True)
    return Status.DONE


def players_of(games: Compendium) -> str:
    offers = (f"{game.rules.name}: {', '.join(game.contenders)}" for game in games.games)
    return "of " + "; ".join(offers)


def _play(args: argparse.Namespace, game: Equipment, sample: Sample) -> None:
    rules = game.rules
    agreement = Agreement(
        match_to=args.match_to,
        cube=args.cube and rules.has_cube,
        crawford=rules.crawford and args.match_to is not None,
        tie_turns_cube=False,
    )
    first, second = (game.contender(name).make(rules) for name in args.players)
    turns = Turns(rules, agreement)
    with Progress(args.games, _what(args)) as progress:
        for number in range(1, args.games + 1):
            progress.tell(number - 1)
            sample.add(meet(turns, first, second, number, args.seed))


def _what(args: argparse.Namespace) -> str:
    return "matches" if args.match_to else "games"


def _as_text(args: argparse.Namespace, sample: Sample) -> str:
    first, second = args.players
    share, points = sample.share, sample.mean_points
    tied = f", {sample.tied} tied" if sample.tied else ""
    lines = [
        f"{args.game}: {first} against {second}, {sample.games} {_what(args)}, seed {args.seed}",
        f"won {sample.won}, lost {sample.lost}{tied}",
        f"share won {share.mean:.4%}, {_between(share, '.4%')}",
    ]
    if not args.match_to:
        lines.append(f"points a game {points.mean:+.4f}, {_between(points, '+.4f')}")
    return "\n".join(lines)


def _between(interval: Interval, form: str) -> str:
    if interval.low is None or interval.high is None:
        return "with 95 % unknown: too few games, or all alike"
    return f"with 95 % between {interval.low:{form}} and {interval.high:{form}}"


def _as_json(args: argparse.Namespace, sample: Sample) -> str:
    told: dict[str, object] = {
        "game": args.game,
        "players": args.players,
        "seed": args.seed,
        "match_to": args.match_to,
        "cube": args.cube,
        "games": sample.games,
        "won": sample.won,
        "tied": sample.tied,
        "lost": sample.lost,
        "share": _interval(sample.share),
    }
    if not args.match_to:
        told["points_a_game"] = _interval(sample.mean_points)
    return json.dumps(told)


def _interval(interval: Interval) -> dict[str, float | None]:
    told = interval._asdict()
    return {name: None if value is None else round(value, 6) for name, value in told.items()}
