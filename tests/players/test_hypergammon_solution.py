"""Hypergammon solved: with fewer checkers by the same code, against a reckoning from the rules."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TypeAlias

import pytest

from pi_app.match.score import Agreement, Cube, Score, Standing, first_game
from pi_app.players.contract import UNLIMITED, PlayerError, Question, Situation, Unit
from pi_app.players.hypergammon import exact, solving
from pi_app.players.hypergammon.exact import ExactHypergammon
from pi_app.players.hypergammon.solving import STORED_EVERY_S, Solver, solve
from pi_app.players.hypergammon.table import (
    NOT_FINISHED,
    NOT_MADE,
    POINT,
    SETTLED,
    SURE,
    VALUES,
    PassesDone,
    RowSizes,
    SolvedGame,
    SolvedValue,
    lacking,
    stands,
    write_table,
)
from pi_app.players.tables.player import FEW, ROLLS, load, network_path
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.hypergammon import HYPERGAMMON
from pi_app.rules.tables.position import BAR, TablesPosition, count, one, seen_by
from pi_app.rules.terms import Roll, Side

MONEY = Agreement(None, cube=True, crawford=False, tie_turns_cube=False)
JACOBY = replace(MONEY, jacoby=True)
TO_FIVE = Agreement(5, cube=True, crawford=True, tie_turns_cube=False)
CLOSE = 1e-6
"""Far more than the solution and the reckoning may differ, in points."""


@cache
def game(checkers: int) -> TablesGame:
    placed = tuple((24 - number, 1) for number in range(checkers))
    return replace(HYPERGAMMON, checkers_a_side=checkers, placed=placed)


def positions(checkers: int) -> list[TablesPosition]:
    """Every position that a board can show and that is not over, White to move."""
    some = [
        numbers
        for numbers in combinations_with_replacement(range(BAR + 1), checkers)
        if any(numbers)
    ]
    return [
        seen_by(Side.WHITE, sum(map(one, own)), sum(map(one, enemy)))
        for own in some
        for enemy in some
        if not {BAR - number for number in own if 0 < number < BAR} & set(enemy)
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[int, Path]:
    folder = tmp_path_factory.mktemp("solved")
    made = {checkers: folder / f"{checkers}.solution" for checkers in (1, 2)}
    for checkers, file in made.items():
        assert solve(file, 2, checkers=checkers).is_complete
    return made


@pytest.fixture(scope="module")
def tables(files: Mapping[int, Path]) -> Iterator[Mapping[int, SolvedGame]]:
    opened = {checkers: SolvedGame(file, checkers) for checkers, file in files.items()}
    yield opened
    for table in opened.values():
        table.close()


def swapped(position: TablesPosition) -> TablesPosition:
    """The same seen by White on roll."""
    if position.mover is Side.WHITE:
        return position
    return TablesPosition(position.black, position.white, Side.WHITE)


ACROSS = {SolvedValue.MINE: SolvedValue.THEIRS, SolvedValue.THEIRS: SolvedValue.MINE}
SINGLE = (SolvedValue.WINS, SolvedValue.JACOBY)
Worths: TypeAlias = Mapping[SolvedValue, Callable[[TablesPosition], float]]


def rolled(
    rules: TablesGame, position: TablesPosition, value: SolvedValue, worths: Worths
) -> float:
    """The mean over the rolls of the best play, by the rules alone."""
    known = worths[ACROSS.get(value, value)]

    def left(result: TablesPosition) -> float:
        if outcome := rules.outcome(result):
            return 1.0 if value in SINGLE else float(outcome.points)
        return -known(swapped(result))

    total = sum(times * max(map(left, rules.results(position, roll))) for roll, times in ROLLS)
    return total / 36


def settled(
    rules: TablesGame, position: TablesPosition, value: SolvedValue, worths: Worths
) -> float:
    """The same with the double, if the side on roll may double."""
    held = rolled(rules, position, value, worths)
    if value not in (SolvedValue.MINE, SolvedValue.MIDDLE, SolvedValue.JACOBY):
        return held
    return max(held, min(1.0, 2 * rolled(rules, position, SolvedValue.THEIRS, worths)))


@pytest.mark.slow
@pytest.mark.parametrize(("checkers", "some"), [(1, 100), (2, 30)])
def test_the_values_agree_with_the_rules(
    tables: Mapping[int, SolvedGame], checkers: int, some: int
) -> None:
    """Only best play and best doubling agree with themselves: each value follows from the next."""
    rules, table, every = game(checkers), tables[checkers], positions(checkers)
    worths = {v: lambda p, v=v: table.at(p.white, p.black).worth(v) for v in SolvedValue}
    for position in random.Random(531).sample(every, some):
        found = table.at(position.white, position.black)
        for value in SolvedValue:
            worth = settled(rules, position, value, worths)
            assert found.worth(value) == pytest.approx(worth, abs=CLOSE)


def random_row(number: int, stands_there: int) -> bytes:
    """Values with nothing in common, so that each result can be told from all others."""
    return random.Random(number).randbytes(RowSizes(stands_there).row)


@pytest.mark.slow
def test_with_three_checkers_each_roll_is_played_by_the_rules() -> None:
    """Layers are worked out once from random numbers, and position by position by the rules."""
    rules, numbers, layers, lots = HYPERGAMMON, stands(3), (18, 45, 76, 110), random.Random(535)
    men, solver = list(numbers), Solver(2)
    pips = [sum(number * count(one_side, number) for number in range(1, 26)) for one_side in men]
    solver.resume(
        (random_row(number, len(men)) for number in range(len(men))), PassesDone(0, POINT)
    )
    rows = cache(lambda number: random_row(number, len(men)))

    def before(on_roll: int, moved: int) -> tuple[int, ...]:
        return VALUES.unpack_from(rows(numbers[on_roll]), numbers[moved] * VALUES.size)

    def mean(total: int) -> int:
        return (abs(total) + 18) // 36 * (1 if total > 0 else -1)

    def expected(position: TablesPosition) -> list[int]:
        sums = [0] * len(SolvedValue)
        for roll, times in ROLLS:
            left = [before(to.black, to.white) for to in rules.results(position, roll)]
            for value in SolvedValue:
                least = min(known[ACROSS.get(value, value)] for known in left)
                sums[value] -= times * least
        held = [mean(total) for total in sums]
        doubled = min(POINT, 2 * held[SolvedValue.THEIRS])
        for value in (SolvedValue.MINE, SolvedValue.MIDDLE, SolvedValue.JACOBY):
            held[value] = max(held[value], doubled)
        return held

    for layer in layers:
        solver.work_out(layer, races=True)
        own = [
            each for each in men if 0 < layer - pips[numbers[each]] <= 75 and pips[numbers[each]]
        ]
        tried = 0
        while tried < 12:
            white = lots.choice(own)
            black = lots.choice(
                [m for m in men if pips[numbers[m]] == layer - pips[numbers[white]]]
            )
            if any(count(white, n) and count(black, BAR - n) for n in range(1, BAR)):
                continue
            found = VALUES.unpack_from(solver.row(numbers[white]), numbers[black] * VALUES.size)
            assert list(found) == expected(seen_by(Side.WHITE, white, black))
            tried += 1
    solver.close()


def test_the_chances_are_those_of_play_for_points(tables: Mapping[int, SolvedGame]) -> None:
    """What games end in adds up to their value."""
    for position in random.Random(532).sample(positions(2), 500):
        known = tables[2].at(position.white, position.black)
        won, gammon, most, lost_gammon, lost_most = (chance / SURE for chance in known.chances)
        mean = won + gammon + most - (1 - won) - lost_gammon - lost_most
        assert mean == pytest.approx(known.worth(SolvedValue.POINTS), abs=5e-4)


@pytest.fixture(scope="module")
def player(tables: Mapping[int, SolvedGame]) -> ExactHypergammon:
    return ExactHypergammon(game(2), tables[2], load(network_path(FEW)))


def at(white: int = 0, black: int = 0, cube: Cube = Cube()) -> Standing:  # noqa: B008
    return Standing(Score(white, black), cube, 3, crawford=False, crawford_played=False)


@pytest.mark.parametrize("mover", Side)
@pytest.mark.parametrize("agreement", [UNLIMITED, MONEY, JACOBY])
@pytest.mark.parametrize("owner", [None, *Side])
def test_an_answer_before_the_roll_follows_from_those_after_it(
    player: ExactHypergammon, agreement: Agreement, owner: Side | None, mover: Side
) -> None:
    """The mean of the best plays is what the cube's question says of not doubling."""
    standing = at(cube=Cube(1 if owner is None else 2, owner if agreement.cube else None))
    for white in random.Random(f"{agreement}{owner}").sample(positions(2), 1):
        position = white if mover is Side.WHITE else seen_by(mover, white.white, white.black)
        situation = Situation(position, agreement, standing)
        opinions = [(player.rate(situation, roll), times) for roll, times in ROLLS]
        assert all(opinion.exact and opinion.unit is Unit.POINTS for opinion, _ in opinions)
        mean = sum(times * opinion.plays[0].worth for opinion, times in opinions) / 36
        cube = player.weigh(situation)
        assert (cube is None) == (not agreement.cube or owner not in (None, mover))
        if cube:
            assert cube.exact
            assert cube.held == pytest.approx(mean, abs=1e-12)
            taken = situation.standing.cube.value * 2
            theirs = replace(standing, cube=Cube(taken, mover.other))
            after = replace(situation, standing=theirs)
            best = (times * player.rate(after, roll).plays[0].worth for roll, times in ROLLS)
            assert cube.taken == pytest.approx(2 * sum(best) / 36, abs=CLOSE)
            assert cube.passed == 1


