"""Plakoto's equipment: that of the Pin game, with other points and so with levels of its own."""

from __future__ import annotations

from dataclasses import replace

from pi_app.games.pin import PIN_EQUIPMENT
from pi_app.players.judging import PINNER_PLAYER
from pi_app.players.tables.player import PINNING, contenders
from pi_app.rules.tables.pin import PLAKOTO

PLAKOTO_EQUIPMENT = replace(
    PIN_EQUIPMENT,
    rules=PLAKOTO,
    players=(*contenders(PINNING, levels=PLAKOTO.name), PINNER_PLAYER),
)
