"""The sensors' page: every reed of every board, its state, and the walk test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from known import FACES, load_board
from scenes import STATUS
from shares import paired
from test_layout import SIZES, faults
from views import key_pressed, measure, view_of

from pi_app.base.microseconds import ENDLESS, Us, ms
from pi_app.boards import board_names
from pi_app.languages import LANGUAGES, load_language
from pi_app.match.acts import Act
from pi_app.referee.events import Tap
from pi_app.screen.actions import Action, leave_sensors, look_at, open_sensors
from pi_app.screen.boards.reeds import ReedMarks, Walked, apart, draw_reed, places_of
from pi_app.screen.canvas import Canvas, Disc, Drawing, Line, Rect, Shape, Text
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.observability import Unseen
from pi_app.screen.pages.sensors import AROUND, LEGEND, LEGEND_ROWS
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Inspected, Page, Shown, Ui, WalkTest, see
from pi_app.sensing.description import Sensor
from pi_app.sensing.trust import Health, PossibleFault
from pi_app.sensing.walk import Ask, Finding, Flaw, Walk, WalkStage, report
from pi_app.user.commands import Inspect

GAME_ON = {board: load_board(board).games.first.name for board in board_names()}
EVERY = sorted(board_names())
NOW = ms(1234)


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def in_match(board: str, **changes: Any) -> Shown:
    """The start of a game on a board: its reeds closed by what stands there."""
    view = view_of(GAME_ON[board])
    closed = load_board(board).closed_by(view.standing)
    return Shown(load_board(board), FACES, replace(view, closed=closed, **changes), status=STATUS)


def troubled(board: str) -> Shown:
    """Everything that can be wrong with a board's sensors at once."""
    one, two, three, four, *_, last = load_board(board).sensors
    return in_match(
        board,
        sensors_off=(one, last),
        doubted=(two, three),
        chattering=(four,),
        suspects=(two,),
        faults=(PossibleFault(two, Health.DEAD, 97), PossibleFault(three, Health.UNSTEADY, 12)),
        healed=(one,),
        confidence=0.999998731,
    )


def walked(board: str, stage: WalkStage) -> Shown:
    """Half a walk test of a board that has some flaws; when it is over, its report."""
    sensors = load_board(board).sensors
    walk = Walk(load_board(board), Us(0), frozenset(sensors[3:5]))
    findings = (
        Finding(Flaw.WRONG, sensors[0], (sensors[1],)),
        Finding(Flaw.WRONG, sensors[1], (sensors[0],)),
        Finding(Flaw.CHATTER, sensors[2], edges=14, settled=ms(61)),
    )
    asks = {
        WalkStage.CLEAR: Ask(stage, None, sensors[3:5]),
        WalkStage.PUT: Ask(stage, sensors[3], sensors[4:5]),
        WalkStage.TAKE: Ask(stage, sensors[3]),
        WalkStage.OVER: Ask(stage),
    }
    lines = report(walk) if stage is WalkStage.OVER else ()
    test = WalkTest(asks[stage], sensors[:3], findings, lines)
    return Shown(load_board(board), FACES, inspected=Inspected(frozenset(sensors[3:5]), test))


def words(shapes: Iterable[Shape]) -> str:
    return " ".join(shape.text for shape in shapes if isinstance(shape, Text))


def scenes_of(board: str) -> dict[str, tuple[Shown, Ui]]:
    chosen = load_board(board).sensors[1]
    scenes = {
        "troubled": (troubled(board), Ui(Page.SENSORS)),
        "one": (troubled(board), Ui(Page.SENSORS, sensor=chosen)),
        "walk later": (troubled(board), Ui(Page.SENSORS, walk_asked=True)),
        "before": (Shown(load_board(board), FACES), Ui(Page.SENSORS)),
        "away": (replace(troubled(board), away=("OLED", "sensors")), Ui(Page.SENSORS)),
    }
    scenes |= {
        f"walk {stage.name}": (walked(board, stage), Ui(Page.SENSORS)) for stage in WalkStage
    }
    return scenes | {"walked one": (walked(board, WalkStage.PUT), Ui(Page.SENSORS, sensor=chosen))}


