"""What presses of the die button and taps on the screen do.

A press waits until reeds stop bouncing. A second press right after one that was obeyed is ignored:
it is the other half of a double press, or bounce, and would roll for an opponent who may double or
take the double for him.

With responsible moves Spotter does not say whether a play is legal. A press accepts whatever lies
there if the sensors leave no doubt: the board differs from the accepted position only by the
mover's own checkers, each was seen leaving and arriving, and nothing else was touched. Otherwise
the players are asked. Until the opponent rolls or doubles he can demand a correction: Take back
returns to the turn with its roll. By going on he condones the play, and the record says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pi_app.base.microseconds import Us, ms
from pi_app.match.terms import PlayPolicy
from pi_app.match.turns import ON_TIME, Act, Phase
from pi_app.referee.decision import What
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, EventError, Intent, Press, Tap
from pi_app.referee.match import LiveMatch
from pi_app.referee.seats import begin_next_game, points_of, position_of
from pi_app.rules.terms import Move, RulesError
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.texts import quoted

PRESS_WAIT = ms(100)
"""The longest time a press waits for a bouncing reed."""
HAND_WAIT = ms(2000)
"""A press that may have come before the hand was done waits so long for the hand to go on."""
SLIP = ms(400)
"""Sooner after what did something, the same again is a slip and does nothing."""
LATE = ms(4000)
"""Sooner after the last play has counted by itself, a press was meant to hand that play over."""
ANSWER = ms(1000)
"""A press sooner after a question is the second half of a double one and no answer."""


class DieButton:
    """The presses that wait, in their order, and when the last of them did something.

    `_still_since`: the first press waits for the hand, while the board has not changed since then.
    """

    def __init__(self) -> None:
        self._waiting: tuple[Button, ...] = ()
        self._still_since: Us | None = None
        self._done: Us | None = None

    @property
    def due(self) -> Us | None:
        """When the first press waits no longer."""
        longest = PRESS_WAIT if self._still_since is None else HAND_WAIT
        return Us(self._waiting[0].us + longest) if self._waiting else None

    @property
    def since(self) -> Us | None:
        """When the first press was that still waits."""
        return self._waiting[0].us if self._waiting else None

    def wait(self, press: Button) -> None:
        """Take a press; while one waits for the hand, another says that the hand is done."""
        if self._still_since is None or not is_slip(press.us, self._waiting[0].us):
            self._waiting = (*self._waiting, press)

    def obey(self, match: LiveMatch) -> bool:
        """Do what the presses mean that have waited long enough; whether there were any."""
        obeyed = False
        while press := self._ripe(match):
            obeyed, before = True, len(match.effects)
            slipped = is_slip(press.us, self._done) or is_slip(press.us, match.turn.cautioned_at)
            slipped = slipped or _is_late(press.us, match.turn.counted_at)
            if _is_heard(match, press) and not slipped:
                PRESSES.get(match.state.phase, {}).get(press.press, _nothing)(match)
            if len(match.effects) > before:
                self._done = match.now
        return obeyed

    def _ripe(self, match: LiveMatch) -> Button | None:
        """The first press, once it is clear what it was meant for."""
        if not self._waiting:
            return None
        press, *waiting = self._waiting
        hands, waited = match.table.hands, match.now - press.us
        if hands.bouncing and waited < PRESS_WAIT:
            return None
        if self._still_since is None and match.state.phase is Phase.MOVING:
            self._still_since = hands.quiet_since if hands.may_go_on(match.now) else None
        held, insists = self._still_since is not None, len(self._waiting) > 1
        if self._still_since == hands.quiet_since and waited < HAND_WAIT and not insists:
            return None
        moved_on = held and (hands.bouncing or self._still_since != hands.quiet_since)
        self._waiting, self._still_since = () if held else tuple(waiting), None
        return None if moved_on else press


def is_slip(us: Us, done: Us | None) -> bool:
    """Whether an act repeats too soon to be meant."""
    return done is not None and us < done + SLIP


def _is_heard(match: LiveMatch, press: Button) -> bool:
    """Whether the side to act pressed. For the machine either player may press."""
    state = match.state
    if state.to_act is not match.agreed.machine:
        return press.side in (None, state.to_act)
    doubles = state.phase is Phase.TO_ROLL and press.press is Press.LONG
    return not match.only_its_own and not doubles


def _is_late(us: Us, counted: Us | None) -> bool:
    """Whether a press was meant for the play that was just confirmed automatically."""
    return counted is not None and us < counted + LATE


# What a press does


def _nothing(match: LiveMatch) -> None:
    pass


def _ask_roll(match: LiveMatch) -> None:
    if match.rests():
        match.ask_roll()


def _take(match: LiveMatch) -> None:
    """Take a double, with the board as it was accepted; once it was held before, beaver."""
    if match.turn.declining:
        match.beaver()
    elif match.rests():
        match.act(Act.TAKE)


def _pass(match: LiveMatch) -> None:
    """Pass a double; who may beaver too is first asked which of the two."""
    if not match.rests():
        return
    if offered(match, Intent.BEAVER) and not match.turn.declining:
        match.decline()
    else:
        match.act(Act.PASS)


def _accept(match: LiveMatch) -> None:
    if _is_in_order(match):
        match.act(Act.ACCEPT)


def _refuse(match: LiveMatch) -> None:
    if _is_in_order(match):
        match.refuse()


def _is_in_order(match: LiveMatch) -> bool:
    """Whether the board is correct, with a play or without; otherwise a warning is given."""
    match.judge(hurry=True)
    return match.table.board not in ALARMS or not match.warn()


def _hand_over(match: LiveMatch) -> None:
    """A complete play is accepted, and rolled on where no double can be; else it is warned.

    Of several plays in question the next is asked about.
    """
    asked = _is_asking(match)
    state, play = _handed_over(match)
    if play is not None:
        match.accept(play)
        if match.knows(Act.ROLL) and not match.may_double() and rolls_by_itself(match):
            match.ask_roll()
    elif state is BoardState.CHOOSE and asked:
        if _is_asked(match):
            match.ask_next()
    elif not condone(match):
        match.warn()


def _hand_over_doubled(match: LiveMatch) -> None:
    """Accept a complete play and double for the next player, if he may.

    Of several plays in question the one that is asked about is accepted.
    """
    state, play = _handed_over(match)
    if state is BoardState.CHOOSE and _is_asked(match):
        match.accept(match.table.reading.plays[0])
        return
    after = match.agreed.turns.act(match.state, Act.PLAY, play) if play is not None else match.state
    human = after.to_act is not match.agreed.machine
    if human and after.phase is Phase.TO_ROLL and match.may_double(after):
        match.accept(play)
        match.double()


def _handed_over(match: LiveMatch) -> tuple[BoardState, Any]:
    """The board's reading, with its play if it is one."""
    match.judge(hurry=True)
    state = match.table.reading.state
    return state, _shown_play(match) or _forfeited(match)


