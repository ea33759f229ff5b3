"""What the firmware needs at worst: flash, static memory, and stack by way of its call graph.

The depth of each function comes from GCC (-fstack-usage; it counts the return address) or, for the
C library's assembly, from its push instructions; the calls come from the disassembly.  Interrupts
do not nest, so the deepest of them comes once on top of the deepest way from main.  Recursion, a
function of unknown depth, an indirect call outside the one file that is allowed them, and an
interrupt that lets others in are errors: with any of them the figure would be a guess.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

RETURN_ADDRESS = 3
"""Bytes, on a chip with more than 128 KiB of flash."""

STARTUP = frozenset({"__vectors", "__bad_interrupt", "_exit", "exit", "__stop_program"})
"""Before and after main; they hold nothing on the stack while main runs."""

_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
_INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\t[0-9a-f ]+\t(\w+)(.*)$")
_TARGET = re.compile(r"<([^>+]+)(\+[^>]*)?>\s*$")
_RELOCATIONS = re.compile(r"^RELOCATION RECORDS FOR \[([^]]+)]")
_ADDRESS_TAKEN = re.compile(r"^[0-9a-f]+ R_AVR_(?:16_PM|LO8_LDI_GS|HI8_LDI_GS)\s+(\S+)")
_DEBUG = re.compile(r"\.(debug|stab|progmem\.gcc_sw_table)")


class UnboundedError(Exception):
    """The stack has no bound that could be told, and why."""


@dataclass
class Function:
    """A function as disassembled; `pushes` counts instructions, `moves_stack` is any other use."""

    name: str
    calls: set[str] = field(default_factory=set)
    pushes: int = 0
    moves_stack: bool = False
    indirect: bool = False
    lets_interrupts_in: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """GCC's word on one function: its file without suffix, and its bytes of stack."""

    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Way:
    """The deepest way down from a function, and its bytes."""

    size: int
    names: tuple[str, ...]


def disassembled(listing: Iterable[str]) -> dict[str, Function]:
    """The functions of an `avr-objdump -d` listing."""
    functions: dict[str, Function] = {}
    current = Function("")
    for line in listing:
        if begins := _FUNCTION.match(line):
            current = functions.setdefault(begins[1], Function(begins[1]))
        elif instruction := _INSTRUCTION.match(line):
            _note(current, instruction[1], instruction[2])
    return functions


def _note(function: Function, operation: str, operands: str) -> None:
    target = _TARGET.search(operands)
    if operation == "push":
        function.pushes += 1
    elif operation in {"icall", "eicall", "ijmp", "eijmp"}:
        function.indirect = True
    elif operation == "sei":
        function.lets_interrupts_in = True
    elif operation == "out" and re.match(r"\s+0x3[de]\b", operands):
        function.moves_stack = True
    elif target and (target[1] != function.name or _calls_itself(operation, target)):
        function.calls.add(target[1])


def _calls_itself(operation: str, target: re.Match[str]) -> bool:
    """A jump to the beginning is a loop; a call to the next instruction makes room on the stack."""
    return operation in {"call", "rcall"} and target[2] is None


def read_usage(lines: Iterable[str]) -> dict[str, Usage]:
    """GCC's .su lines; raises UnboundedError for what is not static, or a name in two files."""
    usage: dict[str, Usage] = {}
    for line in lines:
        place, size, kind = line.split("\t")
        file, _, _, name = place.split(":")
        if kind.strip() != "static":
            raise UnboundedError(f"{name} in {file} uses a {kind.strip()} amount of stack")
        if name in usage:
            raise UnboundedError(f"{name} is in {usage[name].file} and in {file}; rename one")
        usage[name] = Usage(Path(file).stem, int(size))
    return usage


def address_taken(relocations: Iterable[str]) -> set[str]:
    """The functions whose address somebody holds, from `avr-objdump -r` of the objects."""
    names = set()
    section = ""
    for line in relocations:
        if header := _RELOCATIONS.match(line):
            section = header[1]
        elif (taken := _ADDRESS_TAKEN.match(line)) and not _DEBUG.match(section):
            names.add(taken[1].split("+")[0].removeprefix(".text."))
    return names


