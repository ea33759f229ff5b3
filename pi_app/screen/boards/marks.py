"""What a board drawing is given, and what it gives back: the same for every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pi_app.referee.view import View
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Canvas
from pi_app.screen.observability import Unseen, unseen
from pi_app.screen.shapes import Point, Rect
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import ALARMS


@dataclass(frozen=True, slots=True)
class Arrow:
    """The moves of one play, drawn `done` (0 to 1) of the way; a letter tells choices apart."""

    moves: tuple[Move, ...]
    letter: str = ""
    done: float = 1.0


@dataclass(frozen=True, slots=True)
class Marks:
    """The checkers and everything said about spots.

    `fill` and `clear` name a spot once for every checker that is missing or too many there.
    """

    standing: Mapping[Spot, tuple[Side, ...]]
    accepted: Mapping[Spot, tuple[Side, ...]]
    lifted: tuple[Spot, ...] = ()
    targets: tuple[Spot, ...] = ()
    fill: tuple[Spot, ...] = ()
    clear: tuple[Spot, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    wrong: bool = False
    unseen: Mapping[Sensor, Unseen] = field(default_factory=dict)
    mover: Side | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where the spots are, for touches, and where there is room for dice.

    `letters` are the middles of the letters on the arrows of choices, where they can be tapped.
    """

    spots: Mapping[Spot, Rect]
    dice: Rect
    letters: Mapping[str, Point] = field(default_factory=dict)


class DrawBoard(Protocol):
    """Draws one game's board into a rectangle; `turned` shows it from the other side."""

    def __call__(
        self, canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
    ) -> Drawn:
        """Adds shapes to the canvas and says where things are."""


def marks_of(view: View, arrows: tuple[Arrow, ...]) -> Marks:
    """The marks of a view."""
    return Marks(
        standing=view.standing,
        accepted=view.accepted,
        lifted=view.lifted,
        targets=view.targets,
        fill=view.fill,
        clear=view.clear,
        arrows=arrows,
        wrong=view.board in ALARMS,
        unseen=unseen(view),
        mover=view.to_act,
    )
