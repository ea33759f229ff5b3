"""The record that two linked boards have in common: of every decision what both must agree on.

A line is a decision's line of the journal (JSON, the same keys in the same order) without what is
each board's own: times, confidence, questions, warnings, sensors set aside, typing.  What a board
has `chosen` but not yet seen made, and sensors, are left out whole.  A chain of SHA-256 goes over
the lines, so that one hash tells whether all lines before it are alike too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256

from pi_app.match.phases import Phase
from pi_app.match.turns import MatchState
from pi_app.referee.decision import Decision, What, write_decision
from pi_app.rules.terms import Side

COMMON = frozenset(What) - {What.CHOSEN, What.SENSOR_OFF, What.SENSOR_ON, What.RESUMED}
"""What both records have; a new kind of decision is common unless it is taken out here."""
OWN = frozenset({"ms", "typed", "confidence", "asked", "warned", "sensor", "off"})
"""The keys of a decision's line that are each board's own."""


def common_line(decision: Decision) -> str | None:
    """The line of a decision in the common record, or None where it has none."""
    if decision.what not in COMMON:
        return None
    fields = json.loads(write_decision(decision))
    return json.dumps({k: v for k, v in fields.items() if k not in OWN}, ensure_ascii=False)


def common_record(decisions: Iterable[Decision]) -> tuple[str, ...]:
    """All lines of a match, in order."""
    return tuple(line for line in map(common_line, decisions) if line is not None)


def first_hash(link: str) -> str:
    """Where the chain of a match begins."""
    return sha256(f"spotter common record 1\n{link}".encode("ascii")).hexdigest()


def next_hash(before: str, line: str) -> str:
    """The chain with one line more."""
    return sha256(f"{before}\n{line}".encode("utf-8", "surrogatepass")).hexdigest()


def author_of(state: MatchState[str] | None) -> Side | None:
    """The one side that decides what comes next; None where both boards do it for themselves.

    That is while checkers are set up.  Between games it is the side that the state names.
    """
    return None if state is None or state.phase is Phase.SET_UP else state.to_act
