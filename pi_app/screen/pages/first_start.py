"""The first start on a real board: language, board, a check, a trial turn, then the tour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pi_app.screen.actions import Acted, Action, Screen, Touched, action, set_to
from pi_app.screen.boards.reeds import draw_reeds
from pi_app.screen.canvas import Align, Disc, Look, Pen, Rect, Size
from pi_app.screen.pages.parts import SENSORS, Choice, column_of_buttons, draw_around
from pi_app.screen.pages.rules import LEAF_OF, NEXT, PREVIOUS, SKIP
from pi_app.screen.pages.sensors import marks_of_reeds
from pi_app.screen.pages.sheets import words_below
from pi_app.screen.theme import BAND, EDGE, IVORY, TEAL, VERMILION, Colour
from pi_app.screen.ui import Bookmark, Fitness, Page, Shown, TrialPart, Ui
from pi_app.user.commands import Inspect, Output
from pi_app.user.settings import SETTINGS, Setting
from pi_app.words.sentences import Sentence

LANGUAGE, BOARD, CHECK, TRIAL = range(4)
STEPS = 4
BEGINS: Mapping[int, Output] = {CHECK: Inspect.CHECK, TRIAL: Inspect.LOOK}
"""What the program does when a step is opened."""

TITLES = (
    Sentence("Which language?"),
    Sentence("Which board?"),
    Sentence("Does everything work?"),
    Sentence("A trial turn"),
)
OTHER_BOARD = Sentence("{board} counts from the next start on. Restart Spotter to try it.")
ASK_DOCTOR = Sentence("To repair a fault, run: spotter doctor")
ALL_WELL = Sentence("All that can be checked works.")
TRY = Sentence("Play a turn. Spotter sees what you do.")
AGAIN = Sentence("Again")

CHECKS: Mapping[str, Sentence] = {
    "sensors": SENSORS,
    "I2C": Sentence("Wires to the OLED"),
    "OLED": Sentence("OLED"),
    "sound": Sentence("Sound"),
    "storage": Sentence("Storage"),
    "groups": Sentence("Access to pins and ports"),
}
"""The checks of `spotter doctor` that are shown, by their names there."""
HEALTH: Mapping[Fitness, tuple[Sentence, Colour]] = {
    Fitness.WELL: (Sentence("works"), TEAL),
    Fitness.ILL: (Sentence("has a fault"), VERMILION),
    Fitness.UNKNOWN: (Sentence("cannot be checked here"), BAND),
}
PARTS: Mapping[TrialPart, Sentence] = {
    TrialPart.LIFTED: Sentence("Take a checker away"),
    TrialPart.PUT: Sentence("Put it on another place"),
    TrialPart.PRESSED: Sentence("Press the button"),
}


@action
def open_step(at: Touched, step: int) -> Acted:
    """Open a step, or repeat it; after the last one comes the tour."""
    page, leaf = (Page.SET_UP, step) if step < STEPS else (Page.TOUR, 0)
    outputs: tuple[Output, ...] = (Inspect.STOP, *((BEGINS[step],) if step in BEGINS else ()))
    return replace(at.ui, page=page, bookmark=Bookmark(leaf)), outputs


def set_up_key(name: str, ui: Ui) -> Action | None:
    """The action of a key: next, back or leave, as on the tour."""
    step = ui.bookmark.leaf
    steps = {"space": step + 1, "return": step + 1, "backspace": step - 1, "escape": STEPS}
    return open_step(steps[name]) if steps.get(name, -1) >= 0 else None


def draw_set_up(canvas: Screen, shown: Shown, ui: Ui) -> None:
    step = min(ui.bookmark.leaf, STEPS - 1)
    again = (Choice(AGAIN(), open_step(step)),) if step in BEGINS else ()
    before = Choice(PREVIOUS(), open_step(step - 1) if step else None)
    onward = Choice(NEXT(), open_step(step + 1), Look.MAIN)
    ways = Choice(SKIP(), open_step(STEPS)), *again, before, onward
    body = draw_around(canvas, TITLES[step](), LEAF_OF(number=step + 1, all=STEPS), ways)
    (_draw_languages, _draw_boards, _draw_checks, _draw_trial)[step](canvas, body, shown)


def _draw_languages(canvas: Screen, rect: Rect, shown: Shown) -> None:
    setting = SETTINGS["screen.language"]
    _draw_values(canvas, rect, shown, setting, setting.choices or {})


def _draw_boards(canvas: Screen, rect: Rect, shown: Shown) -> None:
    chosen = shown.settings.board.name
    names = tuple(dict.fromkeys((*shown.boards, chosen)))
    told = OTHER_BOARD(board=chosen) if chosen != shown.board.name else ""
    pen = Pen(Size.TEXT, IVORY, align=Align.CENTRE, lines=5)
    note = rect.lower(min(canvas.height(told, rect.w, pen), rect.h // 2))
    choices = rect.upper(rect.h - note.h - canvas.px(10))
    setting = SETTINGS["board.name"]
    _draw_values(canvas, choices, shown, setting, dict(zip(names, names, strict=True)))
    canvas.text(note, told, pen)


def _draw_values(
    canvas: Screen, rect: Rect, shown: Shown, setting: Setting, values: Mapping[str, str]
) -> None:
    now = setting.of(shown.settings)
    column_of_buttons(
        canvas,
        rect,
        tuple(
            Choice(says, set_to(setting.name, value), Look.MAIN if value == now else Look.PLAIN)
            for value, says in values.items()
        ),
    )


def _draw_checks(canvas: Screen, rect: Rect, shown: Shown) -> None:
    found = {name: health for name, health in shown.health if name in CHECKS}
    devices = ("sensors", *(("OLED",) if shown.settings.oled.chip != "none" else ()))
    # A running Spotter uses these itself, and so knows them better than a check.
    found |= {name: Fitness.ILL if name in shown.away else Fitness.WELL for name in devices}
    text = (ASK_DOCTOR if Fitness.ILL in found.values() else ALL_WELL)()
    pen = Pen(Size.TEXT, IVORY, lines=3)
    note = rect.lower(canvas.height(text, rect.w, pen))
    lines = rect.upper(rect.h - note.h - canvas.px(8))
    rows = lines.grid(1 if canvas.upright else 2, 6 if canvas.upright else 3, canvas.px(10))
    for row, (name, says) in zip(rows, CHECKS.items(), strict=True):
        word, colour = HEALTH[found.get(name, Fitness.UNKNOWN)]
        _draw_lamp(canvas, row, (says(), word()), colour)
    canvas.text(note, text, pen)


def _draw_trial(canvas: Screen, rect: Rect, shown: Shown) -> None:
    shares, gap = (3.0, 2.0), canvas.px(14)
    picture, words = rect.rows(shares, gap) if canvas.upright else rect.columns(shares, gap)
    draw_reeds(canvas, picture, shown.board, marks_of_reeds(shown, None), turned=shown.turned)
    said, *rows = words.rows((4, 3, 3, 3), canvas.px(8))
    canvas.text(said, TRY(), Pen(Size.TEXT, IVORY, lines=4))
    done = shown.inspected.parts if shown.inspected else frozenset()
    for row, (part, says) in zip(rows, PARTS.items(), strict=True):
        _draw_lamp(canvas, row, (says(), ""), TEAL if part in done else BAND)


def _draw_lamp(canvas: Screen, rect: Rect, words: tuple[str, str], colour: Colour) -> None:
    """Draw a lamp with a name beside it and a word below that."""
    radius = canvas.px(9)
    canvas.add(Disc((rect.x + radius, rect.centre[1]), radius, colour, EDGE, canvas.px(2.5)))
    room = Rect(rect.x + 3 * radius, rect.y, rect.w - 3 * radius, rect.h)
    if not words[1]:
        canvas.text(room, words[0], Pen(Size.TEXT, IVORY, bold=True, lines=2))
        return
    words_below(canvas, room, words)
