"""This board's club, joined with a card on a USB stick and left; and friends met by a code.

Reading a stick and leaving a broker take time, so a thread does both. The loop collects the
results, because it owns the settings.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol

from pi_app.app.linking import Linking, linking_of
from pi_app.app.session import Session
from pi_app.base.errors import GivenError
from pi_app.base.files import why
from pi_app.base.identifiers import BoardName, IdentifierError, board_name, is_friend
from pi_app.base.microseconds import Us, ms
from pi_app.base.threads import Worker, drained
from pi_app.club.linked.meeting import MeetingRole
from pi_app.club.linked.wording import NO_CLUB
from pi_app.devices.stick import NO_STICK, Stick, find_stick
from pi_app.export.codes import Code, code_of
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import Opened
from pi_app.journal.store import Journal
from pi_app.referee.events import far_seat_of
from pi_app.referee.view import View
from pi_app.rules.contract import Games
from pi_app.rules.terms import Side
from pi_app.screen.ui import READING_STICK, Clubhouse
from pi_app.user.commands import (
    PHRASES,
    SAID_FOR,
    SAYS,
    AnswerFar,
    ClubWish,
    FarWish,
    ForgetFriend,
    Invite,
    NewMatch,
    Phrase,
    Resume,
    SayFar,
    ShowCode,
    TakeCode,
)
from pi_app.user.settings import ClubSettings, FriendsSettings, club_folder
from pi_app.words.sentences import Sentence

if TYPE_CHECKING:
    from pi_app.app.guest import GuestBoards
    from pi_app.club.friends import Friend, Friends

JOINED = Sentence("Joined the club as {board}. You can remove the stick")
HAS_LEFT = Sentence("Left the club")
STILL_KEPT = Sentence("Left the club, but its password cannot be deleted: {why}")
LINKED_NOW = Sentence("Finish the match with {board} before leaving the club")
LEAVE_FIRST = Sentence("Already in a club as {board}; leave it first")
STICK_GONE = Sentence("USB stick {stick} cannot be read: {why}")
NOT_KEPT = Sentence("Cannot save the club card: {why}")
NO_BROKER = Sentence("Set the broker for friends first: spotter friend broker")
YOUR_FRIEND = Sentence("your friend")
YOUR_CODE = Sentence("Your code is {code}. Tell it to your friend; it works once, for ten minutes")
TAKEN_CODE = Sentence("Waiting for the friend who shows {code}")
FORGOTTEN_LATER = Sentence("Finish the match with {name} before you forget {name}")
NOT_FORGOTTEN = Sentence("Your friend cannot be forgotten: {why}")
OF_FRIENDS = BoardName("friend")
"""This board's name in letters to friends while it is in no club."""
ENDED_FOR = ms(60_000)
"""How long it is told that a meeting has failed."""


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


class FarLine(Protocol):
    """A line over which letters of other boards come: `listen` before `start`."""

    def listen(
        self, hear: Callable[[BoardName, bytes], None], reconnected: Callable[[], None], /
    ) -> None: ...
    def start(self) -> None: ...
    def close(self) -> None: ...


