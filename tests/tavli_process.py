"""Plays a match of Tavli into a journal until it is killed, or to its end.

Run by test_tavli_killed.py as a program of its own, with a folder as its argument: it resumes the
match that it finds there. After every event it prints what it shows, as one line of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from test_tavli import WINS, Tavli

from pi_app.app.session import Session
from pi_app.devices.dice import Dice
from pi_app.journal.store import Journal
from pi_app.match.turns import OVER, Phase
from pi_app.referee.events import Event
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side

TURNS = 4
"""Turns of each game before it is corrected to its end."""


Shows: TypeAlias = dict[str, object]
Tell: TypeAlias = Callable[[Shows], None]


class KeptTavli(Tavli):
    """A match of Tavli in a session that stores it."""

    def __init__(self, folder: Path, tell: Tell = lambda _: None) -> None:
        super().__init__(3)
        self.tell = tell
        self.journal = Journal(folder / "matches.db")
        number = self.journal.unfinished()
        latest = self.journal.latest_game(number) if number else ()
        if number:
            self.journal.resume(number)
        else:
            self.journal.begin(self.start, "2026-03-01T20:15")
        self._now = latest[-1].us // 1000 if latest else 0
        self.session = Session(self.board, self.start, self.journal, Dice(), frozenset(), latest)

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def game(self) -> AnyGame:
        return self.session.game

    def does(self, event: Event) -> None:
        self.session.handle(event)
        self.tell(stands(self.view))

    def play(self) -> None:
        """Play to the end of the match; the winners are always the same."""
        winners = {"portes": Side.WHITE, "plakoto": Side.BLACK, "fevga": Side.WHITE}
        if self.view.phase is not Phase.SET_UP:
            self.shows(self.position)
        while self.view.phase is not Phase.MATCH_OVER:
            if self.view.phase is Phase.GAME_OVER:
                self.presses()
            for _ in range(TURNS * 4):
                if self.view.phase not in OVER:
                    self.goes_on()
            if self.view.phase not in OVER:
                self.corrects(WINS[self.view.game, winners[self.view.game], 1])
            while self.view.phase not in OVER:
                self.goes_on()


def stands(view: View) -> Shows:
    """What a match shows, without its hands."""
    place = view.in_series
    return {
        "phase": view.phase.value,
        "game": view.game,
        "place": place and [place.number, place.of, place.round],
        "position": view.position,
        "roll": view.roll,
        "to_act": view.to_act.value,
        "score": [view.score.white, view.score.black],
        "title": str(view.title),
    }


if __name__ == "__main__":
    KeptTavli(Path(sys.argv[1]), lambda shown: print(json.dumps(shown), flush=True)).play()
