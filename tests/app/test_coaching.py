"""The coach at work: hints before analyses, locked where a match counts, players that die."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from any_table import AnyTable
from coaches import AtOnce, PromptCoaching, at_once
from known import FACES, GAMES, load_board
from small_matches import double_passed

from pi_app.app.backlog import AnalysisWish
from pi_app.app.coaching import (
    AnsweredExercise,
    Coaching,
    ExerciseWish,
    GradeWish,
    HintWish,
    Inbox,
)
from pi_app.app.seats import Thinker
from pi_app.base.microseconds import Us, ms
from pi_app.base.threads import drained
from pi_app.base.typed_json import plain, write
from pi_app.coach.study import FILE, Judged, Lesson, Rating, keep_ratings, question_of, read_ratings
from pi_app.export.retold import Kept
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium
from pi_app.match.acts import Act
from pi_app.match.origin import read_problem
from pi_app.match.score import first_game
from pi_app.match.turns import MatchState, Phase
from pi_app.players.contract import (
    UNLIMITED,
    CubeOpinion,
    Opinion,
    Player,
    Question,
    Rated,
    Situation,
    Unit,
)
from pi_app.players.judging import HITTER_PLAYER
from pi_app.players.process import AGAIN, AWAY, ENDED, Advice, Reply, Trouble
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId
from pi_app.referee.options import start_at
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.terms import Roll, Side
from pi_app.screen.actions import Action, open_analysis, open_hint
from pi_app.screen.ui import Page, Shown, Ui, see
from pi_app.user.commands import AskHint, Fetch, RollOut, Wanted
from pi_app.user.settings import CoachSettings

WHY = ENDED(status=-11)
RATING = Rating(
    *(Unit.MATCH, 3, 0, 1, 0, 0.1, None, 0.3),
    match=1,
    began="",
    game="nannon",
    name="Ann",
    against="Bea",
    judge="exact",
    exact=True,
)


def in_a_turn() -> AnyTable:
    table = AnyTable("nannon", None)
    table.opens("5", "3")
    assert table.view.phase is Phase.MOVING
    return table


def wish_of(table: AnyTable, number: int = 1) -> AnalysisWish:
    kept = Kept(table.start, tuple(table.decided), GAMES)
    return AnalysisWish(MatchId(number), "2026-03-01 20:15", kept)


def played() -> AnyTable:
    table = AnyTable("nannon", 2, 3)
    while table.view.phase is not Phase.MATCH_OVER:
        table.goes_on()
    return table


class Slow:
    """A player that answers on request of the test."""

    def __init__(self, tell: Callable[[Reply], None]) -> None:
        self.asked: list[tuple[int, Question]] = []
        self.closed = False
        self._tell = tell
        self._quick = at_once(GAMES["nannon"], "exact", tell)

    def ask(self, number: int, question: Question) -> None:
        self.asked.append((number, question))

    def drop(self) -> None:
        raise AssertionError("the coach always wants its answers")

    def close(self) -> None:
        self.closed = True

    def answers(self) -> None:
        self._quick.ask(*self.asked[-1])


class Patient(Coaching):
    """A coach without a thread whose players are slow."""

    def __init__(self) -> None:
        self.players: list[Slow] = []
        super().__init__(ALL, None, self._open)

    def _open(self, game: AnyGame, name: str, tell: Callable[[Reply], None]) -> Thinker:
        assert (game.name, name) == ("nannon", "exact")
        self.players.append(Slow(tell))
        return self.players[-1]

    def answered(self) -> None:
        self.players[-1].answers()
        got = self._wishes.get_nowait()
        assert isinstance(got, Advice)
        self.take(got)

    def remembers(self) -> None:
        """Take the answers that it has kept."""
        for got in drained(self._wishes):
            assert isinstance(got, Advice)
            self.take(got)


def test_a_hint_has_every_play_the_best_first() -> None:
    table, coach = in_a_turn(), PromptCoaching()
    coach.ask(HintWish(table.start, table.view))
    hint = coach.lesson.hint
    assert hint
    assert hint.answered
    assert hint.is_for(table.view)
    assert isinstance(hint.answer, Opinion)
    assert hint.answer.exact
    position = table.game.read_position(table.view.position)
    plays = {table.game.write_play(position, one.play) for one in hint.answer.plays}
    assert plays == set(table.view.legal)
    table.plays(table.view.legal[0])
    assert not hint.is_for(table.view)


def test_a_question_is_the_roll_or_the_cube_that_is_to_be_decided() -> None:
    table = in_a_turn()
    asked = question_of(table.start, GAMES, table.view)
    assert asked
    assert str(asked.roll) == table.view.roll
    table.plays(table.view.legal[0])
    cube = question_of(table.start, GAMES, table.view)
    assert cube
    assert cube.roll is None
    over = double_passed()
    assert over.view.phase is Phase.SET_UP
    assert question_of(over.start, GAMES, over.view) is None


def test_where_there_is_nothing_to_choose_that_is_said() -> None:
    table, coach = double_passed(), PromptCoaching()
    coach.ask(HintWish(table.start, table.view))
    assert coach.lesson.message == "Nothing to choose"
    assert coach.lesson.hint is None


@pytest.mark.parametrize(
    ("hints", "match_to", "allowed"),
    [
        ("never", None, False),
        ("unlimited", None, True),
        ("unlimited", 3, False),
        ("always", 3, True),
    ],
)
def test_hints_are_locked_where_a_match_counts(
    hints: str, match_to: int | None, allowed: bool
) -> None:
    assert CoachSettings(hints).allows(match_to) is allowed
    shown = Shown(load_board("nannon-6"), FACES, in_a_turn().view, lesson=Lesson(), hints=allowed)
    ui, outputs = open_hint().act(Ui(Page.MENU), shown, ms(1))
    assert ui.page is Page.HINT
    assert outputs == ((AskHint(),) if allowed else ())


def test_a_hint_gives_way_to_the_hands() -> None:
    table = in_a_turn()
    ui = see(Ui(), table.view, ms(0))
    ui = see(replace(ui, page=Page.HINT), table.view, ms(1))
    assert ui.page is Page.HINT
    table.plays(table.view.legal[0])
    assert see(ui, table.view, ms(2)).page is Page.PLAY


def test_an_analysis_is_asked_question_by_question_and_a_hint_comes_between() -> None:
    coach, table = Patient(), in_a_turn()
    coach.take(wish_of(played()))
    coach.answered()
    assert (coach.lesson.match, coach.lesson.done) == (1, 1)
    waiting = coach.players[-1].asked[-1][1]
    coach.take(HintWish(table.start, table.view))
    coach.answered()
    assert coach.lesson.hint
    assert coach.lesson.hint.answered
    # The question of the analysis that was out is asked again.
    assert coach.players[-1].asked[-1][1] == waiting
    while coach.lesson.analysis is None:
        coach.answered()
    assert coach.lesson.done == coach.lesson.total > 5
    assert len(coach.players) == 1


def test_an_analysis_left_for_another_match_goes_on_where_it_was() -> None:
    coach, one, other = Patient(), played(), AnyTable("nannon", 2, 5)
    while other.view.phase is not Phase.MATCH_OVER:
        other.goes_on()
    coach.take(wish_of(one))
    for _ in range(3):
        coach.answered()
    coach.take(wish_of(other, 2))
    coach.answered()
    assert (coach.lesson.match, coach.lesson.done) == (2, 1)
    coach.take(wish_of(one))
    coach.remembers()
    assert (coach.lesson.match, coach.lesson.done) == (1, 3)
    while coach.lesson.analysis is None:
        coach.answered()
    whole = coach.lesson.analysis
    # What is finished is there again at once.
    for number in (2, 3):
        coach.take(wish_of(other, number))
        coach.remembers()
    asked = len(coach.players[-1].asked)
    coach.take(wish_of(one))
    coach.remembers()
    assert coach.lesson.analysis == whole
    assert len(coach.players[-1].asked) == asked


def test_another_match_of_the_same_number_is_studied_anew() -> None:
    coach, one, other = Patient(), played(), AnyTable("nannon", 2, 5)
    while other.view.phase is not Phase.MATCH_OVER:
        other.goes_on()
    coach.take(wish_of(one))
    coach.answered()
    coach.take(wish_of(other))
    assert coach.lesson.done == 0


def test_an_answer_that_comes_too_late_is_nothing() -> None:
    coach = Patient()
    coach.take(wish_of(played()))
    coach.take(Advice(99, None))
    assert coach.lesson.done == 0


def test_a_player_that_dies_is_said_in_one_line() -> None:
    coach, table = Patient(), in_a_turn()
    coach.take(HintWish(table.start, table.view))
    coach.take(Trouble(AGAIN(player="exact", why=WHY)))
    assert coach.lesson.message.startswith("Restarting exact: ")
    coach.take(Trouble(AWAY(player="exact", why=WHY), coach.players[-1].asked[-1][0]))
    assert coach.lesson.message.startswith("exact gives no answer")
    assert coach.lesson.hint is None
    coach.take(wish_of(played()))
    assert coach.lesson.message == ""
    coach.take(Trouble(AWAY(player="exact", why=WHY), coach.players[-1].asked[-1][0]))
    assert coach.lesson.analysis is None
    number = len(coach.players[-1].asked)
    coach.take(Advice(99, None))
    assert len(coach.players[-1].asked) == number


def test_who_only_has_marks_of_his_own_judges_nothing() -> None:
    greedy = replace(ALL.find("backgammon"), players=(HITTER_PLAYER,))
    coach = PromptCoaching(games=Compendium((greedy,)))
    coach.ask(wish_of(double_passed()))
    assert coach.lesson.analysis is None
    assert coach.lesson.message.startswith("greedy counts neither points nor chances")


def test_the_same_match_is_not_judged_twice() -> None:
    coach, wish = PromptCoaching(), wish_of(played())
    coach.ask(wish)
    lesson = coach.lesson
    coach.ask(AnalysisWish(wish.number, wish.began, wish.kept))
    assert coach.lesson is lesson


def test_figures_are_kept_by_match(tmp_path: Path) -> None:
    file = tmp_path / FILE
    coach = PromptCoaching(file)
    for number in (2, 1, 2):
        coach.ask(wish_of(played(), number))
    assert [one.match for one in coach.lesson.ratings] == [1, 1, 2, 2]
    assert read_ratings(file) == coach.lesson.ratings
    assert PromptCoaching(file).lesson.ratings == coach.lesson.ratings
    assert {one.name for one in coach.lesson.ratings} == {"Ann", "Bea"}


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"match": 1}]', "[[[", "nonsense"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / FILE
    file.write_text(text, encoding="utf-8")
    assert read_ratings(file) == ()
    assert keep_ratings(file, (RATING,)) == (RATING,)
    assert read_ratings(file) == (RATING,)


def test_figures_of_an_earlier_version_stay(tmp_path: Path) -> None:
    """It knew no kinds of errors."""
    file = tmp_path / FILE
    line = plain(RATING)
    del line["kinds"]
    file.write_text(write([line]), encoding="utf-8")
    assert read_ratings(file) == (RATING,)


def test_after_a_game_its_match_is_opened_and_judged() -> None:
    shown = Shown(load_board("nannon-6"), FACES, in_a_turn().view, playing=MatchId(7))
    actions: tuple[Action, ...] = (open_analysis(), open_analysis(MatchId(7)))
    for action in actions:
        ui, outputs = action.act(Ui(Page.PLAY), shown, ms(1))
        assert (ui.page, ui.browsing.match) == (Page.ANALYSIS, 7)
        assert outputs == (Fetch(Wanted.ANALYSIS, MatchId(7)),)


def test_a_player_in_a_process_of_its_own_judges_a_match() -> None:
    """The real thing, once: the loop waits for nothing, the thread for the process."""
    coach = Coaching(ALL)
    coach.start()
    try:
        coach.ask(wish_of(played()))
        for _ in range(600):
            if coach.lesson.analysis:
                break
            time.sleep(0.05)
        assert coach.lesson.analysis, coach.lesson.message
        assert coach.lesson.analysis.exact
    finally:
        coach.close()
        coach.close()


class Nearsighted(Player):
    """Finds out what a play costs only if it is told that it was made."""

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        best, *others = BACKGAMMON.plays(situation.position, roll)
        rated = (Rated(play, -0.2 if play == made else -0.01) for play in others)
        return Opinion(Unit.POINTS, False, (Rated(best, 0.0), *rated))

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        return None


@pytest.mark.parametrize("early", [True, False])
def test_an_answer_is_judged_as_closely_as_an_analysis_judges_it(early: bool) -> None:
    start = start_at(read_problem("backgammon -b----E-C---eE---c-e----B- w roll=31", GAMES))
    state = MatchState(first_game(UNLIMITED), Phase.TO_ROLL, Side.BLACK, "")
    answer = Decision(Us(1), Act.PLAY, state, Side.WHITE, play="24/23 13/10")
    coaching = PromptCoaching(call=lambda game, name, tell: AtOnce(Nearsighted(), tell))
    wish = GradeWish(start, answer, AnsweredExercise("Ada", "text", date(2026, 3, 1)))
    for each in (ExerciseWish(start), wish) if early else (wish, ExerciseWish(start), wish):
        coaching.ask(each)
    graded = coaching.coached.graded
    assert graded
    assert graded.judged
    assert (graded.judged.loss, graded.right) == (0.2, False)
    assert coaching.coached.training.players["Ada"][0].box == 0


def rolling() -> AnyTable:
    """A turn of Hypergammon, whose games are short."""
    table = AnyTable("hypergammon", None)
    table.opens("5", "3")
    assert table.view.phase is Phase.MOVING
    return table


class HeldBackCoaching(PromptCoaching):
    """A coach that takes one answer at a time, when the test says so."""

    def ask(self, wish: Inbox) -> None:
        self.take(wish)

    def goes_on(self) -> bool:
        """Take the next answer; False if there is none."""
        got = self._wishes.get_nowait() if not self._wishes.empty() else None
        if got:
            self.take(got)
        return got is not None


def weak(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> AtOnce:
    return at_once(game, "network", tell)


def of_hint(coach: HeldBackCoaching, table: AnyTable) -> None:
    coach.ask(HintWish(table.start, table.view))
    assert coach.goes_on()
    assert coach.lesson.hint
    assert coach.lesson.hint.answered


def test_the_plays_of_a_hint_are_rolled_out_to_the_end() -> None:
    table, coach = rolling(), HeldBackCoaching(call=weak)
    of_hint(coach, table)
    assert "hypergammon" in coach.lesson.played_on
    assert "nannon" not in coach.lesson.played_on
    coach.ask(RollOut())
    while coach.goes_on():
        pass
    assert coach.lesson.hint
    told = coach.lesson.rollout_of(coach.lesson.hint.question)
    assert told
    assert [line.games for line in told.lines] == [360] * 3
    assert isinstance(coach.lesson.hint.answer, Opinion)
    assert {line.play for line in told.lines} == {
        one.play for one in coach.lesson.hint.answer.plays[:3]
    }
    assert not told.runs


def test_a_rollout_stops_at_will_and_keeps_what_it_has() -> None:
    table, coach = rolling(), HeldBackCoaching(call=weak)
    of_hint(coach, table)
    coach.ask(RollOut())
    for _ in range(7):
        assert coach.goes_on()
    coach.ask(RollOut(on=False))
    told = coach.lesson.rollout
    assert told
    assert not told.runs
    games = sum(line.games for line in told.lines)
    while coach.goes_on():
        pass
    assert coach.lesson.rollout == told
    assert games == sum(line.games for line in told.lines) == 7 * 12


def test_a_hint_stops_the_last_ones_rollout_which_goes_on_if_it_is_wanted_again() -> None:
    table, coach = rolling(), HeldBackCoaching(call=weak)
    of_hint(coach, table)
    coach.ask(RollOut())
    for _ in range(4):
        assert coach.goes_on()
    coach.ask(HintWish(table.start, table.view))
    while coach.goes_on():
        pass
    assert coach.lesson.hint
    assert coach.lesson.hint.answered
    kept = coach.lesson.rollout_of(coach.lesson.hint.question)
    assert kept
    assert kept.stopped
    assert sum(line.games for line in kept.lines) == 4 * 12
    coach.ask(RollOut())
    assert coach.goes_on()
    told = coach.lesson.rollout
    assert told
    assert told.runs
    assert sum(line.games for line in told.lines) == 5 * 12


def worst_play(coach: HeldBackCoaching) -> Judged:
    """The play that lost most in a match that the coach has analysed."""
    table = AnyTable("hypergammon", 1, 5)
    while table.view.phase is not Phase.MATCH_OVER:
        table.goes_on()
    coach.ask(wish_of(table))
    while coach.goes_on():
        pass
    assert coach.lesson.analysis
    return max(coach.lesson.analysis.judged, key=lambda one: one.loss * bool(one.rated))


def test_a_hint_comes_before_the_rollout_of_another_decision() -> None:
    coach = HeldBackCoaching(call=weak)
    wrong = worst_play(coach)
    coach.ask(RollOut(wrong.moment.number))
    assert coach.goes_on()
    table = rolling()
    coach.ask(HintWish(table.start, table.view))
    while not (coach.lesson.hint and coach.lesson.hint.answered):
        assert coach.goes_on()
    told = coach.lesson.rollout_of(wrong.moment.question)
    assert told
    assert told.runs
    assert coach.goes_on()
    assert coach.lesson.rollout != told
    coach.ask(RollOut())
    other = coach.lesson.rollout
    assert other
    assert other == coach.lesson.rollout_of(coach.lesson.hint.question)
    assert other.lines == ()


def test_a_wrong_play_of_an_analysis_is_rolled_out_beside_the_best() -> None:
    coach = HeldBackCoaching(call=weak)
    wrong = worst_play(coach)
    coach.ask(RollOut(wrong.moment.number))
    while coach.goes_on():
        pass
    told = coach.lesson.rollout_of(wrong.moment.question)
    assert told
    assert {line.play for line in told.lines} == {one.play for one in wrong.rated}
    assert told.unit is wrong.unit
    # An unknown decision, or a hint that nobody asked for, rolls out nothing.
    coach.ask(RollOut(99_999))
    coach.ask(RollOut())
    assert not coach.goes_on()


def test_a_player_that_dies_ends_the_rollout_and_says_why() -> None:
    table, coach = rolling(), HeldBackCoaching(call=weak)
    of_hint(coach, table)
    coach.ask(RollOut())
    assert coach.goes_on()
    coach.take(Trouble(AWAY(player="network", why=WHY), coach._number))
    assert coach.lesson.rollout
    assert not coach.lesson.rollout.runs
    assert "network" in coach.lesson.message
