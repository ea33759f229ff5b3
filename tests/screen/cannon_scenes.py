"""Cannon's screens, the editor of every game and the new match on every board, by a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from views import CALM, view_of

from pi_app.boards import load_board
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.referee.events import Intent
from pi_app.referee.view import View
from pi_app.rules.registry import GAMES, find_game
from pi_app.rules.terms import Move, PositionError, Side, Spot
from pi_app.screen.edits import begin_edit
from pi_app.screen.ui import Edit, Form, Page, Shown, Ui
from pi_app.sensing.reading import BoardState
from pi_app.settings import Settings

MIDDLE = (
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "........../....X..... L"
)
BOARD_OF = {"nannon": "nannon-6", "cannon": "cannon-10"}


def board_of(game: str) -> str:
    return BOARD_OF.get(game, "tables-24")


def stacks(position: str) -> Any:
    game = find_game("cannon")
    return game.checkers_at(game.read_position(position))


def cannon_views() -> Mapping[str, View]:
    c5, h3, off = Spot("c5"), Spot("h3"), Spot("off.black")
    choices = ("c5xb4", "c5xb5", "c5xd5", "xh3")
    moves = (
        (Move(c5, Spot("b4"), hit=True),),
        (Move(c5, Spot("b5"), hit=True),),
        (Move(c5, Spot("d5"), hit=True),),
        (Move(h3, off),),
    )
    wrong = {"board": BoardState.WRONG, "message": "b7 → b4 is 3 points; that takes a cannon"}
    return {
        "set up": view_of(
            "cannon",
            phase=Phase.SET_UP,
            board=BoardState.IN_HAND,
            fill=tuple(Spot(f"{file}7") for file in "bdfhj"),
            clear=(Spot("e5"),),
            message="Set up game 1",
            hint="Light on b7, d7, f7, h7 and 1 more; clear e5.",
        ),
        "town": view_of(
            "cannon",
            targets=tuple(Spot(f"{file}10") for file in "bcdefghi"),
            message="Light places the town",
        ),
        "moving": view_of("cannon", MIDDLE),
        "in hand": view_of(
            "cannon", MIDDLE, board=BoardState.IN_HAND, lifted=(c5,), targets=(Spot("b4"), off)
        ),
        "shot": view_of(
            "cannon", MIDDLE, board=BoardState.PLAYED, moves=(Move(h3, off),), play="xh3"
        ),
        "choose": view_of(
            "cannon",
            MIDDLE,
            board=BoardState.CHOOSE,
            choices=choices,
            choice_moves=moves,
            offers=CALM | {Intent.CHOOSE},
            hint="Tap it: c5xb4, c5xb5, c5xd5 or xh3. Or put the checkers back.",
        ),
        "wrong": view_of(
            "cannon",
            MIDDLE,
            moves=(Move(Spot("a6"), Spot("a3")),),
            fill=(Spot("a6"), Spot("e10")),
            clear=(Spot("a3"), Spot("off.white")),
            sensors_off=("e5", "j10", "a1"),
            suspects=("d10",),
            **wrong,
        ),
        "game over": view_of(
            "cannon",
            MIDDLE,
            phase=Phase.GAME_OVER,
            score=Score(1, 0),
            offers=CALM | {Intent.NEXT_GAME},
            last_result="Ada wins 1 point: town taken",
            message="Ada wins 1 point: town taken",
            hint="Press the die button for the next game.",
        ),
    }


def refused(edit: Edit, game: str) -> Edit:
    """Everything a finger could do wrong: each spot holds more than it can."""
    full = {spot: stack * 16 or (Side.WHITE,) * 3 for spot, stack in edit.checkers.items()}
    try:
        find_game(game).position_of(full, edit.mover)
    except PositionError as error:
        return Edit(edit.checkers, Side.BLACK, error.reasons, brush=None)
    raise AssertionError(f"{game} takes any stack")


def other_scenes() -> Mapping[str, tuple[Shown, Ui]]:
    made: dict[str, tuple[Shown, Ui]] = {}
    cannon = load_board("cannon-10")
    for name, view in cannon_views().items():
        made[f"cannon {name}"] = (Shown(cannon, view), Ui(Page.PLAY))
        made[f"cannon {name} turned"] = (
            Shown(
                cannon,
                view,
                Settings().changed("screen.turned", True),
                notices=("The disk is full.",),
            ),
            Ui(Page.PLAY),
        )
    middle = Shown(cannon, cannon_views()["moving"])
    made["cannon menu"] = (middle, Ui(Page.MENU))
    made["cannon resign"] = (middle, Ui(Page.RESIGN))
    pin = Shown(load_board("tables-24"), view_of("pin"))
    made["pin resign"] = (pin, Ui(Page.RESIGN))
    for game in GAMES:
        board = load_board(board_of(game))
        view = view_of(game)
        edit = begin_edit(view, board)
        made[f"{game} editor"] = (Shown(board, view), Ui(Page.EDITOR, edit=edit))
        made[f"{game} editor refused"] = (
            Shown(board, view, Settings().changed("screen.turned", True)),
            Ui(Page.EDITOR, edit=refused(edit, game)),
        )
        for match_to in (7, None):
            form = Form(game=game, match_to=match_to)
            made[f"{game} new match to {match_to}"] = (Shown(board), Ui(Page.NEW_MATCH, form=form))
    return made
