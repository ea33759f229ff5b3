"""Sentences with names and arguments, said in English and in a language that is made up."""

from __future__ import annotations

import copy
import pickle

import pytest

from pi_app.words.sentences import (
    AND,
    DOTTED,
    ENGLISH,
    OR,
    Language,
    Listing,
    Numbering,
    Said,
    Sentence,
    Written,
    as_sentence,
    fitting,
    joined,
    paragraph,
    worded,
)

HOLDS = Sentence("{side}'s prime holds {spots}")
POINTS = Sentence("1 point", "{n} points")
WHITE = Sentence("White")
SPOTS = Sentence("{spots}.")

WORDS = {
    "{side}'s prime holds {spots}": "{spots} hält die Prime von {side}",
    "White": "Weiß",
    "1 point": "ein Punkt",
    "{n} points": "{n} Punkte",
    "{first} and {next}": "{first} und {next}",
    "{first} or {n} more": "{first} oder {n} weitere",
}


def _one(text: str) -> str:
    return WORDS.get(text, text)


def _many(text: str, plural: str, number: int) -> str:
    return _one(text if number == 1 else plural)


GERMAN = Language(_one, _many)


def test_a_said_sentence_is_its_english_text_and_is_said_again_in_another_language() -> None:
    said = HOLDS(side=WHITE(), spots=Listing(("5", "6"), AND))
    assert said == "White's prime holds 5 and 6"
    assert GERMAN.say(said) == "5 und 6 hält die Prime von Weiß"
    assert ENGLISH.say(said) == said


def test_what_is_no_sentence_stays_as_it_is() -> None:
    assert GERMAN.say("White") == "White"
    assert GERMAN.say("13/8 6/5*") == "13/8 6/5*"


