"""`spotter analyse`, `hint` and `arena`: rate decisions, and compare engines.

An analysis asks the engine whatever it has not answered yet; a better engine is asked anew.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pi_app.app.backlog import AnalysisWish, Backlog
from pi_app.base.errors import FailedError, GivenError, SpotterError
from pi_app.base.microseconds import Us
from pi_app.base.typed_json import plain
from pi_app.base.values import dataclass
from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.ending import Progress, Status, say
from pi_app.cli.sources import CollectionError, is_match, kept_of, positions_of
from pi_app.coach.answers import FILE as ANSWERS
from pi_app.coach.answers import KeptAnswers
from pi_app.coach.study import FILE as RATINGS
from pi_app.coach.study import (
    MARKED_FROM,
    RATING,
    Analysis,
    Errors,
    Judged,
    Lucky,
    Mark,
    OfKind,
    Study,
    blunders_first,
    errors_of,
    grade_of,
    keep_ratings,
    mark_of,
    ratings_of,
    read_ratings,
)
from pi_app.coach.training import FILE as TRAINING
from pi_app.coach.training import Exercise, TrainingFile, day_of, exercises_of, question_at
from pi_app.export.retold import Kept
from pi_app.games.equipment import Compendium, Equipment, NoHintError
from pi_app.journal.opening import FILE, data_folder
from pi_app.match.acts import Act
from pi_app.match.origin import Problem
from pi_app.match.score import Agreement, Cube, Score, Standing, may_double
from pi_app.match.turns import Turns
from pi_app.players.contract import Chances, CubeOpinion, Opinion, Question, Situation, Unit
from pi_app.players.meeting import Interval, Sample, meet
from pi_app.referee.events import Start
from pi_app.referee.options import agree
from pi_app.rules.contract import JACOBY, AnyGame
from pi_app.rules.terms import Roll, Side, TextError, read_roll
from pi_app.user.settings import load_settings
from pi_app.words.sentences import ENGLISH
from pi_app.words.texts import columns, quoted

MOST_SHOWN = 20
NO_SCORE = "0-0"
REPORT_VERSION = 1
"""Of `--json`, described in `coach/README.md`; a field that changes its meaning makes a new one."""
COUNTED = {Unit.POINTS: "points at the stake", Unit.MATCH: "chance of the match"}
DID = {
    Act.PLAY: "played",
    Act.ROLL: "rolled without a double",
    Act.DOUBLE: "doubled",
    Act.TAKE: "took",
    Act.PASS: "passed",
    Act.BEAVER: "beavered",
}


class NothingToJudgeError(FailedError):
    """The match has no decision yet."""


def analyse(argv: list[str], games: Compendium) -> int:
    """Print what each decision cost; after Ctrl-C, of the decisions judged so far."""
    args = _parser().parse_args(argv)
    if args.match is None:
        return _work_off(args, games)
    if not is_match(args.match):
        return _analyse_positions(args, games)
    kept = _by_jacoby(kept_of(args.match, games), args.jacoby)
    equipment = games.find(kept.game.name)
    contender = equipment.contender(args.player) if args.player else equipment.adviser
    study = Study(contender.name, kept, games.quick(kept.game.name, args.player).name)
    if not study.moments:
        raise NothingToJudgeError(f"{args.match}: nothing played in this match yet")
    try:
        ask_all(study, games, args.player)
    finally:
        if (analysis := study.analysis()).judged:
            every, rolls = args.all, args.luck
            lines = _lines(kept, analysis, contender.says, every=every, rolls=rolls)
            print(json.dumps(_report(kept, analysis)) if args.json else "\n".join(lines))
    return Status.DONE


def _by_jacoby(kept: Kept, jacoby: bool | None) -> Kept:
    """The match with or without the Jacoby rule, if that was asked for. Raises UsageError."""
    if jacoby is None:
        return kept
    if kept.start.match_to is not None or not kept.game.has_cube:
        raise UsageError("--jacoby, --no-jacoby: only unlimited play with a cube has this rule")
    options = {**kept.start.options, JACOBY.name: jacoby}
    return replace(kept, start=replace(kept.start, options=options))


def _work_off(args: argparse.Namespace, games: Compendium) -> int:
    """Analyse the stored matches, and name those that cannot be analysed. Each answer is kept at
    once, so Ctrl-C loses nothing."""
    if args.player or args.luck or args.all or args.json or args.jacoby is not None:
        raise UsageError("--player, --luck, --all, --json and --jacoby go with a match")
    path = data_folder() / FILE
    backlog = Backlog(path, games)
    left = backlog.left(read_ratings(path.with_name(RATINGS)))
    failed = 0
    with Progress(len(left), "matches analysed") as progress:
        for number, match in enumerate(left, start=1):
            try:
                _analyse_stored(backlog.wish(match), games, path)
            except SpotterError as error:
                failed += 1
                progress.clear()
                say(f"match {match}: {line}" for line in error.lines)
            progress.tell(number)
    done = len(left) - failed
    matches = "match" if done == 1 else "matches"
    print(f"{done} {matches} analysed; `spotter report` shows them together")
    return Status.FAILED if failed else Status.DONE


def _analyse_stored(wish: AnalysisWish, games: Compendium, path: Path) -> None:
    name = wish.kept.game.name
    study = Study(games.judge(name).name, wish.kept, games.quick(name).name)
    if study.moments:
        ask_all(study, games, quiet=True)
        analysis = study.analysis()
        ratings = ratings_of(wish.number, wish.began, study.kept, analysis)
        keep_ratings(path.with_name(RATINGS), ratings)
        found = exercises_of(study.kept, analysis, load_settings().coach.me)
        _keep_exercises(path.with_name(TRAINING), found, day_of(wish.began))


def _keep_exercises(file: Path, found: Iterable[tuple[str, Exercise]], day: str) -> None:
    exercises = tuple(found)
    TrainingFile(file).change(lambda training: training.adding_each(exercises, day))


def _analyse_positions(args: argparse.Namespace, games: Compendium) -> int:
    """Rate each position as `hint` does."""
    if args.luck or args.all or args.jacoby is not None:
        raise UsageError("--luck, --all and --jacoby go with a match, not with a position")
    asked = [
        (problem, _asked_at(place, problem, games))
        for place, problem, _ in positions_of(args.match, games)
    ]
    if not asked:
        raise NothingToJudgeError(f"{args.match}: there is no position in it")
    for number, (problem, asks) in enumerate(asked):
        told = rated_by(games.find(problem.game), args.player, asks.situation, asks.roll)
        if args.json:
            print(json.dumps({"position": problem.text, **told.as_json()}), flush=True)
        else:
            lines = [problem.text, *told.lines()]
            print("\n".join(["", *lines] if number else lines), flush=True)
    return Status.DONE


def _asked_at(place: str, problem: Problem, games: Compendium) -> Question:
    """Raises CollectionError, which names the file and line."""
    start = Start(Us(0), problem.game, "", problem.match_to, ("", ""), problem.agreed)
    try:
        return question_at(start, games.rules)
    except GivenError as error:
        raise CollectionError(f"{place or 'position'}: {error}") from None


def _parser() -> Parser:
    parser = Parser("analyse", "Rate each play and cube decision, blunders first.")
    says = "a match as `spotter matches` shows it, its file, or positions as text or in a file"
    says = f"{says}; by default all stored matches, those with the weakest analysis first"
    parser.takes("match", "NUMBER|FILE|POSITION", says, nargs="?")
    parser.add_player()
    jacoby = "unlimited play by the Jacoby rule or without it; default: as the file says"
    parser.add_argument("--jacoby", action=argparse.BooleanOptionalAction, help=jacoby)
    parser.flag("--luck", "the luck of each roll too")
    parser.flag("--all", f"every loss, not only the {MOST_SHOWN} largest")
    parser.add_json()
    return parser


def ask_all(
    study: Study, games: Compendium, wanted: str | None = None, *, quiet: bool = False
) -> None:
    """Ask the wanted player of each game, by default the one that gives hints."""
    players = {
        (game.name, quick): (contender := judge(game.name, wanted), contender.make(game))
        for game in study.kept.series.games
        for quick, judge in ((False, games.judge), (True, games.quick))
        if study.luck_by or not quick
    }
    stream = StringIO() if quiet else None
    progress = Progress(study.total, "questions answered", stream)
    with closing(kept_answers()) as answers, progress:
        while question := study.question:
            game = study.game_of(question)
            study.answer(answers.asked(game, *players[game.name, bool(question.rolls)], question))
            progress.tell(study.total - study.left, study.total)


def kept_answers() -> KeptAnswers:
    return KeptAnswers(data_folder() / ANSWERS)


def _lines(kept: Kept, analysis: Analysis, says: str, *, every: bool, rolls: bool) -> Iterator[str]:
    white, black = kept.start.players
    yield f"{white} – {black}, rated by {analysis.player}"
    # A proof needs no other word for how good it is.
    yield f"({says})" if not analysis.exact else f"({says}; proven)"
    agreement = agree(kept.start, kept.games)[1].agreement
    if agreement.match_to is None and agreement.cube:
        silent = not kept.start.board and JACOBY.name not in kept.start.options
        said = ", which its file does not name; --jacoby judges by it" if silent else ""
        yield f"Unlimited play {'by' if agreement.jacoby else 'without'} the Jacoby rule{said}."
    yield ""
    yield _table(kept, analysis)
    lost = blunders_first(analysis)
    shown = lost if every else lost[:MOST_SHOWN]
    if shown:
        rows = [_row(kept, judged) for judged in shown]
        yield ""
        yield columns([("", "loss", "equity", "game", "turn", "who", "what", "best"), *rows])
    if len(lost) > len(shown):
        yield f"and {len(lost) - len(shown)} more; --all shows them"
    if rolls and analysis.luck:
        yield ""
        yield columns([("luck", "game", "turn", "who", "roll"), *_luck_rows(kept, analysis.luck)])
    yield ""
    yield from _legend(analysis)


def _name(kept: Kept, side: Side) -> str:
    return kept.start.players[side is Side.BLACK]


def _table(kept: Kept, analysis: Analysis) -> str:
    heads = ("", "decisions", "doubtful", "errors", "blunders", "lost", "equity", "rating", "luck")
    rows = [
        row
        for side, each in errors_of(analysis).items()
        for errors in each
        for row in _figures_of(kept.game, _name(kept, side), errors)
    ]
    return columns([heads, *rows])


def _figures_of(game: AnyGame, name: str, errors: Errors) -> Iterator[tuple[str, ...]]:
    """A player's row, and one for each kind of decision."""
    rating = "–" if errors.rating is None else f"{errors.rating:.2f}"
    if errors.rating is not None and game.graded:
        rating = f"{rating} {grade_of(errors.rating).value}"
    luck = "–" if errors.luck is None else _amount(errors.unit, errors.luck, sign=True)
    yield (name, *_counts(errors.unit, errors), rating, luck)
    for kind in errors.kinds:
        own = "–" if kind.rating is None else f"{kind.rating:.2f}"
        yield (f"  {kind.kind.value}", *_counts(errors.unit, kind), own, "")


