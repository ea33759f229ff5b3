"""Matches as `.mat` files, written and read as GNU Backgammon and other programs do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from pi_app.base.errors import GivenError
from pi_app.base.microseconds import Us
from pi_app.export.retold import Kept, RetoldStep
from pi_app.match.acts import Act
from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.match.turns import OVER, MatchState, Phase, State, Turns, UnknownActError
from pi_app.referee.decision import Decision
from pi_app.referee.events import EventError, Start
from pi_app.referee.options import read_options
from pi_app.rules.contract import BEAVERS, JACOBY, AnyGame, Games
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.position import AGAINST, BAR, OFF, USUAL, TablesPosition, count
from pi_app.rules.tables.turns import after_states, field_of, longest, stepped
from pi_app.rules.terms import Die, Roll, Side
from pi_app.words.texts import clean_name, quoted
from pi_app.words.wall_time import date_of

# A Backgammon match as a `.mat` file, which GNU Backgammon and others read.
#
# The format is Jellyfish's and nowhere written down; this is what GNU Backgammon writes and reads.
# Each game has White's turns on the left and Black's on the right, each side with its own point
# numbers, 25 for the bar and 0 for off, and one step for each die. A game that ends by neither a
# bear-off nor `Drops` was resigned.
#
# Only the game that counts is told: what was taken back is left out. For a board that was
# corrected the format has no words; a match in which that counts is an error.

LEFT = 27
"""The width of the left column."""
EMPTY = " "
"""An empty right column, which needs two blanks: without them GNU Backgammon 1.07 reads the right
column of an earlier line again."""
INSTEAD = "export without --mat for a score sheet, which tells it"


@dataclass(frozen=True, slots=True)
class MatTurn:
    """One entry of a column.

    `undo` is the position and roll that an undo of this turn returns to. `corrects`: it is no turn
    but a corrected board, which must be gone when the file is written.
    """

    side: Side
    text: str
    undo: tuple[str, Roll | None] | None = None
    corrects: bool = False


@dataclass(slots=True)
class MatGame:
    """A game while it is written.

    `won` is the winner and the points with the stake. `gone` is what was before each undo. `tied`:
    opening dice doubled the stake.
    """

    rules: AnyGame
    number: int
    score: Score
    turns: list[MatTurn] = field(default_factory=list)
    won: tuple[Side, int] | None = None
    gone: list[tuple[list[MatTurn], tuple[Side, int] | None]] = field(default_factory=list)
    tied: bool = False


def mat_lines(kept: Kept, began: str) -> Iterator[str]:
    """Yield the lines of the file; `began` is 2026-03-01T20:15.

    Raises EventError for a match that the format cannot express.
    """
    if kept.opening().starter:
        raise EventError(f"the match began from a position; .mat has no words for that; {INSTEAD}")
    games = _games_of(kept)
    for game in games:
        _check(game)
    yield from _heading(kept, began)
    for game in games:
        yield from _game(game, kept.start.players)


def _games_of(kept: Kept) -> list[MatGame]:
    state, rules = kept.opening(), kept.game
    games = [MatGame(rules, state.standing.game_number, state.standing.score)]
    for step in kept.steps():
        state = step.after
        if step.decision.what is Act.NEXT_GAME:
            games.append(MatGame(rules, state.standing.game_number, state.standing.score))
        else:
            _tell(games[-1], step)
        if step.ends_game:
            games[-1].won = _won(step)
    games[-1].turns += _open_roll(rules, state)
    return [game for game in games if game.turns or game.won or game is games[0]]


def _tell(game: MatGame, step: RetoldStep) -> None:
    before, after = step.before, step.after
    match step.decision.what:
        case Act.PLAY:
            game.turns.append(_turn(game.rules, step))
        case Act.DOUBLE | Act.BEAVER | Act.TAKE | Act.PASS:
            game.turns += _cube(game, step)
        case Act.THROW if after.standing.cube.value > before.standing.cube.value:
            game.tied = True
        case Act.ACCEPT | Act.FLAG:
            game.turns += _open_roll(game.rules, before)
        case Act.CORRECT:
            game.turns += _corrected(game, before, after)
        case Act.TAKE_BACK:
            _take_back(game, (after.position, after.roll))
        case Act.RESTORE if game.gone:
            game.turns, game.won = game.gone.pop()
        case _:
            pass


def _cube(game: MatGame, step: RetoldStep) -> list[MatTurn]:
    what, stake = step.decision.what, 2 * step.after.standing.cube.value
    if what is Act.TAKE and game.turns and game.turns[-1].text.startswith(" Beavers"):
        return []  # the roll that follows takes it
    words = {
        Act.DOUBLE: f" Doubles => {stake}",
        Act.BEAVER: f" Beavers => {stake}",
        Act.TAKE: " Takes",
        Act.PASS: " Drops",
    }
    return [MatTurn(step.before.to_act, words[what])]


def _turn(rules: AnyGame, step: RetoldStep) -> MatTurn:
    """The entry of a play. A condoned illegal play cannot be written in this format."""
    before = step.before
    if step.decision.condoned:
        return MatTurn(before.to_act, "", (before.position, before.roll), corrects=True)
    return _made(rules, before, step.after)


def _take_back(game: MatGame, undo: tuple[str, Roll | None]) -> None:
    game.gone.append((list(game.turns), game.won))
    place = max(index for index, turn in enumerate(game.turns) if turn.undo == undo)
    del game.turns[place:]
    game.won = None


def _corrected(game: MatGame, before: MatchState[str], after: MatchState[str]) -> list[MatTurn]:
    """Write a corrected board as a legal play if it is one, or as a correction.

    Empty if nothing changed.
    """
    old, new = (game.rules.read_position(state.position) for state in (before, after))
    mover = new.mover if not game.turns else old.mover
    if new == old.with_mover(mover):
        return []
    if before.roll and new in game.rules.results(old, before.roll):
        return [replace(_made(game.rules, before, after), undo=None)]
    return [MatTurn(before.to_act, "", corrects=True)]


def _open_roll(rules: AnyGame, state: MatchState[str]) -> list[MatTurn]:
    """The entry of a roll that was never played. Readers take a roll without a play for a forfeit,
    or play it if only one play is legal; such a roll is left out."""
    if state.phase not in (Phase.MOVING, Phase.RESIGNATION_OFFERED) or not state.roll:
        return []
    position = rules.read_position(state.position)
    choices = rules.results(position, state.roll)
    told = MatTurn(rules.mover(position), f"{state.roll}:")
    return [told] if len(choices) > 1 else []


def _won(step: RetoldStep) -> tuple[Side, int]:
    old, new = step.before.standing.score, step.after.standing.score
    winner = Side.WHITE if new.white > old.white else Side.BLACK
    return winner, new[winner] - old[winner]


def _check(game: MatGame) -> None:
    if game.tied:
        where = f"in game {game.number} tied opening dice turned the cube"
        raise EventError(f"{where}; .mat has no words for that; {INSTEAD}")
    for number, turn in enumerate(game.turns):
        if turn.corrects and turn.undo:
            where = f"in game {game.number} entry {number + 1} is no legal play; it was condoned"
            raise EventError(f"{where}; .mat has no words for that; {INSTEAD}")
        if turn.corrects:
            where = f"in game {game.number} the board was corrected after entry {number}"
            raise EventError(f"{where}; .mat has no words for that; {INSTEAD}")


def _made(rules: AnyGame, before: MatchState[str], after: MatchState[str]) -> MatTurn:
    """The roll and each die's step, with a star for a hit. A forfeit is the roll alone."""
    old, new = (rules.read_position(state.position) for state in (before, after))
    blots = {n for n in range(1, BAR) if count(old.men(old.mover.other), AGAINST.across[n]) == 1}
    written = [f"{before.roll}:"]
    for origin, target in _steps(old, before.roll or Roll(()), new):
        written.append(f"{origin}/{target}{'*' * (target in blots)}")
        blots.discard(target)
    undo = (before.position, before.roll)
    return MatTurn(before.to_act, " ".join(written), undo)


