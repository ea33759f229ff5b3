"""The foot of the sensors' page: how the board's electronics are, and how sure a play is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import FACES, load_board
from scenes import STATUS
from views import make_view

from pi_app.base.microseconds import ms
from pi_app.screen.canvas import Drawing, Text
from pi_app.screen.compose import compose
from pi_app.screen.pages.sensors import percent
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
def test_the_status_stands_at_the_foot_of_the_card(
    size: tuple[int, int],
) -> None:
    picture = drawn(replace(SHOWN, status=STATUS), size)
    first, second = [text for text in texts(picture) if text.text.startswith(("24 ×", "0 bad"))]
    told = next(text for text in texts(picture) if text.text == "Tap a sensor.")
    assert told.rect.bottom <= first.rect.y < second.rect.y
    assert second.rect.bottom <= picture.targets[-1].rect.y


@pytest.mark.parametrize("size", SIZES)
def test_without_a_status_the_sensors_have_the_room(size: tuple[int, int]) -> None:
    with_it, without = drawn(replace(SHOWN, status=STATUS), size), drawn(SHOWN, size)
    assert len(texts(with_it)) > len(texts(without))
    assert len(with_it.targets) == len(without.targets)


@pytest.mark.parametrize("status", [STATUS, ()])
def test_its_first_line_says_how_sure_the_play_is_that_is_shown(status: tuple[str, ...]) -> None:
    sure = replace(SHOWN, view=make_view(confidence=0.999998731), status=status)
    said = [text.text for text in texts(drawn(sure, (1280, 720)))]
    assert "Confidence 99.9998\u00a0%" in said
    words = " ".join(said)
    assert [line for line in STATUS if line in words] == [*status]


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
    assert percent(confidence) == f"{told}\u00a0%"
