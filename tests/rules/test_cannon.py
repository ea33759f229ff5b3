"""Cannon: each rule as a position to look at, and the figures of the whole game."""

import random
from collections.abc import Iterator

import pytest

from pi_app.rules.cannon import BOOK, OFF, POINTS, Cannon, CannonPosition
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

CANNON = Cannon()
TOURNAMENT = Cannon(three_slides=True)
LIGHT, DARK = Side.WHITE, Side.BLACK
NO_ROLL = Roll(())
TOWNS = ("10 ....O", "1 ....X")
START = "/.o.o.o.o.o/.o.o.o.o.o/.o.o.o.o.o/........../........../x.x.x.x.x./x.x.x.x.x./x.x.x.x.x./"
BARE = ".........."
ROTATED = dict(zip(POINTS, reversed(POINTS), strict=True))
ROTATED |= {OFF[side]: OFF[side.other] for side in Side}


def board(mover: str, *rows: str) -> str:
    """A position text from rows like `7 .oo`; both towns stand on file e unless a row says so."""
    given = dict(row.split(" ") for row in (*TOWNS, *rows))
    return (
        "/".join(given.get(str(row), "").ljust(10, ".") for row in range(10, 0, -1)) + " " + mover
    )


def plays(text: str, game: Cannon = CANNON) -> set[str]:
    position = game.read_position(text)
    return {game.write_play(position, play) for play in game.plays(position, NO_ROLL)}


def after(text: str, *turns: str, game: Cannon = CANNON) -> str:
    """The text after some turns, each of them legal."""
    for turn in turns:
        assert turn in plays(text, game)
        position = game.read_position(text)
        text = game.write_position(game.after(position, game.read_play(position, turn)))
    return text


def outcome(text: str) -> Outcome | None:
    return CANNON.outcome(CANNON.read_position(text))


def attempt(written: str) -> tuple[Move, ...]:
    """`b4 b6, off.white e10` as moves of the hand, legal or not."""
    pairs = (pair.split() for pair in written.split(",") if pair)
    return tuple(Move(Spot.read(origin), Spot.read(target)) for origin, target in pairs)


def rotated(text: str) -> str:
    """The same position seen from the other side of the board, the armies exchanged."""
    rows, mover = text.split(" ")
    swapped = rows[::-1].translate(str.maketrans("oOxX", "xXoO"))
    return f"{swapped} {'D' if mover == 'L' else 'L'}"


def scattered(seed: int) -> str:
    """A made-up position whose armies stand close together, so that every kind of action occurs."""
    dice = random.Random(seed)
    low, high = sorted(dice.sample(range(1, 11), 2)) if seed % 3 else (1, 10)
    free = [spot for spot in POINTS if low <= spot.number <= high]
    spots = dice.sample(free, min(len(free), 30))
    half = len(spots) // 2
    signs = dict.fromkeys(spots[:half], "o") | dict.fromkeys(spots[half:], "x")
    signs |= {
        Spot.read(dice.choice("bcdefghi") + "10"): "O",
        Spot.read(dice.choice("bcdefghi") + "1"): "X",
    }
    rows = "".join(signs.get(spot, ".") for spot in POINTS)
    cut = "/".join(rows[first : first + 10] for first in range(0, 100, 10))
    return f"{cut} {dice.choice('LD')}"


def perft(position: CannonPosition, depth: int) -> int:
    """How many lines of play lead so many turns on; a finished game leads nowhere."""
    if depth == 0:
        return 1
    return sum(perft(result, depth - 1) for result in CANNON.results(position, NO_ROLL))


def walk(game: Cannon, seed: int) -> Iterator[tuple[CannonPosition, Move, CannonPosition]]:
    """One random game: before, the move, after."""
    dice = random.Random(seed)
    position = game.start(LIGHT)
    while legal := game.plays(position, NO_ROLL):
        play = dice.choice(legal)
        following = game.after(position, play)
        yield position, play[0], following
        position = following


SCATTERED = [scattered(seed) for seed in range(60)]


# --- the rules, one by one


def test_rule_1_light_places_a_town_then_dark_then_light_moves() -> None:
    start = CANNON.write_position(CANNON.start(LIGHT))
    assert start == f"{BARE}{START}{BARE} L"
    assert plays(start) == {f"@{file}10" for file in "bcdefghi"}
    light = after(start, "@e10")
    assert light == f"....O.....{START}{BARE} D"
    assert plays(light) == {f"@{file}1" for file in "bcdefghi"}
    assert after(light, "@b1") == f"....O.....{START}.X........ L"


