"""The players' cards in a match with a clock: side by side, their time in large figures.

The figures are drawn, seven bars each: 45 units high at least on a wide screen.  At 800 x 480 that
is 6.1 mm on a display of 5 inches and 8.6 mm on one of 7: from two metres 10 and 14 minutes of arc,
where normal sight needs 5.  What stands in a colour stands in a form as well: short of time is a
filled card, a clock that stands has two bars beside the name, overtime a plus.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.match.phases import OVER
from pi_app.microseconds import Us
from pi_app.referee.clock_face import LOW, SECOND, ClockFace, told
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.header import GAINED, won_by
from pi_app.screen.pieces import checker
from pi_app.screen.shapes import Align, Box, Disc, Rect
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, INK, IVORY, VERMILION, Colour, mix

NAME, LINE = 21, 25
"""Units: the heights of the name and of what stands below it; the figures have the rest."""
STROKE = 5
WIDTH, NARROWEST = 20, 11
"""Units: of a figure, and of one that makes room for an hour."""
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
    left, over = face.of(side).left_at(now), view.phase in OVER
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
    return face.holder is side and face.of(side).left_at(now) < LOW


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
    sign = "+" * face.of(side).overtime + (str(delay) if delay else "")
    if sign:
        pen = Pen(15, IVORY, bold=True, align=Align.RIGHT)
        wide = canvas.width(sign, pen)
        canvas.line(Rect(end - wide, rect.y, wide, rect.h), sign, pen)
        end -= wide + canvas.px(3)
    bold = view.to_act is side
    name = Rect(rect.x, rect.y, end - rect.x, rect.h)
    canvas.line(name, view.player(side), Pen(15, IVORY if bold else DIM, bold=bold))


def _counted(canvas: Canvas[Action], rect: Rect, view: View, side: Side) -> None:
    """The checker, pips or what was won, and the score."""
    r = min(canvas.px(9), rect.h // 2 - 1)
    turn = view.to_act is side and view.phase not in OVER
    centre = rect.x + r, rect.centre[1]
    if turn:
        canvas.add(Disc(centre, r, AMBER))
    canvas.add(*checker(centre, r * 7 // 10, side))
    score, pen = str(view.score.of(side)), Pen(20, IVORY, bold=True, align=Align.RIGHT)
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
