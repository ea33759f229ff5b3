"""A leaf with a picture beside its words, and the buttons that turn to the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pi_app.screen.actions import Action, TurnTo
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.pages.buttons import Choice
from pi_app.screen.shapes import Align, Box, Rect
from pi_app.screen.theme import BAND, DIM, IVORY, Colour
from pi_app.screen.ui import Bookmark, Page
from pi_app.words.sentences import Sentence

NEXT, PREVIOUS = Sentence("Next"), Sentence("Previous")

SHARES = (0.34, 0.4, 0.46, 0.52)
"""The share of the page for words beside a picture: the least that fits."""
SIZES = (23, 21, 19)
"""Units; words that matter have 19 or more."""
ALONE = 26
"""Units: words without a picture."""
MANY = 30
"""Lines: as many as there is room for."""
BAR, EDGE = 6, 10
"""Units: a caption's bar, and the room around its words."""


def draw_illustrated(
    canvas: Canvas[Action], body: Rect, text: str, caption: str, colour: Colour
) -> Rect:
    """A text, a caption below it beside a bar of this colour, and the place for their picture."""
    picture, words, size = next(_places(canvas, body, text, caption))
    height = _height(canvas, caption, words.w, size)
    room = Rect(words.x, words.y, words.w, words.h - height)
    top = min(room.h, canvas.height(text, room.w, _pen(size)))
    canvas.text(Rect(room.x, room.y, room.w, top), text, _pen(size))
    if caption:
        _caption(canvas, Rect(words.x, room.bottom, words.w, height), caption, _pen(size), colour)
    return picture


def draw_heading(canvas: Canvas[Action], rect: Rect, title: str, note: str) -> None:
    left, right = rect.columns((3, 1), canvas.px(10))
    canvas.text(left, title, Pen(25, IVORY, bold=True, lines=2, least=17))
    canvas.text(right, note, Pen(15, DIM, align=Align.RIGHT, lines=2))


def draw_words_alone(canvas: Canvas[Action], body: Rect, text: str) -> None:
    """A text without a picture, from the top."""
    for pen in (_pen(scale * ALONE) for scale in canvas.scales):
        height = canvas.height(text, body.w, pen)
        if height <= body.h:
            break
    canvas.text(Rect(body.x, body.y, body.w, min(body.h, height)), text, pen)


def turning(page: Page, mark: Bookmark, leaves: int, last: Choice | None) -> tuple[Choice, Choice]:
    """A leaf back and a leaf on, dimmed where there is none; `last` stands after the last leaf."""
    before = TurnTo(page, mark.leaf - 1, mark.after) if mark.leaf > 0 else None
    after = TurnTo(page, mark.leaf + 1, mark.after) if mark.leaf + 1 < leaves else None
    onward = Choice(NEXT(), after, Look.MAIN)
    return Choice(PREVIOUS(), before), onward if after or not last else last


def _places(
    canvas: Canvas[Action], body: Rect, text: str, caption: str
) -> Iterator[tuple[Rect, Rect, float]]:
    """The picture's place, the words' and their size: what fits, else the most there is."""
    gap = canvas.px(14)
    for scale, share in product(canvas.scales, SHARES):
        parts = (1 - share, share)
        picture, words = body.rows(parts, gap) if canvas.upright else body.columns(parts, gap)
        for size in (scale * size for size in SIZES):
            below = _height(canvas, caption, words.w, size)
            if canvas.height(text, words.w, _pen(size)) + canvas.px(EDGE) + below <= words.h:
                yield picture, words, size
    yield picture, words, SIZES[-1]


def _height(canvas: Canvas[Action], caption: str, width: int, size: float) -> int:
    if not caption:
        return 0
    room = width - canvas.px(BAR) - 2 * canvas.px(EDGE)
    return canvas.height(caption, room, _pen(size)) + 2 * canvas.px(EDGE)


def _caption(canvas: Canvas[Action], rect: Rect, text: str, pen: Pen, colour: Colour) -> None:
    bar, edge = canvas.px(BAR), canvas.px(EDGE)
    canvas.add(Box(rect, BAND, canvas.px(8)))
    canvas.add(Box(Rect(rect.x, rect.y, bar, rect.h), colour, canvas.px(3)))
    room = Rect(rect.x + bar + edge, rect.y + edge, rect.w - bar - 2 * edge, rect.h - 2 * edge)
    canvas.text(room, text, pen)


def _pen(size: float) -> Pen:
    """The pen of a leaf's words, which never shrink."""
    return Pen(size, IVORY, lines=MANY, least=size)