def test_rule_1_a_turn_that_comes_too_soon_waits_for_the_other_town() -> None:
    waiting = f"....O.....{START}{BARE} L"
    assert plays(waiting) == {"forfeit"}
    assert outcome(waiting) is None
    assert after(waiting, "forfeit") == f"....O.....{START}{BARE} D"


def test_the_start_as_a_picture() -> None:
    assert CANNON.draw(CANNON.read_position(f"....O.....{START}....X..... L")).splitlines() == [
        "10 · · · · □ · · · · ·",
        " 9 · ○ · ○ · ○ · ○ · ○",
        " 8 · ○ · ○ · ○ · ○ · ○",
        " 7 · ○ · ○ · ○ · ○ · ○",
        " 6 · · · · · · · · · ·",
        " 5 · · · · · · · · · ·",
        " 4 ● · ● · ● · ● · ● ·",
        " 3 ● · ● · ● · ● · ● ·",
        " 2 ● · ● · ● · ● · ● ·",
        " 1 · · · · ■ · · · · ·",
        "   a b c d e f g h i j",
        "Light to move",
    ]


def test_rule_3_a_soldier_steps_forward_or_diagonally_forward() -> None:
    assert plays(board("L", "5 ..o")) == {"c5-b4", "c5-c4", "c5-d4"}
    assert plays(board("D", "5 ..x")) == {"c5-b6", "c5-c6", "c5-d6"}
    assert plays(board("L", "5 o")) == {"a5-a4", "a5-b4"}
    assert plays(board("D", "5 .........x")) == {"j5-i6", "j5-j6"}


def test_rule_4_a_soldier_captures_forward_diagonally_and_sideways() -> None:
    crowded = board("L", "6 .xxx", "5 .xox", "4 .xxx")
    assert plays(crowded) == {"c5xb5", "c5xd5", "c5xb4", "c5xc4", "c5xd4"}
    assert after(crowded, "c5xb5") == board("D", "6 .xxx", "5 .o.x", "4 .xxx")
    assert plays(board("D", "5 .ox")) >= {"c5xb5", "c5-c6"}


def test_rule_5_a_soldier_next_to_an_enemy_may_retreat_two_points() -> None:
    beset = board("L", "5 ..ox")
    assert {"c5--a7", "c5--c7", "c5--e7"} <= plays(beset)
    assert after(beset, "c5--e7") == board("D", "7 ....o", "5 ...x")
    assert "c5--c7" not in plays(board("L", "5 ..o.x"))
    assert {"c5--a3", "c5--c3", "c5--e3"} <= plays(board("D", "6 ...o", "5 ..x"))


@pytest.mark.parametrize("row", ["7 ..o", "7 ..x", "6 ..o", "6 ..x"])
def test_rule_5_both_points_of_a_retreat_are_empty(row: str) -> None:
    assert "c5--c7" not in plays(board("L", row, "5 ..ox"))


def test_rule_5_a_town_is_an_enemy_to_retreat_from() -> None:
    assert plays(board("L", "2 ...o")) >= {"d2--b4", "d2--d4", "d2--f4", "d2xe1"}


def test_rule_6_a_cannon_slides_along_its_line_either_way() -> None:
    upright = board("L", "7 ..o", "6 ..o", "5 ..o")
    assert {"c7---c4", "c5---c8"} <= plays(upright)
    assert after(upright, "c5---c8") == board("D", "8 ..o", "7 ..o", "6 ..o")
    assert {"c7---f7", "e7---b7"} <= plays(board("L", "7 ..ooo"))
    assert {"c7---f4", "e5---b8"} <= plays(board("L", "7 ..o", "6 ...o", "5 ....o"))
    assert {"e7---b4", "c5---f8"} <= plays(board("L", "7 ....o", "6 ...o", "5 ..o"))


def test_rule_6_a_slide_needs_its_point_empty_and_takes_no_town_along() -> None:
    assert not [play for play in plays(board("L", "7 .xooox")) if "---" in play]
    assert not [play for play in plays(board("D", "3 ....x", "2 ....x")) if "---" in play]


