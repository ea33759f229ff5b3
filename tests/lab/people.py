"""Two people at the board: they roll, move, double, err, look at the screen and help themselves.

They believe their eyes: what is accepted is compared with what they did, and a play that they did
not make is never tapped.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.attention import CORRECTED, LOOK, Attention, GaveUpError
from lab.figures import Count
from lab.ground_truth import TrueTurn
from lab.hands import SWAP_MS, Script, arrange, in_turn
from lab.manners import NO_MANNERS, Fidgets, Occasion, TableManners
from lab.observability import struck
from lab.plays import (
    Way,
    choose,
    entering_first,
    illegal_moves,
    in_disorder,
    victims_of,
    ways_of,
)
from lab.trials import Trials
from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.match.turns import IN_PLAY, OVER, Phase
from pi_app.referee.events import Press
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame, Opening
from pi_app.rules.terms import Move, Roll, Side, Spot, SpotKind, read_roll
from pi_app.sensing.noise import ILLEGAL, Noise
from pi_app.sensing.reading import ALARMS, BoardState

NOTHING: Mapping[Occasion, Script] = {}


class Playing:
    """The people's plays and how they make them."""

    def __init__(
        self, attention: Attention, rng: random.Random, manners: TableManners = NO_MANNERS
    ) -> None:
        self._attention, self._rng, self._manners = attention, rng, manners
        self._truth, self._hands = attention.truth, attention.hands

    @property
    def _game(self) -> AnyGame:
        return self._truth.game

    def choose(self) -> Any:
        """A legal play."""
        return choose(self._game, self._truth.position, self._truth.plays, self._rng)

    def change_mind(self, tidy: float) -> Script:
        """Perhaps another play is made first, then undone or changed into the final one."""
        if len(self._truth.plays) > 1 and self._hands.happens(Noise.CHANGE_OF_MIND):
            yield from self.make(self.choose())
            yield self._hands.between(100, 1800)
            hits = any(struck(self._game, self._truth.position, p) for p in self._truth.plays)
            if self._hands.chance(tidy if hits else 0.5):
                yield from arrange(self._hands, self._truth.layout)
                yield self._hands.between(0, 1000)

    def make(self, play: Any, fidgets: Mapping[Occasion, Script] = NOTHING) -> Script:
        """From wherever the checkers lie to where the play leaves them."""
        if self._truth.stands(self._truth.position):
            position = self._truth.position
            moves = self._game.moves(position, play)
            victims = dict(victims_of(self._game, position, moves))
            then = [fidgets[Occasion.IN_THE_AIR]] if Occasion.IN_THE_AIR in fidgets else []
            between = [fidgets[Occasion.BETWEEN]] if Occasion.BETWEEN in fidgets else []
            astray: Mapping[Spot, Spot] = {}
            if self._truth.doing is not None:
                if self._hands.does(self._manners.half_presses):
                    self._attention.odd = True
                    between.append(self._press_early())
                then += [self._press_early()] if self._hands.happens(Noise.EARLY_PRESS) else []
                astray = self._astray(victims)
            yield from self._hands.turn(
                self._ways(moves),
                self._game.mover(position),
                {**victims, **astray},
                in_turn(then) if then else None,
                in_turn(between) if between else None,
            )
            self._truth.astray = bool(astray)
        if not self._truth.astray:
            yield from self.put(play)
        yield self._hands.between(0, 150)

    def correct(self, play: Any) -> Script:
        """A checker of the play is set down wrongly, and from there put where it belongs.

        Whom it hits is sometimes taken away only then.
        """
        game, position, roll = self._game, self._truth.position, self._truth.roll
        assert roll is not None
        moves = game.moves(position, play)
        move = next((move for move in moves if move.hit), moves[0])
        checkers, hands = self._hands.checkers, self._hands
        spots = [
            wrong.target
            for wrong in illegal_moves(game, position, roll)
            if wrong.origin == move.origin
            and checkers.free(wrong.target) == checkers.places_of(wrong.target) != ()
        ]
        if not spots or not self._truth.stands(position):
            return
        self._attention.odd = self._truth.excused = True
        mover, victims = game.mover(position), dict(victims_of(game, position, (move,)))
        if hands.chance(0.6):
            yield from self._send_off(victims)
        held = hands.lift(move.origin, mover)
        yield hands.between(250, 1300)
        wrong = self._rng.choice(spots)
        hands.drop(wrong, held)
        yield from self._attention.until(lambda: self._attention.view.board in ALARMS, ms(2500))
        yield hands.between(300, 1500)
        held = hands.lift(wrong, mover)
        yield hands.between(200, 1000)
        yield from self._send_off(victims)
        hands.drop(move.target, held)
        self._truth.excused = False
        yield hands.between(100, 900)

    def _send_off(self, victims: dict[Spot, Spot]) -> Script:
        """Take hit checkers to where they go; none are left in `victims`."""
        for spot, home in victims.items():
            held = self._hands.lift(spot, self._game.mover(self._truth.position).other)
            yield self._hands.between(SWAP_MS, 700)
            self._hands.drop(home, held)
        victims.clear()

    def put(self, play: Any) -> Script:
        """Every checker to where the play leaves it."""
        self._truth.astray = False
        after = self._game.after(self._truth.position, play)
        yield from arrange(self._hands, self._truth.layout_of(after))

    def _ways(self, moves: Sequence[Move]) -> list[Way]:
        position, roll = self._truth.position, self._truth.roll
        assert roll is not None
        ways = ways_of(self._game, position, roll, moves, self._rng)
        if self._hands.happens(Noise.DISORDER):
            return in_disorder(self._game, position, ways, self._rng)
        return entering_first(self._game, position, ways)

    def _astray(self, victims: Mapping[Spot, Spot]) -> Mapping[Spot, Spot]:
        """The hits whose checker is put where those lie that are borne off, and not on the bar."""
        trays = {spot.side: spot for spot in self._game.spots if spot.kind is SpotKind.OFF}
        astray = {
            spot: trays[home.side]
            for spot, home in victims.items()
            if home.kind is SpotKind.BAR and self._hands.happens(Noise.ASTRAY)
        }
        self._truth.excused = self._truth.excused or bool(astray)
        return astray

    def _press_early(self) -> Script:
        """A question about the play in progress counts as confirmed.

        What is said of it afterwards is judged as always, unless it has counted by then.
        """
        doing, view, excused = self._truth.doing, self._attention.view, self._truth.excused
        if view.choices == (self._game.write_play(self._truth.position, doing),):
            self._truth.others |= {self._truth.after(doing)}
        self._truth.excused, self._attention.meant = True, False
        yield from self._attention.press()
        yield self._hands.between(100, 1500)
        if self._attention.view.position == self._truth.text:
            self._truth.excused = excused


