"""`spotter rollout`: play a position on many times, and compare what comes of its plays."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from pi_app.base.errors import FailedError
from pi_app.cli.arguments import whole
from pi_app.cli.coach import (
    IN_UNIT,
    cost_of,
    kept_answers,
    kinds_of,
    odds_of,
    parse_position,
    posed,
    position_parser,
    rated_by,
    shares_of,
    worth_of,
)
from pi_app.cli.ending import Progress, Status
from pi_app.coach.rollout import GAMES, PLAYS, SEED, TURNS, RolledOut, Rollout, RolloutOfPlays
from pi_app.games.equipment import Compendium, Equipment
from pi_app.players.contract import Contender, Opinion, Question, Situation
from pi_app.players.meeting import FEWEST
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, TextError
from pi_app.words.sentences import ENGLISH
from pi_app.words.texts import columns, quoted

MOST_GAMES, MOST_TURNS, MOST_PLAYS = 1_000_000, 1000, 100
BEFORE_ROLL = "before the roll"


class NoRolloutError(FailedError):
    """No player plays this position on."""


def rollout(argv: list[str], games: Compendium) -> int:
    """Print what comes of each play, the best first; after Ctrl-C, for the games played so far."""
    says = "Play the best plays of a roll on many times, or, without a roll, the position."
    parser = position_parser(games, "rollout", says)
    parser.takes("--games", "N", f"of each play; default {GAMES}", whole(1, MOST_GAMES), GAMES)
    says = f"judge a game after so many turns; default {TURNS}"
    parser.takes("--turns", "N", says, whole(1, MOST_TURNS), TURNS)
    says = f"compare so many plays, the best by --player; default {PLAYS}"
    parser.takes("--plays", "N", says, whole(1, MOST_PLAYS), PLAYS)
    parser.takes("--seed", "S", f"same seed, same rolls; default {SEED}", default=SEED)
    args = parse_position(parser, argv)
    equipment = games.find(args.game)
    contender = games.roller(args.game)
    if contender is None:
        raise NoRolloutError(f"{args.game}: no player of it plays positions on; use spotter hint")
    situation, roll = posed(args, equipment, games)
    plays = _candidates(args, equipment, situation, roll)
    question = Question(situation, roll)
    under_way = RolloutOfPlays(
        contender.name, question, plays, games=args.games, turns=args.turns, seed=args.seed
    )
    try:
        _play_on(under_way, contender, equipment.rules, len(plays))
    finally:
        if (told := under_way.state).lines:
            game = equipment.rules
            lines = _lines(game, situation.position, told)
            print(json.dumps(_report(game, told)) if args.json else "\n".join(lines), flush=True)
    return Status.DONE


def _candidates(
    args: argparse.Namespace, equipment: Equipment, situation: Situation, roll: Roll | None
) -> Sequence[Any]:
    game = equipment.rules
    if roll is None:
        if game.outcome(situation.position):
            text = quoted(game.write_position(situation.position))
            raise TextError(f"position {text}: the game is over")
        return (None,)
    opinion = rated_by(equipment, args.player, situation, roll).opinion
    assert isinstance(opinion, Opinion)
    return [one.play for one in opinion.plays[: args.plays]]


def _play_on(under_way: RolloutOfPlays, contender: Contender, game: AnyGame, plays: int) -> None:
    player = contender.make(game)
    progress = Progress(plays * under_way.state.wanted, "games played")
    with closing(kept_answers()) as answers, progress:
        while question := under_way.question:
            under_way.answer(question, answers.asked(game, contender, player, question))
            progress.tell(sum(line.games for line in under_way.state.lines))
    if under_way.state.refused:
        why = contender.weaker() or f"{contender.name} does not know the options of this game"
        raise NoRolloutError(f"{game.name}: positions cannot be played on here: {why}")


def _lines(game: AnyGame, position: Any, told: Rollout) -> Iterator[str]:
    worth, best = partial(worth_of, told.unit), told.lines[0]
    how = f"{told.turns} turns a game, seed {told.seed}"
    yield f"{told.player} plays on, {how}, in {IN_UNIT[told.unit]}:"
    heads = ("", "", "worth", "±", "cost", "games", *kinds_of(game, best.chances))
    rows = (
        (
            *(f"{number}.", _named(game, position, line), worth(line.worth)),
            worth(line.half).removeprefix("+") if line.half is not None else "–",
            *(cost_of(worth, best.worth - line.worth), f"{line.games}", *shares_of(line.chances)),
        )
        for number, line in enumerate(told.lines, start=1)
    )
    yield columns([heads, *rows])
    yield "The mean of endless games so judged lies within ± of the worth, with 95 %."
    if any(line.half is None for line in told.lines):
        yield f"It is known from {FEWEST} games of a play on."
    yield "Luck is taken off; there is no cube; both sides play by one ply."


def _named(game: AnyGame, position: Any, line: RolledOut) -> str:
    if line.play is None:
        return BEFORE_ROLL
    return ENGLISH.say(game.write_play(position, line.play))


def _report(game: AnyGame, told: Rollout) -> dict[str, object]:
    situation = told.question.situation
    return {
        "player": told.player,
        "unit": told.unit.value,
        "turns": told.turns,
        "seed": told.seed,
        "plays": [
            {
                "play": None
                if line.play is None
                else game.write_play(situation.position, line.play),
                "worth": line.worth,
                "half": line.half,
                "cost": told.lines[0].worth - line.worth,
                "games": line.games,
                **odds_of(line.chances),
            }
            for line in told.lines
        ],
    }
