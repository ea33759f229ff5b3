"""Text from outside is shown short, on one line, and moves no cursor."""

from __future__ import annotations

import pytest

from pi_app.words.texts import clean_name, columns, one_line, quoted


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("x", "'x'"),
        (1.5, "1.5"),
        ({"on": True}, "{'on': True}"),
        ("a" * 500, "'aaaaaaaaaaaaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaaaaaaaaaaaa'"),
        (2**1000 - 1, "1071508607186267320948425049...29831652624386837205668069375"),
        (2**1000, "a number of about 301 digits"),
        (10**400, "a number of about 400 digits"),
        ("\x1b[2J", "'\\x1b[2J'"),
        (float("nan"), "nan"),
    ],
)
def test_a_value_is_named_in_few_letters(value: object, shown: str) -> None:
    assert quoted(value) == shown


def test_a_number_that_python_will_not_write_is_told_by_its_length() -> None:
    assert quoted(-(10**5000)) == "a number of about 4999 digits"


def test_a_value_that_is_nested_deeply_is_named() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    assert quoted(value) == "[[[...]]]"


def test_a_line_is_one_line_of_so_many_letters() -> None:
    assert one_line("one\ntwo\x1b[31m") == "one\\ntwo\\x1b[31m"
    assert one_line("\u202eright to left") == "\\u202eright to left"
    assert one_line("a\ud800") == "a\\ud800"
    assert len(one_line("x" * 1_000_000)) == len(one_line("\n" * 1_000_000)) == 300
    assert one_line("x" * 300) == "x" * 300
    assert one_line("x" * 301).endswith("x…")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("A\x1b[31mda\x07", "A[31mda"),
        ("\u202eadA\u2066\u200b", "adA"),
        ("Zoë Ångström", "Zoë Ångström"),
        ("李", "李"),
        ("\ud800", ""),
        ("", ""),
        ("x" * 41, "x" * 40),
        ("x" * 39 + " y", "x" * 39),
    ],
)
def test_a_name_keeps_its_letters_and_nothing_else(given: str, kept: str) -> None:
    assert clean_name(given) == kept


def test_columns_are_as_wide_as_their_widest_cell_and_lines_end_with_their_text() -> None:
    assert columns([("a", "to", "c"), ("longer", "b", "")]) == "a       to  c\nlonger  b"
