"""The Pin game: pins, mothers and pips, as positions to look at."""

import pytest
from tables_words import after, explained, moves, plays

from pi_app.rules.contract import Opening
from pi_app.rules.tables.pin import PIN_GAME as GAME
from pi_app.rules.terms import Move, Outcome, PositionError, Roll, Side, Spot, SpotKind, TextError

WHITE, BLACK = Side.WHITE, Side.BLACK
START = "-o----------------------O- w -"
BLOT = "----------a-----A--------- w -"
"""White alone on 16, Black alone on 10."""

HELD = "------A---A-----A--------- w 10"
"""White on 16 and 6, and on 10 upon a black checker."""

UNDER = "------A---a-----A--------- w 10"
"""The same, and Black upon a white checker on 10."""


# --- the rules, one by one


def test_rule_1_all_fifteen_start_on_the_own_24_point() -> None:
    assert GAME.write_position(GAME.start(WHITE)) == START
    assert GAME.opening is Opening.HIGHER_ROLLS_AFRESH
    assert GAME.previous_winner_starts
    assert not GAME.has_cube
    assert not any(spot.kind is SpotKind.BAR for spot in GAME.spots)


def test_rule_1_the_start_with_every_doublet() -> None:
    counts = [len(GAME.results(GAME.start(WHITE), Roll.of(die, die))) for die in range(1, 7)]
    assert counts == [5, 5, 5, 5, 5, 4]
    assert plays(GAME, START, "65") == {"24/13", "24/19 24/18"}


def test_rule_3_two_enemies_or_one_upon_a_checker_of_mine_close_a_point() -> None:
    # 16/10 is closed by one black checker, because it lies on a white one.
    assert plays(GAME, UNDER, "65") == {"16/5"}
    assert plays(GAME, "----------b-----A--------- w -", "61") == {"16/9"}


def test_rule_4_landing_on_a_single_enemy_pins_it() -> None:
    assert after(GAME, BLOT, "16/10*") == "----------A--------------- b 10"
    two = GAME.read_position("----------a-----AA-------- w -")
    play = GAME.read_play(two, "17/16 16/10")
    assert play == (
        Move(Spot.read("17"), Spot.read("16")),
        Move(Spot.read("16"), Spot.read("10"), pins=True),
    )
    assert "17/10*" in plays(GAME, "----------a-----AA-------- w -", "61")


def test_rule_4_touching_down_on_the_way_does_nothing() -> None:
    assert plays(GAME, BLOT, "61") == {"16/9"}
    assert after(GAME, BLOT, "16/9") == "---------Aa--------------- b -"


def test_rule_4_leaving_sets_it_free_and_more_may_join() -> None:
    assert after(GAME, HELD, "10/9") == "------A--Aa-----A--------- b -"
    assert after(GAME, HELD, "16/10") == "------A---B--------------- b 10"
    twice = after(GAME, HELD, "16/10").replace(" b ", " w ")
    assert after(GAME, twice, "10/9") == "------A--AA--------------- b 10"


def test_rule_4_a_pinned_checker_does_not_move() -> None:
    assert plays(GAME, HELD.replace(" w ", " b "), "21") == {"forfeit"}
    assert not any(play.startswith("10/") for play in plays(GAME, UNDER, "11"))


@pytest.mark.parametrize(
    ("text", "roll", "expected"),
    [
        ("--A-Aa-------------------- w 5", "62", {"2/off", "4/2"}),
        ("--A-Aa-------------------- w 5", "66", {"forfeit"}),
        ("--A-A-a------------------- w -", "66", {"4/off 2/off"}),
        ("--A-A-a------------------- w 6", "54", {"4/off"}),
        ("-aA-A--------------------- w 1", "66", {"4/off 2/off"}),
    ],
)
def test_rule_7_a_pinned_checker_is_home_and_bars_higher_dice_from_behind(
    text: str, roll: str, expected: set[str]
) -> None:
    assert plays(GAME, text, roll) == expected


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (START, None),
        ("-------------------a-a---- b -", Outcome(WHITE, 10, "win")),
        ("---A-A-------------------- w -", Outcome(BLACK, 8, "win")),
        ("-------------------o------ b -", Outcome(WHITE, 2 * 15 * 6, "gammon")),
        ("-------o------------------ b -", Outcome(WHITE, 2 * 15 * 18, "gammon")),
        ("------o------------------- b -", Outcome(WHITE, 3 * 15 * 19, "backgammon")),
        ("-n-------a---------------- b -", Outcome(WHITE, 3 * (14 * 24 + 16), "backgammon")),
    ],
)
def test_rule_8_the_pips_the_loser_still_needs(text: str, outcome: Outcome | None) -> None:
    position = GAME.read_position(text)
    assert GAME.outcome(position) == outcome
    assert (GAME.plays(position, Roll.of(2, 1)) == ()) is (outcome is not None)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        # White's mother on 24 is pinned, and Black has left 1.
        ("----A------------------aa- w 24", Outcome(BLACK, 2, "mother")),
        # Black still stands on 1.
        ("-m--A------------------aa- w 24", None),
        # Even a pinned one there counts, and both mothers pinned are a tie.
        ("-A----------------------a- w 1,24", Outcome(None, 0, "tie")),
        # Black's only checker on 1 is a mother that White has pinned; White has left 24.
        ("-A--A------------------a-- w 1", Outcome(WHITE, 2, "mother")),
        # A single checker pinned elsewhere is no mother.
        ("----A-----------------aa-- w 22", None),
    ],
)
def test_rule_9_mothers(text: str, outcome: Outcome | None) -> None:
    assert GAME.outcome(GAME.read_position(text)) == outcome


