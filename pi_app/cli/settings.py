"""`spotter settings`: every setting, its value, what it can be and what it does."""

from __future__ import annotations

import argparse
import sys

from pi_app.board.strict import ConfigError
from pi_app.settings import config_file, describe, load_settings


def run(argv: list[str]) -> int:
    """Print the table; 2 and every fault on stderr when the file cannot be used."""
    parser = argparse.ArgumentParser(
        prog="spotter settings", description=f"The settings in {config_file()}."
    )
    parser.parse_args(argv)
    try:
        print(f"{config_file()}\n\n{describe(load_settings())}")
    except ConfigError as error:
        print(f"spotter: {error}", file=sys.stderr)
        return 2
    return 0
