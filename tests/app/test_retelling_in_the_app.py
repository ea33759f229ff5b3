"""A stored match in the running program: shown and guessed on the board, back and forth, heard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from any_table import AnyTable
from coaches import Doubtful, PromptCoaching, doubtful
from known import GAMES, load_board
from test_app import BOARD, NEW
from test_speaking import SpokenBench

from pi_app.app.retelling import RetoldSession, start_of_stop
from pi_app.base.microseconds import Us, ms
from pi_app.coach.retelling import Guesses, RetoldMatch, retold
from pi_app.coach.study import FILE as RATINGS
from pi_app.coach.training import FILE, Coached, TrainingFile
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.players.contract import Situation
from pi_app.referee.events import Button, MatchId, Picture, Press, Start, Tick
from pi_app.referee.view import Retold, TourStep
from pi_app.rules.terms import Checkers, Side, read_roll
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import Retell

GAME = GAMES["nannon"]
ONE = MatchId(1)


class ReaderBench(SpokenBench):
    """One who plays the only stored match through on a board of six spots."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, coaching=PromptCoaching(folder / RATINGS, call=doubtful))
        self.table = AnyTable("nannon", 3, seed=8)
        while self.table.view.phase is not Phase.MATCH_OVER:
            self.table.goes_on()
        self.opened.journal.add(self.table.start, "2026-03-01T20:15", self.table.decided)

    @property
    def stop(self) -> Retold:
        assert isinstance(self.view.exercise, Retold), self.view
        return self.view.exercise

    @property
    def step(self) -> TourStep | None:
        return self.view.tour

    def lay(self, checkers: Checkers) -> None:
        """Lift what does not belong there, then put the others down."""
        wanted = BOARD.closed_by(checkers)
        for closed in (False, True):
            for sensor in BOARD.sensors:
                if (sensor in wanted) is closed and (sensor in self.view.closed) is not closed:
                    self.reed(sensor, closed)
        self.after(1700)

    def set_up(self) -> None:
        if self.view.tour is TourStep.SET_UP:
            self.lay(self.view.accepted)

    def hold(self) -> None:
        self.after(400)
        self.touch(Button(self.clock(), Press.LONG))

    def lies_after(self, play: str) -> Checkers:
        position = GAME.read_position(self.view.position)
        return GAME.checkers_at(GAME.after(position, GAME.read_play(position, play)))

    def make_shown(self) -> None:
        """Make the play that is shown; a press confirms what no sensor proves."""
        place = self.stop.place
        for move in self.view.to_make:
            if move.hit:
                self.reed(move.target.name, False)
        self.lay(self.lies_after(self.view.chosen or ""))
        for _ in range(3):
            if self.stop.place == place and self.view.tour is TourStep.HANDS:
                self.press()
                self.after(1000)

    def guess(self, *, best: bool) -> None:
        position, roll = GAME.read_position(self.view.position), read_roll(self.view.roll or "", 1)
        plays = Doubtful(GAME).rate(Situation(position), roll).plays
        self.lay(self.lies_after(GAME.write_play(position, plays[0 if best else -1].play)))
        self.press()
        for _ in self.view.choices:
            if self.view.tour is TourStep.HANDS:
                self.press()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReaderBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = ReaderBench(tmp_path)
    yield bench
    bench.kill()


def test_every_play_of_a_match_is_shown_and_made_to_its_end(bench: ReaderBench) -> None:
    bench.touch(Retell(ONE))
    seen, told = [], list[str]()
    for _ in range(300):
        bench.set_up()
        if bench.view.tour is TourStep.JUDGED:
            told.append(f"{bench.view.message} {bench.view.hint}")
            if bench.stop.onward is None:
                break
            bench.press()
        else:
            assert bench.view.to_make, bench.view
            seen.append(bench.view.chosen)
            bench.make_shown()
    plays = [one.play for one in bench.table.decided if one.what is Act.PLAY]
    assert seen == [play for play in plays if play != "forfeit"]
    assert "End of the match." in told[-1]
    assert [text for text in told if "Game 2" in text], told
    bench.press()
    assert bench.front.shown
    assert bench.front.shown.view is None
    assert len(bench.opened.journal.matches()) == 1, "nothing is stored"
    heard = " ".join(bench.mouth.said)
    assert "Set up this position." in heard
    assert "Make this play on the board for Ann." in heard


def test_the_lamps_show_it_and_another_play_is_told(bench: ReaderBench) -> None:
    bench.touch(Retell(ONE))
    bench.set_up()
    lit = {spot for move in bench.view.to_make for spot in (move.origin, move.target)}
    for place in BOARD.places:
        if place.light is not None:
            assert bench.factory.pin(place.light).state == (place.spot in lit)
    position = GAME.read_position(bench.view.position)
    shown = GAME.checkers_at(GAME.attempted(position, bench.view.to_make))
    rolls = (read_roll(str(face), 1) for face in range(1, 7))
    others = (GAME.checkers_at(end) for roll in rolls for end in GAME.results(position, roll))
    bench.lay(next(other for other in others if BOARD.closed_by(other) != BOARD.closed_by(shown)))
    assert (bench.view.board, bench.stop.place) == (BoardState.WRONG, 1)
    bench.lay(bench.view.accepted)
    assert bench.view.to_make


