"""The page on which a player tells Spotter what stands on the board ("The board is right")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pi_app.base.values import dataclass
from pi_app.rules.contract import AnyGame, Series
from pi_app.rules.naming import name_spot
from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.screen.actions import (
    Screen,
    accept_position,
    change_mover,
    close,
    count_tray,
    leave_pose,
    pick,
    read_board,
    tap_spot,
    write,
)
from pi_app.screen.boards.marks import Marks
from pi_app.screen.canvas import (
    BUTTON,
    GAP,
    MARGIN,
    SEAM,
    Align,
    Look,
    Pen,
    Rect,
    Size,
    cross,
)
from pi_app.screen.face import Editing
from pi_app.screen.observability import unseen
from pi_app.screen.pages.parts import Choice, draw_choices, places_upwards
from pi_app.screen.pages.places import SMALL, play_places
from pi_app.screen.pieces import checker
from pi_app.screen.theme import BAND, IVORY, VERMILION, WARNING, WARNING_TEXT
from pi_app.screen.ui import Edit, Shown, TextField, Ui, edited_game
from pi_app.sensing.description import Place
from pi_app.user.agreement import player_names
from pi_app.words.sentences import SEMICOLONS, Listing, Sentence

TITLE = Sentence("Enter the position")
MOVES_NEXT = Sentence("{player} moves")
SO_IT_STANDS = Sentence("Use this position")
CANCEL = Sentence("Cancel")
AS_TEXT = Sentence("As text")
FROM_BOARD = Sentence("From the board")
_TOLD = Sentence("{reasons}")
IN_TRAY = Sentence("{side} {tray}:\u00a0{n}")
MOST_REASONS = 3
BRUSHES: tuple[Side | None, ...] = (Side.WHITE, Side.BLACK, None)


@dataclass(frozen=True, slots=True)
class _Bands:
    """The places on the page; on a wide screen everything else is beside the board."""

    title: Rect
    board: Rect
    words: Rect
    controls: Rect
    buttons: Rect


def draw_editor(canvas: Screen, shown: Shown, ui: Ui, edit: Edit) -> None:
    """Draw the position, and what changes it. `edit` is the open one of the screen's state."""
    game = edited_game(shown, edit)
    assert game
    editing, board = shown.faces[game.name].editing, shown.board_for(game.name)
    homes = tuple(_counted(board.places, editing.counted))
    ways, gap = tuple(_ways(shown, edit)), canvas.px(SEAM if canvas.large else GAP)
    width = play_places(canvas.size, large=canvas.large).words.w
    buttons = places_upwards(canvas, Rect(0, 0, width, 0), tuple(way.label for way in ways))
    labels = (_in_tray(spot, _side_name(game, side), edit) for spot, side in homes)
    middle = width - 2 * canvas.px(SMALL) - 2 * canvas.px(SEAM)
    high = max((canvas.px(BUTTON), *(canvas.height(one, middle, TRAY) for one in labels)))
    count = 1 + (1 if editing.brushes else len(homes))
    bands = _bands(canvas, count * high + (count - 1) * gap, -buttons[0].y)
    if bands.title.h:
        canvas.text(bands.title, TITLE(), Pen(Size.TEXT, IVORY, bold=True, lines=2))
    _board(canvas, bands.board, shown, edit, game)
    _words(canvas, bands.words, edit, editing)
    *rows, last = bands.controls.grid(1, count, gap)
    if editing.brushes:
        _brushes(canvas, rows[0].grid(len(BRUSHES), 1, canvas.px(6)), edit)
    for row, (spot, side) in zip(rows, homes, strict=False):
        _count(canvas, row, spot, side, _in_tray(spot, _side_name(game, side), edit))
    canvas.button(last, MOVES_NEXT(player=_mover(shown, ui, edit, game)), change_mover())
    below = Rect(bands.buttons.x, bands.buttons.y, width, bands.buttons.h)
    draw_choices(canvas, places_upwards(canvas, below, tuple(way.label for way in ways)), ways)


def _ways(shown: Shown, edit: Edit) -> Iterator[Choice]:
    yield Choice(CANCEL(), leave_pose() if edit.posed else close())
    if edit.posed:
        yield Choice(AS_TEXT(), write(TextField.POSITION))
        yield Choice(FROM_BOARD(), read_board() if shown.inspected or shown.view else None)
    yield Choice(SO_IT_STANDS(), accept_position(), Look.MAIN)


