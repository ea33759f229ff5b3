"""Spotter's Debian package: the same bytes from the same checkout, whoever makes it and when."""

from __future__ import annotations

import argparse
import gzip
import io
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial
from hashlib import md5
from importlib.metadata import distribution
from pathlib import Path
from stat import S_IXUSR
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any
from zipfile import ZipFile

from packaging.requirements import Requirement

from pi_app.base.errors import FailedError
from pi_app.cli.ending import ended
from pi_app.cli.main import COMMANDS, usage
from pi_app.cli.main import main as spotter
from pi_app.cli.rollback import INSTALLED, VERSION
from pi_app.players.native import FLAGS, LIBRARIES, all_cores

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
WHEELS = PROJECT / "dist/wheels"
MAINTAINER = "The Spotter makers <spotter@example.org>"
COMPILERS = {
    "amd64": ("x86_64", "x86_64-linux-gnu-gcc"),
    "arm64": ("aarch64", "aarch64-linux-gnu-gcc"),
}
START = "#!/usr/bin/env -S --block-signal=INT /usr/bin/python3"
"""Ctrl-C waits until Spotter can end without a traceback: `start` of pi_app/__main__.py."""
END = """
def begin() -> int:
    from pi_app.__main__ import start  # of the version that main has chosen

    return start()


sys.exit(main(sys.argv[1:], package_of(Path(sys.argv[0])), begin))"""
SCANNER = "firmware/scanner.hex"
"""The scanner's program, for `spotter scanner --flash`."""
INSIDE = ("gpiozero", "paho-mqtt", "spake2", "mnemonic")
"""What Debian 12 has too old."""
COMPILED = "msgspec"
"""What Debian 12 has not: its wheels for the processor are inside, for every Python of PYTHONS."""
PYTHONS = ("3.11", "3.13")
"""Debian 12's and Debian 13's."""
DEBIAN_NAMES = {"pillow": "pil", "pyserial": "serial"}
RECOMMENDED = (
    *("python3-lgpio", "i2c-tools", "espeak-ng", "libegl1", "libgles2", "libgl1-mesa-dri"),
    *("python3-aiohttp", "avahi-daemon"),
)
"""What most boards use; phones need the last two: the server, and this computer's name in the
network."""
MORE = ("python3 (>= 3.11)", "python3 (<< 3.14)", "python3-colorzero", "libc6")


class PackageError(FailedError):
    """The package cannot be made here."""


@dataclass(frozen=True, slots=True)
class Release:
    version: str
    when: int
    """The seconds since 1970 that every file is from."""

    @property
    def date(self) -> datetime:
        return datetime.fromtimestamp(self.when, UTC)


def read_release() -> Release:
    told = os.environ.get("SOURCE_DATE_EPOCH") or _said("git", "log", "-1", "--format=%ct")
    return Release(_pyproject("project")["version"], int(told))


def make_package(architecture: str, release: Release, into: Path) -> Path:
    """The package's file in the folder `into`. Raises PackageError."""
    check_tools(architecture)
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(HERE / "root", tree)
        _add_program(tree / INSTALLED)
        _add_start(tree, release)
        _add_pages(tree / "usr/share", release)
        _add_compiled(tree / INSTALLED, architecture)
        _add_cores(tree / INSTALLED, architecture)
        _add_rules(tree / "usr/lib/udev/rules.d")
        _copy(PROJECT / SCANNER, tree / INSTALLED / SCANNER)
        _add_control(tree, architecture, release)
        _same_everywhere(tree, release)
        file = into / f"spotter_{release.version}_{architecture}.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, file],
            env={**os.environ, "SOURCE_DATE_EPOCH": str(release.when)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
    return file


def check_tools(architecture: str) -> None:
    """Raises PackageError if a tool for this processor is missing."""
    machine, compiler = COMPILERS[architecture]
    debian = "gcc" if machine == platform.machine() else f"gcc-{compiler.removesuffix('-gcc')}"
    for tool, package in ((compiler, debian), ("dpkg-deb", "dpkg")):
        if not shutil.which(tool):
            raise PackageError(f"{tool} is missing; run: sudo apt install {package}")


def _pyproject(table: str) -> Any:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))[table]


def _said(*words: str) -> str:
    return subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True).stdout