def _steps(old: TablesPosition, roll: Roll, new: TablesPosition) -> list[tuple[int, int]]:
    """The steps between two positions, in the mover's numbers."""
    start = field_of(old, USUAL)
    for lines in longest(start, roll):
        for node in lines.nodes:
            if new in after_states(old, start, [node[0]]):
                return lines.steps(node)
    raise EventError(f"no play of {roll} leads from {old} to {new}")


def _heading(kept: Kept, began: str) -> Iterator[str]:
    start, rules = kept.start, kept.game
    agreement = read_options(start, rules, kept.games.options).agreement
    if date_of(began):
        yield f'; [EventDate "{began[:10].replace("-", ".")}"]'
    yield f'; [Variation "{_variation(rules)}"]'
    if start.match_to:
        yield f'; [Crawford "{_on(agreement.crawford)}"]'
    else:
        yield f'; [Jacoby "{_on(agreement.jacoby)}"]'
    yield ""
    yield f" {start.match_to or 0} point match"


def _variation(game: AnyGame) -> str:
    return game.variation if isinstance(game, TablesGame) else ""


def _on(chosen: bool) -> str:
    return "On" if chosen else "Off"


def _game(game: MatGame, players: tuple[str, str]) -> Iterator[str]:
    white, black = (_player(*who) for who in zip(players, ("White", "Black"), strict=True))
    yield ""
    yield f" Game {game.number}"
    yield f"{f' {white} : {game.score.white}':<{LEFT + 2}}    {black} : {game.score.black}"
    for number, (left, right) in enumerate(_rows(game.turns), start=1):
        yield f"{number:3}) {left:<{LEFT}} {right or EMPTY}"
    if game.won:
        winner, points = game.won
        margin = 6 if winner is Side.WHITE else 6 + LEFT + 1
        yield f"{'':{margin}}Wins {points} point{'s' * (points != 1)} {EMPTY}"


