"""A stored match played through on the board: where it stops, and how well it was guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from pi_app.base.adding import added
from pi_app.base.errors import GivenError
from pi_app.base.values import dataclass
from pi_app.coach.study import RATING, Judged, Mark, counted, equity_of, mark_of
from pi_app.coach.training import Graded
from pi_app.export.leaves import leaves
from pi_app.export.retold import Kept, RetoldStep
from pi_app.match.acts import Act
from pi_app.match.origin import Problem
from pi_app.match.score import Score
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId
from pi_app.referee.options import problem_at
from pi_app.referee.speech import RESULT
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Side
from pi_app.words.sentences import Sentence

NOTHING_PLAYED = Sentence("No play of match {number} can be shown on the board")
CUBE = (Act.DOUBLE, Act.TAKE, Act.PASS)
TOLD = frozenset(
    {
        *(Act.THROW, Act.PLAY, *CUBE, Act.BEAVER, Act.CORRECT, Act.NEXT_GAME),
        *(Act.RESIGN, Act.ACCEPT, Act.REFUSE, Act.OVERTIME, Act.FLAG),
    }
)
"""What is said of a match between two plays."""


@dataclass(frozen=True, slots=True)
class RetoldStop:
    """A decision that hands make or a player guesses, `number` counts those of the match from 1.

    `problem` is where it was open. `after` are sentences on what happened until the next stop.
    """

    number: int
    side: Side
    decision: Decision
    problem: Problem
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetoldMatch:
    """The stops of a stored match, oldest first; `guessed` is the side whose decisions a player
    guesses, None if all are shown."""

    match: MatchId
    players: tuple[str, str]
    stops: tuple[RetoldStop, ...]
    guessed: Side | None = None

    def place(self, number: int) -> int:
        """The place of the first stop from this decision on, else of the last."""
        places = (n for n, stop in enumerate(self.stops) if stop.number >= number)
        return next(places, len(self.stops) - 1)


def retold(match: MatchId, kept: Kept, score: Score, *, guesses: bool) -> RetoldMatch:
    """Return where a match stops; whoever leads at its end is guessed.

    Raises EventError for an invalid match, GivenError for one in which nobody moved.
    """
    guessed = (Side.BLACK if score.black > score.white else Side.WHITE) if guesses else None
    stops = tuple(_stops(kept, guessed))
    if not stops:
        raise GivenError(NOTHING_PLAYED(number=str(match)))
    players = name_players(kept.start.players, kept.series.side_names)
    return RetoldMatch(match, players, stops, guessed)


def _stops(kept: Kept, guessed: Side | None) -> Iterator[RetoldStop]:
    """Undone turns are left out."""
    moved = {leaf.decision for leaf in leaves(kept) if leaf.moves}
    said: dict[int, list[str]] = {}
    for leaf in leaves(kept):
        said.setdefault(leaf.decision, []).append(leaf.said)
    counts = {number for number, _, _ in counted(kept)}
    last: RetoldStop | None = None
    between: list[str] = []
    for number, step in enumerate(kept.steps(), start=1):
        what = step.decision.what
        if number not in counts and what is not Act.NEXT_GAME:
            continue
        if (number in moved and _is_shown(step)) or _is_guessed(step, guessed):
            if last:
                yield _followed(last, between)
            problem = problem_at(kept.start, kept.series, step.before)
            side = step.decision.by or step.before.to_act
            last, between = RetoldStop(number, side, step.decision, problem), []
            between += said.get(number, ()) if step.ends_game or what is not Act.PLAY else ()
        elif what in TOLD:
            between += said.get(number, ())
    if last:
        yield _followed(last, between)


def _is_shown(step: RetoldStep) -> bool:
    """Whether hands can make it: a legal play that moves a checker."""
    of_turn = step.decision.what is Act.PLAY and step.before.phase is Phase.MOVING
    return of_turn and not step.decision.condoned


def _is_guessed(step: RetoldStep, guessed: Side | None) -> bool:
    """Whether it is an action of the cube that is guessed; nobody has an opinion on beavers."""
    before, decision = step.before, step.decision
    if guessed is None or decision.what not in CUBE or decision.again:
        return False
    mover = step.game.mover(step.game.read_position(before.position))
    return decision.by is guessed and before.standing.cube.offered in (None, mover)


def _followed(stop: RetoldStop, said: list[str]) -> RetoldStop:
    after = tuple(text if text.endswith(".") else RESULT(result=text) for text in said)
    return replace(stop, after=after)


@dataclass(frozen=True, slots=True)
class Guesses:
    """A player's guesses by the numbers of the decisions, each beside what was decided."""

    judged: Mapping[int, tuple[Judged, Judged]] = field(default_factory=dict)

    def adding(self, number: int, graded: Graded) -> Guesses:
        """Only the first guess counts."""
        if number in self.judged or graded.judged is None or graded.played is None:
            return self
        return Guesses({**self.judged, number: (graded.judged, graded.played)})

    @property
    def right(self) -> tuple[float, float]:
        """The shares of right guesses and of right decisions. There must be a guess."""
        good = [(mark_of(mine), mark_of(theirs)) for mine, theirs in self.judged.values()]
        mine, theirs = ([marks[n] for marks in good].count(Mark.GOOD) for n in (0, 1))
        return mine / len(good), theirs / len(good)

    @property
    def rating(self) -> float:
        """The performance rating of the guesses. There must be one."""
        return (
            RATING * added(equity_of(mine) for mine, _ in self.judged.values()) / len(self.judged)
        )
