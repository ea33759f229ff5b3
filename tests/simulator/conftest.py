"""What tests of the simulator's window share."""

from itertools import count
from typing import Any

import pytest
from pygame.rect import Rect
from pygame.surface import Surface
from shares import one_in

from pi_app.screen.paint import Painter


@pytest.fixture
def seldom_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint a share of the pictures: nobody looks at them, and painting takes most of the time."""
    paint, pictures = Painter.paint, count()

    def share(painter: Painter, surface: Surface, *what: Any) -> Rect:
        seen = next(pictures) % one_in(4) == 0
        return paint(painter, surface, *what) if seen else Rect(0, 0, 0, 0)

    monkeypatch.setattr(Painter, "paint", share)
