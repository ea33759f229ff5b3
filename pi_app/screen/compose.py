"""The whole screen as a picture, and what touches and keys on it do: pure functions.

The loop of a program is: `see` each new view, `compose` a picture, paint it, and hand what is
touched or pressed to `touched` and `pressed`.  While `Picture.moving` is true, draw again soon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pi_app.microseconds import Us
from pi_app.referee.events import Press
from pi_app.referee.view import View
from pi_app.screen.actions import (
    Acted,
    Action,
    Close,
    EndTour,
    Entered,
    Erase,
    Hold,
    Letter,
    LookAtQuestion,
    Open,
    Set,
    TurnTo,
    TypeDie,
    types_now,
)
from pi_app.screen.canvas import LARGE, Canvas, Drawing, Measure
from pi_app.screen.focus import CHOOSE, chosen, let_go, moved, ring
from pi_app.screen.inspecting import LeaveSensors
from pi_app.screen.pages.analysis import draw_analysis, draw_ratings
from pi_app.screen.pages.club import draw_boards, draw_club, draw_leave_club
from pi_app.screen.pages.editor import draw_editor
from pi_app.screen.pages.figures import draw_code, draw_players, draw_wall
from pi_app.screen.pages.hint import draw_hint
from pi_app.screen.pages.leaves import draw_leaf, draw_sheet
from pi_app.screen.pages.matches import draw_match, draw_matches
from pi_app.screen.pages.new_match import draw_new_match, draw_typing, page_behind
from pi_app.screen.pages.play import draw_play
from pi_app.screen.pages.rules import count_rules, draw_rules
from pi_app.screen.pages.sensors import draw_sensors
from pi_app.screen.pages.settings import draw_settings
from pi_app.screen.pages.sheets import (
    draw_banner,
    draw_menu,
    draw_question,
    draw_resign,
    draw_start,
    draw_take_back,
)
from pi_app.screen.pages.tour import count_tour, draw_tour
from pi_app.screen.pages.tournament import draw_tournament
from pi_app.screen.ui import Page, Shown, Ui

BROWSED: Mapping[Page, Callable[[Canvas[Action], Shown, Ui], None]] = MappingProxyType(
    {
        Page.MATCHES: draw_matches,
        Page.MATCH: draw_match,
        Page.SHEET: draw_sheet,
        Page.LEAF: draw_leaf,
        Page.CODE: draw_code,
        Page.PLAYERS: draw_players,
        Page.ANALYSIS: draw_analysis,
        Page.RATINGS: draw_ratings,
        Page.WALL: draw_wall,
        Page.BOARDS: draw_boards,
        Page.CLUB: draw_club,
        Page.LEAVE_CLUB: draw_leave_club,
    }
)
"""The pages of the kept matches and of the club: the same with a match under way and without."""
ASKED_ON = (Page.PLAY, Page.START, Page.MENU)
"""The pages that show another board's question; on others a banner leads to it."""
LEAVED: Mapping[Page, Callable[[Shown, Ui], int]] = MappingProxyType(
    {Page.RULES: count_rules, Page.TOUR: count_tour}
)
"""The pages that have leaves, and how many."""


@dataclass(frozen=True, slots=True)
class FingerDown:
    """A finger or the mouse went down here, in pixels."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key went down: its name ("space", "return", "escape", "backspace", "f11", those that move
    the focus, or "hold d" once D has been held for a long press), and the text it types.
    """

    name: str
    text: str = ""


def compose(
    shown: Shown, ui: Ui, size: tuple[int, int], measure: Measure, now: Us
) -> Drawing[Action]:
    """The picture of this state at this moment; `now` only matters to what moves."""
    enlarged = LARGE if shown.settings.screen.text == "large" else 1.0
    canvas: Canvas[Action] = Canvas(size, measure, shown.spoken, enlarged)
    if shown.question and _covers(shown, ui):
        draw_question(canvas, shown.question, later=ui.page not in ASKED_ON)
    elif ui.page in BROWSED:
        BROWSED[ui.page](canvas, shown, ui)
    elif shown.view is None:
        _draw_without_match(canvas, shown, ui)
    else:
        _draw(canvas, shown, ui, shown.view, now)
    if shown.question and not _covers(shown, ui):
        draw_banner(canvas, shown.club.asker if shown.club else "")
    canvas.add(*ring(canvas.picture(ui.page), ui))
    return canvas.picture(ui.page)


