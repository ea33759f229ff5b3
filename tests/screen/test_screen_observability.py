"""Ignored sensors are marked on the board and named in words, whatever else is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from dataclasses import replace

import pytest
from known import BOARDS, FACES, GAMES, load_board
from scenes import FILES
from views import CALM, does, make_view, measure, view_of

from pi_app.base.microseconds import Us
from pi_app.cli.replay import replayed
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Tap
from pi_app.screen.actions import Action, begin_edit, tap_spot
from pi_app.screen.canvas import Disc, Drawing, Line, Shape, Text
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.pages.play import choices
from pi_app.screen.theme import FELT_TEXT
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.sensing.trust import Health, PossibleFault

NOW = Us(1234)
SIZES = [(800, 480), (480, 800), (1280, 800)]


def drawn(game: str, size: tuple[int, int], off: tuple[str, ...], page: Page) -> Drawing[Action]:
    board = load_board(BOARDS[game])
    view = view_of(game, sensors_off=tuple(map(Sensor, off)))
    shown = Shown(board, FACES, view)
    edit = begin_edit(shown, view) if page is Page.EDITOR else None
    return compose(shown, Ui(page, edit=edit), size, measure, Us(0))


def words(shapes: Iterable[Shape]) -> str:
    return " ".join(shape.text for shape in shapes if isinstance(shape, Text))


def rings(shapes: Iterable[Shape]) -> list[tuple[float, float]]:
    """The middles of the broken rings: ten dashes each."""
    dashes = [
        shape.points
        for shape in shapes
        if isinstance(shape, Line) and shape.colour == FELT_TEXT and len(shape.points) == 4
    ]
    assert len(dashes) % 10 == 0
    groups = [dashes[first : first + 10] for first in range(0, len(dashes), 10)]
    ends = [[dash[0] for dash in ring] for ring in groups]
    return [(sum(x for x, _ in ring) / 10, sum(y for _, y in ring) / 10) for ring in ends]


def some_sensors(game: str) -> tuple[Sensor, ...]:
    """Every seventh, of the spots that the game is played on."""
    board, played = load_board(BOARDS[game]), view_of(game).standing
    return tuple(sensor for sensor in board.sensors if board.spot_of[sensor] in played)[1::7]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_each_place_that_is_not_seen_has_a_ring_of_its_own(
    game: str, size: tuple[int, int]
) -> None:
    off = some_sensors(game)
    spot_of = load_board(BOARDS[game]).spot_of
    picture = drawn(game, size, off, Page.EDITOR)
    rooms = {t.action.given[0]: t.rect for t in picture.targets if does(t.action, tap_spot)}
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
    shown = Shown(load_board("nannon-6"), FACES, view)
    for size in SIZES:
        picture = compose(shown, Ui(Page.PLAY), size, measure, Us(0))
        assert "Sensor off: 2, 5" in words(picture.shapes)


def test_of_many_the_first_are_named() -> None:
    off = ("a1", "b2", "c3", "d4", "e5")
    assert "Sensor off: a1, b2, c3, 2 more" in words(
        drawn("cannon", (800, 480), off, Page.PLAY).shapes
    )


def test_a_device_that_is_away_is_said_first() -> None:
    view = make_view(sensors_off=("2",))
    shown = Shown(load_board("nannon-6"), FACES, view, away=("OLED",))
    said = words(compose(shown, Ui(Page.PLAY), (800, 480), measure, Us(0)).shapes)
    assert "! No answer from the OLED; Spotter keeps trying · Sensor off: 2" in said


def test_each_reason_has_words_and_a_sign_of_its_own() -> None:
    calm = make_view()
    views = {
        "turned off": replace(calm, sensors_off=(Sensor("3"),)),
        "chattering": replace(calm, chattering=(Sensor("3"),)),
        "ignored": replace(calm, doubted=(Sensor("3"),)),
    }
    signs = set()
    shown = Shown(load_board("nannon-6"), FACES, make_view())
    for why, view in views.items():
        shapes = compose(replace(shown, view=view), Ui(Page.PLAY), (800, 480), measure, NOW).shapes
        assert f"Sensor {why.removeprefix('turned ')}: 3" in words(shapes)
        badge = next(i for i, s in enumerate(shapes) if isinstance(s, Disc) and s.edge == FELT_TEXT)
        sign = shapes[badge + 1]
        signs.add((type(sign), len(sign.points) if isinstance(sign, Line) else 0))
        ui = Ui(Page.SENSORS, sensor=Sensor("3"))
        page = compose(replace(shown, view=view), ui, (800, 480), measure, NOW)
        assert f"open · {why}" in words(page.shapes)
    assert len(signs) == len(views)


def test_the_sensors_page_says_what_is_likely_wrong_the_likeliest_first() -> None:
    dead, unsteady, *others = (
        PossibleFault(Sensor("4"), Health.DEAD, 97),
        PossibleFault(Sensor("2"), Health.UNSTEADY, 12),
        PossibleFault(Sensor("5"), Health.STUCK, 2),
        PossibleFault(Sensor("1"), Health.STUCK, 1),
    )
    view = make_view(
        suspects=("4",), doubted=("4", "2"), faults=(dead, unsteady, *others), closed={"2", "5"}
    )
    shown = Shown(load_board("nannon-6"), FACES, view, status=("All is well",))
    for size in SIZES:
        picture = compose(shown, Ui(Page.SENSORS), size, measure, NOW)
        said = words(picture.shapes)
        assert "Maybe faulty: 4 (97\xa0% dead), 2 (12\xa0% unsteady), 2 more All is well" in said
    of_each = {
        "1": "open · in use · 1\xa0% stuck",
        "2": "closed · ignored · 12\xa0% unsteady",
        "3": "open · in use",
        "4": "open · ignored · 97\xa0% dead",
        "5": "closed · in use · 2\xa0% stuck",
    }
    for sensor, told in of_each.items():
        ui = Ui(Page.SENSORS, sensor=Sensor(sensor))
        assert told in words(compose(shown, ui, (1280, 800), measure, NOW).shapes)


def test_the_sensors_page_says_nothing_of_sensors_that_are_right() -> None:
    shown = Shown(load_board("nannon-6"), FACES, make_view())
    assert "Perhaps" not in words(compose(shown, Ui(Page.SENSORS), (800, 480), measure, NOW).shapes)


# A sensor that may be right again ------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "answer", "left"),
    [("Use sensor 3", Act.SENSOR_ON, ()), ("Keep 3 off", Act.SENSOR_OFF, ("3",))],
)
def test_the_next_game_asks_whether_a_sensor_is_right_again(
    label: str, answer: Act, left: tuple[str, ...]
) -> None:
    *_, (_, referee) = replayed(GAMES, str(FILES["nannon-sensor-again"]))
    board, now = load_board("nannon-6"), referee.view.us
    shown = Shown(board, FACES, referee.view)
    picture = compose(shown, Ui(Page.PLAY), (800, 480), measure, NOW)
    assert "Sensor 3 is off. Use it again?" in words(picture.shapes)
    (place,) = (one.rect for one in picture.targets if one.means == (label, one.action))
    _, (tap,) = touched(picture, FingerDown(*place.centre), Ui(Page.PLAY), shown, now)
    assert tap == Tap(now, answer, sensor=Sensor("3"))
    referee.handle(tap)
    view = referee.view
    assert view.sensors_off == left
    assert "right again?" not in words(
        compose(Shown(board, FACES, view), Ui(Page.PLAY), (800, 480), measure, NOW).shapes
    )


def test_a_sensor_that_has_been_right_since_is_proposed() -> None:
    view = make_view(sensors_off=("3",), healed=("3",))
    shown = Shown(load_board("nannon-6"), FACES, view)
    said = words(compose(shown, Ui(Page.PLAY), (800, 480), measure, NOW).shapes)
    assert "Sensor 3 works again: Menu, Sensors" in said
    ui = Ui(Page.SENSORS, sensor=Sensor("3"))
    said = words(compose(shown, ui, (800, 480), measure, NOW).shapes)
    assert "open · turned off · works again" in said


@pytest.mark.parametrize("phase", [Phase.SET_UP, Phase.OPENING_THROW, Phase.TO_ROLL, Phase.MOVING])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_question_stands_below_the_words(game: str, phase: Phase) -> None:
    beside: tuple[Set[Act], ...] = (frozenset(), {Act.DOUBLE}, {Act.TAKE_BACK})
    for more in beside:
        for board in (BoardState.RESTING, BoardState.PLAYED):
            offers = CALM - {Act.TAKE_BACK} | more
            view = view_of(
                game, phase=phase, board=board, ask_back=("x",), suspects=("y",), offers=offers
            )
            labels = [choice.label for choice in choices(view).further]
            assert labels == ["Use sensor x", "Keep x off"]
