"""The simulator's window: the product's screen, the simulated board, the OLED and a die button.

It takes the place of the product's own window: the screen inside it has the same size, shapes and
touches, and the mouse beside it moves checkers.
"""

from __future__ import annotations

from collections.abc import Iterable

import pygame
from PIL import Image

from pi_app.microseconds import Us
from pi_app.screen.compose import FingerDown
from pi_app.screen.paint import LONG_PRESS, Input, Resized, Window
from pi_app.screen.shapes import Rect, Shape
from pi_app.screen.theme import EDGE, Theme
from pi_app.simulator.drawing import draw_stage
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window_layout import SIZE, WindowLayout, set_stage

LEFT, RIGHT = 1, 3


class SimulatorWindow(Window):
    """The product's window within a larger one; raises ScreenError when SDL finds no display.

    `show` takes the OLED's pictures; `poll` also lets the simulated reeds bounce.  While `typing`
    is set, letters are the product's alone.
    """

    def __init__(
        self,
        table: SimulatedTable,
        size: tuple[int, int] = SIZE,
        *,
        fullscreen: bool = False,
        long_press: Us = LONG_PRESS,
    ) -> None:
        super().__init__(size, fullscreen=fullscreen, long_press=long_press)
        self.typing = False
        self._table = table
        self._pointer = (0, 0)
        self._shapes: tuple[Shape, ...] = ()
        self._theme = Theme.DARK
        self._oled = Image.new("1", (128, 64))
        self._shown: object = None

    @property
    def size(self) -> tuple[int, int]:
        """Of the product's screen in this window."""
        return self._stage.screen.w, self._stage.screen.h

    def draw(self, shapes: Iterable[Shape], theme: Theme = Theme.DARK) -> None:
        """Show a picture of the product, and the board with it."""
        self._shapes, self._theme = tuple(shapes), theme
        self._refresh()

    def show(self, picture: Image.Image) -> None:
        """Show a picture of the OLED; one like the last changes nothing."""
        if picture != self._oled:
            self._oled = picture
            self._refresh()

    def poll(self, now: Us) -> tuple[Input, ...]:
        """The touches and keys meant for the product; the others move the board."""
        self._table.advance(now)
        inputs = super().poll(now)
        self._table.advance(now)
        if self._shown != self._look():
            self._refresh()
        return inputs

    @property
    def _stage(self) -> WindowLayout:
        return set_stage(pygame.display.get_surface().get_size(), self._table.board)

    def _look(self) -> object:
        """All that the drawing of the board depends on."""
        table, checkers = self._table, self._table.checkers
        held = (table.in_hand, self._pointer) if table.in_hand else None
        where = (checkers.lying_on, tuple(map(checkers.pieces, checkers.spots)))
        return where, table.lit, table.lying, table.button_down, held

    def _read(self, event: pygame.event.Event, now: Us) -> Input | None:
        match event.type:
            case pygame.MOUSEBUTTONDOWN:
                return self._mouse_down(event, now)
            case pygame.MOUSEMOTION:
                self._pointer = event.pos
                self._table.hover(now, *self._stage.aim(*event.pos))
                return None
            case pygame.MOUSEBUTTONUP:
                self._table.button(now, False)
                self._table.put(now, *self._stage.aim(*event.pos))
                return None
            case pygame.KEYUP if event.key == pygame.K_b:
                self._table.button(now, False)
            case pygame.KEYDOWN if event.key == pygame.K_b and not self.typing:
                self._table.button(now, True)
            case pygame.KEYDOWN if event.key == pygame.K_r and not self.typing:
                self._table.set_out(now)
        known = super()._read(event, now)
        if isinstance(known, Resized):
            self._shown = None
        return known

    def _mouse_down(self, event: pygame.event.Event, now: Us) -> Input | None:
        stage, (x, y) = self._stage, event.pos
        spot, place = stage.aim(x, y)
        self._pointer = event.pos
        if event.button == LEFT and stage.screen.contains(x, y):
            return FingerDown(x - stage.screen.x, y - stage.screen.y)
        if event.button == LEFT and stage.button.contains(x, y):
            self._table.button(now, True)
        elif spot is not None and event.button == LEFT:
            self._table.take(now, spot, place)
        elif spot is not None and event.button == RIGHT:
            self._table.nudge(now, spot, place)
        return None

    def _refresh(self) -> None:
        """Paint everything anew; dragging is worth it, and nothing else moves here."""
        self._shown = self._look()
        surface, stage = pygame.display.get_surface(), self._stage
        shapes = draw_stage(stage, self._table, self.fonts.measure, self._pointer)
        self._painter.paint(surface, shapes, self._theme)
        # A window can be smaller than any screen: then what is in it is painted.
        if seen := _area(stage.screen).clip(surface.get_rect()):
            self._painter.paint(surface.subsurface(seen), self._shapes, self._theme)
        pygame.draw.rect(surface, EDGE.rgb(self._theme), _area(stage.screen).inflate(4, 4), 2)
        self._paint_oled(surface, stage.panel)
        pygame.display.flip()

    def _paint_oled(self, surface: pygame.surface.Surface, place: Rect) -> None:
        image = self._oled.convert("RGB")
        picture = pygame.image.frombuffer(image.tobytes(), image.size, "RGB")
        surface.blit(pygame.transform.scale(picture, (place.w, place.h)), (place.x, place.y))
        pygame.draw.rect(surface, EDGE.rgb(self._theme), _area(place).inflate(4, 4), 2)


def _area(rect: Rect) -> pygame.Rect:
    return pygame.Rect(rect.x, rect.y, rect.w, rect.h)
