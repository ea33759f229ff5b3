"""Whole turns against the clock: every game on every board, and no event that takes long."""

import pytest

from pi_app.cli.turns_bench import event_times, games_on_boards


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
