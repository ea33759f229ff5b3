"""A Backgammon match as OGXM, the open match format of OpenGammon (MIT, specification CC BY 4.0).

The bytes are made by the format's own codec, the package `ogxm`, an extra; here is the document
that it takes (OGXM 2, its JSON projection): for each game the plies, each with an action, whose it
is (`color` 0 for White, 1 for Black) and its steps by White's numbers, 25 being White's bar.
The codec checks the document by the rules of the format and plays it again.

Only the game that counts is told, as in `.mat`; a roll that was never played is left out.  Analyses
and clocks, which the format can hold, are not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from types import MappingProxyType

from pi_app.errors import FailedError
from pi_app.export.mat import MatGame, MatTurn, games_of
from pi_app.export.retold import Kept
from pi_app.extras import to_install
from pi_app.referee.decision import What
from pi_app.referee.options import read_options
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Side
from pi_app.wall_time import date_of

DICE = tuple((low, high) for low in range(1, 7) for high in range(low, 7))
"""The action of a play is the place of its roll among these."""
ACTIONS: Mapping[What, int] = MappingProxyType({What.DOUBLE: 21, What.TAKE: 22, What.PASS: 23})
RESIGNED = 27
MOST_RESIGNED = 3
"""Times the stake."""
COLOURS: Mapping[Side, int] = MappingProxyType({Side.WHITE: 0, Side.BLACK: 1})
_AROUND = 25
"""White's number of a point and Black's are so much together."""


class NoCodecError(FailedError):
    """The package that writes the format is not installed, or does not take the match."""


def ogxm_file(kept: Kept, began: str) -> bytes:
    """The bytes of the file; raises EventError for a match that has no words there, NoCodecError.

    `began` is 2026-03-01T20:15.
    """
    document = ogxm_document(kept, began)
    try:
        import ogxm  # noqa: PLC0415, an extra
    except ImportError:
        raise NoCodecError(
            f"the package ogxm is missing; install it: {to_install('ogxm')}"
        ) from None
    problem = ogxm.v2_problem(document)
    if problem is not None:
        raise NoCodecError(f"the codec of OGXM does not take this match: {problem}; export --mat")
    return bytes(ogxm.json_to_binary(document))


def ogxm_document(kept: Kept, began: str) -> dict[str, object]:
    """What the codec takes; raises EventError as `ogxm_file` does."""
    start, rules = kept.start, kept.game
    agreement = read_options(start, rules, kept.games.options).agreement
    white, black = name_players(start.players, rules.side_names)
    document: dict[str, object] = {
        "player_white": str(white),
        "player_black": str(black),
        "match_length": start.match_to or 0,
        "crawford": agreement.crawford and start.match_to is not None,
        "jacoby": agreement.jacoby,
        "games": [_game(game) for game in games_of(kept, "ogxm")],
    }
    when = _milliseconds(began)
    if when is not None:
        document["started_at"] = when
    return document


def _game(game: MatGame) -> dict[str, object]:
    turns = [turn for turn in game.turns if turn.what is not What.ROLL]
    plies = [_ply(turn) for turn in turns]
    first = game.turns[0].side if game.turns else Side.WHITE
    told: dict[str, object] = {"first_to_move": COLOURS[first], "plies": plies}
    if game.won:
        winner, points = game.won
        told |= {"winner": COLOURS[winner], "points_won": points}
        if game.ends in (What.ACCEPTED, What.RESIGNED):
            factor = points // _stake(turns)
            plies.append(
                {
                    "action_id": RESIGNED,
                    "color": COLOURS[winner.other],
                    "resign_value": min(max(factor, 1), MOST_RESIGNED),
                }
            )
    return told


def _stake(turns: list[MatTurn]) -> int:
    """The cube's value after these turns."""
    return int(2 ** sum(turn.what is What.TAKE for turn in turns))


def _ply(turn: MatTurn) -> dict[str, object]:
    colour = COLOURS[turn.side]
    if turn.roll is None:
        return {"action_id": ACTIONS[turn.what], "color": colour}
    low, high = sorted(turn.roll.dice)
    steps = [
        {"from": _white_number(turn.side, origin), "pips": origin - target}
        for origin, target in turn.steps
    ]
    return {"action_id": DICE.index((low, high)), "color": colour, "moves": steps}


def _white_number(side: Side, own: int) -> int:
    """A point by White's numbers."""
    return own if side is Side.WHITE else _AROUND - own


def _milliseconds(began: str) -> int | None:
    """Since 1970; None where nobody knows the date."""
    when = date_of(began)
    if when is None:
        return None
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1000)
