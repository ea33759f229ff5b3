"""Backgammon: each rule as a position to look at, and the figures of the start."""

import pytest
from tables_words import after, explained, moves, plays

from pi_app.rules.contract import Opening
from pi_app.rules.tables.backgammon import BACKGAMMON as GAME
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

WHITE, BLACK = Side.WHITE, Side.BLACK
START = "-b----E-C---eE---c-e----B- w"
TWO_ON_BAR = "-b----E-C---eE---c-e-----B w"
LONE = "-----------a-----A-------- w"
"""White's last checker on 17, Black's on 11."""

BLOCKED = "----------b-bbb--A-------- w"
"""White on 17 cannot step by 3, 4 or 5."""


ONE_WAY = "------------bb---Ab---A--- w"
"""With 6-4 only 17/11/7 uses both; 22/16 would leave no 4."""

EITHER = "----------b------A-------- w"
"""With 6-1 White can play either die and then not the other."""


# --- the rules, one by one


def test_rule_1_the_start_has_167_pips_a_side_and_the_higher_die_plays_both() -> None:
    assert GAME.write_position(GAME.start(WHITE)) == START
    assert [GAME.pips(GAME.start(BLACK), side) for side in Side] == [167, 167]
    assert GAME.opening is Opening.HIGHER_PLAYS_BOTH
    assert GAME.has_cube
    assert not GAME.previous_winner_starts


def test_the_start_as_a_picture() -> None:
    assert [line.rstrip() for line in GAME.draw(GAME.start(WHITE)).splitlines()] == [
        " 13 14 15 16 17 18  | 19 20 21 22 23 24",
        "  ○  ·  ·  ·  ●  ·  |  ●  ·  ·  ·  ·  ○",
        "  ○           ●     |  ●              ○",
        "  ○           ●     |  ●",
        "  ○                 |  ●",
        "  ○                 |  ●",
        "",
        "  ●                 |  ○",
        "  ●                 |  ○",
        "  ●           ○     |  ○",
        "  ●           ○     |  ○              ●",
        "  ●  ·  ·  ·  ○  ·  |  ○  ·  ·  ·  ·  ●",
        " 12 11 10  9  8  7  |  6  5  4  3  2  1",
        "White: 0 on the bar, 0 off",
        "Black: 0 on the bar, 0 off",
        "White to move",
        "Position ID 4HPwATDgc/ABMA",
    ]


def test_a_tall_stack_is_counted_and_the_trays_are_told() -> None:
    drawn = GAME.draw(GAME.read_position("a-----G------------------- w")).splitlines()
    assert drawn[7].split()[-1] == "7"
    assert drawn[-4:-2] == ["White: 0 on the bar, 8 off", "Black: 1 on the bar, 14 off"]


