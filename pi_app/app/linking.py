"""This board's linked matches: invitations in both directions, and the current match.

From invitation or acceptance on, a link's letters are in the folder `links` beside the journal, in
a file named after the link. A match agreed on before a power cut begins at the next start. A match
already begun is in the journal, and its link continues by itself.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from pi_app.app.session import Session
from pi_app.base.files import why
from pi_app.base.identifiers import BoardName, IdentifierError, far_board
from pi_app.base.microseconds import Us, ms
from pi_app.base.typed_json import JsonError
from pi_app.club.far_player import (
    Correspondence,
    CorrespondenceError,
    FarPlayer,
    LetterWay,
    read_correspondence,
    worded_request,
)
from pi_app.club.guard import guarded
from pi_app.club.linked import wording as say
from pi_app.club.linked.letters import (
    Invitation,
    Invitations,
    LinkLetter,
    Objection,
    Offer,
    Response,
    read_letter,
    write_letter,
)
from pi_app.club.linked.talk import LinkTalk, SecretNumbers
from pi_app.journal.store import Journal
from pi_app.match.origin import MOST_OF_ORIGIN, ORIGIN
from pi_app.match.terms import PlayPolicy
from pi_app.referee.decision import Decision
from pi_app.referee.events import (
    MACHINE,
    MACHINE_PLAYER,
    EventError,
    FarSeat,
    Start,
    far_seat_of,
)
from pi_app.referee.lines import read_event, write_event
from pi_app.referee.options import agree
from pi_app.rules.contract import Games
from pi_app.user.commands import Invite, NewMatch, Resume
from pi_app.words.sentences import Said
from pi_app.words.texts import MOST_OF_NAME

LINKS = "links"
EXPIRES = ms(900_000)
"""Time without an answer before this board withdraws its invitation."""
_KEY_BYTES = 32
_MOST_LINGERING = 4
_MOST_OPTIONS = 32
_NOT_AGREED_ON = ("commit", "debounce_ms", "placed_ms", "grace_ms", "one_wrong_in")
"""The options of a start that each board chooses for itself."""
MOST_WAITING = 64
"""The most letters of one board that wait, twice its window; it repeats dropped ones."""


class Linking:
    """The links of the board `own`; `send` sends a message to another board and never blocks.

    `games` are those whose board is at hand; while a match `is_busy` no other begins. `begun` are
    the links whose matches are in the journal; it `resumes` the newest unfinished match. Some
    letters of the `last` finished link may still be on their way. Messages from other threads wait
    until `wishes` or the session looks; `wake` makes that soon.
    """

    def __init__(
        self,
        folder: Path,
        own: BoardName,
        send: Callable[[BoardName, bytes], None],
        games: Games,
        wake: Callable[[], None] = lambda: None,
        begun: frozenset[str] = frozenset(),
        *,
        resumes: bool = False,
        last: str | None = None,
    ) -> None:
        self._resumes, self._last = resumes, last
        self.shown: Callable[[str], str] = str
        """What players read for a board's name."""
        self.numbers: Callable[[FarSeat], SecretNumbers | None] = lambda _: None
        """This side's numbers for the dice of a link; None for this board's own."""
        self.own, self._folder, self._send = own, folder, send
        self._games, self._wake = games, wake
        self._mail: dict[BoardName, deque[LinkLetter]] = {}
        self._now = Us(0)
        self._offers = Invitations(self._unfit)
        self._open: dict[str, Correspondence] = {}
        self._invited: dict[str, Us] = {}
        self._far: FarPlayer | None = None
        self._lingering: list[FarPlayer] = []
        self._begun = set(begun)
        self._unreadable: dict[BoardName, str] = {}
        self._is_back = threading.Event()
        self.is_busy = False
        self.notice: str | None = None
        self._read_folder()

    def hear(self, sender: BoardName, message: bytes) -> None:
        """Take another board's message; the broker vouches for its name. On any thread."""
        try:
            letter = read_letter(message)
        except JsonError as error:
            self._unreadable.setdefault(sender, str(error))
            return
        waiting = self._mail.setdefault(sender, deque())
        is_first = not waiting
        if len(waiting) < MOST_WAITING:
            waiting.append(letter)
        if is_first:
            self._wake()

    def reconnected(self) -> None:
        """Other boards can be reached again, so letters are not held back. On any thread."""
        self._is_back.set()
        self._wake()

    # Invitations

    def invite(self, wish: Invite) -> None:
        """Invite another board; the match begins once that board accepts.

        An earlier unanswered invitation to the same board is withdrawn.
        """
        new, link = wish.match, secrets.token_hex(8)
        start = Start(Us(0), new.game, "", new.match_to, new.players, _agreed(new.options))
        self.notice = None
        invitation = Invitation(write_event(start), wish.side, self.own)
        why_not = self._unfit(invitation)
        if why_not is not None:
            self.notice = say.NOT_INVITED(board=self.shown(wish.board), why=why_not)
            return
        try:
            board = far_board(wish.board)
            letters = self._begin(link, board)
        except (OSError, IdentifierError) as error:
            self.notice = say.NOT_INVITED(board=self.shown(wish.board), why=why(error))
            return
        for earlier in self._waiting:
            if earlier.board == board:
                self._withdraw(earlier)
        if letters.write(invitation):
            self._open[link] = letters
        else:
            self.notice = say.NOT_INVITED(board=self.shown(wish.board), why=letters.unkept or "")

    def answer(self, *, yes: bool) -> None:
        offer = self._offers.first
        if offer is None:
            return
        if not yes:
            self._post(offer.board, self._offers.refuse(offer, self._now))
            return
        self._offers.take(offer)
        try:
            letters = self._begin(offer.link, offer.board)
        except OSError as error:
            self.notice = say.LINK_LOST(board=self.shown(offer.board), why=why(error))
            return
        letters.post.take(LinkLetter(offer.link, 1, 0, offer.invitation))
        if letters.next() and letters.write(Response(yes=True)):
            self._open[offer.link] = letters
        else:
            self.notice = say.LINK_LOST(board=self.shown(offer.board), why=letters.unkept or "")
            letters.remove()

    def withdraw(self) -> None:
        """Withdraw unanswered invitations; a later yes has no effect."""
        for letters in self._waiting:
            self._withdraw(letters)

    def wishes(self, us: Us) -> tuple[NewMatch | Resume, ...]:
        """The matches to begin now: agreed on and not begun yet.

        A match that a power cut interrupted comes first.
        """
        self._now = us
        if self._resumes:
            self._resumes = False
            return (Resume(),)
        self._listen()
        if self._is_back.is_set():
            self._is_back.clear()
            self._write_again()
        self._offers.forget(us)
        self._forget()
        if self.is_busy:
            self._excuse()
        for letters in self._open.values():
            letters.carry(us)
        for far in self._lingering:
            far.carry(us, None)
        self._lingering = [far for far in self._lingering if far.due is not None]
        return () if self.is_busy else self._agreed_on()

    def _agreed_on(self) -> tuple[NewMatch, ...]:
        """The next match that is agreed on. A link whose match no referee accepts is closed for
        good."""
        for link, letters in tuple(self._open.items()):
            if link in self._begun or not _is_agreed(letters):
                continue
            why_not = self._unfit(_invitation_of(letters))
            if why_not is None:
                self._begun.add(link)
                return (_match_of(link, letters),)
            own = sum(way is LetterWay.WROTE for way, _ in letters.letters)
            self._discard(letters)
            self._post(letters.board, LinkLetter(link, own + 1, 0, Objection(why_not)))
            self.notice = say.NOT_BEGUN(board=self.shown(letters.board), why=why_not)
        return ()

    @property
    def question(self) -> str | None:
        if self._far and self._far.question:
            return say.ASKS(
                board=self.shown(self._far.seat.board), what=worded_request(self._far.question)
            )
        return self._worded(self._offer) if self._offer else None

    @property
    def asker(self) -> str | None:
        if self._far and self.is_asked_by_far:
            return self.shown(self._far.seat.board)
        return self.shown(self._offer.board) if self._offer else None

    @property
    def _offer(self) -> Offer | None:
        return None if self.is_busy else self._offers.first

    @property
    def inviting(self) -> tuple[str, ...]:
        """Whom an unanswered invitation was sent to, as players read it."""
        return tuple(self.shown(letters.board) for letters in self._waiting)

    @property
    def notices(self) -> tuple[str, ...]:
        waiting = (say.INVITING(board=board) for board in self.inviting)
        unreadable = islice(self._unreadable.copy().items(), 1)
        complaints = (
            say.UNREADABLE(board=self.shown(board), why=said) for board, said in unreadable
        )
        return (*filter(None, [self.notice]), *waiting, *complaints)

    @property
    def talk(self) -> LinkTalk | None:
        """The protocol of the match under way."""
        return self._far.talk if self._far else None

    @property
    def opponent(self) -> str | None:
        """The board that the match under way is played with."""
        return self._far.seat.board if self._far else None

    @property
    def can_close(self) -> bool:
        """Whether the other board of the match has been silent for a day."""
        return self._far is not None and self._far.can_close

    def close_match(self) -> None:
        if self._far and self._far.can_close:
            self._far.close()

    @property
    def is_asked_by_far(self) -> bool:
        """Whether the open question is the far player's, which the session answers."""
        return self._far is not None and self._far.question is not None

    # The match under way

    def enter(self, session: Session, decisions: Callable[[], Iterable[Decision]]) -> None:
        """Begin or resume a session; link the other board if one side is played there."""
        if self._far and self._far.due is not None:
            self._lingering = [*self._lingering, self._far][-_MOST_LINGERING:]
        self._far, seat, self.notice = None, session.far_seat, None
        if seat is None:
            return
        try:
            letters = self._open.pop(seat.link, None)
            letters = letters or self._kept(seat.link, BoardName(seat.board))
        except (OSError, CorrespondenceError) as error:
            self.notice = say.LINK_LOST(board=self.shown(seat.board), why=why(error))
            return
        self._far = FarPlayer(
            *(letters, seat, session.game.dice, decisions(), self._wake),
            *(self.shown(seat.board), self.numbers(seat)),
        )
        session.oppose(self._far)

    # Within

    def _write_again(self) -> None:
        for letters in self._open.values():
            letters.post.reconnected()
        for far in filter(None, (self._far, *self._lingering)):
            far.reconnected()

    def _listen(self) -> None:
        """Read waiting messages; no message ends the loop."""
        for sender, waiting in self._mail.copy().items():
            for _ in range(len(waiting)):
                with guarded(partial(self._unreadable.setdefault, sender)):
                    self._take(sender, waiting.popleft())

    def _take(self, sender: BoardName, letter: LinkLetter) -> None:
        for far in filter(None, (self._far, *self._lingering)):
            if far.seat.link == letter.link:
                if far.seat.board == sender:
                    far.hear(letter)
                return
        letters = self._open.get(letter.link)
        if letters is not None:
            if letters.board == sender:
                self._read(letters, letter)
        elif letter.link not in self._begun and not self._path(letter.link).exists():
            self._take_new(sender, letter)

    def _take_new(self, sender: BoardName, letter: LinkLetter) -> None:
        match letter.body:
            case Invitation() if letter.number == 1:
                answer = self._offers.hear(sender, letter.link, letter.body, self._now)
                if answer:
                    self._post(sender, answer)
            case Objection():
                if self._offers.withdrawn(sender, letter.link):
                    self.notice = say.WITHDRAWN(board=self.shown(sender))
            case Response(yes=True):
                # It accepts what was withdrawn here, and would wait for a match for ever.
                self._post(sender, _withdrawal(letter.link))

    def _read(self, letters: Correspondence, letter: LinkLetter) -> None:
        """Read a letter; an invited board's first letter is its answer."""
        letters.post.take(letter)
        match letters.post.next:
            case None:
                pass
            case Objection() if letter.link not in self._begun:
                self._discard(letters)
                self.notice = say.WITHDRAWN(board=self.shown(letters.board))
            case _ if _is_agreed(letters):
                pass  # the rest is for the match to read
            case Response(yes=True):
                letters.next()
            case Response() as declined:
                self._discard(letters)
                self.notice = self._declined(letters, declined)
            case _:
                self._withdraw(letters)
                self.notice = say.UNANSWERED(board=self.shown(letters.board))

    def _declined(self, letters: Correspondence, response: Response) -> Said:
        start = _start_of(_invitation_of(letters))
        match = {
            "board": self.shown(letters.board),
            "white": start.players[0],
            "black": start.players[1],
        }
        if not response.why:
            return say.DECLINED(**match)
        known = (say.BUSY(), say.NO_BOARD(game=start.game), say.NO_CLOCK(), say.NO_CONDONING())
        # Our own sentences are translated for the players here.
        why = next((reason for reason in known if reason == response.why), response.why)
        return say.DECLINED_WHY(**match, why=why)

    def _worded(self, offer: Offer) -> Said:
        start = _start_of(offer.invitation)
        options = start.options.items()
        on = [key if value is True else f"{key} {value}" for key, value in options if value]
        return say.INVITES(
            board=self.shown(offer.board),
            game=start.game,
            white=start.players[0],
            black=start.players[1],
            target=str(start.match_to or "∞"),
            options=", ".join(on) or "–",
            side=offer.invitation.side.other.value,
        )

    def _excuse(self) -> None:
        """While a match is played here, withdraw invitations and decline others.

        The match's own opponent is excepted, because its board may have finished the match already.
        """
        self.withdraw()
        opponent = self._far.seat.board if self._far else None
        while (offer := self._offers.first) and offer.board != opponent:
            self._post(offer.board, self._offers.excuse(offer, say.BUSY(), self._now))

    def _unfit(self, invitation: Invitation) -> str | None:
        """Why no referee here would begin this match; None if one would."""
        seat = FarSeat(invitation.side, self.own, "0").seat
        try:
            start = _start_of(invitation)
            if start.game not in self._games.matches:
                return say.NO_BOARD(game=start.game)
            _, options = agree(start, self._games)
            if options.control:
                return say.NO_CLOCK()
            if options.terms.policy is PlayPolicy.RESPONSIBLE:
                return say.NO_CONDONING()
            agree(replace(start, options={**start.options, **seat.options}), self._games)
        except EventError as error:
            return error.said
        return None

    @property
    def _waiting(self) -> list[Correspondence]:
        return [
            one
            for one in self._open.values()
            if _inviter(one) is LetterWay.WROTE and len(one.letters) == 1
        ]

    def _forget(self) -> None:
        for letters in self._waiting:
            since = self._invited.setdefault(letters.post.link, self._now)
            if self._now >= since + EXPIRES:
                self._withdraw(letters)
                self.notice = say.UNANSWERED(board=self.shown(letters.board))

    def _withdraw(self, letters: Correspondence) -> None:
        self._discard(letters)
        self._post(letters.board, _withdrawal(letters.post.link))

    def _discard(self, letters: Correspondence) -> None:
        self._open.pop(letters.post.link, None)
        self._invited.pop(letters.post.link, None)
        letters.remove()

    def _post(self, board: BoardName, letter: LinkLetter) -> None:
        self._send(board, write_letter(letter))

    def _begin(self, link: str, board: BoardName) -> Correspondence:
        key, send = secrets.token_bytes(_KEY_BYTES), partial(self._send, board)
        return Correspondence.begin(self._path(link), link, board, send, key)

    def _kept(self, link: str, board: BoardName) -> Correspondence:
        return Correspondence(self._path(link), link, partial(self._send, board))

    def _path(self, link: str) -> Path:
        return self._folder / f"{link}.jsonl"

    def _read_folder(self) -> None:
        """Read the links that have no match yet, and wait, begin or delete them."""
        for path in sorted(self._folder.glob("*.jsonl")):
            link = path.stem
            if link in self._begun and link != self._last:
                continue
            try:
                letters = self._kept(link, read_correspondence(path).board)
            except (OSError, CorrespondenceError) as error:
                self.notice = say.LINK_LOST(board=link, why=why(error))
                continue
            bodies = [body for _, body in letters.letters]
            if link == self._last:
                self._open[link] = letters
            elif all(isinstance(body, Invitation | Response) for body in bodies):
                self._open[link] = letters
                if not _is_agreed(letters) and letters not in self._waiting:
                    self._discard(letters)


