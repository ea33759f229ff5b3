"""Journals damaged in every way that disks, cards and programs damage files."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from nasty import NASTY

from pi_app.journal.opening import FILE, open_journal
from pi_app.referee.events import Start

PAGE = 4096
COMPANIONS = ("", "-wal", ".last", ".backup")

Damage = Callable[[Path, random.Random], None]


def flip_bits(file: Path, rng: random.Random) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(rng.choice((1, 1, 3, 50))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    file.write_bytes(content)


def overwrite(file: Path, rng: random.Random) -> None:
    content = bytearray(file.read_bytes())
    page = rng.randrange(len(content) // PAGE) * PAGE
    fill = rng.choice((b"\0", b"\xff", b"[", bytes([rng.randrange(256)])))
    content[page : page + PAGE] = fill * PAGE
    file.write_bytes(content)


def exchange_pages(file: Path, rng: random.Random) -> None:
    content = bytearray(file.read_bytes())
    one, two = (rng.randrange(len(content) // PAGE) * PAGE for _ in range(2))
    content[one : one + PAGE], content[two : two + PAGE] = (
        content[two : two + PAGE],
        content[one : one + PAGE],
    )
    file.write_bytes(content)


def cut_off(file: Path, rng: random.Random) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: rng.choice((0, 1, 100, rng.randrange(len(content))))])


def replace_with_noise(file: Path, rng: random.Random) -> None:
    file.write_bytes(rng.choice((b"", b"\0" * PAGE, rng.randbytes(3 * PAGE))))


def spoil_a_row(file: Path, rng: random.Random) -> None:
    """A value that is well stored and means nothing."""
    values = (
        None, -1, 1 << 62, 1e300, "", "{}", "null", "[" * 3000, "\0", b"\xff\xfe", "9" * 5000,
        '{"ms": 1e400}', '{"ms": 0, "decided": "sung"}', "x" * 100_000, "match over?",
        *(text for text in NASTY if text.isascii()),
    )  # fmt: skip
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE sql != ''")]
        table = rng.choice(tables)
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        where = rng.choice(("1", "random() % 3 = 0", "random() % 50 = 0"))
        with suppress(sqlite3.Error):
            db.execute(
                f"UPDATE OR IGNORE {table} SET {rng.choice(columns)} = ? WHERE {where}",
                (rng.choice(values),),
            )


def spoil_the_schema(file: Path, rng: random.Random) -> None:
    statement = rng.choice(
        (
            "DROP TABLE matches",
            "DELETE FROM matches",
            "PRAGMA user_version = 0",
            "PRAGMA user_version = 1",
            "PRAGMA user_version = 77777",
            "PRAGMA user_version = -5",
            "ALTER TABLE matches RENAME COLUMN number TO n",
            "CREATE TABLE kept (a, b)",
        )
    )
    with closing(sqlite3.connect(file, isolation_level=None)) as db, suppress(sqlite3.Error):
        db.execute(statement)


DAMAGES: tuple[Damage, ...] = (
    flip_bits,
    overwrite,
    exchange_pages,
    cut_off,
    replace_with_noise,
    spoil_a_row,
    spoil_the_schema,
)


def damaged(originals: Path, folder: Path, rng: random.Random) -> str:
    """Copy a data folder, damage one of its files, say which and how."""
    folder.mkdir()
    for companion in COMPANIONS:
        if (originals / f"{FILE}{companion}").exists():
            shutil.copy(originals / f"{FILE}{companion}", folder / f"{FILE}{companion}")
    return damage_in(folder, rng)


def damage_in(folder: Path, rng: random.Random) -> str:
    """Damage one of a data folder's files, say which and how."""
    damage = rng.choice(DAMAGES)
    in_database = damage in (spoil_a_row, spoil_the_schema)
    there = sorted(folder.iterdir())
    file = folder / FILE if in_database or rng.random() < 0.8 else rng.choice(there)
    if file.stat().st_size < PAGE:
        damage = replace_with_noise
    damage(file, rng)
    return f"{damage.__name__} of {file.name}"


def start_spotter(folder: Path, start: Start) -> Iterator[str]:
    """All that a start and a first match do with the journal; what is said to the players."""
    opened = open_journal(folder)
    journal = opened.journal
    yield from opened.notices
    for match in journal.matches():
        list(journal.decisions(match.number))
    number = journal.unfinished()
    if number is not None:
        journal.latest_game(number)
        journal.last_us(number)
    begun = journal.begin(start, "now")
    journal.commit()
    assert journal.match(begun).start == start
    assert opened.backup is None or opened.backup.join() is None  # type: ignore[func-returns-value]
    yield from opened.alarms
    opened.close()
