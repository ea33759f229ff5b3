"""Games from outside, with boards of their own, played through everything that plays games.

Each is a package in this folder; nothing else knows of it.  The suites of every game,
`test_contract`, `test_cases` and `test_examples`, run over them as well.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from known import OUTSIDE, WITH_OUTSIDE, case_file
from lab.__main__ import main as lab
from PIL import Image
from test_layout import faults
from three_in_a_row.equipment import EQUIPMENT as THREE_IN_A_ROW
from three_in_a_row.equipment import GRID

from pi_app.__main__ import main
from pi_app.app.session import Session
from pi_app.base.microseconds import ENDLESS, Us, ms
from pi_app.boards import load_board
from pi_app.devices.dice import Dice
from pi_app.games.all import ALL
from pi_app.journal.opening import FILE, data_folder
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, Event, Picture, Press, Start, Tap, Tick
from pi_app.referee.lines import write_view
from pi_app.referee.view import View
from pi_app.screen.actions import (
    Action,
    accept_position,
    begin_match,
    change_mover,
    intend,
    set_target,
    start_edit,
    tap_spot,
)
from pi_app.screen.canvas import Drawing, Text
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Page, Shown, Ui, see
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import NewMatch, Output

NAME = THREE_IN_A_ROW.rules.name
NINE = load_board(THREE_IN_A_ROW.board, WITH_OUTSIDE.rules)
MATCH = NewMatch(NAME, ("Ada", "Ben"), 2)
BEGUN = "2026-01-01T00:00:00+00:00"
SHEET = """\
Three in a Row, match to 2
White: Ada   Black: Ben

Game 1   Ada 0 – 0 Ben
    1. Ada: @5
       The board is right: bb..w.... w
    2. Ada: @3
    3. Ben: @9
    4. Ada: @7
  Ada wins 1 point: three in a row.
  Score: Ada 1 – 0 Ben

Game 2   Ada 1 – 0 Ben
    1. Ada: @5
    2. Ben: @1
    3. Ada: @3
    4. Ben: @7
    5. Ada: @4
    6. Ben: @6
    7. Ada: @2
    8. Ben: @8
    9. Ada: @9
  Tie: no points.
  Score: Ada 1 – 0 Ben

Game 3   Ada 1 – 0 Ben
    1. Ada: @5
    2. Ben: @1
    3. Ada: @2
    4. Ben: @3
    5. Ada: @8
  Ada wins 1 point: three in a row.
  Score: Ada 2 – 0 Ben

Ada wins the match 2–0.""".splitlines()
"""The number of the match played by touches."""


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal for the commands as well, away from the user's settings and matches."""
    for folder in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder))
    data_folder().mkdir(parents=True)
    return data_folder() / FILE


def opened(path: Path) -> Journal:
    return Journal(path)


class OutsideTable:
    """A match on the board of nine spots, kept; a journal that has one goes on with it."""

    def __init__(self, journal: Journal, wanted: NewMatch) -> None:
        board, number = THREE_IN_A_ROW.board, journal.unfinished()
        start = Start(Us(0), wanted.game, board, wanted.match_to, wanted.players, wanted.options)
        latest = journal.latest_game(number) if number else ()
        if number:
            journal.resume(number)
        else:
            journal.begin(start, BEGUN)
        self.session = Session(NINE, start, journal, Dice(), latest_game=latest)

    @property
    def view(self) -> View:
        return self.session.view

    def tells(self, event: Event) -> View:
        self.session.handle(event)
        return self.view

    def later(self) -> Us:
        return Us(self.view.us + ms(3000))

    def stands(self, spots: str) -> View:
        """There is a checker on each of these spots, and the board is quiet."""
        self.tells(Picture(self.later(), frozenset(map(Sensor, spots))))
        self.session.handle(Tick(self.later()))
        return self.view

    def places(self, spots: str) -> View:
        """Checkers set one after another, each handed over with the button."""
        for spot in spots:
            # A play that ends the game counts without a press.
            if self.stands(self.standing + spot).phase is Phase.MOVING:
                self.tells(Button(self.later(), Press.SHORT))
        return self.view

    @property
    def standing(self) -> str:
        return "".join(str(spot) for spot in GRID if self.view.accepted[spot])


