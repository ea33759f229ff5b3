"""The pages in a real browser: every size, live, warned, delayed, replayed, over a video."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from chromium import CHROMIUM, PATIENCE_S, Tab, chromium, tab
from club_night import ToldMatch, told_match
from open_wall import KEY, OpenWall, open_wall
from PIL import Image
from silence import network_to

from pi_app.base.microseconds import Us
from pi_app.club.records import Presence, Summary
from pi_app.wall.wall import BEAT_S, SILENT_BEATS

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

__all__ = ["chromium"]

NASTY = "<img src=x onerror=alert(1)>"
GAMES = ("backgammon", "nannon", "cannon")
MINUTE = Us(60_000_000)
Looking = Callable[[OpenWall, Tab], Awaitable[None]]
CLOCK = (
    ', "clock": {"white": {"left": 3600000}, "black": {"left": 9400},'
    ' "holder": "white"}, "phase": "moving"'
)


def night(count: int, players: tuple[str, str] = ("Ada", "Ben")) -> tuple[ToldMatch, ...]:
    return tuple(
        told_match(f"table-{number + 1}", GAMES[number % 3], players, most=40)
        for number in range(count)
    )


def looked(
    chromium: str,
    look: Looking,
    matches: tuple[ToldMatch, ...],
    language: str = "en",
    **more: Any,
) -> None:
    """Serve a wall, and look at it; the page may complain of nothing."""

    async def run() -> None:
        async with open_wall(**more) as wall, tab(chromium, language) as page:
            for match in matches:
                wall.kept(match)
            await look(wall, page)
            assert page.complaints == []

    asyncio.run(asyncio.wait_for(run(), 3 * PATIENCE_S))


DRAWN = (
    "(n) => { const all = [...document.querySelectorAll('main img')];"
    " return all.length === n && all.every(one => one.complete && one.naturalWidth > 0); }"
)
CUT = (
    "[...document.querySelectorAll('main .player, main .told, main .says, header *')].filter("
    "one => one.offsetParent && (one.getBoundingClientRect().right > innerWidth + 1"
    " || one.getBoundingClientRect().left < -1)).length"
)
SMALLEST = (
    "(which => Math.min(...[...document.querySelectorAll(which)]"
    ".filter(one => one.offsetParent && one.textContent.trim())"
    ".map(one => parseFloat(getComputedStyle(one).fontSize))))"
)
RUNS = "which => document.querySelector(which).textContent.startsWith('5')"
"""A clock that began with an hour."""
LOST = "!document.getElementById('lost').hidden"
AXE = (resources.files("axe_core_python") / "axe.min.js").read_text("utf-8")
FAULTS = (
    "axe.run({ resultTypes: ['violations'] }).then(told => told.violations"
    ".filter(one => ['serious', 'critical'].includes(one.impact)"
    " || one.id === 'page-has-heading-one')"
    ".map(one => `${one.id}: ${one.nodes.map(node => node.html).slice(0, 3).join('  ')}`))"
)


@pytest.mark.parametrize(
    ("size", "count", "smallest"),
    [((390, 844), 3, 13), ((1366, 768), 12, 12), ((1920, 1080), 6, 20), ((1920, 1080), 60, 12)],
    ids=["phone", "laptop", "projector", "sixty"],
)
def test_every_board_is_there_and_can_be_read(
    chromium: str, size: tuple[int, int], count: int, smallest: float
) -> None:
    matches = night(count)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(*(match.summary(20) for match in matches))
        await page.size(*size, phone=size[0] < 700)
        await page.goto(f"{wall.url}/?theme=dark&count=60")
        await page.until(f"({DRAWN})({count})")
        assert await page.ask(CUT) == 0
        assert (
            await page.ask(f"{SMALLEST}('main .player .name, main .score, main .says')") >= smallest
        )
        assert await page.ask(f"{SMALLEST}('body *')") >= 12
        if size[0] > 700:
            assert await page.ask("document.documentElement.scrollHeight <= innerHeight + 1")
        picture = Image.open(io.BytesIO(await page.picture()))
        colours = picture.convert("RGB").resize((64, 36)).getcolors(9999)
        assert colours
        assert len(colours) > 100

    looked(chromium, look, matches)


def test_a_board_is_live_and_names_are_text(chromium: str) -> None:
    (match,) = matches = (told_match("table-1", "backgammon", (NASTY, "Ben"), most=40),)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(match.summary(20, warning=NASTY))
        await page.goto(f"{wall.url}/board/table-1?lang=de")
        await page.until(f"({DRAWN})(1)")
        await page.until("document.querySelectorAll('.links a').length === 1")
        said = "document.querySelector('.says').textContent"
        shows = "document.querySelector('main img').src"
        assert await page.ask("document.querySelector('.white .name').textContent") == NASTY[:40]
        assert await page.ask("document.querySelector('.warning').hidden")
        before, picture = await page.ask(said), await page.ask(shows)
        wall.hear(match.record(21), match.record(22))
        await page.until(f"{said} !== {before!r}")
        await page.until(f"{shows} !== {picture!r}")
        wall.hear(Presence(match.board, False))
        await page.until("document.querySelector('.large').matches('.away')")

    looked(chromium, look, matches)


def test_warnings_need_the_operator_and_the_reader(chromium: str) -> None:
    (match,) = matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(match.summary(20, warning="Put it back on 4"))
        await page.goto(f"{wall.url}/operator/{KEY}")
        await page.until("document.querySelector('[name=warnings]') !== null")
        await page.ask(
            "document.querySelector('[name=warnings]').click(),"
            " document.querySelector('[name=delay]').value = '15',"
            " document.querySelector('button').click()"
        )
        await page.until("document.querySelector('[name=warnings]')?.checked")
        await page.goto(wall.url)
        await page.until("!document.getElementById('warn').hidden")
        assert "15 seconds" in await page.ask("document.getElementById('delay').textContent")
        await page.until("document.querySelector('.card .warning') !== null")
        hidden = "document.querySelector('.card .warning').hidden"
        assert await page.ask(hidden)
        await page.ask("document.querySelector('#warn input').click()")
        await page.until(f"!{hidden}")
        assert await page.ask("document.querySelector('.card .warning').textContent") == (
            "Put it back on 4"
        )

    looked(chromium, look, matches)


def with_clock(summary: Summary) -> Summary:
    """The summary of a match with a clock, which White holds."""
    line = (summary.decision or "").removesuffix("}") + CLOCK + "}"
    start = json.loads(summary.start)
    start["options"] |= {"clock": "plain"}
    return replace(summary, start=json.dumps(start), decision=line)


def test_the_clock_of_who_holds_it_runs_on_the_page(chromium: str) -> None:
    (match,) = matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(with_clock(match.summary(21)))
        await page.goto(f"{wall.url}/board/table-1")
        await page.until(f"({RUNS})('.white .clock')")
        assert await page.ask("document.querySelector('.black .clock').textContent") == "0:09.4"
        assert await page.ask("document.querySelector('.black .clock').matches('.short')")

    looked(chromium, look, matches)


def test_a_board_is_read_aloud_once_it_is_asked_for(chromium: str) -> None:
    (match,) = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(match.summary(8))
        await page.goto(f"{wall.url}/board/{match.board}")
        await page.until("document.querySelector('.says').textContent.length > 0")
        await page.ask(
            "window.spoken = []; speechSynthesis.speak = one => spoken.push(one.text);"
            "document.querySelector('#aloud input').click()"
        )
        wall.hear(match.summary(9))
        await page.until("spoken.length === 1")
        (said,) = await page.ask("spoken")
        assert "/" not in said
        assert "Ada" in said

    looked(chromium, look, (match,))


def test_a_match_is_replayed_step_by_step(chromium: str) -> None:
    (match,) = matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(match.summary(len(match.lines)))
        await page.goto(f"{wall.url}/board/table-1/replay/{quote(match.match)}")
        step = "document.querySelector('.large').dataset.step"
        await page.until(f"{step} === '0'")
        for way, expected in (("after", "1"), ("after", "2"), ("before", "1"), ("first", "0")):
            await page.ask(f"document.querySelector('[data-go={way}]').click()")
            assert await page.ask(step) == expected
        await page.key("ArrowRight")
        await page.until(f"{step} === '1'")
        picture = await page.ask("document.querySelector('main img').src")
        await page.key("End")
        await page.until(f"document.querySelector('main img').src !== {picture!r}")
        await page.until(f"({DRAWN})(1)")
        assert await page.ask("document.querySelector('.steps').hidden") is False

    looked(chromium, look, matches)


def test_over_a_video_all_around_the_board_is_see_through(chromium: str) -> None:
    matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(matches[0].summary(20))
        await page.size(1280, 720)
        for kind, board_is_there in (("", True), ("bar", False)):
            await page.goto(f"{wall.url}/board/table-1?overlay={kind}")
            await page.until(f"({DRAWN})(1)")
            picture = Image.open(io.BytesIO(await page.picture(see_through=True)))
            assert picture.getpixel((1279, 719)) == (0, 0, 0, 0)
            opaque = picture.getchannel("A").histogram()[255]
            assert (opaque > 1280 * 720 // 3) is board_is_there
            assert opaque > 1280 * 720 // 20

    looked(chromium, look, matches)


def test_a_lower_third_tells_pips_dice_and_the_last_play(chromium: str) -> None:
    matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(with_clock(matches[0].summary(21)))
        await page.size(1280, 720)
        await page.goto(f"{wall.url}/board/table-1?overlay=lower")
        await page.until("document.querySelector('.white .pips').textContent.endsWith('pips')")
        picture = Image.open(io.BytesIO(await page.picture(see_through=True)))
        upper = picture.crop((0, 0, 1280, 720 * 2 // 3)).getchannel("A")
        assert upper.getextrema() == (0, 0)
        for which in (".says", ".played", ".white .clock", ".black .score", ".black .pips"):
            box = f"document.querySelector('{which}').getBoundingClientRect()"
            assert await page.ask(f"{box}.bottom <= innerHeight && {box}.width > 0"), which
        assert await page.ask(CUT) == 0

    looked(chromium, look, matches)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768), (800, 1280)], ids=str)
def test_a_second_face_shows_clock_and_score_to_both_players(
    chromium: str, size: tuple[int, int]
) -> None:
    matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(with_clock(matches[0].summary(21)))
        await page.size(*size)
        await page.goto(f"{wall.url}/board/table-1?face")
        await page.until(f"({RUNS})('.white .clock')")
        assert await page.ask(f"{SMALLEST}('main .clock, main .score')") >= min(size) // 6
        assert await page.ask("getComputedStyle(document.querySelector('.black')).transform") == (
            "matrix(-1, 0, 0, -1, 0, 0)"
        )
        assert await page.ask("document.documentElement.scrollHeight <= innerHeight + 1")
        assert await page.ask(CUT) == 0
        high = [
            await page.ask(f"document.querySelector('{side}').getBoundingClientRect().height")
            for side in (".white", ".black")
        ]
        assert min(high) > size[1] * 2 // 5

    looked(chromium, look, matches)


def test_nothing_is_seen_before_its_time(chromium: str, tmp_path: Path) -> None:
    (match,) = matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(match.summary(20))
        await page.goto(f"{wall.url}/?lang=de")
        await page.until("document.querySelector('.empty') !== null")
        assert "1 Minute" in await page.ask("document.getElementById('delay').textContent")
        wall.later(MINUTE)
        await page.until(f"({DRAWN})(1)")

    looked(chromium, look, matches, delay=MINUTE)


def test_standings_have_their_place(chromium: str) -> None:
    table = {"title": "Open", "columns": ["", "Player"], "rows": [["1", NASTY], ["2", "Ben"]]}

    async def look(wall: OpenWall, page: Tab) -> None:
        await page.goto(f"{wall.url}/standings")
        await page.until("document.querySelectorAll('td').length === 4")
        assert await page.ask("document.querySelectorAll('td')[1].textContent") == NASTY

    looked(chromium, look, (), standings=lambda: table)


TABLE = {"title": "Open", "columns": ["Place", "Player"], "rows": [["1", "Ada"], ["2", "Ben"]]}


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
@pytest.mark.parametrize(
    "page", ["", "board/table-1", "board/table-1/replay/{match}", "standings", "operator/{key}"]
)
def test_a_screen_reader_finds_its_way(chromium: str, page: str, theme: str) -> None:
    matches = night(3)
    path = page.format(match=quote(matches[0].match), key=KEY)

    async def look(wall: OpenWall, tab: Tab) -> None:
        wall.hear(*(match.summary(20, warning="Put it back on 4") for match in matches))
        wall.lookout.warnings = True
        wall.hear(Presence(matches[2].board, False))
        await tab.goto(f"{wall.url}/{path}?theme={theme}")
        await tab.until("[...document.querySelectorAll('h1')].some(one => one.textContent)")
        if page in ("", "board/table-1"):
            await tab.until("document.querySelector('main img').alt === 'table-1: Ada against Ben'")
        await tab.ask(AXE + "; undefined")
        assert await tab.ask(FAULTS) == []

    looked(chromium, look, matches, standings=lambda: TABLE)


def test_boards_that_do_not_fit_take_turns_and_can_be_read(chromium: str) -> None:
    matches = night(60)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(*(match.summary(20) for match in matches))
        await page.size(1280, 720)
        await page.goto(f"{wall.url}/?rotate=2")
        await page.until("document.getElementById('pages').textContent.startsWith('Page 2 of ')")
        assert await page.ask("document.documentElement.scrollHeight <= innerHeight + 1")
        assert await page.ask(f"{SMALLEST}('body *')") >= 12
        assert await page.ask(CUT) == 0
        assert await page.ask("document.querySelectorAll('.card').length") >= 15
        await page.ask("document.getElementById('earlier').click()")
        await page.until("document.getElementById('pages').textContent.startsWith('Page 1 of ')")
        halted = "document.getElementById('rotates').getAttribute('aria-label')"
        assert await page.ask(halted) == "Run", "whoever turns a page wants to look at it"

        await page.goto(wall.url)
        await page.until(f"{halted} === 'Pause'")

    looked(chromium, look, matches)


def test_a_page_without_a_connection_says_so_and_its_clocks_stand_still(chromium: str) -> None:
    assert SILENT_BEATS * BEAT_S < 30, "with the usual beat a page says so within 30 s"
    (match,) = matches = night(1)

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(with_clock(match.summary(21)))
        async with network_to(int(wall.url.rpartition(":")[2])) as network:
            await page.goto(f"{network.url}/board/table-1")
            clock = "document.querySelector('.white .clock').textContent"
            await page.until(f"({RUNS})('.white .clock') && !({LOST})")
            network.is_up = False
            await page.until(LOST)
            stands = await page.ask(clock)
            await page.ask("new Promise(done => setTimeout(done, 1100))")
            assert await page.ask(clock) == stands
            wall.hear(match.record(22))
            network.is_up = True
            before = await page.ask("document.querySelector('.says').textContent")
            await page.until(f"!({LOST})")
            await page.until(f"document.querySelector('.says').textContent !== {before!r}")

    looked(chromium, look, matches, beat_s=0.2)


def test_standings_without_a_connection_say_so(chromium: str) -> None:
    async def look(wall: OpenWall, page: Tab) -> None:
        broken = "window.fetch = () => Promise.reject(new TypeError('no network'))"
        await page.tell("Page.addScriptToEvaluateOnNewDocument", source=broken)
        await page.goto(f"{wall.url}/standings")
        await page.until(LOST)

    looked(chromium, look, ())


@pytest.mark.slow
def test_how_likely_each_side_wins_is_shown_where_the_operator_allows_it(chromium: str) -> None:
    match = told_match("table-1", "backgammon")

    async def look(wall: OpenWall, page: Tab) -> None:
        wall.hear(match.summary(21))
        await page.goto(f"{wall.url}/board/table-1?overlay=lower")
        await page.until("document.querySelector('.odds')?.hidden === false")
        texts = await page.ask("[...document.querySelectorAll('.odds b')].map(b => b.textContent)")
        assert all(text.endswith("%") for text in texts)
        wide = await page.ask("[...document.querySelectorAll('.odds b')].map(b => b.offsetWidth)")
        white, black = (float(text.rstrip("\u00a0%")) for text in texts)
        assert wide[0] / sum(wide) == pytest.approx(white / (white + black), abs=0.05)
        await page.goto(f"{wall.url}/board/table-1")
        await page.until("document.querySelector('.odds')?.hidden === false")
        wall.lookout.chances = False
        await page.goto(f"{wall.url}/board/table-1")
        await page.until("document.querySelector('.says')?.textContent")
        assert await page.ask("document.querySelector('.odds').hidden")

    looked(chromium, look, (match,))
