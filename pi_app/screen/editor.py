"""The board is right: a player tells what stands there."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.board.description import Place
from pi_app.referee.view import View
from pi_app.rules.terms import Side, Spot
from pi_app.screen.actions import Accept, Action, Close, CycleSpot, OtherMover, Stack
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.drawings import DRAWINGS
from pi_app.screen.layout import sheet_bands
from pi_app.screen.marks import Marks
from pi_app.screen.play import Choice
from pi_app.screen.shapes import Align, Box, Rect
from pi_app.screen.sheets import head, row_of_buttons
from pi_app.screen.theme import BAND, IVORY, WARNING, WARNING_TEXT
from pi_app.screen.ui import Edit, Shown

HOW = "Tap a spot until it shows what stands there."


def draw_editor(canvas: Canvas[Action], shown: Shown, edit: Edit, view: View) -> None:
    """The board to tap, the trays to count, who moves next."""
    bands, gap = sheet_bands(canvas.size), canvas.px(10)
    head(canvas, bands.title, "What stands on the board?")
    rows = 2 if canvas.upright else 1
    controls_height = canvas.px(54) * rows + gap * (rows - 1)
    controls = Rect(
        bands.body.x, bands.body.bottom - controls_height, bands.body.w, controls_height
    )
    words = Rect(controls.x, controls.y - gap - canvas.px(40), controls.w, canvas.px(40))
    room = words.y - gap - bands.body.y
    height = min(room, round(bands.body.w * 0.66))
    board = Rect(bands.body.x, bands.body.y + (room - height) // 2, bands.body.w, height)
    _board(canvas, board, shown, edit, view)
    canvas.add(Box(words, WARNING if edit.reasons else BAND, canvas.px(8)))
    text = "; ".join(edit.reasons) or HOW
    pen = Pen(17, WARNING_TEXT if edit.reasons else IVORY, lines=3)
    canvas.text(words.inset(canvas.px(12), canvas.px(2)), text, pen)
    _controls(canvas, controls, shown, edit, view)
    accept = Choice("That is how it stands", Accept(), Look.MAIN)
    row_of_buttons(canvas, bands.buttons, (Choice("Cancel", Close()), accept))


def _board(canvas: Canvas[Action], rect: Rect, shown: Shown, edit: Edit, view: View) -> None:
    marks = Marks(edit.checkers, edit.checkers)
    draw = DRAWINGS[view.game]
    drawn = draw(canvas, rect, shown.board, marks, turned=shown.settings.turned)
    sensed = {place.spot for place in shown.board.places if place.reeds}
    for spot in sensed:
        canvas.touch(drawn.spots[spot], CycleSpot(spot))


def _controls(canvas: Canvas[Action], rect: Rect, shown: Shown, edit: Edit, view: View) -> None:
    """A count for each HOME, and whose turn it is."""
    gap = canvas.px(10)
    homes = tuple(_homes(shown.board.places))
    if canvas.upright:
        upper, lower = rect.rows((1, 1), gap)
        cells = (*upper.grid(max(len(homes), 1), 1, gap)[: len(homes)], lower)
    else:
        cells = rect.columns((5,) * len(homes) + (4,), gap)
    for cell, (spot, side) in zip(cells, homes, strict=False):
        _count(canvas, cell, spot, side, len(edit.checkers.get(spot, ())))
    name = view.players[edit.mover is Side.BLACK]
    canvas.button(cells[-1], f"{name} moves", OtherMover())


def _homes(places: tuple[Place, ...]) -> Iterator[tuple[Spot, Side]]:
    """The trays that are counted by hand; what is missing then is in SAFETY."""
    for place in places:
        name, _, side = place.spot.partition(".")
        if name == "home" and not place.reeds:
            yield place.spot, Side(side)


def _count(canvas: Canvas[Action], rect: Rect, spot: Spot, side: Side, count: int) -> None:
    less, middle, more = rect.columns((5, 9, 5), canvas.px(4))
    canvas.button(less, "−", Stack(spot, side, -1))
    label = f"{side.value} home:\u00a0{count}".capitalize().replace("home", "HOME")
    canvas.text(middle, label, Pen(17, IVORY, bold=True, align=Align.CENTRE, lines=2))
    canvas.button(more, "+", Stack(spot, side, 1))
