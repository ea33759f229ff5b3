"""Where Spotter is blind: marked on the board and said in words, whatever else is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest
from cannon_scenes import board_of
from views import make_view, view_of

from pi_app.board.description import Sensor
from pi_app.board.reading import BoardState
from pi_app.boards import load_board
from pi_app.match.phases import Phase
from pi_app.microseconds import Us
from pi_app.rules.registry import GAMES
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Picture
from pi_app.screen.compose import compose
from pi_app.screen.edits import TapSpot, begin_edit
from pi_app.screen.shapes import Line, Shape, Text
from pi_app.screen.theme import FELT_TEXT
from pi_app.screen.ui import Page, Shown, Ui

SIZES = [(800, 480), (480, 800), (1280, 800)]


def measure(text: str, size: int, bold: bool) -> tuple[int, int]:
    return len(text) * size * 6 // 10, size


def drawn(game: str, size: tuple[int, int], off: tuple[str, ...], page: Page) -> Picture[Action]:
    board = load_board(board_of(game))
    view = view_of(game, sensors_off=tuple(map(Sensor, off)))
    edit = begin_edit(view, board) if page is Page.EDITOR else None
    return compose(Shown(board, view), Ui(page, edit=edit), size, measure, Us(0))


def words(shapes: Iterable[Shape]) -> str:
    return " ".join(shape.text for shape in shapes if isinstance(shape, Text))


def rings(shapes: Iterable[Shape]) -> list[tuple[float, float]]:
    """The middles of the broken rings: ten dashes each."""
    dashes = [
        shape.points
        for shape in shapes
        if isinstance(shape, Line) and shape.colour == FELT_TEXT and len(shape.points) == 3
    ]
    assert len(dashes) % 10 == 0
    groups = [dashes[first : first + 10] for first in range(0, len(dashes), 10)]
    ends = [[dash[0] for dash in ring] for ring in groups]
    return [(sum(x for x, _ in ring) / 10, sum(y for _, y in ring) / 10) for ring in ends]


def some_sensors(game: str) -> tuple[Sensor, ...]:
    """Every seventh, of the spots that the game is played on."""
    board, played = load_board(board_of(game)), view_of(game).standing
    return tuple(sensor for sensor in board.sensors if board.spot_of[sensor] in played)[1::7]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_each_place_that_is_not_seen_has_a_ring_of_its_own(
    game: str, size: tuple[int, int]
) -> None:
    off = some_sensors(game)
    spot_of = load_board(board_of(game)).spot_of
    picture = drawn(game, size, off, Page.EDITOR)
    rooms = {t.action.spot: t.rect for t in picture.targets if isinstance(t.action, TapSpot)}
    marked = rings(picture.shapes)
    assert len(set(marked)) == len(off)
    for middle, sensor in zip(marked, off, strict=True):
        assert rooms[spot_of[sensor]].contains(*map(math.floor, middle))
    assert len(rings(drawn(game, size, off, Page.PLAY).shapes)) == len(off)
    assert rings(drawn(game, size, (), Page.PLAY).shapes) == []


@pytest.mark.parametrize(
    ("phase", "board"),
    [(phase, BoardState.RESTING) for phase in Phase]
    + [(Phase.MOVING, board) for board in BoardState],
)
def test_it_is_said_at_all_times(phase: Phase, board: BoardState) -> None:
    view = make_view(phase=phase, board=board, sensors_off=("2", "5"))
    shown = Shown(load_board("nannon-6"), view)
    for size in SIZES:
        picture = compose(shown, Ui(Page.PLAY), size, measure, Us(0))
        assert "Blind at 2, 5 (set aside)" in words(picture.shapes)


def test_of_many_the_first_are_named() -> None:
    off = ("a1", "b2", "c3", "d4", "e5")
    assert "Blind at a1, b2, c3, 2 more (set aside)" in words(
        drawn("cannon", (800, 480), off, Page.PLAY).shapes
    )


def test_a_device_that_is_away_is_said_first() -> None:
    view = make_view(sensors_off=("2",))
    shown = Shown(load_board("nannon-6"), view, away=("OLED",))
    said = words(compose(shown, Ui(Page.PLAY), (800, 480), measure, Us(0)).shapes)
    assert "! No answer from the OLED; Spotter keeps trying · Blind at 2 (set aside)" in said
