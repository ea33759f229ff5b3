"""A friend without a board in a browser far away, at a real broker, against simulated hands."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from bad_lines import HASTE, PhoneWire
from chromium import CHROMIUM, Tab, chromium, tab
from guest_bench import HostBoard, host_board
from hall import HAS_MOSQUITTO
from shares import SEED, one_in, some
from test_phone_pages import AXE, FAULTS, PLACES, finger, place, press, tap, until, walk_to

from pi_app.app.guest import GuestBoard
from pi_app.club.line import Scheme
from pi_app.club.linked.talk import LinkTalk
from pi_app.games.all import ALL
from pi_app.match.turns import ANSWERS, Phase
from pi_app.referee.view import View
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.screen.ui import Shown
from pi_app.sensing.reading import ALARMS, BoardState

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed"),
]
__all__ = ["chromium"]
LONGEST_S = 2400.0
"""Of a whole match, on a busy machine."""
LONG_S = 300.0
"""Of some lines of one, on a busy machine."""
GAMES = sorted(ALL.rules)
SAID = "document.getElementById('join-said').textContent"
ENOUGH = 6
"""Lines of the common record after which a match is seen to continue."""
LONG_IN_HAND = 10
"""Looks at the page between which people have set down what they lifted."""
TOUCHES = 3
"""The most touches of one spot: one on a picture that has just changed does nothing."""
SOON = 3.0
"""Seconds in which something that was touched has its effect."""


class Ben:
    """Who plays in the browser."""

    def __init__(self, page: Tab, host: HostBoard, seed: str) -> None:
        self.page, self.host, self.chance = page, host, random.Random(seed)
        self.address, self.lifted = host.address, 0

    @property
    def board(self) -> GuestBoard:
        guests = self.host.table.club._guests
        assert guests
        boards = tuple(guests._boards.values())
        assert boards
        return boards[0]

    @property
    def view(self) -> View:
        shown = self.board._drawn  # a session is for one thread; this is immutable
        assert isinstance(shown, Shown)
        assert shown.view
        return shown.view

    @property
    def moved_unseen(self) -> bool:
        """Whether his play is on the board, and no sensor shows it."""
        hands = self.board._hands
        assert hands
        return hands.lying != self.view.accepted and hands.due is None

    @property
    def is_over(self) -> bool:
        with suppress(AssertionError):
            return self.view.phase is Phase.MATCH_OVER
        return False

    async def text(self, name: str) -> str:
        return str(await self.page.ask(f"document.getElementById({name!r}).textContent"))

    async def open(self, code: str) -> None:
        await self.page.size(390, 844, phone=True)
        await self.page.tell("Emulation.setFocusEmulationEnabled", enabled=True)
        await self.page.goto("about:blank")
        await self.page.goto(f"{self.address}#{code.replace(' ', '-')}")
        await self.page.until("document.getElementById('join').open")

    async def join(self, code: str) -> None:
        await self.open(code)
        await self.page.ask("document.getElementById('join-name').value = 'Ben'")
        await self.page.ask("document.getElementById('join-go').click()")

    async def agree(self) -> None:
        await tap(self.page, "Yes")
        await until(lambda: self.view and self.host.table.view)

    async def touch(self, spot: Spot) -> None:
        phone = self.board._phone
        assert phone
        drawn = phone._front.picture.targets
        rects = [one.rect for one in drawn if one.action.given[:1] == (spot,)]
        assert rects, f"no place for {spot}"
        rect = rects[0]
        room = await self.page.ask("document.getElementById('screen').getBoundingClientRect().y")
        await finger(self.page, rect.centre[0], rect.centre[1] + room)

    async def moves(self, spot: Spot) -> bool:
        """Touch a spot once the page shows the newest picture, again if that was lost. Return
        whether a checker has moved."""
        board, hands = self.board, self.board._hands
        assert hands
        before = hands.lying
        for _ in range(TOUCHES):
            with suppress(TimeoutError):
                await until(lambda: board._awaited is None, SOON)
            await self.touch(spot)
            with suppress(TimeoutError):
                await until(lambda: hands.lying != before and hands.due is None, SOON)
                return True
        return False

    async def move(self) -> None:
        """Make a legal play by touching from where and to where each checker goes."""
        view, hands = self.view, self.board._hands
        assert hands
        game = hands._board.games[view.game]
        position = game.read_position(view.position)
        play = game.read_play(position, self.chance.choice(view.legal))
        for move in game.moves(position, play):
            for spot in (move.origin, move.target):
                if not await self.moves(spot):
                    return  # and put back what was lifted

    async def act(self) -> None:
        view = self.view
        names = await self.page.ask(f"{PLACES}.map(one => one.textContent)")
        mine = view.to_act is Side.BLACK and view.phase is not Phase.MATCH_OVER
        # A touch may have been lost with the line: a checker in the hand for long was not set down.
        self.lifted = self.lifted + 1 if view.board is BoardState.IN_HAND else 0
        if "Put back" in names and (view.board in ALARMS or self.lifted > LONG_IN_HAND):
            await tap(self.page, "Put back")
        elif "Yes" in names and view.board is not BoardState.CHOOSE:
            await tap(self.page, "Yes")
        elif mine and view.phase is Phase.MOVING and view.board is BoardState.RESTING:
            if view.moves_exist and not (view.awaiting_roll or self.moved_unseen):
                await self.move()
            else:
                await self.press(names)
        elif mine or view.phase is Phase.GAME_OVER:
            await self.press(names)
        await asyncio.sleep(0.3)

    async def press(self, names: list[str]) -> None:
        wanted = ("Done", "Pass the turn", "Roll: Ben", "Next game", "Yes")
        for name in names:
            if name in wanted or (self.view.phase in ANSWERS and name.startswith("Take")):
                await self.page.ask(f"{place(name)}?.click()")
                return


async def to_the_end(
    host: HostBoard,
    ben: Ben,
    trouble: Callable[[int], Awaitable[None]],
    longest_s: float = LONG_S,
) -> None:
    """Both play to the end; `trouble` comes between, with the number of common lines."""
    ended = False

    def over() -> bool:
        with suppress(AssertionError):  # a board that starts shows nothing yet
            return host.is_up and host.table.view.phase is Phase.MATCH_OVER
        return False

    def hands() -> None:
        while not ended and not (over()):
            host.act()

    playing = asyncio.create_task(asyncio.to_thread(hands))
    try:
        async with asyncio.timeout(longest_s):
            while not (over() and ben.is_over):
                await trouble(len(host.record))
                with suppress(AssertionError):
                    await ben.act()
    except TimeoutError:
        told = {name: await ben.text(name) for name in ("state", "dice", "join-said")}
        pytest.fail(f"no end after {len(host.record)} lines: {told}, {ben.page.complaints}")
    finally:
        ended = True
        await playing


def met(
    chromium: str, folder: Path, game: str, then: Callable[[HostBoard, Ben], Awaitable[None]]
) -> None:
    async def run(host: HostBoard) -> None:
        async with tab(chromium) as page:
            ben = Ben(page, host, f"{SEED} {game}")
            await then(host, ben)

    with host_board(folder, game, f"{SEED} {game}") as host:
        asyncio.run(asyncio.wait_for(run(host), LONGEST_S + LONG_S))


@pytest.mark.skipif(one_in(10) > 1, reason="takes many minutes on a busy machine: THOROUGH=1")
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_a_board_and_a_browser(chromium: str, tmp_path: Path, game: str) -> None:
    async def play(host: HostBoard, ben: Ben) -> None:
        await ben.join(await asyncio.to_thread(host.table.show_code))
        await ben.agree()

        async def calm(_: int) -> None:
            pass

        await to_the_end(host, ben, calm, LONGEST_S)
        assert host.record == host.guests_record
        assert len(host.record) > 8
        assert "Checked: nobody chose it" in await ben.text("dice") or game == "cannon"
        assert ben.page.complaints == []

    met(chromium, tmp_path, game, play)


@pytest.mark.slow
@pytest.mark.parametrize("trouble", some(["page", "board", "broker"], 3))
def test_a_match_continues_after_trouble(chromium: str, tmp_path: Path, trouble: str) -> None:
    """The page is loaded again, the board's program ends, or the broker is killed."""

    async def play(host: HostBoard, ben: Ben) -> None:
        await ben.join(await asyncio.to_thread(host.table.show_code))
        await ben.agree()
        if trouble == "page":
            await ben.page.goto(host.address)
        elif trouble == "board":
            await asyncio.to_thread(host.restart)
        else:
            host.broker.process.kill()
            await asyncio.to_thread(host.broker.process.start)

        async def enough(lines: int) -> None:
            if lines >= ENOUGH:
                raise CaughtError

        with pytest.raises(CaughtError):
            await to_the_end(host, ben, enough)
        assert not await ben.page.ask("document.body.classList.contains('cheated')")

    met(chromium, tmp_path, "nannon", play)


