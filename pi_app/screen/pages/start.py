"""The start page: who plays, as last time, and the ways to all other pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pi_app.base.values import dataclass
from pi_app.referee.speech import UNLIMITED
from pi_app.rules.terms import Side
from pi_app.screen import icons
from pi_app.screen.actions import (
    Action,
    Screen,
    begin_like,
    open_page,
    open_sensors,
    send,
    show_matches,
    show_rivals,
    turn_to,
)
from pi_app.screen.canvas import BUTTON, MARGIN, Align, Icon, Look, Pen, Rect, Size
from pi_app.screen.pages.coach import DUE
from pi_app.screen.pages.parts import (
    MATCHES,
    NEW_MATCH,
    RULES,
    SENSORS,
    SETTINGS_PAGE,
    TOUR,
    Choice,
    draw_choices,
    draw_head,
)
from pi_app.screen.pages.play import FIRST_TO, TROUBLE, VERSUS
from pi_app.screen.pieces import checker
from pi_app.screen.theme import DIM, INK, IVORY, WARNING_TEXT
from pi_app.screen.ui import (
    Page,
    PageGuest,
    Shown,
    Ui,
    chosen_game,
    due_count,
    form_like,
    last_forms,
    title_of,
)
from pi_app.user.agreement import Form, player_names, points_to_win
from pi_app.user.commands import Quit, Resume
from pi_app.words.sentences import DOTTED, Sentence, joined

WITH_HOST = Sentence("You are connected to {name}'s board")
WILL_ASK = Sentence("{name}'s board asks you for a match next. Keep this page open.")
TWO_PLAYERS = Sentence("Two players")
AGAINST = Sentence("Against Spotter")
TRAIN = Sentence("Train")
OPPONENTS = Sentence("Opponents")
SLOGAN = Sentence("sees your moves, knows the rules, explains why")
GO_ON = Sentence("Resume {match}")
QUIT = Sentence("Quit")

BAND_HIGH, CARD_HIGH = 64, 250
"""Units: the height of the button that resumes a match, and the greatest of a card."""


RESUME = Pen(Size.TEXT, bold=True, lines=3)
NAME = Pen(Size.FIGURE, IVORY, bold=True, align=Align.CENTRE)


@dataclass(frozen=True, slots=True)
class StartCard:
    """A way to begin: what it is, with whom and how long, and what a tap does."""

    title: str
    note: str
    action: Action
    icon: Icon


def draw_start(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw a card for each way to begin, above them the match to resume, below them all pages."""
    gap, room = canvas.px(10), Rect(0, 0, *canvas.size).inset(canvas.px(MARGIN))
    room = _draw_top(canvas, room, shown)
    columns = 2 if canvas.upright else 4
    ways = _other_ways(shown, ui)
    rows = -(-len(ways) // columns)
    high = rows * canvas.px(BUTTON) + (rows - 1) * gap
    draw_choices(canvas, room.lower(high).grid(columns, rows, gap), ways)
    room = room.upper(room.h - high - gap)
    if shown.resumable:
        resume = GO_ON(match=shown.resumable)
        high = canvas.height(resume, room.w - 2 * canvas.px(7), RESUME) + 2 * canvas.px(2)
        band = room.upper(max(canvas.px(BAND_HIGH), high))
        fits = canvas.width(resume, RESUME) + 2 * canvas.px(BUTTON) <= band.w
        icon = icons.play if fits else None
        canvas.button(band, resume, send(Resume()), Look.MAIN, icon=icon)
        room = room.lower(room.h - band.h - gap)
    cards = tuple(_cards(shown, ui))
    one = min(room.h, canvas.px(CARD_HIGH) * (len(cards) if canvas.upright else 1))
    count = len(cards)
    places = room.upper(one).grid(*((1, count) if canvas.upright else (count, 1)), gap)
    for number, (place, card) in enumerate(zip(places, cards, strict=True)):
        first = number == 0 and not shown.resumable
        _draw_card(canvas, place, card, Look.MAIN if first else Look.PLAIN)


def _draw_top(canvas: Screen, room: Rect, shown: Shown) -> Rect:
    """Draw the name, and beside or below it a line about the board. Return what is left."""
    line, colour = joined((shown.board.title, SLOGAN()), DOTTED), DIM
    if shown.notes:
        line, colour = TROUBLE(notes=joined(shown.notes, DOTTED)), WARNING_TEXT
    high = canvas.high(Size.FIGURE) + canvas.px(2)
    pen = Pen(Size.SMALL, colour, align=Align.CENTRE if canvas.upright else Align.RIGHT, lines=5)
    if canvas.upright:
        low = min(canvas.height(line, room.w, pen), room.h // 4)
        name, note = room.upper(high), Rect(room.x, room.y + high, room.w, low)
    else:
        wide = canvas.width("Spotter", NAME) + 8 * canvas.px(22)
        rest = room.w - wide - canvas.px(10)
        high = max(high, min(canvas.height(line, rest, pen), room.h // 4))
        name = Rect(room.x, room.y, wide, high)
        note = Rect(room.right - rest, room.y, rest, high)
    r = min(canvas.px(22), high // 2)
    word = canvas.text(name, "Spotter", NAME)
    for side, x in ((Side.WHITE, word.x - 2 * r), (Side.BLACK, word.right + 2 * r)):
        canvas.add(*checker((x, name.centre[1]), r, side))
    canvas.text(note, line, pen)
    top = max(name.bottom, note.bottom) + canvas.px(8)
    return Rect(room.x, top, room.w, room.bottom - top)


def _cards(shown: Shown, ui: Ui) -> Iterator[StartCard]:
    """Yield the ways to begin: each as last time, or for the first time by its page."""
    people, against = (form_like(shown, machine=machine) for machine in (False, True))
    begins = begin_like(people) if people else open_page(Page.NEW_MATCH)
    yield StartCard(TWO_PLAYERS(), _terms(shown, people, people=True), begins, icons.pair)
    begins = begin_like(against) if against else show_rivals(meets=True)
    game = chosen_game(ui.form, shown).name
    if shown.rivals.get((against or Form(game=game)).game):
        yield StartCard(AGAINST(), _terms(shown, against, people=False), begins, icons.die)
    ready = due_count(shown)
    note = DUE(n=ready) if ready else ""
    yield StartCard(TRAIN(), note, open_page(Page.PRACTICE), icons.curve)


def _terms(shown: Shown, form: Form | None, *, people: bool) -> str:
    """Who plays what for how long."""
    if form is None:
        return ""
    game = shown.games.matches[form.game]
    white, black = player_names(form, game)
    who: str = VERSUS(white=white, black=black) if people else ""
    if seat := form.machine:
        who = title_of(shown, game.name, seat.player)
    points = points_to_win(form, game)
    target = UNLIMITED() if points is None else FIRST_TO(n=points)
    several = len(shown.games) > 1
    return joined((who, *((game.title,) if several else ()), target), DOTTED)


def _draw_card(canvas: Screen, rect: Rect, card: StartCard, look: Look) -> None:
    canvas.frame(rect, look)
    canvas.touch(rect, card.action, (card.title, card.action))
    ink, dim = (INK, INK) if look is Look.MAIN else (IVORY, DIM)
    align = Align.LEFT if canvas.upright else Align.CENTRE
    title = Pen(Size.HEAD, ink, bold=True, align=align, lines=2)
    note, room = Pen(Size.SMALL, dim, align=align, lines=4), rect.inset(canvas.px(10), canvas.px(4))
    side = min(canvas.px(64), room.h)
    if canvas.upright:
        icon = Rect(room.x, room.centre[1] - side // 2, side, side)
        left = icon.right + canvas.px(14)
        room = Rect(left, room.y, room.right - left, room.h)
    above, below = canvas.height(card.title, room.w, title), 0
    if card.note:
        below = canvas.height(card.note, room.w, note)
        if above + below > room.h:
            title = replace(title, size=Size.TEXT)
            above = canvas.height(card.title, room.w, title)
        note = replace(note, lines=max(1, (room.h - above) // canvas.high(Size.SMALL)))
        below = min(below, note.lines * canvas.high(Size.SMALL))
    if canvas.upright:
        top = room.y + (room.h - above - below) // 2
    else:
        side = min(side, room.h - above - below - canvas.px(10))
        top = room.bottom - above - below
        icon = Rect(room.centre[0] - side // 2, (room.y + top - side) // 2, side, side)
    if side >= canvas.px(24):
        canvas.add(*card.icon(icon, ink))
    canvas.text(Rect(room.x, top, room.w, above), card.title, title)
    canvas.text(Rect(room.x, top + above, room.w, below), card.note, note)


def _other_ways(shown: Shown, ui: Ui) -> tuple[Choice, ...]:
    form = next(last_forms(shown), ui.form)
    meets = show_rivals(meets=True) if shown.rivals.get(chosen_game(form, shown).name) else None
    return (
        Choice(NEW_MATCH(), open_page(Page.NEW_MATCH), icon=icons.plus),
        Choice(OPPONENTS(), meets, icon=icons.bars),
        *other_pages(shown),
    )


def draw_waiting(canvas: Screen, shown: Shown, guest: PageGuest) -> None:
    """Draw the page of a friend without a board until a match begins."""
    title, *rest = WITH_HOST(name=guest.host), *shown.notices
    body = draw_head(canvas, title, "")
    text = joined(tuple(rest), DOTTED) if rest else WILL_ASK(name=guest.host)
    canvas.text(body, text, Pen(Size.TEXT, IVORY, align=Align.CENTRE, lines=9))


def other_pages(shown: Shown) -> tuple[Choice, ...]:
    quits = send(Quit()) if shown.computer is None else open_page(Page.QUIT)
    return (
        Choice(MATCHES(), show_matches(), icon=icons.shelf),
        Choice(RULES(), turn_to(Page.RULES), icon=icons.book),
        Choice(TOUR(), open_page(Page.TOUR), icon=icons.compass),
        Choice(SENSORS(), open_sensors(), icon=icons.reed),
        Choice(SETTINGS_PAGE(), open_page(Page.SETTINGS), icon=icons.sliders),
        Choice(QUIT(), quits, icon=icons.door),
    )
