"""A club set up and joined: its authority and certificates, its broker's files, its cards."""

from __future__ import annotations

import base64
import datetime
import hashlib
import ipaddress
import json
import os
import re
import secrets
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from pi_app.club.collector import NAME as ARCHIVE
from pi_app.club.line import Access, Broker
from pi_app.club.records import (
    EVERY_BOARD,
    LARGEST,
    have_topic,
    letter_topic,
    presence_topic,
    record_topic,
    summary_topic,
)
from pi_app.club.wire import LetterListener, Wire
from pi_app.errors import FailedError, GivenError
from pi_app.extras import to_set_up
from pi_app.files import read_text, why
from pi_app.identifiers import BoardName, IdentifierError, board_name
from pi_app.referee.view import View
from pi_app.settings import ClubSettings
from pi_app.strict import ConfigError, Reader, parse_toml
from pi_app.words.sentences import AND, Listing, Sentence
from pi_app.words.texts import quoted

# The club's own authority, and the certificate that its broker shows; in PEM.

DAYS = 3650
"""The validity of both certificates in days; a club's broker gets no yearly maintenance."""
_BACK = datetime.timedelta(days=2)
"""A Raspberry Pi that has no network yet may be behind with its clock."""


class CertificateError(FailedError, RuntimeError):
    """No certificate can be made here."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """The authority's certificate and key, and the broker's."""

    ca: str
    ca_key: str = field(repr=False)
    server: str
    server_key: str = field(repr=False)


def make_certificates(hosts: Iterable[str], now: datetime.datetime) -> Certificates:
    """An authority and a certificate for a broker at these names and addresses.

    Raises CertificateError without the package `cryptography`.
    """
    try:
        # Only who sets up a club needs it.
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
        from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID  # noqa: PLC0415
    except ImportError:
        raise CertificateError(
            f"the package cryptography is missing; set up what Spotter needs with {to_set_up()}"
        ) from None

    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    def certificate(subject: str, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(named(subject))
            .issuer_name(named("Spotter's club"))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _BACK)
            .not_valid_after(now + datetime.timedelta(days=DAYS))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()),
                critical=False,
            )
        )

    def private(key: ec.EllipticCurvePrivateKey) -> str:
        return key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()

    def public(made: x509.Certificate) -> str:
        return made.public_bytes(serialization.Encoding.PEM).decode()

    ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    signs = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    ca = (
        certificate("Spotter's club", ca_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(signs, critical=True)
        .sign(ca_key, hashes.SHA256())
    )
    names: list[x509.GeneralName] = []
    for host in hosts:
        try:
            names.append(x509.IPAddress(ipaddress.ip_address(host)))
        except ValueError:
            names.append(x509.DNSName(host))
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    server = (
        certificate("Spotter's broker", key.public_key())
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    return Certificates(public(ca), private(ca_key), public(server), private(key))


# What a broker needs to be told to carry a club: its configuration, accounts and accesses.
#
# Every board has an account of its own name and may write nothing but what is its own. mosquitto
# 2.0 does for a club; nats-server with JetStream, on three computers, for a tournament.

DATA = "data"
"""The folder of a broker's store."""
_ROUNDS = 101
"""Rounds of PBKDF2, as in mosquitto_passwd 2.0; the passwords are random, so guessing is hopeless.
"""
_SPARE = 1024
"""Bytes of a packet besides its message."""
_MOST_QUEUED = 64 * 1024 * 1024
"""Bytes queued for a client that is away or slow; boards send dropped messages again."""
_MOST_MEMORY = 256 * 1024 * 1024
_MOST_STORED = 4 * 1024 * 1024 * 1024
_ITSELF = BoardName("%u")
"""The account, in mosquitto's patterns."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account of the broker."""

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BrokerPlace:
    """A broker's folder and the boards' port; `user` runs it."""

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
    """An account with a random password."""
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
    """The configuration of mosquitto. It writes its store after as many changes as there are
    boards, a few seconds' worth; by default it would do so every half hour."""
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
    """The configuration of nats-server, a file for each node with every account. `syncs_always`:
    acknowledged messages are on the disk; this needs version 2.10."""
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


# A club's files: for its broker, and a small one for each board, by which that board joins.

CARDS = "boards"
"""The folder of the boards' files."""
_PRIVATE, _PRIVATE_FOLDER = 0o600, 0o700
_BROKER = re.compile(r"([a-zA-Z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]):([0-9]{1,5})")
_HIGHEST_PORT = 65535


class ClubError(GivenError, ValueError):
    """A club that cannot be set up or joined like this; says why."""


