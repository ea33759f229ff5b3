"""The connection to a broker by MQTT 3.1.1, and a reader of the journal's lines for it."""

from __future__ import annotations

import errno
import hmac
import json
import math
import os
import random
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pi_app.base.files import why
from pi_app.base.identifiers import MatchKey, match_key, parts_of
from pi_app.base.values import dataclass
from pi_app.club.records import SEALED, RecordId
from pi_app.journal import rows as schema
from pi_app.journal.disk import disk_errors
from pi_app.journal.rows import Row, RowError, check_row
from pi_app.words.sentences import Sentence

# A lasting connection to a broker: MQTT 3.1.1, kept up by a thread of its own.
#
# The thread calls `put` with everything that happens. Nothing here waits for the broker: what is
# sent while disconnected is lost; `Connected` and `Disconnected` tell the sender.
#
# Only this thread reads and writes the socket, because OpenSSL breaks a connection that two threads
# use at once. Other threads queue packets in paho, which wakes the thread's loop to write them.
# paho knows of the loop by a callback; without one, whoever publishes writes at once.
#
# paho-mqtt 2 was chosen and not Debian's 1.6: only the later one lets a message be acknowledged
# once it is on disk. It is pure Python, so a Raspberry Pi takes the pinned one beside its own
# packages.

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

UNREACHABLE = Sentence("the broker {broker} cannot be reached: {why}")
WRONG_CERTIFICATE = Sentence("the broker {broker} has an invalid certificate: {why}")
WRONG_ACCOUNT = Sentence("the broker {broker} rejects account {account}")
NO_ACCOUNT = Sentence("the broker {broker} lets nobody in without an account")
NOT_HEARD = Sentence("the broker {broker} does not let account {account} read")
REFUSED = Sentence("the broker {broker} rejects the connection: {why}")
BEHIND = Sentence(
    "the clock of this board is wrong: it says {date}, and the certificate of the broker {broker} "
    "is newer"
)
AHEAD = Sentence(
    "the certificate of the broker {broker} has expired, or the clock of this board is wrong: it "
    "says {date}"
)
GONE = Sentence("the broker {broker} closed the connection")
TOO_MUCH = Sentence("the broker {broker} sends more than any board asked for")
NO_CA = Sentence("the club's certificate {path} cannot be read: {why}")
_NOT_YET_VALID, _EXPIRED = 9, 10
"""OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED."""

KEEPALIVE_S = 20
CONNECT_S = 10.0
LOOP_S = 1.0
"""Seconds to wait for packets before the age of the connection is checked."""
HANDSHAKE_S = 20.0
"""Seconds until a connection stands, with TLS and WebSocket; paho would wait for ever."""
MOST_HELD = 1 << 20
"""The most bytes of packets that are not complete, as a frame of WebSocket. A board's messages have
at most 64 KB."""
MOST_UNSENT = 20_000
"""The most packets that a broker has not read, acknowledgements among them."""
BUFFER = 1 << 16
"""The bytes that the system keeps of a connection in each direction."""
GOOD_BYE_S = 1.0
"""Seconds that closing waits for a thread that is still connecting."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 15.0
"""Delays between attempts to connect; growing and random, so that boards do not connect all at
once."""


class Scheme(Enum):
    """How MQTT goes to a broker: over TCP or WebSocket, and encrypted or not."""

    MQTTS = "mqtts"
    WSS = "wss"
    MQTT = "mqtt"
    WS = "ws"

    @property
    def port(self) -> int:
        """The port that an address without one means."""
        return {"mqtts": 8883, "wss": 443, "mqtt": 1883, "ws": 80}[self.value]

    @property
    def is_encrypted(self) -> bool:
        return self in (Scheme.MQTTS, Scheme.WSS)

    @property
    def is_websocket(self) -> bool:
        return self in (Scheme.WSS, Scheme.WS)


class Broker(NamedTuple):
    host: str
    port: int
    scheme: Scheme = Scheme.MQTTS

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        scheme = "" if self.scheme is Scheme.MQTTS else f"{self.scheme.value}://"
        return f"{scheme}{host}:{self.port}"

    @property
    def page(self) -> str:
        """The address of the page for friends without a board, which the broker's WebSocket serves.

        Beside MQTT over TLS it is at the port of the web. Empty for MQTT without TLS alone.
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.scheme in (Scheme.MQTTS, Scheme.MQTT) else f":{self.port}"
        secure = self.scheme.is_encrypted
        port = "" if port == (":443" if secure else ":80") else port
        return "" if self.scheme is Scheme.MQTT else f"http{'s' * secure}://{host}{port}/"


