"""Numbers and days in the form of each language."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from pi_app.languages import LANGUAGES, load_language
from pi_app.speech.aloud import aloud
from pi_app.words.numbers import day, decimal, figure, minute, near_day, per_cent, with_sign
from pi_app.words.sentences import Sentence
from pi_app.words.wall_time import local_day, local_time, written

EVENING = datetime(2026, 11, 8, 19, 5).astimezone()
FORMS = {
    "a decimal": (decimal(4.557, 3), "4.557", "4,557", "4,557"),
    "a loss": (decimal(-4.557, 3), "−4.557", "−4,557", "−4,557"),
    "thousands": (decimal(1_234_567.891, 2), "1,234,567.89", "1.234.567,89", "1.234.567,89"),
    "no decimals": (decimal(-12_345, 0), "−12,345", "−12.345", "−12.345"),
    "below a thousand": (decimal(999, 0), "999", "999", "999"),
    "rounded up to a thousand": (decimal(999.96, 1), "1,000.0", "1.000,0", "1.000,0"),
    "rounded to nothing": (decimal(-0.0004, 3), "0.000", "0,000", "0,000"),
    "a gain": (with_sign(0.043, 3), "+0.043", "+0,043", "+0,043"),
    "less than none": (with_sign(-12), "−12", "−12", "−12"),
    "neither": (with_sign(-0.2), "+0", "+0", "+0"),
    "its own decimals": (figure(1.5), "1.5", "1,5", "1,5"),
    "its own none": (figure(20.0), "20", "20", "20"),
    "a share": (per_cent(0.45), "45\u00a0%", "45\u00a0%", "45\u00a0%"),
    "a share in tenths": (per_cent(0.4512, 1), "45.1\u00a0%", "45,1\u00a0%", "45,1\u00a0%"),
    "a day": (day(date(2026, 11, 8)), "2026-11-08", "08.11.2026", "08/11/2026"),
    "a time": (minute(EVENING), "2026-11-08 19:05", "08.11.2026, 19:05", "08/11/2026, 19:05"),
    "a count": (
        Sentence("{n} pip", "{n} pips")(n=1340),
        "1,340 pips",
        "1.340 Pips",
        "1.340 πιπ",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_number_is_written_as_the_language_does(form: str) -> None:
    text, *expected = FORMS[form]
    assert [load_language(name).say(text) for name in ("en", "de", "el")] == expected
    assert str(text) == expected[0], "files and logs are English"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_is_read_aloud_without_a_sign(language: str) -> None:
    spoken = load_language(language)
    loss = aloud(per_cent(-0.451, 1), spoken)
    assert not set(loss) & set("−%\u00a0")
    assert "45" in loss


def test_a_day_of_the_coming_week_has_its_name() -> None:
    today = date(2026, 11, 28)
    german = load_language("de")
    told = [german.say(near_day(today + timedelta(days=days), today)) for days in (1, 4, 6, 7)]
    assert told == ["Sonntag", "Mittwoch", "Freitag", "05.12.2026"]


def test_what_a_number_names_is_not_grouped() -> None:
    named = Sentence("match {number}")
    assert load_language("de").say(named(number=str(12_345))).endswith("12345")


def test_a_stored_time_is_shown_in_the_language_and_names_files_by_its_day() -> None:
    stored = written(EVENING)
    assert load_language("de").say(local_time(stored)) == "08.11.2026, 19:05"
    assert load_language("el").say(local_time(str(local_time(stored)))) == "08/11/2026, 19:05"
    assert local_day(stored) == "2026-11-08"
