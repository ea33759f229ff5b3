"""What to say when one view follows another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.match.turns import OVER, Phase
from pi_app.referee.speech import (
    DISTURBED,
    NOTHING_GOES_TO,
    TAKE_IT_OFF,
    comes_first,
    home_of,
    lifts_others,
    name_game,
    next_game,
    say_spot,
    say_where,
)
from pi_app.referee.view import TourStep, View
from pi_app.rules.naming import name_roll
from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.speech.utterance import SUBJECTS_OF, Detail, Subject, Utterance
from pi_app.words.sentences import COMMAS, Listing, Said, Sentence, paragraph


class Address(Enum):
    """What players are called."""

    NAMES = "names"
    COLOURS = "colours"
    YOU = "you"
    """A human who plays against Spotter or another board is "you"."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How much is said, and what the players are called."""

    detail: Detail = Detail.OFF
    names: Address = Address.NAMES

    def wants(self, utterance: Utterance) -> bool:
        return utterance.subject in SUBJECTS_OF[self.detail]


@dataclass(frozen=True, slots=True)
class SpokenView:
    """Parts of a view in spoken words."""

    view: View
    manner: Manner

    def who(self, side: Side) -> str:
        """What a side is called."""
        view = self.view
        if self.manner.names is Address.COLOURS:
            return view.side_name(side)
        if self.manner.names is Address.YOU and view.machine:
            return OPPONENT() if view.machine.side is side else YOU()
        return view.player(side)

    def checker_of(self, side: Side) -> str:
        """ "Ada's checker"."""
        view = self.view
        if self.manner.names is Address.YOU and view.machine:
            return OPPONENTS_CHECKER() if view.machine.side is side else YOUR_CHECKER()
        return CHECKER_OF(player=self.who(side))

    @property
    def actor(self) -> str:
        """The name of the side to act."""
        return self.who(self.view.to_act)

    def score(self) -> str:
        white, black = (SCORED(player=self.who(s), n=self.view.score[s]) for s in Side)
        score = SCORES(white=white, black=black)
        target = self.view.match_to
        return DONE(what=score if target is None else SCORES_TO(score=score, target=target))

    def machines_play(self) -> Utterance:
        """The machine's play, to be made on the board."""
        view, play = self.view, self.view.chosen or ""
        if self.manner.names is Address.YOU and view.machine and view.machine.side is view.to_act:
            return Utterance(PLAY_FOR_OPPONENT(play=play), Subject.MACHINE)
        return Utterance(PLAY_FOR(player=self.actor, play=play), Subject.MACHINE)

    def tour(self) -> Utterance:
        """What the tour asks for."""
        view, hint = self.view, self.view.hint
        if view.tour is TourStep.SET_UP:
            hint = self.step()
        return Utterance(paragraph(DONE(what=view.message), hint), Subject.TOUR)

    def warning(self) -> str:
        """The broken rule, then the way back."""
        view = self.view
        if view.board is BoardState.DISTURBED or view.reason is None:
            return paragraph(DONE(what=view.note or DISTURBED()), self.step())
        return paragraph(DONE(what=view.brief or view.reason), *self._way_back())

    def _way_back(self) -> tuple[str, ...]:
        view = self.view
        if not view.moves or (len(view.moves) > 1 and not view.fine):
            return (self.step(),)
        move = view.moves[-1]
        stack = view.accepted.get(move.target, ())
        hit = ""
        if move.hit and stack:
            checker = self.checker_of(stack[-1])
            hit = ALSO_BACK(checker=checker, target=self._to(move.target))
        if move.origin.kind is SpotKind.OFF:
            return TAKE_IT_OFF(spot=say_spot(view, move.target)), hit
        if move.origin.kind is SpotKind.POINT and view.counting is None:
            return BACK_TO_SPOT(spot=say_spot(view, move.origin)), hit
        return BACK(target=self._to(move.origin)), hit

    def step(self) -> str:
        """One step of correcting the board. Clearing comes first, so that no checker is
        in the way."""
        view = self.view
        if view.clear:
            return self._clear(view.clear[0])
        if not view.fill:
            return ""
        spot = view.fill[0]
        missing, stack = view.fill.count(spot), view.accepted.get(spot, ())
        side = stack[-1] if stack else view.to_act
        put = PUT_MORE if missing < len(stack) else PUT
        return put(player=self.who(side), n=missing, where=say_where(view, spot))

    def _clear(self, spot: Spot) -> str:
        """Lift what is too much there; a checker that was hit or has the wrong side goes too."""
        view, place = self.view, self._place(spot)
        struck = any(move.hit and move.target == spot for move in view.moves)
        if view.accepted.get(spot) and not struck and spot not in view.fill:
            return LIFT(n=view.clear.count(spot), origin=self._from(spot))
        return CLEAR_POINT(point=place) if spot.number else CLEAR(spot=place)

    def point(self, spot: Spot) -> str:
        """What stands on one spot: "on 13: Ada, 5"."""
        stack, where = self.view.standing.get(spot, ()), say_where(self.view, spot)
        if not stack:
            return EMPTY(where=where)
        own = stack.count(stack[-1])
        sentence = ON_TOP if own < len(stack) else LIES_ON
        return sentence(where=where, count=own, player=self.who(stack[-1]))

    def victim(self) -> str:
        """Where the hit checker in the hand must go."""
        view, checker = self.view, self.checker_of(self.view.to_act.other)
        home = home_of(view, view.victims[0])
        if home.kind is SpotKind.OFF:
            return GOES_OFF(checker=checker)
        return GOES(checker=checker, target=self._to(home))

    def barred(self) -> str:
        """Lifted checkers that may not move: the other side's, some before the roll, or some
        without a legal move."""
        view = self.view
        if lifts_others(view):
            others = THATS(checker=self.checker_of(view.to_act.other))
            targets = tuple(map(self._to, dict.fromkeys(view.barred)))
            return paragraph(others, BACK(target=Listing(targets, COMMAS)))
        if view.phase is not Phase.MOVING or view.thinking:
            return DONE(what=comes_first(view.phase, self.actor))
        return NO_MOVE_FROM(origins=self.origins(view.barred))

    def origins(self, spots: tuple[Spot, ...]) -> Listing:
        """ "from 13, from the bar"."""
        return Listing(tuple(map(self._from, dict.fromkeys(spots))), COMMAS)

    def _from(self, spot: Spot) -> Said:
        return FROM[spot.kind]() if spot.kind in FROM else FROM_SPOT(spot=say_spot(self.view, spot))

    def _to(self, spot: Spot) -> Said:
        return TO[spot.kind]() if spot.kind in TO else TO_SPOT(spot=say_spot(self.view, spot))

    def _place(self, spot: Spot) -> str:
        name = say_spot(self.view, spot)
        return OF_PLAYER(player=self.who(spot.side), spot=name) if spot.side else name


