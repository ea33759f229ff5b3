"""The board of the tables games: everything at its place, at every size, from both sides."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from known import find_game, load_board
from scenes import LONG_NAMES, named, shown_in
from spots import spots
from test_layout import SIZES, faults
from views import SIZE, TABLES, checkers, draw, measure, tables_view

from pi_app.base.microseconds import ENDLESS
from pi_app.match.acts import Act
from pi_app.match.score import Cube
from pi_app.match.turns import Phase
from pi_app.referee.speech import WAS_IT
from pi_app.referee.view import LastPlay, View
from pi_app.rules.tables.fevga import FEVGA
from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Marks
from pi_app.screen.boards.tables import Layout, Leg, draw_tables, legs
from pi_app.screen.canvas import Box, Canvas, Disc, Line, Poly, Rect, Shape, Text, around
from pi_app.screen.compose import compose
from pi_app.screen.pages.places import play_places
from pi_app.screen.paint import Fonts
from pi_app.screen.pieces import ghost, wanted
from pi_app.screen.theme import (
    AMBER,
    BLACK_FACE,
    FELT_TEXT,
    TEAL,
    TRACE,
    VERMILION,
    WHITE_FACE,
    WOOD_TEXT,
    Colour,
)
from pi_app.screen.ui import Page, Ui
from pi_app.sensing.reading import BoardState
from pi_app.user.settings import Settings
from pi_app.words.sentences import ENGLISH, Numbering

BOARD = Rect(0, 0, 600, 400)
BOARDS = ("tables-24", "tables-24-thrifty")
START = "-b----E-C---eE---c-e----B- w"
HITTING = "-AAB--Fa-a-AaC---cbaaabb-A w"


def layout_of(size: tuple[int, int] = SIZE, board: str = TABLES, turned: bool = False) -> Layout:
    band = play_places(size).board
    return Layout(band, load_board(board), Canvas(size, measure).px, turned=turned)


def faces(shapes: tuple[Shape, ...], side: Side) -> list[tuple[int, int]]:
    """The middles of a side's checkers on the board, in the order they are drawn."""
    layout = layout_of()
    face = WHITE_FACE if side is Side.WHITE else BLACK_FACE
    return [
        shape.centre
        for shape in shapes
        if isinstance(shape, Disc) and shape.fill == face and shape.radius == layout.radius
    ]


def rings(shapes: tuple[Shape, ...], colour: Colour) -> set[tuple[int, int]]:
    return {s.centre for s in shapes if isinstance(s, Disc) and s.fill is None and s.edge == colour}


def dashed(shapes: tuple[Shape, ...], colour: Colour) -> set[tuple[int, int]]:
    """The middles of the dashed rings of a colour: ten dashes each, all on one circle."""
    dashes = [
        s.points[0]
        for s in shapes
        if isinstance(s, Line) and s.colour == colour and len(s.points) == 4
    ]
    each = [dashes[first : first + 10] for first in range(0, len(dashes), 10)]
    return {(round(sum(x for x, _ in r) / 10), round(sum(y for _, y in r) / 10)) for r in each}


def words(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Text)]


# Numbers ------------------------------------------------------------------------------------


def numbers(settings: Settings) -> list[str]:
    """Point numbers from the left along the lower rail, then along the upper."""
    texts = [s for s in draw(tables_view(START), settings).shapes if isinstance(s, Text)]
    rails = [t for t in texts if t.colour == WOOD_TEXT and t.text.isdecimal()]
    return [t.text for t in sorted(rails, key=lambda t: (-t.rect.y, t.rect.x))]


def test_the_points_have_the_numbers_of_the_side_to_act_however_the_board_is_turned() -> None:
    own, turned = Settings(), Settings().changed("screen.turned", True)
    down, up = [str(n) for n in range(12, 0, -1)], [str(n) for n in range(13, 25)]
    assert numbers(own) == [*down, *up]
    assert numbers(turned) == [*up[::-1], *down[::-1]]


