"""What a decision cost, in words: in a replay, in an analysis, in a hint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from pi_app.base.microseconds import ENDLESS
from pi_app.coach.rollout import Rollout
from pi_app.coach.study import (
    ErrorKind,
    Errors,
    Grade,
    Hinted,
    Judged,
    Lesson,
    Mark,
    grade_of,
    mark_of,
)
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.players.contract import Chances, CubeOpinion, Opinion, Rated, Unit
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import name_roll
from pi_app.rules.terms import Move
from pi_app.screen import icons
from pi_app.screen.actions import (
    Screen,
    begin_training,
    close,
    roll_out,
    show_hinted,
    show_training,
)
from pi_app.screen.boards.marks import Marks
from pi_app.screen.canvas import BUTTON, MARGIN, SEAM, Align, Look, Pen, Rect, Size, union
from pi_app.screen.pages.parts import (
    BACK,
    BACK_TO_MATCH,
    HINT,
    TRAINING,
    Choice,
    Listed,
    draw_list,
    draw_message,
    pair_in,
)
from pi_app.screen.pages.places import play_places
from pi_app.screen.pages.play import cube_of, draw_cube, draw_roll, first_to
from pi_app.screen.theme import AMBER, DIM, IVORY
from pi_app.screen.ui import OpenMatch, Shown, Ui, standing, title_of
from pi_app.words.numbers import decimal, near_day, per_cent, with_sign
from pi_app.words.sentences import DOTTED, Joint, Listing, Sentence, joined

IN_POINTS = Sentence("{number} points")
OF_THE_MATCH = Sentence("{number}\u00a0% of the match")
GIVE_OR_TAKE = Sentence("{number} ± {half}")
IN_MARKS = Sentence("{number} on its own scale")
PLAYED = Sentence("played")
NO_COACH = Sentence("No hints for this game")
NO_LOSS = Sentence("Best play")
BEST_WAS = Sentence("best {best}")
ROLLED_AND_PLAYED = Sentence("{roll}: {play}")
DID: Mapping[Act, Sentence] = {
    Act.ROLL: Sentence("no double"),
    Act.DOUBLE: Sentence("double"),
    Act.TAKE: Sentence("take"),
    Act.PASS: Sentence("pass"),
    Act.BEAVER: Sentence("beaver"),
}
MARKS: Mapping[Mark, Sentence] = {
    Mark.DOUBTFUL: Sentence("small error"),
    Mark.ERROR: Sentence("error"),
    Mark.BLUNDER: Sentence("blunder"),
}
COST: Mapping[Mark, Sentence] = {
    Mark.GOOD: Sentence("−{amount}"),
    Mark.DOUBTFUL: Sentence("Small error −{amount}"),
    Mark.ERROR: Sentence("Error −{amount}"),
    Mark.BLUNDER: Sentence("Blunder −{amount}"),
}


def amount_of(unit: Unit, amount: float, *, signed: bool = False, half: float | None = None) -> str:
    """Write a loss in its unit: points at the stake, per cent of winning the match, or an engine's
    marks. `half` is half of its interval."""
    if unit is Unit.SCORE:
        return IN_MARKS(number=decimal(amount, 1))
    number = number_of(unit, amount, signed=signed, half=half)
    return OF_THE_MATCH(number=number) if unit is Unit.MATCH else IN_POINTS(number=number)


def number_of(unit: Unit, amount: float, *, signed: bool = False, half: float | None = None) -> str:
    times, places = (100, 1) if unit is Unit.MATCH else (1, 3)
    value = times * amount
    number = with_sign(value, places) if signed else decimal(abs(value), places)
    if half is None:
        return number
    return GIVE_OR_TAKE(number=number, half=decimal(times * half, places))


def short_of(unit: Unit, amount: float) -> str:
    """The same in few letters."""
    return per_cent(amount, 1) if unit is Unit.MATCH else decimal(amount, 3)


def chances_of(chances: Chances | None) -> tuple[str, ...]:
    """How the game may end for the mover and for the other side, with gammons and backgammons, in
    per cent."""
    if chances is None:
        return ()
    (won, *more), (lost, *worse) = (
        [decimal(100 * share, 1) for share in kinds] for kinds in (chances.won, chances.lost)
    )
    return (
        WINS_MORE(won=won, more=Listing(tuple(more), SHARES)) if more else WINS(won=won),
        LOSES_MORE(lost=lost, more=Listing(tuple(worse), SHARES)) if worse else LOSES(lost=lost),
    )


def made_of(game: AnyGame, judged: Judged) -> str:
    moment = judged.moment
    if moment.what is not Act.PLAY:
        return DID[moment.what]()
    play = game.write_play(moment.question.situation.position, moment.play)
    roll = moment.question.roll
    if roll and roll.dice:
        return ROLLED_AND_PLAYED(roll=name_roll(str(roll)), play=play)
    return play


def best_of(game: AnyGame, judged: Judged) -> str:
    if judged.best:
        return game.write_play(judged.moment.question.situation.position, judged.best[0])
    return DID[judged.right]() if judged.right else ""


def judged_at(opened: OpenMatch, number: int, lesson: Lesson | None) -> tuple[Judged, ...]:
    """The decisions at one step of the match that the coach has judged, the costliest first."""
    if lesson is None or lesson.analysis is None or lesson.match != opened.match.number:
        return ()
    found = (
        judged
        for judged in lesson.analysis.judged
        if judged.decided and leaf_of(opened, judged) == number
    )
    return tuple(sorted(found, key=lambda one: -one.loss))


def leaf_of(opened: OpenMatch, judged: Judged) -> int:
    """The number of the step with this decision; a roll belongs to the step of its play."""
    wanted = judged.moment.number
    numbers = (n for n, leaf in enumerate(opened.leaves) if leaf.decision >= wanted)
    return next(numbers, len(opened.leaves) - 1)


def words_of(game: AnyGame, judged: Judged) -> str:
    """What a decision cost and what was best."""
    if judged.loss < TINY:
        return NO_LOSS()
    best = BEST_WAS(best=best_of(game, judged))
    return joined((cost_of(judged), best), DOTTED)


def cost_of(judged: Judged, *, short: bool = False) -> str:
    """ "Blunder −0.452 points", or without its unit."""
    amount = (short_of if short else amount_of)(judged.unit, judged.loss)
    return COST[mark_of(judged)](amount=amount)


GRADES: Mapping[Grade, Sentence] = {
    Grade.SUPERNATURAL: Sentence("supernatural"),
    Grade.WORLD_CLASS: Sentence("world class"),
    Grade.EXPERT: Sentence("expert"),
    Grade.ADVANCED: Sentence("advanced"),
    Grade.INTERMEDIATE: Sentence("intermediate"),
    Grade.CASUAL: Sentence("casual player"),
    Grade.BEGINNER: Sentence("beginner"),
}
KINDS: Mapping[ErrorKind, Sentence] = {
    ErrorKind.PLAY: Sentence("plays −{lost}"),
    ErrorKind.DOUBLE: Sentence("doubles −{lost}"),
    ErrorKind.TAKE: Sentence("takes −{lost}"),
}
RATED = Sentence("PR {rating}")


def rating_of(rating: float) -> str:
    """ "PR 7.4"; from 100 on decimals tell nothing more."""
    return RATED(rating=decimal(rating, 1 if rating < 100 else 0))


def rated_as(errors: Errors, *, graded: bool) -> tuple[str, ...]:
    """A player's rating; if its scale has names also what it is called."""
    if errors.rating is None:
        return ()
    rating = rating_of(errors.rating)
    return (rating, GRADES[grade_of(errors.rating)]()) if graded else (rating,)


