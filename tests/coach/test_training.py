"""Exercises: when each comes back, which decisions become some, and their file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from any_table import AnyTable
from coaches import Doubtful
from known import FAMILIES, GAMES

from pi_app.coach.study import Mark, Study, mark_of
from pi_app.coach.training import (
    DAYS,
    FILE,
    Exercise,
    Training,
    TrainingFile,
    decides,
    due,
    exercises_of,
    read_training,
)
from pi_app.export.retold import Kept
from pi_app.match.origin import read_problem
from pi_app.match.turns import Phase
from pi_app.rules.terms import RulesError, Side

TODAY = date(2026, 3, 1)
ONE, TWO = (Exercise(f"nannon 1ww..bb1 w roll={n}", cost=0.1) for n in (1, 2))
FIRST_VERSION = Path(__file__).parent / "training-1.json"


def after(right: str) -> Iterator[Exercise]:
    """The exercise after each answer: a letter, + for a right one, on the day it is due."""
    one, today = ONE, TODAY
    for letter in right:
        one = one.answered(today, right=letter == "+")
        today = max(today, date.fromisoformat(one.due))
        yield one


def test_a_right_answer_rests_longer_each_time_until_it_is_learned() -> None:
    exercises = list(after("+++++"))
    days = [date.fromisoformat(one.due) for one in exercises]
    rests = [later - day for day, later in zip([TODAY, *days], days, strict=False)]
    assert rests == [timedelta(rest) for rest in DAYS] == [timedelta(n) for n in (1, 3, 7, 21, 60)]
    assert [one.is_learned for one in exercises] == [False] * 4 + [True]


def test_a_wrong_answer_leads_back_to_the_first_box_and_is_due_at_once() -> None:
    *_, wrong = after("+++-")
    assert wrong.box == 0
    training = Training().adding("Ada", (wrong,))
    assert due(training.of("Ada", GAMES, 0.06), date.fromisoformat(wrong.due)) == (wrong,)
    *_, again = after("+++-+")
    assert (again.box, again.due) == (1, (date.fromisoformat(wrong.due) + timedelta(1)).isoformat())


def test_what_was_asked_comes_after_what_was_not() -> None:
    training = Training().adding("Ada", (ONE, TWO))
    training = training.answered("Ada", ONE.position, TODAY, right=False)
    positions = [one.position for one in due(training.of("Ada", GAMES, 0.06), TODAY)]
    assert positions == [TWO.position, ONE.position]


def test_a_known_exercise_keeps_its_box_when_its_match_is_analysed_again() -> None:
    training = Training().adding("Ada", (ONE, ONE, TWO))
    training = training.answered("Ada", ONE.position, TODAY, right=True)
    assert training.adding("Ada", (ONE, TWO)) == training
    assert training.adding("Ben", (ONE,)).players["Ada"] == training.players["Ada"]


def test_a_mistake_made_again_comes_back() -> None:
    """In a match after the last right answer; one played before, or on an unknown day, is known."""
    *_, learned = after("+++++")
    training = Training().adding("Ada", (learned, TWO))
    last = date.fromisoformat(learned.due) - timedelta(DAYS[-1])
    for day in ("", TODAY.isoformat(), last.isoformat()):
        assert training.adding("Ada", (ONE,), day) == training
    later = (last + timedelta(1)).isoformat()
    again = training.adding_each([("Ada", ONE)], later)
    assert again.of("Ada", GAMES, 0.06) == (replace(learned, box=0, due=later), TWO)
    assert again.adding("Ada", (ONE,), later) == again


def test_only_costly_exercises_of_the_games_at_hand_are_asked() -> None:
    given = Exercise("nannon 1ww..bb1 w roll=3")
    training = Training().adding("Ada", (ONE, given, replace(TWO, cost=0.05)))
    assert training.of("Ada", GAMES, 0.06) == (ONE, given)
    assert training.of("Ada", ["cannon"], 0.06) == ()
    assert training.of("Eva", GAMES, 0.06) == ()


@pytest.mark.parametrize("game", FAMILIES)
def test_each_doubtful_decision_of_a_human_asks_what_was_asked(game: str) -> None:
    people = AnyTable(game, None, 2)
    while len(people.decided) < 50 and people.view.phase is not Phase.GAME_OVER:
        people.goes_on()
    study = Study("doubtful", people.kept)
    player = Doubtful(people.game)
    while question := study.question:
        study.answer(question.put(player))
    analysis = study.analysis()
    exercises = list(exercises_of(people.kept, analysis))
    costly = [one for one in analysis.judged if one.decided and mark_of(one) is not Mark.GOOD]
    assert len(exercises) == len(costly) > 3
    for (name, exercise), judged in zip(exercises, costly, strict=True):
        assert name == ("Ann", "Bea")[judged.moment.side is Side.BLACK]
        assert decides(read_problem(exercise.position, GAMES), GAMES) is judged.moment.side
    against = {"machine": "black", "machine player": "random"}
    seated = Kept(replace(people.start, options=against), people.decided, GAMES)
    assert {name for name, _ in exercises_of(seated, analysis)} == {"Ann"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nannon start score=1-0 to=5", "no exercise"),
        ("nannon 1ww..bb1 w without=cube", "give a roll"),
        ("backgammon -b----E-C---eE---c-e----B- w owner=black cube=2", "give a roll"),
    ],
)
def test_a_position_without_a_decision_is_no_exercise(text: str, why: str) -> None:
    with pytest.raises(RulesError, match=why):
        decides(read_problem(text, GAMES), GAMES)


def test_the_file_of_the_first_version_opens() -> None:
    training = read_training(FIRST_VERSION.read_text())
    first, learned = training.players["Ada"]
    assert (first.box, first.due, first.cost) == (2, "2026-03-08", 0.1234)
    assert learned.is_learned
    assert learned.note == "from a book"
    for exercise in (first, learned):
        assert decides(read_problem(exercise.position, GAMES), GAMES)


def test_what_is_stored_is_there_again(tmp_path: Path) -> None:
    file = TrainingFile(tmp_path / FILE)
    file.change(lambda training: training.adding("Ada", (ONE, TWO)))
    assert file.trouble == ""
    assert TrainingFile(tmp_path / FILE).training == file.training
    TrainingFile(None).change(lambda training: training)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 1}', '{"version": "x"}', "\xff"])
def test_a_damaged_file_is_renamed(tmp_path: Path, text: str) -> None:
    path = tmp_path / FILE
    path.write_bytes(text.encode("latin-1"))
    file = TrainingFile(path)
    assert "was damaged" in file.trouble
    assert path.with_name(f"{FILE}.damaged-1").read_bytes() == text.encode("latin-1")
    file.change(lambda training: training.adding("Ada", (ONE,)))
    assert TrainingFile(path).training == file.training
    path.write_text("{")
    TrainingFile(path)
    assert path.with_name(f"{FILE}.damaged-2").exists()


def test_a_file_of_a_newer_spotter_is_left_alone(tmp_path: Path) -> None:
    path, newer = tmp_path / FILE, json.dumps({"version": 2, "players": [], "more": 1})
    path.write_text(newer)
    file = TrainingFile(path)
    assert "newer Spotter" in file.trouble
    file.change(lambda training: training.adding("Ada", (ONE,)))
    assert file.training.players["Ada"] == (ONE,)
    assert path.read_text() == newer


def test_a_file_that_cannot_be_read_or_written_is_reported(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.mkdir()
    file = TrainingFile(path)
    assert "cannot be read" in file.trouble
    gone = TrainingFile(tmp_path / "gone" / FILE)
    gone.change(lambda training: training.adding("Ada", (ONE,)))
    assert "not saved" in gone.trouble


def test_a_change_that_could_not_be_stored_is_stored_with_the_next(tmp_path: Path) -> None:
    path = tmp_path / "later" / FILE
    file = TrainingFile(path)
    file.change(lambda training: training.adding("Ada", (ONE,)))
    assert "not saved" in file.trouble
    path.parent.mkdir()
    TrainingFile(path).change(lambda training: training.adding("Ben", (ONE,)))
    file.change(lambda training: training.answered("Ada", ONE.position, TODAY, right=True))
    assert file.trouble == ""
    stored = TrainingFile(path).training.players
    assert stored["Ben"] == (ONE,)
    assert [one.box for one in stored["Ada"]] == [1], "each change is made once"


def test_two_processes_that_change_the_file_lose_nothing(tmp_path: Path) -> None:
    """One analyses in the background, the other one adds a collection."""
    path, context = tmp_path / FILE, get_context("spawn")
    barrier = context.Barrier(2)
    workers = [
        context.Process(target=change_often, args=(str(path), name, barrier)) for name in NAMES
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    stored = TrainingFile(path).training.players
    assert {name: len(some) for name, some in stored.items()} == dict.fromkeys(NAMES, CHANGES)


NAMES, CHANGES = ("Ada", "Ben"), 30


def change_often(path: str, name: str, barrier: Barrier) -> None:
    file = TrainingFile(Path(path))
    barrier.wait()
    for number in range(CHANGES):
        one = Exercise(f"nannon 1ww..bb1 w roll=6 to={number + 1}")
        file.change(lambda training, one=one: training.adding(name, (one,)))  # type: ignore[misc]
