"""The board is right: what a tap does in each game's editor, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from known import BOARDS, FACES, GAMES, find_game, load_board
from views import MIDDLE, measure, view_of

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.referee.events import Tap
from pi_app.referee.view import View
from pi_app.rules.terms import Side, Spot
from pi_app.screen.actions import (
    Action,
    accept_position,
    begin_edit,
    change_mover,
    pick,
    start_edit,
    tap_spot,
)
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.pages.editor import reasons_words
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.user.settings import Settings

W, B = Side.WHITE, Side.BLACK
SIZE = (800, 480)
MS = ms(77)


def seen(name: str, position: str = "", lost: tuple[str, ...] = (), **changes: Any) -> View:
    """A view whose sensors see the position; those in `lost` are open nevertheless."""
    view, board = view_of(name, position, **changes), load_board(BOARDS[name])
    closed = board.closed_by(view.accepted) - {*lost} | changes.get("closed", frozenset())
    return replace(view, closed=closed)


@dataclass
class EditorUser:
    """A player at the editor of one game, who only touches."""

    view: View
    ui: Ui = field(default_factory=lambda: Ui(Page.PLAY))
    size: tuple[int, int] = SIZE
    turned: bool = False

    def __post_init__(self) -> None:
        self.ui, _ = start_edit().act(self.ui, self.shown, MS)

    @property
    def shown(self) -> Shown:
        settings = Settings().changed("screen.turned", self.turned)
        return Shown(load_board(BOARDS[self.view.game]), FACES, self.view, settings)

    def does(self, action: Action) -> tuple[Any, ...]:
        picture = compose(self.shown, self.ui, self.size, measure, ms(0))
        (target,) = (target for target in picture.targets if target.action == action)
        self.ui, outputs = touched(
            picture, FingerDown(*target.rect.centre), self.ui, self.shown, MS
        )
        return outputs

    def tap(self, spot: str, times: int = 1) -> tuple[Side, ...]:
        for _ in range(times):
            self.does(tap_spot(Spot.read(spot)))
        return self.at(spot)

    def at(self, spot: str) -> tuple[Side, ...]:
        assert self.ui.edit
        return self.ui.edit.checkers[Spot.read(spot)]

    def accept(self) -> str:
        (tap,) = self.does(accept_position())
        assert isinstance(tap, Tap)
        assert tap.intent is Act.CORRECT
        assert tap.position
        return tap.position


@pytest.mark.parametrize("size", [SIZE, (1280, 720), (720, 1280)], ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_every_spot_of_every_game_can_be_tapped(name: str, size: tuple[int, int]) -> None:
    game = find_game(name)
    editor = EditorUser(seen(name), size=size, turned=size == SIZE)
    for spot in map(str, FACES[name].editing.spots(game)):
        before = editor.at(spot)
        if len(before) == 15:
            editor.does(pick(None))
        assert editor.tap(spot) != before, spot
        if len(before) == 15:
            editor.does(pick(W))


@pytest.mark.parametrize("name", GAMES)
def test_an_untouched_board_is_taken_as_it_was(name: str) -> None:
    view = seen(name)
    assert EditorUser(view).accept() == view.position


@pytest.mark.parametrize("name", GAMES)
def test_who_moves_next_can_be_changed(name: str) -> None:
    editor = EditorUser(seen(name))
    editor.does(change_mover())
    game = find_game(name)
    assert game.mover(game.read_position(editor.accept())) is B


@pytest.mark.parametrize("name", GAMES)
def test_no_checker_is_made_or_lost_by_tapping(name: str) -> None:
    game = find_game(name)
    editor = EditorUser(seen(name))
    taken = 0
    if FACES[name].editing.brushes:
        editor.does(pick(None))
    for spot in map(str, FACES[name].editing.spots(game)):
        while W in editor.at(spot) and taken < 3:
            taken += 1
            editor.tap(spot, 2 if name in ("nannon", "cannon") else 1)
    assert editor.ui.edit
    standing = [side for stack in editor.ui.edit.checkers.values() for side in stack]
    assert standing.count(W) == game.checkers_a_side


# What the sensors suggest ---------------------------------------------------------------------


def test_it_begins_with_as_many_checkers_as_the_sensors_see() -> None:
    view = seen("backgammon", lost=("6.5", "6.4"), closed=frozenset({"5.1", "8.4"}))
    edit = begin_edit(Shown(load_board("tables-24"), FACES), view)
    assert edit.checkers[Spot.read("6")] == (W, W, W)
    assert edit.checkers[Spot.read("5")] == (W,)
    assert edit.checkers[Spot.read("8")] == (W, W, W, W)
    assert edit.checkers[Spot.read("off.white")] == ()


def test_checkers_above_the_last_sensor_are_believed() -> None:
    view = seen("pin")
    edit = begin_edit(Shown(load_board("tables-24"), FACES), view)
    assert len(edit.checkers[Spot.read("24")]) == 15


def test_a_sensor_set_aside_suggests_nothing() -> None:
    view = seen("cannon", MIDDLE, lost=("c5", "e5"), sensors_off=("c5",))
    edit = begin_edit(Shown(load_board("cannon-10"), FACES), view)
    assert edit.checkers[Spot.read("c5")] == (W,)
    assert edit.checkers[Spot.read("e10")] == (W, W)


def test_a_piece_that_came_from_nowhere_is_the_movers() -> None:
    view = seen("cannon", MIDDLE, closed=frozenset({"e6"}), to_act=B)
    assert begin_edit(Shown(load_board("cannon-10"), FACES), view).checkers[Spot.read("e6")] == (B,)


# Cannon ---------------------------------------------------------------------------------------


def test_a_point_shows_each_piece_that_can_stand_there() -> None:
    editor = EditorUser(seen("cannon"))
    assert [editor.tap("e5") for _ in range(3)] == [(W,), (B,), ()]
    assert [editor.tap("e10") for _ in range(4)] == [(W,), (B,), (W, W), ()]
    assert [editor.tap("e1") for _ in range(4)] == [(W,), (B,), (B, B), ()]
    assert [editor.tap("a1") for _ in range(3)] == [(W,), (B,), ()]


def test_cannons_towns_can_be_told() -> None:
    editor = EditorUser(seen("cannon"))
    editor.tap("c10", 3)
    editor.tap("f1", 3)
    assert editor.accept().startswith("..O......./")


def test_a_second_town_is_refused_in_words() -> None:
    editor = EditorUser(seen("cannon", MIDDLE))
    editor.tap("c10", 3)
    assert editor.does(accept_position()) == ()
    assert editor.ui.page is Page.EDITOR
    assert editor.ui.edit
    assert "Light has 2 towns" in editor.ui.edit.reasons[0]
    editor.tap("c10")
    assert editor.ui.edit.reasons == ()
    assert editor.accept() == MIDDLE


# The tables games -----------------------------------------------------------------------------


def test_a_tap_adds_a_checker_of_the_picked_side_or_takes_one_away() -> None:
    editor = EditorUser(seen("backgammon"))
    assert editor.tap("6", 2) == (W,) * 7
    editor.does(pick(None))
    assert editor.tap("6", 3) == (W,) * 4
    assert editor.tap("1", 9) == ()
    editor.does(pick(B))
    assert editor.tap("20") == (B,)


def test_checkers_of_the_wrong_colour_change_it_and_stay_as_many() -> None:
    editor = EditorUser(seen("portes"))
    editor.does(pick(B))
    assert editor.tap("6") == (B,) * 5
    assert editor.tap("6") == (B,) * 6


@pytest.mark.parametrize("brush", [W, B])
def test_each_bar_takes_its_own_sides_checkers(brush: Side) -> None:
    editor = EditorUser(seen("backgammon"))
    editor.does(pick(brush))
    assert editor.tap("bar.white", 2) == (W, W)
    assert editor.tap("bar.black") == (B,)


def test_a_hit_checker_is_told_with_point_and_bar() -> None:
    editor = EditorUser(seen("backgammon"))
    editor.does(pick(None))
    editor.tap("24")
    editor.does(pick(W))
    editor.tap("bar.white")
    assert editor.accept() == "-b----E-C---eE---c-e----AA w"


def test_in_the_pin_game_a_single_enemy_is_pinned() -> None:
    editor = EditorUser(seen("pin"))
    editor.does(pick(None))
    editor.tap("24", 3)
    editor.tap("1", 3)
    editor.does(pick(B))
    editor.tap("13")
    editor.does(pick(W))
    assert editor.tap("13") == (B, W)
    assert editor.tap("13") == (B, W, W)
    assert editor.tap("20") == (W,)
    assert editor.accept() == "-l-----------B------A---L- w 13"


def test_what_is_missing_has_been_borne_off() -> None:
    editor = EditorUser(seen("backgammon"))
    editor.does(pick(None))
    editor.tap("13", 5)
    assert editor.at("off.white") == (W,) * 5
    assert editor.at("off.black") == ()


def test_too_many_checkers_are_refused_in_words() -> None:
    editor = EditorUser(seen("backgammon"))
    editor.tap("6", 2)
    assert editor.does(accept_position()) == ()
    assert editor.ui.edit
    assert editor.ui.edit.reasons == ("White has 17 checkers, 15 at most",)


def test_of_many_reasons_the_first_are_told_and_the_rest_counted() -> None:
    assert reasons_words(("one", "two")) == "one; two"
    assert reasons_words(("1", "2", "3", "4", "5")) == "1; 2; 3; and 2 more"
