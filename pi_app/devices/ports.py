"""Which serial port the reed scanner is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pi_app.devices.source import DeviceError

AUTO = "auto"
BY_ID = Path("/dev/serial/by-id")
BY_SOCKET = Path("/dev/serial/by-path")
MEGAS = frozenset({(0x2341, 0x0042), (0x2341, 0x0010), (0x2A03, 0x0042)})
"""USB vendors and products of an Arduino Mega 2560; spotter-scanner.rules names its port."""
CH340 = (0x1A86, 0x7523)
"""The chip on many copies of it, and in much else; it has no serial number."""
SCANNERS = MEGAS | {CH340}


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A serial port of this computer; one that is not on USB has no ids."""

    device: str
    ids: tuple[int, int] | None
    description: str

    def __str__(self) -> str:
        named = f" {self.ids[0]:04X}:{self.ids[1]:04X}" if self.ids else ""
        return f"{self.device}{named} ({self.description})"


def list_ports() -> tuple[FoundPort, ...]:
    """Every serial port there is."""
    from serial.tools.list_ports import comports  # noqa: PLC0415, hardware is opened here

    return tuple(
        FoundPort(
            port.device, None if port.vid is None else (port.vid, port.pid), str(port.description)
        )
        for port in sorted(comports(), key=lambda port: str(port.device))
    )


def find_port(
    wanted: str,
    listed: Callable[[], Iterable[FoundPort]] = list_ports,
    by_id: Path = BY_ID,
    by_socket: Path = BY_SOCKET,
) -> str:
    """The path of the scanner's port: the wanted one, or with "auto" the only one that can be it.

    The name in `by_id` is preferred: it stays the same when other things are plugged in.  Raises
    DeviceError saying what was seen and what to set; of several ports that is a name `by_socket`,
    for chips without a serial number share theirs `by_id`.
    """
    seen = tuple(listed())
    if wanted != AUTO:
        if Path(wanted).exists():
            return wanted
        raise DeviceError(
            f"the scanner's port {wanted} is not there; seen: {_names(seen)}",
            'plug the scanner in, or set port = "auto" under [scanner] in the settings',
        )
    found = [port for port in seen if port.ids in SCANNERS]
    if len(found) == 1:
        return _lasting(found[0].device, by_id)
    if found:
        raise DeviceError(
            f"several ports could be the scanner's: {_names(found)}",
            "set one under [scanner] in the settings, such as"
            f' port = "{_lasting(found[0].device, by_socket)}"',
        )
    raise DeviceError(
        f"no scanner is plugged in; seen: {_names(seen)}",
        "plug it in; if it is there under another name, set port under [scanner] in the settings",
    )


def _names(ports: Iterable[FoundPort]) -> str:
    return ", ".join(map(str, ports)) or "no serial port"


def _lasting(device: str, folder: Path) -> str:
    """The port's name in a folder of lasting ones, where the system keeps it."""
    names = sorted(folder.iterdir()) if folder.is_dir() else []
    target = Path(device).resolve()
    return next((str(name) for name in names if name.resolve() == target), device)
