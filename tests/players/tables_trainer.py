"""The trainer of the tables games, built where there is a compiler, and boards as it reads them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from pi_app.rules.tables.position import TablesPosition
from pi_app.rules.terms import Roll

SOURCES = Path(__file__).parents[1] / "lab/trainer"
needs_compiler = pytest.mark.skipif(
    not (shutil.which("make") and shutil.which("cc")), reason="there is no C compiler"
)


def build_trainer(folder: Path) -> Path:
    """The program, made in a folder of the test's."""
    subprocess.run(
        ["make", "--quiet", "--directory", SOURCES, f"BUILD={folder}"],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return folder / "trainer"


def ask_trainer(trainer: Path, *words: object, lines: Iterable[str] = ()) -> list[str]:
    """The lines that it answers."""
    done = subprocess.run(
        [str(trainer), *map(str, words)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.splitlines()


def as_asked(position: TablesPosition, roll: Roll | None = None) -> str:
    """A board as the mover sees it, in four words, and a roll."""
    mover, other = position.mover, position.mover.other
    men = (position.men(mover), position.men(other))
    pinned = (position.pinned(mover), position.pinned(other))
    words = [f"{number:026x}" for number in (*men, *pinned)]
    return " ".join([*words, str(roll)] if roll else words)
