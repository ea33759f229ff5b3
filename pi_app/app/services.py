"""The program's services besides devices: other boards, opponents, the coach, old matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pi_app.app.coaching import Coaching, HintWish
from pi_app.app.librarian import Librarian
from pi_app.app.membership import Club
from pi_app.app.seats import MachinePlayers
from pi_app.app.session import Session
from pi_app.coach.study import Lesson
from pi_app.devices.source import DeviceError, SensorSource
from pi_app.journal.opening import Opened
from pi_app.referee.events import EventError
from pi_app.screen.ui import Fitness
from pi_app.sensing.description import Board
from pi_app.strict import ConfigError
from pi_app.words.sentences import Sentence

NOT_LAID = Sentence("Cannot switch to board {board}: {why}")


@dataclass(frozen=True, slots=True)
class BoardCatalog:
    """Boards at hand that can replace the one in use.

    `boards_of` has the usual board of each game.  `fetch` opens a board by its name; it raises
    ConfigError or DeviceError, and the present one stays.
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

    `librarian` reads the stored matches, `coaching` gives hints and analyses.
    `check` looks over this computer.
    """

    opened: Opened
    librarian: Librarian | None = None
    coaching: Coaching | None = None
    boards: BoardCatalog | None = None
    players: MachinePlayers = field(default_factory=MachinePlayers)
    club: Club = field(default_factory=Club)
    check: Callable[[], tuple[tuple[str, Fitness], ...]] = tuple

    @property
    def lesson(self) -> Lesson | None:
        return self.coaching.lesson if self.coaching else None

    def ask_hint(self, session: Session | None) -> None:
        """Ask for the best play of this turn."""
        if self.coaching and session:
            self.coaching.ask(HintWish(session.start, session.view))

    def close(self) -> None:
        for service in (self.librarian, self.coaching, self.club):
            if service:
                service.close()
