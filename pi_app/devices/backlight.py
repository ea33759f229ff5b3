"""The backlight of the display, where Linux controls it: official Raspberry Pi
displays, laptops."""

from __future__ import annotations

from pathlib import Path

from pi_app.base.files import why
from pi_app.devices.source import DeviceError

ROOT = Path("/sys/class/backlight")


class Backlight:
    """The first display under `root` that can be dimmed, if any.

    Source: Documentation/ABI/stable/sysfs-class-backlight of the Linux kernel.
    """

    def __init__(self, root: Path = ROOT) -> None:
        self._folder = next((path for path in sorted(root.glob("*")) if _most(path)), None)

    @property
    def percent(self) -> int | None:
        """The brightness, 1 to 100; None without such a display."""
        if self._folder is None:
            return None
        now, most = _number(self._folder / "brightness"), _most(self._folder)
        return min(max(round(100 * now / most), 1), 100) if most else None

    def set(self, percent: int) -> None:
        """Set the brightness; the display never gets wholly dark. Raises DeviceError if it is not
        permitted."""
        if self._folder is None:
            return
        file, most = self._folder / "brightness", _most(self._folder)
        try:
            file.write_text(f"{max(1, round(most * percent / 100))}\n", encoding="ascii")
        except OSError as error:
            remedy = "install Spotter's Debian package and run spotter setup"
            raise DeviceError(f"{file}: {why(error)}", remedy) from None


def _most(folder: Path) -> int:
    return _number(folder / "max_brightness")


def _number(file: Path) -> int:
    """The number in a file of sysfs; 0 if the display is gone."""
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0
