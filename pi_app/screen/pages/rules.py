"""The rules of a game in its sheet's own words, a leaf each, with the positions that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from pi_app.microseconds import ENDLESS
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Example, Side, read_roll
from pi_app.screen.actions import Screen, close, end_tour, open_page, turn_to
from pi_app.screen.boards.marks import Marks
from pi_app.screen.boards.reeds import ReedMarks, draw_reeds
from pi_app.screen.canvas import (
    Align,
    Box,
    Disc,
    Look,
    Pen,
    Rect,
    Size,
    arrow,
    sheet_bands,
    square_in,
)
from pi_app.screen.pages.parts import (
    BACK,
    BACK_TO_MATCH,
    BOARD_IS_RIGHT,
    DONE,
    RULES,
    SENSORS,
    SETTINGS_PAGE,
    SHOW_ME,
    TAKE_BACK,
    TURN_BOARD,
    Choice,
    draw_around,
    row_of_buttons,
    turns,
)
from pi_app.screen.pages.play import Thrown, draw_dice
from pi_app.screen.pieces import cube_body, die
from pi_app.screen.theme import (
    AMBER,
    BAND,
    DIE_FACE,
    DIM,
    EDGE,
    INK,
    IVORY,
    TEAL,
    VERMILION,
    Colour,
)
from pi_app.screen.ui import Bookmark, Page, Shown, Ui, chosen_game
from pi_app.words.sentences import Sentence

NEXT, PREVIOUS = Sentence("Next"), Sentence("Previous")

SHARES = (0.34, 0.4, 0.46, 0.52, 0.6)
"""The share of the page for words beside a picture: the least that fits."""
SIZES = (Size.HEAD, Size.TEXT)
"""Words that matter are no smaller."""
MANY = 30
"""Lines: as many as there is room for."""
BAR, INSET = 6, 10
"""Units: a caption's bar, and the room around its words."""


def draw_illustrated(canvas: Screen, body: Rect, text: str, caption: str, colour: Colour) -> Rect:
    """A text, a caption below it beside a bar of this colour, and the place for their picture."""
    picture, words, size = next(_places(canvas, body, text, caption))
    height = _height(canvas, caption, words.w, size)
    room = Rect(words.x, words.y, words.w, words.h - height)
    top = min(room.h, canvas.height(text, room.w, _pen(size)))
    canvas.text(Rect(room.x, room.y, room.w, top), text, _pen(size))
    if caption:
        _caption(canvas, Rect(words.x, room.bottom, words.w, height), caption, _pen(size), colour)
    return picture


def draw_heading(canvas: Screen, rect: Rect, title: str, note: str) -> None:
    left, right = rect.columns((3, 1), canvas.px(10))
    canvas.text(left, title, Pen(Size.HEAD, IVORY, bold=True, lines=2, least=Size.TEXT))
    canvas.text(right, note, Pen(Size.SMALL, DIM, align=Align.RIGHT, lines=2))


def draw_words_alone(canvas: Screen, body: Rect, text: str) -> None:
    for pen in map(_pen, SIZES):
        height = canvas.height(text, body.w, pen)
        if height <= body.h:
            break
    canvas.text(Rect(body.x, body.y, body.w, min(body.h, height)), text, pen)


def turning(page: Page, mark: Bookmark, leaves: int, last: Choice | None) -> tuple[Choice, Choice]:
    """A leaf back and a leaf on, dimmed where there is none; `last` stands after the last leaf."""
    before, after = turns(lambda leaf: turn_to(page, leaf, mark.after), mark.leaf, 1, leaves)
    onward = Choice(NEXT(), after, Look.MAIN)
    return Choice(PREVIOUS(), before), onward if after or not last else last


def _places(
    canvas: Screen, body: Rect, text: str, caption: str
) -> Iterator[tuple[Rect, Rect, Size]]:
    """The picture's place, the words' and their size: what fits, else the most there is."""
    gap = canvas.px(14)
    ways = [(share, size) for share in SHARES for size in SIZES]
    if canvas.large:  # words stay as large as they can, whatever room that takes
        ways = [(share, size) for size in SIZES for share in SHARES]
    for share, size in ways:
        parts = (1 - share, share)
        picture, words = body.rows(parts, gap) if canvas.upright else body.columns(parts, gap)
        below = _height(canvas, caption, words.w, size)
        if canvas.height(text, words.w, _pen(size)) + canvas.px(INSET) + below <= words.h:
            yield picture, words, size
    yield picture, words, SIZES[-1]


