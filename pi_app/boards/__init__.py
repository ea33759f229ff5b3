"""The descriptions of Spotter's own boards, and of a user's."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from pi_app.base.files import read_text, why
from pi_app.base.strict import ConfigError
from pi_app.rules.contract import Games
from pi_app.sensing.description import Board, read_board


def board_names() -> tuple[str, ...]:
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


def load_board(name: str, games: Games) -> Board:
    """Return a board by its name, or by the path of a user's TOML file, for these games.

    Raises ConfigError, which names the file and every fault in it.
    """
    if name in board_names():
        return _own(name, games)
    path = Path(name)
    if path.suffix != ".toml":
        known = ", ".join(board_names())
        raise ConfigError(
            name, [f"no such board; choose {known}, or give the path of a .toml file"]
        )
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise ConfigError(name, [f"cannot be read: {why(error)}; check the path"]) from None
    return read_board(name, text, games)


@cache
def _own(name: str, games: Games) -> Board:
    """One of Spotter's own boards, read once because it does not change while the program runs."""
    file = resources.files(__name__) / f"{name}.toml"
    return read_board(f"{name}.toml", file.read_text(encoding="utf-8"), games)
