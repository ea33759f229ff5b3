"""The page of a new match, and the keyboard with which it is filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from pi_app.base.values import dataclass
from pi_app.match.clock import ClockKind
from pi_app.match.terms import FRIENDLY, PRESETS, AgreedDice, MatchTerms, PlayPolicy
from pi_app.match.turns import Phase
from pi_app.players.contract import BARS
from pi_app.referee.speech import MACHINE, UNLIMITED
from pi_app.rules.contract import Series
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    Screen,
    begin_match,
    begin_training,
    begin_usually,
    change_order,
    choose_game,
    close,
    enter,
    erase,
    give_points,
    give_side,
    open_page,
    other_keys,
    pose,
    set_target,
    set_terms,
    show_rivals,
    take_name,
    take_word,
    toggle,
    turn_to,
    tutor,
    type_letters,
    write,
)
from pi_app.screen.canvas import BUTTON, Align, Box, Look, Pen, Rect, Size, union
from pi_app.screen.pages.parts import (
    ASIDE,
    BACK,
    DONE,
    LABEL,
    MOST_ROWS,
    MOST_UPRIGHT,
    NEW_MATCH,
    RULES,
    Choice,
    Listed,
    button_widths,
    column_of_buttons,
    draw_around,
    draw_choices,
    draw_list,
    name_of_others,
    pair_in,
)
from pi_app.screen.pages.play import FIRST_TO
from pi_app.screen.pages.sheets import draw_setting, labelled
from pi_app.screen.theme import BAND, DIM, INK, IVORY, KEY, MAIN, TEAL, mix
from pi_app.screen.ui import TARGETS, Page, Shown, TextField, Typing, Ui, chosen_game, title_of
from pi_app.user.agreement import (
    Form,
    head_start,
    offered,
    player_names,
    points_to_win,
    usual_order,
)
from pi_app.user.commands import ClubWish
from pi_app.user.settings import OFF, ON, SETTINGS
from pi_app.words.sentences import COMMAS, DOTTED, Said, Sentence, joined

AT_A_POSITION = Sentence("Begins at a position")
HANDICAP = Sentence("Start and handicap")
SCORE_OF = Sentence("{white}\u00a0–\u00a0{black}")
WITH_TUTOR = Sentence("tutor")
FROM_POSITION, FROM_START = Sentence("From a position"), Sentence("From the usual start")
BEGINS_WITH = Sentence("{player} begins with points")
TUTOR_WARNS = Sentence("The tutor warns")
POINTS_NEED_AN_END = Sentence("Points ahead need a match length")
MOST_AHEAD = 6
"""The most points that can be given."""
BEGINS_AT, USUAL_START = Sentence("Begins at"), Sentence("the usual start")
A_POSITION, TRAIN_IT = Sentence("a position"), Sentence("Train it")
POSITION_AS_TEXT = Sentence("XGID, OGID, GNU ID or Spotter's text")
BEGIN = Sentence("Begin")
MORE_GAMES = Sentence("1 more", "{n} more")
WHICH_GAME = Sentence("Which game?")
WHO_PLAYS = Sentence("Who plays {side}?")
TOURNAMENT = Sentence("Tournament match")
POINTS_TO_WIN = Sentence("Points to win")
OTHER = Sentence("other")
IN_TURN = Sentence("Games in turn")
NAME_OF = Sentence("{side}'s name")
NAME_OF_BOARD = Sentence("The other board's name at the club")
FRIENDS_CODE = Sentence("Your friend's code")
ERASE = Sentence("← erase")
SPACE = Sentence("space")

PERSON = Sentence("Human")
OF_MACHINE = Sentence("Spotter: {player}")
FIELDS: Mapping[Side, TextField] = {Side.WHITE: TextField.WHITE, Side.BLACK: TextField.BLACK}
NAMES_WIDE, NAMES_UPRIGHT = 4, 2
NAMES_HIGH = 48
"""Units: the height of the buttons with known names."""
LETTERS = ("QWERTYUIOP", "ASDFGHJKL'", "ZXCVBNM-.")
ACCENTS = ("ÄÖÜÅÆØÁÀÂÃ", "ÇÉÈÊËÍÎÏÑÓ", "ÔÕŠÚÛÝŽŁŞ")
FIGURES = ("1234567890", "-", "")
"""The characters of boards' names besides letters."""
SIGNS = ("1234567890", "ABCDEFGHIJ", "KLMNO-:=/")
"""The characters of positions besides small letters."""
OTHER_KEYS: Mapping[TextField, tuple[str, ...]] = {
    TextField.BOARD: FIGURES,
    TextField.CODE: FIGURES,
    TextField.POSITION: SIGNS,
}
DIGITS = ("123", "456", "789")


