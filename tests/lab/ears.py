"""A person who only hears: no view and no picture, hands on the board and words in the ear.

He knows the rules and feels the checkers; whose turn it is, the dice, the machine's play, the
cube and every fault he knows by what is said.
"""

from __future__ import annotations

import random
import re
from collections import Counter, deque
from collections.abc import Callable, Generator
from typing import Any

from lab.attention import Attention
from lab.figures import Figures
from lab.hands import Script, arrange
from lab.manners import Fidgets, Occasion
from lab.match_by_hands import MatchByHands, Plan
from lab.observability import looks_legal
from lab.people import Playing
from lab.plays import Mischief, chained, victims_of
from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.referee.events import Press
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, read_roll
from pi_app.speech.aloud import aloud
from pi_app.speech.answers import Query, answer
from pi_app.speech.commentary import Commentary, Floor
from pi_app.speech.telling import Manner
from pi_app.speech.utterance import Detail, Subject, Utterance
from pi_app.words.sentences import ENGLISH

LETTER = ms(65)
"""The time to speak a letter, at 190 words a minute."""
LOOK = ms(50)
_WARNING = r"Illegal: |Board and screen differ|Back to |Clear \w+\.|Lift (?:it|\d+) "
_OBJECTION = re.compile(rf"{_WARNING}|No legal move|Press for yes|Hold for yes")
"""The last but two are hints: a checker that left where no reed feels it may still be in a hand."""
PATIENCE = ms(4000)
"""After so long a silence he asks whose turn it is."""
WARNED_WITHIN = ms(3000)


class DeafError(RuntimeError):
    """He hears nothing that leads on."""


class HeardMatch(MatchByHands):
    """A match between two who only hear; `double` of `attempts` are told of what was illegal."""

    def __init__(self, plan: Plan, seed: str, figures: Figures) -> None:
        self._announcer, self._turn = Commentary(Manner(Detail.ALL)), Floor()
        self._ends = Us(0)
        self.said: list[tuple[Us, str]] = []
        self.unheard: deque[str] = deque()
        self.tally: Counter[str] = Counter()
        super().__init__(plan, seed, figures)
        attention = Attention(self, self._hands, figures, self._truth)
        self._people: Any = BlindPlayer(self, attention, random.Random(f"ears {seed}"))

    def _check(self, before: Any) -> None:
        super()._check(before)
        told = self._announcer.hear(self.view, self.now)
        if told:
            self._turn.put(told, self.now)
        self.speak()

    def speak(self) -> None:
        """Say what is due; each word takes its time, and a higher rank interrupts."""
        self.hear_of(self._announcer.hear(self.view, self.now))
        begun = self._turn.take(self.now, sounds=self.now < self._ends)
        if begun:
            text = aloud(begun.text, ENGLISH)
            self._ends = Us(self.now + LETTER * len(text))
            self.said.append((self.now, text))
            self.unheard.append(text)

    def hear_of(self, told: Utterance | None) -> None:
        if told:
            self._turn.put(told, self.now)

    def ask(self, question: Query) -> None:
        """A key is pressed."""
        self.tally["asked"] += 1
        told = answer(question, self.view, self.now, Manner(Detail.ALL))
        self._turn.clear()
        self._ends = self.now
        self._turn.put(Utterance(told.text, Subject.ANSWER), self.now)

    @property
    def is_quiet(self) -> bool:
        return self.now >= self._ends


