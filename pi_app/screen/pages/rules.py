"""The rules of a game in the words of its sheet, one page for each, with the positions that
illustrate them; and the first page of the tour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pi_app.base.microseconds import ENDLESS
from pi_app.base.values import dataclass
from pi_app.referee.view import TableDie
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Example, Side
from pi_app.screen.actions import Screen, begin_tour, close, end_tour, open_page, turn_to
from pi_app.screen.boards.marks import Marks
from pi_app.screen.canvas import Box, Look, Pen, Rect, Size
from pi_app.screen.pages.parts import (
    BACK,
    BACK_TO_MATCH,
    TOUR,
    Choice,
    draw_around,
    turns,
)
from pi_app.screen.pages.play import draw_dice
from pi_app.screen.theme import AMBER, BAND, IVORY, TEAL, VERMILION, Colour
from pi_app.screen.ui import Bookmark, Page, Shown, Ui, chosen_game
from pi_app.user.agreement import usual_order
from pi_app.words.sentences import Sentence, paragraph

NEXT, PREVIOUS = Sentence("Next"), Sentence("Previous")

SHARES = (0.34, 0.4, 0.46, 0.52, 0.6)
"""The share of the page for words beside a picture; the smallest that fits is used."""
SIZES = (Size.HEAD, Size.TEXT)
"""Important words are no smaller than these."""
MANY = 30
"""As many lines as fit."""
BAR, INSET = 6, 10
"""Units: a caption's bar, and the margin around its words."""


def draw_illustrated(canvas: Screen, body: Rect, text: str, caption: str, colour: Colour) -> Rect:
    """Draw a text and a caption beside a bar of this colour. Return the place for their picture."""
    picture, words, size = next(_places(canvas, body, text, caption))
    height = _height(canvas, caption, words.w, size)
    room = Rect(words.x, words.y, words.w, words.h - height)
    top = min(room.h, canvas.height(text, room.w, _pen(size)))
    canvas.text(Rect(room.x, room.y, room.w, top), text, _pen(size))
    if caption:
        _caption(canvas, Rect(words.x, room.bottom, words.w, height), caption, _pen(size), colour)
    return picture


def draw_words_alone(canvas: Screen, body: Rect, text: str) -> None:
    for pen in map(_pen, SIZES):
        height = canvas.height(text, body.w, pen)
        if height <= body.h:
            break
    canvas.text(Rect(body.x, body.y, body.w, min(body.h, height)), text, pen)


def turning(mark: Bookmark, leaves: int) -> tuple[Choice, Choice]:
    """The buttons to the page before and after, dimmed if there is none."""
    before, after = turns(lambda leaf: turn_to(Page.RULES, leaf, mark.after), mark.leaf, 1, leaves)
    return Choice(PREVIOUS(), before), Choice(NEXT(), after, Look.MAIN)


def _places(
    canvas: Screen, body: Rect, text: str, caption: str
) -> Iterator[tuple[Rect, Rect, Size]]:
    """Yield the picture's place, the words' place and their size; the first that fits is used, else
    the last."""
    gap = canvas.px(14)
    ways = [(share, size) for share in SHARES for size in SIZES]
    if canvas.large:  # words stay as large as they can, whatever room that takes
        ways = [(share, size) for size in SIZES for share in SHARES]
    for share, size in ways:
        parts = (1 - share, share)
        picture, words = body.rows(parts, gap) if canvas.upright else body.columns(parts, gap)
        below = _height(canvas, caption, words.w, size)
        spare = canvas.px(INSET if size is Size.TEXT else 3 * INSET)
        if canvas.height(text, words.w, _pen(size)) + spare + below <= words.h:
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
    """The pen of a page's words, which never shrink."""
    return Pen(size, IVORY, lines=MANY, least=size)


RULE_OF = Sentence("Rule {number} of {all}")
NUMBERED = Sentence("{number}. {rule}")


@dataclass(frozen=True, slots=True)
class RuleLeaf:
    game: AnyGame
    number: int
    example: Example | None


def leaves_shown(shown: Shown, ui: Ui) -> tuple[RuleLeaf, ...]:
    """The rules of the match's game; opened from the form, those of all the games it would play."""
    if shown.view and ui.bookmark.after is None:
        return leaves_of(shown.board.games[shown.view.game])
    series = chosen_game(ui.form, shown)
    games = series.ordered(ui.form.order or usual_order(series)).games
    return tuple(leaf for game in games for leaf in leaves_of(game))


def leaves_of(game: AnyGame) -> tuple[RuleLeaf, ...]:
    """One page for each rule, or for each position that illustrates it."""
    examples: dict[int, list[Example]] = {}
    for example in game.sheet.examples:
        examples.setdefault(example.number, []).append(example)
    return tuple(
        RuleLeaf(game, number, example)
        for number in range(1, len(game.sheet.rules) + 1)
        for example in examples.get(number, (None,))
    )


def count_rules(shown: Shown, ui: Ui) -> int:
    return len(leaves_shown(shown, ui))


def draw_rules(canvas: Screen, shown: Shown, ui: Ui) -> None:
    leaves, mark = leaves_shown(shown, ui), ui.bookmark
    leaf = leaves[min(mark.leaf, len(leaves) - 1)]
    game, rules = leaf.game, leaf.game.sheet.rules
    back = Choice(BACK_TO_MATCH() if shown.view else BACK(), close())
    leave = Choice(BACK(), open_page(mark.after)) if mark.after else back
    ways = (leave, *turning(mark, len(leaves)))
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
    thrown = tuple(TableDie(int(face), game.mover(position)) for face in faces)
    draw_dice(canvas, drawn.dice, thrown, ENDLESS)


def example_marks(game: AnyGame, example: Example | None, position: Any) -> Marks:
    """What the board shows for an example: a play, or an attempt with its fault."""
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


# The tour's first page; the tour itself is played on the play page.

LEAF_OF = Sentence("{number} of {all}")
SKIP = Sentence("Skip")
BEGIN = Sentence("Begin")
TWO_TURNS = Sentence(
    "Play two turns, about two minutes. Spotter sees the checkers by their magnets and says what "
    "to do next."
)
HEAR_IT = Sentence("To hear it spoken, hold the die button for a second.")


def draw_tour(canvas: Screen, shown: Shown, ui: Ui) -> None:
    game = chosen_game(ui.form, shown).first
    choices = Choice(SKIP(), end_tour()), Choice(BEGIN(), begin_tour(), Look.MAIN)
    body = draw_around(canvas, TOUR(), game.title, choices)
    spoken = shown.view or shown.settings.speech.told == "all"
    said = paragraph(game.aim, TWO_TURNS())
    place = draw_illustrated(canvas, body, said, "" if spoken else HEAR_IT(), AMBER)
    draw_example(canvas, place, shown, game, None)
