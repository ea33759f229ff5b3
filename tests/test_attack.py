"""A part of every attack of `tests/attack`, which takes ten minutes for the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from attacks import ATTACKS

PART = 50
"""One in so many."""


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_ends_in_a_traceback(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    findings = ATTACKS[name].run("today", max(8, ATTACKS[name].total // PART))
    assert findings.done >= ATTACKS[name].total // PART
    assert findings.tracebacks == []
