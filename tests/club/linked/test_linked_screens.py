"""Two Spotters as processes, a real broker between them, and touches on their screens alone."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from friends_broker import FriendsBroker
from hall import HAS_MOSQUITTO, Hall, until

from pi_app.club.line import Scheme
from pi_app.club.setting_up import CARDS

NAMES = ("town-1", "town-2")
PATIENCE_S = 60


class TouchedSpotter:
    """One of the two: its process, and what stands on its screen."""

    def __init__(
        self, folder: Path, name: str, at_the_end: ExitStack, before: Iterable[str] = ()
    ) -> None:
        """`before` are the words of a command that is run first."""
        stick = folder / name / "STICK"
        stick.mkdir(parents=True, exist_ok=True)
        places = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        own = {place: str(folder / name / place) for place in places}
        if words := tuple(before):
            subprocess.run(
                [sys.executable, "-m", "pi_app", *words], env={**os.environ, **own}, check=True
            )
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

    def types(self, text: str, *, digits: bool = False) -> None:
        """Touches the keys of a text, one after the other."""
        if digits:
            self.taps("123", "ABC")
        for letter in text:
            key = "space" if letter == " " else letter
            before = self.reads()
            for _ in range(20):
                self._says(f"tap {key}")
                try:
                    until(lambda seen=before: self.reads() != seen, 1)  # type: ignore[misc]
                except AssertionError:
                    continue
                break
        if digits:
            self.taps("abc", "123")

    def ends(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE_S)


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[tuple[TouchedSpotter, TouchedSpotter]]:
    with ExitStack() as at_the_end:
        hall = Hall(tmp_path, NAMES)
        at_the_end.callback(hall.at_the_end.close)
        for name in NAMES:
            stick = tmp_path / name / "STICK"
            stick.mkdir(parents=True)
            shutil.copy(hall.club / CARDS / f"{name}.toml", stick)
        one, two = (TouchedSpotter(tmp_path, name, at_the_end) for name in NAMES)
        yield one, two


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
def test_two_friends_meet_by_a_code_and_begin_a_match_by_touches_alone(tmp_path: Path) -> None:
    """The second one reads the code from the first one's screen and types it key by key, taking a
    word as soon as it is offered. Afterwards they are on each other's list."""
    with ExitStack() as at_the_end:
        broker = at_the_end.enter_context(FriendsBroker(tmp_path))
        address = str(broker.at(Scheme.WSS))
        before = ("friend", "broker", address, "--ca", str(broker.ca))
        ann, ben = (TouchedSpotter(tmp_path, name, at_the_end, before) for name in ("ann", "ben"))
        for one in (ann, ben):
            one.taps("New match", "Begin")
            one.taps("Play a friend", "No friends yet")
        ann.taps("Show a code", "Tell your friend this code")
        (code,) = re.findall(r"\d+ [a-z]+ [a-z]+ [a-z]+(?= Tell)", ann.reads())
        number, *words = code.split()
        ben.taps("I have a code", "Your friend's code")
        ben.types(number, digits=True)
        for word in words:
            ben.types(f" {word[:4]}")
        ben.taps("Done", "Waiting for the friend who shows")
        ben.sees("your friend asks")
        ben.taps("Show", "invites you")
        ben.taps("Yes", "Opening roll: White")
        ann.sees("Opening roll: White")
        assert [one.ends() for one in (ann, ben)] == [0, 0]
