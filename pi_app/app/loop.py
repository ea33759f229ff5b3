"""The running program: one queue, one loop, and everything connected to them.

Callbacks and threads put events on the queue. The loop passes them to the session and shows what
has changed. Displays never delay the sensing. Missing devices are reported and skipped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cached_property
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from pi_app.app.coaching import (
    AnsweredExercise,
    BacklogWish,
    ExerciseWish,
    GradeWish,
    Tutor,
)
from pi_app.app.librarian import NOT_TOLD, is_playable, unfinished
from pi_app.app.linking import rematch_of
from pi_app.app.retelling import RetoldSession, start_of_stop
from pi_app.app.seats import Opponent
from pi_app.app.services import BoardCatalog, Devices, Services
from pi_app.app.session import Practice, Session
from pi_app.app.speaking import Speaking, voices
from pi_app.app.training import Drill
from pi_app.base.errors import GivenError
from pi_app.base.microseconds import Us, ms
from pi_app.base.threads import drained
from pi_app.boards import board_names
from pi_app.coach.retelling import Guesses, RetoldMatch, retold
from pi_app.coach.training import Coached, Exercise, Graded, decides, due
from pi_app.devices.source import SENSORS, DeviceError
from pi_app.export.retold import Kept
from pi_app.journal.disk import JournalError
from pi_app.journal.rows import SinceBoot
from pi_app.languages import load_language
from pi_app.match.origin import read_problem
from pi_app.phones.phones import Phones
from pi_app.referee.controls import is_slip
from pi_app.referee.events import (
    Button,
    DeviceLost,
    Event,
    EventError,
    Found,
    MachineSeat,
    MatchId,
    Picture,
    Press,
    SensorEdge,
    Start,
    Tick,
)
from pi_app.referee.options import MOST_AUTOMATIC, NOBODY, TUTOR
from pi_app.rules.contract import AUTOMATIC, AnyGame, Games
from pi_app.rules.terms import RulesError, Side
from pi_app.screen.face import Face
from pi_app.screen.ui import Fitness, Inspected, PhoneLinks, Shown, TrialPart, WalkTest, games_of
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.walk import Walk, WalkStage, report
from pi_app.speech.answers import Query
from pi_app.user.agreement import Form, new_match
from pi_app.user.commands import (
    AnswerFar,
    AskHint,
    ChangeSetting,
    ClubWish,
    ComputerWish,
    DeleteMatch,
    Fetch,
    ForgetFriend,
    ForgetPhones,
    ImportFiles,
    Inspect,
    Invite,
    NewMatch,
    Output,
    PlayTour,
    PutBack,
    Quit,
    Rematch,
    Resume,
    Retell,
    RollOut,
    SayAloud,
    SayFar,
    SayWayIn,
    ShowCode,
    TakeCode,
    TouchSpot,
    Train,
    Wanted,
)
from pi_app.user.settings import ITSELF, SETTINGS, Settings, save_settings
from pi_app.words.sentences import Sentence
from pi_app.words.wall_time import written

if TYPE_CHECKING:
    from pi_app.panel.picture import Panel

TICK, UNSEEN_TICK = ms(50), ms(100)
"""The period of display updates while idle, with and without a display of the board's own.