def _counts(unit: Unit, some: Errors | OfKind) -> tuple[str, ...]:
    counts = (some.decisions, some.doubtful, some.errors, some.blunders)
    return (*map(str, counts), _amount(unit, some.loss), _equity(some.equity))


def _row(kept: Kept, judged: Judged) -> tuple[str, ...]:
    moment, mark = judged.moment, mark_of(judged)
    return (
        "" if mark is Mark.GOOD else mark.value,
        _amount(judged.unit, judged.loss),
        _equity(judged.equity),
        str(moment.game),
        str(moment.turn),
        _name(kept, moment.side),
        made_of(_game_of(kept, judged), judged),
        best_of(_game_of(kept, judged), judged),
    )


def _luck_rows(kept: Kept, luck: tuple[Lucky, ...]) -> Iterator[tuple[str, ...]]:
    for one in luck:
        amount = _amount(one.unit, one.luck, sign=True)
        where = (str(one.cast.game), str(one.cast.turn), _name(kept, one.cast.side))
        yield (amount, *where, f"{one.cast.roll or 'begins'}")


def _game_of(kept: Kept, judged: Judged) -> AnyGame:
    return kept.during(judged.moment.question.situation.standing)


def made_of(game: AnyGame, judged: Judged) -> str:
    moment = judged.moment
    if moment.what is not Act.PLAY:
        return DID[moment.what]
    roll = moment.question.roll
    play = ENGLISH.say(game.write_play(moment.question.situation.position, moment.play))
    return f"{roll}: {play}" if roll and roll.dice else play


