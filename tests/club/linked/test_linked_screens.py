"""Two Spotters as processes, a real broker between them, and touches on their screens alone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hall import HAS_MOSQUITTO, Hall, until

from pi_app.club.setting_up import CARDS

NAMES = ("town-1", "town-2")
PATIENCE_S = 60


class TouchedSpotter:
    """One of the two: its process, and what stands on its screen."""

    def __init__(self, folder: Path, hall: Hall, name: str, at_the_end: ExitStack) -> None:
        stick = folder / name / "STICK"
        stick.mkdir(parents=True)
        shutil.copy(hall.club / CARDS / f"{name}.toml", stick)
        places = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        own = {place: str(folder / name / place) for place in places}
        script = str(Path(__file__).with_name("touched_spotter.py"))
        self._process = subprocess.Popen(
            [sys.executable, script, str(stick), "--sim"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", **own},
        )
        at_the_end.callback(self._process.kill)
        until(lambda: "Skip" in self.reads(), PATIENCE_S)
        self.taps("Skip", "New match")

    def _says(self, words: str) -> str:
        assert self._process.stdin
        assert self._process.stdout
        print(words, file=self._process.stdin, flush=True)
        return self._process.stdout.readline()

    def reads(self) -> str:
        return self._says("read")

    def sees(self, words: str) -> None:
        until(lambda: words in self.reads(), PATIENCE_S)

    def taps(self, label: str, leads_to: str) -> None:
        """Again, if it was too soon: what has just come takes no touch."""
        for _ in range(20):
            self._says(f"tap {label}")
            try:
                until(lambda: leads_to in self.reads(), 1)
            except AssertionError:
                continue
            return
        raise AssertionError(f"{label} does not lead to {leads_to!r}: {self.reads()}")

    def ends(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE_S)


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[tuple[TouchedSpotter, TouchedSpotter]]:
    with ExitStack() as at_the_end:
        hall = Hall(tmp_path, NAMES)
        at_the_end.callback(hall.at_the_end.close)
        one, two = (TouchedSpotter(tmp_path, hall, name, at_the_end) for name in NAMES)
        yield one, two


@pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
def test_two_boards_join_by_their_cards_and_begin_a_match_by_touches_alone(
    towns: tuple[TouchedSpotter, TouchedSpotter],
) -> None:
    one, two = towns
    for number, town in enumerate(towns, start=1):
        town.taps("Settings", "Club")
        town.taps("Club", "Not in a club")
        town.taps("Join from USB stick", f"This board is town-{number} of the club")
    two.taps("Back", "More settings")
    one.taps("Back", "More settings")
    one.taps("Back", "New match")
    one.taps("New match", "Begin")
    one.taps("Another board", "This board plays")
    one.sees("town-2")
    one.taps("town-2", "Waiting for town-2")
    two.sees("town-1 asks")
    two.taps("Show", "invites you")
    two.taps("Yes", "Opening roll: White")
    one.sees("Opening roll: White")
    assert [town.ends() for town in towns] == [0, 0]
