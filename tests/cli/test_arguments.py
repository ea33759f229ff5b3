"""How the words of a command are read, whatever Python reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.cli.arguments import Parser, UsageError, whole


def _parser() -> Parser:
    parser = Parser("pair", "Pairs players.")
    parser.add_argument("file", type=Path)
    parser.add_argument("name")
    parser.add_argument("players", nargs="*")
    parser.add_argument("--to", type=whole(1, 99))
    parser.add_argument("--rounds", type=whole(1, 99))
    return parser


@pytest.mark.parametrize(
    "words",
    [
        "open Autumn Ada Ben --to 7 --rounds 5",
        "open Autumn --to 7 --rounds 5 Ada Ben",
        "open --to 7 Autumn --rounds 5 Ada Ben",
        "--to 7 open Autumn Ada --rounds 5 Ben",
        "--rounds 5 --to 7 open Autumn -- Ada Ben",
    ],
)
def test_options_stand_anywhere(words: str) -> None:
    given = _parser().parse_args(words.split())
    assert (given.file, given.name) == (Path("open"), "Autumn")
    assert (given.players, given.to, given.rounds) == (["Ada", "Ben"], 7, 5)


def test_the_words_of_a_list_may_be_left_out() -> None:
    assert _parser().parse_args(["open", "--to", "7", "Autumn"]).players == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("open", "arguments are required: name"),
        ("open Autumn --round=5 --totally Ada", "'--totally' is not known"),
        ("open Autumn Ada --ruonds", "'--ruonds' is not known; perhaps --rounds"),
    ],
)
def test_what_cannot_be_read_is_named(words: str, says: str) -> None:
    with pytest.raises(UsageError) as told:
        _parser().parse_args(words.split())
    assert says in str(told.value)
    assert str(told.value).endswith("; see: spotter pair --help")


def test_a_position_may_begin_with_a_dash() -> None:
    parser = Parser("position", "Draws.")
    parser.add_argument("--json", action="store_true")
    parser.add_rest("text", "TEXT", "a position")
    assert parser.parse_args(["--json", "-2", "--json"]).text == ["-2", "--json"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("hlep", "help"), ("tournement", "tournament"), ("screnshot", "screenshot")],
)
def test_a_command_with_a_slip_is_understood(
    capsys: pytest.CaptureFixture[str], word: str, meant: str
) -> None:
    assert main([word]) == 2
    assert f"'{word}' is not known; perhaps {meant}" in capsys.readouterr().err


def test_a_command_unlike_any_names_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dance"]) == 2
    assert "perhaps" not in capsys.readouterr().err
