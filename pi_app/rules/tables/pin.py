"""The Pin game: a checker that lands on a single enemy pins it there.

Source: "The Pin game".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from pi_app.rules.naming import SINGLE_GAME, name_outcomes
from pi_app.rules.tables.game import (
    ALL_DICE,
    EACH_DIE,
    WON,
    TablesGame,
    borne_off,
    can_lose,
    lost_games,
)
from pi_app.rules.tables.portes import DOUBLE
from pi_app.rules.tables.position import (
    CHECKERS,
    Encounter,
    TablesPosition,
    count,
    one,
    pips,
    winner,
)
from pi_app.rules.terms import Example, Outcome, Sheet, Side
from pi_app.words.sentences import Said, Sentence

EXAMPLES = (
    Example(
        1,
        Sentence("The start: all fifteen on one point. No hits in this game."),
        "-o----------------------O- w -",
    ),
    Example(
        2,
        Sentence("A 6 and a 4, by two checkers or by one."),
        "-o----------------------O- w -",
        "64: 24/20 24/18",
    ),
    Example(
        3,
        Sentence("A single enemy on top of a pinned checker closes the point."),
        "-m---a--------B---a-----L- w 18",
        "61: 24/18?",
    ),
    Example(
        4,
        Sentence("White pins: the checker below must wait."),
        "-n----------------a-----O- w -",
        "62: 24/18* 24/22",
    ),
    Example(
        4,
        Sentence("White's checker is pinned and cannot move."),
        "-m---a--------B---a-----L- w 18",
        "41: 18/14?",
    ),
    Example(
        5,
        Sentence("Only pinned checkers wait: the bar stays empty."),
        "-m---a--------B---a-----L- w 18",
    ),
    Example(
        6,
        Sentence("Either number can be played but not both: play the higher."),
        "-EEDb-------A------eec---- w -",
        "53: 12/9?",
    ),
    Example(
        7,
        Sentence("A 6 and a 4 bear off from their own points."),
        "-BBBBBB-----------dea--e-- w -",
        "64: 6/off 4/off",
    ),
    Example(
        8,
        Sentence("Black still needs 6 and 4 pips: White wins 10 points."),
        "-------------------a-a---- b -",
    ),
    Example(
        9,
        Sentence("Black's mother is pinned and White's start is empty: White wins 2."),
        "-A--DEE-----------dee----- b 1",
    ),
)
SHEET = Sheet(
    Sentence("The Pin game"),
    (
        Sentence(
            "Each side moves from its own 24 to its own 1; all fifteen start on its 24. "
            "The higher opening die rolls again; the winner starts the next game."
        ),
        EACH_DIE,
        Sentence(
            "A point is closed if it has two or more enemies, or one on top of a checker "
            "that it pins."
        ),
        Sentence(
            "Landing on a single enemy pins it: it cannot move until every enemy has left the"
            " point."
        ),
        Sentence("There is no bar."),
        ALL_DICE,
        Sentence(
            "Bear off as in backgammon. A pinned checker at home counts as home; a "
            "checker farther back forbids a higher die."
        ),
        Sentence(
            "Fifteen off wins the pips that the loser still needs; twice if he has none off; three"
            " times if he also has a checker in the winner's home."
        ),
        Sentence(
            "The mother is the last checker on a start point. When a turn leaves it "
            "pinned, its owner loses 2, unless the pinner has checkers on his own start: "
            "then play continues until he has none there. If both mothers are pinned, "
            "the game is a tie."
        ),
    ),
    EXAMPLES,
)

MOTHER = 24
MOTHER_POINTS = 2
_WON = (SINGLE_GAME, Sentence("gammon")(), Sentence("backgammon")())
_MOTHER = Sentence("mother")()


def _outcome_of(position: TablesPosition) -> Outcome | None:
    """Rules 8 and 9."""
    side = winner(position)
    if side is None:
        return _mothers(position)
    loser = position.men(side.other)
    times = lost_games(loser)
    return Outcome(side, times * pips(loser), ("win", "gammon", "backgammon")[times - 1])


def _mothers(position: TablesPosition) -> Outcome | None:
    """Rule 9: a pinned mother checker decides the game."""
    if not (position.white_pinned | position.black_pinned) & one(MOTHER):
        return None
    held = [side for side in Side if count(position.pinned(side), MOTHER)]
    if len(held) > 1:
        return Outcome(None, 0, "tie")
    for side in held:
        if not count(position.men(side.other), MOTHER):
            return Outcome(side.other, MOTHER_POINTS, "mother")
    return None


def _given_up(position: TablesPosition, side: Side) -> Mapping[int, Said]:
    """Rules 8 and 9: the losses still possible with the present pips, counted once, twice, thrice
    or as a mother.

    Checkers never go back, so a side with one outside the winner's home can no longer lose a
    backgammon.
    """
    men = position.men(side)
    won = _WON[: lost_games(men)]
    mother = {MOTHER_POINTS: _MOTHER} if count(men, MOTHER) else dict[int, Said]()
    points = mother | {times * pips(men): name for times, name in enumerate(won, start=1)}
    return dict(sorted(points.items()))


PIN_GAME = TablesGame(
    name="pin",
    title=Sentence("The Pin game")(),
    sheet=SHEET,
    placed=((MOTHER, CHECKERS),),
    outcome_of=_outcome_of,
    outcome_names=name_outcomes(
        Sentence("win"),
        Sentence("gammon"),
        Sentence("backgammon"),
        Sentence("mother"),
        Sentence("tie"),
    ),
    given_up=_given_up,
    match_length=51,  # one game can win dozens: the pips that the loser still needs
    encounter=Encounter.PIN,
)

*_MOVES, _, _MOTHERS = SHEET.rules

PLAKOTO = replace(
    PIN_GAME,
    name="plakoto",
    title=Sentence("Plakoto")(),
    sheet=Sheet(
        Sentence("Plakoto"),
        (*_MOVES, Sentence("Fifteen off wins 1, or 2 if the loser has none off."), _MOTHERS),
        (
            *EXAMPLES[:-2],
            Example(8, Sentence("Black has none off: 2 points."), f"{WON} -"),
            EXAMPLES[-1],
        ),
    ),
    outcome_of=lambda at: borne_off(("win", "double win"), at) or _mothers(at),
    outcome_names=name_outcomes(Sentence("win"), DOUBLE, Sentence("mother"), Sentence("tie")),
    given_up=partial(can_lose, (SINGLE_GAME, DOUBLE())),
    match_length=5,
)
"""The Pin game as it is played in Tavli: only what a win counts differs."""
