"""`played.py PART`: hands at the emulated Pi's board, beside the Spotter that came up by itself.

break-off: sets a match up, rolls once with a finger on the screen, which is rotated, plays some
turns and leaves a checker lifted.  resume: finds that turn again and plays to the end.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path

import fingers
import kept
import pi
from program import PrintedView, Seen
from reference import Position, state_of
from table import BOARD, PIN, GuestTable, soon, stage
from touchscreen import SIZE, Touchscreen

from pi_app.screen.actions import press_button

TOLD = Path("/run/user/1000")
PATIENCE_S = 300
TURNS = 2
DRAWN_S = 20
"""By then the emulated Pi shows what is to be touched."""


class ServiceUnderWay:
    """A program under way that systemd has started; it has told its views into a file."""

    def __init__(self) -> None:
        self.views: list[PrintedView] = []
        self._read = 0
        self._touchscreen = Touchscreen()

    @property
    def view(self) -> PrintedView:
        self._take()
        return self.views[-1]

    def until(
        self, is_so: Callable[[PrintedView], bool], within_s: float = PATIENCE_S
    ) -> PrintedView:
        end = time.monotonic() + max(within_s, PATIENCE_S)
        while not (self._take() and is_so(self.views[-1])):
            assert time.monotonic() < end, self.views[-1:]
            time.sleep(0.1)
        return self.views[-1]

    def draws(self) -> bool:
        return (TOLD / "seen").exists()

    def seen(self) -> Seen:
        seen: Seen = pickle.loads((TOLD / "seen").read_bytes())
        return seen

    def touch(self, x: int, y: int) -> None:
        """Touch the picture, which is rotated by 180 degrees."""
        width, height = SIZE
        self._touchscreen.touch(width - 1 - x, height - 1 - y)

    def _take(self) -> bool:
        """Whether it has told anything yet."""
        if (TOLD / "views").exists():
            with (TOLD / "views").open("rb") as told:
                told.seek(self._read)
                new = told.read()
            whole = new[: new.rfind(b"\n") + 1]
            self._read += len(whole)
            # Libraries of sound and display write into the same file.
            views = [line for line in whole.splitlines() if line.startswith(b"{")]
            self.views += map(json.loads, views)
        return bool(self.views)


class CalmTable(GuestTable):
    """Nothing bounces: under emulation a bounce lasts longer than Spotter waits for its end."""

    def _bounce(self, pin: int, closed: bool) -> None:
        pi.switch(pin, closed)


def say(what: str, view: PrintedView) -> None:
    told = f"{view['position']}, roll {view['roll']}, {view['phase']}, {view['board']}"
    print(f"{what}: {told}", flush=True)


def break_off(table: GuestTable, service: ServiceUnderWay) -> None:
    """Some turns; then a checker is lifted, and stays in the hand."""
    service.until(lambda view: view["phase"] == "set up")
    table.play(until="opening throw")
    before = stage(service.view)
    time.sleep(DRAWN_S)
    fingers.touch(service, BOARD, press_button())  # type: ignore[arg-type]
    say("a finger on the touchscreen rolls", service.until(lambda now: stage(now) != before))
    table.play(turns=TURNS)
    say(f"after {TURNS} turns", service.view)
    plays = [move for move in table.legal() if move and move.origin in PIN]
    while not plays:
        table.turn()
        table.play(until="moving")
        plays = [move for move in table.legal() if move and move.origin in PIN]
    table.reed(plays[0].origin, closed=False)
    service.until(lambda view: view["board"] == "in hand")
    say(f"the checker on {plays[0].origin} is lifted", service.view)


def resume(table: GuestTable, service: ServiceUnderWay) -> None:
    """The checkers stand as the journal has it; the match goes on with the same roll to its end."""
    last = kept.decisions()[-1]
    table.set_up(Position.read(last["position"]).standing)
    table.resume()
    say("resumed", service.view)
    assert state_of(service.view) == state_of(last), last
    table.play()
    say("the match is over", service.view)
    print(f"the score: {dict(service.view['score'])}")


def main(part: str) -> None:
    service = ServiceUnderWay()
    table = CalmTable(service, seed=1)  # type: ignore[arg-type]
    {"break-off": break_off, "resume": resume}[part](table, service)
    soon(table.glass_shows_the_view)
    table.audit()
    print("the OLED shows the view, bit for bit; the journal follows the rule sheet", flush=True)


if __name__ == "__main__":
    os.environ["XDG_DATA_HOME"] = "/home/pi/.local/share"
    main(*sys.argv[1:])
