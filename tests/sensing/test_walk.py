"""The walk test as tables: when, what happens, and what is said then."""

from __future__ import annotations

from pathlib import Path

import pytest
from known import GAMES, load_board

from pi_app.base.microseconds import Us, ms
from pi_app.sensing.description import Board, Sensor, read_board
from pi_app.sensing.walk import MOST_EDGES, Flaw, Walk, WalkStage, ask_words, place_words, report

WalkRow = tuple[float, str, str | None]
"""ms; "+4" closes and "-4" opens a sensor, "enter", "q" or "" while time passes; what is said."""

NANNON = load_board("nannon-6")
TABLES = load_board("tables-24")
SCANNER = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")


def walked(rows: list[WalkRow], board: Board = NANNON, closed: str = "") -> Walk:
    """A walk through these rows; every sentence is checked, None says that it has not changed."""
    walk = Walk(board, Us(0), frozenset(Sensor(name) for name in closed.split()))
    said = ask_words(board, walk.ask)
    for time_ms, what, expected in rows:
        if what == "enter":
            walk.skip(ms(time_ms))
        elif what == "q":
            walk.end()
        elif what:
            walk.edge(ms(time_ms), Sensor(what[1:]), what[0] == "+")
        else:
            walk.advance(ms(time_ms))
        now = ask_words(board, walk.ask)
        assert now == (said if expected is None else expected), (time_ms, what)
        said = now
    return walk


def well(sensor: str, time_ms: float, following: str) -> list[WalkRow]:
    """A checker is put on a spot that works, and taken off."""
    return [
        (time_ms, f"+{sensor}", None),
        (time_ms + 200, "", f"{sensor} closed: lift the checker off spot {sensor}"),
        (time_ms + 500, f"-{sensor}", None),
        (time_ms + 700, "", following),
    ]


def from_two(time_ms: float = 1000) -> list[WalkRow]:
    """The rest of a walk over nannon-6 on which all is well."""
    rows: list[WalkRow] = []
    for number, sensor in enumerate("23456"):
        after = f"Put one checker on spot {int(sensor) + 1}" if sensor != "6" else OVER
        rows += well(sensor, time_ms + 1000 * number, after)
    return rows


ONE, TWO, OVER = "Put one checker on spot 1", "Put one checker on spot 2", "Walk test finished"
TAKE = "1 closed: lift the checker off spot 1"


def findings(walk: Walk) -> list[tuple[Flaw, str, tuple[Sensor, ...]]]:
    return [(found.flaw, str(found.sensor), found.others) for found in walk.findings]


def test_a_board_on_which_all_is_well() -> None:
    walk = walked([*well("1", 0, TWO), *from_two()])
    assert walk.ask.stage is WalkStage.OVER
    assert report(walk) == ("Walk test of nannon-6: 6 of 6 sensors work",)


def test_the_last_moment_counts_and_no_earlier() -> None:
    walked(
        [
            (0, "", None),
            (100, "+1", None),
            (299.9, "", None),
            (300, "", TAKE),
            (400, "-1", None),
            (599.9, "", None),
            (600, "", TWO),
        ]
    )


def test_the_next_checker_may_be_quicker_than_the_last_one_is_gone() -> None:
    walk = walked(
        [
            (0, "+1", None),
            (200, "", TAKE),
            (500, "-1", None),
            (560, "+2", None),
            (700, "", TWO),
            (760, "", "2 closed: lift the checker off spot 2"),
        ]
    )
    assert findings(walk) == []


def test_a_checker_that_is_slid_on_to_the_next_spot_is_no_neighbour() -> None:
    walk = walked(
        [
            (0, "+1", None),
            (200, "", TAKE),
            (490, "+2", None),
            (500, "-1", None),
            (690, "", None),
            (700, "", "Clear the board; closed: 2"),
            (800, "-2", "Clear the board; closed: "),
            (1000, "", TWO),
        ]
    )
    assert findings(walk) == []


def test_bounce_is_no_flaw() -> None:
    burst: list[WalkRow] = [
        (number, "+1" if number % 2 == 0 else "-1", None) for number in range(9)
    ]
    walk = walked([*burst, (207.9, "", None), (208, "", TAKE)])
    assert findings(walk) == []


