"""Guests at the simulator's window: their hands move checkers, their fingers touch the screen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from enum import Enum
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pygame
import pytest
from buttons import buttons_on, label_of
from coaches import PromptCoaching, at_once
from known import FACES, GAMES, boards_of, load_board
from lab.hands import Habits, Hands, Script, arrange
from lab.plays import choose, entering_first, victims_of, ways_of
from monkeys import THERE, Neighbourhood, game_agreed_on
from pygame.rect import Rect
from pygame.surface import Surface
from shares import one_in
from shelves import PromptLibrarian
from thinkers import call_prompt
from views import does, given

from pi_app.app.loop import App
from pi_app.app.membership import HAS_LEFT
from pi_app.app.seats import CallThinker, MachinePlayers
from pi_app.app.services import BoardCatalog, Devices, Services
from pi_app.base.microseconds import Us, ms
from pi_app.coach.practice import load_puzzles
from pi_app.coach.study import FILE as RATINGS
from pi_app.devices.dice import Dice
from pi_app.devices.source import Timing
from pi_app.devices.stick import Stick
from pi_app.games.all import ALL
from pi_app.journal.opening import FILE, open_journal
from pi_app.match.acts import Act
from pi_app.match.turns import ANSWERS, Phase
from pi_app.referee.events import Event
from pi_app.referee.view import TourStep, View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Side, read_roll
from pi_app.screen.actions import (
    Action,
    choose_game,
    give_side,
    intend,
    open_page,
    press_button,
    resign,
    send,
    set_to,
    show_hinted,
    show_rivals,
    type_die,
)
from pi_app.screen.canvas import Drawing, Target, Text
from pi_app.screen.front import ScreenFront
from pi_app.screen.paint import Painter
from pi_app.screen.ui import Page
from pi_app.sensing.noise import PUBLISHED, NoiseModel
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.simulator.source import open_simulated
from pi_app.simulator.window import SimulatedRoom
from pi_app.user.commands import ClubWish, Quit
from pi_app.user.settings import SETTINGS, ClubSettings, Settings, Value
from pi_app.words.sentences import ENGLISH

PAINTED = one_in(16)
"""One picture in so many, where few are."""
MOST_LOOKS = 20
A_TICK = ms(250)
JUST_COME_MS = 450
MOST_TURNS = 400
CHOSEN_ONCE = "coach.me"
"""A setting that a page sets, and only the command line changes again."""
HINTS = Settings().changed("coach.hints", "always")
IN_CLUB = HINTS.changed("club.on", True).changed("club.board", "town-1")
WITH_ALL_PAGES = IN_CLUB.changed("club.wall", "http://hall.example")
STEADY = NoiseModel({what: rate._replace(share=0.0) for what, rate in PUBLISHED.rates.items()})


def paint_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint a share of the pictures: nobody looks at them, and painting takes most of the time."""
    paint, pictures = Painter.paint, count()

    def share(painter: Painter, surface: Surface, *what: Any) -> Rect:
        seen = next(pictures) % PAINTED == 0
        return paint(painter, surface, *what) if seen else Rect(0, 0, 0, 0)

    monkeypatch.setattr(Painter, "paint", share)


class QuietClub(Neighbourhood):
    """A club whose other board does nothing, and that nobody leaves for good."""

    @property
    def boards(self) -> tuple[str, ...]:
        """The other board alone."""
        return (THERE,)

    def move(self, wish: ClubWish, club: ClubSettings) -> None:
        """Reported, and not done."""
        self.told = HAS_LEFT()


