"""A play keeps its mover's numbers: the same play of Black's, wherever it can be read or heard."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from functools import cache

import pytest
from any_table import AnyTable
from club_night import BEGAN, ToldMatch
from coaches import Doubtful, hinted
from known import FACES, GAMES, load_board
from shelves import line_of
from views import measure

from pi_app.__main__ import main
from pi_app.base.identifiers import MatchKey, board_name
from pi_app.base.microseconds import ENDLESS
from pi_app.cli.coach import made_of
from pi_app.coach.study import Lesson, Study
from pi_app.export.leaves import leaves
from pi_app.export.sheet import score_sheet
from pi_app.games.all import ALL
from pi_app.languages import load_language
from pi_app.referee.events import MatchId
from pi_app.referee.lines import write_decision, write_event
from pi_app.rules.terms import Side
from pi_app.screen.canvas import Rect, Text
from pi_app.screen.compose import compose
from pi_app.screen.theme import Theme
from pi_app.screen.ui import Browsing, OpenMatch, Page, Shelf, Shown, Ui
from pi_app.speech.aloud import aloud
from pi_app.speech.commentary import Commentary
from pi_app.speech.telling import Manner
from pi_app.speech.utterance import Detail
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import Teller

ENGLISH = load_language("en")
KEPT, READ, HEARD = "1/2 12/18", "24/23 13/7", "24 to 23, 13 to 7"
"""Black's 6-1 as files have it, as it is read, and as it is heard."""
WHITES = "24/23 13/10"


@cache
def evening() -> tuple[AnyTable, tuple[str, ...]]:
    """Black opens with 6-1, White answers with 3-1; and what was heard."""
    table, announcer, heard = AnyTable("backgammon", 3), Commentary(Manner(Detail.ALL)), []
    does = table.does

    def told(event: object) -> None:
        does(event)  # type: ignore[arg-type]
        if said := announcer.hear(table.view, table.view.us):
            heard.append(aloud(said.text, ENGLISH))

    table.does = told  # type: ignore[method-assign]
    table.opens("1", "6")
    table.plays(KEPT)
    table.rolls.append("31")
    table.plays(WHITES)
    return table, tuple(heard)


@cache
def shown() -> Shown:
    table, _ = evening()
    study = Study("gnubg", table.kept)
    while question := study.question:
        study.answer(question.put(Doubtful(table.game)))
    steps = tuple(leaves(table.kept))
    opened = OpenMatch(line_of("backgammon"), "backgammon", table.board, steps)
    lesson = Lesson(match=MatchId(1), done=1, total=1, analysis=study.analysis())
    shelf = Shelf(matches=(opened.match,), opened=opened)
    return Shown(table.board, FACES, table.view, shelf=shelf, lesson=lesson)


def texts(page: Page, leaf: int = 0, shows: Shown | None = None) -> dict[Rect, str]:
    ui = Ui(page, browsing=Browsing(match=MatchId(1), leaf=leaf))
    drawn = compose(shows or shown(), ui, (800, 480), measure, ENDLESS)
    return {shape.rect: shape.text for shape in drawn.shapes if isinstance(shape, Text)}


def joined(page: Page, leaf: int = 0) -> str:
    return " ".join(texts(page, leaf).values())


def leaf_of(side: Side) -> int:
    opened = shown().shelf.opened
    assert opened
    return next(n for n, leaf in enumerate(opened.leaves) if leaf.mover is side and leaf.moves)


@pytest.mark.parametrize("side", Side)
def test_the_last_plays_beside_the_board_keep_their_movers_numbers(side: Side) -> None:
    view = replace(evening()[0].view, to_act=side)
    assert f"Bea 6-1: {READ}" in " ".join(
        texts(Page.PLAY, shows=replace(shown(), view=view)).values()
    )


@pytest.mark.parametrize("page", [Page.SHEET, Page.ANALYSIS])
def test_sheet_and_analysis_name_the_play_so(page: Page) -> None:
    assert f"6-1: {READ}" in joined(page)


def test_the_score_sheet_names_it_so() -> None:
    assert READ in "\n".join(score_sheet(evening()[0].kept))


def test_a_replay_numbers_its_board_as_it_names_the_play() -> None:
    ours, theirs = (
        {r.centre: text for r, text in texts(Page.LEAF, leaf_of(side)).items() if text.isdecimal()}
        for side in Side
    )
    both = [(int(ours[place]), int(theirs[place])) for place in ours if place in theirs]
    assert len(both) == 24
    assert all(white + black == 25 for white, black in both)
    assert f"6-1: {READ}" in joined(Page.LEAF, leaf_of(Side.BLACK))


def test_it_is_heard_so() -> None:
    assert any(HEARD in said for said in evening()[1]), evening()[1]


def test_a_hint_names_it_so() -> None:
    table = AnyTable("backgammon", None)
    table.opens("1", "6")
    there = hinted(replace(shown(), view=table.view, hints=True))
    assert all_go_down(" ".join(texts(Page.HINT, shows=there).values()))


def all_go_down(text: str) -> bool:
    """Whether every move goes from a higher number to a lower one, as its mover's do."""
    ways = re.findall(r"\b(\d+)/(\d+)", text)
    return bool(ways) and all(int(origin) > int(target) for origin, target in ways)


def test_the_wall_names_it_so_and_numbers_its_board_alike() -> None:
    table, _ = evening()
    gallery = Gallery(ALL, load_board)
    teller = Teller(ALL, gallery)
    start = write_event(table.start)
    match = ToldMatch(
        board_name("table-1"),
        MatchKey(f"1@{BEGAN}"),
        start,
        tuple(map(write_decision, table.decided)),
    )
    orders = dict[Side, list[int]]()
    steps = teller.replay(match.records(), ENGLISH)["steps"]
    assert isinstance(steps, list)
    for side, read in ((Side.BLACK, READ), (Side.WHITE, WHITES)):
        step = next(one for one in steps if read in str(one["told"]))
        packed = gallery.picture(str(step["picture"]), Theme.DARK, "en")
        assert packed
        numbers = re.findall(r">(\d+)</text>", gzip.decompress(packed).decode())
        orders[side] = [*map(int, numbers)]
    assert [25 - number for number in orders[Side.BLACK]] == orders[Side.WHITE]
    assert sorted(orders[Side.WHITE]) == [*range(1, 25)]
    stand = None
    for number in range(len(match.lines) + 1):
        stand = teller.stand(match.summary(number), stand)
        if stand.played and stand.played.mover is Side.BLACK:
            page = teller.page(stand, ENGLISH)
            assert (READ in str(page["played"]), HEARD in str(page["said"])) == (True, True)


def test_the_command_line_names_it_so(capsys: pytest.CaptureFixture[str]) -> None:
    analysis = shown().lesson
    assert analysis
    assert analysis.analysis
    made = (made_of(GAMES["backgammon"], one) for one in analysis.analysis.judged)
    assert f"61: {READ}" in made
    start = next(one.state.position for one in evening()[0].decided if one.state.roll)
    assert main(["hint", "backgammon", str(start), "61", "--player", "greedy"]) == 0
    assert all_go_down(capsys.readouterr().out)