def _agreed(options: Mapping[str, bool | int | str]) -> Mapping[str, bool | int | str]:
    own = (*_NOT_AGREED_ON, MACHINE, MACHINE_PLAYER)
    return {key: value for key, value in options.items() if key not in own}


def _inviter(letters: Correspondence) -> LetterWay | None:
    way, body = letters.letters[0] if letters.letters else (None, None)
    return way if isinstance(body, Invitation) else None


def _invitation_of(letters: Correspondence) -> Invitation:
    _, invitation = letters.letters[0]
    assert isinstance(invitation, Invitation)
    return invitation


def _is_agreed(letters: Correspondence) -> bool:
    inviter = _inviter(letters)
    return inviter is not None and any(
        isinstance(body, Response) and body.yes and way is not inviter
        for way, body in letters.letters
    )


def _withdrawal(link: str) -> LinkLetter:
    """The inviting board's second letter, which withdraws the invitation."""
    return LinkLetter(link, 2, 0, Objection(say.TAKEN_BACK()))


def _start_of(invitation: Invitation) -> Start:
    start = read_event(invitation.start)
    if not isinstance(start, Start):
        raise EventError(say.NO_START())
    options = _agreed(start.options)
    if len(options) > _MOST_OPTIONS or not all(map(_is_plain, options, options.values())):
        raise EventError(say.NO_START())
    return replace(start, options=options)


