"""Tavli on the wall, by ear, on the OLED, in a tournament and from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from club_night import ToldMatch
from known import GAMES, load_board
from PIL import ImageDraw
from test_tavli import BLACK, WHITE, Tavli, played

from pi_app.__main__ import main
from pi_app.base.identifiers import MatchKey, board_name
from pi_app.club.tournament.results import write_key
from pi_app.coach.study import Study, ratings_of
from pi_app.coach.training import FILE as TRAINING
from pi_app.coach.training import Exercise, decides, read_training
from pi_app.export.leaves import leaves
from pi_app.games.all import ALL
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, data_folder
from pi_app.journal.store import Journal
from pi_app.languages import load_language
from pi_app.match.origin import read_problem
from pi_app.match.turns import Phase
from pi_app.panel.picture import Panel
from pi_app.players.contract import Question, Situation
from pi_app.referee.events import MatchId
from pi_app.referee.lines import write_decision, write_event
from pi_app.referee.options import of_one_game
from pi_app.referee.view import View
from pi_app.rules.terms import Roll
from pi_app.seal.keys import SealingKey
from pi_app.seal.record import write_record
from pi_app.speech.aloud import aloud
from pi_app.speech.commentary import Commentary
from pi_app.speech.telling import Manner
from pi_app.speech.utterance import Detail
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import Teller
from pi_app.words.wall_time import written

LANGUAGES = ("en", "de", "el")
IN_TURN = ("portes", "plakoto", "fevga")
PLACES = {
    "en": "Plakoto, 2 of 3, round 1",
    "de": "Plakoto, 2 von 3, Runde 1",
    "el": "Πλακωτό, 2 από 3, γύρος 1",
}
NEXT = {
    "en": "Next: Fevga. Ann begins.",
    "de": "Als Nächstes: Fevga. Ann beginnt.",
    "el": "Επόμενο: Φεύγα. Αρχίζει: Ann.",
}


def told(table: Tavli) -> ToldMatch:
    lines = tuple(map(write_decision, table.decided))
    key = MatchKey("1@2026-11-23T19:30:00+00:00")
    return ToldMatch(board_name("table-1"), key, write_event(table.start), lines)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_wall_says_which_game_it_is_and_replays_all_of_them(code: str) -> None:
    teller, match = Teller(ALL, Gallery(ALL, load_board)), told(played())
    language, stand, texts = load_language(code), None, []
    for number in range(len(match.lines) + 1):
        stand = teller.stand(match.summary(number), stand)
        texts.append(json.dumps(teller.page(stand, language), ensure_ascii=False))
    assert any(PLACES[code] in text for text in texts)
    replayed = teller.replay(match.records(), language)["steps"]
    assert isinstance(replayed, list)
    assert {step["game"] for step in replayed} == {1, 2, 3, 4, 5}
    assert stand
    assert replayed[-1]["score"] == teller.page(stand, language)["score"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_by_ear_each_game_is_announced_with_who_begins(code: str) -> None:
    table, commentary, language = Tavli(), Commentary(Manner(Detail.ALL)), load_language(code)
    heard: list[str] = []
    does = table.does

    def listens(event: object) -> None:
        does(event)  # type: ignore[arg-type]
        if said := commentary.hear(table.view, table.view.us):
            heard.append(aloud(said.text, language))

    table.does = listens  # type: ignore[method-assign]
    for side in (BLACK, WHITE):
        table.wins(side, 1)
        table.presses()
    table.begins()
    assert any(PLACES[code] in text for text in heard)
    assert any(NEXT[code] in text for text in heard)


@pytest.fixture
def on_oled(monkeypatch: pytest.MonkeyPatch) -> Callable[[View, str], list[str]]:
    """The texts that the OLED writes."""
    drawn: list[str] = []
    draw = ImageDraw.ImageDraw.text

    def listening(self: ImageDraw.ImageDraw, xy: Any, text: str, *given: Any, **more: Any) -> None:
        drawn.append(text)
        draw(self, xy, text, *given, **more)

    def act(view: View, code: str) -> list[str]:
        drawn.clear()
        Panel(load_language(code)).picture(view)
        return drawn

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", listening)
    return act


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_oled_names_the_game_that_is_next_and_then_played(
    code: str, on_oled: Callable[[View, str], list[str]]
) -> None:
    table = Tavli()
    table.wins(BLACK, 1)
    name, *_ = PLACES[code].split(",")
    for _ in range(2):
        drawn = on_oled(table.view, code)
        assert any(name in text for text in drawn), drawn
        assert any("0–1" in text for text in drawn), drawn
        table.presses()
    table.begins()
    assert table.view.phase is Phase.TO_ROLL
    assert any(name in text for text in on_oled(table.view, code))


@pytest.mark.parametrize(
    ("code", "way"),
    [("en", "First checker: 12"), ("de", "Erster Stein: 12"), ("el", "Πρώτο πούλι: 12")],
)
def test_the_oled_says_how_far_the_first_checker_must_still_go(
    code: str, way: str, on_oled: Callable[[View, str], list[str]]
) -> None:
    table = Tavli(order="fevga,portes")
    table.begins()
    assert (table.view.phase, way in on_oled(table.view, code)) == (Phase.TO_ROLL, True)
    table.rolls.append("64")
    table.presses()
    table.shows(table.game.read_position("------------o-----A-----N- b"))
    table.shows(table.game.read_position("------------o-----AA----M- b"))
    table.presses()
    assert way in on_oled(table.view, code), "with the warning that another may not move yet"
    table.corrects("----------AAo-----------M- w")
    table.begins()
    assert way not in on_oled(table.view, code)


# The journal of a played match, and what the commands make of it.


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tavli:
    """A match with a tie, a resignation and a double win, sealed in the journal."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    table = lively()
    data_folder().mkdir(parents=True)
    store(data_folder() / FILE, table)
    return table


