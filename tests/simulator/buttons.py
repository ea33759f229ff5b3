"""The buttons of a picture by name, the same in every match: for guests who press them all."""

from __future__ import annotations

import re
from typing import Any

from views import does

from pi_app.referee.view import View
from pi_app.screen.actions import (
    Action,
    answer_puzzle,
    begin_like,
    change_order,
    choose_file,
    give_points,
    give_side,
    intend,
    look_at,
    open_page,
    pick,
    press_button,
    resign,
    set_to,
    show_rivals,
    take_name,
    tap_spot,
    toggle,
    tutor,
    type_die,
    type_letters,
    write,
)
from pi_app.screen.canvas import Drawing, Target, Text
from pi_app.screen.ui import Page


def buttons_on(picture: Drawing[Action], view: View | None) -> dict[str, Target[Action]]:
    """The touchable places, by action or label; the first of equal ones."""
    found: dict[str, Target[Action]] = {}
    for target in picture.targets:
        if picture.at(*target.rect.centre) == target.action:
            found.setdefault(label_of(target, picture, view), target)
    return found


def label_of(target: Target[Action], picture: Drawing[Action], view: View | None) -> str:
    """A button's action, or its label if that is the same in every match."""
    action, page = target.action, picture.page
    texts = (shape for shape in picture.shapes if isinstance(shape, Text))
    inside = [text.text for text in texts if target.rect.contains(*text.rect.centre)]
    written = " ".join(inside)
    if meaning := _meant_by(action, view):
        return meaning
    if does(action, set_to):
        return f"{action.given[0]} {written if len(written) == 1 else f'of {page.value}'}"
    if does(action, show_rivals) and page is Page.NEW_MATCH:
        return "who plays"
    if action == open_page(Page.HANDICAP):
        return "begins at"
    if not written:
        # In fifths of the picture, whose size is another with another board.
        places = zip(target.rect.centre, picture.size, strict=True)
        across, down = (5 * at // length for at, length in places)
        return f"arrow at {across}, {down} of {page.value}"
    numbered = not written.isdigit() and any(letter.isdigit() for letter in written)
    named = view is not None and any(_names(player, written) for player in view.players)
    return action.does.__name__ if numbered or named or page is Page.SHEET else written


def _names(player: str, written: str) -> bool:
    """Whether the name stands there as a word: somebody is called S."""
    return re.search(rf"\b{re.escape(player)}\b", written) is not None


def _meant_by(action: Action, view: View | None) -> str:
    """A touch's meaning, the same for any play, sensor, letter or die."""
    first: Any = action.given[0] if action.given else None
    if does(action, intend):
        return str(first.value)
    if does(action, resign) and view:
        return f"resign {view.resignations[first]}"
    if does(action, toggle):
        return str(first.name)
    if does(action, write):
        return f"write {first.value}"
    if does(action, type_letters):
        return str(first).upper()
    same = (
        answer_puzzle,
        begin_like,
        change_order,
        choose_file,
        give_points,
        give_side,
        look_at,
        pick,
        press_button,
        take_name,
        tap_spot,
        tutor,
        type_die,
    )
    return action.does.__name__ if any(does(action, kind) for kind in same) else ""
