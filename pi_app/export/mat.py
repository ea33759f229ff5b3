"""A Backgammon match as a `.mat` file, which GNU Backgammon and others read.

The format is Jellyfish's and nowhere written down; this is what GNU Backgammon writes and reads.
Each game has White's turns on the left and Black's on the right, each side with its own point
numbers, 25 for the bar and 0 for off, and one step for each die.  A game that ends by neither a
bear-off nor `Drops` was resigned.

Only the game that counts is told: what was taken back is left out.  For a board that was corrected
the format has no words; a match in which that counts is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from pi_app.export.retold import Kept, RetoldStep
from pi_app.match.phases import Phase
from pi_app.match.score import Score
from pi_app.match.turns import MatchState
from pi_app.referee.decision import What
from pi_app.referee.lines import EventError
from pi_app.referee.options import read_options
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.plays import after_states, field_of, longest
from pi_app.rules.tables.position import BAR, TablesPosition, count
from pi_app.rules.terms import Roll, Side
from pi_app.wall_time import date_of

LEFT = 27
"""The width of the left column."""
EMPTY = " "
"""An empty right column, to be told by two blanks: without them GNU Backgammon 1.07 reads the
right column of an earlier line again."""


@dataclass(frozen=True, slots=True)
class MatTurn:
    """One entry of a column.

    `what` was decided; of a play `roll` and `steps`, each from where to where as its mover counts;
    a roll that was never played is one of its own.  `undo` is the position and roll that a takeback
    of this turn goes back to.  `corrects`: it is no turn but a corrected board, which must not be
    left when the file is written.
    """

    side: Side
    text: str
    undo: tuple[str, Roll | None] | None = None
    corrects: bool = False
    what: What = What.PLAY
    roll: Roll | None = None
    steps: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class MatGame:
    """A game as it is being written down.

    `won` is the winner and the points with the stake, `ends` by what; `gone` is what was before
    each takeback.
    """

    rules: AnyGame
    number: int
    score: Score
    turns: list[MatTurn] = field(default_factory=list)
    won: tuple[Side, int] | None = None
    ends: What | None = None
    gone: list[tuple[list[MatTurn], tuple[Side, int] | None]] = field(default_factory=list)


def mat_lines(kept: Kept, began: str) -> Iterator[str]:
    """The lines of the file; `began` is 2026-03-01T20:15.

    Raises EventError for a match that the format has no words for.
    """
    start = kept.start
    games = games_of(kept, "mat")
    yield from _heading(kept, began)
    for game in games:
        yield from _game(game, start.players)


def games_of(kept: Kept, form: str) -> list[MatGame]:
    """The games that have begun, for a form of this name.

    Raises EventError for a match in which a corrected board counts: no such form has words for it.
    """
    games = _games_of(kept)
    for game in games:
        _check(game, form)
    return games


def _games_of(kept: Kept) -> list[MatGame]:
    state, rules = kept.opening(), kept.game
    games = [MatGame(rules, state.standing.game_number, state.standing.score)]
    for step in kept.steps():
        state = step.after
        if step.decision.what is What.NEXT_GAME:
            games.append(MatGame(rules, state.standing.game_number, state.standing.score))
        else:
            _tell(games[-1], step)
        if step.ends_game:
            games[-1].won, games[-1].ends = _won(step), step.decision.what
    games[-1].turns += _open_roll(rules, state)
    return [game for game in games if game.turns or game.won or game is games[0]]


def _tell(game: MatGame, step: RetoldStep) -> None:
    """Write down one thing that was decided."""
    before, after = step.before, step.after
    match step.decision.what:
        case What.PLAY:
            game.turns.append(_turn(game.rules, step))
        case What.DOUBLE:
            text = f" Doubles => {after.standing.cube.value * 2}"
            game.turns.append(MatTurn(before.to_act, text, what=What.DOUBLE))
        case What.TAKE:
            game.turns.append(MatTurn(before.to_act, " Takes", what=What.TAKE))
        case What.PASS:
            game.turns.append(MatTurn(before.to_act, " Drops", what=What.PASS))
        case What.RESIGNED | What.ACCEPTED | What.FLAG:
            game.turns += _open_roll(game.rules, before)
        case What.CORRECTION:
            game.turns += _corrected(game, before, after)
        case What.TAKE_BACK:
            _take_back(game, (after.position, after.roll))
        case What.RESTORED if game.gone:
            game.turns, game.won = game.gone.pop()
        case What.SHOWN:
            raise EventError(f"an earlier Spotter kept this match without its plays; {_instead()}")
        case _:
            pass


def _turn(rules: AnyGame, step: RetoldStep) -> MatTurn:
    """A play; one that is not legal and was condoned has no words here."""
    before = step.before
    if step.decision.condoned:
        return MatTurn(before.to_act, "", (before.position, before.roll), corrects=True)
    return _made(rules, before, step.after)


def _take_back(game: MatGame, undo: tuple[str, Roll | None]) -> None:
    """What was taken back, and all that came of it, never was."""
    game.gone.append((list(game.turns), game.won))
    place = max(index for index, turn in enumerate(game.turns) if turn.undo == undo)
    del game.turns[place:]
    game.won = None


def _corrected(game: MatGame, before: MatchState[str], after: MatchState[str]) -> list[MatTurn]:
    """A corrected board: nothing where it says nothing new, a legal play, or a correction."""
    old, new = (game.rules.read_position(state.position) for state in (before, after))
    mover = new.mover if not game.turns else old.mover
    if new == old.with_mover(mover):
        return []
    if before.roll and new in game.rules.results(old, before.roll):
        return [replace(_made(game.rules, before, after), undo=None)]
    return [MatTurn(before.to_act, "", corrects=True)]


def _open_roll(rules: AnyGame, state: MatchState[str]) -> list[MatTurn]:
    """A roll that was never played.

    A reader takes a roll without a play for a forfeit, or plays it if only one play is legal;
    such a roll is left out.
    """
    if state.phase not in (Phase.MOVING, Phase.RESIGNATION_OFFERED) or not state.roll:
        return []
    position = rules.read_position(state.position)
    choices = rules.results(position, state.roll)
    told = MatTurn(rules.mover(position), f"{state.roll}:", what=What.ROLL)
    return [told] if len(choices) > 1 else []


def _won(step: RetoldStep) -> tuple[Side, int]:
    old, new = step.before.standing.score, step.after.standing.score
    winner = Side.WHITE if new.white > old.white else Side.BLACK
    return winner, new.of(winner) - old.of(winner)


def _check(game: MatGame, form: str) -> None:
    for number, turn in enumerate(game.turns):
        if turn.corrects and turn.undo:
            where = f"in game {game.number} entry {number + 1} is no legal play; it was condoned"
            raise EventError(f"{where}; .{form} has no words for that; {_instead(form)}")
        if turn.corrects:
            where = f"in game {game.number} the board was corrected after entry {number}"
            raise EventError(f"{where}; .{form} has no words for that; {_instead(form)}")


def _instead(form: str = "mat") -> str:
    return f"export without --{form} for a score sheet, which tells it"


def _made(rules: AnyGame, before: MatchState[str], after: MatchState[str]) -> MatTurn:
    """A play: the roll and every die's step, a star at each hit; a forfeit is the roll alone."""
    old, new = (rules.read_position(state.position) for state in (before, after))
    blots = {n for n in range(1, BAR) if count(old.men(old.mover.other), BAR - n) == 1}
    written = [f"{before.roll}:"]
    steps = tuple(_steps(old, before.roll or Roll(()), new))
    for origin, target in steps:
        written.append(f"{origin}/{target}{'*' * (target in blots)}")
        blots.discard(target)
    undo = (before.position, before.roll)
    return MatTurn(before.to_act, " ".join(written), undo, roll=before.roll, steps=steps)


