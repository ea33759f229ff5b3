"""Spotter, unmodified, under a real kernel: GPIO lines, an I2C bus, a disk; see README.md here."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from known import find_game
from lab import PROJECT, Guest, find_lab, run
from shares import some

from pi_app.rules.terms import read_roll

PYTEST = f"{sys.executable} -m pytest -p no:cacheprovider -x --color=no"


@pytest.fixture(scope="module")
def lab() -> Path:
    found = find_lab()
    if found is None:
        pytest.skip("the kernel laboratory is not built: run tests/kernel/build")
    if find_spec("lgpio") is None:  # not imported: that leaves a pipe in the working directory
        pytest.skip("lgpio is not installed: pip has none for this Python")
    return found


def passes(lab: Path, folder: Path, file: str, *, virtual: bool) -> None:
    """The guest runs the tests of a file, and none fails."""
    script = f"cd {PROJECT} && IN_THE_GUEST=1 PYTHONHASHSEED=0 {PYTEST} tests/kernel/guest/{file}"
    status, said = run(lab, folder, script, virtual=virtual)
    assert status == 0, said


def test_a_match_in_real_time(lab: Path, tmp_path: Path) -> None:
    passes(lab, tmp_path, "test_guest_real_time.py", virtual=False)


@pytest.mark.parametrize("file", ["test_guest_play.py", "test_guest_absent_oled.py"])
def test_at_the_table(file: str, lab: Path, tmp_path: Path) -> None:
    """In virtual time: computing takes none, waiting takes none of ours, every run is the same."""
    passes(lab, tmp_path, file, virtual=True)


TextView = dict[str, Any]
GAME = find_game("nannon")
CUTS = some(range(10), 3)
MOST_VIEWS, LATEST_S = 12, 0.2


def test_nothing_shown_is_lost_when_the_plug_is_pulled(lab: Path, tmp_path: Path) -> None:
    """Ten cuts in each of two matches that go on through all of them, side by side; or a share."""
    with ThreadPoolExecutor() as pool:
        matches = [pool.submit(goes_on_through_cuts, seed, lab, tmp_path) for seed in (1, 2)]
    for match in matches:
        match.result()


def goes_on_through_cuts(seed: int, lab: Path, tmp_path: Path) -> None:
    rng, folder = random.Random(seed), tmp_path / str(seed)
    folder.mkdir()
    disk = folder / "disk.ext4"
    shutil.copy(lab / "disk.ext4", disk)
    last = cut(lab, folder, disk, rng, None)[-1]
    for _ in CUTS:
        shown = cut(lab, folder, disk, rng, last["position"])
        assert goes_on(last, shown[0]), (last, shown[0])
        last = shown[-1]


def cut(
    lab: Path, folder: Path, disk: Path, rng: random.Random, position: str | None
) -> list[TextView]:
    """Let two people play on the disk's match, or begin one; the views up to a power cut."""
    begin = "" if position else "--match nannon --to 99 --players Ada Ben"
    script = f"""
        export SEED={rng.randint(0, 9999)} POSITION='{position or ""}'
        exec {sys.executable} {PROJECT}/tests/kernel/guest/players.py {begin}
    """
    guest = Guest(lab, folder, script, disk=disk)
    lines = guest.lines()
    try:
        said = list(islice(lines, rng.randint(2, MOST_VIEWS)))
        time.sleep(rng.uniform(0, LATEST_S))
    finally:
        guest.pull_the_plug()
    said += lines
    views = [view for line in said if (view := read_view(line))]
    assert views, "\n".join(said)
    return views


def read_view(line: str) -> TextView | None:
    """A line's view; None for the kernel's own lines, and where the cut went through a line."""
    try:
        return dict(json.loads(line))
    except ValueError:
        return None


def goes_on(last: TextView, first: TextView) -> bool:
    """Whether what is resumed is what was shown last, or the decision that came next.

    That one was on the disk and had not been shown yet.
    """
    if first["position"] == last["position"]:
        return bool(last["roll"] in (None, first["roll"]) and first["score"] == last["score"])
    if last["phase"] == "moving":
        return bool(first["position"] in next_positions(last) or first["score"] != last["score"])
    return bool(last["phase"] != "to roll" and first["score"] == last["score"])


def next_positions(view: TextView) -> set[str]:
    """Where the legal plays of a turn lead."""
    position, roll = GAME.read_position(view["position"]), read_roll(view["roll"], GAME.dice)
    return {GAME.write_position(GAME.after(position, play)) for play in GAME.plays(position, roll)}


QUARTERS = int(os.environ.get("SPOTTER_KERNEL_QUARTERS", "1"))
FLAT_KB = 2000


def test_memory_stays_flat_for_hours(lab: Path, tmp_path: Path) -> None:
    """A quarter of an hour in virtual time; $SPOTTER_KERNEL_QUARTERS=96 makes it a day."""
    script = f"cd {PROJECT} && {sys.executable} tests/kernel/guest/hours.py {QUARTERS}"
    status, said = run(lab, tmp_path, script, virtual=True)
    assert status == 0, said
    kilobytes = [int(line.split()[-1]) for line in said.splitlines() if "resident" in line]
    assert len(kilobytes) == QUARTERS + 1
    assert kilobytes[-1] - kilobytes[0] < FLAT_KB, said