def test_as_engraved_a_turned_board_keeps_whites_numbers() -> None:
    engraved = Settings().changed("screen.numbers", "engraved")
    assert numbers(engraved) == numbers(Settings())
    upper = [str(n) for n in range(24, 12, -1)]
    turned = numbers(engraved.changed("screen.turned", True))
    assert turned == [*upper, *(str(n) for n in range(1, 13))]


def along(numbering: Numbering, standing: dict[Spot, tuple[Side, ...]]) -> tuple[Shape, ...]:
    """A board where both sides go the same way round and a single enemy closes a point."""
    canvas = Canvas[Action]((800, 480), measure, ENGLISH.counting(numbering))
    board, marks = load_board("tables-24"), Marks(standing, standing)
    draw_tables(canvas, BOARD, board, marks, turned=False, variant=FEVGA.variant)
    return canvas.picture(Page.PLAY).shapes


def test_where_both_go_the_same_way_black_counts_from_the_opposite_corner() -> None:
    standing = dict(FEVGA.checkers_at(FEVGA.start(Side.WHITE)))
    for numbering, first in ((Numbering.WHITE, 1), (Numbering.BLACK, 13)):
        texts = [s for s in along(numbering, standing) if isinstance(s, Text)]
        rails = [t for t in texts if t.colour == WOOD_TEXT and t.text.isdecimal()]
        told = [int(t.text) for t in sorted(rails, key=lambda t: (-t.rect.y, t.rect.x))]
        numbers = [(n + first - 2) % 24 + 1 for n in range(1, 25)]
        assert told == [*numbers[11::-1], *numbers[12:]]


def test_where_nobody_is_pinned_a_mixed_stack_has_no_needle() -> None:
    mixed = {**FEVGA.checkers_at(FEVGA.start(Side.WHITE)), Spot.read("20"): tuple(Side)}
    needles = [
        s
        for s in along(Numbering.WHITE, mixed)
        if isinstance(s, Line) and s.colour in (WHITE_FACE, BLACK_FACE)
    ]
    assert needles == []


# Where things lie ---------------------------------------------------------------------------


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_place_lies_over_another_or_beside_the_board(
    size: tuple[int, int], board: str, turned: bool
) -> None:
    layout = layout_of(size, board, turned)
    spots = find_game("backgammon").spots
    rooms = {spot: layout.room(spot) for spot in spots}
    for (_, one), (_, other) in combinations(rooms.items(), 2):
        assert not one.overlaps(other)
    for spot, room in rooms.items():
        assert layout.rect.holds(room)
        if spot.kind is not SpotKind.OFF:
            circles = [
                around(layout.place(spot, index), layout.radius)
                for index in range(layout.most(spot))
            ]
            assert all(room.holds(circle) for circle in circles), spot
            assert not any(one.overlaps(other) for one, other in combinations(circles, 2))


def test_left_and_right_are_those_of_the_real_board() -> None:
    layout = layout_of()
    xs = [layout.place(Spot.read(str(number)), 0)[0] for number in range(1, 25)]
    assert xs[:12] == sorted(xs[:12], reverse=True)
    assert xs[12:] == sorted(xs[12:])
    assert xs[:12] == xs[:11:-1]
    assert layout.is_low(Spot.read("1"))
    assert not layout.is_low(Spot.read("24"))
    assert layout.tray(Spot.read("off.white")).x > layout.room(Spot.read("1")).x


def test_turned_round_the_board_is_as_the_player_opposite_sees_it() -> None:
    straight, turned = layout_of(), layout_of(turned=True)
    for spot in straight.points:
        (x, y), (a, b) = straight.place(spot, 0), turned.place(spot, 0)
        assert abs(x - straight.rect.x - (turned.rect.right - a)) <= 1
        assert abs(y - straight.rect.y - (turned.rect.bottom - b)) <= 1


