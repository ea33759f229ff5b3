"""What the program runs on, and how that follows the settings."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from pi_app.app.coaching import Coaching, HintWish
from pi_app.app.librarian import Librarian
from pi_app.app.linking import Linking, seat_of
from pi_app.app.membership import LINKED_NOW, ClubMember, InClub, Membership
from pi_app.app.opponent import CallThinker, Opponent, call_nobody
from pi_app.app.session import Session
from pi_app.app.touchscreen import Front
from pi_app.club.linked.wording import NO_CLUB
from pi_app.coach.study import Lesson
from pi_app.commands import AnswerFar, ClubWish, Invite, NewMatch, Output
from pi_app.devices.backlight import Backlight
from pi_app.devices.clock import WallClock
from pi_app.devices.dice import Dice
from pi_app.devices.oled import SmallDisplay
from pi_app.devices.source import DeviceError, SensorSource
from pi_app.journal.opening import Opened
from pi_app.match.turns import Phase
from pi_app.microseconds import Us
from pi_app.referee.effects import Cue
from pi_app.referee.events import MACHINE, MACHINE_PLAYER, Start
from pi_app.referee.lines import EventError
from pi_app.referee.view import View
from pi_app.screen.clubhouse import Clubhouse
from pi_app.screen.sound import Speaker
from pi_app.screen.ui import Shown
from pi_app.sensing.description import Board
from pi_app.sensing.reading import ALARMS
from pi_app.settings import ITSELF, ClubSettings, PlaySettings, Settings
from pi_app.strict import ConfigError
from pi_app.words.sentences import Sentence

NOT_LAID = Sentence("Cannot switch to board {board}: {why}")
NOT_DIMMED = Sentence("Cannot change the brightness: {why}")


@dataclass(frozen=True, slots=True)
class Cupboard:
    """Boards at hand that can take the place of the one that is played on.

    `boards_of` has the usual board of each game that can be played.  `fetch` brings a board by its
    name; it raises ConfigError or DeviceError, and the other one stays.
    """

    boards_of: Mapping[str, Board]
    fetch: Callable[[str], tuple[Board, SensorSource]]

    def bring(self, name: str) -> tuple[Board, SensorSource]:
        """A board and its sensors; raises EventError for one that cannot be had."""
        try:
            return self.fetch(name)
        except (ConfigError, DeviceError) as error:
            raise EventError(NOT_LAID(board=name, why=str(error))) from None


@dataclass(frozen=True, slots=True)
class MachinePlayers:
    """The machine's players: their `names` by game, the strongest first, and how one is called.

    Among plays that a player finds alike `lots` are drawn.
    """

    names: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    call: CallThinker = call_nobody
    lots: random.Random = field(default_factory=random.SystemRandom)

    def oppose(
        self, session: Session, wake: Callable[[], None], play: Callable[[], PlaySettings]
    ) -> None:
        """Where the machine has a side in this match, its player is called.

        `wake` is called on any thread once it has said something; `play` are the settings then.
        """
        if session.machine is None:
            return
        side = session.machine.side

        def rolls() -> bool:
            """Whether it rolls by itself; real dice it cannot."""
            return play().machine_rolls == ITSELF and not play().types(side)

        game, seat = session.game, session.machine
        session.oppose(Opponent(game, seat, self.call, self.lots, wake, rolls))


@dataclass(frozen=True, slots=True)
class Devices:
    """What the program runs on; the OLED may be none at all, and there may be but one board.

    `watch` is given each view as it is shown; `backlight` is none where no display is to be dimmed;
    `librarian` reads the kept matches where any are kept; `coaching` gives hints and judges them;
    `membership` joins clubs and leaves them; `club` is told of every match where the board is in
    one, and `linking` has its matches with other boards there.
    """

    source: SensorSource
    front: Front
    speaker: Speaker
    oled: SmallDisplay | None
    dice: Dice
    watch: Callable[[View], None] | None = None
    backlight: Backlight | None = None
    librarian: Librarian | None = None
    cupboard: Cupboard | None = None
    players: MachinePlayers = field(default_factory=MachinePlayers)
    coaching: Coaching | None = None
    linking: Linking | None = None
    club: ClubMember | None = None
    wall: WallClock = field(default_factory=WallClock)
    membership: Membership | None = None

    @property
    def alarms(self) -> tuple[str, ...]:
        """What has turned out, and is to be told while it lasts."""
        trouble = self.club.trouble if self.club else None
        return (*((trouble,) if trouble else ()), *(self.linking.notices if self.linking else ()))

    @property
    def brightness(self) -> int | None:
        """The display's, in per cent; None where it cannot be changed."""
        return self.backlight.percent if self.backlight else None

    @property
    def lesson(self) -> Lesson | None:
        """What the coach has found so far, where there is one."""
        return self.coaching.lesson if self.coaching else None

    def oppose(
        self,
        session: Session,
        wake: Callable[[], None],
        play: Callable[[], PlaySettings],
        opened: Opened,
    ) -> None:
        """Whoever plays against the people here takes his seat: the machine, or another board."""
        self.players.oppose(session, wake, play)
        journal, number = opened.journal, opened.journal.writing
        if self.linking:
            self.linking.enter(session, lambda: journal.decisions(number) if number else ())

    def wishes(self, shown: Shown, session: Session | None, us: Us) -> tuple[Output, ...]:
        """What was touched, and the matches that other boards and this one have agreed on."""
        touched = self.front.poll(shown, us)
        if self.linking is None:
            return touched
        over = shown.view is None or _is_over(shown.view)
        self.linking.is_busy = session is not None and not over
        return (*touched, *self.linking.wishes(us))

    def tell(self, view: View) -> None:
        """This is shown now."""
        if self.watch:
            self.watch(view)
        if self.club:
            self.club.watch(view)

    def in_club(self, club: ClubSettings, *, resumes: bool = False) -> Devices:
        """The same in the club of these settings, or in none; that of before is left."""
        if self.membership is None:
            return self
        if self.club or self.linking:
            self.membership.part(InClub(self.club, self.linking))
        entered = self.membership.enter(club, resumes=resumes)
        return replace(self, club=entered.member, linking=entered.linking)

    def _follow_wish(self, wish: ClubWish, club: ClubSettings, session: Session | None) -> None:
        """Join, leave, look who is there or take an invitation back."""
        if wish is ClubWish.LOOK:
            self._look_round()
        elif wish is ClubWish.WITHDRAW and self.linking:
            self.linking.withdraw()
        elif self.membership and session and session.far_seat and not _is_over(session.view):
            self.membership.told = LINKED_NOW(board=session.far_seat.board)
        elif self.membership:
            self.membership.ask(wish, club)

    def _look_round(self) -> None:
        """Learn who is there; what was told before has been read."""
        if self.club:
            self.club.look_round()
        if self.membership:
            self.membership.told = ""
        if self.linking:
            self.linking.notice = None

    def link_up(
        self, wish: Invite | AnswerFar | ClubWish, club: ClubSettings, session: Session | None
    ) -> tuple[str, ...]:
        """Invite another board, answer one, or what else is wished of the club of these settings;
        what cannot be, as notices.
        """
        if isinstance(wish, ClubWish):
            self._follow_wish(wish, club, session)
            return ()
        if self.linking is None:
            return (NO_CLUB(board=wish.board),) if isinstance(wish, Invite) else ()
        if isinstance(wish, Invite):
            self.linking.invite(wish)
        elif session and self.linking.is_asked_by_far:
            session.answer(yes=wish.yes)
        else:
            self.linking.answer(yes=wish.yes)
        return ()

    @property
    def question(self) -> str | None:
        """What another board asks."""
        return self.linking.question if self.linking else None

    def clubhouse(self, club: ClubSettings) -> Clubhouse | None:
        """What is to be shown of the club of these settings; None where none can be joined."""
        if self.membership is None and self.linking is None:
            return None
        linking, member = self.linking, self.club
        return Clubhouse(
            club.board if club.on else "",
            linking is not None,
            member.boards if member else (),
            linking.inviting if linking else (),
            (member.trouble if member else None) or "",
            (self.membership.told if self.membership else "") or "",
            (linking.notice if linking else None) or "",
            (linking.asker if linking else None) or "",
        )

    def close(self) -> None:
        """Give everything back."""
        speaking = (self.source, self.speaker, self.front, self.oled)
        for device in (*speaking, self.librarian, self.coaching, self.membership, self.club):
            if device:
                device.close()

    def ask_hint(self, session: Session | None) -> None:
        """Have the coach asked what is best in the turn of a match that has hints."""
        if self.coaching and session:
            self.coaching.ask(HintWish(session.start, session.view))

    def follow(self, setting: str, settings: Settings) -> tuple[str, ...]:
        """Let the devices follow a setting that has changed; what they refuse, as notices."""
        match setting:
            case "screen.fullscreen":
                self.front.set_fullscreen(settings.screen.fullscreen)
            case "screen.brightness" if self.backlight:
                try:
                    self.backlight.set(settings.screen.brightness)
                except DeviceError as error:
                    return (NOT_DIMMED(why=str(error)),)
            case "sound.on" | "sound.volume":
                self.speaker.on = settings.sound.on
                self.speaker.set_volume(settings.sound.volume)
                self.speaker.play(Cue.LEGAL)
        return ()

    def light(self, view: View) -> None:
        """Light steadily where the checker may go, or from and to where the machine's play leads;
        let blink what is to be put right.
        """
        if view.board in ALARMS or view.phase is Phase.SET_UP:
            self.source.lights(frozenset(), frozenset(view.fill + view.clear))
        else:
            to_make = (spot for move in view.to_make for spot in (move.origin, move.target))
            self.source.lights(frozenset(view.targets or to_make), frozenset())


def _is_over(view: View) -> bool:
    return view.phase is Phase.MATCH_OVER


def rematch_of(last: Start) -> NewMatch | Invite:
    """A match like the last; one with another board is to be agreed on again."""
    seat = seat_of(last)
    if seat is None:
        return NewMatch(last.game, last.players, last.match_to, last.options)
    options = {k: v for k, v in last.options.items() if k not in (MACHINE, MACHINE_PLAYER)}
    again = NewMatch(last.game, last.players, last.match_to, options)
    return Invite(again, seat.board, seat.side.other)