@dataclass(frozen=True, slots=True)
class ViewChange:
    """Two successive views of a match. What depends on time alone is in `Commentary`."""

    was: View
    now: View
    manner: Manner

    def utterances(self) -> tuple[Utterance, ...]:
        """What has happened, in the order in which it is said."""
        parts = (
            self._undone(),
            self._played(),
            self._doubled(),
            self._ended(),
            self._begun(),
            self._guided(),
            self._thrown(),
            self._rolled(),
            self._chosen(),
            self._turned(),
            self._asked(),
            self._cautioned(),
            self._warned(),
            self._handled(),
            self._failed(),
            self._led(),
        )
        return tuple(one for part in parts for one in part if self.manner.wants(one))

    @property
    def _words(self) -> SpokenView:
        return SpokenView(self.now, self.manner)

    def _came(self, *phases: Phase) -> bool:
        """Whether the match has just come to one of these phases."""
        return self.now.phase in phases and self.was.phase not in phases

    def _undone(self) -> Iterator[Utterance]:
        if self.now.note and self.now.note != self.was.note:
            yield Utterance(DONE(what=self.now.note), Subject.PLAY)

    def _played(self) -> Iterator[Utterance]:
        """The accepted play, without a name, so that it does not sound like a roll.

        The machine's was said before it was made.
        """
        was, now, last = self.was, self.now, self.now.last_play
        side, play = (last.side, last.play) if last else (was.to_act, "")
        if self._came(*OVER) and was.phase is Phase.MOVING and was.play:
            side, play = was.to_act, was.play
        elif last == was.last_play or now.note:
            return
        machines = now.machine is not None and now.machine.side is side and was.chosen == play
        if play and not machines:
            yield Utterance(DONE(what=play), Subject.PLAY)

    def _thrown(self) -> Iterator[Utterance]:
        """The opening roll, die by die, and who begins."""
        for side, die in self.now.thrown[len(self.was.thrown) :]:
            rolled = ROLLED(player=self._words.who(side), roll=str(die))
            yield Utterance(rolled, Subject.ROLL)
        begins = self._came(Phase.TO_ROLL, Phase.MOVING)
        if begins and self.was.phase is Phase.OPENING_THROW:
            yield Utterance(STARTS(player=self._words.actor), Subject.ROLL)

    def _rolled(self) -> Iterator[Utterance]:
        """The roll, and whether nothing can move. The machine's comes with its play."""
        was, now, actor = self.was, self.now, self._words.actor
        if now.phase is not Phase.MOVING:
            return
        rolled = was.phase is not Phase.MOVING or _turn(was) != _turn(now)
        if rolled and now.roll:
            yield Utterance(ROLLED(player=actor, roll=name_roll(now.roll)), Subject.ROLL)
        stuck = not now.moves_exist and not now.thinking
        if stuck and (rolled or was.thinking):
            yield Utterance(NO_MOVE(player=actor), Subject.NO_MOVE)

    def _chosen(self) -> Iterator[Utterance]:
        """The machine's play, before somebody makes it."""
        was, now = self.was, self.now
        comes = (now.chosen, _turn(now)) != (was.chosen, _turn(was))
        if now.to_make and comes and not now.tour:
            yield self._words.machines_play()

    def _turned(self) -> Iterator[Utterance]:
        """Whose turn it is, if no roll says so."""
        was, now, actor = self.was, self.now, self._words.actor
        if (was.phase, *_turn(was)) == (now.phase, *_turn(now)):
            return
        throws = now.phase is Phase.OPENING_THROW and len(now.thrown) != 1
        if now.phase is Phase.TO_ROLL or throws:
            yield Utterance(TO_ROLL(player=actor), Subject.TURN)
        elif now.phase is Phase.MOVING and now.roll is None:
            yield Utterance(TO_MOVE(player=actor), Subject.TURN)

    def _doubled(self) -> Iterator[Utterance]:
        """A double, or a resignation on offer."""
        was, now, words = self.was, self.now, self._words
        asked, other = words.who(was.to_act), words.who(now.to_act.other)
        if self._came(Phase.DOUBLE_OFFERED) or now.beavered > was.beavered:
            doubles = BEAVERS if now.beavered else DOUBLES
            yield Utterance(doubles(player=other, stake=now.cube.value * 2), Subject.CUBE)
            answers = TAKE_BEAVER_OR_PASS if Act.BEAVER in now.offers else TAKE_OR_PASS
            yield Utterance(answers(player=words.actor), Subject.QUESTION)
        elif now.declining > was.declining:
            yield Utterance(BEAVER_OR_PASS(player=words.actor), Subject.QUESTION)
        elif self._came(Phase.RESIGNATION_OFFERED) and now.resignation:
            yield Utterance(RESIGNS(player=other, n=now.resignation.points), Subject.CUBE)
            yield Utterance(ACCEPT_OR_REFUSE(player=words.actor), Subject.QUESTION)
        elif was.phase is Phase.DOUBLE_OFFERED and now.phase is not was.phase:
            answer = TAKES if now.cube.value > was.cube.value else PASSES
            yield Utterance(answer(player=asked), Subject.CUBE)
        elif was.phase is Phase.RESIGNATION_OFFERED and now.phase not in (was.phase, *OVER):
            yield Utterance(PLAYS_ON(player=asked), Subject.CUBE)

    def _ended(self) -> Iterator[Utterance]:
        now, words = self.now, self._words
        if not self._came(*OVER):
            return
        yield Utterance(DONE(what=now.last_result or GAME_OVER()), Subject.END)
        yield Utterance(words.score(), Subject.END)
        if now.phase is Phase.MATCH_OVER:
            winner = Side.WHITE if now.score.white > now.score.black else Side.BLACK
            yield Utterance(WINS_MATCH(player=words.who(winner)), Subject.END)
        else:
            said = next_game(now) if now.coming else PRESS_FOR_NEXT()
            yield Utterance(said, Subject.TURN)

    def _begun(self) -> Iterator[Utterance]:
        if self.now.game_number != self.was.game_number and self.now.crawford:
            yield Utterance(CRAWFORD(), Subject.END)
        if self._came(Phase.SET_UP):
            yield Utterance(self._to_set_up(), Subject.SETTING_UP)

    def _to_set_up(self) -> Said:
        now = self.now
        if now.in_series is None:
            return SET_UP(number=now.game_number)
        return SET_UP_PLACE(game=name_game(now.title, now.in_series))

    def _asked(self) -> Iterator[Utterance]:
        """The question which of several plays it was."""
        choices = self.now.choices
        if self.now.board is not BoardState.CHOOSE or choices == self.was.choices:
            return
        if not self.now.moves_exist:
            yield Utterance(DID_ONE_ENTER(), Subject.QUESTION)
        elif len(choices) == 1:
            yield Utterance(WAS_IT(play=choices[0]), Subject.QUESTION)
        else:
            yield Utterance(WAS_IT_THIS(play=choices[0], count=len(choices)), Subject.QUESTION)

    def _cautioned(self) -> Iterator[Utterance]:
        now = self.now
        if now.caution is not None and now.caution != self.was.caution:
            said = paragraph(DONE(what=now.message), now.hint)
            yield Utterance(said, Subject.QUESTION)

    def _warned(self) -> Iterator[Utterance]:
        """What is illegal and the way back; again only after the board has changed."""
        now = self.now
        if now.phase is Phase.SET_UP or now.board not in ALARMS or now.guiding:
            return
        if _fault(now) != _fault(self.was):
            yield Utterance(self._words.warning(), Subject.WARNING)

    def _guided(self) -> Iterator[Utterance]:
        """Setting up and correcting, one step at a time."""
        was, now = self.was, self.now
        step = self._words.step() if _leads(now) else ""
        if step and not (_leads(was) and (was.fill, was.clear) == (now.fill, now.clear)):
            yield Utterance(step, Subject.SETTING_UP)
        elif _leads(was) and not _leads(now) and now.board not in ALARMS:
            yield Utterance(BOARD_IS_RIGHT(), Subject.SETTING_UP)

    def _handled(self) -> Iterator[Utterance]:
        """Lifted checkers, and illegal ones before the warning.

        Before the roll, a checker that is lifted and put back makes Spotter say what stands on its
        point.
        """
        was, now, words = self.was, self.now, self._words
        lifted = tuple(spot for spot in now.lifted if spot not in was.lifted)
        said = ""
        if now.board is not BoardState.IN_HAND:
            back = was.board is BoardState.IN_HAND and now.board is BoardState.RESTING
            if back and now.phase is Phase.TO_ROLL and was.lifted and was.position == now.position:
                said = words.point(was.lifted[-1])
        elif now.stray and now.stray != was.stray:
            stray = tuple(say_spot(now, spot) for spot in dict.fromkeys(now.stray))
            said = DONE(what=NOTHING_GOES_TO(spots=Listing(stray, COMMAS)))
        elif now.barred and now.barred != was.barred:
            said = words.barred()
        elif now.victims and now.victims != was.victims:
            said = words.victim()
        elif lifted:
            said = LIFTED(origins=words.origins(lifted))
        if said:
            yield Utterance(said, Subject.HAND)

    def _failed(self) -> Iterator[Utterance]:
        """A sensor that has just become a suspect, or was turned off."""
        for sensor in self.now.sensors_off:
            if sensor not in self.was.sensors_off:
                yield Utterance(SENSOR_OFF(sensor=sensor), Subject.TROUBLE)
        for sensor in self.now.suspects:
            if sensor not in self.was.suspects:
                yield Utterance(SENSOR_DOUBTED(sensor=sensor), Subject.TROUBLE)

    def _led(self) -> Iterator[Utterance]:
        """The next step of the tour; if it has no words of its own, the match's."""
        was, now = self.was, self.now
        if now.tour in (None, TourStep.HANDS):
            return
        changed = now.tour is not TourStep.SET_UP and now.message != was.message
        if changed or now.tour is not was.tour or now.to_act is not was.to_act:
            yield self._words.tour()


