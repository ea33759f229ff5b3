"""The magnets: the model against others' figures, and what it says of our boards, old and new."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from math import cos, dist, pi, sin, sqrt
from pathlib import Path

import pytest
from known import load_board
from workshop import BOARDS, Outline, PaperRead, committed, drawing, parts

from hardware.make.__main__ import BOARDS as DESCRIPTIONS
from hardware.make.__main__ import main
from hardware.make.contours import contours
from hardware.make.magnetics import (
    COIL_MM,
    FINE,
    BentReed,
    DiscMagnet,
    Spatial,
    charges,
    coil_share,
    drive,
    force,
    left_by_cutting,
)
from hardware.make.parts import Parts
from hardware.make.reach import REED_RULES, SPARE, MagnetRule, reached
from pi_app.sensing.description import Board

BEFORE = Path(__file__).with_name("before")
OLD_BOARDS = sorted(path.stem for path in BEFORE.glob("*.toml"))

LARGE, SMALL, THIN = DiscMagnet(10, 3, 1.30), DiscMagnet(6, 2, 1.19), DiscMagnet(10, 1, 1.19)
TINY, CHOSEN = DiscMagnet(5, 1, 1.19), DiscMagnet(6, 1, 1.42)
UNCUT = BentReed(20.0, 10.2, 40.4)
BENT = BentReed(13.6, 4.5, 35.8)
OLD_HEIGHT = 0.7 + 3.0 + 0.9


def old_parts() -> Parts:
    """The former magnets and reeds: 10 × 3 mm, N42, in 9 mm; long reeds, 3 mm of wood."""
    now = parts()
    return replace(
        now,
        measures=replace(
            now.measures,
            top=3.0,
            carrier=4.0,
            glass=(12.7, 1.8),
            lead=0.5,
            leads=40.4,
            bend=3.15,
            leg=10.2,
            checker_layers=3,
            felt=0.7,
            magnet=(10.0, 3.0),
        ),
        magnetics=replace(now.magnetics, remanence_least=1.28, remanence_most=1.32, pull_in=20.0),
    )


def old_board(name: str) -> Board:
    return load_board(str(BEFORE / f"{name}.toml"))


# The model


@pytest.mark.parametrize(
    ("magnet", "away", "axis", "millinewtons"),
    [
        (LARGE, (0, 0, 9.7), 2, -1707.02),  # magpylib 6.2, getFT with a mesh of 20 000
        (LARGE, (31, 0, 0), 0, 21.0967),
        (LARGE, (7, 0, 12), 0, -440.543),
        (LARGE, (7, 0, 12), 2, -346.498),
        (CHOSEN, (0, 0, 12.5), 2, -19.4845),
        (TINY, (0, 0, 9.7), 2, -17.6438),
        (TINY, (31, 0, 0), 0, 0.114958),
        (LARGE, (0, 0, 12.7), 2, -780),  # what was computed before, to its figures
        (LARGE, (0, 0, 15.7), 2, -400),
        (LARGE, (26, 0, 0), 0, 44.4),
        (LARGE, (32, 0, 0), 0, 18.5),
        (LARGE, (35, 0, 0), 0, 12.7),
        (SMALL, (0, 0, 12.7), 2, -53),
    ],
)
def test_forces_are_those_that_others_computed(
    magnet: DiscMagnet, away: tuple[float, float, float], axis: int, millinewtons: float
) -> None:
    exact = 0.001 if millinewtons != round(millinewtons, 1) else 0.01
    assert force(magnet, magnet, Spatial(*away))[axis] * 1000 == pytest.approx(
        millinewtons, rel=exact
    )


def flux(magnet: DiscMagnet, at: tuple[float, float, float]) -> tuple[float, ...]:
    """The flux density in millitesla, summed over a magnet's points; its pole up as magpylib's."""
    found = [0.0, 0.0, 0.0]
    for *place, poles in charges(magnet.diameter, magnet.thickness, *FINE):
        away = [a - p for a, p in zip(at, place, strict=True)]
        for axis in range(3):
            found[axis] -= 0.1 * poles * away[axis] / dist((0, 0, 0), away) ** 3 * 1e3
    return tuple(magnet.remanence * part for part in found)


@pytest.mark.parametrize(
    ("magnet", "at", "millitesla"),
    [
        (CHOSEN, (0, 0, -3.7), (0.0, 0.0, 46.978)),  # magpylib 6.2, getB
        (CHOSEN, (5.5, 0, -3.7), (-14.1956, 0.0, 3.2904)),
        (CHOSEN, (20, 5, -4.6), (-0.23353, -0.058382, -0.279191)),
        (CHOSEN, (37, 0, -3.7), (-0.021042, 0.0, -0.059898)),
        (LARGE, (20, 5, -4.6), (-2.088926, -0.522231, -1.894241)),
    ],
)
def test_the_field_is_that_of_the_exact_solution(
    magnet: DiscMagnet, at: tuple[float, float, float], millitesla: tuple[float, ...]
) -> None:
    assert flux(magnet, at) == pytest.approx(millitesla, abs=0.003 * dist((0, 0, 0), millitesla))


def test_the_field_on_the_axis_is_the_text_books() -> None:
    for magnet in (LARGE, SMALL, CHOSEN):
        radius, thick = magnet.diameter / 2, magnet.thickness
        for away in (magnet.diameter, 30.0):
            near, far = away / sqrt(away**2 + radius**2), away + thick
            whole = magnet.remanence / 2 * (far / sqrt(far**2 + radius**2) - near)
            assert flux(magnet, (0, 0, -away))[2] == pytest.approx(whole * 1e3, rel=0.002)


def test_far_off_magnets_are_dipoles() -> None:
    """3 μ₀ m² / (2 π r⁴) along the axis, half of that and away from each other beside it."""
    moment = SMALL.remanence / (4e-7 * pi) * SMALL.volume * 1e-9
    limit = 3 * 4e-7 * pi * moment**2 / (2 * pi * 0.2**4)
    assert force(SMALL, SMALL, Spatial(0, 0, 200)).z == pytest.approx(-limit, rel=0.002)
    assert force(SMALL, SMALL, Spatial(200, 0, 0)).x == pytest.approx(limit / 2, rel=0.002)


@pytest.mark.parametrize(
    ("magnet", "along", "aside", "height", "ampere_turns"),
    [
        (CHOSEN, -5.5, 0.0, 3.4, 79.040),
        (CHOSEN, -2.5, 0.0, 3.7, 49.586),
        (CHOSEN, -5.5, 3.0, 3.7, 49.680),
        (CHOSEN, 31.5, 0.0, 3.7, -0.50596),
        (CHOSEN, 31.5, 37.0, 16.2, -0.13127),
        (LARGE, -6.0, 0.0, 4.6, 244.505),
        (LARGE, 25.0, 0.0, 4.6, -28.547),
    ],
)
def test_the_drive_is_the_field_along_the_reed_weighted_towards_its_gap(
    magnet: DiscMagnet, along: float, aside: float, height: float, ampere_turns: float
) -> None:
    """The mean of the potential along a blade is the field along it, weighted from 1 at the gap to
    0 at the foot: so integrated, over 8 000 points of magpylib's field, once.
    """
    reed = UNCUT if magnet is LARGE else BENT
    told = drive(magnet, reed, along, aside, height)
    assert told == pytest.approx(ampere_turns, rel=0.005)


def test_ampere_turns_are_those_of_the_coil_around_an_uncut_reed() -> None:
    """A coil of one ampere-turn has 1 A along its length, at every place by the blades' weight."""
    reed = BentReed(35.8, 0.1, 36.0)
    steps = 2000
    middles = [COIL_MM / 2 * (step + 0.5) / steps for step in range(steps)]
    taken = 2 * sum((1 - at / 18.0) * COIL_MM / 2 / steps for at in middles) / COIL_MM
    assert coil_share(reed) == pytest.approx(taken, rel=1e-4)
    assert left_by_cutting(reed) == pytest.approx(1.0, abs=0.001)
    cut = [left_by_cutting(BentReed(13.6, leg, 35.8)) for leg in (11.1, 8.0, 4.5, 2.0)]
    assert cut == sorted(cut, reverse=True)
    assert cut[-1] > 0.6


