"""What presses of the die button and taps on the screen do.

A press waits until reeds stop bouncing. A second press right after an accepted one is ignored: it
is bounce or the other half of a double press, and it would roll for an opponent who may still
double, or take a double for him.

Under responsible moves Spotter does not say whether a play is legal. A press accepts what is on the
board if the sensors leave no doubt: only the mover's own checkers have moved, each was seen leaving
and arriving, and no other sensor changed. Otherwise the players are asked. Until the opponent rolls
or doubles he can demand a correction: Undo returns to the turn with its roll. If he continues
instead he condones the play, and the record says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.match.terms import PlayPolicy
from pi_app.match.turns import OF_TURNS, ON_TIME, Phase
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, EventError, Press, Tap
from pi_app.referee.match import LiveMatch
from pi_app.referee.seats import begin_next_game, points_of, position_of
from pi_app.rules.terms import Move, RulesError
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.texts import quoted

# How long a press may be misunderstood. A press cannot be taken back once its roll is seen, so each
# of these ignores or delays a press in case of doubt; a player can always press again.
#
# 100 ms covers the bounce of a reed that the hand has just left. Within 0.4 s a second press is
# bounce or the other half of a double press. A question needs a second to be read. If a hand may
# not be done the press waits 2 s for it; if nothing moves then, the play is asked, because a wrong
# play is worse than a second press. One during the wait ends it. After a game's last play has
# counted by itself, a press within 4 s was meant for that play and must not start the next game.
PRESS_WAIT = ms(100)
"""How long a press waits at most for a bouncing reed."""
HAND_WAIT = ms(2000)
"""How long a press that may have come too early waits for the hand to continue."""
SLIP = ms(400)
"""A press this soon after an accepted one is ignored as a slip."""
LATE = ms(4000)
"""A press this soon after the last play counted by itself was meant to hand that play over."""
ANSWER = ms(1000)
"""A press this soon after a question is the second half of a double press, and no answer."""


class DieButton:
    """The presses that wait, in order, and when the last of them did something.

    `_still_since`: the first press waits for the hand; the board has not changed since this time.
    """

    def __init__(self) -> None:
        self._waiting: tuple[Button, ...] = ()
        self._still_since: Us | None = None
        self._done: Us | None = None

    @property
    def due(self) -> Us | None:
        """When the first press stops waiting; None if none waits."""
        longest = PRESS_WAIT if self._still_since is None else HAND_WAIT
        return Us(self._waiting[0].us + longest) if self._waiting else None

    @property
    def since(self) -> Us | None:
        """When the first waiting press came; None if none waits."""
        return self._waiting[0].us if self._waiting else None

    def wait(self, press: Button) -> None:
        """Take a press. While one waits for the hand, a second one says that the hand is done."""
        if self._still_since is None or not is_slip(press.us, self._waiting[0].us):
            self._waiting = (*self._waiting, press)

    def obey(self, match: LiveMatch) -> bool:
        """Act on the presses that have waited long enough. Return whether there were any."""
        obeyed = False
        while ripe := self._ripe(match):
            press, early = ripe
            obeyed, before = True, len(match.effects)
            slipped = is_slip(press.us, self._done) or is_slip(press.us, match.turn.cautioned_at)
            slipped = slipped or _is_late(press.us, match.turn.counted_at)
            row = PRESSES.get((match.state.phase, press.press))
            if row and _is_heard(match, press) and not slipped:
                if early:
                    match.ask(press.us)
                    continue
                row.does(match)
            if len(match.effects) > before:
                self._done = match.now
        return obeyed

    def _ripe(self, match: LiveMatch) -> tuple[Button, bool] | None:
        """Return the first press once its meaning is clear, and whether it may still have been too
        early; None while it must wait."""
        if not self._waiting:
            return None
        press, *waiting = self._waiting
        hands, waited = match.hands, match.now - press.us
        if hands.bouncing and waited < PRESS_WAIT:
            return None
        if self._still_since is None and match.state.phase is Phase.MOVING:
            self._still_since = hands.quiet_since if hands.may_go_on(match.now) else None
        held, insists = self._still_since is not None, len(self._waiting) > 1
        if self._still_since == hands.quiet_since and waited < HAND_WAIT and not insists:
            return None
        moved_on = held and (hands.bouncing or self._still_since != hands.quiet_since)
        self._waiting, self._still_since = () if held else tuple(waiting), None
        return None if moved_on else (press, held and not insists)


def is_slip(us: Us, done: Us | None) -> bool:
    """Whether an act repeats an accepted one too soon to be meant."""
    return done is not None and us < done + SLIP


def _is_heard(match: LiveMatch, press: Button) -> bool:
    """Whether the side to act pressed. For the machine either player may press."""
    state = match.state
    if not match.machines_turn:
        return press.side in (None, state.to_act)
    doubles = state.phase is Phase.TO_ROLL and press.press is Press.LONG
    return not match.only_its_own and not doubles


def _is_late(us: Us, counted: Us | None) -> bool:
    """Whether a press was meant for the play that has just counted by itself."""
    return counted is not None and us < counted + LATE


# What a press does


def _ask_roll(match: LiveMatch) -> None:
    if match.rests():
        match.ask_roll()


def _take(match: LiveMatch) -> None:
    """Take a double, with the board as it was accepted; if the button was held before, beaver."""
    if match.turn.declining:
        match.beaver()
    elif match.rests():
        match.act(Act.TAKE)


def _pass(match: LiveMatch) -> None:
    """Pass a double. A player who may also beaver is first asked which of the two he means."""
    if not match.rests():
        return
    if offered(match, Act.BEAVER) and not match.turn.declining:
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
    """Whether the board is in order, with or without a play; otherwise warn."""
    match.judge(hurry=True)
    return match.board not in ALARMS or not match.warn()


def _hand_over(match: LiveMatch) -> None:
    """Accept a complete play, and roll for the next player if he may not double; otherwise warn.

    If several plays are in question, ask about the next.
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

    If several plays are in question, accept the one that is asked about.
    """
    state, play = _handed_over(match)
    if state is BoardState.CHOOSE and _is_asked(match):
        match.accept(match.reading.plays[0])
        return
    after = match.agreed.turns.act(match.state, Act.PLAY, play) if play is not None else match.state
    human = after.to_act is not match.agreed.machine
    if human and after.phase is Phase.TO_ROLL and match.may_double(after):
        match.accept(play)
        match.double()


def _handed_over(match: LiveMatch) -> tuple[BoardState, Any]:
    """Return what the board shows, and the play if it shows one."""
    match.judge(hurry=True)
    state = match.reading.state
    return state, _shown_play(match) or _forfeited(match)


def _shown_play(match: LiveMatch) -> Any:
    """Return the play on the board, or the one in question that this press confirms."""
    reading = match.reading
    if reading.state is BoardState.PLAYED:
        return reading.plays[0]
    alone = reading.state is BoardState.CHOOSE and len(reading.plays) == 1
    return reading.plays[0] if alone and _is_asked(match) else None


def _is_asked(match: LiveMatch) -> bool:
    """Whether a question has been shown long enough to be answered."""
    return match.now >= match.asked_at + ANSWER


def _forfeited(match: LiveMatch) -> Any:
    """Return the play of a turn in which nothing can move, if the board shows that nothing has.

    What looks like an illegal entry is asked about first; a second press passes the turn.
    """
    results = match.table.legal.results
    forfeit = next((result.play for result in results if not result.moves), None)
    if forfeit is None or match.hands.misfits(match.state.position):
        return None
    warned = match.reading.state in (*ALARMS, BoardState.CHOOSE)
    return forfeit if warned or not match.warn() else None


class PressRow(NamedTuple):
    """The act that comes of a press if the board allows it, and what the press does."""

    act: Act
    does: Callable[[LiveMatch], None]


# Why a press takes a double but declines a resignation: a press always plays on, so that no slip
# gives a game away. Holding is for what changes the stake or ends the game: doubling, passing,
# accepting a resignation. With the play in question, too, a press only asks on and holding takes.
#
# Why a table: whatever is asked can be answered with the button alone, and here one sees that it
# can.
PRESSES: Mapping[tuple[Phase, Press], PressRow] = {
    (Phase.OPENING_THROW, Press.SHORT): PressRow(Act.THROW, _ask_roll),
    (Phase.TO_ROLL, Press.SHORT): PressRow(Act.ROLL, _ask_roll),
    (Phase.TO_ROLL, Press.LONG): PressRow(Act.DOUBLE, LiveMatch.double),
    (Phase.DOUBLE_OFFERED, Press.SHORT): PressRow(Act.TAKE, _take),
    (Phase.DOUBLE_OFFERED, Press.LONG): PressRow(Act.PASS, _pass),
    (Phase.RESIGNATION_OFFERED, Press.SHORT): PressRow(Act.REFUSE, _refuse),
    (Phase.RESIGNATION_OFFERED, Press.LONG): PressRow(Act.ACCEPT, _accept),
    (Phase.MOVING, Press.SHORT): PressRow(Act.PLAY, _hand_over),
    (Phase.MOVING, Press.LONG): PressRow(Act.PLAY, _hand_over_doubled),
    (Phase.GAME_OVER, Press.SHORT): PressRow(Act.NEXT_GAME, begin_next_game),
}
"""What a press does in each phase; in the other phases it does nothing."""


def condone(match: LiveMatch) -> bool:
    """Handle a press on an illegal position under responsible moves. Return whether they are on.

    The position counts, or the players are asked what it is.
    """
    if not match.discreet:
        return False
    reading = match.hands.insist(match.now)
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
    """Whether the sensors leave no doubt about this play, and it can be written down."""
    game, before, hands = match.game, match.state.position, match.hands
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
    """Whether handing over also rolls. Under responsible moves it does not, because a roll condones
    the play."""
    return match.agreed.terms.policy is PlayPolicy.LEGAL


def _resign(match: LiveMatch, tap: Tap) -> None:
    match.resign(points_of(match.resignations, tap))


def _take_back(match: LiveMatch, tap: Tap) -> None:
    """Undo back to before the play that the board shows undone, else before the last real play."""
    kept = match.table.take_back_to
    if kept is None or is_slip(tap.us, match.turn.gone_back_at):
        return
    if match.far:
        match.propose(Act.TAKE_BACK, undone=len(match.table.earlier) - kept)
    else:
        match.take_back(kept)


def _may_take_back(match: LiveMatch) -> bool:
    """A match that was lost on time stays lost: an undo returns no time."""
    result = match.state.result
    on_time = match.state.phase is Phase.MATCH_OVER and result and result.name == ON_TIME
    return match.table.take_back_to is not None and not on_time


def _restore(match: LiveMatch, tap: Tap) -> None:
    if is_slip(tap.us, match.turn.gone_back_at):
        return
    if match.far:
        match.propose(Act.RESTORE)
    else:
        match.restore()


def _may_change_dice(match: LiveMatch) -> bool:
    """Typed dice can be changed until the first checker moves."""
    return match.history.untyped is not None and match.board is BoardState.RESTING


def _correct(match: LiveMatch, tap: Tap) -> None:
    attempt = match.reading.attempt
    position = position_of(match.game, tap, match.state.position, attempt)
    if match.far:
        match.propose(Act.CORRECT, position=match.game.write_position(position))
    else:
        match.correct(position)


def _choose(match: LiveMatch, tap: Tap) -> None:
    game = match.game
    position, reading = match.state.position, match.reading
    plays = {game.write_play(position, play): play for play in reading.plays}
    if tap.play not in plays:
        raise EventError(f"play {quoted(tap.play)} is not one of: {', '.join(plays)}")
    match.choose(plays[tap.play])


def _is_asking(match: LiveMatch) -> bool:
    return match.board is BoardState.CHOOSE


def _sensor(match: LiveMatch, tap: Tap) -> None:
    if tap.sensor is not None:
        match.believe(tap.sensor, on=tap.intent is Act.SENSOR_ON)


class TapRow(NamedTuple):
    """What a tap does, and a condition besides that the phase allows the act."""

    does: Callable[[LiveMatch, Tap], None]
    when: Callable[[LiveMatch], bool] = lambda _: True


TAPS: Mapping[Act, TapRow] = {
    Act.DOUBLE: TapRow(lambda match, _: match.double(), lambda match: match.may_double()),
    Act.TAKE: TapRow(lambda match, _: match.act(Act.TAKE)),
    Act.PASS: TapRow(lambda match, _: match.act(Act.PASS)),
    Act.BEAVER: TapRow(
        lambda match, _: match.beaver(), lambda match: match.agreed.turns.may_beaver(match.state)
    ),
    Act.CHANGE_DICE: TapRow(lambda match, _: match.change_dice(), _may_change_dice),
    Act.RESIGN: TapRow(_resign),
    Act.ACCEPT: TapRow(lambda match, _: match.act(Act.ACCEPT)),
    Act.REFUSE: TapRow(lambda match, _: match.refuse()),
    Act.NEXT_GAME: TapRow(lambda match, _: begin_next_game(match)),
    Act.TAKE_BACK: TapRow(_take_back, _may_take_back),
    Act.RESTORE: TapRow(_restore, lambda match: match.history.before_undo is not None),
    Act.CORRECT: TapRow(_correct),
    Act.SCREEN_IS_RIGHT: TapRow(
        lambda match, _: match.guide(), lambda match: match.board in ALARMS
    ),
    Act.CHOOSE: TapRow(_choose, _is_asking),
    Act.ANOTHER: TapRow(
        lambda match, _: match.ask_next(),
        lambda match: _is_asking(match) and len(match.reading.plays) > 1,
    ),
    Act.SENSOR_OFF: TapRow(_sensor),
    Act.SENSOR_ON: TapRow(_sensor),
}
"""What each tap does. A tap that is not offered does nothing."""


NEVER_FOR_MACHINE = frozenset({Act.DOUBLE, Act.BEAVER, Act.RESIGN})
ANSWERING = frozenset({Act.TAKE, Act.PASS, Act.ACCEPT, Act.REFUSE})
NEVER_WHILE_IT_ROLLS = frozenset({Act.DOUBLE, Act.RESIGN, Act.TAKE_BACK, Act.RESTORE, Act.CORRECT})
"""Not offered while a linked match waits for dice, which come from both boards."""


def offered(match: LiveMatch, act: Act) -> bool:
    """Whether this tap would change something now."""
    row = TAPS.get(act)
    if row is None or (act in OF_TURNS and not match.knows(act)):
        return False
    if match.machines_turn and (
        act in NEVER_FOR_MACHINE or (act in ANSWERING and not match.turn.silent)
    ):
        return False
    if match.far and match.turn.awaiting_roll and act in NEVER_WHILE_IT_ROLLS:
        return False
    if match.far and act is Act.CORRECT and match.state.phase is Phase.SET_UP:
        return False
    return row.when(match)


def offers(match: LiveMatch) -> frozenset[Act]:
    return frozenset(act for act in TAPS if offered(match, act))


def obey_tap(match: LiveMatch, tap: Tap) -> None:
    """Do what a tap asks for. Raises EventError if its values are impossible."""
    if offered(match, tap.intent) and not is_slip(tap.us, match.turn.cautioned_at):
        TAPS[tap.intent].does(match, tap)
