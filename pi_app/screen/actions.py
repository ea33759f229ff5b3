"""What touching something does: each action turns the screen's state into the next, and outputs.

Actions are values, made while a picture is drawn and carried out when it is touched.  By then
something else may be so: an action that is no longer there to be chosen does nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol, TypeAlias

from pi_app.agreement import (
    HIGHEST_TARGET,
    USUAL,
    invitation,
    new_match,
    next_seat,
    offered,
    seat_in,
)
from pi_app.commands import AnswerFar, ChangeSetting, Output
from pi_app.microseconds import Us
from pi_app.referee.events import Button, Intent, Press, Rolled, RollSource, Tap
from pi_app.referee.view import BackTo, View
from pi_app.rules.contract import Option
from pi_app.rules.terms import Roll, Side
from pi_app.screen.ui import (
    BOARD_NAME_LENGTH,
    NAME_LENGTH,
    Bookmark,
    Page,
    Shown,
    TextField,
    Typing,
    Ui,
    chosen_game,
)
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.settings import Value

Acted: TypeAlias = tuple[Ui, tuple[Output, ...]]


class Action(Protocol):
    """An act of a touch."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """The next state and the outputs; `us` is the time of the events."""


@dataclass(frozen=True, slots=True)
class Open:
    page: Page

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, page=self.page, resigning=None), ()


@dataclass(frozen=True, slots=True)
class Agree:
    """Say yes or no to what another board asks."""

    yes: bool

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Where nothing is asked any more, nothing is said; after a yes it goes on at the board."""
        if not shown.question:
            return ui, ()
        if self.yes:
            ui, _ = Close().act(ui, shown, us)
        return replace(ui, looked=None), (AnswerFar(self.yes),)


@dataclass(frozen=True, slots=True)
class LookAtQuestion:
    """Open another board's question over the present page, or return to that page."""

    opens: bool = True

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, looked=shown.question if self.opens else None), ()


@dataclass(frozen=True, slots=True)
class TurnTo:
    """Open the rules or the tour at a leaf; `after` it comes a page, or the match or the start."""

    page: Page
    leaf: int = 0
    after: Page | None = None

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, page=self.page, bookmark=Bookmark(self.leaf, self.after)), ()


@dataclass(frozen=True, slots=True)
class EndTour:
    """Leave the tour, which is then not shown unasked any more."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        ui, _ = Close().act(ui, shown, us)
        seen = shown.settings.screen.tour_seen
        return ui, () if seen else (ChangeSetting("screen.tour_seen", True),)


@dataclass(frozen=True, slots=True)
class Close:
    """Back to the match, or to the start when there is none."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """A half-done edit or resignation is dropped."""
        page = Page.PLAY if shown.view else Page.START
        return replace(ui, page=page, resigning=None, edit=None), ()


@dataclass(frozen=True, slots=True)
class Do:
    """Hand a command to the program."""

    output: Output

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return ui, (self.output,)


@dataclass(frozen=True, slots=True)
class Set:
    """Give a setting a value; `look` goes to the board to see what has come of it."""

    setting: str
    value: Value
    look: bool = False

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        page = Page.PLAY if self.look and shown.view else ui.page
        return replace(ui, page=page), (ChangeSetting(self.setting, self.value),)


@dataclass(frozen=True, slots=True)
class Hold:
    """Press the die button, from the screen."""

    press: Press = Press.SHORT

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """On boards with a button a side it is the button of the side to act."""
        sided = any(button.side for button in shown.board.buttons)
        side = shown.view.to_act if shown.view and sided else None
        return replace(ui, page=Page.PLAY), (Button(us, self.press, side),)


@dataclass(frozen=True, slots=True)
class Intend:
    """Send an intent to the referee, and return to the match if appropriate."""

    intent: Intent
    play: str | None = None
    sensor: Sensor | None = None
    points: int | None = None
    back_to: BackTo | None = None
    stay: bool = False

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        if not self._is_offered(shown.view):
            return ui, ()
        page = ui.page if self.stay else Page.PLAY
        tap = Tap(us, self.intent, play=self.play, sensor=self.sensor, points=self.points)
        return replace(ui, page=page, resigning=None), (tap,)

    def _is_offered(self, view: View | None) -> bool:
        if view is None or self.intent not in view.offers:
            return False
        if self.intent is Intent.CHOOSE:
            return self.play in view.choices
        if self.intent is Intent.TAKE_BACK:
            return self.back_to == view.back_to
        return self.intent is not Intent.RESIGN or self.points in view.resignations


@dataclass(frozen=True, slots=True)
class ShowChoices:
    """Show other choices, from this one on."""

    first: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, first_choice=self.first), ()


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """Show other settings, from this one on."""

    first: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, first_setting=self.first), ()


def types_now(shown: Shown, view: View) -> bool:
    """Whether the side to act should enter its dice now."""
    still = view.board not in (*ALARMS, BoardState.CHOOSE)
    set_so = frozenset(side for side in Side if shown.settings.play.types(side))
    typed = view.changing or view.terms.types(view.to_act, set_so)
    return view.dice > 0 and still and typed


@dataclass(frozen=True, slots=True)
class TypeDie:
    """One die of a roll that a player typed; the last of them makes the roll."""

    face: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        if shown.view is None or not types_now(shown, shown.view):
            return ui, ()
        half = ui.dice if len(ui.dice) < shown.view.dice else ()
        dice = (*half, self.face)
        if len(dice) < shown.view.dice:
            return replace(ui, dice=dice), ()
        rolled = Rolled(us, Roll.of(*dice), shown.view.to_act, RollSource.TYPED)
        return replace(ui, dice=()), (rolled,)


@dataclass(frozen=True, slots=True)
class Resign:
    """Ask for confirmation of a resignation."""

    points: int

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, page=Page.RESIGN, resigning=self.points), ()


# The new match ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Write:
    """Open the keyboard for a name or a number."""

    entry: TextField

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """A name that nobody gave yet starts empty."""
        white, black = ui.form.players
        text = {TextField.WHITE: white, TextField.BLACK: black}.get(self.entry, "")
        return replace(ui, page=Page.TYPING, typing=Typing(self.entry, text)), ()


@dataclass(frozen=True, slots=True)
class Letter:
    """Type a letter, or several."""

    text: str

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Only what fits the entry is taken."""
        entry = ui.typing.entry
        digits = entry is TextField.TARGET
        taken = "".join(c for c in self.text if (c in "0123456789" if digits else c.isprintable()))
        most = {TextField.TARGET: 3, TextField.BOARD: BOARD_NAME_LENGTH}.get(entry, NAME_LENGTH)
        text = (ui.typing.text + taken)[:most]
        return replace(ui, typing=replace(ui.typing, text=text)), ()


