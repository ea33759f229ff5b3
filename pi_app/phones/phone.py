"""One browser as a screen: a pane for shapes, and what its page must be told of them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.languages import LANGUAGES, load_language
from pi_app.phones.keys import PhoneRole
from pi_app.phones.messages import Looks, PageKey, PageTouch
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Drawing, Measure, Shape
from pi_app.screen.compose import FingerDown, Input, KeyPress, Resized, reading_order
from pi_app.screen.front import ScreenFront
from pi_app.screen.reading import name_place
from pi_app.screen.svg import elements
from pi_app.screen.theme import Theme, theme_of
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.speech.aloud import aloud
from pi_app.speech.answers import answer
from pi_app.speech.commentary import Commentary
from pi_app.speech.telling import Address, Manner
from pi_app.speech.utterance import Detail
from pi_app.user.commands import Output, SayAloud
from pi_app.words.sentences import ENGLISH, Language

MOST_INPUTS = 20
"""The most touches that wait for the loop."""
MOST_REMEMBERED = 8
"""The pictures that a touch may still mean."""
MOST_SAID = 4
"""The most texts, and cues, that wait to be said; older ones are dropped."""
SOUNDS_FOR = ms(2000)
"""A cue that a slow phone cannot be sent within this time is dropped."""
TELL_ALL = Manner(Detail.ALL, Address.NAMES)

PageNews = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Sent:
    """What the page shows: the picture's elements, its size, page and places."""

    elements: tuple[str, ...] = ()
    size: tuple[int, int] = (0, 0)
    page: Page | None = None
    places: tuple[tuple[int | str, ...], ...] = ()
    typing: bool = False


