"""Edges from the kernel's queue: none is lost, they come in order, and waiting costs nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pi
import pytest
from gpiozero import DigitalInputDevice
from wakeups import per_second

from pi_app.devices.gpio import open_factory

PINS = (17, 27)
BURST, QUIET_S, WITHIN_S = 12, 10, 5
LGPIO = 50
"""So often a second lgpio's thread for PWM wakes up; nobody needs it here, nothing can stop it."""
ToldEdge = tuple[int, float, int]
"""A pin, when the kernel saw its edge in seconds, and the level after it."""


class EdgeLines:
    """Inputs of gpiozero, and what they have told."""

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self.told: SimpleQueue[ToldEdge] = SimpleQueue()
        self._heeding: list[Any] = []
        self.inputs = {pin: self.open(pin) for pin in PINS}

    def open(self, pin: int) -> DigitalInputDevice:
        device = DigitalInputDevice(pin, pull_up=True, pin_factory=self._factory)
        self._heeding.append(lambda when, level: self.told.put((pin, when, level)))
        device.pin.when_changed = self._heeding[-1]
        return device

    def next(self) -> ToldEdge:
        return self.told.get(timeout=WITHIN_S)


@pytest.fixture
def lines() -> Iterator[EdgeLines]:
    for pin in PINS:
        pi.switch(pin, closed=False)
    factory = open_factory("lgpio")
    lines = EdgeLines(factory)
    yield lines
    for device in lines.inputs.values():
        device.close()
    factory.close()
    assert pi.held() == set()


def test_an_edge_has_the_kernels_time_and_its_level(lines: EdgeLines) -> None:
    for closed in (True, False):
        before = time.monotonic()
        pi.switch(17, closed)
        pin, when, level = lines.next()
        assert (pin, level) == (17, int(not closed))
        assert before <= when <= time.monotonic()
        assert lines.inputs[17].is_active == closed


def test_a_burst_on_two_lines_comes_whole_and_in_order(lines: EdgeLines) -> None:
    for closed in (True, False) * (BURST // 2):
        for pin in PINS:
            pi.switch(pin, closed)
    told = [lines.next() for _ in range(BURST * len(PINS))]
    for pin in PINS:
        levels = [level for one, _, level in told if one == pin]
        assert levels == [0, 1] * (BURST // 2)
        times = [when for one, when, _ in told if one == pin]
        assert times == sorted(times)
    assert lines.told.empty()


def test_a_line_that_is_closed_is_silent_and_can_be_opened_again(lines: EdgeLines) -> None:
    lines.inputs[17].close()
    pi.switch(17, closed=True)
    pi.switch(27, closed=True)
    assert lines.next()[0] == 27
    lines.inputs[17] = lines.open(17)
    assert lines.inputs[17].is_active
    pi.switch(17, closed=False)
    assert lines.next()[::2] == (17, 1)


def test_waiting_for_edges_wakes_nobody(lines: EdgeLines) -> None:
    woken = per_second(os.getpid(), QUIET_S)
    assert sum(woken) < LGPIO + 1, woken
    pi.switch(17, closed=True)
    assert lines.next()[0] == 17