def test_a_game_that_decides_the_match_is_exact(player: ExactHypergammon) -> None:
    for position in random.Random(533).sample(positions(2), 10):
        for standing in (at(4, 4), at(3, 3, Cube(2, Side.WHITE)), at(1, 2, Cube(4, Side.BLACK))):
            opinion = player.rate(Situation(position, TO_FIVE, standing), Roll.of(4, 2))
            by_wins = player.rate(
                Situation(position, replace(UNLIMITED, jacoby=True)), Roll.of(4, 2)
            )
            assert (opinion.exact, opinion.unit, opinion.point) == (True, Unit.MATCH, 0.5)
            assert opinion.best == by_wins.best
            assert 2 * opinion.plays[0].worth - 1 == pytest.approx(by_wins.plays[0].worth)


def test_elsewhere_in_a_match_it_estimates_from_exact_chances(player: ExactHypergammon) -> None:
    start = game(2).start(Side.WHITE)
    situation = Situation(start, TO_FIVE, first_game(TO_FIVE))
    opinion, cube = player.rate(situation, Roll.of(6, 3)), player.weigh(situation)
    assert (opinion.exact, opinion.unit) == (False, Unit.MATCH)
    assert cube
    assert (cube.exact, cube.unit) == (False, Unit.MATCH)
    assert opinion.plays[0].chances == next(
        one.chances
        for one in player.rate(Situation(start), Roll.of(6, 3)).plays
        if one.play == opinion.plays[0].play
    )


