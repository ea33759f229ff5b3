"""The table of phases: what runs is what it says, row by row, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import GAMES, find_game

from pi_app.match.acts import Act
from pi_app.match.score import Agreement, Cube, offer
from pi_app.match.turns import (
    SHOWN,
    TABLE,
    GameResult,
    MatchState,
    Phase,
    Turns,
    UnknownActError,
    knows,
)
from pi_app.rules.terms import Die, Roll, Side

KNOWN = {
    Phase.SET_UP: "board set, correct",
    Phase.OPENING_THROW: "throw, change dice, correct",
    Phase.TO_ROLL: "roll, change dice, double, resign, take back, correct, overtime, flag",
    Phase.DOUBLE_OFFERED: "take, pass, beaver, take back, overtime, flag",
    Phase.RESIGNATION_OFFERED: "accept, refuse, take back, overtime, flag",
    Phase.MOVING: "play, change dice, resign, take back, restore, correct, overtime, flag",
    Phase.GAME_OVER: "next game, take back",
    Phase.MATCH_OVER: "take back",
}


class RandomMatch:
    """Players who act at random, driven by a seed."""

    def __init__(self, name: str, match_to: int | None, seed: int) -> None:
        self.game, self.chance = find_game(name), random.Random(seed)
        self.turns = Turns(self.game, Agreement(match_to, self.game.has_cube, False, False))
        self.state: MatchState[Any] = self.turns.begin()
        self.pasts: list[MatchState[Any]] = []
        self.gone: tuple[MatchState[Any], list[MatchState[Any]]] | None = None
        self.before_dice: MatchState[Any] | None = None
        self.arguments: dict[Act, Callable[[], Any]] = {
            Act.THROW: lambda: Die(self.die()),
            Act.ROLL: lambda: Roll.of(*(self.die() for _ in range(self.game.dice))),
            Act.PLAY: lambda: self.chance.choice(self.plays()),
            Act.RESIGN: lambda: self.chance.choice(self.points()),
            Act.TAKE_BACK: lambda: self.pasts[-1],
            Act.RESTORE: lambda: self.gone[0] if self.gone else None,
            Act.CHANGE_DICE: lambda: self.before_dice,
            Act.CORRECT: self.position,
        }

    def die(self) -> int:
        return self.chance.randint(1, 6)

    def plays(self) -> tuple[Any, ...]:
        return self.game.plays(self.state.position, self.state.roll or Roll(()))

    def points(self) -> tuple[int, ...]:
        return tuple(self.turns.resignations(self.state))

    def position(self) -> Any:
        """Starting positions for either mover; in Nannon also near the end and after it."""
        texts = [self.game.write_position(self.game.start(side)) for side in Side]
        texts += ["0..b..w0 w", "0....b.2 b"] if self.game.name == "nannon" else []
        return self.game.read_position(self.chance.choice(texts))

    def can(self, act: Act) -> bool:
        """Whether the cube and the game so far allow an act that the phase knows.

        A flag falls rarely enough that matches also end otherwise.
        """
        if act is Act.FLAG:
            return self.turns.agreement.match_to is not None and self.chance.random() < 0.2
        if act is Act.DOUBLE:
            return self.turns.may_double(self.state, self.state.to_act)
        if act is Act.BEAVER:
            return self.turns.may_beaver(self.state)
        if act is Act.CHANGE_DICE:
            return self.before_dice is not None
        if act is Act.RESTORE:
            return self.gone is not None
        return act is not Act.TAKE_BACK or bool(self.pasts)

    def step(self, act: Act) -> None:
        before, argument = self.state, self.arguments.get(act, lambda: None)()
        self.state = self.turns.act(before, act, argument)
        match act:
            case Act.PLAY:
                self.pasts = [*self.pasts, before]
            case Act.TAKE_BACK:
                self.gone, self.pasts = (before, self.pasts), self.pasts[:-1]
            case Act.RESTORE if self.gone:
                self.pasts = self.gone[1]
            case Act.NEXT_GAME:
                self.pasts = []
        if act in (Act.PLAY, Act.CORRECT, Act.NEXT_GAME, Act.RESTORE):
            self.gone = None
        if act is Act.ROLL or (act is Act.THROW and not before.thrown):
            self.before_dice = before
        elif act is not Act.THROW:
            self.before_dice = None


def known(phase: Phase) -> list[Act]:
    return [Act[text.upper().replace(" ", "_")] for text in KNOWN[phase].split(", ")]


def walked(name: str, match_to: int | None, seed: int, steps: int) -> set[tuple[Phase, Act, Phase]]:
    """From where by what to where a match of random acts has gone."""
    walk, found = RandomMatch(name, match_to, seed), set()
    for _ in range(steps):
        before = walk.state.phase
        acts = [act for act in known(before) if walk.can(act)]
        if not acts:
            break
        act = walk.chance.choice(acts)
        walk.step(act)
        found.add((before, act, walk.state.phase))
    return found


def listed() -> set[tuple[Phase, Act, Phase]]:
    rows = ((phase, act, row) for phase, acts in TABLE.items() for act, row in acts.items())
    return {(phase, act, target) for phase, act, row in rows for target in row.to}


def reached_from(first: Phase) -> set[Phase]:
    seen: set[Phase] = set()
    ahead = [first]
    while ahead:
        phase = ahead.pop()
        if phase not in seen:
            seen.add(phase)
            ahead += [target for before, _, target in listed() if before is phase]
    return seen


def test_matches_go_by_every_row_to_each_of_its_phases_and_by_no_other_way() -> None:
    found = set[tuple[Phase, Act, Phase]]()
    for name, match_to in (("nannon", 1), ("nannon", 7), ("portes", 3), ("cannon", 3)):
        for seed in range(200):
            found |= walked(name, match_to, seed, steps=60)
    # Only a match that begins at a position begins with a double that was offered.
    offered = (Phase.SET_UP, Act.BOARD_SET, Phase.DOUBLE_OFFERED)
    # Beavers are for unlimited play, and only where they are agreed on.
    beaver = (Phase.DOUBLE_OFFERED, Act.BEAVER, Phase.DOUBLE_OFFERED)
    assert found == listed() - {offered, beaver}
    walk = RandomMatch("backgammon", 3, 1)
    standing = offer(walk.state.standing, Side.WHITE)
    walk.state = replace(walk.state, standing=standing, starter=Side.WHITE)
    walk.step(Act.BOARD_SET)
    assert (walk.state.phase, walk.state.to_act) == (Phase.DOUBLE_OFFERED, Side.BLACK)


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_each_phase_knows_its_acts_and_no_other(phase: Phase) -> None:
    assert [act for act in Act if knows(phase, act)] == sorted(known(phase), key=list(Act).index)


@given(
    st.sampled_from(sorted(GAMES)),
    st.sampled_from([1, 3, None]),
    st.integers(0, 1000),
    st.lists(st.sampled_from(Act), max_size=60),
)
def test_an_act_that_the_phase_does_not_know_is_refused_and_changes_nothing(
    name: str, match_to: int | None, seed: int, acts: list[Act]
) -> None:
    walk = RandomMatch(name, match_to, seed)
    for act in acts:
        before = walk.state
        if act not in known(before.phase):
            with pytest.raises(UnknownActError, match=f"{SHOWN[before.phase]}' does not know"):
                walk.turns.act(before, act)
            assert walk.state is before
        elif walk.can(act):
            walk.step(act)
            assert walk.state.phase in TABLE[before.phase][act].to


def test_no_act_leads_where_its_row_does_not() -> None:
    walk = RandomMatch("nannon", 7, 1)
    for act in (Act.BOARD_SET, Act.CORRECT):
        walk.step(act)
    before = replace(walk.state, phase=Phase.GAME_OVER)
    with pytest.raises(UnknownActError, match=r"'take back' leads .* to moving, never to 'set up'"):
        walk.turns.act(before, Act.TAKE_BACK, walk.turns.begin())


def test_every_phase_can_be_reached_from_the_set_up() -> None:
    assert reached_from(Phase.SET_UP) == set(Phase)


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_every_phase_leads_to_the_end_of_the_match(phase: Phase) -> None:
    assert Phase.MATCH_OVER in reached_from(phase)


@pytest.mark.parametrize("phase", [Phase.TO_ROLL, Phase.MOVING], ids=lambda phase: phase.value)
@pytest.mark.parametrize("name", GAMES)
def test_a_refused_resignation_leaves_no_trace(name: str, phase: Phase) -> None:
    walk = RandomMatch(name, 3, 1)
    on = [Act.BOARD_SET, Act.THROW, Act.ROLL, Act.PLAY]
    for _ in range(20):
        if walk.state.phase is phase:
            before = walk.state
            walk.step(Act.RESIGN)
            offered = (walk.state.phase, walk.state.to_act, walk.state.roll)
            assert offered == (Phase.RESIGNATION_OFFERED, before.to_act.other, before.roll)
            walk.step(Act.REFUSE)
            assert walk.state == before
            return
        walk.step(next(act for act in on if act in known(walk.state.phase)))
    assert (phase, walk.game.dice) == (Phase.TO_ROLL, 0)


def test_nothing_is_accepted_that_was_not_offered() -> None:
    walk = RandomMatch("nannon", 3, 1)
    offered = replace(walk.state, phase=Phase.RESIGNATION_OFFERED)
    with pytest.raises(UnknownActError, match="nothing is offered"):
        walk.turns.act(offered, Act.ACCEPT)


@pytest.mark.parametrize("name", GAMES)
def test_an_accepted_resignation_gives_its_points_times_the_stake(name: str) -> None:
    walk = RandomMatch(name, None, 1)
    walk.step(Act.BOARD_SET)
    while walk.state.phase is Phase.OPENING_THROW:
        walk.step(Act.THROW)
    stake = 4 if walk.game.has_cube else 1
    standing = replace(walk.state.standing, cube=Cube(stake))
    state = replace(walk.state, standing=standing)
    for points in walk.turns.resignations(state):
        offered = walk.turns.act(state, Act.RESIGN, points)
        over = walk.turns.act(offered, Act.ACCEPT)
        winner = state.to_act.other
        assert over.standing.score[winner] == points * stake
        assert over.result == GameResult(winner, points * stake, "resigned")
        assert over.resignation is None