def _shown_play(match: LiveMatch) -> Any:
    """The play on the board, or the one asked about and confirmed by this press."""
    reading = match.table.reading
    if reading.state is BoardState.PLAYED:
        return reading.plays[0]
    alone = reading.state is BoardState.CHOOSE and len(reading.plays) == 1
    return reading.plays[0] if alone and _is_asked(match) else None


def _is_asked(match: LiveMatch) -> bool:
    """Whether a question about the board has been put for long enough to be answered."""
    return match.now >= match.asked_at + ANSWER


def _forfeited(match: LiveMatch) -> Any:
    """The play of a turn in which nothing can move, if the board shows that nothing has.

    What looks like an illegal entry is asked about first; pressed again, the turn is passed.
    """
    results = match.table.legal.results
    forfeit = next((result.play for result in results if not result.moves), None)
    if forfeit is None or match.table.hands.misfits(match.state.position):
        return None
    warned = match.table.reading.state in (*ALARMS, BoardState.CHOOSE)
    return forfeit if warned or not match.warn() else None


PRESSES: Mapping[Phase, Mapping[Press, Callable[[LiveMatch], None]]] = MappingProxyType(
    {
        Phase.OPENING_THROW: {Press.SHORT: _ask_roll},
        Phase.TO_ROLL: {Press.SHORT: _ask_roll, Press.LONG: LiveMatch.double},
        Phase.DOUBLE_OFFERED: {Press.SHORT: _take, Press.LONG: _pass},
        # A press that was meant for something else must not give the game away.
        Phase.RESIGNATION_OFFERED: {Press.SHORT: _refuse, Press.LONG: _accept},
        Phase.MOVING: {Press.SHORT: _hand_over, Press.LONG: _hand_over_doubled},
        Phase.GAME_OVER: {Press.SHORT: begin_next_game},
    }
)
"""The effect of a press in each phase; others have none."""