@pytest.mark.parametrize(
    ("board", "language", "size"), paired(3, EVERY, sorted(LANGUAGES), SIZES), ids=str
)
def test_it_is_whole_at_every_size_in_every_language(
    board: str, language: str, size: tuple[int, int], fonts: Fonts
) -> None:
    for name, (shown, ui) in scenes_of(board).items():
        shown_so = replace(shown, language=load_language(language))
        picture = compose(shown_so, ui, size, fonts.measure, now=ENDLESS)
        assert faults(picture) == [], name
        assert picture.targets[-1].action == leave_sensors(), name


@pytest.mark.parametrize(("board", "size"), paired(7, EVERY, SIZES), ids=str)
def test_every_reed_can_be_tapped(board: str, size: tuple[int, int], fonts: Fonts) -> None:
    """A place that tells the sides shows one of its two sensors at a tap, the other at the next."""
    shown = troubled(board)
    picture = compose(shown, Ui(Page.SENSORS), size, fonts.measure, now=ENDLESS)
    for reed in shown.board.reeds:
        looks = {look_at(sensor) for sensor in reed.sensors}
        (place,) = (one.rect for one in picture.targets if one.action in looks)
        looked, ui, now = set[Sensor | None](), Ui(Page.SENSORS), picture
        for _ in reed.sensors:
            ui, outputs = touched(now, FingerDown(*place.centre), ui, shown, NOW)
            looked.add(ui.sensor)
            assert outputs == ()
            now = picture if len(looks) == 1 else compose(shown, ui, size, fonts.measure, ENDLESS)
        assert looked == {*reed.sensors}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("board", EVERY)
def test_reeds_lie_as_on_the_board(board: str, turned: bool) -> None:
    there = load_board(board)
    at = places_of(Rect(0, 0, 500, 400), there, turned=turned)
    mm = {reed.name: reed.at for reed in there.reeds}
    way = -1 if turned else 1
    for one in [*mm][::7]:
        for other in mm:
            if mm[one][0] < mm[other][0]:
                assert way * at[one][0] < way * at[other][0]
            if mm[one][1] < mm[other][1]:
                assert way * at[one][1] > way * at[other][1]


@pytest.mark.parametrize("size", [(400, 240), *SIZES], ids=str)
@pytest.mark.parametrize("board", EVERY)
def test_of_a_rail_all_names_are_written_or_none(
    board: str, size: tuple[int, int], fonts: Fonts
) -> None:
    for page in (Page.SENSORS, Page.TOUR):
        shown, spots = Shown(load_board(board), FACES), load_board(board).places
        names = {str(place.spot) for place in spots if place.reeds}
        picture = compose(shown, Ui(page), size, fonts.measure, NOW)
        rails = [s.rect.y for s in picture.shapes if isinstance(s, Text) and s.text in names]
        assert len({rails.count(y) for y in rails}) <= 1


def test_squares_around_points_are_as_large_as_they_may_be() -> None:
    at = {Sensor("a"): (0, 0), Sensor("b"): (40, 10), Sensor("c"): (45, 90), Sensor("d"): (400, 0)}
    assert apart(at) == 40
    assert apart({Sensor("a"): (0, 0), Sensor("b"): (5, 70)}) == 70


def drawn(marks: ReedMarks) -> tuple[tuple[object, ...], ...]:
    """The shapes of one reed without their colours."""
    canvas: Canvas[Action] = Canvas((800, 480), measure)
    draw_reed(canvas, (100, 100), 20, Sensor("4"), marks)
    return tuple(_colourless(shape) for shape in canvas.picture(Page.SENSORS).shapes[1:])


def _colourless(shape: Shape) -> tuple[object, ...]:
    form = (getattr(shape, name, None) for name in ("rect", "points", "centre", "radius", "text"))
    return type(shape), *form


def test_every_state_is_told_by_shapes_and_not_by_colours_alone() -> None:
    sensor = Sensor("4")
    states = [
        ReedMarks(),
        ReedMarks(frozenset({sensor})),
        ReedMarks(suspects=frozenset({sensor})),
        ReedMarks(chosen=sensor),
        *(ReedMarks(unseen={sensor: why}) for why in Unseen),
        *(ReedMarks(walked={sensor: walked}) for walked in Walked),
    ]
    assert len({drawn(state) for state in states}) == len(states)


def test_the_legend_explains_every_sign(fonts: Fonts) -> None:
    picture = compose(in_match("tables-24"), Ui(Page.SENSORS), (800, 480), fonts.measure, NOW)
    for sentence, _ in LEGEND:
        assert sentence() in words(picture.shapes)


