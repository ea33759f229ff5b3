"""A match of each game in the real window: touches on its screen, hands over its board."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from guests import Guests
from known import BOARDS, GAMES

from pi_app.match.phases import Phase

XVFB = shutil.which("Xvfb")
pytestmark = pytest.mark.skipif(XVFB is None, reason="no Xvfb; tests/run installs it")


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server that nobody looks at."""
    assert XVFB
    reads, writes = os.pipe()
    command = [XVFB, "-displayfd", str(writes), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writes], stderr=subprocess.DEVNULL)
    os.close(writes)
    with os.fdopen(reads) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.fixture
def guests(display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guests]:
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    guests = Guests(tmp_path / "journal", seed=3)
    yield guests
    guests.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_from_the_first_touch_to_the_last_point(
    guests: Guests, game: str
) -> None:
    guests.begin(game, "1")
    assert guests.room.window.table.board.name == BOARDS[game]
    guests.finish()
    view = guests.view
    assert view.phase is Phase.MATCH_OVER
    assert max(view.score.white, view.score.black) >= 1
    standing = {spot: on for spot, on in view.accepted.items() if on}
    checkers = guests.room.window.table.checkers
    assert {spot: len(checkers.at(spot)) for spot in standing} == {
        spot: len(on) for spot, on in standing.items()
    }
    journal = guests.opened.journal
    assert journal.unfinished() is None
    assert journal.match(1).score == view.score


def test_every_button_is_pressed(guests: Guests) -> None:
    for game in GAMES:
        guests.begin(game, "3")
        guests.explore(12)
    for _ in range(20):
        if guests.seen - guests.pressed == {"Quit"}:
            break
        guests.begin("nannon", "3")  # of all boards the quickest
        guests.explore(100)
    guests.quit()
    # Guests who have just offered to resign go on to another button before the answer.
    assert guests.seen - guests.pressed <= {"Accept # point"}
    assert {
        "Pass, lose #",
        "Take back",
        "Resign",
        "Begin",
        "sensor off",
        "screen.language",
        "Ä",
    } <= (guests.pressed)
