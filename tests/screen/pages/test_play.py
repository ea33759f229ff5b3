"""The play page: rings, arrows, dice, and the active buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from known import FACES, load_board
from scenes import scene_in
from spots import spots
from test_layout import SIZES
from views import CALM, checkers, does, given, make_view, measure, moves_of, view_of

from pi_app.base.microseconds import ENDLESS, Us, ms
from pi_app.match.acts import Act
from pi_app.match.score import Cube, Score
from pi_app.match.turns import GameResult, Phase
from pi_app.referee.view import GameTale, LastPlay, Resignation, View, dice_of
from pi_app.rules.terms import Die, Move, Side, Spot
from pi_app.screen.actions import (
    Action,
    intend,
    open_analysis,
    open_page,
    press_button,
    send,
    start_edit,
    tap_spot,
)
from pi_app.screen.canvas import Box, Disc, Drawing, Line, Poly, Rect, Text
from pi_app.screen.compose import compose
from pi_app.screen.pages.places import play_places
from pi_app.screen.pages.play import choices, go_on
from pi_app.screen.paint import Fonts
from pi_app.screen.pieces import checker
from pi_app.screen.theme import (
    AMBER,
    BAND,
    BLACK_FACE,
    DIE_FACE,
    INK,
    TEAL,
    TRACE,
    VERMILION,
    WOOD,
    Colour,
)
from pi_app.screen.ui import Motion, Page, Shown, Ui, see
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
SIZE = (800, 480)


def draw(
    view: View, settings: Settings | None = None, now: Us = ENDLESS, ui: Ui | None = None
) -> Drawing[Action]:
    shown = Shown(BOARD, FACES, view, settings or Settings())
    return compose(shown, ui or Ui(Page.PLAY), SIZE, measure, now)


def words(picture: Drawing[Action]) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def labels(view: View) -> list[str]:
    """Of the buttons that can be touched, from the top down."""
    there = choices(view)
    every = (*there.further, there.main, there.other, *there.small)
    return [choice.label for choice in every if choice and choice.action]


def spot_x(number: int, turned: bool = False) -> int:
    """Where the board's number stands, from left to right."""
    picture = draw(
        make_view(score=Score(88, 99), message=""), Settings().changed("screen.turned", turned)
    )
    (text,) = (s for s in picture.shapes if isinstance(s, Text) and s.text == str(number))
    return text.rect.centre[0]


def rings(picture: Drawing[Action], colour: Colour) -> set[int]:
    """The numbers of the spots with a ring of this colour."""
    xs = {number: spot_x(number) for number in range(1, 7)}
    at = {s.centre[0] for s in picture.shapes if isinstance(s, Disc) and s.edge == colour}
    return {number for number, x in xs.items() if any(abs(x - other) <= 1 for other in at)}


def test_spots_run_from_left_to_right_as_on_the_board() -> None:
    assert [spot_x(number) for number in range(1, 7)] == sorted(spot_x(n) for n in range(1, 7))


def test_turned_round_the_first_spot_is_on_the_right() -> None:
    turned = [spot_x(number, turned=True) for number in range(1, 7)]
    assert turned == sorted(turned, reverse=True)


def test_what_is_wrong_has_a_ring_and_a_cross_and_its_way_back_another_ring() -> None:
    view = make_view(board=BoardState.WRONG, fill=(Spot.read("2"),), clear=(Spot.read("4"),))
    picture = draw(view)
    crosses = [s for s in picture.shapes if isinstance(s, Line) and s.colour == VERMILION]
    assert rings(picture, VERMILION) == {4}
    assert rings(picture, TEAL) == {2}
    assert len(crosses) == 2


def test_where_a_lifted_checker_may_go_is_ringed() -> None:
    view = make_view(
        board=BoardState.IN_HAND,
        standing=checkers("1w...bb1 w"),
        lifted=(Spot.read("2"),),
        targets=(Spot.read("4"),),
    )
    assert rings(draw(view), AMBER) == {4}


@pytest.mark.parametrize(
    ("state", "colour"), [(BoardState.PLAYED, TEAL), (BoardState.WRONG, VERMILION)]
)
def test_moves_are_arrows_in_the_colour_of_the_verdict(state: BoardState, colour: Colour) -> None:
    picture = draw(make_view(board=state, moves=(Move(Spot.read("2"), Spot.read("4")),)))
    heads = [s for s in picture.shapes if isinstance(s, Poly) and s.colour in (TEAL, VERMILION)]
    assert [head.colour for head in heads] == [colour]
    assert abs(heads[0].points[0][0] - spot_x(4)) <= 1


