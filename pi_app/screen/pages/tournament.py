"""The form of a tournament match: clock, policy of play, coach and dice, a tap to each value."""

from __future__ import annotations

from pi_app.screen.actions import Action, Begin, Open
from pi_app.screen.canvas import Canvas, Look, Pen
from pi_app.screen.layout import sheet_bands
from pi_app.screen.pages.buttons import BACK, Choice, row_of_buttons
from pi_app.screen.pages.new_match import BEGIN, TOURNAMENT
from pi_app.screen.pages.settings import labelled
from pi_app.screen.pages.sheets import head
from pi_app.screen.shapes import Rect
from pi_app.screen.theme import DIM
from pi_app.screen.tournament import Agree, Entry, entries
from pi_app.screen.ui import Page, Ui
from pi_app.sentences import Sentence

WITH_AN_END = Sentence("A clock is for a match to a number of points")


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


def _draw(canvas: Canvas[Action], rect: Rect, entry: Entry) -> None:
    if entry.following is None:
        canvas.frame(rect, Look.DIMMED)
        canvas.text(rect.inset(canvas.px(36), canvas.px(4)), entry.label, Pen(19, DIM))
        return
    labelled(canvas, rect, (entry.label, entry.value), on=entry.on)
    canvas.touch(rect, Agree(entry.following), entry.label)