def test_rule_7_a_cannon_shoots_two_or_three_points_from_its_front() -> None:
    loaded = board("L", "9 .o", "8 .o", "7 .o", "5 .x", "4 .x", "3 .x")
    shots = {play for play in plays(loaded) if play.startswith("x")}
    assert shots == {"xb5", "xb4"}
    assert after(loaded, "xb4") == board("D", "9 .o", "8 .o", "7 .o", "5 .x", "3 .x")


def test_rule_7_the_point_in_front_is_empty_and_only_that_one() -> None:
    assert "xb5" not in plays(board("L", "9 .o", "8 .o", "7 .o", "6 .x", "5 .x"))
    assert "xb4" in plays(board("L", "9 .o", "8 .o", "7 .o", "5 .o", "4 .x"))


def test_rule_7_shots_stop_at_the_edge_and_come_in_on_no_other_side() -> None:
    edge = board("L", "6 x..", "5 xx.....ooo", "4 xx")
    assert not [play for play in plays(edge) if play.startswith("x")]


def test_rule_7_two_cannons_at_one_target_are_one_play() -> None:
    crossed = CANNON.read_position(board("L", "9 .o", "8 .o", "7 .o", "5 .x.ooo"))
    written = [CANNON.write_play(crossed, p) for p in CANNON.plays(crossed, NO_ROLL)]
    assert written.count("xb5") == 1


def test_rule_8_a_town_falls_to_a_soldier_or_a_shot() -> None:
    light_won = Outcome(LIGHT, 1, "town taken")
    assert outcome(after(board("L", "2 ...o"), "d2xe1")) == light_won
    shot = after(board("L", "6 ....o", "5 ....o", "4 ....o"), "xe1")
    assert outcome(shot) == light_won
    assert plays(shot) == set()
    assert outcome(after(board("D", "9 ...x"), "d9xe10")) == Outcome(DARK, 1, "town taken")


def test_rule_8_leaving_the_own_town_open_is_legal() -> None:
    assert "a5-a4" in plays(board("L", "5 o", "9 ...x"))


def test_rule_8_a_player_who_cannot_act_loses() -> None:
    stuck = board("L", "1 o...X", "5 ..x")
    assert outcome(stuck) == Outcome(DARK, 1, "no action left")
    assert plays(stuck) == set()
    assert outcome(board("L", "1 ox..X")) is None
    assert outcome(board("D", "5 o")) == Outcome(LIGHT, 1, "no action left")


# --- rule 9, the tournament's

GUN = board("L", "7 ..o.......", "6 ..o......o", "5 ..o.......", "3 x")


def test_rule_9_a_cannon_slides_three_times_in_a_row_and_no_more() -> None:
    text = after(GUN, "c5---c8", "a3-a4", "c8---c5", "a4-a5", "c7---c4", game=TOURNAMENT)
    assert text.endswith(" D c6c4:3")
    text = after(text, "a5-a6", game=TOURNAMENT)
    assert text.endswith(" L c6c4:3")
    assert not [play for play in plays(text, TOURNAMENT) if "---" in play]
    free = text.removesuffix(" c6c4:3")
    assert [play for play in sorted(plays(free, TOURNAMENT)) if "---" in play] == [
        "c4---c7",
        "c6---c3",
    ]


def test_rule_9_is_off_unless_asked_for() -> None:
    text = after(GUN, "c5---c8", "a3-a4", "c8---c5", "a4-a5", "c5---c8", "a5-a6")
    assert text.endswith(" L")
    assert "c8---c5" in plays(text)


SLID = (
    board("L", "9 ..x.....oo", "7 ..o.o", "6 ..o.o", "5 ..o.o", "3 ..x", "2 x", "1 ....X...")
    + " c7c5:3"
)


@pytest.mark.parametrize(
    ("turn", "ends"),
    [
        ("c7-b6", " D"),
        ("j9-j8", " D"),
        ("e7---e4", " D e6e4:1"),
        ("xc3", " D c7c5:3"),
    ],
)
def test_rule_9_another_piece_breaks_the_row_and_the_cannons_own_shot_does_not(
    turn: str, ends: str
) -> None:
    text = after(SLID, turn, game=TOURNAMENT)
    assert text[text.index(" D") :] == ends


