"""The whole program touched by chance: every page, game and board, machine players, a club.

Its own thread is watched: a step that takes longer than `MOST_S` of the processor's time, or hangs,
raises TooLongError where it is just then.  What other threads and processes would do, players,
coach and librarian, is done at once here and does not count.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

from attack_findings import patience
from coaches import PromptCoaching, doubtful
from known import FACES, GAMES, boards_of, load_board
from shelves import PromptLibrarian
from thinkers import PromptThinker

from pi_app.app.coaching import Inbox
from pi_app.app.linking import LINKS, Linking
from pi_app.app.loop import App
from pi_app.app.membership import Club
from pi_app.app.seats import MachinePlayers
from pi_app.app.services import BoardCatalog, Devices, Services
from pi_app.base.identifiers import BoardName
from pi_app.base.microseconds import Us, ms
from pi_app.base.threads import drained
from pi_app.coach.study import FILE as RATINGS
from pi_app.devices.dice import Dice
from pi_app.devices.source import SENSORS
from pi_app.devices.stick import Stick
from pi_app.games.all import ALL
from pi_app.journal.opening import Opened
from pi_app.journal.store import MEMORY
from pi_app.languages import LANGUAGES
from pi_app.match.turns import Phase
from pi_app.players.contract import Question
from pi_app.players.process import Reply
from pi_app.referee.events import (
    DeviceLost,
    Event,
    Found,
    MachineSeat,
    Picture,
    SensorEdge,
)
from pi_app.referee.options import agree
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side, read_roll
from pi_app.screen.canvas import Shape
from pi_app.screen.compose import CHOOSE, STEPS, WAYS, FingerDown, Input, KeyPress, Resized
from pi_app.screen.front import ScreenFront
from pi_app.screen.theme import Theme
from pi_app.screen.ui import Page
from pi_app.sensing.description import Board, Sensor
from pi_app.user.commands import ClubWish, Fetch, ImportFiles, Invite, NewMatch
from pi_app.user.settings import ClubSettings, FriendsSettings, Settings

MOST_S, MOST_REAL_S = 1.0, 60.0
"""The longest step in processor time and in wall time."""
SIZES = ((800, 480), (480, 800), (640, 400), (1280, 800))
KEYS = ("space", "return", "escape", "backspace", "f11", "hold d", *STEPS, *WAYS, *CHOOSE)
BLIND = 0.2
"""The share of touches that are aimed at nothing."""
QUICK_PLAYERS = ("greedy", "random")
HERE, THERE = BoardName("town-1"), BoardName("town-2")


@contextmanager
def uncounted() -> Iterator[None]:
    """Work of another thread or process; its time does not count for the loop."""
    left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, left)


class Fingers:
    """A window that is touched everywhere, most often on a button; `front` is what is touched."""

    def __init__(self, chance: random.Random) -> None:
        self.size = chance.choice(SIZES)
        self.measure = lambda text, size, bold: (len(text) * size // 2, size)
        self.typing = False
        self.touches = 0
        self.front: ScreenFront | None = None
        self._chance = chance

    def draw(self, shapes: Iterable[Shape], theme: Theme = Theme.DARK) -> None:
        """Nothing is painted; the shapes are made all the same."""
        for _ in shapes:
            pass

    def poll(self, now: float) -> tuple[Input, ...]:
        """Some touches before the next picture, now and then a key."""
        return tuple(self._inputs())

    def _inputs(self) -> Iterator[Input]:
        if self._chance.random() < 0.002:
            self.size = self._chance.choice(SIZES)
            yield Resized()
        targets = self.front._picture.targets if self.front else ()
        for _ in range(self._chance.choice((1, 1, 2, 3, 20))):
            self.touches += 1
            drawn = self._chance.random()
            if drawn < 0.1:
                text = self._chance.choice(("", "1", "4", "x", "ß", "\x00"))
                yield KeyPress(self._chance.choice(KEYS), text)
            elif targets and drawn > 0.1 + BLIND:
                yield FingerDown(*self._chance.choice(targets).rect.centre)
            else:
                yield FingerDown(*(self._chance.randrange(length) for length in self.size))

    def set_fullscreen(self, fullscreen: bool) -> None:
        """Its size comes by chance."""

    def close(self) -> None:
        """Nothing was opened."""


class Crowd:
    """A board on which the checkers stand as the screen says, now and then one elsewhere."""

    due = None

    def __init__(self, clock: Callable[[], Us]) -> None:
        self.closed: frozenset[Sensor] = frozenset()
        self._clock = clock

    def picture(self) -> Picture:
        """All sensors."""
        return Picture(self._clock(), self.closed)

    def status(self) -> tuple[str, ...]:
        """All is well."""
        return ()

    def read_levels(self, spots: object) -> None:
        """It has none."""

    def lights(self, lit: object, blinking: object) -> None:
        """There are none."""

    def beep(self, cue: object) -> None:
        """It is silent."""

    def advance(self, us: Us) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing was opened."""


