"""How a club is set up and joined: its certificates, its broker's files, its boards' cards."""

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import NamedTuple

import tomli_w

from pi_app.base.errors import GivenError
from pi_app.base.files import PRIVATE, read_text, why
from pi_app.base.identifiers import BoardName, IdentifierError, board_name
from pi_app.base.strict import ConfigError, Reader, parse_toml
from pi_app.base.values import dataclass
from pi_app.club.collector import NAME as ARCHIVE
from pi_app.club.friends import FRIENDS, FriendBook, Friends
from pi_app.club.line import Access, Broker, Scheme
from pi_app.club.records import EVERY_BOARD, LARGEST, NEWS_TOPICS, Topic, letter_topic
from pi_app.club.wire import Wire
from pi_app.user.settings import ClubSettings, FriendsSettings
from pi_app.words.sentences import AND, Listing, Sentence
from pi_app.words.texts import quoted

DAYS = 3650
"""How long certificates are valid: a club's broker gets no yearly maintenance."""
_BACK = datetime.timedelta(days=2)
"""Certificates are valid from this long ago, because the clock of a Raspberry Pi without a network
may be slow."""
CA, SERVER, SERVER_KEY = "ca.pem", "server.pem", "server-key.pem"


def make_certificates(hosts: Iterable[str], now: datetime.datetime) -> Mapping[str, str]:
    """Return the club's own authority, and a certificate for a broker at these names and addresses.

    Certificates and keys in PEM, by file name.
    """
    # Only who sets up a club needs it.
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID  # noqa: PLC0415

    ca_key, server_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    club, broker = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        for name in ("Spotter's club", "Spotter's broker")
    )
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())

    def certificate(
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey,
        critical: Iterable[x509.ExtensionType],
        others: Iterable[x509.ExtensionType] = (),
    ) -> str:
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(club)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _BACK)
            .not_valid_after(now + datetime.timedelta(days=DAYS))
        )
        for extension in critical:
            builder = builder.add_extension(extension, critical=True)
        for extension in (x509.SubjectKeyIdentifier.from_public_key(key), issuer, *others):
            builder = builder.add_extension(extension, critical=False)
        made = builder.sign(ca_key, hashes.SHA256())
        return made.public_bytes(serialization.Encoding.PEM).decode()

    def private(key: ec.EllipticCurvePrivateKey) -> str:
        plain = serialization.NoEncryption()
        pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        return key.private_bytes(pem, pkcs8, plain).decode()

    unused = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    signs = x509.KeyUsage(
        **dict.fromkeys((*unused, "encipher_only", "decipher_only"), False),
        **dict.fromkeys(("digital_signature", "key_cert_sign", "crl_sign"), True),
    )

    def named(host: str) -> x509.GeneralName:
        try:
            return x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            return x509.DNSName(host)

    names = x509.SubjectAlternativeName([named(host) for host in hosts])
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    is_ca = x509.BasicConstraints(ca=True, path_length=0)
    is_none = x509.BasicConstraints(ca=False, path_length=None)
    about_server = (names, x509.ExtendedKeyUsage(uses))
    return {
        CA: certificate(club, ca_key.public_key(), (is_ca, signs)),
        "ca-key.pem": private(ca_key),
        SERVER: certificate(broker, server_key.public_key(), (is_none,), about_server),
        SERVER_KEY: private(server_key),
    }


# A club's files: its broker's configuration and accounts, and a card for each board to join by.
#
# Every board has an account of its own name and may write nothing but what is its own. mosquitto
# 2.0 does for a club; nats-server with JetStream, on three computers, for a tournament.

FIREWALL = "firewall.nft"
"""Rules for the system's firewall, because neither broker limits the connections of one address."""
CARDS = "boards"
"""The folder of the boards' cards."""
DATA = "data"
"""The folder of a broker's store."""
_ROUNDS = 101
"""Rounds of PBKDF2, as in mosquitto_passwd 2.0. The passwords are random, so more would
not help."""
_LARGEST_PACKET = LARGEST + 1024
_MOST_QUEUED = 64 << 20
"""The most bytes queued for a client that is away or slow; boards repeat what was dropped."""
_MOST_MEMORY, _MOST_STORED = 256 << 20, 4 << 30
_ITSELF = BoardName("%u")
"""The pattern for the account's own name in mosquitto's access rules."""
_PRIVATE_FOLDER = 0o700
_BROKER = re.compile(
    r"(?:(mqtts?|wss?)://)?([a-zA-Z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::([0-9]{1,5}))?/?"
)
_HIGHEST_PORT = 65535


class ClubError(GivenError, ValueError):
    """A club that cannot be set up or joined in this way; says why."""


