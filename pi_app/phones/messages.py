"""What the page in a browser sends: JSON objects whose key `t` tells the kind.

Nothing in them is trusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from pi_app.base.typed_json import JsonError, one_of, parse, typed
from pi_app.base.values import dataclass

MOST_BYTES = 2_000
"""The longest message; the page's longest has 250 bytes."""
SMALLEST, LARGEST = 200, 4_000
"""The width and the height of a page in pixels."""
KEYS = frozenset({"", "space", "return", "escape", "backspace", "hold d"})
MOST_OF_TOKEN = 64
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Looks:
    """How a page looks: its size in pixels, its theme and language. An empty `text` takes the
    board's size of texts; `turned` flips the board against the board's own screen."""

    w: int
    h: int
    theme: str = "dark"
    language: str = "en"
    text: str = ""
    turned: bool = False

    @property
    def size(self) -> tuple[int, int]:
        return _within(self.w), _within(self.h)


@dataclass(frozen=True, slots=True)
class Greeting:
    """The first message: who is there."""

    token: str
    looks: Looks


@dataclass(frozen=True, slots=True)
class CodeTyped:
    """The first message of whoever has no token: the code that was said aloud."""

    code: str


@dataclass(frozen=True, slots=True)
class NewLooks:
    """The page has another size, or is to look otherwise."""

    looks: Looks


@dataclass(frozen=True, slots=True)
class PageTouch:
    """A touch on the picture of this number."""

    n: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class PageKey:
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class PictureSeen:
    """The picture of this number is shown."""

    n: int


@dataclass(frozen=True, slots=True)
class Here:
    """Asks whether the board is still there."""


PageMessage: TypeAlias = Greeting | CodeTyped | NewLooks | PageTouch | PageKey | PictureSeen | Here
_KINDS: Mapping[str, type[PageMessage]] = {
    "hello": Greeting,
    "code": CodeTyped,
    "looks": NewLooks,
    "touch": PageTouch,
    "key": PageKey,
    "seen": PictureSeen,
    "here": Here,
}


def read_message(text: str, more: Mapping[str, type[T]] = {}) -> PageMessage | T:
    """Read a message, also of `more` kinds. Raises JsonError."""
    kinds: dict[str, type[PageMessage | T]] = {**_KINDS, **more}
    message = one_of(typed(parse(text), dict[str, object]), "t", kinds)
    match message:
        case Greeting(token) if len(token) > MOST_OF_TOKEN:
            raise JsonError("$.token is too long")
        case PageKey(name, typed_text) if name not in KEYS or len(typed_text) > 1:
            raise JsonError("no key")
    return message


def _within(pixels: int) -> int:
    return min(max(pixels, SMALLEST), LARGEST)