ToHost = Callable[[BoardName, bytes], None]
ToPage = Callable[[BoardName, bytes], bool]
ToldByGuest = Callable[[BoardName, Phrase], None]


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
        guests: Callable[[ToHost, ToPage, ToldByGuest], GuestBoards] | None = None,
    ) -> None:
        super().__init__("club membership")
        self.member: ClubMember | None = None
        self.linking: Linking | None = None
        self.friends: Friends | None = None
        self.message = ""
        self._no_friends: str | None = None
        self._lines: list[FarLine] = []
        self._post_in_club: Callable[[BoardName, bytes], None] = _lose
        self._played_with: frozenset[str] = frozenset()
        self._wish: Invite | None = None
        self._phrase, self._phrase_until = "", Us(0)
        self._ended_until: Us | None = None
        self._journal, self._wake, self._stick = journal, wake, stick
        self._open_guests = guests
        self._guests: GuestBoards | None = None
        self._drawn: tuple[str, Code | None] = ("", None)
        self._games = games or Games()
        self._changed: SimpleQueue[ClubSettings] = SimpleQueue()

    def take(self, wish: Callable[[], None]) -> None:
        wish()
        self._wake()

    def changed(self) -> ClubSettings | None:
        """The settings of a club that was just joined or left, each returned once;
        enter it next."""
        return next(drained(self._changed), None)

    def enter(self, club: ClubSettings, friends: FriendsSettings, *, resumes: bool = False) -> None:
        """Enter the club of these settings, and reach the friends; leave the previous ones.

        `resumes`: a linked match resumes by itself.
        """
        for line in self._lines:
            self.ask(line.close)
        if self._guests:
            self.ask(self._guests.close)
        self._guests = None
        self.member = self.linking = self.friends = self._no_friends = None
        self._lines, self._post_in_club = [], _lose
        journal = self._journal
        if journal is None:
            return
        if club.on:
            self._enter_club(club, journal)
        if friends.broker:
            self._reach_friends(friends, journal)
        if not self._lines:
            return
        with suppress(IdentifierError, JournalError):
            own = board_name(club.board) if club.on else OF_FRIENDS
            self.linking = self._linked(journal, own, resumes)
            for line in self._lines:
                line.listen(self.linking.hear, self.linking.reconnected)
        for line in self._lines:
            line.start()

    def _enter_club(self, club: ClubSettings, journal: Journal) -> None:
        # Whoever plays at one board waits for none of this.
        from pi_app.club.setting_up import open_wire  # noqa: PLC0415

        self.member = wire = open_wire(club, journal.path)
        self._post_in_club = wire.post
        self._lines.append(wire)

    def _reach_friends(self, settings: FriendsSettings, journal: Journal) -> None:
        from pi_app.club.setting_up import open_friends  # noqa: PLC0415

        try:
            self.friends = friends = open_friends(settings, journal.path, self._wake)
            if self._open_guests:
                given = (self._hear, friends.show, friends.hear_phrase)
                self._guests = friends.guests = self._open_guests(*given)
            self._lines.append(friends)
        except GivenError as error:
            self._no_friends = error.said

    def _hear(self, sender: BoardName, letter: bytes) -> None:
        if self.linking:
            self.linking.hear(sender, letter)

    def _post(self, to: BoardName, letter: bytes) -> None:
        """Send a letter to a board of the club or to a friend's."""
        if self.friends and is_friend(to):
            self.friends.post(to, letter)
        elif not is_friend(to):
            self._post_in_club(to, letter)

    def _shown(self, board: str) -> str:
        """What players read for a board: the friend's name, or else the board's."""
        friend = self.friends.book.find(board) if self.friends else None
        if friend is None:
            return YOUR_FRIEND() if is_friend(board) else board
        return friend.name or YOUR_FRIEND()

    def _linked(self, journal: Journal, own: BoardName, resumes: bool) -> Linking:
        seats = [far_seat_of(match.start) for match in journal.matches()]
        self._played_with = frozenset(seat.board for seat in seats if seat)
        linking = linking_of(journal, own, self._post, self._games, self._wake, resumes=resumes)
        linking.shown = self._shown
        return linking

    def close(self) -> None:
        if self._journal:
            super().close()
        if self.member:
            self.member.close()
        if self.friends:
            self.friends.close()
        if self._guests:
            self._guests.close()

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
        lines = (self.member, self.friends)
        troubles = (line.trouble for line in lines if line)
        notices = self.linking.notices if self.linking else ()
        said = (*troubles, self._no_friends, self._meets, self._phrase)
        return (*filter(None, said), *notices)

    @property
    def _meets(self) -> str | None:
        """How a meeting goes, until the friend was met."""
        met = self.friends.met if self.friends else None
        if met is None or met.friend:
            return None
        sentence = YOUR_CODE if met.role is MeetingRole.SHOWS else TAKEN_CODE
        return met.said or sentence(code=str(met.code))

    @property
    def question(self) -> str | None:
        """The other board's request, if any."""
        return self.linking.question if self.linking else None

    def agreed(self, us: Us, *, is_busy: bool) -> tuple[NewMatch | Resume, ...]:
        """The linked matches to begin now; none while this board `is_busy` with a match."""
        if self.linking is None:
            return ()
        if self.friends:
            self._follow_friends(self.friends, us)
        self.linking.is_busy = is_busy
        return self.linking.wishes(us)

    def _follow_friends(self, friends: Friends, us: Us) -> None:
        """Invite the friend who was met, and show for a while what a friend says."""
        met, wish = friends.met, self._wish
        if self._page and self._page != self._drawn[0]:
            self._drawn = self._page, None
            self.ask(partial(self._draw_page, self._page))
        if met and met.friend and wish and self.linking:
            self._wish = None
            self.linking.invite(_addressed(wish, met.friend))
        if heard := friends.heard_phrase:
            friends.heard_phrase, self._phrase_until = None, Us(us + SAID_FOR)
            self._phrase = SAYS(name=self._shown(heard[0]), phrase=PHRASES[heard[1]]())
        if self._phrase and us >= self._phrase_until:
            self._phrase = ""
        if met is None or not met.has_ended:
            self._ended_until = None
        elif self._ended_until is None:
            self._ended_until = Us(us + ENDED_FOR)
        elif us >= self._ended_until:
            friends.stop_meeting()
            self._ended_until = None

    def seat(self, session: Session, opened: Opened) -> None:
        """Give the other board of a linked match its seat."""
        if session.far_seat:
            self._played_with |= {session.far_seat.board}
            if self.friends:
                self.friends.stop_meeting()
        journal, number = opened.journal, opened.journal.writing
        if self.linking:
            self.linking.enter(session, lambda: journal.decisions(number) if number else ())

    def tell(self, view: View) -> None:
        """This view is shown now."""
        if self.member:
            self.member.watch(view)

    def obey(self, wish: FarWish, club: ClubSettings, session: Session | None) -> tuple[str, ...]:
        """Carry out a wish. Return notices that say why it failed, if it did."""
        match wish, self.linking:
            case ClubWish(), _:
                self._follow(wish, club, session)
            case ShowCode() | TakeCode() | SayFar() | ForgetFriend(), _:
                return self._befriend(wish, session)
            case Invite(board=board), None:
                return (NO_CLUB(board=board),)
            case Invite(), Linking() as linking:
                linking.invite(self._to_whom(wish))
            case AnswerFar(yes), Linking() as linking:
                if session and linking.is_asked_by_far:
                    session.answer(yes=yes)
                else:
                    linking.answer(yes=yes)
        return ()

    def _befriend(
        self, wish: ShowCode | TakeCode | SayFar | ForgetFriend, session: Session | None
    ) -> tuple[str, ...]:
        friends = self.friends
        if friends is None:
            return (self._no_friends or NO_BROKER(),)
        try:
            match wish:
                case ShowCode(invite, name):
                    self._wish = invite
                    friends.show_code(name)
                case TakeCode(code, name):
                    self._wish = None
                    friends.take_code(code, name)
                case SayFar(phrase):
                    if session and session.far_seat:
                        friends.say(BoardName(session.far_seat.board), phrase)
                case ForgetFriend(board):
                    seat = session.far_seat if session and not session.is_over else None
                    if seat and seat.board == board:
                        return (FORGOTTEN_LATER(name=self._shown(board)),)
                    return self._forget(friends, BoardName(board))
        except GivenError as error:
            return (error.said,)
        return ()

    def _forget(self, friends: Friends, board: BoardName) -> tuple[str, ...]:
        friend = friends.book.find(board)
        try:
            friends.forget(board)
        except OSError as error:
            return (NOT_FORGOTTEN(why=why(error)),)
        if friend and friend.page and self._guests:
            self._guests.forget(friend)
        return ()

    def _to_whom(self, wish: Invite) -> Invite:
        """The wish to a friend that it names by the board, or by the name of the player if that is
        nobody else's. A friend chose that name, so it takes nothing away from the club's boards."""
        known = self.friends.book.known if self.friends else ()
        named = [one for one in known if one.name.casefold() == wish.board.casefold()]
        if wish.board in self._club_boards:
            named = []
        friends = [one for one in known if one.board == wish.board] or named
        return _addressed(wish, friends[0]) if len(friends) == 1 else wish

    @property
    def _club_boards(self) -> frozenset[str]:
        """The boards that are present in the club, and those that were played with."""
        present = self.member.boards if self.member else ()
        return frozenset((*present, *self._played_with))

    def _follow(self, wish: ClubWish, club: ClubSettings, session: Session | None) -> None:
        if wish is ClubWish.LOOK:
            self._look_round()
        elif wish is ClubWish.WITHDRAW:
            if self.linking:
                self.linking.withdraw()
        elif wish is ClubWish.CLOSE_MATCH:
            if self.linking:
                self.linking.close_match()
        elif wish is ClubWish.STOP_MEETING:
            self._wish = None
            if self.friends:
                self.friends.stop_meeting()
        elif self._journal and session and session.far_seat and not session.is_over:
            self.message = LINKED_NOW(board=self._shown(session.far_seat.board))
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
        if self.friends:
            self.ask(self.friends.load_words)
        if self.linking:
            self.linking.notice = None

    def clubhouse(self, club: ClubSettings) -> Clubhouse | None:
        """What the club's page shows; None if no club can be joined."""
        linking, member = self.linking, self.member
        page, (drawn, picture) = self._page, self._drawn
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
            *self._befriended(),
            opponent=self._opponent,
            page=page,
            picture=picture if drawn == page else None,
            can_close=linking is not None and linking.can_close,
        )

    @property
    def _page(self) -> str:
        """Where a friend without a board plays who has the code that is shown."""
        met = self.friends.met if self.friends else None
        return met.page if met and not met.said else ""

    def _draw_page(self, page: str) -> None:
        self._drawn = page, code_of(page)

    @property
    def _opponent(self) -> str:
        """The friend who plays this match; empty if no friend does."""
        board = self.linking.opponent if self.linking else None
        return self._shown(board) if board and is_friend(board) else ""

    def _befriended(self) -> tuple[bool, tuple[tuple[str, str], ...], str, str, tuple[str, ...]]:
        """Whether codes can be shown, all friends, the code shown here, what is said of it, and the
        words of codes."""
        if self.friends is None:
            return False, (), "", "", ()
        known = tuple((one.board, self._shown(one.board)) for one in self.friends.book.known)
        met = self.friends.met
        code = str(met.code) if met and met.role is MeetingRole.SHOWS and not met.said else ""
        return True, known, code, self._meets or "", self.friends.words


def _lose(to: BoardName, letter: bytes) -> None:
    """There is no club; a letter to one of its boards waits until there is again."""


def _addressed(wish: Invite, friend: Friend) -> Invite:
    """The wish to this friend, whose own name is that of the side not played here, if known."""
    players = list(wish.match.players)
    if friend.name:
        players[wish.side.other is Side.BLACK] = friend.name
    return replace(
        wish, match=replace(wish.match, players=(players[0], players[1])), board=friend.board
    )
