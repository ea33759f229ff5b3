"""GNU Backgammon as an independent engine, if installed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from pi_app.players.gnubg.player import program

GNUBG = program()
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")


def ask_gnubg(script: str, asked: object, folder: Path, patience_s: float = 120) -> str:
    """The answer of a script inside GNU Backgammon, read from the file ANSWER; the question is
    JSON, ASKED. It exits with 0 after many errors, so each answer must be looked for; its own
    prints mix with a script's, hence the file."""
    file, answer = folder / "ask.py", folder / "answer"
    given = f"ASKED = {json.dumps(asked)!r}\nANSWER = {str(answer)!r}\n"
    file.write_text(given + script, encoding="utf-8")
    assert GNUBG is not None
    done = subprocess.run(
        [GNUBG, "--tty", "--quiet", "--no-rc", "--python", str(file)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=patience_s,
        check=True,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )
    assert answer.exists(), done.stdout + done.stderr
    assert "WARNING" not in done.stdout
    assert "Unrecognised" not in done.stdout
    return answer.read_text(encoding="utf-8")
