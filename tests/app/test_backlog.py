"""All stored matches are analysed in the background, the weakest analysis first, and resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from any_table import AnyTable
from coaches import PromptCoaching
from stored import store
from test_coaching import played, wish_of

from pi_app.app.backlog import Backlog
from pi_app.app.coaching import BacklogWish
from pi_app.coach.study import FILE as RATINGS
from pi_app.coach.study import Rating, keep_ratings, read_ratings
from pi_app.games.all import ALL
from pi_app.journal.opening import FILE
from pi_app.referee.events import IMPORTED


def journal_of(folder: Path, *tables: AnyTable) -> Path:
    path = folder / FILE
    store(path, *tables)
    return path


def coach_at(path: Path) -> PromptCoaching:
    return PromptCoaching(path.with_name(RATINGS), backlog=Backlog(path, ALL))


def rated(path: Path) -> set[tuple[int, str]]:
    return {(one.match, one.judge) for one in read_ratings(path.with_name(RATINGS))}


def test_every_finished_match_is_analysed_and_what_waits_is_counted(tmp_path: Path) -> None:
    begun = AnyTable("nannon", None)
    begun.opens("5", "3")
    path = journal_of(tmp_path, played(), begun, played())
    coach = coach_at(path)
    coach.ask(BacklogWish(on=False))
    assert rated(path) == set()
    coach.ask(BacklogWish(on=True))
    assert rated(path) == {(1, "exact"), (3, "exact")}
    assert coach.lesson.waiting == 0
    assert coach.lesson.match is None


def test_the_weakest_analysis_comes_first_and_nothing_is_done_twice(tmp_path: Path) -> None:
    path = journal_of(tmp_path, played(), played(), played(), played())
    coach = coach_at(path)
    coach.ask(BacklogWish(on=True))
    best = read_ratings(path.with_name(RATINGS))
    assert Backlog(path, ALL).left(best) == ()
    players = [name for name in ALL.find("nannon").contenders if name != "exact"]

    def judged(number: int, judge: str) -> tuple[Rating, ...]:
        return tuple(replace(one, judge=judge) for one in best if one.match == number)

    ratings = (*judged(2, players[0]), *judged(3, players[-1]), *judged(4, "exact"))
    assert Backlog(path, ALL).left(ratings) == (1, 3, 2)


def test_what_was_asked_for_comes_before_the_backlog(tmp_path: Path) -> None:
    path = journal_of(tmp_path, played())
    coach = coach_at(path)
    wish = wish_of(played(), 7)
    coach.ask(wish)
    assert coach.lesson.match == 7
    coach.ask(BacklogWish(on=True))
    assert coach.lesson.match == 7
    assert coach.lesson.analysis
    assert {number for number, _ in rated(path)} == {1, 7}


def test_a_match_that_cannot_be_analysed_is_left_out(tmp_path: Path) -> None:
    strange = played()
    strange.start = replace(strange.start, game="tric-trac")
    empty = AnyTable("nannon", 1)
    path = journal_of(tmp_path, strange, empty, played())
    coach = coach_at(path)
    coach.ask(BacklogWish(on=True))
    assert {number for number, _ in rated(path)} == {3}


def test_exercises_of_imported_matches_are_the_owners(tmp_path: Path) -> None:
    table = played()
    imported = replace(table.start, options={**table.start.options, IMPORTED: "f00"})
    table.start = imported
    white, black = table.start.players
    for me, named in (("", {white, black}), (white, {white}), (black, {black})):
        folder = tmp_path / f"of-{me}"
        folder.mkdir()
        coach = coach_at(journal_of(folder, table))
        coach.ask(BacklogWish(on=True, me=me))
        assert set(coach.coached.training.players) <= named
        assert coach.coached.training.players


def test_a_number_that_was_given_again_is_analysed_anew(tmp_path: Path) -> None:
    path = journal_of(tmp_path, played())
    coach_at(path).ask(BacklogWish(on=True))
    file = path.with_name(RATINGS)
    assert Backlog(path, ALL).left(read_ratings(file)) == ()
    keep_ratings(file, tuple(replace(one, began="2019-01-01 12:00") for one in read_ratings(file)))
    assert Backlog(path, ALL).left(read_ratings(file)) == (1,)