def test_a_checker_is_at_least_34_pixels_across_and_as_wide_as_its_point() -> None:
    for board in BOARDS:
        layout = layout_of(board=board)
        assert 2 * layout.radius >= 34
        assert layout.room(Spot.read("13")).w - 2 * layout.radius <= 2
    assert 2 * layout_of((720, 1280)).radius >= 45
    assert 2 * layout_of((480, 800)).radius >= 28


@pytest.mark.parametrize("height", range(1, 16))
def test_stacks_higher_than_fit_overlap_and_end_where_the_others_do(height: int) -> None:
    layout = layout_of()
    for name in ("6", "19", "bar.white"):
        spot = Spot.read(name)
        ys = [layout.place(spot, index, height)[1] for index in range(height)]
        assert ys == sorted(set(ys), reverse=ys[0] > ys[-1])
        furthest = layout.place(spot, layout.most(spot) - 1)[1]
        assert abs(ys[-1] - ys[0]) <= abs(furthest - ys[0])
        assert layout.place(spot, 0, height) == layout.place(spot, 0)


def test_every_checker_is_drawn_where_it_lies() -> None:
    shapes = draw(tables_view(START)).shapes
    layout, standing = layout_of(), checkers(START, "backgammon")
    for side in Side:
        places = [
            layout.place(spot, index)
            for spot in layout.points
            for index in range(len(standing[spot]))
            if standing[spot][0] is side
        ]
        assert sorted(faces(shapes, side)) == sorted(places)
        assert len(places) == 15


def test_the_thrifty_board_draws_the_same_checkers() -> None:
    view = tables_view(START)
    full, thrifty = (draw(view, board=board).shapes for board in BOARDS)
    assert [faces(full, side) for side in Side] == [faces(thrifty, side) for side in Side]


def test_a_stack_beyond_what_fits_has_a_number() -> None:
    start = tables_view("-o----------------------O- w -", game="pin")
    shapes = draw(start).shapes
    assert len(faces(shapes, Side.WHITE)) == 15
    assert words(shapes).count("15") == 3  # both stacks, and the point


def test_in_a_game_that_hits_no_pin_is_drawn_on_a_disturbed_board() -> None:
    mixed = checkers(START, "backgammon") | {Spot.read("19"): (*(Side.BLACK,) * 5, Side.WHITE)}
    view = tables_view(START, board=BoardState.DISTURBED, standing=mixed)
    needles = [s for s in draw(view).shapes if isinstance(s, Line) and s.colour == WHITE_FACE]
    assert needles == []


def test_a_pinned_checker_is_seen_under_its_pinner() -> None:
    shapes = draw(tables_view("----A--------------------- w 4", game="pin")).shapes
    layout = layout_of()
    assert faces(shapes, Side.BLACK) == [layout.place(Spot.read("4"), 0)]
    assert faces(shapes, Side.WHITE) == [layout.place(Spot.read("4"), 1)]
    needle = [s for s in shapes if isinstance(s, Line) and s.colour == WHITE_FACE]
    assert len(needle) == 1


def test_hit_checkers_lie_on_the_bar_and_those_borne_off_in_the_tray() -> None:
    shapes = draw(tables_view("bAA----------------------A w")).shapes
    layout = layout_of()
    assert layout.place(Spot.read("bar.white"), 0) in faces(shapes, Side.WHITE)
    bar = [layout.place(Spot.read("bar.black"), index) for index in range(2)]
    assert faces(shapes, Side.BLACK) == bar
    assert {"12", "13", "off"} <= set(words(shapes))


# Marks --------------------------------------------------------------------------------------


