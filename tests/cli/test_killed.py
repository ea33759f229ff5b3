"""Killed or stopped in the middle of an analysis or a rollout, Spotter goes on from there."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from any_table import AnyTable
from stored import store

from pi_app.coach.answers import FILE
from pi_app.coach.study import FILE as RATINGS
from pi_app.coach.study import read_ratings
from pi_app.journal.opening import FILE as JOURNAL
from pi_app.journal.opening import data_folder
from pi_app.match.turns import Phase

PATIENCE_S = 600
ROLLOUT = ("rollout", "backgammon", "-b----E-C---eE---c-e----B- w", "31", "--games", "120")
Rows = list[tuple[int, str]]


@pytest.fixture
def stored(tmp_path: Path, own_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of its own, a finished match of the Pin game, and settings by which all matches
    are analysed."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "spotter").mkdir(parents=True)
    (tmp_path / "config" / "spotter" / "settings.toml").write_text("[coach]\nbacklog = true\n")
    data_folder().mkdir(parents=True)
    table = AnyTable("pin", 1, 7)
    while table.view.phase is not Phase.MATCH_OVER:
        table.goes_on()
    store(data_folder() / JOURNAL, table)


def rows() -> Rows:
    """The kept answers: in which order they came, and to which questions."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(data_folder() / FILE, timeout=9)) as db:
        return db.execute("SELECT number, question FROM answers ORDER BY number").fetchall()
    return []


def spotter(*words: str) -> subprocess.Popen[str]:
    dummy = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    return subprocess.Popen(
        (sys.executable, "-m", "pi_app", *words),
        env={**os.environ, **dummy},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def ended(words: tuple[str, ...], how: signal.Signals, due: Callable[[], object]) -> None:
    """Run until something is so, and end it by the signal."""
    child, until = spotter(*words), time.monotonic() + PATIENCE_S
    try:
        while not due():
            assert time.monotonic() < until
            assert child.poll() is None
            time.sleep(0.01)
    finally:
        child.send_signal(how)
        child.communicate(timeout=PATIENCE_S)


@pytest.mark.slow
@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(
    ("how", "words"),
    [
        (signal.SIGKILL, ("analyse", "1", "--player", "network-2")),
        (signal.SIGTERM, ROLLOUT),
    ],
)
def test_a_command_goes_on_where_it_was_ended(how: signal.Signals, words: tuple[str, ...]) -> None:
    ended(words, how, lambda: len(rows()) > 4)
    before = rows()
    again = spotter(*words)
    told, _ = again.communicate(timeout=PATIENCE_S)
    after = rows()
    assert after[: len(before)] == before  # nothing of it was asked again
    assert len(after) > len(before)
    (data_folder() / FILE).unlink()
    anew, _ = spotter(*words).communicate(timeout=PATIENCE_S)
    assert told == anew != ""
    assert len(rows()) == len(after)


@pytest.mark.slow
@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_program_goes_on_with_the_analysis_in_which_it_was_ended(how: signal.Signals) -> None:
    ended(("--sim",), how, lambda: len(rows()) > 4)
    before = rows()
    assert read_ratings(data_folder() / RATINGS) == ()
    ended(("--sim",), signal.SIGTERM, lambda: read_ratings(data_folder() / RATINGS))
    after = rows()
    assert after[: len(before)] == before
    assert len({question for _, question in after}) == len(after) > len(before)
