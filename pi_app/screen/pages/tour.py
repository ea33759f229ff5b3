"""The tour of two minutes: what the board sees, the button, what is legal, and the ways out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Example, Side, read_roll
from pi_app.screen.actions import Action, EndTour
from pi_app.screen.boards.reeds import ReedMarks, draw_reeds
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.layout import sheet_bands
from pi_app.screen.pages.buttons import (
    BOARD_IS_RIGHT,
    DONE,
    RULES,
    SENSORS,
    SETTINGS_PAGE,
    SHOW_ME,
    TAKE_BACK,
    TURN_BOARD,
    Choice,
    row_of_buttons,
)
from pi_app.screen.pages.illustrated import draw_heading, draw_illustrated, turning
from pi_app.screen.pages.rules import draw_example, read_game
from pi_app.screen.pieces import cube_body, die
from pi_app.screen.shapes import Align, Box, Disc, Rect, arrow, square_in
from pi_app.screen.theme import AMBER, BAND, DIE_FACE, EDGE, INK, IVORY, TEAL, VERMILION, Colour
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.words.sentences import Sentence

LEAF_OF = Sentence("{number} of {all}")
SKIP = Sentence("Skip")

SEES = Sentence("Spotter watches your board")
SEES_HOW = Sentence(
    "Play on the real board. A sensor under each place feels the magnet in a checker."
)
SEES_NEED = Sentence("No typing.")
BUTTON = Sentence("One button")
PRESS_ROLLS = Sentence("Press it to roll. Press again to confirm your play.")
PRESS_ENDS = Sentence("Move, then press it to confirm.")
HOLD_DOUBLES = Sentence("To double, hold it for a second before you roll.")
LEGAL = Sentence("A legal play")
LEGAL_HOW = Sentence("Move in any order, slide, change your mind. Only the final position counts.")
LEGAL_PRESS = Sentence("Rings and arrows show it. Press to confirm.")
WRONG = Sentence("An illegal move")
WRONG_HOW = Sentence("Spotter names the rule and shows the way back.")
DIFFER = Sentence("Board and screen differ")
DIFFER_HOW = Sentence("Choose which is right.")
SHOWS_BACK = Sentence("leads you back to the position on the screen")
TAKES_BOARD = Sentence("takes the position on the board")
SMALL = Sentence("The small display")
SMALL_HOW = Sentence("It shows cube, score and roll from afar. A warning is inverted.")
SMALL_TURN, SMALL_WRONG = Sentence("{player} to move"), Sentence("Illegal")
FIRST_TO = Sentence("{points}-point match")
IN_MENU = Sentence("In the menu")
IN_MENU_HOW = Sentence("Undo a play, read the rules, check the sensors.")
AGAIN = Sentence("You find this tour there too.")

Draw: TypeAlias = Callable[[Canvas[Action], Rect, Shown, AnyGame], None]


@dataclass(frozen=True, slots=True)
class TourLeaf:
    """A title, what is told, a caption beside a bar of a colour, and the picture."""

    title: Sentence
    text: Sentence
    caption: str
    draw: Draw
    colour: Colour = AMBER


def leaves_for(game: AnyGame) -> tuple[TourLeaf, ...]:
    return tuple(_leaves(game))


def count_tour(shown: Shown, ui: Ui) -> int:
    return len(leaves_for(read_game(shown, ui)))


def _leaves(game: AnyGame) -> Iterator[TourLeaf]:
    yield TourLeaf(SEES, SEES_HOW, SEES_NEED(), _sensors)
    press = PRESS_ROLLS if game.dice else PRESS_ENDS
    yield TourLeaf(BUTTON, press, HOLD_DOUBLES() if game.has_cube else "", _button)
    yield TourLeaf(LEGAL, LEGAL_HOW, LEGAL_PRESS(), _legal, TEAL)
    yield TourLeaf(WRONG, WRONG_HOW, reason_of(game), _wrong, VERMILION)
    yield TourLeaf(DIFFER, DIFFER_HOW, "", _ways)
    yield TourLeaf(SMALL, SMALL_HOW, "", _displays)
    yield TourLeaf(IN_MENU, IN_MENU_HOW, AGAIN(), _menu)


def draw_tour(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    game, bands, mark = read_game(shown, ui), sheet_bands(canvas.size), ui.bookmark
    leaves = leaves_for(game)
    number = min(mark.leaf, len(leaves) - 1)
    leaf = leaves[number]
    draw_heading(canvas, bands.title, leaf.title(), LEAF_OF(number=number + 1, all=len(leaves)))
    place = draw_illustrated(canvas, bands.body, leaf.text(), leaf.caption, leaf.colour)
    leaf.draw(canvas, place, shown, game)
    turns = turning(Page.TOUR, mark, len(leaves), Choice(DONE(), EndTour(), Look.MAIN))
    skip = Choice(SKIP(), EndTour() if number + 1 < len(leaves) else None)
    row_of_buttons(canvas, bands.buttons, (skip, *turns))


def reason_of(game: AnyGame) -> str:
    example = _attempt(game)
    if example is None:
        return ""
    position = game.read_position(example.position)
    moves = game.moves(position, game.read_play(position, example.attempt))
    roll = read_roll(example.roll, game.dice if example.roll else 0)
    broken = game.explain(position, roll, moves)
    return broken.reason if broken else ""


def _play(game: AnyGame) -> Example | None:
    return next((one for one in game.sheet.examples if one.play), None)


def _attempt(game: AnyGame) -> Example | None:
    return next((one for one in game.sheet.examples if one.attempt), None)


# Pictures


def _sensors(canvas: Canvas[Action], rect: Rect, shown: Shown, game: AnyGame) -> None:
    board = shown.board_for(game.name)
    closed = board.closed_by(game.checkers_at(game.start(Side.WHITE)))
    draw_reeds(canvas, rect, board, ReedMarks(closed), turned=shown.turned)


def _legal(canvas: Canvas[Action], rect: Rect, shown: Shown, game: AnyGame) -> None:
    draw_example(canvas, rect, shown, game, _play(game))


def _wrong(canvas: Canvas[Action], rect: Rect, shown: Shown, game: AnyGame) -> None:
    draw_example(canvas, rect, shown, game, _attempt(game))


def _button(canvas: Canvas[Action], rect: Rect, _shown: Shown, game: AnyGame) -> None:
    """The button and, behind an arrow, the dice of a press and the cube of a long one."""
    _panel(canvas, rect)
    rows = rect.inset(canvas.px(16)).rows((1, 1) if game.has_cube else (1,), canvas.px(10))
    for row, held in zip(rows, (False, True), strict=False):
        pressed, way, comes = row.columns((3, 2, 4), canvas.px(8))
        _die_button(canvas, pressed, held=held)
        middle = way.centre[1]
        path = tuple((way.x + way.w * step / 8, float(middle)) for step in range(9))
        canvas.add(*arrow(path, IVORY, canvas.px(5)))
        if held:
            _cube(canvas, square_in(comes))
        elif game.dice:
            _dice(canvas, comes, game.dice)
        else:
            pen = Pen(25, IVORY, bold=True, align=Align.CENTRE)
            canvas.text(comes, DONE(), pen)


def _die_button(canvas: Canvas[Action], rect: Rect, *, held: bool) -> None:
    radius = min(rect.w, rect.h, canvas.px(130)) * 45 // 100
    canvas.add(Disc(rect.centre, radius, EDGE), Disc(rect.centre, radius * 8 // 10, AMBER))
    if held:
        pen = Pen(25, INK, bold=True, align=Align.CENTRE)
        canvas.text(square_in(rect), "1 s", pen)


def _dice(canvas: Canvas[Action], rect: Rect, count: int) -> None:
    side = min(canvas.px(64), rect.h * 7 // 10, rect.w * 45 // 100)
    gap = canvas.px(10)
    left = rect.centre[0] - (count * side + (count - 1) * gap) // 2
    for index in range(count):
        place = Rect(left + index * (side + gap), rect.centre[1] - side // 2, side, side)
        canvas.add(*die(place, 6 - 2 * index, Side.WHITE))


def _cube(canvas: Canvas[Action], rect: Rect) -> None:
    side = min(rect.w, canvas.px(90)) * 8 // 10
    place = Rect(rect.centre[0] - side // 2, rect.centre[1] - side // 2, side, side)
    canvas.add(*cube_body(place, offered=True))
    canvas.text(place, "2", Pen(38, INK, bold=True, align=Align.CENTRE))


def _ways(canvas: Canvas[Action], rect: Rect, _shown: Shown, _game: AnyGame) -> None:
    _panel(canvas, rect)
    ways = ((SHOW_ME(), SHOWS_BACK(), Look.MAIN), (BOARD_IS_RIGHT(), TAKES_BOARD(), Look.PLAIN))
    for row, (label, does, look) in zip(
        rect.inset(canvas.px(16)).grid(1, 2, canvas.px(14)), ways, strict=True
    ):
        button, words = row.rows((1, 1), canvas.px(6))
        _drawn_button(canvas, button, label, look)
        canvas.text(words, does, Pen(19, IVORY, align=Align.CENTRE, lines=3, least=19))


def _menu(canvas: Canvas[Action], rect: Rect, _shown: Shown, _game: AnyGame) -> None:
    _panel(canvas, rect)
    labels = (TAKE_BACK(), TURN_BOARD(), RULES(), SENSORS(), SETTINGS_PAGE())
    rows = rect.inset(canvas.px(16)).grid(1, len(labels), canvas.px(10))
    for row, label in zip(rows, labels, strict=True):
        _drawn_button(canvas, row, label, Look.PLAIN)


def _drawn_button(canvas: Canvas[Action], rect: Rect, label: str, look: Look) -> None:
    """A button without a label."""
    height = min(rect.h, canvas.px(54))
    place = Rect(rect.x, rect.centre[1] - height // 2, rect.w, height)
    canvas.frame(place, look)
    ink = INK if look is Look.MAIN else IVORY
    pen = Pen(19, ink, bold=True, align=Align.CENTRE, lines=2)
    canvas.text(place.inset(canvas.px(6), 0), label, pen)


def _displays(canvas: Canvas[Action], rect: Rect, _shown: Shown, game: AnyGame) -> None:
    """The OLED with a turn, and with a warning."""
    _panel(canvas, rect)
    for place, warns in zip(
        rect.inset(canvas.px(12)).grid(1, 2, canvas.px(12)), (False, True), strict=True
    ):
        height = min(place.h, place.w // 2)
        glass = Rect(place.centre[0] - height, place.centre[1] - height // 2, 2 * height, height)
        _oled(canvas, glass, game, warns=warns)


def _oled(canvas: Canvas[Action], glass: Rect, game: AnyGame, *, warns: bool) -> None:
    canvas.add(Box(glass, INK, canvas.px(6), EDGE, canvas.px(2)))
    upper, line = glass.inset(canvas.px(5)).rows((7, 3), 0)
    left, right = upper.columns((2, 3) if game.has_cube else (0, 1), 0)
    if game.has_cube:
        cube = square_in(left.inset(canvas.px(4)))
        canvas.add(Box(cube, INK, canvas.px(6), DIE_FACE, canvas.px(2)))
        canvas.text(cube, "64", Pen(44, DIE_FACE, bold=True, align=Align.CENTRE))
    score, target = right.rows((3, 2), 0)
    canvas.text(score, "1–0", Pen(44, DIE_FACE, bold=True, align=Align.CENTRE))
    words = FIRST_TO(points=game.match_length)
    canvas.text(target, words, Pen(19, DIE_FACE, align=Align.CENTRE))
    if warns:
        canvas.add(Box(line, DIE_FACE))
    said = SMALL_WRONG() if warns else SMALL_TURN(player=game.side_names[0])
    ink = INK if warns else DIE_FACE
    canvas.text(line, said, Pen(23, ink, bold=True, align=Align.CENTRE))


def _panel(canvas: Canvas[Action], rect: Rect) -> None:
    canvas.add(Box(rect, BAND, canvas.px(12)))
