"""The play page: the players, the match and its clock, the board, and the possible taps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pi_app.commands import Rematch
from pi_app.match.turns import ANSWERS, IN_PLAY, OVER, Phase
from pi_app.microseconds import ENDLESS, Us, ms
from pi_app.referee.events import Intent
from pi_app.referee.speech import TOLD, UNLIMITED, WAS_IT
from pi_app.referee.view import LOW, SECOND, ClockFace, GameTale, TourStep, View, told
from pi_app.rules.contract import Opening
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    Screen,
    end_tour,
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
from pi_app.screen.canvas import Align, Box, Disc, Look, Pen, Rect, play_places, square_in
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
from pi_app.screen.pieces import SIGN, TUMBLE, checker, cube_body, die, tumbling
from pi_app.screen.theme import (
    AMBER,
    BAND,
    DIM,
    EDGE,
    GROUND,
    INK,
    IVORY,
    TEAL,
    VERMILION,
    WARNING,
    WARNING_TEXT,
    Colour,
    mix,
)
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import DOTTED, PARAGRAPH, Sentence, joined, on_board, paragraph

# The players' cards in a match with a clock: side by side, their time in large figures.
#
# The figures are drawn, seven bars each: 45 units high at least on a wide screen. At 800 x 480
# that is 6.1 mm on a display of 5 inches and 8.6 mm on one of 7: from two metres 10 and 14 minutes
# of arc, where normal sight needs 5. What stands in a colour stands in a form as well: short of
# time is a filled card, a clock that stands has two bars beside the name, overtime a plus.

NAME, LINE = 21, 25
"""Units: the heights of the name and of the line below it; the figures get the rest."""
STROKE = 5
WIDTH, NARROWEST = 20, 11
"""Units: the width of a clock figure, and of one that makes room for hours."""
COLON, SEAM = 7, 4
BARS: Mapping[str, str] = MappingProxyType(
    {
        "0": "abcdef",
        "1": "bc",
        "2": "abdeg",
        "3": "abcdg",
        "4": "bcfg",
        "5": "acdfg",
        "6": "acdefg",
        "7": "abc",
        "8": "abcdefg",
        "9": "abcdfg",
    }
)
"""Which bars make a figure: a above, b and c at its right, d below, e and f left, g across."""


def draw_timed_players(
    canvas: Screen, places: tuple[Rect, Rect], view: View, face: ClockFace, now: Us
) -> None:
    first, last = places
    if not canvas.upright:
        both = Rect(first.x, first.y, first.w, last.bottom - first.y)
        first, last = both.columns((1, 1), canvas.px(6))
    for side, place in zip(Side, (first, last), strict=True):
        _card(canvas, place, view, side, face, now)


def _card(canvas: Screen, rect: Rect, view: View, side: Side, face: ClockFace, now: Us) -> None:
    left, over = face[side].left_at(now), view.phase in OVER
    turn, won = view.to_act is side and not over, won_by(view) is side
    low = is_low(face, side, now) and not over
    edge = AMBER if turn or won else EDGE
    fill = mix(BAND, AMBER, 0.3) if won else BAND
    canvas.add(Box(rect, fill, canvas.px(8), edge, canvas.px(2 if turn or won else 1)))
    room = rect.inset(canvas.px(6), canvas.px(3))
    if canvas.upright:
        words, figures = room.columns((1, 1), canvas.px(4))
        upper, lower = words.rows((18, 24), 0)
    else:
        upper, lower, figures = _rows(canvas, room)
    _named(canvas, upper, view, side, face, now)
    _counted(canvas, lower, view, side)
    if low:
        canvas.add(Box(figures, VERMILION, canvas.px(5)))
    ink = INK if low else IVORY if turn or over else DIM
    draw_time(canvas, figures.inset(canvas.px(2), 0), told(left), ink)


def is_low(face: ClockFace, side: Side, now: Us) -> bool:
    return face.holder is side and face[side].left_at(now) < LOW


def _rows(canvas: Screen, room: Rect) -> tuple[Rect, Rect, Rect]:
    name, line = canvas.px(NAME), canvas.px(LINE)
    upper = Rect(room.x, room.y, room.w, name)
    lower = Rect(room.x, upper.bottom, room.w, line)
    return upper, lower, Rect(room.x, lower.bottom, room.w, room.bottom - lower.bottom)


def _named(canvas: Screen, rect: Rect, view: View, side: Side, face: ClockFace, now: Us) -> None:
    """Who it is, in overtime or not; how much of the delay is left, or that the clock stands."""
    end, holds = rect.right, face.holder is side
    delay = -(-face.delay_at(side, now) // SECOND)
    if holds and not face.runs and view.phase not in OVER:
        wide, high = canvas.px(4), rect.h * 6 // 10
        for step in (1, 3):
            bar = Rect(rect.right - step * wide, rect.centre[1] - high // 2, wide, high)
            canvas.add(Box(bar, IVORY))
        end -= 5 * wide
    sign = "+" * face[side].overtime + (str(delay) if delay else "")
    if sign:
        pen = Pen(15, IVORY, bold=True, align=Align.RIGHT)
        wide = canvas.width(sign, pen)
        canvas.line(Rect(end - wide, rect.y, wide, rect.h), sign, pen)
        end -= wide + canvas.px(3)
    bold = view.to_act is side
    name = Rect(rect.x, rect.y, end - rect.x, rect.h)
    canvas.line(name, view.player(side), Pen(15, IVORY if bold else DIM, bold=bold))


def _counted(canvas: Screen, rect: Rect, view: View, side: Side) -> None:
    r = min(canvas.px(9), rect.h // 2 - 1)
    turn = view.to_act is side and view.phase not in OVER
    centre = rect.x + r, rect.centre[1]
    if turn:
        canvas.add(Disc(centre, r, AMBER))
    canvas.add(*checker(centre, r * 7 // 10, side))
    score, pen = str(view.score[side]), Pen(20, IVORY, bold=True, align=Align.RIGHT)
    wide = canvas.width(score, pen)
    canvas.line(Rect(rect.right - wide, rect.y, wide, rect.h), score, pen)
    x = rect.x + 2 * r + canvas.px(5)
    room = Rect(x, rect.y, rect.right - wide - canvas.px(5) - x, rect.h)
    if won_by(view) is side and view.result:
        text = GAINED(points=view.result.points)
        canvas.line(room, text, Pen(15, IVORY, bold=True))
    elif view.pips:
        canvas.line(room, str(view.pips[side is Side.BLACK]), Pen(15, DIM))


def draw_time(canvas: Screen, rect: Rect, time: str, ink: Colour) -> None:
    """Figures of seven bars, as high as their room, at its right; narrower where they are many."""
    seam, colon = canvas.px(SEAM), canvas.px(COLON)
    figures, dots = sum(sign in BARS for sign in time), sum(sign not in BARS for sign in time)
    free = rect.w - dots * colon - (len(time) - 1) * seam
    wide = max(canvas.px(NARROWEST) // 2, min(canvas.px(WIDTH), free // figures))
    x = rect.right - (figures * wide + dots * colon + (len(time) - 1) * seam)
    high = rect.inset(0, canvas.px(2))
    for sign in time:
        if sign in BARS:
            _figure(canvas, Rect(x, high.y, wide, high.h), BARS[sign], ink)
            x += wide + seam
        else:
            _point(canvas, Rect(x, high.y, colon, high.h), sign, ink)
            x += colon + seam


def _figure(canvas: Screen, rect: Rect, bars: str, ink: Colour) -> None:
    thick = canvas.px(STROKE)
    middle = rect.centre[1] - thick // 2
    upper, lower = middle + thick - rect.y, rect.bottom - middle
    right = rect.right - thick
    places = {
        "a": Rect(rect.x, rect.y, rect.w, thick),
        "b": Rect(right, rect.y, thick, upper),
        "c": Rect(right, middle, thick, lower),
        "d": Rect(rect.x, rect.bottom - thick, rect.w, thick),
        "e": Rect(rect.x, middle, thick, lower),
        "f": Rect(rect.x, rect.y, thick, upper),
        "g": Rect(rect.x, middle, rect.w, thick),
    }
    canvas.add(*(Box(places[bar], ink) for bar in bars))


def _point(canvas: Screen, rect: Rect, sign: str, ink: Colour) -> None:
    side = canvas.px(STROKE + 1)
    x = rect.centre[0] - side // 2
    heights = (rect.y + rect.h * 3 // 10, rect.y + rect.h * 7 // 10) if sign == ":" else ()
    for y in heights or (rect.bottom - side,):
        canvas.add(Box(Rect(x, y if sign != ":" else y - side // 2, side, side), ink))


# The cards of the players and of the match: who leads, whose turn it is, where the cube lies.

CUBE = 38

VERSUS = Sentence("{white} – {black}")
FIRST_TO = Sentence("1-point match", "{n}-point match")
PIPS = Sentence("{n} pip", "{n} pips")
GAME_NUMBER = Sentence("game {number}")
NO_DOUBLING = Sentence("Crawford: no cube")
OFFERS = Sentence("{player} doubles")
HOLDS = Sentence("{player}'s cube")
AWAYS = Sentence("{ours}-away, {theirs}-away")
BOTH_AWAY = Sentence("{white} {ours}-away, {black} {theirs}-away")
POST_CRAWFORD = Sentence("post-Crawford")
IN_THE_MIDDLE = Sentence("Centred cube")
GAINED = Sentence("+{points}")


def draw_player(canvas: Screen, rect: Rect, view: View, side: Side) -> None:
    """One player's card: checker, name, pips and score; amber whose turn it is, and who won."""
    turn = view.to_act is side and view.phase not in OVER
    won = won_by(view) is side
    edge = AMBER if turn or won else EDGE if canvas.upright else BAND
    fill = mix(BAND, AMBER, 0.3) if won else BAND
    canvas.add(Box(rect, fill, canvas.px(8), edge, canvas.px(2 if turn or won else 1)))
    room = rect.inset(canvas.px(8), canvas.px(2))
    disc = Rect(room.x, room.y, canvas.px(38), room.h)
    r = min(canvas.px(17), room.h // 2 - canvas.px(2))
    if turn or won:
        canvas.add(Disc(disc.centre, r, AMBER))
    canvas.add(*checker(disc.centre, r * 7 // 10, side))
    score, pen = str(view.score[side]), Pen(32, IVORY, bold=True, align=Align.RIGHT)
    wide = canvas.width(score, pen)
    canvas.line(Rect(room.right - wide, room.y, wide, room.h), score, pen)
    gap, end = canvas.px(8), room.right - wide - canvas.px(8)
    if won and view.result:
        gained, pen = GAINED(points=view.result.points), Pen(17, IVORY, bold=True)
        end -= canvas.width(gained, pen)
        canvas.line(Rect(end, room.y, room.right - end, room.h), gained, pen)
    told = Rect(disc.right + gap, room.y, end - disc.right - 2 * gap, room.h)
    name, bold = view.player(side), turn or won
    if view.pips:
        told, below = told.rows((23, 19), 0)
        pips = PIPS(n=view.pips[side is Side.BLACK])
        canvas.line(below, pips, Pen(15, IVORY if won else DIM))
    canvas.line(told, name, Pen(19, IVORY if bold else DIM, bold=bold))


def draw_match(canvas: Screen, rect: Rect, view: View, double: tuple[str, Action] | None) -> None:
    """The cube and the match; while doubling is possible the card is the button that doubles."""
    if double:
        canvas.frame(rect, Look.PLAIN)
        canvas.touch(rect, double[1], double)
    else:
        canvas.add(Box(rect, BAND, canvas.px(8)))
    room = rect.inset(canvas.px(8), canvas.px(4))
    if has_cube(view):
        side = min(canvas.px(CUBE), room.h)
        offered = view.cube.offered is not None
        number = 2 * view.cube.value if offered else view.cube.face
        cube = Rect(room.x, room.y + (room.h - side) // 2, side, side)
        draw_cube(canvas, cube, number, offered=offered)
        left = cube.right + canvas.px(10)
        room = Rect(left, room.y, room.right - left, room.h)
    upper, lower = room.rows((22, 18), 0)
    first = double[0] if double else _cube_told(view)
    canvas.line(upper, first, Pen(17, IVORY, bold=True))
    pen = Pen(14, DIM)
    told = (joined(words, DOTTED) for words in _match_told(view))
    fits = (text for text in told if canvas.width(text, pen) <= lower.w)
    canvas.line(lower, next(fits, ""), pen)


def _match_told(view: View) -> Iterator[tuple[str, ...]]:
    length, game, aways = first_to(view), GAME_NUMBER(number=view.game_number), tuple[str, ...]()
    ours, theirs = view.away(Side.WHITE), view.away(Side.BLACK)
    if ours and theirs and view.score.best:
        aways = (AWAYS(ours=ours, theirs=theirs),)
    if view.with_cube:
        yield view.title, length, *aways, game
    yield length, *aways, game
    yield length, *aways
    yield aways or (length, game)
    yield (length,)


def draw_cube(canvas: Screen, rect: Rect, number: int, *, offered: bool = False) -> None:
    canvas.add(*cube_body(rect, offered=offered))
    size = rect.h * 0.46 / canvas.unit
    pen = Pen(size, INK, bold=True, align=Align.CENTRE)
    canvas.text(rect.inset(max(3, rect.w // 9)), str(number), pen)


def won_by(view: View) -> Side | None:
    return view.result.winner if view.result and view.phase in OVER else None


def first_to(view: View) -> str:
    if view.match_to is None:
        return UNLIMITED()
    return FIRST_TO(n=view.match_to)


def away_told(view: View) -> str:
    """The points that each player needs: "Ada 2-away, Ben 3-away"; empty if unlimited."""
    (white, black), ours, theirs = view.players, view.away(Side.WHITE), view.away(Side.BLACK)
    if ours is None or theirs is None:
        return ""
    return BOTH_AWAY(white=white, ours=ours, black=black, theirs=theirs)


def has_cube(view: View) -> bool:
    return view.with_cube and not view.crawford


def _cube_told(view: View) -> str:
    """The cube's place in words; without a cube the game's number."""
    if not view.with_cube:
        return view.title
    if view.crawford:
        return NO_DOUBLING()
    if view.cube.offered:
        return OFFERS(player=view.player(view.cube.offered))
    if view.cube.owner:
        return HOLDS(player=view.player(view.cube.owner))
    return POST_CRAWFORD() if view.post_crawford else IN_THE_MIDDLE()


ARC = ms(300)
WINS = Sentence("{player} wins")


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die, whose it is, the sign before it, and whether it has been played."""

    face: int
    side: Side
    sign: str = ""
    used: bool = False


def draw_board(canvas: Screen, rect: Rect, shown: Shown, ui: Ui, view: View, now: Us) -> None:
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
    return Us(now - since) if shown.settings.screen.animations else ENDLESS


def faces(view: View) -> tuple[Thrown, ...]:
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


def draw_dice(canvas: Screen, place: Rect, thrown: tuple[Thrown, ...], age: Us) -> None:
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


def _banner(canvas: Screen, band: Rect, view: View) -> None:
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


def draw_words(canvas: Screen, rect: Rect, ui: Ui, view: View, *, typing: bool) -> None:
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


def _write(canvas: Screen, room: Rect, texts: tuple[str, str, str], small: Colour) -> None:
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


def _sizes(canvas: Screen) -> Iterator[tuple[float, float, float]]:
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
    canvas: Screen,
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
    return f"{pips - round(rolls * MEAN_TIMES_SIX / 6):+d}".replace("-", "−")


def _dice_keys(canvas: Screen, room: Rect, view: View) -> Rect:
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
END_TOUR, START_MATCH = Sentence("End the tour"), Sentence("Start a match")


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


def draw_play(canvas: Screen, shown: Shown, ui: Ui, view: View, now: Us) -> None:
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
    further = tuple(_further_choices(ui, view))
    if view.tour is TourStep.OVER:
        begin = Choice(START_MATCH(), end_tour(then=Page.NEW_MATCH), Look.MAIN)
        return Buttons(begin, small, (), cube)
    if view.tour:
        further = (*further, Choice(END_TOUR(), end_tour()))
    return Buttons(main, small, further, cube, _other_way(view))


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


def _further(canvas: Screen, rect: Rect, further: tuple[Choice, ...]) -> Rect:
    if not further:
        return rect
    height, gap = canvas.px(48), canvas.px(6)
    draw_choices(canvas, rect.lower(height).grid(len(further), 1, gap), further, 17)
    return rect.upper(rect.h - height - gap)


def _troubles(canvas: Screen, rect: Rect, notes: tuple[str, ...], blind: tuple[str, ...]) -> None:
    fill, edge = (WARNING, VERMILION) if notes else (BAND, EDGE)
    canvas.add(Box(rect, fill, canvas.px(6), edge, canvas.px(1)))
    room = rect.inset(canvas.px(10), canvas.px(2))
    told = joined((*notes, *blind), DOTTED)
    text = TROUBLE(notes=told) if notes else told
    canvas.text(room, text, Pen(14, WARNING_TEXT if notes else IVORY, lines=2))