KEY = SealingKey(bytes(range(1, 33)))


def lively() -> Tavli:
    """A match of which each game begins with some plays; Plakoto is tied once."""
    table = Tavli()
    for side, points in ((WHITE, 1), (None, 0), (BLACK, 1), (WHITE, 2), (WHITE, 2)):
        table.begins()
        for _ in range(5):
            table.goes_on()
        table.wins(side, points)
        if table.view.phase is Phase.GAME_OVER:
            table.presses()
    return table


def store(path: Path, table: Tavli) -> None:
    with closing(Journal(path, KEY.seal)) as journal:
        journal.begin(table.start, written(datetime.now(UTC)))
        for decision in table.decided:
            journal.decide(decision)
        journal.commit()


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def act(*words: object) -> str:
        capsys.readouterr()
        status = main([*map(str, words)])
        told = capsys.readouterr()
        assert status == 0, told.err
        return told.out

    return act


def test_a_sealed_match_is_verified_exported_and_replayed(
    kept: Tavli, says: Callable[..., str], tmp_path: Path
) -> None:
    assert "tavli" in says("matches")
    sheet = says("export", 1)
    for number, title in ((1, "Portes"), (3, "Plakoto"), (4, "Fevga")):
        assert f"Game {number}: {title}" in sheet
    events = tmp_path / "events.jsonl"
    events.write_text("\n".join(map(write_event, kept.events)), encoding="utf-8")
    last = json.loads(says("replay", events).splitlines()[-1])
    assert (last["phase"], last["position"]) == ("match over", kept.view.position)
    with closing(Archive(data_folder() / FILE)) as archive:
        record = tmp_path / "match.sealed"
        record.write_text(write_record(archive.record(archive.matches()[0].number)))
    assert "tavli" in says("verify", record)
    forged = record.read_text().replace('"fevga"', '"portes"').replace("Ann", "Eve")
    record.write_text(forged)
    assert main(["verify", str(record)]) != 0


def test_a_match_may_not_be_written_as_one_of_backgammon(
    kept: Tavli, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "1", "--mat"]) == 2
    assert "match 1: Tavli has no" in capsys.readouterr().err


def test_every_phase_of_each_game_is_a_position_that_can_be_asked_about(
    kept: Tavli, says: Callable[..., str]
) -> None:
    leaves_of_match = list(leaves(kept.kept))
    asked = {}
    for at, leaf in enumerate(leaves_of_match, start=1):
        if leaf.state.phase is Phase.TO_ROLL:
            asked[leaf.game] = at
    assert set(asked) == set(IN_TURN)
    for at in asked.values():
        text = says("position", "--at", at, 1).splitlines()[-1]
        assert text.startswith("tavli ")
        assert says("position", text).splitlines()[-1].endswith(" to move")


FEVGA_IN_TAVLI = "tavli ---a--AAAAA-n----A------I- w roll=51 score=1-1 game=4 replayed=1 to=5"


