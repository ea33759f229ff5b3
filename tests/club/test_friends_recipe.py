"""The container recipe of README.md, laid out in a folder and started: none can be built here."""

from __future__ import annotations

import datetime
import getpass
import json
import re
import shutil
from importlib import resources
from pathlib import Path

import pytest
from hall import HAS_MOSQUITTO, BrokerProcess, free_port

from pi_app.club.friends import code_words, serves_page
from pi_app.club.line import Broker, Scheme
from pi_app.club.setting_up import CA, SERVER, SERVER_KEY, make_certificates
from pi_app.phones.page_texts import guest_page

CLUB = Path(str(resources.files("pi_app.club")))
RECIPE = re.compile(r"^```\n(FROM .*?)^```$", re.DOTALL | re.MULTILINE)


def recipe() -> dict[str, list[str]]:
    """What follows each word that begins a line of the recipe."""
    found = RECIPE.search((CLUB / "README.md").read_text("utf-8"))
    assert found
    lines: dict[str, list[str]] = {}
    for line in found.group(1).splitlines():
        word, _, rest = line.partition(" ")
        lines.setdefault(word, []).append(rest)
    return lines


def test_the_ports_of_the_recipe_are_those_of_the_configuration_and_of_the_schemes() -> None:
    configured = re.findall(r"^listener (\d+)$", (CLUB / "friends.conf").read_text(), re.MULTILINE)
    (exposed,) = recipe()["EXPOSE"]
    assert exposed.split() == configured
    assert [int(port) for port in configured] == [Scheme.MQTTS.port, Scheme.WSS.port]


@pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")
def test_mosquitto_starts_with_the_files_where_the_recipe_copies_them(tmp_path: Path) -> None:
    certificates = make_certificates(["localhost"], datetime.datetime.now(datetime.UTC))
    given = tmp_path / "given"
    given.mkdir()
    for name, text in {
        "friends.conf": (CLUB / "friends.conf").read_text(),
        "friends.acl": (CLUB / "friends.acl").read_text(),
        "fullchain.pem": certificates[SERVER],
        "privkey.pem": certificates[SERVER_KEY],
        "ca.pem": certificates[CA],
        "index.html": guest_page(code_words()),
    }.items():
        (given / name).write_text(text, "utf-8")
    image = tmp_path / "image"
    for line in recipe()["COPY"]:
        _, *names, target = line.split()
        folder = image / target.lstrip("/")
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(given / name, folder)
            (folder / name).chmod(0o600)
    (command,) = map(json.loads, recipe()["CMD"])
    configuration = image / command[-1].lstrip("/")
    ports = {scheme: free_port() for scheme in (Scheme.MQTTS, Scheme.WSS)}
    text = configuration.read_text().replace(" /etc/", f" {image}/etc/")
    for scheme, port in ports.items():
        text = text.replace(f"listener {scheme.port}\n", f"listener {port}\n")
    configuration.write_text(f"user {getpass.getuser()}\n{text}")
    command = [f"/usr/sbin/{command[0]}", *command[1:-1], str(configuration)]
    broker = BrokerProcess(command, ports[Scheme.WSS], tmp_path / "broker.log")
    try:
        page = Broker("localhost", ports[Scheme.WSS], Scheme.WSS).page
        assert serves_page(page, given / "ca.pem")
    finally:
        broker.kill()