@pytest.mark.parametrize(
    ("magnet", "own", "beside", "neighbours"),
    [(LARGE, 250, None, (19, 33)), (SMALL, 76, 19, (5, 7)), (THIN, 95, None, (7, 10))],
)
def test_drives_are_those_computed_before_within_a_fifth(
    magnet: DiscMagnet, own: float, beside: float | None, neighbours: tuple[float, float]
) -> None:
    """6 mm offset, 3 mm of wood, leads uncut; neighbours in the reed's direction at 31 to 33 mm."""

    def at(x: float, y: float = 0.0) -> float:
        return abs(drive(magnet, UNCUT, x - 6.0, y, OLD_HEIGHT))

    assert at(0) == pytest.approx(own, rel=0.05)
    if beside:
        assert min(at(5), at(-5), at(0, 5)) == pytest.approx(beside, rel=0.2)
    low, high = neighbours
    assert 0.8 * low <= at(33) <= at(31) <= 1.05 * high
    assert at(0, 31) <= 2


def test_a_reed_right_below_a_magnet_feels_nothing_and_its_halves_feel_alike() -> None:
    assert drive(CHOSEN, BENT, 0.0, 2.0, 3.4) == pytest.approx(0, abs=1e-9)
    assert drive(CHOSEN, BENT, 5.5, 0.0, 3.4) == pytest.approx(-drive(CHOSEN, BENT, -5.5, 0.0, 3.4))