def test_whose_turn_it_is_has_an_amber_bar_and_a_bold_name() -> None:
    white, black = play_places(SIZE).players
    for side, card in ((Side.WHITE, white), (Side.BLACK, black)):
        picture = draw(make_view(to_act=side))
        (bar,) = (s for s in picture.shapes if isinstance(s, Box) and s.fill == AMBER)
        assert card.holds(bar.rect)
        texts = [s for s in picture.shapes if isinstance(s, Text) and s.text in ("Ada", "Ben")]
        names = [s for s in texts if white.holds(s.rect) or black.holds(s.rect)]
        assert [card.holds(name.rect) for name in names] == [name.bold for name in names]


def test_checkers_of_the_two_sides_differ_in_more_than_colour() -> None:
    white, black = (checker((50, 50), 30, side) for side in Side)
    assert [type(shape) for shape in white] != [type(shape) for shape in black]


def cube_at(view: View, board: Board) -> tuple[int, int] | None:
    """The middle of the cube on the board, by its number."""
    shown = Shown(board, FACES, view)
    shapes = compose(shown, Ui(Page.PLAY), SIZE, Fonts().measure, ENDLESS).shapes
    room = play_places(SIZE).board
    numbers = [s for s in shapes if isinstance(s, Text) and room.holds(s.rect) and s.colour == INK]
    return numbers[0].rect.centre if numbers else None


@pytest.mark.parametrize("game", ["backgammon", "nannon"])
def test_the_cube_lies_in_the_middle_or_before_its_owner(game: str) -> None:
    board = load_board({"backgammon": "tables-24"}.get(game, "nannon-6"))
    view = replace(view_of(game), board=BoardState.RESTING, match_to=None)
    places = [
        cube_at(replace(view, cube=cube), board)
        for cube in (Cube(), Cube(2, Side.WHITE), Cube(2, Side.BLACK))
    ]
    middle, white, black = (place for place in places if place)
    assert white != middle != black
    assert abs(white[0] + black[0] - 2 * middle[0]) <= 2
    assert abs(white[1] + black[1] - 2 * middle[1]) <= 2 or white[1] == black[1]


@pytest.mark.parametrize(
    ("match_to", "score", "value", "alive"),
    [(1, (0, 0), 1, False), (7, (5, 4), 1, True), (7, (5, 3), 4, False), (None, (9, 9), 8, True)],
)
def test_a_dead_cube_is_not_shown(
    match_to: int | None, score: tuple[int, int], value: int, alive: bool
) -> None:
    """Nobody could win by turning it: the present stake ends the match for either side."""
    owner = Side.WHITE if value > 1 else None
    view = make_view(match_to=match_to, score=Score(*score), cube=Cube(value, owner))
    assert (cube_at(view, BOARD) is not None) is alive


def test_the_crawford_game_shows_no_cube() -> None:
    assert "64" not in words(draw(make_view(crawford=True)))


def test_the_opening_throw_shows_how_the_difference_comes_about() -> None:
    view = make_view(thrown=((Side.WHITE, 3), (Side.BLACK, 5)), roll="2", to_act=Side.BLACK)
    assert {"−", "="} <= set(words(draw(view)))


# Buttons ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "press"),
    [
        ({"phase": Phase.SET_UP, "roll": None}, None),
        ({"phase": Phase.OPENING_THROW, "roll": None}, "Roll: Ada"),
        ({"phase": Phase.TO_ROLL, "roll": None}, "Roll: Ada"),
        ({"phase": Phase.TO_ROLL, "roll": None, "board": BoardState.WRONG}, None),
        ({}, None),
        ({"legal": ("forfeit",), "moves_exist": False}, "Pass the turn"),
        ({"board": BoardState.IN_HAND}, None),
        ({"board": BoardState.PLAYED}, "Done"),
        ({"board": BoardState.CHOOSE}, None),
        ({"phase": Phase.DOUBLE_OFFERED, "roll": None}, None),
        ({"phase": Phase.GAME_OVER}, None),
        ({"phase": Phase.MATCH_OVER}, None),
    ],
)
def test_a_press_is_offered_whenever_it_would_do_something(
    changes: dict[str, Any], press: str | None
) -> None:
    assert go_on(make_view(**changes)) == press


