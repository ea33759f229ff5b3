"""Actions of the club's pages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.agreement import invitation
from pi_app.commands import ClubWish
from pi_app.microseconds import Us
from pi_app.screen.actions import Acted
from pi_app.screen.ui import Page, Shown, Ui, chosen_game


@dataclass(frozen=True, slots=True)
class OpenClub:
    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """What was told there before is over."""
        return replace(ui, page=Page.CLUB), (ClubWish.LOOK,)


@dataclass(frozen=True, slots=True)
class OpenBoards:
    """Open the page of the club's other boards."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Refresh the list of boards."""
        return replace(ui, page=Page.BOARDS, first_board=0), (ClubWish.LOOK,)


@dataclass(frozen=True, slots=True)
class ShowBoards:
    """Show the boards from this one of the list on."""

    first: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, first_board=self.first), ()


@dataclass(frozen=True, slots=True)
class OtherSideHere:
    """Play the other side on this board."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, form=replace(ui.form, here=ui.form.here.other)), ()


@dataclass(frozen=True, slots=True)
class InviteBoard:
    """Ask this board for the match of the form."""

    board: str

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Stay on the page, which waits for the board's answer."""
        if shown.club is None or shown.club.invited:
            return ui, ()
        return ui, (invitation(ui.form, chosen_game(ui.form, shown), self.board),)


@dataclass(frozen=True, slots=True)
class LeaveClub:
    """Leave the club, which was asked about."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """The club's page shows the result."""
        return replace(ui, page=Page.CLUB), (ClubWish.LEAVE,)