def _height(canvas: Screen, caption: str, width: int, size: Size) -> int:
    if not caption:
        return 0
    room = width - canvas.px(BAR) - 2 * canvas.px(INSET)
    return canvas.height(caption, room, _pen(size)) + 2 * canvas.px(INSET)


def _caption(canvas: Screen, rect: Rect, text: str, pen: Pen, colour: Colour) -> None:
    bar, edge = canvas.px(BAR), canvas.px(INSET)
    canvas.add(Box(rect, BAND, canvas.px(8)))
    canvas.stripe(rect, colour)
    room = Rect(rect.x + bar, rect.y, rect.w - bar, rect.h).inset(edge)
    canvas.text(room, text, pen)


def _pen(size: Size) -> Pen:
    """The pen of a leaf's words, which never shrink."""
    return Pen(size, IVORY, lines=MANY, least=size)


RULE_OF = Sentence("Rule {number} of {all}")
NUMBERED = Sentence("{number}. {rule}")


@dataclass(frozen=True, slots=True)
class RuleLeaf:
    number: int
    example: Example | None


def read_game(shown: Shown, ui: Ui) -> AnyGame:
    """The game whose rules are read: that of the form when they were opened there."""
    if shown.view and ui.bookmark.after is None:
        return shown.board.games[shown.view.game]
    return chosen_game(ui.form, shown)


def leaves_of(game: AnyGame) -> tuple[RuleLeaf, ...]:
    """Every rule in its order, on a leaf for each position that shows it."""
    examples: dict[int, list[Example]] = {}
    for example in game.sheet.examples:
        examples.setdefault(example.number, []).append(example)
    return tuple(
        RuleLeaf(number, example)
        for number in range(1, len(game.sheet.rules) + 1)
        for example in examples.get(number, (None,))
    )


def count_rules(shown: Shown, ui: Ui) -> int:
    return len(leaves_of(read_game(shown, ui)))


def draw_rules(canvas: Screen, shown: Shown, ui: Ui) -> None:
    game, mark = read_game(shown, ui), ui.bookmark
    leaves, rules = leaves_of(game), game.sheet.rules
    leaf = leaves[min(mark.leaf, len(leaves) - 1)]
    back = Choice(BACK_TO_MATCH() if shown.view else BACK(), close())
    leave = Choice(BACK(), open_page(mark.after)) if mark.after else back
    ways = (leave, *turning(Page.RULES, mark, len(leaves), None))
    note = RULE_OF(number=leaf.number, all=len(rules))
    body = draw_around(canvas, game.title, note, ways)
    text = NUMBERED(number=leaf.number, rule=rules[leaf.number - 1]())
    if leaf.example:
        colour = VERMILION if leaf.example.attempt else TEAL if leaf.example.play else AMBER
        place = draw_illustrated(canvas, body, text, leaf.example.caption(), colour)
        draw_example(canvas, place, shown, game, leaf.example)
    else:
        draw_words_alone(canvas, body, text)


def draw_example(
    canvas: Screen, rect: Rect, shown: Shown, game: AnyGame, example: Example | None
) -> None:
    position = game.read_position(example.position) if example else game.start(Side.WHITE)
    marks = example_marks(game, example, position)
    board, turned = shown.board_for(game.name), shown.turned
    drawn = shown.faces[game.name].draw(canvas, rect, board, marks, turned=turned)
    faces = example.roll if example else ""
    thrown = tuple(Thrown(int(face), game.mover(position)) for face in faces)
    draw_dice(canvas, drawn.dice, thrown, ENDLESS)


