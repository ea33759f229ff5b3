"""The form of a tournament match: clock, policy of play, coach and dice, a tap to each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from pi_app.match.clock import ClockKind
from pi_app.match.terms import FRIENDLY, PRESETS, AgreedDice, MatchTerms, PlayPolicy
from pi_app.microseconds import Us
from pi_app.screen.actions import Acted, Action, Begin, Open
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.layout import sheet_bands
from pi_app.screen.pages.buttons import BACK, Choice, row_of_buttons
from pi_app.screen.pages.new_match import BEGIN, TOURNAMENT
from pi_app.screen.pages.settings import labelled
from pi_app.screen.pages.sheets import head
from pi_app.screen.shapes import Rect
from pi_app.screen.theme import DIM
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.settings import OFF
from pi_app.words.sentences import Said, Sentence

T = TypeVar("T")

CLOCK, RESERVE, RESERVE_FOR = Sentence("Clock"), Sentence("Reserve"), Sentence("Reserve for")
A_TURN, OVERTIME = Sentence("Seconds a turn"), Sentence("Overtime")
AMISS = Sentence("During corrections")
POLICY, COACH, DICE = Sentence("Illegal plays"), Sentence("Hints and coach"), Sentence("Dice")
PRESET = Sentence("Preset")

KINDS: Mapping[ClockKind, Sentence] = MappingProxyType(
    {
        ClockKind.NONE: Sentence("no clock"),
        ClockKind.DELAY: Sentence("simple delay"),
        ClockKind.BRONSTEIN: Sentence("Bronstein"),
        ClockKind.FISCHER: Sentence("Fischer"),
        ClockKind.PLAIN: Sentence("plain"),
    }
)
POLICIES: Mapping[PlayPolicy, Sentence] = MappingProxyType(
    {
        PlayPolicy.LEGAL: Sentence("warn (legal moves)"),
        PlayPolicy.RESPONSIBLE: Sentence("don't warn (responsible moves)"),
    }
)
ROLLS: Mapping[AgreedDice, Sentence] = MappingProxyType(
    {
        AgreedDice.AS_SET: Sentence("as in the settings"),
        AgreedDice.DEVICE: Sentence("Spotter rolls"),
        AgreedDice.TYPED: Sentence("manual"),
    }
)
FORMS: Mapping[str, Sentence] = MappingProxyType(
    {
        "": Sentence("friendly"),
        "club": Sentence("12 s, 2 min a point"),
        "fast": Sentence("8 s, 20 s a point"),
        "fischer": Sentence("Fischer, 10 min + 5 s"),
        "plain": Sentence("plain, 30 min"),
    }
)
SECONDS, MINUTES = Sentence("{n} second", "{n} seconds"), Sentence("{n} minute", "{n} minutes")
A_POINT, THE_MATCH = Sentence("each point to win"), Sentence("the whole match")
RUNS, STANDS = Sentence("the clock runs"), Sentence("the clock stops")
LOCKED, AS_SET, OWN = Sentence("locked"), Sentence("as in the settings"), Sentence("custom")
WITH_AN_END = Sentence("Clocks need a match length")
MINUTE = 60

RESERVES = (20, 30, 60, 90, 120, 180, 300, 600, 900, 1200, 1800, 3600)
TURNS = (0, 3, 5, 8, 10, 12, 15, 20, 30)
OVERTIMES = (0, 60, 120)


@dataclass(frozen=True, slots=True)
class SetTerms:
    """Put other terms into the form of the new match."""

    terms: MatchTerms

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, form=replace(ui.form, terms=self.terms)), ()


@dataclass(frozen=True, slots=True)
class FormEntry:
    """One entry of the form: its name, its value, whether it departs from friendly play, and what
    a tap makes of the terms; None where the entry is of no use.
    """

    label: Said
    value: Said
    on: bool
    following: MatchTerms | None


def entries(terms: MatchTerms) -> Iterator[FormEntry]:
    yield _preset(terms)
    yield FormEntry(
        POLICY(),
        POLICIES[terms.policy](),
        terms.policy is not PlayPolicy.LEGAL,
        replace(terms, policy=_after(tuple(PlayPolicy), terms.policy)),
    )
    yield from _clock(terms)
    locked = LOCKED() if terms.locked else AS_SET()
    yield FormEntry(COACH(), locked, terms.locked, replace(terms, locked=not terms.locked))
    agreed = terms.dice is not AgreedDice.AS_SET
    following = replace(terms, dice=_after(tuple(AgreedDice), terms.dice))
    yield FormEntry(DICE(), ROLLS[terms.dice](), agreed, following)


def _clock(terms: MatchTerms) -> Iterator[FormEntry]:
    clock = terms.clock
    timed, turned = clock.kind is not ClockKind.NONE, clock.kind is not ClockKind.PLAIN

    def entry(
        label: Sentence, value: Said, on: bool, use: bool = True, **change: object
    ) -> FormEntry:
        following = replace(terms, clock=replace(clock, **change))  # type: ignore[arg-type]
        return FormEntry(label(), value, on and timed and use, following if timed and use else None)

    following = replace(terms, clock=replace(clock, kind=_after(tuple(KINDS), clock.kind)))
    yield FormEntry(CLOCK(), KINDS[clock.kind](), timed, following)
    a_turn, overtime = _after(TURNS, clock.a_turn), _after(OVERTIMES, clock.overtime)
    lasts = span(clock.a_turn) if turned else OFF()
    yield entry(A_TURN, lasts, clock.a_turn > 0, turned, a_turn=a_turn)
    yield entry(RESERVE, span(clock.reserve), True, reserve=_after(RESERVES, clock.reserve))
    whose = A_POINT() if clock.a_point else THE_MATCH()
    yield entry(RESERVE_FOR, whose, True, a_point=not clock.a_point)
    longer = span(clock.overtime) if clock.overtime else OFF()
    yield entry(OVERTIME, longer, clock.overtime > 0, overtime=overtime)
    amiss = RUNS() if clock.runs_amiss else STANDS()
    yield entry(AMISS, amiss, clock.runs_amiss, runs_amiss=not clock.runs_amiss)


def _preset(terms: MatchTerms) -> FormEntry:
    presets = {"": FRIENDLY, **PRESETS}
    name = next((name for name, preset in presets.items() if preset == terms), None)
    value = OWN() if name is None else FORMS[name]()
    following = presets[_after(tuple(presets), name)]
    return FormEntry(PRESET(), value, terms != FRIENDLY, following)


def span(seconds: int) -> Said:
    """A time in words: "90 seconds", "2 minutes"."""
    if seconds >= MINUTE and seconds % MINUTE == 0:
        return MINUTES(n=seconds // MINUTE)
    return SECONDS(n=seconds)


def _after(values: tuple[T, ...], value: object) -> T:
    """The next value; the first one after the last or an unknown one."""
    place = values.index(value) + 1 if value in values else 0
    return values[place % len(values)]


def draw_tournament(canvas: Canvas[Action], ui: Ui) -> None:
    """Ten entries; what is of no use now is dimmed."""
    bands, gap = sheet_bands(canvas.size), canvas.px(8)
    head(canvas, bands.title, TOURNAMENT(), WITH_AN_END() if ui.form.match_to is None else "")
    there = tuple(entries(ui.form.terms))
    columns = 1 if canvas.upright else 2
    places = bands.body.grid(columns, len(there) // columns, gap)
    for place, entry in zip(places, there, strict=True):
        _draw(canvas, place, entry)
    begin = Choice(BEGIN(), Begin(), Look.MAIN)
    row_of_buttons(canvas, bands.buttons, (Choice(BACK(), Open(Page.NEW_MATCH)), begin))


def _draw(canvas: Canvas[Action], rect: Rect, entry: FormEntry) -> None:
    if entry.following is None:
        canvas.frame(rect, Look.DIMMED)
        canvas.text(rect.inset(canvas.px(36), canvas.px(4)), entry.label, Pen(19, DIM))
        return
    labelled(canvas, rect, (entry.label, entry.value), on=entry.on)
    canvas.touch(rect, SetTerms(entry.following), entry.label)
