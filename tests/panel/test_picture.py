"""The OLED's picture, looked at point by point."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import pytest
from PIL import Image, ImageDraw, ImageFont
from scenes import view_in

from pi_app.base.microseconds import ms
from pi_app.languages import LANGUAGES, load_language
from pi_app.match.score import Cube, Score
from pi_app.match.turns import GameResult, Phase
from pi_app.panel.picture import DIE, LINE, LOW_DIE, SIZE, Panel, draw_die, wordings
from pi_app.referee.view import ClockFace, TableDie, View, dice_of
from pi_app.rules.terms import Die, Move, Side, Spot
from pi_app.sensing.reading import BoardState


@pytest.fixture(scope="module", params=LANGUAGES)
def panel(request: pytest.FixtureRequest) -> Panel:
    return Panel(load_language(request.param))


@pytest.fixture(scope="module")
def moving() -> View:
    return view_in("nannon-moving")


@pytest.fixture(scope="module")
def waiting() -> View:
    """Before a roll, when the cube and the score are to be seen."""
    return view_in("nannon-to-roll")


def lit(image: Image.Image, box: tuple[int, int, int, int]) -> int:
    """How many points are lit in a part."""
    return image.crop(box).convert("L").histogram()[255]


def share(image: Image.Image, box: tuple[int, int, int, int]) -> float:
    return lit(image, box) / ((box[2] - box[0]) * (box[3] - box[1]))


class DrawnText(NamedTuple):
    """A text that was drawn, and its font's size."""

    text: str
    size: int


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[DrawnText]:
    """All that is drawn from now on."""
    drawn: list[DrawnText] = []
    draw = ImageDraw.ImageDraw.text

    def listening(self: ImageDraw.ImageDraw, xy: Any, text: str, ink: int, font: Any) -> None:
        drawn.append(DrawnText(text, font.size))
        draw(self, xy, text, ink, font)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", listening)
    return drawn


BOTTOM = (0, LINE + 1, 128, 64)
FACE = (6, 6, 38, 38)


def test_it_is_one_bit_deep_and_as_large_as_the_oled(panel: Panel, moving: View) -> None:
    image = panel.picture(moving)
    assert (image.mode, image.size) == ("1", SIZE)


def test_before_a_match_it_says_what_it_is(written: list[DrawnText]) -> None:
    Panel().picture(None)
    assert written == [("Spotter", 22), ("Tap to begin", 13)]


@pytest.mark.parametrize("screen", ["wrong", "disturbed"])
def test_a_warning_inverts_the_bottom_line(panel: Panel, screen: str, moving: View) -> None:
    assert share(panel.picture(view_in(f"nannon-{screen}")), BOTTOM) > 0.6
    assert share(panel.picture(moving), BOTTOM) < 0.4


def test_the_mark_points_to_the_cubes_owner(panel: Panel, waiting: View) -> None:
    def sides(cube: Cube) -> tuple[int, int]:
        image = panel.picture(replace(waiting, cube=cube))
        return lit(image, (46, 5, 53, 28)), lit(image, (53, 5, 60, 28))

    white, black = sides(Cube(2, Side.WHITE)), sides(Cube(2, Side.BLACK))
    assert white[0] < white[1], "the triangle is broad behind and thin towards White on the left"
    assert black[0] > black[1]


def test_the_score_leaves_the_mark_of_the_cubes_owner_its_room(panel: Panel, waiting: View) -> None:
    image = panel.picture(replace(waiting, cube=Cube(2, Side.WHITE), score=Score(888, 888)))
    assert lit(image, (61, 0, 64, LINE)) == 0 < lit(image, (64, 0, 128, 28))


def test_an_offered_cube_is_white(panel: Panel, waiting: View) -> None:
    offered = panel.picture(replace(waiting, cube=Cube(1, None, Side.WHITE)))
    assert share(offered, FACE) > 0.6 > share(panel.picture(waiting), FACE)


