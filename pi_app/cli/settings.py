"""`spotter settings`: every setting, its value, what it can be and what it does."""

from __future__ import annotations

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.settings import config_file, describe, load_settings


def run(argv: list[str]) -> int:
    """Print the table."""
    Parser("settings", f"The settings in {config_file()}.").parse_args(argv)
    print(f"{config_file()}\n\n{describe(load_settings())}")
    return Status.DONE