def test_what_is_missing_in_the_set_up_is_faded_and_ringed_each_at_its_place() -> None:
    spot = Spot.read("13")
    view = tables_view(START, phase=Phase.SET_UP, roll=None, fill=(spot, spot))
    shapes, layout = draw(view).shapes, layout_of()
    missing = {layout.place(spot, index) for index in (3, 4)}
    assert rings(shapes, TEAL) == missing
    assert missing.isdisjoint(faces(shapes, Side.WHITE))
    faded = wanted((0, 0), 9, Side.WHITE)[0]
    assert isinstance(faded, Disc)
    assert missing == {s.centre for s in shapes if isinstance(s, Disc) and s.fill == faded.fill}


def test_a_checker_set_down_wrongly_has_a_cross_on_it_and_its_way_back_a_ring() -> None:
    moved = checkers(START, "backgammon") | {
        Spot.read("24"): (Side.WHITE,),
        Spot.read("8"): (Side.WHITE,) * 4,
    }
    view = tables_view(
        START,
        board=BoardState.WRONG,
        standing=moved,
        moves=(Move(Spot.read("24"), Spot.read("8")),),
        fill=(Spot.read("24"),),
        clear=(Spot.read("8"),),
    )
    shapes, layout = draw(view).shapes, layout_of()
    assert rings(shapes, VERMILION) == {layout.place(Spot.read("8"), 3)}
    assert rings(shapes, TEAL) == {layout.place(Spot.read("24"), 1)}
    at = layout.place(Spot.read("8"), 3)
    crosses = [
        s
        for s in shapes
        if isinstance(s, Line)
        and s.colour == VERMILION
        and len(s.points) == 2
        and (s.points[0][0] + s.points[1][0], s.points[0][1] + s.points[1][1])
        == (2 * at[0], 2 * at[1])
    ]
    assert len(crosses) == 2


def test_where_a_checker_in_the_hand_may_go_is_ringed_and_where_it_was_is_a_ghost() -> None:
    lifted = checkers(HITTING, "backgammon") | {Spot.read("bar.white"): ()}
    targets = (Spot.read("19"), Spot.read("24"))
    view = tables_view(
        HITTING, board=BoardState.IN_HAND, standing=lifted, lifted=(Spot.read("bar.white"),)
    )
    shapes, layout = draw(replace(view, targets=targets)).shapes, layout_of()
    hit, empty = layout.place(Spot.read("19"), 0), layout.place(Spot.read("24"), 0)
    assert len(checkers(HITTING, "backgammon")[Spot.read("19")]) == 1
    assert dashed(shapes, AMBER) == {hit, empty}
    at = layout.place(Spot.read("bar.white"), 0)
    assert set(ghost(at, layout.radius, Side.WHITE)) <= set(shapes)


def test_where_nobody_is_hit_a_single_enemy_is_landed_upon() -> None:
    view = tables_view("----a-A------------------- w -", game="pin", board=BoardState.IN_HAND)
    view = replace(view, targets=(Spot.read("4"),), lifted=(Spot.read("6"),))
    assert dashed(draw(view).shapes, AMBER) == {layout_of().place(Spot.read("4"), 1)}


@pytest.mark.parametrize("board", BOARDS)
def test_a_sensor_set_aside_has_its_badge_beside_its_own_place(board: str) -> None:
    # What is said of it takes a line.
    band = play_places(SIZE, troubles=19).board
    layout = Layout(band, load_board(board), Canvas(SIZE, measure).px, turned=False)
    x, y = layout.place(Spot.read("13"), 1)
    shapes = draw(tables_view(START, sensors_off=("13.2",)), board=board).shapes
    (badge,) = (s for s in shapes if isinstance(s, Disc) and s.edge == FELT_TEXT)
    assert badge.centre[1] == y
    assert x < badge.centre[0] < x + 2 * layout.radius


def test_numbers_of_marked_points_stand_out() -> None:
    view = tables_view(START, board=BoardState.IN_HAND, targets=(Spot.read("14"), Spot.read("20")))
    before, after = (
        [s for s in draw(seen).shapes if isinstance(s, Box) and s.fill == AMBER]
        for seen in (tables_view(START), view)
    )
    assert len(after) == len(before) + 2


