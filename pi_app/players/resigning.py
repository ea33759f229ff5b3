"""Whether to accept a resignation: the offer is compared with what playing on is worth.

Playing on is worth the mean over the opponent's rolls of his best play, or his best play of the
roll on the table. In points that compares with the offer directly. In match chances the offer is
worth the next game at the score that it leads to, whoever begins, by the same player. A player that
only ranks plays has no such worth, and accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pi_app.match.score import match_won, next_game, win, worth
from pi_app.players.contract import ROUNDING, Opinion, Question, Situation, Unit
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, rolls_of


class Weighted(NamedTuple):
    """A question, the weight of its answer, the side whose worth it is, and which of the two games
    it is about."""

    question: Question
    share: float
    mover: Side
    following: bool


def questions_of(
    game: AnyGame, situation: Situation, roll: Roll | None, points: int, side: Side
) -> tuple[Weighted, ...]:
    """Return the questions whose answers decide about this offer; empty if its points win the
    match."""
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
    """Whether, by these answers, the offer is worth at least as much to this side as playing on."""
    unit = opinions[0].unit
    if unit is Unit.SCORE:
        return True
    expected = offered = 0.0
    for each, opinion in zip(asked, opinions, strict=True):
        mine = opinion.plays[0].worth
        other = 1 - mine if unit is Unit.MATCH else -mine
        value = each.share * (mine if each.mover is side else other)
        if each.following:
            offered += value
        else:
            expected += value
    if unit is Unit.POINTS:
        offered = worth(situation.agreement, situation.standing, points)
    return offered >= expected - ROUNDING
