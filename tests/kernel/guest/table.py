"""Two people's hands at a Nannon board whose reeds and button bounce."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pi
from program import PrintedView, Program

from pi_app.boards import load_board
from pi_app.games.all import ALL
from pi_app.referee.events import Intent
from pi_app.rules.terms import Move, Side, Spot, read_roll

BOARD = load_board("nannon-6", ALL.rules)
PIN = {Spot.read(sensor): pin for sensor, pin in BOARD.pins.items()}
"""Each spot has one reed, which is called as the spot is."""
LIGHT = {place.spot: place.light for place in BOARD.places if place.light is not None}
BUTTON = BOARD.buttons[0].pin
GAME = ALL.rules.find("nannon")

MOST_BOUNCES, BOUNCE_MS = 4, (0.1, 1.2)
SHORT_S, LONG_S = 0.08, 1.15
PAUSE_S = 0.5
"""A press sooner after another is taken for the bounce of letting go."""
RESULT_S = 4.2
"""A press sooner after a game that ended by itself only shows the result."""
SAID_S = 20
MOST_TURNS = 200


class GuestTable:
    """The board as it stands, and a Spotter that watches it."""

    def __init__(self, program: Program, seed: int) -> None:
        self.program = program
        self._rng = random.Random(seed)
        self._standing: set[Spot] = set()
        self.stuck: set[Spot] = set()
        self._pressed = 0.0
        self.plays, self.told = 0, 0
        for pin in (*PIN.values(), BUTTON):
            pi.switch(pin, closed=False)

    # Hands

    def set_up(self, spots: set[Spot]) -> None:
        """Let checkers stand on these spots and on no others."""
        for spot in sorted(self._standing ^ spots):
            self.reed(spot, spot in spots)
            time.sleep(0.05)

    def reed(self, spot: Spot, closed: bool) -> None:
        """A checker comes or goes, and the reed bounces."""
        if spot not in self.stuck:
            self._bounce(PIN[spot], closed)
        (self._standing.add if closed else self._standing.discard)(spot)

    def free(self) -> None:
        """The reeds that were stuck let go."""
        for spot in self.stuck:
            self._bounce(PIN[spot], spot in self._standing)
        self.stuck = set()

    @property
    def standing(self) -> set[Spot]:
        """The spots with a checker on them."""
        return set(self._standing)

    def press(self, seconds: float = SHORT_S) -> None:
        """Hold the button down for so long."""
        time.sleep(max(0, self._pressed + PAUSE_S - time.monotonic()))
        self._bounce(BUTTON, True)
        time.sleep(seconds)
        self._bounce(BUTTON, False)
        self._pressed = time.monotonic()

    def carry(self, move: Move) -> None:
        """One move, the enemy that it hits taken off before or while the checker is in the air."""
        before = self._rng.random() < 0.5
        if move.hit and before:
            self._leave(move.target)
        self._leave(move.origin)
        time.sleep(0.2)
        if move.hit and not before:
            self._leave(move.target)
            time.sleep(0.15)
        if move.target in PIN:
            self.reed(move.target, True)

    def _leave(self, spot: Spot) -> None:
        if spot in PIN:
            self.reed(spot, False)

    def _bounce(self, pin: int, closed: bool) -> None:
        for _ in range(self._rng.randint(0, MOST_BOUNCES)):
            for level in (closed, not closed):
                pi.switch(pin, level)
                time.sleep(self._rng.uniform(*BOUNCE_MS) / 1000)
        pi.switch(pin, closed)

    # People

    def play(self, *, errs: float = 0.0, until: str = "match over") -> None:
        """Play on until a phase has come; so often somebody tries what is illegal first."""
        while (view := self.program.view)["phase"] != until:
            if view["phase"] == "set up":
                self._set_up(view)
            elif view["phase"] == "moving":
                self.turn(errs)
            else:
                self.press_on()

    def turn(self, errs: float = 0.0) -> None:
        """One turn, from the roll to the accepted play."""
        position, plays = self.legal()
        if self._rng.random() < errs:
            self.err()
        play = self._rng.choice(plays)
        for move in GAME.moves(position, play):
            self.carry(move)
        self.hand_over(position, play)

    def hand_over(self, position: Any, play: Any) -> None:
        """The play lies on the board: it is shown, and counts at the press."""
        before, after = self.program.view, GAME.write_position(GAME.after(position, play))
        if GAME.moves(position, play):
            shown = self.program.until(lambda view: view["board"] == "played", SAID_S)
            assert (shown["position"], shown["after"]) == (before["position"], after)
        self.press()
        self.program.until(lambda view: view["position"] != before["position"], SAID_S)
        self._check(after)
        self.plays += 1

    def err(self, look: Callable[[PrintedView], None] | None = None) -> None:
        """An illegal move: it is told, rolls nothing, and is put back; `look` when it is told."""
        view = self.program.view
        moves = sorted(self._illegal(), key=lambda move: (move.origin, move.target))
        if not moves:
            return
        before = set(self._standing)
        self.carry(self._rng.choice(moves))
        told = self.program.until(lambda view: view["board"] in ("wrong", "disturbed"), SAID_S)
        assert told["position"] == view["position"]
        assert told["message"]
        assert told["put_right"] != {"fill": [], "clear": []}
        if look:
            look(told)
        self.press()
        time.sleep(0.5)
        assert (self.program.view["position"], self.program.view["roll"]) == (
            view["position"],
            view["roll"],
        )
        self.set_up(before)
        self.program.until(lambda view: view["board"] == "resting", SAID_S)
        self.told += 1

    def until_offered(self, intent: Intent) -> None:
        """Play on until a turn begins with this offer."""
        for _ in range(MOST_TURNS):
            self.play(until="to roll")
            view = self.program.seen().view
            if view and intent in view.offers:
                return
            self.press_on()
        raise AssertionError(f"{intent} was never offered")

    def until_legal(self, such: Callable[[Move], bool]) -> Move:
        """Play on until a turn allows such a move."""
        for _ in range(MOST_TURNS):
            self.play(until="moving")
            position, plays = self.legal()
            for move in (move for play in plays for move in GAME.moves(position, play)):
                if such(move):
                    return move
            self.turn()
        raise AssertionError("no such move in all these turns")

    def _set_up(self, view: PrintedView) -> None:
        right = view["put_right"]
        self.set_up(
            self._standing.union(map(Spot.read, right["fill"])).difference(
                map(Spot.read, right["clear"])
            )
        )
        self.program.until(lambda view: view["phase"] != "set up", SAID_S)

    def press_on(self) -> None:
        """Throw, roll, or go on to the next game."""
        view = self.program.view
        if view["phase"] == "game over":
            time.sleep(RESULT_S)
        self.press()
        self.program.until(lambda now: _stage(now) != _stage(view), SAID_S)

    def _check(self, after: str) -> None:
        """Nothing but the play that was made has been accepted."""
        shown = self.program.view
        if shown["phase"] in ("to roll", "moving"):
            assert shown["position"].rpartition(" ")[0] == after.rpartition(" ")[0]

    def legal(self) -> tuple[Any, tuple[Any, ...]]:
        """The position, and the plays of this turn."""
        view = self.program.view
        position = GAME.read_position(view["position"])
        return position, GAME.plays(position, read_roll(view["roll"], 1))

    def may_hit(self) -> bool:
        """Whether a play of this turn hits."""
        position, plays = self.legal()
        return any(move.hit for play in plays for move in GAME.moves(position, play))

    def _illegal(self) -> Iterator[Move]:
        """Moves to empty spots after which the board looks like nothing legal."""
        position, plays = self.legal()
        standing = occupied(position)
        looks = [standing, *(occupied(GAME.after(position, play)) for play in plays)]
        side = GAME.mover(position)
        for origin, checkers in GAME.checkers_at(position).items():
            if origin in PIN and side in checkers:
                for target in PIN.keys() - standing:
                    if standing - {origin} | {target} not in looks:
                        yield Move(origin, target)


def occupied(position: Any) -> set[Spot]:
    """The spots of the board with a checker on them."""
    return {spot for spot, there in GAME.checkers_at(position).items() if spot in PIN and there}


def start_of_a_game() -> set[Spot]:
    """Where checkers stand before the first throw."""
    return occupied(GAME.start(Side.WHITE))


def _stage(view: PrintedView) -> tuple[object, ...]:
    return view["phase"], view["to_act"], view["roll"], view["message"], view["score"]
