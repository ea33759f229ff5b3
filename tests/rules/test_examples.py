"""The positions that show the rules: each is read by its game and shows what it is said to show."""

from __future__ import annotations

import pytest
from known import GAMES, WITH_OUTSIDE

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Example, Roll, Side, read_roll

SHOWN = [game for game in WITH_OUTSIDE.rules.values() if game.sheet.examples]
EVERY = [(game, example) for game in SHOWN for example in game.sheet.examples]


def roll_of(game: AnyGame, example: Example) -> Roll:
    return read_roll(example.roll, game.dice if example.roll else 0)


@pytest.mark.parametrize("game", SHOWN, ids=[game.name for game in SHOWN])
def test_a_game_with_examples_shows_its_start_and_every_rule_in_its_order(game: AnyGame) -> None:
    examples, start = game.sheet.examples, game.start(Side.WHITE)
    on_board = game.checkers_at(game.read_position(examples[0].position))
    begun = {spot: stack for spot, stack in game.checkers_at(start).items() if len(stack) > 1}
    # A town is placed in Cannon's first two turns: its example stands after them.
    moved = [spot for spot, stack in begun.items() if on_board[spot] != stack]
    assert len(moved) <= (2 if game.tallest > 1 else 0)
    numbers = [example.number for example in examples]
    assert numbers == sorted(numbers)
    unshown = sorted(set(range(1, len(game.sheet.rules) + 1)) - set(numbers))
    assert unshown == [], "give each of these rules of the sheet an Example"
    assert any(example.play for example in examples)
    assert any(example.attempt for example in examples)


def test_spotters_own_games_have_examples() -> None:
    assert {game.name for game in SHOWN} >= set(GAMES)


@pytest.mark.parametrize(("game", "example"), EVERY)
def test_a_position_is_read_and_written_back(game: AnyGame, example: Example) -> None:
    assert game.write_position(game.read_position(example.position)) == example.position


@pytest.mark.parametrize(("game", "example"), [one for one in EVERY if one[1].play])
def test_a_play_that_is_shown_is_legal(game: AnyGame, example: Example) -> None:
    position = game.read_position(example.position)
    play = game.read_play(position, example.play)
    results = game.results(position, roll_of(game, example))
    assert game.after(position, play) in results
    assert game.explain(position, roll_of(game, example), game.moves(position, play)) is None


@pytest.mark.parametrize(("game", "example"), [one for one in EVERY if one[1].attempt])
def test_an_attempt_that_is_shown_breaks_the_very_rule(game: AnyGame, example: Example) -> None:
    position = game.read_position(example.position)
    attempt = game.moves(position, game.read_play(position, example.attempt))
    broken = game.explain(position, roll_of(game, example), attempt)
    assert broken
    assert broken.rule.number == example.number


FORFEITED = [one for one in EVERY if one[1].roll and not one[1].play and not one[1].attempt]


@pytest.mark.parametrize(("game", "example"), FORFEITED)
def test_a_roll_with_nothing_shown_is_forfeited(game: AnyGame, example: Example) -> None:
    position = game.read_position(example.position)
    (play,) = game.plays(position, roll_of(game, example))
    assert game.moves(position, play) == ()


@pytest.mark.parametrize(
    ("name", "number", "won"),
    [
        ("nannon", 7, "NANNON"),
        ("backgammon", 8, "gammon"),
        ("portes", 8, "double win"),
        ("pin", 8, "win"),
        ("pin", 9, "mother"),
        ("plakoto", 8, "double win"),
        ("plakoto", 9, "mother"),
        ("fevga", 8, "double win"),
    ],
)
def test_an_end_that_is_shown_ends_so(name: str, number: int, won: str) -> None:
    game = GAMES[name]
    (example,) = (one for one in game.sheet.examples if one.number == number)
    outcome = game.outcome(game.read_position(example.position))
    assert outcome
    assert (outcome.winner, outcome.name) == (Side.WHITE, won)
    if number == 8 and name == "pin":
        assert outcome.points == 10
