"""`machine.py FOLDER PART QEMU …`: runs the machine; what it says goes to FOLDER/transcript.txt.

After a line `@picture NAME` of the guest's the screen is left in FOLDER as a PNG file, as soon as
it shows something, and a line goes back.  It fails unless the guest says that PART has passed.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

DRAWN_S = 120
PERIOD_S = 2
FEW_COLOURS = 8
"""A console of text has no more."""


def take_picture(monitor: Path, file: Path) -> bool:
    """Of the guest's screen; whether Spotter's picture has come in time."""
    end = time.monotonic() + DRAWN_S
    while time.monotonic() < end:
        picture = look(monitor)
        picture.save(file)
        # None for many colours.
        if picture.getcolors(FEW_COLOURS) is None:
            return True
    return False


def look(monitor: Path) -> Image.Image:
    """What the screen shows now."""
    raw = monitor.with_suffix(".ppm")
    with socket.socket(socket.AF_UNIX) as asked:
        asked.connect(str(monitor))
        asked.sendall(f"screendump {raw}\n".encode())
        time.sleep(PERIOD_S)
    with Image.open(raw) as picture:
        picture.load()
    return picture


def main(folder: str, part: str, *words: str) -> int:
    """The exit status."""
    told, passed = Path(folder), False
    with tempfile.TemporaryDirectory() as own, (told / "transcript.txt").open("a") as transcript:
        monitor = Path(own, "monitor")
        command = [*words, "-serial", "stdio", "-monitor", f"unix:{monitor},server,nowait"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as qemu:
            assert qemu.stdout
            assert qemu.stdin
            for raw in qemu.stdout:
                # What was written over on a terminal is left out.
                line = raw.decode(errors="replace").rstrip().split("\r")[-1]
                if line.startswith("@picture "):
                    name = f"{line.split()[1]}.png"
                    shown = take_picture(monitor, told / name)
                    line = f"{name}: " + ("Spotter's picture" if shown else "NO picture")
                    qemu.stdin.write(b"\n")
                    qemu.stdin.flush()
                print(line, file=transcript, flush=True)
                print(line, flush=True)
                passed = passed or line == f"{part} has passed"
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
