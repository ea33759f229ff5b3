"""Boards with Hall sensors: what the model says of their magnets, and of hands."""

from __future__ import annotations

import re
from dataclasses import replace
from math import hypot, sqrt
from random import Random

import pytest
from known import load_board
from workshop import BOARDS, CARD_BOARDS, HALL_BOARDS, committed, parts

from hardware.make import hands
from hardware.make.hall.demands import creep_of, hall_reached, hall_setup
from hardware.make.hall.hands import column_of, missed, radius, touching
from hardware.make.hall.pages import COUNT_MT, nominal
from hardware.make.hall.sixth import LevelModel, Scatter, outcomes
from hardware.make.hands_page import SIGMAS
from hardware.make.magnetics import DiscMagnet, flux
from hardware.make.parts import Parts, parts_for
from hardware.make.reach import SPARE, MagnetRule, reached
from pi_app.link.messages import HALL_OPERATE, HALL_RELEASE

STRIPS, SWITCHES = "tables-24-hall", "nannon-6-hall"


def changed(board: str, **values: object) -> Parts:
    """The parts with other measures of a board's sensors."""
    known, which = parts(), "hall_strip" if board == STRIPS else "hall_switch"
    return replace(known, **{which: replace(getattr(known, which), **values)})


def scaled(pair: tuple[float, float], by: float) -> tuple[float, float]:
    return pair[0] * by, pair[1] * by


@pytest.mark.parametrize(
    ("aside", "deep", "millitesla"),
    [
        (0.0, 3.7, 46.978),  # magpylib 6.2, getB, of 6 × 1 mm with 1.42 T
        (5.5, 3.7, 3.2904),
        (37.0, 3.7, -0.059898),
    ],
)
def test_the_field_at_a_sensor_is_that_of_the_exact_solution(
    aside: float, deep: float, millitesla: float
) -> None:
    assert flux(DiscMagnet(6, 1, 1.42), aside, deep) == pytest.approx(millitesla, rel=0.003)


def test_a_wide_disc_is_the_text_books_on_its_axis_and_a_dipole_far_off() -> None:
    disc = DiscMagnet(8, 1, 1.2)

    def on_axis(away: float) -> float:
        near, far = away / sqrt(away**2 + 16), (away + 1) / sqrt((away + 1) ** 2 + 16)
        return 600 * (far - near)

    for deep in (4.0, 5.8, 12.0):
        assert flux(disc, 0.0, deep) == pytest.approx(on_axis(deep), rel=0.005)
    moment = 1.2 * disc.volume / (4 * 3.14159265)  # over μ₀, in T·mm³
    assert flux(disc, 60.0, 0.5) == pytest.approx(-1e3 * moment / 60.0**3, rel=0.01)


@pytest.mark.parametrize("name", HALL_BOARDS)
def test_every_board_meets_every_demand_with_half_as_much_to_spare(name: str) -> None:
    found = hall_reached(load_board(name), parts())
    assert {demand.rule for demand in found.demands} == set(MagnetRule)
    assert {d.rule: d.spare for d in found.demands if d.spare < SPARE} == {}


@pytest.mark.parametrize("name", HALL_BOARDS)
def test_thresholds_half_or_twice_as_high_do_not_work(name: str) -> None:
    """Half: neighbours and the other pole pass for a checker. Twice: the own one is not felt."""
    board = load_board(name)
    hall = parts().hall_strip if name == STRIPS else parts().hall_switch
    low, high = (
        hall_reached(
            board,
            changed(name, operate=scaled(hall.operate, by), release=scaled(hall.release, by)),
        )
        for by in (0.5, 2.0)
    )
    failed = {demand.rule for demand in low.demands if demand.spare < 1}
    assert failed == {MagnetRule.ALL, MagnetRule.LOBE}
    assert high.of(MagnetRule.OWN).spare < 1
    assert high.of(MagnetRule.LOBE).spare > 3


def test_thresholds_are_whole_counts_of_the_converter_with_the_sensors_tolerance() -> None:
    hall = parts().hall_strip
    for bounds, counts in ((hall.operate, HALL_OPERATE), (hall.release, HALL_RELEASE)):
        assert nominal(bounds) / COUNT_MT == pytest.approx(counts, abs=0.1)
        least, most = (counts * COUNT_MT / (1 + way * 0.15) for way in (1, -1))
        assert bounds == pytest.approx((least, most), abs=0.01)


