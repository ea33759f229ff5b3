"""Linked matches of this board: invitations that go out and come in, and the match under way.

A link's letters lie in the folder `links` beside the journal, in a file named by the link.  What
was agreed on and has not begun when the power went begins at the next start; a match that has begun
is found in the journal, and its link goes on by itself.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from types import MappingProxyType

from pi_app.club.correspondence import Correspondence, CorrespondenceError, LetterWay
from pi_app.club.far_player import FarPlayer, worded_request
from pi_app.club.linked.letters import (
    Invitation,
    LetterError,
    LinkLetter,
    Objection,
    Response,
    read_letter,
)
from pi_app.club.linked.wording import (
    ALREADY_PLAYING,
    ASKS,
    BUSY,
    DECLINED,
    DECLINED_WHY,
    INVITES,
    INVITING,
    LINK_LOST,
    NO_BOARD,
    NOT_INVITED,
    TAKEN_BACK,
    WITHDRAWN,
)
from pi_app.club.records import BoardName, RecordError, board_name
from pi_app.files import why
from pi_app.microseconds import Us
from pi_app.referee.decision import Decision
from pi_app.referee.events import MACHINE, MACHINE_PLAYER, FarSeat, MachineSeat, Start, far_seat
from pi_app.referee.lines import EventError, read_event, write_event
from pi_app.rules.terms import Side
from pi_app.screen.commands import Invite, NewMatch, Resume
from pi_app.sentences import Said
from pi_app.session import Session

LINKS = "links"
_KEY_BYTES = 32
_NOT_AGREED_ON = ("commit", "debounce_ms", "placed_ms", "grace_ms", "one_wrong_in")
"""The options of a start that are each board's own."""