def test_rule_2_the_start_with_31_has_16_results_and_447_over_all_rolls() -> None:
    start = GAME.start(WHITE)
    assert len(GAME.results(start, Roll.of(3, 1))) == 16
    rolls = [Roll.of(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    assert sum(len(GAME.results(start, roll)) for roll in rolls) == 447


def test_rule_2_one_checker_may_take_both_dice_and_a_doublet_is_four_moves() -> None:
    assert plays(GAME, LONE, "41") == {"17/12"}
    assert plays(GAME, LONE, "22") == {"17/11*/9"}
    assert "13/7(2)" in plays(GAME, START, "33")


def test_rule_3_a_point_with_two_enemies_is_closed() -> None:
    assert plays(GAME, BLOCKED, "54") == {"forfeit"}
    assert after(GAME, BLOCKED, "forfeit") == BLOCKED.replace(" w", " b")


def test_rule_4_a_blot_is_hit_to_the_bar_even_on_the_way() -> None:
    assert plays(GAME, LONE, "62") == {"17/11*/9", "17/9"}
    assert after(GAME, LONE, "17/11*/9") == "a--------A---------------- b"
    assert after(GAME, LONE, "17/9") == "---------A-a-------------- b"


def test_rule_5_checkers_on_the_bar_enter_first() -> None:
    assert plays(GAME, TWO_ON_BAR, "66") == {"forfeit"}
    assert plays(GAME, TWO_ON_BAR, "61") == {"bar/24"}
    assert plays(GAME, TWO_ON_BAR, "21") == {"bar/24 bar/23"}
    assert "bar/21(2) 13/9(2)" in plays(GAME, TWO_ON_BAR, "44")


def test_rule_6_both_dice_if_there_is_a_way() -> None:
    assert plays(GAME, ONE_WAY, "64") == {"17/7"}


def test_rule_6_else_the_higher_die_if_it_can_be_played() -> None:
    assert plays(GAME, EITHER, "61") == {"17/11"}
    assert plays(GAME, "----------bb-----A-------- w", "61") == {"17/16"}


@pytest.mark.parametrize(
    ("text", "roll", "expected"),
    [
        ("----A-A------------a------ w", "64", {"6/off 4/off", "6/2 4/off"}),
        ("-a-BB--------------------- w", "55", {"4/off(2) 3/off(2)"}),
        ("---BB-B------------a------ w", "53", {"6/1 3/off", "6/3 6/1", "6/1 4/1"}),
        ("-a---A-------------------- w", "61", {"5/off"}),
        ("------A--A---------a------ w", "65", {"9/4 6/off", "9/3 6/1"}),
    ],
)
def test_rule_7_bearing_off(text: str, roll: str, expected: set[str]) -> None:
    assert plays(GAME, text, roll) == expected


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (START, None),
        ("---------a---------------- w", Outcome(WHITE, 1, "win")),
        ("-o------------------------ b", Outcome(WHITE, 3, "backgammon")),
        ("------n------------a------ b", Outcome(WHITE, 3, "backgammon")),
        ("-------n-----------a------ b", Outcome(WHITE, 2, "gammon")),
        ("a------n------------------ b", Outcome(WHITE, 3, "backgammon")),
        ("a------m------------------ b", Outcome(WHITE, 1, "win")),
        ("-----------------O-------- w", Outcome(BLACK, 2, "gammon")),
        ("-----------------N-A------ w", Outcome(BLACK, 3, "backgammon")),
        ("-----------------N-------A w", Outcome(BLACK, 3, "backgammon")),
    ],
)
def test_rule_8_single_gammon_backgammon(text: str, outcome: Outcome | None) -> None:
    position = GAME.read_position(text)
    assert GAME.outcome(position) == outcome
    assert (GAME.plays(position, Roll.of(2, 1)) == ()) is (outcome is not None)


# --- what `explain` says

EXAMPLES = [
    (START, "31", "12 11", "not-your-checker", "12 is Black's; it is White's turn"),
    (START, "31", "6 off.black", "not-your-checker", "No checker of White's goes to Black's off"),
    (START, "31", "5 4", "no-checker-there", "No checker stands on 5"),
    (START, "31", "bar.white 22", "no-checker-there", "No checker stands on the bar"),
    (LONE, "31", "17 16, 17 14", "no-checker-there", "No checker stands on 17"),
    (START, "31", "6 7", "backward", "6/7 goes back; White moves from 24 to 1"),
    (START.replace("w", "b"), "31", "12 8", "backward", "13/17 goes back; Black moves from 24"),
    (START, "31", "8 bar.white", "backward", "8/bar: only a hit does that"),
    (START, "31", "13 8", "wrong-distance", "13/8 needs 5 pips; the dice show 3 and 1"),
    (START, "64", "24 20, 24 20", "die-used", "24/20 needs 4 pips; only 6 is left"),
    (START, "51", "13 8, 24 23, 6 5", "die-used", "6/5 needs 1 pip; no die is left"),
    (START, "65", "24 18, 24 19", "point-held", "24/19: Black holds 19 with 5 checkers"),
    (START, "52", "24 17", "point-held", "24/17: Black holds 17 with 3 checkers"),
    (TWO_ON_BAR, "63", "bar.white 19", "point-held", "bar/19: Black holds 19"),
    ("-----------a----bA-------- w", "61", "17 10", "hit-on-the-way", "it goes to the bar"),
    (TWO_ON_BAR, "63", "13 7", "bar-first", "White must enter from the bar first"),
    (TWO_ON_BAR, "31", "bar.white 22, 6 5", "bar-first", "White must enter from the bar first"),
    (START, "31", "", "must-move", "White must move, such as 24/"),
    (START, "31", "13 10", "both-dice", "Play both dice: the 1 is unused"),
    (START, "11", "6 5, 6 5, 8 7", "both-dice", "Play four 1s: one unused"),
    (
        "-N---b--------------A----- w",
        "55",
        "20 15",
        "both-dice",
        "Play two 5s: ",
    ),
    ("-N--b---------------A----- w", "44", "20 16", "both-dice", "two unused"),
    ("-N--b---------------A----- w", "44", "20 12", "both-dice", "Play three 4s: "),
    (ONE_WAY, "64", "22 16", "both-dice", "Play both dice: the 4 is unused"),
    (EITHER, "61", "17 16", "higher-die", "Play the higher die: the 6"),
    ("-a----A--A---------------- w", "65", "6 off.white", "not-all-home", "one stands on 9"),
    ("-a-A-A-------------------- w", "64", "3 off.white", "farther-back", "back, on 5"),
    (START, "31", "off.white 3", "off-is-final", "A checker that is off stays off"),
    ("-----------------O-------- w", "31", "17 14", "game-over", "Game over"),
]


