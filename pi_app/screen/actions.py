"""What a touch does: each action turns the screen's state into the next one, and may send commands.

Actions are values. They are made while a page is drawn and carried out when it is touched. The
match may have moved on by then: an action that is no longer possible does nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias

from pi_app.base.errors import GivenError
from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.coach.practice import PuzzleKind
from pi_app.match.acts import Act
from pi_app.match.origin import Problem, read_problem
from pi_app.match.terms import MatchTerms
from pi_app.referee.events import Button, MachineSeat, MatchId, Press, Rolled, RollSource, Tap
from pi_app.referee.view import BackTo, View
from pi_app.rules.contract import AnyGame, Option, Series
from pi_app.rules.terms import Checkers, PositionError, Roll, Side, Spot, Stack
from pi_app.screen.canvas import Canvas
from pi_app.screen.ui import (
    BOARD_NAME_LENGTH,
    CODE_LENGTH,
    NAME_LENGTH,
    POSITION_LENGTH,
    Bookmark,
    Browsing,
    Edit,
    LyingOn,
    Page,
    PosedLeaf,
    Quiz,
    Shown,
    TextField,
    Typing,
    Ui,
    chosen_game,
    edited_game,
    last_forms,
    puzzles_of,
    seat_in,
)
from pi_app.sensing.description import Place, Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.user.agreement import (
    HIGHEST_TARGET,
    USUAL,
    Form,
    checked,
    invitation,
    new_match,
    next_order,
    offered,
)
from pi_app.user.commands import (
    AnswerFar,
    AskHint,
    ChangeSetting,
    Fetch,
    Inspect,
    Output,
    PlayTour,
    Resume,
    Retell,
    RollOut,
    ShowCode,
    TakeCode,
    TouchSpot,
    Train,
    Wanted,
)
from pi_app.user.settings import Value
from pi_app.words.sentences import Sentence

Acted: TypeAlias = tuple[Ui, tuple[Output, ...]]
"""The next state, and the outputs for the program."""
P = ParamSpec("P")
NOT_HERE = Sentence("{game} cannot be played on this board")


class Touched(NamedTuple):
    """The state when the screen is touched; `us` is the time of the events."""

    ui: Ui
    shown: Shown
    us: Us


@dataclass(frozen=True, slots=True)
class Action:
    """A function and its arguments, to be called at a touch. Actions with equal arguments are
    equal."""

    does: Callable[..., Acted]
    given: tuple[object, ...]
    named: tuple[tuple[str, object], ...]

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return self.does(Touched(ui, shown, us), *self.given, **dict(self.named))


Screen: TypeAlias = Canvas[Action]
"""A canvas on which places are touched for actions."""


def action(does: Callable[Concatenate[Touched, P], Acted]) -> Callable[P, Action]:
    """Turn a function of a touch and other arguments into one that takes those and returns an
    Action."""

    @wraps(does)
    def given(*values: P.args, **named: P.kwargs) -> Action:
        return Action(does, values, tuple(named.items()))

    return given


@action
def open_page(at: Touched, page: Page, *outputs: Output) -> Acted:
    """Open a page and send these commands. An untouched form is filled in as for the last match."""
    form = at.ui.form
    if form == Form():
        form = next(last_forms(at.shown), form)
    return replace(at.ui, page=page, form=form, resigning=None, first_board=0), outputs


@action
def answer_board(at: Touched, yes: bool) -> Acted:
    """Answer another board's request; after a yes the board is shown."""
    if not at.shown.question:
        return at.ui, ()
    return replace(_closed(at) if yes else at.ui, looked=None), (AnswerFar(yes),)


@action
def look_at_question(at: Touched, opens: bool = True) -> Acted:
    """Open another board's request, or return to the page before."""
    return replace(at.ui, looked=at.shown.question if opens else None), ()


@action
def turn_to(at: Touched, page: Page, leaf: int = 0, after: Page | None = None) -> Acted:
    """Open the rules at a page of theirs, from 0; `after` is the page to return to, None the match
    or start page."""
    return replace(at.ui, page=page, bookmark=Bookmark(leaf, after)), ()


@action
def begin_tour(at: Touched) -> Acted:
    """Begin the tour of the chosen game. The play page opens with its first view."""
    game = Series.of(chosen_game(at.ui.form, at.shown).first)
    return replace(at.ui, match=None), (PlayTour(new_match(Form(match_to=None), game)),)


