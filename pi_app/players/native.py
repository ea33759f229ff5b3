"""Cores in C: built once from `core/` beside a player, kept in the user's cache, called through
cffi.

The set-up runs `python -m pi_app.players.native`. If it did not, a core is built when it is first
needed, which takes a few seconds, for this very processor. A core's file name depends on its
sources and on the processor, so that neither another version's is ever loaded nor, from a memory
card or a home folder that has moved, one with instructions that this processor does not know.
cffi's ABI mode was chosen over a compiled extension
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from pi_app.base.values import dataclass
from pi_app.words.texts import one_line

FLAGS = ("-std=c11", "-O3", "-ffp-contract=off", "-fPIC", "-shared")
"""For every processor of an architecture, as in the package."""
OWN_FLAGS: Mapping[str, str] = {"x86_64": "-march=native", "aarch64": "-mcpu=native"}
"""For this very processor only, by machine. No sum changes: nothing is contracted or reordered."""
CPU = Path("/proc/cpuinfo")
FEATURES = ("flags", "Features", "CPU implementer", "CPU part")
"""The lines of CPU that say what a processor can do: on x86, and on ARM."""
LIBRARIES = ("-lm",)
BUILD_S = 120
COMPILERS = ("cc", "gcc", "clang")
MOST_SAID = 200
MENDED_BY = "sudo apt install gcc libc6-dev"


class CoreError(Exception):
    """A core in C is not available; says why in a few words."""


class CompilerError(CoreError):
    """The compiler reports an error."""


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
        installed = self.sources / self.file_name(platform.machine())
        file = folder / self.file_name()
        if installed.is_file():
            return opened(installed, declared)
        if file.is_file():
            with suppress(CoreError):
                return opened(file, declared)
        self.build(file)
        return opened(file, declared)

    def file_name(self, machine: str | None = None) -> str:
        """The file's name, from the sources, the compiler's options and the machine; None: this
        very processor. Raises CoreError."""
        try:
            texts = [file.read_bytes() for file in sorted(self.sources.glob("*.[ch]"))]
        except OSError as error:
            raise CoreError(f"{self.sources}: {error.strerror}") from None
        words = (*FLAGS, *LIBRARIES, machine or _processor(), platform.libc_ver()[0])
        digest = hashlib.sha256(b"|".join((" ".join(words).encode(), *texts))).hexdigest()
        return f"{self.name}-{digest[:16]}.so"

    def build(self, file: Path) -> None:
        """Compile the sources. Other processes see the complete file or none. Raises CoreError."""
        compiler, own = _compiler(), OWN_FLAGS.get(platform.machine())
        try:
            self._build(compiler, (own,) if own and _features() else (), file)
        except CompilerError:
            # An old compiler may not know this processor.
            self._build(compiler, (), file)

    def _build(self, compiler: Sequence[str], own: Sequence[str], file: Path) -> None:
        sources = [str(source) for source in sorted(self.sources.glob("*.c"))]
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=file.parent, prefix=f".{self.name}-") as folder:
                made = Path(folder) / file.name
                done = subprocess.run(
                    [*compiler, *FLAGS, *own, "-o", str(made), *sources, *LIBRARIES],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=BUILD_S,
                    check=False,
                )
                if done.returncode != 0:
                    said = done.stderr.decode("utf-8", "replace")
                    raise CompilerError(f"{compiler[0]} failed: {one_line(said, MOST_SAID)}")
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


def _processor() -> str:
    return " ".join((platform.machine(), *_features()))


def _features() -> Sequence[str]:
    """What this processor can do, in its own words; empty where the system does not tell."""
    try:
        lines = CPU.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return sorted({line for line in lines if line.partition(":")[0].strip() in FEATURES})


def _compiler() -> Sequence[str]:
    """The compiler's command: $CC, or the first that exists."""
    named = os.environ.get("CC", "")
    try:
        if asked := shlex.split(named):
            return asked
    except ValueError as error:
        raise CoreError(f"CC={named} is no command: {error}") from None
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
