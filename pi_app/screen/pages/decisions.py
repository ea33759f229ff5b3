"""The table of a bad play: the best plays beside it, what each is worth, and how often it wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pi_app.base.values import dataclass
from pi_app.coach.rollout import Rollout
from pi_app.coach.study import Judged, Mark, mark_of
from pi_app.players.contract import Rated, Unit
from pi_app.rules.contract import AnyGame
from pi_app.screen.actions import Screen
from pi_app.screen.canvas import Align, Line, Pen, Rect, Size, arrow
from pi_app.screen.pages.coach import (
    BEST,
    PLAYED,
    TINY,
    chances_of,
    cost_of,
    depth_of,
    number_of,
    words_of,
)
from pi_app.screen.theme import AMBER, DIM, EDGE, IVORY, TEAL, VERMILION, Colour
from pi_app.words.numbers import per_cent, with_sign
from pi_app.words.sentences import DOTTED, Sentence, joined

SIGN_WIDE, BETWEEN = 30, 6
"""Units: the width of the sign of a play, which is that of its arrow on the board; and the gap
between two rows."""
ROLLED_TO = Sentence("rollout {worth}")
GAMES_PLAYED = Sentence("1 game", "{n} games")
MARK_COLOURS: Mapping[Mark, Colour] = {Mark.BLUNDER: VERMILION, Mark.ERROR: AMBER}


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A line of the table of a decision: a play, what it is worth, and how deeply it was searched.

    `notes` say how often it wins, or what its rollout says, the longest first; one that fits is
    shown.
    """

    play: str
    worth: str
    notes: tuple[str, ...]
    depth: str
    made: bool
    best: bool

    @property
    def lines(self) -> tuple[Size, ...]:
        """What it is and is worth; below it the best play; how often it wins. The play made stands
        above the table, any other beside its worth."""
        return Size.TEXT, *(Size.TEXT,) * self.is_below, *(Size.SMALL,) * bool(self.notes)

    @property
    def is_below(self) -> bool:
        return self.best and not self.made

    def fits(self, canvas: Screen, wide: int) -> bool:
        pen = Pen(Size.TEXT, bold=True)
        play, worth = canvas.width(self.play, pen), canvas.width(self.worth, pen)
        needs = worth + canvas.px(8) + play
        return self.made or (play if self.best else needs) <= wide

    def draw(self, canvas: Screen, rect: Rect) -> None:
        bold, small = Pen(Size.TEXT, IVORY, bold=True), Pen(Size.SMALL, DIM)
        first = rect.upper(canvas.high(Size.TEXT))
        canvas.line(first, self.worth, replace(bold, align=Align.RIGHT))
        sign = canvas.px(SIGN_WIDE)
        if self.best or self.made:
            _sign_of(canvas, Rect(first.x, first.y, sign - canvas.px(8), first.h), self)
            word: str = PLAYED() if self.made else BEST()
            wide = first.w - sign - canvas.px(8) - canvas.width(self.worth, bold)
            word = canvas.first_to_fit(wide, small, joined((word, self.depth), DOTTED), word)
            canvas.line(Rect(first.x + sign, first.y, first.w - sign, first.h), word, small)
        elif not self.is_below:
            canvas.line(first, self.play, bold)
        if self.is_below:
            canvas.line(Rect(rect.x, first.bottom, rect.w, first.h), self.play, bold)
        if self.notes:
            note = canvas.first_to_fit(rect.w, small, *self.notes)
            canvas.line(rect.lower(canvas.high(Size.SMALL)), note, small)


def rated_rows(
    game: AnyGame, judged: Judged, rollout: Rollout | None = None
) -> tuple[RatedRow, ...]:
    """The best plays and the one made, the best first; none for the cube."""
    if not judged.rated:
        return ()
    made, *best = judged.rated
    position = judged.moment.question.situation.position
    return tuple(
        RatedRow(
            game.write_play(position, one.play),
            worth_of(judged.unit, one.worth),
            _notes(judged.unit, one, rollout, alone=one != made and one != best[0]),
            depth_of(one),
            one == made,
            one == best[0],
        )
        for one in (best if made in best else (*best, made))
    )


