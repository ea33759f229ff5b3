"""Spots from their texts."""

from __future__ import annotations

from pi_app.rules.terms import Spot


def spots(texts: str) -> tuple[Spot, ...]:
    """Those of a line: "4 e4 bar.black"."""
    return tuple(map(Spot.read, texts.split()))