TINY = 1e-9
"""A loss below this is a rounding error."""


LOCKED_IN_MATCH = Sentence(
    "Hints are off in matches. The settings change this from the next match on."
)
LOCKED = Sentence("Hints are off. The settings change this from the next match on.")
THINKING = Sentence("{player} is thinking")
SOLVED = Sentence("solved")
ESTIMATED = Sentence("{player}: estimate")
BEST = Sentence("best")
COSTS = COST[Mark.GOOD]
GAINS = Sentence("+{amount}")
WORTH_AND_LESS = Sentence("{worth} (−{amount})")
_NEXT_SHARE = Sentence("{first};\u00a0{next}")
SHARES = Joint(_NEXT_SHARE, _NEXT_SHARE, _NEXT_SHARE)
WINS = Sentence("wins\u00a0{won}\u00a0%")
WINS_MORE = Sentence("wins\u00a0{won}\u00a0%\u00a0({more})")
LOSES = Sentence("loses\u00a0{lost}\u00a0%")
LOSES_MORE = Sentence("loses\u00a0{lost}\u00a0%\u00a0({more})")
TAKE_IT = Sentence("{double}, {answer}")
NOTHING_KNOWN = Sentence("No cube advice from {player}")
MOST = 3
DEPTH = Sentence("1 ply", "{n} plies")
ROLL_OUT = Sentence("Roll out")
STOP_ROLLOUT = Sentence("Stop rollout")
ROLLED_OUT = Sentence("Rollout: 1 game", "Rollout: {n} games")
NO_ROLLOUT = Sentence("No rollout possible")
NO_GAMES_YET = Sentence("No games played yet")


