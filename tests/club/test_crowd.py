"""A crowd at the broker: one address that holds many connections keeps no board out."""

from __future__ import annotations

import datetime
import getpass
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hall import HAS_MOSQUITTO, HAS_NATS, free_port, until

from pi_app.base.identifiers import board_name
from pi_app.club.line import BrokerLine, Connected, Disconnected, Happening, LineWish
from pi_app.club.records import Topic
from pi_app.club.setting_up import CARDS, FIREWALL, ClubPlan, access_of, load_card, set_up

BOARD = board_name("table-1")
OURS, STRANGERS, BROKERS = "10.213.77.1", "10.213.77.2", "10.213.77.3"
HAS_NFT = shutil.which("nft", path="/usr/sbin:/sbin:/usr/bin") is not None


class CrowdedBroker:
    """A club whose broker strangers have reached first."""

    def __init__(self, folder: Path, host: str, *, nats: bool = False) -> None:
        self.at_the_end = ExitStack()
        self.folder, self.host, self.nats = folder / "club", host, nats
        self.plan = ClubPlan((BOARD,), (host,), free_port(), nats=nats, client_port=free_port())
        now = datetime.datetime.now(datetime.UTC)
        set_up(self.plan, self.folder, getpass.getuser(), now, replace=False)

    def opens(self, *before: str) -> None:
        """Start the broker, by a command in front if need be."""
        name = "nats-spotter-1.conf" if self.nats else "mosquitto.conf"
        program = "/usr/sbin/nats-server" if self.nats else "/usr/sbin/mosquitto"
        command = [*before, program, "-c", str(self.folder / name)]
        with (self.folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        self.at_the_end.callback(process.wait)
        self.at_the_end.callback(process.kill)
        until(lambda: self._comes(None))

    def _comes(self, origin: str | None) -> socket.socket | None:
        try:
            return socket.create_connection(
                (self.host, self.plan.port), 1, (origin, 0) if origin else None
            )
        except OSError:
            return None

    def fills(self, origin: str | None = None) -> int:
        """More silent connections than the broker takes; how many were opened."""
        came = 0
        for _ in range(self.plan.connections + 30):
            if stranger := self._comes(origin):
                self.at_the_end.callback(stranger.close)
                came += 1
        return came

    def board(self) -> list[Happening]:
        """What happens to a board that comes last."""
        happened: list[Happening] = []
        access = access_of(load_card(self.folder / CARDS / f"{BOARD}.toml"), self.folder / "ca.pem")
        line = BrokerLine(access, LineWish(BOARD, (Topic.HAVE.of(BOARD),)), happened.append)
        self.at_the_end.callback(line.close)
        line.start()
        return happened


@pytest.fixture
def broker_room() -> Iterator[str]:
    """A network of its own for the broker, and two addresses here that reach it."""
    name, link = f"broker{os.getpid()}", f"to{os.getpid()}"
    inside = ["ip", "-n", name]
    commands = [
        ["ip", "netns", "add", name],
        ["ip", "link", "add", link, "type", "veth", "peer", "name", "inside", "netns", name],
        *(["ip", "address", "add", f"{one}/24", "dev", link] for one in (OURS, STRANGERS)),
        [*inside, "address", "add", f"{BROKERS}/24", "dev", "inside"],
        ["ip", "link", "set", link, "up"],
        [*inside, "link", "set", "inside", "up"],
        [*inside, "link", "set", "lo", "up"],
    ]
    try:
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"no network can be made here: {done.stderr}")
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


@pytest.mark.skipif(not HAS_MOSQUITTO or not HAS_NFT, reason="mosquitto or nft is not installed")
@pytest.mark.parametrize("has_firewall", [False, True])
def test_one_address_keeps_no_board_out_of_mosquitto(
    broker_room: str, tmp_path: Path, has_firewall: bool
) -> None:
    crowd = CrowdedBroker(tmp_path, BROKERS)
    inside = ("ip", "netns", "exec", broker_room)
    with crowd.at_the_end:
        crowd.opens(*inside)
        if has_firewall:
            subprocess.run([*inside, "nft", "-f", str(crowd.folder / FIREWALL)], check=True)
        came = crowd.fills(STRANGERS)
        happened = crowd.board()
        until(lambda: happened)
        if has_firewall:
            assert came == crowd.plan.connections_of_one
            assert Connected() in happened
        else:
            assert came > crowd.plan.connections
            assert isinstance(happened[0], Disconnected), "without it the test would show nothing"


@pytest.mark.skipif(not HAS_NATS, reason="nats-server is not installed")
def test_nats_server_closes_silent_connections_by_itself(tmp_path: Path) -> None:
    crowd = CrowdedBroker(tmp_path, "localhost", nats=True)
    with crowd.at_the_end:
        crowd.opens()
        assert crowd.fills() > crowd.plan.connections
        happened = crowd.board()
        until(lambda: Connected() in happened)
