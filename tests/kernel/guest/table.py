"""Two people, or one and Spotter, at a Nannon board whose reeds and button bounce."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import NamedTuple

import kept
import pi
from fingers import touch
from program import PATIENCE_S, PrintedView, Program
from reference import (
    FOE,
    HOME,
    SAFETY,
    SIDES,
    OneMove,
    Plays,
    Position,
    faults,
    plays,
    state_of,
)

from pi_app.boards import load_board
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.panel.picture import Panel
from pi_app.screen.actions import intend, open_page, resign
from pi_app.screen.ui import Page

BOARD = load_board("nannon-6", ALL.rules)
PIN = {str(sensor): pin for sensor, pin in BOARD.pins.items()}
"""Each spot has one reed, which is called as the spot is."""
LIGHT = {place.spot.name: place.light for place in BOARD.places if place.light is not None}
BUTTON = BOARD.buttons[0].pin

MOST_BOUNCES, BOUNCE_MS = 4, (0.1, 1.2)
SHORT_S, LONG_S = 0.08, 1.15
PAUSE_S = 0.5
"""A press sooner after another is taken for the bounce of letting go."""
AGAIN_S = (0.02, 0.2)
"""The second half of a double press comes so soon."""
EARLY_S = (0.0, 0.12)
"""Delay of an early press after the last checker."""
PRESSES = 3
"""A person who gets no answer presses again, so often at most."""
READ_S = 2.0
"""A press that did nothing in this time is not going to."""
RESULT_S = 4.2
"""A press sooner after a game that ended by itself only shows the result."""
TOLD_S = 5.0
"""The longest that an illegal move may lie there untold."""
HELD_S = 3.0
"""A press later than this after a lift means that the hand is done."""
MOST_TURNS = 200
ENDLESS = 10**9


class Manners(NamedTuple):
    """How often, of 1, people do this where they can."""

    errs: float = 0.0
    touches: float = 0.0
    early: float = 0.0
    twice: float = 0.0
    doubles: float = 0.0
    passes: float = 0.0
    resigns: float = 0.0
    takes_back: float = 0.0
    disobeys: float = 0.0
    """Make another play than the machine's first."""


PLAIN = Manners()
LIVELY = Manners(
    errs=0.25,
    touches=0.25,
    early=0.2,
    twice=0.2,
    doubles=0.3,
    passes=0.3,
    resigns=0.04,
    takes_back=0.25,
    disobeys=0.8,
)


