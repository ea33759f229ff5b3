"""Files of matches, whatever program wrote them: read, or named with what to do instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pi_app.base.files import read_bytes, why
from pi_app.export.mat import mat_lines
from pi_app.export.mat_reading import read_mat
from pi_app.export.retold import ExportForm
from pi_app.export.sgf import SGF, read_sgf, sgf_lines
from pi_app.export.transcript import EntryError, MatchReading
from pi_app.rules.contract import Games

MOST_BYTES = 4 * 1024 * 1024
"""Of a file: an analysed match of GNU Backgammon has about 40 kB a game."""
READ = (".mat", ".txt", ".sgf")
_AS_TEXT = "open it in {0} and export it as text (.txt or .mat)"
OTHERS: Mapping[str, str] = {
    ".xg": _AS_TEXT.format("eXtreme Gammon"),
    ".xgp": "open it in eXtreme Gammon, copy the position and paste its XGID",
    ".bgf": _AS_TEXT.format("BGBlitz"),
    ".gam": _AS_TEXT.format("GNU Backgammon"),
    ".sgg": _AS_TEXT.format("GNU Backgammon"),
    ".pos": _AS_TEXT.format("GNU Backgammon"),
    ".ogxm": _AS_TEXT.format("HedgeHog or OpenGammon"),
    ".match": "export it from its program as .mat",
}
"""Forms of other programs, by the end of the name, and what to do instead."""
_SIGNS: tuple[tuple[bytes, str], ...] = (
    (b"RGMH", ".xg"),
    (b'{"format":"BGF"', ".bgf"),
    (b"\x1f\x8b", ".bgf"),
)
"""How such files begin, whatever they are called."""


MATCH_FORMS = (
    ExportForm("mat", "write a Backgammon match as most other programs read it", mat_lines),
    ExportForm("sgf", "write a Backgammon match as GNU Backgammon saves it", sgf_lines),
)
"""The forms of every game that GNU Backgammon plays."""


def is_offered(file: Path) -> bool:
    """Whether a file looks like a match by its name."""
    return file.suffix.lower() in (*READ, *OTHERS)


def read_match_file(file: Path, games: Games) -> MatchReading:
    """Raises EntryError, which names the file and, where one is at fault, the line."""
    try:
        data = read_bytes(file, MOST_BYTES)
    except (OSError, ValueError) as error:
        wanted = "give the number of a match, or a .mat, .txt or .sgf file"
        raise EntryError(f"{file}: {why(error)}; {wanted}") from None
    try:
        return read_match(data, games, file.name)
    except EntryError as error:
        raise EntryError(f"{file}: {error}") from None


def read_match(data: bytes, games: Games, name: str = "") -> MatchReading:
    """The match of a file with this content and name. Raises EntryError."""
    suffix = Path(name).suffix.lower()
    other = next((form for sign, form in _SIGNS if data.startswith(sign)), suffix)
    if other in OTHERS and (other != suffix or b"\0" in data or not _looks_read(data)):
        raise EntryError(f"{other} files cannot be read; {OTHERS[other]}")
    text = decoded(data)
    if "\0" in text:
        raise EntryError(f"this is no text; {_AS_TEXT.format('the program that wrote it')}")
    if SGF.match(text):
        return read_sgf(text, games)
    if text.count(";") > 30 and "\n" not in text.strip():
        raise EntryError(f"this is a position of Snowie; {OTHERS['.xgp']}")
    return read_mat(text, games)


def decoded(data: bytes) -> str:
    """UTF-8, or UTF-16 with its mark, or Windows-1252 where names need it."""
    forms: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("utf-16", lambda: data[:2] in (b"\xff\xfe", b"\xfe\xff")),
        ("utf-8-sig", lambda: True),
    )
    for form, fits in forms:
        if fits():
            try:
                return data.decode(form)
            except UnicodeDecodeError:
                continue
    return data.decode("cp1252", "replace")


def _looks_read(data: bytes) -> bool:
    return b"point match" in data or SGF.match(decoded(data)) is not None
