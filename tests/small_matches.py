"""Small Backgammon matches between Ann and Bea, as sheets, replays, pages and figures show them."""

from __future__ import annotations

from any_table import AnyTable

from pi_app.match.acts import Act


def double_passed() -> AnyTable:
    """To 2 points: Ann 3-1, Bea 6-3; Ann doubles, Bea passes, and game 2 is to be set up."""
    table = AnyTable("backgammon", 2)
    table.opens("3", "1", "63")
    table.plays("13/10 6/5")
    table.plays("1/10")
    table.doubles(taken=False)
    table.presses()
    return table


def double_passed_after_a_hit() -> AnyTable:
    """To 2 points: Bea hits, Ann cannot enter and passes Bea's double; in game 2 Ann has rolled."""
    table = AnyTable("backgammon", 2)
    table.opens("3", "1", "63", "66")
    table.plays("13/10 6/5")
    table.plays("1/10*")
    table.presses()
    table.presses()
    table.doubles(taken=False)
    table.presses()
    table.opens("2", "2", "5", "1")
    return table


def taken_back_and_given_up(match_to: int) -> AnyTable:
    """Ann plays 13/10 6/5, takes that back and plays 8/5 6/5; Bea's double is taken.

    Then she gives up a gammon before her roll is played.
    """
    table = AnyTable("backgammon", match_to)
    table.opens("3", "1", "63")
    table.plays("13/10 6/5")
    table.taps(Act.TAKE_BACK)
    table.shows(table.position)
    table.plays("8/5 6/5")
    table.doubles(taken=True)
    table.presses()
    table.resigns(2)
    return table
