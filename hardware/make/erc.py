"""The electrical rules check by SKiDL, a second opinion on a circuit.

SKiDL writes files into the working directory, so it runs as a process in a temporary folder
(`erc_child.py`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hardware.make.circuit import Circuit

CHILD = Path(__file__).with_name("erc_child.py")
LONGEST_S = 120


def check(circuit: Circuit) -> tuple[str, ...]:
    """Return every warning and error of SKiDL's electrical check; none for a sound circuit.

    Raises RuntimeError, with the reason, if SKiDL cannot run.
    """
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(CHILD)],
            input=json.dumps(_plain(circuit)),
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=LONGEST_S,
            check=False,
        )
    if done.returncode:
        reason = (done.stderr.strip() or "no output").splitlines()[-1]
        raise RuntimeError(f"the electrical rules check did not run: {reason}; see [hardware]")
    return tuple(json.loads(done.stdout.splitlines()[-1]))


def _plain(circuit: Circuit) -> dict[str, object]:
    return {
        "components": [
            {
                "ref": part.ref,
                "leads": [[lead.name, lead.role.value] for lead in part.leads],
                "free": sorted(part.free),
            }
            for part in circuit.components
        ],
        "nets": [[net.name, [list(node) for node in net.nodes]] for net in circuit.nets],
    }
