"""A player's figures from stored matches."""

from __future__ import annotations

from dataclasses import replace

from any_table import AnyTable
from known import GAMES

from pi_app.base.microseconds import Us, ms
from pi_app.export.retold import Kept
from pi_app.export.statistics import (
    NO_DICE,
    PAUSE,
    Totals,
    by_name,
    figures_of,
    names_counted,
    people,
)
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import MachineSeat, Rolled, RollSource
from pi_app.rules.terms import Roll, Side, read_roll


def a_match() -> AnyTable:
    """Ann 3-1, Bea 6-3, doubled and taken, and Bea gives up a gammon."""
    table = AnyTable("backgammon", 4)
    table.opens("3", "1", "63", "52")
    table.plays("13/10 6/5")
    table.taps(Act.TAKE_BACK)
    table.shows(table.position)
    table.plays("8/5 6/5")
    table.plays("1/10")
    table.doubles(taken=True)
    table.presses()
    table.plays(table.view.legal[0])
    table.taps(Act.RESIGN, points=2)
    table.taps(Act.ACCEPT)
    return table


def test_both_players_of_a_match_that_is_over() -> None:
    table = a_match()
    assert table.view.phase is Phase.MATCH_OVER
    figures = figures_of(table.kept)
    ann, bea = figures[Side.WHITE], figures[Side.BLACK]
    assert (ann.matches, ann.over, ann.won, ann.points, ann.against) == (1, 1, 1, 4, 0)
    assert (bea.matches, bea.over, bea.won, bea.points, bea.against) == (1, 1, 0, 0, 4)
    assert ann.plays == bea.plays == sum(one.what is Act.PLAY for one in table.decided)
    assert (ann.taken_back, bea.taken_back) == (1, 0)


def test_every_die_that_spotter_threw_is_counted_once_for_who_threw_it() -> None:
    table = a_match()
    figures = figures_of(table.kept)
    thrown = [one for one in table.decided if one.what in (Act.ROLL, Act.THROW)]
    for side in Side:
        rolls = [one.dice for one in thrown if one.by is side and one.dice]
        faces = [int(die) for roll in rolls for die in roll.dice]
        assert figures[side].rolled == tuple(faces.count(face) for face in range(1, 7))
        assert figures[side].typed == NO_DICE
    assert sum(figures[Side.BLACK].rolled) >= 3


def test_typed_dice_are_counted_apart() -> None:
    table = AnyTable("backgammon", 3)
    table.shows(table.position)
    table.does(Rolled(table.later(1), Roll.of(6), Side.WHITE, RollSource.TYPED))
    table.does(Rolled(table.later(1), Roll.of(2), Side.BLACK, RollSource.TYPED))
    figures = figures_of(table.kept)
    assert figures[Side.WHITE].typed == (0, 0, 0, 0, 0, 1)
    assert figures[Side.BLACK].typed == (0, 1, 0, 0, 0, 0)
    assert figures[Side.WHITE].rolled == NO_DICE


def test_dice_count_once_however_often_they_were_taken_back_or_typed_wrongly() -> None:
    table = AnyTable("backgammon", 3)
    table.opens("3", "1", "21")
    table.plays("8/5 6/5")
    table.presses()
    table.taps(Act.TAKE_BACK)
    table.shows(table.position)
    table.plays("8/5 6/5")
    table.presses()
    figures = figures_of(table.kept)
    assert figures[Side.WHITE].rolled == (0, 0, 1, 0, 0, 0)
    assert figures[Side.BLACK].rolled == (2, 1, 0, 0, 0, 0)
    table = AnyTable("backgammon", 3)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    for roll in ("66", "64"):
        table.does(Rolled(table.later(), read_roll(roll, 2), Side.BLACK, RollSource.TYPED))
        if roll == "66":
            table.taps(Act.CHANGE_DICE)
    assert figures_of(table.kept)[Side.BLACK].typed == (0, 0, 0, 1, 0, 1)


def test_warnings_are_counted_in_the_plays_of_which_they_are_known() -> None:
    table = AnyTable("backgammon", 3)
    table.opens("3", "1", "21", "64")
    table.plays("8/5 6/5")
    table.presses()
    table.goes_on()
    first, *others = (index for index, one in enumerate(table.decided) if one.what is Act.PLAY)
    assert [table.decided[index].warned for index in (first, *others)] == [0, 0]
    table.decided[first] = replace(table.decided[first], warned=3)
    ann, bea = figures_of(table.kept)
    assert [(one.warned, one.watched) for one in (ann, bea, ann + bea)] == [(3, 1), (0, 1), (3, 2)]
    table.decided[first] = replace(table.decided[first], warned=None)
    assert figures_of(table.kept)[Side.WHITE].watched == 0


def test_a_match_under_way_counts_its_points_but_no_length() -> None:
    table = AnyTable("backgammon", 9)
    table.opens("3", "1")
    table.taps(Act.RESIGN, points=1)
    table.taps(Act.ACCEPT)
    ann, bea = figures_of(table.kept)
    assert (bea.matches, bea.over, bea.won, bea.points, ann.against) == (1, 0, 0, 1, 1)
    assert (ann.plays, ann.time, ann.mean_plays, ann.mean_minutes) == (0, 0, 0, 0)


def test_a_board_left_standing_is_not_played_on() -> None:
    table = a_match()
    whole = figures_of(table.kept)[Side.WHITE].time
    night = Us(12 * 3600 * 1_000_000)
    last = table.decided[-1]
    late = [*table.decided[:-1], replace(last, us=Us(last.us + night))]
    slept = figures_of(Kept(table.start, late, GAMES))[Side.WHITE].time
    assert whole < slept <= whole + PAUSE


def test_matches_add_up_by_name_and_who_gave_none_is_nobody() -> None:
    table = a_match()
    figures, sides = figures_of(table.kept), table.game.side_names
    ann, bea = figures
    games = [("Ann", "Bea"), ("Bea", "Black"), ("White", "Ann"), ("Ann", "Bea"), ("Black", "Cid")]
    starts = (replace(table.start, players=players) for players in games)
    found = by_name((names_counted(start, sides), figures) for start in starts)
    assert list(found) == ["Ann", "Bea", "Black", "Cid"]
    assert found["Ann"] == ann + bea + ann
    assert found["Bea"] == bea + ann + bea
    assert found["Black"] == ann, "whoever sits as White may be called so"
    assert (found["Ann"].matches, found["Ann"].won) == (3, 2)
    assert found["Ann"].mean_plays == ann.plays
    assert found["Ann"].mean_minutes * 60_000_000 == ann.time


def test_each_player_of_the_machine_counts_as_somebody_of_its_own() -> None:
    table = a_match()
    sides, players = table.game.side_names, ("Ann", "Spotter")
    strong, weak = (
        replace(table.start, players=players, options=MachineSeat(Side.BLACK, name).options)
        for name in ("gnubg-2", "beginner")
    )
    assert names_counted(strong, sides) == ("Ann", "Spotter (gnubg-2)")
    assert names_counted(weak, sides) == ("Ann", "Spotter (beginner)")
    assert people(strong, sides) == ("Ann", None)
    assert people(replace(table.start, players=("White", "Bea")), sides) == (None, "Bea")


def test_nothing_added_to_nothing_is_nothing() -> None:
    assert Totals() + Totals() == Totals()
    assert Totals(time=ms(1)) + Totals(time=ms(2)) == Totals(time=ms(3))
