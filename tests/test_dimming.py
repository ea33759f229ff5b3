"""The program dims the display as it is set, and lives with one that it may not dim."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_app import AppBench

from pi_app.devices.backlight import Backlight
from pi_app.devices.source import DeviceError
from pi_app.user.commands import ChangeSetting
from pi_app.user.settings import Settings


class Lamp(Backlight):
    """A display that remembers how bright it is, or refuses."""

    def __init__(self, now: int, refuses: bool = False) -> None:
        self.now, self.refuses = now, refuses

    @property
    def percent(self) -> int:
        return self.now

    def set(self, percent: int) -> None:
        if self.refuses:
            raise DeviceError("brightness: Permission denied", "run spotter setup")
        self.now = percent


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def shown_by(bench: AppBench) -> tuple[int | None, tuple[str, ...]]:
    bench.after(50)
    assert bench.front.shown is not None
    return bench.front.shown.brightness, bench.front.shown.notices


def test_a_display_is_dimmed_and_shown_as_it_is(tmp_path: Path) -> None:
    lamp = Lamp(80)
    bench = AppBench(tmp_path, backlight=lamp)
    assert shown_by(bench) == (80, ()), "nobody has set anything"
    bench.touch(ChangeSetting("screen.brightness", 50))
    assert (lamp.now, shown_by(bench)) == (50, (50, ()))
    bench.kill()


def test_what_was_set_is_so_again_after_the_start(tmp_path: Path) -> None:
    lamp = Lamp(80)
    bench = AppBench(tmp_path, None, Settings().changed("screen.brightness", 30), lamp)
    assert (lamp.now, shown_by(bench)) == (30, (30, ()))
    bench.kill()


def test_a_display_that_refuses_is_told_and_the_setting_kept(tmp_path: Path) -> None:
    bench = AppBench(tmp_path, backlight=Lamp(80, refuses=True))
    bench.touch(ChangeSetting("screen.brightness", 50))
    brightness, (told,) = shown_by(bench)
    assert brightness == 80
    assert "Permission denied; run spotter setup" in told
    assert "brightness = 50" in (tmp_path / "config/spotter/settings.toml").read_text("utf-8")
    bench.touch(ChangeSetting("screen.theme", "light"))
    assert shown_by(bench) == (80, ()), "it has been said"
    bench.kill()


def test_without_such_a_display_all_goes_on(tmp_path: Path) -> None:
    bench = AppBench(tmp_path, None, Settings().changed("screen.brightness", 30))
    assert shown_by(bench) == (None, ())
    bench.kill()