@action
def end_tour(at: Touched, then: Page = Page.START) -> Acted:
    """Leave the tour. It no longer opens by itself."""
    view, seen = at.shown.view, at.shown.settings.screen.tour_seen
    leave = (PlayTour(),) if view and view.tour else ()
    ui = _closed(at) if view and not view.tour else replace(at.ui, page=then)
    return ui, (*leave, *(() if seen else (ChangeSetting("screen.tour_seen", True),)))


@action
def show_training(at: Touched, first: int = 0) -> Acted:
    """List the players who have exercises, from this one on."""
    return replace(at.ui, page=Page.TRAINING, browsing=replace(at.ui.browsing, row=first)), ()


@action
def begin_training(at: Touched, name: str, position: str = "") -> Acted:
    """Begin this player's training, with this position if given. The play page opens with its first
    view."""
    return replace(at.ui, match=None), (Train(name, position),)


@action
def end_training(at: Touched) -> Acted:
    """Leave the training; the answers are stored."""
    return replace(at.ui, page=Page.TRAINING), (Train(),)


@action
def retell(at: Touched, match: MatchId, decision: int = 0, guesses: bool = False) -> Acted:
    """Play a stored match through on the board. The play page opens with its first view."""
    return replace(at.ui, page=Page.START, match=None), (Retell(match, decision, guesses),)


@action
def end_retelling(at: Touched) -> Acted:
    """Leave the stored match, for its page if it is open."""
    page = Page.MATCHES if at.ui.browsing.match is None else Page.MATCH
    return replace(at.ui, page=page), (Retell(),)


@action
def play_from(at: Touched, problem: Problem) -> Acted:
    """Fill in the form of a new match that begins where the stored match on the board is."""
    view = at.shown.view
    players = view.players if view else ("", "")
    form = Form(players, problem.match_to, game=problem.game, position=problem)
    return replace(at.ui, page=Page.NEW_MATCH, form=form), ()


@action
def close(at: Touched) -> Acted:
    """Return to the match, or to the start page if there is none."""
    return _closed(at), ()


def _closed(at: Touched) -> Ui:
    """The state after closing; an unfinished edit or resignation is dropped."""
    page = Page.PLAY if at.shown.view else Page.START
    return replace(at.ui, page=page, resigning=None, edit=None)


@action
def send(at: Touched, output: Output) -> Acted:
    """Send a command to the program."""
    return at.ui, (output,)


@action
def touch_spot(at: Touched, spot: Spot, lying: LyingOn) -> Acted:
    """Lift or set down a guest's checker on a spot, unless something else lies there by now."""
    guest = at.shown.guest
    same = guest is not None and guest.lying.get(spot, ()) == lying.stack
    return at.ui, (TouchSpot(spot),) if same else ()


@action
def set_to(at: Touched, setting: str, value: Value, look: bool = False) -> Acted:
    """Change a setting; with `look` return to the board to show the effect."""
    page = Page.PLAY if look and at.shown.view else at.ui.page
    return replace(at.ui, page=page), (ChangeSetting(setting, value),)


@action
def press_button(at: Touched, press: Press = Press.SHORT) -> Acted:
    """Press the die button on the screen; if the board has two, that of the side to act."""
    sided = any(button.side for button in at.shown.board.buttons)
    side = at.shown.view.to_act if at.shown.view and sided else None
    return replace(at.ui, page=Page.PLAY), (Button(at.us, press, side),)


@action
def intend(
    at: Touched,
    intent: Act,
    play: str | None = None,
    sensor: Sensor | None = None,
    points: int | None = None,
    back_to: BackTo | None = None,
    stay: bool = False,
) -> Acted:
    """Send an intent to the referee, and return to the match unless it is to `stay`."""
    view = at.shown.view
    if view is None or intent not in view.offers:
        return at.ui, ()
    changed = (
        (intent is Act.CHOOSE and play not in view.choices)
        or (intent is Act.TAKE_BACK and back_to != view.back_to)
        or (intent is Act.RESIGN and points not in view.resignations)
    )
    if changed:
        return at.ui, ()
    page = at.ui.page if stay else Page.PLAY
    tap = Tap(at.us, intent, play=play, sensor=sensor, points=points)
    return replace(at.ui, page=page, resigning=None), (tap,)


