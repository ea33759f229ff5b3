"""What players read about a port that the phones' server cannot open."""

from __future__ import annotations

import asyncio
import socket
from functools import partial

import pytest
from aiohttp import web

from pi_app.base.door import Door
from pi_app.base.serving import ServingError, served
from pi_app.languages import LANGUAGES, load_language
from pi_app.phones.phones import NO_PORT
from pi_app.words.numbers import decimal


def told() -> tuple[int, str]:
    """A port that is in use, and what is said about it."""

    async def serve(port: int) -> None:
        door = partial(Door, warn=print)
        async with served(web.Application(), "127.0.0.1", port, door, print, no_port=NO_PORT):
            raise AssertionError("the port is in use")

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        with pytest.raises(ServingError) as raised:
            asyncio.run(serve(port))
    return port, raised.value.said


def test_its_number_is_not_grouped() -> None:
    port, said = told()
    for language in map(load_language, LANGUAGES):
        assert language.say(decimal(port, 0)) not in language.say(said)