def best_of(game: AnyGame, judged: Judged) -> str:
    if judged.best:
        position = judged.moment.question.situation.position
        return ENGLISH.say(game.write_play(position, judged.best[0]))
    return DID[judged.right] if judged.right else ""


def _amount(unit: Unit, amount: float, *, sign: bool = False) -> str:
    form = ".3%" if unit is Unit.MATCH else ".4f"
    return f"{amount:{'+' if sign else ''}{form}}"


def _equity(equity: float | None) -> str:
    return "–" if equity is None else f"{equity:.4f}"


def _legend(analysis: Analysis) -> Iterator[str]:
    for unit in dict.fromkeys(judged.unit for judged in analysis.judged):
        yield f"Losses in {COUNTED[unit]}, and in normalised equity: points of a plain game."
    marks = (f"above {least:g} {mark.value}" for mark, least in MARKED_FROM.items())
    yield f"A decision is marked by the equity that it costs: {', '.join(marks)}."
    yield f"The rating is the mean equity loss times {RATING}; 0 is perfect."
    yield "Forced plays and trivial cube decisions are not counted."
    if analysis.unjudged:
        yield f"{analysis.player} gives no cube advice; {analysis.unjudged} decisions not rated."
    if analysis.left:
        decisions = f"the last decisions ({analysis.unasked}) and luck are"
        yield f"Stopped: {decisions if analysis.unasked else 'luck is'} not judged."
    if analysis.luck is not None:
        yield f"Luck is a roll's gain over the mean of all rolls, by {analysis.luck_by}."


