"""The one file that draws with pygame: measures and paints shapes, reads touches and keys."""

from __future__ import annotations

import io
import logging
import math
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any, TypeAlias

from pi_app.base.microseconds import Us, ms

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting would spoil our output

import pygame

from pi_app.base.errors import FailedError
from pi_app.screen.canvas import Box, Curve, Disc, Line, Measure, Point, Poly, Rect, Shape, Text
from pi_app.screen.compose import Closed, FingerDown, Input, KeyPress, Resized
from pi_app.screen.theme import Colour, Rgb, Theme, type_files
from pi_app.words.sentences import ENGLISH, Language

LONG_PRESS = ms(1000)
FINE = 4
"""Shapes are drawn this many times larger and scaled down, which smooths their edges."""

CONSOLE = "KMSDRM"
"""The name of SDL's driver for a console without a desktop."""
SHEETS = 5
"""How many times the surface's pixels all cached sprites may have: 8 MB at 800 x 480, 42 MB at
1920 x 1080. A picture has two to three times as many as the surface."""

Sprite: TypeAlias = tuple[pygame.surface.Surface, Point]
"""A painted shape and where its corner lies from the shape's own."""

PlacedSprite: TypeAlias = tuple[pygame.surface.Surface, Point]
"""A sprite and where its corner lies on the surface."""

SHADE = 110
"""The darkness of a shadow in its middle, of 255."""
MOST_TIMES = 8
"""Shapes more than this many times larger than the surface are not painted."""
BEYOND = 100
"""Pixels: the farthest that a shadow or a thick line reaches beyond its shape."""
PIECE = 4
"""The steps of a curve that are painted as one sprite."""
THINNEST = 4
"""Pixels: thinner shapes have no shadow, because pygame cannot enlarge a picture one pixel wide."""


class ScreenError(FailedError, RuntimeError):
    """The screen cannot be opened; the message says why and what to do."""


class Fonts:
    def __init__(self) -> None:
        pygame.font.init()
        self._files = type_files()
        self._font = lru_cache(maxsize=64)(self._open)
        self.measure: Measure = lru_cache(maxsize=8192)(self._measure)

    def render(self, text: Text, theme: Theme = Theme.DARK) -> pygame.surface.Surface:
        return self._font(text.size, text.bold).render(text.text, True, text.colour.rgb(theme))

    def _measure(self, text: str, size: int, bold: bool) -> tuple[int, int]:
        """A line is as high as its font, whatever accents it has."""
        font = self._font(size, bold)
        return font.size(text)[0], font.get_height()

    def _open(self, size: int, bold: bool) -> pygame.font.Font:
        with resources.as_file(self._files[bold]) as path:
            return pygame.font.Font(str(path), size)


class Painter:
    """Paints shapes, and caches them as sprites within a limit.

    On the surface that it painted last it paints only what has changed.
    """

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._theme = Theme.DARK
        self._sprites: OrderedDict[Shape, Sprite] = OrderedDict()
        self._pixels = 0
        self._surface: pygame.surface.Surface | None = None
        self._painted: tuple[PlacedSprite, ...] = ()

    def paint(
        self, surface: pygame.surface.Surface, shapes: Iterable[Shape], theme: Theme = Theme.DARK
    ) -> pygame.rect.Rect:
        """Paint these shapes. Return the part of the surface that has changed."""
        if theme is not self._theme:
            self._theme, self._pixels, self._surface = theme, 0, None
            self._sprites.clear()
        whole = surface.get_rect()
        seen = tuple(
            _at_origin(part) for shape in shapes if _is_seen(shape, whole) for part in _parts(shape)
        )
        placed = tuple(self._placed(corner, key) for corner, key in seen)
        self._forget_old(SHEETS * whole.w * whole.h, len({key for _, key in seen}))
        changed = _changed(self._painted, placed) if self._surface is surface else whole
        changed = changed.clip(whole)
        if changed.size != (0, 0):
            surface.set_clip(changed)
            parts = (one for one in placed if _bounds(one).colliderect(changed))
            surface.blits(tuple(parts), doreturn=False)
            surface.set_clip(None)
        self._surface, self._painted = surface, placed
        return changed

    def forget(self) -> None:
        """Paint everything next time, because the surface was lost."""
        self._surface = None

    def _placed(self, corner: Point, key: Shape) -> PlacedSprite:
        sprite, shift = self._sprite(key)
        return sprite, (corner[0] + shift[0], corner[1] + shift[1])

    def _sprite(self, key: Shape) -> Sprite:
        kept = self._sprites.get(key)
        if kept is not None:
            self._sprites.move_to_end(key)
            return kept
        made = self._make(key)
        self._sprites[key] = made
        self._pixels += _area(made)
        return made

    def _forget_old(self, most: int, used: int) -> None:
        """Forget the sprites used longest ago beyond so many pixels, but never the last `used`.

        Those are the present picture's: a store that could not hold it would paint all of it anew
        each time.
        """
        while self._pixels > most and len(self._sprites) > used:
            _, old = self._sprites.popitem(last=False)
            self._pixels -= _area(old)

    def _make(self, key: Shape) -> Sprite:
        theme = self._theme
        match key:
            case Text():
                return self._fonts.render(key, theme), (0, 0)
            case Box():
                return _risen((_lit(_box(key, theme), key.light, theme), (0, 0)), key.lift, theme)
            case Disc():
                return _risen((_lit(_disc(key, theme), key.light, theme), (0, 0)), key.lift, theme)
            case Line(points, colour, width):
                return _strokes(points, colour.rgb(theme), width, _draw_line)
            case Poly(points, colour, light, lift):
                flat, shift = _strokes(points, colour.rgb(theme), 0, _draw_poly)
                return _risen((_lit(flat, light, theme), shift), lift, theme)


