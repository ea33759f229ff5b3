"""The whole screen as a picture, and the effects of touches and keys: pure functions.

A program's loop calls `see` for each new view, `compose` for a picture, paints it, and passes
touches and keys to `touched` and `pressed`. While `Picture.moving` is true, it draws again soon.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.referee.events import Press
from pi_app.referee.view import Retold, View
from pi_app.screen.actions import (
    Acted,
    Action,
    Screen,
    begin_tour,
    close,
    end_retelling,
    end_tour,
    end_training,
    enter,
    erase,
    leave_pose,
    leave_sensors,
    look_at_question,
    open_hint,
    open_page,
    press_button,
    send,
    set_to,
    show_matches,
    show_ratings,
    turn_to,
    type_die,
    type_letters,
    types_now,
)
from pi_app.screen.canvas import (
    LARGE,
    Box,
    Canvas,
    Drawing,
    Measure,
    Point,
    Rect,
    Shape,
    framed,
)
from pi_app.screen.pages.asking import QUESTION_OF, draw_asking, draw_saying
from pi_app.screen.pages.coach import draw_hint, draw_training
from pi_app.screen.pages.editor import draw_editor
from pi_app.screen.pages.files import draw_delete, draw_files
from pi_app.screen.pages.first_start import draw_set_up, set_up_key
from pi_app.screen.pages.matches import (
    draw_analysis,
    draw_code,
    draw_leaf,
    draw_match,
    draw_matches,
    draw_players,
    draw_position,
    draw_ratings,
    draw_sheet,
    draw_wall,
)
from pi_app.screen.pages.new_match import (
    draw_games,
    draw_handicap,
    draw_new_match,
    draw_opponents,
    draw_tournament,
    draw_typing,
    page_behind,
)
from pi_app.screen.pages.phones import draw_phones
from pi_app.screen.pages.play import draw_play
from pi_app.screen.pages.practice import draw_practice, draw_puzzle
from pi_app.screen.pages.report import draw_report
from pi_app.screen.pages.rules import count_rules, draw_rules, draw_tour
from pi_app.screen.pages.sensors import draw_sensors
from pi_app.screen.pages.sheets import (
    draw_banner,
    draw_boards,
    draw_club,
    draw_leave_club,
    draw_menu,
    draw_question,
    draw_quit,
    draw_resign,
    draw_settings,
    draw_take_back,
)
from pi_app.screen.pages.start import draw_start, draw_waiting
from pi_app.screen.theme import GROUND, IVORY, MAIN
from pi_app.screen.ui import Focus, Page, Shown, Ui, edited_game
from pi_app.user.commands import Output, SayAloud

STEPS: Mapping[str, int] = {"tab": 1, "page down": 1, "back tab": -1}
"""Keys that move the focus in reading order."""
WAYS: Mapping[str, Point] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
"""Keys that move the focus to the nearest place in a direction."""
CHOOSE = ("return", "page up", "space")
"""Keys that touch the focused place. While something is typed, a space is a space."""


def moved(picture: Drawing[Action], key: str, ui: Ui) -> Ui | None:
    if key not in STEPS and key not in WAYS:
        return None
    order = reading_order(picture)
    if not order:
        return ui
    if ui.focused is None:
        first = _first(picture, order)
        at = order[first - (STEPS.get(key) == -1)]
    elif key in STEPS:
        at = _stepped(order, ui.focused, STEPS[key])
    else:
        at = _beside(order, ui.focused, WAYS[key])
    return replace(ui, focus=Focus(ui.page, at))


def _first(picture: Drawing[Action], order: tuple[Point, ...]) -> int:
    """Where the focus starts: at the page's main button, if it has one.

    That is the last filled place; chosen values are filled too.
    """
    boxes = (shape for shape in picture.shapes if isinstance(shape, Box))
    filled = {box.rect for box in boxes if box.fill == MAIN}
    found = [order.index(one.rect.centre) for one in picture.targets if one.rect in filled]
    return max(found, default=0)


def chosen(key: str, ui: Ui) -> Point | None:
    types = key == "space" and ui.page is Page.TYPING
    return ui.focused if key in CHOOSE and not types else None


def let_go(before: Ui, after: Ui, outputs: tuple[Output, ...]) -> Ui:
    """Return the state after the touch of a key: on the play page the key is then the die button
    again.

    The focus stays only if the touch opened something, or waits for more.
    """
    goes_on = after.page is Page.PLAY and not outputs and after is not before
    return replace(after, focus=None) if before.page is Page.PLAY and not goes_on else after


def ring(picture: Drawing[Action], ui: Ui) -> tuple[Shape, ...]:
    target = picture.target(*ui.focused) if ui.focused else None
    if target is None:
        return ()
    thick = max(2, round(min(picture.size) / 160))
    outer = _within(target.rect.inset(-thick), picture.size)
    return (*framed(outer, GROUND, 3 * thick), *framed(outer.inset(thick), IVORY, thick))


def reading_order(picture: Drawing[Action]) -> tuple[Point, ...]:
    """The centres of all places to touch, row by row from left to right."""
    places = [one.rect for one in picture.targets if picture.target(*one.rect.centre) is one]
    rows: list[list[Rect]] = []
    for rect in sorted(places, key=lambda rect: rect.centre[1]):
        if rows and rect.centre[1] < rows[-1][0].bottom:
            rows[-1].append(rect)
        else:
            rows.append([rect])
    return tuple(rect.centre for row in rows for rect in sorted(row, key=lambda rect: rect.x))


def _stepped(order: tuple[Point, ...], here: Point, step: int) -> Point:
    if here not in order:
        return min(order, key=lambda one: math.dist(one, here))
    return order[(order.index(here) + step) % len(order)]


def _beside(order: tuple[Point, ...], here: Point, way: Point) -> Point:
    """The nearest place in a direction, straight ahead if possible; the same place if there is
    none. What lies more than three times as far aside is in another direction."""
    ahead = {one: _ahead(here, one, way) for one in order}
    beyond = [one for one, (along, aside) in ahead.items() if along > 0 and aside <= 3 * along]
    return min(beyond, key=lambda one: ahead[one][0] + 2 * ahead[one][1], default=here)


def _ahead(here: Point, there: Point, way: Point) -> Point:
    dx, dy = there[0] - here[0], there[1] - here[1]
    return dx * way[0] + dy * way[1], abs(dx * way[1]) + abs(dy * way[0])


def _within(rect: Rect, size: tuple[int, int]) -> Rect:
    x, y = max(rect.x, 0), max(rect.y, 0)
    return Rect(x, y, min(rect.right, size[0]) - x, min(rect.bottom, size[1]) - y)


DrawPage: TypeAlias = Callable[[Screen, Shown, Ui], None]

PAGES: Mapping[Page, DrawPage] = {
    Page.PRACTICE: draw_practice,
    Page.PUZZLE: draw_puzzle,
    Page.NEW_MATCH: draw_new_match,
    Page.GAMES: draw_games,
    Page.HANDICAP: draw_handicap,
    Page.OPPONENTS: draw_opponents,
    Page.TOURNAMENT: draw_tournament,
    Page.TYPING: draw_typing,
    Page.SETTINGS: draw_settings,
    Page.SENSORS: draw_sensors,
    Page.RULES: draw_rules,
    Page.TOUR: draw_tour,
    Page.SET_UP: draw_set_up,
    Page.MATCHES: draw_matches,
    Page.FILES: draw_files,
    Page.MATCH: draw_match,
    Page.DELETE: draw_delete,
    Page.SHEET: draw_sheet,
    Page.LEAF: draw_leaf,
    Page.CODE: draw_code,
    Page.PLAYERS: draw_players,
    Page.ANALYSIS: draw_analysis,
    Page.RATINGS: draw_ratings,
    Page.REPORT: draw_report,
    Page.TRAINING: draw_training,
    Page.POSITION: draw_position,
    Page.WALL: draw_wall,
    Page.PHONES: draw_phones,
    Page.QUIT: draw_quit,
    Page.BOARDS: draw_boards,
    Page.CLUB: draw_club,
    Page.LEAVE_CLUB: draw_leave_club,
}
"""The pages that look the same with and without a match under way."""
ASKED_ON = (Page.PLAY, Page.START, Page.MENU)
"""The pages on which another board's request appears; on the others a banner leads to it."""


