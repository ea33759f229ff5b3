"""`spotter perft`: counts to compare with other programs."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pi_app.__main__ import main
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium
from pi_app.rules.terms import Roll

START = "-b----E-C---eE---c-e----B- w"


class Countdown:
    """A game without dice: from a number a turn takes 1 or 2."""

    name = "countdown"
    dice = 0
    options = ()

    def read_position(self, text: str) -> int:
        return int(text.removesuffix(" w"))

    def results(self, position: int, roll: Roll) -> Sequence[int]:
        assert roll == Roll(())
        return [position - taken for taken in (1, 2) if taken <= position]


COUNTDOWN = Compendium((replace(ALL.games[0], rules=Countdown()),))  # type: ignore[arg-type]


def printed(capsys: pytest.CaptureFixture[str], *words: str, games: Compendium = ALL) -> list[str]:
    assert main(["perft", *words], games) == 0
    return capsys.readouterr().out.splitlines()


def test_every_roll_of_the_start_and_their_sum(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "backgammon", START)
    assert len(lines) == 21 + 1
    assert "31 16" in lines
    assert lines[-1] == "total 447"
    assert printed(capsys, "backgammon", *START.split()) == lines


def test_a_game_of_one_die_has_six_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "nannon", "1ww..bb1 w")
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5", "6", "total"]
    assert lines[2] == "3 2"


def test_a_game_without_dice_is_counted_turn_by_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "countdown", "5 w 4", games=COUNTDOWN) == ["1 2", "2 4", "3 7", "4 5"]
    assert printed(capsys, "countdown", "5 w", "2", games=COUNTDOWN) == ["1 2", "2 4"]
    assert printed(capsys, "countdown", "5 w", games=COUNTDOWN) == ["1 2"]


@pytest.mark.parametrize("depth", ["0", "7", "99"])
def test_a_depth_out_of_reach_is_refused(depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "countdown", f"5 w {depth}"], COUNTDOWN) == 2
    assert f"depth {depth!r}: write a number from 1 to 6" in capsys.readouterr().err


def test_a_bad_position_names_every_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "backgammon", "-b x"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert all(line.startswith("spotter: position '-b x': ") for line in said)


def test_a_position_must_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "pin"]) == 2
    assert "a position text is missing" in capsys.readouterr().err
