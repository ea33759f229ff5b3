"""Large simulated boards under the mouse: places, stacks, trays, towns, several games."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from known import GAMES, load_board
from scenes import view_in
from spots import spots

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import open_factory
from pi_app.referee.events import Event, Start
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.contract import Games
from pi_app.rules.terms import Side, Spot
from pi_app.screen.canvas import Disc, Text, around
from pi_app.sensing.description import Board, Place, Sensor
from pi_app.simulator.drawing import draw_checkers, draw_stage
from pi_app.simulator.reeds import NONE, Faults
from pi_app.simulator.source import open_simulated
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window_layout import SIZE, set_stage

TABLES, CANNON = load_board("tables-24"), load_board("cannon-10")
BOARDS = [TABLES, load_board("tables-24-thrifty"), CANNON]


class ScannerRoom:
    """A simulated table on a simulated scanner, in virtual time."""

    def __init__(self, board: Board, faults: Faults = NONE) -> None:
        self.now = Us(0)
        factory, events = open_factory("mock"), list[Event]()
        devices = open_simulated(board, factory, lambda: self.now, events.append)
        self.source = devices.source
        self.table = SimulatedTable(board, factory, random.Random(1), faults, devices.drive_cell)
        self.wait(100)

    def wait(self, time_ms: int) -> None:
        for _ in range(time_ms):
            self.now = Us(self.now + ms(1))
            self.table.advance(self.now)
            self.source.advance(self.now)

    def drag(self, origin: str, target: str) -> None:
        """From a place to a place, or from and to a spot."""
        self.table.take(self.now, *_aim(origin))
        self.wait(30)
        self.table.put(self.now, *_aim(target))
        self.wait(30)

    def closed(self, spot: str) -> str:
        """The numbers of the closed places of a spot."""
        found = (s for s in self.source.picture().closed if s.rpartition(".")[0] == spot)
        return "".join(sorted(sensor.rpartition(".")[2] for sensor in found))


def _aim(name: str) -> tuple[Spot, Sensor | None]:
    spot, dot, number = name.rpartition(".")
    return (Spot.read(spot), Sensor(name)) if dot and number.isdigit() else (Spot.read(name), None)


def test_a_checker_is_taken_from_its_place_and_set_down_at_the_nearest_free_one() -> None:
    room = ScannerRoom(TABLES)
    room.drag("13.2", "8.1")
    assert (room.closed("13"), room.closed("8")) == ("1345", "1234")
    room.drag("13.5", "10.4")
    assert (room.closed("13"), room.closed("10")) == ("134", "4")


def test_above_the_last_place_checkers_lie_on_top_and_are_taken_first() -> None:
    room = ScannerRoom(TABLES)
    room.drag("8.3", "6.1")
    assert (room.closed("6"), room.closed("8")) == ("12345", "12")
    assert len(room.table.checkers.on_top(Spot.read("6"))) == 1
    room.drag("6.2", "8.3")
    assert (room.closed("6"), room.closed("8")) == ("12345", "123")
    assert room.table.checkers.on_top(Spot.read("6")) == ()


def test_a_hit_checker_goes_to_the_bar_and_a_borne_off_one_to_its_tray() -> None:
    room = ScannerRoom(TABLES)
    room.drag("24.1", "bar.white.2")
    room.drag("1.2", "off.black")
    assert (room.closed("bar.white"), room.closed("1")) == ("2", "1")
    assert room.table.checkers.at(Spot.read("off.black")) == (Side.BLACK,)


def test_a_dragged_checker_closes_the_free_places_it_passes_and_no_others() -> None:
    room, seen = ScannerRoom(TABLES), []
    room.table.take(room.now, Spot.read("8"), Sensor("8.3"))
    for over in ("7.3", "6.3", "5.3"):
        room.table.hover(room.now, *_aim(over))
        room.wait(20)
        seen.append((room.closed("7"), room.closed("6"), room.closed("5")))
    assert seen == [("3", "12345", ""), ("", "12345", ""), ("", "12345", "3")]


def begun(board: Board, game: str, players: tuple[str, str] = ("Ada", "Ben")) -> View:
    """The first view of a match."""
    return Referee(board, Start(Us(0), game, board.name, 3, players, {})).view


def test_a_match_that_begins_has_its_checkers_set_out() -> None:
    room = ScannerRoom(TABLES)
    heights = []
    for game in ("backgammon", "portes", "pin", "backgammon"):
        room.table.follow(room.now, begun(TABLES, game))
        room.wait(30)
        heights.append(len(room.table.checkers.at(Spot.read("24"))))
    assert heights == [2, 2, 15, 2]


def test_a_match_that_is_gone_on_with_has_its_checkers_as_it_was_left() -> None:
    room, view = ScannerRoom(TABLES), view_in("backgammon-bearing-off")
    room.table.follow(room.now, view)
    room.wait(30)
    lying = {spot: room.table.checkers.at(spot) for spot in view.accepted}
    assert {spot: sorted(map(str, on)) for spot, on in lying.items()} == {
        spot: sorted(map(str, on)) for spot, on in view.accepted.items()
    }
    assert room.source.picture().closed == TABLES.closed_by(view.accepted)


def test_in_a_match_nothing_is_set_out_unasked() -> None:
    room, view = ScannerRoom(TABLES), begun(TABLES, "backgammon")
    room.table.follow(room.now, view)
    room.drag("24.1", "23.1")
    room.table.follow(room.now, replace(view, us=room.now))
    room.wait(30)
    assert (room.closed("24"), room.closed("23")) == ("2", "1")
    room.table.set_out(room.now)
    room.wait(30)
    assert (room.closed("24"), room.closed("23")) == ("12", "")


def test_the_next_game_may_have_fewer_checkers() -> None:
    trays = tuple(
        Place(spot, (486.0, 190.0), (), None)
        for spot in spots("home.white home.black safety.white safety.black")
    )
    served = Games(GAMES[name] for name in ("backgammon", "nannon"))
    board = replace(TABLES, games=served, places=(*TABLES.places, *trays))
    room = ScannerRoom(board)
    totals = []
    for game in ("backgammon", "nannon", "backgammon"):
        room.table.follow(room.now, begun(board, game))
        room.wait(30)
        checkers = room.table.checkers
        lying = {spot: len(checkers.at(spot)) for spot in checkers.spots}
        totals.append([sum(lying.values()), lying[Spot.read("home.white")], room.closed("24")])
    assert totals == [[30, 0, "12"], [6, 1, ""], [30, 0, "12"]]


def test_a_town_is_dragged_as_one_piece_and_no_point_holds_two() -> None:
    room = ScannerRoom(CANNON)
    room.drag("off.white", "e10")
    assert room.table.checkers.at(Spot.read("e10")) == (Side.WHITE, Side.WHITE)
    room.drag("b7", "e10")
    assert room.table.checkers.at(Spot.read("b7")) == (Side.WHITE,)
    assert {"e10", "b7"} <= room.source.picture().closed


def test_one_deaf_place_is_nudged() -> None:
    room = ScannerRoom(TABLES, Faults(miss=1.0))
    assert room.closed("13") == ""
    assert Sensor("13.2") in room.table.lying
    room.table.nudge(room.now, Spot.read("13"), Sensor("13.2"))
    room.wait(30)
    assert room.closed("13") == "2"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
@pytest.mark.parametrize("size", [SIZE, (800, 600), (1280, 720), (1366, 768), (1024, 768)])
def test_every_place_can_be_aimed_at(board: Board, size: tuple[int, int]) -> None:
    stage = set_stage(size, board)
    for place in board.places:
        for reed in place.reeds:
            assert stage.aim(*stage.at(reed.at)) == (place.spot, reed.name)
        if not place.reeds:
            assert stage.aim(*stage.tray(place).centre) == (place.spot, None)


def test_between_the_places_of_a_point_the_nearest_is_meant() -> None:
    stage = set_stage((1600, 900), TABLES)
    place = TABLES.place(Spot.read("6"))
    (x, first), (_, second) = (stage.at(reed.at) for reed in place.reeds[:2])
    just_nearer = (first + second) // 2 + (1 if first > second else -1)
    assert stage.aim(x + stage.radius - 1, just_nearer) == (Spot.read("6"), "6.1")
    beyond = stage.at(place.reeds[-1].at)[1] - stage.radius - 2
    assert stage.aim(x, beyond) == (Spot.read("6"), "6.5")


def test_the_mouse_carries_a_checker_from_place_to_place(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame = pytest.importorskip("pygame")
    window_module = pytest.importorskip("pi_app.simulator.window")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    room, stage = ScannerRoom(TABLES), set_stage(SIZE, TABLES)
    window = window_module.SimulatorWindow(room.table, SIZE)
    window.poll(room.now)
    at = {str(reed.name): stage.at(reed.at) for place in TABLES.places for reed in place.reeds}
    down, move, up = pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP
    pygame.event.post(pygame.event.Event(down, pos=at["13.2"], button=1))
    pygame.event.post(pygame.event.Event(move, pos=at["10.3"], rel=(0, 0), buttons=(1, 0, 0)))
    pygame.event.post(pygame.event.Event(up, pos=at["10.3"], button=1))
    window.poll(room.now)
    window.draw(())
    window.close()
    room.wait(30)
    assert (room.closed("13"), room.closed("10")) == ("1345", "3")


def width(text: str, size: int, _: bool) -> tuple[int, int]:
    return len(text) * size * 6 // 10, size


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
@pytest.mark.parametrize("size", [SIZE, (1920, 1080), (1280, 720), (1366, 768), (1024, 768)])
def test_the_board_is_drawn_within_its_frame(board: Board, size: tuple[int, int]) -> None:
    room, stage = ScannerRoom(board), set_stage(size, board)
    texts = [s for s in draw_stage(stage, room.table, width) if isinstance(s, Text)]
    assert len(texts) >= 20
    assert all(stage.table.holds(text.rect) for text in texts)
    trays = [stage.tray(place) for place in board.places if not place.reeds]
    for number, tray in enumerate(trays):
        assert stage.table.inset(stage.rail).holds(tray)
        assert min(tray.w, tray.h) >= 2 * stage.radius
        assert not any(tray.overlaps(other) for other in trays[number + 1 :])
        assert not any(
            tray.contains(*stage.at(reed.at)) for place in board.places for reed in place.reeds
        )


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_what_lies_in_a_tray_is_drawn_in_it(board: Board) -> None:
    room, stage = ScannerRoom(board), set_stage((1280, 720), board)
    for origin in [str(place.reeds[0].name) for place in board.places if place.reeds]:
        room.table.take(room.now, *_aim(origin))
        if room.table.in_hand and room.table.in_hand.side is Side.WHITE:
            room.table.put(room.now, Spot.read("off.white"))
        room.table.put(room.now, None)
    tray = stage.tray(board.place(Spot.read("off.white")))
    drawn = [s for s in draw_checkers(stage, room.table, width) if isinstance(s, Disc)]
    within = [s for s in drawn if tray.contains(*s.centre) and s.radius == stage.radius]
    count = len(room.table.checkers.on_top(Spot.read("off.white")))
    assert count >= 4
    assert len(within) >= count - 1  # a town is no disc
    assert all(tray.holds(around(disc.centre, disc.radius)) for disc in within)


def test_what_lies_on_top_is_counted() -> None:
    room = ScannerRoom(TABLES)
    room.drag("8.3", "6.1")
    room.drag("8.2", "6.1")
    shapes = draw_checkers(set_stage(SIZE, TABLES), room.table, width)
    assert "+2" in {shape.text for shape in shapes if isinstance(shape, Text)}
