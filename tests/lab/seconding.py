"""What a person does who plays against the machine: waits for it, and makes its plays for it.

Now and then another play than the machine's is made, which the product has to notice.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from typing import Any

from lab.arranging import arrange
from lab.attention import LOOK, Attention
from lab.figures import Count
from lab.hands import Script
from lab.playing import Playing
from pi_app.match.turns import Phase
from pi_app.microseconds import Us, ms
from pi_app.referee.view import View
from pi_app.sensing.noise import ILLEGAL
from pi_app.sensing.reading import ALARMS, BoardState

THINKS = ms(5000)
"""So long nobody does anything but wait."""


class Seconding:
    """A person's hands in the machine's turns."""

    def __init__(self, attention: Attention, rng: random.Random, playing: Playing) -> None:
        self._attention, self._rng, self._playing = attention, rng, playing
        self._truth, self._game, self._hands = attention.truth, attention.game, attention.hands

    @property
    def _view(self) -> View:
        return self._attention.view

    @property
    def is_asked(self) -> bool:
        """Whether the machine is to act; one that does not answer is played by people."""
        seat, view = self._view.machine, self._view
        return seat is not None and seat.side is view.to_act and not view.silent

    def wait(self) -> Script:
        """Until the machine has rolled, thrown or answered; a board that is amiss is put right."""
        phase, thrown = self._view.phase, self._view.thrown

        def acted() -> bool:
            return (self._view.phase, self._view.thrown) != (phase, thrown)

        yield from self._attention.until(acted, THINKS)
        yield from self._attention.mend(acted, press=phase in (Phase.OPENING_THROW, Phase.TO_ROLL))

    def choose(self) -> Generator[Us, None, Any]:
        """The play that the machine shows, or any."""
        game, truth = self._game, self._truth
        yield from self._attention.until(lambda: bool(self._view.legal), THINKS)
        view = self._view
        play = next((p for p in truth.plays if game.write_play(p) == view.chosen), None)
        if play is None:
            return self._playing.choose()
        truth.only = play
        moves = game.moves(truth.position, play)
        if view.board is BoardState.RESTING and view.to_make != moves:
            text = f"{view.chosen} is shown by {view.to_make}"
            self._attention.product.note(Count.WRONG, text)
        if self._hands.which(*ILLEGAL):
            yield from self._make_another(play)
        return play

    def _make_another(self, play: Any) -> Script:
        """A legal play that is not the machine's lies there, until somebody says so."""
        truth, figures = self._truth, self._attention.figures
        assert truth.roll is not None
        legal = self._game.plays(truth.position, truth.roll)
        others = [p for p in legal if p != play and self._game.moves(truth.position, p)]
        if not others or not truth.stands(truth.position):
            return
        truth.excused = True
        yield from self._playing.make(self._rng.choice(others))
        yield self._hands.between(1800, 3000)
        if self._view.board not in ALARMS:
            yield from self._attention.press()
            yield LOOK
        if self._view.board in ALARMS:
            figures.add(Count.ATTEMPTS)
            figures.add(Count.CAUGHT)
            figures.by_rule[self._view.rule or self._view.board.value] += 1
        else:
            figures.unseen["taken for the machine's play"] += 1
        if self._view.position != truth.text:
            truth.played(play)
            self._hands.trace.forget()
        yield from arrange(self._hands, truth.layout)
        yield from self._attention.look(lambda: self._view.board is BoardState.RESTING)
        truth.excused = False
