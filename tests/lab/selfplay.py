"""`tests/lab/run selfplay`: simulated hands play whole matches through the product's devices."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from scanner_twin import open_twin

from lab import PROGRAM
from lab.calibration import page, read_run
from lab.figures import Count, Figures
from lab.hands import draw_habits
from lab.levels import scatter_of
from lab.manners import USUAL, draw_manners, draw_strange
from lab.match_by_hands import Incident, MatchByHands, Plan
from lab.noise import times
from lab.stepped import open_stepped
from pi_app.base.files import replace_text
from pi_app.base.strict import ConfigError
from pi_app.boards import load_board
from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Progress, Status, say
from pi_app.games.equipment import Compendium
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import open_journal
from pi_app.journal.store import MEMORY, Journal
from pi_app.referee.options import ONE_WRONG_IN
from pi_app.rules.contract import Games
from pi_app.sensing.noise import PUBLISHED
from pi_app.sensing.reading import Patience
from pi_app.simulator.reeds import SPEC, read_faults

MOST_MATCHES = 100_000
NOISE = "hands and usual reeds err so many times as often as usual"
STRANGE = "people to measure with only: all that they do is drawn otherwise than for strangers"
STRANGERS = "each match is played by people of other habits, which nobody has told Spotter"
NUDGE = "read levels of Hall strips; a checker on top nudges the one below by so many mm (sigma)"
MOST_FILES = 20
"""The number of incidents that a run writes out."""


def run(argv: list[str], games: Compendium) -> int:
    """Print the figures, of an interrupted run too; fails if a play was wrong or lost."""
    args = _parser(games.rules).parse_args(argv)
    plan = _plan(args, games)
    folder = Path(args.folder or tempfile.gettempdir())
    folder.mkdir(parents=True, exist_ok=True)
    figures, files = Figures(), list[str]()
    if args.calibration:
        _write_report(args, plan, figures)  # in vain while nothing has been played, but not later
    try:
        with _kept_in(args.journal) as journal:
            _play(plan, args, journal, folder, figures, files)
    finally:
        if figures.counts[Count.MATCHES]:
            _print(args, plan, figures, files)
    return Status.FAILED if figures.failed else Status.DONE


def _parser(games: Games) -> Parser:
    parser = Parser(
        "selfplay",
        "Let simulated hands play whole matches and print what the product made of it.",
        program=PROGRAM,
    )
    most = whole(1, MOST_MATCHES)
    parser.add_argument("--matches", type=most, default=20, metavar="N", help="default 20")
    parser.add_argument("--seed", default="1", metavar="S", help="same seed, same matches")
    parser.add_argument("--match-to", type=whole(1, 999), default=5, metavar="N", help="default 5")
    parser.add_argument("--faults", default="default", metavar="SPEC", help=SPEC)
    parser.add_argument("--noise", type=times, default=1.0, metavar="N", help=NOISE)
    people = parser.add_mutually_exclusive_group()
    people.add_argument("--strangers", action="store_true", help=STRANGERS)
    people.add_argument("--strange", action="store_true", help=STRANGE)
    parser.add_argument("--board", metavar="NAME", help="name or .toml file; the game's own")
    parser.add_argument("--game", default=games.first.name, choices=games.matches)
    parser.add_argument("--nudge", type=float, metavar="MM", help=NUDGE)
    parser.add_argument("--emulator", action="store_true", help="on the scanner's real firmware")
    parser.add_argument(
        "--one-wrong-in",
        type=whole(*ONE_WRONG_IN),
        default=Patience().one_wrong_in,
        metavar="N",
        help="as the setting of that name: how sure a play must be",
    )
    parser.add_argument("--calibration", metavar="FILE", help="HTML: are confidences kept?")
    parser.add_argument("--json", action="store_true", help="print one object of JSON")
    parser.add_argument("--journal", metavar="DIR", help="keep the matches, in the journal there")
    parser.add_argument("--folder", metavar="DIR", help="where events of incidents are written")
    return parser


def _plan(args: argparse.Namespace, games: Compendium) -> Plan:
    """The match to play. Raises ConfigError and FaultsError."""
    name = args.board or games.board_of(args.game)
    board = load_board(name, games.rules)
    if args.game not in board.games.matches:
        there = ", ".join(board.games.matches)
        raise ConfigError(name, [f"{args.game} is not played on it; choose one of: {there}"])
    noise = PUBLISHED.worse(args.noise)
    faults = read_faults(args.faults, board, noise)
    opener = open_stepped if args.emulator else open_twin
    return Plan(
        board,
        name,
        args.game,
        args.match_to,
        faults,
        manners=USUAL,
        noise=noise,
        one_wrong_in=args.one_wrong_in,
        open_board=opener,
        scatter=None if args.nudge is None else scatter_of(args.nudge),
    )


@contextmanager
def _kept_in(folder: str | None) -> Iterator[Journal | None]:
    """The journal of a folder, or none; raises JournalError where nothing can be kept."""
    if folder is None:
        yield None
        return
    opened = open_journal(Path(folder))
    if opened.journal.path == MEMORY:
        opened.close()
        raise JournalError("; ".join(opened.notices))
    try:
        say(opened.notices)
        yield opened.journal
    finally:
        with suppress(JournalError):
            there = len(opened.journal.matches())
            print(f"{there} matches are in {opened.journal.path}", file=sys.stderr)
        opened.close()


def _play(
    plan: Plan,
    args: argparse.Namespace,
    journal: Journal | None,
    folder: Path,
    figures: Figures,
    files: list[str],
) -> None:
    """Play all matches; `files` gets one line a file that was written.

    Raises JournalError when a match could not be kept.
    """
    with Progress(args.matches, "matches") as progress:
        for number in range(1, args.matches + 1):
            progress.tell(number - 1)
            seed = f"{args.seed}/{number}"
            table = MatchByHands(_by_strangers(plan, args, seed), seed, figures, journal)
            table.play()
            for incident in table.incidents:
                # Questions too many are the least of it, and the most.
                needless = incident.what is Count.NEEDLESS
                if len(files) < MOST_FILES // (1 + needless):
                    name = f"selfplay-{_plain(args.seed)}-{number}-{len(files) + 1}.jsonl"
                    files.append(_write(incident, folder / name))
            if table.unkept:
                raise JournalError(table.unkept)


def _by_strangers(plan: Plan, args: argparse.Namespace, seed: str) -> Plan:
    """The plan of one match: its people may have habits of their own."""
    if args.strangers:
        habits, noise = draw_habits(plan.noise, random.Random(f"habits {seed}"))
        manners = draw_manners(random.Random(f"manners {seed}"))
    elif args.strange:
        habits, noise, manners = draw_strange(plan.noise, random.Random(f"strange {seed}"))
    else:
        return plan
    faults = read_faults(args.faults, plan.board, noise)
    return replace(plan, habits=habits, noise=noise, manners=manners, faults=faults)


def _plain(seed: str) -> str:
    """The part of a seed that is valid in a file name."""
    return "".join(c for c in seed[:40] if c.isalnum())


def _print(args: argparse.Namespace, plan: Plan, figures: Figures, files: list[str]) -> None:
    if args.calibration:
        _write_report(args, plan, figures)
    if args.json:
        print(_as_json(args, plan, figures))
    else:
        print("\n".join(figures.lines()), flush=True)
    for line in files:
        print(line, file=sys.stderr)


def _as_json(args: argparse.Namespace, plan: Plan, figures: Figures) -> str:
    told = {
        "game": plan.game,
        "board": plan.board_name,
        "seed": args.seed,
        "faults": args.faults,
        "noise": args.noise,
        "one_wrong_in": plan.one_wrong_in,
    }
    return json.dumps({**told, **figures.as_json()})


def _write_report(args: argparse.Namespace, plan: Plan, figures: Figures) -> None:
    replace_text(Path(args.calibration), page([read_run(_as_json(args, plan, figures))]))


def _write(incident: Incident, file: Path) -> str:
    file.write_text("\n".join(incident.events) + "\n", encoding="utf-8")
    what = incident.what.value.replace("_", " ")
    return f"{what} at {incident.us / 1000:.0f} ms: {incident.text}; see: spotter replay {file}"