class BlindPlayer:
    """Plays both sides by ear; `match` is the script of all he does."""

    def __init__(self, ears: HeardMatch, attention: Attention, rng: random.Random) -> None:
        self._ears, self._attention, self._rng = ears, attention, rng
        self._truth, self._hands = attention.truth, attention.hands
        self._playing = Playing(attention, rng)
        self._thrown: list[int] = []
        self._opening = False
        self._over = False
        self._won: Side | None = None
        self._begins: Side | None = None
        self._reactions: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Script]], ...] = (
            (re.compile(r"Set up (?:the board|game)"), self._set_up),
            (re.compile(r"^(?:\w+: \d+ (?:checkers?|more) \w+|Clear|Lift) [\w ]+\.$"), self._nudge),
            (re.compile(r"The match goes to |The match is over"), self._end),
            (re.compile(r"(\w+) wins (?!the)"), self._game_won),
            (re.compile(r"Press for the next game"), self._next_game),
            (re.compile(r"again, with an opening roll"), self._tied),
            (re.compile(r"(\w+): press to take"), self._answer_double),
            (re.compile(r"^That is (?:Ada|Ben)'s checker"), self._keep_still),
            (re.compile(_WARNING), self._put_back),
            (re.compile(r"Was it (.*)\? Press for yes"), self._confirm),
            (re.compile(r"Was it (.*)\? Hold for yes"), self._pick),
            (re.compile(r"(\w+): press for the opening roll"), self._press),
            (re.compile(r"(\w+) to start"), self._started),
            (re.compile(r"(Ada|Ben): no move"), self._forfeit),
            (re.compile(r"(Ada|Ben): (double )?(\d)(?: (\d))?\."), self._rolled),
            (re.compile(r"'s checker goes to"), self._bring_home),
            (re.compile(r"(\w+) to roll"), self._roll),
            (re.compile(r"(\w+) to move"), self._move_without_dice),
        )

    @property
    def _game(self) -> AnyGame:
        return self._truth.game

    @property
    def _fidgets(self) -> Fidgets:
        return Fidgets(self._game, self._hands, self._rng)

    @property
    def _mischief(self) -> Mischief:
        return Mischief(self._game, self._hands.checkers, self._rng)

    def match(self) -> Script:
        silent = Us(0)
        while not self._over:
            yield LOOK
            self._ears.speak()
            if self._ears.unheard and self._ears.is_quiet:
                silent = Us(0)
                yield from self._react(self._ears.unheard.popleft())
            elif self._ears.is_quiet:
                silent = Us(silent + LOOK)
                if silent >= PATIENCE:
                    silent = Us(0)
                    if self._ears.tally["in a row"] > 8:
                        raise DeafError(f"after {self._ears.said[-6:]}")
                    self._ears.tally["in a row"] += 1
                    self._ears.ask(Query.TURN)

    def _react(self, text: str) -> Script:
        """To the sentence that asks most of him; the others were news."""
        self._learn(text)
        for pattern, react in self._reactions:
            if found := pattern.search(text):
                self._ears.tally["in a row"] = 0 if pattern.pattern != "x" else 1
                yield from react(found)
                return

    def _written(self, play: Any) -> str:
        return self._game.write_play(self._truth.position, play)

    def _learn(self, text: str) -> None:
        """A play that was told has counted."""
        doing = self._truth.doing
        if doing is None:
            return
        spoken = aloud(self._written(doing), ENGLISH)
        if re.search(rf"(?:^|[.] ){re.escape(spoken)}[.]", text):
            self._ears.tally["plays"] += 1
            self._truth.played(doing)
            self._hands.trace.forget()

    # What he does

    def _press(self, _: Any = None, press: Press = Press.SHORT) -> Script:
        yield self._hands.between(300, 900)
        yield from self._attention.press(press)

    def _set_up(self, _: Any) -> Script:
        if self._won:
            self._truth.won(self._won)
            self._begins, self._won = self._won, None
        starts = self._begins if self._game.previous_winner_starts else None
        self._truth.excused = True
        self._truth.begin(starts or Side.WHITE)
        self._hands.trace.forget()
        self._thrown, self._opening = [], self._game.dice > 0 and starts is None
        yield from arrange(self._hands, self._truth.layout)
        self._truth.excused = False

    def _nudge(self, found: re.Match[str]) -> Script:
        """A spot that is said to be wrong though it is not: its reed has missed the checker."""
        yield from arrange(self._hands, self._truth.layout)
        yield from self._press_down()
        yield self._hands.between(300, 600)

    def _keep_still(self, _: Any) -> Script:
        """He is straightening it, and puts it back anyway."""
        yield LOOK

    def _end(self, _: Any) -> Script:
        self._over = True
        yield LOOK

    def _game_won(self, found: re.Match[str]) -> Script:
        self._won = Side.WHITE if found[1] == "Ada" else Side.BLACK
        if "The match goes to" in found.string:
            self._over = True
        else:
            yield from self._next_game(found)

    def _tied(self, found: re.Match[str]) -> Script:
        self._begins = None
        yield from self._next_game(found)

    def _next_game(self, _: Any) -> Script:
        self._truth.others = self._truth.starts
        yield from self._press()

    def _answer_double(self, _: Any) -> Script:
        takes = self._rng.random() < 0.7
        yield from self._press(press=Press.SHORT if takes else Press.LONG)

    def _roll(self, found: re.Match[str]) -> Script:
        if self._rng.random() < 0.04 and not self._opening:
            yield from self._press(press=Press.LONG)  # a double, where one is allowed
            yield self._hands.between(800, 1200)
            if "double" in (self._ears.said[-1][1] if self._ears.said else ""):
                return
        yield from self._press()

    def _rolled(self, found: re.Match[str]) -> Script:
        """Dice in an opening or in a turn; of several in one sentence the last counts."""
        last = list(re.finditer(r"(Ada|Ben): (double )?(\d)(?: (\d))?\.", found.string))[-1]
        _, doubled, first, second = last.groups()
        if self._opening:
            self._thrown.append(int(first))
            yield from self._press()
            return
        second = first if doubled else second
        faces = f"{first}{second or ''}"
        yield from self._play(read_roll(faces, self._game.dice))

    def _started(self, found: re.Match[str]) -> Script:
        self._opening = False
        side = Side.WHITE if found[1] == "Ada" else Side.BLACK
        self._truth.opened(side, None)
        rest = found.string[found.end() :]
        if told := re.search(r"(?:Ada|Ben): no move", rest):
            yield from self._forfeit(told)
        elif told := re.search(r"(Ada|Ben): (double )?(\d)(?: (\d))?\.", rest):
            yield from self._rolled(told)
        else:
            yield from self._press()

    def _forfeit(self, found: re.Match[str]) -> Script:
        """Nothing can be played: the roll is in the same sentence."""
        if rolled := re.search(r"(Ada|Ben): (double )?(\d)(?: (\d))?\.", found.string):
            _, doubled, first, second = rolled.groups()
            second = first if doubled else second
            self._truth.rolled(read_roll(f"{first}{second or ''}", self._game.dice))
            play = self._truth.plays[0]
            self._truth.doing = play
            yield from self._press()
            yield self._hands.between(100, 200)
            self._truth.played(play)
        else:
            yield from self._press()

    def _move_without_dice(self, _: Any) -> Script:
        if self._truth.doing is None:
            yield from self._play(Roll(()))
        else:
            yield from self._press_down()
            self._truth.astray = False
            yield from self._make()

    def _bring_home(self, _: Any) -> Script:
        """He is told where a hit checker belongs: it lies elsewhere, or he was about to move it."""
        if self._truth.doing is not None and self._truth.astray:
            yield from self._playing.put(self._truth.doing)
            yield from self._press()

    def _press_down(self) -> Script:
        """Every checker is pressed onto its place: a reed may have missed one."""
        checkers = self._hands.checkers
        for sensor in sorted(checkers.felt ^ checkers.closed):
            yield from self._hands.nudge(sensor)

    def _play(self, roll: Roll) -> Script:
        """A turn: perhaps something illegal first, then the play, then the press."""
        self._truth.rolled(roll)
        if self._hands.chance(0.06):
            yield from self._misplay(roll)
        self._truth.doing = self._playing.choose()
        yield from self._make()

    def _make(self) -> Script:
        fidgets = self._fidgets.of_turn(self._game.mover(self._truth.position))
        yield from fidgets.get(Occasion.BEFORE, ())
        yield from self._playing.make(self._truth.doing, fidgets)
        yield self._hands.between(200, 900)
        if not any(text.startswith("Was it") for text in self._ears.unheard):
            yield from self._press()  # nobody hands over while he is being asked

    def _misplay(self, roll: Roll) -> Script:
        """Something illegal, until it is told; then everything goes back."""
        position = self._truth.position
        attempt = self._mischief.single(position, roll)
        checkers, blind = self._hands.checkers, self._truth.blind
        if attempt is None or looks_legal(self._game, position, roll, attempt, checkers, blind):
            return
        self._truth.excused = True
        victims = victims_of(self._game, position, attempt.moves)
        yield from self._hands.turn(chained(attempt.moves), self._game.mover(position), victims)
        yield from arrange(self._hands, attempt.layout)
        told = yield from self._hears(_OBJECTION)
        for _ in range(2):
            # A first press may have been half of a double one.
            if not told:
                yield from self._press()
                told = yield from self._hears(_OBJECTION)
        self._ears.tally["warned" if told else "not warned"] += 1
        yield from arrange(self._hands, self._truth.layout)
        yield self._hands.between(400, 700)
        self._truth.excused = False

    def _hears(self, what: re.Pattern[str]) -> Generator[Us, None, bool]:
        waited = 0
        while waited < WARNED_WITHIN:
            self._ears.speak()
            while self._ears.unheard:
                if what.search(self._ears.unheard.popleft()):
                    return True
            yield LOOK
            waited += LOOK
        return False

    def _put_back(self, _: Any) -> Script:
        """A warning is acted upon: back to the accepted position, then the play anew."""
        self._ears.tally["acted upon"] += 1
        self._truth.excused = True
        yield from arrange(self._hands, self._truth.layout)
        yield self._hands.between(400, 800)
        self._truth.excused = False
        if self._truth.doing is not None:
            yield from self._make()

    def _confirm(self, found: re.Match[str]) -> Script:
        mine = aloud(self._written(self._truth.doing), ENGLISH)
        if found[1].split(". ")[-1] == mine:
            yield from self._press()
        else:
            yield from self._name_play(found)

    def _pick(self, found: re.Match[str]) -> Script:
        """He holds the button at his play, and presses for the next at any other."""
        mine = aloud(self._game.write_play(self._truth.position, self._truth.doing), ENGLISH)
        yield from self._press(press=Press.LONG if found[1] == mine else Press.SHORT)

    def _name_play(self, _: Any) -> Script:
        """He finds his play among the choices with two keys; the pages are tested elsewhere."""
        play = self._written(self._truth.doing)
        self._ears.tap(Act.CHOOSE, play=play)
        yield LOOK
        yield from self._press()
