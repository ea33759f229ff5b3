"""The firmware's worst case: flash, static memory, and stack by its call graph.

The depth of each function comes from GCC (-fstack-usage, which counts the return address), or from
the push instructions of the C library's assembly. The calls come from the disassembly. Interrupts
do not nest, so the deepest interrupt is added once to the deepest way from main.

These are errors, because the figure would be a guess: recursion, a function of unknown depth, an
indirect call outside the one file that may have them, an interrupt that enables others, and tool
output that is not understood.
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

VECTORS = "__vectors"
STARTUP = frozenset({VECTORS, "__ctors_end", "__bad_interrupt", "_exit", "exit", "__stop_program"})
"""They run before and after main and hold no stack while main runs."""

_PLAIN = """
adc add adiw and andi asr bld bst cbi cbr clc clh cli cln clr cls clt clv clz com cp cpc cpi dec
elpm eor fmul fmuls fmulsu in inc ld ldd ldi lds lpm lsl lsr mov movw mul muls mulsu neg nop or ori
out pop rol ror sbc sbci sbi sbiw sbr sec seh sen ser ses set sev sez sleep st std sts sub subi swap
tst wdr
"""
_CONDITIONS = "cc cs eq ge hc hs id ie lo lt mi ne pl sh tc ts vc vs"

PLAIN = frozenset(_PLAIN.split())
"""They use no stack and continue with the next instruction."""
SKIPS = frozenset({"cpse", "sbic", "sbis", "sbrc", "sbrs"})
BRANCHES = frozenset(f"br{condition}" for condition in _CONDITIONS.split())
JUMPS, CALLS = frozenset({"jmp", "rjmp"}), frozenset({"call", "rcall"})
BY_POINTER = frozenset({"eicall", "eijmp", "icall", "ijmp"})
ENDS = JUMPS | {"eijmp", "ijmp", "ret", "reti"}

_LABEL = re.compile(r"^[0-9a-f]{8} <(.+)>:$")
_LOCAL = re.compile(r"\.L|L\d+[\x01\x02^]")
"""A compiler's or assembler's label inside a function: .L9, .LVL0, .Loc.1, L0^A."""
_INSTRUCTION = re.compile(
    r"^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t([.\w]+)(?:\t([^;]*?)\s*(?:;\s*(.*))?)?$"
)
_GOES_TO = re.compile(r"^0x([0-9a-f]+) <.+>$")
_STACK_POINTER = re.compile(r"^0x(3d|3e|005d|005e),", re.IGNORECASE)
_BETWEEN = re.compile(r"^(|\S+: +file format elf32-avr|Disassembly of section \S+:)$")

_RELOCATIONS = re.compile(r"^RELOCATION RECORDS FOR \[([^]]+)]")
_ADDRESS_TAKEN = re.compile(r"^[0-9a-f]+ R_AVR_\w*(?:_PM|_GS)\w*\s+(\S+)")
_DEBUG = re.compile(r"\.(debug|stab)")
_USAGE = re.compile(r"^(.+):\d+:\d+:(\S+)\t(\d+)\t(\S+)$")
_NOT_LOADED = re.compile(r"\.(debug_.*|stab.*|comment|note\..*)")


class UnboundedError(Exception):
    """The stack has no known bound. The message says why."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of a disassembly; `target` is where a branch, a jump or a call goes."""

    address: int
    after: int
    operation: str
    operands: str
    target: int | None
    line: str

    @property
    def makes_room(self) -> bool:
        """A call of the next instruction, which only makes room on the stack."""
        return self.operation == "push" or (self.operation in CALLS and self.target == self.after)


@dataclass
class Function:
    """A disassembled function; `pushed` in bytes, `moves_stack` is any other use of the stack."""

    name: str
    calls: set[str] = field(default_factory=set)
    pushed: int = 0
    moves_stack: bool = False
    pushes_again: bool = False
    indirect: bool = False
    lets_interrupts_in: bool = False
    not_understood: str | None = None


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
    """The functions of an `avr-objdump -dz` listing; raises UnboundedError for a strange line."""
    bodies = _bodies(listing)
    homes = {at.address: name for name, body in bodies.items() for at in body}
    return {name: _function(name, body, homes) for name, body in bodies.items()}


