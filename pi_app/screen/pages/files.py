"""Match files of a USB stick: offered, chosen, imported; and imported matches deleted again."""

from __future__ import annotations

from dataclasses import replace

from pi_app.screen import icons
from pi_app.screen.actions import (
    Screen,
    choose_file,
    open_page,
    send,
    set_to,
    show_files,
    show_matches,
)
from pi_app.screen.canvas import Align, Look, Pen, Rect, Size, union
from pi_app.screen.pages.parts import (
    BACK,
    Choice,
    Listed,
    draw_around,
    draw_list,
    draw_message,
)
from pi_app.screen.theme import AMBER, DIM, EDGE, IVORY, TEAL
from pi_app.screen.ui import READING_STICK, Page, Shown, StickFile, StickFiles, Ui, standing
from pi_app.user.commands import DeleteMatch, ImportFiles
from pi_app.words.sentences import Sentence

FILES_ON = Sentence("USB stick {stick}")
NO_STICK_YET = Sentence("USB stick")
SO_MANY_FILES = Sentence("1 match file", "{n} match files")
READ_OF = Sentence("{done} of {total} read")
NONE_THERE = Sentence("No match files there. Spotter reads .mat, .txt and .sgf")
IMPORT = Sentence("Import 1 file", "Import {n} files")
TAKEN, LEFT_OUT = Sentence("tap to leave it out"), Sentence("left out")
I_AM = Sentence("I am {name}")
DELETE = Sentence("Delete")
DELETE_REALLY = Sentence("Delete this imported match?")
KEEP_IT = Sentence("Keep it")
ROWS_WIDE, ROWS_UPRIGHT = 5, 7
MOST_NAMES = 2
"""How many names are offered as the owner's."""


def draw_files(canvas: Screen, shown: Shown, ui: Ui) -> None:
    shelf = shown.shelf
    stick = shelf.files or StickFiles("")
    title = FILES_ON(stick=stick.stick) if stick.stick else NO_STICK_YET()
    listed = Listed(
        show_files,
        ui.browsing.row,
        len(stick.files),
        ROWS_UPRIGHT if canvas.upright else ROWS_WIDE,
        canvas.high(Size.TEXT, *(Size.SMALL,) * _lines(canvas)) + canvas.px(6),
    )
    _, places = draw_list(canvas, title, _note(stick), _choices(shown, ui, stick), listed)
    if not stick.files:
        waits = shelf.files is None and not shelf.message
        draw_message(
            canvas, union(places), READING_STICK() if waits else shelf.message or NONE_THERE()
        )
    for place, file in zip(places, stick.files[listed.first :], strict=False):
        _file(canvas, place, file, ui, can_choose=not stick.importing)


def _lines(canvas: Screen) -> int:
    """How many lines what became of a file may have."""
    return 2 if canvas.upright or canvas.large else 1


def _note(stick: StickFiles) -> str:
    done = sum(bool(one.told) for one in stick.files)
    if stick.importing or done:
        return READ_OF(done=done, total=len(stick.files))
    return SO_MANY_FILES(n=len(stick.files)) if stick.files else ""


def _choices(shown: Shown, ui: Ui, stick: StickFiles) -> tuple[Choice, ...]:
    choices = [Choice(BACK(), show_matches(), icon=icons.back)]
    if not shown.settings.coach.me:
        names = stick.names[:MOST_NAMES]
        choices += [Choice(I_AM(name=one), set_to("coach.me", one)) for one in names]
    wanted = tuple(
        one.name for one in stick.files if not one.told and one.name not in ui.browsing.left_out
    )
    imports = send(ImportFiles(wanted)) if wanted and not stick.importing else None
    if imports or len(choices) == 1:
        choices.append(Choice(IMPORT(n=len(wanted)), imports, Look.MAIN))
    return tuple(choices)


def _file(canvas: Screen, rect: Rect, file: StickFile, ui: Ui, *, can_choose: bool) -> None:
    canvas.frame(rect, Look.PLAIN)
    left_out = file.name in ui.browsing.left_out
    colour = AMBER if file.faulty else TEAL if file.told else EDGE if left_out else IVORY
    canvas.stripe(rect, colour)
    room = rect.inset(canvas.px(14), canvas.px(3))
    high = canvas.high(Size.TEXT)
    pen = Pen(Size.TEXT, DIM if left_out and not file.told else IVORY, bold=True)
    canvas.text(room.upper(high), file.name, pen)
    told = file.told or (LEFT_OUT() if left_out else TAKEN())
    small = Pen(Size.SMALL, IVORY if file.faulty else DIM, lines=_lines(canvas))
    canvas.text(room.lower(room.h - high), told, small)
    if can_choose and not file.told:
        canvas.touch(rect, choose_file(file.name))


def draw_delete(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Ask before an imported match is deleted."""
    opened, number = shown.shelf.opened, ui.browsing.match
    yes = Choice(DELETE(), open_page(Page.MATCHES, DeleteMatch(number)) if number else None)
    keep = Choice(KEEP_IT(), open_page(Page.MATCH), Look.MAIN)
    body = draw_around(canvas, DELETE(), "", (yes, keep))
    upper, lower = body.rows((1, 1), canvas.px(12))
    pen = Pen(Size.HEAD, IVORY, bold=True, align=Align.CENTRE, lines=4)
    canvas.text(upper, DELETE_REALLY(), pen)
    if opened and opened.match.number == number:
        words = standing(opened.match.players, opened.match.score)
        canvas.text(lower, words, replace(pen, size=Size.TEXT, colour=DIM, bold=False))
