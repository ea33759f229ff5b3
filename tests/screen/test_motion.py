"""What moves: dice that roll, a checker that glides, and what is painted of it."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from typing import Any

import pytest
from contrasts import contrast
from known import FACES, load_board
from scenes import scene_in
from shares import one_in
from views import view_of

from pi_app.base.microseconds import Us, ms
from pi_app.referee.view import View
from pi_app.rules.terms import Die, Move, Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Marks
from pi_app.screen.canvas import Box, Disc, Drawing, Poly, Rect, Shape, Text
from pi_app.screen.compose import compose
from pi_app.screen.paint import Fonts, Painter, Sprite
from pi_app.screen.pieces import die, tumbling
from pi_app.screen.theme import BLACK_FACE, FELT, Theme
from pi_app.screen.ui import TUMBLE, Page, Shown, Ui, see

pygame = pytest.importorskip("pygame")
SIZE = (800, 480)
FELL = ms(1000)


def rolled(**changes: object) -> View:
    view = view_of("backgammon", roll="64", dice_left=(Die(6), Die(4)))
    return replace(view, message="Ada to play 6-4", hint="Move on the board.", **changes)  # type: ignore[arg-type]


def shown(view: View, **settings: object) -> Shown:
    table = Shown(load_board("tables-24"), FACES, view)
    for name, value in settings.items():
        table = replace(table, settings=table.settings.changed(f"screen.{name}", value))  # type: ignore[arg-type]
    return table


def picture_at(view: View, now: Us, **settings: object) -> Drawing[Action]:
    ui = see(Ui(Page.PLAY), view, FELL)
    return compose(shown(view, **settings), ui, SIZE, Fonts().measure, now)


def said(picture: Drawing[Action]) -> str:
    return " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))


@pytest.mark.parametrize("age_ms", [0, 100, 250, 399])
def test_nothing_tells_a_roll_before_the_dice_lie_still(age_ms: int) -> None:
    onward = (Spot.read("18"), Spot.read("20"))
    way = (Move(Spot.read("24"), Spot.read("18")),)
    for view in (rolled(onward=onward), rolled(to_make=way), rolled(moves_exist=False)):
        rolling, lying = (picture_at(view, Us(FELL + ms(age))) for age in (age_ms, 400))
        assert rolling.rolling
        assert "Ada rolls …" in said(rolling)
        assert "6-4" not in said(rolling)
        assert "Pass" not in said(rolling)
        assert not lying.rolling
        assert "6-4" in said(lying)


def test_without_animations_a_roll_is_told_at_once() -> None:
    picture = picture_at(rolled(), FELL, animations=False)
    assert not picture.rolling
    assert not picture.moving
    assert "6-4" in said(picture)


def test_dice_turn_and_come_to_rest_within_their_time() -> None:
    rect = Rect(100, 100, 46, 46)
    turns = [tumbling(rect, 5, ms(age)) for age in range(0, 400, 20)]
    angles = [turn for _, _, turn in turns]
    assert angles == sorted(angles, reverse=True)
    assert all(angle > 0 for angle in angles)
    assert len({face for _, face, _ in turns}) > 2
    assert tumbling(rect, 5, TUMBLE) == (rect, 5, 0.0)
    assert turns[-1][1] == 5, "the last face is the one that is rolled"


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("side", Side)
def test_a_die_stands_out_from_the_felt_by_body_or_rim(side: Side, theme: Theme) -> None:
    body = die(Rect(100, 100, 46, 46), 6, side)[0]
    assert isinstance(body, Box)
    assert body.edge
    parts = (colour.rgb(theme) for colour in (body.fill, body.edge))
    assert max(contrast(part, FELT.rgb(theme)) for part in parts) >= 3


def test_a_turned_die_is_as_large_as_one_that_lies() -> None:
    rect = Rect(100, 100, 46, 46)
    (body, *pips) = die(rect, 6, Side.WHITE, turn=0.7)
    assert isinstance(body, Poly)
    assert len(pips) == 6
    reach = max(abs(x - 123) for x, _ in body.points)
    assert 23 <= reach <= 33


def test_the_machines_checker_glides_along_its_way_once() -> None:
    way = (Move(Spot.read("24"), Spot.read("18")), Move(Spot.read("13"), Spot.read("9")))
    view = rolled(to_make=way, chosen="24/18 13/9", to_act=Side.BLACK)
    start = Us(FELL + TUMBLE)
    there = [riders(picture_at(view, Us(start + ms(age)))) for age in (100, 300, 500, 800)]
    assert [len(riding) for riding in there] == [1, 1, 1, 1]
    assert len({riding[0] for riding in there}) == 4
    late = picture_at(view, Us(start + ms(900)))
    assert not late.moving
    assert riders(late) == []


def riders(picture: Drawing[Action]) -> list[tuple[int, int]]:
    """Checkers that stand on no place of the board."""
    still = picture_of_the_board()
    return [
        shape.centre
        for shape in picture.shapes
        if isinstance(shape, Disc)
        and shape.lift
        and shape.fill is not None
        and shape.centre not in still
    ]


def picture_of_the_board() -> set[tuple[int, int]]:
    picture = picture_at(rolled(), Us(FELL + ms(5000)))
    return {s.centre for s in picture.shapes if isinstance(s, Disc) and s.lift}


def test_a_part_of_the_machines_play_does_not_start_it_again() -> None:
    whole = (Move(Spot.read("24"), Spot.read("18")), Move(Spot.read("13"), Spot.read("9")))
    ui = see(Ui(Page.PLAY), rolled(to_make=whole), FELL)
    ui = see(ui, rolled(to_make=whole[1:]), Us(FELL + ms(3000)))
    picture = compose(
        shown(rolled(to_make=whole[1:])), ui, SIZE, Fonts().measure, Us(FELL + ms(3010))
    )
    assert not picture.moving


def test_moves_ride_one_after_the_other() -> None:
    marks = Marks({}, {}, rides=True, done=0.5)
    assert [marks.share(number, 3) for number in range(3)] == [1.0, 0.5, 0.0]
    assert Marks({}, {}, done=0.5).share(2, 3) == 0.5


# Only what has changed is painted ------------------------------------------------------------


def pixels(surface: Any) -> bytes:
    return bytes(surface.get_buffer().raw)


@pytest.mark.parametrize("theme", Theme)
def test_what_is_painted_in_parts_is_the_same_as_at_once(theme: Theme) -> None:
    fonts, view = Fonts(), rolled(to_make=(Move(Spot.read("24"), Spot.read("18")),))
    ui = see(Ui(Page.PLAY), view, FELL)
    painter, surface = Painter(fonts), pygame.Surface(SIZE)
    areas = []
    for age in range(0, 1000, 90):
        picture = compose(shown(view), ui, SIZE, fonts.measure, Us(FELL + ms(age)))
        areas.append(painter.paint(surface, picture.shapes, theme))
        whole = pygame.Surface(SIZE)
        Painter(fonts).paint(whole, picture.shapes, theme)
        assert pixels(surface) == pixels(whole)
    assert areas[0].size == SIZE
    assert max(area.w * area.h for area in areas[1:3]) < SIZE[0] * SIZE[1] / 4


def test_another_scene_on_the_same_surface_leaves_nothing_behind() -> None:
    fonts = Fonts()
    painter, surface = Painter(fonts), pygame.Surface(SIZE)
    for name in ("nannon-wrong", "backgammon-moving", "portes-bare", "cannon-moving"):
        table, ui = scene_in(name)
        shapes = compose(table, ui, SIZE, fonts.measure, Us(0)).shapes
        painter.paint(surface, shapes)
        whole = pygame.Surface(SIZE)
        Painter(fonts).paint(whole, shapes)
        assert pixels(surface) == pixels(whole), name


def test_the_same_picture_again_paints_nothing_until_the_window_forgets_it() -> None:
    shapes: tuple[Shape, ...] = (Box(Rect(0, 0, *SIZE), BLACK_FACE),)
    painter, surface = Painter(Fonts()), pygame.Surface(SIZE)
    assert painter.paint(surface, shapes).size == SIZE
    assert painter.paint(surface, shapes).size == (0, 0)
    painter.forget()
    assert painter.paint(surface, shapes).size == SIZE


# Large displays --------------------------------------------------------------------------------

LARGE = [(1920, 1080), (1080, 1920), (2560, 1440)]
WAY = (Move(Spot.read("24"), Spot.read("18")), Move(Spot.read("13"), Spot.read("9")))


class CountingPainter(Painter):
    """Counts the sprites that are painted and not found."""

    made = 0

    def _make(self, key: Shape) -> Sprite:
        self.made += 1
        return super()._make(key)


STEP_MS = 16 * one_in(3)
"""From one picture to the next; at 60 a second each 16."""


class ScenePlayed:
    """A roll and the machine's play after it, painted picture by picture."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._fonts, view = Fonts(), rolled(to_make=WAY, chosen="24/18 13/9", to_act=Side.BLACK)
        self._shown, self._ui = shown(view), see(Ui(Page.PLAY), view, FELL)
        self._surface = pygame.Surface(size)
        self.painter = CountingPainter(self._fonts)

    def paint(self, later: int) -> list[tuple[int, float]]:
        """Sprites and processor seconds of each picture; `later`: milliseconds into the roll."""
        return [self._painted(Us(FELL + ms(at))) for at in range(later, 1300, STEP_MS)]

    def _painted(self, now: Us) -> tuple[int, float]:
        before, began = self.painter.made, time.process_time()
        size = self._surface.get_size()
        picture = compose(self._shown, self._ui, size, self._fonts.measure, now)
        self.painter.paint(self._surface, picture.shapes)
        assert picture.moving
        return self.painter.made - before, time.process_time() - began


