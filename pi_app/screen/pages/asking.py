"""The questions that a player can have answered aloud, each a button and a key; and what one can
say to a friend far away."""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.screen.actions import Action, close, open_page, send
from pi_app.screen.canvas import Canvas, Look
from pi_app.screen.pages.parts import BACK_TO_MATCH, Choice, column_of_buttons, draw_around
from pi_app.screen.ui import Page
from pi_app.speech.answers import Query
from pi_app.user.commands import PHRASES, ClubWish, SayAloud, SayFar
from pi_app.words.sentences import Sentence

ASK = Sentence("Ask")
NAMES: Mapping[Query, Sentence] = {
    Query.AGAIN: Sentence("Say again"),
    Query.TURN: Sentence("Whose turn"),
    Query.LAST_PLAY: Sentence("Last play"),
    Query.DICE: Sentence("Dice left"),
    Query.BOARD: Sentence("Read the board"),
    Query.SCORE: Sentence("Score"),
    Query.PIPS: Sentence("Pips"),
    Query.CLOCK: Sentence("Clocks"),
    Query.SILENCE: Sentence("Be quiet"),
}
QUESTION_OF: Mapping[str, Query] = {
    "r": Query.AGAIN,
    "w": Query.TURN,
    "l": Query.LAST_PLAY,
    "d": Query.DICE,
    "b": Query.BOARD,
    "s": Query.SCORE,
    "p": Query.PIPS,
    "c": Query.CLOCK,
    "m": Query.SILENCE,
}
"""The key of each question on the play page."""


def draw_asking(canvas: Canvas[Action]) -> None:
    body = draw_around(canvas, ASK(), "", (Choice(BACK_TO_MATCH(), close(), Look.MAIN),))
    questions = tuple(Choice(name(), send(SayAloud(question))) for question, name in NAMES.items())
    column_of_buttons(canvas, body, questions)


SAY = Sentence("Say")
SAY_TO = Sentence("Say to {name}")
CLOSE_MATCH = Sentence("Silent for a day: close the match")


def draw_saying(canvas: Canvas[Action], to: str, *, can_close: bool = False) -> None:
    back = (Choice(BACK_TO_MATCH(), close(), Look.MAIN),)
    body = draw_around(canvas, SAY_TO(name=to), "", back)
    said = (Choice(words(), open_page(Page.PLAY, SayFar(one))) for one, words in PHRASES.items())
    ends = Choice(CLOSE_MATCH(), open_page(Page.PLAY, ClubWish.CLOSE_MATCH))
    column_of_buttons(canvas, body, (*said, *((ends,) if can_close else ())))
