"""The options of a match, read strictly from its `start` event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from pi_app.board.strict import Reader
from pi_app.board.tracker import Times
from pi_app.match.score import Agreement
from pi_app.referee.events import Start
from pi_app.rules.contract import AnyGame


class Commit(Enum):
    """When a complete play becomes final."""

    BUTTON = "button"
    """At the press of the die button."""
    SETTLE = "settle"
    """By itself, once nothing else could look the same and the board is quiet."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed on, when plays count, and the tracker's patience."""

    agreement: Agreement
    commit: Commit
    times: Times


class OptionsError(ValueError):
    """Options of a start event that cannot be used; names every one of them."""


def read_options(start: Start, game: AnyGame) -> Options:
    """The options of a match; raises OptionsError naming every unknown or bad one."""
    reader = Reader(_plain(start.options), "options")
    patience = Times()
    options = Options(
        Agreement(
            match_to=start.match_to,
            cube=reader.take("cube", bool, game.has_cube),
            crawford=reader.take("crawford", bool, game.crawford),
            tie_turns_cube=reader.take("a tie turns the cube", bool, False),
            jacoby=reader.take("jacoby", bool, False),
        ),
        Commit(reader.choice("commit", [commit.value for commit in Commit], "button")),
        Times(
            debounce=reader.number("debounce_ms", 0, 50, patience.debounce),
            placed=reader.number("placed_ms", 0, 295, patience.placed),
            grace=reader.number("grace_ms", 300, 10_000, patience.grace),
        ),
    )
    if options.agreement.cube and not game.has_cube:
        reader.fault("cube", f"is true; {game.title} is played without a cube")
    if options.agreement.jacoby and (start.match_to is not None or not options.agreement.cube):
        reader.fault("jacoby", "is true; it is for unlimited play with the cube")
    known = "cube, crawford, a tie turns the cube, jacoby, commit, debounce_ms, placed_ms, grace_ms"
    reader.done(known)
    if reader.faults:
        raise OptionsError("; ".join(reader.faults))
    return options


def _plain(options: Mapping[str, bool | int | str]) -> Mapping[str, object]:
    return dict(options)
