"""One suite for every game: random play over the whole contract, and one recorded game each."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from string import Formatter
from typing import Any, TypeAlias

import pytest
from known import GAMES, WITH_OUTSIDE, find_game, recorded_game
from shares import one_in

from pi_app.rules.contract import OF_THE_MATCH, AnyGame
from pi_app.rules.naming import Counting
from pi_app.rules.nannon import Nannon
from pi_app.rules.terms import (
    IllegalPlayError,
    Move,
    Roll,
    Side,
    Spot,
    SpotKind,
    TextError,
    read_roll,
)
from pi_app.words.sentences import ENGLISH, Language, Numbering

WALKS = 12 // one_in(4)
LONGEST = 1000
MOST_PLAYS = 3000

Moment: TypeAlias = tuple[Any, Roll]
"""A position and its roll."""


def walk(game: AnyGame, seed: int) -> Iterator[Moment]:
    """One random game, position by position; the last one is over."""
    dice = random.Random(seed)
    position = game.start(dice.choice(list(Side)))
    for _ in range(LONGEST):
        roll = Roll.of(*(dice.randint(1, 6) for _ in range(game.dice)))
        yield position, roll
        if game.outcome(position):
            return
        position = game.after(position, dice.choice(game.plays(position, roll)))
    raise AssertionError(f"a random game of {game.name} did not end in {LONGEST} turns")


@pytest.fixture(scope="module", params=list(WITH_OUTSIDE.rules))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return WITH_OUTSIDE.rules[request.param]


@pytest.fixture(scope="module")
def nodes(game: AnyGame) -> list[Moment]:
    return [node for seed in range(WALKS) for node in walk(game, seed)]


@pytest.fixture(scope="module")
def live(game: AnyGame, nodes: list[Moment]) -> list[Moment]:
    return [node for node in nodes if game.outcome(node[0]) is None]


def every_play(game: AnyGame, live: list[Moment]) -> Iterator[tuple[Any, Roll, Any]]:
    """About MOST_PLAYS legal plays, all of any node: enough for what is slow to look at."""
    total = sum(len(game.results(position, roll)) for position, roll in live)
    for position, roll in live[:: total // MOST_PLAYS + 1]:
        for play in game.plays(position, roll):
            yield position, roll, play


def test_people_read_a_play_as_its_mover_counts(game: AnyGame, live: list[Moment]) -> None:
    """Where pips are counted, a play as it is told goes as many as its side then has less."""
    for position, _, play in every_play(game, live):
        written = game.write_play(position, play)
        told = ENGLISH.say(written)
        assert str(game.write_play(position, game.read_play(position, written))) == written
        mover = game.mover(position)
        before, left = (game.pips(p, mover) for p in (position, game.after(position, play)))
        if before is not None and left is not None:
            assert ENGLISH.counting(Numbering.ENGRAVED).say(written) == written
            assert sum(_pips(way) for way in told.split() if "/" in way) == before - left


def _pips(way: str) -> int:
    """The pips of a written move: "13/7*(2)" goes twelve."""
    stops, _, times = way.replace("*", "").removesuffix(")").partition("(")
    first, *_, last = stops.split("/")
    start, end = (int({"bar": "25", "off": "0"}.get(stop, stop)) for stop in (first, last))
    return (start - end) * int(times or 1)


def test_games_are_found_by_name_and_listed_otherwise() -> None:
    assert find_game("nannon") is GAMES["nannon"]
    with pytest.raises(TextError, match=r"game 'ludo' is not known; choose one of: nannon"):
        find_game("ludo")


def test_a_recorded_game_replays_to_its_end(game: AnyGame) -> None:
    text = recorded_game(game.name).read_text(encoding="utf-8")
    first, *turns, end = (line for line in text.splitlines() if not line.startswith("#"))
    position = game.read_position(first)
    for turn in turns:
        rolled, written = turn.split(" ", maxsplit=1)
        legal = {
            game.write_play(position, play): play
            for play in game.plays(position, read_roll(rolled, game.dice))
        }
        assert written in legal
        position = game.after(position, legal[written])
    outcome = game.outcome(position)
    assert outcome is not None
    winner = outcome.winner.value if outcome.winner else "tie"
    assert f"{winner} {outcome.points} {outcome.name}" == end


def test_random_play_ends_with_a_winner_or_a_tie(game: AnyGame, nodes: list[Moment]) -> None:
    over = [node for node in nodes if game.outcome(node[0])]
    assert len(over) == WALKS
    for position, roll in over:
        outcome = game.outcome(position)
        assert outcome is not None
        assert (outcome.points == 0) is (outcome.winner is None)
        assert game.plays(position, roll) == game.results(position, roll) == ()


def test_checkers_are_conserved(game: AnyGame, nodes: list[Moment]) -> None:
    for position, _ in nodes:
        checkers = game.checkers_at(position)
        assert set(checkers) == set(game.spots)
        standing = [side for stack in checkers.values() for side in stack]
        assert [standing.count(side) for side in Side] == [game.checkers_a_side] * 2


def test_pips_are_counted_by_every_position_of_a_game_or_by_none(
    game: AnyGame, nodes: list[Moment]
) -> None:
    """Where they are counted, every checker that is not off has 1 to 25 of them."""
    counted = [[game.pips(position, side) for side in Side] for position, _ in nodes]
    if all(pips is None for pair in counted for pips in pair):
        return
    for (position, _), pair in zip(nodes, counted, strict=True):
        checkers = game.checkers_at(position)
        for side, pips in zip(Side, pair, strict=True):
            off = len(checkers[Spot(SpotKind.OFF, side=side)])
            assert pips is not None
            assert game.checkers_a_side - off <= pips <= 25 * (game.checkers_a_side - off)


def test_the_pips_are_the_numbers_by_which_a_side_calls_its_points(
    game: AnyGame, nodes: list[Moment]
) -> None:
    points = sum(spot.kind is SpotKind.POINT for spot in game.spots)
    for position, _ in nodes:
        for side in Side:
            counting = Counting(points, side, game.facing)
            own = zip(game.spots, game.counts_of(position, side), strict=True)
            waiting = {SpotKind.BAR: points + 1, SpotKind.OFF: 0}
            expected = sum(
                n * waiting.get(spot.kind, counting.order(spot.number)) for spot, n in own
            )
            assert game.pips(position, side) in (None, expected)


def test_a_play_takes_the_pips_it_moves(game: AnyGame, live: list[Moment]) -> None:
    for position, _, play in every_play(game, live):
        mover = game.mover(position)
        before, after = game.pips(position, mover), game.pips(game.after(position, play), mover)
        if before is None or after is None:
            return
        assert (after < before) is bool(game.moves(position, play))


def test_position_texts_read_back(game: AnyGame, nodes: list[Moment]) -> None:
    for position, _ in nodes:
        assert game.read_position(game.write_position(position)) == position


def test_checkers_make_the_position_again(game: AnyGame, nodes: list[Moment]) -> None:
    for position, _ in nodes:
        checkers = game.checkers_at(position)
        for mover in Side:
            same = game.position_of(checkers, mover)
            assert same == game.with_mover(position, mover)
            assert game.mover(same) is mover


def test_play_texts_read_back(game: AnyGame, live: list[Moment]) -> None:
    for position, _, play in every_play(game, live):
        assert game.read_play(position, game.write_play(position, play)) == play


def test_every_play_and_every_result_comes_once(game: AnyGame, live: list[Moment]) -> None:
    for position, roll in live:
        plays = game.plays(position, roll)
        results = {game.after(position, play) for play in plays}
        assert len(set(plays)) == len(plays) == len(results) > 0
        assert {game.mover(result) for result in results} == {game.mover(position).other}


def test_results_are_what_the_plays_lead_to(game: AnyGame, nodes: list[Moment]) -> None:
    for position, roll in nodes[::3]:
        results = game.results(position, roll)
        assert len(set(results)) == len(results)
        plays = game.plays(position, roll)
        assert set(results) == {game.after(position, play) for play in plays}


def test_a_forfeit_stands_alone_and_moves_nothing(game: AnyGame, live: list[Moment]) -> None:
    for position, roll in live:
        plays = game.plays(position, roll)
        still = [play for play in plays if not game.moves(position, play)]
        if still:
            assert plays == tuple(still)
            passed = game.with_mover(position, game.mover(position).other)
            assert game.after(position, still[0]) == passed


def test_explain_agrees_to_every_legal_play(game: AnyGame, live: list[Moment]) -> None:
    for position, roll, play in every_play(game, live):
        moves = game.moves(position, play)
        assert game.explain(position, roll, moves) is None
        after = game.after(position, play)
        assert game.attempted(position, moves) == after
        assert game.impossible(after, position) == ()


def a_move(hand: random.Random, game: AnyGame) -> Move:
    origin, target = hand.sample(game.spots, 2)
    return Move(origin, target)


def test_what_a_hand_can_leave_is_impossible_or_has_a_text(
    game: AnyGame, live: list[Moment]
) -> None:
    for position, left in left_by_hands(game, live):
        if not game.impossible(left, position):
            assert game.read_position(game.write_position(left)) == left


@pytest.mark.parametrize("name", ["backgammon", "portes", "pin", "cannon"])
def test_a_hand_can_leave_what_is_impossible(name: str) -> None:
    game = find_game(name)
    live = [node for node in walk(game, 1) if not game.outcome(node[0])]
    assert any(game.impossible(left, position) for position, left in left_by_hands(game, live))


def left_by_hands(game: AnyGame, live: list[Moment]) -> Iterator[tuple[Any, Any]]:
    """Positions, and those that one or two arbitrary moves leave there."""
    hand = random.Random(1)
    for position, _ in live:
        attempt = tuple(a_move(hand, game) for _ in range(hand.randint(1, 2)))
        with suppress(IllegalPlayError):
            yield position, game.attempted(position, attempt)


def test_explain_objects_to_everything_else() -> None:
    """Nannon's plays are single moves, so all attempts with one checker can be tried."""
    game = Nannon()
    for position, roll in (node for seed in range(WALKS) for node in walk(game, seed)):
        if game.outcome(position):
            continue
        legal = {(move.origin, move.target) for play in game.plays(position, roll) for move in play}
        agreed = {
            (origin, target)
            for origin in game.spots
            for target in game.spots
            if game.explain(position, roll, (Move(origin, target),)) is None
        }
        assert agreed == legal, (game.write_position(position), str(roll))
        assert (game.explain(position, roll, ()) is None) is (not legal)


