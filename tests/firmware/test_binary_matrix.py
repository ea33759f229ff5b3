"""The matrix as a network: the emulated one behaves, and the real binary scans it without ghosts.

A small probe program pokes the chip's registers, so that the model is tested without the firmware.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from emulated import ShortCircuits, built, cells, open_host, short_circuits
from lab.stepped import CYCLES_A_US, SteppedEmulator

from pi_app.sensing.description import Cell
from pi_app.simulator.emulator import Programs

PROBE = """
#include <avr/io.h>
#include <stdint.h>
#include <util/delay_basic.h>

static uint8_t receive(void) { while (!(UCSR0A & _BV(RXC0))) {} return UDR0; }
static volatile uint8_t *place(void) {
    uint16_t low = receive();
    return (volatile uint8_t *)(low | (uint16_t)receive() << 8);
}

int main(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    TCCR1B = _BV(CS10);
    for (;;) {
        volatile uint8_t *to = place();
        uint8_t value = receive(), rounds = receive();
        volatile uint8_t *from = place();
        TCNT1 = 0;
        *to = value;
        if (rounds) _delay_loop_1(rounds);
        uint8_t found = *from;
        while (!(UCSR0A & _BV(UDRE0))) {}
        UDR0 = found;
    }
}
"""
PINA, DDRA, PORTA = 0x20, 0x21, 0x22
DDRL, PORTL = 0x10A, 0x10B
DDRF, MCUCR = 0x30, 0x55
IDLE = 0x3E
"""A register that does nothing."""
TIMER = 0x84
"""Its low byte; the probe starts it from 0 at every write."""
SETTLED_US = 20
ROUND_CYCLES = 3
"""Cycles of the probe's delay loop."""


class Probe:
    """The registers of the chip, for reading and writing."""

    def __init__(self, board: SteppedEmulator) -> None:
        self.board = board
        board.run(1000)

    def poke(self, register: int, value: int, then_us: int = 0, read: int = IDLE) -> int:
        """Write a register, wait about so long, and read another one."""
        words = (register, value, round(then_us * CYCLES_A_US / ROUND_CYCLES), read)
        self.board.send(
            words[0].to_bytes(2, "little") + bytes(words[1:3]) + words[3].to_bytes(2, "little")
        )
        sent = self.board.run(1000).sent
        assert len(sent) == 1
        return sent[0].byte

    def drive(self, rows: int, then_us: int = SETTLED_US) -> int:
        """Drive rows 0..7 low by a bit mask; columns 0..7 as read soon after, 1 for low."""
        return 0xFF ^ self.poke(DDRL, rows, then_us, PINA)


