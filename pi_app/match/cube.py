"""The doubling cube as a value."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.rules.terms import Side


@dataclass(frozen=True, slots=True)
class Cube:
    """The stake, who owns the cube (None: in the middle), and who has offered a double."""

    value: int = 1
    owner: Side | None = None
    offered: Side | None = None

    @property
    def face(self) -> int:
        """What the cube shows: 64 while no double has been taken (Nannon)."""
        return 64 if self.value == 1 else self.value
