"""Letters of a linked match by somebody who means ill: every kind, whole, mutated and replayed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from nasty import NASTY, mutated

from pi_app.base.identifiers import BoardName
from pi_app.base.microseconds import ms
from pi_app.club.linked.letters import (
    Commitments,
    CommonEntry,
    Consent,
    Invitation,
    LetterBody,
    LinkLetter,
    Objection,
    Request,
    Response,
    Revelation,
    write_letter,
)
from pi_app.match.acts import OF_BOTH_BOARDS
from pi_app.referee.events import Start
from pi_app.referee.lines import write_event
from pi_app.rules.terms import Side

QUESTIONS = sorted(OF_BOTH_BOARDS, key=lambda act: act.value)
NUMBERS = (0, 0, 1, 1, 2, 3, 7, 64, 65, 999_999_999, 10**9, 10**9 + 1, -1)
LINES = (
    "",
    "{}",
    "null",
    '{"decided": "roll"}',
    '{"decided": "roll", "by": "white", "dice": "6", "phase": "moving", "to_act": "white"}',
    "[" * 3000,
)


def bodies(chance: random.Random) -> Iterator[LetterBody]:
    """One of each kind, its values at the edge of what there can be."""

    def number() -> int:
        return chance.choice(NUMBERS)

    def digits() -> str:
        return chance.choice(("0" * 64, "f" * 64, f"{chance.getrandbits(256):064x}", "0" * 63))

    start = Start(ms(0), chance.choice(("nannon", "ludo")), "", chance.choice((1, 5)), ("A", "B"))
    side = chance.choice((Side.WHITE, Side.BLACK))
    why = chance.choice(("", "no", "x" * 900, "x" * 2000))
    yield Invitation(chance.choice((write_event(start), *LINES)), side, BoardName("eve"))
    yield Response(chance.random() < 0.5, why)
    yield Commitments(number(), (digits(),) * chance.choice((0, 1, 16, 64, 65)))
    yield Revelation(number(), number(), digits())
    yield CommonEntry(number(), chance.choice(LINES), digits())
    position = chance.choice(("", "1ww..bb1 w", "x" * 2000, "\u202e"))
    yield Request(number(), chance.choice(QUESTIONS), number(), position)
    yield Consent(number(), chance.random() < 0.5)
    yield Objection(why)


def letters(
    chance: random.Random, count: int, link: str = "", first: int = 1, have: int = 0
) -> Iterator[bytes]:
    """A number of messages; with a `link` most are its next letters, from `first`."""
    sent: list[bytes] = []
    number = first
    for _ in range(count):
        kind = chance.random()
        if sent and kind < 0.1:
            yield chance.choice(sent)
            continue
        if kind < 0.15:
            yield chance.choice(
                (chance.choice(NASTY).encode("utf-8", "replace"), chance.randbytes(99))
            )
            continue
        name = link or chance.choice(("f00d", f"{chance.getrandbits(64):x}", "f" * 300, "f" * 5000))
        place = number if link else chance.choice((1, 1, 1, 2, 3))
        body = chance.choice([*bodies(chance)])
        message = write_letter(LinkLetter(name, place, chance.choice((have, 0, 10**9)), body))
        if kind < 0.5:
            message = mutated(message.decode(), chance).encode("utf-8", "replace")
        elif kind < 0.6:
            fields = json.loads(message)
            spot = chance.choice((fields, fields["body"]))
            spot[chance.choice([*spot])] = chance.choice(
                (None, [], {}, 1e300, True, -1, "", "red", "9" * 400)
            )
            message = json.dumps(fields).encode()
        else:
            number += 1
        sent = [*sent[-20:], message]
        yield message
