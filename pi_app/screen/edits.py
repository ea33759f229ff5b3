"""The board is right: describing what stands there by tapping, and what each tap does.

Where one piece stands on a spot, a tap goes through what it can be.  Where several do, a player
first picks whose checker to add, or to take one away, and then taps.  What is off the board for
good is never counted by hand: it is what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pi_app.microseconds import Us
from pi_app.referee.events import Intent, Tap
from pi_app.referee.view import View
from pi_app.rules.cannon.board import POINT, TOWN_POINTS
from pi_app.rules.cannon.position import TOWN_HEIGHT
from pi_app.rules.contract import AnyGame
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Checkers, PositionError, Side, Spot, SpotKind, Stack
from pi_app.screen.actions import Acted
from pi_app.screen.ui import Edit, Page, Shown, Ui
from pi_app.sensing.description import Board, Place
from pi_app.sentences import Sentence

MOST = 15
"""No spot shows more than all of one side's checkers."""


@dataclass(frozen=True, slots=True)
class Editing:
    """How one game's board is described.

    `tapped` gives what stands on a spot after a tap, from what stood there and the brush.  `rest`
    are the trays that hold what is missing, `counted` those that are counted.
    """

    tapped: Callable[[Stack, Spot, Side | None], Stack]
    rest: SpotKind
    how: Sentence
    counted: SpotKind | None = None
    brushes: bool = False

    def spots(self, game: AnyGame) -> Iterator[Spot]:
        """The spots that are tapped."""
        trays = (self.rest, self.counted)
        return (spot for spot in game.spots if spot.kind not in trays)


def _single(stack: Stack, _spot: Spot, _brush: Side | None) -> Stack:
    """Empty, White, Black, empty."""
    return _following(((), (Side.WHITE,), (Side.BLACK,)), stack)


def _piece(stack: Stack, spot: Spot, _brush: Side | None) -> Stack:
    """Empty, either side's soldier, on a back row its owner's town, empty."""
    towns = [(side,) * TOWN_HEIGHT for side in Side if POINT[spot] & TOWN_POINTS[side]]
    return _following(((), (Side.WHITE,), (Side.BLACK,), *towns), stack)


def _following(order: tuple[Stack, ...], stack: Stack) -> Stack:
    return order[(order.index(stack) + 1) % len(order)] if stack in order else ()


def _pile(stack: Stack, spot: Spot, brush: Side | None) -> Stack:
    """One more of the brush's side, or one less; the other side's checkers change colour first.

    The sensors know how many stand there, seldom whose.
    """
    if brush is None:
        return stack[:-1]
    side = spot.side or brush
    if set(stack) - {side}:
        return (side,) * len(stack)
    return (*stack, side)[:MOST]


def _pins(stack: Stack, spot: Spot, brush: Side | None) -> Stack:
    """The same, but a single checker of the other side stays beneath: it is pinned."""
    if brush is not None and stack[:1] == (brush.other,) and set(stack[1:]) <= {brush}:
        return (*stack, brush)[:MOST]
    return _pile(stack, spot, brush)


_PILE = Sentence(
    "Pick White, Black or Remove, then tap once a checker. The other side's change colour."
)
EDITING: Mapping[str, Editing] = MappingProxyType(
    {
        "nannon": Editing(
            _single,
            SpotKind.SAFETY,
            Sentence("Tap a spot until it shows what stands there."),
            counted=SpotKind.HOME,
        ),
        "cannon": Editing(
            _piece, SpotKind.OFF, Sentence("Tap a point until it shows what stands there.")
        ),
        "backgammon": Editing(_pile, SpotKind.OFF, _PILE, brushes=True),
        "portes": Editing(_pile, SpotKind.OFF, _PILE, brushes=True),
        "pin": Editing(
            _pins,
            SpotKind.OFF,
            Sentence(
                "Pick White, Black or Remove, then tap once a checker. A single enemy is pinned;"
                " more of them change colour."
            ),
            brushes=True,
        ),
    }
)
"""How each game's board is described, by the game's name."""


