"""Nannon: each rule as a position to look at, and the figures of the whole game."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.rules.nannon import BOARD, BOOK, CHECKERS, HOME, SAFETY, Nannon, NannonPosition
from pi_app.rules.terms import (
    IllegalPlayError,
    Move,
    Outcome,
    PositionError,
    Roll,
    Side,
    Spot,
    TextError,
)

NANNON = Nannon()
WHITE, BLACK = Side.WHITE, Side.BLACK
MIRRORED = {
    **dict(zip(BOARD, reversed(BOARD), strict=True)),
    **{tray[side]: tray[side.other] for tray in (HOME, SAFETY) for side in Side},
}


def plays(text: str, die: int) -> list[str]:
    position = NANNON.read_position(text)
    return [NANNON.write_play(position, play) for play in NANNON.plays(position, Roll.of(die))]


def after(text: str, play: str) -> str:
    position = NANNON.read_position(text)
    return NANNON.write_position(NANNON.after(position, NANNON.read_play(position, play)))


def moves(text: str) -> tuple[Move, ...]:
    """`2 5, home.white 3` as moves of the hand, legal or not."""
    pairs = (pair.split() for pair in text.split(",") if pair)
    return tuple(Move(Spot.read(origin), Spot.read(target)) for origin, target in pairs)


def mirrored(position: NannonPosition) -> NannonPosition:
    """The same game seen from the other side of the board."""
    spots = tuple(owner.other if owner else None for owner in reversed(position.spots))
    return NannonPosition(spots, (position.home[1], position.home[0]), position.mover.other)


def as_white(position: NannonPosition) -> NannonPosition:
    return position if position.mover is WHITE else mirrored(position)


def reachable() -> set[NannonPosition]:
    """Every position that play from the start leads to, the mover as White."""
    seen: set[NannonPosition] = set()
    ahead = [NANNON.start(WHITE)]
    while ahead:
        position = ahead.pop()
        if position in seen:
            continue
        seen.add(position)
        for die in range(1, 7):
            legal = NANNON.plays(position, Roll.of(die))
            ahead += [as_white(NANNON.after(position, play)) for play in legal]
    return seen


# --- the rules, one by one


def test_rule_1_each_side_starts_with_one_at_home_and_two_on_the_board() -> None:
    assert NANNON.write_position(NANNON.start(WHITE)) == "1ww..bb1 w"
    assert NANNON.write_position(NANNON.start(BLACK)) == "1ww..bb1 b"


def test_the_start_as_a_picture() -> None:
    picture = [line.rstrip() for line in NANNON.draw(NANNON.start(WHITE)).splitlines()]
    assert picture == [
        "Black SAFETY -                        Black HOME   ●",
        "                  ○  ○  ·  ·  ●  ●",
        "                  1  2  3  4  5  6",
        "White HOME   ○                        White SAFETY -",
        "White to move",
    ]


def test_rule_3_one_checker_by_the_whole_die() -> None:
    assert plays("1ww..bb1 w", 3) == ["HOME/3", "1/4"]
    assert plays("1ww..bb1 b", 3) == ["HOME/4", "6/3"]
    assert after("1ww..bb1 w", "HOME/3") == "0www.bb1 b"
    assert after("1ww..bb1 b", "6/3") == "1wwb.b.1 w"


def test_rule_4_a_single_enemy_is_hit_and_goes_home() -> None:
    assert plays("1w..b..2 w", 3) == ["HOME/3", "1/4*"]
    assert after("1w..b..2 w", "1/4*") == "1...w..3 b"
    assert plays("2...w..3 b", 3) == ["HOME/4*"]
    assert after("2...w..3 b", "HOME/4*") == "3...b..2 w"


def test_rule_4_a_prime_cannot_be_hit_and_home_makes_no_prime() -> None:
    assert plays("1w..bb.1 w", 3) == ["HOME/3"]
    assert plays("1.....b2 w", 6) == ["HOME/6*"]


def test_rule_4_anything_may_be_jumped() -> None:
    assert plays("0wbb...1 w", 3) == ["1/4"]


@pytest.mark.parametrize(("die", "leaves"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1)])
def test_rule_5_the_black_checker_on_4_leaves_with_4_5_or_6(die: int, leaves: int) -> None:
    assert plays("3...b..0 b", die).count("4/SAFETY") == leaves


def test_rule_5_leaving_does_not_wait_for_the_others() -> None:
    assert plays("1w....w2 w", 2) == ["HOME/2", "1/3", "6/SAFETY"]


def test_rule_6_white_with_a_3_forfeits_against_two_primes() -> None:
    assert plays("1wwbbb.0 w", 3) == ["forfeit"]
    assert after("1wwbbb.0 w", "forfeit") == "1wwbbb.0 b"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("1ww..bb1 w", None),
        ("0.....b2 b", Outcome(WHITE, 2, "NANNON")),
        ("0.....b1 b", Outcome(WHITE, 1, "win")),
        ("3......0 w", Outcome(BLACK, 2, "NANNON")),
        ("0w.....0 w", Outcome(BLACK, 1, "win")),
    ],
)
def test_rule_7_three_in_safety_win_and_a_shutout_counts_double(
    text: str, outcome: Outcome | None
) -> None:
    assert NANNON.outcome(NANNON.read_position(text)) == outcome
    assert (plays(text, 1) == []) is (outcome is not None)


def test_results_are_the_positions_after_the_plays() -> None:
    for position in reachable():
        for die in range(1, 7):
            legal = NANNON.plays(position, Roll.of(die))
            after = tuple(NANNON.after(position, play) for play in legal)
            assert NANNON.results(position, Roll.of(die)) == after


# --- what `explain` says: position, die, attempt, identifier, part of the sentence

EXAMPLES = [
    ("1ww..bb1 w", 3, "home.white 3, 1 4", "one-checker", "Only one checker a turn"),
    ("1ww..bb1 w", 3, "5 2", "not-your-checker", "5 is Black's; it is White's turn"),
    ("1ww..bb1 w", 3, "home.black 4", "not-your-checker", "Black's HOME stays as it is"),
    ("1ww..bb1 b", 1, "2 1", "not-your-checker", "2 is White's; it is Black's turn"),
    ("1ww..bb1 w", 3, "3 6", "no-checker-there", "No checker stands on 3"),
    ("0wwwb.b1 w", 3, "home.white 3", "no-checker-there", "White has no checker at HOME"),
    ("1ww..bb1 w", 6, "home.white safety.white", "home-enters-first", "must enter the board first"),
    ("2..w.bb1 w", 1, "3 2", "backward", "3/2 goes back; White moves from 1 to 6"),
    ("1ww.b..2 b", 2, "4 6", "backward", "4/6 goes back; Black moves from 6 to 1"),
    ("1ww..bb1 w", 3, "1 home.white", "backward", "only a hit sends a checker HOME"),
    ("1ww..bb1 w", 3, "1 3", "wrong-distance", "1/3 is two spots; the die shows 3"),
    ("1ww..bb1 w", 3, "home.white 4", "wrong-distance", "HOME enters on 3 with a 3, not on 4"),
    ("1ww..bb1 b", 2, "home.black 4", "wrong-distance", "HOME enters on 5 with a 2, not on 4"),
    ("1ww..bb1 w", 1, "1 2", "own-checker", "a checker of the same side stands on 2"),
    ("1ww..bb1 w", 3, "2 5", "prime", "2/5: Black's prime holds 5 and 6"),
    ("1wwbbb.0 w", 3, "1 4", "prime", "1/4: Black's prime holds 3, 4 and 5"),
    ("1ww..bb1 w", 3, "2 safety.white", "safety-too-far", "needs a 5 or more; the die shows 3"),
    ("1ww..bb1 w", 3, "1 safety.white", "safety-too-far", "needs a 6; the die shows 3"),
    ("1ww..bb1 w", 3, "", "must-move", "White must move: HOME/3 or 1/4"),
    ("0ww..bb1 w", 3, "safety.white 3", "safety-is-final", "A checker in SAFETY stays there"),
]


@pytest.mark.parametrize(("text", "die", "attempt", "identifier", "sentence"), EXAMPLES)
def test_an_illegal_attempt_names_its_rule(
    text: str, die: int, attempt: str, identifier: str, sentence: str
) -> None:
    broken = NANNON.explain(NANNON.read_position(text), Roll.of(die), moves(attempt))
    assert broken is not None
    assert broken.rule.identifier == identifier
    assert sentence in broken.reason


def without_example(examples: list[tuple[str, int, str, str, str]]) -> set[str]:
    return set(BOOK) - {identifier for *_, identifier, _ in examples}


def test_every_rule_has_an_example() -> None:
    assert without_example(EXAMPLES) == set()
    assert without_example(EXAMPLES[:-1]) == {"safety-is-final"}


@pytest.mark.parametrize("attempt", ["1 safety.black", "1 home.black", "home.white safety.black"])
def test_the_opponents_trays_take_none_of_my_checkers(attempt: str) -> None:
    position = NANNON.read_position("1ww..bb1 w")
    assert NANNON.explain(position, Roll.of(6), moves(attempt)) is not None


@pytest.mark.parametrize(
    ("text", "attempt", "identifier"),
    [
        ("1ww..bb1 w", "3 4", "no-checker-there"),
        ("0wwwbb.1 w", "home.white 4", "no-checker-there"),
        ("1ww..bb1 w", "safety.white 4", "no-checker-there"),
        ("1ww..bb1 w", "1 2", "own-checker"),
    ],
)
def test_a_checker_that_is_not_there_cannot_be_attempted(
    text: str, attempt: str, identifier: str
) -> None:
    with pytest.raises(IllegalPlayError) as error:
        NANNON.attempted(NANNON.read_position(text), moves(attempt))
    assert error.value.broken.rule.identifier == identifier


@pytest.mark.parametrize(
    ("attempt", "stands"),
    [
        ("2 5", "1w...wb2 b"),
        ("1 4, 2 3", "1..wwbb1 b"),
        ("6 safety.black", "1ww..b.1 b"),
        ("1 home.white", "2.w..bb1 b"),
    ],
)
def test_what_stands_after_an_illegal_attempt(attempt: str, stands: str) -> None:
    position = NANNON.read_position("1ww..bb1 w")
    assert NANNON.write_position(NANNON.attempted(position, moves(attempt))) == stands


# --- texts

BAD_TEXTS = [
    ("", ["the mover is ''", "'' has 0 characters"]),
    ("1ww..bb1", ["the mover is ''; end with ' w' or ' b'"]),
    ("1ww..bb1 x", ["the mover is 'x'"]),
    ("1ww..bb1  w", ["the mover is ' w'"]),
    ("1ww.bb1 w", ["'1ww.bb1' has 7 characters; write HOME, six spots, HOME"]),
    ("1ww...bb1 W", ["the mover is 'W'", "'1ww...bb1' has 9 characters"]),
    (
        "4wx..bB٣ W",
        [
            "the mover is 'W'",
            "White's HOME is '4'",
            "Black's HOME is '٣'",
            "spot 2 is 'x'",
            "spot 6 is 'B'",
        ],
    ),
    ("3w.....0 w", ["White has 4 checkers (3 at HOME and 1 on the board), three at most"]),
    (
        "1wwwbbb3 b",
        ["White has 4 checkers (1 at HOME and 3", "Black has 6 checkers (3 at HOME and 3"],
    ),
    ("0......0 w", ["both sides have all three checkers in SAFETY"]),
]


@pytest.mark.parametrize(("text", "parts"), BAD_TEXTS)
def test_a_bad_position_text_names_every_reason(text: str, parts: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        NANNON.read_position(text)
    reasons = error.value.reasons
    assert len(reasons) == len(parts)
    assert all(part in reason for part, reason in zip(parts, reasons, strict=True))
    assert all(reason in str(error.value) for reason in reasons)
    assert repr(text) in str(error.value)


def test_checkers_that_no_board_can_hold_name_every_reason() -> None:
    checkers = {
        Spot.read("1"): (WHITE, BLACK),
        Spot.read("2"): (WHITE, WHITE),
        HOME[WHITE]: (WHITE,) * 3,
    }
    with pytest.raises(PositionError) as error:
        NANNON.position_of(checkers, WHITE)
    assert error.value.reasons == (
        "spot 1 holds 2 checkers, one at most",
        "spot 2 holds 2 checkers, one at most",
        "White has 5 checkers (3 at HOME and 2 on the board), three at most",
    )


@pytest.mark.parametrize(
    "text", ["", "2", "2/", "0/3", "2/7", "HOME/HOME", "SAFETY/3", "2/4/6", "pass", "2-4", "**"]
)
def test_a_bad_play_text_says_how_plays_are_written(text: str) -> None:
    with pytest.raises(TextError, match=r"write 2/4, HOME/3\*, 5/SAFETY or forfeit"):
        NANNON.read_play(NANNON.start(WHITE), text)


@pytest.mark.parametrize("text", ["HOME/4", "home/4*", " Home / 4* "])
def test_a_play_text_may_be_written_loosely(text: str) -> None:
    position = NANNON.read_position("3...b..2 w")
    assert NANNON.read_play(position, text.strip()) == (
        Move(HOME[WHITE], Spot.read("4"), hit=True),
    )


# --- the whole game


def test_2410_positions_are_reachable_and_2340_of_them_go_on() -> None:
    positions = reachable()
    assert len(positions) == 2410
    assert sum(NANNON.outcome(position) is None for position in positions) == 2340


def reasons_against(text: str) -> tuple[str, ...]:
    try:
        NANNON.read_position(text)
    except PositionError as error:
        return error.reasons
    return ()


def test_2530_ways_to_place_three_checkers_a_side_and_one_of_them_impossible() -> None:
    boards = ["".join(row) for row in product("wb.", repeat=len(BOARD))]
    texts = [f"{home}{board}{away} w" for board in boards for home in "0123" for away in "0123"]
    readable = [text for text in texts if not reasons_against(text)]
    assert len(readable) == 2530 - 1
    assert "0......0 w" not in readable


@st.composite
def positions(draw: st.DrawFn) -> NannonPosition:
    """Any position a board can show, reachable or not."""
    owners = draw(st.permutations([WHITE] * 3 + [BLACK] * 3 + [None] * 6))
    spots = tuple(owners[: len(BOARD)])
    white, black = (draw(st.integers(0, CHECKERS - spots.count(side))) for side in Side)
    if not any(spots) and not white and not black:
        white = 1
    return NannonPosition(spots, (white, black), draw(st.sampled_from(Side)))


@given(positions(), st.integers(1, 6))
def test_mirrored_positions_give_mirrored_plays(position: NannonPosition, die: int) -> None:
    expected = {
        tuple(Move(MIRRORED[move.origin], MIRRORED[move.target], move.hit) for move in play)
        for play in NANNON.plays(position, Roll.of(die))
    }
    assert set(NANNON.plays(mirrored(position), Roll.of(die))) == expected


@given(positions())
def test_every_position_reads_back(position: NannonPosition) -> None:
    assert NANNON.read_position(NANNON.write_position(position)) == position
    assert NANNON.position_of(NANNON.checkers_at(position), position.mover) == position


@given(st.text("wb.x", min_size=6, max_size=6) | st.text(), st.sampled_from("0134"))
def test_a_text_is_a_position_or_has_reasons(spots: str, home: str) -> None:
    text = f"{home}{spots}1 w"
    if not reasons_against(text):
        assert NANNON.write_position(NANNON.read_position(text)) == text
