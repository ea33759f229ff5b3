"""A match in progress: what was agreed, the table, the turn, the clocks, and every act.

An act goes through the table of phases, is stored as a decision and, if it moves checkers, tells
the sensing what to expect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.match.acts import OF_ONE_SIDE, Act
from pi_app.match.terms import MatchTerms, PlayPolicy
from pi_app.match.turns import ANSWERS, IN_PLAY, OVER, Phase, State, Turns, knows
from pi_app.referee.decision import Decision, stated
from pi_app.referee.effects import AskRoll, Cue, Effect, Keep, Propose, ReadLevels, Sound
from pi_app.referee.events import MachineSeat, Rolled, RollSource, Start, far_seat
from pi_app.referee.history import Accepted, EarlierPositions, History
from pi_app.referee.options import Options
from pi_app.referee.speech import INTERRUPTED, OVERTIME, RESTORED, TAKEN_BACK
from pi_app.referee.timing import MatchTime
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.legal import Legal
from pi_app.sensing.levels import PlaceLevels
from pi_app.sensing.reading import ALARMS, BoardState, Reading
from pi_app.sensing.senses import Senses
from pi_app.words.sentences import Said

ASKED = (BoardState.CHOOSE, *ALARMS)
"""If a play is accepted while the board shows one of these, a player insisted on it."""
ORDERED_WITHIN = ms(200)
"""A question keeps its order after this time, because players may be about to answer it."""


@dataclass(frozen=True)
class Agreed:
    """What the players agreed on, from the start event."""

    start: Start
    options: Options
    turns: Turns
    """Those of the game that is being played."""

    @property
    def game(self) -> AnyGame:
        return self.turns.game

    @cached_property
    def players(self) -> tuple[str, str]:
        """Both names; an unnamed player is called by its side, in every language."""
        return name_players(self.start.players, self.game.side_names)

    def player(self, side: Side) -> str:
        return self.players[side is Side.BLACK]

    @property
    def terms(self) -> MatchTerms:
        return self.options.terms

    @property
    def seat(self) -> MachineSeat | None:
        """The side that is not played at this board, by the machine or on another board; None if
        both are."""
        return self.options.machine

    @property
    def machine(self) -> Side | None:
        return self.seat.side if self.seat else None

    @property
    def far(self) -> bool:
        """Whether one side is played on another board."""
        return far_seat(self.seat) is not None


class Table:
    """The accepted position, the plays before it, and what hands have done since.

    While `guiding`, players are being led back to the accepted position.
    """

    def __init__(self, board: Board, agreed: Agreed, history: History) -> None:
        self.spot_of = board.spot_of
        self.accepted = Accepted(agreed.turns, history, agreed.players)
        patience = agreed.options.patience
        self.hands = Senses(board, agreed.game, patience, history.state.position)
        self.earlier = EarlierPositions()
        self.follow_plays()
        self.guiding = self.is_set_up = False

    @property
    def game(self) -> AnyGame:
        return self.accepted.turns.game

    @property
    def state(self) -> State:
        return self.accepted.history.state

    @property
    def reading(self) -> Reading:
        return self.hands.reading

    @property
    def legal(self) -> Legal:
        return self.hands.legal

    @property
    def board(self) -> BoardState:
        """What the board shows; it is judged only while a game is in play."""
        if self.state.phase is Phase.SET_UP:
            return BoardState.RESTING if self.is_set_up else BoardState.IN_HAND
        return self.reading.state if self.state.phase in IN_PLAY else BoardState.RESTING

    @property
    def undone(self) -> int | None:
        """The number of the latest play that the board shows undone while it is wrong."""
        return self.earlier.latest(self.hands.seen) if self.board in ALARMS else None

    @property
    def take_back_to(self) -> int | None:
        """The number of the play that an undo would remove: the one that the board shows undone, or
        the last."""
        undone = self.undone
        return self.accepted.last_moved if undone is None else undone

    def look(self) -> bool:
        """Check whether no sensor contradicts the accepted position."""
        self.is_set_up = not self.hands.misfits(self.state.position)
        return self.is_set_up

    def follow_plays(self) -> None:
        for made in self.accepted.history.plays[len(self.earlier) :]:
            self.earlier.add(made, self.hands.shown(made.state.position))


@dataclass(slots=True)
class Turn:
    """What happened since the last act; each act resets it.

    `note` is shown to the players once. `unhit`: an undo took back hits. `answered` is the play
    that a player chose when asked. `touched` are the sensors that have changed, however briefly.
    `unclear`: the sensors cannot tell which play was handed over. The machine `held` if it did not
    want to double, and is `silent` if it does not answer. `warned` counts warnings. The tutor's
    `caution` applies to the plays that the board showed then. `declining`: the doubled player held
    the button and is asked whether to pass or to beaver.
    """

    note: str | None = None
    unhit: bool = False
    answered: Any = None
    touched: set[Sensor] = field(default_factory=set)
    unclear: bool = False
    awaiting_roll: bool = False
    held: bool = False
    silent: bool = False
    counted_at: Us | None = None
    gone_back_at: Us | None = None
    warned: int = 0
    caution: float | None = None
    cautioned: tuple[Any, ...] = ()
    cautioned_at: Us | None = None
    declining: bool = False


class LiveMatch:
    """A match under way: every act, with what was agreed, the table, the turn and the clocks.

    The owner sets `now`, which never goes back, and takes the `effects`. While the machine is
    `choosing`, nothing may move. `asked_at` is when players were last warned or asked.
    """

    def __init__(self, board: Board, agreed: Agreed, history: History) -> None:
        self.agreed, self.table = agreed, Table(board, agreed, history)
        self.far, self.hands = agreed.far, self.table.hands
        # What hands did while Spotter was off is unknown.
        self.turn = Turn(touched=set(board.sensors) if history.us else set())
        self.now = self.asked_at = max(agreed.start.us, history.us)
        self.time = MatchTime(agreed.options.control, self.now, history.clocks)
        self.effects: list[Effect] = []
        self.choosing = self._is_choosing()
        shown = (self.state.position, *self._offer) if self.state.phase in IN_PLAY else None
        self.hands.resume(self.now, history.off, shown)
        self.table.look()

    @property
    def history(self) -> History:
        return self.table.accepted.history

    @property
    def state(self) -> State:
        return self.table.state

    # What others ask of a match

    @property
    def game(self) -> AnyGame:
        return self.agreed.game

    @property
    def reading(self) -> Reading:
        return self.hands.reading

    @property
    def board(self) -> BoardState:
        """What the board shows; see `Table`."""
        return self.table.board

    @property
    def machines_turn(self) -> bool:
        """Whether the side to act is not played at this board."""
        return self.state.to_act is self.agreed.machine

    @property
    def dice(self) -> int:
        """How many dice the side to act rolls now; 0 if it rolls none."""
        return self.agreed.turns.dice(self.state)

    @property
    def resignations(self) -> Mapping[int, Said]:
        """What the side to act may offer: the name of each loss by its points before the cube."""
        return self.agreed.turns.resignations(self.state)

    @property
    def discreet(self) -> bool:
        """Whether nothing may tell the players what is legal, under responsible moves during a
        turn."""
        responsible = self.agreed.terms.policy is PlayPolicy.RESPONSIBLE
        return responsible and self.state.phase is Phase.MOVING

    @property
    def confidence(self) -> float | None:
        """The probability that the play on the board was made; None if a player confirmed it."""
        if self.board is not BoardState.PLAYED or self.turn.answered is not None:
            return None
        sure = self.reading.confidence
        return None if sure is None else stated(sure)

    def knows(self, act: Act) -> bool:
        return knows(self.state.phase, act)

    def may_double(self, state: State | None = None) -> bool:
        """Whether the side to act may double, now or in this state, if the phase allows it.

        A player who has seen his dice may not: they were rolled before an undo, or mistyped.
        """
        history = replace(self.history, state=state or self.state)
        may = self.agreed.turns.may_double(history.state, history.state.to_act)
        return may and not history.too_late

    # The machine

    @property
    def only_its_own(self) -> bool:
        """Whether only the engine can act: it must answer, or decide whether to double."""
        if not self.machines_turn or self.turn.silent:
            return False
        if self.far:
            return self.state.phase in (*ANSWERS, Phase.TO_ROLL, Phase.OPENING_THROW)
        thinks_of_cube = self.state.phase is Phase.TO_ROLL and not self.turn.held
        return self.state.phase in ANSWERS or (thinks_of_cube and self.may_double())

    def choose_for_machine(self, play: Any) -> None:
        """Take the machine's choice; no other play is legal in its turn."""
        state = self.state
        written = self.game.write_play(state.position, play)
        self._keep(Act.CHOSEN, state, play, play=written, by=state.to_act)
        self.hands.offer_roll(*self._offer)
        self.judge()

    def do_without_machine(self) -> None:
        """The engine does not answer: players act for it until the next decision."""
        self.turn.silent, self.choosing = True, False
        if self.state.phase is Phase.MOVING:
            self.hands.offer_roll(*self._offer)
            self.judge()

    def _is_choosing(self) -> bool:
        """Whether the engine must move and has not chosen its play yet."""
        state = self.state
        its_turn = state.phase is Phase.MOVING and self.machines_turn
        if (
            not its_turn
            or self.turn.silent
            or self.history.chosen is not None
            or state.roll is None
        ):
            return False
        game = self.game
        plays = game.plays(state.position, state.roll)
        return self.far or any(game.moves(state.position, play) for play in plays)

    @property
    def _offer(self) -> tuple[Roll | None, Any]:
        """Return the roll to be played, and the one play allowed with it if it is
        already decided."""
        return None if self.choosing else self.state.roll, self.history.chosen

    # Looking at the board

    def judge(self, hurry: bool = False) -> None:
        """Update the reading, with the sounds that follow and the end of the set-up."""
        if self.state.phase is Phase.SET_UP and self.table.look():
            self._begin()
        if self.state.phase not in IN_PLAY:
            return  # what hands do before and after a game is no play
        before = self.reading.state
        after = self.hands.judge(self.now, hurry).state
        self._count_warning(before)
        if after is BoardState.RESTING:
            self.table.guiding = False
        if self.reading.plays != self.turn.cautioned:
            self.turn.caution = None
        if after is not before:
            self.turn.unclear = False
        if after is not BoardState.PLAYED or self.reading.plays != (self.turn.answered,):
            self.turn.answered = None
        if after is not before:
            self._announce(after)

    def _announce(self, state: BoardState) -> None:
        """React to the board's new state."""
        if state is BoardState.CHOOSE:
            self.asked_at = self.now
            self._read_levels()
        elif state is BoardState.PLAYED and not self.discreet:
            self.sound(Cue.LEGAL)
        elif state is BoardState.DISTURBED or (state in ALARMS and not self.discreet):
            self.sound(Cue.WRONG)

    def _begin(self) -> None:
        """Begin the game from the position that was set up."""
        self.hands.compare(self.state.position)
        self.act(Act.BOARD_SET)
        self._lead()

    def rests(self) -> bool:
        """Whether the board shows the accepted position; if not, warn."""
        self.judge(hurry=True)
        if self.reading.state is BoardState.RESTING:
            return True
        self.warn()
        return False

    def warn(self) -> bool:
        """The player insists. Return whether there is something to warn or ask about."""
        before = self.reading.state
        is_wrong = self.hands.insist(self.now).state is not BoardState.RESTING
        self._count_warning(before)
        self.asked_at = self.now
        if self.reading.state is BoardState.CHOOSE is not before:
            self._read_levels()
        if is_wrong and not self.discreet:
            self.sound(Cue.WRONG)
        return is_wrong

    def _read_levels(self) -> None:
        """Ask for the levels where a checker may lie that no sensor counts: when a turn begins, and
        again when players are asked which play it was."""
        if self.hands.full_spots:
            self.effects.append(ReadLevels(self.hands.full_spots))

    def take_levels(self, levels: PlaceLevels) -> None:
        """Take the levels. They may change with which play a question begins, and nothing else."""
        if self.reading.state is BoardState.CHOOSE:
            if self.now - self.asked_at > ORDERED_WITHIN:
                return
            self.hands.take_levels(levels, asked=True)
            self.judge()
        elif self.reading.state is BoardState.RESTING:
            self.hands.take_levels(levels, asked=False)

    def caution(self, cost: float) -> None:
        """Warn that the next act would lose `cost` points; the same act again counts."""
        self.turn.caution, self.turn.cautioned_at = cost, self.now
        self.turn.cautioned = self.reading.plays
        self.sound(Cue.WRONG)

    def _count_warning(self, before: BoardState) -> None:
        """Count a warning if this turn has just become illegal."""
        reading = self.reading
        human = not self.machines_turn
        said = human and not self.discreet
        accused = self.state.phase is Phase.MOVING and reading.broken and said
        if accused and before is not BoardState.WRONG:
            self.turn.warned += 1

    # Acts

    def act(self, act: Act, argument: Any = None, **values: Any) -> None:
        """Perform an act and store it; `values` are fields of its decision."""
        before, by = self.state, self.state.to_act
        after = self.agreed.turns.act(self.state, act, argument)
        self._change_game(after)
        self.turn = Turn(warned=self.turn.warned)
        values["by"] = by if act in OF_ONE_SIDE else None
        self._keep(act, after, argument if act is Act.PLAY else None, **values)
        if before.phase is Phase.SET_UP:
            self.time.began_at = self.now
        if self.state.result and self.state.phase in OVER:
            self.time.ended_at = self.now
            loud = self.state.result.name == self.game.fanfare
            self.sound(Cue.FANFARE if loud else Cue.WON)
        may_double = self.agreed.turns.may_double
        turned = self.history.doubles_again
        if turned and may_double(self.state, self.state.to_act):
            self.act(Act.DOUBLE, again=True)
            if turned > 1:
                self.act(Act.BEAVER, again=True)
            self.act(Act.TAKE, again=True)

    def keep(self, what: Act, **values: Any) -> None:
        """Store a decision that is no act of the phases; `values` as in `act`."""
        self._keep(what, self.state, None, **values)

    def _keep(self, what: Act, after: State, made: Any, **values: Any) -> None:
        written = replace(after, position=self.game.write_position(after.position))
        warns = self.agreed.terms.policy is PlayPolicy.LEGAL
        if self.turn.warned or (what is Act.PLAY and warns):
            values["warned"] = self.turn.warned
        self.turn.warned = 0
        self.time.follow(what, after, again=values.get("again", False))
        off, clocks = self.hands.trust.off, self.time.clocks
        decision = Decision(self.now, what, written, off=off, clocks=clocks, **values)
        history = self.history.after(decision, after, made)
        self.table.accepted = replace(self.table.accepted, turns=self.agreed.turns, history=history)
        self.choosing = self._is_choosing()
        self.effects.append(Keep(decision))

    def _change_game(self, state: State) -> None:
        """Play by the rules of this state's game from now on: the next one of a series."""
        turns = self.agreed.turns.during(state.standing)
        if turns is not self.agreed.turns:
            self.agreed = replace(self.agreed, turns=turns)
            self.hands.play(turns.game, state.position)

    def flag(self) -> None:
        """The flag of the side to act has fallen: begin its overtime, or end the match."""
        if self.time.expire():
            after, by = self.agreed.turns.act(self.state, Act.OVERTIME), self.state.to_act
            self._keep(Act.OVERTIME, after, None, by=by)
            self.turn.note = OVERTIME(side=self.agreed.player(by))
            self.sound(Cue.WRONG)
        else:
            self.act(Act.FLAG)

    def go_on(self) -> None:
        """Note, once, that a match with a clock continues after a break."""
        if self.time.to_note:
            self.time.to_note = False
            self.keep(Act.RESUMED)
            self.turn.note = INTERRUPTED()

    def sound(self, cue: Cue) -> None:
        self.effects.append(Sound(cue))

    def ask_roll(self) -> None:
        """The side to act rolls; a roll shown before an undo comes again."""
        if self.history.changing:
            return  # its dice lie on the table, and no machine throws them
        if self.far and self.machines_turn:
            return  # that is asked on its own board
        self.turn.awaiting_roll = True
        by, rolled = self.state.to_act, self.history.rolled
        source = RollSource.TYPED if rolled and rolled.typed else RollSource.DEVICE
        again = Rolled(self.now, rolled.roll, by, source) if rolled else None
        self.effects.append(AskRoll(by, self.dice, again))

    def throw(self, rolled: Rolled) -> None:
        """Take the dice: an opening die, or the roll of the turn."""
        values = {"dice": rolled.dice, "typed": rolled.source is RollSource.TYPED}
        if self.knows(Act.THROW):
            self.act(Act.THROW, rolled.dice.dice[0], **values)
            self.hands.await_position(self.state.position, None)
        else:
            shown = self.history.rolled
            again = shown is not None and shown.roll == rolled.dice
            self.act(Act.ROLL, rolled.dice, **values, again=again)
        if self.state.phase is Phase.MOVING:
            self.hands.offer_roll(*self._offer)
            self._read_levels()
        self.sound(Cue.ROLL)
        self.judge()

    def double(self) -> None:
        """The side to act doubles, if it may and the board is as it was accepted."""
        rolls = self.far and self.turn.awaiting_roll
        if self.knows(Act.DOUBLE) and self.may_double() and not rolls and self.rests():
            self.act(Act.DOUBLE)
            self.sound(Cue.DOUBLE)

    def decline(self) -> None:
        self.turn.declining = True
        self.sound(Cue.DOUBLE)

    def beaver(self) -> None:
        if self.rests():
            self.act(Act.BEAVER)
            self.sound(Cue.DOUBLE)

    def change_dice(self) -> None:
        self.act(Act.CHANGE_DICE, self.history.untyped, dice=self.state.roll)
        self._lead()
        self.judge()

    def resign(self, points: int) -> None:
        self.act(Act.RESIGN, points)
        self.sound(Cue.DOUBLE)

    def refuse(self) -> None:
        self.act(Act.REFUSE)
        self.judge()

    def accept(self, play: Any, *, condoned: bool = False) -> None:
        """Accept this play, or a `condoned` illegal one."""
        asked = not condoned and (self.turn.answered is not None or self.board in ASKED)
        self.act(
            Act.PLAY,
            play,
            dice=self.state.roll,
            play=self.game.write_play(self.state.position, play),
            confidence=self.confidence,
            asked=asked,
            condoned=condoned,
        )
        self.table.follow_plays()
        self.hands.expect(self.state.position, *self._offer)
        self.judge()

    def correct(self, position: Any, *, guide: bool = False) -> None:
        """Accept this position. It is on the board, unless `guide` leads players to it."""
        self.act(Act.CORRECT, position)
        if guide:
            self._lead(guide=True)
        else:
            self.hands.expect(self.state.position, *self._offer)
        self.judge()

    def propose(self, what: Act, undone: int = 0, position: str | None = None) -> None:
        self.effects.append(Propose(what, undone, position))

    def take_back(self, kept: int) -> None:
        """Undo the play of this number in the game, and all later ones."""
        plays = self.history.plays[kept:]
        first, undone, guide = plays[0], len(plays), not self.hands.moved_on
        play = self.game.write_play(first.state.position, first.play)
        dice = self.state.roll
        self.act(Act.TAKE_BACK, first.state, dice=dice, play=play, undone=undone)
        self.table.earlier.cut(kept)
        game = self.game
        unhit = any(m.hit for p in plays for m in game.moves(p.state.position, p.play))
        self._go_back(TAKEN_BACK(play=play), guide=guide, unhit=unhit)

    def restore(self) -> None:
        if self.history.before_undo is None:
            return
        guide = not self.hands.moved_on
        self.act(Act.RESTORE, self.history.before_undo.state)
        self.table.follow_plays()
        self._go_back(RESTORED(), guide=guide)

    def _go_back(self, note: str, *, guide: bool, unhit: bool = False) -> None:
        """Guide hands to the restored position. If they have moved already, what is on the board is
        read as a turn from it."""
        self._lead(guide=guide)
        self.turn.note, self.turn.unhit, self.turn.gone_back_at = note, unhit, self.now
        self.judge()

    def _lead(self, *, guide: bool = False) -> None:
        """Wait for players to bring the board to the accepted position."""
        self.hands.await_position(self.state.position, *self._offer, guide=guide)

    def next_game(self) -> None:
        """Set up the next game, and ask about the sensors that are off."""
        self.table.earlier = EarlierPositions()
        self.hands.trust.ask()
        self.act(Act.NEXT_GAME)
        self._lead()
        self.judge()

    def ask(self, pressed: Us) -> None:
        """Ask about the play on the board, because the press may have come before its end. The next
        press is no half of a double one and may answer at once."""
        self.hands.press_early()
        self.judge()
        self.asked_at = pressed
        self.sound(Cue.WRONG)

    def ask_next(self) -> None:
        self.hands.ask_next()
        self.asked_at = self.now
        self.judge()
        self.sound(Cue.WRONG)

    def choose(self, play: Any) -> None:
        self.hands.choose(play)
        self.turn.answered = play
        self.judge()

    def guide(self) -> None:
        self.table.guiding = True
        self.hands.guide()
        self.judge()

    def believe(self, sensor: Sensor, *, on: bool) -> None:
        """Turn a sensor on or off."""
        if on:
            self.hands.bring_back(sensor)
        else:
            self.hands.set_aside(sensor)
        self.keep(Act.SENSOR_ON if on else Act.SENSOR_OFF, sensor=sensor)
        self.judge()
