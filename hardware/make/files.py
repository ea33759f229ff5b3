"""Generated files: text, or bytes where a program packs others."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TypeAlias
from zipfile import ZipFile, ZipInfo

MadeFile: TypeAlias = str | bytes
MadeFiles: TypeAlias = Mapping[str, MadeFile]


def data(file: MadeFile) -> bytes:
    """Return a file's content as bytes."""
    return file.encode("utf-8") if isinstance(file, str) else file


def packed(files: Mapping[str, str]) -> bytes:
    """A ZIP of text files without a folder; not compressed and without times, so that the same
    files give the same bytes."""
    whole = io.BytesIO()
    with ZipFile(whole, "w") as archive:
        for name, text in sorted(files.items()):
            archive.writestr(ZipInfo(name), text.encode("utf-8"))
    return whole.getvalue()