class CallGraph:
    """All functions, what each needs, and who calls whom."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        usage: Mapping[str, Usage],
        taken: Iterable[str],
        indirect_file: str,
    ) -> None:
        self._functions = functions
        self._usage = usage
        self._taken = frozenset(taken) & functions.keys()
        self._indirect_file = indirect_file
        self._known: dict[str, Way] = {}

    def deepest(self, name: str, above: tuple[str, ...] = ()) -> Way:
        """The deepest way down from a function that was called from those above."""
        if name in above:
            raise UnboundedError(f"{' -> '.join((*above, name))} is a recursion")
        if name not in self._known:
            below = [self.deepest(called, (*above, name)) for called in sorted(self._calls(name))]
            deepest = max(below, key=lambda way: way.size, default=Way(0, ()))
            self._known[name] = Way(self._size(name) + deepest.size, (name, *deepest.names))
        return self._known[name]

    def interrupts(self) -> list[Way]:
        """The deepest way down from each interrupt."""
        names = [name for name in self._functions if re.fullmatch(r"__vector_\d+", name)]
        for name in names:
            self._must_not_nest(name)
        return [self.deepest(name) for name in names]

    def _must_not_nest(self, name: str) -> None:
        for inside in self._reached(name):
            if self._functions[inside].lets_interrupts_in:
                raise UnboundedError(f"{name} lets other interrupts in, by {inside}")

    def _reached(self, name: str) -> set[str]:
        reached = {name}
        for called in self._calls(name):
            reached |= self._reached(called)
        return reached

    def _calls(self, name: str) -> set[str]:
        function = self._functions[name]
        calls = (function.calls & self._functions.keys()) - STARTUP
        if function.indirect:
            usage = self._usage.get(name)
            if usage is None or usage.file != self._indirect_file:
                raise UnboundedError(f"{name} calls through a pointer; who knows whom")
            calls |= self._taken
        return calls

    def _size(self, name: str) -> int:
        if name in self._usage:
            return self._usage[name].size
        function = self._functions[name]
        if function.moves_stack:
            raise UnboundedError(f"{name} moves the stack pointer and has no .su line")
        return RETURN_ADDRESS + function.pushes


def _lines(*command: str | Path) -> list[str]:
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return done.stdout.splitlines()


def call_graph(elf: Path, objects: list[Path], indirect_file: str) -> CallGraph:
    """The call graph of a linked program and the objects it was linked from, .su files beside."""
    usage = [line for obj in objects for line in obj.with_suffix(".su").read_text().splitlines()]
    taken = address_taken(_lines("avr-objdump", "-r", *objects))
    functions = disassembled(_lines("avr-objdump", "-d", elf))
    return CallGraph(functions, read_usage(usage), taken, indirect_file)


def memory(elf: Path) -> tuple[int, int]:
    """Bytes of flash and of static memory, .noinit included."""
    sizes = {}
    for line in _lines("avr-size", "-A", elf):
        match line.split():
            case [str(section), size, _] if size.isdigit():
                sizes[section] = int(size)
    data = sizes.get(".data", 0)
    return sizes[".text"] + data, data + sizes.get(".bss", 0) + sizes.get(".noinit", 0)


def main(words: list[str]) -> int:
    """Print the figures; 1 when one is beyond its bound or has none."""
    parser = argparse.ArgumentParser(description="Flash, static memory and worst-case stack.")
    parser.add_argument("elf", type=Path)
    parser.add_argument("objects", type=Path, nargs="+")
    parser.add_argument("--indirect", required=True, help="the file that may call by pointers")
    for bound in ("flash", "ram", "stack"):
        parser.add_argument(f"--{bound}", type=int, required=True, help="at most, in bytes")
    chosen = parser.parse_args(words)
    try:
        graph = call_graph(chosen.elf, chosen.objects, chosen.indirect)
        down = graph.deepest("main")
        interrupt = max(graph.interrupts(), key=lambda way: way.size, default=Way(0, ()))
    except UnboundedError as error:
        print(f"stack: no bound: {error}", file=sys.stderr)
        return 1
    flash, ram = memory(chosen.elf)
    stack = down.size + interrupt.size
    print(f"flash {flash} of {chosen.flash} bytes")
    print(f"ram   {ram} of {chosen.ram} bytes, static")
    print(f"stack {stack} of {chosen.stack} bytes at worst")
    print(f"      {down.size}: {' -> '.join(down.names)}")
    print(f"      {interrupt.size}: {' -> '.join(interrupt.names)}")
    within = flash <= chosen.flash and ram <= chosen.ram and stack <= chosen.stack
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