@action
def show_settings(at: Touched, first: int) -> Acted:
    """Show the settings from this one on."""
    return replace(at.ui, first_setting=first), ()


def types_now(shown: Shown, view: View) -> bool:
    """Whether the side to act should enter its dice now."""
    still = view.board not in (*ALARMS, BoardState.CHOOSE)
    set_so = frozenset(side for side in Side if shown.settings.play.types(side))
    typed = view.changing or view.terms.types(view.to_act, set_so)
    return view.dice > 0 and still and typed


@action
def type_die(at: Touched, face: int) -> Acted:
    """Enter one die; the last one completes the roll."""
    ui, view = at.ui, at.shown.view
    if view is None or not types_now(at.shown, view):
        return ui, ()
    half = ui.dice if len(ui.dice) < view.dice else ()
    dice = (*half, face)
    if len(dice) < view.dice:
        return replace(ui, dice=dice), ()
    return replace(ui, dice=()), (Rolled(at.us, Roll.of(*dice), view.to_act, RollSource.TYPED),)


@action
def resign(at: Touched, points: int) -> Acted:
    """Ask for confirmation of a resignation for this many points."""
    return replace(at.ui, page=Page.RESIGN, resigning=points), ()


# Practice ------------------------------------------------------------------------------------


@action
def begin_quiz(at: Touched, kind: PuzzleKind) -> Acted:
    """Ask the puzzles of a kind one after the other, from any of them on."""
    some = puzzles_of(at.shown, kind)
    if not some:
        return at.ui, ()
    quiz = Quiz(kind, at.us % len(some), at.us)
    return replace(at.ui, page=Page.PUZZLE, quiz=quiz), ()


@action
def answer_puzzle(at: Touched, answer: str) -> Acted:
    """Answer the open puzzle; only the first answer counts."""
    quiz = at.ui.quiz
    some = puzzles_of(at.shown, quiz.kind) if quiz else ()
    if quiz is None or quiz.answer or quiz.place >= len(some):
        return at.ui, ()
    puzzle = some[quiz.place]
    if answer not in puzzle.answers:
        return at.ui, ()
    right = puzzle.is_right(answer)
    counted = replace(quiz, right=quiz.right + right, asked=quiz.asked + 1)
    return replace(at.ui, quiz=replace(counted, answer=answer, took=Us(at.us - quiz.since))), ()


@action
def next_puzzle(at: Touched) -> Acted:
    """Show the next puzzle of the kind; after the last one comes the first."""
    quiz = at.ui.quiz
    some = puzzles_of(at.shown, quiz.kind) if quiz else ()
    if quiz is None or not some:
        return at.ui, ()
    place = (quiz.place + 1) % len(some)
    return replace(at.ui, quiz=replace(quiz, place=place, answer="", since=at.us)), ()


# The new match ------------------------------------------------------------------------------


@action
def write(at: Touched, entry: TextField) -> Acted:
    """Open the keyboard for a name or number. The field is empty for a side without a name."""
    white, black = at.ui.form.players
    text = {TextField.WHITE: white, TextField.BLACK: black}.get(entry, "")
    return replace(at.ui, page=Page.TYPING, typing=Typing(entry, text)), ()


@action
def type_letters(at: Touched, letters: str) -> Acted:
    """Append letters if the field accepts them."""
    typing = at.ui.typing
    digits = typing.entry is TextField.TARGET
    taken = "".join(c for c in letters if (c in "0123456789" if digits else c.isprintable()))
    lengths = {
        TextField.TARGET: 3,
        TextField.BOARD: BOARD_NAME_LENGTH,
        TextField.CODE: CODE_LENGTH,
        TextField.POSITION: POSITION_LENGTH,
    }
    most = lengths.get(typing.entry, NAME_LENGTH)
    return replace(at.ui, typing=replace(typing, text=(typing.text + taken)[:most])), ()


@action
def take_word(at: Touched, word: str) -> Acted:
    """Complete the last word of a friend's code."""
    before, space, _ = at.ui.typing.text.rpartition(" ")
    return replace(at.ui, typing=replace(at.ui.typing, text=f"{before}{space}{word} ")), ()


