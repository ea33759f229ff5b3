"""Makes the puzzles that come with Spotter, with its own network.

Positions come from games of the network with itself, or for bearing off from chance; a puzzle is
kept if the answers differ enough to be told apart. The same seed makes the same puzzles.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, islice
from pathlib import Path

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.coach.practice import Puzzle, PuzzleKind, write_puzzles
from pi_app.games.equipment import Compendium
from pi_app.match.score import Agreement, first_game
from pi_app.players.contract import Player, Situation
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.tables.position import TablesPosition
from pi_app.rules.terms import Roll, Side

SEED = "practice 1"
JUDGE, QUICK = "network-2", "network"
MONEY = Agreement(match_to=None, cube=True, crawford=False, tie_turns_cube=False)
COUNTS: Mapping[PuzzleKind, int] = {
    PuzzleKind.OPENING: 15,
    PuzzleKind.PLAY: 30,
    PuzzleKind.BEAR_OFF: 30,
    PuzzleKind.TAKE: 30,
    PuzzleKind.PIPS: 30,
}
CHOICES = 4
CLEAR, CLOSE, FAR = 0.04, 0.04, 0.4
"""A best play must be so many points better than the next one; a take must cost or gain at least
and at most so much."""
FACES, MOST_PLAYS, HOME = 6, 200, 6
OFF = "/off"
CHECKERS = range(5, 11)
"""Checkers of a side left to bear off."""


def run(argv: list[str], games: Compendium) -> int:
    parser = Parser("puzzles", "Make the puzzles that come with Spotter.")
    parser.takes("--seed", "TEXT", f"default {SEED!r}, that of the file", default=SEED)
    parser.add_argument("file", metavar="FILE", type=Path, help="where they are written")
    given = parser.parse_args(argv)
    made = (puzzle for kind in PuzzleKind for puzzle in made_of(kind, given.seed, games))
    given.file.write_text(write_puzzles(made), "utf-8")
    return Status.DONE


def made_of(kind: PuzzleKind, seed: str, games: Compendium) -> Iterator[Puzzle]:
    """Yield the puzzles of a kind, in the order of the file."""
    lots = random.Random(f"{seed} {kind.value}")
    players = games.find(BACKGAMMON.name).contenders
    judge, quick = (players[name].make(BACKGAMMON) for name in (JUDGE, QUICK))
    make: Callable[[], Iterator[Puzzle]] = {
        PuzzleKind.OPENING: lambda: _openings(judge),
        PuzzleKind.PLAY: lambda: _plays(judge, quick, lots),
        PuzzleKind.BEAR_OFF: lambda: _bear_offs(judge, lots),
        PuzzleKind.TAKE: lambda: _takes(judge, quick, lots),
        PuzzleKind.PIPS: lambda: _pips(quick, lots),
    }[kind]
    return islice(make(), COUNTS[kind])


def _openings(judge: Player) -> Iterator[Puzzle]:
    start = BACKGAMMON.start(Side.WHITE)
    for low, high in combinations(range(1, FACES + 1), 2):
        puzzle = _of_play(PuzzleKind.OPENING, judge, start, Roll.of(high, low), clear=0)
        assert puzzle
        yield puzzle


def _plays(judge: Player, quick: Player, lots: random.Random) -> Iterator[Puzzle]:
    while True:
        positions = [one for one in _game(quick, lots) if one.mover is Side.WHITE][3:]
        for position in lots.sample(positions, min(2, len(positions))):
            puzzle = _of_play(PuzzleKind.PLAY, judge, position, _thrown(lots), CLEAR)
            if puzzle:
                yield puzzle


def _bear_offs(judge: Player, lots: random.Random) -> Iterator[Puzzle]:
    while True:
        white, black = (_homed(lots.choice(CHECKERS), lots) for _ in Side)
        position = TablesPosition(white, black, Side.WHITE)
        puzzle = _of_play(PuzzleKind.BEAR_OFF, judge, position, _thrown(lots), CLEAR)
        # To bear off more checkers than by any other play needs no thought.
        if puzzle and len({one.count(OFF) for one in islice(puzzle.answers, 2)}) == 1:
            yield puzzle


def _takes(judge: Player, quick: Player, lots: random.Random) -> Iterator[Puzzle]:
    """Black doubles; White takes or passes."""
    while True:
        for position in _game(quick, lots):
            if position.mover is Side.WHITE:
                continue
            cube = judge.weigh(_in_money(position))
            if cube is None or not CLOSE <= abs(cube.taken - cube.passed) <= FAR:
                continue
            worths = {"take": -cube.taken, "pass": -cube.passed}
            yield Puzzle(PuzzleKind.TAKE, _text(position, "doubled=yes"), _sorted(worths))
            break


def _pips(quick: Player, lots: random.Random) -> Iterator[Puzzle]:
    while True:
        positions = [one for one in _game(quick, lots) if one.mover is Side.WHITE][2:]
        if not positions:
            continue
        position = lots.choice(positions)
        right = BACKGAMMON.pips(position, Side.WHITE)
        wrong = [right + by for by in range(-8, 9) if by and right + by > 0]
        answers = {str(right): 0.0, **{str(n): -1.0 for n in lots.sample(wrong, CHOICES - 1)}}
        yield Puzzle(PuzzleKind.PIPS, _text(position), answers)


def _game(player: Player, lots: random.Random) -> list[TablesPosition]:
    """Return the positions of a game before each roll."""
    position, passed = BACKGAMMON.start(lots.choice([*Side])), list[TablesPosition]()
    while BACKGAMMON.outcome(position) is None and len(passed) < MOST_PLAYS:
        passed.append(position)
        opinion = player.rate(_in_money(position), _thrown(lots))
        position = BACKGAMMON.after(position, opinion.plays[0].play)
    return passed


def _homed(checkers: int, lots: random.Random) -> int:
    return sum(1 << 4 * lots.randint(1, HOME) for _ in range(checkers))


def _of_play(
    kind: PuzzleKind, judge: Player, position: TablesPosition, roll: Roll, clear: float
) -> Puzzle | None:
    """Return a puzzle with the best plays; None if there are too few or the best is not clear."""
    rated = judge.rate(_in_money(position), roll).plays
    if len(rated) < CHOICES or rated[0].worth - rated[1].worth < clear:
        return None
    worths = {BACKGAMMON.write_play(position, one.play): one.worth for one in rated[:CHOICES]}
    dice = "".join(map(str, roll.dice))
    return Puzzle(kind, _text(position, f"roll={dice}"), _sorted(worths))


def _in_money(position: TablesPosition) -> Situation:
    return Situation(position, MONEY, first_game(MONEY))


def _sorted(worths: Mapping[str, float]) -> Mapping[str, float]:
    """The best first, in thousandths of a point."""
    best_first = sorted(worths.items(), key=lambda one: -one[1])
    return {answer: round(worth, 3) for answer, worth in best_first}


def _text(position: TablesPosition, *fields: str) -> str:
    return " ".join((BACKGAMMON.name, BACKGAMMON.write_position(position), *fields))


def _thrown(lots: random.Random) -> Roll:
    return Roll.of(*(lots.randint(1, FACES) for _ in range(BACKGAMMON.dice)))
