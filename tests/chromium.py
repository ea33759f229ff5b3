"""A headless browser, driven over the DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_S = 60.0
"""Only what never comes takes so long, however busy the machine is."""
LISTENS = "DevTools listening on "


class BrowserError(Exception):
    """It is installed and does not start here; its own words say why."""


@contextmanager
def browser(folder: Path, program: str) -> Iterator[str]:
    """A browser while the context lasts, by the address of its DevTools.

    Raises BrowserError for one that ends at once.
    """
    words = ["--headless=new", "--disable-gpu", "--remote-debugging-port=0", "--mute-audio"]
    words += ["--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage"]
    # Its sandbox refuses to be root's.
    words += ["--no-sandbox"] * (os.geteuid() == 0)
    process = subprocess.Popen(
        [program, *words, f"--user-data-dir={folder}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    try:
        assert process.stderr is not None
        said: list[str] = []
        for line in process.stderr:
            if line.startswith(LISTENS):
                break
            said.append(line.strip())
        else:
            raise BrowserError(f"{program} does not start here: {' '.join(said)[:300]}")
        yield line.removeprefix(LISTENS).strip()
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A browser for the tests of one file, by its address."""
    try:
        with browser(tmp_path_factory.mktemp("chromium"), str(CHROMIUM)) as address:
            yield address
    except BrowserError as error:
        pytest.skip(str(error))


class Tab:
    """A page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._session: str | None = None
        self.complaints: list[str] = []
        self.received = 0
        """Bytes that came from servers."""

    async def tell(self, method: str, **parameters: object) -> Any:
        """One command and its answer."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json(message)
        return await asyncio.wait_for(self._waiting[number], PATIENCE_S)

    async def listen(self) -> None:
        """Take answers and events until the browser goes."""
        async for message in self._socket:
            told = message.json()
            waiting = self._waiting.pop(told.get("id"), None)
            if waiting and not waiting.done():
                if "error" in told:
                    waiting.set_exception(RuntimeError(str(told["error"])))
                else:
                    waiting.set_result(told["result"])
            self._note(told.get("method"), told.get("params", {}))

    async def attach(self) -> None:
        made = await self.tell("Target.createTarget", url="about:blank")
        attached = await self.tell("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for room in ("Page", "Runtime", "Network", "Log"):
            await self.tell(f"{room}.enable")

    async def size(self, width: int, height: int, *, phone: bool = False) -> None:
        await self.tell(
            "Emulation.setDeviceMetricsOverride",
            **{"width": width, "height": height, "mobile": phone},
            deviceScaleFactor=1,
        )

    async def goto(self, url: str) -> None:
        await self.tell("Page.navigate", url=url)

    async def ask(self, script: str) -> Any:
        """An expression's value in the page."""
        told = await self.tell(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    async def until(self, script: str) -> None:
        """Wait until an expression is true; while the page is being built it may fail."""
        script = f"(() => {{ try {{ return {script}; }} catch {{ return false; }} }})()"
        async with asyncio.timeout(PATIENCE_S):
            while not await self.ask(script):
                await asyncio.sleep(0.02)

    async def picture(self, file: Path | None = None, *, see_through: bool = False) -> bytes:
        """The page as a PNG file."""
        if see_through:
            clear = {"r": 0, "g": 0, "b": 0, "a": 0}
            await self.tell("Emulation.setDefaultBackgroundColorOverride", color=clear)
        shot = await self.tell("Page.captureScreenshot", format="png")
        data = base64.b64decode(shot["data"])
        if file:
            file.write_bytes(data)
        return data

    async def key(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            await self.tell("Input.dispatchKeyEvent", type=kind, key=key)

    def _note(self, event: str | None, told: dict[str, Any]) -> None:
        if event == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"]))
        if event == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(str(told["entry"]))
        if event in ("Network.dataReceived", "Network.eventSourceMessageReceived"):
            self.received += told.get("encodedDataLength") or len(told.get("data", ""))


@asynccontextmanager
async def tab(address: str, language: str = "en") -> AsyncIterator[Tab]:
    """A fresh page while the context lasts."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(address, max_msg_size=1 << 26) as socket,
    ):
        made = Tab(socket)
        listening = asyncio.create_task(made.listen())
        try:
            await made.attach()
            await made.tell("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})
            yield made
            await made.tell("Page.close")
        finally:
            listening.cancel()
