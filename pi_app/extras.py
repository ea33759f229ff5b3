"""The commands that install what Spotter lacks: from its own folder, or where pip installed it."""

from __future__ import annotations

import sys
from pathlib import Path

_PROJECT = Path(__file__).parent.parent


def to_install(extra: str, project: Path = _PROJECT) -> str:
    """The command that installs what an extra of pyproject.toml has, by the lock of its name."""
    if _is_source(project):
        return f".venv/bin/pip install --require-hashes -r pi_app/locks/{extra}.lock"
    # Spotter is there: pip takes what the installed one says of its extra.
    return f"{sys.executable} -m pip install 'spotter[{extra}]'"


def to_set_up(project: Path = _PROJECT) -> str:
    """The command that installs all that Spotter cannot do without."""
    return "./pi_app/run" if _is_source(project) else f"{sys.executable} -m pip install spotter"


def _is_source(project: Path) -> bool:
    return (project / "pi_app" / "run").exists() and (project / "pyproject.toml").exists()
