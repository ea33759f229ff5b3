"""What the coach has to show just now: a hint for the turn, an analysis, and figures by match."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.coach.ratings import Rating
from pi_app.coach.study import Analysis, Answer
from pi_app.match.cube import Cube
from pi_app.match.phases import Phase
from pi_app.match.score import Standing, may_double
from pi_app.players.contract import Situation
from pi_app.players.wire import Question
from pi_app.referee.events import MatchId, Start
from pi_app.referee.options import agree
from pi_app.referee.view import View
from pi_app.rules.contract import Games
from pi_app.rules.terms import Roll, read_roll


@dataclass(frozen=True, slots=True)
class Hinted:
    """What was asked in a turn, and what a player says to it once it is `answered`.

    `position` and `roll` are the texts of the view that it was asked for.
    """

    position: str
    roll: str | None
    player: str
    answer: Answer = None
    answered: bool = False

    def is_for(self, view: View) -> bool:
        """Whether it is about what is on the table."""
        return (self.position, self.roll) == (view.position, view.roll)


@dataclass(frozen=True, slots=True)
class Lesson:
    """All that the coach has found.

    `match` is being analysed, `done` of `total` questions are answered, or `analysis` has it all,
    with who judged it.  `told` is what went wrong last, in one line.
    """

    hint: Hinted | None = None
    match: MatchId | None = None
    done: int = 0
    total: int = 0
    analysis: Analysis | None = None
    ratings: tuple[Rating, ...] = ()
    told: str = ""


def question_of(start: Start, games: Games, view: View) -> Question | None:
    """What the player on the move has to decide now, if anything.

    Raises EventError for a match that cannot be, RulesError for a position of other rules.
    """
    game, options = agree(start, games)
    cube = Cube(view.cube.value, view.cube.owner)
    standing = Standing(view.score, cube, view.game_number, view.crawford, view.post_crawford)
    position = game.read_position(view.position)
    situation = Situation(position, options.agreement, standing)
    if view.phase is Phase.MOVING and view.roll is not None and view.moves_exist:
        roll = read_roll(view.roll, game.dice) if game.dice else Roll(())
        return Question(situation, roll)
    free = may_double(options.agreement, standing, view.to_act)
    if view.phase is Phase.DOUBLE_OFFERED or (view.phase is Phase.TO_ROLL and free):
        return Question(situation, None)
    return None
