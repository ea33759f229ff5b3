"""Attentive people: look, press, tap, and help a sensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from lab.figures import Count, Figures
from lab.ground_truth import Truth
from lab.hands import Hands, Script
from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.referee.events import Press
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState

READING = ms(1200)
"""The time to read a question."""
LOOK = ms(50)
"""How often people look at the screen."""
ROUNDS = 16
"""Attempts before people give up."""
PRESSES = 4
ACTIONS = 2
"""A play is accepted, or asked about, within so many presses."""
CORRECTED = "board is right"
"""How a play was helped that the product took from the board, without knowing it."""
NUDGES = 2
"""Warnings after which people turn the sensor off."""


class Product(Protocol):
    @property
    def view(self) -> View:
        """The pictures of both displays."""

    def button(self, down: bool) -> None:
        """The die button goes down or up."""

    def tap(
        self,
        intent: Act,
        *,
        play: str | None = None,
        position: str | None = None,
        sensor: Sensor | None = None,
        points: int | None = None,
    ) -> None:
        """A touch on the screen."""

    def throw(self, roll: Roll) -> None:
        """Enter real dice."""

    def note(self, what: Count, text: str) -> None:
        """Something to be counted and looked into."""


class GaveUpError(RuntimeError):
    """People have tried everything and the match does not go on."""


@dataclass
class Attention:
    """A finger on button and screen, and eyes that compare screen and board.

    `helped` names the help that this turn needed beyond presses, or None. `presses` are the
    attempts to confirm the play. `clear` tells whether the reeds left no doubt at the first press,
    and `meant` that it was not early, double or idle.  `odd`: somebody had manners in this turn
    that the noise model does not know.  `refused`: two presses led to no question about the play.
    """

    product: Product
    hands: Hands
    figures: Figures
    truth: Truth
    helped: str | None = None
    presses: int = 0
    clear: bool = True
    meant: bool = True
    odd: bool = False
    refused: bool = False
    _answered: str | None = None
    _nudged: Counter[Sensor] = field(default_factory=Counter)

    @property
    def view(self) -> View:
        """The pictures of both displays."""
        return self.product.view

    @property
    def game(self) -> AnyGame:
        """The game that is being played."""
        return self.truth.game

    def begin(self) -> None:
        self.helped = self._answered = None
        self.presses, self.clear, self.meant = 0, True, True
        self.odd = self.refused = False

    def press(self, press: Press = Press.SHORT) -> Script:
        """Press the die button, short or long."""
        if self.truth.doing is not None:
            self.clear = self.truth.is_clear if self.presses == 0 else self.clear
            self.presses += 1
        self.product.button(True)
        held = self.hands.between(60, 350)
        yield held if press is Press.SHORT else self.hands.between(1050, 1500)
        self.product.button(False)
        yield self.hands.between(20, 80)

    def until(self, done: Callable[[], bool], longest: Us) -> Script:
        """Poll until a time limit."""
        waited = 0
        while waited < longest and not done():
            yield LOOK
            waited += LOOK

    def repair(self, done: Callable[[], bool], *, press: bool = True, play: Any = None) -> Script:
        """Acts of attentive people until the product has understood."""
        presses = 0
        for _ in range(ROUNDS):
            yield from self.until(done, ms(400))
            if done():
                return
            question = self.view.board is BoardState.CHOOSE and self.view.moves_exist
            if play is not None and question and self._written(play) in self.view.choices:
                yield from self._answer(play)
            elif sensor := self._misread():
                yield from self._look_after(sensor)
            elif press and presses < PRESSES and not question:
                if presses == ACTIONS:
                    self._refuse(play)
                presses += 1
                self.figures.add(Count.AGAIN)
                yield from self.press()
            else:
                self._refuse(play)
                self._insist(play)
                yield LOOK
        raise GaveUpError(f"nothing helps in {self.view.phase.value}: {self.view.message}")

    def look(self, done: Callable[[], bool]) -> Script:
        """See whether the product has followed; if a sensor hinders it, see to that."""
        yield from self.until(done, ms(800))
        while not done() and (sensor := self._misread()):
            yield from self._look_after(sensor)
            yield from self.until(done, ms(400))

    def try_again(self) -> Script:
        """Believe again what was set aside and has been right since."""
        for sensor in self.view.healed:
            self._nudged[sensor] = 0
            self.truth.off -= {sensor}
            self.product.tap(Act.SENSOR_ON, sensor=sensor)
            yield LOOK

    def _written(self, play: Any) -> str:
        return self.game.write_play(self.truth.position, play)

    def _answer(self, play: Any) -> Script:
        """Press again where only one play is asked about, for yes; else tap the right one."""
        text = self._written(play)
        self.figures.add(Count.ANSWERED)
        if self.view.choices[0] == text:
            self.figures.add(Count.FIRST)
        if self.truth.is_clear and not self.truth.excused and not self.truth.misled:
            asked = f"asked for {', '.join(self.view.choices)} after {text} at {self.truth.text}"
            self.product.note(Count.NEEDLESS, asked)
        if len(self.view.choices) == 1 and self._answered != text:
            self._answered = text
            self.figures.add(Count.CONFIRMED)
            yield READING
        else:
            self.helped = "chosen"
            self.product.tap(Act.CHOOSE, play=text)
            yield LOOK
        yield from self.press()

    def _misread(self) -> Sensor | None:
        """A sensor that shows another thing than what lies there."""
        view = self.view
        wrong = view.closed ^ self.hands.checkers.closed
        return next((s for s in sorted(wrong) if s not in view.sensors_off), None)

    def _look_after(self, sensor: Sensor) -> Script:
        """Nudge the checker; when that does not help, set the sensor aside."""
        self._nudged[sensor] += 1
        if self._nudged[sensor] % (NUDGES + 1):
            self.figures.add(Count.NUDGES)
            yield from self.hands.nudge(sensor)
            return
        self.figures.add(Count.SET_ASIDE)
        self.helped = "sensor set aside"
        self.product.tap(Act.SENSOR_OFF, sensor=sensor)
        self.truth.off |= {sensor}
        yield LOOK

    def _refuse(self, play: Any) -> None:
        """Presses have led neither to the play that lies there nor to a question about it."""
        if play is not None and not self.refused and not self.truth.misled:
            self.refused = True
            self.product.note(Count.REFUSED, f"{self.view.message} at {self.truth.text}")

    def _insist(self, play: Any) -> None:
        """The last resort: say how the board stands."""
        if Act.CORRECT not in self.view.offers:
            return
        self.figures.add(Count.CORRECTIONS)
        self.helped = CORRECTED
        text = self.truth.text if play is None else self.truth.after(play)
        self.product.tap(Act.CORRECT, position=text)
