"""The stored matches: their list, and the pages of one match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from pi_app.base.adding import added
from pi_app.base.microseconds import ENDLESS
from pi_app.base.values import dataclass
from pi_app.coach.rollout import Rollout
from pi_app.coach.study import (
    RATING,
    Analysis,
    Errors,
    Judged,
    Lesson,
    Mark,
    Rating,
    blunders_first,
    errors_of,
    mark_of,
)
from pi_app.export.codes import code_of
from pi_app.export.leaves import Leaf
from pi_app.export.retold import dice
from pi_app.export.statistics import WORDS, Faces, Fairness, Totals, chance_of, judge_dice
from pi_app.match.turns import OVER as OVER_PHASES
from pi_app.players.contract import Unit
from pi_app.referee.events import MatchId
from pi_app.referee.speech import MACHINE, UNLIMITED
from pi_app.referee.view import LastPlay, TableDie
from pi_app.rules.terms import Move, RulesError, Side
from pi_app.screen import icons
from pi_app.screen.actions import (
    Action,
    Screen,
    close,
    open_analysis,
    open_match,
    open_page,
    play_on,
    resume,
    retell,
    roll_out,
    send,
    show_code,
    show_errors_of,
    show_files,
    show_leaf,
    show_losses,
    show_matches,
    show_player,
    show_position,
    show_ratings,
    show_report,
    show_sheet,
    show_training,
)
from pi_app.screen.boards.marks import Marks
from pi_app.screen.canvas import (
    BUTTON,
    GAP,
    MARGIN,
    SEAM,
    Align,
    Box,
    Line,
    Look,
    Pen,
    Rect,
    Size,
    arrow,
    square_in,
    union,
)
from pi_app.screen.pages.coach import (
    BEST,
    COSTS,
    GAINS,
    KINDS,
    MARKS,
    NO_COACH,
    PLAYED,
    SOLVED,
    TINY,
    amount_of,
    best_of,
    judged_at,
    judged_by,
    leaf_of,
    made_of,
    rated_as,
    rating_of,
    roller_of,
    short_of,
    words_of,
)
from pi_app.screen.pages.decisions import MARK_COLOURS, DecisionTable, table_of
from pi_app.screen.pages.files import DELETE
from pi_app.screen.pages.parts import (
    ANALYSIS,
    BACK,
    BACK_TO_MATCH,
    MATCHES,
    TRAINING,
    WALL,
    Choice,
    Listed,
    PageTurns,
    draw_around,
    draw_arrows,
    draw_choices,
    draw_list,
    draw_message,
    draw_qr,
    turns,
)
from pi_app.screen.pages.places import SMALL, play_places
from pi_app.screen.pages.play import FIRST_TO, GAME_NUMBER, draw_dice
from pi_app.screen.pieces import checker, die
from pi_app.screen.theme import AMBER, BAND, DIM, EDGE, IVORY, TEAL
from pi_app.screen.ui import (
    CodePart,
    KeptMatch,
    OpenMatch,
    Page,
    Shelf,
    Shown,
    Ui,
    standing,
    title_of,
)
from pi_app.user.commands import Fetch, Wanted
from pi_app.words.numbers import decimal, month
from pi_app.words.sentences import DOTTED, SEMICOLONS, Sentence, grouped, joined, paragraph
from pi_app.words.wall_time import date_of, local_time

STATISTICS = Sentence("Statistics")
READING = Sentence("Reading the matches")
NONE_KEPT = Sentence("No matches yet")
SO_MANY = Sentence("1 match", "{n} matches")
TO_ANALYSE = Sentence("1 to analyse", "{n} to analyse")
IMPORTED = Sentence("imported")
OVER = Sentence("finished")
UNFINISHED = Sentence("unfinished")
UNDER_WAY = Sentence("in progress")
LOOK_THROUGH = Sentence("Replay")
SCORE_SHEET = Sentence("Score sheet")
TO_STICK = Sentence("Save to USB")
FROM_STICK = Sentence("From USB")
AS_CODE = Sentence("QR codes")
ON_BOARD, GUESS_FIRST = Sentence("Replay on the board"), Sentence("Guess on the board")
GO_ON_PLAYING = Sentence("Resume")
NEEDS_BOARD = Sentence("Needs the board {board}")

ROWS_WIDE, ROWS_UPRIGHT = 5, 6


def draw_matches(canvas: Screen, shown: Shown, ui: Ui) -> None:
    shelf = shown.shelf
    matches = shelf.matches or ()
    back = Choice(BACK_TO_MATCH() if shown.view else BACK(), close(), icon=icons.back)
    figures = Choice(STATISTICS(), show_player(anew=True) if matches else None, icon=icons.bars)
    lines = _lines_of(canvas)
    listed = Listed(
        partial(show_matches, anew=False),
        ui.browsing.first,
        len(matches),
        ROWS_UPRIGHT if canvas.upright else ROWS_WIDE,
        sum(lines) + canvas.px(8),
    )
    train = Choice(TRAINING(), show_training())
    bring = Choice(FROM_STICK(), show_files(anew=True), icon=icons.stick)
    note = _note(shelf, shown.lesson.waiting if shown.lesson else 0)
    _, places = draw_list(canvas, MATCHES(), note, (back, figures, train, bring), listed)
    for place, match in zip(places, matches[listed.first :], strict=False):
        _line(canvas, place, match, shown)
    if not matches:
        message = READING() if shelf.matches is None else shelf.message or NONE_KEPT()
        pen = Pen(Size.HEAD, DIM, align=Align.CENTRE, lines=2)
        canvas.text(union(places), message, pen)


def _lines_of(canvas: Screen) -> tuple[int, ...]:
    """The heights of a listed match's lines: the players, the match, on an upright screen also
    when."""
    names, facts = canvas.high(Size.TEXT), canvas.high(Size.SMALL)
    if canvas.upright:
        return 2 * names, facts * (2 if canvas.large else 1), facts
    return names, facts * (2 if canvas.large else 1)


def _note(shelf: Shelf, waiting: int) -> str:
    """How many matches there are, and for how many the coach still has to work in the
    background."""
    if not shelf.matches or shelf.message:
        return shelf.message if shelf.matches else ""
    more = (TO_ANALYSE(n=waiting),) if waiting else ()
    return joined((SO_MANY(n=len(shelf.matches)), *more), DOTTED)


def _line(canvas: Screen, rect: Rect, match: KeptMatch, shown: Shown) -> None:
    canvas.frame(rect, Look.PLAIN)
    high, small, bold = sum(_lines_of(canvas)), Pen(Size.SMALL, DIM), Pen(Size.TEXT, bold=True)
    room = rect.inset(canvas.px(12), (rect.h - high) // 2)
    state = _state(match, shown)
    if canvas.upright:
        room, last = (
            room.upper(room.h - canvas.high(Size.SMALL)),
            room.lower(canvas.high(Size.SMALL)),
        )
        when, how = last.columns((1, 1), canvas.px(10))
    else:
        wide = max(canvas.width(match.began, small), canvas.width(state, small))
        right = Rect(room.right - wide, room.y, wide, room.h)
        when, how = right.rows((canvas.high(Size.TEXT), canvas.high(Size.SMALL)), 0)
        room = Rect(room.x, room.y, room.w - wide - canvas.px(10), room.h)
    players = standing(match.players, match.score)
    what = _what(match)
    names, facts = (
        canvas.height(text, room.w, pen) for text, pen in ((players, bold), (what, small))
    )
    place = Rect(room.x, room.y + (room.h - names - facts) // 2, room.w, names + facts)
    canvas.text(place.upper(names), players, replace(bold, colour=IVORY, lines=2))
    canvas.text(place.lower(facts), what, replace(small, lines=2))
    align = Align.LEFT if canvas.upright else Align.RIGHT
    canvas.text(when, match.began, replace(small, align=align))
    colour = DIM if match.over else IVORY
    canvas.text(how, state, replace(small, colour=colour, align=Align.RIGHT))
    canvas.touch(rect, open_match(match.number))


def _what(match: KeptMatch) -> str:
    target = UNLIMITED() if match.match_to is None else FIRST_TO(n=match.match_to)
    return joined((match.title, target, IMPORTED() if match.imported else match.board), DOTTED)


def _state(match: KeptMatch, shown: Shown) -> str:
    if match.over:
        return OVER()
    return UNDER_WAY() if match.number == shown.playing else UNFINISHED()


def draw_match(canvas: Screen, shown: Shown, ui: Ui) -> None:
    opened, back = opened_in(shown.shelf, ui), Choice(BACK(), show_matches(ui.browsing.first))
    if opened is None:
        _draw_unread(canvas, shown.shelf, back)
        return
    match = opened.match
    board = (
        Choice(ON_BOARD(), _on_board(shown, opened)),
        Choice(GUESS_FIRST(), _on_board(shown, opened, guesses=True)),
    )
    body = draw_around(canvas, standing(match.players, match.score), match.began, (back, *board))
    gap = canvas.px(10)
    words, pen = joined((_what(match), _state(match, shown)), DOTTED), Pen(Size.TEXT, DIM, lines=4)
    facts = body.upper(canvas.height(words, body.w, pen))
    canvas.text(facts, words, pen)
    room = Rect(body.x, facts.bottom + gap, body.w, body.bottom - facts.bottom - gap)
    needs = "" if match.over or match.here else NEEDS_BOARD(board=match.board)
    message, pen = shown.shelf.message or needs, Pen(Size.TEXT, IVORY, lines=5)
    foot = room.lower(min(canvas.height(message, room.w, pen), room.h // 2))
    canvas.text(foot, message, pen)
    _doings(canvas, room.upper(foot.y - gap - room.y), opened, shown)


def _doings(canvas: Screen, rect: Rect, opened: OpenMatch, shown: Shown) -> None:
    match, last, gap = opened.match, len(opened.leaves) - 1, canvas.px(10)
    onward = match.here or match.number == shown.playing
    going_on = resume(match.number) if onward and not match.over else None
    judged = open_analysis(match.number) if _may_judge(match, shown) else None
    first = Choice(GO_ON_PLAYING(), going_on, Look.MAIN, icons.play)
    if match.imported:
        first = Choice(DELETE(), open_page(Page.DELETE))
    choices = (
        first,
        Choice(ANALYSIS(), judged, icon=icons.bars),
        Choice(LOOK_THROUGH(), show_leaf(0 if match.over else last), icon=icons.board),
        Choice(SCORE_SHEET(), show_sheet(0), icon=icons.shelf),
        Choice(TO_STICK(), send(Fetch(Wanted.STICK, match.number)), icon=icons.stick),
        Choice(AS_CODE(), show_code(0), icon=icons.grid),
    )
    room = rect.upper(3 * canvas.px(72) + 2 * gap)
    draw_choices(canvas, room.grid(2, 3, gap), choices)


def _on_board(
    shown: Shown, opened: OpenMatch, decision: int = 0, *, guesses: bool = False
) -> Action | None:
    """Play it through on the board, if a board at hand has its game; no match is interrupted."""
    if opened.game not in shown.games:
        return None
    return retell(opened.match.number, decision, guesses)


def _may_judge(match: KeptMatch, shown: Shown) -> bool:
    """Whether the coach may judge this match. With locked hints only finished games, so that nobody
    looks up an open double."""
    view = shown.view
    locked = view and match.number == shown.playing and view.phase not in OVER_PHASES
    return shown.lesson is not None and (shown.hints or not locked)


def opened_in(shelf: Shelf, ui: Ui) -> OpenMatch | None:
    opened = shelf.opened
    return opened if opened and opened.match.number == ui.browsing.match else None


def _draw_unread(canvas: Screen, shelf: Shelf, back: Choice) -> None:
    """Draw the page of a match that is being read, or why it cannot be read."""
    body = draw_around(canvas, MATCHES(), "", (back,))
    draw_message(canvas, body, shelf.message or READING())


PLAYER_OF = Sentence("player {number} of {count}")
COUNTING = Sentence("reading {counted} of {all} matches")
PLAYED_ENDED = Sentence("{matches}, {over} finished")
WON = Sentence("Won")
OF_ENDED = Sentence("{won} of {over}")
POINTS = Sentence("Points")
FOR_AND_AGAINST = Sentence("{points} – {against}")
LENGTH = Sentence("Average length")
PLAYS_AND_MINUTES = Sentence("{plays} plays, {minutes} min")
TAKEN_BACK = Sentence("Turns undone")
WARNINGS = Sentence("Warnings")
IN_PLAYS = Sentence("{warned} in 1 play", "{warned} in {n} plays")
SPOTTERS_DICE = Sentence("Rolled by Spotter: 1 die", "Rolled by Spotter: {n} dice")
OWN_DICE = Sentence("Real dice: 1", "Real dice: {n}")
CHANCE = Sentence("{word} (p {chance})")
SMALL_CHANCE = Sentence("{word} (p < {chance})")
BY_MATCH = Sentence("Errors by match")
PART_OF = Sentence("Code {number} of {count}")
SCAN_WALL = Sentence("Scan with a phone to see every board of the club.")
MOST_OF_ADDRESS = 200
SCAN = Sentence("Scan with a phone for the score sheet.")
SCAN_ALL = Sentence(
    "Scan all codes with a phone for the score sheet. A USB stick holds it in one file."
)


def draw_players(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw one player's statistics at a time, the most frequent player first."""
    shelf = shown.shelf
    number = min(ui.browsing.player, max(0, len(shelf.players) - 1))
    back = Choice(BACK(), show_matches(anew=False))
    judged = Choice(BY_MATCH(), show_ratings() if shelf.players and shown.lesson else None)
    pages = turns(show_player, number, 1, len(shelf.players))
    if shelf.players:
        one, note = shelf.players[number], _which_player(shelf, number)
        body = draw_around(canvas, one.name, note, (back, judged), pages)
        _player(canvas, body, one.figures)
    else:
        body = draw_around(canvas, STATISTICS(), "", (back, judged), pages)
        message = shelf.message or (NONE_KEPT() if shelf.matches == () else READING())
        draw_message(canvas, body, message)