def example_marks(game: AnyGame, example: Example | None, position: Any) -> Marks:
    """An example: a finished play, or an attempt with its fault."""
    before, mover = game.checkers_at(position), game.mover(position)
    if example and example.play:
        play = game.read_play(position, example.play)
        after = game.checkers_at(game.after(position, play))
        return Marks(after, before, moves=game.moves(position, play), mover=mover)
    if example and example.attempt:
        moves = game.moves(position, game.read_play(position, example.attempt))
        ends = tuple(move.target for move in moves)
        return Marks(before, before, moves=moves, clear=ends, wrong=True, mover=mover)
    return Marks(before, before, mover=mover)


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

Draw: TypeAlias = Callable[[Screen, Rect, Shown, AnyGame], None]


@dataclass(frozen=True, slots=True)
class TourLeaf:
    title: Sentence
    text: Sentence
    caption: str
    draw: Draw
    colour: Colour = AMBER


def leaves_for(game: AnyGame) -> tuple[TourLeaf, ...]:
    press = PRESS_ROLLS if game.dice else PRESS_ENDS
    return (
        TourLeaf(SEES, SEES_HOW, SEES_NEED(), _sensors),
        TourLeaf(BUTTON, press, HOLD_DOUBLES() if game.has_cube else "", _button),
        TourLeaf(LEGAL, LEGAL_HOW, LEGAL_PRESS(), _legal, TEAL),
        TourLeaf(WRONG, WRONG_HOW, reason_of(game), _wrong, VERMILION),
        TourLeaf(DIFFER, DIFFER_HOW, "", _ways),
        TourLeaf(SMALL, SMALL_HOW, "", _displays),
        TourLeaf(IN_MENU, IN_MENU_HOW, AGAIN(), _menu),
    )


def count_tour(shown: Shown, ui: Ui) -> int:
    return len(leaves_for(read_game(shown, ui)))


def draw_tour(canvas: Screen, shown: Shown, ui: Ui) -> None:
    game, bands, mark = read_game(shown, ui), sheet_bands(canvas.size), ui.bookmark
    leaves = leaves_for(game)
    number = min(mark.leaf, len(leaves) - 1)
    leaf = leaves[number]
    draw_heading(canvas, bands.title, leaf.title(), LEAF_OF(number=number + 1, all=len(leaves)))
    place = draw_illustrated(canvas, bands.body, leaf.text(), leaf.caption, leaf.colour)
    leaf.draw(canvas, place, shown, game)
    leaves_on = turning(Page.TOUR, mark, len(leaves), Choice(DONE(), end_tour(), Look.MAIN))
    skip = Choice(SKIP(), end_tour() if number + 1 < len(leaves) else None)
    row_of_buttons(canvas, bands.buttons, (skip, *leaves_on))


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


def _sensors(canvas: Screen, rect: Rect, shown: Shown, game: AnyGame) -> None:
    board = shown.board_for(game.name)
    closed = board.closed_by(game.checkers_at(game.start(Side.WHITE)))
    draw_reeds(canvas, rect, board, ReedMarks(closed), turned=shown.turned)


def _legal(canvas: Screen, rect: Rect, shown: Shown, game: AnyGame) -> None:
    draw_example(canvas, rect, shown, game, _play(game))


def _wrong(canvas: Screen, rect: Rect, shown: Shown, game: AnyGame) -> None:
    draw_example(canvas, rect, shown, game, _attempt(game))


def _button(canvas: Screen, rect: Rect, _shown: Shown, game: AnyGame) -> None:
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
            pen = Pen(Size.HEAD, IVORY, bold=True, align=Align.CENTRE)
            canvas.text(comes, DONE(), pen)


