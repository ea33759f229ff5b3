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


MONEY = ":0:0:1:31:0:0:{}:0:10"


@pytest.mark.parametrize(
    ("rule", "said"), [(1, "with=jacoby"), (2, "with=beavers"), (3, "with=jacoby,beavers"), (0, "")]
)
def test_the_rules_of_money_go_both_ways(rule: int, said: str) -> None:
    xgid = f"XGID={BOARD}{MONEY.format(rule)}"
    assert ALL.problem(xgid).text == f"{WHOLE} roll=31 {said}".strip()
    assert Ids(BACKGAMMON).write(ALL.problem(xgid)) == xgid


def test_a_beaver_that_waits_goes_both_ways() -> None:
    xgid = f"XGID={BOARD}:1:-1:1:B:0:0:2:0:10"
    assert ALL.problem(xgid).text == f"{WHOLE} doubled=beaver cube=2 owner=black with=beavers"
    assert Ids(BACKGAMMON).write(ALL.problem(xgid)) == xgid


HEDGEHOG = [
    (
        "99cchhiijjjkkmm:223334455666ddo:N0N:16:B:R:2:1:3C:13",
        "w roll=61 score=2-1 to=3",
    ),
    ("03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:3", "b roll=33 score=0-1 to=3"),
    ("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11", "b doubled=yes to=3"),
    ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:7:0", "w to=7"),
    ("11ccccchhhjjjjj:66666888dddddoo:D0N:31:B:R:0:0:7:0", "w roll=31 to=7 without=cube"),
    ("11ccccchhhjjjjj:66666888dddddoo:?0N:13:B", "w roll=31"),
    (
        "11ccccchhhjjjjj:66666888dddddoo:W1N::W:C:6:5:7G15:3:15",
        "b score=6-5 cube=2 owner=white crawford=played to=7",
    ),
]
"""OGIDs of HedgeHog, and what they say: who played last is not to move, but a doubler doubles."""


@pytest.mark.parametrize(("ogid", "said"), HEDGEHOG)
def test_an_ogid_says_who_is_to_move(ogid: str, said: str) -> None:
    text = ALL.problem(f"OGID={ogid}").text
    assert text == ALL.problem(ogid).text
    assert text.split(" ", 2)[2] == said


def test_an_ogid_shows_the_same_board() -> None:
    text = ALL.problem("11jjjjjhhhccccc:ooddddd88866666:N0N::B:IB:0:0:1:0").text
    assert text == "backgammon -b----E-C---eE---c-e----B- w to=1"


PASTED = [
    ("Position ID: 4HPwATDgc/ABSA  Match ID: cAkAAAAAAAAA\n", f"{WHOLE} with=jacoby"),
    (" Position ID: 4HPwATDgc/ABSA\n  Match ID   : cAkAAAAAAAAA\n", f"{WHOLE} with=jacoby"),
    ("GNUBGID 4HPwATDgc/ABSA:cAkAAAAAAAAA", f"{WHOLE} with=jacoby"),
    (f"what would you play? {BOARD}:0:0:1:31:0:0:0:7:10, he asked", f"{WHOLE} roll=31 to=7"),
    (f"xgid={BOARD}:0:0:1:31:0:0:0:7", f"{WHOLE} roll=31 to=7"),
    (f"XGID={BOARD}:0:0:1:00:0:0:0:7:10 52", f"{WHOLE} roll=52 to=7"),
]


@pytest.mark.parametrize(("text", "said"), PASTED)
def test_a_position_is_found_anywhere_in_a_text(text: str, said: str) -> None:
    assert ALL.problem(text).text == said


def test_all_positions_of_a_text_are_found_once() -> None:
    text = (
        f"XGID={BOARD}:0:0:1:31:0:0:0:7:10\nX:Ann   O:Ben\nPosition-ID: 4HPwATDgc/ABSA "
        f"Match-ID: cAmgAAAAAAAE\n+13-14-15-16\nbackgammon {BOARD} w roll=64  # words\n"
        f"again XGID={BOARD}:0:0:1:31:0:0:0:7:10, then {BOARD}:0:0:1:31:6:6:0:7:10"
    )
    found = [problem.text for _, problem in ALL.problems(text)]
    assert found == [
        f"{WHOLE} roll=31 to=7",
        f"{WHOLE} roll=64",
        f"{WHOLE} roll=31 score=6-6 crawford=played to=7",
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        f"XGID={BOARD}:0:0:1:00:0:0:0",
        f"XGID={BOARD}:0:0:1:R:0:0:0:0:10",
        f"XGID={BOARD}:0:0:1:00:0:0:?:0:10",
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
