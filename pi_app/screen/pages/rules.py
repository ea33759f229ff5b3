"""The rules of a game in its sheet's own words, a leaf each, with the positions that show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pi_app.microseconds import ENDLESS
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Example, Side
from pi_app.screen.actions import Action, Close, Open
from pi_app.screen.boards.marks import Marks
from pi_app.screen.canvas import Canvas
from pi_app.screen.layout import sheet_bands
from pi_app.screen.pages.buttons import BACK, BACK_TO_MATCH, Choice, row_of_buttons
from pi_app.screen.pages.illustrated import (
    draw_heading,
    draw_illustrated,
    draw_words_alone,
    turning,
)
from pi_app.screen.pages.play_board import Thrown, draw_dice
from pi_app.screen.shapes import Rect
from pi_app.screen.theme import AMBER, TEAL, VERMILION
from pi_app.screen.ui import Page, Shown, Ui, chosen_game
from pi_app.words.sentences import Sentence

RULE_OF = Sentence("Rule {number} of {all}")
NUMBERED = Sentence("{number}. {rule}")


@dataclass(frozen=True, slots=True)
class RuleLeaf:
    """A rule by its number, and a position that shows it, if the sheet has one."""

    number: int
    example: Example | None


def read_game(shown: Shown, ui: Ui) -> AnyGame:
    """The game whose rules are read: that of the form when they were opened there."""
    if shown.view and ui.bookmark.after is None:
        return shown.board.games[shown.view.game]
    return chosen_game(ui.form, shown)


def leaves_of(game: AnyGame) -> tuple[RuleLeaf, ...]:
    """Every rule in its order, on a leaf for each position that shows it."""
    return tuple(_leaves(game))


def count_rules(shown: Shown, ui: Ui) -> int:
    return len(leaves_of(read_game(shown, ui)))


def _leaves(game: AnyGame) -> Iterator[RuleLeaf]:
    for number in range(1, len(game.sheet.rules) + 1):
        examples = [example for example in game.sheet.examples if example.number == number]
        yield from (RuleLeaf(number, example) for example in examples)
        if not examples:
            yield RuleLeaf(number, None)


def draw_rules(canvas: Canvas[Action], shown: Shown, ui: Ui) -> None:
    game, bands, mark = read_game(shown, ui), sheet_bands(canvas.size), ui.bookmark
    leaves, rules = leaves_of(game), game.sheet.rules
    leaf = leaves[min(mark.leaf, len(leaves) - 1)]
    draw_heading(canvas, bands.title, game.title, RULE_OF(number=leaf.number, all=len(rules)))
    text = NUMBERED(number=leaf.number, rule=rules[leaf.number - 1]())
    if leaf.example:
        colour = VERMILION if leaf.example.attempt else TEAL if leaf.example.play else AMBER
        place = draw_illustrated(canvas, bands.body, text, leaf.example.caption(), colour)
        draw_example(canvas, place, shown, game, leaf.example)
    else:
        draw_words_alone(canvas, bands.body, text)
    back = Choice(BACK_TO_MATCH() if shown.view else BACK(), Close())
    leave = Choice(BACK(), Open(mark.after)) if mark.after else back
    turns = turning(Page.RULES, mark, len(leaves), None)
    row_of_buttons(canvas, bands.buttons, (leave, *turns))


def draw_example(
    canvas: Canvas[Action], rect: Rect, shown: Shown, game: AnyGame, example: Example | None
) -> None:
    """The board of an example as the play page would draw it, or of the start."""
    position = game.read_position(example.position) if example else game.start(Side.WHITE)
    marks = example_marks(game, example, position)
    board, turned = shown.board_for(game.name), shown.turned
    drawn = shown.faces[game.name].draw(canvas, rect, board, marks, turned=turned)
    faces = example.roll if example else ""
    thrown = tuple(Thrown(int(face), game.mover(position)) for face in faces)
    draw_dice(canvas, drawn.dice, thrown, ENDLESS)


def example_marks(game: AnyGame, example: Example | None, position: Any) -> Marks:
    """An example: a finished play, or an attempt with its fault."""
    before, mover = game.checkers_at(position), game.mover(position)
    if example and example.play:
        play = game.read_play(position, example.play)
        after = game.checkers_at(game.after(position, play))
        return Marks(after, before, moves=game.moves(position, play), mover=mover)
    if example and example.attempt:
        moves = game.moves(position, game.read_play(position, example.attempt))
        ends = tuple(move.target for move in moves)
        return Marks(before, before, moves=moves, clear=ends, wrong=True, mover=mover)
    return Marks(before, before, mover=mover)