def _die_button(canvas: Screen, rect: Rect, *, held: bool) -> None:
    radius = min(rect.w, rect.h, canvas.px(130)) * 45 // 100
    canvas.add(Disc(rect.centre, radius, EDGE), Disc(rect.centre, radius * 8 // 10, AMBER))
    if held:
        canvas.text(square_in(rect), "1 s", Pen(Size.HEAD, INK, bold=True, align=Align.CENTRE))


def _dice(canvas: Screen, rect: Rect, count: int) -> None:
    side = min(canvas.px(64), rect.h * 7 // 10, rect.w * 45 // 100)
    gap = canvas.px(10)
    left = rect.centre[0] - (count * side + (count - 1) * gap) // 2
    for index in range(count):
        place = Rect(left + index * (side + gap), rect.centre[1] - side // 2, side, side)
        canvas.add(*die(place, 6 - 2 * index, Side.WHITE))


def _cube(canvas: Screen, rect: Rect) -> None:
    side = min(rect.w, canvas.px(90)) * 8 // 10
    place = Rect(rect.centre[0] - side // 2, rect.centre[1] - side // 2, side, side)
    canvas.add(*cube_body(place, offered=True))
    canvas.text(place, "2", Pen(Size.FIGURE, INK, bold=True, align=Align.CENTRE))


def _ways(canvas: Screen, rect: Rect, _shown: Shown, _game: AnyGame) -> None:
    _panel(canvas, rect)
    ways = ((SHOW_ME(), SHOWS_BACK(), Look.MAIN), (BOARD_IS_RIGHT(), TAKES_BOARD(), Look.PLAIN))
    for row, (label, does, look) in zip(
        rect.inset(canvas.px(16)).grid(1, 2, canvas.px(14)), ways, strict=True
    ):
        button, words = row.rows((1, 1), canvas.px(6))
        _drawn_button(canvas, button, label, look)
        canvas.text(
            words, does, Pen(Size.TEXT, IVORY, align=Align.CENTRE, lines=3, least=Size.TEXT)
        )


def _menu(canvas: Screen, rect: Rect, _shown: Shown, _game: AnyGame) -> None:
    _panel(canvas, rect)
    labels = (TAKE_BACK(), TURN_BOARD(), RULES(), SENSORS(), SETTINGS_PAGE())
    rows = rect.inset(canvas.px(16)).grid(1, len(labels), canvas.px(10))
    for row, label in zip(rows, labels, strict=True):
        _drawn_button(canvas, row, label, Look.PLAIN)


def _drawn_button(canvas: Screen, rect: Rect, label: str, look: Look) -> None:
    height = min(rect.h, canvas.px(54))
    place = Rect(rect.x, rect.centre[1] - height // 2, rect.w, height)
    canvas.frame(place, look)
    ink = INK if look is Look.MAIN else IVORY
    pen = Pen(Size.TEXT, ink, bold=True, align=Align.CENTRE, lines=2)
    canvas.text(place.inset(canvas.px(6), 0), label, pen)


def _displays(canvas: Screen, rect: Rect, _shown: Shown, game: AnyGame) -> None:
    _panel(canvas, rect)
    for place, warns in zip(
        rect.inset(canvas.px(12)).grid(1, 2, canvas.px(12)), (False, True), strict=True
    ):
        height = min(place.h, place.w // 2)
        glass = Rect(place.centre[0] - height, place.centre[1] - height // 2, 2 * height, height)
        _oled(canvas, glass, game, warns=warns)


def _oled(canvas: Screen, glass: Rect, game: AnyGame, *, warns: bool) -> None:
    canvas.add(Box(glass, INK, canvas.px(6), EDGE, canvas.px(2)))
    upper, line = glass.inset(canvas.px(5)).rows((7, 3), 0)
    left, right = upper.columns((2, 3) if game.has_cube else (0, 1), 0)
    if game.has_cube:
        cube = square_in(left.inset(canvas.px(4)))
        canvas.add(Box(cube, INK, canvas.px(6), DIE_FACE, canvas.px(2)))
        canvas.text(cube, "64", Pen(Size.FIGURE, DIE_FACE, bold=True, align=Align.CENTRE))
    score, target = right.rows((3, 2), 0)
    canvas.text(score, "1–0", Pen(Size.FIGURE, DIE_FACE, bold=True, align=Align.CENTRE))
    words = FIRST_TO(points=game.match_length)
    canvas.text(target, words, Pen(Size.TEXT, DIE_FACE, align=Align.CENTRE))
    if warns:
        canvas.add(Box(line, DIE_FACE))
    said = SMALL_WRONG() if warns else SMALL_TURN(player=game.side_names[0])
    ink = INK if warns else DIE_FACE
    canvas.text(line, said, Pen(Size.HEAD, ink, bold=True, align=Align.CENTRE))


def _panel(canvas: Screen, rect: Rect) -> None:
    canvas.add(Box(rect, BAND, canvas.px(12)))