THINKS = ms(5000)
"""A silence in which nothing happens."""


class Seconding:
    """A person's hands in the machine's turns."""

    def __init__(self, attention: Attention, rng: random.Random, playing: Playing) -> None:
        self._attention, self._rng, self._playing = attention, rng, playing
        self._truth, self._hands = attention.truth, attention.hands

    @property
    def _game(self) -> AnyGame:
        return self._truth.game

    @property
    def _view(self) -> View:
        return self._attention.view

    @property
    def is_asked(self) -> bool:
        """Whether the engine is to act; people play for one that does not answer."""
        seat, view = self._view.machine, self._view
        return seat is not None and seat.side is view.to_act and not view.silent

    def wait(self) -> Script:
        """Wait until the engine has rolled or answered; a wrong board is fixed first."""
        phase, thrown = self._view.phase, self._view.thrown

        def acted() -> bool:
            return (self._view.phase, self._view.thrown) != (phase, thrown)

        yield from self._attention.until(acted, THINKS)
        yield from self._attention.repair(
            acted, press=phase in (Phase.OPENING_THROW, Phase.TO_ROLL)
        )

    def choose(self) -> Generator[Us, None, Any]:
        """The play that the machine shows, or any."""
        game, truth = self._game, self._truth
        yield from self._attention.until(lambda: bool(self._view.legal), THINKS)
        view = self._view
        play = next(
            (p for p in truth.plays if game.write_play(truth.position, p) == view.chosen), None
        )
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


MOST_TURNS = 1500
"""Turns after which a game counts as endless."""
MOST_PRESSES = 8
"""Presses in vain before people stop pressing."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How often people do what, as shares from 0 to 1; what is noise is in the noise model.

    `tidy`: an opponent's checker that was displaced is put back before a legal play is made.
    `blind`: the button is pressed without a look at the screen.
    """

    tidy: float = 0.99
    blind: float = 0.3
    double: float = 0.06
    take: float = 0.7
    resign: float = 0.004
    accept: float = 0.8
    tap: float = 0.3


