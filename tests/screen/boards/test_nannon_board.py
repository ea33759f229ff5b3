"""Nannon on the screen: on a low board the row makes way for the trays."""

from __future__ import annotations

import pytest
from known import load_board
from views import measure, view_of

from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import marks_of
from pi_app.screen.boards.nannon import draw_nannon
from pi_app.screen.canvas import Canvas, Rect, Text
from pi_app.screen.ui import Page

BOARD = load_board("nannon-6")


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("high", [186, 200, 230, 300, 480])
def test_no_tray_covers_a_spots_number(high: int, turned: bool) -> None:
    """186 points are what a phone lying on its side leaves beside a rule."""
    canvas: Canvas[Action] = Canvas((844, 348), measure)
    view = view_of("nannon")
    room = Rect(4, 60, 420, high)
    drawn = draw_nannon(canvas, room, BOARD, marks_of(view, 1.0), turned=turned)
    shapes = canvas.picture(Page.PLAY).shapes
    numbers = [one.rect for one in shapes if isinstance(one, Text) and one.text in {*"123456"}]
    trays = [drawn.spots[place.spot] for place in BOARD.places if not place.reeds]
    assert (len(numbers), len(trays)) == (6, 4)
    assert [tray for tray in trays for number in numbers if tray.overlaps(number)] == []
