"""Tavli: Portes, Plakoto and Fevga as one match, from the start to the archive."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from any_table import AnyTable
from known import FACES, GAMES
from thinkers import SlowThinker

from pi_app.app.seats import Opponent
from pi_app.base.microseconds import Us, ms
from pi_app.export.leaves import leaves
from pi_app.export.sheet import score_sheet
from pi_app.export.statistics import figures_of
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.match.origin import read_problem, write_origin
from pi_app.match.score import Score
from pi_app.match.turns import OVER, Phase
from pi_app.players.process import Reply
from pi_app.referee.events import EventError, MachineSeat, Start
from pi_app.referee.lines import read_decision, write_decision
from pi_app.referee.options import agree, problem_at
from pi_app.referee.referee import Referee
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side
from pi_app.screen.canvas import Text
from pi_app.screen.compose import compose
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.seal.verifying import impossible
from pi_app.sensing.reading import BoardState
from pi_app.speech.answers import Query, answer
from pi_app.speech.telling import Manner
from pi_app.speech.utterance import Detail
from pi_app.words.sentences import ENGLISH

WHITE, BLACK = Side.WHITE, Side.BLACK


def board(mover: str, **stacks: str) -> str:
    """A position with these stacks on points by White's numbers, as `p24`."""
    return "".join(stacks.get(f"p{n}", "-") for n in range(26)) + f" {mover}"


WINS = {
    ("portes", WHITE, 1): board("w", p1="A", p24="a"),
    ("portes", WHITE, 2): board("w", p1="A", p24="o"),
    ("portes", BLACK, 1): board("b", p1="A", p24="a"),
    ("plakoto", WHITE, 1): board("w", p1="A", p23="a") + " -",
    ("plakoto", BLACK, 1): board("b", p2="A", p24="a") + " -",
    ("plakoto", None, 0): board("w", p1="A", p24="a") + " 1,24",
    ("fevga", WHITE, 1): board("w", p1="A", p13="a"),
    ("fevga", WHITE, 2): board("w", p1="A", p13="o"),
    ("fevga", BLACK, 1): board("b", p1="A", p13="a"),
}
"""Whoever is on roll bears off the last checker; in the tie both mothers are pinned."""


BEFORE = {
    "portes": board("b", p6="E", p19="e"),
    "plakoto": board("b", p6="E", p19="e") + " -",
    "fevga": board("b", p6="E", p18="e"),
}
"""Black, who is on roll, has a choice."""


class Tavli(AnyTable):
    """A match of which every game is corrected to its end."""

    def __init__(self, match_to: int = 5, **options: str) -> None:
        super().__init__("tavli", match_to, 1, **options)

    def begins(self) -> None:
        """Set up the checkers; White wins the opening roll."""
        while self.view.phase in (Phase.SET_UP, Phase.OPENING_THROW):
            if self.view.phase is Phase.OPENING_THROW:
                self.rolls = ["3" if self.view.thrown else "6"]
            self.goes_on()

    def wins(self, side: Side | None, points: int) -> None:
        """Play the game on the table to this end."""
        self.begins()
        self.corrects(WINS[self.view.game, side, points])
        while self.view.phase not in OVER:
            self.goes_on()

    def resumed(self) -> Referee:
        """The same match after a power cut: its game of now, read from its lines."""
        lines = [write_decision(decision) for decision in self.decided]
        decided = [read_decision(line) for line in lines]
        begins = [n for n, one in enumerate(decided) if one.what is Act.NEXT_GAME]
        return Referee(self.board, self.start, decided[begins[-1] if begins else 0 :])


