"""What players read about a port that the phones' server cannot open."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

from phone_bench import PATIENCE_S

from pi_app.devices.clock import MatchClock
from pi_app.languages import LANGUAGES, load_language
from pi_app.phones.phones import Phones
from pi_app.words.numbers import decimal


def test_it_says_what_to_do_and_the_number_is_not_grouped(tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port: int = taken.getsockname()[1]
        woken = threading.Event()
        phones = Phones(tmp_path, MatchClock(), woken.set)
        phones.let_in(port)
        assert woken.wait(PATIENCE_S)
        trouble = phones.links.trouble
        phones.close()
    said = load_language("de").say(trouble)
    assert said.startswith(f"Handys können sich nicht verbinden: Port {port} ")
    assert said.endswith("setze einen anderen Port unter [phones] in den Einstellungen")
    for language in map(load_language, LANGUAGES):
        assert language.say(decimal(port, 0)) not in language.say(trouble)