class Finger:
    """Touches what the screen shows; every picture it looks at is whole."""

    def __init__(self, fonts: Fonts, size: tuple[int, int], page: Page) -> None:
        self.fonts, self.size, self.ui = fonts, size, Ui(page)
        self.shown = Shown(NINE, WITH_OUTSIDE.faces)

    def sees(self, view: View) -> str:
        """The texts of the screen, line by line."""
        self.shown, self.ui = replace(self.shown, view=view), see(self.ui, view, view.us)
        lines = (shape.text for shape in self._picture().shapes if isinstance(shape, Text))
        return " ".join(lines)

    def touches(self, *actions: Action) -> tuple[Output, ...]:
        """Where the screen has these, one after another; what the last one gives."""
        outputs: tuple[Output, ...] = ()
        for action in actions:
            picture = self._picture()
            (place,) = {target.rect for target in picture.targets if target.action == action}
            touch, now = FingerDown(*place.centre), self.shown.view.us if self.shown.view else Us(0)
            self.ui, outputs = touched(picture, touch, self.ui, self.shown, now)
        return outputs

    def _picture(self) -> Drawing[Action]:
        picture = compose(self.shown, self.ui, self.size, self.fonts.measure, ENDLESS)
        assert faults(picture) == []
        return picture


def plays_by_touches(journal: Journal, fonts: Fonts, size: tuple[int, int]) -> OutsideTable:
    """A match to two points: a wrong move, a board described by tapping, a win, a tie, a win."""
    finger = Finger(fonts, size, Page.NEW_MATCH)
    (wanted,) = finger.touches(set_target(3), begin_match())
    assert isinstance(wanted, NewMatch)
    assert (wanted.game, wanted.match_to, dict(wanted.options)) == (NAME, 3, {})
    table = OutsideTable(journal, replace(wanted, match_to=2, players=("Ada", "Ben")))
    assert table.view.phase is Phase.SET_UP
    assert "Ada to move" in finger.sees(table.stands(""))
    table.places("5")

    assert table.stands("512").rule == "one-checker"
    assert "More than one checker has moved; a turn places one" in finger.sees(table.view)
    finger.touches(start_edit(), tap_spot(GRID[2]), tap_spot(GRID[2]))
    assert finger.touches(accept_position()) == ()
    uneven = "on the board are White 1 and Black 3; they place in turn"
    assert uneven in finger.sees(table.view)
    (tap,) = finger.touches(tap_spot(GRID[2]), change_mover(), accept_position())
    assert isinstance(tap, Tap)
    assert table.tells(replace(tap, us=table.later())).position == "bb..w.... w"

    table.stands("512")
    assert table.places("397").phase is Phase.GAME_OVER
    assert "Ada wins 1 point: three in a row" in finger.sees(table.view)
    for spots, phase in (("513746289", Phase.GAME_OVER), ("51238", Phase.MATCH_OVER)):
        (tap,) = finger.touches(intend(Act.NEXT_GAME))
        assert isinstance(tap, Tap)
        table.tells(replace(tap, us=table.later()))
        table.stands("")
        assert table.places(spots).phase is phase
        finger.sees(table.view)
    return table


@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=str)
def test_a_match_is_played_by_touches_on_screens_that_are_whole(
    size: tuple[int, int], fonts: Fonts, home: Path
) -> None:
    view = plays_by_touches(opened(home), fonts, size).view
    assert view.phase is Phase.MATCH_OVER
    assert (view.score.white, view.score.black) == (2, 0)


@pytest.mark.parametrize(
    ("before", "attempt", "rule", "reason"),
    [
        ("5", "9", "not-your-checker", "5/9: that is Ada's checker; it is Ben's turn"),
        ("51", "19", "stays", "5/9: what stands on 5 stays there"),
        ("", "12", "one-checker", "More than one checker has moved; a turn places one"),
    ],
)
def test_what_its_rules_forbid_is_told_with_the_rule(
    before: str, attempt: str, rule: str, reason: str, home: Path
) -> None:
    table = OutsideTable(opened(home), MATCH)
    table.stands("")
    table.places(before)
    view = table.stands(attempt)
    assert (view.board, view.rule, view.reason) == (BoardState.WRONG, rule, reason)
    assert table.stands(table.standing).board is BoardState.RESTING
    assert table.places("4").accepted[GRID[3]]


