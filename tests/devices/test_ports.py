"""The scanner's port among others: found by what it is, named so that it stays found."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_app.devices.scanner_port import CH340, SCANNERS, FoundPort, find_port, list_ports
from pi_app.devices.source import DeviceError

MEGA = FoundPort("/dev/ttyACM0", (0x2341, 0x0042), "Arduino Mega 2560")
COPY = FoundPort("/dev/ttyUSB0", (0x1A86, 0x7523), "USB Serial")
OTHER = FoundPort("/dev/ttyUSB1", (0x0403, 0x6001), "FT232R USB UART")
BARE = FoundPort("/dev/ttyAMA0", None, "ttyAMA0")


@pytest.mark.parametrize("ids", sorted(SCANNERS))
def test_the_only_mega_is_taken(ids: tuple[int, int], tmp_path: Path) -> None:
    mega = FoundPort("/dev/ttyACM3", ids, "whatever it calls itself")
    assert find_port("auto", lambda: (BARE, OTHER, mega), tmp_path) == "/dev/ttyACM3"


def test_a_name_that_lasts_is_preferred(tmp_path: Path) -> None:
    names, device = tmp_path / "by-id", tmp_path / "ttyACM0"
    names.mkdir()
    device.touch()
    (tmp_path / "ttyUSB1").touch()
    (names / "usb-FTDI-if00").symlink_to("../ttyUSB1")
    (names / "usb-Arduino_Mega_7543-if00").symlink_to("../ttyACM0")
    mega = FoundPort(str(device), (0x2341, 0x0042), "Mega")
    found = find_port("auto", lambda: (mega,), names)
    assert found == str(names / "usb-Arduino_Mega_7543-if00")


def test_without_names_that_last_the_device_is_taken(tmp_path: Path) -> None:
    assert find_port("auto", lambda: (MEGA,), tmp_path / "none") == "/dev/ttyACM0"


def test_none_is_told_with_what_was_seen(tmp_path: Path) -> None:
    with pytest.raises(DeviceError) as told:
        find_port("auto", lambda: (BARE, OTHER), tmp_path)
    assert told.value.what == (
        "no scanner is plugged in; seen: /dev/ttyAMA0 (ttyAMA0), "
        "/dev/ttyUSB1 0403:6001 (FT232R USB UART)"
    )
    assert "[scanner]" in told.value.remedy


def test_several_are_told_with_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(DeviceError) as told:
        find_port("auto", lambda: (MEGA, COPY), tmp_path, tmp_path)
    assert "/dev/ttyACM0 2341:0042 (Arduino Mega 2560), /dev/ttyUSB0" in told.value.what
    assert 'port = "/dev/ttyACM0"' in told.value.remedy


def test_of_two_chips_without_a_number_the_socket_is_named(tmp_path: Path) -> None:
    """A CH340 is in printers too; two of them have one name by id."""
    by_id, sockets = tmp_path / "by-id", tmp_path / "by-path"
    for folder in (by_id, sockets):
        folder.mkdir()
    ports = [
        FoundPort(str(tmp_path / name), CH340, "USB Serial") for name in ("ttyUSB0", "ttyUSB1")
    ]
    for port, socket in zip(ports, ("1.2", "1.4"), strict=True):
        Path(port.device).touch()
        (sockets / f"platform-usb-0:{socket}:1.0-port0").symlink_to(port.device)
    (by_id / "usb-1a86_USB_Serial-if00-port0").symlink_to(ports[1].device)
    with pytest.raises(DeviceError) as told:
        find_port("auto", lambda: ports, by_id, sockets)
    named = sockets / "platform-usb-0:1.2:1.0-port0"
    assert f'port = "{named}"' in told.value.remedy
    assert find_port(str(named), lambda: ports, by_id, sockets) == str(named)


def test_the_port_of_the_settings_is_taken_whatever_it_is(tmp_path: Path) -> None:
    port = tmp_path / "mine"
    port.touch()
    assert find_port(str(port), lambda: (MEGA,), tmp_path) == str(port)


def test_a_port_of_the_settings_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"mine is not there; seen: no serial port"):
        find_port(str(tmp_path / "mine"), lambda: (), tmp_path)


def test_this_computers_ports_can_be_listed() -> None:
    assert all(port.device.startswith("/dev/") for port in list_ports())
