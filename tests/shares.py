"""How much of what there is a run of the tests tries: a share, or everything with THOROUGH=1."""

from __future__ import annotations

import os


def one_in(number: int) -> int:
    """One in so many is tried; with THOROUGH=1 in the environment every one."""
    return 1 if os.environ.get("THOROUGH") == "1" else number