@action
def erase(at: Touched) -> Acted:
    """Delete the last letter."""
    return replace(at.ui, typing=replace(at.ui.typing, text=at.ui.typing.text[:-1])), ()


@action
def other_keys(at: Touched) -> Acted:
    """Show the other half of the keyboard."""
    return replace(at.ui, typing=replace(at.ui.typing, accents=not at.ui.typing.accents)), ()


@action
def enter(at: Touched) -> Acted:
    """Enter the typed text into the form, invite the board of that name, or meet by that code.

    An empty text changes nothing.
    """
    text, form, entry = at.ui.typing.text.strip(), at.ui.form, at.ui.typing.entry
    white, black = form.players
    if entry is TextField.POSITION:
        return _read_position(at, text)
    if entry is TextField.BOARD:
        asked = (invitation(form, chosen_game(form, at.shown), text.lower()),) if text else ()
        return replace(at.ui, page=Page.BOARDS), asked
    if entry is TextField.CODE:
        taken = (TakeCode(text, form.players[form.here is Side.BLACK]),) if text else ()
        return replace(at.ui, page=Page.BOARDS), taken
    if text and entry is TextField.TARGET:
        target = min(max(int(text), 1), HIGHEST_TARGET)
        form = replace(form, match_to=target, position=None)
    elif text:
        named = (text, black) if entry is TextField.WHITE else (white, text)
        form = replace(form, players=named)
    return replace(at.ui, page=Page.NEW_MATCH, form=form), ()


def _read_position(at: Touched, text: str) -> Acted:
    """Take over a position as text; a fault leads back to the editor, which shows it."""
    edit = at.ui.edit
    if edit is None or not text:
        return replace(at.ui, page=Page.EDITOR), ()
    try:
        problem = _problem_in(text, at.shown)
    except GivenError as error:
        return replace(at.ui, page=Page.EDITOR, edit=replace(edit, reasons=(error.said,))), ()
    length = problem.match_to
    form = replace(at.ui.form, game=problem.game, order=(), position=problem, match_to=length)
    return replace(at.ui, page=Page.NEW_MATCH, edit=None, form=form), (Inspect.STOP,)


@action
def set_target(at: Touched, match_to: int | None) -> Acted:
    """Set the match length; None is unlimited."""
    return replace(at.ui, form=replace(at.ui.form, match_to=match_to, position=None)), ()


@action
def give_points(at: Touched, side: Side, points: int) -> Acted:
    """Let a side begin with so many points."""
    form = at.ui.form
    return replace(
        at.ui, form=replace(form, ahead=form.ahead.having(side, points), position=None)
    ), ()


@action
def tutor(at: Touched, side: Side | None) -> Acted:
    """Let the tutor warn this side alone, or with None whom the settings say."""
    return replace(at.ui, form=replace(at.ui.form, tutored=side)), ()


@action
def set_terms(at: Touched, terms: MatchTerms) -> Acted:
    """Replace the terms in the form of the new match."""
    return replace(at.ui, form=replace(at.ui.form, terms=terms)), ()


@action
def choose_game(at: Touched, game: str) -> Acted:
    """Choose one of the board's games, with its default length and options."""
    seat, rivals = at.ui.form.machine, at.shown.rivals
    if seat:
        before = rivals.get(chosen_game(at.ui.form, at.shown).name, ())
        bars = next((one.bars for one in before if one.name == seat.player), None)
        seat = seat_in(at.shown, game, seat, bars) if rivals.get(game) else None
    form = replace(
        at.ui.form,
        game=game,
        order=(),
        match_to=USUAL,
        options={},
        position=None,
        machine=seat,
    )
    return replace(at.ui, page=Page.NEW_MATCH, form=form), ()


@action
def change_order(at: Touched) -> Acted:
    """Play the games of the series in another order, or leave one out."""
    form, series = at.ui.form, chosen_game(at.ui.form, at.shown)
    if not series.is_mixed:
        return at.ui, ()
    order = next_order(form, series)
    return replace(at.ui, form=replace(form, order=order, position=None)), ()


