"""Requests that browsers can and cannot make, over real HTTP without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp
import pytest
from club_night import BEGAN, ToldMatch, some, tables, told_match
from open_wall import KEY, OpenWall, open_wall

from pi_app.base.identifiers import MatchKey
from pi_app.base.microseconds import Us
from pi_app.club.records import News
from pi_app.languages import LANGUAGES, language_of
from pi_app.screen.theme import Theme
from pi_app.wall import server
from pi_app.wall.server import standings_of

MINUTE = Us(60_000_000)
NASTY = '<script>alert(1)</script>"&\ud800'
Visit = Callable[[OpenWall, aiohttp.ClientSession], Awaitable[None]]


def visit(visiting: Visit, matches: tuple[ToldMatch, ...], delay: Us = Us(0), **more: Any) -> None:
    """Open a wall and a client, and see."""

    async def run() -> None:
        async with (
            open_wall(delay, **more) as wall,
            aiohttp.ClientSession() as client,
        ):
            for match in () if delay else matches:
                wall.kept(match)
            await asyncio.wait_for(visiting(wall, client), 120)

    asyncio.run(run())


async def message(events: aiohttp.ClientResponse) -> dict[str, Any]:
    """The next message, without keep-alives."""
    while True:
        line = (await events.content.readline()).decode()
        assert line, "it was cut"
        if line.startswith("data: "):
            told: dict[str, Any] = json.loads(line.removeprefix("data: "))
            return told


def test_a_page_is_told_of_what_it_looks_at_and_of_nothing_else() -> None:
    matches = tables(5)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        wall.hear(*(match.summary(3) for match in matches))
        async with (
            client.get(f"{wall.url}/events?first=1&count=2") as two,
            client.get(f"{wall.url}/events?board=table-5&lang=de") as one,
        ):
            first = await message(two)
            assert first["hall"]["total"] == 5
            assert [board["board"] for board in first["boards"]] == ["table-2", "table-3"]
            german = (await message(one))["boards"][0]
            wall.hear(matches[0].record(4), matches[4].record(4))
            again = (await message(one))["boards"][0]
            assert again["picture"] != german["picture"] or again["told"] != german["told"]
            wall.hear(matches[2].record(4))
            told = await message(two)
            assert "hall" not in told
            assert [board["board"] for board in told["boards"]] == ["table-3"]

    visit(seen, matches)


def test_a_slow_page_hears_the_newest_only() -> None:
    (match,) = matches = (told_match("table-1", "nannon"),)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        wall.hear(match.summary(1))
        async with client.get(f"{wall.url}/events") as events:
            await message(events)
            wall.hear(*(match.record(number) for number in range(2, 30)))
            told = [await message(events)]
            while told[-1]["boards"][0]["told"] != told[0]["boards"][0]["told"]:
                told.append(await message(events))
            assert len(told) <= 2

    visit(seen, matches)


def test_the_stream_of_a_page_ends_with_the_wall() -> None:
    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        async with client.get(f"{wall.url}/events") as events:
            await message(events)
            wall.lookout.close()
            assert (await asyncio.wait_for(events.content.read(), 30)).endswith(b"\n")

    visit(seen, ())


@pytest.mark.parametrize("theme", Theme)
def test_a_picture_can_be_kept_for_ever_and_none_be_guessed(theme: Theme) -> None:
    (match,) = matches = (told_match("table-1", "cannon"),)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        wall.hear(match.summary(8))
        async with client.get(f"{wall.url}/events") as events:
            name = (await message(events))["boards"][0]["picture"]
        for language in LANGUAGES:
            async with client.get(f"{wall.url}/picture/{name}/{theme.value}/{language}") as answer:
                assert "immutable" in answer.headers["Cache-Control"]
                assert (await answer.text()).startswith("<svg")
        plain = {"Accept-Encoding": "identity"}
        async with client.get(f"{wall.url}/picture/{name}/dark/en", headers=plain) as answer:
            assert "Content-Encoding" not in answer.headers
            assert (await answer.read()).startswith(b"<svg")
        for other in ("0" * 24, "..%2F..", "%00"):
            async with client.get(f"{wall.url}/picture/{other}/dark/en") as answer:
                assert answer.status == 404

    visit(seen, matches)


def test_a_browser_gets_the_screens_type() -> None:
    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        for weight in ("Regular", "SemiBold"):
            async with client.get(f"{wall.url}/font/{weight}") as answer:
                assert answer.content_type == "font/otf"
                assert (await answer.read()).startswith(b"OTTO")
        for other in ("Bold", "..%2FOFL.txt"):
            async with client.get(f"{wall.url}/font/{other}") as answer:
                assert answer.status == 404

    visit(seen, ())


def test_nobody_can_look_ahead_of_the_delay() -> None:
    (match,) = matches = (told_match("table-1", "backgammon"),)
    steps = f"/steps/table-1/{quote(match.match)}"

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        wall.hear(match.summary(10), *some(11, match.records()))
        await asyncio.sleep(0)
        async with client.get(wall.url + steps) as answer:
            assert answer.status == 404
        wall.later(MINUTE)
        wall.hear(match.summary(30), *map(match.record, range(11, 31)))
        await asyncio.sleep(0)
        async with client.get(wall.url + steps) as answer:
            shown = len((await answer.json())["steps"])
        wall.later(MINUTE)
        async with client.get(wall.url + steps) as answer:
            assert len((await answer.json())["steps"]) > shown

    visit(seen, matches, MINUTE)


@pytest.mark.parametrize("summary_first", [True, False])
def test_two_decisions_of_one_press_are_both_held_back(summary_first: bool) -> None:
    """A summary overtakes its own records: the archive writes them first."""
    (match,) = matches = (told_match("table-1", "nannon"),)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        async def replayed() -> int:
            async with client.get(f"{wall.url}/steps/table-1/{quote(match.match)}") as answer:
                return len((await answer.json())["steps"])

        async def tell(first: int, last: int) -> None:
            records = [match.record(number) for number in range(first, last + 1)]
            summary = match.summary(last)
            news: list[News] = [summary, *records] if summary_first else [*records, summary]
            wall.hear(*news)
            await asyncio.sleep(0)

        await tell(0, 3)
        wall.later(MINUTE)
        async with client.get(f"{wall.url}/events") as events:
            told = await message(events)
            base = await replayed()
            # A think that is longer than the delay: nothing older is held back.
            wall.later(2 * MINUTE)
            await tell(4, 5)
            wall.later(MINUTE - 1_000_000)
            assert await replayed() == base
            wall.later(1_000_000)
            assert await replayed() > base
            again = await message(events)
            assert again["boards"][0]["picture"] != told["boards"][0]["picture"]

    visit(seen, matches, MINUTE)


def test_a_match_that_is_held_back_is_in_no_list() -> None:
    first = told_match("table-1", "nannon")
    second = replace(
        told_match("table-1", "nannon", ("Secret", "Newcomer")),
        match=MatchKey("2@2026-11-23T20:30:00+00:00"),
    )

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        async def listed() -> str:
            async with client.get(f"{wall.url}/matches/table-1") as answer:
                return await answer.text()

        wall.hear(first.summary(3), *some(4, first.records()))
        await asyncio.sleep(0)
        wall.later(MINUTE)
        assert "Ada" in await listed()
        wall.hear(second.summary(0), *some(3, second.records()))
        await asyncio.sleep(0)
        assert "Secret" not in await listed()
        assert "20:30" not in await listed()
        wall.later(MINUTE)
        assert "Secret" in await listed()

    visit(seen, (first, second), MINUTE)


def test_a_shorter_delay_works_at_once() -> None:
    (match,) = matches = (told_match("table-1", "nannon"),)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        async with client.get(f"{wall.url}/events") as events:
            assert (await message(events))["hall"]["total"] == 0
            wall.hear(match.summary(3))
            change = {"delay": "0"}
            async with client.post(f"{wall.url}/operator/{KEY}", data=change) as answer:
                assert answer.status == 200
            while not (told := await message(events))["boards"]:
                pass
            assert told["boards"][0]["players"] == ["Ada", "Ben"]

    visit(seen, matches, MINUTE)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="delay'),
        ("multipart/form-data", b"delay=0"),
        ("application/x-www-form-urlencoded; charset=nonsense", b"delay=0"),
        ("application/x-www-form-urlencoded", b"delay=\xff"),
        ("application/json", b'{"delay": 0}'),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="delay"; filename="f"\r\n'
            b"\r\n0\r\n--x--\r\n",
        ),
        ("application/x-www-form-urlencoded", b"delay=" + b"0" * 9_000),
    ],
)
def test_a_form_that_is_none_is_refused(kind: str, body: bytes) -> None:
    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        url = f"{wall.url}/operator/{KEY}"
        async with client.post(url, data=body, headers={"Content-Type": kind}) as answer:
            assert answer.status in (400, 413)
        assert wall.wall.delay == MINUTE
        assert not wall.warned

    visit(seen, (), MINUTE)


def test_only_the_operator_changes_anything() -> None:
    (match,) = matches = (told_match("table-1", "nannon"),)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        wall.hear(match.summary(3, warning="2 → 4: the die shows 3"))
        changes = {"delay": "30", "warnings": "on"}
        for key in ("another-key", "%20", quote("ü")):
            async with client.post(f"{wall.url}/operator/{key}", data=changes) as answer:
                assert answer.status == 404
        async with client.post(f"{wall.url}/", data=changes) as answer:
            assert answer.status == 405
        async with client.get(f"{wall.url}/events") as events:
            told = await message(events)
            assert "warning" not in told["boards"][0]
            async with client.post(f"{wall.url}/operator/{KEY}", data=changes) as answer:
                assert answer.status == 200
                assert "selected>30 seconds" in await answer.text()
            told = await message(events)
            assert told["boards"][0]["warning"] == "2 → 4: the die shows 3"
            assert told["hall"]["delay"] == "30 seconds"
        for nonsense in ("-1", "x", "9" * 30, "3601", "", None):
            change = {} if nonsense is None else {"delay": nonsense}
            async with client.post(f"{wall.url}/operator/{KEY}", data=change) as answer:
                assert answer.status == 400
                assert "whole seconds from 0 to 3600" in await answer.text()
        assert wall.wall.delay == 30_000_000, "a delay that was not understood changes nothing"
        assert wall.lookout.warnings

    visit(seen, matches)


def test_a_form_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "FORM_S", 0.05)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        async def never() -> AsyncIterator[bytes]:
            yield b"delay="
            await asyncio.Event().wait()

        async with client.post(f"{wall.url}/operator/{KEY}", data=never()) as answer:
            assert answer.status in (400, 415)
        assert wall.wall.delay == MINUTE

    visit(seen, (), MINUTE)


def test_what_a_board_says_of_itself_stays_text() -> None:
    matches = (told_match("table-1", "nannon", (NASTY[:-1], "Ben")),)

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        wall.hear(matches[0].summary(3, warning=NASTY))
        async with client.get(f"{wall.url}/events") as events:
            assert NASTY[:20] in (await message(events))["boards"][0]["players"][0]
        async with client.get(f"{wall.url}/matches/table-1") as answer:
            (kept,) = (await answer.json())["matches"]
            assert kept["began"] == BEGAN
        for page in ("/", "/board/%3Cscript%3E", "/standings", "/board/table-1"):
            async with client.get(wall.url + page) as answer:
                text = await answer.text()
                assert "alert(1)" not in text
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
                tag = {"If-None-Match": answer.headers["ETag"]}
            async with client.get(wall.url + page, headers=tag) as answer:
                assert answer.status == 304
        for nothing in ("/matches/other", "/steps/other/1", "/page/..%2Fserver.py", "/steps/%00/1"):
            async with client.get(wall.url + nothing) as answer:
                text = await answer.text()
                assert answer.status == 404 or '"matches": []' in text

    visit(seen, matches)


def test_standings_are_read_again_when_they_change(tmp_path: Path) -> None:
    file = tmp_path / "standings.json"
    read = standings_of(file)
    assert read() is None
    file.write_text('{"title": "Open", "columns": ["Player"], "rows": [["Ada"], [3]]}')
    good = {"title": "Open", "columns": ["Player"], "rows": [["Ada"], ["3"]]}
    assert read() == good
    for bad in ("{", "[]", '{"title": "x", "columns": [], "rows": [3]}', "[" * 90_000):
        file.write_text(bad)
        assert read() == good, "the last good ones stay"

    (tmp_path / "Open.csv").write_text('Player\n"Ada"\n3\n')
    assert standings_of(tmp_path / "Open.csv")() == good

    async def seen(wall: OpenWall, client: aiohttp.ClientSession) -> None:
        async with client.get(f"{wall.url}/standings.json") as answer:
            assert await answer.json() == good

    visit(seen, (), standings=read)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de-AT,en;q=0.5", "de"),
        ("fr, de;q=0.3", "de"),
        ("x" * 999, "en"),
        (";;,", "en"),
    ],
)
def test_the_language_is_the_browsers(accepted: str, language: str) -> None:
    assert language_of(accepted) == language
