"""Undo and redo: what they keep, and the rolls that were shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from any_table import AnyTable
from desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as some
from known import FAMILIES, GAMES

from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll
from pi_app.referee.events import Press, Tap, Tick
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.sensing.reading import BoardState

SHOWN = (
    "phase", "to_act", "position", "roll", "score", "cube", "thrown", "result", "back_to",
    "resignation", "legal", "dice", "typed", "changing", "offers",
)  # fmt: skip


def of_the_match(view: View) -> dict[str, Any]:
    """The part of a view that describes the match, with or without redo."""
    told = {name: getattr(view, name) for name in SHOWN}
    legal = view.legal if view.phase is Phase.MOVING else ()
    return told | {"offers": view.offers - {Act.RESTORE}, "legal": legal}


def resumed(table: AnyTable) -> Referee:
    begins = [n for n, each in enumerate(table.decided) if each.what is Act.NEXT_GAME]
    return Referee(table.board, table.start, table.decided[begins[-1] if begins else 0 :])


def opened(*rolls: str) -> AnyTable:
    """A game of Backgammon: Black has rolled the 2-1 of his first turn."""
    table = AnyTable("backgammon", 5)
    table.opens("3", "1", *rolls)
    table.plays("8/5 6/5")
    table.rolls = ["21"]
    table.presses()
    assert (table.view.to_act, table.view.roll) == (Side.BLACK, "21")
    return table


def back(table: AnyTable) -> None:
    table.taps(Act.TAKE_BACK)
    table.shows(table.position)


# The roll that was shown


@pytest.mark.parametrize("instead", ["8/5 6/5", "13/10 24/23"])
def test_the_roll_that_was_shown_stays_with_its_turn(instead: str) -> None:
    table = opened()
    back(table)
    assert (table.view.to_act, table.view.roll) == (Side.WHITE, "31")
    table.rolls = ["64"]
    table.plays(instead)
    assert (table.view.to_act, table.view.roll) == (Side.BLACK, "21")
    last = table.decided[-1]
    assert (last.what, str(last.dice), last.again, last.typed) == (Act.ROLL, "21", True, False)
    assert table.rolls == ["64"]


def test_every_later_turn_keeps_its_roll_however_many_plays_are_taken_back() -> None:
    table = opened()
    table.goes_on()
    for roll in ("66", "42", "55"):
        table.rolls = [roll]
        table.presses()
        table.goes_on()
    for _ in range(5):
        back(table)
    assert (table.view.to_act, table.view.roll, len(table.view.legal) > 0) == (
        Side.WHITE,
        "31",
        True,
    )
    seen = []
    table.rolls = ["11"] * 4
    for _ in range(4):
        table.goes_on()
        if table.view.phase is Phase.TO_ROLL:
            table.presses()
        seen.append((table.view.to_act.value, table.view.roll))
    assert seen == [("black", "21"), ("white", "66"), ("black", "42"), ("white", "55")]
    table.goes_on()
    table.presses()
    assert table.view.roll == "11"


def test_who_has_seen_his_roll_does_not_double() -> None:
    table = opened()
    back(table)
    table.shows(table.game.after(table.position, table.game.read_play(table.position, "8/5 6/5")))
    table.presses(Press.LONG)
    assert table.view.phase is Phase.MOVING
    table.presses()
    assert (table.view.phase, table.view.roll) == (Phase.MOVING, "21")


@pytest.mark.parametrize("instead", ["8/5 6/5", "13/10 24/23"])
def test_a_double_that_was_taken_before_the_roll_stays_with_it(instead: str) -> None:
    table = doubled()
    back(table)
    assert table.view.cube.value == 1
    table.rolls = ["64"]
    table.plays(instead)
    assert [each.what for each in table.decided[-4:]] == [
        Act.PLAY,
        Act.DOUBLE,
        Act.TAKE,
        Act.ROLL,
    ]
    assert all(each.again for each in table.decided[-3:])
    assert (table.view.roll, table.view.cube.value) == ("21", 2)
    assert Act.DOUBLE not in table.view.offers
    assert of_the_match(resumed(table).view) == of_the_match(table.view)


def test_who_knows_his_roll_cannot_leave_out_the_double_he_made_before_it() -> None:
    """Plays confirmed automatically: nobody rolls for the loser: he may resign, doubled."""
    table = doubled(commit="settle")
    back(table)
    table.shows(table.game.after(table.position, table.game.read_play(table.position, "8/5 6/5")))
    table.does(Tick(table.later(3_000)))
    assert table.view.phase is Phase.TO_ROLL
    assert (table.view.cube.value, table.view.cube.owner) == (2, Side.WHITE)
    assert Act.DOUBLE not in table.view.offers
    table.presses(Press.LONG)
    assert table.view.phase is Phase.TO_ROLL
    table.resigns(1)
    assert table.view.score.white == 2


def test_a_double_comes_again_as_often_as_its_turn_does() -> None:
    table = doubled()
    for _ in range(3):
        back(table)
        assert table.view.cube.value == 1
        table.plays("8/5 6/5")
        assert (table.view.roll, table.view.cube.value) == ("21", 2)


def test_a_double_that_was_passed_is_thought_of_anew() -> None:
    """The dice of that turn were not shown."""
    table = AnyTable("backgammon", 5)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    table.doubles(taken=False)
    back(table)
    table.plays("8/5 6/5")
    assert (table.view.phase, table.view.cube.value) == (Phase.TO_ROLL, 1)
    assert Act.DOUBLE in table.view.offers


def test_a_double_that_comes_again_gives_nobody_time() -> None:
    table = doubled(clock="fischer", reserve_s=100, turn_s=10)
    before = table.view.clock
    back(table)
    table.plays("8/5 6/5")
    after = table.view.clock
    assert before
    assert after
    assert after.white.left < before.white.left
    assert after.holder is Side.BLACK


def doubled(**options: Any) -> AnyTable:
    """Black has doubled, White has taken, and Black has rolled 2-1."""
    table = AnyTable("backgammon", 5, **options)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    table.doubles(taken=True)
    table.rolls = ["21"]
    table.presses()
    assert (table.view.roll, table.view.cube.value) == ("21", 2)
    return table


def test_a_forfeited_roll_is_forfeited_again() -> None:
    table = AnyTable("nannon", 3)
    table.opens("5", "3")
    table.corrects("1wwbb.b0 b")
    table.rolls = ["1", "3"]
    table.plays("6/5")
    table.presses()
    assert (table.view.roll, table.view.moves_exist) == ("3", False)
    table.presses()
    assert (table.view.phase, table.view.to_act) == (Phase.TO_ROLL, Side.BLACK)
    back(table)
    table.plays("6/5")
    assert (table.view.to_act, table.view.roll, table.view.moves_exist) == (Side.WHITE, "3", False)


def test_the_roll_of_who_resigned_stays_with_his_turn_too() -> None:
    table = opened()
    table.resigns(1)
    back(table)
    table.plays("8/5 6/5")
    assert table.view.roll == "21"


def test_the_next_game_forgets_what_was_rolled() -> None:
    table = opened()
    back(table)
    table.resigns(1)
    table.presses()
    table.opens("6", "5")
    table.goes_on()
    table.rolls = ["33"]
    table.presses()
    assert table.view.roll == "33"


def test_a_roll_stays_with_its_turn_after_a_restart() -> None:
    again = opened()
    back(again)
    referee = resumed(again)
    assert of_the_match(referee.view) == of_the_match(again.view)
    history = referee._match.history
    assert [(str(roll.roll), roll.by) for roll in history.waiting] == [("21", Side.BLACK)]


def test_events_of_before_are_replayed_as_they_were() -> None:
    """A file may hold another roll after an undo; the roll that was shown counts."""
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    desk.press()
    desk.roll("2")
    desk.tap(Act.TAKE_BACK)
    desk.set_up()
    desk.lift("2")
    desk.drop("4")
    desk.press()
    (asked,) = [effect for effect in desk.effects if isinstance(effect, AskRoll)]
    assert asked.rolled
    assert str(asked.rolled.dice) == "2"
    assert desk.roll("5").roll == "5"


# The takeback undone


@pytest.mark.parametrize("game", FAMILIES)
def test_an_undone_takeback_leaves_the_match_as_it_was(game: str) -> None:
    table = AnyTable(game, 3, seed=3)
    table.opens()
    tried = 0
    for _ in range(12):
        table.goes_on()
        if Act.TAKE_BACK not in table.view.offers:
            continue
        before, history = of_the_match(table.view), table.referee._match.history
        table.taps(Act.TAKE_BACK)
        assert Act.RESTORE in table.view.offers
        table.taps(Act.RESTORE)
        table.shows(table.position)
        assert of_the_match(table.view) == before
        assert replace(table.referee._match.history, us=history.us) == history
        assert table.decided[-1].what is Act.RESTORE
        assert of_the_match(resumed(table).view) == before
        tried += 1
    assert tried > 5


def test_a_takeback_can_be_undone_until_the_next_play() -> None:
    table = opened()
    assert Act.RESTORE not in table.view.offers
    back(table)
    assert Act.RESTORE in table.view.offers
    table.plays("8/5 6/5")
    assert Act.RESTORE not in table.view.offers


def test_takebacks_are_undone_one_by_one() -> None:
    table = opened()
    table.goes_on()
    views = [of_the_match(table.view)]
    back(table)
    views.append(of_the_match(table.view))
    back(table)
    table.taps(Act.RESTORE)
    table.shows(table.position)
    assert of_the_match(table.view) == views[1]
    table.taps(Act.RESTORE)
    assert of_the_match(table.view) | {"offers": ()} == views[0] | {"offers": ()}
    assert Act.RESTORE not in table.view.offers


def test_a_match_that_was_won_is_won_again() -> None:
    desk = Desk(match_to=1)
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    assert desk.press().phase is Phase.MATCH_OVER
    won = of_the_match(desk.view)
    assert desk.tap(Act.TAKE_BACK).score.white == 0
    desk.drop("6")
    view = desk.tap(Act.RESTORE)
    assert (of_the_match(view), desk.kept) == (won, ["restored"])


def test_the_board_is_led_back_to_what_was_taken_back() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    desk.tap(Act.TAKE_BACK)
    desk.set_up()
    assert desk.view.board is BoardState.RESTING
    view = desk.tap(Act.RESTORE)
    assert (view.board, view.message) == (BoardState.DISTURBED, "Redone")
    assert (view.put_right.fill, view.put_right.clear) == (("4",), ("2",))
    desk.lift("2")
    assert desk.drop("4").board is BoardState.RESTING


def test_a_second_touch_undoes_no_takeback_and_takes_nothing_back_again() -> None:
    table = opened()
    table.taps(Act.TAKE_BACK)
    soon = Us(table.events[-1].us + ms(399))
    table.does(Tap(soon, Act.RESTORE))
    table.later(400)
    table.taps(Act.RESTORE)
    table.does(Tap(Us(table.events[-1].us + ms(399)), Act.TAKE_BACK))
    assert [each.what for each in table.decided[-2:]] == [Act.TAKE_BACK, Act.RESTORE]


ACTS = some.lists(
    some.sampled_from(["on", "on", "back", "restore", "resign", "refuse", "accept", "double"]),
    max_size=16,
)


class Ledger:
    """The plays of a game and the roll of each turn, from its decisions."""

    def __init__(self) -> None:
        self.plays: list[tuple[str, str]] = []
        self.undone: list[list[tuple[str, str]]] = []
        self.rolled: dict[int, str] = {}

    def take(self, decision: Decision) -> None:
        match decision.what:
            case Act.PLAY:
                play = (str(decision.dice), decision.play or "")
                self.plays, self.undone = [*self.plays, play], []
            case Act.TAKE_BACK:
                self.undone.append(self.plays)
                self.plays = self.plays[: len(self.plays) - decision.undone]
            case Act.RESTORE:
                self.plays = self.undone.pop()
            case Act.ROLL:
                # A turn of the game is rolled once, whatever is taken back.
                roll = str(decision.dice)
                assert self.rolled.setdefault(len(self.plays), roll) == roll
            case Act.NEXT_GAME:
                self.plays, self.undone, self.rolled = [], [], {}


INTENTS = {
    "back": Act.TAKE_BACK,
    "restore": Act.RESTORE,
    "refuse": Act.REFUSE,
    "accept": Act.ACCEPT,
    "double": Act.DOUBLE,
}


def does(table: AnyTable, act: str) -> None:
    view = table.view
    if act == "on":
        table.goes_on()
    elif act in INTENTS:
        table.taps(INTENTS[act])
        if view.phase is not Phase.SET_UP:
            table.shows(table.position)
    elif Act.RESIGN in view.offers:
        table.taps(Act.RESIGN, points=next(iter(view.resignations)))


@settings(max_examples=12)
@given(some.sampled_from(sorted(GAMES)), some.integers(0, 50), ACTS)
def test_takebacks_and_their_undoing_lose_no_play_and_invent_none(
    game: str, seed: int, acts: list[str]
) -> None:
    table, ledger, known = AnyTable(game, 3, seed), Ledger(), 0
    table.opens()
    for act in acts:
        if table.view.phase is Phase.MATCH_OVER:
            break
        does(table, act)
        for decision in table.decided[known:]:
            ledger.take(decision)
        known = len(table.decided)
        plays_made = table.referee._match.history.plays
        plays = [
            (str(one.state.roll), table.game.write_play(one.state.position, one.play))
            for one in plays_made
        ]
        assert plays == ledger.plays
        assert len(table.referee._match.table.earlier) == len(plays)
        assert of_the_match(resumed(table).view) == of_the_match(table.view)
