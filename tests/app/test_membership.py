"""A club is joined by a card on a USB stick, entered at once, and left again."""

from __future__ import annotations

import datetime
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from hall import until
from known import GAMES
from test_app import NEW, AppBench

from pi_app.app.membership import Club, ClubMember
from pi_app.app.session import Session
from pi_app.base.identifiers import BoardName, IdentifierError
from pi_app.base.microseconds import ms
from pi_app.club import setting_up
from pi_app.club.friends import FRIENDS, Friend, FriendBook, Friends, MeetingShown
from pi_app.club.line import Access, Broker
from pi_app.club.linked.letters import LinkLetter, Response, read_letter, write_letter
from pi_app.club.linked.meeting import FriendCode, MeetingRole, MeetingStage, pact_of
from pi_app.club.records import topic_of
from pi_app.club.setting_up import CA, Card, make_certificates, write_card
from pi_app.devices.stick import Stick
from pi_app.referee.events import FarSeat
from pi_app.rules.terms import Side
from pi_app.screen.ui import Clubhouse
from pi_app.user.commands import ChangeSetting, ClubWish, ForgetFriend, Invite, NewMatch
from pi_app.user.settings import ClubSettings, FriendsSettings, club_folder, load_settings


@cache
def certificate() -> str:
    now = datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC)
    return make_certificates(["localhost"], now)[CA]


def card_of(board: str) -> str:
    # Nobody answers there.
    broker = Broker("localhost", 9)
    return write_card(Card((broker,), BoardName(board), "secret", certificate()))


class ClubBench:
    """A running Spotter, and a stick that can be put in."""

    def __init__(self, folder: Path) -> None:
        self.bench = AppBench(folder / "data")
        self.stick = folder / "media" / "BLUE"
        self.mounted = True
        self.stick.mkdir(parents=True)
        journal = self.bench.opened.journal
        club = Club(journal, GAMES.only(["nannon"]), stick=self._find)
        club.start()
        app = self.bench.app
        app._services = replace(app._services, club=club)

    def _find(self) -> Stick | None:
        return Stick("BLUE", self.stick, writable=True) if self.mounted else None

    @property
    def club(self) -> Clubhouse:
        self.bench.after(50)
        assert self.bench.front.shown is not None
        assert self.bench.front.shown.club is not None
        return self.bench.front.shown.club

    def wishes(self, wish: ClubWish) -> str:
        """A touch, and what the page says once it is done."""
        self.bench.touch(wish)
        until(lambda: self.club.message and "Reading" not in self.club.message)
        return str(self.club.message)

    def close(self) -> None:
        self.bench.app._services.club.close()
        self.bench.kill()


@pytest.fixture
def spotter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClubBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    spotter = ClubBench(tmp_path)
    yield spotter
    spotter.close()


def test_a_club_is_joined_at_once_and_at_every_start_and_left_again(spotter: ClubBench) -> None:
    assert spotter.club == Clubhouse()
    (spotter.stick / "table-3.toml").write_text(card_of("table-3"))
    (spotter.stick / "._table-3.toml").write_bytes(b"\0macOS")
    said = spotter.wishes(ClubWish.JOIN)
    assert said == "Joined the club as table-3. You can remove the stick"
    assert (spotter.club.own, spotter.club.links) == ("table-3", True)
    joined = load_settings().club
    assert (joined.on, joined.board, joined.brokers) == (True, "table-3", "localhost:9")
    kept = list(club_folder().iterdir())
    assert len(kept) == 2
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in kept)
    spotter.bench.touch(ClubWish.LOOK)
    assert spotter.club.message == "", "what was read is not told for ever"
    spotter.bench.touch(Invite(NEW, "table-4", Side.WHITE))
    assert spotter.club.invited == ("table-4",)
    assert spotter.wishes(ClubWish.LEAVE) == "Left the club"
    until(lambda: not spotter.club.own)
    assert (spotter.club.links, load_settings().club) == (False, ClubSettings())
    assert list(club_folder().iterdir()) == []
    assert spotter.wishes(ClubWish.JOIN).startswith("Joined the club"), "with the card again"


def test_a_setting_that_is_changed_afterwards_forgets_no_club(spotter: ClubBench) -> None:
    (spotter.stick / "table-3.toml").write_text(card_of("table-3"))
    spotter.wishes(ClubWish.JOIN)
    spotter.bench.touch(ChangeSetting("sound.on", False))
    assert load_settings().club.board == "table-3"


