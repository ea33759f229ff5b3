"""The command line: `spotter COMMAND …`; each command lives in its own module of `cli`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "plays": ("pi_app.cli.plays:run", "answer positions and rolls with every legal play"),
        "position": ("pi_app.cli.position:run", "draw a position"),
        "rules": ("pi_app.cli.rules:run", "list the rules that a warning can name"),
        "replay": ("pi_app.cli.replay:run", "print the view after each event of a file"),
    }
)
