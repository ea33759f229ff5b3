"""The languages Spotter speaks: English, the source, and a catalogue beside this for each other.

`xx.po` is what translators write and `xx.mo` what is read, made of it by `tests/languages`.  The
made file is kept with its source: a checkout on a Raspberry Pi then speaks without another tool,
and a power cut or a full disk at start cannot leave it half made.  Compiling at start would need
Babel to run; compiling when it is packed would leave `pi_app/run` from a checkout without.  A
test makes it anew and compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from gettext import GNUTranslations
from importlib import resources
from types import MappingProxyType

from pi_app.words.sentences import ENGLISH, Language

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "de": "Deutsch"})
"""Every language and what it calls itself; a new one is its catalogue and one word here."""


def load_language(name: str) -> Language:
    """The language of this name; raises KeyError for one that is not among `LANGUAGES`."""
    if name not in LANGUAGES:
        raise KeyError(name)
    if name == "en":
        return ENGLISH
    with resources.files(__name__).joinpath(f"{name}.mo").open("rb") as file:
        catalogue = GNUTranslations(file)
    return Language(catalogue.gettext, catalogue.ngettext)
