"""How a phone gets in by what is heard: the code, when it is said, and what a stranger gets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from phone_bench import PATIENCE_S, PhoneTable, phone_table
from phone_lines import PageLine, opened, token
from test_app import NEW, AppBench, SetClock
from test_speaking import FakeVoice

from pi_app.base.microseconds import Us, ms
from pi_app.languages import load_language
from pi_app.phones.phones import Phones
from pi_app.phones.server import ASKS_CODE, MOST_WRONG, WRONG, WrongTokens
from pi_app.phones.way_in import MOST_TRIES, Repeats, SpokenCode, say_way_in
from pi_app.referee.events import Button, Press
from pi_app.screen.ui import PhoneLinks
from pi_app.speech.aloud import aloud
from pi_app.user.settings import Settings

LINKS = PhoneLinks("http://192.168.100.17:8090/#secret", "http://192.168.100.17:8090/#other")


def wrong_for(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"


def test_a_code_opens_once() -> None:
    code = SpokenCode(SetClock())
    digits = code.new()
    assert len(digits) == 6
    assert digits.isdecimal()
    assert code.opens(digits)
    assert not code.opens(digits)


def test_a_code_is_valid_for_ten_minutes() -> None:
    clock = SetClock()
    code = SpokenCode(clock)
    first = code.new()
    clock.now = 10 * 60_000 - 1
    assert code.present() == first
    clock.now += 1
    assert code.present() is None
    assert not code.opens(first)


@pytest.mark.parametrize(("wrong", "opens"), [(MOST_TRIES - 1, True), (MOST_TRIES, False)])
def test_ten_wrong_tries_end_a_code_until_a_new_one_is_asked_for(wrong: int, opens: bool) -> None:
    code = SpokenCode(SetClock())
    digits = code.new()
    assert not any(code.opens(wrong_for(digits)) for _ in range(wrong))
    assert code.opens(digits) is opens
    assert code.present() is None
    assert code.opens(code.new())


@pytest.mark.parametrize("typed", ["", "1", "1234567", "äöüäöü", "\ud800" * 6, "0" * 2_000])
def test_nothing_opens_before_a_code_was_said_and_nonsense_never(typed: str) -> None:
    code = SpokenCode(SetClock())
    assert not code.opens(typed)
    assert not code.is_in_use
    code.new()
    assert not code.opens(typed)


def test_a_new_code_ends_the_one_before_and_a_dropped_one_opens_nothing() -> None:
    code = SpokenCode(SetClock())
    first = code.new()
    second = code.new()
    while second == first:
        second = code.new()
    assert not code.opens(first)
    code.drop()
    assert not code.opens(second)


def times(repeats: Repeats, begin: int, end: int, *, has_come: bool = False) -> list[int]:
    """The seconds at which it is said."""
    return [
        second
        for second in range(begin, end)
        if repeats.are_due(ms(1000 * second), is_open=True, has_come=has_come)
    ]


def test_it_is_said_after_the_start_and_repeated_twice_while_nobody_comes() -> None:
    assert times(Repeats(), 5, 1_000) == [15, 75, 135]


def test_nothing_is_repeated_once_a_phone_was_there() -> None:
    repeats = Repeats()
    assert times(repeats, 0, 5) == times(repeats, 5, 6, has_come=True) == []
    assert times(repeats, 6, 1_000) == []


def test_without_a_network_it_waits_and_after_a_wish_it_is_repeated_twice() -> None:
    repeats = Repeats()
    assert not any(repeats.are_due(ms(t), is_open=False, has_come=False) for t in range(0, 99_000))
    assert times(repeats, 100, 120) == [110]
    repeats.begin(ms(120_000))
    assert times(repeats, 120, 1_000) == [180, 240]


@pytest.mark.parametrize(
    ("language", "heard"),
    [
        (
            "en",
            "To play with a phone, open 1 9 2, point, 1 6 8, point, 1 0 0, point, 1 7, colon, "
            "8 0 9 0 in its browser. The code is 0, 4, 7, 0, 1, 3.",
        ),
        (
            "de",
            "Um mit einem Handy zu spielen, öffne in dessen Browser 1 9 2, Punkt, 1 6 8, Punkt, "
            "1 0 0, Punkt, 1 7, Doppelpunkt, 8 0 9 0. Der Code ist 0, 4, 7, 0, 1, 3.",
        ),
        (
            "el",
            "Για να παίξεις με κινητό, άνοιξε στον περιηγητή του 1 9 2, τελεία, 1 6 8, τελεία, "
            "1 0 0, τελεία, 1 7, άνω κάτω τελεία, 8 0 9 0. Ο κωδικός είναι 0, 4, 7, 0, 1, 3.",
        ),
    ],
)
def test_address_and_code_are_said_digit_by_digit(language: str, heard: str) -> None:
    assert aloud(say_way_in(LINKS.play, "047013"), load_language(language)) == heard


class UnseenBench(AppBench):
    """A board without a display that can speak, and phones that could come."""

    def __init__(self, folder: Path, display: str = "none") -> None:
        self.mouth = FakeVoice()
        settings = Settings().changed("screen.display", display).changed("phones.on", True)
        super().__init__(folder, settings=settings, voice=self.mouth)
        self.phones = Phones(folder, self.clock, lambda: None)
        self.app._devices = replace(self.app._devices, phones=self.phones)
        self.phones._links = LINKS

    def hold(self) -> None:
        self.queue.put(Button(self.clock(), Press.LONG))
        self.after(600)

    @property
    def codes(self) -> list[str]:
        return ["".join(filter(str.isdecimal, one.partition("code is")[2])) for one in self.said]

    @property
    def said(self) -> list[str]:
        return self.mouth.said


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[UnseenBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = UnseenBench(tmp_path)
    yield bench
    bench.kill()


def test_a_board_without_a_display_says_how_a_phone_gets_in(bench: UnseenBench) -> None:
    bench.after(9_900)
    assert bench.said == []
    bench.after(300)
    assert len(bench.said) == 1
    assert "1 9 2, point, 1 6 8" in bench.said[0]
    assert "secret" not in bench.said[0]
    bench.after(200_000)
    assert bench.codes == [bench.codes[0]] * 3
    assert bench.phones._code.opens(bench.codes[0])


def test_a_long_press_says_it_again_with_a_new_code(bench: UnseenBench) -> None:
    bench.after(10_200)
    bench.hold()
    assert len(bench.said) == 2
    assert bench.app._settings.speech.told == "off"
    first, second = bench.codes
    assert not bench.phones._code.opens(first) or first == second
    assert bench.phones._code.opens(second)


def test_a_long_press_without_a_network_says_why(bench: UnseenBench) -> None:
    bench.phones._links = PhoneLinks(trouble="This board is in no network")
    bench.hold()
    assert bench.said == ["This board is in no network"]
    assert not bench.phones._code.is_in_use


def test_a_guessed_out_code_is_not_repeated_with_a_new_one(bench: UnseenBench) -> None:
    bench.after(10_200)
    for _ in range(MOST_TRIES):
        bench.phones._code.opens("")
    bench.after(80_000)
    assert len(bench.said) == 1


def test_in_a_match_nothing_is_said_of_phones(bench: UnseenBench) -> None:
    bench.touch(NEW)
    bench.after(15_000)
    assert bench.said == []


@pytest.mark.parametrize("quiet", ["a display", "no voice", "no sound card"])
def test_where_nobody_needs_or_hears_it_there_is_no_code(
    quiet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = UnseenBench(tmp_path, "auto" if quiet == "a display" else "none")
    bench.mouth.silent = quiet == "no voice"
    bench.speaker.silent = quiet == "no sound card"
    bench.after(15_000)
    bench.hold()
    assert bench.said == []
    assert not bench.phones._code.is_in_use
    bench.kill()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneTable]:
    with phone_table(tmp_path_factory.mktemp("board")) as opened_table:
        yield opened_table


TypesCode = Callable[[str], Awaitable[PageLine]]


def typed(table: PhoneTable, look: Callable[[TypesCode], Awaitable[None]]) -> None:
    """Look at what a stranger gets who types codes, each from an address of its own."""
    port = urlsplit(table.phones.links.play).port

    async def run() -> None:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE_S)) as session:

            async def type_in(code: str) -> PageLine:
                line = PageLine(await session.ws_connect(f"http://127.0.0.1:{port}/live"))
                await line.send(t="code", code=code)
                return line

            await look(type_in)

    asyncio.run(asyncio.wait_for(run(), 2 * PATIENCE_S))


def test_the_right_code_gives_the_token_for_playing_and_nothing_else(table: PhoneTable) -> None:
    async def look(type_in: TypesCode) -> None:
        code = table.phones._code.new()
        line = await type_in(code)
        key = token(table.phones.links.play)
        assert await line.hear() == {"token": key}
        assert await line.hear() is None
        again = await type_in(code)
        assert await again.hear() is None
        assert again.socket.close_code == ASKS_CODE
        assert again.told == []
        host = urlsplit(table.phones.links.play).netloc
        async with aiohttp.ClientSession() as session:
            playing = await opened(session, host, key)
            await playing.until(lambda: playing.places)

    typed(table, look)


def test_without_a_code_said_a_typed_one_is_a_wrong_token(table: PhoneTable) -> None:
    table.phones._code = code = SpokenCode(table.clock)
    server = table.phones._server
    assert server is not None
    server._code, server._wrong = code, WrongTokens()

    async def look(type_in: TypesCode) -> None:
        lines = [await type_in(one) for one in ("", "000000", "123456", "x" * 1_900)]
        for line in lines:
            assert await line.hear() is None
            assert line.socket.close_code == WRONG

    typed(table, look)


def test_wrong_codes_count_as_wrong_tokens_and_end_the_code(table: PhoneTable) -> None:
    server = table.phones._server
    assert server is not None
    server._wrong = WrongTokens()
    before = list(table.front.touched)

    async def look(type_in: TypesCode) -> None:
        code = table.phones._code.new()
        began = asyncio.get_running_loop().time()
        guesses = [await type_in(wrong_for(code)) for _ in range(MOST_WRONG)]
        for guess in guesses:
            assert await guess.hear() is None
            assert guess.socket.close_code == ASKS_CODE
            assert guess.told == []
        assert asyncio.get_running_loop().time() - began >= 1
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await type_in(code)
        assert refused.value.status == 429
        server._wrong = WrongTokens()
        late = await type_in(code)
        assert await late.hear() is None

    typed(table, look)
    assert table.front.touched == before
    server._wrong = WrongTokens()


def test_forgotten_phones_need_a_new_code(tmp_path: Path) -> None:
    phones = Phones(tmp_path, lambda: Us(0), lambda: None)
    code = phones._code.new()
    phones.forget()
    assert not phones._code.opens(code)
    code = phones._code.new()
    phones.close()
    assert not phones._code.opens(code)