def _report(kept: Kept, analysis: Analysis) -> dict[str, object]:
    agreement = agree(kept.start, kept.games)[1].agreement
    return {
        "version": REPORT_VERSION,
        "game": kept.start.game,
        "match_to": kept.start.match_to,
        "jacoby": agreement.jacoby,
        "judge": analysis.player,
        "exact": analysis.exact,
        "unjudged": analysis.unjudged,
        "unasked": analysis.unasked,
        "players": [
            {"side": side.value, "name": _name(kept, side), "figures": list(map(_figures, each))}
            for side, each in errors_of(analysis).items()
        ],
        "decisions": [_decision(_game_of(kept, judged), judged) for judged in analysis.judged],
        "luck_by": analysis.luck_by or None,
        "luck": list(map(_luck, analysis.luck or ())),
    }


def _luck(lucky: Lucky) -> dict[str, object]:
    cast = lucky.cast
    return {
        "number": cast.number,
        "game": cast.game,
        "turn": cast.turn,
        "side": cast.side.value,
        "roll": str(cast.roll) if cast.roll else None,
        "opens": len(cast.others) > 1,
        "unit": lucky.unit.value,
        "luck": lucky.luck,
    }


def _figures(errors: Errors) -> dict[str, object]:
    kinds = [_with_rating(kind) for kind in errors.kinds]
    return _with_rating(errors) | {"kinds": kinds}


def _with_rating(some: Errors | OfKind) -> dict[str, object]:
    figures: dict[str, object] = plain(some)
    return figures | {"lost": figures.pop("loss"), "rating": some.rating}


def _decision(game: AnyGame, judged: Judged) -> dict[str, object]:
    moment = judged.moment
    return {
        "number": moment.number,
        "game": moment.game,
        "turn": moment.turn,
        "side": moment.side.value,
        "what": moment.what.value,
        "position": game.write_position(moment.question.situation.position),
        "did": made_of(game, judged),
        "best": best_of(game, judged),
        "unit": judged.unit.value,
        "loss": judged.loss,
        "equity": judged.equity,
        "mark": mark_of(judged).value,
        "counts": judged.decided,
        **{
            name: odds_of(one.chances) if one else None
            for name, one in zip_longest(("made_chances", "best_chances"), judged.rated[:2])
        },
        **{
            name: one.plies if one else None
            for name, one in zip_longest(("made_plies", "best_plies"), judged.rated[:2])
        },
    }


