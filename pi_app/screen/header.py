"""The head of the play page: names, score, pips, the cube's card, and the clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pi_app.match.turns import OVER
from pi_app.microseconds import Us
from pi_app.referee.speech import UNLIMITED
from pi_app.referee.view import LOW, SECOND, ClockFace, View, told
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Align, Box, Canvas, Disc, Look, Pen, Rect
from pi_app.screen.pieces import checker, cube_body
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, INK, IVORY, VERMILION, Colour, mix
from pi_app.words.sentences import DOTTED, Sentence, joined

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
    canvas: Canvas[Action], places: tuple[Rect, Rect], view: View, face: ClockFace, now: Us
) -> None:
    """Both cards in the players' places; on a wide screen each has half of both."""
    first, last = places
    if not canvas.upright:
        both = Rect(first.x, first.y, first.w, last.bottom - first.y)
        first, last = both.columns((1, 1), canvas.px(6))
    for side, place in zip(Side, (first, last), strict=True):
        _card(canvas, place, view, side, face, now)


def _card(
    canvas: Canvas[Action], rect: Rect, view: View, side: Side, face: ClockFace, now: Us
) -> None:
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
    """Whether a side that has to act is short of time."""
    return face.holder is side and face[side].left_at(now) < LOW


def _rows(canvas: Canvas[Action], room: Rect) -> tuple[Rect, Rect, Rect]:
    name, line = canvas.px(NAME), canvas.px(LINE)
    upper = Rect(room.x, room.y, room.w, name)
    lower = Rect(room.x, upper.bottom, room.w, line)
    return upper, lower, Rect(room.x, lower.bottom, room.w, room.bottom - lower.bottom)


def _named(
    canvas: Canvas[Action], rect: Rect, view: View, side: Side, face: ClockFace, now: Us
) -> None:
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


def _counted(canvas: Canvas[Action], rect: Rect, view: View, side: Side) -> None:
    """The checker, the pip count or the points won, and the score."""
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


def draw_time(canvas: Canvas[Action], rect: Rect, time: str, ink: Colour) -> None:
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


def _figure(canvas: Canvas[Action], rect: Rect, bars: str, ink: Colour) -> None:
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


def _point(canvas: Canvas[Action], rect: Rect, sign: str, ink: Colour) -> None:
    """A colon, or the point before the tenths."""
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


def draw_player(canvas: Canvas[Action], rect: Rect, view: View, side: Side) -> None:
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


def draw_match(
    canvas: Canvas[Action], rect: Rect, view: View, double: tuple[str, Action] | None
) -> None:
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
    """The match's length, how far both are from it once somebody has scored, and the game."""
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


def draw_cube(canvas: Canvas[Action], rect: Rect, number: int, *, offered: bool = False) -> None:
    canvas.add(*cube_body(rect, offered=offered))
    size = rect.h * 0.46 / canvas.unit
    pen = Pen(size, INK, bold=True, align=Align.CENTRE)
    canvas.text(rect.inset(max(3, rect.w // 9)), str(number), pen)


def won_by(view: View) -> Side | None:
    """The winner of the finished game or match."""
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
