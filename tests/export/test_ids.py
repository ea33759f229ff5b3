"""Positions as GNU Backgammon 1.07 says them, of the same board."""

from __future__ import annotations

import pytest

from pi_app.export.ids import Ids
from pi_app.games.all import ALL
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.terms import RulesError

BOARD = "-b----E-C---eE---c-e---A-A"
WHOLE = f"backgammon {BOARD} w"

SAID = [
    (":1:-1:1:31:3:5:0:11:10", "QYllAVAAGAAE", "roll=31 score=3-5 cube=2 owner=black to=11"),
    (":0:0:1:D:3:5:0:11:10", "cBFgAVAAGAAE", "doubled=yes score=3-5 to=11"),
    (":0:0:1:00:10:5:1:11:10", "8AlgAVAAUAAE", "score=10-5 to=11"),
    (":0:0:1:00:0:0:1:0:10", "cAkAAAAAAAAA", "with=jacoby"),
    (":0:0:1:00:0:0:0:0:10", "cAkAAAAAAAAE", ""),
]
"""What follows the board in an XGID, the match ID that GNU Backgammon gives for it, and the same
in Spotter's words."""


@pytest.mark.parametrize(("xgid", "match_id", "said"), SAID)
def test_both_ids_say_what_the_text_says(xgid: str, match_id: str, said: str) -> None:
    text = f"{WHOLE} {said}".strip()
    assert ALL.problem(f"XGID={BOARD}{xgid}").text == text
    assert ALL.problem(f"4HPwATDgc/ABSA:{match_id}").text == text
    assert Ids(BACKGAMMON).write(ALL.problem(text)) == f"XGID={BOARD}{xgid}"


def test_a_position_id_alone_takes_a_side_and_a_roll() -> None:
    assert ALL.problem("4HPwATDgc/ABSA 31").text == f"{WHOLE} roll=31"
    assert ALL.problem("4HPwATDgc/ABMA b 64").text.endswith(" b roll=64")
    assert ALL.problem("4HPwATDgc/ABSA").text == WHOLE


def test_before_an_opening_roll_there_is_no_id() -> None:
    assert Ids(BACKGAMMON).write(ALL.problem("backgammon start score=3-1 to=5")) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        f"XGID={BOARD}:0:0:1:00:0:0:0:0",
        f"XGID={BOARD}:x:0:1:00:0:0:0:0:10",
        f"XGID={BOARD}:99:0:1:00:0:0:0:0:10",
        f"XGID={BOARD}:0:7:1:00:0:0:0:0:10",
        "XGID=nonsense",
        "////////////// 31",
    ],
)
def test_a_wrong_id_is_refused(wrong: str) -> None:
    with pytest.raises(RulesError):
        ALL.problem(wrong)
