"""Updates by dpkg into a folder: cut off anywhere, gone back from, and of versions that crash."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from packaged import built, needs_debian, packed_as, unpacked
from shares import some

from pi_app.cli.rollback import INSTALLED, MOST_STARTS, PREVIOUS, UPDATING, VERSION

SYSTEM = "/usr/bin/python3"
NEEDS = "import cffi, cryptography, filelock, platformdirs, pygame, tomli_w"
"""Of the distribution's packages: `RERUN=1 tests/run` installs them."""


def has_packages() -> bool:
    there = subprocess.run([SYSTEM, "-c", NEEDS], capture_output=True, check=False)
    return there.returncode == 0


pytestmark = [
    needs_debian,
    pytest.mark.skipif(not has_packages(), reason="not on the distribution's packages"),
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("dpkg") is None, reason="not root on a Debian"
    ),
]

STEPS = ("rm", "mkdir", "cp", "sync", "mv", "touch", "py3compile", "py3clean")
"""What the package's scripts change something with."""
SKIPPED = ("sync", "py3compile", "py3clean")
"""They would wait for all disks, or compile for this computer."""
STEP = """#!/bin/sh
# A step of the update; at number $CUT everything is killed, before it or in the middle of it.
echo {name} >>"$SCENE/steps"
if [ "$(wc -l <"$SCENE/steps")" = "${{CUT:-0}}" ]; then
  if [ {name} = cp ] && [ -n "$HALF" ]; then mkdir -p "$3"; fi
  kill -9 0
fi
[ -x {real} ] || exit 0
exec {real} "$@"
"""
UNPACKING = """#!/bin/sh
# The files of the package, of which only $ONLY bytes come until everything is killed.
if [ "$1" = --fsys-tarfile ] && [ -n "$ONLY" ]; then
  {real} "$@" | head -c "$ONLY"
  sleep 0.2
  kill -9 0
fi
exec {real} "$@"
"""
CRASHES = "raise RuntimeError('a part is missing')\n"