def test_luck_is_exact_too(player: ExactHypergammon) -> None:
    situation = Situation(game(2).start(Side.WHITE))
    rolls = tuple(roll for roll, _ in ROLLS)
    told = Question(situation, None, rolls=rolls).put(player)
    assert told
    assert told.exact
    best = {roll: player.rate(situation, roll).plays[0].worth for roll in rolls}
    assert told.worths == best  # type: ignore[union-attr]


def test_any_number_of_cores_makes_the_same_file(files: Mapping[int, Path], tmp_path: Path) -> None:
    again = tmp_path / "again"
    solve(again, 3, checkers=1)
    assert again.read_bytes() == files[1].read_bytes()


def test_a_stopped_solution_is_stored_and_continued(
    files: Mapping[int, Path], tmp_path: Path
) -> None:
    file = tmp_path / "solution"

    def stop(done: int, _: int) -> None:
        if done > 3.5 * 51:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(file, 1, stop, checkers=1)
    assert lacking(file, 1) == NOT_FINISHED()
    assert SolvedGame(file, 1).found.passes == 3
    found = solve(file, 1, checkers=1)
    assert lacking(file, 1) is None
    assert 3 < found.passes <= SolvedGame(files[1], 1).found.passes
    one_way, other = SolvedGame(file, 1), SolvedGame(files[1], 1)
    for p in positions(1):
        for a, b in zip(
            one_way.at(p.white, p.black).values, other.at(p.white, p.black).values, strict=True
        ):
            assert abs(a - b) < 10 * SETTLED