@dataclass(frozen=True, slots=True)
class Access:
    """Equivalent brokers, and the credentials.

    Without an account the broker lets everybody in. `ca` is the file of the authority that signed
    the broker's certificate; without it, the authorities that this system trusts count.
    """

    brokers: tuple[Broker, ...]
    account: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None


@dataclass(frozen=True, slots=True)
class Connected:
    """The connection stands and all topics are subscribed to."""


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection is lost; says why, for people."""

    why: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker has the message with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class ClubMessage:
    """A message; `retained` if it is from before this client subscribed.

    `taken` tells the broker that the message need not be kept for this client. Without that it
    comes `again`, from nats-server after all newer ones.
    """

    topic: str
    message: bytes
    retained: bool
    taken: Callable[[], None] = field(repr=False, compare=False)
    again: bool = False


Happening: TypeAlias = Connected | Disconnected | Acknowledged | ClubMessage


@dataclass(frozen=True, slots=True)
class LineWish:
    """How a client appears, and what it subscribes to, if anything, before it is `Connected`.

    `will` is the topic and message that the broker publishes, retained, if the connection breaks.
    With `lasting` the broker queues messages while the client is away.
    """

    name: str
    topics: tuple[str, ...]
    will: tuple[str, bytes] | None = None
    lasting: bool = False


def client_id(name: str, password: str) -> str:
    """The client's name at the broker: secret, because a connection with the same name replaces
    this one. It is constant for an account, whose messages the broker may queue."""
    if not password:
        return f"{name}-{secrets.token_hex(8)}"
    return f"{name}-{hmac.new(password.encode(), name.encode(), sha256).hexdigest()[:16]}"


def _left_to_the_loop(client: Client, data: object, connection: object) -> None:
    """A packet is waiting; the line's own thread writes it."""


