"""Two boards linked over a wire that loses, doubles, delays and swaps; quick hands play on both."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from fair_record import common_record
from known import load_board
from shares import one_in

from pi_app.app.session import Session
from pi_app.base.identifiers import BoardName
from pi_app.base.microseconds import Us, ms
from pi_app.club.far_player import Correspondence, FarPlayer
from pi_app.club.linked.letters import read_letter
from pi_app.devices.dice import Dice
from pi_app.games.all import ALL
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import ANSWERS, Phase
from pi_app.referee.events import Button, Event, FarSeat, MatchId, Picture, Press, Start, Tap, Tick
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Roll, Side, read_roll
from pi_app.sensing.reading import ALARMS, BoardState

LINK = "0123456789abcdef"
NAMES = {Side.WHITE: BoardName("town-1"), Side.BLACK: BoardName("town-2")}
STEP_MS = 400
TIRED = 40 if one_in(2) > 1 else 100_000
"""Decisions after which people begin to resign, except in thorough runs."""


class HasFar(Protocol):
    """Whom the wire brings letters to."""

    far: FarPlayer


class LossyWire:
    """Carries messages between two boards; what it does to them is drawn by `chance`."""

    def __init__(self, chance: random.Random, trouble: float = 0.0) -> None:
        self.cut = False
        self.carried = 0
        self._chance, self._trouble = chance, trouble
        self._on_the_way: list[tuple[Side, bytes]] = []

    def sender(self, to: Side) -> Callable[[bytes], None]:
        return lambda message: self._put(to, message)

    def _put(self, to: Side, message: bytes) -> None:
        if self.cut or self._chance.random() < self._trouble:
            return
        self._on_the_way += [(to, message)] * (1 + (self._chance.random() < self._trouble))

    @property
    def waiting(self) -> bool:
        return bool(self._on_the_way)

    def deliver(self, boards: Mapping[Side, HasFar]) -> None:
        """Messages on the way arrive in any order; some get lost."""
        coming, self._on_the_way = self._on_the_way, []
        if self._trouble:
            self._chance.shuffle(coming)
        for to, message in coming:
            if self.cut:
                continue
            if self._chance.random() < self._trouble:
                self._on_the_way.append((to, message))
                continue
            self.carried += 1
            boards[to].far.hear(read_letter(message))


class LinkedBoard:
    """One of the two: its journal, its letters, its session, and quick hands without sensors."""

    def __init__(
        self, folder: Path, near: Side, game: str, match_to: int, wire: LossyWire, seed: str
    ) -> None:
        folder.mkdir(parents=True)
        self.near, self.wire = near, wire
        self.folder, self.chance = folder, random.Random(f"{seed} {near.value}")
        self.board = load_board(ALL.boards[game])
        self.seat = FarSeat(near.other, NAMES[near.other], LINK)
        self.start = Start(
            ms(0), game, ALL.boards[game], match_to, ("Ann", "Bea"), dict(self.seat.seat.options)
        )
        self.now = 0
        self.seen: Counter[Phase] = Counter()
        self.journal = Journal(folder / "matches.db")
        self.number: MatchId = self.journal.begin(self.start, "2026-11-23T01:00:00+00:00")
        path, send, key = (
            folder / f"{LINK}.jsonl",
            wire.sender(near.other),
            self.chance.randbytes(32),
        )
        self._sit(Correspondence.begin(path, LINK, NAMES[near.other], send, key))

    def _sit(self, letters: Correspondence) -> None:
        latest = self.journal.latest_game(self.number)
        self.session = Session(self.board, self.start, self.journal, Dice(), frozenset(), latest)
        decisions = self.journal.decisions(self.number)
        self.letters = letters
        self.far = FarPlayer(letters, self.seat, self.game.dice, decisions)
        self.session.oppose(self.far)

    def killed(self) -> None:
        """Kill without cleanup and restart from the disk."""
        self.journal.close()
        self.journal = Journal(self.folder / "matches.db")
        self.journal.resume(self.number)
        path = self.folder / f"{LINK}.jsonl"
        self._sit(Correspondence(path, LINK, self.wire.sender(self.near.other)))
        self.does(Picture(self.later(), self.board.closed_by(self.view.accepted)))

    @property
    def game(self) -> AnyGame:
        return self.session.game

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def record(self) -> tuple[str, ...]:
        return common_record(self.journal.decisions(self.number))

    @property
    def position(self) -> Any:
        return self.game.read_position(self.view.position)

    def later(self, time_ms: int = STEP_MS) -> Us:
        self.now += time_ms
        return ms(self.now)

    def does(self, event: Event) -> None:
        self.session.handle(event)

    def waits(self, time_ms: int = STEP_MS) -> None:
        self.does(Tick(self.later(time_ms)))

    def presses(self, press: Press = Press.SHORT) -> None:
        self.does(Button(self.later(), press))

    def taps(self, intent: Act, **told: Any) -> None:
        self.does(Tap(self.later(), intent, **told))

    def shows(self, checkers: Checkers) -> None:
        self.does(Picture(self.later(), self.board.closed_by(checkers)))

    def plays(self, after: Any) -> None:
        """A play to a position, on the board by hands that lift first, and handed over."""
        old, new = (self.game.checkers_at(position) for position in (self.position, after))
        number, written = self.far.talk.place, self.game.write_position(after)
        both = {spot: tuple((Counter(old[spot]) & Counter(new[spot])).elements()) for spot in old}
        self.shows(both)
        self.shows(new)
        self.waits()
        for play in self.view.choices if self.view.board is BoardState.CHOOSE else ():
            made = self.game.after(self.position, self.game.read_play(self.position, play))
            if self.game.write_position(made) == written:
                self.taps(Act.CHOOSE, play=play)
                break
        self.presses()
        if self.far.talk.place == number:
            self.shows(old)

    def acts(self) -> None:
        """The next act of people at this board; time passes if there is none."""
        view = self.view
        self.seen[view.phase] += 1
        if self.far.question:
            self.session.answer(yes=self.chance.random() < 0.7)
        elif view.phase is Phase.SET_UP or view.board in ALARMS:
            self.shows(view.accepted)
        elif view.phase is Phase.MOVING and view.chosen is not None:
            self._makes(view.chosen)
        elif view.phase is Phase.GAME_OVER:
            self.presses()
        elif view.to_act is self.near and not view.awaiting_roll:
            self._takes_its_turn(view)
        else:
            self.waits()

    @property
    def _patience(self) -> float:
        return 0.995 if self.far.talk.place < TIRED else 0.7

    def _makes(self, text: str) -> None:
        position = self.position
        self.plays(self.game.after(position, self.game.read_play(position, text)))

    def _takes_its_turn(self, view: View) -> None:
        drawn = self.chance.random()
        if Act.TAKE_BACK in view.offers and drawn < 0.04:
            self.taps(Act.TAKE_BACK)
        elif Act.RESTORE in view.offers and drawn < 0.5:
            self.taps(Act.RESTORE)
        elif view.phase in ANSWERS:
            self.presses(Press.SHORT if drawn < 0.6 else Press.LONG)
        elif Act.RESIGN in view.offers and drawn > (0.995 if self.far.talk.place < TIRED else 0.7):
            self.taps(Act.RESIGN, points=min(view.resignations))
        elif Act.DOUBLE in view.offers and drawn > 0.9:
            self.presses(Press.LONG)
        elif view.phase is Phase.MOVING and view.moves_exist:
            roll = read_roll(view.roll or "", self.game.dice) if view.roll else Roll(())
            results = self.game.results(self.position, roll)
            self.plays(self.chance.choice(sorted(results, key=self.game.write_position)))
        else:
            self.presses()


class LinkedMatch:
    """Both boards and the wire between them."""

    def __init__(
        self,
        folder: Path,
        game: str,
        match_to: int,
        seed: str = "1",
        trouble: float = 0.0,
        wire: LossyWire | None = None,
    ) -> None:
        self.wire = wire or LossyWire(random.Random(f"wire {seed}"), trouble)
        self.boards = {
            side: LinkedBoard(folder / NAMES[side], side, game, match_to, self.wire, seed)
            for side in Side
        }

    @property
    def white(self) -> LinkedBoard:
        return self.boards[Side.WHITE]

    @property
    def black(self) -> LinkedBoard:
        return self.boards[Side.BLACK]

    def step(self) -> None:
        for board in self.boards.values():
            board.acts()
        self.wire.deliver(self.boards)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.step()

    @property
    def is_over(self) -> bool:
        return all(board.view.phase is Phase.MATCH_OVER for board in self.boards.values())

    def until(self, done: Callable[[], bool], most: int = 20_000) -> None:
        for _ in range(most):
            if done():
                return
            self.step()
        views = [
            (b.view.phase.value, b.view.board.value, b.view.message, b.session.trouble)
            for b in self.boards.values()
        ]
        raise AssertionError(f"it does not go on: {views}")

    def play_with_cuts(self) -> set[tuple[Side, Phase]]:
        """Plays to the end with the wire cut in every phase; returns these phases. During a cut
        both boards continue as far as they can, and one of them is killed and restarted."""
        met: set[tuple[Side, Phase]] = set()
        while not self.is_over:
            for side, board in self.boards.items():
                meets = (side, board.view.phase)
                if meets in met:
                    continue
                met.add(meets)
                self.wire.cut = True
                self.steps(4)
                (board if len(met) % 2 else self.boards[side.other]).killed()
                self.steps(4)
                self.wire.cut = False
            self.until(lambda: self._meets_more_than(met))
        self.play()
        return met

    def _meets_more_than(self, met: set[tuple[Side, Phase]]) -> bool:
        now = {(side, board.view.phase) for side, board in self.boards.items()}
        return self.is_over or not now <= met

    def play(self) -> None:
        """To the end, and until all letters are had."""
        self.until(lambda: self.is_over)
        self.until(lambda: all(b.letters.post.due is None for b in self.boards.values()))
