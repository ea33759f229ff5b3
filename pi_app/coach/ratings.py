"""What the analyses came to, match by match, kept in a file beside the journal.

It is a cache: every line can be reckoned again from the match, so a file that cannot be read is as
good as none, and one that cannot be written is lived without.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from pi_app.coach.figures import RATING, errors_of
from pi_app.coach.study import Analysis
from pi_app.export.retold import Kept
from pi_app.files import read_text, replace_text
from pi_app.players.contract import Unit
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Side

FILE = "analyses.json"
MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's figures of one match in one unit, judged by `judge`.

    `began` is the local time as text; `luck` is None where it was not reckoned, and `equity`
    where it is not known.
    """

    match: int
    began: str
    game: str
    name: str
    against: str
    judge: str
    exact: bool
    unit: str
    decisions: int
    doubtful: int
    errors: int
    blunders: int
    loss: float
    luck: float | None
    equity: float | None

    @property
    def rating(self) -> float | None:
        """The performance rating; None where the equity is not known."""
        if self.equity is None or not self.decisions:
            return None
        return RATING * self.equity / self.decisions


def ratings_of(number: int, began: str, kept: Kept, analysis: Analysis) -> tuple[Rating, ...]:
    """Both players' figures."""
    names = name_players(kept.start.players, kept.game.side_names)
    return tuple(
        Rating(
            number,
            began,
            kept.start.game,
            str(names[side is Side.BLACK]),
            str(names[side is Side.WHITE]),
            analysis.player,
            analysis.exact,
            errors.unit.value,
            errors.decisions,
            errors.doubtful,
            errors.errors,
            errors.blunders,
            errors.loss,
            errors.luck,
            errors.equity,
        )
        for side, each in errors_of(analysis).items()
        for errors in each
    )


def merged(old: Iterable[Rating], new: tuple[Rating, ...]) -> tuple[Rating, ...]:
    """The new ones in the place of those of the same match, by the number of the match."""
    numbers = {rating.match for rating in new}
    kept = [rating for rating in old if rating.match not in numbers]
    return tuple(sorted((*kept, *new), key=lambda one: one.match))


def read_ratings(file: Path) -> tuple[Rating, ...]:
    """What is kept; nothing where the file is damaged or not there."""
    try:
        told = json.loads(read_text(file, MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return ()
    return tuple(_read(told)) if isinstance(told, list) else ()


def keep_ratings(file: Path, new: tuple[Rating, ...]) -> tuple[Rating, ...]:
    """Keep them with the others, if that can be; all there are."""
    every = merged(read_ratings(file), new)
    with suppress(OSError):
        replace_text(file, json.dumps([asdict(rating) for rating in every]))
    return every


_KINDS = {"str": str, "int": int, "bool": bool, "float": float}


def _read(told: list[object]) -> Iterator[Rating]:
    """Those lines that are whole."""
    for line in told:
        if isinstance(line, dict) and _is_whole(line):
            yield Rating(**line)


def _is_whole(line: dict[str, object]) -> bool:
    if set(line) != {one.name for one in fields(Rating)}:
        return False
    for one in fields(Rating):
        value = line[one.name]
        if one.name in ("luck", "equity") and value is None:
            continue
        if one.name in ("luck", "loss", "equity"):
            if type(value) not in (int, float) or not math.isfinite(value):  # type: ignore[arg-type]
                return False
        elif type(value) is not _KINDS[str(one.type)]:
            return False
    return line["unit"] in (Unit.POINTS.value, Unit.MATCH.value)