A window is asked for touches at each tick; phones and sensors wake the loop.
"""
FRAME = Us(16_000)
"""Time until the next picture while something moves."""
ROUND = ms(40)
"""The longest time of taking events before the next picture."""
MOST_AT_ONCE = 100
"""The most events taken before the clock is looked at again."""
STALL = ms(300)
"""A longer pause than any normal rest or work of the loop."""
CATCH_UP_S = 0.05
"""The longest that edges may be late after a stall; each carries its own time."""
RECONCILE = ms(2000)
"""The period of reading all sensors, because an edge can be lost."""

SPEECH = tuple(name for name in SETTINGS if name.startswith("speech."))

REDATE = ms(10_000)
"""The period of checking whether the network has set the clock."""


NOT_RESUMED = Sentence("Cannot resume the match: {why}")
NOT_SAVED = Sentence("Settings not saved: {why}")
NO_VOICE = Sentence("Speech is silent: {why}")
OTHER_VOICE = Sentence("Another voice speaks: {why}")
OTHER_BOARD = Sentence("it needs board {board}; this is {ours}")


class Inspection:
    """Follows a board's contacts before a match; all count as open until it hears of them."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._closed: frozenset[Sensor] = frozenset()
        self._parts: frozenset[TrialPart] = frozenset()
        self._lifted: frozenset[Sensor] = frozenset()
        self._walk: Walk | None = None

    @property
    def shown(self) -> Inspected:
        """The result for the screen, with the walk test's report at its end."""
        walk = self._walk
        if walk is None:
            return Inspected(self._closed, parts=self._parts)
        lines = report(walk) if walk.ask.stage is WalkStage.OVER else ()
        return Inspected(self._closed, WalkTest(walk.ask, walk.tried, walk.findings, lines))

    @property
    def due(self) -> Us | None:
        return self._walk.due if self._walk else None

    def handle(self, event: Event) -> None:
        """Take a changed contact or a full reading. The button is handled elsewhere."""
        match event:
            case SensorEdge(us=us, sensor=sensor, closed=closed):
                self._closed = self._closed | {sensor} if closed else self._closed - {sensor}
                self._try(sensor, closed)
                if self._walk:
                    self._walk.edge(us, sensor, closed)
            case Picture(us=us, closed=all_closed):
                self._closed = all_closed
                if self._walk:
                    self._walk.picture(us, all_closed)
            case Button(us=us, press=Press.SHORT):
                self._parts |= {TrialPart.PRESSED}
                self.skip(us)

    def _try(self, sensor: Sensor, closed: bool) -> None:
        """A checker counts as put down only where none was lifted, because a reed can bounce."""
        if not closed:
            self._lifted |= {sensor}
            self._parts |= {TrialPart.LIFTED}
        elif self._lifted and sensor not in self._lifted:
            self._parts |= {TrialPart.PUT}

    def advance(self, us: Us) -> None:
        if self._walk:
            self._walk.advance(us)

    def walk(self, us: Us) -> None:
        self._walk = Walk(self._board, us, self._closed)

    def skip(self, us: Us) -> None:
        if self._walk:
            self._walk.skip(us)


# Why one queue and one loop: the referee then sees all that happens in one order, and a journal
# that is replayed gives the same match. Nothing needs a lock, because only the loop changes the
# session. A callback only puts an event on the queue: gpiozero runs all callbacks on one thread, so
# one that worked or raised would silence every input. An edge carries the kernel's own time, so a
# loop that is late still knows when it was.