def _which_player(shelf: Shelf, number: int) -> str:
    matches = len(shelf.matches or ())
    if shelf.counted < matches:
        return COUNTING(counted=shelf.counted, all=matches)
    return PLAYER_OF(number=number + 1, count=len(shelf.players))


def _player(canvas: Screen, body: Rect, figures: Totals) -> None:
    gap = canvas.px(6 if canvas.large else GAP)
    columns, rows = (1, 6) if canvas.upright else (2, 3)
    facts = _facts(figures)
    wide = (body.w - (columns - 1) * gap) // columns - 2 * canvas.px(12)
    lines = [_fact_lines(canvas, words, wide) for words in facts]
    rows_of = [max(lines[at : at + columns]) for at in range(0, len(lines), columns)]
    heights = [canvas.high(*(Size.TEXT,) * count) + canvas.px(6) for count in rows_of]
    upper = body.upper(sum(heights) + (rows - 1) * gap)
    lower = Rect(body.x, upper.bottom + gap, body.w, body.bottom - upper.bottom - gap)
    cells = (
        cell
        for row in upper.rows(tuple(map(float, heights)), gap)
        for cell in row.columns((1,) * columns, gap)
    )
    for cell, words in zip(cells, facts, strict=True):
        _fact(canvas, cell, words)
    sides = lower.rows((1, 1), gap) if canvas.upright else lower.columns((1, 1), gap)
    for rect, faces, said in (
        (sides[0], figures.rolled, SPOTTERS_DICE),
        (sides[1], figures.typed, OWN_DICE),
    ):
        _dice(canvas, rect, faces, said(n=sum(faces)))


