"""The play page: the players, the match and its clock, the board, and the possible taps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pi_app.base.microseconds import ENDLESS, Us, ms
from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.match.turns import ANSWERS, IN_PLAY, OVER, Phase
from pi_app.referee.events import Press
from pi_app.referee.speech import FIRST_CHECKER, RESULT, UNLIMITED, follows, name_game
from pi_app.referee.view import (
    LOW,
    SECOND,
    ClockFace,
    Drilled,
    GameTale,
    LastPlay,
    Retold,
    TableDie,
    TourStep,
    View,
    dice_of,
    in_figures,
)
from pi_app.rules.contract import Opening
from pi_app.rules.naming import name_spot
from pi_app.rules.terms import Side
from pi_app.screen import icons
from pi_app.screen.actions import (
    Screen,
    end_retelling,
    end_tour,
    end_training,
    intend,
    open_analysis,
    open_page,
    play_from,
    press_button,
    retell,
    send,
    start_edit,
    touch_spot,
    type_die,
    types_now,
)
from pi_app.screen.boards.marks import CubeOnBoard, Drawn, marks_of
from pi_app.screen.canvas import (
    CARD_LIGHT,
    SEAM,
    Align,
    Box,
    Look,
    Pen,
    Rect,
    Size,
    around,
    square_in,
)
from pi_app.screen.observability import unseen_words
from pi_app.screen.pages.parts import (
    ANALYSIS,
    BACK,
    BOARD_IS_RIGHT,
    DONE,
    MENU,
    NEW_MATCH,
    SHOW_ME,
    TAKE_BACK,
    Choice,
    draw_choices,
    places_upwards,
)
from pi_app.screen.pages.places import LARGE_COLUMN, SMALL, PlayPlaces, play_places
from pi_app.screen.pieces import SIGN, checker, cube_body, die, tumbling
from pi_app.screen.theme import (
    AMBER,
    BAND,
    DIM,
    EDGE,
    FELT_TEXT,
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
from pi_app.screen.ui import TUMBLE, LyingOn, Page, PageGuest, Shown, Ui
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.user.commands import PutBack, Rematch
from pi_app.words.numbers import with_sign
from pi_app.words.sentences import DOTTED, PARAGRAPH, Sentence, joined

# The cards of the players and the facts of the match: who leads, whose turn it is.
#
# What stands in a colour stands in a form as well: whose turn it is has a bar, short of time is a
# filled field, a clock that stands has two bars, overtime a plus.

VERSUS = Sentence("{white} – {black}")
FIRST_TO = Sentence("1-point match", "{n}-point match")
PIPS = Sentence("{n} pip", "{n} pips")
AHEAD = Sentence("{pips}  −{n}")
GAME_NUMBER = Sentence("game {number}")
NO_DOUBLING = Sentence("Crawford: no cube")
AWAYS = Sentence("{ours}-away, {theirs}-away")
POST_CRAWFORD = Sentence("post-Crawford")
GAINED = Sentence("+{points}")
OVERTIME = Sentence("+{time}")
DELAY = Sentence("delay {seconds}")
GAIN = 150
"""Units: narrower cards do not show the points of a win beside the score."""
AROUND_NAME = 64
"""Units: the width that a card needs besides its name and score."""


def draw_player(canvas: Screen, rect: Rect, view: View, side: Side, now: Us) -> None:
    """Draw a player's card: checker, name, pips and score, and the time if there is a clock."""
    over = view.phase in OVER
    turn, won = view.to_act is side and not over, won_by(view) is side
    fill = mix(BAND, AMBER, 0.3 if won else 0.1) if turn or won else BAND
    canvas.add(Box(rect, fill, canvas.px(8), light=CARD_LIGHT))
    if turn or won:
        canvas.stripe(rect, AMBER)
    room = Rect(rect.x + canvas.px(10), rect.y, rect.w - canvas.px(18), rect.h)
    room = room.inset(0, canvas.px(4))
    if view.clock is None:
        _named(canvas, _scored(canvas, room, view, side), view, side)
        return
    figures = canvas.high(Size.FIGURE)
    if room.h >= figures + canvas.high(Size.TEXT):
        upper, lower = room.upper(room.h - figures), room.lower(figures)
    else:
        upper, lower = room.columns((4, 5), canvas.px(8))
    delay = _delay_words(view.clock, side, now)
    _timed(canvas, lower, view, view.clock, side, now)
    _named(canvas, upper, view, side, delay)


def _scored(canvas: Screen, room: Rect, view: View, side: Side) -> Rect:
    """Draw the score at the right, after a win with its gain. Return the rectangle beside it."""
    score, pen = str(view.score[side]), Pen(Size.FIGURE, IVORY, bold=True, align=Align.RIGHT)
    end, gap = room.right - canvas.width(score, pen), canvas.px(8)
    canvas.line(Rect(end, room.y, room.right - end, room.h), score, pen)
    gained, pen = _gained(view, side), Pen(Size.TEXT, IVORY, bold=True)
    wide = canvas.width(gained, pen)
    if gained and room.w - wide > canvas.px(GAIN):
        end -= wide + gap
        canvas.line(Rect(end, room.y, wide, room.h), gained, pen)
    return Rect(room.x, room.y, end - gap - room.x, room.h)


def _gained(view: View, side: Side) -> str:
    return GAINED(points=view.result.points) if won_by(view) is side and view.result else ""


