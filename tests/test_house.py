"""The house's own rules: one class a name, no module that is only a part of another."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from test_arrows import imports_in, module_name

import pi_app

PACKAGE = Path(pi_app.__file__).parent


def sources() -> dict[str, str]:
    paths = sorted(PACKAGE.rglob("*.py"))
    assert len(paths) > 20
    return {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in paths}


def test_no_query_numbers_its_placeholders() -> None:
    """sqlite3 of some Pythons takes `?1` for a name, and from 3.14 on names need a mapping."""
    numbered = [name for name, text in sources().items() if re.search(r"[=<>(,] ?\?\d", text)]
    assert numbered == []


def test_nothing_but_the_table_of_phases_gives_a_match_another_phase() -> None:
    for name, text in sources().items():
        for node in ast.walk(ast.parse(text)) if name != "match/turns.py" else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "replace":
                assert "phase" not in {keyword.arg for keyword in node.keywords}, name


def test_no_two_test_modules_have_one_name() -> None:
    """pytest knows them by it, and stops at the second; modules of a package have its name too."""
    paths = Path(__file__).parent.rglob("*.py")
    names = [path.name for path in paths if not (path.parent / "__init__.py").is_file()]
    assert len(names) > 100
    assert {name for name in names if names.count(name) > 1} == set()


TYPE = re.compile("_?[A-Z]+[a-z]")
"""How the name of a type begins, and no constant's."""


def types_named(text: str) -> Iterator[str]:
    """The classes of a module, wherever they stand in it, and its own names of types."""
    tree = ast.parse(text)
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    for statement in tree.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                if TYPE.match(name):
                    yield name


def doubled(modules: Mapping[str, str]) -> dict[str, list[str]]:
    """The names of types that more than one thing has, and the modules where; `_Own` is `Own`."""
    found = defaultdict[str, list[str]](list)
    for module, text in modules.items():
        for name in types_named(text):
            found[name.lstrip("_")].append(module)
    return {name: where for name, where in found.items() if len(where) > 1}


def test_the_name_of_a_class_stands_for_one_class_in_the_whole_house() -> None:
    house = PACKAGE.parent
    rooms = (house / room for room in ("pi_app", "hardware", "tests"))
    paths = [path for room in rooms for path in sorted(room.rglob("*.py"))]
    modules = {str(path.relative_to(house)): path.read_text(encoding="utf-8") for path in paths}
    assert len(modules) > 300
    assert doubled(modules) == {}


def test_a_doubled_name_is_noticed() -> None:
    modules = {
        "a": "class Play: ...\nStep: TypeAlias = int\nStop = int | str\nclass Once: ...",
        "b": "class _Play: ...\ndef f():\n    class Step: ...\nStop = int",
        "c": 'Play = NewType("Play", int)\nONCE = Once()\nP = TypeVar("P")',
    }
    assert doubled(modules) == {"Play": ["a", "b", "c"], "Step": ["a", "b"], "Stop": ["a", "b"]}


FEW_LINES = 60

BY_THEMSELVES = {
    "games": "one file a game",
    "__main__": "a program from its first line to its last",
}
"""Small modules that only one other uses and that stay: those of a room, or one; and why."""


def modules_used(name: str, text: str, modules: Collection[str]) -> Iterator[str]:
    """The modules of the package that one of them imports."""
    for found in imports_in(text):
        for module in (found.name, found.name.rpartition(".")[0]):
            if module in modules and module != name:
                yield module
                break


def too_small(modules: Mapping[str, str]) -> set[str]:
    """The modules of few lines that only one other uses."""
    used = Counter(
        module
        for name, text in modules.items()
        for module in set(modules_used(name, text, modules))
    )
    return {
        name
        for name, text in modules.items()
        if used[name] == 1 and 0 < len(text.splitlines()) < FEW_LINES
    }


def test_no_small_module_serves_only_one_other() -> None:
    modules = {module_name(PACKAGE / path): text for path, text in sources().items()}
    small = {name.removeprefix("pi_app.") for name in too_small(modules)}
    kept = {name for name in small if {name, name.partition(".")[0]} & set(BY_THEMSELVES)}
    assert small - kept == set()


def test_a_small_module_of_one_user_is_noticed() -> None:
    modules = {
        "p.a": "from p.b import B\nfrom p import c",
        "p.b": "from p.c import C\n",
        "p.c": "C = 1\n",
        "p.long": "x = 1\n" * FEW_LINES,
        "p.d": "from p import long\nimport p.a",
    }
    assert too_small(modules) == {"p.a", "p.b"}


def changeable(text: str) -> list[str]:
    """The dataclasses of a module that can be changed, or be given a field by a slip."""
    classes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    made = ((node.name, ast.unparse(one)) for node in classes for one in node.decorator_list)
    fixed = "dataclass(frozen=True, slots=True"
    return [name for name, one in made if one.startswith("dataclass") and fixed not in one]


def test_commands_settings_and_the_rest_of_the_top_are_values() -> None:
    top = [path for path in sources() if path.startswith(("app/", "cli/")) or "/" not in path]
    assert len(top) > 20
    assert [name for path in top for name in changeable(sources()[path])] == []


def test_a_value_that_can_be_changed_is_noticed() -> None:
    fields = "class {}: x: int\n"
    decorators = ("dataclass(frozen=True, slots=True)", "dataclass", "dataclass(slots=True)")
    modules = "".join(
        f"@{one}\n{fields.format(name)}" for one, name in zip(decorators, "ABC", strict=True)
    )
    assert changeable(f"{modules}{fields.format('D')}") == ["B", "C"]
