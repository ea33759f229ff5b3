"""The screen as it is read aloud, for players who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pi_app.rules.naming import name_side, name_spot
from pi_app.rules.terms import Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Drawing, Target, Text
from pi_app.screen.ui import LyingOn, Page, Ui
from pi_app.user.settings import SETTINGS
from pi_app.words.sentences import Language, Sentence

PREVIOUS, NEXT = Sentence("Previous"), Sentence("Next")
REMOVE, LESS, MORE = Sentence("Remove"), Sentence("less"), Sentence("more")
SIGNS: Mapping[str, Sentence] = {
    "−": LESS,
    "+": MORE,
    "←": Sentence("erase"),
    "?": Sentence("unknown"),
}
"""What to say for places that show a sign instead of a word."""
SENSOR = Sentence("Sensor {sensor}")


class ReadOut(NamedTuple):
    """What is read aloud: the texts of a page, and the focused place.

    The play page has no text here, because the speech of the match covers it.
    """

    page: Page
    text: str
    focused: str | None


def heard(picture: Drawing[Action], ui: Ui, language: Language) -> ReadOut:
    """Return the page and the focused place in words."""
    text = "" if ui.page is Page.PLAY else _page(picture)
    return ReadOut(ui.page, text, _place(picture, ui, language) if ui.focused else None)


def _page(picture: Drawing[Action]) -> str:
    """The texts outside all places to touch, line by line."""
    free = (
        shape
        for shape in picture.shapes
        if isinstance(shape, Text) and not picture.target(*shape.rect.centre)
    )
    return ". ".join(_lines(free))


def _lines(texts: Iterable[Text]) -> tuple[str, ...]:
    """The texts from top to bottom; those of one line from left to right."""
    ordered = sorted(texts, key=lambda text: (text.rect.centre[1] // ROW, text.rect.x))
    return tuple(text.text for text in ordered)


ROW = 8
"""Texts within this many pixels are on one line."""


def _place(picture: Drawing[Action], ui: Ui, language: Language) -> str | None:
    at = ui.focused
    target = picture.target(*at) if at else None
    return name_place(picture, target, ui, language) if target else None


def name_place(picture: Drawing[Action], target: Target[Action], ui: Ui, language: Language) -> str:
    """Return a place to touch in words."""
    inside = target.rect.contains
    own = (s for s in picture.shapes if isinstance(s, Text) and inside(*s.rect.centre))
    written = " ".join(_lines(own))
    if written and written not in SIGNS:
        return written
    sign = SIGNS[written]() if written else ""
    words = map(language.say, (*_name(target.action, ui), sign))
    return " ".join(filter(None, words)) or language.say(_arrow(picture, target))


def _name(action: Action, ui: Ui) -> tuple[str, ...]:
    """The name of a place without a text, or with only a sign, from its action's arguments."""
    match action.given:
        case (int(face),) if ui.page is Page.PLAY:
            return (str(face),)
        case (Spot() as spot, *lying) if not lying or isinstance(lying[0], LyingOn):
            edited = LyingOn(name_spot(spot), ui.edit.checkers.get(spot, ()) if ui.edit else ())
            name, stack = next((one for one in lying if isinstance(one, LyingOn)), edited)
            return name, str(len(stack)), *map(name_side, stack[-1:])
        case (Spot() as spot, Side() as side, _):
            return name_side(side), name_spot(spot)
        case (Side() | None as brush,):
            return (name_side(brush) if brush else REMOVE(),)
        case (str(name), *_):
            setting = SETTINGS.get(name)
            return ((setting.label or "") if setting else SENSOR(sensor=name),)
    return ()


def _arrow(picture: Drawing[Action], target: Target[Action]) -> str:
    """Of a pair of arrows the left or upper one turns back."""
    does, rect = target.action.does, target.rect
    others = [t.rect for t in picture.targets if t.action.does is does and t.rect != rect]
    is_first = all((rect.y, rect.x) < (other.y, other.x) for other in others)
    return PREVIOUS() if others and is_first else NEXT()
