"""Strangers on the network: they are shown nothing, nothing is taken, and play goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from bad_lines import pass_an_hour, timed_table
from phone_bench import PATIENCE_S, PhoneTable, phone_table
from phone_lines import LOOKS, PageLine, opened, token
from shares import one_in
from siege import Siege, besieged

from pi_app.phones.messages import MOST_BYTES
from pi_app.phones.phone import Phone
from pi_app.phones.server import AT_ONCE, FULL, MOST_PHONES, MOST_WRONG, WRONG, Ration, WrongTokens
from pi_app.user.commands import Inspect, NewMatch, Quit

PAGES = ("/", "/page/phone.js", "/page/phone.css", "/colours.css", "/font/Regular")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneTable]:
    with phone_table(tmp_path_factory.mktemp("board")) as opened:
        yield opened


def visited(
    table: PhoneTable, visit: Callable[[aiohttp.ClientSession, str], Awaitable[None]]
) -> None:
    async def run() -> None:
        host = urlsplit(table.phones.links.play).netloc
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE_S)) as session:
            await visit(session, host)

    asyncio.run(asyncio.wait_for(run(), 2 * PATIENCE_S))


def plays_on(table: PhoneTable) -> None:
    """Wait until the loop has taken a wish of a phone. Raises AssertionError if it does not."""
    before = len(table.front.touched)
    visited(table, _inspects)
    table.until(lambda: Inspect.LOOK in table.front.touched[before:])


async def _inspects(session: aiohttp.ClientSession, host: str) -> None:
    line = await opened(session, host, KEYS[host])
    await line.touch("Sensors")
    await line.until(lambda: any(told.get("page") == "sensors" for told in line.told))
    await line.socket.close()


KEYS: dict[str, str] = {}


@pytest.fixture(autouse=True)
def know_the_key(table: PhoneTable) -> None:
    KEYS[urlsplit(table.phones.links.play).netloc] = token(table.phones.links.play)


def test_the_page_itself_shows_nothing_of_the_board(table: PhoneTable) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        links = table.phones.links
        for path in PAGES:
            async with session.get(f"http://{host}{path}") as answer:
                assert answer.status == 200
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
                body = await answer.read()
            assert token(links.play).encode() not in body
            assert token(links.watch).encode() not in body
        for path in ("/page/../keys.py", "/page/%2e%2e/phones.py", "/sound/x", "/phones.json"):
            async with session.get(f"http://{host}{path}") as answer:
                assert answer.status == 404

    visited(table, visit)


@pytest.mark.parametrize(
    "first",
    [
        {"t": "hello", "token": "", "looks": LOOKS},
        {"t": "hello", "token": "x" * 20, "looks": LOOKS},
        {"t": "touch", "n": 1, "x": 10, "y": 10},
        {"t": "here"},
        {"t": "looks", "looks": LOOKS},
        {},
    ],
    ids=str,
)
def test_without_a_token_nothing_is_shown(table: PhoneTable, first: dict[str, object]) -> None:
    table.phones._server._wrong = WrongTokens()  # type: ignore[union-attr]

    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        line = PageLine(await session.ws_connect(f"http://{host}/live"))
        await line.send(**first)
        assert await line.hear() is None
        assert line.socket.close_code == WRONG
        assert line.told == []

    before = list(table.front.touched)
    visited(table, visit)
    assert table.front.touched == before
    assert table.phones.links.count == 0


def test_who_says_nothing_in_time_may_come_again(table: PhoneTable) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        late = PageLine(await session.ws_connect(f"http://{host}/live"))
        hearing = asyncio.create_task(late.hear())
        await asyncio.to_thread(pass_an_hour, table)
        assert await hearing is None
        assert late.socket.close_code == aiohttp.WSCloseCode.TRY_AGAIN_LATER
        again = await opened(session, host, KEYS[host])
        await again.until(lambda: again.places)

    visited(table, visit)


def test_who_guesses_is_refused_for_a_while_and_phones_stay(table: PhoneTable) -> None:
    table.phones._server._wrong = WrongTokens()  # type: ignore[union-attr]

    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        known = await opened(session, host, KEYS[host])
        await known.until(lambda: known.places)
        guesses = [await opened(session, host, f"guess-{n}") for n in range(MOST_WRONG)]
        await asyncio.gather(*(guess.hear() for guess in guesses))
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await opened(session, host, "another")
        assert refused.value.status == 429
        await known.send(t="here")
        assert await known.hear() is not None

    visited(table, visit)
    table.phones._server._wrong = WrongTokens()  # type: ignore[union-attr]
    plays_on(table)


def test_who_watches_sees_everything_and_takes_part_in_nothing(table: PhoneTable) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        watching = await opened(session, host, token(table.phones.links.watch))
        await watching.until(lambda: watching.number)
        assert watching.told[0] == {"role": "watch"}
        assert watching.places == []
        for x in range(5, 390, 40):
            await watching.send(t="touch", n=watching.number, x=x, y=x)
        for name in ("space", "return", "escape", "hold d"):
            await watching.send(t="key", name=name)
        await watching.send(t="here")
        while await watching.hear() != {}:
            pass

    before = list(table.front.touched)
    visited(table, visit)
    assert table.front.touched == before


@pytest.mark.parametrize(
    "junk",
    [
        "x" * (MOST_BYTES + 1),
        "x" * 1_000_000,
        "{",
        '{"t": "touch", "n": 1e400, "x": 1, "y": 1}',
        "[" * (MOST_BYTES - 10),
        b"\x00\xff",
    ],
    ids=["long", "huge", "half", "infinite", "deep", "bytes"],
)
def test_nonsense_of_a_known_phone_ends_its_connection_alone(
    table: PhoneTable, junk: str | bytes
) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        line, other = [await opened(session, host, KEYS[host]) for _ in range(2)]
        await line.until(lambda: line.places)
        await other.until(lambda: other.places)
        with suppress(ConnectionError):
            await (
                line.socket.send_str(junk)
                if isinstance(junk, str)
                else line.socket.send_bytes(junk)
            )
        while await line.hear() is not None:
            pass
        await other.send(t="here")
        assert await other.hear() is not None

    visited(table, visit)
    plays_on(table)


def test_a_page_that_cannot_be_drawn_is_left_and_the_phone_comes_again(
    table: PhoneTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(Phone, "show", lambda *_: 1 // 0)
            line = await opened(session, host, KEYS[host])
            while await line.hear() is not None:
                pass
        assert line.socket.close_code == aiohttp.WSCloseCode.TRY_AGAIN_LATER
        again = await opened(session, host, KEYS[host])
        await again.until(lambda: again.places)

    visited(table, visit)
    assert "cannot be drawn" in caplog.text
    plays_on(table)


def test_a_flood_of_touches_ends_its_connection_and_play_goes_on(table: PhoneTable) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        line = await opened(session, host, KEYS[host])
        await line.until(lambda: line.places)
        with suppress(ConnectionError):
            for _ in range(5_000):
                await line.send(t="touch", n=line.number, x=1, y=1)
        while await line.hear() is not None:
            pass
        assert line.socket.close_code is not None

    visited(table, visit)
    plays_on(table)


def test_half_messages_and_silent_strangers_take_no_place_for_long(table: PhoneTable) -> None:
    """Half a request, half a handshake, half a frame, and then nothing."""

    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        address, _, port = host.partition(":")
        handshake = (
            f"GET /live HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        )
        half_frame = handshake.encode() + b"\r\n\x81\xfe"
        streams = []
        for _ in range(15):
            for half in (b"GET / HT", handshake.encode(), half_frame):
                reader, writer = await asyncio.open_connection(address, int(port))
                writer.write(half)
                await writer.drain()
                if half is half_frame:
                    assert b" 101 " in await reader.readline()
                streams.append(writer)
        line = await opened(session, host, KEYS[host])
        await line.until(lambda: line.places)
        for writer in streams:
            writer.close()

    visited(table, visit)
    plays_on(table)


def test_a_flood_of_connections_is_refused_and_play_goes_on(table: PhoneTable) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        known = await opened(session, host, KEYS[host])
        await known.until(lambda: known.places)
        address, _, port = host.partition(":")
        streams = []
        for _ in range(300):
            _, writer = await asyncio.open_connection(address, int(port))
            streams.append(writer)
        await known.send(t="here")
        assert await known.hear() is not None
        for writer in streams:
            writer.close()

    visited(table, visit)
    plays_on(table)


def test_twenty_phones_cost_the_loop_little(table: PhoneTable) -> None:
    """The loop hands over what it shows; drawing for phones is not its work."""

    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        lines = [await opened(session, host, KEYS[host]) for _ in range(20)]
        for line in lines:
            await line.until(partial(getattr, line, "places"))
        shown = table.front.shown
        assert shown is not None
        front, began = table.front, time.thread_time()
        for number in range(100):
            front._phones.show(shown, table.clock())
            front._phones._exchange._shown = None if number % 2 else front._phones._exchange._shown
        cost_ms = (time.thread_time() - began) * 10
        assert cost_ms < 5

    visited(table, visit)


def test_more_phones_than_there_is_room_for_are_told_so(table: PhoneTable) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        lines = [await opened(session, host, KEYS[host]) for _ in range(MOST_PHONES)]
        for line in lines:
            assert await line.hear() is not None
        late = await opened(session, host, KEYS[host])
        assert await late.hear() is None
        assert late.socket.close_code == FULL

    visited(table, visit)


def test_a_phone_that_never_looks_gets_one_picture_and_delays_nobody(table: PhoneTable) -> None:
    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        asleep = await opened(session, host, token(table.phones.links.watch))
        first = await asleep.socket.receive_json()
        picture = await asleep.socket.receive_json()
        assert (first["role"], picture["n"]) == ("watch", 1)
        awake = await opened(session, host, KEYS[host])
        for name in ("Sensors", "Back", "Rules", "Back"):
            await awake.touch(name)
            later = awake.number + 1
            await awake.until(partial(awake.has, later))
        with pytest.raises(TimeoutError):
            await asleep.socket.receive_json(timeout=0.3)

    visited(table, visit)


def test_forgotten_phones_are_gone_and_the_new_code_works(table: PhoneTable) -> None:
    old = token(table.phones.links.play)

    async def visit(session: aiohttp.ClientSession, host: str) -> None:
        line = await opened(session, host, old)
        await line.until(lambda: line.places)
        table.phones.forget()
        while await line.hear() is not None:
            pass
        assert line.socket.close_code == WRONG
        again = await opened(session, host, old)
        assert await again.hear() is None

    visited(table, visit)
    table.until(lambda: token(table.phones.links.play) != old)
    KEYS[urlsplit(table.phones.links.play).netloc] = token(table.phones.links.play)
    plays_on(table)


def test_messages_are_rationed_by_time() -> None:
    now = [0.0]
    ration = Ration(lambda: now[0])
    assert [ration.allows() for _ in range(int(AT_ONCE) + 1)].count(False) == 1
    now[0] += 60
    assert all(ration.allows() for _ in range(int(AT_ONCE)))


def test_wrong_tokens_are_forgiven_and_counted_for_a_bounded_number_of_addresses() -> None:
    now = [0.0]
    wrong = WrongTokens(lambda: now[0])
    for _ in range(MOST_WRONG):
        wrong.count("10.0.0.1")
    assert wrong.refuses("10.0.0.1")
    assert not wrong.refuses("10.0.0.2")
    now[0] += 61
    assert not wrong.refuses("10.0.0.1")
    for number in range(5_000):
        wrong.count(str(number))
    assert len(wrong._counted) <= 1_000


def test_nobody_quits_or_begins_anything_by_being_there(table: PhoneTable) -> None:
    assert not [one for one in table.front.touched if isinstance(one, Quit | NewMatch)]


@pytest.mark.slow
def test_a_siege_is_shown_nothing_and_takes_nothing_while_two_people_play(tmp_path: Path) -> None:
    with timed_table(tmp_path) as besieged_table:
        siege = Siege(besieged_table, 8 * (12 if one_in(2) == 1 else 1))
        before, woken = list(besieged_table.front.touched), besieged_table.woken
        asyncio.run(asyncio.wait_for(besieged(siege, 2), 20 * PATIENCE_S))
        assert siege.shown.total() == 0
        assert min(siege.tried.values()) >= siege.times
        assert besieged_table.front.touched == before
        # The watching phone comes and goes, and the network may be found; nobody else is felt.
        assert besieged_table.woken - woken <= 3