@action
def show_rivals(at: Touched, side: Side = Side.BLACK, first: int = 0, meets: bool = False) -> Acted:
    """List who can play this side, from this one on; with `meets` give it to the machine."""
    ui, _ = open_page(Page.OPPONENTS).act(at.ui, at.shown, at.us)
    game = chosen_game(ui.form, at.shown).name
    if meets and ui.form.machine is None and at.shown.rivals.get(game):
        seat = seat_in(at.shown, game, MachineSeat(side, ""))
        ui = replace(ui, form=replace(ui.form, machine=seat))
    return replace(ui, seat=side, first_rival=first), ()


@action
def give_side(at: Touched, side: Side, player: str | None) -> Acted:
    """Give this side to a player of the machine, None to a person."""
    form, seat = at.ui.form, at.ui.form.machine
    if player is not None:
        seat = MachineSeat(side, player)
    elif seat and seat.side is side:
        seat = None
    return replace(at.ui, form=replace(form, machine=seat)), ()


@action
def toggle(at: Touched, option: Option) -> Acted:
    """Turn an option of the new match on or off."""
    form = at.ui.form
    there = offered(form, chosen_game(form, at.shown))
    if option not in there:
        return at.ui, ()
    options = {**form.options, option.name: not there[option]}
    return replace(at.ui, form=replace(form, options=options)), ()


@action
def begin_match(at: Touched) -> Acted:
    """Begin the match of the form. The play page opens with its first view."""
    return _begun(at, at.ui.form)


@action
def begin_like(at: Touched, form: Form) -> Acted:
    """Begin a match like an earlier one, with one tap."""
    return _begun(at, form)


def _begun(at: Touched, form: Form) -> Acted:
    return replace(at.ui, match=None, form=form), (new_match(form, chosen_game(form, at.shown)),)


# Where one piece stands on a spot, a tap goes through what it can be. Where several do, a player
# first picks whose checker to add, or to take one away, and then taps. What is off the board for
# good is never counted by hand: it is what is missing.


def begin_edit(shown: Shown, view: View) -> Edit:
    """Return the position with which the editor opens: the assumed one, adjusted to the sensors."""
    felt = SensorsNow(view.closed, frozenset(view.sensors_off))
    edit = Edit(dict(view.standing), view.to_act)
    return replace(edit, checkers=_as_felt(shown, edit, shown.board.games[view.game], felt))


class SensorsNow(NamedTuple):
    """What the sensors show: the closed ones, and those that are set aside."""

    closed: frozenset[Sensor]
    off: frozenset[Sensor] = frozenset()


def _as_felt(shown: Shown, edit: Edit, game: AnyGame, felt: SensorsNow) -> Checkers:
    """The checkers of an edit, adjusted to what the sensors show."""
    checkers = dict(edit.checkers)
    for place in shown.board_for(game.name).places:
        off = {sensor for reed in place.reeds for sensor in reed.sensors} & felt.off
        if place.spot in checkers and not off:
            checkers[place.spot] = _as_seen(checkers[place.spot], place, felt, edit.mover)
    return _rested(checkers, shown, game)


def _as_seen(stack: Stack, place: Place, sensors: SensorsNow, mover: Side) -> Stack:
    """Adjust a stack to what its sensors show; an added checker of unknown side is the mover's."""
    felt = [(reed, s) for reed in place.reeds for s in reed.sensors if s in sensors.closed]
    sides = tuple(side for reed, sensor in felt if (side := reed.side_of(sensor)))
    if sides:
        return stack if Counter(sides) == Counter(stack[: len(place.reeds)]) else sides
    closed = len(felt)
    if closed == min(len(stack), len(place.reeds)):
        return stack
    return stack[:closed] + (stack[-1] if stack else mover,) * (closed - len(stack))


def _rested(checkers: Checkers, shown: Shown, game: AnyGame) -> Checkers:
    """Put missing checkers in the trays."""
    editing = shown.faces[game.name].editing
    trays = {Spot(editing.rest, side=side): side for side in Side}
    standing = [side for spot, stack in checkers.items() if spot not in trays for side in stack]
    rest = {
        tray: (side,) * max(0, game.checkers_a_side - standing.count(side))
        for tray, side in trays.items()
    }
    return {**checkers, **rest}


@action
def start_edit(at: Touched) -> Acted:
    """Open the editor."""
    if at.shown.view is None:
        return at.ui, ()
    return replace(at.ui, page=Page.EDITOR, edit=begin_edit(at.shown, at.shown.view)), ()


