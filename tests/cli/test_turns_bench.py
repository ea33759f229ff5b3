"""Whole turns against the clock: every game on every board, and no event that takes long."""

import pytest

from pi_app.cli.turns_bench import StuckError, event_times, games_on_boards
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, Event
from pi_app.session import Session


@pytest.mark.parametrize(("game", "board"), [*games_on_boards()])
def test_every_event_of_a_game_is_timed_and_most_are_quick(game: str, board: str) -> None:
    """The bound is ten times what is aimed at, for test machines are noisy."""
    times = sorted(event_times(game, board, turns=25))
    assert len(times) > 60
    assert times[len(times) * 95 // 100] < 50


def test_every_game_has_a_board() -> None:
    assert {game for game, _ in games_on_boards()} == {
        "nannon",
        "backgammon",
        "portes",
        "pin",
        "cannon",
    }


def test_plays_that_look_alike_are_told_apart_by_a_tap() -> None:
    """A bear-off from six checkers over five sensors: its presses alone would never end."""
    assert len(event_times("portes", "tables-24", turns=150)) > 150


def test_a_match_that_does_not_go_on_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    handle = Session.handle

    def without_a_button(session: Session, event: Event) -> tuple[Cue, ...]:
        return () if isinstance(event, Button) else handle(session, event)

    monkeypatch.setattr(Session, "handle", without_a_button)
    with pytest.raises(StuckError, match="stuck in moving at "):
        event_times("nannon", "nannon-6", turns=2)
