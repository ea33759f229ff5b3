"""A start imports nothing that is not used, and without a display nothing that only one needs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from phone_bench import PATIENCE_S

from pi_app.devices.clock import MatchClock
from pi_app.phones.phones import Phones

START = """
import sys
from pi_app.cli import play
from pi_app.devices.gpio import open_factory
from pi_app.games.all import ALL

play.open_factory = lambda _: open_factory("mock")
status = play.run(sys.argv[1:], ALL)
print(status, *sorted(sys.modules), sep="\\n")
"""
NOT_AT_A_START = (
    *("aiohttp", "asyncio", "paho", "segno", "serial", "spake2", "mnemonic"),
    *("pi_app.wall", "pi_app.club.tournament", "pi_app.base.serving", "pi_app.phones.server"),
)
"""Modules for what nobody has asked for yet: a phone, a club, a friend, a QR code."""
NOT_WITHOUT_A_DISPLAY = (
    *NOT_AT_A_START,
    *(
        "pygame",
        "PIL",
        "pi_app.panel",
        "pi_app.screen.paint",
        "pi_app.screen.compose",
        "pi_app.screen.pages",
    ),
    *("pi_app.simulator", "pi_app.devices.scanner", "pi_app.link"),
)


def started(folder: Path, *words: str, **more: str) -> tuple[int, list[str], str]:
    """Start until the first view. Return the status, the imported modules, and what was said."""
    environment = {
        **{name: text for name, text in os.environ.items() if not name.startswith("SDL")},
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "PYTHONPATH": str(Path(__file__).parents[2]),
        **more,
    }
    (folder / "config" / "spotter").mkdir(parents=True, exist_ok=True)
    (folder / "config" / "spotter" / "settings.toml").write_text(
        '[oled]\nchip = "none"\n[sound]\non = true\n', encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-c", START, *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    status, _, modules = done.stdout.partition("\n")
    assert status.isdecimal(), done.stdout + done.stderr
    return int(status), modules.split(), done.stderr


def among(modules: list[str], names: tuple[str, ...]) -> list[str]:
    return [one for one in modules if any(f"{one}.".startswith(f"{name}.") for name in names)]


def test_without_a_display_nothing_of_one_is_imported(tmp_path: Path) -> None:
    # With a sound card the end of the program hushes a speaker that has not sounded yet.
    status, modules, said = started(tmp_path, "--no-display", "--once", SDL_AUDIODRIVER="dummy")
    assert status == 0, said
    assert among(modules, NOT_WITHOUT_A_DISPLAY) == []


def test_a_simulated_board_imports_nothing_that_nobody_asked_for(tmp_path: Path) -> None:
    status, modules, said = started(tmp_path, "--sim", "--once", SDL_VIDEODRIVER="dummy")
    assert status == 0, said
    assert "pygame" in modules
    assert among(modules, NOT_AT_A_START) == []


@pytest.mark.parametrize("word", ["--sim", "--kiosk", "--fullscreen"])
def test_no_display_does_not_go_with_what_needs_one(
    word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pi_app.cli.main import main  # noqa: PLC0415

    assert main(["play", "--no-display", word]) == 2
    assert "--no-display" in capsys.readouterr().err


def test_a_port_that_becomes_free_is_taken_without_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A board without a display has no other screen on which somebody could try again."""
    monkeypatch.setattr("pi_app.phones.phones.NETWORK_S", 0.05)
    woken = threading.Event()
    phones = Phones(tmp_path, MatchClock(), woken.set)
    with socket.create_server(("0.0.0.0", 0)) as taken:
        phones.let_in(taken.getsockname()[1])
        assert woken.wait(PATIENCE_S)
        assert phones.links.trouble
        time.sleep(0.3)
    end = time.monotonic() + PATIENCE_S
    while phones.links.trouble and time.monotonic() < end:
        time.sleep(0.01)
    links = phones.links
    phones.close()
    assert links.play
    told = [record for record in caplog.records if "cannot be opened" in record.getMessage()]
    assert len(told) == 1