def test_rule_9_a_shot_that_another_cannon_could_have_fired_breaks_the_row() -> None:
    two = board("L", "7 ..o", "6 ..o", "5 ..o", "3 ..x.ooo") + " c7c5:2"
    assert after(two, "xc3", game=TOURNAMENT).endswith(" D")


def test_rule_9_a_cannon_that_lost_a_soldier_is_forgotten() -> None:
    text = board("D", "7 ..o", "6 .xo", "5 ..o", "3 ......ooo") + " c7c5:2"
    assert after(text, "b6xc6", game=TOURNAMENT).endswith(" L")
    assert after(text, "b6-b7", game=TOURNAMENT).endswith(" L c7c5:2")


def test_rule_9_each_side_counts_its_own_slides() -> None:
    text = board("L", "7 ..o", "6 ..o", "5 ..o", "4 x......x", "3 x......x", "2 x......x")
    text = after(text, "c5---c8", "a2---a5", "c8---c5", game=TOURNAMENT)
    assert text.endswith(" D c7c5:2 a5a3:1")
    picture = TOURNAMENT.draw(TOURNAMENT.read_position(text)).splitlines()
    assert picture[-2:] == [
        "The cannon c7–c5 has slid 2 of 3",
        "The cannon a5–a3 has slid 1 of 3",
    ]


def test_rule_9_results_and_plays_agree() -> None:
    position = TOURNAMENT.read_position(SLID)
    legal = TOURNAMENT.plays(position, NO_ROLL)
    assert TOURNAMENT.results(position, NO_ROLL) == tuple(
        TOURNAMENT.after(position, play) for play in legal
    )
    barred = plays(SLID.removesuffix(" c7c5:3")) - {
        TOURNAMENT.write_play(position, play) for play in legal
    }
    assert barred == {"c7---c4", "c5---c8"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("c7c5:4", "'c7c5:4' after the mover is not a cannon that has slid; write b9b7:2"),
        ("c7", "'c7' after the mover"),
        ("c7d5:2", "'c7d5:2': these are not the ends of a cannon"),
        ("c8c6:2", "'c8c6:2': these are not the ends of a cannon"),
        ("c7c5:2 e7e5:1", "two cannons of one side have slid last"),
        ("a5a3:2 c7c5:1", "'a5a3:2' is Dark's; Light's cannon comes first"),
    ],
)
def test_rule_9_cannons_that_cannot_have_slid(words: str, reason: str) -> None:
    standing = board("L", "7 ..o.o", "6 ..o.o", "5 x.o.o", "4 x", "3 x")
    with pytest.raises(PositionError) as error:
        TOURNAMENT.read_position(f"{standing} {words}")
    (found,) = error.value.reasons
    assert reason in found


def test_rule_9_the_plain_game_takes_no_counted_slides() -> None:
    with pytest.raises(PositionError, match=r"tournament rule only; leave out 'c7c5:3'"):
        CANNON.read_position(SLID)


# --- what `explain` says: position, attempt, identifier, part of the sentence

