"""Each side of a tables game has its own point numbers: which sentence uses which.

Black has rolled 6-1 and White 1: his play is 13/7 8/7, whichever way the board on the screen is
turned.
"""

from __future__ import annotations

import json

import pytest
from desk import Desk

from pi_app.languages import load_language
from pi_app.match.acts import Act
from pi_app.referee.lines import write_view
from pi_app.referee.view import View
from pi_app.sensing.reading import BoardState
from pi_app.words.sentences import ENGLISH, Numbering

GERMAN = load_language("de")
BY_THE_BOARD = (Numbering.WHITE, Numbering.BLACK, Numbering.ENGRAVED)


def blacks_turn() -> Desk:
    desk = Desk(5, "backgammon", "tables-24")
    desk.show_accepted()
    for die in "16":
        desk.press()
        desk.roll(die)
    assert (desk.view.to_act.value, desk.view.roll) == ("black", "61")
    return desk


def told(text: str, numbering: Numbering) -> str:
    return ENGLISH.counting(numbering).say(text)


def everywhere(text: str) -> list[str]:
    return [told(text, numbering) for numbering in BY_THE_BOARD]


def carried(desk: Desk, *ways: tuple[str, str]) -> View:
    for origin, target in ways:
        desk.lift(origin)
        desk.drop(target)
    return desk.wait(1600)


def test_a_play_is_told_as_its_mover_counts_and_kept_as_the_board_is_engraved() -> None:
    desk = blacks_turn()
    view = carried(desk, ("12.5", "18.1"), ("17.3", "18.2"))
    assert view.message == "Ben plays 13/7 8/7"
    assert everywhere(view.message) == [
        "Ben plays 13/7 8/7",
        "Ben plays 13/7 8/7",
        "Ben plays 12/18 17/18",
    ]
    assert GERMAN.say(view.message) == "Ben zieht 13/7 8/7"
    line = json.loads(write_view(view))
    assert (line["play"], line["message"]) == ("12/18 17/18", "Ben plays 13/7 8/7")
    assert line["after"] == "-b----E-C---dE---bbe----B- w"
    desk.press()
    assert desk.view.back_to is not None
    desk.tap(Act.TAKE_BACK)
    assert desk.view.note == "Undone: 13/7 8/7"


def test_a_warning_is_in_the_numbers_of_the_board_on_the_screen() -> None:
    view = carried(blacks_turn(), ("12.5", "16.1"))
    assert view.board is BoardState.WRONG
    assert everywhere(view.reason or "") == [
        "12/16 needs 4 pips; the dice show 6 and 1",
        "13/9 needs 4 pips; the dice show 6 and 1",
        "12/16 needs 4 pips; the dice show 6 and 1",
    ]
    assert [hint.split(".")[0] for hint in everywhere(view.hint)] == [
        "Put it back on 12",
        "Put it back on 13",
        "Put it back on 12",
    ]
    assert view.hint.startswith("Put it back on 13."), "without a board it is the mover's numbers"


def test_of_a_wrong_turn_the_half_that_is_fine_keeps_its_movers_numbers() -> None:
    view = carried(blacks_turn(), ("17.3", "18.1"), ("12.5", "21.1"))
    assert everywhere(view.hint) == [
        "8/7 is legal. Put the other checker back on 12.",
        "8/7 is legal. Put the other checker back on 13.",
        "17/18 is legal. Put the other checker back on 12.",
    ]


def test_what_is_in_the_hand_is_told_by_the_board_and_what_goes_on_as_a_play() -> None:
    desk = blacks_turn()
    desk.lift("1.2")
    view = desk.wait(300)
    assert everywhere(view.message) == ["Ben: from 1", "Ben: from 24", "Ben: from 1"]
    assert [hint.split(" or ")[0] for hint in everywhere(view.hint)] == [
        "Legal: 7",
        "Legal: 18",
        "Legal: 7",
    ]
    desk.drop("7.1")
    desk.wait(300)
    assert everywhere(desk.view.hint)[0] == "Still to play: 24/23, 8/7 or 6/5."


def test_going_back_is_told_from_the_movers_24_to_his_1() -> None:
    view = carried(blacks_turn(), ("12.5", "11.1"))
    assert everywhere(view.reason or "") == [
        "12/11 goes back; Ben moves from 1 to 24",
        "13/14 goes back; Ben moves from 24 to 1",
        "12/11 goes back; Ben moves from 1 to 24",
    ]


def test_neither_player_is_called_by_his_colour() -> None:
    desk = Desk(5, "backgammon", "tables-24")
    heard = [desk.show("1.1"), desk.show_accepted()]
    for die in "61":
        heard += [desk.press(), desk.roll(die)]
    heard.append(carried(desk, ("24.2", "19.1")))
    heard.append(carried(desk, ("19.1", "24.2"), ("13.5", "7.1"), ("8.3", "7.2")))
    heard += [desk.press(), desk.hold(), desk.press(), desk.press(), desk.roll("66")]
    heard.append(carried(desk, ("13.4", "12.1")))
    heard.append(desk.tap(Act.SCREEN_IS_RIGHT))
    said = {text for view in heard for text in (view.message, view.hint, view.reason or "")}
    assert len(said) > 15
    assert [text for text in said if "White" in text or "Black" in text] == []


@pytest.mark.parametrize("game", ["portes", "pin"])
def test_so_it_is_in_the_other_games_of_the_family(game: str) -> None:
    desk = Desk(5, game, "tables-24")
    desk.show_accepted()
    for die in "16":
        desk.press()
        desk.roll(die)
    desk.press()
    desk.roll("21")
    assert "24/21" in {told(play, Numbering.WHITE) for play in desk.view.legal}
