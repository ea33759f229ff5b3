#!/usr/bin/env python3
"""`namespace.py ROOT COMMAND …`: runs it in the folder ROOT, where programs for arm64 run too.

It is root of namespaces of its own: nothing is registered for the rest of the machine.  Needs root,
qemu-user-static and Linux 6.7, which has a binfmt_misc for each user namespace.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

NEW_USER, NEW_MOUNTS, NEW_PROCESSES = 0x10000000, 0x20000, 0x20000000
PRIVATE, RECURSIVE, BIND = 1 << 18, 1 << 14, 1 << 12
IDS = 65536
QEMU = "/usr/bin/qemu-aarch64-static"
HEADER = r"\x7fELF\x02\x01\x01" + r"\x00" * 9 + r"\x02\x00\xb7\x00"
MASK = r"\xff" * 7 + r"\x00" + r"\xff" * 8 + r"\xfe\xff\xff\xff"
REGISTERED = f":arm64:M::{HEADER}:{MASK}:{QEMU}:FP"

libc = ctypes.CDLL(None, use_errno=True)


def called(done: int, what: str) -> None:
    if done:
        error = ctypes.get_errno()
        raise SystemExit(f"{what}: {os.strerror(error)}; run as root on Linux 6.7 or later")


def mount(what: str, at: str, flags: int = 0) -> None:
    """A filesystem of the kernel's own, or with flags a folder."""
    called(libc.mount(what.encode(), at.encode(), what.encode(), flags, None), f"mount {at}")


def become(root: str, words: tuple[str, ...]) -> NoReturn:
    mount("none", "/", PRIVATE | RECURSIVE)
    mount("proc", "/proc")
    folder = tempfile.mkdtemp()
    mount("binfmt_misc", folder)
    Path(folder, "register").write_text(REGISTERED, encoding="ascii")
    if root != "/":
        mount("/dev", f"{root}/dev", BIND | RECURSIVE)
        mount("proc", f"{root}/proc")
        os.chroot(root)
        os.chdir("/")
    os.execvp(words[0], words)


def main(root: str, *words: str) -> int:
    """The command's exit status."""
    told, tells = os.pipe()
    counts, counted = os.pipe()
    child = os.fork()
    if child:
        os.read(told, 1)
        for ids in ("uid_map", "gid_map"):
            Path(f"/proc/{child}/{ids}").write_text(f"0 0 {IDS}\n", encoding="ascii")
        os.write(counted, b"x")
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    called(libc.unshare(NEW_USER | NEW_MOUNTS | NEW_PROCESSES), "unshare")
    os.write(tells, b"x")
    os.read(counts, 1)
    os.setgid(0)
    os.setuid(0)
    # Only a child of this process is in the new namespace of processes.
    first = os.fork()
    if first:
        return os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])
    become(root, words)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) & 0xFF)
