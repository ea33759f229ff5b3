"""`spotter wall` itself: a real broker, a board that plays, and a page that shows it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from hall import HAS_MOSQUITTO, Hall

from pi_app.__main__ import main

BAR_S = 0.25


def test_words_that_do_not_go_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["--operator", "short"], ["--operator", "with/a/slash"], ["--delay", "3601"]):
        assert main(["wall", str(tmp_path), *words]) == 2
    assert main(["wall", str(tmp_path)]) == 2
    assert "spotter-archive.toml" in capsys.readouterr().err


@pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
def test_what_a_board_plays_is_on_the_page(tmp_path: Path) -> None:
    hall = Hall(tmp_path, ["table-1"])
    # The wall writes the archive itself.
    hall.collector.close()
    words = ["wall", str(hall.club), "--file", str(tmp_path / "wall.db"), "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pi_app", *words, "--operator", "operators-key"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told, operator = process.stdout.readline(), process.stdout.readline()
        port = int(told.rstrip("/\n").rpartition(":")[2])
        assert operator.endswith(f":{port}/operator/operators-key\n")
        asyncio.run(asyncio.wait_for(_played(hall, f"http://127.0.0.1:{port}"), 120))
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        hall.at_the_end.close()


async def _played(hall: Hall, url: str) -> None:
    """A board plays; the wall shows each decision within a moment and can replay it."""
    board = hall.board("table-1")
    async with aiohttp.ClientSession() as client, client.get(f"{url}/events") as events:
        await _until(events, lambda place: place["here"])
        board.begin("Ada")
        await _until(events, lambda place: place.get("players") == ["Ada", "Bea"])
        waits = []
        for _ in range(5):
            board.play(1)
            since = time.monotonic()
            await _until(events, lambda _: True)
            waits.append(time.monotonic() - since)
        # Others use this machine too: the quickest of a few says what the wall itself takes.
        assert min(waits) < BAR_S
        async with client.get(f"{url}/matches/table-1") as answer:
            (kept,) = (await answer.json())["matches"]
        assert kept["players"] == ["Ada", "Bea"]


async def _until(events: aiohttp.ClientResponse, what: Any) -> None:
    while True:
        line = (await events.content.readline()).decode()
        assert line, "it was cut"
        if line.startswith("data: "):
            boards = json.loads(line.removeprefix("data: "))["boards"]
            if any(what(place) for place in boards):
                return
