"""The foot of the sensors' page: how the board's electronics are, and how sure a play is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import FACES, load_board
from scenes import STATUS
from views import make_view

from pi_app.microseconds import ms
from pi_app.screen.canvas import Drawing
from pi_app.screen.compose import compose
from pi_app.screen.pages.sheets import percent
from pi_app.screen.shapes import Text
from pi_app.screen.ui import Page, Shown, Ui

SHOWN = Shown(load_board("nannon-6"), FACES, make_view())
SIZES = [(800, 480), (480, 800), (1280, 720)]


def measure(text: str, size: int, bold: bool) -> tuple[int, int]:
    return round(len(text) * size * 0.55), size


def drawn(shown: Shown, size: tuple[int, int]) -> Drawing:  # type: ignore[type-arg]
    return compose(shown, Ui(Page.SENSORS), size, measure, ms(0))


def texts(picture: Drawing) -> list[Text]:  # type: ignore[type-arg]
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", SIZES)
def test_the_status_stands_below_the_sensors_and_above_the_button(size: tuple[int, int]) -> None:
    picture = drawn(replace(SHOWN, status=STATUS), size)
    first, second = [text for text in texts(picture) if text.text.startswith(("24 ×", "0 bad"))]
    sensors = [target.rect for target in picture.targets[: len(SHOWN.board.sensors)]]
    button = picture.targets[-1].rect
    assert max(rect.bottom for rect in sensors) <= first.rect.y < second.rect.y
    assert second.rect.bottom <= button.y


@pytest.mark.parametrize("size", SIZES)
def test_without_a_status_the_sensors_have_the_room(size: tuple[int, int]) -> None:
    with_it, without = drawn(replace(SHOWN, status=STATUS), size), drawn(SHOWN, size)
    assert len(texts(with_it)) > len(texts(without))
    assert len(with_it.targets) == len(without.targets)


@pytest.mark.parametrize("status", [STATUS, ()])
def test_its_first_line_says_how_sure_the_play_is_that_is_shown(status: tuple[str, ...]) -> None:
    sure = replace(SHOWN, view=make_view(confidence=0.999998731), status=status)
    said = [text.text for text in texts(drawn(sure, SIZES[0]))]
    assert " · ".join(("Sure of this play: 99.9998 %", *status[:1])) in said
    assert [text for text in said if text in STATUS] == [*status[1:]]


def test_of_a_play_that_a_player_has_named_it_says_nothing() -> None:
    assert [text for text in texts(drawn(SHOWN, SIZES[0])) if "ure" in text.text] == []


@pytest.mark.parametrize(
    ("confidence", "told"),
    [
        (0.999999999, "99.9999999"),
        (0.999998731, "99.9998"),
        (0.9995, "99.95"),
        (0.99, "99.0"),
        (0.851, "85.1"),
    ],
)
def test_a_percentage_ends_with_its_first_digit_that_is_no_nine(
    confidence: float, told: str
) -> None:
    assert percent(confidence) == told