@pytest.mark.slow
@pytest.mark.parametrize("size", LARGE, ids=str)
def test_a_moving_picture_paints_no_more_anew_on_a_large_display(size: tuple[int, int]) -> None:
    """All of the board was painted anew for each picture at 1920 x 1080 and above."""
    usual, large = (ScenePlayed(one) for one in (SIZE, size))
    for one in (usual, large):
        one.paint(0)
    few, many = (one.paint(7) for one in (usual, large))
    assert max(made for made, _ in many) <= max(made for made, _ in few) + 2
    assert sum(made for made, _ in many) <= 1.25 * sum(made for made, _ in few)


def test_a_moving_picture_takes_no_much_longer_on_a_large_display() -> None:
    """`tests/lab/run bench` measures it; test machines are busy, so the bound is twice its aim."""
    both = [ScenePlayed(one) for one in (SIZE, LARGE[-1])]
    for one in both:
        one.paint(0)
    rounds = [[one.paint(later) for one in both] for later in (3, 7, 11)]
    usual, large = (
        statistics.median(took for turn in rounds for _, took in turn[which]) for which in (0, 1)
    )
    assert large < 3 * usual


# Light -----------------------------------------------------------------------------------------


def column(shape: Shape, theme: Theme, x: int) -> list[tuple[int, ...]]:
    surface = pygame.Surface((100, 100))
    surface.fill((128, 128, 128))
    Painter(Fonts()).paint(surface, (shape,), theme)
    return [tuple(surface.get_at((x, y)))[:3] for y in range(100)]


