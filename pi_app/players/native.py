"""Cores in C: built once from `core/` beside a player, kept in the user's cache, called through
cffi.

The set-up runs `python -m pi_app.players.native`. If it did not, a core is built when it is first
needed, which takes a few seconds. A core's file name depends on its sources and on the machine, so
that one of another version is never loaded. cffi's ABI mode was chosen over a compiled extension
because it needs neither Python's headers nor a writable installation.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from pi_app.words.texts import one_line

FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared")
LIBRARIES = ("-lm",)
BUILD_S = 120
COMPILERS = ("cc", "gcc", "clang")
MOST_SAID = 200
MENDED_BY = "sudo apt install gcc libc6-dev"


class CoreError(Exception):
    """A core in C is not available; says why in a few words."""


class OpenedCore(NamedTuple):
    """A core: `library` has its functions, `ffi` makes their arguments."""

    ffi: Any
    library: Any


def cache_folder() -> Path:
    return platformdirs.user_cache_path("spotter")


@dataclass(frozen=True)
class NativeCore:
    """A core by the folder of its sources; the name of its file begins with `name`."""

    name: str
    sources: Path

    def open(self, folder: Path, declared: str) -> OpenedCore:
        """Open the installed file, or the one in the folder, and build it if needed. Raises
        CoreError."""
        name = self.file_name()
        installed, file = self.sources / name, folder / name
        if installed.is_file():
            return opened(installed, declared)
        if file.is_file():
            with suppress(CoreError):
                return opened(file, declared)
        self.build(file)
        return opened(file, declared)

    def file_name(self, machine: str | None = None) -> str:
        """The file's name, from the sources, the compiler's options and the machine (None: this
        one). Raises CoreError."""
        try:
            texts = [file.read_bytes() for file in sorted(self.sources.glob("*.[ch]"))]
        except OSError as error:
            raise CoreError(f"{self.sources}: {error.strerror}") from None
        words = (*FLAGS, *LIBRARIES, machine or platform.machine(), platform.libc_ver()[0])
        digest = hashlib.sha256(b"|".join((" ".join(words).encode(), *texts))).hexdigest()
        return f"{self.name}-{digest[:16]}.so"

    def build(self, file: Path) -> None:
        """Compile the sources. Other processes see the complete file or none. Raises CoreError."""
        compiler = _compiler()
        sources = [str(source) for source in sorted(self.sources.glob("*.c"))]
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=file.parent, prefix=f".{self.name}-") as folder:
                made = Path(folder) / file.name
                done = subprocess.run(
                    [*compiler, *FLAGS, "-o", str(made), *sources, *LIBRARIES],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=BUILD_S,
                    check=False,
                )
                if done.returncode != 0:
                    said = done.stderr.decode("utf-8", "replace")
                    raise CoreError(f"{compiler[0]} failed: {one_line(said, MOST_SAID)}")
                made.replace(file)
        except subprocess.TimeoutExpired:
            raise CoreError(f"{compiler[0]} took more than {BUILD_S} s") from None
        except OSError as error:
            raise CoreError(f"{error.filename or file.parent}: {error.strerror}") from None


def opened(file: Path, declared: str) -> OpenedCore:
    """Raises CoreError."""
    try:
        from cffi import FFI  # noqa: PLC0415, only engines need it
    except ImportError:
        raise CoreError("cffi is not installed") from None
    ffi = FFI()
    ffi.cdef(declared)
    try:
        library = ffi.dlopen(str(file))
    except OSError as error:
        raise CoreError(f"{file}: {one_line(str(error), MOST_SAID)}") from None
    if not all(hasattr(library, function) for function in re.findall(r"spotter_\w+", declared)):
        # While it is open its name stands for it, whatever is built in its place.
        ffi.dlclose(library)
        raise CoreError(f"{file} is not this Spotter's")
    return OpenedCore(ffi, library)


def _compiler() -> Sequence[str]:
    """The compiler's command: $CC, or the first that exists."""
    if asked := shlex.split(os.environ.get("CC", "")):
        return asked
    found = next(filter(None, map(shutil.which, COMPILERS)), None)
    if found is None:
        raise CoreError(f"there is no C compiler; {MENDED_BY}")
    return [found]


def all_cores() -> Iterator[NativeCore]:
    """Yield the cores of all players."""
    for sources in sorted(Path(__file__).parent.glob("*/core")):
        yield NativeCore(sources.parent.name, sources)


def main() -> int:
    """Build the missing cores. Print in one line why one cannot be built."""
    failed = 0
    for core in all_cores():
        try:
            core.open(cache_folder(), "")
        except CoreError as error:
            print(f"{core.name}: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
