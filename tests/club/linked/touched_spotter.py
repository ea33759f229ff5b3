"""`spotter` as a process of its own, whose screen is touched by lines on the standard input.

`tap LABEL` touches the button on which that stands, `read` prints all that stands on the screen.
The stick is the folder that the first argument names; the others are spotter's own.
"""

from __future__ import annotations

import sys
import threading
from functools import partial
from pathlib import Path

import pygame

from pi_app.app.membership import Club
from pi_app.cli import play
from pi_app.devices.stick import Stick
from pi_app.games.all import ALL
from pi_app.screen import front
from pi_app.screen.canvas import Text
from pi_app.screen.front import ScreenFront
from pi_app.screen.ui import Page
from pi_app.simulator.window import SimulatorWindow

FRONTS: list[TouchedFront] = []


class TouchedFront(ScreenFront):
    """The product's own, which a finger can find."""

    def __init__(self, window: SimulatorWindow, begins: Page = Page.START) -> None:
        super().__init__(window, begins)
        self.window = window
        FRONTS.append(self)

    def tap(self, label: str) -> None:
        """A finger on a button, as SDL reports it."""
        for target in self._picture.targets:
            means = target.means
            if label in (means, means[0] if isinstance(means, tuple) else None):
                screen, (x, y) = self.window.stage.screen, target.rect.centre
                for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                    at = (screen.x + x, screen.y + y)
                    pygame.event.post(pygame.event.Event(kind, pos=at, button=1))
                return

    def read(self) -> str:
        shapes = self._picture.shapes
        return " ".join(shape.text for shape in shapes if isinstance(shape, Text))


def serve() -> None:
    """Do what the lines ask for, once there is a screen."""
    for line in sys.stdin:
        word, _, label = line.strip().partition(" ")
        if word == "tap" and FRONTS:
            FRONTS[0].tap(label)
        print(FRONTS[0].read() if FRONTS else "", flush=True)


def main(stick: Path, argv: list[str]) -> int:
    front.ScreenFront = TouchedFront  # type: ignore[misc,assignment]
    put_in = Stick(stick.name, stick, writable=True)
    play.Club = partial(Club, stick=lambda: put_in)  # type: ignore[attr-defined,assignment]
    threading.Thread(target=serve, daemon=True).start()
    return play.run(argv, ALL)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
