"""`spotter friend`: the broker at which friends meet, and the friends that were met."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue

from pi_app.app.linking import LINKS
from pi_app.base.files import why
from pi_app.base.microseconds import Us
from pi_app.cli.arguments import Parser, Part, UsageError, Words, run_action
from pi_app.cli.ending import Status
from pi_app.club.far_player import DAY_S, Correspondence, CorrespondenceError, FarPlayer
from pi_app.club.friends import FRIENDS, Friend, FriendBook, PhraseEnvelopes, code_words
from pi_app.club.line import (
    Access,
    BrokerLine,
    ClubMessage,
    Connected,
    Disconnected,
    Happening,
    LineWish,
)
from pi_app.club.linked.meeting import MeetingRole, topic_of_room
from pi_app.club.setting_up import ClubError, access_of_friends, read_meeting_place
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import data_folder, open_to_store
from pi_app.journal.store import Journal
from pi_app.referee.events import FarSeat, MatchId, Start, far_seat_of
from pi_app.user.commands import PHRASES, Phrase
from pi_app.user.settings import FriendsSettings, load_settings, save_settings
from pi_app.words.texts import quoted

TRIAL_S = 20.0
"""Seconds that a trial of one connection may take, however much comes over it."""
SILENT = "The broker lets this board in, but passes nothing on; which topics does it allow?"
NOBODY = "No friend was met yet: `spotter --match GAME --friend` shows a code."


def run(argv: list[str], games: Compendium) -> int:
    run_action("friend", "Friends far away, met by a code.", ACTIONS, argv, games)
    return Status.DONE


def _broker_words(parser: Parser) -> None:
    what = "host:port or a URL such as wss://play.example; the same for both friends"
    parser.takes("address", "ADDRESS", what)
    ca = "the certificate of its authority, if the system does not know that"
    parser.takes("--ca", "FILE", ca, Path)


def _set_broker(args: Words, _: Compendium) -> Iterator[str]:
    try:
        read_meeting_place(args.address)
    except ClubError as error:
        raise UsageError(error.said) from None
    ca = str(args.ca.absolute()) if args.ca else ""
    settings = load_settings()
    save_settings(replace(settings, friends=FriendsSettings(args.address, ca)))
    yield f"Friends meet at {args.address} from the next start on."


def _access() -> Access:
    settings = load_settings().friends
    if not settings.broker:
        raise UsageError("No broker is set: spotter friend broker ADDRESS")
    try:
        return access_of_friends(settings)
    except ClubError as error:
        raise UsageError(error.said) from None


def _check(_: Words, __: Compendium) -> Iterator[str]:
    """Try the broker: whether it lets this board in, and whether it keeps what is sent."""
    access = _access()
    broker = access.brokers[0]
    topic = topic_of_room(secrets.token_hex(16), MeetingRole.SHOWS)
    with closing(_TriedLine(access)) as one:
        one.listen(topic)
        began = time.monotonic()
        one.hears(topic, b"spotter tries this broker")
        yield f"{broker} lets this board in and answers in {time.monotonic() - began:.2f} s."
        one.send(topic, b"kept", qos=0, retain=True)
    with closing(_TriedLine(access)) as later:
        later.listen(topic)
        later.hears(topic, b"the last one")
        keeps = b"kept" in later.heard
    if keeps:
        raise UsageError(
            f"{broker} keeps messages: see pi_app/club/README.md, a broker for friends."
        )
    yield "It keeps no message."


class _TriedLine(BrokerLine):
    """A connection for a trial. Each call raises UsageError once TRIAL_S are over."""

    def __init__(self, access: Access) -> None:
        super().__init__(access, LineWish("spotter", ()), self._take)
        self.heard: list[bytes] = []
        self._news: SimpleQueue[Happening] = SimpleQueue()
        self._until = time.monotonic() + TRIAL_S
        self.start()
        if not isinstance(news := self._next(), Connected):
            self.close()
            raise UsageError(news.why if isinstance(news, Disconnected) else SILENT)

    def hears(self, topic: str, message: bytes) -> None:
        """Send a message to oneself, and wait for it."""
        self.send(topic, message, qos=0)
        while message not in self.heard:
            self.hear(SILENT)

    def hear(self, otherwise: str) -> bytes:
        """Wait for a message. Raises UsageError `otherwise`."""
        while True:
            match self._next(otherwise):
                case ClubMessage(_, heard):
                    self.heard.append(heard)
                    return heard
                case Disconnected(why):
                    raise UsageError(why)

    def _take(self, happening: Happening) -> None:
        self._news.put(happening)

    def _next(self, otherwise: str = SILENT) -> Happening:
        try:
            return self._news.get(timeout=max(0.0, self._until - time.monotonic()))
        except Empty:
            raise UsageError(otherwise) from None


def _page_words(parser: Parser) -> None:
    parser.takes("file", "FILE", "the file to write, such as page/index.html", Path)


def _page(args: Words, _: Compendium) -> Iterator[str]:
    # Whoever only sets a broker needs none of this.
    from pi_app.phones.page_texts import guest_page  # noqa: PLC0415

    page = guest_page(code_words())
    try:
        args.file.write_text(page, "utf-8")
    except OSError as error:
        raise UsageError(f"{args.file} cannot be written: {why(error)}") from None
    yield f"{args.file} is written; the broker serves it, and friends open it with a code."


def _list(_: Words, __: Compendium) -> Iterator[str]:
    known = FriendBook(data_folder() / FRIENDS).known
    yield from (_named(friend) for friend in known)
    if not known:
        yield NOBODY


def _forget_words(parser: Parser) -> None:
    parser.takes("name", "NAME", "the friend's name, as spotter friend list shows it")


def _forget(args: Words, _: Compendium) -> Iterator[str]:
    with closing(open_to_store(data_folder())) as opened:
        book = FriendBook(data_folder() / FRIENDS)
        friend, far = _find(book, args.name), _far_match(opened.journal)
        if far and far[2].board == friend.board:
            raise UsageError(f"{_named(friend)}: finish the match with this friend first")
        book.forget(friend.board)
    yield f"{_named(friend)} is forgotten and cannot write to this board any more."


def _find(book: FriendBook, name: str) -> Friend:
    named = [friend for friend in book.known if name in (friend.name, friend.board)]
    if len(named) > 1:
        raise UsageError(
            f"{quoted(name)}: several friends have this name; use what stands behind it"
        )
    if not named:
        nobody = "no friend has this name; see spotter friend list" if book.known else NOBODY
        raise UsageError(f"{quoted(name)}: {nobody}")
    return named[0]


def _say_words(parser: Parser) -> None:
    _forget_words(parser)
    phrases = [phrase.value for phrase in Phrase]
    said = ", ".join(map(quoted, phrases))
    parser.takes("phrase", "PHRASE", f"one of: {said}", choices=phrases)


def _say(args: Words, _: Compendium) -> Iterator[str]:
    """Say it beside the Spotter that plays. The friend's board shows it in its own language."""
    friend, phrase = _find(FriendBook(data_folder() / FRIENDS), args.name), Phrase(args.phrase)
    if friend.page:
        raise UsageError(f"{_named(friend)} plays in a browser, which shows no phrases.")
    envelopes = PhraseEnvelopes(friend, phrase)
    off = f"The board of {friend.name or 'your friend'} is off, or cannot reach the broker."
    with closing(_TriedLine(_access())) as line:
        line.listen(envelopes.hears, envelopes.writes_to)
        line.send(envelopes.writes_to, envelopes.asks(), qos=0)
        while (said := envelopes.answer(line.hear(off))) is None:
            pass
        line.hears(envelopes.writes_to, said)
    yield f"{friend.name or 'Your friend'} reads: {PHRASES[phrase]()}"