@dataclass(frozen=True, slots=True)
class ClubPlan:
    """The plan of a club: its boards, and the hosts of its broker, mosquitto or NATS.

    Several hosts are the nodes of a NATS cluster. Further nodes on one computer use the next ports
    for clients and for other nodes. `syncs_always`: a message is acknowledged only once it is on
    disk, which needs nats-server 2.10.
    """

    boards: tuple[BoardName, ...]
    hosts: tuple[str, ...]
    port: int
    nats: bool = False
    syncs_always: bool = False
    client_port: int = 4222
    route_port: int = 6222

    @property
    def connections(self) -> int:
        """The most connections: one for each board, those lost but not timed out yet, and some for
        strangers.

        mosquitto keeps a connection without an account for 90 seconds. For a club of up to a
        hundred boards the sum is below the 1024 files that a program may open.
        """
        return 2 * len(self.boards) + 750

    @property
    def connections_of_one(self) -> int:
        """The most connections from one address: all boards may be behind one router."""
        return max(16, len(self.boards) + 8)


class BrokerNode(NamedTuple):
    name: str
    host: str
    port: int
    client_port: int
    route_port: int


class Rights(NamedTuple):
    writes: Sequence[str]
    reads: Sequence[str]


@dataclass(frozen=True, slots=True)
class Card:
    """A board's card to join a club: the brokers, its account, and the authority's certificate."""

    brokers: tuple[Broker, ...]
    board: BoardName
    password: str = field(repr=False)
    ca: str


ARCHIVE_RIGHTS = Rights(
    [Topic.HAVE.of(EVERY_BOARD)], [topic.of(EVERY_BOARD) for topic in NEWS_TOPICS]
)


def board_rights(own: BoardName, others: Iterable[BoardName]) -> Rights:
    """A board's rights. It may write letters to these other boards."""
    letters = [letter_topic(own, other) for other in others]
    return Rights(
        [*(topic.of(own) for topic in NEWS_TOPICS), *letters],
        [Topic.HAVE.of(own), Topic.PRESENCE.of(EVERY_BOARD), letter_topic(EVERY_BOARD, own)],
    )


def set_up(
    plan: ClubPlan, folder: Path, user: str, now: datetime.datetime, *, replace: bool
) -> None:
    """Write a club's files to `folder`; `user` runs the broker.

    Raises ClubError for an impossible plan, and if a file exists, unless `replace`.
    """
    if not plan.boards or not plan.hosts:
        raise ClubError("a club has a board at least, and its broker a host")
    if len(set(plan.boards)) < len(plan.boards) or ARCHIVE in plan.boards:
        raise ClubError(f"every board has a name of its own, and none is called {ARCHIVE}")
    passwords = {name: secrets.token_urlsafe(18) for name in (*plan.boards, ARCHIVE)}
    nodes = _nodes(plan)
    files = dict(make_certificates({*plan.hosts, "localhost", "127.0.0.1"}, now))
    brokers = tuple(Broker(node.host, node.port) for node in nodes)
    for name, password in passwords.items():
        card = Card(brokers, BoardName(name), password, files[CA])
        files[f"{CARDS}/{name}.toml"] = write_card(card)
    files[FIREWALL] = _filled(
        "firewall.nft",
        most=plan.connections_of_one,
        ports=", ".join(str(port) for port in sorted({node.port for node in nodes})),
    )
    if plan.nats:
        files |= _nats_files(plan, nodes, folder, passwords)
    else:
        files |= _mosquitto_files(plan, folder, user, passwords)
    write_files({folder / name: text for name, text in files.items()}, replace=replace)
    (folder / DATA).mkdir(exist_ok=True, mode=_PRIVATE_FOLDER)


def _nodes(plan: ClubPlan) -> tuple[BrokerNode, ...]:
    """The brokers; those on one computer have different ports."""
    nodes = []
    for number, host in enumerate(plan.hosts):
        shift = plan.hosts[:number].count(host)
        ports = (plan.port + shift, plan.client_port + shift, plan.route_port + shift)
        nodes.append(BrokerNode(f"spotter-{number + 1}", host, *ports))
    return tuple(nodes)


def _filled(name: str, **values: object) -> str:
    """A template that comes with Spotter, filled with these values."""
    template = resources.files("pi_app.club") / name
    return Template(template.read_text("utf-8")).substitute(values)