def _steps(old: TablesPosition, roll: Roll, new: TablesPosition) -> list[tuple[int, int]]:
    """The steps from one position to the next, as the mover numbers the points."""
    start = field_of(old, pins=False)
    for lines in longest(start, roll):
        for node in lines.nodes:
            if new in after_states(old, start, [node[0]], pins=False):
                return lines.steps(node)
    raise EventError(f"no play of {roll} leads from {old} to {new}")


def _heading(kept: Kept, began: str) -> Iterator[str]:
    start, rules = kept.start, kept.game
    agreement = read_options(start, rules, kept.games.options).agreement
    if date_of(began):
        yield f'; [EventDate "{began[:10].replace("-", ".")}"]'
    yield f'; [Variation "{rules.title}"]'
    if start.match_to:
        yield f'; [Crawford "{_on(agreement.crawford)}"]'
    else:
        yield f'; [Jacoby "{_on(agreement.jacoby)}"]'
    yield ""
    yield f" {start.match_to or 0} point match"


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
    """A name that a reader takes as one: a colon ends it, a comma may begin a rating."""
    return " ".join(name.replace(":", " ").replace(",", " ").split()) or otherwise


def _rows(turns: Iterable[MatTurn]) -> list[tuple[str, str]]:
    """White's and Black's turns side by side."""
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