@pytest.mark.parametrize(
    ("changes", "buttons"),
    [
        ({}, ["Done", "Undo", "Menu"]),
        ({"offers": frozenset()}, ["Done", "Menu"]),
        (
            {"phase": Phase.TO_ROLL, "roll": None, "offers": CALM | {Act.DOUBLE}},
            ["Double to\u00a02", "Roll: Ada", "Undo", "Menu"],
        ),
        ({"board": BoardState.WRONG}, ["Guide me back", "Accept the board", "Undo", "Menu"]),
        (
            {"board": BoardState.WRONG, "suspects": ("4",)},
            ["Sensor 4 off", "Guide me back", "Accept the board", "Undo", "Menu"],
        ),
        (
            {"board": BoardState.DISTURBED, "guiding": True},
            ["Accept the board", "Undo", "Menu"],
        ),
        ({"board": BoardState.CHOOSE, "choices": ("2/4",)}, ["Yes", "Undo", "Menu"]),
        (
            {
                "board": BoardState.CHOOSE,
                "choices": ("HOME/2*", "2/4"),
                "offers": CALM | {Act.CHOOSE, Act.ANOTHER},
            },
            ["No, the next", "Yes", "Undo", "Menu"],
        ),
        (
            {
                "phase": Phase.DOUBLE_OFFERED,
                "cube": Cube(2, Side.WHITE, Side.WHITE),
                "offers": frozenset({Act.TAKE, Act.PASS, Act.TAKE_BACK}),
            },
            ["Pass (−2)", "Take (cube 4)", "Undo", "Menu"],
        ),
        (
            {
                "phase": Phase.DOUBLE_OFFERED,
                "board": BoardState.WRONG,
                "cube": Cube(2, Side.WHITE, Side.WHITE),
                "offers": CALM | {Act.TAKE, Act.PASS},
            },
            ["Pass (−2)", "Guide me back", "Take (cube 4)", "Undo", "Menu"],
        ),
        (
            {
                "phase": Phase.DOUBLE_OFFERED,
                "board": BoardState.DISTURBED,
                "guiding": True,
                "cube": Cube(2, Side.WHITE, Side.WHITE),
                "offers": CALM | {Act.TAKE, Act.PASS},
            },
            ["Pass (−2)", "Accept the board", "Take (cube 4)", "Undo", "Menu"],
        ),
        (
            {
                "phase": Phase.RESIGNATION_OFFERED,
                "board": BoardState.CHOOSE,
                "choices": ("2/4",),
                "resignation": Resignation(4, "gammon"),
                "offers": frozenset({Act.ACCEPT, Act.REFUSE, Act.TAKE_BACK}),
            },
            ["Accept 4 points", "Play on", "Undo", "Menu"],
        ),
        (
            {
                "phase": Phase.RESIGNATION_OFFERED,
                "board": BoardState.WRONG,
                "resignation": Resignation(1, "single game"),
                "offers": CALM | {Act.ACCEPT, Act.REFUSE},
            },
            ["Accept 1 point", "Guide me back", "Play on", "Undo", "Menu"],
        ),
        (
            {"phase": Phase.MOVING, "roll": "2", "offers": CALM | {Act.RESTORE}},
            ["Done", "Redo", "Menu"],
        ),
        (
            {"phase": Phase.MOVING, "roll": "2", "offers": CALM | {Act.CHANGE_DICE}},
            ["Change the dice", "Done", "Undo", "Menu"],
        ),
        (
            {"phase": Phase.GAME_OVER, "offers": frozenset({Act.NEXT_GAME})},
            ["Analysis", "Next game", "Menu"],
        ),
        (
            {"phase": Phase.MATCH_OVER, "offers": frozenset()},
            ["Analysis", "Rematch", "New match", "Menu"],
        ),
    ],
)
def test_what_can_be_touched_is_what_is_offered(
    changes: dict[str, Any], buttons: list[str]
) -> None:
    assert labels(make_view(**changes)) == buttons


