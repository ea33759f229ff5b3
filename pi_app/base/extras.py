"""The commands that install what Spotter lacks: in its own folder, with Debian's apt,
or with pip."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

_PROJECT = Path(__file__).parents[2]
_DISTRIBUTION = "spotter-board"
_OF_DEBIAN: Mapping[str, str] = {
    "wall": "python3-aiohttp",
    "pi": "python3-lgpio",
    "hardware": "python3-ezdxf python3-numpy",
}


def to_install(extra: str, project: Path = _PROJECT) -> str:
    """The command that installs an extra of pyproject.toml, with the lock of its name.

    python3-lgpio is a package of Raspberry Pi OS; Debian has none.
    """
    if _is_source(project):
        return f".venv/bin/pip install --require-hashes -r pi_app/locks/{extra}.lock"
    if _is_package(project):
        return f"sudo apt install {_OF_DEBIAN[extra]}"
    # Spotter is there: pip takes what the installed one says of its extra.
    return f"{sys.executable} -m pip install '{_DISTRIBUTION}[{extra}]'"


def to_set_up(project: Path = _PROJECT) -> str:
    """The command that installs everything that Spotter needs."""
    if _is_package(project):
        return "sudo apt install --reinstall spotter"
    return (
        "./pi_app/run"
        if _is_source(project)
        else f"{sys.executable} -m pip install {_DISTRIBUTION}"
    )


def _is_package(project: Path) -> bool:
    return (project / "version").exists()


def _is_source(project: Path) -> bool:
    return (project / "pi_app" / "run").exists() and (project / "pyproject.toml").exists()
