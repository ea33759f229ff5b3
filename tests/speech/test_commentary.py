"""What a match sounds like: at a desk, event by event."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from any_table import AnyTable
from desk import Desk

from pi_app.base.microseconds import Us, ms
from pi_app.languages import load_language
from pi_app.match.turns import Phase
from pi_app.referee.events import MachineSeat
from pi_app.referee.view import View
from pi_app.rules.terms import Move, Side, Spot
from pi_app.speech.aloud import aloud
from pi_app.speech.answers import Query, answer
from pi_app.speech.commentary import AGAIN, APART, Commentary
from pi_app.speech.telling import Address, Manner, SpokenView
from pi_app.speech.utterance import Detail, Subject
from pi_app.words.sentences import ENGLISH


class Listening:
    """A desk with an ear."""

    def __init__(self, names: Address = Address.NAMES, **options: bool | int | str) -> None:
        self.desk = Desk(**options)  # type: ignore[arg-type]
        self.manner = Manner(Detail.ALL, names)
        self.announcer = Commentary(self.manner)

    def hear(self, later: Us = Us(0)) -> str:
        view = self.desk.view
        told = self.announcer.hear(view, Us(view.us + later))
        return aloud(told.text, ENGLISH) if told else ""

    def ask(self, question: Query | int) -> str:
        view = self.desk.view
        return aloud(answer(question, view, view.us, self.manner).text, ENGLISH)


@pytest.fixture
def heard() -> Listening:
    """A match in White's first turn, with a 2; Black stands on 5 and 6."""
    listening = Listening(cube=True)
    listening.desk.set_up()
    listening.hear()
    listening.desk.open("5", "3")
    listening.hear()
    return listening


ASKED = {
    Query.TURN: "Ada to move. Press to confirm.",
    Query.DICE: "Left: 2.",
    Query.LAST_PLAY: "No play yet.",
    Query.SCORE: "Ada 0, Ben 0, to 11. Cube at 1, centred.",
    Query.CLOCK: "No clock.",
    Query.PIPS: "No pips in this game.",
    Query.BOARD: "Ada: 1 on 2, 1 on 1, 1 at home. Ben: 1 on 6, 1 on 5, 1 at home.",
    2: "on 2: Ada, 1.",
    3: "on 3: nothing.",
    9: "There is no point 9.",
}


@pytest.mark.parametrize("question", ASKED)
def test_answers(heard: Listening, question: Query | int) -> None:
    assert heard.ask(question) == ASKED[question]


def test_without_a_match_every_answer_says_so() -> None:
    for question in Query:
        assert answer(question, None, Us(0), Manner()).text == "No match."


def test_a_locked_match_answers_only_what_a_director_allows(heard: Listening) -> None:
    view = heard.desk.view
    locked = replace(view, terms=replace(view.terms, locked=True))
    said = {q: answer(q, locked, view.us, heard.manner).text for q in Query}
    refused = {question for question, text in said.items() if text == "Not in this match."}
    assert refused == {Query.DICE, Query.PIPS, Query.BOARD, Query.SILENCE}


def test_a_flood_of_touches_makes_few_words(heard: Listening) -> None:
    said = []
    for number in range(200):
        (heard.desk.drop if number % 2 else heard.desk.lift)("2")
        if told := heard.hear():
            said.append((heard.desk.view.us, told))
    times = [us for us, _ in said]
    assert all(later - earlier >= APART for earlier, later in pairwise(times))
    assert len(said) <= 200 * 250 // 2000 + 1


def test_the_machines_play_is_said_again_after_a_while(heard: Listening) -> None:
    view = heard.desk.view
    chosen = replace(view, chosen="2/4", to_make=(view_move(heard),), us=view.us)
    first = heard.announcer.hear(chosen, view.us)
    assert first
    assert first.subject is Subject.MACHINE
    assert heard.announcer.due == view.us + AGAIN
    assert heard.announcer.hear(chosen, Us(view.us + AGAIN - 1)) is None
    again = heard.announcer.hear(chosen, Us(view.us + AGAIN))
    assert again
    assert again.text == first.text
    assert heard.announcer.hear(chosen, Us(view.us + 2 * AGAIN)) is None


def view_move(heard: Listening) -> Move:
    game = heard.desk.referee.game
    position = game.read_position(heard.desk.view.position)
    return game.moves(position, game.read_play(position, "2/4"))[0]


def test_players_may_be_colours() -> None:
    heard = Listening(Address.COLOURS)
    heard.desk.set_up()
    assert "White" in heard.hear()