# Our boards


@pytest.mark.parametrize("name", BOARDS)
def test_every_board_meets_every_demand_with_half_as_much_to_spare(name: str) -> None:
    found = reached(load_board(name), parts())
    assert tuple(demand.rule for demand in found.demands) == REED_RULES
    assert {d.rule: d.spare for d in found.demands if d.spare < SPARE} == {}


@pytest.mark.parametrize("name", OLD_BOARDS)
def test_the_boards_of_before_fail_and_each_for_what_was_wrong(name: str) -> None:
    """Their own magnets closed their reeds; all else was wrong, but in a row across the reeds."""
    found = reached(old_board(name), old_parts())
    failed = {demand.rule for demand in found.demands if demand.spare < 1}
    assert failed == set(REED_RULES) - {MagnetRule.OWN}
    assert found.of(MagnetRule.OWN).spare > 2 or name.startswith("tables")
    assert found.of(MagnetRule.STACKED).value == pytest.approx(1.71 * (1.32 / 1.30) ** 2, rel=0.01)
    assert found.of(MagnetRule.STACKED).limit == pytest.approx(0.049, rel=0.05)
    assert found.of(MagnetRule.PUSH).value > 0.044
    nearest = found.of(MagnetRule.NEXT).value
    assert nearest < 3 if name == "nannon-6" else nearest > 30


@pytest.mark.parametrize("name", OLD_BOARDS)
def test_a_board_built_before_runs_on_with_its_old_description(name: str) -> None:
    before, now = old_board(name), load_board(name)
    assert list(BOARDS) == OLD_BOARDS
    assert (before.pins, before.cells, before.spot_of) == (now.pins, now.cells, now.spot_of)
    assert [p.light for p in before.places] == [p.light for p in now.places]
    assert (before.buttons, before.buzzer, before.scanner) == (
        now.buttons,
        now.buzzer,
        now.scanner,
    )