@action
def pose(at: Touched) -> Acted:
    """Open the editor for the position at which a new match is to begin, and read the sensors."""
    game = chosen_game(at.ui.form, at.shown).first
    edit = Edit(game.checkers_at(game.start(Side.WHITE)), Side.WHITE, posed=game.name)
    return replace(at.ui, page=Page.EDITOR, edit=edit), (Inspect.LOOK,)


@action
def leave_pose(at: Touched) -> Acted:
    """Return from the editor to the form of the new match, which keeps its position."""
    return replace(at.ui, page=Page.NEW_MATCH, edit=None), (Inspect.STOP,)


@action
def begin_usually(at: Touched) -> Acted:
    """Let the new match begin as usual, not at a position."""
    return replace(at.ui, form=replace(at.ui.form, position=None)), ()


@action
def read_board(at: Touched) -> Acted:
    """Adjust the position to what the sensors show now."""
    edit, game = at.ui.edit, edited_game(at.shown, at.ui.edit)
    sensors = at.shown.inspected or at.shown.view
    if edit is None or game is None or sensors is None:
        return at.ui, ()
    checkers = _as_felt(at.shown, edit, game, SensorsNow(sensors.closed))
    return replace(at.ui, edit=replace(edit, checkers=checkers, reasons=())), ()


@action
def tap_spot(at: Touched, spot: Spot) -> Acted:
    """Show the next thing that can stand on this spot."""
    edit, game = at.ui.edit, edited_game(at.shown, at.ui.edit)
    if edit is None or game is None or spot not in edit.checkers:
        return at.ui, ()
    tapped = at.shown.faces[game.name].editing.tapped
    return _edited(at, edit, game, spot, tapped(edit.checkers[spot], spot, edit.brush))


@action
def pick(at: Touched, brush: Side | None) -> Acted:
    """Choose the side whose checkers the next taps add; with None they remove checkers."""
    edit = at.ui.edit and replace(at.ui.edit, brush=brush)
    return replace(at.ui, edit=edit), ()


@action
def count_tray(at: Touched, spot: Spot, side: Side, step: int) -> Acted:
    """Change the checkers in a side's tray by `step`, 1 or -1."""
    edit, game = at.ui.edit, edited_game(at.shown, at.ui.edit)
    if edit is None or game is None or spot not in edit.checkers:
        return at.ui, ()
    count = min(max(len(edit.checkers[spot]) + step, 0), game.checkers_a_side)
    return _edited(at, edit, game, spot, (side,) * count)


def _edited(at: Touched, edit: Edit, game: AnyGame, spot: Spot, stack: Stack) -> Acted:
    checkers = _rested({**edit.checkers, spot: stack}, at.shown, game)
    return replace(at.ui, edit=replace(edit, checkers=checkers, reasons=())), ()


@action
def change_mover(at: Touched) -> Acted:
    """Let the other side move next."""
    edit = at.ui.edit and replace(at.ui.edit, mover=at.ui.edit.mover.other, reasons=())
    return replace(at.ui, edit=edit), ()


@action
def accept_position(at: Touched) -> Acted:
    """Accept the edited position. If it is impossible the page stays open and shows
    every reason."""
    edit, game = at.ui.edit, edited_game(at.shown, at.ui.edit)
    if edit is None or game is None:
        return at.ui, ()
    try:
        position = game.position_of(edit.checkers, edit.mover)
        if edit.posed:
            return _posed(at, edit, game, position)
    except PositionError as error:
        return replace(at.ui, edit=replace(edit, reasons=error.reasons)), ()
    tap = Tap(at.us, Act.CORRECT, position=game.write_position(position))
    return replace(at.ui, page=Page.PLAY, edit=None), (tap,)


def _problem_in(text: str, shown: Shown) -> Problem:
    """Read a position as Spotter or another program writes it. Raises GivenError."""
    found = shown.ids.read(text) if shown.ids else None
    problem = found or read_problem(text, shown.games)
    if problem.game not in shown.games.matches:
        raise GivenError(NOT_HERE(game=problem.game))
    return checked(problem, shown.games)


