"""Which version of the package runs, and how a user leaves one."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.cli import play, rollback
from pi_app.cli.rollback import (
    FAILED,
    INSTALLED,
    MOST_STARTS,
    ON_TRIAL,
    PREVIOUS,
    UPDATING,
    VERSION,
    Package,
    pass_trial,
    roll_back,
)
from pi_app.journal.opening import Opened, open_journal

PLAY = ["play", "--fullscreen"]


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """Version 2, with version 1 before it."""
    for folder, version in ((INSTALLED, "2"), (PREVIOUS, "1")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / VERSION).write_text(f"{version}\n", encoding="utf-8")
    return Package(tmp_path, tmp_path / "state" / "trial.json")


def start(package: Package, *words: str) -> str:
    """The version that is started."""
    folder, _ = package.choose(list(words) or PLAY)
    return (folder / VERSION).read_text(encoding="utf-8").strip()


def test_after_three_failed_starts_the_version_before_runs(package: Package) -> None:
    assert [start(package) for _ in range(MOST_STARTS + 2)] == ["2", "2", "2", "1", "1"]
    assert package.choose(PLAY)[1] == {FAILED: "2"}
    assert start(package, "doctor") == "1"


def test_a_good_start_ends_the_trial(package: Package) -> None:
    start(package)
    start(package)
    _, variables = package.choose(PLAY)
    pass_trial(Path(variables[ON_TRIAL]))
    assert {start(package) for _ in range(9)} == {"2"}
    assert package.choose(PLAY)[1] == {}


def test_only_starts_of_a_board_count(package: Package) -> None:
    for words in (["--version"], ["--help"], ["doctor"], ["play", "-h"], ["help", "play"]):
        assert [start(package, *words) for _ in range(5)] == ["2"] * 5
    assert package.trial.starts == 0


@pytest.mark.parametrize(
    "words",
    [["--sim"], ["--board", "tables-24", "--kiosk"], ["play", "--board", "x"], ["--sim", "--once"]],
)
def test_every_way_to_start_a_board_counts(package: Package, words: list[str]) -> None:
    assert [start(package, *words) for _ in range(MOST_STARTS + 1)] == ["2", "2", "2", "1"]


PROGRAM = """
class Trouble(Exception): pass
def start(status={status}):
    if status is None: raise Trouble("a part is missing\\nhere")
    return status