def test_an_exercise_of_a_series_is_one_of_its_game(kept: Tavli, says: Callable[..., str]) -> None:
    says("train", FEVGA_IN_TAVLI, "--name", "Ada", "--sim", "--once")
    (one,) = exercises("Ada")
    assert one.position == "fevga ---a--AAAAA-n----A------I- w roll=51 score=1-1 game=4 to=5"
    assert "Ada: 1 of fevga" in says("train")


def test_an_exercise_keeps_the_options_of_its_game_and_forgets_the_order() -> None:
    text = f"{FEVGA_IN_TAVLI} order=plakoto,fevga with=open-start"
    # Of two games the fourth, after one tie, is the first again.
    problem = of_one_game(read_problem(text.replace("game=4", "game=3"), GAMES), GAMES)
    assert problem.game == "fevga"
    assert problem.options == {"open start": True}
    assert decides(problem, GAMES) is WHITE


@pytest.mark.slow
def test_every_command_that_judges_a_match_knows_each_game(
    kept: Tavli, says: Callable[..., str]
) -> None:
    table = says("analyse", 1)
    assert "Ann – Bea, rated by" in table
    judged = json.loads(says("analyse", 1, "--json"))
    assert judged["game"] == "tavli"
    assert {one["game"] for one in judged["decisions"]} <= {1, 2, 3, 4, 5}
    says("train", 1)
    assert {one.game for one in exercises("Ann") + exercises("Bea")} <= set(IN_TURN)


def exercises(name: str) -> tuple[Exercise, ...]:
    return read_training((data_folder() / TRAINING).read_text()).players.get(name, ())


def test_ratings_count_for_each_game_by_itself() -> None:
    match = lively().kept
    study = Study("greedy", match)
    while question := study.question:
        game = study.game_of(question)
        study.answer(ALL.find(game.name).contender("network").make(game).rate(*asked(question)))
    analysis = study.analysis()
    ratings = ratings_of(1, "2026-03-01 20:15", match, analysis)
    by_game = {game: sum(r.decisions for r in ratings if r.game == game) for game in IN_TURN}
    assert {rating.game for rating in ratings} <= set(IN_TURN)
    assert sum(by_game.values()) == sum(judged.decided for judged in analysis.judged) > 0


def asked(question: Question) -> tuple[Situation, Roll]:
    assert question.roll
    return question.situation, question.roll


def test_a_match_is_begun_with_all_that_can_be_agreed(
    kept: Tavli, capsys: pytest.CaptureFixture[str]
) -> None:
    agreed = ["--match", "tavli", "--to", "3", "--order", "fevga,portes", "--against", "child"]
    clocked = ["--clock", "fischer", "--players", "Eva", "Spotter", "--dice", "typed"]
    assert main([*agreed, *clocked, "--sim", "--once", "--views"]) == 0
    view = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (view["game"], view["match_to"]) == ("fevga", 3)
    assert main(["--match", "fevga", "--order", "portes", "--sim", "--once"]) == 2
    assert "write some of these, each once: fevga" in capsys.readouterr().err


def test_a_match_begins_at_a_position_of_any_of_its_games(
    kept: Tavli, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--position", FEVGA_IN_TAVLI, "--sim", "--once", "--views"]) == 0
    view = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (view["game"], view["score"]) == ("fevga", {"white": 1, "black": 1})


def test_a_tournament_takes_the_result_of_a_sealed_match(
    kept: Tavli, says: Callable[..., str], tmp_path: Path
) -> None:
    evening, keys = tmp_path / "open.tournament", tmp_path / "keys"
    keys.mkdir()
    (keys / "board-4.key").write_text(write_key(board_name("board-4"), KEY.public))
    says("tournament", "new", evening, "Greek night", "Ann", "Bea", "--to", 5)
    says("tournament", "pair", evening)
    store(tmp_path / "played.db", kept)
    with closing(Archive(tmp_path / "played.db")) as archive:
        record = tmp_path / "ann-bea.sealed"
        record.write_text(write_record(archive.record(MatchId(1))))
    took = says("tournament", "take", evening, record, "--keys", keys)
    score = kept.view.score
    assert f"{score.white}" in took
    assert "sealed by board-4" in took
    says("tournament", "confirm", evening)
    assert "Ann" in says("tournament", "show", evening)