def test_a_clock_is_mentioned_at_a_minute_and_at_ten_seconds() -> None:
    heard = Listening(clock="plain", reserve_s=90, reserve_a_point=False)
    heard.desk.set_up()
    heard.hear()
    heard.desk.open("5", "3")
    heard.hear()
    said = [heard.hear(later=ms(second * 1000)) for second in range(95)]
    assert [text for text in said if text] == [
        "One minute, Ada.",
        "Ten seconds, Ada.",
        "Flag, Ada.",
    ]


def test_german_says_it_in_german(heard: Listening) -> None:
    heard.desk.lift("2")
    heard.desk.drop("3")
    heard.desk.wait(2000)
    told = heard.announcer.hear(heard.desk.view, heard.desk.view.us)
    assert told
    german = load_language("de")
    assert aloud(told.text, german) == "1 Feld gezogen; der Würfel zeigt 2. Zurück auf Feld 2."


def spots(*names: str) -> tuple[Spot, ...]:
    return tuple(map(Spot.read, names))


def in_every_language(text: str) -> tuple[str, ...]:
    return tuple(aloud(text, load_language(name)) for name in ("en", "de", "el"))


@pytest.fixture
def moving() -> View:
    """Backgammon: White, who is Ann, opens with 6-1."""
    table = AnyTable("backgammon", 3)
    table.opens("6", "1")
    return table.view


def test_a_lift_before_the_roll_asks_for_the_roll(moving: View) -> None:
    held = replace(moving, phase=Phase.TO_ROLL, barred=spots("8"))
    assert in_every_language(SpokenView(held, Manner()).barred()) == (
        "Ann must roll first.",
        "Ann muss erst würfeln.",
        "Πρώτα τα ζάρια: Ann.",
    )


def test_a_lift_before_the_answer_to_a_double_asks_for_the_answer(moving: View) -> None:
    held = replace(moving, phase=Phase.DOUBLE_OFFERED, barred=spots("8"))
    assert SpokenView(held, Manner()).barred() == "Ann must answer the double first."


def test_checkers_without_a_move_are_named(moving: View) -> None:
    held = replace(moving, barred=spots("8", "bar.white"))
    assert in_every_language(SpokenView(held, Manner()).barred()) == (
        "No legal move from 8, from the bar.",
        "Kein erlaubter Zug von 8, von der Bar.",
        "από το 8, από την μπάρα δεν παίζεται.",
    )


MISSING = {
    1: "Ann: 1 more on 13.",
    2: "Ann: 2 more on 13.",
    5: "Ann: 5 checkers on 13.",
}


@pytest.mark.parametrize("missing", MISSING)
def test_a_point_that_has_some_checkers_needs_more(moving: View, missing: int) -> None:
    lacking = replace(moving, fill=spots("13") * missing)
    assert SpokenView(lacking, Manner()).step() == MISSING[missing]


def test_of_a_point_that_has_too_many_only_those_are_lifted(moving: View) -> None:
    crowded = replace(moving, clear=spots("8", "8"))
    assert in_every_language(SpokenView(crowded, Manner()).step()) == (
        "Lift 2 from 8.",
        "Nimm 2 von 8.",
        "Σήκωσε 2 από το 8.",
    )
    assert SpokenView(replace(moving, clear=spots("7")), Manner()).step() == "Clear 7."


def test_the_machines_play_is_for_the_hands(moving: View) -> None:
    machines = replace(moving, machine=MachineSeat(Side.WHITE, "own"), chosen="13/7 8/7")
    said = {
        names: in_every_language(SpokenView(machines, Manner(names=names)).machines_play().text)
        for names in (Address.NAMES, Address.YOU)
    }
    assert said == {
        Address.NAMES: (
            "Move for Ann: 13 to 7, 8 to 7.",
            "Zieh für Ann: 13 auf 7, 8 auf 7.",
            "Παίξε για Ann: 13 στο 7, 8 στο 7.",
        ),
        Address.YOU: (
            "Move for the opponent: 13 to 7, 8 to 7.",
            "Zieh für den Gegner: 13 auf 7, 8 auf 7.",
            "Παίξε για τον αντίπαλο: 13 στο 7, 8 στο 7.",
        ),
    }


def test_another_players_checker_is_named_without_speaking_to_its_owner(moving: View) -> None:
    touched = replace(moving, barred=spots("12"))
    assert in_every_language(SpokenView(touched, Manner()).barred()) == (
        "That is Bea's checker. Back to 12.",
        "Das ist der Stein von Bea. Zurück auf 12.",
        "Αυτό είναι το πούλι του παίκτη Bea. Πίσω στο 12.",
    )
