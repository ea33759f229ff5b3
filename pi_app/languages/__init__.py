"""The languages Spotter speaks: English, the source, and a catalogue beside this for each other.

`xx.po` is what translators write and `xx.mo` what is read, made of it by `tests/languages`.  Both
are kept, so that a checkout on a Raspberry Pi speaks without another tool.  A language is offered
once every sentence is translated; until then its catalogue may lie here unfinished.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import GNUTranslations
from importlib import resources
from types import MappingProxyType

from pi_app.words.sentences import ENGLISH, Language

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "de": "Deutsch"})
"""Every language that is offered, and what it calls itself."""


def load_language(name: str) -> Language:
    """The language of this name; raises KeyError for one that is not among `LANGUAGES`."""
    if name not in LANGUAGES:
        raise KeyError(name)
    if name == "en":
        return ENGLISH
    with resources.files(__name__).joinpath(f"{name}.mo").open("rb") as file:
        catalogue = GNUTranslations(file)
    return Language(catalogue.gettext, catalogue.ngettext)
