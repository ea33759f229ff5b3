"""Matches in which hands do what is no plain play: what is said on the way, and what counts."""

from __future__ import annotations

import pytest
from known import load_board
from scenes import FILES

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.referee.effects import Keep
from pi_app.referee.events import Start
from pi_app.referee.lines import read_event
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.sensing.reading import BoardState

# Each: ms and what is said then, " or " between what is all right; and the plays that count.
AT_THE_TABLE: dict[str, tuple[str, tuple[str, ...]]] = {
    "backgammon-struck": (
        "14400: in hand or 8/4* 8/3 or asks 8/4* 8/3, 14800: asks 8/4* 8/3 or resting",
        ("8/4* 8/3",),
    ),
    "nannon-struck": ("13000: in hand or asks 2/4*, 13400: asks 2/4* or resting", ("2/4*",)),
    "cannon-struck": ("13000: in hand or asks h7xg6, 13400: asks h7xg6 or resting", ("h7xg6",)),
    "backgammon-opponents-touch": (
        "13400: in hand, 15200: 8/3 6/2, 16300: 8/3 6/2",
        ("8/3 6/2",),
    ),
    "nannon-opponents-touch": ("12000: in hand, 12500: 1/3", ("1/3",)),
    "backgammon-on-the-tray": (
        "15000: in hand, 15400: in hand or wrong or asks 13/4*, "
        "17800: in hand or wrong or asks 13/4*, 18500: 13/4*",
        ("13/4*",),
    ),
    "backgammon-entering-last": ("14000: in hand, 15300: bar/24 13/7", ("bar/24 13/7",)),
    "backgammon-before-the-roll": (
        "15000: disturbed or wrong or in hand, 15700: 8/4* 8/3",
        ("8/4* 8/3",),
    ),
    "nannon-before-the-roll": ("13000: wrong or in hand, 13700: 2/4", ("2/4",)),
    "backgammon-two-blots": ("13500: in hand, 17300: in hand, 18000: 8/4* 8/3*", ("8/4* 8/3*",)),
    "backgammon-taken-back-by-hand": (
        "12600: 8/4* 8/3, 20000: disturbed or wrong, 22000: resting, 25200: 8/4* 8/3",
        ("8/4* 8/3", "8/4* 8/3"),
    ),
}


def said(view: View) -> str:
    if view.board is BoardState.PLAYED:
        return str(view.play)
    return f"asks {view.choices[0]}" if view.choices else str(view.board.value)


@pytest.mark.parametrize("name", AT_THE_TABLE)
def test_a_match(name: str) -> None:
    wanted, plays = AT_THE_TABLE[name]
    start, *events = map(read_event, FILES[name].read_text(encoding="utf-8").splitlines())
    assert isinstance(start, Start)
    referee = Referee(load_board(start.board), start)
    heard, counted = {}, []
    for event in events:
        effects = referee.handle(event)
        heard[event.us] = said(referee.view)
        kept = [effect.decision for effect in effects if isinstance(effect, Keep)]
        counted += [each.play for each in kept if each.what is Act.PLAY]
    for moment in wanted.split(", "):
        time_ms, _, right = moment.partition(": ")
        assert heard[ms(int(time_ms))] in right.split(" or "), moment
    assert tuple(counted) == plays