PHASES: tuple[dict[str, Any], ...] = (
    {},
    {"board": BoardState.PLAYED},
    {"board": BoardState.WRONG},
    {"board": BoardState.CHOOSE, "choices": ("HOME/2", "2/4")},
    {"phase": Phase.TO_ROLL, "roll": None, "offers": CALM | {Act.DOUBLE}},
    {"phase": Phase.DOUBLE_OFFERED, "roll": None, "offers": frozenset({Act.TAKE, Act.PASS})},
    {"phase": Phase.GAME_OVER, "offers": frozenset({Act.NEXT_GAME})},
    {"phase": Phase.SET_UP, "roll": None, "offers": frozenset()},
)


@pytest.mark.parametrize("size", [SIZE, (480, 800)], ids=str)
@pytest.mark.parametrize("changes", PHASES)
def test_every_button_has_a_place_that_no_other_takes(
    changes: dict[str, Any], size: tuple[int, int]
) -> None:
    places = play_places(size)
    shown = Shown(BOARD, FACES, make_view(**changes))
    picture = compose(shown, Ui(Page.PLAY), size, measure, ENDLESS)
    kinds: dict[Callable[..., Action], tuple[Rect, ...]] = {
        send: (places.main,),
        press_button: (places.main,),
        intend: (places.main, places.words, places.board),
        open_page: places.small,
        open_analysis: (places.words,),
        start_edit: (places.main, places.words),
    }
    for target in picture.targets:
        (rooms,) = (rooms for kind, rooms in kinds.items() if does(target.action, kind))
        assert any(room.holds(target.rect) for room in rooms), target
        if does(target.action, open_page):
            take_back, menu = places.small
            assert target.rect == (
                take_back if target.action == open_page(Page.TAKE_BACK) else menu
            )
        if target.action == intend(Act.DOUBLE):
            assert places.words.holds(target.rect) or places.board.holds(target.rect)
        if target.action == intend(Act.PASS):
            assert places.words.holds(target.rect)


@pytest.mark.parametrize("changes", PHASES)
def test_what_is_not_possible_now_is_drawn_and_cannot_be_touched(changes: dict[str, Any]) -> None:
    said = words(draw(make_view(**{"offers": frozenset(), **changes})))
    assert {"Undo", "Menu"} <= set(said)


def test_nothing_is_rolled_while_the_dice_are_awaited() -> None:
    to_roll = {"phase": Phase.TO_ROLL, "roll": None, "message": "White rolls"}
    assert "Roll: Ada" in labels(make_view(**to_roll))
    awaited = make_view(**to_roll, awaiting_roll=True)
    assert "Roll: Ada" not in labels(awaited)
    assert "Roll: Ada" in words(draw(awaited))


def test_the_play_that_is_asked_about_is_the_one_that_is_shown() -> None:
    plays = ("HOME/2", "1/3", "2/4")
    after = tuple(checkers(text) for text in ("0www.bb1 w", "1.ww.bb1 w", "1w..wbb1 w"))
    view = make_view(
        board=BoardState.CHOOSE,
        choices=plays,
        choice_after=after,
        offers=CALM | {Act.CHOOSE, Act.ANOTHER},
    )
    buttons = choices(view)
    assert buttons.main.action == intend(Act.CHOOSE, play="HOME/2")
    assert buttons.further[0].action == intend(Act.ANOTHER)
    picture = draw(view)
    heads = [s for s in picture.shapes if isinstance(s, Poly) and s.colour == TEAL]
    assert len(heads) == 1


def test_a_forfeit_that_is_asked_about_is_called_so() -> None:
    asked = {"board": BoardState.CHOOSE, "choices": ("forfeit",), "choice_moves": ((),)}
    view = make_view(**asked, moves_exist=False)
    assert choices(view).main.label == "Pass the turn"


# A living turn ------------------------------------------------------------------------------


def test_the_play_before_is_told_and_traced_until_the_next_checker_moves() -> None:
    last = LastPlay(Side.BLACK, "5/3", moves_of("5/3"), checkers("1ww..bb1 w"))
    picture = draw(make_view(last_plays=(last,)))
    assert "Ben: 5/3" in words(picture)
    assert [s for s in picture.shapes if isinstance(s, Line) and s.colour == TRACE]
    lifted = make_view(last_plays=(last,), board=BoardState.IN_HAND, lifted=(Spot.read("2"),))
    assert not [s for s in draw(lifted).shapes if isinstance(s, Line) and s.colour == TRACE]


def test_who_could_not_move_is_told() -> None:
    last = LastPlay(Side.BLACK, "", (), {})
    assert "Ben could not move" in words(draw(make_view(last_plays=(last,))))


