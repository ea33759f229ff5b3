"""GNU Backgammon as a player: its plays are the legal ones, and it counts by our matches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from gnubg import needs_gnubg
from known import find_game

from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.players.contract import UNLIMITED, CubeOpinion, Situation, Unit
from pi_app.players.gnubg.player import (
    STARTER,
    EngineLevel,
    EnginePlayer,
    Gnubg,
    command,
    match_chances,
)
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.position import TablesPosition
from pi_app.rules.terms import Roll, Side, rolls_of

BACKGAMMON, PORTES = find_game("backgammon"), find_game("portes")
MONEY = Agreement(None, cube=True, crawford=False, tie_turns_cube=False)
TO_THREE = Agreement(3, cube=True, crawford=True, tie_turns_cube=False)
PLAIN_TO_THREE = Agreement(3, cube=False, crawford=False, tie_turns_cube=False)
ONE_LEFT = f"-A{'-' * 18}n----- w"
"""White bears off his last; Black has 14 left."""
NONE_OFF = f"-A{'-' * 18}o----- w"
FAR_BACK = f"-A-a{'-' * 16}n----- w"
SEED = 7


@pytest.fixture(scope="module")
def engine() -> Iterator[Gnubg]:
    """One for all that follows: it takes half a second to be there."""
    gnubg = Gnubg(command())
    yield gnubg
    gnubg.end()


def at(
    text: str, agreement: Agreement = UNLIMITED, score: tuple[int, int] = (0, 0), **other: object
) -> Situation:
    """A position of Backgammon, with the score, the cube and whether Crawford's game is over."""
    cube = other.get("cube", Cube())
    assert isinstance(cube, Cube)
    played = bool(other.get("played"))
    standing = Standing(Score(*score), cube, 1, False, crawford_played=played)
    return Situation(BACKGAMMON.read_position(text), agreement, standing)


def start() -> str:
    return BACKGAMMON.write_position(BACKGAMMON.start(Side.WHITE))


def wandered(name: str, number: int) -> Iterator[tuple[TablesPosition, Roll]]:
    """Positions and rolls of games by chance, to their ends."""
    game, dice = find_game(name), random.Random(SEED)
    position = game.start(Side.WHITE)
    for count in range(number * 5):
        if game.outcome(position):
            position = game.start(Side.BLACK)
        roll = Roll.of(dice.randint(1, 6), dice.randint(1, 6))
        if count % 5 == 0:
            yield position, roll
        position = game.after(position, dice.choice(game.plays(position, roll)))


@needs_gnubg
@pytest.mark.parametrize("game", [BACKGAMMON, PORTES], ids=["backgammon", "portes"])
@pytest.mark.parametrize("agreement", [UNLIMITED, MONEY, TO_THREE, PLAIN_TO_THREE])
def test_exactly_the_legal_plays_are_rated(
    engine: Gnubg, game: AnyGame, agreement: Agreement
) -> None:
    player = EnginePlayer(game, EngineLevel(0), engine)
    dice = random.Random(SEED)
    forced = 0
    for position, roll in wandered(game.name, 25):
        target = agreement.match_to or 99
        score = Score(dice.randrange(target), dice.randrange(target))
        standing = Standing(score, Cube(2, dice.choice(list(Side))), 2, False, True)
        opinion = player.rate(Situation(position, agreement, standing), roll)
        rated = [one.play for one in opinion.plays]
        assert len(rated) == len(set(rated))
        assert set(rated) == set(game.plays(position, roll))
        forced += len(rated) == 1
        if agreement.match_to:
            assert opinion.unit is Unit.MATCH
            assert all(0 <= one.worth <= 1 for one in opinion.plays)
    assert forced


