"""Cannon on the screen: points where they are on the real board, towns, shots, boxes."""

from __future__ import annotations

import pytest
from known import FACES, load_board
from scenes import view_in
from views import MIDDLE, measure, view_of

from pi_app.base.microseconds import ms
from pi_app.referee.view import View
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.boards.cannon import draw_cannon
from pi_app.screen.boards.marks import Drawn, marks_of
from pi_app.screen.canvas import Box, Canvas, Disc, Drawing, Line, Point, Poly, Rect, Shape, Text
from pi_app.screen.compose import compose
from pi_app.screen.pieces import checker, town
from pi_app.screen.theme import AMBER, FELT_TEXT, PIT, TEAL, VERMILION, Colour
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.reading import BoardState

BOARD = load_board("cannon-10")
FILES = "abcdefghij"
WIDE, UPRIGHT = (800, 480), (720, 1280)


def drawn(
    view: View, size: tuple[int, int] = WIDE, turned: bool = False
) -> tuple[Drawn, tuple[Shape, ...]]:
    canvas: Canvas[Action] = Canvas(size, measure)
    room = Rect(20, 80, min(size) * 9 // 10, min(size) * 8 // 10)
    places = draw_cannon(canvas, room, BOARD, marks_of(view, 1.0), turned=turned)
    return places, canvas.picture(Page.PLAY).shapes


def at(places: Drawn, spot: str) -> Point:
    return places.spots[Spot.read(spot)].centre


def picture_of(view: View, size: tuple[int, int] = WIDE) -> Drawing[Action]:
    return compose(Shown(BOARD, FACES, view), Ui(Page.PLAY), size, measure, ms(1_000_000))


@pytest.mark.parametrize("size", [WIDE, UPRIGHT], ids=str)
@pytest.mark.parametrize("turned", [False, True])
def test_points_lie_as_on_the_real_board(size: tuple[int, int], turned: bool) -> None:
    places, _ = drawn(view_of("cannon"), size, turned)
    files = [at(places, f"{file}4")[0] for file in FILES]
    rows = [at(places, f"d{row}")[1] for row in range(1, 11)]
    assert files == sorted(files, reverse=turned)
    assert rows == sorted(rows, reverse=not turned)
    assert len(places.spots) == 102
    assert len(set(places.spots.values())) == 102


@pytest.mark.parametrize("turned", [False, True])
def test_every_file_and_row_is_named_beside_its_line(turned: bool) -> None:
    places, shapes = drawn(view_of("cannon"), turned=turned)
    names = {shape.text: shape.rect.centre for shape in shapes if isinstance(shape, Text)}
    for file in FILES:
        assert abs(names[file][0] - at(places, f"{file}1")[0]) <= 1
    for row in range(1, 11):
        assert abs(names[str(row)][1] - at(places, f"a{row}")[1]) <= 1
        assert names[str(row)][0] < min(at(places, "a1")[0], at(places, "j1")[0])


def test_each_sides_box_lies_beside_its_own_end() -> None:
    for turned in (False, True):
        places, _ = drawn(view_of("cannon"), turned=turned)
        light, dark = at(places, "off.white"), at(places, "off.black")
        assert (light[1] < dark[1]) is (at(places, "a10")[1] < at(places, "a1")[1])


def test_a_town_is_one_square_keep_and_no_soldier() -> None:
    keeps = town((50, 50), 14, Side.WHITE)
    assert all(isinstance(shape, Box) for shape in keeps)
    assert all(isinstance(shape, Disc) for shape in checker((50, 50), 14, Side.WHITE))
    places, shapes = drawn(view_of("cannon", MIDDLE))
    for spot in ("e10", "f1"):
        near = [s for s in shapes if isinstance(s, Disc) and s.centre == at(places, spot)]
        assert near == []
    e10 = [
        s
        for s in shapes
        if isinstance(s, Box) and s.rect.w < 60 and places.spots[Spot.read("e10")].holds(s.rect)
    ]
    assert len(e10) == len(keeps)


def test_a_town_waits_in_its_box_until_it_is_placed() -> None:
    def keeps(view: View) -> int:
        places, shapes = drawn(view)
        box = places.spots[Spot.read("off.white")]
        return sum(isinstance(s, Box) and s.rect.w < 40 and box.holds(s.rect) for s in shapes)

    assert keeps(view_of("cannon")) > 0
    assert keeps(view_of("cannon", MIDDLE)) == 0


def test_a_box_counts_the_soldiers_that_were_taken() -> None:
    missing = MIDDLE.replace("/xx..x...xx/", "/....x...xx/")
    places, shapes = drawn(view_of("cannon", missing))
    box = places.spots[Spot.read("off.black")]
    counts = [s.text for s in shapes if isinstance(s, Text) and box.holds(s.rect)]
    assert "2" in counts


def test_a_shot_is_a_broken_line_from_the_cannon_and_a_cross_on_its_target() -> None:
    places, shapes = drawn(view_in("cannon-shot"))
    lines = [s for s in shapes if isinstance(s, Line)]
    barrel = [s for s in lines if s.points == (at(places, "h8"), at(places, "h6"))]
    assert [s.colour for s in barrel] == [TEAL]
    dashes = [s for s in lines if s.colour == TEAL and s not in barrel]
    ends = [point[1] for dash in dashes for point in dash.points]
    assert len(dashes) >= 2
    assert min(ends) == at(places, "h6")[1]
    assert max(ends) == pytest.approx(at(places, "h3")[1])
    crosses = [s for s in lines if s.colour == VERMILION]
    middles = {
        (round((a[0] + b[0]) / 2), round((a[1] + b[1]) / 2)) for a, b in (s.points for s in crosses)
    }
    assert middles == {at(places, "h3")}


@pytest.mark.parametrize(
    ("origin", "target", "hit"), [("c7", "c6", False), ("c5", "d5", True), ("h8", "h5", False)]
)
def test_a_soldiers_way_is_an_arrow_that_points_at_where_it_stands(
    origin: str, target: str, hit: bool
) -> None:
    move = Move(Spot.read(origin), Spot.read(target), hit)
    places, shapes = drawn(
        view_of("cannon", MIDDLE, board=BoardState.PLAYED, moves=(move,), play="-")
    )
    (head,) = (s for s in shapes if isinstance(s, Poly))
    start, end, tip = at(places, origin), at(places, target), head.points[0]
    assert head.colour == TEAL
    reach = [abs(tip[i] - end[i]) for i in (0, 1)]
    assert max(reach) < places.spots[Spot.read(target)].h // 2 + 1
    cross_product = (end[0] - start[0]) * (tip[1] - start[1])
    assert cross_product == pytest.approx((end[1] - start[1]) * (tip[0] - start[0]), abs=1)


def test_an_illegal_shot_is_an_arrow_to_the_box() -> None:
    move = Move(Spot.read("e3"), Spot.read("off.black"))
    places, shapes = drawn(view_of("cannon", MIDDLE, board=BoardState.WRONG, moves=(move,)))
    (head,) = (s for s in shapes if isinstance(s, Poly))
    assert head.colour == VERMILION
    assert abs(head.points[0][0] - at(places, "off.black")[0]) < 40


def ringed(places: Drawn, shapes: tuple[Shape, ...], colour: Colour) -> set[str]:
    centres = {s.centre for s in shapes if isinstance(s, Disc) and s.edge == colour and not s.fill}
    return {str(spot) for spot, rect in places.spots.items() if rect.centre in centres}


def test_marks_stand_on_their_points() -> None:
    wrong = view_of(
        "cannon",
        MIDDLE,
        board=BoardState.WRONG,
        moves=(Move(Spot.read("a6"), Spot.read("a3")),),
        fill=(Spot.read("a6"), Spot.read("e10")),
        clear=(Spot.read("a3"), Spot.read("off.white")),
        sensors_off=("e5", "j10", "a1"),
        suspects=("d10",),
    )
    places, shapes = drawn(wrong)
    assert ringed(places, shapes, VERMILION) == {"a3"}
    assert ringed(places, shapes, TEAL) == {"a6", "e10"}
    off = [
        s
        for s in shapes
        if isinstance(s, Disc) and s.edge == FELT_TEXT and s.centre > at(places, "e5")
    ]
    assert off
    places, shapes = drawn(view_in("cannon-town"))
    assert ringed(places, shapes, AMBER) == {f"{file}10" for file in "bcdefghi"}


def test_a_lifted_town_leaves_no_soldier_behind() -> None:
    """Half of its two pieces is no soldier."""
    view = view_of("cannon", MIDDLE, board=BoardState.IN_HAND, lifted=(Spot.read("e10"),))
    half = {**view.accepted, Spot.read("e10"): (Side.WHITE,)}
    places, shapes = drawn(view_of("cannon", MIDDLE, lifted=(Spot.read("e10"),), standing=half))
    discs = [s for s in shapes if isinstance(s, Disc) and s.centre == at(places, "e10")]
    assert {s.fill for s in discs} == {PIT, None}


def test_on_a_wide_screen_the_words_stand_beside_the_board() -> None:
    picture = picture_of(view_in("cannon-middle"))
    wood = max((s.rect for s in picture.shapes[1:] if isinstance(s, Box)), key=lambda r: r.w * r.h)
    (message,) = (s for s in picture.shapes if isinstance(s, Text) and s.text == "Ada to move")
    assert wood.h > 0.8 * 480
    assert message.rect.x > wood.right


def test_upright_the_words_stand_below_the_board() -> None:
    picture = picture_of(view_in("cannon-middle"), UPRIGHT)
    wood = max((s.rect for s in picture.shapes[1:] if isinstance(s, Box)), key=lambda r: r.w * r.h)
    (message,) = (s for s in picture.shapes if isinstance(s, Text) and s.text == "Ada to move")
    assert wood.w > 0.9 * 720
    assert message.rect.y > wood.bottom
