"""Everything that can be touched, by keys alone: a focus that goes from place to place.

Two keys do: one goes to the next place, in the order of reading, and one touches it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from pi_app.commands import Output
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Drawing
from pi_app.screen.shapes import Box, Point, Rect, Shape
from pi_app.screen.theme import GROUND, IVORY, Colour
from pi_app.screen.ui import Focus, Page, Ui

STEPS: Mapping[str, int] = MappingProxyType({"tab": 1, "page down": 1, "back tab": -1})
"""Keys that move in reading order."""
WAYS: Mapping[str, Point] = MappingProxyType(
    {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
)
"""Keys that move to the nearest place in their direction."""
CHOOSE = ("return", "page up", "space")
"""Keys that touch what the focus is on; while something is typed a space is a space."""


def moved(picture: Drawing[Action], key: str, ui: Ui) -> Ui | None:
    """The state after a key that moves the focus, None after any other."""
    if key not in STEPS and key not in WAYS:
        return None
    order = reading_order(picture)
    if not order:
        return ui
    if key in STEPS:
        at = _stepped(order, ui.focused, STEPS[key])
    else:
        at = _beside(order, ui.focused, WAYS[key])
    return replace(ui, focus=Focus(ui.page, at))


def chosen(key: str, ui: Ui) -> Point | None:
    """The place that a key touches, if any."""
    types = key == "space" and ui.page is Page.TYPING
    return ui.focused if key in CHOOSE and not types else None


def let_go(before: Ui, after: Ui, outputs: tuple[Output, ...]) -> Ui:
    """The state after a key's touch: on the play page the same key then is the die button again.

    Only what shows something else, or waits for more, keeps the focus there.
    """
    goes_on = after.page is Page.PLAY and not outputs and after is not before
    return replace(after, focus=None) if before.page is Page.PLAY and not goes_on else after


def ring(picture: Drawing[Action], ui: Ui) -> tuple[Shape, ...]:
    """The focus ring: a light and a dark line, visible on any ground."""
    target = picture.target(*ui.focused) if ui.focused else None
    if target is None:
        return ()
    thick = max(2, round(min(picture.size) / 160))
    outer = _within(target.rect.inset(-thick), picture.size)
    return (*_frame(outer, GROUND, 3 * thick), *_frame(outer.inset(thick), IVORY, thick))


def reading_order(picture: Drawing[Action]) -> tuple[Point, ...]:
    """The middles of all places that can be touched: row by row, from left to right."""
    places = [one.rect for one in picture.targets if picture.target(*one.rect.centre) is one]
    rows: list[list[Rect]] = []
    for rect in sorted(places, key=lambda rect: rect.centre[1]):
        if rows and rect.centre[1] < rows[-1][0].bottom:
            rows[-1].append(rect)
        else:
            rows.append([rect])
    return tuple(rect.centre for row in rows for rect in sorted(row, key=lambda rect: rect.x))


def _stepped(order: tuple[Point, ...], here: Point | None, step: int) -> Point:
    """The next or previous place; the nearest one if the place has vanished."""
    if here is None:
        return order[0 if step > 0 else -1]
    if here not in order:
        return min(order, key=lambda one: math.dist(one, here))
    return order[(order.index(here) + step) % len(order)]


def _beside(order: tuple[Point, ...], here: Point | None, way: Point) -> Point:
    """The nearest place in a direction, preferring straight ahead, or none."""
    if here is None:
        return order[0]
    ahead = {one: _ahead(here, one, way) for one in order}
    beyond = [one for one, (along, _) in ahead.items() if along > 0]
    return min(beyond, key=lambda one: ahead[one][0] + 2 * ahead[one][1], default=here)


def _ahead(here: Point, there: Point, way: Point) -> Point:
    """Distances along a direction and across it."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    return dx * way[0] + dy * way[1], abs(dx * way[1]) + abs(dy * way[0])


def _within(rect: Rect, size: tuple[int, int]) -> Rect:
    """The part inside the window."""
    x, y = max(rect.x, 0), max(rect.y, 0)
    return Rect(x, y, min(rect.right, size[0]) - x, min(rect.bottom, size[1]) - y)


def _frame(rect: Rect, colour: Colour, thick: int) -> tuple[Shape, ...]:
    """A rectangle's outline, inside it."""
    return (
        Box(Rect(rect.x, rect.y, rect.w, thick), colour),
        Box(Rect(rect.x, rect.bottom - thick, rect.w, thick), colour),
        Box(Rect(rect.x, rect.y, thick, rect.h), colour),
        Box(Rect(rect.right - thick, rect.y, thick, rect.h), colour),
    )
