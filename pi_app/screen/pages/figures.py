"""What the kept matches say of their players, and a match's sheet as codes for a telephone."""

from __future__ import annotations

from pi_app.export.codes import QUIET, Code, code_of
from pi_app.export.statistics import WORDS, Faces, Fairness, Totals, chance_of, judge_dice
from pi_app.screen.actions import Action, Close, Open
from pi_app.screen.browsing import ShowCode, ShowMatches, ShowPlayer
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.layout import BUTTON, GAP, MARGIN, sheet_bands
from pi_app.screen.learning import ShowRatings
from pi_app.screen.pages.buttons import (
    BACK,
    BACK_TO_MATCH,
    MATCHES,
    WALL,
    Choice,
    arrow_button,
    paged_buttons,
    row_of_buttons,
)
from pi_app.screen.pages.matches import AS_CODE, NONE_KEPT, READING, STATISTICS
from pi_app.screen.pages.sheets import head
from pi_app.screen.pieces import die
from pi_app.screen.shapes import Align, Box, Rect, square_in
from pi_app.screen.shelf import CodePart, Shelf
from pi_app.screen.theme import BAND, DIM, IVORY, TEAL, Colour
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.words.sentences import Sentence

PLAYER_OF = Sentence("player {number} of {count}")
COUNTING = Sentence("reading {counted} of {all} matches")
PLAYED_ENDED = Sentence("{matches}, {over} finished")
WON = Sentence("Won")
OF_ENDED = Sentence("{won} of {over}")
POINTS = Sentence("Points")
FOR_AND_AGAINST = Sentence("{points} – {against}")
LENGTH = Sentence("Average length")
PLAYS_AND_MINUTES = Sentence("{plays} plays, {minutes} min")
TAKEN_BACK = Sentence("Turns undone")
WARNINGS = Sentence("Warnings")
IN_PLAYS = Sentence("{warned} in 1 play", "{warned} in {n} plays")
SPOTTERS_DICE = Sentence("Rolled by Spotter: 1 die", "Rolled by Spotter: {n} dice")
OWN_DICE = Sentence("Real dice: 1", "Real dice: {n}")
CHANCE = Sentence("{word} (p = 0.{thousandths})")
SMALL_CHANCE = Sentence("{word} (p < 0.001)")
BY_MATCH = Sentence("Errors by match")
PART_OF = Sentence("Code {number} of {count}")
SCAN_WALL = Sentence("Scan with a phone to see every board of the club.")
MOST_OF_ADDRESS = 200
SCAN = Sentence("Scan with a phone for the score sheet.")
SCAN_ALL = Sentence(
    "Scan all codes with a phone for the score sheet. A USB stick holds it in one file."
)

WHITE = Colour((255, 255, 255), (255, 255, 255), (255, 255, 255))
DARK = Colour((0, 0, 0), (0, 0, 0), (0, 0, 0))
"""Colours of a QR code, in every theme."""


