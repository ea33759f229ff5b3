"""Games as another program's file tells them, replayed by the rules into a match.

A file's headings are the truth about the score: they show what its program counted, also where it
names no Jacoby rule, no automatic double and no Crawford rule.  What cannot be replayed costs its
game, never the match; a fault names the line.
"""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from itertools import pairwise, zip_longest
from typing import NamedTuple, TypeAlias

from pi_app.base.errors import GivenError
from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.export.retold import Kept
from pi_app.match.acts import Act
from pi_app.match.origin import ORIGIN, write_origin
from pi_app.match.score import Agreement, Cube, Score, Standing, worth
from pi_app.match.turns import OVER, GameResult, Phase, State, Turns, UnknownActError
from pi_app.referee.decision import Decision
from pi_app.referee.events import Start
from pi_app.rules.contract import BEAVERS, JACOBY, AnyGame, Games
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.position import BAR, OFF, USUAL
from pi_app.rules.tables.turns import field_of, play_to, stepped
from pi_app.rules.terms import Die, PositionError, Roll, Side
from pi_app.words.texts import clean_name, quoted

MOST_POINTS = 999
_STANDARD = "Backgammon"
VARIATIONS = {"standard": _STANDARD, "hypergammon": "HyperGammon (3)"}
"""Other words for GNU Backgammon's names of the variations, in small letters."""

Steps: TypeAlias = tuple[tuple[int, int], ...]
"""Where each checker comes from and goes to, in the mover's numbers."""


class FileWord(Enum):
    """What an entry says."""

    ROLL = "roll"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    TAKE = "take"
    DROP = "drop"
    GIVES_UP = "gives up"
    WINS = "wins"


class EntryError(GivenError):
    """The text is no match that can be read. The message names the line."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One entry of a game; `side` is whose column it stands in.

    `steps` are those of a roll: empty where nothing could be moved or the play is hidden, which
    `hidden` tells. `points` are those won, or the levels of a resignation (2 a gammon); `stake` is
    where a double turns the cube to.
    """

    line: int
    word: FileWord
    side: Side
    text: str
    dice: tuple[int, int] = (0, 0)
    steps: Steps = ()
    hidden: bool = False
    points: int | None = None
    stake: int | None = None


@dataclass(slots=True)
class FileGame:
    """One game of a file: `line` is its heading's, `position` the board where it begins elsewhere.

    `cube` is what automatic doubles had turned the cube to.  `result` is how the game ended, where
    no entry says so.  `fault` is the first thing in it that cannot be read.
    """

    line: int
    number: int
    score: Score
    entries: list[FileEntry] = field(default_factory=list)
    position: str = ""
    cube: int = 1
    result: FileEntry | None = None
    fault: EntryError | None = None

    @property
    def wins(self) -> FileEntry | None:
        return next((one for one in self.entries if one.word is FileWord.WINS), self.result)

    def has(self, word: FileWord) -> bool:
        return any(one.word is word for one in self.entries)


@dataclass(slots=True)
class MatchFile:
    """A file as it was read; None where it does not say."""

    players: tuple[str, str] = ("", "")
    match_to: int | None = None
    variation: str = ""
    crawford: bool | None = None
    jacoby: bool | None = None
    cube: bool = True
    date: str = ""
    games: list[FileGame] = field(default_factory=list)

    @property
    def restarts(self) -> bool:
        """Whether every heading says 0 : 0: then none counts, and the games are added up."""
        return len(self.games) > 1 and not any(any(one.score) for one in self.games)


class MatchReading(NamedTuple):
    """A match of another program; `faults` are what of it could not be read, each with its line.

    `date` is the day that the file names (2026-03-01), or empty. All times of the match are 0.
    """

    kept: Kept
    faults: tuple[str, ...]
    date: str = ""


def replayed(given: MatchFile, games: Games) -> MatchReading:
    """Raises EntryError where no game can be replayed."""
    game = _variation(given.variation, games)
    crawfords = _CrawfordGame.of(given)
    agreed = Agreement(
        given.match_to,
        cube=given.cube,
        crawford=crawfords.agreed,
        tie_turns_cube=False,
        jacoby=given.match_to is None and given.cube and _jacoby(given),
        beavers=given.match_to is None and any(one.has(FileWord.BEAVER) for one in given.games),
    )
    replay = _MatchReplay(Turns(game, agreed), given)
    faults: list[str] = []
    error = EntryError(f"it has no game of {game.title}: no line “Game 1” and the players below it")
    for place, (one, after) in enumerate(zip_longest(given.games, given.games[1:])):
        if replay.state and replay.state.phase is Phase.MATCH_OVER:
            faults.append(f"line {one.line}: left out, the match is over before game {one.number}")
            break
        try:
            replay.add(one, crawfords.standing(one, place), after)
        except EntryError as found:
            error = error if faults else found
            faults.append(f"{found}; game {one.number} is left out")
    if replay.opening is None:
        raise error
    faults += replay.remarks
    start = _start(game, agreed, given, replay.opening)
    return MatchReading(Kept(start, tuple(replay.decisions), games), tuple(faults), given.date)


