"""Every path of the project that a page, a docstring or a comment names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pages import PROJECT, TEXTS

ROOMS = ("pi_app", "tests", "hardware", "firmware")
SOURCES = ("py", "c", "h", "S", "rules", "toml", "conf", "service", "sh", "md")
_IS_SOURCE = re.compile(rf"[\w.*-][\w.*/-]*\.(?:{'|'.join(SOURCES)})")
_IN_A_ROOM = re.compile(rf"(?<![\w./~-])(?:{'|'.join(ROOMS)})/[\w.*/-]*\w")
_QUOTED = re.compile(r"(?<!`)`([^`\s]+)`(?!`)")
ELSEWHERE = frozenset({"analysis.c", "NAME.sh", "firmware/build", "pi_app/languages/fr.po"})
"""GNU Backgammon's, a placeholder, what make builds, and an example."""
LANGUAGES = ("*.c", "*.h", "*.S", "*.rules", "*.toml", "*.conf", "*.service", "*.py")
COMMENT = re.compile(r'^\s*(?:#|/\*|\*|//) .*$|"""(?:.|\n)*?"""', re.MULTILINE)


def texts() -> Iterator[tuple[Path, str]]:
    """Every page, and every source's comments and docstrings, by the file that it is in."""
    yield from TEXTS.items()
    for room in ROOMS:
        for language in LANGUAGES:
            for file in (PROJECT / room).rglob(language):
                text = file.read_text("utf-8")
                yield file.relative_to(PROJECT), "\n".join(COMMENT.findall(text))


def paths(text: str) -> set[str]:
    """Sources in backticks, and whatever is said to be in a room, quoted or not."""
    quoted = {each for each in _QUOTED.findall(text) if _IS_SOURCE.fullmatch(each)}
    return (quoted | {*_IN_A_ROOM.findall(text)}) - ELSEWHERE


def is_there(path: str, named_in: Path) -> bool:
    """Whether it leads somewhere from the program, or from the page or a folder above it.

    A name without a folder may be in any room.
    """
    folders = [PROJECT / "pi_app", *(PROJECT / folder for folder in named_in.parents)]
    if "/" not in path and any(any((PROJECT / room).rglob(path)) for room in ROOMS):
        return True
    return any(any(folder.glob(path)) for folder in folders)


def test_paths_in_pages_docstrings_and_comments_lead_somewhere() -> None:
    named = {(where, path) for where, text in texts() for path in paths(text)}
    assert len(named) > 200
    assert sorted((str(where), path) for where, path in named if not is_there(path, where)) == []


def test_paths_are_found() -> None:
    text = "See `a/b.py`, `c.toml` and pi_app/rules/x.py, not `spotter`, ~/tests/y or `a b.py`."
    assert paths(text) == {"a/b.py", "c.toml", "pi_app/rules/x.py"}
    page = Path("pi_app/devices/README.md")
    assert is_there("devices/voice.py", page)
    assert is_there("voice.py", page)
    assert is_there("parts.toml", page)
    assert not is_there("fairness.py", page)
    assert not is_there("rules/voice.py", page)
