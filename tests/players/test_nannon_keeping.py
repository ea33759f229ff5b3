"""Nannon is solved once and kept; what is damaged or old is found out and made anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path

import pytest
from nannon_slowly import graph, unlimited

from pi_app.players.nannon import exact as keeping
from pi_app.players.nannon.exact import KEPT, recall


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A line for every time that it is solved, without the second that it takes."""
    told: list[str] = []

    def solve(_: object) -> object:
        told.append("solved")
        return unlimited()

    monkeypatch.setattr(keeping, "solve_unlimited", solve)
    return told


def test_it_is_solved_at_first_use_and_then_read(tmp_path: Path, solved: list[str]) -> None:
    folder = tmp_path / "cache" / "spotter"
    assert recall(graph(), folder) == unlimited()
    assert recall(graph(), folder) == unlimited()
    assert solved == ["solved"]


def _changed(text: str) -> str:
    lists = json.loads(text)
    lists[2][1234] += 1e-9
    return json.dumps(lists)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "[" * 100_000,
        lambda text: text.replace("1.0", "NaN", 1),
        lambda text: text.replace("1.0", "1e999", 1),
        lambda text: text.replace("1.0", '"1"', 1),
        lambda text: json.dumps([values[:-1] for values in json.loads(text)]),
        lambda text: json.dumps(json.loads(text)[:-1]),
        _changed,
    ],
    ids=["empty", "half", "none", "deep", "NaN", "infinite", "text", "short", "old", "changed"],
)
def test_a_damaged_or_old_file_is_made_anew(
    tmp_path: Path, solved: list[str], damage: Callable[[str], str]
) -> None:
    file = tmp_path / KEPT
    whole = json.dumps(astuple(unlimited()))
    file.write_text(damage(whole), encoding="utf-8")
    assert recall(graph(), tmp_path) == unlimited()
    assert solved == ["solved"]
    assert file.read_text(encoding="utf-8") == whole


def test_bytes_that_are_no_text_are_no_values(tmp_path: Path, solved: list[str]) -> None:
    (tmp_path / KEPT).write_bytes(b"\xff\x00" * 1000)
    assert recall(graph(), tmp_path) == unlimited()
    assert solved == ["solved"]


def test_where_nothing_can_be_kept_it_is_played_all_the_same(
    tmp_path: Path, solved: list[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    assert recall(graph(), tmp_path / "file") == unlimited()
    assert solved == ["solved"]
