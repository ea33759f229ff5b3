"""The upper band: who leads, whose turn it is, where the cube lies."""

from __future__ import annotations

from pi_app.match.phases import OVER
from pi_app.referee.view import View
from pi_app.referee.wording import UNLIMITED
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.pieces import checker, cube_body
from pi_app.screen.shapes import Align, Box, Disc, Rect, square_in
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, INK, IVORY
from pi_app.sentences import DOTTED, Sentence, fitting, joined

CUBE = 42

VERSUS = Sentence("{white} – {black}")
FIRST_TO = Sentence("one point", "first to {n}")
PIPS = Sentence("{n} pip", "{n} pips")
GAME_NUMBER = Sentence("game {number}")
NO_DOUBLING = Sentence("Crawford game: no doubling")
OFFERS, OFFERED = Sentence("{side} offers {stake}"), Sentence("{stake} is offered")
HOLDS, HELD = Sentence("{side} holds the cube"), Sentence("the cube is held")
LONGEST_STAKE = 30
"""Letters; of a longer name the cube's place tells."""
IN_THE_MIDDLE = Sentence("cube in the middle")
AWAY = Sentence("{points}-away")
BOTH_AWAY = Sentence("{white} {ours}-away, {black} {theirs}-away")
POST_CRAWFORD = Sentence("post-Crawford")
AT_STAKE = Sentence("cube in the middle, stake {stake}")


def draw_header(canvas: Canvas[Action], rect: Rect, view: View) -> None:
    """Names, scores and cube; upright screens have the match's line below the players."""
    canvas.add(
        Box(rect, BAND),
        Box(Rect(rect.x, rect.bottom - canvas.px(1.5), rect.w, canvas.px(1.5)), EDGE),
    )
    room = rect.inset(canvas.px(14), canvas.px(6))
    if canvas.upright:
        players, middle = room.rows((60, 40), canvas.px(4))
        white, black = players.columns((1, 1), canvas.px(12))
    else:
        white, middle, black = room.columns((37, 32, 37), canvas.px(10))
    _player(canvas, white, view, Side.WHITE)
    _player(canvas, black, view, Side.BLACK)
    _match(canvas, middle, view)


