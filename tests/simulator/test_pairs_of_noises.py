"""Every pair of kinds of noise in one turn: two kinds together cause no new failure.

A generator builds a turn for every pair and plays it in matches of every game, by simulated hands
without other noise.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from known import BOARDS, load_board
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from shares import one_in, some

from pi_app.sensing.noise import ILLEGAL, PUBLISHED, Noise
from pi_app.simulator.reeds import usual

OF_PARTS = {Noise.BOUNCE, Noise.DEAD, Noise.STUCK, Noise.CHATTER}
"""Faults of reeds."""
OFTEN = 0.5
"""Each kind of a pair happens in every other turn, so that both are in every fourth."""
PAIRS = tuple(combinations([kind for kind in Noise if kind not in OF_PARTS], 2))
SHARE = one_in(300)
SCENES, MATCHES = 10, 10 // one_in(10)
"""The least turns with both kinds of a pair, and the most matches for them."""
MOST = 600 if one_in(2) > 1 else None
"""Events of a match."""


def pairs_of(game: str) -> list[tuple[Noise, Noise]]:
    """Those that take their turn; another game takes others."""
    first = sorted(BOARDS).index(game)
    return list(PAIRS[first::SHARE])


def plan_of(game: str, pair: tuple[Noise, Noise]) -> Plan:
    """Hands that often make these two kinds of noise, and no other."""
    shares = {kind: 0.0 for kind in Noise if kind not in OF_PARTS}
    noise = PUBLISHED.but({**shares, **dict.fromkeys(pair, OFTEN)})
    rare = {Noise.MISSED_CLOSING: 0.02, Noise.MISSED_OPENING: 0.02, Noise.TAKEBACK: 0.1}
    noise = noise.but({kind: share for kind, share in rare.items() if kind in pair})
    board = load_board(BOARDS[game])
    return Plan(board, BOARDS[game], game, 1, usual(noise), noise=noise)


@pytest.mark.parametrize("game", some([*BOARDS], 5))
def test_no_pair_of_noises_upsets_a_turn(game: str) -> None:
    for pair in pairs_of(game):
        figures, seed = Figures(), 0
        while min(figures.noise[kind] for kind in pair) < SCENES and seed < MATCHES:
            table = MatchByHands(
                plan_of(game, pair), f"{pair[0].value} {pair[1].value} {seed}", figures
            )
            table.play(MOST)
            seed += 1
        where = (game, [kind.value for kind in pair], [i.text for i in table.incidents])
        assert not figures.failed, where
        assert figures.counts[Count.CAUGHT] == figures.counts[Count.ATTEMPTS], where
        assert figures.counts[Count.SILENT] == 0, where


def test_every_pair_is_somebodys() -> None:
    assert len(PAIRS) == len(set(PAIRS)) > 250
    assert set(ILLEGAL) < {kind for pair in PAIRS for kind in pair}