def test_an_unfinished_solution_is_no_exact_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "solution"
    shape = RowSizes(len(stands(3)))
    write_table(file, (bytes(shape.row) for _ in range(shape.stands)), PassesDone(1, POINT))
    monkeypatch.setattr(exact, "solution_file", lambda: file)
    with pytest.raises(PlayerError, match="not finished"):
        exact.EXACT.make(HYPERGAMMON)


def test_a_whole_solution_stays_until_there_is_a_new_one(
    files: Mapping[int, Path], tmp_path: Path
) -> None:
    file, whole = tmp_path / "solution", files[1].read_bytes()
    file.write_bytes(whole)

    def stop(done: int, _: int) -> None:
        if done > 3 * len(stands(1)):
            raise KeyboardInterrupt

    late = iter(range(0, 10**9, round(STORED_EVERY_S) + 1))
    with pytest.raises(KeyboardInterrupt):
        solve(file, 1, stop, lambda: next(late), checkers=1, again=True)
    assert file.read_bytes() == whole
    assert solve(file, 1, checkers=1, again=True).is_complete


@pytest.mark.parametrize("at", [0, 20, 30])
def test_a_damaged_head_is_seen_before_the_file_is_used(
    at: int, files: Mapping[int, Path], tmp_path: Path
) -> None:
    file, data = tmp_path / "solution", bytearray(files[1].read_bytes())
    data[at] ^= 1
    file.write_bytes(data)
    assert "damaged" in str(lacking(file, 1))


def test_a_stop_in_the_first_pass_leaves_nothing(tmp_path: Path) -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(tmp_path / "solution", 1, stop, checkers=1)
    assert list(tmp_path.iterdir()) == []
    assert lacking(tmp_path / "solution", 1) == NOT_MADE()


KILLED = """
import os, sys
from pathlib import Path
from pi_app.players.hypergammon import solving
solving.STORED_EVERY_S = 0.0
layers = 0
def tell(done, _):
    if done > 51 * 4:
        os.kill(os.getpid(), 9)
def rows(self, whole=solving.Solver.rows):
    for number, row in enumerate(whole(self)):
        if self.found.passes == int(sys.argv[2]) and number == 9:
            os.kill(os.getpid(), 9)
        yield row
solving.Solver.rows = rows
solving.solve(Path(sys.argv[1]), 1, tell, checkers=1)
"""


@pytest.mark.parametrize("writing_pass", [1, 3, 99])
def test_killed_at_any_time_it_can_be_solved_again(tmp_path: Path, writing_pass: int) -> None:
    """While it stores the first time, a later time, and while it works."""
    file = tmp_path / "solution"
    command = [sys.executable, "-c", KILLED, str(file), str(writing_pass)]
    done = subprocess.run(command, check=False)
    assert done.returncode == -signal.SIGKILL
    left = [each for each in tmp_path.iterdir() if each != file]
    assert len(left) == (0 if writing_pass == 99 else 1)
    assert lacking(file, 1) == (NOT_MADE() if writing_pass == 1 else NOT_FINISHED())
    assert solve(file, 1, checkers=1).is_complete
    assert lacking(file, 1) is None
    assert list(tmp_path.iterdir()) == [file]


