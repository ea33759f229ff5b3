"""The first evening without a display: from the program's first start to a match, by touch."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from chromium import CHROMIUM, PATIENCE_S, Tab, chromium, tab
from test_app import PIN
from test_phone_pages import PLACES, place, tap

from pi_app.journal.opening import open_journal
from pi_app.user.settings import read_settings

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

__all__ = ["chromium"]
PROGRAM = """
import sys, threading
from pi_app.cli import play
from pi_app.devices.gpio import open_factory
from pi_app.games.all import ALL

pins = open_factory("mock")
play.open_factory = lambda _: pins

def feel():
    for line in sys.stdin:
        pin, level = line.split()
        (pins.pin(int(pin)).drive_low if level == "low" else pins.pin(int(pin)).drive_high)()

threading.Thread(target=feel, daemon=True).start()
sys.exit(play.run(["--no-display"], ALL))
"""
"""The program on mock pins; each line that it reads is a pin and its level."""
TOLD = "spotter: phones: "
SAID = "document.getElementById('said').textContent"
Close = Callable[[str], None]


@contextmanager
def first_start(folder: Path) -> Iterator[tuple[str, Close]]:
    """The program in an empty home: the address that it tells, and what closes a sensor."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings(folder).parent.mkdir(parents=True)
    settings(folder).write_text(f'[oled]\nchip = "none"\n[phones]\nport = {port}\n')
    homes = {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data")}
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **homes, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert program.stdin is not None
    assert program.stderr is not None
    to_program = program.stdin

    def close(sensor: str) -> None:
        to_program.write(f"{PIN[sensor]} low\n")  # type: ignore[index]
        to_program.flush()

    try:
        told = next(line for line in program.stderr if line.startswith(TOLD))
        yield told.removeprefix(TOLD).strip(), close
    finally:
        program.terminate()
        program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 0


def settings(folder: Path) -> Path:
    return folder / "config" / "spotter" / "settings.toml"


@pytest.mark.slow
def test_from_the_first_start_to_a_match_by_touch_alone(chromium: str, tmp_path: Path) -> None:
    async def set_up(page: Tab) -> None:
        for number, title in enumerate(("language", "board", "everything work", "trial turn"), 1):
            await page.until(f"{SAID}.includes('{number} of 4') && {SAID}.includes('{title}')")
            await tap(page, "Next")

    async def take_the_tour(page: Tab, close: Close) -> None:
        await tap(page, "Begin")
        await page.until(f"{SAID}.includes('Set up the board')")
        for sensor in "1256":
            close(sensor)
            await asyncio.sleep(0.2)
        await rolls(page)
        await tap(page, "End the tour")

    async def rolls(page: Tab) -> None:
        await tap(page, "Roll: White")
        await page.until(f"!{place('Roll: White')}")

    async def run(address: str, close: Close) -> None:
        async with tab(chromium) as page:
            await page.size(390, 844, phone=True)
            await page.goto(address)
            await page.tell("Emulation.setFocusEmulationEnabled", enabled=True)
            await set_up(page)
            await take_the_tour(page, close)
            for name in ("New match", "Begin"):
                await tap(page, name)
            await rolls(page)
            assert await page.ask(f"{PLACES}.length") > 0
            assert page.complaints == []

    with first_start(tmp_path) as (address, close):
        asyncio.run(asyncio.wait_for(run(address, close), 3 * PATIENCE_S))
    kept = read_settings("settings.toml", settings(tmp_path).read_text("utf-8"))
    assert kept.screen.tour_seen
    opened = open_journal(tmp_path / "data" / "spotter")
    assert opened.journal.has_matches
    opened.close()