def test_a_match_goes_through_all_three_games_and_then_from_the_first() -> None:
    table = Tavli(7)
    seen = []
    for side, points in ((BLACK, 1), (WHITE, 1), (WHITE, 2), (WHITE, 2), (BLACK, 1)):
        place = table.view.in_series
        assert place
        seen.append((table.view.game, place.number, place.of, place.round))
        table.wins(side, points)
        view = table.view
        assert view.result
        assert (view.result.winner, view.result.points) == (side, points)
        if view.phase is Phase.GAME_OVER:
            table.presses()
            assert table.view.to_act is side
    assert seen == [
        *(("portes", 1, 3, 1), ("plakoto", 2, 3, 1), ("fevga", 3, 3, 1)),
        *(("portes", 1, 3, 2), ("plakoto", 2, 3, 2)),
    ]
    assert table.view.score == Score(5, 2)


def test_after_a_game_it_says_who_won_and_what_is_next_and_who_begins() -> None:
    table = Tavli()
    table.wins(BLACK, 1)
    view = table.view
    assert ENGLISH.say(view.message) == "Bea wins 1 point"
    hint = ENGLISH.say(view.hint)
    assert hint == "Next: Plakoto. Bea begins. Press the die button for the next game."
    table.presses()
    assert table.view.message == "Set up Plakoto"
    assert table.view.position == "-o----------------------O- b -"
    table.begins()
    assert (table.view.phase, table.view.to_act) == (Phase.TO_ROLL, BLACK)


SIZES = ((640, 400), (800, 480), (480, 800))


def words_on_screen(table: AnyTable, size: tuple[int, int]) -> list[str]:
    shown = Shown(table.board, FACES, view=table.view)
    picture = compose(shown, Ui(Page.PLAY), size, Fonts().measure, ms(0))
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", SIZES)
def test_the_screen_always_says_which_game_of_the_round_it_is(size: tuple[int, int]) -> None:
    table = AnyTable("tavli", 5, seed=4)
    while table.view.game != "plakoto" or table.view.phase is not Phase.MOVING:
        table.goes_on()
    assert any("Plakoto, 2 of 3, round 1" in text for text in words_on_screen(table, size))


@pytest.mark.parametrize("size", SIZES)
def test_after_a_game_with_turns_the_screen_says_what_is_next(size: tuple[int, int]) -> None:
    table = Tavli()
    table.begins()
    for _ in range(9):
        table.goes_on()
    table.wins(BLACK, 1)
    assert table.view.tale
    assert "Next: Plakoto. Bea begins." in " ".join(words_on_screen(table, size))


def test_a_tie_is_played_again_after_a_new_opening_roll() -> None:
    table = Tavli()
    table.wins(WHITE, 1)
    table.presses()
    table.wins(None, 0)
    assert str(table.view.hint).startswith("Plakoto again, with an opening roll.")
    table.presses()
    view = table.view
    assert view.in_series
    assert (view.game, view.in_series.number, view.game_number) == ("plakoto", 2, 3)
    table.shows(table.position)
    assert table.view.phase is Phase.OPENING_THROW
    table.wins(WHITE, 1)
    table.presses()
    assert table.view.game == "fevga"
    assert table.view.score == Score(2, 0)


def test_a_double_may_overshoot_and_ends_the_match_in_the_middle_of_a_round() -> None:
    table = Tavli(3)
    table.wins(WHITE, 2)
    table.presses()
    table.wins(BLACK, 1)
    table.presses()
    table.wins(WHITE, 2)
    assert table.view.phase is Phase.MATCH_OVER
    assert table.view.score == Score(4, 1)


def played() -> Tavli:
    """A match that is over, with a tie, an undone play and a resignation in it."""
    table = Tavli()
    table.wins(WHITE, 1)
    table.presses()
    table.wins(None, 0)
    table.presses()
    table.wins(BLACK, 1)
    table.presses()
    table.begins()
    table.resigns(2)
    table.presses()
    table.wins(WHITE, 2)
    return table


def test_it_comes_back_into_the_same_game_wherever_the_power_is_cut() -> None:
    table = Tavli()

    def same() -> None:
        view, again = table.view, table.resumed().view
        for name in ("game", "in_series", "phase", "position", "score", "to_act", "starter"):
            assert getattr(again, name, None) == getattr(view, name, None), name
        assert (again.title, again.facing, again.coming) == (view.title, view.facing, view.coming)

    for side, points in ((WHITE, 1), (None, 0), (BLACK, 1), (WHITE, 1)):
        same()
        table.begins()
        same()
        table.goes_on()
        same()
        table.goes_on()
        same()
        table.wins(side, points)
        same()
        table.presses()
    assert table.view.game == "portes"


