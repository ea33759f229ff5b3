"""One match through referee, journal and dice: kept before it is shown, whatever happens."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from desk import Desk
from known import load_board
from shares import one_in

from pi_app.app.session import Session
from pi_app.base.microseconds import Us, ms
from pi_app.devices.dice import Dice
from pi_app.journal import store
from pi_app.journal.disk import JournalError
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, Event, EventError, MatchId, Press, SensorEdge, Start, Tick
from pi_app.referee.lines import write_view
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.sensing.description import Sensor

BOARD = load_board("nannon-6")
DECIDED = ("phase", "to_act", "position", "roll", "score", "cube", "sensors_off")


def a_match() -> list[Event]:
    """Set-up, opening, plays, a double taken, a correction, undo, a sensor turned off."""
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    desk.hold()
    desk.press()
    desk.press()
    desk.roll("2")
    desk.lift("6", "4")
    desk.drop("4")
    desk.press()
    desk.tap(Act.TAKE_BACK)
    desk.tap(Act.RESTORE)
    desk.wait(500)
    desk.tap(Act.TAKE_BACK)
    desk.tap(Act.RESIGN, points=1)
    desk.tap(Act.REFUSE)
    desk.tap(Act.SENSOR_OFF, sensor="1")
    desk.tap(Act.CORRECT, position="2w..b.b1 w")
    desk.resign(2)
    desk.press()
    return desk.events


def session(journal: Journal, events: list[Event]) -> Session:
    """A session that takes its rolls from the script, as if both players typed them."""
    start = events[0]
    assert isinstance(start, Start)
    return Session(BOARD, start, journal, Dice(), frozenset(Side))


def decided(view: View) -> dict[str, object]:
    shown = json.loads(write_view(view))
    return {key: shown[key] for key in DECIDED}


def resume(path: Path) -> Session:
    journal = Journal(path)
    number = journal.unfinished()
    assert number
    journal.resume(number)
    start, latest = journal.match(number).start, journal.latest_game(number)
    return Session(BOARD, start, journal, Dice(), frozenset(Side), latest)


def play_until_killed(path: Path, point: int, pipe: int) -> None:
    """In a child: every view goes down the pipe; the n-th statement given to SQLite is the last."""
    left = point

    def passing(_: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    connect = sqlite3.connect

    def watched(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **kwargs)
        db.set_trace_callback(passing)
        return db

    sqlite3.connect = watched  # type: ignore[assignment]
    events = a_match()
    journal = Journal(path)
    playing = session(journal, events)
    journal.begin(events[0], "now")  # type: ignore[arg-type]
    for event in events[1:]:
        playing.handle(event)
        os.write(pipe, json.dumps(decided(playing.view)).encode() + b"\n")


def killed_at(path: Path, point: int) -> tuple[bool, list[dict[str, object]]]:
    """Whether the child was killed, and every view that it had shown."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            play_until_killed(path, point, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        shown = [json.loads(line) for line in pipe.read().splitlines()]
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status), shown


@pytest.mark.slow
def test_killed_at_any_write_it_comes_back_as_it_was_shown(tmp_path: Path) -> None:
    point, rounds = 0, 0
    journal = Journal(tmp_path / "whole.db")
    whole = session(journal, a_match())
    journal.begin(a_match()[0], "now")  # type: ignore[arg-type]
    all_views = [decided(whole.view)]
    for event in a_match()[1:]:
        whole.handle(event)
        all_views.append(decided(whole.view))
    killed = True
    while killed:
        point += one_in(3)
        path = tmp_path / f"{point}.db"
        killed, shown = killed_at(path, point)
        if not shown:
            continue
        rounds += 1
        back = decided(resume(path).view)
        # The same, or one step on: written, and killed before it could be shown.
        assert back in (shown[-1], *all_views[len(shown) + 1 : len(shown) + 2]), (point, shown[-1])
    assert rounds > 30 // one_in(3)


def test_a_disk_that_is_full_is_told_and_made_good_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = a_match()
    journal = Journal(tmp_path / "matches.db")
    playing = session(journal, events)
    journal.begin(events[0], "now")  # type: ignore[arg-type]
    commit = journal.commit

    def full() -> None:
        raise JournalError("the disk is full; free some space")

    monkeypatch.setattr(journal, "commit", full)
    for event in events[1:10]:
        playing.handle(event)
    assert playing.unkept == "This match is not being saved: the disk is full; free some space"
    monkeypatch.setattr(journal, "commit", commit)
    for event in events[10:]:
        playing.handle(event)
    assert playing.unkept is None
    assert decided(resume(tmp_path / "matches.db").view) == decided(playing.view)


