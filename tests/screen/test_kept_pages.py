"""Stored matches by touch: listed, replayed, exported, resumed; names reused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from any_table import AnyTable
from coaches import hint_scenes, lesson_scenes
from export_forms import match_text
from known import FACES, FAMILIES, load_board
from scenes import shown_in
from shelves import line_of, shelf_of, shelf_scenes
from small_matches import double_passed
from views import given, make_view, measure, same

from pi_app.app.librarian import Librarian, is_playable
from pi_app.base.microseconds import ENDLESS, ms
from pi_app.coach.study import Lesson
from pi_app.devices.stick import Stick
from pi_app.export.leaves import leaves
from pi_app.export.statistics import Faces
from pi_app.games.all import ALL
from pi_app.journal.opening import FILE
from pi_app.journal.store import Journal
from pi_app.languages import load_language
from pi_app.match.score import Score
from pi_app.players.contract import Unit
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId, Start
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    choose_file,
    open_match,
    resume,
    show_code,
    show_leaf,
    show_matches,
    take_name,
    write,
)
from pi_app.screen.canvas import Box, Drawing, Line, Text
from pi_app.screen.compose import FingerDown, KeyPress, compose, pressed, touched
from pi_app.screen.pages.matches import (
    BLUNDERS,
    ERRORS,
    IN_DECISIONS,
    SheetRow,
    fairness,
    head_to_head,
    sheet_rows,
)
from pi_app.screen.pages.places import play_places
from pi_app.screen.theme import TEAL, TRACE
from pi_app.screen.ui import Browsing, Page, Shelf, Shown, TextField, Typing, Ui, see
from pi_app.user.commands import (
    ChangeSetting,
    DeleteMatch,
    Fetch,
    ImportFiles,
    Output,
    Resume,
    Wanted,
)

SIZE = (800, 480)
BOARD = load_board("nannon-6")


def on_nannon(start: Start) -> bool:
    return is_playable(start, BOARD, BOARD.name)


class Browser:
    """Browses a real journal; each fetch completes before the next touch."""

    def __init__(self, path: Path) -> None:
        self.stick: Stick | None = Stick("STICK", path.parent, writable=True)
        self.path = path
        self.librarian = Librarian(path, ALL, on_nannon, lambda: self.stick, store=self.store)
        self.shown, self.ui = Shown(BOARD, FACES, shelf=self.librarian.shelf), Ui()

    def store(self, start: Start, began: str, decisions: Iterable[Decision]) -> MatchId:
        with closing(Journal(self.path)) as journal:
            return journal.add(start, began, decisions)

    @property
    def picture(self) -> Drawing[Action]:
        return compose(self.shown, self.ui, SIZE, measure, ENDLESS)

    @property
    def words(self) -> str:
        """All that is written, lines that belong together one after another."""
        return " ".join(s.text for s in self.picture.shapes if isinstance(s, Text))

    @property
    def says(self) -> set[str]:
        return {shape.text for shape in self.picture.shapes if isinstance(shape, Text)}

    def taps(self, label: str) -> tuple[Output, ...]:
        (text,) = (s for s in self.picture.shapes if isinstance(s, Text) and s.text == label)
        return self._touch(FingerDown(*text.rect.centre))

    def does(self, action: Action) -> tuple[Output, ...]:
        (target,) = (target for target in self.picture.targets if target.action == action)
        return self._touch(FingerDown(*target.rect.centre))

    def _touch(self, touch: FingerDown) -> tuple[Output, ...]:
        self.ui, outputs = touched(self.picture, touch, self.ui, self.shown, ms(1))
        for output in outputs:
            if isinstance(output, Fetch | ImportFiles):
                self.librarian.take(output)
            elif isinstance(output, DeleteMatch):
                with closing(Journal(self.path)) as journal:
                    journal.delete(output.number)
                self.librarian.take(Fetch(Wanted.LIST))
            elif isinstance(output, ChangeSetting):
                settings = self.shown.settings.changed(output.setting, output.value)
                self.shown = replace(self.shown, settings=settings)
        self.shown = replace(self.shown, shelf=self.librarian.shelf)
        return outputs

    def can(self, action: Action) -> bool:
        return action in {target.action for target in self.picture.targets}


def keep(path: Path, table: AnyTable, players: tuple[str, str]) -> None:
    journal = Journal(path)
    journal.begin(replace(table.start, players=players), "2026-03-01T20:15")
    for decision in table.decided:
        journal.decide(decision)
    journal.commit()
    journal.close()


def nannon() -> AnyTable:
    table = AnyTable("nannon", 3)
    table.opens("5", "3")
    table.plays("2/4")
    return table


def backgammon() -> AnyTable:
    table = double_passed()
    table.opens("6", "2")
    return table


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    keep(tmp_path / FILE, nannon(), ("Ada", "Ben"))
    keep(tmp_path / FILE, backgammon(), ("Cid", "Dan"))
    return Browser(tmp_path / FILE)


def test_an_older_match_is_found_and_gone_on_with(browser: Browser) -> None:
    assert browser.taps("Matches") == (Fetch(Wanted.LIST),)
    assert browser.taps("Ada 0 – 0 Ben") == (Fetch(Wanted.MATCH, MatchId(1)),)
    assert browser.taps("Resume") == (Resume(MatchId(1)),)
    view = make_view(players=("Ada", "Ben"))
    assert see(browser.ui, view, ms(1)).page is Page.PLAY


def test_a_match_of_another_board_says_which_it_needs_and_cannot_be_gone_on_with(
    browser: Browser,
) -> None:
    browser.taps("Matches")
    browser.taps("Cid 1 – 0 Dan")
    assert "Needs the board Tables, 24 points × 5 places" in browser.says
    assert "Resume" in browser.says
    assert not browser.can(resume(MatchId(2)))
    assert browser.taps("Resume") == ()


def test_the_match_under_way_is_only_gone_back_to(browser: Browser) -> None:
    browser.shown = replace(browser.shown, view=make_view(), playing=MatchId(1))
    browser.ui = see(browser.ui, browser.shown.view, ms(0))
    browser.ui, _ = pressed(browser.picture, KeyPress("escape"), browser.ui, browser.shown, ms(1))
    browser.taps("Matches")
    assert "in progress" in browser.says
    browser.does(open_match(MatchId(1)))
    assert browser.taps("Resume") == ()
    assert browser.ui.page is Page.PLAY


def test_a_match_is_looked_through_forwards_backwards_and_by_games(browser: Browser) -> None:
    browser.taps("Matches")
    browser.taps("Cid 1 – 0 Dan")
    browser.taps("Replay")
    told = [leaf.said for leaf in leaves(backgammon().kept)]
    last = len(told) - 1
    assert not browser.can(show_leaf(last + 1))
    assert browser.ui.browsing.leaf == last, "an unfinished match is opened where it stands"
    second = told.index("Game 2, the Crawford game")
    browser.does(show_leaf(second))
    assert "Game 2, the Crawford game" in browser.words
    browser.does(show_leaf(0))
    for number in range(1, len(told)):
        forward = {target.action for target in browser.picture.targets}
        assert show_leaf(number) in forward
        browser.ui, _ = show_leaf(number).act(browser.ui, browser.shown, ms(1))
        assert f"game {1 if number < second else 2}" in browser.words
    browser.taps("Back")
    assert browser.ui.page is Page.MATCH


def test_the_board_shows_what_stood_after_each_leaf(browser: Browser) -> None:
    """Every checker is drawn, on the match's board instead of this one."""
    browser.taps("Matches")
    browser.taps("Cid 1 – 0 Dan")
    assert browser.shown.shelf.opened
    assert browser.shown.shelf.opened.board.name == "tables-24"
    pictures = []
    for number in range(3):
        browser.ui, _ = show_leaf(number).act(browser.ui, browser.shown, ms(1))
        pictures.append(browser.picture.shapes)
    assert len({*map(len, pictures)}) > 1


