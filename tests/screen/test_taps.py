"""How many taps what people often want takes, on the real pages; each label is what they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest
from known import BOARDS, FACES, load_board
from scenes import shown_in
from shelves import line_of, opened
from views import measure

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.coach.practice import load_puzzles
from pi_app.coach.study import Lesson
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.referee.events import MachineSeat, MatchId, Tap
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action, type_letters
from pi_app.screen.canvas import Drawing, Target, Text
from pi_app.screen.compose import FingerDown, compose, touched
from pi_app.screen.ui import Page, Shelf, Shown, Ui, see
from pi_app.user.agreement import Form
from pi_app.user.commands import ChangeSetting, Fetch, NewMatch, Output, Resume, Wanted

NOW, SIZE = ms(9000), (800, 480)
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
EXPERT = Form(("Mia", ""), 5, game="backgammon", machine=MachineSeat(Side.BLACK, "network-2"))
FAMILY = Form(("Ada", "Ben"), 5, game="backgammon")


@dataclass
class CountedTaps:
    """A finger on the screen, which finds what it touches by the words there."""

    shown: Shown
    ui: Ui
    outputs: tuple[Output, ...] = ()

    def tap(self, words: str) -> None:
        picture = compose(self.shown, self.ui, SIZE, measure, ENDLESS)
        places = [one for one in picture.targets if _words(picture, one).startswith(words)]
        assert places, (words, [_words(picture, one) for one in picture.targets])
        x, y = places[0].rect.centre
        self.ui, self.outputs = touched(picture, FingerDown(x, y), self.ui, self.shown, NOW)


def _words(picture: Drawing[Action], target: Target[Action]) -> str:
    texts = (shape for shape in picture.shapes if isinstance(shape, Text))
    inside = (text.text for text in texts if target.rect.contains(*text.rect.centre))
    return " ".join(inside).replace("\u00a0", " ")


def home(*forms: Form, resumable: str | None = None) -> CountedTaps:
    """At the start page, after matches of these forms, the latest first."""
    lines = tuple(line_of(form.game, form=form, over=True) for form in forms)
    shelf = Shelf(lines, opened=opened("backgammon"))
    return CountedTaps(
        Shown(
            load_board("tables-24"),
            FACES,
            shelf=shelf,
            rivals=ALL.rivals,
            puzzles=load_puzzles(),
            ids=ALL.ids,
            lesson=Lesson(),
            resumable=resumable,
        ),
        Ui(),
    )


def at(scenario: str) -> Callable[[], CountedTaps]:
    """At the end of a scenario, on the play page."""

    def sits() -> CountedTaps:
        shown = replace(shown_in(scenario), hints=True, lesson=Lesson(), playing=MatchId(1))
        return CountedTaps(shown, see(Ui(Page.PLAY), shown.view, ms(0)))

    return sits


def simulated() -> CountedTaps:
    finger = home(FAMILY)
    boards = {game: load_board(board) for game, board in BOARDS.items()}
    return replace(finger, shown=replace(finger.shown, boards_of=boards))


class Errand(NamedTuple):
    """What somebody wants: the taps before the start page had people on it, those that it takes
    now, where it begins, and whether the last tap did it."""

    before: int | None
    taps: tuple[str, ...]
    begins: Callable[[], CountedTaps]
    done: Callable[[CountedTaps], bool]


def begins_match(
    player: str | None = None, length: int | None = 5
) -> Callable[[CountedTaps], bool]:
    def done(finger: CountedTaps) -> bool:
        (match,) = finger.outputs
        assert isinstance(match, NewMatch)
        return (match.options.get("machine player"), match.match_to) == (player, length)

    return done


def does(act: Act) -> Callable[[CountedTaps], bool]:
    return lambda finger: [one.intent for one in finger.outputs if isinstance(one, Tap)] == [act]


def opens(page: Page) -> Callable[[CountedTaps], bool]:
    return lambda finger: finger.ui.page is page


def sets(name: str, value: object) -> Callable[[CountedTaps], bool]:
    return lambda finger: finger.outputs == (ChangeSetting(name, value),)  # type: ignore[arg-type]


def asks_for(wanted: Wanted) -> Callable[[CountedTaps], bool]:
    return lambda finger: (
        [one.wanted for one in finger.outputs if isinstance(one, Fetch)] == [wanted]
    )


NEW, BEGIN = "New match", "Begin"
ERRANDS: Mapping[str, Errand] = {
    "a first match of two": Errand(2, ("Two players", BEGIN), home, begins_match(length=11)),
    "the same two as last time": Errand(
        *(None, ("Two players",), lambda: home(EXPERT, FAMILY), begins_match())
    ),
    "resume": Errand(
        *(1, ("Resume",), lambda: home(FAMILY, resumable="Ada 1 – 0 Ben")),
        lambda finger: finger.outputs == (Resume(),),
    ),
    "a child's first game": Errand(
        *(16, ("Against Spotter", BEGIN), home, begins_match("child", 11))
    ),
    "a child's first game to 5 points": Errand(
        *(16, ("Against Spotter", NEW, "5", BEGIN), home, begins_match("child"))
    ),
    "a child's game after an expert's": Errand(
        *(16, ("Opponents", "Child", BEGIN), lambda: home(EXPERT), begins_match("child"))
    ),
    "the same opponent as last time": Errand(
        *(16, ("Against Spotter",), lambda: home(FAMILY, EXPERT), begins_match("network-2"))
    ),
    "another game that has room": Errand(
        *(3, (NEW, "Portes", BEGIN), lambda: home(FAMILY), begins_match(length=7))
    ),
    "another game that has no room": Errand(
        *(None, (NEW, "4 more", "Cannon", BEGIN), simulated, begins_match(length=3))
    ),
    "two points ahead": Errand(
        None,
        (NEW, "Begins at", "2", "Back", BEGIN),
        lambda: home(FAMILY),
        lambda finger: finger.outputs[0].options["position"] == "start score=2-0",  # type: ignore[union-attr]
    ),
    "double": Errand(1, ("Double",), at("backgammon-to-roll"), does(Act.DOUBLE)),
    "take": Errand(1, ("Take",), at("backgammon-double"), does(Act.TAKE)),
    "pass": Errand(1, ("Pass",), at("backgammon-double"), does(Act.PASS)),
    "undo": Errand(2, ("Undo", "Yes, undo"), at("backgammon-to-roll"), does(Act.TAKE_BACK)),
    "hint": Errand(2, ("Menu", "Hint"), at("backgammon-moving"), opens(Page.HINT)),
    "resign a single game": Errand(
        *(4, ("Menu", "Resign", "1 point", "Yes, resign"), at("backgammon-moving")),
        does(Act.RESIGN),
    ),
    "analysis of the match just played": Errand(
        1, ("Analysis",), at("nannon-match-over"), asks_for(Wanted.ANALYSIS)
    ),
    "analysis of an old match": Errand(
        *(3, ("Matches", "Ann", "Analysis"), lambda: home(FAMILY), asks_for(Wanted.ANALYSIS))
    ),
    "a first exercise": Errand(None, ("Train", "Opening rolls"), home, opens(Page.PUZZLE)),
    "an answer to it": Errand(
        *(None, ("Train", "Pip count", "1"), home),
        lambda finger: finger.ui.quiz is not None and finger.ui.quiz.answer != "",
    ),
    "warnings aloud": Errand(
        *(4, ("Menu", "Settings", "More settings", "Speech"), at("backgammon-moving")),
        sets("speech.told", "warnings"),
    ),
    "silence": Errand(
        *(4, ("Menu", "Settings", "More settings", "Sound"), at("backgammon-moving")),
        sets("sound.on", False),
    ),
    "tournament terms": Errand(
        *(4, (NEW, "Tournament match", "Preset", BEGIN), lambda: home(FAMILY)),
        lambda finger: "clock" in finger.outputs[0].options,  # type: ignore[union-attr]
    ),
}


@pytest.mark.parametrize("name", ERRANDS)
def test_a_wish_takes_no_more_taps_than_before_and_ends_where_it_should(name: str) -> None:
    wish = ERRANDS[name]
    finger = wish.begins()
    for words in wish.taps:
        finger.tap(words)
    assert wish.done(finger)
    assert wish.before is None or len(wish.taps) <= wish.before


def test_a_childs_game_takes_at_most_three_taps_from_the_start_page() -> None:
    wishes = [wish for name, wish in ERRANDS.items() if "child" in name and "points" not in name]
    assert len(wishes) == 2
    assert all(len(wish.taps) <= 3 for wish in wishes)


def test_a_position_from_a_book_is_typed_or_pasted() -> None:
    """It could not be entered by touch before."""
    finger = home(FAMILY)
    for words in (NEW, "Begins at", "From a position", "As text"):
        finger.tap(words)
    finger.ui, _ = type_letters(XGID).act(finger.ui, finger.shown, NOW)
    for words in ("Done", BEGIN):
        finger.tap(words)
    (match,) = finger.outputs
    assert isinstance(match, NewMatch)
    assert "roll=31" in str(match.options["position"])