def test_the_dice_answer_at_once_and_are_kept_with_the_asking(tmp_path: Path) -> None:
    events = a_match()[:2]
    journal = Journal(tmp_path / "matches.db")
    start = events[0]
    assert isinstance(start, Start)
    playing = Session(BOARD, start, journal, Dice(random.Random(1)))
    journal.begin(start, "now")
    playing.handle(events[1])
    playing.handle(Button(ms(1000), Press.SHORT))
    assert len(playing.view.thrown) == 1
    assert resume(tmp_path / "matches.db").view.thrown == playing.view.thrown


@pytest.mark.parametrize("typed", [frozenset[Side](), frozenset(Side)])
@pytest.mark.parametrize("killed", [False, True])
def test_after_a_takeback_the_dice_show_again_what_they_showed(
    tmp_path: Path, killed: bool, typed: frozenset[Side]
) -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    desk.press()
    desk.roll("6")
    desk.tap(Act.TAKE_BACK)
    desk.set_up()
    journal = Journal(tmp_path / "matches.db")
    playing = session(journal, desk.events)
    journal.begin(desk.events[0], "now")  # type: ignore[arg-type]
    for event in desk.events[1:]:
        playing.handle(event)
    if killed:
        playing = resume(tmp_path / "matches.db")
    playing.typed = typed
    now = desk.events[-1].us
    for number, closed in enumerate((False, True)):
        sensor = Sensor("4" if closed else "2")
        playing.handle(SensorEdge(Us(now + ms(500 * (number + 1))), sensor, closed))
    playing.handle(Button(Us(now + ms(2000)), Press.SHORT))
    assert (playing.view.phase, playing.view.to_act, playing.view.roll) == (
        Phase.MOVING,
        Side.BLACK,
        "6",
    )
    assert playing.decided[-1].again


def test_an_event_that_cannot_be_is_refused_and_not_kept(tmp_path: Path) -> None:
    events = a_match()
    journal = Journal(tmp_path / "matches.db")
    playing = session(journal, events)
    journal.begin(events[0], "now")  # type: ignore[arg-type]
    with pytest.raises(EventError):
        playing.handle(events[0])
    playing.handle(events[1])
    assert len(list(journal.touches(MatchId(1)))) == 2


def test_an_edge_stamped_a_moment_early_on_another_thread_is_taken() -> None:
    start = a_match()[0]
    assert isinstance(start, Start)
    playing = Session(BOARD, start, None, Dice())
    playing.handle(Tick(ms(100)))
    playing.handle(Tick(ms(99.5)))
    assert playing.view.us == ms(100)


def test_a_reed_that_is_never_still_fills_neither_memory_nor_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "TOUCHES_A_MATCH", 1000)
    monkeypatch.setattr(store, "_SLACK", 100)
    start = a_match()[0]
    assert isinstance(start, Start)
    journal = Journal(tmp_path / "matches.db")
    playing = Session(BOARD, start, journal, Dice())
    journal.begin(start, "now")
    for number in range(4000):
        # Too slow for chatter, of which only an edge a second comes as far as this.
        playing.handle(SensorEdge(ms(200 * number), Sensor("1"), number % 2 == 0))
        assert len(journal._touches_waiting) <= store.WAITING
    playing.close()
    assert 1000 <= len(list(journal.touches(MatchId(1)))) < 1000 + 100 + store.WAITING + 1
    assert not journal.has_all_touches(MatchId(1))


def test_what_time_alone_decided_is_kept_though_the_event_is_refused(tmp_path: Path) -> None:
    desk = Desk(commit="settle")
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    journal = Journal(tmp_path / "matches.db")
    playing = session(journal, desk.events)
    journal.begin(desk.events[0], "now")  # type: ignore[arg-type]
    for event in desk.events[1:]:
        playing.handle(event)
    before = playing.view.phase
    with pytest.raises(EventError, match="sensor '99' is not on this board"):
        playing.handle(SensorEdge(desk.at(5000), Sensor("99"), True))
    assert (before, playing.view.phase) == (Phase.MOVING, Phase.TO_ROLL)
    assert decided(resume(tmp_path / "matches.db").view) == decided(playing.view)