@pytest.mark.parametrize(
    ("screen", "words"),
    [
        ("set-up", "Set up game 1"),
        ("opening-throw", "Ben rolls"),
        ("to-roll", "Ben to roll"),
        ("moving", "Ada rolled 2"),
        ("forfeit", "Ada 3: no move"),
        ("played", "Ada 2/4 · press"),
        ("wrong", "Illegal: 2/3"),
        ("disturbed", "Check the board"),
        ("choose", "HOME/3*? Hold = yes"),
        ("double", "Ada: take 2?"),
        ("game-over", "Ben wins 2 points by resignation"),
        ("match-over", "Ben wins the match"),
    ],
)
def test_the_bottom_line_says_what_is_so(screen: str, words: str) -> None:
    assert next(wordings(view_in(f"nannon-{screen}"))) == words


def test_a_roll_cannot_be_taken_for_the_cube(moving: View) -> None:
    """The cube beside it says 64."""
    for roll, words in (("66", "Ada rolled 6-6"), ("64", "Ada rolled 6-4")):
        assert next(wordings(replace(moving, roll=roll))) == words
    stuck = replace(moving, roll="66", moves_exist=False)
    assert next(wordings(stuck)) == "Ada 6-6: no move"


def test_on_the_grid_a_wrong_way_is_written_as_a_play_is(moving: View) -> None:
    wrong = replace(moving, board=BoardState.WRONG, moves=(Move(Spot.read("e4"), Spot.read("e6")),))
    assert next(wordings(wrong)) == "Illegal: e4-e6"


@pytest.mark.parametrize("phase", Phase)
def test_who_has_a_name_is_called_by_it_however_long_it_is(
    panel: Panel, moving: View, phase: Phase, written: list[DrawnText]
) -> None:
    long = ("Wilhelmina-Maria", "Бенджамин Жуков")
    result = GameResult(Side.WHITE, 512, "NANNON")
    without_dice = replace(moving, roll=None, thrown=())
    played = replace(without_dice, board=BoardState.PLAYED, play="HOME/SAFETY*")
    for view in (without_dice, played):
        named = replace(view, players=long, phase=phase, result=result, cube=Cube(2, Side.BLACK))
        said = list(wordings(named))
        panel.picture(named)
        for side in ("White", "Black", "Light", "Dark", "Weiß", "Schwarz", "Hell", "Dunkel"):
            assert not [text for text in (*said, *(one.text for one in written)) if side in text]
        assert "Б" in [one.text for one in written], "the cube's owner"


def test_putting_right_is_told_one_spot_at_a_time(moving: View) -> None:
    guided = replace(moving, board=BoardState.WRONG, guiding=True, fill=(Spot.read("home.white"),))
    assert next(wordings(guided)) == "Fill HOME"
    assert next(wordings(replace(guided, clear=(Spot.read("4"),)))) == "Clear 4"


NAMES = [("Ada", "Ben"), ("W" * 16, "Бенджамин Жуков"), ("", "")]
CUBES = [Cube(), Cube(32, Side.WHITE), Cube(512, Side.BLACK), Cube(256, None, Side.BLACK)]


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("board", BoardState)
def test_every_line_fits(
    panel: Panel, moving: View, phase: Phase, board: BoardState, written: list[DrawnText]
) -> None:
    """Nothing touches the edges nor runs over the line above, and no word is cut."""
    move = Move(Spot.read("home.white"), Spot.read("safety.white"))
    for names, cube in product(NAMES, CUBES):
        view = replace(
            moving,
            phase=phase,
            board=board,
            players=names,
            cube=cube,
            moves=(move,),
            play="HOME/SAFETY*",
            score=Score(888, 888),
            match_to=999,
            last_result=f"{names[0]} wins 512 points: NANNON",
            result=GameResult(Side.WHITE, 512, "NANNON"),
        )
        image = panel.picture(view, ("scanner",))
        inverted = board in (BoardState.WRONG, BoardState.DISTURBED)
        warns = inverted and phase not in (Phase.SET_UP,)
        for x in (0, 127):
            edge = lit(image, (x, LINE + 1, x + 1, 64))
            assert edge == (64 - LINE - 1 if warns else 0), (names, phase, board)
        assert lit(image, (127, 0, 128, LINE)) == 0
    assert len(written) > 3 * len(NAMES) * len(CUBES)
    # "Ben rolls …" ends so in every language, after a space.
    cut = [text for text, _ in written if text.endswith("…") and not text.endswith(" …")]
    assert cut == []


