"""Two people at the board: they roll, move, double, err, look at the screen and help themselves.

They believe their eyes: what is accepted is compared with what they did, and a play that they did
not make is never tapped.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pi_app.board.description import Sensor
from pi_app.board.reading import ALARMS, BoardState
from pi_app.match.phases import Phase
from pi_app.referee.events import Intent, Press
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Move, Roll, Side, Spot, read_roll
from pi_app.simulator.attempts import illegal_moves, looks_legal, struck, victim_home
from pi_app.simulator.attention import LOOK_MS, Attention, Product
from pi_app.simulator.checkers import Checkers
from pi_app.simulator.figures import Count, Figures
from pi_app.simulator.hands import Hands, Script
from pi_app.simulator.truth import Truth

ANSWERS = (*ALARMS, BoardState.CHOOSE)


@dataclass(frozen=True, slots=True)
class Temper:
    """How often people do what, as shares from 0 to 1.

    `tidy`: an opponent's checker that was displaced is put back before a legal play is made.
    """

    attempt: float = 0.04
    tidy: float = 0.99
    before_roll: float = 0.01
    early: float = 0.01
    twice: float = 0.02
    blind: float = 0.3
    other_play: float = 0.06
    adjust: float = 0.1
    take_back: float = 0.005
    double: float = 0.06
    take: float = 0.7
    resign: float = 0.004
    tap: float = 0.3


class People:
    """Both players of one match; `match` is the script of all they do."""

    def __init__(
        self,
        product: Product,
        game: AnyGame,
        hands: Hands,
        checkers: Checkers,
        figures: Figures,
        rng: random.Random,
        temper: Temper,
        broken: frozenset[Sensor] = frozenset(),
    ) -> None:
        self.truth = Truth(game, checkers)
        self.truth.blind = broken
        self.truth.dipped = hands.dipped
        self.excused = True
        self._product, self._game, self._hands, self._checkers = product, game, hands, checkers
        self._figures, self._rng, self._temper = figures, rng, temper
        self._attention = Attention(product, game, hands, checkers, figures, self.truth)

        self._number = 0

    def match(self) -> Script:
        """From the first set-up to the last point."""
        while self._view.phase is not Phase.MATCH_OVER:
            yield from _PHASES[self._view.phase](self)
            yield self._hands.between(20, 300)
        self._figures.counts[Count.GAMES] += self._view.game_number

    @property
    def _view(self) -> View:
        return self._product.view

    # Phases

    def _set_up(self) -> Script:
        yield from self._begin()
        yield from self._attention.mend(lambda: self._view.phase is not Phase.SET_UP, press=False)
        self.excused = False

    def _begin(self) -> Script:
        """The checkers are set up, and the last game is forgotten."""
        self.excused = True
        self._number = self._view.game_number
        self.truth.begin()
        self._hands.forget()
        yield from self._hands.arrange(self._game.checkers_at(self.truth.position))

    def _opening(self) -> Script:
        if self._number != self._view.game_number:
            # The sensors saw nothing amiss, though checkers are still to be exchanged.
            yield from self._begin()
        thrown = self._view.thrown
        yield self._hands.between(200, 1500)
        yield from self._attention.press()
        yield from self._attention.mend(
            lambda: self._view.thrown != thrown or self._view.phase is not Phase.OPENING_THROW
        )
        if self._view.phase is Phase.MOVING:
            (white, high), (_, low) = self._view.thrown
            first = white if high > low else white.other
            self.truth.opened(first, Roll.of(abs(high - low)))
            if (str(self.truth.roll), first) != (self._view.roll, self._view.to_act):
                self._product.note(Count.WRONG, f"the opening throw {high} to {low} is misjudged")

    def _to_roll(self) -> Script:
        yield self._hands.between(100, 2500)
        if self._chance(self._temper.take_back):
            yield from self._take_back()
        elif self._chance(self._temper.resign):
            yield from self._resign()
        elif Intent.DOUBLE in self._view.offers and self._chance(self._temper.double):
            yield from self._double()
        else:
            if self._chance(self._temper.before_roll):
                yield from self._move_before_roll()
            if self._view.phase is Phase.TO_ROLL:
                yield from self._attention.press()
            yield from self._attention.mend(lambda: self._view.phase is not Phase.TO_ROLL)

    def _double_offered(self) -> Script:
        yield self._hands.between(300, 3000)
        take = self._chance(self._temper.take)
        if self._chance(self._temper.tap):
            self._product.tap(Intent.TAKE if take else Intent.PASS)
            yield LOOK_MS
        else:
            yield from self._attention.press(Press.SHORT if take else Press.LONG)
        yield from self._attention.until(lambda: self._view.phase is not Phase.DOUBLE_OFFERED, 400)

    def _game_over(self) -> Script:
        yield self._hands.between(500, 3000)
        if self._chance(self._temper.take_back):
            yield from self._take_back()
            return
        self._expect_new_game()
        yield from self._attention.press()
        yield from self._attention.mend(lambda: self._view.phase is not Phase.GAME_OVER)

    def _moving(self) -> Script:
        """One turn, from the roll to the accepted play."""
        assert self._view.roll is not None
        self.truth.rolled(read_roll(self._view.roll, self._game.dice))
        self._figures.add(Count.TURNS)
        self._attention.helped = None
        self.excused = False
        yield self._hands.between(150, 2500)
        if self._chance(self._temper.take_back) and self.truth.last_real():
            yield from self._take_back()
            return
        before = self.truth.text
        if any(self._ends(play) for play in self.truth.plays):
            # That play counts by itself after a while; a press then begins the next game.
            self._expect_new_game()
        if self._chance(self._temper.attempt):
            yield from self._attempt()
        else:
            yield from self._dither()
        if self.truth.text != before or self._view.phase is not Phase.MOVING:
            return
        play = self._rng.choice(self.truth.plays)
        self.truth.doing = play
        yield from self._make(play, self._temper.early)
        yield from self._hand_over(play)
        if not self._is_new_game() and not self.truth.stands(self.truth.position):
            self.excused = True
            yield from self._hands.arrange(self._game.checkers_at(self.truth.position))

    # Moves

    def _dither(self) -> Script:
        """Checkers are adjusted, or another play is made first and undone."""
        occupied = [spot for spot in self._game.spots if self._checkers.at(spot)]
        if self._chance(self._temper.adjust):
            self._figures.add(Count.ADJUSTED)
            yield from self._hands.adjust(self._rng.choice(occupied))
        if len(self.truth.plays) > 1 and self._chance(self._temper.other_play):
            self._figures.add(Count.CHANGED_MIND)
            other = self._rng.choice(self.truth.plays)
            yield from self._make(other)
            yield self._hands.between(100, 1800)
            hits = any(struck(self._game, self.truth.position, p) for p in self.truth.plays)
            if self._chance(self._temper.tidy if hits else 0.5):
                yield from self._hands.arrange(self._game.checkers_at(self.truth.position))
                yield self._hands.between(0, 1000)

    def _make(self, play: Any, early: float = 0.0) -> Script:
        """From wherever the checkers lie to where the play leaves them; perhaps pressed early."""
        after = self._game.after(self.truth.position, play)
        if self.truth.stands(self.truth.position):
            for move in self._game.moves(self.truth.position, play):
                victim_to = victim_home(self._game, self.truth.position, move)
                then = self._press_early() if self._chance(early) else None
                yield from self._hands.move(move, victim_to, then)
        yield from self._hands.arrange(self._game.checkers_at(after))
        yield self._hands.between(0, 150)

    def _press_early(self) -> Script:
        self._figures.add(Count.EARLY)
        self.excused = True
        yield from self._attention.press()
        yield self._hands.between(100, 1500)

    def _attempt(self) -> Script:
        """Something illegal, with an innocent face."""
        roll = self.truth.roll
        assert roll is not None
        move = self._rng.choice(illegal_moves(self._game, self.truth.position, roll))
        own = self._checkers.at(move.origin)[-1] is self._game.mover(self.truth.position)
        seen = not looks_legal(
            self._game, self.truth.position, roll, move, self._checkers, self.truth.blind
        )
        self.excused = True
        yield from self._hands.move(move, victim_home(self._game, self.truth.position, move))
        yield self._hands.between(100, 3000)
        if self._view.board not in ANSWERS:
            yield from self._attention.press()
            yield LOOK_MS
        self._judge(move, seen)
        if self._view.position != self.truth.text:
            yield from self._go_along()
        elif self._chance(self._temper.tidy if move.hit or not own else 0.5):
            yield from self._hands.arrange(self._game.checkers_at(self.truth.position))
            yield from self._attention.look(lambda: self._view.board is BoardState.RESTING)

    def _judge(self, move: Move, seen: bool) -> None:
        """What the product made of an attempt."""
        view, roll = self._view, self.truth.roll
        assert roll is not None
        accepted = view.position != self.truth.text
        if view.phase in (Phase.GAME_OVER, Phase.MATCH_OVER) or self._is_new_game():
            seen = False  # what ends the game counts by itself, with the checker in the air
        answer = view.rule or view.board.value
        if not seen:
            self._figures.unseen["taken for a legal play" if accepted else answer] += 1
            return
        self._figures.add(Count.ATTEMPTS)
        if accepted or view.board not in ANSWERS:
            what = "accepted" if accepted else "not answered"
            text = f"{self._name(move)} at {self.truth.text} with {roll} was {what}"
            self._figures.by_rule[what.upper()] += 1
            self._product.note(Count.CAUGHT, text)
            return
        self._figures.add(Count.CAUGHT)
        self._figures.by_rule[answer] += 1
        broken = self._game.explain(self.truth.position, roll, (move,))
        if view.rule and broken and view.rule != broken.rule.identifier:
            self._figures.add(Count.OTHER_RULE)

    def _move_before_roll(self) -> Script:
        """A checker is moved before the dice have fallen."""
        self.excused = True
        moves = illegal_moves(self._game, self.truth.position, Roll.of(1))
        row = [
            m
            for m in moves
            if self._checkers.sensors_of(m.origin) and not self._checkers.at(m.target)
        ]
        if row:
            self._figures.add(Count.ATTEMPTS)
            yield from self._hands.move(self._rng.choice(row), None)
            yield from self._attention.until(lambda: self._view.board in ANSWERS, 2500)
            if self._view.board not in ANSWERS:
                yield from self._attention.press()
                yield LOOK_MS
            if self._view.phase is not Phase.TO_ROLL and self.truth.blind:
                self._figures.counts[Count.ATTEMPTS] -= 1
                self._figures.unseen["before the roll"] += 1
            elif self._view.board in ANSWERS:
                self._figures.add(Count.CAUGHT)
                self._figures.by_rule[self._view.rule or self._view.board.value] += 1
            else:
                self._product.note(Count.CAUGHT, f"a move before the roll at {self.truth.text}")
            yield from self._hands.arrange(self._game.checkers_at(self.truth.position))
            yield self._hands.between(300, 1000)
        self.excused = False

    # Handing over

    def _hand_over(self, play: Any) -> Script:
        """Press until the play counts; look, and help, when it does not."""
        before = self.truth.text
        if not self._chance(self._temper.blind):
            yield from self._attention.until(lambda: self._shows(play), 400)
        unseen = self._view.phase is Phase.MOVING and self._chance(self._temper.blind)
        if self._shows(play) or unseen:
            yield from self._attention.press()
            if self._chance(self._temper.twice):
                yield from self._press_twice(play)
        yield from self._attention.mend(lambda: self._view.position != before, play=play)
        self._settle(play)

    def _shows(self, play: Any) -> bool:
        """Whether the screen shows this play, or that there is nothing to play."""
        view = self._view
        if not self._game.moves(self.truth.position, play):
            return view.board is BoardState.RESTING
        return view.board is BoardState.PLAYED and view.after == self.truth.after(play)

    def _settle(self, play: Any) -> None:
        """The product has accepted something: the play that was made, or one it looks like."""
        shown = self._view.position
        if shown != self.truth.after(play) and not (self._ends(play) and self._is_new_game()):
            alike = next((q for q in self.truth.plays if self.truth.after(q) == shown), None)
            if alike is not None:
                self._figures.add(Count.SLIPS)
                play = alike
        self.truth.played(play)
        self._hands.forget()
        self._figures.add(Count.PLAYS)
        if self._attention.helped is None:
            self._figures.add(Count.UNTAPPED)
        else:
            self._figures.asked[self._attention.helped] += 1
        if shown != self.truth.text and not self._is_new_game():
            # A second press has passed the turn of an opponent who could not move.
            self.truth.roll = Roll.of(1)
            self.truth.played(())

    def _go_along(self) -> Script:
        """The product took something for a legal play that looks the same: so be it."""
        shown = self._view.position
        play = next((q for q in self.truth.plays if self.truth.after(q) == shown), None)
        if play is None:
            return  # the game has ended by itself, and the press has begun the next
        self.truth.played(play)
        self._hands.forget()
        yield from self._hands.arrange(self._game.checkers_at(self.truth.position))

    def _press_twice(self, play: Any) -> Script:
        self._figures.add(Count.TWICE)
        self.excused = True
        after = self._game.after(self.truth.position, play)
        if not self._ends(play):
            passed = self._game.with_mover(after, self._game.mover(self.truth.position))
            self.truth.others |= {self._game.write_position(passed)}
        yield from self._attention.press()

    # Other acts

    def _double(self) -> Script:
        self._figures.add(Count.DOUBLES)
        if self._chance(self._temper.tap):
            self._product.tap(Intent.DOUBLE)
            yield LOOK_MS
        else:
            yield from self._attention.press(Press.LONG)
        yield from self._attention.until(lambda: self._view.phase is Phase.DOUBLE_OFFERED, 400)

    def _resign(self) -> Script:
        self._figures.add(Count.RESIGNED)
        self._product.tap(Intent.RESIGN, points=self._rng.choice((1, 1, 2)))
        yield LOOK_MS

    def _take_back(self) -> Script:
        """Tap and put the checkers back, or the other way round."""
        last = self.truth.last_real()
        if last is None or Intent.TAKE_BACK not in self._view.offers:
            return
        self._figures.add(Count.TAKEBACKS)
        self.excused = True
        self.truth.others |= {self._game.write_position(last.position)}
        back = self._game.checkers_at(last.position)
        if self._chance(0.5) and self._view.phase is not Phase.GAME_OVER:
            yield from self._hands.arrange(back)
            yield from self._attention.until(lambda: self._view.earlier is not None, 2500)
        self._product.tap(Intent.TAKE_BACK)
        yield LOOK_MS
        self.truth.took_back()
        self._hands.forget()
        if (self._view.position, self._view.roll) != (self.truth.text, str(self.truth.roll)):
            self._product.note(Count.WRONG, f"taken back to {self._view.position}")
        yield from self._hands.arrange(back)
        yield from self._attention.look(lambda: self._view.board is BoardState.RESTING)
        self._hands.forget()
        self.excused = False

    def _expect_new_game(self) -> None:
        starts = (self._game.start(side) for side in Side)
        self.truth.others |= {self._game.write_position(start) for start in starts}

    def _is_new_game(self) -> bool:
        return self._view.game_number != self._number

    def _ends(self, play: Any) -> bool:
        return self._game.outcome(self._game.after(self.truth.position, play)) is not None

    def _chance(self, share: float) -> bool:
        return self._rng.random() < share

    def _name(self, move: Move) -> str:
        return f"{_short(move.origin)}/{_short(move.target)}{'*' * move.hit}"


def _short(spot: Spot) -> str:
    return str(spot)


_PHASES: Mapping[Phase, Callable[[People], Generator[float, None, None]]] = MappingProxyType(
    {
        Phase.SET_UP: People._set_up,
        Phase.OPENING_THROW: People._opening,
        Phase.TO_ROLL: People._to_roll,
        Phase.DOUBLE_OFFERED: People._double_offered,
        Phase.MOVING: People._moving,
        Phase.GAME_OVER: People._game_over,
    }
)
