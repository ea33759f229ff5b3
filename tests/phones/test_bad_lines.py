"""Play goes on whatever happens to the lines of phones, and each phone is shown the present."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bad_lines import (
    HASTE,
    MODEM,
    LineCost,
    PhoneScene,
    PhoneWire,
    TimedTable,
    begin,
    cable_pulled,
    pass_an_hour,
    play_turns,
    run_scene,
    timed_table,
)
from chromium import CHROMIUM, BrowserError, browser, tab
from phone_bench import PATIENCE_S, PhoneTable, phone_table

TURNS = 2
MOST_OF_LOOP_MS = 5.0
MOST_BYTES = 20_000
"""Bytes a second to one phone while people play."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TimedTable]:
    with timed_table(tmp_path_factory.mktemp("board")) as opened:
        yield opened


def test_twenty_phones_cost_the_loop_and_the_network_little(table: TimedTable) -> None:
    cost = run_scene(table, lambda lines: lines.played(TURNS), (None,) * 20)
    assert cost.changes >= TURNS
    assert cost.loop_ms < MOST_OF_LOOP_MS
    assert max(cost.lines) < MOST_BYTES


def test_a_phone_at_a_modems_speed_delays_nobody_and_is_shown_the_newest(
    table: TimedTable,
) -> None:
    async def scene(lines: PhoneScene) -> LineCost:
        cost = await lines.played(TURNS)
        server = table.phones._server
        assert server is not None
        async with asyncio.timeout(PATIENCE_S):
            while {tuple(one.elements) for one in lines.phones} != {
                line.phone._sent.elements for line in server._lines
            }:
                await asyncio.sleep(0.02)
        return cost

    cost = run_scene(table, scene, (MODEM, None))
    assert 0 < cost.lines[0] < MODEM
    assert cost.loop_ms < MOST_OF_LOOP_MS


def test_a_pulled_cable_delays_nobody_and_its_phone_is_given_up(table: TimedTable) -> None:
    async def scene(lines: PhoneScene) -> LineCost:
        cost = await cable_pulled(lines, TURNS)
        await asyncio.to_thread(pass_an_hour, table)
        async with asyncio.timeout(PATIENCE_S):
            while table.phones.links.count > 1:
                await asyncio.sleep(0.01)
        return cost

    cost = run_scene(table, scene, (None, None))
    assert cost.lines[0] == 0
    assert cost.lines[1] > 0
    assert cost.loop_ms < MOST_OF_LOOP_MS


def test_play_goes_on_where_the_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken, phone_table(tmp_path) as table:
        table.phones.close()
        table.phones.let_in(taken.getsockname()[1])
        table.until(lambda: table.phones.links.trouble)
        begin(table)
        play_turns(table, 1)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_a_phone_that_slept_for_an_hour_is_shown_the_present(tmp_path: Path) -> None:
    picture = "document.getElementById('picture').innerHTML"

    async def run(table: PhoneTable, address: str) -> None:
        async with tab(address) as page, tab(address) as other:
            for one, link in ((page, table.phones.links.play), (other, table.phones.links.watch)):
                await one.size(390, 844, phone=True)
                await one.goto(link)
                await one.until("document.querySelectorAll('#picture > *').length > 10")
            await page.tell("Page.setWebLifecycleState", state="frozen")
            await asyncio.to_thread(play_turns, table, 1)
            await asyncio.to_thread(pass_an_hour, table)
            old = await other.ask("document.getElementById('state').textContent")
            assert old
            await page.tell("Page.setWebLifecycleState", state="active")
            await page.until("!document.body.classList.contains('lost')")
            async with asyncio.timeout(PATIENCE_S):
                while await page.ask(picture) != await other.ask(picture):
                    await asyncio.sleep(0.05)

    in_a_browser(tmp_path, run)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_a_page_whose_call_is_not_answered_calls_again(tmp_path: Path) -> None:
    async def run(table: PhoneTable, address: str) -> None:
        board = urlsplit(table.phones.links.play)
        wire = PhoneWire(str(board.hostname), board.port or 0)
        async with wire.laid() as end, tab(address) as page:
            await page.tell("Page.addScriptToEvaluateOnNewDocument", source=HASTE)
            await page.goto(f"http://{end}/#{board.fragment}")
            await page.until("document.querySelectorAll('#picture > *').length > 10")
            wire.is_cut = True
            while not wire.unheard:
                await asyncio.sleep(0.02)
            wire.is_cut = False
            await page.until("!document.body.classList.contains('lost')")

    in_a_browser(tmp_path, run)


def in_a_browser(
    folder: Path, run: Callable[[PhoneTable, str], Coroutine[None, None, None]]
) -> None:
    """Run this with a board on which a match is played, and the address of a browser."""
    try:
        with (
            browser(folder / "chromium", str(CHROMIUM)) as address,
            phone_table(folder / "board") as table,
        ):
            begin(table)
            asyncio.run(asyncio.wait_for(run(table, address), 3 * PATIENCE_S))
    except BrowserError as error:
        pytest.skip(str(error))