def depth_of(rated: Rated) -> str:
    """How deeply a play was searched, empty if its player does not search by plies."""
    return "" if rated.plies is None else DEPTH(n=rated.plies)


def rolled_out(rollout: Rollout) -> str:
    """How far a rollout is."""
    if rollout.refused:
        return NO_ROLLOUT()
    if rollout.stopped and not rollout.lines:
        return NO_GAMES_YET()
    return ROLLED_OUT(n=rollout.games)


def roller_of(lesson: Lesson | None, game: str, rollout: Rollout | None) -> tuple[str, bool] | None:
    """The label of the button of a rollout, and whether it begins one; None if there is none."""
    if lesson is None or game not in lesson.played_on:
        return None
    if rollout and rollout.runs:
        return STOP_ROLLOUT(), False
    return None if rollout and rollout.games >= rollout.wanted else (ROLL_OUT(), True)


def draw_hint(canvas: Screen, shown: Shown, ui: Ui, view: View) -> None:
    places, seam = play_places(canvas.size, large=canvas.large), canvas.px(SEAM)
    hint, game = _hint(shown, view), shown.board.games[view.game]
    head, small = canvas.high(Size.HEAD), canvas.high(Size.SMALL)
    if canvas.upright:
        room = Rect(0, 0, *canvas.size).inset(canvas.px(MARGIN))
        below = MOST * _row_height(canvas) + (MOST - 1) * seam
        fixed = head, below, small, places.main.h
        rest = room.h - sum(fixed) - len(fixed) * seam
        heights = (fixed[0], rest, fixed[2], fixed[1], fixed[3])
        name, board, title, body, back = room.rows(heights, seam)
    else:
        column, board = places.column, places.board
        rest = column.h - head - small - places.main.h - 3 * seam
        name, title, body, back = column.rows((head, small, rest, places.main.h), seam)
    _board(canvas, board, shown, ui, view, hint)
    pen, dim = Pen(Size.HEAD, IVORY, bold=True), Pen(Size.SMALL, DIM, align=Align.RIGHT)
    canvas.text(name, HINT(), pen)
    if hint and hint.answered:
        wide = canvas.width(HINT(), pen) + canvas.px(8)
        beside = Rect(name.x + wide, name.y, name.w - wide, name.h)
        canvas.line(beside, canvas.first_to_fit(beside.w, dim, *_by(shown, view, hint), ""), dim)
    score = standing(view.players, view.score)
    longest = joined((score, first_to(view)), DOTTED)
    bare = f"{view.score.white} – {view.score.black}"
    dim = replace(dim, align=Align.LEFT)
    canvas.line(title, canvas.first_to_fit(title.w, dim, longest, score, bare), dim)
    _answer(canvas, body, shown, ui, view, game, hint)
    rolls = _rolls(shown, view, hint)
    if rolls:
        back, beside = back.columns((1, 1), seam)
        label, begins = rolls
        canvas.button(beside, label, roll_out(None, begins), icon=icons.die)
    canvas.button(back, BACK() if rolls else BACK_TO_MATCH(), close(), Look.MAIN, icon=icons.back)


def _rolls(shown: Shown, view: View, hint: Hinted | None) -> tuple[str, bool] | None:
    if hint is None or not isinstance(hint.answer, Opinion) or hint.answer.exact:
        return None
    if len(hint.answer.plays) == 1 or shown.lesson is None:
        return None
    return roller_of(shown.lesson, view.game, shown.lesson.rollout_of(hint.question))


def _row_height(canvas: Screen) -> int:
    """The height of a listed play: the play, and two lines for what it is worth."""
    return max(canvas.px(BUTTON), canvas.high(Size.TEXT, Size.SMALL, Size.SMALL) + canvas.px(6))


def _hint(shown: Shown, view: View) -> Hinted | None:
    hint = shown.lesson.hint if shown.lesson and shown.hints else None
    return hint if hint and hint.is_for(view) else None


def _by(shown: Shown, view: View, hint: Hinted) -> tuple[str, ...]:
    """Who answered, in two lengths."""
    player = title_of(shown, view.game, hint.player)
    if hint.answer is None:
        return (player,)
    if shown.lesson and (rollout := shown.lesson.rollout_of(hint.question)):
        return (rolled_out(rollout),)
    return judged_by(shown, view.game, hint.player, exact=hint.answer.exact), player


