"""The play page, with the taps that are possible now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pi_app.commands import Rematch
from pi_app.match.turns import ANSWERS, IN_PLAY, OVER, Phase
from pi_app.microseconds import ENDLESS, Us, ms
from pi_app.referee.events import Intent
from pi_app.referee.speech import TOLD, WAS_IT
from pi_app.referee.view import GameTale, View
from pi_app.rules.contract import Opening
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    intend,
    open_analysis,
    open_page,
    press_button,
    send,
    show_choices,
    start_edit,
    type_die,
    types_now,
)
from pi_app.screen.boards.marks import marks_of
from pi_app.screen.canvas import Align, Box, Canvas, Look, Pen, Rect, play_places, square_in
from pi_app.screen.header import (
    away_told,
    draw_cube,
    draw_match,
    draw_player,
    draw_timed_players,
    won_by,
)
from pi_app.screen.observability import unseen_told
from pi_app.screen.pages.parts import (
    ANALYSIS,
    BOARD_IS_RIGHT,
    DONE,
    MENU,
    NEW_MATCH,
    SHOW_ME,
    TAKE_BACK,
    Choice,
    draw_choices,
)
from pi_app.screen.pieces import SIGN, TUMBLE, die, tumbling
from pi_app.screen.theme import (
    AMBER,
    BAND,
    DIM,
    EDGE,
    GROUND,
    IVORY,
    TEAL,
    VERMILION,
    WARNING,
    WARNING_TEXT,
    Colour,
)
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import DOTTED, PARAGRAPH, Sentence, joined, on_board, paragraph

ARC = ms(300)
WINS = Sentence("{player} wins")


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die, whose it is, the sign before it, and whether it has been played."""

    face: int
    side: Side
    sign: str = ""
    used: bool = False


def draw_board(
    canvas: Canvas[Action], rect: Rect, shown: Shown, ui: Ui, view: View, now: Us
) -> None:
    moves = view.moves and view.board is not BoardState.CHOOSE
    age = _age(shown, ui.motion.moved_at, now) if moves else ARC
    canvas.moving = canvas.moving or age < ARC
    candidate = min(ui.first_choice, max(len(view.choices) - 1, 0))
    marks = marks_of(view, min(1.0, max(0.1, age / ARC)), candidate)
    drawn = shown.faces[view.game].draw(canvas, rect, shown.board, marks, turned=shown.turned)
    if view.phase in OVER:
        _banner(canvas, drawn.band, view)
    elif view.cube.offered:
        draw_cube(canvas, drawn.dice, 2 * view.cube.value, offered=True)
    elif ui.dice and types_now(shown, view):
        draw_dice(canvas, drawn.dice, tuple(Thrown(face, view.to_act) for face in ui.dice), Us(0))
    else:
        # Dice that players have typed lie on the table already.
        age = ENDLESS if view.typed else _age(shown, ui.motion.rolled_at, now)
        draw_dice(canvas, drawn.dice, faces(view), age)


def _age(shown: Shown, since: Us, now: Us) -> Us:
    """The time since then; without animations everything was long ago."""
    return Us(now - since) if shown.settings.screen.animations else ENDLESS


def faces(view: View) -> tuple[Thrown, ...]:
    """The dice to show: the opening throw with its outcome, or the roll."""
    throw = tuple(Thrown(face, side) for side, face in view.thrown)
    answering = view.phase is Phase.RESIGNATION_OFFERED
    mover = view.to_act.other if answering else view.to_act
    if not view.roll:
        return throw
    rolled = [int(face) for face in view.roll]
    if len(throw) == 2 and len(rolled) == 1:
        first, second = sorted(throw, key=lambda one: -one.face)
        sum_up = Thrown(rolled[0], mover, "=", used=_is_used(view, rolled, 0))
        return first, Thrown(second.face, second.side, "−"), sum_up
    opened = sorted(one.face for one in throw) == sorted(rolled)
    sides = {one.face: one.side for one in throw} if opened else {}
    return tuple(
        Thrown(face, sides.get(face, mover), used=_is_used(view, rolled, index))
        for index, face in enumerate(rolled)
    )


