"""The states of a session with the scanner as one table: what is heard, what follows, what is done.

The host speaks when spoken to.  A scanner that lives says something every fifth of a second, and
in the silence after a reset listens an Arduino's bootloader, which any byte holds up for seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias


class State(Enum):
    """How far a session has come."""

    SILENT = "silent"
    """Nothing is heard, or no port is open."""
    ASKED = "asked"
    """Configured; the answer has not come."""
    ACCEPTED = "accepted"
    """Answered; the first picture has not come."""
    UP = "up"
    """The picture is known and followed."""
    REFUSED = "refused"
    """The scanner cannot do what it was asked for."""
    STRANGE = "strange"
    """The scanner speaks another version."""
    UNFIT = "unfit"
    """The scanner answered, and its pictures are of another matrix."""
    FOREIGN = "foreign"
    """Something is there that speaks and is no scanner."""


class Heard(Enum):
    """What can happen to a session."""

    FREE = "a hello without a session"
    OURS = "a hello of this session"
    REFUSAL = "a hello that refuses"
    OTHERS = "a hello of another session"
    STRANGE = "a hello of another version"
    REPORT = "a report outside this session"
    NEXT = "the next report"
    SAME = "the newest report again"
    OLDER = "an older report again"
    LATER = "a report after a gap"
    MISFIT = "a report of another matrix"
    BABBLE = "a second of bytes without a message"
    LATE = "no answer in time"
    SILENCE = "silence"
    UNPLUGGED = "the port gone"


class Act(Enum):
    """What the session does about it."""

    NOTHING = "nothing"
    CONFIGURE = "configure"
    BEGIN_ANEW = "count a reset, configure"
    BEGIN = "take the first picture"
    FOLLOW = "take the change"
    COMPARE = "compare the picture"
    REPEAT = "count it, acknowledge again"
    SKIP = "count it"
    SPELL = "count the silence"


Step: TypeAlias = tuple[State, Act]

_AWAY: Mapping[Heard, Step] = MappingProxyType(
    {
        Heard.SILENCE: (State.SILENT, Act.SPELL),
        Heard.UNPLUGGED: (State.SILENT, Act.NOTHING),
        Heard.STRANGE: (State.STRANGE, Act.NOTHING),
    }
)
_CONFIGURE: Step = (State.ASKED, Act.CONFIGURE)
_BEGIN_ANEW: Step = (State.ASKED, Act.BEGIN_ANEW)
_HELLOS = (Heard.FREE, Heard.OURS, Heard.REFUSAL, Heard.OTHERS)

TABLE: Mapping[State, Mapping[Heard, Step]] = MappingProxyType(
    {
        State.SILENT: {
            **dict.fromkeys((*_HELLOS, Heard.REPORT), _CONFIGURE),
            Heard.STRANGE: (State.STRANGE, Act.NOTHING),
            Heard.BABBLE: (State.FOREIGN, Act.NOTHING),
        },
        State.ASKED: {
            **_AWAY,
            Heard.OURS: (State.ACCEPTED, Act.NOTHING),
            Heard.REFUSAL: (State.REFUSED, Act.NOTHING),
            Heard.LATE: _CONFIGURE,
        },
        State.ACCEPTED: {
            **_AWAY,
            Heard.FREE: _BEGIN_ANEW,
            Heard.OTHERS: _BEGIN_ANEW,
            Heard.REFUSAL: (State.REFUSED, Act.NOTHING),
            Heard.NEXT: (State.UP, Act.BEGIN),
            Heard.LATER: (State.ACCEPTED, Act.SKIP),
            Heard.MISFIT: (State.UNFIT, Act.NOTHING),
            Heard.LATE: _CONFIGURE,
        },
        State.UP: {
            **_AWAY,
            Heard.FREE: _BEGIN_ANEW,
            Heard.OTHERS: _BEGIN_ANEW,
            Heard.REFUSAL: _CONFIGURE,
            Heard.NEXT: (State.UP, Act.FOLLOW),
            Heard.SAME: (State.UP, Act.COMPARE),
            Heard.OLDER: (State.UP, Act.REPEAT),
            Heard.LATER: (State.UP, Act.SKIP),
            Heard.MISFIT: _CONFIGURE,
        },
        State.REFUSED: {**_AWAY},
        State.STRANGE: {**_AWAY, **dict.fromkeys(_HELLOS, _CONFIGURE)},
        State.UNFIT: {
            **_AWAY,
            **dict.fromkeys((Heard.FREE, Heard.OTHERS), _BEGIN_ANEW),
            **dict.fromkeys((Heard.NEXT, Heard.SAME, Heard.OLDER, Heard.LATER), _CONFIGURE),
        },
        State.FOREIGN: {
            **dict.fromkeys((*_HELLOS, Heard.REPORT), _CONFIGURE),
            Heard.STRANGE: (State.STRANGE, Act.NOTHING),
            Heard.UNPLUGGED: (State.SILENT, Act.NOTHING),
        },
    }
)
"""Each state's steps; what stands in no row changes nothing."""


def step(state: State, heard: Heard) -> Step:
    """The state that follows and what is to be done."""
    return TABLE[state].get(heard, (state, Act.NOTHING))
