"""Cannon's search: legal to the last action, and it finds wins, in C and in Python."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from known import case_file

from pi_app.players import native
from pi_app.players.cannon.player import (
    DECLARED,
    MARKS,
    NATIVE,
    WIN,
    CannonCore,
    Limits,
    open_core,
    search,
)
from pi_app.players.native import COMPILERS, CoreError, all_cores, main, opened
from pi_app.rules.cannon import (
    BOARD,
    FORWARD,
    MIDDLE,
    ROWS,
    SIDEWAYS,
    START,
    WIDTH,
    Cannon,
    CannonPosition,
    SoldierChange,
    actions,
    beside,
    reached_by_shots,
    results_of,
    shift,
)
from pi_app.rules.terms import Roll, Side

CANNON = Cannon()
NO_ROLL = Roll(())
ENDLESS = 10**9
MOST_ACTIONS = 320
needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, COMPILERS)), reason="there is no C compiler here"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cores")


@pytest.fixture(scope="module")
def core(folder: Path) -> CannonCore:
    pytest.importorskip("cffi")
    return open_core(folder)


INSIDE = """
int32_t spotter_cannon_actions(const cannon_position *, cannon_action *);
int32_t spotter_cannon_evaluate(const cannon_position *, const int32_t *);
"""


class CoreInside(CannonCore):
    """The core with what only tests look at."""

    def actions(self, position: CannonPosition) -> list[SoldierChange]:
        """Every action, in the order of the rules core."""
        found = self._ffi.new("cannon_action[]", MOST_ACTIONS)
        number = self._library.spotter_cannon_actions(self._position(position), found)
        return [(joined(found[i].changed), joined(found[i].lost)) for i in range(number)]

    def evaluate(self, position: CannonPosition) -> int:
        """A position's static value for its mover, in hundredths of a soldier."""
        marks = self._ffi.new("int32_t[]", MARKS)
        return int(self._library.spotter_cannon_evaluate(self._position(position), marks))


def joined(points: Any) -> int:
    return int(points.high) << 64 | int(points.low)


@pytest.fixture(scope="module")
def inside(core: CannonCore, folder: Path) -> CoreInside:
    return CoreInside(opened(folder / NATIVE.file_name(), DECLARED + INSIDE))


def random_positions(games: int, seed: int) -> Iterator[CannonPosition]:
    """Positions of games played by chance, both towns standing and something to do."""
    lots = random.Random(seed)
    for _ in range(games):
        position = CANNON.start(Side.WHITE)
        for turn in range(lots.randint(20, 150)):
            position = CANNON.after(position, lots.choice(CANNON.plays(position, NO_ROLL)))
            if CANNON.outcome(position):
                break
            if turn > 1 and turn % 5 == 0:
                yield position


def read(text: str) -> CannonPosition:
    return CANNON.read_position(text)


@needs_compiler
@pytest.mark.parametrize(
    ("text", "counts"),
    [(START, (42, 1740, 72_730, 3_009_821)), (MIDDLE, (40, 1802, 72_716))],
)
def test_as_many_results_as_the_rules_have(core: CannonCore, text: str, counts: tuple[int]) -> None:
    position = read(text)
    assert tuple(core.perft(position, n) for n in range(1, len(counts) + 1)) == counts


@needs_compiler
def test_every_legal_result_of_the_cases(inside: CoreInside) -> None:
    looked_at = 0
    for line in case_file("cannon").read_text(encoding="utf-8").splitlines():
        case: dict[str, Any] = json.loads(line)
        position = read(case["position"])
        if position.placing or position.taken:
            continue
        after = results_of(position, inside.actions(position))
        assert set(map(CANNON.write_position, after)) == set(case["after"]), case["position"]
        looked_at += 1
    assert looked_at > 200


def marks_of(position: CannonPosition, side: Side) -> int:
    """A side's marks, by the rules core and the words of `CannonMarks`."""
    own, foe = position.army(side), position.army(side.other)
    empty = BOARD & ~(own.pieces | foe.pieces)
    rows = [(own.soldiers >> WIDTH * row & (1 << 10) - 1).bit_count() for row in range(len(ROWS))]
    struck = reached_by_shots(own.soldiers, empty)
    for step in (*FORWARD[side], *SIDEWAYS):
        struck |= shift(own.soldiers, step)
    return (
        MARKS.soldier * own.soldiers.bit_count()
        + MARKS.step * sum((shift(own.soldiers, s) & empty).bit_count() for s in FORWARD[side])
        + MARKS.advance * sum(n * abs(row - 9 * (side is Side.BLACK)) for row, n in enumerate(rows))
        + MARKS.ring * (own.soldiers & beside(beside(foe.town))).bit_count()
        + MARKS.guard * (own.soldiers & beside(beside(own.town))).bit_count()
        + MARKS.threat * (struck & foe.soldiers).bit_count()
    )


@needs_compiler
def test_on_random_positions_c_sees_what_the_rules_see(inside: CoreInside) -> None:
    positions = list(random_positions(40, seed=7))
    assert len(positions) > 300
    for position in positions:
        assert inside.actions(position) == actions(position), CANNON.write_position(position)
        mine, theirs = (marks_of(position, s) for s in (position.mover, position.mover.other))
        assert inside.evaluate(position) == MARKS.tempo + mine - theirs


