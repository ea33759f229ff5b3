"""Files, commands and source names in CONTRIBUTING.md exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pi_app.cli.main import COMMANDS

PROJECT = Path(__file__).parent.parent
PAGE = PROJECT / ".github" / "CONTRIBUTING.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROOMS = "pi_app|tests|hardware|firmware"
CODE = re.compile(r"`([^`\n]+)`")


def quoted() -> list[str]:
    """All that stands in code, in a line or in a block."""
    blocks = re.findall(r"```\w*\n(.*?)```", TEXT, re.DOTALL)
    return [*CODE.findall(re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)), *blocks]


def files_named(text: str) -> list[str]:
    return re.findall(rf"(?<![\w/-])(?:\./)?((?:{ROOMS})/[\w./*-]*[\w/*])", text)


FILES = sorted({file for text in quoted() for file in files_named(text)})


@pytest.mark.parametrize("file", FILES)
def test_every_file_that_is_named_is_there(file: str) -> None:
    assert file == "pi_app/languages/fr.po" or list(PROJECT.glob(file)), file


def test_files_are_found_and_one_that_is_not_there_would_be() -> None:
    assert {"tests/run", "tests/rules/test_nannon.py", "pi_app/boards/*.toml"} <= set(FILES)
    assert not list(PROJECT.glob("tests/test_no_such.py"))


def test_commands_and_modules_of_the_command_line_are_there() -> None:
    said = "\n".join(quoted())
    commands = set(re.findall(r"\bspotter ([a-z]+)", said))
    assert commands
    assert commands <= set(COMMANDS)
    for module in re.findall(r"python -m ([\w.]+)", said):
        path = PROJECT / module.replace(".", "/")
        assert module in {"pytest", "mypy"} or (path / "__main__.py").exists(), module


NAME = re.compile(r"[A-Z]\w+|draw_\w+|[a-z_]+(?=\()")


def test_names_of_the_sources_are_there() -> None:
    """Classes, constants and functions that a recipe names stand in some module."""
    paths = [path for room in ("pi_app", "tests") for path in (PROJECT / room).rglob("*.py")]
    sources = "\n".join(path.read_text("utf-8") for path in paths)
    words = set(re.findall(r"\w+", sources))
    named = {
        name
        for code in quoted()
        if re.fullmatch(r"[\w.…=(), ]+", code) and not re.search(r"\.\w+$", code)
        for name in NAME.findall(code)
    }
    assert {"Sentence", "Page", "PAGES", "COMMANDS", "draw_menu", "open_page"} <= named
    assert named <= words, named - words


def test_the_readme_leads_here() -> None:
    assert "(.github/CONTRIBUTING.md)" in (PROJECT / "README.md").read_text(encoding="utf-8")
