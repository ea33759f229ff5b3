"""Illegal attempts with an innocent face, and what the product makes of them."""

from __future__ import annotations

import random
from collections.abc import Set

from lab.attention import LOOK, Attention
from lab.figures import Count
from lab.hands import Script, arrange
from lab.observability import is_on_the_way, look_alike, looks_legal
from lab.plays import Mischief, Misplay, chained, victims_of
from pi_app.base.microseconds import ms
from pi_app.match.turns import OVER, Phase
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import Noise
from pi_app.sensing.reading import ALARMS, BoardState

ANSWERS = (*ALARMS, BoardState.CHOOSE)
PRESSES = 2
"""People press again if there is no answer."""
TOLD_WITHIN = ms(3000)
"""Time until a misplaced checker is reported."""


class Trials:
    """Illegal attempts."""

    def __init__(self, attention: Attention, rng: random.Random) -> None:
        self._attention, self._rng = attention, rng
        self._truth, self._figures = attention.truth, attention.figures
        self._hands, self._checkers = attention.hands, attention.hands.checkers

    @property
    def _game(self) -> AnyGame:
        return self._truth.game

    @property
    def _mischief(self) -> Mischief:
        return Mischief(self._game, self._checkers, self._rng)

    @property
    def _view(self) -> View:
        return self._attention.view

    @property
    def _blind(self) -> Set[Sensor]:
        """The sensors that tell nothing: they never do, or are set aside."""
        return self._truth.blind | self._truth.off

    def attempt(self, kind: Noise, tidy: float, game_number: int) -> Script:
        """Something illegal, put back after the answer or, less often, changed into a play."""
        position, roll = self._truth.position, self._truth.roll
        assert roll is not None
        attempt = self._think_of(kind, position)
        if attempt is None:
            return
        seen = not looks_legal(self._game, position, roll, attempt, self._checkers, self._blind)
        self._truth.excused = True
        yield from self._do(attempt)
        if self._rng.random() < 0.5:
            yield from self._wait(attempt, game_number)
        else:
            yield self._hands.between(100, 3000)
        for _ in range(PRESSES):
            if self._view.board not in ANSWERS and self._view.position == self._truth.text:
                yield from self._attention.press()
                yield self._hands.between(900, 1500)
        self._judge(attempt, seen, game_number)
        if self._view.position != self._truth.text:
            yield from self._go_along()
        elif self._rng.random() < (tidy if self._meddles(attempt) else 0.5):
            yield from arrange(self._hands, self._truth.layout)
            yield from self._attention.look(lambda: self._view.board is BoardState.RESTING)

    def _wait(self, attempt: Misplay, game_number: int) -> Script:
        """Whether it is told by itself, soon after the hands have left the board."""
        yield from self._attention.until(lambda: self._view.board in ANSWERS, TOLD_WITHIN)
        deaf = (self._checkers.felt ^ self._checkers.closed) - self._blind
        if deaf or self._view.phase in OVER or self._view.game_number != game_number:
            return
        position, roll = self._truth.position, self._truth.roll
        assert roll is not None
        if is_on_the_way(self._game, position, roll, self._checkers, self._blind):
            return
        self._figures.add(Count.SEEN_WRONG)
        if self._view.board not in ANSWERS:
            self._figures.add(Count.SILENT)
            text = f"{attempt} at {self._truth.text} with {roll} was met with silence"
            self._attention.product.note(Count.CAUGHT, text)

    def idle_press(self) -> Script:
        """The button is pressed before anything is played: nothing may come of it."""
        moves = any(self._game.moves(self._truth.position, play) for play in self._truth.plays)
        if moves and self._truth.stands(self._truth.position):
            self._truth.excused, self._attention.meant = True, False
            self._truth.idle = True
            yield from self._attention.press()
            yield from self._attention.until(lambda: False, ms(400))
            self._truth.idle = False

    def before_roll(self) -> Script:
        """A checker is moved before the dice have fallen."""
        self._truth.excused = True
        attempt = self._mischief.before_roll(self._truth.position)
        if attempt:
            self._figures.add(Count.ATTEMPTS)
            yield from self._do(attempt)
            yield from self._attention.until(lambda: self._view.board in ANSWERS, ms(2500))
            if self._view.board not in ANSWERS:
                yield from self._attention.press()
                yield LOOK
            if self._view.phase is not Phase.TO_ROLL and self._truth.blind:
                self._figures.counts[Count.ATTEMPTS] -= 1
                self._figures.unseen["before the roll"] += 1
            elif self._view.board in ANSWERS:
                self._figures.add(Count.CAUGHT)
                self._figures.by_rule[self._view.rule or self._view.board.value] += 1
            else:
                self._attention.product.note(
                    Count.CAUGHT, f"a move before the roll at {self._truth.text}"
                )
            yield from arrange(self._hands, self._truth.layout)
            yield self._hands.between(300, 1000)
        self._truth.excused = False

    def _think_of(self, kind: Noise, position: object) -> Misplay | None:
        """An attempt of a kind; where turns have no parts, one checker moved wrongly."""
        roll = self._truth.roll
        assert roll is not None
        found = None
        if kind is Noise.HALF_RIGHT:
            found = self._mischief.half_right(position, roll)
        elif kind is Noise.TOO_LITTLE:
            found = self._mischief.too_little(position, roll)
        return found or self._mischief.single(position, roll)

    def _do(self, attempt: Misplay) -> Script:
        position = self._truth.position
        victims = victims_of(self._game, position, attempt.moves)
        ways = chained(attempt.moves)
        yield from self._hands.turn(ways, self._game.mover(position), victims)
        yield from arrange(self._hands, attempt.layout)

    def _meddles(self, attempt: Misplay) -> bool:
        """Whether a checker of the opponent's was touched."""
        mover, stacks = self._game.mover(self._truth.position), self._truth.layout
        return bool(attempt.hits) or any(
            stacks[move.origin] and all(piece.side is not mover for piece in stacks[move.origin])
            for move in attempt.moves[:1]
        )

    def _judge(self, attempt: Misplay, seen: bool, game_number: int) -> None:
        """The product's answer to an attempt."""
        view, roll = self._view, self._truth.roll
        assert roll is not None
        accepted = view.position != self._truth.text
        over = view.phase in OVER
        if over or view.game_number != game_number:
            seen = False  # what ends the game counts by itself, with the checker in the air
        if (self._checkers.felt ^ self._checkers.closed) - self._blind:
            seen = False  # a reed is deaf
        trace, taken = self._hands.trace, attempt.hits | {move.origin for move in attempt.moves}
        if attempt.hits & trace.hasty or taken & trace.unfelt:
            seen = False  # it may have been a sleeve, or was not felt at all
        answer = view.rule or view.board.value
        if not seen:
            self._figures.unseen["taken for a legal play" if accepted else answer] += 1
            return
        self._figures.add(Count.ATTEMPTS)
        if accepted or view.board not in ANSWERS:
            what = "accepted" if accepted else "not answered"
            text = f"{attempt} at {self._truth.text} with {roll} was {what}"
            self._figures.by_rule[what.upper()] += 1
            self._attention.product.note(Count.CAUGHT, text)
            return
        self._figures.add(Count.CAUGHT)
        self._figures.by_rule[answer] += 1
        position = self._truth.position
        broken = self._game.explain(position, roll, attempt.moves)
        if view.rule and broken and view.rule != broken.rule.identifier:
            told = self._mischief.misplay(position, view.moves)
            two = (attempt, told)
            alike = look_alike(self._game, position, two, self._checkers, self._blind)
            self._figures.add(Count.OTHER_RULE_ALIKE if alike else Count.OTHER_RULE)

    def _go_along(self) -> Script:
        """The product took something for a legal play that looks the same: so be it."""
        shown, truth = self._view.position, self._truth
        play = next((q for q in truth.plays if truth.after(q) == shown), None)
        if play is None:
            return  # the game has ended by itself, and the press has begun the next
        truth.played(play)
        self._hands.trace.forget()
        yield from arrange(self._hands, truth.layout)
