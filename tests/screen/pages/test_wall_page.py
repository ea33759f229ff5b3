"""The way to the club's wall on the board's own screen: in the menu, only where there is one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scenes import shown_in
from test_layout import SIZES

from pi_app.base.microseconds import Us
from pi_app.export.codes import code_of
from pi_app.screen.actions import close, open_page
from pi_app.screen.canvas import Box, Rect, Text
from pi_app.screen.compose import compose
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Page, Shown, Ui

ADDRESS = "http://club.local:8080/"


def at(shown: Shown, address: str) -> Shown:
    return replace(shown, settings=shown.settings.changed("club.wall", address))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("address", [ADDRESS, "http://x/" + "y" * 500], ids=["short", "long"])
def test_the_code_is_whole_and_large_enough(size: tuple[int, int], address: str) -> None:
    shown = at(shown_in("nannon-moving"), address)
    picture = compose(shown, Ui(Page.WALL), size, Fonts().measure, Us(0))
    window = Rect(0, 0, *size)
    code = code_of(address[:200])
    runs = [s.rect for s in picture.shapes if isinstance(s, Box)][-len(code.dark) - 1 :]
    module = min(rect.h for rect in runs)
    assert module >= 3, "a telephone reads it"
    assert all(window.holds(s.rect) for s in picture.shapes if isinstance(s, Box | Text))
    assert [target.action for target in picture.targets] == [close()]
    said = " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))
    assert "Scan with a phone to see every board of the club." in said


def test_the_menu_leads_there_where_there_is_a_wall() -> None:
    shown = shown_in("nannon-moving")
    for address, there in (("", False), (ADDRESS, True)):
        picture = compose(at(shown, address), Ui(Page.MENU), (800, 480), Fonts().measure, Us(0))
        assert (open_page(Page.WALL) in [target.action for target in picture.targets]) is there