def _is_used(view: View, rolled: list[int], index: int) -> bool:
    """Whether a die is used up; in a doublet each counts twice."""
    left, face = list(view.dice_left), rolled[index]
    if view.phase is not Phase.MOVING:
        return False
    if len(set(rolled)) < len(rolled):
        return len(left) <= 2 * (len(rolled) - 1 - index)
    return face not in left


def draw_dice(canvas: Canvas[Action], place: Rect, thrown: tuple[Thrown, ...], age: Us) -> None:
    """Dice in a row in the middle of their place, signs between them."""
    canvas.moving = canvas.moving or (bool(thrown) and 0 <= age < TUMBLE)
    gaps = [canvas.px(SIGN if one.sign else 8) if index else 0 for index, one in enumerate(thrown)]
    x = place.centre[0] - (sum(gaps) + place.w * len(thrown)) // 2
    for one, gap in zip(thrown, gaps, strict=True):
        if one.sign:
            room = Rect(x, place.y, gap, place.h)
            canvas.text(room, one.sign, Pen(26, IVORY, bold=True, align=Align.CENTRE))
        x += gap
        rect, shows = tumbling(Rect(x, place.y, place.w, place.h), one.face, age)
        canvas.add(*die(rect, shows, one.side, dimmed=one.used))
        x += place.w


def _banner(canvas: Canvas[Action], band: Rect, view: View) -> None:
    """The game's result in large letters over the final board."""
    winner = won_by(view)
    text = view.how or (WINS(player=view.player(winner)) if winner else None)
    if text is None:
        return
    rect = band.inset(canvas.px(10), 0)
    canvas.add(Box(rect, GROUND, canvas.px(12), AMBER, canvas.px(3)))
    pen = Pen(44, IVORY, bold=True, align=Align.CENTRE, lines=2, least=19)
    canvas.text(rect.inset(canvas.px(14), canvas.px(4)), text, pen)


THROW = Sentence("Roll your dice, then tap what they show.")
ONE_OF = Sentence("{number} of {n} possible plays.")
OR_PUT_BACK = Sentence("Or put the checkers back.")
PLAYED_BEFORE = Sentence("{player} played {play}")
COULD_NOT_MOVE = Sentence("{player} could not move")
THREW_BOTH = Sentence("{white} rolled {ours}, {black} {theirs}")
TURNS = Sentence("{n} turn", "{n} turns")
LASTED = Sentence("{n} minute", "{n} minutes")
LUCK = Sentence("Luck in pips: {white} {ours}, {black} {theirs}")

MEAN_TIMES_SIX = 49
"""The pips of a roll of two dice, doublets counted twice, are 49 / 6 in the mean."""
MINUTE_US = 60_000_000

SIZES = ((25, 17, 15), (23, 16, 15), (21, 15, 14), (19, 15, 14), (19, 14, 14))
"""Units: for message, hint and last play; the largest that fit."""

MANY = 20
"""Lines: as many as the card holds."""


def draw_words(canvas: Canvas[Action], rect: Rect, ui: Ui, view: View, *, typing: bool) -> None:
    is_wrong = view.board in ALARMS and view.phase is not Phase.SET_UP
    good = view.board in (BoardState.PLAYED, BoardState.CHOOSE) and view.phase not in OVER
    canvas.add(Box(rect, WARNING if is_wrong else BAND, canvas.px(8)))
    canvas.stripe(rect, VERMILION if is_wrong else TEAL if good else AMBER)
    room = Rect(rect.x + canvas.px(14), rect.y, rect.w - canvas.px(20), rect.h)
    room = room.inset(0, canvas.px(5))
    if typing:
        room = _dice_keys(canvas, room, view)
    small = WARNING_TEXT if is_wrong else IVORY
    message, hint = _said(ui, view)
    hint = THROW() if typing and not view.changing else hint
    _write(canvas, room, (message, hint, _before(view)), small)