def _turn(view: View) -> tuple[object, ...]:
    return view.game_number, view.to_act, view.roll, view.position


def _fault(view: View) -> tuple[object, ...]:
    return view.board, view.reason, view.moves, view.fill, view.clear


def _leads(view: View) -> bool:
    """Whether players are being led step by step."""
    return view.phase is Phase.SET_UP or view.guiding


# Clocks

SAID_AT: tuple[tuple[Us, Sentence], ...] = (
    (ms(60_000), Sentence("One minute, {player}.")),
    (ms(10_000), Sentence("Ten seconds, {player}.")),
    (Us(0), Sentence("Flag, {player}.")),
)
"""The times left at which a clock is mentioned."""


def clock_passed(view: View, before: Us, now: Us, manner: Manner) -> Iterator[Utterance]:
    """Yield a clock that has just passed one of these times, or fallen."""
    if view.clock is None or view.clock.holder is None:
        return
    hand = view.clock[view.clock.holder]
    left, until = hand.left_at(before), hand.left_at(now)
    for at, sentence in SAID_AT:
        if until <= at < left:
            who = SpokenView(view, manner).who(view.clock.holder)
            yield Utterance(sentence(player=who), Subject.CLOCK)


# Sentences

YOU, OPPONENT = Sentence("you"), Sentence("opponent")
DONE = Sentence("{what}.")
ROLLED = Sentence("{player}: {roll}.")
STARTS = Sentence("{player} to start.")
PLAY_FOR = Sentence("Move for {player}: {play}.")
PLAY_FOR_OPPONENT = Sentence("Move for the opponent: {play}.")
NO_MOVE = Sentence("{player}: no move.")
TO_ROLL = Sentence("{player} to roll.")
TO_MOVE = Sentence("{player} to move.")
DOUBLES = Sentence("{player}: doubled to {stake}.")
BEAVERS = Sentence("{player}: beaver to {stake}.")
TAKE_OR_PASS = Sentence("{player}: press to take, hold to pass.")
TAKE_BEAVER_OR_PASS = Sentence("{player}: press to take, hold to beaver or pass.")
BEAVER_OR_PASS = Sentence("{player}: press to beaver, hold to pass.")
TAKES, PASSES = Sentence("{player}: taken."), Sentence("{player}: passed.")
RESIGNS = Sentence("{player} offers to resign, 1 point.", "{player} offers to resign, {n} points.")
ACCEPT_OR_REFUSE = Sentence("{player}: hold to accept, press to play on.")
PLAYS_ON = Sentence("{player}: resignation refused.")
GAME_OVER = Sentence("Game over")
SCORED = Sentence("{player} {n}")
SCORES = Sentence("{white}, {black}")
SCORES_TO = Sentence("{score}, to {target}")
WINS_MATCH = Sentence("The match goes to {player}.")
PRESS_FOR_NEXT = Sentence("Press for the next game.")
CRAWFORD = Sentence("Crawford game.")
SET_UP = Sentence("Set up game {number}.")
SET_UP_PLACE = Sentence("{game}. Set up the board.")
DID_ONE_ENTER = Sentence("Did a checker enter? Press for no.")
WAS_IT = Sentence("Was it {play}? Press for yes.")
WAS_IT_THIS = Sentence("Was it {play}? Hold for yes, press for another; {count} are possible.")
YOUR_CHECKER, OPPONENTS_CHECKER = Sentence("your checker"), Sentence("the opponent's checker")
CHECKER_OF = Sentence("{player}'s checker")
THATS = Sentence("That is {checker}.")
GOES = Sentence("{checker} goes {target}.")
GOES_OFF = Sentence("{checker} goes off the board.")
BACK, BACK_TO_SPOT = Sentence("Back {target}."), Sentence("Back to spot {spot}.")
ALSO_BACK = Sentence("{checker} back {target}.")
FROM_SPOT, TO_SPOT = Sentence("from {spot}"), Sentence("to {spot}")
FROM: Mapping[SpotKind, Sentence] = {
    SpotKind.BAR: Sentence("from the bar"),
    SpotKind.HOME: Sentence("from home"),
}
TO: Mapping[SpotKind, Sentence] = {
    SpotKind.BAR: Sentence("to the bar"),
    SpotKind.HOME: Sentence("to its home"),
}
"""Spots that stand in a sentence without their name on the board."""
NO_MOVE_FROM = Sentence("No legal move {origins}.")
CLEAR, CLEAR_POINT = Sentence("Clear {spot}."), Sentence("Clear {point}.")
LIFT = Sentence("Lift 1 {origin}.", "Lift {n} {origin}.")
PUT = Sentence("{player}: 1 checker {where}.", "{player}: {n} checkers {where}.")
PUT_MORE = Sentence("{player}: 1 more {where}.", "{player}: {n} more {where}.")
OF_PLAYER = Sentence("{player}, {spot}")
BOARD_IS_RIGHT = Sentence("The board is right.")
LIFTED = Sentence("Lifted {origins}.")
EMPTY = Sentence("{where}: nothing.")
LIES_ON = Sentence("{where}: {player}, {count}.")
ON_TOP = Sentence("{where}: {player}, {count}, pinning.")
SENSOR_OFF = Sentence("Ignoring sensor {sensor}.")
SENSOR_DOUBTED = Sentence("Sensor {sensor} may be faulty.")