def test_every_game_draws_its_position(game: AnyGame, nodes: list[Moment]) -> None:
    drawn = {game.draw(position) for position, _ in nodes}
    assert len(drawn) == len({position for position, _ in nodes})
    assert all(len(picture.splitlines()) > 1 for picture in drawn)


def test_two_sides_have_two_names(game: AnyGame) -> None:
    assert len(set(game.side_names)) == 2
    assert all(name.istitle() for name in game.side_names)


def test_a_game_can_be_given_up_for_ascending_points(game: AnyGame, live: list[Moment]) -> None:
    for position, _ in live:
        for side in Side:
            points = game.resignations(position, side)
            assert len(points) > 0
            assert list(points) == sorted(set(points))
            assert min(points) > 0
            assert len(set(points.values())) == len(points)


def test_a_game_costs_at_its_end_what_it_could_be_given_up_for(
    game: AnyGame, nodes: list[Moment]
) -> None:
    for position, _ in nodes:
        outcome = game.outcome(position)
        if outcome and outcome.winner:
            assert outcome.points in game.resignations(position, outcome.winner.other)


def test_only_options_that_change_the_rules_make_another_game(game: AnyGame) -> None:
    for option in game.options:
        other = game.under((option.name,))
        assert (other is not game) is (option not in OF_THE_MATCH)
        assert (other.name, other.title, other.options) == (game.name, game.title, game.options)


