"""The house's own rules: modules stay small, and everything public says what it is."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pi_app

PACKAGE = Path(pi_app.__file__).parent
MOST_LINES = 450


def undocumented(name: str, node: ast.Module | ast.ClassDef) -> Iterator[str]:
    """The public classes and functions below a node without a docstring, and the node itself."""
    if node.body and ast.get_docstring(node) is None:
        yield name
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if child.name.startswith("_"):
                continue
            if isinstance(child, ast.ClassDef):
                yield from undocumented(f"{name}.{child.name}", child)
            elif ast.get_docstring(child) is None:
                yield f"{name}.{child.name}"


def sources() -> dict[str, str]:
    paths = sorted(PACKAGE.rglob("*.py"))
    assert len(paths) > 20
    return {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in paths}


def test_no_module_is_over_450_lines() -> None:
    lengths = {name: len(text.splitlines()) for name, text in sources().items()}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_everything_public_has_a_docstring() -> None:
    bare = [
        found for name, text in sources().items() for found in undocumented(name, ast.parse(text))
    ]
    assert bare == []


def test_what_has_no_docstring_is_noticed() -> None:
    text = "class Bare:\n    def naked(self): ...\n    def _own(self): ...\ndef plain(): ...\n"
    assert list(undocumented("m", ast.parse(text))) == ["m", "m.Bare", "m.Bare.naked", "m.plain"]
    assert (
        list(undocumented("m", ast.parse('"""A module."""\ndef f():\n    """A function."""'))) == []
    )
    assert list(undocumented("empty", ast.parse(""))) == []


def test_no_two_test_modules_have_one_name() -> None:
    """pytest knows them by it, and stops at the second."""
    names = [path.name for path in Path(__file__).parent.rglob("*.py")]
    assert len(names) > 100
    assert {name for name in names if names.count(name) > 1} == set()
