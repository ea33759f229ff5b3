"""This board's club: it is joined by a card on a USB stick, entered at once, and left.

Reading a stick and leaving a broker take time, so a thread does both. The loop collects the
results, because it owns the settings.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Protocol

from pi_app.app.linking import LINKS, Linking, seat_of
from pi_app.app.session import Session
from pi_app.club.linked.wording import NO_CLUB
from pi_app.commands import AnswerFar, ClubWish, Invite, NewMatch, Resume
from pi_app.devices.stick import NO_STICK, Stick, find_stick
from pi_app.errors import GivenError
from pi_app.files import why
from pi_app.identifiers import IdentifierError, board_name
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import Opened
from pi_app.journal.store import Journal
from pi_app.microseconds import Us
from pi_app.referee.view import View
from pi_app.screen.ui import Clubhouse
from pi_app.settings import ClubSettings, club_folder
from pi_app.words.sentences import Sentence

READING_STICK = Sentence("Reading the USB stick")
JOINED = Sentence("Joined the club as {board}. You can remove the stick")
HAS_LEFT = Sentence("Left the club")
STILL_KEPT = Sentence("Left the club, but its password cannot be deleted: {why}")
LINKED_NOW = Sentence("Finish the match with {board} before leaving the club")
LEAVE_FIRST = Sentence("Already in a club as {board}; leave it first")
STICK_GONE = Sentence("USB stick {stick} cannot be read: {why}")
NOT_KEPT = Sentence("Cannot save the club card: {why}")
_CLOSE_S = 10.0


class ClubMember(Protocol):
    """Sends this board's matches to a club."""

    @property
    def trouble(self) -> str | None:
        """The notice for the players, or None."""

    @property
    def boards(self) -> tuple[str, ...]:
        """The other boards that are known to be there."""

    def look_round(self) -> None:
        """Learn which these are."""

    def watch(self, view: View) -> None:
        """This is shown now."""

    def close(self) -> None:
        """Say good-bye."""


@dataclass(frozen=True, slots=True)
class InClub:
    """A board in its club: what tells the club, and the matches with other boards."""

    member: ClubMember | None = None
    linking: Linking | None = None


NO_CLUB_YET = InClub()


class Membership:
    """Joins and leaves for the board whose journal this is; `wake` is called once that is done.

    `can_play` says whether a game's board is at hand.
    """

    def __init__(
        self,
        journal: Journal,
        can_play: Callable[[str], bool],
        wake: Callable[[], None],
        stick: Callable[[], Stick | None] = find_stick,
    ) -> None:
        self.told = ""
        self._journal, self._can_play, self._wake, self._stick = journal, can_play, wake, stick
        self._asked: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._changed: SimpleQueue[ClubSettings] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="club membership", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def ask(self, wish: ClubWish, club: ClubSettings) -> None:
        """Join or leave soon, by the settings as they are now; never waits."""
        if wish is ClubWish.JOIN:
            self.told = READING_STICK()
            self._asked.put(lambda: self._join(club))
        elif wish is ClubWish.LEAVE and club.on:
            self._asked.put(lambda: self._leave(club))

    def changed(self) -> ClubSettings | None:
        """The settings after a club was joined or left; each once."""
        with suppress(Empty):
            return self._changed.get_nowait()
        return None

    def enter(self, club: ClubSettings, *, resumes: bool = False) -> InClub:
        """Switch to this club; `resumes`: a linked match resumes by itself."""
        if not club.on:
            return InClub()
        # Whoever belongs to no club waits for none of this.
        from pi_app.club.setting_up import open_wire  # noqa: PLC0415

        wire = open_wire(club, self._journal.path)
        linking: Linking | None = None
        with suppress(IdentifierError, JournalError):
            seats = [seat_of(match.start) for match in self._journal.matches()]
            begun = frozenset(seat.link for seat in seats if seat)
            newest = self._journal.unfinished()
            left = newest is not None and seat_of(self._journal.match(newest).start) is not None
            linking = Linking(
                self._journal.path.with_name(LINKS),
                board_name(club.board),
                wire.post,
                self._can_play,
                self._wake,
                begun,
                resumes=resumes and left,
                last=None if left or not seats or not seats[-1] else seats[-1].link,
            )
            wire.listen(linking.hear)
        wire.start()
        return InClub(wire, linking)

    def part(self, club: InClub) -> None:
        """Say good-bye to a club that was left; never waits."""
        if club.member:
            self._asked.put(club.member.close)

    def close(self) -> None:
        """Finish within seconds and stop."""
        self._asked.put(None)
        self._thread.join(_CLOSE_S)

    def _serve(self) -> None:
        while act := self._asked.get():
            act()
            self._wake()

    def _join(self, club: ClubSettings) -> None:
        if club.on:
            self.told = LEAVE_FIRST(board=club.board)
        elif stick := self._stick():
            try:
                self._join_by(stick, club)
            except GivenError as error:
                self.told = error.said
        else:
            self.told = NO_STICK()

    def _join_by(self, stick: Stick, club: ClubSettings) -> None:
        from pi_app.club.setting_up import card_on, join  # noqa: PLC0415

        try:
            card = card_on(stick.folder, stick.name)
        except OSError as error:
            self.told = STICK_GONE(stick=stick.name, why=why(error))
            return
        try:
            joined = join(card, club_folder(), replace=True)
        except OSError as error:
            self.told = NOT_KEPT(why=why(error))
            return
        self.told = JOINED(board=card.board)
        self._changed.put(replace(joined, wall=club.wall))

    def _leave(self, club: ClubSettings) -> None:
        from pi_app.club.setting_up import leave  # noqa: PLC0415

        try:
            leave(club_folder())
        except OSError as error:
            self.told = STILL_KEPT(why=why(error))
        else:
            self.told = HAS_LEFT()
        self._changed.put(ClubSettings(wall=club.wall))