class BrokerLine:
    """Connects to a broker, and again whenever the connection is lost, until it is closed."""

    def __init__(self, access: Access, wanted: LineWish, put: Callable[[Happening], None]) -> None:
        self._access, self._wanted, self._put = access, wanted, put
        self._client: Client | None = None
        self._deadline = _Deadline()
        self._refused: str | None = None
        self._subscribing: int | None = None
        self._tries = 0
        self._pause_s = FIRST_PAUSE_S
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="the club's broker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def send(self, topic: str, message: bytes, *, qos: int = 1, retain: bool = False) -> int | None:
        """Send a message. Return its number; None if it could not be sent at all."""
        client = self._client
        if client is None or not client.is_connected():
            return None
        sent = client.publish(topic, message, qos, retain)
        return sent.mid if sent.rc == 0 else None

    def listen(self, *topics: str, qos: int = 0) -> None:
        """Subscribe to more topics for this connection, if the broker allows it."""
        client = self._client
        if topics and client is not None and client.is_connected():
            client.subscribe([(topic, qos) for topic in topics])

    def forget(self, *topics: str) -> None:
        """End the subscription to these topics."""
        client = self._client
        if topics and client is not None and client.is_connected():
            client.unsubscribe(list(topics))

    def drop(self) -> None:
        """Close this connection and open another."""
        client = self._client
        connection = client.socket() if client else None
        if connection is not None:
            # Without a DISCONNECT, which a broker that does not answer would not read; and below
            # TLS, whose own `shutdown` would take the encryption from under the line's thread.
            with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as same:
                same.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._closed.set()
        client = self._client
        if client is not None:
            client.disconnect()
        if self._thread.is_alive():
            self._thread.join(GOOD_BYE_S)

    def _run(self) -> None:
        while not self._closed.is_set():
            self._refused = None
            cause = self._once()
            self._tries += 1
            if self._closed.is_set():
                return
            self._put(Disconnected(cause))
            self._closed.wait(self._pause_s * random.uniform(0.5, 1.0))
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    @property
    def _broker(self) -> Broker:
        return self._access.brokers[self._tries % len(self._access.brokers)]

    def _once(self) -> str:
        broker = str(self._broker)
        try:
            client = self._made()
        except (OSError, ValueError) as error:
            return NO_CA(path=str(self._access.ca), why=why(error))
        try:
            client.connect(self._broker.host, self._broker.port, KEEPALIVE_S)
            self._client, self._deadline.until = client, math.inf
            if self._closed.is_set():
                client.disconnect()
            while client.loop(LOOP_S) == 0:
                if _holds_too_much(client):
                    self.drop()
                    return TOO_MUCH(broker=broker)
        except ssl.SSLCertVerificationError as error:
            return _invalid(broker, error)
        except (OSError, ValueError) as error:
            return UNREACHABLE(broker=broker, why=why(error))
        except Exception as error:  # whatever nonsense of a broker's makes the library stumble
            return REFUSED(broker=broker, why=f"{type(error).__name__}: {error}")
        finally:
            self._client = None
        return self._refused or GONE(broker=broker)

    def _made(self) -> Client:
        """Return a paho client for one connection, with all subscriptions and the will."""
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415, see _bounded_client

        access, wanted = self._access, self._wanted
        self._deadline = _Deadline()
        client = _bounded_client(self._deadline)(
            CallbackAPIVersion.VERSION2,
            client_id(wanted.name, access.password),
            clean_session=not wanted.lasting,
            transport="websockets" if self._broker.scheme.is_websocket else "tcp",
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.connect_timeout = CONNECT_S
        client.max_inflight_messages_set(0)
        if access.account:
            client.username_pw_set(access.account, access.password)
        if self._broker.scheme.is_encrypted:
            context = ssl.create_default_context(cafile=access.ca)
            context.sslsocket_class = _TimedTls
            client.tls_set_context(context)
        if wanted.will is not None:
            client.will_set(*wanted.will, qos=1, retain=True)

        client.on_socket_register_write = _left_to_the_loop
        client.on_connect, client.on_subscribe = self._connected, self._subscribed
        client.on_publish, client.on_message = self._acknowledged, self._heard
        return client

    def _connected(
        self,
        client: Client,
        data: object,
        flags: object,
        code: ReasonCode,
        properties: Properties | None,
    ) -> None:
        if not code.is_failure and self._wanted.topics:
            topics = [(topic, 1) for topic in self._wanted.topics]
            _, self._subscribing = client.subscribe(topics)
            return
        if not code.is_failure:
            self._stands()
            return
        broker, said = str(self._broker), str(code)
        # CONNACK 4 and 5.
        if said in ("Bad user name or password", "Not authorized"):
            account = self._access.account
            self._refused = (
                WRONG_ACCOUNT(broker=broker, account=account)
                if account
                else NO_ACCOUNT(broker=broker)
            )
        else:
            self._refused = REFUSED(broker=broker, why=said)

    def _subscribed(
        self,
        client: Client,
        data: object,
        number: int,
        codes: list[ReasonCode],
        properties: Properties | None,
    ) -> None:
        if number != self._subscribing:
            return
        if any(code.is_failure for code in codes):
            self._refused = NOT_HEARD(broker=str(self._broker), account=self._access.account)
            client.disconnect()
        else:
            self._stands()

    def _stands(self) -> None:
        self._pause_s = FIRST_PAUSE_S
        self._put(Connected())

    def _acknowledged(
        self, client: Client, data: object, number: int, code: object, properties: object
    ) -> None:
        self._put(Acknowledged(number))

    def _heard(self, client: Client, data: object, message: MQTTMessage) -> None:
        def taken() -> None:
            with suppress(OSError, ValueError):
                client.ack(message.mid, message.qos)

        topic, content = message.topic, bytes(message.payload)
        self._put(ClubMessage(topic, content, message.retain, taken, message.dup))


class _Deadline:
    """When a connection that is being opened must stand, in seconds of `time.monotonic`."""

    def __init__(self) -> None:
        self.until = time.monotonic() + HANDSHAKE_S

    def check(self) -> None:
        """Raises TimeoutError."""
        if time.monotonic() > self.until:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))


class _TimedSocket(socket.socket):
    """paho reads an answer of HTTP byte by byte, however long it is: each read checks the
    deadline."""

    deadline: _Deadline

    def recv(self, bufsize: int, flags: int = 0) -> bytes:
        self.deadline.check()
        return super().recv(bufsize, flags)


class _TimedTls(ssl.SSLSocket):
    deadline: _Deadline

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        self.deadline.check()
        return super().recv(buflen, flags)