def test_where_the_rest_of_a_play_may_go_is_ringed() -> None:
    part = moves_of(START, "24/18")
    lie = checkers(START, "backgammon") | {
        Spot.read("24"): (Side.WHITE,),
        Spot.read("18"): (Side.WHITE,),
    }
    onward = spots("14 20 9 4 2")
    view = tables_view(
        START, board=BoardState.IN_HAND, standing=lie, moves=part, onward=onward, part="24/18"
    )
    layout, shapes = layout_of(), draw(view).shapes
    heights = [len(lie[spot]) for spot in onward]
    ends = {layout.top(spot, height) for spot, height in zip(onward, heights, strict=True)}
    assert dashed(shapes, AMBER) == ends
    assert layout.place(Spot.read("18"), 0) in rings(shapes, TEAL)
    assert layout.place(Spot.read("24"), 1) in rings(shapes, TEAL)


def test_the_play_before_leaves_a_trace() -> None:
    before = checkers(START, "backgammon")
    last = LastPlay(Side.WHITE, "24/18/14", moves_of(START, "24/18/14"), before)
    shapes, layout = draw(tables_view(START, last_plays=(last,))).shapes, layout_of()
    ends = {layout.place(Spot.read("14"), 0), layout.place(Spot.read("24"), 1)}
    assert rings(shapes, TRACE) == ends


# Plays --------------------------------------------------------------------------------------


def moves_of(position: str, play: str) -> tuple[Move, ...]:
    game = find_game("backgammon")
    placed = game.read_position(position)
    return game.moves(placed, game.read_play(placed, play))


def test_the_legs_of_a_play_follow_every_checker_and_every_victim() -> None:
    moves = moves_of(HITTING, "bar/19* 13/12*")
    assert list(legs(checkers(HITTING, "backgammon"), moves)) == [
        Leg(Spot.read("19"), 0, Spot.read("bar.black"), 0, thin=True, side=Side.BLACK),
        Leg(Spot.read("bar.white"), 0, Spot.read("19"), 0, side=Side.WHITE),
        Leg(Spot.read("12"), 0, Spot.read("bar.black"), 1, thin=True, side=Side.BLACK),
        Leg(Spot.read("13"), 2, Spot.read("12"), 0, side=Side.WHITE),
    ]


def test_a_checker_on_a_bar_that_the_game_does_not_know_is_drawn() -> None:
    """The Pin game has no bar; the board's has sensors all the same."""
    stray = Move(Spot.read("1"), Spot.read("bar.white"))
    view = tables_view(
        "-o----------------------O- w -",
        "pin",
        board=BoardState.WRONG,
        moves=(stray,),
        clear=(Spot.read("bar.white"),),
        fill=(Spot.read("1"),),
    )
    (leg,) = legs(view.accepted, view.moves)
    assert (leg.origin, leg.target, leg.end) == (*spots("1 bar.white"), 0)
    assert draw(view).shapes


def test_a_checker_that_goes_on_starts_where_it_was_set_down() -> None:
    assert list(legs(checkers(START, "backgammon"), moves_of(START, "24/18/14"))) == [
        Leg(Spot.read("24"), 1, Spot.read("18"), 0, side=Side.WHITE),
        Leg(Spot.read("18"), 0, Spot.read("14"), 0, side=Side.WHITE),
    ]


@pytest.mark.parametrize(
    ("state", "colour"), [(BoardState.PLAYED, TEAL), (BoardState.WRONG, VERMILION)]
)
def test_every_move_is_an_arrow_to_its_place(state: BoardState, colour: Colour) -> None:
    view = tables_view(START, board=state, moves=moves_of(START, "24/18 13/9"))
    heads = [s for s in draw(view).shapes if isinstance(s, Poly) and s.colour == colour]
    layout = layout_of()
    for head, spot in zip(heads, ("18", "9"), strict=True):
        x, y = layout.place(Spot.read(spot), 0)
        assert abs(head.points[0][0] - x) <= 1
        assert 0 < (head.points[0][1] - y) * layout.inwards(Spot.read(spot)) <= 2 * layout.radius


