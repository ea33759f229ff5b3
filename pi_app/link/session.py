"""The host's side of the link: bytes and times in, events and bytes out. It opens no port and never
waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeAlias

from pi_app.base.microseconds import ENDLESS, US_A_MS, Us, ms
from pi_app.base.values import dataclass
from pi_app.link.messages import (
    OLDEST,
    SEQUENCES,
    VERSION,
    Acknowledge,
    AskLevels,
    Cause,
    CellKind,
    Configure,
    Decoder,
    Fault,
    FromScanner,
    Geometry,
    Hello,
    MessageError,
    Report,
    Stranger,
    StripLevels,
    StripState,
    Who,
    encode,
    pack,
    unpack_from_scanner,
)
from pi_app.link.strips import RowColumn, cells_of, chain_fault, silent_cells
from pi_app.words.sentences import Said, Sentence

# The states of a session with the scanner as one table: what is heard, what follows, what is done.
#
# The host speaks when spoken to. A scanner that lives says something every fifth of a second, and
# in the silence after a reset listens an Arduino's bootloader, which any byte holds up for
# seconds.


class LinkState(Enum):
    SILENT = "silent"
    """Nothing is heard, or no port is open."""
    ASKED = "asked"
    """The configuration was sent; the answer has not arrived."""
    ACCEPTED = "accepted"
    """The scanner has answered; the first picture has not arrived."""
    UP = "up"
    """The state of all contacts is known."""
    REFUSED = "refused"
    """The scanner rejected the configuration."""
    STRANGE = "strange"
    """The scanner uses another version of the protocol."""
    UNFIT = "unfit"
    """The scanner has answered, but its pictures are of another matrix."""
    BROKEN = "broken"
    """The scanner has answered, but its chain of Hall strips is broken."""
    FOREIGN = "foreign"
    """The device on the port sends something else; it is no scanner."""


class Heard(Enum):
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
    CHAIN_BROKEN = "strips that are not whole"
    CHAIN_WHOLE = "strips that are whole"
    BABBLE = "a second of bytes without a message"
    LATE = "no answer in time"
    SILENCE = "silence"
    UNPLUGGED = "the port gone"


class HostAct(Enum):
    NOTHING = "nothing"
    ASK = "ask who it is"
    CONFIGURE = "configure"
    BEGIN_ANEW = "count a reset, configure"
    BEGIN = "take the first picture"
    FOLLOW = "take the change"
    COMPARE = "compare the picture"
    REPEAT = "count it, acknowledge again"
    SKIP = "count it"
    SPELL = "count the silence"


Reaction: TypeAlias = tuple[LinkState, HostAct]

_AWAY: Mapping[Heard, Reaction] = {
    Heard.SILENCE: (LinkState.SILENT, HostAct.SPELL),
    Heard.UNPLUGGED: (LinkState.SILENT, HostAct.NOTHING),
    Heard.STRANGE: (LinkState.STRANGE, HostAct.NOTHING),
}
_CONFIGURE: Reaction = (LinkState.ASKED, HostAct.CONFIGURE)
_BEGIN_ANEW: Reaction = (LinkState.ASKED, HostAct.BEGIN_ANEW)
_HELLOS = (Heard.FREE, Heard.OURS, Heard.REFUSAL, Heard.OTHERS)

# Why every report carries the whole picture and a number: a lost report then costs time and never a
# change, because the next one shows what it told. Why a session has a random token: after a reset
# or a new configuration, older messages are still on their way, and the token tells them apart.
# Why the host asks only when it has heard something: a bootloader takes any byte for the beginning
# of an upload, so a host that repeats its question into the silence holds the scanner up for ever.
TABLE: Mapping[LinkState, Mapping[Heard, Reaction]] = {
    LinkState.SILENT: {
        **dict.fromkeys(_HELLOS, _CONFIGURE),
        Heard.REPORT: (LinkState.SILENT, HostAct.ASK),
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
        Heard.CHAIN_BROKEN: (LinkState.BROKEN, HostAct.NOTHING),
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
        Heard.CHAIN_BROKEN: (LinkState.BROKEN, HostAct.NOTHING),
    },
    LinkState.BROKEN: {
        **_AWAY,
        **dict.fromkeys((Heard.FREE, Heard.OTHERS), _BEGIN_ANEW),
        Heard.CHAIN_WHOLE: _CONFIGURE,
    },
    # A damaged hello may refuse, or name any version: one that still reports is asked again.
    LinkState.REFUSED: {
        **_AWAY,
        Heard.OURS: _CONFIGURE,
        Heard.REPORT: (LinkState.REFUSED, HostAct.ASK),
    },
    LinkState.STRANGE: {
        **_AWAY,
        **dict.fromkeys(_HELLOS, _CONFIGURE),
        Heard.REPORT: (LinkState.STRANGE, HostAct.ASK),
    },
    LinkState.UNFIT: {
        **_AWAY,
        **dict.fromkeys((Heard.FREE, Heard.OTHERS), _BEGIN_ANEW),
        **dict.fromkeys((Heard.NEXT, Heard.SAME, Heard.OLDER, Heard.LATER), _CONFIGURE),
    },
    LinkState.FOREIGN: {
        **dict.fromkeys(_HELLOS, _CONFIGURE),
        Heard.REPORT: (LinkState.SILENT, HostAct.ASK),
        Heard.STRANGE: (LinkState.STRANGE, HostAct.NOTHING),
        Heard.UNPLUGGED: (LinkState.SILENT, HostAct.NOTHING),
    },
}
"""The transitions of each state; what has no row changes nothing."""


def step(state: LinkState, heard: Heard) -> Reaction:
    return TABLE[state].get(heard, (state, HostAct.NOTHING))


# The host's side of the wire: bytes and times in, events and bytes out; it opens and waits for
# nothing.
#
# Reports are taken in their order and acknowledged. Whatever was lost, doubled or damaged on the
# way, the scanner's next words bring the right picture.

SILENT = ms(1000)
"""After this long without a frame the scanner counts as gone."""
PATIENCE = ms(250)
"""How long to wait for an answer before the configuration is sent again."""

MOST_BABBLE, MOST_QUOTED = 256, 40
"""Bytes that are kept of input that is no message, and characters that are shown of it."""


@dataclass(frozen=True, slots=True)
class Up:
    """The scanner is configured; its first picture follows."""

    us: Us


@dataclass(frozen=True, slots=True)
class MatrixPicture:
    """All closed contacts: at the start, and after reports were lost."""

    us: Us
    closed: frozenset[RowColumn]


@dataclass(frozen=True, slots=True)
class Changed:
    """One contact changed at `us`, in the host's time."""

    us: Us
    place: RowColumn
    closed: bool


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The picture is no longer current; `why` says why."""

    us: Us
    why: str


LinkEvent: TypeAlias = Up | MatrixPicture | Changed | LinkLost


@dataclass(slots=True)
class Counters:
    """Errors on the link since the start.

    `overflows` are changes that the scanner had to merge; `last_cause` is that of the last reset.
    """

    frames: int = 0
    bad_frames: int = 0
    gaps: int = 0
    duplicates: int = 0
    overflows: int = 0
    resets: int = 0
    last_cause: Cause | None = None
    reconnects: int = 0
    silent_spells: int = 0


FLASH = Sentence("end Spotter and run: spotter scanner --flash")
CELLS = Sentence("{rows} × {columns} cells")
SAYS_NOTHING = Sentence("the scanner does not answer")
BEING_CONFIGURED = Sentence("the scanner is being configured")
OTHER_VERSION = Sentence("the scanner uses protocol {version}, Spotter {known}; {remedy}")
REFUSES = Sentence("the scanner rejects {cells}, {ms} ms: {why}")
OTHER_SIZE = Sentence("the scanner's pictures of {cells} have {size} bytes, not {needed}; {remedy}")
BEYOND = Sentence("the scanner reports reeds beyond its {cells}; {remedy}")
NO_SCANNER = Sentence(
    "no scanner on this port, it sends {babble}; set another port under "
    "[scanner] in the settings, or {remedy}"
)
THE_BYTES = Sentence("the bytes {bytes}")
OTHER_PROTOCOL = Sentence("it uses another protocol version; {remedy}")

REFUSALS: Mapping[Fault, Said] = {
    Fault.NONE: Sentence("it confirms another matrix")(),
    Fault.VERSION: OTHER_PROTOCOL(remedy=FLASH()),
    Fault.ROWS: Sentence("it has fewer rows")(),
    Fault.COLUMNS: Sentence("it has fewer columns")(),
    Fault.CELLS: Sentence("it has fewer cells")(),
    Fault.DEBOUNCE: Sentence("its debounce time is too short")(),
    Fault.KIND: Sentence("it cannot read such sensors")(),
    Fault.THRESHOLDS: Sentence("it cannot compare with such thresholds")(),
}


class HostSession:
    """The session with one scanner.

    `token` returns a new random number from 1 to 65535 for each configuration. `wired` are the
    cells that have a sensor, by default all. Times are the host's microseconds and never go back.
    """

    def __init__(
        self,
        geometry: Geometry,
        token: Callable[[], int],
        wired: frozenset[RowColumn] | None = None,
    ) -> None:
        self.geometry = geometry
        self.levels: dict[int, tuple[tuple[int, int], ...]] = {}
        """Of each strip that has been asked for: level and zero of its sensors."""
        self.silent: frozenset[RowColumn] = frozenset()
        """The cells whose Hall sensor does not work."""
        self._wired = cells_of(geometry) if wired is None else wired
        self.state = LinkState.SILENT
        self.counters = Counters()
        self.hello: Hello | None = None
        """The last hello of a scanner of a version that is spoken."""
        self._new_token = token
        self._token = 0
        self._decoder = Decoder()
        self._clock = ScannerClock()
        self._outgoing = bytearray()
        self._plugged_before = False
        self._heard_at = self._asked_at = Us(0)
        self._sequence = self._lost = self._closed = 0
        self._owes_answer = False
        self._babble = b""
        self._babble_since = Us(0)
        self._complaint = ""

    @property
    def closed(self) -> frozenset[RowColumn] | None:
        """The closed contacts; None while they are unknown."""
        return self._places(self._closed) if self.state is LinkState.UP else None

    @property
    def trouble(self) -> str | None:
        """Why the contacts are unknown and what to do; None while they are known."""
        match self.state:
            case LinkState.UP:
                return None
            case LinkState.SILENT:
                return SAYS_NOTHING()
            case LinkState.ASKED | LinkState.ACCEPTED:
                return BEING_CONFIGURED()
            case _:
                return self._complaint

    @property
    def due(self) -> Us | None:
        """When the scanner times out; None while nothing is awaited."""
        if self.state in (LinkState.SILENT, LinkState.FOREIGN):
            return None
        return Us(self._heard_at + SILENT)

    def plugged(self, us: Us) -> None:
        """A port was opened: discard everything from the previous one."""
        self._forget()
        self._heard_at = us
        self.counters.reconnects += self._plugged_before
        self._plugged_before = True

    def unplugged(self, us: Us) -> tuple[LinkEvent, ...]:
        self._forget()
        return self._take(us, Heard.UNPLUGGED, None)

    def receive(self, us: Us, data: bytes) -> tuple[LinkEvent, ...]:
        """Take bytes, in pieces of any size. Return what happened."""
        events: list[LinkEvent] = []
        bad = self._decoder.bad
        if data and not self._babble:
            self._babble_since = us
        self._babble = (self._babble + data)[-MOST_BABBLE:]
        payloads = self._decoder.feed(data)
        self.counters.frames += len(payloads)
        self.counters.bad_frames += self._decoder.bad - bad
        for payload in payloads:
            events += self._hear(us, payload)
        is_late = us - self._asked_at >= PATIENCE
        if payloads and is_late and self.state in (LinkState.ASKED, LinkState.ACCEPTED):
            events += self._take(us, Heard.LATE, None)
        is_long = us - self._babble_since >= SILENT
        if self._babble and is_long and self.state is LinkState.SILENT:
            events += self._take(us, Heard.BABBLE, None)
        if self._owes_answer:
            self._owes_answer = False
            self._say(Acknowledge(self._token, self._sequence))
        return tuple(events)

    def advance(self, us: Us) -> tuple[LinkEvent, ...]:
        """Let time pass. Call `receive` for all bytes that arrived by then first."""
        if self.due is None or us < self.due:
            return ()
        return self._take(us, Heard.SILENCE, None)

    def ask_levels(self, row: int) -> None:
        """Ask for the levels of a strip; the answer will be in `levels`."""
        self._say(AskLevels(row))

    def take_outgoing(self) -> bytes:
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def _forget(self) -> None:
        self._decoder.reset()
        self._outgoing.clear()
        self._babble = b""

    def _hear(self, us: Us, payload: bytes) -> tuple[LinkEvent, ...]:
        try:
            message = unpack_from_scanner(payload)
        except MessageError:
            self.counters.bad_frames += 1
            return ()
        self._babble = b""
        self._heard_at = us
        if isinstance(message, StripLevels):
            self.levels[message.row] = message.levels
            return ()
        heard = self._classified(message)
        self.counters.bad_frames += heard is Heard.MISFIT
        match message:
            case Hello():
                self.hello = message
            case StripState():
                self.silent = self._wired & silent_cells(message, self.geometry)
            case Report() if heard is not Heard.REPORT:
                self._clock.hear(us, message.ms)
        return self._take(us, heard, message)

    def _classified(self, message: Hello | Stranger | Report | StripState) -> Heard:
        match message:
            case Stranger():
                return Heard.STRANGE
            case Hello():
                return self._greeted(message)
            case Report():
                return self._placed(message)
            case StripState() if self.state in (LinkState.SILENT, LinkState.FOREIGN):
                return Heard.REPORT
            case StripState():
                return Heard.CHAIN_BROKEN if self._chain_fault(message) else Heard.CHAIN_WHOLE

    def _chain_fault(self, strips: StripState) -> str | None:
        return chain_fault(strips, self.geometry, self._wired)

    def _greeted(self, hello: Hello) -> Heard:
        if hello.version == OLDEST and self.geometry.kind == CellKind.HALL:
            return Heard.STRANGE
        if not hello.token:
            return Heard.FREE
        if hello.token != self._token or self.state is LinkState.SILENT:
            return Heard.OTHERS
        fits = hello.geometry == self.geometry and hello.fault is Fault.NONE
        return Heard.OURS if fits else Heard.REFUSAL

    def _placed(self, report: Report) -> Heard:
        if self.state not in (LinkState.ACCEPTED, LinkState.UP, LinkState.UNFIT):
            return Heard.REPORT
        bits = int.from_bytes(report.bitmap, "little")
        if len(report.bitmap) != self.geometry.bitmap_bytes or bits >> self.geometry.contacts:
            return Heard.MISFIT
        distance = (report.sequence - self._sequence) % SEQUENCES
        if distance < 2:
            return Heard.NEXT if distance else Heard.SAME
        return Heard.LATER if distance < SEQUENCES // 2 else Heard.OLDER

    def _take(self, us: Us, heard: Heard, message: FromScanner | None) -> tuple[LinkEvent, ...]:
        was_up = self.state is LinkState.UP
        self._complaint = self._complains(heard, message) or self._complaint
        self.state, act = step(self.state, heard)
        events: tuple[LinkEvent, ...] = ()
        match act:
            case HostAct.ASK:
                self._say(Who())
            case HostAct.CONFIGURE:
                self._configure(us)
            case HostAct.BEGIN_ANEW:
                self.counters.resets += 1
                self.counters.last_cause = self.hello.cause if self.hello else Cause.UNKNOWN
                self._configure(us)
            case HostAct.SPELL:
                self.counters.silent_spells += 1
            case HostAct.SKIP:
                self.counters.gaps += 1
            case HostAct.REPEAT:
                self.counters.duplicates += 1
                self._owes_answer = True
            case HostAct.BEGIN | HostAct.FOLLOW | HostAct.COMPARE if isinstance(message, Report):
                self._owes_answer = True
                events = self._read(us, message, act)
        if was_up and self.state is not LinkState.UP:
            self._owes_answer = False
            return (*events, LinkLost(us, self.trouble or ""))
        return events

    def _complains(self, heard: Heard, message: FromScanner | None) -> str | None:
        at = self.geometry
        cells = CELLS(rows=at.rows, columns=at.columns)
        match heard, message:
            case Heard.STRANGE, Stranger(version) | Hello(version=version):
                return OTHER_VERSION(version=version, known=VERSION, remedy=FLASH())
            case Heard.REFUSAL, Hello(fault=fault):
                return REFUSES(cells=cells, ms=at.debounce_ms, why=REFUSALS[fault])
            case Heard.MISFIT, Report(bitmap=bitmap):
                return _misfit(len(bitmap), at)
            case Heard.CHAIN_BROKEN, StripState():
                return self._chain_fault(message)
            case Heard.BABBLE, _:
                return NO_SCANNER(babble=_quoted(self._babble), remedy=FLASH())
        return None

    def _configure(self, us: Us) -> None:
        """Configure with a new token, by which late messages are recognised."""
        token = self._new_token()
        self._token = token if token != self._token else token % (SEQUENCES - 1) + 1
        self._asked_at = us
        self._sequence, self._lost = SEQUENCES - 1, 0
        self._clock.restart()
        version = self.hello.version if self.hello else VERSION
        self._say(Configure(self._token, self.geometry, version))

    def _read(self, us: Us, report: Report, act: HostAct) -> tuple[LinkEvent, ...]:
        happened = self._clock.convert(us, report.ms)
        bits = int.from_bytes(report.bitmap, "little")
        different, merged = bits ^ self._closed, max(0, report.lost - self._lost)
        self._sequence, self._closed = report.sequence, bits
        self._lost += merged
        self.counters.overflows += merged
        if act is HostAct.BEGIN:
            return Up(happened), MatrixPicture(happened, self._places(bits))
        if act is HostAct.COMPARE and not merged and not different:
            return ()
        if act is HostAct.FOLLOW and not merged and different.bit_count() == 1:
            (place,) = self._places(different)
            return (Changed(happened, place, bool(bits & different)),)
        return (MatrixPicture(happened, self._places(bits)),)

    def _places(self, bits: int) -> frozenset[RowColumn]:
        numbers = (number for number in range(bits.bit_length()) if bits >> number & 1)
        return frozenset(map(self._place, numbers))

    def _place(self, number: int) -> RowColumn:
        cell, pole = divmod(number, self.geometry.poles)
        at = divmod(cell, self.geometry.columns)
        return at if self.geometry.poles == 1 else (*at, pole)

    def _say(self, message: Who | Configure | Acknowledge | AskLevels) -> None:
        self._outgoing += encode(pack(message))


def _misfit(size: int, at: Geometry) -> str:
    cells, needed = CELLS(rows=at.rows, columns=at.columns), at.bitmap_bytes
    if size == needed:
        return BEYOND(cells=cells, remedy=FLASH())
    return OTHER_SIZE(cells=cells, size=size, needed=needed, remedy=FLASH())


def _quoted(babble: bytes) -> str:
    """Unknown text for an error: its longest line or its last bytes."""
    cut, *whole = babble.replace(b"\r", b"\n").split(b"\n")
    line = max(whole, key=len, default=b"") or cut
    text = line.decode("ascii", "replace")[:MOST_QUOTED].strip()
    if text.isprintable() and text.isascii() and text:
        return f'"{text}"'
    return THE_BYTES(bytes=babble[-MOST_QUOTED // 4 :].hex(" "))


WINDOW = ms(2000)
"""The offset between the clocks comes from the quickest message of the last one to two windows."""

_WRAP = 1 << 32
_HALF = _WRAP // 2


class ScannerClock:
    """Converts the scanner's milliseconds to the host's time.

    Each message arrives some time after it was stamped; the quickest one gives the offset between
    the clocks. Old messages are forgotten: a resonator may be half a per cent slow, and times would
    lag seconds behind within minutes. A converted time is never later than the arrival and never
    goes back.
    """

    def __init__(self) -> None:
        self._newest: int | None = None
        self._latest = Us(0)
        self._window_began: Us | None = None
        self._best = self._best_before = ENDLESS

    def restart(self) -> None:
        """The scanner's clock may have restarted."""
        self._newest = self._window_began = None
        self._best = self._best_before = ENDLESS

    def hear(self, arrived: Us, stamp: int) -> None:
        apart = arrived - self._unwrapped(stamp)
        if self._window_began is None or arrived - self._window_began >= WINDOW:
            self._window_began = arrived
            self._best, self._best_before = ENDLESS, self._best
        self._best = Us(min(self._best, apart))

    def convert(self, arrived: Us, stamp: int) -> Us:
        """Convert a time stamp that arrived at `arrived` to the host's time."""
        happened = self._unwrapped(stamp) + min(self._best, self._best_before)
        self._latest = Us(max(self._latest, min(happened, arrived)))
        return self._latest

    def _unwrapped(self, stamp: int) -> int:
        """Microseconds without the wrap after 49 days, nearest to the newest stamp."""
        if self._newest is None:
            self._newest = stamp
        ahead = (stamp - self._newest + _HALF) % _WRAP - _HALF
        self._newest = max(self._newest, self._newest + ahead)
        return (self._newest + min(ahead, 0)) * US_A_MS