"""


def started(package: Package, status: int | None, *words: str) -> str:
    """What a start of version 2 that ends so prints as an error."""
    folder = package.root / INSTALLED / "pi_app"
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").touch()
    (folder / "__main__.py").write_text(PROGRAM.format(status=status), encoding="utf-8")
    script = (
        "import sys; from pathlib import Path; from runpy import run_path\n"
        f"code = run_path({rollback.__file__!r})\n"
        f"package = code['Package'](Path({str(package.root)!r}), Path({str(package.file)!r}))\n"
        "def start():\n"
        "    from pi_app.__main__ import start\n"
        "    return start()\n"
        f"sys.exit(code['main']({[*words]!r}, package, start))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=package.root,
    )
    assert done.returncode == (1 if status is None else status)
    return done.stderr


HINT = "spotter: spotter rollback uses 1 again\n"


@pytest.mark.parametrize("words", [["--sim"], ["--kiosk"], []])
def test_a_failing_start_of_a_new_version_names_the_way_back(
    package: Package, words: list[str]
) -> None:
    assert started(package, 1, *words) == HINT
    assert started(package, None, *words) == f"spotter: Trouble: a part is missing\n{HINT}"
    assert package.trial.starts == 2
    assert started(package, 0, *words) == ""
    assert package.trial.passed
    assert started(package, 1, *words) == ""


def test_an_end_that_says_nothing_of_the_version_does_not_count(package: Package) -> None:
    for status, words in ((130, ["--kiosk"]), (2, ["--bord", "x"]), (1, ["doctor"])):
        assert started(package, status, *words) == ""
        assert package.trial.starts == 0
    assert started(package, 2, "--kiosk") == HINT, "its words are known: the settings are refused"
    assert package.trial.starts == 1


def test_going_back_and_forth(package: Package, capsys: pytest.CaptureFixture[str]) -> None:
    assert roll_back([], package) == 0
    assert start(package) == "1"
    assert package.choose(PLAY)[1] == {}, "who asked for it need not be told"
    assert roll_back(["--undo"], package) == 0
    assert start(package) == "2"
    assert capsys.readouterr().out.splitlines() == [
        "Spotter 1 runs from the next start on; spotter rollback --undo uses 2 again",
        "Spotter 2 runs from the next start on",
    ]


def test_the_next_version_is_tried(package: Package) -> None:
    roll_back([], package)
    (package.root / INSTALLED / VERSION).write_text("3\n", encoding="utf-8")
    assert start(package) == "3"


def test_during_an_update_the_copy_runs(package: Package) -> None:
    (package.root / UPDATING).touch()
    assert start(package) == "1"
    (package.root / INSTALLED / VERSION).unlink()
    assert start(package, "--version") == "1"


def test_the_same_version_twice_is_none_to_go_back_to(package: Package) -> None:
    (package.root / PREVIOUS / VERSION).write_text("2\n", encoding="utf-8")
    assert roll_back([], package) == 1
    assert {start(package) for _ in range(9)} == {"2"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '{"version": "2", "more": 1}', "\0", "[" * 100_000, "9" * 10_000),
        *(f'{{"version": "2", "starts": {value}}}' for value in ("null", '"1"', "[]", "1.5")),
        *(f'{{"version": "2", "{key}": {{}}}}' for key in ("starts", "passed", "left")),
        '{"version": ["2"], "starts": 3}',
        '{"version": "2", "starts": 3, "left": "no reason"}',
    ],
)
def test_a_damaged_file_about_the_trial_says_nothing(package: Package, text: str) -> None:
    package.file.parent.mkdir()
    package.file.write_text(text, encoding="utf-8")
    pass_trial(package.file)
    assert start(package) == "2"
    assert package.trial.starts == 1


def test_where_nothing_can_be_noted_the_installed_version_runs(
    package: Package, capsys: pytest.CaptureFixture[str]
) -> None:
    package.file.parent.write_text("in the way", encoding="utf-8")
    assert {start(package) for _ in range(9)} == {"2"}
    assert roll_back([], package) == 1
    assert capsys.readouterr().err.startswith(f"spotter: {package.file}: ")


def test_wrong_words_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for argv, status in ((["rollback", "--now"], 2), (["help", "rollback"], 0)):
        with pytest.raises(SystemExit) as ended:
            main(argv)
        assert ended.value.code == status
    assert "--undo" in capsys.readouterr().out


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return open_journal(tmp_path)


def test_the_screen_says_which_version_was_left(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FAILED, "2.0.0")
    told = play._rollback_notices(opened).notices[0]
    assert told.startswith("Spotter 2.0.0 failed to start")
    monkeypatch.delenv(FAILED)
    assert told not in play._rollback_notices(opened).notices
    opened.close()


def test_after_a_while_of_play_the_trial_is_passed(
    package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, variables = package.choose(PLAY)
    monkeypatch.setenv(ON_TRIAL, variables[ON_TRIAL])
    monkeypatch.setattr(play, "TRIAL_S", 0.0)
    with ExitStack() as at_the_end:
        timer = play._stand_trial(at_the_end)
        assert timer is not None
        timer.join()
    assert package.trial.passed


def test_one_that_ends_before_has_not_passed(
    package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, variables = package.choose(PLAY)
    monkeypatch.setenv(ON_TRIAL, variables[ON_TRIAL])
    with ExitStack() as at_the_end:
        timer = play._stand_trial(at_the_end)
    assert timer is not None
    timer.join()
    assert not package.trial.passed