def draw_new_match(canvas: Screen, shown: Shown, ui: Ui) -> None:
    game, gap = chosen_game(ui.form, shown), canvas.px(3 if canvas.large else 10)
    note = AT_A_POSITION() if ui.form.position else ""
    body = draw_around(canvas, NEW_MATCH(), note, _ways(shown, ui))
    options = offered(ui.form, game)
    several = len(shown.games) > 1
    count = len(options) + (game.dice > 0) + game.is_mixed + 1
    columns = (
        1 + (canvas.large and count > 5 - several) if canvas.upright else max(2, -(-count // 2))
    )
    shares: tuple[float, ...] = (*(1,) * several, 1, 1, 2)
    rows = 2
    if canvas.upright:
        rows, games = max(4, -(-count // columns)), canvas.high(Size.TEXT, Size.TEXT) + canvas.px(6)
        targets = canvas.high(Size.SMALL) + 2 * canvas.px(BUTTON) + gap
        rest = body.h - (games + gap) * several - targets - 2 * gap
        each = rest / (2 + rows)
        shares = (*(games,) * several, 2 * each, targets, rows * each)
    places = body.rows(shares, gap)
    if several:
        _games(canvas, places[0], tuple(shown.games.matches.values()), game)
    names, target, room = places[-3:]
    seats = names.grid(1, 2, gap) if canvas.upright else names.grid(2, 1, gap)
    players = zip(game.side_names, player_names(ui.form, game), strict=True)
    for rect, side, words in zip(seats, Side, players, strict=True):
        _seat(canvas, rect, side, words, shown, ui)
    _targets(canvas, target, points_to_win(ui.form, game))
    cells = room.grid(columns, rows, gap)
    for rect, (option, on) in zip(cells, options.items(), strict=False):
        labelled(canvas, rect, (option.label(), ON() if on else OFF()), on=on)
        canvas.touch(rect, toggle(option))
    left = list(cells[len(options) :])
    if game.is_mixed:
        place = left.pop(0)
        order = ui.form.order or usual_order(game)
        titles = tuple(one.title for name in order for one in game.games if one.name == name)
        _order(canvas, place, joined(titles, COMMAS))
    if game.dice:
        draw_setting(canvas, left.pop(0), SETTINGS["play.dice"], shown)
    labelled(canvas, left[0], (BEGINS_AT(), _start(ui.form, game)))
    canvas.touch(left[0], open_page(Page.HANDICAP))


def _order(canvas: Screen, place: Rect, titles: str) -> None:
    """Write the games of a series below what they are; alone where there is no room for both."""
    room = place.inset(canvas.px(12), canvas.px(2))
    if canvas.width(titles, Pen(Size.SMALL)) <= room.w:
        labelled(canvas, place, (IN_TURN(), titles))
    else:
        canvas.frame(place, Look.PLAIN)
        canvas.text(room, titles, Pen(Size.TEXT, IVORY, bold=True, lines=3))
    canvas.touch(place, change_order())


def _start(form: Form, game: Series) -> str:
    """With which position and score a match begins, and whether the tutor warns one side."""
    start: str = A_POSITION() if form.position else USUAL_START()
    if any(ahead := head_start(form, game)) and not form.position:
        start = SCORE_OF(white=ahead.white, black=ahead.black)
    return joined((start, WITH_TUTOR() if form.tutored else ""), DOTTED)


def draw_handicap(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw the points with which each side can begin, whom the tutor can warn, and the way to
    another position."""
    form, game = ui.form, chosen_game(ui.form, shown)
    target, ahead = points_to_win(form, game), head_start(form, game)
    note = "" if target else POINTS_NEED_AN_END()
    position = Choice(FROM_POSITION(), None if game.is_mixed else pose())
    if form.position:
        position = Choice(FROM_START(), begin_usually())
    ways = Choice(BACK(), open_page(Page.NEW_MATCH)), position
    body = draw_around(canvas, HANDICAP(), note, ways)
    names, gap = player_names(form, game), canvas.px(8)
    *sides, last = body.rows((1, 1, 1), canvas.px(12))
    for place, side in zip(sides, Side, strict=True):
        cells = _named_row(canvas, place, BEGINS_WITH(player=names[side is Side.BLACK]))
        most = min(MOST_AHEAD, (target or 1) - 1)
        for points, cell in enumerate(cells.grid(MOST_AHEAD + 1, 1, gap)):
            chosen = points == ahead[side]
            action = give_points(side, points) if points <= most else None
            canvas.button(cell, str(points), action, Look.MAIN if chosen else Look.PLAIN)
    choices = ((None, AS_SET()), *zip(Side, names, strict=True))
    cells = _named_row(canvas, last, TUTOR_WARNS())
    for cell, (whom, label) in zip(cells.grid(len(choices), 1, gap), choices, strict=True):
        look = Look.MAIN if form.tutored is whom else Look.PLAIN
        canvas.button(cell, label, tutor(whom), look)


def _named_row(canvas: Screen, rect: Rect, name: str) -> Rect:
    """Write the name of a row. Return the place of its buttons, below it."""
    label = rect.upper(canvas.high(Size.TEXT))
    canvas.text(label, name, Pen(Size.TEXT, IVORY))
    low = min(rect.h - label.h - canvas.px(4), canvas.px(72))
    return Rect(rect.x, label.bottom + canvas.px(4), rect.w, low)


def _ways(shown: Shown, ui: Ui) -> tuple[Choice, ...]:
    links = shown.club is not None and shown.club.links
    terms = Look.PLAIN if ui.form.terms == FRIENDLY else Look.MAIN
    label = name_of_others(shown.club) if shown.club else ""
    far = Choice(label, open_page(Page.BOARDS, ClubWish.LOOK))
    special = Choice(TOURNAMENT(), open_page(Page.TOURNAMENT), terms)
    if posed := ui.form.position:
        white, black = player_names(ui.form, chosen_game(ui.form, shown))
        name = black if ui.form.machine and ui.form.machine.side is Side.WHITE else white
        plays = shown.view is not None and shown.view.phase is not Phase.MATCH_OVER
        special = Choice(TRAIN_IT(), None if plays else begin_training(name, posed.text))
    return (
        Choice(BACK(), close()),
        Choice(RULES(), turn_to(Page.RULES, after=Page.NEW_MATCH)),
        special,
        *((far,) if links else ()),
        Choice(BEGIN(), begin_match(), Look.MAIN),
    )


def _games(canvas: Screen, rect: Rect, games: tuple[Series, ...], chosen: Series) -> None:
    some, more, widths = _in_one_row(canvas, rect.w, games, chosen)
    cells = rect.columns(widths, canvas.px(ASIDE))
    for cell, game in zip(cells, some, strict=False):
        look = Look.MAIN if game is chosen else Look.PLAIN
        canvas.button(cell, game.title, choose_game(game.name), look)
    if more:
        canvas.button(cells[-1], more, open_page(Page.GAMES))


def _in_one_row(
    canvas: Screen, width: int, games: tuple[Series, ...], chosen: Series
) -> tuple[tuple[Series, ...], str, tuple[float, ...]]:
    """Return the games that have room in one type size, a button for the others or "", and the
    widths of all buttons. The chosen game is always among them."""
    for count in range(len(games), 0, -1):
        some = games[:count] if chosen in games[:count] else (*games[: count - 1], chosen)
        more = MORE_GAMES(n=len(games) - count) if count < len(games) else ""
        labels = (*(game.title for game in some), *((more,) if more else ()))
        if widths := button_widths(canvas, width, labels):
            return some, more, widths
    return (chosen,), MORE_GAMES(n=len(games) - 1), (2, 1)


def draw_games(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw a button for each game that can be played here."""
    body = draw_around(canvas, WHICH_GAME(), "", (Choice(BACK(), open_page(Page.NEW_MATCH)),))
    chosen = chosen_game(ui.form, shown).name
    games = (
        Choice(game.title, choose_game(name), Look.MAIN if name == chosen else Look.PLAIN)
        for name, game in shown.games.matches.items()
    )
    column_of_buttons(canvas, body, tuple(games))


def _seat(
    canvas: Screen, rect: Rect, side: Side, words: tuple[str, str], shown: Shown, ui: Ui
) -> None:
    machine = ui.form.machine
    seat = machine if machine and machine.side is side else None
    name, who = rect.columns((2, 1), canvas.px(6))
    if shown.rivals.get((game := chosen_game(ui.form, shown)).name):
        label = OF_MACHINE(player=title_of(shown, game.name, seat.player)) if seat else PERSON()
        canvas.button(who, label, show_rivals(side), Look.MAIN if seat else Look.PLAIN)
    else:
        name = rect
    canvas.frame(name, Look.PLAIN)
    room, small = name.inset(canvas.px(12), canvas.px(2)), Pen(Size.SMALL, DIM)
    wide, gap = canvas.width(words[0], small), canvas.px(12)
    title, value = room.columns((wide, room.w - wide - gap), gap)
    canvas.text(title, words[0], small)
    canvas.text(value, words[1], Pen(Size.TEXT, IVORY, bold=True, lines=2))
    if not seat:
        canvas.touch(name, write(FIELDS[side]))


def draw_opponents(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw the list of those who can play a side: a person, then engines, the weakest first."""
    game, seat = chosen_game(ui.form, shown), ui.form.machine
    rivals = shown.rivals.get(game.name, ())
    points = points_to_win(ui.form, game)
    note = joined((game.title, UNLIMITED() if points is None else FIRST_TO(n=points)), DOTTED)
    ways = (
        Choice(BACK(), close()),
        Choice(NEW_MATCH(), open_page(Page.NEW_MATCH)),
        Choice(BEGIN(), begin_match(), Look.MAIN),
    )
    high = canvas.high(Size.TEXT, Size.TEXT) + canvas.px(6)
    columns = 1 if canvas.upright else 2

    def show(first: int) -> Action:
        return show_rivals(ui.seat, first)

    most = MOST_UPRIGHT if canvas.upright else MOST_ROWS
    listed = Listed(show, ui.first_rival, 1 + len(rivals), most, high, columns)
    title = WHO_PLAYS(side=game.side_names[ui.seat is Side.BLACK])
    _, places = draw_list(canvas, title, note, ways, listed)
    chosen = seat.player if seat and seat.side is ui.seat else None
    for place, rival in zip(places, (None, *rivals)[ui.first_rival :], strict=False):
        look = Look.MAIN if chosen == (rival.name if rival else None) else Look.PLAIN
        canvas.frame(place, look)
        room = place.inset(canvas.px(12), canvas.px(2))
        if rival is None:
            _two_lines(canvas, room, (PERSON(), ""), look)
        else:
            words, bars = room.columns((7, 3), canvas.px(6))
            _two_lines(canvas, words, (rival.title, rival.rating), look)
            _strength(canvas, bars, rival.bars, look)
        canvas.touch(place, give_side(ui.seat, rival.name if rival else None))


def _two_lines(canvas: Screen, rect: Rect, words: tuple[str, str], look: Look) -> None:
    ink, dim = (INK, INK) if look is Look.MAIN else (IVORY, DIM)
    name, note = Pen(Size.TEXT, ink, bold=True, lines=2), Pen(Size.SMALL, dim)
    if not words[1]:
        canvas.text(rect, words[0], name)
        return
    upper, lower = pair_in(canvas, rect)
    canvas.text(upper, words[0], name)
    canvas.text(lower, words[1], note)


def _strength(canvas: Screen, rect: Rect, bars: int, look: Look) -> None:
    """Draw rising bars of which the first ones are filled."""
    full, ground = (INK, MAIN) if look is Look.MAIN else (IVORY, KEY)
    empty = mix(ground, full, 0.25)
    high = min(rect.h - 2 * canvas.px(4), canvas.px(34))
    bottom = rect.centre[1] + high // 2
    for number, cell in enumerate(rect.grid(BARS, 1, canvas.px(4)), start=1):
        tall = max(canvas.px(5), high * number // BARS)
        bar = Rect(cell.x, bottom - tall, cell.w, tall)
        canvas.add(Box(bar, full if number <= bars else empty, canvas.px(2)))


def _targets(canvas: Screen, rect: Rect, chosen: int | None) -> None:
    gap = canvas.px(8)
    words, other_word = POINTS_TO_WIN(), OTHER()
    if canvas.upright:
        label = rect.upper(canvas.high(Size.SMALL))
        room = rect.lower(rect.h - label.h)
        canvas.text(label, words, Pen(Size.SMALL, DIM))
        cells = room.grid(5, 2, gap)
        usual, more = cells[:6], cells[6:]
        endless, other = union(more[:2]), union(more[2:])
    else:
        label, room = rect.columns((1.2, 8), gap)
        canvas.text(label, words, Pen(Size.SMALL, DIM, lines=3))
        needs = (canvas.width(word, LABEL) + 2 * canvas.px(9) for word in (UNLIMITED(), other_word))
        wide = tuple(map(float, needs))
        each = (room.w - sum(wide) - 7 * gap) / 6
        cells = room.columns((each,) * 6 + wide, gap)
        usual, endless, other = cells[:6], cells[6], cells[7]
    for place, target in zip((*usual, endless), TARGETS, strict=True):
        look = Look.MAIN if target == chosen else Look.PLAIN
        canvas.button(place, str(target) if target else UNLIMITED(), set_target(target), look)
    odd = chosen is not None and chosen not in TARGETS
    look = Look.MAIN if odd else Look.PLAIN
    canvas.button(other, str(chosen) if odd else other_word, write(TextField.TARGET), look)


def draw_typing(canvas: Screen, shown: Shown, ui: Ui) -> None:
    typing = ui.typing
    asked = _asked(typing.entry, chosen_game(ui.form, shown))
    done = Choice(DONE(), enter(), Look.MAIN)
    body = draw_around(canvas, asked, "", (Choice(BACK(), open_page(page_behind(typing))), done))
    height = min(body.h * 22 // 100, canvas.px(56))
    field = body.upper(height)
    canvas.add(Box(field, BAND, canvas.px(10), TEAL, canvas.px(2)))
    room = field.inset(canvas.px(14), canvas.px(3))
    lines = 2 if typing.entry is TextField.POSITION else 1
    written = canvas.text(room, typing.text, Pen(Size.HEAD, IVORY, bold=True, lines=lines))
    bar = Rect(written.right + canvas.px(3), field.y + height // 4, canvas.px(3), height // 2)
    canvas.add(Box(bar, TEAL))
    top = field.bottom + canvas.px(10)
    if offered := _completions(shown, ui):
        names = Rect(body.x, top, body.w, canvas.px(NAMES_HIGH))
        count = (NAMES_UPRIGHT if canvas.upright else NAMES_WIDE) - (1 if canvas.large else 0)
        draw_choices(canvas, names.grid(count, 1, canvas.px(8)), offered)
        top = names.bottom + canvas.px(6)
    room = Rect(body.x, top, body.w, body.bottom - top)
    if canvas.upright:
        room = Rect(canvas.px(2), top, canvas.size[0] - canvas.px(4), min(room.h, canvas.px(290)))
    _keys(canvas, room, typing)


def page_behind(typing: Typing) -> Page:
    pages = {
        TextField.BOARD: Page.BOARDS,
        TextField.CODE: Page.BOARDS,
        TextField.POSITION: Page.EDITOR,
    }
    return pages.get(typing.entry, Page.NEW_MATCH)


def _completions(shown: Shown, ui: Ui) -> tuple[Choice, ...]:
    """Names or words that may be meant."""
    if ui.typing.entry is TextField.CODE:
        return tuple(Choice(word, take_word(word)) for word in words_meant(shown, ui.typing.text))
    named = ui.typing.entry in FIELDS.values()
    names = remembered_names(shown, ui) if named else ()
    return tuple(Choice(name, take_name(name)) for name in names)


def words_meant(shown: Shown, text: str) -> tuple[str, ...]:
    """The words of codes that begin like the last one typed, from two letters on."""
    begun = text.rpartition(" ")[2].lower()
    words = shown.club.words if shown.club and len(begun) > 1 else ()
    return tuple(word for word in words if word.startswith(begun) and word != begun)


def remembered_names(shown: Shown, ui: Ui) -> tuple[str, ...]:
    """Known names that begin with what was typed, the most recent player first."""
    taken, text = {*ui.form.players, MACHINE}, ui.typing.text
    typed = "" if text in taken else text.casefold()
    return tuple(
        name
        for name in shown.shelf.names
        if name not in taken and name.casefold().startswith(typed)
    )


def _asked(entry: TextField, game: Series) -> str:
    if entry is TextField.TARGET:
        return POINTS_TO_WIN()
    if entry is TextField.BOARD:
        return NAME_OF_BOARD()
    if entry is TextField.CODE:
        return FRIENDS_CODE()
    if entry is TextField.POSITION:
        return POSITION_AS_TEXT()
    return NAME_OF(side=game.side_names[entry is TextField.BLACK])


def _keys(canvas: Screen, rect: Rect, typing: Typing) -> None:
    if typing.entry is TextField.TARGET:
        width = min(rect.w, canvas.px(330))
        middle = Rect(rect.centre[0] - width // 2, rect.y, width, rect.h)
        *lines, last = middle.rows((1, 1, 1, 1), 0)
        for row, line in zip(DIGITS, lines, strict=True):
            _row(canvas, line.grid(3, 1, 0), row)
        zero, wide = last.columns((1, 2), 0)
        _key(canvas, zero, "0", type_letters("0"))
        _key(canvas, wide, ERASE(), erase())
        return
    *lines, last = rect.rows((1, 1, 1, 1), 0)
    is_named = typing.entry in FIELDS.values()
    others = OTHER_KEYS.get(typing.entry, ACCENTS)
    for row, line in zip(others if typing.accents else LETTERS, lines, strict=True):
        letters = row if typing.accents else row.lower()
        cased = _cased(row, typing.text) if is_named else letters
        _row(canvas, line.grid(10, 1, 0), cased)
    _key(canvas, lines[2].grid(10, 1, 0)[9], "←", erase())
    other, space = last.columns((2.5, 7.5), 0)
    _key(canvas, other, "ABC" if typing.accents else "ÄÉÑ" if is_named else "123", other_keys())
    if typing.entry is not TextField.BOARD:
        _key(canvas, space, SPACE(), type_letters(" "))


def _row(canvas: Screen, cells: tuple[Rect, ...], letters: str) -> None:
    for cell, letter in zip(cells, letters, strict=False):
        _key(canvas, cell, letter, type_letters(letter))


def _cased(letters: str, text: str) -> str:
    """Capitals at the start of a name, small letters after."""
    return letters if not text or text[-1] in " -'." else letters.lower()


def _key(canvas: Screen, cell: Rect, label: str, action: Action) -> None:
    """Draw a key. Its whole cell can be touched; capital and small letter are the same key."""
    canvas.frame(cell.inset(canvas.px(3)), Look.QUIET)
    pen = Pen(Size.HEAD, IVORY, align=Align.CENTRE)
    canvas.text(cell.inset(canvas.px(4), canvas.px(2)), label, pen)
    canvas.touch(cell, action, label.lower())


T = TypeVar("T")

CLOCK, RESERVE, RESERVE_FOR = Sentence("Clock"), Sentence("Reserve"), Sentence("Reserve for")
A_TURN, OVERTIME = Sentence("Seconds a turn"), Sentence("Overtime")
WHILE_CORRECTING = Sentence("During corrections")
POLICY, COACH, DICE = Sentence("Illegal plays"), Sentence("Hints and coach"), Sentence("Dice")
PRESET = Sentence("Preset")

KINDS: Mapping[ClockKind, Sentence] = {
    ClockKind.NONE: Sentence("no clock"),
    ClockKind.DELAY: Sentence("simple delay"),
    ClockKind.BRONSTEIN: Sentence("Bronstein"),
    ClockKind.FISCHER: Sentence("Fischer"),
    ClockKind.PLAIN: Sentence("plain"),
}
POLICIES: Mapping[PlayPolicy, Sentence] = {
    PlayPolicy.LEGAL: Sentence("warn (legal moves)"),
    PlayPolicy.RESPONSIBLE: Sentence("don't warn (responsible moves)"),
}
ROLLS: Mapping[AgreedDice, Sentence] = {
    AgreedDice.AS_SET: Sentence("as in the settings"),
    AgreedDice.DEVICE: Sentence("Spotter rolls"),
    AgreedDice.TYPED: Sentence("manual"),
}
FORMS: Mapping[str, Sentence] = {
    "": Sentence("friendly"),
    "club": Sentence("12 s, 2 min a point"),
    "fast": Sentence("8 s, 20 s a point"),
    "fischer": Sentence("Fischer, 10 min + 5 s"),
    "plain": Sentence("plain, 30 min"),
}
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
class FormEntry:
    """One entry of the form: its name, its value, and the terms after a tap; None if it does not
    apply."""

    label: Said
    value: Said
    following: MatchTerms | None


def entries(terms: MatchTerms) -> Iterator[FormEntry]:
    yield _preset(terms)
    yield FormEntry(
        POLICY(),
        POLICIES[terms.policy](),
        replace(terms, policy=_after(tuple(PlayPolicy), terms.policy)),
    )
    yield from _clock(terms)
    locked = LOCKED() if terms.locked else AS_SET()
    yield FormEntry(COACH(), locked, replace(terms, locked=not terms.locked))
    following = replace(terms, dice=_after(tuple(AgreedDice), terms.dice))
    yield FormEntry(DICE(), ROLLS[terms.dice](), following)


def _clock(terms: MatchTerms) -> Iterator[FormEntry]:
    clock = terms.clock
    timed, turned = clock.kind is not ClockKind.NONE, clock.kind is not ClockKind.PLAIN

    def entry(label: Sentence, value: Said, use: bool = True, **change: object) -> FormEntry:
        following = replace(terms, clock=replace(clock, **change))  # type: ignore[arg-type]
        return FormEntry(label(), value, following if timed and use else None)

    following = replace(terms, clock=replace(clock, kind=_after(tuple(KINDS), clock.kind)))
    yield FormEntry(CLOCK(), KINDS[clock.kind](), following)
    a_turn, overtime = _after(TURNS, clock.a_turn), _after(OVERTIMES, clock.overtime)
    lasts = span(clock.a_turn) if turned else OFF()
    yield entry(A_TURN, lasts, turned, a_turn=a_turn)
    yield entry(RESERVE, span(clock.reserve), reserve=_after(RESERVES, clock.reserve))
    whose = A_POINT() if clock.a_point else THE_MATCH()
    yield entry(RESERVE_FOR, whose, a_point=not clock.a_point)
    longer = span(clock.overtime) if clock.overtime else OFF()
    yield entry(OVERTIME, longer, overtime=overtime)
    clock_then = RUNS() if clock.runs_while_correcting else STANDS()
    yield entry(WHILE_CORRECTING, clock_then, runs_while_correcting=not clock.runs_while_correcting)


def _preset(terms: MatchTerms) -> FormEntry:
    presets = {"": FRIENDLY, **PRESETS}
    name = next((name for name, preset in presets.items() if preset == terms), None)
    value = OWN() if name is None else FORMS[name]()
    following = presets[_after(tuple(presets), name)]
    return FormEntry(PRESET(), value, following)


def span(seconds: int) -> Said:
    """Write a time in words: "90 seconds", "2 minutes"."""
    if seconds >= MINUTE and seconds % MINUTE == 0:
        return MINUTES(n=seconds // MINUTE)
    return SECONDS(n=seconds)


def _after(values: tuple[T, ...], value: object) -> T:
    """The next value; after the last or an unknown one the first."""
    place = values.index(value) + 1 if value in values else 0
    return values[place % len(values)]


def draw_tournament(canvas: Screen, _: Shown, ui: Ui) -> None:
    note = WITH_AN_END() if ui.form.match_to is None else ""
    begin = Choice(BEGIN(), begin_match(), Look.MAIN)
    choices = Choice(BACK(), open_page(Page.NEW_MATCH)), begin
    body = draw_around(canvas, TOURNAMENT(), note, choices)
    there = tuple(entries(ui.form.terms))
    columns = 1 if canvas.upright else 2
    places = body.grid(columns, len(there) // columns, canvas.px(6))
    for place, entry in zip(places, there, strict=True):
        _draw(canvas, place, entry)


def _draw(canvas: Screen, rect: Rect, entry: FormEntry) -> None:
    if entry.following is None:
        canvas.frame(rect, Look.DIMMED)
        canvas.text(rect.inset(canvas.px(12), canvas.px(2)), entry.label, Pen(Size.TEXT, DIM))
        return
    labelled(canvas, rect, (entry.label, entry.value))
    canvas.touch(rect, set_terms(entry.following), entry.label)
