"""In any order and with any failure, nothing younger than the delay is shown."""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from club_night import ToldMatch, told_match
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from known import load_board

from pi_app.base.identifiers import MatchKey
from pi_app.base.microseconds import Us
from pi_app.cli.wall import find
from pi_app.club.archive import ClubArchive
from pi_app.club.records import News
from pi_app.games.all import ALL
from pi_app.languages import load_language
from pi_app.screen.theme import Theme
from pi_app.wall.pictures import Gallery
from pi_app.wall.server import KeptMatches
from pi_app.wall.standing import Teller
from pi_app.wall.wall import Lookout, Wall, Watcher

S = 1_000_000
QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A folder in memory, so that the archive does not wait for a disk."""
MOST = 14
DELAYS = (0, 5, 30, 300)


@cache
def matches() -> tuple[ToldMatch, ToldMatch]:
    """Two of one board, which goes from one to the other and back."""
    first = told_match("table-1", "nannon", most=MOST)
    second = told_match("table-1", "nannon", ("Cid", "Dot"), seed=9, most=MOST)
    return first, replace(second, match=MatchKey("2@2026-11-23T21:00:00+00:00"))


@cache
def pictures(number: int) -> tuple[str, ...]:
    """Each decision of a match on its board's page."""
    teller = Teller(ALL, Gallery(ALL, load_board))
    match, stand, names = matches()[number], None, []
    for sequence in range(len(match.lines) + 1):
        stand = teller.stand(match.summary(sequence), stand)
        names.append(str(teller.page(stand, load_language("en"))["picture"]))
    return tuple(names)


class DelayedWall(RuleBasedStateMachine):
    """A board that decides, messages that come when and as they like, and a wall that restarts."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=QUICK)
        self.runner = asyncio.Runner()
        self.now, self.delay = 1_000 * S, 30 * S
        self.made: dict[tuple[int, int], int] = {}
        self.newest = [-1, -1]
        self.playing = 0
        self.epoch = 0
        self.archive: ClubArchive | None = None
        self.kept: KeptMatches

    @initialize(delay=st.sampled_from(DELAYS))
    def begin(self, delay: int) -> None:
        self.delay = delay * S
        self.restart(0)

    @rule(seconds=st.sampled_from((0, 1, 4, 29, 31, 299, 301)))
    def time_passes(self, seconds: int) -> None:
        self.now += seconds * S

    @rule(more=st.integers(1, 3))
    def the_board_decides(self, more: int) -> None:
        for _ in range(more):
            if self.newest[self.playing] < MOST:
                self.newest[self.playing] += 1
                self.made[self.playing, self.newest[self.playing]] = self.now

    @rule()
    def the_board_takes_up_its_other_match(self) -> None:
        self.playing = 1 - self.playing
        if self.newest[self.playing] < 0:
            self.the_board_decides(1)

    @rule()
    def a_summary_comes(self) -> None:
        if self.newest[self.playing] >= 0:
            self._hear(matches()[self.playing].summary(self.newest[self.playing]))

    @rule(number=st.integers(0, 1), back=st.integers(0, MOST))
    def a_record_comes(self, number: int, back: int) -> None:
        sequence = self.newest[number] - back
        if sequence >= 0:
            self._hear_record(number, sequence)

    @rule()
    def the_outage_ends(self) -> None:
        for number, sequence in self.made:
            self._hear_record(number, sequence)

    @rule(epoch=st.integers(-500, 500))
    def restart(self, epoch: int) -> None:
        """The wall's computer starts anew, and its clock too."""
        if self.archive:
            self.archive.close()
            self.kept.close()
        self.epoch = epoch * S
        self.archive = archive = ClubArchive(Path(self.folder.name) / "club.db", self.clock)
        self.gallery = Gallery(ALL, load_board)
        teller = Teller(ALL, self.gallery)
        self.wall = Wall(teller, Us(self.delay))
        find(self.wall, archive, self.clock())
        self.kept = KeptMatches(archive)
        self.lookout = Lookout(self.wall, teller, self.clock)
        self.page = Watcher("en")
        self.shown: set[tuple[int, int]] = set()
        self.once_old: set[tuple[int, int]] = set()

    @rule(delay=st.sampled_from(DELAYS))
    def the_operator_sets_the_delay(self, delay: int) -> None:
        self.delay = delay * S
        self.wall.hold_back(Us(self.delay))

    @invariant()
    def nothing_younger_is_told(self) -> None:
        if self.archive is None:
            return
        self.lookout.tell(self.wall.show(self.clock()))
        self._look_at_the_page()
        self._look_at_lists_and_replays()
        self._look_for_pictures()

    def teardown(self) -> None:
        if self.archive and self.newest[self.playing] >= 0:
            self.the_outage_ends()
            self.a_summary_comes()
            self.now += self.delay
            self.nothing_younger_is_told()
            place = self.wall.place("table-1")
            assert place
            assert place.stand
            assert place.match == matches()[self.playing].match
            assert place.stand.sequence == self.newest[self.playing]
            for number, match in enumerate(matches()):
                assert len(self._replay(match)) == self.newest[number] + 1
        if self.archive:
            self.archive.close()
            self.kept.close()
        self.runner.close()
        self.folder.cleanup()

    def clock(self) -> Us:
        return Us(self.now + self.epoch)

    def _hear(self, news: News) -> None:
        self.wall.hear(news, self.clock())

    def _hear_record(self, number: int, sequence: int) -> None:
        record = matches()[number].record(sequence)
        assert self.archive
        for new in self.archive.add([record]).new:
            self._hear(new)

    def _is_old(self, number: int, sequence: int) -> bool:
        return self.made[number, sequence] + self.delay <= self.now

    def _look_at_the_page(self) -> None:
        place = self.wall.place("table-1")
        told = json.loads(self.lookout.news(self.page))
        for board in told["boards"]:
            assert place
            assert board["match_key"] == place.match
        if place is None or place.stand is None:
            return
        number = [match.match for match in matches()].index(place.match or MatchKey(""))
        now_shown = number, place.stand.sequence
        assert now_shown in self.shown or self._is_old(*now_shown), "the page"
        self.shown.add(now_shown)

    def _look_at_lists_and_replays(self) -> None:
        listed = self.runner.run(self.kept.matches(matches()[0].board, Us(self.delay)))
        for entry in listed:
            number = [match.match for match in matches()].index(MatchKey(str(entry["match"])))
            assert self._is_old(number, 0), "the list"
        for number, match in enumerate(matches()):
            for sequence in self._replay(match):
                assert self._is_old(number, sequence), "the replay"
                self.shown.add((number, sequence))

    def _replay(self, match: ToldMatch) -> tuple[int, ...]:
        records = self.runner.run(self.kept.records(match.board, match.match, Us(self.delay)))
        return tuple(record.id.sequence for record in records)

    def _look_for_pictures(self) -> None:
        """A picture can be guessed by what it shows; it hangs once that may be seen."""
        self.once_old |= {one for one in self.made if self._is_old(*one)}
        seen = {pictures(number)[sequence] for number, sequence in self.once_old}
        for number, sequence in self.made:
            name = pictures(number)[sequence]
            if not self._is_old(number, sequence) and name not in seen:
                assert self.gallery.picture(name, Theme.DARK, "en") is None


TestDelayedWall = DelayedWall.TestCase
TestDelayedWall.settings = settings(max_examples=40, stateful_step_count=30)
