"""Views made by hand, for tests of what is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_app.board.reading import BoardState
from pi_app.match.cube import Cube
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.referee.events import Intent, Ms
from pi_app.referee.view import PutRight, View
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Side

CALM = frozenset(
    {
        Intent.TAKE_BACK,
        Intent.RESIGN,
        Intent.BOARD_IS_RIGHT,
        Intent.SCREEN_IS_RIGHT,
        Intent.SENSOR_OFF,
        Intent.SENSOR_ON,
    }
)


def checkers(text: str) -> Any:
    """What stands on each spot of a Nannon position."""
    game = find_game("nannon")
    return game.checkers_at(game.read_position(text))


def make_view(**changes: Any) -> View:
    """White to move a 2 in the middle of a match, with changes; `standing` follows `position`."""
    position = changes.get("position", "1ww..bb1 w")
    view = View(
        ms=Ms(5200),
        phase=Phase.MOVING,
        to_act=Side.WHITE,
        game="nannon",
        position=position,
        roll="2",
        board=BoardState.RESTING,
        play=None,
        after=None,
        choices=(),
        rule=None,
        reason=None,
        put_right=PutRight(),
        sensors_off=(),
        score=Score(3, 5),
        match_to=11,
        cube=Cube(),
        message="White to play 2",
        hint="Move on the board: HOME → 2 or 2 → 4.",
        title="Nannon",
        players=("Ada", "Ben"),
        standing=checkers(position),
        accepted=checkers(position),
        moves=(),
        lifted=(),
        targets=(),
        fill=(),
        clear=(),
        legal=("1/3", "2/4"),
        moves_exist=True,
        guiding=False,
        earlier=None,
        offers=CALM,
        awaiting_roll=False,
        thrown=(),
        closed=frozenset(),
        suspects=(),
        troubles=(),
        game_number=4,
        crawford=False,
        with_cube=True,
        last_result=None,
        note=None,
    )
    return replace(view, **changes)