def _side_name(game: AnyGame, side: Side) -> str:
    return game.side_names[side is Side.BLACK]


def _mover(shown: Shown, ui: Ui, edit: Edit, game: AnyGame) -> str:
    """The name of the player who moves next."""
    if shown.view and not edit.posed:
        return shown.view.player(edit.mover)
    return player_names(ui.form, Series.of(game))[edit.mover is Side.BLACK]


def _bands(canvas: Screen, controls: int, buttons: int) -> _Bands:
    """Return the places with controls and buttons of these heights in pixels."""
    px, large = canvas.px, canvas.large
    gap = px(SEAM if large else GAP)
    if canvas.upright:
        room = Rect(0, 0, *canvas.size).inset(px(MARGIN), gap)
        title, words = px(44 if large else 40), px(165 if large else 80)
        board = room.h - title - words - controls - buttons - 4 * gap
        return _Bands(*room.rows((title, board, words, controls, buttons), gap))
    beside = play_places(canvas.size, large=large)
    column = beside.column
    if large:  # What to do stands there instead of a title.
        heights = column.h - controls - buttons - 2 * gap, controls, buttons
        return _Bands(column.upper(0), beside.board, *column.rows(heights, gap))
    title = px(50)
    words = column.h - title - controls - buttons - 3 * gap
    head, *below = column.rows((title, words, controls, buttons), gap)
    return _Bands(head, beside.board, *below)


def reasons_words(reasons: tuple[str, ...], most: int = MOST_REASONS) -> str:
    """The reasons in one sentence; only the first few of many, because fixing them fixes others."""
    return _TOLD(reasons=Listing(reasons, SEMICOLONS, most)) if reasons else ""


def _words(canvas: Screen, rect: Rect, edit: Edit, editing: Editing) -> None:
    room = canvas.card(rect, 2, WARNING if edit.reasons else BAND)
    pen = Pen(Size.TEXT, WARNING_TEXT if edit.reasons else IVORY, lines=20)
    small = replace(pen, size=Size.SMALL)
    told = (reasons_words(edit.reasons, most) for most in range(MOST_REASONS, 0, -1))
    fits = (one for one in told if canvas.height(one, room.w, small) <= room.h)
    text = next(fits, reasons_words(edit.reasons, 1)) if edit.reasons else editing.how()
    canvas.text(room, text, pen)


def _board(canvas: Screen, rect: Rect, shown: Shown, edit: Edit, game: AnyGame) -> None:
    blind = unseen(shown.view) if shown.view and not edit.posed else {}
    marks = Marks(edit.checkers, edit.checkers, unseen=blind)
    face = shown.faces[game.name]
    drawn = face.draw(canvas, rect, shown.board_for(game.name), marks, turned=shown.turned)
    for spot in face.editing.spots(game):
        canvas.touch(drawn.spots[spot], tap_spot(spot))


def _brushes(canvas: Screen, cells: tuple[Rect, ...], edit: Edit) -> None:
    """Draw the buttons that choose whose checkers a tap adds, and a cross to remove checkers."""
    for cell, brush in zip(cells, BRUSHES, strict=True):
        canvas.frame(cell, Look.MAIN if brush is edit.brush else Look.PLAIN)
        r = canvas.px(17)
        if brush:
            canvas.add(*checker(cell.centre, r, brush))
        else:
            canvas.add(*cross(cell.centre, r * 7 // 10, VERMILION, canvas.px(5)))
        canvas.touch(cell, pick(brush))


def _counted(places: tuple[Place, ...], tray: SpotKind | None) -> Iterator[tuple[Spot, Side]]:
    for place in places:
        if place.spot.kind is tray and place.spot.side:
            yield place.spot, place.spot.side


TRAY = Pen(Size.TEXT, IVORY, align=Align.CENTRE, lines=2)


def _in_tray(spot: Spot, name: str, edit: Edit) -> str:
    return IN_TRAY(side=name, tray=name_spot(spot), n=len(edit.checkers.get(spot, ())))


def _count(canvas: Screen, rect: Rect, spot: Spot, side: Side, label: str) -> None:
    key, gap = canvas.px(SMALL), canvas.px(SEAM)
    less, middle, more = rect.columns((key, rect.w - 2 * key - 2 * gap, key), gap)
    canvas.button(less, "−", count_tray(spot, side, -1))
    canvas.text(middle, label, TRAY)
    canvas.button(more, "+", count_tray(spot, side, 1))