def _is_plain(key: str, value: object) -> bool:
    """Whether an option can be shown to players; the game validates it."""
    shown = f"{key} {value}"
    most = len(ORIGIN) + 1 + MOST_OF_ORIGIN if key == ORIGIN else MOST_OF_NAME
    return type(value) in (bool, int, str) and len(shown) <= most and shown.isprintable()


def _match_of(link: str, letters: Correspondence) -> NewMatch:
    way, invitation = letters.letters[0][0], _invitation_of(letters)
    start, inviter = _start_of(invitation), invitation.side
    far = inviter.other if way is LetterWay.WROTE else inviter
    seat = FarSeat(far, letters.board, link)
    options = {**start.options, **seat.seat.options}
    return NewMatch(start.game, start.players, start.match_to, options)


def linking_of(
    journal: Journal,
    own: BoardName,
    send: Callable[[BoardName, bytes], None],
    games: Games,
    wake: Callable[[], None],
    *,
    resumes: bool,
) -> Linking:
    """The links of the board with this journal; with `resumes` it goes on with a match that was
    left. Raises JournalError."""
    seats = [far_seat_of(match.start) for match in journal.matches()]
    newest = journal.unfinished()
    left = newest is not None and far_seat_of(journal.match(newest).start) is not None
    return Linking(
        *(journal.path.with_name(LINKS), own, send, games, wake),
        frozenset(seat.link for seat in seats if seat),
        resumes=resumes and left,
        last=None if left or not seats or not seats[-1] else seats[-1].link,
    )


def rematch_of(last: Start) -> NewMatch | Invite:
    """A match like the last; a rematch with another board must be agreed on again."""
    seat = far_seat_of(last)
    if seat is None:
        return NewMatch(last.game, last.players, last.match_to, last.options)
    options = {k: v for k, v in last.options.items() if k not in (MACHINE, MACHINE_PLAYER)}
    again = NewMatch(last.game, last.players, last.match_to, options)
    return Invite(again, seat.board, seat.side.other)