@pytest.mark.slow
def test_another_tab_of_the_browser_continues_with_the_same_numbers(
    chromium: str, tmp_path: Path
) -> None:
    """Both are open when the match begins. One tells the board its commitments and is closed, the
    other tells the numbers."""
    silent = """
        const room = window.spotterLine.present.room, send = room.send.bind(room);
        room.send = (message) => {
            if (window.speaks || !message.includes('"dice"')) send(message);
        };
        0"""

    async def play(host: HostBoard, ben: Ben) -> None:
        await ben.join(await asyncio.to_thread(host.table.show_code))
        await until(lambda: host.table.club.friends and host.table.club.friends.book.known)
        async with tab(chromium) as page:
            other = Ben(page, host, "another tab")
            await page.size(390, 844, phone=True)
            await page.tell("Emulation.setFocusEmulationEnabled", enabled=True)
            await page.goto(host.address)
            await page.until(f"!!{place('Yes')}")
            await page.ask(silent)
            await ben.agree()
            await until(lambda: ben.board._dice[1]._hashes)
            await ben.page.goto("about:blank")
            await page.ask("window.speaks = 1")

            async def enough(lines: int) -> None:
                assert not await page.ask("document.body.classList.contains('cheated')")
                if lines >= ENOUGH:
                    raise CaughtError

            with pytest.raises(CaughtError):
                await to_the_end(host, other, enough)

    met(chromium, tmp_path, "nannon", play)