def test_the_rules_have_stable_distinct_identifiers(game: AnyGame) -> None:
    identifiers = [rule.identifier for rule in game.rules]
    assert len(set(identifiers)) == len(identifiers) > 0
    for rule in game.rules:
        assert rule.identifier == rule.identifier.lower().replace(" ", "-")
        assert rule.sentence.endswith(".")


def test_every_rule_cites_one_that_stands_in_the_games_sheet(game: AnyGame) -> None:
    for rule in game.rules:
        assert rule.sheet is game.sheet
        assert 1 <= rule.number <= len(game.sheet.rules)
        assert rule.source == f"{game.sheet.title.text}, rule {rule.number}"
    assert all(written.text.endswith(".") for written in game.sheet.rules)


def test_every_outcome_can_be_said(game: AnyGame, nodes: list[Moment]) -> None:
    outcomes = [game.outcome(position) for position, _ in nodes]
    ends = {outcome.name for outcome in outcomes if outcome}
    assert ends <= set(game.outcome_names)
    assert all(str(said) == name for name, said in game.outcome_names.items())


def mute(text: str) -> str:
    """A sentence without its own words: what is left are those that it was given."""
    return " ".join(f"{{{name}}}" for _, name, _, _ in Formatter().parse(text) if name)


MUTE = Language(mute, lambda text, _plural, _number: mute(text))
GIVEN = re.compile(r"(?:\d+|[a-j]\d+|(?<=[ /])(?:off|bar)|bar(?=/)|[ /*()])*")
"""Numbers, points, and plays as they are written."""


