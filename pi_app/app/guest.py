"""Boards for friends without one, who play in a browser far away.

For each of them this computer runs a second board, which nobody sees: a session, a journal and the
letters of a linked match, as at a friend's own board. Its checkers lie on no table. The browser is
shown its pages as a phone is, and its touches move the checkers. The dice need the browser's own
secret numbers, so that this computer cannot choose them either.
"""

from __future__ import annotations

import json
import logging
import secrets
import shutil
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from pi_app.app.linking import linking_of
from pi_app.app.session import Session
from pi_app.base.errors import SpotterError
from pi_app.base.files import why
from pi_app.base.identifiers import BoardName
from pi_app.base.microseconds import Us, ms
from pi_app.base.typed_json import JsonError
from pi_app.base.values import dataclass
from pi_app.boards import load_board
from pi_app.club.friends import Friend
from pi_app.club.linked.meeting import room_number
from pi_app.club.records import HashText, HashTexts, LinkText, Ordinal
from pi_app.devices.clock import MatchClock
from pi_app.devices.dice import Dice
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import Opened, last_time, open_to_store
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.phones.keys import PhoneRole
from pi_app.phones.messages import (
    MOST_BYTES,
    Greeting,
    Here,
    NewLooks,
    PageKey,
    PageMessage,
    PageTouch,
    PictureSeen,
    read_message,
)
from pi_app.phones.phone import Phone
from pi_app.referee.events import (
    Button,
    Event,
    EventError,
    FarSeat,
    Picture,
    Press,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.view import View
from pi_app.rules.terms import Checkers, Move, RulesError, Side, Spot
from pi_app.screen.svg import measuring
from pi_app.screen.ui import PageGuest, Shown
from pi_app.sensing.description import Board
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import (
    PHRASES,
    SAID_FOR,
    SAYS,
    AnswerFar,
    NewMatch,
    Output,
    Phrase,
    PutBack,
    Resume,
    SayFar,
    TouchSpot,
)
from pi_app.user.settings import Settings
from pi_app.words.wall_time import written

GUESTS = "guests"
"""The folder of these boards, beside the journal; each has one named after its room."""
MOST_GUESTS = 8
"""The most boards that run at once. A further one takes the place of one whose page is closed, or
waits until there is one."""
MOST_WAITING = 200
"""The most messages that wait for a board; others are dropped, and come again."""
HOST, OWN = BoardName("host"), BoardName("guest")
"""What the two boards call each other in their letters."""
STEP = ms(150)
"""The time between two motions of the hands that nobody has."""
REST = ms(700)
"""How long they rest before they press the button."""
FRAME = ms(150)
"""The least time between two pictures; each is a message over the broker. A page that sends more
than people can costs the other threads no more."""
PATIENCE = ms(500)
AGAIN = ms(2000)
"""What was not answered is sent again after this time."""
SHOWN_WITHIN = ms(6000)
"""A picture that is not shown by then was lost, and all of it is sent again."""
GONE = ms(20_000)
"""A page that was not heard for so long is closed; a page that is open asks every 8 s."""
MOST_HASHES, MOST_ROLLS = 24, 4
"""The most commitments and rolls that one message tells."""
TICKET_BYTES = 8
"""Each message of a page begins with the board's newest ticket, a random number. What a broker has
recorded and repeats later has an old one, and moves nothing."""
NO_TICKET = bytes(TICKET_BYTES)
"""What a page begins its messages with before it has one: its greeting."""
TICKET_FOR = 1000
"""The messages after which a page is given another; a room remembers more envelopes than two
tickets are used for."""


@dataclass(frozen=True, slots=True)
class PageDice:
    """What a page says of the dice of a link: that it has checked the first `done` rolls, its
    commitments from `first` on, and its number for the `roll`."""

    link: LinkText
    done: Ordinal
    first: Ordinal = 0
    hashes: HashTexts = ()
    roll: Ordinal = 0
    number: HashText | None = None


class PageNumbers:
    """The secret numbers of a page, as far as it has told them; SecretNumbers.

    What was asked for and is not known yet is wanted of the page.
    """

    def __init__(self) -> None:
        self._hashes: dict[int, str] = {}
        self._numbers: dict[int, str] = {}
        self.wanted_hashes: int | None = None
        self.wanted_number: int | None = None

    def commitments(self, throws: range) -> tuple[str, ...] | None:
        if all(k in self._hashes for k in throws):
            return tuple(self._hashes[k] for k in throws)
        self.wanted_hashes = throws[0]
        return None

    def number(self, throw: int) -> str | None:
        if throw not in self._numbers:
            self.wanted_number = throw
        return self._numbers.get(throw)

    def hear(self, told: PageDice) -> None:
        """The first word counts: a page that says something else later changes nothing. What was
        not asked for is ignored, or a page could fill the memory."""
        if told.hashes and told.first == self.wanted_hashes:
            for k, one in enumerate(told.hashes, start=told.first):
                self._hashes.setdefault(k, one)
            self.wanted_hashes = None
        if told.number is not None and told.roll == self.wanted_number:
            self._numbers[told.roll] = told.number
            self.wanted_number = None


class FreeHands:
    """Checkers that lie on no table, and hands that move them one motion after the other.

    The checkers of the `near` side are moved by touches, the others by the match.
    """

    def __init__(self, board: Board, near: Side) -> None:
        self._board, self._near = board, near
        self.lying: Checkers = {}
        self.held: Spot | None = None
        self._motions: deque[Checkers | Tap | Button] = deque()
        self._due = Us(0)
        self._turn: object = None

    @property
    def due(self) -> Us | None:
        return self._due if self._motions else None

    def motion(self, us: Us) -> tuple[Event, ...]:
        """The events of the next motion, if its time has come."""
        if not self._motions or us < self._due:
            return ()
        self._due = Us(us + STEP)
        motion = self._motions.popleft()
        if isinstance(motion, Tap | Button):
            return (replace(motion, us=us),)
        before, now = (self._board.closed_by(one) for one in (self.lying, motion))
        self.lying = motion
        return tuple(SensorEdge(us, one, one in now) for one in sorted(before ^ now))

    def picture(self, us: Us) -> Picture:
        return Picture(us, self._board.closed_by(self.lying))

    def follow(self, view: View, us: Us) -> None:
        """Do what is not the player's: set up, make the other side's plays, and lie right again
        after them."""
        if self._motions:
            return
        own = view.to_act is self._near and view.phase is Phase.MOVING and view.chosen is None
        turn = (view.game_number, view.position, view.roll, own)
        is_new, self._turn = turn != self._turn, turn
        if view.phase is Phase.MOVING and view.chosen is not None:
            self._make(view, us)
        elif (is_new or not own) and self.lying != view.accepted:
            self.put_back(view)

    def put_back(self, view: View) -> None:
        self.held = None
        self._motions.clear()
        self._motions.append(view.accepted)

    def _make(self, view: View, us: Us) -> None:
        """Make the play that the other side has chosen, and hand it over."""
        game = self._board.games[view.game]
        position = game.read_position(view.position)
        play = game.read_play(position, view.chosen or "")
        after = game.checkers_at(game.after(position, play))
        if view.board is BoardState.CHOOSE and view.chosen in view.choices:
            self._motions.append(Tap(us, Act.CHOOSE, play=view.chosen))
        elif self.lying == after:
            self._motions.append(Button(us, Press.SHORT))
        else:
            lifted = {spot: _common(view.accepted[spot], after[spot]) for spot in after}
            self._motions.extend((lifted, after))
            return
        self._due = Us(us + REST)

    def touch(self, spot: Spot, view: View) -> None:
        """Lift the topmost checker of a spot, or set the lifted one down there."""
        stack = self.lying.get(spot)
        own = view.to_act is self._near and view.phase is Phase.MOVING and view.chosen is None
        if stack is None or not own or self._motions:
            return
        if self.held is not None:
            self._put(spot, view)
        elif stack and stack[-1] is self._near:
            self.held = spot
            self._motions.append({**self.lying, spot: stack[:-1]})
        elif stack and not view.dice_left and view.roll is None:
            self._take_away(spot, view)  # a cannon shoots what it does not reach
        elif spot in view.targets:
            self._motions.append({**self.lying, spot: (*stack, self._near)})

    def _put(self, spot: Spot, view: View) -> None:
        assert self.held is not None
        origin, self.held = self.held, None
        if spot != origin and self._is_hit(Move(origin, spot), view):
            self._take_away(spot, view)
        there = self._motions[-1] if self._motions else self.lying
        assert not isinstance(there, Tap | Button)
        self._motions.append({**there, spot: (*there[spot], self._near)})

    def _take_away(self, spot: Spot, view: View) -> None:
        home, there = self._board.games[view.game].hit_to(self._near.other), self.lying
        victims = tuple(side for side in there[spot] if side is not self._near)
        stays = tuple(side for side in there[spot] if side is self._near)
        self._motions.append({**there, spot: stays, home: (*there.get(home, ()), *victims)})

    def _is_hit(self, move: Move, view: View) -> bool:
        """Whether a move, legal or not, sends away what stands on its target."""
        if self._near.other not in self.lying[move.target]:
            return False
        game = self._board.games[view.game]
        before = {**self.lying, move.origin: (*self.lying[move.origin], self._near)}
        try:
            after = game.attempted(game.position_of(before, self._near), (move,))
        except RulesError:
            return False
        return self._near.other not in game.checkers_at(after)[move.target]


def _common(before: tuple[Side, ...], after: tuple[Side, ...]) -> tuple[Side, ...]:
    """The lowest checkers that stay."""
    pairs = enumerate(zip(before, after, strict=False))
    least = min(len(before), len(after))
    return before[: next((n for n, (old, new) in pairs if old is not new), least)]


class GuestBoard:
    """One friend's board, on a thread of its own.

    `to_host` takes its letters, `to_page` a message for the browser, and returns whether that is
    short enough; `says` takes a phrase for the host.
    """

    def __init__(
        self,
        folder: Path,
        host: str,
        games: Compendium,
        to_host: Callable[[bytes], None],
        to_page: Callable[[bytes], bool],
        says: Callable[[Phrase], None],
    ) -> None:
        self._folder, self._host, self._games = folder, host, games
        self._to_host, self._to_page, self._says = to_host, to_page, says
        self._inbox: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._measure = measuring()
        self._settings = Settings()
        self._session: Session | None = None
        self._hands: FreeHands | None = None
        self._phone: Phone | None = None
        self._outputs: list[Output] = []
        self._rounds = 0
        self._notice = self._phrase = ""
        self._phrase_until = Us(0)
        self._drawn: object = None
        self._awaited: int | None = None
        self._sent = self._heard = self._told = self._looked = Us(0)
        self._dice: tuple[str, PageNumbers] = ("", PageNumbers())
        self._checked = 0
        self._dice_told: Mapping[str, Any] | None = None
        self._tickets: deque[bytes] = deque(maxlen=2)  # one may be on its way to the page
        self._ticketed = 0
        self._last_page_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="a guest's board", daemon=True)
        self._thread.start()

    # On any thread

    def letter(self, letter: bytes) -> None:
        self._take(lambda: self._linking.hear(HOST, letter))

    def say(self, phrase: Phrase) -> None:
        """Show a phrase of the host's."""
        self._take(lambda: self._hear_phrase(phrase))

    def page(self, message: bytes) -> None:
        self._last_page_s = time.monotonic()
        self._take(lambda: self._hear(message))

    def close(self) -> None:
        self._inbox.put(None)
        self._thread.join()

    def _take(self, work: Callable[[], None]) -> None:
        if self._inbox.qsize() < MOST_WAITING:
            self._inbox.put(work)

    # On its own

    def _run(self) -> None:
        try:
            opened = open_to_store(self._folder)
        except (SpotterError, OSError) as error:
            said = error.said if isinstance(error, SpotterError) else why(error)
            logging.getLogger(__name__).warning("no board for a guest: %s", said)
            return
        try:
            self._open(opened)
            while self._step():
                pass
        except Exception:
            # Whatever it is: the host plays on, and the next message makes another board.
            logging.getLogger(__name__).exception("a guest's board failed")
        finally:
            if self._session:
                self._session.close()
            opened.close()

    @property
    def is_open(self) -> bool:
        return self._thread.is_alive()

    @property
    def has_page(self) -> bool:
        """Whether its page was heard lately."""
        return self.is_open and time.monotonic() < self._last_page_s + GONE / 1e6

    def _open(self, opened: Opened) -> None:
        self._opened, self._clock = opened, MatchClock(last_time(opened))
        self._linking = linking_of(
            opened.journal,
            OWN,
            lambda _, letter: self._to_host(letter),
            self._games.rules,
            lambda: self._inbox.put(lambda: None),
            resumes=True,
        )
        self._linking.shown = lambda _: self._host
        self._linking.numbers = self._numbers
        self._heard = self._clock()

    def _numbers(self, seat: FarSeat) -> PageNumbers:
        self._dice, self._checked = (seat.link, PageNumbers()), 0
        return self._dice[1]

    def _step(self) -> bool:
        """One round. Return whether the board stays open."""
        with suppress(Empty):
            work = self._inbox.get(timeout=self._patience() / 1e6)
            if work is None:
                return False
            work()
        now = self._clock()
        if self._session and (due := self._session.due) is not None and due <= now:
            self._tell(Tick(now))
        self._linking.is_busy = self._session is not None and not self._session.is_over
        for wish in self._linking.wishes(now):
            self._begin(wish)
        self._move(now)
        if now >= self._phrase_until:
            self._phrase = ""
        if self._phone and now >= self._heard + GONE:
            self._phone = None
        if self._phone:
            self._tell_dice(now)
            self._draw(self._phone, now)
        return True

    def _patience(self) -> Us:
        now = self._clock()
        dues = [self._session.due if self._session else None]
        dues.append(self._hands.due if self._hands else None)
        phone = self._phone
        if phone and self._awaited is None:
            dues.append(Us(now + FRAME) if phone.moving else phone.due)
            dues.append(Us(self._looked + FRAME) if now < self._looked + FRAME else None)
        waits = [Us(due - now) for due in dues if due is not None]
        return max(Us(0), min([PATIENCE, *waits]))

    def _tell(self, event: Event) -> None:
        if self._session:
            try:
                self._session.handle(event)
            except EventError as error:
                self._notice = error.said

    # The match

    def _begin(self, wish: NewMatch | Resume) -> None:
        journal = self._opened.journal
        try:
            if isinstance(wish, NewMatch):
                start = self._start(wish)
                session = Session(self._board(start), start, journal, Dice())
                journal.begin(start, written(datetime.now(UTC)))
            else:
                number = journal.unfinished()
                if number is None:
                    return
                start, latest = journal.match(number).start, journal.latest_game(number)
                session = Session(self._board(start), start, journal, Dice(), latest_game=latest)
                journal.resume(number)
        except SpotterError as error:
            self._notice = error.said
            return
        if self._session:
            self._session.dismiss()
        self._session, self._notice = session, ""
        seat, number = session.far_seat, journal.writing
        assert seat
        self._linking.enter(session, lambda: journal.decisions(number) if number else ())
        self._hands = FreeHands(self._board(start), seat.side.other)
        self._hands.lying = session.view.accepted
        self._tell(self._hands.picture(self._clock()))

    def _start(self, wish: NewMatch) -> Start:
        times = self._settings.times
        own: dict[str, bool | int | str] = {
            "commit": "button",
            "debounce_ms": 0,
            "placed_ms": times.placed_ms,
            "grace_ms": times.grace_ms,
            "one_wrong_in": self._settings.play.one_wrong_in,
        }
        board, options = self._games.boards[wish.game], {**wish.options, **own}
        return Start(self._clock(), wish.game, board, wish.match_to, wish.players, options)

    def _board(self, start: Start) -> Board:
        return load_board(start.board, self._games.rules)

    def _move(self, now: Us) -> None:
        if self._session and self._hands:
            self._hands.follow(self._session.view, now)
            for event in self._hands.motion(now):
                self._tell(event)

    # The page

    def _hear(self, message: bytes) -> None:
        """Take a message of the page. A message of no known form is ignored; and, while there is
        a page, one with an old ticket."""
        ticket, text = message[:TICKET_BYTES], message[TICKET_BYTES:][:MOST_BYTES]
        try:
            said = read_message(text.decode("utf-8", "replace"), {"dice": PageDice})
        except JsonError:
            return
        if self._phone is None or isinstance(said, Greeting) or ticket in self._tickets:
            self._read(said)
            self._renew_ticket()

    def _read(self, said: PageMessage | PageDice) -> None:
        now = self._clock()
        self._heard = now
        match said:
            case Greeting(looks=looks):
                self._phone = Phone(PhoneRole.PLAY, looks, self._measure, self._give)
                self._drawn, self._awaited, self._dice_told = None, None, None
                self._tickets.clear()
                self._send({"role": PhoneRole.PLAY.value, "ticket": self._new_ticket()})
            case _ if self._phone is None:
                # The page was greeted by an earlier run of this program, or was silent for long.
                self._send({"anew": True})
            case NewLooks(looks):
                self._phone.look(looks)
                self._drawn = None
            case PageTouch() | PageKey():
                self._phone.hear(said)
                self._drawn = None
            case PictureSeen(n) if n == self._awaited:
                self._awaited = None
            case Here():
                self._send({})
            case PageDice() if said.link == self._dice[0]:
                self._dice[1].hear(said)
                self._checked = max(self._checked, said.done)
                self._tell(Tick(now))

    def _hear_phrase(self, phrase: Phrase) -> None:
        self._phrase = SAYS(name=self._host, phrase=PHRASES[phrase]())
        self._phrase_until = Us(self._clock() + SAID_FOR)

    def _renew_ticket(self) -> None:
        self._ticketed += 1
        if self._phone and self._ticketed >= TICKET_FOR:
            self._send({"ticket": self._new_ticket()})

    def _new_ticket(self) -> str:
        self._ticketed = 0
        self._tickets.append(secrets.token_bytes(TICKET_BYTES))
        return self._tickets[-1].hex()

    def _send(self, news: Mapping[str, Any]) -> bool:
        packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        text = json.dumps(news, ensure_ascii=False).encode()
        return self._to_page(packer.compress(text) + packer.flush())

    def _give(self, outputs: tuple[Output, ...]) -> int:
        self._outputs.extend(outputs)
        return self._rounds + 1

    def _draw(self, phone: Phone, now: Us) -> None:
        """Send what has changed. One picture is under way at a time."""
        if now < self._looked + FRAME:
            return
        if self._awaited is not None:
            if now < self._sent + SHOWN_WITHIN:
                return
            phone.forget_sent()
            self._awaited = self._drawn = None
        while True:
            shown = self._shown()
            seen = replace(shown, view=shown.view.at(now)) if shown.view else shown
            due = phone.due is not None and phone.due <= now
            if seen == self._drawn and not phone.moving and not due:
                return
            self._drawn, self._looked = seen, now
            news = phone.show(shown, self._rounds, now)
            if news is not None:
                self._awaited, self._sent = int(news["n"]), now
                if not self._send(news):
                    logging.getLogger(__name__).warning("a page is too large for a guest")
            if not self._outputs:
                return
            self._obey(now)
            if self._awaited is not None:
                return

    def _obey(self, now: Us) -> None:
        outputs, self._outputs = tuple(self._outputs), []
        self._rounds += 1
        for output in outputs:
            match output:
                case TouchSpot(spot) if self._hands and self._session:
                    self._hands.touch(spot, self._session.view)
                case PutBack() if self._hands and self._session:
                    self._hands.put_back(self._session.view)
                case AnswerFar(yes):
                    if self._session and self._linking.is_asked_by_far:
                        self._session.answer(yes=yes)
                    else:
                        self._linking.answer(yes=yes)
                case SayFar(phrase):
                    self._says(phrase)
                case Button() | Tap():
                    self._tell(output)
        self._move(now)

    def _shown(self) -> Shown:
        session, hands = self._session, self._hands
        troubles = (session.unkept, session.trouble) if session else ()
        notices = (*filter(None, (self._phrase, self._notice, *troubles)), *self._linking.notices)
        near = session.far_seat.side.other if session and session.far_seat else Side.WHITE
        screen = replace(self._settings.screen, turned=near is Side.BLACK)
        board = self._board(session.start) if session else self._first_board
        return Shown(
            board,
            self._games.faces,
            session.view if session else None,
            replace(self._settings, screen=screen),
            notices,
            question=self._linking.question,
            guest=PageGuest(self._host, near, hands.lying if hands else {}),
        )

    @property
    def _first_board(self) -> Board:
        return load_board(next(iter(self._games.boards.values())), self._games.rules)

    # The dice

    def _tell_dice(self, now: Us) -> None:
        """Tell the page what it needs to check the rolls, and what it is to answer."""
        talk, (link, numbers) = self._linking.talk, self._dice
        if talk is None or talk.link != link:
            return
        first = self._checked
        rolls = talk.rolls[first : first + MOST_ROLLS]
        news = {
            "link": link,
            "side": talk.near.value,
            "first": first,
            "far": talk.far_hashes[first : first + MOST_HASHES],
            "hashes": numbers.wanted_hashes,
            "number": numbers.wanted_number,
            "rolled": [
                (k, number, [int(die) for die in roll.dice])
                for k, (number, roll) in enumerate(rolls, start=first)
            ],
        }
        waits = numbers.wanted_hashes is not None or numbers.wanted_number is not None or rolls
        if news != self._dice_told or (waits and now >= self._told + AGAIN):
            self._dice_told, self._told = news, now
            self._send({"dice": news})


