"""What is said aloud: utterances, their ranks, and which detail has which."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum

from pi_app.base.values import dataclass


class Rank(IntEnum):
    """An utterance of a higher rank interrupts one of a lower rank."""

    READING = 0
    HAND = 1
    PLAY = 2
    ROLL = 3
    CUBE = 4
    WARNING = 5


class Subject(Enum):
    """What an utterance is about, with its rank."""

    PAGE = "page", Rank.READING
    ANSWER = "answer", Rank.READING
    HAND = "hand", Rank.HAND
    SETTING_UP = "setting up", Rank.HAND
    TURN = "turn", Rank.PLAY
    PLAY = "play", Rank.PLAY
    MACHINE = "machine's play", Rank.ROLL
    ROLL = "roll", Rank.ROLL
    NO_MOVE = "no move", Rank.ROLL
    CLOCK = "clock", Rank.ROLL
    TROUBLE = "trouble", Rank.ROLL
    TOUR = "tour", Rank.ROLL
    END = "end", Rank.CUBE
    CUBE = "cube", Rank.CUBE
    QUESTION = "question", Rank.CUBE
    WARNING = "warning", Rank.WARNING

    def __init__(self, _: str, rank: Rank) -> None:
        self.rank = rank


class Detail(Enum):
    """How much is said without being asked."""

    OFF = "off"
    WARNINGS = "warnings"
    ROLLS = "rolls"
    PLAYS = "plays"
    ALL = "all"
    """Everything, also the screen's pages, for players who do not see it."""
    SPECTATORS = "spectators"
    """What a commentator would say; nothing to the players."""


_WARNINGS = frozenset({Subject.ANSWER, Subject.WARNING, Subject.TROUBLE, Subject.TOUR})
_ROLLS = _WARNINGS | {
    *(Subject.ROLL, Subject.MACHINE, Subject.CUBE, Subject.NO_MOVE, Subject.END, Subject.CLOCK)
}
_PLAYS = _ROLLS | {Subject.PLAY, Subject.QUESTION}
SUBJECTS_OF: Mapping[Detail, frozenset[Subject]] = {
    Detail.OFF: frozenset({Subject.ANSWER}),
    Detail.WARNINGS: _WARNINGS,
    Detail.ROLLS: _ROLLS,
    Detail.PLAYS: _PLAYS,
    Detail.ALL: frozenset(Subject),
    Detail.SPECTATORS: frozenset(
        {Subject.ANSWER, Subject.ROLL, Subject.PLAY, Subject.CUBE, Subject.NO_MOVE, Subject.END}
    ),
}
"""The subjects of each detail. Questions are answered in every detail."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing to say: a text of the catalogue, and what it is about."""

    text: str
    subject: Subject

    @property
    def rank(self) -> Rank:
        return self.subject.rank
