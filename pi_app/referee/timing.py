"""The clocks of a match: whose time runs, since when, and when its flag falls.

The clock of the side to act runs from one hand-over to the next. It stops while Spotter asks a
question, while a failed sensor or scanner keeps the board from matching, while a play counts by
itself, and while somebody makes the machine's play. After an interruption it stops until the board
matches again. During corrections after a warning it runs, unless agreed otherwise. A resumed match
continues with the times of its last stored decision.
"""

from __future__ import annotations

from dataclasses import replace

from pi_app.base.microseconds import Us
from pi_app.match import clock
from pi_app.match.acts import Act
from pi_app.match.clock import ClockKind, Clocks, TimeControl
from pi_app.match.turns import TIMED, Phase, State
from pi_app.referee.view import ClockFace, ClockHand
from pi_app.rules.terms import Side
from pi_app.sensing.reading import ALARMS, BoardState

GOES_ON = frozenset({Act.REFUSE, Act.TAKE_BACK, Act.RESTORE})
"""Decisions that return a side to a turn that it had before."""
AS_IT_STOOD = (BoardState.RESTING, BoardState.PLAYED, BoardState.CHOOSE)


class MatchTime:
    """Both clocks at a moment, and whether the holder's runs from there; None in an untimed match.

    `resumed` are the clocks with which a match continues. `away`: the sensors do not answer.
    `began_at` and `ended_at` are those of the game, None if Spotter was off then.
    """

    def __init__(self, control: TimeControl | None, us: Us, resumed: Clocks | None) -> None:
        self._control = control
        self.clocks = resumed or (clock.full(control) if control else None)
        self.to_note = self._waits = bool(control and resumed)
        self.away = self._running = self._seen = False
        self.began_at: Us | None = None
        self.ended_at: Us | None = None
        self._at = us

    @property
    def game_lasted(self) -> Us | None:
        if self.began_at is None or self.ended_at is None:
            return None
        return Us(self.ended_at - self.began_at)

    @property
    def due(self) -> Us | None:
        """When the flag will fall."""
        if not self._running or self._control is None or self.clocks is None:
            return None
        lasts = clock.lasts(self._control, self.clocks)
        return None if lasts is None else Us(self._at + lasts)

    def run(self, us: Us, held: Us | None) -> bool:
        """Let time pass. Return whether the flag has fallen. If a press has been waiting since
        `held`, the clock stopped then."""
        until = us if held is None else min(us, held)
        if until <= self._at:
            return False
        due = self.due
        if due is None or self._control is None or self.clocks is None:
            self._at = until
            return False
        ran = Us(min(until, due) - self._at)
        self.clocks, self._at = clock.run(self._control, self.clocks, ran), Us(self._at + ran)
        return due <= until

    def expire(self) -> bool:
        """The flag has fallen. Return whether overtime begins."""
        if self._control is None or self.clocks is None:
            return False
        following = clock.expire(self._control, self.clocks)
        self.clocks = following or self.clocks
        return following is not None

    def follow(self, what: Act, after: State, *, again: bool) -> None:
        """After a decision, give the clock to the side to act, or stop it.

        A turn that comes `again` after an undo gives nobody more time.
        """
        if what is not Act.RESUMED:
            self._waits = self.to_note = False
        if self._control is None or self.clocks is None:
            return
        if what is Act.FLAG:
            self.clocks = replace(self.clocks, holder=None)
            return
        to = after.to_act if after.phase in TIMED else None
        afresh = what not in GOES_ON and not again
        self.clocks = clock.hand_over(self._control, self.clocks, to, afresh=afresh)

    def see(self) -> None:
        self._seen = True

    def look(self, phase: Phase, board: BoardState, *, failed: bool, nobodys: bool) -> None:
        """Decide whether the clock runs from now on. `failed`: the board may be wrong because of a
        sensor. `nobodys`: a play is about to count by itself, or somebody plays for the machine."""
        if self._control is None:
            return
        if self._waits and self._seen and not self.away and board in AS_IT_STOOD:
            self._waits = False
        asked = board is BoardState.CHOOSE
        wrong = board in ALARMS and (failed or not self._control.runs_while_correcting)
        stands = asked or wrong or nobodys or self.away or self._waits
        self._running = phase in TIMED and not stands

    @property
    def face(self) -> ClockFace | None:
        if self._control is None or self.clocks is None:
            return None
        white, black = (self._hand(self._control, self.clocks, side) for side in Side)
        holder = self.clocks.holder
        delay = clock.free(self._control, self.clocks, holder) if holder else Us(0)
        runs = self.due is not None
        return ClockFace(white, black, holder, runs, Us(0) if runs else delay)

    def _hand(self, control: TimeControl, clocks: Clocks, side: Side) -> ClockHand:
        """Return a side's clock for the view; for a running one `left` is its value when its delay
        ended or began."""
        time, due = clocks[side], self.due
        if due is None or side is not clocks.holder:
            return ClockHand(time.left, time.overtime)
        delay = control.a_turn if control.kind is ClockKind.DELAY else 0
        return ClockHand(Us(time.left + max(0, time.spent - delay)), time.overtime, due)
