"""Plakoto's equipment: that of the Pin game, with other points."""

from __future__ import annotations

from dataclasses import replace

from pi_app.games.pin import PIN_EQUIPMENT
from pi_app.rules.tables.pin import PLAKOTO

PLAKOTO_EQUIPMENT = replace(PIN_EQUIPMENT, rules=PLAKOTO)
