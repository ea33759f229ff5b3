"""Kept matches as the screen is given them: of every game, by chance, and the oddest names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from any_table import AnyTable
from known import BOARDS, FACES, GAMES, load_board

from pi_app.app.librarian import (
    KNOWN_AS,
    NOT_IMPORTED,
    STORED_AS,
    VERSUS,
    WRITTEN,
    Librarian,
)
from pi_app.base.microseconds import ms
from pi_app.devices.stick import NO_STICK
from pi_app.export.codes import code_of, parts_of
from pi_app.export.leaves import leaves
from pi_app.export.sheet import score_sheet
from pi_app.export.statistics import Totals
from pi_app.match.acts import Act
from pi_app.match.score import Score
from pi_app.match.turns import Phase
from pi_app.referee.events import MatchId
from pi_app.screen.ui import (
    Browsing,
    CodePart,
    KeptMatch,
    OpenMatch,
    Page,
    PlayerFigures,
    Shelf,
    Shown,
    StickFile,
    StickFiles,
    TextField,
    Typing,
    Ui,
)
from pi_app.user.commands import Fetch, ImportFiles
from pi_app.words.sentences import AND, Listing

LONG = ("Wilhelmina-Maria", "Бенджамин Жуков")
FAULT = "line 7: “31: 8/5 6/4” is no legal play of the second player"
SAVED_AS = "spotter-2026-03-01-12-Wilhelmina-Maria-Ann"
VERSUS_STORED = STORED_AS(players=VERSUS(white=LONG[0], black=LONG[1]))
STICK = WRITTEN(stick="INTENSO", files=Listing((f"{SAVED_AS}.txt", f"{SAVED_AS}.mat"), AND))


class PromptLibrarian(Librarian):
    """One who finds what is asked for at once, for time is virtual."""

    def ask(self, wish: Fetch | ImportFiles) -> None:
        self.take(wish)

    def close(self) -> None:
        """There is no thread to wait for."""


@cache
def played(game: str, most: int = 60) -> AnyTable:
    """A match of a game up to a number of decisions."""
    table = AnyTable(game, 3, seed=4)
    while table.view.phase is not Phase.MATCH_OVER and len(table.decided) < most:
        table.goes_on()
    if game == "backgammon":
        while table.view.phase is not Phase.TO_ROLL:
            table.goes_on()
        table.doubles(taken=True)
        table.presses()
        table.taps(Act.RESIGN, points=3)
        table.goes_on()
    return table


def line_of(game: str, number: int = 1, **changes: object) -> KeptMatch:
    line = KeptMatch(
        MatchId(number),
        GAMES[game].title,
        load_board(BOARDS[game]).title,
        ("Ann", "Bea"),
        3,
        Score(1, 2),
        "2026-03-01 20:15",
        over=False,
        here=True,
    )
    return replace(line, **changes)  # type: ignore[arg-type]


@cache
def opened(game: str) -> OpenMatch:
    table = played(game)
    score = table.decided[-1].state.standing.score
    over = table.view.phase is Phase.MATCH_OVER
    line = line_of(game, score=score, over=over)
    return OpenMatch(line, game, table.board, tuple(leaves(table.kept)))


FIGURES = Totals(
    matches=128,
    over=120,
    won=64,
    points=512,
    against=498,
    plays=120 * 131,
    time=ms(120 * 61 * 60_000),
    rolled=(1203, 1188, 1250, 1231, 1179, 1222),
    typed=(3, 9, 4, 5, 6, 2),
    taken_back=14,
    warned=37,
    watched=7860,
)


@cache
def shelf_of(game: str) -> Shelf:
    """A shelf with many matches of all games, one of this game open on it."""
    names = list(BOARDS)
    lines = [
        line_of(names[n % len(names)], n, over=n % 3 == 0, here=n % 2 == 0)
        for n in range(23, 0, -1)
    ]
    lines[0] = replace(lines[0], players=LONG, match_to=None, score=Score(118, 120))
    parts = parts_of("Ann – Bea, 2026-03-01 20:15", score_sheet(played(game).kept))
    part = CodePart(MatchId(1), 0, len(parts), code_of(parts[0]))
    players = (
        PlayerFigures(LONG[0], FIGURES),
        PlayerFigures("Ann", replace(FIGURES, typed=(9, 40, 41, 39, 42, 38))),
        PlayerFigures("Bea", Totals(matches=1, rolled=(900, 40, 41, 39, 42, 38))),
    )
    given = ("Ann", "Bea", *LONG, "Max", "Eva", "Annemarie")
    return Shelf(tuple(lines), given, opened(game), part, players, counted=23)


def shelf_scenes() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """Every page of the kept matches in its usual and its oddest states."""
    board = load_board("nannon-6")
    shown = Shown(board, FACES, shelf=shelf_of("backgammon"))
    one = Browsing(match=MatchId(1))
    yield "kept none", (replace(shown, shelf=Shelf(())), Ui(Page.MATCHES))
    yield "kept reading", (replace(shown, shelf=Shelf()), Ui(Page.MATCHES))
    yield "kept list", (replace(shown, playing=MatchId(22)), Ui(Page.MATCHES))
    yield "kept list later", (shown, Ui(Page.MATCHES, browsing=Browsing(first=20)))
    yield "kept players none", (replace(shown, shelf=Shelf(())), Ui(Page.PLAYERS))
    for number in range(3):
        browsing = Browsing(player=number)
        counted = replace(shown, shelf=replace(shown.shelf, counted=20 + number))
        yield f"kept player {number}", (counted, Ui(Page.PLAYERS, browsing=browsing))
    code = replace(one, part=0)
    yield "kept code", (shown, Ui(Page.CODE, browsing=code))
    yield "kept code waiting", (shown, Ui(Page.CODE, browsing=replace(one, part=1)))
    for page in (Page.MATCH, Page.SHEET, Page.LEAF):
        away = Browsing(match=MatchId(9))
        yield f"kept {page.value} waiting", (shown, Ui(page, browsing=away))
    for game in GAMES:
        yield from _of_game(game, replace(shown, shelf=shelf_of(game)), one)
    over = replace(opened("nannon"), match=line_of("nannon", over=True, players=LONG))
    told = replace(shown.shelf, opened=over, message=STICK)
    yield "kept match over", (replace(shown, shelf=told), Ui(Page.MATCH, browsing=one))
    here = replace(opened("pin"), match=line_of("pin", here=False, players=LONG))
    elsewhere = replace(shown.shelf, opened=here)
    yield "kept match elsewhere", (replace(shown, shelf=elsewhere), Ui(Page.MATCH, browsing=one))
    yield from stick_scenes(shown)
    foreign = replace(opened("backgammon"), match=line_of("backgammon", over=True, imported=True))
    imported = replace(shown, shelf=replace(shown.shelf, opened=foreign))
    yield "kept match imported", (imported, Ui(Page.MATCH, browsing=one))
    yield "kept match delete", (imported, Ui(Page.DELETE, browsing=one))
    for text in ("", "A"):
        typing = Typing(TextField.WHITE, text)
        yield f"typing remembered {text}".strip(), (shown, Ui(Page.TYPING, typing=typing))


def stick_scenes(shown: Shown) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """The files of a stick: none, offered, one left out, being read, and all read."""
    told = (
        StickFile("club/2019/final.mat", VERSUS_STORED, MatchId(24)),
        StickFile("club/2019/half.txt", NOT_IMPORTED(why=FAULT), faulty=True),
        StickFile("club/2019/half-again.sgf", KNOWN_AS(number="12"), MatchId(12)),
        *(StickFile(f"club/2020/round-{number}.mat") for number in range(9)),
    )
    offered = tuple(StickFile(file.name) for file in told)
    left_out = Browsing(left_out=frozenset({offered[1].name}))
    for name, files, browsing, message in (
        ("looking", None, Browsing(), ""),
        ("none", StickFiles(""), Browsing(), NO_STICK()),
        ("empty", StickFiles("INTENSO"), Browsing(), ""),
        ("offered", StickFiles("INTENSO", offered), left_out, ""),
        ("importing", StickFiles("INTENSO", told, importing=True), left_out, ""),
        ("imported", StickFiles("INTENSO", told, names=LONG), left_out, ""),
    ):
        shelf = replace(shown.shelf, files=files, message=message)
        yield f"stick {name}", (replace(shown, shelf=shelf), Ui(Page.FILES, browsing=browsing))


def _of_game(game: str, shown: Shown, one: Browsing) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    assert shown.shelf.opened
    last = len(shown.shelf.opened.leaves) - 1
    yield f"kept match {game}", (shown, Ui(Page.MATCH, browsing=one))
    yield f"kept sheet {game}", (shown, Ui(Page.SHEET, browsing=one))
    yield f"kept sheet {game} later", (shown, Ui(Page.SHEET, browsing=replace(one, row=6)))
    for leaf in (0, 2, last // 2, last):
        looked = replace(one, leaf=leaf)
        yield f"kept leaf {game} {leaf}", (shown, Ui(Page.LEAF, browsing=looked))
