"""The new match: which game, what it offers, and what is agreed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest
from known import BOARDS, FACES, GAMES, load_board
from shelves import line_of
from views import does, given, measure, view_of

from pi_app.base.microseconds import ms
from pi_app.games.all import ALL
from pi_app.match.score import Score
from pi_app.players.contract import BARS, Rival
from pi_app.referee.events import MachineSeat, Start
from pi_app.referee.options import agree
from pi_app.rules.contract import Option
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    choose_game,
    give_points,
    give_side,
    open_page,
    set_target,
    show_rivals,
    toggle,
    write,
)
from pi_app.screen.canvas import Drawing, Rect, Text
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import EMPTY_SHELF, Page, Shelf, Shown, TextField, Ui, see
from pi_app.user.agreement import Form, form_of, head_start, new_match, player_names
from pi_app.user.commands import NewMatch
from pi_app.user.settings import Settings

MS = ms(5)
SIZE = (800, 480)


@dataclass
class Filling:
    """A player who fills in the form on one board."""

    board: str
    ui: Ui = field(default_factory=lambda: Ui(Page.NEW_MATCH))
    rivals: Mapping[str, tuple[Rival, ...]] = field(default_factory=dict)
    shelf: Shelf = EMPTY_SHELF

    @property
    def shown(self) -> Shown:
        return Shown(load_board(self.board), FACES, rivals=self.rivals, shelf=self.shelf)

    @property
    def words(self) -> list[str]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        return [shape.text for shape in picture.shapes if isinstance(shape, Text)]

    @property
    def options(self) -> list[Option]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        return given((target.action for target in picture.targets), toggle)

    @property
    def games(self) -> list[str]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        return given((target.action for target in picture.targets), choose_game)

    def taps(self, label: str) -> tuple[object, ...]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        (text,) = (s for s in picture.shapes if isinstance(s, Text) and s.text == label)
        touch = FingerDown(*text.rect.centre)
        self.ui, outputs = touched(picture, touch, self.ui, self.shown, MS)
        return outputs

    def chooses(self, game: str) -> None:
        if game not in self.games:
            self.ui, _ = open_page(Page.GAMES).act(self.ui, self.shown, MS)
        assert game in self.games
        self.ui, _ = choose_game(game).act(self.ui, self.shown, MS)

    def begins(self) -> NewMatch:
        (match,) = self.taps("Begin")
        assert isinstance(match, NewMatch)
        return match


def test_a_board_of_one_game_asks_for_none() -> None:
    for board in ("nannon-6", "cannon-10"):
        picture = compose(Shown(load_board(board), FACES), Ui(Page.NEW_MATCH), SIZE, measure, ms(0))
        assert not any(does(target.action, choose_game) for target in picture.targets)


@pytest.mark.parametrize("name", GAMES.matches)
def test_the_chosen_game_is_the_one_that_begins(name: str) -> None:
    form = Filling(ALL.boards[name])
    if len(load_board(ALL.boards[name]).games) > 1:
        form.chooses(name)
    assert form.begins().game == name


def test_the_first_game_of_the_board_is_offered_first() -> None:
    assert Filling("tables-24").begins().game == "backgammon"


def test_the_game_played_last_is_offered_next() -> None:
    form = Filling("tables-24")
    form.taps("Portes")
    form.begins()
    ui = see(form.ui, view_of("portes"), ms(10))
    assert Filling("tables-24", Ui(Page.NEW_MATCH, form=ui.form)).begins().game == "portes"


def test_a_game_of_another_board_is_not_begun() -> None:
    ui = see(Ui(), view_of("pin"), ms(10))
    assert Filling("nannon-6", Ui(Page.NEW_MATCH, form=ui.form)).begins().game == "nannon"


@pytest.mark.parametrize(
    ("name", "match_to", "options"),
    [
        ("nannon", 7, ["cube", "crawford", "a tie turns the cube"]),
        ("nannon", None, ["cube", "a tie turns the cube", "jacoby"]),
        ("backgammon", 7, ["cube", "crawford"]),
        (
            *("backgammon", None),
            ["cube", "jacoby", "automatic doubles", "beavers"],
        ),
        ("portes", 7, []),
        ("pin", None, []),
        ("cannon", 7, ["three slides"]),
    ],
)
def test_the_options_are_those_of_the_game(
    name: str, match_to: int | None, options: list[str]
) -> None:
    form = Filling(ALL.boards[name])
    form.ui, _ = choose_game(name).act(form.ui, form.shown, MS)
    form.ui, _ = set_target(match_to).act(form.ui, form.shown, MS)
    assert [option.name for option in form.options] == options
    assert {option.label() for option in form.options} <= set(form.words)
    assert set(form.begins().options) == set(options)


def test_options_begin_as_the_game_is_usually_played() -> None:
    assert dict(Filling("tables-24").begins().options) == {
        "cube": True,
        "crawford": True,
    }
    assert Filling("nannon-6").begins().options["crawford"] is False
    assert Filling("cannon-10").begins().options["three slides"] is False


def test_another_game_begins_with_its_own_options() -> None:
    form = Filling("tables-24")
    form.taps("Doubling cube")
    form.taps("Portes")
    form.taps("Backgammon")
    assert form.begins().options["cube"] is True


@pytest.mark.parametrize(
    ("name", "points"),
    [("nannon", 11), ("backgammon", 11), ("portes", 7), ("pin", 51), ("cannon", 3)],
)
def test_a_match_is_as_long_as_is_usual_in_its_game(name: str, points: int) -> None:
    form = Filling(ALL.boards[name])
    if len(form.shown.board.games) > 1:
        form.chooses(name)
    assert str(points) in form.words
    assert form.begins().match_to == points


def test_another_game_has_its_own_length_and_a_chosen_one_stays() -> None:
    form = Filling("tables-24")
    form.taps("5")
    assert form.begins().match_to == 5
    form.chooses("pin")
    assert form.begins().match_to == 51
    form.taps("unlimited")
    assert form.begins().match_to is None


def test_an_option_is_turned_on_and_off() -> None:
    form = Filling("cannon-10")
    form.taps("No fourth slide in a row")
    assert form.begins().options["three slides"] is True
    form.taps("No fourth slide in a row")
    assert form.begins().options["three slides"] is False


def test_without_the_cube_there_is_no_jacoby_rule() -> None:
    form = Filling("tables-24")
    form.taps("unlimited")
    form.taps("Jacoby rule")
    assert form.begins().options["jacoby"] is True
    form.taps("Doubling cube")
    assert "jacoby" not in form.begins().options


def test_without_dice_nobody_is_asked_who_throws_them() -> None:
    assert "Dice" not in Filling("cannon-10").words
    assert "Dice" in Filling("tables-24").words


def test_who_gives_no_name_is_called_as_the_side() -> None:
    assert Filling("cannon-10").begins().players == ("Light", "Dark")
    assert Filling("tables-24").begins().players == ("White", "Black")


def test_names_are_cleaned_and_what_nothing_is_left_of_is_none() -> None:
    form = Form(("\u202e\x00", " Ada\n" + "x" * 99))
    assert player_names(form, GAMES.match("cannon")) == ("Light", "Ada " + "x" * 36)


def test_a_sides_name_is_no_players_name_in_the_next_game() -> None:
    ui = see(Ui(), view_of("cannon", players=("Light", "Ben")), ms(10))
    form = Filling("tables-24", Ui(Page.NEW_MATCH, form=ui.form))
    assert form.begins().players == ("White", "Ben")


@pytest.mark.parametrize(
    ("board", "title"), [("cannon-10", "Dark's name"), ("tables-24", "Black's name")]
)
def test_the_keyboard_names_the_side_as_the_game_does(board: str, title: str) -> None:
    form = Filling(board)
    form.ui, _ = write(TextField.BLACK).act(form.ui, form.shown, MS)
    assert title in form.words


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("nannon", ["1 point: single game", "2 points: NANNON"]),
        (
            "backgammon",
            ["1 point: single game", "2 points: gammon", "3 points: backgammon"],
        ),
        ("portes", ["1 point: single game", "2 points: double win"]),
        (
            "pin",
            [
                "2 points: mother",
                "360 points: single game",
                "720 points: gammon",
                "1,080 points: backgammon",
            ],
        ),
        ("cannon", ["Yes, resign"]),
    ],
)
def test_a_game_is_given_up_for_what_it_can_cost(name: str, ways: list[str]) -> None:
    shown = Shown(load_board(ALL.boards[name]), FACES, view_of(name))
    picture = compose(shown, Ui(Page.RESIGN), SIZE, measure, ms(0))
    words = " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))
    places = [words.replace("\u00a0", " ").find(way) for way in ways]
    assert -1 not in places
    assert places == sorted(places)


def gives(form: Filling, side: Side, player: str | None) -> None:
    """Who plays a side is chosen from the list."""
    form.ui, _ = show_rivals(side).act(form.ui, form.shown, MS)
    form.ui, _ = give_side(side, player).act(form.ui, form.shown, MS)
    form.ui, _ = open_page(Page.NEW_MATCH).act(form.ui, form.shown, MS)


def test_a_side_is_given_to_each_of_the_machines_players_and_to_a_person_again() -> None:
    form = Filling("nannon-6", rivals=ALL.rivals)
    assert form.words.count("Human") == 2
    for rival in ALL.rivals["nannon"]:
        gives(form, Side.BLACK, rival.name)
        assert f"Spotter: {rival.title}" in " ".join(form.words)
        match = form.begins()
        assert match.players == ("White", "Spotter")
        assert MachineSeat(Side.BLACK, rival.name).options.items() <= match.options.items()
    gives(form, Side.BLACK, None)
    assert form.words.count("Human") == 2
    assert "machine" not in form.begins().options


def rivals_of(**players: tuple[tuple[str, int], ...]) -> Mapping[str, tuple[Rival, ...]]:
    return {
        game: tuple(Rival(name, name.capitalize(), bars) for name, bars in some)
        for game, some in players.items()
    }


def test_the_machine_has_one_side_and_a_player_of_the_game() -> None:
    form = Filling(
        "tables-24", rivals=rivals_of(backgammon=(("same", 2), ("deep", 7)), pin=(("same", 2),))
    )
    form.taps(GAMES["backgammon"].title)
    gives(form, Side.BLACK, "same")
    gives(form, Side.WHITE, "deep")
    assert form.ui.form.machine == MachineSeat(Side.WHITE, "deep")
    assert form.begins().players == ("Spotter", "Black")
    form.chooses("pin")
    assert form.ui.form.machine == MachineSeat(Side.WHITE, "same")
    form.taps(GAMES["portes"].title)
    assert form.ui.form.machine is None, "that game has no player"
    assert "Human" not in form.words


def test_a_game_without_the_level_has_the_one_nearest_in_strength() -> None:
    other = (("chance", 0), ("weak", 2), ("strong", 8))
    form = Filling("tables-24", rivals=rivals_of(backgammon=(("child", 1),), pin=other))
    gives(form, Side.BLACK, "child")
    form.chooses("pin")
    assert form.ui.form.machine == MachineSeat(Side.BLACK, "weak"), "not the strongest"


def test_every_game_remembers_its_opponent() -> None:
    seats = {"backgammon": "casual", "pin": "child"}
    lines = tuple(
        line_of(game, form=Form(("Mia", ""), 5, game=game, machine=MachineSeat(Side.BLACK, player)))
        for game, player in seats.items()
    )
    form = Filling("tables-24", Ui(Page.START), rivals=ALL.rivals, shelf=Shelf(lines))
    form.ui, _ = open_page(Page.NEW_MATCH).act(form.ui, form.shown, MS)
    for game in ("pin", "backgammon", "pin"):
        form.chooses(game)
        assert form.ui.form.machine == MachineSeat(Side.BLACK, seats[game])


@pytest.mark.parametrize("game", GAMES.matches)
def test_opponents_are_listed_the_weakest_first_each_with_a_name_for_people(game: str) -> None:
    rivals = ALL.rivals[game]
    assert {one.name for one in rivals} == {*ALL.players[game]}
    assert [one.bars for one in rivals] == sorted(one.bars for one in rivals)
    for one in rivals:
        assert one.title != one.name
        assert 0 <= one.bars <= BARS
    assert len({one.title for one in rivals}) == len(rivals)


def test_the_machines_name_is_not_written() -> None:
    form = Filling("nannon-6", rivals=ALL.rivals)
    gives(form, Side.WHITE, "exact")
    picture = compose(form.shown, form.ui, SIZE, measure, ms(0))
    written = given((target.action for target in picture.targets), write)
    assert TextField.WHITE not in written
    assert TextField.BLACK in written


SIZES = [(480, 800), (640, 400), (720, 1280), (800, 480), (1920, 1080)]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("text", ["normal", "large"])
def test_no_game_is_hidden_without_a_sign_and_all_have_one_type_size(
    size: tuple[int, int], text: str
) -> None:
    settings = Settings().changed("screen.text", text)
    boards = {game: load_board(board) for game, board in BOARDS.items()}
    shown = Shown(load_board("nannon-6"), FACES, settings=settings, boards_of=boards)
    fonts = Fonts()
    for game, title in ((game, one.title) for game, one in GAMES.matches.items()):
        ui = Ui(Page.NEW_MATCH, form=Form(("Ada", "Ben"), 7, game=game))
        picture = compose(shown, ui, size, fonts.measure, MS)
        there = given([target.action for target in picture.targets], choose_game)
        assert game in there
        assert whole(picture, [GAMES.matches[name].title for name in there])
        left = len(GAMES.matches) - len(there)
        more = [target for target in picture.targets if target.action == open_page(Page.GAMES)]
        assert bool(more) is bool(left), title
        if more:
            words = " ".join(text_in(picture, more[0].rect))
            assert words == f"{left} more"
    listed = compose(shown, Ui(Page.GAMES), size, fonts.measure, MS)
    assert given([target.action for target in listed.targets], choose_game) == [*GAMES.matches]
    assert whole(listed, [game.title for game in GAMES.matches.values()])


def text_in(picture: Drawing[Action], rect: Rect) -> list[str]:
    texts = (shape for shape in picture.shapes if isinstance(shape, Text))
    return [shape.text for shape in texts if rect.contains(*shape.rect.centre)]


def whole(picture: Drawing[Action], titles: list[str]) -> bool:
    """Whether each title is written on its button, and all in one type size."""
    buttons = [target for target in picture.targets if does(target.action, choose_game)]
    written = [" ".join(text_in(picture, target.rect)) for target in buttons]
    sizes = {
        shape.size
        for shape in picture.shapes
        if isinstance(shape, Text) and any(b.rect.contains(*shape.rect.centre) for b in buttons)
    }
    return sorted(written) == sorted(titles) and len(sizes) == 1


def test_the_games_of_tavli_are_played_in_another_order_or_without_one() -> None:
    form = Filling("tables-24")
    form.chooses("tavli")
    assert "Portes, Plakoto, Fevga" in form.words
    assert "order" not in form.begins().options
    form.taps("Games in turn")
    assert form.begins().options["order"] == "portes,fevga,plakoto"
    for _ in range(5):
        form.taps("Games in turn")
    assert form.begins().options["order"] == "portes,plakoto"
    for _ in range(6):
        form.taps("Games in turn")
    assert "order" not in form.begins().options


def test_points_ahead_are_the_score_with_which_the_match_begins() -> None:
    form = Filling("tables-24", Ui(Page.NEW_MATCH, form=Form(("Ada", "Mia"), 5)))
    assert "position" not in form.begins().options
    form.taps("Begins at")
    assert {"Ada begins with points", "Mia begins with points"} <= set(form.words)
    offered = given_actions(form, give_points)
    assert offered == [(side, points) for side in Side for points in range(5)], "the fifth wins"
    form.ui, _ = give_points(Side.BLACK, 2).act(form.ui, form.shown, MS)
    form.taps("Back")
    assert "0\u00a0–\u00a02" in form.words
    match = form.begins()
    start = Start(MS, match.game, "tables-24", match.match_to, match.players, match.options)
    origin = agree(start, GAMES)[1].origin
    assert origin
    assert (origin.standing.score, origin.starter) == (Score(0, 2), None), (
        "an opening throw follows"
    )
    again = form_of(start, GAMES)
    assert again
    assert again.ahead == Score(0, 2)


def given_actions(form: Filling, kind: Callable[..., Action]) -> list[tuple[object, ...]]:
    picture = compose(form.shown, form.ui, SIZE, measure, ms(0))
    return [one.action.given for one in picture.targets if does(one.action, kind)]


@pytest.mark.parametrize(("match_to", "ahead"), [(1, Score()), (3, Score(2, 2)), (None, Score())])
def test_nobody_begins_with_a_won_match(match_to: int | None, ahead: Score) -> None:
    form = Form(("Ada", "Mia"), match_to, game="backgammon", ahead=Score(4, 4))
    assert head_start(form, GAMES.match("backgammon")) == ahead
    match = new_match(form, GAMES.match("backgammon"))
    assert ("position" in match.options) is any(ahead)


def test_the_tutor_warns_one_side_alone_if_the_players_agree() -> None:
    form = Filling("tables-24", Ui(Page.NEW_MATCH, form=Form(("Ada", "Mia"), 5)))
    assert "tutor" not in form.begins().options
    form.taps("Begins at")
    form.taps("Mia")
    form.taps("Back")
    assert "the usual start · tutor" in form.words
    match = form.begins()
    assert match.options["tutor"] == "black"
    start = Start(MS, match.game, "tables-24", match.match_to, match.players, match.options)
    again = form_of(start, GAMES)
    assert again
    assert again.tutored is Side.BLACK
    form.taps("Begins at")
    form.taps("as in the settings")
    form.taps("Back")
    assert "tutor" not in form.begins().options
