"""The page for phones in a real browser: by touch, by keys, and for screen readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import resources
from pathlib import Path

import pytest
from chromium import CHROMIUM, PATIENCE_S, Tab, chromium, tab
from phone_bench import PhoneTable, phone_table

from pi_app.cli.replay import BEFORE, OF_A_MATCH, opened
from pi_app.match.acts import Act
from pi_app.match.turns import OVER, Phase
from pi_app.phones.keys import PhoneRole
from pi_app.referee.view import View
from pi_app.screen.actions import intend, press_button
from pi_app.screen.canvas import Rect
from pi_app.sensing.reading import BoardState

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

__all__ = ["chromium"]

PhoneLooking = Callable[[PhoneTable, Tab, Tab], Awaitable[None]]
AXE = (resources.files("axe_core_python") / "axe.min.js").read_text("utf-8")
FAULTS = (
    "axe.run({ resultTypes: ['violations'] }).then(told => told.violations"
    ".filter(one => ['serious', 'critical'].includes(one.impact)"
    " || one.id === 'page-has-heading-one')"
    ".map(one => `${one.id}: ${one.nodes.map(node => node.html).slice(0, 3).join('  ')}`))"
)
PLACES = "[...document.querySelectorAll('#places button')]"
PICTURE = "document.getElementById('picture').innerHTML"


@asynccontextmanager
async def two_phones(
    chromium: str, table: PhoneTable, size: tuple[int, int]
) -> AsyncIterator[tuple[Tab, Tab]]:
    """One phone of this size that plays, and another, lying, that watches. In the end neither may
    have complained."""
    async with tab(chromium) as page, tab(chromium) as other:
        await page.size(*size, phone=True)
        await page.goto(table.phones.links.play)
        await other.size(844, 390, phone=True)
        await other.goto(table.phones.links.watch)
        await page.tell("Page.bringToFront")
        for one in (page, other):
            await one.tell("Emulation.setFocusEmulationEnabled", enabled=True)
            await one.until("document.querySelectorAll('#picture > *').length > 10")
        yield page, other
        assert page.complaints == other.complaints == []


def seen(
    chromium: str, folder: Path, look: PhoneLooking, size: tuple[int, int] = (390, 844)
) -> None:
    async def run(table: PhoneTable) -> None:
        async with two_phones(chromium, table, size) as (page, other):
            await look(table, page, other)

    with phone_table(folder) as table:
        asyncio.run(asyncio.wait_for(run(table), 3 * PATIENCE_S))


async def until(holds: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    async with asyncio.timeout(seconds):
        while True:
            try:
                if holds():
                    return
            except AssertionError:
                pass  # there is no match yet
            await asyncio.sleep(0.02)


def place(name: str) -> str:
    """The place with this name and nothing more: "Begin" is not "Begins at the usual start"."""
    return f"{PLACES}.find(one => one.textContent === {name!r})"


async def tap(page: Tab, name: str) -> None:
    """A finger on a place, once it is there for long enough to be meant."""
    await page.until(f"!!{place(name)}")
    await asyncio.sleep(0.5)
    at = f"(() => {{ const at = {place(name)}.getBoundingClientRect();"
    x, y = await page.ask(f"{at} return [at.x + at.width / 2, at.y + at.height / 2]; }})()")
    await finger(page, x, y)


async def touch(page: Tab, rect: Rect) -> None:
    """A finger on a place of the picture."""
    room = "(({ x, y }) => [x, y])(document.getElementById('screen').getBoundingClientRect())"
    x, y = await page.ask(room)
    await finger(page, x + rect.centre[0], y + rect.centre[1])


async def finger(page: Tab, x: float, y: float) -> None:
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        await page.tell("Input.dispatchTouchEvent", type=kind, touchPoints=points)


async def press(page: Tab, key: str, text: str = "") -> None:
    more = {"text": text} if text else {}
    await page.tell("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
    await page.tell("Input.dispatchKeyEvent", type="keyUp", key=key)


async def walk_to(page: Tab, name: str) -> None:
    """Tab to a place, as somebody without a pointer does."""
    await page.until(f"!!{place(name)}")
    focused = f"document.activeElement === {place(name)}"
    for _ in range(80):
        if await page.ask(focused):
            await asyncio.sleep(0.5)
            return
        await page.tell(
            "Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", windowsVirtualKeyCode=9
        )
        await page.tell("Input.dispatchKeyEvent", type="keyUp", key="Tab", windowsVirtualKeyCode=9)
    pytest.fail(f"no way to {name}")


def marks(view: View) -> object:
    """What the die button changes."""
    return view.phase, view.position, view.thrown, view.roll


def differs(table: PhoneTable, before: View) -> bool:
    return marks(table.view) != marks(before)


async def play(table: PhoneTable, go_on: Callable[[], Awaitable[None]], most: int = 1000) -> int:
    """Play to the end: hands make the plays, `go_on` is the die button. Return how many turns."""
    turns = 0
    while table.view.phase not in OVER and turns < most:
        view = table.view
        match view.phase:
            case Phase.SET_UP:
                table.set_up()
                await until(lambda: not table.view.fill and not table.view.clear)
                await go_on()
            case Phase.MOVING if view.board is BoardState.RESTING and view.moves_exist:
                await asyncio.to_thread(table.make_a_play)
                await until(lambda: table.view.board is BoardState.PLAYED)
                turns += 1
                await go_on()
            case _:
                await go_on()
        # A press that only answers a question changes nothing else: then press again.
        with suppress(TimeoutError):
            await until(partial(differs, table, view), 2.0)
    return turns


@pytest.mark.slow
def test_a_match_is_played_by_touch_beside_a_phone_that_watches(
    chromium: str, tmp_path: Path
) -> None:
    async def look(table: PhoneTable, page: Tab, other: Tab) -> None:
        await tap(page, "New match")
        await tap(page, "1")
        await tap(page, "Begin")
        await until(lambda: table.view)

        async def go_on() -> None:
            rect = await die_button(table)
            await asyncio.sleep(0.5)
            await touch(page, rect)

        turns = await play(table, go_on)
        assert turns >= 4
        assert table.view.phase is Phase.MATCH_OVER
        ended = "document.getElementById('said').textContent.includes('wins')"
        await page.until(ended)
        await other.until(ended)
        assert await other.ask(f"{PLACES}.length") == 0

    seen(chromium, tmp_path, look)


async def die_button(table: PhoneTable) -> Rect:
    """Where the phone that plays shows the die button, or the usual answer in its place, once it
    may be touched."""
    server = table.phones._server
    assert server is not None
    (phone,) = (line.phone for line in server._lines if line.phone.role is PhoneRole.PLAY)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            answers = (Act.TAKE, Act.REFUSE, Act.NEXT_GAME, Act.SCREEN_IS_RIGHT)
            chosen = (intend(Act.CHOOSE, play=play) for play in table.view.choices[:1])
            wanted = (press_button(), *map(intend, answers), *chosen)
            for target in phone._front.picture.targets:
                if target.action in wanted:
                    return target.rect
            await asyncio.sleep(0.02)


def test_a_match_is_begun_and_played_by_keys_alone(chromium: str, tmp_path: Path) -> None:
    async def look(table: PhoneTable, page: Tab, _: Tab) -> None:
        for name in ("New match", "1", "Begin"):
            await walk_to(page, name)
            await press(page, "Enter", "\r")
        await until(lambda: table.view)
        table.set_up()
        await until(lambda: not table.view.fill and not table.view.clear)
        await page.ask("document.activeElement.blur()")

        async def go_on() -> None:
            await asyncio.sleep(0.5)
            await press(page, " ", " ")

        assert await play(table, go_on, most=3) == 3
        await press(page, "Escape")
        await page.until(f"!!{place('Settings')}")
        await press(page, "ArrowDown")
        assert await page.ask("document.activeElement.closest('#places') !== null")

    seen(chromium, tmp_path, look, (1024, 768))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1024, 768)], ids=str)
def test_axe_finds_nothing_serious_and_every_place_fits(
    chromium: str, tmp_path: Path, size: tuple[int, int]
) -> None:
    async def look(table: PhoneTable, page: Tab, other: Tab) -> None:
        for one in (page, other):
            await one.ask(AXE)
        assert await other.ask(FAULTS) == []
        for name in ("", "New match", "Back", "Rules", "Back", "Settings", "Phones", "Back"):
            if name:
                before = await page.ask(f"{PLACES}.map(one => one.textContent).join()")
                await tap(page, name)
                await page.until(f"{PLACES}.map(one => one.textContent).join() !== {before!r}")
            assert await page.ask(FAULTS) == [], name
            assert await page.ask(
                f"{PLACES}.every(one => one.textContent.trim() && one.getBoundingClientRect().right"
                " <= innerWidth && one.getBoundingClientRect().bottom <= innerHeight)"
            )
        await page.ask("document.getElementById('own').click()")
        assert await page.ask(FAULTS) == []

    seen(chromium, tmp_path, look, size)


def test_axe_finds_nothing_serious_on_any_page(chromium: str, tmp_path: Path) -> None:
    async def look(table: PhoneTable, page: Tab, other: Tab) -> None:
        await page.ask(AXE)
        for name in BEFORE:
            await open_on(table, page, name)
            assert await page.ask(FAULTS) == [], name
        await open_on(table, page, "start")
        for name in ("New match", "1", "Begin"):
            await tap(page, name)
        await until(lambda: table.view)
        for name in OF_A_MATCH:
            await open_on(table, page, name)
            assert await page.ask(FAULTS) == [], name

    seen(chromium, tmp_path, look)


def test_the_computer_is_switched_off_from_a_phone(chromium: str, tmp_path: Path) -> None:
    async def look(table: PhoneTable, page: Tab, _: Tab) -> None:
        for name in ("Quit", "Switch off"):
            await tap(page, name)
        await until(lambda: table.ran == [("systemctl", "--no-ask-password", "poweroff")])
        await page.until("document.getElementById('said').textContent.includes('One moment')")
        await tap(page, "Update from the USB stick")
        await page.until("document.getElementById('said').textContent.includes('USB stick')")
        await tap(page, "Back")
        await page.until(f"!!{place('New match')}")

    seen(chromium, tmp_path, look)


def test_settings_walk_test_and_tour_work_from_a_phone(
    chromium: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    async def look(table: PhoneTable, page: Tab, _: Tab) -> None:
        for name in ("Settings", "Animations On"):
            await tap(page, name)
        await page.until(f"!!{place('Animations Off')}")
        for name in ("Back", "Sensors", "Walk test"):
            await tap(page, name)
        await until(lambda: table.front.shown.inspected.walk)  # type: ignore[union-attr]
        for sensor in "123456":
            for closed in (True, False):
                await asyncio.to_thread(table.feel, [sensor], closed=closed)
                await asyncio.sleep(0.4)
        await page.until(f"!!{place('Test again')}")
        assert "6 of 6 sensors" in await page.ask("document.body.textContent")
        for name in ("Back", "Tour", "Begin"):
            await tap(page, name)
        await until(lambda: table.view.tour)
        await page.until(f"!!{place('End the tour')}")

    seen(chromium, tmp_path, look)


async def open_on(table: PhoneTable, page: Tab, name: str) -> None:
    """Open a page on the phone that plays, as its own buttons would in several steps."""
    server, shown = table.phones._server, table.front.shown
    assert server is not None
    assert shown is not None
    (line,) = (one for one in server._lines if one.phone.role is PhoneRole.PLAY)
    _, ui = opened(name, shown)
    line.phone._front._ui = ui
    table.phones._soon(line.changed.set)
    await until(lambda: line.phone._sent.page is ui.page and line.shown.is_set())
    assert await page.ask(f"{PLACES}.length") > 0


CODE_FITS = """[...document.querySelectorAll("#code, #code *")].filter((one) => {
  const at = one.getBoundingClientRect();
  return at.left < 0 || at.top < 0 || at.right > innerWidth || at.bottom > innerHeight
    || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.id || one.tagName)"""


@pytest.mark.parametrize("language", ["en", "de", "el"])
def test_who_heard_a_code_types_it_and_plays(chromium: str, tmp_path: Path, language: str) -> None:
    async def type_in(page: Tab, code: str) -> None:
        field = "document.getElementById('code-typed')"
        await page.until(
            f"document.getElementById('code').open && document.activeElement === {field}"
        )
        for digit in code:
            await press(page, digit, digit)
        await press(page, "Enter", "\r")

    async def run(table: PhoneTable) -> None:
        host = table.phones.links.play.partition("#")[0]
        code = table.phones._code.new()
        async with tab(chromium) as page:
            await page.size(390, 844, phone=True)
            await page.goto(f"{host}?lang={language}")
            await page.tell("Emulation.setFocusEmulationEnabled", enabled=True)
            await type_in(page, f"{(int(code) + 1) % 1_000_000:06}")
            await page.until("document.getElementById('code-said').textContent")
            await page.ask(AXE)
            assert await page.ask(FAULTS) == []
            assert await page.ask(CODE_FITS) == []
            assert await page.ask(f"{PLACES}.length") == 0
            await type_in(page, code)
            await page.until(f"{PLACES}.length > 5")
            assert not await page.ask("document.getElementById('code').open")
            # The phone keeps the token, and needs no further code.
            await page.goto(host)
            await page.until(f"{PLACES}.length > 5")
            assert page.complaints == []

    with phone_table(tmp_path) as table:
        asyncio.run(asyncio.wait_for(run(table), 3 * PATIENCE_S))


def test_without_a_code_said_a_page_without_a_token_asks_for_none(
    chromium: str, tmp_path: Path
) -> None:
    async def run(table: PhoneTable) -> None:
        async with tab(chromium) as page:
            await page.goto(table.phones.links.play.partition("#")[0])
            await page.until("document.getElementById('state').textContent.includes('no longer')")
            assert not await page.ask("document.getElementById('code').open")

    with phone_table(tmp_path) as table:
        asyncio.run(asyncio.wait_for(run(table), 3 * PATIENCE_S))


def test_a_phone_keeps_its_own_looks_and_the_board_its_own(chromium: str, tmp_path: Path) -> None:
    async def look(table: PhoneTable, page: Tab, other: Tab) -> None:
        before, others = await page.ask(PICTURE), await other.ask(PICTURE)
        change = "(() => { const one = document.getElementById('theme'); one.value = 'contrast';"
        change += " one.dispatchEvent(new Event('change', { bubbles: true })); })()"
        await page.ask(change)
        await page.until(f"{PICTURE} !== {before!r}")
        assert await page.ask("document.documentElement.dataset.theme") == "contrast"
        assert await other.ask(PICTURE) == others
        assert table.front.shown is not None
        assert table.front.shown.settings.screen.theme == "dark"
        before = await page.ask(PICTURE)
        await page.goto(table.phones.links.play.replace("/#", "/?lang=de#"))
        await page.until(f"!!{place('Neues Match')}")
        assert await page.ask("document.documentElement.dataset.theme") == "contrast"
        await other.until(f"{PICTURE} === {others!r}")

    seen(chromium, tmp_path, look)


def test_cues_sound_on_a_phone_that_wants_them_alone(chromium: str, tmp_path: Path) -> None:
    hear = "window.heard = []; Audio.prototype.play = HTMLMediaElement.prototype.play = "
    hear += "function () { heard.push(new URL(this.src).pathname); return Promise.resolve(); }"

    async def look(table: PhoneTable, page: Tab, other: Tab) -> None:
        for one in (page, other):
            await one.ask(hear)
        await page.ask("document.getElementById('own').click()")
        await page.ask("document.getElementById('sounds').click()")
        assert await page.ask("heard") == ["/sound/legal"]
        found = "fetch('/sound/roll').then(told => told.status + told.headers.get('content-type'))"
        assert await page.ask(found) == "200audio/wav"
        table.phones.play("roll")
        await page.until("heard.includes('/sound/roll')")
        assert await other.ask("heard") == []

    seen(chromium, tmp_path, look)


@pytest.mark.slow
def test_a_board_that_goes_is_told_and_the_page_comes_back(chromium: str, tmp_path: Path) -> None:
    async def look(table: PhoneTable, page: Tab, _: Tab) -> None:
        port = int(table.phones.links.play.rpartition(":")[2].partition("/")[0])
        await asyncio.to_thread(table.phones.close)
        await page.until("document.body.classList.contains('lost')")
        assert await page.ask(f"{PLACES}.length") == 0
        table.phones.let_in(port)
        await page.until("!document.body.classList.contains('lost')")
        await page.until(f"{PLACES}.length > 5")
        page.complaints.clear()
        _.complaints.clear()

    seen(chromium, tmp_path, look)