def test_no_word_of_a_reason_stands_outside_the_catalogue(
    game: AnyGame, live: list[Moment]
) -> None:
    hand, reasons = random.Random(2), set[str]()
    for position, roll in live:
        attempt = tuple(a_move(hand, game) for _ in range(hand.randint(0, 2)))
        if broken := game.explain(position, roll, attempt):
            reasons.add(broken.reason)
        try:
            reasons |= {*game.impossible(game.attempted(position, attempt), position)}
        except IllegalPlayError as error:
            reasons.add(error.broken.reason)
    assert len(reasons) >= len(game.rules), "random moves should break rules in as many ways"
    assert [reason for reason in reasons if not GIVEN.fullmatch(MUTE.say(reason))] == []


def test_counts_are_the_heights_of_what_lies_on_each_spot(
    game: AnyGame, nodes: list[Moment]
) -> None:
    for position, _ in nodes:
        checkers = game.checkers_at(position)
        assert game.counts(position) == tuple(len(checkers[spot]) for spot in game.spots)
        for side in Side:
            own = tuple(checkers[spot].count(side) for spot in game.spots)
            assert game.counts_of(position, side) == own


def test_results_come_in_the_order_of_the_plays(game: AnyGame, live: list[Moment]) -> None:
    for position, roll in live[::3]:
        plays = game.plays(position, roll)
        assert game.results(position, roll) == tuple(game.after(position, p) for p in plays)


def test_a_hit_checker_goes_where_hit_checkers_go(game: AnyGame, live: list[Moment]) -> None:
    for position, _, play in every_play(game, live):
        moves = game.moves(position, play)
        victim = game.mover(position).other
        home = game.spots.index(game.hit_to(victim))
        gained = game.counts(game.after(position, play))[home] - game.counts(position)[home]
        hits = sum(move.hit for move in moves)
        taken = sum(move.target == game.hit_to(victim) for move in moves)
        assert gained >= hits + taken
        assert (gained > 0) is (hits + taken > 0)


def test_midways_stand_as_their_moves_say(game: AnyGame, live: list[Moment]) -> None:
    for position, roll in live[::7]:
        midways = game.midways(position, roll)
        assert len({midway.position for midway in midways}) == len(midways)
        for midway in midways:
            assert game.attempted(position, midway.moves) == midway.position


