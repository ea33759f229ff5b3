"""The part that runs inside GNU Backgammon: it answers lines of JSON with lines of JSON.

GNU Backgammon's own Python reads this file, so it imports nothing of Spotter. The lines go over a
socket whose number is in the environment, because the program prints its own text to standard
output. The side asked about is always player 1, and the position is its own:

    {"position": "4HPwATDgc/ABMA", "dice": [3, 1], "cube": {...}, "plies": 2, "cubeful": true,
     "wide": false}
    {"position": "4HPwATDgc/ABMA", "ends": null, "plays": [["8/5 6/5", 2, 0.2, [0.6, ...]]]}

Without dice the answer is about the position before the roll: the `equities` of the best action, of
not doubling, of a double that is taken and of one that is passed, and the five `odds`. A play comes
with its search depth in plies, its equity and the odds after it. To a list of dice, `rolls`, `best`
has the equity of each one's best play, null where no play is possible. `ends` are the chances to
win the match after losing and after winning a single game; equities lie between them.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import socket
from typing import Any

SETTINGS = (
    "set player 0 human",
    "set player 1 human",
    "set automatic roll off",
    "set automatic game off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set output rawboard on",
    "set beavers 0",
    "set evaluation chequer evaluation noise 0",
    "set evaluation chequer evaluation deterministic on",
)
FILTERS = {False: "8 0.16", True: "16 0.32"}
"""How many plays are searched deeply, and how far they may seem behind the best. False: in play;
True: in an analysis."""
MOST_PLAYS = 9999
ON_ROLL, PLAYING = 1, 1


def answer(engine: Any, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the engine's answer to one question. Raises any of its errors."""
    cube = engine.calcgammonprice(
        {**asked["cube"], "score": tuple(asked["cube"]["score"]), "gammonprice": ((0.0,) * 2,) * 2}
    )
    ends = [engine.eq2mwc(end, cube) for end in (-1.0, 1.0)] if cube["matchto"] else None
    if asked.get("rolls"):
        found = _best(engine, asked, cube)
    else:
        found = _plays(engine, asked, cube) if asked["dice"] else _before_roll(engine, asked, cube)
    return {"ends": ends, **found}


def _best(engine: Any, asked: dict[str, Any], cube: dict[str, Any]) -> dict[str, Any]:
    best = []
    _set_up(engine, asked)
    for dice in asked["rolls"]:
        hints = _hints(engine, asked["position"], dice, cube, 1)
        best.append(hints[0]["equity"] if hints else None)
    return {"position": engine.positionid(), "best": best}


def _plays(engine: Any, asked: dict[str, Any], cube: dict[str, Any]) -> dict[str, Any]:
    _set_up(engine, asked)
    hints = _hints(engine, asked["position"], asked["dice"], cube, MOST_PLAYS)
    plays = [
        [hint["move"], hint["context"]["plies"], hint["equity"], hint["details"]["probs"]]
        for hint in hints
    ]
    return {"position": engine.positionid(), "plays": plays}


def _set_up(engine: Any, asked: dict[str, Any]) -> None:
    on_or_off = "on" if asked["cubeful"] else "off"
    engine.command(f"set evaluation chequer evaluation plies {asked['plies']}")
    engine.command(f"set evaluation chequer evaluation cubeful {on_or_off}")
    for ply in range(1, asked["plies"] + 1):
        engine.command(f"set evaluation movefilter {ply} 0 0 {FILTERS[asked['wide']]}")


def _hints(
    engine: Any, position: str, dice: list[int], cube: dict[str, Any], most: int
) -> list[dict[str, Any]]:
    match = engine.matchid(cube, engine.posinfo(ON_ROLL, 0, 0, PLAYING, tuple(dice)))
    engine.command(f"set gnubgid {position}:{match}")
    # Without this it repeats the list before.
    engine.command("clear hint")
    found = engine.hint(most)
    taken = engine.cubeinfo()
    if engine.posinfo()["dice"] != tuple(dice) or any(
        taken[name] != value for name, value in cube.items() if name != "gammonprice"
    ):
        raise ValueError(f"it took {cube} {dice} for {taken} {engine.posinfo()}")
    return list(found["hint"]) if found else []


def _before_roll(engine: Any, asked: dict[str, Any], cube: dict[str, Any]) -> dict[str, Any]:
    board = engine.positionfromid(asked["position"])
    context = {
        "cubeful": int(asked["cubeful"]),
        "plies": asked["plies"],
        "deterministic": 1,
        "prune": 1,
        "noise": 0.0,
    }
    return {
        "position": engine.positionid(board),
        "equities": engine.cfevaluate(board, cube, context)[:4],
        "odds": engine.evaluate(board, cube, context)[:5],
    }


def main() -> None:
    """Answer until the socket is closed, which also happens when the asking program ends."""
    engine = importlib.import_module("gnubg")
    # Its home was made for it, and it has looked there for all it wants.
    shutil.rmtree(os.environ["HOME"], ignore_errors=True)
    for line in SETTINGS:
        engine.command(line)
    channel = socket.socket(fileno=int(os.environ["SPOTTER_CHANNEL"]))
    with channel, channel.makefile("rw", encoding="utf-8", newline="\n") as lines:
        _say(lines, {"ready": True})
        for line in lines:
            try:
                reply = answer(engine, json.loads(line))
            except Exception as error:
                reply = {"error": repr(error)}
            _say(lines, reply)


def _say(lines: Any, reply: dict[str, Any]) -> None:
    lines.write(json.dumps(reply) + "\n")
    lines.flush()


if __name__ == "__main__":
    try:
        main()
    finally:
        # Otherwise it would ask its user.
        os._exit(0)