def _bodies(listing: Iterable[str]) -> dict[str, list[Instruction]]:
    bodies: dict[str, list[Instruction]] = {}
    body: list[Instruction] | None = None
    for line in listing:
        if label := _LABEL.match(line):
            if _LOCAL.match(label[1]):
                continue
            if label[1] in bodies:
                raise UnboundedError(f"two functions are called {label[1]}; rename one")
            body = bodies[label[1]] = []
        elif (found := _INSTRUCTION.match(line)) and body is not None:
            body.append(_instruction(found))
        elif _BETWEEN.match(line):
            body = None if line else body
        else:
            raise UnboundedError(f"the disassembly's line {line!r} is not understood")
    return bodies


def _instruction(found: re.Match[str]) -> Instruction:
    address, code, operation, operands, remark = found.groups()
    target = _GOES_TO.match(remark or "")
    start = int(address, 16)
    return Instruction(
        start,
        start + len(code.split()),
        operation,
        operands or "",
        int(target[1], 16) if target else None,
        found[0].strip(),
    )


def _function(name: str, body: list[Instruction], homes: Mapping[int, str]) -> Function:
    function = Function(name)
    for at in body:
        if at.makes_room:
            function.pushed += 1 if at.operation == "push" else RETURN_ADDRESS
        elif at.operation in CALLS | JUMPS | BRANCHES:
            _go(function, at, homes)
        else:
            _note(function, at)
    room = [at.address for at in body if at.makes_room]
    loops = [(at.target or 0, at.address) for at in body if homes.get(at.target or 0) == name]
    function.pushes_again = any(first <= at <= last for first, last in loops for at in room)
    _run_on(function, body, homes)
    return function


def _go(function: Function, at: Instruction, homes: Mapping[int, str]) -> None:
    home = homes.get(-1 if at.target is None else at.target)
    if home is None:
        function.not_understood = at.line
    elif home != function.name or at.operation in CALLS:
        function.calls.add(home)


def _note(function: Function, at: Instruction) -> None:
    if at.operation in BY_POINTER:
        function.indirect = True
    elif at.operation == "sei":
        function.lets_interrupts_in = True
    elif at.operation in {"out", "sts"} and _STACK_POINTER.match(at.operands):
        function.moves_stack = True
    elif at.operation not in PLAIN | SKIPS | ENDS:
        function.not_understood = at.line


def _run_on(function: Function, body: list[Instruction], homes: Mapping[int, str]) -> None:
    """A function without a return continues with the next function."""
    last = [at.operation for at in body[-2:]]
    if last and last[-1] in ENDS and last[0] not in SKIPS:
        return
    behind = homes.get(body[-1].after) if body else None
    if behind is None:
        function.not_understood = body[-1].line if body else "nothing"
    else:
        function.calls.add(behind)


def read_usage(lines: Iterable[str]) -> dict[str, Usage]:
    """Read GCC's .su lines. Raises UnboundedError for a dynamic use or a name in two files."""
    usage: dict[str, Usage] = {}
    for line in lines:
        if not (found := _USAGE.match(line)):
            raise UnboundedError(f"GCC's line {line!r} is not understood")
        place, name, size, kind = found.groups()
        if kind != "static":
            raise UnboundedError(f"{name} in {place} uses a {kind} amount of stack")
        if name in usage:
            raise UnboundedError(f"{name} is in {usage[name].file} and in {place}; rename one")
        usage[name] = Usage(Path(place).stem, int(size))
    return usage


def address_taken(relocations: Iterable[str]) -> set[str]:
    """Functions whose address is taken, from `avr-objdump -r` of the objects."""
    names = set()
    section = ""
    for line in relocations:
        if header := _RELOCATIONS.match(line):
            section = header[1]
        elif (taken := _ADDRESS_TAKEN.match(line)) and not _DEBUG.match(section):
            names.add(taken[1].removeprefix(".text."))
    return names