@pytest.mark.parametrize("size", [(640, 400), (800, 480), (480, 800), (720, 1280)], ids=str)
@pytest.mark.parametrize("game", FAMILIES)
def test_the_board_of_a_leaf_is_where_it_is_when_it_is_played_on(
    game: str, size: tuple[int, int]
) -> None:
    shown = Shown(load_board("nannon-6"), FACES, shelf=shelf_of(game))
    leafed = Ui(Page.LEAF, browsing=Browsing(match=MatchId(1)))
    picture = compose(shown, leafed, size, measure, ENDLESS)
    board = play_places(size).board
    assert board in [shape.rect for shape in picture.shapes if isinstance(shape, Box)]


def test_a_tap_on_the_sheet_shows_the_play_on_the_board(browser: Browser) -> None:
    browser.taps("Matches")
    browser.taps("Cid 1 – 0 Dan")
    browser.taps("Score sheet")
    browser.taps("Cid 3-1: 13/10 6/5")
    assert browser.ui.page is Page.LEAF
    assert {"3-1:", "13/10", "6/5"} <= {word for text in browser.says for word in text.split()}


def test_the_sheet_has_white_on_the_left_and_black_on_the_right() -> None:
    found = tuple(leaves(backgammon().kept))
    rows = [
        tuple(None if cell is None else found[cell].said for cell in row.cells)
        for row in sheet_rows(found)
    ]
    assert rows == [
        ("Game 1",),
        ("Opening roll: Ann 3, Bea 1",),
        ("Ann 3-1: 13/10 6/5", "Bea 6-3: 24/15*"),
        ("Ann doubles to\u00a02", "Bea passes. Ann wins 1 point, double passed."),
        ("Game 2, the Crawford game",),
        ("Opening roll: Ann 6, Bea 2",),
        ("Ann rolled 6-2", None),
    ]


