"""Cannon's players: always legal, always the same answer, and each level better than the one below.

How much better is in pi_app/players/README.md, from longer runs of `spotter arena`.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from pi_app.games.all import ALL
from pi_app.match.turns import GameResult, Turns
from pi_app.players import meeting
from pi_app.players.cannon.player import (
    HUNDREDTHS,
    LEVELS,
    WIN,
    CannonCore,
    Level,
    Searcher,
    core_in,
    open_core,
)
from pi_app.players.contract import UNLIMITED, Opinion, Player, Situation
from pi_app.players.meeting import DRAWN, meet, play_out
from pi_app.players.native import COMPILERS
from pi_app.rules.cannon import MIDDLE, START, THREE_SLIDES, Cannon, actions
from pi_app.rules.terms import Roll, Side

CANNON = Cannon()
NO_ROLL = Roll(())
SMALL = Level(depth=60, nodes=2000)
WON_AT_ONCE = START.replace("x.x.x.x.x./....X", "x.xox.x.x./....X").replace(".o.o", "...o", 1)
needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, COMPILERS)), reason="there is no C compiler here"
)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> CannonCore:
    pytest.importorskip("cffi")
    return open_core(tmp_path_factory.mktemp("cores"))


def rated(player: Player, text: str, game: Cannon = CANNON) -> dict[str, float]:
    """Every play of a position and its worth, in the player's order."""
    position = game.read_position(text)
    opinion = player.rate(Situation(position), NO_ROLL)
    return {game.write_play(position, one.play): one.worth for one in opinion.plays}


def legal(text: str, game: Cannon = CANNON) -> set[str]:
    position = game.read_position(text)
    return {game.write_play(position, play) for play in game.plays(position, NO_ROLL)}


def test_six_levels_are_offered_the_strongest_first_and_chance_last() -> None:
    names = [f"level-{number}" for number in range(6, 0, -1)]
    assert list(ALL.find("cannon").contenders) == [*names, "random"]


@needs_compiler
@pytest.mark.parametrize(("number", "turns"), [(1, 1), (2, 2), (3, 2), (4, 4)])
def test_a_level_looks_as_many_turns_ahead_as_it_says(
    core: CannonCore, number: int, turns: int
) -> None:
    position = CANNON.read_position(MIDDLE)
    found = core.search(position, actions(position), LEVELS[number - 1].limits(slow=False))
    assert found.depth == turns


@pytest.mark.parametrize("text", [START, MIDDLE])
def test_every_play_is_rated_once_the_best_first_and_alone(text: str) -> None:
    told = rated(Searcher(CANNON, SMALL, None), text)
    assert set(told) == legal(text)
    best, *rest = told.values()
    assert rest == sorted(rest, reverse=True)
    assert best >= rest[0] + 1 / HUNDREDTHS - 1e-9


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_takes_a_town_that_it_can_take(level: Level) -> None:
    play, worth = next(iter(rated(Searcher(CANNON, level, None), WON_AT_ONCE).items()))
    assert play == "d2xe1"
    assert worth == (WIN - 1) / HUNDREDTHS


@needs_compiler
@pytest.mark.parametrize("level", LEVELS[:4])
def test_the_same_question_has_the_same_answer(core: CannonCore, level: Level) -> None:
    told = [rated(Searcher(CANNON, level, core), MIDDLE) for _ in range(2)]
    assert told[0] == told[1]
    assert set(told[0]) == legal(MIDDLE)


def test_a_beginner_is_mistaken_by_no_more_than_was_said() -> None:
    sure, beginner = Level(1, 100), Level(1, 100, mistakes=150)
    right, told = (rated(Searcher(CANNON, level, None), START) for level in (sure, beginner))
    errors = [told[play] - right[play] for play in right]
    assert max(map(abs, errors)) <= 1.5
    assert min(errors) < -1 < 1 < max(errors)


def test_towns_are_placed_by_what_can_come_of_it() -> None:
    player = Searcher(CANNON, Level(1, 2000), None)
    position = CANNON.start(Side.WHITE)
    for side in Side:
        told = rated(player, CANNON.write_position(position))
        assert len(told) == 8
        assert len(set(told.values())) > 1
        position = CANNON.after(position, CANNON.read_play(position, next(iter(told))))
        assert position.army(side).town
    assert position.mover is Side.WHITE


def test_who_waits_for_the_others_town_passes() -> None:
    waiting = START.replace("O", ".").replace(" L", " D")
    assert list(rated(Searcher(CANNON, Level(1, 640), None), waiting)) == ["forfeit"]


def test_under_the_tournament_rule_no_fourth_slide_is_played() -> None:
    tournament = CANNON.under({THREE_SLIDES.name})
    slid = f"{MIDDLE} h8h6:3"
    assert legal(slid, tournament) < legal(MIDDLE)
    told = rated(Searcher(tournament, SMALL, None), slid, tournament)
    assert set(told) == legal(slid, tournament)


def test_without_a_compiler_it_plays_all_the_same_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    equipment = ALL.find("cannon")
    for name in ("level-6", "level-1"):
        assert set(rated(equipment.contender(name).make(CANNON), MIDDLE)) == legal(MIDDLE)
    assert capsys.readouterr().err == (
        "spotter: Cannon is played by a slower search in Python, less deep:"
        " there is no C compiler; sudo apt install gcc libc6-dev\n"
    )
    core_in.cache_clear()


@needs_compiler
@pytest.mark.parametrize(("number", "games"), [(1, 10), (2, 6), (3, 4)])
def test_a_level_beats_the_one_below(core: CannonCore, number: int, games: int) -> None:
    below, above = (Searcher(CANNON, LEVELS[n], core) for n in (number - 1, number))
    turns = Turns(CANNON, UNLIMITED)
    assert sum(meet(turns, above, below, game, "test") for game in range(1, games + 1)) > 0


class Onlooker(Player):
    """Plays by chance and writes down which positions it was asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._chance = ALL.find("cannon").contender("random").make(CANNON)

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        self.asked.append(CANNON.write_position(situation.position))
        return self._chance.rate(situation, roll)

    def weigh(self, situation: Situation) -> None:
        return None


def test_two_games_in_a_row_begin_alike_and_others_do_not() -> None:
    begun = []
    for number in (1, 2, 3):
        onlooker = Onlooker()
        meet(Turns(CANNON, UNLIMITED), onlooker, onlooker, number, "s")
        begun.append(onlooker.asked[0])
    assert begun[0] == begun[1] != begun[2]


def test_a_game_that_goes_on_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "MOST_PLAYS", DRAWN + 5)
    onlooker = Onlooker()
    sides: dict[Side, Player] = dict.fromkeys(Side, onlooker)
    result = play_out(Turns(CANNON, UNLIMITED), sides, random.Random(1))
    assert result == GameResult(None, 0, "given up")
    assert len(onlooker.asked) == 5
