"""Touches on a picture that no longer is what is so: what has gone does nothing, nothing breaks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known import BOARDS, FACES, GAMES, find_game, load_board
from scenes import scenes
from shares import SEED, one_in
from views import make_view, measure

from pi_app.app.session import Session
from pi_app.base.microseconds import Us, ms
from pi_app.devices.dice import Dice
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, Picture, Rolled, Start, Tap, Tick
from pi_app.rules.terms import Side, read_roll
from pi_app.screen import canvas
from pi_app.screen.actions import Action, begin_match, change_order, intend, toggle, type_die
from pi_app.screen.compose import (
    CHOOSE,
    STEPS,
    WAYS,
    FingerDown,
    KeyPress,
    compose,
    pressed,
    touched,
)
from pi_app.screen.ui import Page, Shown, Ui, see
from pi_app.user.agreement import CRAWFORD, CUBE, Form
from pi_app.user.commands import ChangeSetting, NewMatch
from pi_app.user.settings import SETTINGS, Settings

SIZE = (800, 480)
PLAYED_ON = {game: load_board(board) for game, board in BOARDS.items()}
KEYS = ("space", "return", "escape", "backspace", "f11", "hold d", "", *STEPS, *WAYS, *CHOOSE)
NANNON = Shown(PLAYED_ON["nannon"], FACES)
MS = ms(1234)
SHARE = one_in(8)


def picture_of(shown: Shown, ui: Ui) -> canvas.Drawing[Action]:
    return compose(shown, ui, SIZE, measure, ms(0))


def touch_on(picture: canvas.Drawing[Action], action: Action) -> FingerDown:
    (place,) = {target.rect for target in picture.targets if target.action == action}
    return FingerDown(*place.centre)


def test_another_match_that_begins_leaves_nothing_of_what_was_described_for_the_last() -> None:
    """A match with another board begins by itself, and the same people may play it."""
    shown, ui = scenes()["backgammon-moving editor"]
    assert shown.view
    ui = see(ui, shown.view, MS)
    described = replace(ui, page=Page.EDITOR, edit=scenes()["backgammon-moving editor"][1].edit)
    other = make_view(players=shown.view.players)
    after = see(described, other, MS)
    assert (after.page, after.edit) == (Page.PLAY, None)
    assert picture_of(replace(NANNON, view=other), after).page is Page.PLAY


# Two touches before a redraw ----------------------------------------------------------------


def test_the_crawford_rule_after_unlimited_does_nothing() -> None:
    ui = Ui(Page.NEW_MATCH, form=Form(match_to=7))
    seen = picture_of(NANNON, ui)
    endless = replace(ui, form=Form(match_to=None))
    assert touched(seen, touch_on(seen, toggle(CRAWFORD)), endless, NANNON, MS) == (endless, ())


def test_the_cube_after_portes_does_nothing() -> None:
    shown = Shown(PLAYED_ON["portes"], FACES)
    ui = Ui(Page.NEW_MATCH, form=Form(game="backgammon"))
    seen = picture_of(shown, ui)
    portes = replace(ui, form=Form(game="portes"))
    assert touched(seen, touch_on(seen, toggle(CUBE)), portes, shown, MS) == (portes, ())


def test_the_order_of_a_series_after_a_single_game_does_nothing() -> None:
    shown = Shown(PLAYED_ON["portes"], FACES)
    ui = Ui(Page.NEW_MATCH, form=Form(game="tavli"))
    seen = picture_of(shown, ui)
    single = replace(ui, form=Form(game="backgammon"))
    assert touched(seen, touch_on(seen, change_order()), single, shown, MS) == (single, ())


def test_a_page_that_was_left_cannot_be_touched() -> None:
    ui = Ui(Page.NEW_MATCH)
    seen = picture_of(NANNON, ui)
    left = replace(ui, page=Page.START)
    assert touched(seen, touch_on(seen, begin_match()), left, NANNON, MS) == (left, ())


@pytest.mark.parametrize(
    "gone",
    [
        intend(Act.CHOOSE, play="2/4"),
        intend(Act.RESIGN, points=3),
        intend(Act.NEXT_GAME),
        intend(Act.TAKE),
        type_die(4),
    ],
)
def test_what_the_match_no_longer_offers_does_nothing(gone: Action) -> None:
    shown = Shown(PLAYED_ON["nannon"], FACES, make_view(), Settings().changed("play.dice", "typed"))
    assert gone.act(Ui(Page.PLAY), shown, MS) == (Ui(Page.PLAY), ())


def test_a_half_typed_roll_is_forgotten_when_another_number_of_dice_is_thrown() -> None:
    half = Ui(Page.PLAY, dice=(3,), match=("nannon", "Ada", "Ben"))
    assert see(half, make_view(phase=Phase.OPENING_THROW, roll=None), ms(0)).dice == ()


def test_a_half_typed_roll_is_no_part_of_an_opening_throw_that_is_typed_again() -> None:
    view = make_view(phase=Phase.OPENING_THROW, roll=None, changing=True)
    shown = Shown(PLAYED_ON["nannon"], FACES, view)
    _, (rolled,) = type_die(4).act(Ui(Page.PLAY, dice=(3,)), shown, MS)
    assert isinstance(rolled, Rolled)
    assert str(rolled.dice) == "4"


@pytest.mark.slow
def test_every_action_of_every_page_can_meet_every_state() -> None:
    """Whatever was touched, and whatever has become of it since: each action in a share of the
    states."""
    every = [(shown, see(ui, shown.view, ms(0))) for shown, ui in scenes().values()]
    actions = {
        repr(target.action): target.action
        for shown, ui in every
        for target in picture_of(shown, ui).targets
    }
    assert len(actions) > 250
    for number, (shown, ui) in enumerate(every):
        for action in [*actions.values()][(SEED + number) % SHARE :: SHARE]:
            after, _ = action.act(ui, shown, MS)
            assert after is ui or see(after, shown.view, ms(0))


# Any touches at all -------------------------------------------------------------------------


class DicePlayer:
    """Someone who touches and types without looking, before a match and in it."""

    def __init__(self, game: str, dice: str) -> None:
        self.board = PLAYED_ON[game]
        self.settings = Settings().changed("play.dice", dice)
        self.session: Session | None = None
        self.ui = Ui(form=Form(game=game))
        self.seen: list[canvas.Drawing[Action]] = []
        self.now_ms = 0
        self.draw()

    @property
    def shown(self) -> Shown:
        view = self.session.view if self.session else None
        return Shown(self.board, FACES, view, self.settings, resumable="Ada 3 – 5 Ben")

    def draw(self) -> None:
        """The screen is drawn; the last pictures are remembered."""
        self.ui = see(self.ui, self.shown.view, ms(self.now_ms))
        self.seen = [*self.seen[-2:], picture_of(self.shown, self.ui)]

    def touch(self, ago: int, which: int) -> None:
        """One of the places of a picture, of the last drawn or an older one."""
        picture = self.seen[-1 - ago % len(self.seen)]
        target = picture.targets[which % len(picture.targets)]
        touch = FingerDown(*target.rect.centre)
        self.obey(*touched(picture, touch, self.ui, self.shown, self.later()))

    def key(self, name: str, text: str) -> None:
        key = KeyPress(name, text)
        self.obey(*pressed(self.seen[-1], key, self.ui, self.shown, self.later()))

    def obey(self, ui: Ui, outputs: tuple[Any, ...]) -> None:
        """Pass the results of a touch to the session, like the program."""
        self.ui = ui
        for output in outputs:
            match output:
                case NewMatch(game=game, players=players, match_to=points, options=options):
                    board = ALL.boards[game]
                    start = Start(ms(self.now_ms), game, board, points, players, options)
                    types = frozenset(side for side in Side if self.settings.play.types(side))
                    self.session = Session(self.board, start, None, Dice(random.Random(1)), types)
                case ChangeSetting(setting=setting, value=value):
                    self.settings = self.settings.changed(setting, value)
                case Tap() | Button() | Rolled() if self.session:
                    self.session.handle(output)

    def hands(self, which: int) -> None:
        """The board as it begins, as a legal play leaves it, or as a child leaves it."""
        if not self.session:
            return
        view, game = self.session.view, find_game(self.session.view.game)
        position = game.read_position(view.position)
        roll = read_roll(view.roll or "", game.dice) if view.roll else None
        plays = game.plays(position, roll) if roll and view.phase is Phase.MOVING else ()
        if which % 3 == 0 and plays:
            position = game.after(position, plays[which % len(plays)])
        closed = self.board.closed_by(game.checkers_at(position))
        if which % 3 == 1:
            closed ^= set(random.Random(which).sample(self.board.sensors, 3))
        self.session.handle(Picture(self.later(), closed))
        self.now_ms += 3000
        self.session.handle(Tick(self.later()))

    def later(self) -> Us:
        self.now_ms += 50
        return ms(self.now_ms)

    def acts(self, chance: random.Random) -> None:
        """One of all these."""
        match chance.choice(("touch", "touch", "touch", "key", "draw", "hands")):
            case "touch":
                self.touch(chance.randrange(3), chance.randrange(1000))
            case "key":
                self.key(chance.choice(KEYS), chance.choice(("", "3", "6", "ä", "\t")))
            case "draw":
                self.draw()
            case _:
                self.hands(chance.randrange(1000))


@settings(max_examples=100 // one_in(8))
@given(
    st.sampled_from(sorted(GAMES)),
    st.sampled_from(sorted(SETTINGS["play.dice"].choices)),
    st.booleans(),
    st.sampled_from(Page),
    st.integers(0, 2**32),
)
def test_no_touches_and_keys_break_anything(
    game: str, dice: str, begun: bool, page: Page, seed: int
) -> None:
    player, chance = DicePlayer(game, dice), random.Random(seed)
    if begun:
        begin = begin_match().act(Ui(Page.NEW_MATCH, player.ui.form), player.shown, MS)
        player.obey(player.ui, begin[1])
        player.hands(2)
        player.draw()
    player.ui = replace(player.ui, page=page)
    for _ in range(120):
        player.acts(chance)