@dataclass(frozen=True, slots=True)
class Erase:
    """Take the last letter back."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, typing=replace(ui.typing, text=ui.typing.text[:-1])), ()


@dataclass(frozen=True, slots=True)
class Accents:
    """Show the other half of the keyboard."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, typing=replace(ui.typing, accents=not ui.typing.accents)), ()


@dataclass(frozen=True, slots=True)
class Entered:
    """Enter the typed text into the form; an empty text changes nothing."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Back to the form; a board whose name was typed is invited."""
        text, form = ui.typing.text.strip(), ui.form
        white, black = form.players
        if ui.typing.entry is TextField.BOARD:
            asked = (invitation(form, chosen_game(form, shown), text.lower()),) if text else ()
            return replace(ui, page=Page.BOARDS), asked
        if not text:
            pass
        elif ui.typing.entry is TextField.WHITE:
            form = replace(form, players=(text, black))
        elif ui.typing.entry is TextField.BLACK:
            form = replace(form, players=(white, text))
        else:
            form = replace(form, match_to=min(max(int(text), 1), HIGHEST_TARGET))
        return replace(ui, page=Page.NEW_MATCH, form=form), ()


@dataclass(frozen=True, slots=True)
class SetTarget:
    """Set the match length; None is unlimited."""

    match_to: int | None

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, form=replace(ui.form, match_to=self.match_to)), ()


@dataclass(frozen=True, slots=True)
class ChooseGame:
    """Play this one of the board's games."""

    game: str

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """The length and the options are again as this game is usually played."""
        form = replace(
            ui.form,
            game=self.game,
            match_to=USUAL,
            options=MappingProxyType({}),
            machine=seat_in(ui.form, shown.players_of.get(self.game, ())),
        )
        return replace(ui, form=form), ()


@dataclass(frozen=True, slots=True)
class GiveSide:
    """Let another play this side: the next of the machine's players, or a person again."""

    side: Side

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """The machine has one side at most."""
        players = shown.players_of.get(chosen_game(ui.form, shown).name, ())
        form = replace(ui.form, machine=next_seat(ui.form, self.side, players))
        return replace(ui, form=form), ()


@dataclass(frozen=True, slots=True)
class Opt:
    """Turn an option of the new match on or off."""

    option: Option

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        there = offered(ui.form, chosen_game(ui.form, shown))
        if self.option not in there:
            return ui, ()
        options = {**ui.form.options, self.option.name: not there[self.option]}
        return replace(ui, form=replace(ui.form, options=MappingProxyType(options))), ()


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin the match of the form."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """The play page opens when its first view comes."""
        match = new_match(ui.form, chosen_game(ui.form, shown))
        return replace(ui, match=None), (match,)
