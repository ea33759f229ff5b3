"""Which module draws which game's board."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.screen.marks import DrawBoard
from pi_app.screen.nannon_board import draw_nannon

DRAWINGS: Mapping[str, DrawBoard] = MappingProxyType({"nannon": draw_nannon})
"""The drawing of each game, by its name."""