@pytest.mark.parametrize(("text", "roll", "attempt", "identifier", "sentence"), EXAMPLES)
def test_an_illegal_attempt_names_its_rule(
    text: str, roll: str, attempt: str, identifier: str, sentence: str
) -> None:
    broken = explained(GAME, text, roll, attempt)
    assert broken is not None
    assert broken.rule.identifier == identifier
    assert sentence in broken.reason


def test_every_rule_has_an_example() -> None:
    assert {rule.identifier for rule in GAME.rules} == {example[3] for example in EXAMPLES}


@pytest.mark.parametrize(
    ("text", "roll", "attempt"),
    [
        (START, "31", "8 5, 6 5"),
        (START, "31", "6 5, 8 5"),
        (START, "64", "24 14"),
        (START, "11", "8 6, 6 5, 6 5"),
        (START, "11", "8 4"),
        (TWO_ON_BAR, "61", "bar.white 24"),
        (LONE, "62", "17 11, 11 9"),
        (LONE, "62", "17 9"),
        (LONE, "62", "11 9, 17 11"),
        (BLOCKED, "54", ""),
        ("-a----A------------------- w", "51", "6 off.white"),
    ],
)
def test_moves_in_any_order_and_several_dice_at_once_are_legal(
    text: str, roll: str, attempt: str
) -> None:
    assert explained(GAME, text, roll, attempt) is None


def test_an_illegal_hit_and_a_checker_set_on_a_held_point_can_be_shown() -> None:
    start = GAME.read_position(START)
    held = GAME.checkers_at(GAME.attempted(start, moves("24 17")))
    assert sorted(side.value for side in held[Spot.read("17")]) == ["black"] * 3 + ["white"]
    taken = GAME.attempted(start, moves("19 17, 6 off.white"))
    assert GAME.write_position(taken) == "-b----D-C---eE---d-d----B- b"
    hit = GAME.attempted(GAME.read_position(LONE), moves("17 11"))
    assert GAME.write_position(hit) == "a----------A-------------- b"


@pytest.mark.parametrize("attempt", ["5 4", "bar.white 20", "off.white 3", "6 off.black", "6 e4"])
def test_what_no_hand_can_do_cannot_be_attempted(attempt: str) -> None:
    with pytest.raises(IllegalPlayError):
        GAME.attempted(GAME.read_position(START), moves(attempt))


# --- texts

BAD_TEXTS = [
    ("", ["the mover is ''", "'' has 0 characters"]),
    (START[:-2], ["the mover is ''; write w or b"]),
    (START + " -", ["'-' is too much; end after 'w'"]),
    (START[1:], ["has 25 characters"]),
    ("-b----E-C---eE---c-e--?-P- x", ["the mover is 'x'", "character 23 is '?'", "25 is 'P'"]),
    ("-b----F-C---eE---c-e----B- w", ["White has 16 checkers, 15 at most"]),
    (
        "Ab----E-C---fE---c-e----Ba w",
        [
            "Black's bar holds a checker of White",
            "White's bar holds a checker of Black",
            "White has 16 checkers",
            "Black has 17 checkers",
        ],
    ),
    ("-------------------------- w", ["both sides have all checkers off"]),
]