def test_many_edges_at_first_are_chatter() -> None:
    burst: list[WalkRow] = [
        (number, "+1" if number % 2 == 0 else "-1", None) for number in range(MOST_EDGES + 1)
    ]
    walk = walked([*burst, (300, "", TAKE)])
    (found,) = walk.findings
    assert (found.flaw, found.edges, found.settled) == (Flaw.CHATTER, 11, ms(10))
    assert "1 (gpio 17): chatters: 11 edges in the first 50 ms" in report(walk)[1]


def test_a_contact_that_is_slow_to_rest_is_chatter_when_it_opens_too() -> None:
    walk = walked(
        [
            (0, "+1", None),
            (200, "", TAKE),
            (500, "-1", None),
            (530, "+1", None),
            (580, "-1", None),
            (779, "", None),
            (780, "", TWO),
        ]
    )
    (found,) = walk.findings
    assert (found.flaw, found.edges, found.settled) == (Flaw.CHATTER, 2, ms(80))


def test_a_sleeve_that_brushes_once_is_no_flaw_but_twice_is_loose() -> None:
    brush: list[WalkRow] = [(100, "+1", None), (120, "-1", None), (400, "", None)]
    again: list[WalkRow] = [(500, "+1", None), (520, "-1", None), (800, "", None)]
    put: list[WalkRow] = [
        (1000, "+1", None),
        (1200, "", TAKE),
        (1400, "-1", None),
        (1600, "", TWO),
    ]
    assert findings(walked([*brush, *put])) == []
    walk = walked([*brush, *again, *put])
    assert findings(walk) == [(Flaw.LOOSE, "1", ())]
    assert "dropped out 2 times" in report(walk)[1]


def test_a_sensor_that_is_never_seen() -> None:
    walk = walked([(5000, "enter", TWO), *from_two(6000)])
    assert findings(walk) == [(Flaw.NEVER, "1", ())]
    assert report(walk)[0] == "Walk test of nannon-6: 5 of 6 sensors work"
    assert report(walk)[1].startswith("  1 (gpio 17): never closed: check its wires")


def test_a_sensor_that_never_comes_to_rest() -> None:
    rows: list[WalkRow] = [(100 * n, "+1" if n % 2 == 0 else "-1", None) for n in range(20)]
    walk = walked([*rows, (2000, "enter", TWO)])
    assert walk.findings[0].edges == 1
    assert "never at rest, 1 edge:" in report(walk)[1]


def test_one_that_never_comes_to_rest_is_not_taken_for_its_neighbour() -> None:
    rows: list[WalkRow] = [(n, "+1" if n % 200 == 0 else "-1", None) for n in range(0, 2100, 100)]
    walk = walked([(0, "+2", None), *rows])
    walk.skip(ms(2050))
    assert findings(walk) == [(Flaw.NEVER, "1", ())]


def test_the_worst_burst_is_the_one_that_is_told() -> None:
    burst: list[WalkRow] = [(n, "+1" if n % 2 == 0 else "-1", None) for n in range(MOST_EDGES + 3)]
    opening: list[WalkRow] = [
        (500, "-1", None),
        (540, "+1", None),
        (580, "-1", None),
        (780, "", TWO),
    ]
    walk = walked([*burst, (300, "", TAKE), *opening])
    assert [(found.flaw, found.edges) for found in walk.findings] == [(Flaw.CHATTER, 13)]


def test_a_sensor_that_does_not_open() -> None:
    walk = walked([(0, "+1", None), (200, "", TAKE), (5000, "enter", TWO), *from_two(6000)])
    assert findings(walk) == [(Flaw.HELD, "1", ())]
    assert "1 (gpio 17): does not open" in report(walk)[1]


def test_what_lies_on_the_board_at_the_start_is_taken_off_first() -> None:
    walk = walked(
        [
            (0, "", None),
            (500, "-3", "Clear the board; closed: 5"),
            (600, "-5", "Clear the board; closed: "),
            (699, "", None),
            (700, "", ONE),
        ],
        closed="3 5",
    )
    assert findings(walk) == []


