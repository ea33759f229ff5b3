"""The machine at the board: it asks its player when it is its turn and acts on the answer.

It never waits. Answers arrive on another thread and are used when the session looks next; `wake`
makes that soon. Among equally good plays one is drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import field
from itertools import count
from queue import SimpleQueue
from typing import Protocol, TypeAlias

from pi_app.base.microseconds import Us
from pi_app.base.threads import drained
from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.match.score import Agreement, first_game
from pi_app.match.turns import Phase
from pi_app.players.contract import Answer, CubeOpinion, Opinion, Question, Rival, Situation, Unit
from pi_app.players.process import Advice, Reply, Trouble, call_process
from pi_app.players.resigning import Weighted, accepts, questions_of
from pi_app.referee.events import MachineActs, MachineSeat
from pi_app.referee.referee import OtherSide, Referee
from pi_app.referee.seats import MachineTurn
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side, rolls_of
from pi_app.words.sentences import Said


class Thinker(Protocol):
    """A player that is asked by numbers, each greater than the one before; see PlayerProcess."""

    def ask(self, number: int, question: Question) -> None: ...
    def drop(self) -> None: ...
    def close(self) -> None: ...


CallThinker: TypeAlias = Callable[[AnyGame, str, Callable[[Reply], None]], Thinker]
"""Has a game's player ready, by its name; whom it tells is called on any thread."""


class Opponent(OtherSide):
    """One side of a match, played by the machine.

    `rolls` returns whether it rolls by itself at present; else the button rolls for it.
    """

    def __init__(
        self,
        game: AnyGame,
        seat: MachineSeat,
        call: CallThinker,
        lots: random.Random,
        wake: Callable[[], None] = lambda: None,
        rolls: Callable[[], bool] = lambda: True,
    ) -> None:
        self._trouble: Said | None = None
        self._call, self._player = call, seat.player
        self._game, self._side, self._rolls, self._lots = game, seat.side, rolls, lots
        self._replies: SimpleQueue[Reply] = SimpleQueue()
        self._wake = wake
        self._numbers = count(1)
        self._number = 0
        self._turn: MachineTurn | None = None
        self._asked: tuple[Weighted, ...] = ()
        self._answers: list[Answer] = []
        self._decided: tuple[Act, str | None] | None = None
        self._thinker = call(game, seat.player, self._hear)

    def warm(self, agreement: Agreement) -> None:
        """Ask one question early, because a player may have to solve or read something first."""
        start = Situation(self._game.start(Side.WHITE), agreement, first_game(agreement))
        self._ask(Question(start, next(iter(rolls_of(self._game.dice)))))

    @property
    def trouble(self) -> Said | None:
        return self._trouble

    def decide(self, referee: Referee, us: Us) -> MachineActs | None:
        """Return the machine's act in its turn, once; None while it thinks or has nothing to do."""
        if referee.game is not self._game:
            self._change_game(referee.game)
        turn = referee.machine_turn
        if turn != self._turn:
            self._turn = turn
            self._begin(turn)
        self._listen()
        decided, self._decided = self._decided, None
        return decided and MachineActs(us, self._side, *decided)

    def close(self) -> None:
        self._thinker.close()

    def _change_game(self, game: AnyGame) -> None:
        """Let the player of the same name play the next game of a series."""
        self._thinker.close()
        self._game, self._number, self._turn = game, 0, None
        self._replies = SimpleQueue()
        self._thinker = self._call(game, self._player, self._hear)

    def _hear(self, reply: Reply) -> None:
        """Take a reply, on any thread."""
        self._replies.put(reply)
        self._wake()

    def _begin(self, turn: MachineTurn | None) -> None:
        """A new turn: ask about it, or decide at once if no thought is needed."""
        self._asked, self._answers, self._decided = (), [], None
        if self._number:
            self._thinker.drop()
            self._number = 0
        if turn is None:
            return
        if turn.phase is Phase.RESIGNATION_OFFERED:
            self._asked = self._appraising(turn)
            self._decided = None if self._asked else (Act.ACCEPT, None)
        elif turn.standing.cube.offered is self._side.other is not self._game.mover(turn.position):
            # No engine judges beavers. It takes each one: it thought the double right a moment ago.
            self._decided = Act.TAKE, None
        elif turn.phase in (Phase.MOVING, Phase.DOUBLE_OFFERED) or turn.weighs:
            # Without a roll on the table it is the cube that is asked about.
            question = Question(_situation(turn), turn.roll)
            self._asked = (Weighted(question, 1.0, self._side, following=False),)
        else:
            self._decided = self._rolling(), None
        if self._asked:
            self._ask(self._asked[0].question)

    def _appraising(self, turn: MachineTurn) -> tuple[Weighted, ...]:
        """Its questions about a resignation; empty if nothing better is possible."""
        if turn.resignation is None or turn.resignation >= turn.most:
            return ()
        return questions_of(self._game, _situation(turn), turn.roll, turn.resignation, self._side)

    def _ask(self, question: Question) -> None:
        self._number = next(self._numbers)
        self._thinker.ask(self._number, question)

    def _listen(self) -> None:
        for reply in drained(self._replies):
            if isinstance(reply, Trouble):
                self._trouble = reply.said
            if reply.number == self._number and self._number:
                self._take(reply)

    def _take(self, reply: Reply) -> None:
        """Take the answer to the last question."""
        self._number = 0
        if isinstance(reply, Trouble):
            self._decided = (Act.NOTHING, None) if self._turn else None
            return
        self._trouble = None
        self._answers.append(reply.opinion)
        if self._turn is None or not self._asked:
            return  # it was asked to warm up
        if len(self._answers) < len(self._asked) and not self._is_plain(reply):
            self._ask(self._asked[len(self._answers)].question)
        else:
            self._decided = self._act_of(self._turn, reply.opinion)

    def _is_plain(self, reply: Advice) -> bool:
        """Whether further answers are useless, because its marks only rank plays."""
        return isinstance(reply.opinion, Opinion) and reply.opinion.unit is Unit.SCORE

    def _act_of(self, turn: MachineTurn, opinion: Answer) -> tuple[Act, str | None]:
        cube = opinion if isinstance(opinion, CubeOpinion) else None
        match turn.phase:
            case Phase.RESIGNATION_OFFERED:
                return Act.ACCEPT if self._accepts(turn) else Act.REFUSE, None
            case Phase.DOUBLE_OFFERED:
                return Act.TAKE if cube is None or cube.take else Act.PASS, None
            case Phase.MOVING if isinstance(opinion, Opinion):
                play = self._lots.choice(opinion.best)
                return Act.PLAY, self._game.write_play(turn.position, play)
        return Act.DOUBLE if cube and cube.double else self._rolling(), None

    def _rolling(self) -> Act:
        return Act.ROLL if self._rolls() else Act.HOLD

    def _accepts(self, turn: MachineTurn) -> bool:
        """Whether the offer is at least as good as playing on."""
        opinions = [each for each in self._answers if isinstance(each, Opinion)]
        asked, offered = self._asked[: len(opinions)], turn.resignation or 0
        return accepts(asked, opinions, _situation(turn), offered, self._side)


@dataclass(frozen=True, slots=True)
class MachinePlayers:
    """The machine's players: `rivals` by game, the weakest first, and how one is started.

    `lots` chooses among plays that a player rates equal.
    """

    rivals: Mapping[str, tuple[Rival, ...]] = field(default_factory=dict)
    call: CallThinker = call_process
    lots: random.Random = field(default_factory=random.SystemRandom)


def _situation(turn: MachineTurn) -> Situation:
    return Situation(turn.position, turn.agreement, turn.standing)