def judged_by(shown: Shown, game: str, player: str, *, exact: bool) -> str:
    """Whose judgement it is; a solved game needs nobody's."""
    return SOLVED() if exact else ESTIMATED(player=title_of(shown, game, player))


def _board(
    canvas: Screen, rect: Rect, shown: Shown, ui: Ui, view: View, hint: Hinted | None
) -> None:
    game = shown.board.games[view.game]
    moves: tuple[Move, ...] = ()
    if hint and isinstance(hint.answer, Opinion):
        plays = hint.answer.plays
        position = game.read_position(hint.position)
        moves = game.moves(position, plays[min(ui.hinted, len(plays) - 1)].play)
    cube = cube_of(view)
    marks = Marks(view.accepted, view.accepted, moves=moves, cube=cube, mover=view.to_act)
    drawn = shown.faces[view.game].draw(canvas, rect, shown.board, marks, turned=shown.turned)
    if cube and drawn.cube:
        draw_cube(canvas, drawn.cube, cube.number)
    draw_roll(canvas, drawn.dice, view, ENDLESS)


def _answer(
    canvas: Screen, rect: Rect, shown: Shown, ui: Ui, view: View, game: AnyGame, hint: Hinted | None
) -> None:
    if hint and isinstance(hint.answer, Opinion):
        rollout = shown.lesson.rollout_of(hint.question) if shown.lesson else None
        _plays(canvas, rect, ui, game, game.read_position(hint.position), hint.answer, rollout)
    elif hint and isinstance(hint.answer, CubeOpinion):
        rows = tuple(_ways(hint.answer))
        for number, (place, row) in enumerate(zip(_rows(canvas, rect), rows, strict=True)):
            odds = hint.answer.chances if number == 0 else None
            _row(canvas, place, row, odds, chosen=number == 0)
    else:
        words = _waiting(shown, view, hint)
        canvas.text(canvas.card(rect, 6), words, Pen(Size.TEXT, IVORY, align=Align.CENTRE, lines=7))


def _waiting(shown: Shown, view: View, hint: Hinted | None) -> str:
    if shown.lesson is None:
        return NO_COACH()
    if not shown.hints:
        return LOCKED() if view.match_to is None else LOCKED_IN_MATCH()
    if hint and hint.answered:
        return NOTHING_KNOWN(player=title_of(shown, view.game, hint.player))
    if shown.lesson.message:
        return shown.lesson.message
    return THINKING(player=title_of(shown, view.game, hint.player) if hint else "Spotter")


def _rows(canvas: Screen, rect: Rect) -> tuple[Rect, ...]:
    if canvas.upright:
        return rect.grid(1, MOST, canvas.px(SEAM))
    return rect.upper(3 * canvas.px(110)).grid(1, MOST, canvas.px(SEAM))


def _plays(
    canvas: Screen,
    rect: Rect,
    ui: Ui,
    game: AnyGame,
    position: Any,
    opinion: Opinion,
    rollout: Rollout | None,
) -> None:
    """List the best plays; once all are rolled out, by what came of them."""
    some = opinion.plays[:MOST]
    lines = rollout.lines if rollout and len(rollout.lines) == len(some) else ()
    for number, (place, rated) in enumerate(zip(_rows(canvas, rect), some, strict=False)):
        line = next((one for one in lines if one.play == rated.play), None)
        if line:
            text = _worth(opinion.unit, line.worth, lines[0].worth - line.worth, line.half)
        else:
            lost = 0.0 if rated.play in opinion.best else opinion.plays[0].worth - rated.worth
            text = _worth(opinion.unit, rated.worth, lost)
        words = game.write_play(position, rated.play), text
        chances = line.chances if line else rated.chances
        depth = "" if line else depth_of(rated)
        told = 1 if line else 2
        _row(canvas, place, words, chances, chosen=number == ui.hinted, depth=depth, told=told)
        canvas.touch(place, show_hinted(number))


def _worth(unit: Unit, worth: float, lost: float, half: float | None = None) -> str:
    """What a play is worth and costs; the best costs nothing."""
    words = amount_of(unit, worth, signed=unit is not Unit.MATCH, half=half)
    if not lost:
        return joined((words, BEST()), DOTTED)
    return WORTH_AND_LESS(worth=words, amount=short_of(unit, lost))


