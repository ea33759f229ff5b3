"""Tavli killed as by `kill -9` in the middle of each game and between games, and resumed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from known import GAMES
from shares import some
from tavli_process import KeptTavli, stands

from pi_app.journal.archive import Archive
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import MatchId
from pi_app.seal.verifying import impossible

PROGRAM = Path(__file__).with_name("tavli_process.py")
MOMENTS = (
    ("portes", Phase.MOVING),
    ("portes", Phase.GAME_OVER),
    ("plakoto", Phase.SET_UP),
    ("plakoto", Phase.MOVING),
    ("plakoto", Phase.GAME_OVER),
    ("fevga", Phase.SET_UP),
    ("fevga", Phase.TO_ROLL),
    ("fevga", Phase.GAME_OVER),
)


def killed_at(folder: Path, game: str, phase: Phase) -> dict[str, Any]:
    """Play on until this is shown, kill the program, and return what it showed last."""
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(PROGRAM), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=found, text=True) as program:
        assert program.stdout
        for line in program.stdout:
            shown: dict[str, Any] = json.loads(line)
            if (shown["game"], shown["phase"]) == (game, phase.value):
                program.kill()
                # What it showed before the signal reached it.
                rest = program.stdout.read().splitlines()
                whole = [one for one in rest if one.endswith("}")]
                return json.loads(whole[-1]) if whole else shown
    raise AssertionError(f"{game} was never in the phase {phase.value}")


def decisions(folder: Path) -> list[Decision]:
    with closing(Archive(folder / "matches.db")) as archive:
        return list(archive.decisions(MatchId(1)))


def test_it_comes_back_into_the_right_game_of_the_right_round(tmp_path: Path) -> None:
    for game, phase in some(MOMENTS, 2):
        shown = killed_at(tmp_path, game, phase)
        again = KeptTavli(tmp_path)
        came_back = stands(again.view)
        again.journal.close()
        if came_back != shown:
            # It was killed between storing a decision and showing it: it has gone further.
            decided = decisions(tmp_path)
            assert came_back["position"] == decided[-1].state.position
    last = KeptTavli(tmp_path)
    last.play()
    assert last.view.phase is Phase.MATCH_OVER
    last.journal.close()
    decided = decisions(tmp_path)
    assert list(impossible(last.start, list(enumerate(decided, start=1)), GAMES)) == []
    numbers = [one.state.standing.decided for one in decided]
    assert numbers == sorted(numbers)
    assert set(numbers) == {0, 1, 2, 3}