def test_a_stronger_magnet_a_deeper_reed_and_a_tighter_pitch_are_worse_where_they_must() -> None:
    board, known = load_board("nannon-6"), parts()
    now = reached(board, known)
    stronger = reached(board, replace(known, measures=replace(known.measures, magnet=(6.0, 2.0))))
    assert stronger.of(MagnetRule.OWN).spare > now.of(MagnetRule.OWN).spare
    assert stronger.of(MagnetRule.STACKED).spare < 1
    deeper = reached(board, replace(known, measures=replace(known.measures, top=3.0)))
    assert deeper.of(MagnetRule.OWN).spare < now.of(MagnetRule.OWN).spare
    legs = reached(board, replace(known, measures=replace(known.measures, leg=11.4)))
    assert legs.of(MagnetRule.ALL).spare < now.of(MagnetRule.ALL).spare


N35 = {"remanence_least": 1.17, "remanence_most": 1.22}
N42 = {"remanence_least": 1.28, "remanence_most": 1.32}
N52 = {"remanence_least": 1.42, "remanence_most": 1.48}
TRIED: dict[str, tuple[dict[str, object], dict[str, float]]] = {
    "**as chosen**": ({}, {}),
    "N35 instead of N48": ({}, N35),
    "N52": ({}, N52),
    "5 × 2 mm, N35": ({"magnet": (5.0, 2.0)}, N35),
    "8 × 1 mm, N35": ({"magnet": (8.0, 1.0)}, N35),
    "10 × 3 mm, N42": ({"magnet": (10.0, 3.0)}, N42),
    "Littelfuse MDSR-10, 10–15 AT": ({"glass": (10.16, 1.8), "lead": 0.43, "leads": 40.38}, {}),
    "Littelfuse MDSR-7, 10–15 AT": ({"glass": (12.7, 1.8), "lead": 0.47, "leads": 40.38}, {}),
    "reeds of 15–20 AT": ({}, {"pull_in": 20.0}),
    "legs not cut (11.4 mm)": ({"leg": 11.4}, {}),
    "legs of 3 mm": ({"leg": 3.0}, {}),
    "3 mm of wood": ({"top": 3.0}, {}),
    "a checker of three layers, 9 mm": ({"checker_layers": 3}, {}),
}


@pytest.mark.slow
def test_what_the_decision_says_of_other_magnets_and_reeds_is_what_the_model_says() -> None:
    board, known = load_board("tables-24"), parts()
    row = re.compile(r"^\| ([^|]+) \| (\d+\.\d\d) \| (\d+\.\d\d) \| (\d+\.\d\d) \|$", re.MULTILINE)
    told = {name: figures for name, *figures in row.findall(committed("decisions/magnet.md"))}
    computed = {}
    for name, (lengths, others) in TRIED.items():
        tried = replace(
            known,
            measures=replace(known.measures, **lengths),  # type: ignore[arg-type]
            magnetics=replace(known.magnetics, **others),
        )
        found = reached(board, tried)
        rules = (MagnetRule.OWN, MagnetRule.ALL, MagnetRule.STACKED)
        computed[name] = [f"{found.of(rule).spare:.2f}" for rule in rules]
    assert told == computed


# The pages and the command


@pytest.mark.parametrize("name", BOARDS)
def test_the_page_has_the_figures_of_the_model(name: str) -> None:
    found, page = reached(load_board(name), parts()), committed(f"{name}/README.md")
    assert f"All is met {found.spare:.2f} times over." in page
    for demand in found.demands:
        value = f"{demand.value:.2f} AT" if demand.limit > 1 else f"{demand.value * 1000:.1f} mN"
        if demand.rule is MagnetRule.OWN:
            value = f"{demand.value:.1f} AT"
        assert f" | {value} | " in page


def test_a_measured_reed_goes_into_the_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ["--board", str(DESCRIPTIONS / "nannon-6.toml"), "--into", str(tmp_path)]
    assert main(["--reed", "17", *own]) == 0
    assert "nannon-6: All is met 1.38 times over." in capsys.readouterr().out
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "reeds that close at 17 AT at most" in page
    assert "at least 34 AT" in page


