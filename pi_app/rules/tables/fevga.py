"""Fevga: both sides go the same way round, and a single checker closes a point.

Source: bkgm.com's pages on Fevga and Tavli, and B. Condos, "Tavli". Where they differ, Spotter does
what most published programs do: it judges the limits on six points (rule 5) at the end of a turn.
"""

from __future__ import annotations

from functools import partial

from pi_app.rules.contract import Option
from pi_app.rules.naming import SINGLE_GAME, name_outcomes
from pi_app.rules.tables.game import (
    ALL_DICE,
    BEARING_OFF,
    EACH_DIE,
    TablesGame,
    borne_off,
    can_lose,
)
from pi_app.rules.tables.portes import DOUBLE
from pi_app.rules.tables.position import (
    ALONG,
    CHECKERS,
    HOME,
    OPEN,
    POINTS,
    Encounter,
    Field,
    Men,
    Restriction,
    count,
    numbers,
    one,
)
from pi_app.rules.terms import Example, Sheet
from pi_app.words.sentences import Sentence

ACROSS = POINTS // 2
"""The enemy's starting point, by a side's own numbers."""
MOST_THERE = 4
QUARTER = range(POINTS - HOME + 1, POINTS + 1)
"""The points of the quarter in which a side starts, by its own numbers."""
ALL = f"{CHECKERS:x}"
"""All fifteen enemies on one point, as a character of a field's `enemies`."""


PAST = one(ACROSS + 1) - 1
"""A mask of all who have reached or passed the enemy's start, or are off."""


def _lacking(own: Men) -> int:
    return 0 if own & PAST else min(numbers(own)) - ACROSS


def _waits(_: Field, own: Men, origin: int) -> bool:
    """Only the first checker may move until it has passed the enemy's start."""
    return not own & PAST and own & (one(origin) - 1) > 0


def _fills_quarter(_: Field, own: Men, __: int) -> bool:
    return all(count(own, number) for number in QUARTER)


def _shuts_in(field: Field, own: Men, _: int) -> bool:
    """Whether six points in a row stand directly ahead of all enemies who are not yet at home."""
    across = field.variant.paths.across
    theirs = across[field.landing.index(ALL)] if ALL in field.landing else 0
    return theirs > HOME and all(count(own, across[theirs - step]) for step in range(1, HOME + 1))


def _crowds(_: Field, own: Men, __: int) -> bool:
    """Whether more than four points of the enemy's starting quarter are held."""
    return sum(count(own, number) > 0 for number in range(HOME + 1, ACROSS + 1)) > MOST_THERE


def _bars_start(field: Field, own: Men, _: int) -> bool:
    """Whether six points in a row stand directly ahead of the enemy's start while an enemy stands
    there."""
    ahead = range(ACROSS - HOME, ACROSS)
    return field.landing[ACROSS] > OPEN and all(count(own, number) for number in ahead)


FIRST_CHECKER = Restriction(
    "first-checker",
    4,
    Sentence("Only one checker moves until it has reached or passed the enemy's start."),
    Sentence("the first checker is not past yet"),
    Sentence("{way}: {side}'s first checker has not reached {enemy}'s start yet"),
    _waits,
)
QUARTER_FULL = Restriction(
    "quarter-full",
    5,
    Sentence("A turn may not leave checkers on all six points of one's starting quarter."),
    Sentence("leave a point of your quarter open"),
    Sentence("{side} may not hold all six points of the starting quarter"),
    _fills_quarter,
)
SHUT_IN = Restriction(
    "shut-in",
    5,
    Sentence("A turn may not leave six points in a row directly ahead of all enemies."),
    Sentence("open your six points"),
    Sentence("All of {enemy}'s checkers stand behind six points in a row; {side} must open one"),
    _shuts_in,
)

