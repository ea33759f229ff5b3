"""Actions of the pages of stored matches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.commands import Fetch, Resume, Wanted
from pi_app.microseconds import Us
from pi_app.referee.events import MatchId
from pi_app.screen.actions import Acted
from pi_app.screen.ui import Browsing, Page, Shown, TextField, Ui


@dataclass(frozen=True, slots=True)
class ShowMatches:
    """Show the stored matches from this one on; opening the page reads them again."""

    first: int = 0
    anew: bool = True

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """What was looked at before is forgotten."""
        browsing = Browsing(first=self.first)
        fetch = (Fetch(Wanted.LIST),) if self.anew else ()
        return replace(ui, page=Page.MATCHES, browsing=browsing), fetch


@dataclass(frozen=True, slots=True)
class OpenKept:
    """Open a match of the list."""

    number: MatchId

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """It is read as it stands now."""
        browsing = Browsing(first=ui.browsing.first, match=self.number)
        return replace(ui, page=Page.MATCH, browsing=browsing), (Fetch(Wanted.MATCH, self.number),)


@dataclass(frozen=True, slots=True)
class GoOn:
    """Resume a stored match, or return to the current one."""

    number: MatchId

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """The play page opens when its first view comes."""
        if shown.playing == self.number:
            return replace(ui, page=Page.PLAY), ()
        return replace(ui, page=Page.START, match=None), (Resume(self.number),)


@dataclass(frozen=True, slots=True)
class ShowLeaf:
    """Look at a leaf of the open match on the board, perhaps out of its analysis."""

    leaf: int
    analysed: bool = False

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        browsing = replace(ui.browsing, leaf=self.leaf)
        # From the analysis leaves lead back to it, from the match to the match.
        analysed = self.analysed or (ui.page is Page.LEAF and ui.analysed)
        return replace(ui, page=Page.LEAF, browsing=browsing, analysed=analysed), ()


@dataclass(frozen=True, slots=True)
class ShowSheet:
    """Show the sheet of the open match, from this row on."""

    row: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, page=Page.SHEET, browsing=replace(ui.browsing, row=self.row)), ()


@dataclass(frozen=True, slots=True)
class ShowCode:
    """Show one of the codes of the open match's sheet."""

    part: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """It is made meanwhile."""
        browsing = replace(ui.browsing, part=self.part)
        fetch = Fetch(Wanted.CODE, browsing.match, self.part)
        return replace(ui, page=Page.CODE, browsing=browsing), (fetch,)


@dataclass(frozen=True, slots=True)
class ShowPlayer:
    """Show the statistics of this player of the list; opened anew they are counted anew."""

    player: int = 0
    anew: bool = False

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """They grow while they are counted."""
        browsing = replace(ui.browsing, player=self.player)
        fetch = (Fetch(Wanted.PLAYERS),) if self.anew else ()
        return replace(ui, page=Page.PLAYERS, browsing=browsing), fetch


@dataclass(frozen=True, slots=True)
class TakeName:
    """Use a remembered name instead of the typed one."""

    name: str

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        white, black = ui.form.players
        players = (self.name, black) if ui.typing.entry is TextField.WHITE else (white, self.name)
        return replace(ui, page=Page.NEW_MATCH, form=replace(ui.form, players=players)), ()
