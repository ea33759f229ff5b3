"""The words all games share."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.rules.terms import (
    PositionError,
    Roll,
    RulesError,
    Side,
    Spot,
    SpotKind,
    TextError,
    read_roll,
)

NUMBERED = (SpotKind.POINT, SpotKind.CROSSING)
NUMBERS = st.integers(1, 999)
SPOTS = st.one_of(
    NUMBERS.map(lambda number: Spot(SpotKind.POINT, number)),
    st.builds(
        Spot,
        st.just(SpotKind.CROSSING),
        NUMBERS,
        side=st.none(),
        file=st.sampled_from(string.ascii_lowercase),
    ),
    st.builds(
        Spot,
        st.sampled_from([kind for kind in SpotKind if kind not in NUMBERED]),
        number=st.just(0),
        side=st.sampled_from([None, *Side]),
        file=st.just(""),
    ),
)


def test_the_sides_are_each_others_other() -> None:
    assert [side.other for side in Side] == [Side.BLACK, Side.WHITE]
    assert [side.letter for side in Side] == ["w", "b"]


@given(SPOTS)
def test_every_spot_reads_back(spot: Spot) -> None:
    assert Spot.read(str(spot)) == spot
    assert hash(Spot.read(str(spot))) == hash(spot)


@given(st.from_regex(r"[a-z]{0,3}[.0-9]{0,4}[a-z]{0,5}", fullmatch=True) | st.text())
def test_a_text_that_is_a_spot_is_written_so_again(text: str) -> None:
    try:
        spot = Spot.read(text)
    except TextError:
        return
    assert str(spot) == text


@pytest.mark.parametrize(
    ("text", "kind", "number", "side", "name"),
    [
        ("4", SpotKind.POINT, 4, None, "4"),
        ("24", SpotKind.POINT, 24, None, "24"),
        ("e10", SpotKind.CROSSING, 10, None, "e10"),
        ("bar.black", SpotKind.BAR, 0, Side.BLACK, "bar"),
        ("home.white", SpotKind.HOME, 0, Side.WHITE, "home"),
        ("off", SpotKind.OFF, 0, None, "off"),
    ],
)
def test_a_spot_says_what_it_is(
    text: str, kind: SpotKind, number: int, side: Side | None, name: str
) -> None:
    spot = Spot.read(text)
    assert (spot.kind, spot.number, spot.side, spot.name) == (kind, number, side, name)


@pytest.mark.parametrize(
    "text", ["", "0", "04", "e0", "4.white", "bar.red", "bar.", "Bar", "e", "٤"]
)
def test_what_is_no_spot_is_named(text: str) -> None:
    with pytest.raises(TextError) as error:
        Spot.read(text)
    assert f"spot {text!r}: write" in str(error.value)


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
