"""A new match from a position: as it stands on the board, edited on the screen, or as text."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from known import FACES, load_board
from views import measure

from pi_app.base.microseconds import ms
from pi_app.games.all import ALL
from pi_app.match.turns import Phase
from pi_app.referee.events import Start
from pi_app.referee.options import agree
from pi_app.rules.terms import Side, Spot
from pi_app.screen.actions import (
    Action,
    accept_position,
    begin_match,
    begin_training,
    begin_usually,
    change_mover,
    enter,
    open_page,
    pick,
    pose,
    read_board,
    tap_spot,
    type_letters,
    write,
)
from pi_app.screen.canvas import Text
from pi_app.screen.compose import KeyPress, compose, pressed
from pi_app.screen.ui import Inspected, Page, Shown, TextField, Ui
from pi_app.user.agreement import Form
from pi_app.user.commands import Inspect, NewMatch, Train

NOW, SIZE = ms(5), (800, 480)
XGID = "XGID=-b----E-C---eE---c-e----B-:1:1:1:42:2:3:0:7:10"
FORM = Form(("Ada", "Ben"), 5, game="backgammon")


@dataclass
class Poser:
    """Somebody at the form of a new match, on one board."""

    board: str = "tables-24"
    form: Form = FORM
    inspected: Inspected | None = None
    ui: Ui = field(init=False)

    def __post_init__(self) -> None:
        self.ui = Ui(Page.NEW_MATCH, form=self.form)

    @property
    def shown(self) -> Shown:
        board = load_board(self.board)
        return Shown(board, FACES, inspected=self.inspected, ids=ALL.ids)

    def does(self, *actions: Action) -> list[object]:
        outputs = list[object]()
        for action in actions:
            self.ui, some = action.act(self.ui, self.shown, NOW)
            outputs += some
        return outputs

    def poses(self) -> list[object]:
        return self.touches(open_page(Page.HANDICAP), pose())

    def touches(self, *actions: Action) -> list[object]:
        """The same, but each must be on the screen."""
        outputs = list[object]()
        for action in actions:
            picture = compose(self.shown, self.ui, SIZE, measure, NOW)
            assert action in [target.action for target in picture.targets]
            outputs += self.does(action)
        return outputs

    @property
    def words(self) -> str:
        picture = compose(self.shown, self.ui, SIZE, measure, NOW)
        return " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))

    def begins(self) -> NewMatch:
        (match,) = self.touches(begin_match())
        assert isinstance(match, NewMatch)
        start = Start(ms(0), match.game, self.board, match.match_to, match.players, match.options)
        self.state = agree(start, ALL.rules)[1].origin
        return match


def test_an_edited_position_begins_the_match_of_the_form() -> None:
    ada = Poser()
    assert ada.poses() == [Inspect.LOOK]
    point = Spot.read("6")
    ada.touches(pick(None), tap_spot(point), change_mover())
    assert ada.touches(accept_position()) == [Inspect.STOP]
    assert "a position" in ada.words
    match = ada.begins()
    assert (match.players, match.match_to) == (("Ada", "Ben"), 5)
    assert ada.state
    assert ada.state.to_act is Side.BLACK
    game = ALL.rules["backgammon"]
    before, after = game.checkers_at(game.start(Side.WHITE)), game.checkers_at(ada.state.position)
    assert after[point] == before[point][1:]
    ada.touches(open_page(Page.HANDICAP), begin_usually(), open_page(Page.NEW_MATCH))
    assert "position" not in ada.begins().options


def test_what_stands_on_the_board_is_taken_over() -> None:
    ada = Poser("nannon-6")
    board = load_board("nannon-6")
    closed = frozenset(
        sensor
        for place in board.places
        if str(place.spot) in ("2", "3")
        for reed in place.reeds
        for sensor in reed.sensors
    )
    ada.poses()
    assert read_board() not in [
        target.action for target in compose(ada.shown, ada.ui, SIZE, measure, NOW).targets
    ], "nothing is known of the sensors yet"
    ada.inspected = Inspected(closed)
    ada.touches(read_board())
    assert ada.ui.edit
    standing = {str(spot) for spot, stack in ada.ui.edit.checkers.items() if stack}
    assert {"2", "3"} <= standing
    assert not {"1", "4", "5", "6"} & standing


@pytest.mark.parametrize(
    ("text", "length", "roll", "to_act"),
    [
        (XGID, 7, "42", Side.WHITE),
        ("4HPwATDgc/ABMA", None, "", Side.WHITE),
        ("backgammon -b----E-C---eE---c-e----B- b roll=31 to=3", 3, "31", Side.BLACK),
    ],
)
def test_a_text_of_another_program_begins_there_with_its_roll_and_length(
    text: str, length: int | None, roll: str, to_act: Side
) -> None:
    ada = Poser()
    ada.poses()
    ada.touches(write(TextField.POSITION))
    ada.does(type_letters(text))
    assert ada.touches(enter()) == [Inspect.STOP]
    match = ada.begins()
    assert (match.game, match.match_to) == ("backgammon", length)
    assert ada.state
    assert (str(ada.state.roll or ""), ada.state.to_act) == (roll, to_act)
    assert ada.state.phase is Phase.SET_UP


@pytest.mark.parametrize("text", ["XGID=nonsense", "backgammon x", "?", "nannon -- w"])
def test_a_text_that_cannot_be_read_is_explained_in_the_editor(text: str) -> None:
    ada = Poser()
    ada.poses()
    ada.touches(write(TextField.POSITION))
    ada.does(type_letters(text), enter())
    assert ada.ui.page is Page.EDITOR
    assert ada.ui.edit
    assert ada.ui.edit.reasons
    assert ada.ui.form.position is None
    compose(ada.shown, ada.ui, SIZE, measure, NOW)


def test_a_finished_game_is_refused() -> None:
    ada = Poser()
    ada.poses()
    ada.touches(pick(None))
    assert ada.ui.edit
    white = [spot for spot, stack in ada.ui.edit.checkers.items() if stack[:1] == (Side.WHITE,)]
    ada.does(*(tap_spot(spot) for spot in white if spot.number for _ in range(5)))
    ada.touches(accept_position())
    assert ada.ui.page is Page.EDITOR
    assert ada.ui.edit
    assert "the game is over" in " ".join(ada.ui.edit.reasons)


def test_escape_and_cancel_return_to_the_form() -> None:
    ada = Poser()
    ada.poses()
    picture = compose(ada.shown, ada.ui, SIZE, measure, NOW)
    ada.ui, outputs = pressed(picture, KeyPress("escape"), ada.ui, ada.shown, NOW)
    assert (ada.ui.page, ada.ui.edit, outputs) == (Page.NEW_MATCH, None, (Inspect.STOP,))
    assert ada.ui.form == FORM


def test_a_position_is_trained_by_the_first_player() -> None:
    ada = Poser()
    ada.poses()
    ada.touches(write(TextField.POSITION))
    ada.does(type_letters(XGID), enter())
    assert ada.ui.form.position
    text = ada.ui.form.position.text
    assert ada.touches(begin_training("Ada", text)) == [Train("Ada", text)]