class GuestTable:
    """The board as it stands, and a Spotter that watches it; `standing` are the spots with a
    checker on them.

    `kept`: the match is kept, and the journal is compared after each turn.
    """

    def __init__(self, program: Program, seed: int, *, kept: bool = True) -> None:
        self.program = program
        self.standing: set[str] = set()
        self.stuck: set[str] = set()
        self.done: dict[str, int] = {}
        self._touched = False
        """A checker was put back in this turn: a play may not be shown then before the press."""
        self._kept = kept
        self._rng = random.Random(seed)
        self._panel = Panel()
        self._pressed = 0.0
        for pin in (*PIN.values(), BUTTON):
            pi.switch(pin, closed=False)

    # Hands

    def set_up(self, spots: set[str]) -> None:
        """Let checkers stand on these spots and on no others."""
        for spot in sorted(self.standing ^ spots):
            self.reed(spot, spot in spots)
            time.sleep(0.05)

    def reed(self, spot: str, closed: bool) -> None:
        """A checker comes or goes, and the reed bounces."""
        if spot not in self.stuck:
            self._bounce(PIN[spot], closed)
        (self.standing.add if closed else self.standing.discard)(spot)

    def free(self) -> None:
        """The reeds that were stuck let go."""
        for spot in self.stuck:
            self._bounce(PIN[spot], spot in self.standing)
        self.stuck = set()

    def press(self, seconds: float = SHORT_S, *, twice: bool = False) -> None:
        """Hold the button; `twice` repeats it at once, like a double click."""
        time.sleep(max(0, self._pressed + PAUSE_S - time.monotonic()))
        for _ in range(1 + twice):
            self._bounce(BUTTON, True)
            time.sleep(seconds)
            self._bounce(BUTTON, False)
            time.sleep(self._rng.uniform(*AGAIN_S) if twice else 0)
        self._pressed = time.monotonic()

    def carry(self, move: OneMove) -> None:
        """One move, the enemy that it hits taken off before or while the checker is in the air."""
        before = self._rng.random() < 0.5
        if move.hit and before:
            self._leave(move.target)
        self._leave(move.origin)
        time.sleep(self._rng.uniform(0.12, 0.4))
        if move.hit and not before:
            self._leave(move.target)
            time.sleep(self._rng.uniform(0.12, 0.25))
        if move.target in PIN:
            self.reed(move.target, True)

    def undo(self, move: OneMove) -> None:
        """The same backwards: the checker that was hit comes back."""
        self._leave(move.target)
        time.sleep(0.2)
        if move.origin in PIN:
            self.reed(move.origin, True)
        if move.hit:
            time.sleep(0.2)
            self.reed(move.target, True)

    def touch_checker(self, spot: str) -> None:
        """Lift a checker and put it back."""
        self.reed(spot, False)
        time.sleep(self._rng.uniform(0.15, 0.5))
        self.reed(spot, True)
        self._touched = True
        self._count("touched")

    def _leave(self, spot: str) -> None:
        if spot in PIN:
            self.reed(spot, False)

    def _bounce(self, pin: int, closed: bool) -> None:
        for _ in range(self._rng.randint(0, MOST_BOUNCES)):
            for level in (closed, not closed):
                pi.switch(pin, level)
                time.sleep(self._rng.uniform(*BOUNCE_MS) / 1000)
        pi.switch(pin, closed)

    # People

    def play(
        self, manners: Manners = PLAIN, *, until: str = "match over", turns: int = 10**9
    ) -> None:
        """Play until a phase, or for a number of turns."""
        turns += self.done.get("play", 0)
        while (view := self.program.view)["phase"] != until and self.done.get("play", 0) < turns:
            self._act(view, manners)

    def _act(self, view: PrintedView, manners: Manners) -> None:
        """Whatever comes next in the match."""
        phase, is_machine = view["phase"], view["to_act"] == view["machine"]
        if phase == "set up":
            self._set_up(view)
        elif phase == "moving":
            self.turn(manners)
        elif is_machine and phase in ("to roll", "double offered", "resignation offered"):
            self.program.until(lambda now: state_of(now) != state_of(view))
        elif phase == "to roll" and self._is_so(manners.doubles, view, Act.DOUBLE):
            self.long_press("double")
        elif phase == "double offered" and self._rng.random() < manners.passes:
            self.long_press("pass")
        elif phase == "resignation offered" and self._rng.random() < 0.5:
            self.long_press("accept")
        else:
            self.press_on(manners)

    def turn(self, manners: Manners = PLAIN) -> None:
        """One turn, from the roll to the accepted play."""
        view, legal = self.program.view, self.legal()
        plain, is_machine = _plain(legal), view["to_act"] == view["machine"] and None not in legal
        if is_machine:
            view = self.program.until(lambda view: bool(view["chosen"]))
            plain = [play for play in plain if str(play) == view["chosen"]]
        elif self._is_so(manners.resigns, view, Act.RESIGN):
            self.resign()
            return
        if not plain:
            manners = manners._replace(errs=0, touches=0, takes_back=0, disobeys=0)
        if not self._touched and self._rng.random() < manners.errs:
            self.err()
        elif self.standing and self._rng.random() < manners.touches:
            self.touch_checker(self._rng.choice(sorted(self.standing)))
            self.program.until(lambda view: view["board"] == "resting")
        if is_machine:
            self._obey(view["chosen"], legal, manners)
        else:
            play = self._rng.choice((self._touched and plain) or [*legal])
            self.make(play, manners)
            if play in plain and self._is_so(manners.takes_back, self.program.view, Act.TAKE_BACK):
                self.take_back(view, play)

    def _obey(self, chosen: str, legal: Plays, manners: Manners) -> None:
        """Make the machine's play for it, now and then another one first."""
        (play,) = [play for play in legal if (str(play) if play else "forfeit") == chosen]
        others = [other for other in legal if other and not other.hit and other != play]
        if others and self._rng.random() < manners.disobeys:
            before, position = set(self.standing), self.program.view["position"]
            other = self._rng.choice(others)
            self.carry(other)
            if other.target not in PIN:
                # It may still be in the hand: the press says that it is not.
                time.sleep(HELD_S)
                self.press()
            told = self.program.until(lambda view: view["board"] == "wrong", TOLD_S)
            assert chosen in told["message"] + told["hint"] + str(told["reason"]), told
            self.set_up(before)
            self.program.until(lambda view: view["board"] == "resting")
            assert self.program.view["position"] == position
            self._touched = True
            self._count("disobeyed")
        self.make(play, manners)

    def make(self, play: OneMove | None, manners: Manners = PLAIN) -> None:
        """Make a play and hand it over."""
        after = self.legal()[play]
        if play:
            self.carry(play)
        self.hand_over(play, after, manners)

    def hand_over(self, play: OneMove | None, after: str, manners: Manners = PLAIN) -> None:
        """The play lies on the board: it is shown, and counts at the press."""
        before = self.program.view
        early, twice = (self._rng.random() < often for often in (manners.early, manners.twice))
        unsure = early or self._touched
        if unsure:
            time.sleep(self._rng.uniform(*EARLY_S) if early else READ_S)
        elif play:
            shown = self.program.until(lambda view: view["board"] == "played")
            assert (shown["position"], shown["after"]) == (before["position"], after)
        self.press(twice=twice)
        if unsure:
            self._answer(play, before)
        self.program.until(lambda view: view["position"] != before["position"])
        if twice:
            time.sleep(PAUSE_S)
        self._is_accepted(before, after)
        self._count("play", *["early"] * early, *["twice"] * twice)

    def _answer(self, play: OneMove | None, before: PrintedView) -> None:
        """The questions that Spotter may still ask after an uncertain press."""
        for _ in range(PRESSES):
            time.sleep(READ_S)
            view = self.program.view
            if view["position"] != before["position"]:
                return
            if view["board"] == "choose":
                assert str(play) in view["choices"], [
                    (v["ms"], v["phase"], v["board"], v["position"], v["message"])
                    for v in self.program.views[-30:]
                ]
                touch(self.program, BOARD, intend(Act.CHOOSE, play=str(play)))
                self.program.until(lambda view: view["board"] == "played")
                self._count("asked")
            self.press()

    def _is_accepted(self, before: PrintedView, after: str) -> None:
        """Nothing but the play that was made, and no more than it."""
        view, self._touched = self.program.view, False
        assert view["position"] == after
        if view["phase"] in ("to roll", "moving"):
            assert view["to_act"] == FOE[before["to_act"]]
            assert (view["score"], view["cube"]) == (before["score"], before["cube"])
        if view["phase"] == "moving":  # rolled by the same press, as no double can be thought of
            assert Act.DOUBLE.value not in before["offers"]
        self.agrees()

    def agrees(self) -> None:
        """The view, the journal and the OLED say the same."""
        soon(self.glass_shows_the_view)
        if self._kept:
            soon(lambda: state_of(self.program.view) == state_of(kept.decisions()[-1]))

    def glass_shows_the_view(self) -> bool:
        """The OLED's memory is the panel's picture of the latest view, bit for bit."""
        shown = self.program.seen()
        if "OLED" in shown.away or shown.view is None:
            return True
        return pi.glass().tobytes() == self._panel.picture(shown.view, shown.away).tobytes()

    def audit(self) -> None:
        """Every decision that was kept follows from those before it, by the rule sheet."""
        assert faults(kept.decisions()) == []

    def err(self, move: OneMove | None = None, look: Callable[[], None] = lambda: None) -> bool:
        """Make an illegal move, read the warning and put the checker back.

        The product must name the rule and roll nothing. `look` runs at the warning. Returns False
        if this turn has no illegal move that the board can show.
        """
        view = self.program.view
        moves = [move] if move else list(self.illegal())
        if not moves:
            return False
        move = self._rng.choice(moves)
        before = set(self.standing)
        self.carry(move)
        if move.target == SAFETY:
            self.press()  # a checker that is gone may be in the hand
        told = self.program.until(lambda view: view["board"] == "wrong", TOLD_S)
        assert told["position"] == view["position"]
        assert told["rule"], told
        assert told["reason"], told
        assert told["message"], told
        assert told["put_right"] == {
            "fill": sorted(before - self.standing),
            "clear": sorted(self.standing - before),
        }
        look()
        self.press()
        time.sleep(PAUSE_S)
        assert state_of(self.program.view) == state_of(view)
        self.set_up(before)
        self.program.until(lambda view: view["board"] == "resting")
        self._touched = True
        self._count("told")
        return True

    def take_back(self, before: PrintedView, play: OneMove) -> None:
        """Undo the last play; its roll lies on the table again."""
        touch(self.program, BOARD, open_page(Page.TAKE_BACK))
        to = self.program.seen().view
        assert to
        touch(self.program, BOARD, intend(Act.TAKE_BACK, back_to=to.back_to), page=Page.TAKE_BACK)
        self.program.until(lambda view: view["position"] == before["position"])
        self.undo(play)
        self.program.until(lambda view: view["board"] == "resting")
        assert state_of(self.program.view) == state_of(before)
        self.agrees()
        self._touched = True
        self._count("taken back")

    def resign(self) -> None:
        """Offer the game; the opponent is asked."""
        before = self.program.view
        view = self.program.seen().view
        assert view
        points = self._rng.choice([*view.resignations])
        touch(self.program, BOARD, open_page(Page.MENU))
        touch(self.program, BOARD, open_page(Page.RESIGN), page=Page.MENU)
        if len(view.resignations) > 1:
            touch(self.program, BOARD, resign(points), page=Page.RESIGN)
        shown = len(self.program.views)
        confirm = intend(Act.RESIGN, points=points)
        touch(self.program, BOARD, confirm, page=Page.RESIGN, resigning=points)
        self.program.until(lambda view: state_of(view) != state_of(before))
        since = self.program.views[shown:]
        offered = next(view for view in since if state_of(view) != state_of(before))
        other, worth = FOE[before["to_act"]], points * before["cube"]["value"]
        if before["machine"] == other and offered["phase"] == "game over":
            # The machine takes at once what it can win by no more.
            assert offered["score"][other] == before["score"][other] + worth
        else:
            assert offered["phase"] == "resignation offered"
            assert (offered["to_act"], offered["resignation"]) == (other, worth)
        self.agrees()
        self._count("resigned")

    def long_press(self, does: str) -> None:
        """Double, pass or accept, and nothing besides."""
        view = self.program.view
        time.sleep(PAUSE_S * 2)  # a question that has only just come takes no press
        self.press(LONG_S)
        self.program.until(lambda now: state_of(now) != state_of(view))
        self.agrees()
        self._count(does)

    def press_on(self, manners: Manners = PLAIN) -> None:
        """Roll, take, refuse, or start the next game."""
        view = self.program.view
        if view["phase"] == "game over":
            time.sleep(RESULT_S)
        self.press(twice=view["phase"] == "to roll" and self._rng.random() < manners.twice)
        self.program.until(lambda now: stage(now) != stage(view))

    def until_offered(self, intent: Act) -> None:
        """Play on until a turn begins with this offer."""
        for _ in range(MOST_TURNS):
            self.play(until="to roll")
            if intent.value in self.program.view["offers"]:
                return
            self.press_on()
        raise AssertionError(f"{intent} was never offered")

    def until_legal(self, such: Callable[[OneMove], bool]) -> OneMove:
        """Play on until a turn allows such a move."""
        for _ in range(MOST_TURNS):
            self.play(until="moving")
            for move in self.legal():
                if move and such(move):
                    return move
            self.turn()
        raise AssertionError("no such move in all these turns")

    def _set_up(self, view: PrintedView) -> None:
        right = view["put_right"]
        self.set_up(self.standing.union(right["fill"]).difference(right["clear"]))
        self.program.until(lambda view: view["phase"] != "set up")

    def _is_so(self, often: float, view: PrintedView, intent: Act) -> bool:
        return intent.value in view["offers"] and self._rng.random() < often

    def _count(self, *what: str) -> None:
        for name in what:
            self.done[name] = self.done.get(name, 0) + 1

    def resume(self) -> None:
        """Resume the open match by one press, as soon as Spotter has drawn a page."""
        soon(self.program.draws, PATIENCE_S)
        self.press()
        self.program.until(bool)

    # Truth

    def legal(self) -> Plays:
        """The plays of this turn, and where they lead."""
        view = self.program.view
        return plays(view["position"], int(view["roll"]))

    def illegal(self) -> list[OneMove]:
        """Moves after which the board looks like nothing legal, whoever's checker it is."""
        position, legal = Position.read(self.program.view["position"]), self.legal()
        looks = [Position.read(after).standing for after in legal.values()]
        looks.append(position.standing)
        lifted, moves = {move.origin for move in legal if move}, []
        for side in SIDES:
            entering = {HOME} if position.home[side] and side == position.mover else set()
            for origin in position.on_board(side) | entering:
                for target in PIN.keys() - position.standing:
                    if position.standing - {origin} | {target} not in looks:
                        moves.append(OneMove(origin, target))
        for origin in position.on_board(position.mover) - lifted:
            if position.standing - {origin} not in looks:
                moves.append(OneMove(origin, SAFETY))
        return sorted(moves)


def _plain(legal: Plays) -> list[OneMove]:
    return [play for play in legal if play]


def soon(is_so: Callable[[], bool], within_s: float = 10.0) -> None:
    """It becomes so in time."""
    end = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < end, f"not within {within_s} s"
        time.sleep(0.05)


def stage(view: PrintedView) -> tuple[object, ...]:
    return view["phase"], view["to_act"], view["roll"], view["message"], view["score"]
