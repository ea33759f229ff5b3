"""Two running Spotters, from an invitation to the first roll and over a power cut. Fingers touch
the pages as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from known import GAMES
from test_app import NEW, AppBench
from test_touchscreen import TouchedGlass

from pi_app.app.linking import LINKS, Linking
from pi_app.app.membership import Club, ClubMember
from pi_app.base.identifiers import BoardName
from pi_app.match.turns import Phase
from pi_app.referee.events import far_seat_of
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.screen.canvas import Text
from pi_app.screen.compose import FingerDown
from pi_app.screen.front import ScreenFront
from pi_app.screen.ui import Page
from pi_app.user.commands import AnswerFar, Invite, Rematch

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
        seats = [far_seat_of(match.start) for match in journal.matches()]
        linking = Linking(
            self.folder / own / LINKS,
            own,
            lambda to, message: self.linking[to].hear(own, message),
            GAMES.only(["nannon"]),
            bench.app._wake,
            begun=frozenset(seat.link for seat in seats if seat),
            resumes=bool(seats),
        )
        self.enters(bench, linking)
        self.linking[own], self.benches[own] = linking, bench

    def enters(
        self, bench: AppBench, linking: Linking | None, member: ClubMember | None = None
    ) -> None:
        club = Club()
        club.linking, club.member = linking, member
        bench.app._services = replace(bench.app._services, club=club)

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


class Town:
    """The sender of a board in a club of two."""

    trouble = None

    def __init__(self, other: BoardName) -> None:
        self.looks, self._other = False, other

    @property
    def boards(self) -> tuple[str, ...]:
        return (self._other,) if self.looks else ()

    def look_round(self) -> None:
        self.looks = True

    def watch(self, view: View) -> None:
        """Nobody is told."""

    def close(self) -> None:
        """Nothing was opened."""


class TwoScreens(TwoSpotters):
    """The same with the product's own screens, and a finger at each."""

    def start(self, own: BoardName) -> None:
        super().start(own)
        bench, glass = self.benches[own], TouchedGlass()
        front = ScreenFront(glass)  # type: ignore[arg-type]
        club = Town(TWO if own == ONE else ONE)
        bench.app._devices = replace(bench.app._devices, front=front)
        self.enters(bench, self.linking[own], club)
        self.screens: dict[BoardName, tuple[ScreenFront, TouchedGlass]]
        self.screens = {**getattr(self, "screens", {}), own: (front, glass)}
        bench.after(100)

    def taps(self, own: BoardName, *labels: str) -> None:
        """Touches the buttons with these labels one after the other, no faster than people do."""
        for label in labels:
            front, glass = self.screens[own]
            (place,) = (
                target.rect
                for target in front._picture.targets
                if isinstance(target.means, tuple) and target.means[0] == label
            )
            glass.inputs.append(FingerDown(*place.centre))
            self.after(600)

    def reads(self, own: BoardName) -> str:
        """All that stands on a screen."""
        shapes = self.screens[own][0]._picture.shapes
        return " ".join(shape.text for shape in shapes if isinstance(shape, Text))

    def page(self, own: BoardName) -> Page:
        return self.screens[own][0]._ui.page


@pytest.fixture
def screens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoScreens]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    screens = TwoScreens(tmp_path)
    screens.after(600)
    yield screens
    for bench in screens.benches.values():
        bench.kill()


def test_a_match_between_two_boards_begins_on_their_screens(screens: TwoScreens) -> None:
    screens.taps(TWO, "Settings")
    screens.taps(ONE, "New match", "Another board", "town-2")
    assert "Waiting for town-2" in screens.reads(ONE)
    assert screens.page(TWO) is Page.SETTINGS, "nobody is torn from what he does"
    assert "town-1 asks" in screens.reads(TWO)
    screens.taps(TWO, "Show")
    assert "town-1 invites you" in screens.reads(TWO)
    screens.taps(TWO, "Yes")
    for own, bench in screens.benches.items():
        assert screens.page(own) is Page.PLAY
        session = bench.app._session
        assert session is not None
        assert session.view.phase is Phase.SET_UP
        assert session.far_seat is not None


def test_a_no_comes_back_with_the_names_and_everybody_is_where_he_was(screens: TwoScreens) -> None:
    screens.taps(TWO, "Tour")
    screens.taps(ONE, "New match", "Another board", "town-2")
    screens.taps(TWO, "Show", "No")
    assert screens.page(TWO) is Page.TOUR
    assert "question" not in screens.reads(TWO)
    assert screens.page(ONE) is Page.BOARDS
    assert "town-2 declines the match White – Black" in screens.reads(ONE)
    screens.taps(ONE, "town-2")
    assert "town-1 asks" in screens.reads(TWO), "who was declined may ask again"


def test_a_board_on_which_a_match_is_played_says_that_it_is_busy(screens: TwoScreens) -> None:
    screens.taps(TWO, "New match", "Begin")
    screens.taps(ONE, "New match", "Another board", "town-2")
    assert "busy with a match" in screens.reads(ONE)
    assert screens.page(TWO) is Page.PLAY
    assert "question" not in screens.reads(TWO)


def test_a_withdrawn_invitation_is_gone_from_the_other_screen(screens: TwoScreens) -> None:
    screens.taps(TWO, "Settings")
    screens.taps(ONE, "New match", "Another board", "town-2")
    screens.taps(ONE, "Withdraw the invitation")
    assert "Waiting for town-2" not in screens.reads(ONE)
    assert "question" not in screens.reads(TWO)
    screens.taps(TWO, "Back")
    assert "town-1 withdrew its invitation" in screens.reads(TWO)


def test_a_rematch_is_asked_for_and_a_spotter_in_no_club_says_so(two: TwoSpotters) -> None:
    one = two.benches[ONE]
    two.enters(one, None)
    one.touch(Invite(NEW, TWO, Side.WHITE))
    said = "Join a club to invite town-2"
    assert two.notices(ONE) == (said,)
    one.touch(AnswerFar(True))
    one.touch(Rematch())
    assert one.front.shown is not None
    assert one.front.shown.view is None
