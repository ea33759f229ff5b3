"""Every screen at every size with every text: nothing overlaps, is cut or leaves the window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, islice, product
from typing import NamedTuple

import pytest
from contrasts import contrast
from known import FACES, GAMES, load_board
from scenes import LONG_NAMES, named, scenes
from shares import by_last, some
from views import does, make_view, same, view_of

from pi_app.base.microseconds import ENDLESS, Us
from pi_app.languages import LANGUAGES, load_language
from pi_app.screen.actions import Action, look_at, tap_spot
from pi_app.screen.canvas import (
    LARGE as LARGE_TEXT,
)
from pi_app.screen.canvas import (
    Box,
    Disc,
    Drawing,
    Rect,
    Shape,
    Size,
    Text,
    unit_of,
)
from pi_app.screen.compose import compose
from pi_app.screen.pages.places import PlayPlaces, play_places
from pi_app.screen.paint import Fonts
from pi_app.screen.theme import Colour, Theme
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.reading import BoardState

SIZES = [
    (640, 400),
    (640, 480),
    (800, 480),
    (1024, 600),
    (1280, 720),
    (1280, 800),
    (720, 1280),
    (480, 800),
]
FOREIGN = [(640, 400), (800, 480), (480, 800), (720, 1280)]
LARGE = [(640, 400), (800, 480), (720, 1280)]
A_THIRD = 1.31
"""Larger by a third, whole pixels considered."""
NINE_MM, FIVE_MM = 47, 26
"""Pixels at 800 x 480."""
BLACK = same(0, 0, 0)
NAMES = (*LONG_NAMES, "W" * 16, "M" * 16)
"""Only names may be shortened: they end in "…" where their room ends."""


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def written(shapes: Iterable[Shape]) -> Iterator[tuple[Text, Colour]]:
    """Each text and what it was written on: the last thing painted under its middle before it."""
    painted: list[tuple[Box | Disc, Colour]] = []
    for shape in shapes:
        if isinstance(shape, Text) and shape.text:
            x, y = shape.rect.centre
            yield shape, next((fill for one, fill in reversed(painted) if covers(one, x, y)), BLACK)
        elif isinstance(shape, Box | Disc) and shape.fill:
            painted.append((shape, shape.fill))


def covers(shape: Box | Disc, x: int, y: int) -> bool:
    if isinstance(shape, Box):
        return shape.rect.contains(x, y)
    return (shape.centre[0] - x) ** 2 + (shape.centre[1] - y) ** 2 < shape.radius**2


def faults(picture: Drawing[Action]) -> list[str]:
    texts = list(written(picture.shapes))
    edges = {shape.rect for shape in picture.shapes if isinstance(shape, Box)}
    edged = [target for target in picture.targets if target.rect in edges]
    return [
        *(fault for text, ground in texts for fault in text_faults(picture, text, ground)),
        *(
            f"{text.text!r} crosses the edge of {target.action}"
            for text, _ in texts
            for target in edged
            if target.rect.overlaps(text.rect) and not target.rect.holds(text.rect)
        ),
        *target_faults(picture),
        *lying((repr(text.text), text.rect) for text, _ in texts),
        *lying((target.action, target.rect) for target in picture.targets),
    ]


def lying(placed: Iterable[tuple[object, Rect]]) -> Iterator[str]:
    """Overlapping shapes, from left to right to compare few."""
    ordered = sorted(placed, key=lambda one: one[1].x)
    for number, (name, rect) in enumerate(ordered, start=1):
        for other, beside in islice(ordered, number, None):
            if beside.x >= rect.right:
                break
            if rect.overlaps(beside):
                yield f"{name} lies on {other}"


def text_faults(picture: Drawing[Action], text: Text, ground: Colour) -> Iterator[str]:
    if not Rect(0, 0, *picture.size).holds(text.rect):
        yield f"{text.text!r} leaves the window"
    if text.text.endswith("…") and not cuts_a_name(text.text[:-1]):
        yield f"{text.text!r} is cut"
    if text.size < int(14 * unit_of(picture.size)):
        yield f"{text.text!r} is too small: {text.size}"
    if pale := pale_in(text.colour, ground):
        yield f"{text.text!r} is hard to read: {', '.join(pale)}"


@cache
def pale_in(ink: Colour, ground: Colour) -> list[str]:
    """The themes in which one cannot be read on the other."""
    return [theme.value for theme in Theme if contrast(ink.rgb(theme), ground.rgb(theme)) < 4.5]


def cuts_a_name(text: str) -> bool:
    return any(text.endswith(name[:end]) for name in NAMES for end in range(2, len(name)))


def is_on_the_board(action: Action) -> bool:
    return does(action, tap_spot) or does(action, look_at)


def target_faults(picture: Drawing[Action]) -> Iterator[str]:
    tapped = sum(is_on_the_board(target.action) for target in picture.targets)
    for target in picture.targets:
        if not Rect(0, 0, *picture.size).holds(target.rect):
            yield f"{target.action} leaves the window"
        # Ten points, or twelve and a bar, share the screen's width: as large as they can be.
        crowded = tapped > 10 and is_on_the_board(target.action)
        least = int((FIVE_MM if crowded else NINE_MM) * unit_of(picture.size))
        if min(target.rect.w, target.rect.h) < least:
            yield f"{target.action} is too small: {target.rect}"


def broken(
    some_scenes: Iterable[tuple[str, Shown, Ui]], size: tuple[int, int], fonts: Fonts
) -> dict[str, list[str]]:
    """The faults of every scene that has any."""
    pictures = (
        (name, compose(shown, ui, size, fonts.measure, now=ENDLESS))
        for name, shown, ui in some_scenes
    )
    return {name: found for name, picture in pictures if (found := faults(picture))}


def at(size: tuple[int, int], sizes: list[tuple[int, int]]) -> Iterator[tuple[str, Shown, Ui]]:
    """A share of the scenes, different ones at each size."""
    for name in by_last(7, [*scenes()], sizes)[size]:
        yield name, *scenes()[name]


def spoken(
    place: tuple[str, tuple[int, int]], places: list[tuple[str, tuple[int, int]]], number: int
) -> Iterator[tuple[str, Shown, Ui]]:
    """A share of the scenes, different ones in each language and at each size, so that another
    language takes no more time."""
    language = load_language(place[0])
    for name in by_last(number, [*scenes()], places)[place]:
        shown, ui = scenes()[name]
        yield name, replace(shown, language=language), ui


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_screen_is_whole_at_every_size(size: tuple[int, int], fonts: Fonts) -> None:
    assert broken(at(size, SIZES), size, fonts) == {}


IN_FOREIGN = [*product(sorted(set(LANGUAGES) - {"en"}), FOREIGN)]
IN_LARGE = [*product(LANGUAGES, LARGE)]


@pytest.mark.parametrize("place", IN_FOREIGN, ids=str)
def test_every_screen_is_whole_in_every_language(
    place: tuple[str, tuple[int, int]], fonts: Fonts
) -> None:
    assert broken(spoken(place, IN_FOREIGN, 13), place[1], fonts) == {}


def in_large_text(shown: Shown) -> Shown:
    return replace(shown, settings=shown.settings.changed("screen.text", "large"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_further_button_of_the_page_of_phones_has_room(language: str, fonts: Fonts) -> None:
    shown, ui = scenes()["phones"]
    settings = shown.settings.changed("speech.told", "all")
    heard = replace(shown, settings=settings, language=load_language(language))
    for size in {*SIZES, *FOREIGN}:
        assert broken([("by ear", heard, ui)], size, fonts) == {}, size
    for size in LARGE:
        assert broken([("by ear", in_large_text(heard), ui)], size, fonts) == {}, size


@pytest.mark.parametrize("place", IN_LARGE, ids=str)
def test_every_screen_is_whole_in_large_text(
    place: tuple[str, tuple[int, int]], fonts: Fonts
) -> None:
    large = ((name, in_large_text(shown), ui) for name, shown, ui in spoken(place, IN_LARGE, 7))
    assert broken(large, place[1], fonts) == {}


@pytest.mark.parametrize("place", IN_LARGE, ids=str)
def test_every_text_is_larger_by_a_third_in_large_text(
    place: tuple[str, tuple[int, int]], fonts: Fonts
) -> None:
    """A text that no longer fits gets another place, not a smaller size."""
    compared, too_small, smaller = 0, list[object](), list[object]()
    for name, there, ui in spoken(place, IN_LARGE, 7):
        both = in_both_sizes(there, ui, place[1], fonts)
        compared += len(both)
        too_small += [(name, one) for one in both if one.large < int(one.usual * A_THIRD)]
        smaller += [(name, one) for one in both if one.shrinks]
    # A long sentence beside several buttons may find no room: of all texts one in 600, of the
    # unluckiest share one in 200.
    assert len(too_small) <= compared / 150, too_small
    assert compared > 400
    assert smaller == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["nannon-clock-flag", "nannon-match-over", "backgammon-wrong"])
def test_no_headline_is_smaller_in_large_text(name: str, language: str, fonts: Fonts) -> None:
    shown, ui = scenes()[name]
    told = replace(shown, language=load_language(language))
    for size in LARGE:
        both = in_both_sizes(told, ui, size, fonts)
        assert both
        assert [one for one in both if one.shrinks] == []


@pytest.mark.parametrize("text", ["normal", "large"])
def test_no_text_has_a_size_of_its_own(text: str, fonts: Fonts) -> None:
    allowed = {round(size.value * (LARGE_TEXT if text == "large" else 1)) for size in Size}
    for name, (shown, ui) in some([*scenes().items()], 7):
        told = replace(shown, settings=shown.settings.changed("screen.text", text))
        picture = compose(told, ui, (800, 480), fonts.measure, now=ENDLESS)
        assert {one.size for one in picture.shapes if isinstance(one, Text)} <= allowed, name


class InBoth(NamedTuple):
    """A text that stands in the usual and in large text, and its sizes there in pixels."""

    text: str
    usual: int
    large: int

    @property
    def shrinks(self) -> bool:
        """Of two names for a size the smaller one, enlarged, may be a pixel below the larger."""
        return self.large < 0.95 * self.usual


def in_both_sizes(shown: Shown, ui: Ui, size: tuple[int, int], fonts: Fonts) -> list[InBoth]:
    usual, large = (
        texts_of(compose(one, ui, size, fonts.measure, now=ENDLESS))
        for one in (shown, in_large_text(shown))
    )
    return [InBoth(text, usual[text], large[text]) for text in usual.keys() & large.keys()]


def texts_of(picture: Drawing[Action]) -> dict[str, int]:
    """Each text, its lines joined, and its size in pixels; of several alike the smallest."""
    found: dict[str, int] = {}
    for lines in _whole(picture.shapes):
        words = " ".join(line.text for line in lines)
        found[words] = min(lines[0].size, found.get(words, lines[0].size))
    return found


def _whole(shapes: Iterable[Shape]) -> Iterator[list[Text]]:
    """The lines of each text: drawn one after the other, each right below the one before."""
    lines: list[Text] = []
    for shape in shapes:
        if isinstance(shape, Text) and lines and _goes_on(lines[-1], shape):
            lines.append(shape)
            continue
        if lines:
            yield lines
        lines = [shape] if isinstance(shape, Text) else []
    if lines:
        yield lines


def _goes_on(line: Text, shape: Text) -> bool:
    alike = (line.size, line.colour, line.bold) == (shape.size, shape.colour, shape.bold)
    return alike and shape.rect.y == line.rect.bottom and shape.rect.x < line.rect.right


ODD_NAMES = [LONG_NAMES, ("W" * 16, "M" * 16), ("I", "Ö Ÿ")]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_long_names_fit_everywhere(size: tuple[int, int], fonts: Fonts) -> None:
    odd = by_last(23, [*scenes()], ODD_NAMES, SIZES)[size]
    told = ((name, names, *scenes()[name]) for name, names in odd)
    long = ((f"{name}, {names}", named(shown, names), ui) for name, names, shown, ui in told)
    assert broken(long, size, fonts) == {}


def told(picture: Drawing[Action], text: str) -> bool:
    """Whether all of a text stands there, wherever its lines break."""
    written = " ".join(shape.text for shape in picture.shapes if isinstance(shape, Text))
    return text in written.replace("\u00a0", " ").replace("- ", "-")


SENTENCES = [rule.sentence for game in GAMES.values() for rule in game.rules] + [
    "White must move: HOME/6 or 1/3 or 2/4",
    "The checker on 5 is Black's; it is White's turn",
    "5/SAFETY needs a 6; the die shows 3",
    "3/6: Black's prime holds 4, 5 and 6",
    "No move with a 3. White passes",
    "Wilhelmina-Maria wins the match 118–120",
]
HINTS = [
    "Clear 3 and 4; put White on 1 and 2; put Black on 5 and 6. Or tap Accept the board.",
    "Put it back on 2 and Black's on 4. Or tap Undo: this is the board before White's HOME/3*.",
    "Clear 3 and 4; put White on 1 and 2; put Black on 5 and 6. White doubles to "
    "64. Tap Take or Pass.",
    "",
]


SAID = by_last(11, [BoardState.WRONG, BoardState.RESTING], SENTENCES, HINTS, SIZES)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_sentence_fits(size: tuple[int, int], fonts: Fonts) -> None:
    board = load_board("nannon-6")
    for state, sentence, hint in SAID[size]:
        view = make_view(board=state, message=sentence, hint=hint)
        shown = Shown(board, FACES, view, away=("OLED",))
        picture = compose(shown, Ui(Page.PLAY), size, fonts.measure, now=ENDLESS)
        assert faults(picture) == []
        assert told(picture, sentence)
        assert told(picture, hint)


CANNON_HINTS = [
    "Clear b4 and j10; put Light on b9, d9, f9, h9 and 11 more; put Dark on a2, "
    "c2, e2, g2 and 11 more. Or tap Accept the board.",
    "Put it back on b10. Legal: b9-a8, d10xc10 or h10--f8.",
]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("state", [BoardState.WRONG, BoardState.RESTING])
def test_every_sentence_fits_beside_a_tall_board(
    state: BoardState, size: tuple[int, int], fonts: Fonts
) -> None:
    board = load_board("cannon-10")
    for sentence in [rule.sentence for rule in GAMES["cannon"].rules]:
        for hint in CANNON_HINTS:
            view = view_of("cannon", board=state, message=sentence, hint=hint)
            picture = compose(
                Shown(board, FACES, view), Ui(Page.PLAY), size, fonts.measure, now=ENDLESS
            )
            assert faults(picture) == []


@pytest.mark.parametrize(
    ("fault", "shapes"),
    [
        ("leaves the window", (Text(Rect(90, 0, 20, 9), "out", 9, same(255, 255, 255)),)),
        ("is cut", (Text(Rect(0, 0, 20, 9), "cu…", 9, same(255, 255, 255)),)),
        (
            "lies on",
            (
                Text(Rect(0, 0, 20, 9), "one", 9, same(255, 255, 255)),
                Text(Rect(10, 0, 20, 9), "two", 9, same(255, 255, 255)),
            ),
        ),
        (
            "hard to read",
            (
                Box(Rect(0, 0, 99, 99), same(99, 99, 99)),
                Text(Rect(0, 0, 9, 9), "x", 9, same(120, 120, 120)),
            ),
        ),
        (
            "hard to read",
            (
                Box(Rect(0, 0, 99, 99), same(255, 255, 255)),
                Disc((50, 50), 20, same(0, 0, 0)),
                Text(Rect(40, 60, 20, 20), "x", 9, same(255, 255, 255)),
            ),
        ),
    ],
)
def test_faults_are_noticed(fault: str, shapes: tuple[Shape, ...]) -> None:
    (found,) = faults(Drawing(Page.PLAY, (100, 100), shapes, (), moving=False))
    assert fault in found


def test_buttons_grow_with_the_window(fonts: Fonts) -> None:
    shown, ui = scenes()["nannon-wrong"]
    small, large = (
        compose(shown, ui, size, fonts.measure, now=Us(0)).targets[0].rect
        for size in ((800, 480), (1280, 800))
    )
    assert small.h >= NINE_MM
    assert large.h >= 75


def overlaps_of(places: PlayPlaces) -> list[tuple[Rect, Rect]]:
    rooms = (
        places.board,
        places.troubles,
        *places.players,
        places.match,
        places.words,
        places.main,
        *places.small,
    )
    there = [room for room in rooms if room.h]
    return [(a, b) for a, b in combinations(there, 2) if a.overlaps(b)]


@pytest.mark.parametrize("troubled", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_places_of_the_play_page_fill_the_window(size: tuple[int, int], troubled: bool) -> None:
    places, unit = play_places(size, troubles=40 * troubled), unit_of(size)
    assert overlaps_of(places) == []
    assert places.main.h >= int(58 * unit)
    assert all(small.h >= int(NINE_MM * unit) for small in places.small)
    calm = play_places(size)
    assert replace(places, board=calm.board, troubles=calm.troubles) == calm
    if size[0] > size[1]:
        assert calm.board.h >= size[1] - 2 * round(8 * unit)
    else:
        assert calm.board.w >= size[0] - 2 * round(8 * unit)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_what_matters_on_the_play_page_has_19_pixels(language: str, fonts: Fonts) -> None:
    for name in by_last(2, [*scenes()], sorted(LANGUAGES))[language]:
        shown, ui = scenes()[name]
        if ui.page is not Page.PLAY or shown.view is None:
            continue
        told_so = replace(shown, language=load_language(language))
        picture = compose(told_so, ui, (800, 480), fonts.measure, now=ENDLESS)
        words = play_places((800, 480)).words
        said = [s for s in picture.shapes if isinstance(s, Text) and words.holds(s.rect)]
        assert max(text.size for text in said) >= 19, name
