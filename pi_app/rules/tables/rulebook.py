"""The rules that the tables games share, by the numbers under which their own sheets tell them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from pi_app.rules.terms import Rule, Sheet
from pi_app.sentences import Sentence


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


_BROKEN: Mapping[Why, tuple[int, Sentence]] = MappingProxyType(
    {
        Why.NOT_YOURS: (1, Sentence("A player moves only his own checkers.")),
        Why.NOBODY: (1, Sentence("A move begins where a checker stands.")),
        Why.BACKWARD: (1, Sentence("Each side moves from its own 24 to its own 1.")),
        Why.DISTANCE: (
            2,
            Sentence("A checker moves by the number on a die, or by several in turn."),
        ),
        Why.USED: (2, Sentence("Each die is played once, a doublet four times.")),
        Why.HELD: (3, Sentence("A point that the enemy holds is closed.")),
        Why.ON_THE_WAY: (4, Sentence("A checker that touches down on a single enemy hits it.")),
        Why.PINNED: (4, Sentence("A pinned checker stays until every enemy has left the point.")),
        Why.BAR_FIRST: (5, Sentence("Checkers on the bar enter first.")),
        Why.MUST_MOVE: (6, Sentence("A player with a legal move must move.")),
        Why.BOTH: (
            6,
            Sentence("Both numbers, or all four of a doublet, are played if that is possible."),
        ),
        Why.HIGHER: (
            6,
            Sentence("If either number can be played but not both, the higher must be."),
        ),
        Why.NOT_HOME: (7, Sentence("Bearing off waits until all fifteen checkers are home.")),
        Why.FARTHER: (7, Sentence("A higher die bears off only from the highest point.")),
        Why.FINAL: (7, Sentence("A checker that is off stays off.")),
        Why.OVER: (8, Sentence("A game that is won has no more moves.")),
    }
)

EACH_DIE = Sentence(
    "Each die moves one checker by its number; the same checker may go on. A doublet is four moves."
)
CLOSED = Sentence("A point with two or more enemies is closed.")
HIT = Sentence("A single enemy is hit: it goes to the bar.")
ENTER_FIRST = Sentence(
    "Checkers on the bar enter first, in the enemy's home, on the point that the die names."
)
ALL_DICE = Sentence(
    "Both numbers, or all four, are played if there is a way; else the higher of two, if it can"
    " be. Who can move must; who cannot forfeits the turn."
)
BEARING_OFF = Sentence(
    "With all fifteen at home a die bears off from its point, a die higher than every point in use"
    " from the highest; otherwise it moves a checker."
)


def rulebook(sheet: Sheet, *absent: Why) -> Mapping[Why, Rule]:
    """The rules of a game by what breaks them, all but the absent ones."""
    return MappingProxyType(
        {
            why: Rule(why.value, sentence(), sheet, number)
            for why, (number, sentence) in _BROKEN.items()
            if why not in absent
        }
    )
