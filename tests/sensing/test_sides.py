"""Places that tell whose checker lies there: what is seen is neither inferred nor asked about."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from human import cases
from known import BOARDS, find_game, load_board
from shares import one_in

from pi_app.base.microseconds import Us, ms
from pi_app.boards import board_names
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, Spot, read_roll
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.sensing.occupancy import SensedSpots
from pi_app.sensing.reading import ALARMS, BoardState, Patience, Reading
from pi_app.sensing.senses import Senses

NANNON = load_board("nannon-6-hall")
BEGUN = ms(5000)


class SeenBoard:
    """A board that has lain still in a position, and raw edges of its sensors from then on."""

    def __init__(self, board: Board, game: AnyGame, position: Any, roll: Roll | None) -> None:
        self._board, self._game, self._now = board, game, Us(0)
        self.senses = Senses(board, game, Patience(), position)
        self.senses.picture(self._now, board.closed_by(game.checkers_at(position)))
        self.senses.expect(position, roll)
        self.wait_until(BEGUN)

    @property
    def reading(self) -> Reading:
        return self.senses.reading

    def wait_until(self, us: Us) -> None:
        while (due := self.senses.due(self._now)) is not None and due < us:
            self._now = due
            self.senses.advance(due)
            self.senses.judge(due)
        self._now = us
        self.senses.advance(us)
        self.senses.judge(us)

    def wait(self, time_ms: float) -> Reading:
        self.wait_until(Us(self._now + ms(time_ms)))
        return self.reading

    def edges(self, steps: str) -> None:
        """Steps as "400 3.white v": milliseconds, sensor, closes (v) or opens (^)."""
        for step in steps.split(", "):
            at, sensor, way = step.split()
            self.wait_until(Us(BEGUN + ms(float(at))))
            self.senses.edge(self._now, Sensor(sensor), way == "v")

    def shows(self, position: Any, time_ms: float) -> Reading:
        """All sensors are as in a position, at once: nobody has seen a hand."""
        closed = self._board.closed_by(self._game.checkers_at(position))
        self.senses.picture(self._now, closed)
        return self.wait(time_ms)


ON = "2.wb...2 w"
"""White's checker on 2, Black's on 3; with a 3 White plays 2/5, or from HOME and hits on 3."""

# Each: steps, the milliseconds waited after them, what is played or the state and the broken rule.
SCENES = {
    "a hit": ("0 3.black ^, 400 3.white v", 250, "HOME/3*"),
    "from one side to the other with nothing between": (
        "0 3.black ^, 0 3.white v",
        250,
        "HOME/3*",
    ),
    "the hitter is felt before its victim is gone": ("0 3.white v, 40 3.black ^", 250, "HOME/3*"),
    "a hit that bounces": (
        "0 3.black ^, 2 3.black v, 3 3.black ^, 200 3.white v, 202 3.white ^, 203 3.white v",
        250,
        "HOME/3*",
    ),
    "the same checker is put back": ("0 3.black ^, 400 3.black v", 250, "resting"),
    "as quickly as a fast hit": ("0 3.black ^, 60 3.black v", 250, "resting"),
    "a hit that is undone": (
        "0 3.black ^, 300 3.white v, 700 3.white ^, 1000 3.black v",
        250,
        "resting",
    ),
    "a touch, and then the other play": (
        "0 3.black ^, 400 3.black v, 900 2.white ^, 1300 5.white v",
        250,
        "2/5",
    ),
    "a hit that the roll forbids": (
        "0 2.white ^, 300 3.black ^, 600 3.white v",
        1600,
        "wrong wrong-distance",
    ),
    "the other's checker is moved": (
        "0 3.black ^, 500 4.black v",
        1600,
        "wrong not-your-checker",
    ),
    "the other's checker takes one's place": (
        "0 2.white ^, 400 2.black v",
        1600,
        "wrong not-your-checker",
    ),
    "a flicker at the threshold": (
        "0 2.white ^, 9 2.white v, 200 2.white ^, 212 2.white v, 300 2.white ^, 308 2.white v",
        250,
        "resting",
    ),
    "the other pole is felt for a moment as a checker slides away": (
        "0 2.white ^, 1 2.black v, 21 2.black ^, 400 5.white v",
        250,
        "2/5",
    ),
    "the victim waits beside its hitter": ("0 3.white v", 1600, "in hand"),
}


@pytest.mark.parametrize("name", SCENES)
def test_scenes(name: str) -> None:
    steps, wait, expected = SCENES[name]
    game = find_game("nannon")
    position = game.read_position(ON)
    board = SeenBoard(NANNON, game, position, read_roll("3", 1))
    board.edges(steps)
    reading = board.wait(wait)
    rule = f" {reading.broken.rule.identifier}" if reading.broken else ""
    played = " or ".join(game.write_play(position, play) for play in reading.plays)
    said = played if reading.state is BoardState.PLAYED else f"{reading.state.value}{rule}"
    assert said == expected


def test_what_contradicts_is_told_once_it_has_lain_there() -> None:
    """Until then it may be noise: nothing is said of a colour that comes and goes."""
    game = find_game("nannon")
    board = SeenBoard(NANNON, game, game.read_position(ON), read_roll("3", 1))
    board.edges("0 5.black v")
    assert board.wait(1400).state is BoardState.IN_HAND
    assert board.wait(200).state in ALARMS


def test_a_place_of_which_one_side_is_set_aside_still_shows_the_other() -> None:
    game = find_game("nannon")
    board = SeenBoard(NANNON, game, game.read_position(ON), read_roll("3", 1))
    board.senses.set_aside(Sensor("5.white"))
    board.edges("0 5.black v")
    assert board.wait(1600).state in ALARMS


# Every game, whatever board it is played on


def telling(name: str) -> Board:
    """A board of these spots that tells the sides."""
    board = load_board(name)
    if board.tells_sides:
        return board
    places = tuple(
        replace(place, reeds=tuple(replace(reed, tells_side=True) for reed in place.reeds))
        for place in board.places
    )
    return replace(board, places=places, tells_sides=True)


SIDED = {
    game: name
    for name in board_names()
    if load_board(name).tells_sides
    for game in load_board(name).games
}
"""A board that tells the sides, for each game that has one."""
EVERYWHERE = pytest.mark.parametrize(
    ("board", "game"), [(SIDED.get(game, usual), game) for game, usual in BOARDS.items()]
)
WITHOUT_HITS = ("pin", "plakoto", "fevga")
TURNS, PLAYS = 120 // one_in(10), 4


def turns(game: str) -> list[tuple[Any, Roll]]:
    return random.Random(game).sample(cases(game), TURNS)


@pytest.mark.slow
@EVERYWHERE
def test_a_picture_alone_tells_every_play_whose_end_no_other_play_shows(
    board: str, game: str
) -> None:
    """Only the last picture is known, no movement: the colours alone show the hits."""
    there, rules, hits = telling(board), find_game(game), 0
    sensed = SensedSpots(there)

    def shown(position: Any) -> tuple[int, ...]:
        return sensed.expected(rules.checkers_at(position))

    def hides(position: Any) -> bool:
        stacks = rules.checkers_at(position).items()
        return any(1 < sensed.places.get(spot, 0) < len(stack) for spot, stack in stacks)

    for position, roll in turns(game):
        if hides(position):
            continue
        results = rules.results(position, roll)
        pictures = [shown(position), *map(shown, results)]
        moved = [
            (any(move.hit for move in rules.moves(position, play)), after)
            for play, after in zip(rules.plays(position, roll), results, strict=True)
            if not hides(after) and pictures.count(shown(after)) == 1
        ]
        moved.sort(key=lambda one: not one[0])
        for hit, after in moved[:PLAYS]:
            reading = SeenBoard(there, rules, position, roll).shows(after, 1600)
            assert reading.state is BoardState.PLAYED, (rules.draw(position), roll, after)
            assert rules.after(position, reading.plays[0]) == after
            hits += hit
    assert hits or game in WITHOUT_HITS


@EVERYWHERE
def test_a_checker_of_the_wrong_side_is_never_overlooked(board: str, game: str) -> None:
    there, rules = telling(board), find_game(game)
    draw = random.Random(f"{game} swapped")
    for position, _ in turns(game):
        stacks = rules.checkers_at(position)
        seen_there = [p.spot for p in there.places if p.reeds and stacks.get(p.spot)]
        spot = draw.choice(seen_there)
        swapped = {**stacks, spot: (stacks[spot][0].other, *stacks[spot][1:])}
        seen = SeenBoard(there, rules, position, None)
        seen.senses.picture(BEGUN, there.closed_by(swapped))
        reading = seen.wait(1700)
        assert reading.state in ALARMS
        assert (reading.opened, reading.filled) == ((spot,), (spot,))
        close, open_ = seen.senses.put_right()
        assert {there.spot_of[sensor] for sensor in (*close, *open_)} == {spot}
        assert seen.shows(position, 400).state is BoardState.RESTING


# How it is wired


def test_a_place_has_a_sensor_for_each_side() -> None:
    assert NANNON.tells_sides
    assert NANNON.sensors[:3] == ("1.white", "1.black", "2.white")
    assert (NANNON.pins[Sensor("1.white")], NANNON.pins[Sensor("1.black")]) == (17, 4)
    closed = NANNON.closed_by({Spot.read("1"): (Side.BLACK,), Spot.read("2"): (Side.WHITE,)})
    assert closed == {"1.black", "2.white"}


def test_both_of_a_scanners_sensors_have_one_cell_and_a_side_each() -> None:
    tables = load_board("tables-24-hall")
    assert len(tables.sensors) == 2 * len(tables.reeds) == 248
    assert tables.cells[Sensor("1.2.white")] == Cell(0, 1, Side.WHITE)
    assert tables.cells[Sensor("1.2.black")] == Cell(0, 1, Side.BLACK)