class UncountedThinker:
    """A player in a process of its own: a quick one in the place of those that take seconds."""

    def __init__(self, game: AnyGame, player: str, tell: Callable[[Reply], None]) -> None:
        with uncounted():
            quick = player if player in QUICK_PLAYERS else "random"
            self._thinker = PromptThinker(game, quick, tell)

    def ask(self, number: int, question: Question) -> None:
        """Answered before this returns."""
        with uncounted():
            self._thinker.ask(number, question)

    def drop(self) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing is open."""


class UncountedCoaching(PromptCoaching):
    """A coach that has found what was wished for when `ask` returns."""

    def ask(self, wish: Inbox) -> None:
        """Its thread and its players are others than the loop."""
        with uncounted():
            super().ask(wish)


class UncountedLibrarian(PromptLibrarian):
    """A librarian that has found what was wished for when `ask` returns."""

    def ask(self, wish: Fetch | ImportFiles) -> None:
        """Its thread is another one than the loop."""
        with uncounted():
            super().ask(wish)


class Neighbourhood(Club):
    """A club of two: the other board invites, answers and withdraws by chance."""

    def __init__(self, opened: Opened, chance: random.Random, folder: Path) -> None:
        super().__init__(opened.journal, GAMES, lambda: None, self._put_in)
        self._chance, self._folder = chance, folder
        self.trouble: str | None = None
        self._near: Linking | None = None
        self._far = self._linked_to(THERE, self._write_near)

    def _write_near(self, _: BoardName, message: bytes) -> None:
        if self._near:
            self._near.hear(THERE, message)

    def _linked_to(self, own: BoardName, send: Callable[[BoardName, bytes], None]) -> Linking:
        return Linking(self._folder / f"{LINKS} {own}", own, send, GAMES)

    def _put_in(self) -> Stick | None:
        return self._chance.choice((None, Stick("STICK", self._folder, writable=True)))

    @property
    def boards(self) -> tuple[str, ...]:
        """Who is there, sometimes many."""
        return tuple(f"town-{number}" for number in range(2, self._chance.choice((2, 3, 30))))

    def look_round(self) -> None:
        """They are always known."""

    def watch(self, view: View) -> None:
        """Nobody is told."""

    def join_or_leave(self, wish: ClubWish, club: ClubSettings) -> None:
        """Done when this returns; a stick without a card lets one in all the same, now and then."""
        with uncounted():
            super().join_or_leave(wish, club)
            for act in drained(self._wishes):
                assert act
                act()
        if wish is ClubWish.JOIN and self._chance.random() < 0.7:
            self._changed.put(ClubSettings(True, "localhost:9", HERE))

    def enter(self, club: ClubSettings, friends: FriendsSettings, *, resumes: bool = False) -> None:
        """Without a broker."""
        self.member = self.linking = self._near = None
        if club.on:
            self._near = self._linked_to(HERE, lambda _, message: self._far.hear(HERE, message))
            self.member, self.linking = self, self._near

    def close(self) -> None:
        """No thread was started."""

    def goes_on(self, us: Us) -> None:
        """The other board's people."""
        drawn = self._chance.random()
        self._far.is_busy = self._chance.random() < 0.3
        if drawn < 0.03 and not self._far.inviting:
            game = self._chance.choice([*GAMES])
            match = NewMatch(game, ("Ada", "Ben"), self._chance.choice((1, 5, None)))
            self._far.invite(Invite(match, HERE, self._chance.choice([*Side])))
        elif drawn < 0.035:
            self._far.withdraw()
        elif drawn < 0.07:
            self._far.answer(yes=self._chance.random() < 0.5)
        self.trouble = "Nothing goes to the club" if drawn > 0.9 else None
        self._far.wishes(us)


def void(_: object) -> None:
    """For what wants nothing back."""


def game_agreed_on(opened: Opened, view: View) -> AnyGame:
    """The game that is being played, under the options of its match."""
    if view.tour:
        return GAMES[view.game]
    number = opened.journal.writing
    assert number is not None
    return agree(opened.journal.match(number).start, GAMES)[0].first