class App:
    """The running program; `run` returns when the players quit.

    `board_name` is what a match's `start` event calls the board, a name or a path; `faces` say how
    its games look.
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
        self._tick = UNSEEN_TICK if settings.screen.display == "none" else TICK
        self._speaking = Speaking(devices.voice, settings)
        self._tutoring = Tutor(services.coaching) if services.coaching else None
        self._last_press = Us(-STALL)
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
        self._on_oled: object = None
        self._running = True
        self._hints = False
        self._health: tuple[tuple[str, Fitness], ...] = ()
        self._resumable = unfinished(self._opened.journal, board.games, self._is_playable)
        if settings.screen.brightness != SETTINGS["screen.brightness"].default:
            self._adjust("screen.brightness")
        self._brightness = devices.brightness
        self._services.fetch(Fetch(Wanted.LIST))
        self._look_at_backlog()

    @property
    def alarms(self) -> tuple[str, ...]:
        """What players are told as long as it lasts, and why the last wish failed."""
        return (*self._notices, *self._opened.alarms, *self._services.club.alarms)

    def stop(self) -> None:
        """End the loop soon. May be called in a signal handler."""
        self._running = False
        self._wake()

    def run(self) -> None:
        awake = self._clock()
        while self._running:
            self._await(self._patience())
            before, awake = awake, self._clock()
            if awake - before > STALL:
                # The whole process stood still: time must not pass before what happened in it.
                time.sleep(CATCH_UP_S)
            self.step()

    def close(self) -> None:
        if self._session:
            self._session.close()
        self._services.close()
        self._devices.close()

    def step(self) -> None:
        """One round of the loop: take the waiting events in order, then show the result."""
        now = self._clock()
        self._devices.source.advance(now)
        if self._listen(now):
            self._let_pass(now)
        is_busy = self._session is not None and not self._session.is_over
        touched = self._devices.front.poll(self._shown(), now)
        if touched:
            self._speaking.touch()
        for output in (*touched, *self._services.club.agreed(now, is_busy=is_busy)):
            self.obey(output)
        self._follow_club()
        self._services.left.serve()
        if (tutor := self._tutor) and (session := self._session):
            tutor.follow(session.start, session.view)
        self._show(now)

    def _await(self, patience: Us) -> None:
        with suppress(Empty):
            self._first.append(self._queue.get(timeout=patience / 1e6))

    def _listen(self, now: Us) -> bool:
        """Take events for at most one round, because a flood of edges must not starve the rest.

        Return whether the queue is empty.
        """
        while events := self._heard():
            for event in events:
                self._handle(event)
            if self._clock() >= now + ROUND:
                return False
        return True

    def _heard(self) -> list[Event]:
        """The queued events, sorted, because threads and long presses add theirs late."""
        events = [*self._first, *islice(drained(self._queue), MOST_AT_ONCE)]
        self._first = []
        return sorted(events, key=lambda event: event.us)

    def _let_pass(self, now: Us) -> None:
        if self._session and (due := self._session.due) is not None and due <= now:
            self._handle(Tick(now))
        if isinstance(self._session, Drill):
            self._follow_drill(self._session)
        elif isinstance(self._session, RetoldSession):
            self._follow_retelling(self._session)
        if self._inspection:
            self._inspection.advance(now)
        self._reconcile(now)
        self._redate(now)

    def _patience(self) -> Us:
        now = self._clock()
        parts = (self._devices.source, self._session, self._inspection, self._speaking)
        dues = [part.due for part in parts if part]
        waits = [Us(due - now) for due in dues if due is not None]
        tick = FRAME if self._devices.front.moving else self._tick
        return max(Us(0), min([tick, *waits]))

    def _handle(self, event: Event) -> None:
        if isinstance(event, DeviceLost | Found):
            self._follow(event)
            if event.device != SENSORS:
                return  # no match depends on it
        if isinstance(event, Button) and self._is_heard_again(event):
            return
        if not self._session:
            self._handle_before_a_match(event)
            return
        if tutor := self._tutor:
            least = self._settings.coach.tutor_from
            for each in tutor.heed(event, self._session, least):
                self._pass_on(self._session, each)
        else:
            self._pass_on(self._session, event)

    def _pass_on(self, session: Session, event: Event) -> None:
        if isinstance(event, Button) and is_slip(event.us, self._pressed):
            return  # the second half of the press that resumed the match
        try:
            cues = session.handle(event)
        except EventError as error:
            self._tell(error.said)
            return
        for cue in cues:
            self._devices.play(cue)
        if session.to_read:
            self._devices.source.read_levels(session.to_read)
        if isinstance(event, SensorEdge):
            self._speaking.touch()

    @property
    def _tutor(self) -> Tutor | None:
        """The tutor, if he may warn in this match; else None."""
        session = self._session
        if session is None or session.view.tour:
            return None
        side = session.start.options.get(TUTOR, NOBODY)
        if side not in (NOBODY, session.view.to_act.value):
            return None
        allowed = self._settings.coach.speaks_up(session.view.terms, agreed=side != NOBODY)
        return self._tutoring if allowed else None

    def _handle_before_a_match(self, event: Event) -> None:
        if self._inspection:
            self._inspection.handle(event)
        elif isinstance(event, Button) and self._resumable:
            self._pressed = event.us
            self._resume()

    def _is_heard_again(self, button: Button) -> bool:
        """Handle presses for players who cannot see the screen. Return whether that is all.

        A double press repeats the last words. Without a match a long press turns speech on or off,
        or, while a board without a display has no phone, says how a phone gets in.
        """
        again, self._last_press = is_slip(button.us, self._last_press), button.us
        if self._session is None and button.press is Press.LONG:
            if (phones := self._unseen_phones) and not phones.links.count:
                self._tend(SayWayIn())
                return True
            detail = self._settings.speech.told
            self._change(ChangeSetting("speech.told", "off" if detail == "all" else "all"))
            return True
        if again and self._settings.speech.told != "off":
            self._ask(SayAloud(Query.AGAIN))
        return False

    def _ask(self, wish: SayAloud | AskHint | RollOut) -> None:
        if isinstance(wish, RollOut):
            self._services.coach(wish)
            return
        if isinstance(wish, AskHint):
            self._services.ask_hint(self._session if self._hints else None)
            return
        view = self._session.view if self._session else None
        self._speaking.ask(wish.question, view, self._clock())

    def _follow(self, event: DeviceLost | Found) -> None:
        """A device was lost or found, in a match or outside one."""
        others = tuple(device for device in self._away if device != event.device)
        self._away = (*others, event.device) if isinstance(event, DeviceLost) else others

    def _tell(self, *notices: str) -> None:
        """Show these notices after those of the start."""
        self._notices = (*self._opened.notices, *notices)

    def _redate(self, now: Us) -> None:
        """If the clock was set, correct the dates of matches that began before."""
        wall = self._devices.wall
        if now - self._redated < REDATE:
            return
        self._redated = now
        if not wall.was_set():
            return
        with suppress(JournalError):
            # A failed write waits for the next decision.
            if self._opened.journal.redate(wall.boot, wall.at):
                self._services.fetch(Fetch(Wanted.LIST))

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
            # Edges from before it may have been queued meanwhile.
            self._first.append(picture)
            self._listen(now)

    # Commands

    def obey(self, output: Output) -> None:
        """Carry out a touch or a wish."""
        match output:
            case Quit():
                self._running = False
            case NewMatch() | Rematch() | Resume() | PlayTour() | Train() | Retell():
                self._play(output)
            case ChangeSetting():
                self._change(output)
            case Fetch() | ImportFiles():
                self._services.fetch(output)
            case DeleteMatch(number):
                self._delete(number)
            case SayAloud() | AskHint() | RollOut():
                self._ask(output)
            case (
                Invite()
                | AnswerFar()
                | ClubWish()
                | ShowCode()
                | TakeCode()
                | SayFar()
                | ForgetFriend()
            ):
                club = self._services.club
                self._tell(*club.obey(output, self._settings.club, self._session))
            case Inspect() | ForgetPhones() | SayWayIn() | ComputerWish():
                self._tend(output)
            case TouchSpot() | PutBack():
                pass  # the board here has hands
            case _:
                self._handle(output)

    def _delete(self, number: MatchId) -> None:
        try:
            self._opened.journal.delete(number)
        except JournalError as error:
            self._tell(error.said)
        self._services.fetch(Fetch(Wanted.LIST))

    def _play(self, wish: NewMatch | Rematch | Resume | PlayTour | Train | Retell) -> None:
        match wish:
            case NewMatch():
                self._try_to_begin(wish)
            case Rematch():
                self._play_again()
            case Resume(number):
                self._resume(number)
            case PlayTour(None) | Train(None) | Retell(None):
                self._leave_tour()
            case Retell(int() as match, decision, guesses):
                self._begin_retelling(match, decision, guesses=guesses)
            case Train(str() as name, position):
                self._train(name, Exercise(position) if position else None)
            case PlayTour(NewMatch() as match):
                self._begin_tour(match)

    def _play_again(self) -> None:
        """Begin a rematch. A touch that comes too late must not leave a match under way."""
        if self._session and self._session.is_over:
            self.obey(rematch_of(self._session.start))

    def _try_to_begin(self, wanted: NewMatch) -> None:
        try:
            self.begin(wanted)
        except EventError as error:
            self._tell(error.said)

    def begin(self, wanted: NewMatch) -> None:
        """Begin a match. Raises EventError if no board at hand has its game."""
        start, journal = self._agreed(wanted), self._opened.journal
        session = Session(self._board, start, journal, self._devices.dice, self._typed())
        with suppress(JournalError):
            # The next decision tries again, and says so if it cannot be kept either.
            wall = self._devices.wall
            since = SinceBoot(wall.boot, wall.since_boot_ms()) if wall.boot else None
            journal.begin(start, written(wall.now()), since)
        self._enter(session)
        self._services.fetch(Fetch(Wanted.LIST))

    def _agreed(self, wanted: NewMatch) -> Start:
        """Return the match's start under the present settings, on a board at hand."""
        boards = self._services.boards
        if boards and wanted.game not in self._board.games.matches:
            self._lay(boards, boards.boards_of[wanted.game].name)
        times, play = self._settings.times, self._settings.play
        automatic = wanted.options.get(AUTOMATIC.name)
        options: dict[str, bool | int | str] = {
            **wanted.options,
            **({MOST_AUTOMATIC: play.automatic_doubles} if automatic else {}),
            "commit": play.commit,
            # The scanner and its board tell steady edges; waiting again would only add up.
            "debounce_ms": 0 if self._board.scanner else times.debounce_ms,
            "placed_ms": times.placed_ms,
            "grace_ms": times.grace_ms,
            "one_wrong_in": play.one_wrong_in,
        }
        return Start(
            self._clock(),
            wanted.game,
            self._board_name,
            wanted.match_to,
            wanted.players,
            options,
        )

    def _begin_tour(self, match: NewMatch) -> None:
        """Begin the tour, unless a match is under way."""
        if self._session and not self._session.is_over:
            return
        try:
            start = self._agreed(match)
            self._enter(Practice(self._board, start))
        except EventError as error:
            self._tell(error.said)

    def _train(self, name: str, first: Exercise | None = None) -> None:
        """Begin the exercise unasked for longest, or `first`; not while a match is under way."""
        if self._is_busy:
            return
        games, costly = self._games_at_hand, self._settings.coach.costly
        left = due(self._services.coached.training.of(name, games, costly), self._today)
        known = first is None or first.position in {one.position for one in left}
        count = len(left) + (not known)
        for exercise in (*((first,) if first else ()), *left):
            try:
                problem = read_problem(exercise.position, games)
                players = (name, "") if decides(problem, games) is Side.WHITE else ("", name)
                form = Form(players, problem.match_to, position=problem)
                start = self._agreed(new_match(form, games.match(problem.game)))
                coached = lambda: self._services.coached  # noqa: E731
                drill = Drill(self._board, start, name, exercise, count, coached)
            except (EventError, RulesError) as error:
                self._tell(error.said)
            else:
                self._enter(drill)
                self._services.coach(ExerciseWish(drill.start))
                return
        self._leave_tour()

    @property
    def _is_busy(self) -> bool:
        """Whether a match is under way, which nothing may interrupt."""
        return bool(self._session and not self._session.view.tour and not self._session.is_over)

    def _begin_retelling(self, number: MatchId, decision: int, *, guesses: bool) -> None:
        """Play a stored match through from this decision on; not while a match is under way."""
        if self._is_busy:
            return
        known, past = self._session, Guesses()
        if isinstance(known, RetoldSession) and known.match.match == number:
            match, past = known.match, known.guesses
            if guesses is (match.guessed is not None):
                self._retell(match, match.place(decision), past)
                return
        try:
            journal = self._opened.journal
            summary = journal.match(number)
            kept = Kept(summary.start, tuple(journal.decisions(number)), self._games_at_hand)
            match = retold(number, kept, summary.score, guesses=guesses)
        except (JournalError, GivenError) as error:
            self._tell(NOT_TOLD(why=error.said))
        else:
            self._retell(match, match.place(decision), past)

    def _retell(self, match: RetoldMatch, place: int, guesses: Guesses) -> None:
        """Open a stop of a stored match."""
        stop = match.stops[place]
        try:
            problem, games = stop.problem, self._games_at_hand
            form = Form(match.players, problem.match_to, position=problem)
            start = self._agreed(new_match(form, games.match(problem.game)))
            start = start_of_stop(start, match, place)
            coached = lambda: self._coached_at(start)  # noqa: E731
            retelling = RetoldSession(self._board, start, match, place, guesses, coached)
        except (EventError, RulesError) as error:
            self._tell(NOT_TOLD(why=error.said))
            return
        self._enter(retelling)
        if retelling.is_guessed:
            self._services.coach(ExerciseWish(start))

    def _coached_at(self, start: Start) -> Coached:
        """What the coach knows; without a coach he has no opinion."""
        if self._services.coaching:
            return self._services.coached
        from pi_app.screen.pages.coach import NO_COACH  # noqa: PLC0415, a start waits for no page

        return Coached(graded=Graded(start, None, NO_COACH()))

    def _follow_retelling(self, retelling: RetoldSession) -> None:
        """Have a guess graded; after a press or a play, go on to what follows."""
        if (step := retelling.step) is not None:
            place = max(0, retelling.place + step)
            if place < len(retelling.match.stops):
                self._retell(retelling.match, place, retelling.guesses)
            else:
                self._leave_tour()
        elif retelling.decision and retelling.is_guessed and not retelling.is_asked:
            retelling.is_asked = True
            played = retelling.stop.decision
            self._services.coach(GradeWish(retelling.start, retelling.decision, played=played))

    def _follow_drill(self, drill: Drill) -> None:
        """Have a new answer graded; after a press, go on to what follows."""
        if drill.done:
            self._train(drill.name, drill.exercise if drill.again else None)
        elif drill.decision and not drill.is_asked:
            drill.is_asked = True
            answered = AnsweredExercise(drill.name, drill.exercise.position, self._today)
            self._services.coach(GradeWish(drill.start, drill.decision, answered))

    @property
    def _today(self) -> date:
        return self._devices.wall.now().astimezone().date()

    @property
    def _games_at_hand(self) -> Games:
        boards = self._services.boards.boards_of if self._services.boards else {}
        return games_of(boards, self._board)

    def _leave_tour(self) -> None:
        if self._session and self._session.view.tour:
            self._session = None
            self._speaking.begin(resumed=False)
            self._devices.source.lights(frozenset(), frozenset())
            self._resumable = unfinished(self._opened.journal, self._board.games, self._is_playable)

    def _tend(self, wish: Inspect | ForgetPhones | SayWayIn | ComputerWish) -> None:
        """Carry out a wish about the devices."""
        match wish:
            case Inspect():
                self._inspect(wish)
            case ForgetPhones() if self._devices.phones:
                self._devices.phones.forget()
            case SayWayIn() if self._devices.phones and self._devices.speaks:
                now = self._clock()
                self._speaking.announce(self._devices.phones.way_in(now), now)
            case ComputerWish() if self._devices.computer:
                self._devices.computer.ask(wish)

    def _inspect(self, wish: Inspect) -> None:
        """Read the sensors while no match is under way; in a match its view shows them."""
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
            if number is None or number == self._playing:
                return
            start = self._with_its_board(journal.match(number).start)
            latest = journal.latest_game(number)
            session = Session(
                self._board, start, journal, self._devices.dice, self._typed(), latest
            )
            journal.resume(number)
        except (JournalError, EventError) as error:
            self._tell(NOT_RESUMED(why=error.said))
            return
        self._enter(session, resumed=True)

    @property
    def _playing(self) -> MatchId | None:
        """The stored match that is under way, if any."""
        stored = self._session is not None and self._session.is_stored
        return self._opened.journal.writing if stored else None

    def _with_its_board(self, start: Start) -> Start:
        """Return the start after laying its board; raises EventError if that is not at hand."""
        if not self._is_playable(start):
            raise EventError(OTHER_BOARD(board=start.board, ours=self._board_name))
        if self._services.boards and start.board != self._board_name:
            self._lay(self._services.boards, start.board)
        return start

    def _is_playable(self, start: Start) -> bool:
        at_hand = self._services.boards is not None and start.board in self._boards
        return at_hand or is_playable(start, self._board, self._board_name)

    def _lay(self, boards: BoardCatalog, name: str) -> None:
        """Replace the board by another one; a match on this one is left."""
        board, source = boards.load(name)
        if self._session:
            self._session.close()
            self._session = None
        self._devices.source.close()
        # Queued events are about the other board's sensors.
        while self._heard():
            pass
        self._devices = replace(self._devices, source=source)
        self._board, self._board_name = board, name
        self._looked = self._on_oled = None

    def _enter(self, session: Session, *, resumed: bool = False) -> None:
        self._speaking.begin(resumed=resumed)
        if self._session:
            self._session.dismiss()
        if seat := session.machine:
            session.oppose(self._opponent(session.game, seat))
        self._services.club.seat(session, self._opened)
        self._tell()
        self._session, self._inspection = session, None
        self._hints = session.hints(self._settings.coach)
        self._resumable = None
        if SENSORS in self._away:
            self._handle(DeviceLost(self._clock(), SENSORS))
        self._reconciled, self._pictured = Us(-RECONCILE), False
        self._reconcile(self._clock())

    def _opponent(self, game: AnyGame, seat: MachineSeat) -> Opponent:
        def rolls() -> bool:
            """An engine cannot roll real dice."""
            play = self._settings.play
            return play.machine_rolls == ITSELF and not play.types(seat.side)

        players = self._services.players
        return Opponent(game, seat, players.call, players.lots, self._wake, rolls)

    def _wake(self) -> None:
        self._queue.put(Tick(self._clock()))

    def _follow_club(self) -> None:
        """Enter or leave a club that was just joined or left."""
        if club := self._services.club.changed():
            self._settings = replace(self._settings, club=club)
            self._save()
            self._services.club.enter(club, self._settings.friends)

    def _save(self) -> None:
        self._tell()
        try:
            save_settings(self._settings)
        except ValueError as error:
            self._tell(NOT_SAVED(why=str(error)))

    def _change(self, wanted: ChangeSetting) -> None:
        self._settings = self._settings.changed(wanted.setting, wanted.value)
        self._save()
        if wanted.setting == "screen.language":
            self._language = load_language(self._settings.screen.language)
        self._adjust(wanted.setting)
        if wanted.setting in ("coach.backlog", "coach.me"):
            self._look_at_backlog()
        if wanted.setting in (*SPEECH, "screen.language"):
            self._speaking.set(self._settings.speech)
            if self._devices.voice:
                self._devices.voice.become(voices(self._settings), self._settings.speech.volume)
        if self._session:
            self._session.typed = self._typed()

    def _look_at_backlog(self) -> None:
        """Have the matches analysed that are not, if that is wanted."""
        coach = self._settings.coach
        self._services.coach(BacklogWish(coach.backlog, coach.me))

    def _adjust(self, setting: str) -> None:
        self._notices = (*self._notices, *self._devices.follow(setting, self._settings))
        self._brightness = self._devices.brightness

    @property
    def _unseen_phones(self) -> Phones | None:
        """The phones of a board without a display, before a match, if the board can speak."""
        is_unseen = self._settings.screen.display == "none" and self._session is None
        return self._devices.phones if is_unseen and self._devices.speaks else None

    def _show(self, now: Us) -> None:
        shown, front = self._shown(), self._devices.front
        front.draw(shown, now)
        if (phones := self._unseen_phones) and (way_in := phones.way_in_due(now)):
            self._speaking.announce(way_in, now)
        page = front.heard if self._speaking.reads_pages else None
        self._speaking.follow(shown, page, now, rolling=front.rolling)
        plays = self._session is not None and self._settings.sound.on
        self._devices.speaker.stay_open(plays or self._settings.speech.told != "off")
        view = shown.view
        seen = view and view.at(now)
        # Without a match the OLED shows how a phone becomes a screen.
        code = shown.phones.play_code if view is None else None
        looks = (seen, self._away, self._language, shown.numbering, code)
        if self._looked != looks:
            self._looked = looks
            if view:
                self._devices.light(view)
                if not view.tour:
                    self._services.club.tell(view)
                for watch in self._devices.watchers:
                    watch(view)
        # The OLED does not tell a roll before the dice on the screen lie still.
        if self._devices.oled and self._on_oled != looks and not front.rolling:
            self._on_oled = looks
            panel = self._panel.speaking(shown.spoken)
            picture = (
                panel.invitation(code.size, code.dark) if code else panel.picture(seen, self._away)
            )
            self._devices.oled.show(picture)

    @cached_property
    def _panel(self) -> Panel:
        # Without an OLED nothing needs this, and Pillow.
        from pi_app.panel.picture import Panel  # noqa: PLC0415

        return Panel()

    def _shown(self) -> Shown:
        session = self._session
        of_match = (session.unkept, session.trouble) if session else ()
        voice = self._devices.voice
        spoken = NO_VOICE if voice and voice.silent else OTHER_VOICE
        mute = (spoken(why=voice.trouble),) if voice and voice.trouble else ()
        alarms = (*mute, *self._opened.alarms, *self._services.club.alarms, *filter(None, of_match))
        return Shown(
            self._board,
            self._faces,
            session.view if session else None,
            self._settings,
            (*self._notices, *alarms),
            self._resumable,
            self._devices.source.status(),
            self._away,
            self._language,
            self._boards,
            self._brightness,
            self._services.shelf,
            self._playing,
            self._inspection.shown if self._inspection else None,
            self._services.boards.boards_of if self._services.boards else {},
            self._services.players.rivals,
            self._services.lesson,
            self._hints,
            self._services.club.question,
            self._services.club.clubhouse(self._settings.club),
            self._health,
            self._services.coached,
            self._today.isoformat(),
            self._devices.phones.links if self._devices.phones else PhoneLinks(),
            self._services.puzzles,
            self._services.ids,
            self._devices.computer.said if self._devices.computer else None,
        )

    def _typed(self) -> frozenset[Side]:
        return frozenset(side for side in Side if self._settings.play.types(side))