def test_rule_9_play_goes_on_until_the_pinner_has_left_his_start() -> None:
    text = "-a-----------------A----a- b 24"
    assert GAME.outcome(GAME.read_position(text)) is None
    left = GAME.read_position(after(GAME, text, "1/3"))
    assert GAME.outcome(left) == Outcome(BLACK, 2, "mother")
    freed = GAME.read_position(after(GAME, text, "24/off"))
    assert GAME.outcome(freed) is None


def test_rule_9_a_mother_touched_on_the_way_is_not_caught() -> None:
    """Black lands on 24 with one die only to be borne off with the other."""
    text = "----------------------aaA- b -"
    over = {
        GAME.outcome(result) is not None
        for result in GAME.results(GAME.read_position(text), Roll.of(2, 1))
    }
    assert over == {True, False}


def test_the_pictures_show_who_lies_beneath() -> None:
    drawn = GAME.draw(GAME.read_position(HELD)).splitlines()
    above, edge = (line.replace("|", "").split() for line in drawn[10:12])
    assert above == ["○"]
    assert edge == ["·", "·", "●", "·", "·", "·", "○", "·", "·", "·", "·", "·"]


# --- what `explain` says

EXAMPLES = [
    (BLOT, "61", "10 9", "not-your-checker", "10 is Black's; it is White's turn"),
    (BLOT, "61", "12 11", "no-checker-there", "No checker stands on 12"),
    (HELD, "41", "10 6, 10 9", "no-checker-there", "No second checker of his own stands on 10"),
    (BLOT, "61", "16 17", "backward", "16/17 goes back"),
    (BLOT, "61", "16 11", "wrong-distance", "16/11 needs 5 pips; the dice show 6 and 1"),
    (HELD, "61", "16 10, 6 off.white", "die-used", "6/off needs 6 pips; only 1 is left"),
    (UNDER, "64", "16 10", "point-held", "16/10: Black pins a checker on 10, which closes it"),
    ("----------b-----A--------- w -", "61", "16 10", "point-held", "Black holds 10 with 2"),
    (UNDER, "41", "10 6", "pinned", "White's checker on 10 is pinned by Black"),
    (HELD.replace(" w ", " b "), "41", "10 14", "pinned", "Black's checker on 15 is pinned by"),
    (BLOT, "61", "", "must-move", "White must move, such as 16/9"),
    (BLOT, "61", "16 10", "both-dice", "the 1 is unused"),
    ("---------b------A--------- w -", "61", "16 15", "higher-die", "Play the higher die: the 6"),
    (HELD, "61", "6 off.white", "not-all-home", "one stands on 16"),
    ("--A-Aa-------------------- w 5", "62", "4 off.white", "farther-back", "back, on 5"),
    (BLOT, "61", "off.white 1", "off-is-final", "A checker that is off stays off"),
    ("-A--A------------------a-- w 1", "61", "4 3", "game-over", "Game over"),
]


@pytest.mark.parametrize(("text", "roll", "attempt", "identifier", "sentence"), EXAMPLES)
def test_an_illegal_attempt_names_its_rule(
    text: str, roll: str, attempt: str, identifier: str, sentence: str
) -> None:
    broken = explained(GAME, text, roll, attempt)
    assert broken is not None
    assert broken.rule.identifier == identifier
    assert sentence in broken.reason


def test_every_rule_has_an_example_and_cites_its_sheet() -> None:
    assert {rule.identifier for rule in GAME.rules} == {example[3] for example in EXAMPLES}
    assert {rule.source.split(",")[0] for rule in GAME.rules} == {"The Pin game"}


def test_what_stands_after_a_pinned_checker_was_taken_away() -> None:
    position = GAME.attempted(GAME.read_position(UNDER), moves("10 9"))
    assert GAME.write_position(position) == "------A--Aa-----A--------- b -"


# --- texts

BAD_TEXTS = [
    (START[:-2], ["'' of the pinned points is no point where checkers stand"]),
    (START[:-1] + "0", ["'0' of the pinned points is no point"]),
    (START[:-1] + "x,25", ["'x' of the pinned", "'25' of the pinned"]),
    (START[:-1] + "5", ["'5' of the pinned points is no point where checkers stand"]),
    (START[:-1] + "1", ["White has 16 checkers, 15 at most"]),
    (
        "-n----------------------N- w 1,1",
        ["'1' of the pinned points is no point where checkers stand, or comes twice"],
    ),
    (START + " w", ["'w' is too much"]),
    (
        "ao----------------------OA w -",
        [
            "Black's bar holds a checker; this game has no bar",
            "White's bar holds a checker; this game has no bar",
            "White has 16",
            "Black has 16",
        ],
    ),
]


@pytest.mark.parametrize(("text", "parts"), BAD_TEXTS)
def test_a_bad_position_text_names_every_reason(text: str, parts: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        GAME.read_position(text)
    reasons = error.value.reasons
    assert len(reasons) == len(parts), reasons
    assert all(part in reason for part, reason in zip(parts, reasons, strict=True))


def test_checkers_that_no_board_can_hold_name_every_reason() -> None:
    checkers = {Spot.read("3"): (WHITE, WHITE, BLACK), Spot.read("4"): (WHITE, BLACK, BLACK)}
    with pytest.raises(PositionError) as error:
        GAME.position_of(checkers, WHITE)
    assert error.value.reasons == ("point 3 is mixed; one checker can be pinned, at the bottom",)


def test_pinned_points_may_be_listed_in_any_order() -> None:
    position = GAME.read_position("-a----A---B--------------- w 10,6")
    assert GAME.write_position(position) == "-a----A---B--------------- w 6,10"


def test_there_is_no_bar_to_enter_from() -> None:
    with pytest.raises(TextError, match="'bar/20' is no move"):
        GAME.read_play(GAME.start(WHITE), "bar/20")
