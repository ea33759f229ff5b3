"""One word for one thing: no sentence, no plain text and no page has a banned word.

The words are those of the table of terms in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from catalogues import PACKAGE
from catalogues import sentences as product_sentences
from pages import TEXTS, prose

from pi_app.sensing.noise import PUBLISHED
from pi_app.user.settings import SETTINGS

CONTRIBUTING = Path(".github/CONTRIBUTING.md")

RETIRED = {
    *("aloft", "amiss", "course", "deaf", "deed", "glimpse", "haste"),
    *("mend", "muddle", "owed", "pasts", "stirred", "story"),
}
"""Private words that names of the code had once; the field has better ones."""
RETIRED_NAMES = {"Past", "Placed"}
"""Names that were retired as a whole; their words are fine within others."""


def banned() -> list[str]:
    """The last column of the table of terms."""
    rows = re.findall(r"^\|.*\|.*\| *(`[^|]*) *\|$", TEXTS[CONTRIBUTING], re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]


BANNED = banned()


def has(word: str, text: str) -> bool:
    return bool(re.search(rf"\b{re.escape(word)}\b".replace(r"\ ", r"\s+"), text, re.IGNORECASE))


IN_FILES = {"opening throw", "take back", "no throw", "clock runs amiss"}
"""Enum values and keys of files, which stay as they are; no display has them."""


@cache
def plain_texts() -> list[str]:
    """The texts of several words in the sources that are no docstring, sentence or query."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found += [text for text in texts_of(tree) if text not in IN_FILES]
    return found


def texts_of(tree: ast.AST) -> Iterator[str]:
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            text = node.value
            if " " in text.strip() and not re.search(r"\b(SELECT|UPDATE|INSERT)\b", text):
                yield text


CELLS = [
    *(one.says for one in SETTINGS.values()),
    *(text for what, rate in PUBLISHED.rates.items() for text in (what.value, rate.why)),
]
"""What settings and noises say; pages show it in tables that other tests hold."""


@cache
def said() -> list[str]:
    """Every sentence that players can read."""
    return [*(text for _, texts in product_sentences(PACKAGE) for text in texts), *CELLS]


@pytest.mark.parametrize("word", BANNED)
def test_no_sentence_has_a_banned_word(word: str) -> None:
    assert [text for text in said() if has(word, text)] == []


@pytest.mark.parametrize("word", BANNED)
def test_no_plain_text_has_a_banned_word(word: str) -> None:
    assert [text for text in plain_texts() if has(word, text)] == []


@pytest.mark.parametrize("page", TEXTS, ids=str)
def test_no_page_has_a_banned_word(page: Path) -> None:
    text = TEXTS[page]
    for cell in CELLS:
        text = text.replace(f"| {cell} |", "| |")
    assert [word for word in BANNED if has(word, prose(text))] == []


def names_of(tree: ast.AST) -> Iterator[str]:
    """The names that a module defines: of functions, classes, arguments, variables, fields."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def is_retired(name: str) -> bool:
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return name in RETIRED_NAMES or not RETIRED.isdisjoint(words)


@pytest.mark.parametrize("room", ["pi_app", "hardware"])
def test_no_name_of_the_code_is_retired(room: str) -> None:
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(Path(room).rglob("*.py"))}
    found = {file: {*filter(is_retired, names_of(ast.parse(sources[file])))} for file in sources}
    assert len(found) > 20
    assert {str(file): names for file, names in found.items() if names} == {}


def test_a_retired_name_is_found_wherever_it_is_defined() -> None:
    tree = ast.parse(
        "class Past: pass\nclass PastDue: pass\ndef mend_it(deaf, heard): self.mended = _AMISS = 1"
    )
    found = {*filter(is_retired, names_of(tree))}
    assert found == {"Past", "mend_it", "deaf", "_AMISS"}


def test_the_list_is_that_of_contributing() -> None:
    assert {"throw", "takeback", "telephone"} <= {*BANNED}
    assert len(BANNED) == len({*BANNED})


def test_a_banned_word_is_found_whole_and_anywhere() -> None:
    assert has("take back", "Tap Take\nback now")
    assert not has("mend", "I recommend it")
    assert len(said()) > 500
    assert len(plain_texts()) > 2000
    tree = ast.parse(
        '"""Thrown."""\nclass A(Enum):\n    B = "is thrown"\nprint(f"mend it {a} or not")'
    )
    assert [*texts_of(tree)] == ["is thrown", "mend it ", " or not"]
