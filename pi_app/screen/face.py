"""How a game looks on the screen: what the screen must know of it besides its view."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.screen.boards.marks import DrawBoard
from pi_app.screen.editing import Editing


@dataclass(frozen=True, slots=True)
class Face:
    """The drawing of a game's board, and how what stands there is described."""

    draw: DrawBoard
    editing: Editing
