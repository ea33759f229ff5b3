"""Nothing that a game needs is missing: its cases, a game as played, board, drawing and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from known import case_file, recorded_game
from three_in_a_row import WITH_ONE_MORE
from views import measure

from pi_app.boards import load_board
from pi_app.games.all import ALL
from pi_app.games.equipment import Equipment
from pi_app.languages import load_language
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Drawn, Marks
from pi_app.screen.canvas import Canvas
from pi_app.screen.shapes import Rect
from pi_app.sensing.description import Board
from pi_app.sentences import Said, Sentence

WHITE, GERMAN = Side.WHITE, load_language("de")
PLACE = Rect(0, 0, 600, 400)


def untested(name: str) -> list[str]:
    """The files that a game must have before it counts as tested."""
    return [file.name for file in (case_file(name), recorded_game(name)) if not file.is_file()]


def unserved(game: Equipment) -> list[str]:
    """The game, if its board does not serve it."""
    there = load_board(game.board, WITH_ONE_MORE.rules).games
    return [] if game.rules.name in there else [game.rules.name]


def undrawn(game: Equipment) -> list[str]:
    """The spots that the drawing leaves out."""
    rules = game.rules
    board, stands = (
        load_board(game.board, WITH_ONE_MORE.rules),
        rules.checkers_at(rules.start(WHITE)),
    )
    canvas: Canvas[Action] = Canvas((800, 480), measure)
    drawn = game.face.draw(canvas, PLACE, board, Marks(stands, stands), turned=False)
    return [str(spot) for spot in rules.spots if spot not in drawn.spots]


def without_trays(
    canvas: Canvas[Action], rect: Rect, board: Board, marks: Marks, *, turned: bool
) -> Drawn:
    """A drawing that forgets what has no sensors."""
    drawn = ALL.games[0].face.draw(canvas, rect, board, marks, turned=turned)
    return replace(drawn, spots={s: place for s, place in drawn.spots.items() if not s.side})


def words(game: Equipment) -> Iterator[Said]:
    """What the game says in whole sentences."""
    yield game.face.editing.how()
    yield from (rule() for rule in game.rules.sheet.rules)
    yield from (rule.sentence for rule in game.rules.rules)
    yield from (option.label() for option in game.rules.options)


def untranslated(game: Equipment) -> list[str]:
    return [str(word) for word in words(game) if GERMAN.say(word) == word]


def named(games: tuple[Equipment, ...]) -> list[object]:
    return [pytest.param(game, id=game.rules.name) for game in games]


@pytest.mark.parametrize("game", named(WITH_ONE_MORE.games))
def test_every_game_has_its_cases_a_board_and_a_drawing_of_all_spots(game: Equipment) -> None:
    assert untested(game.rules.name) == []
    assert unserved(game) == []
    assert undrawn(game) == []


@pytest.mark.parametrize("game", named(ALL.games))
def test_every_game_is_said_in_every_language(game: Equipment) -> None:
    assert untranslated(game) == []


def test_a_game_without_them_would_be_noticed() -> None:
    assert untested("ludo") == ["ludo.jsonl", "ludo.txt"]
    row = ALL.games[0]
    assert unserved(replace(row, board="tables-24")) == [row.rules.name]
    assert undrawn(replace(row, face=replace(row.face, draw=without_trays))) == [
        *("home.white", "home.black", "safety.white", "safety.black")
    ]
    silent = replace(row.face.editing, how=Sentence("Nobody has said this in German yet."))
    assert untranslated(replace(row, face=replace(row.face, editing=silent))) == [
        "Nobody has said this in German yet."
    ]