def test_a_disk_without_room_is_reported_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=10_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(PlayerError, match="1 MB are needed and 0 MB are free; make room"):
        solve(tmp_path / "solution", 1, checkers=1)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_is_reported_and_the_old_file_stays(
    files: Mapping[int, Path], tmp_path: Path
) -> None:
    file = tmp_path / "solution"
    file.write_bytes(files[1].read_bytes())
    table, (soft, hard) = SolvedGame(file, 1), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, hard))
    try:
        with pytest.raises(PlayerError, match="it cannot be written: File too large"):
            write_table(file, table.rows(), table.found, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == [file]
    assert lacking(file, 1) is None


def test_too_little_memory_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "meminfo"
    told.write_text("MemTotal: 900000 kB\nMemAvailable: 2000 kB\n", encoding="ascii")
    monkeypatch.setattr(solving, "MEMORY", told)
    with pytest.raises(PlayerError, match="MB of memory and 2 MB are free; close other programs"):
        solve(tmp_path / "solution", 1, checkers=1)


def test_without_a_compiler_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(PlayerError, match="there is no C compiler; sudo apt install gcc"):
        solve(tmp_path / "solution", 1, checkers=1)


def test_two_do_not_solve_it_at_once(tmp_path: Path) -> None:
    def second(*_: int) -> None:
        with pytest.raises(PlayerError, match="being solved already"):
            solve(tmp_path / "solution", 1, checkers=1)

    solve(tmp_path / "solution", 1, second, checkers=1)


def test_every_damage_is_noticed(files: Mapping[int, Path], tmp_path: Path) -> None:
    """One changed byte anywhere, a file that is cut off, and one of another game."""
    file, whole = tmp_path / "solution", files[1].read_bytes()
    lots = random.Random(534)
    for place in (0, 8, 12, 16, 20, 24, 100, *(lots.randrange(len(whole)) for _ in range(60))):
        changed = bytearray(whole)
        changed[place] ^= 1 << lots.randrange(8)
        file.write_bytes(changed)
        with pytest.raises(PlayerError, match="damaged; make it again: spotter solve"):
            list(SolvedGame(file, 1).rows())
    for length in (0, 1, 20, 24, 90, len(whole) - 1):
        file.write_bytes(whole[:length])
        with pytest.raises(PlayerError, match="damaged"):
            SolvedGame(file, 1)
        assert "damaged" in str(lacking(file, 1))
    file.write_bytes(files[2].read_bytes())
    with pytest.raises(PlayerError, match="damaged"):
        SolvedGame(file, 1)


def test_a_file_that_is_cut_while_it_is_in_use_ends_nothing(
    files: Mapping[int, Path], tmp_path: Path
) -> None:
    """As a memory card that fails: a page of a mapping that is not there would end Spotter."""
    file = tmp_path / "solution"
    file.write_bytes(files[1].read_bytes())
    table = SolvedGame(file, 1)
    assert next(table.rows())
    os.truncate(file, 100)
    with pytest.raises(PlayerError, match="damaged; make it again"):
        list(table.rows())
    with pytest.raises(PlayerError, match="not solved here yet"):
        SolvedGame(tmp_path / "missing", 1)


def test_an_answer_from_a_damaged_row_is_an_error(
    files: Mapping[int, Path], tmp_path: Path
) -> None:
    file, data = tmp_path / "solution", bytearray(files[1].read_bytes())
    shape = RowSizes(BAR + 1)
    data[shape.rows_at + 22 * shape.row] ^= 1  # Black is on roll with his checker on 22
    file.write_bytes(data)
    player = ExactHypergammon(game(1), SolvedGame(file, 1), load(network_path(FEW)))
    far = seen_by(Side.WHITE, one(24), one(22))
    with pytest.raises(PlayerError, match="damaged"):
        player.rate(Situation(far), Roll.of(2, 1))


def test_who_mostly_loses_gammons_does_not_win_by_owning_the_cube(
    tables: Mapping[int, SolvedGame],
) -> None:
    """Twice a lost backgammon is beyond the numbers' range; it once came out as a win."""
    for position in positions(2):
        known = tables[2].at(position.white, position.black)
        assert all(abs(known.worth(value)) <= 3 for value in SolvedValue)
        if known.worth(SolvedValue.THEIRS) < -1:
            assert known.worth(SolvedValue.MINE) < 0