@pytest.mark.parametrize("row", LEGEND_ROWS)
def test_no_sign_of_the_legend_is_higher_than_its_row(row: int) -> None:
    for _, marks in LEGEND:
        canvas: Canvas[Action] = Canvas((800, 480), measure)
        draw_reed(canvas, (100, 100), row // 2 - AROUND, Sensor(""), marks)
        ends = [y for shape in canvas.picture(Page.SENSORS).shapes[1:] for y in ends_of(shape)]
        assert max(ends) - min(ends) <= row + 1


def ends_of(shape: Shape) -> Iterator[float]:
    """How high and how low a sign reaches."""
    if isinstance(shape, Disc):
        yield from (shape.centre[1] - shape.radius, shape.centre[1] + shape.radius)
    elif isinstance(shape, Line):
        yield from (y for _, y in shape.points)


def picture_of(shown: Shown, ui: Ui) -> Drawing[Action]:
    return compose(shown, ui, (800, 480), measure, NOW)


def taps(label: str, shown: Shown, ui: Ui) -> tuple[Ui, tuple[object, ...]]:
    picture = picture_of(shown, ui)
    (target,) = (t for t in picture.targets if t.means == (label, t.action))
    return touched(picture, FingerDown(*target.rect.centre), ui, shown, NOW)


def test_what_is_believed_of_a_reed_and_how_it_is_set_aside() -> None:
    shown, ui = troubled("tables-24"), Ui(Page.SENSORS, sensor=Sensor("1.2"))
    said = words(picture_of(shown, ui).shapes)
    assert "97\u00a0% dead" in said
    assert "spot 1, place 2 of 5" in said
    assert "row 0, column 1" in said
    after, outputs = taps("Turn off", shown, ui)
    assert outputs == (Tap(NOW, Act.SENSOR_OFF, sensor=Sensor("1.2")),)
    assert after == ui


def test_a_second_tap_tells_of_all_again() -> None:
    shown, ui = troubled("tables-24"), Ui(Page.SENSORS)
    ui, _ = look_at(Sensor("1.2")).act(ui, shown, NOW)
    assert ui.sensor == "1.2"
    assert look_at(Sensor("1.2")).act(ui, shown, NOW)[0].sensor is None


def test_in_a_match_it_says_when_the_walk_test_can_be_made() -> None:
    shown = in_match("nannon-6")
    ui, outputs = taps("Walk test", shown, Ui(Page.SENSORS, sensor=Sensor("3")))
    assert outputs == ()
    assert "quit, restart" in words(picture_of(shown, ui).shapes)


def test_before_a_match_the_program_looks_and_walks() -> None:
    shown = Shown(load_board("nannon-6"), FACES)
    ui, outputs = open_sensors().act(Ui(), shown, NOW)
    assert (ui.page, outputs) == (Page.SENSORS, (Inspect.LOOK,))
    assert taps("Walk test", shown, ui)[1] == (Inspect.WALK,)
    walking = walked("nannon-6", WalkStage.PUT)
    assert taps("Skip this sensor", walking, ui)[1] == (Inspect.SKIP,)
    assert taps("Test again", walked("nannon-6", WalkStage.OVER), ui)[1] == (Inspect.WALK,)
    for left in (taps("Back", shown, ui), key_pressed("escape", ui, shown)):
        assert (left[0].page, left[1]) == (Page.START, (Inspect.STOP,))


def test_it_says_when_the_sensors_do_not_answer() -> None:
    shown = replace(in_match("tables-24"), away=("sensors",), status=())
    assert "No answer from the sensors" in words(picture_of(shown, Ui(Page.SENSORS)).shapes)


@pytest.mark.parametrize("page", [Page.SENSORS, Page.RULES, Page.TOUR])
def test_a_match_that_begins_closes_what_is_open(page: Page) -> None:
    assert see(Ui(page), view_of("nannon"), NOW).page is Page.PLAY


def test_the_walk_tells_what_to_do_and_what_it_found() -> None:
    said = words(picture_of(walked("nannon-6", WalkStage.TAKE), Ui(Page.SENSORS)).shapes)
    assert "4 closed: lift the checker off spot 4" in said
    assert "3 of 6 sensors tested" in said
    assert "3 (gpio 22): chatters: 14 edges" in said
