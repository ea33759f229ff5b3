"""The simulator's window: the product's screen, the simulated board, the OLED and a die button.

It replaces the product's own window. The screen inside it has the same size, shapes and touches;
beside it the mouse moves checkers.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from contextlib import ExitStack

from PIL import Image

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # as `paint`, whichever comes first

import pygame

from pi_app.base.microseconds import Us
from pi_app.boards import load_board
from pi_app.devices.gpio import open_factory
from pi_app.devices.source import Clock, Put, SensorSource, Timing
from pi_app.rules.contract import Games
from pi_app.screen.canvas import Rect, Shape
from pi_app.screen.compose import FingerDown, Input, Resized
from pi_app.screen.paint import LONG_PRESS, Window
from pi_app.screen.theme import Theme
from pi_app.sensing.description import Board
from pi_app.simulator.drawing import draw_checkers, draw_held, draw_keys, draw_line, draw_stage
from pi_app.simulator.source import OpenSimulated
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window_layout import WindowLayout, fitted, set_stage

LEFT, RIGHT = 1, 3


class SimulatorWindow(Window):
    """The product's window within a larger one. Raises ScreenError if SDL finds no display.

    It is as large as the desktop allows, or of a given size. `table` is the board in it, which may
    be replaced. `show` takes the OLED's pictures. `poll` also lets the simulated reeds bounce.
    While `typing` is set, letters belong to the product alone.
    """

    def __init__(
        self,
        table: SimulatedTable,
        size: tuple[int, int] | None = None,
        *,
        fullscreen: bool = False,
        long_press: Us = LONG_PRESS,
    ) -> None:
        self.table = table
        self._asked = size
        self._helping = False
        self._pointer = (0, 0)
        self._theme = Theme.DARK
        self._glass = pygame.surface.Surface((1, 1))
        self._ground: tuple[object, pygame.surface.Surface] | None = None
        self._oled = Image.new("1", (128, 64))
        self._shown: object = None
        self._laid: tuple[tuple[int, int], WindowLayout] | None = None
        super().__init__((0, 0), fullscreen=fullscreen, long_press=long_press)

    @property
    def size(self) -> tuple[int, int]:
        return self.stage.screen.w, self.stage.screen.h

    @property
    def stage(self) -> WindowLayout:
        size, board = pygame.display.get_surface().get_size(), self.table.board
        if self._laid is None or self._laid[0] != size or self._laid[1].board is not board:
            self._laid = size, set_stage(size, board)
        return self._laid[1]

    def draw(self, shapes: Iterable[Shape], theme: Theme = Theme.DARK) -> None:
        self._theme = theme
        screen = self.stage.screen
        if self._glass.get_size() != (screen.w, screen.h):
            self._glass = pygame.surface.Surface((screen.w, screen.h))
        self._painter.paint(self._glass, shapes, theme)
        if self._helping or self.table.in_hand or self._shown != self._look():
            self._refresh()
        else:
            place = pygame.display.get_surface().blit(self._glass, (screen.x, screen.y))
            pygame.display.update(place)

    def show(self, picture: Image.Image) -> None:
        if picture != self._oled:
            self._oled = picture
            self._refresh()

    def poll(self, now: Us) -> tuple[Input, ...]:
        """Return touches and keys for the product; the others move checkers."""
        self.table.advance(now)
        inputs = super().poll(now)
        self.table.advance(now)
        if self._shown != self._look():
            self._refresh()
        return inputs

    def _open(self, size: tuple[int, int], fullscreen: bool) -> None:
        if self._asked is None:
            # Before there is a window this is the desktop's size.
            pygame.display.init()
            desktop = pygame.display.Info()
            self._asked = fitted((desktop.current_w, desktop.current_h))
        super()._open(self._asked, fullscreen)

    def _look(self) -> object:
        table, checkers = self.table, self.table.checkers
        held = (table.in_hand, self._pointer) if table.in_hand else None
        where = (checkers.lying_on, tuple(map(checkers.pieces, checkers.spots)))
        return self._still(), where, table.lying, held, self._helping

    def _still(self) -> tuple[object, ...]:
        lit, down = self.table.lit, self.table.button_down
        return (
            pygame.display.get_surface().get_size(),
            self.table.board.name,
            lit,
            down,
            self.language,
            self._theme,
        )

    def _read(self, event: pygame.event.Event, now: Us) -> Input | None:
        if event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            asked = event.type == pygame.KEYDOWN and event.key == pygame.K_F1
            if self._helping or asked:
                self._helping = not self._helping
                return None
        match event.type:
            case pygame.MOUSEBUTTONDOWN:
                return self._mouse_down(event, now)
            case pygame.MOUSEMOTION:
                self._pointer = event.pos
                self.table.hover(now, *self.stage.aim(*event.pos))
                return None
            case pygame.MOUSEBUTTONUP:
                self.table.button(now, False)
                self.table.put(now, *self.stage.aim(*event.pos))
                return None
            case pygame.KEYUP if event.key == pygame.K_b:
                self.table.button(now, False)
            case pygame.KEYDOWN if event.key == pygame.K_b and not self.typing:
                self.table.button(now, True)
            case pygame.KEYDOWN if event.key == pygame.K_r and not self.typing:
                self.table.set_out(now)
        known = super()._read(event, now)
        if isinstance(known, Resized):
            self._shown = None
        return known

    def _mouse_down(self, event: pygame.event.Event, now: Us) -> Input | None:
        stage, (x, y) = self.stage, event.pos
        spot, place = stage.aim(x, y)
        self._pointer = event.pos
        if event.button == LEFT and stage.screen.contains(x, y):
            return FingerDown(x - stage.screen.x, y - stage.screen.y)
        if event.button == LEFT and stage.button.contains(x, y):
            self.table.button(now, True)
        elif spot is not None and event.button == LEFT:
            self.table.take(now, spot, place)
        elif spot is not None and event.button == RIGHT:
            self.table.nudge(now, spot, place)
        return None

    def _refresh(self) -> None:
        self._shown = self._look()
        surface, stage, measure = pygame.display.get_surface(), self.stage, self.fonts.measure
        still = self._still()
        if self._ground is None or self._ground[0] != still:
            ground = pygame.surface.Surface(surface.get_size())
            self._painter.paint(ground, draw_stage(stage, self.table, measure), self._theme)
            self._painter.paint(ground, draw_line(stage.help, measure, self.language), self._theme)
            self._ground = still, ground
        surface.blit(self._ground[1], (0, 0))
        surface.blit(self._glass, (stage.screen.x, stage.screen.y))
        self._paint_oled(surface, stage.panel)
        self._painter.paint(surface, draw_checkers(stage, self.table, measure), self._theme)
        self._painter.paint(surface, draw_held(stage, self.table, self._pointer), self._theme)
        if self._helping:
            self._painter.paint(surface, draw_keys(stage.size, measure, self.language), self._theme)
        pygame.display.flip()

    def _paint_oled(self, surface: pygame.surface.Surface, place: Rect) -> None:
        image = self._oled.convert("RGB")
        picture = pygame.image.frombuffer(image.tobytes(), image.size, "RGB")
        surface.blit(pygame.transform.scale(picture, (place.w, place.h)), (place.x, place.y))


class SimulatedRoom:
    """The window, and the simulated board in it, which can be replaced.

    `rng` decides how reeds bounce and miss. Raises DeviceError if the first board cannot be opened,
    ScreenError without a display.
    """

    def __init__(
        self,
        open_board: OpenSimulated,
        board: Board,
        clock: Clock,
        put: Put,
        timing: Timing,
        *,
        fullscreen: bool = False,
        rng: random.Random | None = None,
    ) -> None:
        self._open_board, self._rng = open_board, rng or random.Random()
        self._clock, self._put, self._timing = clock, put, timing
        self.source, table = self._opened(board)
        with ExitStack() as until_open:
            until_open.callback(self.source.close)
            self.window = SimulatorWindow(
                table, fullscreen=fullscreen, long_press=timing.long_press
            )
            until_open.pop_all()

    def fetch(self, name: str, games: Games) -> tuple[Board, SensorSource]:
        """Replace the board in the window by the one of this name.

        Raises ConfigError for a board that cannot be read, DeviceError for one that cannot be
        opened; then the present board stays.
        """
        board = load_board(name, games)
        self.source, self.window.table = self._opened(board)
        return board, self.source

    def _opened(self, board: Board) -> tuple[SensorSource, SimulatedTable]:
        factory = open_factory("mock")
        devices = self._open_board(board, factory, self._clock, self._put, self._timing)
        return devices.source, SimulatedTable(
            board, factory, self._rng, drive_cell=devices.drive_cell
        )
