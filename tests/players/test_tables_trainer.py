"""The trainer in C plays by the rules, thinks as the evaluator in Python, and repeats itself."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from known import case_file, find_game
from tables_trainer import SOURCES, as_asked, ask_trainer, build_trainer, needs_compiler

from pi_app.players.contract import Situation
from pi_app.players.tables.player import NetworkPlayer, Strength, load, network_path
from pi_app.rules.tables.position import TablesPosition
from pi_app.rules.terms import Roll, read_roll

pytestmark = needs_compiler
TABLES_GAMES = ("backgammon", "fevga", "hypergammon", "portes", "pin")
FEW, BAR = 5, 25
NETWORKS = ("backgammon", "fevga", "hypergammon", "pin")


class IndependentCase(NamedTuple):
    position: TablesPosition
    roll: Roll
    after: list[TablesPosition]


@pytest.fixture(scope="session")
def trainer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_trainer(tmp_path_factory.mktemp("trainer"))


def cases_of(name: str) -> Iterator[IndependentCase]:
    game = find_game(name)
    for line in case_file(name).read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        after = [game.read_position(text) for text in told["after"]]
        yield IndependentCase(
            game.read_position(told["position"]), read_roll(told["roll"], 2), after
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES_GAMES)
def test_it_finds_every_legal_result_of_the_independent_cases(name: str, trainer: Path) -> None:
    cases = list(cases_of(name))
    asked = [as_asked(case.position, case.roll) for case in cases]
    found = [line.split(",") for line in ask_trainer(trainer, "results", name, lines=asked)]
    wanted = [[as_asked(position) for position in case.after] for case in cases]
    assert len(cases) >= 300
    assert [sorted(each) for each in found] == [sorted(each) for each in wanted]


def assert_alike(trainer: Path, path: Path, positions: list[TablesPosition]) -> None:
    """C prints twelve decimals; Python's must be those."""
    network = load(path)
    lines = ask_trainer(trainer, "rate", path, lines=map(as_asked, positions))
    for position, line in zip(positions, lines, strict=True):
        mover, other = position.mover, position.mover.other
        judged = network.judge(
            position.men(mover),
            position.men(other),
            position.pinned(mover),
            position.pinned(other),
        )
        assert judged == pytest.approx([float(word) for word in line.split()], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_python_judges_as_it_does(name: str, trainer: Path) -> None:
    game, path = find_game(name), network_path(name)
    results = [position for case in cases_of(name) for position in case.after[::5]]
    going_on = [position for position in results if not game.outcome(position)]
    assert len(going_on) > 400
    assert_alike(trainer, path, going_on)


@pytest.mark.parametrize("name", TABLES_GAMES)
def test_a_seed_gives_the_same_weights_again_and_another_seed_others(
    name: str, trainer: Path, tmp_path: Path
) -> None:
    for file, seed in (("a", 1), ("b", 1), ("c", 2)):
        words = ("train", name, 32, seed, 30, 0.05, 0.01, 0.7, 1, "quiet", tmp_path / file)
        assert ask_trainer(trainer, *words) == []
    first, again, other = ((tmp_path / file).read_bytes() for file in "abc")
    assert first == again
    assert first != other
    network = load(tmp_path / "a")
    assert network.game == name
    assert sum(network.shares) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("name", NETWORKS)
def test_refining_repeats_itself_and_leaves_a_network_near_the_first(
    name: str, trainer: Path, tmp_path: Path
) -> None:
    shipped = network_path(name)
    for file, seed in (("a", 1), ("b", 1), ("c", 2)):
        words = ("refine", shipped, seed, 9, 0.002, 0.001, 0.7, 0, 0.5, "quiet", tmp_path / file)
        assert ask_trainer(trainer, *words) == []
    first, again, other = ((tmp_path / file).read_bytes() for file in "abc")
    assert first == again
    assert first != other
    positions = [case.position for case in cases_of(name)]
    assert_alike(trainer, tmp_path / "a", positions)
    boards = [as_asked(position) for position in positions[:50]]
    before, after = (
        [
            list(map(float, line.split()))
            for line in ask_trainer(trainer, "rate", path, lines=boards)
        ]
        for path in (shipped, tmp_path / "a")
    )
    assert before != after
    for old, new in zip(before, after, strict=True):
        assert new == pytest.approx(old, abs=0.1)


def test_lessons_repeat_themselves_and_bring_it_nearer(trainer: Path, tmp_path: Path) -> None:
    """What one network thinks of positions that the trainer draws is taught to a small new one."""
    shipped = network_path("backgammon")
    boards = ask_trainer(trainer, "positions", shipped, 3, 4000, "all")
    assert len(set(boards)) > 2400
    assert boards == ask_trainer(trainer, "positions", shipped, 3, 4000, "all")
    nothing = "0" * len(boards[0].split()[0])
    asked = [f"{board} {nothing} {nothing}" for board in boards]
    lines = ask_trainer(trainer, "rate", shipped, lines=asked)
    lessons = tmp_path / "lessons"
    lessons.write_text("".join(map(lesson, boards, lines)), encoding="ascii")
    files = [tmp_path / name for name in "ab"]
    for file in files:
        words = ("teach", 32, lessons, 6, 0.01, 0.001, 1, 1, file)
        by_class = errors(ask_trainer(trainer, *words))
        assert by_class.keys() == {"1", "2", "3", "4"}
        assert all(told[-1] < 0.8 * told[0] for told in by_class.values())
    assert files[0].read_bytes() == files[1].read_bytes()
    assert load(files[0]).hidden == 32


def errors(told: list[str]) -> dict[str, list[float]]:
    """How far off each class was after each epoch; none for one with too few lessons."""
    found = dict[str, list[float]]()
    for line in filter(lambda line: "epoch" in line, told):
        _, name, _, _, off, *_ = line.replace(",", "").split()
        found.setdefault(name, []).append(float(off))
    return found


def test_positions_with_contact_are_those_of_all_that_are_no_races(trainer: Path) -> None:
    shipped = network_path("backgammon")
    drawn = ask_trainer(trainer, "positions", shipped, 4, 900, "all")
    apart = ask_trainer(trainer, "positions", shipped, 4, 900, "contact")
    assert apart == [board for board in drawn if sum(map(last_checker, board.split())) > BAR]
    assert len(apart) < len(drawn)


def last_checker(men: str) -> int:
    """The pips that a side's last checker has to go; its digits are those of the bar, 24, ..."""
    return BAR - (len(men) - len(men.lstrip("0")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["backgammon", "hypergammon"])
def test_it_labels_by_two_plies_of_its_own(name: str, trainer: Path) -> None:
    """The chances after each play as the player in Python tells them, for the side then on roll."""
    game, shipped = find_game(name), network_path(name)
    player = NetworkPlayer(game, load(shipped), Strength(plies=2, examined=FEW))
    few = [case for case in cases_of(name) if 3 <= len(case.after) <= FEW]
    for case in few[:: len(few) // 3]:
        rated = player.rate(Situation(case.position), case.roll).plays
        results = [game.after(case.position, one.play) for one in rated]
        boards = [" ".join(as_asked(result).split()[:2]) for result in results]
        labelled = ask_trainer(trainer, "label", shipped, lines=boards)
        for board, line, one in zip(boards, labelled, rated, strict=True):
            assert one.chances
            told = [*one.chances.lost, *one.chances.won[1:]]
            assert line.startswith(f"{board} ")
            assert list(map(float, line.split()[2:])) == pytest.approx(told, abs=1e-5)


def test_the_pin_game_learns_what_its_own_two_plies_say(trainer: Path, tmp_path: Path) -> None:
    """Fifteen chances a board, which bring the network nearer to them."""
    shipped, lessons = network_path("pin"), tmp_path / "lessons"
    boards = ask_trainer(trainer, "positions", shipped, 5, 2500, "contact")
    labelled = ask_trainer(trainer, "label", shipped, lines=boards)
    chances = [list(map(float, line.split()[4:])) for line in labelled]
    assert [" ".join(line.split()[:4]) for line in labelled] == boards
    assert all(len(each) == 15 and sum(each) == pytest.approx(1, abs=1e-4) for each in chances)
    lessons.write_text("".join(f"{line}\n" for line in labelled), encoding="ascii")
    words = ("teach", shipped, lessons, 3, 0.0005, 0.0001, 1, 1, tmp_path / "taught")
    by_class = errors(ask_trainer(trainer, *words))
    assert all(told[-1] <= told[0] for told in by_class.values())
    assert load(tmp_path / "taught").shares == load(shipped).shares


def test_a_line_that_is_no_lesson_is_named(trainer: Path, tmp_path: Path) -> None:
    lessons, board = tmp_path / "lessons", "1" * 26 + " " + "2" * 26
    good = f"{board} 0.5 0.1 0.0 0.1 0.0\n"
    for bad in (f"{board} 0.5 0.1 0.0 0.1\n", f"{board} 0.5 0.1 0.0 0.1 0.0 0.0\n", "hello\n"):
        lessons.write_text(good + bad, encoding="ascii")
        command = [str(trainer), *f"teach 32 {lessons} 1 0.01 0.001 1 1 {tmp_path / 'n'}".split()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"trainer: {lessons}, line 2 is no lesson: {bad}"


def test_too_few_lessons_are_told(trainer: Path, tmp_path: Path) -> None:
    lessons, net = tmp_path / "lessons", tmp_path / "n"
    command = [str(trainer), *f"teach 32 {lessons} 1 0.01 0.001 1 1 {net}".split()]

    def taught(count: int) -> subprocess.CompletedProcess[str]:
        lessons.write_text(f"{'1' * 26} {'1' * 26} 0.5 0.1 0.0 0.1 0.0\n" * count, "ascii")
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert "class 3: 99 lessons are too few\n" in taught(99).stdout
    net.unlink()
    none = taught(0)
    assert (none.returncode, none.stderr) == (2, f"trainer: no lessons {lessons}\n")
    assert not net.exists()


def test_what_two_players_say_is_mixed(tmp_path: Path) -> None:
    boards = ["1" * 26 + " " + "2" * 26, "3" * 26 + " " + "4" * 26]
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text(f"{boards[0]} 0.50000 0.20000\n{boards[1]} 0.10000 0.00000\n", encoding="ascii")
    other.write_text(
        f"{boards[0]} 0.70000 0.00000\n{boards[1]} 0.10000 0.10000\n", encoding="ascii"
    )
    assert mix(one, other, "0.75").stdout.splitlines() == [
        f"{boards[0]} 0.550000 0.150000",
        f"{boards[1]} 0.100000 0.025000",
    ]
    other.write_text(f"{boards[1]} 0.10000 0.10000\n" * 2, encoding="ascii")
    assert "not the same board" in mix(one, other, "0.75").stderr


def mix(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SOURCES / "mix.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def lesson(board: str, rated: str) -> str:
    """A board and the chances to win, to win two and three points, to lose two and three."""
    lost_three, lost_two, _, won, won_two, won_three = map(float, rated.split())
    chances = (won + won_two + won_three, won_two + won_three, won_three)
    told = (*chances, lost_two + lost_three, lost_three)
    return " ".join([board, *(f"{chance:.5f}" for chance in told)]) + "\n"


def test_two_players_meet(trainer: Path) -> None:
    (told,) = ask_trainer(trainer, "meet", "pin", "greedy", "random", 40, 1)
    assert told.startswith("40 games, won ")


def test_fevga_s_network_beats_the_greedy_player(trainer: Path) -> None:
    """It wins 69 % on the mean; so few of 200 are no chance."""
    player = f"{network_path('fevga')}:1:0:1"
    (told,) = ask_trainer(trainer, "meet", "fevga", player, "greedy", 200, 31)
    assert int(told.split()[3].rstrip(",")) > 110


def test_what_it_is_not_told_rightly_is_said(trainer: Path) -> None:
    for words in (["sing"], ["meet", "chess"], ["rate", "nowhere"]):
        with pytest.raises(Exception, match="returned non-zero exit status 2"):
            ask_trainer(trainer, *words)
