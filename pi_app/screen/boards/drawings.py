"""Which module draws which game's board."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.screen.boards.cannon import draw_cannon
from pi_app.screen.boards.marks import DrawBoard
from pi_app.screen.boards.nannon import draw_nannon
from pi_app.screen.boards.tables import draw_tables

DRAWINGS: Mapping[str, DrawBoard] = MappingProxyType(
    {
        "nannon": draw_nannon,
        "backgammon": draw_tables,
        "portes": draw_tables,
        "pin": draw_tables,
        "cannon": draw_cannon,
    }
)
"""The drawing of each game, by its name."""

TALL = frozenset({"cannon"})
"""The games whose board is as high as wide: on a wide screen the words stand beside it."""
