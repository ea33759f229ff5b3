"""stack.py on two compilers' real output, and on output that it cannot parse.

`listings/` has the output of Debian 12's and Debian 13's tools for this program, built as the
scanner's is; of the interrupt table only the lines that differ: volatile uint8_t sink; static void
block(void) { volatile uint8_t bytes[100]; bytes[0] = 1; sink = bytes[sink]; } static void
count(uint8_t n) { while (n--) { sink += n; } block(); } ISR(TIMER0_COMPA_vect) { sink++; } int
main(void) { for (;;) { count(sink); sink++; } }
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from firmware.stack import (
    CallGraph,
    UnboundedError,
    Way,
    address_taken,
    disassembled,
    memory,
    read_usage,
)

LISTINGS = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parent / "listings").glob("*.txt"))
}
USAGE = (
    "small.c:4:13:block\t105\tstatic",
    "small.c:5:13:count\t3\tstatic",
    "small.c:6:1:__vector_21\t7\tstatic",
    "small.c:7:5:main\t3\tstatic",
)
ENDLESS = "00000200 <main>:\n 200:\tff cf       \trjmp\t.-2      \t; 0x200 <main>\n"


def graph(
    listing: str, usage: Iterable[str] = USAGE, taken: Iterable[str] = (), indirect: str = ""
) -> CallGraph:
    return CallGraph(disassembled(listing.splitlines()), read_usage(usage), taken, indirect)


def a_function(*instructions: str, name: str = "helper") -> str:
    """A listing of one function without a .su line, two bytes an instruction, from 0x100 on."""
    lines = [f" {0x100 + 2 * n:x}:\t00 00       \t{words}" for n, words in enumerate(instructions)]
    return "\n".join([f"00000100 <{name}>:", *lines, "", ENDLESS])


def test_the_listings_are_of_both_compilers() -> None:
    assert sorted(LISTINGS) == ["avr-gcc-14.2.0", "avr-gcc-5.4.0"]
    assert "<.LVL4>:" in LISTINGS["avr-gcc-14.2.0"]
    assert "<L0^A>:" in LISTINGS["avr-gcc-14.2.0"]


@pytest.mark.parametrize("compiler", LISTINGS)
def test_labels_inside_a_function_are_no_functions(compiler: str) -> None:
    found = graph(LISTINGS[compiler])
    assert found.deepest("main") == Way(3 + 3 + 105, ("main", "count", "block"))
    assert found.interrupts() == [Way(7, ("__vector_21",))]
    functions = disassembled(LISTINGS[compiler].splitlines())
    assert {"block", "count", "main", "__vector_21"} <= functions.keys()
    assert functions["block"].pushed == 2
    assert functions["block"].moves_stack


@pytest.mark.parametrize("compiler", LISTINGS)
def test_a_label_of_an_unknown_kind_makes_the_bound_no_smaller(compiler: str) -> None:
    lines = LISTINGS[compiler].splitlines()
    places = [number for number, line in enumerate(lines) if ":\t" in line]
    errors = 0
    for number in places:
        labelled = [*lines[:number], "00000000 <.Novelty.1>:", *lines[number:]]
        try:
            found = graph("\n".join(labelled))
            assert found.deepest("main").size >= 3 + 3 + 105
            assert max(way.size for way in found.interrupts()) >= 7
        except UnboundedError:
            errors += 1
    assert 0 < errors < len(places)


@pytest.mark.parametrize(
    "line",
    [
        "\t...",
        " 200:\tff cf",
        " 200:\tff cf       \trjmp",
        "00000200 main:",
        "Disassembly of something else",
        "avr-objdump: small.elf: file truncated",
    ],
)
def test_a_line_of_another_form_is_an_error_that_shows_it(line: str) -> None:
    with pytest.raises(UnboundedError, match="is not understood") as told:
        graph(f"{ENDLESS}{line}\n").deepest("main")
    assert line.strip() in str(told.value).replace("\\t", "\t")


@pytest.mark.parametrize(
    "instruction",
    [
        ".word\t0xffff\t; ????",
        "xch\tZ, r5",
        "break",
        "spm",
        "call\t0x500",
        "rjmp\t.+7      \t; 0x109 <helper+0x9>",
        "breq\t.+900    \t; 0x800 <nobody>",
        "out2\t0x3d, r28",
    ],
)
def test_an_instruction_that_is_not_understood_is_an_error_once_it_is_reached(
    instruction: str,
) -> None:
    listing = a_function(instruction, "ret")
    assert graph(listing).deepest("main").size == 3
    with pytest.raises(UnboundedError, match=r"^helper: .* is not understood$") as told:
        graph(listing).deepest("helper")
    assert repr(instruction)[1:-1] in str(told.value)


@pytest.mark.parametrize(
    ("instructions", "why"),
    [
        (["out\t0x3d, r28\t; 61", "ret"], "moves the stack pointer"),
        (["sts\t0x005E, r29\t;  0x80005e <sink>", "ret"], "moves the stack pointer"),
        (["push\tr1", "brne\t.-4      \t; 0x100 <helper>", "ret"], "pushes in a loop"),
        (["rcall\t.+0      \t; 0x102 <.L2>", "rjmp\t.-4      \t; 0x100 <helper>"], "in a loop"),
        (["rcall\t.+2      \t; 0x104 <.L3>", "ret", "ret"], "helper -> helper is a recursion"),
        (["icall", "ret"], "calls through a pointer"),
        (["nop"], "'100:.*nop' is not understood"),
        ([], "'nothing' is not understood"),
    ],
)
def test_assembly_without_a_bound_is_an_error(instructions: list[str], why: str) -> None:
    with pytest.raises(UnboundedError, match=why):
        graph(a_function(*instructions)).deepest("helper")


def test_what_assembly_pushes_is_counted() -> None:
    room = "rcall\t.+0      \t; 0x104 <L0^A>"
    assert graph(a_function("push\tr1", room, "pop\tr1", "ret")).deepest("helper").size == 3 + 4


@pytest.mark.parametrize("end", [["nop"], ["sbrc\tr24, 0", "ret"]])
def test_a_function_that_runs_on_into_the_next_needs_what_that_needs(end: list[str]) -> None:
    first = a_function(*end).removesuffix(f"\n{ENDLESS}")
    follows = 0x100 + 2 * len(end)
    deep = f"{follows:08x} <deep>:\n {follows:x}:\t1f 92       \tpush\tr1\n"
    ret = f" {follows + 2:x}:\t08 95       \tret\n"
    assert graph(f"{first}\n{deep}{ret}").deepest("helper") == Way(7, ("helper", "deep"))


def test_gcc_may_not_say_less_than_is_pushed() -> None:
    usage = ["small.c:1:1:helper\t3\tstatic"]
    with pytest.raises(UnboundedError, match="helper pushes 4 bytes, and GCC says 3"):
        graph(a_function("push\tr1", "ret"), usage).deepest("helper")


def test_two_functions_of_one_name_are_an_error() -> None:
    with pytest.raises(UnboundedError, match="two functions are called main"):
        graph(ENDLESS + ENDLESS)


def test_without_an_interrupt_table_there_is_no_bound() -> None:
    with pytest.raises(UnboundedError, match="has no __vectors"):
        graph(ENDLESS).interrupts()


@pytest.mark.parametrize(
    "line",
    ["", "small.c:4:13:block\t105", "block\t105\tstatic", "small.c:4:13:block\tmany\tstatic"],
)
def test_a_line_of_gccs_that_is_not_understood_is_an_error(line: str) -> None:
    with pytest.raises(UnboundedError, match="is not understood"):
        read_usage([*USAGE, line])


RELOCATIONS = """
RELOCATION RECORDS FOR [.rodata.mega]:
OFFSET   TYPE              VALUE
00000002 R_AVR_16_PM       {}


