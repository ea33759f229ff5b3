"""The page for browsers as text: what stands on it in each language, and all of it in one file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path

from pi_app.languages import LANGUAGES, load_language
from pi_app.screen.theme import style_sheet
from pi_app.words.sentences import Language, Sentence
from pi_app.words.texts import filled

WORDS: Mapping[str, Sentence] = {
    "connecting": Sentence("Connecting …"),
    "lost": Sentence("Not connected; trying again"),
    "wrong": Sentence("This address is no longer valid; scan the code on the board again"),
    "full": Sentence("Too many phones; trying again"),
    "play": Sentence("Connected"),
    "watch": Sentence("Connected, watching"),
    "own": Sentence("This phone"),
    "language": Sentence("Language"),
    "colours": Sentence("Colours"),
    "system": Sentence("as the system"),
    "dark": Sentence("dark"),
    "light": Sentence("light"),
    "contrast": Sentence("high contrast"),
    "text": Sentence("Text"),
    "board": Sentence("as the board"),
    "normal": Sentence("normal"),
    "large": Sentence("large"),
    "turned": Sentence("Flip board"),
    "sounds": Sentence("Sounds"),
    "speech": Sentence("Read aloud"),
    "close": Sentence("Done"),
}
"""The page's own texts, by the names that it and its script use."""
PAGE = Path(__file__).with_name("page")
FONTS = Path(__file__).parents[1] / "screen" / "fonts"
LINKED = (
    '<link rel="manifest" href="/page/spotter.webmanifest">\n'
    '<link rel="stylesheet" href="/colours.css">\n'
    '<link rel="stylesheet" href="/page/phone.css">\n'
    '<script type="module" src="/page/phone.js"></script>'
)
"""The files of the page that a board serves; a guest's page has all in one."""
GUEST_WORDS: Mapping[str, Sentence] = {
    "join": Sentence("Play with a friend's board"),
    "code": Sentence("The code on the board"),
    "name": Sentence("Your name"),
    "go": Sentence("Begin"),
    "again": Sentence("Another code"),
    "meeting": Sentence("One moment …"),
    "no_code": Sentence("That is no code; it is a number and three words"),
    "wrong_code": Sentence("Wrong code; it is used up. Ask your friend for a new one"),
    "nobody": Sentence("Nobody answered. Is the code still shown on your friend's board?"),
    "insecure": Sentence("This page works only over https"),
    "dice": Sentence("The dice"),
}
"""What only the page of a friend without a board has."""
CODE_WORDS: Mapping[str, Sentence] = {
    "code_title": Sentence("Type the code that you heard"),
    "code_digits": Sentence("Six digits"),
    "code_wrong": Sentence(
        "Wrong code, or no longer valid. Hold the die button for a second to hear a new one"
    ),
    "code_go": GUEST_WORDS["go"],
}
"""What only the page that a board serves has, for whoever has no token."""
CHECKED = Sentence("Roll {roll}: {dice}. Checked: nobody chose it")
CHEATED = Sentence("Roll {roll} is not what both of you rolled. This page has stopped")
POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; font-src data:; "
    "img-src data:; connect-src ws: wss:; base-uri 'none'; form-action 'none'"
)
"""The page runs its own scripts, which their hashes name, and nothing that a picture brings."""


def page_words(name: str, language: Language) -> Mapping[str, str]:
    """What fills the page in a language; `name` is its HTML lang code."""
    said = {key: language.say(sentence()) for key, sentence in WORDS.items()}
    data = json.dumps(said, ensure_ascii=False).replace("<", "\\u003c")
    offered = (
        f'<option value="{one}"{" selected" * (one == name)} lang="{one}">{title}</option>'
        for one, title in LANGUAGES.items()
    )
    escaped = {key: escape(text) for key, text in said.items()}
    return {**escaped, "lang": name, "words": data, "languages": "".join(offered)}


def page_in(name: str, language: Language) -> str:
    """The page that a board serves, in a language; `name` is its HTML lang code."""
    said = {key: escape(language.say(sentence())) for key, sentence in CODE_WORDS.items()}
    code = filled((PAGE / "code.html").read_text("utf-8"), said)
    template = (PAGE / "index.html").read_text("utf-8")
    words = {**page_words(name, language), "head": LINKED, "guest": code, "more": ""}
    return filled(template, words)


def guest_page(code_words: Sequence[str]) -> str:
    """The page of a friend without a board: one file for any web server, in all languages.

    It connects to the broker at the address that it comes from.
    """
    bodies = {}
    for name in LANGUAGES:
        language = load_language(name)
        said = {key: language.say(sentence()) for key, sentence in GUEST_WORDS.items()}
        said["checked"] = language.say(CHECKED(roll="{roll}", dice="{dice}"))
        said["cheated"] = language.say(CHEATED(roll="{roll}"))
        more = {key: escape(text) for key, text in said.items()}
        parts = (PAGE / "guest.html").read_text("utf-8").split("<!-- menu -->")
        values = {**page_words(name, language), **more, "head": ""}
        dialog, menu = (filled(part, values) for part in parts)
        template = (PAGE / "index.html").read_text("utf-8")
        whole = filled(template, {**values, "guest": dialog, "more": menu})
        body = whole.partition("<body>")[2].partition("</body>")[0]
        bodies[name] = {"body": body, "words": {**json.loads(values["words"]), **said}}
    data = {"pages": bodies, "code-words": tuple(code_words)}
    scripts = (_script("application/json", one, _json(it)) for one, it in data.items())
    files = [(PAGE / file).read_text("utf-8") for file in ("boot.js", "guest.js", "phone.js")]
    hashes = (b64encode(sha256(file.encode()).digest()).decode() for file in files)
    policy = POLICY.format(scripts=" ".join(f"'sha256-{one}'" for one in hashes))
    style = f"{style_sheet()}\n{_own_fonts((PAGE / 'phone.css').read_text('utf-8'))}"
    head = (
        *(
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            f"<style>{style}</style>",
        ),
        *scripts,
        *(_script("module", "", file) for file in files),
    )
    values = {**page_words("en", load_language("en")), "head": "\n".join(head)}
    template = (PAGE / "index.html").read_text("utf-8")
    return filled(template, {**values, "guest": "", "more": "", "words": "{}"})


def _script(kind: str, name: str, text: str) -> str:
    return f'<script type="{kind}"{f" id={name}" if name else ""}>{text}</script>'


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _own_fonts(style: str) -> str:
    for weight in ("Regular", "SemiBold"):
        font = b64encode((FONTS / f"Inter-{weight}.otf").read_bytes()).decode()
        style = style.replace(f"/font/{weight}", f"data:font/otf;base64,{font}")
    return style
