"""Coaches that answer at once, and what they have to show: scenes for the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from any_table import AnyTable
from known import FACES, GAMES, load_board
from nannon_slowly import exact
from shelves import LONG, opened, played, shelf_of

from pi_app.app.backlog import Backlog
from pi_app.app.coaching import Coaching, Inbox
from pi_app.app.retelling import RetoldSession, start_of_stop
from pi_app.app.seats import CallThinker
from pi_app.app.training import Drill
from pi_app.base.microseconds import ms
from pi_app.base.threads import drained
from pi_app.coach.retelling import Guesses, retold
from pi_app.coach.rollout import RolledOut, Rollout
from pi_app.coach.study import (
    Analysis,
    Hinted,
    Lesson,
    Study,
    blunders_first,
    judge,
    ratings_of,
)
from pi_app.coach.training import (
    UNWRITTEN,
    Coached,
    Exercise,
    Graded,
    Training,
    decided,
    decides,
    exercises_of,
    question_at,
)
from pi_app.export.codes import code_of
from pi_app.export.leaves import GAME as GAME_HEADING
from pi_app.export.leaves import PASSES
from pi_app.export.retold import Kept
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium
from pi_app.match.acts import Act
from pi_app.match.origin import Problem, read_problem, write_origin
from pi_app.match.turns import Phase
from pi_app.players.contract import (
    Chances,
    CubeOpinion,
    Opinion,
    Player,
    Question,
    Situation,
    Unit,
)
from pi_app.players.judging import HITTER_PLAYER
from pi_app.players.process import AWAY, ENDED, Advice, Reply
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId, Picture, Start, Tick
from pi_app.referee.speech import DOUBLES, RESULT
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, read_roll
from pi_app.screen.pages.coach import leaf_of
from pi_app.screen.ui import Browsing, OpenMatch, Page, PosedLeaf, Shown, Ui
from pi_app.user.agreement import Form

AFTER = (
    RESULT(result=DOUBLES(side=LONG[0], stake=16)),
    RESULT(result=PASSES(player=LONG[1])),
    RESULT(result=GAME_HEADING(number=12)),
)
DEAD = AWAY(player="gnubg", why=ENDED(status=-11))


class AtOnce:
    """A player that answers as it is asked."""

    def __init__(self, player: Player, tell: Callable[[Reply], None]) -> None:
        self._player, self._tell = player, tell

    def ask(self, number: int, question: Question) -> None:
        self._tell(Advice(number, question.put(self._player)))

    def drop(self) -> None:
        """Nothing is ever still to be answered."""

    def close(self) -> None:
        """It has nothing to give back."""


def at_once(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> AtOnce:
    made = exact() if player == "exact" else ALL.find(game.name).contender(player).make(game)
    return AtOnce(made, tell)


class PromptCoaching(Coaching):
    """One without a thread: what was wished for is found when `ask` returns."""

    def __init__(
        self,
        file: Path | None = None,
        games: Compendium = ALL,
        call: CallThinker = at_once,
        backlog: Backlog | None = None,
    ) -> None:
        super().__init__(games, file, call, backlog)

    def ask(self, wish: Inbox) -> None:
        self.take(wish)
        for got in drained(self._wishes):
            assert got
            self.take(got)


def doubtful(game: AnyGame, _: str, tell: Callable[[Reply], None]) -> AtOnce:
    """A quick player of any game, in the place of the one that was asked for."""
    return AtOnce(Doubtful(game), tell)


class Doubtful(Player):
    """A greedy player whose marks are called points, for pages that show losses of every game.

    One that is `sure` says that they are proven.
    """

    def __init__(self, game: AnyGame, sure: bool = False) -> None:
        self._game, self._sure = game, sure
        self._marks = ALL.find(game.name).contender("random").make(game)

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        """Every play a little worse than the one before."""
        opinion = self._marks.rate(situation, roll)
        ends = len(self._game.outcome_names) if self._game.dice else 0
        odds = Chances((0.612, 0.209, 0.012)[:ends], (0.388, 0.112, 0.004)[:ends])
        rated = (
            replace(one, worth=0.3 - 0.031 * n, chances=odds if ends else None, plies=2 - (n > 1))
            for n, one in enumerate(opinion.plays)
        )
        return Opinion(Unit.POINTS, self._sure, tuple(rated))

    def weigh(self, _: Situation) -> CubeOpinion:
        return CubeOpinion(Unit.POINTS, self._sure, 0.234, 0.345, 1.0)


@cache
def judged(game: str) -> tuple[Lesson, OpenMatch]:
    """A match and what a coach has found of it."""
    table = played(game)
    kept = Kept(table.start, tuple(table.decided), GAMES)
    name = "exact" if game == "nannon" else "gnubg"
    player = Doubtful(table.game, sure=name == "exact")
    study = Study(name, kept)
    while question := study.question:
        study.answer(question.put(player))
    analysis = study.analysis()
    ratings = tuple(
        replace(
            one,
            match=number,
            name=LONG[number % 2],
            against=LONG[0],
            equity=(one.equity or 0.0) * (1 + (number * 5 % 7) / 10),
            began=f"2026-{3 + number // 5:02}-01 20:15",
        )
        for number in range(1, 14)
        for one in ratings_of(MatchId(number), "2026-03-01 20:15", kept, analysis)[:1]
    )
    lesson = Lesson(match=MatchId(1), done=7, total=7, analysis=analysis, ratings=ratings)
    return lesson, opened(game)


def lesson_scenes() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """Every page of the coach in its usual and its oddest states."""
    nobody = Shown(load_board("nannon-6"), FACES, lesson=Lesson())
    one = Browsing(match=MatchId(1))
    for game in ("cannon", "nannon", "backgammon"):
        lesson, match = judged(game)
        shelf = replace(shelf_of(game), opened=match)
        shown = replace(nobody, shelf=shelf, lesson=lesson)
        yield f"analysis {game}", (shown, Ui(Page.ANALYSIS, browsing=one))
        lost = blunders_first(lesson.analysis) if lesson.analysis else ()
        for number in (0, len(lost) - 1) if game == "backgammon" else (0,):
            leaf = replace(one, leaf=leaf_of(match, lost[number]))
            ui = Ui(Page.LEAF, browsing=leaf, analysed=True)
            yield f"judged {game} {number}", (shown, ui)
            one_lost = lost[number]
            if game == "backgammon" and one_lost.rated:
                made, *best = (one.play for one in one_lost.rated)
                plays = dict.fromkeys((*best, made))
                rollout = rolled(replace(one_lost.moment.question, made=None), [*plays])
                now = replace(lesson, rollout=rollout, played_on=frozenset({game}))
                yield f"rolled out {number}", (replace(shown, lesson=now), ui)
    later = replace(one, judged=4)
    yield "analysis later", (shown, Ui(Page.ANALYSIS, browsing=later))
    for number in range(3):
        browsing = Browsing(player=number)
        yield f"ratings {number}", (shown, Ui(Page.RATINGS, browsing=browsing))
    exercises = (
        Exercise("nannon 1ww..bb1 w roll=6 to=5", cost=0.41),
        Exercise("nannon 1ww..bb1 w to=5 cube=2 owner=white doubled=yes", cost=0.32),
        Exercise("nannon 1ww..bb1 w to=5", cost=0.2),
    )
    dated = tuple(
        replace(one, name=LONG[0], began=f"2026-{n % 3 + 1:02}-01", game=games[n % 2])
        for n, one in enumerate(lesson.ratings)
        for games in (("nannon", "backgammon"),)
    )
    training = Coached(Training({LONG[0]: exercises}))
    whole = replace(shown, lesson=replace(lesson, ratings=dated), coached=training)
    for first in (0, 6, 12):
        browsing = Browsing(player=0, row=first)
        yield f"report {first}", (whole, Ui(Page.REPORT, browsing=browsing))
    yield "report none", (replace(whole, lesson=Lesson()), Ui(Page.REPORT))
    for told, state in {
        "asking": replace(lesson, analysis=None, done=120, total=1234),
        "failed": replace(lesson, analysis=None, message=DEAD),
        "waiting": Lesson(),
        "faultless": replace(lesson, analysis=Analysis("exact", True, ())),
    }.items():
        yield f"analysis {told}", (replace(shown, lesson=state), Ui(Page.ANALYSIS, browsing=one))


def training_scenes() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """The pages of a training, and of a position that a leaf leads to."""
    nobody = Shown(load_board("nannon-6"), FACES, today="2026-03-01")
    some = tuple(
        Exercise(f"nannon 1ww..bb1 w roll={n}", due="" if n < 3 else "2026-03-04")
        for n in range(1, 6)
    )
    names = ("Ada", "Ben", *LONG, "Max", "Eva", "Annemarie")
    training = Training({name: some[min(n, 3) :] for n, name in enumerate(names)})
    trained = replace(nobody, coached=Coached(training))
    yield "training", (trained, Ui(Page.TRAINING))
    yield "training later", (trained, Ui(Page.TRAINING, browsing=Browsing(row=5)))
    broken = Coached(trouble=UNWRITTEN(why="No space left on device"))
    yield "training none", (replace(nobody, coached=broken), Ui(Page.TRAINING))
    for game in ("cannon", "backgammon", "nannon"):
        yield from drill_scenes(game)
        yield from _retelling_scenes(game)
        yield from _posed_scenes(game, nobody)


def drill_scenes(game: str) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """Every step of the first exercise of a match."""
    lesson, match = judged(game)
    kept = played(game).kept
    assert lesson.analysis
    _, exercise = next(iter(exercises_of(kept, lesson.analysis)))
    problem = read_problem(exercise.position, GAMES)
    names = LONG if decides(problem, GAMES) is Side.WHITE else LONG[::-1]
    start = Start(ms(0), game, match.board.name, problem.match_to, names, problem.agreed)
    coached = [Coached()]
    drill = Drill(match.board, start, LONG[0], exercise, 7, lambda: coached[0])
    play = Ui(Page.PLAY)

    def scene() -> tuple[Shown, Ui]:
        shown = Shown(match.board, FACES, drill.view, lesson=Lesson())
        return shown, play

    yield f"drill {game} set up", scene()
    drill.handle(Picture(ms(1), match.board.closed_by(drill.view.accepted)))
    drill.handle(Tick(ms(2000)))
    yield f"drill {game} asked", scene()
    question = question_at(drill.start, GAMES)
    opinion = question.put(Doubtful(GAMES[game]))
    what, play_text = Act.DOUBLE, None
    if isinstance(opinion, Opinion):
        position, worst = question.situation.position, opinion.plays[-1].play
        what, play_text = Act.PLAY, GAMES[game].write_play(position, worst)
    state = replace(kept.opening(), phase=Phase.TO_ROLL)
    side = drill.view.to_act
    drill.decision = Decision(ms(3000), what, state, side, play=play_text)
    yield f"drill {game} thinking", scene()
    moment = decided(drill.start, GAMES, drill.decision)
    assert moment
    for told, found in {
        "wrong": judge(GAMES[game], moment, opinion),
        "unknown": None,
    }.items():
        coached[0] = Coached(graded=Graded(drill.start, found, DEAD))
        yield f"drill {game} {told}", scene()


def _retelling_scenes(game: str) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """A stored match on the board: one play is shown, another is guessed."""
    table = played(game)
    winner = Side.BLACK if table.view.score.black > table.view.score.white else Side.WHITE
    for side in (winner.other, winner):
        yield from _retold_scenes(table, side, guesses=side is winner)


def _retold_scenes(
    table: AnyTable, side: Side, *, guesses: bool
) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    start, score, game = replace(table.start, players=LONG), table.view.score, table.start.game
    kept = Kept(start, table.decided, GAMES)
    match = retold(MatchId(1), kept, score, guesses=guesses)
    place = next(n for n, stop in enumerate(match.stops) if stop.side is side)
    stop, coached = match.stops[place], [Coached()]
    begun = replace(start, options={**stop.problem.agreed})
    begun = start_of_stop(begun, match, place)
    told = RetoldSession(table.board, begun, match, place, Guesses(), lambda: coached[0])

    def scene() -> tuple[Shown, Ui]:
        return Shown(table.board, FACES, told.view, lesson=Lesson()), Ui(Page.PLAY)

    yield f"retold {game} {side.value} set up", scene()
    told.handle(Picture(ms(1), table.board.closed_by(told.view.accepted)))
    told.handle(Tick(ms(2000)))
    yield f"retold {game} {side.value} asked", scene()
    told.decision, told.stop = replace(stop.decision, us=ms(3000)), replace(stop, after=AFTER)
    if guesses:
        moment = decided(begun, GAMES, stop.decision)
        assert moment
        found = judge(GAMES[game], moment, question_at(begun, GAMES).put(Doubtful(GAMES[game])))
        coached[0] = Coached(graded=Graded(begun, found, "", found))
    yield f"retold {game} {side.value} told", scene()


def _posed_scenes(game: str, nobody: Shown) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    match = opened(game)
    state = next(leaf.state for leaf in match.leaves if leaf.moves)
    problem = Problem(game, 21, write_origin(state, GAMES[game]))
    xgid = ids.write(problem) if (ids := ALL.find(game).ids) else ""
    code = code_of("\n".join(filter(None, (problem.text, xgid))))
    posed = PosedLeaf(MatchId(1), 1, LONG, None, problem, xgid, code)
    shelf = replace(shelf_of(game), posed=posed)
    one = Ui(Page.POSITION, browsing=Browsing(match=MatchId(1), leaf=1))
    yield f"position {game}", (replace(nobody, shelf=shelf), one)
    over = replace(shelf, posed=PosedLeaf(MatchId(1), 1))
    yield f"position {game} over", (replace(nobody, shelf=over), one)
    form = Form(LONG, 21, game=game, position=problem)
    played_on = replace(nobody, board=match.board)
    yield f"position {game} new match", (played_on, Ui(Page.NEW_MATCH, form=form))


def hint_scenes(shown_in: Callable[[str], Shown]) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """Hints of every game in a turn, of the cube, and where there are none."""
    for game in GAMES:
        shown = replace(shown_in(f"{game}-moving"), hints=True)
        yield f"hint {game}", (hinted(shown), Ui(Page.HINT, hinted=1))
    for state, lesson in {
        "none": None,
        "thinking": Lesson(),
        "dead": Lesson(message=DEAD),
    }.items():
        yield f"hint {state}", (replace(shown, lesson=lesson), Ui(Page.HINT))
    yield "hint locked", (replace(shown, hints=False, lesson=Lesson()), Ui(Page.HINT))
    yield from _rolled_hints(replace(shown_in("backgammon-moving"), hints=True))
    to_roll = replace(shown_in("backgammon-to-roll"), hints=True)
    view = to_roll.view
    assert view
    greedy = replace(shown_in("backgammon-moving"), hints=True)
    yield "hint marks", (hinted(greedy, HITTER_PLAYER.make), Ui(Page.HINT))
    for cube in (
        CubeOpinion(Unit.POINTS, False, 0.234, 0.345, 1.0, chances=Chances((0.61,), (0.39,))),
        CubeOpinion(Unit.MATCH, True, 0.734, 0.845, 0.8),
        None,
    ):
        hint = Hinted(view.position, view.roll, "gnubg", cube, answered=True)
        told = "nothing" if cube is None else cube.unit.value
        yield f"hint cube {told}", (replace(to_roll, lesson=Lesson(hint)), Ui(Page.HINT))


def rolled(question: Question, plays: Sequence[Any], games: int = 120) -> Rollout:
    """A rollout of these plays, each a little worse than the one before."""
    odds = Chances((0.598, 0.203, 0.011), (0.402, 0.118, 0.005))
    lines = tuple(
        RolledOut(play, games, 0.287 - 0.04 * n, 0.0143 if games > 30 else None, odds)
        for n, play in enumerate(plays)
    )
    return Rollout("network", question, len(lines), 360, 10, "1", lines=lines)


def _rolled_hints(shown: Shown) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """A hint whose plays are rolled out: at once, in between, at the end, stopped, refused."""
    lesson = hinted(shown).lesson
    assert lesson
    assert lesson.hint
    assert isinstance(lesson.hint.answer, Opinion)
    view = shown.view
    assert view
    game = shown.board.games[view.game]
    situation = Situation(game.read_position(view.position))
    question = Question(situation, read_roll(view.roll or "", game.dice))
    hint = replace(lesson.hint, question=question)
    plays = [one.play for one in hint.answer.plays[:3]] if isinstance(hint.answer, Opinion) else []
    begun = replace(rolled(question, plays[:1], 12), plays=len(plays))
    for told, rollout in {
        "offered": None,
        "begun": begun,
        "running": rolled(question, plays),
        "stopped": replace(rolled(question, plays), stopped=True),
        "complete": rolled(question, plays, 360),
        "stopped at once": replace(begun, lines=(), stopped=True),
        "impossible": replace(begun, lines=(), stopped=True, refused=True),
    }.items():
        lesson = Lesson(hint, rollout=rollout, played_on=frozenset({view.game}))
        yield f"hint rollout {told}", (replace(shown, lesson=lesson), Ui(Page.HINT))


def hinted(shown: Shown, player: Callable[[AnyGame], Player] = Doubtful) -> Shown:
    """The same with a hint for its turn."""
    view = shown.view
    assert view
    game = shown.board.games[view.game]
    roll = read_roll(view.roll or "", game.dice)
    position = game.read_position(view.position)
    opinion = player(game).rate(Situation(position), roll)
    hint = Hinted(view.position, view.roll, "gnubg", opinion, answered=True)
    return replace(shown, lesson=Lesson(hint))