def _facts(figures: Totals) -> tuple[tuple[str, str], ...]:
    plays, minutes = round(figures.mean_plays), round(figures.mean_minutes)
    warned = IN_PLAYS(warned=figures.warned, n=figures.watched) if figures.watched else "–"
    length = PLAYS_AND_MINUTES(plays=plays, minutes=minutes) if figures.over else "–"
    return (
        (MATCHES(), PLAYED_ENDED(matches=figures.matches, over=figures.over)),
        (WON(), OF_ENDED(won=figures.won, over=figures.over)),
        (POINTS(), FOR_AND_AGAINST(points=figures.points, against=figures.against)),
        (LENGTH(), length),
        (TAKEN_BACK(), grouped(figures.taken_back)),
        (WARNINGS(), warned),
    )


VALUE = Pen(Size.TEXT, IVORY, bold=True, align=Align.RIGHT, lines=2)


def _fact_lines(canvas: Screen, words: tuple[str, str], wide: int) -> int:
    """How many lines a name and its value beside it need."""
    label, value = canvas.width(words[0], Pen(Size.TEXT)), canvas.width(words[1], VALUE)
    return 1 if label + canvas.px(8) + value <= wide else 2


def _fact(canvas: Screen, rect: Rect, words: tuple[str, str]) -> None:
    room, gap, pen = canvas.card(rect, 3), canvas.px(8), Pen(Size.TEXT, DIM, lines=2)
    label = canvas.least_width(words[0], pen)
    wide = min(canvas.width(words[1], VALUE), room.w - gap - label)
    left, right = room.columns((room.w - gap - wide, wide), gap)
    canvas.text(left, words[0], pen)
    canvas.text(right, words[1], VALUE)