def _posed(at: Touched, edit: Edit, game: AnyGame, position: Any) -> Acted:
    """Let the new match of the form begin at an edited position."""
    text = f"{game.name} {game.write_position(position)}"
    try:
        problem = checked(read_problem(text, at.shown.games), at.shown.games)
    except GivenError as error:
        return replace(at.ui, edit=replace(edit, reasons=(error.said,))), ()
    form = replace(at.ui.form, game=game.name, order=(), position=problem)
    return replace(at.ui, page=Page.NEW_MATCH, edit=None, form=form), (Inspect.STOP,)


# The stored matches -------------------------------------------------------------------------


@action
def show_matches(at: Touched, first: int = 0, anew: bool = True) -> Acted:
    """List the stored matches from this one on, read again if `anew`; close the open one."""
    fetch = (Fetch(Wanted.LIST),) if anew else ()
    return replace(at.ui, page=Page.MATCHES, browsing=Browsing(first)), fetch


@action
def open_match(at: Touched, number: MatchId) -> Acted:
    """Open a stored match, read as it is now."""
    browsing = Browsing(at.ui.browsing.first, number)
    return replace(at.ui, page=Page.MATCH, browsing=browsing), (Fetch(Wanted.MATCH, number),)


@action
def show_files(at: Touched, first: int = 0, anew: bool = False) -> Acted:
    """List the match files of the USB stick from this one on, looked for again if `anew`."""
    left_out = frozenset[str]() if anew else at.ui.browsing.left_out
    browsing = replace(at.ui.browsing, row=first, left_out=left_out)
    fetch = (Fetch(Wanted.FILES),) if anew else ()
    return replace(at.ui, page=Page.FILES, browsing=browsing), fetch


@action
def choose_file(at: Touched, name: str) -> Acted:
    """Leave this file out, or take it again."""
    left_out = at.ui.browsing.left_out ^ {name}
    return replace(at.ui, browsing=replace(at.ui.browsing, left_out=left_out)), ()


@action
def resume(at: Touched, number: MatchId) -> Acted:
    """Return to the current match, or resume another. The play page opens with its first view."""
    if at.shown.playing == number:
        return replace(at.ui, page=Page.PLAY), ()
    return replace(at.ui, page=Page.START, match=None), (Resume(number),)


@action
def show_leaf(at: Touched, leaf: int, analysed: bool = False) -> Acted:
    """Show one step of the open match on the board; `analysed` if opened from its analysis."""
    browsing = replace(at.ui.browsing, leaf=leaf)
    # From the analysis leaves lead back to it, from the match to the match.
    analysed = analysed or (at.ui.page is Page.LEAF and at.ui.analysed)
    return replace(at.ui, page=Page.LEAF, browsing=browsing, analysed=analysed), ()


@action
def show_sheet(at: Touched, row: int) -> Acted:
    """Show the score sheet of the open match from this row on."""
    return replace(at.ui, page=Page.SHEET, browsing=replace(at.ui.browsing, row=row)), ()


@action
def show_code(at: Touched, part: int) -> Acted:
    """Show one of the QR codes of the open match's sheet, once they are made."""
    browsing = replace(at.ui.browsing, part=part)
    fetch = Fetch(Wanted.CODE, browsing.match, part)
    return replace(at.ui, page=Page.CODE, browsing=browsing), (fetch,)


@action
def show_position(at: Touched, leaf: int) -> Acted:
    """Show a step's position as text and QR code, once they are made."""
    fetch = Fetch(Wanted.POSITION, at.ui.browsing.match, leaf)
    return replace(at.ui, page=Page.POSITION), (fetch,)


@action
def play_on(at: Touched, posed: PosedLeaf) -> Acted:
    """Fill in the form of a new match that begins at this position."""
    problem, seat = posed.problem, posed.machine
    white, black = (
        "" if seat and seat.side is side else name
        for side, name in zip(Side, posed.players, strict=True)
    )
    if problem is None:
        return at.ui, ()
    form = Form((white, black), problem.match_to, game=problem.game, machine=seat, position=problem)
    return replace(at.ui, page=Page.NEW_MATCH, form=form), ()


@action
def show_player(at: Touched, player: int = 0, anew: bool = False) -> Acted:
    """Show this player's statistics, counted again if `anew`."""
    fetch = (Fetch(Wanted.PLAYERS),) if anew else ()
    browsing = replace(at.ui.browsing, player=player)
    return replace(at.ui, page=Page.PLAYERS, browsing=browsing), fetch