def test_the_winner_is_guessed_and_compared_with_the_best(bench: ReaderBench) -> None:
    score = bench.opened.journal.match(ONE).score
    winner = Side.WHITE if score.white > score.black else Side.BLACK
    name = bench.table.start.players[winner is Side.BLACK]
    bench.touch(Retell(ONE, guesses=True))
    guessed = right = 0
    while guessed < 4:
        bench.set_up()
        if bench.view.tour is TourStep.JUDGED:
            bench.press()
        elif bench.view.to_make:
            assert bench.view.to_act is winner.other
            bench.make_shown()
        else:
            assert (bench.view.to_act, bench.view.hint) == (winner, f"Guess what {name} did here.")
            best = guessed != 1
            bench.guess(best=best)
            assert bench.step is TourStep.JUDGED, bench.view
            guessed, right = guessed + 1, right + (bench.view.message == "Best play")
            tally = f"Right: you {round(100 * right / guessed)}\u00a0%, {name} "
            assert tally in bench.view.hint, bench.view.hint
            assert "PR " in bench.view.hint
            if guessed == 2:
                bench.hold()
                bench.set_up()
                bench.guess(best=True)
                assert tally in bench.view.hint, "only the first guess counts"
            bench.press()
    assert not TrainingFile(bench.opened.journal.path.with_name(FILE)).training.players


def test_back_and_forth_by_button_and_by_touch(bench: ReaderBench) -> None:
    bench.touch(Retell(ONE))
    onward = bench.stop.onward
    assert onward
    bench.touch(Retell(ONE, onward))
    assert (bench.stop.place, bench.view.tour) == (2, TourStep.SET_UP)
    bench.set_up()
    bench.hold()
    assert bench.stop.place == 1
    bench.hold()
    assert bench.stop.place == 1, "nothing is before the first"
    bench.touch(Retell(ONE, 10_000))
    assert bench.stop.place == bench.stop.count
    bench.touch(Retell())
    assert bench.front.shown
    assert bench.front.shown.view is None


def test_it_interrupts_no_match_and_a_match_without_plays_is_told(bench: ReaderBench) -> None:
    bench.touch(Retell(MatchId(7)))
    assert "match 7 is not in" in bench.notices[-1]
    empty = replace(bench.table.start, players=("Eve", "Fay"))
    bench.opened.journal.add(empty, "2026-03-01T21:15", ())
    bench.touch(Retell(MatchId(2)))
    assert "No play of match 2 can be shown on the board" in bench.notices[-1]
    bench.touch(NEW)
    bench.touch(Retell(ONE))
    assert bench.view.exercise is None


@pytest.mark.parametrize("game", [*GAMES])
def test_a_match_of_every_game_is_shown_play_by_play(game: str) -> None:
    table = AnyTable(game, 3, seed=6)
    while len(table.decided) < 60 and table.view.phase is not Phase.MATCH_OVER:
        table.goes_on()
    match = retold(ONE, table.kept, table.view.score, guesses=False)
    board = load_board(table.start.board)
    for place in range(0, len(match.stops), 4):
        session = stop_of(match, place, table.start)
        play = match.stops[place].decision.play
        session.handle(Picture(ms(1), board.closed_by(session.view.accepted)))
        assert session.view.to_make, session.view
        before = session.game.read_position(session.view.position)
        made = session.game.after(before, session.game.read_play(before, play or ""))
        moves = session.game.moves(before, session.game.read_play(before, play or ""))
        assert session.view.chosen == play
        gone = {spot for move in moves for spot in (move.origin, move.hit and move.target)}
        lifted = {s: c[:-1] if s in gone else c for s, c in session.view.accepted.items()}
        session.handle(Picture(ms(400), board.closed_by(lifted)))
        session.handle(Picture(ms(800), board.closed_by(session.game.checkers_at(made))))
        session.handle(Tick(ms(5000)))
        for seconds in (6, 8, 10):
            if session.decision is None:
                session.handle(Button(ms(1000 * seconds), Press.SHORT))
        assert session.decision, session.view
        assert session.decision.play == play


def stop_of(match: RetoldMatch, place: int, start: Start) -> RetoldSession:
    problem = match.stops[place].problem
    options = {**problem.agreed}
    begun = Start(Us(0), problem.game, start.board, problem.match_to, match.players, options)
    begun = start_of_stop(begun, match, place)
    return RetoldSession(load_board(start.board), begun, match, place, Guesses(), Coached)
