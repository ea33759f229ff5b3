"""What a broker needs to be told to carry a club: its configuration, accounts and accesses.

Every board has an account of its own name and may write nothing but what is its own.  mosquitto
2.0 does for a club; nats-server with JetStream, on three computers, for a tournament.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pi_app.club.collector import NAME as ARCHIVE
from pi_app.club.records import (
    EVERY_BOARD,
    LARGEST,
    have_topic,
    letter_topic,
    presence_topic,
    record_topic,
    summary_topic,
)
from pi_app.identifiers import BoardName

DATA = "data"
"""The folder of a broker's store."""
_ROUNDS = 101
"""Of PBKDF2, as mosquitto_passwd 2.0 has it; the passwords are random, so guessing is hopeless."""
_SPARE = 1024
"""Bytes of a packet besides its message."""
_MOST_QUEUED = 64 * 1024 * 1024
"""Bytes that wait for one who is away or slow; the boards send again what is dropped."""
_MOST_MEMORY = 256 * 1024 * 1024
_MOST_STORED = 4 * 1024 * 1024 * 1024
_ITSELF = BoardName("%u")
"""In mosquitto's patterns, the account."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who may come in."""

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BrokerPlace:
    """Where a broker keeps its files, and the port boards come to; `user` is whose it runs as."""

    folder: Path
    port: int
    user: str


@dataclass(frozen=True, slots=True)
class BrokerNode:
    """One nats-server of a cluster: its host, and the ports for boards, for clients, for nodes."""

    name: str
    host: str
    port: int
    client_port: int
    route_port: int


def new_account(name: str) -> Account:
    """With a password that nobody guesses."""
    return Account(name, secrets.token_urlsafe(18))


def mosquitto_passwords(accounts: Iterable[Account]) -> str:
    """The password file: the SHA-512 of PBKDF2, as mosquitto_passwd writes it."""
    return "".join(f"{one.name}:{_hashed(one.password)}\n" for one in accounts)


def _hashed(password: str) -> str:
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    salt_text, digest_text = (base64.b64encode(part).decode() for part in (salt, digest))
    return f"$7${_ROUNDS}${salt_text}${digest_text}"


def mosquitto_accesses(boards: Iterable[BoardName]) -> str:
    """The file of accesses: a pattern for every board, and the archive.

    Letters go to these boards alone: each other topic would be one more to keep something on.
    """
    writes = [topic(_ITSELF) for topic in (record_topic, summary_topic)]
    writes += [letter_topic(_ITSELF, board) for board in boards]
    reads = [have_topic(_ITSELF), letter_topic(EVERY_BOARD, _ITSELF), presence_topic(EVERY_BOARD)]
    lines = [f"pattern write {topic}" for topic in writes]
    lines += [f"pattern read {topic}" for topic in reads]
    lines.append(f"pattern readwrite {presence_topic(_ITSELF)}")
    lines += ["", f"user {ARCHIVE}"]
    heard = (record_topic, summary_topic, presence_topic)
    lines += [f"topic read {topic(EVERY_BOARD)}" for topic in heard]
    lines.append(f"topic write {have_topic(EVERY_BOARD)}")
    return "\n".join(lines) + "\n"


def mosquitto_configuration(place: BrokerPlace, boards: int) -> str:
    """What `mosquitto -c` takes.

    It writes its store after as many changes as there are boards, a few seconds' worth: by itself
    it would do so every half hour.
    """
    folder = place.folder
    lines = [
        "# Made by: spotter club setup",
        f"user {place.user}",
        f"listener {place.port}",
        f"cafile {folder / 'ca.pem'}",
        f"certfile {folder / 'server.pem'}",
        f"keyfile {folder / 'server-key.pem'}",
        "tls_version tlsv1.2",
        "allow_anonymous false",
        f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'accesses'}",
        "persistence true",
        f"persistence_location {folder / DATA}/",
        "autosave_on_changes true",
        f"autosave_interval {max(10, boards)}",
        "# Nobody takes another's connection over by calling himself as he does.",
        "use_username_as_clientid true",
        "# What waits for the archive while that is away, and how much of it is sent at once.",
        "max_queued_messages 100000",
        f"max_queued_bytes {_MOST_QUEUED}",
        "max_inflight_messages 500",
        f"max_packet_size {LARGEST + _SPARE}",
        f"memory_limit {_MOST_MEMORY}",
        f"max_connections {_connections(boards)}",
        "set_tcp_nodelay true",
        "connection_messages false",
        "log_dest stderr",
    ]
    return "\n".join(lines) + "\n"