def test_the_number_chooses_the_plural() -> None:
    assert [POINTS(n=n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [GERMAN.say(POINTS(n=n)) for n in (1, 2)] == ["ein Punkt", "2 Punkte"]


@pytest.mark.parametrize("wrong", [{}, {"side": "White"}, {"side": "", "spots": "", "n": 1}])
def test_an_argument_that_is_missing_or_has_no_place_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="takes side, spots"):
        HOLDS(**wrong)


def test_a_number_is_asked_for_where_there_is_a_plural() -> None:
    with pytest.raises(TypeError, match="takes n"):
        POINTS()


def test_copies_and_what_other_processes_get_are_still_said_in_every_language() -> None:
    said = HOLDS(side=WHITE(), spots=Listing(("5", "6"), AND))
    for other in (copy.deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert other == said
        assert GERMAN.say(other) == GERMAN.say(said)


def test_a_text_of_a_file_is_said_as_it_is_unless_a_catalogue_has_it() -> None:
    for text in ("White", "{braces} in a file", "}{", ""):
        assert as_sentence(text) == text
    assert GERMAN.say(as_sentence("White")) == "Weiß"
    assert GERMAN.say(as_sentence("{braces} in a file")) == "{braces} in a file"


# What files write otherwise than people read it -----------------------------------------------

PLAY = Written.of("1/7", white="1/7", black="24/18", mover="24/18", by_board=False)
POINT = Written.of("1", white="1", black="24", mover="24", by_board=True)


@pytest.mark.parametrize(
    ("numbering", "play", "point"),
    [
        (Numbering.MOVER, "24/18", "24"),
        (Numbering.WHITE, "24/18", "1"),
        (Numbering.BLACK, "24/18", "24"),
        (Numbering.ENGRAVED, "1/7", "1"),
    ],
)
def test_a_play_is_told_as_its_mover_counts_and_a_point_as_the_board_is_numbered(
    numbering: Numbering, play: str, point: str
) -> None:
    for language in (ENGLISH, GERMAN):
        reader = language.counting(numbering)
        assert reader.say(PLAY) == play
        assert reader.say(POINT) == point
        assert reader.say(SPOTS(spots=Listing((PLAY, POINT), OR))).startswith(play)
    assert (PLAY, POINT) == ("1/7", "1"), "in files nothing changes"
    assert ENGLISH.say(PLAY) == "24/18", "no language was changed by another's numbers"


def test_a_sentence_is_its_text_by_the_movers_numbers() -> None:
    assert SPOTS(spots=PLAY) == "24/18."


def test_what_is_written_may_be_read_as_a_sentence() -> None:
    words = Written.of("w", WHITE(), WHITE(), WHITE(), by_board=True)
    assert (ENGLISH.say(words), GERMAN.say(words)) == ("White", "Weiß")


def test_copies_of_what_is_written_are_still_read_by_all_numbers() -> None:
    for other in (copy.deepcopy(PLAY), pickle.loads(pickle.dumps(PLAY))):
        assert other == PLAY
        assert [other.read(numbering) for numbering in Numbering] == [
            PLAY.read(numbering) for numbering in Numbering
        ]


def test_other_words_are_taken_wherever_in_a_sentence_they_stand() -> None:
    told = paragraph(HOLDS(side=WHITE(), spots=Listing(("5", WHITE()), AND)), POINTS(n=1))
    named = worded(fitting(told, WHITE(), longest=100), {"White": "Ada"})
    assert named == "Ada's prime holds 5 and Ada 1 point"
    assert GERMAN.say(named) == "5 und Ada hält die Prime von Ada ein Punkt"
    assert worded("White", {"White": "Ada"}) == "White", "a player may call himself so"


# Lists --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "text"),
    [((), "."), (("1",), "1."), (("1", "2"), "1 and 2."), (("1", "2", "3"), "1, 2 and 3.")],
)
def test_a_list_is_written_as_people_write_it(parts: tuple[str, ...], text: str) -> None:
    assert SPOTS(spots=Listing(parts, AND)) == text


@pytest.mark.parametrize(
    ("most", "longest", "text"),
    [
        (4, 100, "24/20(2), 24/16(2), 13/9(4) or 8/4(2)."),
        (3, 100, "24/20(2), 24/16(2), 13/9(4) or 1 more."),
        (4, 30, "24/20(2), 24/16(2), 13/9(4) or 1 more."),
        (4, 29, "24/20(2), 24/16(2), 13/9(4) or 1 more."),
        (4, 28, "24/20(2), 24/16(2) or 2 more."),
        (4, 1, "24/20(2) or 3 more."),
    ],
)
def test_a_list_is_cut_where_it_is_too_long_but_never_to_nothing(
    most: int, longest: int, text: str
) -> None:
    plays = ("24/20(2)", "24/16(2)", "13/9(4)", "8/4(2)")
    assert SPOTS(spots=Listing(plays, OR, most, longest)) == text


def test_a_list_is_cut_by_its_letters_in_the_language_it_is_said_in() -> None:
    told = SPOTS(spots=Listing((POINTS(n=1), POINTS(n=2), POINTS(n=3)), OR, longest=19))
    assert told == "1 point, 2 points or 1 more."
    assert GERMAN.say(told) == "ein Punkt oder 2 weitere."


# Texts of several sentences -----------------------------------------------------------------


def test_a_paragraph_leaves_out_what_is_empty_and_keeps_what_stands_alone() -> None:
    assert paragraph() == ""
    alone = paragraph("", WHITE(), "")
    assert isinstance(alone, Said)
    assert GERMAN.say(alone) == "Weiß"
    assert GERMAN.say(paragraph("13/8.", WHITE())) == "13/8. Weiß"


def test_what_is_joined_is_said_part_by_part() -> None:
    told = joined((WHITE(), "", POINTS(n=2)), DOTTED)
    assert told == "White · 2 points"
    assert GERMAN.say(told) == "Weiß · 2 Punkte"


def test_every_language_takes_the_first_wording_that_fits_it() -> None:
    long, short = HOLDS(side=WHITE(), spots="5"), POINTS(n=1)
    told = fitting(long, short, longest=len("White's prime holds 5"))
    assert told == long
    assert GERMAN.say(told) == "ein Punkt"
    assert fitting(long, short, longest=1) == short, "the last is as short as it gets"
    assert fitting(long, longest=1) == long
