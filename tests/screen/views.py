"""Views made by hand, for tests of what is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_app.match.cube import Cube
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.microseconds import ms
from pi_app.referee.events import Intent
from pi_app.referee.view import PutRight, View
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Move, Side, Spot
from pi_app.sensing.reading import BoardState

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
        us=ms(5200),
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
        side_names=("White", "Black"),
        players=("Ada", "Ben"),
        standing=checkers(position),
        accepted=checkers(position),
        moves=(),
        choice_moves=(),
        lifted=(),
        targets=(),
        fill=(),
        clear=(),
        legal=("1/3", "2/4"),
        still=(),
        moves_exist=True,
        guiding=False,
        earlier=None,
        offers=CALM,
        resign_points=(1, 2),
        fine=None,
        dice=0,
        awaiting_roll=False,
        thrown=(),
        closed=frozenset(),
        suspects=(),
        game_number=4,
        crawford=False,
        with_cube=True,
        last_result=None,
        result=None,
        note=None,
        pips=None,
        doubted=(),
        chattering=(),
        healed=(),
        ask_back=(),
    )
    if "choices" in changes and "choice_moves" not in changes:
        changes["choice_moves"] = tuple(map(moves_of, changes["choices"]))
    return _thrown(replace(view, **changes))


def _thrown(view: View) -> View:
    """The same, with as many dice to throw as its phase throws."""
    throws = {Phase.OPENING_THROW: 1, Phase.TO_ROLL: find_game(view.game).dice}
    return replace(view, dice=throws.get(view.phase, 0))


def view_of(name: str, position: str = "", **changes: Any) -> View:
    """Any game in the middle of a match: White (Light) to roll or move, with changes."""
    game = find_game(name)
    text = position or game.write_position(game.start(Side.WHITE))
    stacks = game.checkers_at(game.read_position(text))
    usual = {
        "game": name,
        "title": game.title,
        "side_names": game.side_names,
        "position": text,
        "phase": Phase.TO_ROLL if game.dice else Phase.MOVING,
        "roll": None,
        "standing": stacks,
        "accepted": stacks,
        "with_cube": game.has_cube,
        "resign_points": game.resign_points(game.read_position(text), Side.WHITE),
        "message": f"{game.side_names[0]} to {'roll' if game.dice else 'move'}",
        "hint": "",
        "legal": (),
    }
    return _thrown(replace(make_view(), **{**usual, **changes}))


def moves_of(play: str) -> tuple[Move, ...]:
    """The moves of a Nannon play of White's, well enough for an arrow."""
    ends = {"HOME": "home.white", "SAFETY": "safety.white"}
    origin, target = (Spot(ends.get(word, word)) for word in play.rstrip("*").split("/"))
    return (Move(origin, target, hit=play.endswith("*")),)
