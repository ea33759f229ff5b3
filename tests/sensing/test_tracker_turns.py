"""Whole turns on the large boards: whatever the hands do, the play is found or asked for."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest
from calls import calls
from human import Human, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from shares import one_in
from spots import spots

from pi_app.rules.terms import IllegalPlayError, Move, Spot, SpotKind, read_roll
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState

TABLES = ("backgammon", "portes", "pin")
ON_BOARDS = [
    *(("tables-24", game) for game in TABLES),
    *(("tables-24-thrifty", game) for game in TABLES),
    ("cannon-10", "cannon"),
]
SEEDS = st.integers(0, 2**32)
MOST_CALLS = 22_000
"""Function calls for one move in the positions with the most plays; 19 900 today."""


def verdict(human: Human, play: object) -> str:
    """The tracker's result: the play itself, a question, a state, or another play."""
    reading = human.reading
    if reading.state is BoardState.PLAYED:
        return "found" if reading.plays == (play,) else "MISTAKEN"
    if reading.state is BoardState.CHOOSE and play in reading.plays:
        return "asked"
    return str(reading.state.value)


def a_turn(human: Human) -> tuple[str, str]:
    """A random turn by hand; what is said 1.6 s later, and at a press if that was no answer."""
    position, roll = human.rng.choice(cases(human.game_name))
    plays = [play for play in human.game.plays(position, roll) if play]
    if not plays:
        return "nothing to do", ""
    play = human.rng.choice(plays)
    human.stand(position, roll)
    human.make(human.game.moves(position, play))
    human.wait(1600)
    said = verdict(human, play)
    if said not in ("found", "asked"):
        human.tracker.insist()
        human.tracker.update(human.us)
        said = verdict(human, play)
    written = human.game.write_play(position, play)
    where = f"{human.game.write_position(position)} {roll} {written} {human.said}"
    return said, where


@pytest.mark.parametrize(("board", "game"), ON_BOARDS)
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_a_play_is_found_or_asked_for_and_never_mistaken(board: str, game: str, seed: int) -> None:
    said, where = a_turn(Human(board, game, random.Random(seed)))
    assert said in ("found", "asked", "nothing to do"), where


@pytest.mark.parametrize(
    ("board", "game", "share"),
    [
        (board, game, {"cannon-10": 0.999, "tables-24": 0.94}.get(board, 0.9))
        for board, game in ON_BOARDS
    ],
)
def test_most_plays_are_found_without_a_word(board: str, game: str, share: float) -> None:
    """These positions have more high stacks and single checkers than real games."""
    human = Human(board, game, random.Random(7))
    told = Counter(a_turn(human)[0] for _ in range(150))
    assert told["found"] >= share * (150 - told["nothing to do"]), told


def an_attempt(human: Human, legal_part: bool) -> tuple[Move, ...] | None:
    """An illegal attempt at a random position, made by hand; None if chance found none.

    With `legal_part` the turn begins with a legal move.
    """
    game, rng = human.game, human.rng
    position, roll = rng.choice(cases(human.game_name))
    plays = [play for play in game.plays(position, roll) if play]
    part = game.moves(position, rng.choice(plays))[:1] if legal_part and plays else ()
    if not plays or any(move.hit for move in part):
        return None
    human.stand(position, roll)
    last = a_move(human, game.attempted(position, part))
    if last is None or not can_be_seen(human, (*part, last), plays):
        return None
    human.make(part)
    human.drop(last.target, human.lift(last.origin, game.mover(position)))
    return (*part, last)


def a_move(human: Human, position: Any) -> Move | None:
    """Some own checker to some empty spot; none from beneath the other side's pile."""
    game, mover = human.game, human.game.mover(human.position)
    checkers = game.checkers_at(position)
    origins = [
        spot
        for spot in game.spots
        if mover in checkers[spot]
        and spot.kind is not SpotKind.OFF
        and not (human.higher[spot] and mover not in human.higher[spot])
    ]
    targets = [spot for spot in game.spots if not checkers[spot] and not spot.side]
    return Move(human.rng.choice(origins), human.rng.choice(targets)) if origins else None


def can_be_seen(human: Human, attempt: tuple[Move, ...], plays: list[Any]) -> bool:
    """Whether the attempt is illegal and shows another picture than every legal end."""
    game, position = human.game, human.position
    try:
        shown = human.shows(game.attempted(position, attempt))
    except IllegalPlayError:
        return False
    legal = [human.shows(position), *(human.shows(game.after(position, p)) for p in plays)]
    return shown not in legal and game.explain(position, human.roll, attempt) is not None


