"""The pages around a match: start, menu, questions, settings, and the club."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate, groupby
from typing import NamedTuple

from pi_app.base.microseconds import Us
from pi_app.match.acts import Act
from pi_app.match.turns import ANSWERS, Phase
from pi_app.referee.speech import UNLIMITED
from pi_app.referee.view import BackTo, View
from pi_app.rules.contract import Series
from pi_app.rules.terms import Side
from pi_app.screen import icons
from pi_app.screen.actions import (
    Screen,
    answer_board,
    close,
    intend,
    invite_board,
    look_at_question,
    open_hint,
    open_page,
    play_other_side,
    resign,
    send,
    set_to,
    show_boards,
    show_own_code,
    show_settings,
    write,
)
from pi_app.screen.canvas import (
    BUTTON,
    MARGIN,
    SEAM,
    Align,
    Box,
    Disc,
    Line,
    Look,
    Pen,
    Rect,
    Size,
    framed,
    square_in,
    union,
)
from pi_app.screen.pages.asking import ASK, SAY
from pi_app.screen.pages.parts import (
    BACK,
    BACK_TO_MATCH,
    CLUB,
    HINT,
    MENU,
    NEW_MATCH,
    PHONES,
    SETTINGS_PAGE,
    TAKE_BACK,
    TURN_BOARD,
    WALL,
    Choice,
    Listed,
    column_of_buttons,
    draw_around,
    draw_choices,
    draw_list,
    draw_message,
    draw_qr,
    name_of_others,
    pair_in,
    places_upwards,
)
from pi_app.screen.pages.places import play_places
from pi_app.screen.pages.play import (
    FIRST_TO,
    VERSUS,
    draw_board,
    draw_match,
    draw_player,
)
from pi_app.screen.pages.start import QUIT, other_pages
from pi_app.screen.pieces import swatch
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, INK, IVORY, TEAL, Theme
from pi_app.screen.ui import Clubhouse, Page, Shown, TextField, Ui, chosen_game
from pi_app.user.agreement import Form, player_names, points_to_win
from pi_app.user.commands import ClubWish, ComputerWish, Quit
from pi_app.user.settings import SETTINGS, Bounds, Choices, ScreenSettings, Setting, Value
from pi_app.words.numbers import per_cent
from pi_app.words.sentences import DOTTED, Sentence, joined

RESIGN = Sentence("Resign")
FOR_HOW_MUCH = Sentence("{player} resigns. For how much?")
REALLY = Sentence(
    "{loser} resigns: {how}, 1 point for {winner}?",
    "{loser} resigns: {how}, {n} points for {winner}?",
)
FOR_POINTS = Sentence("1\u00a0point: {how}", "{n}\u00a0points: {how}")
YES_RESIGN = Sentence("Yes, resign")
NO_PLAY_ON = Sentence("No, play on")
BACK_BEFORE = Sentence("Undo {turn}?", "Undo {n} plays to {turn}?")
QUESTION_ASKED = Sentence("Question from another board")
BOARD_ASKS = Sentence("{board} asks")
SHOW_QUESTION = Sentence("Show")
AGREE, DECLINE, LATER = Sentence("Yes"), Sentence("No"), Sentence("Later")
YES_TAKE_BACK = Sentence("Yes, undo")
NO_LEAVE_IT = Sentence("Keep it")
SWITCH_OFF = Sentence("Switch off")
RESTART = Sentence("Restart")
UPDATE = Sentence("Update from the USB stick")
PULL_LATER = Sentence(
    "After switching off, wait until the green light of the Raspberry Pi stays dark. Then pull the "
    "plug. Your match is stored."
)


def draw_menu(canvas: Screen, shown: Shown, view: View) -> None:
    players = VERSUS(white=view.players[0], black=view.players[1])
    back = Choice(BACK_TO_MATCH(), close(), Look.MAIN, icons.back)
    column_of_buttons(canvas, draw_around(canvas, MENU(), players, (back,)), _menu(shown, view))


def _menu(shown: Shown, view: View) -> tuple[Choice, ...]:
    offers, screen = view.offers, shown.settings.screen
    resigns = open_page(Page.RESIGN) if Act.RESIGN in offers else None
    back = open_page(Page.TAKE_BACK) if Act.TAKE_BACK in offers else None
    decides = view.phase in (*ANSWERS, Phase.TO_ROLL, Phase.MOVING) and not view.exercise
    asks = shown.lesson is not None and decides
    flip = set_to("screen.turned", not screen.turned, look=True)
    speaks = shown.settings.speech.told != "off"
    asking = (Choice(ASK(), open_page(Page.ASK), icon=icons.bubble),) if speaks else ()
    far = shown.guest or (shown.club is not None and shown.club.opponent)
    saying = (Choice(SAY(), open_page(Page.SAY), icon=icons.bubble),) if far else ()
    wall = (Choice(WALL(), open_page(Page.WALL), icon=icons.grid),)
    matches, rules, tour, sensors, settings, leave = other_pages(shown)
    if shown.guest:
        gives_up = Choice(RESIGN(), resigns, icon=icons.flag)
        return (Choice(TAKE_BACK(), back, icon=icons.undo), gives_up, *saying, rules)
    # The tour needs the board.
    tour = tour if view.phase is Phase.MATCH_OVER else replace(tour, action=None)
    return (
        Choice(TAKE_BACK(), back, icon=icons.undo),
        Choice(RESIGN(), resigns, icon=icons.flag),
        Choice(HINT(), open_hint() if asks else None, icon=icons.bulb),
        Choice(TURN_BOARD(), flip, icon=icons.flip),
        *(*asking, *saying),
        *(rules, sensors, tour, settings, matches),
        Choice(NEW_MATCH(), open_page(Page.NEW_MATCH), icon=icons.plus),
        *(wall if shown.settings.club.wall else ()),
        leave,
    )


def draw_resign(canvas: Screen, shown: Shown, ui: Ui, view: View, now: Us) -> None:
    """Ask first for how many points, then for confirmation. The opponent answers on the
    play page."""
    loser, winner = view.player(view.to_act), view.player(view.to_act.other)
    ways, stake = view.resignations, view.cube.value
    points = ui.resigning or (next(iter(ways)) if len(ways) == 1 else None)
    if points is None:
        question: str = FOR_HOW_MUCH(player=loser)
        answers = tuple(
            Choice(FOR_POINTS(n=way * stake, how=how), resign(way)) for way, how in ways.items()
        )
    else:
        how = ways.get(points, "")
        question = REALLY(n=points * stake, how=how, winner=winner, loser=loser)
        answers = (Choice(YES_RESIGN(), intend(Act.RESIGN, points=points)),)
    stay = Choice(NO_PLAY_ON(), close(), Look.MAIN)
    place = _draw_asked(canvas, view, question, (*answers, stay), now)
    draw_board(canvas, place, shown, ui, view, now)


def draw_take_back(canvas: Screen, shown: Shown, ui: Ui, view: View, to: BackTo, now: Us) -> None:
    yes = Choice(YES_TAKE_BACK(), intend(Act.TAKE_BACK, back_to=to))
    stay = Choice(NO_LEAVE_IT(), close(), Look.MAIN)
    place = _draw_asked(canvas, view, BACK_BEFORE(n=to.plays, turn=to.turn), (yes, stay), now)
    draw_board(canvas, place, shown, ui, view, now)


def _draw_asked(
    canvas: Screen, view: View, question: str, choices: tuple[Choice, ...], now: Us
) -> Rect:
    """Draw a question and its answers in the column. Return the board's rectangle.

    If space is short they cover the players' cards.
    """
    timed, seam = view.clock is not None, canvas.px(SEAM)
    places = play_places(canvas.size, timed=timed, large=canvas.large)
    board, words, pen = places.board, places.words, Pen(Size.TEXT, IVORY, bold=True, lines=9)
    below = Rect(words.x, words.y, words.w, board.bottom - words.y)
    if canvas.upright:
        below = Rect(words.x, board.y, words.w, places.main.bottom - board.y)
    labels = tuple(choice.label for choice in choices)
    high = canvas.height(question, below.w - 2 * canvas.px(12), pen) + 2 * canvas.px(8)
    buttons = places_upwards(canvas, below, labels)
    crowded = buttons[0].y - seam - high < below.y
    if canvas.upright:
        top = min(words.y, buttons[0].y - seam - high)
        board = Rect(board.x, board.y, board.w, top - seam - board.y)
    else:
        top = places.column.y if crowded else words.y
    if not crowded:
        for side, place in zip(Side, places.players, strict=True):
            draw_player(canvas, place, view, side, now)
        draw_match(canvas, places.match, view)
    card = Rect(words.x, top, words.w, buttons[0].y - seam - top)
    canvas.text(canvas.card(card, 8), question, pen)
    draw_choices(canvas, buttons, choices)
    return board


def draw_banner(canvas: Screen, asker: str) -> None:
    rect = Rect(0, 0, *canvas.size).inset(canvas.px(MARGIN), canvas.px(4))
    rect = rect.upper(canvas.px(66 if canvas.large else 48))
    canvas.cover(rect)
    words, show = rect.columns((3, 1), canvas.px(8))
    canvas.add(Box(words, BAND, canvas.px(10), TEAL, canvas.px(2)))
    pen = Pen(Size.TEXT, IVORY, bold=True, lines=2)
    canvas.text(words.inset(canvas.px(12), canvas.px(2)), BOARD_ASKS(board=asker), pen)
    canvas.button(show, SHOW_QUESTION(), look_at_question(), Look.MAIN)


def draw_question(canvas: Screen, question: str, *, later: bool) -> None:
    yes = Choice(AGREE(), answer_board(yes=True), Look.MAIN)
    choices = (yes, Choice(DECLINE(), answer_board(yes=False)))
    back = (Choice(LATER(), look_at_question(opens=False)),) if later else ()
    body = draw_around(canvas, QUESTION_ASKED(), "", (*back, *choices))
    pen = Pen(Size.TEXT, IVORY, bold=True, align=Align.CENTRE, lines=8)
    canvas.text(body, question, pen)


# The settings --------------------------------------------------------------------------------


MOST_SETTINGS = 8
"""The most buttons at a time, so that each is large enough to tap."""
HEADINGS: Mapping[str, Sentence] = {
    "screen": Sentence("Screen"),
    "sound": Sentence("Sound"),
    "speech": Sentence("Speech"),
    "play": Sentence("Play"),
    "coach": Sentence("Coach"),
    "board": Sentence("Board"),
}
"""The tables in the order of the page: the most used first."""
BRIGHTNESS = "screen.brightness"
SWATCHES: Mapping[str, Callable[[str, ScreenSettings], Theme]] = {
    "screen.theme": lambda value, screen: Theme.of(value, screen.board),
    "screen.board": lambda value, screen: Theme.of(screen.theme, value),
}
"""The settings of colours, and the theme of each of their values."""

OTHERS = Sentence("More settings")
WHEN_CHANGED = Sentence("Applies from the next match")


class Group(NamedTuple):
    """Settings of one table, or a part of them, below their heading."""

    table: str
    settings: tuple[Setting, ...]


def draw_settings(canvas: Screen, shown: Shown, ui: Ui) -> None:
    columns = 1 if canvas.upright else 2
    most = MOST_SETTINGS // columns - canvas.large
    pages = tuple(_pages(tuple(_there(shown)), columns, most))
    *starts, count = accumulate(
        (sum(len(one.settings) for one in page) for page in pages), initial=0
    )
    first = ui.first_setting if ui.first_setting < count else 0
    at = bisect(starts, first) - 1
    others = Choice(OTHERS(), show_settings((*starts, 0)[at + 1]))
    club = (Choice(CLUB(), open_page(Page.CLUB, ClubWish.LOOK)),) if shown.club else ()
    phones = Choice(PHONES(), open_page(Page.PHONES))
    choices = (others, *club, phones, Choice(BACK(), close()))
    body = draw_around(canvas, SETTINGS_PAGE(), "", choices)
    _draw_groups(canvas, body, pages[at], columns, shown)


def _pages(settings: tuple[Setting, ...], columns: int, most: int) -> Iterator[tuple[Group, ...]]:
    """Divide the settings into pages of at most so many rows; each table begins a row."""
    page, rows = list[Group](), 0
    for table, some in groupby(settings, lambda setting: setting.table):
        left = tuple(some)
        while left:
            fit = (most - rows) * columns
            if fit <= 0:
                yield tuple(page)
                page, rows, fit = [], 0, most * columns
            page.append(Group(table, left[:fit]))
            rows += -(-len(left[:fit]) // columns)
            left = left[fit:]
    yield tuple(page)


def _draw_groups(
    canvas: Screen, body: Rect, groups: tuple[Group, ...], columns: int, shown: Shown
) -> None:
    gap, heading = canvas.px(7), canvas.high(Size.SMALL)
    lines = [-(-len(group.settings) // columns) for group in groups]
    rest = body.h - len(groups) * heading - (len(groups) + sum(lines) - 1) * gap
    high, y = min(rest // sum(lines), canvas.px(88)), body.y
    for group, rows in zip(groups, lines, strict=True):
        later = (WHEN_CHANGED(),) if group.table == "play" else ()
        words = joined((HEADINGS[group.table](), *later), DOTTED)
        canvas.line(Rect(body.x, y, body.w, heading), words, Pen(Size.SMALL, DIM, bold=True))
        y += heading + gap
        room = Rect(body.x, y, body.w, rows * high + (rows - 1) * gap)
        for place, setting in zip(room.grid(columns, rows, gap), group.settings, strict=False):
            draw_setting(canvas, place, setting, shown)
        y += room.h + gap


def draw_setting(canvas: Screen, rect: Rect, setting: Setting, shown: Shown) -> None:
    value, label = _value(setting, shown), setting.label or ""
    if isinstance(setting.can_be, Bounds):
        _number(canvas, rect, setting, float(value))
        return
    choices = _choices(setting, shown)
    values = tuple(choices)
    following = values[(values.index(value) + 1) % len(values)]
    if isinstance(setting.default, bool):
        labelled(canvas, rect, (label, choices[value]), on=value != setting.out)
    else:
        _cycled(canvas, rect, (label, choices[value]), _swatches(setting, values, shown), value)
    canvas.touch(rect, set_to(setting.name, following))


def _swatches(setting: Setting, values: tuple[str, ...], shown: Shown) -> Mapping[str, Theme]:
    theme, screen = SWATCHES.get(setting.name), shown.settings.screen
    return {value: theme(value, screen) for value in values} if theme else {}


def _cycled(
    canvas: Screen,
    rect: Rect,
    words: tuple[str, str],
    swatches: Mapping[str, Theme],
    value: Value,
) -> None:
    """Write a name with its value, which a tap changes; at the right samples of all colours, or a
    chevron."""
    canvas.frame(rect, Look.PLAIN)
    room = rect.inset(canvas.px(12), canvas.px(2))
    side, gap = min(canvas.px(28), room.h - canvas.px(8)), canvas.px(6)
    x, y = room.right, room.centre[1]
    for other, theme in reversed([*swatches.items()]):
        x -= side
        place = Rect(x, y - side // 2, side, side)
        canvas.add(*swatch(place, theme))
        if other == value:
            frame, width = place.inset(-canvas.px(3)), canvas.px(2)
            canvas.add(*framed(frame, AMBER, width))
        x -= gap
    if not swatches:
        reach = canvas.px(6)
        x -= reach
        tip = ((x, y - reach), (x + reach, y), (x, y + reach))
        canvas.add(Line(tip, DIM, canvas.px(2)))
        x -= gap
    words_below(canvas, Rect(room.x, room.y, x - room.x, room.h), words)


def labelled(canvas: Screen, rect: Rect, words: tuple[str, str], *, on: bool | None = None) -> None:
    """Write a name with its value below; with `on` draw a switch at the right."""
    canvas.frame(rect, Look.PLAIN)
    room = rect.inset(canvas.px(12), canvas.px(2))
    if on is not None:
        wide, high = canvas.px(36), canvas.px(20)
        _switch(canvas, Rect(room.right - wide, room.centre[1] - high // 2, wide, high), on=on)
        room = Rect(room.x, room.y, room.w - wide - canvas.px(4), room.h)
    words_below(canvas, room, words)


def _switch(canvas: Screen, rect: Rect, *, on: bool) -> None:
    """Draw a switch; its knob is at the right if it is on."""
    r, edge = rect.h // 2, canvas.px(2)
    canvas.add(Box(rect, TEAL if on else BAND, r, TEAL if on else EDGE, edge))
    x = rect.right - r if on else rect.x + r
    canvas.add(Disc((x, rect.y + r), r - 2 * edge, INK if on else DIM))


def _there(shown: Shown) -> Iterator[Setting]:
    """Yield the settings of the page; brightness only if the display can change it."""
    labels, tables = (one for one in SETTINGS.values() if one.label), tuple(HEADINGS)
    for setting in sorted(labels, key=lambda setting: tables.index(setting.table)):
        if setting.name != BRIGHTNESS or shown.brightness is not None:
            yield setting


def _value(setting: Setting, shown: Shown) -> Value:
    """The value of a setting; for brightness the display's, because other programs
    change it too."""
    if setting.name == BRIGHTNESS and shown.brightness is not None:
        return shown.brightness
    return setting.of(shown.settings)


def _choices(setting: Setting, shown: Shown) -> Choices:
    """The values to choose from; boards by name, a user's own board by its path."""
    if setting.choices:
        return setting.choices
    names = (*shown.boards, str(setting.of(shown.settings)))
    return dict(zip(names, names, strict=True))