FOUR_POINTS = Restriction(
    "four-points",
    9,
    Sentence("A turn may leave checkers on at most four points of the enemy's starting quarter."),
    Sentence("four points there at most"),
    Sentence("{side} may hold at most four points of {enemy}'s starting quarter"),
    _crowds,
)
START_BARRED = Restriction(
    "start-barred",
    9,
    Sentence("A turn may not leave six points in a row directly ahead of a start in use."),
    Sentence("open your six points"),
    Sentence("{enemy}'s start is in use: {side} may not hold the six points directly ahead of it"),
    _bars_start,
)
OPTIONAL = (
    (Option("four points", Sentence("4 points at most")), FOUR_POINTS),
    (Option("open start", Sentence("Open start")), START_BARRED),
)
"""Rules of Moultezim (Fevga as played in Turkey) and of some programs."""

START = "------------o-----------O- w"
SHEET = Sheet(
    Sentence("Fevga"),
    (
        Sentence(
            "Each side moves from its own 24 to its own 1, both the same way round; all fifteen "
            "start on its 24. The higher opening die rolls again; the winner starts the next game."
        ),
        EACH_DIE,
        Sentence("A point with an enemy is closed, even with one. Nobody is hit."),
        Sentence(
            "Only one checker moves until it has reached or passed the enemy's start, its own 12. "
            "Then all may move, in the same turn too."
        ),
        Sentence(
            "No turn may leave checkers on all six points of one's starting quarter, or on the six "
            "points directly ahead of all fifteen enemies on one point, unless they are at home."
        ),
        ALL_DICE,
        BEARING_OFF,
        Sentence("Fifteen off wins 1, or 2 if the loser has none off. Then the game is over."),
        Sentence(
            "If agreed, no turn may leave checkers on more than four points of the enemy's "
            "starting quarter, or on the six points directly ahead of his start while it is in use."
        ),
    ),
    (
        Example(1, Sentence("The start, and White's first move."), START, "65: 24/13"),
        Example(
            2,
            Sentence("A 4 and a 1, each by a checker of its own."),
            "-------a---An-----------N- w",
            "41: 24/20 11/10",
        ),
        Example(
            3,
            Sentence("A single enemy closes the point of the 3."),
            "-------a---Am--------a--N- w",
            "32: 24/21?",
        ),
        Example(
            4,
            Sentence("The first checker is not past 12 yet: no other may move."),
            "------------n------a-A--N- w",
            "64: 24/18?",
        ),
        Example(
            5,
            Sentence("White would hold all six points of his quarter."),
            "----------A-o------AAAA-J- w",
            "11: 24/23 10/7?",
        ),
        Example(
            6,
            Sentence("Either number can be played but not both: play the higher."),
            "-EEDa-------A--aa--d---h-- w",
            "53: 12/9?",
        ),
        Example(
            7,
            Sentence("A 6 and a 4 bear off from their own points."),
            "-BBBBBB--------ddd-------- w",
            "64: 6/off 4/off",
        ),
        Example(8, Sentence("Black has none off: 2 points."), "------------ee-e---------- b"),
        Example(
            9,
            Sentence("If agreed, four of the six points before Black's start are enough."),
            "-----A-AAAA-e-A-------j-I- w",
            "31: 14/11 8/7",
        ),
    ),
)

FEVGA = TablesGame(
    name="fevga",
    title=Sentence("Fevga")(),
    sheet=SHEET,
    placed=((POINTS, CHECKERS),),
    encounter=Encounter.BLOCK,
    paths=ALONG,
    on_steps=(FIRST_CHECKER,),
    lacking=_lacking,
    on_ends=(QUARTER_FULL, SHUT_IN),
    options=tuple(option for option, _ in OPTIONAL),
    optional=OPTIONAL,
    outcome_of=partial(borne_off, ("win", "double win")),
    outcome_names=name_outcomes(Sentence("win"), DOUBLE),
    given_up=partial(can_lose, (SINGLE_GAME, DOUBLE())),
    match_length=5,
)
