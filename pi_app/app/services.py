"""What the program runs on: devices, which follow the settings and the view, and services."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pi_app.app.coaching import (
    BacklogWish,
    Coaching,
    ExerciseWish,
    GradeWish,
    HintWish,
)
from pi_app.app.computer import OwnComputer
from pi_app.app.librarian import Librarian
from pi_app.app.membership import Club
from pi_app.app.seats import MachinePlayers
from pi_app.app.session import Session
from pi_app.base.strict import ConfigError
from pi_app.base.threads import Handover, Worker
from pi_app.base.values import dataclass
from pi_app.coach.practice import Puzzle
from pi_app.coach.study import Lesson
from pi_app.coach.training import Coached
from pi_app.devices.backlight import Backlight
from pi_app.devices.clock import WallClock
from pi_app.devices.dice import Dice
from pi_app.devices.oled import SmallDisplay
from pi_app.devices.source import DeviceError, SensorSource
from pi_app.devices.voice import Voice
from pi_app.export.ids import Ids
from pi_app.journal.opening import Opened
from pi_app.match.turns import Phase
from pi_app.phones.phones import Phones
from pi_app.referee.effects import Cue
from pi_app.referee.events import EventError
from pi_app.referee.view import View
from pi_app.screen.sound import Speaker
from pi_app.screen.ui import EMPTY_SHELF, Fitness, Shelf
from pi_app.sensing.description import Board
from pi_app.sensing.reading import ALARMS
from pi_app.user.commands import Fetch, ImportFiles, RollOut
from pi_app.user.settings import Settings
from pi_app.words.sentences import Sentence

if TYPE_CHECKING:
    from pi_app.screen.front import Front

NOT_DIMMED = Sentence("Cannot change the brightness: {why}")


@dataclass(frozen=True, slots=True)
class Devices:
    """The OLED, the voice and the phones may be missing, and so may the backlight if no display can
    be dimmed. A simulated board has no `computer`: it takes no
    `ComputerWish`.

    `watchers` get each view as it is shown.
    """

    source: SensorSource
    front: Front
    speaker: Speaker
    oled: SmallDisplay | None
    dice: Dice = field(default_factory=Dice)
    watchers: tuple[Callable[[View], None], ...] = ()
    backlight: Backlight | None = None
    wall: WallClock = field(default_factory=WallClock)
    voice: Voice | None = None
    phones: Phones | None = None
    computer: OwnComputer | None = None

    @property
    def speaks(self) -> bool:
        """Whether a text could be heard, as far as is known."""
        voice = self.voice
        return voice is not None and not voice.silent and not self.speaker.silent

    @property
    def brightness(self) -> int | None:
        """The display's brightness in per cent; None if it cannot be changed."""
        return self.backlight.percent if self.backlight else None

    def follow(self, setting: str, settings: Settings) -> tuple[str, ...]:
        """Apply a setting that has changed. Return notices about devices that refuse it."""
        match setting:
            case "screen.fullscreen":
                self.front.set_fullscreen(settings.screen.fullscreen)
            case "screen.brightness" if self.backlight:
                try:
                    self.backlight.set(settings.screen.brightness)
                except DeviceError as error:
                    return (NOT_DIMMED(why=str(error)),)
            case "phones.on" | "phones.port" if self.phones:
                self.phones.close()
                if settings.phones.on:
                    self.phones.let_in(settings.phones.port)
            case "sound.on" | "sound.volume":
                self.speaker.on = settings.sound.on
                self.speaker.set_volume(settings.sound.volume)
                self.speaker.play(Cue.LEGAL)
        return ()

    def play(self, cue: Cue) -> None:
        """Sound a cue on the loudspeaker, the board and the phones."""
        self.speaker.play(cue)
        self.source.beep(cue)
        if self.phones:
            self.phones.play(cue.value)

    def light(self, view: View) -> None:
        """Light the legal targets or the machine's play; blink the spots to be corrected."""
        if view.board in ALARMS or view.phase is Phase.SET_UP:
            self.source.lights(frozenset(), frozenset(view.fill + view.clear))
        else:
            to_make = (spot for move in view.to_make for spot in (move.origin, move.target))
            self.source.lights(frozenset(view.targets or to_make), frozenset())

    def close(self) -> None:
        for device in (self.source, self.voice, self.speaker, self.front, self.oled, self.computer):
            if device:
                device.close()


NOT_LAID = Sentence("Cannot switch to board {board}: {why}")


@dataclass(frozen=True, slots=True)
class BoardCatalog:
    """The boards at hand that can replace the one in use.

    `boards_of` has the usual board of each game. `fetch` opens a board by its name; if it raises
    ConfigError or DeviceError the present board stays.
    """

    boards_of: Mapping[str, Board]
    fetch: Callable[[str], tuple[Board, SensorSource]]

    def load(self, name: str) -> tuple[Board, SensorSource]:
        """Raises EventError if the board cannot be opened."""
        try:
            return self.fetch(name)
        except (ConfigError, DeviceError) as error:
            raise EventError(NOT_LAID(board=name, why=str(error))) from None


@dataclass(frozen=True, slots=True)
class Services:
    """All but the journal may be missing; a club may be joined later.

    `librarian` reads the stored matches, `coaching` gives hints and analyses, `check` examines this
    computer. `left` is what their threads leave to the loop. `puzzles` are asked on the screen,
    `ids` reads other programs' positions.
    """

    opened: Opened
    librarian: Librarian | None = None
    coaching: Coaching | None = None
    boards: BoardCatalog | None = None
    players: MachinePlayers = field(default_factory=MachinePlayers)
    club: Club = field(default_factory=Club)
    check: Callable[[], tuple[tuple[str, Fitness], ...]] = tuple
    left: Handover = field(default_factory=lambda: Handover(lambda: None))
    puzzles: tuple[Puzzle, ...] = ()
    ids: Ids | None = None

    @property
    def lesson(self) -> Lesson | None:
        return self.coaching.lesson if self.coaching else None

    @property
    def coached(self) -> Coached:
        return self.coaching.coached if self.coaching else Coached()

    @property
    def shelf(self) -> Shelf:
        return self.librarian.shelf if self.librarian else EMPTY_SHELF

    def fetch(self, wish: Fetch | ImportFiles) -> None:
        if self.librarian:
            self.librarian.ask(wish)

    def ask_hint(self, session: Session | None) -> None:
        """Ask for the best play of this turn."""
        if self.coaching and session:
            self.coaching.ask(HintWish(session.start, session.view))

    def coach(self, wish: ExerciseWish | GradeWish | BacklogWish | RollOut) -> None:
        if self.coaching:
            self.coaching.ask(wish)

    def start(self) -> None:
        for worker in self._workers:
            worker.start()

    def close(self) -> None:
        self.left.close()
        for worker in self._workers:
            worker.close()

    @property
    def _workers(self) -> Iterator[Worker[Any]]:
        yield from filter(None, (self.librarian, self.coaching, self.club))
