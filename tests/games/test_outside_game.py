"""A game from outside, with a board of its own, played through everything that plays games.

Its rules, its drawing and its board are in this folder; nothing in the package knows of it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from three_in_a_row import GRID, THREE_IN_A_ROW, WITH_ONE_MORE, GridPosition
from views import SIZE, measure

from pi_app.__main__ import main
from pi_app.boards import load_board
from pi_app.devices.dice import Dice
from pi_app.games.all import ALL
from pi_app.journal.opening import FILE, data_folder
from pi_app.journal.store import Journal
from pi_app.match.phases import Phase
from pi_app.microseconds import Us, ms
from pi_app.referee.events import Button, Event, Picture, Press, Start, Tap
from pi_app.referee.view import View
from pi_app.rejudging import Rejudging
from pi_app.rules.terms import Roll, Side
from pi_app.screen.actions import Action, Begin
from pi_app.screen.canvas import Drawing
from pi_app.screen.commands import NewMatch
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.edits import Accept, StartEdit, TapSpot
from pi_app.screen.shapes import Text
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.session import Session

GAMES, GAME = WITH_ONE_MORE, THREE_IN_A_ROW.rules.name
NINE = load_board(THREE_IN_A_ROW.board, GAMES.rules)
NO_ROLL = Roll(())


class ThreeTable:
    """A match of the outside game, told what stands on its board; `journal` keeps it."""

    def __init__(self, journal: Journal | None = None, latest: Any = ()) -> None:
        self.start = Start(Us(0), GAME, THREE_IN_A_ROW.board, 2, ("Ada", "Ben"))
        self.session = Session(NINE, self.start, journal, Dice(), frozenset(), latest)

    @property
    def view(self) -> View:
        return self.session.view

    def tell(self, event: Event) -> View:
        self.session.handle(event)
        return self.view

    def later(self) -> Us:
        return Us(self.view.us + ms(3000))

    def stands(self, spots: str) -> View:
        """These spots have a checker, and the board is quiet."""
        self.tell(Picture(self.later(), frozenset(map(Sensor, spots.split()))))
        self.session.advance(self.later())
        return self.view

    def press(self) -> View:
        return self.tell(Button(self.later(), Press.SHORT))

    def turns(self, spots: str) -> View:
        """Checkers set one after another, each handed over."""
        placed = self.standing
        for spot in spots.split():
            placed.append(spot)
            # A play that ends the game counts without a press.
            if self.stands(" ".join(placed)).phase is Phase.MOVING:
                self.press()
        return self.view

    @property
    def standing(self) -> list[str]:
        return [str(spot) for spot in GRID if self.view.accepted[spot]]


def drawn(shown: Shown, ui: Ui) -> Drawing[Action]:
    return compose(shown, ui, SIZE, measure, ms(0))


def touch(action: Action, shown: Shown, ui: Ui) -> tuple[Ui, tuple[Any, ...]]:
    """What a finger leads to on the place where the picture has this action."""
    picture = drawn(shown, ui)
    (target,) = (target for target in picture.targets if target.action == action)
    return touched(picture, FingerDown(*target.rect.centre), ui, shown, ms(5000))


def texts(shown: Shown, ui: Ui) -> str:
    return " ".join(shape.text for shape in drawn(shown, ui).shapes if isinstance(shape, Text))


# The rules


def test_its_rules_agree_at_every_node_of_random_games() -> None:
    game, chance, ends = THREE_IN_A_ROW.rules, random.Random(1), set()
    for _ in range(50):
        position: GridPosition = game.start(Side.WHITE)
        while not game.outcome(position):
            assert game.read_position(game.write_position(position)) == position
            plays = game.plays(position, NO_ROLL)
            assert all(game.explain(position, NO_ROLL, play) is None for play in plays)
            assert game.explain(position, NO_ROLL, ()) is not None
            position = game.after(position, chance.choice(plays))
        end = game.outcome(position)
        ends.add((end.winner, end.name) if end else None)
    assert ends == {(Side.WHITE, "three in a row"), (Side.BLACK, "three in a row"), (None, "tie")}


# The referee


def test_a_game_is_played_to_three_in_a_row_and_scored() -> None:
    desk = ThreeTable()
    assert desk.view.phase is Phase.SET_UP
    assert desk.stands("").message == "White to move"
    view = desk.turns("1 7 2 8 3")
    assert (view.phase, view.score.white) == (Phase.GAME_OVER, 1)
    assert view.last_result == "Ada wins 1 point: three in a row"


def test_what_its_rules_forbid_is_named_by_them() -> None:
    desk = ThreeTable()
    desk.stands("")
    desk.turns("5 9")
    view = desk.stands("1 9")
    assert (view.board, view.rule) == (BoardState.WRONG, "stays")
    assert desk.stands("5 9").board is BoardState.RESTING
    assert desk.stands("5 9 1").play == "@1"


# The screen


def test_the_new_match_offers_it_and_begins_it() -> None:
    ui, shown = Ui(Page.NEW_MATCH), Shown(NINE, GAMES.faces)
    assert "New match" in texts(shown, ui)
    _, (match,) = touch(Begin(), shown, ui)
    assert isinstance(match, NewMatch)
    assert (match.game, dict(match.options)) == (GAME, {})


def test_its_board_is_drawn_and_its_position_told_by_tapping() -> None:
    desk = ThreeTable()
    desk.stands("")
    desk.turns("5")
    shown = Shown(NINE, GAMES.faces, desk.view)
    assert "Black to move" in texts(shown, Ui(Page.PLAY))
    ui, _ = StartEdit().act(Ui(Page.PLAY), shown, ms(1))
    assert "Tap a spot until it shows what stands there." in texts(shown, ui)
    for spot in (GRID[4], GRID[8]):
        ui, _ = touch(TapSpot(spot), shown, ui)
    _, (tap,) = touch(Accept(), shown, ui)
    assert isinstance(tap, Tap)
    assert tap.position == "....b...w b"
    desk.tell(Tap(desk.later(), tap.intent, position=tap.position))
    assert desk.stands("5 9").position == "....b...w b"


# The journal


def test_a_restart_comes_back_in_the_same_game(tmp_path: Path) -> None:
    path, judge = tmp_path / "matches.db", Rejudging(GAMES.rules)
    journal = Journal(path, judge)
    desk = ThreeTable(journal)
    journal.begin(desk.start, "2026-01-01T00:00:00+00:00")
    desk.stands("")
    before = desk.turns("1 7 2")
    journal.close()
    again = Journal(path, judge)
    number = again.unfinished()
    assert number is not None
    latest = list(again.latest_game(number))
    again.resume(number)
    desk = ThreeTable(again, latest)
    assert (desk.view.position, desk.view.phase) == (before.position, before.phase)
    desk.stands("1 7 2")
    assert desk.turns("8 3").score.white == 1
    again.close()


# The simulator and the exports


def test_simulated_hands_play_whole_matches_that_can_be_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kept = ("--journal", str(data_folder()), "--folder", str(tmp_path))
    words = ["selfplay", "--game", GAME, "--matches", "6", "--match-to", "3", "--json", *kept]
    assert main(words, GAMES) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["plays"] > 60
    assert figures["wrong_plays"] == 0
    assert (data_folder() / FILE).exists()

    assert main(["export", "1"], GAMES) == 0
    sheet = capsys.readouterr().out
    assert "Three in a Row, match to 3" in sheet
    assert "wins the match 3–" in sheet

    assert main(["export", "1", "--events"], GAMES) == 0
    events = tmp_path / "events.jsonl"
    events.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["replay", str(events)], GAMES) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["phase"] == "match over"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rules", GAME], "1. Nine spots, five checkers a side"),
        (["position", GAME, "w...b.... w"], "White to place"),
        (["perft", GAME, "......... w", "2"], "2 72"),
    ],
)
def test_the_other_commands_know_it(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words, GAMES) == 0
    assert says in capsys.readouterr().out


def test_nothing_knows_it_where_it_is_not_handed_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", GAME]) == 2
    assert GAME not in ALL.rules