RACE = "-GEB------a-a----a-----ci- w"
PLAYS = ("3/1(2)", "3/off 3/2", "3/2(2) 1/off(2)")


def test_every_checker_of_a_candidate_is_drawn_and_ringed() -> None:
    position = "------B-B----------------- w"
    play = "8/7(2) 6/5(2)"
    game = find_game("backgammon")
    placed = game.read_position(position)
    after = game.checkers_at(game.after(placed, game.read_play(placed, play)))
    view = tables_view(
        position,
        board=BoardState.CHOOSE,
        roll="11",
        choices=(play,),
        choice_moves=(moves_of(position, play),),
        choice_after=(after,),
    )
    shapes, layout = draw(view).shapes, layout_of()
    lie = {layout.place(Spot.read(name), index) for name in ("7", "5") for index in (0, 1)}
    left = {layout.place(Spot.read(name), index) for name in ("8", "6") for index in (0, 1)}
    assert set(faces(shapes, Side.WHITE)) == lie
    assert rings(shapes, TEAL) == lie | left


def choosing() -> View:
    moves = tuple(moves_of(RACE, play) for play in PLAYS)
    return tables_view(
        RACE,
        board=BoardState.CHOOSE,
        offers=frozenset({Act.CHOOSE}),
        roll="11",
        choices=PLAYS,
        choice_moves=moves,
        message="Choose the play",
    )


def test_a_play_that_pins_is_written_as_one_everywhere() -> None:
    move = Move(Spot.read("15"), Spot.read("9"), pins=True)
    view = tables_view(
        "---------a-----A---------- w -",
        game="pin",
        board=BoardState.CHOOSE,
        choices=("15/9*",),
        choice_moves=((move,),),
        message=WAS_IT(play="15/9*"),
    )
    assert "15/9*" in " ".join(words(draw(view).shapes)).replace("\u00a0", " ")


# Dice, cube and pips ------------------------------------------------------------------------


@pytest.mark.parametrize("troubled", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_dice_cover_no_checker(size: tuple[int, int], troubled: bool) -> None:
    band = play_places(size, troubles=40 * troubled).board
    layout = Layout(band, load_board(TABLES), Canvas(size, measure).px, turned=False)
    room = layout.dice().inset(-layout.die, 0)
    assert layout.halves[1].holds(room)
    for spot in layout.points:
        for index in range(15):
            assert not around(layout.place(spot, index, 15), layout.radius).overlaps(room)


def test_the_offered_cube_lies_on_the_board() -> None:
    view = tables_view(START, phase=Phase.DOUBLE_OFFERED, roll=None, cube=Cube(2, None, Side.WHITE))
    band = play_places(SIZE).board
    fours = [s.rect for s in draw(view).shapes if isinstance(s, Text) and s.text == "4"]
    assert any(layout_of().field.holds(rect) and band.holds(rect) for rect in fours)


def test_both_players_pips_are_told() -> None:
    assert {"167 pips", "103 pips  −64"} <= set(
        words(draw(tables_view(START, pips=(167, 103))).shapes)
    )


# Everything at every size -------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("turned", [False, True])
def test_every_scene_is_whole_with_the_longest_names(
    turned: bool, size: tuple[int, int], fonts: Fonts
) -> None:
    for name in ("moving", "choose", "double", "cube-taken", "disturbed", "set-up"):
        shown = named(shown_in(f"backgammon-{name}"), LONG_NAMES)
        shown = replace(shown, settings=Settings().changed("screen.turned", turned))
        picture = compose(shown, Ui(Page.PLAY), size, fonts.measure, now=ENDLESS)
        assert faults(picture) == [], name


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()
