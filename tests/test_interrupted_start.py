"""Ctrl-C while Python still imports ends Spotter as it does later: status 130, no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.package.making import START, chooser

PROJECT = Path(__file__).parent.parent

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
    return subprocess.Popen(
        [sys.executable, *ENTRIES[entry], *words],
        # Elsewhere another Spotter may run, and this one would end at once.
        env=os.environ | {"PYTHONPATH": path, "XDG_DATA_HOME": str(folder)},
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


BEFORE = """
print("starting", flush=True)
import sys
sys.stdin.readline()
"""
"""Python imports it by itself before the first line of any script."""


def launcher(tmp_path: Path, how: str) -> list[str | Path]:
    """The command of a checkout, or of the package, whose Python is this one."""
    if how == "package":
        program = tmp_path / "spotter"
        program.write_text(chooser(), encoding="utf-8")
        return [*START.removeprefix("#!/usr/bin/env -S ").split()[:1], sys.executable, program]
    venv = tmp_path / "a b" / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    (venv / "bin" / "spotter").write_text(SCRIPT, encoding="utf-8")
    (venv / "bin" / "spotter").chmod(0o755)
    done: list[str | Path] = [
        "bash",
        "-c",
        '. "$1/pi_app/setup.sh"; hold_ctrl_c "$2"',
        "-",
        PROJECT,
        venv,
    ]
    subprocess.run(done, check=True)
    return [venv / "bin" / "spotter"]


@pytest.mark.parametrize("how", ["checkout", "package"])
def test_before_spotters_first_line_it_waits(how: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BEFORE, encoding="utf-8")
    words = launcher(tmp_path, how)
    with subprocess.Popen(
        [*(["env"] if how == "package" else []), *words, "--sim", "--once"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout
        assert child.stdout.readline() == "starting\n"
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate("go\n", timeout=60)
    assert (child.returncode, complaint) == (130, "")
