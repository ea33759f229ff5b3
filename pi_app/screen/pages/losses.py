"""A decision's loss in words: in a replay, in an analysis, in a hint."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.coach.study import Judged, Lesson, Mark, mark_of
from pi_app.players.contract import Unit
from pi_app.referee.decision import What
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import name_roll
from pi_app.screen.shelf import OpenMatch
from pi_app.words.sentences import Sentence

IN_POINTS = Sentence("{number} points")
OF_THE_MATCH = Sentence("{number}\u00a0% of the match")
IN_MARKS = Sentence("{number} on its own scale")
NO_COACH = Sentence("No hints for this game")
NO_LOSS = Sentence("Best play")
LOST = Sentence("−{amount} · best {best}")
BLUNDERED = Sentence("Blunder −{amount} · best {best}")
ERRED = Sentence("Error −{amount} · best {best}")
DOUBTED = Sentence("Doubtful −{amount} · best {best}")
ROLLED_AND_PLAYED = Sentence("{roll}: {play}")
DID: Mapping[What, Sentence] = MappingProxyType(
    {
        What.ROLL: Sentence("no double"),
        What.DOUBLE: Sentence("double"),
        What.TAKE: Sentence("take"),
        What.PASS: Sentence("pass"),
    }
)
MARKS: Mapping[Mark, Sentence] = MappingProxyType(
    {
        Mark.DOUBTFUL: Sentence("doubtful"),
        Mark.ERROR: Sentence("error"),
        Mark.BLUNDER: Sentence("blunder"),
    }
)
_TOLD: Mapping[Mark, Sentence] = MappingProxyType(
    {Mark.GOOD: LOST, Mark.DOUBTFUL: DOUBTED, Mark.ERROR: ERRED, Mark.BLUNDER: BLUNDERED}
)


def amount_of(unit: Unit, amount: float, *, signed: bool = False) -> str:
    """A number of points at the stake, of the chance of the match in per cent, or of marks."""
    if unit is Unit.SCORE:
        return IN_MARKS(number=f"{amount:.1f}")
    number = f"{100 * amount:+.1f}" if unit is Unit.MATCH else f"{amount:+.3f}"
    number = (number if signed else number.lstrip("+-")).replace("-", "−")
    return OF_THE_MATCH(number=number) if unit is Unit.MATCH else IN_POINTS(number=number)


def short_of(unit: Unit, amount: float) -> str:
    """The same in few letters."""
    return f"{100 * amount:.1f}\u00a0%" if unit is Unit.MATCH else f"{amount:.3f}"


def made_of(game: AnyGame, judged: Judged) -> str:
    moment = judged.moment
    if moment.what is not What.PLAY:
        return DID[moment.what]()
    play = game.write_play(moment.play)
    roll = moment.question.roll
    if roll and roll.dice:
        return ROLLED_AND_PLAYED(roll=name_roll(str(roll)), play=play)
    return play


def best_of(game: AnyGame, judged: Judged) -> str:
    if judged.best:
        return game.write_play(judged.best[0])
    return DID[judged.right]() if judged.right else ""


def judged_at(opened: OpenMatch, number: int, lesson: Lesson | None) -> tuple[Judged, ...]:
    """What was decided on a leaf of the match that the coach has judged, the dearest first."""
    if lesson is None or lesson.analysis is None or lesson.match != opened.match.number:
        return ()
    found = (
        judged
        for judged in lesson.analysis.judged
        if judged.decided and leaf_of(opened, judged) == number
    )
    return tuple(sorted(found, key=lambda one: -one.loss))


def leaf_of(opened: OpenMatch, judged: Judged) -> int:
    """The number of a decision's leaf; a roll has that of its play."""
    wanted = judged.moment.number
    numbers = (n for n, leaf in enumerate(opened.leaves) if leaf.decision >= wanted)
    return next(numbers, len(opened.leaves) - 1)


def told_of(opened: OpenMatch, judged: Judged) -> str:
    game = opened.board.games[opened.game]
    if judged.loss < TINY:
        return NO_LOSS()
    best = best_of(game, judged)
    return _TOLD[mark_of(judged)](amount=amount_of(judged.unit, judged.loss), best=best)


TINY = 1e-9
"""A loss below it is a rounding."""