def _player(name: str, otherwise: str) -> str:
    """Clean a name for readers, which stop at a colon and take a comma for the start of
    a rating."""
    return " ".join(name.replace(":", " ").replace(",", " ").split()) or otherwise


def _rows(turns: Iterable[MatTurn]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    waiting = False
    for turn in turns:
        if turn.side is Side.WHITE:
            rows.append((turn.text, ""))
        elif waiting:
            rows[-1] = (rows[-1][0], turn.text)
        else:
            rows.append(("", turn.text))
        waiting = turn.side is Side.WHITE
    return rows


# Reads a `.mat` file of Backgammon as a stored match, as GNU Backgammon, eXtreme Gammon or Spotter
# writes it.
#
# The format is nowhere written down: what stands in a row is found by what it looks like and whose
# turn it is, not by columns alone, which long plays overflow. The first player is White. Every
# play is held against the rules; an error names its line.

RIGHT = 20
"""An entry from this column on is the second player's; the first player's column is wider."""
MOST_POINTS = 999

_TAG = re.compile(r';\s*\[([^"]*)"(.*)"\]')
_TARGET = re.compile(r"\s*(\d{1,4})\s+point\s+match\s*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+(\d+)\s*", re.IGNORECASE)
_POINTS = re.compile(r":\s*(\d{1,4})\s{2,}")
"""The first player's points, between both names."""
_LAST_POINTS = re.compile(r"\s*\d{1,4}\s*")
_ROW = re.compile(r"\s*\d+\)")
_ENTRY = re.compile(
    r"(?P<roll>[1-6]{2}):|(?P<double>(?:Re)?doubles\s*(?:=>|to)?\s*(?P<stake>\d{1,5})?)|"
    r"(?P<beaver>beavers\s*(?:=>|to)?\s*\d{0,5})|(?P<take>takes|accepts)|"
    r"(?P<drop>drops|passes|rejects)|(?P<wins>wins\s+(?P<points>\d{1,5})\s+points?"
    r"(?:\s+and\s+the\s+match)?)",
    re.IGNORECASE,
)
_NO_MOVE = re.compile(r"cannot\s+move|no\s+move", re.IGNORECASE)
_STEP = re.compile(
    r"((?:bar|\d{1,2})(?:\*?/(?:off|bar|\d{1,2}))+)\*?(?:\(([1-4])\))?", re.IGNORECASE
)
_PLACES = {"bar": BAR, "off": OFF}


class MatError(GivenError):
    """The text is no valid backgammon match in this format. The message names the line."""


class RowEntry(NamedTuple):
    """One entry of a row: its column, its match of the regular expression, and the
    words after it."""

    column: int
    what: re.Match[str]
    rest: str


@dataclass(slots=True)
class _Match:
    """The match read so far: its start, the state, and whether a roll still lacks its play."""

    start: Start
    turns: Turns
    state: State
    decisions: list[Decision] = field(default_factory=list)
    open_roll: bool = False

    @property
    def game(self) -> AnyGame:
        return self.turns.game

    def begin_game(self, score: Score) -> None:
        if self.decisions:
            if self.state.phase not in OVER:
                raise MatError("the game before has no end")
            self._does(Act.NEXT_GAME)
        found = self.state.standing.score
        if found != score:
            raise MatError(
                f"the score is {score.white}–{score.black}; by the games before it is"
                f" {found.white}–{found.black}"
            )
        self._does(Act.BOARD_SET)

    def take(self, entry: RowEntry) -> None:
        what = entry.what
        if what["wins"]:
            self._won(int(what["points"]), entry.column)
            return
        if self.open_roll:
            raise MatError(f"the roll before has no play; then comes {quoted(what[0])}")
        if what["roll"]:
            self._turn(entry)
        elif what["double"]:
            self._does(Act.DOUBLE)
            stake = 2 * self.state.standing.cube.value
            if what["stake"] and int(what["stake"]) != stake:
                raise MatError(f"{quoted(what[0])}: the cube goes to {stake}")
        elif what["beaver"]:
            self._does(Act.BEAVER)
        else:
            self._does(Act.TAKE if what["take"] else Act.PASS)

    def _turn(self, entry: RowEntry) -> None:
        faces = [int(face) for face in entry.what["roll"]]
        if self.state.phase is Phase.DOUBLE_OFFERED and self.turns.is_beavered(self.state):
            self._does(Act.TAKE)
        if self.state.phase is Phase.OPENING_THROW:
            self._throw(faces, Side.BLACK if entry.column >= RIGHT else Side.WHITE)
        else:
            self._does(Act.ROLL, Roll.of(*faces))
        self._play(entry, self.state.roll or Roll(()))

    def _throw(self, faces: list[int], first: Side) -> None:
        if faces[0] == faces[1]:
            raise MatError(f"{faces[0]}{faces[1]}: a game begins with two different dice")
        higher, lower = Die(max(faces)), Die(min(faces))
        for side in Side:
            self._does(Act.THROW, higher if side is first else lower)

    def _play(self, entry: RowEntry, roll: Roll) -> None:
        state, game = self.state, self.game
        plays = tuple(game.plays(state.position, roll))
        steps = _written_steps(entry)
        if not steps:
            forfeit = len(plays) == 1 and not game.moves(state.position, plays[0])
            self.open_roll = not forfeit
            if forfeit:
                self._does(Act.PLAY, plays[0])
            return
        results, result = game.results(state.position, roll), self._after(entry, steps)
        if result not in results:
            side = "the first" if state.to_act is Side.WHITE else "the second"
            written = quoted(f"{entry.what[0]} {entry.rest.strip()}")
            raise MatError(f"{written} is no legal play of {side} player")
        self._does(Act.PLAY, plays[results.index(result)])

    def _after(self, entry: RowEntry, steps: list[tuple[int, int]]) -> object:
        """The position after these steps, legal or not."""
        start = field_of(self.state.position, USUAL)
        state = start.state
        for step in steps:
            if not OFF <= step[1] < step[0] <= BAR:
                raise MatError(f"{step[0]}/{step[1]}: checkers go from higher to lower numbers")
            now = stepped(start, state, step)
            if now is None:
                raise MatError(f"{quoted(entry.rest.strip())}: no checker is on {step[0]}")
            state = now
        (after,) = after_states(self.state.position, start, [state])
        return after

    def _won(self, points: int, column: int) -> None:
        """End the game. A game that was not played to its end was resigned."""
        winner = Side.BLACK if column >= RIGHT else Side.WHITE
        if self.state.phase is Phase.DOUBLE_OFFERED and self.state.to_act is not winner:
            self._does(Act.PASS)
        elif self.state.phase not in OVER:
            self._give_up(points, winner.other)
        result = self.state.result
        if result and result.points != points:
            raise MatError(f"{points} points are won; by the game before it is {result.points}")
        self.open_roll = False

    def _give_up(self, points: int, loser: Side) -> None:
        stake = self.state.standing.cube.value
        single, left = divmod(points, stake)
        if self.state.phase not in (Phase.TO_ROLL, Phase.MOVING) or left or not 0 < single <= 3:
            raise MatError(f"nobody can win {points} points here, with the cube at {stake}")
        self.state = replace(self.state, to_act=loser)
        self._does(Act.RESIGN, single)
        self._does(Act.ACCEPT)

    def _does(self, act: Act, argument: object = None) -> None:
        side = None if act in (Act.BOARD_SET, Act.NEXT_GAME) else self.state.to_act
        try:
            after = self.turns.act(self.state, act, argument)
        except UnknownActError as error:
            raise MatError(str(error)) from None
        dice = self.state.roll if act is Act.PLAY else None
        if act is Act.ROLL and isinstance(argument, Roll):
            dice = argument
        elif act is Act.THROW and isinstance(argument, int):
            dice = Roll.of(argument)
        play = self.game.write_play(self.state.position, argument) if act is Act.PLAY else None
        kept = replace(after, position=self.game.write_position(after.position))
        self.decisions.append(Decision(Us(0), act, kept, side, dice, play=play))
        self.state = after


@dataclass(slots=True)
class _File:
    """The file read so far. `awaited`: a game has begun whose players and score come next.
    `beavers`: there was a beaver."""

    game: AnyGame
    games: Games
    tags: dict[str, str] = field(default_factory=dict)
    match_to: int | None = None
    match: _Match | None = None
    awaited: bool = False
    beavers: bool = False

    def take(self, line: str) -> None:
        if tag := _TAG.match(line):
            self.tags[tag[1].strip().lower()] = tag[2]
        elif target := _TARGET.fullmatch(line):
            points = int(target[1])
            if points > MOST_POINTS:
                raise MatError(f"{points} points are more than {MOST_POINTS}")
            self.match_to = points or None
        elif _GAME.fullmatch(line):
            self.awaited = True
        elif self.awaited and (told := _players(line)):
            self.awaited = False
            names, score = told
            self.match = self.match or self._agreed(names, score)
            self.match.begin_game(score)
        elif line.strip() and not line.lstrip().startswith(";"):
            self._row(line)

    def _agreed(self, players: tuple[str, str], score: Score) -> _Match:
        variation = self.tags.get("variation", "standard")
        named = {_variation(game).lower(): game for game in self.games.values()}
        if variation and variation.lower() in named:
            self.game = named[variation.lower()]
        elif variation.lower() != "standard":
            raise MatError(f"variation {quoted(variation)}: only {self.game.title} can be read")
        cube = self.tags.get("cubelimit", "") != "1"
        agreed = Agreement(
            self.match_to,
            cube=cube,
            crawford=self._is_on("crawford", usual=True),
            tie_turns_cube=False,
            jacoby=self.match_to is None and cube and self._is_on("jacoby", usual=False),
            beavers=self.match_to is None and cube and self.beavers,
        )
        white, black = (clean_name(name) for name in players)
        options = {"cube": cube, "crawford": agreed.crawford}
        if agreed.jacoby:
            options[JACOBY.name] = True
        if agreed.beavers:
            options[BEAVERS.name] = True
        names = (white or "White", black or "Black")
        start = Start(Us(0), self.game.name, "", self.match_to, names, options)
        turns = Turns(self.game, agreed)
        return _Match(start, turns, turns.begin(_standing(agreed, score)))

    def _is_on(self, tag: str, *, usual: bool) -> bool:
        return self.tags.get(tag, "On" if usual else "Off").lower() in ("on", "true", "yes", "1")

    def _row(self, line: str) -> None:
        """Read a numbered row with one or two entries, or the line that names the winner."""
        numbered = _ROW.match(line)
        found = tuple(_entries(line, numbered.end() if numbered else 0))
        if not found:
            if numbered and not line[numbered.end() :].strip():
                return
            raise MatError(f"{quoted(line.strip())} is nothing of a match")
        if self.match is None:
            raise MatError("a turn stands before its game: first come “Game 1” and the players")
        for entry in found:
            self.match.take(entry)


def _players(line: str) -> tuple[tuple[str, str], Score] | None:
    """Both names and points: `Ada : 3    Ben : 0`."""
    head, _, last = line.rpartition(":")
    found = _POINTS.search(head)
    if not found or not _LAST_POINTS.fullmatch(last):
        return None
    names = (head[: found.start()].strip(), head[found.end() :].strip())
    return names, Score(int(found[1]), int(last))


def _standing(agreed: Agreement, score: Score) -> Standing:
    """The standing at the first game; a file may begin in the middle of a match."""
    if agreed.match_to is not None and score.best >= agreed.match_to:
        raise MatError(f"{score.best} points of {agreed.match_to}: the match is over")
    one_away = agreed.match_to is not None and score.best == agreed.match_to - 1
    return Standing(score, Cube(), 1, agreed.crawford and one_away, crawford_played=False)


def _written_steps(entry: RowEntry) -> list[tuple[int, int]]:
    """The steps in the mover's numbers; empty if the player could not move."""
    text = _NO_MOVE.sub("", entry.rest)
    steps = []
    for found in _STEP.finditer(text):
        way = [_place(name) for name in found[1].replace("*", "").split("/")]
        steps += list(pairwise(way)) * int(found[2] or 1)
    left = _STEP.sub("", text).strip(" .,?")
    if left or (not steps and "?" in text):
        raise MatError(f"{quoted(entry.rest.strip())} is no play")
    return steps


def read_mat(game: AnyGame, text: str, games: Games) -> Kept:
    """Read a match; all its times are 0. Raises MatError."""
    file = _File(game, games, beavers="beavers" in text.lower())
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        try:
            file.take(line.expandtabs())
        except MatError as error:
            raise MatError(f"line {number}: {error}") from None
    if file.match is None:
        raise MatError(f"it has no game of {game.title}: no line “Game 1” and the players below it")
    return Kept(file.match.start, tuple(file.match.decisions), games)


def _entries(line: str, begin: int) -> Iterator[RowEntry]:
    """The entries of a row, each with its column and the words up to the next one."""
    found = list(_ENTRY.finditer(line, begin))
    ends = [entry.start() for entry in found[1:]] + [len(line)]
    if not found or line[begin : found[0].start()].strip():
        return
    for entry, end in zip(found, ends, strict=True):
        yield RowEntry(entry.start(), entry, line[entry.end() : end])


def _place(name: str) -> int:
    word = name.lower()
    return _PLACES[word] if word in _PLACES else int(word)
