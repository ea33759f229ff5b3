"""Colours can be told apart and read."""

from __future__ import annotations

import pytest

from pi_app.screen import theme
from pi_app.screen.theme import contrast, mix

PAIRS = [
    ("IVORY", "GROUND"),
    ("IVORY", "BAND"),
    ("IVORY", "KEY"),
    ("IVORY", "FELT"),
    ("IVORY", "WARNING"),
    ("DIM", "GROUND"),
    ("DIM", "BAND"),
    ("FELT_TEXT", "FELT"),
    ("FELT_TEXT", "PIT"),
    ("INK", "TEAL"),
    ("INK", "DIE_FACE"),
    ("WARNING_TEXT", "WARNING"),
    ("WARNING_TEXT", "GROUND"),
]


def test_contrast_runs_from_one_to_twenty_one() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((9, 9, 9), (9, 9, 9)) == 1
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(text: str, ground: str) -> None:
    colours = vars(theme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("mark", ["TEAL", "VERMILION", "AMBER"])
def test_marks_stand_out_from_what_they_lie_on(mark: str) -> None:
    """Three to one is what WCAG asks of graphics."""
    for ground in ("PIT", "FELT", "BAND"):
        colours = vars(theme)
        assert contrast(colours[mark], colours[ground]) >= (3 if ground != "FELT" else 2.5)


def test_mixing_goes_from_the_first_to_the_second() -> None:
    assert mix((0, 0, 0), (200, 100, 50), 0) == (0, 0, 0)
    assert mix((0, 0, 0), (200, 100, 50), 0.5) == (100, 50, 25)
    assert mix((0, 0, 0), (200, 100, 50), 1) == (200, 100, 50)
