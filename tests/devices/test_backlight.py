"""The brightness of a display, in a folder like that of Linux's sysfs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_app.devices.backlight import Backlight
from pi_app.devices.source import DeviceError


def display(root: Path, name: str = "10-0045", now: str = "255", most: str = "255") -> Path:
    """A display as an official one of the Raspberry Pi stands there."""
    folder = root / name
    folder.mkdir()
    (folder / "brightness").write_text(f"{now}\n", encoding="ascii")
    (folder / "max_brightness").write_text(f"{most}\n", encoding="ascii")
    return folder / "brightness"


@pytest.mark.parametrize(
    ("now", "most", "percent"), [("255", "255", 100), ("128", "255", 50), ("16", "31", 52)]
)
def test_the_brightness_is_told_in_per_cent(
    now: str, most: str, percent: int, tmp_path: Path
) -> None:
    display(tmp_path, now=now, most=most)
    assert Backlight(tmp_path).percent == percent


@pytest.mark.parametrize(("percent", "most", "becomes"), [(50, "255", 128), (10, "31", 3)])
def test_it_is_set_in_the_displays_own_steps(
    percent: int, most: str, becomes: int, tmp_path: Path
) -> None:
    file = display(tmp_path, most=most)
    Backlight(tmp_path).set(percent)
    assert int(file.read_text("ascii")) == becomes


def test_a_display_is_never_wholly_dark(tmp_path: Path) -> None:
    file = display(tmp_path, most="7")
    Backlight(tmp_path).set(1)
    assert int(file.read_text("ascii")) == 1


def test_without_a_display_that_can_be_dimmed_nothing_is_told_or_done(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path / "nowhere"):
        light = Backlight(root)
        light.set(50)
        assert light.percent is None


def test_what_only_looks_like_a_display_is_passed_over(tmp_path: Path) -> None:
    display(tmp_path, "a-broken-one", most="bright")
    display(tmp_path, "backlight", now="20", most="40")
    assert Backlight(tmp_path).percent == 50


def test_a_display_that_has_gone_is_told_as_none(tmp_path: Path) -> None:
    file = display(tmp_path)
    light = Backlight(tmp_path)
    (file.parent / "max_brightness").unlink()
    assert light.percent is None


def test_a_display_that_may_not_be_dimmed_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the rule of udev the file is root's alone."""
    file = display(tmp_path)

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied", str(file))

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(DeviceError, match=r"10-0045/brightness: .*and run spotter setup"):
        Backlight(tmp_path).set(50)
