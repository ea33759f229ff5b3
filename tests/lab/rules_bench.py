"""How fast the rules find every distinct result of a turn, over the positions of case files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from pi_app.cli.ending import least
from pi_app.errors import GivenError
from pi_app.files import read_text, why
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, read_roll

ROUNDS = 3
MOST_BYTES = 16 * 1024 * 1024


class CasesError(GivenError):
    """A case file that is none; says which line, and why."""


Case: TypeAlias = tuple[Any, Roll]
"""A position and the roll of its mover."""


def report(games: Iterable[AnyGame], folder: Path) -> Iterator[str]:
    """A line a game: positions a second, and the slowest position; `folder` holds GAME.jsonl."""
    for game in games:
        path = folder / f"{game.name}.jsonl"
        try:
            cases = read_cases(game, path)
        except OSError as error:
            yield f"rules of {game.name}: {path} cannot be read ({why(error)}); name its folder"
            continue
        yield _line(game, cases)


def read_cases(game: AnyGame, path: Path) -> list[Case]:
    """The positions and rolls of a case file; raises OSError, and CasesError for a bad line."""
    cases = []
    try:
        lines = read_text(path, MOST_BYTES).splitlines()
        for line in lines:
            text = json.loads(line)
            position = game.read_position(str(text["position"]))
            cases.append((position, read_roll(str(text["roll"]), game.dice)))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CasesError(f"{path}, line {len(cases) + 1}: {error}") from error
    return cases


def positions_a_second(game: AnyGame, cases: list[Case]) -> float:
    """The best of some rounds over all cases."""
    best = least(lambda: [game.results(*case) for case in cases], ROUNDS)
    return 1000 * len(cases) / best


def slowest(game: AnyGame, cases: list[Case]) -> tuple[float, Case]:
    """The case that takes longest, in ms, each at its best of some rounds."""
    times = [least(partial(game.results, *case), ROUNDS) for case in cases]
    longest = max(times)
    return longest, cases[times.index(longest)]


def _line(game: AnyGame, cases: list[Case]) -> str:
    longest, (position, roll) = slowest(game, cases)
    where = f"{game.write_position(position)} {roll}".strip()
    return (
        f"rules of {game.name}: {positions_a_second(game, cases):.0f} positions a second with all "
        f"results, the slowest {longest:.2f} ms ({where})"
    )