@needs_compiler
def test_what_is_not_legal_is_refused(core: CannonCore) -> None:
    position = read(START)
    with pytest.raises(CoreError, match="illegal"):
        core.search(position, [(1, 2)], Limits(1, 100, 100))


def rows(mover: str, **given: str) -> CannonPosition:
    """A board from rows like `r7=".oo"`, the towns on e10 and e1."""
    told = {"r10": "....O", "r1": "....X", **given}
    lines = (told.get(f"r{row}", "").ljust(10, ".") for row in range(10, 0, -1))
    return read(f"{'/'.join(lines)} {mover}")


WINS = [
    (rows("L", r2="...o", r3="x"), 1),
    # f5-e4 completes a cannon before the town; nobody is near enough to stand in its way.
    (rows("L", r6="....o", r5="....oo", r9=".........x"), 3),
    # Dark's only soldier stands on the last row and has nothing to do.
    (rows("L", r10="x...O", r5=".......o"), 1),
]


@pytest.mark.parametrize(("position", "turns"), WINS)
def test_a_win_is_seen_and_counted_in_turns(position: CannonPosition, turns: int) -> None:
    found = search(position, actions(position), Limits(4, 20_000, ENDLESS))
    assert found.worths[found.best] == WIN - turns


def test_time_ends_a_search_that_nothing_else_would_end() -> None:
    position = read(START)
    found = search(position, actions(position), Limits(60, ENDLESS, 30))
    assert found.depth >= found.rated_depth >= 1


@needs_compiler
def test_time_ends_it_in_c_too(core: CannonCore) -> None:
    position = read(START)
    found = core.search(position, actions(position), Limits(60, ENDLESS, 30))
    assert 1 < found.depth < 60
    assert found.worths[found.best] == max(found.worths)


def test_a_town_that_will_be_taken_is_a_loss() -> None:
    position = rows("D", r6="....o", r5="....o", r4="....o", r9="........xx")
    found = search(position, actions(position), Limits(4, 20_000, ENDLESS))
    assert set(found.worths) == {2 - WIN, 1 - WIN}  # the best is told apart from what is alike


@needs_compiler
def test_what_is_kept_is_used_and_what_is_broken_is_built_anew(tmp_path: Path) -> None:
    file = tmp_path / "a" / NATIVE.file_name()
    open_core(file.parent)
    built = file.stat().st_mtime_ns
    open_core(file.parent)
    assert file.stat().st_mtime_ns == built
    for damage in (b"", b"no library", Path(find_libm()).read_bytes()):
        file.unlink()
        file.write_bytes(damage)
        assert open_core(file.parent).perft(read(START), 1) == 42
    assert [found.name for found in file.parent.iterdir()] == [file.name]


@needs_compiler
def test_another_processor_has_a_core_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory card that moves to another computer brings its cache along."""
    names = set[str]()
    for flags in ("flags : fpu sse2 avx2", "flags : fpu sse2", "Features : fp asimd"):
        monkeypatch.setattr(native, "CPU", tmp_path / "cpuinfo")
        native.CPU.write_text(f"processor : 0\nmodel name : any\n{flags}\ncpu MHz : 2445.4\n")
        names.add(NATIVE.file_name())
        native.CPU.write_text(f"processor : 0\nmodel name : any\n{flags}\ncpu MHz : 999.9\n")
        names.add(NATIVE.file_name())
    assert len(names) == 3
    assert NATIVE.file_name("x86_64") not in names


@needs_compiler
def test_a_compiler_that_does_not_know_the_processor_builds_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old-cc"
    found = next(filter(None, map(shutil.which, COMPILERS)))
    refuses = 'case "$*" in *=native*) echo "bad value" >&2; exit 1;; esac'
    old.write_text(f'#!/bin/sh\n{refuses}\nexec {found} "$@"\n')
    old.chmod(0o755)
    monkeypatch.setenv("CC", str(old))
    assert open_core(tmp_path).perft(read(START), 1) == 42


def find_libm() -> str:
    """A library that is sound, and not ours."""
    return str(next(Path("/").glob("*lib*/*/libm.so.6"), Path("/dev/null")))


def test_without_a_compiler_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(CoreError, match="there is no C compiler; sudo apt install gcc"):
        open_core(tmp_path)


@pytest.mark.parametrize(
    ("compiler", "said"),
    [
        ("false", "false failed"),
        ("no-such-compiler -O", "no-such-compiler: No such file"),
        ('"', 'CC=" is no command'),
    ],
)
def test_a_compiler_that_fails_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str, said: str
) -> None:
    monkeypatch.setenv("CC", compiler)
    with pytest.raises(CoreError, match=said):
        open_core(tmp_path)
    assert [found for found in tmp_path.iterdir() if found.suffix == ".so"] == []


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CoreError, match=r"Not a directory|no C compiler"):
        open_core(tmp_path / "file" / "cache")


def test_setting_up_says_it_in_one_line_a_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", "false")
    assert main() == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"{core.name}: false failed: " for core in all_cores()]
