"""The rules that the tables games share, by the numbers under which their own files tell them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from pi_app.rules.terms import Rule


class Why(Enum):
    """Why an attempt is illegal: the stable identifier of the broken rule."""

    OVER = "game-over"
    NOT_YOURS = "not-your-checker"
    NOBODY = "no-checker-there"
    BACKWARD = "backward"
    DISTANCE = "wrong-distance"
    USED = "die-used"
    HELD = "point-held"
    ON_THE_WAY = "hit-on-the-way"
    PINNED = "pinned"
    BAR_FIRST = "bar-first"
    MUST_MOVE = "must-move"
    BOTH = "both-dice"
    HIGHER = "higher-die"
    NOT_HOME = "not-all-home"
    FARTHER = "farther-back"
    FINAL = "off-is-final"


SENTENCES: Mapping[Why, tuple[int, str]] = MappingProxyType(
    {
        Why.NOT_YOURS: (1, "A player moves only his own checkers."),
        Why.NOBODY: (1, "A move begins where a checker stands."),
        Why.BACKWARD: (1, "White moves from 24 to 1, Black from 1 to 24."),
        Why.DISTANCE: (2, "A checker moves by the number on a die, or by several in turn."),
        Why.USED: (2, "Each die is played once, a doublet four times."),
        Why.HELD: (3, "A point that the enemy holds is closed."),
        Why.ON_THE_WAY: (4, "A checker that touches down on a single enemy hits it."),
        Why.PINNED: (4, "A pinned checker stays until every enemy has left the point."),
        Why.BAR_FIRST: (5, "Checkers on the bar enter first."),
        Why.MUST_MOVE: (6, "A player with a legal move must move."),
        Why.BOTH: (6, "Both numbers, or all four of a doublet, are played if that is possible."),
        Why.HIGHER: (6, "If either number can be played but not both, the higher must be."),
        Why.NOT_HOME: (7, "Bearing off waits until all fifteen checkers are home."),
        Why.FARTHER: (7, "A higher die bears off only from the highest point."),
        Why.FINAL: (7, "A checker that is off stays off."),
        Why.OVER: (8, "A game that is won has no more moves."),
    }
)


def rulebook(sheet: str, *absent: Why) -> Mapping[Why, Rule]:
    """The rules of a game by what breaks them, all but the absent ones."""
    return MappingProxyType(
        {
            why: Rule(why.value, sentence, f"{sheet}, rule {number}")
            for why, (number, sentence) in SENTENCES.items()
            if why not in absent
        }
    )