OPEN = f"{BARE}{START}{BARE} L"
HALF = f"....O.....{START}{BARE} D"
DUEL = board("L", "8 .o....o", "7 .o....o", "6 .o....o", "5 ...xo.x", "4 .x...xx", "3 .xo...o")
EXAMPLES = [
    (OPEN, "b7 b6", "town-first", "Light places a town on b10 to i10 first"),
    (f"....O.....{START}{BARE} L", "b7 b6", "town-first", "Dark places a town on b1 to i1 first"),
    (OPEN, "off.black b1", "town-first", "Light places a town"),
    (OPEN, "off.white a10", "town-row", "Light's town belongs on b10 to i10, not a10"),
    (OPEN, "off.white off.black", "town-row", "not off"),
    (HALF, "off.black b10", "town-row", "Dark's town belongs on b1 to i1, not b10"),
    (DUEL, "e10 e9", "town-does-not-move", "e10-e9: a town does not move"),
    (DUEL, "e10 off.white", "town-does-not-move", "a town does not move"),
    (DUEL, "c3 c2, e5 e4", "one-action", "Only one action a turn"),
    (DUEL, "", "must-act", "Light must act; no passing"),
    (OPEN, "", "must-act", "Light must act"),
    (DUEL, "a5 a4", "no-piece-there", "No piece stands on a5"),
    (DUEL, "d5 d6", "not-your-piece", "The piece on d5 is Dark's; it is Light's turn"),
    (DUEL, "d5 off.white", "not-your-piece", "The piece on d5 is Dark's"),
    (DUEL, "b8 b7", "own-piece", "a piece of the same side stands on b7"),
    (DUEL, "c3 c3", "own-piece", "stands on c3"),
    (DUEL, "c3 e2", "soldier-too-far", "c3-e2 follows no line of the board"),
    (DUEL, "c3 c1", "soldier-too-far", "c3-c1 is 2 points; a soldier goes 1, a cannon slides 3"),
    (DUEL, "g3 c7", "soldier-too-far", "g3-c7 is 4 points; a retreat is 2"),
    (DUEL, "c3 d3", "sideways", "c3-d3: a soldier goes sideways only to capture"),
    (DUEL, "c3 c4", "backward", "c3-c4 goes back one point; a retreat is two"),
    (DUEL, "c3 b4", "backward-capture", "c3-b4: a soldier does not capture backward"),
    (DUEL, "g3 g5", "backward-capture", "g3-g5: a retreat does not capture"),
    (DUEL, "c3 off.white", "off-the-board", "a soldier leaves only when it is taken"),
    (DUEL, "c3 off.black", "off-the-board", "a soldier leaves only when it is taken"),
    (DUEL, "c3 c11", "off-the-board", "c11 is not a point of the board"),
    (DUEL, "k3 c2", "off-the-board", "k3 is not a point of the board"),
    (DUEL, "off.white d5", "taken-is-final", "a piece that was taken stays off"),
    (board("L", "5 ..o"), "c5 c7", "no-enemy-beside", "no enemy stands next to c5"),
    (DUEL, "g3 e5", "own-piece", "stands on e5"),
    (board("L", "6 ..x", "5 ..o"), "c5 c7", "retreat-blocked", "c6 in between is taken"),
    (DUEL, "c3 f3", "no-cannon", "c3-f3 is 3 points; that takes a cannon on c3, d3 and e3"),
    (DUEL, "e5 h2", "no-cannon", "that takes a cannon on e5, f4 and g3"),
    (DUEL, "c3 c11", "off-the-board", "it has a1 to j10"),
    (DUEL, "d5 off.black", "no-cannon", "No cannon of Light's is in line with d5"),
    (DUEL, "g8 g5", "slide-does-not-capture", "g8-g5: a slide does not capture"),
    (DUEL, "g5 off.black", "front-taken", "g5, the point in front of the cannon on g8, g7 and g6"),
    (DUEL, "g4 off.black", "front-taken", "g5, the point in front of the cannon"),
    (
        board("L", "8 .o", "7 .o", "6 .o", "2 .x"),
        "b2 off.black",
        "shot-too-far",
        "b2 is 4 points from the cannon on b8, b7 and b6; a shot strikes 2 or 3",
    ),
    (DUEL, "b6 b4", "shot-moves-nothing", "To shoot, take b4 away and leave b6"),
    (DUEL, "b8 b3", "shot-moves-nothing", "To shoot, take b3 away and leave b8"),
    (board("L", "10 ....O", "5 o", "1 ."), "a5 a4", "game-over", "Dark's town was taken"),
    (board("D", "5 o"), "", "game-over", "Dark cannot act"),
    (SLID, "c7 c4", "three-slides", "The cannon on c7, c6 and c5 has slid 3 times in a row"),
]


@pytest.mark.parametrize(("text", "written", "identifier", "sentence"), EXAMPLES)
def test_an_illegal_attempt_names_its_rule(
    text: str, written: str, identifier: str, sentence: str
) -> None:
    broken = TOURNAMENT.explain(TOURNAMENT.read_position(text), NO_ROLL, attempt(written))
    assert broken is not None
    assert sentence in broken.reason
    assert broken.rule.identifier == identifier


def without_example(examples: list[tuple[str, str, str, str]]) -> set[str]:
    return set(BOOK) - {identifier for *_, identifier, _ in examples}


def test_every_rule_has_an_example() -> None:
    assert without_example(EXAMPLES) == set()
    assert without_example(EXAMPLES[:-1]) == {"three-slides"}