def draw_players(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """One player's figures at a time, the most frequent player first."""
    bands, shelf = sheet_bands(canvas.size), shown.shelf
    number = min(ui.browsing.player, max(0, len(shelf.players) - 1))
    if shelf.players:
        _player(canvas, bands.title, bands.body, shelf, number)
    else:
        head(canvas, bands.title, STATISTICS())
        told = shelf.told or (NONE_KEPT() if shelf.matches == () else READING())
        canvas.text(bands.body, told, Pen(22, DIM, align=Align.CENTRE, lines=3))
    before = ShowPlayer(number - 1) if number else None
    after = ShowPlayer(number + 1) if number + 1 < len(shelf.players) else None
    back = Choice(BACK(), ShowMatches(anew=False))
    judged = ShowRatings() if shelf.players and shown.lesson else None
    paged_buttons(canvas, bands.buttons, (back, Choice(BY_MATCH(), judged)), (before, after))


def _player(canvas: Canvas[Action], title: Rect, body: Rect, shelf: Shelf, number: int) -> None:
    player, count = shelf.players[number], len(shelf.players)
    matches = len(shelf.matches or ())
    if shelf.counted < matches:
        note: str = COUNTING(counted=shelf.counted, all=matches)
    else:
        note = PLAYER_OF(number=number + 1, count=count)
    head(canvas, title, player.name, note)
    gap = canvas.px(GAP)
    upper, lower = body.rows((1, 1) if canvas.upright else (4, 5), gap)
    columns, rows = (1, 6) if canvas.upright else (2, 3)
    for cell, words in zip(upper.grid(columns, rows, gap), _facts(player.figures), strict=False):
        _fact(canvas, cell, words)
    sides = lower.rows((1, 1), gap) if canvas.upright else lower.columns((1, 1), gap)
    figures = player.figures
    for rect, faces, said in zip(
        sides, (figures.rolled, figures.typed), (SPOTTERS_DICE, OWN_DICE), strict=True
    ):
        _dice(canvas, rect, faces, said(n=sum(faces)))


def _facts(figures: Totals) -> tuple[tuple[str, str], ...]:
    """Each figure's name and what it is."""
    plays, minutes = round(figures.mean_plays), round(figures.mean_minutes)
    warned = IN_PLAYS(warned=figures.warned, n=figures.watched) if figures.watched else "–"
    length = PLAYS_AND_MINUTES(plays=plays, minutes=minutes) if figures.over else "–"
    return (
        (MATCHES(), PLAYED_ENDED(matches=figures.matches, over=figures.over)),
        (WON(), OF_ENDED(won=figures.won, over=figures.over)),
        (POINTS(), FOR_AND_AGAINST(points=figures.points, against=figures.against)),
        (LENGTH(), length),
        (TAKEN_BACK(), str(figures.taken_back)),
        (WARNINGS(), warned),
    )


def _fact(canvas: Canvas[Action], rect: Rect, words: tuple[str, str]) -> None:
    """A figure and, in the room that it leaves, its name."""
    canvas.add(Box(rect, BAND, canvas.px(8)))
    pen = Pen(19, IVORY, bold=True, align=Align.RIGHT, lines=2)
    room = rect.inset(canvas.px(12), canvas.px(3))
    wide = min(canvas.width(words[1], pen), room.w * 3 // 5)
    label, value = room.columns((room.w - wide, wide), canvas.px(8))
    canvas.text(label, words[0], Pen(17, DIM, lines=2))
    canvas.text(value, words[1], pen)


def _dice(canvas: Canvas[Action], rect: Rect, faces: Faces, title: str) -> None:
    """The count of each face, and the fairness test."""
    canvas.add(Box(rect, BAND, canvas.px(8)))
    room = rect.inset(canvas.px(12), canvas.px(6))
    words, bars, judged = room.rows((24, 76, 24), canvas.px(4))
    canvas.text(words, title, Pen(17, DIM))
    most = max(1, *faces)
    side = canvas.px(22)
    for face, (place, count) in enumerate(zip(bars.grid(6, 1, 6), faces, strict=True), start=1):
        middle, bottom = place.centre[0], place.bottom - side - canvas.px(4)
        high = (bottom - place.y - canvas.px(18)) * count // most
        if high:
            canvas.add(Box(Rect(middle - side // 2, bottom - high, side, high), TEAL))
        number = Rect(place.x, bottom - high - canvas.px(18), place.w, canvas.px(16))
        canvas.text(number, str(count), Pen(14, IVORY, align=Align.CENTRE))
        canvas.add(*die(Rect(middle - side // 2, place.bottom - side, side, side), face, None))
    canvas.text(judged, fairness(faces), Pen(16, IVORY))


def fairness(faces: Faces) -> str:
    """The word on the dice, with the chance of dice as uneven as these."""
    judged = judge_dice(faces)
    word = WORDS[judged]()
    if judged is Fairness.TOO_FEW:
        return word
    if judged is Fairness.HARDLY:
        return SMALL_CHANCE(word=word)
    thousandths = min(999, round(1000 * chance_of(faces)))
    return CHANCE(word=word, thousandths=f"{thousandths:03}")


# Codes --------------------------------------------------------------------------------------


def draw_code(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """A code as large as the screen allows, and which it is."""
    part, (width, height) = shown.shelf.part, canvas.size
    margin, gap = canvas.px(MARGIN), canvas.px(GAP)
    side = min(width, height) - 2 * canvas.px(6)
    square = Rect(canvas.px(6), canvas.px(6), side, side)
    if canvas.upright:
        square = Rect((width - side) // 2, canvas.px(6), side, side)
        below = square.bottom + gap
        column = Rect(margin, below, width - 2 * margin, height - margin - below)
    else:
        left = square.right + gap
        column = Rect(left, margin, width - margin - left, height - 2 * margin)
    wanted = part if part and (part.match, part.number) == _asked(ui) else None
    canvas.add(Box(square, WHITE if wanted else BAND))
    if wanted:
        _code(canvas, square, wanted.code)
    else:
        told = shown.shelf.told or READING()
        canvas.text(square.inset(gap), told, Pen(22, DIM, align=Align.CENTRE, lines=3))
    buttons_height = 2 * canvas.px(BUTTON) + gap
    words = Rect(column.x, column.y, column.w, column.h - buttons_height - gap)
    buttons = Rect(column.x, column.bottom - buttons_height, column.w, buttons_height)
    _which(canvas, words, part)
    _code_buttons(canvas, buttons, ui, part)


def draw_wall(canvas: Canvas[Action], shown: Shown, _: Ui) -> None:
    """The address of the club's wall: as a code for a telephone, and to be typed."""
    bands, address = sheet_bands(canvas.size), shown.settings.club.wall[:MOST_OF_ADDRESS]
    head(canvas, bands.title, WALL())
    cut = bands.body.rows if canvas.upright else bands.body.columns
    place, words = cut((3, 2) if canvas.upright else (1, 1), canvas.px(GAP))
    square = square_in(place)
    canvas.add(Box(square, WHITE))
    _code(canvas, square, code_of(address))
    told, typed = words.rows((1, 1), canvas.px(GAP))
    canvas.text(told, SCAN_WALL(), Pen(24, IVORY, lines=5))
    canvas.text(typed, address, Pen(20, DIM, lines=5))
    row_of_buttons(canvas, bands.buttons, (Choice(BACK_TO_MATCH(), Close(), Look.MAIN),))


def _asked(ui: Ui) -> tuple[object, int]:
    return ui.browsing.match, ui.browsing.part


def _code(canvas: Canvas[Action], square: Rect, code: Code) -> None:
    """Whole pixels a module: a camera reads even edges best."""
    across = code.size + 2 * QUIET
    module = square.w // across
    left = square.x + (square.w - module * code.size) // 2
    top = square.y + (square.h - module * code.size) // 2
    for x, y, length in code.dark:
        run = Rect(left + x * module, top + y * module, length * module, module)
        canvas.add(Box(run, DARK))


def _which(canvas: Canvas[Action], rect: Rect, part: CodePart | None) -> None:
    title, count, how = rect.rows((3, 2, 7), canvas.px(4))
    canvas.text(title, AS_CODE(), Pen(25, IVORY, bold=True, lines=2))
    if part:
        words = PART_OF(number=part.number + 1, count=part.count)
        canvas.text(count, words, Pen(20, IVORY))
        said = SCAN() if part.count == 1 else SCAN_ALL()
        canvas.text(how, said, Pen(18, DIM, lines=9))


def _code_buttons(canvas: Canvas[Action], rect: Rect, ui: Ui, part: CodePart | None) -> None:
    number, count = ui.browsing.part, part.count if part else 0
    upper, lower = rect.rows((1, 1), canvas.px(GAP))
    before, after = upper.columns((1, 1), canvas.px(GAP))
    arrow_button(canvas, before, ShowCode(number - 1) if number else None, forward=False)
    onward = ShowCode(number + 1) if number + 1 < count else None
    arrow_button(canvas, after, onward, forward=True)
    canvas.button(lower, BACK(), Open(Page.MATCH))
