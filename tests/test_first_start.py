"""The tour opens by itself for users without matches who have not seen it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_app import AppBench
from test_touchscreen import SHOWN, TouchedGlass

from pi_app.base.microseconds import ms
from pi_app.cli.play import check_up, is_first_start
from pi_app.games.all import ALL
from pi_app.journal.opening import Opened, open_journal
from pi_app.referee.events import Start
from pi_app.screen.actions import end_tour
from pi_app.screen.front import ScreenFront
from pi_app.screen.ui import Fitness, Page
from pi_app.user.commands import Inspect
from pi_app.user.settings import Settings, read_settings

SEEN = Settings().changed("screen.tour_seen", True)
OF_AN_EARLIER_SPOTTER = """
[screen]
language = "de"
fullscreen = false
animations = true
turned = false
"""


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return open_journal(tmp_path)


def test_the_first_start_greets_and_the_second_does_not(opened: Opened) -> None:
    assert is_first_start(Settings(), opened)
    assert not is_first_start(SEEN, opened)
    opened.close()


def test_who_has_kept_matches_is_not_greeted_after_an_update(opened: Opened) -> None:
    settings = read_settings("settings.toml", OF_AN_EARLIER_SPOTTER)
    assert settings.screen.tour_seen is False
    start = Start(ms(0), "nannon", "nannon-6", 11, ("Ada", "Ben"), {})
    opened.journal.begin(start, "2026-01-01T00:00:00+00:00")
    assert not is_first_start(settings, opened)
    opened.close()


@pytest.mark.parametrize("greets", [True, False])
def test_the_tour_is_the_first_page_where_it_greets(greets: bool) -> None:
    front = ScreenFront(TouchedGlass(), Page.TOUR if greets else Page.START)  # type: ignore[arg-type]
    front.draw(SHOWN, ms(0))
    actions = [target.action for target in front._picture.targets]
    assert (end_tour() in actions) is greets


def test_the_check_is_that_of_the_doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = dict(check_up(ALL))
    assert {"I2C", "sound", "storage", "groups"} < {*found}
    assert found["Python"] is Fitness.WELL


def test_the_screen_asks_for_the_check_and_shows_it(tmp_path: Path) -> None:
    found = (("storage", Fitness.ILL),)
    bench = AppBench(tmp_path)
    bench.app._services = replace(bench.app._services, check=lambda: found)
    bench.after(50)
    assert bench.front.shown is not None
    assert not bench.front.shown.health
    bench.touch(Inspect.CHECK)
    bench.after(50)
    assert bench.front.shown.health == found
    bench.kill()
