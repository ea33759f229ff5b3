"""Which matches can be gone on with: those of this board, the newest first, or by their number."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from samples import DECISIONS
from test_app import NEW, AppBench

from pi_app.app.librarian import Librarian
from pi_app.app.seats import MachinePlayers
from pi_app.base.microseconds import Us, ms
from pi_app.games.all import ALL
from pi_app.journal.opening import FILE, last_time, open_journal
from pi_app.journal.store import Journal
from pi_app.players.process import call_process
from pi_app.referee.events import Button, MachineSeat, MatchId, Press, Start
from pi_app.rules.terms import Side
from pi_app.screen.ui import EMPTY_SHELF
from pi_app.user.commands import Fetch, Resume, Wanted


def keep(folder: Path, *starts: Start) -> None:
    """A journal with matches that were begun, and of which nothing else is known."""
    journal = Journal(folder / FILE)
    for start in starts:
        journal.begin(start, "2026-03-01T20:15")
    journal.close()


HERE = Start(ms(0), "nannon", "nannon-6", 11, ("Ada", "Ben"))
ELDER = Start(ms(0), "nannon", "nannon-6", 5, ("Eva", "Max"))
ELSEWHERE = Start(ms(0), "backgammon", "tables-24", 7, ("Cid", "Dan"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def test_a_match_of_another_board_is_not_offered_and_no_press_begins_it(folder: Path) -> None:
    keep(folder, ELSEWHERE)
    bench = AppBench(folder)
    bench.after(50)
    bench.queue.put(Button(ms(50), Press.SHORT))
    bench.after(100)
    assert bench.front.shown is not None
    assert (bench.front.shown.resumable, bench.front.shown.view) == (None, None)
    assert bench.front.shown.notices == ()
    bench.kill()


def test_the_newest_that_this_board_can_play_is_offered(folder: Path) -> None:
    keep(folder, ELDER, HERE, ELSEWHERE)
    bench = AppBench(folder)
    bench.after(50)
    assert bench.front.shown is not None
    assert bench.front.shown.resumable == "Ada 0 – 0 Ben"
    bench.touch(Resume())
    assert bench.view.players == ("Ada", "Ben")
    bench.kill()


def test_an_older_one_is_gone_on_with_by_its_number(folder: Path) -> None:
    keep(folder, ELDER, HERE)
    bench = AppBench(folder)
    bench.touch(Resume(MatchId(1)))
    assert bench.view.players == ("Eva", "Max")
    bench.set_up()
    assert [decision.what.value for decision in bench.opened.journal.decisions(MatchId(1))] == [
        "board set"
    ]
    assert not list(bench.opened.journal.decisions(MatchId(2)))
    bench.kill()


def test_a_match_asked_for_that_needs_another_board_says_which(folder: Path) -> None:
    keep(folder, HERE, ELSEWHERE)
    bench = AppBench(folder)
    bench.touch(Resume(MatchId(2)))
    assert bench.front.shown is not None
    assert bench.front.shown.view is None
    assert bench.front.shown.notices == (
        "Cannot resume the match: it needs board tables-24; this is nannon-6",
    )
    bench.kill()


def test_a_match_against_a_player_that_is_no_more_goes_on_without_it(folder: Path) -> None:
    """Open Sage was one of the machine's players once."""
    keep(folder, replace(HERE, options=MachineSeat(Side.BLACK, "bgsage-2").options))
    bench = AppBench(folder, players=MachinePlayers(call=call_process))
    assert bench.front.shown is None
    bench.touch(Resume(MatchId(1)))
    bench.set_up()
    deadline = time.monotonic() + 30
    while "gives no answer" not in "".join(bench.notices):
        assert time.monotonic() < deadline, bench.notices
        bench.after(50)
        time.sleep(0.01)  # The other process needs the processor more than this one.
    (notice,) = bench.notices
    assert notice.startswith("bgsage-2 gives no answer: it reports: ")
    assert "is not known here; choose one of: exact, random" in notice
    bench.press()
    assert bench.view.players == ("Ada", "Ben")
    assert bench.view.thrown, "the people here play on"
    bench.kill()


def test_from_one_match_to_another_and_back(folder: Path) -> None:
    keep(folder, ELDER)
    bench = AppBench(folder)
    bench.touch(NEW)
    bench.set_up()
    bench.press()
    thrown = bench.view.thrown
    bench.touch(Resume(MatchId(1)))
    assert bench.view.players == ("Eva", "Max")
    bench.touch(Resume(MatchId(2)))
    assert (bench.view.players, bench.view.thrown) == (("Ada", "Ben"), thrown)
    bench.kill()


def test_the_clock_begins_after_whatever_can_be_gone_on_with(folder: Path) -> None:
    """Else an older match that was played for longer would stand still until it is as late."""
    journal = Journal(folder / FILE)
    journal.begin(ELDER, "2026-03-01T20:15")
    for decision in DECISIONS:
        journal.decide(decision)
    journal.commit()
    journal.begin(HERE, "2026-03-02T20:15")
    journal.close()
    opened = open_journal(folder)
    assert last_time(opened) == DECISIONS[-1].us > Us(0)
    opened.close()


def test_the_screen_is_given_what_was_found_and_which_match_is_under_way(folder: Path) -> None:
    keep(folder, HERE, ELSEWHERE)
    librarian = Librarian(folder / FILE, ALL, lambda start: start.game == "nannon")
    bench = AppBench(folder, librarian=librarian)
    bench.after(50)
    assert bench.front.shown is not None
    assert bench.front.shown.shelf.matches is None, "it is being read"
    librarian.start()
    bench.touch(NEW)
    bench.touch(Fetch(Wanted.MATCH, MatchId(1)))
    librarian.close()
    bench.after(50)
    shelf = bench.front.shown.shelf
    assert bench.front.shown.playing == 3
    assert shelf.matches
    assert [(match.number, match.here) for match in shelf.matches] == [
        (3, True),
        (2, False),
        (1, True),
    ]
    assert shelf.names == ("Ada", "Ben", "Cid", "Dan")
    assert shelf.opened
    bench.kill()


def test_where_nothing_is_kept_nothing_is_read(folder: Path) -> None:
    bench = AppBench(folder)
    bench.touch(Fetch(Wanted.LIST))
    assert bench.front.shown is not None
    assert bench.front.shown.shelf == EMPTY_SHELF
    bench.kill()


def test_with_a_journal_from_before_1_0_it_starts_says_so_and_plays_unkept(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.executescript("CREATE TABLE matches (number); CREATE TABLE decisions (match)")
    before = (folder / FILE).read_bytes()
    bench = AppBench(folder)
    bench.after(50)
    assert bench.front.shown is not None
    (notice,) = bench.front.shown.notices
    assert notice == (
        f"This match is not saved: {folder / FILE} was written before Spotter 1.0 (journal "
        "version 5); move the file away to start a new journal"
    )
    bench.touch(NEW)
    assert bench.view.players == ("Ada", "Ben")
    bench.kill()
    assert [path.name for path in folder.glob(f"{FILE}*")] == [FILE]
    assert (folder / FILE).read_bytes() == before