def test_killed_in_the_middle_it_comes_back_to_the_same_view(home: Path) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            table = OutsideTable(opened(home), MATCH)
            table.stands("")
            table.places("51379")
            os.write(writing, write_view(table.stands("51379")).encode())
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        before = json.loads(pipe.read())
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)

    table = OutsideTable(opened(home), MATCH)
    after = json.loads(write_view(table.stands("51379")))
    assert {**after, "us": None} == {**before, "us": None}
    assert table.places("64").position == "b.wwwbb.w b"


def test_a_kept_match_is_listed_told_replayed_and_drawn(
    home: Path, fonts: Fonts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = opened(home)
    view = plays_by_touches(journal, fonts, (800, 480)).view
    journal.close()

    assert main(["matches"], WITH_OUTSIDE) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[-6:] == [
        NAME,
        "Ada",
        "Ben",
        "2",
        "2–0",
        "finished",
    ]

    assert main(["export", "1"], WITH_OUTSIDE) == 0
    assert capsys.readouterr().out.splitlines()[1:] == SHEET

    assert main(["export", "1", "--mat"], WITH_OUTSIDE) != 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "Three in a Row has no mat" in line

    assert main(["export", "1", "--events"], WITH_OUTSIDE) == 0
    events = tmp_path / "events.jsonl"
    events.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["replay", str(events)], WITH_OUTSIDE) == 0
    replayed = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert replayed == json.loads(write_view(view))

    picture = tmp_path / "three.png"
    for size in ("800x480", "480x800"):
        words = ["screenshot", str(events), "--size", size, "-o", str(picture)]
        assert main(words, WITH_OUTSIDE) == 0
        with Image.open(picture) as image:
            assert f"{image.width}x{image.height}" == size


@pytest.mark.slow
@pytest.mark.parametrize("name", [game.rules.name for game in OUTSIDE])
def test_simulated_hands_play_it_without_a_fault(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--game", name, "--match-to", "2", "--matches", "2", "--folder", str(tmp_path / "odd")]
    assert lab(["selfplay", *words, "--json"], WITH_OUTSIDE) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["plays"] == figures["plays_without_a_tap"] > 20
    assert figures["illegal_attempts"] == figures["illegal_attempts_caught"]
    assert figures["wrong_plays"] == figures["lost_plays"] == figures["stuck_matches"] == 0
    assert list((tmp_path / "odd").iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["play", "--sim", "--once", "--match", NAME, "--views"], f'"game": "{NAME}"'),
        (["walk", "--sim", "--faults", "none"], "Walk test of nine: 9 of 9 sensors work"),
    ],
)
def test_its_board_is_simulated_on_the_screen_and_walked(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for driver in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER"):
        monkeypatch.setenv(driver, "dummy")
    assert main([*words, "--board", THREE_IN_A_ROW.board], WITH_OUTSIDE) == 0
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rules", NAME], "3. A checker on the board stays where it is.\n   stays "),
        (["position", NAME, "w...b.... w"], "· · ·\n· ● ·\n○ · ·\nWhite to place\n"),
        # As many as there are ways to fill so many squares; of six, the games won by five left out.
        (["perft", NAME, "......... w", "6"], "5 15120\n6 54720\n"),
    ],
)
def test_the_commands_of_rules_and_positions_know_it(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words, WITH_OUTSIDE) == 0
    assert says in capsys.readouterr().out


def test_its_plays_are_told_as_its_cases_have_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = case_file(NAME).read_bytes()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(lines)))
    assert main(["plays", NAME], WITH_OUTSIDE) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    cases = [json.loads(line) for line in lines.splitlines()]
    assert [answer["after"] for answer in told] == [case["after"] for case in cases]


def test_nothing_knows_it_where_it_is_not_handed_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", NAME]) == 2
    assert f"'{NAME}'" in capsys.readouterr().err
    assert NAME not in ALL.rules
