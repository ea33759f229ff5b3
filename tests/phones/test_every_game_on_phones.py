"""A whole match of every game from a browser, by touch and by keys alone, at three sizes, beside a
phone that watches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from chromium import CHROMIUM, Tab, chromium
from known import load_board
from phone_bench import PhoneTable, phone_table
from shares import SEED, one_in, some
from test_phone_pages import (
    PLACES,
    die_button,
    differs,
    press,
    tap,
    touch,
    two_phones,
    until,
    walk_to,
)

from pi_app.games.all import ALL
from pi_app.match.turns import Phase
from pi_app.sensing.reading import BoardState

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

__all__ = ["chromium"]
SIZES = ((390, 844), (844, 390), (1024, 768))
WAYS = ("touch", "keys")
GAMES = sorted(ALL.rules)
LONGEST_S, MOST_ROUNDS = 1500.0, 1500
LOOKS_S = 3.0
"""So long the board may take for a play, or for a press, before the button is pressed again."""
CASES = [
    (game, WAYS[(nth + turn) % 2], SIZES[(nth + turn) % 3])
    for turn in range(2)
    for nth, game in enumerate(GAMES)
]
"""Every game in both ways; every size in both ways."""
SHORT = [case for case in CASES if case[0] in ("nannon", "hypergammon")]
"""Those that end soon. A whole match of another game takes minutes."""


async def changed(holds: Callable[[], object]) -> bool:
    try:
        await until(holds, LOOKS_S)
    except TimeoutError:
        return False
    return True


async def play_match(table: PhoneTable, go_on: Callable[[], Awaitable[None]]) -> int:
    """Play to the end and return how many plays; `go_on` presses the die button."""
    plays = 0
    for _ in range(MOST_ROUNDS):
        view = table.view
        if view.phase is Phase.MATCH_OVER:
            return plays
        if view.fill or view.clear:
            table.set_up()
            await changed(lambda: not table.view.fill and not table.view.clear)
        elif view.phase is Phase.MOVING and view.board is BoardState.RESTING and view.moves_exist:
            await asyncio.to_thread(table.make_a_play)
            plays += await changed(lambda: table.view.board is not BoardState.RESTING)
        before = table.view
        await go_on()
        await changed(partial(differs, table, before))
    raise AssertionError(f"no end after {MOST_ROUNDS} rounds: {table.view}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "way", "size"), CASES if one_in(2) == 1 else some(SHORT, len(SHORT)), ids=str
)
def test_a_whole_match_from_a_phone(
    chromium: str, tmp_path: Path, game: str, way: str, size: tuple[int, int]
) -> None:
    async def run(table: PhoneTable) -> int:
        async with two_phones(chromium, table, size) as (page, other):
            plays = await (by_touch if way == "touch" else by_keys)(table, page)
            assert table.view.phase is Phase.MATCH_OVER
            ended = "document.getElementById('said').textContent.includes('wins')"
            await page.until(ended)
            await other.until(ended)
            assert await other.ask(f"{PLACES}.length") == 0
            return plays

    assert load_board(ALL.boards[game]).games[game].name == game
    with phone_table(tmp_path, game, f"{SEED} {way}") as table:
        assert asyncio.run(asyncio.wait_for(run(table), LONGEST_S)) >= 3


async def by_touch(table: PhoneTable, page: Tab) -> int:
    for name in ("New match", "1", "Begin"):
        await tap(page, name)
    await until(lambda: table.view)

    async def go_on() -> None:
        """Touch the die button; where the phone asks something, the first answer."""
        await asyncio.sleep(0.5)
        if await page.ask("location.hash === ''"):
            raise AssertionError("the phone has left the page")
        await touch(page, await die_button(table))

    return await play_match(table, go_on)


async def by_keys(table: PhoneTable, page: Tab) -> int:
    for name in ("New match", "1", "Begin"):
        await walk_to(page, name)
        await press(page, "Enter", "\r")
    await until(lambda: table.view)
    await page.ask("document.activeElement.blur()")

    async def go_on() -> None:
        await asyncio.sleep(0.5)
        if table.view.board is BoardState.CHOOSE:
            await agree()
        else:
            await press(page, " ", " ")

    async def agree() -> None:
        """Hold the key of a long press, which means yes; a short one asks about the next play."""
        await page.tell("Input.dispatchKeyEvent", type="keyDown", key="d", text="d")
        await changed(lambda: table.view.board is not BoardState.CHOOSE)
        await page.tell("Input.dispatchKeyEvent", type="keyUp", key="d")

    return await play_match(table, go_on)