def test_no_leaf_is_lost_between_the_rows_of_a_sheet() -> None:
    for game in ("nannon", "cannon", "portes"):
        table = AnyTable(game, 1, seed=6)
        for _ in range(60):
            table.goes_on()
        found = tuple(leaves(table.kept))
        rows = tuple(sheet_rows(found))
        cells = [cell for row in rows for cell in row.cells if cell is not None]
        assert cells == list(range(len(found)))
        for row in rows:
            assert row != SheetRow((None, None))
            for cell, side in zip(row.cells, Side, strict=False):
                assert cell is None or len(row.cells) == 1 or found[cell].mover is side


def test_the_stick_says_what_was_written(browser: Browser, tmp_path: Path) -> None:
    browser.taps("Matches")
    browser.taps("Ada 0 – 0 Ben")
    assert browser.taps("Save to USB") == (Fetch(Wanted.STICK, MatchId(1)),)
    (file,) = tmp_path.glob("*.txt")
    told = f"Saved to STICK: {file.name}"
    assert browser.shown.shelf.message == told
    assert told in browser.words
    browser.taps("QR codes")
    assert told not in browser.words, "what was told is told until something else is wanted"
    browser.taps("Back")
    browser.taps("Save to USB")
    browser.taps("Back")
    assert told not in browser.words


def test_codes_are_made_one_after_another(tmp_path: Path) -> None:
    table = AnyTable("backgammon", 1, seed=2)
    for _ in range(90):
        table.goes_on()
    keep(tmp_path / FILE, table, ("Ada", "Ben"))
    browser = Browser(tmp_path / FILE)
    browser.taps("Matches")
    browser.does(open_match(MatchId(1)))
    assert browser.taps("QR codes") == (Fetch(Wanted.CODE, MatchId(1), 0),)
    first = [shape for shape in browser.picture.shapes if isinstance(shape, Box)]
    assert "Code 1 of 3" in browser.says
    assert browser.does(show_code(1)) == (Fetch(Wanted.CODE, MatchId(1), 1),)
    assert "Code 2 of 3" in browser.says
    assert first != [shape for shape in browser.picture.shapes if isinstance(shape, Box)]
    browser.does(show_code(2))
    assert not browser.can(show_code(3))