class Linking:
    """The board `own`; `send` brings a message to another board, and never waits.

    `can_play` says whether a game's board is at hand; while a match `is_busy` no other begins.
    `begun` are the links whose matches are in the journal; it `resumes` the newest match that is
    not over.  The letters of the `last` one, which is over, may not all have been had.  What is
    heard on other threads waits until `wishes` or the session looks; `wake` makes that soon.
    """

    def __init__(
        self,
        folder: Path,
        own: BoardName,
        send: Callable[[BoardName, bytes], None],
        can_play: Callable[[str], bool],
        wake: Callable[[], None] = lambda: None,
        begun: frozenset[str] = frozenset(),
        *,
        resumes: bool = False,
        last: str | None = None,
    ) -> None:
        self._resumes, self._last = resumes, last
        self.own, self._folder, self._send = own, folder, send
        self._can_play, self._wake = can_play, wake
        self._came: SimpleQueue[tuple[BoardName, LinkLetter]] = SimpleQueue()
        self._open: dict[str, Correspondence] = {}
        self._far: FarPlayer | None = None
        self._lingering: list[FarPlayer] = []
        self._begun = set(begun)
        self.is_busy = False
        self.notice: str | None = None
        self._read_folder()

    def hear(self, sender: BoardName, message: bytes) -> None:
        """A message of another board's has come, its name as the broker knows it; on any thread."""
        with suppress(LetterError):
            self._came.put((sender, read_letter(message)))
            self._wake()

    # Invitations

    def invite(self, wish: Invite) -> None:
        """Ask another board for a match; it begins once that board accepts."""
        new, link = wish.match, secrets.token_hex(8)
        start = Start(Us(0), new.game, "", new.match_to, new.players, _agreed(new.options))
        self.notice = None
        if not self._can_play(new.game):
            self.notice = NOT_INVITED(board=wish.board, why=NO_BOARD(game=new.game))
            return
        try:
            letters = self._begin(link, board_name(wish.board))
        except (OSError, RecordError) as error:
            said = why(error) if isinstance(error, OSError) else str(error)
            self.notice = NOT_INVITED(board=wish.board, why=said)
            return
        if letters.write(Invitation(write_event(start), wish.side.value, self.own)):
            self._open[link] = letters
        else:
            self.notice = NOT_INVITED(board=wish.board, why=letters.unkept or "")

    def answer(self, *, yes: bool) -> None:
        """The invitation that is shown is accepted or declined."""
        asked = self._invited()
        if asked:
            letters, _ = asked
            letters.write(Response(yes))

    def withdraw(self) -> None:
        """What nobody has answered yet is taken back; a yes that comes later begins nothing."""
        for letters in self._open.values():
            if _has_invited(letters) and _is_unanswered(letters):
                letters.write(Objection(TAKEN_BACK()))

    def wishes(self, us: Us) -> tuple[NewMatch | Resume, ...]:
        """The matches that are to begin now: agreed on by both, and not begun yet.

        First the one that was under way when the power went.
        """
        if self._resumes:
            self._resumes = False
            return (Resume(),)
        self._listen()
        if self.is_busy:
            self._excuse()
        for letters in self._open.values():
            letters.carry(us)
        for far in self._lingering:
            far.carry(us, None)
        self._lingering = [far for far in self._lingering if far.due is not None]
        agreed = [link for link, letters in self._open.items() if _is_agreed(letters)]
        new = [link for link in agreed if link not in self._begun and not self.is_busy]
        self._begun.update(new[:1])
        return tuple(_match_of(link, self._open[link]) for link in new[:1])

    @property
    def question(self) -> str | None:
        """What is to be answered by yes or no: what the far player asks, or an invitation."""
        if self._far and self._far.question:
            return ASKS(board=self._far.seat.board, what=worded_request(self._far.question))
        asked = None if self.is_busy else self._invited()
        return _worded(*asked) if asked else None

    @property
    def asker(self) -> BoardName | None:
        """The board whose question it is."""
        if self._far and self._far.question:
            return BoardName(self._far.seat.board)
        asked = None if self.is_busy else self._invited()
        return asked[0].board if asked else None

    @property
    def inviting(self) -> tuple[BoardName, ...]:
        """The boards that have been invited and have not answered yet."""
        return tuple(
            letters.board
            for letters in self._open.values()
            if _has_invited(letters) and _is_unanswered(letters)
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """What players should know of invitations, a line each."""
        waiting = (INVITING(board=board) for board in self.inviting)
        return (*([self.notice] if self.notice else []), *waiting)

    @property
    def is_asked_by_far(self) -> bool:
        """Whether the question is the far player's, and the session's to answer."""
        return self._far is not None and self._far.question is not None

    # The match under way

    def enter(self, session: Session, decisions: Callable[[], Iterable[Decision]]) -> None:
        """A session begins or goes on: where its far side is on another board, that is linked."""
        if self._far and self._far.due is not None:
            self._lingering.append(self._far)
        self._far, seat, self.notice = None, session.far_seat, None
        if seat is None:
            return
        try:
            letters = self._open.pop(seat.link, None) or Correspondence(
                self._path(seat.link), seat.link, self._sender(BoardName(seat.board))
            )
        except (OSError, CorrespondenceError) as error:
            said = why(error) if isinstance(error, OSError) else str(error)
            self.notice = LINK_LOST(board=seat.board, why=said)
            return
        dice = session.game.dice
        self._far = FarPlayer(letters, seat, dice, decisions(), self._wake)
        session.link(self._far)

    def close(self) -> None:
        """Everything is on the disk."""
        for letters in self._open.values():
            letters.close()

    # Within

    def _listen(self) -> None:
        while True:
            try:
                sender, letter = self._came.get_nowait()
            except Empty:
                return
            self._take(sender, letter)

    def _take(self, sender: BoardName, letter: LinkLetter) -> None:
        for far in filter(None, (self._far, *self._lingering)):
            if far.seat.link == letter.link:
                if far.seat.board == sender:
                    far.hear(letter)
                return
        letters = self._open.get(letter.link)
        if letters is None and letter.number == 1 and isinstance(letter.body, Invitation):
            letters = self._receive(sender, letter.link)
        if letters is None or letters.board != sender:
            return
        letters.post.take(letter)
        while not _is_agreed(letters) and (body := letters.next()):
            if isinstance(body, Invitation):
                self._look_at(letters, body)
            elif isinstance(body, Response) and not body.yes:
                self.notice = _declined(letters, body)
            elif isinstance(body, Objection):
                self.notice = WITHDRAWN(board=sender)

    def _receive(self, sender: BoardName, link: str) -> Correspondence | None:
        if self._path(link).exists():
            return None  # a match that is not under way just now
        try:
            self._open[link] = self._begin(link, sender)
        except OSError as error:
            self.notice = LINK_LOST(board=sender, why=why(error))
        return self._open.get(link)

    def _look_at(self, letters: Correspondence, invitation: Invitation) -> None:
        """What cannot be played here is declined at once, and so is a second one meanwhile."""
        try:
            start = _start_of(invitation)
        except (EventError, ValueError) as error:
            letters.write(Response(yes=False, why=str(error)))
            return
        if not self._can_play(start.game):
            letters.write(Response(yes=False, why=NO_BOARD(game=start.game)))
        elif (asked := self._invited()) and asked[0] is not letters:
            letters.write(Response(yes=False, why=ALREADY_PLAYING()))

    def _excuse(self) -> None:
        """While a match is played here nobody waits for an answer, nor is one waited for."""
        self.withdraw()
        while asked := self._invited():
            if not asked[0].write(Response(yes=False, why=BUSY())):
                return

    def _invited(self) -> tuple[Correspondence, Invitation] | None:
        """The invitation that waits for an answer here."""
        for letters in self._open.values():
            invitation = _invited_here(letters)
            if invitation and _is_unanswered(letters):
                return letters, invitation
        return None

    def _begin(self, link: str, board: BoardName) -> Correspondence:
        key = secrets.token_bytes(_KEY_BYTES)
        return Correspondence.begin(self._path(link), link, board, self._sender(board), key)

    def _path(self, link: str) -> Path:
        return self._folder / f"{link}.jsonl"

    def _sender(self, board: BoardName) -> Callable[[bytes], None]:
        return lambda message: self._send(board, message)

    def _read_folder(self) -> None:
        """The links of which no match has begun: to be answered, or waited for, or begun."""
        for path in sorted(self._folder.glob("*.jsonl")):
            link = path.stem
            try:
                kept = Correspondence(path, link, lambda _: None)
                kept.close()
                if link == self._last or all(
                    isinstance(body, Invitation | Response | Objection) for _, body in kept.letters
                ):
                    self._open[link] = Correspondence(path, link, self._sender(kept.board))
            except (OSError, CorrespondenceError) as error:
                said = why(error) if isinstance(error, OSError) else str(error)
                self.notice = LINK_LOST(board=link, why=said)


def _agreed(options: Mapping[str, bool | int | str]) -> Mapping[str, bool | int | str]:
    own = (*_NOT_AGREED_ON, MACHINE, MACHINE_PLAYER)
    return MappingProxyType({key: value for key, value in options.items() if key not in own})


def _first(letters: Correspondence) -> tuple[LetterWay, Invitation] | None:
    way, body = letters.letters[0] if letters.letters else (LetterWay.GOT, None)
    return (way, body) if isinstance(body, Invitation) else None


def _invited_here(letters: Correspondence) -> Invitation | None:
    """The invitation that has come, if this board is the one invited."""
    first = _first(letters)
    return first[1] if first and first[0] is LetterWay.GOT else None


def _has_invited(letters: Correspondence) -> bool:
    first = _first(letters)
    return first is not None and first[0] is LetterWay.WROTE


def _response(letters: Correspondence) -> Response | None:
    return next((body for _, body in letters.letters if isinstance(body, Response)), None)


def _is_unanswered(letters: Correspondence) -> bool:
    return not any(isinstance(body, Response | Objection) for _, body in letters.letters)


def _is_agreed(letters: Correspondence) -> bool:
    """Whether the answer is yes, and came before the invitation was withdrawn."""
    answers = (body for _, body in letters.letters if isinstance(body, Response | Objection))
    first = next(answers, None)
    return isinstance(first, Response) and first.yes


def _declined(letters: Correspondence, response: Response) -> Said:
    """Who declines which match, and why if the other board says so."""
    first = _first(letters)
    assert first is not None
    start = _start_of(first[1])
    match = {"board": letters.board, "white": start.players[0], "black": start.players[1]}
    if not response.why:
        return DECLINED(**match)
    known = (BUSY(), ALREADY_PLAYING(), NO_BOARD(game=start.game))
    # What is one of our own sentences is said in the language of the players here.
    why = next((reason for reason in known if reason == response.why), response.why)
    return DECLINED_WHY(**match, why=why)


def _start_of(invitation: Invitation) -> Start:
    """What was invited to; raises EventError and ValueError."""
    start, side = read_event(invitation.start), Side(invitation.side)
    if not isinstance(start, Start):
        raise EventError(f"{side.value}: the invitation is no start of a match")
    return replace(start, options=_agreed(start.options))


def _match_of(link: str, letters: Correspondence) -> NewMatch:
    """The match of a link as it begins here."""
    first = _first(letters)
    assert first is not None
    way, invitation = first
    start, inviter = _start_of(invitation), Side(invitation.side)
    far = inviter.other if way is LetterWay.WROTE else inviter
    seat = FarSeat(far, letters.board, link)
    options = {**start.options, **seat.seat.options}
    return NewMatch(start.game, start.players, start.match_to, MappingProxyType(options))


def _worded(letters: Correspondence, invitation: Invitation) -> Said:
    """All terms of an invitation, in one sentence."""
    start = _start_of(invitation)
    on = [
        key if value is True else f"{key} {value}" for key, value in start.options.items() if value
    ]
    return INVITES(
        board=letters.board,
        game=start.game,
        white=start.players[0],
        black=start.players[1],
        target=str(start.match_to or "∞"),
        options=", ".join(on) or "–",
        side=Side(invitation.side).other.value,
    )


def seat_of(start: Start) -> FarSeat | None:
    """The far seat of a match that is played on two boards, or None."""
    side, player = start.options.get(MACHINE), start.options.get(MACHINE_PLAYER)
    if side not in (Side.WHITE.value, Side.BLACK.value):
        return None
    return far_seat(MachineSeat(Side(side), str(player)))
