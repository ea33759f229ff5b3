"""Stored matches as values for the screen, read elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.export.codes import Code
from pi_app.export.leaves import Leaf
from pi_app.export.statistics import Totals
from pi_app.match.score import Score
from pi_app.referee.events import MatchId
from pi_app.sensing.description import Board


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A line of the list: `title` and `board` are the game's and the board's for people.

    `began` is the local time, as text; `here`: the board in use can play it.
    """

    number: MatchId
    title: str
    board: str
    players: tuple[str, str]
    match_to: int | None
    score: Score
    began: str
    over: bool
    here: bool


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match to be looked through: of which game, drawn on which board, and its leaves."""

    match: KeptMatch
    game: str
    board: Board
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class CodePart:
    """One of the codes of a match's sheet: its index from 0, and their number."""

    match: MatchId
    number: int
    count: int
    code: Code


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's figures from stored matches."""

    name: str
    figures: Totals


@dataclass(frozen=True, slots=True)
class Shelf:
    """What has been read of the kept matches so far.

    `matches` are the newest first, None while they are being read; `names` those of the players,
    who played last first.  Of the statistics so many matches are `counted`.  `told` is what came of
    what was asked for last, where that is not simply shown.
    """

    matches: tuple[KeptMatch, ...] | None = None
    names: tuple[str, ...] = ()
    opened: OpenMatch | None = None
    part: CodePart | None = None
    players: tuple[PlayerFigures, ...] = ()
    counted: int = 0
    told: str = ""


EMPTY_SHELF = Shelf(matches=())
"""Where no match is kept."""
