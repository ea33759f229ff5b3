"""Whole matches with real dice: hands at the reeds, and a finger that types what the dice show.

What the finger touches is looked up in the picture that the screen composes of the view.  The die
button is pressed only where the screen has nothing to touch: to insist on what the reeds missed.
"""

from __future__ import annotations

import random

import pytest
from known import FACES, find_game, load_board
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from lab.people import Temper
from shares import paired, some
from views import SIZE, measure

from pi_app.boards import board_names
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Event, Rolled, RollSource
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action, intend, press_button, type_die, types_now
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.ui import Page, Shown, Ui, see
from pi_app.sensing.noise import ILLEGAL, PUBLISHED, Noise
from pi_app.simulator.reeds import read_faults
from pi_app.user.commands import Output
from pi_app.user.settings import Settings

CALM = Temper(double=0, resign=0, blind=0)
BESIDE_THE_PLAY = (
    *(Noise.EARLY_PRESS, Noise.IDLE_PRESS, Noise.DOUBLE_PRESS),
    *(Noise.MOVED_EARLY, Noise.BEFORE_ROLL, Noise.TAKEBACK),
)
PATIENT = PUBLISHED.but(dict.fromkeys((*ILLEGAL, *BESIDE_THE_PLAY), 0.0))
BOARDS = {name: load_board(name) for name in board_names()}
GAMES_ON_BOARDS = [(game, name) for name, board in BOARDS.items() for game in board.games]


def calm(game: str, board: str, match_to: int) -> Plan:
    faults = read_faults("none", BOARDS[board])
    return Plan(BOARDS[board], board, game, match_to, faults, temper=CALM, noise=PATIENT)


class TypedTable(MatchByHands):
    """A match by touches; `dice` is the setting that says who types, `rolls` is what was typed."""

    def __init__(self, plan: Plan, seed: str, figures: Figures, dice: str) -> None:
        super().__init__(plan, seed, figures)
        self.rolls: list[Rolled] = []
        self._settings = Settings().changed("play.dice", dice)
        self._session.typed = frozenset(side for side in Side if self._settings.play.types(side))
        self._ui = Ui(Page.PLAY)
        self._real = random.Random(f"real {seed}")

    def button(self, down: bool) -> None:
        """The touch that replaces a press."""
        if down and types_now(self._shown, self.view):
            before = len(self.rolls)
            while len(self.rolls) == before:
                assert self._touches(type_die(self._real.randint(1, 6)))
        elif not down or not self._touches(intend(Act.NEXT_GAME), press_button()):
            super().button(down)

    @property
    def _shown(self) -> Shown:
        return Shown(self._plan.board, FACES, self.view, self._settings)

    def _touches(self, *wanted: Action) -> bool:
        """Touch the place of one of these actions; false where the screen shows none of them."""
        self._ui = see(self._ui, self.view, self.now)
        picture = compose(self._shown, self._ui, SIZE, measure, self.now)
        places = [target.rect for target in picture.targets if target.action in wanted]
        for place in places[:1]:
            touch = FingerDown(*place.centre)
            self._ui, outputs = touched(picture, touch, self._ui, self._shown, self._clock())
            for output in outputs:
                self._take(output)
        return bool(places)

    def _take(self, output: Output) -> None:
        assert isinstance(output, Event)
        if isinstance(output, Rolled):
            self.rolls.append(output)
        self._queue.append(output)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "board"), some(GAMES_ON_BOARDS, 11))
def test_a_whole_match_is_played_with_typed_dice(game: str, board: str) -> None:
    plan = calm(game, board, 3 if game == "nannon" else 1)
    figures = Figures()
    table = TypedTable(plan, "t1", figures, "typed")
    table.play()
    assert [i for i in table.incidents if i.what is not Count.NEEDLESS] == []
    assert table.view.phase is Phase.MATCH_OVER
    assert {rolled.source for rolled in table.rolls} <= {RollSource.TYPED}
    assert len(table.rolls) >= (figures.counts[Count.TURNS] if find_game(game).dice else 0)


@pytest.mark.parametrize(
    ("types", "game"), paired(5, [*Side], ["nannon", "backgammon", "portes"]), ids=str
)
def test_one_types_and_spotter_throws_for_the_other(game: str, types: Side) -> None:
    name = "nannon-6" if game == "nannon" else "tables-24"
    plan = calm(game, name, 1)
    table = TypedTable(plan, "t2", Figures(), types.value)
    table.play()
    assert [i for i in table.incidents if i.what is not Count.NEEDLESS] == []
    assert table.view.phase is Phase.MATCH_OVER
    assert {rolled.by for rolled in table.rolls} == {types}