def _variation(name: str, games: Games) -> AnyGame:
    named = {g.variation.lower(): g for g in games.values() if isinstance(g, TablesGame)}
    word = (name or _STANDARD).lower()
    game = named.get(VARIATIONS.get(word, word).lower()) if word else None
    if game is None:
        there = ", ".join(g.variation for g in named.values() if g.variation)
        raise EntryError(f"variation {quoted(name)} cannot be read; these can: {there}")
    return game


def _jacoby(given: MatchFile) -> bool:
    """Files of GNU Backgammon do not name the rule, which is its usual one: it says "Wins 2 points"
    of a gammon and counts 1 in the next heading. A resigned gammon it counts as two."""
    if given.jacoby is not None:
        return given.jacoby
    for one, after in pairwise(given.games):
        more = one.wins and one.wins.points and one.wins.points > 1
        if more and not one.has(FileWord.DOUBLE) and _gain(one, after) == 1:
            return True
    return False


def _gain(one: FileGame, after: FileGame | None) -> int:
    """Return the winner's points by the next game's heading, or 0 if there is none."""
    if after is None or after.number != one.number + 1:
        return 0
    gains = [after.score[side] - one.score[side] for side in Side]
    return max(gains) if min(gains) == 0 else 0


@dataclass(frozen=True, slots=True)
class _CrawfordGame:
    """Whether the Crawford rule is agreed, and which game it is; `played`: before the first."""

    agreed: bool
    place: int | None = None
    played: bool = False

    @classmethod
    def of(cls, given: MatchFile) -> _CrawfordGame:
        """No file of GNU Backgammon says that the rule is off, but then the cube is turned in what
        would be its game; in an excerpt it may have been played before."""
        to = given.match_to
        if to is None or given.crawford is False:
            return cls(given.match_to is None)
        place = next((n for n, one in enumerate(given.games) if one.score.best == to - 1), None)
        doubled = place is not None and given.games[place].has(FileWord.DOUBLE)
        if doubled and place == 0 and any(given.games[0].score):
            return cls(True, None, played=True)
        return cls(not doubled or bool(given.crawford), place)

    def standing(self, game: FileGame, place: int) -> Standing:
        now = self.agreed and place == self.place
        played = self.agreed and (self.played or (self.place is not None and place > self.place))
        return Standing(game.score, Cube(game.cube), game.number, now, played)


def _start(game: AnyGame, agreed: Agreement, given: MatchFile, opening: State) -> Start:
    white, black = (clean_name(name) for name in given.players)
    options: dict[str, bool | int | str] = {"cube": agreed.cube, "crawford": agreed.crawford}
    if agreed.jacoby or (given.jacoby is False and agreed.cube and agreed.match_to is None):
        options[JACOBY.name] = agreed.jacoby
    if agreed.beavers:
        options[BEAVERS.name] = True
    standing = opening.standing
    if any(standing.score) or standing.game_number > 1:
        written = replace(opening, position=game.write_position(opening.position))
        options[ORIGIN] = write_origin(written, game)
    names = (white or "White", black or "Black")
    return Start(Us(0), game.name, "", agreed.match_to, names, options)


@dataclass(slots=True)
class _MatchReplay:
    """The match replayed so far; a game that cannot be replayed leaves it as it was."""

    turns: Turns
    given: MatchFile
    state: State | None = None
    opening: State | None = None
    decisions: list[Decision] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def add(self, given: FileGame, standing: Standing, after: FileGame | None) -> None:
        """Raises EntryError, which names the line."""
        if given.fault:
            raise given.fault
        target, best = self.turns.agreement.match_to, standing.score.best
        if target is not None and best >= target:
            raise EntryError(f"line {given.line}: {best} points of {target}: the match is over")
        if self.state and self.given.restarts:
            standing = replace(standing, score=self.state.standing.score)
        game = _GameReplay(self.turns, given, self.turns.begin(standing))
        game.play(after)
        if cube := self._automatic(game, after):
            game = _GameReplay(self.turns, given, self.turns.begin(replace(standing, cube=cube)))
            game.play(after)
        game.end(after, stated_jacoby=bool(self.given.jacoby))
        if self.state is None:
            self.opening = game.opening
        else:
            position = self.turns.game.write_position(game.opening.position)
            begun = replace(game.opening, position=position)
            self.decisions.append(Decision(Us(0), Act.NEXT_GAME, begun))
        self.state = game.state
        self.decisions += game.decisions
        self.remarks += game.remarks

    def _automatic(self, game: _GameReplay, after: FileGame | None) -> Cube | None:
        """The cube that automatic doubles turned: no file tells them but by what the game won."""
        result = game.state.result
        if self.turns.agreement.match_to is not None or game.given.cube > 1 or not result:
            return None
        wins = None if self.turns.agreement.jacoby else game.given.wins
        counted = _gain(game.given, after) or (wins and wins.points) or 0
        times, left = divmod(counted, result.points)
        if left or times < 2 or times & (times - 1):
            return None
        return Cube(times)


