"""What can be done in the simulator's window: one line, and the list of all keys."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.screen.canvas import Measure
from pi_app.screen.shapes import Box, Rect, Shape, Text
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, IVORY, KEY, Colour
from pi_app.words.sentences import Language, Sentence

LINES = (
    Sentence(
        "Drag the checkers with the mouse  ·  B or the round button: the die  ·  "
        "R: set the checkers out  ·  F1: all keys"
    ),
    Sentence("Drag the checkers  ·  B: the die  ·  R: set them out  ·  F1: all keys"),
    Sentence("F1: all keys"),
)
"""The help, the longest first."""
TITLE = Sentence("Mouse and keys")
KEYS: tuple[tuple[str, str], ...] = (
    (Sentence("Left button")(), Sentence("drag a checker; press what is on the screen")()),
    (
        Sentence("Right button")(),
        Sentence("nudge a checker that its reed does not feel (red ring)")(),
    ),
    ("B", Sentence("the die button, held as long as the key is")()),
    ("R", Sentence("set the checkers out as the match has them")()),
    (Sentence("Space, Enter")(), Sentence("a short press of the die button")()),
    (Sentence("D, held")(), Sentence("a long press: offer a double, pass one")()),
    (Sentence("1 to 6")(), Sentence("type the dice that were thrown")()),
    ("Esc", Sentence("the menu, and back")()),
    ("F11", Sentence("fill the display, or a window again")()),
    ("F1", Sentence("this list; any key or touch closes it")()),
)
TEXT, LEAST = 17, 9
HEADING = 22


def draw_line(room: Rect, measure: Measure, language: Language) -> Iterator[Shape]:
    """One line, the longest that fits."""
    for sentence in LINES:
        line = language.say(sentence())
        width, height = measure(line, TEXT - 1, False)
        if width <= room.w:
            at = Rect(room.x, room.centre[1] - height // 2, width, height)
            yield Text(at, line, TEXT - 1, DIM)
            return


def draw_keys(size: tuple[int, int], measure: Measure, language: Language) -> Iterator[Shape]:
    """The list of all keys in the middle of the window, as large as fits."""
    rows = tuple((language.say(key), language.say(does)) for key, does in KEYS)
    text = next((t for t in range(TEXT, LEAST, -1) if _fits(size, rows, t, measure)), LEAST)
    names = max(measure(key, text, True)[0] for key, _ in rows)
    deeds = max(measure(does, text, False)[0] for _, does in rows)
    line, gap = text * 2, text
    width, height = names + deeds + 5 * gap, line * (len(rows) + 2)
    card = Rect((size[0] - width) // 2, (size[1] - height) // 2, width, height)
    yield Box(card, BAND, gap, EDGE, 2)
    y = card.y + gap // 2
    yield _text(card.x + 2 * gap, y, line, (language.say(TITLE()), text + 4, IVORY), measure)
    for number, (key, does) in enumerate(rows, start=1):
        y = card.y + gap + number * line
        cap = Rect(card.x + gap, y + 2, names + 2 * gap, line - 4)
        yield Box(cap, KEY, gap // 3, EDGE, 1)
        yield _text(card.x + 2 * gap, y, line, (key, text, AMBER), measure)
        yield _text(cap.right + gap, y, line, (does, text, IVORY), measure)


def _fits(
    size: tuple[int, int], rows: tuple[tuple[str, str], ...], text: int, measure: Measure
) -> bool:
    across = max(measure(key, text, True)[0] for key, _ in rows)
    across += max(measure(does, text, False)[0] for _, does in rows)
    return across + 6 * text <= size[0] and 2 * text * (len(rows) + 2) <= size[1]


def _text(x: int, y: int, line: int, words: tuple[str, int, Colour], measure: Measure) -> Text:
    text, size, colour = words
    bold = colour is not IVORY or size > TEXT
    width, height = measure(text, size, bold)
    return Text(Rect(x, y + (line - height) // 2, width, height), text, size, colour, bold)