@lru_cache(maxsize=1024)
def _parts(shape: Shape) -> tuple[Shape, ...]:
    """A long curve in pieces of a few steps: while an arrow grows, only its end is new."""
    if isinstance(shape, Text) and not shape.text:
        return ()
    if not isinstance(shape, Line) or len(shape.points) <= PIECE + 1:
        return (shape,)
    starts = range(0, len(shape.points) - 1, PIECE)
    return tuple(replace(shape, points=shape.points[at : at + PIECE + 1]) for at in starts)


def _is_seen(shape: Shape, whole: pygame.rect.Rect) -> bool:
    """Whether any of this shape lies on the surface.

    In a window of a few pixels a layout becomes huge or lies far outside. pygame would take minutes
    for such shapes, or crash.
    """
    left, top, right, bottom = _box_of(shape)
    across = right > -BEYOND and left < whole.w + BEYOND
    down = bottom > -BEYOND and top < whole.h + BEYOND
    longest = max(right - left, bottom - top)
    return across and down and longest < MOST_TIMES * max(whole.w, whole.h, BEYOND)


def _box_of(shape: Shape) -> tuple[float, float, float, float]:
    match shape:
        case Box(rect) | Text(rect):
            return rect.x, rect.y, rect.right, rect.bottom
        case Disc((x, y), radius):
            return x - radius, y - radius, x + radius, y + radius
        case Line(points) | Poly(points):
            xs, ys = zip(*points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)


def _bounds(placed: PlacedSprite) -> pygame.rect.Rect:
    sprite, corner = placed
    return sprite.get_rect(topleft=corner)


def _changed(before: tuple[PlacedSprite, ...], now: tuple[PlacedSprite, ...]) -> pygame.rect.Rect:
    """The rectangle around everything that only one of two pictures has.

    Common parts must come in the same order in both; otherwise everything between counts as
    changed.
    """
    start = 0
    while start < min(len(before), len(now)) and before[start] == now[start]:
        start += 1
    end = 0
    while end < min(len(before), len(now)) - start and before[-1 - end] == now[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], now[start : len(now) - end]
    both = set(old) & set(new)
    if [one for one in old if one in both] != [one for one in new if one in both]:
        both = set()
    differing = [_bounds(one) for one in (*old, *new) if one not in both]
    return differing[0].unionall(differing[1:]) if differing else pygame.rect.Rect(0, 0, 0, 0)