@dataclass(slots=True)
class _GameReplay:
    """One game being replayed from its opening state."""

    turns: Turns
    given: FileGame
    opening: State
    state: State = field(init=False)
    decisions: list[Decision] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    open_roll: bool = False
    gave_up: FileEntry | None = None
    line: int = 0
    position: str = ""

    def __post_init__(self) -> None:
        self.state, self.line = self.opening, self.given.line

    @property
    def game(self) -> AnyGame:
        return self.turns.game

    def play(self, after: FileGame | None) -> None:
        if self.given.position:
            self._set_position()
        else:
            self._does(Act.BOARD_SET)
        over = False
        for entry in self.given.entries:
            self.line = entry.line
            if over and entry.word in (FileWord.ROLL, FileWord.DOUBLE):
                self.remarks.append(f"line {self.line}: left out, the game was over before")
                break
            over = over or entry.word is FileWord.WINS
            self._take(entry)
        winner = self._winner(after)
        if self.state.phase is Phase.DOUBLE_OFFERED and winner is self.state.to_act.other:
            self._does(Act.PASS)

    def _take(self, entry: FileEntry) -> None:
        word = entry.word
        if word is FileWord.GIVES_UP:
            self.gave_up = entry
        if word in (FileWord.GIVES_UP, FileWord.WINS) or (word is FileWord.TAKE and self.gave_up):
            return
        if self.open_roll:
            raise self._error(f"the roll before has no play; then comes {quoted(entry.text)}")
        self.gave_up = None
        if word is FileWord.ROLL:
            self._turn(entry)
        elif word is FileWord.RACCOON:
            raise self._error(f"{quoted(entry.text)}: a beaver cannot be doubled here")
        elif word is FileWord.BEAVER:
            self._does(Act.BEAVER)
        elif word is FileWord.DOUBLE:
            self._double(entry)
        else:
            self._does(Act.TAKE if word is FileWord.TAKE else Act.PASS)

    def _double(self, entry: FileEntry) -> None:
        self._does(Act.DOUBLE)
        stake = 2 * self.state.standing.cube.value
        # In a money session automatic doubles may have turned the cube before.
        if entry.stake not in (None, stake) and self.turns.agreement.match_to is not None:
            raise self._error(f"{quoted(entry.text)}: the cube goes to {stake}")

    def _turn(self, entry: FileEntry) -> None:
        if self.state.phase is Phase.DOUBLE_OFFERED:
            self._does(Act.TAKE)
        if self.state.phase is Phase.OPENING_THROW:
            self._throw(entry)
        else:
            self._does(Act.ROLL, Roll.of(*entry.dice))
        self._play(entry, self.state.roll or Roll(()))

    def _throw(self, entry: FileEntry) -> None:
        one, two = entry.dice
        if one == two:
            raise self._error(f"{one}{two}: a game begins with two different dice")
        higher, lower = Die(max(one, two)), Die(min(one, two))
        for side in Side:
            self._does(Act.THROW, higher if side is entry.side else lower)

    def _play(self, entry: FileEntry, roll: Roll) -> None:
        state, game = self.state, self.game
        if not entry.steps:
            plays = () if entry.hidden else game.plays(state.position, roll)
            forfeit = len(plays) == 1 and not game.moves(state.position, plays[0])
            self.open_roll = not forfeit
            if forfeit:
                self._does(Act.PLAY, plays[0])
            return
        assert isinstance(game, TablesGame)
        play = play_to(state.position, roll, self._stepped(entry), game.variant)
        if play is None:
            side = "the first" if state.to_act is Side.WHITE else "the second"
            raise self._error(f"{quoted(entry.text)} is no legal play of {side} player")
        self._does(Act.PLAY, play)

    def _stepped(self, entry: FileEntry) -> int:
        """The state after the steps, whether they are legal or not."""
        start = field_of(self.state.position, USUAL)
        state = start.state
        for step in entry.steps:
            if not OFF <= step[1] < step[0] <= BAR:
                raise self._error(f"{step[0]}/{step[1]}: checkers go from higher to lower numbers")
            now = stepped(start, state, step)
            if now is None:
                raise self._error(f"{quoted(entry.text)}: no checker is on {step[0]}")
            state = now
        return state

    def _set_position(self) -> None:
        first = self.given.entries[0].side if self.given.entries else Side.WHITE
        self.line = self.given.line
        try:
            mover = "w" if first is Side.WHITE else "b"
            position = self.game.read_position(f"{self.given.position} {mover}")
        except PositionError as error:
            raise self._error(error.reasons[0]) from None
        self._does(Act.CORRECT, position)

    # The end of a game

    def _winner(self, after: FileGame | None) -> Side | None:
        wins = self.given.wins
        if self.state.phase in OVER and self.state.result:
            return self.state.result.winner
        if wins:
            return wins.side
        if self.gave_up:
            return self.gave_up.side.other
        if after and _gain(self.given, after):
            return max(Side, key=lambda side: after.score[side] - self.given.score[side])
        return None

    def end(self, after: FileGame | None, *, stated_jacoby: bool) -> None:
        """End the game as the file says; a game that was not played to its end was resigned."""
        winner, wins = self._winner(after), self.given.wins
        if winner is None:
            if after:
                raise self._error("the game has no end")
            return
        self.line = wins.line if wins else self.line
        counted = _gain(self.given, after)
        if counted and after and after.score[winner] == self.given.score[winner]:
            counted = 0
        played = self.state.phase in OVER
        if played and self.state.result:
            points = self.state.result.points
        else:
            points = self._resigned(winner, wins, counted, stated_jacoby=stated_jacoby)
            self._give_up(winner, points)
        by_jacoby = self.turns.agreement.jacoby and (counted or played)
        if wins and wins.points not in (None, counted or points) and not by_jacoby:
            self.remarks.append(
                f"line {self.line}: “Wins {wins.points}” is counted as {counted or points}"
            )
        self._count(winner, counted or points)

    def _resigned(
        self, winner: Side, wins: FileEntry | None, counted: int, *, stated_jacoby: bool
    ) -> int:
        """The points of a resignation: whole multiples of the stake, at most those that win the
        match where a file claims more than can be won."""
        agreement, stake = self.turns.agreement, self.state.standing.cube.value
        level = (self.gave_up.points if self.gave_up else None) or 1
        claimed = wins.points if wins and wins.points is not None else level * stake
        if counted:
            return counted
        if claimed in (stake, 2 * stake, 3 * stake):
            level = claimed // stake
            if stated_jacoby and worth(agreement, self.state.standing, level) < level:
                raise self._error(f"nobody can win {claimed} points here: by Jacoby it is {stake}")
            return claimed
        if agreement.match_to is not None:
            lacking = agreement.match_to - self.opening.standing.score[winner]
            if claimed >= lacking:
                return lacking
        return min(max(claimed // stake, 1), 3) * stake

    def _give_up(self, winner: Side, points: int) -> None:
        level = min(max(points // self.state.standing.cube.value, 1), 3)
        self.state = self.turns.before_resigning(self.state, winner.other)
        self._does(Act.RESIGN, level)
        self._does(Act.ACCEPT)

    def _count(self, winner: Side, points: int) -> None:
        """Set the score that the file counts."""
        state = self.state
        assert state.result
        if state.result.points == points:
            return
        score = self.opening.standing.score.add(winner, points)
        result = GameResult(winner, points, state.result.name)
        self.state = self.turns.counted(state, result, score)
        last = self.decisions[-1]
        position = last.state.position
        self.decisions[-1] = replace(last, state=replace(self.state, position=position))

    def _error(self, why: str) -> EntryError:
        return EntryError(f"line {self.line}: {why}")

    def _does(self, act: Act, argument: object = None) -> None:
        side = None if act in (Act.BOARD_SET, Act.CORRECT) else self.state.to_act
        try:
            after = self.turns.act(self.state, act, argument)
        except UnknownActError as error:
            raise self._error(str(error)) from None
        dice = self.state.roll if act is Act.PLAY else None
        if act is Act.ROLL and isinstance(argument, Roll):
            dice = argument
        elif act is Act.THROW and isinstance(argument, int):
            dice = Roll.of(argument)
        play = self.game.write_play(self.state.position, argument) if act is Act.PLAY else None
        # Most acts move nothing, and writing a position takes as long as finding the plays.
        if after.position != self.state.position or not self.decisions:
            self.position = self.game.write_position(after.position)
        kept = replace(after, position=self.position)
        self.decisions.append(Decision(Us(0), act, kept, side, dice, play=play))
        self.state = after