def test_a_wrong_code_is_told_on_both_sides(chromium: str, tmp_path: Path) -> None:
    async def play(host: HostBoard, ben: Ben) -> None:
        code = await asyncio.to_thread(host.table.show_code)
        number, *words = code.split()
        await ben.join("nonsense")
        await ben.page.until(f"{SAID}.includes('no code')")
        await ben.join(" ".join((number, "zebra", "zebra", words[0])))
        await ben.page.until(f"{SAID}.includes('Wrong code')")
        await until(lambda: "used up" in str(host.table.club.alarms))
        assert host.table.club.friends
        assert not host.table.club.friends.book.known
        # The next one works.
        await ben.join(await asyncio.to_thread(host.table.show_code))
        await ben.agree()

    met(chromium, tmp_path, "nannon", play)


@pytest.mark.slow
@pytest.mark.parametrize("lie", ["dice", "none", "number", "commitment"])
def test_a_page_stops_when_the_board_tells_a_lie_about_the_dice(
    chromium: str, tmp_path: Path, lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolls, hashes = LinkTalk.rolls.fget, LinkTalk.far_hashes.fget  # type: ignore[attr-defined]

    def other_rolls(talk: LinkTalk) -> tuple[tuple[str, Roll], ...]:
        told: tuple[tuple[str, Roll], ...] = rolls(talk)
        if lie == "dice":
            return tuple((one, Roll.of(*(die % 6 + 1 for die in roll.dice))) for one, roll in told)
        if lie == "none":
            return tuple((one, Roll(())) for one, _ in told)
        return tuple((one[::-1], roll) for one, roll in told) if lie == "number" else told

    def other_hashes(talk: LinkTalk) -> tuple[str, ...]:
        told: tuple[str, ...] = hashes(talk)
        return tuple(one[::-1] for one in told) if talk.rolls else told

    monkeypatch.setattr(LinkTalk, "rolls", property(other_rolls))
    if lie == "commitment":
        monkeypatch.setattr(LinkTalk, "far_hashes", property(other_hashes))

    async def play(host: HostBoard, ben: Ben) -> None:
        await ben.join(await asyncio.to_thread(host.table.show_code))
        await ben.agree()

        async def look(_: int) -> None:
            if await ben.page.ask("document.body.classList.contains('cheated')"):
                raise CaughtError

        with pytest.raises(CaughtError):
            await to_the_end(host, ben, look)
        assert "is not what both of you rolled" in await ben.text("dice")

    met(chromium, tmp_path, "nannon", play)


class CaughtError(Exception):
    """What the test waited for was seen."""


def test_strangers_junk_disturbs_nobody(chromium: str, tmp_path: Path) -> None:
    async def play(host: HostBoard, ben: Ben) -> None:
        code = await asyncio.to_thread(host.table.show_code)
        chance = random.Random(SEED)
        with host.stranger() as stranger:
            await ben.open(code)
            for _ in range(200):
                topic = f"spotter/2/meet/{code.split()[0]}/a"
                stranger.publish(topic, chance.randbytes(chance.randrange(200)))
            await ben.join(code)
            await ben.agree()
            assert host.table.club.friends
            (friend,) = host.table.club.friends.book.known
            before = await ben.text("state")
            for role in "ab":
                for _ in range(300):
                    topic = f"spotter/2/room/{friend.pact.room}/{role}"
                    stranger.publish(topic, chance.randbytes(chance.choice((0, 1, 284, 540, 999))))
            await tap(ben.page, "Menu")
            await tap(ben.page, "Back to the match")
            assert await ben.text("state") == before
            assert ben.page.complaints == []

    met(chromium, tmp_path, "nannon", play)


def test_a_page_is_read_by_screen_readers_and_played_by_keys(chromium: str, tmp_path: Path) -> None:
    async def play(host: HostBoard, ben: Ben) -> None:
        code = await asyncio.to_thread(host.table.show_code)
        await ben.open(code)
        await ben.page.ask(AXE)
        assert await ben.page.ask(FAULTS) == []
        assert await ben.page.ask("document.getElementById('join-code').value") == code
        await ben.join(code)
        await until(lambda: host.table.club.friends and host.table.club.friends.book.known)
        await walk_to(ben.page, "Yes")
        await press(ben.page, "Enter", "\r")
        await until(lambda: ben.view and host.table.view)
        await ben.page.until(f"!!{place('Menu')}")
        await ben.page.ask(AXE)
        assert await ben.page.ask(FAULTS) == []

    met(chromium, tmp_path, "nannon", play)


def test_the_board_shows_the_page_with_its_code_where_the_broker_has_one(
    chromium: str, tmp_path: Path
) -> None:
    async def play(host: HostBoard, ben: Ben) -> None:
        code = await asyncio.to_thread(host.table.show_code)
        await until(lambda: host.shown_page)
        assert host.shown_page == f"{host.address}#{code.replace(' ', '-')}"
        await ben.page.goto(host.shown_page)
        await ben.page.until("document.getElementById('join').open")
        assert await ben.page.ask("document.getElementById('join-code').value") == code
        (host.broker.page / "index.html").write_text("nothing")
        await asyncio.to_thread(host.table.show_code)
        await asyncio.sleep(2)
        assert host.shown_page == ""

    met(chromium, tmp_path, "nannon", play)


@pytest.mark.slow
def test_a_page_whose_call_is_not_answered_calls_again(chromium: str, tmp_path: Path) -> None:
    async def play(host: HostBoard, ben: Ben) -> None:
        wire = PhoneWire("localhost", host.broker.ports[Scheme.WS])
        async with wire.laid() as end:
            ben.address = f"http://{end}/"
            await ben.join(await asyncio.to_thread(host.table.show_code))
            await ben.agree()
            await ben.page.ask(HASTE)
            wire.is_cut = True
            while not wire.unheard:
                await asyncio.sleep(0.02)
            wire.is_cut = False
            await ben.page.until("!document.body.classList.contains('lost')")

    met(chromium, tmp_path, "nannon", play)


def test_a_page_runs_no_script_that_a_picture_brings(chromium: str, tmp_path: Path) -> None:
    """A board is trusted for its pictures, and sees no more of the browser."""
    bad = "<image href='data:,' onerror='window.ran = 1'/><script>window.ran = 2</script>"
    html = "<foreignObject><img src='data:,' onerror='window.ran = 3'/></foreignObject>"
    show = (
        "(() => { const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg');"
        f"made.innerHTML = {bad + html!r}; document.body.append(made);"
        "return new Promise((done) => setTimeout(() => done(window.ran ?? 0), 500)); })()"
    )

    async def play(host: HostBoard, ben: Ben) -> None:
        await ben.open(await asyncio.to_thread(host.table.show_code))
        assert await ben.page.ask(show) == 0

    met(chromium, tmp_path, "nannon", play)


@pytest.mark.slow
def test_a_page_keeps_its_numbers_where_the_browser_stores_nothing(
    chromium: str, tmp_path: Path
) -> None:
    """A board that closes the room gets no other numbers, and an honest one can play on, also
    while the closed room still checks the roll that the next one is told again."""
    alone = """
        Object.defineProperty(window, "localStorage", { get() { throw new Error(); } });
        const digest = crypto.subtle.digest.bind(crypto.subtle);
        let checks = 0;
        crypto.subtle.digest = async (kind, data) => {
            const made = await digest(kind, data);
            const [, what, , side] = new TextDecoder().decode(data).split("\\n");
            if (what === "commit" && side === "white" && checks++ % 3 === 0) {
                window.spotterLine.present.close();
                await new Promise((done) => setTimeout(done, 5000));
            }
            return made;
        };
        0"""

    async def play(host: HostBoard, ben: Ben) -> None:
        code = await asyncio.to_thread(host.table.show_code)
        await ben.open(code)
        await ben.page.ask(alone)
        await ben.page.ask("document.getElementById('join-name').value = 'Ben'")
        await ben.page.ask("document.getElementById('join-go').click()")
        await ben.agree()

        async def enough(lines: int) -> None:
            assert not await ben.page.ask("document.body.classList.contains('cheated')")
            if lines >= 2 * ENOUGH:
                raise CaughtError

        with pytest.raises(CaughtError):
            await to_the_end(host, ben, enough)

    met(chromium, tmp_path, "nannon", play)
