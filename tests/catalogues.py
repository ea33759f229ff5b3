"""The catalogues of `pi_app/languages`: made of the sentences in the sources, and compiled.

`tests/languages` runs this.  Every call of `Sentence` in the package is found in its syntax tree;
its texts must be plain, or they could not be looked up.  What is new stands in each `xx.po` with
an empty translation, what is gone is left out, and `xx.mo` is what the program reads.  A catalogue
may be unfinished until its language is offered.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import pi_app
from pi_app.languages import LANGUAGES

PACKAGE = Path(pi_app.__file__).parent
FOLDER = PACKAGE / "languages"


def sentences(folder: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every sentence below a folder: the file it is in, its text, and its plural if it has one.

    The titles of boards are sentences too.  Raises ValueError for a text that is put together.
    """
    for path in sorted(folder.glob("boards/*.toml")):
        yield (
            path.relative_to(folder).as_posix(),
            (tomllib.loads(path.read_text("utf-8"))["title"],),
        )
    for path in sorted(folder.rglob("*.py")):
        for texts in _sentences_in(path.read_text("utf-8")):
            yield path.relative_to(folder).as_posix(), texts


@cache
def _sentences_in(source: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(map(ast.literal_eval, node.args))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Sentence"
        and node.args
    )


def source() -> Catalog:
    """All sentences, each once, without translations."""
    catalog = Catalog(project="Spotter")
    for file, texts in sentences(PACKAGE):
        catalog.add(texts if len(texts) > 1 else texts[0], locations=[(f"pi_app/{file}", 0)])
    return catalog


def read_catalogue(file: Path) -> Catalog:
    """A language's catalogue as translators wrote it; an empty file begins one."""
    with file.open("rb") as opened:
        catalog = read_po(opened, locale=file.stem)
    if catalog:
        return catalog
    head = f"# {Locale.parse(file.stem).english_name}.  Brought up to date by tests/languages."
    return Catalog(
        file.stem, header_comment=head, project="Spotter", version=pi_app.__version__, fuzzy=False
    )


def brought_up_to_date(file: Path) -> Catalog:
    """A catalogue with the sentences of today, those without a translation empty."""
    catalog, template = read_catalogue(file), source()
    template.creation_date = catalog.creation_date
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def compiled(catalog: Catalog) -> bytes:
    """The bytes of the .mo file."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def texts_of(message: Message) -> tuple[str, ...]:
    """A sentence as the source has it, and its plural where it has one."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def strings_of(message: Message) -> tuple[str, ...]:
    """Its translations; those that are missing are empty."""
    if isinstance(message.string, str):
        return (message.string,)
    return tuple(message.string or ("",))


def is_translated(message: Message) -> bool:
    """Whether a message is fully translated and not fuzzy."""
    return all(strings_of(message)) and not message.fuzzy


def untranslated(catalog: Catalog) -> list[Any]:
    """The sentences that have no translation yet, or not all of it."""
    return [one.id for one in catalog if one.id and not is_translated(one)]


def count(catalog: Catalog) -> str:
    """How much of a catalogue is translated: "97 of 1 307 sentences are translated"."""
    done = len(catalog) - len(untranslated(catalog))
    return f"{done:,} of {len(catalog):,} sentences are translated".replace(",", " ")


def main() -> None:
    """Bring every catalogue up to date, compile it, and say what an offered language lacks."""
    for file in sorted(FOLDER.glob("*.po")):
        catalog = brought_up_to_date(file)
        with file.open("wb") as opened:
            write_po(opened, catalog, width=100, include_lineno=False)
        file.with_suffix(".mo").write_bytes(compiled(catalog))
        print(f"{file.name}: {count(catalog)}")
        for text in untranslated(catalog) if file.stem in LANGUAGES else ():
            print(f"  {text}")


if __name__ == "__main__":
    main()
