"""The start page: who plays, each as last time with one tap."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from known import BOARDS, FACES, load_board
from shelves import line_of
from views import measure

from pi_app.base.microseconds import ms
from pi_app.games.all import ALL
from pi_app.match.terms import FRIENDLY, PRESETS
from pi_app.referee.events import MachineSeat, Start
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Drawing, Target, Text
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.ui import EMPTY_SHELF, Page, Shelf, Shown, Ui
from pi_app.user.agreement import Form, form_of, new_match
from pi_app.user.commands import NewMatch, Resume

NOW, SIZE = ms(5), (800, 480)
CASUAL = MachineSeat(Side.BLACK, "casual")
FAMILY = Form(("Ada", "Ben"), 5, {"crawford": False}, "backgammon", terms=PRESETS["club"])
ALONE = Form(("Mia", ""), 3, game="portes", machine=CASUAL)


@dataclass
class Visitor:
    """Somebody at the start page; `taps` are counted."""

    shelf: Shelf = EMPTY_SHELF
    resumable: str | None = None
    notes: tuple[str, ...] = ()
    ui: Ui = field(default_factory=Ui)
    taps: int = 0

    @property
    def shown(self) -> Shown:
        board = load_board("tables-24")
        known = replace(Shown(board, FACES), shelf=self.shelf, rivals=ALL.rivals)
        return replace(known, resumable=self.resumable, notices=self.notes)

    @property
    def words(self) -> str:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        return " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))

    def tap(self, label: str) -> tuple[object, ...]:
        picture = compose(self.shown, self.ui, SIZE, measure, ms(0))
        (place,) = (
            target.rect for target in picture.targets if _begins(_words_in(picture, target), label)
        )
        self.taps += 1
        touch = FingerDown(*place.centre)
        self.ui, outputs = touched(picture, touch, self.ui, self.shown, NOW)
        return outputs


def _words_in(picture: Drawing[Action], target: Target[Action]) -> str:
    texts = (shape for shape in picture.shapes if isinstance(shape, Text))
    return " ".join(text.text for text in texts if target.rect.contains(*text.rect.centre))


def _begins(words: str, label: str) -> bool:
    return f"{words} ".startswith(f"{label} ")


def kept(*forms: Form) -> Shelf:
    """Matches of these forms, the latest first."""
    return Shelf(tuple(line_of(form.game, form=form, over=True) for form in forms))


@pytest.mark.parametrize(
    ("card", "form", "note"),
    [
        ("Two players", FAMILY, "Ada – Ben · Backgammon · 5-point match"),
        ("Against Spotter", ALONE, "Casual · Portes · 3-point match"),
    ],
)
def test_a_match_begins_as_last_time_with_one_tap(card: str, form: Form, note: str) -> None:
    visitor = Visitor(kept(ALONE, FAMILY, replace(FAMILY, match_to=21)))
    assert note in visitor.words
    game = visitor.shown.games.matches[form.game]
    assert visitor.tap(card) == (new_match(form, game),)


def test_a_childs_first_game_against_the_weakest_level_takes_two_taps() -> None:
    visitor = Visitor()
    assert visitor.tap("Against Spotter") == ()
    (match,) = visitor.tap("Begin")
    assert isinstance(match, NewMatch)
    assert MachineSeat(Side.BLACK, "child").options.items() <= match.options.items()
    assert visitor.taps == 2


def test_a_child_plays_after_an_expert_with_three_taps() -> None:
    expert = replace(ALONE, machine=MachineSeat(Side.BLACK, "network-2"))
    visitor = Visitor(kept(expert, FAMILY))
    for label in ("Opponents", "Child"):
        assert visitor.tap(label) == ()
    (match,) = visitor.tap("Begin")
    assert isinstance(match, NewMatch)
    assert match.options["machine player"] == "child"
    assert (match.game, match.match_to, visitor.taps) == ("portes", 3, 3)


def test_what_does_not_work_stands_where_the_board_is_named() -> None:
    well = Visitor()
    assert f"{well.shown.board.title} · sees your moves" in well.words
    assert "!" not in well.words
    silent = Visitor(notes=("no sound", "the disk is full"))
    assert "! no sound · the disk is full" in silent.words
    assert "sees your moves" not in silent.words


def test_a_first_match_of_two_players_opens_its_page() -> None:
    visitor = Visitor()
    assert visitor.tap("Two players") == ()
    assert visitor.ui.page is Page.NEW_MATCH


def test_the_match_that_is_not_over_is_resumed_with_one_tap() -> None:
    visitor = Visitor(kept(FAMILY), resumable="Ada 1 – 0 Ben")
    assert visitor.tap("Resume Ada 1 – 0 Ben") == (Resume(),)


def test_new_match_is_filled_in_as_last_time() -> None:
    visitor = Visitor(kept(ALONE, FAMILY))
    visitor.tap("New match")
    assert visitor.ui.form == ALONE
    (match,) = visitor.tap("Begin")
    assert match == new_match(ALONE, visitor.shown.games.matches["portes"])


def test_a_form_that_was_begun_is_not_filled_in_again() -> None:
    visitor = Visitor(kept(FAMILY))
    visitor.tap("New match")
    for label in ("7", "Back", "New match"):
        visitor.tap(label)
    assert visitor.ui.form == replace(FAMILY, match_to=7)


def test_a_game_of_another_board_is_not_offered() -> None:
    visitor = Visitor(kept(Form(("Ada", "Ben"), 5, game="nannon"), FAMILY))
    assert "Backgammon · 5-point match" in visitor.words
    assert "Nannon" not in visitor.words


@pytest.mark.parametrize("form", [FAMILY, ALONE, Form(("", "Ben"), None, game="pin")])
def test_a_stored_match_gives_the_form_of_another_one_like_it(form: Form) -> None:
    begun = new_match(form, ALL.rules.match(form.game))
    board = BOARDS[form.game]
    given = Start(ms(0), begun.game, board, begun.match_to, begun.players, begun.options)
    again = form_of(given, ALL.rules)
    assert again
    assert new_match(again, ALL.rules.match(form.game)) == begun
    assert (again.players, again.machine, again.terms) == (form.players, form.machine, form.terms)


def test_an_imported_or_unreadable_match_gives_no_form() -> None:
    start = Start(ms(0), "backgammon", "tables-24", 5, ("Ada", "Ben"), {"imported": "a.mat"})
    assert form_of(start, ALL.rules) is None
    assert form_of(replace(start, options={}, game="chess"), ALL.rules) is None
    assert form_of(replace(start, options={"terms": True}), ALL.rules) is None
    usual = form_of(replace(start, options={}), ALL.rules)
    assert usual == Form(("Ada", "Ben"), 5, game="backgammon", terms=FRIENDLY)
