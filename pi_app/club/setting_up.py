"""A club's files: for its broker, and a small one for each board, by which that board joins."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from pi_app.club.brokers import (
    DATA,
    Account,
    BrokerNode,
    BrokerPlace,
    mosquitto_accesses,
    mosquitto_configuration,
    mosquitto_passwords,
    nats_configuration,
    new_account,
)
from pi_app.club.certificates import make_certificates
from pi_app.club.collector import NAME as ARCHIVE
from pi_app.club.line import Access, Broker
from pi_app.errors import GivenError
from pi_app.files import read_text, why
from pi_app.identifiers import BoardName, IdentifierError, board_name
from pi_app.strict import ConfigError, Reader, parse_toml
from pi_app.texts import quoted

CARDS = "boards"
"""The folder of the boards' files."""
_PRIVATE, _PRIVATE_FOLDER = 0o600, 0o700
_BROKER = re.compile(r"([a-zA-Z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]):([0-9]{1,5})")
_HIGHEST_PORT = 65535


class ClubError(GivenError, ValueError):
    """A club that cannot be set up or joined like this; says why."""


@dataclass(frozen=True, slots=True)
class ClubPlan:
    """What a club is to be: its boards, and the hosts of its broker, which is mosquitto or NATS.

    Several hosts are the nodes of a NATS cluster, and each further one on one computer has the next
    ports, for clients and for other nodes too.  `syncs_always` as for `nats_configuration`.
    """

    boards: tuple[BoardName, ...]
    hosts: tuple[str, ...]
    port: int
    nats: bool = False
    syncs_always: bool = False
    client_port: int = 4222
    route_port: int = 6222


@dataclass(frozen=True, slots=True)
class Card:
    """What a board is told to join: the brokers, its account, and the authority's certificate."""

    brokers: tuple[Broker, ...]
    board: BoardName
    password: str = field(repr=False)
    ca: str


def files_of(plan: ClubPlan, folder: Path, user: str, now: datetime.datetime) -> Mapping[Path, str]:
    """Every file of a club that is set up at `folder`; all but the configuration are secret."""
    if not plan.boards or not plan.hosts:
        raise ClubError("a club has a board at least, and its broker a host")
    if len(set(plan.boards)) < len(plan.boards) or ARCHIVE in plan.boards:
        raise ClubError(f"every board has a name of its own, and none is called {ARCHIVE}")
    accounts = [new_account(name) for name in (*plan.boards, ARCHIVE)]
    made = make_certificates({*plan.hosts, "localhost", "127.0.0.1"}, now)
    place = BrokerPlace(folder, plan.port, user)
    files = {
        "ca.pem": made.ca,
        "ca-key.pem": made.ca_key,
        "server.pem": made.server,
        "server-key.pem": made.server_key,
        **(_nats(plan, place, accounts) if plan.nats else _mosquitto(plan, place, accounts)),
    }
    brokers = tuple(Broker(node.host, node.port) for node in _nodes(plan))
    for account in accounts:
        card = Card(brokers, BoardName(account.name), account.password, made.ca)
        files[f"{CARDS}/{account.name}.toml"] = write_card(card)
    return {folder / name: text for name, text in files.items()}


def _mosquitto(
    plan: ClubPlan, place: BrokerPlace, accounts: Iterable[Account]
) -> Mapping[str, str]:
    return {
        "mosquitto.conf": mosquitto_configuration(place, len(plan.boards)),
        "accesses": mosquitto_accesses(plan.boards),
        "passwords": mosquitto_passwords(accounts),
    }


def _nats(plan: ClubPlan, place: BrokerPlace, accounts: list[Account]) -> Mapping[str, str]:
    """A configuration a node."""
    nodes = _nodes(plan)
    password = new_account("routes").password
    return {
        f"nats-{node.name}.conf": nats_configuration(
            place, node, nodes, accounts, password, syncs_always=plan.syncs_always
        )
        for node in nodes
    }


def _nodes(plan: ClubPlan) -> tuple[BrokerNode, ...]:
    """The brokers; those on one computer have ports of their own."""
    nodes = []
    for number, host in enumerate(plan.hosts):
        shift = plan.hosts[:number].count(host)
        ports = (plan.port + shift, plan.client_port + shift, plan.route_port + shift)
        nodes.append(BrokerNode(f"spotter-{number + 1}", host, *ports))
    return tuple(nodes)


def set_up(
    plan: ClubPlan, folder: Path, user: str, now: datetime.datetime, *, replace: bool
) -> None:
    """Write a club's files; raises ClubError where one is there, unless `replace`."""
    write_files(files_of(plan, folder, user, now), replace=replace)
    (folder / DATA).mkdir(exist_ok=True, mode=_PRIVATE_FOLDER)


def write_files(files: Mapping[Path, str], *, replace: bool) -> None:
    """Write them, nobody else's to read; raises ClubError where one is there, unless `replace`."""
    there = [path for path in files if path.exists()]
    if there and not replace:
        raise ClubError(
            f"{there[0]} is there already; to overwrite it and what goes with it, add --replace"
        )
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True, mode=_PRIVATE_FOLDER)
        path.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags, _PRIVATE), "w", encoding="utf-8") as file:
            file.write(text)


def write_card(card: Card) -> str:
    """The text that read_card takes."""
    return tomli_w.dumps(
        {
            "brokers": write_brokers(card.brokers),
            "board": card.board,
            "password": card.password,
            "ca": card.ca.splitlines(),
        }
    )


def read_brokers(text: str) -> tuple[Broker, ...]:
    """Brokers apart by commas, each `host:port` or `[address]:port`; raises ClubError."""
    return tuple(_broker(part.strip()) for part in text.split(","))


def write_brokers(brokers: Iterable[Broker]) -> str:
    """The text that read_brokers takes."""
    return ", ".join(map(str, brokers))


def _broker(text: str) -> Broker:
    found = _BROKER.fullmatch(text)
    port = int(found[2]) if found else 0
    if not found or not 0 < port <= _HIGHEST_PORT:
        raise ClubError(f"{quoted(text)} is no broker; write host:port, such as club.local:8883")
    return Broker(found[1].strip("[]"), port)


def read_card(file: str, text: str) -> Card:
    """Raises ConfigError naming the file and every fault in it."""
    reader = Reader(parse_toml(file, text))
    brokers, board = reader.take("brokers", str), reader.take("board", str)
    password, ca = reader.take("password", str), reader.words("ca")
    reader.done("brokers, board, password, ca")
    if reader.faults:
        raise ConfigError(file, reader.faults)
    try:
        return Card(read_brokers(brokers), board_name(board), password, "\n".join([*ca, ""]))
    except (ClubError, IdentifierError) as error:
        raise ConfigError(file, [str(error)]) from error


def load_card(path: Path) -> Card:
    """Read the file that a board joins by; raises ConfigError."""
    try:
        return read_card(str(path), read_text(path))
    except ConfigError:
        raise
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {why(error)}"]) from error


def access_of(card: Card, ca: Path) -> Access:
    """How one comes in with a card; `ca` is where its certificate was put."""
    return Access(card.brokers, card.board, card.password, ca)