def draw_cube(canvas: Canvas[Action], rect: Rect, number: int, *, offered: bool = False) -> None:
    """The cube with its number."""
    canvas.add(*cube_body(rect, offered=offered))
    size = rect.h * 0.46 / canvas.unit
    pen = Pen(size, INK, bold=True, align=Align.CENTRE)
    canvas.text(rect.inset(max(3, rect.w // 9)), str(number), pen)


def cube_place(view: View) -> Side | None:
    """Beside whom the cube lies: its owner, or the side it is offered to."""
    return view.cube.offered.other if view.cube.offered else view.cube.owner


def first_to(view: View) -> str:
    """The match's length in words."""
    if view.match_to is None:
        return UNLIMITED()
    return FIRST_TO(n=view.match_to)


def away_told(view: View) -> str:
    """How many points each player still needs: "Ada 2-away, Ben 3-away"; empty if unlimited."""
    (white, black), ours, theirs = view.players, view.away(Side.WHITE), view.away(Side.BLACK)
    if ours is None or theirs is None:
        return ""
    return BOTH_AWAY(white=white, ours=ours, black=black, theirs=theirs)


def _player(canvas: Canvas[Action], rect: Rect, view: View, side: Side) -> None:
    """From the outer edge inwards: checker, score, name, and the cube when it lies here."""
    cursor = _Cursor(rect, from_right=side is Side.BLACK, gap=canvas.px(9))
    turn = view.to_act is side and view.phase not in OVER
    disc = cursor.take(canvas.px(46))
    r = canvas.px(23)
    if turn:
        canvas.add(Disc(disc.centre, r, AMBER))
    canvas.add(*checker(disc.centre, r * 7 // 10, side))
    score, pen = str(view.score.of(side)), Pen(36, IVORY, bold=True, align=Align.CENTRE)
    canvas.text(cursor.take(max(canvas.width(score, pen), canvas.px(26))), score, pen)
    with_cube = cube_place(view) is side and has_cube(view) and not canvas.upright
    rest = cursor.rest(canvas.px(CUBE) if with_cube else 0)
    name = view.players[side is Side.BLACK]
    align = Align.RIGHT if side is Side.BLACK else Align.LEFT
    colour = IVORY if turn else DIM
    if told := _needs(view, side):
        rest, below = rest.rows((3, 2), 0)
        canvas.text(below, told, Pen(15, DIM, align=align))
    canvas.text(rest, name, Pen(20, colour, bold=turn, align=align, lines=3))
    if with_cube:
        _cube(canvas, square_in(cursor.last(canvas.px(CUBE))), view)


def _needs(view: View, side: Side) -> str:
    """The pips to go in this game and the points in the match."""
    pips, away = view.pips, view.away(side)
    return joined(
        (
            PIPS(n=pips[side is Side.BLACK]) if pips else "",
            AWAY(points=away) if away else "",
        ),
        DOTTED,
    )


def has_cube(view: View) -> bool:
    """Whether there is a cube to show in this game."""
    return view.with_cube and not view.crawford


def _cube(canvas: Canvas[Action], rect: Rect, view: View) -> None:
    offered = view.cube.offered is not None
    draw_cube(canvas, rect, 2 * view.cube.value if offered else view.cube.face, offered=offered)


def _match(canvas: Canvas[Action], rect: Rect, view: View) -> None:
    """The match in two lines, and the cube while no player has it.

    Upright, a player's cube lies at his end of this row.
    """
    lines = (joined((view.title, first_to(view)), DOTTED), _stake(view))
    pens = tuple(Pen(size, DIM, align=Align.CENTRE) for size in (19, 15))
    gap, side, owner = canvas.px(8), canvas.px(CUBE), cube_place(view)
    wide = max(canvas.width(line, pen) for line, pen in zip(lines, pens, strict=True))
    shown = has_cube(view) and (owner is None or canvas.upright)
    room = rect
    if shown:
        wide = min(wide, rect.w - side - gap)
        x = rect.centre[0] - (wide + side + gap) // 2
        room = Rect(x + side + gap, rect.y, wide, rect.h)
        if owner:
            x = rect.x if owner is Side.WHITE else rect.right - side
            room = rect.inset(side + gap, 0)
        _cube(canvas, Rect(x, rect.centre[1] - side // 2, side, side), view)
    for line, text, pen in zip(room.rows((6, 5), 0), lines, pens, strict=True):
        canvas.text(line, text, pen)


def _stake(view: View) -> str:
    """Where the cube lies, in words."""
    if not view.with_cube:
        return GAME_NUMBER(number=view.game_number)
    if view.crawford:
        return NO_DOUBLING()
    where = _where_the_cube_lies(view)
    return joined((POST_CRAWFORD(), where), DOTTED) if view.post_crawford else where


def _where_the_cube_lies(view: View) -> str:
    if view.cube.offered:
        stake = 2 * view.cube.value
        offers = OFFERS(side=view.player(view.cube.offered), stake=stake)
        return fitting(offers, OFFERED(stake=stake), longest=LONGEST_STAKE)
    if view.cube.owner:
        return fitting(HOLDS(side=view.player(view.cube.owner)), HELD(), longest=LONGEST_STAKE)
    return AT_STAKE(stake=view.cube.value) if view.cube.value > 1 else IN_THE_MIDDLE()


class _Cursor:
    """Cuts a row from one end, `gap` pixels between the pieces."""

    def __init__(self, rect: Rect, *, from_right: bool, gap: int) -> None:
        self._rect, self._from_right, self._gap = rect, from_right, gap

    def take(self, width: int) -> Rect:
        """The next piece."""
        rect = self._rect
        x = rect.right - width if self._from_right else rect.x
        left = rect.x if self._from_right else rect.x + width + self._gap
        self._rect = Rect(left, rect.y, rect.w - width - self._gap, rect.h)
        return Rect(x, rect.y, width, rect.h)

    def rest(self, kept: int) -> Rect:
        """What is left, less `kept` pixels at the far end."""
        return self.take(self._rect.w - (kept + self._gap if kept else 0))

    def last(self, width: int) -> Rect:
        """The piece that `rest` kept."""
        return self.take(width)
