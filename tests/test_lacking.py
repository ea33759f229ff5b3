"""What Spotter says where a library is missing, or complains of what nobody can change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
MISSING = "raise ModuleNotFoundError(f'No module named {__name__!r}', name=__name__)\n"
WARNS = """
import warnings
warnings.warn("Your system is avx2 capable but pygame was not built with support for it.",
              RuntimeWarning, stacklevel=2)
raise ImportError("no display here")
"""


def said(folder: Path, modules: dict[str, str], *words: str) -> tuple[int, str, str]:
    """Status and output of a Python whose modules of these names are others."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(folder), "XDG_CONFIG_HOME": str(folder)},
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


HIDDEN = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name == "aiohttp":
            raise ModuleNotFoundError("No module named 'aiohttp'", name=name)

sys.meta_path.insert(0, Hidden())
import importlib.util
whole = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "aiohttp" else whole(name)
from pi_app.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def test_the_wall_names_what_installs_its_server(tmp_path: Path) -> None:
    status, _, complaint = said(tmp_path, {}, "-c", HIDDEN, "wall", str(tmp_path))
    assert (status, complaint) == (
        1,
        "spotter: the wall is served by aiohttp, which is missing here; run: .venv/bin/pip install "
        "--require-hashes -r pi_app/locks/wall.lock\n",
    )


@pytest.mark.parametrize("words", [("help", "wall"), ("wall", "--help")])
def test_the_walls_help_needs_no_server(tmp_path: Path, words: tuple[str, ...]) -> None:
    status, told, complaint = said(tmp_path, {}, "-c", HIDDEN, *words)
    assert (status, complaint) == (0, "")
    assert "--per-address" in told


def test_the_drawings_name_what_installs_their_libraries(tmp_path: Path) -> None:
    status, _, complaint = said(tmp_path, {"ezdxf": MISSING}, "-m", "hardware.make", "--check")
    assert (status, complaint) == (
        1,
        "hardware.make: No module named 'ezdxf'; run: .venv/bin/pip install --require-hashes -r "
        "pi_app/locks/hardware.lock\n",
    )


def test_a_warning_about_how_pygame_was_built_is_not_shown(tmp_path: Path) -> None:
    status, _, complaint = said(tmp_path, {"pygame": WARNS}, "-m", "pi_app", "--sim", "--once")
    assert status == 1
    assert complaint.startswith("spotter: no display here; set up what Spotter needs")
    assert len(complaint.splitlines()) == 1