class DpkgRoot:
    """A folder into which dpkg installs, with steps that can be cut off."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.bin = folder, folder / "root", folder / "bin"
        (self.root / "var/lib/dpkg/updates").mkdir(parents=True)
        (self.root / "var/lib/dpkg/info").mkdir()
        (self.root / "var/lib/dpkg/status").touch()
        self.bin.mkdir()
        self._stand_in("dpkg-deb", UNPACKING.format(real=shutil.which("dpkg-deb")))
        for name in STEPS:
            own = "/nowhere" if name in SKIPPED else shutil.which(name)
            self._stand_in(name, STEP.format(name=name, real=own))

    def _stand_in(self, name: str, text: str) -> None:
        file = self.bin / name
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    @property
    def env(self) -> Mapping[str, str]:
        return {
            "PATH": f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin",
            "SCENE": str(self.folder),
            "HOME": str(self.folder / "home"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def dpkg(self, *words: str | Path, **cut: str) -> bool:
        """Whether it came to its end."""
        (self.folder / "steps").write_text("", encoding="utf-8")
        forced = ("unsafe-io", "script-chrootless", "depends", "confold")
        options = [f"--root={self.root}", *(f"--force-{one}" for one in forced)]
        done = subprocess.run(
            ["dpkg", *options, *words],
            env={**self.env, **cut},
            capture_output=True,
            text=True,
            start_new_session=True,
            timeout=120,
            check=False,
        )
        assert cut or done.returncode == 0, done.stdout + done.stderr
        return done.returncode == 0

    @property
    def steps(self) -> list[str]:
        return (self.folder / "steps").read_text(encoding="utf-8").splitlines()

    def spotter(self, *words: str, status: int = 0) -> str:
        done = subprocess.run(
            [SYSTEM, self.root / "usr/bin/spotter", *words],
            env=self.env,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def runs(self) -> str:
        return self.spotter("--version").split()[1]

    def begin_at(self, before: Path) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        subprocess.run(["cp", "-a", before, self.root], check=True)

    def check_runs_and_can_be_updated(self, new: Path) -> None:
        assert self.runs() in ("1.0.0", "1.1.0")
        self.dpkg("-i", new)
        assert self.runs() == "1.1.0"
        assert not (self.root / UPDATING).exists()
        assert not (self.root / PREVIOUS.with_name("next")).exists()
        assert (self.root / PREVIOUS / VERSION).read_text("utf-8") == "1.0.0\n"


@pytest.fixture(scope="module")
def old_and_new(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("versions")
    unpacked(built(tmp_path_factory), folder / "tree")
    return packed_as("1.0.0", folder / "tree"), packed_as("1.1.0", folder / "tree")


@pytest.fixture
def desk(tmp_path: Path, old_and_new: tuple[Path, Path]) -> DpkgRoot:
    desk = DpkgRoot(tmp_path)
    desk.dpkg("-i", old_and_new[0])
    assert desk.runs() == "1.0.0"
    return desk


def test_an_update_killed_at_any_step_leaves_a_version_that_runs(
    desk: DpkgRoot, old_and_new: tuple[Path, Path]
) -> None:
    before = desk.root.rename(desk.root.with_name("before"))
    desk.begin_at(before)
    desk.dpkg("-i", old_and_new[1])
    steps = desk.steps
    assert steps[1:8] == ["rm", "mkdir", "cp", "sync", "rm", "mv", "touch"]
    in_the_middle = (steps.index("cp") + 1, "yes")
    cuts = [in_the_middle, *((number, "") for number in range(1, len(steps) + 1))]
    for number, half in some(cuts, 5):
        desk.begin_at(before)
        assert not desk.dpkg("-i", old_and_new[1], CUT=str(number), HALF=half)
        desk.check_runs_and_can_be_updated(old_and_new[1])


@pytest.mark.parametrize("tenths", some(range(10), 5))
def test_an_update_killed_while_files_are_replaced_leaves_the_old_version(
    desk: DpkgRoot, old_and_new: tuple[Path, Path], tenths: int
) -> None:
    _, new = old_and_new
    assert not desk.dpkg("-i", new, ONLY=str(new.stat().st_size * tenths // 10))
    desk.check_runs_and_can_be_updated(new)


def test_an_update_can_be_undone_and_done_again(
    desk: DpkgRoot, old_and_new: tuple[Path, Path]
) -> None:
    desk.dpkg("-i", old_and_new[1])
    assert desk.runs() == "1.1.0"
    assert "1.0.0 runs from the next start on" in desk.spotter("rollback")
    assert desk.runs() == "1.0.0"
    assert "1.1.0 runs" in desk.spotter("rollback", "--undo")
    assert desk.runs() == "1.1.0"


@pytest.mark.slow
def test_a_version_that_crashes_at_its_start_is_left_after_three(
    desk: DpkgRoot, old_and_new: tuple[Path, Path], tmp_path: Path
) -> None:
    tree = tmp_path / "crashing"
    unpacked(old_and_new[1], tree)
    (tree / INSTALLED / "pi_app/cli/play.py").write_text(CRASHES, encoding="utf-8")
    desk.dpkg("-i", packed_as("1.2.0", tree))
    for _ in range(MOST_STARTS):
        assert "a part is missing" in desk.spotter("play", "--fullscreen", status=1)
    said = desk.spotter("play", "--fullscreen", status=2)  # here it has no boards
    assert f"1.2.0 failed to start {MOST_STARTS} times; 1.0.0 runs" in said
    assert "a part is missing" not in said
    assert desk.runs() == "1.0.0"
    assert "1.2.0 runs" in desk.spotter("rollback", "--undo")
    assert desk.runs() == "1.2.0"


def test_one_whose_first_line_is_broken_can_be_left(
    desk: DpkgRoot, old_and_new: tuple[Path, Path], tmp_path: Path
) -> None:
    tree = tmp_path / "broken"
    unpacked(old_and_new[1], tree)
    (tree / INSTALLED / "pi_app/__main__.py").write_text("import = 3\n", encoding="utf-8")
    desk.dpkg("-i", packed_as("1.2.0", tree))
    said = desk.spotter("--version", status=1)
    assert "spotter: SyntaxError: invalid syntax" in said
    assert "Traceback" not in said
    assert "spotter rollback uses 1.0.0 again" in said
    desk.spotter("rollback")
    assert desk.runs() == "1.0.0"


def test_the_next_update_is_tried_again_and_goes_back_past_the_bad_one(
    desk: DpkgRoot, old_and_new: tuple[Path, Path], tmp_path: Path
) -> None:
    home = desk.root / "home/pi/.local/state"
    desk.dpkg("-i", old_and_new[1])
    desk.spotter("rollback")
    shutil.copytree(desk.folder / "home/.local/state", home)
    tree = tmp_path / "newest"
    unpacked(old_and_new[1], tree)
    desk.dpkg("-i", packed_as("1.2.0", tree))
    assert desk.runs() == "1.2.0"
    desk.spotter("rollback")
    assert desk.runs() == "1.0.0"


def test_without_an_update_there_is_nothing_to_go_back_to(desk: DpkgRoot) -> None:
    assert "no version is stored to go back to" in desk.spotter("rollback", status=1)
    assert desk.runs() == "1.0.0"


def test_what_dpkg_removes_is_gone(desk: DpkgRoot, old_and_new: tuple[Path, Path]) -> None:
    desk.dpkg("-i", old_and_new[1])
    desk.dpkg("--purge", "spotter")
    left = [file for file in desk.root.rglob("*") if file.is_file()]
    assert {file.relative_to(desk.root).parts[:3] for file in left} == {("var", "lib", "dpkg")}
