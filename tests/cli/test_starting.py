"""Starting and ending: a first picture, one clear line for what is missing, a clean end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from emulated import built
from known import load_board
from lab.bench import edge_times, line
from offspring import alive, catches, children

from pi_app.__main__ import main
from pi_app.players.gnubg import player as gnubg_player

SPOTTER = [sys.executable, "-m", "pi_app"]
Started = Callable[..., subprocess.CompletedProcess[str]]
EMULATED = ("--sim", "--emulator", "--board", "tables-24")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folders = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    return {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", **folders}


def spotter(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SPOTTER, *words], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture
def here(
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Started:
    """Starts Spotter in this process: enough for what is refused before anything begins."""
    for folder in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(folder, environment[folder])

    def started(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(words, main([*words]), *capfd.readouterr())

    return started


def test_the_simulated_board_comes_up_without_any_hardware(environment: dict[str, str]) -> None:
    ended = spotter(environment, "--sim", "--once")
    assert (ended.returncode, ended.stderr) == (0, "")


LOOKS_AT_MEMORY = """
import gc
from pi_app.__main__ import main
from pi_app.app.loop import App

step = App.step
App.step = lambda app: (print(gc.get_freeze_count()), step(app))
main(["--sim", "--once"])
"""


def test_no_turn_waits_until_all_that_the_start_made_is_looked_through_for_garbage(
    environment: dict[str, str],
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOOKS_AT_MEMORY],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert int(ended.stdout) > 10_000


def test_a_match_begins_without_a_touch_and_its_views_are_printed(
    environment: dict[str, str],
) -> None:
    words = ("--match", "nannon", "--to", "3", "--players", "Ada", "Ben", "--views")
    ended = spotter(environment, "--sim", "--once", *words)
    assert (ended.returncode, ended.stderr) == (0, "")
    (view,) = map(json.loads, ended.stdout.splitlines())
    assert (view["game"], view["phase"], view["match_to"]) == ("nannon", "set up", 3)
    listed = spotter(environment, "matches").stdout.split()
    assert {"nannon", "Ada", "Ben", "3"} <= set(listed)


def test_a_match_against_spotter_begins_and_its_player_is_told_where_there_is_none(
    environment: dict[str, str], here: Started
) -> None:
    words = ("--sim", "--once", "--match", "nannon", "--seed", "1", "--views", "--against")
    ended = spotter(environment, *words, "random", "--machine", "white")
    assert (ended.returncode, ended.stderr) == (0, "")
    refused = here(*words, "nobody")
    assert "player 'nobody' is not known here; choose one of: exact, random" in refused.stderr
    alone = here("--sim", "--once", "--against", "random")
    assert "--against, --linked and --friend go with --match" in alone.stderr


def test_a_player_that_is_not_installed_begins_no_match(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gnubg_player, "program", lambda: None)
    assert main(["--sim", "--once", "--match", "backgammon", "--against", "gnubg-2"]) == 1
    assert capsys.readouterr().err == f"spotter: {gnubg_player.MISSING()}\n"


def test_a_match_to_no_end_is_begun_with_its_own_options(environment: dict[str, str]) -> None:
    words = ("--board", "tables-24", "--match", "backgammon", "--to", "unlimited", "--views")
    ended = spotter(environment, "--sim", "--once", *words)
    assert json.loads(ended.stdout)["match_to"] is None


def test_a_match_of_another_game_brings_the_simulated_board_it_needs(
    environment: dict[str, str],
) -> None:
    ended = spotter(environment, "--sim", "--once", "--match", "cannon", "--views")
    view = json.loads(ended.stdout)
    assert (ended.returncode, view["game"], view["phase"]) == (0, "cannon", "set up")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--match", "chess"), "game 'chess' is not known; choose one of: nannon, "),
    ],
)
def test_a_match_that_cannot_be_is_one_clear_line(
    words: tuple[str, ...], said: str, here: Started
) -> None:
    ended = here("--sim", "--once", *words)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert said in ended.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--match", "nannon", "--to", "0"),
        ("--match", "nannon", "--to", "1000"),
        ("--match", "nannon", "--to", "9" * 5000),
        ("--match", "nannon", "--to", "²"),
        ("--match", "nannon", "--players", "Ada"),
        ("--to", "3"),
        ("--players", "Ada", "Ben"),
    ],
)
def test_options_of_no_match_are_refused(words: tuple[str, ...], here: Started) -> None:
    ended = here("--sim", "--once", *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("spotter: ")


def test_with_seeded_dice_nothing_is_kept(environment: dict[str, str]) -> None:
    ended = spotter(environment, "--sim", "--once", "--seed", "7", "--match", "nannon")
    assert (ended.returncode, ended.stderr) == (0, "")
    folder = Path(environment["XDG_DATA_HOME"]) / "spotter"
    assert [file.name for file in folder.iterdir()] == ["spotter.lock"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--board", "oak"), "oak: no such board; choose cannon-10, nannon-6, "),
        (("--board", "/no/such.toml"), "/no/such.toml: cannot be read"),
    ],
)
def test_a_bad_board_is_one_clear_line(words: tuple[str, ...], said: str, here: Started) -> None:
    ended = here("--sim", *words)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_bad_settings_are_all_named(environment: dict[str, str]) -> None:
    folder = Path(environment["XDG_CONFIG_HOME"]) / "spotter"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text("loud = true\n[times]\ngrace_ms = 5\n", encoding="utf-8")
    ended = spotter(environment, "--sim")
    assert ended.returncode == 2
    assert "times.grace_ms is 5; it must be from 300 to 10000" in ended.stderr
    assert "loud = True is not known" in ended.stderr


def test_a_second_spotter_is_refused_and_the_first_ends_cleanly_on_sigterm(
    environment: dict[str, str],
) -> None:
    lock = Path(environment["XDG_DATA_HOME"]) / "spotter" / "spotter.lock"
    first = subprocess.Popen([*SPOTTER, "--sim"], env=environment, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 30
        while not lock.exists() or lock.read_text().strip() != str(first.pid):
            assert time.monotonic() < deadline
        second = spotter(environment, "--sim", "--once")
        assert second.returncode == 1
        assert "already running" in second.stderr
        until(lambda: catches(first.pid, signal.SIGTERM))
        first.send_signal(signal.SIGTERM)
        _, said = first.communicate(timeout=20)
        assert (first.returncode, said) == (0, b"")
    finally:
        first.kill()
        first.communicate()


def test_on_the_emulator_the_first_picture_is_drawn_and_nothing_is_left(
    environment: dict[str, str], tmp_path: Path
) -> None:
    built()
    ended = spotter({**environment, "TMPDIR": str(tmp_path)}, *EMULATED, "--once")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert list(tmp_path.glob("spotter-*")) == []


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_the_emulator_ends_with_spotter_however_that_ends(
    how: signal.Signals, environment: dict[str, str], tmp_path: Path
) -> None:
    built()
    own = {**environment, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([*SPOTTER, *EMULATED], env=own, stderr=subprocess.PIPE) as first:
        try:
            until(lambda: first.poll() is not None or catches(first.pid, signal.SIGTERM))
            (child,) = emulators(first.pid)
            first.send_signal(how)
            _, said = first.communicate(timeout=20)
            assert (first.returncode, said) == (0 if how is signal.SIGTERM else -how, b"")
        finally:
            first.kill()
    until(lambda: not alive(child))


def test_an_emulator_is_for_simulated_boards_with_a_scanner(here: Started) -> None:
    ended = here("--emulator", "--board", "tables-24")
    assert ended.returncode == 2
    assert "--emulator goes with --sim" in ended.stderr
    ended = here("--sim", "--emulator", "--board", "nannon-6")
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert "'nannon-6' has no scanner to emulate; leave --emulator out" in ended.stderr


def test_what_the_emulator_is_built_with_is_named(environment: dict[str, str]) -> None:
    ended = spotter({**environment, "PATH": os.devnull}, *EMULATED)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert "cannot be built without make, cc, avr-gcc" in ended.stderr
    assert "sudo apt install make gcc libc6-dev gcc-avr avr-libc libsimavr-dev" in ended.stderr


def emulators(pid: int) -> set[int]:
    """The emulated boards that a program has started and that run."""
    return {child for child in children(pid) if "scanner-sim" in command(child)}


def command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def until(done: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not done():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def test_the_bench_measures_what_the_hands_do() -> None:
    times = edge_times(load_board("nannon-6"), 60)
    assert len(times) == 60
    assert line("edges", [3.0, 1.0, 2.0], "fast") == (
        "edges: median 2.000 ms, 99 % 3.000 ms, worst 3.000 ms (aim: fast)"
    )
