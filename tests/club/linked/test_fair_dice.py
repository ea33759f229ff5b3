"""Dice from two numbers: alike for both, every face as often, and nothing of the other's to use."""

from __future__ import annotations

from collections import Counter

from pi_app.club.linked.talk import commitment, dice_of, secret
from pi_app.rules.terms import Side

KEYS = {Side.WHITE: b"w" * 32, Side.BLACK: b"b" * 32}


def numbers(throw: int) -> tuple[str, str]:
    white, black = (secret(KEYS[side], "ab12", side, throw) for side in Side)
    return white, black


def test_every_roll_of_two_dice_comes_as_often() -> None:
    rolls = Counter(str(dice_of("ab12", k, *numbers(k), 2)) for k in range(7200))
    assert len(rolls) == 21
    expected = {roll: 200 if roll[0] == roll[1] else 400 for roll in rolls}
    chi2 = sum((rolls[roll] - mean) ** 2 / mean for roll, mean in expected.items())
    assert chi2 < 45.3, "20 degrees of freedom, 1 in 1000"


def test_one_number_alone_says_nothing_of_the_dice() -> None:
    white, _ = numbers(0)
    seen = {str(dice_of("ab12", 0, white, numbers(k)[1], 2)) for k in range(200)}
    assert len(seen) == 21


def test_a_commitment_is_of_one_link_one_side_and_one_throw() -> None:
    number = numbers(3)[0]
    told = commitment("ab12", Side.WHITE, 3, number)
    assert told == commitment("ab12", Side.WHITE, 3, number)
    others = (
        commitment("ab13", Side.WHITE, 3, number),
        commitment("ab12", Side.BLACK, 3, number),
        commitment("ab12", Side.WHITE, 4, number),
    )
    assert told not in others, "else a board could hand back the other's as its own"


def test_the_written_example_stays_what_it_is() -> None:
    """A check of an old match must reproduce its dice."""
    assert numbers(0)[0][:16] == "dc3f08db9df76bc6"
    assert str(dice_of("ab12", 0, *numbers(0), 2)) == "43"
