"""Simulated hands: whatever they do on the way, the checkers end where they should."""

from __future__ import annotations

import random

import pytest

from pi_app.boards import load_board
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.referee.events import Ms
from pi_app.rules.nannon import HOME, Nannon
from pi_app.rules.terms import Roll, Side
from pi_app.simulator.attempts import illegal_moves, looks_legal, victim_home
from pi_app.simulator.checkers import Checkers
from pi_app.simulator.faults import NONE
from pi_app.simulator.hands import Habits, Hands, Script
from pi_app.simulator.reeds import Agenda, SimulatedReeds

GAME, BOARD = Nannon(), load_board("nannon-6")
OFTEN = Habits(slide=0.8, brush=0.8, think=0.3, fast=0.3, rest=0.4, rock=0.5)


class Desk:
    """Hands over a board in virtual time, with nobody watching."""

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.agenda = Agenda()
        factory, rng = open_factory("mock"), random.Random(seed)
        self.gpio = GpioBoard(BOARD, factory, lambda: Ms(self.now), lambda event: None)
        self.reeds = SimulatedReeds(BOARD, factory, self.agenda, NONE, rng)
        self.checkers = Checkers(BOARD, GAME, self.reeds)
        self.hands = Hands(self.checkers, self.reeds, rng, lambda: self.now, OFTEN)

    def do(self, script: Script) -> None:
        for wait in script:
            self.wait(wait)
        self.wait(500)

    def wait(self, ms: float) -> None:
        self.now = round(self.now + ms, 1)
        self.agenda.run(self.now)

    def shows(self, text: str) -> bool:
        wanted = GAME.checkers_at(GAME.read_position(text))
        lies = all(self.checkers.at(s) == wanted.get(s, ()) for s in self.checkers.spots)
        return lies and self.gpio.picture().closed == self.checkers.closed


def desk_with(text: str, seed: int) -> Desk:
    desk = Desk(seed)
    desk.do(desk.hands.arrange(GAME.checkers_at(GAME.read_position(text))))
    assert desk.shows(text)
    return desk


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("die", range(1, 7))
def test_every_play_ends_where_the_rules_say(seed: int, die: int) -> None:
    text = "1w.wb.b1 w"
    position = GAME.read_position(text)
    for play in GAME.plays(position, Roll.of(die)):
        desk = desk_with(text, seed)
        for move in play:
            desk.do(desk.hands.move(move, victim_home(GAME, position, move)))
        assert desk.shows(GAME.write_position(GAME.after(position, play)))
        assert desk.hands.holding == 0


@pytest.mark.parametrize("seed", range(10))
def test_any_board_can_be_brought_to_any_other(seed: int) -> None:
    texts = ("1ww..bb1 w", "0wb.bwb0 w", "3......3 w", "0w.....0 w", "1bw.wb.1 b")
    desk = desk_with(texts[0], seed)
    for text in (*texts, *reversed(texts)):
        desk.do(desk.hands.arrange(GAME.checkers_at(GAME.read_position(text))))
        assert desk.shows(text)


def test_an_adjusted_checker_is_back_and_known_to_have_been_lifted() -> None:
    desk = desk_with("1ww..bb1 w", 3)
    desk.hands.forget()
    spot = BOARD.places[4].spot
    desk.do(desk.hands.adjust(spot))
    assert desk.shows("1ww..bb1 w")
    assert desk.hands.dipped == {spot}


def test_illegal_moves_are_all_there_are() -> None:
    position, roll = GAME.read_position("1ww..bb1 w"), Roll.of(2)
    moves = illegal_moves(GAME, position, roll)
    assert all(GAME.explain(position, roll, (move,)) for move in moves)
    rules = {GAME.explain(position, roll, (move,)).rule.identifier for move in moves}  # type: ignore[union-attr]
    assert rules >= {"wrong-distance", "not-your-checker", "own-checker", "backward"}


@pytest.mark.parametrize(
    ("text", "die", "attempt", "seen"),
    [
        ("1ww..bb1 w", 2, "2/5*", True),
        ("1ww..bb1 w", 2, "2/3", True),
        ("0ww.w.b1 w", 3, "4/HOME", False),  # looks like 4/SAFETY
        ("1ww..bb1 w", 2, "HOME/SAFETY", False),
        ("2bb....1 w", 1, "HOME/1*", False),  # forfeited: 1 may have been adjusted
        ("1ww..b.1 w", 3, "HOME/5*", True),
    ],
)
def test_some_attempts_no_reed_can_tell(text: str, die: int, attempt: str, seen: bool) -> None:
    desk, position = desk_with(text, 1), GAME.read_position(text)
    origin, target = attempt.rstrip("*").split("/")
    names = {"HOME": str(HOME[Side.WHITE]), "SAFETY": "safety.white"}
    wanted = (names.get(origin, origin), names.get(target, target))
    moves = illegal_moves(GAME, position, Roll.of(die))
    (move,) = (m for m in moves if (m.origin, m.target) == wanted)
    assert looks_legal(GAME, position, Roll.of(die), move, desk.checkers) is not seen
