"""Numbers, percentages and days as each language writes them.

The marks are sentences, so each catalogue has its own: "4.557" is "4,557" in German and Greek, and
a new language needs no code. Babel was not chosen, because it brings 33 MB of data to the Pi.
Numbers in files (`.mat`, JSON, CSV) are no sentences and stay as they are. `Language` itself
groups the whole numbers in a sentence.
"""

from __future__ import annotations

from datetime import date, datetime

from pi_app.words.sentences import Sentence, grouped

_DECIMAL = Sentence("{whole}.{decimals}")
_MINUS = Sentence("−{amount}")
_PLUS = Sentence("+{amount}")
_PER_CENT = Sentence("{number}\u00a0%")
_DAY = Sentence("{year}-{month}-{day}")
_MONTH = Sentence("{year}-{month}")
DAYS_A_WEEK = 7
WEEKDAYS = (
    Sentence("Monday"),
    Sentence("Tuesday"),
    Sentence("Wednesday"),
    Sentence("Thursday"),
    Sentence("Friday"),
    Sentence("Saturday"),
    Sentence("Sunday"),
)
_TIME = Sentence("{year}-{month}-{day} {time}")


def decimal(value: float, places: int) -> str:
    """A number rounded to so many decimals: "4.557", "−1,234.5", "12"."""
    value = round(value, places)
    whole, _, decimals = f"{abs(value):.{places}f}".partition(".")
    figures = grouped(int(whole))
    if decimals:
        figures = _DECIMAL(whole=figures, decimals=decimals)
    return _MINUS(amount=figures) if value < 0 else figures


def figure(value: float) -> str:
    """A number with the decimals it has: "1.5", "20"."""
    return decimal(value, len(f"{value:g}".partition(".")[2]))


def with_sign(value: float, places: int = 0) -> str:
    """A rounded number that shows a plus too: "+0.043", "−12", "+0"."""
    value = round(value, places)
    return decimal(value, places) if value < 0 else _PLUS(amount=decimal(value, places))


def per_cent(share: float, places: int = 0) -> str:
    """A share of 1: "45 %", "45.1 %"."""
    return _PER_CENT(number=decimal(100 * share, places))


def day(when: date) -> str:
    """ "2026-11-28"; in German "28.11.2026"."""
    return _DAY(**_parts(when))


def near_day(when: date, today: date) -> str:
    """The weekday of one of the next six days, any other day by its date."""
    return WEEKDAYS[when.weekday()]() if 0 < (when - today).days < DAYS_A_WEEK else day(when)


def month(when: date) -> str:
    """ "2026-11"; in German "11.2026"."""
    return _MONTH(year=f"{when:%Y}", month=f"{when:%m}")


def minute(when: datetime) -> str:
    """ "2026-11-28 19:30"; in German "28.11.2026, 19:30"."""
    return _TIME(**_parts(when), time=f"{when:%H:%M}")


def _parts(when: date) -> dict[str, str]:
    return {"year": f"{when:%Y}", "month": f"{when:%m}", "day": f"{when:%d}"}