def _ways(cube: CubeOpinion) -> Iterator[tuple[str, str]]:
    """Yield the doubler's three choices, the best first, and what the others would cost him."""
    double, take, leave = DID[Act.DOUBLE](), DID[Act.TAKE](), DID[Act.PASS]()
    doubled = TAKE_IT(double=double, answer=take if cube.take else leave)
    other = TAKE_IT(double=double, answer=leave if cube.take else take)
    worths = [(doubled, min(cube.taken, cube.passed)), (DID[Act.ROLL](), cube.held)]
    worths.sort(key=lambda one: -one[1])
    most = worths[0][1]
    for words, worth in (*worths, (other, max(cube.taken, cube.passed))):
        if words is other:
            yield words, amount_of(cube.unit, worth, signed=True)
        elif worth == most:
            yield words, BEST()
        else:
            yield words, COSTS(amount=amount_of(cube.unit, most - worth))


def _row(
    canvas: Screen,
    rect: Rect,
    words: tuple[str, str],
    chances: Chances | None,
    *,
    chosen: bool,
    depth: str = "",
    told: int = 2,
) -> None:
    """Draw a play or what to do with the cube, what that is worth, and how the game will end: wins,
    and losses if 2 are `told`, one fewer in large text.

    `depth` stands beside it where there is room.
    """
    canvas.frame(rect, Look.PLAIN)
    if chosen:
        canvas.stripe(rect, AMBER)
    room, small = rect.inset(canvas.px(12), canvas.px(3)), Pen(Size.SMALL, DIM, lines=3)
    bold, odds = Pen(Size.TEXT, IVORY, bold=True, lines=4), chances_of(chances)
    odds = odds[: max(0, told - canvas.large)]
    text = joined((words[1], *odds), DOTTED)
    low = canvas.height(text, room.w, small)
    high = min(canvas.height(words[0], room.w, bold), room.h - low)
    above = Rect(room.x, room.y + (room.h - high - low) // 2, room.w, high)
    canvas.text(above, words[0], bold)
    wide = canvas.width(words[0], bold) + canvas.px(8) + canvas.width(depth, small)
    if depth and wide <= room.w:
        line = Rect(above.x, above.y, above.w, canvas.high(Size.TEXT))
        canvas.line(line, depth, Pen(Size.SMALL, DIM, align=Align.RIGHT))
    canvas.text(Rect(room.x, above.bottom, room.w, low), text, small)


DUE = Sentence("1 exercise due", "{n} exercises due")
NEXT_ON = Sentence("next: {day}")
IN_TRAINING = Sentence("{n} in training")
NO_EXERCISES = Sentence("No exercises yet. Analyse a match: its errors come here.")
AFTER_THE_MATCH = Sentence("Training begins after the match")
MOST_TRAINED = 5


def _day(due: str, today: str) -> str:
    return near_day(date.fromisoformat(due), date.fromisoformat(today or due))


def draw_training(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw the list of players with exercises, and how many are due."""
    costly = shown.settings.coach.costly
    every = shown.coached.training
    exercises = {name: every.of(name, shown.games, costly) for name in every.players}
    trained = [(name, some) for name, some in exercises.items() if some]
    plays = shown.view is not None and shown.view.phase is not Phase.MATCH_OVER
    back = Choice(BACK_TO_MATCH() if shown.view else BACK(), close(), icon=icons.back)
    note = shown.coached.trouble or (AFTER_THE_MATCH() if plays else "")
    high = canvas.high(Size.TEXT, Size.SMALL) + canvas.px(8)
    listed = Listed(show_training, ui.browsing.row, len(trained), MOST_TRAINED, high)
    _, places = draw_list(canvas, TRAINING(), note, (back,), listed)
    if not trained:
        draw_message(canvas, union(places), NO_EXERCISES())
    for place, (name, some) in zip(places, trained[listed.first :], strict=False):
        ready = len([one for one in some if one.due <= shown.today])
        first = min(one.due for one in some)
        due = DUE(n=ready) if ready else NEXT_ON(day=_day(first, shown.today))
        canvas.frame(place, Look.PLAIN)
        upper, lower = pair_in(canvas, place.inset(canvas.px(14), 0))
        canvas.text(upper, name, Pen(Size.TEXT, IVORY, bold=True))
        canvas.text(lower, joined((due, IN_TRAINING(n=len(some))), DOTTED), Pen(Size.SMALL, IVORY))
        if ready and not plays:
            canvas.stripe(place, AMBER)
            canvas.touch(place, begin_training(name))
