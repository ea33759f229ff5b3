"""Spotter as it is, with somebody who looks over its shoulder and a finger on its screen.

Run with Spotter's own words.  What the screen is given to show is left in the file $SEEN; each
line "x y" that comes in is a touch there.  The views it prints say more than usual.  With $DICE
the dice fall alike for the same text, and the match is kept all the same.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import socket
import sys
import threading
from functools import partial
from pathlib import Path

import pygame
from piped import socketpair
from program import Seen

from pi_app.__main__ import main
from pi_app.base.microseconds import Us
from pi_app.cli import play
from pi_app.devices.dice import Dice
from pi_app.referee.lines import write_view
from pi_app.referee.view import View
from pi_app.screen import front
from pi_app.screen.front import ScreenFront
from pi_app.screen.ui import Shown


class Watched(ScreenFront):
    """The screen, and a copy of the view it is given and of what is away."""

    _left: Seen | None = None

    def draw(self, shown: Shown, now: Us) -> None:
        """Draw, and leave what is new."""
        timeless = Seen(shown.view and shown.view.timeless(), shown.away)
        if timeless != self._left:
            self._left = timeless
            seen = Path(os.environ["SEEN"])
            new = seen.with_suffix(".new")
            new.write_bytes(pickle.dumps(timeless))
            new.replace(seen)
        super().draw(shown, now)


def write_more(view: View) -> str:
    """A view's line, and what else a power cut must not take away."""
    more = {
        "game_number": view.game_number,
        "thrown": [{"by": side.value, "die": die} for side, die in view.thrown],
        "chosen": view.chosen,
        "offers": sorted(intent.value for intent in view.offers),
        "resignation": view.resignation and view.resignation.points,
        "machine": view.machine and view.machine.side.value,
    }
    return json.dumps({**json.loads(write_view(view)), **more})


def touch() -> None:
    """Touch where each line says."""
    for line in sys.stdin:
        x, y = map(int, line.split())
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y)))


if __name__ == "__main__":
    front.ScreenFront = Watched  # type: ignore[misc]
    play.write_view = write_more  # type: ignore[attr-defined]
    socket.socketpair = socketpair  # type: ignore[assignment]
    if "DICE" in os.environ:
        play.Dice = partial(Dice, random.Random(os.environ["DICE"]))  # type: ignore
    threading.Thread(target=touch, daemon=True).start()
    sys.exit(main())
