"""Who comes in, and for how long."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pi_app.export.codes import code_of
from pi_app.phones.keys import FILE, PhoneRole, Tokens, forget, kept_tokens


def test_each_token_gives_its_role_and_no_other_gives_any() -> None:
    tokens = Tokens.new()
    assert tokens.role_of(tokens.play) is PhoneRole.PLAY
    assert tokens.role_of(tokens.watch) is PhoneRole.WATCH
    for wrong in ("", tokens.play[:-1], tokens.play + "a", tokens.play.swapcase(), "ä\ud800"):
        assert tokens.role_of(wrong) is None


def test_tokens_are_kept_until_they_are_forgotten(tmp_path: Path) -> None:
    first = kept_tokens(tmp_path)
    assert kept_tokens(tmp_path) == first
    later = forget(tmp_path)
    assert {later.play, later.watch}.isdisjoint({first.play, first.watch})
    assert kept_tokens(tmp_path) == later
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"play": "", "watch": ""}',
        '{"play": "a", "watch": "b"}',
        '{"play": 1}',
        "[" * 9999,
    ],
)
def test_a_bad_file_lets_nobody_in(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    tokens = kept_tokens(tmp_path)
    assert len(tokens.play) >= 20
    assert tokens.role_of("") is None
    assert kept_tokens(tmp_path) == tokens


def test_two_equal_tokens_are_replaced(tmp_path: Path) -> None:
    same = "a" * 20
    (tmp_path / FILE).write_text(f'{{"play": "{same}", "watch": "{same}"}}', encoding="utf-8")
    assert kept_tokens(tmp_path).role_of(same) is None


def test_a_folder_that_cannot_be_written_has_tokens_too(tmp_path: Path) -> None:
    tokens = kept_tokens(tmp_path / "missing")
    assert tokens.role_of(tokens.play) is PhoneRole.PLAY


def test_the_longest_address_fits_the_code_of_an_oled() -> None:
    longest = f"http://255.255.255.255:65535/#{Tokens.new().play}"
    assert code_of(longest).size == 29
