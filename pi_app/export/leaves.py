"""A stored match step by step: what was decided, and how the board stood then.

A roll belongs to the step of its play; only a last roll that nobody has played is a step of its
own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pi_app.base.values import dataclass
from pi_app.export.retold import Kept, RetoldStep, dice
from pi_app.match.acts import Act
from pi_app.match.turns import OVER, MatchState, Phase
from pi_app.referee.speech import BEAVERS, DOUBLES, EARLIER, RESULT, tell_result
from pi_app.rules.contract import Series
from pi_app.rules.naming import name_players, name_roll
from pi_app.rules.terms import Move, Roll, RulesError, Side
from pi_app.words.sentences import Sentence, paragraph

GAME = Sentence("Game {number}")
GAME_OF_SERIES = Sentence("Game {number}: {game}")
CRAWFORD_GAME = Sentence("Game {number}, the Crawford game")
OPENED = Sentence("Opening roll: {white} {first}, {black} {second}")
AGAIN = Sentence("Opening roll: both {die}, roll again")
PLAYED = Sentence("{player} {roll}: {play}")
PLAYED_UNROLLED = Sentence("{player}: {play}")
NO_PLAY = Sentence("{player} {roll}: no legal play")
NO_PLAY_UNROLLED = Sentence("{player}: no legal play")
HAS_ROLLED = Sentence("{player} rolled {roll}")
CONDONED = Sentence("{play} (illegal, accepted)")
TAKES = Sentence("{player} takes")
PASSES = Sentence("{player} passes")
TAKEN_BACK = Sentence("Undone back to {turn}")
HIS_TURN = Sentence("{player}'s turn")
_OF_PLAYER: Mapping[Act, Sentence] = {
    Act.TAKE: TAKES,
    Act.PASS: PASSES,
    Act.RESIGN: Sentence("{player} offers to resign"),
    Act.ACCEPT: Sentence("{player} accepts"),
    Act.REFUSE: Sentence("{player} refuses"),
    Act.OVERTIME: Sentence("{player}'s flag falls, overtime begins"),
    Act.FLAG: Sentence("{player}'s flag falls"),
}
_OF_NOBODY: Mapping[Act, Sentence] = {
    Act.CHANGE_DICE: Sentence("Dice corrected"),
    Act.RESTORE: Sentence("Redone"),
    Act.CORRECT: Sentence("Position corrected by hand"),
    Act.RESUMED: Sentence("Interrupted; the clocks resume where they stopped"),
}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One step: a decision in words, and the board after it.

    `number` counts the plays of the game, 0 for anything else. `mover` is the side that did it,
    None for what nobody did alone. `moves` are the play's and `roll` its dice. `opens`: a game
    begins with it. `state` is the match after it. `decision` is the number of the match's decision,
    from 1; 0 for none. `game` is the name of the game that is played.
    """

    said: str
    state: MatchState[str]
    before: str
    number: int = 0
    mover: Side | None = None
    moves: tuple[Move, ...] = ()
    roll: Roll | None = None
    opens: bool = False
    decision: int = 0
    game: str = ""


def leaves(kept: Kept) -> Iterator[Leaf]:
    """Yield every step of a match, oldest first. Raises EventError for an invalid match."""
    series = kept.series
    state = kept.opening()
    telling = _Telling(series, name_players(kept.start.players, series.side_names))
    yield telling.opening(state)
    steps = tuple(kept.steps())
    telling.hides = _under_way(steps)
    for number, step in enumerate(steps, start=1):
        for leaf in telling.leaves(step):
            yield replace(leaf, decision=number)
        state = step.after
    if state.phase is Phase.MOVING and dice(state.roll):
        yield telling.rolled(state)


def _under_way(steps: tuple[RetoldStep, ...]) -> int | None:
    last = steps[-1].after if steps else None
    return last.standing.game_number if last and last.phase not in OVER else None


