"""The OLED's picture of 128 × 64 pixels: the cube, the score, and one line about the turn or a
fault.

While a roll is to be played the dice fill the picture, because players look for them from afar. The
usual picture returns with the complete play, and for everything that needs words: a warning, a
question, a forced pass, the machine's play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from importlib import resources

from PIL import Image, ImageChops, ImageDraw, ImageFont

from pi_app.match.turns import IN_PLAY, ON_TIME, OVER, Phase
from pi_app.referee.speech import ENDED, FIRST_CHECKER, PLACES_TOWN, UNLIMITED
from pi_app.referee.view import LOW, ClockFace, ClockHand, TableDie, View, dice_of, in_figures
from pi_app.rules.naming import name_move, name_roll, name_spot
from pi_app.rules.terms import Side
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import COMMAS, ENGLISH, Language, Sentence, joined, paragraph

SIZE = (128, 64)
LINE = 46
"""The top of the bottom line."""
CUBE = 43
_RIGHT = 64
"""The left edge of the score, beside the cube and its mark."""
DIE, LOW_DIE, SUMMED_DIE, GAP = 60, 40, 42, 6
"""The size of two dice alone, above a clock or words, and of the difference to be played; and the
gap."""
THROWN_DIE, SIGN = 30, 12
"""The size of the dice of a difference, and the width of a sign."""
SIGN_LINES: Mapping[str, tuple[int, ...]] = {"−": (0,), "=": (-3, 3)}
"""How far above or below the middle the lines of a sign are."""
PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_SHORTENED = (9, 7, 5, 3)
"""The lengths to which a long name is cut for the bottom line, tried in order."""

TAP_TO_BEGIN = Sentence("Tap to begin")
SCAN_ME = Sentence("Scan to play")
AWAY, DEVICE_AWAY = Sentence("! {device}"), Sentence("! device")
FIRST_TO, UP_TO = Sentence("{points}-point match"), Sentence("to {points}")
COMES, GAME_UP_TO = Sentence("Next: {game}"), Sentence("{game}, to {points}")
SET_UP_SHORT = Sentence("Set up")
GAME_OVER = Sentence("Game over")
WINS_MATCH, HAS_WON = Sentence("{player} wins the match"), Sentence("{player} has won")
WINS = Sentence("{player} wins {points}")
WON_ON_TIME = Sentence("{player} wins on time")
CLEAR, FILL = Sentence("Clear {spot}"), Sentence("Fill {spot}")
PUT_RIGHT, CHECK = Sentence("Fix the board"), Sentence("Check the board")
NOT_LEGAL, NOT_LEGAL_SO, NO_SO = (
    Sentence("Illegal"),
    Sentence("Illegal: {moves}"),
    Sentence("No: {moves}"),
)
HOLD_FOR, PRESS_FOR = Sentence("{play}? Hold = yes"), Sentence("{play}? Press = yes")
WAS_IT, WHICH = Sentence("{play}?"), Sentence("Choose")
PLAYED, PRESS = Sentence("{player} {play} · press"), Sentence("{play} · press")
NO_MOVE, NO_MOVE_FOR, NO_MOVE_WITH = (
    Sentence("No move"),
    Sentence("{player}: no move"),
    Sentence("{player} {roll}: no move"),
)
TO_MOVE, ROLLED, HAS_ROLL = (
    Sentence("{player} to move"),
    Sentence("{player} rolled {roll}"),
    Sentence("{player}: {roll}"),
)
ACCEPTS, ACCEPTS_SHORT = (
    Sentence("{player}: accept 1 point?", "{player}: accept {n} points?"),
    Sentence("{player}: accept {points}?"),
)
MACHINE_PLAYS = Sentence("{player} plays {play}")
TAKES, TAKE = Sentence("{player}: take {stake}?"), Sentence("Take {stake}?")
IN_OVERTIME = Sentence("+{amount}")
ROLLS = Sentence("{player} rolls …")
THROWS, TO_ROLL = Sentence("{player} rolls"), Sentence("{player} to roll")


class Panel:
    def __init__(self, language: Language = ENGLISH) -> None:
        self._language = language
        folder = resources.files("pi_app.screen") / "fonts"
        files = {False: folder / "DejaVuSans.ttf", True: folder / "DejaVuSans-Bold.ttf"}
        self._fonts: dict[tuple[int, bool], ImageFont.FreeTypeFont] = {}
        for bold, sizes in ((False, (9, 10, 11, 12)), (True, (10, 11, 12, 13, 14, 16, 18, 20, 22))):
            for size in sizes:
                with resources.as_file(files[bold]) as path:
                    # Raqm, where it can be loaded, sets letters more narrowly than Pillow alone.
                    self._fonts[size, bold] = ImageFont.truetype(
                        str(path), size, layout_engine=ImageFont.Layout.BASIC
                    )

    def speaking(self, language: Language) -> Panel:
        other = copy(self)
        other._language = language
        return other

    def invitation(self, size: int, dark: Iterable[tuple[int, int, int]]) -> Image.Image:
        """The QR code with which a phone becomes a screen, dark on light, as cameras expect.

        `size` is its width in modules, at most 32; `dark` are its runs: column, row, length.
        """
        image = Image.new("1", SIZE)
        draw = ImageDraw.Draw(image)
        module = SIZE[1] // size
        draw.rectangle((0, 0, SIZE[1] - 1, SIZE[1] - 1), fill=1)
        at = (SIZE[1] - module * size) // 2
        for x, y, length in dark:
            left, top = at + x * module, at + y * module
            draw.rectangle((left, top, left + length * module - 1, top + module - 1), fill=0)
        left = SIZE[1] + 2
        self._text(draw, (left, 4, SIZE[0], 30), ("Spotter",), bold=(14, 13, 12, 11))
        words = (SCAN_ME(), "QR")
        self._text(draw, (left, 30, SIZE[0], 60), words, bold=(13, 12, 11), plain=(10, 9))
        return image

    def picture(self, view: View | None, away: tuple[str, ...] = ()) -> Image.Image:
        """The picture of a view, one bit a pixel; None means before the first match.

        `away` are the devices that do not answer.
        """
        image = Image.new("1", SIZE)
        draw = ImageDraw.Draw(image)
        draw.fontmode = "1"
        if view is None:
            self._text(draw, (0, 0, 128, LINE), ("Spotter",), bold=(22,))
            self._line(draw, (TAP_TO_BEGIN(),), inverted=False)
            return image
        if not away and _is_opening(view):
            self._dice(draw, view)
            self._line(draw, tuple(wordings(view)), inverted=False)
            return image
        if not away and _is_to_be_played(view):
            self._dice(draw, view)
            return image
        left = 0
        if view.with_cube:
            self._cube(draw, view)
            left = _RIGHT if view.cube.owner or view.cube.offered else CUBE + 7
        if view.clock and not away:
            self._timed_score(draw, view, view.clock, left)
        else:
            self._score(draw, view, left, away)
        warns = view.board in ALARMS and view.phase is not Phase.SET_UP
        self._line(draw, tuple(wordings(view)), inverted=warns)
        return image

    def _cube(self, draw: ImageDraw.ImageDraw, view: View) -> None:
        """A large cube: inverted while offered, with a triangle towards its owner."""
        offered = view.cube.offered is not None
        number = 2 * view.cube.value if offered else view.cube.face
        box = (0, 0, CUBE, CUBE)
        draw.rounded_rectangle(box, 5, fill=int(offered), outline=1, width=1)
        face = "–" if view.crawford else str(number)
        inner = (3, 1, CUBE - 2, CUBE)
        self._text(draw, inner, (face,), bold=(22, 20, 18, 16, 14), ink=int(not offered))
        owner = view.cube.offered.other if view.cube.offered else view.cube.owner
        if owner is Side.WHITE:
            draw.polygon(((57, 6), (48, 16), (57, 26)), fill=1)
        elif owner is Side.BLACK:
            draw.polygon(((48, 6), (57, 16), (48, 26)), fill=1)
        if owner:
            initial = self._language.say(view.player(owner))[:1].upper()
            self._text(draw, (46, 28, 60, 44), (initial,), bold=(13, 12, 11))

    def _score(
        self, draw: ImageDraw.ImageDraw, view: View, left: int, away: tuple[str, ...]
    ) -> None:
        score = f"{view.score.white}–{view.score.black}"
        self._text(draw, (left, 0, 128, 28), (score,), bold=(22, 20, 18, 16, 14, 12))
        room = (left, 28, 128, LINE - 1)
        self._text(draw, room, tuple(_below(view, away)), plain=(12, 11, 10, 9))

    def _timed_score(
        self, draw: ImageDraw.ImageDraw, view: View, face: ClockFace, left: int
    ) -> None:
        """The score in small figures, and below it the time of the side to act, inverted if it is
        short.

        While nobody's clock runs both times are shown.
        """
        score = f"{view.score.white}–{view.score.black}"
        self._text(draw, (left, 0, 128, 15), (score,), bold=(12, 11, 10))
        room = (left, 15, 128, LINE - 1)
        if face.holder is None:
            white, black = (in_figures(face[side].left_at(view.us)) for side in Side)
            self._text(draw, room, (paragraph(white, black),), plain=(12, 11, 10, 9))
            return
        self._time(draw, view, face[face.holder], room)

    def _time(
        self,
        draw: ImageDraw.ImageDraw,
        view: View,
        hand: ClockHand,
        room: tuple[int, int, int, int],
    ) -> None:
        time = hand.left_at(view.us)
        low = time < LOW
        if low:
            draw.rectangle((room[0], room[1], 127, room[3] - 1), fill=1)
        words = (IN_OVERTIME(amount=in_figures(time)) if hand.overtime else in_figures(time),)
        self._text(draw, room, words, bold=(22, 20, 18, 16, 14, 12, 11, 10), ink=int(not low))

    def _dice(self, draw: ImageDraw.ImageDraw, view: View) -> None:
        """The dice as large as they fit, above a running clock or words if there are any."""
        dice, low = dice_of(view), view.clock is not None or _is_opening(view)
        summed, foot = any(die.sign for die in dice), LOW_DIE if low else SIZE[1]
        sides = [_side(die, low=low, summed=summed) for die in dice]
        gaps = [0, *(SIGN if die.sign else GAP for die in dice[1:])]
        x = (SIZE[0] - sum(sides) - sum(gaps)) // 2
        for die, side, gap in zip(dice, sides, gaps, strict=True):
            for y in SIGN_LINES.get(die.sign, ()):
                at = foot // 2 + y
                draw.rectangle((x + 2, at - 1, x + gap - 3, at + 1), fill=1)
            draw_die(draw, (x + gap, (foot - side) // 2), side, die)
            x += gap + side
        if view.clock and view.clock.holder:
            self._time(draw, view, view.clock[view.clock.holder], (0, LOW_DIE + 2, 128, 64))

    def _line(self, draw: ImageDraw.ImageDraw, words: tuple[str, ...], *, inverted: bool) -> None:
        room = (0, LINE, 128, 64)
        if inverted:
            draw.rectangle((0, LINE, 127, 63), fill=1)
        else:
            draw.line((0, LINE, 127, LINE), fill=1)
        place = (room[0] + 2, LINE + 1, 126, 64)
        self._text(draw, place, words, bold=(13, 12, 11), plain=(11, 10, 9), ink=int(not inverted))

    def _text(
        self,
        draw: ImageDraw.ImageDraw,
        room: tuple[int, int, int, int],
        words: tuple[str, ...],
        *,
        bold: tuple[int, ...] = (),
        plain: tuple[int, ...] = (),
        ink: int = 1,
    ) -> None:
        """Draw the first wording that fits at the largest size, centred.

        Here a sentence becomes letters in the players' language.
        """
        fonts = [self._fonts[size, True] for size in bold]
        fonts += [self._fonts[size, False] for size in plain]
        said = tuple(map(self._language.say, words))
        text, font = _choose(said, fonts, room[2] - room[0])
        x1, _, x2, _ = draw.textbbox((0, 0), text, font)
        _, y1, _, y2 = draw.textbbox((0, 0), "H", font)  # the same line whatever hangs below it
        x = room[0] + (room[2] - room[0] - (x2 - x1)) // 2 - x1
        y = room[1] + (room[3] - room[1] - (y2 - y1)) // 2 - y1
        draw.text((round(x), round(y)), text, ink, font)


def _is_opening(view: View) -> bool:
    return view.phase is Phase.OPENING_THROW and bool(view.thrown) and view.board not in ALARMS


def _is_to_be_played(view: View) -> bool:
    """Whether there is a roll to be played, and nothing needs words."""
    leads = view.to_make and view.chosen
    speaks = leads or view.board in (*ALARMS, BoardState.PLAYED, BoardState.CHOOSE)
    halted = view.clock is not None and view.clock.holder is None
    playing = view.phase is Phase.MOVING and bool(view.roll) and view.moves_exist
    return playing and not speaks and not halted


def _side(die: TableDie, *, low: bool, summed: bool) -> int:
    if not summed:
        return LOW_DIE if low else DIE
    if die.sign != "=":
        return THROWN_DIE
    return LOW_DIE if low else SUMMED_DIE


def draw_die(draw: ImageDraw.ImageDraw, corner: tuple[int, int], side: int, die: TableDie) -> None:
    """White's die is lit, Black's is dark with a bright edge; a used one is grey."""
    image = Image.new("1", (side, side))
    own, lit = ImageDraw.Draw(image), die.side is Side.WHITE
    own.rounded_rectangle((0, 0, side - 1, side - 1), side // 6, int(lit), 1, max(2, side // 20))
    step, radius = side * 27 / 100, side / 11
    for column, row in PIPS[die.face]:
        x, y = (side - 1) / 2 + column * step, (side - 1) / 2 + row * step
        own.ellipse((x - radius, y - radius, x + radius, y + radius), int(not lit))
    if die.used:
        image = ImageChops.logical_and(image, _chequer(side))
    draw.bitmap(corner, image, 1)


def _chequer(side: int) -> Image.Image:
    """Every second pixel is lit, which looks grey from afar."""
    image = Image.new("1", (side, side))
    lit = [(x, y) for y in range(side) for x in range(y % 2, side, 2)]
    ImageDraw.Draw(image).point(lit, 1)
    return image


def wordings(view: View) -> Iterator[str]:
    """Candidates for the bottom line, longest first."""
    if view.phase is Phase.SET_UP:
        yield view.message
        yield SET_UP_SHORT()
    elif view.phase in OVER:
        yield from _ended(view)
    elif view.board in ALARMS:
        yield from _wrong(view)
    elif view.resignation:
        for name in _names(view, view.to_act):
            yield ACCEPTS(n=view.resignation.points, player=name)
            yield ACCEPTS_SHORT(points=view.resignation.points, player=name)
    elif view.phase is Phase.MOVING:
        yield from _moving(view)
    else:
        yield from _waiting(view)


def _below(view: View, away: tuple[str, ...]) -> Iterator[str]:
    lacks = view.first_lacks[view.to_act is Side.BLACK]
    if away:
        yield from (AWAY(device=away[0]), DEVICE_AWAY(), "!")
    elif view.coming:
        yield from (COMES(game=view.coming.title), view.coming.title)
    elif lacks and view.phase in IN_PLAY:
        yield FIRST_CHECKER(n=lacks)
    elif view.match_to is None:
        yield from (UNLIMITED(), "∞")
    else:
        if view.in_series:
            yield GAME_UP_TO(game=view.title, points=view.match_to)
        yield from (FIRST_TO(points=view.match_to), UP_TO(points=view.match_to))


def _ended(view: View) -> Iterator[str]:
    winner = Side.WHITE if view.score.white >= view.score.black else Side.BLACK
    if view.phase is Phase.MATCH_OVER:
        if view.result and view.result.name == ON_TIME:
            yield from (WON_ON_TIME(player=name) for name in _names(view, winner))
        for name in _names(view, winner):
            yield from (WINS_MATCH(player=name), HAS_WON(player=name))
    elif view.last_result:
        yield view.last_result
        if view.result and view.result.winner:
            name, points = view.player(view.result.winner), view.result.points
            yield from (ENDED["win"](player=name, n=points), WINS(player=name, points=points))
    yield GAME_OVER()


def _wrong(view: View) -> Iterator[str]:
    if view.guiding:
        if view.clear:
            yield CLEAR(spot=name_spot(view.clear[0], view.counting))
        elif view.fill:
            yield FILL(spot=name_spot(view.fill[0], view.counting))
    elif view.board is BoardState.WRONG and view.moves:
        way = joined([name_move(move, view.counting) for move in view.moves], COMMAS)
        yield from (NOT_LEGAL_SO(moves=way), NO_SO(moves=way), NOT_LEGAL())
    elif view.board is BoardState.DISTURBED:
        yield CHECK()
    yield PUT_RIGHT()


def _moving(view: View) -> Iterator[str]:
    names, roll = tuple(_names(view, view.to_act)), name_roll(view.roll)
    if view.board is BoardState.CHOOSE:
        several = len(view.choices) > 1
        if view.choices and view.moves_exist:
            yield (HOLD_FOR if several else PRESS_FOR)(play=view.choices[0])
            yield WAS_IT(play=view.choices[0])
        yield WHICH()
    elif view.board is BoardState.PLAYED and view.play:
        yield from (PLAYED(player=name, play=view.play) for name in names)
        yield from (PRESS(play=view.play), view.play)
    elif view.legal and not view.moves_exist:
        for name in names:
            yield NO_MOVE_WITH(player=name, roll=roll) if roll else NO_MOVE_FOR(player=name)
        yield NO_MOVE()
    elif view.to_make and view.chosen:
        yield from (MACHINE_PLAYS(player=name, play=view.chosen) for name in names)
        yield view.chosen
    elif not roll:
        placing = bool(view.targets) and view.board is BoardState.RESTING
        for name in names:
            yield PLACES_TOWN(side=name) if placing else TO_MOVE(player=name)
    else:
        for name in names:
            yield from (ROLLED(player=name, roll=roll), HAS_ROLL(player=name, roll=roll))


def _waiting(view: View) -> Iterator[str]:
    for name in _names(view, view.to_act):
        if view.phase is Phase.DOUBLE_OFFERED:
            yield TAKES(player=name, stake=2 * view.cube.value)
        elif view.awaiting_roll:
            yield ROLLS(player=name)
        elif view.phase is Phase.OPENING_THROW:
            yield THROWS(player=name)
        else:
            yield TO_ROLL(player=name)
    if view.phase is Phase.DOUBLE_OFFERED:
        yield TAKE(stake=2 * view.cube.value)


def _names(view: View, side: Side) -> Iterator[str]:
    """A player's name and ever shorter forms of it."""
    name = view.player(side)
    yield name
    yield from (name[:most].rstrip() + "…" for most in _SHORTENED if len(name) > most + 1)


def _choose(
    words: tuple[str, ...], fonts: list[ImageFont.FreeTypeFont], width: int
) -> tuple[str, ImageFont.FreeTypeFont]:
    """The longest wording that fits at a readable size. The shortest may be small."""
    readable = fonts[: max(1, len(fonts) - 3)] if len(words) > 1 else fonts
    for text in words:
        for font in readable:
            if _width(text, font) <= width:
                return text, font
    shortest = min(words, key=len)
    for font in fonts:
        if _width(shortest, font) <= width:
            return shortest, font
    return _cut(shortest, fonts[-1], width), fonts[-1]


def _cut(text: str, font: ImageFont.FreeTypeFont, width: int) -> str:
    while text and _width(text + "…", font) > width:
        text = text[:-1]
    return text + "…"


def _width(text: str, font: ImageFont.FreeTypeFont) -> float:
    """Measure the 1-bit rendering, which is usually wider than the smooth one."""
    left, _, right, _ = font.getbbox(text, mode="1")
    return float(right - left)