def condone(match: LiveMatch) -> bool:
    """A press on an illegal position under responsible moves. Returns whether they are on. The
    position counts, or the players are asked what it is."""
    if not match.discreet:
        return False
    reading = match.table.hands.insist(match.now)
    match.asked_at = match.now
    if reading.state is BoardState.CHOOSE:
        return True
    if reading.state is BoardState.WRONG and _is_certain(match, reading.attempt):
        match.accept(reading.attempt, condoned=True)
    else:
        match.turn.unclear = True
        match.sound(Cue.WRONG)
    return True


def _is_certain(match: LiveMatch, attempt: tuple[Move, ...]) -> bool:
    """Whether this play is certain by the sensors and can be written down."""
    game, before, hands = match.agreed.game, match.state.position, match.table.hands
    try:
        after = game.attempted(before, attempt)
        written = game.write_play(before, attempt)
        same = game.after(before, game.read_play(before, written)) == after
    except (RulesError, ValueError):
        return False  # no play of this game is written so
    if not attempt or not same or game.impossible(after, before) or hands.misfits(after):
        return False
    old, new = game.checkers_at(before), game.checkers_at(after)
    changed = [spot for spot in old if old[spot] != new[spot]]
    touched = {match.table.spot_of[sensor] for sensor in match.turn.touched}
    own = all({*old[spot], *new[spot]} <= {match.state.to_act} for spot in changed)
    moved = sum(abs(len(new[spot]) - len(old[spot])) for spot in changed)
    rows = zip(hands.shown(before), hands.shown(after), hands.seen.unseen, strict=True)
    seen = sum(abs(now - then) for then, now, unseen in rows if not unseen)
    return own and moved == seen and touched <= set(changed)


def rolls_by_itself(match: LiveMatch) -> bool:
    """Whether handing over also rolls: otherwise the next player would condone unasked."""
    return match.agreed.terms.policy is PlayPolicy.LEGAL


def _resign(match: LiveMatch, tap: Tap) -> None:
    match.resign(points_of(match.agreed.turns.resignations(match.state), tap))


def _take_back(match: LiveMatch, tap: Tap) -> None:
    """Back before the play that the board shows undone, else before the last real play."""
    kept = match.table.take_back_to
    if kept is None or is_slip(tap.us, match.turn.gone_back_at):
        return
    if match.agreed.far:
        match.propose(What.TAKE_BACK, undone=len(match.table.past) - kept)
    else:
        match.take_back(kept)


def _may_take_back(match: LiveMatch) -> bool:
    """A match that was lost on time is over: no play brings its time back."""
    result = match.state.result
    on_time = match.state.phase is Phase.MATCH_OVER and result and result.name == ON_TIME
    return match.table.take_back_to is not None and not on_time


def _restore(match: LiveMatch, tap: Tap) -> None:
    if is_slip(tap.us, match.turn.gone_back_at):
        return
    if match.agreed.far:
        match.propose(What.RESTORED)
    else:
        match.restore()


def _may_change_dice(match: LiveMatch) -> bool:
    """Dice that players have typed, until the first checker moves."""
    return match.course.untyped is not None and match.table.board is BoardState.RESTING


def _board_is_right(match: LiveMatch, tap: Tap) -> None:
    attempt = match.table.reading.attempt
    position = position_of(match.agreed.game, tap, match.state.position, attempt)
    if match.agreed.far:
        match.propose(What.CORRECTION, position=match.agreed.game.write_position(position))
    else:
        match.correct(position)


def _choose(match: LiveMatch, tap: Tap) -> None:
    game = match.agreed.game
    position, reading = match.state.position, match.table.reading
    plays = {game.write_play(position, play): play for play in reading.plays}
    if tap.play not in plays:
        raise EventError(f"play {quoted(tap.play)} is not one of: {', '.join(plays)}")
    match.choose(plays[tap.play])