def test_what_is_closed_with_nothing_on_it_is_stuck_and_has_no_turn() -> None:
    walk = walked(
        [
            (0, "enter", ONE),
            *well("1", 1000, "Put one checker on spot 3"),
            *from_two(2000)[4:],
        ],
        closed="2",
    )
    assert walk.ask.stage is WalkStage.OVER
    assert findings(walk) == [(Flaw.STUCK, "2", ())]
    assert set(walk.tried) == set(NANNON.sensors)
    assert "2 (gpio 27): closed without a checker" in report(walk)[1]


def test_a_neighbour_that_closes_along_is_named_whichever_comes_first() -> None:
    walk = walked(
        [
            (0, "+2", None),
            (150, "+1", None),
            (350, "", TAKE),
            (400, "+3", None),
            (600, "", None),
            (900, "-1", None),
            (905, "-2", None),
            (906, "-3", None),
            (1100, "", TWO),
            (1200, "", None),
        ]
    )
    assert findings(walk) == [(Flaw.NEIGHBOUR, "1", (Sensor("2"), Sensor("3")))]
    assert "2, 3 closed too" in report(walk)[1]


def test_the_wrong_sensor_is_named_after_half_a_second() -> None:
    walked(
        [
            (0, "+4", None),
            (499, "", None),
            (
                500,
                "",
                "4 closed instead of 1: move the checker to spot 1, or skip this sensor",
            ),
            (2000, "-4", ONE),
        ]
    )


def test_a_checker_that_was_put_on_the_wrong_spot_is_no_flaw() -> None:
    wrong = "4 closed instead of 1: move the checker to spot 1, or skip this sensor"
    walk = walked(
        [
            (0, "+4", None),
            (600, "", wrong),
            (900, "-4", ONE),
            (1200, "+1", None),
            (1400, "", TAKE),
        ]
    )
    assert findings(walk) == []


def crossed(
    one: str, other: str, time_ms: float, following: str, board: Board = NANNON
) -> list[WalkRow]:
    """A checker is put on `one`, `other` closes, and Enter says that it lies where it should."""
    where = place_words(board, Sensor(one))
    wrong = f"{other} closed instead of {one}: move the checker to {where}, or skip this sensor"
    return [
        (time_ms, f"+{other}", None),
        (time_ms + 500, "", wrong),
        (time_ms + 600, "enter", f"Clear the board; closed: {other}"),
        (time_ms + 700, f"-{other}", "Clear the board; closed: "),
        (time_ms + 900, "", following),
    ]


def test_two_that_are_crosswise_are_to_be_swapped() -> None:
    walk = walked(
        [*crossed("1", "2", 0, TWO), *crossed("2", "1", 1000, "Put one checker on spot 3")]
    )
    assert findings(walk) == [
        (Flaw.WRONG, "1", (Sensor("2"),)),
        (Flaw.WRONG, "2", (Sensor("1"),)),
    ]
    assert report(walk)[3] == ("  1 and 2 are crossed: swap their wires (gpio 17 and gpio 27)")


def test_two_crossed_rows_of_a_matrix_are_one_fault() -> None:
    board = read_board("nannon-scanner.toml", Path(SCANNER).read_text(encoding="utf-8"), GAMES)
    rows: list[WalkRow] = []
    for number, (one, other) in enumerate(zip("123456", "456123", strict=True)):
        after = f"Put one checker on spot {int(one) + 1}" if one != "6" else OVER
        rows += crossed(one, other, 1000 * number, after, board)
    rows[-3:] = [(5600, "enter", OVER)]  # at the end nobody need clear the board
    lines = report(walked(rows, board))
    assert "  rows 0 and 1 are crossed: swap their wires" in lines
    assert sum("crossed" in line for line in lines) == 1
    assert lines[-1].startswith("The scanner debounces")


def test_a_ring_of_wrong_wires_has_no_swap() -> None:
    rows = [
        *crossed("1", "2", 0, TWO),
        *crossed("2", "3", 1000, "Put one checker on spot 3"),
        *crossed("3", "1", 2000, "Put one checker on spot 4"),
    ]
    lines = report(walked(rows))
    assert "3 closed instead" in lines[2]
    assert not any("crossed" in line for line in lines)


