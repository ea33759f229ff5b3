"""Answers that are kept: what ended, by whatever means, goes on from there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from any_table import AnyTable
from known import GAMES

from pi_app.coach.answers import FILE, KeptAnswers, read_answer, write_answer
from pi_app.coach.rollout import RolloutOfPlays
from pi_app.coach.study import Study
from pi_app.export.retold import Kept
from pi_app.games.all import ALL
from pi_app.match.turns import Phase
from pi_app.players.contract import UNLIMITED, Contender, Opinion, Question, Situation
from pi_app.rules.terms import Roll, Side

PLAYED = ("nannon", "backgammon", "hypergammon", "pin", "fevga")
QUICK = {"nannon": "exact"}


def played(game: str, seed: int = 3, match_to: int | None = 2) -> Kept:
    table = AnyTable(game, match_to, seed)
    for _ in range(60):
        if table.view.phase is Phase.MATCH_OVER:
            break
        table.goes_on()
    return Kept(table.start, tuple(table.decided), GAMES)


def contender_of(game: str) -> Contender:
    return ALL.find(game).contender(QUICK.get(game, "network"))


def study_of(kept: Kept) -> Study:
    name = contender_of(kept.game.name).name
    return Study(name, kept, luck_by=name)


def questions(study: Study) -> Iterator[Question]:
    while question := study.question:
        yield question


@pytest.mark.parametrize("game", PLAYED)
def test_an_analysis_from_kept_answers_equals_one_from_the_player_s(
    game: str, tmp_path: Path
) -> None:
    kept, by = played(game), contender_of(game)
    player = by.make(kept.game)
    asked, found = study_of(kept), study_of(kept)
    with closing(KeptAnswers(tmp_path / FILE)) as answers:
        for question in questions(asked):
            asked.answer(answers.asked(kept.game, by, player, question))
    with closing(KeptAnswers(tmp_path / FILE)) as answers:
        for question in questions(found):
            answer = answers.find(kept.game, by, question)
            # A player without an opinion about the cube is asked again, which costs nothing.
            found.answer(question.put(player) if answer is None else answer)
            assert answer is not None or question.roll is None
    assert asked.total > 5
    assert found.analysis() == asked.analysis()


def test_an_answer_belongs_to_its_question_player_engine_and_options(tmp_path: Path) -> None:
    kept, by = played("nannon"), contender_of("nannon")
    answers = KeptAnswers(tmp_path / FILE)
    question = next(questions(study_of(kept)))
    situation = question.situation
    answer = question.put(by.make(kept.game))
    answers.keep(kept.game, by, question, answer)
    assert answers.find(kept.game, by, question) is not None
    other_score = replace(situation, agreement=replace(situation.agreement, match_to=9))
    for other in (
        replace(question, made=None),
        replace(question, roll=None),
        replace(question, rolls=(Roll.of(1),)),
        replace(question, situation=other_score),
    ):
        assert answers.find(kept.game, by, other) is None
    assert answers.find(kept.game, replace(by, name="network"), question) is None
    (tmp_path / "gnubg").write_text("1.07")
    outside = replace(by, name="gnubg-2", program=lambda: str(tmp_path / "gnubg"))
    answers.keep(kept.game, outside, question, answer)
    assert answers.find(kept.game, outside, question) is not None
    (tmp_path / "gnubg").write_text("1.08.001")
    assert KeptAnswers(tmp_path / FILE).find(kept.game, outside, question) is None


def test_an_answer_of_a_weaker_engine_is_not_taken_for_its_usual_one(tmp_path: Path) -> None:
    kept, by = played("nannon"), contender_of("nannon")
    question = next(questions(study_of(kept)))
    answer = question.put(by.make(kept.game))
    weaker = replace(by, weaker=lambda: "no compiler was found")
    for asked, other in ((weaker, by), (by, weaker)):
        with closing(KeptAnswers(tmp_path / f"{asked is by}" / FILE)) as answers:
            answers.keep(kept.game, asked, question, answer)
        with closing(KeptAnswers(tmp_path / f"{asked is by}" / FILE)) as answers:
            assert answers.find(kept.game, other, question) is None
            assert answers.find(kept.game, asked, question) == answer


def test_only_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.coach.answers.MOST", 4)
    kept, by = played("nannon"), contender_of("nannon")
    player, answers = by.make(kept.game), KeptAnswers(tmp_path / FILE)
    study = study_of(kept)
    asked = list[Question]()
    for question in questions(study):
        study.answer(answers.asked(kept.game, by, player, question))
        asked.append(question)
    there = [answers.find(kept.game, by, question) is not None for question in asked]
    assert there.count(True) == 4
    assert there[-4:] == [True] * 4


@pytest.mark.parametrize("damage", ["no database", "cut", "other text", "a folder", "read-only"])
def test_without_a_usable_file_the_player_is_asked(damage: str, tmp_path: Path) -> None:
    kept, by, file = played("nannon"), contender_of("nannon"), tmp_path / FILE
    player, study = by.make(kept.game), study_of(kept)
    question = next(questions(study))
    with closing(KeptAnswers(file)) as answers:
        whole = answers.asked(kept.game, by, player, question)
    if damage == "no database":
        file.write_text("Do not read me. " * 1000)
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:-3000])
    elif damage == "other text":
        with closing(sqlite3.connect(file)) as db, db:
            db.execute('UPDATE answers SET answer = \'{"about": "cube"}\'')
    elif damage == "a folder":
        file.unlink()
        file.mkdir()
    else:
        file.unlink()
        file.touch(0o400)
        tmp_path.chmod(0o500)
    with closing(KeptAnswers(file)) as answers:
        for _ in range(2):
            assert answers.asked(kept.game, by, player, question) == whole
            # It begins anew, or in memory.
            assert isinstance(answers.find(kept.game, by, question), Opinion)
    tmp_path.chmod(0o700)


def test_an_answer_of_another_kind_is_none(tmp_path: Path) -> None:
    kept, by = played("backgammon"), contender_of("backgammon")
    player = by.make(kept.game)
    asked = {question.roll is None: question for question in study_of(kept)._wanted}
    with closing(KeptAnswers(tmp_path / FILE)) as answers:
        for question in asked.values():
            answers.asked(kept.game, by, player, question)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        (one, first), (other, second) = db.execute("SELECT number, answer FROM answers").fetchall()
        for number, text in ((one, second), (other, first)):
            db.execute("UPDATE answers SET answer = ? WHERE number = ?", (text, number))
        db.commit()
    with closing(KeptAnswers(tmp_path / FILE)) as answers:
        assert [answers.find(kept.game, by, one) for one in asked.values()] == [None, None]


def test_every_kind_of_answer_is_read_as_it_was_written() -> None:
    rules = ALL.find("hypergammon").rules
    player = contender_of("hypergammon").make(rules)
    situation, roll = Situation(rules.start(Side.WHITE)), Roll.of(6, 5)
    for question in (
        Question(replace(situation, agreement=replace(UNLIMITED, cube=True)), None),
        Question(situation, None, rolls=(roll, Roll.of(3, 3))),
        rolled(situation, roll).question,
    ):
        assert question
        answer = question.put(player)
        assert answer
        assert read_answer(rules, question, write_answer(rules, question, answer)) == answer


def rolled(situation: Situation, roll: Roll) -> RolloutOfPlays:
    rules = ALL.find("hypergammon").rules
    opinion = contender_of("hypergammon").make(rules).rate(situation, roll)
    plays = [one.play for one in opinion.plays[:2]]
    return RolloutOfPlays("network", Question(situation, roll), plays, games=36, turns=3)