def _mosquitto_files(
    plan: ClubPlan, folder: Path, user: str, passwords: Mapping[str, str]
) -> Mapping[str, str]:
    """mosquitto's configuration, its access rules with patterns for every board, and the hashed
    passwords in the format of mosquitto_passwd."""
    configuration = _filled(
        "mosquitto.conf",
        user=user,
        port=plan.port,
        folder=folder,
        data=DATA,
        # A few seconds' worth of changes.
        changes=max(10, len(plan.boards)),
        queued=_MOST_QUEUED,
        packet=_LARGEST_PACKET,
        memory=_MOST_MEMORY,
        connections=plan.connections,
    )
    # Each other topic for letters would be one more to keep something on.
    board = board_rights(_ITSELF, plan.boards)
    accesses = [
        *(f"pattern write {topic}" for topic in board.writes),
        *(f"pattern read {topic}" for topic in board.reads),
        f"user {ARCHIVE}",
        *(f"topic write {topic}" for topic in ARCHIVE_RIGHTS.writes),
        *(f"topic read {topic}" for topic in ARCHIVE_RIGHTS.reads),
    ]
    hashes = [f"{name}:{_hashed(password)}" for name, password in passwords.items()]
    return {
        "mosquitto.conf": configuration,
        "accesses": "\n".join([*accesses, ""]),
        "passwords": "\n".join([*hashes, ""]),
    }


def _hashed(password: str) -> str:
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    salt_text, digest_text = (base64.b64encode(part).decode() for part in (salt, digest))
    return f"$7${_ROUNDS}${salt_text}${digest_text}"


def _nats_files(
    plan: ClubPlan, nodes: Sequence[BrokerNode], folder: Path, passwords: Mapping[str, str]
) -> Mapping[str, str]:
    """A configuration for each node, with every account. nats-server reads JSON."""
    route_password = secrets.token_urlsafe(18)
    tls = {"cert_file": str(folder / SERVER), "key_file": str(folder / SERVER_KEY)}
    shared = {
        "max_payload": _LARGEST_PACKET,
        "max_connections": plan.connections,
        "max_pending": _MOST_QUEUED,
        "authorization": {"users": [_nats_user(*account) for account in passwords.items()]},
    }
    syncs = {"sync_interval": "always"} if plan.syncs_always else {}

    def configuration(node: BrokerNode) -> Mapping[str, object]:
        others = [other for other in nodes if other != node]
        host = "nats-route://spotter:{}@{}:{}"
        cluster = {
            "name": "spotter",
            "port": node.route_port,
            "authorization": {"user": "spotter", "password": route_password},
            "tls": {**tls, "ca_file": str(folder / CA), "verify": True},
            "routes": [host.format(route_password, one.host, one.route_port) for one in others],
        }
        return {
            "server_name": node.name,
            "listen": f"127.0.0.1:{node.client_port}",
            **shared,
            "jetstream": {
                "max_file_store": _MOST_STORED,
                "max_memory_store": _MOST_MEMORY,
                "store_dir": str(folder / DATA / node.name),
                **syncs,
            },
            "mqtt": {
                "port": node.port,
                "tls": tls,
                "max_ack_pending": 1000,
                # By itself it takes the number of nodes that are up when the first board comes.
                "stream_replicas": len(nodes),
                "consumer_replicas": len(nodes),
            },
            **({"cluster": cluster} if others else {}),
        }

    return {f"nats-{node.name}.conf": json.dumps(configuration(node), indent=1) for node in nodes}


def _nats_user(name: str, password: str) -> Mapping[str, object]:
    """Return a NATS account with its rights. Every account needs the subjects that nats-server
    itself uses for MQTT with QoS 1."""
    rights = ARCHIVE_RIGHTS if name == ARCHIVE else board_rights(BoardName(name), [EVERY_BOARD])
    writes, reads = (
        [topic.replace("/", ".").replace("+", "*") for topic in topics] for topics in rights
    )
    permissions = {"publish": writes, "subscribe": [*reads, "$MQTT.sub.>"]}
    return {"user": name, "password": password, "permissions": permissions}


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
        with os.fdopen(os.open(path, flags, PRIVATE), "w", encoding="utf-8") as file:
            file.write(text)


def read_brokers(text: str) -> tuple[Broker, ...]:
    """Read brokers separated by commas, each `host:port` or a URL with one of the schemes mqtts,
    wss, mqtt or ws, whose port may be left out. Raises ClubError."""
    brokers = []
    for part in map(str.strip, text.split(",")):
        found = _BROKER.fullmatch(part)
        scheme = Scheme(found[1] or "mqtts") if found else Scheme.MQTTS
        port = int(found[3] or scheme.port) if found and (found[1] or found[3]) else 0
        if not found or not 0 < port <= _HIGHEST_PORT:
            what = f"{quoted(part)} is no broker"
            raise ClubError(f"{what}; write host:port, such as club.local:8883")
        brokers.append(Broker(found[2].strip("[]"), port, scheme))
    return tuple(brokers)


def read_meeting_place(text: str) -> Broker:
    """Read the broker of friends, who meet at no other. Raises ClubError."""
    broker, *more = read_brokers(text)
    if more:
        raise ClubError(ONE_BROKER(text=quoted(text)))
    return broker


