"""Practice on the screen: puzzles that come with Spotter, each answered by a tap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pi_app.base.microseconds import ENDLESS
from pi_app.base.values import dataclass
from pi_app.coach.practice import Puzzle, PuzzleKind
from pi_app.match.acts import Act
from pi_app.match.origin import Problem, read_problem
from pi_app.match.turns import Phase
from pi_app.referee.view import SECOND, TableDie
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import name_roll
from pi_app.rules.terms import Side
from pi_app.screen import icons
from pi_app.screen.actions import (
    Screen,
    answer_puzzle,
    begin_quiz,
    begin_training,
    close,
    next_puzzle,
    open_page,
    show_training,
)
from pi_app.screen.boards.marks import Marks
from pi_app.screen.canvas import BUTTON, MARGIN, SEAM, Align, Look, Pen, Rect, Size
from pi_app.screen.pages.coach import DID, DUE
from pi_app.screen.pages.parts import (
    BACK,
    BACK_TO_MATCH,
    Choice,
    column_of_buttons,
    draw_around,
    places_upwards,
)
from pi_app.screen.pages.places import play_places
from pi_app.screen.pages.play import draw_dice, draw_offer
from pi_app.screen.pages.start import TRAIN
from pi_app.screen.theme import DIM, INK, IVORY, TEAL, VERMILION
from pi_app.screen.ui import Page, Quiz, Shown, Ui, due_count, puzzles_of
from pi_app.words.numbers import decimal
from pi_app.words.sentences import Sentence, paragraph

YOUR_ERRORS = Sentence("Your errors")
KINDS: Mapping[PuzzleKind, Sentence] = {
    PuzzleKind.OPENING: Sentence("Opening rolls"),
    PuzzleKind.PLAY: Sentence("Best play"),
    PuzzleKind.BEAR_OFF: Sentence("Bearing off"),
    PuzzleKind.TAKE: Sentence("Take or pass"),
    PuzzleKind.PIPS: Sentence("Pip count"),
}
WHICH_PLAY = Sentence("White rolled {roll}. Which play is best?")
TAKE_OR_PASS = Sentence("Unlimited game: Black doubles to 2. Take or pass?")
DOUBLED_TO = 2
HOW_MANY = Sentence("How many pips has White to go?")
RIGHT = Sentence("Right.")
WRONG = Sentence("Best: {best}.")
NEARLY, WRONG_BY = Sentence("Right (−{amount})."), Sentence("Best: {best} (−{amount}).")
IN_SECONDS = Sentence("{n}\u00a0s.")
TOO_SLOW = Sentence("{n}\u00a0s; aim at\u00a0{aim}.")
SO_FAR = Sentence("{right}\u00a0of\u00a0{asked} right.")
NEXT_ONE = Sentence("Next")
ON_THE_BOARD = Sentence("On the board")
AIM_S = 20
"""Seconds for an answer."""


def draw_practice(canvas: Screen, shown: Shown, _: Ui) -> None:
    """Draw a button for each kind of puzzle, and one for the errors of matches."""
    back = Choice(BACK_TO_MATCH() if shown.view else BACK(), close(), icon=icons.back)
    ready = due_count(shown)
    body = draw_around(canvas, TRAIN(), DUE(n=ready) if ready else "", (back,))
    errors = Choice(YOUR_ERRORS(), show_training(), Look.MAIN if ready else Look.PLAIN)
    kinds = (kind for kind in PuzzleKind if puzzles_of(shown, kind))
    puzzles = (Choice(KINDS[kind](), begin_quiz(kind)) for kind in kinds)
    column_of_buttons(canvas, body, (errors, *puzzles))


@dataclass(frozen=True, slots=True)
class _PuzzlePlaces:
    """The places on the page; on a wide screen everything else is beside the board."""

    title: Rect
    board: Rect
    words: Rect
    answers: tuple[Rect, ...]
    buttons: tuple[Rect, ...]


def draw_puzzle(canvas: Screen, shown: Shown, ui: Ui) -> None:
    """Draw a position, the question, and the possible answers; after an answer what it costs."""
    quiz = ui.quiz
    some = puzzles_of(shown, quiz.kind) if quiz else ()
    if quiz is None or not some:
        draw_practice(canvas, shown, ui)
        return
    puzzle = some[quiz.place % len(some)]
    problem = read_problem(puzzle.position, shown.games)
    game = shown.games[problem.game]
    ways = tuple(_ways(shown, puzzle, quiz, game))
    bands = _bands(canvas, tuple(way.label for way in ways), len(puzzle.answers))
    canvas.text(bands.title, KINDS[puzzle.kind](), Pen(Size.HEAD, IVORY, bold=True, lines=2))
    _position(canvas, bands.board, shown, game, problem, puzzle, quiz)
    asked = paragraph(_question(puzzle.kind, problem), IN_SECONDS(n=quiz.took // SECOND))
    words = _verdict(puzzle, quiz) if quiz.answer else asked
    canvas.text(canvas.card(bands.words, 4), words, Pen(Size.TEXT, IVORY, lines=9))
    for place, answer in zip(bands.answers, sorted(puzzle.answers, key=_order), strict=False):
        _answer(canvas, place, puzzle, quiz, answer)
    for place, way in zip(bands.buttons, ways, strict=True):
        canvas.button(place, way.label, way.action, way.look)


def _ways(shown: Shown, puzzle: Puzzle, quiz: Quiz, game: AnyGame) -> Iterator[Choice]:
    yield Choice(BACK(), open_page(Page.PRACTICE))
    plays = shown.view is not None and shown.view.phase is not Phase.MATCH_OVER
    if puzzle.kind is not PuzzleKind.PIPS:
        name = next(iter(shown.shelf.names), game.side_names[0])
        train = None if plays else begin_training(name, puzzle.position)
        yield Choice(ON_THE_BOARD(), train)
    yield Choice(NEXT_ONE(), next_puzzle() if quiz.answer else None, Look.MAIN)


def _bands(canvas: Screen, labels: tuple[str, ...], answers: int) -> _PuzzlePlaces:
    """Return the places; the words get what the board, the answers and the buttons leave."""
    seam, high = canvas.px(SEAM), canvas.px(BUTTON)
    title = canvas.high(Size.HEAD)
    if canvas.upright:
        room = Rect(0, 0, *canvas.size).inset(canvas.px(MARGIN))
        buttons = places_upwards(canvas, room, labels)
        upper = room.upper(buttons[0].y - seam - room.y)
        words = canvas.high(*(Size.TEXT,) * 3) + canvas.px(8)
        rows = -(-answers // 2)
        below = rows * high + (rows - 1) * seam
        rest = upper.h - title - words - below - 3 * seam
        head, board, said, some = upper.rows((title, rest, words, below), seam)
        return _PuzzlePlaces(head, board, said, some.grid(2, rows, seam), buttons)
    places = play_places(canvas.size, large=canvas.large)
    buttons = places_upwards(canvas, places.column, labels)
    upper = places.column.upper(buttons[0].y - seam - places.column.y)
    columns = 2 if canvas.large else 1
    rows = -(-answers // columns)
    below = rows * high + (rows - 1) * seam
    head, said, some = upper.rows((title, upper.h - title - below - 2 * seam, below), seam)
    return _PuzzlePlaces(head, places.board, said, some.grid(columns, rows, seam), buttons)


def _question(kind: PuzzleKind, problem: Problem) -> str:
    if kind is PuzzleKind.PIPS:
        return HOW_MANY()
    if kind is PuzzleKind.TAKE:
        return TAKE_OR_PASS()
    return WHICH_PLAY(roll=name_roll(problem.roll))


def _verdict(puzzle: Puzzle, quiz: Quiz) -> str:
    """Whether the answer was right, what it cost, and how long it took."""
    seconds = max(1, quiz.took // SECOND)
    lost = puzzle.cost(quiz.answer) if puzzle.kind is not PuzzleKind.PIPS else 0
    best, amount = _named(puzzle.best), decimal(lost, 3)
    if puzzle.is_right(quiz.answer):
        told = NEARLY(amount=amount) if lost else RIGHT()
    else:
        told = WRONG_BY(best=best, amount=amount) if lost else WRONG(best=best)
    took = TOO_SLOW(n=seconds, aim=AIM_S) if seconds > AIM_S else IN_SECONDS(n=seconds)
    score = SO_FAR(right=quiz.right, asked=quiz.asked)
    return paragraph(told, took, score)


def _named(answer: str) -> str:
    acts = {act.value: words for act, words in DID.items()}
    return acts[answer]() if answer in acts else answer


def _order(answer: str) -> tuple[bool, int, str]:
    """The order of the buttons, which does not give the best one away: take before pass, numbers
    by size, plays by their text."""
    number = int(answer) if answer.isdecimal() else 0
    return answer == Act.PASS.value, number, answer


def _answer(canvas: Screen, rect: Rect, puzzle: Puzzle, quiz: Quiz, answer: str) -> None:
    best = bool(quiz.answer) and answer == puzzle.best
    open_yet = not quiz.answer
    look = Look.MAIN if best else Look.PLAIN if open_yet or answer == quiz.answer else Look.DIMMED
    canvas.frame(rect, look)
    if answer == quiz.answer and not best:
        canvas.stripe(rect, TEAL if puzzle.is_right(answer) else VERMILION)
    ink = INK if best else DIM if look is Look.DIMMED else IVORY
    pen = Pen(Size.TEXT, ink, bold=True, align=Align.CENTRE, lines=2)
    canvas.text(rect.inset(canvas.px(10), canvas.px(2)), _named(answer), pen)
    if open_yet:
        canvas.touch(rect, answer_puzzle(answer), _named(answer))


def _position(
    canvas: Screen,
    rect: Rect,
    shown: Shown,
    game: AnyGame,
    problem: Problem,
    puzzle: Puzzle,
    quiz: Quiz,
) -> None:
    """Draw the position with its dice or cube; after the answer arrows show the best play."""
    position = game.read_position(problem.position)
    standing = game.checkers_at(position)
    is_play = puzzle.kind not in (PuzzleKind.TAKE, PuzzleKind.PIPS)
    moves = game.moves(position, game.read_play(position, puzzle.best)) if is_play else ()
    marks = Marks(
        standing,
        standing,
        moves=moves if quiz.answer else (),
        mover=Side.WHITE,
    )
    board = shown.board_for(game.name)
    drawn = shown.faces[game.name].draw(canvas, rect, board, marks, turned=shown.turned)
    if puzzle.kind is PuzzleKind.TAKE:
        draw_offer(canvas, drawn.dice, DOUBLED_TO)
    dice = tuple(TableDie(int(face), Side.WHITE) for face in problem.roll)
    draw_dice(canvas, drawn.dice, dice, ENDLESS)
