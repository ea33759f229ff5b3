"""The Raspberry Pi's 40-pin header: which GPIO, supply or ground each pin is."""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.sensing.description import Pin

PIN_OF: Mapping[Pin, int] = {
    Pin(gpio): pin
    for gpio, pin in (
        *((2, 3), (3, 5), (4, 7), (14, 8), (15, 10), (17, 11), (18, 12), (27, 13), (22, 15)),
        *((23, 16), (24, 18), (10, 19), (9, 21), (25, 22), (11, 23), (8, 24), (7, 26)),
        *((5, 29), (6, 31), (12, 32), (13, 33), (19, 35), (16, 36), (26, 37), (20, 38)),
        (21, 40),
    )
}
"""The header pin of each GPIO (BCM number)."""

GPIO_OF: Mapping[int, Pin] = {pin: gpio for gpio, pin in PIN_OF.items()}
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
GROUND_PIN = 25
"""The ground pin in use: no supply and no driven pin is beside it."""
SUPPLY_3V3 = (1, 17)
SUPPLY_PIN = 17
"""The 3.3 V pin in use; pin 1 lies beside 5 V."""
SUPPLY_5V = (2, 4)
SCREEN_5V, SCREEN_GROUND = 2, 6
"""Where the touchscreen's own plug of three goes; its middle covers pin 4."""
COVERED = (2, 4, 6)
"""What that plug, or an empty one, covers: with it on, no other wire can reach 5 V."""
IDENTITY = (27, 28)
"""Reserved for the identity chip of an add-on board."""
PINS = range(1, 41)


def role(pin: int) -> str:
    """The text beside a header pin on a pinout."""
    if pin in GPIO_OF:
        return f"GPIO {GPIO_OF[pin]}"
    if pin in GROUNDS:
        return "ground"
    if pin in IDENTITY:
        return "reserved"
    return "3.3 V" if pin in SUPPLY_3V3 else "5 V"
