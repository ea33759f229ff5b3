"""How each side numbers the points, and what the other side calls them."""

import pytest

from pi_app.rules.naming import Counting, Facing
from pi_app.rules.terms import Side
from pi_app.words.sentences import Numbering


@pytest.mark.parametrize(
    ("facing", "number", "others"),
    [
        (Facing.MIRRORED, 24, 1),
        (Facing.MIRRORED, 6, 19),
        (Facing.HALF_TURNED, 24, 12),
        (Facing.HALF_TURNED, 12, 24),
        (Facing.HALF_TURNED, 13, 1),
        (Facing.HALF_TURNED, 6, 18),
    ],
)
def test_a_point_has_a_number_for_each_side(facing: Facing, number: int, others: int) -> None:
    counting = Counting(24, Side.BLACK, facing)
    assert counting.order(number) == others
    assert Counting(24, Side.WHITE, facing).order(number) == number
    named = counting.name(number)
    assert (named, named.white, named.black) == (str(number), str(number), str(others))
    assert named.read(Numbering.MOVER) == str(others)


@pytest.mark.parametrize("facing", Facing)
@pytest.mark.parametrize("points", [6, 24])
def test_the_same_step_leads_back(facing: Facing, points: int) -> None:
    numbers = range(1, points + 1)
    others = [facing.number(number, points) for number in numbers]
    assert sorted(others) == list(numbers)
    assert [facing.number(number, points) for number in others] == list(numbers)