def cut(text: str) -> str:
    return text[: len(text) // 2]


def without_certificate(text: str) -> str:
    return text.replace("MII", "XXX").replace("A", "B")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "No club card on BLUE. Copy the card"),
        ({"sheet.txt": str}, "No club card on BLUE"),
        (
            {"a.toml": str, "b.toml": str},
            "Several cards on BLUE: a.toml and b.toml. Leave only",
        ),
        ({"a.toml": cut}, "a.toml is not a valid club card: "),
        ({"a.toml": lambda _: "\0"}, "a.toml is not a valid club card: "),
        ({"a.toml": lambda _: ""}, "a.toml is not a valid club card: brokers is missing"),
        ({"a.toml": without_certificate}, "the certificate on this card is damaged"),
        ({"a.toml": lambda text: text.replace("table-3", "spotter-archive")}, "is the archive's"),
    ],
)
def test_a_stick_that_does_not_help_says_why_and_what_to_do(
    files: dict[str, Callable[[str], str]], said: str, spotter: ClubBench
) -> None:
    for name, damaged in files.items():
        (spotter.stick / name).write_text(damaged(card_of("table-3")))
    assert said in spotter.wishes(ClubWish.JOIN)
    assert spotter.club.own == ""
    assert load_settings().club == ClubSettings()


def test_without_a_stick_and_as_a_member_already(spotter: ClubBench) -> None:
    spotter.mounted = False
    assert spotter.wishes(ClubWish.JOIN).startswith("Insert a USB stick")
    spotter.mounted = True
    (spotter.stick / "table-3.toml").write_text(card_of("table-3"))
    spotter.wishes(ClubWish.JOIN)
    spotter.bench.touch(ClubWish.LOOK)
    said = spotter.wishes(ClubWish.JOIN)
    assert said == "Already in a club as table-3; leave it first"


def test_a_stick_that_fails_under_the_hand(
    spotter: ClubBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> Iterator[Path]:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "glob", fails)
    assert spotter.wishes(ClubWish.JOIN) == "USB stick BLUE cannot be read: Input/output error"


def test_what_cannot_be_kept_is_told(spotter: ClubBench) -> None:
    (spotter.stick / "table-3.toml").write_text(card_of("table-3"))
    club_folder().parent.mkdir(parents=True, exist_ok=True)
    club_folder().write_text("a file stands in the way")
    assert "Cannot save the club card: " in spotter.wishes(ClubWish.JOIN)


class BoardsPresent:
    """A club in which these boards are present."""

    trouble = None

    def __init__(self, *boards: str) -> None:
        self.boards = boards


def friends_named(folder: Path, *names: str) -> Friends:
    """Friends without a connection; the first one's key is zeros."""
    book = FriendBook(folder / FRIENDS)
    for number, name in enumerate(names):
        pact = pact_of(bytes([number]) * 32, MeetingRole.READS)
        book.keep(Friend(pact, name, known=True))
    return Friends(Access((Broker("localhost", 9),)), book)


def invited(club: Club, board: str) -> str:
    """Who is invited by this name."""
    return club._to_whom(Invite(NEW, board, Side.WHITE)).board


def test_a_friends_name_takes_no_invitation_of_a_board_of_the_club(tmp_path: Path) -> None:
    club = Club()
    club.friends = friends_named(tmp_path, "Table-4", "Ben", "Eve", "Eve")
    table, ben, *eves = club.friends.book.all
    assert invited(club, "table-4") == table.board
    club.member = cast(ClubMember, BoardsPresent("table-4", "table-5"))
    assert invited(club, "table-4") == "table-4"
    assert invited(club, table.board) == table.board
    assert invited(club, "BEN") == ben.board
    assert invited(club, "Eve") == "Eve", "two have this name"
    assert [invited(club, eve.board) for eve in eves] == [eve.board for eve in eves]


def test_nor_of_a_board_that_was_played_with_and_is_away(tmp_path: Path) -> None:
    club = Club()
    club.friends = friends_named(tmp_path, "Table-4")
    club._played_with = frozenset({"table-4"})
    assert invited(club, "table-4") == "table-4"


def test_the_name_of_a_friend_can_look_like_anothers_board(tmp_path: Path) -> None:
    club = Club()
    first = friends_named(tmp_path / "a", "Ben").book.all[0]
    club.friends = friends_named(tmp_path / "b", "Ben", first.board)
    assert invited(club, first.board) == first.board
    assert invited(club, first.board.upper()) == club.friends.book.all[1].board


