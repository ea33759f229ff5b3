"""The play page, with the taps that are possible now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pi_app.commands import Rematch
from pi_app.match.turns import ANSWERS, OVER, Phase
from pi_app.microseconds import Us
from pi_app.referee.events import Intent
from pi_app.referee.view import View
from pi_app.rules.contract import Opening
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    Do,
    Hold,
    Intend,
    Open,
    ShowChoices,
    types_now,
)
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.editing import StartEdit
from pi_app.screen.header import draw_match, draw_player, draw_timed_players
from pi_app.screen.layout import play_places
from pi_app.screen.learning import OpenAnalysis
from pi_app.screen.observability import unseen_told
from pi_app.screen.pages.buttons import (
    ANALYSIS,
    BOARD_IS_RIGHT,
    DONE,
    MENU,
    NEW_MATCH,
    SHOW_ME,
    TAKE_BACK,
    Choice,
    draw_choice,
)
from pi_app.screen.pages.play_board import draw_board
from pi_app.screen.pages.words import draw_words
from pi_app.screen.shapes import Box, Rect
from pi_app.screen.theme import BAND, EDGE, IVORY, VERMILION, WARNING, WARNING_TEXT
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import DOTTED, Sentence, joined

ROLL_FOR = Sentence("Roll: {player}")
PASS_TURN = Sentence("Pass the turn")
SENSOR_OFF = Sentence("Sensor {sensor} off")
TRY_SENSOR = Sentence("Use sensor {sensor}")
LEAVE_SENSOR = Sentence("Keep {sensor} off")
TAKE_AT = Sentence("Take (cube {stake})")
PASS_FOR = Sentence("Pass (−{points})")
NEXT_GAME = Sentence("Next game")
DOUBLE_TO = Sentence("Double to\u00a0{stake}")
ACCEPT = Sentence("Accept 1 point", "Accept {n} points")
PLAY_ON = Sentence("Play on")
CHANGE_DICE = Sentence("Change the dice")
UNDO_TAKEBACK = Sentence("Redo")
REMATCH = Sentence("Rematch")
YES = Sentence("Yes")
NO_ANOTHER = Sentence("No, the next")
TROUBLE = Sentence("! {notes}")


@dataclass(frozen=True, slots=True)
class Buttons:
    """The buttons of the play page, each kind at its own place, which no other takes.

    `main` goes on with the game, `small` are Take back and Menu, `further` stand below the words
    while something is asked, and `cube` is what a touch of the cube's card does.  While the board
    is amiss the main place has the two ways out side by side, `other` the second.
    """

    main: Choice
    small: tuple[Choice, Choice]
    further: tuple[Choice, ...] = ()
    cube: Choice | None = None
    other: Choice | None = None

    @property
    def all(self) -> tuple[Choice, ...]:
        """Those that can be touched, from the top down."""
        every = (self.cube, *self.further, self.main, self.other, *self.small)
        return tuple(choice for choice in every if choice and choice.action)


def draw_play(canvas: Canvas[Action], shown: Shown, ui: Ui, view: View, now: Us) -> None:
    notes, blind = shown.notes, tuple(unseen_told(view))
    places = play_places(canvas.size, troubled=bool(notes or blind))
    typing = types_now(shown, view)
    buttons = choices(ui, view, typing=typing)
    if view.clock:
        draw_timed_players(canvas, places.players, view, view.clock, now)
    else:
        for side, place in zip(Side, places.players, strict=True):
            draw_player(canvas, place, view, side)
    cube = buttons.cube
    double = (cube.label, cube.action) if cube and cube.action else None
    draw_match(canvas, places.match, view, double)
    if notes or blind:
        _troubles(canvas, places.troubles, notes, blind)
    draw_board(canvas, places.board, shown, ui, view, now)
    words = _further(canvas, places.words, buttons.further)
    draw_words(canvas, words, ui, view, typing=typing)
    ways = (buttons.main, buttons.other) if buttons.other else (buttons.main,)
    for place, choice in zip(places.main.grid(len(ways), 1, canvas.px(6)), ways, strict=True):
        draw_choice(canvas, place, choice, 21 if len(ways) == 1 else 17)
    for place, choice in zip(places.small, buttons.small, strict=True):
        draw_choice(canvas, place, choice, 17)


def go_on(view: View) -> str | None:
    """The act of a short press now, or None."""
    if view.phase in (Phase.SET_UP, *OVER, *ANSWERS) or view.awaiting_roll or view.thinking:
        return None
    if view.phase in (Phase.OPENING_THROW, Phase.TO_ROLL):
        return None if view.board in ALARMS else ROLL_FOR(player=view.player(view.to_act))
    if view.board is BoardState.PLAYED:
        return DONE()
    stuck = view.board is BoardState.RESTING and bool(view.legal) and not view.moves_exist
    return PASS_TURN() if stuck else None


def choices(ui: Ui, view: View, *, typing: bool = False) -> Buttons:
    """The present buttons; while dice are entered, none rolls."""
    main, cube = _main(ui, view), None
    if typing:
        main = Choice(main.label, None)
    if Intent.DOUBLE in view.offers:
        cube = Choice(DOUBLE_TO(stake=2 * view.cube.value), Intend(Intent.DOUBLE))
    small = (_take_back(view), Choice(MENU(), Open(Page.MENU)))
    return Buttons(main, small, tuple(_further_choices(ui, view)), cube, _other_way(view))


def _main(ui: Ui, view: View) -> Choice:
    if view.phase in ANSWERS:
        return _usual_answer(view)
    if view.board is BoardState.CHOOSE and view.choices:
        play = view.choices[min(ui.first_choice, len(view.choices) - 1)]
        label = YES() if view.moves_exist else PASS_TURN()
        return Choice(label, Intend(Intent.CHOOSE, play=play), Look.MAIN)
    if view.phase in OVER:
        return _following_game(view)
    if view.board in ALARMS:
        return _show_me(view)
    press = go_on(view)
    if press is None and view.phase is Phase.MOVING and not view.awaiting_roll:
        # An unseen play is possible: a press asks.
        return Choice(DONE(), Hold())
    return Choice(press or _next_press(view), Hold() if press else None, Look.MAIN)


def _usual_answer(view: View) -> Choice:
    """A double is taken, and a resignation refused, as a short press does."""
    doubled = view.phase is Phase.DOUBLE_OFFERED
    intent = Intent.TAKE if doubled else Intent.REFUSE
    label = TAKE_AT(stake=2 * view.cube.value) if doubled else PLAY_ON()
    return Choice(label, Intend(intent) if intent in view.offers else None, Look.MAIN)


def _following_game(view: View) -> Choice:
    if view.phase is Phase.MATCH_OVER:
        return Choice(REMATCH(), Do(Rematch()), Look.MAIN)
    following = Intend(Intent.NEXT_GAME) if Intent.NEXT_GAME in view.offers else None
    return Choice(NEXT_GAME(), following, Look.MAIN)


def _next_press(view: View) -> str:
    throws = view.phase is not Phase.MOVING and view.opening is not Opening.NO_THROW
    return ROLL_FOR(player=view.player(view.to_act)) if throws else DONE()


def _show_me(view: View) -> Choice:
    possible = Intent.SCREEN_IS_RIGHT in view.offers and not view.guiding
    return Choice(SHOW_ME(), Intend(Intent.SCREEN_IS_RIGHT) if possible else None, Look.MAIN)


def _other_way(view: View) -> Choice | None:
    """The board as it stands becomes the position: beside Show me, while the board is amiss.

    After a match it is a new one, beside the rematch.
    """
    if view.phase is Phase.MATCH_OVER:
        return Choice(NEW_MATCH(), Open(Page.NEW_MATCH))
    answers = view.board is BoardState.CHOOSE or view.phase in ANSWERS
    amiss = view.board in ALARMS or view.phase is Phase.SET_UP
    if answers or not amiss or Intent.BOARD_IS_RIGHT not in view.offers:
        return None
    return Choice(BOARD_IS_RIGHT(), StartEdit())


def _further_choices(ui: Ui, view: View) -> Iterator[Choice]:
    amiss = view.board in ALARMS or view.phase is Phase.SET_UP
    if view.phase in ANSWERS:
        yield from _other_answer(view)
    elif view.phase in OVER:
        yield Choice(ANALYSIS(), OpenAnalysis())
    elif view.board is BoardState.CHOOSE:
        if len(view.choices) > 1:
            following = (ui.first_choice + 1) % len(view.choices)
            yield Choice(NO_ANOTHER(), ShowChoices(following))
    elif Intent.CHANGE_DICE in view.offers:
        yield Choice(CHANGE_DICE(), Intend(Intent.CHANGE_DICE))
    elif view.ask_back:
        yield from _ask_back(view)
    elif amiss and Intent.SENSOR_OFF in view.offers:
        for sensor in view.suspects[:1]:
            yield Choice(SENSOR_OFF(sensor=sensor), Intend(Intent.SENSOR_OFF, sensor=sensor))


def _other_answer(view: View) -> Iterator[Choice]:
    """The other answer; for a wrong board a way out."""
    if Intent.PASS in view.offers:
        yield Choice(PASS_FOR(points=view.cube.value), Intend(Intent.PASS))
    if view.resignation and Intent.ACCEPT in view.offers:
        yield Choice(ACCEPT(n=view.resignation.points), Intend(Intent.ACCEPT))
    if view.board in ALARMS:
        show = _show_me(view)
        right = Choice(BOARD_IS_RIGHT(), StartEdit())
        yield replace(show, look=Look.PLAIN) if show.action else right


def _ask_back(view: View) -> Iterator[Choice]:
    """At a new game: whether a sensor that was set aside before is to be tried again."""
    for sensor in view.ask_back[:1]:
        yield Choice(TRY_SENSOR(sensor=sensor), Intend(Intent.SENSOR_ON, sensor=sensor))
        yield Choice(LEAVE_SENSOR(sensor=sensor), Intend(Intent.SENSOR_OFF, sensor=sensor))


def _take_back(view: View) -> Choice:
    """Right after a takeback its undoing stands there; another one is in the menu."""
    if Intent.RESTORE in view.offers:
        return Choice(UNDO_TAKEBACK(), Intend(Intent.RESTORE))
    offered = Intent.TAKE_BACK in view.offers
    look = Look.MAIN if view.earlier else Look.PLAIN
    return Choice(TAKE_BACK(), Open(Page.TAKE_BACK) if offered else None, look)


# Drawing ------------------------------------------------------------------------------------


def _further(canvas: Canvas[Action], rect: Rect, further: tuple[Choice, ...]) -> Rect:
    """The further buttons at the foot of the words' place, and the room that they leave."""
    if not further:
        return rect
    height, gap = canvas.px(48), canvas.px(6)
    row = Rect(rect.x, rect.bottom - height, rect.w, height)
    for place, choice in zip(row.grid(len(further), 1, gap), further, strict=True):
        draw_choice(canvas, place, choice, 17)
    return Rect(rect.x, rect.y, rect.w, rect.h - height - gap)


def _troubles(
    canvas: Canvas[Action], rect: Rect, notes: tuple[str, ...], blind: tuple[str, ...]
) -> None:
    """The faults, and less prominently the ignored sensors."""
    fill, edge = (WARNING, VERMILION) if notes else (BAND, EDGE)
    canvas.add(Box(rect, fill, canvas.px(6), edge, canvas.px(1)))
    room = rect.inset(canvas.px(10), canvas.px(2))
    told = joined((*notes, *blind), DOTTED)
    text = TROUBLE(notes=told) if notes else told
    canvas.text(room, text, Pen(14, WARNING_TEXT if notes else IVORY, lines=2))
