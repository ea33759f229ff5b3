"""`spotter rules`, `position`, `perft` and `plays`: the rules of the games."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import combinations_with_replacement
from typing import Any, BinaryIO

import segno

from pi_app.base.errors import GivenError
from pi_app.base.files import MOST_OF_LINE
from pi_app.base.strict import Reader
from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.ending import Status
from pi_app.cli.matches import number_of
from pi_app.export.ids import Ids
from pi_app.export.leaves import leaves
from pi_app.export.retold import Kept
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, data_folder
from pi_app.match.origin import START, Problem
from pi_app.match.turns import OVER
from pi_app.referee.options import of_one_game, problem_at
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.terms import PositionError, Roll, Side, TextError, read_roll
from pi_app.words.texts import one_line, quoted


def print_rules(argv: list[str], games: Compendium) -> int:
    parser = Parser("rules", "Print the rules of a game, each with the warnings that cite it.")
    parser.add_game(games.rules.matches)
    series = games.rules.match(parser.parse_args(argv).game)
    print("\n\n".join("\n".join(_sheet(game)) for game in series.games))
    return Status.DONE


def _sheet(game: AnyGame) -> Iterator[str]:
    width = max(len(rule.identifier) for rule in game.rules)
    yield game.sheet.title()
    for number, written in enumerate(game.sheet.rules, start=1):
        yield f"\n{number}. {written()}"
        for rule in game.rules:
            if rule.number == number:
                yield f"   {rule.identifier:<{width}}  {rule.sentence}"


def draw_position(argv: list[str], games: Compendium) -> int:
    """Draw a position, given or of a step of a stored match, and print its text."""
    parser = Parser("position", "Draw a position, and print it as text for other programs.")
    parser.takes(
        "--at", "N", "of a stored match, the leaf that its replay counts so", whole(1, 9999)
    )
    parser.flag("--qr", "also as a QR code")
    parser.add_rest("text", "TEXT", "a position or its ID; or the number of a stored match")
    args = parser.parse_args(argv)
    if not args.text:
        parser.error("a position text is missing")
    text = " ".join(args.text)
    if text.isdecimal():
        _draw(_posed(number_of(text), args.at, games), text, games, qr=args.qr)
        return Status.DONE
    found = [problem for _, problem in games.problems(text)] or [games.problem(text)]
    for number, problem in enumerate(found):
        if number:
            print()
        _draw(problem, text, games, qr=args.qr)
    return Status.DONE


def _draw(problem: Problem, text: str, games: Compendium, *, qr: bool) -> None:
    equipment = games.find(of_one_game(problem, games.rules).game)
    game = equipment.rules
    start = problem.position == START
    print(game.draw(game.start(Side.WHITE) if start else game.read_position(problem.position)))
    if problem.text != text:
        print(problem.text)
    if xgid := equipment.ids.write(problem) if equipment.ids else "":
        print(xgid)
    if qr:
        segno.make(problem.text, error="l", micro=False).terminal(compact=True)


def _posed(number: int, at: int | None, games: Compendium) -> Problem:
    """The position of a step of a stored match, by default the last one."""
    with closing(Archive(data_folder() / FILE)) as archive:
        match = archive.match(number)
        kept = Kept(match.start, tuple(archive.decisions(match.number)), games.rules)
    steps = tuple(leaves(kept))
    if at is not None and at > len(steps):
        raise UsageError(f"--at {at}: the replay of match {number} has {len(steps)} positions")
    state = steps[-1 if at is None else at - 1].state
    if state.phase in OVER:
        raise UsageError(
            f"match {number}: the game is over there; choose another position with --at"
        )
    return problem_at(match.start, kept.series, state)


def _position(
    parser: Parser, metavar: str, says: str, argv: list[str], games: Compendium
) -> tuple[AnyGame, str]:
    parser.add_game(games.rules)
    parser.add_rest("text", metavar, says)
    arguments = parser.parse_args(argv)
    if not arguments.text:
        parser.error("a position text is missing")
    return games.rules[arguments.game], " ".join(arguments.text)


MOST_DEPTH = 6
NO_DICE = Roll(())


def count_results(argv: list[str], games: Compendium) -> int:
    says = "Count the distinct results of every roll; without dice, of so many turns."
    game, text = _position(
        Parser("perft", says),
        "POSITION [DEPTH]",
        "a position text; in a game without dice how many turns deep, 1 if left out",
        argv,
        games,
    )
    counts = _by_roll if game.dice else _by_depth
    for line in counts(game, text):
        print(line, flush=True)
    return Status.DONE


def perft(game: AnyGame, position: Any, depth: int) -> int:
    """Count, without dice, all ways to play exactly `depth` turns; games that end earlier do not
    count."""
    results = game.results(position, NO_DICE)
    if depth == 1:
        return len(results)
    return sum(perft(game, result, depth - 1) for result in results)


def _by_roll(game: AnyGame, text: str) -> Iterator[str]:
    position, total = game.read_position(text), 0
    for faces in combinations_with_replacement(range(1, 7), game.dice):
        roll = Roll.of(*faces)
        found = len(game.results(position, roll))
        total += found
        yield f"{roll} {found}"
    yield f"total {total}"


def _by_depth(game: AnyGame, text: str) -> Iterator[str]:
    board, _, last = text.rpartition(" ")
    given = last.isdecimal() and last.isascii()
    depth = int(last[:3]) if given else 1
    if not 1 <= depth <= MOST_DEPTH:
        raise TextError(f"depth {quoted(last)}: write a number from 1 to {MOST_DEPTH}")
    position = game.read_position(board if given else text)
    for turns in range(1, depth + 1):
        yield f"{turns} {perft(game, position, turns)}"


KEYS = ("game", "position", "roll")


class LineError(GivenError):
    def __init__(self, *reasons: str) -> None:
        self.reasons = tuple(map(one_line, reasons))
        super().__init__("; ".join(self.reasons))


def answer(game: AnyGame, line: bytes) -> dict[str, object]:
    """Add `plays` and the sorted `after` to the line's object. Raises LineError."""
    question = _read(line)
    position, roll = _understand(game, question)
    plays = [
        {
            "play": game.write_play(position, play),
            "after": game.write_position(game.after(position, play)),
        }
        for play in game.plays(position, roll)
    ]
    return {**question, "after": sorted(play["after"] for play in plays), "plays": plays}


