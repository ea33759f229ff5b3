"""Whatever a name stands for: nothing waits, nothing grows, and why it cannot be read is said."""

from __future__ import annotations

import io
import os
import socket
from pathlib import Path

import pytest
from known import load_board

from pi_app.base.files import MOST_BYTES, MOST_OF_LINE, bounded_lines, read_text, why
from pi_app.base.strict import ConfigError
from pi_app.user.settings import load_settings


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("ä" * (MOST_BYTES // 2), encoding="utf-8")
    assert read_text(file) == "ä" * (MOST_BYTES // 2)


def a_folder(file: Path) -> None:
    file.mkdir()


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def a_socket(file: Path) -> None:
    here = Path.cwd()
    os.chdir(file.parent)  # a socket's name must be short
    try:
        socket.socket(socket.AF_UNIX).bind(file.name)
    finally:
        os.chdir(here)


def zeros(file: Path) -> None:
    file.symlink_to("/dev/zero")


def a_terminal(file: Path) -> None:
    file.symlink_to("/dev/tty")


def fifty_megabytes(file: Path) -> None:
    with file.open("wb") as opened:
        opened.truncate(50_000_000)


def a_loop(file: Path) -> None:
    file.symlink_to(file)


def no_text(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")


ODD = [
    (a_folder, "it is a folder, no plain file"),
    (a_pipe, "it is a pipe, no plain file"),
    (a_socket, "it is a socket, no plain file"),
    (zeros, "it is a device, no plain file"),
    (a_terminal, "it is a device, no plain file"),
    (fifty_megabytes, "it is longer than 256 KiB"),
    (a_loop, "Too many levels of symbolic links"),
    (no_text, "it is no UTF-8 text"),
]


@pytest.mark.parametrize(("make", "reason"), ODD, ids=[make.__name__ for make, _ in ODD])
def test_what_is_no_text_is_told_at_once(make, reason: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "odd.toml"
    make(file)
    with pytest.raises((OSError, ValueError)) as caught:
        read_text(file)
    assert isinstance(caught.value, OSError | ValueError)
    assert why(caught.value) == reason
    for read in (load_settings, lambda file: load_board(str(file))):
        with pytest.raises(ConfigError) as refused:
            read(file)
        assert f"cannot be read: {reason}" in refused.value.reasons[0]


@pytest.mark.parametrize("name", ["\0.toml", "a\udc80.toml", "\ud800.toml", "x" * 5000 + ".toml"])
def test_a_name_that_no_file_has_is_told(name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read") as refused:
        load_board(name)
    assert len(str(refused.value)) <= 300
    assert str(refused.value).isprintable()


def test_lines_come_one_by_one_and_none_without_end() -> None:
    assert list(bounded_lines(io.BytesIO(b"one\ntwo"))) == ["one\n", "two"]
    lines = bounded_lines(io.BytesIO(b"one\n" + b"x" * MOST_OF_LINE + b"\n"))
    assert next(lines) == "one\n"
    with pytest.raises(ValueError, match="longer than 64 KiB"):
        next(lines)
