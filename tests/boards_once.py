"""Boards, each read once: they never change, and reading one is dearer than what most tests do."""

from __future__ import annotations

from functools import cache

import pi_app.boards
from pi_app.sensing.description import Board


@cache
def load_board(name: str) -> Board:
    """A board by its name."""
    return pi_app.boards.load_board(name)