def disagreements(game: Cannon, position: CannonPosition) -> list[tuple[Spot, Spot]]:
    """Every single attempt that `explain` and `plays` judge differently."""
    legal = {(move.origin, move.target) for (move,) in game.plays(position, NO_ROLL)}
    return [
        (origin, target)
        for origin in game.spots
        for target in game.spots
        if ((origin, target) in legal)
        is not (game.explain(position, NO_ROLL, (Move(origin, target),)) is None)
    ]


@pytest.mark.parametrize("text", [OPEN, HALF, DUEL, *SCATTERED[:12]])
def test_explain_agrees_to_legal_plays_and_to_nothing_else(text: str) -> None:
    position = CANNON.read_position(text)
    assert disagreements(CANNON, position) == []
    assert CANNON.explain(position, NO_ROLL, ()) is not None


@pytest.mark.parametrize("text", [SLID, f"{SLID[:-1]}2"])
def test_explain_knows_how_often_a_cannon_has_slid(text: str) -> None:
    assert disagreements(TOURNAMENT, TOURNAMENT.read_position(text)) == []


def test_waiting_for_a_town_is_legal_when_it_is_the_others_to_place() -> None:
    assert CANNON.explain(CANNON.read_position(f"....O.....{START}{BARE} L"), NO_ROLL, ()) is None


# --- what stands after an attempt


@pytest.mark.parametrize(
    ("written", "stands"),
    [
        ("c5 c8", board("D", "8 ..o", "5 ...x")),
        ("d5 d6", board("D", "6 ...x", "5 ..o")),
        ("c5 c4, c4 c3", board("D", "5 ...x", "3 ..o")),
        ("c5 d5", board("D", "5 ...o")),
        ("d5 off.black", board("D", "5 ..o")),
        ("c5 off.white", board("D", "5 ...x")),
        ("off.white a5", board("D", "5 o.ox")),
        ("e10 f10", board("D", "10 .....O", "5 ..ox")),
        ("e10 e9", board("D", "10 .", "9 ....O", "5 ..ox")),
        ("e10 off.white", board("D", "10 .", "5 ..ox")),
    ],
)
def test_what_stands_after_an_illegal_attempt(written: str, stands: str) -> None:
    position = CANNON.read_position(board("L", "5 ..ox"))
    assert CANNON.write_position(CANNON.attempted(position, attempt(written))) == stands


@pytest.mark.parametrize(
    ("text", "written", "identifier"),
    [
        (DUEL, "a5 a4", "no-piece-there"),
        (DUEL, "k5 a4", "no-piece-there"),
        (DUEL, "b8 b7", "own-piece"),
        (DUEL, "b8 off.black", "off-the-board"),
        (DUEL, "b8 k7", "off-the-board"),
        (f"....O.....{START}....X..... L", "off.white a5", "no-piece-there"),
    ],
)
def test_what_no_hand_can_do_cannot_be_attempted(text: str, written: str, identifier: str) -> None:
    with pytest.raises(IllegalPlayError) as error:
        CANNON.attempted(CANNON.read_position(text), attempt(written))
    assert error.value.broken.rule.identifier == identifier


# --- texts

BAD_TEXTS = [
    ("", ["the mover is ''; end with ' L' or ' D'", "there are 1 rows"]),
    (board("w", "5 o"), ["the mover is 'w'"]),
    (board("L", "10 .O..O"), ["Light has 2 towns, on b10 and e10; one at most"]),
    (board("L", "10 O"), ["Light's town is on a10; it stands on b10 to i10"]),
    (board("L", "1 .........X"), ["Dark's town is on j1; it stands on b1 to i1"]),
    (
        board("L", "10 X", "1 O", "5 oooooooooo", "6 oooooo"),
        [
            "Light's town is on a1; it stands on b10 to i10",
            "Light has 16 soldiers, 15 at most",
            "Dark's town is on a10; it stands on b1 to i1",
        ],
    ),
    (board("L", "10 .", "1 .", "5 o"), ["neither side has a town"]),
    (
        board("x", "7 ...........", "6 .q", "5 w")[1:],
        [
            "the mover is 'x'",
            "row 10 is '...O.....'",
            "row 7 is '...........'",
            "b6 is 'q'",
            "a5 is 'w'",
        ],
    ),
]