def test_a_board_that_cannot_work_is_not_drawn_unless_one_insists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ["--board", str(BEFORE / "nannon-6.toml"), "--into", str(tmp_path), "--reed", "25"]
    assert main(own) == 1
    assert "nannon-6: This board does not work: a reed's own magnet" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main([*own, "--anyway"]) == 0
    assert "This board does not work" in (tmp_path / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", ["deaf", "0", "nan", "1e9"])
def test_a_pull_in_that_is_none_is_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--reed", words])
    assert f"{words!r} is no pull-in" in capsys.readouterr().err


# The picture


def test_curves_of_one_height_go_round() -> None:
    """The contour of x² + y² is a circle, that of x · y has two branches."""
    grid = range(-12, 13)
    (circle,) = contours({(i, j): float(i * i + j * j) for i in grid for j in grid}, 50.0)
    assert circle[0] == circle[-1]
    assert {round(dist((0, 0), at), 1) for at in circle} <= {7.0, 7.1}
    branches = list(contours({(i, j): float(i * j) for i in grid for j in grid}, 20.0))
    assert len(branches) == 2
    for branch in branches:
        assert len({x > 0 for x, _ in branch}) == 1


def within(at: tuple[float, float], curve: Outline) -> bool:
    """Whether a point lies within a closed curve: a ray from it leaves once more than it enters."""
    (x, y), inside = at, False
    ring = [*curve.points, curve.points[0]]
    for (ax, ay), (bx, by) in pairwise(ring):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


@pytest.mark.parametrize("name", BOARDS)
def test_the_picture_shows_the_own_place_within_and_all_others_without(name: str) -> None:
    sheet = drawing(f"{name}/field.svg")
    blue = [curve for curve in sheet.on("row") if len(curve.points) > 2]
    orange = [curve for curve in sheet.on("column") if len(curve.points) > 2]
    assert len(blue) == len(orange) == 2
    places = [ring for ring in sheet.rings if ring.layer == "wire"]
    assert len(places) >= 4
    for place in places:
        rim = [
            (place.middle[0] + place.radius * cos(turn), place.middle[1] + place.radius * sin(turn))
            for turn in (2 * pi * step / 24 for step in range(24))
        ]
        own = any(within(place.middle, curve) for curve in blue)
        if own:
            assert any(all(within(at, curve) for at in rim) for curve in blue)
        else:
            assert not any(within(at, curve) for at in rim for curve in orange)
    assert sum(any(within(p.middle, curve) for curve in blue) for p in places) == 1


def test_the_picture_of_an_old_board_shows_what_was_wrong(tmp_path: Path) -> None:
    """The next place in the reed's direction lies within what holds the reed closed."""
    from hardware.make.field import field  # noqa: PLC0415
    from hardware.make.svg import to_svg  # noqa: PLC0415

    board, known = old_board("cannon-10"), old_parts()
    sheet = PaperRead(to_svg(field(board, known, reached(board, known))))
    orange = [curve for curve in sheet.on("column") if len(curve.points) > 2]
    places = [ring.middle for ring in sheet.rings if ring.layer == "wire"]
    assert sum(any(within(at, curve) for curve in orange) for at in places) > 1


# Sizes


@pytest.mark.parametrize("name", BOARDS)
def test_every_board_fits_the_laser_and_the_small_one_a_sheet_of_a4(name: str) -> None:
    wide, high = load_board(name).size
    assert (wide, high) <= (600, 400)
    assert high <= 400
    if name == "nannon-6":
        assert wide <= 280
        assert drawing("nannon-6/top.svg").paper == (297, 210)
        assert drawing("nannon-6/carrier.svg").paper == (297, 210)
    assert DESCRIPTIONS.joinpath(f"{name}.toml").is_file()
