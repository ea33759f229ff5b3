"""The project's pages as text: found, cut into sentences, and their links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

PROJECT = Path(__file__).parent.parent
FOLDERS = (".", ".github", "findings", "firmware/**", "hardware/**", "pi_app/**", "tests/**")
TEMPLATES = PROJECT / "hardware" / "make" / "words"
"""Not pages: `hardware.make` fills them."""


def _pages() -> Iterator[Path]:
    for folder in FOLDERS:
        for page in PROJECT.glob(f"{folder}/*.md"):
            if page.parent != TEMPLATES:
                yield page.relative_to(PROJECT)


TEXTS: Mapping[Path, str] = {
    page: (PROJECT / page).read_text(encoding="utf-8") for page in sorted({*_pages()})
}
"""Every page by its path in the project."""

BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_END = re.compile(r"(?<=[.!?:]) +(?=[A-Z*`])")


def prose(text: str) -> str:
    """A page without code: neither blocks nor quoted words."""
    return _CODE.sub("", BLOCK.sub("", text))


def sentences(text: str) -> Iterator[str]:
    """Every sentence of a page, its code kept, its links and emphasis removed.

    A cell of a table and an item of a list are sentences of their own.
    """
    text = _LINK.sub(r"\1", BLOCK.sub("\n\n", text)).replace("*", "")
    text = re.sub(r"^(#+|-|\d+\.) ", "\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"^\|.*\|$", lambda row: row[0].replace("|", "\n\n"), text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n", text):
        yield from filter(None, _END.split(" ".join(paragraph.split())))


def links(text: str) -> list[tuple[str, str]]:
    """The links inside the project: the file and the anchor of each, either may be empty."""
    found = re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", BLOCK.sub("", text))
    return [(file, anchor) for file, anchor in found if ":" not in file]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, by GitHub's rule."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", text), re.MULTILINE)
    plain = (_LINK.sub(r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}