def test_a_code_of_another_match_is_not_shown_while_this_ones_is_made(browser: Browser) -> None:
    shelf = shelf_of("backgammon")
    shown = replace(browser.shown, shelf=shelf)
    away = Ui(Page.CODE, browsing=Browsing(match=MatchId(9)))
    ours = Ui(Page.CODE, browsing=Browsing(match=MatchId(1)))
    pictures = [compose(shown, ui, SIZE, measure, ENDLESS) for ui in (away, ours)]
    assert len(pictures[0].shapes) + 500 < len(pictures[1].shapes)


@pytest.mark.parametrize("size", [(640, 400), (800, 480), (480, 800)])
def test_a_code_is_drawn_in_whole_pixels_with_its_margin(size: tuple[int, int]) -> None:
    shown, ui = dict(shelf_scenes())["kept code"]
    picture = compose(shown, ui, size, measure, ENDLESS)
    part = shown.shelf.part
    assert part
    dark = [
        shape.rect
        for shape in picture.shapes
        if isinstance(shape, Box) and shape.fill == same(0, 0, 0)
    ]
    assert len(dark) == len(part.code.dark)
    (paper,) = (
        s.rect for s in picture.shapes if isinstance(s, Box) and s.fill == same(255, 255, 255)
    )
    module = dark[0].h
    assert module >= 3
    assert {rect.h for rect in dark} == {module}
    assert all(paper.inset(4 * module).holds(rect) for rect in dark)


def test_statistics_of_each_player_who_played_most_first(browser: Browser) -> None:
    browser.taps("Matches")
    assert browser.taps("Statistics") == (Fetch(Wanted.PLAYERS),)
    assert {"Ada", "player 1 of 4", "1, 0 finished", "too few rolls"} <= browser.says
    assert "Rolled by Spotter: 1 die" in browser.says


@pytest.mark.parametrize(
    ("faces", "said"),
    [
        ((5, 5, 5, 5, 5, 4), "too few rolls"),
        ((50,) * 6, "fair (p\u00a00.99)"),
        ((80, 90, 95, 100, 105, 130), "unusual (p\u00a00.01)"),
        ((60, 90, 95, 100, 105, 150), "unlikely (p\u00a0<\u00a00.001)"),
    ],
)
def test_the_word_on_dice_has_its_figure(faces: Faces, said: str) -> None:
    assert fairness(faces) == said
    if "(p" in said:
        assert "0," in load_language("de").say(fairness(faces))


def test_thousands_of_a_die_are_grouped_as_the_language_does() -> None:
    shown, ui = dict(shelf_scenes())["kept player 0"]
    counts = {"en": "1,179", "de": "1.179", "el": "1.179"}
    for name, count in counts.items():
        picture = compose(replace(shown, language=load_language(name)), ui, SIZE, measure, ENDLESS)
        assert count in {one.text for one in picture.shapes if isinstance(one, Text)}


def test_the_list_is_paged(tmp_path: Path) -> None:
    journal = Journal(tmp_path / FILE)
    for number in range(12):
        players = (f"P{number}", "Ben")
        journal.begin(Start(ms(0), "nannon", "nannon-6", 3, players), "2026-03-01T20:15")
    journal.close()
    browser = Browser(tmp_path / FILE)
    browser.taps("Matches")
    seen = []
    for first in (5, 10):
        seen += [word for word in browser.says if word.startswith("P")]
        assert browser.does(show_matches(first, anew=False)) == ()
    seen += [word for word in browser.says if word.startswith("P")]
    assert {*seen} == {f"P{number} 0 – 0 Ben" for number in range(12)}
    assert len(seen) == 12
    assert not browser.can(show_matches(15, anew=False))
    browser.does(open_match(MatchId(1)))
    browser.taps("Back")
    assert browser.ui.browsing.first == 10, "back leads to where one was"


