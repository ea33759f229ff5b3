"""Tests that must pass with any accepted packages: tests/run runs them with Debian 12's own, by the
Python of `.venv-system`, and otherwise with the pinned packages."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import Any

import cryptography
import filelock
import luma.oled.device
import PIL
import platformdirs
import pygame
import pytest
import segno
import serial
import tomli_w
from known import FACES, find_game, load_board
from PIL import Image

from pi_app.__main__ import main
from pi_app.app.loop import App
from pi_app.app.services import Devices, Services
from pi_app.base.microseconds import Us, ms
from pi_app.devices.dice import Dice
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.journal.opening import open_journal
from pi_app.match.turns import Phase
from pi_app.referee.events import Event, MatchId
from pi_app.referee.view import View
from pi_app.rules.terms import Spot, read_roll
from pi_app.screen.front import ScreenFront
from pi_app.screen.sound import Speaker
from pi_app.seal.record import write_record
from pi_app.seal.verifying import read_record
from pi_app.sensing.reading import BoardState
from pi_app.simulator.reeds import NONE
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window import SimulatorWindow
from pi_app.simulator.window_layout import SIZE, set_stage
from pi_app.user.commands import NewMatch
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
GAME = find_game("nannon")
HAND_MS = 250
PATIENCE_MS = 10_000
DISTRIBUTIONS = Path(sys.prefix).name == ".venv-system"
"""Whether this Python is the one that tests/run has made for the distribution's packages."""


@pytest.fixture(autouse=True)
def _nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without display and sound card, and away from the user's settings and matches."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    for folder in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder))


@pytest.mark.skipif(not DISTRIBUTIONS, reason="these are not the distribution's packages")
@pytest.mark.parametrize(
    "module",
    [pygame, luma.oled.device, serial, PIL, platformdirs, tomli_w, filelock, segno, cryptography],
)
def test_they_are_the_distributions(module: ModuleType) -> None:
    assert str(module.__file__).startswith("/usr/lib/python3/dist-packages/"), module.__file__


def test_it_starts(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--sim", "--once"]) == 0
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("words", [[], ["--fullscreen"]])
def test_it_fills_the_display_where_it_is_told_to(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_mode, flags = pygame.display.set_mode, []

    def seen(size: tuple[int, int], flag: int) -> pygame.surface.Surface:
        flags.append(flag)
        return set_mode(size, flag)

    monkeypatch.setattr(pygame.display, "set_mode", seen)
    assert main(["--sim", "--once", *words]) == 0
    assert flags == [pygame.FULLSCREEN if words else pygame.RESIZABLE]


@pytest.mark.parametrize("more", [(), ("--oled",)])
def test_a_screenshot(tmp_path: Path, more: tuple[str, ...]) -> None:
    file = tmp_path / "picture.png"
    events = Path(__file__).parent / "scenarios" / "nannon-wrong.jsonl"
    assert main(["screenshot", str(events), "-o", str(file), *more]) == 0
    with Image.open(file) as picture:
        assert picture.size == ((128, 64) if more else (800, 480))
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 1


class WindowPlayers:
    """Two people at the simulated window, with nothing but its mouse and its die button."""

    def __init__(self, folder: Path) -> None:
        self.now = 0
        self.views: list[View] = []
        queue: SimpleQueue[Event] = SimpleQueue()
        factory = open_factory("mock")
        source = GpioBoard(BOARD, factory, self._clock, queue.put)
        table = SimulatedTable(BOARD, factory, random.Random(1), NONE)
        window = SimulatorWindow(table, SIZE)
        self.opened = open_journal(folder)
        self.app = App(
            BOARD,
            "nannon-6",
            FACES,
            Settings(),
            self._clock,
            queue,
            Devices(
                source,
                ScreenFront(window),
                Speaker(on=False, volume=0),
                window,
                Dice(random.Random(1)),
                (self.views.append,),
            ),
            Services(self.opened),
        )
        self.stage = set_stage(SIZE, BOARD)

    def _clock(self) -> Us:
        return ms(self.now)

    @property
    def view(self) -> View:
        return self.views[-1]

    def wait(self, for_ms: int = HAND_MS) -> None:
        for _ in range(for_ms // 50):
            self.now += 50
            self.app.step()

    def until(self, what: Any) -> None:
        for _ in range(PATIENCE_MS // 50):
            if what():
                return
            self.wait(50)
        raise AssertionError(f"nothing came of it: {self.view}")

    def key(self, code: int, letter: str) -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=code, unicode=letter, mod=0))
            self.wait()

    def carry(self, origin: Spot, target: Spot) -> None:
        start, end = (self.stage.centre(BOARD.place(spot)) for spot in (origin, target))
        for kind, fields in (
            (pygame.MOUSEBUTTONDOWN, {"pos": start, "button": 1}),
            (pygame.MOUSEMOTION, {"pos": end, "rel": (0, 0), "buttons": (1, 0, 0)}),
            (pygame.MOUSEBUTTONUP, {"pos": end, "button": 1}),
        ):
            pygame.event.post(pygame.event.Event(kind, **fields))
            self.wait()

    def press(self) -> None:
        self.key(pygame.K_b, "b")

    def turn(self) -> None:
        """The first legal play, by hand."""
        position, roll = GAME.read_position(self.view.position), read_roll(self.view.roll or "", 1)
        play = GAME.plays(position, roll)[0]
        loser = position.mover.other
        for move in GAME.moves(position, play):
            if move.hit:
                self.carry(move.target, Spot.read(f"home.{loser.value}"))
            self.carry(move.origin, move.target)
        self.until(lambda: self.view.board in (BoardState.PLAYED, BoardState.RESTING))
        assert self.view.board is BoardState.PLAYED or not GAME.moves(position, play)
        self.press()

    def play(self) -> None:
        acts = {
            Phase.SET_UP: lambda: self.key(pygame.K_r, "r"),
            Phase.MOVING: self.turn,
        }
        while self.view.phase is not Phase.MATCH_OVER:
            assert len(self.views) < 5000
            acts.get(self.view.phase, self.press)()


@pytest.fixture
def players(tmp_path: Path) -> Iterator[WindowPlayers]:
    players = WindowPlayers(tmp_path)
    yield players
    players.app.close()
    players.opened.close()


def test_a_match_in_the_simulated_window(players: WindowPlayers) -> None:
    players.app.begin(NewMatch("nannon", ("Ada", "Ben"), 1, {"cube": False}))
    players.wait()
    players.play()
    score = players.view.score
    assert max(score.white, score.black) >= 1
    assert len({view.position for view in players.views}) > 10
    assert {BoardState.DISTURBED, BoardState.WRONG}.isdisjoint(v.board for v in players.views)
    lines = players.opened.journal.record(MatchId(1))
    assert read_record(write_record(lines).encode()).faults == ()
