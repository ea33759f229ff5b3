"""The pages of the club, with names and reasons as long as they can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from known import BOARDS, FACES, load_board
from views import make_view

from pi_app.app.membership import JOINED, LINKED_NOW
from pi_app.club.linked.wording import BUSY, DECLINED_WHY, INVITES
from pi_app.club.setting_up import NO_CARD, NO_GOOD_CARD, SEVERAL_CARDS
from pi_app.club.wire import UNCONFIRMED
from pi_app.screen.ui import Clubhouse, Page, Shown, TextField, Typing, Ui
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


NAMES_OF_CLUB = frozenset(
    (
        *(*CLUB.boards, CLUB.own, "town-", "town-99", BROKERS, "BLUE"),
        *(*FILES, f"{LONG}.toml", FAULT, TERMS, "backgammon", "black"),
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
    yield "club settings", (SHOWN, Ui(Page.SETTINGS))
    yield "club question", (asked(SHOWN), Ui(Page.SETTINGS, looked=QUESTION))
