"""Whether a resignation is to be accepted: what is offered against what is to be expected.

What the one who resigns is still worth is the mean over his rolls of his best play, or his best
play of the roll that lies there.  In points that compares with the offer at once.  In chances of
winning the match the offer is worth what the next game is at the score it leads to, whoever begins,
by the same player.  One who only compares plays by its own marks expects nothing, and accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pi_app.match.score import match_won, next_game, win, worth
from pi_app.players.contract import ROUNDING, Opinion, Question, Situation, Unit
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, rolls_of


class Weighted(NamedTuple):
    """A question, how much its answer counts, whose worth it tells, and of which of two games."""

    question: Question
    share: float
    mover: Side
    following: bool


def questions_of(
    game: AnyGame, situation: Situation, roll: Roll | None, points: int, side: Side
) -> tuple[Weighted, ...]:
    """The questions whose answers decide about this offer; none if the points win the match."""
    agreement = situation.agreement
    after = win(situation.standing, side, worth(agreement, situation.standing, points))
    if match_won(agreement, after):
        return ()
    now = {roll: 1.0} if roll is not None else rolls_of(game.dice)
    asked = [Weighted(Question(situation, r), share, side.other, False) for r, share in now.items()]
    if agreement.match_to is not None:
        following = next_game(agreement, after)
        for mover in Side:
            start = Situation(game.start(mover), agreement, following)
            asked += [
                Weighted(Question(start, each), share / len(Side), mover, True)
                for each, share in rolls_of(game.dice).items()
            ]
    return tuple(asked)


def accepts(
    asked: Sequence[Weighted],
    opinions: Sequence[Opinion],
    situation: Situation,
    points: int,
    side: Side,
) -> bool:
    """Whether the offer is worth at least as much to this side as playing on, by these answers."""
    unit = opinions[0].unit
    if unit is Unit.SCORE:
        return True
    expected = offered = 0.0
    for each, opinion in zip(asked, opinions, strict=True):
        told = opinion.plays[0].worth
        other = 1 - told if unit is Unit.MATCH else -told
        value = each.share * (told if each.mover is side else other)
        if each.following:
            offered += value
        else:
            expected += value
    if unit is Unit.POINTS:
        offered = worth(situation.agreement, situation.standing, points)
    return offered >= expected - ROUNDING