@pytest.fixture(scope="session")
def probe_program(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    programs = built()
    elf = tmp_path_factory.mktemp("probe") / "probe.elf"
    subprocess.run(
        ["avr-gcc", "-mmcu=atmega2560", "-std=gnu11", "-Os", "-xc", "-", "-o", str(elf)],
        input=PROBE,
        text=True,
        check=True,
        timeout=60,
    )
    return replace(programs, firmware=elf)


@pytest.fixture
def probe(probe_program: Programs) -> Iterator[Probe]:
    with SteppedEmulator(probe_program) as board:
        probe = Probe(board)
        probe.poke(PORTA, 0xFF)
        yield probe


def close(board: SteppedEmulator, *closed: tuple[int, int]) -> None:
    for row, column in closed:
        board.set_reed(Cell(row, column), True)


def test_a_driven_row_pulls_the_columns_of_its_closed_reeds(probe: Probe) -> None:
    close(probe.board, (0, 3), (0, 7), (1, 2))
    assert probe.drive(0) == 0
    assert probe.drive(0b01) == 0b1000_1000
    assert probe.drive(0b10) == 0b0000_0100


def test_rows_driven_together_show_together_and_are_counted(probe: Probe) -> None:
    close(probe.board, (0, 3), (1, 2))
    assert probe.drive(0b11) == 0b1100
    assert short_circuits(probe.board) == ShortCircuits(together=1, shorted=0)


def test_a_high_row_does_not_disturb_unless_it_is_joined_to_a_low_one(
    probe: Probe, probe_program: Programs
) -> None:
    with SteppedEmulator(probe_program, "--no-diodes") as board:
        bare = Probe(board)
        for one in (probe, bare):
            one.poke(PORTA, 0xFF)
            close(one.board, (0, 3), (1, 3))
            one.poke(PORTL, 0b10)
            one.drive(0b11)
        assert short_circuits(probe.board).shorted == 0
        assert short_circuits(bare.board).shorted == 1


def test_a_column_without_its_pull_up_shows(probe: Probe) -> None:
    close(probe.board, (0, 3))
    probe.poke(PORTA, 0b1111_0111)
    assert probe.drive(0b01) == 0b1000
    assert probe.drive(0b10) == 0b1000, "nothing pulls it up again"


@pytest.mark.parametrize("settle_us", [3, 10])
def test_a_column_follows_its_row_after_the_settle_time_and_not_before(
    probe_program: Programs, settle_us: int
) -> None:
    with SteppedEmulator(probe_program, "--settle", str(settle_us)) as board:
        probe = Probe(board)
        probe.poke(PORTA, 0xFF)
        close(board, (0, 3))
        assert probe.drive(0) == 0
        assert probe.drive(0b01, settle_us - 2) == 0
        assert probe.drive(0) == 0
        assert probe.drive(0b01, settle_us + 2) == 0b1000
        assert probe.drive(0, settle_us - 2) == 0b1000
        assert probe.drive(0, settle_us + 2) == 0


@pytest.mark.parametrize("delay_us", [1, 7, 15])
def test_a_delay_after_a_row_was_driven_takes_its_time_to_the_cycle(
    probe: Probe, delay_us: int
) -> None:
    """The emulator takes such a delay in one step, and any other round by round."""
    taken_in_rounds = probe.poke(IDLE, 1, delay_us, TIMER)
    taken_at_once = probe.poke(DDRL, 1, delay_us, TIMER)
    assert taken_at_once == taken_in_rounds
    assert 0 <= taken_in_rounds - delay_us * CYCLES_A_US <= 16


def test_four_rows_belong_to_the_jtag_interface_until_it_is_switched_off(probe: Probe) -> None:
    close(probe.board, (20, 2), (19, 3))
    drive = DDRF, 0b11000, SETTLED_US, PINA
    assert 0xFF ^ probe.poke(*drive) == 0b1000
    probe.poke(MCUCR, 0x80)
    assert 0xFF ^ probe.poke(*drive) == 0b1100


def test_without_diodes_current_finds_its_way_through_a_chain(
    probe: Probe, probe_program: Programs
) -> None:
    chain = (0, 3), (1, 3), (1, 5), (2, 5), (2, 6)
    with SteppedEmulator(probe_program, "--no-diodes") as board:
        bare = Probe(board)
        bare.poke(PORTA, 0xFF)
        close(board, *chain)
        assert bare.drive(0b001) == 0b0110_1000
    close(probe.board, *chain)
    assert probe.drive(0b001) == 0b0000_1000


def pictures(
    programs: Programs, *options: str, number: int = 12
) -> list[tuple[set[Cell], set[Cell]]]:
    """Random positions with 40 of 120 reeds closed, and what the scanner makes of each."""
    rng = random.Random(7)
    seen = []
    with open_host(programs, *options) as host:
        closed: set[Cell] = set()
        for _ in range(number):
            wanted = set(rng.sample(cells(24, 5), 40))
            for cell in wanted ^ closed:
                host.board.set_reed(cell, cell in wanted)
            closed = wanted
            host.run(2_000)
            host.configure(24, 5)
            assert host.picture is not None
            seen.append((closed, set(host.picture)))
    return seen


def test_with_diodes_no_position_shows_a_ghost() -> None:
    for closed, seen in pictures(built()):
        assert seen == closed


def test_without_diodes_every_such_position_shows_ghosts() -> None:
    for closed, seen in pictures(built(), "--no-diodes"):
        assert seen > closed


def test_firmware_that_does_not_let_a_row_settle_is_caught(tmp_path: Path) -> None:
    hasty = built(tmp_path, "SETTLE_US=0")
    assert all(seen != closed for closed, seen in pictures(hasty, number=4))