def test_the_list_says_what_is_wrong_with_the_journal(tmp_path: Path) -> None:
    browser = Browser(tmp_path / FILE)
    assert browser.taps("Matches") == (Fetch(Wanted.LIST),)
    assert "no journal yet" in browser.words
    browser.taps("Back")
    assert browser.ui.page is Page.START


# Names ---------------------------------------------------------------------------------------


def typing(text: str, entry: TextField = TextField.WHITE) -> Browser:
    hand = Browser(Path("/nowhere"))
    names = ("Eva", "Max", "Ada", "Emil", "Ben", "Elsa", "Edda", "Ewald")
    hand.librarian.shelf = Shelf((), names)
    hand.shown = replace(hand.shown, shelf=hand.librarian.shelf)
    hand.ui = Ui(Page.TYPING, typing=Typing(entry, text))
    return hand


def offered(hand: Browser) -> list[str]:
    return given((target.action for target in hand.picture.targets), take_name)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ["Eva", "Max", "Ada", "Emil"]),
        ("E", ["Eva", "Emil", "Elsa", "Edda"]),
        ("em", ["Emil"]),
        ("Zo", []),
    ],
)
def test_the_names_that_may_be_meant_are_offered_the_latest_first(
    text: str, names: list[str]
) -> None:
    assert offered(typing(text)) == names


def test_a_tap_takes_a_name_and_nobody_plays_against_himself() -> None:
    hand = typing("", TextField.BLACK)
    hand.does(take_name("Max"))
    assert hand.ui.form.players == ("", "Max")
    assert hand.ui.page is Page.NEW_MATCH
    hand.ui, _ = write(TextField.WHITE).act(hand.ui, hand.shown, ms(1))
    assert offered(hand) == ["Eva", "Ada", "Emil", "Ben"]
    hand.does(take_name("Eva"))
    assert hand.ui.form.players == ("Eva", "Max")
    hand.ui, _ = write(TextField.BLACK).act(hand.ui, hand.shown, ms(1))
    assert offered(hand) == ["Ada", "Emil", "Ben", "Elsa"], "Max is changed for somebody else"


def test_points_to_win_are_no_name() -> None:
    assert offered(typing("", TextField.TARGET)) == []


def test_a_match_under_way_changes_no_page_but_the_way_back() -> None:
    for name, (shown, ui) in dict(shelf_scenes()).items():
        if ui.page in (Page.MATCH, Page.LEAF, Page.SHEET, Page.CODE, Page.PLAYERS):
            beside = replace(shown, view=make_view())
            alone = compose(shown, ui, SIZE, measure, ENDLESS)
            assert compose(beside, ui, SIZE, measure, ENDLESS) == alone, name


def test_the_opponent_and_the_rating_of_a_match_stand_at_one_height() -> None:
    shown, ui = dict(lesson_scenes())["ratings 0"]
    picture = compose(shown, ui, SIZE, measure, ENDLESS)
    texts = (shape for shape in picture.shapes if isinstance(shape, Text))
    heights = Counter(text.rect.centre[1] for text in texts if text.bold and text.size <= 19)
    lines = [count for height, count in heights.items() if height < 400]
    assert lines
    assert set(lines) == {2}


def test_the_best_play_is_drawn_beside_the_one_made_from_where_both_began() -> None:
    shown, ui = dict(lesson_scenes())["judged cannon 0"]
    picture = compose(shown, ui, SIZE, measure, ENDLESS)
    written = {shape.text for shape in picture.shapes if isinstance(shape, Text)}
    assert {"played", "best"} <= written
    lines = {shape.colour for shape in picture.shapes if isinstance(shape, Line)}
    assert {TRACE, TEAL} <= lines


def test_one_error_is_no_errors() -> None:
    counts = IN_DECISIONS(blunders=BLUNDERS(n=1), errors=ERRORS(n=1), n=4)
    assert load_language("en").say(counts) == "1 blunder, 1 error in 4 decisions"
    assert load_language("de").say(counts) == "1 grober Fehler, 1 Fehler in 4 Entscheidungen"
    none = IN_DECISIONS(blunders=BLUNDERS(n=0), errors=ERRORS(n=2), n=1)
    assert load_language("en").say(none) == "0 blunders, 2 errors in 1 decision"