def test_beside_its_middle_a_magnet_turns_its_pole_and_deeper_it_does_less() -> None:
    board = load_board(STRIPS)
    found = hall_setup(board, parts())
    assert flux(found.strongest, 0.0, 5.5) > 0 > flux(found.strongest, 12.0, 5.5)
    shallow = hall_setup(board, changed(STRIPS, carrier=0.5, below=(1.8, 1.8)))
    assert shallow.lobe > 2 * found.lobe
    assert shallow.reach() == pytest.approx(found.reach(), abs=0.5)


def test_the_other_pole_is_why_the_small_board_has_a_thicker_top() -> None:
    thin = hall_reached(load_board(SWITCHES), changed(SWITCHES, top=2.0))
    assert thin.of(MagnetRule.LOBE).spare < 1 < thin.of(MagnetRule.OWN).spare


def test_a_magnet_of_half_its_strength_is_still_felt_near_its_middle() -> None:
    for name in HALL_BOARDS:
        found = hall_setup(load_board(name), parts())
        half = replace(found.weakest, remanence=found.weakest.remanence / 2)
        assert 1 < found.reach(half) < found.reach() < radius(found)


def test_the_reach_is_where_the_field_falls_below_what_the_deafest_sensor_needs() -> None:
    for name in HALL_BOARDS:
        found = hall_setup(load_board(name), parts())
        for magnet in (found.weakest, found.setup.weak):
            edge = found.reach(magnet)
            assert found.own(edge, magnet) >= found.hall.operate[1] > found.own(edge + 0.01, magnet)
        hopeless = replace(found.weakest, remanence=found.weakest.remanence / 50)
        assert found.reach(hopeless) == 0


def test_a_room_of_forty_kelvin_changes_nothing() -> None:
    """− 0.12 % a kelvin: what the model takes is within 3 % of a magnet at 20 °C."""
    found = hall_setup(load_board(STRIPS), parts())
    assert found.weakest.remanence / found.setup.weak.remanence == pytest.approx(0.976)
    assert found.strongest.remanence / found.setup.strong.remanence == pytest.approx(1.024)


def test_the_field_of_neighbours_is_that_of_eight_and_more_around() -> None:
    """One at 30 mm gives 0.15 to 0.25 mT; all together several times that, and piles add."""
    found = hall_reached(load_board(STRIPS), parts())
    next_, everything = found.of(MagnetRule.NEXT).value, found.of(MagnetRule.ALL).value
    assert 0.15 < next_ < 0.25
    assert 4 < (everything - parts().hall_strip.drift) / next_ < 9
    near = hall_setup(load_board(STRIPS), parts())
    assert next_ == pytest.approx(
        -flux(near.strongest, 30 - near.setup.shift - near.creep, near.depths[0]), rel=0.01
    )


@pytest.mark.parametrize("mixed", [False, True])
def test_piles_of_five_and_mixed_poles_keep_half_as_much_to_spare(mixed: bool) -> None:
    found = [hall_reached(load_board(STRIPS), parts(), high, mixed) for high in (1, 3, 5)]
    spares = [one.of(MagnetRule.ALL).spare for one in found]
    assert spares == sorted(spares, reverse=True)
    assert min(one.spare for one in found) >= SPARE
    same = hall_reached(load_board(STRIPS), parts(), 3, mixed=False)
    assert same.of(MagnetRule.ALL).spare >= found[1].of(MagnetRule.ALL).spare


# Columns and hands


@pytest.mark.parametrize("checkers", [2, 3, 4, 5])
@pytest.mark.parametrize("from_rail", [True, False])
def test_touching_columns_are_counted_from_either_end(checkers: int, from_rail: bool) -> None:
    assert touching(load_board(STRIPS), parts(), checkers, from_rail) == checkers


def test_with_reeds_a_touching_column_of_five_is_fewer() -> None:
    board = load_board("tables-24")
    driven = hands.pushed_together(board, parts(), reached(board, parts()), 5)
    assert hands.read(driven, parts().magnetics.pull_in) < 5


def test_smaller_checkers_on_the_same_places_are_not_counted_when_they_touch() -> None:
    """With 28 mm on places of 30 mm the fifth lies 8 mm beside its place."""
    board, small = load_board(STRIPS), changed(STRIPS, checker_gap=2.0)
    setup = hall_setup(board, small)
    assert creep_of(column_of(board), setup.setup.diameter) == pytest.approx(8.0)
    assert touching(board, small, 5) < 5
    assert hall_reached(board, small).of(MagnetRule.OWN).spare < 1


