"""`spotter hint`: the plays of a roll and what they are worth, or the cube."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pi_app.__main__ import main
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium

START = "1ww..bb1 w"
OPENING = "-b----E-C---eE---c-e----B- w"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["hint", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_plays_are_told_with_what_they_are_worth_and_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert said(capsys, "nannon", START, "3") == [
        "exact (proven), in points a game:",
        "            worth     cost      win    NANNON  loss   NANNON",
        "1.  HOME/3  +0.30139            64.6%  1.2%    35.4%  0.2%",
        "2.  1/4     -0.26516  -0.56654  37.1%  0.2%    62.9%  0.8%",
    ]


def test_without_a_roll_it_is_the_cube(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "nannon", START, "--cube", "1") == [
        "exact (proven), in points a game:",
        "no double     +0.21734",
        "double, take  -0.00759",
        "double, pass  +1.00000",
        "no double, take",
        "win    NANNON  loss   NANNON",
        "57.0%  0.9%    43.0%  0.4%",
    ]


def test_in_a_match_it_is_the_chance_to_win_it(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = said(
        *(capsys, "nannon", START, "3", "--match-to", "3", "--score", "1-0", "--cube", "1"),
        "--json",
    )
    told = json.loads(line)
    assert (told["player"], told["exact"], told["unit"]) == ("exact", True, "match")
    assert [play["play"] for play in told["plays"]] == ["HOME/3", "1/4"]
    assert told["plays"][0]["worth"] == pytest.approx(0.69420, abs=5e-6)
    assert told["plays"][1]["cost"] == pytest.approx(0.09621, abs=5e-6)
    assert told["plays"][1]["won"] == pytest.approx([0.37079, 0.00157], abs=5e-6)
    assert told["plays"][1]["lost"] == pytest.approx([0.62921, 0.00831], abs=5e-6)


def test_far_from_the_end_of_a_match_the_exact_player_plays_as_in_unlimited_play(
    capsys: pytest.CaptureFixture[str],
) -> None:
    head = said(capsys, "nannon", START, "3", "--match-to", "40")[0]
    assert head == "exact (too far from the end: as in unlimited play), in points a game:"


def test_the_cube_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = said(capsys, "nannon", "0..bw.w1 w", "--cube", "2", "--owner", "white", "--json")
    told = json.loads(line)
    assert (told["double"], told["take"], told["passed"]) == (True, False, 1.0)


def test_a_position_that_begins_with_a_dash_is_no_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    head, best, *rest = said(capsys, "backgammon", OPENING, "31", "--player", "greedy")
    assert head == "greedy (an estimate), in its own marks:"
    assert best.split() == ["1.", "8/5", "6/5", "+9.70000"]
    assert rest[-1] == "and 6 more"
    # -h alone would ask for help.
    assert said(capsys, "pin", "-h----------------------O- w -", "11")[2].startswith("1.")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ("--cube 3", "--cube 3: the stake is 1, 2, 4 or another power of two"),
        ("--owner black", "--owner black: add the stake of his cube, as --cube 2"),
        ("--cube 1 --owner black", "--owner black: add the stake of his cube, as --cube 2"),
        ("--jacoby", "--jacoby: only unlimited play with a cube has this rule; add --cube 1"),
        ("--jacoby --cube 1 --match-to 5", "--jacoby: only unlimited play with a cube"),
        ("--score 3-5", "--score 3-5: only a match is judged by it; add --match-to"),
        ("--crawford", "--crawford: only a match has the Crawford game; add --match-to"),
        ("--after-crawford", "--after-crawford: only a match has the Crawford game"),
        (
            "--after-crawford --no-crawford --match-to 5 --score 4-2",
            "--after-crawford: with --no-crawford there is no Crawford game",
        ),
        ("--no-crawford", "--no-crawford: only a match has the Crawford game"),
        ("--after-crawford --match-to 5 --score 3-3", "--after-crawford: nobody is one point away"),
        (
            "--match-to 5 --score 4-2 --cube 2",
            "--cube 2: nobody doubles in the Crawford game; after",
        ),
    ],
)
def test_options_that_contradict_each_other_are_said(
    capsys: pytest.CaptureFixture[str], options: str, error: str
) -> None:
    assert main(["hint", "backgammon", OPENING, "31", *options.split()]) == 2
    assert capsys.readouterr().err.startswith(f"spotter: {error}")


def test_options_that_go_together_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (capsys, "backgammon", OPENING, "31", "--player", "network", "--json")
    by_score = ("--match-to", "5", "--score", "4-2")
    for options in (
        ("--cube", "1", "--jacoby"),
        (*by_score, "--cube", "1"),
        (*by_score, "--after-crawford", "--cube", "2", "--owner", "black"),
        (*by_score, "--no-crawford", "--cube", "2", "--owner", "black"),
    ):
        assert said(*asked, *options)


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["cannon", "x"], 2, "position 'x'"),
        (["nannon", START, "7"], 2, "roll '7'"),
        (["nannon", "0..b.b.1 b", "3"], 2, "the game is over"),
        (["nannon", START], 2, "the mover may not double here"),
        (["nannon", START, "--cube", "2", "--owner", "black"], 2, "the mover may not double"),
        (["nannon", START, "3", "--match-to", "3", "--score", "3-0"], 2, "the match is over"),
        (["nannon", START, "3", "--score", "three"], 2, "write White's points and Black's"),
        (["pin", "-o----------------------O- w -", "31", "--cube", "1"], 2, "pin has no cube"),
        (
            ["backgammon", OPENING, "--cube", "1", "--player", "greedy"],
            *(1, "greedy gives no cube advice"),
        ),
        (["nannon", START, "3", "--player", "x"], 2, "choose one of: exact, random"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int, error: str
) -> None:
    assert main(["hint", *words]) == status
    told = capsys.readouterr().err
    assert error in told


def test_where_nobody_gives_hints_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    position = (
        "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../"
        ".xox.x...x/xx..x...xx/..x.xx.x../........../....X..... L"
    )
    bare = Compendium((replace(ALL.find("cannon"), players=()),))
    assert main(["hint", "cannon", position], bare) == 1
    assert "No hints for Cannon" in capsys.readouterr().err
    assert said(capsys, "cannon", position, "--player", "random")[-1] == "and 30 more"