class Guests:
    """Two people at the real window, in virtual time.

    `seen` and `pressed` are the labels of the buttons that were, `pages` those that were open.
    `_ways` are the labels touched on the way to each button, and the game of the match then.
    """

    def __init__(self, folder: Path, seed: int, call: CallThinker = at_once) -> None:
        self.now = Us(0)
        self.views: list[View] = []
        self.seen: set[str] = set()
        self.pressed: set[str] = set()
        self.pages: set[Enum] = set()
        self._rng = random.Random(seed)
        queue: SimpleQueue[Event] = SimpleQueue()
        board = load_board("nannon-6")
        self.room = SimulatedRoom(
            open_simulated, board, self._clock, queue.put, Timing(), rng=self._rng
        )
        self.front = ScreenFront(self.room.window)
        self.opened = open_journal(folder)
        stick = Stick("STICK", folder, writable=True)
        nothing = dict.fromkeys(("play", "stay_open", "set_volume", "close"), lambda *_: None)
        speaker = SimpleNamespace(on=True, **nothing)
        coaching = PromptCoaching(folder / RATINGS, call=call)
        devices = Devices(
            self.room.source,
            self.front,
            speaker,  # type: ignore[arg-type]
            self.room.window,
            Dice(self._rng),
            watchers=(self._watch,),
        )
        services = Services(
            self.opened,
            PromptLibrarian(
                *(folder / FILE, ALL, lambda start: True, lambda: stick, coaching.ask),
                store=self.opened.journal.add,
            ),
            coaching,
            BoardCatalog(boards_of(), lambda name: self.room.fetch(name, GAMES)),
            MachinePlayers(ALL.rivals, call_prompt, self._rng),
            QuietClub(self.opened, self._rng, folder),
            puzzles=load_puzzles(),
        )
        services.club.enter(WITH_ALL_PAGES.club, WITH_ALL_PAGES.friends)
        given = (FACES, WITH_ALL_PAGES, self._clock, queue, devices, services)
        self.app = App(board, board.name, *given)
        self._turns = 0
        self._way: tuple[str, ...] = ()
        self._ways: dict[str, dict[tuple[str, ...], str]] = {}
        self._vain: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._read: tuple[object, dict[str, Target[Action]]] = None, {}
        self._made: tuple[object, Any] | None = None
        self.wait(100)

    def _clock(self) -> Us:
        return self.now

    def _watch(self, view: View) -> None:
        self.room.window.table.follow(self.now, view)
        self.views.append(view)

    def close(self) -> None:
        self.app.close()
        self.opened.close()

    # What they see

    @property
    def view(self) -> View:
        return self.views[-1]

    @property
    def view_now(self) -> View | None:
        """The view, if there is one yet."""
        return self.views[-1] if self.views else None

    @property
    def picture(self) -> Drawing[Action]:
        return self.front._picture

    @property
    def game(self) -> AnyGame:
        return game_agreed_on(self.opened, self.view)

    def labels(self) -> dict[str, Target[Action]]:
        """The buttons on the screen by what stands on them, or by what they do."""
        if self._read[0] is not self.picture:
            self._read = self.picture, buttons_on(self.picture, self.view_now)
        return self._read[1]

    def find(self, what: Callable[[Action], bool]) -> Target[Action] | None:
        """The button that does this, if there is one."""
        return next((target for target in self.picture.targets if what(target.action)), None)

    # What they do

    def wait(self, time_ms: float) -> None:
        end = Us(self.now + ms(time_ms))
        while self.now < end:
            self.now = min(end, Us(self.now + A_TICK))
            self.app.step()
        if self.room.window.language is ENGLISH:
            self._look_about()

    def _look_about(self) -> None:
        """The buttons of a page, and the way to it from the match."""
        page, labels = self.picture.page, self.labels()
        self.pages.add(page)
        self.seen.update(labels)
        game = self.view.game if self.views else ""
        for label in labels:
            self._ways.setdefault(label, {}).setdefault(self._way, game)
        if page is Page.PLAY:
            self._way = ()
        elif page is Page.START:
            self._way = ("Menu",)  # what the first page leads to the menu leads to as well

    def touch(self, target: Target[Action]) -> None:
        """A finger on a button, as SDL reports it."""
        label, (x, y) = label_of(target, self.picture, self.view_now), target.rect.centre
        screen = self.room.window.stage.screen
        self.wait(JUST_COME_MS)
        self._way = (*self._way, label)
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            at = (screen.x + x, screen.y + y)
            pygame.event.post(pygame.event.Event(kind, pos=at, button=1))
            self.wait(30)
        self.pressed.add(label)
        self.wait(90)

    def touch_what(self, what: Callable[[Action], bool]) -> bool:
        """Touch the button that does this; whether there is one."""
        target = self.find(what)
        if target:
            self.touch(target)
        return target is not None

    def key(self, code: int) -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=code, unicode="", mod=0))
            self.wait(30)

    def arrange(self, stacks: Checkers) -> None:
        """Hands bring the checkers to where they are wanted."""
        hands = self._hands()
        self._do(arrange(hands, hands.checkers.layout(stacks)))

    def _hands(self) -> Hands:
        table, habits = self.room.window.table, Habits()
        lies = (table.board, table.checkers, table.reeds)
        return Hands(*lies, self._rng, self._clock, habits, STEADY)

    def _do(self, script: Script) -> None:
        """Hands at work; what their checkers' reeds do not feel is nudged."""
        for pause in script:
            self.wait(pause / 1000)
        self.wait(300)
        table = self.room.window.table
        lying = table.lying
        for reed in (reed for place in table.board.places for reed in place.reeds):
            if not lying.isdisjoint(reed.sensors):
                self._nudge(reed.at)
                lying = table.lying

    def _nudge(self, at: tuple[float, float]) -> None:
        told = {"pos": self.room.window.stage.at(at), "button": 3}
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, told))
        self.wait(300)

    # The tour, and a match

    def take_tour(self) -> None:
        """By its words and arrows, from the first page to the form of a match."""
        self.touch(self.labels()["Tour"])
        self.touch(self.labels()["Begin"])
        self.wait(500)
        while (step := self.view.tour) is not TourStep.OVER:
            if step in (TourStep.ROLL, TourStep.PLAYED):
                self._press()
            elif step in (TourStep.PLAY, TourStep.WRONG):
                self._follow_arrows()
            else:
                self.arrange(self.view.accepted)
            self.wait(500)
        self.touch(self.labels()["Start a match"])

    def _follow_arrows(self) -> None:
        stacks = dict(self.view.accepted)
        for move in self.view.to_make:
            stacks[move.target] = (*stacks[move.target], stacks[move.origin][-1])
            stacks[move.origin] = stacks[move.origin][:-1]
        self.arrange(stacks)
        self.wait(2500)

    def begin(self, game: str, target: str, *, typed: bool = False, people: bool = False) -> None:
        """Begin a match by touches alone, between `people` or as the form says."""
        self.home()
        assert self.touch_what(lambda a: self._leads_to(a, Page.NEW_MATCH)) or self._by_menu()
        if not self.touch_what(lambda a: a == choose_game(game)):
            self.touch_what(lambda a: a == open_page(Page.GAMES))
            self.touch_what(lambda a: a == choose_game(game))
        self.touch(self.labels()[target])
        if people and self._says("Human") < len(Side):
            self._seat_people()
        if typed:
            self.switch("play.dice", "typed")
        before = self.opened.journal.writing
        self.touch(self.labels()["Begin"])
        assert self.opened.journal.writing != before
        self._turns = 0
        assert self.view.game == game

    def _seat_people(self) -> None:
        """Give a person the side that a machine's player has."""
        for side in Side:
            self.touch_what(lambda a, side=side: a == show_rivals(side))  # type: ignore[misc]
            self.touch_what(lambda a, side=side: a == give_side(side, None))  # type: ignore[misc]
            self.touch_what(lambda a: a == open_page(Page.NEW_MATCH))

    def _says(self, text: str) -> int:
        """How often the screen says this."""
        return sum(isinstance(s, Text) and s.text == text for s in self.picture.shapes)

    def _by_menu(self) -> bool:
        self.touch(self.labels()["Menu"])
        self.touch(self.labels()["New match"])
        return True

    @staticmethod
    def _leads_to(action: Action, page: Page) -> bool:
        return action == open_page(page)

    def home(self) -> None:
        """Back to the match, or to the first page."""
        for _ in range(5):
            if self.picture.page in (Page.PLAY, Page.START):
                return
            self.key(pygame.K_ESCAPE)
        raise AssertionError(f"no way back from {self.picture.page}")

    def play(self) -> None:
        """One thing that the match asks for: the board, the dice, a play, an answer."""
        self.home()
        view = self.view
        if view.board is BoardState.CHOOSE and self.touch_what(self._is_choice):
            return
        if view.phase is Phase.SET_UP or view.board in ALARMS:
            self.arrange(view.accepted)
            self.wait(900)
            if self.view.board in ALARMS and self.view.position == view.position:
                self.touch_what(lambda a: does(a, press_button))
            return
        if view.phase is Phase.MOVING:
            self._turn()
        if self.view.phase in ANSWERS:
            self._answer()
        elif self.view.dice and self.find(lambda a: does(a, type_die)):
            face = self._rng.randint(1, 6)
            self.touch_what(lambda a: a == type_die(face))
        else:
            self._press()

    def _answer(self) -> None:
        """To a double, or to an offer to resign: what comes to mind, if it can be answered yet."""
        answers = [name.value for name in (Act.TAKE, Act.PASS, Act.ACCEPT, Act.REFUSE)]
        there = [target for label, target in self.labels().items() if label in answers]
        if there:
            self.touch(self._rng.choice(there))
        else:
            self._press()

    def _press(self) -> None:
        """The button on the screen; where it offers none, the one beside the board."""
        if self.touch_what(lambda a: does(a, press_button)):
            return
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            at = self.room.window.stage.button.centre
            pygame.event.post(pygame.event.Event(kind, pos=at, button=1))
            self.wait(150)
        self.wait(500)

    def _is_choice(self, action: Action) -> bool:
        return does(action, intend) and action.given[0] is Act.CHOOSE

    def _turn(self) -> None:
        """A play is made as people make it; what does not count so is put right."""
        view, game = self.view, self.game
        self._turns += 1
        assert self._turns < MOST_TURNS, f"nothing goes on: {view}"
        position, roll = game.read_position(view.position), read_roll(view.roll or "", game.dice)
        turn = (view.game_number, view.position, view.roll)
        if self._made is None or self._made[0] != turn:
            plays = game.plays(position, roll)
            legal = tuple(play for play in plays if game.write_play(position, play) in view.legal)
            # By responsible moves the view does not tell what is legal.
            play = choose(game, position, legal or plays, self._rng)
            self._made = turn, play
            if view.board is BoardState.RESTING:
                # What looks alike to reeds may have been accepted in other colours.
                self.arrange(game.checkers_at(position))
                moves = game.moves(position, play)
                ways = ways_of(game, position, roll, moves, self._rng)
                ways = entering_first(game, position, ways)
                victims = victims_of(game, position, moves)
                self._do(self._hands().turn(ways, game.mover(position), victims))
        self.arrange(game.checkers_at(game.after(position, self._made[1])))
        self.wait(400)

    def finish(self) -> None:
        """Until the match is over."""
        while self.view.phase is not Phase.MATCH_OVER:
            self.play()

    @property
    def left(self) -> list[str]:
        """The buttons that were seen and not pressed yet; Quit is the last of all."""
        return sorted(self.seen - self.pressed - {"Quit"})

    @property
    def missed(self) -> str | None:
        """A game in whose matches one of those buttons was seen, any of them."""
        games = [game for label in self.left if (game := self._ways[label][self._way_to(label)])]
        return self._rng.choice(games) if games else None

    def explore(self, steps: int) -> None:
        """Play, and press every button that was not pressed yet."""
        for _ in range(steps):
            there, elsewhere = self._new_here(), self.left
            if there:
                self._press_new(self._rng.choice(there))
            elif elsewhere and self._rng.random() < 0.5:
                self._go(self._rng.choice(elsewhere))
                if not self._new_here():
                    self._press_any()
            elif self._rng.random() < 0.2:
                self._press_any()
            else:
                self.play()

    def _press_any(self) -> None:
        """Some button or other for the second time: it may lead to new ones."""
        labels = {label: target for label, target in self.labels().items() if label != "Quit"}
        # A page back is there only after a page on.
        arrows = [label for label in labels if label.startswith("arrow")]
        some = arrows if arrows and self._rng.random() < 0.5 else sorted(labels)
        self._press_new(labels[self._rng.choice(some)])

    def _new_here(self) -> list[Target[Action]]:
        return [target for label, target in self.labels().items() if label in self.left]

    def _way_to(self, label: str) -> tuple[str, ...]:
        """The shortest; one that did not lead there comes after the others."""
        return min(self._ways[label], key=lambda way: (self._vain[label, way], len(way)))

    def _go(self, label: str) -> None:
        """To a button that was seen before, as far as the way still is there."""
        self.home()
        way = self._way_to(label)
        for step in way:
            if step in self.labels():
                self.touch(self.labels()[step])
        if label not in self.labels():
            self.wait(500)  # an engine may still think
        if label not in self.labels():
            self._vain[label, way] += 1

    def resign(self, answer: Act) -> None:
        """A game is offered in a match of two people, and the other one answers so."""
        self.begin("nannon", "3", people=True)
        while self.view.phase is not Phase.RESIGNATION_OFFERED:
            self.play()
            self.home()
            self.touch(self.labels()["Menu"])
            if "Resign" in self.labels():
                self.touch(self.labels()["Resign"])
                self.touch_what(lambda a: does(a, resign))
                self.touch(self.labels()[Act.RESIGN.value])
        self.home()
        assert self.touch_what(lambda a: does(a, intend) and a.given[0] is answer)

    def look_at_hint(self) -> None:
        """The plays of a hint: later matches may have none, as a setting says."""
        self.begin("backgammon", "3", people=True)
        while self.view.phase is not Phase.MOVING:
            self.play()
        self.home()
        for label in ("Menu", "Hint"):
            self.touch(self.labels()[label])
        self.wait(500)
        assert self.touch_what(lambda a: does(a, show_hinted))

    def double(self, answer: Act) -> None:
        """A double in a match of two people, and the other one answers so."""

        def intends(wanted: Act) -> Callable[[Action], bool]:
            return lambda action: does(action, intend) and action.given[0] is wanted

        self.begin("nannon", "3", people=True)
        while not self.find(intends(Act.DOUBLE)):
            self.play()
        self.touch_what(intends(Act.DOUBLE))
        assert self.touch_what(intends(answer))

    def look_again(self, label: str, until: str) -> None:
        """Press a button that was seen until there is another: something was still being read."""
        for _ in range(MOST_LOOKS):
            self._go(label)
            if label in self.labels():
                self.touch(self.labels()[label])
            self.wait(500)
            if until in self.labels():
                return
        raise AssertionError(f"{until} never comes after {label}, only {sorted(self.labels())}")

    def turn_to(self, label: str, times: int) -> None:
        """Press a button that leads to further ones of its kind so often in a row."""
        self._go(label)
        for _ in range(times):
            self.touch(self.labels()[label])

    def _press_new(self, target: Target[Action]) -> None:
        action, label = target.action, label_of(target, self.picture, self.view_now)
        self.touch(target)
        for setting in given([action], set_to):
            if setting == CHOSEN_ONCE:
                continue
            if not self._switches(setting):
                self._go(label)  # the board turned round was looked at
            self.switch(setting, SETTINGS[setting].default)

    def switch(self, setting: str, wanted: Value) -> None:
        """Touch through a setting's values on the page that is open until it has this one."""
        value = None
        while value != wanted:
            switches = self._switches(setting)
            value = wanted if wanted in switches else next(iter(switches))
            self.touch(switches[value])

    def _switches(self, setting: str) -> dict[Any, Target[Action]]:
        """The actions that change a setting, by value."""
        targets = self.labels().values()
        return {
            target.action.given[1]: target
            for target in targets
            if does(target.action, set_to) and target.action.given[0] == setting
        }

    def quit(self) -> None:
        self.home()
        while not self.find(lambda a: a == send(Quit())):
            self.touch(self.labels()["Menu"])
        self.touch_what(lambda a: a == send(Quit()))