def test_what_is_missed_is_what_lies_beyond_the_radius_drawn_by_chance() -> None:
    """A hundred thousand hands of 2.5 mm, seed 1."""
    found, chance = hall_setup(load_board(STRIPS), parts()), Random(1)
    edge = radius(found)
    away = (hypot(chance.gauss(0, 2.5), chance.gauss(0, 2.5)) for _ in range(100_000))
    assert sum(one > edge for one in away) / 100_000 == pytest.approx(missed(found, 2.5), rel=0.05)


def test_hands_miss_a_sensor_as_often_as_a_reed_and_more_the_wider_they_scatter() -> None:
    found, reeds = (
        hall_setup(load_board(STRIPS), parts()),
        reached(load_board("tables-24"), parts()),
    )
    shares = [missed(found, sigma) for sigma in SIGMAS]
    assert shares == sorted(shares)
    for share, sigma in zip(shares, SIGMAS, strict=True):
        reed = hands.missed(reeds, parts().magnetics.pull_in, sigma)
        assert reed / 2 < share < 2 * reed


def test_a_reed_has_its_blind_strip_where_a_sensor_feels_the_checker() -> None:
    """5.5 mm off, towards the reed's middle: there a reed feels nothing."""
    reeds = reached(load_board("tables-24"), parts())
    assert hands.tolerance(reeds, parts().magnetics.pull_in).towards < 5.5
    assert radius(hall_setup(load_board(STRIPS), parts())) > 5.5


# Pages


@pytest.mark.parametrize("name", HALL_BOARDS)
def test_the_page_has_the_figures_of_the_model(name: str) -> None:
    found, page = hall_reached(load_board(name), parts()), committed(f"{name}/README.md")
    assert f"All is met {found.spare:.2f} times over." in page
    for demand in found.demands:
        assert f" | {demand.value:.2f} mT | " in page or demand.rule not in (
            MagnetRule.NEXT,
            MagnetRule.ALL,
            MagnetRule.LOBE,
        )


def test_the_decision_has_a_row_a_board_and_what_was_tried() -> None:
    page = committed("decisions/hall.md")
    rows = re.findall(r"^\| `([\w-]+)` \| \d\.\d\d \|", page, re.MULTILINE)
    assert sorted(rows) == sorted((*BOARDS, *HALL_BOARDS, *CARD_BOARDS))
    board = load_board(STRIPS)
    chosen = parts_for(board, parts()).measures.magnet
    assert f"**as chosen**: {chosen[0]:g} × {chosen[1]:g} mm" in page
    found = hall_reached(board, changed(STRIPS, magnet=(6.0, 1.0), remanence=(1.36, 1.42)))
    assert f"| {found.of(MagnetRule.OWN).spare:.2f} |" in page


def test_a_sixth_checker_raises_one_level_by_six_steps_or_two_by_one() -> None:
    """1.35 mT straight above another, 0.31 mT astride two: computed by two charged discs."""
    found = hall_setup(load_board(STRIPS), parts())
    model, quiet = LevelModel(found, COUNT_MT), Random(3)
    alone = model.level([(0.0, 0.0)], quiet)
    pitch = 30.0
    steps = [
        model.level([(0.0, 0.0), (aside, 0.0)], quiet) - alone for aside in (0.0, 5.0, pitch / 2)
    ]
    assert steps == pytest.approx([1.35 / COUNT_MT, 1.12 / COUNT_MT, 0.31 / COUNT_MT], abs=1.0)


@pytest.mark.parametrize("nudge", [0.1, 0.3, 0.5])
def test_a_point_that_nobody_touched_is_never_suggested(nudge: float) -> None:
    model = LevelModel(hall_setup(load_board(STRIPS), parts()), COUNT_MT)
    scatter = Scatter(2.0, nudge, 3.0, clumsy=0.2)
    untouched = outcomes(model, scatter, both_touched=False, draws=300, seed=77_001)
    assert untouched["wrong"] == 0
    touched = outcomes(model, scatter, both_touched=True, draws=300, seed=77_002)
    assert touched["right"] > 2 * touched["wrong"]