class Club:
    """This board's club: joining, leaving, sending matches, linking boards. Without a `membership`
    the board stays in the club it is `already` in."""

    def __init__(self, membership: Membership | None = None, already: InClub = NO_CLUB_YET) -> None:
        self._membership, self._in = membership, already

    def enter(self, club: ClubSettings, *, resumes: bool = False) -> None:
        """Be in the club of these settings, or in none, and leave the previous one."""
        if self._membership:
            if self._in != NO_CLUB_YET:
                self._membership.part(self._in)
            self._in = self._membership.enter(club, resumes=resumes)

    def changed(self) -> ClubSettings | None:
        """The settings of a club that was just joined or left, each once; enter it next."""
        return self._membership.changed() if self._membership else None

    @property
    def alarms(self) -> tuple[str, ...]:
        """Lasting notices for the players."""
        member, linking = self._in.member, self._in.linking
        trouble = member.trouble if member else None
        return (*((trouble,) if trouble else ()), *(linking.notices if linking else ()))

    @property
    def question(self) -> str | None:
        """The other board's question."""
        return self._in.linking.question if self._in.linking else None

    def agreed(self, us: Us, *, is_busy: bool) -> tuple[NewMatch | Resume, ...]:
        """The linked matches to begin now; none while this board `is_busy` with a match."""
        if self._in.linking is None:
            return ()
        self._in.linking.is_busy = is_busy
        return self._in.linking.wishes(us)

    def seat(self, session: Session, opened: Opened) -> None:
        """The other board of a linked match takes its seat."""
        journal, number = opened.journal, opened.journal.writing
        if self._in.linking:
            self._in.linking.enter(session, lambda: journal.decisions(number) if number else ())

    def tell(self, view: View) -> None:
        """This view is shown now."""
        if self._in.member:
            self._in.member.watch(view)

    def obey(
        self, wish: Invite | AnswerFar | ClubWish, club: ClubSettings, session: Session | None
    ) -> tuple[str, ...]:
        """Carry out a wish. Returns the reasons why not, as notices."""
        linking = self._in.linking
        if isinstance(wish, ClubWish):
            self._follow(wish, club, session)
        elif linking is None:
            return (NO_CLUB(board=wish.board),) if isinstance(wish, Invite) else ()
        elif isinstance(wish, Invite):
            linking.invite(wish)
        elif session and linking.is_asked_by_far:
            session.answer(yes=wish.yes)
        else:
            linking.answer(yes=wish.yes)
        return ()

    def _follow(self, wish: ClubWish, club: ClubSettings, session: Session | None) -> None:
        """Join, leave, look for boards, or withdraw an invitation."""
        if wish is ClubWish.LOOK:
            self._look_round()
        elif wish is ClubWish.WITHDRAW and self._in.linking:
            self._in.linking.withdraw()
        elif self._membership and session and session.far_seat and not session.is_over:
            self._membership.told = LINKED_NOW(board=session.far_seat.board)
        elif self._membership:
            self._membership.ask(wish, club)

    def _look_round(self) -> None:
        """Look for other boards. Earlier notices have been read."""
        if self._in.member:
            self._in.member.look_round()
        if self._membership:
            self._membership.told = ""
        if self._in.linking:
            self._in.linking.notice = None

    def clubhouse(self, club: ClubSettings) -> Clubhouse | None:
        """The club's page; None if no club can be joined."""
        linking, member = self._in.linking, self._in.member
        if self._membership is None and linking is None:
            return None
        return Clubhouse(
            club.board if club.on else "",
            linking is not None,
            member.boards if member else (),
            linking.inviting if linking else (),
            (member.trouble if member else None) or "",
            (self._membership.told if self._membership else "") or "",
            (linking.notice if linking else None) or "",
            (linking.asker if linking else None) or "",
        )

    def close(self) -> None:
        for part in (self._membership, self._in.member):
            if part:
                part.close()
