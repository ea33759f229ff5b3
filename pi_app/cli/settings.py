"""`spotter settings`: every setting, its value, what it can be and what it does."""

from __future__ import annotations

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium
from pi_app.settings import SETTINGS, Settings, config_file, load_settings
from pi_app.words.texts import columns


def run(argv: list[str], _games: Compendium) -> int:
    Parser("settings", "Show every setting, its value and what it can be.").parse_args(argv)
    print(f"{config_file()}\n\n{describe(load_settings())}")
    return Status.DONE


def describe(settings: Settings) -> str:
    """A table of all settings: value, range and effect."""
    rows = [("setting", "value", "can be", "what it does")]
    rows += [
        (name, one.show(one.of(settings)), one.values, one.says) for name, one in SETTINGS.items()
    ]
    return columns(rows)
