"""What each game calls its sides, what can be agreed on, and what a game is given up for."""

from __future__ import annotations

from pathlib import Path

import pytest
from spots import spots

import pi_app
from pi_app.boards import load_board
from pi_app.microseconds import Us, ms
from pi_app.referee.events import (
    Button,
    Event,
    Intent,
    Picture,
    Press,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.lines import EventError
from pi_app.referee.options import OWN
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Side

SLID = (
    "....O...../........../.....o..../.....o..../.....o..../........../x........./........../"
    "........../....X..... L f8f6:3"
)
BOARD_OF = {"nannon": "nannon-6", "cannon": "cannon-10"}


class Match:
    """A match of any game, told what happens every half second."""

    def __init__(self, game: str, match_to: int | None = 7, **options: bool) -> None:
        named = {key.replace("_", " "): value for key, value in options.items()}
        name = BOARD_OF.get(game, "tables-24")
        self.board, self.us = load_board(name), 0
        start = Start(ms(0), game, name, match_to, ("Ada", "Ben"), named)
        self.referee = Referee(self.board, start)

    @property
    def view(self) -> View:
        return self.referee.view

    def later(self) -> Us:
        self.us += 500
        return ms(self.us)

    def tell(self, event: Event) -> View:
        self.referee.handle(event)
        return self.view

    def stand(self) -> View:
        """The board shows the accepted position."""
        return self.tell(Picture(self.later(), self.board.closed_by(self.view.accepted)))

    def edge(self, sensor: str, closed: bool) -> View:
        (name,) = (name for name in self.board.sensors if name == sensor)
        self.tell(SensorEdge(self.later(), name, closed))
        self.us += 2500
        return self.tell(Tick(self.later()))

    def press(self) -> View:
        return self.tell(Button(self.later(), Press.SHORT))

    def tap(self, intent: Intent, position: str | None = None, points: int | None = None) -> View:
        return self.tell(Tap(self.later(), intent, position=position, points=points))


def with_towns(**options: bool) -> Match:
    match = Match("cannon", **options)
    match.stand()
    for town in ("e10", "e1"):
        match.edge(town, True)
        match.press()
    return match


def test_cannons_sides_are_light_and_dark_in_every_sentence() -> None:
    match = Match("cannon")
    match.stand()
    assert match.view.message == "Light places the town"
    assert match.view.hint == "Anywhere from b10 to i10."
    assert match.edge("e10", True).message == "Light places the town on e10"
    assert match.press().message == "Dark places the town"
    match.edge("e1", True)
    assert match.press().message == "Light to move"
    match.edge("b7", False)
    assert match.view.message == "Light lifts b7"
    assert match.edge("b6", True).message == "Light plays b7-b6"


def test_the_points_where_the_town_may_be_placed_are_shown() -> None:
    match = Match("cannon")
    match.stand()
    assert match.view.targets == spots("b10 c10 d10 e10 f10 g10 h10 i10")
    match.edge("e10", True)
    assert match.view.targets == ()
    assert match.press().targets == spots("b1 c1 d1 e1 f1 g1 h1 i1")


def test_a_town_on_a_wrong_point_is_to_be_taken_off_it() -> None:
    match = Match("cannon")
    match.stand()
    assert match.edge("a10", True).hint.startswith("Take it off a10 again.")


def test_white_and_black_play_the_others() -> None:
    for game in ("nannon", "backgammon", "portes", "pin"):
        match = Match(game)
        assert match.stand().message == "White throws first"


# Options --------------------------------------------------------------------------------------


def test_under_the_tournament_rule_a_cannon_slides_no_fourth_time() -> None:
    for agreed in (True, False):
        match = with_towns(three_slides=agreed)
        match.tap(Intent.BOARD_IS_RIGHT, SLID if agreed else SLID.removesuffix(" f8f6:3"))
        match.stand()
        assert ("f8---f5" in match.view.legal) is not agreed
        match.edge("f8", False)
        view = match.edge("f5", True)
        assert view.rule == ("three-slides" if agreed else None)
        assert view.play == (None if agreed else "f8---f5")


def test_slides_are_counted_from_play_to_play() -> None:
    match = with_towns(three_slides=True)
    match.tap(Intent.BOARD_IS_RIGHT, SLID.removesuffix(" f8f6:3"))
    match.stand()
    match.edge("f8", False)
    match.edge("f5", True)
    assert match.press().position.endswith("D f7f5:1")


def test_the_option_changes_the_rules_and_nothing_else_does() -> None:
    assert find_game("cannon") is find_game("cannon", ("jacoby",))
    assert find_game("cannon", ("three slides",)) is not find_game("cannon")
    assert find_game("nannon", ("three slides",)) is find_game("nannon")


@pytest.mark.parametrize(
    ("game", "option", "why"),
    [
        ("backgammon", "a tie turns the cube", "Backgammon does not know it"),
        ("portes", "three slides", "Portes does not know it"),
        ("cannon", "jacoby", "Cannon does not know it"),
        ("nannon", "three slides", "Nannon does not know it"),
    ],
)
def test_an_option_of_another_game_is_refused(game: str, option: str, why: str) -> None:
    with pytest.raises(EventError, match=f"{option} is true; {why}"):
        Match(game, None, **{option: True})


def test_a_game_that_the_board_does_not_serve_is_refused_with_those_it_serves() -> None:
    board = load_board("tables-24")
    start = Start(ms(0), "cannon", "tables-24", 7, ("Ada", "Ben"))
    with pytest.raises(EventError) as caught:
        Referee(board, start)
    assert str(caught.value) == (
        "game 'cannon' does not fit board 'tables-24'; play on it: backgammon, portes, pin"
    )


def test_the_readme_tells_of_every_option() -> None:
    readme = (Path(pi_app.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    section = readme.split("## What players agree on")[1].split("\n## ")[0]
    rows = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(("cube", "crawford", *OWN))


# Resigning ------------------------------------------------------------------------------------


def test_a_game_of_cannon_is_given_up_for_one_point() -> None:
    match = with_towns()
    with pytest.raises(EventError, match=r"points is 2; resign 1$"):
        match.tap(Intent.RESIGN, points=2)
    assert match.tap(Intent.RESIGN, points=1).score.of(Side.BLACK) == 1


@pytest.mark.parametrize(
    ("game", "points"),
    [
        ("nannon", (1, 2)),
        ("backgammon", (1, 2, 3)),
        ("portes", (1, 2)),
        ("pin", (2, 360, 720, 1080)),
        ("cannon", (1,)),
    ],
)
def test_a_game_is_given_up_for_what_its_rules_can_give(game: str, points: tuple[int, ...]) -> None:
    assert Match(game).view.resign_points == points


@pytest.mark.parametrize(
    ("position", "points"),
    [
        ("----A-A---------------fi-- w -", (10,)),
        ("---A--N---------------fi-- w -", (87, 174, 261)),
        ("-n-A--M-----------------A- w 24", (2, 105, 210, 315)),
    ],
)
def test_the_pin_games_loss_is_counted_in_pips(position: str, points: tuple[int, ...]) -> None:
    game = find_game("pin")
    assert game.resign_points(game.read_position(position), Side.WHITE) == points
