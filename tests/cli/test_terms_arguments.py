"""`--clock` and its like: what is read, and what is refused in one line."""

from __future__ import annotations

import argparse

import pytest

from pi_app.cli.arguments import UsageError, read_clock
from pi_app.cli.play import arguments, match_of
from pi_app.games.all import ALL
from pi_app.match.clock import ClockKind
from pi_app.match.terms import PRESETS, ClockTerms
from pi_app.user.commands import NewMatch


def begun_by(words: list[str]) -> NewMatch | None:
    return match_of(arguments(words), ALL)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        *((name, terms.clock) for name, terms in PRESETS.items()),
        ("delay,120/point,12", PRESETS["club"].clock),
        ("delay,20/point,8", PRESETS["fast"].clock),
        ("fischer,600,5", PRESETS["fischer"].clock),
        ("plain,1800", PRESETS["plain"].clock),
        ("bronstein,60,5,120", ClockTerms(ClockKind.BRONSTEIN, 60, False, 5, 120)),
    ],
)
def test_a_clock_is_a_preset_or_written_out(text: str, clock: ClockTerms) -> None:
    assert read_clock(text) == clock


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("sand", "is none of club, fast, fischer, plain"),
        ("delay", "and not KIND,RESERVE"),
        ("delay,1,2,3,4", "and not KIND,RESERVE"),
        ("none,5", "KIND is plain, delay, bronstein, fischer"),
        ("delay,0", "'0' is no whole number of seconds from 1 to 86400"),
        ("delay,60/game", "write 60/point"),
        ("delay,60,-1", "'-1' is no whole number of seconds from 0"),
    ],
)
def test_any_other_is_refused(text: str, fault: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as told:
        read_clock(text)
    assert fault in str(told.value)


def test_a_match_begins_with_what_was_laid_down() -> None:
    words = "--match backgammon --to 7 --clock club --policy responsible --locked --dice device"
    match = begun_by(words.split())
    assert match
    assert match.options["clock"] == "delay"
    assert match.options["policy"] == "responsible moves"
    assert (match.options["locked"], match.options["dice"]) == (True, "device")


def test_friendly_play_says_nothing() -> None:
    match = begun_by(["--match", "nannon"])
    assert match
    assert not {"clock", "policy", "locked", "dice"} & match.options.keys()


@pytest.mark.parametrize(
    "words",
    ["--to unlimited --clock club", "--against random --policy responsible"],
)
def test_what_does_not_go_together_is_told(words: str) -> None:
    with pytest.raises(UsageError, match="--clock goes with a number of points to win"):
        begun_by(["--match", "nannon", *words.split()])
