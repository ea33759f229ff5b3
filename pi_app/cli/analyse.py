"""`spotter analyse NUMBER` or `FILE.mat`: what each decision of a match cost, blunders first.

It is reckoned anew each time: Nannon's takes seconds, and a better player may be there tomorrow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pi_app.cli.arguments import Parser, UsageError
from pi_app.cli.ending import Progress, Status
from pi_app.cli.export import MOST_NUMBER
from pi_app.coach.study import (
    MARKED_FROM,
    RATING,
    Analysis,
    Errors,
    Judged,
    Mark,
    Study,
    blunders_first,
    errors_of,
    mark_of,
)
from pi_app.errors import FailedError
from pi_app.export.mat import MatError
from pi_app.export.retold import Kept
from pi_app.files import read_text, why
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, data_folder
from pi_app.players.contract import Player, Unit
from pi_app.referee.decision import What
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side
from pi_app.words.sentences import ENGLISH
from pi_app.words.texts import columns, quoted

MOST_SHOWN = 20
COUNTED = {Unit.POINTS: "points at the stake", Unit.MATCH: "chance of the match"}
DID = {
    What.PLAY: "played",
    What.ROLL: "rolled without a double",
    What.DOUBLE: "doubled",
    What.TAKE: "took",
    What.PASS: "passed",
}


class NothingToJudgeError(FailedError):
    """The match holds no decision yet."""


def run(argv: list[str], games: Compendium) -> int:
    args = _parser().parse_args(argv)
    kept = _kept(args.match, games)
    equipment = games.find(kept.start.game)
    contender = equipment.contender(args.player) if args.player else equipment.adviser
    study = Study(contender.name, kept, with_luck=True if args.luck else None)
    if not study.moments:
        raise NothingToJudgeError(f"{args.match}: nobody has decided anything in this match yet")
    _ask(study, contender.make(kept.game))
    analysis = study.analysis()
    if args.json:
        print(json.dumps(_told(kept, analysis)))
    else:
        print("\n".join(_lines(kept, analysis, contender.says, every=args.all)))
    return Status.DONE


def _parser() -> Parser:
    parser = Parser("analyse", "Say what each play and each use of the cube cost, blunders first.")
    parser.add_argument(
        "match", metavar="NUMBER|FILE.mat", help="as `spotter matches` shows it; or a file"
    )
    parser.add_argument("--player", metavar="NAME", help="who judges; by default the strongest")
    parser.add_argument(
        "--luck",
        action="store_true",
        help="the luck of the dice, of players that are not exact too",
    )
    parser.add_argument(
        "--all", action="store_true", help=f"every loss, not only the {MOST_SHOWN} dearest"
    )
    parser.add_argument("--json", action="store_true", help="print one object of JSON")
    return parser


def _kept(match: str, games: Compendium) -> Kept:
    """Load the match from the journal or a `.mat` file. Errors name the match."""
    if not (match.isascii() and match.isdecimal()):
        return _of_file(Path(match), games)
    if not 1 <= int(match) <= MOST_NUMBER:
        raise UsageError(f"{quoted(match)} is no number of a match")
    with closing(Archive(data_folder() / FILE)) as archive:
        begun = archive.match(int(match))
        return Kept(begun.start, tuple(archive.decisions(begun.number)), games.rules)


def _of_file(file: Path, games: Compendium) -> Kept:
    (reader,) = (form.read for game in games.games for form in game.forms if form.read)
    try:
        return reader(_text_of(file), games.rules)
    except MatError as error:
        raise MatError(f"{file}: {error}") from None
    except (OSError, ValueError) as error:
        raise MatError(
            f"{file}: {why(error)}; give the number of a match, or a .mat file"
        ) from None


def _text_of(file: Path) -> str:
    """Decode UTF-8, or Windows-1252 where names need it."""
    try:
        return read_text(file)
    except UnicodeDecodeError:
        return file.read_bytes().decode("cp1252", "replace")


def _ask(study: Study, player: Player) -> None:
    with Progress(study.total, "questions answered") as progress:
        while question := study.question:
            study.answer(question.put(player))
            progress.tell(study.total - study.left, study.total)


# As text


def _lines(kept: Kept, analysis: Analysis, says: str, *, every: bool) -> Iterator[str]:
    white, black = kept.start.players
    yield f"{white} – {black}, judged by {analysis.player}"
    # A proof needs no other word for how good it is.
    yield f"({says})" if not analysis.exact else f"({says}; proven)"
    yield ""
    yield from _table(kept, analysis)
    lost = blunders_first(analysis)
    shown = lost if every else lost[:MOST_SHOWN]
    if shown:
        rows = [_row(kept, judged) for judged in shown]
        yield ""
        yield columns([("", "loss", "equity", "game", "turn", "who", "what", "best"), *rows])
    if len(lost) > len(shown):
        yield f"and {len(lost) - len(shown)} more; --all shows them"
    yield ""
    yield from _legend(analysis)


def _table(kept: Kept, analysis: Analysis) -> Iterator[str]:
    heads = ("", "decisions", "doubtful", "errors", "blunders", "lost", "equity", "rating", "luck")
    rows = [
        (
            kept.start.players[side is Side.BLACK],
            str(errors.decisions),
            str(errors.doubtful),
            str(errors.errors),
            str(errors.blunders),
            _amount(errors.unit, errors.loss),
            _equity(errors.equity),
            "–" if errors.rating is None else f"{errors.rating:.2f}",
            "–" if errors.luck is None else _amount(errors.unit, errors.luck, sign=True),
        )
        for side, each in errors_of(analysis).items()
        for errors in each
    ]
    yield columns([heads, *rows])


def _row(kept: Kept, judged: Judged) -> tuple[str, ...]:
    moment, mark = judged.moment, mark_of(judged)
    return (
        "" if mark is Mark.GOOD else mark.value,
        _amount(judged.unit, judged.loss),
        _equity(judged.equity),
        str(moment.game),
        str(moment.turn),
        kept.start.players[moment.side is Side.BLACK],
        made_of(kept.game, judged),
        best_of(kept.game, judged),
    )


def made_of(game: AnyGame, judged: Judged) -> str:
    moment = judged.moment
    if moment.what is not What.PLAY:
        return DID[moment.what]
    roll = moment.question.roll
    play = ENGLISH.say(game.write_play(moment.play))
    return f"{roll}: {play}" if roll and roll.dice else play


def best_of(game: AnyGame, judged: Judged) -> str:
    if judged.best:
        return ENGLISH.say(game.write_play(judged.best[0]))
    return DID[judged.right] if judged.right else ""


def _amount(unit: Unit, amount: float, *, sign: bool = False) -> str:
    if unit is Unit.MATCH:
        return f"{amount:+.3%}" if sign else f"{amount:.3%}"
    return f"{amount:+.4f}" if sign else f"{amount:.4f}"


def _equity(equity: float | None) -> str:
    return "–" if equity is None else f"{equity:.4f}"


def _legend(analysis: Analysis) -> Iterator[str]:
    for unit in dict.fromkeys(judged.unit for judged in analysis.judged):
        yield f"Losses in {COUNTED[unit]}, and in normalised equity: points of a plain game."
    marks = (f"{least:g} {mark.value}" for mark, least in MARKED_FROM.items())
    yield f"A decision that costs more equity than {', '.join(marks)}."
    yield f"The rating is the mean loss of equity times {RATING}; 0 is the best."
    yield "Forced plays, and rolls where nobody would think of a double, are no decisions."
    if analysis.unjudged:
        yield f"{analysis.player} knows nothing of cubes: {analysis.unjudged} of them not judged."
    if analysis.luck is not None:
        yield "Luck is what a roll was better than the mean of all; opening throws have none."


# As JSON


def _told(kept: Kept, analysis: Analysis) -> dict[str, object]:
    return {
        "game": kept.start.game,
        "match_to": kept.start.match_to,
        "judge": analysis.player,
        "exact": analysis.exact,
        "unjudged": analysis.unjudged,
        "players": [
            {"side": side.value, "name": name, "figures": list(map(_figures, each))}
            for (side, each), name in zip(
                errors_of(analysis).items(), kept.start.players, strict=True
            )
        ],
        "decisions": [_decision(kept.game, judged) for judged in analysis.judged],
    }


def _figures(errors: Errors) -> dict[str, object]:
    return {
        "unit": errors.unit.value,
        "decisions": errors.decisions,
        "doubtful": errors.doubtful,
        "errors": errors.errors,
        "blunders": errors.blunders,
        "lost": errors.loss,
        "equity": errors.equity,
        "rating": errors.rating,
        "luck": errors.luck,
    }


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
    }
