"""The words all games share."""

import pytest

from pi_app.rules.terms import PositionError, Roll, RulesError, Side, TextError, read_roll


def test_the_sides_are_each_others_other() -> None:
    assert [side.other for side in Side] == [Side.BLACK, Side.WHITE]
    assert [side.letter for side in Side] == ["w", "b"]


@pytest.mark.parametrize(("text", "dice"), [("3", 1), ("31", 2), ("66", 2), ("", 0)])
def test_a_roll_reads_back(text: str, dice: int) -> None:
    assert str(read_roll(text, dice)) == text


def test_a_roll_names_the_higher_die_first() -> None:
    assert read_roll("13", 2) == Roll.of(1, 3) == Roll.of(3, 1)
    assert str(Roll.of(1, 3)) == "31"


@pytest.mark.parametrize(
    "text", ["", "0", "7", "12", "x", " 3", "3 ", "-1", "\N{FULLWIDTH DIGIT THREE}"]
)
def test_a_roll_of_one_die_is_one_digit_from_1_to_6(text: str) -> None:
    with pytest.raises(TextError, match="write one digit from 1 to 6") as error:
        read_roll(text, 1)
    assert repr(text) in str(error.value)


def test_a_roll_of_two_dice_is_two_digits() -> None:
    with pytest.raises(TextError, match=r"roll '3': write 2 digits from 1 to 6, like 31"):
        read_roll("3", 2)


def test_a_position_error_says_every_reason() -> None:
    error = PositionError("?", ("too short", "no mover"))
    assert str(error) == "position '?': too short; no mover"
    assert isinstance(error, RulesError)
    assert isinstance(error, ValueError)


def test_a_game_without_dice_has_the_empty_roll() -> None:
    assert read_roll("", 0) == Roll(())
    with pytest.raises(TextError, match=r"roll '3': the game has no dice; leave the roll empty"):
        read_roll("3", 0)
