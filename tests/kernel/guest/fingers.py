"""A finger on the touchscreen that finds its button where the screen draws it."""

from __future__ import annotations

import time

from program import Program

from pi_app.base.microseconds import Us
from pi_app.games.all import ALL
from pi_app.screen.actions import Action
from pi_app.screen.compose import compose
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.description import Board

SCREEN = (800, 480)
COMES_S = 0.5
"""A button that has only just come takes no touch."""


def touch(
    program: Program,
    board: Board,
    wanted: Action,
    *,
    page: Page = Page.PLAY,
    resigning: int | None = None,
) -> None:
    """Touch the button of this page that does what is wanted."""
    time.sleep(COMES_S)
    seen = program.seen()
    assert seen.view
    shown = Shown(board, ALL.faces, seen.view, away=seen.away)
    ui = Ui(page=page, resigning=resigning)
    picture = compose(shown, ui, SCREEN, Fonts().measure, Us(0))
    rects = [target.rect for target in picture.targets if target.action == wanted]
    assert len(rects) == 1, (wanted, [target.action for target in picture.targets])
    program.touch(*map(int, rects[0].centre))
