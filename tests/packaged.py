"""The Debian package, built once a run, and small ones of other versions made from it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

from hardware.package.making import make_package, read_release
from pi_app.cli.rollback import INSTALLED, VERSION

HERE = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), "")

needs_debian = pytest.mark.skipif(
    not HERE
    or not all(map(shutil.which, ("dpkg-deb", "git", f"{platform.machine()}-linux-gnu-gcc"))),
    reason="no Debian with gcc and git",
)


def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Whoever of the workers comes first builds it."""
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = run / "package"
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            folder.mkdir()
            make_package(HERE, read_release(), folder)
    return next(folder.glob("*.deb"))


def unpacked(package: Path, tree: Path) -> None:
    """Its files and its scripts, without what is large and not needed to start."""
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    for file in (tree / INSTALLED).rglob("*"):
        if file.is_file() and file.suffix not in ("", ".py", ".so"):
            file.unlink()


def packed_as(version: str, tree: Path) -> Path:
    """A package of this version, which refuses to run in parts of two versions."""
    program = tree / INSTALLED / "pi_app"
    (tree / INSTALLED / VERSION).write_text(f"{version}\n", encoding="utf-8")
    (program / "__init__.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    main = program / "cli" / "main.py"
    text = main.read_text(encoding="utf-8").split("\nassert __version__")[0]
    main.write_text(f'{text}\nassert __version__ == "{version}"\n', encoding="utf-8")
    control = tree / "DEBIAN/control"
    lines = control.read_text(encoding="utf-8").splitlines()
    lines = [f"Version: {version}" if line.startswith("Version:") else line for line in lines]
    control.write_text("\n".join([*lines, ""]), encoding="utf-8")
    (tree / "DEBIAN/md5sums").unlink(missing_ok=True)
    file = tree.parent / f"spotter_{version}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, file],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return file