class Window:
    """The touchscreen.

    Raises ScreenError if SDL finds no display.

    While `typing` is set, letters are only text. `language` is for the window's own texts, if any.
    Holding D for `long_press` is a long press of the die button. The picture is rotated clockwise
    by `rotation` degrees, a multiple of 90.
    """

    def __init__(
        self,
        size: tuple[int, int],
        *,
        fullscreen: bool = False,
        long_press: Us = LONG_PRESS,
        rotation: int = 0,
    ) -> None:
        self._rotation = rotation
        try:
            pygame.display.init()
            _refuse_to_draw_unseen()
            prefer_a_way_to_paint(pygame.display.get_driver(), os.environ)
            # Nobody touches the screen while they think: it is not to go dark.
            pygame.display.set_allow_screensaver(False)
            self._open(size, fullscreen)
        except pygame.error as error:
            raise ScreenError(
                f"no screen: {error}; start in the desktop session, on a console with --kiosk, "
                "or set SDL_VIDEODRIVER"
            ) from None
        self._windowed = size
        self.typing = False
        self.language: Language = ENGLISH
        self._long_press = long_press
        self._held_since: float | None = None
        self.fonts = Fonts()
        self.measure = self.fonts.measure
        self._painter = Painter(self.fonts)
        self._upright_picture = pygame.surface.Surface(self.size)
        pygame.display.set_caption("Spotter")
        driver = pygame.display.get_driver()
        self._on_console = driver == CONSOLE
        logging.getLogger(__name__).info("SDL video driver: %s", driver)

    @property
    def size(self) -> tuple[int, int]:
        width, height = pygame.display.get_surface().get_size()
        return (height, width) if self._rotation % 180 else (width, height)

    def set_fullscreen(self, fullscreen: bool) -> None:
        self._open(self._windowed, fullscreen)
        self._painter.forget()

    def draw(self, shapes: Iterable[Shape], theme: Theme = Theme.DARK) -> None:
        display = pygame.display.get_surface()
        if not self._rotation:
            pygame.display.update(self._painter.paint(display, shapes, theme))
            return
        if self._upright_picture.get_size() != self.size:
            self._upright_picture = pygame.surface.Surface(self.size)
        self._painter.paint(self._upright_picture, shapes, theme)
        display.blit(pygame.transform.rotate(self._upright_picture, -self._rotation), (0, 0))
        pygame.display.flip()

    def poll(self, now: Us) -> tuple[Input, ...]:
        """Return the touches and key presses since the last call. Never waits."""
        inputs = [known for event in pygame.event.get() if (known := self._read(event, now))]
        if self._held_since is not None and now - self._held_since >= self._long_press:
            self._held_since = None
            inputs.append(KeyPress("hold d"))
        return tuple(inputs)

    def close(self) -> None:
        pygame.display.quit()

    def _open(self, size: tuple[int, int], fullscreen: bool) -> None:
        flags = pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE
        pygame.display.set_mode((0, 0) if fullscreen else size, flags)
        pygame.mouse.set_visible(not fullscreen)

    def _read(self, event: pygame.event.Event, now: Us) -> Input | None:
        # On a desktop SDL sends every touch as a finger and again as a mouse, on a console only as
        # a finger: the one counts there, the other here.
        if event.type == pygame.FINGERDOWN and self._on_console:
            width, height = pygame.display.get_surface().get_size()
            x, y = round(event.x * (width - 1)), round(event.y * (height - 1))
            return FingerDown(*self._upright(x, y))
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            repeats = self._on_console and event.touch
            return None if repeats else FingerDown(*self._upright(*event.pos))
        if event.type == pygame.KEYDOWN:
            return self._key_down(event, now)
        if event.type == pygame.KEYUP and event.key == pygame.K_d:
            self._held_since = None
        if event.type == pygame.QUIT:
            return Closed()
        if event.type not in _REDRAWN:
            return None
        self._painter.forget()
        return Resized()

    def _upright(self, x: int, y: int) -> tuple[int, int]:
        """Convert a point of the display to one of the picture."""
        width, height = self.size
        match self._rotation:
            case 90:
                return y, height - 1 - x
            case 180:
                return width - 1 - x, height - 1 - y
            case 270:
                return width - 1 - y, x
        return x, y

    def _key_down(self, event: pygame.event.Event, now: Us) -> KeyPress:
        if event.key == pygame.K_d and not self.typing:
            self._held_since = now
        if self.typing and event.key == pygame.K_v and event.mod & pygame.KMOD_CTRL:
            return KeyPress("", _clipboard())
        typed = event.unicode if event.unicode.isprintable() else ""
        back = event.key == pygame.K_TAB and event.mod & pygame.KMOD_SHIFT
        return KeyPress("back tab" if back else _KEYS.get(event.key, ""), typed)


def _clipboard() -> str:
    """The text that was copied on the desktop, on one line; empty if there is none."""
    with suppress(pygame.error):
        pygame.scrap.init()
        for kind in ("text/plain;charset=utf-8", "text/plain"):
            copied: Any = pygame.scrap.get(kind)  # bytes, whatever pygame 2.1 declares
            if copied:
                return " ".join(copied.decode("utf-8", "replace").strip("\0").split())
    return ""


def prefer_the_console(environment: MutableMapping[str, str]) -> None:
    """Let SDL draw on the console if no desktop runs, unless the user chose a driver.

    On Wayland use SDL's Wayland driver: through X its request to keep the screen on is lost.
    """
    has_desktop = environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY")
    environment.setdefault("SDL_VIDEODRIVER", "wayland,x11" if has_desktop else "kmsdrm")