def _write(canvas: Canvas[Action], room: Rect, texts: tuple[str, str, str], small: Colour) -> None:
    """Message and hint at the top, the last play at the foot.

    Without room the last play is left out first, then the hint: the board shows what to do.
    """
    for kept in (texts, (*texts[:2], ""), (texts[0], "", "")):
        for sizes in _sizes(canvas):
            pens = _pens(sizes, small)
            heights = [
                canvas.height(text, room.w, pen) for text, pen in zip(kept, pens, strict=True)
            ]
            if sum(heights) <= room.h:
                _lay(canvas, room, kept, pens, heights)
                return
    upper, lower = room.rows((1, 1), 0)
    for place, text, pen in zip((upper, lower), texts, _pens(SIZES[-1], small), strict=False):
        canvas.text(place, text, pen)


def _sizes(canvas: Canvas[Action]) -> Iterator[tuple[float, float, float]]:
    """The sizes to try, largest first; with large text only larger ones."""
    for scale in canvas.scales:
        for large, middle, least in SIZES:
            if scale == 1 or large * scale > SIZES[0][0]:
                yield large * scale, middle * scale, least * scale


def _pens(sizes: tuple[float, float, float], small: Colour) -> tuple[Pen, Pen, Pen]:
    large, middle, least = sizes
    return (
        Pen(large, IVORY, bold=True, lines=MANY, least=large),
        Pen(middle, small, lines=MANY, least=middle),
        Pen(least, DIM, lines=MANY, least=least),
    )


def _lay(
    canvas: Canvas[Action],
    room: Rect,
    texts: tuple[str, str, str],
    pens: tuple[Pen, Pen, Pen],
    heights: list[int],
) -> None:
    seam = min(canvas.px(5), room.h - sum(heights))
    tops = (room.y, room.y + heights[0] + seam, room.bottom - heights[2])
    for top, height, text, pen in zip(tops, heights, texts, pens, strict=True):
        if text:
            canvas.text(Rect(room.x, top, room.w, height), text, pen)


def _said(ui: Ui, view: View) -> tuple[str, str]:
    """The message and the hint; of several plays one at a time."""
    if view.phase in OVER and view.tale:
        return view.message, joined(tuple(_told(view, view.tale)), PARAGRAPH)
    if view.board is not BoardState.CHOOSE or not view.moves_exist or not view.choices:
        return view.message, view.hint
    index = min(ui.first_choice, len(view.choices) - 1)
    question = WAS_IT(play=view.choices[index])
    if len(view.choices) == 1:
        return question, view.hint
    which = ONE_OF(number=index + 1, n=len(view.choices))
    return question, paragraph(which, OR_PUT_BACK())


def _before(view: View) -> str:
    """The play before, or the opening throw while there is none."""
    quiet = view.board in (BoardState.RESTING, BoardState.IN_HAND)
    if view.phase not in IN_PLAY or view.phase is Phase.OPENING_THROW or not quiet:
        return ""
    if view.last_play:
        player = view.player(view.last_play.side)
        if not view.last_play.play:
            return COULD_NOT_MOVE(player=player)
        return PLAYED_BEFORE(player=player, play=on_board(view.last_play.play))
    if len(view.thrown) < 2:
        return ""
    (_, ours), (_, theirs) = view.thrown
    white, black = view.players
    return THREW_BOTH(white=white, ours=ours, black=black, theirs=theirs)


