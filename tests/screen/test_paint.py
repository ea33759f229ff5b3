"""Painting and reading, with SDL's dummy drivers: no display, no sound card."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator

import pytest
from scenes import scene_in, scenes
from shares import by_last
from sounds import FOLDER, sound
from views import same

from pi_app.base.microseconds import ms
from pi_app.referee.effects import Cue
from pi_app.screen.canvas import Box, Disc, Rect, Text, arc, arrow
from pi_app.screen.compose import Closed, FingerDown, KeyPress, Resized, compose
from pi_app.screen.paint import (
    CONSOLE,
    SHEETS,
    Fonts,
    Painter,
    ScreenError,
    Window,
    prefer_a_way_to_paint,
    prefer_the_console,
    render,
)
from pi_app.screen.sound import Speaker

pygame = pytest.importorskip("pygame")
RED, BLUE = same(200, 30, 30), same(30, 30, 200)


@pytest.fixture(autouse=True)
def dummy_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")


@pytest.fixture
def window() -> Iterator[Window]:
    window = Window((800, 480))
    window.poll(ms(0))
    yield window
    window.close()


def press(kind: int, **fields: object) -> None:
    pygame.event.post(pygame.event.Event(kind, fields))


def test_shapes_are_painted_in_their_order() -> None:
    surface = pygame.Surface((100, 100))
    shapes = (Box(Rect(10, 10, 50, 50), RED), Disc((30, 30), 10, BLUE))
    Painter(Fonts()).paint(surface, shapes)
    assert surface.get_at((12, 12))[:3] == RED.dark
    assert surface.get_at((30, 30))[:3] == BLUE.dark
    assert surface.get_at((80, 80))[:3] == (0, 0, 0)


def test_round_corners_let_the_ground_show() -> None:
    surface = pygame.Surface((100, 100))
    Painter(Fonts()).paint(surface, (Box(Rect(0, 0, 100, 100), RED, 20, BLUE, 4),))
    assert surface.get_at((0, 0))[:3] == (0, 0, 0)
    assert surface.get_at((50, 1))[:3] == BLUE.dark
    assert surface.get_at((50, 50))[:3] == RED.dark


def test_a_ring_is_open_in_the_middle() -> None:
    surface = pygame.Surface((100, 100))
    Painter(Fonts()).paint(surface, (Disc((50, 50), 40, None, RED, 6),))
    assert surface.get_at((50, 50))[:3] == (0, 0, 0)
    assert surface.get_at((50, 13))[:3] == RED.dark


def test_an_arrow_has_its_head_at_its_end() -> None:
    surface = pygame.Surface((100, 100))
    Painter(Fonts()).paint(surface, arrow(arc((10, 80), (90, 80), 30), RED, 4))
    column = [surface.get_at((84, y))[0] > 100 for y in range(100)]
    start = [surface.get_at((20, y))[0] > 100 for y in range(100)]
    assert sum(column) > sum(start) > 0


def test_a_text_is_as_large_as_was_measured() -> None:
    fonts = Fonts()
    size = fonts.measure("HOME → 3", 20, True)
    text = Text(Rect(0, 0, *size), "HOME → 3", 20, RED, bold=True)
    assert fonts.render(text).get_size() == size


def test_the_fonts_hold_every_sign_that_is_written() -> None:
    fonts = Fonts()
    for sign in "→−–·…∞←ÄŞйЖ●○":
        glyph = fonts.render(Text(Rect(0, 0, 9, 9), sign, 20, RED))
        box = fonts.render(Text(Rect(0, 0, 9, 9), "\ue000", 20, RED))
        assert glyph.get_buffer().raw != box.get_buffer().raw, sign


@pytest.mark.parametrize("size", [(800, 480), (2560, 1440)], ids=str)
def test_sprites_are_kept_within_their_room(size: tuple[int, int]) -> None:
    painter = Painter(Fonts())
    surface = pygame.Surface(size)
    for shade in range(3 * SHEETS):
        painter.paint(surface, (Box(Rect(0, 0, *size), same(shade, 0, 0)),))
    assert painter._pixels <= SHEETS * size[0] * size[1]


def test_the_sprites_of_one_picture_are_kept_whatever_their_room() -> None:
    painter = Painter(Fonts())
    surface = pygame.Surface((80, 48))
    shapes = [Box(Rect(0, 0, 80, 48), same(shade, 0, 0)) for shade in range(3 * SHEETS)]
    painter.paint(surface, shapes)
    kept = dict(painter._sprites)
    painter.paint(surface, shapes)
    assert len(kept) == len(shapes)
    assert all(painter._sprites[shape] is sprite for shape, sprite in kept.items())


def test_the_same_picture_is_painted_the_same_from_fresh_and_kept_sprites() -> None:
    fonts = Fonts()
    shown, ui = scene_in("nannon-wrong")
    picture = compose(shown, ui, (800, 480), fonts.measure, ms(1_000_000))
    painter, images = Painter(fonts), []
    for _ in range(2):
        surface = pygame.Surface((800, 480))
        painter.paint(surface, picture.shapes)
        images.append(surface.get_buffer().raw)
    assert images[0] == images[1]


ANY_SIZES = [(1, 1), (2, 2), (1, 700), (700, 1), (40, 30), (30, 90), (93, 56)]


@pytest.mark.parametrize("size", ANY_SIZES, ids=str)
def test_every_screen_can_be_painted_in_a_window_of_any_size(size: tuple[int, int]) -> None:
    fonts = Fonts()
    painter, surface = Painter(fonts), pygame.Surface(size)
    for name in by_last(6, [*scenes()], ANY_SIZES)[size]:
        shown, ui = scenes()[name]
        painter.paint(surface, compose(shown, ui, size, fonts.measure, ms(0)).shapes)


FINGER = {"touch_id": 1, "finger_id": 1, "dx": 0, "dy": 0}


def test_a_finger_counts_once(window: Window) -> None:
    press(pygame.FINGERDOWN, x=0.5, y=0.5, **FINGER)
    press(pygame.MOUSEBUTTONDOWN, pos=(400, 240), button=1, touch=True)
    press(pygame.MOUSEBUTTONUP, pos=(400, 240), button=1, touch=True)
    assert window.poll(ms(0)) == (FingerDown(400, 240),)


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("repeated", [False, True])
def test_on_a_console_a_finger_counts_whether_or_not_a_mouse_repeats_it(
    monkeypatch: pytest.MonkeyPatch, repeated: bool, rotation: int
) -> None:
    """SDL 2.26 did not: no touchscreen worked without a desktop."""
    monkeypatch.setenv("SDL_FRAMEBUFFER_ACCELERATION", "0")
    monkeypatch.setattr(pygame.display, "get_driver", lambda: CONSOLE)
    window = Window((800, 480), rotation=rotation)
    window.poll(ms(0))
    press(pygame.FINGERDOWN, x=0.25, y=0.5, **FINGER)
    if repeated:
        press(pygame.MOUSEBUTTONDOWN, pos=(200, 240), button=1, touch=True)
    press(pygame.MOUSEBUTTONDOWN, pos=(200, 240), button=1, touch=False)
    where = FingerDown(200, 240) if rotation == 0 else FingerDown(599, 239)
    assert window.poll(ms(10)) == (where, where)
    window.close()


@pytest.mark.parametrize(
    ("rotation", "seen", "size"),
    [
        (0, (20, 30), (800, 480)),
        (90, (769, 20), (480, 800)),
        (180, (779, 449), (800, 480)),
        (270, (30, 459), (480, 800)),
    ],
)
def test_a_rotated_picture_is_touched_where_it_is_seen(
    rotation: int, seen: tuple[int, int], size: tuple[int, int]
) -> None:
    window = Window((800, 480), rotation=rotation)
    window.poll(ms(0))
    assert window.size == size
    window.draw((Box(Rect(20, 30, 1, 1), RED),))
    assert pygame.display.get_surface().get_at(seen)[:3] == RED.dark
    press(pygame.MOUSEBUTTONDOWN, button=1, pos=seen)
    assert window.poll(ms(10)) == (FingerDown(20, 30),)
    window.close()


def test_a_kiosk_takes_the_desktop_if_there_is_one_and_else_the_console() -> None:
    for given, driver in (
        ({}, "kmsdrm"),
        ({"DISPLAY": ":0"}, "wayland,x11"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "wayland,x11"),
        ({"DISPLAY": ":0", "SDL_VIDEODRIVER": "x11"}, "x11"),
    ):
        environment = dict(given)
        prefer_the_console(environment)
        assert environment == {**given, "SDL_VIDEODRIVER": driver}


def test_a_console_is_painted_through_opengl_es_and_a_window_without_a_detour() -> None:
    """A Pi without a desktop may have no other OpenGL; SDL mistook the one for the other."""
    for driver, given, way in (
        (CONSOLE, {}, {"SDL_FRAMEBUFFER_ACCELERATION": "opengles2"}),
        ("x11", {}, {"SDL_FRAMEBUFFER_ACCELERATION": "0"}),
        ("wayland", {}, {}),
        (CONSOLE, {"SDL_FRAMEBUFFER_ACCELERATION": "opengl"}, {}),
    ):
        environment = dict(given)
        prefer_a_way_to_paint(driver, environment)
        assert environment == {**given, **way}


def test_other_mouse_buttons_do_nothing(window: Window) -> None:
    press(pygame.MOUSEBUTTONDOWN, pos=(1, 1), button=3, touch=False)
    assert window.poll(ms(0)) == ()


@pytest.mark.parametrize(
    ("code", "text", "key"),
    [
        ("K_SPACE", " ", KeyPress("space", " ")),
        ("K_RETURN", "\r", KeyPress("return")),
        ("K_ESCAPE", "\x1b", KeyPress("escape")),
        ("K_BACKSPACE", "\x08", KeyPress("backspace")),
        ("K_F11", "", KeyPress("f11")),
        ("K_TAB", "\t", KeyPress("tab")),
        ("K_PAGEDOWN", "", KeyPress("page down")),
        ("K_PAGEUP", "", KeyPress("page up")),
        ("K_LEFT", "", KeyPress("left")),
        ("K_4", "4", KeyPress("", "4")),
        ("K_e", "é", KeyPress("", "é")),
    ],
)
def test_keys_have_their_names_and_texts(
    window: Window, code: str, text: str, key: KeyPress
) -> None:
    press(pygame.KEYDOWN, key=getattr(pygame, code), unicode=text, mod=0, scancode=0)
    assert window.poll(ms(0)) == (key,)


def test_tab_with_shift_goes_back(window: Window) -> None:
    press(pygame.KEYDOWN, key=pygame.K_TAB, unicode="\t", mod=pygame.KMOD_LSHIFT, scancode=0)
    assert window.poll(ms(0)) == (KeyPress("back tab"),)


def test_d_must_be_held_for_a_second(window: Window) -> None:
    press(pygame.KEYDOWN, key=pygame.K_d, unicode="d", mod=0, scancode=0)
    assert window.poll(ms(5000)) == (KeyPress("", "d"),)
    assert window.poll(ms(5999)) == ()
    assert window.poll(ms(6000)) == (KeyPress("hold d"),)
    assert window.poll(ms(9000)) == ()


def test_d_is_held_as_long_as_the_settings_say(window: Window) -> None:
    window.close()
    patient = Window((800, 480), long_press=ms(2500))
    press(pygame.KEYDOWN, key=pygame.K_d, unicode="d", mod=0, scancode=0)
    patient.poll(ms(5000))
    assert patient.poll(ms(7499)) == ()
    assert patient.poll(ms(7500)) == (KeyPress("hold d"),)
    patient.close()


def test_d_let_go_early_is_no_long_press(window: Window) -> None:
    press(pygame.KEYDOWN, key=pygame.K_d, unicode="d", mod=0, scancode=0)
    window.poll(ms(5000))
    press(pygame.KEYUP, key=pygame.K_d, mod=0, scancode=0)
    assert window.poll(ms(7000)) == ()


def test_the_screen_stays_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEO_ALLOW_SCREENSAVER", "1")
    window = Window((800, 480))
    assert not pygame.display.get_allow_screensaver()
    window.close()


def test_closing_and_resizing_are_told(window: Window) -> None:
    press(pygame.QUIT)
    press(pygame.VIDEORESIZE, size=(640, 400), w=640, h=400)
    kinds = [type(known) for known in window.poll(ms(0))]
    assert kinds[0] is Closed
    assert Resized in kinds


def test_without_a_display_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "nothing-of-the-kind")
    with pytest.raises(ScreenError, match=r"no screen: .*SDL_VIDEODRIVER"):
        Window((800, 480))


def test_a_picture_is_written_without_a_display() -> None:
    data = render((Box(Rect(0, 0, 64, 40), RED),), (64, 40))
    assert data.startswith(b"\x89PNG")
    assert pygame.image.load(io.BytesIO(data), "x.png").get_size() == (64, 40)


# Sounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("cue", Cue)
def test_every_cue_has_the_sound_that_the_generator_makes(cue: Cue) -> None:
    """Within one step of the scale: libraries may round a sine differently."""
    stored = (FOLDER / f"{cue.value}.wav").read_bytes()
    made = sound(cue)
    assert len(stored) == len(made) < 60_000
    assert stored[:44] == made[:44]
    pairs = zip(memoryview(stored[44:]).cast("h"), memoryview(made[44:]).cast("h"), strict=True)
    assert all(abs(one - other) <= 1 for one, other in pairs)


@pytest.mark.parametrize("cue", Cue)
def test_sounds_are_short_and_begin_and_end_softly(cue: Cue) -> None:
    with wave.open(str(FOLDER / f"{cue.value}.wav")) as file:
        assert (file.getnchannels(), file.getframerate()) == (1, 22050)
        samples = memoryview(file.readframes(file.getnframes())).cast("h")
    assert len(samples) < 22050
    assert abs(samples[0]) < 500
    assert abs(samples[-1]) < 500
    assert max(samples) > 5000


def test_a_speaker_plays_every_cue() -> None:
    speaker = Speaker()
    assert not speaker.silent
    for cue in Cue:
        speaker.play(cue)
    speaker.close()
    assert speaker.silent


def test_without_a_sound_card_there_is_silence_and_one_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "nothing-of-the-kind")
    speaker = Speaker()
    for cue in Cue:
        speaker.play(cue)
    assert speaker.silent
    assert len(caplog.records) == 1
    assert "silence" in caplog.text


def test_without_a_display_nothing_is_drawn_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ScreenError, match="no display is to be found; start in the desktop"):
        Window((800, 480))
    monkeypatch.setenv("DISPLAY", ":7")  # of a computer without libX11
    with pytest.raises(ScreenError, match=r"the display :7 .* libraries are missing .*libx11-6"):
        Window((800, 480))