def _is_asking(match: LiveMatch) -> bool:
    return match.table.board is BoardState.CHOOSE


def _sensor(match: LiveMatch, tap: Tap) -> None:
    if tap.sensor is not None:
        match.believe(tap.sensor, on=tap.intent is Intent.SENSOR_ON)


class TapRow(NamedTuple):
    """A row for one intent: its function, the act that the phase must allow, and a further
    condition."""

    does: Callable[[LiveMatch, Tap], None]
    act: Act | None
    when: Callable[[LiveMatch], bool] = lambda _: True


TAPS: Mapping[Intent, TapRow] = MappingProxyType(
    {
        Intent.DOUBLE: TapRow(
            lambda match, _: match.double(), Act.DOUBLE, lambda match: match.may_double()
        ),
        Intent.TAKE: TapRow(lambda match, _: match.act(Act.TAKE), Act.TAKE),
        Intent.PASS: TapRow(lambda match, _: match.act(Act.PASS), Act.PASS),
        Intent.BEAVER: TapRow(
            lambda match, _: match.beaver(),
            Act.BEAVER,
            lambda match: match.agreed.turns.may_beaver(match.state),
        ),
        Intent.CHANGE_DICE: TapRow(
            lambda match, _: match.change_dice(), Act.CHANGE_DICE, _may_change_dice
        ),
        Intent.RESIGN: TapRow(_resign, Act.RESIGN),
        Intent.ACCEPT: TapRow(lambda match, _: match.act(Act.ACCEPT), Act.ACCEPT),
        Intent.REFUSE: TapRow(lambda match, _: match.refuse(), Act.REFUSE),
        Intent.NEXT_GAME: TapRow(lambda match, _: begin_next_game(match), Act.NEXT_GAME),
        Intent.TAKE_BACK: TapRow(_take_back, Act.TAKE_BACK, _may_take_back),
        Intent.RESTORE: TapRow(_restore, Act.RESTORE, lambda match: match.course.gone is not None),
        Intent.BOARD_IS_RIGHT: TapRow(_board_is_right, Act.CORRECT),
        Intent.SCREEN_IS_RIGHT: TapRow(
            lambda match, _: match.guide(), None, lambda match: match.table.board in ALARMS
        ),
        Intent.CHOOSE: TapRow(_choose, None, _is_asking),
        Intent.ANOTHER: TapRow(
            lambda match, _: match.ask_next(),
            None,
            lambda match: _is_asking(match) and len(match.table.reading.plays) > 1,
        ),
        Intent.SENSOR_OFF: TapRow(_sensor, None),
        Intent.SENSOR_ON: TapRow(_sensor, None),
    }
)
"""All taps; one that is not offered does nothing."""


NEVER_FOR_MACHINE = (Intent.DOUBLE, Intent.BEAVER, Intent.RESIGN)
ANSWERING = (Intent.TAKE, Intent.PASS, Intent.ACCEPT, Intent.REFUSE)
NEVER_WHILE_IT_ROLLS = (
    Intent.DOUBLE,
    Intent.RESIGN,
    Intent.TAKE_BACK,
    Intent.RESTORE,
    Intent.BOARD_IS_RIGHT,
)
"""A linked match, whose dice come from both boards."""


def offered(match: LiveMatch, intent: Intent) -> bool:
    """Whether the tap would change something now."""
    row = TAPS[intent]
    if row.act is not None and not match.knows(row.act):
        return False
    if match.state.to_act is match.agreed.machine and (
        intent in NEVER_FOR_MACHINE or (intent in ANSWERING and not match.turn.silent)
    ):
        return False
    if match.agreed.far and match.turn.awaiting_roll and intent in NEVER_WHILE_IT_ROLLS:
        return False
    if match.agreed.far and intent is Intent.BOARD_IS_RIGHT and match.state.phase is Phase.SET_UP:
        return False
    return row.when(match)


def offers(match: LiveMatch) -> frozenset[Intent]:
    return frozenset(intent for intent in TAPS if offered(match, intent))


def obey_tap(match: LiveMatch, tap: Tap) -> None:
    """Do what the tap means.  Raises EventError where it says something that cannot be."""
    if offered(match, tap.intent) and not is_slip(tap.us, match.turn.cautioned_at):
        TAPS[tap.intent].does(match, tap)
