"""The buttons of a picture by name, the same in every match: for guests who press them all."""

from __future__ import annotations

from pi_app.referee.view import View
from pi_app.screen.actions import (
    Action,
    GiveSide,
    Hold,
    Intend,
    Letter,
    LookAt,
    Opt,
    Resign,
    Set,
    TakeName,
    TapSpot,
    TypeDie,
    Write,
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
    if isinstance(action, Set):
        return f"{action.setting} {written if len(written) == 1 else f'of {page.value}'}"
    if not written:
        return f"arrow at {target.rect.centre} of {page.value}"
    numbered = not written.isdigit() and any(letter.isdigit() for letter in written)
    named = view is not None and any(map(written.count, view.players))
    return type(action).__name__ if numbered or named or page is Page.SHEET else written


def _meant_by(action: Action, view: View | None) -> str:
    """A touch's meaning, the same for any play, sensor, letter or die."""
    meaning = ""
    match action:
        case Intend(intent=intent):
            meaning = intent.value
        case Resign(points=points) if view:
            meaning = f"resign {view.resignations[points]}"
        case Opt(option=option):
            meaning = option.name
        case Write(entry=entry):
            meaning = f"write {entry.value}"
        case Letter(text=text):
            meaning = text.upper()
        case GiveSide() | Hold() | TypeDie() | TapSpot() | LookAt() | TakeName():
            meaning = type(action).__name__
    return meaning