@dataclass(frozen=True, slots=True)
class FingerDown:
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key that went down: its name ("space", "return", "escape", "backspace", "f11", a focus key,
    or "hold d" once D was held for a long press) and the text that it types."""

    name: str
    text: str = ""


class Closed:
    """The window was closed."""


class Resized:
    """The window has another size now."""


Input: TypeAlias = FingerDown | KeyPress | Closed | Resized


def compose(
    shown: Shown, ui: Ui, size: tuple[int, int], measure: Measure, now: Us
) -> Drawing[Action]:
    """Draw this state at this moment; `now` matters only to what moves."""
    enlarged = LARGE if shown.settings.screen.text == "large" else 1.0
    canvas: Screen = Canvas(size, measure, shown.spoken, enlarged)
    if shown.question and _covers(shown, ui):
        draw_question(canvas, shown.question, later=ui.page not in ASKED_ON)
    elif ui.page in PAGES and (not shown.guest or ui.page is Page.RULES):
        PAGES[ui.page](canvas, shown, ui)
    elif ui.page is Page.EDITOR and ui.edit and edited_game(shown, ui.edit):
        draw_editor(canvas, shown, ui, ui.edit)
    elif shown.view is None and shown.guest:
        draw_waiting(canvas, shown, shown.guest)
    elif shown.view is None:
        draw_start(canvas, shown, ui)
    else:
        _draw(canvas, shown, ui, shown.view, now)
    if shown.question and not _covers(shown, ui):
        draw_banner(canvas, shown.club.asker if shown.club else "")
    canvas.add(*ring(canvas.picture(ui.page), ui))
    return canvas.picture(ui.page)


def _covers(shown: Shown, ui: Ui) -> bool:
    asked = shown.question is not None
    return asked and (ui.page in ASKED_ON or ui.looked == shown.question)


def _draw(canvas: Screen, shown: Shown, ui: Ui, view: View, now: Us) -> None:
    match ui.page:
        case Page.PLAY:
            draw_play(canvas, shown, ui, view, now)
        case Page.HINT:
            draw_hint(canvas, shown, ui, view)
        case Page.MENU:
            draw_menu(canvas, shown, view)
        case Page.ASK:
            draw_asking(canvas)
        case Page.SAY if shown.club and shown.club.opponent:
            draw_saying(canvas, shown.club.opponent, can_close=shown.club.can_close)
        case Page.SAY if shown.guest:
            draw_saying(canvas, shown.guest.host)
        case Page.RESIGN:
            draw_resign(canvas, shown, ui, view, now)
        case Page.TAKE_BACK if view.back_to:
            draw_take_back(canvas, shown, ui, view, view.back_to, now)
        case _:
            draw_start(canvas, shown, ui)


def touched(picture: Drawing[Action], touch: FingerDown, ui: Ui, shown: Shown, us: Us) -> Acted:
    """Return the state and outputs after a touch. A touch outside all places, or on a page that was
    left since it was drawn, does nothing."""
    action = picture.at(touch.x, touch.y)
    return action.act(ui, shown, us) if action and picture.page is ui.page else (ui, ())


def pressed(picture: Drawing[Action], key: KeyPress, ui: Ui, shown: Shown, us: Us) -> Acted:
    if following := moved(picture, key.name, ui):
        return following, ()
    if at := chosen(key.name, ui):
        after, outputs = touched(picture, FingerDown(*at), ui, shown, us)
        return let_go(ui, after, outputs), outputs
    if key.name == "escape" and ui.page is Page.PLAY and ui.focused:
        return replace(ui, focus=None), ()
    action = key_action(key, ui, shown)
    return action.act(ui, shown, us) if action else (ui, ())


def key_action(key: KeyPress, ui: Ui, shown: Shown) -> Action | None:
    if key.name == "f11":
        return set_to("screen.fullscreen", not shown.settings.screen.fullscreen)
    if ui.page not in ASKED_ON and _covers(shown, ui):
        return look_at_question(opens=False) if key.name == "escape" else None
    return _page_key(key, ui, shown)


def _page_key(key: KeyPress, ui: Ui, shown: Shown) -> Action | None:
    if ui.page is Page.TYPING:
        return _typing_key(key, ui)
    if ui.page is Page.SET_UP:
        return set_up_key(key.name, ui)
    if key.name == "escape":
        posing = ui.page is Page.EDITOR and ui.edit is not None and ui.edit.posed
        return leave_pose() if posing else _leaving(ui.page, shown.view)
    if ui.page is Page.PLAY and shown.view:
        return _play_key(key, shown, shown.view)
    if ui.page is Page.TOUR and key.name in CHOOSE:
        return begin_tour()
    return _leaf_key(key, ui, count_rules(shown, ui)) if ui.page is Page.RULES else None


def _leaving(page: Page, view: View | None) -> Action:
    if page is Page.PLAY and view:
        if view.exercise:
            return end_retelling() if isinstance(view.exercise, Retold) else end_training()
        return end_tour() if view.tour else open_page(Page.MENU)
    leaving: Mapping[Page, Action] = {
        Page.SENSORS: leave_sensors(),
        Page.TOUR: end_tour(),
        Page.TOURNAMENT: open_page(Page.NEW_MATCH),
        Page.PUZZLE: open_page(Page.PRACTICE),
        Page.TRAINING: open_page(Page.PRACTICE),
        Page.GAMES: open_page(Page.NEW_MATCH),
        Page.HANDICAP: open_page(Page.NEW_MATCH),
        Page.BOARDS: open_page(Page.NEW_MATCH),
        Page.CLUB: open_page(Page.SETTINGS),
        Page.PHONES: open_page(Page.SETTINGS),
        Page.POSITION: open_page(Page.LEAF),
        Page.FILES: show_matches(),
        Page.REPORT: show_ratings(),
        Page.DELETE: open_page(Page.MATCH),
        Page.LEAVE_CLUB: open_page(Page.CLUB),
    }
    return leaving.get(page, close())


def _typing_key(key: KeyPress, ui: Ui) -> Action | None:
    if key.name == "escape":
        return open_page(page_behind(ui.typing))
    if key.name == "return":
        return enter()
    if key.name == "backspace":
        return erase()
    return type_letters(key.text) if key.text else None


def _leaf_key(key: KeyPress, ui: Ui, leaves: int) -> Action | None:
    step = {"space": 1, "return": 1, "backspace": -1}.get(key.name, 0)
    leaf = ui.bookmark.leaf + step
    if step and 0 <= leaf < leaves:
        return turn_to(ui.page, leaf, ui.bookmark.after)
    return None


def _play_key(key: KeyPress, shown: Shown, view: View) -> Action | None:
    if key.name in CHOOSE:
        return press_button()
    if key.name == "hold d":
        return press_button(Press.LONG)
    if len(key.text) == 1 and key.text in "123456" and types_now(shown, view):
        return type_die(int(key.text))
    if question := QUESTION_OF.get(key.text.lower()):
        return send(SayAloud(question))
    return open_hint() if key.text.lower() == "h" and shown.hints else None