def _covers(shown: Shown, ui: Ui) -> bool:
    """Whether another board's question replaces the page."""
    asked = shown.question is not None
    return asked and (ui.page in ASKED_ON or ui.looked == shown.question)


def _draw_without_match(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    match ui.page:
        case Page.NEW_MATCH:
            draw_new_match(canvas, shown, ui)
        case Page.TOURNAMENT:
            draw_tournament(canvas, ui)
        case Page.TYPING:
            draw_typing(canvas, shown, ui)
        case Page.SETTINGS:
            draw_settings(canvas, shown, ui)
        case Page.SENSORS:
            draw_sensors(canvas, shown, ui)
        case Page.RULES:
            draw_rules(canvas, shown, ui)
        case Page.TOUR:
            draw_tour(canvas, shown, ui)
        case _:
            draw_start(canvas, shown)


def _draw(canvas: Canvas[Action], shown: Shown, ui: Ui, view: View, now: Us) -> None:
    match ui.page:
        case Page.PLAY:
            draw_play(canvas, shown, ui, view, now)
        case Page.HINT:
            draw_hint(canvas, shown, ui, view)
        case Page.MENU:
            draw_menu(canvas, shown, view)
        case Page.RESIGN:
            draw_resign(canvas, ui, view)
        case Page.TAKE_BACK if view.back_to:
            draw_take_back(canvas, view.back_to)
        case Page.EDITOR if ui.edit is not None:
            draw_editor(canvas, shown, ui.edit, view)
        case _:
            _draw_without_match(canvas, shown, ui)


def touched(picture: Drawing[Action], touch: FingerDown, ui: Ui, shown: Shown, us: Us) -> Acted:
    """The state and the outputs after a touch; none outside all targets or on a page that was left
    since it was drawn."""
    action = picture.at(touch.x, touch.y)
    return action.act(ui, shown, us) if action and picture.page is ui.page else (ui, ())


def pressed(picture: Drawing[Action], key: KeyPress, ui: Ui, shown: Shown, us: Us) -> Acted:
    """The state and the outputs after a key: it moves the focus, touches there, or has its own."""
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
        return Set("screen.fullscreen", not shown.settings.screen.fullscreen)
    if ui.page not in ASKED_ON and _covers(shown, ui):
        return LookAtQuestion(opens=False) if key.name == "escape" else None
    return _page_key(key, ui, shown)


def _page_key(key: KeyPress, ui: Ui, shown: Shown) -> Action | None:
    if ui.page is Page.TYPING:
        return _typing_key(key, ui)
    if key.name == "escape":
        return Open(Page.MENU) if ui.page is Page.PLAY and shown.view else _leaving(ui.page)
    if ui.page is Page.PLAY and shown.view:
        return _play_key(key, shown, shown.view)
    if ui.page in LEAVED:
        return _leaf_key(key, ui, LEAVED[ui.page](shown, ui))
    return None


def _leaving(page: Page) -> Action:
    leaving: Mapping[Page, Action] = {
        Page.SENSORS: LeaveSensors(),
        Page.TOUR: EndTour(),
        Page.TOURNAMENT: Open(Page.NEW_MATCH),
        Page.BOARDS: Open(Page.NEW_MATCH),
        Page.CLUB: Open(Page.SETTINGS),
        Page.LEAVE_CLUB: Open(Page.CLUB),
    }
    return leaving.get(page, Close())


def _typing_key(key: KeyPress, ui: Ui) -> Action | None:
    if key.name == "escape":
        return Open(page_behind(ui.typing))
    if key.name == "return":
        return Entered()
    if key.name == "backspace":
        return Erase()
    return Letter(key.text) if key.text else None


def _leaf_key(key: KeyPress, ui: Ui, leaves: int) -> Action | None:
    """A leaf on or back; after the last of them there is nothing."""
    step = {"space": 1, "return": 1, "backspace": -1}.get(key.name, 0)
    leaf = ui.bookmark.leaf + step
    if step and 0 <= leaf < leaves:
        return TurnTo(ui.page, leaf, ui.bookmark.after)
    return EndTour() if step > 0 and ui.page is Page.TOUR else None


def _play_key(key: KeyPress, shown: Shown, view: View) -> Action | None:
    if key.name in CHOOSE:
        return Hold()
    if key.name == "hold d":
        return Hold(Press.LONG)
    if len(key.text) == 1 and key.text in "123456" and types_now(shown, view):
        return TypeDie(int(key.text))
    return None
