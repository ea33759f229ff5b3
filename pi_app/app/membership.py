"""This board's club: joined with a card on a USB stick, and left.

Reading a stick and leaving a broker take time, so a thread does both. The loop collects the
results, because it owns the settings.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from typing import Protocol

from pi_app.app.linking import LINKS, Linking
from pi_app.app.session import Session
from pi_app.base.errors import GivenError
from pi_app.base.files import why
from pi_app.base.identifiers import BoardName, IdentifierError, board_name
from pi_app.base.microseconds import Us
from pi_app.base.threads import Worker, drained
from pi_app.club.linked.wording import NO_CLUB
from pi_app.devices.stick import NO_STICK, Stick, find_stick
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import Opened
from pi_app.journal.store import Journal
from pi_app.referee.events import far_seat_of
from pi_app.referee.view import View
from pi_app.rules.contract import Games
from pi_app.screen.ui import READING_STICK, Clubhouse
from pi_app.user.commands import AnswerFar, ClubWish, Invite, NewMatch, Resume
from pi_app.user.settings import ClubSettings, club_folder
from pi_app.words.sentences import Sentence

JOINED = Sentence("Joined the club as {board}. You can remove the stick")
HAS_LEFT = Sentence("Left the club")
STILL_KEPT = Sentence("Left the club, but its password cannot be deleted: {why}")
LINKED_NOW = Sentence("Finish the match with {board} before leaving the club")
LEAVE_FIRST = Sentence("Already in a club as {board}; leave it first")
STICK_GONE = Sentence("USB stick {stick} cannot be read: {why}")
NOT_KEPT = Sentence("Cannot save the club card: {why}")


class ClubMember(Protocol):
    """Sends this board's matches to a club, and knows which other boards are present.

    `trouble` is a notice for the players; call `look_round` to learn which boards are present.
    """

    @property
    def trouble(self) -> str | None: ...
    @property
    def boards(self) -> tuple[str, ...]: ...
    def look_round(self) -> None: ...
    def watch(self, view: View) -> None: ...
    def close(self) -> None: ...


class Club(Worker[Callable[[], None]]):
    """This board's club: joining, leaving, sending matches, linking boards.

    It belongs to the board with this `journal`; without one no club can be joined. `games` are
    those whose board is at hand. `wake` is called once a club was joined or left.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        games: Games | None = None,
        wake: Callable[[], None] = lambda: None,
        stick: Callable[[], Stick | None] = find_stick,
    ) -> None:
        super().__init__("club membership")
        self.member: ClubMember | None = None
        self.linking: Linking | None = None
        self.message = ""
        self._journal, self._wake, self._stick = journal, wake, stick
        self._games = games or Games()
        self._changed: SimpleQueue[ClubSettings] = SimpleQueue()

    def take(self, wish: Callable[[], None]) -> None:
        wish()
        self._wake()

    def changed(self) -> ClubSettings | None:
        """The settings of a club that was just joined or left, each returned once;
        enter it next."""
        return next(drained(self._changed), None)

    def enter(self, club: ClubSettings, *, resumes: bool = False) -> None:
        """Enter the club of these settings, or none, and leave the previous one.

        `resumes`: a linked match resumes by itself.
        """
        if self.member:
            self.ask(self.member.close)
        self.member = self.linking = None
        if not club.on or self._journal is None:
            return
        # Whoever belongs to no club waits for none of this.
        from pi_app.club.setting_up import open_wire  # noqa: PLC0415

        self.member = wire = open_wire(club, self._journal.path)
        with suppress(IdentifierError, JournalError):
            self.linking = self._linked(self._journal, board_name(club.board), wire.post, resumes)
            wire.listen(self.linking.hear, self.linking.reconnected)
        wire.start()

    def _linked(
        self,
        journal: Journal,
        own: BoardName,
        post: Callable[[BoardName, bytes], None],
        resumes: bool,
    ) -> Linking:
        seats = [far_seat_of(match.start) for match in journal.matches()]
        newest = journal.unfinished()
        left = newest is not None and far_seat_of(journal.match(newest).start) is not None
        return Linking(
            journal.path.with_name(LINKS),
            own,
            post,
            self._games,
            self._wake,
            frozenset(seat.link for seat in seats if seat),
            resumes=resumes and left,
            last=None if left or not seats or not seats[-1] else seats[-1].link,
        )

    def close(self) -> None:
        if self._journal:
            super().close()
        if self.member:
            self.member.close()

    # On the thread

    def _join(self, club: ClubSettings) -> None:
        if club.on:
            self.message = LEAVE_FIRST(board=club.board)
        elif stick := self._stick():
            try:
                self._join_by(stick, club)
            except GivenError as error:
                self.message = error.said
        else:
            self.message = NO_STICK()

    def _join_by(self, stick: Stick, club: ClubSettings) -> None:
        from pi_app.club.setting_up import card_on, join  # noqa: PLC0415

        try:
            card = card_on(stick.folder, stick.name)
        except OSError as error:
            self.message = STICK_GONE(stick=stick.name, why=why(error))
            return
        try:
            joined = join(card, club_folder(), replace=True)
        except OSError as error:
            self.message = NOT_KEPT(why=why(error))
            return
        self.message = JOINED(board=card.board)
        self._changed.put(replace(joined, wall=club.wall))

    def _leave(self, club: ClubSettings) -> None:
        from pi_app.club.setting_up import leave  # noqa: PLC0415

        try:
            leave(club_folder())
        except OSError as error:
            self.message = STILL_KEPT(why=why(error))
        else:
            self.message = HAS_LEFT()
        self._changed.put(ClubSettings(wall=club.wall))

    # In the loop

    @property
    def alarms(self) -> tuple[str, ...]:
        """Lasting notices for the players."""
        trouble = self.member.trouble if self.member else None
        return (*((trouble,) if trouble else ()), *(self.linking.notices if self.linking else ()))

    @property
    def question(self) -> str | None:
        """The other board's request, if any."""
        return self.linking.question if self.linking else None

    def agreed(self, us: Us, *, is_busy: bool) -> tuple[NewMatch | Resume, ...]:
        """The linked matches to begin now; none while this board `is_busy` with a match."""
        if self.linking is None:
            return ()
        self.linking.is_busy = is_busy
        return self.linking.wishes(us)

    def seat(self, session: Session, opened: Opened) -> None:
        """Give the other board of a linked match its seat."""
        journal, number = opened.journal, opened.journal.writing
        if self.linking:
            self.linking.enter(session, lambda: journal.decisions(number) if number else ())

    def tell(self, view: View) -> None:
        """This view is shown now."""
        if self.member:
            self.member.watch(view)

    def obey(
        self, wish: Invite | AnswerFar | ClubWish, club: ClubSettings, session: Session | None
    ) -> tuple[str, ...]:
        """Carry out a wish. Return notices that say why it failed, if it did."""
        match wish, self.linking:
            case ClubWish(), _:
                self._follow(wish, club, session)
            case Invite(board=board), None:
                return (NO_CLUB(board=board),)
            case Invite(), Linking() as linking:
                linking.invite(wish)
            case AnswerFar(yes), Linking() as linking:
                if session and linking.is_asked_by_far:
                    session.answer(yes=yes)
                else:
                    linking.answer(yes=yes)
        return ()

    def _follow(self, wish: ClubWish, club: ClubSettings, session: Session | None) -> None:
        if wish is ClubWish.LOOK:
            self._look_round()
        elif wish is ClubWish.WITHDRAW:
            if self.linking:
                self.linking.withdraw()
        elif self._journal and session and session.far_seat and not session.is_over:
            self.message = LINKED_NOW(board=session.far_seat.board)
        elif self._journal:
            self.join_or_leave(wish, club)

    def join_or_leave(self, wish: ClubWish, club: ClubSettings) -> None:
        """Queue it for the worker, with the settings as they are now."""
        if wish is ClubWish.JOIN:
            self.message = READING_STICK()
            self.ask(partial(self._join, club))
        elif club.on:
            self.ask(partial(self._leave, club))

    def _look_round(self) -> None:
        """Look for other boards."""
        self.message = ""
        if self.member:
            self.member.look_round()
        if self.linking:
            self.linking.notice = None

    def clubhouse(self, club: ClubSettings) -> Clubhouse | None:
        """What the club's page shows; None if no club can be joined."""
        linking, member = self.linking, self.member
        if self._journal is None and linking is None:
            return None
        return Clubhouse(
            club.board if club.on else "",
            linking is not None,
            member.boards if member else (),
            linking.inviting if linking else (),
            (member.trouble if member else None) or "",
            self.message,
            (linking.notice if linking else None) or "",
            (linking.asker if linking else None) or "",
        )
