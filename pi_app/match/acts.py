"""What is done in a match: one list of verbs, and who may do what.

A touch, a press, an engine's answer and a letter of another board each name an act of this list.
What comes of it is stored as a decision with the same name, and `turns.TABLE` says in which phases
it is possible. A value is the word in the journal, so it never changes.

Four sets say who does what, and nothing else needs a list of its own: a new act is a member here
and stands in the sets that it belongs to.
"""

from __future__ import annotations

from enum import Enum


class Act(Enum):
    __hash__ = object.__hash__
    """By identity, in C, because the tables of acts are used dozens of times a view."""

    BOARD_SET = "board set"
    THROW = "opening throw"
    ROLL = "roll"
    CHANGE_DICE = "change dice"
    CHOSEN = "chosen"
    """The machine's play, before somebody makes it on the board."""
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RESIGN = "resignation"
    ACCEPT = "accepted"
    REFUSE = "refused"
    CORRECT = "correction"
    """The board is right: the position is what stands there."""
    TAKE_BACK = "take back"
    RESTORE = "restored"
    NEXT_GAME = "next game"
    SENSOR_OFF = "sensor off"
    SENSOR_ON = "sensor on"
    OVERTIME = "overtime"
    """A flag has fallen for the first time."""
    FLAG = "flag"
    """A flag has fallen, and the match is lost."""
    RESUMED = "resumed"
    """A match with a clock continues; no time ran during the break."""

    # These change what is asked or waited for, and no decision comes of them.
    CHOOSE = "choose"
    """Of several plays that the sensors cannot tell apart, it was this one."""
    ANOTHER = "another"
    """It was not the play that Spotter asks about."""
    SCREEN_IS_RIGHT = "screen is right"
    """Guide the hands back to the accepted position."""
    HOLD = "hold"
    """The engine does not double; the button rolls for it."""
    NOTHING = "nothing"
    """The engine does not answer: players act for it."""


STORED = frozenset(Act) - {Act.CHOOSE, Act.ANOTHER, Act.SCREEN_IS_RIGHT, Act.HOLD, Act.NOTHING}
"""Acts that are decisions of the journal."""

OF_ONE_SIDE = frozenset(
    {
        *(Act.THROW, Act.ROLL, Act.CHOSEN, Act.PLAY),
        *(Act.DOUBLE, Act.TAKE, Act.PASS, Act.BEAVER),
        *(Act.RESIGN, Act.ACCEPT, Act.REFUSE, Act.OVERTIME, Act.FLAG),
    }
)
"""Decisions of the side to act; all others may come from anyone at the table."""

_ELSEWHERE = frozenset({Act.ROLL, Act.PLAY, Act.DOUBLE, Act.TAKE, Act.PASS, Act.ACCEPT, Act.REFUSE})
OF_ENGINE = _ELSEWHERE | {Act.HOLD, Act.NOTHING}
"""What an engine may decide."""

OF_FAR_SIDE = _ELSEWHERE | {Act.RESIGN}
"""What a player at another board may decide alone; linked matches have no beavers."""

OF_BOTH_BOARDS = frozenset({Act.TAKE_BACK, Act.RESTORE, Act.CORRECT, Act.NEXT_GAME})
"""The decisions about which another board is asked, and that are then made on both."""