def _add_program(library: Path) -> None:
    """What pyproject.toml says an installation has, of what is in git; and the packages inside."""
    patterns = ["**/*.py", *_pyproject("tool")["setuptools"]["package-data"]["pi_app"]]
    known = {PROJECT / name for name in _said("git", "ls-files", "pi_app").splitlines()}
    for pattern in patterns:
        for file in known.intersection((PROJECT / "pi_app").glob(pattern)):
            _copy(file, library / file.relative_to(PROJECT))
    for name in INSIDE:
        found = distribution(name)
        for path in found.files or ():
            inside = ".." not in path.parts and "__pycache__" not in path.parts
            if inside and path.name not in ("INSTALLER", "REQUESTED", "RECORD", "direct_url.json"):
                _copy(Path(str(path.locate())), library / path)


def _copy(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def _add_start(tree: Path, release: Release) -> None:
    """The command, and for it the name of the version."""
    (tree / INSTALLED / VERSION).write_text(f"{release.version}\n", encoding="utf-8")
    command = tree / "usr/bin/spotter"
    command.parent.mkdir()
    command.write_text(chooser(), encoding="utf-8")
    command.chmod(0o755)


def chooser() -> str:
    """The program that starts the version in use."""
    source = (PROJECT / "pi_app/cli/rollback.py").read_text(encoding="utf-8")
    return f"{START}\n{source}\n{END}\n"


def _add_compiled(library: Path, architecture: str) -> None:
    """Wheels of other Pythons and processors, by the hashes that are pinned."""
    machine, compiler = COMPILERS[architecture]
    lock = (PROJECT / "pi_app/requirements.lock").read_text(encoding="utf-8")
    (pinned,) = re.findall(rf"^{COMPILED}==.*(?:\n    --hash.*)+", lock, re.MULTILINE)
    for python in PYTHONS:
        with TemporaryDirectory() as folder:
            requirement = Path(folder) / "pinned.txt"
            requirement.write_text(f"{pinned.rstrip(chr(92))}\n", encoding="utf-8")
            _download(requirement, python, machine)
            (wheel,) = Path(folder).glob("*.whl")
            with ZipFile(wheel) as files:
                names = [name for name in files.namelist() if not name.endswith("/RECORD")]
                files.extractall(library, names)
    for made in (library / COMPILED).glob("*.so"):
        subprocess.run([compiler.replace("-gcc", "-strip"), "--strip-unneeded", made], check=True)


def _download(requirement: Path, python: str, machine: str) -> None:
    """Into the folder of `requirement`; what was fetched once is not fetched again."""
    WHEELS.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    words += ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(requirement)]
    words += ["--python-version", python, "--platform", f"manylinux_2_17_{machine}"]
    words += ["--platform", f"manylinux2014_{machine}"]
    stored = ["--no-index", "--find-links", str(WHEELS), "-d", str(requirement.parent)]
    if subprocess.run([*words, *stored], stderr=subprocess.DEVNULL, check=False).returncode:
        subprocess.run([*words, "-d", str(WHEELS)], check=True)
        subprocess.run([*words, *stored], check=True)


def _add_cores(library: Path, architecture: str) -> None:
    """The players' cores in C, as they are built elsewhere."""
    machine, compiler = COMPILERS[architecture]
    for core in all_cores():
        sources = sorted(map(str, core.sources.glob("*.c")))
        made = library / core.sources.relative_to(PROJECT) / core.file_name(machine)
        made.parent.mkdir(parents=True, exist_ok=True)
        words = [*shlex.split(os.environ.get("CC") or compiler), *FLAGS, "-s", "-o", str(made)]
        subprocess.run([*words, *sources, *LIBRARIES], check=True)
        made.chmod(0o644)


def _add_rules(folder: Path) -> None:
    for file in (PROJECT / "pi_app/devices").glob("*.rules"):
        _copy(file, folder / f"60-{file.name}")


def _add_pages(share: Path, release: Release) -> None:
    """The manual and the completion, from what `spotter help` says."""
    documents = share / "doc/spotter"
    changes = f"""spotter ({release.version}) stable; urgency=low

{_changes()}

 -- {MAINTAINER}  {format_datetime(release.date)}
"""
    _zip(documents / "changelog.gz", changes)
    _copy(HERE / "copyright", documents / "copyright")
    helps = {name: _help(name) for name in COMMANDS}
    _zip(share / "man/man1/spotter.1.gz", "\n".join(_manual(helps, release)))
    file = share / "bash-completion/completions/spotter"
    file.parent.mkdir(parents=True)
    file.write_text(_completion(helps), encoding="utf-8")