def answer_lines(argv: list[str], games: Compendium) -> int:
    says = "Answer JSON lines with a game, a position and a roll with every legal play."
    parser = Parser("plays", says)
    parser.add_game(games.rules)
    return _converse(games.rules[parser.parse_args(argv).game])


def _converse(game: AnyGame) -> int:
    status = Status.DONE
    for number, line in enumerate(_lines(sys.stdin.buffer), start=1):
        if not line.strip():
            continue
        try:
            text = _answered(game, line)
        except LineError as error:
            status = Status.GIVEN
            text = json.dumps({"line": number, "error": str(error), "reasons": error.reasons})
        print(text, flush=True)
    return status


def _answered(game: AnyGame, line: bytes) -> str:
    answered = answer(game, line)
    try:
        return json.dumps(answered, allow_nan=False)
    except (ValueError, RecursionError):
        reason = "a key that would come back is no JSON: not a number, infinite or nested deeply"
        raise LineError(reason) from None


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield lines as they arrive. A line that is too long is cut."""
    while line := stream.readline(MOST_OF_LINE + 1):
        rest = line
        while len(rest) > MOST_OF_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(MOST_OF_LINE + 1)
        yield line


def _read(line: bytes) -> Mapping[str, object]:
    if len(line) > MOST_OF_LINE:
        raise LineError(f"the line is longer than {MOST_OF_LINE // 1024} KiB")
    try:
        question = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise LineError(f"not a line of JSON: {error}") from None
    if not isinstance(question, dict):
        raise LineError(f"{quoted(question)} is not a JSON object; write {{…}}")
    return question


def _problem_in(game: AnyGame, text: str) -> Problem | None:
    """The position of an ID that tells its match and its roll too. Raises LineError."""
    if not (isinstance(game, TablesGame) and game.variation and ":" in text):
        return None
    try:
        return Ids(game).read(text)
    except PositionError as error:
        raise LineError(*error.reasons) from None
    except TextError as error:
        raise LineError(str(error)) from None


def _understand(game: AnyGame, question: Mapping[str, object]) -> tuple[Any, Roll]:
    reader = Reader(question)
    name, position_text = (reader.take(key, str) for key in KEYS[:2])
    problem = _problem_in(game, position_text)
    if problem:
        position_text = problem.position
    use_its_roll = problem is not None and "roll" not in question
    roll_text = problem.roll if problem and use_its_roll else reader.take("roll", str)
    if reader.faults:
        raise LineError(*reader.faults)
    if name != game.name:
        raise LineError(f"game {quoted(name)} is not {game.name!r}; ask `spotter plays` of it")
    reasons: list[str] = []
    position = roll = None
    try:
        position = game.read_position(position_text)
    except PositionError as error:
        reasons += error.reasons
    try:
        roll = read_roll(roll_text, game.dice)
    except TextError as error:
        reasons.append(str(error))
    if roll is None or reasons:
        raise LineError(*reasons)
    return position, roll