def written_on(scene: tuple[Shown, Ui]) -> set[str]:
    picture = compose(*scene, SIZE, measure, ENDLESS)
    return {shape.text for shape in picture.shapes if isinstance(shape, Text)}


def test_an_analysis_names_the_player_and_what_each_kind_of_decision_lost() -> None:
    written = written_on(dict(lesson_scenes())["analysis backgammon"])
    assert any("PR 225 · beginner" in text for text in written), written
    assert any(text.startswith("plays −") and " · doubles −" in text for text in written)


def test_ratings_of_several_matches_are_a_curve() -> None:
    scenes = dict(lesson_scenes())
    for name, points in (("ratings 0", [3]), ("ratings 2", [])):
        assert curve_of(scenes[name]) == points
    # Its six matches were played in three months, whose first and last have names.
    assert {"2026-03", "2026-05"} <= set(" ".join(written_on(scenes["ratings 0"])).split())
    shown, ui = scenes["ratings 0"]
    assert shown.lesson
    once = tuple(replace(one, began="2026-03-01 20:15") for one in shown.lesson.ratings)
    in_a_month = replace(shown, lesson=replace(shown.lesson, ratings=once))
    assert curve_of((in_a_month, ui)) == [6]


def curve_of(scene: tuple[Shown, Ui]) -> list[int]:
    """How many points the curve of ratings has."""
    picture = compose(*scene, SIZE, measure, ENDLESS)
    lines = (shape for shape in picture.shapes if isinstance(shape, Line))
    return [len(line.points) for line in lines if line.colour == TEAL]


def test_the_matches_of_two_players_are_counted_head_to_head() -> None:
    won, lost = Score(5, 3), Score(2, 5)
    kept = line_of("backgammon", 1, over=True, players=("Ada", "Ben"))
    shelf = Shelf(
        (
            replace(kept, score=won),
            replace(kept, score=lost),
            replace(kept, players=("Ben", "Ada"), score=lost),
            replace(kept, score=won, over=False),
            replace(kept, players=("Ada", "Cid"), score=won),
        )
    )
    assert head_to_head(shelf, "Ada", "Ben") == (2, 3)
    assert head_to_head(shelf, "Ben", "Ada") == (1, 3)
    assert head_to_head(shelf, "Ada", "Dora") == (0, 0)


def test_losses_of_a_match_say_of_what() -> None:
    shown, ui = dict(lesson_scenes())["analysis backgammon"]
    assert shown.lesson
    assert shown.lesson.analysis
    judged = tuple(replace(one, unit=Unit.MATCH) for one in shown.lesson.analysis.judged)
    lesson = replace(shown.lesson, analysis=replace(shown.lesson.analysis, judged=judged))
    picture = compose(replace(shown, lesson=lesson), ui, SIZE, measure, ENDLESS)
    written = " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))
    assert "Chance to win the match, in all: plays −" in written
    assert "% of the match" in written


def test_a_judge_has_the_name_that_people_know() -> None:
    shown, ui = dict(lesson_scenes())["analysis backgammon"]
    assert shown.lesson
    assert shown.lesson.analysis
    rivals = {"backgammon": tuple(one.rival for one in ALL.find("backgammon").players)}
    for player, exact, told in (
        ("gnubg-2", False, "GNU Backgammon, 2-ply: estimate"),
        ("network-2", False, "Expert: estimate"),
        ("exact", True, "solved"),
    ):
        analysis = replace(shown.lesson.analysis, player=player, exact=exact)
        lesson = replace(shown.lesson, analysis=analysis)
        assert told in written_on((replace(shown, lesson=lesson, rivals=rivals), ui))


