"""The board is right: a player describes what stands there by tapping."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from pi_app.microseconds import Us
from pi_app.referee.events import Intent, Tap
from pi_app.referee.view import View
from pi_app.rules.terms import Checkers, PositionError, Side, Spot, Stack
from pi_app.screen.actions import Acted
from pi_app.screen.ui import Edit, Page, Shown, Ui
from pi_app.sensing.description import Place

# Where one piece stands on a spot, a tap goes through what it can be. Where several do, a player
# first picks whose checker to add, or to take one away, and then taps. What is off the board for
# good is never counted by hand: it is what is missing.


def begin_edit(shown: Shown, view: View) -> Edit:
    """The editor's first position: the assumed one, as the sensors see it."""
    checkers = dict(view.standing)
    for place in shown.board.places:
        if place.spot in checkers and not {r.name for r in place.reeds} & {*view.sensors_off}:
            checkers[place.spot] = _as_seen(checkers[place.spot], place, view)
    return Edit(_rested(checkers, shown, view), view.to_act)


def _as_seen(stack: Stack, place: Place, view: View) -> Stack:
    """A stack adjusted to its reeds; additional checkers count as the mover's."""
    closed = sum(reed.name in view.closed for reed in place.reeds)
    if closed == min(len(stack), len(place.reeds)):
        return stack
    return stack[:closed] + (stack[-1] if stack else view.to_act,) * (closed - len(stack))


def _rested(checkers: Checkers, shown: Shown, view: View) -> Checkers:
    """The same, with what is missing in the trays of what has left the board."""
    editing, game = shown.faces[view.game].editing, shown.board.games[view.game]
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
        if shown.view is None:
            return ui, ()
        return replace(ui, page=Page.EDITOR, edit=begin_edit(shown, shown.view)), ()


@dataclass(frozen=True, slots=True)
class TapSpot:
    """A spot of the board shows the next thing that can stand there."""

    spot: Spot

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        if ui.edit is None or shown.view is None or self.spot not in ui.edit.checkers:
            return ui, ()
        stack = ui.edit.checkers[self.spot]
        changed = shown.faces[shown.view.game].editing.tapped(stack, self.spot, ui.edit.brush)
        return _edited(ui, ui.edit, shown, shown.view, self.spot, changed)


@dataclass(frozen=True, slots=True)
class Pick:
    """The next taps add this side's checkers; None takes checkers away."""

    brush: Side | None

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
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
        most = shown.board.games[shown.view.game].checkers_a_side
        count = len(ui.edit.checkers[self.spot]) + self.step
        stack = (self.side,) * min(max(count, 0), most)
        return _edited(ui, ui.edit, shown, shown.view, self.spot, stack)


@dataclass(frozen=True, slots=True)
class OtherMover:
    """The other side moves next."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
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
        game = shown.board.games[shown.view.game]
        try:
            position = game.position_of(ui.edit.checkers, ui.edit.mover)
        except PositionError as error:
            return replace(ui, edit=replace(ui.edit, reasons=error.reasons)), ()
        tap = Tap(us, Intent.BOARD_IS_RIGHT, position=game.write_position(position))
        return replace(ui, page=Page.PLAY, edit=None), (tap,)


def _edited(ui: Ui, edit: Edit, shown: Shown, view: View, spot: Spot, stack: Stack) -> Acted:
    changed = _rested({**edit.checkers, spot: stack}, shown, view)
    return replace(ui, edit=replace(edit, checkers=changed, reasons=())), ()