class Monkey:
    """The program, touched by chance, while hands do what the rules allow, or anything."""

    def __init__(self, board: Board, opened: Opened, chance: random.Random) -> None:
        self.now = Us(0)
        self.fingers = Fingers(chance)
        self.front = self.fingers.front = ScreenFront(
            self.fingers,  # type: ignore[arg-type]
            chance.choice([Page.TOUR, Page.SET_UP, *[Page.START] * 6]),
        )
        self._chance, self._opened = chance, opened
        self._queue = SimpleQueue[Event]()
        self._views: list[View] = []
        self.checkers = Crowd(self.clock)
        speaker = SimpleNamespace(
            on=True, play=void, stay_open=void, set_volume=void, close=lambda: None
        )
        settings = Settings().changed("screen.language", chance.choice([*LANGUAGES]))
        settings = settings.changed("coach.hints", "always").changed("club.wall", "http://wall")
        self._club: Neighbourhood | None = None
        devices = Devices(
            self.checkers,
            self.front,
            speaker,  # type: ignore[arg-type]
            None,
            Dice(random.Random(chance.random())),
            (self._views.append,),
        )
        services = Services(
            opened,
            boards=BoardCatalog(boards_of(), self._fetch),
            players=MachinePlayers(ALL.rivals, UncountedThinker, chance),
        )
        path = opened.journal.path
        if path != MEMORY:
            services = self._with_shelves(services, path)
            settings = settings.changed("club.on", chance.random() < 0.7)
            services.club.enter(settings.club, settings.friends)
        self._app = App(
            board,
            board.name,
            FACES,
            settings,
            self.clock,
            self._queue,
            devices,
            services,
        )

    def _with_shelves(self, services: Services, path: Path) -> Services:
        """What reads the journal, and the club."""
        coaching = UncountedCoaching(path.with_name(RATINGS), call=doubtful)
        librarian = UncountedLibrarian(path, ALL, lambda start: True, self._stick, coaching.ask)
        self._club = Neighbourhood(self._opened, self._chance, path.parent)
        return replace(services, coaching=coaching, librarian=librarian, club=self._club)

    def _stick(self) -> Stick | None:
        folder = self._opened.journal.path.parent
        return self._chance.choice((None, Stick("STICK", folder, writable=True)))

    def _fetch(self, name: str) -> tuple[Board, Crowd]:
        self.checkers = Crowd(self.clock)
        return load_board(name), self.checkers

    def clock(self) -> Us:
        """Virtual time."""
        return self.now

    @property
    def view(self) -> View | None:
        """The current match, if there is one."""
        session = self._app._session
        return session.view if session else None

    @property
    def place(self) -> str:
        """The position of a walk, for findings."""
        view, ui = self.view, self.front._ui
        return f"{ui.page} of {view.game if view else 'no match'} at {self.fingers.size}: {ui}"

    def goes_on(self, touches: int) -> None:
        """So many touches."""
        end = self.fingers.touches + touches
        begun = self.fingers.touches + self._chance.choice((0, 300, touches))
        while self.fingers.touches < end:
            with patience(MOST_REAL_S, MOST_S):
                self._step()
            if self.fingers.touches >= begun:
                # There are so many pages that chance alone seldom finds the way into a match.
                begun = self.fingers.touches + 600
                self.begin()

    def begin(self) -> None:
        """A match of some game, perhaps against the machine."""
        if self._opened.journal.path == MEMORY:
            return
        game = self._chance.choice([*GAMES])
        seat = MachineSeat(self._chance.choice([*Side]), self._chance.choice(ALL.players[game]))
        options = seat.options if self._chance.random() < 0.6 else {}
        target = self._chance.choice((1, 3, 7, None))
        self._app.obey(NewMatch(game, ("Ada", "Ben"), target, options))
        self._app._show(self.now)

    def close(self) -> None:
        self._app.close()

    def _step(self) -> None:
        self.now = Us(self.now + ms(self._chance.choice((20, 200, 2500))))
        if self._chance.random() < 0.1:
            self._hands()
        if self._chance.random() < 0.005:
            self._device()
        if self._club:
            self._club.goes_on(self.now)
        self._app.step()
        del self._views[:-1]

    def _device(self) -> None:
        """Sensors or the OLED go away, or come back."""
        away = DeviceLost if self._chance.random() < 0.3 else Found
        self._queue.put(away(self.now, self._chance.choice((SENSORS, "OLED"))))

    def _hands(self) -> None:
        view, drawn = self.view, self._chance.random()
        if view and view.phase is Phase.MOVING and drawn < 0.6:
            self._play(view)
        elif view and drawn < 0.85:
            self._shows(self._app._board.closed_by(view.accepted))
        else:
            sensor = self._chance.choice(self._app._board.sensors)
            self.checkers.closed ^= {sensor}
            self._queue.put(SensorEdge(self.now, sensor, sensor in self.checkers.closed))

    def _play(self, view: View) -> None:
        """The engine's play, or some legal play."""
        game = game_agreed_on(self._opened, view)
        position, roll = game.read_position(view.position), read_roll(view.roll or "", game.dice)
        if view.chosen is not None:
            play = game.read_play(position, view.chosen)
        else:
            play = self._chance.choice(game.plays(position, roll))
        after = game.after(position, play)
        self._shows(self._app._board.closed_by(game.checkers_at(after)))

    def _shows(self, closed: frozenset[Sensor]) -> None:
        self.checkers.closed = closed
        self._queue.put(Picture(self.now, closed))