def test_an_undo_after_a_game_leads_back_into_it_and_never_over_the_next_start() -> None:
    table = Tavli()
    table.begins()
    table.corrects(WINS["portes", WHITE, 1])
    table.goes_on()
    table.goes_on()
    assert (table.view.phase, table.view.score) == (Phase.GAME_OVER, Score(1, 0))
    table.taps(Act.TAKE_BACK)
    assert (table.view.game, table.view.phase) == ("portes", Phase.MOVING)
    assert table.view.score == Score()
    table.shows(table.position)
    table.wins(BLACK, 1)
    assert table.view.coming
    assert (table.view.coming.title, table.view.coming.starter) == ("Plakoto", BLACK)
    table.presses()
    for _ in range(2):
        assert Act.TAKE_BACK not in table.view.offers
        table.taps(Act.TAKE_BACK)
        assert (table.view.game, table.view.score) == ("plakoto", Score(0, 1))
        table.goes_on()
    table.goes_on()
    assert Act.TAKE_BACK in table.view.offers
    table.taps(Act.TAKE_BACK)
    assert (table.view.game, table.view.phase) == ("plakoto", Phase.MOVING)
    assert Act.TAKE_BACK not in table.view.offers


def test_a_game_with_a_bar_follows_one_without_though_people_were_led_back() -> None:
    table = Tavli(order="plakoto,portes")
    table.begins()
    table.goes_on()
    table.goes_on()
    table.taps(Act.TAKE_BACK)
    table.taps(Act.SCREEN_IS_RIGHT)
    table.resigns(1)
    table.presses()
    assert table.view.game == "portes"
    assert table.view.phase is Phase.SET_UP
    table.begins()
    table.goes_on()
    table.goes_on()
    table.taps(Act.TAKE_BACK)
    table.shows(table.position)
    assert table.view.board is BoardState.RESTING


def test_what_was_played_follows_from_the_rules_and_a_changed_line_does_not() -> None:
    table = played()
    numbered = list(enumerate(table.decided, start=1))
    assert list(impossible(table.start, numbered, GAMES)) == []
    at = next(n for n, one in numbered if one.state.standing.replayed)
    number, decision = numbered[at - 1]
    standing = replace(decision.state.standing, replayed=0)
    numbered[at - 1] = number, replace(decision, state=replace(decision.state, standing=standing))
    assert any(
        "replayed" in told or "cannot be" in told
        for told in impossible(table.start, numbered, GAMES)
    )


def test_the_sheet_the_replay_and_the_figures_name_each_game() -> None:
    table = played()
    sheet = list(score_sheet(table.kept))
    assert sheet[0] == "Tavli (Portes, Plakoto, Fevga), match to 5"
    named = [line.split("   ")[0] for line in sheet if line.startswith("Game ")]
    assert named == [
        *("Game 1: Portes", "Game 2: Plakoto", "Game 3: Plakoto"),
        *("Game 4: Fevga", "Game 5: Portes"),
    ]
    told = list(leaves(table.kept))
    opened = [(ENGLISH.say(leaf.said), leaf.game) for leaf in told if leaf.opens]
    assert opened[1:3] == [("Game 2: Plakoto", "plakoto"), ("Game 3: Plakoto", "plakoto")]
    for leaf in told:
        GAMES[leaf.game].read_position(leaf.state.position)
    figures = figures_of(table.kept)
    score = table.view.score
    assert (figures[WHITE].points, figures[WHITE].against) == (score.white, score.black)