class Phone:
    """A Pane and the front on it. Belongs to the phones' thread.

    `give` hands outputs to the loop and returns the round of it that carries them out. It begins
    with this page.
    """

    typing: bool = False
    language: Language = ENGLISH

    def __init__(
        self,
        role: PhoneRole,
        looks: Looks,
        measure: Measure,
        give: Callable[[tuple[Output, ...]], int],
        begins: Page = Page.START,
    ) -> None:
        self.role, self.measure, self._give = role, measure, give
        self._front = ScreenFront(self, begins)
        self._inputs: deque[Input] = deque()
        self._shapes: tuple[Shape, ...] = ()
        self._waits_for = 0
        self._sent, self._whole = _Sent(), True
        self._number = 0
        self._numbered: OrderedDict[int, Drawing[Action]] = OrderedDict()
        self._commentary = Commentary(TELL_ALL)
        self._to_say: deque[str] = deque(maxlen=MOST_SAID)
        self._cues: deque[tuple[Us, str]] = deque(maxlen=MOST_SAID)
        self._read: str | None = None
        self.look(looks)

    def look(self, looks: Looks) -> None:
        """Look like this from now on."""
        self._looks = looks
        name = looks.language if looks.language in LANGUAGES else "en"
        self._spoken = load_language(name)
        self._theme = theme_of(looks.theme)
        self._inputs.append(Resized())

    # A pane

    @property
    def size(self) -> tuple[int, int]:
        return self._looks.size

    def draw(self, shapes: Iterable[Shape], theme: Theme) -> None:
        self._shapes = tuple(shapes)

    def poll(self, now: Us) -> tuple[Input, ...]:
        inputs = tuple(self._inputs)
        self._inputs.clear()
        return inputs

    def set_fullscreen(self, fullscreen: bool) -> None:
        """The browser decides about that."""

    def close(self) -> None:
        """The browser decides about that."""

    # What the page sends

    def hear(self, message: PageTouch | PageKey) -> None:
        """Take a touch or a key. A touch on a place that has changed meanwhile is ignored."""
        if self.role is PhoneRole.WATCH or len(self._inputs) >= MOST_INPUTS:
            return
        match message:
            case PageTouch(n, x, y):
                seen, present = self._numbered.get(n), self._front.picture
                if seen and seen.means(x, y) == present.means(x, y):
                    self._inputs.append(FingerDown(x, y))
            case PageKey(name, text):
                self._inputs.append(KeyPress(name, text if text.isprintable() else ""))

    # What the page is sent

    def sound(self, cue: str, now: Us) -> None:
        """Sound the cue of this name with the next picture."""
        self._cues.append((now, cue))

    @property
    def moving(self) -> bool:
        return self._front.moving

    @property
    def rolling(self) -> bool:
        return self._front.rolling

    @property
    def due(self) -> Us | None:
        """When something is to be said although nothing happens."""
        return self._commentary.due

    def show(self, board: Shown, done: int, now: Us) -> PageNews | None:
        """Follow what the board shows after `done` rounds of its loop. Return what the page must
        be told, if anything."""
        shown = self._own(board)
        if done >= self._waits_for:
            self._obey(self._front.poll(shown, now), shown, now)
        self._front.draw(shown, now)
        self._follow(shown, now)
        return self._news(shown, now)

    def forget_sent(self) -> None:
        """Send all of the next picture: the last one was lost."""
        self._sent, self._whole = _Sent(), True

    def _own(self, board: Shown) -> Shown:
        """What this phone is shown: its own language and size of texts, and for a watching one no
        way to play."""
        screen = replace(
            board.settings.screen,
            text=self._looks.text
            if self._looks.text in ("normal", "large")
            else (board.settings.screen.text),
            turned=board.settings.screen.turned is not self._looks.turned,
        )
        links = board.phones
        if self.role is PhoneRole.WATCH:
            links = replace(links, play="", play_code=None)
        settings = replace(board.settings, screen=screen)
        return replace(board, settings=settings, language=self._spoken, phones=links)

    def _obey(self, outputs: tuple[Output, ...], shown: Shown, now: Us) -> None:
        """Answer questions here, and give the loop everything else."""
        for output in outputs:
            if isinstance(output, SayAloud):
                said = answer(output.question, shown.view, now, TELL_ALL)
                self._to_say.append(aloud(said.text, shown.spoken))
        others = tuple(output for output in outputs if not isinstance(output, SayAloud))
        if others and self.role is PhoneRole.PLAY:
            self._waits_for = self._give(others)

    def _follow(self, shown: Shown, now: Us) -> None:
        said = self._commentary.hear(shown.view, now)
        if said:
            self._to_say.append(aloud(said.text, shown.spoken))
        page = self._front.heard.text
        if page != self._read:
            self._read = page
            if page:
                self._to_say.append(aloud(page, shown.spoken))

    def _news(self, shown: Shown, now: Us) -> PageNews | None:
        picture, ui = self._front.picture, self._front.ui
        made = _Sent(
            elements(self._shapes, self._theme),
            picture.size,
            ui.page,
            self._places(picture, ui, shown),
            self.typing,
        )
        says = () if self.rolling else tuple(self._to_say)
        message: PageNews = dict(_differences(self._sent, made))
        if says:
            self._to_say.clear()
            message["say"] = says
        cues = tuple(cue for us, cue in self._cues if now < us + SOUNDS_FOR)
        self._cues.clear()
        if cues:
            message["cues"] = cues
        if not message:
            return None
        if self._whole:
            message["whole"], self._whole = True, False
        self._number += 1
        self._sent = made
        self._numbered[self._number] = picture
        while len(self._numbered) > MOST_REMEMBERED:
            self._numbered.popitem(last=False)
        return {"n": self._number, **message}

    def _places(
        self, picture: Drawing[Action], ui: Ui, shown: Shown
    ) -> tuple[tuple[int | str, ...], ...]:
        """The places to touch in reading order: left, top, width, height and name."""
        if self.role is PhoneRole.WATCH:
            return ()
        found = (picture.target(*at) for at in reading_order(picture))
        return tuple(
            (one.rect.x, one.rect.y, one.rect.w, one.rect.h, name)
            for one in found
            if one and (name := name_place(picture, one, ui, shown.spoken)) is not None
        )


def _differences(before: _Sent, now: _Sent) -> Mapping[str, object]:
    """What has changed, as keys of the message."""
    news: PageNews = {}
    if now.size != before.size:
        news["size"] = now.size
    if now.elements != before.elements:
        news["cut"], news["new"] = _changed(before.elements, now.elements)
    if now.page is not before.page and now.page:
        news["page"] = now.page.value
    if now.places != before.places:
        news["places"] = now.places
    if now.typing is not before.typing:
        news["typing"] = now.typing
    return news


def _changed(
    before: tuple[str, ...], now: tuple[str, ...]
) -> tuple[tuple[int, int], tuple[str, ...]]:
    """The first element that differs and how many go, and what comes instead of them."""
    shorter = min(len(before), len(now))
    start = next((i for i in range(shorter) if before[i] != now[i]), shorter)
    rest = range(1, shorter - start + 1)
    end = next((i - 1 for i in rest if before[-i] != now[-i]), shorter - start)
    return (start, len(before) - end - start), now[start : len(now) - end]