@action
def show_ratings(at: Touched, first: int = 0) -> Acted:
    """List the player's ratings match by match, from this one on."""
    return replace(at.ui, page=Page.RATINGS, browsing=replace(at.ui.browsing, judged=first)), ()


@action
def show_report(at: Touched, first: int = 0) -> Acted:
    """Show the player's analysed matches together, from this row on."""
    return replace(at.ui, page=Page.REPORT, browsing=replace(at.ui.browsing, row=first)), ()


@action
def open_analysis(at: Touched, number: MatchId | None = None) -> Acted:
    """Analyse a match, None for the current one, and open it to show its errors."""
    match = number or at.shown.playing
    if match is None:
        return at.ui, ()
    browsing = Browsing(at.ui.browsing.first if number else 0, match)
    ui = replace(at.ui, page=Page.ANALYSIS, browsing=browsing, analysed=True)
    return ui, (Fetch(Wanted.ANALYSIS, match),)


@action
def show_losses(at: Touched, first: int) -> Acted:
    """List the errors of the analysis from this one on."""
    return replace(at.ui, browsing=replace(at.ui.browsing, judged=first)), ()


@action
def show_errors_of(at: Touched, *sides: Side) -> Acted:
    """List the errors of these sides only."""
    return replace(at.ui, browsing=replace(at.ui.browsing, judged=0, whose=sides)), ()


@action
def open_hint(at: Touched) -> Acted:
    """Ask for the best play of this turn, unless hints are locked."""
    return replace(at.ui, page=Page.HINT, hinted=0), (AskHint(),) if at.shown.hints else ()


@action
def roll_out(at: Touched, decision: int | None, on: bool) -> Acted:
    """Roll out the plays of this decision of the analysis, None: of the hint; or stop."""
    return at.ui, (RollOut(decision, on),)


@action
def show_hinted(at: Touched, number: int) -> Acted:
    """Draw another play of the hint, from 0."""
    return replace(at.ui, hinted=number), ()


# The club, and the sensors ------------------------------------------------------------------


@action
def take_name(at: Touched, name: str) -> Acted:
    """Use a known name instead of the typed one."""
    white, black = at.ui.form.players
    players = (name, black) if at.ui.typing.entry is TextField.WHITE else (white, name)
    return replace(at.ui, page=Page.NEW_MATCH, form=replace(at.ui.form, players=players)), ()


@action
def show_boards(at: Touched, first: int) -> Acted:
    """List the club's boards from this one on."""
    return replace(at.ui, first_board=first), ()


@action
def play_other_side(at: Touched) -> Acted:
    """Let this board play the other side."""
    return replace(at.ui, form=replace(at.ui.form, here=at.ui.form.here.other)), ()


@action
def invite_board(at: Touched, board: str) -> Acted:
    """Invite this board to the match of the form, and wait for its answer."""
    form = at.ui.form
    if at.shown.club is None or at.shown.club.invited:
        return at.ui, ()
    return at.ui, (invitation(form, chosen_game(form, at.shown), board),)


@action
def show_own_code(at: Touched) -> Acted:
    """Show a code for a friend far away, who is then invited to the match of the form."""
    form = at.ui.form
    invite = invitation(form, chosen_game(form, at.shown), "")
    return at.ui, (ShowCode(invite, form.players[form.here is Side.BLACK]),)


@action
def look_at(at: Touched, sensor: Sensor) -> Acted:
    """Show this sensor's diagnosis, or hide it."""
    chosen = None if at.ui.sensor == sensor else sensor
    return replace(at.ui, sensor=chosen, walk_asked=False), ()


@action
def ask_for_walk(at: Touched) -> Acted:
    """Say how to get a walk test while a match is under way."""
    return replace(at.ui, sensor=None, walk_asked=True), ()


@action
def open_sensors(at: Touched) -> Acted:
    """Open the page of sensors. Before a match the program then reads the sensors for it."""
    looking = () if at.shown.view else (Inspect.LOOK,)
    return replace(at.ui, page=Page.SENSORS, sensor=None, walk_asked=False), looking


@action
def leave_sensors(at: Touched) -> Acted:
    """Return to the match, or end a walk test and return to the start page."""
    if at.shown.view:
        return replace(at.ui, page=Page.PLAY, sensor=None), ()
    return replace(at.ui, page=Page.START, sensor=None), (Inspect.STOP,)
