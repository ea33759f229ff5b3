"""Which records of a board's journal to send next; pure, without I/O or a clock.

A record is sent once the journal has it, a few at a time until the broker acknowledges. It is done
only when the archive confirms it. What was acknowledged and is still missing there is sent again,
at growing intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pi_app.club.records import SEALED, Have, RecordId
from pi_app.identifiers import BoardName, MatchKey

WINDOW = 20
"""Records that the broker has not acknowledged."""
AHEAD = 250
"""Records that the archive does not say it has, while more wait."""
PATIENCE_S, LONGEST_PATIENCE_S = 10.0, 900.0
"""The delay before missing records are repeated; it doubles each time."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a journal holds of a match: how many decisions, and after which of them a seal."""

    match: MatchKey
    decisions: int
    seals: tuple[int, ...] = ()


class _Strand(NamedTuple):
    """The start and decisions of a match, or its seals: they are counted apart."""

    match: MatchKey
    is_seals: bool


@dataclass(slots=True)
class _StrandProgress:
    """A strand's progress: records in the journal, in the archive, and sent."""

    sequences: range | tuple[int, ...]
    had: int = 0
    sent: int = 0
    patience_s: float = PATIENCE_S
    since_s: float = 0.0

    @property
    def under_way(self) -> int:
        return max(0, self.sent - self.had)


class Outbox:
    """The records of a board that the archive may lack.

    `memory` is what an earlier outbox left; without it everything is sent once more, and no harm
    done.  Times are seconds of any clock that never goes back.
    """

    def __init__(self, board: BoardName, memory: Have | None = None) -> None:
        self._board = board
        self._strands: dict[_Strand, _StrandProgress] = {}
        self._unacknowledged: dict[RecordId, tuple[_Strand, int]] = {}
        self._session = ""
        self._archive = memory.archive if memory else ""
        self._had = dict(_had(memory)) if memory else {}

    def keep(self, contents: Iterable[Content]) -> None:
        for content in contents:
            self._keep(_Strand(content.match, False), range(content.decisions + 1))
            if content.seals:
                seals = tuple(SEALED + place for place in content.seals)
                self._keep(_Strand(content.match, True), seals)

    def next(self, now: float) -> tuple[RecordId, ...]:
        """The messages to send now, in order; they count as sent."""
        self._lose_patience(now)
        room = WINDOW - len(self._unacknowledged)
        ahead = AHEAD - sum(strand.under_way for strand in self._strands.values())
        chosen: list[RecordId] = []
        for strand, progress in self._strands.items():
            while progress.sent < len(progress.sequences) and len(chosen) < min(room, ahead):
                if not progress.under_way:
                    progress.since_s = now
                id_ = RecordId(self._board, strand.match, progress.sequences[progress.sent])
                self._unacknowledged[id_] = (strand, progress.sent)
                progress.sent += 1
                chosen.append(id_)
        return tuple(chosen)

    def acknowledged(self, id_: RecordId) -> None:
        self._unacknowledged.pop(id_, None)

    def cut(self) -> None:
        """The connection is lost: send again what was not acknowledged."""
        for strand, place in self._unacknowledged.values():
            progress = self._strands[strand]
            progress.sent = max(progress.had, min(progress.sent, place))
        self._unacknowledged.clear()

    def has(self, have: Have, now: float) -> None:
        if have.archive != self._archive:
            # Another archive, or the first: it may lack all that the one before had.
            self._archive, self._had = have.archive, {}
            for progress in self._strands.values():
                progress.had = progress.sent = 0
        for strand, had in _had(have):
            self._had[strand] = had
            if strand in self._strands:
                _advance(self._strands[strand], had, now)
        if have.session != self._session:
            self._session = have.session
            for progress in self._strands.values():
                progress.sent, progress.patience_s = progress.had, PATIENCE_S

    @property
    def lacking(self) -> int:
        return sum(len(one.sequences) - one.had for one in self._strands.values())

    @property
    def is_waiting(self) -> bool:
        return bool(self._unacknowledged)

    @property
    def memory(self) -> Have:
        counts = self._had.items()
        upto = {strand.match: had - 1 for strand, had in counts if not strand.is_seals}
        seals = {strand.match: had for strand, had in counts if strand.is_seals and had}
        return Have(self._archive, upto, seals)

    def _keep(self, strand: _Strand, sequences: range | tuple[int, ...]) -> None:
        progress = self._strands.get(strand)
        if progress is None:
            had = min(self._had.get(strand, 0), len(sequences))
            self._strands[strand] = _StrandProgress(sequences, had, had)
        else:
            progress.sequences = sequences

    def _lose_patience(self, now: float) -> None:
        for progress in self._strands.values():
            if progress.under_way and now - progress.since_s >= progress.patience_s:
                progress.sent, progress.since_s = progress.had, now
                progress.patience_s = min(2 * progress.patience_s, LONGEST_PATIENCE_S)


def _advance(progress: _StrandProgress, had: int, now: float) -> None:
    """The archive has this many; fewer than before if it lost some."""
    had = min(had, len(progress.sequences))
    if had < progress.had:
        progress.sent = had
    if had != progress.had:
        progress.patience_s, progress.since_s = PATIENCE_S, now
    progress.had = had
    progress.sent = max(progress.sent, had)


def _had(have: Have) -> Iterator[tuple[_Strand, int]]:
    """The number of records of each strand in an archive; unmentioned seals count as none."""
    for match, upto in have.upto.items():
        yield _Strand(match, False), upto + 1
        yield _Strand(match, True), have.seals.get(match, 0)
