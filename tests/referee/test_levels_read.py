"""Levels of Hall sensors at a live match: they are asked for, and only order a question."""

from __future__ import annotations

import pytest
from desk import Desk

from pi_app.match.acts import Act
from pi_app.referee.effects import ReadLevels
from pi_app.referee.events import Event, EventError, LevelsRead
from pi_app.referee.lines import read_event, write_event
from pi_app.referee.view import View
from pi_app.rules.terms import Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState

SEVEN_ON_2 = "-AGAA-A------------ia---e- w"
"""With 64 White plays 6/off 4/off or 6/2 4/off: no sensor feels the eighth checker on 2."""
FULL = frozenset(map(Spot.read, ("2", "19", "24")))
OFF, ONTO = "6/off 4/off", "6/2 4/off"


class LevelDesk(Desk):
    """It notes which spots the referee wants to be read."""

    wanted: tuple[frozenset[Spot], ...] = ()

    def send(self, event: Event) -> View:
        view = super().send(event)
        self.wanted += tuple(e.spots for e in self.effects if isinstance(e, ReadLevels))
        return view


def levels(desk: LevelDesk, **changed: int) -> None:
    """All places of the full spots are read, 110 steps each but for `p1` to `p5` of spot 2."""
    spots = {place.spot: place.reeds for place in desk.board.places}
    at = {reed.name: 110 for spot in FULL for reed in spots[spot]}
    steps = {Sensor(f"2.{name[1:]}"): 110 + change for name, change in changed.items()}
    desk.send(LevelsRead(desk.at(20), {**at, **steps}))


def bearing_off() -> LevelDesk:
    """White is to play 64 and was read when it was rolled."""
    desk = LevelDesk(match_to=3, game="backgammon", board="tables-24-hall")
    desk.show_accepted()
    for die in ("3", "1"):
        desk.press()
        desk.roll(die)
    desk.move("-8.3.white", "+5.1.white", "-6.5.white", "+5.2.white")
    desk.press()
    desk.tap(Act.CORRECT, position=SEVEN_ON_2)
    desk.show_accepted()
    desk.roll("64")
    assert desk.wanted[-1] == FULL
    levels(desk)
    return desk


def question(desk: LevelDesk) -> tuple[str, ...]:
    """The hand takes both checkers, the button is pressed, Spotter asks."""
    before = len(desk.wanted)
    desk.lift("6.1.white", "4.1.white")
    desk.wait(3000)
    desk.press()
    assert desk.view.board is BoardState.CHOOSE
    assert desk.wanted[before:] == (FULL,)
    return desk.view.choices


def test_the_play_that_the_levels_speak_for_is_asked_about_first() -> None:
    usual = question(bearing_off())
    assert usual[0] == OFF, "the likeliest one by the noise model"
    assert set(usual) == {OFF, ONTO}
    desk = bearing_off()
    question(desk)
    levels(desk, p3=6)
    assert desk.view.board is BoardState.CHOOSE, "it is still asked"
    assert desk.view.choices[0] == ONTO
    assert set(desk.view.choices) == {OFF, ONTO}


@pytest.mark.parametrize("changed", [0, 1, -6, 2])
def test_without_a_clear_change_the_order_stays(changed: int) -> None:
    desk = bearing_off()
    usual = question(desk)
    levels(desk, p3=changed)
    assert desk.view.choices == usual


@pytest.mark.parametrize("play", [OFF, ONTO])
def test_nothing_counts_before_a_player_has_answered(play: str) -> None:
    """Also where the levels speak for another play than was made."""
    desk = bearing_off()
    question(desk)
    levels(desk, p3=6)
    for _ in range(50):
        desk.wait(1000)
        assert "play" not in desk.kept
    assert desk.view.board is BoardState.CHOOSE
    assert desk.referee.due is None, "time alone decides nothing"
    desk.tap(Act.CHOOSE, play=play)
    desk.press()
    (played,) = [e.decision for e in desk.effects if hasattr(e, "decision")][:1]
    assert (played.play, played.asked) == (play, True)


def test_levels_that_come_late_or_after_an_answer_change_nothing() -> None:
    desk = bearing_off()
    usual = question(desk)
    desk.wait(210)
    levels(desk, p3=6)
    assert desk.view.choices == usual


def test_a_level_whose_sensor_has_changed_since_tells_nothing() -> None:
    """Somebody straightens a checker of the point: it may lie elsewhere on its place."""
    desk = bearing_off()
    desk.lift("2.3.white")
    desk.drop("2.3.white")
    usual = question(desk)
    levels(desk, p3=6)
    assert desk.view.choices == usual


def test_levels_before_a_turn_are_not_those_of_the_turn_before() -> None:
    desk = bearing_off()
    desk.tap(Act.CORRECT, position=SEVEN_ON_2)
    desk.show_accepted()
    usual = question(desk)
    levels(desk, p3=6)
    assert desk.view.choices == usual


def test_a_board_without_levels_is_never_asked_for_them() -> None:
    desk = LevelDesk(match_to=3, game="backgammon", board="tables-24")
    desk.show_accepted()
    for die in ("3", "1"):
        desk.press()
        desk.roll(die)
    assert desk.wanted == ()


def test_levels_are_stored_and_read_back() -> None:
    desk = bearing_off()
    (event,) = [one for one in desk.events if isinstance(one, LevelsRead)]
    assert read_event(write_event(event)) == event


@pytest.mark.parametrize("level", ["1024", "-1024", '"much"', "1.5"])
def test_a_level_that_no_converter_gives_is_refused(level: str) -> None:
    with pytest.raises(EventError, match=r"\$\.levels"):
        read_event(f'{{"ms": 1, "event": "levels", "levels": {{"2.1": {level}}}}}')


def test_a_place_that_the_board_does_not_have_is_refused() -> None:
    desk = bearing_off()
    with pytest.raises(EventError, match=r"sensor '2\.9' is not on this board"):
        desk.send(LevelsRead(desk.at(), {Sensor("2.9"): 3}))
