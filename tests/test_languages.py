"""The catalogues are whole and up to date: `tests/languages` brings them there."""

from __future__ import annotations

import re
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from catalogues import (
    FOLDER,
    brought_up_to_date,
    compiled,
    count,
    is_translated,
    read_catalogue,
    sentences,
    strings_of,
    texts_of,
    untranslated,
)

import pi_app
from pi_app.languages import LANGUAGES, load_language
from pi_app.words.sentences import ENGLISH, Sentence, as_sentence

FILES = sorted(FOLDER.glob("*.po"))


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def file(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def is_whole(file: Path) -> bool:
    return not untranslated(brought_up_to_date(file))


def test_a_language_is_offered_when_its_catalogue_is_whole_and_not_before() -> None:
    """An unfinished catalogue may lie beside the others."""
    whole = {file.stem for file in FILES if is_whole(file)}
    assert {"en", *whole} == set(LANGUAGES), "see pi_app/languages/__init__.py"
    assert load_language("en") is ENGLISH
    for name in LANGUAGES:
        assert load_language(name).say("13/8") == "13/8"
        assert load_language(name).say(as_sentence("")) == ""
    with pytest.raises(KeyError):
        load_language("tlh")


def test_every_sentence_of_today_is_there_and_none_that_is_gone(file: Path) -> None:
    kept, today = read_catalogue(file), brought_up_to_date(file)
    if file.stem in LANGUAGES:
        assert untranslated(today) == [], "run tests/languages and translate them"
    new = {str(message.id) for message in today} - {str(message.id) for message in kept}
    assert new == set(), "run tests/languages"
    gone = {str(message.id) for message in kept} - {str(message.id) for message in today}
    assert gone == set(), "run tests/languages"
    assert not kept.obsolete, "run tests/languages"


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_translation_has_the_places_of_its_sentence(file: Path) -> None:
    wrong = []
    for message in read_catalogue(file):
        there = set().union(*map(places, texts_of(message)))
        for string in filter(None, strings_of(message)):
            # Only the number may be said in words: "ein Punkt".
            if places(string) - there or there - places(string) - {"n"}:
                wrong.append((message.id, string))
    assert wrong == []


def test_what_is_read_is_what_was_written(file: Path) -> None:
    """Compared as the program reads it: tools of another version write another head."""
    made = GNUTranslations(BytesIO(compiled(read_catalogue(file))))
    with file.with_suffix(".mo").open("rb") as opened:
        kept = GNUTranslations(opened)
    for message in filter(lambda message: message.id, read_catalogue(file)):
        text, *plural = texts_of(message)
        for number in (0, 1, 2) if plural else ():
            expected = made.ngettext(text, plural[0], number)
            assert kept.ngettext(text, plural[0], number) == expected, "run tests/languages"
        if not plural:
            assert kept.gettext(text) == made.gettext(text), "run tests/languages"


def test_a_new_language_begins_with_an_empty_file(tmp_path: Path) -> None:
    begun = tmp_path / "ja.po"
    begun.touch()
    catalogue = brought_up_to_date(begun)
    assert len(catalogue) > 500
    assert not any(is_translated(message) for message in catalogue if message.id)
    assert catalogue.num_plurals == 1
    assert count(catalogue) == f"0 of {len(catalogue):,} sentences are translated".replace(",", " ")
    head = dict(catalogue.mime_headers)
    assert head["Project-Id-Version"] == f"Spotter {pi_app.__version__}"
    assert catalogue.header_comment.startswith("# Japanese.")


def test_half_a_translation_is_kept_and_counted(tmp_path: Path) -> None:
    begun = tmp_path / "fr.po"
    begun.write_text(
        'msgid "Undo"\nmsgstr "Annuler"\n\n'
        'msgid "{n} pip"\nmsgid_plural "{n} pips"\nmsgstr[0] "{n} pip"\nmsgstr[1] ""\n',
        encoding="utf-8",
    )
    catalogue = brought_up_to_date(begun)
    assert not is_whole(begun)
    assert count(catalogue).startswith("1 of 1 ")
    french = GNUTranslations(BytesIO(compiled(catalogue)))
    assert (french.gettext("Undo"), french.gettext("Redo")) == ("Annuler", "Redo")


def test_a_sentence_that_is_put_together_is_refused(tmp_path: Path) -> None:
    """It could not be looked up."""
    (tmp_path / "words.py").write_text('A = Sentence("as it is")\nB = Sentence(f"{A} or so")\n')
    with pytest.raises(ValueError, match="malformed"):
        list(sentences(tmp_path))
    (tmp_path / "words.py").write_text('A = Sentence("one", "{n}")\nB = other("two")\n')
    assert list(sentences(tmp_path)) == [("words.py", ("one", "{n}"))]


def test_german_says_what_players_say() -> None:
    """A few, so that a catalogue for another language under this name is noticed."""
    german = load_language("de")
    assert german.say(Sentence("Undo")()) == "Zurücknehmen"
    assert german.say(Sentence("{n} pip", "{n} pips")(n=3)) == "3 Pips"
    text = german.say(Sentence("Double to\u00a0{stake}")(stake=8))
    assert re.fullmatch("Verdoppeln auf\u00a08", text)


def test_greek_says_what_players_say() -> None:
    greek = load_language("el")
    said = {text: greek.say(Sentence(text)()) for text in ("Portes", "Fevga", "mother", "double 6")}
    assert said == {
        "Portes": "Πόρτες",
        "Fevga": "Φεύγα",
        "mother": "μάνα",
        "double 6": "εξάρες",
    }
    assert greek.say(Sentence("{n} turn", "{n} turns")(n=1)) == "1 σειρά"
    assert greek.say(Sentence("{n} turn", "{n} turns")(n=3)) == "3 σειρές"


def test_a_greek_question_ends_in_the_greek_question_mark() -> None:
    """It looks like a semicolon, which speech would take for a pause."""
    for message in read_catalogue(FOLDER / "el.po"):
        asks = any("?" in text for text in texts_of(message))
        for string in strings_of(message) if message.id else ():
            assert ";" not in string, message.id
            assert ("\u037e" in string) is asks, message.id
