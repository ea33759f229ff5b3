"""What of Nannon is solved once: unlimited play, kept in the user's cache, and the scores' worth.

What is kept needs no version and no checksum: values are those of best play where one more round
changes none of them, and every file is held to that.  What is not is solved again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple, fields
from pathlib import Path

import platformdirs

from pi_app.files import read_text, replace_text
from pi_app.players.nannon.graph import Graph
from pi_app.players.nannon.scores import MOST_AWAY, Away, Terms, Worth
from pi_app.players.nannon.solving import Unlimited, Values, faults, solve_unlimited

KEPT = "nannon.json"
MOST_BYTES = 1024 * 1024
MOST_FAULT = 1e-11
"""So much may a round change of what is kept; damage of any kind changes more."""
SHIPPED = Path(__file__).parent / "scores.json"
DECIMALS = 12


def cache_folder() -> Path:
    """Where what can be solved again is kept."""
    return platformdirs.user_cache_path("spotter")


def recall(graph: Graph, folder: Path) -> Unlimited:
    """Unlimited play from the folder, or solved and kept there, if it can be."""
    file = folder / KEPT
    values = _read(graph, file)
    if values is None:
        values = solve_unlimited(graph)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            replace_text(file, json.dumps(astuple(values)))
    return values


def _read(graph: Graph, file: Path) -> Unlimited | None:
    """What is kept, or None where nothing is, or it is damaged or of other rules."""
    try:
        lists = json.loads(read_text(file, MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(lists, list) or len(lists) != len(fields(Unlimited)):
        return None
    if not all(_is_values(values, len(graph)) for values in lists):
        return None
    kept = Unlimited(*lists)
    return kept if faults(graph, kept) <= MOST_FAULT else None


def _is_values(values: object, size: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == size
        and all(type(value) is float and math.isfinite(value) for value in values)
    )


def shipped_scores() -> Mapping[Terms, Worth]:
    """The worth of every score with up to 21 points to go, as it comes with Spotter."""
    return read_scores(SHIPPED.read_text(encoding="utf-8"))


def read_scores(text: str) -> Mapping[Terms, Worth]:
    """The worths that `write_scores` wrote."""
    worths: dict[Terms, dict[Away, float]] = {}
    for name, rows in json.loads(text).items():
        worth = worths[Terms(name)] = {}
        for mine, row in enumerate(rows, start=1):
            for other, value in enumerate(row, start=mine):
                worth[other, mine] = -value
                worth[mine, other] = value
    return worths


def write_scores(worths: Mapping[Terms, Worth], most: int = MOST_AWAY) -> str:
    """The text of a file: for each terms a row for each number of points to go, a line a row.

    A row begins with equal scores; what is on the other side of them is the same, lost.
    """
    tables = []
    for terms, worth in worths.items():
        numbers = range(1, most + 1)
        rows = [_row([worth[mine, other] for other in range(mine, most + 1)]) for mine in numbers]
        joined = ",\n".join(rows)
        tables.append(f"{json.dumps(terms.value)}: [\n{joined}\n]")
    return "{\n" + ",\n".join(tables) + "\n}\n"


def _row(values: Values) -> str:
    return json.dumps([round(value, DECIMALS) + 0.0 for value in values])
