"""Backgammon against an independent engine: every position must come back with its plays."""

import json
import random
from pathlib import Path

import pytest
from gnubg import ask_gnubg, needs_gnubg

from pi_app.rules.tables.backgammon import BACKGAMMON as GAME
from pi_app.rules.tables.ids import write_position_id
from pi_app.rules.tables.position import BAR, CHECKERS, TablesPosition, one
from pi_app.rules.terms import Roll, Side

SEED = 20
WALKED, SCATTERED, AT_HOME = 300, 200, 200

SCRIPT = """
import gnubg, json
for line in ("set player 0 human", "set player 1 human", "set automatic roll off",
             "set automatic game off", "set automatic move off", "set automatic bearoff off",
             "set confirm new off", "set output rawboard on",
             "set evaluation chequer evaluation plies 0", "new game"):
    gnubg.command(line)
# Whoever won the opening throw: a position is read from the side of the player on turn.
gnubg.command("set turn 1")
with open(ANSWER, "w") as answers:
    for identifier, high, low in json.loads(ASKED):
        gnubg.command("set board " + identifier)
        gnubg.command("set turn 1")
        gnubg.command("set dice %d %d" % (high, low))
        try:
            plays = [hint["move"] for hint in gnubg.hint(9999)["hint"]]
        except Exception as error:
            plays = repr(error)
        answer = [gnubg.positionid(), gnubg.posinfo()["dice"], plays]
        answers.write(json.dumps(answer) + "\\n")
"""


def scattered(dice: random.Random, farthest: int, off: int) -> TablesPosition:
    """Checkers at random; no point holds both sides, some may be on the bar."""
    black_points = set(dice.sample(range(1, 25), dice.randint(4, 12)))
    men = {}
    for side in Side:
        free = [n for n in range(1, 25) if (n in black_points) is (side is Side.BLACK)]
        own = [n if side is Side.WHITE else BAR - n for n in free]
        places = [n for n in own if n <= farthest] or own
        bar = dice.choice((0, 0, 0, 1, 2)) if farthest == BAR else 0
        gone = dice.randint(0, off)
        numbers = dice.choices(places, k=CHECKERS - bar - gone)
        men[side] = sum(map(one, numbers)) + bar * one(BAR) + gone
    return TablesPosition(men[Side.WHITE], men[Side.BLACK], dice.choice(list(Side)))


def walked(dice: random.Random) -> list[TablesPosition]:
    """Positions of random games."""
    found: list[TablesPosition] = []
    while len(found) < WALKED:
        position = GAME.start(dice.choice(list(Side)))
        while not GAME.outcome(position):
            if dice.random() < 0.2:
                found.append(position)
            roll = Roll.of(dice.randint(1, 6), dice.randint(1, 6))
            results = sorted(GAME.results(position, roll), key=lambda found: found[:2])
            position = dice.choice(results)
    return found[:WALKED]


def questions() -> list[tuple[TablesPosition, Roll]]:
    """Every kind of position with a roll; a third of them doublets."""
    dice = random.Random(SEED)
    positions = walked(dice)
    positions += [scattered(dice, BAR, 3) for _ in range(SCATTERED)]
    positions += [scattered(dice, 6, 13) for _ in range(AT_HOME)]
    rolls = [(d, d) if dice.random() < 0.2 else (d, dice.randint(1, 6)) for d in range(1, 7)]
    rolls += [(dice.randint(1, 6), dice.randint(1, 6)) for _ in range(30)]
    return [(position, Roll.of(*dice.choice(rolls))) for position in positions]


def answers(asked: list[tuple[TablesPosition, Roll]], folder: Path) -> list[list[str]]:
    """GNU Backgammon's play in each position."""
    texts = [(write_position_id(position), *roll.dice) for position, roll in asked]
    lines = ask_gnubg(SCRIPT, texts, folder).splitlines()
    return [read_answer(line, *question) for line, question in zip(lines, asked, strict=True)]


def read_answer(line: str, position: TablesPosition, roll: Roll) -> list[str]:
    """The plays of a line; raises ValueError for what is no answer to this question."""
    match json.loads(line):
        case [identifier, list(dice), list(plays)] if (
            identifier == write_position_id(position)
            and sorted(dice) == sorted(roll.dice)
            and all(isinstance(play, str) for play in plays)
        ):
            return plays
    raise ValueError(f"{line} answers another question than {write_position_id(position)} {roll}")


def outcomes(position: TablesPosition, plays: list[str]) -> set[str]:
    """The position IDs after plays written from the mover's side of the board."""
    as_white = GAME.read_position(write_position_id(position))
    after = {GAME.after(as_white, GAME.read_play(as_white, play)) for play in plays or ["forfeit"]}
    return {write_position_id(GAME.with_mover(result, Side.WHITE)) for result in after}


ANSWER = '["4HPwATDgc/ABMA", [4, 2], ["8/4 6/4", "24/20 13/11"]]'


def test_an_answer_is_its_plays() -> None:
    assert read_answer(ANSWER, GAME.start(Side.WHITE), Roll.of(4, 2)) == ["8/4 6/4", "24/20 13/11"]


@pytest.mark.parametrize(
    "line",
    [
        "",
        ANSWER[:-10],
        # As version 1.08 prints it, where 1.07 ends the line.
        ANSWER + "board:root:gnubg:0:0:0:0:-1:6:7:0:0:0:0:0:0:0:0:0:0:0:0:-1:-1:0:-1:1:-1:0:-6:-4",
        ANSWER.replace("4HPwATDgc", "4HPhASLgc"),
        ANSWER.replace("4, 2", "0, 0"),
        ANSWER.replace('["8/4 6/4", "24/20 13/11"]', '"TypeError()"'),
        ANSWER.replace('"8/4 6/4"', "null"),
    ],
)
def test_an_answer_that_is_not_understood_is_an_error(line: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011, JSON's own among them
        read_answer(line, GAME.start(Side.WHITE), Roll.of(4, 2))


@needs_gnubg
def test_gnu_backgammon_finds_the_same_results(tmp_path: Path) -> None:
    asked = questions()
    told = answers(asked, tmp_path)
    wrong = []
    kinds = {"bar": 0, "off": 0, "doublet": 0, "forfeit": 0}
    for number, (position, roll) in enumerate(asked):
        ours = GAME.results(position, roll)
        mine = {write_position_id(GAME.with_mover(result, position.mover)) for result in ours}
        if mine != outcomes(position, told[number]):
            wrong.append((GAME.write_position(position), str(roll), told[number]))
        plays = GAME.plays(position, roll)
        kinds["bar"] += "bar" in GAME.write_play(position, plays[0])
        kinds["off"] += any("off" in GAME.write_play(position, play) for play in plays)
        kinds["doublet"] += len(set(roll.dice)) == 1
        kinds["forfeit"] += plays == ((),)
    assert wrong == []
    assert len(asked) >= 500
    assert min(kinds.values()) >= 20, kinds