PLAYS_SHOWN = 10
MOST_POINTS = 999
MOST_STAKE = 1 << 20
OWNERS = {"nobody": None, "white": Side.WHITE, "black": Side.BLACK}
_SCORE = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)

IN_UNIT = {
    Unit.POINTS: "points a game",
    Unit.MATCH: "chance of the match",
    Unit.SCORE: "its own marks",
}


def hint(argv: list[str], games: Compendium) -> int:
    """Print the plays, the best first, with their worth and loss; without a roll, the cube
    decision."""
    parser = position_parser(games, "hint", "Rate the plays of a roll, or, without one, a double.")
    args = parse_position(parser, argv)
    equipment = games.find(args.game)
    situation, roll = posed(args, equipment, games)
    rated = rated_by(equipment, args.player, situation, roll)
    print(json.dumps(rated.as_json()) if args.json else "\n".join(rated.lines()))
    return Status.DONE


@dataclass(frozen=True, slots=True)
class RatedPosition:
    """What the engine of this name thinks of a position."""

    name: str
    game: AnyGame
    situation: Situation
    opinion: Opinion | CubeOpinion

    def as_json(self) -> dict[str, object]:
        opinion = self.opinion
        report = {"player": self.name, "exact": opinion.exact, "unit": opinion.unit.value}
        return report | _opinion(self.game, self.situation.position, opinion)

    def lines(self) -> Iterator[str]:
        in_match = self.situation.agreement.match_to is not None
        yield _head(self.name, self.opinion, in_match=in_match)
        yield from _opinion_lines(self.game, self.situation.position, self.opinion)


def rated_by(
    equipment: Equipment, wanted: str | None, situation: Situation, roll: Roll | None
) -> RatedPosition:
    game, position = equipment.rules, situation.position
    if game.outcome(position):
        raise TextError(f"position {quoted(game.write_position(position))}: the game is over")
    name = wanted or equipment.adviser.name
    return RatedPosition(name, game, situation, _asked(equipment, name, situation, roll))


def _asked(
    equipment: Equipment, name: str, situation: Situation, roll: Roll | None
) -> Opinion | CubeOpinion:
    game = equipment.rules
    player = equipment.contender(name).make(game)
    if roll is not None:
        return player.rate(situation, roll)
    mover = game.mover(situation.position)
    if not may_double(situation.agreement, situation.standing, mover):
        raise UsageError("the mover may not double here; give a roll, or --cube, --owner, --score")
    cube = player.weigh(situation)
    if cube is None:
        raise NoHintError(f"{name} gives no cube advice; give a roll")
    return cube


def parse_position(parser: Parser, argv: list[str]) -> argparse.Namespace:
    # Backgammon's positions begin with a dash; before a space no option is looked for.
    return parser.parse_args([f" {word}" if " " in word else word for word in argv])


def position_parser(games: Compendium, command: str, says: str) -> Parser:
    """The parser of a command about a position in a match, and perhaps a roll; `posed` reads it."""
    parser = Parser(command, says)
    parser.add_game(games.rules)
    words = "a position text in quotes, then the roll if the game has dice"
    parser.takes("words", "POSITION [ROLL]", words, nargs="+")
    parser.add_player()
    parser.takes("--match-to", "N", "in a match to N points", whole(1, MOST_POINTS))
    parser.takes("--score", "W-B", "White's points and Black's", default=NO_SCORE)
    parser.takes("--cube", "N", "with a cube, the stake at N", whole(1, MOST_STAKE))
    parser.takes("--owner", None, "who owns the cube", default="nobody", choices=OWNERS)
    crawford, optional = "whether the match has the Crawford game", argparse.BooleanOptionalAction
    parser.add_argument("--crawford", action=optional, help=crawford)
    parser.flag("--after-crawford", "it has been played")
    parser.flag("--jacoby", "by the Jacoby rule")
    parser.add_json()
    return parser