def test_every_part_of_a_play_is_a_midway(game: AnyGame, live: list[Moment]) -> None:
    """Or a result: with few checkers left a die may be worth as little as none."""
    for position, roll in live[::7]:
        known = {midway.position for midway in game.midways(position, roll)}
        known |= set(game.results(position, roll))
        for play in game.plays(position, roll):
            moves = game.moves(position, play)
            for size in range(1, len(moves)):
                assert game.attempted(position, moves[:size]) in known


CITED = {
    "nannon": {
        1: "backward",
        3: "home-enters-first no-checker-there not-your-checker one-checker wrong-distance",
        4: "own-checker prime",
        5: "safety-too-far",
        6: "must-move",
        7: "safety-is-final",
    },
    "backgammon": {
        1: "backward no-checker-there not-your-checker",
        2: "die-used wrong-distance",
        3: "point-held",
        4: "hit-on-the-way",
        5: "bar-first",
        6: "both-dice higher-die must-move",
        7: "farther-back not-all-home off-is-final",
        8: "game-over",
    },
    "portes": {
        1: "backward no-checker-there not-your-checker",
        2: "die-used wrong-distance",
        3: "point-held",
        4: "hit-on-the-way",
        5: "bar-first",
        6: "both-dice higher-die must-move",
        7: "farther-back not-all-home off-is-final",
        8: "game-over",
    },
    "pin": {
        1: "backward no-checker-there not-your-checker",
        2: "die-used wrong-distance",
        3: "point-held",
        4: "pinned",
        6: "both-dice higher-die must-move",
        7: "farther-back not-all-home off-is-final",
        8: "game-over",
    },
    "plakoto": {
        1: "backward no-checker-there not-your-checker",
        2: "die-used wrong-distance",
        3: "point-held",
        4: "pinned",
        6: "both-dice higher-die must-move",
        7: "farther-back not-all-home off-is-final",
        8: "game-over",
    },
    "fevga": {
        1: "backward no-checker-there not-your-checker",
        2: "die-used wrong-distance",
        3: "point-held",
        4: "first-checker",
        5: "quarter-full shut-in",
        6: "both-dice higher-die must-move",
        7: "farther-back not-all-home off-is-final",
        8: "game-over",
    },
    "cannon": {
        1: "town-does-not-move town-first town-row",
        2: "must-act no-piece-there not-your-piece one-action",
        3: "backward own-piece sideways soldier-too-far",
        4: "backward-capture off-the-board taken-is-final",
        5: "no-enemy-beside retreat-blocked",
        6: "no-cannon slide-does-not-capture",
        7: "front-taken shot-moves-nothing shot-too-far",
        8: "game-over",
        9: "three-slides",
    },
}
"""The rules that can be broken, by their numbers on the sheets."""


@pytest.mark.parametrize("name", CITED)
def test_a_broken_rule_is_cited_by_its_number_on_the_sheet(name: str) -> None:
    cited = {number: " ".join(sorted(found)) for number, found in by_number(name).items()}
    assert cited == CITED[name]


def by_number(name: str) -> dict[int, list[str]]:
    found = defaultdict[int, list[str]](list)
    for rule in find_game(name).rules:
        found[rule.number].append(rule.identifier)
    return found


@pytest.mark.parametrize(
    ("roll", "way", "may"),
    [
        ("32", "8 6 3", True),
        ("32", "8 5 3", True),
        ("32", "8 6 5", False),
        ("61", "8 7 2", False),
        ("65", "6 1 off.white", True),
        ("44", "13 9 1", True),
        ("44", "13 10 1", False),
        ("44", "24 8 4", False),
        ("44", "24 8 5", False),
        ("32", "3 6 8", False),
    ],
)
def test_a_checker_stops_where_one_die_leads_and_the_other_goes_on(
    roll: str, way: str, may: bool
) -> None:
    game = find_game("backgammon")
    origin, stop, target = map(Spot.read, way.split())
    position = game.start(Side.WHITE)
    assert game.passes(position, read_roll(roll, 2), Move(origin, target), stop) is may
