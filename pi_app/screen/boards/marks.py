"""What a drawing of a board takes and returns, for every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Protocol

from pi_app.base.values import dataclass
from pi_app.match.turns import IN_PLAY, OVER
from pi_app.referee.view import LastPlay, TourStep, View
from pi_app.rules.terms import Move, Side, Spot
from pi_app.screen.canvas import Box, Canvas, Rect
from pi_app.screen.observability import Unseen, unseen
from pi_app.screen.theme import AMBER, FELT, TEAL, VERMILION, WOOD, WOOD_EDGE, Colour
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import ALARMS, BoardState

WOOD_LIGHT, FELT_LIGHT = 0.05, 0.04
"""How strongly the frame and the felt are shaded, 0 to 1."""


@dataclass(frozen=True, slots=True)
class CubeOnBoard:
    """The doubling cube on the board: its number and its owner."""

    number: int
    owner: Side | None


@dataclass(frozen=True, slots=True)
class Marks:
    """The checkers on a board, and everything marked there.

    `fill` and `clear` name a spot once for each checker missing or too many there. `targets` are
    where a checker may go. Arrows show `moves` from `accepted`, grown to the share `done` (0 to 1),
    all at once; or with `rides` one after the other, with a checker at the arrow's end. `trace` is
    the previous play, `cube` the cube if it may be turned. `players` are the names on the trays,
    White's first; without a match the sides'.
    """

    standing: Mapping[Spot, tuple[Side, ...]]
    accepted: Mapping[Spot, tuple[Side, ...]]
    lifted: tuple[Spot, ...] = ()
    targets: tuple[Spot, ...] = ()
    fill: tuple[Spot, ...] = ()
    clear: tuple[Spot, ...] = ()
    moves: tuple[Move, ...] = ()
    done: float = 1.0
    rides: bool = False
    cube: CubeOnBoard | None = None
    trace: LastPlay | None = None
    wrong: bool = False
    unseen: Mapping[Sensor, Unseen] = field(default_factory=dict)
    mover: Side | None = None
    players: tuple[str, str] | None = None

    def share(self, number: int, count: int) -> float:
        """The share of the way (0 to 1) that is drawn of move `number`, of `count`."""
        return min(1.0, max(0.0, self.done * count - number)) if self.rides else self.done


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a board's drawing returns: the places of spots to touch, of a single die, for words, and
    of the cube if the game has one."""

    spots: Mapping[Spot, Rect]
    dice: Rect
    band: Rect
    cube: Rect | None = None


class DrawBoard(Protocol):
    """Draws one game's board into a rectangle; `turned` shows it from the other side."""

    def __call__(
        self, canvas: Canvas[Any], rect: Rect, board: Board, marks: Marks, *, turned: bool
    ) -> Drawn:
        """Add shapes to the canvas and return where things are."""


def marks_of(
    view: View,
    done: float,
    cube: CubeOnBoard | None = None,
    *,
    rolling: bool = False,
) -> Marks:
    """Return what the board shows of a view. While the dice are `rolling` nothing
    reveals the roll."""
    choosing = view.board is BoardState.CHOOSE and bool(view.choice_after)
    shown = () if rolling else view.to_make or view.moves
    resting = view.board is BoardState.RESTING and view.phase in (*IN_PLAY, *OVER)
    return Marks(
        standing=view.choice_after[0] if choosing else view.standing,
        accepted=view.accepted,
        lifted=view.lifted,
        targets=() if rolling else (*view.targets, *(() if view.lifted else view.onward)),
        fill=view.fill,
        clear=(*view.clear, *view.stray),
        moves=view.choice_moves[0] if choosing else shown,
        done=done,
        rides=bool(view.to_make),
        cube=cube,
        trace=view.last_play if resting else None,
        wrong=view.board in ALARMS or view.tour is TourStep.WRONG,
        unseen=unseen(view),
        mover=view.to_act,
        players=view.players,
    )


def draw_felt(canvas: Canvas[Any], rect: Rect, frame: float, rounding: tuple[float, float]) -> Rect:
    """Draw a wooden frame and the felt in it, with these corner radii; lengths in units."""
    felt = rect.inset(canvas.px(frame))
    canvas.add(
        Box(rect, WOOD, canvas.px(rounding[0]), WOOD_EDGE, canvas.px(1.5), WOOD_LIGHT),
        Box(felt, FELT, canvas.px(rounding[1]), light=FELT_LIGHT),
    )
    return felt


def draw_tray(canvas: Canvas[Any], rect: Rect, mark: Colour | None) -> None:
    """Draw a wooden tray, edged with the colour of its mark if it has one."""
    edge, width = (mark, canvas.px(4)) if mark else (WOOD_EDGE, canvas.px(1.5))
    canvas.add(Box(rect, WOOD, canvas.px(7), edge, width, -WOOD_LIGHT))


def mark_of(marks: Marks, spot: Spot) -> Colour | None:
    """The colour in which a spot is highlighted: wrong, to be filled, or a target; None if it is
    not."""
    if spot in marks.clear:
        return VERMILION
    if spot in marks.fill:
        return TEAL
    return AMBER if spot in marks.targets else None
