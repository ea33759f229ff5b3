"""The one value that both displays, the lights and the tests look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pi_app.board.description import Sensor
from pi_app.board.reading import BoardState
from pi_app.match.cube import Cube
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.referee.events import Intent, Ms
from pi_app.rules.terms import Move, Side, Spot


@dataclass(frozen=True, slots=True)
class PutRight:
    """The sensors that should close and those that should open to show the accepted position."""

    fill: tuple[Sensor, ...] = ()
    clear: tuple[Sensor, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All there is to show.

    The fields down to `hint` are the lines of `spotter replay`; the rest serve the displays.
    """

    ms: Ms
    phase: Phase
    to_act: Side
    game: str
    position: str
    roll: str | None
    board: BoardState
    play: str | None
    after: str | None
    choices: tuple[str, ...]
    rule: str | None
    reason: str | None
    put_right: PutRight
    sensors_off: tuple[Sensor, ...]
    score: Score
    match_to: int | None
    cube: Cube
    message: str
    hint: str

    title: str
    """The game's name for people."""
    players: tuple[str, str]
    """White's (Light's) name and Black's (Dark's)."""
    standing: Mapping[Spot, tuple[Side, ...]]
    """What is believed to stand on each spot now, hands' work included; every spot is a key."""
    accepted: Mapping[Spot, tuple[Side, ...]]
    """What stands on each spot in the accepted position; every spot is a key."""
    moves: tuple[Move, ...]
    """The moves of the shown play, or of the attempt that is wrong: arrows."""
    lifted: tuple[Spot, ...]
    """Spots a checker is missing from while it is in the hand."""
    targets: tuple[Spot, ...]
    """Where what is in the hand may go; for lights and rings."""
    fill: tuple[Spot, ...]
    """Spots to fill, by the same logic as put_right but as spots."""
    clear: tuple[Spot, ...]
    """Spots to clear."""
    legal: tuple[str, ...]
    """Every legal play of this turn, as text; empty when no roll is on the table."""
    moves_exist: bool
    """Some legal play moves a checker: the turn is not forfeited."""
    guiding: bool
    """The players have said that the screen is right and are being led back to it."""
    note: str | None
    """What was just taken back, in a few words."""
    earlier: str | None
    """The board shows how it stood before this accepted play, which may be taken back."""
    offers: frozenset[Intent]
    """Which taps would change something now."""
    awaiting_roll: bool
    """The dice have been asked for and have not answered."""
    thrown: tuple[tuple[Side, int], ...]
    """The opening throw so far: who threw what."""
    closed: frozenset[Sensor]
    """The sensors that are closed now, debounced: the live view."""
    suspects: tuple[Sensor, ...]
    """Sensors that contradicted the board more than once and might be set aside."""
    troubles: tuple[str, ...]
    """One line a device that is away."""
    game_number: int
    """Counts the games of the match from 1."""
    with_cube: bool
    """This match is played with a doubling cube."""
    crawford: bool
    """This is the Crawford game: no doubling."""
    last_result: str | None
    """How the last game ended, in one sentence."""
