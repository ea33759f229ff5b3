"""Import arrows between the rooms, read from the sources."""

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import pi_app

PACKAGE = Path(pi_app.__file__).parent

PURE = {"rules", "match", "sensing", "referee", "link", "speech"}
"""Rooms of the standard library alone, without clock, chance, files or threads."""

GROUND = {"base", "words"}
"""Rooms that every other may use."""

PURE_OF_BASE = tuple(
    f"pi_app.base.{name}"
    for name in ("adding", "errors", "identifiers", "microseconds", "strict", "values")
)
"""The modules of the ground floor that pure rooms may use."""

PURE_WITHIN = ("pi_app.club.linked.", *PURE_OF_BASE)
"""Parts of other rooms that are as pure."""

READS_JSON = "pi_app.referee.lines"
"""The one module of a pure room that takes something from outside: msgspec."""

IMPURE = {
    *("asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "random"),
    *("secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess", "tempfile"),
    *("threading", "time", "uuid"),
}

ARROWS = {
    "base": set[str](),
    "rules": set[str](),
    "match": {"rules"},
    "sensing": {"rules"},
    "referee": {"rules", "match", "sensing"},
    "link": set[str](),
    "boards": {"rules", "sensing"},
    "devices": {"link", "rules", "sensing", "referee"},
    "journal": {"rules", "match", "sensing", "referee", "seal"},
    "seal": {"rules", "match", "sensing", "referee"},
    "speech": {"rules", "match", "sensing", "referee"},
    "user": {"rules", "match", "referee", "speech", "languages"},
    "screen": {
        *("rules", "match", "sensing", "boards", "referee", "export", "coach", "players"),
        *("user", "speech"),
    },
    "phones": {"languages", "export", "screen", "speech", "user"},
    "panel": {"rules", "match", "sensing", "referee"},
    "export": {"rules", "match", "sensing", "referee", "boards"},
    "players": {"rules", "match"},
    "coach": {"rules", "match", "referee", "export", "players"},
    "games": {"rules", "match", "referee", "screen", "export", "players"},
    "club": {
        *("rules", "match", "sensing", "referee", "seal", "journal", "export", "games"),
        "user",
    },
    "wall": {
        *("rules", "match", "sensing", "referee", "boards", "export", "games"),
        *("screen", "club", "languages", "speech"),
    },
    "languages": {"words"},
    "words": set[str](),
    "simulator": PURE | {"boards", "devices", "screen", "panel", "journal"},
}
"""The rooms that each room may see besides itself; what stands in no row (app, cli) sees all."""

TOP = {"app", "cli", "__main__"}
"""Modules that only the top imports."""

NEVER_THE_REFEREE = {"devices", "journal", "screen", "panel"}
"""Rooms that know events and views and never the state machine."""

HARDWARE = {"gpiozero", "luma", "serial", "lgpio", "smbus2"}
OPENED = {"pi_app.devices.edges"}
"""Modules that need hardware's libraries as a whole, and are imported where it is opened."""
NOT_FOR_ALL = {"paho", "spake2", "mnemonic"}
"""Whoever plays at one board runs without."""
PYGAME = {"pi_app.screen.paint", "pi_app.screen.sound", "pi_app.simulator.window"}


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name in full; deferred when it waits for a function to be called."""

    name: str
    deferred: bool

    @property
    def parts(self) -> list[str]:
        return self.name.split(".")

    def is_of(self, module: str) -> bool:
        return f"{self.name}.".startswith(f"{module}.")


def imports_of(node: ast.AST, deferred: bool = False) -> Iterator[Import]:
    """Every import below a node; those for type checkers only count as deferred."""
    match node:
        case ast.Import(names=names):
            yield from (Import(alias.name, deferred) for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            path = "." * level + (module or "")
            yield from (Import(f"{path}.{alias.name}", deferred) for alias in names)
    waits = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
        isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    )
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield from imports_of(child, deferred or waits)


@cache
def imports_in(source: str) -> tuple[Import, ...]:
    return tuple(imports_of(ast.parse(source)))


def wrong_arrow(module: str, room: str, found: Import) -> str | None:
    """The fault of an import between two rooms."""
    target = found.parts[1] if len(found.parts) > 1 else ""
    if not found.deferred and any(found.is_of(module) for module in OPENED):
        return f"{found.name} is imported where it is opened"
    if target in TOP and room not in TOP:
        return "only the top imports the top"
    if room in ARROWS and target in ARROWS and target not in ARROWS[room] | {room} | GROUND:
        return f"{room} may not see {target}"
    of_base = room in PURE and target == "base" and module != READS_JSON
    if of_base and not any(map(found.is_of, PURE_OF_BASE)):
        return f"{room} is pure, and {found.name} is not"
    if room in NEVER_THE_REFEREE and found.is_of("pi_app.referee.referee"):
        return f"{room} sees the view, never the referee"
    return None


def wrong_library(module: str, room: str, found: Import) -> str | None:
    """The fault of an import from outside."""
    library = found.parts[0]
    pure = module != READS_JSON and (room in PURE or module.startswith(PURE_WITHIN))
    if pure and library not in sys.stdlib_module_names:
        return f"{room} has the standard library alone"
    if pure and library in IMPURE:
        return f"{room} is pure: time, chance and files are arguments"
    if library == "pygame" and module not in PYGAME:
        return "pygame has its own files"
    if library in HARDWARE and room != "devices":
        return "hardware is for devices alone"
    if library in HARDWARE | NOT_FOR_ALL and not found.deferred and module not in OPENED:
        return f"{library} is imported where it is opened"
    return None


def faults(module: str, source: str) -> list[str]:
    """Every import of a module that goes against the arrows."""
    room = f"{module}.".split(".")[1]
    wrong = []
    for found in imports_in(source):
        if not found.parts[0]:
            reason: str | None = "imports are written in full"
        elif found.parts[0] == "pi_app":
            reason = wrong_arrow(module, room, found)
        elif found.parts[0] == "lab":
            reason = "the laboratory is not installed"
        else:
            reason = wrong_library(module, room, found)
        if reason:
            wrong.append(f"{module} imports {found.name}: {reason}")
    return wrong


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def test_every_import_follows_the_arrows() -> None:
    paths = sorted(PACKAGE.rglob("*.py"))
    assert len(paths) > 20
    sources = {module_name(path): path.read_text(encoding="utf-8") for path in paths}
    assert [fault for name, text in sources.items() for fault in faults(name, text)] == []


def test_every_room_has_its_arrows() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms <= set(ARROWS) | TOP


def circle(imports: Mapping[str, set[str]]) -> list[str]:
    """The modules that are left without those that import nothing else, or that nothing imports."""
    left = dict(imports)
    while left:
        seen = set[str]().union(*left.values())
        ends = [name for name in left if name not in seen or not left[name] & left.keys()]
        if not ends:
            break
        for name in ends:
            del left[name]
    return sorted(left)


def imported(source: str, modules: Collection[str]) -> set[str]:
    """The modules that a source imports, deferred and for type checkers too."""
    names = {found.name for found in imports_in(source)}
    return {name if name in modules else name.rpartition(".")[0] for name in names}


def the_sources() -> dict[str, str]:
    return {module_name(path): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}


def test_no_imports_go_in_a_circle() -> None:
    sources = the_sources()
    assert circle({name: imported(text, sources) - {name} for name, text in sources.items()}) == []


def test_a_circle_is_noticed() -> None:
    sources = {
        "pi_app.a": "from pi_app.b import thing",
        "pi_app.b": "if TYPE_CHECKING:\n    from pi_app.c import Thing",
        "pi_app.c": "def f():\n    from pi_app import a",
        "pi_app.d": "from pi_app.a import thing",
        "pi_app.e": "import time",
    }
    found = circle({name: imported(text, sources) for name, text in sources.items()})
    assert found == ["pi_app.a", "pi_app.b", "pi_app.c"]


MOST_ROOMS, MOST_FLOORS, MOST_ARROWS = 28, 12, 174
"""Of the drawing of imports: a house that one can keep in mind. More means that a subject is cut in
two or that a room sees what another could hand it: cut otherwise before you raise a figure.

The room of phones raised them: it stands between the screen, which it sends to browsers, and the
program, and belongs neither to the wall, which shows many boards and takes no touch, nor to the
screen, which opens no port."""


def room_of(module: str) -> str:
    """The package or loose module directly below pi_app; its own `__init__` is one as well."""
    return f"{module}.__init__".split(".")[1]


def drawing(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Which other rooms each room imports; each such pair is an arrow."""
    rooms = {room_of(module): set[str]() for module in imports}
    for module, targets in imports.items():
        rooms[room_of(module)] |= {room_of(target) for target in targets} - {room_of(module)}
    return rooms


def floors(rooms: Mapping[str, set[str]]) -> list[set[str]]:
    """The floors from the ground up: a room stands above all that it imports.

    What is left where arrows go up or in a circle stands on no floor.
    """
    built, left = list[set[str]](), dict(rooms)
    while free := {room for room, seen in left.items() if not seen & left.keys()}:
        built.append(free)
        for room in free:
            del left[room]
    return built


def test_the_drawing_of_imports_stays_small() -> None:
    sources = the_sources()
    imports = {
        name: {target for target in imported(text, sources) if target.startswith("pi_app")}
        for name, text in sources.items()
    }
    rooms = drawing(imports)
    built = floors(rooms)
    assert set[str]().union(*built) == set(rooms), "an arrow goes up"
    assert len(rooms) <= MOST_ROOMS
    assert len(built) <= MOST_FLOORS
    assert sum(map(len, rooms.values())) <= MOST_ARROWS


def test_floors_and_an_arrow_up_are_noticed() -> None:
    house = {"a": {"b", "c"}, "b": {"c"}, "c": set[str](), "d": set[str]()}
    assert floors(house) == [{"c", "d"}, {"b"}, {"a"}]
    assert floors(house | {"c": {"a"}}) == [{"d"}]


BAD = [
    ("pi_app.rules.chess", "from pi_app.match.score import Cube", "rules may not see match"),
    ("pi_app.rules.chess", "from pi_app import sensing", "rules may not see sensing"),
    ("pi_app.match.score", "import pi_app.sensing.tracker", "match may not see sensing"),
    (
        "pi_app.sensing.tracker",
        "from pi_app.referee.view import View",
        "sensing may not see referee",
    ),
    ("pi_app.sensing.tracker", "import time", "sensing is pure"),
    ("pi_app.sensing.walk", "from time import monotonic", "sensing is pure"),
    (
        "pi_app.sensing.walk",
        "from pi_app.devices.source import Clock",
        "sensing may not see devices",
    ),
    ("pi_app.rules.chess", "def f():\n    import random", "rules is pure"),
    ("pi_app.referee.referee", "import platformdirs", "referee has the standard library alone"),
    ("pi_app.link.messages", "from pi_app.rules.terms import Side", "link may not see rules"),
    ("pi_app.link.session", "import time", "link is pure"),
    ("pi_app.link.session", "from pi_app.base.threads import Worker", "link is pure"),
    ("pi_app.base.microseconds", "import time", "base is pure"),
    ("pi_app.base.threads", "from pi_app.rules.terms import Side", "base may not see rules"),
    ("pi_app.link.session", "import serial", "link has the standard library alone"),
    ("pi_app.link.messages", "from pi_app.sensing.description import Cell", "may not see sensing"),
    ("pi_app.devices.scanner_port", "import serial", "imported where it is opened"),
    ("pi_app.simulator.emulator", "def f():\n    import serial", "hardware is for devices alone"),
    ("pi_app.devices.scanner", "from pi_app.simulator.source import CellBoard", "not see sim"),
    ("pi_app.devices.oled", "from pi_app.screen.theme import INK", "devices may not see screen"),
    ("pi_app.devices.gpio", "import gpiozero", "imported where it is opened"),
    ("pi_app.devices.oled", "from luma.core.device import dummy", "imported where it is opened"),
    ("lab.hands", "def f():\n    import gpiozero", "hardware is for devices alone"),
    ("pi_app.screen.canvas", "import pygame", "pygame has its own files"),
    ("pi_app.screen.ui", "from pi_app.referee.referee import Referee", "never the referee"),
    ("pi_app.panel.picture", "from pi_app.referee import referee", "never the referee"),
    ("pi_app.simulator.window", "from pi_app.app.loop import main", "only the top imports the top"),
    ("pi_app.devices.dice", "from pi_app.cli import rules", "only the top imports the top"),
    ("pi_app.club.linked.letters", "import time", "club is pure"),
    ("pi_app.club.linked.fair_dice", "import secrets", "club is pure"),
    ("pi_app.club.linked.talk", "import paho.mqtt", "club has the standard library alone"),
    ("pi_app.club.wire", "from paho.mqtt import client", "imported where it is opened"),
    ("pi_app.simulator.window", "from lab.people import People", "laboratory is not installed"),
    ("pi_app.rules.nannon", "from .terms import Side", "written in full"),
]


@pytest.mark.parametrize(("module", "source", "reason"), BAD)
def test_an_arrow_the_wrong_way_is_noticed(module: str, source: str, reason: str) -> None:
    (fault,) = faults(module, source)
    assert reason in fault


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pi_app.rules.chess", "from dataclasses import dataclass\nfrom pi_app.rules import terms"),
        ("pi_app.devices.gpio", "def open():\n    import gpiozero"),
        ("pi_app.devices.scanner_port", "def open():\n    import serial"),
        ("pi_app.devices.scanner", "from pi_app.link.session import HostSession"),
        ("pi_app.devices.gpio", "if TYPE_CHECKING:\n    import gpiozero"),
        ("pi_app.screen.paint", "import pygame"),
        ("pi_app.screen.ui", "from pi_app.referee.view import View"),
        ("pi_app.app.loop", "from pi_app.referee.referee import Referee\nimport time"),
        ("pi_app.cli.play", "from pi_app.app.loop import App"),
        ("pi_app.__main__", "from pi_app.cli import rules"),
    ],
)
def test_an_arrow_the_right_way_is_free(module: str, source: str) -> None:
    assert faults(module, source) == []
