"""`spotter friend`: the broker at which friends meet, and the friends that were met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pi_app.cli.arguments import Parser, Part, UsageError, Words, run_action
from pi_app.cli.ending import Status
from pi_app.club.friends import FRIENDS, Friend, FriendBook
from pi_app.club.setting_up import ClubError, read_meeting_place
from pi_app.games.equipment import Compendium
from pi_app.journal.opening import data_folder, open_to_store
from pi_app.journal.store import Journal
from pi_app.referee.events import far_seat_of
from pi_app.user.settings import FriendsSettings, load_settings, save_settings
from pi_app.words.texts import quoted

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
        named = [friend for friend in book.known if args.name in (friend.name, friend.board)]
        if len(named) != 1:
            many = "several friends have this name; use what stands behind it" if named else NOBODY
            raise UsageError(f"{quoted(args.name)}: {many}")
        if _opponent(opened.journal) == named[0].board:
            raise UsageError(f"{_named(named[0])}: finish the match with this friend first")
        book.forget(named[0].board)
    yield f"{_named(named[0])} is forgotten and cannot write to this board any more."


def _opponent(journal: Journal) -> str | None:
    """The board that the unfinished match is played with, if it is another."""
    number = journal.unfinished()
    seat = far_seat_of(journal.match(number).start) if number is not None else None
    return seat.board if seat else None


def _named(friend: Friend) -> str:
    return f"{friend.name or 'without a name'} {friend.board}"


ACTIONS: Mapping[str, Part] = {
    "broker": Part("set the broker at which friends meet", _set_broker, _broker_words),
    "list": Part("list the friends that were met", _list),
    "forget": Part("forget a friend, who needs another code then", _forget, _forget_words),
}
