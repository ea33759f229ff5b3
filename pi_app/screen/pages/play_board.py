"""The board of the play page, with the dice on it, the offered cube, and how the game ended."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.match.turns import OVER, Phase
from pi_app.microseconds import ENDLESS, Us, ms
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action, types_now
from pi_app.screen.boards.marks import marks_of
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.header import draw_cube, won_by
from pi_app.screen.pieces import SIGN, TUMBLE, die, tumbling
from pi_app.screen.shapes import Align, Box, Rect
from pi_app.screen.theme import AMBER, GROUND, IVORY
from pi_app.screen.ui import Shown, Ui
from pi_app.sensing.reading import BoardState
from pi_app.words.sentences import Sentence

ARC = ms(300)
WINS = Sentence("{player} wins")


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die, whose it is, the sign before it, and whether it has been played."""

    face: int
    side: Side
    sign: str = ""
    used: bool = False


def draw_board(
    canvas: Canvas[Action], rect: Rect, shown: Shown, ui: Ui, view: View, now: Us
) -> None:
    moves = view.moves and view.board is not BoardState.CHOOSE
    age = _age(shown, ui.motion.moved_at, now) if moves else ARC
    canvas.moving = canvas.moving or age < ARC
    candidate = min(ui.first_choice, max(len(view.choices) - 1, 0))
    marks = marks_of(view, min(1.0, max(0.1, age / ARC)), candidate)
    drawn = shown.faces[view.game].draw(canvas, rect, shown.board, marks, turned=shown.turned)
    if view.phase in OVER:
        _banner(canvas, drawn.band, view)
    elif view.cube.offered:
        draw_cube(canvas, drawn.dice, 2 * view.cube.value, offered=True)
    elif ui.dice and types_now(shown, view):
        draw_dice(canvas, drawn.dice, tuple(Thrown(face, view.to_act) for face in ui.dice), Us(0))
    else:
        # Dice that players have typed lie on the table already.
        age = ENDLESS if view.typed else _age(shown, ui.motion.rolled_at, now)
        draw_dice(canvas, drawn.dice, faces(view), age)


def _age(shown: Shown, since: Us, now: Us) -> Us:
    """The time since then; without animations everything was long ago."""
    return Us(now - since) if shown.settings.screen.animations else ENDLESS


def faces(view: View) -> tuple[Thrown, ...]:
    """The dice to show: those of the opening throw with what comes of them, or the roll's."""
    throw = tuple(Thrown(face, side) for side, face in view.thrown)
    answering = view.phase is Phase.RESIGNATION_OFFERED
    mover = view.to_act.other if answering else view.to_act
    if not view.roll:
        return throw
    rolled = [int(face) for face in view.roll]
    if len(throw) == 2 and len(rolled) == 1:
        first, second = sorted(throw, key=lambda one: -one.face)
        sum_up = Thrown(rolled[0], mover, "=", used=_is_used(view, rolled, 0))
        return first, Thrown(second.face, second.side, "−"), sum_up
    opened = sorted(one.face for one in throw) == sorted(rolled)
    sides = {one.face: one.side for one in throw} if opened else {}
    return tuple(
        Thrown(face, sides.get(face, mover), used=_is_used(view, rolled, index))
        for index, face in enumerate(rolled)
    )


def _is_used(view: View, rolled: list[int], index: int) -> bool:
    """Whether a die is used up; in a doublet each counts twice."""
    left, face = list(view.dice_left), rolled[index]
    if view.phase is not Phase.MOVING:
        return False
    if len(set(rolled)) < len(rolled):
        return len(left) <= 2 * (len(rolled) - 1 - index)
    return face not in left


def draw_dice(canvas: Canvas[Action], place: Rect, thrown: tuple[Thrown, ...], age: Us) -> None:
    """Dice in a row in the middle of their place, signs between them."""
    canvas.moving = canvas.moving or (bool(thrown) and 0 <= age < TUMBLE)
    gaps = [canvas.px(SIGN if one.sign else 8) if index else 0 for index, one in enumerate(thrown)]
    x = place.centre[0] - (sum(gaps) + place.w * len(thrown)) // 2
    for one, gap in zip(thrown, gaps, strict=True):
        if one.sign:
            room = Rect(x, place.y, gap, place.h)
            canvas.text(room, one.sign, Pen(26, IVORY, bold=True, align=Align.CENTRE))
        x += gap
        rect, shows = tumbling(Rect(x, place.y, place.w, place.h), one.face, age)
        canvas.add(*die(rect, shows, one.side, dimmed=one.used))
        x += place.w


def _banner(canvas: Canvas[Action], band: Rect, view: View) -> None:
    """The game's result in large letters over the final board."""
    winner = won_by(view)
    text = view.how or (WINS(player=view.player(winner)) if winner else None)
    if text is None:
        return
    rect = band.inset(canvas.px(10), 0)
    canvas.add(Box(rect, GROUND, canvas.px(12), AMBER, canvas.px(3)))
    pen = Pen(44, IVORY, bold=True, align=Align.CENTRE, lines=2, least=19)
    canvas.text(rect.inset(canvas.px(14), canvas.px(4)), text, pen)