def _notes(unit: Unit, rated: Rated, rollout: Rollout | None, *, alone: bool) -> tuple[str, ...]:
    """`alone`: no word stands before them that says the depth."""
    line = rollout.line_of(rated.play) if rollout else None
    if line:
        worth = number_of(unit, line.worth, signed=unit is not Unit.MATCH, half=line.half)
        said = ROLLED_TO(worth=worth)
        return joined((said, GAMES_PLAYED(n=line.games)), DOTTED), said, worth
    wins = next(iter(chances_of(rated.chances)), "")
    longest = joined((wins, depth_of(rated) if alone else ""), DOTTED)
    return tuple(filter(None, dict.fromkeys((longest, wins))))


def worth_of(unit: Unit, worth: float) -> str:
    return per_cent(worth, 1) if unit is Unit.MATCH else with_sign(worth, 3)


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """What a decision cost, in long and in short, and the plays to compare: the best first, the one
    made marked."""

    heads: tuple[str, str]
    rows: tuple[RatedRow, ...]
    foot: str
    colour: Colour

    def fewer(self) -> Iterator[DecisionTable]:
        """The table, then the same with the best play and the one made only."""
        yield self
        yield replace(self, rows=tuple(row for row in self.rows if row.best or row.made))

    def fits(self, canvas: Screen, room: Rect) -> bool:
        bold, small = Pen(Size.TEXT, bold=True), Pen(Size.SMALL, lines=2)
        wide = canvas.width(self.heads[-1], bold)
        rows = all(row.fits(canvas, room.w) for row in self.rows)
        lines = (line for row in self.rows for line in row.lines)
        high = canvas.high(Size.TEXT, *lines) + canvas.px(BETWEEN) * len(self.rows)
        high += canvas.height(self.foot, room.w, small)
        return rows and wide <= room.w and high <= room.h

    def draw(self, canvas: Screen, room: Rect) -> None:
        bold, small = Pen(Size.TEXT, IVORY, bold=True), Pen(Size.SMALL, IVORY, lines=2)
        head = room.upper(canvas.high(Size.TEXT))
        canvas.stripe(Rect(room.x - canvas.px(12), head.y, head.w, head.h), self.colour)
        canvas.line(head, canvas.first_to_fit(head.w, bold, *self.heads), bold)
        y = head.bottom
        for row in self.rows:
            y += canvas.px(BETWEEN)
            place = Rect(room.x, y, room.w, canvas.high(*row.lines))
            row.draw(canvas, place)
            y = place.bottom
        canvas.text(Rect(room.x, y, room.w, room.bottom - y), self.foot, small)


def _sign_of(canvas: Screen, rect: Rect, row: RatedRow) -> None:
    """The best play has an arrow and the one made a thin line, as on the board."""
    y = float(rect.centre[1])
    way = tuple((rect.x + rect.w * step / 8, y) for step in range(9))
    if row.best:
        canvas.add(*arrow(way, TEAL, canvas.px(4)))
    elif row.made:
        canvas.add(Line(way, DIM, canvas.px(2.5)))


def table_of(
    game: AnyGame, judged: tuple[Judged, ...], rollout: Rollout | None = None
) -> DecisionTable | None:
    """The table of a play that was not the best; what else was decided is its last line."""
    for one in judged:
        rows = rated_rows(game, one, rollout)
        if rows and one.loss >= TINY:
            others = (words_of(game, other) for other in judged if other is not one)
            colour = MARK_COLOURS.get(mark_of(one), EDGE)
            heads = cost_of(one), cost_of(one, short=True)
            return DecisionTable(heads, rows, joined(tuple(others), DOTTED), colour)
    return None
