"""The states of a session with the scanner as one table: what is heard, what follows, what is done.

The host speaks when spoken to.  A scanner that lives says something every fifth of a second, and
in the silence after a reset listens an Arduino's bootloader, which any byte holds up for seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias


class LinkState(Enum):
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


class HostAct(Enum):
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


Reaction: TypeAlias = tuple[LinkState, HostAct]

_AWAY: Mapping[Heard, Reaction] = MappingProxyType(
    {
        Heard.SILENCE: (LinkState.SILENT, HostAct.SPELL),
        Heard.UNPLUGGED: (LinkState.SILENT, HostAct.NOTHING),
        Heard.STRANGE: (LinkState.STRANGE, HostAct.NOTHING),
    }
)
_CONFIGURE: Reaction = (LinkState.ASKED, HostAct.CONFIGURE)
_BEGIN_ANEW: Reaction = (LinkState.ASKED, HostAct.BEGIN_ANEW)
_HELLOS = (Heard.FREE, Heard.OURS, Heard.REFUSAL, Heard.OTHERS)

TABLE: Mapping[LinkState, Mapping[Heard, Reaction]] = MappingProxyType(
    {
        LinkState.SILENT: {
            **dict.fromkeys((*_HELLOS, Heard.REPORT), _CONFIGURE),
            Heard.STRANGE: (LinkState.STRANGE, HostAct.NOTHING),
            Heard.BABBLE: (LinkState.FOREIGN, HostAct.NOTHING),
        },
        LinkState.ASKED: {
            **_AWAY,
            Heard.OURS: (LinkState.ACCEPTED, HostAct.NOTHING),
            Heard.REFUSAL: (LinkState.REFUSED, HostAct.NOTHING),
            Heard.LATE: _CONFIGURE,
        },
        LinkState.ACCEPTED: {
            **_AWAY,
            Heard.FREE: _BEGIN_ANEW,
            Heard.OTHERS: _BEGIN_ANEW,
            Heard.REFUSAL: (LinkState.REFUSED, HostAct.NOTHING),
            Heard.NEXT: (LinkState.UP, HostAct.BEGIN),
            Heard.LATER: (LinkState.ACCEPTED, HostAct.SKIP),
            Heard.MISFIT: (LinkState.UNFIT, HostAct.NOTHING),
            Heard.LATE: _CONFIGURE,
        },
        LinkState.UP: {
            **_AWAY,
            Heard.FREE: _BEGIN_ANEW,
            Heard.OTHERS: _BEGIN_ANEW,
            Heard.REFUSAL: _CONFIGURE,
            Heard.NEXT: (LinkState.UP, HostAct.FOLLOW),
            Heard.SAME: (LinkState.UP, HostAct.COMPARE),
            Heard.OLDER: (LinkState.UP, HostAct.REPEAT),
            Heard.LATER: (LinkState.UP, HostAct.SKIP),
            Heard.MISFIT: _CONFIGURE,
        },
        LinkState.REFUSED: {**_AWAY},
        LinkState.STRANGE: {**_AWAY, **dict.fromkeys(_HELLOS, _CONFIGURE)},
        LinkState.UNFIT: {
            **_AWAY,
            **dict.fromkeys((Heard.FREE, Heard.OTHERS), _BEGIN_ANEW),
            **dict.fromkeys((Heard.NEXT, Heard.SAME, Heard.OLDER, Heard.LATER), _CONFIGURE),
        },
        LinkState.FOREIGN: {
            **dict.fromkeys((*_HELLOS, Heard.REPORT), _CONFIGURE),
            Heard.STRANGE: (LinkState.STRANGE, HostAct.NOTHING),
            Heard.UNPLUGGED: (LinkState.SILENT, HostAct.NOTHING),
        },
    }
)
"""Each state's steps; what stands in no row changes nothing."""


def step(state: LinkState, heard: Heard) -> Reaction:
    """The state that follows and what is to be done."""
    return TABLE[state].get(heard, (state, HostAct.NOTHING))