def _told(view: View, tale: GameTale) -> Iterator[str]:
    """The game's summary, a sentence each."""
    minutes = "" if tale.lasted is None else LASTED(n=max(1, round(tale.lasted / MINUTE_US)))
    parts = [joined((TURNS(n=tale.turns) if tale.turns else "", minutes), DOTTED)]
    if all(rolls for rolls, _ in tale.thrown):
        (white, black), luck = view.players, tuple(_luck(*thrown) for thrown in tale.thrown)
        parts.append(LUCK(white=white, ours=luck[0], black=black, theirs=luck[1]))
    if view.phase is Phase.MATCH_OVER:
        yield view.hint
    else:
        parts.insert(0, away_told(view))
    yield from (TOLD(result=part) for part in parts if part)


def _luck(rolls: int, pips: int) -> str:
    """The dice's luck in pips, with its sign."""
    return f"{pips - round(rolls * MEAN_TIMES_SIX / 6):+d}".replace("-", "−")


def _dice_keys(canvas: Canvas[Action], room: Rect, view: View) -> Rect:
    """Six dice to tap at the foot of the words, and the room that they leave."""
    gap, key = canvas.px(6), canvas.px(48)
    columns = 6 if canvas.upright else 3
    height = (6 // columns) * (key + gap) - gap
    keys = Rect(room.x - canvas.px(4), room.bottom - height, room.w + canvas.px(4), height)
    for face, place in enumerate(keys.grid(columns, 6 // columns, gap), start=1):
        canvas.frame(place, Look.QUIET)
        canvas.add(*die(square_in(place.inset(canvas.px(5))), face, view.to_act))
        canvas.touch(place, type_die(face))
    return Rect(room.x, room.y, room.w, room.h - height - gap)


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
    """The buttons of the play page, each kind in its own fixed place.

    `main` continues the game, `small` are Undo and Menu, `further` appear below the words during a
    question, and `cube` is the effect of touching the cube's card. While the board is wrong, the
    main place holds both ways out side by side; `other` is the second.
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
    main = places.main.grid(len(ways), 1, canvas.px(6))
    draw_choices(canvas, main, ways, 21 if len(ways) == 1 else 17)
    draw_choices(canvas, places.small, buttons.small, 17)


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
        cube = Choice(DOUBLE_TO(stake=2 * view.cube.value), intend(Intent.DOUBLE))
    small = (_take_back(view), Choice(MENU(), open_page(Page.MENU)))
    return Buttons(main, small, tuple(_further_choices(ui, view)), cube, _other_way(view))


def _main(ui: Ui, view: View) -> Choice:
    if view.phase in ANSWERS:
        return _usual_answer(view)
    if view.board is BoardState.CHOOSE and view.choices:
        play = view.choices[min(ui.first_choice, len(view.choices) - 1)]
        label = YES() if view.moves_exist else PASS_TURN()
        return Choice(label, intend(Intent.CHOOSE, play=play), Look.MAIN)
    if view.phase in OVER:
        return _following_game(view)
    if view.board in ALARMS:
        return _show_me(view)
    press = go_on(view)
    if press is None and view.phase is Phase.MOVING and not view.awaiting_roll:
        # An unseen play is possible: a press asks.
        return Choice(DONE(), press_button())
    return Choice(press or _next_press(view), press_button() if press else None, Look.MAIN)


def _usual_answer(view: View) -> Choice:
    """A double is taken, and a resignation refused, as a short press does."""
    doubled = view.phase is Phase.DOUBLE_OFFERED
    intent = Intent.TAKE if doubled else Intent.REFUSE
    label = TAKE_AT(stake=2 * view.cube.value) if doubled else PLAY_ON()
    return Choice(label, intend(intent) if intent in view.offers else None, Look.MAIN)


def _following_game(view: View) -> Choice:
    if view.phase is Phase.MATCH_OVER:
        return Choice(REMATCH(), send(Rematch()), Look.MAIN)
    following = intend(Intent.NEXT_GAME) if Intent.NEXT_GAME in view.offers else None
    return Choice(NEXT_GAME(), following, Look.MAIN)


def _next_press(view: View) -> str:
    throws = view.phase is not Phase.MOVING and view.opening is not Opening.NO_THROW
    return ROLL_FOR(player=view.player(view.to_act)) if throws else DONE()


def _show_me(view: View) -> Choice:
    possible = Intent.SCREEN_IS_RIGHT in view.offers and not view.guiding
    return Choice(SHOW_ME(), intend(Intent.SCREEN_IS_RIGHT) if possible else None, Look.MAIN)


def _other_way(view: View) -> Choice | None:
    """Make the board's position the accepted one: beside Show me, while they differ.

    After a match it begins a new one, beside the rematch.
    """
    if view.phase is Phase.MATCH_OVER:
        return Choice(NEW_MATCH(), open_page(Page.NEW_MATCH))
    answers = view.board is BoardState.CHOOSE or view.phase in ANSWERS
    is_wrong = view.board in ALARMS or view.phase is Phase.SET_UP
    if answers or not is_wrong or Intent.BOARD_IS_RIGHT not in view.offers:
        return None
    return Choice(BOARD_IS_RIGHT(), start_edit())


def _further_choices(ui: Ui, view: View) -> Iterator[Choice]:
    is_wrong = view.board in ALARMS or view.phase is Phase.SET_UP
    if view.phase in ANSWERS:
        yield from _other_answer(view)
    elif view.phase in OVER:
        yield Choice(ANALYSIS(), open_analysis())
    elif view.board is BoardState.CHOOSE:
        if len(view.choices) > 1:
            following = (ui.first_choice + 1) % len(view.choices)
            yield Choice(NO_ANOTHER(), show_choices(following))
    elif Intent.CHANGE_DICE in view.offers:
        yield Choice(CHANGE_DICE(), intend(Intent.CHANGE_DICE))
    elif view.ask_back:
        yield from _ask_back(view)
    elif is_wrong and Intent.SENSOR_OFF in view.offers:
        for sensor in view.suspects[:1]:
            yield Choice(SENSOR_OFF(sensor=sensor), intend(Intent.SENSOR_OFF, sensor=sensor))


def _other_answer(view: View) -> Iterator[Choice]:
    """The other answer; for a wrong board a way out."""
    if Intent.PASS in view.offers:
        yield Choice(PASS_FOR(points=view.cube.value), intend(Intent.PASS))
    if view.resignation and Intent.ACCEPT in view.offers:
        yield Choice(ACCEPT(n=view.resignation.points), intend(Intent.ACCEPT))
    if view.board in ALARMS:
        show = _show_me(view)
        right = Choice(BOARD_IS_RIGHT(), start_edit())
        yield replace(show, look=Look.PLAIN) if show.action else right


def _ask_back(view: View) -> Iterator[Choice]:
    """At a new game: whether a sensor that was set aside before is to be tried again."""
    for sensor in view.ask_back[:1]:
        yield Choice(TRY_SENSOR(sensor=sensor), intend(Intent.SENSOR_ON, sensor=sensor))
        yield Choice(LEAVE_SENSOR(sensor=sensor), intend(Intent.SENSOR_OFF, sensor=sensor))


def _take_back(view: View) -> Choice:
    """Right after a takeback its undoing stands there; another one is in the menu."""
    if Intent.RESTORE in view.offers:
        return Choice(UNDO_TAKEBACK(), intend(Intent.RESTORE))
    offered = Intent.TAKE_BACK in view.offers
    look = Look.MAIN if view.earlier else Look.PLAIN
    return Choice(TAKE_BACK(), open_page(Page.TAKE_BACK) if offered else None, look)


# Drawing ------------------------------------------------------------------------------------


def _further(canvas: Canvas[Action], rect: Rect, further: tuple[Choice, ...]) -> Rect:
    """The further buttons at the foot of the words' place, and the room that they leave."""
    if not further:
        return rect
    height, gap = canvas.px(48), canvas.px(6)
    draw_choices(canvas, rect.lower(height).grid(len(further), 1, gap), further, 17)
    return rect.upper(rect.h - height - gap)


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
