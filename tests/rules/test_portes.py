"""Portes: where it is not backgammon."""

import pytest
from tables_words import explained, plays

from pi_app.rules.contract import Opening
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.tables.portes import PORTES as GAME
from pi_app.rules.terms import Outcome, PositionError, Roll, Side

WHITE, BLACK = Side.WHITE, Side.BLACK


def test_the_higher_die_rolls_afresh_and_the_last_winner_begins() -> None:
    assert GAME.opening is Opening.HIGHER_ROLLS_AFRESH
    assert GAME.previous_winner_starts
    assert not GAME.has_cube


def test_it_starts_as_backgammon() -> None:
    assert GAME.start(WHITE) == BACKGAMMON.start(WHITE)
    assert len(GAME.results(GAME.start(WHITE), Roll.of(3, 1))) == 16


def test_some_enter_and_the_rest_of_the_turn_is_given_up() -> None:
    assert plays(GAME, "-b----E-C---eE---c-e-----B w", "61") == {"bar/24"}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("-b----E-C---eE---c-e----B- w", None),
        ("-n------------------------ b", Outcome(WHITE, 1, "win")),
        ("-o------------------------ b", Outcome(WHITE, 2, "double win")),
        ("o------------------------- b", Outcome(WHITE, 2, "double win")),
        ("-------------------------O w", Outcome(BLACK, 2, "double win")),
        ("-------------------------A w", Outcome(BLACK, 1, "win")),
    ],
)
def test_one_point_or_two_and_never_three(text: str, outcome: Outcome | None) -> None:
    assert GAME.outcome(GAME.read_position(text)) == outcome


def test_its_rules_cite_its_own_sheet() -> None:
    assert {rule.source.split(",")[0] for rule in GAME.rules} == {"Portes as played in Greece"}
    assert {rule.identifier for rule in GAME.rules} == {
        rule.identifier for rule in BACKGAMMON.rules
    }
    broken = explained(GAME, "-b----E-C---eE---c-e----B- w", "52", "24 17")
    assert broken is not None
    assert broken.rule in GAME.rules


def test_it_has_no_position_id_of_another_program() -> None:
    assert "ID" not in GAME.draw(GAME.start(WHITE))
    with pytest.raises(PositionError, match="write 26"):
        GAME.read_position("4HPwATDgc/ABMA")
