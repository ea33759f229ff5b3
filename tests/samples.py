"""Decisions and touches to keep, none like another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.match.score import Cube, Score, Standing
from pi_app.match.turns import GameResult, MatchState, Phase
from pi_app.referee.decision import Decision
from pi_app.referee.events import (
    Button,
    DeviceLost,
    Event,
    Found,
    MachineActs,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.rules.terms import Die, Roll, Side
from pi_app.sensing.description import Sensor

START = Start(ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"))
TOUCHES: tuple[Event, ...] = (
    Picture(ms(10), frozenset({Sensor("1"), Sensor("6")})),
    Button(ms(20.5), Press.SHORT),
    Rolled(ms(21), Roll.of(4), Side.WHITE, RollSource.DEVICE),
    SensorEdge(ms(900), Sensor("1"), False),
    Tap(ms(1000), Act.RESIGN, points=2),
    MachineActs(ms(1050), Side.BLACK, Act.PLAY, "2/4"),
    MachineActs(ms(1060), Side.BLACK, Act.NOTHING),
    DeviceLost(ms(1100), "OLED"),
    Found(ms(1200), "OLED"),
    Tick(ms(1300)),
)
FIRST_GAME = Standing(Score(), Cube(), 1, crawford=False, crawford_played=False)
SET = MatchState(FIRST_GAME, Phase.OPENING_THROW, Side.WHITE, "1ww..bb1 w")
THROWN = replace(SET, to_act=Side.BLACK, thrown=((Side.WHITE, Die(5)),))
MOVING = replace(SET, phase=Phase.MOVING, roll=Roll.of(2))
PLAYED = replace(SET, phase=Phase.TO_ROLL, to_act=Side.BLACK, position="1w.w.bb1 b")
OFFERED = replace(
    PLAYED,
    phase=Phase.DOUBLE_OFFERED,
    to_act=Side.WHITE,
    standing=replace(FIRST_GAME, cube=Cube(2, Side.BLACK, Side.BLACK)),
)
GIVEN_UP = replace(PLAYED, phase=Phase.RESIGNATION_OFFERED, to_act=Side.WHITE, resignation=2)
WON = replace(
    PLAYED,
    phase=Phase.GAME_OVER,
    standing=Standing(Score(4, 1), Cube(2, Side.BLACK), 1, crawford=True, crawford_played=True),
    result=GameResult(Side.WHITE, 4, "NANNON"),
)
NEXT = MatchState(
    Standing(Score(4, 1), Cube(), 2, crawford=False, crawford_played=True),
    Phase.SET_UP,
    Side.WHITE,
    "1ww..bb1 w",
    starter=Side.WHITE,
)
OVER = replace(
    WON, phase=Phase.MATCH_OVER, standing=replace(WON.standing, score=Score(5, 2)), result=None
)
DECISIONS = (
    Decision(ms(11), Act.BOARD_SET, SET),
    Decision(ms(21), Act.THROW, THROWN, Side.WHITE, Roll.of(5), typed=True),
    Decision(ms(22.125), Act.THROW, MOVING, Side.BLACK, Roll.of(3)),
    Decision(ms(950), Act.SENSOR_OFF, MOVING, sensor=Sensor("3"), off=(Sensor("3"),)),
    Decision(ms(990), Act.CHOSEN, MOVING, Side.WHITE, play="2/4"),
    Decision(
        ms(1000), Act.PLAY, PLAYED, Side.WHITE, Roll.of(2), play="2/4", confidence=0.999998731
    ),
    Decision(ms(1010), Act.ROLL, MOVING, Side.BLACK, Roll.of(6)),
    Decision(ms(1020), Act.TAKE_BACK, MOVING, dice=Roll.of(6), play="2/4", undone=1),
    Decision(ms(1100), Act.DOUBLE, OFFERED, Side.BLACK),
    Decision(ms(1200), Act.PASS, WON, Side.WHITE),
    Decision(ms(1250), Act.PLAY, PLAYED, Side.WHITE, Roll.of(2), play="2/4", asked=True, warned=2),
    Decision(ms(1260), Act.RESIGN, GIVEN_UP, Side.BLACK),
    Decision(ms(1270), Act.REFUSE, PLAYED, Side.WHITE),
    Decision(ms(1280), Act.ROLL, MOVING, Side.BLACK, Roll.of(6), again=True),
    Decision(ms(1290), Act.CHANGE_DICE, PLAYED, dice=Roll.of(6)),
    Decision(ms(1295), Act.RESTORE, PLAYED),
    Decision(ms(1300), Act.NEXT_GAME, NEXT),
)


def any_touches(length: int, since: Us = ms(2000)) -> Iterator[Event]:
    return (DeviceLost(Us(since + number), "x" * 900) for number in range(length))
