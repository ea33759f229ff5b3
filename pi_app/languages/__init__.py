"""The languages that Spotter speaks: English, the source, and a catalogue here for each other one.

Translators write `xx.po`; `tests/languages` converts it to `xx.mo`, which the program reads. Both
are in the repository, so that a checkout on a Raspberry Pi needs no other tool. A language is
offered once every sentence is translated; until then its catalogue may be here unfinished.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import GNUTranslations
from importlib import resources

from pi_app.words.sentences import ENGLISH, Language

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "el": "Ελληνικά"}
"""Every language that is offered, by its own name."""


def load_language(name: str) -> Language:
    """Raises KeyError for a name that is not among `LANGUAGES`."""
    if name not in LANGUAGES:
        raise KeyError(name)
    if name == "en":
        return ENGLISH
    with resources.files(__name__).joinpath(f"{name}.mo").open("rb") as file:
        catalogue = GNUTranslations(file)
    return Language(catalogue.gettext, catalogue.ngettext)


def language_of(accepted: str) -> str:
    """The first language of an Accept-Language header that Spotter has, otherwise English."""
    asked = (part.split(";")[0].strip().lower()[:2] for part in accepted[:200].split(","))
    return next((name for name in asked if name in LANGUAGES), "en")
