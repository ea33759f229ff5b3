"""The form of a tournament match: each entry by taps, all of it by two buttons, what begins."""

from __future__ import annotations

from test_new_match import Filling
from views import measure

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.match.terms import FRIENDLY, PRESETS, AgreedDice, MatchTerms, PlayPolicy
from pi_app.referee.events import MachineSeat
from pi_app.rules.terms import Side
from pi_app.screen.actions import set_terms
from pi_app.screen.compose import KeyPress, compose, pressed
from pi_app.screen.pages.new_match import entries
from pi_app.screen.ui import Page, Ui
from pi_app.user.agreement import Form
from pi_app.user.commands import NewMatch


def filling(form: Form | None = None) -> Filling:
    at = Filling("nannon-6", Ui(Page.NEW_MATCH, form=form or Form()))
    at.taps("Tournament match")
    assert at.ui.page is Page.TOURNAMENT
    return at


def test_a_tap_on_the_preset_lays_down_what_clubs_play() -> None:
    at = filling()
    at.taps("Preset")
    assert at.ui.form.terms == PRESETS["club"]
    begun = at.begins()
    assert begun.options["clock"] == "delay"
    assert (begun.options["reserve_s"], begun.options["turn_s"]) == (120, 12)
    assert begun.options["locked"] is True


def test_every_entry_comes_round_again() -> None:
    for index in range(10):
        terms, seen = PRESETS["club"], list[MatchTerms]()
        while terms not in seen and len(seen) < 20:
            seen.append(terms)
            following = tuple(entries(terms))[index].following
            assert following
            terms = following
        label = tuple(entries(PRESETS["club"]))[index].label
        assert 2 <= len(seen) < 20, label


def test_without_a_clock_its_entries_are_of_no_use() -> None:
    at = filling()
    for label in ("Reserve", "Overtime", "Seconds a turn", "Reserve for"):
        before = at.ui
        at.taps(label)
        assert at.ui == before
    useful = [entry for entry in entries(FRIENDLY) if entry.following]
    assert len(useful) == 5


def test_responsible_moves_and_typed_dice_are_begun_with() -> None:
    at = filling()
    at.taps("Illegal plays")
    at.taps("Dice")
    at.taps("Dice")
    assert at.ui.form.terms.policy is PlayPolicy.RESPONSIBLE
    assert at.ui.form.terms.dice is AgreedDice.TYPED
    begun = at.begins()
    assert (begun.options["policy"], begun.options["dice"]) == ("responsible moves", "typed")


def test_what_cannot_be_is_left_out_of_the_match() -> None:
    """A clock without an end, and responsible moves against the machine."""
    terms = MatchTerms(PlayPolicy.RESPONSIBLE, clock=PRESETS["club"].clock)
    unlimited = filling(Form(match_to=None, terms=terms)).begins()
    assert "clock" not in unlimited.options
    assert unlimited.options["policy"] == "responsible moves"
    against = Form(terms=terms, machine=MachineSeat(Side.BLACK, "exact"))
    machine = filling(against).begins()
    assert "policy" not in machine.options
    assert machine.options["clock"] == "delay"


def test_two_buttons_are_enough() -> None:
    """From New match with page down and page up alone: the preset, and Begin."""
    at = Filling("nannon-6")
    outputs: tuple[object, ...] = ()
    wanted = ["Tournament match", "Preset", "Begin"]
    for _ in range(80):
        picture = compose(at.shown, at.ui, (800, 480), measure, ENDLESS)
        target = picture.target(*at.ui.focused) if at.ui.focused else None
        here = str(target.means) if target else ""
        key = "page up" if wanted and wanted[0] in here else "page down"
        at.ui, outputs = pressed(picture, KeyPress(key), at.ui, at.shown, ms(0))
        if key == "page up":
            wanted.pop(0)
        if outputs:
            break
    (begun,) = outputs
    assert isinstance(begun, NewMatch)
    assert begun.options["clock"] == "delay"


def test_escape_leads_back_to_the_new_match() -> None:
    at = filling()
    picture = compose(at.shown, at.ui, (800, 480), measure, ENDLESS)
    at.ui, _ = pressed(picture, KeyPress("escape"), at.ui, at.shown, ms(0))
    assert at.ui.page is Page.NEW_MATCH


def test_an_agreement_changes_nothing_but_the_form() -> None:
    at = filling()
    ui, outputs = set_terms(PRESETS["fast"]).act(at.ui, at.shown, ms(0))
    assert (ui.form.terms, ui.page, outputs) == (PRESETS["fast"], Page.TOURNAMENT, ())
