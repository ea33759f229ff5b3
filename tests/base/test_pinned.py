"""Pinned packages: all that pyproject.toml needs, each with its hash."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pi_app.base.extras import to_install, to_set_up
from pi_app.base.pinned import kept, read_lock, read_ranges

PROJECT = Path(__file__).parents[2]
RUN, TESTS = PROJECT / "pi_app" / "requirements.lock", PROJECT / "tests" / "requirements.lock"
LOCKS = sorted((PROJECT / "pi_app" / "locks").iterdir())
PYPROJECT = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
VERSION = re.compile(r"^[\w.-]+==([^ ;]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


@pytest.mark.parametrize("file", [RUN, TESTS, *LOCKS])
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
    assert {*ranges} <= {*entries}
    for name, entry in entries.items():
        for version in VERSION.findall(entry):
            assert name not in ranges or ranges[name].specifier.contains(version), entry


def test_the_tests_run_with_what_is_installed_to_be_played() -> None:
    run, tests = (read_lock(file.read_text(encoding="utf-8")) for file in (RUN, TESTS))
    assert {name: VERSION.findall(run[name]) for name in run} == {
        name: VERSION.findall(tests[name]) for name in run
    }


def test_every_extra_is_pinned_and_brings_what_the_tests_have() -> None:
    """Else run tests/lock."""
    extras = tomllib.loads(PYPROJECT)["project"]["optional-dependencies"]
    assert {lock.stem for lock in LOCKS} == {*extras} - {"test"}
    tests = read_lock(TESTS.read_text(encoding="utf-8"))
    for lock in LOCKS:
        entries = read_lock(lock.read_text(encoding="utf-8"))
        asked = {canonicalize_name(Requirement(line).name) for line in extras[lock.stem]}
        assert asked <= {*entries}, lock
        for name, entry in entries.items():
            known = VERSION.findall(tests.get(name, entry))
            assert {*VERSION.findall(entry)} <= {*known}, f"{lock.stem}: {name}"


def test_a_hint_names_what_there_is(tmp_path: Path) -> None:
    """In the source folder the lock; where pip has installed Spotter there is none."""
    assert to_set_up() == "./pi_app/run"
    for lock in LOCKS:
        assert to_install(lock.stem).endswith(f" {lock.relative_to(PROJECT)}")
    here, name = f"{sys.executable} -m pip install", tomllib.loads(PYPROJECT)["project"]["name"]
    assert to_install("wall", tmp_path) == f"{here} '{name}[wall]'"
    assert to_set_up(tmp_path) == f"{here} {name}"


def test_no_sentence_names_the_checkout_outright() -> None:
    """A hint goes through pi_app/base/extras.py: an installed Spotter has no script and no lock."""
    named = [
        path.name
        for path in (PROJECT / "pi_app").rglob("*.py")
        if re.search(r"\.venv/bin|\./pi_app/", path.read_text("utf-8"))
    ]
    # The emulator is in the source folder alone, which it says.
    assert sorted(named) == ["emulator.py", "extras.py"]


def test_the_source_archive_has_the_program(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for file in ("pyproject.toml", "README.md", "LICENSE", "pi_app", "hardware/package", "tests"):
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        source = PROJECT / file
        if source.is_dir():
            shutil.copytree(source, project / file, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, project / file)
    build = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (archive,) = (project / "dist").iterdir()
    with tarfile.open(archive) as opened:
        names = [name.partition("/")[2] for name in opened.getnames()]
        info = opened.extractfile(f"{opened.getnames()[0]}/PKG-INFO")
        assert info
        metadata = info.read().decode("utf-8")
    assert {"LICENSE", "pi_app/boards/nannon-6.toml", "pi_app/languages/de.mo"} <= {*names}
    assert [name for name in names if name.startswith("tests")] == []
    for field in ("Author: The Spotter makers", "Keywords: backgammon", "Classifier: Topic ::"):
        assert field in metadata
    assert metadata.count("\nLicense-File: ") == 3


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


def test_the_debian_package_names_packages_of_debian(tmp_path: Path) -> None:
    (tmp_path / "version").touch()
    assert to_install("wall", tmp_path) == "sudo apt install python3-aiohttp"
    assert to_set_up(tmp_path) == "sudo apt install --reinstall spotter"


def test_who_takes_any_version_keeps_the_distributions() -> None:
    entries = read_lock(RUN.read_text(encoding="utf-8"))
    there = {"cryptography": "38.0.4", "cffi": "1.15.1", "pycparser": "2.21"}
    left = kept(entries, read_ranges(PYPROJECT), there)
    assert {"cryptography", "cffi"} <= left
    assert "spake2" not in left
