"""The networks' core in C: it rates as Python does, plays by the rules and bears off exactly."""

from __future__ import annotations

import cProfile
import json
import random
import shutil
from itertools import product
from pathlib import Path

import pytest
from known import case_file, find_game

from pi_app.players.contract import Opinion, Situation
from pi_app.players.native import COMPILERS, CoreError
from pi_app.players.tables.player import (
    NATIVE,
    NetworkPlayer,
    Strength,
    TablesCore,
    load,
    network_path,
    open_core,
)
from pi_app.rules.tables.position import TablesPosition, one
from pi_app.rules.terms import Roll, Side, read_roll, rolls_of

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, COMPILERS)), reason="there is no C compiler here"
)
NETWORKS = ("backgammon", "fevga", "hypergammon", "pin")
TABLES_GAMES = ("backgammon", "fevga", "hypergammon", "portes", "pin")


def network_of(game: str) -> str:
    return "backgammon" if game == "portes" else game


@pytest.fixture(scope="module", params=NETWORKS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("cffi")
    return tmp_path_factory.mktemp("cores")


def core_of(name: str, folder: Path) -> TablesCore:
    path = network_path(network_of(name))
    return open_core(folder, path, load(path))


def cases_of(name: str, every: int) -> list[tuple[TablesPosition, Roll]]:
    game = find_game(name)
    lines = case_file(name).read_text(encoding="utf-8").splitlines()[::every]
    told = [json.loads(line) for line in lines]
    return [(game.read_position(one["position"]), read_roll(one["roll"], 2)) for one in told]


@pytest.mark.slow
@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize("name", TABLES_GAMES)
def test_it_rates_as_python_does(name: str, plies: int, folder: Path) -> None:
    """To the last digits, where nobody bears off."""
    game, network = find_game(name), load(network_path(network_of(name)))
    fast, slow = (
        NetworkPlayer(game, network, Strength(plies, examined=2), core)
        for core in (core_of(name, folder), None)
    )
    looked_at = 0
    for position, roll in cases_of(name, every=20 if plies == 1 else 100):
        if is_race(position) and name != "pin":
            continue
        told, wanted = (player.rate(Situation(position), roll) for player in (fast, slow))
        assert worths(told) == pytest.approx(worths(wanted), abs=1e-9)
        assert told.unit is wanted.unit
        for one_play, other in zip(told.plays, wanted.plays, strict=True):
            if one_play.play == other.play and one_play.chances and other.chances:
                assert one_play.chances.won == pytest.approx(other.chances.won, abs=1e-9)
                assert one_play.chances.lost == pytest.approx(other.chances.lost, abs=1e-9)
        looked_at += 1
    assert looked_at > 1


def test_what_points_are_worth_is_reckoned_once_for_all_examined_plays(folder: Path) -> None:
    """In the Pin game a game may count more than a thousand points."""
    game, core = find_game("pin"), core_of("pin", folder)
    position, roll = next(
        case for case in cases_of("pin", every=20) if len(game.results(*case)) >= 8
    )
    asked = Situation(position), roll
    few, many = (
        calls_of(NetworkPlayer(game, load(network_path("pin")), Strength(2, examined), core), asked)
        for examined in (2, 8)
    )
    assert few < many < few + 6 * 500


def calls_of(player: NetworkPlayer, asked: tuple[Situation, Roll]) -> int:
    """How many functions in Python the answer takes."""
    player.rate(*asked)
    with cProfile.Profile() as profile:
        player.rate(*asked)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("name", TABLES_GAMES)
def test_each_roll_is_worth_its_best_play(name: str, folder: Path) -> None:
    game, network = find_game(name), load(network_path(network_of(name)))
    player = NetworkPlayer(game, network, Strength(), core_of(name, folder))
    for position, _ in cases_of(name, every=100):
        rolls = tuple(rolls_of(2))
        told = player.foresee(Situation(position), rolls)
        wanted = [player.rate(Situation(position), roll).plays[0].worth for roll in rolls]
        assert tuple(told.worths) == rolls
        assert list(told.worths.values()) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("name", TABLES_GAMES)
def test_what_was_judged_before_changes_no_bit(name: str, folder: Path) -> None:
    """The core keeps sums from one position to the next; alone each has the same chances."""
    core, game = core_of(name, folder), find_game(name)
    positions = [
        result
        for position, roll in cases_of(name, every=20)
        for result in game.results(position, roll)
        if not game.outcome(result)
    ]
    assert len(positions) > 50
    assert core.judge(positions) == [core.judge([position])[0] for position in positions]


def worths(opinion: Opinion) -> list[float]:
    return [rated.worth for rated in opinion.plays]


def is_race(position: TablesPosition) -> bool:
    """Or nearly one: at two plies it may become one."""
    return max(position.men(side).bit_length() for side in Side) <= 4 * 14


def bearing_off(men: dict[int, int], foes: dict[int, int]) -> TablesPosition:
    own, opp = (
        sum(count * one(number) for number, count in each.items())
        + (15 - sum(each.values())) * one(0)
        for each in (men, foes)
    )
    return TablesPosition(own, opp, Side.WHITE)


@pytest.mark.parametrize(
    ("men", "foes", "won"),
    [
        ({6: 1}, {1: 1}, 27 / 36),
        ({5: 1, 2: 1}, {1: 1}, 19 / 36),
        ({6: 1, 5: 1}, {1: 1}, 6 / 36),
        ({3: 1, 2: 1}, {1: 1}, 25 / 36),
        ({1: 2}, {6: 15}, 1.0),
        # Either bears off two checkers a turn or four: who misses a doublet first is behind.
        ({1: 4}, {1: 2}, 6 / 36),
        ({1: 4}, {1: 4}, 1 - 30 / 36 * 6 / 36),
    ],
)
def test_bearing_off_is_exact(
    men: dict[int, int], foes: dict[int, int], won: float, folder: Path
) -> None:
    """By hand: the rolls of 36 that bear the last off, before the other's turn comes."""
    (ends,) = core_of("backgammon", folder).judge([bearing_off(men, foes)])
    assert sum(ends[3:]) == pytest.approx(won, abs=1e-6)
    assert sum(ends) == pytest.approx(1)


def test_a_gammon_is_lost_by_who_gets_none_off_in_time(folder: Path) -> None:
    core = core_of("backgammon", folder)
    (ends,) = core.judge([bearing_off({1: 2}, {6: 15})])
    assert ends[4] == pytest.approx(1, abs=1e-6)
    # White needs two turns; before his second Black has one roll to bear a checker off.
    (ends,) = core.judge([bearing_off({1: 3, 2: 1}, {6: 15})])
    doublets = 5 / 36  # all but 11 bear off all four at once
    first_off = 17 / 36  # any six, 51, 42, 22 and 33
    assert ends[4] == pytest.approx(doublets + (1 - doublets) * (1 - first_off), abs=1e-6)


def test_races_at_home_agree_with_playing_them_out(folder: Path) -> None:
    """Both roll and take the best play for themselves; the share won is the core's."""
    core, rng, games = core_of("backgammon", folder), random.Random(5), 3000
    start = bearing_off({6: 2, 4: 2, 2: 1}, {5: 2, 3: 2, 1: 1})
    (ends,) = core.judge([start])
    won = sum(is_won(core, start, rng) for _ in range(games))
    spread = (sum(ends[3:]) * sum(ends[:3]) / games) ** 0.5
    assert abs(won / games - sum(ends[3:])) < 4 * spread


def is_won(core: TablesCore, position: TablesPosition, rng: random.Random) -> bool:
    game = find_game("backgammon")
    first = position.mover
    while not game.outcome(position):
        roll = Roll.of(rng.randint(1, 6), rng.randint(1, 6))
        results = game.results(position, roll)
        over = [result for result in results if game.outcome(result)]
        position = over[0] if over else best(core, results)
    return position.mover is not first


def best(core: TablesCore, results: tuple[TablesPosition, ...]) -> TablesPosition:
    lost = [sum(ends[:3]) for ends in core.judge(results)]
    return results[lost.index(max(lost))]


def test_every_kind_of_board_is_taken(folder: Path, name: str) -> None:
    """Boards that a hand has set up: all on the bar, all off, nobody pinned."""
    core = core_of(name, folder)
    for own, opp in product((0, 6, 25), repeat=2):
        position = TablesPosition(15 * one(own), 15 * one(opp), Side.WHITE)
        (ends,) = core.judge([position])
        assert sum(ends) == pytest.approx(1)
        assert min(ends) >= -1e-6


def test_a_network_that_cannot_be_read_is_said(folder: Path, tmp_path: Path) -> None:
    network, file = load(network_path("pin")), tmp_path / "broken.net"
    file.write_bytes(network_path("pin").read_bytes()[:-1])
    with pytest.raises(CoreError, match=r"broken\.net: it cannot be read"):
        open_core(folder, file, network)
    assert (folder / NATIVE.file_name()).is_file()