@pytest.mark.parametrize(("text", "parts"), BAD_TEXTS)
def test_a_bad_position_text_names_every_reason(text: str, parts: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        GAME.read_position(text)
    reasons = error.value.reasons
    assert len(reasons) == len(parts), reasons
    assert all(part in reason for part, reason in zip(parts, reasons, strict=True))


def test_checkers_that_no_board_can_hold_name_every_reason() -> None:
    checkers = {
        Spot.read("3"): (WHITE, BLACK),
        Spot.read("5"): (WHITE,) * 16,
        Spot.read("bar.black"): (WHITE,),
    }
    with pytest.raises(PositionError) as error:
        GAME.position_of(checkers, WHITE)
    assert error.value.reasons == (
        "Black's bar holds a checker of White",
        "point 3 holds checkers of both sides",
        "White has 18 checkers, 15 at most",
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("13/8 6/5", "13/8 6/5"),
        ("BAR/20* 6/Off", "bar/20 6/off"),
        ("6/5(2) 8/7(2)", "6/5(2) 8/7(2)"),
        ("6/5 6/5 13/off", "6/5(2) 13/off"),
        ("24/20/14", "24/20 20/14"),
        ("Forfeit", "forfeit"),
    ],
)
def test_plays_are_read_as_players_write_them(text: str, written: str) -> None:
    start = GAME.read_position(START)
    play = GAME.read_play(start, text)
    assert GAME.write_play(start, play) == written
    assert GAME.read_play(start, written) == play


def test_a_hit_is_marked_where_it_happens() -> None:
    lone = GAME.read_position(LONE)
    hit = (Move(Spot.read("17"), Spot.read("11"), hit=True), Move(Spot.read("11"), Spot.read("9")))
    assert GAME.read_play(lone, "17/11*/9") == GAME.read_play(lone, "17/11 11/9") == hit
    assert GAME.write_play(lone, hit) == "17/11*/9"
    turned = GAME.read_play(lone, "11/9 17/11*")
    assert GAME.after(lone, turned) == GAME.after(lone, hit)
    two = GAME.read_position("-----a--B----------------- w")
    assert GAME.write_play(two, GAME.read_play(two, "8/5(2)")) == "8/5*(2)"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "13",
        "13/",
        "13/25",
        "0/3",
        "bar/off/3",
        "6/bar",
        "13-8",
        "6/5(5)",
        "6/5(1)",
        "pass",
    ],
)
def test_a_bad_play_text_says_how_plays_are_written(text: str) -> None:
    with pytest.raises(TextError, match=r"write 13/8 6/5\*"):
        GAME.read_play(GAME.start(WHITE), text)


# --- the names that other programs have for positions


def test_the_position_id_of_the_start() -> None:
    assert GAME.read_position("4HPwATDgc/ABMA") == GAME.start(WHITE)
    assert GAME.read_position("4HPwATDgc/ABMA b") == GAME.start(BLACK)


def test_a_position_id_tells_the_opponent_first() -> None:
    """Black on his bar: 24 zeros, a one, a zero; White on his ace point: a one, then zeros."""
    text = "aA------------------------ w"
    assert "Position ID AAAABQAAAAAAAA" in GAME.draw(GAME.read_position(text))
    assert GAME.read_position("AAAABQAAAAAAAA") == GAME.read_position(text)


@pytest.mark.parametrize("mover", ["w", "b"])
def test_an_xgid_reads_back(mover: str) -> None:
    text = f"ab----E-C---dE---b-e----B- {mover}"
    position = GAME.read_position(text)
    xgid = f"XGID=ab----E-C---dE---b-e----B-:0:0:{1 if mover == 'w' else -1}:00:0:0:0:0:10"
    assert GAME.read_position(xgid) == position


def test_the_other_parts_of_an_xgid_may_be_anything() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:2:5:0:7:10"
    assert GAME.read_position(text) == GAME.start(BLACK)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("XGID=", ["it has 1 parts", "the turn is ''", "'' has 0 characters"]),
        ("XGID=Qb----E-C---eE---c-e----B-:0:0:2:00:0:0:0:0:10", ["the turn is '2'", "1 is 'Q'"]),
        ("//////////////", ["these bits are not two times 25 counts"]),
        ("AAAAAAAAAAAAAA", ["both sides have all checkers off"]),
    ],
)
def test_a_bad_id_names_every_reason(text: str, parts: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        GAME.read_position(text)
    reasons = error.value.reasons
    assert len(reasons) == len(parts), reasons
    assert all(part in reason for part, reason in zip(parts, reasons, strict=True))
