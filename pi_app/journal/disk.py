"""Whether a folder forgets: file systems that live in memory, and overlays that end at reboot."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

VOLATILE = frozenset({"tmpfs", "ramfs", "devtmpfs", "overlay", "overlayfs", "aufs", "zram"})
MOUNTS = Path("/proc/mounts")


def volatile_kind(folder: PurePosixPath, mounts: str) -> str | None:
    """The kind of file system under `folder` if it forgets at reboot, else None.

    `mounts` is the text of /proc/mounts; `folder` is absolute, without symbolic links.
    """
    kind, depth = "", -1
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        mount = PurePosixPath(_plain(fields[1]))
        # Of two mounts on one folder the later hides the earlier.
        if folder.is_relative_to(mount) and len(mount.parts) >= depth:
            kind, depth = fields[2], len(mount.parts)
    return kind if kind in VOLATILE else None


def is_volatile(folder: Path) -> bool:
    """Whether what is written to `folder` is forgotten at reboot; False where nobody knows."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return volatile_kind(PurePosixPath(folder.resolve()), mounts) is not None


def _plain(mount: str) -> str:
    """A mount point without the octal escapes of blanks and backslashes."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), mount)