def _changes() -> str:
    """The newest version's points in the changelog."""
    text = (PROJECT / ".github/CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    lines = [line for line in text.splitlines()[1:] if line and not line.startswith("#")]
    points = "\n".join(lines).removeprefix("- ").split("\n- ")
    return "\n".join(
        fill(" ".join(point.split()), 76, initial_indent="  * ", subsequent_indent="    ")
        for point in points
    )


def _zip(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def _help(command: str) -> str:
    os.environ["COLUMNS"] = "80"
    with redirect_stdout(io.StringIO()) as said:
        try:
            status = spotter(["help", command])
        except SystemExit as end:
            status = int(end.code or 0)
    if status:
        raise PackageError(f"spotter help {command} ended with {status}")
    return said.getvalue()


def _manual(helps: dict[str, str], release: Release) -> Iterator[str]:
    yield f'.TH SPOTTER 1 "{release.date:%Y-%m-%d}" "Spotter {release.version}" Commands'
    yield f".SH NAME\nspotter \\- {_escaped(str(_pyproject('project')['description']))}"
    yield f".SH SYNOPSIS\n.nf\n{_escaped(usage())}\n.fi\n.SH COMMANDS"
    for name, text in helps.items():
        yield f".SS {name}\n.nf\n{_escaped(text)}\n.fi"


def _escaped(text: str) -> str:
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in {".", "'"} else line for line in plain.split("\n"))


def _completion(helps: dict[str, str]) -> str:
    """Return bash's completion: the commands, then the options that each command's help names."""
    cases = "\n".join(
        f"    {name}) words='{' '.join(_options(text))}' ;;" for name, text in helps.items()
    )
    return f"""_spotter() {{
  local words='help {" ".join(helps)}'
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='help --version {" ".join(helps)}'; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
complete -o default -F _spotter spotter
"""


def _options(text: str) -> list[str]:
    words = (word.strip("[],|") for word in text.split())
    return sorted(
        {word for word in words if word.startswith("--") and word[2:].replace("-", "").isalpha()}
    )


def _add_control(tree: Path, architecture: str, release: Release) -> None:
    control = tree / "DEBIAN"
    shutil.copytree(HERE / "scripts", control)
    files = sorted(
        file for file in tree.rglob("*") if file.is_file() and control not in file.parents
    )
    size = sum(-(-file.stat().st_size // 1024) for file in files)
    (control / "control").write_text(
        f"""Package: spotter
Version: {release.version}
Architecture: {architecture}
Maintainer: {MAINTAINER}
Installed-Size: {size}
Depends: {", ".join(_depends())}
Recommends: {", ".join(RECOMMENDED)}
Suggests: avrdude, gnubg
Section: games
Priority: optional
Description: companion for board games on a real board with reed switches
 Spotter follows hands on a board of reed switches, checks every play of Nannon,
 Backgammon, Portes, the Pin game and Cannon against the rules, rolls the dice
 and keeps the cube, the clock and the score.
""",
        encoding="utf-8",
    )
    sums = (f"{md5(f.read_bytes()).hexdigest()}  {f.relative_to(tree)}\n" for f in files)
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")


def _depends() -> Iterator[str]:
    yield from MORE
    for line in _pyproject("project")["dependencies"]:
        asked = Requirement(line)
        if asked.name in (*INSIDE, COMPILED) or (
            asked.marker and not asked.marker.evaluate({"python_version": "3.11"})
        ):
            continue
        for one in sorted(map(str, asked.specifier)):
            sign, version = (">=", one[2:]) if one.startswith(">=") else ("<<", one[1:])
            yield f"python3-{DEBIAN_NAMES.get(asked.name, asked.name)} ({sign} {version})"


def _same_everywhere(tree: Path, release: Release) -> None:
    """Whatever the umask; deepest first, for each change of a file is one of its folder."""
    for file in sorted(tree.rglob("*"), reverse=True):
        runs = file.is_dir() or file.stat().st_mode & S_IXUSR
        file.chmod(0o755 if runs else 0o644)
        os.utime(file, (release.when, release.when))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser("package/build", description=__doc__)
    parser.add_argument(
        "architecture",
        nargs="?",
        choices=COMPILERS,
        default=_said("dpkg", "--print-architecture").strip(),
    )
    parser.add_argument("-o", dest="into", type=Path, default=PROJECT / "dist", metavar="FOLDER")
    given = parser.parse_args(argv)
    given.into.mkdir(parents=True, exist_ok=True)
    print(make_package(given.architecture, read_release(), given.into))
    return 0


if __name__ == "__main__":
    sys.exit(ended(partial(main, sys.argv[1:])))
