"""All letters of one link on this board's disk, and how they are sent.

The file has a JSON line per letter. A line is written and synced before its letter is sent or
acknowledged, so that no promise and no revealed number is lost by a kill or a power cut. The first
line names the other board and holds the key for this board's numbers. An incomplete last line was
never sent or acknowledged and is removed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pi_app.club.linked.letters import LetterBody, Post, body_fields, read_body, write_letter
from pi_app.club.records import BoardText, HashText
from pi_app.identifiers import BoardName
from pi_app.microseconds import Us
from pi_app.typed_json import JsonError, read, read_object, write

_PRIVATE = 0o600


class LetterWay(Enum):
    WROTE = "wrote"
    GOT = "got"


class CorrespondenceError(ValueError):
    """A damaged file of letters. The message says where."""


@dataclass(frozen=True, slots=True)
class KeptLetters:
    """A file of letters; `size` is that of its intact part."""

    board: BoardName
    key: bytes
    letters: tuple[tuple[LetterWay, LetterBody], ...]
    size: int


class Correspondence:
    """One link's letters; `send` takes a message and never waits. Raises OSError and
    CorrespondenceError if its file cannot be used."""

    def __init__(self, path: Path, link: str, send: Callable[[bytes], None]) -> None:
        self.post = Post(link)
        self.path, self._send = path, send
        self.unkept: str | None = None
        kept = read_correspondence(path)
        self.board, self.key = kept.board, kept.key
        self.letters = list(kept.letters)
        os.truncate(path, kept.size)
        for way, body in self.letters:
            if way is LetterWay.WROTE:
                self.post.write(body)
        self.post.got = sum(way is LetterWay.GOT for way, _ in self.letters)

    @classmethod
    def begin(
        cls, path: Path, link: str, board: BoardName, send: Callable[[bytes], None], key: bytes
    ) -> Correspondence:
        """Create a link.

        Raises OSError, also if it exists. The `key` of 32 random bytes must stay secret.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE)
        try:
            head = {"board": board, "key": key.hex()}
            _append(file, _line(head))
        finally:
            os.close(file)
        return cls(path, link, send)

    def write(self, body: LetterBody) -> bool:
        kept = self._keep(LetterWay.WROTE, body)
        if kept:
            self.post.write(body)
        return kept

    def next(self) -> LetterBody | None:
        body = self.post.next
        if body is None or not self._keep(LetterWay.GOT, body):
            return None
        self.post.accept()
        return body

    def carry(self, us: Us) -> None:
        for letter in self.post.outgoing(us):
            self._send(write_letter(letter))

    def _keep(self, way: LetterWay, body: LetterBody) -> bool:
        """The file is open only meanwhile: there may be many links."""
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            try:
                _append(file, _line({way.value: body_fields(body)}))
            finally:
                os.close(file)
        except OSError as error:
            self.unkept = error.strerror or str(error)
            return False
        self.letters.append((way, body))
        self.unkept = None
        return True


def _append(file: int, line: bytes) -> None:
    """Write a line completely or not at all. Raises OSError."""
    size = os.fstat(file).st_size
    try:
        written = os.write(file, line)
        os.fsync(file)
    except OSError:
        os.ftruncate(file, size)
        raise
    if written < len(line):
        os.ftruncate(file, size)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _line(fields: Mapping[str, object]) -> bytes:
    return write(fields).encode() + b"\n"


def read_correspondence(path: Path) -> KeptLetters:
    """Raises OSError and CorrespondenceError, which names the line at fault."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        raise CorrespondenceError(f"{path}: there is nothing in it")
    letters = []
    number = 1
    try:
        head = read(lines[0], _Head)
        for number, line in enumerate(lines[1:], start=2):  # noqa: B007, for the error
            letters.append(_read_line(line))
    except ValueError as error:
        raise CorrespondenceError(f"{path}, line {number}: {error}") from None
    return KeptLetters(head.board, bytes.fromhex(head.key), tuple(letters), whole)


@dataclass(frozen=True, slots=True)
class _Head:
    board: BoardText
    key: HashText


def _read_line(line: bytes) -> tuple[LetterWay, LetterBody]:
    fields = read_object(line)
    if len(fields) != 1:
        raise JsonError("it is no letter that was written or came")
    ((way, body),) = fields.items()
    return LetterWay(way), read_body(body)
