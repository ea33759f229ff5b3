"""`--clock`, `--policy` and the rest: what a tournament lays down, on the command line."""

from __future__ import annotations

import argparse
from dataclasses import replace

from pi_app.match.clock import ClockKind
from pi_app.match.terms import (
    FRIENDLY,
    MOST_SECONDS,
    PRESETS,
    AgreedDice,
    ClockTerms,
    MatchTerms,
    PlayPolicy,
)
from pi_app.texts import quoted

FORM = "KIND,RESERVE[/point][,TURN[,OVERTIME]]"
FIELDS = 4
POLICIES = {policy.value.split()[0]: policy for policy in PlayPolicy}


def add_terms(parser: argparse.ArgumentParser) -> None:
    """The options, which go with --match."""
    parser.add_argument(
        "--clock",
        type=read_clock,
        metavar="CLOCK",
        help=f"with --match: {', '.join(PRESETS)}, or {FORM} in seconds, as delay,120/point,12,60",
    )
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        help="with --match: legal, illegal plays are told, or responsible, they are not",
    )
    parser.add_argument("--locked", action="store_true", help="with --match: no hints, no coach")
    parser.add_argument(
        "--dice",
        choices=[dice.value for dice in AgreedDice if dice is not AgreedDice.AS_SET],
        help="with --match: who rolls, whatever the settings say",
    )


def terms_of(args: argparse.Namespace) -> MatchTerms:
    """What the options say; what none of them says is as in friendly play."""
    terms = replace(FRIENDLY, clock=args.clock) if args.clock else FRIENDLY
    if args.policy:
        terms = replace(terms, policy=POLICIES[args.policy])
    if args.dice:
        terms = replace(terms, dice=AgreedDice(args.dice))
    return replace(terms, locked=args.locked)


def read_clock(text: str) -> ClockTerms:
    """The clock of a preset, or as it is written out."""
    if text in PRESETS:
        return PRESETS[text].clock
    kind, *numbers = text.split(",")
    kinds = [kind.value for kind in ClockKind if kind is not ClockKind.NONE]
    if kind not in kinds or not 1 <= len(numbers) < FIELDS:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is none of {', '.join(PRESETS)}, and not {FORM};"
            f" KIND is {', '.join(kinds)}"
        )
    reserve, slash, point = numbers[0].partition("/")
    if slash and point != "point":
        raise argparse.ArgumentTypeError(f"{quoted(numbers[0])}: write {reserve}/point")
    a_turn, overtime = (_seconds(number, 0) for number in (*numbers[1:], "0", "0")[:2])
    return ClockTerms(
        ClockKind(kind), _seconds(reserve, 1), bool(slash), a_turn=a_turn, overtime=overtime
    )


def _seconds(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= MOST_SECONDS):
        wanted = f"a whole number of seconds from {least} to {MOST_SECONDS}"
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not {wanted}")
    return int(text)
