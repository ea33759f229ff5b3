"""The phases of a match and what leads from one to another, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType


class Phase(Enum):
    """Where a match stands."""

    SET_UP = "set up"
    OPENING_THROW = "opening throw"
    TO_ROLL = "to roll"
    DOUBLE_OFFERED = "double offered"
    MOVING = "moving"
    GAME_OVER = "game over"
    MATCH_OVER = "match over"


IN_PLAY = (Phase.OPENING_THROW, Phase.TO_ROLL, Phase.DOUBLE_OFFERED, Phase.MOVING)
"""A game is under way: what stands on the board matters."""

OVER = (Phase.GAME_OVER, Phase.MATCH_OVER)
"""A game has ended."""


class Act(Enum):
    """What players do to a match; hands, presses and taps are translated into these."""

    BOARD_SET = "board set"
    THROW = "throw"
    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    PLAY = "play"
    RESIGN = "resign"
    TAKE_BACK = "take back"
    CORRECT = "correct"
    NEXT_GAME = "next game"


TABLE: Mapping[Phase, Mapping[Act, tuple[Phase, ...]]] = MappingProxyType(
    {
        Phase.SET_UP: MappingProxyType(
            {
                Act.BOARD_SET: (Phase.OPENING_THROW, Phase.TO_ROLL, Phase.MOVING),
                Act.CORRECT: (Phase.TO_ROLL, Phase.MOVING, *OVER),
            }
        ),
        Phase.OPENING_THROW: MappingProxyType(
            {
                Act.THROW: (Phase.OPENING_THROW, Phase.TO_ROLL, Phase.MOVING),
                Act.CORRECT: (Phase.TO_ROLL, Phase.MOVING, *OVER),
            }
        ),
        Phase.TO_ROLL: MappingProxyType(
            {
                Act.ROLL: (Phase.MOVING,),
                Act.DOUBLE: (Phase.DOUBLE_OFFERED,),
                Act.RESIGN: OVER,
                Act.TAKE_BACK: (Phase.MOVING,),
                Act.CORRECT: (Phase.TO_ROLL, Phase.MOVING, *OVER),
            }
        ),
        Phase.DOUBLE_OFFERED: MappingProxyType(
            {
                Act.TAKE: (Phase.TO_ROLL,),
                Act.PASS: OVER,
                Act.TAKE_BACK: (Phase.MOVING,),
            }
        ),
        Phase.MOVING: MappingProxyType(
            {
                Act.PLAY: (Phase.TO_ROLL, Phase.MOVING, *OVER),
                Act.RESIGN: OVER,
                Act.TAKE_BACK: (Phase.MOVING,),
                Act.CORRECT: (Phase.MOVING, Phase.TO_ROLL, *OVER),
            }
        ),
        Phase.GAME_OVER: MappingProxyType(
            {
                Act.NEXT_GAME: (Phase.SET_UP,),
                Act.TAKE_BACK: (Phase.MOVING,),
            }
        ),
        Phase.MATCH_OVER: MappingProxyType({Act.TAKE_BACK: (Phase.MOVING,)}),
    }
)
"""From each phase, the acts it knows and the phases each may lead to; any other act is unknown."""


def knows(phase: Phase, act: Act) -> bool:
    """Whether the phase knows the act."""
    return act in TABLE[phase]


def describe() -> str:
    """The table as lines of text, one a phase and act, for the documentation."""
    return "\n".join(
        f"{phase.value:<15} {act.value:<10} → {' | '.join(target.value for target in targets)}"
        for phase, acts in TABLE.items()
        for act, targets in acts.items()
    )