class People:
    """Both players of one match; `match` is the script of all they do."""

    def __init__(
        self, attention: Attention, rng: random.Random, temper: Temper, manners: TableManners
    ) -> None:
        self._attention, self._rng, self._temper = attention, rng, temper
        self._product, self._truth = attention.product, attention.truth
        self._hands, self._figures = attention.hands, attention.figures
        self._trials, self._playing = Trials(attention, rng), Playing(attention, rng, manners)
        self._manners = manners
        self._seconding = Seconding(attention, rng, self._playing)
        self._fidgets = self._new_fidgets()
        self._number, self._turns = 0, 0
        self._made: Any = None
        self._resigned: Side | None = None

    def match(self) -> Script:
        """From the first set-up to the last point."""
        while self._view.phase is not Phase.MATCH_OVER:
            if self._view.phase in IN_PLAY and self._is_new_game():
                # The sensors saw nothing amiss, though checkers are still to be exchanged.
                yield from self._begin()
            if self._seconding.is_asked and self._view.phase in _THE_MACHINES:
                yield from self._watch_machine()
            else:
                yield from _PHASES[self._view.phase](self)
            yield self._hands.between(20, 300)
        self._figures.counts[Count.GAMES] += self._view.game_number

    @property
    def _game(self) -> AnyGame:
        return self._truth.game

    def _new_fidgets(self) -> Fidgets:
        return Fidgets(self._game, self._hands, self._rng, self._manners)

    @property
    def _view(self) -> View:
        return self._attention.view

    # Phases

    def _watch_machine(self) -> Script:
        before, loser = self._view.phase, self._view.to_act.other
        yield from self._seconding.wait()
        if before is Phase.OPENING_THROW and self._view.phase is not before:
            self._opened()
        if before is Phase.RESIGNATION_OFFERED and self._view.phase in OVER:
            self._resigned = loser

    def _set_up(self) -> Script:
        yield from self._begin()
        yield from self._attention.repair(lambda: self._view.phase is not Phase.SET_UP, press=False)
        self._truth.excused = False

    def _begin(self) -> Script:
        """The checkers are set up, and the last game is forgotten."""
        self._truth.excused = True
        self._number, self._turns = self._view.game_number, 0
        winner = self._winner()
        self._truth.won(winner)
        self._truth.begin(winner if winner and self._game.previous_winner_starts else Side.WHITE)
        self._fidgets = self._new_fidgets()
        self._hands.trace.forget()
        yield from self._arrange()
        yield from self._attention.try_again()

    def _winner(self) -> Side | None:
        """Who won the last game; None after a tie, and before the first."""
        position = self._truth.position
        # The play that ends a game may have counted by itself, before the hands were done.
        ends = [self._game.after(position, p) for p in self._truth.plays if self._truth.ends(p)]
        outcome = next(filter(None, map(self._game.outcome, (position, *ends))), None)
        resigned, self._resigned = self._resigned, None
        if resigned:
            return resigned.other
        return outcome.winner if outcome else None

    def _arrange(self) -> Script:
        """Bring the board to the accepted position."""
        yield from arrange(self._hands, self._truth.layout)

    def _opening(self) -> Script:
        thrown = self._view.thrown
        yield self._hands.between(400, 1500)
        yield from self._attention.press()
        yield from self._attention.repair(
            lambda: self._view.thrown != thrown or self._view.phase is not Phase.OPENING_THROW
        )
        if self._view.phase is not Phase.OPENING_THROW:
            self._opened()

    def _opened(self) -> None:
        """The dice have been compared: both see who begins."""
        if self._game.opening is Opening.HIGHER_ROLLS_AFRESH:
            self._truth.opened(self._view.to_act, None)
            return
        (white, one), (_, other) = self._view.thrown
        first = white if one > other else white.other
        both = self._game.opening is Opening.HIGHER_PLAYS_BOTH
        roll = Roll.of(one, other) if both else Roll.of(abs(one - other))
        self._truth.opened(first, roll)
        if (str(roll), first) != (self._view.roll, self._view.to_act):
            self._product.note(Count.WRONG, f"the opening throw {one} to {other} is misjudged")

    def _to_roll(self) -> Script:
        yield self._hands.between(400, 2500)
        if self._hands.happens(Noise.TAKEBACK):
            yield from self._take_back()
        elif self._chance(self._temper.resign):
            yield from self._resign()
        elif Act.DOUBLE in self._view.offers and self._chance(self._temper.double):
            yield from self._double()
        else:
            if self._hands.happens(Noise.MOVED_EARLY):
                yield from self._trials.before_roll()
            elif self._hands.happens(Noise.BEFORE_ROLL):
                yield from self._move_before_roll()
            if self._view.phase is Phase.TO_ROLL:
                yield from self._attention.press()
            yield from self._attention.repair(lambda: self._view.phase is not Phase.TO_ROLL)

    def _move_before_roll(self) -> Script:
        """Real dice are rolled and the whole turn is made before the dice are entered."""
        faces = (self._rng.randint(1, 6) for _ in range(self._game.dice))
        roll = Roll.of(*faces)
        self._truth.excused = True
        self._truth.rolled(roll)
        self._made = self._playing.choose()
        yield from self._playing.make(self._made)
        self._product.throw(roll)
        yield LOOK

    def _double_offered(self) -> Script:
        yield self._hands.between(300, 3000)
        take = self._chance(self._temper.take)
        if self._chance(self._temper.tap):
            self._product.tap(Act.TAKE if take else Act.PASS)
            yield LOOK
        else:
            yield from self._attention.press(Press.SHORT if take else Press.LONG)
        yield from self._attention.until(
            lambda: self._view.phase is not Phase.DOUBLE_OFFERED, ms(400)
        )

    def _resignation_offered(self) -> Script:
        yield self._hands.between(500, 3000)
        accept, loser = self._chance(self._temper.accept), self._view.to_act.other
        if self._chance(self._temper.tap):
            self._product.tap(Act.ACCEPT if accept else Act.REFUSE)
            yield LOOK
        else:
            yield from self._attention.press(Press.LONG if accept else Press.SHORT)
        yield from self._attention.until(
            lambda: self._view.phase is not Phase.RESIGNATION_OFFERED, ms(400)
        )
        self._resigned = loser if self._view.phase in OVER else None

    def _game_over(self) -> Script:
        yield self._hands.between(500, 3000)
        if self._hands.happens(Noise.TAKEBACK):
            yield from self._take_back()
            return
        self._expect_new_game()
        # The last play may just have counted by itself: then the first presses only show that.
        for _ in range(MOST_PRESSES):
            yield from self._attention.press()
            yield from self._attention.until(
                lambda: self._view.phase is not Phase.GAME_OVER, ms(1000)
            )
            if self._view.phase is not Phase.GAME_OVER:
                return
        raise GaveUpError("no press begins the next game")

    def _moving(self) -> Script:
        """One turn, from the roll to the accepted play."""
        self._truth.rolled(read_roll(self._view.roll or "", self._game.dice))
        self._figures.add(Count.TURNS)
        self._turns += 1
        if self._turns > MOST_TURNS:
            raise GaveUpError(f"the game has not ended after {MOST_TURNS} turns")
        self._attention.begin()
        yield from self._attention.try_again()
        self._truth.excused = self._truth.misled = False
        made, self._made = self._made, None
        if made is not None and made in self._truth.plays:
            self._truth.doing = made
            yield from self._finish(made)
            return
        yield self._hands.between(150, 2500)
        if self._hands.happens(Noise.TAKEBACK) and self._truth.last_real():
            yield from self._take_back()
            return
        before = self._truth.text
        if any(self._truth.ends(play) for play in self._truth.plays):
            # That play counts by itself after a while; a press then begins the next game.
            self._expect_new_game()
        if self._hands.happens(Noise.IDLE_PRESS):
            yield from self._trials.idle_press()
        if self._seconding.is_asked:
            yield from self._second(before)
            return
        self._fidgets.spared = ()
        fidgets = self._fidgets.of_turn(self._game.mover(self._truth.position))
        self._attention.odd = self._fidgets.odd
        if kind := self._hands.which(*ILLEGAL):
            yield from self._trials.attempt(kind, self._temper.tidy, self._number)
        else:
            yield from fidgets.get(Occasion.BEFORE, ())
            yield from self._playing.change_mind(self._temper.tidy)
        if self._truth.text != before or self._view.phase is not Phase.MOVING:
            return
        yield from self._play(fidgets)

    def _play(self, fidgets: Mapping[Occasion, Script]) -> Script:
        """Make a play and hand it over."""
        play = self._playing.choose()
        moves = self._game.moves(self._truth.position, play)
        self._truth.doing = play
        self._fidgets.spared = {spot for move in moves for spot in (move.origin, move.target)}
        if moves and self._hands.does(self._manners.corrects):
            yield from self._playing.correct(play)
        yield from self._playing.make(play, fidgets)
        if self._truth.lies and self._view.position == self._truth.text:
            self._truth.excused = False  # whatever was done before, a legal play lies there
        yield from fidgets.get(Occasion.AFTER, ())
        if self._hands.does(self._manners.begins_early):
            yield from self._begin_early(play)
        yield from self._finish(play)

    def _begin_early(self, play: Any) -> Script:
        """The opponent takes a checker of his before the play that is shown is handed over."""
        yield from self._attention.until(lambda: self._shows(play), ms(1000))
        opponent = self._game.mover(self._truth.position).other
        spots = [
            spot
            for spot in self._game.spots
            if self._hands.checkers.sensors_of(spot)
            and self._hands.checkers.at(spot)[-1:] == (opponent,)
            and spot not in self._fidgets.spared
        ]
        if spots and self._shows(play):
            self._attention.odd = True
            yield from self._hands.adjust(self._rng.choice(spots), self._press_under(play))

    def _press_under(self, play: Any) -> Script:
        """The mover presses while the opponent holds his checker: no warning is false then."""
        excused, before = self._truth.excused, self._truth.text
        self._truth.excused, self._attention.meant = True, False
        yield self._hands.between(200, 2500)
        if self._shows(play) and self._view.position == before:
            yield from self._attention.press()
        yield self._hands.between(100, 1500)
        self._truth.excused = excused or self._view.position != before

    def _second(self, before: str) -> Script:
        """The machine's play is made for it."""
        play = yield from self._seconding.choose()
        if self._truth.text != before or self._view.phase is not Phase.MOVING:
            return
        self._truth.doing = play
        yield from self._playing.make(play)
        yield from self._finish(play)

    def _finish(self, play: Any) -> Script:
        """Hand the turn over; afterwards every checker lies where it should."""
        yield from self._hand_over(play)
        if not self._is_new_game() and not self._truth.stands(self._truth.position):
            self._truth.excused = True
            yield from self._arrange()

    # Handing over

    def _hand_over(self, play: Any) -> Script:
        """Press until the play counts; look, and help, when it does not."""
        before = self._truth.text
        if not self._chance(self._temper.blind):
            yield from self._attention.until(lambda: self._shows(play), ms(400))
            if self._truth.astray and not self._shows(play):
                yield from self._playing.put(play)
        unseen = self._view.phase is Phase.MOVING and self._chance(self._temper.blind)
        if unseen and self._view.position != before:
            # An early press has counted already.
            yield from self._press_twice(play)
        elif self._shows(play) or unseen:
            yield from self._attention.press()
            if self._hands.happens(Noise.DOUBLE_PRESS):
                yield from self._press_twice(play)
        if self._truth.astray:
            yield from self._attention.until(lambda: self._view.position != before, ms(400))
            if self._view.position == before:
                yield from self._playing.put(play)
        yield from self._attention.repair(lambda: self._view.position != before, play=play)
        self._settle(play)

    def _shows(self, play: Any) -> bool:
        """Whether the screen shows this play, or that there is nothing to play."""
        view = self._view
        if not self._game.moves(self._truth.position, play):
            return view.board is BoardState.RESTING
        return view.board is BoardState.PLAYED and view.after == self._truth.after(play)

    def _settle(self, play: Any) -> None:
        """The product has accepted something: the play that was made, or one it looks like."""
        shown = self._view.position
        if shown != self._truth.after(play) and not (
            self._truth.ends(play) and self._is_new_game()
        ):
            alike = next((q for q in self._truth.plays if self._truth.after(q) == shown), None)
            if alike is not None:
                self._figures.add(Count.SLIPS)
                play = alike
        self._truth.played(play)
        if self._attention.helped == CORRECTED:
            self._truth.past.clear()  # a correction is no play, and nothing before it is taken back
        self._hands.trace.forget()
        self._figures.add(Count.PLAYS)
        if self._attention.helped is None:
            self._figures.add(Count.UNTAPPED)
        else:
            self._figures.help[self._attention.helped] += 1
        self._count_asking()
        if shown != self._truth.text and not self._is_new_game():
            # A second press has passed the turn of an opponent who could not move.
            self._truth.roll = Roll.of(1)
            self._truth.played(())

    def _count_asking(self) -> None:
        """Whether the play went without a question and with one press, and whether it could."""
        hand = self._attention
        if not hand.meant:
            return
        self._figures.add(Count.MEANT)
        if not hand.clear:
            self._figures.add(Count.UNCLEAR)
        if hand.odd:
            self._figures.add(Count.ODD)
        if hand.helped or hand.presses > 1:
            self._figures.add(Count.ASKED)
            if hand.odd:
                self._figures.add(Count.ODD_ASKED)
            if hand.clear:
                self._figures.add(Count.ASKED_CLEAR)

    def _press_twice(self, play: Any) -> Script:
        self._truth.excused, self._attention.meant = True, False
        after = self._game.after(self._truth.position, play)
        if not self._truth.ends(play):
            passed = self._game.with_mover(after, self._game.mover(self._truth.position))
            self._truth.others |= {self._game.write_position(passed)}
        yield from self._attention.press()

    # Other acts

    def _double(self) -> Script:
        self._figures.add(Count.DOUBLES)
        if self._chance(self._temper.tap):
            self._product.tap(Act.DOUBLE)
            yield LOOK
        else:
            yield from self._attention.press(Press.LONG)
        yield from self._attention.until(lambda: self._view.phase is Phase.DOUBLE_OFFERED, ms(400))

    def _resign(self) -> Script:
        self._figures.add(Count.RESIGNED)
        loser = self._view.to_act
        self._product.tap(Act.RESIGN, points=self._rng.choice([*self._view.resignations]))
        yield LOOK
        if self._view.phase in OVER:
            self._resigned = loser  # the machine has accepted at once

    def _take_back(self) -> Script:
        """Tap and put the checkers back, or the other way round."""
        last = self._truth.last_real()
        if last is None or Act.TAKE_BACK not in self._view.offers:
            return
        self._figures.add(Count.TAKEBACKS)
        self._truth.excused = True
        back = self._truth.layout_of(last.position)
        if self._chance(0.5) and self._view.phase is not Phase.GAME_OVER:
            yield from arrange(self._hands, back)
            yield from self._attention.until(lambda: self._view.earlier is not None, ms(2500))
        yield self._hands.between(500, 1500)  # a second tap at once would be taken for a slip
        if not self._is_asked_about(last):
            # The screen asks about another turn: nobody says yes to that.
            yield from arrange(self._hands, self._truth.layout)
            self._truth.excused = False
            return
        self._truth.others |= {self._game.write_position(last.position)}
        self._product.tap(Act.TAKE_BACK)
        self._resigned = None
        yield LOOK
        self._truth.took_back()
        self._hands.trace.forget()
        if (self._view.position, self._view.roll or "") != (
            self._truth.text,
            str(self._truth.roll),
        ):
            self._product.note(Count.WRONG, f"taken back to {self._view.position}")
        yield from arrange(self._hands, back)
        yield from self._attention.look(lambda: self._view.board is BoardState.RESTING)
        self._hands.trace.forget()
        self._truth.excused = False

    def _is_asked_about(self, last: TrueTurn) -> bool:
        """Whether a tap on Undo asks about this turn."""
        view, past = self._view, self._truth.past
        if view.back_to is None or view.position != self._truth.text:
            return False
        return past[-view.back_to.plays :][:1] == [last]

    def _expect_new_game(self) -> None:
        self._truth.others |= self._truth.starts

    def _is_new_game(self) -> bool:
        return self._view.game_number != self._number

    def _chance(self, share: float) -> bool:
        return self._rng.random() < share


_THE_MACHINES = (
    Phase.OPENING_THROW,
    Phase.TO_ROLL,
    Phase.DOUBLE_OFFERED,
    Phase.RESIGNATION_OFFERED,
)
"""The engine's acts that need no hands."""
_PHASES: Mapping[Phase, Callable[[People], Generator[Us, None, None]]] = {
    Phase.SET_UP: People._set_up,
    Phase.OPENING_THROW: People._opening,
    Phase.TO_ROLL: People._to_roll,
    Phase.DOUBLE_OFFERED: People._double_offered,
    Phase.RESIGNATION_OFFERED: People._resignation_offered,
    Phase.MOVING: People._moving,
    Phase.GAME_OVER: People._game_over,
}
