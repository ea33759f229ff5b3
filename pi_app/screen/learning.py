"""Actions of the coach: hints, analyses, figures by match."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.commands import AskHint, Fetch, Wanted
from pi_app.microseconds import Us
from pi_app.referee.events import MatchId
from pi_app.screen.actions import Acted
from pi_app.screen.ui import Browsing, Page, Shown, Ui


@dataclass(frozen=True, slots=True)
class OpenHint:
    """Ask what is best in this turn."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """With locked hints the page says so and no engine is asked."""
        return replace(ui, page=Page.HINT, hinted=0), (AskHint(),) if shown.hints else ()


@dataclass(frozen=True, slots=True)
class ShowHinted:
    """Draw another play of the hint, counted from 0."""

    number: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, hinted=self.number), ()


@dataclass(frozen=True, slots=True)
class OpenAnalysis:
    """Analyse a match, with None the current one, and show the result."""

    number: MatchId | None = None

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Opens the match too, to show its losses on the board."""
        number = self.number or shown.playing
        if number is None:
            return ui, ()
        first = ui.browsing.first if self.number else 0
        browsing = Browsing(first=first, match=number)
        fetch = Fetch(Wanted.ANALYSIS, number)
        return replace(ui, page=Page.ANALYSIS, browsing=browsing, analysed=True), (fetch,)


@dataclass(frozen=True, slots=True)
class ShowLosses:
    """Show other losses of the analysis, from this one on."""

    first: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, browsing=replace(ui.browsing, judged=self.first)), ()


@dataclass(frozen=True, slots=True)
class ShowRatings:
    """Show the figures of the player of the statistics match by match, from this one on."""

    first: int = 0

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, page=Page.RATINGS, browsing=replace(ui.browsing, judged=self.first)), ()
