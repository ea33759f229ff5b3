"""Each game's side names, options and resignations."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk import Desk
from known import BOARDS, GAMES, find_game, load_board
from spots import spots

import pi_app
from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.referee.events import EventError, Start
from pi_app.referee.referee import Referee
from pi_app.rules.terms import Side

SLID = (
    "....O...../........../.....o..../.....o..../.....o..../........../x........./........../"
    "........../....X..... L f8f6:3"
)


def seated(game: str, match_to: int | None = 7, **options: bool) -> Desk:
    return Desk(match_to, game, BOARDS[game], **options)


def with_towns(**options: bool) -> Desk:
    desk = seated("cannon", **options)
    desk.show_accepted()
    for town in ("e10", "e1"):
        desk.move(f"+{town}")
        desk.press()
    return desk


def test_players_are_called_by_their_names_in_every_sentence_of_cannon() -> None:
    desk = seated("cannon")
    desk.show_accepted()
    assert desk.view.message == "Ada places the town"
    assert desk.view.hint == "Anywhere from b10 to i10."
    assert desk.move("+e10").message == "Ada: town on e10"
    assert desk.press().message == "Ben places the town"
    desk.move("+e1")
    assert desk.press().message == "Ada to move"
    desk.move("-b7")
    assert desk.view.message == "Ada: from b7"
    assert desk.move("+b6").message == "Ada plays b7-b6"


def test_the_points_where_the_town_may_be_placed_are_shown() -> None:
    desk = seated("cannon")
    desk.show_accepted()
    assert desk.view.targets == spots("b10 c10 d10 e10 f10 g10 h10 i10")
    desk.move("+e10")
    assert desk.view.targets == ()
    assert desk.press().targets == spots("b1 c1 d1 e1 f1 g1 h1 i1")


def test_a_town_on_a_wrong_point_is_to_be_taken_off_it() -> None:
    desk = seated("cannon")
    desk.show_accepted()
    assert desk.move("+a10").hint.startswith("Lift it off a10 again.")


@pytest.mark.parametrize("game", GAMES)
def test_who_gave_no_name_is_called_by_his_side(game: str) -> None:
    names = ("Light", "Dark") if game == "cannon" else ("White", "Black")
    for players in (names, ("Ada", "Ben")):
        board = load_board(BOARDS[game])
        referee = Referee(board, Start(ms(0), game, board.name, 7, players, {}))
        told = referee.view.hint
        assert [f"{name}: " in told for name in players] == [
            True,
            True,
        ]


# Options --------------------------------------------------------------------------------------


def test_under_the_tournament_rule_a_cannon_slides_no_fourth_time() -> None:
    for agreed in (True, False):
        desk = with_towns(three_slides=agreed)
        desk.tap(Act.CORRECT, position=SLID if agreed else SLID.removesuffix(" f8f6:3"))
        desk.show_accepted()
        assert ("f8---f5" in desk.view.legal) is not agreed
        desk.move("-f8")
        view = desk.move("+f5")
        assert view.rule == ("three-slides" if agreed else None)
        assert view.play == (None if agreed else "f8---f5")


def test_slides_are_counted_from_play_to_play() -> None:
    desk = with_towns(three_slides=True)
    desk.tap(Act.CORRECT, position=SLID.removesuffix(" f8f6:3"))
    desk.show_accepted()
    desk.move("-f8")
    desk.move("+f5")
    assert desk.press().position.endswith("D f7f5:1")


def test_the_option_changes_the_rules_and_nothing_else_does() -> None:
    cannon, nannon = find_game("cannon"), find_game("nannon")
    assert cannon.under(("three slides",)) is not cannon
    assert nannon.under(("jacoby", "a tie turns the cube")) is nannon


@pytest.mark.parametrize(
    ("game", "option", "why"),
    [
        ("backgammon", "a tie turns the cube", "Backgammon does not know it"),
        ("cannon", "jacoby", "Cannon does not know it"),
        ("portes", "three slides", "Portes does not know it"),
        ("nannon", "three slides", "Nannon does not know it"),
    ],
)
def test_an_option_of_another_game_is_refused(game: str, option: str, why: str) -> None:
    with pytest.raises(EventError, match=f"{option} is true; {why}"):
        seated(game, None, **{option: True})


def test_every_game_may_be_told_that_an_option_of_another_is_off() -> None:
    """Spotter always read such starts."""
    off = dict.fromkeys(("jacoby", "a tie turns the cube", "three slides"), False)
    for game in GAMES:
        assert seated(game, None, **off).view.game == game


def test_what_no_game_knows_is_refused() -> None:
    with pytest.raises(EventError, match="fourth slide = False is not known; known here: cube, "):
        seated("cannon", None, **{"fourth slide": False})


def test_a_game_that_the_board_does_not_serve_is_refused_with_those_it_serves() -> None:
    board = load_board("tables-24")
    start = Start(ms(0), "cannon", "tables-24", 7, ("Ada", "Ben"))
    with pytest.raises(EventError) as caught:
        Referee(board, start)
    there = ", ".join(board.games)
    assert there.startswith("backgammon, nackgammon, ")
    assert str(caught.value) == f"board 'tables-24' has no 'cannon'; it has: {there}"


def test_the_page_lists_every_option() -> None:
    page = (Path(pi_app.__file__).parent / "match" / "README.md").read_text(encoding="utf-8")
    section = page.split("## Terms of a game")[1].split("\n## ")[0]
    rows = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(
        ("cube", "crawford", "order", *{o.name for game in GAMES.values() for o in game.options})
    )


# Resigning ------------------------------------------------------------------------------------


def test_a_game_of_cannon_is_given_up_for_one_point() -> None:
    desk = with_towns()
    with pytest.raises(EventError, match=r"points is 2; resign 1$"):
        desk.tap(Act.RESIGN, points=2)
    assert desk.resign().score[Side.BLACK] == 1


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
    assert tuple(seated(game).view.resignations) == points


@pytest.mark.parametrize(
    ("position", "points"),
    [
        ("----A-A---------------fi-- w -", (10,)),
        ("---A--N---------------fi-- w -", (87, 174)),
        ("-n-A--M-----------------A- w 24", (2, 105, 210, 315)),
    ],
)
def test_the_pin_games_loss_is_counted_in_pips(position: str, points: tuple[int, ...]) -> None:
    game = find_game("pin")
    assert tuple(game.resignations(game.read_position(position), Side.WHITE)) == points