@pytest.mark.parametrize("screen", ["nannon-moving", "nannon-wrong", "nannon-double"])
def test_it_is_the_same_whatever_pillow_can_load(
    screen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raqm sets letters more narrowly; whether it is there depends on the system's libraries."""
    view = replace(view_in(screen), players=("Wilhelmina", "Бенджамин Жуков"), cube=Cube(64))
    pictures = []
    for raqm in (True, False):
        monkeypatch.setattr(ImageFont.core, "HAVE_RAQM", raqm and ImageFont.core.HAVE_RAQM)
        pictures.append(Panel().picture(view).tobytes())
    assert pictures[0] == pictures[1]


def dice_in(image: Image.Image) -> list[tuple[int, int]]:
    """Where columns that are lit somewhere begin and end: dice and signs."""
    columns = [lit(image, (x, 0, x + 1, 64)) > 0 for x in range(128)]
    edges = [x for x in range(1, 128) if columns[x] is not columns[x - 1]]
    bounds = [*([0] if columns[0] else []), *edges, *([128] if columns[127] else [])]
    return list(zip(bounds[::2], bounds[1::2], strict=True))


def test_after_a_roll_two_dice_fill_the_picture(panel: Panel) -> None:
    image = panel.picture(view_in("pin-thrifty"))
    assert [end - start for start, end in dice_in(image)] == [DIE, DIE]
    assert lit(image, (0, 2, 128, 3)) > DIE, "from the top"
    assert lit(image, (0, 61, 128, 62)) > DIE, "to the foot"


def test_the_dice_show_what_was_rolled_and_whose_they_are() -> None:
    for face in range(1, 7):
        pips = {}
        for side in Side:
            image = Image.new("1", (DIE, DIE))
            draw_die(ImageDraw.Draw(image), (0, 0), DIE, TableDie(face, side))
            inside = image.crop((6, 6, DIE - 6, DIE - 6))
            pips[side] = patches(inside, lit=side is Side.BLACK)
        assert pips == {Side.WHITE: face, Side.BLACK: face}


def patches(image: Image.Image, *, lit: bool) -> int:
    """How many separate patches of lit or dark points there are."""
    left = {
        (x, y)
        for x in range(image.width)
        for y in range(image.height)
        if bool(image.getpixel((x, y))) is lit
    }
    count = 0
    while left:
        count, edge = count + 1, [left.pop()]
        while edge:
            x, y = edge.pop()
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= beside
            edge.extend(beside)
    return count


def test_a_played_die_is_grey(panel: Panel) -> None:
    view = replace(view_in("pin-thrifty"), roll="64", dice_left=(Die(4),))
    fresh = replace(view, dice_left=(Die(6), Die(4)))
    first, second = (2, 3, 60, 61), (68, 3, 126, 61)
    played, left = panel.picture(view), panel.picture(fresh)
    assert share(played, first) == pytest.approx(share(left, first) / 2, abs=0.02)
    assert played.crop(second).tobytes() == left.crop(second).tobytes()


def test_a_difference_is_shown_with_what_is_left_to_play(panel: Panel, moving: View) -> None:
    """White's 5, less Black's 3, leave 2."""
    assert [(one.face, one.sign) for one in dice_of(moving)] == [(5, ""), (3, "−"), (2, "=")]
    widths = [end - start for start, end in dice_in(panel.picture(moving))]
    assert widths == [30, 8, 30, 8, 42]


def test_the_opening_throw_stands_above_who_rolls_next(panel: Panel) -> None:
    view = view_in("nannon-opening-throw")
    ((_, die),) = view.thrown
    image = panel.picture(view)
    body = image.crop((44, 0, 84, LOW_DIE)).crop((4, 4, 36, 36))
    assert patches(body, lit=view.thrown[0][0] is Side.BLACK) == die
    assert next(wordings(view)) == "Ben rolls"
    assert lit(image, (0, LINE, 128, LINE + 1)) == 128


def test_one_die_is_as_large_as_two(panel: Panel, moving: View) -> None:
    ((start, end),) = dice_in(panel.picture(replace(moving, thrown=())))
    assert end - start == DIE


def test_above_a_clock_the_dice_leave_room_for_the_time(panel: Panel) -> None:
    view = view_in("backgammon-clock")
    image = panel.picture(view)
    assert lit(image, (0, LOW_DIE, 128, LOW_DIE + 2)) == 0
    assert lit(image, (0, LOW_DIE + 2, 128, 64)) > 100
    assert view.clock
    assert view.clock.holder
    hand = replace(view.clock[view.clock.holder], left=ms(75_000))
    later = replace(view, clock=view.clock.having(view.clock.holder, hand))
    assert panel.picture(later).tobytes() != image.tobytes()


@pytest.mark.parametrize(
    "screen",
    ["played", "wrong", "disturbed", "choose", "forfeit", "to-roll", "machine-chosen", "game-over"],
)
def test_what_needs_words_brings_the_usual_picture_back(panel: Panel, screen: str) -> None:
    """The line above the words stands there, or a warning's edge."""
    image = panel.picture(view_in(f"nannon-{screen}"))
    assert lit(image, (0, LINE, 128, LINE + 1)) == 128


def test_a_device_that_is_away_is_said_before_the_dice(panel: Panel, moving: View) -> None:
    assert lit(panel.picture(moving, ("scanner",)), (0, LINE, 128, LINE + 1)) == 128


def test_who_places_a_town_is_said_as_on_the_screen() -> None:
    view = view_in("cannon-town")
    assert next(wordings(view)) == view.message == "Ada places the town"


def timed_to_roll(scenario: str) -> tuple[View, ClockFace]:
    """A scenario's clocks where nobody has rolled yet: the score is there, and no dice."""
    view = view_in(scenario)
    assert view.clock
    return replace(view, phase=Phase.TO_ROLL, roll=None, thrown=(), score=Score(4, 3)), view.clock


def test_the_time_of_who_is_to_act_stands_under_the_score(panel: Panel) -> None:
    """Short of time it is inverted; as time passes another picture is drawn."""
    (calm, clock), (low, _) = timed_to_roll("backgammon-clock"), timed_to_roll("nannon-clock-low")
    room = (50, 15, 128, LINE - 1)
    assert share(panel.picture(calm), room) < 0.4 < share(panel.picture(low), room)
    assert clock.holder
    hand = replace(clock[clock.holder], left=ms(75_000))
    later = replace(calm, clock=clock.having(clock.holder, hand))
    assert panel.picture(later).tobytes() != panel.picture(calm).tobytes()


@pytest.mark.parametrize("held", [True, False])
def test_the_score_stands_above_the_time(written: list[DrawnText], *, held: bool) -> None:
    view, clock = timed_to_roll("backgammon-clock")
    stopped = replace(clock, holder=None, runs=False)
    Panel().picture(view if held else replace(view, clock=stopped))
    assert ("4–3", 12) in written


def test_before_the_first_turn_both_times_stand_there(panel: Panel) -> None:
    view = view_in("backgammon-clock")
    assert view.clock
    nobody = replace(view, clock=replace(view.clock, holder=None, runs=False))
    assert panel.picture(nobody).tobytes() != panel.picture(view).tobytes()
    assert lit(panel.picture(nobody), (50, 15, 128, LINE - 1)) > 0


def test_both_times_are_as_large_as_they_fit_beside_an_owned_cube(
    written: list[DrawnText],
) -> None:
    view = view_in("backgammon-clock")
    assert view.clock
    hand = replace(view.clock[Side.WHITE], left=ms(754_000))
    clock = replace(view.clock, white=hand, black=hand, holder=None, runs=False)
    Panel().picture(replace(view, clock=clock, cube=Cube(2, Side.WHITE)))
    assert ("12:34 12:34", 10) in written