def _named(canvas: Screen, room: Rect, view: View, side: Side, sign: str = "") -> None:
    """Draw the checker and the name; the pips and a sign below or, in a low card, beside it."""
    stands_out = won_by(view) is side or (view.to_act is side and view.phase not in OVER)
    r = min(canvas.px(15), room.h // 2 - canvas.px(1))
    canvas.add(*checker((room.x + r, room.centre[1]), r, side))
    left, gap = room.x + 2 * r + canvas.px(8), canvas.px(8)
    words = Rect(left, room.y, room.right - left, room.h)
    if not view.pips and not sign:
        canvas.line(words, view.player(side), Pen(Size.TEXT, IVORY, bold=stands_out))
        return
    rows = canvas.high(Size.TEXT), canvas.high(Size.SMALL)
    below = words
    if sum(rows) <= room.h:
        top = room.y + (room.h - sum(rows)) // 2
        words, below = (
            Rect(left, top, words.w, rows[0]),
            Rect(left, top + rows[0], words.w, rows[1]),
        )
    pen = Pen(Size.SMALL, IVORY, align=Align.RIGHT)
    if sign:
        below = _beside(canvas, below, (sign,), pen, gap)
    won, stacked = won_by(view) is side, words.y != below.y
    pen = Pen(Size.SMALL, IVORY if won else DIM, align=Align.LEFT if stacked else Align.RIGHT)
    if view.pips:
        below = _beside(canvas, below, _pips_words(view, view.pips, side), pen, gap)
    words = words if stacked else below
    canvas.line(words, view.player(side), Pen(Size.TEXT, IVORY, bold=stands_out))


def _beside(canvas: Screen, room: Rect, texts: tuple[str, ...], pen: Pen, gap: int) -> Rect:
    """Write the first text that fits into a row, else the last one. Return what is left of it."""
    most = room.w if pen.align is Align.LEFT else room.w // 2
    text = next((one for one in texts if canvas.width(one, pen) <= most), texts[-1])
    written = canvas.line(room, text, pen)
    return Rect(room.x, room.y, max(1, written.x - gap - room.x), room.h)


def _pips_words(view: View, pips: tuple[int, int], side: Side) -> tuple[str, ...]:
    """The pips with the lead, or with what the first checker must still go before others may move;
    then, if that does not fit, the latter or the pips alone, or their number."""
    white, black = pips
    ours, lead = (white, black - white) if side is Side.WHITE else (black, white - black)
    usual, lacks = PIPS(n=ours), view.first_lacks[side is Side.BLACK]
    if lacks:
        first = FIRST_CHECKER(n=lacks)
        return joined((usual, first), DOTTED), first, usual, str(ours)
    return (*((AHEAD(pips=usual, n=lead),) if lead > 0 else ()), usual, str(ours))


def _delay_words(face: ClockFace, side: Side, now: Us) -> str:
    seconds = -(-face.delay_at(side, now) // SECOND)
    return DELAY(seconds=seconds) if seconds else ""


def _timed(canvas: Screen, room: Rect, view: View, face: ClockFace, side: Side, now: Us) -> None:
    """Draw the score, and on the same line the time left: on a filled field if it is short, with
    two bars if it stands."""
    over, low, gap = view.phase in OVER, is_low(face, side, now), canvas.px(8)
    score = canvas.line(room, str(view.score[side]), Pen(Size.FIGURE, IVORY, bold=True))
    left = score.right + gap
    figures = in_figures(face[side].left_at(now))
    time = OVERTIME(time=figures) if face[side].overtime else figures
    pen = Pen(Size.FIGURE, IVORY, True, Align.RIGHT)
    wide = min(room.right - left, canvas.width(time, pen) + canvas.px(10))
    field = Rect(room.right - wide, room.y, wide, room.h)
    if low:
        canvas.add(Box(field, VERMILION, canvas.px(5)))
        pen = replace(pen, colour=INK)
    elif view.to_act is not side and not over:
        pen = replace(pen, colour=DIM)
    canvas.text(field.inset(canvas.px(5), 0), time, pen)
    small = Pen(Size.TEXT, IVORY, bold=True)
    gained = _gained(view, side)
    if gained and left + canvas.width(gained, small) <= field.x:
        canvas.line(Rect(left, room.y, field.x - left, room.h), gained, small)
    if face.holder is side and not face.runs and not over:
        _bars(canvas, Rect(left, room.y, field.x - left, room.h))


def _bars(canvas: Screen, room: Rect) -> None:
    """Two bars at the right end: a clock that stands."""
    wide, high = canvas.px(4), room.h * 4 // 10
    if room.w >= 4 * wide:
        for step in (1, 3):
            bar = Rect(room.right - step * wide, room.centre[1] - high // 2, wide, high)
            canvas.add(Box(bar, IVORY))


def is_low(face: ClockFace, side: Side, now: Us) -> bool:
    """Whether the running time is short, or the flag has fallen."""
    left = face[side].left_at(now)
    return left < LOW if face.holder is side else left == 0


def draw_match(canvas: Screen, rect: Rect, view: View) -> None:
    """Draw the facts of the match: its length and game, and what each side needs."""
    if not rect.h:
        return
    lines = max(1, rect.h // canvas.high(Size.SMALL))
    pen = Pen(Size.SMALL, DIM, align=Align.CENTRE)
    first, second = tuple(_match_words(view)), _aways_words(view)
    facts = (first, (second,)) if lines == 2 and second else ((*first[:1], second, *first[1:]),)
    for place, words in zip(rect.grid(1, min(lines, len(facts)), 0), facts, strict=False):
        kept = words
        while len(kept) > 1 and canvas.width(joined(kept, DOTTED), pen) > place.w:
            kept = kept[:-1]
        canvas.line(place, joined(kept, DOTTED), pen)


def _match_words(view: View) -> Iterator[str]:
    """Yield whether the cube may be used in this game, or else the match length; then the game.

    In a series the game comes first: what follows is left out where there is no room.
    """
    if view.in_series:
        yield name_game(view.title, view.in_series)
    if view.with_cube and view.crawford:
        yield NO_DOUBLING()
    elif view.with_cube and view.post_crawford:
        yield POST_CRAWFORD()
    else:
        yield first_to(view)
    if not view.in_series:
        yield GAME_NUMBER(number=view.game_number)
        yield view.title


def _aways_words(view: View) -> str:
    """What each side still needs, once somebody has scored."""
    ours, theirs = view.away(Side.WHITE), view.away(Side.BLACK)
    return AWAYS(ours=ours, theirs=theirs) if ours and theirs and view.score.best else ""


def draw_cube(canvas: Screen, rect: Rect, number: int, *, offered: bool = False) -> None:
    canvas.add(*cube_body(rect, offered=offered))
    pen = Pen(Size.HEAD if offered else Size.TEXT, INK, bold=True, align=Align.CENTRE)
    canvas.text(rect, str(number), pen)


def won_by(view: View) -> Side | None:
    return view.result.winner if view.result and view.phase in OVER else None


def first_to(view: View) -> str:
    if view.match_to is None:
        return UNLIMITED()
    return FIRST_TO(n=view.match_to)


def cube_of(view: View) -> CubeOnBoard | None:
    """The cube on the board; None in the Crawford game, and once the stake decides the match for
    either side."""
    dead = view.match_to is not None and view.score.least + view.cube.value >= view.match_to
    if not view.with_cube or view.crawford or dead or view.cube.offered or view.phase in OVER:
        return None
    return CubeOnBoard(view.cube.face, view.cube.owner)


ARC, GLIDE = ms(300), ms(450)
"""How long the arrow of a play takes to grow, and a checker to glide along a move to be made."""
WINS = Sentence("{player} wins")


def is_rolling(shown: Shown, ui: Ui, view: View, now: Us) -> bool:
    """Whether the dice have not come to rest, so that nothing may reveal the roll."""
    # Dice that players have typed lie on the table already.
    thrown = (view.roll or view.thrown) and not view.typed and view.phase in IN_PLAY
    return bool(thrown) and 0 <= _age(shown, ui.motion.rolled_at, now) < TUMBLE


def draw_board(canvas: Screen, rect: Rect, shown: Shown, ui: Ui, view: View, now: Us) -> None:
    moves = ui.motion.moves and view.board is not BoardState.CHOOSE
    lasts = GLIDE * len(view.to_make) or ARC
    age = _age(shown, ui.motion.moved_at, now) if moves else ENDLESS
    canvas.moving = canvas.moving or age < lasts
    rolling, cube = is_rolling(shown, ui, view, now), cube_of(view)
    canvas.rolling = rolling
    marks = marks_of(view, min(1.0, max(0.05, age / lasts)), cube, rolling=rolling)
    if shown.guest and has_moved_unseen(view, shown.guest):
        marks = replace(marks, standing=shown.guest.lying)
    drawn = shown.faces[view.game].draw(canvas, rect, shown.board, marks, turned=shown.turned)
    if shown.guest and not rolling:
        _touch_spots(canvas, drawn, shown.guest, view)
    if cube and drawn.cube:
        draw_cube(canvas, drawn.cube, cube.number)
        if Act.DOUBLE in view.offers:
            reach = max(0, (canvas.px(SMALL) - drawn.cube.w) // 2 + 1)
            canvas.touch(
                drawn.cube.inset(-reach), intend(Act.DOUBLE), DOUBLE_TO(stake=_doubled(view))
            )
    if view.phase in OVER:
        _banner(canvas, drawn.band, view)
    elif ui.dice and types_now(shown, view):
        typed = tuple(TableDie(face, view.to_act) for face in ui.dice)
        draw_dice(canvas, drawn.dice, typed, Us(0))
    else:
        age = ENDLESS if view.typed else _age(shown, ui.motion.rolled_at, now)
        draw_roll(canvas, drawn.dice, view, age)


def has_moved_unseen(view: View, guest: PageGuest) -> bool:
    """Whether a friend without a board has moved checkers that no sensor of his board sees: the
    sixth of a point and those above it."""
    mine = view.phase is Phase.MOVING and view.to_act is guest.near
    return mine and view.board is BoardState.RESTING and guest.lying != view.accepted


def _touch_spots(canvas: Screen, drawn: Drawn, guest: PageGuest, view: View) -> None:
    """Let a friend without a board lift and set down checkers."""
    if view.phase is Phase.MOVING and view.to_act is guest.near and view.chosen is None:
        for spot, rect in drawn.spots.items():
            lying = LyingOn(name_spot(spot, view.counting), guest.lying.get(spot, ()))
            canvas.touch(rect.inset(1, 1), touch_spot(spot, lying))  # within its edge


def draw_roll(canvas: Screen, place: Rect, view: View, age: Us) -> None:
    """Draw the dice, or in their place the cube that is offered."""
    if view.cube.offered:
        draw_offer(canvas, place, _doubled(view))
    else:
        draw_dice(canvas, place, dice_of(view), age)


def draw_offer(canvas: Screen, place: Rect, stake: int) -> None:
    """Draw the cube that is offered, in the place of the dice."""
    draw_cube(canvas, around(place.centre, canvas.high(Size.HEAD) * 4 // 5), stake, offered=True)


def _age(shown: Shown, since: Us, now: Us) -> Us:
    return Us(now - since) if shown.settings.screen.animations else ENDLESS


def draw_dice(canvas: Screen, place: Rect, thrown: tuple[TableDie, ...], age: Us) -> None:
    canvas.moving = canvas.moving or (bool(thrown) and 0 <= age < TUMBLE)
    gaps = [canvas.px(SIGN if one.sign else 8) if index else 0 for index, one in enumerate(thrown)]
    x = place.centre[0] - (sum(gaps) + place.w * len(thrown)) // 2
    for one, gap in zip(thrown, gaps, strict=True):
        if one.sign:
            room = Rect(x, place.y, gap, place.h).inset(0, -canvas.px(10))
            canvas.text(room, one.sign, Pen(Size.HEAD, FELT_TEXT, bold=True, align=Align.CENTRE))
        x += gap
        rect, shows, turn = tumbling(Rect(x, place.y, place.w, place.h), one.face, age)
        canvas.add(*die(rect, shows, one.side, dimmed=one.used, turn=turn))
        x += place.w


def _banner(canvas: Screen, band: Rect, view: View) -> None:
    winner = won_by(view)
    text = view.how or (WINS(player=view.player(winner)) if winner else None)
    if text is None:
        return
    pen = Pen(Size.FIGURE, IVORY, bold=True, align=Align.CENTRE, lines=2, least=Size.TEXT)
    inset = canvas.px(10), canvas.px(4)
    lines = 1 if canvas.width(text, pen) <= band.w - 5 * inset[0] else 2
    high = max(band.h, lines * canvas.high(Size.FIGURE) + 2 * inset[1])
    rect = Rect(band.x, band.centre[1] - high // 2, band.w, high).inset(inset[0], 0)
    canvas.cover(rect)
    canvas.add(Box(rect, GROUND, canvas.px(12), AMBER, canvas.px(3), lift=canvas.px(4)))
    canvas.text(rect.inset(canvas.px(14), canvas.px(4)), text, pen)


THROW = Sentence("Roll your dice, then tap what they show.")
ROLLS = Sentence("{player} rolls …")
PLAYED_BEFORE = Sentence("{player}: {play}")
PLAYED_ROLL = Sentence("{player} {roll}: {play}")
COULD_NOT_MOVE = Sentence("{player} could not move")
THREW_BOTH = Sentence("{white} rolled {ours}, {black} {theirs}")
RACE = Sentence("{player} leads by {n} pip", "{player} leads by {n} pips")
EVEN_RACE = Sentence("The race is even")
TURNS = Sentence("{n} turn", "{n} turns")
LASTED = Sentence("{n} minute", "{n} minutes")
LUCK = Sentence("Luck in pips: {white} {ours}, {black} {theirs}")

MEAN_TIMES_SIX = 49
"""The mean pips of a roll of two dice, doublets counted twice, are 49 / 6."""
MINUTE_US = 60_000_000

SIZES = (
    (Size.HEAD, Size.TEXT, Size.SMALL),
    (Size.TEXT, Size.TEXT, Size.SMALL),
    (Size.TEXT, Size.SMALL, Size.SMALL),
)
"""For message, hint and last plays; the first sizes that fit are used."""

MANY = 20
"""As many lines as the card holds."""


@dataclass(frozen=True, slots=True)
class CardWords:
    """The message, what to do, the last plays, the latest last, or how the game went, and the
    race."""

    message: str
    hint: str
    plays: tuple[str, ...] = ()
    race: str = ""


def _all_said(view: View, *, typing: bool, rolling: bool) -> CardWords:
    message, hint = (ROLLS(player=view.player(view.to_act)), "") if rolling else _said(view)
    hint = THROW() if typing and not view.changing else hint
    if view.coming and view.tale:
        return CardWords(message, follows(view, view.coming), tuple(_told(view, view.tale)))
    plays = _before(view)
    return CardWords(message, hint, plays, _race(view) if plays and view.last_plays else "")


class WordsCard:
    """The card with the words, and further buttons below it. `keyed`: on a wide screen the dice
    keys replace the main button."""

    def __init__(
        self, canvas: Screen, places: PlayPlaces, buttons: Buttons, *, typing: bool
    ) -> None:
        self._canvas, self._typing, self._further = canvas, typing, buttons.further
        self.keyed = typing and not canvas.upright and not canvas.large
        room = places.words
        if self.keyed:
            room = Rect(room.x, room.y, room.w, places.main.bottom - room.y)
        self._card, self._below = _divided(canvas, room, buttons.further)
        px, card = canvas.px, self._card
        inner = Rect(card.x + px(14), card.y, card.w - px(20), card.h).inset(0, px(6))
        self._keys: Rect | None = None
        self._room = inner
        if typing:
            self._room, self._keys = _keys_below(canvas, inner)

    def holds(self, said: CardWords) -> bool:
        """Whether message and hint fit; with large text in their largest sizes."""
        sizes = SIZES[:1] if self._canvas.large else SIZES
        both = said.message, said.hint
        return any(self._heights(both, _pens(one, IVORY)) for one in sizes)

    def draw(self, said: CardWords, view: View) -> None:
        canvas = self._canvas
        is_wrong = view.board in ALARMS and view.phase is not Phase.SET_UP
        good = view.board in (BoardState.PLAYED, BoardState.CHOOSE) and view.phase not in OVER
        fill = WARNING if is_wrong else BAND
        canvas.add(Box(self._card, fill, canvas.px(8), light=CARD_LIGHT))
        if is_wrong or good:
            canvas.stripe(self._card, VERMILION if is_wrong else TEAL)
        if self._keys:
            _dice_keys(canvas, self._keys, view.to_act)
        self._write(said, WARNING_TEXT if is_wrong else IVORY)
        draw_choices(canvas, self._below, self._further)

    def _write(self, said: CardWords, small: Colour) -> None:
        """Write message and hint at the top, the last plays at the bottom.

        Where there is room the plays are larger, and the race is below them. If they do not fit,
        they are left out first, then the hint: the board shows what to do.
        """
        for kept, sizes in _ways(said):
            race = (kept.race,) if kept.race else ()
            pens = _pens(sizes, small, len(kept.plays), len(race))
            texts = kept.message, kept.hint, *kept.plays, *race
            if heights := self._heights(texts, pens):
                _lay(self._canvas, self._room, texts, pens, heights)
                return
        pen = Pen(Size.TEXT, IVORY, bold=True, lines=MANY)
        self._canvas.text(self._room, said.message, pen)

    def _heights(self, texts: tuple[str, ...], pens: tuple[Pen, ...]) -> list[int]:
        """The heights of the texts; empty if they do not fit."""
        canvas, room = self._canvas, self._room
        pairs = zip(texts, pens, strict=False)
        heights = [canvas.height(text, room.w, pen) for text, pen in pairs]
        line = canvas.px(10) if len(texts) > 2 else 0
        return heights if sum(heights) + line <= room.h else []


def _ways(said: CardWords) -> Iterator[tuple[CardWords, tuple[Size, Size, Size]]]:
    """What may be written, and in which sizes; the first that fits is."""
    usual, *_ = SIZES
    yield from ((said, sizes) for sizes in ((*usual[:2], Size.TEXT), usual))
    fewer = [replace(said, race="", plays=said.plays[-count:]) for count in (2, 1)]
    bare = replace(said, race="", plays=())
    for kept in (*fewer, bare, replace(bare, hint="")):
        yield from ((kept, sizes) for sizes in SIZES)


def _pens(
    sizes: tuple[Size, Size, Size], small: Colour, plays: int = 0, races: int = 0
) -> tuple[Pen, ...]:
    """For message, hint, so many plays, and the race."""
    large, middle, least = sizes
    return (
        Pen(large, IVORY, bold=True, lines=MANY, least=large),
        Pen(middle, small, lines=MANY, least=middle),
        *(
            Pen(least, colour, lines=MANY, least=least)
            for colour in (DIM,) * plays + (IVORY,) * races
        ),
    )


def _lay(
    canvas: Screen,
    room: Rect,
    texts: tuple[str, ...],
    pens: tuple[Pen, ...],
    heights: list[int],
) -> None:
    seam, foot = min(canvas.px(5), room.h - sum(heights)), sum(heights[2:])
    tops = [room.y, *(room.y + heights[0] + seam,) * (len(heights) > 1)]
    tops += [room.bottom - sum(heights[2 + number :]) for number in range(len(heights) - 2)]
    if foot:
        canvas.add(Box(Rect(room.x, room.bottom - foot - canvas.px(4), room.w, 1), EDGE))
    for top, height, text, pen in zip(tops, heights, texts, pens, strict=False):
        if text:
            canvas.text(Rect(room.x, top, room.w, height), text, pen)


def _said(view: View) -> tuple[str, str]:
    if view.phase in OVER and view.tale and not view.coming:
        return view.message, joined(tuple(_told(view, view.tale)), PARAGRAPH)
    return view.message, view.hint


def _before(view: View) -> tuple[str, ...]:
    """The last two plays of the game, the latest last; before any, the opening roll."""
    quiet = view.board in (BoardState.RESTING, BoardState.IN_HAND)
    if view.phase not in IN_PLAY or view.phase is Phase.OPENING_THROW or not quiet:
        return ()
    if view.last_plays:
        return tuple(_played(view, last) for last in reversed(view.last_plays))
    if len(view.thrown) < 2:
        return ()
    (_, ours), (_, theirs) = view.thrown
    white, black = view.players
    return (THREW_BOTH(white=white, ours=ours, black=black, theirs=theirs),)


def _race(view: View) -> str:
    """Who leads in pips; empty in games without."""
    if not view.pips:
        return ""
    white, black = view.pips
    leads = Side.WHITE if white < black else Side.BLACK
    return RACE(player=view.player(leads), n=abs(white - black)) if white != black else EVEN_RACE()


def _played(view: View, last: LastPlay) -> str:
    player = view.player(last.side)
    if not last.play:
        return COULD_NOT_MOVE(player=player)
    if not last.roll:
        return PLAYED_BEFORE(player=player, play=last.play)
    return PLAYED_ROLL(player=player, roll=last.roll, play=last.play)


def _told(view: View, tale: GameTale) -> Iterator[str]:
    minutes = "" if tale.lasted is None else LASTED(n=max(1, round(tale.lasted / MINUTE_US)))
    parts = [joined((TURNS(n=tale.turns) if tale.turns else "", minutes), DOTTED)]
    if all(rolls for rolls, _ in tale.thrown):
        (white, black), luck = view.players, tuple(_luck(*thrown) for thrown in tale.thrown)
        parts.append(LUCK(white=white, ours=luck[0], black=black, theirs=luck[1]))
    if view.phase is Phase.MATCH_OVER:
        yield view.hint
    yield from (RESULT(result=part) for part in parts if part)


def _luck(rolls: int, pips: int) -> str:
    return with_sign(pips - round(rolls * MEAN_TIMES_SIX / 6))


KEY_GAP = 4


def _keys_below(canvas: Screen, room: Rect) -> tuple[Rect, Rect]:
    """The rectangle above the dice keys, and that of the keys: one row, beside the board two."""
    rows = 1 if canvas.upright or canvas.large else 2
    gap = canvas.px(KEY_GAP)
    height = rows * (canvas.px(48) + gap) - gap
    keys = Rect(room.x - gap, room.bottom - height, room.w + gap, height)
    return room.upper(room.h - height - gap), keys


def _dice_keys(canvas: Screen, keys: Rect, side: Side) -> None:
    """Draw six dice to tap."""
    rows = 1 if canvas.upright or canvas.large else 2
    for face, place in enumerate(keys.grid(6 // rows, rows, canvas.px(KEY_GAP)), start=1):
        canvas.frame(place, Look.QUIET)
        canvas.add(*die(square_in(place.inset(canvas.px(5))), face, side))
        canvas.touch(place, type_die(face))


ROLL_FOR = Sentence("Roll: {player}")
PASS_TURN = Sentence("Pass the turn")
SENSOR_OFF = Sentence("Sensor {sensor} off")
TRY_SENSOR = Sentence("Use sensor {sensor}")
LEAVE_SENSOR = Sentence("Keep {sensor} off")
TAKE_AT = Sentence("Take (cube {stake})")
PASS_FOR = Sentence("Pass (−{points})")
NEXT_GAME = Sentence("Next game")
BEAVER_TO = Sentence("Beaver to\u00a0{stake}")
DOUBLE_TO = Sentence("Double to\u00a0{stake}")
ACCEPT = Sentence("Accept 1 point", "Accept {n} points")
PLAY_ON = Sentence("Play on")
CHANGE_DICE = Sentence("Change the dice")
UNDO_TAKEBACK = Sentence("Redo")
REMATCH = Sentence("Rematch")
YES = Sentence("Yes")
NO_ANOTHER = Sentence("No, the next")
TROUBLE = Sentence("! {notes}")
MOST_TROUBLES = 4
"""The most lines below the board."""
PLAY_FROM_HERE, END = Sentence("Play on here"), Sentence("End")
END_TRAINING, TRY_AGAIN = Sentence("End training"), Sentence("Try again")
NEXT_EXERCISE, FINISH = Sentence("Next"), Sentence("Finish")
PUT_BACK = Sentence("Put back")
ASK_HOST = Sentence("Ask for another match")
END_TOUR, START_MATCH = Sentence("End the tour"), Sentence("Start a match")


@dataclass(frozen=True, slots=True)
class Buttons:
    """The buttons of the play page; each kind has its own fixed place.

    `main` continues the game, `small` are Undo and Menu, `further` appear below the words: answers
    to a question, and the double if it is possible. While the board is wrong the main place holds
    two buttons, of which `other` is the second.
    """

    main: Choice
    small: tuple[Choice, Choice]
    further: tuple[Choice, ...] = ()
    other: Choice | None = None


def draw_play(canvas: Screen, shown: Shown, ui: Ui, view: View, now: Us) -> None:
    notes, blind = shown.notes, tuple(unseen_words(view))
    typing, rolling = types_now(shown, view), is_rolling(shown, ui, view, now)
    buttons = choices(view, typing=typing, rolling=rolling)
    if shown.guest:
        buttons = _of_guest(view, shown.guest, buttons)
    if canvas.large and buttons.other:
        further = (*buttons.further, buttons.other)
        buttons = replace(buttons, further=further, other=None)
    places = _places(canvas, notes, blind, view, tight=False)
    words = WordsCard(canvas, places, buttons, typing=typing)
    said = _all_said(view, typing=typing, rolling=rolling)
    if not words.holds(said) and _fit_abreast(canvas, view):
        places = _places(canvas, notes, blind, view, tight=True)
        words = WordsCard(canvas, places, buttons, typing=typing)
    for side, place in zip(Side, places.players, strict=True):
        draw_player(canvas, place, view, side, now)
    draw_match(canvas, places.match, view)
    if notes or blind:
        _troubles(canvas, places.troubles, notes, blind)
    draw_board(canvas, places.board, shown, ui, view, now)
    words.draw(said, view)
    draw_choices(canvas, places.small, buttons.small)
    if not words.keyed:
        _draw_main(canvas, places.main, buttons)


def _fit_abreast(canvas: Screen, view: View) -> bool:
    """Whether names and pips fit into two cards side by side. Only large text needs that."""
    if not canvas.large:
        return True
    if view.clock or view.pips:
        return False
    pen, figures = Pen(Size.TEXT, bold=True), Pen(Size.FIGURE, bold=True)
    score = max(canvas.width(str(points), figures) for points in view.score)
    room = canvas.px((LARGE_COLUMN - SEAM) / 2 - AROUND_NAME) - score
    return all(canvas.width(view.player(side), pen) <= room for side in Side)


def _places(
    canvas: Screen, notes: tuple[str, ...], blind: tuple[str, ...], view: View, *, tight: bool
) -> PlayPlaces:
    timed = view.clock is not None
    of = partial(play_places, canvas.size, timed=timed, large=canvas.large, tight=tight)
    if not notes and not blind:
        return of()
    return of(troubles=_troubles_height(canvas, of().board.w, notes, blind))


def _draw_main(canvas: Screen, rect: Rect, buttons: Buttons) -> None:
    ways = (buttons.main, buttons.other) if buttons.other else (buttons.main,)
    # A word alone is written large.
    size = Size.TEXT if len(ways) > 1 or " " in ways[0].label else Size.HEAD
    draw_choices(canvas, rect.grid(len(ways), 1, canvas.px(6)), ways, size)


def go_on(view: View) -> str | None:
    if view.phase in (Phase.SET_UP, *OVER, *ANSWERS) or view.awaiting_roll or view.thinking:
        return None
    if view.phase in (Phase.OPENING_THROW, Phase.TO_ROLL):
        return None if view.board in ALARMS else ROLL_FOR(player=view.player(view.to_act))
    if view.board is BoardState.PLAYED:
        return DONE()
    stuck = view.board is BoardState.RESTING and bool(view.legal) and not view.moves_exist
    return PASS_TURN() if stuck else None


def choices(view: View, *, typing: bool = False, rolling: bool = False) -> Buttons:
    """Return the buttons for now. While dice are `typing` no button rolls; while they are `rolling`
    none reveals the roll."""
    main = _main(view)
    if typing:
        main = Choice(main.label, None)
    elif rolling:
        main = Choice(DONE(), main.action, Look.DIMMED)
    small = (_take_back(view), Choice(MENU(), open_page(Page.MENU), icon=icons.menu))
    further = () if typing or rolling else tuple(_further_choices(view))
    if isinstance(view.exercise, Retold):
        return _of_retelling(view, view.exercise, replace(Buttons(main, small), further=further))
    if view.exercise and view.tour is TourStep.JUDGED:
        return _after_exercise(view.exercise, small)
    if view.tour is TourStep.OVER:
        begin = Choice(START_MATCH(), end_tour(then=Page.NEW_MATCH), Look.MAIN)
        return Buttons(begin, small)
    if view.exercise:
        further = (*further, Choice(END_TRAINING(), end_training()))
    elif view.tour:
        further = (*further, Choice(END_TOUR(), end_tour()))
    return Buttons(main, small, further, _other_way(view))


def _of_guest(view: View, guest: PageGuest, usual: Buttons) -> Buttons:
    """The buttons of a friend without a board. What lies wrong can be put back at once, and no
    position is entered."""
    main, further, put_back = usual.main, usual.further, Choice(PUT_BACK(), send(PutBack()))
    if view.phase is Phase.MATCH_OVER:
        main = Choice(ASK_HOST(), None)
    elif view.board in ALARMS and view.to_act is guest.near:
        main = replace(put_back, look=Look.MAIN)
    elif view.phase is Phase.MOVING and view.to_act is guest.near and guest.lying != view.accepted:
        further = (*further, put_back)
        if has_moved_unseen(view, guest):
            main = replace(main, look=Look.MAIN)
    if view.phase in OVER:
        further = ()
    return Buttons(main, usual.small, further)


def _after_exercise(exercise: Drilled, small: tuple[Choice, Choice]) -> Buttons:
    last = exercise.left == 1 and not exercise.wrong
    again = Choice(TRY_AGAIN(), press_button(Press.LONG))
    end = () if last else (Choice(END_TRAINING(), end_training()),)
    further = (again, *end) if exercise.wrong else end
    press = end_training() if last else press_button()
    return Buttons(Choice(FINISH() if last else NEXT_EXERCISE(), press, Look.MAIN), small, further)


def _of_retelling(view: View, retold: Retold, usual: Buttons) -> Buttons:
    """Back and forth in a stored match, and out of it: to play on from here, or to the match."""
    back = None if retold.back is None else retell(retold.match, retold.back, retold.guesses)
    small = Choice(BACK(), back, icon=icons.back), usual.small[1]
    ends = Choice(PLAY_FROM_HERE(), play_from(retold.problem)), Choice(END(), end_retelling())
    if view.tour is TourStep.JUDGED:
        last = retold.onward is None
        press = end_retelling() if last else press_button()
        again = (Choice(TRY_AGAIN(), press_button(Press.LONG)), ends[1]) if retold.wrong else ends
        return Buttons(
            Choice(FINISH() if last else NEXT_EXERCISE(), press, Look.MAIN), small, again
        )
    if view.tour is TourStep.HANDS and not view.to_make:
        other = _other_way(view)
        return Buttons(usual.main, small, (*usual.further[:1], ends[1]), other)
    onward = None if retold.onward is None else retell(retold.match, retold.onward, retold.guesses)
    return Buttons(Choice(NEXT_EXERCISE(), onward), small, ends)


def _main(view: View) -> Choice:
    if view.phase in ANSWERS:
        return _usual_answer(view)
    if view.board is BoardState.CHOOSE and view.choices:
        label = YES() if view.moves_exist else PASS_TURN()
        return Choice(label, intend(Act.CHOOSE, play=view.choices[0]), Look.MAIN)
    if view.phase in OVER:
        return _following_game(view)
    if view.board in ALARMS:
        return _show_me(view)
    press = go_on(view)
    if press is None and view.phase is Phase.MOVING and not view.awaiting_roll:
        # Nothing has been moved; a press still asks, for a play may be unseen.
        return Choice(DONE(), press_button(), Look.DIMMED)
    return Choice(press or _next_press(view), press_button() if press else None, Look.MAIN)


def _usual_answer(view: View) -> Choice:
    """The same answer as a short press: take a double, decline a resignation."""
    doubled = view.phase is Phase.DOUBLE_OFFERED
    intent = Act.TAKE if doubled else Act.REFUSE
    label = TAKE_AT(stake=_doubled(view)) if doubled else PLAY_ON()
    return Choice(label, intend(intent) if intent in view.offers else None, Look.MAIN)


def _following_game(view: View) -> Choice:
    if view.phase is Phase.MATCH_OVER:
        return Choice(REMATCH(), send(Rematch()), Look.MAIN)
    following = intend(Act.NEXT_GAME) if Act.NEXT_GAME in view.offers else None
    return Choice(NEXT_GAME(), following, Look.MAIN)


def _next_press(view: View) -> str:
    throws = view.phase is not Phase.MOVING and view.opening is not Opening.NO_THROW
    return ROLL_FOR(player=view.player(view.to_act)) if throws else DONE()


def _show_me(view: View) -> Choice:
    possible = Act.SCREEN_IS_RIGHT in view.offers and not view.guiding
    return Choice(SHOW_ME(), intend(Act.SCREEN_IS_RIGHT) if possible else None, Look.MAIN)


def _other_way(view: View) -> Choice | None:
    """While the board is wrong: accept its position instead. After a match: begin a new one instead
    of a rematch."""
    if view.phase is Phase.MATCH_OVER:
        return Choice(NEW_MATCH(), open_page(Page.NEW_MATCH))
    answers = view.board is BoardState.CHOOSE or view.phase in ANSWERS
    is_wrong = view.board in ALARMS or view.phase is Phase.SET_UP
    if answers or not is_wrong or Act.CORRECT not in view.offers:
        return None
    return Choice(BOARD_IS_RIGHT(), start_edit())


def _further_choices(view: View) -> Iterator[Choice]:
    is_wrong = view.board in ALARMS or view.phase is Phase.SET_UP
    if view.phase in ANSWERS:
        yield from _other_answer(view)
    elif view.phase in OVER:
        yield Choice(ANALYSIS(), open_analysis())
    elif view.board is BoardState.CHOOSE:
        if Act.ANOTHER in view.offers:
            yield Choice(NO_ANOTHER(), intend(Act.ANOTHER))
    elif Act.CHANGE_DICE in view.offers:
        yield Choice(CHANGE_DICE(), intend(Act.CHANGE_DICE))
    elif view.ask_back:
        yield from _ask_back(view)
    elif is_wrong and Act.SENSOR_OFF in view.offers:
        for sensor in view.suspects[:1]:
            yield Choice(SENSOR_OFF(sensor=sensor), intend(Act.SENSOR_OFF, sensor=sensor))
    elif Act.DOUBLE in view.offers:
        yield Choice(DOUBLE_TO(stake=_doubled(view)), intend(Act.DOUBLE))


def _doubled(view: View) -> int:
    return 2 * view.cube.value


def _other_answer(view: View) -> Iterator[Choice]:
    if Act.PASS in view.offers:
        yield Choice(PASS_FOR(points=view.cube.value), intend(Act.PASS))
    if Act.BEAVER in view.offers:
        yield Choice(BEAVER_TO(stake=2 * _doubled(view)), intend(Act.BEAVER))
    if view.resignation and Act.ACCEPT in view.offers:
        yield Choice(ACCEPT(n=view.resignation.points), intend(Act.ACCEPT))
    if view.board in ALARMS:
        show = _show_me(view)
        right = Choice(BOARD_IS_RIGHT(), start_edit())
        yield replace(show, look=Look.PLAIN) if show.action else right


def _ask_back(view: View) -> Iterator[Choice]:
    """In a new game, ask whether a sensor that was turned off works again."""
    for sensor in view.ask_back[:1]:
        yield Choice(TRY_SENSOR(sensor=sensor), intend(Act.SENSOR_ON, sensor=sensor))
        yield Choice(LEAVE_SENSOR(sensor=sensor), intend(Act.SENSOR_OFF, sensor=sensor))


def _take_back(view: View) -> Choice:
    """Undo; right after an undo, redo."""
    if Act.RESTORE in view.offers:
        return Choice(UNDO_TAKEBACK(), intend(Act.RESTORE), icon=icons.redo)
    offered = Act.TAKE_BACK in view.offers
    look = Look.MAIN if view.earlier else Look.PLAIN
    return Choice(TAKE_BACK(), open_page(Page.TAKE_BACK) if offered else None, look, icons.undo)


# Drawing ------------------------------------------------------------------------------------

FURTHER = 48
"""Units: the least height of the buttons below the words."""


def _divided(
    canvas: Screen, rect: Rect, further: tuple[Choice, ...]
) -> tuple[Rect, tuple[Rect, ...]]:
    """Split a rectangle into the card for the words and one place for each further button."""
    if not further:
        return rect, ()
    below = places_upwards(canvas, rect, tuple(choice.label for choice in further), FURTHER)
    return rect.upper(below[0].y - canvas.px(SEAM) - rect.y), below


def _trouble_words(notes: tuple[str, ...], blind: tuple[str, ...]) -> str:
    text = joined((*notes, *blind), DOTTED)
    return TROUBLE(notes=text) if notes else text


def _troubles_height(
    canvas: Screen, width: int, notes: tuple[str, ...], blind: tuple[str, ...]
) -> int:
    text, room = _trouble_words(notes, blind), width - 2 * canvas.px(10)
    high = canvas.height(text, room, Pen(Size.SMALL, lines=MOST_TROUBLES))
    return min(high, MOST_TROUBLES * canvas.high(Size.SMALL)) + 2 * canvas.px(2)


def _troubles(canvas: Screen, rect: Rect, notes: tuple[str, ...], blind: tuple[str, ...]) -> None:
    fill, edge = (WARNING, VERMILION) if notes else (BAND, EDGE)
    canvas.add(Box(rect, fill, canvas.px(6), edge, canvas.px(1)))
    room, colour = rect.inset(canvas.px(10), canvas.px(2)), WARNING_TEXT if notes else IVORY
    pen = Pen(Size.SMALL, colour, lines=MOST_TROUBLES)
    canvas.text(room, _trouble_words(notes, blind), pen)
