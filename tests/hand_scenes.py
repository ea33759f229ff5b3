"""Scenes of hands over a tracker, as tables of ms, lift, drop or press, and what is then said."""

from __future__ import annotations

import random
from typing import NamedTuple, TypeAlias

from human import Human

from pi_app.base.microseconds import US_A_MS, Us, ms
from pi_app.rules.terms import read_roll
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState, Patience

NOT_THROWN = "-"
PATIENCE = Patience()
CALM = "in hand or resting"
"""The expected result of a step without one."""


class Setup(NamedTuple):
    """A board, the position on it, and the roll or NOT_THROWN."""

    board: str
    game: str
    position: str
    roll: str


Scenes: TypeAlias = dict[str, tuple[Setup, str]]
"""Scenes: their start and their steps (see `amiss`)."""

FULL, THRIFTY, SIX = "tables-24", "tables-24-thrifty", "nannon-6"
BLOT = "-a--a-E-C---eE---c-e----B- w"
"""Nearly the start of Backgammon: single Black checkers on 1 and 4."""
BLOTS = "-a-aa-E-C---eE---b-e----B- w"
ENTERING = "-a--a-E-C---eE---c-e----AA w"
HUNTED = "-a--a-E-C---eD---c-da---BA w"
"""White enters, on 20 against a single checker."""
CLOSED = "-c----E-C----E----AbbbbbbA w"
HIGH = "------H-G------------o---- w"
FULL_54 = Setup(FULL, "backgammon", BLOT, "54")
THRIFTY_54 = Setup(THRIFTY, "backgammon", BLOT, "54")
PINS = Setup(FULL, "pin", "-gc--b-a-Aa-A--a----A---L- w -", "54")
PINS_THRIFTY = PINS._replace(board=THRIFTY)
SOLDIERS_MET = Setup(
    "cannon-10",
    "cannon",
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "........../....X..... L",
    "",
)


def amiss(setup: Setup, steps: str, times: Patience = PATIENCE) -> list[str]:
    """The steps whose result differs from the expected one.

    A step is "400 8.3 ^: in hand": ms, an act, a result. Acts: "8.3 ^" opens, "8.3 v" closes,
    "press", "roll 52", "aside 8.3" (turned off from now on), "accept 8/4* 8/3" (and "then" the
    opponent's), "back" (undo: the players are led there), or none. Results: a state, a play, "asks
    " and the likeliest play, "asks also " and any, "asks only " and no other; "wrong " may name the
    rule. " or " separates alternatives; a step without a result is CALM.
    """
    human = Human(setup.board, setup.game, random.Random(1), times=times)
    dice = human.game.dice
    position = human.game.read_position(setup.position)
    thrown = setup.roll != NOT_THROWN
    human.stand(position, read_roll(setup.roll if thrown else "654321"[:dice], dice))
    if not thrown:
        human.tracker.expect(position, None)
    start, found = human.us, []
    for step in steps.split(", "):
        done, _, wanted = step.partition(": ")
        time_ms, _, what = done.partition(" ")
        _pass_time(human, Us(start + ms(float(time_ms))))
        _do(human, what)
        said = _said(human)
        if not any(_meets(one, said) for one in (wanted or CALM).split(" or ")):
            found.append(f"{done}: {said}, not {wanted or CALM}")
    return found


def _pass_time(human: Human, until: Us) -> None:
    """Judged at each moment when quiet alone may change what is said, as the referee does."""
    while (due := human.tracker.due(human.us)) is not None and due < until:
        human.wait((due - human.us) / US_A_MS)
    human.wait((until - human.us) / US_A_MS)


def _do(human: Human, what: str) -> None:
    tracker = human.tracker
    match what.split():
        case [sensor, "^" | "v" as sign]:
            tracker.see(Touch(human.us, Sensor(sensor), sign == "v"))
        case ["roll", dice]:
            tracker.offer_roll(read_roll(dice, human.game.dice))
        case ["aside", *sensors]:
            tracker.set_aside(frozenset(map(Sensor, sensors)))
        case ["accept", *_]:
            position = human.position
            for play in what.removeprefix("accept ").split(" then "):
                position = human.game.after(position, human.game.read_play(position, play))
            tracker.expect(position, None)
        case ["press"]:
            tracker.update(human.us, hurry=True)
            if human.reading.state in (BoardState.PLAYED, BoardState.CHOOSE):
                return
            tracker.insist()
        case ["back"]:
            tracker.expect(human.position, human.roll, guide=True)
        case [_, *_]:
            raise AssertionError(f"{what}: nobody does that")
    human.wait(0)


def _said(human: Human) -> str:
    reading = human.reading
    plays = "; ".join(human.game.write_play(human.position, play) for play in reading.plays)
    match reading.state:
        case BoardState.PLAYED:
            return plays
        case BoardState.CHOOSE:
            return f"asks {plays}"
        case BoardState.WRONG if reading.broken:
            return f"wrong {reading.broken.rule.identifier}"
    return str(reading.state.value)


def _meets(wanted: str, said: str) -> bool:
    asked = said.removeprefix("asks ").split("; ") if said.startswith("asks ") else [""]
    if wanted.startswith("asks only "):
        return [wanted.removeprefix("asks only ")] == asked
    if wanted.startswith("asks also "):
        return wanted.removeprefix("asks also ") in asked
    if wanted.startswith("asks "):
        return wanted.removeprefix("asks ") == asked[0]
    return wanted == said or (wanted == "wrong" and said.startswith("wrong "))
