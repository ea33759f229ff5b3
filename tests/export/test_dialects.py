"""What programs really write: every row of the table on the room's page, read as it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from known import GAMES

import pi_app.export
from pi_app.export.match_files import read_match
from pi_app.export.transcript import EntryError
from pi_app.match.acts import Act
from pi_app.match.score import Score
from pi_app.match.turns import Phase

PAGE = Path(pi_app.export.__file__).with_name("README.md")
HEAD = " 3 point match\n\n Game 1\n Ann : 0                       Ben : 0\n"
OPEN = "  1)                             31: 8/5 6/5\n  2) 64: 24/14                   "
MONEY = HEAD.replace("3 point", "0 point")
TURNED = "  1)                             31: 8/5 6/5\n  2)  Doubles => 2               Takes\n"


def second(white: int, black: int) -> str:
    """The heading of a second game that was hardly begun."""
    return f"\n Game 2\n Ann : {white}                       Ben : {black}\n  1) 31: 8/5 6/5\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """`text` as the program writes it; `score` at its end, None if it is refused for `fault`."""

    text: str
    score: tuple[int, int] | None
    fault: str = ""
    over: bool = False


ROWS: dict[str, Dialect] = {
    "hidden-play": Dialect(f"{HEAD}{OPEN}52: ????\n      Wins 1 point\n", (1, 0)),
    "no-roll": Dialect(f"{HEAD}{OPEN}00: ????\n  3)  Wins 1 point\n", (1, 0)),
    "concedes": Dialect(f"{HEAD}{OPEN}62: Concedes\n  3)  Wins 2 point\n", (2, 0)),
    "losses": Dialect(
        f"{HEAD}{OPEN}52: 13/11 13/8\n  3)  Losses 1 point       Wins 1 point\n", (0, 1)
    ),
    "resigns": Dialect(f"{HEAD}{OPEN}Resigns\n   Wins 1 point\n", (1, 0)),
    "resign-level": Dialect(f"{HEAD}{OPEN}52: 13/11 13/8\n  3) Resign gammon\n", (0, 2)),
    "winner-hidden": Dialect(
        f"{HEAD}{OPEN}52: 13/11 13/8\n  3) 31: ????\n      Wins 1 point\n", (1, 0)
    ),
    "too-many-points": Dialect(
        f"{HEAD}{TURNED}  3) 64: 24/14                   66: ????\n      Wins 2008 point\n",
        (3, 0),
        "“Wins 2008” is counted as 3",
        over=True,
    ),
    "too-few-points": Dialect(
        f"{HEAD}{TURNED}  3) 64: 24/14                   52: 13/11 13/8\n  4)  Wins 1 point\n",
        (2, 0),
        "“Wins 1” is counted as 2",
    ),
    "forfeit": Dialect(
        f"{HEAD}  1)                \n   Wins 3 points and the match\n", (3, 0), over=True
    ),
    "forfeit-long": Dialect(
        f"{HEAD.replace('3 point', '9 point')}  1)                \n   Wins 9 points\n",
        (9, 0),
        over=True,
    ),
    "after-the-end": Dialect(
        f"{HEAD.replace('3 point', '1 point')}{OPEN}Resigns\n    Wins 1 point\n{second(1, 0)}",
        (1, 0),
        "left out, the match is over before game 2",
        over=True,
    ),
    "long-names": Dialect(
        HEAD.replace("Ann : 0                       Ben", "Annabella Constantinopoulos : 0Ben")
        + f"{OPEN}52: 13/11 13/8\n      Wins 1 point\n",
        (1, 0),
    ),
    "hypergammon": Dialect(
        f'; [Variation "HyperGammon"]\n{HEAD}  1)             31: 24/21 23/22\n  Wins 1 point\n',
        (1, 0),
    ),
    "set-position": Dialect(
        f"{HEAD}; Set Pos=-b----E-C---eE---c-e----A-/0\n{OPEN}Resigns\n      Wins 1 point\n",
        None,
        "checkers are missing",
    ),
    "set-position-read": Dialect(
        f"{HEAD}; Set Pos=-DDDC--------------dddc---\n  1) 66: 4/off(3) 3/off\n   Wins 1 point",
        (1, 0),
    ),
    "jacoby": Dialect(f"{MONEY}{OPEN}52: 13/11 13/8\n      Wins 2 points\n{second(1, 0)}", (1, 0)),
    "jacoby-named": Dialect(
        f'; [Jacoby "On"]\n{MONEY}{OPEN}52: 13/11 13/8\n      Wins 2 points\n', None, "by Jacoby"
    ),
    "automatic-double": Dialect(
        f"{MONEY}{TURNED}  3) 64: 24/14\n      Wins 4 points\n{second(4, 0)}", (4, 0)
    ),
    "no-crawford": Dialect(
        HEAD.replace(": 0", ": 2", 1) + f"{TURNED}  3) 64: 24/14                   Resigns\n",
        (4, 0),
        over=True,
    ),
    "excerpt": Dialect(
        f"{HEAD}{OPEN}Resigns\n{second(1, 0).replace('Game 2', 'Game 4').replace(': 1', ': 2')}",
        (2, 0),
    ),
    "each-game-from-0": Dialect(
        f"{MONEY}{OPEN}Resigns\n{second(0, 0)}  2) 52: Concedes\n    Wins 1 point\n", (2, 0)
    ),
    "beavers": Dialect(
        f"{MONEY}{TURNED.replace('Takes', 'Beavers => 4')}  3) 64: 24/14       Resigns\n", (4, 0)
    ),
    "raccoons": Dialect(
        f"{MONEY}{TURNED.replace('Takes', 'Beavers => 4')}  3)  Raccoons => 8\n",
        None,
        "a beaver cannot be doubled here",
    ),
    "box": Dialect(f"+-------+\n| Final |\n+-------+\n{HEAD}{OPEN}Resigns\n (good game)\n", (1, 0)),
    "mail": Dialect("".join(f"> {line}\n" for line in f"{HEAD}{OPEN}Resigns".splitlines()), (1, 0)),
    "by-name": Dialect(f"{HEAD}{OPEN}52: 13/11 13/8\n Ben wins 1 point\n", (0, 1)),
    "wins-gammon": Dialect(f"{HEAD}{OPEN}52: 13/11* 13/8\n  3)  Wins gammon\n", (2, 0)),
    "loses-points": Dialect(f"{HEAD}{OPEN}52: 13/11* 13/8\n Ann loses 2 points\n", (0, 2)),
    "annotated": Dialect(
        f"{HEAD}{OPEN}52: 13/11*? 13/8!  # good\n  3) 41: bar/24 13/9 (only move)     Resigns\n",
        (1, 0),
    ),
    "hard-spaces": Dialect(f"{HEAD}{OPEN}Resigns\n".replace("  ", "\u00a0 "), (1, 0)),
    "dashes": Dialect(
        f"{HEAD}{OPEN}52: 13-11* 13-8\n  3) 41: B-24 13-9               Resigns\n", (1, 0)
    ),
    "game-words": Dialect(
        f"{HEAD}{OPEN}Resigns\n"
        + second(1, 0).replace("Game 2", "Game 2, the second")
        + "  2) 52: Concedes\n    Wins 1 point\n",
        (2, 0),
    ),
    "lost-heading": Dialect(
        f"{HEAD}{OPEN}Resigns\n      Wins 1 point\n\n  1) 31: 8/5 6/5        52: 13/11 13/8\n",
        (1, 0),
        "left out, the game was over before",
    ),
    "illegal": Dialect(
        f"{HEAD}{OPEN}52: 13/11 13/7\n      Wins 1 point\n", None, "line 6: .* no legal"
    ),
    "ratings": Dialect(f"{HEAD.replace('Ann', 'Ann, 1812.55')}{OPEN}Resigns\n", (1, 0)),
    "sgf": Dialect(
        "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"
        "RU[Crawford]RE[B+2R]\n;W[31hefe]A[0][hefe E ver 3 0.5](;B[66lrlrqwqw])(;B[11]))",
        (0, 2),
    ),
    "sgf-beaver": Dialect(
        "(;GM[6]MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Ben]RU[Jacoby]RE[W+4R]"
        ";W[31hefe];B[double];W[double];B[64aggk])",
        (4, 0),
    ),
    "sgf-other-game": Dialect("(;GM[1]FF[4]SZ[19];B[pd])", None, "is another game"),
}


def table() -> dict[str, str]:
    """The rows of the page by their names."""
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    return dict(rows)


def test_the_page_and_the_tests_have_the_same_rows() -> None:
    assert set(table()) == set(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_read_as_the_page_says(name: str) -> None:
    row = ROWS[name]
    if row.score is None:
        with pytest.raises(EntryError, match=row.fault):
            read_match(row.text.encode(), GAMES)
        return
    read = read_match(row.text.encode(), GAMES)
    last = tuple(read.kept.decisions)[-1].state
    assert last.standing.score == Score(*row.score)
    assert row.fault in "\n".join(read.faults)
    assert bool(read.faults) is bool(row.fault)
    assert (last.phase is Phase.MATCH_OVER) is row.over
    whats = {decision.what for decision in read.kept.decisions}
    assert whats & {Act.PLAY, Act.ACCEPT, Act.PASS}
