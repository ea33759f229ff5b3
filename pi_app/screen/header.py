"""The cards of the players and of the match: who leads, whose turn it is, where the cube lies."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.match.phases import OVER
from pi_app.referee.view import View
from pi_app.referee.wording import UNLIMITED
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.pieces import checker, cube_body
from pi_app.screen.shapes import Align, Box, Disc, Rect
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, INK, IVORY, mix
from pi_app.sentences import DOTTED, Sentence, joined

CUBE = 38

VERSUS = Sentence("{white} – {black}")
FIRST_TO = Sentence("one point", "first to {n}")
PIPS = Sentence("{n} pip", "{n} pips")
GAME_NUMBER = Sentence("game {number}")
NO_DOUBLING = Sentence("Crawford: no cube")
OFFERS = Sentence("{player} doubles")
HOLDS = Sentence("{player}'s cube")
AWAYS = Sentence("{ours}-away, {theirs}-away")
BOTH_AWAY = Sentence("{white} {ours}-away, {black} {theirs}-away")
POST_CRAWFORD = Sentence("post-Crawford")
IN_THE_MIDDLE = Sentence("In the middle")
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
    score, pen = str(view.score.of(side)), Pen(32, IVORY, bold=True, align=Align.RIGHT)
    wide = canvas.width(score, pen)
    canvas.line(Rect(room.right - wide, room.y, wide, room.h), score, pen)
    gap, end = canvas.px(8), room.right - wide - canvas.px(8)
    if won and view.result:
        gained, pen = GAINED(points=view.result.points), Pen(17, IVORY, bold=True)
        end -= canvas.width(gained, pen)
        canvas.line(Rect(end, room.y, room.right - end, room.h), gained, pen)
    told = Rect(disc.right + gap, room.y, end - disc.right - 2 * gap, room.h)
    name, bold = view.players[side is Side.BLACK], turn or won
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
    """The cube with its number."""
    canvas.add(*cube_body(rect, offered=offered))
    size = rect.h * 0.46 / canvas.unit
    pen = Pen(size, INK, bold=True, align=Align.CENTRE)
    canvas.text(rect.inset(max(3, rect.w // 9)), str(number), pen)


def won_by(view: View) -> Side | None:
    """Who has won the game, or the match, that is over."""
    return view.result.winner if view.result and view.phase in OVER else None


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


def has_cube(view: View) -> bool:
    """Whether there is a cube to show in this game."""
    return view.with_cube and not view.crawford


def _cube_told(view: View) -> str:
    """Where the cube lies, in words; without one, which game it is that is played."""
    if not view.with_cube:
        return view.title
    if view.crawford:
        return NO_DOUBLING()
    if view.cube.offered:
        return OFFERS(player=view.players[view.cube.offered is Side.BLACK])
    if view.cube.owner:
        return HOLDS(player=view.players[view.cube.owner is Side.BLACK])
    return POST_CRAWFORD() if view.post_crawford else IN_THE_MIDDLE()