def test_a_walk_that_is_broken_off_says_what_was_not_tried() -> None:
    walk = walked([*well("1", 0, TWO), (1000, "q", OVER)])
    assert report(walk) == (
        "Walk test of nannon-6: 1 of 6 sensors work",
        "  not tested: 2, 3, 4, 5, 6",
    )


def test_a_picture_tells_of_edges_that_were_lost() -> None:
    walk = Walk(NANNON, Us(0), frozenset())
    walk.picture(ms(100), frozenset({Sensor("1")}))
    walk.picture(ms(300), frozenset({Sensor("1")}))
    assert walk.ask.stage is WalkStage.TAKE
    walk.picture(ms(500), frozenset())
    walk.advance(ms(700))
    assert (walk.ask.stage, walk.ask.sensor) == (WalkStage.PUT, "2")
    assert walk.findings == ()


def test_an_edge_that_comes_late_does_not_turn_time_back() -> None:
    walk = Walk(NANNON, Us(0), frozenset())
    walk.advance(ms(1000))
    walk.edge(ms(990), Sensor("1"), True)
    assert walk.due == ms(1200)


@pytest.mark.parametrize("board", [NANNON, TABLES], ids=lambda board: board.name)
def test_what_becomes_certain_does_so_when_it_is_due(board: Board) -> None:
    """Advancing from due time to due time gives the same result as advancing all the time."""
    first = board.sensors[0]
    walk = Walk(board, Us(0), frozenset())
    assert walk.due is None
    walk.edge(ms(10), board.sensors[1], True)
    assert walk.due == ms(210)
    walk.advance(ms(210))
    assert walk.due == ms(510)
    walk.advance(ms(510))
    (put,) = walk.ask.others
    assert put == board.sensors[1]
    assert walk.due is None
    walk.edge(ms(600), first, True)
    assert walk.ask.others == ()


def test_places_of_a_spot_are_counted() -> None:
    walk = Walk(TABLES, Us(0), frozenset())
    assert ask_words(TABLES, walk.ask) == "Put one checker on spot 1, place 1 of 5"
    walk.skip(ms(0))
    assert ask_words(TABLES, walk.ask) == "Put one checker on spot 1, place 2 of 5"
    assert "1.1 (row 0, column 0): never closed" in report(walk)[1]


def test_where_sides_are_told_a_checker_of_each_is_put_on_every_place() -> None:
    walk = walked(
        [
            (0, "+1.white", None),
            (200, "", "1.white closed: lift the checker off spot 1"),
            (500, "-1.white", None),
            (700, "", "Put one black checker on spot 1"),
            (1000, "+1.white", None),
            (
                1700,
                "",
                "1.white closed instead of 1.black: wrong colour, magnet turned over, or wires "
                "swapped",
            ),
            (1800, "-1.white", "Put one black checker on spot 1"),
            (2000, "+1.black", None),
            (2200, "", "1.black closed: lift the checker off spot 1"),
            (2500, "-1.black", None),
            (2700, "", "Put one white checker on spot 2"),
        ],
        load_board("nannon-6-hall"),
    )
    assert walk.tried == ("1.white", "1.black")
    assert findings(walk) == []


def test_swapped_wires_of_a_place_that_tells_sides_are_named_with_their_pins() -> None:
    rows: list[WalkRow] = []
    for start, other in ((0, "1.black"), (2000, "1.white")):
        rows += [
            (start, f"+{other}", None),
            (start + 900, "enter", "Clear the board; closed: " + other),
            (start + 1000, f"-{other}", None),
        ]
    board = load_board("nannon-6-hall")
    walk = Walk(board, Us(0), frozenset())
    for time_ms, what, _ in rows:
        if what == "enter":
            walk.skip(ms(time_ms))
        else:
            walk.edge(ms(time_ms), Sensor(what[1:]), what[0] == "+")
        walk.advance(ms(time_ms + 300))
    walk.end()
    swapped = "  1.white and 1.black are crossed: swap their wires (gpio 17 and gpio 4)"
    assert swapped in report(walk)
