"""The program that travels with the sources, ready to be flashed."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"
RELEASE = FIRMWARE / "scanner.hex"


def flashed(text: str) -> bytes:
    """What an Intel HEX file puts into the chip from 0 on; each line's sum is checked."""
    found = bytearray()
    for line in text.splitlines():
        data = bytes.fromhex(line.removeprefix(":"))
        assert sum(data) % 256 == 0, line
        count, kind, at = data[0], data[3], int.from_bytes(data[1:3], "big")
        if kind == 0:
            assert at == len(found)
            found += data[4 : 4 + count]
    return bytes(found)


def test_it_has_its_checksum_and_fits_the_chip() -> None:
    told = (FIRMWARE / "scanner.hex.sha256").read_text(encoding="utf-8")
    assert told == f"{hashlib.sha256(RELEASE.read_bytes()).hexdigest()}  scanner.hex\n"
    program = flashed(RELEASE.read_text(encoding="utf-8"))
    assert 4000 < len(program) < 16384


def test_it_is_what_the_sources_make(tmp_path: Path) -> None:
    if shutil.which("avr-gcc") is None:
        pytest.skip("avr-gcc is not installed: apt-get install gcc-avr avr-libc")
    version = subprocess.run(["avr-gcc", "--version"], capture_output=True, text=True, check=True)
    if not re.search(r" 5\.4\.0$", version.stdout.splitlines()[0]):
        pytest.skip("it was made by avr-gcc 5.4.0; another compiler makes other bytes")
    subprocess.run(
        ["make", "-C", FIRMWARE, f"BUILD={tmp_path}", "avr"], check=True, capture_output=True
    )
    made = (tmp_path / "avr" / "scanner.hex").read_bytes()
    assert made == RELEASE.read_bytes(), "run: make -C firmware release"