def test_the_last_two_plays_are_told_with_their_rolls_the_latest_last() -> None:
    latest = LastPlay(Side.BLACK, "5/3", moves_of("5/3"), {}, "2")
    earlier = LastPlay(Side.WHITE, "1/2", moves_of("1/2"), {}, "1")
    said = words(draw(make_view(last_plays=(latest, earlier))))
    assert said.index("Ada 1: 1/2") < said.index("Ben 2: 5/3")


def test_used_dice_are_dimmed() -> None:
    view = view_of("backgammon", phase=Phase.MOVING, roll="64", dice_left=(Die(4),))
    assert [one.used for one in dice_of(view)] == [True, False]


@pytest.mark.parametrize(
    ("left", "used"), [(4, [False, False]), (2, [True, False]), (1, [True, False]), (0, [True] * 2)]
)
def test_each_die_of_a_doublet_is_played_twice(left: int, used: list[bool]) -> None:
    view = view_of("backgammon", phase=Phase.MOVING, roll="33", dice_left=(Die(3),) * left)
    assert [one.used for one in dice_of(view)] == used


def test_the_dice_stay_those_of_who_threw_them_and_would_resign() -> None:
    view = view_of("backgammon", phase=Phase.RESIGNATION_OFFERED, roll="64", to_act=Side.BLACK)
    assert [one.side for one in dice_of(view)] == [Side.WHITE, Side.WHITE]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_dice_of_the_opening_throw_lie_between_the_trays(size: tuple[int, int]) -> None:
    throw = ((Side.WHITE, 5), (Side.BLACK, 3))
    shown = Shown(BOARD, FACES, make_view(thrown=throw, dice_left=(Die(2),)))
    picture = compose(shown, Ui(Page.PLAY), size, measure, ENDLESS)
    boxes = [shape for shape in picture.shapes if isinstance(shape, Box)]
    board = play_places(size).board
    dice = [
        one.rect for one in boxes if one.fill in (DIE_FACE, BLACK_FACE) and board.holds(one.rect)
    ]
    trays = [one.rect for one in boxes if one.fill == WOOD and one.rect != board]
    # A cube is two boxes of the die's colour, one in the other, at the other edge.
    dice = [one for one in dice if one.y < board.centre[1]]
    assert (len(dice), len(trays)) == (3, 4)
    assert not [(die, tray) for die in dice for tray in trays if die.overlaps(tray)]


def test_the_opening_throw_keeps_its_owners_dice() -> None:
    throw = ((Side.WHITE, 6), (Side.BLACK, 4))
    view = view_of("backgammon", phase=Phase.MOVING, roll="64", thrown=throw)
    assert [(one.face, one.side) for one in dice_of(view)] == [(6, Side.WHITE), (4, Side.BLACK)]


# The end of a game --------------------------------------------------------------------------


def over(**changes: Any) -> View:
    result = GameResult(Side.BLACK, 2, "NANNON")
    tale = GameTale(31, ms(17 * 60_000), ((0, 0), (0, 0)))
    ended = {"phase": Phase.GAME_OVER, "result": result, "how": "NANNON", "tale": tale}
    return make_view(**{**ended, **changes})


def test_the_final_board_stays_and_what_happened_is_said_large() -> None:
    picture = draw(over())
    large = [s.size for s in picture.shapes if isinstance(s, Text) and s.text == "NANNON"]
    assert large
    assert large[0] >= 40
    spots = [s for s in picture.shapes if isinstance(s, Text) and s.text in "123456"]
    assert len(spots) >= 6


def test_the_winner_glows_and_the_score_moves() -> None:
    _, card = play_places(SIZE).players
    picture = draw(over())
    assert "+2" in words(picture)
    (frame,) = (s for s in picture.shapes if isinstance(s, Box) and s.rect == card)
    assert frame.fill != BAND
    bars = [s.rect for s in picture.shapes if isinstance(s, Box) and s.fill == AMBER]
    assert [card.holds(bar) for bar in bars] == [True]


def test_what_the_game_was_is_told() -> None:
    said = " ".join(words(draw(over())))
    assert "31 turns · 17 minutes." in said
    lucky = over(tale=GameTale(31, None, ((10, 90), (10, 70))))
    said = " ".join(words(draw(lucky)))
    assert "Luck in pips: Ada +8, Ben −12" in said


# Large text ---------------------------------------------------------------------------------


