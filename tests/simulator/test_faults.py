"""The text of `--faults`."""

import pytest
from known import load_board

from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import PUBLISHED
from pi_app.simulator.reeds import DEFAULT, NONE, Faults, FaultsError, read_faults

BOARD = load_board("nannon-6")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("none", NONE),
        ("default", DEFAULT),
        ("dead=4", Faults(dead=frozenset({Sensor("4")}))),
        ("linger=0.5", Faults(linger=0.5, linger_ms=5000)),
        ("stuck=2,stuck=3", Faults(stuck=frozenset({Sensor("2"), Sensor("3")}))),
        ("bounce=3, miss=0.5,weak=1", Faults(3.0, 0.0, 0.5, weak=frozenset({Sensor("1")}))),
    ],
)
def test_faults_are_read(text: str, faults: Faults) -> None:
    assert read_faults(text, BOARD) == faults


def test_words_add_up() -> None:
    faults = read_faults("default,dead=4,miss=0.01", BOARD)
    assert (faults.bounce_ms, faults.miss, faults.broken) == (
        DEFAULT.bounce_ms,
        0.01,
        frozenset({"4"}),
    )


def test_usual_reeds_are_as_bad_as_the_noise_model_says() -> None:
    faults = read_faults("default", BOARD, PUBLISHED.worse(10))
    assert faults.miss == 10 * DEFAULT.miss
    assert faults.bounce_ms == DEFAULT.bounce_ms


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("loose=1", "fault 'loose=1' is not known"),
        ("", "fault '' is not known"),
        ("default=1", "fault 'default=1' is not known"),
        ("dead=9", "the board has the sensors 1, 2, 3, 4, 5, 6"),
        ("miss=often", "write a number from 0 to 1"),
        ("miss=nan", "write a number from 0 to 1"),
        ("bounce=-1", "write a number from 0 to 50"),
    ],
)
def test_what_is_not_known_is_named(text: str, says: str) -> None:
    with pytest.raises(FaultsError, match=says):
        read_faults(text, BOARD)


def test_a_weak_reed_misses_more_often_than_a_sound_one() -> None:
    faults = read_faults("default,weak=3", BOARD)
    assert faults.miss_rate(Sensor("3")) > 100 * faults.miss_rate(Sensor("4"))