def begin_edit(view: View, board: Board) -> Edit:
    """What a player begins with: what is believed to stand there, as the sensors see it."""
    editing, game = EDITING[view.game], find_game(view.game)
    checkers = dict(view.standing)
    for place in board.places:
        if place.spot in checkers and not {r.name for r in place.reeds} & {*view.sensors_off}:
            checkers[place.spot] = _as_seen(checkers[place.spot], place, view)
    return Edit(_rested(checkers, editing, game), view.to_act)


def _as_seen(stack: Stack, place: Place, view: View) -> Stack:
    """A stack made to fit its reeds; checkers that came from nowhere are the mover's."""
    closed = sum(reed.name in view.closed for reed in place.reeds)
    if closed == min(len(stack), len(place.reeds)):
        return stack
    return stack[:closed] + (stack[-1] if stack else view.to_act,) * (closed - len(stack))


def _rested(checkers: Checkers, editing: Editing, game: AnyGame) -> Checkers:
    """The same, with what is missing in the trays of what has left the board."""
    trays = {Spot(editing.rest, side=side): side for side in Side}
    standing = [side for spot, stack in checkers.items() if spot not in trays for side in stack]
    rest = {
        tray: (side,) * max(0, game.checkers_a_side - standing.count(side))
        for tray, side in trays.items()
    }
    return MappingProxyType({**checkers, **rest})


@dataclass(frozen=True, slots=True)
class StartEdit:
    """Describe what stands on the board, beginning with what the sensors suggest."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """The editor opens."""
        if shown.view is None:
            return ui, ()
        return replace(ui, page=Page.EDITOR, edit=begin_edit(shown.view, shown.board)), ()


@dataclass(frozen=True, slots=True)
class TapSpot:
    """A spot of the board shows the next thing that can stand there."""

    spot: Spot

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """One step."""
        if ui.edit is None or shown.view is None or self.spot not in ui.edit.checkers:
            return ui, ()
        stack = ui.edit.checkers[self.spot]
        changed = EDITING[shown.view.game].tapped(stack, self.spot, ui.edit.brush)
        return _edited(ui, ui.edit, shown.view, self.spot, changed)


@dataclass(frozen=True, slots=True)
class Pick:
    """The next taps add this side's checkers; None takes checkers away."""

    brush: Side | None

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Only the brush changes."""
        return (replace(ui, edit=replace(ui.edit, brush=self.brush)) if ui.edit else ui), ()


@dataclass(frozen=True, slots=True)
class CountTray:
    """One checker more (1) or less (-1) in a side's tray."""

    spot: Spot
    side: Side
    step: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Never below none nor above all the side has."""
        if ui.edit is None or shown.view is None or self.spot not in ui.edit.checkers:
            return ui, ()
        most = find_game(shown.view.game).checkers_a_side
        count = len(ui.edit.checkers[self.spot]) + self.step
        stack = (self.side,) * min(max(count, 0), most)
        return _edited(ui, ui.edit, shown.view, self.spot, stack)


@dataclass(frozen=True, slots=True)
class OtherMover:
    """The other side moves next."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Only the editor changes."""
        if ui.edit is None:
            return ui, ()
        return replace(ui, edit=replace(ui.edit, mover=ui.edit.mover.other, reasons=())), ()


@dataclass(frozen=True, slots=True)
class Accept:
    """Make the edited position the accepted one, if the rules know it."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """A refused position stays open with every reason."""
        if ui.edit is None or shown.view is None:
            return ui, ()
        game = find_game(shown.view.game)
        try:
            position = game.position_of(ui.edit.checkers, ui.edit.mover)
        except PositionError as error:
            return replace(ui, edit=replace(ui.edit, reasons=error.reasons)), ()
        tap = Tap(us, Intent.BOARD_IS_RIGHT, position=game.write_position(position))
        return replace(ui, page=Page.PLAY, edit=None), (tap,)


def _edited(ui: Ui, edit: Edit, view: View, spot: Spot, stack: Stack) -> Acted:
    changed = _rested({**edit.checkers, spot: stack}, EDITING[view.game], find_game(view.game))
    return replace(ui, edit=replace(edit, checkers=changed, reasons=())), ()
