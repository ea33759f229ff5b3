"""The firmware fits its chip with room to spare, and its worst-case stack is a figure, no guess."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from core_desk import FIRMWARE, make, need

RAM_OF_THE_CHIP = 8192
MOST = {"flash": 16384, "ram": 4096, "stack": 256}


@pytest.fixture(autouse=True)
def _tools() -> None:
    need("make", "avr-gcc")


def sizes(printed: str) -> dict[str, int]:
    return {
        word: int(size) for word, size in re.findall(r"^(flash|ram|stack)\s+(\d+)", printed, re.M)
    }


def test_flash_memory_and_stack_are_within_their_bounds() -> None:
    done = make("size")
    assert done.returncode == 0, done.stdout + done.stderr
    found = sizes(done.stdout)
    assert found.keys() == MOST.keys()
    assert all(0 < found[word] < MOST[word] for word in MOST), found
    assert found["ram"] + found["stack"] < RAM_OF_THE_CHIP


@pytest.mark.parametrize("bound", ["FLASH_MAX=1000", "RAM_MAX=1000", "STACK_MAX=50"])
def test_size_fails_beyond_a_bound(bound: str) -> None:
    done = make("size", bound)
    assert done.returncode != 0
    assert sizes(done.stdout).keys() == MOST.keys()


HEAD = "#include <avr/interrupt.h>\n#include <stdint.h>\nvolatile uint8_t sink;\n"


def measured(tmp_path: Path, program: str) -> subprocess.CompletedProcess[str]:
    """stack.py on a program of one file, which may not call by pointers."""
    (tmp_path / "other.c").write_text(HEAD + program)
    compiler = ["avr-gcc", "-std=c11", "-mmcu=atmega2560", "-Os", "-fstack-usage", "-fno-inline"]
    for words in ("-c -o other.o other.c", "-o other.elf other.o"):
        subprocess.run([*compiler, *words.split()], cwd=tmp_path, check=True, timeout=60)
    bounds = ["--flash=9999", "--ram=999", "--stack=999", "--indirect=pointers"]
    return subprocess.run(
        [sys.executable, FIRMWARE / "stack.py", "other.elf", "other.o", *bounds],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


BLOCK = """
static void block(void) { volatile uint8_t bytes[100]; bytes[0] = 1; sink = bytes[sink]; }
ISR(TIMER0_COMPA_vect) { sink++; }
"""


def test_a_call_chain_and_an_interrupt_add_up(tmp_path: Path) -> None:
    done = measured(tmp_path, BLOCK + "int main(void) { for (;;) { block(); sink++; } }")
    assert done.returncode == 0, done.stderr
    assert "main -> block" in done.stdout
    assert 100 + 3 * 3 <= sizes(done.stdout)["stack"] <= 100 + 40


DEEP = """
__asm__("deep: push r1\\n push r1\\n nop\\n deeper: push r1\\n pop r1\\n pop r1\\n pop r1\\n ret");
void deep(void);
int main(void) { for (;;) { deep(); } }
"""


def test_assembly_that_runs_on_below_another_label_is_counted_to_its_end(tmp_path: Path) -> None:
    done = measured(tmp_path, DEEP)
    assert done.returncode == 0, done.stderr
    assert "main -> deep -> deeper" in done.stdout
    assert sizes(done.stdout)["stack"] >= 3 + 3 + 3


UNBOUNDED = {
    "is a recursion": """
        static void down(void) { if (sink) { down(); sink++; } }
        int main(void) { for (;;) { down(); sink++; } }
    """,
    "ping -> pong -> ping is a recursion": """
        static void ping(void);
        static void pong(void) { if (sink) { ping(); sink++; } }
        static void ping(void) { pong(); sink++; }
        int main(void) { for (;;) { ping(); sink++; } }
    """,
    "calls through a pointer": """
        void (*volatile somewhere)(void);
        int main(void) { for (;;) { somewhere(); sink++; } }
    """,
    "lets other interrupts in": """
        ISR(TIMER0_COMPA_vect) { sei(); sink++; }
        int main(void) { for (;;) { sink++; } }
    """,
    "deep pushes in a loop": """
        __asm__("deep: push r1\\n dec r24\\n brne deep\\n ret");
        void deep(uint8_t n);
        int main(void) { for (;;) { deep(sink); } }
    """,
    "deep moves the stack pointer": """
        __asm__("deep: sts 0x5d, r24\\n ret");
        void deep(uint8_t n);
        int main(void) { for (;;) { deep(sink); } }
    """,
    "shows block under another name": """
        void block(void) { sink++; }
        void a_block(void) __attribute__((alias("block")));
        int main(void) { for (;;) { a_block(); } }
    """,
    "0xffff": """
        static void odd(void) { __asm__ volatile(".word 0xffff"); }
        int main(void) { for (;;) { odd(); } }
    """,
    "amount of stack": """
        static void fill(uint8_t n) { volatile uint8_t bytes[n]; bytes[0] = n; sink = *bytes; }
        int main(void) { for (;;) { fill(sink); } }
    """,
}


@pytest.mark.parametrize("reason", UNBOUNDED)
def test_a_stack_without_a_bound_is_an_error(reason: str, tmp_path: Path) -> None:
    done = measured(tmp_path, UNBOUNDED[reason])
    assert done.returncode == 1
    assert reason in done.stderr
