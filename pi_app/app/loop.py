"""The running program: one queue, one loop, and its wiring.

Callbacks and threads put events on the queue. The loop passes them to the session and shows what
has changed. Displays never delay the sensing. Missing parts are reported and skipped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue

from pi_app.app.devices import Devices
from pi_app.app.inspection import Inspection
from pi_app.app.librarian import is_playable, unfinished
from pi_app.app.linking import rematch_of
from pi_app.app.services import BoardCatalog, Services
from pi_app.app.session import Session
from pi_app.boards import board_names
from pi_app.commands import (
    AnswerFar,
    AskHint,
    ChangeSetting,
    ClubWish,
    Fetch,
    Inspect,
    Invite,
    NewMatch,
    Output,
    Quit,
    Rematch,
    Resume,
    Wanted,
)
from pi_app.devices.source import SENSORS, DeviceError
from pi_app.journal.disk import JournalError
from pi_app.journal.rows import SinceBoot
from pi_app.languages import load_language
from pi_app.microseconds import Us, ms
from pi_app.panel.picture import Panel
from pi_app.referee.controls import is_slip
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, DeviceLost, Event, EventError, Found, MatchId, Start, Tick
from pi_app.rules.terms import Side
from pi_app.screen.face import Face
from pi_app.screen.ui import EMPTY_SHELF, Fitness, Shown
from pi_app.sensing.description import Board
from pi_app.settings import SETTINGS, PlaySettings, Settings, save_settings
from pi_app.words.sentences import Sentence
from pi_app.words.wall_time import written

TICK = ms(50)
"""The period of display updates while idle."""
ROUND = ms(40)
"""The longest time of reading events before the next picture."""
MOST_AT_ONCE = 100
"""Events taken before the clock is looked at again."""
STALL = ms(300)
"""A pause longer than any normal rest or work of the loop."""
CATCH_UP_S = 0.05
"""The longest delay of edges after a stall; each carries its own time."""
RECONCILE = ms(2000)
"""The period of reading all sensors, because an edge can be lost."""

REDATE = ms(10_000)
"""The period of checks whether the network has set the clock."""


NOT_RESUMED = Sentence("Cannot resume the match: {why}")
NOT_SAVED = Sentence("Settings not saved: {why}")
OTHER_BOARD = Sentence("it needs board {board}; this is {ours}")


class App:
    """Spotter running; `run` returns when the players quit.

    `board_name` is what a match's `start` event calls the board: a name or a path; `faces` are
    how its games look.
    """

    def __init__(
        self,
        board: Board,
        board_name: str,
        faces: Mapping[str, Face],
        settings: Settings,
        clock: Callable[[], Us],
        queue: SimpleQueue[Event],
        devices: Devices,
        services: Services,
    ) -> None:
        self._board, self._board_name, self._faces = board, board_name, faces
        self._settings = settings
        self._clock, self._queue = clock, queue
        self._devices = devices
        self._services, self._opened = services, services.opened
        self._language = load_language(settings.screen.language)
        self._panel = Panel()
        self._first: list[Event] = []
        self._session: Session | None = None
        self._inspection: Inspection | None = None
        self._pressed: Us | None = None
        self._notices = self._opened.notices
        self._boards = board_names()
        self._reconciled = Us(-RECONCILE)
        self._pictured = False
        self._redated = Us(-REDATE)
        self._away: tuple[str, ...] = ()
        self._looked: object = None
        self._running = True
        self._hints = False
        self._health: tuple[tuple[str, Fitness], ...] = ()
        self._resumable = unfinished(self._opened.journal, board.games, self._is_playable)
        if settings.screen.brightness != SETTINGS["screen.brightness"].default:
            self._adjust("screen.brightness")
        self._brightness = devices.brightness
        self._fetch(Fetch(Wanted.LIST))

    def stop(self) -> None:
        """End the loop soon; safe in a signal handler."""
        self._running = False
        self._wake()

    def run(self) -> None:
        """Play until the players quit."""
        awake = self._clock()
        while self._running:
            self._await(self._patience())
            before, awake = awake, self._clock()
            if awake - before > STALL:
                # The whole process stood still: time must not pass before what happened in it.
                time.sleep(CATCH_UP_S)
            self.step()

    def close(self) -> None:
        """Give everything back: pins, displays, sound."""
        if self._session:
            self._session.close()
        self._services.close()
        self._devices.close()

    def step(self) -> None:
        """One round of the loop: take the events there are, as they happened; show the rest."""
        now = self._clock()
        self._devices.source.advance(now)
        if self._listen(now):
            self._let_pass(now)
        is_busy = self._session is not None and not self._session.is_over
        touched = self._devices.front.poll(self._shown(), now)
        for output in (*touched, *self._services.club.agreed(now, is_busy=is_busy)):
            self.obey(output)
        self._follow_club()
        self._show(now)

    def _await(self, patience: Us) -> None:
        """Until something is on the queue, or the patience ends."""
        with suppress(Empty):
            self._first.append(self._queue.get(timeout=patience / 1e6))

    def _listen(self, now: Us) -> bool:
        """Process the queue for at most one round.

        Returns whether it is empty.

        Otherwise a flood of edges would starve later events.
        """
        while events := self._heard():
            for event in events:
                self._handle(event)
            if self._clock() >= now + ROUND:
                return False
        return True

    def _heard(self) -> list[Event]:
        """The queued events, sorted, because threads and held presses add theirs late."""
        events, self._first = self._first, []
        with suppress(Empty):
            while len(events) < MOST_AT_ONCE:
                events.append(self._queue.get_nowait())
        return sorted(events, key=lambda event: event.us)

    def _let_pass(self, now: Us) -> None:
        """All events up to now were heard: do what is due."""
        if self._session and (due := self._session.due) is not None and due <= now:
            self._handle(Tick(now))
        if self._inspection:
            self._inspection.advance(now)
        self._reconcile(now)
        self._redate(now)

    def _patience(self) -> Us:
        """The time until the next due action."""
        now = self._clock()
        parts = (self._devices.source, self._session, self._inspection)
        dues = [part.due for part in parts if part]
        waits = [Us(due - now) for due in dues if due is not None]
        return max(Us(0), min([TICK, *waits]))

    def _handle(self, event: Event) -> None:
        if isinstance(event, DeviceLost | Found):
            self._follow(event)
            if event.device != SENSORS:
                return  # no match depends on it
        if not self._session:
            if self._inspection:
                self._inspection.handle(event)
            elif isinstance(event, Button) and self._resumable:
                self._pressed = event.us
                self._resume()
            return
        if isinstance(event, Button) and is_slip(event.us, self._pressed):
            return  # the second half of the press that resumed the match
        try:
            cues = self._session.handle(event)
        except EventError as error:
            self._notices = (*self._opened.notices, error.said)
            return
        for cue in cues:
            self._sound(cue)

    def _follow(self, told: DeviceLost | Found) -> None:
        """Devices come and go before, in and after a match: they are the program's."""
        others = tuple(device for device in self._away if device != told.device)
        self._away = (*others, told.device) if isinstance(told, DeviceLost) else others

    def _sound(self, cue: Cue) -> None:
        self._devices.speaker.play(cue)
        self._devices.source.beep(cue)

    def _redate(self, now: Us) -> None:
        """Once the wall clock has been set, matches that were begun before get their right date."""
        wall = self._devices.wall
        if now - self._redated < REDATE:
            return
        self._redated = now
        if not wall.was_set():
            return
        with suppress(JournalError):
            # A failed write waits for the next decision.
            if self._opened.journal.redate(wall.boot, wall.at):
                self._fetch(Fetch(Wanted.LIST))

    def _reconcile(self, now: Us) -> None:
        followed = self._session or self._inspection
        if not followed or now - self._reconciled < RECONCILE:
            return
        self._reconciled = now
        try:
            picture = self._devices.source.picture()
        except DeviceError:
            if SENSORS not in self._away:
                self._handle(DeviceLost(now, SENSORS))
            return
        if SENSORS in self._away:
            self._handle(Found(now, SENSORS))
        view = self._session.view if self._session else None
        # A resumed match believes that the board stands as it stood, and waits to be told so.
        first, self._pictured = not self._pictured, True
        if first or view is None or (picture.closed ^ view.closed).difference(view.chattering):
            self._handle(picture)

    # Commands

    def obey(self, output: Output) -> None:
        """Carry out a touch, or a wish as if touched."""
        match output:
            case Quit():
                self._running = False
            case NewMatch():
                self._try_to_begin(output)
            case Rematch():
                self._play_again()
            case Resume():
                self._resume(output.number)
            case ChangeSetting():
                self._change(output)
            case Fetch():
                self._fetch(output)
            case AskHint():
                self._services.ask_hint(self._session if self._hints else None)
            case Invite() | AnswerFar() | ClubWish():
                told = self._services.club.obey(output, self._settings.club, self._session)
                self._notices = (*self._opened.notices, *told)
            case Inspect():
                self._inspect(output)
            case _:
                self._handle(output)

    def _play_again(self) -> None:
        """A match like the last; a touch that comes too late must not leave one under way."""
        if self._session and self._session.is_over:
            self.obey(rematch_of(self._session.start))

    def _try_to_begin(self, wanted: NewMatch) -> None:
        try:
            self.begin(wanted)
        except EventError as error:
            self._notices = (*self._opened.notices, error.said)

    def _fetch(self, wish: Fetch) -> None:
        if self._services.librarian:
            self._services.librarian.ask(wish)

    def begin(self, wanted: NewMatch) -> None:
        """Begin a match. Raises EventError if no board at hand suits it."""
        boards = self._services.boards
        if boards and wanted.game not in self._board.games:
            self._lay(boards, boards.boards_of[wanted.game].name)
        times, play = self._settings.times, self._settings.play
        options: dict[str, bool | int | str] = {
            **wanted.options,
            "commit": play.commit,
            # The scanner and its board tell steady edges; waiting again would only add up.
            "debounce_ms": 0 if self._board.scanner else times.debounce_ms,
            "placed_ms": times.placed_ms,
            "grace_ms": times.grace_ms,
            "one_wrong_in": play.one_wrong_in,
        }
        start = Start(
            self._clock(),
            wanted.game,
            self._board_name,
            wanted.match_to,
            wanted.players,
            options,
        )
        journal = self._opened.journal
        session = Session(self._board, start, journal, self._devices.dice, self._typed())
        with suppress(JournalError):
            # The next decision tries again, and says so if it cannot be kept either.
            wall = self._devices.wall
            since = SinceBoot(wall.boot, wall.since_boot_ms()) if wall.boot else None
            journal.begin(start, written(wall.now()), since)
        self._enter(session)
        self._fetch(Fetch(Wanted.LIST))

    def _inspect(self, wish: Inspect) -> None:
        """Look at the sensors while no match is under way; in a match its view tells of them."""
        if wish is Inspect.STOP or self._session:
            self._inspection = None
            return
        if wish is Inspect.CHECK:
            self._health = self._services.check()
            return
        now = self._clock()
        if self._inspection is None:
            self._inspection = Inspection(self._board)
            self._reconciled = Us(-RECONCILE)
            self._reconcile(now)
        if wish is Inspect.WALK:
            self._inspection.walk(now)
        elif wish is Inspect.SKIP:
            self._inspection.skip(now)

    def _resume(self, wanted: MatchId | None = None) -> None:
        journal = self._opened.journal
        try:
            number = wanted or journal.unfinished(self._is_playable)
            if number is None or (self._session and number == journal.writing):
                return
            start = self._own(journal.match(number).start)
            latest = journal.latest_game(number)
            session = Session(
                self._board, start, journal, self._devices.dice, self._typed(), latest
            )
            journal.resume(number)
        except (JournalError, EventError) as error:
            self._notices = (*self._opened.notices, NOT_RESUMED(why=error.said))
            return
        self._enter(session)

    def _own(self, start: Start) -> Start:
        """A match's first event; raises EventError unless its board is at hand."""
        if not self._is_playable(start):
            raise EventError(OTHER_BOARD(board=start.board, ours=self._board_name))
        if self._services.boards and start.board != self._board_name:
            self._lay(self._services.boards, start.board)
        return start

    def _is_playable(self, start: Start) -> bool:
        at_hand = self._services.boards is not None and start.board in self._boards
        return at_hand or is_playable(start, self._board, self._board_name)

    def _lay(self, boards: BoardCatalog, name: str) -> None:
        """Another board takes this one's place; a match that was played on this one is left."""
        board, source = boards.load(name)
        if self._session:
            self._session.close()
            self._session = None
        self._devices.source.close()
        # Queued events are about the other board's sensors.
        while self._heard():
            pass
        self._devices = replace(self._devices, source=source)
        self._board, self._board_name, self._looked = board, name, None

    def _enter(self, session: Session) -> None:
        if self._session:
            self._session.dismiss()
        if seat := session.machine:
            players = self._services.players
            session.oppose(players.opponent(session.game, seat, self._wake, self._play_settings))
        self._services.club.seat(session, self._opened)
        self._notices = self._opened.notices
        self._session, self._inspection = session, None
        self._hints = session.hints(self._settings.coach)
        self._resumable = None
        if SENSORS in self._away:
            self._handle(DeviceLost(self._clock(), SENSORS))
        self._reconciled, self._pictured = Us(-RECONCILE), False
        self._reconcile(self._clock())

    def _play_settings(self) -> PlaySettings:
        return self._settings.play

    def _wake(self) -> None:
        self._queue.put(Tick(self._clock()))

    def _follow_club(self) -> None:
        """A club that was joined or left just now is so at once, and at the next start."""
        if club := self._services.club.changed():
            self._settings = replace(self._settings, club=club)
            self._save()
            self._services.club.enter(club)

    def _save(self) -> None:
        self._notices = self._opened.notices
        try:
            save_settings(self._settings)
        except ValueError as error:
            self._notices = (*self._notices, NOT_SAVED(why=str(error)))

    def _change(self, wanted: ChangeSetting) -> None:
        self._settings = self._settings.changed(wanted.setting, wanted.value)
        self._save()
        if wanted.setting == "screen.language":
            self._language = load_language(self._settings.screen.language)
        self._adjust(wanted.setting)
        if self._session:
            self._session.typed = self._typed()

    def _adjust(self, setting: str) -> None:
        self._notices = (*self._notices, *self._devices.follow(setting, self._settings))
        self._brightness = self._devices.brightness

    def _show(self, now: Us) -> None:
        shown = self._shown()
        self._devices.front.draw(shown, now)
        view = shown.view
        seen = view and view.at(now)
        looks = (seen, self._away, self._language, shown.numbering)
        if self._looked == looks:
            return
        self._looked = looks
        if view:
            self._devices.light(view)
            self._services.club.tell(view)
            if self._devices.watch:
                self._devices.watch(view)
        if self._devices.oled:
            panel = self._panel.speaking(shown.spoken)
            self._devices.oled.show(panel.picture(seen, self._away))

    def _shown(self) -> Shown:
        session = self._session
        unkept = (session.unkept,) if session and session.unkept else ()
        trouble = (session.trouble,) if session and session.trouble else ()
        told = (
            *self._notices,
            *self._opened.alarms,
            *self._services.club.alarms,
            *unkept,
            *trouble,
        )
        return Shown(
            self._board,
            self._faces,
            session.view if session else None,
            self._settings,
            told,
            self._resumable,
            self._devices.source.status(),
            self._away,
            self._language,
            self._boards,
            self._brightness,
            self._services.librarian.shelf if self._services.librarian else EMPTY_SHELF,
            self._opened.journal.writing if session else None,
            self._inspection.shown if self._inspection else None,
            self._services.boards.boards_of if self._services.boards else {},
            self._services.players.names,
            self._services.lesson,
            self._hints,
            self._services.club.question,
            self._services.club.clubhouse(self._settings.club),
            self._health,
        )

    def _typed(self) -> frozenset[Side]:
        return frozenset(side for side in Side if self._settings.play.types(side))
