from __future__ import annotations

import random
from collections import Counter

from pi_app.base.microseconds import ms
from pi_app.devices.dice import Dice
from pi_app.referee.effects import AskRoll
from pi_app.referee.events import Rolled, RollSource
from pi_app.rules.terms import Roll, Side


def test_an_injected_source_decides_the_roll() -> None:
    source = random.Random(7)
    faces = [random.Random(7).randint(1, 6)]
    assert Dice(source).roll(1) == Roll.of(*faces)


def test_two_dice_show_the_higher_first() -> None:
    rolls = [Dice(random.Random(seed)).roll(2) for seed in range(40)]
    assert all(roll.dice[0] >= roll.dice[1] for roll in rolls)
    assert {len(roll.dice) for roll in rolls} == {2}


def test_every_face_comes_up_and_no_other() -> None:
    dice = Dice(random.Random(1))
    counts = Counter(dice.roll(1).dice[0] for _ in range(6000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    chi_squared = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_squared < 20.5  # 0.1 % of fair dice go beyond


def test_without_a_source_the_system_is_asked() -> None:
    assert Dice().roll(2).dice[0] in range(1, 7)


def test_the_answer_names_who_asked_and_the_device() -> None:
    answer = Dice(random.Random(3)).answer(AskRoll(Side.BLACK, 1), ms(420))
    assert answer == Rolled(ms(420), answer.dice, Side.BLACK, RollSource.DEVICE)