class CallGraph:
    """All functions, their stack, and their calls."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        usage: Mapping[str, Usage],
        taken: Iterable[str],
        indirect_file: str,
    ) -> None:
        self._functions = functions
        self._usage = usage
        self._indirect_file = indirect_file
        self._known: dict[str, Way] = {}
        for name in sorted(set(taken) - functions.keys() - usage.keys()):
            raise UnboundedError(f"somebody holds the address {name}, which is no function's")
        # The linker left out functions that GCC knows and the program lacks.
        self._taken = functions.keys() & set(taken)

    def deepest(self, name: str, above: tuple[str, ...] = ()) -> Way:
        """The deepest way down from a function; `above` called it."""
        if name in above:
            raise UnboundedError(f"{' -> '.join((*above, name))} is a recursion")
        if name not in self._known:
            below = [self.deepest(called, (*above, name)) for called in sorted(self._calls(name))]
            deepest = max(below, key=lambda way: way.size, default=Way(0, ()))
            self._known[name] = Way(self._size(name) + deepest.size, (name, *deepest.names))
        return self._known[name]

    def interrupts(self) -> list[Way]:
        """The deepest way down from each interrupt, found by the vector table or by name."""
        named = {name for name in self._functions if re.fullmatch(r"__vector_\d+", name)}
        names = sorted(named | self._calls(VECTORS))
        ways = [self.deepest(name) for name in names]
        for name in names:
            self._must_not_nest(name)
        return ways

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
        function = self._understood(name)
        calls = function.calls - STARTUP
        if function.indirect:
            usage = self._usage.get(name)
            if usage is None or usage.file != self._indirect_file:
                raise UnboundedError(f"{name} calls through a pointer; who knows whom")
            calls |= self._taken
        return calls

    def _understood(self, name: str) -> Function:
        if name not in self._functions:
            raise UnboundedError(f"the disassembly has no {name}")
        function = self._functions[name]
        if function.not_understood is not None:
            raise UnboundedError(f"{name}: {function.not_understood!r} is not understood")
        return function

    def _size(self, name: str) -> int:
        function = self._functions[name]
        pushed = RETURN_ADDRESS + function.pushed
        if usage := self._usage.get(name):
            if usage.size < pushed:
                raise UnboundedError(f"{name} pushes {pushed} bytes, and GCC says {usage.size}")
            return usage.size
        if function.moves_stack or function.pushes_again:
            how = "moves the stack pointer" if function.moves_stack else "pushes in a loop"
            raise UnboundedError(f"{name} {how} and has no .su line")
        return pushed


def _lines(*command: str | Path) -> list[str]:
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return done.stdout.splitlines()


def call_graph(elf: Path, objects: list[Path], indirect_file: str) -> CallGraph:
    """The call graph of a linked program and its objects, which have .su files beside them."""
    lines = [line for obj in objects for line in obj.with_suffix(".su").read_text().splitlines()]
    usage, taken = read_usage(lines), address_taken(_lines("avr-objdump", "-r", *objects))
    functions = disassembled(_lines("avr-objdump", "-dz", elf))
    symbols = {line.split()[-1] for line in _lines("avr-nm", elf)}
    for name in sorted(symbols & usage.keys() - functions.keys()):
        raise UnboundedError(f"the disassembly shows {name} under another name")
    return CallGraph(functions, usage, taken, indirect_file)


def memory(sections: Iterable[str]) -> tuple[int, int]:
    """Bytes of flash and of static memory, from `avr-size -A`; raises UnboundedError."""
    sizes = dict.fromkeys((".text", ".data", ".bss", ".noinit"), 0)
    for line in sections:
        match line.split():
            case [str(section), size, _] if section in sizes:
                sizes[section] = int(size)
            case [str(section), size, _] if size.isdigit() and not _NOT_LOADED.fullmatch(section):
                raise UnboundedError(f"section {section} is counted nowhere")
    flash = sizes[".text"] + sizes[".data"]
    return flash, sizes[".data"] + sizes[".bss"] + sizes[".noinit"]


def main(words: list[str]) -> int:
    """Print the figures. Returns 1 if one exceeds its bound or has none."""
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
        flash, ram = memory(_lines("avr-size", "-A", chosen.elf))
    except UnboundedError as error:
        print(f"stack: no bound: {error}", file=sys.stderr)
        return 1
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