_SCORED = re.compile(
    r"[-A-Oa-o]{26}:|[A-Za-z0-9+/]{14}(?::|.*match)|[WBN]\d[NO]:|\b[a-z]+=\S", re.I
)
"""A position with its match: an ID or Spotter's own words."""


def posed(
    args: argparse.Namespace, equipment: Equipment, games: Compendium
) -> tuple[Situation, Roll | None]:
    """What the words and the options ask about; an ID has its own match. Raises RulesError."""
    game, text = equipment.rules, " ".join(args.words).strip()
    if not _SCORED.search(text):
        position, roll = _read(game, text.split())
        return Situation(position, *_match(args, game)), roll
    problem = (equipment.ids and equipment.ids.read(text)) or games.problem(
        text if text.startswith(f"{game.name} ") else f"{game.name} {text}"
    )
    given = [name for name in _OF_MATCH if getattr(args, name) != _OF_MATCH[name]]
    if given:
        option = given[0].replace("_", "-")
        raise UsageError(f"--{option}: the position says its match itself; leave the option out")
    start = Start(Us(0), game.name, "", problem.match_to, ("", ""), problem.agreed)
    question = question_at(start, games.rules)
    return question.situation, question.roll


_OF_MATCH: Mapping[str, object] = {
    "match_to": None,
    "score": "0-0",
    "cube": None,
    "owner": "nobody",
    "crawford": None,
    "after_crawford": False,
    "jacoby": False,
}
"""The options that tell a match, with what they are if they are not given."""


def _read(game: AnyGame, words: list[str]) -> tuple[Any, Roll | None]:
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
    _check_match(args, one_away=one_away, crawford_game=now)
    cube = Cube(args.cube or 1, OWNERS[args.owner])
    return agreement, Standing(score, cube, 1, now, args.after_crawford)


def _check_match(args: argparse.Namespace, *, one_away: bool, crawford_game: bool) -> None:
    """Raises UsageError for options that contradict each other."""
    stake, in_match = args.cube or 1, args.match_to is not None
    crawford = {None: "", True: "--crawford", False: "--no-crawford"}[args.crawford]
    crawford = crawford or ("--after-crawford" if args.after_crawford else "")
    unlimited = "only unlimited play with a cube has this rule"
    for wrong, says in (
        (stake & (stake - 1), f"--cube {stake}: the stake is 1, 2, 4 or another power of two"),
        (
            OWNERS[args.owner] and stake == 1,
            f"--owner {args.owner}: add the stake of his cube, as --cube 2",
        ),
        (args.jacoby and in_match, f"--jacoby: {unlimited}"),
        (args.jacoby and args.cube is None, f"--jacoby: {unlimited}; add --cube 1"),
        (
            args.score != NO_SCORE and not in_match,
            f"--score {args.score}: only a match is judged by it; add --match-to",
        ),
        (
            crawford and not in_match,
            f"{crawford}: only a match has the Crawford game; add --match-to",
        ),
        (
            args.after_crawford and args.crawford is False,
            "--after-crawford: with --no-crawford there is no Crawford game",
        ),
        (
            args.after_crawford and not one_away,
            f"--after-crawford: nobody is one point away from {args.match_to}",
        ),
        (
            crawford_game and stake > 1,
            f"--cube {stake}: nobody doubles in the Crawford game; after it, add --after-crawford",
        ),
    ):
        if wrong:
            raise UsageError(says)


def _head(name: str, opinion: Opinion | CubeOpinion, *, in_match: bool) -> str:
    sure = "proven" if opinion.exact else "an estimate"
    if in_match and opinion.unit is Unit.POINTS:
        sure = "too far from the end: as in unlimited play"
    return f"{name} ({sure}), in {IN_UNIT[opinion.unit]}:"


