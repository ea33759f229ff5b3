"""The card of words: what is so, what to do, what was before, and the dice to tap."""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.match.turns import IN_PLAY, OVER, Phase
from pi_app.referee.speech import TOLD, WAS_IT
from pi_app.referee.view import GameTale, View
from pi_app.screen.actions import Action, TypeDie
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.header import away_told
from pi_app.screen.pieces import die
from pi_app.screen.shapes import Box, Rect, square_in
from pi_app.screen.theme import (
    AMBER,
    BAND,
    DIM,
    IVORY,
    TEAL,
    VERMILION,
    WARNING,
    WARNING_TEXT,
    Colour,
)
from pi_app.screen.ui import Ui
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import DOTTED, PARAGRAPH, Sentence, joined, on_board, paragraph

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
"""Units: of what is so, of what to do, of what was before; the largest that fit, never smaller."""

MANY = 20
"""Lines: as many as the card holds."""


def draw_words(canvas: Canvas[Action], rect: Rect, ui: Ui, view: View, *, typing: bool) -> None:
    amiss = view.board in ALARMS and view.phase is not Phase.SET_UP
    good = view.board in (BoardState.PLAYED, BoardState.CHOOSE) and view.phase not in OVER
    canvas.add(Box(rect, WARNING if amiss else BAND, canvas.px(8)))
    bar = VERMILION if amiss else TEAL if good else AMBER
    canvas.add(Box(Rect(rect.x, rect.y, canvas.px(6), rect.h), bar, canvas.px(3)))
    room = Rect(rect.x + canvas.px(14), rect.y, rect.w - canvas.px(20), rect.h)
    room = room.inset(0, canvas.px(5))
    if typing:
        room = _dice_keys(canvas, room, view)
    small = WARNING_TEXT if amiss else IVORY
    message, hint = _said(ui, view)
    hint = THROW() if typing and not view.changing else hint
    _write(canvas, room, (message, hint, _before(view)), small)


def _write(canvas: Canvas[Action], room: Rect, texts: tuple[str, str, str], small: Colour) -> None:
    """Message and hint from the top, what was before at the foot.

    Where there is no room, first that one has to go, then the hint: the board shows what to do.
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
        canvas.touch(place, TypeDie(face))
    return Rect(room.x, room.y, room.w, room.h - height - gap)
