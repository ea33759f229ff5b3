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
from pi_app.commands import (
    AnswerFar,
    AskHint,
    ChangeSetting,
    ClubWish,
    Fetch,
    Inspect,
    Output,
    Resume,
    Wanted,
)
from pi_app.microseconds import Us
from pi_app.referee.events import Button, Intent, MatchId, Press, Rolled, RollSource, Tap
from pi_app.referee.view import BackTo, View
from pi_app.rules.contract import Option
from pi_app.rules.terms import Checkers, PositionError, Roll, Side, Spot, Stack
from pi_app.screen.ui import (
    BOARD_NAME_LENGTH,
    NAME_LENGTH,
    Bookmark,
    Browsing,
    Edit,
    Page,
    Shown,
    TextField,
    Typing,
    Ui,
    chosen_game,
)
from pi_app.sensing.description import Place, Sensor
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
        """Without a question a tap does nothing; after a yes the board is shown."""
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
    """Change a setting; `look` returns to the board to show the effect."""

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
        """A side without a name starts with an empty field."""
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
    """Put the missing checkers in the trays."""
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


@dataclass(frozen=True, slots=True)
class ShowMatches:
    """Show the stored matches from this one on; opening the page reads them again."""

    first: int = 0
    anew: bool = True

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Forget what was opened before."""
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
    """Show this player's statistics; opening the page counts them again."""

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


@dataclass(frozen=True, slots=True)
class OpenClub:
    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """Clear the page's previous message."""
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


@dataclass(frozen=True, slots=True)
class LookAt:
    """Show this sensor's diagnosis, or hide it if it is shown."""

    sensor: Sensor

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        sensor = None if ui.sensor == self.sensor else self.sensor
        return replace(ui, sensor=sensor, walk_asked=False), ()


@dataclass(frozen=True, slots=True)
class AskForWalk:
    """Tell how a walk test is come by while a match is under way."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, sensor=None, walk_asked=True), ()


@dataclass(frozen=True, slots=True)
class OpenSensors:
    """Open the page; before a match the program looks at the sensors for it."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        looking = () if shown.view else (Inspect.LOOK,)
        return replace(ui, page=Page.SENSORS, sensor=None, walk_asked=False), looking


@dataclass(frozen=True, slots=True)
class LeaveSensors:
    """Back to the match, or to the start: there the program looks no longer."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """A walk test under way ends."""
        if shown.view:
            return replace(ui, page=Page.PLAY, sensor=None), ()
        return replace(ui, page=Page.START, sensor=None), (Inspect.STOP,)


@dataclass(frozen=True, slots=True)
class OpenHint:
    """Ask for the best play of this turn."""

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