def write_brokers(brokers: Iterable[Broker]) -> str:
    return ", ".join(map(str, brokers))


def write_card(card: Card) -> str:
    return tomli_w.dumps(
        {
            "brokers": write_brokers(card.brokers),
            "board": card.board,
            "password": card.password,
            "ca": card.ca.splitlines(),
        }
    )


def load_card(path: Path) -> Card:
    """Read a board's card. Raises ConfigError, which names the file and every fault in it."""
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise ConfigError(str(path), [f"cannot be read: {why(error)}"]) from error
    reader = Reader(parse_toml(str(path), text))
    brokers, board = reader.take("brokers", str), reader.named("board", board_name)
    password, ca = reader.take("password", str), reader.words("ca")
    reader.done("brokers, board, password, ca")
    found: tuple[Broker, ...] = ()
    try:
        found = read_brokers(brokers)
    except ClubError as error:
        reader.fault("brokers", f"is wrong: {error}")
    if reader.faults:
        raise ConfigError(str(path), reader.faults)
    return Card(found, board, password, "\n".join([*ca, ""]))


def access_of(card: Card, ca: Path) -> Access:
    """The access that a card gives; `ca` is the path of its certificate."""
    return Access(card.brokers, card.board, card.password, ca)


# How a board joins a club, and how it finds its wire again at every start.

NOT_JOINED = Sentence("No matches go to the club: {why}; run: spotter club join")
ONE_BROKER = Sentence("friends meet at one broker, and {text} names several")
NO_FRIENDS = Sentence("Friends cannot be reached: {why}")
NO_PAHO = Sentence("the package paho-mqtt is missing or older than 2")
NO_PASSWORD = Sentence("the password in {path} cannot be read: {why}")
NO_CARD = Sentence(
    "No club card on {stick}. Copy the card that the club made for this board, such as table-3.toml"
)
SEVERAL_CARDS = Sentence("Several cards on {stick}: {files}. Leave only this board's card")
NO_GOOD_CARD = Sentence("{file} is not a valid club card: {why}; copy it again")
DAMAGED_CA = Sentence("the certificate on this card is damaged; copy the card again")
FOR_ARCHIVE = Sentence("this is the archive's card; use a board's card")
PASSWORD = "password"
_MOST_NAMED = 4
_MOST = 4096


def join(card: Card, folder: Path, *, replace: bool) -> ClubSettings:
    """Store a card in `folder` and return the settings that refer to it. Raises ClubError for the
    archive's card or a damaged one, and if a card is stored already, unless `replace`."""
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
    for name in (PASSWORD, CA):
        (folder / name).unlink(missing_ok=True)


def card_on(folder: Path, stick: str) -> Card:
    """The only card on a stick of this name, mounted at `folder`. Raises ClubError."""
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


def open_wire(settings: ClubSettings, journal: Path) -> Wire:
    """The wire of a board that has joined, not started. One that cannot be opened only
    reports why."""
    password = Path(settings.password_file)
    try:
        # Debian 12 has 1.6, without this module.
        import paho.mqtt.enums  # noqa: F401, PLC0415

        brokers, board = read_brokers(settings.brokers), board_name(settings.board)
        secret = read_text(password, _MOST).strip()
        return Wire(Access(brokers, board, secret, Path(settings.ca_file)), board, journal)
    except ImportError:
        said: str = NO_PAHO()
    except (ClubError, IdentifierError) as error:
        said = error.said
    except (OSError, ValueError) as error:
        said = NO_PASSWORD(path=str(password), why=why(error))
    nowhere = Access(())
    return Wire(nowhere, BoardName(settings.board), journal, fault=NOT_JOINED(why=said))


def access_of_friends(settings: FriendsSettings) -> Access:
    """Raises ClubError if no broker is set, or what is set is none."""
    ca = settings.ca_file
    return Access((read_meeting_place(settings.broker),), ca=Path(ca) if ca else None)


def open_friends(settings: FriendsSettings, journal: Path, wake: Callable[[], None]) -> Friends:
    """This board's friends, not started. Raises ClubError, which says what is in the way."""
    path = journal.with_name(FRIENDS)
    try:
        # Debian 12's paho has no such module. The others take a second to import, and only a
        # meeting needs them.
        import paho.mqtt.enums  # noqa: F401, PLC0415

        for name in ("mnemonic", "spake2"):
            if find_spec(name) is None:
                raise ImportError(f"No module named {quoted(name)}")  # noqa: TRY301
        return Friends(access_of_friends(settings), FriendBook(path), wake)
    except ImportError as error:
        raise ClubError(NO_FRIENDS(why=str(error))) from None
    except GivenError as error:
        raise ClubError(NO_FRIENDS(why=error.said)) from None