def test_a_match_can_begin_at_any_of_its_positions() -> None:
    table = played()
    for leaf in leaves(table.kept):
        if leaf.state.phase in OVER:
            continue
        problem = problem_at(table.start, table.kept.series, leaf.state)
        assert read_problem(problem.text, GAMES) == problem
        start = Start(Us(0), "tavli", ALL.boards["tavli"], 5, ("Ann", "Bea"), problem.agreed)
        begun = Referee(table.board, start)
        assert begun.game.name == leaf.game
        assert begun.view.score == leaf.state.standing.score
        assert write_origin(leaf.state, begun.game)


def test_the_machine_plays_each_game_with_a_player_of_that_game() -> None:
    table, called = Tavli(machine="black", machine_player="greedy"), list[SlowThinker]()

    def call(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> SlowThinker:
        called.append(SlowThinker(game, player, tell))
        return called[-1]

    seat = MachineSeat(BLACK, "greedy")
    opponent = Opponent(table.game, seat, call, random.Random(1))
    for count, game in enumerate(("portes", "plakoto", "fevga"), start=1):
        table.begins()
        table.corrects(BEFORE[game])
        table.presses()
        assert table.view.game == game
        assert table.view.thinking
        opponent.decide(table.referee, table.later())
        assert len(called) == count
        question = called[-1].asked[-1][1]
        assert question.situation.position == table.position
        called[-1].answer()
        acts = opponent.decide(table.referee, table.later())
        assert acts
        table.does(acts)
        assert table.view.chosen
        table.corrects(WINS[game, WHITE, 1])
        while table.view.phase not in OVER:
            table.goes_on()
        table.presses()
    assert all(thinker.closed for thinker in called[:-1])
    assert "greedy" in ALL.players["tavli"]
    assert "gnubg-2" not in ALL.players["tavli"], "it plays Portes alone"


def test_a_house_may_play_fewer_games_in_another_order() -> None:
    table = Tavli(order="fevga,portes")
    assert table.view.game == "fevga"
    table.wins(BLACK, 1)
    table.presses()
    assert table.view.game == "portes"
    assert table.view.in_series
    assert table.view.in_series.of == 2
    table.wins(WHITE, 1)
    table.presses()
    assert table.view.game == "fevga"


@pytest.mark.parametrize(
    ("game", "order", "why"),
    [
        ("tavli", "nannon", "write some of these, each once: portes,plakoto,fevga"),
        ("tavli", "portes,portes", "each once"),
        ("portes", "portes", "Portes is one game"),
    ],
)
def test_an_order_that_cannot_be_is_rejected(game: str, order: str, why: str) -> None:
    start = Start(Us(0), game, ALL.boards[game], 5, ("Ann", "Bea"), {"order": order})
    with pytest.raises(EventError, match=why):
        agree(start, GAMES)


def test_options_of_its_games_are_agreed_on_for_the_match() -> None:
    start = Start(Us(0), "tavli", ALL.boards["tavli"], 5, ("Ann", "Bea"), {"four points": True})
    series, options = agree(start, GAMES)
    assert options.agreed == ("four points",)
    assert len(series.games[2].rules) == len(GAMES["fevga"].rules) + 1
    assert series.games[0] is GAMES["portes"]


def test_players_see_how_far_the_first_checker_must_still_go() -> None:
    table = AnyTable("fevga", 5)
    table.opens("6", "5", "41")
    assert "First checker: 12 pips to go before others move." in str(table.view.hint)
    table.presses()
    assert table.view.first_lacks == (12, 12)
    table.plays("24/19")
    assert table.view.first_lacks == (7, 12)
    for size in SIZES:
        words = words_on_screen(table, size)
        for lacks in (7, 12):
            assert any(text.endswith(f"First checker: {lacks}") for text in words)
    told = answer(Query.PIPS, table.view, table.view.us, Manner(Detail.ALL)).text
    assert "Ann: first checker, 7 pips to go." in ENGLISH.say(told)


def test_no_other_game_has_a_first_checker_that_goes_alone() -> None:
    for game in ("portes", "plakoto"):
        table = AnyTable(game, 5)
        table.opens("6", "5")
        assert "irst checker" not in str(table.view.hint)
        assert table.view.first_lacks == (0, 0)
