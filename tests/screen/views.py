"""Views made by hand, for tests of what is drawn, and pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from known import FACES, find_game, load_board

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.match.acts import Act
from pi_app.match.score import Cube, Score
from pi_app.match.turns import Phase
from pi_app.referee.view import BackTo, PutRight, View
from pi_app.rules.contract import Opening
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.actions import Acted, Action
from pi_app.screen.canvas import Drawing
from pi_app.screen.compose import KeyPress, compose, pressed
from pi_app.screen.theme import Colour
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.reading import BoardState
from pi_app.user.settings import Settings

CALM = frozenset(
    {
        Act.TAKE_BACK,
        Act.RESIGN,
        Act.CORRECT,
        Act.SCREEN_IS_RIGHT,
        Act.SENSOR_OFF,
        Act.SENSOR_ON,
    }
)


SIZE = (800, 480)
TABLES = "tables-24"
MIDDLE = (
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "........../....X..... L"
)
"""A position of Cannon: Light's cannon on h8 to h6 can shoot h3."""


def measure(text: str, size: int, bold: bool) -> tuple[int, int]:
    """A font with letters of one width."""
    return len(text) * size * 6 // 10, size


def does(action: Action, kind: Callable[..., Action]) -> bool:
    """Whether the action is of this kind, whatever it was given."""
    return action.does is getattr(kind, "__wrapped__", None)


def given(actions: Iterable[Action], kind: Callable[..., Action]) -> list[Any]:
    """What the actions of this kind were given first."""
    return [action.given[0] for action in actions if does(action, kind)]


def same(*rgb: int) -> Colour:
    """A colour that is the same in every theme."""
    red, green, blue = rgb
    return Colour(*((red, green, blue),) * 3)


def draw(
    view: View,
    settings: Settings | None = None,
    board: str = TABLES,
    size: tuple[int, int] = SIZE,
) -> Drawing[Action]:
    """The play page of a view."""
    shown = Shown(load_board(board), FACES, view, settings or Settings())
    return compose(shown, Ui(Page.PLAY), size, measure, now=ENDLESS)


def checkers(text: str, name: str = "nannon") -> Any:
    """The checkers on each spot of a position."""
    game = find_game(name)
    return game.checkers_at(game.read_position(text))


def make_view(**changes: Any) -> View:
    """White to move a 2 in the middle of a match, with changes; `standing` follows `position`."""
    position = changes.get("position", "1ww..bb1 w")
    view = View(
        opening=Opening.DIFFERENCE,
        us=ms(5200),
        phase=Phase.MOVING,
        to_act=Side.WHITE,
        game="nannon",
        position=position,
        roll="2",
        board=BoardState.RESTING,
        play=None,
        after=None,
        confidence=None,
        choices=(),
        rule=None,
        reason=None,
        put_right=PutRight(),
        sensors_off=(),
        score=Score(3, 5),
        match_to=11,
        cube=Cube(),
        message="White to play 2",
        hint="Move on the board: HOME/2 or 2/4.",
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
        ending=None,
        moves_exist=True,
        guiding=False,
        earlier=None,
        late=False,
        back_to=BackTo("Black's 4", 1),
        offers=CALM,
        resignations={1: "single game", 2: "NANNON"},
        resignation=None,
        typed=False,
        changing=False,
        post_crawford=False,
        fine=None,
        dice=0,
        awaiting_roll=False,
        thrown=(),
        closed=frozenset(),
        suspects=(),
        faults=(),
        game_number=4,
        crawford=False,
        with_cube=True,
        last_result=None,
        result=None,
        note=None,
        unhit=False,
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
    stacks = checkers(text, name)
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
        "resignations": game.resignations(game.read_position(text), Side.WHITE),
        "message": f"{game.side_names[0]} to {'roll' if game.dice else 'move'}",
        "hint": "",
        "legal": (),
    }
    return _thrown(replace(make_view(), **{**usual, **changes}))


def tables_view(position: str, game: str = "backgammon", **changes: Any) -> View:
    """White to move a 6-4 in this position, with changes."""
    usual = {
        "phase": Phase.MOVING,
        "roll": "64",
        "legal": ("24/14",),
        "message": "White to play 6-4",
        "hint": "Legal: 24/14.",
        "pips": (167, 167),
    }
    return view_of(game, position, **{**usual, **changes})


def moves_of(play: str) -> tuple[Move, ...]:
    """The moves of a Nannon play of White's, well enough for an arrow."""
    ends = {"HOME": "home.white", "SAFETY": "safety.white"}
    origin, target = (Spot.read(ends.get(word, word)) for word in play.rstrip("*").split("/"))
    return (Move(origin, target, hit=play.endswith("*")),)


def key_pressed(name: str, ui: Ui, shown: Shown) -> Acted:
    """A key, on the picture as it is drawn now."""
    picture = compose(shown, ui, SIZE, measure, ENDLESS)
    return pressed(picture, KeyPress(name), ui, shown, ms(1))
