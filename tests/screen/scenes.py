"""Every screen there is, by a name, with the longest and the oddest of what it can show."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cannon_scenes import other_scenes
from views import CALM, checkers, make_view

from pi_app.boards import load_board
from pi_app.match.cube import Cube
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.referee.events import Intent
from pi_app.referee.view import View
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.ui import Edit, Field, Form, Page, Shown, Typing, Ui
from pi_app.sensing.reading import BoardState
from pi_app.settings import Settings

LONG_NAMES = ("Wilhelmina-Maria", "Бенджамин Жуков")

_1, _2, _3, _4, _5, _6 = (Spot(str(number)) for number in range(1, 7))
_OVER = CALM | {Intent.NEXT_GAME}


def _play_views() -> Mapping[str, View]:
    return {
        "set up": make_view(
            phase=Phase.SET_UP,
            roll=None,
            board=BoardState.IN_HAND,
            fill=(_2, _6),
            clear=(_3,),
            message="Set up game 1",
            hint="White on 2; Black on 6; clear 3.",
        ),
        "opening throw": make_view(
            phase=Phase.OPENING_THROW,
            roll=None,
            to_act=Side.BLACK,
            thrown=((Side.WHITE, 4), (Side.BLACK, 4)),
            message="Both threw 4: throw again",
            hint="White: press the die button. The higher plays the difference.",
        ),
        "to roll": make_view(
            phase=Phase.TO_ROLL,
            roll=None,
            offers=CALM | {Intent.DOUBLE},
            message="Ada to roll",
            hint="Press the die button to roll, hold it to double to 2.",
        ),
        "moving": make_view(),
        "first move": make_view(thrown=((Side.WHITE, 5), (Side.BLACK, 3))),
        "forfeit": make_view(
            legal=("forfeit",),
            moves_exist=False,
            message="Ada has no legal move with a 2",
            hint="Press the die button to pass the turn.",
        ),
        "in hand": make_view(
            board=BoardState.IN_HAND,
            standing=checkers("1w...bb1 w"),
            lifted=(_2, Spot("home.white")),
            targets=(_4, Spot("safety.white")),
            message="From 2 to 4",
            hint="Set it down on 4.",
        ),
        "played": make_view(
            board=BoardState.PLAYED,
            standing=checkers("1w..wbb1 b"),
            moves=(Move(_2, _4),),
            play="2/4",
            offers=CALM | {Intent.DOUBLE},
            message="White plays 2 → 4",
            hint="Press the die button to hand over. Black rolls next.",
            sensors_off=("3",),
        ),
        "wrong": make_view(
            board=BoardState.WRONG,
            roll="3",
            standing=checkers("1w..wbb1 b"),
            moves=(Move(_2, _4),),
            fill=(_2,),
            clear=(_4,),
            suspects=("4",),
            message="2 → 4 is two spots; the die shows 3",
            hint="Put it back on spot 2. Legal: HOME → 3, or 1 → 4.",
        ),
        "disturbed": make_view(
            board=BoardState.DISTURBED,
            fill=(_1, _2, Spot("home.white")),
            clear=(_3, _4, Spot("safety.black")),
            message="The board has been knocked",
            hint="Fill 1 and 2, clear 3 and 4, one after the other, or say how it stands.",
        ),
        "choose": make_view(
            board=BoardState.CHOOSE,
            choices=("HOME/2", "2/4"),
            offers=CALM | {Intent.CHOOSE},
            message="Which play was it?",
            hint="Tap the one you meant, or move on.",
        ),
        "choose of many": make_view(
            board=BoardState.CHOOSE,
            choices=("HOME/2*", "1/3", "2/4", "5/SAFETY"),
            offers=CALM | {Intent.CHOOSE},
            message="Which play was it?",
            hint="Tap the one you meant.",
        ),
        "double offered": make_view(
            phase=Phase.DOUBLE_OFFERED,
            roll=None,
            to_act=Side.BLACK,
            cube=Cube(2, Side.WHITE, Side.WHITE),
            offers=frozenset({Intent.TAKE, Intent.PASS, Intent.TAKE_BACK}),
            message="Ada doubles to 4",
            hint="Ben: a short press takes, a long press passes and loses 2.",
        ),
        "cube owned": make_view(cube=Cube(16, Side.BLACK), score=Score(118, 120), match_to=None),
        "game over": make_view(
            phase=Phase.GAME_OVER,
            offers=_OVER,
            last_result="Ada wins a NANNON: 4 points.",
            message="Ada wins a NANNON: 4 points",
            hint="Press the die button for the next game.",
        ),
        "match over": make_view(
            phase=Phase.MATCH_OVER,
            score=Score(11, 7),
            last_result="Ada wins the match 11 to 7.",
            message="Ada wins the match",
            hint="Tap New match to play again.",
        ),
    }


def scenes() -> Mapping[str, tuple[Shown, Ui]]:
    """Each screen's name, what is shown and the screen's state."""
    board = load_board("nannon-6")
    notices = ("This match is not being saved: the disk is full.",)
    made: dict[str, tuple[Shown, Ui]] = {
        name: (Shown(board, view), Ui(Page.PLAY)) for name, view in _play_views().items()
    }
    view = make_view(closed=frozenset({"1", "2", "5", "6"}), sensors_off=("3",), suspects=("4",))
    typed = Settings().changed("play.dice", "typed").changed("screen.turned", True)
    shown, to_roll = (
        Shown(board, view),
        make_view(
            phase=Phase.TO_ROLL, roll=None, offers=CALM | {Intent.DOUBLE}, message="Ada to roll"
        ),
    )
    made |= {
        "amiss": (
            Shown(board, make_view(), notices=notices, away=("OLED", "sensors")),
            Ui(Page.PLAY),
        ),
        "away": (Shown(board, make_view(), away=("OLED",)), Ui(Page.PLAY)),
        "start amiss": (Shown(board, notices=notices, away=("OLED", "sensors")), Ui()),
        "typed dice": (Shown(board, to_roll, typed), Ui(Page.PLAY)),
        "start": (Shown(board), Ui()),
        "start again": (
            Shown(board, resumable="Ada 3 – 5 Ben, first to 11", notices=notices),
            Ui(),
        ),
        "new match": (Shown(board), Ui(Page.NEW_MATCH)),
        "new match other": (
            Shown(board, settings=typed),
            Ui(Page.NEW_MATCH, form=Form(LONG_NAMES, 125)),
        ),
        "typing": (Shown(board), Ui(Page.TYPING, typing=Typing(Field.WHITE, LONG_NAMES[0]))),
        "typing accents": (Shown(board), Ui(Page.TYPING, typing=Typing(Field.BLACK, "", True))),
        "typing target": (Shown(board), Ui(Page.TYPING, typing=Typing(Field.TARGET, "125"))),
        "menu": (shown, Ui(Page.MENU)),
        "resign": (shown, Ui(Page.RESIGN)),
        "resign really": (shown, Ui(Page.RESIGN, resigning=2)),
        "sensors": (shown, Ui(Page.SENSORS)),
        "settings": (shown, Ui(Page.SETTINGS)),
        "editor": (shown, Ui(Page.EDITOR, edit=Edit(view.standing, Side.WHITE))),
        "editor refused": (
            shown,
            Ui(
                Page.EDITOR,
                edit=Edit(
                    view.standing,
                    Side.BLACK,
                    (
                        "White has 5 checkers (3 at HOME and 2 on the board), three at most",
                        "Black has 4 checkers (1 at HOME and 3 on the board), three at most",
                    ),
                ),
            ),
        ),
    }
    return MappingProxyType(made | other_scenes())