def _close(_: Words, games: Compendium) -> Iterator[str]:
    """Close the unfinished match with another board. The other board is told at the next start."""
    with closing(open_to_store(data_folder())) as opened:
        journal = opened.journal
        far = _far_match(journal)
        if far is None:
            raise UsageError("No match with another board is unfinished.")
        number, start, seat = far
        friend = FriendBook(data_folder() / FRIENDS).find(seat.board)
        letters = _letters(seat)
        last_s = letters.path.stat().st_mtime
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(last_s))
        if 0 <= time.time() - last_s < DAY_S:
            raise UsageError(f"The last letter is of {when}; wait until that is a day ago.")
        dice, decisions = games.rules.match(start.game).games[0].dice, journal.decisions(number)
        name = (friend and friend.name) or seat.board
        player = FarPlayer(letters, seat, dice, decisions, shown=name)
        if player.talk.objection:
            raise UsageError(f"The match is closed: {player.talk.objection}")
        player.close()
        player.carry(Us(0), None)
        if letters.unkept:
            raise UsageError(f"The match cannot be closed: {letters.unkept}")
    yield f"{player.talk.objection}. The last letter was of {when}."


def _far_match(journal: Journal) -> tuple[MatchId, Start, FarSeat] | None:
    """The unfinished match with another board."""
    number = journal.unfinished()
    if number is None:
        return None
    start = journal.match(number).start
    seat = far_seat_of(start)
    return (number, start, seat) if seat else None


def _letters(seat: FarSeat) -> Correspondence:
    path = data_folder() / LINKS / f"{seat.link}.jsonl"
    try:
        return Correspondence(path, seat.link, lambda _: None)
    except (OSError, CorrespondenceError) as error:
        raise UsageError(f"The letters of this match cannot be read: {error}") from None


def _named(friend: Friend) -> str:
    return f"{friend.name or 'without a name'} {friend.board}"


ACTIONS: Mapping[str, Part] = {
    "broker": Part("set the broker at which friends meet", _set_broker, _broker_words),
    "check": Part("try the broker, and whether it keeps anything", _check),
    "page": Part("write the page of friends without a board, for a broker", _page, _page_words),
    "say": Part("say a phrase to a friend whose board is on", _say, _say_words),
    "list": Part("list the friends that were met", _list),
    "close": Part("close the match of a friend who was silent for a day", _close),
    "forget": Part("forget a friend, who needs another code then", _forget, _forget_words),
}
