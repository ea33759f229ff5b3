"""The tour in the running program: nothing of it is stored, and it is heard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from known import GAMES
from test_app import BOARD, NEW, AppBench
from test_speaking import SpokenBench

from pi_app.match.turns import Phase
from pi_app.referee.view import TourStep
from pi_app.user.agreement import Form, new_match
from pi_app.user.commands import PlayTour, Resume
from pi_app.user.settings import Settings

TOUR = PlayTour(new_match(Form(match_to=None), GAMES.match("nannon")))
LEAVE = PlayTour()


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[AppBench]:
    bench = AppBench(tmp_path)
    yield bench
    bench.kill()


def to_the_warning(bench: AppBench) -> None:
    """By the words and the arrows, from the start to the warning."""
    bench.touch(TOUR)
    bench.set_up()
    while bench.view.tour is TourStep.ROLL:
        bench.press()
    _make(bench)
    assert step(bench) is TourStep.PLAYED
    bench.press()
    bench.press()
    assert step(bench) is TourStep.WRONG
    _make(bench)
    bench.after(2000)
    assert bench.view.rule


def to_the_end(bench: AppBench) -> None:
    to_the_warning(bench)
    (move,) = bench.view.moves
    bench.reed(move.target.name, False)
    bench.reed(move.origin.name, True)
    bench.after(600)
    assert step(bench) is TourStep.OVER


def _make(bench: AppBench) -> None:
    (move,) = bench.view.to_make
    bench.reed(move.origin.name, False)
    bench.reed(move.target.name, True)
    bench.after(600)


def step(bench: AppBench) -> TourStep | None:
    return bench.view.tour


def no_view(bench: AppBench) -> bool:
    assert bench.front.shown
    return bench.front.shown.view is None


def test_nothing_of_it_is_stored_not_even_by_a_kill(bench: AppBench, tmp_path: Path) -> None:
    to_the_end(bench)
    assert not bench.opened.journal.has_matches
    bench.kill()
    again = AppBench(tmp_path)
    again.after(100)
    assert no_view(again)
    assert again.front.shown
    assert again.front.shown.resumable is None
    assert not again.opened.journal.has_matches
    again.source.close()
    bench.opened = again.opened


def test_who_leaves_it_in_the_middle_is_at_the_start_again(bench: AppBench) -> None:
    to_the_warning(bench)
    bench.touch(LEAVE)
    assert no_view(bench)
    lights = [place.light for place in BOARD.places if place.light is not None]
    bench.after(2000)
    assert not any(bench.factory.pin(light).state for light in lights)
    bench.touch(LEAVE)
    assert no_view(bench), "a second touch leaves nothing"


def test_a_match_begins_from_it_and_is_stored(bench: AppBench) -> None:
    to_the_end(bench)
    bench.touch(NEW)
    assert (step(bench), bench.view.phase) == (None, Phase.SET_UP)
    assert bench.opened.journal.has_matches


def test_it_interrupts_no_match_and_a_match_can_be_resumed_after_it(
    bench: AppBench, tmp_path: Path
) -> None:
    bench.touch(NEW)
    bench.set_up()
    bench.press()
    before = bench.view.timeless()
    bench.touch(TOUR)
    assert bench.view.timeless() == before
    bench.kill()
    again = AppBench(tmp_path)
    again.touch(TOUR)
    assert step(again) is TourStep.SET_UP
    again.touch(LEAVE)
    assert again.front.shown
    assert again.front.shown.resumable
    again.touch(TOUR)
    again.touch(Resume())
    assert (step(again), again.view.phase) == (None, before.phase)
    again.source.close()
    bench.opened = again.opened


def test_it_rolls_and_waits_for_the_button_whatever_the_settings_are(tmp_path: Path) -> None:
    settings = Settings().changed("play.dice", "typed").changed("play.commit", "settle")
    bench = AppBench(tmp_path, settings=settings)
    to_the_end(bench)
    bench.kill()


@pytest.mark.parametrize("told", ["warnings", "rolls", "plays", "all"])
def test_every_step_is_heard(tmp_path: Path, told: str) -> None:
    bench = SpokenBench(tmp_path, told)
    to_the_end(bench)
    heard = " ".join(bench.mouth.said)
    for words in (
        "Set up the board.",
        "Press the die button. It rolls for White.",
        "White plays 2 to 3. Make this play on the board",
        "This is legal.",
        "Now make an illegal move. Move the checker from",
        "Back to ",
        "You know how Spotter works.",
    ):
        assert words in heard, bench.mouth.said
    bench.kill()


def test_a_step_that_was_drowned_out_is_said_once_hands_rest(tmp_path: Path) -> None:
    bench = SpokenBench(tmp_path)
    bench.touch(TOUR)
    bench.set_up()
    bench.mouth.sounds = True
    bench.press()
    bench.press()
    bench.after(4000)
    bench.mouth.sounds = False
    said = len(bench.mouth.said)
    bench.after(10_000)
    assert bench.mouth.said[said:] == []
    bench.after(10_000)
    assert bench.mouth.said[-1].startswith("White plays 2 to 3. Make this play")
    bench.kill()


def test_spectators_hear_nothing_of_it(tmp_path: Path) -> None:
    bench = SpokenBench(tmp_path, "spectators")
    to_the_end(bench)
    assert not [one for one in bench.mouth.said if "Press the die button" in one]
    bench.kill()