def _connections(boards: int) -> int:
    """Each board's, the archive's, and those that were lost and are not yet given up."""
    return 2 * boards + 100


def nats_configuration(
    place: BrokerPlace,
    node: BrokerNode,
    nodes: Iterable[BrokerNode],
    accounts: Iterable[Account],
    route_password: str,
    *,
    syncs_always: bool,
) -> str:
    """What `nats-server -c` takes; one file a node, each with every account.

    `syncs_always`: what is acknowledged is on the disk; the server must be 2.10 or later.
    """
    nodes, accounts = tuple(nodes), tuple(accounts)
    others = [one for one in nodes if one != node]
    folder = place.folder
    tls = f"cert_file: {_q(folder / 'server.pem')}, key_file: {_q(folder / 'server-key.pem')}"
    lines = [
        "# Made by: spotter club setup --nats",
        f"server_name: {_q(node.name)}",
        f"listen: {_q(f'127.0.0.1:{node.client_port}')}",
        f"max_payload: {LARGEST + _SPARE}",
        f"max_connections: {_connections(len(accounts))}",
        f"max_pending: {_MOST_QUEUED}",
        "jetstream {",
        f"  max_file_store: {_MOST_STORED}",
        f"  max_memory_store: {_MOST_MEMORY}",
        f"  store_dir: {_q(folder / DATA / node.name)}",
        *(["  sync_interval: always"] if syncs_always else []),
        "}",
        "mqtt {",
        f"  port: {node.port}",
        f"  tls {{ {tls} }}",
        "  max_ack_pending: 1000",
        "  # By itself it takes the number of nodes that are up when the first board comes.",
        f"  stream_replicas: {len(nodes)}",
        f"  consumer_replicas: {len(nodes)}",
        "}",
    ]
    if others:
        routes = ", ".join(
            _q(f"nats-route://spotter:{route_password}@{one.host}:{one.route_port}")
            for one in others
        )
        ca = f"ca_file: {_q(folder / 'ca.pem')}, verify: true"
        lines += [
            "cluster {",
            '  name: "spotter"',
            f"  port: {node.route_port}",
            f"  authorization {{ user: spotter, password: {_q(route_password)} }}",
            f"  tls {{ {tls}, {ca} }}",
            f"  routes: [{routes}]",
            "}",
        ]
    users = ",\n".join(map(_nats_user, accounts))
    return "\n".join([*lines, "authorization {", "users: [", users, "]", "}"]) + "\n"


def _nats_user(account: Account) -> str:
    """An account and its accesses; MQTT at QoS 1 has subjects of its own that none may refuse."""
    own = BoardName(account.name)
    if account.name == ARCHIVE:
        writes = [have_topic(EVERY_BOARD)]
        reads = [topic(EVERY_BOARD) for topic in (record_topic, summary_topic, presence_topic)]
    else:
        writes = [topic(own) for topic in (record_topic, summary_topic, presence_topic)]
        writes.append(letter_topic(own, EVERY_BOARD))
        reads = [have_topic(own), presence_topic(EVERY_BOARD), letter_topic(EVERY_BOARD, own)]
    publish = ", ".join(_q(_subject(topic)) for topic in writes)
    subscribe = ", ".join(_q(subject) for subject in [*map(_subject, reads), "$MQTT.sub.>"])
    permissions = f"publish: [{publish}], subscribe: [{subscribe}]"
    user = f"user: {_q(account.name)}, password: {_q(account.password)}"
    return f"  {{ {user}, permissions: {{ {permissions} }} }}"


def _subject(topic: str) -> str:
    """A topic as NATS calls it."""
    return topic.replace("/", ".").replace("+", "*")


def _q(value: object) -> str:
    return json.dumps(str(value))
