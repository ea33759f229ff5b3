"""`python -m pi_app.base.pinned FILE INTO`: choose which pinned packages of a file to install.

If Spotter's Python sees only its own packages, all are installed. If it also sees the
distribution's, as on a Raspberry Pi, one of those is kept instead of a pinned one if pyproject.toml
accepts its version and everything else that needs it is the distribution's too, or takes any
version. So no distribution package ever depends on a pinned one.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import distributions
from pathlib import Path

# Every virtual environment has pip, and nothing else is installed yet.
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[2]
UNDEMANDING = frozenset({"spake2"})
"""Pinned packages that work with any version of what they need."""
_PINNED = re.compile(r"^([\w.-]+)==", re.MULTILINE)
_ASKED_BY = re.compile(r"^ +#(?: via|  ) ([\w.-]+)$", re.MULTILINE)


def read_lock(text: str) -> dict[str, str]:
    """Return each pinned package's lines by its name; a package pinned twice has both."""
    starts = [found.start() for found in _PINNED.finditer(text)]
    entries: dict[str, str] = {}
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        entry = text[start:end]
        name = canonicalize_name(entry.split("==")[0])
        entries[name] = entries.get(name, "") + entry
    return entries


def read_ranges(pyproject: str) -> dict[str, Requirement]:
    """Return what pyproject.toml itself requires: to run, to build and for every extra."""
    table = tomllib.loads(pyproject)
    extras = table["project"]["optional-dependencies"].values()
    lines = [
        *table["project"]["dependencies"],
        *table["build-system"]["requires"],
        *(line for extra in extras for line in extra),
    ]
    found = map(Requirement, lines)
    return {canonicalize_name(requirement.name): requirement for requirement in found}


def kept(
    entries: Mapping[str, str], ranges: Mapping[str, Requirement], there: Mapping[str, str]
) -> frozenset[str]:
    """Return the pinned packages that the distribution's own, `there` with their
    versions, replace."""

    def stands(name: str, kept: frozenset[str]) -> bool:
        if not kept.issuperset({*_ASKED_BY.findall(entries[name])} - UNDEMANDING):
            return False
        asked = ranges.get(name)
        # What only its own packages ask for, the distribution has brought or done without.
        return asked is None or (name in there and asked.specifier.contains(there[name]))

    names = frozenset(entries)
    while (fewer := frozenset(name for name in names if stands(name, names))) != names:
        names = fewer
    return names


def _distributions() -> dict[str, str]:
    """The packages outside the virtual environment, and their versions."""
    outside = [path for path in sys.path if not Path(path).is_relative_to(sys.prefix)]
    return {canonicalize_name(found.name): found.version for found in distributions(path=outside)}


def main(argv: Iterable[str]) -> None:
    """Write the entries to install."""
    file, into = argv
    entries = read_lock(Path(file).read_text(encoding="utf-8"))
    ranges = read_ranges((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    left = kept(entries, ranges, _distributions())
    chosen = "".join(entry for name, entry in entries.items() if name not in left)
    Path(into).write_text(chosen, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
