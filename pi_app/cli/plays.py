"""`spotter plays GAME`: JSON lines of positions and rolls in, every legal play out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.errors import GivenError
from pi_app.files import MOST_OF_LINE
from pi_app.games.equipment import Compendium
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import PositionError, Roll, TextError, read_roll
from pi_app.strict import Reader
from pi_app.words.texts import one_line, quoted

KEYS = ("game", "position", "roll")


class LineError(GivenError):
    """A line that cannot be answered, with every reason."""

    def __init__(self, *reasons: str) -> None:
        self.reasons = tuple(map(one_line, reasons))
        super().__init__("; ".join(self.reasons))


def answer(game: AnyGame, line: bytes) -> dict[str, object]:
    """Add `plays` and the sorted `after` to the line's object. Raises LineError."""
    question = _read(line)
    position, roll = _understand(game, question)
    plays = [
        {"play": game.write_play(play), "after": game.write_position(game.after(position, play))}
        for play in game.plays(position, roll)
    ]
    return {**question, "after": sorted(play["after"] for play in plays), "plays": plays}


def run(argv: list[str], games: Compendium) -> int:
    parser = Parser(
        "plays", "Answer JSON lines with a game, a position and a roll with every legal play."
    )
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
    """Raises LineError."""
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


def _understand(game: AnyGame, question: Mapping[str, object]) -> tuple[Any, Roll]:
    reader = Reader(question)
    name, position_text, roll_text = (reader.take(key, str) for key in KEYS)
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