def _number(canvas: Screen, rect: Rect, setting: Setting, value: float) -> None:
    less, middle, more = rect.columns((5, 16, 5), canvas.px(6))
    share = value if isinstance(setting.default, float) else value / 100
    canvas.button(less, "−", set_to(setting.name, setting.beside(value, more=False)))
    words = (setting.label or "", per_cent(share))
    words_below(canvas, middle, words, Align.CENTRE)
    canvas.button(more, "+", set_to(setting.name, setting.beside(value, more=True)))


def words_below(
    canvas: Screen, rect: Rect, words: tuple[str, str], align: Align = Align.LEFT
) -> None:
    """Write a name and, close below it, a remark."""
    upper, lower = pair_in(canvas, rect)
    canvas.text(upper, words[0], Pen(Size.TEXT, IVORY, bold=True, align=align))
    canvas.text(lower, words[1], Pen(Size.SMALL, DIM, align=align))


# The club ------------------------------------------------------------------------------------


IN_NO_CLUB = Sentence(
    "Not in a club. To join, insert a USB stick with this board's club card, such as table-3.toml."
)
IN_CLUB = Sentence("This board is {board} of the club.")
CLUB_AT = Sentence("Broker: {brokers}.")
JOIN = Sentence("Join from USB stick")
LEAVE = Sentence("Leave the club")
LEAVE_REALLY = Sentence(
    "Leave the club? It keeps the matches of {board}. To return you need the card."
)
YES_LEAVE, NO_STAY = Sentence("Yes, leave"), Sentence("No, stay")
TAP_TO_INVITE = Sentence("Tap a name to invite")
SHOW_A_CODE, HAVE_A_CODE = Sentence("Show a code"), Sentence("I have a code")
TELL_IT = Sentence(
    "Tell your friend this code, who taps: Play a friend, I have a code. It works once, for ten "
    "minutes."
)
NO_BOARD = Sentence("A friend without a board scans this, and plays in the browser")
NO_FRIENDS = Sentence("No friends yet. Show a code, or enter your friend's")
STOP_WAITING = Sentence("Stop waiting")
HERE_PLAYS = Sentence("This board plays")
NOBODY_THERE = Sentence("No other board is online")
TYPE_ITS_NAME = Sentence("Enter its name")
NOT_ANSWERED = Sentence("Waiting for {board}")
NOT_THERE = Sentence("It is offline; the invitation waits")
BEGINS_BY_ITSELF = Sentence("The match starts when {board} accepts")
WITHDRAW = Sentence("Withdraw the invitation")
END_FIRST = Sentence("Finish the match on this board first")
NO_CLUB = Clubhouse()
ROWS_WIDE, ROWS_UPRIGHT = 4, 7