def test_a_hint_tells_how_the_game_will_end_where_its_player_knows() -> None:
    scenes = dict(hint_scenes(shown_in))
    written = " ".join(written_on(scenes["hint backgammon"]))
    assert "wins\u00a061.2\u00a0%\u00a0(20.9;\u00a01.2)" in written
    assert "loses\u00a038.8\u00a0%" in written
    assert "wins" not in " ".join(written_on(scenes["hint cannon"]))


# Match files of a stick


@pytest.fixture
def bringing(tmp_path: Path) -> Browser:
    """A stick with four matches, one of them damaged and one twice; the list of matches is open."""
    (tmp_path / "old").mkdir()
    texts = {name: match_text(name, "Ben") for name in ("Ann", "Cid")}
    (tmp_path / "a.mat").write_text(texts["Ann"])
    (tmp_path / "bad.txt").write_text(texts["Ann"].replace("8/5 6/5", "8/5 6/4"))
    (tmp_path / "old" / "again.txt").write_text(texts["Ann"])
    (tmp_path / "old" / "c.mat").write_text(texts["Cid"])
    (tmp_path / "._a.mat").write_bytes(b"\0macOS")
    Journal(tmp_path / "journal.db").close()
    browser = Browser(tmp_path / "journal.db")
    browser.ui, (fetch,) = show_matches().act(browser.ui, browser.shown, ms(0))
    assert isinstance(fetch, Fetch)
    browser.librarian.take(fetch)
    browser.shown = replace(browser.shown, shelf=browser.librarian.shelf)
    return browser


def test_files_of_a_stick_are_offered_chosen_and_stored(bringing: Browser) -> None:
    bringing.taps("From USB")
    assert {"USB stick STICK", "4 match files", "a.mat", "bad.txt", "old/c.mat"} <= bringing.says
    bringing.does(choose_file("old/c.mat"))
    assert {"left out", "Import 3 files"} <= bringing.says
    bringing.taps("Import 3 files")
    assert {"Stored: Ann – Ben", "Stored before, as match 1", "3 of 4 read"} <= bringing.says
    assert "line 5" in bringing.words
    assert "Not imported" in bringing.words
    assert "left out" in bringing.says
    with_one = bringing.librarian.shelf.matches
    assert with_one
    assert [one.imported for one in with_one] == [True]


def test_whose_the_matches_are_is_asked_once(bringing: Browser) -> None:
    bringing.taps("From USB")
    bringing.taps("Import 4 files")
    assert {"I am Ben", "I am Ann"} <= bringing.says
    bringing.taps("I am Ben")
    assert bringing.shown.settings.coach.me == "Ben"
    assert "I am Ann" not in bringing.says


def test_how_many_matches_wait_for_the_coach_is_shown(bringing: Browser) -> None:
    bringing.taps("From USB")
    bringing.taps("Import 4 files")
    bringing.shown = replace(bringing.shown, lesson=Lesson(waiting=2))
    bringing.does(show_matches())
    assert "2 matches · 2 to analyse" in bringing.words
    assert "imported" in bringing.words


def test_a_stick_that_is_pulled_out_loses_what_was_not_read(bringing: Browser) -> None:
    bringing.taps("From USB")
    bringing.stick = None
    bringing.taps("Import 4 files")
    assert "Insert a USB stick and wait a moment" in bringing.words
    bringing.taps("Back")
    bringing.taps("From USB")
    assert "Insert a USB stick and wait a moment" in bringing.words


def test_an_imported_match_is_deleted_after_a_question(bringing: Browser) -> None:
    bringing.taps("From USB")
    bringing.taps("Import 4 files")
    bringing.does(show_matches())
    bringing.does(open_match(MatchId(2)))
    assert "Resume" not in bringing.says
    bringing.taps("Delete")
    bringing.taps("Keep it")
    bringing.taps("Delete")
    assert "Delete this imported match?" in bringing.words
    (delete,) = [one for one in bringing.picture.targets if "DeleteMatch" in repr(one.action)]
    bringing.does(delete.action)
    assert [one.number for one in bringing.librarian.shelf.matches or ()] == [1]
