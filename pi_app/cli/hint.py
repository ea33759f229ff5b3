"""`spotter hint GAME POSITION [ROLL]`: what each play is worth; without a roll, the cube."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from typing import Any

from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium, NoHintError
from pi_app.match.score import Agreement, Cube, Score, Standing, may_double
from pi_app.players.contract import CubeOpinion, Opinion, Situation, Unit
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, TextError, read_roll
from pi_app.words.texts import columns, quoted

MOST_SHOWN = 10
MOST_POINTS = 999
MOST_STAKE = 1 << 20
OWNERS = {"nobody": None, "white": Side.WHITE, "black": Side.BLACK}
_SCORE = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)

COUNTED = {
    Unit.POINTS: "points a game",
    Unit.MATCH: "chance of the match",
    Unit.SCORE: "its own marks",
}


def run(argv: list[str], games: Compendium) -> int:
    """Print the plays, best first, with their worth and cost; without a roll, the cube decision."""
    # Backgammon's positions begin with a dash; before a space no option is looked for.
    args = _parser(games).parse_args([f" {word}" if " " in word else word for word in argv])
    equipment = games.find(args.game)
    game = equipment.rules
    position, roll = _read(game, " ".join(args.words).split())
    if game.outcome(position):
        raise TextError(f"position {quoted(game.write_position(position))}: the game is over")
    situation = Situation(position, *_match(args, game))
    name = args.player or equipment.adviser.name
    player = equipment.contender(name).make(game)
    if roll is not None:
        opinion = player.rate(situation, roll)
        head = _head(name, opinion, in_match=args.match_to is not None)
        print(_plays_json(game, name, opinion) if args.json else _plays(game, head, opinion))
        return Status.DONE
    if not may_double(situation.agreement, situation.standing, game.mover(position)):
        raise UsageError("the mover may not double here; give a roll, or --cube, --owner, --score")
    cube = player.weigh(situation)
    if cube is None:
        raise NoHintError(f"the player {name} knows nothing of cubes; give a roll")
    head = _head(name, cube, in_match=args.match_to is not None)
    print(_cube_json(name, cube) if args.json else _cube(head, cube))
    return Status.DONE


def _parser(games: Compendium) -> Parser:
    parser = Parser("hint", "Say what the plays of a roll are worth, or, without one, a double.")
    parser.add_game(games.rules)
    parser.add_argument(
        "words",
        nargs="+",
        metavar="POSITION [ROLL]",
        help="a position text in quotes, then the roll if the game has dice",
    )
    parser.add_argument("--player", metavar="NAME", help="who is asked; by default the strongest")
    parser.add_argument(
        "--match-to", type=whole(1, MOST_POINTS), metavar="N", help="in a match to N points"
    )
    parser.add_argument("--score", default="0-0", metavar="W-B", help="White's points and Black's")
    parser.add_argument(
        "--cube", type=whole(1, MOST_STAKE), metavar="N", help="with a cube, the stake at N"
    )
    parser.add_argument("--owner", choices=OWNERS, default="nobody", help="who owns the cube")
    parser.add_argument(
        "--crawford",
        action=argparse.BooleanOptionalAction,
        help="whether the match has the Crawford game",
    )
    parser.add_argument("--after-crawford", action="store_true", help="it has been played")
    parser.add_argument("--jacoby", action="store_true", help="by the Jacoby rule")
    parser.add_argument("--json", action="store_true", help="print one object of JSON")
    return parser


def _read(game: AnyGame, words: list[str]) -> tuple[Any, Roll | None]:
    """Split the words into a position and a roll. Without dice the roll is empty."""
    if not game.dice:
        return game.read_position(" ".join(words)), Roll(())
    *rest, last = words
    if rest and last.isdecimal():
        return game.read_position(" ".join(rest)), read_roll(last, game.dice)
    return game.read_position(" ".join(words)), None


def _match(args: argparse.Namespace, game: AnyGame) -> tuple[Agreement, Standing]:
    """The agreement and score to judge by. Raises UsageError for an impossible match."""
    found = _SCORE.fullmatch(args.score)
    if not found:
        raise UsageError(f"--score {quoted(args.score)}: write White's points and Black's, as 3-5")
    score, target = Score(int(found[1]), int(found[2])), args.match_to
    if target is not None and score.best >= target:
        raise UsageError(f"--score {args.score}: with {target} points the match is over")
    if args.cube and not game.has_cube:
        raise UsageError(f"--cube {args.cube}: {game.name} has no cube")
    agreed = game.crawford if args.crawford is None else args.crawford
    agreement = Agreement(
        match_to=target,
        cube=args.cube is not None,
        crawford=agreed and target is not None,
        tie_turns_cube=False,
        jacoby=args.jacoby,
    )
    one_away = target is not None and score.best == target - 1
    now = agreement.crawford and one_away and not args.after_crawford
    cube = Cube(args.cube or 1, OWNERS[args.owner])
    return agreement, Standing(score, cube, 1, now, args.after_crawford)


def _plays(game: AnyGame, head: str, opinion: Opinion) -> str:
    """A table of the best plays under a heading."""
    best, *_ = opinion.plays
    rows = [
        (
            f"{number}.",
            game.write_play(rated.play),
            _told(opinion.unit, rated.worth),
            _cost(opinion.unit, best.worth - rated.worth),
        )
        for number, rated in enumerate(opinion.plays[:MOST_SHOWN], start=1)
    ]
    left = len(opinion.plays) - len(rows)
    more = [f"and {left} more"] if left else []
    return "\n".join([head, columns(rows), *more])


def _head(name: str, opinion: Opinion | CubeOpinion, *, in_match: bool) -> str:
    sure = "proven" if opinion.exact else "an estimate"
    if in_match and opinion.unit is Unit.POINTS:
        sure = "too far from the end: as in unlimited play"
    return f"{name} ({sure}), in {COUNTED[opinion.unit]}:"


def _told(unit: Unit, worth: float) -> str:
    return f"{worth:.3%}" if unit is Unit.MATCH else f"{worth:+.5f}"


def _cost(unit: Unit, loss: float) -> str:
    return _told(unit, -loss) if loss else ""


def _cube(head: str, cube: CubeOpinion) -> str:
    rows = [
        ("no double", _told(cube.unit, cube.held)),
        ("double, take", _told(cube.unit, cube.taken)),
        ("double, pass", _told(cube.unit, cube.passed)),
    ]
    return "\n".join([head, columns(rows), ", ".join(_advice(cube))])


def _advice(cube: CubeOpinion) -> Iterator[str]:
    yield "double" if cube.double else "no double"
    yield "take" if cube.take else "pass"


def _plays_json(game: AnyGame, name: str, opinion: Opinion) -> str:
    best = opinion.plays[0].worth
    plays = [
        {
            "play": game.write_play(rated.play),
            "worth": rated.worth,
            "cost": best - rated.worth,
        }
        for rated in opinion.plays
    ]
    return json.dumps({**_common(name, opinion), "plays": plays})


def _cube_json(name: str, cube: CubeOpinion) -> str:
    told = {"held": cube.held, "taken": cube.taken, "passed": cube.passed}
    return json.dumps({**_common(name, cube), **told, "double": cube.double, "take": cube.take})


def _common(name: str, opinion: Opinion | CubeOpinion) -> dict[str, object]:
    return {"player": name, "exact": opinion.exact, "unit": opinion.unit.value}
