"""The pages of the club, with names and reasons as long as they can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from known import BOARDS, FACES, load_board
from views import make_view

from pi_app.app.membership import JOINED, LINKED_NOW, TAKEN_CODE, YOUR_CODE
from pi_app.club.friends import NOBODY, OVER, WRONG
from pi_app.club.line import BEHIND, UNREACHABLE
from pi_app.club.linked.wording import BUSY, DECLINED_WHY, INVITES
from pi_app.club.setting_up import NO_CARD, NO_GOOD_CARD, SEVERAL_CARDS
from pi_app.club.wire import UNCONFIRMED
from pi_app.export.codes import code_of
from pi_app.match.turns import Phase
from pi_app.referee.speech import MOVE
from pi_app.rules.terms import Side
from pi_app.screen.ui import Clubhouse, Page, PageGuest, Shown, TextField, Typing, Ui
from pi_app.sensing.reading import BoardState
from pi_app.user.agreement import Form
from pi_app.user.settings import Settings
from pi_app.words.sentences import AND, Listing

LONG = "a-board-with-a-name-of-32-letters"[:32]
PLAYERS = ("Wilhelmina-Maria", "Бенджамин Жуков")
TERMS = "cube, crawford, a tie turns the cube"
QUESTION = INVITES(
    board=LONG,
    game="backgammon",
    white=PLAYERS[0],
    black=PLAYERS[1],
    target="999",
    options=TERMS,
    side="black",
)
NO = DECLINED_WHY(board=LONG, white=PLAYERS[0], black=PLAYERS[1], why=BUSY())
CLUB = Clubhouse("town-1", True, (LONG, *(f"town-{number}" for number in range(2, 20))))
BROKERS = "one.club.example:8883, two.club.example:8883"
FAULT = f"{LONG}.toml: 'one.club.example' is no broker; write host:port"
FILES = ("table-1.toml", "table-2.toml", "x.toml")
MEMBER = Settings().changed("club.brokers", BROKERS)
SHOWN = Shown(load_board(BOARDS["nannon"]), FACES, settings=MEMBER, club=CLUB)
NAMED = Form(players=PLAYERS, match_to=125)
TOLD = (
    NO_CARD(stick="BLUE"),
    SEVERAL_CARDS(stick="BLUE", files=Listing(FILES, AND)),
    NO_GOOD_CARD(file=f"{LONG}.toml", why=FAULT),
    JOINED(board=LONG),
    LINKED_NOW(board=LONG),
)


LONGEST_CODE = "9999 abstract absolute accident"
WORDS = ("sand", "satisfy", "satoshi", "sauce", "sausage", "save", "say", "scale", "scan", "scare")
MET = tuple((f"~{number:016x}", name) for number, name in enumerate((*PLAYERS, "W" * 40, "Ελένη")))
FRIENDS = Clubhouse(links=True, codes=True, friends=MET, words=WORDS)
FAR_BROKER = "wss://a-broker-with-a-long-name.example.org:8443"
PLAY_BROKER, NO_NAME = "wss://play.example:443", "Temporary failure in name resolution"
MEETINGS = (
    YOUR_CODE(code=LONGEST_CODE),
    TAKEN_CODE(code=LONGEST_CODE),
    NOBODY(broker=FAR_BROKER),
    WRONG(),
    OVER(),
    UNREACHABLE(broker=PLAY_BROKER, why=NO_NAME),
    BEHIND(broker=PLAY_BROKER, date="2021-11-23"),
)


NAMES_OF_CLUB = frozenset(
    (
        *(*CLUB.boards, CLUB.own, "town-", "town-99", BROKERS, "BLUE"),
        *(FAR_BROKER, PLAY_BROKER, NO_NAME),
        *(*FILES, f"{LONG}.toml", FAULT, TERMS, "backgammon", "black"),
        *(*(name for _, name in MET), *WORDS, LONGEST_CODE, *LONGEST_CODE.split(), "9999 abst sa"),
    )
)
"""Texts on these pages that are no sentences."""


def in_club(**changes: object) -> Shown:
    return replace(SHOWN, club=replace(CLUB, **changes))  # type: ignore[arg-type]


def asked(shown: Shown, question: str = QUESTION) -> Shown:
    """The same while another board asks something."""
    return replace(shown, question=question, club=replace(shown.club or CLUB, asker=LONG))


def club_scenes() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    boards = Ui(Page.BOARDS, form=NAMED)
    yield "club new match", (SHOWN, Ui(Page.NEW_MATCH))
    cannon = replace(SHOWN, board=load_board(BOARDS["cannon"]))
    yield "club new match of cannon", (cannon, Ui(Page.NEW_MATCH))
    yield "club boards", (SHOWN, boards)
    yield "club boards more", (SHOWN, replace(boards, first_board=16))
    yield "club boards declined", (in_club(answer=NO), boards)
    yield "club boards nobody", (in_club(boards=(), trouble=UNCONFIRMED(n=2)), boards)
    yield "club boards busy", (replace(SHOWN, view=make_view()), boards)
    yield "club waiting", (in_club(invited=(LONG,)), boards)
    yield "club waiting absent", (in_club(invited=("town-99",)), boards)
    yield "club", (SHOWN, Ui(Page.CLUB))
    for number, told in enumerate(TOLD):
        yield f"club told {number}", (in_club(message=told), Ui(Page.CLUB))
        shown = replace(SHOWN, club=Clubhouse(message=told))
        yield f"club none told {number}", (shown, Ui(Page.CLUB))
    yield "club leave", (SHOWN, Ui(Page.LEAVE_CLUB))
    for accents in (False, True):
        typing = Typing(TextField.BOARD, "town-", accents)
        yield f"club typing {accents}", (SHOWN, Ui(Page.TYPING, typing=typing))
    alone = replace(SHOWN, club=FRIENDS)
    yield "friends new match", (alone, Ui(Page.NEW_MATCH))
    yield "friends", (alone, boards)
    yield "friends none", (replace(SHOWN, club=replace(FRIENDS, friends=())), boards)
    yield "friends of a club", (in_club(codes=True, friends=MET, words=WORDS), boards)
    yield "friends waiting", (replace(SHOWN, club=replace(FRIENDS, invited=("Ελένη",))), boards)
    plays = replace(SHOWN, view=make_view(), club=replace(FRIENDS, opponent="Ελένη"))
    yield "friends say", (plays, Ui(Page.SAY))
    yield "friends menu", (plays, Ui(Page.MENU))
    speaks = replace(plays, settings=MEMBER.changed("speech.told", "all"))
    yield "friends menu aloud", (speaks, Ui(Page.MENU))
    silent = replace(FRIENDS, opponent="W" * 40, can_close=True)
    yield "friends silent", (replace(plays, club=silent), Ui(Page.SAY))
    for number, told in enumerate(MEETINGS):
        code = "" if number else LONGEST_CODE
        meets = replace(FRIENDS, code=code, meets=told)
        yield f"friends meeting {number}", (replace(SHOWN, club=meets), boards)
    page = f"https://play.example:8443/#{LONGEST_CODE.replace(' ', '-')}"
    meets = replace(FRIENDS, code=LONGEST_CODE, meets=MEETINGS[0], page=page)
    yield (
        "friends meeting page",
        (
            replace(SHOWN, club=replace(meets, picture=code_of(page))),
            boards,
        ),
    )
    yield from guest_scenes()
    for text in ("", "9999 abst sa"):
        typing = Typing(TextField.CODE, text)
        yield f"friends typing {text}".strip(), (alone, Ui(Page.TYPING, typing=typing))
    yield "club settings", (SHOWN, Ui(Page.SETTINGS))
    yield "club question", (asked(SHOWN), Ui(Page.SETTINGS, looked=QUESTION))


def guest_scenes() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """What a friend without a board is shown."""
    view = replace(make_view(), message=MOVE(), hint="")
    guest = PageGuest(PLAYERS[1], Side.WHITE, view.accepted)
    waits = replace(SHOWN, club=None, guest=guest)
    yield "guest waits", (waits, Ui(Page.START))
    yield "guest told", (replace(waits, notices=(NO,)), Ui(Page.START))
    plays = replace(waits, view=view)
    yield "guest menu", (plays, Ui(Page.MENU))
    yield "guest moves", (plays, Ui(Page.PLAY))
    wrong = replace(view, board=BoardState.WRONG)
    yield "guest wrong", (replace(plays, view=wrong), Ui(Page.PLAY))
    over = replace(view, phase=Phase.MATCH_OVER)
    yield "guest over", (replace(plays, view=over), Ui(Page.PLAY))