@dataclass(frozen=True, slots=True)
class ClubPlan:
    """The plan of a club: its boards, and the hosts of its broker, mosquitto or NATS.

    Several hosts are the nodes of a NATS cluster; further nodes on the same computer use the next
    ports for clients and for other nodes. `syncs_always` as for `nats_configuration`.
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
    """A board's card to join a club: the brokers, its account, and the authority's certificate."""

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
    """Write a club's files. Raises ClubError if one exists, unless `replace`."""
    write_files(files_of(plan, folder, user, now), replace=replace)
    (folder / DATA).mkdir(exist_ok=True, mode=_PRIVATE_FOLDER)


def write_files(files: Mapping[Path, str], *, replace: bool) -> None:
    """Write private files. Raises ClubError if one exists, unless `replace`."""
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
    """The access by a card; `ca` is the path of its certificate."""
    return Access(card.brokers, card.board, card.password, ca)


# How a board joins a club, and how it finds its wire again at every start.

NOT_JOINED = Sentence("No matches go to the club: {why}; run: spotter club join")
NO_PAHO = Sentence("the package paho-mqtt is missing or older than 2")
NO_PASSWORD = Sentence("the password in {path} cannot be read: {why}")
NO_CARD = Sentence(
    "No club card on {stick}. Copy the card that the club made for this board, such as table-3.toml"
)
SEVERAL_CARDS = Sentence("Several cards on {stick}: {files}. Leave only this board's card")
NO_GOOD_CARD = Sentence("{file} is not a valid club card: {why}; copy it again")
DAMAGED_CA = Sentence("the certificate on this card is damaged; copy the card again")
FOR_ARCHIVE = Sentence("this is the archive's card; use a board's card")
PASSWORD, CA = "password", "ca.pem"
_MOST_NAMED = 4
_MOST = 4096


@dataclass(frozen=True, slots=True)
class Unwired:
    """Replaces a wire that cannot be opened, and says why."""

    trouble: str

    @property
    def boards(self) -> tuple[BoardName, ...]:
        return ()

    def start(self) -> None:
        """There is nothing to start."""

    def look_round(self) -> None:
        """No other board is known."""

    def listen(self, hear: LetterListener) -> None:
        """Nobody writes."""

    def post(self, to: BoardName, letter: bytes) -> None:
        """Nobody reads it."""

    def watch(self, view: View) -> None:
        """Nobody is told."""

    def close(self) -> None:
        """There is nothing to close."""


def join(card: Card, folder: Path, *, replace: bool) -> ClubSettings:
    """Store a card in `folder`. Returns the settings that refer to it. Raises ClubError for the
    archive's card or a damaged one, and if a card is already stored, unless `replace`."""
    if card.board == ARCHIVE:
        raise ClubError(FOR_ARCHIVE())
    try:
        ssl.create_default_context(cadata=card.ca)
    except (ValueError, ssl.SSLError):
        raise ClubError(DAMAGED_CA()) from None
    files = {folder / PASSWORD: card.password, folder / CA: card.ca}
    write_files(files, replace=replace)
    brokers = write_brokers(card.brokers)
    return ClubSettings(True, brokers, card.board, str(folder / PASSWORD), str(folder / CA))


def leave(folder: Path) -> None:
    """Delete the card's data in `folder`. Raises OSError."""
    for name in (PASSWORD, CA):
        (folder / name).unlink(missing_ok=True)


def card_on(folder: Path, stick: str) -> Card:
    """The one card on a stick of this name that is mounted at `folder`; raises ClubError."""
    # macOS leaves files whose names begin with a dot.
    files = sorted(path for path in folder.glob("*.toml") if not path.name.startswith("."))
    if not files:
        raise ClubError(NO_CARD(stick=stick))
    if len(files) > 1:
        names = Listing(tuple(path.name for path in files[:_MOST_NAMED]), AND)
        raise ClubError(SEVERAL_CARDS(stick=stick, files=names))
    try:
        return load_card(files[0])
    except ConfigError as error:
        fault = error.reasons[0]
        raise ClubError(NO_GOOD_CARD(file=files[0].name, why=fault)) from None


def open_wire(settings: ClubSettings, journal: Path) -> Wire | Unwired:
    """A joined board's wire, not yet started."""
    try:
        # Debian 12 has 1.6, without this module.
        import paho.mqtt.enums  # noqa: F401, PLC0415
    except ImportError:
        return Unwired(NOT_JOINED(why=NO_PAHO()))
    try:
        access, board = access_of_settings(settings), board_name(settings.board)
    except (ClubError, IdentifierError) as error:
        said = error.said if isinstance(error, ClubError) else str(error)
        return Unwired(NOT_JOINED(why=said))
    return Wire(access, board, journal)


def access_of_settings(settings: ClubSettings) -> Access:
    """Raises ClubError for an invalid broker or an unreadable password."""
    path = Path(settings.password_file)
    try:
        password = read_text(path, _MOST).strip()
    except (OSError, ValueError) as error:
        raise ClubError(NO_PASSWORD(path=str(path), why=why(error))) from None
    brokers = read_brokers(settings.brokers)
    return Access(brokers, settings.board, password, Path(settings.ca_file))
