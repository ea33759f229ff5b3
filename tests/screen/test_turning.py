"""The board turns to whose turn it is, on the play page and where its position is described."""

from __future__ import annotations

import pytest
from known import FACES, load_board
from views import TABLES, draw, measure, tables_view

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.rules.terms import Side
from pi_app.screen.actions import start_edit
from pi_app.screen.compose import compose
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.user.settings import Settings


def as_set(turned: bool, follows: bool) -> Settings:
    return Settings().changed("screen.turned", turned).changed("screen.turn_to_mover", follows)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("mover", Side)
def test_the_board_is_seen_from_the_movers_side(mover: Side, turned: bool) -> None:
    view = tables_view("", to_act=mover)
    from_black = turned is not (mover is Side.BLACK)
    followed, fixed = as_set(turned, follows=True), as_set(from_black, follows=False)
    assert draw(view, followed).shapes == draw(view, fixed).shapes
    assert draw(view, followed).shapes != draw(view, as_set(not from_black, follows=False)).shapes


@pytest.mark.parametrize("mover", Side)
def test_the_editor_shows_it_from_the_same_side(mover: Side) -> None:
    view, pictures = tables_view("", to_act=mover), []
    for settings in (as_set(False, follows=True), as_set(mover is Side.BLACK, follows=False)):
        shown = Shown(load_board(TABLES), FACES, view, settings)
        ui, _ = start_edit().act(Ui(Page.PLAY), shown, ms(0))
        pictures.append(compose(shown, ui, (800, 480), measure, ENDLESS).shapes)
    assert pictures[0] == pictures[1]
