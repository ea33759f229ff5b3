"""Starting and ending: a first picture, one clear line for what is missing, a clean end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pi_app.boards import load_board
from pi_app.cli.bench import _edge_times, _line

SPOTTER = [sys.executable, "-m", "pi_app"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folders = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    return {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", **folders}


def spotter(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SPOTTER, *words], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def test_the_simulated_board_comes_up_without_any_hardware(environment: dict[str, str]) -> None:
    ended = spotter(environment, "--sim", "--once")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--board", "oak"), "no such board; choose nannon-6"),
        (("--board", "/no/such.toml"), "/no/such.toml: cannot be read"),
    ],
)
def test_a_bad_board_is_one_clear_line(
    words: tuple[str, ...], said: str, environment: dict[str, str]
) -> None:
    ended = spotter(environment, "--sim", *words)
    assert ended.returncode == 1
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_bad_settings_are_all_named(environment: dict[str, str]) -> None:
    folder = Path(environment["XDG_CONFIG_HOME"]) / "spotter"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text("loud = true\n[times]\ngrace_ms = 5\n", encoding="utf-8")
    ended = spotter(environment, "--sim")
    assert ended.returncode == 1
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
        first.send_signal(signal.SIGTERM)
        _, said = first.communicate(timeout=20)
        assert (first.returncode, said) == (0, b"")
    finally:
        first.kill()
        first.communicate()


def test_the_bench_measures_what_the_hands_do() -> None:
    times = _edge_times(load_board("nannon-6"), 60)
    assert len(times) == 60
    assert _line("edges", [3.0, 1.0, 2.0], "fast") == (
        "edges: median 2.000 ms, 99 % 3.000 ms, worst 3.000 ms (aim: fast)"
    )