def _dice(canvas: Screen, rect: Rect, faces: Faces, title: str) -> None:
    room = canvas.card(rect, 3)
    text, small = canvas.high(Size.TEXT), canvas.high(Size.SMALL)
    words, judged = room.upper(text), room.lower(small)
    bars = Rect(room.x, words.bottom, room.w, judged.y - canvas.px(4) - words.bottom)
    canvas.text(words, title, Pen(Size.TEXT, DIM))
    most, side = max(1, *faces), canvas.px(22)
    for face, (place, count) in enumerate(zip(bars.grid(6, 1, 6), faces, strict=True), start=1):
        middle, bottom = place.centre[0], place.bottom - side - canvas.px(4)
        high = max(0, bottom - place.y - small) * count // most
        if high:
            canvas.add(Box(Rect(middle - side // 2, bottom - high, side, high), TEAL))
        number = Rect(place.x, bottom - high - small, place.w, small)
        pen, figures = Pen(Size.SMALL, IVORY, align=Align.CENTRE), decimal(count, 0)
        fits = canvas.width(figures, pen) <= number.w
        canvas.text(number, figures if fits else str(count), pen)
        canvas.add(*die(Rect(middle - side // 2, place.bottom - side, side, side), face, None))
    canvas.text(judged, fairness(faces), Pen(Size.SMALL, IVORY))


def fairness(faces: Faces) -> str:
    """Say whether the dice are even, with the probability of dice at least as uneven."""
    judged = judge_dice(faces)
    word = WORDS[judged]()
    if judged is Fairness.TOO_FEW:
        return word
    if judged is Fairness.HARDLY:
        return SMALL_CHANCE(word=word, chance=decimal(0.001, 3))
    return CHANCE(word=word, chance=decimal(min(0.99, max(0.01, chance_of(faces))), 2))


# Codes --------------------------------------------------------------------------------------


def draw_code(canvas: Screen, shown: Shown, ui: Ui) -> None:
    part, (width, height) = shown.shelf.part, canvas.size
    margin, gap = canvas.px(MARGIN), canvas.px(GAP)
    side = min(width, height) - 2 * canvas.px(6)
    square = Rect(canvas.px(6), canvas.px(6), side, side)
    if canvas.upright:
        square = Rect((width - side) // 2, canvas.px(6), side, side)
        below = square.bottom + gap
        column = Rect(margin, below, width - 2 * margin, height - margin - below)
    else:
        left = square.right + gap
        column = Rect(left, margin, width - margin - left, height - 2 * margin)
    asked = ui.browsing.match, ui.browsing.part
    wanted = part if part and (part.match, part.number) == asked else None
    canvas.add(Box(square, BAND))
    if wanted:
        draw_qr(canvas, square, wanted.code)
    else:
        draw_message(canvas, square.inset(gap), shown.shelf.message or READING())
    buttons_height = 2 * canvas.px(BUTTON) + gap
    _which(canvas, column.upper(column.h - buttons_height - gap), part)
    _code_buttons(canvas, column.lower(buttons_height), ui, part)


def draw_position(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw a step's position as text and QR code, with a button to play on from there."""
    posed = shown.shelf.posed
    wanted = posed if posed and (posed.match, posed.leaf) == _leaf_at(shown, ui) else None
    back = Choice(BACK(), open_page(Page.LEAF), icon=icons.back)
    onward = play_on(wanted) if wanted and wanted.problem and not _is_playing(shown) else None
    opened, (_, number) = opened_in(shown.shelf, ui), _leaf_at(shown, ui)
    # A step that moves nothing leads to the decision after it.
    by = opened.leaves[number].decision if opened else 0
    board = Choice(ON_BOARD(), _on_board(shown, opened, by) if opened else None, icon=icons.board)
    choices = back, board, Choice(PLAY_ON_HERE(), onward, Look.MAIN, icons.play)
    body = draw_around(canvas, POSITION(), "", choices)
    if wanted is None or wanted.code is None or wanted.problem is None:
        draw_message(canvas, body, shown.shelf.message or (GAME_OVER() if wanted else READING()))
        return
    cut = body.rows if canvas.upright else body.columns
    place, words = cut((3, 2) if canvas.upright else (1, 1), canvas.px(GAP))
    square = square_in(place)
    draw_qr(canvas, square, wanted.code)
    texts = tuple(filter(None, (wanted.problem.text, wanted.xgid)))
    pen = Pen(Size.SMALL, IVORY, lines=9)
    for line, text in zip(words.rows((1,) * len(texts), canvas.px(GAP)), texts, strict=True):
        canvas.text(line, text, pen)


def _leaf_at(shown: Shown, ui: Ui) -> tuple[MatchId | None, int]:
    opened = opened_in(shown.shelf, ui)
    return ui.browsing.match, min(ui.browsing.leaf, len(opened.leaves) - 1) if opened else 0


def _is_playing(shown: Shown) -> bool:
    return shown.view is not None and shown.view.phase not in OVER_PHASES


def draw_wall(canvas: Screen, shown: Shown, _: Ui) -> None:
    address = shown.settings.club.wall[:MOST_OF_ADDRESS]
    body = draw_around(canvas, WALL(), "", (Choice(BACK_TO_MATCH(), close(), Look.MAIN),))
    cut = body.rows if canvas.upright else body.columns
    place, words = cut((3, 2) if canvas.upright else (1, 1), canvas.px(GAP))
    square = square_in(place)
    draw_qr(canvas, square, code_of(address))
    caption, typed = words.rows((1, 1), canvas.px(GAP))
    canvas.text(caption, SCAN_WALL(), Pen(Size.HEAD, IVORY, lines=5))
    canvas.text(typed, address, Pen(Size.TEXT, DIM, lines=5))


def _which(canvas: Screen, rect: Rect, part: CodePart | None) -> None:
    gap, pen = canvas.px(4), Pen(Size.HEAD, IVORY, bold=True, lines=2)
    title = rect.upper(canvas.height(AS_CODE(), rect.w, pen))
    canvas.text(title, AS_CODE(), pen)
    if part:
        words = PART_OF(number=part.number + 1, count=part.count)
        count = Rect(rect.x, title.bottom + gap, rect.w, canvas.high(Size.TEXT))
        canvas.text(count, words, Pen(Size.TEXT, IVORY))
        said = SCAN() if part.count == 1 else SCAN_ALL()
        how = Rect(rect.x, count.bottom + gap, rect.w, rect.bottom - count.bottom - gap)
        canvas.text(how, said, Pen(Size.TEXT, DIM, lines=9))


def _code_buttons(canvas: Screen, rect: Rect, ui: Ui, part: CodePart | None) -> None:
    upper, lower = rect.rows((1, 1), canvas.px(GAP))
    pages = turns(show_code, ui.browsing.part, 1, part.count if part else 0)
    draw_arrows(canvas, upper.columns((1, 1), canvas.px(GAP)), pages)
    canvas.button(lower, BACK(), open_page(Page.MATCH))


POSITION = Sentence("Position")
PLAY_ON_HERE = Sentence("Play on from here")
GAME_OVER = Sentence("The game is over here")
LEAF_OF = Sentence("{number} of {count}")
ERROR_OF = Sentence("error {number} of {count}")
PLAY_NUMBER = Sentence("play {number}")
CUBE_HELD = Sentence("cube {value}, owned by {player}")
CUBE_IN_THE_MIDDLE = Sentence("cube {value}, centred")
NO_POSITION = Sentence("The board at this time was not stored")

LEAVES_WIDE, LEAVES_UPRIGHT = 6, 11


# The sheet ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row of the score sheet: White's step left, Black's right; a step without a side spans
    both."""

    cells: tuple[int | None, ...]


def sheet_rows(leaves: Iterable[Leaf]) -> Iterator[SheetRow]:
    """Yield the rows of a match's score sheet; a cell is the number of a step, from 0."""
    left: int | None = None
    for number, leaf in enumerate(leaves):
        if leaf.mover is Side.BLACK:
            yield SheetRow((left, number))
            left = None
            continue
        if left is not None:
            yield SheetRow((left, None))
            left = None
        if leaf.mover is Side.WHITE:
            left = number
        else:
            yield SheetRow((number,))
    if left is not None:
        yield SheetRow((left, None))


def draw_sheet(canvas: Screen, shown: Shown, ui: Ui) -> None:
    opened, back = opened_in(shown.shelf, ui), Choice(BACK(), open_page(Page.MATCH))
    if opened is None:
        _draw_unread(canvas, shown.shelf, back)
        return
    match = opened.match
    rows = tuple(sheet_rows(opened.leaves))
    most = LEAVES_UPRIGHT if canvas.upright else LEAVES_WIDE
    lines = 3 if canvas.upright and canvas.large else 2
    high = canvas.high(*(Size.TEXT,) * lines) + canvas.px(2)
    listed = Listed(show_sheet, ui.browsing.row, len(rows), most, high)
    players = standing(match.players, match.score)
    _, places = draw_list(canvas, SCORE_SHEET(), players, (back,), listed)
    for place, row in zip(places, rows[listed.first :], strict=False):
        cells = place.columns((1,) * len(row.cells), canvas.px(6))
        for cell, number in zip(cells, row.cells, strict=True):
            if number is not None:
                _cell(canvas, cell, opened.leaves[number], number)


def _cell(canvas: Screen, rect: Rect, leaf: Leaf, number: int) -> None:
    canvas.frame(rect, Look.PLAIN if leaf.mover else Look.QUIET)
    pen = Pen(Size.TEXT, IVORY, bold=leaf.opens, lines=3)
    canvas.text(rect.inset(canvas.px(10), canvas.px(1)), leaf.said, pen)
    canvas.touch(rect, show_leaf(number))


# On the board -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeafPlaces:
    """The places on the replay page. The board is where it is during play, words and buttons beside
    or around it."""

    score: Rect
    cube: Rect
    board: Rect
    said: Rect
    which: Rect
    buttons: Rect


def leaf_places(canvas: Screen, *, wordy: bool = False) -> LeafPlaces:
    """On a wide screen everything is beside the board, on an upright one above and below it.

    If the words are many, all arrows stand in one row.
    """
    places, seam = play_places(canvas.size, large=canvas.large), canvas.px(SEAM)
    score, small = canvas.high(Size.TEXT, Size.TEXT), canvas.high(Size.SMALL)
    if canvas.upright and canvas.large:  # the words need more room than on the play page
        room = Rect(0, 0, *canvas.size).inset(canvas.px(MARGIN))
        words = canvas.high(*(Size.TEXT,) * 6)
        heights = canvas.high(Size.TEXT), small, words, small, canvas.px(BUTTON)
        rest = room.h - sum(heights) - len(heights) * seam
        return LeafPlaces(*room.rows((*heights[:2], rest, *heights[2:]), seam))
    if canvas.upright:
        board, words_at = places.board, places.words
        top = Rect(board.x, places.players[0].y, board.w, canvas.high(Size.TEXT))
        cube = Rect(board.x, top.bottom, board.w, board.y - seam - top.bottom)
        said = words_at.upper(words_at.h - small - seam)
        buttons_at = Rect(board.x, places.main.y, board.w, places.main.h)
        return LeafPlaces(top, cube, board, said, words_at.lower(small), buttons_at)
    column = places.column
    rows = 2 if wordy or canvas.large else 3
    buttons = rows * canvas.px(SMALL) + (rows - 1) * seam
    fixed = score, small, small, buttons
    rest = column.h - sum(fixed) - len(fixed) * seam
    score_at, cube, said, which, below_at = column.rows((*fixed[:2], rest, *fixed[2:]), seam)
    return LeafPlaces(score_at, cube, places.board, said, which, below_at)


def draw_leaf(canvas: Screen, shown: Shown, ui: Ui) -> None:
    opened = opened_in(shown.shelf, ui)
    if opened is None:
        _draw_unread(canvas, shown.shelf, Choice(BACK(), open_page(Page.MATCH)))
        return
    number = min(ui.browsing.leaf, len(opened.leaves) - 1)
    leaf = opened.leaves[number]
    canvas.count_by(shown.numbering_of(leaf.mover or leaf.state.to_act))
    judged = judged_at(opened, number, shown.lesson)[: 1 if canvas.upright else None]
    better = _better(opened, leaf, judged)
    asked = next((one for one in judged if one.rated and one.loss >= TINY), None)
    rollout = shown.lesson.rollout_of(asked.moment.question) if shown.lesson and asked else None
    table = table_of(opened.board.games[leaf.game], judged, rollout)
    places = leaf_places(canvas, wordy=table is not None)
    errors = _errors_at(opened, ui, shown.lesson) if ui.analysed else ()
    _facts_of(canvas, places, opened, number, errors)
    game = opened.board.games[leaf.game]
    words = joined(tuple(words_of(game, one) for one in judged), SEMICOLONS)
    _said(canvas, places.said, leaf, words, table, both=better)
    _board(canvas, places.board, opened, leaf, shown, better)
    games = tuple(index for index, one in enumerate(opened.leaves) if one.opens)
    stops = errors or (*games, len(opened.leaves) - 1)
    ways = turns(show_leaf, number, 1, len(opened.leaves)), _to_stops(number, stops)
    leave = open_page(Page.ANALYSIS if ui.analysed else Page.MATCH)
    leaving = Choice(BACK(), leave, icon=icons.back)
    position = Choice(POSITION(), show_position(number), icon=icons.grid)
    choices = (leaving, position, *_rolling(shown, asked, leaf.game, rollout))
    _buttons(canvas, places.buttons, ways, choices)


def _rolling(
    shown: Shown, asked: Judged | None, game: str, rollout: Rollout | None
) -> tuple[Choice, ...]:
    """The button that rolls out the plays of a wrong play, or stops."""
    label = roller_of(shown.lesson, game, rollout) if asked and not asked.exact else None
    if asked is None or label is None:
        return ()
    words, begins = label
    return (Choice(words, roll_out(asked.moment.number, begins), icon=icons.die),)


def _facts_of(
    canvas: Screen, places: LeafPlaces, opened: OpenMatch, number: int, errors: tuple[int, ...]
) -> None:
    """Draw score and cube above, and below which step of the match this is, or which error."""
    leaf, players = opened.leaves[number], opened.match.players
    match = leaf.state.standing
    pen = Pen(Size.TEXT, IVORY, bold=True, lines=2)
    canvas.text(places.score, standing(players, match.score), pen)
    holds = match.cube.owner
    words = CUBE_IN_THE_MIDDLE(value=match.cube.value) if match.cube.value > 1 else ""
    if holds:
        words = CUBE_HELD(value=match.cube.value, player=players[holds is Side.BLACK])
    canvas.text(places.cube, words, Pen(Size.SMALL, DIM))
    played = PLAY_NUMBER(number=leaf.number) if leaf.number else ""
    game = GAME_NUMBER(number=match.game_number)
    where = LEAF_OF(number=number + 1, count=len(opened.leaves))
    if number in errors:
        where = ERROR_OF(number=errors.index(number) + 1, count=len(errors))
    pen, facts = Pen(Size.SMALL, DIM), (game, played, where)
    fewer = (joined(facts[number:], DOTTED) for number in range(len(facts)))
    canvas.line(places.which, canvas.first_to_fit(places.which.w, pen, *fewer), pen)


def _said(
    canvas: Screen,
    rect: Rect,
    leaf: Leaf,
    judged: str,
    table: DecisionTable | None,
    *,
    both: tuple[Move, ...],
) -> None:
    """Write what was done, and the table of a bad play; where that has no room, the
    coach's words, and what the two kinds of arrows mean."""
    room, pen = canvas.card(rect, 6), Pen(Size.TEXT, IVORY, bold=True, lines=7)
    r = canvas.px(13)
    left = 3 * r if leaf.mover else 0
    titled = canvas.height(leaf.said, room.w - left, pen)
    below = room.lower(max(0, room.h - titled - canvas.px(4)))
    tables = (one for one in table.fewer() if one.fits(canvas, below)) if table else ()
    fitting = next(iter(tables), None)
    if both and not fitting:
        room = _legend(canvas, room)
    if leaf.mover:
        canvas.add(*checker((room.x + r, room.y + r + canvas.px(2)), r, leaf.mover))
    high = min(room.h, titled) if judged else room.h
    canvas.text(Rect(room.x + left, room.y, room.w - left, high), leaf.said, pen)
    if fitting:
        fitting.draw(canvas, below)
        return
    below = Rect(room.x, room.y + high, room.w, room.h - high)
    canvas.text(below, judged, Pen(Size.TEXT, IVORY, lines=9))


def _legend(canvas: Screen, room: Rect) -> Rect:
    """Draw the signs of the play made and the best play at the foot. Return the space above."""
    high = canvas.high(Size.SMALL)
    place, pen, gap = room.lower(high), Pen(Size.SMALL, IVORY), canvas.px(8)
    long, x = canvas.px(26), room.x
    for words, best in ((PLAYED(), False), (BEST(), True)):
        y = float(place.centre[1])
        way = tuple((x + long * step / 8, y) for step in range(9))
        thin = Line(way, DIM, canvas.px(2.5))
        canvas.add(*(arrow(way, TEAL, canvas.px(4)) if best else (thin,)))
        wide = canvas.width(words, pen)
        canvas.text(Rect(x + long + gap, place.y, wide, high), words, pen)
        x += long + wide + 3 * gap
    return room.upper(room.h - high - canvas.px(4))


def _better(opened: OpenMatch, leaf: Leaf, judged: tuple[Judged, ...]) -> tuple[Move, ...]:
    """The moves of the best play if another was made; else none."""
    game = opened.board.games[leaf.game]
    for one in judged:
        if one.loss >= TINY and one.best and leaf.moves:
            return game.moves(game.read_position(leaf.before), one.best[0])
    return ()


def _board(
    canvas: Screen,
    rect: Rect,
    opened: OpenMatch,
    leaf: Leaf,
    shown: Shown,
    better: tuple[Move, ...],
) -> None:
    """Draw the position after the play; if a better play is shown, the one before both."""
    rules = opened.board.games[leaf.game]
    try:
        stood, stands = (
            rules.checkers_at(rules.read_position(text))
            for text in (leaf.before, leaf.state.position)
        )
    except RulesError:
        draw_message(canvas, rect, NO_POSITION())
        return
    before = stood if leaf.moves else stands
    marks = Marks(stands, before, moves=leaf.moves, mover=leaf.mover)
    if better and leaf.mover:
        made = LastPlay(leaf.mover, leaf.said, leaf.moves, stood)
        marks = Marks(stood, stood, moves=better, trace=made, mover=leaf.mover)
    draw = shown.faces[leaf.game].draw
    drawn = draw(canvas, rect, opened.board, marks, turned=shown.turned)
    if leaf.mover:
        thrown = tuple(TableDie(int(face), leaf.mover) for face in dice(leaf.roll))
        draw_dice(canvas, drawn.dice, thrown, ENDLESS)


def _to_stops(number: int, stops: tuple[int, ...]) -> PageTurns:
    """The ways to the stop before this step and to the one after it."""
    before = max((stop for stop in stops if stop < number), default=None)
    after = min((stop for stop in stops if stop > number), default=None)
    return tuple(None if stop is None else show_leaf(stop) for stop in (before, after))


def _buttons(
    canvas: Screen, rect: Rect, ways: tuple[PageTurns, PageTurns], choices: tuple[Choice, ...]
) -> None:
    """Draw the ways to other steps, by one and to the next stop, and two or three more buttons."""
    gap, button = canvas.px(SEAM), canvas.px(SMALL)
    if canvas.upright:
        wide = (1.7, 2) if len(choices) == 2 else (1.5, 1.5, 1)
        first, back, *places, forward, last = rect.columns((1, 1, *wide, 1, 1), gap)
    elif rect.h < 3 * button:
        upper, lower = rect.rows((1, 1), gap)
        first, back, forward, last = upper.columns((1,) * 4, gap)
        places = [*lower.columns((1,) * len(choices), gap)]
    else:
        *arrows, below = rect.rows((1,) * 3, gap)
        (back, forward), (first, last) = (row.columns((1, 1), gap) for row in arrows)
        places = [*below.columns((1,) * len(choices), gap)]
    draw_arrows(canvas, (back, forward), ways[0])
    draw_arrows(canvas, (first, last), ways[1], far=True)
    for place, choice in zip(places, choices, strict=True):
        draw_choices(canvas, (place,), (choice,))


ASKING = Sentence("{player} is analysing … {done} of {total}.")
TRAINS_ERRORS = Sentence("Training asks your errors again.")
NO_ERROR = Sentence("No errors")
BLUNDERS = Sentence("1 blunder", "{n} blunders")
ERRORS = Sentence("1 error", "{n} errors")
IN_DECISIONS = Sentence(
    "{blunders}, {errors} in 1 decision", "{blunders}, {errors} in {n} decisions"
)
MEAN = Sentence("{amount} a decision")
CHANCE_LOST = Sentence("Chance to win the match, in all: {lost}")
DICE_GAVE = Sentence("luck {amount}")
INSTEAD_OF = Sentence("{made} · best {best}")
IN_TURN = Sentence("game {game}, play {turn}")
NOT_JUDGED = Sentence("Nothing analysed for {player} yet: Matches, a match, Analysis")
BY_MATCHES = Sentence("Errors by match: {player}")
EXTREMES = Sentence("best {best}, worst {worst}")
RATING_IS = Sentence("PR: mean equity loss × {times}; 0 is perfect")
AGAINST = Sentence("against {player}")
HEAD_TO_HEAD = Sentence("{won} of {over} won")
OF_DECISIONS = Sentence("{blunders} / {errors} / {decisions}")
REPORT = Sentence("Report")
HEADS = Sentence("Blunders / errors / decisions")
TREND, MOST_IN_TREND = 64, 30
"""Units: the height of the curve of ratings; and how many matches it shows."""

JUDGED_WIDE, JUDGED_UPRIGHT = 4, 5


def draw_analysis(canvas: Screen, shown: Shown, ui: Ui) -> None:
    lesson, opened = shown.lesson, opened_in(shown.shelf, ui)
    out = close() if shown.view and shown.playing == ui.browsing.match else open_page(Page.MATCH)
    back = Choice(BACK(), out, icon=icons.back), Choice(TRAINING(), show_training())
    mine = lesson if lesson and lesson.match == ui.browsing.match else None
    if opened is None or mine is None or mine.analysis is None:
        body = draw_around(canvas, ANALYSIS(), "", back)
        draw_message(canvas, body, _waiting(shown, mine), lines=5)
        if mine and mine.total and not mine.message:
            _bar(canvas, body, mine)
        return
    analysis = mine.analysis
    judge = judged_by(shown, opened.game, analysis.player, exact=analysis.exact)
    whose, gap = errors_whose(opened, ui), canvas.px(8)
    every = blunders_first(analysis)
    lost = tuple(one for one in every if one.moment.side in whose)
    columns, rows = (1, 2) if canvas.upright else (2, 1)
    figures = [_figures_of(opened, analysis, side) for side in Side]
    wide = (canvas.size[0] - 2 * canvas.px(MARGIN) - gap) // columns - 2 * canvas.px(12)
    high = canvas.px(8) + max(_figures_height(canvas, words, wide) for words in figures)
    most = JUDGED_UPRIGHT if canvas.upright else JUDGED_WIDE
    row = _loss_height(canvas)
    above = rows * high + (rows - 1) * gap
    first, show = ui.browsing.judged, show_losses
    listed = Listed(show, first, len(lost), most, row, above=above)
    upper, places = draw_list(canvas, ANALYSIS(), judge, back, listed)
    for side, place, words in zip(Side, upper.grid(columns, rows, gap), figures, strict=True):
        _figures(canvas, place, words)
        if whose == (side,):
            canvas.stripe(place, AMBER)
        if every:
            canvas.touch(place, show_errors_of(*(Side if whose == (side,) else (side,))))
    if not lost:
        canvas.text(union(places), NO_ERROR(), Pen(Size.HEAD, IVORY, align=Align.CENTRE))
    for place, judged in zip(places, lost[first:], strict=False):
        _loss(canvas, place, opened, judged)


def errors_whose(opened: OpenMatch, ui: Ui) -> tuple[Side, ...]:
    """The sides whose errors are listed: as chosen, else of the human against a machine, else
    both."""
    humans = tuple(
        side for side, name in zip(Side, opened.match.players, strict=True) if name != MACHINE
    )
    return ui.browsing.whose or humans or tuple(Side)


def _errors_at(opened: OpenMatch, ui: Ui, lesson: Lesson | None) -> tuple[int, ...]:
    """The steps of the match with an error of these sides, in the order of the match."""
    if lesson is None or lesson.analysis is None or lesson.match != opened.match.number:
        return ()
    whose = errors_whose(opened, ui)
    costly = (one for one in lesson.analysis.judged if mark_of(one) is not Mark.GOOD)
    found = {leaf_of(opened, one) for one in costly if one.moment.side in whose}
    return tuple(sorted(found))


def _waiting(shown: Shown, mine: Lesson | None) -> str:
    if mine and mine.message:
        return mine.message
    if mine and mine.total:
        asking = ASKING(player="Spotter", done=mine.done, total=mine.total)
        return paragraph(asking, TRAINS_ERRORS())
    lesson = shown.lesson
    if lesson is None:
        return NO_COACH()
    if shown.shelf.matches == ():
        return NONE_KEPT()
    return shown.shelf.message or lesson.message or READING()


def _bar(canvas: Screen, body: Rect, lesson: Lesson) -> None:
    high = canvas.px(14)
    room = Rect(body.x, body.bottom - 3 * high, body.w, high)
    canvas.add(Box(room, BAND, canvas.px(6)))
    wide = room.w * lesson.done // max(1, lesson.total)
    if wide:
        canvas.add(Box(Rect(room.x, room.y, wide, high), AMBER, canvas.px(6)))


def _figures_of(opened: OpenMatch, analysis: Analysis, side: Side) -> tuple[str, ...]:
    """A player's name, how many errors of each size, the loss by kind of decision, and
    the means."""
    player = opened.match.players[side is Side.BLACK]
    errors = max(errors_of(analysis)[side], key=lambda one: one.decisions, default=None)
    if errors is None:
        return (player,)
    blunders, lesser = BLUNDERS(n=errors.blunders), ERRORS(n=errors.errors)
    counts = IN_DECISIONS(blunders=blunders, errors=lesser, n=errors.decisions)
    costly = (one for one in errors.kinds if one.loss > TINY)
    lost = (KINDS[one.kind](lost=short_of(errors.unit, one.loss)) for one in costly)
    graded = opened.board.games[opened.leaves[0].game].graded
    means, of = _means(errors, graded=graded), joined(tuple(lost), DOTTED)
    if of and errors.unit is Unit.MATCH:
        of = CHANCE_LOST(lost=of)
    return player, counts, joined(means, DOTTED), of


def _figures_height(canvas: Screen, words: tuple[str, ...], wide: int) -> int:
    small = Pen(Size.SMALL, lines=2)
    return canvas.high(Size.TEXT) + sum(canvas.height(text, wide, small) for text in words[1:])


def _figures(canvas: Screen, rect: Rect, words: tuple[str, ...]) -> None:
    name, *others = words
    room, small = canvas.card(rect, 4), Pen(Size.SMALL, IVORY, lines=2)
    above = room.upper(canvas.high(Size.TEXT))
    canvas.text(above, name, Pen(Size.TEXT, IVORY, bold=True))
    for text in others:
        above = Rect(room.x, above.bottom, room.w, canvas.height(text, room.w, small))
        canvas.text(above, text, small)
        small = replace(small, colour=DIM)


def _means(errors: Errors, *, graded: bool) -> tuple[str, ...]:
    parts = [*rated_as(errors, graded=graded)]
    if len(parts) < 2:
        parts.insert(0, MEAN(amount=amount_of(errors.unit, errors.mean)))
    if errors.luck is not None:
        sign = GAINS if errors.luck >= 0 else COSTS
        luck = sign(amount=amount_of(errors.unit, abs(errors.luck)))
        parts.append(DICE_GAVE(amount=luck))
    return tuple(parts)


def _loss_height(canvas: Screen) -> int:
    """The height of a listed error: the play, perhaps on several lines, and whose it is."""
    lines = 3 if canvas.upright else 2 if canvas.large else 1
    return canvas.high(*(Size.TEXT,) * lines, Size.SMALL) + canvas.px(4)


def _loss(canvas: Screen, rect: Rect, opened: OpenMatch, judged: Judged) -> None:
    canvas.frame(rect, Look.PLAIN)
    game, mark = opened.board.games[opened.leaves[leaf_of(opened, judged)].game], mark_of(judged)
    canvas.stripe(rect, MARK_COLOURS.get(mark, EDGE))
    room, small = rect.inset(canvas.px(14), canvas.px(1)), canvas.high(Size.SMALL)
    left, right = room.columns((7, 3), canvas.px(8))
    player = opened.match.players[judged.moment.side is Side.BLACK]
    where = IN_TURN(game=judged.moment.game, turn=judged.moment.turn)
    done = INSTEAD_OF(made=made_of(game, judged), best=best_of(game, judged))
    pen = Pen(Size.TEXT, IVORY, bold=True, lines=3)
    canvas.text(left.upper(left.h - small), done, pen)
    canvas.text(left.lower(small), joined((player, where), DOTTED), Pen(Size.SMALL, DIM))
    loss = amount_of(judged.unit, judged.loss)
    pen = Pen(Size.TEXT, IVORY, bold=True, align=Align.RIGHT, lines=2)
    canvas.text(right.upper(right.h - small), loss, pen)
    if mark in MARKS:
        pen = Pen(Size.SMALL, IVORY, align=Align.RIGHT)
        canvas.text(right.lower(small), MARKS[mark](), pen)
    canvas.touch(rect, show_leaf(leaf_of(opened, judged), analysed=True))


# Match by match -----------------------------------------------------------------------------


def draw_ratings(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """List a player's analysed matches, the newest first."""
    players = shown.shelf.players
    number = min(ui.browsing.player, max(0, len(players) - 1))
    name = players[number].name if players else ""
    every = shown.lesson.ratings if shown.lesson else ()
    ratings = [one for one in every if one.name == name][::-1]
    back = Choice(BACK(), show_player(number), icon=icons.back)
    whole = Choice(REPORT(), show_report() if ratings else None, icon=icons.bars)
    most = (JUDGED_UPRIGHT if canvas.upright else JUDGED_WIDE) + 1
    names, facts = (2 if canvas.upright else 1), (2 if canvas.upright or canvas.large else 1)
    high = canvas.high(*(Size.TEXT,) * names, *(Size.SMALL,) * facts) + canvas.px(6)
    pen = Pen(Size.SMALL, DIM, lines=3 if canvas.large else 2)
    known = _comparable(ratings)
    curve = _curve(known)[-MOST_IN_TREND:]
    note: str = RATING_IS(times=RATING)
    if len(known) > 1:
        game, judge = ratings[0].game, ratings[0].judge
        titled = shown.games.get(game)
        figures = [rating for _, rating in _by_match(known)]
        told = (
            titled.title if titled else game,
            title_of(shown, game, judge),
            EXTREMES(best=rating_of(min(figures)), worst=rating_of(max(figures))),
        )
        note = joined((*told, note), DOTTED)
    trend = canvas.px(TREND) if len(curve) > 1 and not canvas.large else 0
    words = canvas.height(note, canvas.size[0] - 2 * canvas.px(MARGIN), pen)
    above = words + trend
    listed = Listed(show_ratings, ui.browsing.judged, len(ratings), most, high, above=above)
    place, places = draw_list(canvas, BY_MATCHES(player=name), HEADS(), (back, whole), listed)
    if not ratings:
        draw_message(canvas, union(places), NOT_JUDGED(player=name))
        return
    canvas.text(place.upper(words), note, pen)
    if trend:
        _trend(canvas, place.lower(trend), curve)
    for place, rating in zip(places, ratings[listed.first :], strict=False):
        _rating(canvas, place, shown, rating)


def _comparable(ratings: list[Rating]) -> list[Rating]:
    """Those of the newest one's game by the same engine, the oldest first: others are on another
    scale."""
    kinds = [(one.game, one.judge) for one in ratings]
    alike = (one for one, kind in zip(ratings, kinds, strict=True) if kind == kinds[0])
    return [one for one in alike if one.rating is not None][::-1]


def _curve(known: list[Rating]) -> list[tuple[str, float]]:
    """The mean rating of each month; within one month that of each match."""
    months: dict[str, list[Rating]] = {}
    for one in known:
        if when := date_of(one.began):
            months.setdefault(month(when), []).append(one)
    if len(months) < 2:
        return _by_match(known)
    return [
        (name, RATING * added(one.equity or 0.0 for one in some) / sum(o.decisions for o in some))
        for name, some in months.items()
    ]


def _by_match(known: list[Rating]) -> list[tuple[str, float]]:
    return [("", one.rating) for one in known if one.rating is not None]


def _trend(canvas: Screen, rect: Rect, ratings: list[tuple[str, float]]) -> None:
    """Draw a curve of ratings, the oldest first, with the first and the last in figures; the bottom
    of the card is 0."""
    room = canvas.card(rect, 6)
    small = Pen(Size.SMALL, DIM, align=Align.RIGHT, lines=2)
    most = max(1.0, *(rating for _, rating in ratings))
    first, last = (
        f"{name} {decimal(rating, 1)}".strip() for name, rating in (ratings[0], ratings[-1])
    )
    wide = max(canvas.width(word, small) for word in (*first.split(), *last.split()))
    wide += canvas.px(10)
    canvas.text(Rect(room.x, room.y, wide - canvas.px(10), room.h), first, small)
    canvas.text(Rect(room.right - wide, room.y, wide, room.h), last, replace(small, colour=IVORY))
    curve = Rect(room.x + wide, room.y, room.w - 2 * wide, room.h)
    canvas.add(Line(((curve.x, curve.bottom), (curve.right, curve.bottom)), EDGE, canvas.px(1)))
    step = curve.w / (len(ratings) - 1)
    points = tuple(
        (curve.x + step * number, curve.bottom - curve.h * rating / most)
        for number, (_, rating) in enumerate(ratings)
    )
    canvas.add(Line(points, TEAL, canvas.px(3)))


def head_to_head(shelf: Shelf, name: str, against: str) -> tuple[int, int]:
    """How many of the finished matches between two players the first of them has won."""
    won = over = 0
    for match in shelf.matches or ():
        if match.over and set(match.players) == {name, against} and name != against:
            over += 1
            won += match.players[match.score.black > match.score.white] == name
    return won, over


def _rating(canvas: Screen, rect: Rect, shown: Shown, rating: Rating) -> None:
    counts = OF_DECISIONS(
        blunders=rating.blunders, errors=rating.errors, decisions=rating.decisions
    )
    room, gap, small = canvas.card(rect, 2), canvas.px(10), canvas.high(Size.SMALL)
    wide = canvas.width(counts, Pen(Size.TEXT))
    if canvas.upright:  # the counts stand above the mean
        left, right = room.columns((room.w - wide - gap, wide), gap)
        middle = right.upper(canvas.high(Size.TEXT))
        right = right.lower(right.h - middle.h)
    else:
        rest = float(room.w - wide - 2 * gap)
        left, middle, right = room.columns((rest * 0.58, wide, rest * 0.42), gap)
    align = Align.RIGHT if canvas.upright else Align.CENTRE
    canvas.text(middle, counts, Pen(Size.TEXT, IVORY, align=align))
    game = shown.board.games.get(rating.game)
    titles = (one.title for one in shown.shelf.matches or () if one.number == rating.match)
    title = game.title if game else next(titles, "")
    began = local_time(rating.began)
    won, over = head_to_head(shown.shelf, rating.name, rating.against)
    duel = HEAD_TO_HEAD(won=won, over=over) if over else ""
    usual = began if canvas.upright else joined((title, began), DOTTED)
    words = canvas.first_to_fit(left.w, Pen(Size.SMALL), joined((usual, duel), DOTTED), usual)
    below = small * (2 if canvas.upright or canvas.large else 1)
    pen = Pen(Size.TEXT, IVORY, bold=True, lines=2)
    canvas.text(left.upper(room.h - below), AGAINST(player=rating.against), pen)
    canvas.text(left.lower(below), words, Pen(Size.SMALL, DIM, lines=2))
    text, *grade = rated_as(rating, graded=game is not None and game.graded) or (
        MEAN(amount=amount_of(rating.unit, rating.mean)),
    )
    canvas.text(right.upper(right.h - small), text, replace(pen, align=Align.RIGHT))
    by = SOLVED() if rating.exact else title_of(shown, rating.game, rating.judge)
    below_it = joined((*grade, by), DOTTED)
    canvas.text(right.lower(small), below_it, Pen(Size.SMALL, DIM, align=Align.RIGHT))
