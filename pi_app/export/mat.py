"""Matches written as `.mat` files, as GNU Backgammon and other programs read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from pi_app.base.values import dataclass
from pi_app.export.retold import Kept, RetoldStep
from pi_app.match.acts import Act
from pi_app.match.score import Score
from pi_app.match.turns import MatchState, Phase
from pi_app.referee.events import EventError
from pi_app.referee.options import read_options
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.position import AGAINST, BAR, USUAL, TablesPosition, count
from pi_app.rules.tables.turns import after_states, field_of, longest
from pi_app.rules.terms import Roll, Side
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
NO_WORDS = "this form has no words for that"
INSTEAD = "export without --mat or --sgf for a score sheet, which tells it"


@dataclass(frozen=True, slots=True)
class MatTurn:
    """One entry of a column.

    `undo` is the position and roll that an undo of this turn returns to. `corrects`: it is no turn
    but a corrected board, which must be gone when the file is written. `is_open`: a roll that was
    never played.
    """

    side: Side
    text: str
    undo: tuple[str, Roll | None] | None = None
    corrects: bool = False
    is_open: bool = False


@dataclass(slots=True)
class MatGame:
    """A game while it is written.

    `won` is the winner and the points with the stake. `gone` is what was before each undo. `tied`:
    opening dice doubled the stake, which began as `cube`.
    """

    rules: AnyGame
    number: int
    score: Score
    turns: list[MatTurn] = field(default_factory=list)
    won: tuple[Side, int] | None = None
    gone: list[tuple[list[MatTurn], tuple[Side, int] | None]] = field(default_factory=list)
    tied: bool = False
    cube: int = 1
    resigned: bool = False


def mat_lines(kept: Kept, began: str) -> Iterator[str]:
    """Yield the lines of the file; `began` is 2026-03-01T20:15.

    Raises EventError for a match that the format cannot express.
    """
    games = games_of(kept)
    yield from _heading(kept, began)
    for game in games:
        yield from _game(game, kept.start.players)


def games_of(kept: Kept) -> list[MatGame]:
    """The games as they are written. Raises EventError for what cannot be expressed."""
    if kept.opening().starter:
        raise EventError(f"the match began from a position; {NO_WORDS}; {INSTEAD}")
    games = _told(kept)
    for game in games:
        _check(game)
    return games


def _told(kept: Kept) -> list[MatGame]:
    state, rules = kept.opening(), kept.game
    games = [MatGame(rules, state.standing.game_number, state.standing.score)]
    for step in kept.steps():
        state = step.after
        if step.decision.what is Act.NEXT_GAME:
            games.append(MatGame(rules, state.standing.game_number, state.standing.score))
        else:
            _tell(games[-1], step)
        if step.decision.what is Act.BOARD_SET:
            games[-1].cube = state.standing.cube.value
        if step.ends_game:
            games[-1].won = _won(step)
            games[-1].resigned = step.decision.what in (Act.ACCEPT, Act.FLAG)
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
    turn = MatTurn(rules.mover(position), f"{state.roll}:", is_open=True)
    return [turn] if len(choices) > 1 else []


def _won(step: RetoldStep) -> tuple[Side, int]:
    old, new = step.before.standing.score, step.after.standing.score
    winner = Side.WHITE if new.white > old.white else Side.BLACK
    return winner, new[winner] - old[winner]


def _check(game: MatGame) -> None:
    if game.tied:
        where = f"in game {game.number} tied opening dice turned the cube"
        raise EventError(f"{where}; {NO_WORDS}; {INSTEAD}")
    for number, turn in enumerate(game.turns):
        if turn.corrects and turn.undo:
            where = f"in game {game.number} entry {number + 1} is no legal play; it was condoned"
            raise EventError(f"{where}; {NO_WORDS}; {INSTEAD}")
        if turn.corrects:
            where = f"in game {game.number} the board was corrected after entry {number}"
            raise EventError(f"{where}; {NO_WORDS}; {INSTEAD}")


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
    agreement = read_options(start, kept.series, kept.games.options).agreement
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
    white, black = (player_name(*who) for who in zip(players, ("White", "Black"), strict=True))
    yield ""
    yield f" Game {game.number}"
    yield f"{f' {white} : {game.score.white}':<{LEFT + 2}}    {black} : {game.score.black}"
    for number, (left, right) in enumerate(_rows(game.turns), start=1):
        yield f"{number:3}) {left:<{LEFT}} {right or EMPTY}"
    if game.won:
        winner, points = game.won
        margin = 6 if winner is Side.WHITE else 6 + LEFT + 1
        yield f"{'':{margin}}Wins {points} point{'s' * (points != 1)} {EMPTY}"


def player_name(name: str, otherwise: str) -> str:
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
