"""The settings: each with its name, its value, and what touching it leads to."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.commands import ClubWish
from pi_app.screen.actions import Action, close, open_page, set_to, show_settings
from pi_app.screen.canvas import Align, Canvas, Disc, Look, Pen, Rect
from pi_app.screen.observability import PER_CENT
from pi_app.screen.pages.parts import BACK, CLUB, SETTINGS_PAGE, Choice, draw_head, row_of_buttons
from pi_app.screen.theme import BAND, DIM, EDGE, IVORY, TEAL
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.settings import SETTINGS, Bounds, Choices, Setting, Value
from pi_app.words.sentences import Sentence

MOST_SETTINGS = 8
"""Buttons at a time, so that each is large enough to tap."""
TABLES = ("screen", "sound", "play", "coach", "board")
"""The tables in the order of the page: most often used first."""
BRIGHTNESS = "screen.brightness"

OTHERS = Sentence("More settings")
WHEN_CHANGED = Sentence("Applies from the next match")


def draw_settings(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    """A page of settings; a tap selects the next value, a number has two buttons."""
    there = tuple(_there(shown))
    first = ui.first_setting if ui.first_setting < len(there) else 0
    some = there[first : first + MOST_SETTINGS]
    later = any(setting.table == "play" for setting in some)
    bands = draw_head(canvas, SETTINGS_PAGE(), WHEN_CHANGED() if later else "")
    columns = 1 if canvas.upright else 2
    rows, gap = MOST_SETTINGS // columns, canvas.px(10)
    body = bands.body.upper(rows * canvas.px(96) + (rows - 1) * gap)
    for place, setting in zip(body.grid(columns, rows, gap), some, strict=False):
        draw_setting(canvas, place, setting, shown)
    following = first + MOST_SETTINGS
    others = Choice(OTHERS(), show_settings(following if following < len(there) else 0))
    club = (Choice(CLUB(), open_page(Page.CLUB, ClubWish.LOOK)),) if shown.club else ()
    row_of_buttons(canvas, bands.buttons, (others, *club, Choice(BACK(), close())))


def draw_setting(canvas: Canvas[Action], rect: Rect, setting: Setting, shown: Shown) -> None:
    """A setting's name and value, and where it is touched for other values."""
    value, label = _value(setting, shown), setting.label or ""
    if isinstance(setting.can_be, Bounds):
        _number(canvas, rect, setting, float(value))
        return
    choices = _choices(setting, shown)
    values = tuple(choices)
    following = values[(values.index(value) + 1) % len(values)]
    labelled(canvas, rect, (label, choices[value]), on=value != setting.out)
    canvas.touch(rect, set_to(setting.name, following))


def labelled(canvas: Canvas[Action], rect: Rect, words: tuple[str, str], *, on: bool) -> None:
    """A key with a lamp, a name and a value."""
    canvas.frame(rect, Look.PLAIN)
    room = rect.inset(canvas.px(12), canvas.px(4))
    r = canvas.px(8)
    lamp = (room.x + r, room.centre[1])
    canvas.add(Disc(lamp, r, TEAL if on else BAND, TEAL if on else EDGE, canvas.px(2.5)))
    _words(canvas, Rect(room.x + 3 * r, room.y, room.w - 3 * r, room.h), words, Align.LEFT)


def _there(shown: Shown) -> Iterator[Setting]:
    """The settings on the screen; brightness only for a display that can change it."""
    labels = (setting for setting in SETTINGS.values() if setting.label)
    for setting in sorted(labels, key=lambda setting: TABLES.index(setting.table)):
        if setting.name != BRIGHTNESS or shown.brightness is not None:
            yield setting


def _value(setting: Setting, shown: Shown) -> Value:
    """The set value; for brightness the display's, because others change it too."""
    if setting.name == BRIGHTNESS and shown.brightness is not None:
        return shown.brightness
    return setting.of(shown.settings)


def _choices(setting: Setting, shown: Shown) -> Choices:
    """The choices; boards by name, a user's own board by its path."""
    if setting.choices:
        return setting.choices
    names = (*shown.boards, str(setting.of(shown.settings)))
    return dict(zip(names, names, strict=True))


def _number(canvas: Canvas[Action], rect: Rect, setting: Setting, value: float) -> None:
    """Less, the value, more."""
    less, middle, more = rect.columns((5, 16, 5), canvas.px(6))
    percent = round(100 * value if isinstance(setting.default, float) else value)
    canvas.button(less, "−", set_to(setting.name, setting.beside(value, more=False)))
    words = (setting.label or "", PER_CENT(number=percent))
    _words(canvas, middle.inset(0, canvas.px(4)), words, Align.CENTRE)
    canvas.button(more, "+", set_to(setting.name, setting.beside(value, more=True)))


def _words(canvas: Canvas[Action], rect: Rect, words: tuple[str, str], align: Align) -> None:
    height = min(rect.h, canvas.px(60))
    upper, lower = Rect(rect.x, rect.centre[1] - height // 2, rect.w, height).rows((5, 4), 0)
    canvas.text(upper, words[0], Pen(19, IVORY, bold=True, align=align))
    canvas.text(lower, words[1], Pen(16, DIM, align=align))
