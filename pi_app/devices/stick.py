"""USB sticks: which one is mounted, and writing complete files to it.

A stick counts once the system has mounted it. A folder below /media alone means nothing, because it
stays behind after a stick is pulled out. Desktops mount sticks by themselves; elsewhere a program
such as udiskie does.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pi_app.base.files import replace_text
from pi_app.base.values import dataclass
from pi_app.words.sentences import Sentence

NO_STICK = Sentence("Insert a USB stick and wait a moment")
HERE = Path("/")
_MOUNTS = "proc/self/mounts"
_MEDIA = ("/media/", "/run/media/")
"""Where removable media are mounted: Filesystem Hierarchy Standard 3.0, 3.11, and udisks."""
_OCTAL = re.compile(r"\\([0-7]{3})")
_PLAIN = re.compile(r"[^A-Za-z0-9.]+")
_MOST_OF_NAME = 100
MOST_FILES, MOST_DEEP = 2000, 8
"""The most files that are offered, and how many folders deep they are looked for."""
_SUFFIX_LEFT = "-????????"
"""The suffix of an unfinished file."""


@dataclass(frozen=True, slots=True)
class Stick:
    """A mounted volume: its name for people, its folder, and whether it can be written."""

    name: str
    folder: Path
    writable: bool


def find_stick(root: Path = HERE) -> Stick | None:
    """The stick that was mounted last, preferably one that can be written; None if
    there is none."""
    found = tuple(_mounted(root))
    writable = tuple(stick for stick in found if stick.writable)
    return next(reversed(writable or found), None)


def write_files(stick: Stick, files: Mapping[str, Iterable[str]]) -> None:
    """Write files with these names and lines; each is complete and on the stick, or absent.

    Raises OSError; files before the failing one stay.
    """
    for name, lines in files.items():
        for left in stick.folder.glob(f".{name}{_SUFFIX_LEFT}"):
            # Left by a Spotter that was switched off while it wrote.
            with suppress(OSError):
                left.unlink()
        replace_text(stick.folder / name, "".join(f"{line}\n" for line in lines))


def files_on(stick: Stick, wanted: Callable[[Path], bool]) -> tuple[str, ...]:
    """The names of wanted files in the stick's folder and those below it, at most MOST_FILES.

    Hidden files and links to folders are left out. Raises OSError if the stick is gone.
    """
    found: list[str] = []
    for place, folders, names in os.walk(stick.folder, onerror=_raised):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files = (Path(place, name) for name in sorted(names) if not name.startswith("."))
        found += [str(file.relative_to(stick.folder)) for file in files if wanted(file)]
        if len(found) >= MOST_FILES or len(Path(place).relative_to(stick.folder).parts) > MOST_DEEP:
            folders.clear()
    return tuple(found[:MOST_FILES])


def _raised(error: OSError) -> None:
    raise error


def plain_name(*words: str) -> str:
    """Make a file name that every system accepts: letters without accents, digits, hyphens."""
    spelled = (
        unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode() for word in words
    )
    plain = (_PLAIN.sub("-", word).strip("-.") for word in spelled)
    return "-".join(word for word in plain if word)[:_MOST_OF_NAME]


def _mounted(root: Path) -> Iterator[Stick]:
    try:
        mounts = (root / _MOUNTS).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    for line in mounts.splitlines():
        device, place, _, options, *_ = [*line.split(" "), "", "", "", ""]
        where = _OCTAL.sub(lambda escaped: chr(int(escaped[1], 8)), place)
        if device.startswith("/dev/") and where.startswith(_MEDIA):
            folder = root / where.removeprefix("/")
            yield Stick(folder.name, folder, "rw" in options.split(","))