def test_light_falls_from_above_and_into_a_hollow_from_below() -> None:
    lit, hollow = (Box(Rect(20, 20, 60, 60), BLACK_FACE, light=light) for light in (0.2, -0.2))
    above, below = (column(lit, Theme.DARK, 50)[y] for y in (25, 75))
    assert above > BLACK_FACE.dark > below
    above, below = (column(hollow, Theme.DARK, 50)[y] for y in (25, 75))
    assert above < BLACK_FACE.dark < below


def test_what_lies_above_its_ground_has_a_soft_shadow_below() -> None:
    lifted = column(Disc((50, 50), 20, BLACK_FACE, lift=4), Theme.DARK, 50)
    assert lifted[73] < (128, 128, 128)
    assert lifted[73] < lifted[77] <= lifted[90]
    assert lifted[26] > lifted[73], "more below than above"


@pytest.mark.parametrize("lift", range(1, 9))
def test_the_thinnest_shapes_can_be_painted(lift: int) -> None:
    """pygame would read beyond a picture one pixel wide."""
    painter, surface = Painter(Fonts()), pygame.Surface((100, 100))
    sizes = [(wide, high) for wide in (0, 1, 2, 3, 4, 5, 60) for high in (0, 1, 2, 3, 4, 5, 60)]
    painter.paint(surface, [Box(Rect(9, 9, *size), BLACK_FACE, lift=lift) for size in sizes])
    painter.paint(surface, [Disc((50, 50), radius, BLACK_FACE, lift=lift) for radius in range(9)])


def test_in_high_contrast_all_is_flat() -> None:
    box = Box(Rect(20, 20, 60, 60), BLACK_FACE, light=0.2, lift=4)
    flat = column(box, Theme.CONTRAST, 50)
    assert set(flat[20:80]) == {BLACK_FACE.contrast}
    assert set(flat[:20] + flat[80:]) == {(128, 128, 128)}
