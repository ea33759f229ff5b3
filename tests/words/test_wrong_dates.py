"""A computer without a clock of its own: a match is begun at a time long gone, then it is set."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from test_app import NEW, AppBench

from pi_app.cli.matches import list_matches as run_matches
from pi_app.devices.clock import WallClock
from pi_app.games.all import ALL
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE
from pi_app.referee.events import MatchId
from pi_app.words.wall_time import RELEASED, UNKNOWN, date_of, local_day, local_time

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
YESTERDAY = datetime(2026, 11, 19, 22, 0, tzinfo=UTC)
EVENING = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
"""When the computer was started, in truth."""


class Computer:
    """It believes that it was started at `start`; `bench` is a Spotter on it."""

    def __init__(self, folder: Path, start: datetime, boot: str = "first") -> None:
        self.folder, self.start = folder, start
        self.boot = boot
        self.slept = 0
        self.bench = self.spotter()

    def spotter(self) -> AppBench:
        bench = AppBench(self.folder)
        wall = WallClock(self.now, self.since_boot_ms, self.boot)
        bench.app._devices = replace(bench.app._devices, wall=wall)
        return bench

    def since_boot_ms(self) -> int:
        return 30_000 + self.bench.clock.now + self.slept

    def now(self) -> datetime:
        return self.start + timedelta(milliseconds=self.since_boot_ms())

    def again(self) -> None:
        """Spotter is started again, the computer is not."""
        before = self.bench
        before.kill()
        self.slept += before.clock.now
        self.bench = self.spotter()

    def dates(self) -> list[str]:
        with closing(Archive(self.folder / FILE)) as archive:
            return [match.date for match in archive.matches()]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "spotter"


def near(text: str, when: datetime) -> bool:
    found = date_of(text)
    return found is not None and abs(found - when) < timedelta(seconds=2)


@pytest.mark.parametrize("wrong", [LONG_AGO, YESTERDAY])
def test_once_the_clock_is_set_the_match_has_its_right_date(folder: Path, wrong: datetime) -> None:
    at = Computer(folder, wrong)
    at.bench.after(60_000)
    at.bench.touch(NEW)
    begun = at.since_boot_ms()
    at.bench.after(60_000)
    assert not near(at.dates()[0], EVENING + timedelta(milliseconds=begun))
    at.start = EVENING
    at.bench.after(15_000)
    assert near(at.dates()[0], EVENING + timedelta(milliseconds=begun))
    at.bench.kill()


def test_set_while_spotter_was_not_running_it_is_corrected_at_the_start(folder: Path) -> None:
    at = Computer(folder, LONG_AGO)
    at.bench.touch(NEW)
    begun = at.since_boot_ms()
    at.bench.after(20_000)
    at.start = EVENING
    at.again()
    at.bench.after(100)
    assert near(at.dates()[0], EVENING + timedelta(milliseconds=begun))
    at.bench.kill()


def test_a_match_of_an_earlier_start_of_the_computer_stays_without_a_date(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = Computer(folder, LONG_AGO)
    at.bench.touch(NEW)
    at.bench.kill()
    at = Computer(folder, EVENING, boot="second")
    at.bench.after(15_000)
    at.bench.touch(NEW)
    at.bench.kill()
    assert [local_time(date) == UNKNOWN() for date in at.dates()] == [True, False]
    run_matches([], ALL)
    first, second = capsys.readouterr().out.splitlines()[-2:]
    assert "date unknown" in first
    assert "2026-11-2" in second


def test_what_the_match_is_known_by_stays(folder: Path) -> None:
    """Seals and the club identify a match by its number and its stored start time."""
    at = Computer(folder, LONG_AGO)
    at.bench.touch(NEW)
    before = at.bench.opened.journal.match(1).began
    at.start = EVENING
    at.bench.after(15_000)
    match = at.bench.opened.journal.match(1)
    assert match.began == before != match.date
    assert before in at.bench.opened.journal.record(MatchId(1))[0]
    at.bench.kill()


def test_a_clock_that_is_put_back_to_before_spotter_corrects_nothing(folder: Path) -> None:
    at = Computer(folder, EVENING)
    at.bench.touch(NEW)
    before = at.dates()
    at.start = LONG_AGO
    at.bench.after(15_000)
    assert at.dates() == before
    at.bench.kill()


def test_a_clock_that_only_drifts_writes_nothing(folder: Path) -> None:
    at = Computer(folder, EVENING)
    at.bench.touch(NEW)
    before = at.dates()
    for _ in range(5):
        at.start += timedelta(seconds=10)
        at.bench.after(15_000)
    assert at.dates() == before
    at.bench.kill()


def test_a_time_before_the_first_spotter_is_no_date() -> None:
    assert local_time("1970-01-01T00:00:07+00:00") == "date unknown"
    assert local_day("1970-01-01T00:00:07+00:00") == ""
    assert local_day(RELEASED.isoformat())
    assert local_time("then") == "then"
