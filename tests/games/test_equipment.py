"""Nothing that a game needs is missing: its cases, a game as played, board, drawing and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from known import WITH_OUTSIDE, case_file, recorded_game
from views import measure

from pi_app.boards import load_board
from pi_app.games.all import ALL
from pi_app.games.equipment import Equipment
from pi_app.languages import load_language
from pi_app.rules.terms import Roll, Side
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks
from pi_app.screen.canvas import Canvas, Rect, Shape
from pi_app.screen.observability import Unseen
from pi_app.screen.ui import Page
from pi_app.sensing.description import Board
from pi_app.words.sentences import Said, Sentence

WHITE, GERMAN = Side.WHITE, load_language("de")
PLACE = Rect(0, 0, 600, 400)


def untested(name: str) -> list[str]:
    """The files that a game must have before it counts as tested."""
    return [file.name for file in (case_file(name), recorded_game(name)) if not file.is_file()]


def unserved(game: Equipment) -> list[str]:
    """The game, if its board does not serve it."""
    there = load_board(game.board, WITH_OUTSIDE.rules).games
    return [] if game.rules.name in there else [game.rules.name]


def undrawn(game: Equipment) -> list[str]:
    """The spots that the drawing leaves out."""
    rules = game.rules
    board, stands = (
        load_board(game.board, WITH_OUTSIDE.rules),
        rules.checkers_at(rules.start(WHITE)),
    )
    canvas: Canvas[Action] = Canvas((800, 480), measure)
    drawn = game.face.draw(canvas, PLACE, board, Marks(stands, stands), turned=False)
    return [str(spot) for spot in rules.spots if spot not in drawn.spots]


def marked(game: Equipment) -> dict[str, Marks]:
    """All that can be said about a play of the first roll, on the spots it goes from and to."""
    rules, board = game.rules, load_board(game.board, WITH_OUTSIDE.rules)
    start, roll = rules.start(WHITE), Roll.of(*(3, 1)[: rules.dice])
    play = rules.plays(start, roll)[0]
    stands, after = (rules.checkers_at(p) for p in (start, rules.after(start, play)))
    moves = rules.moves(start, play)
    spot = moves[-1].target
    plain = Marks(after, stands)
    off = {reed.name: Unseen.SET_ASIDE for place in board.places for reed in place.reeds}
    return {
        "nothing": plain,
        "taken away": Marks({**after, spot: ()}, after),
        "lifted": Marks({**after, spot: ()}, after, lifted=(spot,)),
        "targets": replace(plain, targets=(spot,)),
        "clear": replace(plain, clear=(spot,)),
        "arrows": replace(plain, moves=moves),
        "wrong arrows": replace(plain, moves=moves, wrong=True),
        "unseen": replace(plain, unseen=off),
    }


def alike(game: Equipment) -> list[str]:
    """Words about spots that do not affect the drawing."""
    board, seen = load_board(game.board, WITH_OUTSIDE.rules), dict[tuple[Shape, ...], str]()
    found = list[str]()
    for name, marks in marked(game).items():
        canvas: Canvas[Action] = Canvas((800, 480), measure)
        game.face.draw(canvas, PLACE, board, marks, turned=False)
        same = seen.setdefault(canvas.picture(Page.PLAY).shapes, name)
        found += [f"{name} as {same}"] if same != name else []
    return found


def without_warnings(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """A drawing that does not say what is wrong."""
    calm = replace(marks, clear=(), wrong=False)
    return ALL.games[0].face.draw(canvas, rect, board, calm, turned=turned)


def without_trays(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """A drawing that forgets what has no sensors."""
    drawn = ALL.games[0].face.draw(canvas, rect, board, marks, turned=turned)
    return replace(drawn, spots={s: place for s, place in drawn.spots.items() if not s.side})


def words(game: Equipment) -> Iterator[Said]:
    """The game's sentences."""
    yield game.face.editing.how()
    yield from (rule() for rule in game.rules.sheet.rules)
    yield from (rule.sentence for rule in game.rules.rules)
    yield from (option.label() for option in game.rules.options)


def untranslated(game: Equipment) -> list[str]:
    return [str(word) for word in words(game) if GERMAN.say(word) == word]


def named(games: tuple[Equipment, ...]) -> list[object]:
    return [pytest.param(game, id=game.rules.name) for game in games]


@pytest.mark.parametrize("game", named(WITH_OUTSIDE.games))
def test_every_game_has_its_cases_a_board_and_a_drawing_of_all_spots(game: Equipment) -> None:
    assert untested(game.rules.name) == []
    assert unserved(game) == []
    assert undrawn(game) == []
    assert alike(game) == []


@pytest.mark.parametrize("game", named(ALL.games))
def test_every_game_is_said_in_every_language(game: Equipment) -> None:
    assert untranslated(game) == []


def test_a_game_without_them_would_be_noticed() -> None:
    assert untested("ludo") == ["cases.jsonl", "played.txt"]
    row = ALL.games[0]
    assert unserved(replace(row, board="tables-24")) == [row.rules.name]
    assert undrawn(replace(row, face=replace(row.face, draw=without_trays))) == [
        *("home.white", "home.black", "safety.white", "safety.black")
    ]
    assert alike(replace(row, face=replace(row.face, draw=without_warnings))) == [
        "clear as nothing",
        "wrong arrows as arrows",
    ]
    silent = replace(row.face.editing, how=Sentence("Nobody has said this in German yet."))
    assert untranslated(replace(row, face=replace(row.face, editing=silent))) == [
        "Nobody has said this in German yet."
    ]