@needs_gnubg
@pytest.mark.parametrize(
    ("roll", "play"),
    [
        (Roll.of(3, 1), "8/5 6/5"),
        (Roll.of(4, 2), "8/4 6/4"),
        (Roll.of(5, 3), "8/3 6/3"),
        (Roll.of(6, 1), "13/7 8/7"),
        (Roll.of(6, 5), "24/13"),
    ],
)
def test_openings_that_nobody_doubts_are_found(engine: Gnubg, roll: Roll, play: str) -> None:
    for game, agreement in ((BACKGAMMON, MONEY), (PORTES, UNLIMITED)):
        player = EnginePlayer(game, EngineLevel(2), engine)
        position = game.start(Side.WHITE)
        (best,) = player.rate(Situation(position, agreement), roll).best
        assert game.after(position, best) == game.after(position, game.read_play(position, play))


@needs_gnubg
def test_the_last_roll_of_a_race_is_weighed_exactly(engine: Gnubg) -> None:
    """A checker on the six-point goes off with 27 rolls of 36; then Black would."""
    player = EnginePlayer(BACKGAMMON, EngineLevel(2), engine)
    last = f"------A{'-' * 17}a- w"
    opinion = player.weigh(at(last, MONEY))
    assert opinion is not None
    assert (opinion.held, opinion.taken, opinion.passed) == pytest.approx((0.5, 1, 1), abs=1e-4)
    assert opinion.unit is Unit.POINTS
    told = player.weigh(at(last, TO_THREE, (2, 2), played=True))
    assert told is not None
    assert told.held == pytest.approx(0.75, abs=1e-4)
    assert player.weigh(at(last)) is None, "no cube was agreed on"


@needs_gnubg
def test_the_score_decides_about_the_cube(engine: Gnubg) -> None:
    player = EnginePlayer(BACKGAMMON, EngineLevel(0), engine)

    def weighed(*where: object, **other: object) -> CubeOpinion:
        opinion = player.weigh(at(start(), *where, **other))  # type: ignore[arg-type]
        assert opinion is not None
        return opinion

    assert not weighed(MONEY).double
    assert weighed(MONEY).take
    behind = weighed(TO_THREE, (1, 2), played=True)
    assert behind.double, "after Crawford's game who is behind doubles at once"
    assert behind.passed == pytest.approx(0.5, abs=1e-4)


@needs_gnubg
@pytest.mark.parametrize(
    ("text", "game", "agreement", "worth"),
    [
        (ONE_LEFT, BACKGAMMON, UNLIMITED, 1),
        (NONE_OFF, BACKGAMMON, UNLIMITED, 2),
        (FAR_BACK, BACKGAMMON, UNLIMITED, 3),
        (FAR_BACK, PORTES, UNLIMITED, 2),
        (FAR_BACK, BACKGAMMON, MONEY, 3),
        (FAR_BACK, BACKGAMMON, Agreement(None, True, False, False, jacoby=True), 1),
        # Kazaross' table: two points to go against three.
        (ONE_LEFT, BACKGAMMON, TO_THREE, 0.5995),
        (NONE_OFF, BACKGAMMON, TO_THREE, 0.7508),
        (FAR_BACK, BACKGAMMON, TO_THREE, 1),
        (NONE_OFF, PORTES, PLAIN_TO_THREE, match_chances(2, True)(1, 3, True)),
    ],
)
def test_a_game_won_is_worth_what_the_rules_say(
    engine: Gnubg, text: str, game: AnyGame, agreement: Agreement, worth: float
) -> None:
    player = EnginePlayer(game, EngineLevel(0), engine)
    (only,) = player.rate(at(text, agreement), Roll.of(2, 1)).plays
    assert only.worth == pytest.approx(worth, abs=1e-4)


@needs_gnubg
@pytest.mark.parametrize("game", [BACKGAMMON, PORTES])
def test_a_point_is_half_of_what_a_plain_game_changes_of_the_match(
    engine: Gnubg, game: AnyGame
) -> None:
    player, begun = EnginePlayer(game, EngineLevel(0), engine), game.start(Side.WHITE)
    to_one, roll = replace(PLAIN_TO_THREE, match_to=1), Roll.of(3, 1)
    assert player.rate(Situation(begun), roll).point == 1
    assert player.rate(Situation(begun, to_one), roll).point == pytest.approx(0.5)
    chances = match_chances(2 if game is PORTES else 3, game is PORTES)
    changed = chances(2, 3, True) - chances(3, 2, False)
    assert player.rate(Situation(begun, PLAIN_TO_THREE), roll).point == pytest.approx(changed / 2)