class GuestBoards:
    """The boards of all friends who play in a browser. Nothing blocks but `close` and `forget`.

    `to_host` takes a letter of one of them, `to_page` a message for its browser, `says` a phrase of
    its friend.
    """

    def __init__(
        self,
        folder: Path,
        games: Compendium,
        to_host: Callable[[BoardName, bytes], None],
        to_page: Callable[[BoardName, bytes], bool],
        says: Callable[[BoardName, Phrase], None],
    ) -> None:
        self._folder, self._games = folder / GUESTS, games
        self._to_host, self._to_page, self._says = to_host, to_page, says
        self._lock = threading.Lock()
        self._boards: dict[BoardName, GuestBoard] = {}

    def letter(self, friend: Friend, letter: bytes) -> None:
        """Take a letter of the board here; without a page that was heard it is lost, and comes
        again."""
        with self._lock:
            board = self._boards.get(friend.board)
        if board:
            board.letter(letter)

    def say(self, friend: Friend, phrase: Phrase) -> None:
        """Show a friend a phrase; without a page that was heard it is lost."""
        with self._lock:
            board = self._boards.get(friend.board)
        if board:
            board.say(phrase)

    def page(self, friend: Friend, message: bytes) -> None:
        """Take a message of a browser, whose board is opened with the first if there is a place."""
        with self._lock:
            board, ended = self._boards.get(friend.board), None
            if board is None or not board.is_open:
                self._boards.pop(friend.board, None)
                if len(self._boards) >= MOST_GUESTS:
                    silent = (one for one, other in self._boards.items() if not other.has_page)
                    if (first := next(silent, None)) is None:
                        return
                    ended = self._boards.pop(first)
                board = self._boards[friend.board] = self._opened(friend)
        board.page(message)
        if ended:
            threading.Thread(target=ended.close, name="ending a guest's board").start()

    def _opened(self, friend: Friend) -> GuestBoard:
        def to_host(letter: bytes) -> None:
            self._to_host(friend.board, letter)

        def to_page(message: bytes) -> bool:
            return self._to_page(friend.board, message)

        def says(phrase: Phrase) -> None:
            self._says(friend.board, phrase)

        folder = self._folder / room_number(friend.pact.room)
        return GuestBoard(folder, friend.as_whom, self._games, to_host, to_page, says)

    def forget(self, friend: Friend) -> None:
        """Delete a friend's board."""
        with self._lock:
            board = self._boards.pop(friend.board, None)
        if board:
            board.close()
        shutil.rmtree(self._folder / room_number(friend.pact.room), ignore_errors=True)

    def close(self) -> None:
        with self._lock:
            boards, self._boards = tuple(self._boards.values()), {}
        for board in boards:
            board.close()
