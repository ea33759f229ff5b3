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
from kernel_lab import PROJECT, Guest, find_lab, run
from reference import state_of
from shares import one_in, some

IS_THOROUGH = one_in(2) == 1
PYTEST = f"{sys.executable} -m pytest -p no:cacheprovider -p no:hypothesispytest -x --color=no -s"


@pytest.fixture(scope="module")
def lab() -> Path:
    found = find_lab()
    if found is None:
        pytest.skip("the kernel laboratory is not built: run tests/kernel/build")
    if find_spec("lgpio") is None:  # not imported: that leaves a pipe in the working directory
        pytest.skip("lgpio is not installed: pip has none for this Python")
    return found


def passes(lab: Path, folder: Path, *names: str, virtual: bool) -> None:
    """A guest runs the tests of these files, and none fails."""
    files = " ".join(f"tests/kernel/guest/test_guest_{name}.py" for name in names)
    script = f"cd {PROJECT} && IN_THE_GUEST=1 PYTHONHASHSEED=0 {PYTEST} {files}"
    status, said = run(lab, folder, script, virtual=virtual)
    print(said)
    assert status == 0, said


def test_a_host_with_amx_runs_it(lab: Path, tmp_path: Path) -> None:
    """ptrace is as there: it refuses less than the whole extended state."""
    reckon = f"{sys.executable} -c 'print(sum(n ** 0.5 for n in (1, 4, 9)))'"
    status, said = run(lab, tmp_path, reckon, amx=True)
    assert (status, said.splitlines()[-1:]) == (0, ["6.0"]), said


def test_a_match_in_real_time(lab: Path, tmp_path: Path) -> None:
    passes(lab, tmp_path, "real_time", virtual=False)


AT_THE_TABLE = ("clock", "touched", "edges", "match", "play")
"""What the guest runs, in this order: the OLED is plugged in during the match."""


def test_at_the_table(lab: Path, tmp_path: Path) -> None:
    """In virtual time: computing takes none, waiting takes none of ours, every run is the same.

    All in one guest: to start one costs four seconds of processor.
    """
    passes(lab, tmp_path, *AT_THE_TABLE, virtual=True)


Printed = dict[str, Any]
CUTS = some(range(10), 10)
MOST_VIEWS, LATEST_S = 24, 0.2
WORDS = "--match nannon --to unlimited --players Ada Ben"
MATCHES = some([f"{WORDS} --against exact", WORDS], 2)
BETWEEN = 3
"""The last view shows one of the last decisions: a play before its roll and choice."""


def test_nothing_shown_is_lost_when_the_plug_is_pulled(lab: Path, tmp_path: Path) -> None:
    """Ten power cuts in a match against the engine and in one of two people, side by side; or one
    in the first."""
    with ThreadPoolExecutor() as pool:
        matches = [
            pool.submit(goes_on_through_cuts, seed, words, lab, tmp_path)
            for seed, words in enumerate(MATCHES)
        ]
    for match in matches:
        match.result()


def goes_on_through_cuts(seed: int, words: str, lab: Path, tmp_path: Path) -> None:
    rng, folder = random.Random(seed), tmp_path / str(seed)
    folder.mkdir()
    disk = folder / "disk.ext4"
    shutil.copy(lab / "disk.ext4", disk)
    last = cut(lab, folder, disk, rng, words)[-1]
    for _ in CUTS:
        left, *shown = cut(lab, folder, disk, rng, "")
        assert left["faults"] == []
        assert is_kept(last, left["kept"]), (last, left["kept"])
        assert goes_on(last, left["kept"], shown[0]), (last, left["kept"], shown[0])
        last = shown[-1]


def cut(lab: Path, folder: Path, disk: Path, rng: random.Random, words: str) -> list[Printed]:
    """Let people play the disk's match, or begin one with these words, until a power cut.

    Prints what was left on the disk, if they resume, and then the views.
    """
    players = f"{sys.executable} {PROJECT}/tests/kernel/guest/players.py {words}"
    guest = Guest(lab, folder, f"export SEED={rng.randint(0, 9999)}; exec {players}", disk=disk)
    lines = guest.lines()
    try:
        said = list(islice(lines, rng.randint(3, MOST_VIEWS)))
        time.sleep(rng.uniform(0, LATEST_S))
    finally:
        guest.pull_the_plug()
    said += lines
    read = [line for text in said if (line := read_line(text))]
    assert len(read) > 1, "\n".join(said)
    return read


def read_line(text: str) -> Printed | None:
    """A line's content; None for the kernel's own lines and lines cut off."""
    try:
        return dict(json.loads(text))
    except ValueError:
        return None


def is_kept(last: Printed, kept: list[Printed]) -> bool:
    """The last view is on the disk, and almost nothing after it."""
    return state_of(last) in map(state_of, kept[-BETWEEN:])


def goes_on(last: Printed, kept: list[Printed], first: Printed) -> bool:
    """The match is resumed from its last decision, and as it was shown if that was the last."""
    if state_of(first) != state_of(kept[-1]) or first["game_number"] != kept[-1]["game"]:
        return False
    chosen = kept[-1]["decided"] == "chosen"
    if chosen and first["chosen"] != kept[-1]["play"]:
        return False
    return state_of(last) != state_of(kept[-1]) or chosen or says(first) == says(last)


def says(view: Printed) -> tuple[object, ...]:
    return view["thrown"], view["chosen"], view["resignation"]


QUARTERS = int(os.environ.get("SPOTTER_KERNEL_QUARTERS", "4" if IS_THOROUGH else "0"))
FLAT_KB = 1000


@pytest.mark.skipif(not QUARTERS, reason="takes a minute: only with THOROUGH=1")
def test_memory_stays_flat_for_hours(lab: Path, tmp_path: Path) -> None:
    """An hour in virtual time; $SPOTTER_KERNEL_QUARTERS=96 makes it a day."""
    script = f"cd {PROJECT} && {sys.executable} tests/kernel/guest/hours.py {QUARTERS}"
    status, said = run(lab, tmp_path, script, virtual=True)
    assert status == 0, said
    kilobytes = [int(line.split()[-1]) for line in said.splitlines() if "resident" in line]
    assert len(kilobytes) == QUARTERS + 1
    assert kilobytes[-1] - kilobytes[0] < FLAT_KB, said
