"""A sheet as QR codes: nothing is lost, and every code is small enough for a screen."""

from __future__ import annotations

from itertools import pairwise

import pytest
from any_table import AnyTable

from pi_app.export.codes import (
    BLACK_ON_WHITE,
    LARGEST,
    MOST_BYTES,
    QUIET,
    USUAL_COLOURS,
    Code,
    code_of,
    in_blocks,
    parts_of,
)
from pi_app.export.sheet import score_sheet
from pi_app.match.turns import Phase

HEADING = "Ann – Bea, 2026-03-01"


def a_sheet() -> list[str]:
    table = AnyTable("backgammon", 1, seed=2)
    while table.view.phase is not Phase.MATCH_OVER:
        table.goes_on()
    return list(score_sheet(table.kept))


def matrix(code: Code) -> list[list[bool]]:
    rows = [[False] * code.size for _ in range(code.size)]
    for x, y, length in code.dark:
        rows[y][x : x + length] = [True] * length
    return rows


def test_all_lines_are_there_in_their_order_and_each_code_is_filled() -> None:
    lines = a_sheet()
    parts = parts_of(HEADING, lines)
    assert len(parts) > 2
    told: list[str] = []
    for number, text in enumerate(parts, start=1):
        heading, *part = text.split("\n")
        assert heading == f"{HEADING} ({number}/{len(parts)})"
        assert len(text.encode()) <= MOST_BYTES
        told += part
    assert told == [line.strip() for line in lines if line.strip()]
    for text, after in pairwise(parts):
        following = after.split("\n")[1]
        assert len(f"{text}\n{following}".encode()) > MOST_BYTES - 4


def test_the_fullest_part_is_no_larger_than_the_largest_code() -> None:
    full = parts_of(HEADING, ["x" * 4000])[0]
    assert len(full.encode()) > MOST_BYTES // 4
    assert code_of("é" * (MOST_BYTES // 2)).size == 17 + 4 * LARGEST


@pytest.mark.parametrize("line", ["x" * 5000, "é" * 2000, "王" * 1500, ""])
def test_a_line_that_is_too_long_is_cut_between_letters(line: str) -> None:
    parts = parts_of(HEADING, ["before", line, "after"])
    told = [part.split("\n", 1)[1] for part in parts]
    assert "".join(told).replace("\n", "") == f"before{line}after"
    assert all(len(part.encode()) <= MOST_BYTES for part in parts)


def test_no_lines_are_no_codes() -> None:
    assert parts_of(HEADING, []) == ()


def test_the_runs_draw_a_code_with_its_finders() -> None:
    """The three corners that a camera looks for: seven modules, a ring and a middle."""
    code = code_of("Ann 3-1: 13/10 6/5")
    rows = matrix(code)
    for x, y in ((0, 0), (code.size - 7, 0), (0, code.size - 7)):
        corner = ["".join(".#"[dark] for dark in row[x : x + 7]) for row in rows[y : y + 7]]
        sides, middle = ["#######", "#.....#"], ["#.###.#"] * 3
        assert corner == [*sides, *middle, *reversed(sides)]
    dark = sum(map(sum, rows)) / code.size**2
    assert 0.4 < dark < 0.6


def test_a_terminal_shows_the_same_modules_in_half_blocks() -> None:
    code = code_of("http://10.0.0.7:8090/#abcdefghijklmnopqrst")
    lines = [line[len(BLACK_ON_WHITE) : -len(USUAL_COLOURS)] for line in in_blocks(code)]
    wide = code.size + 2 * QUIET
    assert {len(line) for line in lines} == {wide}
    assert len(lines) == (wide + 1) // 2
    dark = {
        (x - QUIET, 2 * row + low - QUIET)
        for row, line in enumerate(lines)
        for x, block in enumerate(line)
        for low, blocks in enumerate(("▀█", "▄█"))
        if block in blocks
    }
    assert dark == {(x + more, y) for x, y, length in code.dark for more in range(length)}