def test_what_is_so_and_what_to_do_are_larger_in_large_text() -> None:
    large = Settings().changed("screen.text", "large")
    pictures = (
        draw(make_view(message="So it is", hint="Do so"), one) for one in (Settings(), large)
    )
    usual, enlarged = (
        {shape.text: shape.size for shape in picture.shapes if isinstance(shape, Text)}
        for picture in pictures
    )
    for text in ("So it is", "Do so"):
        assert enlarged[text] >= 1.2 * usual[text]


# Motion -------------------------------------------------------------------------------------


def rolled_at(moment: Us) -> tuple[View, Ui]:
    before = make_view(phase=Phase.TO_ROLL, roll=None)
    ui = see(Ui(Page.PLAY), before, Us(moment - ms(500)))
    view = make_view(roll="2")
    return view, see(ui, view, moment)


def test_dice_tumble_for_no_more_than_four_tenths_of_a_second() -> None:
    view, ui = rolled_at(ms(1000))
    assert draw(view, now=ms(1000), ui=ui).moving
    assert draw(view, now=ms(1399), ui=ui).moving
    assert not draw(view, now=ms(1400), ui=ui).moving


def test_with_animations_off_nothing_moves() -> None:
    view, ui = rolled_at(ms(1000))
    still = draw(view, Settings().changed("screen.animations", False), now=ms(1000), ui=ui)
    assert not still.moving
    assert still == draw(view, now=ms(9000), ui=ui)


def test_the_arrow_of_a_play_grows_and_then_stands_still() -> None:
    ui = see(Ui(Page.PLAY), make_view(), Us(0))
    view = make_view(board=BoardState.PLAYED, moves=(Move(Spot.read("2"), Spot.read("4")),))
    ui = see(ui, view, ms(5000))
    assert draw(view, now=ms(5050), ui=ui).moving
    assert not draw(view, now=ms(5300), ui=ui).moving


def test_a_view_that_only_tells_the_time_moves_nothing() -> None:
    view, ui = rolled_at(ms(1000))
    assert see(ui, replace(view, us=view.us), ms(3000)).motion == ui.motion != Motion()


def test_the_editor_lets_every_sensed_spot_be_touched() -> None:
    shown, ui = scene_in("nannon-moving", "editor")
    picture = compose(shown, ui, SIZE, measure, ms(0))
    tapped = {*given((target.action for target in picture.targets), tap_spot)}
    assert tapped == set(spots("1 2 3 4 5 6"))


def test_who_types_dice_is_told_to_throw_them() -> None:
    view = make_view(phase=Phase.TO_ROLL, roll=None, hint="Press the die button.")
    white, black = (
        " ".join(words(draw(view, Settings().changed("play.dice", side))))
        for side in ("white", "black")
    )
    assert "Roll your dice, then tap what they show." in white
    assert "Press the die button." in black


@pytest.mark.parametrize("typed", [False, True])
def test_typed_dice_do_not_tumble(typed: bool) -> None:
    view = make_view(roll="2", typed=typed)
    ui = see(Ui(), view, ms(1000))
    assert draw(view, now=ms(1100), ui=ui).moving is not typed


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"match_to": 7, "score": Score(5, 4)}, ["2-away", "3-away"]),
        ({"match_to": None}, []),
        ({"match_to": 7, "score": Score(6, 4), "crawford": True}, ["Crawford: no cube"]),
        ({"match_to": 7, "score": Score(6, 5), "post_crawford": True}, ["post-Crawford"]),
    ],
)
def test_the_header_says_how_far_each_player_is_away(
    changes: dict[str, Any], told: list[str]
) -> None:
    text = " ".join(words(draw(make_view(**changes, with_cube=True))))
    assert all(one in text for one in told)
    assert ("-away" in text) is (changes["match_to"] is not None)


def test_between_games_the_players_read_how_many_points_they_need() -> None:
    text = " ".join(words(draw(over(match_to=7, score=Score(5, 4), players=("Ada", "Ben")))))
    assert text.count("away") == len(["2-away", "3-away"]), "and they read it once"
    assert "2-away, 3-away" in text


def test_sensors_that_were_set_aside_are_asked_back_one_at_a_time() -> None:
    view = make_view(ask_back=(Sensor("3"), Sensor("4")))
    asked = [label for label in labels(view) if "3" in label or "4" in label]
    assert asked == ["Use sensor 3", "Keep 3 off"]
