"""The kernel laboratory from outside: where it is, a guest in it, and the plug to pull."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
BUILD = HERE / "build"
SPOTTER = f"{sys.executable} -m pi_app"
"""Spotter's command in the guest, whose Python is this one."""

MEMORY = "384M"
ENDED = "the guest has ended"
"""The last that a guest prints; see linux/init."""


def find_lab() -> Path | None:
    """The laboratory's folder, or None where it is not built."""
    where = subprocess.run([BUILD, "--where"], capture_output=True, text=True, check=True)
    folder = Path(where.stdout.strip())
    return folder if folder.is_dir() else None


class Guest:
    """A kernel that runs a shell script.

    `folder` is the one that the guest can write, /mnt inside.  With `virtual` computing takes no
    time and waiting none of ours.  `disk` is an ext4 image: matches are then kept on it.  `amx`:
    the host is as one with AMX.
    """

    def __init__(
        self,
        lab: Path,
        folder: Path,
        script: str,
        *,
        virtual: bool = False,
        disk: Path | None = None,
        amx: bool = False,
    ) -> None:
        self._folder = folder
        (folder / "run").write_text(
            f"export PYTHONPATH={PROJECT} PYTHONDONTWRITEBYTECODE=1 LAB={lab}"
            f" THOROUGH={os.environ.get('THOROUGH', '')}\n{script}\n"
        )
        (folder / "status").unlink(missing_ok=True)
        words = [str(lab / "linux"), f"mem={MEMORY}", "rootfstype=hostfs", "rootflags=/", "ro"]
        words += ["quiet", "loglevel=0", "con=null", "con0=null,fd:1", f"uml_dir={folder}/uml"]
        words += [f"dtb={lab / 'pi4.dtb'}", f"init={HERE / 'linux' / 'init'}", f"GUEST={folder}"]
        words += ["time-travel=inf-cpu"] if virtual else []
        words += [f"ubd0={disk}", "DISK=1"] if disk else []
        self._kernel = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "TMPDIR": str(folder),
                **({"LD_PRELOAD": str(lab / "amx.so")} if amx else {}),
            },
            start_new_session=True,
        )

    def lines(self) -> Iterator[str]:
        """The guest's output, line by line."""
        console: IO[bytes] | None = self._kernel.stdout
        assert console is not None
        for raw in console:
            line = raw.decode(errors="replace").rstrip("\r\n")
            if line == ENDED:
                return
            yield line

    def status(self) -> int | None:
        """The script's exit status; None when the guest has not come to its end."""
        file = self._folder / "status"
        return int(file.read_text()) if file.exists() else None

    def pull_the_plug(self) -> None:
        """No goodbye: what is not on the disk is lost."""
        os.killpg(self._kernel.pid, signal.SIGKILL)
        self._kernel.wait()


def run(
    lab: Path, folder: Path, script: str, *, virtual: bool = False, amx: bool = False
) -> tuple[int | None, str]:
    """The exit status of a script in a guest, and all that it printed."""
    guest = Guest(lab, folder, script, virtual=virtual, amx=amx)
    try:
        said = "\n".join(guest.lines())
        return guest.status(), said
    finally:
        guest.pull_the_plug()