def _opinion_lines(game: AnyGame, position: Any, opinion: Opinion | CubeOpinion) -> Iterator[str]:
    worth = partial(worth_of, opinion.unit)
    if isinstance(opinion, CubeOpinion):
        held, taken, passed = map(worth, (opinion.held, opinion.taken, opinion.passed))
        yield columns([("no double", held), ("double, take", taken), ("double, pass", passed)])
        double, take = "" if opinion.double else "no ", "take" if opinion.take else "pass"
        yield f"{double}double, {take}"
        if opinion.chances:
            yield columns([kinds_of(game, opinion.chances), shares_of(opinion.chances)])
        return
    best, left = opinion.plays[0], len(opinion.plays) - PLAYS_SHOWN
    plies = ("plies",) if best.plies is not None else ()
    kinds = kinds_of(game, best.chances) if best.chances else ()
    heads = [("", "", "worth", "cost", *plies, *kinds)] if plies or kinds else []
    rows = (
        (
            *(f"{n}.", ENGLISH.say(game.write_play(position, one.play)), worth(one.worth)),
            *(cost_of(worth, best.worth - one.worth), *(f"{one.plies}" for _ in plies)),
            *shares_of(one.chances),
        )
        for n, one in enumerate(opinion.plays[:PLAYS_SHOWN], start=1)
    )
    yield columns([*heads, *rows])
    if left > 0:
        yield f"and {left} more"


def worth_of(unit: Unit, worth: float) -> str:
    return f"{worth:.3%}" if unit is Unit.MATCH else f"{worth:+.5f}"


def kinds_of(game: AnyGame, chances: Chances) -> tuple[str, ...]:
    """What the game's wins are called, for the mover and for the other."""
    won, *more = [ENGLISH.say(name) for name in game.outcome_names.values()][: len(chances.won)]
    return (won, *more, "loss", *more)


def shares_of(chances: Chances | None) -> tuple[str, ...]:
    return tuple(f"{share:.1%}" for share in (*chances.won, *chances.lost)) if chances else ()


def cost_of(worth: Callable[[float], str], loss: float) -> str:
    return worth(-loss) if loss else ""


def _opinion(game: AnyGame, position: Any, opinion: Opinion | CubeOpinion) -> dict[str, object]:
    if isinstance(opinion, CubeOpinion):
        report = {"held": opinion.held, "taken": opinion.taken, "passed": opinion.passed}
        return {
            **report,
            "double": opinion.double,
            "take": opinion.take,
            **odds_of(opinion.chances),
        }
    best = opinion.plays[0].worth
    return {
        "plays": [
            {
                "play": game.write_play(position, one.play),
                "worth": one.worth,
                "cost": best - one.worth,
                "plies": one.plies,
                **odds_of(one.chances),
            }
            for one in opinion.plays
        ]
    }


def odds_of(chances: Chances | None) -> dict[str, object]:
    return asdict(chances) if chances else {}


MOST_GAMES = 10_000_000


def arena(argv: list[str], games: Compendium) -> int:
    """Print the first player's share with its interval; after Ctrl-C, for the games
    played so far."""
    parser = Parser("arena", "Let two engines play each other with alternating sides.")
    parser.add_game(games.rules)
    offers = (f"{game.rules.name}: {', '.join(game.contenders)}" for game in games.games)
    players = f"of {'; '.join(offers)}"
    parser.takes("--players", ("A", "B"), players, nargs=2, required=True)
    parser.takes("--games", "N", "default 1000", whole(1, MOST_GAMES), 1000)
    parser.takes("--seed", "S", "same seed, same games; default 1", default="1")
    parser.takes("--match-to", "N", "matches to N points, not games", whole(1, MOST_POINTS))
    parser.flag("--cube", "with the doubling cube")
    parser.add_json()
    args = parser.parse_args(argv)
    sample = Sample()
    try:
        _play(args, games.find(args.game), sample)
    finally:
        if sample.games:
            print(_as_json(args, sample) if args.json else _as_text(args, sample), flush=True)
    return Status.DONE


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
    report: dict[str, object] = {
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
        report["points_a_game"] = _interval(sample.mean_points)
    return json.dumps(report)


def _interval(interval: Interval) -> dict[str, float | None]:
    bounds = interval._asdict()
    return {name: None if value is None else round(value, 6) for name, value in bounds.items()}
