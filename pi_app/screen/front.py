"""The touchscreen: it shows what it is given and returns outputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from pi_app.base.microseconds import Us, ms
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Drawing, Measure, Shape
from pi_app.screen.compose import (
    Closed,
    FingerDown,
    Input,
    KeyPress,
    Resized,
    chosen,
    compose,
    pressed,
    touched,
)
from pi_app.screen.reading import ReadOut, heard
from pi_app.screen.theme import Theme
from pi_app.screen.ui import Page, Shown, Ui, see
from pi_app.user.commands import Output, Quit
from pi_app.words.sentences import ENGLISH, Language

JUST_COME = ms(400)
"""A place that appeared more recently than this ignores touches, which were meant for what was
there before."""


class Front(Protocol):
    """The screen and its touches. `moving`: the next picture is due soon. `rolling`: dice roll on
    it."""

    @property
    def moving(self) -> bool: ...
    @property
    def rolling(self) -> bool: ...
    def poll(self, shown: Shown, now: Us) -> tuple[Output, ...]: ...
    def draw(self, shown: Shown, now: Us) -> None: ...
    @property
    def heard(self) -> ReadOut | None: ...
    def set_fullscreen(self, fullscreen: bool) -> None: ...
    def close(self) -> None: ...


class Pane(Protocol):
    """Where shapes are drawn and touches come from: a window, or the page of a phone.

    While `typing` is set, letters are only text. `language` is for texts of its own.
    """

    typing: bool
    language: Language

    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def measure(self) -> Measure: ...
    def draw(self, shapes: Iterable[Shape], theme: Theme) -> None: ...
    def poll(self, now: Us) -> tuple[Input, ...]: ...
    def set_fullscreen(self, fullscreen: bool) -> None: ...
    def close(self) -> None: ...


class ScreenFront:
    """The screen in one pane; a Front. It begins with this page."""

    def __init__(self, window: Pane, begins: Page = Page.START) -> None:
        self._window = window
        self._ui = Ui(begins)
        self._drawn: tuple[Shown, Ui] | None = None
        self._picture: Drawing[Action] = Drawing(Page.START, (0, 0), (), (), moving=False)
        self._painted: tuple[tuple[Shape, ...], Theme] = (), Theme.DARK
        self._replaced: tuple[tuple[Us, Drawing[Action]], ...] = ()
        self._inputs: deque[tuple[Drawing[Action], Input]] = deque()

    @property
    def picture(self) -> Drawing[Action]:
        """The picture drawn last."""
        return self._picture

    @property
    def ui(self) -> Ui:
        return self._ui

    @property
    def moving(self) -> bool:
        """Dice roll, or a checker glides."""
        return self._picture.moving

    @property
    def rolling(self) -> bool:
        return self._picture.rolling

    @property
    def heard(self) -> ReadOut:
        """The drawn page in words."""
        language = self._drawn[0].spoken if self._drawn else ENGLISH
        return heard(self._picture, self._ui, language)

    def poll(self, shown: Shown, now: Us) -> tuple[Output, ...]:
        """Return outputs. Never blocks. Touches after one with outputs wait until these are carried
        out."""
        self._inputs.extend(
            (self._picture, known)
            for known in self._window.poll(now)
            if not self._has_just_come(known, now)
        )
        while self._inputs:
            if outputs := self._take(*self._inputs.popleft(), shown, now):
                return outputs
        return ()

    def draw(self, shown: Shown, now: Us) -> None:
        """Compose a picture if something is new or moving, and paint it if it differs."""
        self._ui = see(self._ui, shown.view, now)
        self._window.typing = self._ui.page is Page.TYPING
        self._window.language = shown.language
        looks = (_seen(shown, now), self._ui)
        if self._drawn == looks and not self._picture.moving:
            return
        seen, before = self._picture, self._painted if self._drawn else None
        self._drawn = looks
        self._picture = compose(shown, self._ui, self._window.size, self._window.measure, now)
        if self._picture.targets != seen.targets:
            recent = (one for one in self._replaced if now < one[0] + JUST_COME)
            self._replaced = (*recent, (now, seen))
        self._painted = self._picture.shapes, shown.theme
        if self._painted != before:
            self._window.draw(*self._painted)

    def set_fullscreen(self, fullscreen: bool) -> None:
        self._window.set_fullscreen(fullscreen)
        self._drawn = None

    def close(self) -> None:
        self._window.close()

    def _has_just_come(self, known: Input, now: Us) -> bool:
        """Whether the touched place showed something else a moment ago."""
        at = chosen(known.name, self._ui) if isinstance(known, KeyPress) else None
        if isinstance(known, FingerDown):
            at = known.x, known.y
        return at is not None and any(
            now < until + JUST_COME and before.means(*at) != self._picture.means(*at)
            for until, before in self._replaced
        )

    def _take(
        self, seen: Drawing[Action], known: Input, shown: Shown, now: Us
    ) -> tuple[Output, ...]:
        """The outputs of a touch on the picture last shown, or of a key."""
        match known:
            case FingerDown():
                self._ui = replace(self._ui, focus=None)
                self._ui, outputs = touched(seen, known, self._ui, shown, now)
            case KeyPress():
                self._ui, outputs = pressed(seen, known, self._ui, shown, now)
            case Closed():
                outputs = (Quit(),)
            case Resized():
                self._drawn, self._ui, outputs = None, replace(self._ui, focus=None), ()
        return outputs


def _seen(shown: Shown, now: Us) -> Shown:
    """What is visible now: of a running clock only its digits."""
    return replace(shown, view=shown.view.at(now)) if shown.view else shown
