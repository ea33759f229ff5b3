"""The Debian package: what it has, that this alone runs, and that it is always the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaged import HERE, built, needs_debian
from shares import one_in

from hardware.package import making
from hardware.package.making import make_package, read_release
from pi_app.cli.doctor import PROGRAM
from pi_app.cli.ending import ended
from pi_app.cli.main import COMMANDS
from pi_app.cli.rollback import INSTALLED
from pi_app.players.native import all_cores
from pi_app.rules.cannon import START

PROJECT = Path(__file__).parent.parent
pytestmark = needs_debian


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory)


@pytest.fixture(scope="module")
def tree(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    return folder


def run(*words: str | Path, **env: str) -> str:
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd="/",
        env={**os.environ, **env},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_help_text_that_fails_fails_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(making, "spotter", lambda words: int(words == ["help", "wall"]))
    with pytest.raises(making.PackageError, match="spotter help wall ended with 1"):
        make_package(HERE, read_release(), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("architecture", making.COMPILERS)
def test_a_compiler_that_is_missing_is_named_with_its_package(
    architecture: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    status = ended(lambda: making.main([architecture]))
    machine, compiler = making.COMPILERS[architecture]
    package = "gcc" if architecture == HERE else f"gcc-{machine}-linux-gnu"
    told = f"spotter: {compiler} is missing; run: sudo apt install {package}\n"
    assert (status, capsys.readouterr().err) == (1, told)


needs_time = pytest.mark.skipif(one_in(2) > 1, reason="builds it once more: THOROUGH=1")


@needs_time
def test_the_same_bytes_in_another_folder_home_terminal_and_time_zone(
    package: Path, tmp_path: Path
) -> None:
    words = [sys.executable, "-m", "hardware.package.making", HERE, "-o", str(tmp_path)]
    other = {"HOME": str(tmp_path), "COLUMNS": "50", "TZ": "Asia/Tokyo", "LANG": "C"}
    subprocess.run(
        ["sh", "-c", 'umask 077; exec "$@"', "sh", *words],
        cwd=PROJECT,
        env={**os.environ, **other},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    assert (tmp_path / package.name).read_bytes() == package.read_bytes()


@needs_time
@pytest.mark.skipif(not shutil.which("lintian"), reason="lintian is not installed")
def test_lintian_finds_no_error(package: Path) -> None:
    run("lintian", "--allow-root", "--fail-on", "error", package)


@pytest.mark.slow
def test_it_starts_and_its_core_needs_no_compiler(tree: Path, tmp_path: Path) -> None:
    spotter = tree / "usr/bin/spotter"
    nowhere = {"XDG_CACHE_HOME": str(tmp_path), "PATH": "/nowhere"}
    assert run(sys.executable, spotter, "--version", **nowhere).startswith("spotter ")
    assert run(sys.executable, spotter, "perft", "cannon", START, "2") == "1 42\n2 1740\n"
    script = f"""
from pathlib import Path
from pi_app.players.cannon.player import open_core
from pi_app.rules.cannon import Cannon
print(open_core(Path({str(tmp_path)!r})).perft(Cannon().read_position({START!r}), 2))"""
    told = run(sys.executable, "-c", script, PYTHONPATH=str(tree / INSTALLED), **nowhere)
    assert told == "1740\n"
    assert not list(tmp_path.iterdir())


@needs_time
@pytest.mark.skipif(not shutil.which("aarch64-linux-gnu-gcc"), reason="no compiler for arm64")
def test_the_package_for_a_pi_has_its_processors_core(tmp_path: Path) -> None:
    file = make_package("arm64", read_release(), tmp_path)
    subprocess.run(["dpkg-deb", "-x", file, tmp_path / "tree"], check=True)
    compiled = [*(tmp_path / "tree").rglob("*.so")]
    cores = {core.file_name("aarch64") for core in all_cores()}
    assert cores <= {file.name for file in compiled}
    assert {f"msgspec/_core.cpython-{python}-aarch64-linux-gnu.so" for python in (311, 313)} <= {
        f"{file.parent.name}/{file.name}" for file in compiled
    }
    for file in compiled:
        assert file.read_bytes()[18:20] == b"\xb7\x00", f"{file} is not of an aarch64"


def test_every_command_is_in_the_manual_and_is_completed(tree: Path) -> None:
    manual = run("gzip", "-dc", tree / "usr/share/man/man1/spotter.1.gz")
    for name in COMMANDS:
        assert f".SS {name}\n" in manual
    file = tree / "usr/share/bash-completion/completions/spotter"

    def completed(*words: str) -> list[str]:
        script = f'. {file}; COMP_WORDS=(spotter "$@"); COMP_CWORD=$#; _spotter'
        script += '; echo "${COMPREPLY[@]}"'
        return run("bash", "-c", script, "bash", *words).split()

    assert completed("do") == ["doctor"]
    assert completed("play", "--fu") == ["--fullscreen"]
    assert "--once" not in completed("settings", "--")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_systemd_understands_the_unit(tree: Path, tmp_path: Path) -> None:
    unit = (tree / "usr/lib/systemd/user/spotter.service").read_text(encoding="utf-8")
    file = tmp_path / "spotter.service"
    file.write_text(unit.replace("/usr/bin/spotter", str(tree / "usr/bin/spotter")), "utf-8")
    run("systemd-analyze", "--user", "--man=no", "verify", file, XDG_RUNTIME_DIR=str(tmp_path))


def test_it_has_the_scanners_program(tree: Path) -> None:
    """Beside the program, where `spotter scanner --flash` looks for it."""
    packed = tree / INSTALLED / PROGRAM.relative_to(PROJECT)
    assert packed.read_bytes() == PROGRAM.read_bytes()
