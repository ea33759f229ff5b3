"""`tests/lab/run noise`: what hands and reeds do besides plain plays, and how often."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from lab import PROGRAM
from pi_app.base.microseconds import write_ms
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium
from pi_app.sensing.noise import PUBLISHED, NoiseModel
from pi_app.words.texts import columns, quoted

HEAD = ("noise", "how often", "per", "at most", "source", "what it is")
MOST_TIMES = 100


def run(argv: list[str], _games: Compendium) -> int:
    parser = Parser(
        "noise",
        "Print the noise model: what the tracker and simulated hands go by.",
        program=PROGRAM,
    )
    parser.add_argument(
        "--times", type=times, default=1.0, metavar="N", help="everything so many times as often"
    )
    noise = PUBLISHED.worse(parser.parse_args(argv).times)
    print(columns([HEAD, *rows(noise)]))
    return Status.DONE


def rows(noise: NoiseModel) -> Iterator[tuple[str, ...]]:
    """The rows of the noise table, with the columns of HEAD."""
    for what, rate in noise.rates.items():
        longest = "" if rate.longest is None else f"{write_ms(rate.longest)} ms"
        share = f"{100 * rate.share:.4g} %"
        yield what.value, share, rate.per.value, longest, rate.origin.value, rate.why


def times(text: str) -> float:
    """How many times as often: a number from 0 to 100; raises ArgumentTypeError for another."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= MOST_TIMES:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no number from 0 to {MOST_TIMES}")
    return number
