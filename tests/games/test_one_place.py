"""A game is defined in one place: no other module names it in a text, a name or an import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pi_app
from pi_app.boards import board_names
from pi_app.games.all import ALL

PACKAGE = Path(pi_app.__file__).parent
NAMES = tuple(ALL.rules)
BOARDS = frozenset(board_names())
OWN = ("games", "rules", "boards", "players")
"""The folders whose parts by a game's name are its own: rules, file, drawing and players."""
FAMILIES = (("rules", "tables"), ("players", "tables"))
"""Where the sheets of one family speak of one another, and its games share their players."""
OF_FAMILIES = ("games/nackgammon.py: name pi_app.rules.tables.backgammon",)
"""A game's file may name the module of its family that holds its rules beside another game's."""
FORMS = tuple(("export", name) for name in ("mat_reading", "match_files", "sgf", "transcript"))
"""The forms of other programs, whose words for games and wins are part of the form."""
PROGRAMS = ("GNU Backgammon",)
"""The names of other programs."""


def is_at_home(path: Path, name: str) -> bool:
    """Whether a module is the game's own, or the one list of games."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts == ("games", "all") or parts[:2] in (*FAMILIES, *FORMS):
        return True
    return name in parts[1:] and any(part in OWN for part in parts)


def texts(tree: ast.AST) -> Iterator[str]:
    """The texts of a module, without what documents it."""
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def named(tree: ast.AST, name: str) -> Iterator[str]:
    """How a module names a game."""
    return named_in([*texts(tree)], [*identifiers(tree)], name)


def named_in(said: Iterable[str], called: Iterable[str], name: str) -> Iterator[str]:
    """How texts and identifiers name it: what other words are made of its name does not count."""
    # A pin is something else too: only a text that is nothing but its name counts.
    word = re.compile(r"\A(pin|.*\bPin game\b.*)\Z" if name == "pin" else rf"(?i)\b{name}\b")
    yield from (
        f"text {text!r}"
        for text in said
        if text not in BOARDS and word.search(without_programs(text))
    )
    if name != "pin":
        yield from (f"name {found}" for found in called if name in words_of(found))


def without_programs(text: str) -> str:
    """The text without the names of programs, of which a game's name may be a part."""
    for program in PROGRAMS:
        text = text.replace(program, "")
    return text


def identifiers(tree: ast.AST) -> Iterator[str]:
    """The names that a module defines, uses and imports."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=found) | ast.FunctionDef(name=found) | ast.alias(name=found):
                yield found
            case ast.Name(id=found) | ast.Attribute(attr=found) | ast.arg(arg=found):
                yield found
            case ast.ImportFrom(module=str(found)):
                yield found


@cache
def words_of(identifier: str) -> frozenset[str]:
    """ "draw_cannon", "CannonHand" and "rules.cannon" all have the word "cannon"."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)
    return frozenset(word.lower() for word in words)


def strangers(names: Iterable[str] = NAMES) -> list[str]:
    """Every module that names a game and is not its own."""
    return [
        f"{path.relative_to(PACKAGE)}: {what}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for tree in [ast.parse(path.read_text(encoding="utf-8"))]
        for said, called in [([*texts(tree)], [*identifiers(tree)])]
        for name in names
        if not is_at_home(path, name)
        for what in named_in(said, called, name)
    ]


def test_no_module_names_a_game_that_is_not_its_own() -> None:
    assert [found for found in strangers() if found not in OF_FAMILIES] == []


def test_a_name_in_a_text_a_definition_or_an_import_is_noticed() -> None:
    source = (
        '"""Of Cannon, in words."""\nfrom pi_app.rules.cannon import Cannon\n'
        'BOARD = "cannon-10"\nTALL = ("cannon", "Cannon is tall", "cannonade")\n'
        "class CannonHand: ...\nclass Cannonade: ...\n"
        "def draw_cannon(cannonball): return CANNON_EQUIPMENT\n"
    )
    assert sorted(named(ast.parse(source), "cannon")) == [
        "name CANNON_EQUIPMENT",
        "name Cannon",
        "name CannonHand",
        "name draw_cannon",
        "name pi_app.rules.cannon",
        "text 'Cannon is tall'",
        "text 'cannon'",
    ]
    told = 'TEXT = "GNU Backgammon plays"\nOTHER = "GNU Backgammon plays backgammon"\n'
    assert len(list(named(ast.parse(told), "backgammon"))) == 1
    assert list(named(ast.parse('Pin = NewType("Pin", int)\nTEXT = "used pin"\n'), "pin")) == []
    assert list(named(ast.parse('GAME = "pin"\n'), "pin")) == ["text 'pin'"]