def draw_club(canvas: Screen, shown: Shown, _: Ui) -> None:
    club = shown.club or NO_CLUB
    body = draw_around(canvas, CLUB(), "", (Choice(BACK(), open_page(Page.SETTINGS)),))
    pen, dim, gap = Pen(Size.TEXT, IVORY, lines=9), Pen(Size.TEXT, DIM, lines=9), canvas.px(10)
    if club.own:
        at = CLUB_AT(brokers=shown.settings.club.brokers[:200])
        facts = ((IN_CLUB(board=club.own), pen), (club.trouble or at, dim))
        way = Choice(LEAVE(), open_page(Page.LEAVE_CLUB))
    else:
        facts = ((IN_NO_CLUB(), pen), ("", pen))
        way = Choice(JOIN(), send(ClubWish.JOIN), Look.MAIN)
    y = body.y
    for words, written in facts:
        high = min(canvas.height(words, body.w, written), body.h // 3)
        canvas.text(Rect(body.x, y, body.w, high), words, written)
        y += high + (gap if high else 0)
    canvas.button(Rect(body.x, y, body.w, canvas.px(64)), way.label, way.action, way.look)
    y += canvas.px(64) + gap
    rest = Rect(body.x, y, body.w, body.bottom - y)
    canvas.text(rest, club.message, replace(pen, bold=True))


def draw_leave_club(canvas: Screen, shown: Shown, _: Ui) -> None:
    club = shown.club or NO_CLUB
    yes = Choice(YES_LEAVE(), open_page(Page.CLUB, ClubWish.LEAVE))
    stay = Choice(NO_STAY(), open_page(Page.CLUB), Look.MAIN)
    body = draw_around(canvas, LEAVE(), "", (yes, stay))
    pen = Pen(Size.HEAD, IVORY, bold=True, align=Align.CENTRE, lines=8)
    canvas.text(body, LEAVE_REALLY(board=club.own), pen)


def draw_quit(canvas: Screen, shown: Shown, _: Ui) -> None:
    """Ask what is to end: Spotter, or the computer too. Without a display the phones end with
    Spotter, so that nobody could start it again."""
    quits = (Choice(QUIT(), send(Quit())),) if shown.settings.screen.display != "none" else ()
    choices = (
        Choice(SWITCH_OFF(), send(ComputerWish.OFF), Look.MAIN),
        Choice(RESTART(), send(ComputerWish.RESTART)),
        Choice(UPDATE(), send(ComputerWish.UPDATE)),
        *quits,
    )
    body = draw_around(canvas, QUIT(), "", (Choice(BACK(), close()),))
    gap = canvas.px(12)
    words, column = body.rows((1, 2), gap) if canvas.upright else body.columns((2, 3), gap)
    canvas.text(words, shown.computer or PULL_LATER(), Pen(Size.TEXT, IVORY, lines=6))
    column_of_buttons(canvas, column, choices)


def draw_boards(canvas: Screen, shown: Shown, ui: Ui) -> None:
    club = shown.club or NO_CLUB
    if club.invited:
        _draw_waiting(canvas, club, club.invited[0])
    elif club.meets:
        _draw_meeting(canvas, club)
    else:
        _draw_list(canvas, shown, club, ui)


def _draw_waiting(canvas: Screen, club: Clubhouse, board: str) -> None:
    back = Choice(BACK(), open_page(Page.NEW_MATCH))
    withdraw = Choice(WITHDRAW(), send(ClubWish.WITHDRAW))
    body = draw_around(canvas, name_of_others(club), "", (back, withdraw))
    upper, lower = body.rows((1, 1), canvas.px(12))
    pen = Pen(Size.HEAD, IVORY, bold=True, align=Align.CENTRE, lines=5)
    canvas.text(upper, NOT_ANSWERED(board=board), pen)
    there = board in {name for _, name in club.others}
    absent = BEGINS_BY_ITSELF(board=board) if there else NOT_THERE()
    canvas.text(lower, club.trouble or absent, Pen(Size.TEXT, DIM, align=Align.CENTRE, lines=5))


def _draw_meeting(canvas: Screen, club: Clubhouse) -> None:
    """Draw the code that a friend is to be told, or how the meeting goes."""
    stop = Choice(STOP_WAITING(), send(ClubWish.STOP_MEETING))
    body = draw_around(canvas, name_of_others(club), "", (stop,))
    pen = Pen(Size.HEAD, IVORY, bold=True, align=Align.CENTRE, lines=5)
    if not club.code:
        canvas.text(body, club.meets, pen)
        return
    gap, small = canvas.px(12), Pen(Size.TEXT, DIM, align=Align.CENTRE, lines=7)
    if club.page:
        parts = body.rows((1, 1), gap) if canvas.upright else body.columns((3, 2), gap)
        body = parts[0]
        _draw_page_code(canvas, parts[1], club)
    upper, lower = body.rows((2, 3), gap)
    # Each word by itself, so that who plays by ear hears a pause after each.
    number, *words = club.code.split()
    for row, pair in zip(upper.rows((1, 1), 0), ((number, words[0]), words[1:]), strict=True):
        for place, word in zip(row.columns((1, 1), 0), pair, strict=True):
            canvas.text(place, word, pen)
    canvas.text(lower, TELL_IT(), small)


def _draw_page_code(canvas: Screen, rect: Rect, club: Clubhouse) -> None:
    """Draw the page for a friend without a board as a QR code, with its caption above."""
    pen = Pen(Size.SMALL, DIM, align=Align.CENTRE, lines=4)
    caption = NO_BOARD()
    head = rect.upper(canvas.height(caption, rect.w, pen))
    canvas.text(head, caption, pen)
    if club.picture:
        top = head.bottom + canvas.px(6)
        draw_qr(canvas, square_in(Rect(rect.x, top, rect.w, rect.bottom - top)), club.picture)


def _draw_list(canvas: Screen, shown: Shown, club: Clubhouse, ui: Ui) -> None:
    game, gap = chosen_game(ui.form, shown), canvas.px(10)
    busy = shown.view is not None and shown.view.phase is not Phase.MATCH_OVER
    columns = 1 if canvas.upright or canvas.large else 2
    said = END_FIRST() if busy else club.answer or club.trouble
    text = said or (TAP_TO_INVITE() if club.others else "")
    pen = Pen(Size.TEXT, IVORY if said else DIM, lines=4)
    pair = canvas.high(Size.TEXT, Size.SMALL) + canvas.px(8)
    across = canvas.size[0] - 2 * canvas.px(MARGIN) - gap
    high = canvas.height(text, across if canvas.upright else across * 3 // 5, pen)
    listed = Listed(
        show_boards,
        ui.first_board if ui.first_board < len(club.others) else 0,
        len(club.others),
        ROWS_UPRIGHT if canvas.upright else ROWS_WIDE,
        canvas.px(BUTTON),
        columns,
        pair + gap + high if canvas.upright else max(pair, high),
    )
    buttons = (Choice(BACK(), open_page(Page.NEW_MATCH)), *_ways_to_others(club, busy=busy))
    title = name_of_others(club)
    above, places = draw_list(canvas, title, _what(ui.form, game), buttons, listed)
    if canvas.upright:
        side, words = above.rows((pair, above.h - pair - gap), gap)
    else:
        side, words = above.columns((2, 3), gap)
        side = Rect(side.x, side.centre[1] - pair // 2, side.w, pair)
    labelled(canvas, side, (HERE_PLAYS(), game.side_names[ui.form.here is Side.BLACK]))
    canvas.touch(side, play_other_side(), "side")
    canvas.text(words, text, pen)
    some = club.others[listed.first : listed.first + len(places)]
    invited = (Choice(name, None if busy else invite_board(board)) for board, name in some)
    draw_choices(canvas, places, invited)
    if not some:
        draw_message(canvas, union(places), NO_FRIENDS() if club.only_friends else NOBODY_THERE())


def _ways_to_others(club: Clubhouse, *, busy: bool) -> tuple[Choice, ...]:
    """The buttons that find somebody who is not listed."""
    typed = Choice(TYPE_ITS_NAME(), None if busy else write(TextField.BOARD))
    shows = Choice(SHOW_A_CODE(), None if busy else show_own_code())
    takes = Choice(HAVE_A_CODE(), None if busy else write(TextField.CODE))
    return (*(() if club.only_friends else (typed,)), *((shows, takes) if club.codes else ()))


def _what(form: Form, game: Series) -> str:
    white, black = player_names(form, game)
    points = points_to_win(form, game)
    target = UNLIMITED() if points is None else FIRST_TO(n=points)
    return joined((game.title, target, VERSUS(white=white, black=black)), DOTTED)
