"""The play page: whatever the view is about, with the taps that would change something now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from pi_app.match.phases import ANSWERS, OVER, Phase
from pi_app.microseconds import ENDLESS, Us, ms
from pi_app.referee.events import Intent
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    Do,
    Hold,
    Intend,
    Open,
    ShowChoices,
    TypeDie,
    types_now,
)
from pi_app.screen.boards.marks import Arrow, Drawn, marks_of
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.commands import Rematch
from pi_app.screen.edits import StartEdit
from pi_app.screen.header import VERSUS, away_told, draw_cube, draw_header, first_to
from pi_app.screen.layout import BUTTON, beside_bands, button_places, play_bands
from pi_app.screen.observability import unseen_told
from pi_app.screen.pieces import TUMBLE, die, tumbling
from pi_app.screen.shapes import Align, Box, Rect, around, square_in
from pi_app.screen.theme import (
    AMBER,
    BAND,
    DIM,
    EDGE,
    FELT,
    IVORY,
    TEAL,
    VERMILION,
    WARNING,
    WARNING_TEXT,
    WOOD,
    WOOD_EDGE,
)
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.sentences import DOTTED, Sentence, joined

ARC = ms(300)
THROW = Sentence("Throw your dice, then tap what they show.")
ROLL_FOR = Sentence("Roll for {player}")
DONE = Sentence("Done")
PASS_TURN = Sentence("Pass the turn")
SENSOR_OFF = Sentence("Sensor {sensor} off")
TRY_SENSOR = Sentence("Try sensor {sensor}")
LEAVE_SENSOR = Sentence("Leave {sensor} aside")
TAKE_AT = Sentence("Take at {stake}")
PASS_FOR = Sentence("Pass, lose {points}")
NEXT_GAME = Sentence("Next game")
DOUBLE_TO = Sentence("Double to\u00a0{stake}")
TAKE_BACK = Sentence("Take back")
UNDO_TAKEBACK = Sentence("Undo the takeback")
CHANGE_DICE = Sentence("Change the dice")
ACCEPT = Sentence("Accept 1 point", "Accept {n} points")
PLAY_ON = Sentence("Play on")
REMATCH = Sentence("Rematch")
SHOW_ME = Sentence("Show me")
BOARD_IS_RIGHT = Sentence("Board is right")
NEW_MATCH = Sentence("New match")
OTHERS = Sentence("Others")
MENU = Sentence("Menu")
LETTERED = Sentence("{letter}: {play}")
MATCH_IS_OVER = Sentence("The match is over")
GAME_IS_OVER = Sentence("Game {number} is over")
TROUBLE = Sentence("! {notes}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A button to be."""

    label: str
    action: Action
    look: Look = Look.PLAIN


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die, whose it is, and the sign before it."""

    face: int
    side: Side
    sign: str = ""


def draw_play(canvas: Canvas[Action], shown: Shown, ui: Ui, view: View, now: Us) -> None:
    """All five bands."""
    notes, blind = shown.notes, tuple(unseen_told(view))
    tall = shown.faces[view.game].tall
    bands = (beside_bands if tall else play_bands)(canvas.size, troubled=bool(notes or blind))
    draw_header(canvas, bands.header, view)
    if notes or blind:
        _troubles(canvas, bands.troubles, notes, blind)
    if view.phase in OVER:
        _result(canvas, bands.board, view)
    else:
        _board(canvas, bands.board, shown, ui, view, now)
    typing = types_now(shown, view)
    _sentence(canvas, bands.sentence, view, THROW() if typing and not view.changing else view.hint)
    if typing:
        _dice_keys(canvas, bands.buttons, view)
    else:
        _buttons(canvas, bands.buttons, tuple(choices(ui, view)), stacked=canvas.upright or tall)


def go_on(view: View) -> str | None:
    """What a short press of the die button would do now, or None when it would do nothing."""
    if view.phase in (Phase.SET_UP, *OVER, *ANSWERS):
        return None
    if view.phase in (Phase.OPENING_THROW, Phase.TO_ROLL):
        return None if view.board in ALARMS else ROLL_FOR(player=_player(view, view.to_act))
    if view.board is BoardState.PLAYED:
        return DONE()
    stuck = view.board is BoardState.RESTING and bool(view.legal) and not view.moves_exist
    return PASS_TURN() if stuck else None


def choices(ui: Ui, view: View) -> Iterator[Choice]:
    """At most four buttons, the likeliest first; the menu is always the last."""
    if view.phase in ANSWERS:
        yield from _answers(view)
    elif view.board is BoardState.CHOOSE:
        yield from _plays(ui, view)
    elif view.board in ALARMS:
        yield from _ways_out(view)
    elif view.phase is Phase.SET_UP:
        asked = tuple(_ask_back(view))
        yield from asked
        yield from islice(_ways_out(view), 3 - len(asked))
    elif view.phase is Phase.MATCH_OVER:
        yield Choice(REMATCH(), Do(Rematch()), Look.MAIN)
        yield Choice(NEW_MATCH(), Open(Page.NEW_MATCH))
        yield from _take_back(view)
    else:
        yield from _turn(view)
    yield Choice(MENU(), Open(Page.MENU))


def _plays(ui: Ui, view: View) -> Iterator[Choice]:
    """Three plays fit; of more, two at a time."""
    for letter, play in _shown_choices(ui, view):
        label = LETTERED(letter=letter, play=play)
        yield Choice(label, Intend(Intent.CHOOSE, play=play), Look.MAIN)
    if len(view.choices) > 3:
        following = ui.first_choice + 2
        yield Choice(OTHERS(), ShowChoices(following if following < len(view.choices) else 0))


def _shown_choices(ui: Ui, view: View) -> Iterator[tuple[str, str]]:
    few = len(view.choices) <= 3
    first = 0 if few else ui.first_choice
    for index in range(first, min(first + (3 if few else 2), len(view.choices))):
        yield chr(ord("A") + index % 26), view.choices[index]


def _ways_out(view: View) -> Iterator[Choice]:
    if view.earlier:
        yield from _take_back(view)
    elif Intent.SCREEN_IS_RIGHT in view.offers and not view.guiding:
        yield Choice(SHOW_ME(), Intend(Intent.SCREEN_IS_RIGHT), Look.MAIN)
    if Intent.BOARD_IS_RIGHT in view.offers:
        yield Choice(BOARD_IS_RIGHT(), StartEdit())
    if view.suspects and Intent.SENSOR_OFF in view.offers:
        sensor = view.suspects[0]
        yield Choice(SENSOR_OFF(sensor=sensor), Intend(Intent.SENSOR_OFF, sensor=sensor))


def _ask_back(view: View) -> Iterator[Choice]:
    """At a new game: whether a sensor that was set aside before is to be tried again."""
    for sensor in view.ask_back[:1]:
        yield Choice(TRY_SENSOR(sensor=sensor), Intend(Intent.SENSOR_ON, sensor=sensor))
        yield Choice(LEAVE_SENSOR(sensor=sensor), Intend(Intent.SENSOR_OFF, sensor=sensor))


def _turn(view: View) -> Iterator[Choice]:
    press = go_on(view)
    if press:
        yield Choice(press, Hold(), Look.MAIN)
    if not view.offers & {Intent.DOUBLE, Intent.TAKE_BACK}:
        yield from _ask_back(view)
    if Intent.NEXT_GAME in view.offers:
        yield Choice(NEXT_GAME(), Intend(Intent.NEXT_GAME), Look.MAIN)
    if Intent.DOUBLE in view.offers:
        yield Choice(DOUBLE_TO(stake=2 * view.cube.value), Intend(Intent.DOUBLE))
    yield from _change_dice(view)
    yield from _take_back(view)


def _answers(view: View) -> Iterator[Choice]:
    """To what was offered, whatever stands on the board; while it is amiss one way out as well."""
    if Intent.TAKE in view.offers:
        yield Choice(TAKE_AT(stake=2 * view.cube.value), Intend(Intent.TAKE), Look.MAIN)
    if Intent.PASS in view.offers:
        yield Choice(PASS_FOR(points=view.cube.value), Intend(Intent.PASS))
    if view.resignation and Intent.ACCEPT in view.offers:
        yield Choice(ACCEPT(n=view.resignation.points), Intend(Intent.ACCEPT))
    if Intent.REFUSE in view.offers:
        yield Choice(PLAY_ON(), Intend(Intent.REFUSE), Look.MAIN)
    if view.board in ALARMS:
        yield from islice(_ways_out(view), 1)


def _change_dice(view: View) -> Iterator[Choice]:
    if Intent.CHANGE_DICE in view.offers:
        yield Choice(CHANGE_DICE(), Intend(Intent.CHANGE_DICE))


def _take_back(view: View) -> Iterator[Choice]:
    """Right after a takeback its undoing stands there; another one is in the menu."""
    if Intent.RESTORE in view.offers:
        yield Choice(UNDO_TAKEBACK(), Intend(Intent.RESTORE))
        return
    if Intent.TAKE_BACK in view.offers:
        yield Choice(TAKE_BACK(), Open(Page.TAKE_BACK))


def _player(view: View, side: Side) -> str:
    return view.players[side is Side.BLACK]


# Drawing ------------------------------------------------------------------------------------


def _troubles(
    canvas: Canvas[Action], rect: Rect, notes: tuple[str, ...], blind: tuple[str, ...]
) -> None:
    """What is amiss, and more quietly where Spotter is blind."""
    fill, edge = (WARNING, VERMILION) if notes else (BAND, EDGE)
    canvas.add(Box(rect, fill, canvas.px(6), edge, canvas.px(1)))
    room = rect.inset(canvas.px(10), canvas.px(2))
    told = joined((*notes, *blind), DOTTED)
    text = TROUBLE(notes=told) if notes else told
    canvas.text(room, text, Pen(14, WARNING_TEXT if notes else IVORY, lines=2))


def _board(canvas: Canvas[Action], rect: Rect, shown: Shown, ui: Ui, view: View, now: Us) -> None:
    arrows = tuple(_arrows(canvas, shown, ui, view, now))
    marks, face = marks_of(view, arrows), shown.faces[view.game]
    drawn = face.draw(canvas, rect, shown.board, marks, turned=shown.turned)
    _tap_letters(canvas, drawn, rect, tuple(_shown_choices(ui, view)))
    if view.cube.offered:
        draw_cube(canvas, drawn.dice, 2 * view.cube.value, offered=True)
    elif ui.dice and types_now(shown, view):
        _dice(canvas, drawn.dice, tuple(Thrown(face, view.to_act) for face in ui.dice), Us(0))
    else:
        _dice(canvas, drawn.dice, _faces(view), _dice_age(shown, ui, view, now))


def _tap_letters(
    canvas: Canvas[Action], drawn: Drawn, rect: Rect, plays: tuple[tuple[str, str], ...]
) -> None:
    """A letter on the board chooses its play, as its button does, where it has a finger's room."""
    reach, taken = canvas.px(BUTTON // 2), list[Rect]()
    for letter, play in plays:
        if letter in drawn.letters:
            room = around(drawn.letters[letter], reach)
            if rect.holds(room) and not any(room.overlaps(other) for other in taken):
                canvas.touch(room, Intend(Intent.CHOOSE, play=play))
                taken.append(room)


def _arrows(canvas: Canvas[Action], shown: Shown, ui: Ui, view: View, now: Us) -> Iterator[Arrow]:
    if view.board is BoardState.CHOOSE:
        moves = dict(zip(view.choices, view.choice_moves, strict=True))
        for letter, text in _shown_choices(ui, view):
            yield Arrow(moves[text], letter)
    elif view.moves:
        age = _age(shown, ui.motion.moved_at, now)
        canvas.moving = canvas.moving or age < ARC
        yield Arrow(view.moves, done=min(1.0, max(0.1, age / ARC)))


def _age(shown: Shown, since: Us, now: Us) -> Us:
    """How long ago; with animations off everything was long ago."""
    return Us(now - since) if shown.settings.screen.animations else ENDLESS


def _dice_age(shown: Shown, ui: Ui, view: View, now: Us) -> Us:
    """Dice that players have typed lie on the table already: they do not tumble."""
    return ENDLESS if view.typed else _age(shown, ui.motion.rolled_at, now)


def _faces(view: View) -> tuple[Thrown, ...]:
    """The dice to show: those of the opening throw with what comes of them, or the roll's."""
    if len(view.thrown) == 2 and view.roll and len(view.roll) == 1:
        (high, first), (low, second) = sorted(
            ((face, side) for side, face in view.thrown), key=lambda thrown: -thrown[0]
        )
        difference = Thrown(int(view.roll), view.to_act, "=")
        return Thrown(high, first), Thrown(low, second, "−"), difference
    if view.phase is Phase.OPENING_THROW:
        return tuple(Thrown(face, side) for side, face in view.thrown)
    return tuple(Thrown(int(face), view.to_act) for face in view.roll or "")


def _dice(canvas: Canvas[Action], place: Rect, thrown: tuple[Thrown, ...], age: Us) -> None:
    """Dice in a row in the middle of their place, signs between them."""
    canvas.moving = canvas.moving or (bool(thrown) and 0 <= age < TUMBLE)
    gaps = [canvas.px(30 if one.sign else 8) if index else 0 for index, one in enumerate(thrown)]
    x = place.centre[0] - (sum(gaps) + place.w * len(thrown)) // 2
    for one, gap in zip(thrown, gaps, strict=True):
        if one.sign:
            room = Rect(x, place.y + canvas.px(12), gap, place.h - canvas.px(12))
            canvas.text(room, one.sign, Pen(26, IVORY, bold=True, align=Align.CENTRE))
        x += gap
        rect, shows = tumbling(Rect(x, place.y, place.w, place.h), one.face, age)
        canvas.add(*die(rect, shows, one.side))
        x += place.w


def _result(canvas: Canvas[Action], rect: Rect, view: View) -> None:
    """How the game ended, in place of a board that nobody needs now."""
    canvas.add(Box(rect, WOOD, canvas.px(14), WOOD_EDGE, canvas.px(1.5)))
    felt = rect.inset(canvas.px(10))
    canvas.add(Box(felt, FELT, canvas.px(8)))
    upper, middle, lower = felt.inset(canvas.px(20), canvas.px(8)).rows((3, 4, 2), canvas.px(4))
    over = view.phase is Phase.MATCH_OVER
    title = MATCH_IS_OVER() if over else GAME_IS_OVER(number=view.game_number)
    pen = Pen(26, IVORY, bold=True, align=Align.CENTRE, lines=3)
    canvas.text(upper, view.last_result or title, pen)
    score = f"{view.score.white} – {view.score.black}"
    canvas.text(middle, score, Pen(72, IVORY, bold=True, align=Align.CENTRE))
    who = away_told(view) if view.phase is Phase.GAME_OVER else ""
    versus = who or VERSUS(white=view.players[0], black=view.players[1])
    words = joined((versus, first_to(view)), DOTTED)
    canvas.text(lower, words, Pen(19, IVORY, align=Align.CENTRE, lines=2))


def _sentence(canvas: Canvas[Action], rect: Rect, view: View, hint: str) -> None:
    """What is so, and what to do."""
    amiss = view.board in ALARMS and view.phase is not Phase.SET_UP
    good = view.board in (BoardState.PLAYED, BoardState.CHOOSE)
    bar = VERMILION if amiss else TEAL if good else AMBER
    canvas.add(Box(rect, WARNING if amiss else BAND, canvas.px(8)))
    canvas.add(Box(Rect(rect.x, rect.y, canvas.px(8), rect.h), bar, canvas.px(4)))
    room = Rect(rect.x + canvas.px(22), rect.y, rect.w - canvas.px(32), rect.h)
    room = room.inset(0, canvas.px(3))
    upper, lower = room.rows((33, 25) if hint else (1, 0), 0)
    large = 30 if canvas.upright else 23
    deep = 2 * rect.h > rect.w
    canvas.text(upper, view.message, Pen(large, IVORY, bold=True, lines=5 if deep else 2))
    if hint:
        colour = WARNING_TEXT if amiss else DIM
        canvas.text(lower, hint, Pen(large * 0.74, colour, lines=8 if deep else 3))


def _buttons(
    canvas: Canvas[Action], rect: Rect, shown: tuple[Choice, ...], *, stacked: bool
) -> None:
    if stacked and len(shown) == 1 and not canvas.upright:
        rect = rect.rows((1, 1), canvas.px(12))[1]
    places = button_places(rect, len(shown), canvas.px(12), upright=stacked)
    for place, choice in zip(places, shown, strict=True):
        canvas.button(place, choice.label, choice.action, choice.look)


def _dice_keys(canvas: Canvas[Action], rect: Rect, view: View) -> None:
    """Six dice to tap, and beside or below them what else can be done."""
    others = [Choice(MENU(), Open(Page.MENU))]
    if Intent.DOUBLE in view.offers:
        others.insert(0, Choice(DOUBLE_TO(stake=2 * view.cube.value), Intend(Intent.DOUBLE)))
    others[:0] = _change_dice(view)
    gap = canvas.px(8)
    if canvas.upright:
        upper, lower = rect.rows((1, 1), canvas.px(12))
        keys, rest = upper.grid(6, 1, gap), lower.grid(len(others), 1, gap)
    else:
        places = rect.columns((1,) * 6 + (1.6,) * len(others), gap)
        keys, rest = places[:6], places[6:]
    for face, place in enumerate(keys, start=1):
        canvas.frame(place, Look.PLAIN)
        canvas.add(*die(square_in(place.inset(canvas.px(5))), face, view.to_act))
        canvas.touch(place, TypeDie(face))
    for place, choice in zip(rest, others, strict=True):
        canvas.button(place, choice.label, choice.action, choice.look)