@pytest.mark.parametrize(("text", "parts"), BAD_TEXTS)
def test_a_bad_position_text_names_every_reason(text: str, parts: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        CANNON.read_position(text)
    reasons = error.value.reasons
    assert len(reasons) == len(parts)
    assert all(part in reason for part, reason in zip(parts, reasons, strict=True))
    assert repr(text) in str(error.value)


def test_pieces_that_no_board_can_hold_name_every_reason() -> None:
    pieces = {
        Spot.read("a1"): (DARK, DARK),
        Spot.read("a2"): (LIGHT, DARK),
        Spot.read("a3"): (LIGHT, LIGHT, LIGHT),
        Spot.read("e10"): (LIGHT, LIGHT),
    }
    with pytest.raises(PositionError) as error:
        CANNON.position_of(pieces, LIGHT)
    assert error.value.reasons == (
        "a3 holds 3 pieces; one is a soldier, two are a town",
        "a2 holds pieces of both sides",
        "Dark's town is on a1; it stands on b1 to i1",
    )


@pytest.mark.parametrize(
    "text", ["", "b4", "b4-b11", "k4-k5", "b0-b1", "b4+b5", "x", "@k1", "b4----b8"]
)
def test_a_bad_play_text_says_how_plays_are_written(text: str) -> None:
    with pytest.raises(TextError, match=r"write b4-b5, b4xc5, a shot as xe7 or a town as @e10"):
        CANNON.read_play(CANNON.read_position(DUEL), text)


def test_a_play_text_may_be_written_loosely() -> None:
    position = CANNON.read_position(DUEL)
    taking = (Move(Spot.read("e5"), Spot.read("d5"), hit=True),)
    assert CANNON.read_play(position, " E5-D5 ") == CANNON.read_play(position, "e5xd5") == taking
    retreat = (Move(Spot.read("g3"), Spot.read("g5"), hit=True),)
    assert CANNON.read_play(position, "g3-g5") == retreat


@pytest.mark.parametrize("text", [OPEN, HALF, DUEL, *SCATTERED])
def test_every_text_reads_back(text: str) -> None:
    position = CANNON.read_position(text)
    assert CANNON.write_position(position) == text
    assert CANNON.position_of(CANNON.checkers_at(position), position.mover) == position
    for play in CANNON.plays(position, NO_ROLL):
        assert CANNON.read_play(position, CANNON.write_play(position, play)) == play


def test_counted_slides_read_back() -> None:
    assert TOURNAMENT.write_position(TOURNAMENT.read_position(SLID)) == SLID


# --- the whole game


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (f"....O.....{START}....X..... L", [1, 42, 1_740, 72_730]),
        (
            "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../"
            ".xox.x...x/xx..x...xx/..x.xx.x../........../....X..... L",
            [1, 40, 1_802, 72_716],
        ),
        (OPEN, [1, 8, 64, 2_656]),
    ],
)
def test_as_many_lines_of_play_as_others_have_counted(text: str, counts: list[int]) -> None:
    position = CANNON.read_position(text)
    assert [perft(position, depth) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("text", SCATTERED)
def test_results_come_once_each_in_the_order_of_the_plays(text: str) -> None:
    position = CANNON.read_position(text)
    results = CANNON.results(position, NO_ROLL)
    legal = CANNON.plays(position, NO_ROLL)
    assert results == tuple(CANNON.after(position, play) for play in legal)
    assert len(set(results)) == len(results)


@pytest.mark.parametrize("text", [OPEN, HALF, DUEL, *SCATTERED])
def test_the_board_turned_round_gives_the_same_plays_turned_round(text: str) -> None:
    expected = {
        (Move(ROTATED[move.origin], ROTATED[move.target], move.hit),)
        for (move,) in CANNON.plays(CANNON.read_position(text), NO_ROLL)
    }
    turned = CANNON.read_position(rotated(text))
    assert set(CANNON.plays(turned, NO_ROLL)) == expected


@pytest.mark.parametrize("game", [CANNON, TOURNAMENT])
@pytest.mark.parametrize("seed", range(4))
def test_pieces_leave_only_by_captures_and_shots(game: Cannon, seed: int) -> None:
    for before, move, following in walk(game, seed):
        takes = move.hit or move.target in OFF.values()
        places = move.origin in OFF.values()
        lost = [
            before.army(side).pieces.bit_count() - following.army(side).pieces.bit_count()
            for side in (before.mover, before.mover.other)
        ]
        assert lost == [-1 if places else 0, 1 if takes else 0]
        assert game.read_position(game.write_position(following)) == following
