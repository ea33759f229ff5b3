"""`tests/lab/run calibration`: whether stated confidences are kept, from many runs of selfplay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lab import PROGRAM
from lab.confidence import CalibrationError, Run, merged, page, read_run
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.files import read_text, replace_text, why
from pi_app.games.equipment import Compendium
from pi_app.words.texts import columns, quoted


def run(argv: list[str], _games: Compendium) -> int:
    """Print the table of all runs together; fails if a confidence claims too much."""
    parser = Parser(
        "calibration",
        "Merge what `tests/lab/run selfplay --json` counted, run by run.",
        program=PROGRAM,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON, a line a run")
    parser.add_argument("-o", "--output", metavar="HTML", help="write the report with its plot")
    args = parser.parse_args(argv)
    runs = [each for name in args.files for each in _runs(name)]
    if args.output:
        replace_text(Path(args.output), page(runs))
    counted = merged(runs)
    print(columns(list(counted.table())))
    return Status.FAILED if counted.broken else Status.DONE


def _runs(name: str) -> Iterator[Run]:
    """The runs of a file; raises CalibrationError that names it."""
    try:
        lines = read_text(Path(name)).splitlines()
        yield from (read_run(line) for line in lines if line.strip())
    except (OSError, ValueError) as error:
        raise CalibrationError(f"{quoted(name)}: {why(error)}") from None
