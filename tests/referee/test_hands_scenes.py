"""Hands that touch, straighten, press early and correct themselves; each then hands a play over."""

from __future__ import annotations

from functools import cache

import pytest
from known import GAMES, TESTS

from pi_app.cli.replay import replayed
from pi_app.referee.events import Event, SensorEdge
from pi_app.referee.view import View
from pi_app.sensing.reading import ALARMS

FOLDER = TESTS / "scenarios" / "hands"
AFTER = {
    "early-press-wrong-thrifty": "-b----E-C---eB---c-e----B- w",
    "opponent-straightens-during-bearoff-nannon": "0...ww.0 w",
    "touch-press-then-hit-never-seen-nannon": "2.b..b.0 w",
    "warned-then-corrected-hit-unseen-nannon": "2.b..b.0 w",
    "warned-then-corrected-loop-nannon-2": "2.b..b.0 w",
    "press-confirms-nothing-nannon-2": "1w..wbb1 b",
    "early-press-tables-portes": "-HDB-A---b-----------cbdd- b",
    "early-press-thrifty-backgammon": "-bCDBBA-------A----cBabdc- b",
    "early-press-thrifty-pin": "-d-da-bd--------A-BB-AC-F- w -",
    "opponent-lifts-before-the-press-nannon": "0wwbbb.0 b",
    "opponent-lifts-before-the-press-nannon-2": "1ww...b1 w",
    "opponent-lifts-before-the-press-thrifty-pin": "-dac-b-c-A--aaAA-ADBC---B- b -",
    "press-confirms-nothing-nannon": "1..b.b.0 w",
    "press-confirms-nothing-hall-pin": "-n----a-----------------O- w -",
    "press-confirms-nothing-tables-portes": "-b----E-C---eE----cda---B- w",
    "straightens-by-bearoff-nannon": "0wwb.b.1 b",
    "straightens-by-bearoff-nannon-2": "0.ww.w.1 w",
    "straightens-by-bearoff-nannon-3": "0.w.b..0 b",
    "touch-press-then-hit-nannon": "1b.w..w2 b",
    "touch-press-then-hit-thrifty-backgammon": "-ADBaAaB---Ba----ca--d-dBA w",
    "touch-press-then-hit-thrifty-portes": "-cDCBCB-------a--ba--c-daA w",
    "warned-then-corrected-hit-nannon": "1w...bb1 b",
    "warned-then-corrected-hit-thrifty-hypergammon": "aA-------A-------aA----a-- b",
    "warned-then-corrected-hit-thrifty-portes": "abCBB-C-----bB---b-cb-AcB- b",
    "warned-then-corrected-loop-nannon": "2.w..bb0 w",
    "warned-then-corrected-loop-thrifty-backgammon": "abA--BD-C---bC---bac-AbAb- b",
    "warned-then-corrected-loop-thrifty-nackgammon": "aAacD-C-CB----bA---d--acA- b",
}
"""The position after the play that lies there in the end, or before it if only a part does."""


@cache
def scene(name: str) -> tuple[tuple[Event, View], ...]:
    """Each event of a file, and the view after it."""
    events = replayed(GAMES, str(FOLDER / f"{name}.jsonl"))
    return tuple((event, referee.view) for event, referee in events)


def named(kind: str) -> list[str]:
    return [name for name in AFTER if name.startswith(kind)]


def test_every_file_has_its_play() -> None:
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == {*AFTER}


@pytest.mark.parametrize("name", AFTER)
def test_the_play_that_lies_there_counts_by_the_button_alone(name: str) -> None:
    _, view = scene(name)[-1]
    assert view.position == AFTER[name]


@pytest.mark.parametrize("name", AFTER)
def test_no_other_play_ever_counts(name: str) -> None:
    start = scene(name)[0][1].position
    assert {view.position for _, view in scene(name)} <= {start, AFTER[name]}


@pytest.mark.parametrize("name", AFTER)
def test_nobody_is_said_to_have_moved_two_checkers(name: str) -> None:
    said = [view.message for _, view in scene(name)]
    assert [message for message in said if message.startswith("Only one checker")] == []


@pytest.mark.parametrize("name", [*named("straightens"), *named("opponent")])
def test_a_play_is_not_called_illegal_when_another_checker_is_set_straight(name: str) -> None:
    """Nor while it is handed over, once no checker is in the air."""
    last = max(n for n, (event, _) in enumerate(scene(name)) if isinstance(event, SensorEdge))
    said = [view.message for _, view in scene(name)[last + 1 :] if view.board in ALARMS]
    assert said == []
