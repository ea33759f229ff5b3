"""How likely each side wins: right, for every phase, and never in anybody's way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import aiohttp
import pytest
from club_night import ToldMatch, told_match
from known import GAMES, load_board
from open_wall import open_wall

from pi_app.games.all import ALL
from pi_app.games.chances import WinChances
from pi_app.match.turns import Phase
from pi_app.rules.terms import Both
from pi_app.wall.chances import OPEN, WinOdds
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import Stand, Teller

TIED = ("pin", "plakoto")
STARTED = 21
"""So many decisions, and a game is under way."""


@pytest.fixture
def chances() -> Iterator[WinOdds]:
    made = WinOdds(ALL)
    yield made
    made.close()


def stands(match: ToldMatch, count: int) -> Iterator[Stand]:
    """How it stands after each of the first decisions."""
    teller, stand = Teller(ALL, Gallery(ALL, load_board)), None
    for number in range(count):
        stand = teller.stand(match.summary(number), stand)
        yield stand


def asked(chances: WinOdds, stand: Stand) -> Both[float] | None:
    return asyncio.run(chances.of(stand))


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"cannon"}))
def test_both_sides_chances_are_known_while_a_game_is_open(game: str, chances: WinOdds) -> None:
    found = [(stand, asked(chances, stand)) for stand in stands(told_match("a", game), STARTED)]
    assert {stand.state.phase in OPEN for stand, _ in found} == {True, False}
    for stand, both in found:
        if stand.state.phase not in OPEN:
            assert both is None
            continue
        assert both
        assert min(both) >= 0
        # What both lack is the chance of a tie.
        assert (0.9 if game in TIED else 1 - 1e-6) < sum(both) < 1 + 1e-6


def test_a_game_whose_players_know_no_chances_has_none(chances: WinOdds) -> None:
    assert not any(asked(chances, stand) for stand in stands(told_match("a", "cannon"), 9))


@pytest.mark.parametrize(
    ("position", "white"),
    [
        ("-A-----------------o------ w", 1.0),
        ("------O-----------------a- b", 0.0),
    ],
)
def test_a_decided_race_is_certain(position: str, white: float, chances: WinOdds) -> None:
    *_, stand = stands(told_match("a", "backgammon"), 3)
    state = replace(stand.state, phase=Phase.TO_ROLL, position=position, roll=None)
    both = asked(chances, replace(stand, state=state))
    assert both
    assert both.white == pytest.approx(white, abs=0.001)


def test_a_position_that_cannot_be_weighed_has_none(chances: WinOdds) -> None:
    *_, stand = stands(told_match("a", "backgammon"), 3)
    state = replace(stand.state, phase=Phase.TO_ROLL, position="nonsense")
    assert asked(chances, replace(stand, state=state)) is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_page_reads_them_in_its_language_and_waits_for_nobody_elses(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, other = told_match("table-1", "backgammon"), told_match("table-2", "portes")
    free, find = Event(), WinChances._of

    def slow(self: WinChances, *asked: object) -> Both[float] | None:
        assert free.wait(60)
        return find(self, *asked)  # type: ignore[arg-type]

    monkeypatch.setattr(WinChances, "_of", slow)

    async def seen() -> None:
        async with open_wall() as wall, aiohttp.ClientSession() as client:
            for each in (match, other):
                wall.kept(each)
                wall.hear(each.summary(STARTED))
            address = f"{wall.url}/chances/table-1?lang={language}"
            waiting = asyncio.ensure_future(client.get(address))
            async with client.get(f"{wall.url}/events?board=table-2") as events:
                assert (await events.content.readline()).startswith(b"data: ")
            assert not waiting.done()
            free.set()
            told = await (await waiting).json()
            white, black = told["shares"]
            assert white + black == pytest.approx(1, abs=1e-6)
            assert told["texts"] == [f"{100 * share:.0f}\u00a0%" for share in (white, black)]
            async with client.get(f"{wall.url}/chances/nobody") as nobody:
                assert await nobody.json() is None

    asyncio.run(asyncio.wait_for(seen(), 120))
