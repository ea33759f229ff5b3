"""Another board's question is shown before everything else until it is answered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import BOARDS, FACES, load_board
from test_layout import SIZES, faults, told
from views import measure

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.club.linked.wording import INVITES
from pi_app.languages import LANGUAGES, load_language
from pi_app.screen.compose import KeyPress, compose, pressed
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.user.commands import AnswerFar

LONGEST = INVITES(
    board="a-board-with-a-name-of-32-letters",
    game="backgammon",
    white="Wilhelmina-Maria",
    black="Maximilian-Josef",
    target="999",
    options="cube, crawford, a tie turns the cube",
    side="black",
)
SHOWN = Shown(load_board(BOARDS["nannon"]), FACES, question=LONGEST)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_question_is_whole(language: str, size: tuple[int, int]) -> None:
    shown = replace(SHOWN, language=load_language(language))
    picture = compose(shown, Ui(Page.START), size, Fonts().measure, now=ENDLESS)
    assert faults(picture) == []
    assert told(picture, shown.language.say(LONGEST))


def test_yes_or_no_is_touched_and_an_old_question_is_not_answered() -> None:
    picture = compose(SHOWN, Ui(Page.START), (800, 480), measure, now=ENDLESS)
    answers = [target.action.act(Ui(), SHOWN, ms(0))[1] for target in picture.targets]
    assert answers == [(AnswerFar(True),), (AnswerFar(False),)]
    nothing = replace(SHOWN, question=None)
    assert all(not target.action.act(Ui(), nothing, ms(0))[1] for target in picture.targets)


def test_nobody_is_torn_from_what_he_types() -> None:
    ui = Ui(Page.TYPING)
    picture = compose(SHOWN, ui, (800, 480), measure, now=ENDLESS)
    assert not told(picture, LONGEST)
    after, _ = pressed(picture, KeyPress("a", "a"), ui, SHOWN, ms(0))
    assert after.typing.text
