"""Nannon's sheet, and the rules of it that an attempt can break."""

from __future__ import annotations

from pi_app.rules.terms import Example, Rule, Sheet
from pi_app.sentences import Sentence

EXAMPLES = (
    Example(1, Sentence("The start: one at HOME, two on the board."), "1ww..bb1 w"),
    Example(
        2,
        Sentence("White threw 5 and Black 3: White plays the difference."),
        "1ww..bb1 w",
        roll="2",
        play="2/4",
    ),
    Example(
        3,
        Sentence("With a 3 the checker at HOME enters on spot 3."),
        "1ww..bb1 w",
        roll="3",
        play="HOME/3",
    ),
    Example(
        4,
        Sentence("The 2 hits a single checker; it goes back to its HOME."),
        "1.w.b.w2 w",
        roll="2",
        play="2/4*",
    ),
    Example(
        4,
        Sentence("Spots 5 and 6 are a prime: nobody lands there."),
        "1ww..bb1 w",
        roll="3",
        attempt="2/5",
    ),
    Example(
        5,
        Sentence("Black's checker on 4 leaves with a 4, a 5 or a 6."),
        "1w.wb.b1 b",
        roll="5",
        play="4/SAFETY",
    ),
    Example(
        6,
        Sentence("White cannot move a 3: the prime stops all of it, and the turn is forfeited."),
        "1wwbbb.0 w",
        roll="3",
    ),
    Example(
        7,
        Sentence("White has all three in SAFETY, Black none: a NANNON, 2 points."),
        "0..b.b.1 b",
    ),
)
SHEET = Sheet(
    Sentence("NANNON Rules"),
    (
        Sentence(
            "White enters below spot 1 and leaves past 6, Black the other way. Each side starts"
            " with one checker at HOME and one on each of its own first two spots."
        ),
        Sentence("Both throw; the higher plays the difference."),
        Sentence(
            "A turn is one checker by the whole die. From HOME a checker enters on the own spot"
            " that the die names; it never leaves from HOME directly."
        ),
        Sentence(
            "A checker may land on an empty spot or hit a single enemy, which goes to its HOME. It"
            " may not land on an own checker or on a prime: enemies on neighbouring spots of the"
            " board."
        ),
        Sentence(
            "A checker on the board may leave to SAFETY with a die that reaches past the last spot."
        ),
        Sentence("Who can move must; who cannot forfeits the turn."),
        Sentence("All three in SAFETY wins 1, or 2 (a NANNON) when the loser has none there."),
    ),
    EXAMPLES,
)


def _rule(identifier: str, number: int, sentence: Sentence) -> Rule:
    return Rule(identifier, sentence(), SHEET, number)


ONE_CHECKER = _rule("one-checker", 3, Sentence("A turn moves one checker."))
NOT_YOURS = _rule("not-your-checker", 3, Sentence("A player moves only his own checkers."))
NOBODY = _rule("no-checker-there", 3, Sentence("A move begins where a checker stands."))
HOME_ENTERS = _rule(
    "home-enters-first", 3, Sentence("A checker at HOME enters the board before it leaves.")
)
BACKWARD = _rule("backward", 1, Sentence("White moves from 1 to 6, Black from 6 to 1."))
DISTANCE = _rule(
    "wrong-distance", 3, Sentence("A checker moves the whole die, no more and no less.")
)
OWN_CHECKER = _rule("own-checker", 4, Sentence("Only one checker stands on a spot."))
PRIME = _rule(
    "prime", 4, Sentence("Checkers on neighbouring spots form a prime and cannot be hit.")
)
SAFETY_FAR = _rule(
    "safety-too-far", 5, Sentence("Leaving takes a die that reaches past the last spot.")
)
MUST_MOVE = _rule("must-move", 6, Sentence("A player with a legal move must move."))
FINAL = _rule("safety-is-final", 7, Sentence("A checker in SAFETY stays there."))

RULES = (
    ONE_CHECKER,
    NOT_YOURS,
    NOBODY,
    HOME_ENTERS,
    BACKWARD,
    DISTANCE,
    OWN_CHECKER,
    PRIME,
    SAFETY_FAR,
    MUST_MOVE,
    FINAL,
)
