"""The simulator's window: places, checkers under the mouse, and the product's share of it all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from known import FACES, load_board
from PIL import Image

from pi_app.base.microseconds import Us, ms
from pi_app.languages import load_language

pygame = pytest.importorskip("pygame")

from pi_app.boards import board_names  # noqa: E402
from pi_app.cli.arguments import timing_of  # noqa: E402
from pi_app.devices.clock import MatchClock  # noqa: E402
from pi_app.devices.gpio import GpioBoard, open_factory  # noqa: E402
from pi_app.referee.events import Button, Event, Press  # noqa: E402
from pi_app.rules.terms import Side, Spot  # noqa: E402
from pi_app.screen.canvas import Box, Disc, Rect, Text  # noqa: E402
from pi_app.screen.compose import FingerDown, KeyPress  # noqa: E402
from pi_app.screen.front import ScreenFront  # noqa: E402
from pi_app.screen.ui import Shown  # noqa: E402
from pi_app.sensing.description import Sensor  # noqa: E402, after the check for pygame
from pi_app.simulator.drawing import draw_held, draw_keys, draw_line  # noqa: E402
from pi_app.simulator.reeds import NONE  # noqa: E402
from pi_app.simulator.source import open_simulated  # noqa: E402
from pi_app.simulator.tabletop import SimulatedTable  # noqa: E402
from pi_app.simulator.window import SimulatedRoom, SimulatorWindow  # noqa: E402
from pi_app.simulator.window_layout import (  # noqa: E402
    LABEL,
    LEAST,
    SIZE,
    WindowLayout,
    set_stage,
)
from pi_app.user.settings import Settings, TimesSettings  # noqa: E402

BOARD = load_board("nannon-6")
TWO, THREE, FOUR = Spot.read("2"), Spot.read("3"), Spot.read("4")


class WindowRoom:
    """A simulated table on mock pins, in virtual time."""

    def __init__(self) -> None:
        self.now = Us(0)
        self.events: list[Event] = []
        factory = open_factory("mock")
        self.gpio = GpioBoard(BOARD, factory, lambda: self.now, self.events.append)
        self.table = SimulatedTable(BOARD, factory, random.Random(1), NONE)
        self.wait(100)

    def wait(self, time_ms: float) -> None:
        self.now = Us(self.now + ms(time_ms))
        self.table.advance(self.now)
        self.gpio.advance(self.now)

    @property
    def closed(self) -> str:
        return "".join(sorted(self.gpio.picture().closed))


DESKTOPS = [(1024, 768), (1280, 800), (1350, 680), (1384, 900), (1920, 1080), (800, 1280)]
GRASPED = {
    (1024, 768): (34, 58, 42),
    (1280, 800): (48, 70, 52),
    (1350, 680): (30, 54, 38),
    (1384, 900): (44, 100, 60),
    (1920, 1080): (68, 160, 76),
    (800, 1280): (48, 84, 52),
}
"""Pixels across of a checker at least: on the tables boards, Nannon's and Cannon's."""
TINY = [(93, 93), (1, 1), (1, 700), (700, 1), (60, 40), (13, 14), (92, 800), (800, 92), (300, 20)]


@pytest.mark.parametrize("board", ["nannon-6", "tables-24", "cannon-10"])
@pytest.mark.parametrize("size", TINY)
def test_a_window_of_any_size_can_be_drawn_in(
    board: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    described, factory = load_board(board), open_factory("mock")
    devices = open_simulated(described, factory, lambda: ms(0), lambda _: None)
    table = SimulatedTable(described, factory, random.Random(1), NONE, devices.drive_cell)
    window = SimulatorWindow(table, size)
    front, shown = ScreenFront(window), Shown(described, FACES)
    front.draw(shown, ms(0))
    window.show(Image.new("1", (128, 64)))
    for x, y in ((0, 0), (size[0] - 1, size[1] - 1)):
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(x, y), button=1))
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
    front.poll(shown, ms(5))
    front.draw(shown, ms(10))
    window.close()
    devices.source.close()


@pytest.fixture
def room() -> WindowRoom:
    return WindowRoom()


def test_a_game_is_set_out_at_the_start_and_again(room: WindowRoom) -> None:
    assert room.closed == "1256"
    room.table.take(room.now, TWO)
    room.wait(10)
    assert room.closed == "156"
    room.table.set_out(room.now)
    room.wait(10)
    assert room.closed == "1256"
    assert room.table.checkers.at(Spot.read("home.white")) == (Side.WHITE,)


def test_a_dragged_checker_closes_the_reeds_it_passes(room: WindowRoom) -> None:
    table, seen = room.table, []
    table.take(room.now, TWO)
    for over in (None, THREE, None, FOUR):
        table.hover(room.now, over)
        room.wait(50)
        seen.append(room.closed)
    table.put(room.now, FOUR)
    room.wait(50)
    assert seen == ["156", "1356", "156", "1456"]
    assert (room.closed, table.checkers.at(FOUR), table.in_hand) == ("1456", (Side.WHITE,), None)


def test_where_there_is_no_room_a_checker_goes_back(room: WindowRoom) -> None:
    for target in (Spot.read("1"), None):
        room.table.take(room.now, TWO)
        room.table.put(room.now, target)
        room.wait(50)
        assert room.closed == "1256"


def test_trays_hold_many_and_close_nothing(room: WindowRoom) -> None:
    safety = Spot.read("safety.white")
    for spot in (TWO, Spot.read("1")):
        room.table.take(room.now, spot)
        room.table.put(room.now, safety)
    room.wait(50)
    assert (room.closed, room.table.checkers.at(safety)) == ("56", (Side.WHITE, Side.WHITE))


def test_the_button_is_pressed_short_and_long(room: WindowRoom) -> None:
    for held in (200, 1500):
        room.table.button(room.now, True)
        for _ in range(held // 50):
            room.wait(50)
        room.table.button(room.now, False)
        room.wait(50)
        room.wait(50)
    presses = [event.press for event in room.events if isinstance(event, Button)]
    assert presses == [Press.SHORT, Press.LONG]


def ends_of_a_click(how: str, at: tuple[int, int]) -> None:
    """Both ends of the shortest click, as they reach a window that was busy meanwhile."""
    touch = how == "finger"
    if touch:
        send(pygame.FINGERDOWN, touch_id=1, finger_id=1, x=0.5, y=0.5, dx=0.0, dy=0.0)
    if how == "key":
        press_key(pygame.K_b, "b")
        send(pygame.KEYUP, key=pygame.K_b, mod=0)
        return
    send(pygame.MOUSEBUTTONDOWN, pos=at, button=1, touch=touch)
    if touch:
        send(pygame.FINGERUP, touch_id=1, finger_id=1, x=0.5, y=0.5, dx=0.0, dy=0.0)
    send(pygame.MOUSEBUTTONUP, pos=at, button=1, touch=touch)


@pytest.mark.parametrize("how", ["mouse", "finger", "key"])
def test_the_shortest_click_is_a_press(room: WindowRoom, window: SimulatorWindow, how: str) -> None:
    for _ in range(3):
        ends_of_a_click(how, window.stage.button.centre)
        window.poll(room.now)
        for _ in range(6):
            room.wait(50)
    assert [one.press for one in room.events if isinstance(one, Button)] == [Press.SHORT] * 3


def test_a_click_is_not_made_longer_than_it_was(room: WindowRoom) -> None:
    room.table.button(room.now, True)
    for _ in range(6):
        room.wait(50)
    room.table.button(room.now, False)
    for _ in range(2):
        room.wait(10)
    assert [one.press for one in room.events if isinstance(one, Button)] == [Press.SHORT]


def test_lights_are_seen(room: WindowRoom) -> None:
    room.gpio.lights(frozenset({FOUR}), frozenset())
    assert room.table.lit == {FOUR}


@pytest.mark.parametrize("board", board_names())
@pytest.mark.parametrize("size", [*DESKTOPS, SIZE, (800, 600), (640, 900), (1100, 500), LEAST])
def test_nothing_overlaps_or_leaves_the_window(size: tuple[int, int], board: str) -> None:
    described = load_board(board)
    stage = set_stage(size, described)
    parts = (stage.screen, stage.table, stage.panel, stage.button, stage.help)
    for index, part in enumerate(parts):
        assert 0 <= part.x < part.right <= size[0]
        assert 0 <= part.y < part.bottom <= size[1]
        assert not any(part.overlaps(other) for other in parts[index + 1 :])
    assert 60 <= stage.button.w == stage.button.h
    assert stage.panel.w == 2 * stage.panel.h >= 128
    aims = [stage.aim(*stage.centre(place))[0] for place in described.places if not place.reeds]
    assert aims == [place.spot for place in described.places if not place.reeds]


@pytest.mark.parametrize("board", board_names())
@pytest.mark.parametrize("size", DESKTOPS)
def test_checkers_can_be_grasped_and_labels_read(size: tuple[int, int], board: str) -> None:
    stage = set_stage(size, load_board(board))
    tables, nannon, cannon = GRASPED[size]
    narrow = tables * 3 // 4  # its places are so much nearer to each other
    small = nannon * 9 // 10  # its spots are so much smaller
    sizes = {"cannon-10": cannon, "tables-24-hall": narrow, "nannon-6-evening": small}
    least = sizes.get(board, nannon if board.startswith("nannon") else tables)
    assert 2 * stage.radius >= least
    assert stage.label >= min(LABEL, stage.radius)
    assert LABEL == 14


@pytest.mark.parametrize("board", board_names())
@pytest.mark.parametrize("size", [(1384, 900), SIZE, (1920, 1080)])
def test_where_there_is_room_the_screen_has_its_true_size_or_more(
    size: tuple[int, int], board: str
) -> None:
    screen = set_stage(size, load_board(board)).screen
    assert min(screen.w, screen.h) >= 480
    assert max(screen.w, screen.h) >= 800
    assert max(screen.w, screen.h) / min(screen.w, screen.h) == pytest.approx(5 / 3, abs=0.01)


def lies(stage: WindowLayout) -> bool:
    return stage.screen.w > stage.screen.h


def test_the_screen_stands_upright_only_for_the_sake_of_the_checkers() -> None:
    tables, nannon = load_board("tables-24"), load_board("nannon-6")
    assert lies(set_stage((1384, 900), nannon))
    assert lies(set_stage((1600, 900), tables))
    upright = set_stage((1384, 900), tables)
    assert not lies(upright)
    beside = (1384 - 800 - 3 * 16) / tables.size[0]
    assert 2 * upright.radius > 37 * beside  # a point beside the screen that lies


def test_the_window_is_as_large_as_the_desktop_allows(
    room: WindowRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for desktop, size in (((1366, 768), (1350, 680)), ((3840, 2160), SIZE), ((9, 9), LEAST)):
        told = SimpleNamespace(current_w=desktop[0], current_h=desktop[1])
        monkeypatch.setattr(pygame.display, "Info", lambda one=told: one)
        window = SimulatorWindow(room.table)
        assert pygame.display.get_surface().get_size() == size
        window.close()


def test_the_held_checker_is_drawn_at_the_pointer(room: WindowRoom) -> None:
    stage = set_stage(SIZE, BOARD)
    room.table.take(room.now, TWO)
    shapes = draw_held(stage, room.table, (333, 222))
    assert {shape.centre for shape in shapes if isinstance(shape, Disc)} == {(333, 222)}
    room.table.put(room.now, TWO)
    assert draw_held(stage, room.table, (333, 222)) == ()


@pytest.fixture
def window(room: WindowRoom, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatorWindow]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = SimulatorWindow(room.table, SIZE)
    window.poll(room.now)
    yield window
    window.close()


def _ignore(event: Event) -> None:
    """A port without a listener."""


def press_key(code: int, letter: str = "") -> None:
    send(pygame.KEYDOWN, key=code, unicode=letter, mod=0)


def test_f1_lists_the_keys_and_whatever_comes_next_only_closes_the_list(
    room: WindowRoom, window: SimulatorWindow
) -> None:
    window.draw(())
    plain = pygame.image.tostring(pygame.display.get_surface(), "RGB")
    for code, letter in ((pygame.K_F1, ""), (pygame.K_b, "b"), (pygame.K_ESCAPE, "")):
        press_key(pygame.K_F1)
        assert window.poll(room.now) == ()
        assert pygame.image.tostring(pygame.display.get_surface(), "RGB") != plain
        press_key(code, letter)
        assert window.poll(room.now) == ()
        assert pygame.image.tostring(pygame.display.get_surface(), "RGB") == plain
    assert not room.table.button_down
    press_key(pygame.K_F1)
    screen = window.stage.screen
    send(pygame.MOUSEBUTTONDOWN, pos=screen.centre, button=1)
    assert window.poll(room.now) == ()
    send(pygame.MOUSEBUTTONDOWN, pos=screen.centre, button=1)
    assert window.poll(room.now) == (FingerDown(screen.w // 2, screen.h // 2),)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [*DESKTOPS, LEAST])
def test_the_help_fits_in_every_language(
    window: SimulatorWindow, size: tuple[int, int], language: str
) -> None:
    spoken, measure = load_language(language), window.fonts.measure
    stage = set_stage(size, BOARD)
    (line,) = draw_line(stage.help, measure, spoken)
    card, *rest = draw_keys(size, measure, spoken)
    assert isinstance(line, Text)
    assert stage.help.holds(line.rect)
    assert isinstance(card, Box)
    assert Rect(0, 0, *size).holds(card.rect)
    assert all(card.rect.holds(shape.rect) for shape in rest if isinstance(shape, Box | Text))


def send(kind: int, **values: object) -> None:
    pygame.event.post(pygame.event.Event(kind, **values))


def test_the_mouse_carries_a_checker(room: WindowRoom, window: SimulatorWindow) -> None:
    stage = set_stage(SIZE, BOARD)
    start, end = (stage.centre(BOARD.place(spot)) for spot in (TWO, FOUR))
    send(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
    send(pygame.MOUSEMOTION, pos=end, rel=(0, 0), buttons=(1, 0, 0))
    send(pygame.MOUSEBUTTONUP, pos=end, button=1)
    assert window.poll(room.now) == ()
    room.wait(50)
    assert room.closed == "1456"


def test_touches_within_the_screen_are_the_products_own(
    room: WindowRoom, window: SimulatorWindow
) -> None:
    screen = set_stage(SIZE, BOARD).screen
    send(pygame.MOUSEBUTTONDOWN, pos=(screen.x + 7, screen.y + 9), button=1)
    send(pygame.KEYDOWN, key=pygame.K_b, unicode="b", mod=0)
    assert window.poll(room.now) == (FingerDown(7, 9), KeyPress("", "b"))
    assert room.table.button_down
    assert window.size == (screen.w, screen.h)


def test_letters_are_the_products_while_it_types(room: WindowRoom, window: SimulatorWindow) -> None:
    window.typing = True
    send(pygame.KEYDOWN, key=pygame.K_b, unicode="b", mod=0)
    assert window.poll(room.now) == (KeyPress("", "b"),)
    assert not room.table.button_down


def test_the_window_shows_the_board(room: WindowRoom, window: SimulatorWindow) -> None:
    stage = set_stage(SIZE, BOARD)
    window.draw(())
    x, y = stage.centre(BOARD.place(TWO))
    before = pygame.display.get_surface().get_at((x + 4, y + 4))[:3]
    send(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1)
    send(pygame.MOUSEMOTION, pos=(10, 10), rel=(0, 0), buttons=(1, 0, 0))
    window.poll(room.now)
    assert pygame.display.get_surface().get_at((x + 4, y + 4))[:3] != before
    assert Sensor("2") not in room.gpio.picture().closed


def test_a_picture_of_the_oled_like_the_last_paints_nothing(
    room: WindowRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = SimulatorWindow(room.table, SIZE)
    flips: list[None] = []
    monkeypatch.setattr(pygame.display, "flip", lambda: flips.append(None))
    dark, lit = Image.new("1", (128, 64)), Image.new("1", (128, 64), 1)
    for picture in (dark, lit, lit.copy(), lit, dark):
        window.show(picture)
    assert len(flips) == 2
    window.close()


def test_a_long_press_is_as_long_as_the_settings_say_on_the_keyboard_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    settings = Settings(times=TimesSettings(long_press_ms=400))
    opened = SimulatedRoom(open_simulated, BOARD, MatchClock(), _ignore, timing_of(settings))
    source, window = opened.source, opened.window
    window.poll(ms(0))
    fields = {"key": pygame.K_d, "unicode": "d", "mod": 0, "scancode": 0}
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, fields))
    window.poll(ms(1000))
    assert window.poll(ms(1399)) == ()
    assert window.poll(ms(1400)) == (KeyPress("hold d"),)
    window.close()
    source.close()
