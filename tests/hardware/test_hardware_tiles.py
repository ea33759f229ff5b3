"""The tiles of A3: laid cross upon cross they are the whole sheet again."""

from __future__ import annotations

from itertools import product

import pytest
from known import load_board
from workshop import BOARDS, NEAR_MM, PaperRead, drawing, near, reed_middles

from hardware.make.__main__ import HERE
from hardware.make.shapes import Anchor, Circle, Layer, Lettering, Path, frame
from hardware.make.tiles import TileWindow, clipped

TILED = [name for name in BOARDS if (HERE / name / "tiles").is_dir()]
CROSS_RADIUS = 1.25
WINDOW = TileWindow("a1", (0.0, 0.0), (10.0, 10.0))


def crosses(sheet: PaperRead) -> list[tuple[float, float]]:
    rings = [r for r in sheet.rings if r.layer == "mark" and r.radius == CROSS_RADIUS]
    return sorted(ring.middle for ring in rings)


def tile(name: str, of: str) -> PaperRead:
    return drawing(f"{name}/tiles/{of}.svg")


def beside(one: PaperRead, other: PaperRead, axis: int) -> tuple[float, float]:
    """How far a tile is to be moved to lie on the one before it, by the crosses that both have."""
    last = max(at[axis] for at in crosses(one))
    first = min(at[axis] for at in crosses(other))
    mine = sorted(at for at in crosses(one) if abs(at[axis] - last) < NEAR_MM)
    its = sorted(at for at in crosses(other) if abs(at[axis] - first) < NEAR_MM)
    moves = {(round(a[0] - b[0], 2), round(a[1] - b[1], 2)) for a, b in zip(mine, its, strict=True)}
    assert len(mine) == 3
    assert len(moves) == 1
    return moves.pop()


def test_the_large_boards_have_tiles_and_the_small_one_needs_none() -> None:
    assert TILED == ["cannon-10", "tables-24", "tables-24-thrifty"]
    for name, sheet, of in product(TILED, ("top", "carrier"), ("a1", "a2", "b1", "b2")):
        assert tile(name, f"{sheet}-{of}").paper == (420, 297)


@pytest.mark.parametrize("name", TILED)
def test_laid_cross_upon_cross_every_slot_is_where_its_reed_is(name: str) -> None:
    sheets = {of: tile(name, f"carrier-{of}") for of in ("a1", "a2", "b1", "b2")}
    corner = min(at for cut in sheets["a1"].on("cut") for at in cut.points)
    moved = {"a1": (-corner[0], -corner[1])}
    for to, start, axis in (("a2", "a1", 0), ("b1", "a1", 1), ("b2", "b1", 0)):
        by = beside(sheets[start], sheets[to], axis)
        moved[to] = (moved[start][0] + by[0], moved[start][1] + by[1])
    slots = [
        (hole.middle[0] + moved[of][0], hole.middle[1] + moved[of][1])
        for of, sheet in sheets.items()
        for hole in sheet.on("hole")
        if hole.closed
    ]
    board = load_board(name)
    middles = [(board.size[0] - x, y) for _, (x, y) in reed_middles(board)]  # from below
    assert [at for at in middles if not any(_near(at, slot) for slot in slots)] == []
    assert [slot for slot in slots if not any(_near(at, slot) for at in middles)] == []
    far = max(
        (at[0] + moved["b2"][0], at[1] + moved["b2"][1])
        for cut in sheets["b2"].on("cut")
        for at in cut.points
    )
    assert far == pytest.approx(board.size, abs=0.02)


def _near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return near(one, other) or max(abs(one[0] - other[0]), abs(one[1] - other[1])) < 0.02


def test_lines_are_cut_at_the_edge_and_outlines_opened() -> None:
    crossing = Path(Layer.ENGRAVE, ((-5.0, 5.0), (15.0, 5.0)))
    assert list(clipped([crossing], WINDOW)) == [Path(Layer.ENGRAVE, ((0.0, 5.0), (10.0, 5.0)))]
    (corner,) = clipped([frame(Layer.CUT, (5.0, 5.0), (20.0, 20.0))], WINDOW)
    assert isinstance(corner, Path)
    assert not corner.closed
    assert set(corner.points) == {(5.0, 5.0), (10.0, 5.0), (5.0, 10.0)}
    outside = Path(Layer.ENGRAVE, ((11.0, 0.0), (11.0, 10.0)))
    assert list(clipped([outside], WINDOW)) == []


def test_areas_stay_closed_and_circles_and_words_stay_whole_or_go() -> None:
    (area,) = clipped([frame(Layer.FILL, (5.0, -5.0), (20.0, 8.0))], WINDOW)
    assert isinstance(area, Path)
    assert area.closed
    assert set(area.points) == {(5.0, 0.0), (10.0, 0.0), (10.0, 3.0), (5.0, 3.0)}
    whole, half = Circle(Layer.HOLE, (5.0, 5.0), 2.0), Circle(Layer.HOLE, (10.0, 5.0), 2.0)
    assert list(clipped([whole], WINDOW)) == [whole]
    (arc,) = clipped([half], WINDOW)
    assert isinstance(arc, Path)
    assert max(x for x, _ in arc.points) == 10.0
    assert min(x for x, _ in arc.points) == pytest.approx(8.0, abs=0.01)
    word = Lettering(Layer.MARK, (5.0, 5.0), "e4", 2.0, Anchor.MIDDLE)
    out = Lettering(Layer.MARK, (9.5, 5.0), "e4", 2.0)
    assert list(clipped([word, out], WINDOW)) == [word]