class _Telling:
    """The count of plays while the steps are made.

    Of the game that it `hides`, nobody may see yet which plays were illegal.
    """

    def __init__(self, series: Series, players: tuple[str, str]) -> None:
        self._series, self._players = series, players
        self._plays = 0
        self.hides: int | None = None

    def opening(self, state: MatchState[str]) -> Leaf:
        self._plays = 0
        standing = state.standing
        title = (CRAWFORD_GAME if standing.crawford else GAME)(number=standing.game_number)
        if self._series.is_mixed:
            game = self._series.at(standing.decided).title
            title = GAME_OF_SERIES(number=standing.game_number, game=game)
        return self._leaf(title, state, state.position, opens=True)

    def rolled(self, state: MatchState[str]) -> Leaf:
        said = HAS_ROLLED(player=self._name(state.to_act), roll=name_roll(dice(state.roll)))
        return self._leaf(said, state, state.position, mover=state.to_act, roll=state.roll)

    def _leaf(self, said: str, state: MatchState[str], *rest: Any, **told: Any) -> Leaf:
        leaf = Leaf(said, state, *rest, **told)
        return replace(leaf, game=self._series.at(state.standing.decided).name)

    def leaves(self, step: RetoldStep) -> Iterator[Leaf]:
        """Yield nothing if the decision changes neither the board nor the cube."""
        if step.decision.what is Act.NEXT_GAME:
            yield self.opening(step.after)
        elif step.decision.what is Act.PLAY:
            yield self._play(step)
        elif (said := self._other(step)) or step.ends_game:
            both_threw = step.decision.what is Act.THROW
            mover = None if both_threw else step.decision.by
            told, before = self._with_result(said, step), step.before.position
            yield self._leaf(told, step.after, before, mover=mover)

    def _play(self, step: RetoldStep) -> Leaf:
        self._plays += 1
        before, roll = step.before, step.decision.dice or step.before.roll
        mover = step.decision.by or before.to_act
        written, moves = self._made(step)
        words = {"player": self._name(mover)}
        if dice(roll):
            words["roll"] = name_roll(dice(roll))
        if written:
            words["play"] = written
            said = (PLAYED if dice(roll) else PLAYED_UNROLLED)(**words)
        else:
            said = (NO_PLAY if dice(roll) else NO_PLAY_UNROLLED)(**words)
        if step.decision.condoned and before.standing.game_number != self.hides:
            said = CONDONED(play=said)
        text = self._with_result(said, step)
        return self._leaf(text, step.after, before.position, self._plays, mover, moves, roll)

    def _made(self, step: RetoldStep) -> tuple[str, tuple[Move, ...]]:
        """The play as players write it, empty for a forfeit, and its moves. A play that today's
        rules cannot read is shown as it was stored."""
        kept = step.decision.play or ""
        try:
            position = step.game.read_position(step.before.position)
            play = step.game.read_play(position, kept)
            moves = step.game.moves(position, play)
        except RulesError:
            return kept, ()
        return (step.game.write_play(position, play) if moves else ""), moves

    def _other(self, step: RetoldStep) -> str:
        """A decision that is not a play, in words; empty if there is nothing to say."""
        before, after, decision = step.before, step.after, step.decision
        player = self._name(decision.by or before.to_act)
        match decision.what:
            case Act.THROW:
                return self._throw(step)
            case Act.BEAVER:
                return BEAVERS(side=player, stake=2 * after.standing.cube.value)
            case Act.DOUBLE:
                return DOUBLES(side=player, stake=2 * after.standing.cube.value)
            case Act.TAKE_BACK:
                return TAKEN_BACK(turn=self._turn(after))
            case what if what in _OF_PLAYER:
                return _OF_PLAYER[what](player=player)
            case what:
                return _OF_NOBODY[what]() if what in _OF_NOBODY else ""

    def _throw(self, step: RetoldStep) -> str:
        """Both dice of an opening roll, once the second is known."""
        thrown = dict(step.before.thrown)
        if not thrown or not step.decision.by or not step.decision.dice:
            return ""
        thrown[step.decision.by] = step.decision.dice.dice[0]
        white, black = thrown.get(Side.WHITE), thrown.get(Side.BLACK)
        if white is None or black is None:
            return ""
        if white == black:
            return AGAIN(die=white)
        first, second = self._players
        return OPENED(white=first, first=white, black=second, second=black)

    def _turn(self, state: MatchState[str]) -> str:
        player = self._name(state.to_act)
        if dice(state.roll):
            return EARLIER(side=player, play=name_roll(dice(state.roll)))
        return HIS_TURN(player=player)

    def _with_result(self, said: str, step: RetoldStep) -> str:
        if not step.ends_game:
            return said
        result = tell_result(step.after.result, self._players, step.game.outcome_names)
        return paragraph(*(RESULT(result=text) for text in (said, result) if text))

    def _name(self, side: Side) -> str:
        return self._players[side is Side.BLACK]