RELOCATION RECORDS FOR [.debug_info]:
OFFSET   TYPE              VALUE
00000008 R_AVR_16_PM       .Ldebug_abbrev0
"""


@pytest.mark.parametrize("name", ["block", ".text.block"])
def test_a_function_whose_address_is_held_is_called_by_pointer(name: str) -> None:
    taken = address_taken(RELOCATIONS.format(name).splitlines())
    assert taken == {"block"}
    listing = LISTINGS["avr-gcc-14.2.0"].replace("jmp\t0x110\t; 0x110 <block>", "eijmp")
    way = graph(listing, taken=taken, indirect="small").deepest("main")
    assert way == Way(3 + 3 + 105, ("main", "count", "block"))


@pytest.mark.parametrize("name", [".text+0x0000001a", "block+0x00000002", ".L5", "nobody"])
def test_an_address_that_is_no_functions_is_an_error(name: str) -> None:
    taken = address_taken(RELOCATIONS.format(name).splitlines())
    with pytest.raises(UnboundedError, match="holds the address"):
        graph(LISTINGS["avr-gcc-14.2.0"], taken=taken)


SECTIONS = """
scanner.elf  :
section                     size      addr
.data                         20   8389120
.text                       5230         0
.bss                        1736   8389140
.noinit                        2   8390876
.comment                      18         0
.note.gnu.avr.deviceinfo      64         0
.debug_line_str              371         0
Total                       7441
"""


def test_flash_and_memory_are_the_sections_that_take_them() -> None:
    assert memory(SECTIONS.splitlines()) == (5250, 1758)


def test_a_section_that_is_counted_nowhere_is_an_error() -> None:
    lines = [*SECTIONS.splitlines(), ".rodata                    4000     32768"]
    with pytest.raises(UnboundedError, match=r"section \.rodata is counted nowhere"):
        memory(lines)
