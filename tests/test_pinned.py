"""What is pinned for installation: the whole of what pyproject.toml asks for, and hashes alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pi_app.pinned import kept, read_lock, read_ranges

PROJECT = Path(__file__).parent.parent
RUN, TESTS = PROJECT / "pi_app" / "requirements.lock", PROJECT / "tests" / "requirements.lock"
PYPROJECT = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
VERSION = re.compile(r"^[\w.-]+==([^ ;]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")
BY_HAND = ("lgpio", "bgsage")
"""Not pinned here: the distribution's, as newer Pythons have no wheels of it, and a mere extra."""


@pytest.mark.parametrize("file", [RUN, TESTS])
def test_every_package_is_pinned_with_its_hashes_and_without_an_address(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    entries = read_lock(text)
    assert {name for name, entry in entries.items() if not HASH.search(entry)} == set()
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    pins = [line for line in lines if VERSION.match(line)]
    assert all(line.lstrip().startswith("--hash=sha256:") for line in lines if line not in pins)


def test_the_pins_are_what_pyproject_asks_for() -> None:
    """Else run tests/lock."""
    entries = read_lock(TESTS.read_text(encoding="utf-8"))
    ranges = read_ranges(PYPROJECT)
    assert {*ranges} - {*entries} <= {*BY_HAND}
    for name, entry in entries.items():
        for version in VERSION.findall(entry):
            assert name not in ranges or ranges[name].specifier.contains(version), entry


def test_the_tests_run_with_what_is_installed_to_be_played() -> None:
    run, tests = (read_lock(file.read_text(encoding="utf-8")) for file in (RUN, TESTS))
    assert {name: VERSION.findall(run[name]) for name in run} == {
        name: VERSION.findall(tests[name]) for name in run
    }


ENTRIES = read_lock("""\
# This file is made.
glass==2.0 \\
    --hash=sha256:11
    # via mirror
mirror==3.1 \\
    --hash=sha256:22 \\
    --hash=sha256:33
    # via spotter (pyproject.toml)
num-py==1 ; python_full_version < '3.12' \\
    --hash=sha256:44
num-py==2 ; python_full_version >= '3.12' \\
    --hash=sha256:55
    # via
    #   spotter (pyproject.toml)
    #   mirror
""")
RANGES = read_ranges("""\
[build-system]
requires = ["num.Py>=1"]
[project]
dependencies = ["Mirror>=3"]
[project.optional-dependencies]
test = []
""")


def test_entries_are_whole() -> None:
    assert list(ENTRIES) == ["glass", "mirror", "num-py"]
    assert ENTRIES["mirror"].endswith("sha256:33\n    # via spotter (pyproject.toml)\n")
    assert VERSION.findall(ENTRIES["num-py"]) == ["1", "2"]


@pytest.mark.parametrize(
    ("there", "stay"),
    [
        ({}, ""),
        ({"mirror": "3.0", "glass": "1.0", "num-py": "1.5"}, "glass mirror num-py"),
        ({"mirror": "3.0", "num-py": "1.5"}, "glass mirror num-py"),  # a mirror without glass
        ({"mirror": "2.9", "glass": "2.0", "num-py": "1.5"}, ""),  # too old, and so all it needs
        ({"mirror": "3.0"}, "glass mirror"),
    ],
)
def test_what_the_distribution_has_stays(there: dict[str, str], stay: str) -> None:
    assert " ".join(sorted(kept(ENTRIES, RANGES, there))) == stay
