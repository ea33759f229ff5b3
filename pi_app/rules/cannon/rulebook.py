"""Cannon's sheet, and the rules of it that an attempt can break."""

from __future__ import annotations

from pi_app.rules.terms import Example, Rule, Sheet
from pi_app.sentences import Sentence

START = (
    "....O...../.o.o.o.o.o/.o.o.o.o.o/.o.o.o.o.o/........../........../x.x.x.x.x./x.x.x.x.x./"
    "x.x.x.x.x./....X..... L"
)
MIDDLE = (
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "........../....X..... L"
)
TOWN_IN_REACH = (
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "...o....../....X..... L"
)
EXAMPLES = (
    Example(1, Sentence("The start, when both towns have been placed."), START),
    Example(2, Sentence("Light has made a move; now Dark has to."), START, play="d7-d6"),
    Example(3, Sentence("A step, diagonally forward."), MIDDLE, play="e7-d6"),
    Example(3, Sentence("A single soldier never steps backward."), MIDDLE, attempt="b8-b9"),
    Example(4, Sentence("A capture sideways."), MIDDLE, play="c5xd5"),
    Example(
        5, Sentence("Enemies stand next to it: it retreats two points."), MIDDLE, play="a6--c8"
    ),
    Example(6, Sentence("The rear soldier slides to the cannon's front."), MIDDLE, play="h8---h5"),
    Example(7, Sentence("The three in line shoot; nothing moves."), MIDDLE, play="xh3"),
    Example(8, Sentence("A soldier takes the town, and Light wins."), TOWN_IN_REACH, play="d2xe1"),
    Example(
        9,
        Sentence("After three such slides another has to act."),
        MIDDLE,
        play="h6---h9",
    ),
)
SHEET = Sheet(
    Sentence("CANNON by David Whitcher"),
    (
        Sentence(
            "Light's soldiers stand on every second file in rows 9 to 7, Dark's on the others in"
            " rows 4 to 2. Light places a town in row 10, then Dark one in row 1, no corner. A town"
            " does not move. Light begins; Light moves down, Dark up."
        ),
        Sentence("A turn is one move or one capture; nobody may pass."),
        Sentence("A soldier steps to an empty point next to it, forward or diagonally forward."),
        Sentence(
            "A soldier captures by displacement on a point next to it, forward, diagonally or"
            " sideways."
        ),
        Sentence(
            "A soldier next to an enemy, a town too, may retreat two points straight or diagonally"
            " back when both are empty."
        ),
        Sentence(
            "Three soldiers on adjacent points in line are a cannon. It slides along its line,"
            " either way: its rear soldier goes to the empty point beyond its front."
        ),
        Sentence(
            "A cannon shoots an enemy two or three points from its front in line, and nothing"
            " moves. The point in front of it must be empty; the sheet asks for no more, so the"
            " next may be taken."
        ),
        Sentence(
            "Taking the other town wins, and so does leaving the other side without anything to do."
        ),
        Sentence(
            "In tournaments the same cannon slides no more than three times in a row without an"
            " action of another cannon or a single soldier. Off unless asked for."
        ),
    ),
    EXAMPLES,
)


def _rule(identifier: str, number: int, sentence: Sentence) -> Rule:
    return Rule(identifier, sentence(), SHEET, number)


TOWN_FIRST = _rule("town-first", 1, Sentence("Both towns are placed before a soldier moves."))
TOWN_ROW = _rule(
    "town-row", 1, Sentence("A town is placed in the row behind its soldiers, not in a corner.")
)
TOWN_STAYS = _rule("town-does-not-move", 1, Sentence("A town does not move."))
ONE_ACTION = _rule("one-action", 2, Sentence("A turn is one move or one capture."))
MUST_ACT = _rule("must-act", 2, Sentence("A player must act; passing is not allowed."))
NOBODY = _rule("no-piece-there", 2, Sentence("A move begins where a piece stands."))
NOT_YOURS = _rule("not-your-piece", 2, Sentence("A player moves only his own soldiers."))
OWN_PIECE = _rule(
    "own-piece", 3, Sentence("A soldier never goes to a point where its own side stands.")
)
FAR = _rule(
    "soldier-too-far", 3, Sentence("A soldier goes one point, two to retreat, three in a slide.")
)
SIDEWAYS_STEP = _rule("sideways", 3, Sentence("A soldier goes sideways only to capture."))
BACKWARD = _rule("backward", 3, Sentence("A soldier goes back only by a retreat of two points."))
BACKWARD_CAPTURE = _rule("backward-capture", 4, Sentence("A soldier does not capture backward."))
OFF_BOARD = _rule(
    "off-the-board", 4, Sentence("A piece leaves the board only when the other side takes it.")
)
TAKEN = _rule("taken-is-final", 4, Sentence("A piece that was taken stays off the board."))
NO_ENEMY = _rule(
    "no-enemy-beside", 5, Sentence("A soldier retreats only from an enemy on the next point.")
)
JUMPED = _rule("retreat-blocked", 5, Sentence("The point that a retreat passes over is empty."))
NO_CANNON = _rule(
    "no-cannon", 6, Sentence("A cannon is three soldiers of a side on adjacent points in line.")
)
SLIDE_TAKES = _rule("slide-does-not-capture", 6, Sentence("A slide ends on an empty point."))
FRONT_TAKEN = _rule(
    "front-taken", 7, Sentence("The point in front of a cannon that shoots is empty.")
)
SHOT_FAR = _rule(
    "shot-too-far", 7, Sentence("A shot strikes two or three points from the cannon's front.")
)
SHOT_STAYS = _rule(
    "shot-moves-nothing", 7, Sentence("A shot takes an enemy away and moves nothing.")
)
OVER = _rule("game-over", 8, Sentence("A game ends when a town is taken or a player cannot act."))
THREE_SLIDES = _rule("three-slides", 9, Sentence("A cannon slides at most three times in a row."))

RULES = (
    TOWN_FIRST,
    TOWN_ROW,
    TOWN_STAYS,
    ONE_ACTION,
    MUST_ACT,
    NOBODY,
    NOT_YOURS,
    OWN_PIECE,
    FAR,
    SIDEWAYS_STEP,
    BACKWARD,
    BACKWARD_CAPTURE,
    OFF_BOARD,
    TAKEN,
    NO_ENEMY,
    JUMPED,
    NO_CANNON,
    SLIDE_TAKES,
    FRONT_TAKEN,
    SHOT_FAR,
    SHOT_STAYS,
    OVER,
    THREE_SLIDES,
)