def _bounded_client(deadline: _Deadline) -> type[Client]:
    """A client of paho whose sockets keep to the deadline and have small buffers."""
    # Whoever belongs to no club needs no such package.
    from paho.mqtt import client as paho  # noqa: PLC0415

    class BoundedClient(paho.Client):
        def _create_socket_connection(self) -> socket.socket:
            connection = super()._create_socket_connection()
            timeout = connection.gettimeout()
            timed = _TimedSocket(fileno=connection.detach())
            timed.settimeout(timeout)
            for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                timed.setsockopt(socket.SOL_SOCKET, buffer, BUFFER)
            timed.deadline = deadline
            return timed

        def _ssl_wrap_socket(self, tcp_sock: socket.socket) -> ssl.SSLSocket:
            wrapped = super()._ssl_wrap_socket(tcp_sock)
            assert isinstance(wrapped, _TimedTls)
            wrapped.deadline = deadline
            return wrapped

    return BoundedClient


def _holds_too_much(client: Client) -> bool:
    """Whether a broker fills the memory: by a packet or a frame without an end, by messages of QoS
    2, which nobody asked for, or because it does not read what is sent.

    paho bounds none of these and has no public names for them.
    """
    frame = getattr(client._sock, "_readbuffer", b"")
    held = max(client._in_packet["remaining_length"], len(frame))
    return held > MOST_HELD or bool(client._in_messages) or len(client._out_packet) > MOST_UNSENT


def _invalid(broker: str, error: ssl.SSLCertVerificationError) -> str:
    date = time.strftime("%Y-%m-%d")
    if error.verify_code == _NOT_YET_VALID:
        return BEHIND(broker=broker, date=date)
    if error.verify_code == _EXPIRED:
        return AHEAD(broker=broker, date=date)
    return WRONG_CERTIFICATE(broker=broker, why=error.verify_message)


# The journal as it goes over the wire: its lines by match, read while Spotter writes it.


@dataclass(frozen=True, slots=True)
class Content:
    """What a journal has of a match: the number of decisions, and after which of them there is a
    seal."""

    match: MatchKey
    decisions: int
    seals: tuple[int, ...] = ()


class LinesKept:
    """Reads the journal at `path`; to be used by one thread. Raises JournalError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with disk_errors(path, "opened"):
            self._db = schema.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=1.0)
        self._seen = -1

    def close(self) -> None:
        self._db.close()

    def changed(self) -> bool:
        """Whether anything was written since the last call; True the first time."""
        before = self._seen
        with disk_errors(self._path, "read"):
            self._seen = self._db.execute("PRAGMA data_version").fetchone()[0]
        return before != self._seen

    def contents(self) -> tuple[Content, ...]:
        """The content of every match, the oldest first."""
        query = """SELECT number, began,
            (SELECT coalesce(max(place), 0) FROM decisions WHERE match = number),
            (SELECT json_group_array(place) FROM
                (SELECT place FROM seals WHERE match = number ORDER BY place))
            FROM matches ORDER BY number"""
        with disk_errors(self._path, "read"):
            rows = self._db.execute(query).fetchall()
        return tuple(
            Content(match_key(number, began), decisions, tuple(json.loads(seals)))
            for number, began, decisions, seals in rows
        )

    def standing(self, match: MatchKey) -> tuple[str, str | None] | None:
        """The start of a match and its newest decision; None if there is no such match."""
        query = """SELECT start, (SELECT line FROM decisions WHERE match = number
            ORDER BY place DESC LIMIT 1) FROM matches WHERE number = ?"""
        number, _ = parts_of(match)
        with disk_errors(self._path, "read"):
            row: tuple[str, str | None] | None = self._db.execute(query, (number,)).fetchone()
        return row

    def line(self, id_: RecordId) -> str | None:
        """A record's line; None if it is missing or damaged."""
        (number, _), place = parts_of(id_.match), id_.sequence
        with disk_errors(self._path, "read"):
            match = self._db.execute("SELECT * FROM matches WHERE number = ?", (number,)).fetchone()
            if match is None or match_key(match[0], match[1]) != id_.match:
                return None
            if place == 0:
                return _as_written(match)
            table = "decisions"
            if id_.is_seal:
                table, place = "seals", place - SEALED
            query = f"SELECT * FROM {table} WHERE match = ? AND place = ?"
            row = self._db.execute(query, (number, place)).fetchone()
        return _as_written(row) if row else None


def _as_written(row: Row) -> str | None:
    """The line of a row; None if it is damaged."""
    try:
        check_row(row)
    except RowError:
        return None
    return str(row[2])
