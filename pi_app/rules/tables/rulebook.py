"""The rules that the tables games share, by the numbers under which their own sheets tell them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from pi_app.rules.terms import Example, Rule, Sheet
from pi_app.words.sentences import Sentence


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


START = "-b----E-C---eE---c-e----B- w"

UP_TO_SEVEN = (
    Example(1, Sentence("The start, and White's first move."), START, roll="65", play="24/13"),
    Example(
        2,
        Sentence("A 3 and a 1, each by a checker of its own."),
        START,
        roll="31",
        play="8/5 6/5",
    ),
    Example(
        2,
        Sentence("A doublet is four moves."),
        START,
        roll="22",
        play="13/11(2) 6/4(2)",
    ),
    Example(
        3,
        Sentence("Five enemies stand where the 5 would lead: the point is closed."),
        START,
        roll="52",
        attempt="24/19",
    ),
    Example(
        4,
        Sentence("The 4 hits a single checker, which goes to the bar."),
        "-b----E-C---eE---b-ea---B- w",
        roll="42",
        play="24/20* 13/11",
    ),
    Example(
        5,
        Sentence("The 6 finds a closed point, so White enters with the 2 and then plays the 6."),
        "-b----E-C---eE---c-e----AA w",
        roll="62",
        play="bar/23 24/18",
    ),
    Example(
        6,
        Sentence("Either number can be played, but not both: it must be the higher."),
        "-EEDb-------A------eec---- w",
        roll="53",
        attempt="12/9",
    ),
    Example(
        7,
        Sentence("A 6 and a 4 bear off from their own points."),
        "-BBBBBB-----------dea--e-- w",
        roll="64",
        play="6/off 4/off",
    ),
    Example(
        7,
        Sentence("No checker stands so high: double 5 bears off from the highest points."),
        "-BCBB-------------dea--e-- w",
        roll="55",
        play="4/off(2) 3/off(2)",
    ),
)
WON = "------------------dea--e-- b"
"""White has borne off all fifteen, Black none."""