def test_a_friend_is_not_forgotten_while_the_match_goes_on(tmp_path: Path) -> None:
    club = Club()
    club.friends = friends_named(tmp_path, "Ben", "Eve")
    ben, eve = (friend.board for friend in club.friends.book.all)
    seat = FarSeat(Side.BLACK, ben, "0")
    session = cast(Session, SimpleNamespace(far_seat=seat, is_over=False))
    club_settings = ClubSettings()
    (said,) = club.obey(ForgetFriend(ben), club_settings, session)
    assert said == "Finish the match with Ben before you forget Ben"
    assert club.friends.book.find(ben)
    assert club.obey(ForgetFriend(eve), club_settings, session) == ()
    over = cast(Session, SimpleNamespace(far_seat=seat, is_over=True))
    assert club.obey(ForgetFriend(ben), club_settings, over) == ()
    assert club.friends.book.all == ()


def test_a_meeting_that_failed_is_told_for_a_minute(tmp_path: Path) -> None:
    club = Club()
    club.friends = friends = friends_named(tmp_path)
    code = FriendCode(561, ("scene", "consider", "smile"))
    failed = MeetingShown(code, MeetingRole.READS, MeetingStage.WRONG, said="Wrong code")
    friends.met = replace(failed, has_ended=False)
    for seconds in (0, 500):
        club._follow_friends(friends, ms(1000 * seconds))
    assert "Wrong code" in club.alarms, "it goes on"
    friends.met = failed = replace(failed, has_ended=True)
    for seconds in (1000, 1059):
        club._follow_friends(friends, ms(1000 * seconds))
        assert "Wrong code" in club.alarms
    club._follow_friends(friends, ms(1_060_000))
    assert club.alarms == ()
    friends.met = failed
    club._follow_friends(friends, ms(2_000_000))
    assert "Wrong code" in club.alarms, "the next one is told as long"


class RecordedLine:
    """A line to a club or to friends that takes letters down, and brings what it is told to."""

    trouble = None
    boards = ("town-2", "town-3")

    def __init__(self) -> None:
        self.posted: list[tuple[str, bytes]] = []
        self.brings: Callable[[BoardName, bytes], None] = lambda _board, _letter: None

    def listen(
        self, hear: Callable[[BoardName, bytes], None], reconnected: Callable[[], None]
    ) -> None:
        self.brings = hear

    def start(self) -> None:
        """It stands."""

    def close(self) -> None:
        """Nothing was opened."""

    def post(self, to: BoardName, letter: bytes) -> None:
        self.posted.append((to, letter))


class LineOfFriends(RecordedLine):
    met = heard_phrase = None

    def __init__(self, book: FriendBook) -> None:
        super().__init__()
        self.book = book


def test_letters_of_a_club_and_of_friends_never_cross(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One board is in both. What a board of the club writes in a friend's link is ignored, and the
    other way round; nobody in a club can have a friend's name."""
    bench = AppBench(tmp_path)
    wire, friends = RecordedLine(), LineOfFriends(friends_named(tmp_path, "Ben").book)
    monkeypatch.setattr(setting_up, "open_wire", lambda *_: wire)
    monkeypatch.setattr(setting_up, "open_friends", lambda *_: friends)
    club = Club(bench.opened.journal, GAMES.only(["nannon"]))
    settings = ClubSettings(on=True, board="town-1")
    club.enter(settings, FriendsSettings("mqtt://nowhere.example"))
    ben = friends.book.known[0].board
    for board in ("town-2", ben):
        club.obey(Invite(NEW, board, Side.WHITE), settings, None)
    club.agreed(ms(0), is_busy=False)
    assert {to for to, _ in wire.posted} == {"town-2"}
    assert {to for to, _ in friends.posted} == {ben}
    assert b"Ada" in friends.posted[0][1]
    in_club, far = (read_letter(line.posted[0][1]).link for line in (wire, friends))
    assert in_club != far

    def answers(line: RecordedLine, board: str, link: str) -> None:
        yes = write_letter(LinkLetter(link, 1, 1, Response(yes=True)))
        line.brings(BoardName(board), yes)

    for board in ("town-2", "town-3"):
        answers(wire, board, far)
    answers(friends, ben, in_club)
    assert club.agreed(ms(100), is_busy=False) == ()
    with pytest.raises(IdentifierError):
        topic_of(f"spotter/1/{ben}/letter/town-1")
    answers(friends, ben, far)
    (begun,) = club.agreed(ms(200), is_busy=False)
    assert isinstance(begun, NewMatch)
    assert begun.options.items() >= FarSeat(Side.BLACK, ben, far).seat.options.items()
    bench.kill()
