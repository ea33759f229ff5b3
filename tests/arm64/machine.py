"""`machine.py FOLDER PART QEMU …`: runs the machine; what it says goes to FOLDER/transcript.txt.

A line `@picture NAME` of the guest's leaves the screen in FOLDER as a PNG file.  It fails unless
the guest says that the part PART has passed.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

DRAWN_S = 20


def take_picture(monitor: Path, file: Path) -> None:
    """Of the guest's screen."""
    raw = monitor.with_suffix(".ppm")
    with socket.socket(socket.AF_UNIX) as asked:
        asked.connect(str(monitor))
        asked.sendall(f"screendump {raw}\n".encode())
        end = time.monotonic() + DRAWN_S
        while time.monotonic() < end and not raw.exists():
            time.sleep(0.1)
        time.sleep(1)
    Image.open(raw).save(file)
    raw.unlink()


def main(folder: str, part: str, *words: str) -> int:
    """The exit status."""
    told, passed = Path(folder), False
    with tempfile.TemporaryDirectory() as own, (told / "transcript.txt").open("a") as transcript:
        monitor = Path(own, "monitor")
        command = [*words, "-serial", "stdio", "-monitor", f"unix:{monitor},server,nowait"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as qemu:
            assert qemu.stdout
            for raw in qemu.stdout:
                line = raw.decode(errors="replace").rstrip()
                print(line, file=transcript, flush=True)
                print(line, flush=True)
                passed = passed or line == f"{part} has passed"
                if line.startswith("@picture "):
                    take_picture(monitor, told / f"{line.split()[1]}.png")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
