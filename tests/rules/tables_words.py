"""Words to test the tables games with: texts in, texts out."""

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Broken, Move, Spot, read_roll


def plays(game: AnyGame, text: str, roll: str) -> set[str]:
    """Every legal play of a position, as written."""
    position = game.read_position(text)
    return {game.write_play(position, play) for play in game.plays(position, read_roll(roll, 2))}


def after(game: AnyGame, text: str, play: str) -> str:
    """The position text after a play."""
    position = game.read_position(text)
    return game.write_position(game.after(position, game.read_play(position, play)))


def moves(text: str) -> tuple[Move, ...]:
    """`13 8, 6 off.white` as moves of the hand, legal or not."""
    pairs = (pair.split() for pair in text.split(",") if pair)
    return tuple(Move(Spot.read(origin), Spot.read(target)) for origin, target in pairs)


def explained(game: AnyGame, text: str, roll: str, attempt: str) -> Broken | None:
    """The game's answer to an attempt."""
    return game.explain(game.read_position(text), read_roll(roll, 2), moves(attempt))
