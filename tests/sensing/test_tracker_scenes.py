"""Cases found by simulated hands: rows of ms, sensor, v (closes) or ^ (opens), and the message."""

import random

import pytest
from human import Human

from pi_app.base.microseconds import US_A_MS
from pi_app.rules.terms import read_roll
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState

# Each: board, game, position, roll, steps, the wait after them, and a state or a play.
SCENES = {
    "a checker in the air slides twice over the free place beside a blot": (
        ("tables-24", "backgammon", "-CGBBb---a----A----bcbbc-- b", "44"),
        "0 9.1 ^, 130 14.2 v, 180 14.2 ^, 2000 14.2 v, 2100 14.2 ^",
        (1600, "in hand"),
    ),
    "the same, and the play is complete": (
        ("tables-24", "backgammon", "-DDBa-A-BaB----------abgc- w", "64"),
        "0 8.2 ^, 400 4.2 v, 500 4.2 ^, 1100 2.5 v, 1800 6.1 ^, 2050 4.2 v, 2180 4.2 ^",
        (1500, "8/2 6/2"),
    ),
    "an enemy blot adjusted, then half a turn out of a high stack, where nobody is ever hit": (
        ("tables-24", "pin", "-o-----------------A--A-M- b -", "52"),
        "0 19.1 ^, 970 19.5 v, 1800 6.1 v",
        (1600, "in hand"),
    ),
    "the same where checkers are hit": (
        ("tables-24-thrifty", "backgammon", "-aC---CAC---eC---d-e----B- b", "63"),
        "0 7.1 ^, 184 7.2 v, 1618 18.1 v",
        (1600, "in hand"),
    ),
    "a slide over the place that the hitter left": (
        ("tables-24", "backgammon", "-BBB-CB---A-----cbBdabAc-- b", "52"),
        "0 22.1 ^, 170 20.1 ^, 460 22.1 v, 1570 bar.white.1 v, 2330 20.2 v, 2332 19.4 ^, "
        "2392 20.2 ^, 2675 24.1 v",
        (300, "19/24 20/22*"),
    ),
    "a hit from the hidden top of a stack that then loses another checker": (
        ("tables-24", "backgammon", "-AD---C-C----------BA--fA- b", "31"),
        "0 24.1 ^, 700 24.1 v, 1770 bar.white.1 v, 2350 23.5 ^",
        (1500, "23/24* 23/off"),
    ),
    "the same from a bar of three": (
        ("tables-24", "backgammon", "-aEABB-aa---a----e-cB-ab-C w", "43"),
        "0 22.1 ^, 429 22.1 v, 518 bar.black.1 v, 1607 bar.white.2 ^, 2591 21.1 v",
        (300, "bar/22* bar/21"),
    ),
    "the checker of 1 has long landed on 4 when the one from the unsensed bar hits": (
        ("tables-24-thrifty", "portes", "aa-BACABA---cB---b-b-bbbC- b", "63"),
        "0 1.1 ^, 740 4.2 v, 1805 4.1 ^, 4245 6.2 v, 4750 6.1 ^",
        (300, "bar/6* 1/4*"),
    ),
    "what was put on 6 and taken away again is no checker missing from 6": (
        ("tables-24-thrifty", "portes", "-a-B-CBaC---cB---b-b-bbbC- w", "11"),
        "0 8.3 ^, 400 6.3 v, 1000 6.3 ^, 1500 8.3 v, 2000 7.1 ^, 3000 7.1 v, 3600 6.2 ^",
        (1600, "in hand"),
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_a_scene(name: str) -> None:
    (board, game, text, dice), steps, (wait, said) = SCENES[name]
    human = Human(board, game, random.Random(1))
    human.stand(human.game.read_position(text), read_roll(dice, human.game.dice))
    start = human.us
    for step in steps.split(", "):
        time_ms, sensor, what = step.split()
        human.wait((start - human.us) / US_A_MS + float(time_ms))
        human.tracker.see(Touch(human.us, Sensor(sensor), what == "v"))
        human.wait(0)
    human.wait(wait)
    reading = human.reading
    played = reading.state is BoardState.PLAYED
    play = human.game.write_play(human.position, reading.plays[0]) if played else ""
    assert (play or reading.state.value) == said
