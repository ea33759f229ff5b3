"""The log stays bounded: a limited number of lines a minute."""

from __future__ import annotations

from pi_app.club.guard import MOST_LINES, WINDOW_S, Rationed


def test_a_flood_of_lines_is_cut_and_counted() -> None:
    said: list[str] = []
    now = 0.0
    rationed = Rationed(said.append, lambda: now)
    for number in range(10_000):
        rationed(f"message {number} is none of ours")
    assert len(said) == MOST_LINES
    now += WINDOW_S
    rationed("the broker has gone away")
    assert said[MOST_LINES:] == ["9980 more lines were left out", "the broker has gone away"]


def test_the_same_line_is_said_once_a_minute() -> None:
    said: list[str] = []
    now = 0.0
    rationed = Rationed(said.append, lambda: now)
    for _ in range(MOST_LINES * 3):
        rationed("there are 4000 connections, more are refused")
    now += WINDOW_S
    rationed("there are 4000 connections, more are refused")
    assert len(said) == 2