@pytest.mark.parametrize("legal_part", [False, True], ids=["alone", "after a legal half"])
@pytest.mark.parametrize(("board", "game"), ON_BOARDS)
@settings(max_examples=100 // one_in(8))
@given(seed=SEEDS)
def test_an_illegal_attempt_is_told_and_explained_and_the_way_back_is_open(
    board: str, game: str, legal_part: bool, seed: int
) -> None:
    human = Human(board, game, random.Random(seed))
    if legal_part and game == "cannon":
        return
    attempt = an_attempt(human, legal_part)
    if attempt is None:
        return
    human.wait(1600)
    for _ in range(2):
        if human.reading.state is not BoardState.WRONG:
            # Its first part may be legal, with this as the next checker still in the hand.
            human.tracker.insist()
            human.tracker.update(human.us)
    reading = human.reading
    # Drawn from beneath another side's, a checker looks like that one, taken away.
    checkers, mover = human.game.checkers_at(human.position), human.game.mover(human.position)
    beneath = any(checkers[move.origin][-1:] == (mover.other,) for move in attempt)
    tidy = not beneath and not any(step.startswith(("adjust", "brush")) for step in human.said)
    if reading.state is BoardState.CHOOSE:
        assert human.tracker.put_right() != ((), ())
    elif tidy or reading.state is not BoardState.DISTURBED:
        assert reading.state is BoardState.WRONG, (attempt, human.said, reading)
        assert reading.broken
        if tidy:
            told = human.shows(human.game.attempted(human.position, reading.attempt))
            assert told == human.shows(human.game.attempted(human.position, attempt))
    for move in reversed(attempt):
        human.drop(move.origin, human.lift(move.target, human.game.mover(human.position)))
    human.wait(300)
    assert (human.reading.opened, human.reading.filled) == ((), ()), (attempt, human.said)
    assert human.reading.state in (BoardState.RESTING, BoardState.PLAYED)


def test_a_wrong_half_is_told_with_the_legal_one_before_it() -> None:
    human = Human("tables-24", "backgammon", random.Random(1))
    game = human.game
    position = game.read_position("-b----E-C---eE---c-e----B- w")
    roll = next(roll for _, roll in cases("backgammon") if str(roll) == "54")
    human.stand(position, roll)
    human.make((Move(Spot.read("13"), Spot.read("8")),))
    human.wait(5000)
    assert human.reading.state is BoardState.IN_HAND
    assert human.reading.done == (Move(Spot.read("13"), Spot.read("8")),)
    still = {game.write_play(position, play) for play in human.reading.plays}
    assert {"13/9 13/8", "13/4", "13/8 6/2"} <= still
    assert "24/20 6/1" not in still
    human.make((Move(Spot.read("6"), Spot.read("1")),))
    human.wait(1600)
    reading = human.reading
    assert reading.state is BoardState.WRONG
    assert reading.attempt == (
        Move(Spot.read("13"), Spot.read("8")),
        Move(Spot.read("6"), Spot.read("1")),
    )
    assert reading.broken
    assert reading.broken.reason == "6/1 needs 5 pips; only 4 is left"


def test_what_is_lifted_may_go_where_the_dice_left_allow() -> None:
    human = Human("tables-24", "backgammon", random.Random(1))
    position = human.game.read_position("-b----E-C---eE---c-e----B- w")
    roll = next(roll for _, roll in cases("backgammon") if str(roll) == "31")
    human.stand(position, roll)
    human.lift(Spot.read("8"))
    human.wait(300)
    assert set(human.reading.targets) == set(spots("7 5 4"))
    human.drop(Spot.read("5"), human.game.mover(position))
    human.wait(1000)
    human.lift(Spot.read("6"))
    human.wait(300)
    assert human.reading.done == (Move(Spot.read("8"), Spot.read("5")),)
    assert human.reading.lifted == spots("6")
    assert human.reading.targets == spots("5")
    human.drop(Spot.read("5"), human.game.mover(position))
    human.wait(300)
    assert human.reading.plays == (human.game.read_play(position, "8/5 6/5"),)


def test_no_judgement_is_much_work_whatever_the_position() -> None:
    slow = sorted(
        (row for row in cases("backgammon") if len(set(row[1].dice)) == 1),
        key=lambda row: -len(Human("tables-24", "backgammon", random.Random(0)).game.plays(*row)),
    )[:5]
    human = Human("tables-24", "backgammon", random.Random(3))
    for position, roll in slow:
        human.stand(position, roll)
        moves = human.game.moves(position, human.game.plays(position, roll)[0])
        for move in moves:
            step = partial(_one_checker, human, move)
            assert calls(step) < MOST_CALLS


def _one_checker(human: Human, move: Move) -> None:
    human.drop(move.target, human.lift(move.origin))


def test_a_hit_checker_is_in_the_air_no_more_once_it_lies_on_the_bar() -> None:
    human = Human("tables-24", "backgammon", random.Random(1))
    human.stand(human.game.read_position("-a--a-E-C---eE---c-e----B- w"), read_roll("54", 2))
    steps = ((0, "8.3", False), (400, "4.1", False), (500, "4.1", True))
    for wait_ms, sensor, closed in steps:
        human.wait(wait_ms)
        human.tracker.see(Touch(human.us, Sensor(sensor), closed))
    human.wait(2000)
    assert [str(held.spot) for held in human.reading.held] == ["bar.black"]
    human.tracker.see(Touch(human.us, Sensor("bar.black.1"), closed=True))
    human.wait(0)
    assert human.reading.held == ()