@needs_gnubg
def test_black_sees_the_same_as_white(engine: Gnubg) -> None:
    player = EnginePlayer(BACKGAMMON, EngineLevel(1), engine)
    told = [
        player.rate(
            Situation(
                BACKGAMMON.start(side),
                TO_THREE,
                Standing(Score(*score), Cube(2, side), 2, False, True),
            ),
            Roll.of(4, 3),
        )
        for side, score in ((Side.WHITE, (0, 1)), (Side.BLACK, (1, 0)))
    ]
    white, black = ([one.worth for one in opinion.plays] for opinion in told)
    assert white == pytest.approx(black, abs=1e-5)


@needs_gnubg
def test_a_beginner_misjudges_always_alike_and_still_wins_a_game_that_is_won(
    engine: Gnubg,
) -> None:
    beginner = EnginePlayer(BACKGAMMON, EngineLevel(0, 0.12), engine)
    opening, roll = at(start(), MONEY), Roll.of(4, 3)
    told = beginner.rate(opening, roll)
    assert told == beginner.rate(opening, roll)
    sober = {
        one.play: one.worth
        for one in EnginePlayer(BACKGAMMON, EngineLevel(0), engine).rate(opening, roll).plays
    }
    errors = [one.worth - sober[one.play] for one in told.plays]
    assert 0.04 < (sum(e * e for e in errors) / len(errors)) ** 0.5 < 0.3
    last = at(f"-A--A-A{'-' * 13}n----- w")
    won = at(f"-AA{'-' * 17}n----- w", MONEY)
    assert beginner.rate(last, roll) == beginner.rate(last, roll)
    assert beginner.rate(won, Roll.of(2, 1)).plays[0].worth == pytest.approx(1, abs=1e-4)
    weighed = beginner.weigh(opening)
    assert weighed == beginner.weigh(opening)


@pytest.mark.parametrize("most", [2, 3])
@pytest.mark.parametrize("winner_starts", [False, True])
def test_the_chances_of_a_match_without_a_cube(most: int, winner_starts: bool) -> None:
    chance = match_chances(most, winner_starts)
    for mine in range(1, 8):
        for other in range(1, 8):
            both = chance(mine, other, True) + chance(other, mine, False)
            assert both == pytest.approx(1)
            assert chance(mine, other, True) > chance(mine + 1, other, True)
    assert chance(1, 1, True) == pytest.approx(STARTER.win if winner_starts else 0.5)
    assert chance(64, 64, False) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("most", [2, 3])
def test_the_shares_of_all_ends_are_one(most: int) -> None:
    shares = STARTER.shares(most)
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares) == most
    assert STARTER.turned.turned == pytest.approx(STARTER)
    there: Callable[[int], float] = float
    assert STARTER.worth(there, most) == pytest.approx(-STARTER.turned.worth(there, most))


@needs_gnubg
@pytest.mark.parametrize("agreement", [MONEY, TO_THREE, UNLIMITED])
def test_each_roll_is_worth_its_best_play(engine: Gnubg, agreement: Agreement) -> None:
    """Also rolls that cannot be played: in the last position only ones enter."""
    player = EnginePlayer(BACKGAMMON, EngineLevel(0), engine)
    for text in (start(), ONE_LEFT, "-----FE-C---e------bbbbb-A w"):
        situation, rolls = at(text, agreement), tuple(rolls_of(2))
        told = player.foresee(situation, rolls)
        wanted = [player.rate(situation, roll).plays[0].worth for roll in rolls]
        assert list(told.worths.values()) == pytest.approx(wanted, abs=1e-6)
