"""The phases of a match, and the acts that lead from one to another."""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    """Where a match stands."""

    __hash__ = object.__hash__
    """By identity, in C: the table is asked dozens of times a view."""

    SET_UP = "set up"
    OPENING_THROW = "opening throw"
    TO_ROLL = "to roll"
    DOUBLE_OFFERED = "double offered"
    RESIGNATION_OFFERED = "resignation offered"
    MOVING = "moving"
    GAME_OVER = "game over"
    MATCH_OVER = "match over"


IN_PLAY = (
    Phase.OPENING_THROW,
    Phase.TO_ROLL,
    Phase.DOUBLE_OFFERED,
    Phase.RESIGNATION_OFFERED,
    Phase.MOVING,
)
"""A game is under way: what stands on the board matters."""

ANSWERS = (Phase.DOUBLE_OFFERED, Phase.RESIGNATION_OFFERED)
"""The side to act has been offered something and is to answer."""

OVER = (Phase.GAME_OVER, Phase.MATCH_OVER)
"""A game has ended."""

TIMED = (Phase.TO_ROLL, *ANSWERS, Phase.MOVING)
"""The side to act holds the clock; else nobody does."""


class Act(Enum):
    """What players do to a match; hands, presses and taps are translated into these."""

    __hash__ = object.__hash__

    BOARD_SET = "board set"
    THROW = "throw"
    ROLL = "roll"
    CHANGE_DICE = "change dice"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    PLAY = "play"
    RESIGN = "resign"
    ACCEPT = "accept"
    REFUSE = "refuse"
    TAKE_BACK = "take back"
    RESTORE = "restore"
    CORRECT = "correct"
    NEXT_GAME = "next game"
    OVERTIME = "overtime"
    FLAG = "flag"