def prefer_a_way_to_paint(driver: str, environment: MutableMapping[str, str]) -> None:
    """Choose how SDL shows a plain surface, unless the user chose.

    OpenGL costs 90 MB and doubles the time of a picture, but Wayland and KMSDRM need it. A console
    may only have OpenGL ES, which SDL takes for OpenGL: then the screen stays black.
    """
    ways = {"x11": "0", "offscreen": "0", CONSOLE: "opengles2"}
    if driver in ways:
        environment.setdefault("SDL_FRAMEBUFFER_ACCELERATION", ways[driver])


def _refuse_to_draw_unseen() -> None:
    """Raise an error if SDL draws for nobody, as it silently does without a display, unless that
    was requested."""
    driver = pygame.display.get_driver()
    asked = os.environ.get("SDL_VIDEODRIVER") or os.environ.get("SDL_VIDEO_DRIVER")
    if driver in ("offscreen", "dummy", "evdev") and not asked:
        pygame.display.quit()
        raise pygame.error(_why_unseen(os.environ))


def _why_unseen(environment: Mapping[str, str]) -> str:
    """Say why a display that is named did not open: SDL lacks what it needs for it, or it is not
    running."""
    for name in ("WAYLAND_DISPLAY", "DISPLAY"):
        if environment.get(name):
            return (
                f"the display {environment[name]} ({name}) cannot be opened: it is not running,"
                " or libraries are missing (sudo apt install libx11-6 libxext6)"
            )
    return "no display is to be found"


_REDRAWN = (pygame.VIDEORESIZE, pygame.VIDEOEXPOSE)
_KEYS: Mapping[int, str] = {
    pygame.K_SPACE: "space",
    pygame.K_RETURN: "return",
    pygame.K_KP_ENTER: "return",
    pygame.K_ESCAPE: "escape",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_F11: "f11",
    pygame.K_TAB: "tab",
    pygame.K_PAGEDOWN: "page down",
    pygame.K_PAGEUP: "page up",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
}


def render(shapes: Iterable[Shape], size: tuple[int, int], theme: Theme = Theme.DARK) -> bytes:
    surface, stream = pygame.surface.Surface(size), io.BytesIO()
    Painter(Fonts()).paint(surface, shapes, theme)
    pygame.image.save(surface, stream, "picture.png")
    return stream.getvalue()


def _area(sprite: Sprite) -> int:
    width, height = sprite[0].get_size()
    return width * height


@lru_cache(maxsize=4096)
def _at_origin(shape: Shape) -> tuple[Point, Shape]:
    """Return a shape's place and the shape moved to the origin, so that equal shapes share a
    sprite."""
    match shape:
        case Text(rect, text, size, colour, bold):
            return (rect.x, rect.y), Text(Rect(0, 0, rect.w, rect.h), text, size, colour, bold)
        case Box(rect):
            return (rect.x, rect.y), replace(shape, rect=Rect(0, 0, rect.w, rect.h))
        case Disc((x, y), radius):
            return (x - radius, y - radius), replace(shape, centre=(radius, radius))
        case Line(points) | Poly(points):
            x, y = _corner(points)
            return (x, y), replace(shape, points=tuple((px - x, py - y) for px, py in points))


def _corner(points: Curve) -> Point:
    return math.floor(min(x for x, _ in points)), math.floor(min(y for _, y in points))


def _clear(size: tuple[int, int], colour: Rgb) -> pygame.surface.Surface:
    """A transparent surface of the colour to come, so that smoothing leaves no dark fringe."""
    surface = pygame.surface.Surface(size, pygame.SRCALPHA)
    surface.fill((*colour, 0))
    return surface


def _lit(flat: pygame.surface.Surface, light: float, theme: Theme) -> pygame.surface.Surface:
    """Shade a shape: lighter at one end, darker at the other. High contrast has no shading."""
    if not light or theme is Theme.CONTRAST:
        return flat
    width, height = flat.get_size()
    for y in range(height):
        share = light * (1 - 2 * (y + 0.5) / height)
        row = pygame.rect.Rect(0, y, width, 1)
        kept, white = round(255 * (1 - abs(share))), round(255 * max(share, 0))
        flat.fill((kept,) * 3, row, special_flags=pygame.BLEND_RGB_MULT)
        flat.fill((white,) * 3, row, special_flags=pygame.BLEND_RGB_ADD)
    return flat


