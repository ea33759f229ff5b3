"""Two running Spotters, from an invitation to the first throw and over a power cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from test_app import NEW, AppBench

from pi_app.club.linking import LINKS, Linking, seat_of
from pi_app.identifiers import BoardName
from pi_app.match.phases import Phase
from pi_app.rules.terms import Side
from pi_app.screen.commands import AnswerFar, Invite, Rematch

ONE, TWO = BoardName("town-1"), BoardName("town-2")


class TwoSpotters:
    """Two programs, and letters between them that arrive whenever either looks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.linking: dict[BoardName, Linking] = {}
        self.benches: dict[BoardName, AppBench] = {}
        for own in (ONE, TWO):
            self.start(own)

    def start(self, own: BoardName) -> None:
        bench = AppBench(self.folder / own)
        journal = bench.opened.journal
        seats = [seat_of(match.start) for match in journal.matches()]
        linking = Linking(
            self.folder / own / LINKS,
            own,
            lambda to, message: self.linking[to].hear(own, message),
            lambda game: game == "nannon",
            bench.app._wake,
            begun=frozenset(seat.link for seat in seats if seat),
            resumes=bool(seats),
        )
        bench.app._devices = replace(bench.app._devices, linking=linking)
        self.linking[own], self.benches[own] = linking, bench

    def after(self, time_ms: int) -> None:
        for _ in range(time_ms // 50):
            for bench in self.benches.values():
                bench.after(50)

    def notices(self, own: BoardName) -> tuple[str, ...]:
        shown = self.benches[own].front.shown
        assert shown is not None
        return shown.notices


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoSpotters]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    spotters = TwoSpotters(tmp_path)
    yield spotters
    for bench in spotters.benches.values():
        bench.kill()


def test_from_the_invitation_to_the_throw_and_over_a_power_cut(two: TwoSpotters) -> None:
    one, other = two.benches[ONE], two.benches[TWO]
    one.touch(Invite(NEW, TWO, Side.WHITE))
    two.after(200)
    assert two.notices(ONE) == ("Waiting for town-2 to accept the match",)
    assert other.front.shown is not None
    assert "town-1 invites you" in (other.front.shown.question or "")
    other.touch(AnswerFar(True))
    two.after(200)
    for bench in (one, other):
        assert (bench.view.phase, bench.view.players) == (Phase.SET_UP, ("Ada", "Ben"))
        bench.set_up()
    one.press()
    two.after(500)
    other.press()
    two.after(500)
    assert one.view.thrown == other.view.thrown
    assert (one.view.position, one.view.roll) == (other.view.position, other.view.roll)
    stood = one.view.position
    one.kill()
    two.start(ONE)
    one = two.benches[ONE]
    two.after(200)
    assert one.view.position == stood, "nobody had to touch anything"
    assert one.view.phase is other.view.phase


def test_a_rematch_is_asked_for_and_a_spotter_in_no_club_says_so(two: TwoSpotters) -> None:
    one = two.benches[ONE]
    one.app._devices = replace(one.app._devices, linking=None)
    one.touch(Invite(NEW, TWO, Side.WHITE))
    said = "town-2 cannot be invited: this Spotter is in no club"
    assert two.notices(ONE) == (said,)
    one.touch(AnswerFar(True))
    one.touch(Rematch())
    assert one.front.shown is not None
    assert one.front.shown.view is None
