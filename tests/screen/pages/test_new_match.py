"""The new match: which game, what it offers, and what is agreed on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from known import BOARDS, FACES, GAMES, load_board
from views import does, given, measure, view_of

from pi_app.base.microseconds import ms
from pi_app.games.all import ALL
from pi_app.referee.events import MachineSeat
from pi_app.rules.contract import Option
from pi_app.rules.terms import Side
from pi_app.screen.actions import choose_game, give_side, set_target, toggle, write
from pi_app.screen.canvas import Text
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Page, Shown, TextField, Ui, see
from pi_app.user.agreement import Form, player_names
from pi_app.user.commands import NewMatch
from pi_app.user.settings import Settings

MS = ms(5)
SIZE = (800, 480)


@dataclass
class Filling:
    """A player who fills in the form on one board."""

    board: str
    ui: Ui = field(default_factory=lambda: Ui(Page.NEW_MATCH))
    players_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def shown(self) -> Shown:
        return Shown(load_board(self.board), FACES, players_of=self.players_of)

    @property
    def words(self) -> list[str]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        return [shape.text for shape in picture.shapes if isinstance(shape, Text)]

    @property
    def options(self) -> list[Option]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        return given((target.action for target in picture.targets), toggle)

    def taps(self, label: str) -> tuple[object, ...]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        (text,) = (s for s in picture.shapes if isinstance(s, Text) and s.text == label)
        touch = FingerDown(*text.rect.centre)
        self.ui, outputs = touched(picture, touch, self.ui, self.shown, MS)
        return outputs

    def chooses(self, game: str) -> None:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        assert game in given((target.action for target in picture.targets), choose_game)
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


def gives(form: Filling, side: Side) -> None:
    """Who plays a side is touched."""
    form.ui, _ = give_side(side).act(form.ui, form.shown, MS)


def test_a_side_is_given_to_each_of_the_machines_players_and_to_a_person_again() -> None:
    form = Filling("nannon-6", players_of=ALL.players)
    assert form.words.count("Human") == 2
    for player in ALL.players["nannon"]:
        gives(form, Side.BLACK)
        assert f"Spotter: {player}" in " ".join(form.words)
        match = form.begins()
        assert match.players == ("White", "Spotter")
        assert MachineSeat(Side.BLACK, player).options.items() <= match.options.items()
    gives(form, Side.BLACK)
    assert form.words.count("Human") == 2
    assert "machine" not in form.begins().options


def test_the_machine_has_one_side_and_a_player_of_the_game() -> None:
    form = Filling("tables-24", players_of={"backgammon": ("deep", "same"), "pin": ("same",)})
    form.taps(GAMES["backgammon"].title)
    gives(form, Side.BLACK)
    gives(form, Side.WHITE)
    assert form.ui.form.machine == MachineSeat(Side.WHITE, "deep")
    assert form.begins().players == ("Spotter", "Black")
    gives(form, Side.WHITE)
    form.chooses("pin")
    assert form.ui.form.machine == MachineSeat(Side.WHITE, "same")
    form.taps(GAMES["portes"].title)
    assert form.ui.form.machine is None, "that game has no player"
    assert "Human" not in form.words


def test_the_machines_name_is_not_written() -> None:
    form = Filling("nannon-6", players_of=ALL.players)
    gives(form, Side.WHITE)
    picture = compose(form.shown, form.ui, SIZE, measure, ms(0))
    written = given((target.action for target in picture.targets), write)
    assert TextField.WHITE not in written
    assert TextField.BLACK in written


@pytest.mark.parametrize("size", [(720, 1280), (800, 480)], ids=str)
def test_names_of_games_stay_whole_in_large_text_and_one_leads_to_the_next(
    size: tuple[int, int],
) -> None:
    settings = Settings().changed("screen.text", "large")
    boards = {game: load_board(board) for game, board in BOARDS.items()}
    shown = Shown(load_board("nannon-6"), FACES, settings=settings, boards_of=boards)
    fonts, game, seen = Fonts(), next(iter(GAMES)), list[str]()
    while game not in seen:
        seen.append(game)
        ui = Ui(Page.NEW_MATCH, form=Form(("Ada", "Ben"), 7, game=game))
        picture = compose(shown, ui, size, fonts.measure, MS)
        written = {shape.text for shape in picture.shapes if isinstance(shape, Text)}
        there = given([target.action for target in picture.targets], choose_game)
        for name in there:
            title = GAMES.matches[name].title
            assert title in written or set(title.split(" ")) <= set(" ".join(written).split())
        game = there[(there.index(game) + 1) % len(there)]
    assert seen == [*GAMES.matches]


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