def _risen(sprite: Sprite, lift: int, theme: Theme) -> Sprite:
    """Add a soft shadow if the shape has a lift; high contrast has none."""
    flat, (x, y) = sprite
    if not lift or theme is Theme.CONTRAST or min(flat.get_size()) < THINNEST:
        return sprite
    margin = 2 * lift
    width, height = flat.get_width() + 2 * margin, flat.get_height() + 2 * margin
    dark = pygame.surface.Surface((width, height), pygame.SRCALPHA)
    dark.blit(flat, (margin, margin + lift))
    dark.fill((0, 0, 0, SHADE), special_flags=pygame.BLEND_RGBA_MULT)
    small = (max(1, width // (lift + 1)), max(1, height // (lift + 1)))
    soft = pygame.transform.smoothscale(dark, small)
    whole = pygame.transform.smoothscale(soft, (width, height))
    whole.blit(flat, (margin, margin))
    return whole, (x - margin, y - margin)


def _disc(disc: Disc, theme: Theme) -> pygame.surface.Surface:
    side = max(2 * disc.radius, 1)
    fill, edge = _rgb(disc.fill, theme), _rgb(disc.edge, theme)
    outer = edge or fill or (0, 0, 0)
    large = _clear((side * FINE, side * FINE), outer)
    middle, radius = (side * FINE / 2, side * FINE / 2), disc.radius * FINE
    if fill is None:
        pygame.draw.circle(large, outer, middle, radius, max(1, disc.edge_width * FINE))
    else:
        pygame.draw.circle(large, outer, middle, radius)
        pygame.draw.circle(large, fill, middle, radius - (disc.edge_width * FINE if edge else 0))
    return pygame.transform.smoothscale(large, (side, side))


def _rgb(colour: Colour | None, theme: Theme) -> Rgb | None:
    return colour.rgb(theme) if colour else None


def _box(box: Box, theme: Theme) -> pygame.surface.Surface:
    size = (box.rect.w, box.rect.h)
    if box.edge is None or box.edge_width == 0:
        return _rounded(size, box.fill, box.radius, theme)
    surface = _rounded(size, box.edge, box.radius, theme)
    width = box.edge_width
    inner = (max(size[0] - 2 * width, 1), max(size[1] - 2 * width, 1))
    surface.blit(_rounded(inner, box.fill, max(box.radius - width, 0), theme), (width, width))
    return surface


def _rounded(
    size: tuple[int, int], fill: Colour, radius: int, theme: Theme
) -> pygame.surface.Surface:
    """A box with the quarters of a smooth disc as its corners."""
    width, height = max(size[0], 1), max(size[1], 1)
    radius, rgb = min(radius, width // 2, height // 2), fill.rgb(theme)
    if radius == 0:
        surface = pygame.surface.Surface((width, height))
        surface.fill(rgb)
        return surface
    surface = pygame.surface.Surface((width, height), pygame.SRCALPHA)
    surface.fill(rgb)
    disc = _disc(Disc((radius, radius), radius, fill), theme)
    for x, left in ((0, 0), (width - radius, radius)):
        for y, top in ((0, 0), (height - radius, radius)):
            corner = pygame.rect.Rect(left, top, radius, radius)
            surface.fill((*rgb, 0), pygame.rect.Rect(x, y, radius, radius))
            surface.blit(disc, (x, y), corner)
    return surface


Stroke: TypeAlias = Callable[[pygame.surface.Surface, Rgb, Curve, int], None]


def _strokes(points: Curve, colour: Rgb, width: int, draw: Stroke) -> Sprite:
    margin = width + 1
    size = (
        math.ceil(max(x for x, _ in points)) + 2 * margin + 1,
        math.ceil(max(y for _, y in points)) + 2 * margin + 1,
    )
    large = _clear((size[0] * FINE, size[1] * FINE), colour)
    draw(large, colour, tuple(((x + margin) * FINE, (y + margin) * FINE) for x, y in points), width)
    return pygame.transform.smoothscale(large, size), (-margin, -margin)


def _draw_line(surface: pygame.surface.Surface, colour: Rgb, points: Curve, width: int) -> None:
    """Draw each piece as a rectangle, because the ends of pygame's thick lines are slanted."""
    half = width * FINE / 2
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (x2 - x1) / length * half, (y2 - y1) / length * half
        corners = ((x1 - dy, y1 + dx), (x1 + dy, y1 - dx), (x2 + dy, y2 - dx), (x2 - dy, y2 + dx))
        pygame.draw.polygon(surface, colour, corners)
    for point in points:
        pygame.draw.circle(surface, colour, point, half)


def _draw_poly(surface: pygame.surface.Surface, colour: Rgb, points: Curve, _: int) -> None:
    pygame.draw.polygon(surface, colour, points)
