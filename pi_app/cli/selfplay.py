"""`spotter selfplay`: simulated hands play whole matches through the product's own devices."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pi_app.board.strict import ConfigError
from pi_app.boards import load_board
from pi_app.devices.source import DeviceError
from pi_app.journal.opening import open_journal
from pi_app.journal.store import Journal
from pi_app.rules.registry import GAMES
from pi_app.simulator.emulated_board import open_stepped
from pi_app.simulator.faults import SPEC, FaultsError, read_faults
from pi_app.simulator.figures import Figures
from pi_app.simulator.scanner import open_simulated
from pi_app.simulator.table import Incident, Plan, Table

BOARDS: Mapping[str, str] = MappingProxyType(
    {
        "nannon": "nannon-6",
        "backgammon": "tables-24",
        "portes": "tables-24",
        "pin": "tables-24",
        "cannon": "cannon-10",
    }
)
"""The board that each game is played on unless another is asked for."""
MOST_FILES = 20
"""Of the incidents of one run, so many are written out."""


def run(argv: list[str]) -> int:
    """Print the figures; returns 1 if a play was wrong or lost, 2 for arguments without sense."""
    args = _parser().parse_args(argv)
    name = args.board or BOARDS[args.game]
    try:
        board = load_board(name)
        faults = read_faults(args.faults, board)
    except (ConfigError, FaultsError) as error:
        print(f"spotter: {error}", file=sys.stderr)
        return 2
    if args.game not in board.games:
        print(f"spotter: board {name!r} does not serve {args.game!r}", file=sys.stderr)
        return 2
    opener = open_stepped if args.emulator else open_simulated
    plan = Plan(board, name, args.game, args.match_to, faults, open_board=opener)
    folder = Path(args.folder or tempfile.gettempdir())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        figures, files = _play(plan, args, folder)
    except OSError as error:
        print(f"spotter: {folder} cannot be written: {error}", file=sys.stderr)
        return 2
    except DeviceError as error:
        print(f"spotter: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps({"seed": args.seed, "faults": args.faults, **figures.as_json()}))
    else:
        print("\n".join(figures.lines()))
    for line in files:
        print(line, file=sys.stderr)
    return 1 if figures.failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="spotter selfplay",
        description="Let simulated hands play whole matches and print what the product made of it.",
    )
    parser.add_argument("--matches", type=_positive, default=20, metavar="N", help="default 20")
    parser.add_argument("--seed", default="1", metavar="S", help="same seed, same matches")
    parser.add_argument("--match-to", type=_positive, default=5, metavar="N", help="default 5")
    parser.add_argument("--faults", default="default", metavar="SPEC", help=SPEC)
    parser.add_argument("--board", metavar="NAME", help="name or .toml file; the game's own")
    parser.add_argument("--game", default="nannon", choices=GAMES)
    parser.add_argument("--emulator", action="store_true", help="on the scanner's real firmware")
    parser.add_argument("--json", action="store_true", help="print one object of JSON")
    parser.add_argument("--journal", action="store_true", help="keep the matches while they run")
    parser.add_argument("--folder", metavar="DIR", help="where events of incidents are written")
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 100000")
    return int(text)


def _play(plan: Plan, args: argparse.Namespace, folder: Path) -> tuple[Figures, list[str]]:
    """The figures, and one line a file that was written."""
    figures = Figures()
    files: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        opened = open_journal(Path(place)) if args.journal else None
        journal = opened.journal if opened else None
        for number in range(1, args.matches + 1):
            for incident in _match(plan, f"{args.seed}/{number}", figures, journal):
                if len(files) < MOST_FILES:
                    name = f"selfplay-{args.seed}-{number}-{len(files) + 1}.jsonl"
                    files.append(_write(incident, folder / name))
        if opened:
            opened.close()
    return figures, files


def _match(plan: Plan, seed: str, figures: Figures, journal: Journal | None) -> list[Incident]:
    table = Table(plan, seed, figures, journal)
    table.play()
    return table.incidents


def _write(incident: Incident, file: Path) -> str:
    file.write_text("\n".join(incident.events) + "\n", encoding="utf-8")
    what = incident.what.value.replace("_", " ")
    return f"{what} at {incident.ms:.0f} ms: {incident.text}; see: spotter replay {file}"
