"""Ctrl-C while Python still imports ends Spotter as it does later: status 130, no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = "import sys; from pi_app.__main__ import start; sys.exit(start())"
"""The script that pip writes for `spotter`."""
SLOW = """
print("importing", flush=True)
import threading
threading.Event().wait(60)
"""
ENTRIES = {"spotter": ("-c", SCRIPT), "python -m pi_app": ("-m", "pi_app")}


def started(entry: str, folder: Path, *words: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(folder), str(Path(__file__).parents[1])])
    # Tests that run in the background ignore it, and so would the child.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return subprocess.Popen(
        [sys.executable, *ENTRIES[entry], *words],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("module", ["platformdirs", "pygame"])
def test_an_import_that_takes_long_is_left_at_once(entry: str, module: str, tmp_path: Path) -> None:
    """The first is imported for every command, the second for the one that is given."""
    (tmp_path / f"{module}.py").write_text(SLOW, encoding="utf-8")
    with started(entry, tmp_path, "--sim", "--once") as child:
        assert child.stdout
        assert child.stdout.readline() == "importing\n"
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate(timeout=30)
    assert (child.returncode, complaint) == (130, "")


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_is_not_interrupted_ends_as_it_does(entry: str, tmp_path: Path) -> None:
    with started(entry, tmp_path, "--version") as child:
        told, complaint = child.communicate(timeout=30)
    assert (child.returncode, told.split()[0], complaint) == (0, "spotter", "")
