"""Digits and file letters as single strokes, so that an engraver needs no font."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.make.shapes import Layer, Path, PointMm

_BOWL = "41 30 10 01 03 14 34 43"
GLYPHS: Mapping[str, tuple[str, ...]] = {
    "0": ("10 30 41 45 36 16 05 01 10",),
    "1": ("15 26 20", "10 30"),
    "2": ("05 16 36 45 44 00 40",),
    "3": ("05 16 36 45 44 33 13", "33 42 41 30 10 01"),
    "4": ("30 36 02 42",),
    "5": ("46 06 03 14 34 43 41 30 10 01",),
    "6": ("45 36 16 05 01 10 30 41 42 33 13 02",),
    "7": ("06 46 20",),
    "8": ("13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",),
    "9": ("01 10 30 41 45 36 16 05 04 13 33 44",),
    "a": (_BOWL, "44 40"),
    "b": ("06 00", "03 14 34 43 41 30 10 01"),
    "c": ("43 34 14 03 01 10 30 41",),
    "d": ("46 40", _BOWL),
    "e": ("02 42 43 34 14 03 01 10 30 41",),
    "f": ("45 36 26 15 10", "04 34"),
    "g": ("44 40 3- 1- 0-", _BOWL),
    "h": ("06 00", "03 14 34 43 40"),
    "i": ("24 20", "25 26"),
    "j": ("24 20 1- 0-", "25 26"),
}
"""Strokes on a grid four wide and six high; a minus stands for one and a half below the line."""

NAMES: Mapping[str, tuple[str, ...]] = {
    **GLYPHS,
    "k": ("06 00", "34 02 30"),
    "l": ("16 11 20",),
    "m": ("04 00", "03 14 23 20", "23 34 43 40"),
    "n": ("04 00", "03 14 34 43 40"),
    "o": ("10 01 03 14 34 43 41 30 10",),
    "p": ("04 0-", "03 14 34 43 41 30 10 01"),
    "q": ("44 4-", _BOWL),
    "r": ("04 00", "03 14 34"),
    "s": ("43 34 14 03 12 32 41 30 10 01",),
    "t": ("16 11 20 30", "04 34"),
    "u": ("04 01 10 30 41", "44 40"),
    "v": ("04 20 44",),
    "w": ("04 10 23 30 44",),
    "x": ("04 40", "00 44"),
    "y": ("04 20", "44 0-"),
    "z": ("04 44 00 40",),
    ".": ("20 21",),
    "-": ("13 33",),
}
"""With the letters that the sensors' names have besides."""

WIDTH, HEIGHT, ADVANCE = 4, 6, 6


def knows(words: str) -> bool:
    """Whether there are strokes for every letter."""
    return bool(words) and all(letter in GLYPHS for letter in words)


def engraved(
    words: str,
    centre: PointMm,
    height: float,
    turned: bool = False,
    glyphs: Mapping[str, tuple[str, ...]] = GLYPHS,
) -> Iterator[Path]:
    """The strokes of a word around a centre; turned, to be read from the opposite side."""
    scale = (-1 if turned else 1) * height / HEIGHT
    left = -((len(words) - 1) * ADVANCE + WIDTH) / 2
    for place, letter in enumerate(words):
        for stroke in glyphs[letter]:
            yield Path(
                Layer.ENGRAVE,
                tuple(
                    (
                        centre[0] + scale * (left + place * ADVANCE + int(dot[0])),
                        centre[1] + scale * (_up(dot[1]) - HEIGHT / 2),
                    )
                    for dot in stroke.split()
                ),
            )


def _up(dot: str) -> float:
    return -1.5 if dot == "-" else int(dot)
